/* A DLL that allocates by itself, also where the loader calls it. */
#include <windows.h>

#include <stdlib.h>
#include <string.h>

#define EXPORT __declspec(dllexport)

static void *early_block;
static char *notes; /* one letter per call of DllMain that could allocate */

EXPORT void *other_malloc(size_t size);
EXPORT void other_free(void *block);
EXPORT char *other_strdup(const char *string);
EXPORT void *other_early_block(void);
EXPORT void other_take_notes(char *place);

void *other_malloc(size_t size) {
    return malloc(size);
}

void other_free(void *block) {
    free(block);
}

char *other_strdup(const char *string) {
    return _strdup(string);
}

void *other_early_block(void) {
    return early_block;
}

void other_take_notes(char *place) {
    notes = place;
}

static int can_allocate(void) {
    char *block = malloc(1000);
    if (block == NULL)
        return 0;
    memset(block, 1, 1000);
    block = realloc(block, 50000);
    if (block == NULL || block[999] != 1)
        return 0;
    free(block);
    return 1;
}

BOOL WINAPI DllMain(HINSTANCE module, DWORD reason, void *reserved) {
    static const char letters[] = {'d', 'A', 'a', 't'}; /* process detach and attach, thread attach and detach */
    (void)module;
    (void)reserved;
    if (reason == DLL_PROCESS_ATTACH)
        early_block = memset(malloc(77), 'e', 77);
    if (notes != NULL)
        *notes++ = can_allocate() ? letters[reason] : '!';
    else if (reason == DLL_PROCESS_DETACH && !can_allocate())
        TerminateProcess(GetCurrentProcess(), 99);
    return TRUE;
}
