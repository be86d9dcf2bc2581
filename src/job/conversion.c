/* conversion.c: reads the inputs of a session into a trace, and draws what follows from their sums. */
#include "job/conversion.h"

#include <assert.h>

#include "analyze/counters.h"
#include "analyze/operator_lines.h"
#include "analyze/overview.h"
#include "base/format.h"
#include "base/memory.h"
#include "base/path.h"
#include "job/vocabulary.h"

/* ---- A common origin ---- */

/* The calls of the tee get the tee, which lies in a conversion. */
static struct conversion *conversion_of(void *tee)
{
    return (struct conversion *)((char *)tee - offsetof(struct conversion, tee));
}

/* Inputs that follow each other in one viewer begin together. */
static bool moves(const struct conversion *conversion)
{
    return conversion->drawn && !conversion->options.keep_clocks && !conversion->options.as_original &&
           conversion->session->profile_count > 1;
}

/* What of the input is drawn from its sums: of what its trace brings along, nothing. */
static unsigned drawn_from_sums(const struct conversion *conversion, const struct profile *profile)
{
    const struct conversion_options *options = &conversion->options;
    unsigned drawn =
        (options->overview ? DRAWN_OVERVIEW : 0) | (options->overview || options->by_operator ? DRAWN_OPERATORS : 0);

    return conversion->drawn ? drawn & ~profile->source.drawn : 0;
}

/* Whether anybody asks when engines of the input were busy, as far as its tracks tell that. */
static bool wants_sums(const struct conversion *conversion)
{
    return conversion->sums != &conversion->busy || moves(conversion) ||
           drawn_from_sums(conversion, conversion->read_now);
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
    if (code == STATUS_OK)
        code = tee_sink(self).calls->track(self, &moved);
    if (code == STATUS_OK && conversion->read_now && !wants_sums(conversion))
        busy_count_only(&conversion->busy);
    return code;
}

static status find_starts(struct conversion *conversion)
{
    memory_free(conversion->starts);
    conversion->starts = NULL;
    if (!conversion->options.cut && !moves(conversion))
        return STATUS_OK;
    return align_find(conversion->session, &conversion->starts);
}

/* Turns the range on, on the axis of the trace: it counts from the first event. */
static status set_range(struct conversion *conversion)
{
    const struct input_start *starts = conversion->starts;
    int64_t origin = INT64_MAX, end;

    for (size_t i = 0; i < conversion->session->profile_count; i++) {
        if (!starts[i].known && !(path_is_file(conversion->session->profiles[i].path) ||
                                  path_is_folder(conversion->session->profiles[i].path)))
            return status_fail(STATUS_USAGE,
                               "--begin and --end count from the first event, and what comes through a "
                               "pipe can be read only once: give %s as a file",
                               conversion->session->profiles[i].path);
        if (starts[i].known && starts[i].first < origin)
            origin = starts[i].first;
    }
    if (moves(conversion) || origin == INT64_MAX)
        origin = 0;
    if (__builtin_add_overflow(origin, conversion->options.end, &end))
        end = INT64_MAX;
    range_set(&conversion->range, origin + conversion->options.begin, end);
    return STATUS_OK;
}

static status note_cuts(struct conversion *conversion, struct profile *profile)
{
    struct range *range = &conversion->range;
    string_id note;
    status code;

    if (!range->at_begin && !range->at_end)
        return STATUS_OK;
    code = strings_add_format(conversion->session->strings, &note,
                              "%llu slices reach over the begin of the range and %llu over its end: they are cut there",
                              (unsigned long long)range->at_begin, (unsigned long long)range->at_end);
    if (code == STATUS_OK)
        source_note(&profile->source, strings_text(conversion->session->strings, note));
    range->at_begin = range->at_end = 0;
    return code;
}

static status note_shift(struct conversion *conversion, struct profile *profile)
{
    struct strings *strings = conversion->session->strings;
    size_t index = (size_t)(profile - conversion->session->profiles);
    char moved[FORMAT_SIZE];
    string_id note = 0;
    status code = STATUS_OK;

    if (!moves(conversion))
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
    if (moves(conversion))
        conversion->shift = align_shift(conversion->starts, conversion->session->profile_count, index);
    code = conversion->options.cut ? set_range(conversion) : STATUS_OK;
    conversion->read_now = profile;
    if (code == STATUS_OK)
        code = session_read(conversion->session, profile, &conversion->feed);
    conversion->read_now = NULL;
    if (code == STATUS_OK)
        code = note_shift(conversion, profile);
    if (code == STATUS_OK && conversion->options.cut)
        code = range_settle(&conversion->range);
    if (code == STATUS_OK && conversion->options.cut)
        code = note_cuts(conversion, profile);
    if (conversion->options.cut)
        range_set(&conversion->range, INT64_MIN, INT64_MAX); /* what is drawn is about the range, not in it */
    conversion->shift = 0;
    return code;
}

/* ---- */

static status name_inputs(const struct session *session, const char ***names)
{
    *names = memory_allocate((session->profile_count + 1) * sizeof **names);
    if (!*names)
        return status_no_memory("writing a trace");
    for (size_t i = 0; i < session->profile_count; i++)
        (*names)[i] = session->profiles[i].name;
    return STATUS_OK;
}

/* A file of a format. */
struct format_file {
    const struct writer_format *format; /* borrowed */
    struct output *output;              /* the same */
};

static status open_file(void *context, struct strings *strings, const struct writer_options *options,
                        struct writer *writer)
{
    const struct format_file *file = context;

    return file->format->open(file->output, strings, options, writer);
}

static status open_writer(struct conversion *conversion, const struct writer_keeper *keeper)
{
    const struct conversion_options *options = &conversion->options;
    const struct session *session = conversion->session;
    const char *columns[VOCABULARY_COLUMNS];
    struct writer_options writer_options = { .arguments = options->arguments,
                                             .columns = columns,
                                             .front = options->front };
    const char **inputs = NULL;
    status code = name_inputs(session, &inputs);

    vocabulary_columns(columns);
    if (code == STATUS_OK) {
        writer_options.inputs = inputs;
        writer_options.input_count = session->profile_count;
        code = keeper->open(keeper->context, session->strings, &writer_options, &conversion->writer);
    }
    memory_free(inputs);
    return code;
}

status conversion_open(struct conversion *conversion, struct session *session, const char *path,
                       const struct writer_format *format, const struct conversion_options *options)
{
    struct format_file file = { .format = format };
    struct writer_keeper keeper = { .drawn = format->drawn, .context = &file, .open = open_file };
    status code = session_check_output(session, path);

    assert(path && format->open);
    if (code == STATUS_OK)
        code = output_open(path, &file.output);
    if (code != STATUS_OK)
        return code;
    code = conversion_open_kept(conversion, session, &keeper, options);
    if (code == STATUS_OK)
        conversion->output = file.output;
    else
        output_abandon(file.output);
    return code;
}

status conversion_open_kept(struct conversion *conversion, struct session *session, const struct writer_keeper *keeper,
                            const struct conversion_options *options)
{
    bool drawn = keeper->drawn;
    struct tee *listeners;
    status code;

    assert(session->strings);
    *conversion = (struct conversion){ .session = session, .options = *options, .drawn = drawn };
    code = open_writer(conversion, keeper);
    if (code != STATUS_OK)
        return code;
    busy_start(&conversion->busy);
    conversion->busy.work_only = true;
    store_start(&conversion->store);
    listeners = options->cut ? &conversion->inside : &conversion->tee;
    code = tee_add(listeners, conversion->writer.sink);
    if (code == STATUS_OK)
        code = beside_open(&conversion->beside, &conversion->writer, session->strings, listeners);
    conversion->sums = conversion->beside.writer ? &conversion->beside.counting.busy : &conversion->busy;
    if (code == STATUS_OK && !conversion->beside.writer)
        code = tee_add(listeners, busy_sink(&conversion->busy));
    if (code == STATUS_OK && drawn && (options->by_operator || options->counters))
        code = tee_add(listeners, store_sink(&conversion->store));
    if (code == STATUS_OK && options->cut)
        code = range_start(&conversion->range, tee_sink(&conversion->inside), session->strings);
    if (code == STATUS_OK && options->cut)
        code = tee_add(&conversion->tee, range_sink(&conversion->range));
    if (code == STATUS_OK && drawn)
        code = ties_open(&conversion->ties, session, &conversion->tee);
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
    tee_free(&conversion->inside);
    range_free(&conversion->range);
    ties_close(&conversion->ties);
    beside_close(&conversion->beside);
    memory_free(conversion->starts);
    writer_free(&conversion->writer);
}

const struct writer *conversion_beside(const struct conversion *conversion)
{
    return conversion->beside.writer;
}

void conversion_abandon(struct conversion *conversion)
{
    output_abandon(conversion->output);
    free_rest(conversion);
}

status conversion_commit(struct conversion *conversion, struct conversion_result *result)
{
    status code = sink_finish(&conversion->writer.sink);

    assert(conversion->writer.events);
    *result = (struct conversion_result){
        .slices = conversion->slices,
        .events = conversion->writer.events(conversion->writer.self),
        .bytes = conversion->output ? output_written(conversion->output) : 0,
    };
    if (conversion->output)
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
    for (size_t i = 0; i < conversion->sums->tracks.count; i++) {
        const struct busy_track *track = busy_track(conversion->sums, (track_id)i);

        if (track->process == process && track->counted)
            conversion->slices += track->slices;
    }
}

static status draw_overview(struct conversion *conversion, struct profile *profile)
{
    struct metrics metrics;
    status code = profile_metrics(profile, conversion->sums, NULL, &metrics);

    if (code == STATUS_OK && conversion->options.as_original)
        return overview_draw_original(&conversion->feed, &metrics, profile->display, profile->order + 1);
    return code == STATUS_OK ? overview_draw(&conversion->feed, &metrics, profile->display, profile->order + 1) : code;
}

/* What is drawn from the sums of a profile, once it has been read. */
static status draw(struct conversion *conversion, struct profile *profile)
{
    const struct store *store = conversion->options.by_operator ? &conversion->store : NULL;
    unsigned drawn = drawn_from_sums(conversion, profile);
    status code = STATUS_OK;

    assert(profile->process != NO_ID && "a profile is drawn after it was read");
    if (drawn & DRAWN_OVERVIEW)
        code = draw_overview(conversion, profile);
    if (code == STATUS_OK && drawn & DRAWN_OPERATORS)
        code = operators_draw(&conversion->feed, conversion->sums, profile->process, store);
    if (code == STATUS_OK && conversion->options.counters && !(profile->source.drawn & DRAWN_COUNTERS))
        code = counters_draw(&conversion->feed, &conversion->store, profile->process);
    return code;
}

/* Viewers know no times before 0: what lies there is drawn at 0, which is told. */
static status note_before_0(struct conversion *conversion, struct profile *profile)
{
    const struct busy *busy = conversion->sums;
    const struct clock *clock = busy_clock(busy, profile->process);
    char before[FORMAT_SIZE];
    int64_t first = 0;
    string_id note;
    status code;

    for (size_t i = 0; i < busy->tracks.count; i++) {
        const struct busy_track *track = busy_track(busy, (track_id)i);
        int64_t ns =
            clock && track->process == profile->process && track->set.any ? clock_ns(clock, track->set.first) : 0;

        first = ns < first ? ns : first;
    }
    if (first == 0)
        return STATUS_OK;
    format_duration(before, first == INT64_MIN ? INT64_MAX : -first);
    code =
        strings_add_format(conversion->session->strings, &note,
                           "begins %s before 0, and viewers know no such times: what lies there is drawn at 0", before);
    if (code == STATUS_OK)
        source_note(&profile->source, strings_text(conversion->session->strings, note));
    return code;
}

static status read_profile(struct conversion *conversion, struct profile *profile)
{
    status code;

    assert(profile->process == NO_ID && "a profile is read once");
    ties_begin(&conversion->ties, profile);
    code = read_moved(conversion, profile);
    if (code == STATUS_OK)
        ties_end(&conversion->ties, profile, conversion->sums);
    if (code == STATUS_OK)
        code = busy_settle(conversion->sums);
    if (code == STATUS_OK && conversion->drawn)
        code = note_before_0(conversion, profile);
    if (code == STATUS_OK && conversion->drawn)
        code = draw(conversion, profile);
    count_slices(conversion, profile->process);
    if (code == STATUS_OK)
        code = beside_add(&conversion->beside, profile, conversion->session->strings,
                          conversion->session->profile_count > 1);
    busy_forget(conversion->sums);
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
    status code = find_starts(conversion);

    if (code == STATUS_OK)
        code = read_those(conversion, true);
    if (code == STATUS_OK)
        code = ties_prepare(&conversion->ties, conversion->session);
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
