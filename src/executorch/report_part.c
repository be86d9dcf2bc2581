/* report_part.c: what tacho report does with run directories: one, or those of several platforms side by side. */
#include <assert.h>
#include <string.h>
#include <time.h>

#include "base/memory.h"
#include "base/path.h"
#include "executorch/chain.h"
#include "executorch/report.h"
#include "job/report.h"

struct settings_of_report {
    const char *run_dir;     /* of a report about one */
    const char *baseline;    /* experiment; NULL: found */
    const char *candidate;   /* the same */
    const char *rules;       /* file with rules for categories; NULL: none */
    bool different_models;   /* experiments need not be of one model */
    const char *mac_dir;     /* of a combined report; NULL: none */
    const char *android_dir; /* the same */
    struct texts platforms;  /* NAME=DIR of others */
    const char *model_name;  /* of a combined report; NULL: found */
    bool by_module;          /* operators are grouped by module */
};

static const struct option options[] = {
    { "run-dir", 0, OPTION_TEXT, offsetof(struct settings_of_report, run_dir), "DIR", "the run directory" },
    { "baseline", 0, OPTION_TEXT, offsetof(struct settings_of_report, baseline), "NAME",
      "experiment to compare with (default: found by on and off)" },
    { "candidate", 0, OPTION_TEXT, offsetof(struct settings_of_report, candidate), "NAME",
      "experiment that is looked at" },
    { "by-module", 0, OPTION_FLAG, offsetof(struct settings_of_report, by_module), NULL,
      "group operators by the model's modules" },
    { "rules", 0, OPTION_TEXT, offsetof(struct settings_of_report, rules), "FILE",
      "rules for categories, tried before the built-in ones" },
    { "different-models", 0, OPTION_FLAG, offsetof(struct settings_of_report, different_models), NULL,
      "compare experiments of different models" },
    { "mac-dir", 0, OPTION_TEXT, offsetof(struct settings_of_report, mac_dir), "DIR",
      "combined report: run directory of macOS" },
    { "android-dir", 0, OPTION_TEXT, offsetof(struct settings_of_report, android_dir), "DIR",
      "combined report: run directory of Android" },
    { "platform", 0, OPTION_LIST, offsetof(struct settings_of_report, platforms), "NAME=DIR...",
      "combined report: any other platform" },
    { "model-name", 0, OPTION_TEXT, offsetof(struct settings_of_report, model_name), "NAME",
      "combined report: name of the model" },
    { 0 },
};

static void note_all(struct job *job, const struct rundir *rundir)
{
    for (size_t i = 0; i < rundir->note_count; i++)
        job_note(job, NOTE_PLAIN, NULL, "note: %s", rundir->notes[i]);
}

/* The name of the file, and the sentence. */
static void write_told(struct output *output, const void *data, const struct printer_style *style)
{
    (void)style;
    output_format(output, "%s\n", (const char *)data);
}

/* Without the marks that a document shows as code. */
static void cut_marks(char *sentence)
{
    char *to = sentence;

    for (const char *from = sentence; *from; from++)
        if (*from != '`')
            *to++ = *from;
    *to = '\0';
}

/* Writes the document, unless standard output is to have it, or only JSON is wanted; hands it over to the job in any case. */
static status hand_over(struct job *job, struct document *document, const char *path, char *sentence)
{
    const struct report_settings *settings = job->settings;
    bool printed = output_is_standard(path), written = !printed && (settings->out || !job->json);
    struct path told = { .text = NULL };
    status code = written ? document_write(document, path) : STATUS_OK;

    if (code != STATUS_OK) {
        document_free(document);
        return code;
    }
    code = job_document(job, "report", document);
    if (code != STATUS_OK || !written)
        return code;
    cut_marks(sentence);
    code = path_set(&told, "%s\n%s", path, sentence);
    return code == STATUS_OK ? job_block(job, "written", write_told, told.text, memory_free) : code;
}

/* ---- one run directory ------------------------------------------------------------------------------------------- */

static status report_one(struct job *job, const struct settings_of_report *own, const char *run_dir,
                         const struct inspection_options *wanted)
{
    const struct report_settings *settings = job->settings;
    struct report_options how = { .title = settings->title, .by_module = own->by_module, .time = time(NULL) };
    struct inspection inspection;
    struct document *document = NULL;
    char sentence[REPORT_SENTENCE];
    struct path path = { .text = NULL };
    status code = path_set(&path, "%s/report.md", run_dir);

    if (code != STATUS_OK)
        return code;
    code = inspection_open(&inspection, run_dir, wanted);
    if (code == STATUS_OK)
        code = report_make(&inspection, &how, &document, sentence);
    if (code == STATUS_OK) {
        note_all(job, &inspection.rundir);
        code = hand_over(job, document, settings->out ? settings->out : path.text, sentence);
    }
    path_free(&path);
    inspection_free(&inspection);
    return code;
}

/* ---- several platforms ------------------------------------------------------------------------------------------- */

struct platforms {
    struct report_platform *items;  /* what the report is made of */
    const char **paths;             /* of their folders, borrowed */
    struct inspection *inspections; /* what lies there */
    size_t count;                   /* of all three */
    struct arena arena;             /* holds the names */
};

static status add_platform(struct platforms *platforms, struct text name, const char *path)
{
    struct report_platform *item = &platforms->items[platforms->count];

    item->name = arena_copy(&platforms->arena, name.data, name.length);
    platforms->paths[platforms->count++] = path;
    return item->name ? STATUS_OK : status_no_memory("starting");
}

static status list_platforms(struct platforms *platforms, const struct settings_of_report *settings)
{
    status code = STATUS_OK;

    if (settings->mac_dir)
        code = add_platform(platforms, text_of("macOS"), settings->mac_dir);
    if (settings->android_dir && code == STATUS_OK)
        code = add_platform(platforms, text_of("Android"), settings->android_dir);
    for (size_t i = 0; i < settings->platforms.count && code == STATUS_OK; i++) {
        struct text rest = text_of(settings->platforms.items[i]), name = text_take(&rest, '=');

        if (!rest.length || !name.length)
            return status_fail(STATUS_USAGE, "--platform wants NAME=DIR, not \"%s\"", settings->platforms.items[i]);
        code = add_platform(platforms, name, rest.data);
    }
    return code;
}

/* A platform whose folder holds nothing is left out with a warning, unless none is left. */
static status open_platforms(struct job *job, struct platforms *platforms, const struct inspection_options *wanted)
{
    size_t usable = 0;
    status code = STATUS_OK;

    for (size_t i = 0; i < platforms->count && code == STATUS_OK; i++) {
        code = inspection_open(&platforms->inspections[i], platforms->paths[i], wanted);
        if (code == STATUS_INPUT && !wanted->strict && (usable || i + 1 < platforms->count)) {
            job_note(job, NOTE_WARNING, NULL, "%s is left out: %s", platforms->items[i].name, status_message());
            status_clear();
            code = STATUS_OK;
            continue;
        }
        if (code != STATUS_OK)
            continue;
        note_all(job, &platforms->inspections[i].rundir);
        platforms->items[i].inspection = &platforms->inspections[i];
        usable++;
    }
    return code;
}

/* Beside the first folder. */
static status default_path(struct path *path, const char *folder)
{
    struct path resolved = { .text = NULL };
    status code = path_resolve(&resolved, folder);
    struct text above;

    if (code == STATUS_INPUT)
        code = path_set(&resolved, "%s", folder);
    if (code == STATUS_OK) {
        above = path_folder(resolved.text);
        path_set(path, "%.*s", above.length ? (int)above.length : 1, above.length ? above.data : ".");
        code = path_add(path, "combined_report.md");
    }
    path_free(&resolved);
    return code;
}

static status combine(struct job *job, const struct settings_of_report *own, struct platforms *platforms,
                      const struct inspection_options *wanted)
{
    const struct report_settings *settings = job->settings;
    struct report_options how = { .title = settings->title, .by_module = own->by_module, .time = time(NULL) };
    struct document *document = NULL;
    struct path path = { .text = NULL };
    char sentence[REPORT_SENTENCE];
    status code = list_platforms(platforms, own);

    if (code == STATUS_OK)
        code = open_platforms(job, platforms, wanted);
    if (code == STATUS_OK)
        code = report_combine(platforms->items, platforms->count, own->model_name, &how, &document, sentence);
    if (code == STATUS_OK)
        code = default_path(&path, platforms->paths[0]);
    if (code == STATUS_OK)
        code = hand_over(job, document, settings->out ? settings->out : path.text, sentence);
    else
        document_free(document);
    path_free(&path);
    return code;
}

static status report_several(struct job *job, const struct settings_of_report *own,
                             const struct inspection_options *wanted)
{
    size_t most = own->platforms.count + 2;
    struct platforms platforms = { .items = memory_allocate_clear(most * sizeof *platforms.items),
                                   .paths = memory_allocate_clear(most * sizeof *platforms.paths),
                                   .inspections = memory_allocate_clear(most * sizeof *platforms.inspections),
                                   .arena = ARENA_EMPTY };
    bool complete = platforms.items && platforms.paths && platforms.inspections;
    status code = complete ? combine(job, own, &platforms, wanted) : status_no_memory("starting");

    for (size_t i = 0; i < platforms.count; i++)
        inspection_free(&platforms.inspections[i]);
    memory_free(platforms.items);
    memory_free(platforms.paths);
    memory_free(platforms.inspections);
    arena_free(&platforms.arena);
    return code;
}

/* ---- run --------------------------------------------------------------------------------------------------------- */

static status run(struct job *job, const void *settings)
{
    const struct settings_of_report *own = settings;
    bool combined = own->mac_dir || own->android_dir || own->platforms.count;
    const char *run_dir = own->run_dir, *ticks = job->reading.ticks;
    struct inspection_options wanted = { .baseline = own->baseline,
                                         .candidate = own->candidate,
                                         .strict = job->reading.strict,
                                         .force_companion = job->reading.force_companion,
                                         .different_models = own->different_models };
    struct category_rules *rules = NULL;
    int64_t warmup;
    status code = warmup_parse(job->warmup, &warmup);

    if (job->warmup)
        wanted.warmup = &warmup;
    if (code == STATUS_OK && job->runs)
        code = status_fail(STATUS_USAGE, "--runs is about a profile: the runs of a run directory are its inferences");
    if (code != STATUS_OK)
        return code;

    if (job->inputs.count == 1 && !run_dir && !combined)
        run_dir = job->inputs.items[0];
    else if (job->inputs.count || combined == (run_dir != NULL))
        return status_fail(
            STATUS_USAGE,
            "tacho report wants --run-dir DIR, or --mac-dir, --android-dir and --platform for a combined report");
    if (ticks && !tick_rate_parse(ticks, &wanted.ticks))
        code = status_fail(STATUS_USAGE, "--ticks wants ns, us or cycles:MHZ, not \"%s\"", ticks);
    if (code == STATUS_OK)
        code = category_rules_given(own->rules, &rules);
    wanted.rules = rules;
    if (code == STATUS_OK)
        code = run_dir ? report_one(job, own, run_dir, &wanted) : report_several(job, own, &wanted);
    category_rules_free(rules);
    return code;
}

/* Folders that no reader knows. */
static bool accepts(const struct reader *reader)
{
    return !reader;
}

const struct verb_part executorch_report_part = {
    .verb = "report",
    .options = options,
    .settings_size = sizeof(struct settings_of_report),
    .accepts = accepts,
    .reads = PART_TICKS,
    .about = "run directories",
    .run = run,
};
