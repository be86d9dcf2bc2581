/* changes.c: how often a history of builds that are all the same is said to have changed, and how often a change of 5 % is found.
 *
 *     changes LAUNCHES.csv GPU_LAUNCHES.csv [SERIES]
 *
 * A series is 200 builds whose launches are drawn, with replacement, from launches that were measured (tests/data/latency). The same thing all
 * the time: every change that is said is false, whether it is said when all builds are there or was said once while they came. Then with
 * a step of 5 % at a build somewhere, which one operator of a tenth to four tenths of the time makes: whether it is said when one, two and
 * three builds are there, whether the range holds the right build and how many it holds, whether the interval holds the factor,
 * and which operator a comparison of both sides names first. For contrast, Welch's test of the launches of the last two builds at 1 %.
 *
 * Exit code 1: a bound is missed.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/changes.h"
#include "analyze/compare.h"
#include "measured.h"

enum {
    BUILDS = 200,    /* of a series */
    LAUNCHES = 10,   /* of a build, at most */
    FIRST_STEP = 20, /* build that the step may come with */
    STEP_BEHIND = 3, /* builds within which it has to be found */
    OPERATORS = 30,  /* of the net that is slower */
    NEAR = 3         /* builds by which a change may be off to be this one */
};

static const double step = 1.05;

/* ---- a series ------------------------------------------------------------------------------------------------------------------ */

struct series {
    double medians[BUILDS][LAUNCHES];     /* of each build's launches */
    struct build_launches builds[BUILDS]; /* the same */
};

static void draw_series(const struct kind *kind, const struct pool *pool, struct random_source *source,
                        struct series *series)
{
    for (size_t i = 0; i < BUILDS; i++)
        series->builds[i] = draw_build(kind, pool, source, series->medians[i]);
}

static struct changes find(const struct series *series, size_t count)
{
    struct changes changes;

    if (changes_find(series->builds, count, &CHANGES_DEFAULTS, &changes) != STATUS_OK)
        fail(status_message(), "changes_find");
    return changes;
}

/* For contrast: what a test of the last two builds says. */
static bool last_two_differ(const struct series *series, size_t count)
{
    double one[LAUNCHES], other[LAUNCHES];
    size_t one_count = series->builds[count - 2].count, other_count = series->builds[count - 1].count;

    memcpy(one, series->medians[count - 2], sizeof one);
    memcpy(other, series->medians[count - 1], sizeof other);
    return statistics_welch(one, one_count, other, other_count, 0).p <= LATENCY_LEVEL;
}

/* ---- the same all the time ------------------------------------------------------------------------------------------------------- */

struct counts {
    size_t builds;                     /* looked at */
    size_t at_end, coming, last_two;   /* changes that are none */
    size_t steps, within[STEP_BEHIND]; /* series with a step; found by then */
    size_t found_by_two;               /* by the test of the last two builds, with the first build behind the step */
    size_t right, width;               /* ranges that hold the right build; builds in all ranges */
    size_t holds, named;               /* intervals that hold the factor; operators that are named first */
};

/* How many of these changes have not been said before; `said` has a mark for each build that one was said at. */
static size_t new_changes(const struct changes *changes, bool said[BUILDS])
{
    size_t found = 0;

    for (size_t i = 0; i < changes->count; i++) {
        bool before = false;

        for (size_t k = changes->items[i].build > NEAR ? changes->items[i].build - NEAR : 0;
             k <= changes->items[i].build + NEAR && k < BUILDS; k++)
            before = before || said[k];
        found += !before;
        said[changes->items[i].build] = true;
    }
    return found;
}

static void count_false(const struct series *series, struct counts *counts)
{
    bool said[BUILDS] = { false };

    for (size_t i = 2; i <= BUILDS; i++) {
        struct changes changes = find(series, i);

        counts->coming += new_changes(&changes, said);
        counts->last_two += last_two_differ(series, i);
        if (i == BUILDS)
            counts->at_end += changes.count;
        changes_free(&changes);
    }
    counts->builds += BUILDS;
}

/* ---- a step ------------------------------------------------------------------------------------------------------------------------- */

/* Launches of a net of which one operator makes the step: that many nanoseconds are 1. */
static const double second = 1e9;

struct net {
    double shares[OPERATORS]; /* of the time; 1 together */
    size_t slower;            /* the operator */
    struct compare_operator operators[2][BUILDS_LAUNCHES][OPERATORS];
    double ms[2][BUILDS_LAUNCHES];
    struct compare_launch launches[2][BUILDS_LAUNCHES];
};

static void draw_net(struct net *net, struct random_source *source, struct strings *strings)
{
    static const struct metric_set set = { 0 };
    double rest = 0, share = 0.1 + 0.3 * (double)random_below(source, 1000) / 1000;

    net->slower = random_below(source, OPERATORS);
    for (size_t i = 0; i < OPERATORS; i++) {
        net->shares[i] = exp(draw_normal(source));
        rest += i == net->slower ? 0 : net->shares[i];
    }
    for (size_t i = 0; i < OPERATORS; i++)
        net->shares[i] = i == net->slower ? share : net->shares[i] / rest * (1 - share);
    for (size_t k = 0; k < 2 * BUILDS_LAUNCHES; k++)
        for (size_t i = 0; i < OPERATORS; i++) {
            struct compare_operator *op = &net->operators[k / BUILDS_LAUNCHES][k % BUILDS_LAUNCHES][i];

            *op = (struct compare_operator){ .op.id = (operator_id)i, .calls = 1 };
            if (strings_add_format(strings, &op->op.name, "%zu", i) != STATUS_OK)
                fail(status_message(), "names");
            net->launches[k / BUILDS_LAUNCHES][k % BUILDS_LAUNCHES].set = &set;
        }
}

/* Shares out what a launch took. Operators vary by themselves, too: 2 % from run to run, over ten runs. */
static void fill_launch(struct net *net, unsigned side, size_t index, double took, double factor,
                        struct random_source *source)
{
    static const uint32_t first_run = 0;
    struct compare_launch *launch = &net->launches[side][index];

    launch->operators = net->operators[side][index];
    launch->operator_count = OPERATORS;
    launch->has_device = true;
    launch->device = 0;
    for (size_t i = 0; i < OPERATORS; i++) {
        double share = net->shares[i] + (i == net->slower ? factor - 1 : 0);
        struct compare_operator *op = &launch->operators[i];

        op->own = op->device = (int64_t)(second * took / factor * share * (1 + 0.02 / sqrt(10) * draw_normal(source)));
        launch->device += op->own;
    }
    launch->whole = launch->general[1] = launch->device;
    net->ms[side][index] = (double)launch->whole / 1e6;
    launch->runs = (struct latency_launch){ .name = "", .ms = &net->ms[side][index], .runs = &first_run, .count = 1 };
}

static size_t fill_side(struct net *net, const struct series *series, unsigned side, size_t from, size_t to,
                        struct random_source *source)
{
    size_t count = 0;

    for (size_t i = from; i < to; i++) {
        size_t build = side ? i : to - 1 - (i - from);

        for (size_t k = 0; k < series->builds[build].count && count < BUILDS_LAUNCHES; k++)
            fill_launch(net, side, count++, series->medians[build][k], side ? step : 1, source);
    }
    return count;
}

/* Whether the comparison of both sides of the change names the operator first. */
static bool names_operator(const struct series *series, size_t at, struct random_source *source)
{
    static struct net net;
    struct compare_options options = { .latency = LATENCY_DEFAULTS };
    struct strings *strings = strings_new();
    struct comparison comparison;
    struct compare_side sides[2] = { { .name = "before", .launches = net.launches[0] },
                                     { .name = "after", .launches = net.launches[1] } };
    char name[16];
    size_t count;
    bool first;

    options.latency.rounds = 1;
    if (!strings)
        fail("out of memory", "names");
    draw_net(&net, source, strings);
    sides[0].count = fill_side(&net, series, 0, 0, at, source);
    sides[1].count = fill_side(&net, series, 1, at, at + STEP_BEHIND, source);
    if (compare_sides(sides, &options, strings, &comparison) != STATUS_OK)
        fail(status_message(), "compare_sides");
    snprintf(name, sizeof name, "%zu", net.slower);
    first = strcmp(comparison_section(&comparison, COMPARE_OPERATOR_ROWS, &count)->name, name) == 0;
    comparison_free(&comparison);
    strings_free(strings);
    return first;
}

static const struct change *change_near(const struct changes *changes, size_t at)
{
    for (size_t i = 0; i < changes->count; i++)
        if (changes->items[i].build + NEAR >= at && changes->items[i].build <= at + NEAR &&
            changes->items[i].factor > 1)
            return &changes->items[i];
    return NULL;
}

static void count_found(struct series *series, struct random_source *source, struct counts *counts)
{
    size_t at = FIRST_STEP + random_below(source, BUILDS - STEP_BEHIND - FIRST_STEP + 1);

    /* The builds within which it is to be found are measured, and the one before. */
    for (size_t i = at - 1; i < at + STEP_BEHIND; i++)
        if (!series->builds[i].count) {
            memcpy(series->medians[i], series->medians[i - 1], sizeof series->medians[i]);
            series->builds[i].count = series->builds[i - 1].count;
        }
    for (size_t i = at; i < BUILDS; i++)
        for (size_t k = 0; k < series->builds[i].count; k++)
            series->medians[i][k] *= step;
    counts->steps++;
    counts->found_by_two += last_two_differ(series, at + 1);
    for (size_t i = 0; i < STEP_BEHIND; i++) {
        struct changes changes = find(series, at + i + 1);
        const struct change *change = change_near(&changes, at);

        counts->within[i] += change != NULL;
        if (change && i == STEP_BEHIND - 1) {
            counts->right += change->range.last_before < at && at <= change->range.first_after;
            counts->width += change->range.first_after - change->range.last_before;
            counts->holds += change->interval.low <= step && step <= change->interval.high;
            counts->named += names_operator(series, at, source);
        }
        changes_free(&changes);
    }
}

/* ---- all kinds ------------------------------------------------------------------------------------------------------------------------ */

/* At most 1 in 1,000; one alone may be luck. */
static bool is_few(size_t changes, size_t builds)
{
    return changes <= 1 || changes * 1000 <= builds;
}

static bool print(const struct kind *kind, const struct counts *counts)
{
    size_t found = counts->within[STEP_BEHIND - 1];
    bool quiet = is_few(counts->coming, counts->builds) && is_few(counts->at_end, counts->builds);
    bool good = percent(found, counts->steps) >= 95 && percent(counts->right, found) >= 90 &&
                percent(counts->named, found) >= 95;

    printf("%-34s %7.3f %7.3f %8.1f   %5.1f %5.1f %5.1f %8.1f   %6.1f %6.2f   %6.1f   %6.1f%s\n", kind->name,
           1000 * (double)counts->at_end / (double)counts->builds,
           1000 * (double)counts->coming / (double)counts->builds,
           1000 * (double)counts->last_two / (double)counts->builds, percent(counts->within[0], counts->steps),
           percent(counts->within[1], counts->steps), percent(found, counts->steps),
           percent(counts->found_by_two, counts->steps), percent(counts->right, found),
           found ? (double)counts->width / (double)found : 0, percent(counts->holds, found),
           percent(counts->named, found), quiet && (good || !kind->bound) ? "" : "  MISSED");
    fflush(stdout);
    return quiet && (good || !kind->bound);
}

static bool look(const struct kind *kind, const struct pool *pools, size_t number, size_t series_count)
{
    static struct series series;
    struct random_source source;
    struct counts counts = { 0 };

    random_start(&source, number + 1);
    for (size_t i = 0; i < series_count; i++) {
        draw_series(kind, &pools[kind->pools[i % 2]], &source, &series);
        count_false(&series, &counts);
        count_found(&series, &source, &counts);
    }
    return print(kind, &counts);
}

int main(int count, char **words)
{
    static const struct kind kinds[] = {
        { "CPU, 1 thread, 5 launches", { POOL_ON_1, POOL_OFF_1 }, 5, 5, 0, true },
        { "CPU, 1 thread, 3 launches", { POOL_ON_1, POOL_OFF_1 }, 3, 3, 0, true },
        { "CPU, 1 thread, 0 to 10 launches", { POOL_ON_1, POOL_OFF_1 }, 0, 10, 0, true },
        { "the same, builds vary by 1 %", { POOL_ON_1, POOL_OFF_1 }, 0, 10, 0.01, false },
        { "CPU, 2 threads, 5 launches", { POOL_ON_2, POOL_OFF_2 }, 5, 5, 0, false },
        { "CPU, 2 threads, 10 launches", { POOL_ON_2, POOL_OFF_2 }, 10, 10, 0, false },
        { "GPU, time of a step, 5 launches", { POOL_GPU_STEP, POOL_GPU_STEP }, 5, 5, 0, false },
        { "GPU, time of kernels, 5 launches", { POOL_GPU_KERNELS, POOL_GPU_KERNELS }, 5, 5, 0, true },
    };
    static struct pool pools[POOLS];
    size_t series_count = count > 3 ? strtoul(words[3], NULL, 10) : 1000;
    bool good = true;

    if (count < 3)
        fail("LAUNCHES.csv GPU_LAUNCHES.csv [SERIES]", "usage");
    read_pools(words[1], words[2], pools);
    printf("%zu series of %d builds. False changes in 1,000 builds, and a step of 5 %%: found, in %%, when so many "
           "builds are there; \n"
           "of those found, in %%: the range is right (and holds so many builds), the interval holds 1.05, the "
           "operator is named first\n\n"
           "%-34s %7s %7s %8s   %5s %5s %5s %8s   %6s %6s   %6s   %6s\n",
           series_count, BUILDS, "launches of a build", "at end", "coming", "last two", "1", "2", "3", "last two",
           "range", "builds", "interv", "first");
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        good = look(&kinds[i], pools, i, series_count) && good;
    return good ? 0 : 1;
}
