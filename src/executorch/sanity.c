/* sanity.c: whether the numbers of a measurement can be true. */
#include "executorch/sanity.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>

enum { AGREEMENT = 5 /* percent */ };

const char *sanity_key(enum sanity_kind kind)
{
    static const char *const keys[] = {
#define X(name, key) key,
        SANITY_MAP(X)
#undef X
    };

    assert(kind < SANITY_COUNT);
    return keys[kind];
}

bool sanity_agrees(double measured_ms, double stated_ms)
{
    return fabs(measured_ms - stated_ms) <= AGREEMENT / 100.0 * fabs(stated_ms);
}

/* The largest categories: their time together, and their names. */
static int64_t top_categories(const struct operators *operators, char *names, size_t size)
{
    struct operator_group groups[CATEGORY_COUNT];
    size_t length = 0;
    int64_t together = 0;

    operators_by_category(operators, groups);
    names[0] = '\0';
    for (unsigned place = 0; place < SANITY_TOP; place++) {
        unsigned best = CATEGORY_COUNT;

        for (unsigned i = 0; i < CATEGORY_COUNT; i++)
            if (groups[i].total > 0 && (best == CATEGORY_COUNT || groups[i].total > groups[best].total))
                best = i;
        if (best == CATEGORY_COUNT)
            break;
        together += groups[best].total;
        groups[best].total = 0;
        if (length < size)
            length += (size_t)snprintf(names + length, size - length, "%s%s", place ? ", " : "",
                                       category_title((enum category)best));
    }
    return together;
}

static void check_over_categories(const struct operators *operators, struct sanity *check)
{
    char names[128];
    int64_t together = top_categories(operators, names, sizeof names);
    bool holds = operators->execute > together;

    check->answer = holds ? SANITY_HOLDS : SANITY_FAILS;
    snprintf(check->text, sizeof check->text, "latency %.3f ms is %s the sum of the top categories, %.3f ms (%s)",
             operators_average_ms(operators, operators->execute), holds ? "over" : "not over",
             operators_average_ms(operators, together), names);
}

/* Many small operators spend most of their time in the calls around them. That is no mistake where the parts are the whole: events that were
 * added up twice would show as a difference. */
static void check_under_operators(const struct operators *operators, struct sanity *check)
{
    bool holds = operators->execute / 3 < operators->work;

    if (!holds && !operators->overlapping && operators_accounted(operators) == operators->execute) {
        check->answer = SANITY_HOLDS;
        snprintf(check->text, sizeof check->text,
                 "latency %.3f ms is the sum of all operators, %.3f ms, and of what the runtime adds to them, %.3f ms",
                 operators_average_ms(operators, operators->execute), operators_average_ms(operators, operators->work),
                 operators_average_ms(operators, operators->execute - operators->work));
        return;
    }
    check->answer = holds ? SANITY_HOLDS : SANITY_FAILS;
    snprintf(check->text, sizeof check->text, "latency %.3f ms is %s three times the sum of all operators, %.3f ms",
             operators_average_ms(operators, operators->execute), holds ? "under" : "not under",
             operators_average_ms(operators, operators->work));
}

/* How far the runs of the worst launch lie apart, in percent of its median. */
static void check_steady(const struct latency_summary *latency, struct sanity *check)
{
    double worst = 0;
    char launches[64] = "";
    bool several = latency->launches > 1;

    for (size_t i = 0; i < latency->launches; i++) {
        const struct latency_process *process = &latency->processes[i];
        double spread = process->median > 0 ? (process->most - process->least) / process->median * 100 : 0;

        worst = spread > worst ? spread : worst;
    }
    if (several)
        snprintf(launches, sizeof launches, " in %zu launches", latency->launches);
    check->answer = worst <= SANITY_SPREAD ? SANITY_HOLDS : SANITY_DOUBTFUL;
    snprintf(check->text, sizeof check->text, "%zu runs%s lie within %.1f %% of %s%s%s", latency->runs, launches, worst,
             several ? "the others of their launch" : "each other", latency->left_out ? ", after warm-up" : "",
             worst <= SANITY_SPREAD ? "" : "; 20 % would be steady");
}

static void cannot_tell(struct sanity *check, const char *why)
{
    check->answer = SANITY_UNKNOWN;
    snprintf(check->text, sizeof check->text, "%s", why);
}

static void check_operators(const struct measurement *measurement, struct sanity checks[SANITY_COUNT])
{
    const struct operators *operators = &measurement->operators;

    if (measurement->operator_source != RUN_SOURCE_NONE && measurement->operator_source != RUN_SOURCE_OPS_STATS &&
        operators->inferences && !operators->no_clock && operators->work > 0) {
        check_over_categories(operators, &checks[SANITY_OVER_CATEGORIES]);
        check_under_operators(operators, &checks[SANITY_UNDER_OPERATORS]);
    } else {
        cannot_tell(&checks[SANITY_OVER_CATEGORIES], "the times of operators are not known");
        cannot_tell(&checks[SANITY_UNDER_OPERATORS], "the times of operators are not known");
    }
}

status sanity_check(const struct measurement *measurement, struct sanity checks[SANITY_COUNT])
{
    const struct latency_side side = { "", measurement->launches.times.items, measurement->launches.times.count };
    struct latency_options options = LATENCY_DEFAULTS;
    struct latency_summary latency;
    status code;

    check_operators(measurement, checks);
    cannot_tell(&checks[SANITY_STEADY], "there are no two runs to compare");
    if (!side.count)
        return STATUS_OK;
    options.warmup = measurement_warmup(measurement);
    code = latency_summarise(&side, &options, &latency);
    if (code == STATUS_OK && latency.runs > 1)
        check_steady(&latency, &checks[SANITY_STEADY]);
    latency_summary_free(&latency);
    return code;
}
