/* gate.c: how often the gate stops a candidate that is as the builds before it, and how often one that is 5 % slower.
 *
 *     gate LAUNCHES.csv GPU_LAUNCHES.csv [CANDIDATES]
 *
 * A history is builds whose launches are drawn, with replacement, from launches that were measured (tests/data/latency), half of it before a change of 10 %;
 * the candidate is one more, as it is and 5 % slower; and the slower one again, after two builds that are as slow and that nobody accepted. For
 * contrast, Welch's test of its launches and those of the last build at 1 %.
 *
 * Exit code 1: a bound is missed.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/gate.h"
#include "analyze/latency.h"
#include "measured.h"

enum {
    HISTORY = 40, /* builds */
    CHANGE = 20,  /* the one that brought a change */
    SLOW = 2,     /* at its end, that are as slow as the candidate */
    MOST = 10     /* launches of a build */
};

static const double slower = 1.05, change = 1.1;

struct counts {
    size_t candidates; /* of each sort */
    size_t alarms;     /* of the same, called slower */
    size_t caught;     /* of slower ones */
    size_t again;      /* of those, after others that were as slow */
    size_t holds;      /* intervals of slower ones that hold the factor */
    size_t too_few;    /* no verdict */
    size_t last[2];    /* by a test against the last build: of the same, and of slower ones */
    double detectable; /* the sum of what was said to be */
};

static struct gate judge(const struct build_launches *builds, const struct build_launches *candidate)
{
    const struct gate_history history = { .builds = builds, .count = HISTORY };
    struct gate gate;

    if (gate_judge(&history, candidate, &GATE_DEFAULTS, &gate) != STATUS_OK)
        fail(status_message(), "gate_judge");
    return gate;
}

static bool last_differs(const struct build_launches *last, const struct build_launches *candidate)
{
    double one[MOST], other[MOST];

    memcpy(one, last->medians, last->count * sizeof *one);
    memcpy(other, candidate->medians, candidate->count * sizeof *other);
    return statistics_welch(one, last->count, other, candidate->count, 0).p <= LATENCY_LEVEL;
}

static void try_candidate(const struct kind *kind, const struct kind *of_candidate, const struct pool *pool,
                          struct random_source *source, struct counts *counts)
{
    double medians[HISTORY + 1][MOST];
    struct build_launches history[HISTORY], candidate;
    struct gate gate;

    for (size_t i = 0; i < HISTORY; i++) {
        history[i] = draw_build(kind, pool, source, medians[i]);
        for (size_t k = 0; i < CHANGE && k < history[i].count; k++)
            medians[i][k] *= change;
    }
    candidate = draw_build(of_candidate, pool, source, medians[HISTORY]);
    gate = judge(history, &candidate);
    counts->candidates++;
    counts->alarms += gate.verdict == GATE_SLOWER;
    counts->last[0] += last_differs(&history[HISTORY - 1], &candidate);
    counts->detectable += gate.detectable;
    for (size_t k = 0; k < candidate.count; k++)
        medians[HISTORY][k] *= slower;
    gate = judge(history, &candidate);
    counts->caught += gate.verdict == GATE_SLOWER;
    counts->too_few += gate.verdict == GATE_TOO_FEW;
    counts->holds += gate.interval.low <= slower && slower <= gate.interval.high;
    counts->last[1] += last_differs(&history[HISTORY - 1], &candidate);
    for (size_t i = HISTORY - SLOW; i < HISTORY; i++)
        for (size_t k = 0; k < history[i].count; k++)
            medians[i][k] *= slower;
    counts->again += judge(history, &candidate).verdict == GATE_SLOWER;
}

static bool look(const struct kind *kind, size_t launches, const struct pool *pools, size_t number, size_t candidates)
{
    struct kind of_candidate = *kind;
    struct counts counts = { 0 };
    struct random_source source;
    bool good;

    of_candidate.least = of_candidate.most = launches;
    random_start(&source, number + 1);
    for (size_t i = 0; i < candidates; i++)
        try_candidate(kind, &of_candidate, &pools[kind->pools[i % 2]], &source, &counts);
    /* One is no share: of few candidates it may be luck. */
    good = (counts.alarms <= 1 || percent(counts.alarms, candidates) <= 1) &&
           (!kind->bound || (percent(counts.caught, candidates) >= 95 && percent(counts.again, candidates) >= 95));
    printf("%-36s %9zu   %6.2f %9.2f   %6.1f %9.1f %6.1f   %8.1f %9.3fx%s\n", kind->name, launches,
           percent(counts.alarms, candidates), percent(counts.last[0], candidates), percent(counts.caught, candidates),
           percent(counts.last[1], candidates), percent(counts.again, candidates), percent(counts.holds, candidates),
           counts.detectable / (double)candidates, good ? "" : "  MISSED");
    fflush(stdout);
    return good;
}

int main(int count, char **words)
{
    static const struct kind kinds[] = {
        { "CPU, 1 thread, 5 launches", { POOL_ON_1, POOL_OFF_1 }, 5, 5, 0, true },
        { "CPU, 1 thread, 0 to 10 launches", { POOL_ON_1, POOL_OFF_1 }, 0, 10, 0, true },
        { "the same, builds vary by 1 %", { POOL_ON_1, POOL_OFF_1 }, 0, 10, 0.01, false },
        { "CPU, 2 threads, 5 launches", { POOL_ON_2, POOL_OFF_2 }, 5, 5, 0, false },
        { "GPU, time of a step, 5 launches", { POOL_GPU_STEP, POOL_GPU_STEP }, 5, 5, 0, false },
        { "GPU, time of kernels, 5 launches", { POOL_GPU_KERNELS, POOL_GPU_KERNELS }, 5, 5, 0, true },
    };
    static const size_t launches[] = { 5, 10 };
    static struct pool pools[POOLS];
    size_t candidates = count > 3 ? strtoul(words[3], NULL, 10) : 1000;
    bool good = true;

    if (count < 3)
        fail("LAUNCHES.csv GPU_LAUNCHES.csv [CANDIDATES]", "usage");
    read_pools(words[1], words[2], pools);
    printf("%zu candidates against %d builds, in %%: stopped as they are, and 5 %% slower; by the gate, and by a test "
           "against the last build; \n"
           "slower ones after two builds that were as slow; intervals of slower ones that hold 1.05; the mean of what "
           "the gate says it can find\n\n%-36s %9s   %6s %9s "
           "  %6s %9s %6s   %8s %10s\n",
           candidates, HISTORY, "builds of the history", "candidate", "same", "last", "slower", "last", "again",
           "interval", "finds");
    for (size_t i = 0; i < 2 * sizeof kinds / sizeof *kinds; i++)
        good = look(&kinds[i / 2], launches[i % 2], pools, i, candidates) && good;
    return good ? 0 : 1;
}
