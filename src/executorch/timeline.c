/* timeline.c: timelines of ExecuTorch's events as CSV: one row per event and run.
 *
 *   model_id,name,type,delegate_backend,start_us,end_us,duration_ms,pct_total,node_id,run_index,block
 *
 * Columns are found by name; `timestamp_ms`, `op_type` and `backend` serve where `start_us`, `type` and
 * `delegate_backend` are missing. Microseconds and milliseconds were nanoseconds once: they are recovered from the decimal
 * digits.
 *
 * The files come by event, and inside an event by run: a row repeats the texts of the row before, and its run is the
 * next one. What identifies the operator is looked up only when one of these texts changes.
 */
#include <assert.h>

#include "base/map.h"
#include "base/memory.h"
#include "executorch/chain.h"
#include "executorch/execution_reader.h"
#include "executorch/launch_failure.h"
#include "read/csv_rows.h"
#include "read/value.h"
#include "trace/clock.h"

enum column_name {
    NAME,
    DURATION_MS,
    RUN_INDEX,
    START_US,
    TIMESTAMP_MS,
    TYPE,
    OP_TYPE,
    DELEGATE_BACKEND,
    BACKEND,
    NODE_ID,
    BLOCK,
    MODEL_ID,
    COLUMN_COUNT
};

static const struct csv_column columns[COLUMN_COUNT] = {
    [NAME] = { "name", .required = true, .repeats = true },
    [DURATION_MS] = { "duration_ms", .required = true },
    [RUN_INDEX] = { "run_index" },
    [START_US] = { "start_us" },
    [TIMESTAMP_MS] = { "timestamp_ms" },
    [TYPE] = { "type", .repeats = true },
    [OP_TYPE] = { "op_type", .repeats = true },
    [DELEGATE_BACKEND] = { "delegate_backend", .repeats = true },
    [BACKEND] = { "backend", .repeats = true },
    [NODE_ID] = { "node_id", .repeats = true },
    [BLOCK] = { "block", .repeats = true },
    [MODEL_ID] = { "model_id", .repeats = true },
};
static const struct csv_wish wish = { .columns = columns, .count = COLUMN_COUNT, .flags = CSV_ANY_CASE };

/* Where the starts of events come from. */
enum starts {
    STARTS_ABSOLUTE, /* start_us */
    STARTS_RELATIVE, /* timestamp_ms: from the start of the run */
    STARTS_NONE      /* laid end to end */
};

/* Times from here on are no times: sums of two must fit. */
static const int64_t LATEST = INT64_MAX / 4;

/* A run while the file is read. The middle ones serve files without starts. */
struct timeline_run {
    int64_t end;  /* of its latest event */
    int64_t next; /* where the next event goes */
    int64_t
        call; /* begin of the call around the events since the last one; where calls come first, end of the last one */
    int64_t execute;   /* the same of Method::execute */
    bool outer_first;  /* Method::execute is its first row: what encloses stands before what it encloses */
    uint32_t events;   /* laid so far */
    uint32_t executes; /* Method::execute rows */
};

struct timeline {
    struct csv_rows rows;                 /* of the file */
    struct source *source;                /* borrowed */
    struct execution *execution;          /* borrowed: what is filled */
    enum starts starts;                   /* where they come from */
    unsigned backend_column, type_column; /* COLUMN_COUNT: none */
    struct timeline_run *runs;            /* beside those of the execution */
    size_t run_capacity;                  /* of them */
    struct number_map run_of;             /* by block and index */
    struct number_map occurrences;        /* rows of a name in a run, by both, for files without node_id */
    uint64_t pending;                     /* columns that changed since the operator was looked up */
    uint32_t run;                         /* of the row before; NO_ID: none */
    uint32_t op;                          /* of the row before; valid where `pending` has none of its columns */
    struct execution_operator key;        /* of that operator */
    bool numbered;                        /* it has a node_id */
};

/* ---- Runs ---- */

static status make_run(struct timeline *timeline, string_id block, uint32_t index, uint32_t *found)
{
    size_t count = timeline->execution->runs.count;
    status code = memory_grow(&timeline->runs, &timeline->run_capacity, count + 1, sizeof *timeline->runs);

    if (code == STATUS_OK)
        code = execution_add_run(timeline->execution, block, -1, found);
    if (code != STATUS_OK)
        return code;
    execution_run_at(timeline->execution, *found)->index = index;
    timeline->runs[*found] = (struct timeline_run){ .end = 0 };
    return STATUS_OK;
}

static bool is_run(const struct timeline *timeline, uint32_t run, string_id block, uint32_t index)
{
    const struct execution_run *known;

    if (run >= timeline->execution->runs.count)
        return false;
    known = execution_run_at(timeline->execution, run);
    return known->index == index && known->block == block;
}

/* The run of a block and index, made at first sight. */
static status find_run(struct timeline *timeline, string_id block, uint32_t index)
{
    uint32_t *known;
    status code = STATUS_OK;

    if (is_run(timeline, timeline->run + 1, block, index)) {
        timeline->run++;
        return STATUS_OK;
    }
    known = number_map_at(&timeline->run_of, block, index);
    if (!known)
        return status_no_memory("keeping runs");
    if (*known == MAP_NONE)
        code = make_run(timeline, block, index, known);
    timeline->run = *known;
    return code;
}

/* ---- Operators ---- */

/* How many rows of this name the run had before. */
static status count_name(struct timeline *timeline, uint32_t run, string_id name, uint32_t *before)
{
    uint32_t *count = number_map_at(&timeline->occurrences, (uint64_t)run << 32 | name, 0);

    if (!count)
        return status_no_memory("counting names");
    *before = ++*count; /* from MAP_NONE to 0 */
    return STATUS_OK;
}

/* An index or id, also as pandas writes it where a column has gaps (3.0). */
static bool read_index(struct text text, uint32_t *index)
{
    enum { SHORT = 9 }; /* digits that fit, whatever they are */
    int64_t value, thousandths;
    uint32_t number = 0;
    size_t i = 0;

    for (unsigned digit; i < text.length && i < SHORT && (digit = (unsigned char)text.data[i] - (unsigned)'0') <= 9;
         i++)
        number = number * 10 + digit;
    if (i && i == text.length) {
        *index = number;
        return true;
    }
    if (value_as_scaled(text, 0, &value) != NULL || value < 0 || value >= NO_ID)
        return false;
    *index = (uint32_t)value;
    return value_as_scaled(text, 3, &thousandths) == NULL && thousandths == value * 1000;
}

static status add_text(struct timeline *timeline, unsigned column, string_id *id)
{
    struct text text = column < COLUMN_COUNT ? timeline->rows.csv.values[column] : (struct text){ "", 0 };

    return strings_add(timeline->execution->strings, text.data, text.length, id);
}

/* The operator's identity, as far as it does not depend on the run. */
static status read_key(struct timeline *timeline)
{
    struct text name = timeline->rows.csv.values[NAME];
    struct text block = timeline->rows.csv.values[BLOCK];
    struct text backend = { "", 0 };
    struct execution_operator *key = &timeline->key;
    uint32_t number;
    status code;

    if (timeline->backend_column < COLUMN_COUNT)
        backend = timeline->rows.csv.values[timeline->backend_column];
    *key = execution_key(0, 0, event_kind_of_name(name));
    if (key->kind == EVENT_PORTABLE && !backend_is_portable(backend))
        key->kind = EVENT_DELEGATED;
    if (!block.length)
        block = text_of("Execute");
    code = strings_add(timeline->execution->strings, block.data, block.length, &key->block);
    if (code == STATUS_OK)
        code = add_text(timeline, NAME, &key->name);
    if (code == STATUS_OK)
        code = add_text(timeline, timeline->type_column, &key->type);
    if (code == STATUS_OK && !backend_is_portable(backend))
        code = strings_add(timeline->execution->strings, backend.data, backend.length, &key->backend);
    timeline->numbered = read_index(timeline->rows.csv.values[NODE_ID], &number);
    if (timeline->numbered)
        key->occurrence = number;
    return code;
}

/* The operator and the run of the row. */
static status identify(struct timeline *timeline, uint32_t index)
{
    bool look = timeline->pending != 0;
    status code = look ? read_key(timeline) : STATUS_OK;

    timeline->pending = 0;
    if (code == STATUS_OK)
        code = find_run(timeline, timeline->key.block, index);
    if (code == STATUS_OK && !timeline->numbered) {
        uint32_t before = 0;

        code = count_name(timeline, timeline->run, timeline->key.name, &before);
        look |= before != timeline->key.occurrence;
        timeline->key.occurrence = before;
    }
    if (code == STATUS_OK && look)
        code = execution_operator(timeline->execution, &timeline->key, &timeline->op);
    if (code != STATUS_OK)
        timeline->pending = UINT64_MAX;
    return code;
}

/* ---- Times ---- */

struct row {
    int64_t start;      /* ns; 0 where the file has none */
    int64_t duration;   /* ns */
    uint32_t run_index; /* among the runs of its block */
};

/* The numbers of a row. NULL: all there; else why not, and in which column. */
static const struct loss_reason *read_numbers(struct timeline *timeline, struct row *row, unsigned *column)
{
    const struct text *values = timeline->rows.csv.values;
    const struct loss_reason *reason;

    *column = DURATION_MS;
    reason = value_as_scaled(values[DURATION_MS], 6, &row->duration);
    if (reason != NULL)
        return reason;
    if (row->duration < 0)
        return &loss_end_before_start;
    if (row->duration > LATEST)
        return &loss_time_range;
    *column = RUN_INDEX;
    row->run_index = 0;
    if (csv_has(&timeline->rows.csv, RUN_INDEX) && !read_index(values[RUN_INDEX], &row->run_index))
        return &loss_number;
    row->start = 0;
    if (timeline->starts == STARTS_NONE)
        return NULL;
    *column = timeline->starts == STARTS_ABSOLUTE ? START_US : TIMESTAMP_MS;
    reason = value_as_scaled(values[*column], timeline->starts == STARTS_ABSOLUTE ? 3 : 6, &row->start);
    if (reason == NULL && (row->start < 0 || row->start > LATEST))
        return &loss_time_range;
    return reason;
}

static int64_t later(int64_t one, int64_t other)
{
    return one > other ? one : other;
}

/* Events are logged when they end: a call goes around what came since the last call, Method::execute around its run. */
static int64_t lay_inner_first(struct timeline_run *run, enum event_kind kind, int64_t duration)
{
    int64_t start = kind == EVENT_CALL      ? run->call
                    : kind == EVENT_EXECUTE ? run->execute
                    : kind == EVENT_LOAD    ? 0
                                            : run->next;

    run->next = later(run->next, start + duration);
    if (kind == EVENT_CALL || kind == EVENT_CONTROL || kind == EVENT_EXECUTE)
        run->call = run->next;
    if (kind == EVENT_EXECUTE)
        run->execute = run->next;
    return start;
}

/* The same for a file in which Method::execute and calls stand before what they enclose. */
static int64_t lay_outer_first(struct timeline_run *run, enum event_kind kind, int64_t duration)
{
    int64_t start = run->next;

    if (kind == EVENT_LOAD)
        return 0;
    if (kind == EVENT_EXECUTE)
        start = later(start, run->execute);
    if (kind == EVENT_EXECUTE || kind == EVENT_CALL || kind == EVENT_CONTROL)
        start = later(start, run->call);
    run->next = kind == EVENT_EXECUTE || kind == EVENT_CALL ? start : start + duration;
    if (kind == EVENT_EXECUTE)
        run->execute = start + duration;
    else if (kind == EVENT_CALL)
        run->call = start + duration;
    return start;
}

/* Where an event goes whose start is not in the file. */
static int64_t lay(struct timeline_run *run, enum event_kind kind, int64_t duration)
{
    if (!run->events++)
        run->outer_first = kind == EVENT_EXECUTE;
    return run->outer_first ? lay_outer_first(run, kind, duration) : lay_inner_first(run, kind, duration);
}

/* Runs whose times are their own are put one after the other. */
static status place_runs(struct timeline *timeline)
{
    struct execution *execution = timeline->execution;
    int64_t base = 0;

    if (timeline->starts == STARTS_ABSOLUTE)
        return STATUS_OK;
    for (size_t i = 0; i < execution->runs.count; i++) {
        int64_t end = timeline->runs[i].end;

        timeline->runs[i].next = base;
        if (base > LATEST - end)
            return status_fail_at(STATUS_INPUT, (struct place){ .file = input_name(timeline->source->input) },
                                  "the runs of the file together last longer than any clock");
        base += end;
    }
    for (uint32_t i = 0; i < execution->events.count; i++) {
        struct execution_event *event = execution_event_at(execution, i);

        event->start += timeline->runs[event->run].next;
    }
    return STATUS_OK;
}

/* ---- Rows ---- */

static status add_row(struct timeline *timeline, struct row *row)
{
    struct timeline_run *run;
    status code = identify(timeline, row->run_index);

    if (code != STATUS_OK)
        return code;
    run = &timeline->runs[timeline->run];
    if (timeline->starts == STARTS_NONE) {
        if (run->end > LATEST - row->duration)
            return csv_rows_lose(&timeline->rows, &loss_time_range, DURATION_MS);
        row->start = lay(run, timeline->key.kind, row->duration);
    }
    if (row->start + row->duration > run->end)
        run->end = row->start + row->duration;
    run->executes += timeline->key.kind == EVENT_EXECUTE;
    timeline->execution->losses.used++;
    return execution_add_event(timeline->execution, timeline->op, timeline->run, row->start, row->duration, NULL);
}

static status read_rows(struct timeline *timeline)
{
    for (;;) {
        const struct loss_reason *reason;
        unsigned column;
        struct row row;
        bool found;
        status code = csv_rows_next(&timeline->rows, &found);

        if (code != STATUS_OK || !found)
            return code;
        timeline->pending |= timeline->rows.csv.changed;
        reason = read_numbers(timeline, &row, &column);
        if (reason != NULL) {
            code = csv_rows_lose(&timeline->rows, reason, column);
        } else {
            if (!timeline->execution->model)
                code = add_text(timeline, MODEL_ID, &timeline->execution->model);
            if (code == STATUS_OK)
                code = add_row(timeline, &row);
        }
        if (code != STATUS_OK)
            return code;
    }
}

static void note_what_is_odd(const struct timeline *timeline)
{
    if (timeline->starts == STARTS_NONE)
        source_note(timeline->source, "the file has no starts: the events of a run are laid end to end");
    else if (timeline->starts == STARTS_RELATIVE)
        source_note(timeline->source, "starts count from the start of each run: runs are put one after the other");
    for (size_t i = 0; i < timeline->execution->runs.count; i++) {
        if (timeline->runs[i].executes > 1)
            source_note(timeline->source, "some runs have several Method::execute: they are added up; where control "
                                          "flow made runs of one index, only the ETDump tells them apart");
    }
}

static void start_timeline(struct timeline *timeline)
{
    const struct csv *csv = &timeline->rows.csv;

    timeline->run = NO_ID;
    timeline->pending = UINT64_MAX;
    timeline->starts = csv_has(csv, START_US)       ? STARTS_ABSOLUTE
                       : csv_has(csv, TIMESTAMP_MS) ? STARTS_RELATIVE
                                                    : STARTS_NONE;
    timeline->backend_column = csv_has(csv, DELEGATE_BACKEND) ? DELEGATE_BACKEND
                               : csv_has(csv, BACKEND)        ? BACKEND
                                                              : COLUMN_COUNT;
    timeline->type_column = csv_has(csv, TYPE) ? TYPE : csv_has(csv, OP_TYPE) ? OP_TYPE : COLUMN_COUNT;
    timeline->execution->synthetic = timeline->starts == STARTS_NONE;
    timeline->execution->once = true;
    timeline->execution->clock = clock_nanoseconds(0);
}

static status read_execution(struct source *source, struct execution *execution)
{
    struct timeline timeline = { .source = source, .execution = execution };
    status code = csv_rows_open(&timeline.rows, source, &execution->losses, &wish);

    number_map_start(&timeline.run_of);
    number_map_start(&timeline.occurrences);
    if (code == STATUS_OK) {
        start_timeline(&timeline);
        code = read_rows(&timeline);
    }
    code = source_use_part(source, source->input, execution->losses.rows, code);
    if (code == STATUS_OK)
        code = place_runs(&timeline);
    if (code == STATUS_OK)
        note_what_is_odd(&timeline);
    csv_rows_close(&timeline.rows);
    memory_free(timeline.runs);
    number_map_free(&timeline.run_of);
    number_map_free(&timeline.occurrences);
    return code == STATUS_OK ? execution_settle(execution) : code;
}

static int probe(struct text head, const char *path)
{
    bool has[COLUMN_COUNT];

    (void)path;
    if (!csv_probe(head, &wish, has) || !has[NAME] || !has[DURATION_MS])
        return 0;
    return has[RUN_INDEX] ? 95 : 80;
}

static status read(struct source *source, struct feed *feed)
{
    return execution_read(source, feed, read_execution);
}

static const struct companion *const companions[] = { &executorch_graph_companion, &executorch_failure_companion,
                                                      NULL };
static const struct executorch_calls calls = { .execution = read_execution };

const struct reader et_timeline_reader = {
    .id = "et-timeline",
    .title = "ExecuTorch timeline CSV",
    .chain = &executorch_chain,
    .companions = companions,
    .own = &calls,
    .kind = READER_MEASURED,
    .files = "*_all_runs_timeline.csv, *_run0_timeline.csv",
    .probe = probe,
    .read = read,
};
