/* conversion.c: reads the inputs of a session into a trace, and draws what follows from their sums. */
#include "job/conversion.h"

#include <assert.h>

#include "analyze/counters.h"
#include "analyze/operator_lines.h"
#include "analyze/overview.h"
#include "base/format.h"
#include "base/memory.h"
#include "job/vocabulary.h"

static status list_inputs(const struct session *session, struct tied_input **inputs)
{
    *inputs = memory_allocate_clear((session->profile_count + 1) * sizeof **inputs);
    if (!*inputs)
        return status_no_memory("listing inputs");
    for (size_t i = 0; i < session->profile_count; i++)
        (*inputs)[i] = (struct tied_input){ &session->profiles[i].source, session->profiles[i].reader };
    return STATUS_OK;
}

/* The ties of the session's inputs listen from the beginning: ids count up from there. */
static status open_ties(struct conversion *conversion)
{
    struct tied_input *inputs;
    size_t capacity = 0;
    status code = list_inputs(conversion->session, &inputs);

    for (const struct chain *const *chain = chains; *chain && code == STATUS_OK; chain++) {
        struct conversion_tie tie = { .calls = (*chain)->tie };

        if (tie.calls)
            code = tie.calls->open(inputs, conversion->session->profile_count, conversion->session->strings, &tie.self);
        if (code != STATUS_OK || !tie.self)
            continue;
        code = memory_grow(&conversion->ties, &capacity, conversion->tie_count + 1, sizeof tie);
        if (code == STATUS_OK)
            conversion->ties[conversion->tie_count++] = tie;
        else
            tie.calls->close(tie.self);
        if (code == STATUS_OK)
            code = tee_add(&conversion->tee, tie.calls->listen(tie.self));
    }
    memory_free(inputs);
    return code;
}

/* ---- A common origin ---- */

/* The calls of the tee get the tee, which lies in a conversion. */
static struct conversion *conversion_of(void *tee)
{
    return (struct conversion *)((char *)tee - offsetof(struct conversion, tee));
}

static status on_clock(void *self, clock_id id, const struct clock *clock)
{
    struct clock moved = *clock;

    moved.offset += conversion_of(self)->shift;
    return tee_sink(self).calls->clock(self, id, &moved);
}

/* Tracks in nanoseconds have no clock that could move: they get one. */
static status on_track(void *self, const struct track *track)
{
    struct conversion *conversion = conversion_of(self);
    bool timed = track->kind == TRACK_SLICES || track->kind == TRACK_COUNTER;
    struct clock nanoseconds = clock_nanoseconds(0);
    struct track moved = *track;
    status code = STATUS_OK;

    if (conversion->shift && timed && track->clock == NO_ID) {
        if (conversion->moved == NO_ID)
            code = feed_clock(&conversion->feed, &nanoseconds, &conversion->moved);
        moved.clock = conversion->moved;
    }
    return code == STATUS_OK ? tee_sink(self).calls->track(self, &moved) : code;
}

/* Inputs that follow each other in one viewer begin together. */
static status find_starts(struct conversion *conversion)
{
    memory_free(conversion->starts);
    conversion->starts = NULL;
    if (!conversion->drawn || conversion->options.keep_clocks || conversion->options.as_original ||
        conversion->session->profile_count < 2)
        return STATUS_OK;
    return align_find(conversion->session, &conversion->starts);
}

static status note_shift(struct conversion *conversion, struct profile *profile)
{
    struct strings *strings = conversion->session->strings;
    size_t index = (size_t)(profile - conversion->session->profiles);
    char moved[FORMAT_SIZE];
    string_id note = 0;
    status code = STATUS_OK;

    if (!conversion->starts)
        return STATUS_OK;
    if (!conversion->starts[index].known)
        code = strings_add_text(strings,
                                "keeps its times, since where it begins could not be found beforehand; the other "
                                "inputs begin together",
                                &note);
    if (code == STATUS_OK && conversion->shift) {
        format_duration(moved, conversion->shift < 0 ? -conversion->shift : conversion->shift);
        code = strings_add_format(strings, &note,
                                  "begins with the other inputs, %s %s than its own clock says, since nothing ties "
                                  "their clocks; --keep-clocks keeps the times",
                                  moved, conversion->shift < 0 ? "earlier" : "later");
    }
    if (code == STATUS_OK && note)
        source_note(&profile->source, strings_text(strings, note));
    return code;
}

/* Reads a profile into the feed, its clocks moved. What is drawn afterwards has moved clocks already. */
static status read_moved(struct conversion *conversion, struct profile *profile)
{
    size_t index = (size_t)(profile - conversion->session->profiles);
    status code;

    conversion->moved = NO_ID;
    if (conversion->starts)
        conversion->shift = align_shift(conversion->starts, conversion->session->profile_count, index);
    code = session_read(conversion->session, profile, &conversion->feed);
    if (code == STATUS_OK)
        code = note_shift(conversion, profile);
    conversion->shift = 0;
    return code;
}

/* ---- */

status conversion_open(struct conversion *conversion, struct session *session, const char *path,
                       const struct writer_format *format, const struct conversion_options *options)
{
    const char *columns[VOCABULARY_COLUMNS];
    struct writer_options writer_options = { .arguments = options->arguments, .columns = columns };
    bool drawn = format->drawn;
    status code;

    assert(session->strings && path && format && format->open);
    vocabulary_columns(columns);
    *conversion = (struct conversion){ .session = session, .options = *options, .drawn = drawn };
    code = session_check_output(session, path);
    if (code == STATUS_OK)
        code = output_open(path, &conversion->output);
    if (code != STATUS_OK)
        return code;
    code = format->open(conversion->output, session->strings, &writer_options, &conversion->writer);
    if (code != STATUS_OK) {
        output_abandon(conversion->output);
        return code;
    }
    busy_start(&conversion->busy);
    conversion->busy.work_only = true;
    store_start(&conversion->store);
    code = tee_add(&conversion->tee, conversion->writer.sink);
    if (code == STATUS_OK)
        code = tee_add(&conversion->tee, busy_sink(&conversion->busy));
    if (code == STATUS_OK && drawn)
        code = open_ties(conversion);
    if (code == STATUS_OK && drawn && (options->by_operator || options->counters))
        code = tee_add(&conversion->tee, store_sink(&conversion->store));
    conversion->calls = *tee_sink(&conversion->tee).calls;
    conversion->calls.clock = on_clock;
    conversion->calls.track = on_track;
    feed_start(&conversion->feed, (struct sink){ &conversion->calls, &conversion->tee }, session->strings);
    if (code != STATUS_OK)
        conversion_abandon(conversion);
    return code;
}

/* Everything but the output. */
static void free_rest(struct conversion *conversion)
{
    feed_free(&conversion->feed);
    busy_free(&conversion->busy);
    store_free(&conversion->store);
    tee_free(&conversion->tee);
    for (size_t i = 0; i < conversion->tie_count; i++)
        conversion->ties[i].calls->close(conversion->ties[i].self);
    memory_free(conversion->ties);
    memory_free(conversion->starts);
    writer_free(&conversion->writer);
}

void conversion_abandon(struct conversion *conversion)
{
    output_abandon(conversion->output);
    free_rest(conversion);
}

status conversion_commit(struct conversion *conversion, struct conversion_result *result)
{
    status code = sink_finish(&conversion->writer.sink);

    assert(conversion->output && conversion->writer.events);
    *result = (struct conversion_result){
        .slices = conversion->slices,
        .events = conversion->writer.events(conversion->writer.self),
        .bytes = output_written(conversion->output),
    };
    code = output_finish(conversion->output, code);
    free_rest(conversion);
    return code;
}

void conversion_switch(struct conversion *conversion, struct session *session)
{
    assert(session->strings == conversion->session->strings && "ids are those of one pool");
    conversion->session = session;
    feed_set_namer(&conversion->feed, (struct namer){ 0 }); /* names come from the session before */
}

static void count_slices(struct conversion *conversion, track_id process)
{
    for (size_t i = 0; i < conversion->busy.tracks.count; i++) {
        const struct busy_track *track = busy_track(&conversion->busy, (track_id)i);

        if (track->process == process && track->kept)
            conversion->slices += track->slices;
    }
}

/* What is drawn from the sums of a profile, once it has been read. */
static status draw(struct conversion *conversion, struct profile *profile)
{
    const struct store *store = conversion->options.by_operator ? &conversion->store : NULL;
    struct metrics metrics;
    unsigned had = profile->source.drawn;
    status code = profile_metrics(profile, &conversion->busy, NULL, &metrics);

    assert(profile->process != NO_ID && "a profile is drawn after it was read");
    if (code == STATUS_OK && conversion->options.overview && !(had & DRAWN_OVERVIEW) && conversion->options.as_original)
        code = overview_draw_original(&conversion->feed, &metrics, profile->display, profile->order + 1);
    else if (code == STATUS_OK && conversion->options.overview && !(had & DRAWN_OVERVIEW))
        code = overview_draw(&conversion->feed, &metrics, profile->display, profile->order + 1);
    if (code == STATUS_OK && (conversion->options.overview || conversion->options.by_operator) &&
        !(had & DRAWN_OPERATORS))
        code = operators_draw(&conversion->feed, &conversion->busy, profile->process, store);
    if (code == STATUS_OK && conversion->options.counters && !(had & DRAWN_COUNTERS))
        code = counters_draw(&conversion->feed, &conversion->store, profile->process);
    return code;
}

static bool has_estimate(const struct conversion *conversion, track_id process)
{
    assert(process < conversion->busy.tracks.count);
    for (size_t i = 0; i < conversion->busy.tracks.count; i++) {
        const struct busy_track *track = busy_track(&conversion->busy, (track_id)i);

        if (track->process == process && track->track.engine == &engine_estimate)
            return true;
    }
    return false;
}

/* The tie that a profile may have; NULL: none. */
static const struct conversion_tie *tie_of(const struct conversion *conversion, const struct profile *profile)
{
    const struct chain *chain = profile->reader->chain;

    assert(profile->reader);
    for (size_t i = 0; i < conversion->tie_count; i++)
        if (chain && chain->tie == conversion->ties[i].calls && conversion->ties[i].ready)
            return profile->reader->kind == READER_MEASURED ? &conversion->ties[i] : NULL;
    return NULL;
}

static status read_profile(struct conversion *conversion, struct profile *profile)
{
    const struct conversion_tie *tie = tie_of(conversion, profile);
    status code;

    assert(profile->process == NO_ID && "a profile is read once");
    if (tie)
        source_add_companion(&profile->source, tie->calls->role, tie->self);
    code = read_moved(conversion, profile);
    if (code == STATUS_OK && tie)
        tie->calls->finish(tie->self, &profile->source, has_estimate(conversion, profile->process));
    if (code == STATUS_OK)
        code = busy_settle(&conversion->busy);
    if (code == STATUS_OK && conversion->drawn)
        code = draw(conversion, profile);
    count_slices(conversion, profile->process);
    busy_forget(&conversion->busy);
    return code;
}

static status read_those(struct conversion *conversion, bool timelines)
{
    struct session *session = conversion->session;
    status code = STATUS_OK;

    for (size_t i = 0; i < session->profile_count && code == STATUS_OK; i++) {
        struct profile *profile = &session->profiles[i];

        if (profile->process == NO_ID && (profile->reader->kind == READER_ESTIMATE) == timelines)
            code = read_profile(conversion, profile);
    }
    return code;
}

/* Estimates come first, because what was measured may be drawn with them. */
status conversion_read(struct conversion *conversion)
{
    struct tied_input *inputs = NULL;
    status code = find_starts(conversion);

    if (code == STATUS_OK)
        code = read_those(conversion, true);
    if (code == STATUS_OK && conversion->tie_count)
        code = list_inputs(conversion->session, &inputs);
    for (size_t i = 0; i < conversion->tie_count && code == STATUS_OK; i++)
        code = conversion->ties[i].calls->prepare(conversion->ties[i].self, inputs, conversion->session->profile_count,
                                                  &conversion->ties[i].ready);
    memory_free(inputs);
    return code == STATUS_OK ? read_those(conversion, false) : code;
}

status conversion_write(struct session *session, const char *path, const struct writer_format *format,
                        const struct conversion_options *options, struct conversion_result *result)
{
    struct conversion conversion;
    status code = conversion_open(&conversion, session, path, format, options);

    *result = (struct conversion_result){ 0 };
    if (code != STATUS_OK)
        return code;
    code = conversion_read(&conversion);
    if (code == STATUS_OK)
        return conversion_commit(&conversion, result);
    conversion_abandon(&conversion);
    return code;
}
