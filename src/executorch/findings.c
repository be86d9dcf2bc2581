/* findings.c: what stands out in a profile, put together. */
#include "executorch/findings.h"

#include <assert.h>

#include "base/memory.h"
#include "executorch/findings_shared.h"

/* ---- Names ---- */

const char *bottleneck_title(enum bottleneck_kind kind)
{
    static const char *const titles[] = {
#define X(name, title) [BOTTLENECK_##name] = title,
        BOTTLENECK_MAP(X)
#undef X
    };

    assert(kind < sizeof titles / sizeof *titles);
    return titles[kind];
}

const char *check_question(enum check check)
{
    static const char *const questions[] = {
#define X(name, question) [CHECK_##name] = question,
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

void add_step(struct finder *finder, const char *title, const char *text, const char *command)
{
    struct findings *to = finder->findings;

    if (make_room(finder, &to->steps, &to->step_capacity, to->step_count, sizeof *to->steps))
        to->steps[to->step_count++] = (struct next_step){ title, text, command };
}

/* ---- What the analyses share ---- */

static void learn_operators(struct finder *finder)
{
    for (size_t i = 0; i < finder->work; i++) {
        const struct operator_sum *sum = sum_at(finder, finder->order[i]);

        finder->has_nodes |= sum->node != NULL;
        finder->delegated += sum->event == EVENT_DELEGATED;
        if (sum->delegate != NO_ID && sum->delegate >= finder->delegates)
            finder->delegates = sum->delegate + 1;
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
    };
    if (!finder->order)
        finder->code = status_no_memory("looking for bottlenecks");
    return finder->order != NULL;
}

/* ---- What limits the answers ---- */

static const char *say_limit(const struct finder *finder)
{
    if (!finder->side || !finder->side->inferences)
        return "Nothing is known about the operators of the candidate: bottlenecks cannot be named.";
    if (finder->execute_ms <= 0)
        return "Method::execute took no time that the clock could tell: there are no shares.";
    return finder->input->baseline.operators && !finder->base
               ? "The baseline has no usable times by operator: nothing is compared operator by operator."
               : NULL;
}

static void find_all(struct finder *finder)
{
    finder->findings->note = say_limit(finder);
    find_kernel_facts(finder);
    find_nature(finder);
    if (finder->execute_ms > 0) {
        finder->work = operators_by_time(finder->side, finder->order);
        learn_operators(finder);
        find_bottlenecks(finder);
        find_shortfalls(finder);
    }
    find_steps(finder);
}

status findings_find(const struct findings_input *input, struct findings *findings)
{
    struct finder finder;
    status code;

    *findings = (struct findings){ .arena = ARENA_EMPTY };
    if (finder_start(&finder, input, findings))
        find_all(&finder);
    code = finder.code;
    memory_free(finder.order);
    return code;
}

void findings_free(struct findings *findings)
{
    memory_free(findings->bottlenecks);
    memory_free(findings->shortfalls);
    memory_free(findings->steps);
    arena_free(&findings->arena);
    *findings = (struct findings){ .arena = ARENA_EMPTY };
}
