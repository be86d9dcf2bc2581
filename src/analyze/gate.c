/* gate.c: a candidate against the level of the last builds, with the noise of all levels. */
#include "analyze/gate.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>

#include "analyze/latency.h"
#include "base/memory.h"

/* ---- what the history says ----------------------------------------------------------------------------------------------- */

/* What builds say that count, as far as the history was walked. */
struct reference {
    const struct gate_history *history; /* borrowed */
    const struct gate_options *options; /* borrowed */
    struct build_values all;            /* of the history; owned */
    struct build_value *kept;           /* of these, those that count; owned */
    size_t *levels;                     /* by these: the level it lies on, ascending; owned */
    double *room;                       /* for a number of each value; owned */
    size_t count;                       /* of kept */
    struct build_value *apart; /* the last ones, held back by themselves until one that counts follows; owned */
    size_t apart_count;        /* of these */
    size_t number;             /* of the last level, which may have no build yet */
    size_t since;              /* first of the builds that were held back in the end; SIZE_MAX: none was */
    size_t start;              /* of kept: the first that is not too long ago */
    size_t first;              /* of kept: the first of the last level */
    size_t launches;           /* of the last level */
    struct build_level level;  /* the last */
    double squares, freedom;   /* deviations of builds since `start`, each from its own level, by weight */
    double share;              /* of these that are in reach */
};

static struct build_level level_of(const struct build_value *values, size_t count, double *room)
{
    struct build_spread spread = builds_spread(values, count, count, room);

    return builds_level(values, count, spread.medians[0], spread.reach);
}

/* From level to level; the last is the one that counts. */
static void take_levels(struct reference *reference)
{
    size_t clipped = 0;

    reference->start =
        reference->count > reference->options->builds ? reference->count - reference->options->builds : 0;
    reference->first = reference->start;
    reference->squares = reference->freedom = 0;
    reference->launches = 0;
    for (size_t i = reference->start; i < reference->count; i++) {
        if (i + 1 < reference->count && reference->levels[i + 1] == reference->levels[i])
            continue;
        reference->level = level_of(reference->kept + reference->first, i + 1 - reference->first, reference->room);
        reference->squares += reference->level.squares;
        reference->freedom += (double)(reference->level.count - reference->level.clipped) - 1;
        clipped += reference->level.clipped;
        if (i + 1 < reference->count)
            reference->first = i + 1;
    }
    for (size_t i = reference->first; i < reference->count; i++)
        reference->launches += build_times(&reference->history->builds[reference->kept[i].build]);
    reference->share = reference->count ? 1 - (double)clipped / (double)(reference->count - reference->start) : 1;
}

/* ---- whether a value is above the level ------------------------------------------------------------------------------------ */

static struct level_test test_value(const struct reference *reference, double value, double weight)
{
    struct level_test test = { .difference = value - reference->level.mean, .error = NAN, .p = NAN };

    test.freedom = reference->freedom;
    if (!(test.freedom >= 1))
        return test;
    test.error =
        sqrt(reference->squares / test.freedom) / reference->share * sqrt(1 / reference->level.weight + 1 / weight);
    test.p = test.error > 0 ? statistics_student(test.difference / test.error, test.freedom) : test.difference == 0;
    return test;
}

/* `builds` are those that the value is one of. */
static status test_launches(const struct reference *reference, const struct build_launches *builds,
                            const struct build_value *value, double *p)
{
    double before[BUILDS_LAUNCHES], after[BUILDS_LAUNCHES];
    size_t before_count = builds_gather(reference->history->builds, reference->kept + reference->first,
                                        reference->count - reference->first, true, before);
    size_t after_count = builds_gather(builds, value, 1, false, after);
    struct mode_test test;
    status code = mode_test_run(before, before_count, after, after_count, &test);

    *p = code == STATUS_OK ? test.p : NAN;
    return code;
}

static bool can_tell(const struct reference *reference, size_t launches, const struct level_test *test)
{
    return launches >= LATENCY_LEAST_LAUNCHES && reference->launches >= LATENCY_LEAST_LAUNCHES &&
           reference->level.count >= GATE_LEAST_BUILDS && !isnan(test->p);
}

static bool is_above(const struct reference *reference, const struct level_test *test)
{
    return test->p <= LATENCY_LEVEL && level_factor(test) > 1 + reference->options->tolerance;
}

/* ---- builds that count ------------------------------------------------------------------------------------------------------ */

static bool is_accepted(const struct reference *reference, const struct build_value *value)
{
    return reference->history->accepted && reference->history->accepted[value->build];
}

static void add_kept(struct reference *reference, const struct build_value *value)
{
    reference->kept[reference->count] = *value;
    reference->levels[reference->count++] = reference->number;
}

/* What was held back before it did not last. That is luck, and luck is what noise is: from now on it counts as any other. */
static void keep(struct reference *reference, const struct build_value *value)
{
    for (size_t i = 0; i < reference->apart_count; i++)
        add_kept(reference, &reference->apart[i]);
    reference->apart_count = 0;
    add_kept(reference, value);
    reference->since = SIZE_MAX;
    take_levels(reference);
}

static void hold_back(struct reference *reference, const struct build_value *value)
{
    if (reference->since == SIZE_MAX)
        reference->since = value->build;
}

/* By itself: what follows tells whether it was luck. */
static void set_apart(struct reference *reference, const struct build_value *value)
{
    reference->apart[reference->apart_count++] = *value;
    hold_back(reference, value);
}

/* Nearer to what was held back last than to the level: it is no build of that level which follows, though it would not be stopped itself. */
static bool is_as_those_apart(const struct reference *reference, const struct build_value *value)
{
    double sum = 0, count = (double)reference->apart_count;

    for (size_t i = 0; i < reference->apart_count; i++)
        sum += reference->apart[i].value;
    return count > 0 && value->value > (reference->level.mean + sum / count) / 2;
}

/* What was held back last was no luck of the level before. */
static void begin_level(struct reference *reference)
{
    reference->apart_count = 0;
    reference->number++;
}

/* What a change that the search found means for the builds since then. */
enum change_kind {
    CHANGE_BEGINS, /* they are the level now */
    CHANGE_HELD,   /* they are slower, and nobody accepted them */
    CHANGE_NONE    /* they are luck of the level before */
};

/* What the first builds of the level take over the last that count: where the level creeps, these are near each other. */
static double step_to(const struct reference *reference, const struct build_value *values, size_t count)
{
    enum { NEAR = 10 };
    size_t here = reference->count - reference->first, last = here < NEAR ? here : NEAR;
    struct build_level before = level_of(reference->kept + reference->count - last, last, reference->room);

    return exp(level_of(values, count < NEAR ? count : NEAR, reference->room).mean - before.mean);
}

/* Builds of the level before do not take turns with those of this one: a quarter of them is more than the noise of a level brings there. */
static bool lasts(const struct reference *reference, const struct build_value *values, size_t count, double mean)
{
    size_t returned = 0;

    for (size_t i = 0; i < count; i++)
        returned += values[i].value < (reference->level.mean + mean) / 2;
    return returned * 4 < count;
}

static enum change_kind look_at_change(const struct reference *reference, const struct build_value *values,
                                       size_t count)
{
    struct build_level level = level_of(values, count, reference->room);
    struct level_test test = test_value(reference, level.mean, level.weight);

    for (size_t i = 0; i < count; i++)
        if (is_accepted(reference, &values[i]))
            return CHANGE_BEGINS;
    if (reference->level.count < GATE_LEAST_BUILDS || !is_above(reference, &test))
        return CHANGE_BEGINS;
    if (!lasts(reference, values, count, level.mean))
        return CHANGE_NONE;
    return step_to(reference, values, count) > 1 + reference->options->tolerance ? CHANGE_HELD : CHANGE_BEGINS;
}

/* One build of a level that counts: whether it is slower as a candidate would be. One with few launches, of which nothing would have been said, is
 * doubtful where builds tell it alone: that is too little to stop it, but enough not to stand on it. */
static status look_at(const struct reference *reference, const struct build_value *value, bool *slower)
{
    const struct build_launches *builds = reference->history->builds;
    size_t launches = build_times(&builds[value->build]);
    struct level_test test = test_value(reference, value->value, value->weight);
    bool begins = !reference->count || reference->levels[reference->count - 1] != reference->number;
    status code = STATUS_OK;
    double p = 0;

    *slower = !begins && can_tell(reference, LATENCY_LEAST_LAUNCHES, &test) && is_above(reference, &test);
    if (*slower && launches >= LATENCY_LEAST_LAUNCHES)
        code = test_launches(reference, builds, value, &p);
    *slower = *slower && p <= LATENCY_LEVEL;
    return code;
}

static size_t level_end(const struct reference *reference, const struct changes *changes, size_t next)
{
    size_t end = 0;

    while (end < reference->all.count &&
           (next == changes->count || reference->all.items[end].build < changes->items[next].build))
        end++;
    return end;
}

static status walk(struct reference *reference, const struct changes *changes)
{
    enum change_kind kind = CHANGE_BEGINS;
    bool slower;
    status code = STATUS_OK;
    size_t next = 0;

    for (size_t i = 0; i < reference->all.count && code == STATUS_OK; i++) {
        const struct build_value *value = &reference->all.items[i];

        if (next < changes->count && value->build >= changes->items[next].build) {
            next++;
            kind = look_at_change(reference, value, level_end(reference, changes, next) - i);
            if (kind == CHANGE_BEGINS)
                begin_level(reference);
        }
        if (kind == CHANGE_HELD) {
            hold_back(reference, value);
            continue;
        }
        code = look_at(reference, value, &slower);
        if (!is_accepted(reference, value) && (slower || is_as_those_apart(reference, value))) {
            set_apart(reference, value);
            continue;
        }
        if (slower)
            begin_level(reference);
        keep(reference, value);
    }
    return code;
}

static void reference_free(struct reference *reference)
{
    build_values_free(&reference->all);
    memory_free(reference->kept);
    memory_free(reference->levels);
    memory_free(reference->apart);
    memory_free(reference->room);
}

/* Free it also after a failure. */
static status reference_start(struct reference *reference, const struct gate_history *history,
                              const struct gate_options *options)
{
    struct changes changes = { 0 };
    status code;

    *reference = (struct reference){
        .history = history, .options = options, .since = SIZE_MAX, .share = 1, .level = { .mean = NAN }
    };
    code = builds_values(history->builds, history->count, &reference->all);
    if (code == STATUS_OK)
        code = changes_find(history->builds, history->count, &CHANGES_DEFAULTS, &changes);
    if (code == STATUS_OK) {
        size_t count = reference->all.count + 1;

        reference->kept = memory_allocate(count * sizeof *reference->kept);
        reference->levels = memory_allocate(count * sizeof *reference->levels);
        reference->apart = memory_allocate(count * sizeof *reference->apart);
        reference->room = memory_allocate(count * sizeof *reference->room);
        code = reference->kept && reference->levels && reference->apart && reference->room
                   ? walk(reference, &changes)
                   : status_no_memory("judging a build");
    }
    changes_free(&changes);
    return code;
}

/* ---- the verdict ---------------------------------------------------------------------------------------------------------- */

/* Builds that were measured since the first that counts, and do not. */
static size_t count_held(const struct reference *reference)
{
    size_t since = 0;

    for (size_t i = 0; i < reference->all.count && reference->count; i++)
        since += reference->all.items[i].build >= reference->kept[reference->start].build;
    return since - (reference->count - reference->start);
}

static void describe_history(struct gate *gate, const struct reference *reference)
{
    gate->before = exp(reference->level.mean);
    gate->builds = reference->level.count;
    gate->first = gate->builds ? reference->kept[reference->first].build : 0;
    gate->launches = reference->launches;
    gate->held = count_held(reference);
    gate->since = reference->since;
}

static status judge(struct gate *gate, const struct reference *reference, const struct build_launches *candidate,
                    const struct build_value *value)
{
    static const double power = 1.645; /* of the normal curve: found in 95 of 100 cases */
    struct level_test test = test_value(reference, value->value, value->weight);
    status code = test_launches(reference, candidate, value, &gate->p_launches);

    gate->after = exp(value->value);
    gate->factor = level_factor(&test);
    gate->interval = level_interval(&test);
    gate->p_builds = test.p;
    if (!isnan(test.p)) {
        gate->noise = sqrt(reference->squares / test.freedom / value->weight);
        gate->detectable = fmax(1 + reference->options->tolerance,
                                exp(test.error * (statistics_student_point(LATENCY_LEVEL, test.freedom) + power)));
    }
    if (code != STATUS_OK || !can_tell(reference, gate->candidate_launches, &test))
        return code;
    gate->verdict = is_above(reference, &test) && gate->p_launches <= LATENCY_LEVEL ? GATE_SLOWER : GATE_PASS;
    return STATUS_OK;
}

/* For many candidates of one history. */
static status judge_candidate(const struct reference *reference, const struct build_launches *candidate,
                              struct gate *gate)
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
        code = judge(gate, reference, candidate, own.items);
    }
    build_values_free(&own);
    return code;
}

status gate_judge(const struct gate_history *history, const struct build_launches *candidate,
                  const struct gate_options *options, struct gate *gate)
{
    struct reference reference;
    status code = reference_start(&reference, history, options);

    *gate = (struct gate){ .verdict = GATE_TOO_FEW };
    if (code == STATUS_OK)
        code = judge_candidate(&reference, candidate, gate);
    reference_free(&reference);
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
                           bool *caught)
{
    double *medians = memory_allocate((build->count + 1) * sizeof *medians);
    struct build_launches other = { medians, build->count };
    struct gate gate;
    status code;

    if (!medians)
        return status_no_memory("calibrating");
    for (size_t i = 0; i < build->count; i++)
        medians[i] = build->medians[i] * (1 + slower);
    code = judge_candidate(reference, &other, &gate);
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

static status try_build(const struct gate_history *history, size_t build, const struct gate_options *options,
                        double slower, struct gate_trial *trial)
{
    const struct gate_history before = { history->builds, history->accepted, build };
    struct reference reference;
    status code = reference_start(&reference, &before, options);

    if (code == STATUS_OK)
        code = judge_candidate(&reference, &history->builds[build], &trial->gate);
    if (code == STATUS_OK)
        code = judge_slower(&reference, &history->builds[build], slower, &trial->caught);
    reference_free(&reference);
    return code;
}

status gate_calibrate(const struct gate_history *history, const struct gate_options *options, double slower,
                      struct gate_calibration *calibration)
{
    struct changes changes = { 0 };
    status code = changes_find(history->builds, history->count, &CHANGES_DEFAULTS, &changes);

    *calibration = (struct gate_calibration){ .trials = memory_allocate_clear((history->count + 1) *
                                                                              sizeof *calibration->trials) };
    if (code == STATUS_OK && !calibration->trials)
        code = status_no_memory("calibrating");
    for (size_t i = 0; i < history->count && code == STATUS_OK; i++) {
        struct gate_trial *trial = &calibration->trials[i];

        code = try_build(history, i, options, slower, trial);
        trial->changed = lies_in_change(&changes, i) ||
                         (trial->gate.verdict == GATE_SLOWER && lies_in_change(&changes, trial->gate.since));
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
