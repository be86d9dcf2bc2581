/* test_operator_time.c: own times of operators, against a count of every single tick. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>

#include "analyze/breakdown.h"
#include "analyze/operator_time.h"
#include "base/memory.h"
#include "trace/feed.h"

enum { OPERATORS = 4, TRACKS = 4, SPAN = 120 };

static const struct engine engines[TRACKS] = {
    { .key = "cpu", .title = "CPU", .group = GROUP_HOST },
    { .key = "other", .title = "Other CPU", .group = GROUP_HOST },
    { .key = "compute", .title = "Compute", .group = GROUP_COMPUTE },
    { .key = "copy", .title = "Copy", .group = GROUP_TRANSFER },
};

/* An input, and which operator works where at each tick. The last operator is none. */
struct world {
    struct strings *strings;                  /* of names */
    struct feed feed;                         /* into busy */
    struct busy busy;                         /* of the input */
    bool active[OPERATORS + 1][TRACKS][SPAN]; /* by tick */
    operator_id operators[OPERATORS + 1];     /* NO_ID at the end */
};

static void begin(struct world *world, track_id tracks[TRACKS])
{
    clock_id clock;
    struct clock nanoseconds = clock_nanoseconds(0);
    string_id name;

    *world = (struct world){ .strings = model_strings() };
    assert_non_null(world->strings);
    busy_start(&world->busy);
    feed_start(&world->feed, busy_sink(&world->busy), world->strings);
    assert_int_equal(strings_add_text(world->strings, "input", &name), STATUS_OK);
    assert_int_equal(feed_input(&world->feed, name, 0), STATUS_OK);
    assert_int_equal(feed_clock(&world->feed, &nanoseconds, &clock), STATUS_OK);
    for (unsigned i = 0; i < TRACKS; i++)
        assert_int_equal(feed_engine(&world->feed, &engines[i], 0, clock, &tracks[i]), STATUS_OK);
    for (unsigned i = 0; i < OPERATORS; i++) {
        struct op op = { 0 };

        assert_int_equal(strings_add_format(world->strings, &op.name, "op %u", i), STATUS_OK);
        assert_int_equal(feed_operator_new(&world->feed, &op), STATUS_OK);
        world->operators[i] = op.id;
    }
    world->operators[OPERATORS] = NO_ID;
}

static void push(struct world *world, track_id track, unsigned where, unsigned who, int start, int end)
{
    const struct slice slice = {
        .track = track, .op = world->operators[who], .run = NO_ID, .start = start, .end = end
    };

    assert_int_equal(sink_slice(&world->feed.sink, &slice), STATUS_OK);
    for (int t = start; t < end; t++)
        world->active[who][where][t] = true;
}

static void end(struct world *world)
{
    feed_free(&world->feed);
    busy_free(&world->busy);
    strings_free(world->strings);
}

static bool works(const struct world *world, unsigned who, int tick, bool on_device)
{
    for (unsigned where = 0; where < TRACKS; where++)
        if (world->active[who][where][tick] && group_is_device(engines[where].group) == on_device)
            return true;
    return false;
}

/* What each has of a tick, by the rule. */
static void count_tick(const struct world *world, int tick, bool device_first, double own[OPERATORS + 1],
                       double device[OPERATORS + 1], int64_t *any, int64_t *any_device)
{
    int at_work = 0, on_device = 0;

    for (unsigned i = 0; i <= OPERATORS; i++)
        on_device += works(world, i, tick, true);
    for (unsigned i = 0; i <= OPERATORS; i++)
        at_work += works(world, i, tick, true) || (works(world, i, tick, false) && !(device_first && on_device));
    for (unsigned i = 0; i <= OPERATORS; i++) {
        if (works(world, i, tick, true) || (works(world, i, tick, false) && !(device_first && on_device)))
            own[i] += 1.0 / at_work;
        device[i] += works(world, i, tick, true) ? 1.0 / on_device : 0;
    }
    *any += at_work > 0;
    *any_device += on_device > 0;
}

static void check(const struct world *world, const struct intervals *windows, const bool *counts, bool device_first)
{
    const struct operator_time time = {
        .busy = &world->busy, .process = world->feed.root, .windows = windows, .device_first = device_first
    };
    double own[OPERATORS + 1] = { 0 }, device[OPERATORS + 1] = { 0 };
    int64_t ticks[OPERATORS + 1], device_ticks[OPERATORS + 1], any = 0, any_device = 0, sum = 0, device_sum = 0;

    for (int t = 0; t < SPAN; t++)
        if (!windows || counts[t])
            count_tick(world, t, device_first, own, device, &any, &any_device);
    assert_int_equal(operator_own_times(&time, world->operators, OPERATORS + 1, ticks), STATUS_OK);
    assert_int_equal(operator_device_times(&time, world->operators, OPERATORS + 1, device_ticks), STATUS_OK);
    for (unsigned i = 0; i <= OPERATORS; i++) {
        assert_true(fabs((double)ticks[i] - own[i]) < 2.001);
        assert_true(fabs((double)device_ticks[i] - device[i]) < 1.001);
        sum += ticks[i];
        device_sum += device_ticks[i];
    }
    assert_int_equal(sum, any);
    assert_int_equal(device_sum, any_device);
}

static void test_every_tick_has_its_owners(void **state)
{
    (void)state;
    srand(11);
    for (int round = 0; round < 400; round++) {
        struct world world;
        struct intervals windows = INTERVALS_EMPTY;
        bool counts[SPAN] = { false };
        track_id tracks[TRACKS];

        begin(&world, tracks);
        for (int k = rand() % 30; k > 0; k--) {
            unsigned where = (unsigned)rand() % TRACKS;
            int start = rand() % SPAN;

            push(&world, tracks[where], where, (unsigned)rand() % (OPERATORS + 1), start,
                 start + rand() % (SPAN - start) / 3);
        }
        for (int at = rand() % 20; at + 20 < SPAN; at += 40) {
            assert_int_equal(intervals_add(&windows, at, at + 20), STATUS_OK);
            for (int t = at; t < at + 20; t++)
                counts[t] = true;
        }
        assert_int_equal(intervals_settle(&windows), STATUS_OK);
        assert_int_equal(busy_settle(&world.busy), STATUS_OK);
        check(&world, NULL, counts, false);
        check(&world, NULL, counts, true);
        check(&world, &windows, counts, false);
        check(&world, &windows, counts, true);
        intervals_free(&windows);
        end(&world);
    }
}

/* The host launches the next kernel while one works: half of that time would be the host's without the flag. */
static void test_a_device_comes_first_where_the_set_says_so(void **state)
{
    struct metric_set set = metrics_general;
    track_id tracks[TRACKS];
    struct world world;

    (void)state;
    begin(&world, tracks);
    push(&world, tracks[0], 0, 0, 0, 100);
    push(&world, tracks[2], 2, 1, 20, 80);
    assert_int_equal(busy_settle(&world.busy), STATUS_OK);
    for (int first = 0; first < 2; first++) {
        struct metric_facts facts = { .busy = &world.busy, .process = world.feed.root };
        struct breakdown breakdown;
        struct metrics metrics;

        set.device_first = first;
        assert_int_equal(metrics_compute(&facts, &set, &metrics), STATUS_OK);
        assert_int_equal(
            breakdown_make(&world.busy, world.feed.root, &metrics, world.strings, BREAKDOWN_OPERATOR, &breakdown),
            STATUS_OK);
        assert_int_equal(breakdown.count, 2);
        assert_int_equal(breakdown.rows[0].own_ns, first ? 40 : 70);
        assert_int_equal(breakdown.rows[1].own_ns, first ? 60 : 30);
        breakdown_free(&breakdown);
    }
    end(&world);
}

static void test_every_allocation_may_fail(void **state)
{
    track_id tracks[TRACKS];
    struct world world;
    int failures = 0;

    (void)state;
    begin(&world, tracks);
    for (int i = 0; i < 30; i++)
        push(&world, tracks[i % TRACKS], (unsigned)i % TRACKS, (unsigned)i % OPERATORS, 4 * i, 4 * i + 3);
    assert_int_equal(busy_settle(&world.busy), STATUS_OK);
    for (uint64_t nth = 1; nth < 60; nth++) {
        const struct operator_time time = { .busy = &world.busy, .process = world.feed.root, .device_first = true };
        int64_t ticks[OPERATORS + 1];
        status code;

        memory_fail_at(nth);
        code = operator_own_times(&time, world.operators, OPERATORS + 1, ticks);
        memory_fail_at(0);
        assert_true(code == STATUS_OK || code == STATUS_MEMORY);
        failures += code == STATUS_MEMORY;
    }
    assert_true(failures > 5);
    end(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_tick_has_its_owners),
        cmocka_unit_test(test_a_device_comes_first_where_the_set_says_so),
        cmocka_unit_test(test_every_allocation_may_fail),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
