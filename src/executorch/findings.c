/* findings.c: what stands out in a profile: everything put together and ranked. */
#include "executorch/findings.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/memory.h"
#include "base/number.h"
#include "executorch/findings_shared.h"

/* ---- Names ---- */

const char *bottleneck_key(enum bottleneck_kind kind)
{
    static const char *const keys[] = {
#define X(name, key, title) [BOTTLENECK_##name] = key,
        BOTTLENECK_MAP(X)
#undef X
    };

    assert(kind < sizeof keys / sizeof *keys);
    return keys[kind];
}

const char *bottleneck_title(enum bottleneck_kind kind)
{
    static const char *const titles[] = {
#define X(name, key, title) [BOTTLENECK_##name] = title,
        BOTTLENECK_MAP(X)
#undef X
    };

    assert(kind < sizeof titles / sizeof *titles);
    return titles[kind];
}

const char *check_key(enum check check)
{
    static const char *const keys[] = {
#define X(name, key, question) [CHECK_##name] = key,
        CHECK_MAP(X)
#undef X
    };

    assert(check < CHECK_COUNT);
    return keys[check];
}

const char *check_question(enum check check)
{
    static const char *const questions[] = {
#define X(name, key, question) [CHECK_##name] = question,
        CHECK_MAP(X)
#undef X
    };

    assert(check < CHECK_COUNT);
    return questions[check];
}

const char *check_answer_key(enum check_answer answer)
{
    static const char *const keys[] = { [CHECK_YES] = "yes", [CHECK_NO] = "no", [CHECK_OPEN] = "open" };

    assert(answer < sizeof keys / sizeof *keys);
    return keys[answer];
}

const char *pair_nature_key(enum pair_nature nature)
{
    static const char *const keys[] = {
#define X(name, key) [PAIR_##name] = key,
        PAIR_NATURE_MAP(X)
#undef X
    };

    assert(nature < sizeof keys / sizeof *keys);
    return keys[nature];
}

const char *advice_group_key(enum advice_group group)
{
    static const char *const keys[] = {
#define X(name, key, title) [ADVICE_##name] = key,
        ADVICE_GROUP_MAP(X)
#undef X
    };

    assert(group < sizeof keys / sizeof *keys);
    return keys[group];
}

const char *advice_group_title(enum advice_group group)
{
    static const char *const titles[] = {
#define X(name, key, title) [ADVICE_##name] = title,
        ADVICE_GROUP_MAP(X)
#undef X
    };

    assert(group < sizeof titles / sizeof *titles);
    return titles[group];
}

/* ---- Adding ---- */

static bool make_room(struct finder *finder, void *items, size_t *capacity, size_t count, size_t size)
{
    if (finder->code == STATUS_OK)
        finder->code = memory_grow(items, capacity, count + 1, size);
    return finder->code == STATUS_OK;
}

void add_bottleneck(struct finder *finder, struct bottleneck bottleneck)
{
    struct findings *to = finder->findings;

    assert(bottleneck.text && bottleneck.ms >= 0);
    if (make_room(finder, &to->bottlenecks, &to->bottleneck_capacity, to->bottleneck_count, sizeof bottleneck))
        to->bottlenecks[to->bottleneck_count++] = bottleneck;
}

void add_shortfall(struct finder *finder, struct shortfall shortfall)
{
    struct findings *to = finder->findings;

    if (make_room(finder, &to->shortfalls, &to->shortfall_capacity, to->shortfall_count, sizeof shortfall))
        to->shortfalls[to->shortfall_count++] = shortfall;
}

static bool comes_before(const struct recommendation *one, const struct recommendation *other)
{
    if (one->priority != other->priority)
        return one->priority < other->priority;
    return one->bound_ms > other->bound_ms;
}

/* Keeps the order of priority; equal ones stay as they came. A bound never is more than the whole inference. */
void add_recommendation(struct finder *finder, struct recommendation recommendation)
{
    struct findings *to = finder->findings;
    size_t at;

    assert(recommendation.title && recommendation.text);
    if (recommendation.bound_ms > finder->execute_ms)
        recommendation.bound_ms = finder->execute_ms;
    if (!make_room(finder, &to->recommendations, &to->recommendation_capacity, to->recommendation_count,
                   sizeof recommendation))
        return;
    for (at = to->recommendation_count; at > 0 && comes_before(&recommendation, &to->recommendations[at - 1]); at--)
        to->recommendations[at] = to->recommendations[at - 1];
    to->recommendations[at] = recommendation;
    to->recommendation_count++;
}

void add_note(struct finder *finder, const char *note)
{
    struct findings *to = finder->findings;

    assert(note);
    if (make_room(finder, &to->notes, &to->note_capacity, to->note_count, sizeof note))
        to->notes[to->note_count++] = note;
}

void add_evidence(struct finder *finder, struct recommendation *recommendation, const struct cluster *cluster,
                  const char *name)
{
    size_t listed = cluster->count < EVIDENCE_ROWS ? cluster->count : EVIDENCE_ROWS,
           count = listed + (cluster->count > 1);
    struct findings_row *rows =
        arena_allocate(&finder->findings->arena, count * sizeof *rows, _Alignof(struct findings_row));
    size_t at = 0;

    assert(cluster->count && !recommendation->rows && "evidence is added once");
    if (!rows) {
        finder->code = status_no_memory("writing down findings");
        return;
    }
    if (cluster->count > 1)
        rows[at++] = row_of_cluster(finder, cluster, name);
    for (size_t i = 0; i < listed; i++)
        rows[at++] = row_of(finder, cluster->members[i]);
    for (size_t i = 0; i < cluster->count; i++)
        finder->covered[cluster->members[i]] = true;
    recommendation->rows = rows;
    recommendation->row_count = count;
    recommendation->rows_left = cluster->count - listed;
}

/* ---- What the analyses share ---- */

static void learn_rate(struct finder *finder, uint32_t op)
{
    enum { MOST_TYPES = 64 }; /* hostile names could bring as many as there are operators */
    double gflops = operators_gflops(finder->side, sum_at(finder, op));
    struct best_rate *best = NULL;

    if (gflops <= 0)
        return;
    best = (struct best_rate *)(uintptr_t)best_rate_of(finder, op);
    if (!best) {
        if (finder->rate_count == MOST_TYPES ||
            !make_room(finder, &finder->rates, &finder->rate_capacity, finder->rate_count, sizeof *finder->rates))
            return;
        best = &finder->rates[finder->rate_count++];
        *best = (struct best_rate){ .type = data_type_of(finder, op) };
    }
    if (gflops > best->gflops) {
        best->gflops = gflops;
        best->op = op;
    }
}

static void learn_operators(struct finder *finder)
{
    for (size_t i = 0; i < finder->work; i++) {
        const struct operator_sum *sum = sum_at(finder, finder->order[i]);
        double bandwidth;

        finder->has_nodes |= sum->node != NULL;
        finder->delegated += sum->event == EVENT_DELEGATED;
        if (sum->delegate != NO_ID && sum->delegate >= finder->delegates)
            finder->delegates = sum->delegate + 1;
        if (!operators_is_steady(finder->side, sum))
            continue;
        learn_rate(finder, finder->order[i]);
        bandwidth = bandwidth_at(finder, finder->order[i]);
        if (bandwidth > finder->best_bandwidth) {
            finder->best_bandwidth = bandwidth;
            finder->best_bandwidth_operator = finder->order[i];
        }
    }
}

static const struct operators *usable(const struct operators *side)
{
    return side && side->inferences && side->execute > 0 && !side->no_clock ? side : NULL;
}

static bool finder_start(struct finder *finder, const struct findings_input *input, struct findings *findings)
{
    const struct operators *side = input->candidate.operators;
    size_t count = side ? side->sums.count + 1 : 1;

    *finder = (struct finder){
        .input = input,
        .findings = findings,
        .side = side,
        .base = usable(input->baseline.operators),
        .execute_ms = usable(side) ? operators_average_ms(side, side->execute) : 0,
        .order = memory_allocate(count * sizeof *finder->order),
        .covered = memory_allocate_clear(count * sizeof *finder->covered),
    };
    if (!finder->order || !finder->covered) {
        finder->code = status_no_memory("looking for bottlenecks");
        return false;
    }
    return true;
}

static void finder_free(struct finder *finder)
{
    memory_free(finder->order);
    memory_free(finder->covered);
    memory_free(finder->rates);
}

/* ---- What limits the answers ---- */

static void note_limits(struct finder *finder)
{
    const struct operators *side = finder->side;

    if (!side || !side->inferences)
        add_note(finder, "Nothing is known about the operators of the candidate: bottlenecks cannot be named.");
    else if (side->no_clock)
        add_note(finder, "All time stamps of a launch are equal: the target had no clock, so no time can be told.");
    else if (side->execute <= 0)
        add_note(finder, "Method::execute took no time that the clock could tell: there are no shares.");
    else if (side->overlapping)
        add_note(
            finder,
            "Times inside a delegate overlap or follow a clock of their own: shares of operators may add up to more "
            "than Method::execute, and bounds are cut at it.");
    if (side && side->outside)
        add_note(finder,
                 say(finder, "%llu %s of runs without Method::execute %s in no sum: those runs failed or were cut off.",
                     (unsigned long long)side->outside, plural(side->outside, "event", "events"),
                     plural(side->outside, "is", "are")));
    if (finder->input->baseline.operators && !finder->base)
        add_note(finder, "The baseline has no usable times by operator: nothing is compared operator by operator.");
}

/* Where nothing is wrong, the numbers that were looked at say so. */
static void say_nothing(struct finder *finder)
{
    struct operator_group groups[CATEGORY_COUNT];
    int64_t portable = 0;

    for (size_t i = 0; i < finder->findings->recommendation_count; i++)
        if (finder->findings->recommendations[i].group != ADVICE_ANALYSIS)
            return;
    if (finder->execute_ms <= 0) {
        finder->findings->nothing = "There are no times to base a recommendation on.";
        return;
    }
    operators_by_category(finder->side, groups);
    for (int i = 0; i < CATEGORY_COUNT; i++)
        portable = number_add(portable, groups[i].portable);
    finder->findings->nothing =
        say(finder,
            "Nothing to optimise stands out: portable operators take %.1f %% of Method::execute, data movement %.1f "
            "%%, calls and "
            "framework %.1f %%.",
            operators_percent(finder->side, portable),
            operators_percent(finder->side, groups[CATEGORY_DATA_MOVEMENT].total),
            operators_percent(finder->side, number_add(finder->side->calls,
                                                       number_add(finder->side->control, finder->side->framework))));
}

static void find_all(struct finder *finder)
{
    note_limits(finder);
    find_kernel_facts(finder);
    find_nature(finder);
    if (finder->execute_ms > 0) {
        finder->work = operators_by_time(finder->side, finder->order);
        learn_operators(finder);
        find_bottlenecks(finder);
        find_shortfalls(finder);
        advise_portable(finder);
        advise_movement(finder);
        advise_speedup(finder);
        advise_rates(finder);
        advise_overhead(finder);
    }
    advise_analysis(finder);
    say_nothing(finder);
}

status findings_find(const struct findings_input *input, struct findings *findings)
{
    struct finder finder;
    status code;

    *findings = (struct findings){ .arena = ARENA_EMPTY };
    if (finder_start(&finder, input, findings))
        find_all(&finder);
    code = finder.code;
    finder_free(&finder);
    return code;
}

void findings_free(struct findings *findings)
{
    memory_free(findings->bottlenecks);
    memory_free(findings->shortfalls);
    memory_free(findings->recommendations);
    memory_free(findings->notes);
    arena_free(&findings->arena);
    *findings = (struct findings){ .arena = ARENA_EMPTY };
}
