/* The original search policy, written anew as a baseline: 3 mantissa bits, a search from the rounded-up class with a
 * slow path through the rounded-down one, blocks taken out of their list to be split, an array of unused nodes that is
 * filled at every reset, aligned requests padded. */
#include "measure.h"
#include "offset_subject.h"

#include <stdlib.h>

enum { NODES = OFFSET_SLOTS, CLASSES = 256, NONE = -1 };

typedef struct Node {
    uint32_t offset, size;
    int32_t class_previous, class_next, left, right;
    bool used;
} Node;

static Node *nodes;
static int32_t *unused;
static uint32_t unused_count;
static int32_t heads[CLASSES];
static uint32_t top;
static uint8_t leaves[32];
static uint32_t capacity;
static int32_t slots[OFFSET_SLOTS];

static uint32_t class_down(uint32_t size) {
    if (size < 8)
        return size;
    uint32_t shift = 28 - (uint32_t)__builtin_clz(size);
    return (shift + 1) << 3 | (size >> shift & 7);
}

static uint32_t class_up(uint32_t size) {
    if (size < 8)
        return size;
    uint32_t shift = 28 - (uint32_t)__builtin_clz(size);
    uint32_t below = size & ((1u << shift) - 1);
    return ((shift + 1) << 3 | (size >> shift & 7)) + (below != 0);
}

static void insert(uint32_t size, uint32_t offset, int32_t *index) {
    uint32_t c = class_down(size);
    if (heads[c] == NONE) {
        leaves[c >> 3] |= (uint8_t)(1u << (c & 7));
        top |= 1u << (c >> 3);
    }
    int32_t node = unused[--unused_count];
    nodes[node] = (Node){offset, size, NONE, heads[c], NONE, NONE, false};
    if (heads[c] != NONE)
        nodes[heads[c]].class_previous = node;
    heads[c] = node;
    *index = node;
}

static void unlink_class(int32_t index) {
    const Node *node = &nodes[index];
    if (node->class_previous != NONE) {
        nodes[node->class_previous].class_next = node->class_next;
        if (node->class_next != NONE)
            nodes[node->class_next].class_previous = node->class_previous;
        return;
    }
    uint32_t c = class_down(node->size);
    heads[c] = node->class_next;
    if (heads[c] != NONE) {
        nodes[heads[c]].class_previous = NONE;
        return;
    }
    leaves[c >> 3] &= (uint8_t) ~(1u << (c & 7));
    if (leaves[c >> 3] == 0)
        top &= ~(1u << (c >> 3));
}

static int32_t find(uint32_t size) {
    uint32_t c = class_up(size);
    if (c < CLASSES) {
        uint32_t leaf = c >> 3, bits = (top >> leaf & 1) != 0 ? leaves[leaf] & (~0u << (c & 7)) : 0;
        if (bits == 0) {
            uint32_t later = leaf == 31 ? 0 : top & (~0u << (leaf + 1));
            if (later != 0) {
                leaf = (uint32_t)__builtin_ctz(later);
                bits = leaves[leaf];
            }
        }
        if (bits != 0)
            return heads[leaf << 3 | (uint32_t)__builtin_ctz(bits)];
    }
    int32_t node = heads[class_down(size)];
    while (node != NONE && nodes[node].size < size)
        node = nodes[node].class_next;
    return node;
}

static bool take(uint32_t size, int32_t *slot) {
    int32_t index = unused_count == 0 ? NONE : find(size);
    if (index == NONE)
        return false;
    Node *node = &nodes[index];
    unlink_class(index);
    uint32_t rest = node->size - size;
    node->size = size;
    node->used = true;
    if (rest != 0) {
        int32_t behind;
        insert(rest, node->offset + size, &behind);
        if (node->right != NONE)
            nodes[node->right].left = behind;
        nodes[behind].left = index;
        nodes[behind].right = node->right;
        node->right = behind;
    }
    *slot = index;
    return true;
}

static void give(int32_t index) {
    Node *node = &nodes[index];
    uint32_t offset = node->offset, size = node->size;
    if (!node->used)
        return;
    if (node->left != NONE && !nodes[node->left].used) {
        int32_t left = node->left;
        offset = nodes[left].offset;
        size += nodes[left].size;
        unlink_class(left);
        node->left = nodes[left].left;
        unused[unused_count++] = left;
    }
    if (node->right != NONE && !nodes[node->right].used) {
        int32_t right = node->right;
        size += nodes[right].size;
        unlink_class(right);
        node->right = nodes[right].right;
        unused[unused_count++] = right;
    }
    int32_t left = node->left, right = node->right, merged;
    unused[unused_count++] = index;
    insert(size, offset, &merged);
    nodes[merged].left = left;
    nodes[merged].right = right;
    if (left != NONE)
        nodes[left].right = merged;
    if (right != NONE)
        nodes[right].left = merged;
}

#define ALLOCATE(size, slot) take(size, &slots[slot])
#define ALLOCATE_ALIGNED(size, alignment, slot) take(size + alignment - 1, &slots[slot])
#define FREE(slot) give(slots[slot])

OFFSET_RUN

static void reset(void) {
    int32_t whole;
    for (uint32_t c = 0; c < CLASSES; c++)
        heads[c] = NONE;
    for (uint32_t i = 0; i < 32; i++)
        leaves[i] = 0;
    top = 0;
    for (uint32_t i = 0; i < NODES; i++)
        unused[i] = (int32_t)(NODES - 1 - i);
    unused_count = NODES;
    insert(capacity, 0, &whole);
}

static void create(uint64_t bytes) {
    nodes = malloc(NODES * sizeof *nodes);
    unused = malloc(NODES * sizeof *unused);
    if (nodes == NULL || unused == NULL)
        abort();
    capacity = (uint32_t)bytes;
    reset();
}

static void destroy(void) {
    free(nodes);
    free(unused);
}

const OffsetSubject original = {"original policy", create, destroy, reset, run, allocate, free_slot};
