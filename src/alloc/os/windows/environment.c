/* What the system gave the process at its start, read from the process block itself: the C runtime's copies may not
 * exist yet when the first block is allocated. */
#include "../os.h"
#include "../../base/compiler.h"
#include "nt.h"

/* UTF-8 of what was asked for; it is never much. What does not fit any more is as if it were not set. */
static char texts[16 << 10];
static size_t texts_used; /* atomic */

/* A place for `size` characters, or NULL. */
static char *take_text(size_t size) {
    size_t start = __atomic_fetch_add(&texts_used, size, __ATOMIC_RELAXED);
    return start <= sizeof texts && size <= sizeof texts - start ? texts + start : NULL;
}

static const char *to_utf8(const wchar_t *wide, int length) {
    int size = WideCharToMultiByte(CP_UTF8, 0, wide, length, NULL, 0, NULL, NULL);
    char *text = take_text((size_t)size + 1);
    if (text == NULL)
        return NULL;
    WideCharToMultiByte(CP_UTF8, 0, wide, length, text, size, NULL, NULL);
    text[size] = '\0';
    return text;
}

static wchar_t upper(wchar_t c) {
    return c >= 'a' && c <= 'z' ? (wchar_t)(c - 'a' + 'A') : c;
}

/* The value if `entry` is "name=value"; case does not count in names. */
static const wchar_t *value_of(const wchar_t *entry, const char *name) {
    while (*name != '\0' && upper(*entry) == upper((wchar_t)*name)) {
        entry++;
        name++;
    }
    return *name == '\0' && *entry == '=' ? entry + 1 : NULL;
}

static int length_of(const wchar_t *wide) {
    int length = 0;
    while (wide[length] != 0)
        length++;
    return length;
}

const char *vesta_os_environment(const char *name) {
    const wchar_t *entry = *(const wchar_t *const *)(vesta_process_parameters() + VESTA_PARAMETERS_ENVIRONMENT);
    for (; entry != NULL && *entry != 0; entry += length_of(entry) + 1) {
        const wchar_t *value = value_of(entry, name);
        if (value != NULL)
            return to_utf8(value, length_of(value));
    }
    return NULL;
}

/* There are no programs here that run with more rights than who starts them gives them. */
bool vesta_os_is_secure(void) {
    return false;
}

/* The cookie is 32 bits that the system drew for this process; the rest is where and when it runs. */
uint64_t vesta_os_random(void) {
    static uint64_t random; /* atomic; the first thread's counts */
    uint64_t bits = __atomic_load_n(&random, __ATOMIC_RELAXED);
    if (bits != 0)
        return bits;
    const int process_cookie = 36;
    ULONG cookie = 0;
    NtQueryInformationProcess(GetCurrentProcess(), process_cookie, &cookie, sizeof cookie, NULL);
    bits = (uint64_t)cookie << 32 ^ __builtin_ia32_rdtsc() ^ vesta_teb_read(VESTA_TEB_PEB) ^ GetCurrentProcessId();
    /* The finalizer of SplitMix64 (Steele, Lea, Flood 2014). */
    bits = (bits ^ bits >> 30) * 0xBF58476D1CE4E5B9ull;
    bits = (bits ^ bits >> 27) * 0x94D049BB133111EBull;
    bits = (bits ^ bits >> 31) | 1;
    uint64_t none = 0;
    return __atomic_compare_exchange_n(&random, &none, bits, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED) ? bits : none;
}

size_t vesta_os_page_size(void) {
    return 4096; /* of x64, always */
}

uint32_t vesta_os_process_id(void) {
    return GetCurrentProcessId();
}

typedef struct WideText {
    uint16_t bytes, capacity;
    const wchar_t *text;
} WideText;

const char *vesta_os_program_name(void) {
    static const char *name; /* atomic */
    const char *known = __atomic_load_n(&name, __ATOMIC_ACQUIRE);
    if (known != NULL)
        return known;
    const WideText *path = (const WideText *)(vesta_process_parameters() + VESTA_PARAMETERS_IMAGE_PATH);
    int end = path->bytes / 2, start = end;
    while (start > 0 && path->text[start - 1] != '\\' && path->text[start - 1] != '/')
        start--;
    known = to_utf8(path->text + start, end - start);
    if (known == NULL)
        known = "?";
    __atomic_store_n(&name, known, __ATOMIC_RELEASE);
    return known;
}
