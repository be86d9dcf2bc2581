/* facts.c: a profile, read for its card in the gallery. */
#include "serve/facts.h"

#include <string.h>

#include "base/json_write.h"
#include "base/memory.h"
#include "base/path.h"
#include "job/core_verbs.h"
#include "job/digest.h"
#include "job/session.h"
#include "job/summary.h"
#include "table/json.h"

/* One file while it is read. */
struct facts {
    struct session session;   /* with its inputs */
    struct counting counting; /* of their runs */
    struct feed feed;         /* into that */
    struct json_out out;      /* the object that is made */
};

static void write_runs(struct json_out *out, const struct counted_runs *runs)
{
    char sentence[RUNS_SENTENCE];

    json_out_object(out, "runs", JSON_ONE_LINE);
    json_out_unsigned(out, "total", runs->total);
    json_out_unsigned(out, "counted", runs->counted);
    json_out_end(out);
    json_out_text(out, "sentence", runs_sentence(runs, sentence) ? sentence : NULL);
}

/* The rows of the overview, as its table has them. */
static status write_metrics(struct json_out *out, const struct profile *profile, const struct metrics *metrics)
{
    struct table *table = NULL;
    status code = digest_overview(profile, metrics, NULL, &table);

    if (code != STATUS_OK)
        return code;
    json_out_array(out, "metrics", JSON_LINES);
    for (size_t i = 0; i < table_rows(table); i++)
        json_write_row(json_out_value(out, NULL), table, i);
    json_out_end(out);
    table_free(table);
    return STATUS_OK;
}

/* Engines whose slices are behind each metric, by their titles: where a page leads from the number. */
static void write_engines(struct json_out *out, const struct facts *facts, const struct profile *profile,
                          const struct metrics *metrics)
{
    const struct busy *busy = &facts->counting.busy;

    json_out_object(out, "engines", JSON_ONE_LINE);
    for (size_t i = 0; i < metrics->count; i++) {
        const struct metric *metric = metrics->set->rows[i];
        const char *last = NULL;

        if (!metrics->present[i])
            continue;
        json_out_array(out, metric->key, JSON_ONE_LINE);
        for (size_t k = 0; k < busy->tracks.count; k++) {
            const struct busy_track *track = busy_track(busy, (track_id)k);
            const struct engine *engine = track->track.engine;

            if (track->process != profile->process || !engine || engine->title == last || !track->slices ||
                !metric_counts(metric, engine, track->track.index))
                continue;
            json_out_text(out, NULL, engine->title);
            last = engine->title;
        }
        json_out_end(out);
    }
    json_out_end(out);
}

static void write_notes(struct json_out *out, const struct profile *profile, const struct metrics *metrics)
{
    const char *notes[PROFILE_NOTES];
    size_t count = profile_notes(profile, metrics, notes);

    json_out_object(out, "rows", JSON_ONE_LINE);
    json_out_unsigned(out, "read", profile->losses.rows);
    json_out_unsigned(out, "used", profile->losses.used);
    json_out_unsigned(out, "lost", profile->losses.lost);
    json_out_end(out);
    json_out_array(out, "notes", JSON_LINES);
    for (size_t i = 0; i < count; i++)
        json_out_text(out, NULL, notes[i]);
    json_out_end(out);
}

static status read_input(struct facts *facts, struct profile *profile)
{
    struct json_out *out = &facts->out;
    struct counted_runs runs = { 0 };
    struct metrics metrics;
    const struct chain *chain;
    status code = session_read(&facts->session, profile, &facts->feed);

    if (code == STATUS_OK)
        code = counting_take(&facts->counting, profile, &runs, &metrics);
    if (code == STATUS_OK) {
        chain = source_chain(&profile->source, profile->reader);
        json_out_object(out, NULL, JSON_LINES);
        json_out_string(out, "model", summary_model(profile->name));
        json_out_text(out, "chain", chain ? chain->title : NULL);
        json_out_text(out, "kind", source_is_measured(&profile->source, profile->reader) ? "measured" : "estimate");
        json_out_integer(out, "run_ns", metrics_ns(&metrics, &metric_overall));
        write_runs(out, &runs);
        code = write_metrics(out, profile, &metrics);
        write_engines(out, facts, profile, &metrics);
        write_notes(out, profile, &metrics);
        json_out_end(out);
    }
    counted_runs_free(&runs);
    return code;
}

static status read_all(struct facts *facts, const char *path)
{
    const struct reader *reader;
    status code = session_add_all(&facts->session, &path, 1);

    if (code != STATUS_OK)
        return code;
    reader = facts->session.profiles[0].reader;
    json_out_object(&facts->out, NULL, JSON_ONE_LINE);
    json_out_text(&facts->out, "format", reader->id);
    json_out_text(&facts->out, "title", reader->title);
    json_out_array(&facts->out, "inputs", JSON_LINES);
    for (size_t i = 0; i < facts->session.profile_count && code == STATUS_OK; i++)
        code = read_input(facts, &facts->session.profiles[i]);
    if (code == STATUS_OK) {
        json_out_end(&facts->out);
        json_out_end(&facts->out);
    }
    return code;
}

/* Whether a file is for us at all, before its companions are loaded. */
static status look_at(const char *path, const char *format, const struct reader **reader)
{
    struct input *input = NULL;
    status code = reader_open(path, format, &input, reader);

    input_close(input);
    if (code == STATUS_INPUT && !*reader)
        return STATUS_NO;
    if (code == STATUS_OK && (*reader)->timeless)
        return status_fail(STATUS_NO, "%s: %s", (*reader)->title, (*reader)->timeless);
    return code;
}

static status read_as(const char *path, const struct session_options *how, const struct reader **reader, char **json)
{
    struct facts facts = { .counting = { .warmup = 0 } };
    struct output *output = NULL;
    status code;

    code = look_at(path, how->format, reader);
    if (code == STATUS_OK)
        code = output_open_memory(&output);
    if (code != STATUS_OK)
        return code;
    json_out_start(&facts.out, output);
    code = session_start(&facts.session, how);
    if (code == STATUS_OK) {
        code = counting_start(&facts.counting, NULL, NULL, false, facts.session.strings);
        feed_start(&facts.feed, counting_sink(&facts.counting), facts.session.strings);
        if (code == STATUS_OK)
            code = read_all(&facts, path);
        feed_free(&facts.feed);
        counting_free(&facts.counting);
    }
    session_end(&facts.session);
    if (code == STATUS_OK) {
        const char *made = output_memory(output, &(size_t){ 0 });

        *json = made ? memory_copy_text(made) : NULL;
        code = *json ? STATUS_OK : status_no_memory("reading a profile");
    }
    output_abandon(output);
    return code;
}

status facts_read(const char *path, const struct texts *asked, struct progress_pause pause,
                  const struct reader **reader, char **json)
{
    struct job how;
    status code = job_start(&how, &summary_verb);

    *reader = NULL;
    *json = NULL;
    if (code == STATUS_OK)
        code = job_take_options(&how, asked);
    how.reading.pause = pause;
    if (code == STATUS_OK)
        code = read_as(path, &how.reading, reader, json);
    job_free(&how);
    return code;
}
