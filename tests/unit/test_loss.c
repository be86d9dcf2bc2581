/* test_loss.c: every row that was lost or marked is counted under its reason, in order, and however many reasons there are. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "trace/loss.h"

enum { OWN = 60, PLACES = LOSS_REASONS - 2 }; /* reasons of our own; those that have a place of their own */

static struct loss_reason own[OWN];
static char texts[OWN][24];

/* Every third one is kept; orders count down, so that each new one goes to the front. */
static int make_reasons(void **state)
{
    (void)state;
    for (int i = 0; i < OWN; i++) {
        snprintf(texts[i], sizeof texts[i], "reason %d", i);
        own[i] = (struct loss_reason){ .text = texts[i], .kept = i % 3 == 0, .order = (uint8_t)(LOSS_CHAIN + OWN - i) };
    }
    return 0;
}

static void check_describe(const struct losses *losses, const struct loss_reason *reason, const char *expected)
{
    char text[128];
    int length = loss_describe(losses_find(losses, reason), text, sizeof text);

    assert_string_equal(text, expected);
    assert_int_equal(length, strlen(expected));
}

static void rows_are_counted_by_reason(void **state)
{
    struct losses losses = { .rows = 9, .used = 2 };

    (void)state;
    losses_add(&losses, &loss_number, 4);
    losses_add(&losses, &loss_backwards, 1);
    for (uint64_t line = 10; line < 16; line++)
        losses_add(&losses, &loss_end_before_start, line);
    losses_mark(&losses, &loss_repeated_id, 3);
    losses_mark(&losses, &loss_part, 0);
    assert_int_equal(losses.lost, 7); /* what is kept is not lost */
    assert_int_equal(losses.reason_count, 4);
    assert_int_equal(losses_total(&losses), 11);
    assert_int_equal(losses_count(&losses, &loss_number), 1);
    assert_int_equal(losses_count(&losses, &loss_end_before_start), 6);
    assert_int_equal(losses_count(&losses, &loss_repeated_id), 3);
    assert_int_equal(losses_count(&losses, &loss_part), 0);
    assert_null(losses_find(&losses, &loss_part)->reason);
    assert_int_equal(losses_first_line(&losses), 4);
    check_describe(&losses, &loss_number, "1 x a number that cannot be read (line 4)");
    check_describe(&losses, &loss_end_before_start, "6 x end before start (lines 10, 11, 12, 13, ...)");
    check_describe(&losses, &loss_repeated_id, "3 x an id that was there before (kept)");
}

static void reasons_come_in_their_order(void **state)
{
    static const struct loss_reason first = { .text = "first of a chain", .order = LOSS_CHAIN },
                                    second = { .text = "second of a chain", .kept = true, .order = LOSS_CHAIN };
    static const struct loss_reason *const sorted[] = { &loss_fields,  &loss_number, &loss_quote, &loss_cut_off,
                                                        &loss_missing, &first,       &second };
    enum { COUNT = sizeof sorted / sizeof *sorted };

    (void)state;
    for (unsigned from = 0; from < COUNT; from++) {
        for (unsigned step = 1; step < COUNT; step++) {
            struct losses losses = { .rows = 0 };

            /* Seven is a prime: every step reaches all. Equal orders stay as they came, so `first` comes before. */
            losses_add(&losses, &first, 1);
            for (unsigned i = 0; i < COUNT; i++)
                losses_add(&losses, sorted[(from + i * step) % COUNT], 1);
            assert_int_equal(losses.reason_count, COUNT);
            for (unsigned i = 0; i < COUNT; i++) {
                assert_ptr_equal(losses.reasons[i].reason, sorted[i]);
                assert_int_equal(losses.reasons[i].count, sorted[i] == &first ? 2 : 1);
            }
        }
    }
}

/* The sums over all reasons are those of the rows, also of those that found no place. */
static void check_sums(const struct losses *losses, uint64_t lost, uint64_t total)
{
    uint64_t by_reason = 0, others = 0;

    assert_true(losses->reason_count <= LOSS_REASONS);
    for (unsigned i = 0; i < losses->reason_count; i++) {
        const struct loss *loss = &losses->reasons[i];

        assert_true(loss->count > 0);
        assert_true(!i || losses->reasons[i - 1].reason->order <= loss->reason->order);
        by_reason += loss->reason->kept ? 0 : loss->count;
        others += strncmp(loss->reason->text, "other reasons", 13) == 0;
    }
    assert_int_equal(by_reason, lost);
    assert_int_equal(losses->lost, lost);
    assert_int_equal(losses_total(losses), total);
    assert_true(losses->reason_count - others <= PLACES && others <= 2);
}

static void no_reason_too_many_is_lost_silently(void **state)
{
    struct losses losses = { .rows = 0 };
    uint64_t lost = 0, total = 0, other_lost = 0, other_kept = 0;

    (void)state;
    for (unsigned i = 0; i < OWN; i++) {
        losses_add(&losses, &own[i], i + 1);
        lost += !own[i].kept;
        check_sums(&losses, lost, ++total);
        assert_int_equal(losses_count(&losses, &own[i]), i < PLACES);
        other_lost += i >= PLACES && !own[i].kept;
        other_kept += i >= PLACES && own[i].kept;
    }
    assert_int_equal(losses.reason_count, LOSS_REASONS);
    for (unsigned i = 0; i < PLACES; i++)
        assert_ptr_equal(losses.reasons[i].reason, &own[PLACES - 1 - i]);
    for (unsigned i = PLACES; i < LOSS_REASONS; i++) {
        const struct loss *loss = &losses.reasons[i];

        assert_string_equal(loss->reason->text, loss->reason->kept ? "other reasons (kept)" : "other reasons");
        assert_int_equal(loss->count, loss->reason->kept ? other_kept : other_lost);
        assert_true(loss->lines[0] > PLACES);
    }
    /* Those that have a place keep it. */
    losses_add(&losses, &own[3], 99);
    losses_mark(&losses, &own[OWN - 1], 5);
    assert_int_equal(losses_count(&losses, &own[3]), 2);
    assert_int_equal(losses_total(&losses), total + 6);
    assert_int_equal(losses.reason_count, LOSS_REASONS);
}

static void losses_of_files_are_joined(void **state)
{
    struct losses all = { .rows = 0 }, one = { .rows = 10, .used = 8 }, two = { .rows = 5, .used = 5 };

    (void)state;
    losses_add(&one, &loss_quote, 7);
    losses_add(&one, &loss_number, 8);
    losses_add(&two, &loss_backwards, 2);
    losses_join(&all, &one);
    losses_join(&all, &two);
    losses_join(&all, &one);
    assert_int_equal(all.rows, 25);
    assert_int_equal(all.used, 21);
    check_sums(&all, 4, 5);
    assert_ptr_equal(all.reasons[0].reason, &loss_number);
    assert_int_equal(losses_count(&all, &loss_quote), 2);
    assert_int_equal(losses_first_line(&all), 0); /* a line of which file? */
    check_describe(&all, &loss_quote, "2 x a quoted field that is not closed");
}

/* More reasons in all files together than have a place, and in one of them. */
static void many_reasons_are_joined(void **state)
{
    struct losses all = { .rows = 0 };
    uint64_t lost = 0, total = 0;

    (void)state;
    for (unsigned file = 0; file < 6; file++) {
        struct losses one = { .rows = 0 };

        for (unsigned i = 0; i < (file == 3 ? OWN : 12); i++) {
            const struct loss_reason *reason = &own[(file * 12 + i) % OWN];

            losses_add(&one, reason, 1);
            lost += !reason->kept;
            total++;
        }
        losses_join(&all, &one);
        check_sums(&all, lost, total);
    }
    assert_int_equal(all.reason_count, LOSS_REASONS);
}

static void a_kept_reason_can_be_told_elsewhere(void **state)
{
    struct losses losses = { .rows = 3, .used = 2 };

    (void)state;
    losses_add(&losses, &loss_last_line, 3);
    losses_add(&losses, &loss_number, 2);
    losses_add(&losses, &loss_part, 1);
    losses_drop(&losses, &loss_last_line);
    losses_drop(&losses, &loss_missing); /* was not met */
    assert_int_equal(losses.reason_count, 2);
    assert_int_equal(losses_count(&losses, &loss_last_line), 0);
    assert_int_equal(losses_count(&losses, &loss_part), 1);
    check_sums(&losses, 1, 2);
}

static void first_lines_are_those_of_lost_rows(void **state)
{
    struct losses losses = { .rows = 0 };

    (void)state;
    assert_int_equal(losses_first_line(&losses), 0);
    losses_add(&losses, &loss_backwards, 1);
    assert_int_equal(losses_first_line(&losses), 0);
    losses_add(&losses, &loss_quote, 9);
    losses_add(&losses, &loss_number, 12);
    losses_add(&losses, &loss_number, 5);
    assert_int_equal(losses_first_line(&losses), 9);
}

static void a_file_without_a_row_to_use(void **state)
{
    struct losses losses = { .rows = 3 };
    char cut[8];

    (void)state;
    losses_add(&losses, &loss_backwards, 1);
    losses_add(&losses, &loss_backwards, 1);
    losses_add(&losses, &loss_backwards, 1);
    assert_int_equal(losses_fail(&losses, "a.csv", "a log"), STATUS_INPUT);
    assert_string_equal(status_message(), "a.csv: none of its 3 rows can be used as a log");
    losses_add(&losses, &loss_quote, 1);
    losses_add(&losses, &loss_number, 2);
    losses_add(&losses, &loss_number, 3);
    assert_int_equal(losses_fail(&losses, "a.csv", "a log"), STATUS_INPUT);
    assert_string_equal(
        status_message(),
        "a.csv: none of its 3 rows can be used as a log: 2 x a number that cannot be read (lines 2, 3), and 1 for "
        "other reasons");
    loss_describe(losses_find(&losses, &loss_number), cut, sizeof cut);
    assert_string_equal(cut, "2 x a n");
    status_clear();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_counted_by_reason),
        cmocka_unit_test(reasons_come_in_their_order),
        cmocka_unit_test(no_reason_too_many_is_lost_silently),
        cmocka_unit_test(losses_of_files_are_joined),
        cmocka_unit_test(many_reasons_are_joined),
        cmocka_unit_test(a_kept_reason_can_be_told_elsewhere),
        cmocka_unit_test(first_lines_are_those_of_lost_rows),
        cmocka_unit_test(a_file_without_a_row_to_use),
    };

    return cmocka_run_group_tests(tests, make_reasons, NULL);
}
