/* execution_reader.c: an execution pushed into a feed: tracks, runs, operators, slices. */
#include "executorch/execution_reader.h"

#include <assert.h>
#include <string.h>

#include "base/map.h"
#include "base/memory.h"
#include "executorch/category.h"
#include "executorch/chain.h"
#include "executorch/graph_join.h"
#include "executorch/record_check.h"
#include "trace/clock.h"

enum { MOST_BACKENDS = 64, DEEPEST = 64, MOST_ARGUMENTS = 6 };

/* An event that is drawn and whose end has not passed: what is between its children is a gap. */
struct open_parent {
    uint32_t event;  /* index */
    int64_t covered; /* up to here by itself starting or by its children */
    int64_t end;     /* ticks */
};

struct feeding {
    struct source *source;              /* borrowed */
    struct feed *feed;                  /* borrowed */
    const struct execution *execution;  /* settled; borrowed */
    const struct graph *graph;          /* NULL: none */
    string_id instruction;              /* key of an argument */
    clock_id clock;                     /* of all tracks */
    track_id tracks[EXECUTORCH_ORDERS]; /* NO_ID: not made yet */
    track_id line;                      /* on which all that runs is drawn; NO_ID: not made yet */
    struct {
        string_id backend;               /* its name */
        track_id track;                  /* its line */
    } backends[MOST_BACKENDS];           /* a line each */
    unsigned backend_count;              /* of backends */
    operator_id *operators;              /* announced id of each operator; NO_ID: a wrapper */
    struct number_map categories;        /* titles of categories, by names of operators */
    string_id gap_outside;               /* names of the two kinds of gaps */
    string_id gap_inside;                /* of a delegate's call */
    struct open_parent parents[DEEPEST]; /* outermost first */
    unsigned depth;                      /* of parents */
};

/* ---- Tracks ---- */

/* All that runs is drawn on one line, where operators nest in their calls and these in their inference: the first track of these is that
 * line, and the others are inside it. */
static status line_track(struct feeding *feeding, struct track track, track_id *id)
{
    status code;

    track.parent = feeding->feed->root;
    if (feeding->line != NO_ID) {
        track.parent = feeding->line;
        track.inside = true;
    }
    code = feed_track(feeding->feed, track, id);
    if (feeding->line == NO_ID)
        feeding->line = *id;
    return code;
}

static status engine_track(struct feeding *feeding, const struct engine *engine, track_id *track)
{
    bool beside = engine == &executorch_engine_load || engine == &executorch_engine_value;
    struct track made = { .clock = feeding->clock, .kind = TRACK_SLICES, .engine = engine };
    status code = STATUS_OK;

    if (feeding->tracks[engine->order] == NO_ID && beside) {
        code = feed_engine(feeding->feed, engine, 0, feeding->clock, &feeding->tracks[engine->order]);
    } else if (feeding->tracks[engine->order] == NO_ID) {
        made.order = feed_order(engine, 0);
        code = strings_add_text(feeding->feed->strings, engine->title, &made.name);
        if (code == STATUS_OK)
            code = line_track(feeding, made, &feeding->tracks[engine->order]);
    }
    *track = feeding->tracks[engine->order];
    return code;
}

/* A track per backend, named after it. */
static status backend_track(struct feeding *feeding, string_id backend, track_id *track)
{
    struct track made = {
        .clock = feeding->clock,
        .kind = TRACK_SLICES,
        .engine = &executorch_engine_delegate,
        .name = backend,
    };
    unsigned i = 0;
    status code = STATUS_OK;

    while (i < feeding->backend_count && feeding->backends[i].backend != backend)
        i++;
    if (i == feeding->backend_count && i < MOST_BACKENDS) {
        made.index = i;
        made.order = feed_order(&executorch_engine_delegate, i);
        code = line_track(feeding, made, &feeding->backends[i].track);
        feeding->backends[i].backend = backend;
        feeding->backend_count++;
    }
    *track = feeding->backends[i < MOST_BACKENDS ? i : MOST_BACKENDS - 1].track;
    return code;
}

static status track_of(struct feeding *feeding, const struct execution_operator *op, track_id *track)
{
    static const struct engine *const engines[] = {
        [EVENT_EXECUTE] = &executorch_engine_inference,  [EVENT_LOAD] = &executorch_engine_load,
        [EVENT_CALL] = &executorch_engine_call,          [EVENT_CONTROL] = &executorch_engine_call,
        [EVENT_DELEGATED] = &executorch_engine_delegate, [EVENT_PORTABLE] = &executorch_engine_portable,
    };

    if (op->kind == EVENT_DELEGATED)
        return backend_track(feeding, op->backend, track);
    return engine_track(feeding, engines[op->kind], track);
}

/* ---- Operators ---- */

static const struct graph_node *node_of(const struct feeding *feeding, const struct execution_operator *op)
{
    return feeding->graph && op->node != NO_ID ? graph_node(feeding->graph, op->node) : NULL;
}

/* Names repeat from operator to operator, and a look at each takes time. */
static status find_category(struct feeding *feeding, string_id name, string_id *category)
{
    struct strings *strings = feeding->feed->strings;
    uint32_t *known = number_map_at(&feeding->categories, name, 0);
    status code = STATUS_OK;

    if (!known)
        return status_no_memory("announcing operators");
    if (*known == MAP_NONE)
        code = strings_add_text(strings, category_title(category_of(NULL, strings_get(strings, name))), known);
    *category = *known;
    return code;
}

/* What the graph and its backend know of it. */
static status describe_operator(struct feeding *feeding, const struct execution_operator *own, struct op *op)
{
    const struct graph_node *node = node_of(feeding, own);

    op->kernel = own->type;
    op->module = node ? node->module : 0;
    op->shapes = node ? (node->inputs ? node->inputs : node->shape) : 0;
    return find_category(feeding, own->name, &op->category);
}

/* "features.0.0: Convolution (NHWC, F32) IGEMM #1": names repeat from delegate to delegate, modules hardly. */
static status name_operator(struct feeding *feeding, const struct execution_operator *own, struct op *op)
{
    struct strings *strings = feeding->feed->strings;
    const struct graph_node *node = node_of(feeding, own);
    const char *name = strings_text(strings, own->name);

    if (node) {
        status code = STATUS_OK;

        op->type = node->type;
        op->file = node->file;
        op->line = node->line;
        if (node->file)
            code = strings_add_format(strings, &op->location, "%s:%u", strings_text(strings, node->file), node->line);
        if (code != STATUS_OK || !node->module) {
            op->name = own->name;
            return code;
        }
        return strings_add_format(strings, &op->name, "%s: %s", strings_text(strings, node->module), name);
    }
    op->type = own->type;
    if (own->instruction >= 0)
        return strings_add_format(strings, &op->name, "%s (instruction %d)", name, own->instruction);
    op->name = own->name;
    return STATUS_OK;
}

static status announce_operators(struct feeding *feeding)
{
    const struct execution *execution = feeding->execution;
    status code = STATUS_OK;

    feeding->operators = memory_allocate((execution->operators.count + 1) * sizeof *feeding->operators);
    if (!feeding->operators)
        return status_no_memory("announcing operators");
    for (uint32_t i = 0; i < execution->operators.count && code == STATUS_OK; i++) {
        const struct execution_operator *own = execution_operator_at(execution, i);
        struct op op = { 0 };

        feeding->operators[i] = NO_ID;
        if (!operator_is_work(own))
            continue;
        code = name_operator(feeding, own, &op);
        if (code == STATUS_OK)
            code = describe_operator(feeding, own, &op);
        if (code == STATUS_OK)
            code = feed_operator_new(feeding->feed, &op);
        feeding->operators[i] = op.id;
    }
    return code;
}

/* ---- Slices ---- */

static void add_integer(struct slice *slice, struct argument *arguments, string_id key, int64_t value)
{
    arguments[slice->argument_count++] = (struct argument){ .key = key, .integer = value };
}

static void add_text(struct slice *slice, struct argument *arguments, string_id key, string_id text)
{
    if (text)
        arguments[slice->argument_count++] = (struct argument){ .key = key, .type = ARGUMENT_TEXT, .text = text };
}

static status push_event(struct feeding *feeding, const struct execution_run *run, run_id inference, uint32_t index)
{
    const struct execution_event *event = execution_event_at(feeding->execution, index);
    const struct execution_operator *op = execution_operator_at(feeding->execution, event->op);
    const struct graph_node *node = node_of(feeding, op);
    struct argument arguments[MOST_ARGUMENTS];
    struct slice slice = {
        .name = op->name,
        .op = feeding->operators[event->op],
        .run = inference,
        .start = event->start,
        .end = event->start + event->duration,
        .arguments = arguments,
    };
    status code = track_of(feeding, op, &slice.track);

    if (op->kind == EVENT_EXECUTE)
        add_integer(&slice, arguments, KEY_RUN, run->index);
    if (op->kind == EVENT_CALL && op->instruction >= 0)
        add_integer(&slice, arguments, feeding->instruction, op->instruction);
    if (node) {
        add_text(&slice, arguments, KEY_MODULE, node->module);
        add_text(&slice, arguments, KEY_OP, node->type);
        if (node->macs && node->macs <= INT64_MAX)
            add_integer(&slice, arguments, KEY_MACS, (int64_t)node->macs);
    }
    return code == STATUS_OK ? sink_slice(&feeding->feed->sink, &slice) : code;
}

/* ---- Gaps ---- */

static status push_gap(struct feeding *feeding, const struct open_parent *parent, int64_t end, run_id run)
{
    const struct execution_event *event = execution_event_at(feeding->execution, parent->event);
    bool outside = execution_operator_at(feeding->execution, event->op)->kind == EVENT_EXECUTE;
    struct slice slice = {
        .name = outside ? feeding->gap_outside : feeding->gap_inside,
        .op = NO_ID,
        .run = run,
        .start = parent->covered,
        .end = end,
    };
    status code;

    if (end <= parent->covered)
        return STATUS_OK;
    code = engine_track(feeding, &executorch_engine_gap, &slice.track);
    return code == STATUS_OK ? sink_slice(&feeding->feed->sink, &slice) : code;
}

/* Parents that end before `time` are over. */
static status close_parents(struct feeding *feeding, int64_t time, run_id run)
{
    status code = STATUS_OK;

    while (code == STATUS_OK && feeding->depth > 0 && feeding->parents[feeding->depth - 1].end <= time) {
        const struct open_parent *parent = &feeding->parents[--feeding->depth];

        code = push_gap(feeding, parent, parent->end, run);
    }
    return code;
}

/* Before the event itself: the gap between it and what came before it in its parent. */
static status follow_gaps(struct feeding *feeding, uint32_t index, run_id run)
{
    const struct execution_event *event = execution_event_at(feeding->execution, index);
    enum event_kind kind = execution_operator_at(feeding->execution, event->op)->kind;
    int64_t end = event->start + event->duration;
    status code = close_parents(feeding, event->start, run);

    if (feeding->execution->overlapping || feeding->execution->synthetic)
        return code;
    for (unsigned i = feeding->depth; code == STATUS_OK && i > 0; i--) {
        struct open_parent *parent = &feeding->parents[i - 1];

        if (parent->event != event->parent)
            continue;
        code = push_gap(feeding, parent, event->start, run);
        if (end > parent->covered)
            parent->covered = end;
        break;
    }
    if ((kind == EVENT_EXECUTE || kind == EVENT_CALL) && event->duration > 0 && feeding->depth < DEEPEST)
        feeding->parents[feeding->depth++] = (struct open_parent){ index, event->start, end };
    return code;
}

/* An inference lasts as long as its Method::execute; one that has several is announced in pieces. */
static status announce_run(struct feeding *feeding, const struct execution_run *run, run_id *id)
{
    const struct execution *execution = feeding->execution;
    uint32_t left = run->executions; /* as a rule it is one, and the first event */
    status code = STATUS_OK;

    for (uint32_t i = 0; left && code == STATUS_OK; i++) {
        const struct execution_event *event = execution_event_at(execution, execution->order[run->first_event + i]);
        struct run piece = { .launch = execution->launch,
                             .index = run->index,
                             .clock = feeding->clock,
                             .start = event->start,
                             .end = event->start + event->duration };

        if (execution_operator_at(execution, event->op)->kind != EVENT_EXECUTE)
            continue;
        left--;
        code = feed_run(feeding->feed, &piece);
        *id = *id == NO_ID ? piece.id : *id;
    }
    return code;
}

static status push_run(struct feeding *feeding, const struct execution_run *run)
{
    run_id id = NO_ID;
    status code = run->execute >= 0 ? announce_run(feeding, run, &id) : STATUS_OK;

    feeding->depth = 0;
    for (uint32_t i = 0; i < run->event_count && code == STATUS_OK; i++) {
        uint32_t event = feeding->execution->order[run->first_event + i];

        code = follow_gaps(feeding, event, id);
        if (code == STATUS_OK)
            code = push_event(feeding, run, id, event);
    }
    return code == STATUS_OK ? close_parents(feeding, INT64_MAX, id) : code;
}

/* ---- What has no time ---- */

/* Allocations as a counter that rises at the start of their run: the log has neither times nor frees. */
static status push_allocator(struct feeding *feeding, uint32_t index)
{
    const struct execution_allocator *allocator = column_at(&feeding->execution->allocators, index);
    struct track track = {
        .parent = feeding->feed->root,
        .order = feed_order(&engine_counter, index),
        .clock = feeding->clock,
        .kind = TRACK_COUNTER,
        .engine = &engine_counter,
        .index = index,
        .unit = "B",
    };
    int64_t bytes = allocator->bytes > INT64_MAX ? INT64_MAX : (int64_t)allocator->bytes;
    track_id id;
    status code = strings_add_format(feeding->feed->strings, &track.name, "Allocated by %s",
                                     strings_text(feeding->feed->strings, allocator->name));

    if (code == STATUS_OK)
        code = feed_track(feeding->feed, track, &id);
    if (code == STATUS_OK)
        code = SINK_CALL(&feeding->feed->sink, counter, id, execution_run_at(feeding->execution, allocator->run)->start,
                         bytes);
    return code;
}

/* Outputs of the program belong to the execution as a whole, whatever instruction they name. */
#define WHOLE_RUN UINT32_MAX

/* The event of each instruction of each run, the outermost and first, and that of its execution. */
static status find_instructions(const struct execution *execution, struct number_map *events)
{
    for (uint32_t i = 0; i < execution->events.count; i++) {
        uint32_t event = execution->order[i];
        uint32_t run = execution_event_at(execution, event)->run;
        const struct execution_operator *op =
            execution_operator_at(execution, execution_event_at(execution, event)->op);
        uint32_t *known;

        if (op->kind == EVENT_LOAD || (op->kind != EVENT_EXECUTE && op->instruction < 0))
            continue;
        known = number_map_at(events, run, op->kind == EVENT_EXECUTE ? WHOLE_RUN : (uint32_t)op->instruction);
        if (!known)
            return status_no_memory("looking for instructions");
        if (*known == MAP_NONE)
            *known = event;
    }
    return STATUS_OK;
}

/* A value is there once its instruction is done. One that belongs to none is shown where its run begins. */
static status time_of_value(struct feeding *feeding, struct number_map *events, const struct execution_value *value,
                            int64_t *time)
{
    const struct execution_event *event;
    const uint32_t *known;

    *time = execution_run_at(feeding->execution, value->run)->start;
    if (value->instruction < 0 && !value->output)
        return STATUS_OK;
    known = number_map_at(events, value->run, value->output ? WHOLE_RUN : (uint32_t)value->instruction);
    if (!known)
        return status_no_memory("looking for instructions");
    if (*known == MAP_NONE)
        return STATUS_OK;
    event = execution_event_at(feeding->execution, *known);
    *time = event->start + event->duration;
    return STATUS_OK;
}

static status push_value(struct feeding *feeding, struct number_map *events, const struct execution_value *value)
{
    struct argument arguments[2] = { { .key = KEY_NOTE, .type = ARGUMENT_TEXT, .text = value->text } };
    struct slice slice = {
        .name = value->name,
        .op = NO_ID,
        .run = NO_ID,
        .argument_count = 1,
        .arguments = arguments,
    };
    status code = engine_track(feeding, &executorch_engine_value, &slice.track);

    if (code == STATUS_OK)
        code = time_of_value(feeding, events, value, &slice.start);
    if (value->instruction >= 0)
        add_integer(&slice, arguments, feeding->instruction, value->instruction);
    if (code == STATUS_OK && !slice.name)
        code = strings_add_text(feeding->feed->strings, value->output ? "output" : "value", &slice.name);
    return code == STATUS_OK ? SINK_CALL(&feeding->feed->sink, instant, &slice) : code;
}

static status push_timeless(struct feeding *feeding)
{
    const struct execution *execution = feeding->execution;
    struct number_map events;
    status code = STATUS_OK;

    number_map_start(&events);
    if (execution->values.count)
        code = find_instructions(execution, &events);
    for (uint32_t i = 0; i < execution->allocators.count && code == STATUS_OK; i++)
        code = push_allocator(feeding, i);
    for (uint32_t i = 0; i < execution->values.count && code == STATUS_OK; i++)
        code = push_value(feeding, &events, column_at(&execution->values, i));
    number_map_free(&events);
    return code;
}

static status announce(struct feeding *feeding)
{
    struct strings *strings = feeding->feed->strings;
    track_id inferences; /* come first where there are any: the line has their name */
    status code = feed_clock(feeding->feed, &feeding->execution->clock, &feeding->clock);

    for (unsigned i = 0; i < EXECUTORCH_ORDERS; i++)
        feeding->tracks[i] = NO_ID;
    feeding->line = NO_ID;
    for (uint32_t i = 0; i < feeding->execution->operators.count && code == STATUS_OK; i++)
        if (execution_operator_at(feeding->execution, i)->kind == EVENT_EXECUTE)
            code = engine_track(feeding, &executorch_engine_inference, &inferences);
    if (code == STATUS_OK)
        code = strings_add_text(strings, "runtime", &feeding->gap_outside);
    if (code == STATUS_OK)
        code = strings_add_text(strings, "in the call, in no operator", &feeding->gap_inside);
    return code == STATUS_OK ? announce_operators(feeding) : code;
}

/* Announces clock, tracks, operators and runs, and pushes the events by time. */
static status execution_feed(struct source *source, struct feed *feed, const struct execution *execution,
                             const struct graph *graph)
{
    struct feeding *feeding = memory_allocate_clear(sizeof *feeding);
    status code;

    assert((execution->order || !execution->events.count) && "an execution is settled before it is fed");
    if (!feeding)
        return status_no_memory("feeding events");
    feeding->source = source;
    feeding->feed = feed;
    feeding->execution = execution;
    feeding->graph = graph;
    number_map_start(&feeding->categories);
    feed->losses = execution->losses;
    code = strings_add_text(feed->strings, executorch_instruction.name, &feeding->instruction);
    if (code == STATUS_OK)
        code = announce(feeding);
    for (uint32_t i = 0; i < execution->runs.count && code == STATUS_OK; i++)
        code = push_run(feeding, execution_run_at(execution, i));
    if (code == STATUS_OK)
        code = push_timeless(feeding);
    number_map_free(&feeding->categories);
    memory_free(feeding->operators);
    memory_free(feeding);
    return code;
}

/* A record that contradicts the file is refused where it was named, and left out with a note where it was only found. */
static status check_record(struct source *source, const struct execution *execution, const struct graph **graph)
{
    char sentence[RECORD_SENTENCE];
    const char *note;
    status code = record_check(execution, *graph, sentence);

    if (code != STATUS_OK || !sentence[0])
        return code;
    if (settings_get(source->settings, "etrecord"))
        return record_refuse(*graph, source->path, sentence);
    code = record_leave_out(*graph, sentence, &note);
    if (code == STATUS_OK)
        source_note(source, note);
    *graph = NULL;
    return code;
}

status execution_read(struct source *source, struct feed *feed,
                      status (*fill)(struct source *source, struct execution *execution))
{
    const struct graph *graph = source_companion(source, "graph");
    struct execution execution;
    struct graph_join joined;
    status code;

    assert(fill && source->input);
    source->failed = source_companion(source, "failure");
    execution_start(&execution, feed->strings);
    code = fill(source, &execution);
    if (code == STATUS_OK && graph && !source->force_companion)
        code = check_record(source, &execution, &graph);
    if (code == STATUS_OK && graph)
        code = graph_join(&execution, graph, &joined);
    if (code == STATUS_OK)
        code = execution_feed(source, feed, &execution, graph);
    execution_free(&execution);
    return code;
}
