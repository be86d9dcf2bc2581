/* findings_bottlenecks.c: sums and single operators over a threshold. */
#include <assert.h>

#include "base/number.h"
#include "executorch/findings_shared.h"

static double ms_of(const struct finder *finder, int64_t ticks)
{
    return operators_average_ms(finder->side, ticks);
}

static double percent_of(const struct finder *finder, int64_t ticks)
{
    return operators_percent(finder->side, ticks);
}

static struct bottleneck bottleneck_of_sum(struct finder *finder, enum bottleneck_kind kind, int64_t ticks,
                                           double threshold, uint32_t count)
{
    struct bottleneck found = {
        .kind = kind,
        .ms = ms_of(finder, ticks),
        .percent = percent_of(finder, ticks),
        .threshold = threshold,
    };

    found.row = (struct findings_row){
        .op = NO_ID,
        .name = bottleneck_title(kind),
        .count = count,
        .ms = found.ms,
        .percent = found.percent,
    };
    return found;
}

/* ---- Categories ---- */

/* What the baseline's share was: a share that grew says that the bottleneck moved. */
static const char *say_shift(struct finder *finder, enum category category, double percent)
{
    struct operator_group groups[CATEGORY_COUNT];
    double before;

    if (!finder->base)
        return "";
    operators_by_category(finder->base, groups);
    before = operators_percent(finder->base, groups[category].total);
    if (percent - before > 1)
        return say(finder, " Its share was %.1f %% in the baseline: the rest became faster, this did not.", before);
    return before - percent > 1 ? say(finder, " Its share was %.1f %% in the baseline.", before) : "";
}

static void find_category(struct finder *finder, enum category category, enum bottleneck_kind kind,
                          const struct operator_group *group)
{
    struct bottleneck found = bottleneck_of_sum(finder, kind, group->total, CATEGORY_PERCENT, group->operators);
    const char *portable = "";

    if (found.percent <= CATEGORY_PERCENT)
        return;
    if (group->portable > 0)
        portable = say(finder, " %s of it runs in portable operators.",
                       group->portable == group->total ? "All" : say_ms(finder, ms_of(finder, group->portable)));
    found.text = say(finder, "%u %s of the category %s %s %s, %.1f %% of Method::execute.%s%s", group->operators,
                     plural(group->operators, "operator", "operators"), category_title(category),
                     plural(group->operators, "takes", "take"), say_ms(finder, found.ms), found.percent, portable,
                     say_shift(finder, category, found.percent));
    if (finder->base) {
        struct operator_group groups[CATEGORY_COUNT];

        operators_by_category(finder->base, groups);
        found.row.baseline_ms = operators_average_ms(finder->base, groups[category].total);
        found.row.speedup = operators_speedup(found.row.baseline_ms, found.ms);
    }
    add_bottleneck(finder, found);
}

static void find_portable_share(struct finder *finder, const struct operator_group *groups)
{
    struct bottleneck found;
    int64_t portable = 0;
    enum { NAMED = 4 };
    uint32_t count = 0, longest[NAMED], listed = 0;

    for (int i = 0; i < CATEGORY_COUNT; i++)
        portable = number_add(portable, groups[i].portable);
    for (size_t i = 0; i < finder->work; i++) {
        if (sum_at(finder, finder->order[i])->event != EVENT_PORTABLE)
            continue;
        count++;
        if (listed < NAMED)
            longest[listed++] = finder->order[i];
    }
    found = bottleneck_of_sum(finder, BOTTLENECK_PORTABLE_SHARE, portable, OPERATOR_PERCENT, count);
    if (found.percent <= OPERATOR_PERCENT)
        return;
    found.portable = found.row.portable = true;
    found.text =
        say(finder, "%u portable %s %s %s, %.1f %% of Method::execute; the %u delegated ones take %s. The longest: %s.",
            count, plural(count, "operator", "operators"), plural(count, "takes", "take"), say_ms(finder, found.ms),
            found.percent, finder->delegated, say_ms(finder, ms_of(finder, number_add(finder->side->work, -portable))),
            say_operations(finder, longest, listed));
    add_bottleneck(finder, found);
}

/* ---- Delegates ---- */

/* Portable operators that lie between two delegates; `members` has room for all of them. */
static size_t between_delegates(const struct finder *finder, uint32_t *members, int64_t *total)
{
    size_t kept = 0, met = 0;
    bool inside = false;

    assert(members && total);
    /* Sums are in execution order; what comes after the last delegate is dropped again. */
    for (size_t i = 0; i < finder->side->sums.count; i++) {
        const struct operator_sum *sum = operators_at(finder->side, i);

        if (sum->event == EVENT_DELEGATED) {
            inside = true;
            kept = met;
        } else if (sum->event == EVENT_PORTABLE && inside) {
            members[met++] = (uint32_t)i;
        }
    }
    *total = 0;
    for (size_t i = 0; i < kept; i++)
        *total = number_add(*total, sum_at(finder, members[i])->total);
    return kept;
}

static void find_broken_graph(struct finder *finder)
{
    uint32_t *members =
        arena_allocate(&finder->findings->arena, (finder->work + 1) * sizeof *members, _Alignof(uint32_t));
    struct bottleneck found;
    int64_t total;
    size_t count;

    if (!members) {
        finder->code = status_no_memory("looking for bottlenecks");
        return;
    }
    count = between_delegates(finder, members, &total);
    found = bottleneck_of_sum(finder, BOTTLENECK_DELEGATES, number_add(total, finder->side->calls), OVERHEAD_PERCENT,
                              (uint32_t)count);
    if (!count || finder->delegates < 2 || found.percent <= OVERHEAD_PERCENT)
        return;
    found.text =
        say(finder,
            "%u delegates with %zu portable %s between them (%s): %s in those operators and %s in the calls of the "
            "runtime, together %.1f %% of Method::execute.",
            finder->delegates, count, plural(count, "operator", "operators"), say_operations(finder, members, count),
            say_ms(finder, ms_of(finder, total)), say_ms(finder, ms_of(finder, finder->side->calls)), found.percent);
    add_bottleneck(finder, found);
}

/* ---- The runtime ---- */

static uint32_t count_calls(const struct finder *finder)
{
    uint32_t calls = 0;

    for (size_t i = 0; i < finder->side->sums.count; i++) {
        const struct operator_sum *sum = operators_at(finder->side, i);

        if (sum->call != NO_ID && sum->call >= calls)
            calls = sum->call + 1;
    }
    return calls;
}

static void find_runtime(struct finder *finder)
{
    uint32_t calls = count_calls(finder);
    struct bottleneck found = bottleneck_of_sum(finder, BOTTLENECK_CALLS, finder->side->calls, OVERHEAD_PERCENT, calls);
    int64_t framework = number_add(finder->side->framework, finder->side->control);

    if (found.percent > OVERHEAD_PERCENT) {
        found.text =
            say(finder,
                "%u %s of the runtime take %s beside the operators in them, %.1f %% of Method::execute; %u of them "
                "%s a delegate.",
                calls, plural(calls, "call", "calls"), say_ms(finder, found.ms), found.percent, finder->delegates,
                plural(finder->delegates, "enters", "enter"));
        add_bottleneck(finder, found);
    }
    found = bottleneck_of_sum(finder, BOTTLENECK_FRAMEWORK, framework, OVERHEAD_PERCENT, 0);
    if (found.percent > OVERHEAD_PERCENT) {
        found.text = say(
            finder,
            "Method::execute itself takes %s and control flow %s outside of every call: %.1f %% of Method::execute.",
            say_ms(finder, ms_of(finder, finder->side->framework)),
            say_ms(finder, ms_of(finder, finder->side->control)), found.percent);
        add_bottleneck(finder, found);
    }
}

/* ---- Single operators ---- */

static const char *say_comparison(struct finder *finder, const struct findings_row *row, bool gained_little)
{
    if (row->speedup <= 0)
        return "";
    return say(finder, " %s in the baseline: %.2fx%s.", say_ms(finder, row->baseline_ms), row->speedup,
               !gained_little                                 ? ""
               : finder->findings->nature == PAIR_SME2_ABSENT ? ", without an SME2 kernel"
                                                              : ", less than SME2 should give");
}

static void find_operator(struct finder *finder, uint32_t op)
{
    struct bottleneck found = {
        .kind = BOTTLENECK_OPERATOR,
        .ms = ms_at(finder, op),
        .percent = percent_at(finder, op),
        .threshold = OPERATOR_PERCENT,
        .row = row_of(finder, op),
        .portable = sum_at(finder, op)->event == EVENT_PORTABLE,
        .not_accelerated = is_short(finder, op),
    };

    found.text =
        say(finder, "%s%s takes %s, %.1f %% of Method::execute%s.%s%s", found.row.name, say_place(finder, &found.row),
            say_ms(finder, found.ms), found.percent, found.portable ? ", in a portable kernel" : "",
            say_comparison(finder, &found.row, found.not_accelerated),
            found.row.gflops > 0 ? say(finder, " It runs at %.1f GFLOP/s.", found.row.gflops) : "");
    add_bottleneck(finder, found);
}

void find_bottlenecks(struct finder *finder)
{
    struct operator_group groups[CATEGORY_COUNT];

    operators_by_category(finder->side, groups);
    find_category(finder, CATEGORY_DATA_MOVEMENT, BOTTLENECK_DATA_MOVEMENT, &groups[CATEGORY_DATA_MOVEMENT]);
    find_category(finder, CATEGORY_OTHER, BOTTLENECK_OTHER, &groups[CATEGORY_OTHER]);
    find_portable_share(finder, groups);
    find_broken_graph(finder);
    find_runtime(finder);
    for (size_t i = 0; i < finder->work && percent_at(finder, finder->order[i]) > OPERATOR_PERCENT; i++)
        find_operator(finder, finder->order[i]);
}
