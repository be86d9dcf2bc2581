/* trace_tables_cells.c: columns and cells of what was read, and the orders in which its rows can be found. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "job/vocabulary.h"
#include "query/trace_tables.h"

/* ---- values ---------------------------------------------------------------------------------------------------------- */

static void set_integer(struct sql_value *value, int64_t integer)
{
    value->type = SQL_INTEGER;
    value->integer = integer;
}

static void set_decimal(struct sql_value *value, double decimal)
{
    value->type = SQL_DECIMAL;
    value->decimal = decimal;
}

/* NULL: not known. */
static void set_text(struct sql_value *value, const char *text)
{
    value->type = text ? SQL_TEXT : SQL_NULL;
    if (text)
        value->text = (struct text){ text, strlen(text) };
}

static void set_string(struct sql_value *value, const struct trace_tables *trace, string_id text)
{
    value->type = SQL_TEXT;
    value->text = strings_get(trace->session.strings, text);
}

/* The same where the empty text says that it is not known. */
static void set_known(struct sql_value *value, const struct trace_tables *trace, string_id text)
{
    value->type = SQL_NULL;
    if (text)
        set_string(value, trace, text);
}

static void set_input(struct sql_value *value, const struct trace_tables *trace, uint32_t input)
{
    set_text(value, trace->session.profiles[input].display);
}

static const char *group_name(const struct engine *engine)
{
    static const char *const names[] = {
        [GROUP_TRANSFER] = "transfer", [GROUP_COMPUTE] = "compute",         [GROUP_JOB] = "job",
        [GROUP_HOST] = "host",         [GROUP_BOOKKEEPING] = "bookkeeping", [GROUP_ENVELOPE] = "envelope",
        [GROUP_DRAWN] = "drawn",       [GROUP_CUSTOM] = "custom",
    };

    return engine ? names[engine->group] : NULL;
}

static void set_argument(struct sql_value *value, const struct trace_tables *trace, const struct argument *argument)
{
    switch ((enum argument_type)argument->type) {
    case ARGUMENT_INTEGER:
        set_integer(value, argument->integer);
        break;
    case ARGUMENT_BOOLEAN:
        set_integer(value, argument->boolean);
        break;
    case ARGUMENT_DECIMAL:
        set_decimal(value, argument->decimal);
        break;
    case ARGUMENT_TEXT:
    case ARGUMENT_JSON:
        set_string(value, trace, argument->text);
        break;
    case ARGUMENT_UNSIGNED:
        if (argument->natural <= INT64_MAX) {
            set_integer(value, (int64_t)argument->natural);
            break;
        }
        snprintf(value->room, sizeof value->room, "%llu", (unsigned long long)argument->natural);
        set_text(value, value->room);
        break;
    case ARGUMENT_POINTER:
        snprintf(value->room, sizeof value->room, "0x%llx", (unsigned long long)argument->natural);
        set_text(value, value->room);
        break;
    }
}

/* ---- slices ---------------------------------------------------------------------------------------------------------- */

enum slice_column {
    SLICE_ID,
    SLICE_TRACK_ID,
    SLICE_TRACK,
    SLICE_ENGINE,
    SLICE_GROUP,
    SLICE_INDEX,
    SLICE_NAME,
    SLICE_START_NS,
    SLICE_DURATION_NS,
    SLICE_END_NS,
    SLICE_START_TICKS,
    SLICE_DURATION_TICKS,
    SLICE_END_TICKS,
    SLICE_RUN,
    SLICE_OPERATOR,
    SLICE_TYPE,
    SLICE_LOCATION,
    SLICE_INPUT
};

static const struct sql_column slice_columns[] = {
    { "id", NULL, "number of the slice, in the order in which slices were read", CELL_INTEGER, false },
    { "track_id", NULL, "number of its track: tracks.id", CELL_INTEGER, false },
    { "track", NULL, "name of its track", CELL_TEXT, false },
    { "engine", NULL, "that worked", CELL_TEXT, false },
    { "engine_group", NULL, "what its time means: transfer, compute, job, host, bookkeeping, envelope, drawn, custom",
      CELL_TEXT, false },
    { "engine_index", NULL, "which of several engines of a kind", CELL_INTEGER, false },
    { "name", NULL, "of the slice", CELL_TEXT, false },
    { "start_ns", "ns", "when it began", CELL_DURATION, false },
    { "duration_ns", "ns", "end_ns - start_ns; null: an instant", CELL_DURATION, false },
    { "end_ns", "ns", "when it ended; null: an instant", CELL_DURATION, false },
    { "start_ticks", "ticks", "when it began, by the clock of its track, exactly", CELL_INTEGER, false },
    { "duration_ticks", "ticks", "how long it took, exactly; null: an instant", CELL_INTEGER, false },
    { "end_ticks", "ticks", "when it ended, exactly; null: an instant", CELL_INTEGER, false },
    { "run", NULL, "that it belongs to: runs.id; null: none", CELL_INTEGER, false },
    { "operator", NULL, "of the model that it belongs to", CELL_TEXT, false },
    { "type", NULL, "of the operator", CELL_TEXT, false },
    { "location", NULL, "of the operator in the source", CELL_TEXT, false },
    { "input", NULL, "that it was read from", CELL_TEXT, false },
    { 0 },
};

static const struct sql_index slice_indexes[] = {
    { "track", SLICE_TRACK_ID,
      1ull << SLICE_TRACK | 1ull << SLICE_ENGINE | 1ull << SLICE_GROUP | 1ull << SLICE_INDEX | 1ull << SLICE_INPUT,
      1ull << SLICE_START_NS | 1ull << SLICE_START_TICKS },
    { "name", SLICE_NAME, 0, 0 },
    { "run", SLICE_RUN, 0, 0 },
    { "time", SQL_NONE, 0, 1ull << SLICE_START_NS },
    { 0 },
};

enum { INDEX_TRACK, INDEX_NAME, INDEX_RUN, INDEX_TIME };

static const struct op *operator_of(const struct trace_tables *trace, size_t row)
{
    operator_id op = *(operator_id *)column_at(&trace->store.op, row);

    return op == NO_ID ? NULL : store_operator(&trace->store, op);
}

static const struct track *track_of(const struct trace_tables *trace, size_t row)
{
    return store_track(&trace->store, *(track_id *)column_at(&trace->store.track, row));
}

static void slice_time(const struct trace_tables *trace, size_t row, unsigned column, struct sql_value *value)
{
    int64_t start = *(int64_t *)column_at(&trace->store.start, row);
    int64_t end = *(int64_t *)column_at(&trace->store.end, row);
    const struct track *track;

    value->type = SQL_NULL;
    if (column != SLICE_START_NS && column != SLICE_START_TICKS && store_is_instant(&trace->store, row))
        return;
    if (column == SLICE_START_NS || column == SLICE_DURATION_NS || column == SLICE_END_NS) {
        track = track_of(trace, row);
        start = column == SLICE_END_NS ? start : trace_tables_ns(trace, track, start);
        end = column == SLICE_START_NS ? end : trace_tables_ns(trace, track, end);
    }
    if (column == SLICE_START_NS || column == SLICE_START_TICKS)
        set_integer(value, start);
    else if (column == SLICE_END_NS || column == SLICE_END_TICKS)
        set_integer(value, end);
    else
        set_integer(value, end - start);
}

static void slice_operator(const struct trace_tables *trace, size_t row, unsigned column, struct sql_value *value)
{
    const struct op *op = operator_of(trace, row);

    value->type = SQL_NULL;
    if (op)
        set_known(value, trace, column == SLICE_OPERATOR ? op->name : column == SLICE_TYPE ? op->type : op->location);
}

static void slice_cell(const void *context, size_t row, unsigned column, struct sql_value *value)
{
    const struct trace_tables *trace = context;
    uint32_t run;

    switch ((enum slice_column)column) {
    case SLICE_ID:
        set_integer(value, (int64_t)row);
        break;
    case SLICE_TRACK_ID:
        set_integer(value, *(track_id *)column_at(&trace->store.track, row));
        break;
    case SLICE_TRACK:
        set_string(value, trace, track_of(trace, row)->name);
        break;
    case SLICE_ENGINE:
        set_text(value, track_of(trace, row)->engine ? track_of(trace, row)->engine->key : NULL);
        break;
    case SLICE_GROUP:
        set_text(value, group_name(track_of(trace, row)->engine));
        break;
    case SLICE_INDEX:
        set_integer(value, track_of(trace, row)->index);
        break;
    case SLICE_NAME:
        set_string(value, trace, *(string_id *)column_at(&trace->store.name, row));
        break;
    case SLICE_RUN:
        run = trace_tables_run(trace, row);
        set_integer(value, run);
        value->type = run == NO_ID ? SQL_NULL : SQL_INTEGER;
        break;
    case SLICE_OPERATOR:
    case SLICE_TYPE:
    case SLICE_LOCATION:
        slice_operator(trace, row, column, value);
        break;
    case SLICE_INPUT:
        set_input(value, trace, trace->track_inputs[*(track_id *)column_at(&trace->store.track, row)]);
        break;
    default:
        slice_time(trace, row, column, value);
        break;
    }
}

/* ---- groups by text -------------------------------------------------------------------------------------------------- */

static int by_text(const void *left, const void *right, void *strings)
{
    struct text a = strings_get(strings, *(const string_id *)left), b = strings_get(strings, *(const string_id *)right);
    size_t shorter = a.length < b.length ? a.length : b.length;
    int order = shorter ? memcmp(a.data, b.data, shorter) : 0;

    return order ? order : (a.length > b.length) - (a.length < b.length);
}

/* Ids of texts, one for each row, become places of these texts in the order of their bytes. */
static status rank_texts(const struct trace_tables *trace, uint32_t *ids, size_t rows, uint32_t *count)
{
    uint32_t all = strings_count(trace->session.strings), used = 0;
    uint32_t *ranks = memory_allocate_clear(((size_t)all + 1) * sizeof *ranks);
    string_id *texts = memory_allocate(((size_t)all + 1) * sizeof *texts);

    if (ranks && texts) {
        for (size_t i = 0; i < rows; i++)
            if (!ranks[ids[i]]) {
                ranks[ids[i]] = 1;
                texts[used++] = ids[i];
            }
        qsort_r(texts, used, sizeof *texts, by_text, trace->session.strings);
        for (uint32_t i = 0; i < used; i++)
            ranks[texts[i]] = i;
        for (size_t i = 0; i < rows; i++)
            ids[i] = ranks[ids[i]];
        *count = used;
    }
    memory_free(texts);
    memory_free(ranks);
    return ranks && texts ? STATUS_OK : status_no_memory("ordering rows");
}

static status group_slices(const void *context, unsigned index, uint32_t *groups, uint32_t *count)
{
    const struct trace_tables *trace = context;
    size_t rows = store_count(&trace->store);

    if (index == INDEX_NAME) {
        for (size_t i = 0; i < rows; i++)
            groups[i] = *(string_id *)column_at(&trace->store.name, i);
        return rank_texts(trace, groups, rows, count);
    }
    assert(index == INDEX_TRACK || index == INDEX_RUN);
    for (size_t i = 0; i < rows; i++)
        groups[i] = index == INDEX_TRACK ? *(track_id *)column_at(&trace->store.track, i)
                                         : trace_tables_run(trace, i) + 1; /* none comes first */
    *count = (uint32_t)(index == INDEX_TRACK ? trace->store.tracks.count : trace->run_count + 1);
    return STATUS_OK;
}

static int64_t order_slices(const void *context, unsigned index, size_t row)
{
    const struct trace_tables *trace = context;
    int64_t start = *(int64_t *)column_at(&trace->store.start, row);

    return index == INDEX_TIME ? trace_tables_ns(trace, track_of(trace, row), start) : start;
}

/* ---- tracks ---------------------------------------------------------------------------------------------------------- */

enum track_column {
    TRACK_ID,
    TRACK_PARENT,
    TRACK_NAME,
    TRACK_KIND,
    TRACK_ENGINE,
    TRACK_TITLE,
    TRACK_ENGINE_GROUP,
    TRACK_INDEX,
    TRACK_CLOCK,
    TRACK_NUMERATOR,
    TRACK_DENOMINATOR,
    TRACK_OFFSET,
    TRACK_UNIT,
    TRACK_INPUT
};

static const struct sql_column track_columns[] = {
    { "id", NULL, "number of the track", CELL_INTEGER, false },
    { "parent", NULL, "track that it lies under: tracks.id; null: none", CELL_INTEGER, false },
    { "name", NULL, "for people", CELL_TEXT, false },
    { "kind", NULL, "process, group, slices or counter", CELL_TEXT, false },
    { "engine", NULL, "whose line it is; null: a group", CELL_TEXT, false },
    { "engine_title", NULL, "the same for people", CELL_TEXT, false },
    { "engine_group", NULL, "what its time means: transfer, compute, job, host, bookkeeping, envelope, drawn, custom",
      CELL_TEXT, false },
    { "engine_index", NULL, "which of several engines of a kind", CELL_INTEGER, false },
    { "clock", NULL, "that its ticks are of", CELL_TEXT, false },
    { "tick_numerator", NULL, "ns = ticks * tick_numerator / tick_denominator, rounded down, + tick_offset_ns",
      CELL_INTEGER, false },
    { "tick_denominator", NULL, "see tick_numerator", CELL_INTEGER, false },
    { "tick_offset_ns", "ns", "see tick_numerator", CELL_INTEGER, false },
    { "unit", NULL, "of the values of a counter", CELL_TEXT, false },
    { "input", NULL, "that it was read from", CELL_TEXT, false },
    { 0 },
};

static void track_clock(const struct trace_tables *trace, const struct track *track, unsigned column,
                        struct sql_value *value)
{
    const struct clock *clock = track->clock == NO_ID ? NULL : store_clock(&trace->store, track->clock);

    if (column == TRACK_CLOCK) {
        set_text(value, NULL);
        if (clock)
            set_known(value, trace, clock->name);
    } else if (column == TRACK_OFFSET) {
        set_integer(value, clock ? clock->offset : 0);
    } else {
        uint64_t part = !clock ? 1 : column == TRACK_NUMERATOR ? clock->numerator : clock->denominator;

        set_integer(value, part <= INT64_MAX ? (int64_t)part : 0);
        value->type = part <= INT64_MAX ? SQL_INTEGER : SQL_NULL;
    }
}

static void track_cell(const void *context, size_t row, unsigned column, struct sql_value *value)
{
    static const char *const kinds[] = {
        [TRACK_PROCESS] = "process", [TRACK_GROUP] = "group", [TRACK_SLICES] = "slices", [TRACK_COUNTER] = "counter"
    };
    const struct trace_tables *trace = context;
    const struct track *track = store_track(&trace->store, (track_id)row);

    switch ((enum track_column)column) {
    case TRACK_ID:
        set_integer(value, (int64_t)row);
        break;
    case TRACK_PARENT:
        set_integer(value, track->parent);
        value->type = track->parent == NO_ID ? SQL_NULL : SQL_INTEGER;
        break;
    case TRACK_NAME:
        set_string(value, trace, track->name);
        break;
    case TRACK_KIND:
        set_text(value, kinds[track->kind]);
        break;
    case TRACK_ENGINE:
        set_text(value, track->engine ? track->engine->key : NULL);
        break;
    case TRACK_TITLE:
        set_text(value, track->engine ? track->engine->title : NULL);
        break;
    case TRACK_ENGINE_GROUP:
        set_text(value, group_name(track->engine));
        break;
    case TRACK_INDEX:
        set_integer(value, track->index);
        value->type = track->engine ? SQL_INTEGER : SQL_NULL;
        break;
    case TRACK_UNIT:
        set_text(value, track->unit);
        break;
    case TRACK_INPUT:
        set_input(value, trace, trace->track_inputs[row]);
        break;
    default:
        track_clock(trace, track, column, value);
        break;
    }
}

/* ---- arguments ------------------------------------------------------------------------------------------------------- */

enum argument_column { ARGUMENT_SLICE, ARGUMENT_KEY, ARGUMENT_VALUE, ARGUMENT_KIND, ARGUMENT_UNIT, ARGUMENT_INPUT };

static const struct sql_column argument_columns[] = {
    { "slice", NULL, "that it belongs to: slices.id", CELL_INTEGER, false },
    { "key", NULL, "name of the argument", CELL_TEXT, false },
    { "value", NULL, "integer, decimal or text; a boolean is 0 or 1", CELL_TEXT, true },
    { "type", NULL, "integer, unsigned, decimal, boolean, text, pointer or json", CELL_TEXT, false },
    { "unit", NULL, "of values of this key; null: none is known", CELL_TEXT, false },
    { "input", NULL, "that it was read from", CELL_TEXT, false },
    { 0 },
};

static const struct sql_index argument_indexes[] = {
    { "slice", SQL_NONE, 0, 1ull << ARGUMENT_SLICE },
    { "key", ARGUMENT_KEY, 1ull << ARGUMENT_UNIT, 1ull << ARGUMENT_SLICE },
    { 0 },
};

static const struct argument *argument_at(const struct trace_tables *trace, size_t row)
{
    return column_at(&trace->store.arguments, trace->argument_places[row]);
}

static void set_slice_input(struct sql_value *value, const struct trace_tables *trace, uint32_t slice)
{
    set_input(value, trace, trace->track_inputs[*(track_id *)column_at(&trace->store.track, slice)]);
}

static void argument_cell(const void *context, size_t row, unsigned column, struct sql_value *value)
{
    static const char *const types[] = { "integer", "unsigned", "decimal", "boolean", "text", "pointer", "json" };
    const struct trace_tables *trace = context;
    const struct argument *argument = argument_at(trace, row);
    const struct argument_key *known;

    switch ((enum argument_column)column) {
    case ARGUMENT_SLICE:
        set_integer(value, trace->argument_slices[row]);
        break;
    case ARGUMENT_KEY:
        set_string(value, trace, argument->key);
        break;
    case ARGUMENT_VALUE:
        set_argument(value, trace, argument);
        break;
    case ARGUMENT_KIND:
        set_text(value, types[argument->type]);
        break;
    case ARGUMENT_UNIT:
        known = vocabulary_key(strings_text(trace->session.strings, argument->key));
        set_text(value, known ? known->unit : NULL);
        break;
    case ARGUMENT_INPUT:
        set_slice_input(value, trace, trace->argument_slices[row]);
        break;
    }
}

static status group_arguments(const void *context, unsigned index, uint32_t *groups, uint32_t *count)
{
    const struct trace_tables *trace = context;
    size_t rows = trace->tables[TRACE_ARGUMENTS].rows;

    (void)index;
    for (size_t i = 0; i < rows; i++)
        groups[i] = argument_at(trace, i)->key;
    return rank_texts(trace, groups, rows, count);
}

static int64_t order_arguments(const void *context, unsigned index, size_t row)
{
    (void)index;
    return ((const struct trace_tables *)context)->argument_slices[row];
}

/* Arguments lie in pieces with gaps between them: slices tell where. */
static status list_arguments(struct trace_tables *trace, size_t *rows)
{
    const struct store *store = &trace->store;
    size_t slices = store_count(store), count = 0;

    for (size_t i = 0; i < slices; i++)
        count += *(uint32_t *)column_at(&store->argument_count, i);
    trace->argument_slices = memory_allocate((count + 1) * sizeof *trace->argument_slices);
    trace->argument_places = memory_allocate((count + 1) * sizeof *trace->argument_places);
    if (!trace->argument_slices || !trace->argument_places)
        return status_no_memory("listing arguments");
    for (size_t i = 0; i < slices; i++) {
        uint32_t first = *(uint32_t *)column_at(&store->first_argument, i);

        for (uint32_t k = 0; k < *(uint32_t *)column_at(&store->argument_count, i); k++) {
            trace->argument_slices[*rows] = (uint32_t)i;
            trace->argument_places[(*rows)++] = first + k;
        }
    }
    return STATUS_OK;
}

void trace_tables_argument(const struct trace_tables *trace, int64_t slice, struct text key, struct sql_value *value)
{
    const struct argument *argument;
    struct slice found;
    string_id id;

    value->type = SQL_NULL;
    if (slice < 0 || (uint64_t)slice >= store_count(&trace->store) ||
        !strings_find(trace->session.strings, key.data, key.length, &id))
        return;
    found = store_slice(&trace->store, (size_t)slice);
    argument = argument_find(found.arguments, found.argument_count, id);
    if (argument)
        set_argument(value, trace, argument);
}

/* ---- counters -------------------------------------------------------------------------------------------------------- */

enum counter_column {
    COUNTER_TRACK_ID,
    COUNTER_TRACK,
    COUNTER_NS,
    COUNTER_TICKS,
    COUNTER_VALUE,
    COUNTER_UNIT,
    COUNTER_INPUT
};

static const struct sql_column counter_columns[] = {
    { "track_id", NULL, "number of its track: tracks.id", CELL_INTEGER, false },
    { "track", NULL, "name of its track", CELL_TEXT, false },
    { "time_ns", "ns", "from when on it had the value", CELL_DURATION, false },
    { "time_ticks", "ticks", "the same by the clock of its track, exactly", CELL_INTEGER, false },
    { "value", NULL, "of the counter: integer or decimal", CELL_TEXT, true },
    { "unit", NULL, "of the value", CELL_TEXT, false },
    { "input", NULL, "that it was read from", CELL_TEXT, false },
    { 0 },
};

static const struct sql_index counter_indexes[] = {
    { "track", COUNTER_TRACK_ID, 1ull << COUNTER_TRACK | 1ull << COUNTER_UNIT | 1ull << COUNTER_INPUT,
      1ull << COUNTER_NS | 1ull << COUNTER_TICKS },
    { 0 },
};

static const struct store_counter *counter_at(const struct trace_tables *trace, size_t row)
{
    return column_at(&trace->store.counters, row);
}

static void counter_cell(const void *context, size_t row, unsigned column, struct sql_value *value)
{
    const struct trace_tables *trace = context;
    const struct store_counter *counter = counter_at(trace, row);
    const struct track *track = store_track(&trace->store, counter->track);

    switch ((enum counter_column)column) {
    case COUNTER_TRACK_ID:
        set_integer(value, counter->track);
        break;
    case COUNTER_TRACK:
        set_string(value, trace, track->name);
        break;
    case COUNTER_NS:
        set_integer(value, trace_tables_ns(trace, track, counter->time));
        break;
    case COUNTER_TICKS:
        set_integer(value, counter->time);
        break;
    case COUNTER_VALUE:
        if (track->decimal)
            set_decimal(value, counter_decimal(counter->value));
        else
            set_integer(value, counter->value);
        break;
    case COUNTER_UNIT:
        set_text(value, track->unit);
        break;
    case COUNTER_INPUT:
        set_input(value, trace, trace->track_inputs[counter->track]);
        break;
    }
}

static status group_counters(const void *context, unsigned index, uint32_t *groups, uint32_t *count)
{
    const struct trace_tables *trace = context;

    (void)index;
    for (size_t i = 0; i < trace->store.counters.count; i++)
        groups[i] = counter_at(trace, i)->track;
    *count = (uint32_t)trace->store.tracks.count;
    return STATUS_OK;
}

static int64_t order_counters(const void *context, unsigned index, size_t row)
{
    (void)index;
    return counter_at(context, row)->time;
}

/* ---- flows ----------------------------------------------------------------------------------------------------------- */

enum flow_column { FLOW_FLOW, FLOW_SLICE, FLOW_INPUT };

static const struct sql_column flow_columns[] = {
    { "flow", NULL, "slices of the same number are joined by an arrow, in order of start", CELL_INTEGER, false },
    { "slice", NULL, "that is joined: slices.id", CELL_INTEGER, false },
    { "input", NULL, "that it was read from", CELL_TEXT, false },
    { 0 },
};

static const struct sql_index flow_indexes[] = {
    { "slice", SQL_NONE, 0, 1ull << FLOW_SLICE },
    { "flow", SQL_NONE, 0, 1ull << FLOW_FLOW },
    { 0 },
};

static const struct store_flow *flow_at(const struct trace_tables *trace, size_t row)
{
    return column_at(&trace->store.flows, trace->flow_places[row]);
}

static void flow_cell(const void *context, size_t row, unsigned column, struct sql_value *value)
{
    const struct trace_tables *trace = context;
    const struct store_flow *flow = flow_at(trace, row);

    if (column == FLOW_INPUT)
        set_slice_input(value, trace, flow->slice);
    else
        set_integer(value, column == FLOW_FLOW ? flow->flow : flow->slice);
}

static int64_t order_flows(const void *context, unsigned index, size_t row)
{
    const struct store_flow *flow = flow_at(context, row);

    return index ? flow->flow : flow->slice;
}

static status list_flows(struct trace_tables *trace, size_t *rows)
{
    const struct column *flows = &trace->store.flows;

    trace->flow_places = memory_allocate((flows->count + 1) * sizeof *trace->flow_places);
    if (!trace->flow_places)
        return status_no_memory("listing flows");
    for (size_t i = 0; i < flows->count; i++)
        if (((const struct store_flow *)column_at(flows, i))->flow)
            trace->flow_places[(*rows)++] = (uint32_t)i;
    return STATUS_OK;
}

/* ---- runs ------------------------------------------------------------------------------------------------------------ */

enum run_column {
    RUN_ID,
    RUN_LAUNCH,
    RUN_INDEX,
    RUN_START_NS,
    RUN_DURATION_NS,
    RUN_END_NS,
    RUN_START_TICKS,
    RUN_DURATION_TICKS,
    RUN_END_TICKS,
    RUN_COUNTED,
    RUN_INPUT
};

static const struct sql_column run_columns[] = {
    { "id", NULL, "number of the run", CELL_INTEGER, false },
    { "launch", NULL, "process of the machine that it ran in, as the input counts them", CELL_INTEGER, false },
    { "run", NULL, "among the runs of its launch, from 0", CELL_INTEGER, false },
    { "start_ns", "ns", "when it began", CELL_DURATION, false },
    { "duration_ns", "ns", "how long it took, without pauses in it", CELL_DURATION, false },
    { "end_ns", "ns", "when it ended", CELL_DURATION, false },
    { "start_ticks", "ticks", "when it began, by the clock of the input, exactly", CELL_INTEGER, false },
    { "duration_ticks", "ticks", "how long it took, without pauses in it, exactly", CELL_INTEGER, false },
    { "end_ticks", "ticks", "when it ended, exactly", CELL_INTEGER, false },
    { "counted", NULL, "0: warm-up or a hiccup, which no mean is about", CELL_BOOLEAN, false },
    { "input", NULL, "that it was read from", CELL_TEXT, false },
    { 0 },
};

static void run_cell(const void *context, size_t row, unsigned column, struct sql_value *value)
{
    const struct trace_tables *trace = context;
    const struct trace_run *run = &trace->runs[row];
    const int64_t cells[] = {
        [RUN_ID] = (int64_t)row,
        [RUN_LAUNCH] = run->launch,
        [RUN_INDEX] = run->index,
        [RUN_START_NS] = clock_ns(run->clock, run->start),
        [RUN_DURATION_NS] = clock_span_ns(run->clock, run->ticks),
        [RUN_END_NS] = clock_ns(run->clock, run->end),
        [RUN_START_TICKS] = run->start,
        [RUN_DURATION_TICKS] = run->ticks,
        [RUN_END_TICKS] = run->end,
        [RUN_COUNTED] = run->counted,
    };

    if (column == RUN_INPUT)
        set_input(value, trace, run->input);
    else
        set_integer(value, cells[column]);
}

/* ---- all of them ----------------------------------------------------------------------------------------------------- */

const struct trace_table_facts trace_table_facts[TRACE_TABLES] = {
    [TRACE_SLICES] = { "slices", "every slice and instant", slice_columns, slice_indexes },
    [TRACE_TRACKS] = { "tracks", "every line of the trace, and the groups that lines lie in", track_columns, NULL },
    [TRACE_ARGUMENTS] = { "arguments", "what slices say beside their name and their times", argument_columns,
                          argument_indexes },
    [TRACE_COUNTERS] = { "counters", "values of counters", counter_columns, counter_indexes },
    [TRACE_FLOWS] = { "flows", "which slices are joined by arrows", flow_columns, flow_indexes },
    [TRACE_RUNS] = { "runs", "every inference, or step of a training; an input without any is one", run_columns, NULL },
};

static const struct sql_table calls[TRACE_TABLES] = {
    [TRACE_SLICES] = { .cell = slice_cell, .group = group_slices, .order = order_slices, .row_column = SLICE_ID },
    [TRACE_TRACKS] = { .cell = track_cell, .row_column = TRACK_ID },
    [TRACE_ARGUMENTS] = { .cell = argument_cell,
                          .group = group_arguments,
                          .order = order_arguments,
                          .row_column = SQL_NONE },
    [TRACE_COUNTERS] = { .cell = counter_cell,
                         .group = group_counters,
                         .order = order_counters,
                         .row_column = SQL_NONE },
    [TRACE_FLOWS] = { .cell = flow_cell, .order = order_flows, .row_column = SQL_NONE },
    [TRACE_RUNS] = { .cell = run_cell, .row_column = RUN_ID },
};

status trace_tables_fill(struct trace_tables *trace, enum trace_table which, struct sql_table *table)
{
    table->cell = calls[which].cell;
    table->group = calls[which].group;
    table->order = calls[which].order;
    table->row_column = calls[which].row_column;
    switch (which) {
    case TRACE_SLICES:
        table->rows = store_count(&trace->store);
        return STATUS_OK;
    case TRACE_TRACKS:
        table->rows = trace->store.tracks.count;
        return STATUS_OK;
    case TRACE_ARGUMENTS:
        return list_arguments(trace, &table->rows);
    case TRACE_COUNTERS:
        table->rows = trace->store.counters.count;
        return STATUS_OK;
    case TRACE_FLOWS:
        return list_flows(trace, &table->rows);
    case TRACE_RUNS:
        table->rows = trace->run_count;
        return STATUS_OK;
    case TRACE_TABLES:
        break;
    }
    return STATUS_OK;
}
