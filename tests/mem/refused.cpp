// Must not compile: copying or filling these bytes is not copying or filling the object.
#include <string>

#include <vesta/mem.hpp>

void refused(std::string *to, const std::string *from);
void refused(std::string *to, const std::string *from) {
#if defined(COPY_ONE)
    vesta_memcopy(to, from);
#elif defined(COPY_SEVERAL)
    vesta_memcopy(to, from, 2);
#elif defined(FILL)
    (void)from;
    vesta_memfill(to, 0);
#endif
}
