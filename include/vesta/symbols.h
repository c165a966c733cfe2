/* Names for addresses: function, file and line, with the calls that the compiler inlined, read from the modules' own
 * files. Nothing is asked of the C library, the loader or another library; memory comes from the operating system, is
 * bounded, and is given back before a call returns. */
#ifndef VESTA_SYMBOLS_H
#define VESTA_SYMBOLS_H

#include <stddef.h>
#include <stdint.h>

#include "api.h"

VESTA_BEGIN_DECLS

/* One function of the chain that an address stands for. Texts are valid during the call that hands them out, `reason`
 * for ever. */
typedef struct VestaSymbolFrame {
    const char *function;     /* as the compiler wrote it, C++ and Rust mangled; NULL if it is not known */
    const char *file;         /* NULL if it is not known */
    const char *module;       /* path of the executable or library that the address lies in; NULL if in none */
    const char *reason;       /* why something above is not known, in a few words; NULL if all is */
    uint64_t module_offset;   /* the address as the module's file counts, as nm and addr2line do; the address itself
                               * if it lies in no module */
    uint64_t function_offset; /* where the function begins, counted likewise: tells functions of one name apart. 0 if
                               * it is not known, and for inlined functions */
    unsigned line;            /* 1 is the first; 0 if it is not known */
    unsigned column;
    unsigned inlined; /* 1: the compiler inlined this function into that of the next frame */
} VestaSymbolFrame;

/* Receives the chain of addresses[index], innermost function first. There is always at least one frame. */
typedef void (*VestaSymbolSink)(void *context, size_t index, const VestaSymbolFrame *frames, unsigned count);

/* Names `count` addresses: calls `sink` once for each of them, in any order. Return addresses are handed over as they
 * are; the resolver looks up the call before them, at the address minus 1. */
typedef void (*VestaSymbolResolver)(const uintptr_t *addresses, size_t count, VestaSymbolSink sink, void *context);

/* The resolver that is used unless another one is set. Reads debug information (DWARF 2 to 5, also compressed, split,
 * or in files of its own that .gnu_debuglink or the build id lead to), then symbol tables, then the tables for
 * unwinding, which tell no name but where a function begins. A file that is broken gives a worse answer, and a reason.
 * Safe. Cost: files are mapped, addresses sorted; about a millisecond per compilation unit that is hit. */
VESTA_API void vesta_self_resolver(const uintptr_t *addresses, size_t count, VestaSymbolSink sink, void *context);

/* Sets who names the addresses of reports; NULL: nobody, reports show modules and offsets. Not safe while a report is
 * being written. */
VESTA_API void vesta_alloc_set_symbol_resolver(VestaSymbolResolver resolver);

/* Writes a readable form of `name` with its terminating zero into `buffer` and returns its length; 0 if `name` is to
 * stay as it is, or if `capacity` bytes are too few. */
typedef size_t (*VestaNameFormatter)(const char *name, char *buffer, size_t capacity);

/* Sets how reports write names; NULL, the default: as the compiler wrote them. Not safe while a report is being
 * written. */
VESTA_API void vesta_alloc_set_name_formatter(VestaNameFormatter formatter);

/* A formatter: the source form of C++ (Itanium ABI) and Rust (legacy and v0) names. Returns 0 for other names. Safe. */
VESTA_API size_t vesta_demangle(const char *name, char *buffer, size_t capacity);

/* Whose code a module is. */
typedef enum VestaModuleClass {
    VESTA_MODULE_OWN = 0,   /* the program's own */
    VESTA_MODULE_SYSTEM,    /* came with the system */
    VESTA_MODULE_ALLOCATOR, /* this library, where it is a module of its own */
} VestaModuleClass;

typedef VestaModuleClass (*VestaModuleClassifier)(const char *path);

/* Sets who sorts modules for reports; NULL: the default, vesta_classify_module. Not safe while a report is being
 * written. */
VESTA_API void vesta_alloc_set_module_classifier(VestaModuleClassifier classifier);

/* The classifier that is used unless another one is set: libraries in the system's folders (/lib, /usr/lib, ...) and
 * the kernel's own are the system's, everything else is the program's. Safe. */
VESTA_API VestaModuleClass vesta_classify_module(const char *path);

VESTA_END_DECLS

#endif
