#include "stacks.h"

#include "blocks.h"
#include "memory.h"
#include "../../alloc/base/compiler.h"

typedef struct Node {
    uintptr_t address; /* or a purpose */
    uint32_t parent;
    uint32_t site; /* of the stack that ends here, if it is a purpose's node */
    uint32_t children[4];
} Node;

enum {
    NODES_SHIFT = 11, /* 64 KiB of nodes at a time */
    NODE_CHUNKS = 1 << 14,
    SITES_SHIFT = 10,
    SITE_CHUNKS = VESTA_SITES_MAX >> SITES_SHIFT,
    FIRST_PURPOSE = 16, /* tells purposes from addresses, and from what says how a stack ends */
};

static Node *node_chunks[NODE_CHUNKS];
static uint32_t nodes_used = 1; /* 0 is none */
static VestaSite *site_chunks[SITE_CHUNKS];
static uint32_t sites_used = 1;
static uint32_t root[4];

static inline Node *node_at(uint32_t node) {
    return &__atomic_load_n(&node_chunks[node >> NODES_SHIFT], __ATOMIC_ACQUIRE)[node & ((1 << NODES_SHIFT) - 1)];
}

/* Makes sure that there is a chunk at `*chunk`. Two threads may try at once: the second one's is lost. */
static bool need_chunk(void **chunk, size_t size) {
    if (VESTA_LIKELY(__atomic_load_n(chunk, __ATOMIC_ACQUIRE) != NULL))
        return true;
    void *none = NULL, *made = vesta_record_pages(size, 0);
    if (made != NULL)
        __atomic_compare_exchange_n(chunk, &none, made, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
    return made != NULL;
}

/* The next number below `limit`, with a place for what it stands for; 0 if there is none. Numbers are not lost when
 * memory is. */
static uint32_t take_number(uint32_t *used, uint32_t limit, void **chunks, uint32_t shift, size_t size) {
    uint32_t number = __atomic_load_n(used, __ATOMIC_RELAXED);
    do {
        if (number >= limit || !need_chunk(&chunks[number >> shift], size << shift))
            return 0;
    } while (!__atomic_compare_exchange_n(used, &number, number + 1, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED));
    return number;
}

static inline uint64_t hash_of(uint32_t parent, uintptr_t address) {
    uint64_t hash = (address + parent * UINT64_C(0x9E3779B97F4A7C15)) * UINT64_C(0xD6E8FEB86659FD93);
    return (hash ^ hash >> 32) * UINT64_C(0xD6E8FEB86659FD93);
}

uint32_t vesta_stack_node(uint32_t parent, uintptr_t address) {
    uint64_t hash = hash_of(parent, address);
    uint32_t *place = &root[hash >> 62];
    uint32_t made = 0;
    for (;;) {
        uint32_t number = __atomic_load_n(place, __ATOMIC_ACQUIRE);
        if (number == 0) {
            if (made == 0) {
                made = take_number(&nodes_used, NODE_CHUNKS << NODES_SHIFT, (void **)node_chunks, NODES_SHIFT,
                                   sizeof(Node));
                if (made == 0)
                    return VESTA_NODE_NONE;
                node_at(made)->address = address;
                node_at(made)->parent = parent;
            }
            if (__atomic_compare_exchange_n(place, &number, made, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
                return made;
        }
        Node *node = node_at(number);
        if (node->address == address && node->parent == parent)
            return number;
        hash <<= 2;
        place = &node->children[hash >> 62];
    }
}

uint32_t vesta_stack_site(uint32_t stack, uint32_t purpose) {
    uint32_t number = vesta_stack_node(stack, FIRST_PURPOSE + purpose);
    if (number == VESTA_NODE_NONE)
        return 0;
    Node *node = node_at(number);
    uint32_t site = __atomic_load_n(&node->site, __ATOMIC_ACQUIRE);
    if (site != 0)
        return site;
    uint32_t made = take_number(&sites_used, VESTA_SITES_MAX, (void **)site_chunks, SITES_SHIFT, sizeof(VestaSite));
    if (made == 0)
        return 0;
    __atomic_store_n(&vesta_stack_site_at(made)->node, number, __ATOMIC_RELEASE);
    return __atomic_compare_exchange_n(&node->site, &site, made, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE) ? made
                                                                                                            : site;
}

uint32_t vesta_stack_sites(void) {
    return __atomic_load_n(&sites_used, __ATOMIC_ACQUIRE) - 1;
}

VestaSite *vesta_stack_site_at(uint32_t site) {
    if (site == 0 || site >= __atomic_load_n(&sites_used, __ATOMIC_ACQUIRE))
        return NULL;
    return &__atomic_load_n(&site_chunks[site >> SITES_SHIFT], __ATOMIC_ACQUIRE)[site & ((1 << SITES_SHIFT) - 1)];
}

static const Node *parent_of(const Node *node) {
    return node != NULL && node->parent != VESTA_NODE_NONE ? node_at(node->parent) : NULL;
}

/* NULL while the site is being made. */
static const Node *purpose_of(const VestaSite *site) {
    uint32_t node = __atomic_load_n(&site->node, __ATOMIC_ACQUIRE);
    return node != VESTA_NODE_NONE ? node_at(node) : NULL;
}

uint32_t vesta_stack_purpose(uint32_t site) {
    const Node *node = purpose_of(vesta_stack_site_at(site));
    return node != NULL ? (uint32_t)node->address - FIRST_PURPOSE : 0;
}

void vesta_stack_info(const VestaSite *site, VestaStackInfo *info) {
    const Node *node = purpose_of(site);
    *info = (VestaStackInfo){.purpose = node != NULL ? (uint32_t)node->address - FIRST_PURPOSE : 0};
    for (node = parent_of(node); node != NULL; node = parent_of(node)) {
        info->truncated = node->address == VESTA_END_TRUNCATED;
        info->broken = node->address == VESTA_END_BROKEN;
        if (info->truncated || info->broken)
            break;
        if (info->depth++ == 0)
            info->address = node->address;
    }
}

uint32_t vesta_stack_addresses(const VestaSite *site, const void **addresses, uint32_t capacity) {
    uint32_t depth = 0;
    for (const Node *node = parent_of(purpose_of(site)); node != NULL && node->address > VESTA_END_BROKEN;
         node = parent_of(node)) {
        if (depth < capacity)
            addresses[depth] = (const void *)node->address;
        depth++;
    }
    return depth;
}
