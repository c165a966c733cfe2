/* std::size_t is another type on Windows, and part of the operators' mangled names. */
#ifndef VESTA_INTERPOSE_WINDOWS_CPP_NAMES_H
#define VESTA_INTERPOSE_WINDOWS_CPP_NAMES_H

#define _Znwm _Znwy
#define _Znam _Znay
#define _ZnwmRKSt9nothrow_t _ZnwyRKSt9nothrow_t
#define _ZnamRKSt9nothrow_t _ZnayRKSt9nothrow_t
#define _ZnwmSt11align_val_t _ZnwySt11align_val_t
#define _ZnamSt11align_val_t _ZnaySt11align_val_t
#define _ZnwmSt11align_val_tRKSt9nothrow_t _ZnwySt11align_val_tRKSt9nothrow_t
#define _ZnamSt11align_val_tRKSt9nothrow_t _ZnaySt11align_val_tRKSt9nothrow_t
#define _ZdlPvm _ZdlPvy
#define _ZdaPvm _ZdaPvy
#define _ZdlPvmSt11align_val_t _ZdlPvySt11align_val_t
#define _ZdaPvmSt11align_val_t _ZdaPvySt11align_val_t

#endif
