/* comma_locale.h: a locale with a decimal comma. A machine may have none, so a test makes it in the folder of place.h, which its set-up
 * and tear-down make and remove. */
#ifndef TESTS_COMMA_LOCALE_H
#define TESTS_COMMA_LOCALE_H

#include <locale.h>

#include "place.h"

static inline void enter_comma_locale(void)
{
    char command[600];

    snprintf(command, sizeof command, "localedef --no-archive -i de_DE -f UTF-8 %s", file_at("de_DE.UTF-8"));
    if (system(command) != 0)
        fail_msg("no locale could be made: tools/setup.sh test installs the package locales");
    assert_int_equal(setenv("LOCPATH", file_at(""), 1), 0);
    assert_non_null(setlocale(LC_ALL, "de_DE.UTF-8"));
    assert_string_equal(localeconv()->decimal_point, ",");
}

static inline void leave_comma_locale(void)
{
    setlocale(LC_ALL, "C");
    unsetenv("LOCPATH");
}

#endif
