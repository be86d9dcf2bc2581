/* breakdown.c: time by operator, by what operators have in common, or by engine. */
#include "analyze/breakdown.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/operator_time.h"
#include "base/memory.h"
#include "base/number.h"

/* What one operator did, by group of engines. An operator is on a handful of tracks as a rule and its sets are borrowed; on
 * more than one sweep takes, the sets of a group are merged first. */
enum { MOST_BORROWED = 24 };

struct work {
    const struct intervals *sets[MOST_BORROWED + 4]; /* what is swept */
    struct intervals merged[4];                      /* by enum engine_group: TRANSFER, COMPUTE, JOB, HOST */
    uint32_t bits[4];                                /* which sets belong to each of these groups */
    unsigned count;                                  /* of sets */
    struct breakdown_row *row;                       /* that is filled */
};

static void add_stretch(void *context, uint64_t active, int64_t start, int64_t end)
{
    struct work *work = context;
    int64_t length = end - start;

    assert(active && start < end);
    work->row->total += length;
    work->row->transfer += active & work->bits[GROUP_TRANSFER] ? length : 0;
    work->row->compute += active & work->bits[GROUP_COMPUTE] ? length : 0;
    work->row->host += active & work->bits[GROUP_HOST] ? length : 0;
}

static status add_share(struct work *work, enum engine_group group, const struct intervals *set)
{
    assert(work->count <= MOST_BORROWED && group <= GROUP_HOST && "only the first four groups work");
    if (work->count < MOST_BORROWED) {
        work->bits[group] |= 1u << work->count;
        work->sets[work->count++] = set;
        return STATUS_OK;
    }
    return intervals_add_all(&work->merged[group], set);
}

/* Fill a row from the shares of its operator under `process`; no slices: it has none there. */
static status measure(const struct busy *busy, track_id process, operator_id op, struct breakdown_row *row)
{
    struct work work = { .row = row };
    status code = STATUS_OK;

    assert(op == NO_ID || op < busy->operators.count);
    *row = (struct breakdown_row){ .op = op, .count = 1 };
    for (uint32_t i = operator_first_share(busy, op); i != NO_ID && code == STATUS_OK; i = busy_share(busy, i)->next) {
        const struct busy_share *share = busy_share(busy, i);
        const struct busy_track *track = busy_track(busy, share->track);
        enum engine_group group = engine_group(track->track.engine);

        if (track->process != process || !track->work)
            continue;
        row->slices += share->slices;
        row->bytes = number_add(row->bytes, share->bytes);
        row->macs = number_add(row->macs, share->macs);
        code = add_share(&work, group, &share->set);
    }
    for (unsigned group = 0; group < 4; group++) {
        if (code == STATUS_OK)
            code = intervals_settle(&work.merged[group]);
        work.bits[group] |= 1u << work.count;
        work.sets[work.count++] = &work.merged[group];
    }
    if (code == STATUS_OK)
        intervals_sweep(work.sets, work.count, add_stretch, &work);
    for (unsigned group = 0; group < 4; group++)
        intervals_free(&work.merged[group]);
    return code;
}

static int by_total(const void *left, const void *right)
{
    const struct breakdown_row *a = left, *b = right;

    if (a->total != b->total)
        return a->total > b->total ? -1 : 1;
    return (a->op > b->op) - (a->op < b->op);
}

status breakdown_operators(const struct busy *busy, track_id process, struct breakdown *breakdown)
{
    size_t capacity = 0, operators = busy->operators.count;

    assert(process < busy->tracks.count);
    assert(busy_track(busy, process)->process == process && "a breakdown is of a whole input");
    *breakdown = (struct breakdown){ 0 };
    for (size_t i = 0; i <= operators; i++) {
        struct breakdown_row row;
        status code = measure(busy, process, i < operators ? (operator_id)i : NO_ID, &row);

        if (code == STATUS_OK && !row.slices)
            continue;
        if (code == STATUS_OK)
            code = memory_grow(&breakdown->rows, &capacity, breakdown->count + 1, sizeof *breakdown->rows);
        if (code != STATUS_OK) {
            breakdown_free(breakdown);
            return code;
        }
        breakdown->rows[breakdown->count++] = row;
    }
    if (breakdown->count)
        qsort(breakdown->rows, breakdown->count, sizeof *breakdown->rows, by_total);
    return STATUS_OK;
}

void breakdown_free(struct breakdown *breakdown)
{
    memory_free(breakdown->rows);
    *breakdown = (struct breakdown){ 0 };
}

static const struct op *operator_of(const struct busy *busy, const struct breakdown_row *row)
{
    static const struct op nothing;

    assert(row->op == NO_ID || row->op < busy->operators.count);
    return row->op == NO_ID ? &nothing : &busy_operator(busy, row->op)->op;
}

/* ---- Own times ---- */

static status find_own_times(struct breakdown *breakdown, track_id process)
{
    const struct operator_time time = { .busy = breakdown->busy,
                                        .process = process,
                                        .device_first = breakdown->metrics && breakdown->metrics->set->device_first };
    operator_id *operators = memory_allocate((breakdown->count + 1) * sizeof *operators);
    int64_t *own = memory_allocate((breakdown->count + 1) * sizeof *own);
    status code = operators && own ? STATUS_OK : status_no_memory("adding up operators");

    for (size_t i = 0; i < breakdown->count && code == STATUS_OK; i++)
        operators[i] = breakdown->rows[i].op;
    if (code == STATUS_OK)
        code = operator_own_times(&time, operators, breakdown->count, own);
    for (size_t i = 0; i < breakdown->count && code == STATUS_OK; i++)
        breakdown->rows[i].own = own[i];
    memory_free(operators);
    memory_free(own);
    return code;
}

/* ---- What is left ---- */

static status add_rest(struct breakdown *breakdown, enum breakdown_kind kind, int64_t ticks)
{
    size_t capacity = breakdown->count;
    status code = memory_grow(&breakdown->rows, &capacity, breakdown->count + 1, sizeof *breakdown->rows);

    if (code == STATUS_OK)
        breakdown->rows[breakdown->count++] =
            (struct breakdown_row){ .kind = kind, .op = NO_ID, .total = ticks, .own = ticks };
    return code;
}

/* Of one run: the mean of those that count. */
static int64_t run_ns(const struct breakdown *breakdown, int64_t ticks)
{
    assert(breakdown->metrics && "rows alone are not shown");
    return clock_span_ns(&breakdown->metrics->clock, ticks) / (int64_t)breakdown->metrics->runs;
}

/* Rounds sums, not the rows: each row is what its sum is more than the one before. Engines work beside each other: their times have no sum. */
static void round_own_times(struct breakdown *breakdown)
{
    int64_t sum = 0;

    for (size_t i = 0; i < breakdown->count; i++) {
        int64_t before = breakdown->by == BREAKDOWN_ENGINE ? 0 : sum;

        sum = number_add(before, breakdown->rows[i].own);
        breakdown->rows[i].own_ns = number_add(run_ns(breakdown, sum), -run_ns(breakdown, before));
    }
}

static status add_rests(struct breakdown *breakdown)
{
    int64_t idle = metrics_ticks(breakdown->metrics, &metric_idle);
    int64_t rest = metrics_ticks(breakdown->metrics, &metric_overall) - idle;
    status code = STATUS_OK;

    for (size_t i = 0; i < breakdown->count; i++)
        rest -= breakdown->rows[i].own;
    if (rest > 0)
        code = add_rest(breakdown, ROW_BETWEEN, rest);
    if (idle > 0 && code == STATUS_OK)
        code = add_rest(breakdown, ROW_IDLE, idle);
    return code;
}

/* ---- What operators have in common ---- */

/* What a row is called; 0: not known. */
static string_id common_name(const struct breakdown *breakdown, const struct breakdown_row *row)
{
    const struct op *op = operator_of(breakdown->busy, row);

    switch (breakdown->by) {
    case BREAKDOWN_TYPE:
        return op->type;
    case BREAKDOWN_MODULE:
        return op->module;
    case BREAKDOWN_KERNEL:
        return op->kernel;
    default:
        return op->category;
    }
}

/* Operators of which it is not known go together. */
static int by_name(const void *left, const void *right, void *context)
{
    string_id one = common_name(context, left), other = common_name(context, right);

    return (one > other) - (one < other);
}

static void add_row(struct breakdown_row *sum, const struct breakdown_row *row)
{
    sum->count += row->count;
    sum->total = number_add(sum->total, row->total);
    sum->own = number_add(sum->own, row->own);
    sum->transfer = number_add(sum->transfer, row->transfer);
    sum->compute = number_add(sum->compute, row->compute);
    sum->host = number_add(sum->host, row->host);
    sum->bytes = number_add(sum->bytes, row->bytes);
    sum->macs = number_add(sum->macs, row->macs);
    sum->slices += row->slices;
}

/* Rows of the same name become one. */
static void merge_rows(struct breakdown *breakdown)
{
    size_t kept = 0;

    if (breakdown->count)
        qsort_r(breakdown->rows, breakdown->count, sizeof *breakdown->rows, by_name, breakdown);
    for (size_t i = 0; i < breakdown->count; i++) {
        if (kept && by_name(&breakdown->rows[kept - 1], &breakdown->rows[i], breakdown) == 0)
            add_row(&breakdown->rows[kept - 1], &breakdown->rows[i]);
        else
            breakdown->rows[kept++] = breakdown->rows[i];
    }
    assert(kept <= breakdown->count);
    breakdown->count = kept;
    if (kept)
        qsort(breakdown->rows, kept, sizeof *breakdown->rows, by_total);
}

/* A row per track, which stands in the place of the operator. */
static status measure_engines(const struct busy *busy, track_id process, struct breakdown *breakdown)
{
    size_t capacity = 0;

    for (size_t i = 0; i < busy->tracks.count; i++) {
        const struct busy_track *track = busy_track(busy, (track_id)i);
        enum engine_group group = engine_group(track->track.engine);
        struct breakdown_row row = { .op = (track_id)i, .slices = track->slices, .bytes = track->bytes };

        if (!track->kept || track->process != process)
            continue;
        row.total = row.own = intervals_length(&track->set);
        row.transfer = group == GROUP_TRANSFER ? row.total : 0;
        row.compute = group == GROUP_COMPUTE ? row.total : 0;
        row.host = group == GROUP_HOST ? row.total : 0;
        if (memory_grow(&breakdown->rows, &capacity, breakdown->count + 1, sizeof row) != STATUS_OK)
            return STATUS_MEMORY;
        breakdown->rows[breakdown->count++] = row;
    }
    if (breakdown->count)
        qsort(breakdown->rows, breakdown->count, sizeof *breakdown->rows, by_total);
    return STATUS_OK;
}

/* Engines of one title share a line of a trace, but an estimate tells them apart. */
const char *breakdown_engine(const struct track *track, const struct metrics *metrics, const struct strings *strings)
{
    assert(track->engine && metrics && strings);
    return metrics->estimated && track->engine->part ? track->engine->part : strings_text(strings, track->name);
}

status breakdown_make(const struct busy *busy, track_id process, const struct metrics *metrics,
                      const struct strings *strings, enum breakdown_by by, struct breakdown *breakdown)
{
    status code;

    assert(process < busy->tracks.count && by <= BREAKDOWN_ENGINE);
    *breakdown = (struct breakdown){ 0 };
    code = by == BREAKDOWN_ENGINE ? measure_engines(busy, process, breakdown)
                                  : breakdown_operators(busy, process, breakdown);
    breakdown->by = by;
    breakdown->busy = busy;
    breakdown->metrics = metrics;
    breakdown->strings = strings;
    if (code == STATUS_OK && by != BREAKDOWN_ENGINE)
        code = find_own_times(breakdown, process);
    if (code == STATUS_OK && by >= BREAKDOWN_TYPE && by <= BREAKDOWN_CATEGORY)
        merge_rows(breakdown);
    if (code == STATUS_OK && by != BREAKDOWN_ENGINE && metrics)
        code = add_rests(breakdown);
    if (code == STATUS_OK && metrics)
        round_own_times(breakdown);
    return code;
}

/* ---- Fields ------------------------------------------------------------------------------------------------------- */

static const struct breakdown_row *row_at(const void *context, size_t row)
{
    assert(row < ((const struct breakdown *)context)->count);
    return &((const struct breakdown *)context)->rows[row];
}

static struct table_cell cell_span(const struct breakdown *breakdown, int64_t ticks)
{
    return cell_integer(run_ns(breakdown, ticks));
}

/* What a row without operators is called; NULL: it has some. */
static const char *rest_name(const void *context, size_t row)
{
    enum breakdown_kind kind = row_at(context, row)->kind;

    return kind == ROW_IDLE ? "(idle)" : kind == ROW_BETWEEN ? "(in no operator)" : NULL;
}

/* The same of what is counted: runs do the same work, so that as a rule nothing is rounded. */
static struct table_cell cell_count(const struct breakdown *breakdown, int64_t count)
{
    int64_t runs = (int64_t)breakdown->metrics->runs;

    return cell_integer((count + runs / 2) / runs);
}

static bool is_rest(const void *context, size_t row)
{
    return row_at(context, row)->kind != ROW_WORK;
}

static struct table_cell get_operator(const void *context, size_t row)
{
    const struct breakdown *breakdown = context;
    string_id name = operator_of(breakdown->busy, row_at(context, row))->name;
    const char *rest = rest_name(context, row);

    return cell_text(rest ? rest : name ? strings_text(breakdown->strings, name) : "(no operator)");
}

static struct table_cell get_place(const void *context, size_t row)
{
    const struct breakdown *breakdown = context;
    const struct op *op = operator_of(breakdown->busy, row_at(context, row));
    string_id place = op->place ? op->place : op->location;
    const char *rest = rest_name(context, row);

    return cell_text(rest ? rest : place ? strings_text(breakdown->strings, place) : "(no location)");
}

static struct table_cell cell_name(const void *context, string_id name)
{
    return name ? cell_text(strings_text(((const struct breakdown *)context)->strings, name)) : cell_null();
}

static struct table_cell get_type(const void *context, size_t row)
{
    return cell_name(context, operator_of(((const struct breakdown *)context)->busy, row_at(context, row))->type);
}

static struct table_cell get_module(const void *context, size_t row)
{
    return cell_name(context, operator_of(((const struct breakdown *)context)->busy, row_at(context, row))->module);
}

static struct table_cell get_kernel(const void *context, size_t row)
{
    return cell_name(context, operator_of(((const struct breakdown *)context)->busy, row_at(context, row))->kernel);
}

static struct table_cell get_category(const void *context, size_t row)
{
    return cell_name(context, operator_of(((const struct breakdown *)context)->busy, row_at(context, row))->category);
}

/* The one that worked longest for it. */
static struct table_cell get_main_engine(const void *context, size_t row)
{
    const struct breakdown *breakdown = context;
    const struct breakdown_row *own = row_at(context, row);
    const struct busy_share *best = NULL;
    uint32_t first =
        own->op == NO_ID ? breakdown->busy->unattributed : busy_operator(breakdown->busy, own->op)->first_share;

    if (own->kind != ROW_WORK)
        return cell_null();
    for (uint32_t i = first; i != NO_ID; i = busy_share(breakdown->busy, i)->next) {
        const struct busy_share *share = busy_share(breakdown->busy, i);

        if (busy_track(breakdown->busy, share->track)->work &&
            (!best || intervals_length(&share->set) > intervals_length(&best->set)))
            best = share;
    }
    return best ? cell_text(breakdown_engine(&busy_track(breakdown->busy, best->track)->track, breakdown->metrics,
                                             breakdown->strings))
                : cell_null();
}

static struct table_cell get_shapes(const void *context, size_t row)
{
    return cell_name(context, operator_of(((const struct breakdown *)context)->busy, row_at(context, row))->shapes);
}

/* Rows are called so. */
static struct table_cell get_common(const void *context, size_t row)
{
    struct table_cell cell = cell_name(context, common_name(context, row_at(context, row)));

    return rest_name(context, row) ? cell_text(rest_name(context, row)) : cell.null ? cell_text("(not known)") : cell;
}

static struct table_cell get_engine(const void *context, size_t row)
{
    const struct breakdown *breakdown = context;
    const struct track *track = &busy_track(breakdown->busy, row_at(context, row)->op)->track;

    return cell_text(breakdown_engine(track, breakdown->metrics, breakdown->strings));
}

static struct table_cell get_total(const void *context, size_t row)
{
    return cell_span(context, row_at(context, row)->total);
}

static struct table_cell get_own(const void *context, size_t row)
{
    return cell_integer(row_at(context, row)->own_ns);
}

static struct table_cell get_operators(const void *context, size_t row)
{
    return is_rest(context, row) ? cell_null() : cell_integer(row_at(context, row)->count);
}

/* Two for each multiplication with its addition. */
static struct table_cell get_flops(const void *context, size_t row)
{
    int64_t macs = row_at(context, row)->macs;

    return macs ? cell_count(context, number_add(macs, macs)) : cell_null();
}

static struct table_cell get_gflops(const void *context, size_t row)
{
    const struct breakdown *breakdown = context;
    const struct breakdown_row *own = row_at(context, row);
    /* What the host does for an operator, such as calling it, is no part of what its engine can do in a second. */
    int64_t ns = clock_span_ns(&breakdown->metrics->clock, own->host && own->compute ? own->compute : own->total);

    return own->macs && ns > 0 ? cell_decimal(2.0 * (double)own->macs / (double)ns) : cell_null();
}

/* Of transfers while they run. */
static struct table_cell get_gigabytes(const void *context, size_t row)
{
    const struct breakdown *breakdown = context;
    const struct breakdown_row *own = row_at(context, row);
    int64_t ns = clock_span_ns(&breakdown->metrics->clock, own->transfer);

    return own->bytes && ns > 0 ? cell_decimal((double)own->bytes / (double)ns) : cell_null();
}

static struct table_cell get_percent(const void *context, size_t row)
{
    const struct breakdown *breakdown = context;
    int64_t whole = metrics_ticks(breakdown->metrics, &metric_overall);

    return cell_decimal(whole ? 100.0 * (double)row_at(context, row)->total / (double)whole : 0);
}

/* What encloses other work, such as an initialisation, may lie outside the whole and has no share of it. */
static struct table_cell get_engine_percent(const void *context, size_t row)
{
    const struct breakdown *breakdown = context;
    const struct track *track = &busy_track(breakdown->busy, row_at(context, row)->op)->track;

    return engine_group(track->engine) == GROUP_ENVELOPE ? cell_null() : get_percent(context, row);
}

static struct table_cell get_transfer(const void *context, size_t row)
{
    return is_rest(context, row) ? cell_null() : cell_span(context, row_at(context, row)->transfer);
}

static struct table_cell get_compute(const void *context, size_t row)
{
    return is_rest(context, row) ? cell_null() : cell_span(context, row_at(context, row)->compute);
}

static struct table_cell get_host(const void *context, size_t row)
{
    return is_rest(context, row) ? cell_null() : cell_span(context, row_at(context, row)->host);
}

static struct table_cell get_bytes(const void *context, size_t row)
{
    return is_rest(context, row) ? cell_null() : cell_count(context, row_at(context, row)->bytes);
}

static struct table_cell get_slices(const void *context, size_t row)
{
    return is_rest(context, row) ? cell_null() : cell_count(context, (int64_t)row_at(context, row)->slices);
}

/* By whole counts: a mean of what is a mean already would be rounded twice. */
static struct table_cell get_each(const void *context, size_t row)
{
    const struct breakdown *breakdown = context;
    uint64_t slices = row_at(context, row)->slices;
    double all = (double)run_ns(breakdown, row_at(context, row)->total) * (double)breakdown->metrics->runs;

    return is_rest(context, row) || !slices ? cell_null() : cell_integer((int64_t)(all / (double)slices + 0.5));
}

static struct table_cell get_location(const void *context, size_t row)
{
    const struct breakdown *breakdown = context;
    string_id location = operator_of(breakdown->busy, row_at(context, row))->location;

    return location ? cell_text(strings_text(breakdown->strings, location)) : cell_null();
}

static struct table_cell get_file(const void *context, size_t row)
{
    const struct breakdown *breakdown = context;
    string_id file = operator_of(breakdown->busy, row_at(context, row))->file;

    return file ? cell_text(strings_text(breakdown->strings, file)) : cell_null();
}

static struct table_cell get_line(const void *context, size_t row)
{
    const struct breakdown *breakdown = context;
    uint32_t line = operator_of(breakdown->busy, row_at(context, row))->line;

    return line ? cell_integer(line) : cell_null();
}

/* A field that is called so: who has the time of what. */
#define NAMED(name, words, says, function)                                                   \
    {                                                                                        \
        .key = name, .title = words, .type = CELL_TEXT, .description = says, .get = function \
    }
/* The times and counts of every kind. */
#define MEASURED(percent)                                                                                            \
    { .key = "total_time",                                                                                           \
      .title = "Time",                                                                                               \
      .unit = "ns",                                                                                                  \
      .type = CELL_DURATION,                                                                                         \
      .description = "time in which something worked for it",                                                        \
      .get = get_total },                                                                                            \
        { .key = "self_time",                                                                                        \
          .title = "Self",                                                                                           \
          .unit = "ns",                                                                                              \
          .type = CELL_DURATION,                                                                                     \
          .description = "its own: time in which several work is shared out; all of it and idle are the whole",      \
          .get = get_own },                                                                                          \
        { .key = "percent",                                                                                          \
          .title = "Share",                                                                                          \
          .unit = "%",                                                                                               \
          .type = CELL_PERCENT,                                                                                      \
          .bar = true,                                                                                               \
          .description = "of the whole, from first start to last end",                                               \
          .get = percent },                                                                                          \
        { .key = "transfer_time",                                                                                    \
          .title = "Transfer",                                                                                       \
          .unit = "ns",                                                                                              \
          .type = CELL_DURATION,                                                                                     \
          .optional = true,                                                                                          \
          .description = "time in which its data was moved",                                                         \
          .get = get_transfer },                                                                                     \
        { .key = "compute_time",                                                                                     \
          .title = "Compute",                                                                                        \
          .unit = "ns",                                                                                              \
          .type = CELL_DURATION,                                                                                     \
          .optional = true,                                                                                          \
          .description = "time in which an engine computed it",                                                      \
          .get = get_compute },                                                                                      \
        { .key = "host_time",                                                                                        \
          .title = "Host",                                                                                           \
          .unit = "ns",                                                                                              \
          .type = CELL_DURATION,                                                                                     \
          .optional = true,                                                                                          \
          .description = "time in which the host worked for it",                                                     \
          .get = get_host },                                                                                         \
        { .key = "bytes",                                                                                            \
          .title = "Bytes",                                                                                          \
          .unit = "B",                                                                                               \
          .type = CELL_BYTES,                                                                                        \
          .optional = true,                                                                                          \
          .description = "moved for it",                                                                             \
          .get = get_bytes },                                                                                        \
        { .key = "gb_s",                                                                                             \
          .title = "GB/s",                                                                                           \
          .type = CELL_DECIMAL,                                                                                      \
          .optional = true,                                                                                          \
          .description = "10^9 bytes a second, while they were moved",                                               \
          .get = get_gigabytes },                                                                                    \
        { .key = "flops",                                                                                            \
          .title = "FLOPs",                                                                                          \
          .type = CELL_INTEGER,                                                                                      \
          .optional = true,                                                                                          \
          .description = "operations that it does, where the input tells",                                           \
          .get = get_flops },                                                                                        \
        { .key = "gflops",                                                                                           \
          .title = "GFLOP/s",                                                                                        \
          .type = CELL_DECIMAL,                                                                                      \
          .optional = true,                                                                                          \
          .description = "10^9 operations a second of the time on its engines",                                      \
          .get = get_gflops },                                                                                       \
        { .key = "each_time",                                                                                        \
          .title = "Each",                                                                                           \
          .unit = "ns",                                                                                              \
          .type = CELL_DURATION,                                                                                     \
          .optional = true,                                                                                          \
          .description = "time of a piece of work, in the mean",                                                     \
          .get = get_each },                                                                                         \
    {                                                                                                                \
        .key = "slices", .title = "Slices", .type = CELL_INTEGER, .optional = true, .description = "pieces of work", \
        .get = get_slices                                                                                            \
    }
#define PRINTED(name, words)                                                                                           \
    {                                                                                                                  \
        .key = name, .title = words, .type = CELL_TEXT, .optional = true, .description = "as the compiler printed it", \
        .get = get_location                                                                                            \
    }

static const struct field operator_fields[] = {
    NAMED("operator", "Operator", "what the model calls it", get_operator),
    MEASURED(get_percent),
    PRINTED("location", "Location"),
    NAMED("type", "Type", "of operator", get_type),
    NAMED("engine", "Engine", "that worked longest for it", get_main_engine),
    NAMED("category", "Category", "that its chain puts it into", get_category),
    NAMED("module", "Module", "of the model that it is called in", get_module),
    NAMED("kernel", "Kernel", "that ran it, as its backend calls that", get_kernel),
    NAMED("shapes", "Shapes", "of its tensors", get_shapes),
    NAMED("file", "File", "of the model's source", get_file),
    { .key = "line", .title = "Line", .type = CELL_INTEGER, .description = "of that file", .get = get_line },
    { .key = NULL },
};
static const struct field location_fields[] = {
    NAMED("location", "Location", "of an operator in the source", get_place),
    MEASURED(get_percent),
    PRINTED("printed", "As printed"),
    NAMED("operator", "Operator", "what the model calls it", get_operator),
    { .key = NULL },
};
/* What operators have in common. */
#define COMMON_FIELDS(name, words, says)                             \
    {                                                                \
        NAMED(name, words, says, get_common), MEASURED(get_percent), \
            { .key = "operators",                                    \
              .title = "Operators",                                  \
              .type = CELL_INTEGER,                                  \
              .optional = true,                                      \
              .description = "that it is the sum of",                \
              .get = get_operators },                                \
        {                                                            \
            .key = NULL                                              \
        }                                                            \
    }

static const struct field type_fields[] = COMMON_FIELDS("type", "Type", "of operator");
static const struct field module_fields[] = COMMON_FIELDS("module", "Module", "of the model");
static const struct field kernel_fields[] = COMMON_FIELDS("kernel", "Kernel", "as its backend calls it");
static const struct field category_fields[] = COMMON_FIELDS("category", "Category", "of operators, by their chain");
static const struct field engine_fields[] = {
    NAMED("engine", "Engine", "that was busy", get_engine),
    MEASURED(get_engine_percent),
    { .key = NULL },
};

static const struct field_set operator_set = { "operator", operator_fields };
static const struct field_set location_set = { "location", location_fields };
static const struct field_set type_set = { "type", type_fields };
static const struct field_set module_set = { "module", module_fields };
static const struct field_set kernel_set = { "kernel", kernel_fields };
static const struct field_set category_set = { "category", category_fields };
static const struct field_set engine_set = { "engine", engine_fields };
/* By enum breakdown_by. */
const struct field_set *const breakdown_sets[] = { &operator_set, &location_set, &type_set,   &module_set,
                                                   &kernel_set,   &category_set, &engine_set, NULL };

#define MEASURED_KEYS \
    "total_time", "self_time", "percent", "transfer_time", "compute_time", "host_time", "bytes", "slices"

static const char *const operator_keys[] = { "operator", MEASURED_KEYS, "flops", "gflops", "location", NULL };
static const char *const location_keys[] = { "location", MEASURED_KEYS, "printed", NULL };
static const char *const type_keys[] = { "type", MEASURED_KEYS, NULL };
static const char *const module_keys[] = { "module", MEASURED_KEYS, "operators", "gflops", NULL };
static const char *const kernel_keys[] = { "kernel", MEASURED_KEYS, "operators", "gflops", NULL };
static const char *const category_keys[] = { "category", MEASURED_KEYS, "operators", "gflops", NULL };
static const char *const engine_keys[] = { "engine",        "total_time",   "percent",
                                           "transfer_time", "compute_time", "host_time",
                                           "bytes",         "slices",       NULL };

static const struct view views[] = {
    [BREAKDOWN_OPERATOR] = { .name = "breakdown", .title = "Time by operator", .keys = operator_keys },
    [BREAKDOWN_LOCATION] = { .name = "breakdown", .title = "Time by location", .keys = location_keys },
    [BREAKDOWN_TYPE] = { .name = "breakdown", .title = "Time by operator type", .keys = type_keys },
    [BREAKDOWN_MODULE] = { .name = "breakdown", .title = "Time by module", .keys = module_keys },
    [BREAKDOWN_KERNEL] = { .name = "breakdown", .title = "Time by kernel", .keys = kernel_keys },
    [BREAKDOWN_CATEGORY] = { .name = "breakdown", .title = "Time by category", .keys = category_keys },
    [BREAKDOWN_ENGINE] = { .name = "breakdown", .title = "Time by engine", .keys = engine_keys },
};

const struct view *const *breakdown_views(enum breakdown_by by)
{
    static const struct view *const lists[][2] = {
        { &views[0] }, { &views[1] }, { &views[2] }, { &views[3] }, { &views[4] }, { &views[5] }, { &views[6] },
    };

    assert(by <= BREAKDOWN_ENGINE);
    return lists[by];
}

const char *breakdown_entity(enum breakdown_by by)
{
    assert(by <= BREAKDOWN_ENGINE);
    return breakdown_sets[by]->entity;
}

status breakdown_by_parse(const char *text, enum breakdown_by *by)
{
    *by = BREAKDOWN_OPERATOR;
    if (strcmp(text, "name") == 0)
        return STATUS_OK;
    for (unsigned i = 0; breakdown_sets[i]; i++)
        if (strcmp(text, breakdown_entity((enum breakdown_by)i)) == 0) {
            *by = (enum breakdown_by)i;
            return STATUS_OK;
        }
    return status_fail(STATUS_USAGE,
                       "--by wants operator, location, type, module, kernel, category or engine, not \"%s\"", text);
}

status breakdown_table(const struct breakdown *breakdown, const struct field_set *const *sets,
                       const struct view_request *request, struct table **table)
{
    struct rows rows = {
        .entity = breakdown_entity(breakdown->by), .sets = sets, .context = breakdown, .count = breakdown->count
    };
    status code = view_table(&rows, breakdown_views(breakdown->by), request, table);

    assert(breakdown->busy && breakdown->metrics && breakdown->strings && sets);
    if (code != STATUS_OK || view_asks_help(request))
        return code;
    if (breakdown->by == BREAKDOWN_ENGINE)
        return STATUS_OK;
    if (breakdown->by >= BREAKDOWN_TYPE)
        table_note(*table, "the time of a %s is the sum over its operators", breakdown_entity(breakdown->by));
    table_note(*table, "self times add up to the whole: time in which several operators work is shared out evenly%s",
               breakdown->metrics->set->device_first ? "; while a device works it is that of its operators" : "");
    return STATUS_OK;
}
