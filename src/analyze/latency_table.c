/* latency_table.c: the numbers of latency.h as tables. */
#include <math.h>
#include <string.h>

#include "analyze/latency.h"

static void set_ms(struct table *table, size_t column, double ms)
{
    if (ms < 9e12) /* also false for NAN */
        table_set_integer(table, column, llround(ms * 1e6));
}

static void set_number(struct table *table, size_t column, double value)
{
    if (!isnan(value))
        table_set_decimal(table, column, value);
}

static status finish(struct table *table, struct table **result)
{
    status code = table_status(table);

    if (code != STATUS_OK)
        table_free(table);
    else
        *result = table;
    return code;
}

/* ---- metrics ------------------------------------------------------------------------------------------------------- */

struct metric {
    const char *name;
    size_t place; /* of a double in the summary */
    bool ratio;   /* a speedup of it means something */
};

static const struct metric metrics[] = {
    { "Median of launches", offsetof(struct latency_summary, median), true },
    { "95 % CI, low", offsetof(struct latency_summary, interval.low), false },
    { "95 % CI, high", offsetof(struct latency_summary, interval.high), false },
    { "Mean of runs", offsetof(struct latency_summary, mean), true },
    { "Min", offsetof(struct latency_summary, least), true },
    { "Max", offsetof(struct latency_summary, most), true },
    { "Std dev", offsetof(struct latency_summary, deviation), false },
    { "p50", offsetof(struct latency_summary, quantiles[0]), true },
    { "p75", offsetof(struct latency_summary, quantiles[1]), true },
    { "p90", offsetof(struct latency_summary, quantiles[2]), true },
    { "p95", offsetof(struct latency_summary, quantiles[3]), true },
    { "p99", offsetof(struct latency_summary, quantiles[4]), true },
};

static double metric_of(const struct latency_summary *summary, const struct metric *metric)
{
    double value = NAN;

    if (summary)
        memcpy(&value, (const char *)summary + metric->place, sizeof value);
    return value;
}

status latency_metrics_table(const struct latency_summary *baseline, const struct latency_summary *candidate,
                             struct table **result)
{
    struct table *table = table_new("latency", "Latency");

    if (!table)
        return status_no_memory("making a table");
    table_add_column(table, (struct table_column){ .name = "metric", .title = "Metric", .type = CELL_TEXT });
    table_add_column(table, (struct table_column){ .name = candidate ? "baseline" : "latency",
                                                   .title = candidate ? "Baseline" : "Latency",
                                                   .unit = "ns",
                                                   .type = CELL_DURATION });
    if (candidate) {
        table_add_column(table, (struct table_column){
                                    .name = "candidate", .title = "Candidate", .unit = "ns", .type = CELL_DURATION });
        table_add_column(table, (struct table_column){ .name = "speedup",
                                                       .title = "Baseline/candidate",
                                                       .type = CELL_DECIMAL,
                                                       .description = "Over 1: the candidate is faster." });
    }
    for (size_t i = 0; i < sizeof metrics / sizeof *metrics; i++) {
        double one = metric_of(baseline, &metrics[i]), other = metric_of(candidate, &metrics[i]);

        if (isnan(one) && isnan(other))
            continue;
        table_add_row(table);
        table_set_text(table, 0, metrics[i].name);
        set_ms(table, 1, one);
        if (candidate)
            set_ms(table, 2, other);
        if (candidate && metrics[i].ratio)
            set_number(table, 3, one / other);
    }
    return finish(table, result);
}

/* ---- sides --------------------------------------------------------------------------------------------------------- */

static bool has_remark(const struct latency_summary *summary, const char *wanted)
{
    char remark[LATENCY_SENTENCE];

    for (unsigned i = 0; latency_remark(summary, i, remark); i++)
        if (strcmp(remark, wanted) == 0)
            return true;
    return false;
}

/* What is true of both sides is said once. */
static void note_remarks(struct table *table, const struct latency_summary *baseline,
                         const struct latency_summary *candidate)
{
    char remark[LATENCY_SENTENCE];

    for (unsigned i = 0; latency_remark(baseline, i, remark); i++) {
        if (!candidate || has_remark(candidate, remark))
            table_note(table, "%s", remark);
        else
            table_note(table, "%s: %s", baseline->name, remark);
    }
    for (unsigned i = 0; candidate && latency_remark(candidate, i, remark); i++)
        if (!has_remark(baseline, remark))
            table_note(table, "%s: %s", candidate->name, remark);
}

static void add_side(struct table *table, const struct latency_summary *summary, const char *role)
{
    table_add_row(table);
    table_set_text(table, 0, role);
    table_set_text(table, 1, summary->name);
    table_set_integer(table, 2, (int64_t)summary->launches);
    table_set_integer(table, 3, (int64_t)summary->runs);
    table_set_integer(table, 4, (int64_t)summary->left_out);
    set_number(table, 5, summary->variation);
    set_number(table, 6, summary->launch_variation);
    table_set_integer(table, 7, summary->mode_count);
    table_set_integer(table, 8, (int64_t)(summary->slower.launches + summary->faster.launches));
}

status latency_sides_table(const struct latency_summary *baseline, const struct latency_summary *candidate,
                           struct table **result)
{
    static const struct table_column columns[] = {
        { .name = "side", .title = "Side", .type = CELL_TEXT },
        { .name = "name", .title = "Name", .type = CELL_TEXT },
        { .name = "launches", .title = "Launches", .type = CELL_INTEGER },
        { .name = "runs", .title = "Runs", .type = CELL_INTEGER, .description = "Runs that count." },
        { .name = "left_out", .title = "Left out", .type = CELL_INTEGER, .description = "Runs left out as warm-up." },
        { .name = "run_cv",
          .title = "Run CV",
          .unit = "%",
          .type = CELL_PERCENT,
          .description = "Deviation over mean, all runs." },
        { .name = "launch_cv",
          .title = "Launch CV",
          .unit = "%",
          .type = CELL_PERCENT,
          .description = "Deviation over mean of the launch medians." },
        { .name = "modes",
          .title = "Modes",
          .type = CELL_INTEGER,
          .optional = true,
          .description = "Groups of launches clearly apart." },
        { .name = "drifting",
          .title = "Drifting",
          .type = CELL_INTEGER,
          .optional = true,
          .description = "Launches whose runs have a trend." },
    };
    struct table *table = table_new("sides", "Sides");

    if (!table)
        return status_no_memory("making a table");
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        table_add_column(table, columns[i]);
    add_side(table, baseline, candidate ? "baseline" : "all");
    if (candidate)
        add_side(table, candidate, "candidate");
    note_remarks(table, baseline, candidate);
    return finish(table, result);
}

/* ---- launches ------------------------------------------------------------------------------------------------------ */

static void add_launches(struct table *table, const struct latency_summary *summary, const char *role)
{
    for (size_t i = 0; i < summary->launches; i++) {
        const struct latency_process *process = &summary->processes[i];

        table_add_row(table);
        table_set_text(table, 0, role);
        table_set_text(table, 1, process->name);
        table_set_integer(table, 2, (int64_t)process->runs);
        table_set_integer(table, 3, (int64_t)process->left_out);
        set_ms(table, 4, process->median);
        set_ms(table, 5, process->least);
        set_ms(table, 6, process->most);
        set_ms(table, 7, process->deviation);
        table_set_integer(table, 8, process->mode + 1);
        if (process->drift != 0)
            table_set_decimal(table, 9, process->drift * 100);
    }
}

status latency_launches_table(const struct latency_summary *baseline, const struct latency_summary *candidate,
                              struct table **result)
{
    static const struct table_column columns[] = {
        { .name = "side", .title = "Side", .type = CELL_TEXT },
        { .name = "launch", .title = "Launch", .type = CELL_TEXT },
        { .name = "runs", .title = "Runs", .type = CELL_INTEGER },
        { .name = "left_out", .title = "Left out", .type = CELL_INTEGER, .optional = true },
        { .name = "median", .title = "Median", .unit = "ns", .type = CELL_DURATION },
        { .name = "min", .title = "Min", .unit = "ns", .type = CELL_DURATION },
        { .name = "max", .title = "Max", .unit = "ns", .type = CELL_DURATION },
        { .name = "std_dev", .title = "Std dev", .unit = "ns", .type = CELL_DURATION, .optional = true },
        { .name = "mode", .title = "Mode", .type = CELL_INTEGER, .description = "1: the largest group of launches." },
        { .name = "drift",
          .title = "Drift",
          .unit = "%",
          .type = CELL_PERCENT,
          .description = "From the first third of the runs to the last, where they have a trend." },
    };
    struct table *table = table_new("launches", "Launches");

    if (!table)
        return status_no_memory("making a table");
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        table_add_column(table, columns[i]);
    add_launches(table, baseline, candidate ? "baseline" : "all");
    if (candidate)
        add_launches(table, candidate, "candidate");
    return finish(table, result);
}
