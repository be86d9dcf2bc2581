/* test_unpack.c: blocks of packed bytes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include <zlib.h>
#include <zstd.h>

#include "base/memory.h"
#include "base/unpack.h"

enum { SIZE = 300000 };

static char plain[SIZE], packed[SIZE];

static size_t pack(enum unpack_kind kind)
{
    uLongf length = sizeof packed;

    for (size_t i = 0; i < SIZE; i++)
        plain[i] = (char)(i * i / 7 % 5);
    if (kind == UNPACK_ZSTD)
        return ZSTD_compress(packed, sizeof packed, plain, SIZE, 1);
    assert_int_equal(compress((unsigned char *)packed, &length, (const unsigned char *)plain, SIZE), Z_OK);
    return length;
}

static status take(enum unpack_kind kind, size_t size, size_t limit, char **buffer, size_t *capacity, size_t *length)
{
    return unpack(kind, (struct text){ packed, size }, limit, buffer, capacity, length);
}

static void blocks_come_back_or_say_why_not(void **state)
{
    static const enum unpack_kind kinds[] = { UNPACK_DEFLATE, UNPACK_ZSTD };

    (void)state;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        size_t size = pack(kinds[i]), capacity = 0, length;
        char *buffer = NULL;

        assert_int_equal(take(kinds[i], size, SIZE, &buffer, &capacity, &length), STATUS_OK);
        assert_int_equal(length, SIZE);
        assert_memory_equal(buffer, plain, SIZE);
        assert_int_equal(take(kinds[i], size, SIZE - 1, &buffer, &capacity, &length), STATUS_INPUT); /* too large */
        for (size_t cut = 0; cut < size; cut += size / 7 + 1)
            assert_int_equal(take(kinds[i], cut, SIZE, &buffer, &capacity, &length), STATUS_INPUT);
        packed[size] = 'x';
        assert_int_equal(take(kinds[i], size + 1, SIZE, &buffer, &capacity, &length), STATUS_INPUT);
        memset(packed, 'x', 4);
        assert_int_equal(take(kinds[i], size, SIZE, &buffer, &capacity, &length), STATUS_INPUT);
        memory_free(buffer);
    }
}

static void memory_may_run_out(void **state)
{
    size_t size = pack(UNPACK_DEFLATE), capacity = 0, length;
    char *buffer = NULL;

    (void)state;
    memory_fail_at(1);
    assert_int_equal(take(UNPACK_DEFLATE, size, SIZE, &buffer, &capacity, &length), STATUS_MEMORY);
    memory_fail_at(0);
    memory_free(buffer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_come_back_or_say_why_not),
        cmocka_unit_test(memory_may_run_out),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
