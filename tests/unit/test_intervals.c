/* test_intervals.c: interval sets against a slow, obvious version: a bitmap of time. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/intervals.h"
#include "base/memory.h"

enum { TIME = 400, SETS = 5 };

static uint32_t seed = 12345;

static uint32_t random_below(uint32_t limit)
{
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 8) % limit;
}

/* As an array: every time that is busy lies in one, and no other does. */
static void check_list(const struct intervals *set, const bool *busy)
{
    struct interval *items;
    size_t count;

    assert_int_equal(intervals_list(set, &items, &count), STATUS_OK);
    assert_int_equal(count, intervals_count(set));
    for (int64_t time = 0; time < TIME; time++) {
        size_t at = interval_holding(items, count, time);

        assert_int_equal(at != SIZE_MAX, busy[time]);
        if (at != SIZE_MAX)
            assert_true(at < count && items[at].start <= time && time < items[at].end);
    }
    memory_free(items);
}

static void check_against_bitmap(const struct intervals *set, const bool *busy)
{
    struct intervals_cursor cursor;
    struct interval interval;
    bool seen[TIME + 1] = { false };
    int64_t length = 0, before = -1;

    intervals_start(&cursor, set);
    while (intervals_next(&cursor, &interval)) {
        assert_true(interval.start < interval.end);
        assert_true(interval.start > before); /* sorted, and touching ones were merged */
        before = interval.end;
        for (int64_t t = interval.start; t < interval.end; t++)
            seen[t] = true;
        length += interval.end - interval.start;
    }
    assert_memory_equal(seen, busy, sizeof seen);
    assert_int_equal(length, intervals_length(set));
    check_list(set, busy);
}

static void fill(struct intervals *set, bool *busy, unsigned count, bool ordered)
{
    uint32_t floor = 0;

    for (unsigned i = 0; i < count; i++) {
        uint32_t start = ordered ? floor + random_below(6) : random_below(TIME - 20);
        uint32_t end = start + random_below(20);

        if (end > TIME)
            break;
        floor = start;
        assert_int_equal(intervals_add(set, start, end), STATUS_OK);
        for (uint32_t t = start; t < end; t++)
            busy[t] = true;
    }
    assert_int_equal(intervals_settle(set), STATUS_OK);
}

static void union_equals_bitmap(void **state)
{
    (void)state;
    for (unsigned round = 0; round < 2000; round++) {
        struct intervals set = INTERVALS_EMPTY;
        bool busy[TIME + 1] = { false };

        fill(&set, busy, random_below(40), round % 2);
        check_against_bitmap(&set, busy);
        intervals_free(&set);
    }
}

struct sums {
    int64_t by_mask[1 << SETS];
    int64_t before;
};

static void add_stretch(void *context, uint64_t active, int64_t start, int64_t end)
{
    struct sums *sums = context;

    assert_true(start < end);
    assert_true(start >= sums->before);
    assert_true(active > 0);
    sums->before = end;
    sums->by_mask[active] += end - start;
}

static void sweep_equals_bitmap(void **state)
{
    (void)state;
    for (unsigned round = 0; round < 1000; round++) {
        struct intervals sets[SETS];
        const struct intervals *pointers[SETS];
        bool busy[SETS][TIME + 1];
        struct sums got = { .before = -1 };
        int64_t expected[1 << SETS] = { 0 };

        memset(busy, 0, sizeof busy);
        for (unsigned i = 0; i < SETS; i++) {
            sets[i] = INTERVALS_EMPTY;
            pointers[i] = &sets[i];
            fill(&sets[i], busy[i], random_below(30), random_below(2));
        }
        for (unsigned t = 0; t < TIME; t++) {
            unsigned mask = 0;

            for (unsigned i = 0; i < SETS; i++)
                mask |= busy[i][t] ? 1u << i : 0;
            expected[mask]++;
        }
        intervals_sweep(pointers, SETS, add_stretch, &got);
        for (unsigned mask = 1; mask < 1 << SETS; mask++)
            assert_int_equal(got.by_mask[mask], expected[mask]);
        for (unsigned i = 0; i < SETS; i++)
            intervals_free(&sets[i]);
    }
}

/* What is left of a set is what both it and the windows hold. */
static void cut_equals_bitmap(void **state)
{
    (void)state;
    for (unsigned round = 0; round < 500; round++) {
        struct intervals set = INTERVALS_EMPTY, windows = INTERVALS_EMPTY;
        bool busy[TIME + 1] = { false }, open[TIME + 1] = { false };

        fill(&set, busy, random_below(60), random_below(2));
        fill(&windows, open, random_below(20), random_below(2));
        for (unsigned t = 0; t <= TIME; t++)
            busy[t] = busy[t] && open[t];
        assert_int_equal(intervals_cut(&set, &windows), STATUS_OK);
        check_against_bitmap(&set, busy);
        intervals_free(&set);
        intervals_free(&windows);
    }
}

static void many_in_descending_order(void **state)
{
    enum { COUNT = 200000 };
    struct intervals set = INTERVALS_EMPTY;

    (void)state;
    for (int64_t i = COUNT; i > 0; i--)
        assert_int_equal(intervals_add(&set, i * 10, i * 10 + 3), STATUS_OK);
    assert_int_equal(intervals_settle(&set), STATUS_OK);
    assert_int_equal(intervals_count(&set), COUNT);
    assert_int_equal(intervals_length(&set), COUNT * 3);
    assert_int_equal(set.first, 10);
    assert_int_equal(set.last, COUNT * 10 + 3);
    intervals_free(&set);
}

static void gaps_cost_little_memory(void **state)
{
    enum { COUNT = 100000 };
    struct intervals set = INTERVALS_EMPTY;

    (void)state;
    for (int64_t i = 0; i < COUNT; i++)
        assert_int_equal(intervals_add(&set, i * 5000, i * 5000 + 700), STATUS_OK);
    assert_true(intervals_bytes(&set) < COUNT * 6);
    intervals_free(&set);
}

static void empty_ones_move_the_bounds_only(void **state)
{
    struct intervals set = INTERVALS_EMPTY;

    (void)state;
    assert_int_equal(intervals_add(&set, 7, 7), STATUS_OK);
    assert_int_equal(intervals_count(&set), 0);
    assert_int_equal(set.first, 7);
    assert_int_equal(set.last, 7);
    assert_int_equal(intervals_add(&set, 100, INT64_MAX), STATUS_OK);
    assert_int_equal(intervals_length(&set), INT64_MAX - 100);
    intervals_free(&set);
}

static void survives_failing_memory(void **state)
{
    (void)state;
    for (uint64_t nth = 1; nth < 40; nth++) {
        struct intervals set = INTERVALS_EMPTY;
        status code = STATUS_OK;

        memory_fail_at(nth);
        for (int64_t i = 0; i < 3000 && code == STATUS_OK; i++)
            code = intervals_add(&set, (i * 7919) % 100000, (i * 7919) % 100000 + 5);
        if (code == STATUS_OK)
            code = intervals_settle(&set);
        memory_fail_at(0);
        intervals_free(&set);
        assert_true(code == STATUS_OK || code == STATUS_MEMORY);
    }
}

static void add_bits(void *context, uint64_t active, int64_t start, int64_t end)
{
    int64_t *lengths = context;

    for (unsigned i = 0; i < 64; i++)
        lengths[i] += active >> i & 1 ? end - start : 0;
}

/* A bit for each of 64 sets, which overlap like tiles. */
static void a_sweep_takes_64_sets(void **state)
{
    struct intervals sets[64];
    const struct intervals *pointers[64];
    int64_t lengths[64] = { 0 };

    (void)state;
    for (unsigned i = 0; i < 64; i++) {
        sets[i] = INTERVALS_EMPTY;
        pointers[i] = &sets[i];
        assert_int_equal(intervals_add(&sets[i], i * 3, i * 3 + 10 + i), STATUS_OK);
        assert_int_equal(intervals_add(&sets[i], 1000 + i, 2000), STATUS_OK);
        assert_int_equal(intervals_settle(&sets[i]), STATUS_OK);
    }
    intervals_sweep(pointers, 64, add_bits, lengths);
    for (unsigned i = 0; i < 64; i++) {
        assert_int_equal(lengths[i], 10 + i + 1000 - i);
        intervals_free(&sets[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(union_equals_bitmap),     cmocka_unit_test(sweep_equals_bitmap),
        cmocka_unit_test(a_sweep_takes_64_sets),   cmocka_unit_test(many_in_descending_order),
        cmocka_unit_test(gaps_cost_little_memory), cmocka_unit_test(empty_ones_move_the_bounds_only),
        cmocka_unit_test(survives_failing_memory), cmocka_unit_test(cut_equals_bitmap),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
