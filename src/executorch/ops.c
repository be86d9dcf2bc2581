/* ops.c: the times of ExecuTorch's operators by type, as CSV: sums over the events of a run, means over the runs.
 *
 *   model_id,name,type,delegate_backend,count,total_ms,avg_ms,pct_total
 *
 * There are no starts and no single events. Each row becomes one event of total_ms, laid so that what encloses what is
 * right again:
 *
 *   [ Method::execute                                   ]
 *   [ DELEGATE_CALL          ][ OPERATOR_CALL ][ others ]
 *   [ delegated ][ … ]        [ portable ][ … ]
 */
#include "base/column.h"
#include "base/memory.h"
#include "executorch/chain.h"
#include "executorch/execution_reader.h"
#include "read/csv_rows.h"
#include "read/value.h"
#include "trace/clock.h"

enum column_name { NAME, TYPE, DELEGATE_BACKEND, BACKEND, COUNT, TOTAL_MS, AVG_MS, MODEL_ID, COLUMN_COUNT };

static const struct csv_column columns[COLUMN_COUNT] = {
    [NAME] = { "name" },
    [TYPE] = { "type" },
    [DELEGATE_BACKEND] = { "delegate_backend", .repeats = true },
    [BACKEND] = { "backend", .repeats = true },
    [COUNT] = { "count" },
    [TOTAL_MS] = { "total_ms", .required = true },
    [AVG_MS] = { "avg_ms" },
    [MODEL_ID] = { "model_id", .repeats = true },
};
static const struct csv_wish wish = { .columns = columns, .count = COLUMN_COUNT, .flags = CSV_ANY_CASE };

/* A row that is to be laid. */
struct sum {
    uint32_t op;          /* of the execution */
    enum event_kind kind; /* of that */
    bool delegate;        /* of a CALL: DELEGATE_CALL */
    int64_t duration;     /* ns */
};

static const int64_t LONGEST = INT64_MAX / 4; /* all of them together */

struct ops {
    struct csv_rows rows;        /* of the file */
    struct execution *execution; /* borrowed: what is filled */
    struct column sums;          /* struct sum, in file order */
    int64_t together;            /* durations read so far */
    string_id load_block, block; /* "Default" and "Execute" */
};

static status read_row(struct ops *ops, int64_t duration)
{
    struct strings *strings = ops->execution->strings;
    const struct text *values = ops->rows.csv.values;
    bool has_name = csv_has(&ops->rows.csv, NAME);
    struct text name = values[has_name ? NAME : TYPE];
    struct text type = values[csv_has(&ops->rows.csv, TYPE) ? TYPE : NAME];
    struct text backend = values[csv_has(&ops->rows.csv, DELEGATE_BACKEND) ? DELEGATE_BACKEND : BACKEND];
    struct execution_operator key = execution_key(ops->block, 0, event_kind_of_name(name));
    struct sum *sum = column_append(&ops->sums);
    status code = sum ? STATUS_OK : status_no_memory("keeping operators");

    if (key.kind == EVENT_PORTABLE && !backend_is_portable(backend))
        key.kind = EVENT_DELEGATED;
    if (key.kind == EVENT_LOAD)
        key.block = ops->load_block;
    key.occurrence = (uint32_t)ops->sums.count; /* one type may have a row for each backend */
    if (code == STATUS_OK)
        code = strings_add(strings, name.data, name.length, &key.name);
    if (code == STATUS_OK)
        code = strings_add(strings, type.data, type.length, &key.type);
    if (code == STATUS_OK && !backend_is_portable(backend))
        code = strings_add(strings, backend.data, backend.length, &key.backend);
    if (code == STATUS_OK && !ops->execution->model)
        code = strings_add(strings, values[MODEL_ID].data, values[MODEL_ID].length, &ops->execution->model);
    if (code != STATUS_OK)
        return code;
    sum->kind = key.kind;
    sum->duration = duration;
    sum->delegate = key.kind == EVENT_CALL && *name.data == 'D';
    return execution_operator(ops->execution, &key, &sum->op);
}

static status read_rows(struct ops *ops)
{
    for (;;) {
        const struct loss_reason *reason;
        int64_t duration;
        bool found;
        status code = csv_rows_next(&ops->rows, &found);

        if (code != STATUS_OK || !found)
            return code;
        reason = value_as_scaled(ops->rows.csv.values[TOTAL_MS], 6, &duration);
        if (reason == NULL && duration < 0)
            reason = &loss_end_before_start;
        else if (reason == NULL && duration > LONGEST - ops->together)
            reason = &loss_time_range;
        if (reason != NULL) {
            code = csv_rows_lose(&ops->rows, reason, TOTAL_MS);
        } else {
            ops->together += duration;
            ops->execution->losses.used++;
            code = read_row(ops, duration);
        }
        if (code != STATUS_OK)
            return code;
    }
}

/* The sums of one kind. */
static int64_t sum_kind(const struct ops *ops, enum event_kind kind, bool delegate)
{
    int64_t total = 0;

    for (size_t i = 0; i < ops->sums.count; i++) {
        const struct sum *sum = column_at(&ops->sums, i);

        if (sum->kind == kind && sum->delegate == delegate)
            total += sum->duration;
    }
    return total;
}

static int64_t longer(int64_t one, int64_t other)
{
    return one > other ? one : other;
}

/* Loading goes first. Delegated and portable operators lie in their calls; without calls, one group after the other. */
static status lay_sums(struct ops *ops)
{
    int64_t delegated = sum_kind(ops, EVENT_DELEGATED, false);
    int64_t portable = sum_kind(ops, EVENT_PORTABLE, false);
    int64_t next[EVENT_KIND_COUNT] = { 0 };
    int64_t next_call[2];
    uint32_t load_run = NO_ID, run = NO_ID;
    status code = STATUS_OK;

    for (size_t i = 0; i < ops->sums.count; i++) {
        const struct sum *sum = column_at(&ops->sums, i);

        if (sum->kind == EVENT_LOAD)
            next[EVENT_EXECUTE] = longer(next[EVENT_EXECUTE], sum->duration);
    }
    next[EVENT_DELEGATED] = next_call[1] = next[EVENT_EXECUTE];
    next[EVENT_PORTABLE] = next_call[0] = next_call[1] + longer(sum_kind(ops, EVENT_CALL, true), delegated);
    next[EVENT_CONTROL] = next_call[0] + longer(sum_kind(ops, EVENT_CALL, false), portable);
    for (size_t i = 0; code == STATUS_OK && i < ops->sums.count; i++) {
        const struct sum *sum = column_at(&ops->sums, i);
        bool load = sum->kind == EVENT_LOAD;
        uint32_t *to = load ? &load_run : &run;
        int64_t *start = sum->kind == EVENT_CALL ? &next_call[sum->delegate] : &next[sum->kind];

        if (*to == NO_ID)
            code = execution_add_run(ops->execution, load ? ops->load_block : ops->block, -1, to);
        if (code == STATUS_OK)
            code = execution_add_event(ops->execution, sum->op, *to, load ? 0 : *start, sum->duration, NULL);
        *start += sum->duration;
    }
    return code;
}

static status read_execution(struct source *source, struct execution *execution)
{
    struct ops ops = { .execution = execution };
    status code = csv_rows_open(&ops.rows, source, &execution->losses, &wish);

    column_start(&ops.sums, sizeof(struct sum));
    if (code == STATUS_OK && !csv_has(&ops.rows.csv, NAME) && !csv_has(&ops.rows.csv, TYPE))
        code = status_fail_at(STATUS_INPUT, (struct place){ .file = input_name(source->input), .line = 1, .column = 1 },
                              "the header has neither a column \"name\" nor \"type\"");
    if (code == STATUS_OK)
        code = strings_add_text(execution->strings, "Default", &ops.load_block);
    if (code == STATUS_OK)
        code = strings_add_text(execution->strings, "Execute", &ops.block);
    if (code == STATUS_OK)
        code = read_rows(&ops);
    code = source_use_part(source, source->input, execution->losses.rows, code);
    if (code == STATUS_OK)
        code = lay_sums(&ops);
    execution->synthetic = true;
    execution->clock = clock_nanoseconds(0);
    source_note(source, "the file has sums by type and means over runs: they are drawn as one run, laid end to end");
    column_free(&ops.sums);
    csv_rows_close(&ops.rows);
    return code == STATUS_OK ? execution_settle(execution) : code;
}

static int probe(struct text head, const char *path)
{
    bool has[COLUMN_COUNT];

    (void)path;
    if (!csv_probe(head, &wish, has) || !has[TOTAL_MS] || !(has[NAME] || has[TYPE]))
        return 0;
    return has[AVG_MS] || has[COUNT] ? 90 : 0;
}

static status read(struct source *source, struct feed *feed)
{
    return execution_read(source, feed, read_execution);
}

static const struct companion *const companions[] = { &executorch_graph_companion, NULL };
static const struct executorch_calls calls = { .execution = read_execution };

const struct reader et_ops_reader = {
    .id = "et-ops",
    .title = "ExecuTorch operator statistics CSV",
    .chain = &executorch_chain,
    .companions = companions,
    .own = &calls,
    .kind = READER_MEASURED,
    .files = "*_ops_stats.csv",
    .probe = probe,
    .read = read,
};
