/* feed.c: ids, tracks of engines, and operators by location. */
#include "trace/feed.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"

/* In `by_location`: a location that names no operator. */
#define NO_OPERATOR UINT32_MAX

void feed_start(struct feed *feed, struct sink sink, struct strings *strings)
{
    assert(sink.calls);
    *feed = (struct feed){ .sink = sink, .strings = strings, .root = NO_ID };
}

void feed_free(struct feed *feed)
{
    memory_free(feed->free_opens);
    memory_free(feed->by_location);
    memory_free(feed->operator_names);
    *feed = (struct feed){ .root = NO_ID };
}

void feed_set_namer(struct feed *feed, struct namer namer)
{
    if (feed->namer.context != namer.context && feed->by_location)
        memset(feed->by_location, 0, feed->by_location_capacity * sizeof *feed->by_location);
    feed->namer = namer;
}

status feed_input(struct feed *feed, string_id name, int32_t order)
{
    struct track process = { .parent = NO_ID, .name = name, .order = order, .kind = TRACK_PROCESS, .clock = NO_ID };

    assert(feed->sink.calls && "a feed is started before its first input");
    feed->losses = (struct losses){ 0 };
    feed->namer.name = NULL; /* the context stays: it tells whether the next one is another */
    return feed_track(feed, process, &feed->root);
}

status feed_input_end(struct feed *feed)
{
    assert(feed->root != NO_ID && "an input ends that was never begun");
    assert(feed->losses.rows == feed->losses.used + feed->losses.lost && "every row is used or lost");
    return SINK_CALL(&feed->sink, loss, &feed->losses);
}

status feed_clock(struct feed *feed, const struct clock *clock, clock_id *id)
{
    assert(clock->numerator && clock->denominator);
    *id = feed->clocks++;
    return SINK_CALL(&feed->sink, clock, *id, clock);
}

status feed_track(struct feed *feed, struct track track, track_id *id)
{
    assert(track.parent == NO_ID || track.parent < feed->tracks);
    assert(track.clock == NO_ID || track.clock < feed->clocks);
    assert(track.name < strings_count(feed->strings));
    assert((track.engine || track.kind != TRACK_SLICES) && "slices are of an engine");
    track.id = feed->tracks++;
    *id = track.id;
    return SINK_CALL(&feed->sink, track, &track);
}

int32_t feed_order(const struct engine *engine, uint32_t index)
{
    enum { MOST_INDEXES = 1024 };

    assert(engine->order >= 0 && engine->order < INT32_MAX / MOST_INDEXES / 2);
    return (engine->order * MOST_INDEXES + (int32_t)(index % MOST_INDEXES)) * 2;
}

status feed_engine(struct feed *feed, const struct engine *engine, uint32_t index, clock_id clock, track_id *id)
{
    struct track track = {
        .parent = feed->root,
        .order = feed_order(engine, index),
        .clock = clock,
        .kind = TRACK_SLICES,
        .engine = engine,
        .index = index,
    };
    status code = engine->numbered ? strings_add_format(feed->strings, &track.name, "%s %u", engine->title, index)
                                   : strings_add_text(feed->strings, engine->title, &track.name);

    return code == STATUS_OK ? feed_track(feed, track, id) : code;
}

status feed_run(struct feed *feed, struct run *run)
{
    run->id = feed->runs++;
    return SINK_CALL(&feed->sink, run, run);
}

status feed_step(struct feed *feed, const struct step *step, step_id *id)
{
    *id = feed->steps++;
    return SINK_CALL(&feed->sink, step, *id, step);
}

status feed_step_end(struct feed *feed, step_id id, int64_t time)
{
    return SINK_CALL(&feed->sink, step_end, id, time);
}

status feed_step_lost(struct feed *feed, step_id id, int64_t time)
{
    status code = feed_step_end(feed, id, time);

    return code == STATUS_OK ? SINK_CALL(&feed->sink, step_lost, id) : code;
}

status feed_operator(struct feed *feed, string_id location, operator_id *id)
{
    return feed_operator_named(feed, location, 0, 0, id);
}

/* Names an operator: by the namer, else by what the input calls it, else by its location. */
static status name_operator(struct feed *feed, struct op *op, string_id name, string_id type, bool *none)
{
    status code = STATUS_OK;

    if (feed->namer.name)
        code = feed->namer.name(feed->namer.context, feed, op, none);
    if (op->type || !name)
        op->name = op->name ? op->name : op->location;
    else {
        op->name = name;
        op->type = type;
    }
    return code;
}

status feed_operator_named(struct feed *feed, string_id location, string_id name, string_id type, operator_id *id)
{
    struct op op = { .location = location };
    size_t had = feed->by_location_capacity;
    bool none = location == 0;
    status code;

    assert(location < strings_count(feed->strings) && name < strings_count(feed->strings));
    assert(type < strings_count(feed->strings));
    *id = NO_ID;
    if (none)
        return STATUS_OK;
    code =
        memory_grow(&feed->by_location, &feed->by_location_capacity, (size_t)location + 1, sizeof *feed->by_location);
    if (code != STATUS_OK)
        return code;
    if (feed->by_location_capacity > had)
        memset(feed->by_location + had, 0, (feed->by_location_capacity - had) * sizeof *feed->by_location);
    if (!feed->by_location[location]) {
        code = name_operator(feed, &op, name, type, &none);
        if (code == STATUS_OK && !none)
            code = feed_operator_new(feed, &op);
        if (code != STATUS_OK)
            return code;
        feed->by_location[location] = none ? NO_OPERATOR : op.id + 1;
    }
    if (feed->by_location[location] != NO_OPERATOR)
        *id = feed->by_location[location] - 1;
    assert(*id == NO_ID || *id < feed->operators);
    return STATUS_OK;
}

status feed_operator_new(struct feed *feed, struct op *op)
{
    status code = memory_grow(&feed->operator_names, &feed->operator_name_capacity, (size_t)feed->operators + 1,
                              sizeof *feed->operator_names);

    assert(op->name < strings_count(feed->strings) && op->location < strings_count(feed->strings));
    if (code != STATUS_OK)
        return code;
    op->id = feed->operators++;
    feed->operator_names[op->id] = op->name;
    return SINK_CALL(&feed->sink, op, op);
}

string_id feed_operator_name(const struct feed *feed, operator_id id)
{
    assert(id == NO_ID || id < feed->operators);
    return id == NO_ID ? 0 : feed->operator_names[id];
}

status feed_open_new(struct feed *feed, open_id *id)
{
    *id = feed->opens++;
    /* Room for giving it back, so that closing cannot fail. */
    return memory_grow(&feed->free_opens, &feed->free_capacity, feed->opens, sizeof *feed->free_opens);
}

uint32_t feed_flow(struct feed *feed)
{
    assert(feed->flows < UINT32_MAX && "flow 0 is none");
    return ++feed->flows;
}
