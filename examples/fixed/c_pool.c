/* A queue of tasks in 8 MiB, whatever their sizes: a record with its payload right behind it. */
#include <stdio.h>
#include <string.h>
#include <vesta/pool.h>

typedef struct Task {
    struct Task *next;
    size_t size;
} Task;

int main(void) {
    VestaPoolConfig config = vesta_pool_defaults(0);
    VestaPool *pool = vesta_pool_create(&config);
    Task *queue = NULL;
    unsigned tasks = 0, freed = 0;
    if (pool == NULL)
        return 1;
    for (;;) {
        size_t size = 40 + tasks % 200;
        Task *task = (Task *)vesta_pool_alloc(pool, sizeof *task + size);
        if (task == NULL)
            break; /* the budget is used up: refuse the work */
        task->size = size;
        memset(task + 1, 0, size);
        task->next = queue;
        queue = task;
        tasks++;
    }
    /* Whoever runs the tasks can still be served. */
    void *worker = vesta_pool_alloc_control(pool, 256);
    if (worker == NULL)
        return 1;
    for (Task *task = queue, *next; task != NULL; task = next, freed++) {
        next = task->next;
        if (vesta_pool_free(pool, task) != VESTA_OK)
            return 1;
    }
    printf("%u tasks fitted\n", freed);
    vesta_pool_destroy(pool);
    return 0;
}
