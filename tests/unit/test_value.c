/* test_value.c: fields give their number, or the reason why there is none. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "read/value.h"

static void integers(void **state)
{
    static const struct {
        const char *text;
        const struct loss_reason *reason; /* NULL: a number */
        int64_t value;                    /* where it is one */
    } cases[] = {
        { "12", NULL, 12 },
        { "  -7\t", NULL, -7 },
        { "9223372036854775807", NULL, INT64_MAX },
        { "9223372036854775808", &loss_time_range, 0 },
        { "-99999999999999999999", &loss_time_range, 0 },
        { "", &loss_number, 0 },
        { "-", &loss_number, 0 },
        { "1.5", &loss_number, 0 },
        { "1 2", &loss_number, 0 },
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int64_t value = -1;

        assert_ptr_equal(value_as_integer(text_of(cases[i].text), &value), cases[i].reason);
        assert_int_equal(value, cases[i].reason ? -1 : cases[i].value);
    }
}

static void scaled(void **state)
{
    static const struct {
        const char *text;
        int places;                       /* power of ten */
        const struct loss_reason *reason; /* NULL: a number */
        int64_t value;                    /* where it is one */
    } cases[] = {
        { "1.5", 3, NULL, 1500 },
        { " 0.30000000000000004 ", 6, NULL, 300000 },
        { "-2.5", 0, NULL, -3 },
        { "1e3", 0, NULL, 1000 },
        { "12345e-2", 0, NULL, 123 },
        { "123456789012345678901234567890", -20, NULL, 1234567890 },
        { "9223372036854775807", 1, &loss_time_range, 0 },
        { "1e99999999", 0, &loss_time_range, 0 },
        { "nan", 0, &loss_number, 0 },
        { "1e", 0, &loss_number, 0 },
        { ".", 0, &loss_number, 0 },
        { "", 0, &loss_number, 0 },
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int64_t value = -1;

        assert_ptr_equal(value_as_scaled(text_of(cases[i].text), cases[i].places, &value), cases[i].reason);
        assert_int_equal(value, cases[i].reason ? -1 : cases[i].value);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(integers),
        cmocka_unit_test(scaled),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
