#include <vesta/scratch.h>

#include <vesta/host_alloc.h>

enum { ALIGNMENT = VESTA_SCRATCH_ALIGNMENT };

_Static_assert(sizeof(VestaScratchChunk) % ALIGNMENT == 0, "memory behind the header is aligned");

/* Where an arena without memory stands: a request of 0 bytes gets an address nevertheless. */
static _Alignas(ALIGNMENT) char nothing[ALIGNMENT];

static void stand_in(VestaScratch *self, VestaScratchChunk *chunk) {
    self->chunk = chunk;
    self->base = chunk != NULL ? (char *)(chunk + 1) : self->buffer;
    self->left = chunk != NULL ? chunk->size : self->buffer_size;
}

void vesta_scratch_init(VestaScratch *self, size_t chunk_size) {
    vesta_scratch_init_buffer(self, nothing, 0, chunk_size != 0 ? chunk_size : VESTA_SCRATCH_CHUNK_SIZE);
}

void vesta_scratch_init_buffer(VestaScratch *self, void *buffer, size_t size, size_t chunk_size) {
    size_t skipped = (0 - (uintptr_t)buffer) % ALIGNMENT;
    self->buffer = size < skipped ? nothing : (char *)buffer + skipped;
    self->buffer_size = size < skipped ? 0 : (size - skipped) / ALIGNMENT * ALIGNMENT;
    self->chunk_size = chunk_size;
    self->first = NULL;
    stand_in(self, NULL);
}

void vesta_scratch_destroy(VestaScratch *self) {
    for (VestaScratchChunk *chunk = self->first, *next; chunk != NULL; chunk = next) {
        next = chunk->next;
        vesta_host_free(chunk);
    }
    self->first = NULL;
    stand_in(self, NULL);
}

/* A chunk of at least `size` bytes, behind the current one; or NULL. */
static VestaScratchChunk *add_chunk(VestaScratch *self, size_t size) {
    if (self->chunk_size == 0 || size > PTRDIFF_MAX - sizeof(VestaScratchChunk) - ALIGNMENT)
        return NULL;
    size_t usual = self->chunk_size < sizeof(VestaScratchChunk) ? 0 : self->chunk_size - sizeof(VestaScratchChunk);
    size = ((size > usual ? size : usual) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    VestaScratchChunk *chunk = vesta_host_alloc(sizeof *chunk + size);
    if (chunk == NULL)
        return NULL;
    VestaScratchChunk **link = self->chunk != NULL ? &self->chunk->next : &self->first;
    chunk->size = size;
    chunk->next = *link;
    *link = chunk;
    return chunk;
}

void *vesta_scratch_grow(VestaScratch *self, size_t size, size_t alignment) {
    /* A chunk's memory is aligned to 16 bytes: that much less of the padding can happen. */
    size_t padding = alignment > ALIGNMENT ? alignment - ALIGNMENT : 0;
    if (size > PTRDIFF_MAX - padding)
        return NULL;
    VestaScratchChunk *next = self->chunk != NULL ? self->chunk->next : self->first;
    if (next == NULL || next->size < size + padding)
        next = add_chunk(self, size + padding);
    if (next == NULL)
        return NULL;
    stand_in(self, next);
    return vesta_scratch_alloc_aligned(self, size, alignment);
}

void vesta_scratch_rewind(VestaScratch *self, VestaScratchMark mark) {
    stand_in(self, mark.chunk);
    self->left = mark.left;
}

void vesta_scratch_reset(VestaScratch *self) {
    stand_in(self, NULL);
}
