/* announced.c: clocks, tracks and operators, as they were told. */
#include "write/announced.h"

#include <assert.h>

static const struct clock nanoseconds = { .numerator = 1, .denominator = 1 };

void announced_start(struct announced *announced)
{
    column_start(&announced->clocks, sizeof(struct clock));
    column_start(&announced->tracks, sizeof(struct announced_track));
    column_start(&announced->operators, sizeof(struct op));
    column_start(&announced->opens, sizeof(track_id));
    announced->process = NO_ID;
}

void announced_free(struct announced *announced)
{
    column_free(&announced->clocks);
    column_free(&announced->tracks);
    column_free(&announced->operators);
    column_free(&announced->opens);
}

status announced_add_clock(void *self, clock_id id, const struct clock *clock)
{
    struct announced *announced = self;

    assert(id == announced->clocks.count && "ids of clocks are dense");
    while (announced->clocks.count <= id) {
        struct clock *blank = column_append(&announced->clocks);

        if (!blank)
            return status_no_memory("remembering a clock");
        *blank = nanoseconds;
    }
    *(struct clock *)column_at(&announced->clocks, id) = *clock;
    return STATUS_OK;
}

status announced_add_track(void *self, const struct track *track)
{
    struct announced *announced = self;
    struct announced_track *place;

    assert(track->id == announced->tracks.count && "ids of tracks are dense");
    assert(track->clock == NO_ID || track->clock < announced->clocks.count);
    assert(track->parent == NO_ID || track->parent < track->id);
    while (announced->tracks.count <= track->id) {
        struct announced_track *blank = column_append(&announced->tracks);

        if (!blank)
            return status_no_memory("remembering a track");
        *blank = (struct announced_track){
            .track = { .parent = NO_ID },
            .clock = &nanoseconds,
            .process = NO_ID,
        };
    }
    place = column_at(&announced->tracks, track->id);
    place->track = *track;
    place->line = track->id;
    assert(!track->inside || track->parent < track->id);
    if (track->inside)
        place->line = announced_track(announced, track->parent)->line;
    if (track->clock < announced->clocks.count)
        place->clock = column_at(&announced->clocks, track->clock);
    if (track->parent < announced->tracks.count)
        place->process = announced_track(announced, track->parent)->process;
    if (track->kind == TRACK_PROCESS) {
        place->process = track->id;
        if (engine_group(track->engine) != GROUP_DRAWN)
            announced->process = track->id;
    }
    return STATUS_OK;
}

status announced_categories(const struct track *track, struct strings *strings, string_id categories[TRACK_CATEGORIES])
{
    categories[0] = categories[1] = 0;
    if (!track->engine || !(track->inside || track->engine == &engine_overview))
        return STATUS_OK;
    if (track->inside && !text_is(strings_get(strings, track->name), track->engine->title))
        categories[1] = track->name;
    return strings_add_text(strings, track->engine->key, &categories[0]);
}

status announced_add_operator(void *self, const struct op *op)
{
    struct announced *announced = self;

    assert(op->id == announced->operators.count && "ids of operators are dense");
    while (announced->operators.count <= op->id) {
        struct op *blank = column_append(&announced->operators);

        if (!blank)
            return status_no_memory("remembering an operator");
        *blank = (struct op){ 0 };
    }
    *(struct op *)column_at(&announced->operators, op->id) = *op;
    return STATUS_OK;
}

status announced_open(struct announced *announced, open_id id, track_id track)
{
    assert(id != NO_ID && track < announced->tracks.count);
    while (announced->opens.count <= id) {
        track_id *blank = column_append(&announced->opens);

        if (!blank)
            return status_no_memory("remembering an open slice");
        *blank = NO_ID;
    }
    *(track_id *)column_at(&announced->opens, id) = track;
    return STATUS_OK;
}

status announced_unknown(track_id track)
{
    if (track == NO_ID)
        return status_fail(STATUS_INPUT, "a slice ends that was never begun");
    return status_fail(STATUS_INPUT, "track %u was never announced", track);
}
