/* A fixed amount of memory for one part of a program, which must not take more. */
#include <stdio.h>
#include <string.h>
#include <vesta/arena.h>

int main(void) {
    VestaArenaConfig config = {0};
    VestaArenaHandle first, second;
    config.size = (size_t)1 << 20;
    config.alignment = 4096;
    VestaArena *arena = vesta_arena_create(&config);
    if (arena == NULL || vesta_arena_alloc(arena, 1000, &first) != VESTA_OK)
        return 1;
    memset(first.address, 0, first.size);
    if (vesta_arena_try_alloc(arena, (size_t)2 << 20, &second))
        return 1;
    printf("%zu bytes for a request of 1000; 2 MiB cannot be had\n", first.size);
    if (vesta_arena_free(arena, first) != VESTA_OK || vesta_arena_free(arena, first) != VESTA_BAD_HANDLE)
        return 1;
    vesta_arena_destroy(arena);
    return 0;
}
