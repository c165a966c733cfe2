#include "guarded_span.h"

#include "switches.h"
#include "../span.h"
#include "../../os/os.h"
#include "vesta/mem.h"

#if VESTA_HARDENED

enum { GUARD_PAGES = VESTA_ALLOC_HARDEN_GUARDS };

static bool make_accessible(uintptr_t address, size_t size) {
    if (vesta_os_commit(address, size))
        return true;
    /* The system has a bound on mappings: without the guard in front the span and the one before it are one mapping. */
    return vesta_os_commit(address - VESTA_PAGE_SIZE, size + VESTA_PAGE_SIZE);
}

static bool conceal(uintptr_t address, size_t size) {
    return vesta_os_purge(address, size) && vesta_os_decommit(address, size);
}

VestaPage *vesta_guarded_span_allocate(uint32_t pages, uint32_t alignment, uint32_t committed) {
    bool zero;
    VestaPage *span = vesta_span_allocate(pages + GUARD_PAGES, alignment, VESTA_SPAN_WISH_ZERO, &zero);
    if (span == NULL)
        return NULL;
    span->committed = committed;
    if (committed != 0 && !make_accessible(vesta_page_address(span), (size_t)committed << VESTA_PAGE_SHIFT)) {
        vesta_span_free(span, true);
        return NULL;
    }
    return span;
}

bool vesta_guarded_span_commit(VestaPage *span, uint32_t pages) {
    uint32_t now = span->committed;
    uintptr_t address = vesta_page_address(span);
    if (pages > now &&
        !vesta_os_commit(address + ((size_t)now << VESTA_PAGE_SHIFT), (size_t)(pages - now) << VESTA_PAGE_SHIFT))
        return false;
    if (pages < now &&
        !conceal(address + ((size_t)pages << VESTA_PAGE_SHIFT), (size_t)(now - pages) << VESTA_PAGE_SHIFT))
        return false;
    span->committed = pages;
    return true;
}

/* What the system refuses to take back must read as zero all the same. */
void vesta_guarded_span_conceal(VestaPage *span) {
    if (span->committed == 0)
        return;
    uintptr_t address = vesta_page_address(span);
    size_t size = (size_t)span->committed << VESTA_PAGE_SHIFT;
    if (!conceal(address, size) && !vesta_os_purge(address, size))
        vesta_memset((void *)address, 0, size);
    span->committed = 0;
}

void vesta_guarded_span_free(VestaPage *span) {
    vesta_span_free(span, true);
}

#endif
