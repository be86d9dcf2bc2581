/* test_metrics.c: metrics are data: whatever engines, intervals and definitions there are, the sums are those of a walk over every tick. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "analyze/metrics.h"
#include "base/memory.h"

enum { ENGINES = 80, TRACKS = 140, TIME = 200, ROWS = 30 };

/* A line of slices as the slow reference knows it. */
struct line {
    const struct engine *engine;
    uint32_t index;
    unsigned input;      /* 0 or 1 */
    bool busy[TIME];     /* by tick */
    bool any;            /* has a slice, perhaps an empty one */
    int64_t first, last; /* start and end of all */
};

static struct engine engines[ENGINES];
static char keys[ENGINES][24];
static struct line lines[TRACKS];
static unsigned line_count;
static struct busy busy;
static struct sink sink;

/* ---- a trace of our own ---- */

static uint64_t random_state;

static unsigned random_below(unsigned limit)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (unsigned)(random_state % limit);
}

static void name_engines(void)
{
    for (int i = 0; i < ENGINES; i++) {
        snprintf(keys[i], sizeof keys[i], "engine %d", i);
        engines[i] = (struct engine){ .key = keys[i], .title = keys[i] };
    }
}

/* Two inputs, whose process tracks are 0 and 1. */
static int start(void **state)
{
    (void)state;
    line_count = 0;
    name_engines();
    busy_start(&busy);
    sink = busy_sink(&busy);
    for (track_id id = 0; id < 2; id++) {
        struct track process = { .id = id, .parent = NO_ID, .kind = TRACK_PROCESS, .clock = NO_ID };

        assert_int_equal(SINK_CALL(&sink, track, &process), STATUS_OK);
    }
    return 0;
}

static int stop(void **state)
{
    (void)state;
    memory_fail_at(0);
    busy_free(&busy);
    return 0;
}

/* The number of a new line. */
static unsigned add_line(const struct engine *engine, uint32_t index, unsigned input)
{
    struct track track = {
        .id = line_count + 2, .parent = input, .kind = TRACK_SLICES, .clock = NO_ID, .engine = engine, .index = index
    };

    assert_true(line_count < TRACKS);
    assert_int_equal(SINK_CALL(&sink, track, &track), STATUS_OK);
    lines[line_count] = (struct line){ .engine = engine, .index = index, .input = input };
    return line_count++;
}

static void add_slice(unsigned line, int64_t from, int64_t to)
{
    struct slice slice = { .track = line + 2, .op = NO_ID, .run = NO_ID, .start = from, .end = to };
    struct line *known = &lines[line];

    assert_int_equal(sink_slice(&sink, &slice), STATUS_OK);
    for (int64_t tick = from; tick < to; tick++)
        known->busy[tick] = true;
    known->first = known->any && known->first < from ? known->first : from;
    known->last = known->any && known->last > to ? known->last : to;
    known->any = true;
}

/* ---- the slow reference ---- */

static bool is_work(const struct engine *engine)
{
    return engine->group == GROUP_TRANSFER || engine->group == GROUP_COMPUTE || engine->group == GROUP_JOB ||
           engine->group == GROUP_HOST;
}

/* Drawn lines and those of users are in no sum, and neither is what encloses others. */
static bool counts(const struct line *line, unsigned input)
{
    enum engine_group group = line->engine->group;

    return line->input == input && group != GROUP_DRAWN && group != GROUP_CUSTOM && group != GROUP_ENVELOPE;
}

static bool is_meant(const struct metric_selection *selection, const struct line *line)
{
    for (unsigned i = 0; i < METRIC_ENGINES && selection->engines[i]; i++)
        if (selection->engines[i] == line->engine && (selection->only == 0 || line->index == selection->only - 1))
            return true;
    if (selection->at_work && (is_work(line->engine) || line->engine->at_work))
        return true;
    return selection->groups & 1u << line->engine->group;
}

static bool is_given(const struct metric_selection *selection)
{
    return selection->groups || selection->at_work || selection->engines[0];
}

static bool is_busy(const struct metric_selection *selection, unsigned input, int64_t tick)
{
    for (unsigned i = 0; i < line_count; i++)
        if (counts(&lines[i], input) && lines[i].busy[tick] && is_meant(selection, &lines[i]))
            return true;
    return false;
}

static int64_t slow_time(const struct metric *metric, unsigned input)
{
    int64_t sum = 0;

    for (int64_t tick = 0; tick < TIME; tick++)
        sum += is_busy(&metric->some, input, tick) && !is_busy(&metric->none, input, tick) &&
               (!is_given(&metric->also) || is_busy(&metric->also, input, tick));
    return sum;
}

/* From the first start to the last end, of all or of what is more than bookkeeping. */
static int64_t slow_span(unsigned input, bool work, int64_t *from)
{
    bool any = false;
    int64_t first = 0, last = 0;

    for (unsigned i = 0; i < line_count; i++) {
        const struct line *line = &lines[i];

        if (!counts(line, input) || !line->any || (work && line->engine->group == GROUP_BOOKKEEPING))
            continue;
        first = any && first < line->first ? first : line->first;
        last = any && last > line->last ? last : line->last;
        any = true;
    }
    *from = first;
    return last - first;
}

static int64_t slow_value(const struct metric *metric, unsigned input)
{
    int64_t first, all = slow_span(input, false, &first), work = slow_span(input, true, &first);
    bool works = false;

    for (unsigned i = 0; i < line_count; i++)
        works |= counts(&lines[i], input) && lines[i].any && lines[i].engine->group != GROUP_BOOKKEEPING;
    switch (metric->kind) {
    case METRIC_SPAN:
        return all;
    case METRIC_REST:
        return all - slow_time(metric, input);
    case METRIC_WORK:
        return works ? work - slow_time(metric, input) : 0;
    case METRIC_TIME:
        break;
    }
    return slow_time(metric, input);
}

static bool slow_known(const struct metric *metric, unsigned input)
{
    for (unsigned i = 0; i < line_count; i++)
        if (counts(&lines[i], input) && is_meant(&metric->some, &lines[i]))
            return true;
    return false;
}

/* ---- random definitions ---- */

static bool is_measured(const struct metric_facts *facts)
{
    return facts->measured;
}

static struct metric_selection random_selection(unsigned kinds)
{
    struct metric_selection selection = { 0 };

    if (random_below(3) == 0)
        selection.groups = random_below(1u << (GROUP_CUSTOM + 1));
    if (random_below(3) == 0)
        for (unsigned i = 0; i < 1 + random_below(METRIC_ENGINES); i++)
            selection.engines[i] = &engines[random_below(kinds + 2)]; /* perhaps one that has no line */
    selection.only = random_below(2) ? random_below(4) : 0;
    selection.at_work = random_below(8) == 0;
    return selection;
}

static struct metric random_metric(unsigned kinds)
{
    static bool (*const known[])(const struct metric_facts *) = { NULL, NULL, metric_always, is_measured };
    struct metric metric = { .key = "m", .label = "M", .kind = (enum metric_kind)random_below(METRIC_REST + 1) };

    metric.some = random_selection(kinds);
    if (random_below(2))
        metric.also = random_selection(kinds);
    if (random_below(2))
        metric.none = random_selection(kinds);
    metric.known = known[random_below(4)];
    return metric;
}

static void random_trace(unsigned kinds, unsigned tracks, unsigned slices)
{
    for (unsigned i = 0; i < kinds; i++) {
        engines[i].group = (enum engine_group)random_below(GROUP_CUSTOM + 1);
        engines[i].at_work = random_below(4) == 0;
    }
    for (unsigned i = 0; i < tracks; i++) {
        unsigned line = add_line(&engines[random_below(kinds)], random_below(4), random_below(8) == 0);

        for (unsigned j = random_below(slices + 1); j > 0; j--) {
            int64_t from = random_below(TIME);

            add_slice(line, from, from + random_below((unsigned)(TIME - from)) / (1 + random_below(20)));
        }
    }
}

static void compare(const struct metric *rows, unsigned count, unsigned input, bool measured)
{
    const struct metric_facts facts = { .busy = &busy, .process = input, .measured = measured };
    const struct metric *pointers[ROWS + 1] = { NULL };
    const struct metric_set set = { .rows = pointers };
    struct metrics metrics;
    int64_t first;

    for (unsigned i = 0; i < count; i++)
        pointers[i] = &rows[i];
    assert_int_equal(metrics_compute(&facts, &set, &metrics), STATUS_OK);
    assert_int_equal(metrics.count, count);
    slow_span(input, false, &first);
    assert_int_equal(metrics.start, first);
    for (unsigned i = 0; i < count; i++) {
        const struct metric *metric = &rows[i];

        assert_int_equal(metrics_ticks(&metrics, metric), slow_value(metric, input));
        assert_int_equal(metrics_ns(&metrics, metric), slow_value(metric, input));
        assert_int_equal(metrics_has(&metrics, metric),
                         metric->known ? metric->known(&facts) : slow_known(metric, input));
    }
}

static void sums_are_those_of_a_walk_over_every_tick(void **state)
{
    random_state = 88172645463325252u;
    for (unsigned round = 0; round < 400; round++) {
        static struct metric rows[ROWS];
        unsigned kinds = 1 + random_below(12);

        stop(state);
        start(state);
        random_trace(kinds, random_below(20), round % 4 ? 6 : 40);
        assert_int_equal(busy_settle(&busy), STATUS_OK);
        for (unsigned i = 0; i < ROWS; i++)
            rows[i] = random_metric(kinds);
        compare(rows, ROWS, 0, round % 2);
        compare(rows, random_below(ROWS + 1), 1, round % 2);
    }
}

/* ---- as many kinds as there are bits ---- */

/* Lines of so many engines that move data, each busy at random; and metrics that ask for some of them. */
static void many_kinds(unsigned kinds, struct metric rows[ROWS])
{
    for (unsigned i = 0; i < kinds; i++) {
        unsigned line;

        engines[i].group = GROUP_TRANSFER;
        line = add_line(&engines[i], 0, 0);
        for (int64_t from = random_below(20); from + 10 < TIME; from += 10 + random_below(30))
            add_slice(line, from, from + 1 + random_below(9));
    }
    for (unsigned i = 0; i < ROWS; i++)
        rows[i] = (struct metric){ .some.engines = { &engines[kinds - 1 - i] }, .none.engines = { &engines[i] } };
    rows[0] = (struct metric){ .some.groups = 1u << GROUP_TRANSFER };
    rows[1] = (struct metric){ .kind = METRIC_REST, .some.at_work = true };
    rows[2] = (struct metric){ .some.groups = 1u << GROUP_TRANSFER, .none.engines = { &engines[kinds - 1] } };
    assert_int_equal(busy_settle(&busy), STATUS_OK);
}

static void sixty_four_kinds_of_engines_work(void **state)
{
    static struct metric rows[ROWS];

    (void)state;
    random_state = 4711;
    many_kinds(63, rows);
    compare(rows, ROWS, 0, true);
}

static void one_more_is_an_error(void **state)
{
    static struct metric rows[ROWS];
    const struct metric *const pointers[] = { &rows[0], NULL }, *const few[] = { &rows[3], &metric_overall, NULL };
    const struct metric_set set = { .rows = pointers }, small = { .rows = few };
    const struct metric_facts facts = { .busy = &busy, .process = 0 }, other = { .busy = &busy, .process = 1 };
    struct metrics metrics;

    (void)state;
    random_state = 4711;
    many_kinds(64, rows);
    assert_int_equal(metrics_compute(&facts, &set, &metrics), STATUS_INPUT);
    assert_string_equal(status_message(), "more than 63 kinds of engines in one input");
    status_clear();
    assert_int_equal(metrics.count, 0);
    /* Engines that no metric asks for, and those of another input, do not count. */
    assert_int_equal(metrics_compute(&other, &set, &metrics), STATUS_OK);
    assert_int_equal(metrics_compute(&facts, &small, &metrics), STATUS_OK);
    assert_int_equal(metrics_ticks(&metrics, &rows[3]), slow_value(&rows[3], 0));
}

/* An index that a metric asks for is a kind of its own; all others of that engine are one. */
static void indexes_are_kinds_where_they_are_named(void **state)
{
    enum { NAMED = 40, LINES = 100 };
    static struct metric rows[NAMED + 2];
    const struct metric *pointers[NAMED + 3] = { NULL };
    const struct metric_set set = { .rows = pointers };
    const struct metric_facts facts = { .busy = &busy, .process = 0 };
    struct metrics metrics;

    (void)state;
    engines[0].group = GROUP_COMPUTE;
    for (unsigned i = 0; i < LINES; i++)
        add_slice(add_line(&engines[0], i, 0), i, i + 5);
    assert_int_equal(busy_settle(&busy), STATUS_OK);
    for (unsigned i = 0; i < NAMED; i++)
        rows[i] = (struct metric){ .some.engines = { &engines[0] }, .some.only = i + 1 };
    rows[NAMED] =
        (struct metric){ .some.groups = 1u << GROUP_COMPUTE, .none.engines = { &engines[0] }, .none.only = 1 };
    rows[NAMED + 1] = (struct metric){ .some.engines = { &engines[0] } };
    for (unsigned i = 0; i < NAMED + 2; i++)
        pointers[i] = &rows[i];
    assert_int_equal(metrics_compute(&facts, &set, &metrics), STATUS_OK);
    for (unsigned i = 0; i < NAMED; i++)
        assert_int_equal(metrics_ticks(&metrics, &rows[i]), 5);
    assert_int_equal(metrics_ticks(&metrics, &rows[NAMED]), LINES + 4 - 5);
    assert_int_equal(metrics_ticks(&metrics, &rows[NAMED + 1]), LINES + 4);
}

/* ---- answers ---- */

static void the_general_set(void **state)
{
    const struct metric_facts facts = { .busy = &busy, .process = 0, .engines = true };
    struct metrics metrics;
    static const struct {
        const char *key;
        int64_t ticks;
        bool present;
    } expected[] = {
        { "total_duration", 100, true }, { "jobs", 0, false }, { "transfer", 20, true }, { "compute", 40, true },
        { "overlap", 10, true },         { "host", 0, false }, { "idle", 50, true }
    };

    (void)state;
    engines[0].group = GROUP_TRANSFER;
    engines[1].group = GROUP_COMPUTE;
    engines[2].group = GROUP_BOOKKEEPING;
    add_slice(add_line(&engines[0], 0, 0), 10, 30);
    add_slice(add_line(&engines[1], 0, 0), 20, 60);
    add_slice(add_line(&engines[2], 0, 0), 0, 100);
    assert_int_equal(busy_settle(&busy), STATUS_OK);
    assert_int_equal(metrics_compute(&facts, &metrics_general, &metrics), STATUS_OK);
    assert_int_equal(metrics.count, sizeof expected / sizeof *expected);
    for (size_t i = 0; i < metrics.count; i++) {
        assert_string_equal(metrics.set->rows[i]->key, expected[i].key);
        assert_int_equal(metrics.ticks[i], expected[i].ticks);
        assert_int_equal(metrics.present[i], expected[i].present);
    }
    assert_true(metrics.estimated);
    assert_true(metrics_percent(&metrics, &metric_idle) == 50.0);
    assert_true(metric_has_engine(&facts, &engines[0]) && !metric_has_engine(&facts, &engines[3]));
    assert_true(metric_has_group(&facts, GROUP_BOOKKEEPING) && !metric_has_group(&facts, GROUP_HOST));
}

static void what_a_set_has_not_is_nothing(void **state)
{
    static const struct metric stranger = { .key = "x" };
    const struct metric *const none[] = { NULL };
    const struct metric_set set = { .rows = none };
    const struct metric_facts facts = { .busy = &busy, .process = 0 };
    struct metrics metrics;

    (void)state;
    assert_int_equal(busy_settle(&busy), STATUS_OK);
    assert_int_equal(metrics_compute(&facts, &set, &metrics), STATUS_OK);
    assert_int_equal(metrics.count, 0);
    assert_false(metrics_has(&metrics, &stranger));
    assert_int_equal(metrics_ticks(&metrics, &stranger), 0);
    assert_true(metrics_percent(&metrics, &stranger) == 0.0);
    assert_int_equal(metrics_compute(&facts, &metrics_general, &metrics), STATUS_OK);
    assert_int_equal(metrics_ticks(&metrics, &metric_overall), 0);
    assert_true(metrics_has(&metrics, &metric_overall));
    assert_true(metrics_percent(&metrics, &metric_idle) == 0.0);
}

static void ticks_become_nanoseconds(void **state)
{
    struct clock clock = clock_of_mhz(800, 1, 0);
    struct track track = { .id = 2, .parent = 0, .kind = TRACK_SLICES, .clock = 0, .engine = &engines[0] };
    struct slice slice = { .track = 2, .op = NO_ID, .run = NO_ID, .start = 1000, .end = 1801 };
    const struct metric_facts facts = { .busy = &busy, .process = 0 };
    struct metrics metrics;

    (void)state;
    assert_int_equal(SINK_CALL(&sink, clock, 0, &clock), STATUS_OK);
    assert_int_equal(SINK_CALL(&sink, track, &track), STATUS_OK);
    assert_int_equal(sink_slice(&sink, &slice), STATUS_OK);
    assert_int_equal(busy_settle(&busy), STATUS_OK);
    assert_int_equal(metrics_compute(&facts, &metrics_general, &metrics), STATUS_OK);
    assert_int_equal(metrics.start, 1000);
    assert_int_equal(metrics_ticks(&metrics, &metric_overall), 801);
    assert_int_equal(metrics_ns(&metrics, &metric_overall), 1001); /* 1001.25 */
}

static void every_allocation_may_fail(void **state)
{
    static struct metric rows[ROWS];
    const struct metric *pointers[ROWS + 1] = { NULL };
    const struct metric_set set = { .rows = pointers };
    const struct metric_facts facts = { .busy = &busy, .process = 0 };
    struct metrics metrics;

    (void)state;
    random_state = 99;
    many_kinds(63, rows);
    add_slice(add_line(&engines[0], 1, 0), 0, 1); /* a second line, so that two sets are merged */
    assert_int_equal(busy_settle(&busy), STATUS_OK);
    for (unsigned i = 0; i < ROWS; i++)
        pointers[i] = &rows[i];
    for (uint64_t nth = 1;; nth++) {
        status code;

        memory_fail_at(nth);
        code = metrics_compute(&facts, &set, &metrics);
        memory_fail_at(0);
        if (code == STATUS_OK) {
            assert_true(nth > 3);
            break;
        }
        assert_int_equal(code, STATUS_MEMORY);
    }
    compare(rows, ROWS, 0, false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(sums_are_those_of_a_walk_over_every_tick, start, stop),
        cmocka_unit_test_setup_teardown(sixty_four_kinds_of_engines_work, start, stop),
        cmocka_unit_test_setup_teardown(one_more_is_an_error, start, stop),
        cmocka_unit_test_setup_teardown(indexes_are_kinds_where_they_are_named, start, stop),
        cmocka_unit_test_setup_teardown(the_general_set, start, stop),
        cmocka_unit_test_setup_teardown(what_a_set_has_not_is_nothing, start, stop),
        cmocka_unit_test_setup_teardown(ticks_become_nanoseconds, start, stop),
        cmocka_unit_test_setup_teardown(every_allocation_may_fail, start, stop),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
