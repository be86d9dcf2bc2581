#include "write/announced.h"

#include <string.h>

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

/* The element `index`, appending blank ones up to it; NULL: out of memory. */
static void *reach(struct column *column, uint32_t index, const void *blank)
{
    while (column->count <= index) {
        void *element = column_append(column);

        if (!element)
            return NULL;
        memcpy(element, blank, column->element_size);
    }
    return column_at(column, index);
}

status announced_add_clock(void *self, clock_id id, const struct clock *clock)
{
    struct announced *announced = self;
    struct clock *place = reach(&announced->clocks, id, &nanoseconds);

    if (!place)
        return status_no_memory("remembering a clock");
    *place = *clock;
    return STATUS_OK;
}

status announced_add_track(void *self, const struct track *track)
{
    static const struct announced_track blank = {
        .track = { .parent = NO_ID },
        .clock = &nanoseconds,
        .process = NO_ID,
    };
    struct announced *announced = self;
    struct announced_track *place = reach(&announced->tracks, track->id, &blank);

    if (!place)
        return status_no_memory("remembering a track");
    place->track = *track;
    if (track->clock < announced->clocks.count)
        place->clock = column_at(&announced->clocks, track->clock);
    if (track->parent < announced->tracks.count)
        place->process = announced_track(announced, track->parent)->process;
    if (track->kind == TRACK_PROCESS) {
        place->process = track->id;
        announced->process = track->id;
    }
    return STATUS_OK;
}

status announced_add_operator(void *self, const struct op *op)
{
    static const struct op blank;
    struct announced *announced = self;
    struct op *place = reach(&announced->operators, op->id, &blank);

    if (!place)
        return status_no_memory("remembering an operator");
    *place = *op;
    return STATUS_OK;
}

status announced_open(struct announced *announced, open_id id, track_id track)
{
    static const track_id blank = NO_ID;
    track_id *place = reach(&announced->opens, id, &blank);

    if (!place)
        return status_no_memory("remembering an open slice");
    *place = track;
    return STATUS_OK;
}

status announced_unknown(track_id track)
{
    if (track == NO_ID)
        return status_fail(STATUS_INPUT, "a slice ends that was never begun");
    return status_fail(STATUS_INPUT, "track %u was never announced", track);
}
