/* An audit library that asks to see every object and every binding, and changes none. */
#include <link.h>
#include <stdlib.h>

__attribute__((visibility("default"))) unsigned la_version(unsigned version) {
    free(malloc(100));
    return version < LAV_CURRENT ? version : LAV_CURRENT;
}

__attribute__((visibility("default"))) unsigned la_objopen(struct link_map *map, Lmid_t space, uintptr_t *cookie) {
    (void)map, (void)space, (void)cookie;
    return LA_FLG_BINDTO | LA_FLG_BINDFROM;
}

__attribute__((visibility("default"))) uintptr_t la_symbind64(Elf64_Sym *symbol, unsigned index, uintptr_t *from,
                                                              uintptr_t *to, unsigned *flags, const char *name) {
    (void)index, (void)from, (void)to, (void)flags, (void)name;
    return symbol->st_value;
}
