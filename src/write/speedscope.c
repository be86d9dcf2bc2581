/* speedscope.c: evented profiles for speedscope, one per lane.
 *
 * The format groups events by profile, so this writer, unlike the others, keeps the trace: 16 bytes per event until
 * `finish`. It has no arguments, counters or instants. What we only draw (overviews, estimates) is left out: it would
 * be a profile among measured ones.
 */
#include <assert.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/number.h"
#include "table/json.h"
#include "write/announced.h"
#include "write/lanes.h"
#include "write/writer.h"

#define CLOSES UINT32_MAX

struct event {
    int64_t at;     /* ns */
    uint32_t frame; /* CLOSES: the end of the innermost open frame */
    uint32_t order; /* in its lane: keeps the sort stable */
};

struct profile {
    track_id track;       /* that the lane shows */
    uint32_t number;      /* of the lane in its track, from 1 */
    bool late;            /* events are in no order */
    struct column events; /* struct event */
};

struct frame {
    string_id name; /* of slices */
    string_id file; /* empty: not known */
    uint32_t line;  /* 0: not known */
};

struct speedscope {
    struct announced announced; /* first, as its calls need it */
    struct output *output;      /* borrowed */
    struct strings *strings;    /* borrowed */
    struct lanes *lanes;        /* owned */
    struct column profiles;     /* struct profile, by lane */
    struct column frames;       /* struct frame */
    uint32_t *frame_of_name;    /* frame + 1 by string id; 0: none */
    size_t frame_capacity;      /* of frame_of_name */
    uint32_t *lanes_of_track;   /* how many, by track id; owned */
    size_t track_capacity;      /* of lanes_of_track */
    uint64_t events;            /* begins and ends kept */
};

/* --- collecting --------------------------------------------------------------------------------------------------- */

/* Makes an array of zeros reach `index`. */
static status reach(uint32_t **array, size_t *capacity, size_t index)
{
    size_t had = *capacity;
    status result = memory_grow(array, capacity, index + 1, sizeof **array);

    for (size_t i = had; result == STATUS_OK && i < *capacity; i++)
        (*array)[i] = 0;
    return result;
}

static status find_frame(struct speedscope *speedscope, const struct slice *slice, uint32_t *index)
{
    const struct op *op = announced_operator(&speedscope->announced, slice->op);
    struct frame *frame;
    status result = reach(&speedscope->frame_of_name, &speedscope->frame_capacity, slice->name);

    if (result != STATUS_OK)
        return result;
    if (!speedscope->frame_of_name[slice->name]) {
        frame = column_append(&speedscope->frames);
        if (!frame)
            return status_no_memory("collecting frames");
        *frame = (struct frame){ .name = slice->name };
        speedscope->frame_of_name[slice->name] = (uint32_t)speedscope->frames.count;
    }
    *index = speedscope->frame_of_name[slice->name] - 1;
    frame = column_at(&speedscope->frames, *index);
    if (op && op->file && !frame->file) {
        frame->file = op->file;
        frame->line = op->line;
    }
    return STATUS_OK;
}

static status add_event(struct speedscope *speedscope, uint32_t lane, int64_t at, uint32_t frame)
{
    struct profile *profile = column_at(&speedscope->profiles, lane);
    struct event *event = column_append(&profile->events);

    assert(frame == CLOSES || frame < speedscope->frames.count);
    if (!event)
        return status_no_memory("collecting events");
    *event = (struct event){ .at = at, .frame = frame, .order = (uint32_t)(profile->events.count - 1) };
    speedscope->events++;
    return STATUS_OK;
}

static status speedscope_lane(void *self, uint32_t lane, track_id track, enum lane_kind kind)
{
    struct speedscope *speedscope = self;
    struct profile *profile;
    status result = reach(&speedscope->lanes_of_track, &speedscope->track_capacity, track);

    (void)lane; /* lanes are dense: it is the next profile */
    if (result != STATUS_OK)
        return result;
    profile = column_append(&speedscope->profiles);
    if (!profile)
        return status_no_memory("starting a profile");
    assert(lane == speedscope->profiles.count - 1);
    *profile =
        (struct profile){ .track = track, .number = ++speedscope->lanes_of_track[track], .late = kind == LANE_LATE };
    column_start(&profile->events, sizeof(struct event));
    return STATUS_OK;
}

static status speedscope_lane_begin(void *self, uint32_t lane, int64_t time, const struct slice *slice)
{
    uint32_t frame = 0;
    status result = find_frame(self, slice, &frame);

    return result == STATUS_OK ? add_event(self, lane, time, frame) : result;
}

static status speedscope_lane_end(void *self, uint32_t lane, int64_t time)
{
    return add_event(self, lane, time, CLOSES);
}

/* --- writing ------------------------------------------------------------------------------------------------------ */

static void put(struct output *output, const char *text)
{
    output_write(output, text, strlen(text));
}

static void put_text(struct speedscope *speedscope, string_id id)
{
    struct text text = strings_get(speedscope->strings, id);

    json_write_string(speedscope->output, text.data, text.length);
}

static void write_frames(struct speedscope *speedscope)
{
    struct output *output = speedscope->output;

    put(output, "\"shared\":{\"frames\":[");
    for (size_t i = 0; i < speedscope->frames.count; i++) {
        const struct frame *frame = column_at(&speedscope->frames, i);

        put(output, i ? ",\n{\"name\":" : "\n{\"name\":");
        put_text(speedscope, frame->name);
        if (frame->file) {
            put(output, ",\"file\":");
            put_text(speedscope, frame->file);
        }
        if (frame->file && frame->line) {
            put(output, ",\"line\":");
            json_write_integer(output, frame->line);
        }
        put(output, "}");
    }
    put(output, "]},\n");
}

/* The names of all groups around the line, outermost first: cores have lines of the same name. */
static status write_profile_name(struct speedscope *speedscope, const struct profile *profile)
{
    enum { DEEPEST = 8 };
    struct strings *strings = speedscope->strings;
    track_id chain[DEEPEST];
    unsigned count = 0;
    string_id whole = 0;
    status result = STATUS_OK;

    for (track_id id = profile->track; id != NO_ID && count < DEEPEST; count++) {
        chain[count] = id;
        id = announced_track(&speedscope->announced, id)->track.parent;
    }
    while (count && result == STATUS_OK) {
        const struct track *track = &announced_track(&speedscope->announced, chain[--count])->track;

        result = strings_add_format(strings, &whole, "%s%s%s", strings_text(strings, whole), whole ? " / " : "",
                                    strings_text(strings, track->name));
    }
    if (profile->number > 1 && result == STATUS_OK)
        result = strings_add_format(strings, &whole, "%s (%u)", strings_text(strings, whole), profile->number);
    if (result == STATUS_OK)
        put_text(speedscope, whole);
    return result;
}

static int compare_events(const void *a, const void *b)
{
    const struct event *first = a;
    const struct event *second = b;

    if (first->at != second->at)
        return first->at < second->at ? -1 : 1;
    return first->order < second->order ? -1 : first->order > second->order;
}

static status sort_events(struct profile *profile)
{
    size_t count = profile->events.count;
    struct event *events = memory_allocate(count * sizeof *events);

    if (!events)
        return status_no_memory("sorting a profile");
    for (size_t i = 0; i < count; i++)
        events[i] = *(struct event *)column_at(&profile->events, i);
    qsort(events, count, sizeof *events, compare_events);
    for (size_t i = 0; i < count; i++)
        *(struct event *)column_at(&profile->events, i) = events[i];
    memory_free(events);
    return STATUS_OK;
}

/* An end names the frame that it closes: the innermost one that is open. */
static status write_events(struct speedscope *speedscope, const struct profile *profile)
{
    struct output *output = speedscope->output;
    uint32_t *open = NULL;
    size_t depth = 0;
    size_t capacity = 0;
    status result = STATUS_OK;

    for (size_t i = 0; i < profile->events.count && result == STATUS_OK; i++) {
        const struct event *event = column_at(&profile->events, i);
        bool closes = event->frame == CLOSES;

        if (!closes) {
            result = memory_grow(&open, &capacity, depth + 1, sizeof *open);
            if (result != STATUS_OK)
                break;
            open[depth++] = event->frame;
        }
        assert((!closes || depth) && "an end closes a frame that is open");
        put(output, i ? ",\n" : "\n");
        put(output, closes ? "{\"type\":\"C\",\"frame\":" : "{\"type\":\"O\",\"frame\":");
        json_write_integer(output, closes ? open[--depth] : event->frame);
        put(output, ",\"at\":");
        json_write_integer(output, event->at);
        put(output, "}");
    }
    memory_free(open);
    assert(result != STATUS_OK || !depth);
    return result;
}

static status write_profile(struct speedscope *speedscope, struct profile *profile)
{
    struct output *output = speedscope->output;
    status result = STATUS_OK;

    assert(profile->events.count && "a lane is made for its first slice");
    if (profile->late)
        result = sort_events(profile);
    if (result != STATUS_OK)
        return result;
    put(output, "{\"type\":\"evented\",\"name\":");
    result = write_profile_name(speedscope, profile);
    if (result != STATUS_OK)
        return result;
    put(output, ",\"unit\":\"nanoseconds\",\"startValue\":");
    json_write_integer(output, ((const struct event *)column_at(&profile->events, 0))->at);
    put(output, ",\"endValue\":");
    json_write_integer(output, ((const struct event *)column_at(&profile->events, profile->events.count - 1))->at);
    put(output, ",\"events\":[");
    result = write_events(speedscope, profile);
    put(output, "]}");
    return result == STATUS_OK ? output_status(output) : result;
}

/* What is shown first: where most happens. */
static size_t busiest(const struct speedscope *speedscope)
{
    size_t best = 0;

    for (size_t i = 1; i < speedscope->profiles.count; i++) {
        const struct profile *profile = column_at(&speedscope->profiles, i);

        if (profile->events.count > ((const struct profile *)column_at(&speedscope->profiles, best))->events.count)
            best = i;
    }
    return best;
}

static status speedscope_finish(void *self)
{
    struct speedscope *speedscope = self;
    struct output *output = speedscope->output;
    status result = lanes_finish(speedscope->lanes);

    if (result != STATUS_OK)
        return result;
    put(output, "{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\"exporter\":\"tacho\",\n");
    write_frames(speedscope);
    put(output, "\"profiles\":[");
    for (size_t i = 0; i < speedscope->profiles.count && result == STATUS_OK; i++) {
        put(output, i ? ",\n" : "\n");
        result = write_profile(speedscope, column_at(&speedscope->profiles, i));
    }
    put(output, "],\n\"activeProfileIndex\":");
    json_write_integer(output, (int64_t)busiest(speedscope));
    put(output, "}\n");
    return result == STATUS_OK ? output_status(output) : result;
}

/* --- the sink ----------------------------------------------------------------------------------------------------- */

static status speedscope_slice(void *self, const struct slice *slice)
{
    struct speedscope *speedscope = self;
    status result = announced_check(&speedscope->announced, slice->track);
    const struct announced_track *track;

    if (result != STATUS_OK || announced_is_drawn(&speedscope->announced, slice->track))
        return result;
    track = announced_track(&speedscope->announced, slice->track);
    return lanes_slice(speedscope->lanes, track->line, slice, clock_ns(track->clock, slice->start),
                       clock_ns(track->clock, slice->end));
}

static status speedscope_begin(void *self, open_id id, open_id parent, const struct slice *slice)
{
    struct speedscope *speedscope = self;
    status result = announced_check(&speedscope->announced, slice->track);
    const struct announced_track *track;

    if (result == STATUS_OK)
        result = announced_open(&speedscope->announced, id, slice->track);
    if (result != STATUS_OK || announced_is_drawn(&speedscope->announced, slice->track))
        return result;
    track = announced_track(&speedscope->announced, slice->track);
    return lanes_begin(speedscope->lanes, track->line, id, parent, slice, clock_ns(track->clock, slice->start));
}

static status speedscope_end(void *self, open_id id, int64_t time)
{
    struct speedscope *speedscope = self;
    status result = announced_check_open(&speedscope->announced, id);
    track_id track;

    if (result != STATUS_OK)
        return result;
    track = announced_track_of(&speedscope->announced, id);
    if (announced_is_drawn(&speedscope->announced, track))
        return STATUS_OK;
    return lanes_end(speedscope->lanes, id, clock_ns(announced_track(&speedscope->announced, track)->clock, time));
}

static const struct sink_calls speedscope_calls = {
    .clock = announced_add_clock,
    .track = announced_add_track,
    .op = announced_add_operator,
    .slice = speedscope_slice,
    .begin = speedscope_begin,
    .end = speedscope_end,
    .finish = speedscope_finish,
};

static const struct lanes_calls speedscope_lanes = {
    .lane = speedscope_lane,
    .begin = speedscope_lane_begin,
    .end = speedscope_lane_end,
};

static void speedscope_free(void *self)
{
    struct speedscope *speedscope = self;

    for (size_t i = 0; i < speedscope->profiles.count; i++)
        column_free(&((struct profile *)column_at(&speedscope->profiles, i))->events);
    column_free(&speedscope->profiles);
    column_free(&speedscope->frames);
    announced_free(&speedscope->announced);
    lanes_free(speedscope->lanes);
    memory_free(speedscope->frame_of_name);
    memory_free(speedscope->lanes_of_track);
    memory_free(speedscope);
}

static uint64_t speedscope_events(const void *self)
{
    return ((const struct speedscope *)self)->events;
}

static status speedscope_open(struct output *output, struct strings *strings, const struct writer_options *options,
                              struct writer *writer)
{
    struct speedscope *speedscope = memory_allocate_clear(sizeof *speedscope);
    status result;

    (void)options; /* the format has no arguments */
    if (!speedscope)
        return status_no_memory("preparing a speedscope file");
    speedscope->output = output;
    speedscope->strings = strings;
    announced_start(&speedscope->announced);
    column_start(&speedscope->profiles, sizeof(struct profile));
    column_start(&speedscope->frames, sizeof(struct frame));
    result = lanes_new(&speedscope_lanes, speedscope, &speedscope->lanes);
    if (result != STATUS_OK) {
        speedscope_free(speedscope);
        return result;
    }
    *writer = (struct writer){
        .sink = { &speedscope_calls, speedscope },
        .self = speedscope,
        .free = speedscope_free,
        .events = speedscope_events,
    };
    return STATUS_OK;
}

static const char *const suffixes[] = { ".speedscope.json", NULL };

const struct writer_format speedscope_format = {
    .id = "speedscope",
    .title = "speedscope profiles",
    .suffixes = suffixes,
    .drawn = false,
    .open = speedscope_open,
};
