/* test_loaded.c: calls of libraries that are there, are not, or lack something. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>
#include <zlib.h>

#include "base/loaded.h"

static void calls_are_found(void **state)
{
    static const char *const names[] = { "zlibVersion", "crc32" };
    struct {
        __typeof__(&zlibVersion) version;
        __typeof__(&crc32) checksum;
    } calls = { NULL, NULL };

    (void)state;
    assert_int_equal(loaded_calls("libz.so.1", "a test", names, 2, &calls), STATUS_OK);
    assert_string_equal(calls.version(), zlibVersion());
    assert_int_equal(calls.checksum(0, (const unsigned char *)"tacho", 5), crc32(0, (const unsigned char *)"tacho", 5));
}

static void what_is_missing_is_named(void **state)
{
    static const char *const names[] = { "zlibVersion", "no_such_call" };
    void *calls[2];

    (void)state;
    assert_int_equal(loaded_calls("libz.so.1", "a test", names, 2, calls), STATUS_OUTPUT);
    assert_non_null(strstr(status_message(), "a test needs no_such_call, which libz.so.1 does not have"));
    assert_int_equal(loaded_calls("libnothing.so.7", "a test", names, 2, calls), STATUS_OUTPUT);
    assert_non_null(strstr(status_message(), "a test needs a library that cannot be loaded: libnothing.so.7"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(calls_are_found),
        cmocka_unit_test(what_is_missing_is_named),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
