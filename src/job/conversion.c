#include "job/conversion.h"

#include "analyze/counters.h"
#include "analyze/operator_lines.h"
#include "analyze/overview.h"

status conversion_open(struct conversion *conversion, struct session *session, const char *path,
                       const struct writer_format *format, const struct conversion_options *options)
{
    struct writer_options writer_options = { .arguments = options->arguments };
    bool drawn = format->drawn;
    status code;

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
    estimate_start(&conversion->estimate);
    tee_add(&conversion->tee, conversion->writer.sink);
    tee_add(&conversion->tee, busy_sink(&conversion->busy));
    if (drawn)
        tee_add(&conversion->tee, estimate_sink(&conversion->estimate));
    if (drawn && (options->by_operator || options->counters))
        tee_add(&conversion->tee, store_sink(&conversion->store));
    feed_start(&conversion->feed, tee_sink(&conversion->tee), session->strings, session->origin);
    return STATUS_OK;
}

/* Everything but the output. */
static void free_rest(struct conversion *conversion)
{
    feed_free(&conversion->feed);
    busy_free(&conversion->busy);
    store_free(&conversion->store);
    estimate_free(&conversion->estimate);
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
    conversion->session = session;
    feed_set_origin(&conversion->feed, session->origin);
    conversion->overlay = false;
    conversion->estimate.key = ESTIMATE_BY_NOTHING;
    conversion->estimate.count = 0;
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
    status code = profile_metrics(profile, &conversion->busy, &metrics);

    if (code == STATUS_OK && conversion->options.overview)
        code = overview_draw(&conversion->feed, &metrics, profile->display, profile->order + 1);
    if (code == STATUS_OK && (conversion->options.overview || conversion->options.by_operator))
        code = operators_draw(&conversion->feed, &conversion->busy, profile->process, store);
    if (code == STATUS_OK && conversion->options.counters)
        code = counters_draw(&conversion->feed, &conversion->store, profile->process);
    return code;
}

static bool has_estimate(const struct conversion *conversion, track_id process)
{
    for (size_t i = 0; i < conversion->busy.tracks.count; i++) {
        const struct busy_track *track = busy_track(&conversion->busy, (track_id)i);

        if (track->process == process && track->track.engine == &engine_estimate)
            return true;
    }
    return false;
}

static status read_profile(struct conversion *conversion, struct profile *profile)
{
    status code = session_read(conversion->session, profile, &conversion->feed,
                               conversion->overlay ? &conversion->estimate : NULL);

    if (code == STATUS_OK && conversion->overlay && !has_estimate(conversion, profile->process))
        source_note(&profile->source,
                    "no measured job has a key that the estimate has: it is not drawn beside the jobs; "
                    "--mlir ties more of them");
    if (code == STATUS_OK)
        code = busy_settle(&conversion->busy);
    if (code == STATUS_OK && conversion->drawn)
        code = draw(conversion, profile);
    count_slices(conversion, profile->process);
    busy_forget(&conversion->busy);
    return code;
}

static size_t count_readers(const struct session *session, enum reader_kind kind)
{
    size_t count = 0;

    for (size_t i = 0; i < session->profile_count; i++)
        count += session->profiles[i].reader->kind == kind ? 1 : 0;
    return count;
}

static void note_all_runtimes(struct session *session, const char *note)
{
    for (size_t i = 0; i < session->profile_count; i++)
        if (session->profiles[i].reader->kind == READER_MEASURED)
            source_note(&session->profiles[i].source, note);
}

/* After the compile timelines were read: can their estimate be drawn beside the measured jobs? */
static status prepare_overlay(struct conversion *conversion)
{
    struct session *session = conversion->session;
    size_t compiles = count_readers(session, READER_ESTIMATE);
    const struct program *program = session->has_program ? &session->program : NULL;
    struct clock cycles = clock_of_mhz(session->clock_numerator, session->clock_denominator, 0);
    status code = STATUS_OK;

    if (conversion->overlay || !count_readers(session, READER_MEASURED) ||
        (!compiles && !(program && program->has_estimate)))
        return STATUS_OK;
    if (compiles > 1) {
        note_all_runtimes(session, "several compile timelines are given: none is drawn beside the measured jobs");
        return STATUS_OK;
    }
    if (!compiles)
        code = estimate_from_program(&conversion->estimate, program, &cycles);
    else if (conversion->estimate.key == ESTIMATE_BY_NOTHING)
        note_all_runtimes(session,
                          "the compile timeline names neither actions nor tasks: its estimate is not drawn beside "
                          "the measured jobs");
    else if (conversion->estimate.key == ESTIMATE_BY_TASK && !program)
        note_all_runtimes(
            session, "the compile timeline names tasks: give --mlir to draw its estimate beside the measured jobs");
    if (code == STATUS_OK)
        code = estimate_complete(&conversion->estimate, program);
    conversion->overlay =
        conversion->estimate.key == ESTIMATE_BY_ACTION || (conversion->estimate.key == ESTIMATE_BY_TASK && program);
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

/* Compile timelines come first, because a runtime log may be drawn with the estimate that they hold. */
status conversion_read(struct conversion *conversion)
{
    status code;

    conversion->estimate.keep = count_readers(conversion->session, READER_ESTIMATE) == 1 &&
                                count_readers(conversion->session, READER_MEASURED) > 0;
    code = read_those(conversion, true);
    if (code == STATUS_OK && conversion->drawn)
        code = prepare_overlay(conversion);
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
