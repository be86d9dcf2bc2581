/* slices.c: one CSV row per slice, for spreadsheets and scripts.
 *
 * Comma, LF, quotes as RFC 4180 has them. Rows come when slices are complete: begun slices when they end. Slices that
 * we only draw (overviews, estimates) have no row. Times are exact: ticks as logged, and nanoseconds as in the traces.
 */
#include <assert.h>
#include <string.h>

#include "base/json_write.h"
#include "base/memory.h"
#include "base/number.h"
#include "trace/held.h"
#include "write/announced.h"
#include "write/argument_json.h"
#include "write/writer.h"

enum { COLUMNS = 64 }; /* more than all chains register */

struct slices {
    struct announced announced; /* first, as its calls need it */
    struct output *output;      /* borrowed */
    struct strings *strings;    /* borrowed */
    bool arguments;             /* they are written */
    string_id columns[COLUMNS]; /* keys that have one, in order */
    unsigned column_count;      /* of columns */
    struct held *begun;         /* by open id */
    size_t begun_count;         /* of begun */
    size_t begun_capacity;      /* of begun */
    struct output *others;      /* arguments without a column, of the row at hand; NULL: there were none yet */
    uint64_t events;            /* two for each row */
};

static void write_cell(struct output *output, const char *data, size_t length)
{
    bool quoted = false;

    for (size_t i = 0; i < length && !quoted; i++)
        quoted = data[i] == ',' || data[i] == '"' || data[i] == '\n' || data[i] == '\r';
    if (!quoted) {
        output_write(output, data, length);
        return;
    }
    output_write(output, "\"", 1);
    while (length) {
        const char *quote = memchr(data, '"', length);
        size_t piece = quote ? (size_t)(quote - data) + 1 : length;

        output_write(output, data, piece);
        if (quote)
            output_write(output, "\"", 1);
        data += piece;
        length -= piece;
    }
    output_write(output, "\"", 1);
}

static void write_text(struct slices *slices, string_id id)
{
    struct text text = strings_get(slices->strings, id);

    write_cell(slices->output, text.data, text.length);
}

static void write_integer(struct output *output, int64_t value)
{
    unsigned char *to = output_reserve(output, 24);

    output_advance(output, number_write_integer((char *)to, value));
}

static void next_cell(struct slices *slices)
{
    output_write(slices->output, ",", 1);
}

/* A cell of its own: a text stands for itself. */
static void write_argument(struct slices *slices, const struct argument *argument)
{
    unsigned char *to;

    switch ((enum argument_type)argument->type) {
    case ARGUMENT_INTEGER:
        write_integer(slices->output, argument->integer);
        break;
    case ARGUMENT_UNSIGNED:
        output_format(slices->output, "%llu", (unsigned long long)argument->natural);
        break;
    case ARGUMENT_POINTER:
        output_format(slices->output, "0x%llx", (unsigned long long)argument->natural);
        break;
    case ARGUMENT_BOOLEAN:
        output_format(slices->output, "%s", argument->boolean ? "true" : "false");
        break;
    case ARGUMENT_DECIMAL:
        to = output_reserve(slices->output, 32);
        output_advance(slices->output, number_write_shortest((char *)to, argument->decimal));
        break;
    case ARGUMENT_TEXT:
    case ARGUMENT_JSON:
        write_text(slices, argument->text);
        break;
    }
}

/* The column of a key; -1: it goes with all others. */
static int column_of(const struct slices *slices, string_id key)
{
    for (unsigned i = 0; i < slices->column_count; i++)
        if (slices->columns[i] == key)
            return (int)i;
    return -1;
}

static void write_header(const struct slices *slices)
{
    static const char fixed[] = "process,track,engine,index,name,start_ns,duration_ns,start_ticks,end_ticks,"
                                "operator,type,location";

    output_write(slices->output, fixed, sizeof fixed - 1);
    for (unsigned i = 0; i < slices->column_count; i++) {
        struct text name = strings_get(slices->strings, slices->columns[i]);

        output_write(slices->output, ",", 1);
        output_write(slices->output, name.data, name.length);
    }
    output_write(slices->output, ",arguments\n", 11);
}

static void write_operator(struct slices *slices, const struct slice *slice)
{
    const struct op *op = announced_operator(&slices->announced, slice->op);
    const struct argument *location =
        slices->arguments ? argument_find(slice->arguments, slice->argument_count, KEY_LOCATION) : NULL;

    next_cell(slices);
    if (op)
        write_text(slices, op->name);
    next_cell(slices);
    if (op)
        write_text(slices, op->type);
    next_cell(slices);
    /* What the slice itself says goes before what is known of its operator. */
    if (location)
        write_argument(slices, location);
    else if (op)
        write_text(slices, op->location);
}

static void write_columns(struct slices *slices, const struct slice *slice, uint32_t count)
{
    const struct argument *cells[COLUMNS] = { NULL };

    assert(slices->column_count <= COLUMNS);
    for (uint32_t i = 0; i < count; i++) {
        int column = column_of(slices, slice->arguments[i].key);

        if (column >= 0 && !cells[column])
            cells[column] = &slice->arguments[i];
    }
    for (unsigned i = 0; i < slices->column_count; i++) {
        next_cell(slices);
        if (cells[i])
            write_argument(slices, cells[i]);
    }
}

/* Arguments that have no column of their own and were not told before. */
static bool is_other(const struct slices *slices, const struct slice *slice, uint32_t index)
{
    string_id key = slice->arguments[index].key;

    assert(index < slice->argument_count);
    return key != KEY_LOCATION && column_of(slices, key) < 0 && !argument_find(slice->arguments, index, key);
}

/* The last cell: a JSON object. It is made apart, as a cell has its own quotes. */
static status write_others(struct slices *slices, const struct slice *slice, uint32_t count)
{
    struct json_out object;
    const char *text;
    size_t length;
    status result = STATUS_OK;

    if (!slices->others)
        result = output_open_memory(&slices->others);
    if (result != STATUS_OK)
        return result;
    output_clear(slices->others);
    json_out_start(&object, slices->others);
    json_out_object(&object, NULL, JSON_TIGHT);
    for (uint32_t i = 0; i < count; i++)
        if (is_other(slices, slice, i))
            argument_write_json(json_out_value(&object, strings_text(slices->strings, slice->arguments[i].key)),
                                slices->strings, &slice->arguments[i]);
    json_out_end(&object);
    text = output_memory(slices->others, &length);
    if (!text)
        return output_status(slices->others);
    write_cell(slices->output, text, length);
    return STATUS_OK;
}

static status write_arguments(struct slices *slices, const struct slice *slice)
{
    uint32_t count = slices->arguments ? slice->argument_count : 0, others = 0;

    write_columns(slices, slice, count);
    next_cell(slices);
    for (uint32_t i = 0; i < count; i++)
        others += is_other(slices, slice, i);
    return others ? write_others(slices, slice, count) : STATUS_OK;
}

static status write_row(struct slices *slices, const struct slice *slice, int64_t end)
{
    const struct announced_track *track = announced_track(&slices->announced, slice->track);
    struct output *output = slices->output;
    const char *engine = track->track.engine->key;
    int64_t start_ns = clock_ns(track->clock, slice->start);
    status result;

    assert(slice_is_whole(slice) && slice->start <= end);
    if (track->process != NO_ID)
        write_text(slices, announced_track(&slices->announced, track->process)->track.name);
    next_cell(slices);
    write_text(slices, track->track.name);
    next_cell(slices);
    output_write(output, engine, strlen(engine));
    next_cell(slices);
    write_integer(output, track->track.index);
    next_cell(slices);
    write_text(slices, slice->name);
    next_cell(slices);
    write_integer(output, start_ns);
    next_cell(slices);
    write_integer(output, clock_ns(track->clock, end) - start_ns);
    next_cell(slices);
    write_integer(output, slice->start);
    next_cell(slices);
    write_integer(output, end);
    write_operator(slices, slice);
    result = write_arguments(slices, slice);
    output_write(output, "\n", 1);
    slices->events += 2;
    return result == STATUS_OK ? output_status(output) : result;
}

static status slices_slice(void *self, const struct slice *slice)
{
    struct slices *slices = self;
    status result = announced_check(&slices->announced, slice->track);

    if (result != STATUS_OK || announced_is_drawn(&slices->announced, slice->track))
        return result;
    return write_row(slices, slice, slice->end);
}

static status slices_begin(void *self, open_id id, open_id parent, const struct slice *slice)
{
    struct slices *slices = self;
    status result = announced_check(&slices->announced, slice->track);

    (void)parent; /* rows do not nest */
    if (result == STATUS_OK)
        result = memory_grow(&slices->begun, &slices->begun_capacity, (size_t)id + 1, sizeof *slices->begun);
    if (result != STATUS_OK)
        return result;
    while (slices->begun_count <= id)
        slices->begun[slices->begun_count++] = (struct held){ .slice = { .track = NO_ID } };
    return held_keep(&slices->begun[id], slice);
}

static status slices_end(void *self, open_id id, int64_t time)
{
    struct slices *slices = self;
    const struct slice *slice;

    if (id >= slices->begun_count || slices->begun[id].slice.track == NO_ID)
        return announced_unknown(NO_ID);
    slice = &slices->begun[id].slice;
    if (announced_is_drawn(&slices->announced, slice->track))
        return STATUS_OK;
    return write_row(slices, slice, time < slice->start ? slice->start : time);
}

static status slices_finish(void *self)
{
    return output_status(((struct slices *)self)->output);
}

static const struct sink_calls slices_calls = {
    .clock = announced_add_clock,
    .track = announced_add_track,
    .op = announced_add_operator,
    .slice = slices_slice,
    .begin = slices_begin,
    .end = slices_end,
    .finish = slices_finish,
};

static void slices_free(void *self)
{
    struct slices *slices = self;

    for (size_t i = 0; i < slices->begun_count; i++)
        held_free(&slices->begun[i]);
    memory_free(slices->begun);
    output_abandon(slices->others);
    announced_free(&slices->announced);
    memory_free(slices);
}

static uint64_t slices_events(const void *self)
{
    return ((const struct slices *)self)->events;
}

static status slices_open(struct output *output, struct strings *strings, const struct writer_options *options,
                          struct writer *writer)
{
    struct slices *slices = memory_allocate_clear(sizeof *slices);
    status result = STATUS_OK;

    if (!slices)
        return status_no_memory("preparing a CSV file");
    slices->output = output;
    slices->strings = strings;
    slices->arguments = options->arguments;
    announced_start(&slices->announced);
    for (unsigned i = 0; options->columns && options->columns[i] && result == STATUS_OK && i < COLUMNS; i++) {
        result = strings_add_text(strings, options->columns[i], &slices->columns[i]);
        slices->column_count = i + 1;
    }
    if (result != STATUS_OK) {
        slices_free(slices);
        return result;
    }
    assert(slices->column_count < COLUMNS && "a column that finds no room would be lost");
    write_header(slices);
    *writer = (struct writer){
        .sink = { &slices_calls, slices },
        .self = slices,
        .free = slices_free,
        .events = slices_events,
    };
    return STATUS_OK;
}

static const char *const suffixes[] = { ".csv", NULL };

const struct writer_format slices_format = {
    .id = "slices",
    .title = "CSV, one row per slice",
    .suffixes = suffixes,
    .drawn = false,
    .open = slices_open,
};
