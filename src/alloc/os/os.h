/* Everything that differs per system, for the heap, the allocators for fixed memory and the report.
 * None of it allocates or calls the C library, except through weak references that may be absent. */
#ifndef VESTA_OS_H
#define VESTA_OS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- Memory. Addresses and sizes are multiples of the os page. ---- */

/* The os page in bytes, as the system reported it at start. */
size_t vesta_os_page_size(void);

/* Reserves `size` bytes of address space at exactly `address`, inaccessible and not charged; false if that cannot be
 * had. */
bool vesta_os_reserve(uintptr_t address, size_t size);

/* Reserves `size` bytes wherever the system likes; 0 if that cannot be had. */
uintptr_t vesta_os_reserve_anywhere(size_t size);

void vesta_os_unreserve(uintptr_t address, size_t size);

/* Whether the system has readable memory that it does not charge. */
#if defined(_WIN32)
#define VESTA_OS_HAS_FREE_ZEROS 0
#else
#define VESTA_OS_HAS_FREE_ZEROS 1
#endif

/* Makes reserved memory such memory: it reads as zero. False where there is none. */
bool vesta_os_commit_readable(uintptr_t address, size_t size);

/* Makes reserved memory readable and writable. */
bool vesta_os_commit(uintptr_t address, size_t size);

/* Makes committed memory inaccessible; its content is unspecified from now on. */
bool vesta_os_decommit(uintptr_t address, size_t size);

/* Gives the content of committed memory back to the system; it reads as zero afterwards. False leaves it as it was.
 * Before it is used again vesta_os_recommit must succeed: some systems take back the right to it as well. */
bool vesta_os_purge(uintptr_t address, size_t size);
#if defined(_WIN32)
bool vesta_os_recommit(uintptr_t address, size_t size);
#else
static inline bool vesta_os_recommit(uintptr_t address, size_t size) {
    (void)address;
    (void)size;
    return true;
}
#endif

/* The same, but the memory stays usable and its content is unspecified. */
#if defined(_WIN32)
bool vesta_os_discard(uintptr_t address, size_t size);
#else
static inline bool vesta_os_discard(uintptr_t address, size_t size) {
    return vesta_os_purge(address, size);
}
#endif

/* Asks for huge pages (or for none) in a reserved range; a wish, never an error. */
void vesta_os_huge_pages(uintptr_t address, size_t size, bool wanted);

/* Whether the system can do what follows. */
#if defined(_WIN32)
#define VESTA_OS_CAN_MOVE 0
#else
#define VESTA_OS_CAN_MOVE 1
#endif

/* Moves the pages of `from` to `to` without copying: `from` stays committed and reads as zero, what `to` held is
 * dropped. False if the system cannot. After it `to` needs vesta_os_renew before other use, or mappings pile up. */
bool vesta_os_move(uintptr_t from, uintptr_t to, size_t size);

/* Replaces a committed range by a new one that reads as zero. */
bool vesta_os_renew(uintptr_t address, size_t size);

/* How many os pages of the range are backed by memory now; 0 where the system does not tell. An
 * estimate where asking is slow. */
size_t vesta_os_resident_pages(uintptr_t address, size_t size);

/* How much address space the process can do with, in bytes: its limit, SIZE_MAX without one. */
size_t vesta_os_address_space_limit(void);

/* ---- Locks: for slow paths; spin a little, then sleep. Zero is unlocked. ---- */

typedef struct VestaLock {
    uint32_t word;
} VestaLock;

void vesta_lock(VestaLock *lock);
void vesta_unlock(VestaLock *lock);

/* In a forked child only: forgets who held it and who waits. */
void vesta_lock_reset(VestaLock *lock);

/* ---- Time ---- */

/* Milliseconds of a monotonic clock. */
uint64_t vesta_os_milliseconds(void);

/* A counter that is cheap to read and advances by a million or more in a millisecond. */
uint64_t vesta_os_cycles(void);

/* ---- The process ---- */

/* The value of an environment variable in the block that the system gave the process, or NULL. */
const char *vesta_os_environment(const char *name);

/* Whether the process runs with more rights than its caller; then its environment is not to be trusted. */
bool vesta_os_is_secure(void);

/* Random bits that the system gave the process at start. */
uint64_t vesta_os_random(void);

/* The process's command name and number, for messages. */
uint32_t vesta_os_process_id(void);
const char *vesta_os_program_name(void);

/* Keeps a copy of standard error for messages: programs close it before they end, or use its number for another file.
 */
void vesta_os_keep_error_output(void);

/* Writes to standard error; keeps errno. */
void vesta_os_write_error(const char *text, size_t size);

__attribute__((noreturn)) void vesta_os_abort(void);

/* ---- The C library, where there is one ---- */

void vesta_os_set_errno(int error);

/* Calls `ended` in each thread that ends after vesta_os_watch_thread was called in it. */
void vesta_os_watch_threads(void (*ended)(void));
void vesta_os_watch_thread(void);

/* Registers what runs around fork; once. */
void vesta_os_watch_fork(void (*prepare)(void), void (*parent)(void), void (*child)(void));

#endif
