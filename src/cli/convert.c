/* convert.c: tacho convert: profiles to a trace file. */
#include <stdio.h>
#include <string.h>

#include "base/format.h"
#include "base/output.h"
#include "base/path.h"
#include "cli/terminal.h"
#include "cli/verbs.h"
#include "job/conversion.h"

static struct given {
    struct texts compile;
    struct texts runtime;
    const char *output;
    const char *pb;
    const char *to;
    struct conversion_options conversion;
} settings = { .conversion = { .arguments = true, .overview = true } };

static const struct option options[] = {
    { "output", 'o', OPTION_TEXT, &settings.output, "FILE", "trace to write; its suffix gives the format" },
    { "pb", 0, OPTION_TEXT, &settings.pb, "FILE", "the same, as Perfetto trace whatever the suffix" },
    { "to", 0, OPTION_TEXT, &settings.to, "perfetto|chrome|speedscope|slices",
      "format of the output, whatever its suffix" },
    { "compile_profile", 0, OPTION_LIST, &settings.compile, "FILE...", "compile timelines" },
    { "runtime_profile", 0, OPTION_LIST, &settings.runtime, "FILE...", "runtime logs" },
    { "no-args", 0, OPTION_CLEAR, &settings.conversion.arguments, NULL,
      "leave the arguments of slices and the flows out" },
    { "by-operator", 0, OPTION_FLAG, &settings.conversion.by_operator, NULL,
      "repeat the slices on a line per source operator" },
    { "counters", 0, OPTION_FLAG, &settings.conversion.counters, NULL, "add counters: bytes in flight, engines busy" },
    { "no-overview", 0, OPTION_CLEAR, &settings.conversion.overview, NULL,
      "leave the overview and the operator totals out" },
    { 0 },
};

/* By --pb, --to, the suffix; a device such as /dev/null has no suffix and gets a Perfetto trace. */
static status choose_format(const struct writer_format **format)
{
    if (settings.to) {
        *format = writer_named(settings.to);
        return *format ? STATUS_OK
                       : status_fail(STATUS_USAGE, "no trace format is called \"%s\"; see tacho formats", settings.to);
    }
    *format = settings.pb ? &perfetto_format : writer_for_path(settings.output);
    if (!*format && (strncmp(settings.output, "/dev/", 5) == 0 || strcmp(settings.output, "-") == 0))
        *format = &perfetto_format;
    return *format ? STATUS_OK
                   : status_fail(STATUS_USAGE,
                                 "%s: the suffix names no trace format; use .pb, .pftrace, .json, "
                                 ".speedscope.json or .csv, or --to",
                                 settings.output);
}

static status check_usage(const struct texts *words, struct texts *inputs, const struct writer_format **format)
{
    if (settings.compile.count + settings.runtime.count + words->count > MOST_TEXTS)
        return status_fail(STATUS_USAGE, "more than %d files", MOST_TEXTS);
    for (size_t i = 0; i < settings.compile.count; i++)
        inputs->items[inputs->count++] = settings.compile.items[i];
    for (size_t i = 0; i < settings.runtime.count; i++)
        inputs->items[inputs->count++] = settings.runtime.items[i];
    for (size_t i = 0; i < words->count; i++)
        inputs->items[inputs->count++] = words->items[i];
    if (!inputs->count)
        return status_fail(STATUS_USAGE, "tacho convert wants at least one input; see tacho convert --help");
    if (settings.pb && (settings.output || settings.to))
        return status_fail(STATUS_USAGE, "--pb says name and format of the output: give neither -o nor --to with it");
    settings.output = settings.pb ? settings.pb : settings.output;
    if (!settings.output)
        return status_fail(STATUS_USAGE, "tacho convert wants an output: -o out.pb");
    return choose_format(format);
}

static void say_done(const struct session *session, const struct writer_format *format,
                     const struct conversion_result *result)
{
    char slices[FORMAT_SIZE], size[FORMAT_SIZE], count[FORMAT_SIZE];

    for (size_t i = 0; i < session->profile_count; i++)
        report_profile(&session->profiles[i]);
    if (quiet || output_is_standard(settings.output))
        return;
    format_count(slices, result->slices);
    format_count(count, result->events);
    format_bytes(size, result->bytes);
    printf("%s: %s slices, %s events, %s%s (%s)\n", settings.output, slices, count, size,
           path_ends(settings.output, ".gz") || path_ends(settings.output, ".zst") ? " before compression" : "",
           format->title);
}

static status run(const struct texts *words)
{
    static struct texts inputs;
    const struct writer_format *format;
    struct conversion_result result;
    struct session session;
    status code = check_usage(words, &inputs, &format);

    if (code != STATUS_OK)
        return code;
    code = session_start(&session, &common);
    if (code == STATUS_OK)
        code = session_add_all(&session, inputs.items, inputs.count);
    if (code == STATUS_OK)
        code = conversion_write(&session, settings.output, format, &settings.conversion, &result);
    if (code == STATUS_OK)
        say_done(&session, format, &result);
    session_end(&session);
    return code;
}

status convert_to(const struct texts *inputs, const char *output)
{
    settings.output = output;
    return run(inputs);
}

const struct verb convert_verb = {
    .name = "convert",
    .summary = "make a trace file (Perfetto, Chrome, speedscope, CSV of slices)",
    .usage = "[options] INPUT... -o OUTPUT",
    .options = options,
    .more = common_options,
    .run = run,
};
