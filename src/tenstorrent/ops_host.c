/* ops_host.c: host logs of the op profiler: rows of ops, rows of tt_metal functions, and what they lack. */
#include "tenstorrent/ops_host.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/lines.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/strings.h"
#include "base/text.h"

enum { MOST_FIELDS = 64, MOST_FUNCTIONS = 1024, DOCUMENTED = 14, MOST_DEPTH = 64 };

/* X(name, column) in the documented order; the later ones follow. */
#define COLUMN_MAP(X)                       \
    X(NAME, "Name")                         \
    X(START, "Start timer count [ns]")      \
    X(STOP, "Stop timer count [ns]")        \
    X(DELTA, "Delta timer count [ns]")      \
    X(GLOBAL, "Global Call Count")          \
    X(CALL, "Call Count")                   \
    X(DEPTH, "Stack Size")                  \
    X(INPUTS, "Inputs")                     \
    X(OUTPUTS, "Outputs")                   \
    X(FIDELITY, "Math Fidelity")            \
    X(STRATEGY, "Parallelization Strategy") \
    X(PREFERRED, "Preferred Name")          \
    X(META, "Meta Data")                    \
    X(TYPE, "Type")

enum host_column {
#define X(name, column) COLUMN_##name,
    COLUMN_MAP(X)
#undef X
        COLUMN_LATER,
    COLUMN_COUNT = COLUMN_LATER + LATER_COUNT,
    COLUMN_UNKNOWN = COLUMN_COUNT
};

static const char *const column_names[COLUMN_COUNT] = {
#define X(name, column) column,
    COLUMN_MAP(X)
#undef X
#define X(name, log, column) log,
        OP_LATER_MAP(X)
#undef X
};

/* One line cut into its fields. */
struct fields {
    struct text items[MOST_FIELDS]; /* views into the line */
    size_t count;                   /* may be more than MOST_FIELDS, the others are not kept */
};

struct header {
    enum host_column columns[MOST_FIELDS]; /* by field */
    size_t count;                          /* of fields */
    bool has[COLUMN_COUNT];                /* by column */
};

struct host_log {
    struct ops_folder *folder;        /* borrowed */
    const char *path;                 /* for messages */
    struct header header;             /* of the file */
    struct fields fields;             /* of the row */
    struct text values[COLUMN_COUNT]; /* of one row; no data: not there */
};

/* ---- losses -------------------------------------------------------------------------------------------------------- */

static const struct loss_row {
    const struct loss_reason *reason;
    const char *text;
} loss_rows[OPS_LOSS_COUNT] = {
#define X(name, reason, text) { reason, text },
    OPS_LOSS_MAP(X)
#undef X
};

static bool is_strict(const struct ops_folder *folder)
{
    return folder->reading && folder->reading->source->strict;
}

bool ops_forgives(const struct ops_folder *folder, status code)
{
    return code == STATUS_INPUT && !is_strict(folder);
}

static bool is_lost(enum ops_loss loss)
{
    return loss_rows[loss].reason != NULL && !loss_rows[loss].reason->kept;
}

status ops_lose_at(struct ops_folder *folder, enum ops_loss loss, uint64_t count, struct place place)
{
    char text[OPS_NOTE];

    assert(loss < OPS_LOSS_COUNT && place.file);
    if (!count)
        return STATUS_OK;
    folder->losses[loss].count += count;
    if (is_strict(folder) && is_lost(loss))
        return status_fail_at(STATUS_INPUT, place, "%s", loss_rows[loss].text);
    if (folder->losses[loss].place)
        return STATUS_OK;
    if (place.line)
        snprintf(text, sizeof text, "%s:%llu", place.file, (unsigned long long)place.line);
    else
        snprintf(text, sizeof text, "%s", place.file);
    folder->losses[loss].place = arena_copy(&folder->arena, text, strlen(text));
    return folder->losses[loss].place ? STATUS_OK : status_no_memory("noting a loss");
}

status ops_lose(struct ops_folder *folder, enum ops_loss loss, uint64_t count, const char *path, uint64_t line)
{
    return ops_lose_at(folder, loss, count, (struct place){ .file = path, .line = line, .column = line ? 1 : 0 });
}

bool ops_loss_describe(const struct ops_folder *folder, enum ops_loss loss, char to[OPS_NOTE])
{
    unsigned long long count = folder->losses[loss].count;

    assert(loss < OPS_LOSS_COUNT);
    if (!count)
        return false;
    snprintf(to, OPS_NOTE, "%llu x %s%s %s", count, loss_rows[loss].text, count > 1 ? ", the first:" : ":",
             folder->losses[loss].place);
    for (char *at = to; *at; at++)
        if ((unsigned char)*at < ' ' || *at == 0x7F) /* names of folders are names of ops */
            *at = '?';
    return true;
}

struct losses ops_folder_losses(const struct ops_folder *folder)
{
    struct losses losses = folder->markers;

    losses.used += folder->calls.count + folder->function_rows;
    for (unsigned i = 0; i < OPS_LOSS_COUNT; i++) {
        if (loss_rows[i].reason == NULL)
            continue;
        losses_mark(&losses, loss_rows[i].reason, folder->losses[i].count);
        losses.lost += is_lost(i) ? folder->losses[i].count : 0;
    }
    losses.rows = losses.used + losses.lost;
    return losses;
}

/* ---- lines --------------------------------------------------------------------------------------------------------- */

static void cut_fields(struct text line, struct fields *fields)
{
    fields->count = 0;
    do {
        struct text field = text_trim(text_take(&line, ','));

        if (fields->count < MOST_FIELDS)
            fields->items[fields->count] = field;
        fields->count++;
    } while (line.data);
}

static bool is_number(struct text text, int64_t *value)
{
    return text.length && number_parse_integer(text.data, text.length, value);
}

static enum host_column find_column(struct text name)
{
    for (unsigned i = 0; i < COLUMN_COUNT; i++)
        if (text_is(name, column_names[i]))
            return i;
    return COLUMN_UNKNOWN;
}

/* False: the line is no header. */
static bool take_header(struct header *header, const struct fields *fields)
{
    header->count = fields->count < MOST_FIELDS ? fields->count : MOST_FIELDS;
    for (size_t i = 0; i < header->count; i++) {
        enum host_column column = find_column(fields->items[i]);

        if (column != COLUMN_UNKNOWN && header->has[column])
            column = COLUMN_UNKNOWN;
        header->columns[i] = column;
        if (column != COLUMN_UNKNOWN)
            header->has[column] = true;
    }
    return header->has[COLUMN_NAME] && header->has[COLUMN_DELTA];
}

/* A log that lost its first line: rows look like rows, so the columns are those that the document lists. */
static bool assume_header(struct header *header, const struct fields *fields)
{
    int64_t number;

    for (unsigned i = COLUMN_START; i <= COLUMN_DEPTH; i++)
        if (i >= fields->count || !is_number(fields->items[i], &number))
            return false;
    if (fields->count != DOCUMENTED && fields->count != COLUMN_COUNT)
        return false;
    header->count = fields->count;
    for (size_t i = 0; i < header->count; i++) {
        header->columns[i] = (enum host_column)i;
        header->has[i] = true;
    }
    return true;
}

bool ops_host_is_header(struct text line)
{
    struct header header = { .count = 0 };
    struct fields fields;

    cut_fields(line, &fields);
    return take_header(&header, &fields) && header.has[COLUMN_GLOBAL];
}

/* ---- rows of ops --------------------------------------------------------------------------------------------------- */

static bool is_type(struct text value)
{
    static const char *const types[] = { "python_fallback", "tt_dnn_cpu", "tt_dnn_device", "custom_zone", "unknown" };

    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (text_is(value, types[i]))
            return true;
    return false;
}

static status take_fields(struct host_log *log, const struct line *line)
{
    const struct fields *fields = &log->fields;
    const struct header *header = &log->header;
    size_t count = fields->count;
    status code = STATUS_OK;

    if (count > header->count)
        code = ops_lose(log->folder, OPS_LOSS_HOST_MORE, 1, log->path, line->number);
    if (count < header->count) {
        code = ops_lose(log->folder, OPS_LOSS_HOST_FIELDS, 1, log->path, line->number);
        if (!line->ended)
            count--; /* the line was cut off within this one: what is left of it may say something else */
    } else if (!line->ended) {
        code = ops_lose(log->folder, OPS_LOSS_LAST_LINE, 1, log->path, line->number);
    }
    memset(log->values, 0, sizeof log->values);
    for (size_t i = 0; i < header->count && i < count; i++)
        if (header->columns[i] != COLUMN_UNKNOWN)
            log->values[header->columns[i]] = fields->items[i];
    if (!line->ended && !is_type(log->values[COLUMN_TYPE]))
        log->values[COLUMN_TYPE] = (struct text){ 0 };
    return code;
}

static status keep_text(struct host_log *log, enum host_column column, const char **text)
{
    struct text value = log->values[column];

    *text = NULL;
    if (!value.data)
        return STATUS_OK;
    *text = arena_copy(&log->folder->arena, value.data, value.length);
    return *text ? STATUS_OK : status_no_memory("keeping an op");
}

/* Its text, where it is a number; `*value` is left alone where it is none. */
static status keep_number(struct host_log *log, const struct line *line, enum host_column column, const char **text,
                          int64_t *value)
{
    *text = NULL;
    if (!log->values[column].data)
        return STATUS_OK;
    if (!is_number(log->values[column], value))
        return ops_lose(log->folder, OPS_LOSS_HOST_NUMBER, 1, log->path, line->number);
    return keep_text(log, column, text);
}

static status keep_name(struct host_log *log, const char *op, const char **name)
{
    struct text own = log->values[COLUMN_NAME];

    return op_call_name(&log->folder->arena, own.length ? own : text_of(op), log->values[COLUMN_PREFERRED],
                        log->values[COLUMN_TYPE], name);
}

static status keep_texts(struct host_log *log, struct op_call *row)
{
    const struct {
        enum host_column column;
        const char **text;
    } texts[] = {
        { COLUMN_TYPE, &row->type },         { COLUMN_META, &row->attributes }, { COLUMN_FIDELITY, &row->fidelity },
        { COLUMN_STRATEGY, &row->strategy }, { COLUMN_INPUTS, &row->inputs },   { COLUMN_OUTPUTS, &row->outputs },
    };
    status code = STATUS_OK;

    for (size_t i = 0; code == STATUS_OK && i < sizeof texts / sizeof *texts; i++)
        code = keep_text(log, texts[i].column, texts[i].text);
    for (unsigned i = 0; code == STATUS_OK && i < LATER_COUNT; i++)
        code = keep_text(log, COLUMN_LATER + i, &row->later[i]);
    return code;
}

static status keep_numbers(struct host_log *log, const struct line *line, struct op_call *row, int64_t *call)
{
    const char *ignored;
    int64_t depth = 0, unused;
    const struct {
        enum host_column column;
        const char **text;
        int64_t *value;
    } numbers[] = {
        { COLUMN_START, &row->host_start, &unused },    { COLUMN_STOP, &row->host_end, &unused },
        { COLUMN_DELTA, &row->host_duration, &unused }, { COLUMN_GLOBAL, &row->call, &row->order },
        { COLUMN_DEPTH, &row->depth_text, &depth },     { COLUMN_CALL, &ignored, call },
    };
    status code = STATUS_OK;

    *call = OPS_NO_CALL;
    row->order = INT64_MAX;
    for (size_t i = 0; code == STATUS_OK && i < sizeof numbers / sizeof *numbers; i++)
        code = keep_number(log, line, numbers[i].column, numbers[i].text, numbers[i].value);
    row->depth = depth < 0 ? 0 : depth > MOST_DEPTH ? MOST_DEPTH : (uint32_t)depth;
    return code;
}

static status take_row(struct host_log *log, const struct line *line, const char *op,
                       const struct ops_host_listener *listener)
{
    struct op_calls *report = &log->folder->calls;
    struct op_call *row;
    int64_t call;
    bool keep = true;
    status code = memory_grow(&report->rows, &report->capacity, report->count + 1, sizeof *report->rows);

    if (code != STATUS_OK)
        return code;
    row = &report->rows[report->count];
    *row = (struct op_call){ .markers = NO_ID };
    code = take_fields(log, line);
    if (code == STATUS_OK)
        code = keep_name(log, op, &row->name);
    if (code == STATUS_OK)
        code = keep_texts(log, row);
    if (code == STATUS_OK)
        code = keep_numbers(log, line, row, &call);
    if (code == STATUS_OK &&
        (op_tensor_count(row->inputs) == OP_MOST_TENSORS || op_tensor_count(row->outputs) == OP_MOST_TENSORS))
        code = ops_lose(log->folder, OPS_LOSS_TENSORS, 1, log->path, line->number);
    if (code == STATUS_OK)
        code = listener->row(listener->context, row, call, line->number, &keep);
    if (code == STATUS_OK && keep)
        report->count++;
    return code;
}

static status take_line(struct host_log *log, const struct line *line, const char *op,
                        const struct ops_host_listener *listener)
{
    if (line->length == 0)
        return STATUS_OK;
    if (line->too_long)
        return ops_lose(log->folder, OPS_LOSS_HOST_LINE, 1, log->path, line->number);
    cut_fields((struct text){ line->data, line->length }, &log->fields);
    return take_row(log, line, op, listener);
}

/* The first line: names of columns, or a row where those were lost. */
static status take_first(struct host_log *log, const struct line *line, const char *op,
                         const struct ops_host_listener *listener, bool *is_op)
{
    size_t unknown = 0;
    status code;

    cut_fields((struct text){ line->data, line->length }, &log->fields);
    *is_op = take_header(&log->header, &log->fields) && log->header.has[COLUMN_GLOBAL];
    if (*is_op) {
        for (size_t i = 0; i < log->header.count; i++)
            unknown += log->header.columns[i] == COLUMN_UNKNOWN && log->fields.items[i].length > 0;
        log->folder->calls.later_host = log->folder->calls.later_host ||
                                        log->header.has[COLUMN_LATER + LATER_COMPUTE_PATHS] ||
                                        log->header.has[COLUMN_LATER + LATER_MODEL_IDEAL];
        return ops_lose(log->folder, OPS_LOSS_COLUMN, unknown, log->path, 0);
    }
    memset(&log->header, 0, sizeof log->header);
    *is_op = assume_header(&log->header, &log->fields);
    if (!*is_op)
        return STATUS_OK;
    code = ops_lose(log->folder, OPS_LOSS_HOST_HEADER, 1, log->path, line->number);
    return code == STATUS_OK ? take_row(log, line, op, listener) : code;
}

static status read_ops(struct host_log *log, struct input *input, const char *op,
                       const struct ops_host_listener *listener, bool *is_op)
{
    struct lines *lines;
    struct line line;
    bool found;
    status code = lines_open(input, &lines);

    if (code != STATUS_OK)
        return code;
    code = lines_next(lines, &line, &found);
    if (code == STATUS_OK && found)
        code = take_first(log, &line, op, listener, is_op);
    while (code == STATUS_OK && *is_op && (code = lines_next(lines, &line, &found)) == STATUS_OK && found)
        code = take_line(log, &line, op, listener);
    lines_close(lines);
    return code;
}

status ops_host_read(struct ops_folder *folder, const char *path, const char *op,
                     const struct ops_host_listener *listener, bool *is_op)
{
    struct host_log *log = memory_allocate_clear(sizeof *log);
    struct input *input = NULL;
    status code;

    assert(path && op && listener->row);
    *is_op = false;
    if (!log)
        return status_no_memory("reading a host log");
    log->folder = folder;
    log->path = path;
    code = input_open(path, &input);
    if (code == STATUS_OK)
        code = read_ops(log, input, op, listener, is_op);
    input_close(input);
    memory_free(log);
    if (ops_forgives(folder, code)) {
        status_clear();
        return ops_lose(folder, OPS_LOSS_HOST_FILE, 1, path, 0);
    }
    if (code == STATUS_OK && !*is_op)
        return ops_lose(folder, OPS_LOSS_HOST_FILE, 1, path, 0);
    return code;
}

/* ---- rows of functions --------------------------------------------------------------------------------------------- */

static status find_function(struct ops_folder *folder, struct text name, uint32_t *function)
{
    struct op_calls *report = &folder->calls;
    status code;

    for (*function = 0; *function < report->function_count; (*function)++)
        if (text_is(name, report->functions[*function]))
            return STATUS_OK;
    if (report->function_count == MOST_FUNCTIONS)
        return STATUS_OK;
    code = memory_grow(&report->functions, &report->function_capacity, report->function_count + 1,
                       sizeof *report->functions);
    if (code != STATUS_OK)
        return code;
    report->functions[*function] = arena_copy(&folder->arena, name.data, name.length);
    if (!report->functions[*function])
        return status_no_memory("keeping a function");
    report->function_count++;
    return STATUS_OK;
}

/* Sums by function number while one log is read; those of functions not met yet are not set. */
struct call_sums {
    struct op_function items[MOST_FUNCTIONS]; /* by function number */
};

/* For a timeline: from its start, as long as it took. */
static status keep_span(struct host_log *log, uint32_t function, int64_t delta)
{
    struct ops_reading *reading = log->folder->reading;
    struct op_function_span *span;
    int64_t start, end;

    if (!reading || !reading->timeline)
        return STATUS_OK;
    if (!is_number(log->values[COLUMN_START], &start) || start < 0 || __builtin_add_overflow(start, delta, &end)) {
        reading->undrawn++;
        return STATUS_OK;
    }
    span = column_append(&reading->functions);
    if (!span)
        return status_no_memory("keeping a function");
    *span = (struct op_function_span){ function, start, end };
    return STATUS_OK;
}

static status lose_call(struct host_log *log, const struct line *line, const char *at)
{
    bool inside = at >= line->data && at <= line->data + line->length;
    struct place place = { log->path, line->number, inside ? (uint64_t)(at - line->data) + 1 : 1 };

    return ops_lose_at(log->folder, OPS_LOSS_CALLS_ROW, 1, place);
}

static status add_call(struct host_log *log, const struct line *line, struct call_sums *sums)
{
    int64_t delta;
    uint32_t function;
    size_t known = log->folder->calls.function_count;
    status code;

    if (line->too_long || log->fields.count < log->header.count)
        return lose_call(log, line, line->data + line->length);
    code = take_fields(log, line);
    if (code != STATUS_OK)
        return code;
    if (!log->values[COLUMN_NAME].length || !is_number(log->values[COLUMN_DELTA], &delta) || delta < 0)
        return lose_call(log, line, log->values[log->values[COLUMN_NAME].length ? COLUMN_DELTA : COLUMN_NAME].data);
    code = find_function(log->folder, log->values[COLUMN_NAME], &function);
    if (code != STATUS_OK)
        return code;
    if (function == MOST_FUNCTIONS)
        return lose_call(log, line, log->values[COLUMN_NAME].data);
    if (function == known)
        sums->items[function] = (struct op_function){ 0 };
    sums->items[function].count++;
    if (__builtin_add_overflow(sums->items[function].total_ns, (uint64_t)delta, &sums->items[function].total_ns))
        sums->items[function].total_ns = UINT64_MAX;
    log->folder->function_rows++;
    return keep_span(log, function, delta);
}

static status keep_calls(struct ops_folder *folder, const struct call_sums *sums, struct op_call *row)
{
    size_t count = 0;

    for (size_t i = 0; i < folder->calls.function_count; i++)
        count += sums->items[i].count > 0;
    row->functions =
        count ? arena_allocate(&folder->arena, count * sizeof *row->functions, _Alignof(struct op_function)) : NULL;
    if (count && !row->functions)
        return status_no_memory("keeping the functions of a call");
    for (uint32_t i = 0; i < folder->calls.function_count; i++) {
        if (!sums->items[i].count)
            continue;
        row->functions[row->function_count] = sums->items[i];
        row->functions[row->function_count++].function = i;
    }
    return STATUS_OK;
}

static status read_calls(struct host_log *log, struct input *input, struct call_sums *sums)
{
    struct lines *lines;
    struct line line;
    bool found, first = true;
    status code = lines_open(input, &lines);

    if (code != STATUS_OK)
        return code;
    for (; code == STATUS_OK && (code = lines_next(lines, &line, &found)) == STATUS_OK && found; first = false) {
        cut_fields((struct text){ line.data, line.length }, &log->fields);
        if (first && take_header(&log->header, &log->fields))
            continue;
        if (first) {
            /* Without names of columns: they have always been these four. */
            log->header =
                (struct header){ .columns = { COLUMN_NAME, COLUMN_START, COLUMN_STOP, COLUMN_DELTA }, .count = 4 };
        }
        if (line.length)
            code = add_call(log, &line, sums);
    }
    lines_close(lines);
    return code;
}

status ops_calls_read(struct ops_folder *folder, const char *path, struct op_call *row, bool *found)
{
    struct host_log *log;
    struct call_sums *sums;
    struct input *input = NULL;
    status code;

    assert(path && row);
    *found = access(path, F_OK) == 0;
    if (!*found)
        return STATUS_OK;
    log = memory_allocate_clear(sizeof *log);
    sums = memory_allocate(sizeof *sums);
    if (log && sums) {
        memset(sums, 0, folder->calls.function_count * sizeof *sums->items);
        *log = (struct host_log){ .folder = folder, .path = path };
        code = input_open(path, &input);
        if (code == STATUS_OK)
            code = read_calls(log, input, sums);
        if (ops_forgives(folder, code)) {
            status_clear();
            code = ops_lose(folder, OPS_LOSS_CALLS_ROW, 1, path, 0);
        }
        if (code == STATUS_OK)
            code = keep_calls(folder, sums, row);
    } else {
        code = status_no_memory("reading the functions of a call");
    }
    input_close(input);
    memory_free(log);
    memory_free(sums);
    return code;
}
