/* T1: destructors of thread keys set the next key, so that the C library makes all its rounds; the allocator works in
 * each of them, and for the threads that come after. */
#include "field.h"

enum { KEYS = 5, THREADS = 200, PAYLOAD = 3000 };

static pthread_key_t keys[KEYS];
static int runs;

static void destroy(void *value) {
    int index = *(int *)value;
    free(value);
    __atomic_fetch_add(&runs, 1, __ATOMIC_RELAXED);
    char text[64];
    snprintf(text, sizeof text, "%f", (double)index); /* the C library's own thread state, used late */
    char *block = (char *)malloc(PAYLOAD);
    CHECK(block, "malloc failed in a destructor");
    mark(block, PAYLOAD, (unsigned)index);
    block = (char *)realloc(block, 4 * PAYLOAD);
    CHECK(block && marked(block, PAYLOAD, (unsigned)index), "realloc lost the content");
    free(block);
    int *next = (int *)malloc(sizeof *next);
    *next = (index + KEYS - 1) % KEYS;
    /* An earlier key: the C library meets it in the next round, if there is one. */
    pthread_setspecific(keys[*next], next);
}

static void *arm_all(void *argument) {
    (void)argument;
    int *first = (int *)malloc(sizeof *first);
    *first = KEYS - 1;
    pthread_setspecific(keys[KEYS - 1], first);
    return NULL;
}

int main(void) {
    expect_allocator();
    for (int i = 0; i < KEYS; i++) {
        CHECK(pthread_key_create(&keys[i], destroy) == 0, "pthread_key_create failed");
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(start_thread(arm_all, NULL, 256 * KIB), NULL);
    }
    CHECK(runs >= 4 * THREADS, "only %d destructor runs in %d threads", runs, THREADS);
    return 0;
}
