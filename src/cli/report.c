/* report.c: tacho report: what a run directory says, as a document; or the same of several platforms. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/memory.h"
#include "base/output.h"
#include "cli/terminal.h"
#include "cli/verbs.h"
#include "executorch/report.h"
#include "page/formats.h"

static struct given {
    const char *run_dir;
    const char *output;
    const char *title;
    const char *baseline;
    const char *candidate;
    const char *rules;
    const char *mac_dir;
    const char *android_dir;
    struct old_texts platforms;
    const char *model_name;
    bool by_module;
} settings;

static const struct old_option options[] = {
    { "run-dir", 0, OLD_OPTION_TEXT, &settings.run_dir, "DIR", "the run directory" },
    { "out", 'o', OLD_OPTION_TEXT, &settings.output, "FILE", ".md, .html or .json (default: DIR/report.md)" },
    { "title", 0, OLD_OPTION_TEXT, &settings.title, "TEXT", "title of the report" },
    { "baseline", 0, OLD_OPTION_TEXT, &settings.baseline, "NAME",
      "experiment to compare with (default: found by on and off)" },
    { "candidate", 0, OLD_OPTION_TEXT, &settings.candidate, "NAME", "experiment that is looked at" },
    { "by-module", 0, OLD_OPTION_FLAG, &settings.by_module, NULL, "group operators by the model's modules" },
    { "rules", 0, OLD_OPTION_TEXT, &settings.rules, "FILE", "rules for categories, tried before the built-in ones" },
    { "ticks", 0, OLD_OPTION_TEXT, &common.ticks, "UNIT", "of ETDumps: ns, us or cycles:MHZ (default ns)" },
    { "strict", 0, OLD_OPTION_FLAG, &common.strict, NULL, "the first row that cannot be used is an error" },
    { "mac-dir", 0, OLD_OPTION_TEXT, &settings.mac_dir, "DIR", "combined report: run directory of macOS" },
    { "android-dir", 0, OLD_OPTION_TEXT, &settings.android_dir, "DIR", "combined report: run directory of Android" },
    { "platform", 0, OLD_OPTION_LIST, &settings.platforms, "NAME=DIR...", "combined report: any other platform" },
    { "model-name", 0, OLD_OPTION_TEXT, &settings.model_name, "NAME", "combined report: name of the model" },
    { "quiet", 'q', OLD_OPTION_FLAG, &quiet, NULL, "no notes, no warnings on standard error" },
    { 0 },
};

/* ---- shared ------------------------------------------------------------------------------------------------------ */

static status choose_options(const struct category_rules *rules, struct inspection_options *wanted)
{
    *wanted = (struct inspection_options){
        .baseline = settings.baseline, .candidate = settings.candidate, .rules = rules, .strict = common.strict
    };
    if (common.ticks && !tick_rate_parse(common.ticks, &wanted->ticks))
        return status_fail(STATUS_USAGE, "--ticks wants ns, us or cycles:MHZ, not \"%s\"", common.ticks);
    return STATUS_OK;
}

static void print_notes(const struct rundir *rundir)
{
    for (size_t i = 0; i < rundir->note_count && !quiet; i++)
        fprintf(stderr, "tacho: note: %s\n", rundir->notes[i]);
}

/* Without the marks that a document would show as code. */
static void print_sentence(const char *sentence)
{
    for (; *sentence; sentence++)
        if (*sentence != '`')
            putchar(*sentence);
    putchar('\n');
}

static status write_document(struct document *document, const char *path, const char *sentence)
{
    status code = document_write(document, path);

    if (code != STATUS_OK || output_is_standard(path))
        return code;
    printf("%s\n", path);
    print_sentence(sentence);
    return fflush(stdout) == 0 && !ferror(stdout) ? STATUS_OK
                                                  : status_fail(STATUS_OUTPUT, "<stdout>: could not be written");
}

static struct report_options report_options(void)
{
    return (struct report_options){ .title = settings.title, .by_module = settings.by_module, .time = time(NULL) };
}

/* ---- one run directory ------------------------------------------------------------------------------------------- */

static status report_one(const struct inspection_options *wanted)
{
    struct report_options how = report_options();
    struct inspection inspection;
    struct document *document = NULL;
    char sentence[REPORT_SENTENCE], path[PATH_MAX];
    const char *output = settings.output ? settings.output : path;
    status code = settings.output ? document_check_path(settings.output) : STATUS_OK;

    if (code != STATUS_OK)
        return code;
    snprintf(path, sizeof path, "%s/report.md", settings.run_dir);
    code = inspection_open(&inspection, settings.run_dir, wanted);
    if (code == STATUS_OK)
        code = report_make(&inspection, &how, &document, sentence);
    if (code == STATUS_OK) {
        print_notes(&inspection.rundir);
        code = write_document(document, output, sentence);
    }
    document_free(document);
    inspection_free(&inspection);
    return code;
}

/* ---- several platforms ------------------------------------------------------------------------------------------- */

enum { MOST_PLATFORMS = MOST_TEXTS + 2 };

struct platforms {
    struct report_platform items[MOST_PLATFORMS];
    const char *paths[MOST_PLATFORMS];
    char names[MOST_PLATFORMS][128];
    struct inspection inspections[MOST_PLATFORMS];
    size_t count;
};

static void add_platform(struct platforms *platforms, const char *name, size_t length, const char *path)
{
    snprintf(platforms->names[platforms->count], sizeof platforms->names[0], "%.*s", (int)length, name);
    platforms->items[platforms->count].name = platforms->names[platforms->count];
    platforms->paths[platforms->count++] = path;
}

static status list_platforms(struct platforms *platforms)
{
    if (settings.mac_dir)
        add_platform(platforms, "macOS", strlen("macOS"), settings.mac_dir);
    if (settings.android_dir)
        add_platform(platforms, "Android", strlen("Android"), settings.android_dir);
    for (size_t i = 0; i < settings.platforms.count; i++) {
        const char *text = settings.platforms.items[i];
        const char *equals = strchr(text, '=');

        if (!equals || equals == text || !equals[1])
            return status_fail(STATUS_USAGE, "--platform wants NAME=DIR, not \"%s\"", text);
        add_platform(platforms, text, (size_t)(equals - text), equals + 1);
    }
    return STATUS_OK;
}

/* A platform whose folder holds nothing is left out with a warning, unless none is left. */
static status open_platforms(struct platforms *platforms, const struct inspection_options *wanted)
{
    size_t usable = 0;
    status code = STATUS_OK;

    for (size_t i = 0; i < platforms->count && code == STATUS_OK; i++) {
        code = inspection_open(&platforms->inspections[i], platforms->paths[i], wanted);
        if (code == STATUS_INPUT && !wanted->strict && (usable || i + 1 < platforms->count)) {
            if (!quiet)
                fprintf(stderr, "tacho: warning: %s is left out: %s\n", platforms->items[i].name, status_message());
            status_clear();
            code = STATUS_OK;
            continue;
        }
        if (code != STATUS_OK)
            continue;
        print_notes(&platforms->inspections[i].rundir);
        platforms->items[i].inspection = &platforms->inspections[i];
        usable++;
    }
    return code;
}

/* Beside the first folder. */
static void default_path(const char *folder, char *to, size_t size)
{
    char resolved[PATH_MAX];
    const char *slash;

    if (!realpath(folder, resolved))
        snprintf(resolved, sizeof resolved, "%s", folder);
    slash = strrchr(resolved, '/');
    snprintf(to, size, "%.*s/combined_report.md", slash ? (int)(slash - resolved) : 1, slash ? resolved : ".");
}

static status report_several(struct platforms *platforms, const struct inspection_options *wanted)
{
    struct report_options how = report_options();
    struct document *document = NULL;
    char sentence[REPORT_SENTENCE], path[PATH_MAX + 32];
    status code = settings.output ? document_check_path(settings.output) : STATUS_OK;

    if (code == STATUS_OK)
        code = list_platforms(platforms);
    if (code == STATUS_OK)
        code = open_platforms(platforms, wanted);
    if (code == STATUS_OK)
        code = report_combine(platforms->items, platforms->count, settings.model_name, &how, &document, sentence);
    if (code == STATUS_OK) {
        default_path(platforms->paths[0], path, sizeof path);
        code = write_document(document, settings.output ? settings.output : path, sentence);
    }
    document_free(document);
    for (size_t i = 0; i < platforms->count; i++)
        inspection_free(&platforms->inspections[i]);
    return code;
}

/* ---- run --------------------------------------------------------------------------------------------------------- */

static status report(const struct inspection_options *wanted)
{
    struct platforms *platforms;
    status code;

    if (settings.run_dir)
        return report_one(wanted);
    platforms = memory_allocate_clear(sizeof *platforms);
    if (!platforms)
        return status_no_memory("starting");
    code = report_several(platforms, wanted);
    memory_free(platforms);
    return code;
}

static status run(const struct old_texts *words)
{
    bool combined = settings.mac_dir || settings.android_dir || settings.platforms.count;
    struct inspection_options wanted;
    struct category_rules *rules;
    status code;

    if (words->count == 1 && !settings.run_dir && !combined)
        settings.run_dir = words->items[0];
    else if (words->count || combined == (settings.run_dir != NULL))
        return status_fail(
            STATUS_USAGE,
            "tacho report wants --run-dir DIR, or --mac-dir, --android-dir and --platform for a combined report");
    code = category_rules_given(settings.rules, &rules);
    if (code == STATUS_OK)
        code = choose_options(rules, &wanted);
    if (code == STATUS_OK)
        code = report(&wanted);
    category_rules_free(rules);
    return code;
}

const struct old_verb report_verb = {
    .name = "report",
    .summary = "write the report about a run directory: what is slow, why, what to do",
    .usage = "[options] --run-dir DIR | --mac-dir DIR --android-dir DIR",
    .options = options,
    .run = run,
};
