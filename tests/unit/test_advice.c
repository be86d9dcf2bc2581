/* test_advice.c: the engine of advice: sentences with places, which item comes first, time that is counted once, what is healthy. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/advice.h"
#include "base/memory.h"
#include "page/advice_files.h"
#include "trace/model.h"

static struct advice advice;

static const struct advice_rule rule = {
    .id = "plain",
    .looks_for = "anything",
    .bound = ADVICE_MEMORY,
    .title = "Do {rows:thing:things}",
    .evidence = "{first}[ ({place})] takes {first_time}.",
    .assumes = "if {rows~it:they} took no time",
};

static int set_up(void **state)
{
    (void)state;
    advice_start(&advice, 1000);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    memory_fail_at(0);
    advice_free(&advice);
    return 0;
}

static struct advice_row row_of(const char *name, double ns)
{
    return (struct advice_row){ .name = name, .ns = ns, .saves_ns = ns };
}

/* An item of one row that claims so much of a pool. */
static struct advice_item *add(const char *name, uint32_t pool, double ns)
{
    struct advice_item *item = advice_add(&advice, &rule);

    advice_row(&advice, item, row_of(name, ns));
    advice_claim(&advice, item, pool, ns);
    return item;
}

/* ---- Sentences ---- */

static void test_places_are_filled(void **state)
{
    static const struct advice_rule full = {
        .id = "full",
        .title = "{what}: {saves} ({share}), {rows:row:rows}, {time}",
        .evidence = "{where}[; {missing}][; {what}]",
        .assumes = "{number:job:jobs} {number~is:are}, {whole:job:jobs} {whole~is:are}",
        .ruled_out = "{missing} is not said",
        .command = "tacho convert {input}",
    };
    struct advice_item *item;
    uint32_t pool;

    (void)state;
    pool = advice_pool(&advice, 500);
    item = advice_add(&advice, &full);
    advice_text(&advice, &advice.every, "input", "a.csv");
    advice_text(&advice, item, "what", "Do [less] {of} it");
    advice_text(&advice, item, "missing", NULL);
    advice_count(&advice, item, "number", 1);
    advice_count(&advice, item, "whole", 3);
    advice_row(&advice, item, (struct advice_row){ .name = "one", .location = "a.py:1", .ns = 100, .saves_ns = 50 });
    advice_row(&advice, item, (struct advice_row){ .name = "two", .ns = 300, .saves_ns = 150 });
    advice_claim(&advice, item, pool, 200);
    assert_int_equal(advice_settle(&advice), STATUS_OK);
    assert_int_equal(advice.count, 1);
    assert_string_equal(item->title, "Do [less] {of} it: 200ns (20.0 %), 2 rows, 400ns");
    assert_string_equal(item->evidence, "two and one (a.py:1); Do [less] {of} it");
    assert_string_equal(item->assumes, "1 job is, 3 jobs are");
    assert_null(item->ruled_out);
    assert_string_equal(item->command, "tacho convert a.csv");
}

/* What a rule says of an item that it did not find is said of no other. */
static void test_no_item_has_no_values(void **state)
{
    static const struct advice_rule about = {
        .id = "about", .title = "all[, {rank}]", .evidence = "{each}", .assumes = "if[ {kind}]"
    };
    struct advice_item *item;
    uint32_t pool;

    (void)state;
    pool = advice_pool(&advice, 500);
    advice_text(&advice, NULL, "rank", "0");
    advice_count(&advice, NULL, "kind", 7);
    advice_row(&advice, NULL, row_of("nowhere", 10));
    advice_claim(&advice, NULL, pool, 500);
    item = advice_add(&advice, &about);
    advice_text(&advice, &advice.every, "each", "said of each");
    advice_claim(&advice, item, pool, 500);
    assert_int_equal(advice_settle(&advice), STATUS_OK);
    assert_int_equal(advice.count, 1);
    assert_string_equal(item->title, "all");
    assert_string_equal(item->evidence, "said of each");
    assert_string_equal(item->assumes, "if");
    assert_true(item->saves_ns == 500);
}

static void test_rows_are_those_that_save_most(void **state)
{
    struct advice_item *item = advice_add(&advice, &rule);
    char name[16];

    (void)state;
    for (int i = 0; i < 30; i++) {
        snprintf(name, sizeof name, "op %d", (i * 7) % 30);
        advice_row(&advice, item, row_of(name, (i * 7) % 30 + 1));
    }
    assert_int_equal(item->row_count, ADVICE_ROWS);
    assert_int_equal(item->rows_left, 30 - ADVICE_ROWS);
    assert_true(item->ns == 30 * 31 / 2);
    for (size_t i = 0; i < item->row_count; i++) {
        snprintf(name, sizeof name, "op %zu", 29 - i);
        assert_string_equal(item->rows[i].name, name);
    }
    assert_string_equal(advice_where(&advice, item, 2), "op 29, op 28 and 28 more");
}

/* ---- Which first ---- */

static void test_what_saves_most_is_first(void **state)
{
    uint32_t pools[3];

    (void)state;
    for (unsigned i = 0; i < 3; i++)
        pools[i] = advice_pool(&advice, 1000);
    add("small", pools[0], 120);
    add("large", pools[1], 400);
    add("middle", pools[2], 200);
    add("nothing", pools[2], 0);
    assert_int_equal(advice_settle(&advice), STATUS_OK);
    assert_false(advice.healthy);
    assert_int_equal(advice.count, 3);
    assert_string_equal(advice.items[0]->rows[0].name, "large");
    assert_string_equal(advice.items[1]->rows[0].name, "middle");
    assert_string_equal(advice.items[2]->rows[0].name, "small");
    assert_string_equal(advice_headline(&advice),
                        "3 things could save up to 720ns of a run of 1.000µs (72.0 %); no time is counted twice.");
}

static void test_no_time_is_counted_twice(void **state)
{
    struct advice_item *second, *eclipsed;
    uint32_t one = advice_pool(&advice, 300), other = advice_pool(&advice, 200);

    (void)state;
    add("first", one, 280);
    second = add("second", one, 150);
    advice_claim(&advice, second, other, 110);
    eclipsed = add("eclipsed", one, 250);
    assert_int_equal(advice_settle(&advice), STATUS_OK);
    assert_int_equal(advice.count, 2);
    assert_true(advice.items[0]->saves_ns == 280);
    assert_ptr_equal(advice.items[1], second);
    assert_true(second->saves_ns == 20 + 110);
    assert_null(eclipsed->title);
}

/* Whatever rules claim, what is said to be saved is never more than there is in the pools. */
static void test_sums_never_exceed_the_pools(void **state)
{
    (void)state;
    srand(11);
    for (int round = 0; round < 300; round++) {
        double whole = 0, saved = 0;
        size_t pools = 1 + (size_t)(rand() % 6), items = (size_t)(rand() % 20);

        advice_free(&advice);
        advice_start(&advice, 1000);
        for (size_t i = 0; i < pools; i++) {
            double ns = rand() % 400;

            whole += ns;
            advice_pool(&advice, ns);
        }
        for (size_t i = 0; i < items; i++) {
            struct advice_item *item = add("x", (uint32_t)(rand() % (int)pools), rand() % 600);

            if (rand() % 2)
                advice_claim(&advice, item, (uint32_t)(rand() % (int)pools), rand() % 600);
        }
        assert_int_equal(advice_settle(&advice), STATUS_OK);
        for (size_t i = 0; i < advice.count + advice.smaller; i++) {
            saved += advice.items[i]->saves_ns;
            assert_true(advice.items[i]->saves_ns >= 5);
            assert_true(!i || advice.items[i]->saves_ns <= advice.items[i - 1]->saves_ns + 1e-9);
        }
        assert_true(saved <= whole + 1e-6 && saved <= 1000 + 1e-6);
        assert_true(advice.healthy == !advice.count);
    }
}

/* ---- Healthy ---- */

static void test_healthy_names_what_dominates(void **state)
{
    uint32_t pool = advice_pool(&advice, 1000);

    (void)state;
    add("slow", pool, 99);
    advice_dominates(&advice, (struct advice_row){ .name = "gemm", .location = "net.py:7", .ns = 600, .saves_ns = NAN },
                     ADVICE_ARITHMETIC, "it reaches 95 % of the peak", "a smaller data type");
    assert_int_equal(advice_settle(&advice), STATUS_OK);
    assert_true(advice.healthy);
    assert_int_equal(advice.count, 1);
    assert_int_equal(advice.smaller, 1);
    assert_string_equal(advice.items[0]->rule->id, "dominant");
    assert_string_equal(advice.items[0]->title, "This is the model: gemm (net.py:7) takes 60.0 % of a run");
    assert_string_equal(advice.items[0]->evidence, "It takes 600ns of 1.000µs; it reaches 95 % of the peak.");
    assert_string_equal(advice.items[0]->assumes, "only a change of the model makes it shorter: a smaller data type");
    assert_string_equal(advice.items[1]->rows[0].name, "slow");
}

static void test_a_tenth_of_a_run_is_not_healthy(void **state)
{
    (void)state;
    add("slow", advice_pool(&advice, 1000), 100);
    advice_dominates(&advice, row_of("gemm", 150), ADVICE_UNKNOWN, NULL, NULL);
    assert_int_equal(advice_settle(&advice), STATUS_OK);
    assert_false(advice.healthy);
    assert_int_equal(advice.count, 1);
    assert_string_equal(advice.items[0]->rule->id, "plain");
    assert_string_equal(advice.dominant->title, "Nothing dominates: the longest, gemm, takes 15.0 % of a run");
}

static void test_nothing_at_all(void **state)
{
    (void)state;
    advice_free(&advice);
    advice_start(&advice, 0);
    add("x", advice_pool(&advice, 10), 10);
    assert_int_equal(advice_settle(&advice), STATUS_OK);
    assert_false(advice.healthy);
    assert_int_equal(advice.count, 0);
    assert_string_equal(advice_headline(&advice), "No run has any time: there is nothing to advise on.");
}

static void test_what_cannot_be_judged_is_not_healthy(void **state)
{
    (void)state;
    advice.unjudged = "Nothing is known of it.";
    assert_int_equal(advice_settle(&advice), STATUS_OK);
    assert_false(advice.healthy);
    assert_string_equal(advice_headline(&advice), "Nothing is known of it.");
}

/* Nobody knows whether it is a model, be it much or little of a run. */
static void test_what_dominates_what_cannot_be_judged(void **state)
{
    static const double shares[] = { 600, 150 };
    static const char *const titles[] = { "gemm takes 60.0 % of a run, more than anything else",
                                          "Nothing dominates: the longest, gemm, takes 15.0 % of a run" };

    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        advice_free(&advice);
        advice_start(&advice, 1000);
        advice.unjudged = "Nothing is known of it.";
        advice_dominates(&advice, row_of("gemm", shares[i]), ADVICE_UNKNOWN, NULL, "another program");
        assert_int_equal(advice_settle(&advice), STATUS_OK);
        assert_string_equal(advice.dominant->title, titles[i]);
        assert_string_equal(advice.dominant->assumes, "only a change makes it shorter: another program");
    }
}

/* Pools that lie on each other in time: all items together never save more than the run. */
static void test_no_more_than_the_run_is_saved(void **state)
{
    struct advice_item *items[3];

    (void)state;
    for (unsigned i = 0; i < 3; i++)
        items[i] = add(i ? "other" : "first", advice_pool(&advice, 900), 900 - 100.0 * i);
    assert_int_equal(advice_settle(&advice), STATUS_OK);
    assert_int_equal(advice.count, 1);
    assert_true(items[0]->saves_ns == 900);
}

static void test_rows_save_what_their_item_does(void **state)
{
    struct advice_item *item;
    uint32_t pool = advice_pool(&advice, 500);

    (void)state;
    add("first", pool, 400);
    item = advice_add(&advice, &rule);
    for (unsigned i = 1; i <= 3; i++)
        advice_row(&advice, item, row_of("row", 50 * i));
    advice_claim(&advice, item, pool, 300);
    assert_int_equal(advice_settle(&advice), STATUS_OK);
    assert_true(item->saves_ns == 100);
    assert_true(fabs(item->rows[0].saves_ns - 50) < 1e-9 && item->rows[0].ns == 150);
}

static void test_what_dominates_is_said_where_no_item_is_about_it(void **state)
{
    (void)state;
    add("slow", advice_pool(&advice, 1000), 200);
    advice_dominates(&advice, row_of("slow", 600), ADVICE_UNKNOWN, NULL, NULL);
    assert_int_equal(advice_settle(&advice), STATUS_OK);
    assert_false(advice_names_dominant(&advice));
    advice.dominant->rows[0].name = "another";
    assert_true(advice_names_dominant(&advice));
}

/* ---- Outputs ---- */

static status write_all(void)
{
    struct advised advised = { 0 };
    struct printer_style style = { .width = 80 };
    struct output *output;
    struct document *document;
    uint32_t pool;
    size_t length;
    status code;

    advice_start(&advised.advice, 1000);
    pool = advice_pool(&advised.advice, 500);
    advised.advice.subject = advice_say(&advised.advice, "net\x1b[2J.csv");
    for (int i = 0; i < 3; i++) {
        struct advice_item *item = advice_add(&advised.advice, &rule);

        advice_row(&advised.advice, item, (struct advice_row){ .name = "a `b` \x1b[1m", .ns = 300, .saves_ns = NAN });
        advice_claim(&advised.advice, item, pool, 200 - i);
    }
    advice_dominates(&advised.advice, row_of("gemm", 600), ADVICE_MEMORY, "why", "change");
    advice_part(&advised.advice, "all", 1000);
    advice_note(&advised.advice, "a note");
    code = advice_settle(&advised.advice);
    if (code == STATUS_OK)
        code = output_open_memory(&output);
    if (code == STATUS_OK) {
        advice_write_title(output, &advised.advice, &style);
        advice_write_text(output, &advised.advice, &style);
        code = advised_write_tables(output, &advised, &style);
        advised_write_json(output, &advised);
        assert_true(code != STATUS_OK || !output_memory(output, &length) ||
                    !strchr(output_memory(output, &length), 0x1b));
        if (code == STATUS_OK)
            code = output_status(output);
        output_abandon(output);
    }
    document = code == STATUS_OK ? advised_document(&advised) : NULL;
    if (code == STATUS_OK)
        code = document ? document_status(document) : STATUS_MEMORY;
    document_free(document);
    advised_free(&advised);
    return code;
}

static void test_out_of_memory(void **state)
{
    (void)state;
    assert_int_equal(write_all(), STATUS_OK);
    for (uint64_t nth = 1; nth < 400; nth++) {
        status code;

        memory_fail_at(nth);
        code = write_all();
        memory_fail_at(0);
        if (code == STATUS_OK)
            return;
        assert_int_equal(code, STATUS_MEMORY);
        status_clear();
    }
    fail_msg("it never succeeds");
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
        TEST(test_places_are_filled),
        TEST(test_no_item_has_no_values),
        TEST(test_rows_are_those_that_save_most),
        TEST(test_what_saves_most_is_first),
        TEST(test_no_time_is_counted_twice),
        TEST(test_sums_never_exceed_the_pools),
        TEST(test_healthy_names_what_dominates),
        TEST(test_a_tenth_of_a_run_is_not_healthy),
        TEST(test_nothing_at_all),
        TEST(test_what_cannot_be_judged_is_not_healthy),
        TEST(test_what_dominates_what_cannot_be_judged),
        TEST(test_no_more_than_the_run_is_saved),
        TEST(test_rows_save_what_their_item_does),
        TEST(test_what_dominates_is_said_where_no_item_is_about_it),
        TEST(test_out_of_memory),
#undef TEST
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
