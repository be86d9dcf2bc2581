/* latency_table.c: the numbers of latency.h as tables. */
#include <math.h>
#include <string.h>

#include "analyze/latency.h"
#include "base/memory.h"
#include "table/field.h"

static struct table_cell milliseconds(double ms)
{
    return ms < 9e12 ? cell_integer(llround(ms * 1e6)) : cell_null(); /* also for NAN */
}

static struct table_cell number_or_none(double value)
{
    return isnan(value) ? cell_null() : cell_decimal(value);
}

/* The context of all fields below. */
struct latency_rows {
    const struct latency_summary *baseline;  /* or the only side */
    const struct latency_summary *candidate; /* NULL: nothing is compared */
    unsigned shown[16];                      /* metrics that are known */
};

static status make_table(const struct latency_rows *context, size_t count, const struct field *fields,
                         const struct view *view, const struct view_request *request, struct table **table)
{
    const struct field_set set = { view->name, fields };
    const struct field_set *const sets[] = { &set, NULL };
    const struct view *const views[] = { view, NULL };
    const struct rows rows = { .entity = view->name, .sets = sets, .context = context, .count = count };

    return view_table(&rows, views, request, table);
}

static const char *role_of(const struct latency_rows *rows, bool candidate)
{
    return candidate ? "candidate" : rows->candidate ? "baseline" : "all";
}

/* ---- metrics ------------------------------------------------------------------------------------------------------- */

struct metric {
    const char *name; /* for people */
    size_t place;     /* of a double in the summary */
    bool ratio;       /* a speedup of it means something */
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

static const struct metric *metric_at(const void *context, size_t row)
{
    return &metrics[((const struct latency_rows *)context)->shown[row]];
}

static struct table_cell get_metric(const void *context, size_t row)
{
    return cell_text(metric_at(context, row)->name);
}

static struct table_cell get_baseline(const void *context, size_t row)
{
    return milliseconds(metric_of(((const struct latency_rows *)context)->baseline, metric_at(context, row)));
}

static struct table_cell get_candidate(const void *context, size_t row)
{
    return milliseconds(metric_of(((const struct latency_rows *)context)->candidate, metric_at(context, row)));
}

static struct table_cell get_speedup(const void *context, size_t row)
{
    const struct latency_rows *rows = context;
    const struct metric *metric = metric_at(context, row);

    return metric->ratio ? number_or_none(metric_of(rows->baseline, metric) / metric_of(rows->candidate, metric))
                         : cell_null();
}

static const struct field metric_fields[] = {
    { .key = "metric", .title = "Metric", .type = CELL_TEXT, .description = "What is measured.", .get = get_metric },
    { .key = "latency",
      .title = "Latency",
      .unit = "ns",
      .type = CELL_DURATION,
      .description = "Of the launches.",
      .get = get_baseline },
    { .key = "baseline",
      .title = "Baseline",
      .unit = "ns",
      .type = CELL_DURATION,
      .description = "Of the launches that are compared with.",
      .get = get_baseline },
    { .key = "candidate",
      .title = "Candidate",
      .unit = "ns",
      .type = CELL_DURATION,
      .description = "Of the launches that may be faster.",
      .get = get_candidate },
    { .key = "speedup",
      .title = "Baseline/candidate",
      .type = CELL_DECIMAL,
      .description = "Over 1: the candidate is faster.",
      .get = get_speedup },
    { 0 },
};

status latency_metrics_table(const struct latency_summary *baseline, const struct latency_summary *candidate,
                             struct table **result)
{
    static const char *const one[] = { "metric", "latency", NULL };
    static const char *const two[] = { "metric", "baseline", "candidate", "speedup", NULL };
    const struct view view = { .name = "metrics", .title = "Latency", .keys = candidate ? two : one };
    struct latency_rows rows = { baseline, candidate, { 0 } };
    size_t count = 0;

    _Static_assert(sizeof metrics / sizeof *metrics <= sizeof rows.shown / sizeof *rows.shown, "room for all metrics");
    for (unsigned i = 0; i < sizeof metrics / sizeof *metrics; i++)
        if (!isnan(metric_of(baseline, &metrics[i])) || !isnan(metric_of(candidate, &metrics[i])))
            rows.shown[count++] = i;
    return make_table(&rows, count, metric_fields, &view, NULL, result);
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

static const struct latency_summary *summary_at(const void *context, size_t row)
{
    const struct latency_rows *rows = context;

    return row ? rows->candidate : rows->baseline;
}

static struct table_cell get_side(const void *context, size_t row)
{
    return cell_text(role_of(context, row > 0));
}

static struct table_cell get_side_name(const void *context, size_t row)
{
    return cell_text(summary_at(context, row)->name);
}

static struct table_cell get_side_launches(const void *context, size_t row)
{
    return cell_integer((int64_t)summary_at(context, row)->launches);
}

static struct table_cell get_side_runs(const void *context, size_t row)
{
    return cell_integer((int64_t)summary_at(context, row)->runs);
}

static struct table_cell get_side_left_out(const void *context, size_t row)
{
    return cell_integer((int64_t)summary_at(context, row)->left_out);
}

static struct table_cell get_run_variation(const void *context, size_t row)
{
    return number_or_none(summary_at(context, row)->variation);
}

static struct table_cell get_launch_variation(const void *context, size_t row)
{
    return number_or_none(summary_at(context, row)->launch_variation);
}

static struct table_cell get_modes(const void *context, size_t row)
{
    return cell_integer(summary_at(context, row)->mode_count);
}

static struct table_cell get_drifting(const void *context, size_t row)
{
    const struct latency_summary *summary = summary_at(context, row);

    return cell_integer((int64_t)(summary->slower.launches + summary->faster.launches));
}

static const struct field side_fields[] = {
    { .key = "side", .title = "Side", .type = CELL_TEXT, .description = "Baseline or candidate.", .get = get_side },
    { .key = "name", .title = "Name", .type = CELL_TEXT, .description = "Of the side.", .get = get_side_name },
    { .key = "launches",
      .title = "Launches",
      .type = CELL_INTEGER,
      .description = "Launches of it.",
      .get = get_side_launches },
    { .key = "runs", .title = "Runs", .type = CELL_INTEGER, .description = "Runs that count.", .get = get_side_runs },
    { .key = "left_out",
      .title = "Left out",
      .type = CELL_INTEGER,
      .description = "Runs left out as warm-up.",
      .get = get_side_left_out },
    { .key = "run_cv",
      .title = "Run CV",
      .unit = "%",
      .type = CELL_PERCENT,
      .description = "Deviation over mean, all runs.",
      .get = get_run_variation },
    { .key = "launch_cv",
      .title = "Launch CV",
      .unit = "%",
      .type = CELL_PERCENT,
      .description = "Deviation over mean of the launch medians.",
      .get = get_launch_variation },
    { .key = "modes",
      .title = "Modes",
      .type = CELL_INTEGER,
      .optional = true,
      .description = "Groups of launches clearly apart.",
      .get = get_modes },
    { .key = "drifting",
      .title = "Drifting",
      .type = CELL_INTEGER,
      .optional = true,
      .description = "Launches whose runs have a trend.",
      .get = get_drifting },
    { 0 },
};

status latency_sides_table(const struct latency_summary *baseline, const struct latency_summary *candidate,
                           struct table **result)
{
    static const char *const keys[] = { "side",   "name",      "launches", "runs",     "left_out",
                                        "run_cv", "launch_cv", "modes",    "drifting", NULL };
    static const struct view view = { .name = "sides", .title = "Sides", .keys = keys };
    const struct latency_rows rows = { baseline, candidate, { 0 } };
    status code = make_table(&rows, candidate ? 2 : 1, side_fields, &view, NULL, result);

    if (code == STATUS_OK)
        note_remarks(*result, baseline, candidate);
    return code;
}

/* ---- launches ------------------------------------------------------------------------------------------------------ */

static bool is_of_candidate(const void *context, size_t row)
{
    return row >= ((const struct latency_rows *)context)->baseline->launches;
}

static const struct latency_process *process_at(const void *context, size_t row)
{
    const struct latency_rows *rows = context;

    return is_of_candidate(context, row) ? &rows->candidate->processes[row - rows->baseline->launches]
                                         : &rows->baseline->processes[row];
}

static struct table_cell get_launch_side(const void *context, size_t row)
{
    return cell_text(role_of(context, is_of_candidate(context, row)));
}

static struct table_cell get_launch(const void *context, size_t row)
{
    return cell_text(process_at(context, row)->name);
}

static struct table_cell get_runs(const void *context, size_t row)
{
    return cell_integer((int64_t)process_at(context, row)->runs);
}

static struct table_cell get_left_out(const void *context, size_t row)
{
    return cell_integer((int64_t)process_at(context, row)->left_out);
}

static struct table_cell get_median(const void *context, size_t row)
{
    return milliseconds(process_at(context, row)->median);
}

static struct table_cell get_min(const void *context, size_t row)
{
    return milliseconds(process_at(context, row)->least);
}

static struct table_cell get_max(const void *context, size_t row)
{
    return milliseconds(process_at(context, row)->most);
}

static struct table_cell get_deviation(const void *context, size_t row)
{
    return milliseconds(process_at(context, row)->deviation);
}

static struct table_cell get_mode(const void *context, size_t row)
{
    return cell_integer(process_at(context, row)->mode + 1);
}

static struct table_cell get_drift(const void *context, size_t row)
{
    double drift = process_at(context, row)->drift;

    return drift != 0 ? cell_decimal(drift * 100) : cell_null();
}

static const struct field launch_fields[] = {
    { .key = "side",
      .title = "Side",
      .type = CELL_TEXT,
      .description = "Baseline or candidate.",
      .get = get_launch_side },
    { .key = "launch",
      .title = "Launch",
      .type = CELL_TEXT,
      .description = "Its file, or its name in a table.",
      .get = get_launch },
    { .key = "runs", .title = "Runs", .type = CELL_INTEGER, .description = "Runs that count.", .get = get_runs },
    { .key = "left_out",
      .title = "Left out",
      .type = CELL_INTEGER,
      .optional = true,
      .description = "Runs left out as warm-up.",
      .get = get_left_out },
    { .key = "median",
      .title = "Median",
      .unit = "ns",
      .type = CELL_DURATION,
      .description = "Of its runs.",
      .get = get_median },
    { .key = "min",
      .title = "Min",
      .unit = "ns",
      .type = CELL_DURATION,
      .description = "The fastest run.",
      .get = get_min },
    { .key = "max",
      .title = "Max",
      .unit = "ns",
      .type = CELL_DURATION,
      .description = "The slowest run.",
      .get = get_max },
    { .key = "std_dev",
      .title = "Std dev",
      .unit = "ns",
      .type = CELL_DURATION,
      .optional = true,
      .description = "Of its runs.",
      .get = get_deviation },
    { .key = "mode",
      .title = "Mode",
      .type = CELL_INTEGER,
      .description = "1: the largest group of launches.",
      .get = get_mode },
    { .key = "drift",
      .title = "Drift",
      .unit = "%",
      .type = CELL_PERCENT,
      .description = "From the first third of the runs to the last, where they have a trend.",
      .get = get_drift },
    { 0 },
};

status latency_launches_table(const struct latency_summary *baseline, const struct latency_summary *candidate,
                              const struct view_request *request, struct table **result)
{
    static const char *const keys[] = { "side", "launch",  "runs", "left_out", "median", "min",
                                        "max",  "std_dev", "mode", "drift",    NULL };
    static const struct view view = { .name = "launches", .title = "Launches", .keys = keys };
    const struct latency_rows rows = { baseline, candidate, { 0 } };

    return make_table(&rows, baseline->launches + (candidate ? candidate->launches : 0), launch_fields, &view, request,
                      result);
}

/* ---- runs ---------------------------------------------------------------------------------------------------------- */

/* A run of a launch. */
struct run_row {
    const struct latency_launch *launch; /* borrowed */
    size_t run;                          /* in it */
    bool candidate;                      /* of the other side */
    bool counts;                         /* it is no warm-up */
};

struct run_rows {
    struct run_row *rows; /* owned */
    size_t count;         /* of rows */
    bool compared;        /* there are two sides */
};

static size_t runs_of(const struct latency_side *side)
{
    size_t count = 0;

    for (size_t i = 0; side && i < side->count; i++)
        count += side->launches[i].count;
    return count;
}

static void list_runs(struct run_rows *rows, const struct latency_side *side, size_t warmup, bool candidate)
{
    for (size_t i = 0; i < side->count; i++)
        for (size_t k = 0; k < side->launches[i].count; k++)
            rows->rows[rows->count++] = (struct run_row){ &side->launches[i], k, candidate, k >= warmup };
}

static const struct run_row *run_at(const void *context, size_t row)
{
    return &((const struct run_rows *)context)->rows[row];
}

static struct table_cell get_run_side(const void *context, size_t row)
{
    bool compared = ((const struct run_rows *)context)->compared;

    return cell_text(run_at(context, row)->candidate ? "candidate" : compared ? "baseline" : "all");
}

static struct table_cell get_run_launch(const void *context, size_t row)
{
    return cell_text(run_at(context, row)->launch->name);
}

static struct table_cell get_run_number(const void *context, size_t row)
{
    const struct run_row *run = run_at(context, row);

    return cell_integer((int64_t)(run->launch->runs ? run->launch->runs[run->run] : run->run) + 1);
}

static struct table_cell get_run_time(const void *context, size_t row)
{
    return milliseconds(run_at(context, row)->launch->ms[run_at(context, row)->run]);
}

static struct table_cell get_run_counts(const void *context, size_t row)
{
    return cell_boolean(run_at(context, row)->counts);
}

static const struct field run_fields[] = {
    { .key = "side", .title = "Side", .type = CELL_TEXT, .description = "Baseline or candidate.", .get = get_run_side },
    { .key = "launch",
      .title = "Launch",
      .type = CELL_TEXT,
      .description = "Its file, or its name in a table.",
      .get = get_run_launch },
    { .key = "run",
      .title = "Run",
      .type = CELL_INTEGER,
      .description = "In its file, from 1.",
      .get = get_run_number },
    { .key = "time",
      .title = "Time",
      .unit = "ns",
      .type = CELL_DURATION,
      .description = "Of the run.",
      .get = get_run_time },
    { .key = "counted",
      .title = "Counts",
      .type = CELL_BOOLEAN,
      .description = "It is no warm-up.",
      .get = get_run_counts },
    { 0 },
};

status latency_runs_table(const struct latency_side *baseline, const struct latency_summary *summary,
                          const struct latency_side *candidate, const struct latency_summary *other,
                          const struct view_request *request, struct table **result)
{
    static const struct view view = { .name = "runs", .title = "Runs" };
    static const struct field_set set = { "runs", run_fields };
    static const struct field_set *const sets[] = { &set, NULL };
    static const struct view *const views[] = { &view, NULL };
    struct run_rows list = { .compared = candidate };
    struct rows rows = { .entity = "runs", .sets = sets, .context = &list };
    status code;

    list.rows = memory_allocate((runs_of(baseline) + runs_of(candidate) + 1) * sizeof *list.rows);
    if (!list.rows)
        return status_no_memory("making a table");
    list_runs(&list, baseline, summary->warmup, false);
    if (candidate)
        list_runs(&list, candidate, other->warmup, true);
    rows.count = list.count;
    code = view_table(&rows, views, request, result);
    memory_free(list.rows);
    return code;
}
