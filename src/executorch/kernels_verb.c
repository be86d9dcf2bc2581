/* kernels_verb.c: tacho kernels: which microkernels an XNNPACK log names, which of them stood and which ran. */
#include <string.h>

#include "executorch/chain.h"
#include "executorch/load.h"
#include "executorch/operators_tables.h"
#include "executorch/original/kernel_files.h"
#include "job/job.h"
#include "job/table_file.h"

struct settings_of_kernels {
    const char *log;           /* one log */
    const char *on;            /* two logs */
    const char *off;           /* the second */
    const char *on_name;       /* of the first */
    const char *off_name;      /* of the second */
    const char *etdump;        /* what ran, with times */
    const char *output;        /* file; NULL: none */
    const char *title;         /* of the comparison */
    const char *filter;        /* kernels whose name holds it; NULL: all */
    const char *model_id;      /* first column; NULL: the file's name */
    bool extra;                /* more than the original writes */
    struct load_settings load; /* how files are read */
};

static const struct settings_of_kernels defaults = {
    .on_name = "SME2-On", .off_name = "SME2-Off", .title = "Kernel view (XNNPACK Delegated):", .extra = true
};

#define AT(member) offsetof(struct settings_of_kernels, member)

static const struct option options[] = {
    { "xnntrace-log", 0, OPTION_TEXT, AT(log), "FILE", "log of XNNPACK, or a kernels.csv" },
    { "xnntrace", 0, OPTION_TEXT, AT(log), "FILE", "the same" },
    { "sme2-on-kernels", 0, OPTION_TEXT, AT(on), "FILE", "kernels.csv or log of the first build" },
    { "sme2-on", 0, OPTION_TEXT, AT(on), "FILE", "the same" },
    { "sme2-off-kernels", 0, OPTION_TEXT, AT(off), "FILE", "kernels.csv or log of the second build" },
    { "sme2-off", 0, OPTION_TEXT, AT(off), "FILE", "the same" },
    { "name1", 0, OPTION_TEXT, AT(on_name), "NAME", "of the first build (default SME2-On)" },
    { "name2", 0, OPTION_TEXT, AT(off_name), "NAME", "of the second build (default SME2-Off)" },
    { "etdump", 0, OPTION_TEXT, AT(etdump), "FILE", "what ran, operator by operator, with its rate" },
    { "out", 'o', OPTION_TEXT, AT(output), "FILE", "kernels.csv, or the comparison as .md" },
    { "title", 0, OPTION_TEXT, AT(title), "TEXT", "of the comparison" },
    { "filter-op", 0, OPTION_TEXT, AT(filter), "TEXT", "only kernels whose name holds TEXT" },
    { "model-id", 0, OPTION_TEXT, AT(model_id), "NAME", "first column (default: the file's name)" },
    { "no-extra", 0, OPTION_CLEAR, AT(extra), NULL, "only what the original writes" },
    LOAD_ETRECORD(struct settings_of_kernels, load),
    LOAD_OPTIONS(struct settings_of_kernels, load),
    { 0 },
};

static const struct settings_of_kernels *settings_of(const struct job *job)
{
    return job->settings;
}

/* Whether the output is the original's file: standard output, or a file with this suffix, and no view is asked for. */
static bool wants_original(const struct job *job, const char *suffix)
{
    const char *output = settings_of(job)->output;

    return output && !view_is_asked(&job->view) && (strcmp(output, "-") == 0 || path_ends(output, suffix));
}

/* A table to the file that was named, or as a product. Takes it over. */
static status give_table(struct job *job, struct table *table)
{
    const char *output = settings_of(job)->output;
    char subject[JOB_SUBJECT];
    status code;

    if (!output || strcmp(output, "-") == 0)
        return job_table(job, table);
    job_subject(job, subject, sizeof subject);
    code = table_to_file(table, output, subject, NULL, NULL);
    table_free(table);
    return code;
}

/* What `write` makes of the data: into the file that was named, or as a block for standard output. */
static status give_text(struct job *job, const void *data,
                        status (*write)(const struct job *job, const void *data, struct output *output))
{
    const char *path = settings_of(job)->output;
    bool standard = strcmp(path, "-") == 0;
    struct output *output;
    status code = standard ? output_open_memory(&output) : output_open(path, &output);

    if (code != STATUS_OK)
        return code;
    code = write(job, data, output);
    if (!standard)
        return output_finish(output, code);
    if (code != STATUS_OK) {
        output_abandon(output);
        return code;
    }
    code = job_text(job, "kernels", output);
    if (code == STATUS_OK)
        job_last(job)->steers = STEERS_ALL;
    return code;
}

/* ---- One log ---- */

static status write_csv(const struct job *job, const void *data, struct output *output)
{
    const struct settings_of_kernels *settings = settings_of(job);
    struct text stem = path_stem(settings->log);
    struct path model = { 0 };
    status code;

    if (stem.length > strlen("_xnntrace"))
        (void)text_cut_end(&stem, "_xnntrace");
    code = path_set(&model, "%.*s", (int)stem.length, stem.data);
    if (code == STATUS_OK)
        code = kernels_csv(data, settings->model_id ? settings->model_id : model.text, settings->extra, output);
    path_free(&model);
    return code;
}

static status add_counts(struct job *job, const struct kernel_log *log)
{
    struct kernel_counts counts = kernel_count(log);
    struct output *output;
    status code = output_open_memory(&output);

    if (code != STATUS_OK)
        return code;
    output_format(output, "%u kernels: %u replaced by a later one, %u seen to run; %u for SME, %u for SME2\n",
                  counts.kernels, counts.replaced, counts.ran, counts.sme, counts.sme2);
    if (!log->has_execution && counts.kernels)
        output_format(output, "What ran is not in the log: XNN_LOG_LEVEL=5 shows it.\n");
    code = job_text(job, "counts", output);
    if (code == STATUS_OK)
        job_last(job)->close = true;
    return code;
}

static status one_log(struct job *job, struct strings *strings)
{
    const struct settings_of_kernels *settings = settings_of(job);
    struct kernel_log log;
    struct table *table;
    status code = load_kernels_of(job, settings->log, settings->load.strict, strings, &log);

    if (code == STATUS_OK && wants_original(job, ".csv")) {
        code = give_text(job, &log, write_csv);
        if (code == STATUS_OK && !output_is_standard(settings->output))
            code = add_counts(job, &log);
    } else if (code == STATUS_OK) {
        code = kernels_table(&log, &job->view, &table);
        if (code == STATUS_OK)
            code = give_table(job, table);
        if (code == STATUS_OK && !settings->output && !view_is_asked(&job->view))
            code = add_counts(job, &log);
    }
    kernel_log_free(&log);
    return code;
}

/* ---- Two logs ---- */

static status write_view(const struct job *job, const void *data, struct output *output)
{
    (void)job;
    return kernel_view_markdown(data, output);
}

static status two_logs(struct job *job, struct strings *strings)
{
    const struct settings_of_kernels *settings = settings_of(job);
    struct kernel_log on, off;
    struct kernel_view view = {
        .on = &on,
        .off = &off,
        .on_name = settings->on_name,
        .off_name = settings->off_name,
        .title = settings->title,
        .filter = settings->filter,
        .evidence = settings->extra,
    };
    struct table *table;
    status code = load_kernels_of(job, settings->on, settings->load.strict, strings, &on);

    if (code == STATUS_OK)
        code = load_kernels_of(job, settings->off, settings->load.strict, strings, &off);
    else
        kernel_log_start(&off, strings);
    if (code == STATUS_OK && wants_original(job, ".md")) {
        code = give_text(job, &view, write_view);
        if (code == STATUS_OK && !output_is_standard(settings->output))
            code = job_say(job, "%s", settings->output);
    } else if (code == STATUS_OK) {
        code = kernel_view_table(&view, &job->view, &table);
        if (code == STATUS_OK)
            code = give_table(job, table);
    }
    kernel_log_free(&on);
    kernel_log_free(&off);
    return code;
}

/* ---- A log and a dump ---- */

/* What ran: the log's tiles beside the dump's times and the record's shapes. */
static status add_times(struct job *job, struct operators *side, const struct kernel_log *log)
{
    const struct settings_of_kernels *settings = settings_of(job);
    struct table *table;
    status code;

    if (!load_tie_kernels(job, settings->log, side, log))
        return status_fail_at(STATUS_INPUT, (struct place){ settings->log, 0, 0 },
                              "none of its operators is in the dump: is it the log of the same model, at level 5?");
    code = settings->output && !view_is_asked(&job->view) ? operators_map_table(side, log, &table)
                                                          : operators_kernel_table(side, log, &job->view, &table);
    return code == STATUS_OK ? give_table(job, table) : code;
}

static status with_times(struct job *job, struct strings *strings)
{
    const struct settings_of_kernels *settings = settings_of(job);
    struct load_options load;
    struct loaded loaded;
    struct execution execution;
    struct kernel_log log;
    struct operators side;
    status code = load_options_of(&settings->load, &load);

    operators_start(&side, strings);
    kernel_log_start(&log, strings);
    if (code == STATUS_OK)
        code = load_kernels_of(job, settings->log, settings->load.strict, strings, &log);
    if (code == STATUS_OK) {
        code = load_execution(settings->etdump, &load, strings, &execution, &loaded);
        if (code == STATUS_OK)
            code = operators_add(&side, settings->etdump, &execution, loaded.has_graph ? &loaded.graph : NULL, NULL);
        if (code == STATUS_OK)
            code = add_times(job, &side, &log);
        execution_free(&execution);
        loaded_free(&loaded);
    }
    operators_free(&side);
    kernel_log_free(&log);
    return code;
}

/* ---- Run ---- */

static status check_usage(struct job *job)
{
    struct settings_of_kernels *settings = job->settings;
    const char *const inputs[] = { settings->log       ? settings->log
                                   : job->inputs.count ? job->inputs.items[0]
                                                       : NULL,
                                   settings->on, settings->off, settings->etdump, settings->load.etrecord };

    if (!settings->log && job->inputs.count == 1)
        settings->log = job->inputs.items[0];
    else if (job->inputs.count)
        return status_fail(STATUS_USAGE,
                           "tacho kernels takes one log; two are compared by --sme2-on-kernels and --sme2-off-kernels");
    if ((settings->on == NULL) != (settings->off == NULL) || (settings->on != NULL) == (settings->log != NULL))
        return status_fail(STATUS_USAGE,
                           "tacho kernels wants --xnntrace-log, or --sme2-on-kernels and --sme2-off-kernels");
    if (settings->etdump && !settings->log)
        return status_fail(STATUS_USAGE, "--etdump goes with --xnntrace-log");
    return output_check_inputs(settings->output, inputs, sizeof inputs / sizeof *inputs);
}

static status run(struct job *job)
{
    const struct settings_of_kernels *settings = settings_of(job);
    struct strings *strings;
    status code = check_usage(job);

    if (code != STATUS_OK)
        return code;
    strings = strings_new();
    if (!strings)
        return status_no_memory("reading kernels");
    code = settings->on ? two_logs(job, strings) : settings->etdump ? with_times(job, strings) : one_log(job, strings);
    strings_free(strings);
    return code;
}

static const struct verb_table tables[] = {
    { .name = "kernels", .description = "a row per kernel of a log or of two, or per operator that ran with --etdump" },
    { 0 },
};

const struct verb kernels_verb = {
    .name = "kernels",
    .summary = "show which microkernels a log of XNNPACK names and which ran",
    .usage = "[options] --xnntrace-log LOG | --sme2-on-kernels A --sme2-off-kernels B",
    .takes = VERB_VIEWS | VERB_JSON,
    .options = options,
    .settings_size = sizeof(struct settings_of_kernels),
    .defaults = &defaults,
    .tables = tables,
    .refuses = load_refuses_kernels,
    .run = run,
};
