/* test_repeat.c: patterns in sequences: with something before, between and behind, loops inside, parts that are cut off, and none at all. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/repeat.h"

/* Each letter is a key; before what comes behind a blank there is a pause. */
static struct repeat find(const char *text)
{
    uint64_t keys[512];
    int64_t pauses[512] = { 0 };
    size_t count = 0;
    struct repeat repeat;

    for (; *text; text++)
        if (*text == ' ')
            pauses[count] = 7;
        else
            keys[count++] = (uint64_t)*text << 40;
    assert_int_equal(repeat_find(keys, pauses, count, &repeat), STATUS_OK);
    return repeat;
}

static void expect(const char *text, size_t count, size_t length, size_t first, size_t partial)
{
    struct repeat repeat = find(text);

    if (repeat.count != count || repeat.length != length || (count && repeat.starts[0] != first) ||
        repeat.partial != partial)
        fail_msg("%s: %zu of %zu, from %zu, %zu partial", text, repeat.count, repeat.length,
                 repeat.count ? repeat.starts[0] : 0, repeat.partial);
    repeat_free(&repeat);
}

static void finds_patterns(void **state)
{
    (void)state;
    expect("abc abc abc", 3, 3, 0, 0);
    expect("ab ab", 2, 2, 0, 0);
    expect("aaaa", 4, 1, 0, 0);
    expect("ij abbc abbc x abbc ab", 3, 4, 2, 1); /* that of the header */
    expect("i abc abc abc", 3, 3, 1, 0);
    expect("abc abc abc z", 3, 3, 0, 0);
    expect("e lmlmlm h e lmlmlm h", 2, 8, 0, 0);      /* layers inside are no runs */
    expect("cd abcd abcd abcd", 3, 4, 2, 0);          /* begun in the middle */
    expect("abcd abcd abcd ab", 3, 4, 0, 1);          /* ended in the middle */
    expect("wxabcd abcd abcd abcd", 4, 4, 2, 0);      /* more in the first */
    expect("abcd abd abcd abcd abcd", 4, 4, 0, 1);    /* a step is lost */
    expect("abcd abcdh abcd abcdh abcd", 5, 4, 0, 0); /* now and then something more */
}

/* What has something before and behind it, and no longer pauses, is a part of one run. */
static void takes_no_layers_for_runs(void **state)
{
    (void)state;
    expect("elmlmlmlmh", 0, 0, 0, 0);
    expect("elmlmlmlm", 0, 0, 0, 0);
    expect("lmlmlmlmh", 0, 0, 0, 0);
    expect("e lm lm lm lm h", 4, 2, 1, 0); /* pauses tell runs */
    expect("elmlmlmhelmlmlmh", 2, 8, 0, 0);
    expect("lmlmlmhlmlmlmhlmlmlmh", 3, 7, 0, 0); /* what comes once comes last */
    expect("bbcgubbcgubbcgu", 3, 5, 0, 0);
    expect("abxabxabyabxabx", 4, 3, 0, 1); /* one is unlike the others */
}

static void finds_none_where_none_is(void **state)
{
    (void)state;
    expect("", 0, 0, 0, 0);
    expect("a", 0, 0, 0, 0);
    expect("abcdef", 0, 0, 0, 0);
    expect("ab cdefghijklmn ab opqrstuvw", 0, 0, 0, 0); /* too little of it */
}

/* A pattern of different keys, made by hand, is found whatever surrounds it. */
static void finds_what_was_put_in(void **state)
{
    (void)state;
    for (unsigned seed = 1; seed <= 300; seed++) {
        size_t length, runs, before, behind, count = 0;
        uint64_t *keys = malloc(sizeof *keys * 70 * 20 + 200 * sizeof *keys);
        struct repeat repeat;

        srand(seed);
        length = 3 + (size_t)rand() % 60;
        runs = 3 + (size_t)rand() % 17;
        before = (size_t)rand() % length;
        behind = (size_t)rand() % length;
        for (size_t i = 0; i < before; i++)
            keys[count++] = 1000000 + i;
        for (size_t run = 0; run < runs; run++)
            for (size_t i = 0; i < length; i++)
                keys[count++] = i % 7 == 3 && i > 7 ? 3 : i; /* some steps come several times */
        for (size_t i = 0; i < behind; i++)
            keys[count++] = i % 7 == 3 && i > 7 ? 3 : i;
        assert_int_equal(repeat_find(keys, NULL, count, &repeat), STATUS_OK);
        assert_int_equal(repeat.count, runs);
        assert_int_equal(repeat.length, length);
        assert_int_equal(repeat.starts[0], before);
        for (size_t i = 0; i < runs; i++)
            assert_int_equal(repeat.starts[i], before + i * length);
        repeat_free(&repeat);
        free(keys);
    }
}

static void survives_every_failed_allocation(void **state)
{
    static const uint64_t keys[] = { 1, 2, 3, 1, 2, 3, 1, 2, 3 };
    struct repeat repeat;
    status code = STATUS_MEMORY;

    (void)state;
    for (uint64_t i = 1; code != STATUS_OK; i++) {
        assert_true(i < 100);
        memory_fail_at(i);
        code = repeat_find(keys, NULL, sizeof keys / sizeof *keys, &repeat);
        memory_fail_at(0);
        assert_true(code == STATUS_OK || code == STATUS_MEMORY);
        status_clear();
        repeat_free(&repeat);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_patterns),
        cmocka_unit_test(takes_no_layers_for_runs),
        cmocka_unit_test(finds_none_where_none_is),
        cmocka_unit_test(finds_what_was_put_in),
        cmocka_unit_test(survives_every_failed_allocation),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
