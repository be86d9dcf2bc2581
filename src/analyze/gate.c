/* gate.c: a candidate against the level of the last builds, with the noise of all levels. */
#include "analyze/gate.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>

#include "analyze/latency.h"
#include "base/memory.h"

/* ---- what the history says ----------------------------------------------------------------------------------------------- */

struct reference {
    const struct build_launches *builds; /* borrowed */
    struct build_values all;             /* of the history; owned */
    const struct build_value *values;    /* of the builds that count: the last of all */
    size_t count;                        /* of values */
    size_t first;                        /* of these, since the last change */
    struct build_level level;            /* of those */
    double squares, freedom;             /* deviations of all builds, each from its own level, by weight */
    double kept;                         /* share of these that are in reach */
};

static struct build_level level_of(const struct build_value *values, size_t count, double *room)
{
    struct build_spread spread = builds_spread(values, count, count, room);

    return builds_level(values, count, spread.medians[0], spread.reach);
}

/* From change to change; the last level is the one that counts. */
static void take_levels(struct reference *reference, const struct changes *changes, double *room)
{
    size_t from = 0, clipped = 0, next = 0;

    for (size_t i = 1; i <= reference->count; i++) {
        while (next < changes->count && changes->items[next].build <= reference->values[i - 1].build)
            next++;
        if (i < reference->count && (next == changes->count || reference->values[i].build < changes->items[next].build))
            continue;
        reference->first = from;
        reference->level = level_of(reference->values + from, i - from, room);
        reference->squares += reference->level.squares;
        reference->freedom += (double)(reference->level.count - reference->level.clipped) - 1;
        clipped += reference->level.clipped;
        from = i;
    }
    reference->kept = reference->count ? 1 - (double)clipped / (double)reference->count : 1;
}

static status reference_start(struct reference *reference, const struct build_launches *history, size_t count,
                              const struct gate_options *options)
{
    struct changes changes = { 0 };
    double *room = NULL;
    status code;

    *reference = (struct reference){ .builds = history };
    code = builds_values(history, count, &reference->all);
    if (code == STATUS_OK)
        code = changes_find(history, count, &CHANGES_DEFAULTS, &changes);
    if (code == STATUS_OK) {
        room = memory_allocate((reference->all.count + 1) * sizeof *room);
        code = room ? STATUS_OK : status_no_memory("judging a build");
    }
    if (code == STATUS_OK) {
        reference->count = reference->all.count < options->builds ? reference->all.count : options->builds;
        reference->values = reference->all.items + reference->all.count - reference->count;
        take_levels(reference, &changes, room);
    }
    memory_free(room);
    changes_free(&changes);
    return code;
}

/* ---- the verdict ---------------------------------------------------------------------------------------------------------- */

static struct level_test test_candidate(const struct reference *reference, const struct build_value *candidate)
{
    struct level_test test = { .difference = candidate->value - reference->level.mean, .error = NAN, .p = NAN };

    test.freedom = reference->freedom;
    if (!(test.freedom >= 1))
        return test;
    test.error = sqrt(reference->squares / test.freedom) / reference->kept *
                 sqrt(1 / reference->level.weight + 1 / candidate->weight);
    test.p = test.error > 0 ? statistics_student(test.difference / test.error, test.freedom) : test.difference == 0;
    return test;
}

static status test_launches(const struct reference *reference, const struct build_launches *candidate,
                            const struct build_value *value, double *p)
{
    double before[BUILDS_LAUNCHES], after[BUILDS_LAUNCHES];
    size_t before_count = builds_gather(reference->builds, reference->values + reference->first,
                                        reference->count - reference->first, true, before);
    size_t after_count = builds_gather(candidate, value, 1, false, after);
    struct mode_test test;
    status code = mode_test_run(before, before_count, after, after_count, &test);

    *p = code == STATUS_OK ? test.p : NAN;
    return code;
}

static bool can_tell(const struct gate *gate)
{
    return gate->candidate_launches >= LATENCY_LEAST_LAUNCHES && gate->launches >= LATENCY_LEAST_LAUNCHES &&
           gate->builds >= GATE_LEAST_BUILDS && !isnan(gate->p_builds);
}

static void describe_history(struct gate *gate, const struct reference *reference)
{
    gate->before = exp(reference->level.mean);
    gate->builds = reference->level.count;
    gate->first = gate->builds ? reference->values[reference->first].build : 0;
    for (size_t i = reference->first; i < reference->count; i++)
        gate->launches += build_times(&reference->builds[reference->values[i].build]);
}

static status judge(struct gate *gate, const struct reference *reference, const struct build_launches *candidate,
                    const struct build_value *value, const struct gate_options *options)
{
    static const double power = 1.645; /* of the normal curve: found in 95 of 100 cases */
    struct level_test test = test_candidate(reference, value);
    status code = test_launches(reference, candidate, value, &gate->p_launches);

    gate->after = exp(value->value);
    gate->factor = level_factor(&test);
    gate->interval = level_interval(&test);
    gate->p_builds = test.p;
    if (!isnan(test.p)) {
        gate->noise = sqrt(reference->squares / test.freedom / value->weight);
        gate->detectable = fmax(1 + options->tolerance,
                                exp(test.error * (statistics_student_point(LATENCY_LEVEL, test.freedom) + power)));
    }
    if (code != STATUS_OK || !can_tell(gate))
        return code;
    gate->verdict =
        gate->p_builds <= LATENCY_LEVEL && gate->p_launches <= LATENCY_LEVEL && gate->factor > 1 + options->tolerance
            ? GATE_SLOWER
            : GATE_PASS;
    return STATUS_OK;
}

/* For many candidates of one history. */
static status judge_candidate(const struct reference *reference, const struct build_launches *candidate,
                              const struct gate_options *options, struct gate *gate)
{
    struct build_values own;
    status code = builds_values(candidate, 1, &own);

    *gate = (struct gate){ .verdict = GATE_TOO_FEW,
                           .before = NAN,
                           .after = NAN,
                           .factor = NAN,
                           .interval = { NAN, NAN },
                           .p_builds = NAN,
                           .p_launches = NAN,
                           .noise = NAN,
                           .detectable = NAN,
                           .candidate_launches = build_times(candidate) };
    describe_history(gate, reference);
    if (code == STATUS_OK && own.count && reference->count) {
        own.items[0].weight = build_weight(gate->candidate_launches, reference->all.ratio);
        code = judge(gate, reference, candidate, own.items, options);
    }
    build_values_free(&own);
    return code;
}

status gate_judge(const struct build_launches *history, size_t count, const struct build_launches *candidate,
                  const struct gate_options *options, struct gate *gate)
{
    struct reference reference;
    status code = reference_start(&reference, history, count, options);

    *gate = (struct gate){ .verdict = GATE_TOO_FEW };
    if (code == STATUS_OK)
        code = judge_candidate(&reference, candidate, options, gate);
    build_values_free(&reference.all);
    return code;
}

void gate_lack(const struct gate *gate, char to[GATE_SENTENCE])
{
    to[0] = '\0';
    if (gate->verdict != GATE_TOO_FEW)
        return;
    if (gate->candidate_launches < LATENCY_LEAST_LAUNCHES)
        snprintf(to, GATE_SENTENCE, "%zu launch%s of the candidate, %d are needed", gate->candidate_launches,
                 gate->candidate_launches == 1 ? "" : "es", LATENCY_LEAST_LAUNCHES);
    else if (gate->builds < GATE_LEAST_BUILDS)
        snprintf(to, GATE_SENTENCE, "%zu good build%s since the last change, %d are needed", gate->builds,
                 gate->builds == 1 ? "" : "s", GATE_LEAST_BUILDS);
    else
        snprintf(to, GATE_SENTENCE, "%zu launch%s of good builds, %d are needed", gate->launches,
                 gate->launches == 1 ? "" : "es", LATENCY_LEAST_LAUNCHES);
}

/* ---- calibration ------------------------------------------------------------------------------------------------------------ */

/* The same build, had it taken longer. */
static status judge_slower(const struct reference *reference, const struct build_launches *build, double slower,
                           const struct gate_options *options, bool *caught)
{
    double *medians = memory_allocate((build->count + 1) * sizeof *medians);
    struct build_launches other = { medians, build->count };
    struct gate gate;
    status code;

    if (!medians)
        return status_no_memory("calibrating");
    for (size_t i = 0; i < build->count; i++)
        medians[i] = build->medians[i] * (1 + slower);
    code = judge_candidate(reference, &other, options, &gate);
    *caught = gate.verdict == GATE_SLOWER;
    memory_free(medians);
    return code;
}

static bool lies_in_change(const struct changes *changes, size_t build)
{
    for (size_t i = 0; i < changes->count; i++)
        if (changes->items[i].factor > 1 && build > changes->items[i].range.last_before &&
            build <= changes->items[i].range.first_after + CHANGES_LEAST)
            return true;
    return false;
}

static status try_build(const struct build_launches *history, size_t build, const struct gate_options *options,
                        double slower, struct gate_trial *trial)
{
    struct reference reference;
    status code = reference_start(&reference, history, build, options);

    if (code == STATUS_OK)
        code = judge_candidate(&reference, &history[build], options, &trial->gate);
    if (code == STATUS_OK)
        code = judge_slower(&reference, &history[build], slower, options, &trial->caught);
    build_values_free(&reference.all);
    return code;
}

status gate_calibrate(const struct build_launches *history, size_t count, const struct gate_options *options,
                      double slower, struct gate_calibration *calibration)
{
    struct changes changes = { 0 };
    status code = changes_find(history, count, &CHANGES_DEFAULTS, &changes);

    *calibration =
        (struct gate_calibration){ .trials = memory_allocate_clear((count + 1) * sizeof *calibration->trials) };
    if (code == STATUS_OK && !calibration->trials)
        code = status_no_memory("calibrating");
    for (size_t i = 0; i < count && code == STATUS_OK; i++) {
        struct gate_trial *trial = &calibration->trials[i];

        code = try_build(history, i, options, slower, trial);
        trial->changed = lies_in_change(&changes, i);
        calibration->count++;
        calibration->judged += trial->gate.verdict != GATE_TOO_FEW;
        calibration->alarms += trial->gate.verdict == GATE_SLOWER && !trial->changed;
        calibration->changes += trial->gate.verdict == GATE_SLOWER && trial->changed;
        calibration->caught += trial->gate.verdict != GATE_TOO_FEW && trial->caught;
    }
    changes_free(&changes);
    return code;
}

void gate_calibration_free(struct gate_calibration *calibration)
{
    memory_free(calibration->trials);
    *calibration = (struct gate_calibration){ 0 };
}
