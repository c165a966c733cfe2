/* What every public header of vesta needs: linkage and visibility. */
#ifndef VESTA_API_H
#define VESTA_API_H

#ifdef __cplusplus
#define VESTA_BEGIN_DECLS extern "C" {
#define VESTA_END_DECLS }
#else
#define VESTA_BEGIN_DECLS
#define VESTA_END_DECLS
#endif

/* The library is compiled with hidden visibility; what is marked with this leaves it, and nothing else. */
#if defined(_WIN32)
#define VESTA_API
#else
#define VESTA_API __attribute__((visibility("default")))
#endif

#endif
