/* findings_sides.h: what the tests of findings and of rules share: sides filled by hand, and what is found in them. */
#ifndef TESTS_FINDINGS_SIDES_H
#define TESTS_FINDINGS_SIDES_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "executorch/load.h"
#include "executorch/rules.h"

static struct strings *pool;

static inline string_id id(const char *text)
{
    string_id made;

    assert_int_equal(strings_add_text(pool, text, &made), STATUS_OK);
    return made;
}

static inline int set_up(void **state)
{
    (void)state;
    pool = model_strings();
    return pool ? 0 : -1;
}

static inline int tear_down(void **state)
{
    (void)state;
    strings_free(pool);
    return 0;
}

/* ---- Sides filled by hand: one inference, a tick is a nanosecond ------------------------------------------------- */

static inline void start(struct operators *side, int64_t execute)
{
    operators_start(side, pool);
    side->clock = (struct clock){ .numerator = 1, .denominator = 1 };
    side->launches = 1;
    side->inferences = 1;
    side->execute = side->execute_least = side->execute_most = execute;
    side->framework = execute;
}

/* What is not in an operator stays with the framework. `delegate` NO_ID: portable. */
static inline struct operator_sum *add(struct operators *side, const char *name, uint32_t delegate, int64_t ticks)
{
    struct operator_sum *sum = column_append(&side->sums);
    struct text type = operator_type_of_name((struct text){ name, strlen(name) });
    uint32_t index = (uint32_t)side->sums.count - 1;

    assert_non_null(sum);
    *sum = (struct operator_sum){
        .name = id(name),
        .backend = delegate == NO_ID ? 0 : id("XnnpackBackend"),
        .event = delegate == NO_ID ? EVENT_PORTABLE : EVENT_DELEGATED,
        .kind = operator_kind_of(NULL, (struct text){ name, strlen(name) }),
        .instruction = (int32_t)index,
        .call = index,
        .delegate = delegate,
        .events = 1,
        .total = ticks,
        .self = ticks,
    };
    assert_int_equal(strings_add(pool, type.data, type.length, &sum->type), STATUS_OK);
    side->work += ticks;
    side->framework -= ticks;
    return sum;
}

static inline void move_to_calls(struct operators *side, int64_t ticks)
{
    side->calls += ticks;
    side->framework -= ticks;
}

static inline const struct bottleneck *bottleneck(const struct findings *findings, enum bottleneck_kind kind)
{
    for (size_t i = 0; i < findings->bottleneck_count; i++)
        if (findings->bottlenecks[i].kind == kind)
            return &findings->bottlenecks[i];
    return NULL;
}

/* An item of the advice, of those that save little too; NULL: none. */
static inline const struct advice_item *advice(const struct advised *advised, const char *title)
{
    const struct advice *all = &advised->advice;

    for (size_t i = 0; i < all->count + all->smaller; i++)
        if (strstr(all->items[i]->title, title))
            return all->items[i];
    return NULL;
}

static inline const struct next_step *step(const struct findings *findings, const char *title)
{
    for (size_t i = 0; i < findings->step_count; i++)
        if (strstr(findings->steps[i].title, title))
            return &findings->steps[i];
    return NULL;
}

static inline void expect_text(const char *text, const char *piece)
{
    assert_non_null(text);
    if (!strstr(text, piece))
        fail_msg("\"%s\" does not say \"%s\"", text, piece);
}

/* What holds for all findings, and for all advice. */
static inline void check(const struct findings *findings)
{
    for (size_t i = 0; i < findings->bottleneck_count; i++) {
        assert_non_null(findings->bottlenecks[i].text);
        assert_non_null(findings->bottlenecks[i].row.name);
        assert_non_null(bottleneck_title(findings->bottlenecks[i].kind));
        if (findings->bottlenecks[i].threshold > 0)
            assert_true(findings->bottlenecks[i].percent > findings->bottlenecks[i].threshold);
    }
    for (size_t i = 0; i < findings->shortfall_count; i++)
        for (int k = 0; k < CHECK_COUNT; k++) {
            assert_non_null(findings->shortfalls[i].checks[k].text);
            assert_non_null(check_question((enum check)k));
            assert_non_null(check_answer_key(findings->shortfalls[i].checks[k].answer));
        }
    for (size_t i = 0; i < findings->step_count; i++)
        assert_true(findings->steps[i].title && findings->steps[i].text);
}

static inline void check_advice(const struct advice *advice)
{
    double saved = 0, parts = 0;

    for (size_t i = 0; i < advice->count + advice->smaller; i++) {
        const struct advice_item *item = advice->items[i];

        assert_true(*item->title && *item->evidence && item->row_count);
        if (item == advice->dominant)
            continue;
        assert_true(item->saves_ns > 0 && *item->assumes);
        saved += item->saves_ns;
    }
    assert_true(saved <= advice->run_ns * (1 + 1e-9));
    for (size_t i = 0; i < advice->part_count; i++)
        parts += advice->parts[i].ns;
    if (advice->part_count)
        assert_true(fabs(parts - advice->run_ns) <= 1e-6 * advice->run_ns);
}

static inline void find(const struct findings_input *input, struct findings *findings)
{
    assert_int_equal(findings_find(input, findings), STATUS_OK);
    check(findings);
}

static inline void find_in(const struct operators *side, struct findings *findings)
{
    find(&(struct findings_input){ .candidate = { .operators = side } }, findings);
}

static inline void advise(const struct operators *side, struct advised *advised)
{
    assert_int_equal(rules_advise(&(struct rules_input){ .side = side, .name = "net" }, advised), STATUS_OK);
    check_advice(&advised->advice);
}

static inline void advise_pair(const struct findings_input *input, const struct findings *findings,
                               struct advised *advised)
{
    const struct rules_input about = {
        .side = input->candidate.operators, .name = "net", .pair = input, .findings = findings
    };

    assert_int_equal(rules_advise(&about, advised), STATUS_OK);
    check_advice(&advised->advice);
}

static inline void expect_saving(const struct advice_item *item, double ns)
{
    assert_non_null(item);
    assert_true(fabs(item->saves_ns - ns) <= 1);
}

static inline void add_call(struct operators *side, bool delegate, int64_t ticks)
{
    struct call_sum *call = column_append(&side->call_sums);

    assert_non_null(call);
    *call = (struct call_sum){ .delegate = delegate, .self = ticks };
    move_to_calls(side, ticks);
}

#endif
