/* slices.c: one CSV row per slice, for spreadsheets and scripts.
 *
 * Comma, LF, quotes as RFC 4180 has them. Rows come when slices are complete: begun slices when they end. Slices that
 * we only draw (overviews, estimates) have no row. Times are exact: ticks as logged, and nanoseconds as in the traces.
 */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/number.h"
#include "write/announced.h"
#include "write/held.h"
#include "write/writer.h"

enum { COLUMNS = 64 }; /* more than all chains register */

struct slices {
    struct announced announced; /* first, as its calls need it */
    struct output *output;
    struct strings *strings;
    bool arguments;
    string_id columns[COLUMNS]; /* keys that have one, in order */
    unsigned column_count;
    struct held *begun; /* by open id */
    size_t begun_count;
    size_t begun_capacity;
    uint64_t events;
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

/* A text inside JSON inside a quoted cell: JSON escapes what it must, and the cell doubles each quote. `quoted`: a JSON string, else it is
 * JSON already. */
static void write_member(struct slices *slices, struct text text, bool quoted)
{
    struct output *output = slices->output;

    if (quoted)
        output_write(output, "\"\"", 2);
    for (size_t i = 0; i < text.length; i++) {
        unsigned char byte = (unsigned char)text.data[i];

        if (quoted && (byte == '"' || byte == '\\'))
            output_write(output, "\\", 1);
        if (byte == '"')
            output_write(output, "\"\"", 2);
        else if (quoted && byte < 0x20)
            output_format(output, "\\u%04x", byte);
        else
            output_write(output, text.data + i, 1);
    }
    if (quoted)
        output_write(output, "\"\"", 2);
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

/* The value as JSON has it; as a cell of its own a text stands for itself. */
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

/* One member of the JSON object in the last column; quotes are doubled, as that is a cell. */
static void add_member(struct slices *slices, const struct argument *argument, bool first)
{
    struct output *output = slices->output;

    output_write(output, first ? "\"{" : ",", first ? 2 : 1);
    write_member(slices, strings_get(slices->strings, argument->key), true);
    output_write(output, ":", 1);
    if (argument->type == ARGUMENT_TEXT)
        write_member(slices, strings_get(slices->strings, argument->text), true);
    else if (argument->type == ARGUMENT_JSON)
        write_member(slices, strings_get(slices->strings, argument->text), false);
    else if (argument->type == ARGUMENT_POINTER)
        output_format(output, "\"\"0x%llx\"\"", (unsigned long long)argument->natural);
    else if (argument->type == ARGUMENT_DECIMAL && !isfinite(argument->decimal))
        output_write(output, "null", 4);
    else
        write_argument(slices, argument);
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

static void write_arguments(struct slices *slices, const struct slice *slice)
{
    const struct argument *cells[COLUMNS] = { NULL };
    uint32_t count = slices->arguments ? slice->argument_count : 0;
    bool any = false;

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
    next_cell(slices);
    for (uint32_t i = 0; i < count; i++) {
        string_id key = slice->arguments[i].key;

        if (key == KEY_LOCATION || column_of(slices, key) >= 0 || argument_find(slice->arguments, i, key))
            continue;
        add_member(slices, &slice->arguments[i], !any);
        any = true;
    }
    if (any)
        output_write(slices->output, "}\"", 2);
}

static status write_row(struct slices *slices, const struct slice *slice, int64_t end)
{
    const struct announced_track *track = announced_track(&slices->announced, slice->track);
    struct output *output = slices->output;
    const char *engine = track->track.engine->key;
    int64_t start_ns = clock_ns(track->clock, slice->start);

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
    write_arguments(slices, slice);
    output_write(output, "\n", 1);
    slices->events += 2;
    return output_status(output);
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
