/* What the rest of the report asks of the symbols. */
#ifndef VESTA_SYMBOLS_INTERNAL_H
#define VESTA_SYMBOLS_INTERNAL_H

#include "modules.h"
#include "vesta/symbols.h"

typedef struct VestaSymbolQuery {
    uintptr_t address;
    bool exact;          /* looked up as it is: not a return address */
    VestaModule *module; /* where it lay when it was recorded; NULL: where it lies now */
} VestaSymbolQuery;

/* Names all queries, sorted by module and compilation unit; `sink` is called once for each. Memory is bounded whatever
 * `count` is. */
void vesta_symbolize(const VestaSymbolQuery *queries, size_t count, VestaSymbolSink sink, void *context);

/* The hooks as they are set. */
VestaSymbolResolver vesta_symbol_resolver(void); /* NULL: no names are wanted */
size_t vesta_format_name(const char *name, char *buffer, size_t capacity);
VestaModuleClass vesta_module_class(const char *path);

#endif
