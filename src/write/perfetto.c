/* perfetto.c: the trace as Perfetto's TrackEvent packets.
 *
 *     input (descriptor of a plain track)
 *       └── group (descriptor)
 *             └── lanes of a track (descriptors with the same name: the viewer draws them as one track)
 *                     slices of a track that is `inside` it, which tell their engine (and the name of their track) as categories
 *
 * Each lane has its own uuid, and its own packet sequence: times are differences, and events need not name their track. Only
 * lanes of operators and overviews, which may be many with a slice each, share one sequence and name their tracks.
 */
#include <stdio.h>

#include "write/perfetto_writer.h"
#include "write/writer.h"

/* --- the sink ----------------------------------------------------------------------------------------------------- */

static status perfetto_slice(void *self, const struct slice *slice)
{
    struct perfetto *perfetto = self;
    status result = announced_check(&perfetto->announced, slice->track);

    perfetto->inside = false;
    if (result != STATUS_OK)
        return result;
    return lanes_slice(perfetto->lanes, announced_track(&perfetto->announced, slice->track)->line, slice, slice->start,
                       slice->end);
}

static status perfetto_begin(void *self, open_id id, open_id parent, const struct slice *slice)
{
    struct perfetto *perfetto = self;
    status result = announced_check(&perfetto->announced, slice->track);

    perfetto->inside = parent != NO_ID;
    if (result != STATUS_OK)
        return result;
    return lanes_begin(perfetto->lanes, announced_track(&perfetto->announced, slice->track)->line, id, parent, slice,
                       slice->start);
}

static status perfetto_end(void *self, open_id id, int64_t time)
{
    struct perfetto *perfetto = self;

    return lanes_lane_of(perfetto->lanes, id) == NO_ID ? announced_unknown(NO_ID)
                                                       : lanes_end(perfetto->lanes, id, time);
}

/* Instants have a lane of their own: an importer closes slices that touch one. */
static status perfetto_instant(void *self, const struct slice *slice)
{
    struct perfetto *perfetto = self;
    status result = announced_check(&perfetto->announced, slice->track);
    const struct announced_track *track;
    struct line line = { .sequence = NULL };

    perfetto->inside = false;
    if (result != STATUS_OK)
        return result;
    track = announced_track(&perfetto->announced, slice->track);
    perfetto_line_clock(&line, track->clock);
    line.track = track->line;
    result = perfetto_instants(perfetto, slice->track, perfetto_time(track->clock, slice->start).ns, &line.sequence);
    return result == STATUS_OK ? perfetto_event(perfetto, &line, slice->start, TYPE_INSTANT, slice) : result;
}

static status perfetto_counter(void *self, track_id id, int64_t time, int64_t value)
{
    struct perfetto *perfetto = self;
    status result = announced_check(&perfetto->announced, id);
    struct sequence *sequence = NULL;
    unsigned char *start, *event, *to;
    struct written_time written;

    if (result == STATUS_OK)
        result = perfetto_values(perfetto, id, &sequence);
    if (result != STATUS_OK)
        return result;
    start = output_reserve(perfetto->output, EVENT_ROOM);
    written = perfetto_time(announced_track(&perfetto->announced, id)->clock, time);
    to = sequence_packet(sequence, start, written.ns);
    event = to = proto_open(to, PACKET_TRACK_EVENT);
    to = proto_number(to, EVENT_TYPE, TYPE_COUNTER);
    if (announced_track(&perfetto->announced, id)->track.decimal)
        to = proto_fixed64(to, EVENT_COUNTER_DECIMAL, (uint64_t)value);
    else
        to = proto_number(to, EVENT_COUNTER_VALUE, (uint64_t)value);
    to = proto_close(event, to);
    if (written.rest)
        to = proto_number(to, PACKET_OWN_TICKS, (uint64_t)written.rest);
    output_advance(perfetto->output, (size_t)(proto_close(start + 2, to) - start));
    return STATUS_OK;
}

static void write_loss(struct perfetto *perfetto, struct sequence *sequence, const struct loss *loss)
{
    enum { LONGEST = 256 };
    uint64_t count = loss->count;
    unsigned char *start = output_reserve(perfetto->output, EVENT_ROOM + LONGEST);
    unsigned char *event, *to;
    char name[LONGEST];
    int length = snprintf(name, sizeof name, "%llu row%s%s: %s", (unsigned long long)count, count == 1 ? "" : "s",
                          loss->reason->kept ? "" : " lost", loss->reason->text);

    to = sequence_packet(sequence, start, perfetto->first == INT64_MAX ? 0 : perfetto->first);
    event = to = proto_open(to, PACKET_TRACK_EVENT);
    to = proto_number(to, EVENT_TYPE, TYPE_INSTANT);
    to = proto_text(to, EVENT_NAME, name, length < LONGEST ? (size_t)length : LONGEST - 1);
    to = proto_close(event, to);
    output_advance(perfetto->output, (size_t)(proto_close(start + 2, to) - start));
}

/* What was lost is shown where the input begins, on a track of its own. */
static status perfetto_loss(void *self, const struct losses *losses)
{
    struct perfetto *perfetto = self;
    struct sequence *sequence = NULL;
    status result = perfetto_own_losses(perfetto, losses);

    if (result != STATUS_OK || !losses_total(losses))
        return result;
    result = perfetto_losses(perfetto, &sequence);
    if (result != STATUS_OK)
        return result;
    for (unsigned i = 0; i < losses->reason_count; i++)
        write_loss(perfetto, sequence, &losses->reasons[i]);
    return STATUS_OK;
}

static status perfetto_finish(void *self)
{
    struct perfetto *perfetto = self;
    status result = lanes_finish(perfetto->lanes);

    if (result == STATUS_OK)
        result = perfetto_own_empty_tracks(perfetto);
    return result == STATUS_OK ? output_status(perfetto->output) : result;
}

static const struct sink_calls perfetto_calls = {
    .clock = announced_add_clock,
    .track = perfetto_track,
    .op = perfetto_operator,
    .run = perfetto_run,
    .step = perfetto_step,
    .step_end = perfetto_step_end,
    .step_lost = perfetto_step_lost,
    .slice = perfetto_slice,
    .begin = perfetto_begin,
    .end = perfetto_end,
    .instant = perfetto_instant,
    .counter = perfetto_counter,
    .about = perfetto_about,
    .loss = perfetto_loss,
    .finish = perfetto_finish,
};

static const struct lanes_calls perfetto_lanes = {
    .lane = perfetto_lane,
    .begin = perfetto_lane_begin,
    .end = perfetto_lane_end,
};

/* --- the format --------------------------------------------------------------------------------------------------- */

static void perfetto_free(void *self)
{
    struct perfetto *perfetto = self;

    for (size_t i = 0; i < perfetto->sequences.count; i++)
        sequence_free(column_at(&perfetto->sequences, i));
    column_free(&perfetto->sequences);
    for (size_t i = 0; i < perfetto->drawn.count; i++)
        memory_free(perfetto_drawn(perfetto, (track_id)i)->instants.lanes);
    column_free(&perfetto->drawn);
    announced_free(&perfetto->announced);
    lanes_free(perfetto->lanes);
    memory_free(perfetto->lines);
    memory_free(perfetto->clocks);
    memory_free(perfetto->steps.held);
    number_map_free(&perfetto->steps.keys);
    memory_free(perfetto->annotations);
    memory_free(perfetto->entries);
    memory_free(perfetto->scratch);
    memory_free(perfetto->nested);
    id_map_free(&perfetto->nested_map);
    column_free(&perfetto->nested_known);
    arena_free(&perfetto->nested_bytes);
    memory_free(perfetto);
}

static uint64_t perfetto_events(const void *self)
{
    return ((const struct perfetto *)self)->events;
}

static status perfetto_open(struct output *output, struct strings *strings, const struct writer_options *options,
                            struct writer *writer)
{
    struct perfetto *perfetto = memory_allocate_clear(sizeof *perfetto);
    status result;

    if (!perfetto)
        return status_no_memory("preparing a trace");
    perfetto->output = output;
    perfetto->strings = strings;
    perfetto->arguments = options->arguments;
    perfetto->first = INT64_MAX;
    perfetto->steps.clock = NO_ID;
    number_map_start(&perfetto->steps.keys);
    announced_start(&perfetto->announced);
    column_start(&perfetto->sequences, sizeof(struct sequence));
    column_start(&perfetto->nested_known, sizeof(struct text));
    column_start(&perfetto->drawn, sizeof(struct drawn_track));
    result = lanes_new(&perfetto_lanes, perfetto, &perfetto->lanes);
    if (result != STATUS_OK) {
        perfetto_free(perfetto);
        return result;
    }
    if (options->input_count > 1)
        perfetto_own_inputs(perfetto, options->inputs, options->input_count);
    *writer = (struct writer){
        .sink = { &perfetto_calls, perfetto },
        .self = perfetto,
        .free = perfetto_free,
        .events = perfetto_events,
    };
    return STATUS_OK;
}

static const char *const suffixes[] = { ".pb", ".pftrace", ".perfetto-trace", NULL };

const struct writer_format perfetto_format = {
    .id = "perfetto",
    .title = "Perfetto trace",
    .suffixes = suffixes,
    .drawn = true,
    .open = perfetto_open,
};
