/* Memory of the recorder: from the operating system, zeroed, counted, never given back. Takes no lock. */
#ifndef VESTA_RECORD_MEMORY_H
#define VESTA_RECORD_MEMORY_H

#include <stddef.h>
#include <stdint.h>

/* Where one thread's small pieces come from; zero is empty. */
typedef struct VestaRecordPool {
    uintptr_t next, end;
} VestaRecordPool;

/* Whole os pages, NULL if there are none. They count when they are asked for, or, `sparse`, not at all: large tables of
 * which little is touched are counted by who touches them. */
void *vesta_record_pages(size_t size, int sparse);

/* `size` bytes, at most 64 KiB, aligned to 64 bytes if it is a multiple of that and to 16 otherwise. */
void *vesta_record_take(VestaRecordPool *pool, size_t size);

void vesta_record_count_memory(size_t size);
size_t vesta_record_memory(void);

#endif
