/* All call stacks and sites of the process: each stored once, never removed, without locks.
 *
 * Stacks form a tree from their outermost frame on, so that those that begin alike share it. A node is found by its
 * parent and its address, in a hash trie: each node has four children in it and goes by two bits of the hash per level
 * (Chris Wellons, "Hash trie" in "Hash-tries for C", 2023). A site is a node whose "address" is a purpose. */
#ifndef VESTA_RECORD_STACKS_H
#define VESTA_RECORD_STACKS_H

#include <stdint.h>

#include <stdbool.h>

enum {
    VESTA_NODE_NONE = 0,
    /* Outermost "addresses" that say how a stack ends if it is not with its thread's first function. */
    VESTA_END_TRUNCATED = 1,
    VESTA_END_BROKEN = 2,
};

/* The node of `address` called from `parent`; VESTA_NODE_NONE if there is no memory. */
uint32_t vesta_stack_node(uint32_t parent, uintptr_t address);

/* The site of a stack and a purpose (less than 16), from 1 on; 0 if there is no memory, or too many sites. */
uint32_t vesta_stack_site(uint32_t node, uint32_t purpose);

/* Bytes that are live, as far as threads have passed theirs on; atomic. */
typedef struct VestaSharedLevel {
    int64_t live, peak;
} VestaSharedLevel;

typedef struct VestaSite {
    VestaSharedLevel level;
    uint32_t node; /* of its purpose */
} VestaSite;

uint32_t vesta_stack_sites(void);

uint32_t vesta_stack_purpose(uint32_t site);

/* NULL if there is no such site. */
VestaSite *vesta_stack_site_at(uint32_t site);

typedef struct VestaStackInfo {
    uintptr_t address; /* innermost, 0 if there is none */
    uint32_t depth;    /* without what says how it ends */
    uint32_t purpose;
    bool truncated, broken;
} VestaStackInfo;

void vesta_stack_info(const VestaSite *site, VestaStackInfo *info);

/* Writes up to `capacity` addresses, innermost first; returns the depth. */
uint32_t vesta_stack_addresses(const VestaSite *site, const void **addresses, uint32_t capacity);

#endif
