/* CMocka, and what the unit tests share. */
#ifndef TESTS_FIXED_UNIT_H
#define TESTS_FIXED_UNIT_H

#include "support.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

#endif
