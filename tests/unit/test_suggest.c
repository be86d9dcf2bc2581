/* test_suggest.c: the name that was meant is found, and nothing is suggested where none is near. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "base/suggest.h"

static const char *next_of(void *context)
{
    const char *const **list = context;

    return **list ? *(*list)++ : NULL;
}

static const char *ask(const char *given, const char *const *list)
{
    return suggest((struct text){ given, strlen(given) }, next_of, &list);
}

static void check(const char *given, const char *const *list, const char *expected)
{
    const char *found = ask(given, list);

    if (expected ? !found || strcmp(found, expected) != 0 : found != NULL)
        fail_msg("%s: %s, not %s", given, found ? found : "nothing", expected ? expected : "nothing");
}

static const char *const keys[] = { "name", "total_time", "transfer_time", "share", "count", "ID", NULL };

static void finds_what_was_meant(void **state)
{
    (void)state;
    check("nmae", keys, "name");              /* swapped */
    check("nme", keys, "name");               /* one left out */
    check("namee", keys, "name");             /* one too many */
    check("nome", keys, "name");              /* another */
    check("totl_tme", keys, "total_time");    /* two of ten */
    check("TOTAL-TIMES", keys, "total_time"); /* case and dashes are nothing */
    check("Name", keys, "name");
    check("id", keys, "ID");
    check("i", keys, "ID");
}

static void finds_what_holds_it(void **state)
{
    (void)state;
    check("time", keys, "total_time"); /* the first of two */
    check("Transfer", keys, "transfer_time");
    check("shares_of_all", keys, NULL); /* the other way round is not meant */
    check("me", keys, NULL);            /* too short to tell */
}

static void finds_nothing_where_nothing_is_near(void **state)
{
    static const char *const none[] = { NULL };
    static const char *const letters[] = { "a", "bc", "", NULL };

    (void)state;
    check("latency", keys, NULL);
    check("", keys, NULL);
    check("name", none, NULL);
    check("x", letters, NULL);
    check("", letters, NULL);
    check("xy", letters, NULL);
    check("b", letters, "bc");
}

static void prefers_the_nearest_then_the_first(void **state)
{
    static const char *const list[] = { "kernels", "kernel", "kernal", NULL };

    (void)state;
    check("kernel", list, "kernel");
    check("kernl", list, "kernel"); /* kernal is as near, and comes later */
    check("kernelss", list, "kernels");
}

static void passes_over_long_names(void **state)
{
    char given[65], candidate[65];
    const char *list[] = { candidate, "aaaa", NULL };

    (void)state;
    memset(given, 'a', sizeof given);
    memset(candidate, 'a', sizeof candidate);
    given[64] = '\0';
    candidate[64] = '\0';
    check(given, list, NULL);
    given[63] = '\0';
    check(given, list, NULL);
    candidate[63] = '\0';
    check(given, list, candidate);
    candidate[0] = 'b';
    check(given, list, candidate);
    check("aaab", list, "aaaa");
}

/* A piece of a longer text, without a NUL at its end. */
static void looks_at_the_piece_only(void **state)
{
    const char *const *list = keys;

    (void)state;
    assert_string_equal(suggest((struct text){ "nmae=12345", 4 }, next_of, &list), "name");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_what_was_meant),
        cmocka_unit_test(finds_what_holds_it),
        cmocka_unit_test(finds_nothing_where_nothing_is_near),
        cmocka_unit_test(prefers_the_nearest_then_the_first),
        cmocka_unit_test(passes_over_long_names),
        cmocka_unit_test(looks_at_the_piece_only),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
