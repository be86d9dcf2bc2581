/* operators_part.c: tacho operators for inferences of ExecuTorch: what each operator of a model costs, and the same in two builds. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "executorch/chain.h"
#include "executorch/launches_check.h"
#include "executorch/load.h"
#include "executorch/original/operator_files.h"
#include "executorch/same_model.h"
#include "job/job.h"

struct settings_of_operators {
    struct texts timeline, compare, baseline; /* files of the sides, or a label */
    const char *name1, *name2;                /* labels */
    const char *output_dir;                   /* of the original's files; NULL: none */
    const char *model_name;                   /* in file names; NULL: the file's */
    const char *rules;                        /* file of rules for categories */
    const char *xnntrace;                     /* log of the kernels that ran */
    bool verbose;                             /* all operators */
    bool different_models;                    /* files of different models are averaged or compared */
};

#define AT(member) offsetof(struct settings_of_operators, member)

static const struct option options[] = {
    { "timeline-csv", 0, OPTION_LIST, AT(timeline), "FILE...", "timelines or ETDumps: launches of one build" },
    { "compare", 0, OPTION_LIST, AT(compare), "FILE...", "the other build: the baseline" },
    { "baseline", 0, OPTION_LIST, AT(baseline), "FILE...", "which files are the baseline (or their label)" },
    { "name1", 0, OPTION_TEXT, AT(name1), "NAME", "label of --timeline-csv (default: Config 1)" },
    { "name2", 0, OPTION_TEXT, AT(name2), "NAME", "label of --compare (default: Config 2)" },
    { "output-dir", 0, OPTION_TEXT, AT(output_dir), "DIR", "write CSV files and operator_analysis.json there" },
    { "model-name", 0, OPTION_TEXT, AT(model_name), "NAME", "in file names (default: the file's model_id)" },
    { "rules", 0, OPTION_TEXT, AT(rules), "FILE", "rules for categories, tried before the built-in ones" },
    { "xnntrace-log", 0, OPTION_TEXT, AT(xnntrace), "FILE", "XNNPACK log at level 5: kernels that ran" },
    { "verbose", 'v', OPTION_FLAG, AT(verbose), NULL, "show all operators, not only those over 5 %" },
    { "different-models", 0, OPTION_FLAG, AT(different_models), NULL, "average or compare files of different models" },
    { 0 },
};

/* One build: its files, loaded and added up. */
struct side {
    const struct texts *paths; /* of its launches; NULL: there is no such side */
    struct operators sums;     /* over them, of runs that count */
    struct operators all;      /* of all runs, for the original's files */
    struct loaded *loaded;     /* by path: graphs that the sums point into */
    size_t loaded_count;       /* of these */
    char model[256];           /* as file names have it */
    const char *label;         /* for people; NULL: the model's name */
};

/* All that the products point into; it lives as long as they do. */
struct work {
    struct job *job;                              /* borrowed */
    const struct settings_of_operators *settings; /* of the job */
    struct strings *strings;                      /* pool of all texts */
    struct category_rules *rules;                 /* the user's; NULL: none */
    struct kernel_log log;                        /* of the first side */
    bool has_log;                                 /* it was given */
    struct load_options load;                     /* as the options say */
    struct same_model model;                      /* of all files */
    struct side first, second;                    /* the second has no paths without a comparison */
    struct operators_pair pair;                   /* both of them */
    struct operators_pair pair_of_all;            /* the same with their warm-up */
};

static const struct side *side_of(const struct work *work, bool baseline)
{
    return baseline == work->pair.first_is_baseline ? &work->first : &work->second;
}

static bool compares(const struct work *work)
{
    return work->second.paths != NULL;
}

/* ---- Options ------------------------------------------------------------------------------------------------------- */

static bool same_texts(const struct texts *one, const struct texts *other)
{
    if (one->count != other->count)
        return false;
    for (size_t i = 0; i < one->count; i++)
        if (strcmp(one->items[i], other->items[i]) != 0)
            return false;
    return true;
}

static bool is_label(const struct texts *texts, const char *label)
{
    return label && texts->count == 1 && strcmp(texts->items[0], label) == 0;
}

/* --compare is the baseline unless --baseline says otherwise: that names one of the two, by label or files, or is the second. */
static status choose_sides(struct work *work)
{
    const struct settings_of_operators *settings = work->settings;
    const struct texts *words = &work->job->inputs;

    if (settings->timeline.count && words->count)
        return status_fail(STATUS_USAGE, "give the files either alone or by --timeline-csv");
    work->first.paths = words->count ? words : &settings->timeline;
    if (!work->first.paths->count)
        return status_fail(STATUS_USAGE, "tacho operators wants a timeline or an ETDump; see tacho operators --help");
    if (settings->compare.count)
        work->second.paths = &settings->compare;
    if (!settings->baseline.count)
        return STATUS_OK;
    if (compares(work) &&
        (is_label(&settings->baseline, settings->name1) || same_texts(&settings->baseline, work->first.paths)))
        work->pair.first_is_baseline = true;
    else if (!compares(work))
        work->second.paths = &settings->baseline;
    else if (!is_label(&settings->baseline, settings->name2) && !same_texts(&settings->baseline, work->second.paths))
        return status_fail(STATUS_USAGE,
                           "--baseline is neither one of the labels nor the files of --timeline-csv or --compare");
    return STATUS_OK;
}

/* ---- Names that contradict the files ------------------------------------------------------------------------------- */

/* What the file's own name says, or the folder that it lies in: 1 on, -1 off, 0 neither. */
static int switch_of_path(const char *path)
{
    int own = switch_named(text_of(path_name(path)));
    struct text folder = path_folder(path);
    const char *slash = text_last(folder, '/');

    return own ? own : switch_named(slash ? text_between(slash + 1, folder.data + folder.length) : folder);
}

static bool contradicts(const char *label, int known)
{
    int said = label ? switch_named(text_of(label)) : 0;

    return said && known && said != known;
}

/* Labels follow the files: where both are the wrong way round they change places, a single wrong one gives way to the model's
 * name. */
static void choose_labels(struct work *work)
{
    const struct settings_of_operators *settings = work->settings;
    int first, second;
    bool first_wrong, second_wrong;

    work->first.label = settings->name1;
    work->second.label = settings->name2;
    if (compares(work)) {
        work->first.label = settings->name1 ? settings->name1 : "Config 1";
        work->second.label = settings->name2 ? settings->name2 : "Config 2";
        first = switch_of_path(work->first.paths->items[0]);
        second = switch_of_path(work->second.paths->items[0]);
        first_wrong = contradicts(settings->name1, first) && first != second;
        second_wrong = contradicts(settings->name2, second) && first != second;
        if (first_wrong && second_wrong) {
            job_note(work->job, NOTE_WARNING, NULL,
                     "--name1 and --name2 contradict the files and change places: %s is --timeline-csv",
                     settings->name2);
            work->first.label = settings->name2;
            work->second.label = settings->name1;
        } else if (first_wrong || second_wrong) {
            struct side *wrong = first_wrong ? &work->first : &work->second;

            job_note(work->job, NOTE_WARNING, NULL, "--name%d contradicts the file, which is shown by its own name: %s",
                     first_wrong ? 1 : 2, wrong->paths->items[0]);
            wrong->label = wrong->model;
        }
    }
    work->pair.first_label = work->first.label;
    work->pair.second_label = work->second.label;
}

/* X_run0_timeline.csv holds one run of many. */
static void warn_of_single_run(struct job *job, const char *path)
{
    const char *at = strstr(path_name(path), "_run");
    const char *digits = at ? at + strlen("_run") : NULL;

    if (!digits || !isdigit((unsigned char)*digits))
        return;
    while (isdigit((unsigned char)*digits))
        digits++;
    if (strncmp(digits, "_timeline", strlen("_timeline")) == 0)
        job_note(job, NOTE_WARNING, path,
                 "this file holds one run; the one that ends in _all_runs_timeline.csv has all of them");
}

/* ---- Loading ------------------------------------------------------------------------------------------------------- */

static void name_model(struct side *side, const char *path, const struct execution *execution)
{
    if (execution->model)
        snprintf(side->model, sizeof side->model, "%s", strings_text(execution->strings, execution->model));
    else
        text_copy(side->model, sizeof side->model, path_stem(path));
    for (char *at = side->model; *at; at++)
        if (*at == '/' || iscntrl((unsigned char)*at))
            *at = '_';
}

static status add_launch(struct work *work, struct side *side, const char *path)
{
    const struct loaded *loaded = &side->loaded[side->loaded_count];
    struct execution execution;
    const struct graph *graph;
    status code =
        load_next_launch(side->loaded, &side->loaded_count, path, work->load, work->strings, &execution, &graph);

    if (code == STATUS_OK) {
        job_note_losses(work->job, path, &execution.losses, loaded->notes, loaded->note_count);
        warn_of_single_run(work->job, path);
        if (execution.no_clock)
            job_note(work->job, NOTE_WARNING, path,
                     "all its stamps are equal: the machine had no clock, and no time can be told");
        if (!side->model[0])
            name_model(side, path, &execution);
        code = operators_add(&side->sums, path, &execution, graph, work->rules);
        if (code == STATUS_OK && work->settings->output_dir)
            code = operators_add(&side->all, path, &execution, graph, work->rules);
    }
    execution_free(&execution);
    return code;
}

static status load_side(struct work *work, struct side *side)
{
    status code = STATUS_OK;

    if (!side->paths)
        return STATUS_OK;
    side->loaded = memory_allocate_clear(side->paths->count * sizeof *side->loaded);
    if (!side->loaded)
        return status_no_memory("loading");
    for (size_t i = 0; i < side->paths->count && code == STATUS_OK; i++)
        code = add_launch(work, side, side->paths->items[i]);
    return code;
}

static status load_log(struct work *work)
{
    const char *path = work->settings->xnntrace;
    status code;

    if (!path)
        return STATUS_OK;
    work->has_log = true;
    code = load_kernels_of(work->job, path, work->job->reading.strict, work->strings, &work->log);
    if (code == STATUS_OK && !load_tie_kernels(work->job, path, &work->first.sums, &work->log))
        job_note(work->job, NOTE_WARNING, path, "%s",
                 work->log.has_execution ? "its operators are not those of the dump"
                                         : "it does not tell what ran (a log of level 5 does)");
    return code;
}

static status load_all(struct work *work)
{
    const struct load_settings reading = { .etrecord = settings_get(&work->job->reading.settings, "etrecord"),
                                           .ticks = work->job->reading.ticks,
                                           .format = work->job->reading.format,
                                           .strict = work->job->reading.strict,
                                           .force_companion = work->job->reading.force_companion };
    int64_t warmup;
    status code = load_options_of(&reading, &work->load);

    if (code == STATUS_OK)
        code = warmup_parse(work->job->warmup, &warmup);
    if (code != STATUS_OK)
        return code;
    work->load.model = work->settings->different_models ? NULL : &work->model;
    work->first.sums.warmup = work->second.sums.warmup = warmup;
    if (code == STATUS_OK)
        code = category_rules_given(work->settings->rules, &work->rules);
    if (code == STATUS_OK)
        code = load_side(work, &work->first);
    if (code == STATUS_OK)
        code = load_side(work, &work->second);
    if (code == STATUS_OK)
        code = load_log(work);
    if (code != STATUS_OK)
        return code;
    if (work->settings->model_name)
        snprintf(work->first.model, sizeof work->first.model, "%s", work->settings->model_name);
    /* Their files lie in one folder. */
    if (compares(work) && strcmp(work->first.model, work->second.model) == 0)
        strncat(work->second.model, "_2", sizeof work->second.model - strlen(work->second.model) - 1);
    choose_labels(work);
    work->pair.first = &work->first.sums;
    work->pair.second = &work->second.sums;
    work->pair_of_all = work->pair; /* with its labels; nothing is matched yet */
    work->pair_of_all.first = &work->first.all;
    work->pair_of_all.second = &work->second.all;
    code = compares(work) ? operators_pair_match(&work->pair) : STATUS_OK;
    return code == STATUS_OK && compares(work) && work->settings->output_dir ? operators_pair_match(&work->pair_of_all)
                                                                             : code;
}

/* ---- Outputs ------------------------------------------------------------------------------------------------------- */

/* `all`: with the warm-up, as the original's files have it. */
static struct operators_document document_of(const struct work *work, const struct side *side, bool all)
{
    return (struct operators_document){
        .side = all ? &side->all : &side->sums,
        .model = side->model,
        .label = side->label,
        .paths = side->paths->items,
        .path_count = side->paths->count,
        .log = work->has_log && side == &work->first ? &work->log : NULL,
    };
}

static void write_document(struct output *output, const struct work *work, bool all)
{
    struct operators_document first = document_of(work, &work->first, all), second = { 0 };
    const struct operators_pair *pair = all ? &work->pair_of_all : &work->pair;

    if (compares(work))
        second = document_of(work, &work->second, all);
    operator_json_write(output, &first, compares(work) ? &second : NULL, compares(work) ? pair : NULL);
}

static void write_json(struct output *output, const void *data, const struct printer_style *style)
{
    (void)style;
    write_document(output, data, false);
}

static status write_analysis(const struct work *work, const char *folder)
{
    struct path path = { 0 };
    struct output *output;
    status code = path_set(&path, "%s/operator_analysis.json", folder);

    if (code == STATUS_OK)
        code = output_open(path.text, &output);
    path_free(&path);
    if (code != STATUS_OK)
        return code;
    write_document(output, work, true);
    return output_commit(output);
}

/* The original's files, and what lies beside them, are over all runs, as it adds them up. */
static status write_original(const struct work *work, const struct side *side, const char *folder)
{
    struct operators_document document = document_of(work, side, true);

    return operator_files_write(&document, folder);
}

static status write_folder(const struct work *work, const char *folder)
{
    status code = write_original(work, &work->first, folder);

    if (code == STATUS_OK && compares(work)) {
        code = write_original(work, &work->second, folder);
        if (code == STATUS_OK)
            code = operator_files_compare(&work->pair_of_all, work->first.model, folder);
    }
    return code == STATUS_OK ? write_analysis(work, folder) : code;
}

/* ---- Products ------------------------------------------------------------------------------------------------------ */

static void write_latency(struct output *output, const struct side *side)
{
    const struct operators *sums = &side->sums;
    char runs[OPERATORS_RUNS];

    operators_runs(sums, runs);
    output_format(output, "%s%s%s%s: Method::execute %.3f ms, mean of %s", side->label ? side->label : side->model,
                  side->label ? " (" : "", side->label ? side->model : "", side->label ? ")" : "",
                  operators_average_ms(sums, sums->execute), runs);
    if (sums->launches > 1)
        output_format(output, " of %u launches", sums->launches);
    output_format(output, " (%.3f to %.3f ms)\n", operators_ms(sums, sums->execute_least),
                  operators_ms(sums, sums->execute_most));
}

static void write_verdict(struct output *output, const struct work *work)
{
    const struct side *baseline = side_of(work, true), *candidate = side_of(work, false);
    double before = operators_average_ms(&baseline->sums, baseline->sums.execute);
    double after = operators_average_ms(&candidate->sums, candidate->sums.execute);
    double speedup = operators_speedup(before, after);

    if (speedup > 0)
        output_format(output, "%s is %.2fx as fast as %s: baseline / candidate = %.3f / %.3f ms\n", candidate->label,
                      speedup, baseline->label, before, after);
}

static status add_latency(const struct work *work)
{
    struct output *output;
    status code = output_open_memory(&output);

    if (code != STATUS_OK)
        return code;
    write_latency(output, &work->first);
    if (compares(work)) {
        write_latency(output, &work->second);
        write_verdict(output, work);
    }
    return job_text(work->job, "latency", output);
}

/* A table, or where it has no rows a sentence. */
static status add_table(struct job *job, status code, struct table *table, const char *instead)
{
    struct output *output;

    if (code != STATUS_OK)
        return code;
    if (table_rows(table) || !instead)
        return job_table(job, table);
    table_free(table);
    code = output_open_memory(&output);
    if (code != STATUS_OK)
        return code;
    output_format(output, "%s\n", instead);
    return job_text(job, "none", output);
}

static status add_comparison(const struct work *work, const struct view_request *request)
{
    struct table *table = NULL;
    status code = STATUS_OK;

    if (!request) {
        code = operators_compare_table(&work->pair, &table);
        code = add_table(work->job, code, table, NULL);
    }
    if (code == STATUS_OK) {
        code = operators_match_table(&work->pair, work->settings->verbose || request || work->job->output, request,
                                     &table);
        code = add_table(work->job, code, table, request ? NULL : "No operator of one side is in the other.");
    }
    return code;
}

static status add_side(const struct work *work)
{
    const struct kernel_log *log = work->has_log ? &work->log : NULL;
    const struct operators *side = &work->first.sums;
    struct table *table = NULL;
    status code = operators_category_table(side, &table);

    code = add_table(work->job, code, table, NULL);
    if (code == STATUS_OK) {
        code = operators_time_table(side, log, work->settings->verbose, &table);
        code = add_table(work->job, code, table, "There are no operators in it.");
    }
    if (code == STATUS_OK) {
        code = operators_backend_table(side, &table);
        code = add_table(work->job, code, table, NULL);
    }
    if (code == STATUS_OK) {
        code = operators_account_table(side, &table);
        code = add_table(work->job, code, table, NULL);
    }
    return code;
}

/* A view is of the operators, of two sides where two are compared; a file has one row per operator in execution order. */
static status add_view(const struct work *work)
{
    const struct kernel_log *log = work->has_log ? &work->log : NULL;
    struct table *table = NULL;
    status code;

    if (compares(work))
        return add_comparison(work, view_is_asked(&work->job->view) ? &work->job->view : NULL);
    code = view_is_asked(&work->job->view) ? operators_view_table(&work->first.sums, log, &work->job->view, &table)
                                           : operators_map_table(&work->first.sums, log, &table);
    return code == STATUS_OK ? job_table(work->job, table) : code;
}

static status add_products(const struct work *work)
{
    status code;

    if (work->job->output || view_is_asked(&work->job->view))
        return add_view(work);
    code = add_latency(work);
    if (code == STATUS_OK)
        code = add_side(work);
    return code == STATUS_OK && compares(work) ? add_comparison(work, NULL) : code;
}

/* ---- Run ----------------------------------------------------------------------------------------------------------- */

static status check_output(const struct work *work)
{
    const char *output = work->job->output;
    const char *const companions[] = { work->settings->xnntrace, work->settings->rules,
                                       settings_get(&work->job->reading.settings, "etrecord") };
    status code = output_check_inputs(output, work->first.paths->items, work->first.paths->count);

    if (code == STATUS_OK && compares(work))
        code = output_check_inputs(output, work->second.paths->items, work->second.paths->count);
    return code == STATUS_OK ? output_check_inputs(output, companions, sizeof companions / sizeof *companions) : code;
}

static status analyse(struct work *work)
{
    status code = choose_sides(work);

    if (code == STATUS_OK)
        code = check_output(work);
    if (code == STATUS_OK)
        code = load_all(work);
    if (code == STATUS_OK && work->settings->output_dir)
        code = write_folder(work, work->settings->output_dir);
    return code == STATUS_OK ? add_products(work) : code;
}

static void free_side(struct side *side)
{
    operators_free(&side->sums);
    operators_free(&side->all);
    for (size_t i = 0; i < side->loaded_count; i++)
        loaded_free(&side->loaded[i]);
    memory_free(side->loaded);
}

static void free_work(void *data)
{
    struct work *work = data;

    operators_pair_free(&work->pair);
    operators_pair_free(&work->pair_of_all);
    free_side(&work->first);
    free_side(&work->second);
    if (work->has_log)
        kernel_log_free(&work->log);
    category_rules_free(work->rules);
    same_model_free(&work->model);
    strings_free(work->strings);
    memory_free(work);
}

static void start_side(struct side *side, struct strings *strings)
{
    operators_start(&side->sums, strings);
    operators_start(&side->all, strings);
    side->all.warmup = 0;
}

static status run(struct job *job, const void *settings)
{
    struct work *work = memory_allocate_clear(sizeof *work);
    status code;

    if (!work)
        return status_no_memory("starting");
    work->job = job;
    work->settings = settings;
    work->strings = strings_new();
    same_model_start(&work->model);
    start_side(&work->first, work->strings);
    start_side(&work->second, work->strings);
    code = work->strings ? analyse(work) : status_no_memory("starting");
    if (code == STATUS_OK && !view_is_asked(&job->view))
        return job_json(job, write_json, work, free_work);
    free_work(work);
    return code;
}

static bool accepts(const struct reader *reader)
{
    return executorch_calls(reader)->execution != NULL;
}

static const struct verb_table tables[] = {
    { .name = "categories", .description = "time by category and kind" },
    { .name = "backends", .description = "time of portable and of delegated operators" },
    { .name = "accounting", .description = "what adds up to an inference" },
    { .name = "comparison", .description = "two builds by category", .apart = true },
    { .name = "matched", .description = "two builds, operator by operator", .apart = true },
    { 0 },
};

const struct verb_part executorch_operators_part = {
    .verb = "operators",
    .options = options,
    .settings_size = sizeof(struct settings_of_operators),
    .accepts = accepts,
    .reads = PART_TICKS,
    .about = "inferences (an ETDump, a timeline)",
    .tables = tables,
    .run = run,
};
