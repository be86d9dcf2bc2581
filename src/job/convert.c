/* convert.c: tacho convert: profiles to a trace file. */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/format.h"
#include "base/number.h"
#include "base/path.h"
#include "base/text.h"
#include "job/advise.h"
#include "job/conversion.h"
#include "job/core_verbs.h"

struct settings_of_convert {
    struct texts compile;                 /* files of --compile_profile */
    struct texts runtime;                 /* files of --runtime_profile */
    const char *output;                   /* of -o; NULL: not given */
    const char *pb;                       /* of --pb; NULL: not given */
    const char *to;                       /* name of a format; NULL: by suffix */
    const char *begin, *end;              /* of the range that is cut out; NULL: open */
    struct conversion_options conversion; /* what is written beside the slices */
};

static const struct settings_of_convert defaults = { .conversion = { .arguments = true, .overview = true } };

static const struct option options[] = {
    { "output", 'o', OPTION_TEXT, offsetof(struct settings_of_convert, output), "FILE",
      "trace to write; its suffix gives the format" },
    { "pb", 0, OPTION_TEXT, offsetof(struct settings_of_convert, pb), "FILE",
      "the same, as Perfetto trace whatever the suffix" },
    { "to", 0, OPTION_TEXT, offsetof(struct settings_of_convert, to), "perfetto|chrome|speedscope|slices|page",
      "format of the output, whatever its suffix" },
    { "compile_profile", 0, OPTION_LIST, offsetof(struct settings_of_convert, compile), "FILE...",
      "compile timelines" },
    { "runtime_profile", 0, OPTION_LIST, offsetof(struct settings_of_convert, runtime), "FILE...", "runtime logs" },
    { "no-args", 0, OPTION_CLEAR, offsetof(struct settings_of_convert, conversion.arguments), NULL,
      "leave the arguments of slices and the flows out" },
    { "by-operator", 0, OPTION_FLAG, offsetof(struct settings_of_convert, conversion.by_operator), NULL,
      "repeat the slices on a line per source operator" },
    { "counters", 0, OPTION_FLAG, offsetof(struct settings_of_convert, conversion.counters), NULL,
      "add counters: bytes in flight, engines busy" },
    { "no-overview", 0, OPTION_CLEAR, offsetof(struct settings_of_convert, conversion.overview), NULL,
      "leave the overview and the operator totals out" },
    { "begin", 0, OPTION_TEXT, offsetof(struct settings_of_convert, begin), "T",
      "only what lies after 1.5ms, 200us, ... from the first event" },
    { "end", 0, OPTION_TEXT, offsetof(struct settings_of_convert, end), "T", "only what lies before this time" },
    { "as-original", 0, OPTION_FLAG, offsetof(struct settings_of_convert, conversion.as_original), NULL,
      "labels and times as the original tools write them" },
    { "keep-clocks", 0, OPTION_FLAG, offsetof(struct settings_of_convert, conversion.keep_clocks), NULL,
      "leave several inputs at the times of their own clocks" },
    { 0 },
};

/* By --pb, --to, the suffix; a device such as /dev/null has no suffix and gets a Perfetto trace. */
static status choose_format(const struct settings_of_convert *settings, const char *output,
                            const struct writer_format **format)
{
    if (settings->to) {
        *format = writer_named(settings->to);
        return *format ? STATUS_OK
                       : status_fail(STATUS_USAGE, "no trace format is called \"%s\"; see tacho formats", settings->to);
    }
    *format = settings->pb ? &perfetto_format : writer_for_path(output);
    if (!*format && (strncmp(output, "/dev/", 5) == 0 || strcmp(output, "-") == 0))
        *format = &perfetto_format;
    return *format ? STATUS_OK
                   : status_fail(STATUS_USAGE,
                                 "%s: the suffix names no trace format; use .pb, .pftrace, .json, "
                                 ".speedscope.json, .csv or .html, or --to",
                                 output);
}

/* "1.5ms", "200us", "3s", "17": nanoseconds where there is no unit. */
static status read_time(const char *option, const char *text, int64_t *time)
{
    static const struct {
        const char *unit; /* as it is written */
        int places;       /* of a decimal in it that are nanoseconds */
    } units[] = { { "ns", 0 }, { "us", 3 }, { "\xc2\xb5s", 3 }, { "ms", 6 }, { "s", 9 }, { "", 0 } };
    struct text number = text_of(text);
    unsigned i = 0;

    while (!text_ends(number, units[i].unit))
        i++;
    number.length -= strlen(units[i].unit);
    if (number_parse_scaled(number.data, number.length, units[i].places, time) != NUMBER_FINE || *time < 0)
        return status_fail(STATUS_USAGE, "--%s wants a time such as 1.5ms, 200us or 3s, not \"%s\"", option, text);
    return STATUS_OK;
}

static status choose_range(const struct settings_of_convert *settings, struct conversion_options *how)
{
    status code = STATUS_OK;

    how->cut = settings->begin || settings->end;
    how->begin = 0;
    how->end = INT64_MAX;
    if (settings->begin)
        code = read_time("begin", settings->begin, &how->begin);
    if (code == STATUS_OK && settings->end)
        code = read_time("end", settings->end, &how->end);
    if (code == STATUS_OK && how->end <= how->begin)
        code = status_fail(STATUS_USAGE, "the range ends (%s) before it begins (%s)", settings->end,
                           settings->begin ? settings->begin : "0");
    return code;
}

/* Those of the documents' options first, then the words. */
static status list_inputs(const struct job *job, struct texts *inputs)
{
    const struct settings_of_convert *settings = job->settings;
    const struct texts *lists[] = { &settings->compile, &settings->runtime, &job->inputs };
    status code = STATUS_OK;

    for (unsigned i = 0; i < 3; i++)
        for (size_t j = 0; j < lists[i]->count && code == STATUS_OK; j++)
            code = texts_add(inputs, lists[i]->items[j]);
    if (code == STATUS_OK && !inputs->count)
        code = status_fail(STATUS_USAGE, "tacho convert wants at least one input; see tacho convert --help");
    return code;
}

static status say_done(struct job *job, const struct session *session, const char *output,
                       const struct writer_format *format, const struct conversion_result *result)
{
    char slices[FORMAT_SIZE], size[FORMAT_SIZE], count[FORMAT_SIZE];

    for (size_t i = 0; i < session->profile_count; i++)
        job_note_profile(job, &session->profiles[i]);
    if (output_is_standard(output))
        return STATUS_OK;
    format_count(slices, result->slices);
    format_count(count, result->events);
    format_bytes(size, result->bytes);
    return job_say(job, "%s: %s slices, %s events, %s%s (%s)", output, slices, count, size,
                   path_unpacked(output).length < strlen(output) ? " before compression" : "", format->title);
}

enum { MOST_ADVISED = 1 << 20 }; /* slices of an input that is read once more for advice */

/* Reads the input again, as `tacho advise` does. What that cannot judge is no failure of the trace. */
static status advise_input(struct job *job, const struct writer *writer, const char *path, const char *name)
{
    const struct texts inputs = { .items = (const char *[]){ path, NULL }, .count = 1 };
    struct advised advised = { 0 };
    struct table *table = NULL;
    struct job question;
    status code = advise_ask(job, &inputs, NULL, &question, &advised);

    if (code == STATUS_OK) {
        table = advice_evidence_table(&advised.advice, "Advice", true);
        code = table ? table_status(table) : status_no_memory("making a table");
        if (code == STATUS_OK && name)
            table_note(table, "input: %s", name);
        if (code == STATUS_OK)
            code = writer->beside->table(writer->self, table);
    } else if (code != STATUS_MEMORY) {
        char note[512];

        snprintf(note, sizeof note, "no advice: %s", status_message());
        status_clear();
        code = writer->beside->note(writer->self, name, note);
    }
    table_free(table);
    advised_free(&advised);
    job_free(&question);
    return code;
}

/* Advice is about whole inputs, each of which is a file that can be read again, and not too large to do so. */
static status add_advice(struct job *job, const struct conversion *conversion, const struct texts *inputs)
{
    const struct session *session = conversion->session;
    const struct writer *writer = conversion_beside(conversion);
    bool several = session->profile_count > 1;
    status code = STATUS_OK;

    if (!writer || conversion->options.cut)
        return STATUS_OK;
    /* What was written, not what is known to be work: all of it would be read. */
    if (writer->events(writer->self) / 2 > MOST_ADVISED || session->profile_count != inputs->count)
        return writer->beside->note(writer->self, NULL,
                                    "what to do is not told here, of so much: tacho advise tells it");
    for (size_t i = 0; i < inputs->count && code == STATUS_OK; i++)
        if (path_is_file(inputs->items[i]) || path_is_folder(inputs->items[i]))
            code = advise_input(job, writer, inputs->items[i], several ? session->profiles[i].display : NULL);
    return code;
}

/* The conversion is open; it is closed afterwards. */
static status write_trace(struct job *job, struct conversion *conversion, const struct texts *inputs,
                          struct conversion_result *result)
{
    status code = conversion_read(conversion);

    if (code == STATUS_OK)
        code = add_advice(job, conversion, inputs);
    if (code == STATUS_OK)
        return conversion_commit(conversion, result);
    conversion_abandon(conversion);
    return code;
}

status convert_inputs(struct job *job, const struct texts *inputs, const char *output,
                      const struct writer_format *format, const struct conversion_options *how)
{
    struct conversion_result result;
    struct conversion conversion;
    struct session session;
    status code = session_start(&session, &job->reading);

    assert(inputs->count && output && format && how);
    if (code == STATUS_OK)
        code = session_add_all(&session, inputs->items, inputs->count);
    if (code == STATUS_OK)
        code = conversion_open(&conversion, &session, output, format, how);
    if (code == STATUS_OK)
        code = write_trace(job, &conversion, inputs, &result);
    if (code == STATUS_OK)
        code = say_done(job, &session, output, format, &result);
    session_end(&session);
    return code;
}

status convert_kept(struct job *job, const struct texts *inputs, const struct writer_keeper *keeper,
                    const struct conversion_options *how)
{
    struct conversion_result result;
    struct conversion conversion;
    struct session session;
    status code = session_start(&session, &job->reading);

    if (code == STATUS_OK)
        code = session_add_all(&session, inputs->items, inputs->count);
    if (code == STATUS_OK)
        code = conversion_open_kept(&conversion, &session, keeper, how);
    if (code == STATUS_OK)
        code = write_trace(job, &conversion, inputs, &result);
    session_end(&session);
    return code;
}

static status run(struct job *job)
{
    const struct settings_of_convert *settings = job->settings;
    const char *output = settings->pb ? settings->pb : settings->output;
    const struct writer_format *format = NULL;
    struct conversion_options how = settings->conversion;
    struct texts inputs = { 0 };
    status code = list_inputs(job, &inputs);

    if (code == STATUS_OK && settings->pb && (settings->output || settings->to))
        code = status_fail(STATUS_USAGE, "--pb says name and format of the output: give neither -o nor --to with it");
    if (code == STATUS_OK && !output)
        code = status_fail(STATUS_USAGE, "tacho convert wants an output: -o out.pb");
    if (code == STATUS_OK)
        code = choose_format(settings, output, &format);
    if (code == STATUS_OK)
        code = choose_range(settings, &how);
    if (code == STATUS_OK)
        code = convert_inputs(job, &inputs, output, format, &how);
    texts_free(&inputs);
    return code;
}

const struct verb convert_verb = {
    .name = "convert",
    .summary = "make a trace file (Perfetto, Chrome, speedscope, CSV of slices, timeline page)",
    .usage = "[options] INPUT... -o OUTPUT",
    .takes = VERB_READS,
    .options = options,
    .settings_size = sizeof(struct settings_of_convert),
    .defaults = &defaults,
    .run = run,
};
