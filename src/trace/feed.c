#include "trace/feed.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "torq/location.h"
#include "torq/origin.h"

void feed_start(struct feed *feed, struct sink sink, struct strings *strings, struct origin *origin)
{
    *feed = (struct feed){ .sink = sink, .strings = strings, .origin = origin, .root = NO_ID };
}

void feed_free(struct feed *feed)
{
    memory_free(feed->free_opens);
    memory_free(feed->by_location);
    memory_free(feed->operator_names);
    *feed = (struct feed){ .root = NO_ID };
}

void feed_set_origin(struct feed *feed, struct origin *origin)
{
    if ((feed->origin || origin) && feed->by_location)
        memset(feed->by_location, 0, feed->by_location_capacity * sizeof *feed->by_location);
    feed->origin = origin;
}

status feed_input(struct feed *feed, string_id name, int32_t order)
{
    struct track process = { .parent = NO_ID, .name = name, .order = order, .kind = TRACK_PROCESS, .clock = NO_ID };

    feed->losses = (struct losses){ 0 };
    return feed_track(feed, process, &feed->root);
}

status feed_input_end(struct feed *feed)
{
    return SINK_CALL(&feed->sink, loss, &feed->losses);
}

status feed_clock(struct feed *feed, const struct clock *clock, clock_id *id)
{
    *id = feed->clocks++;
    return SINK_CALL(&feed->sink, clock, *id, clock);
}

status feed_track(struct feed *feed, struct track track, track_id *id)
{
    track.id = feed->tracks++;
    *id = track.id;
    return SINK_CALL(&feed->sink, track, &track);
}

int32_t feed_order(const struct engine *engine, uint32_t index)
{
    enum { MOST_INDEXES = 1024 };

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

status feed_run(struct feed *feed, uint32_t launch, uint32_t index, run_id *id)
{
    struct run run = { .id = feed->runs++, .launch = launch, .index = index };

    *id = run.id;
    return SINK_CALL(&feed->sink, run, &run);
}

/* "tosa.conv2d@L4 + tosa.add@L5": the callee places whose line names an operator, each once. */
static status name_from_origin(struct feed *feed, const struct location *location, struct op *op)
{
    enum { MOST = 3 };
    char name[512];
    size_t length = 0;
    unsigned named = 0;
    unsigned places = location->count < LOCATION_PLACES ? location->count : LOCATION_PLACES;

    for (unsigned i = 0; i < places; i++) {
        const struct location_place *place = &location->places[i];
        string_id found = 0;
        char part[256];
        status code;

        if (place->caller)
            continue;
        code = origin_operator(feed->origin, place->file, place->line, &found);
        if (code != STATUS_OK)
            return code;
        if (!found)
            continue;
        snprintf(part, sizeof part, "%s@L%u", strings_text(feed->strings, found), place->line);
        if (length && strstr(name, part))
            continue;
        if (!named++)
            op->type = found;
        if (named <= MOST && length < sizeof name)
            length += (size_t)snprintf(name + length, sizeof name - length, "%s%s", length ? " + " : "", part);
    }
    if (!named)
        return STATUS_OK;
    if (named > MOST && length < sizeof name)
        length += (size_t)snprintf(name + length, sizeof name - length, " (+%u more)", named - MOST);
    return strings_add_text(feed->strings, name, &op->name);
}

static status make_operator(struct feed *feed, struct op *op, string_id name, string_id type)
{
    struct text text = strings_get(feed->strings, op->location);
    struct location location;
    char brief[512];
    status code = STATUS_OK;

    location_parse(text.data, text.length, &location);
    for (unsigned i = 0; i < location.count && i < LOCATION_PLACES && !op->line; i++) {
        const struct location_place *place = &location.places[i];

        code = strings_add(feed->strings, place->file.data, place->file.length, &op->file);
        op->line = place->line;
        op->column = place->column;
    }
    if (code == STATUS_OK && feed->origin)
        code = name_from_origin(feed, &location, op);
    if (code == STATUS_OK && !op->name && name) {
        op->name = name;
        op->type = type;
    }
    if (code == STATUS_OK && !op->name) {
        size_t length = location_short(text.data, text.length, brief, sizeof brief);

        code = strings_add(feed->strings, brief, length, &op->name);
    }
    return code;
}

static bool names_nothing(struct text location)
{
    static const char unknown[] = "loc(unknown)";

    return location.length == 0 || (location.length == 7 && memcmp(location.data, unknown + 4, 7) == 0) ||
           (location.length == sizeof unknown - 1 && memcmp(location.data, unknown, sizeof unknown - 1) == 0) ||
           (location.length == 6 && memcmp(location.data, "loc(?)", 6) == 0);
}

status feed_operator(struct feed *feed, string_id location, operator_id *id)
{
    return feed_operator_named(feed, location, 0, 0, id);
}

status feed_operator_named(struct feed *feed, string_id location, string_id name, string_id type, operator_id *id)
{
    struct op op = { .location = location };
    size_t had = feed->by_location_capacity;
    status code;

    *id = NO_ID;
    if (names_nothing(strings_get(feed->strings, location)))
        return STATUS_OK;
    code =
        memory_grow(&feed->by_location, &feed->by_location_capacity, (size_t)location + 1, sizeof *feed->by_location);
    if (code != STATUS_OK)
        return code;
    if (feed->by_location_capacity > had)
        memset(feed->by_location + had, 0, (feed->by_location_capacity - had) * sizeof *feed->by_location);
    if (!feed->by_location[location]) {
        code = make_operator(feed, &op, name, type);
        if (code == STATUS_OK)
            code = feed_operator_new(feed, &op);
        if (code != STATUS_OK)
            return code;
        feed->by_location[location] = op.id + 1;
    }
    *id = feed->by_location[location] - 1;
    return STATUS_OK;
}

status feed_operator_new(struct feed *feed, struct op *op)
{
    status code = memory_grow(&feed->operator_names, &feed->operator_name_capacity, (size_t)feed->operators + 1,
                              sizeof *feed->operator_names);

    if (code != STATUS_OK)
        return code;
    op->id = feed->operators++;
    feed->operator_names[op->id] = op->name;
    return SINK_CALL(&feed->sink, op, op);
}

string_id feed_operator_name(const struct feed *feed, operator_id id)
{
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
    return ++feed->flows;
}
