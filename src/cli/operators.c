/* operators.c: tacho operators: what each operator of a model costs, and the same in two builds. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/path.h"
#include "cli/terminal.h"
#include "cli/verbs.h"
#include "executorch/load.h"
#include "executorch/original/operator_files.h"
#include "job/table_file.h"

static struct given {
    struct old_texts timeline;
    struct old_texts compare;
    struct old_texts baseline;
    const char *name1;
    const char *name2;
    const char *output_dir;
    const char *model_name;
    const char *rules;
    const char *xnntrace;
    const char *output;
    bool json;
    bool verbose;
} settings;

static const struct old_option options[] = {
    { "timeline-csv", 0, OLD_OPTION_LIST, &settings.timeline, "FILE...",
      "timelines or ETDumps: launches of one build" },
    { "compare", 0, OLD_OPTION_LIST, &settings.compare, "FILE...", "the other build: the baseline" },
    { "baseline", 0, OLD_OPTION_LIST, &settings.baseline, "FILE...", "which files are the baseline (or their label)" },
    { "name1", 0, OLD_OPTION_TEXT, &settings.name1, "NAME", "label of --timeline-csv (default: Config 1)" },
    { "name2", 0, OLD_OPTION_TEXT, &settings.name2, "NAME", "label of --compare (default: Config 2)" },
    { "output-dir", 0, OLD_OPTION_TEXT, &settings.output_dir, "DIR",
      "write CSV files and operator_analysis.json there" },
    { "model-name", 0, OLD_OPTION_TEXT, &settings.model_name, "NAME", "in file names (default: the file's model_id)" },
    { "rules", 0, OLD_OPTION_TEXT, &settings.rules, "FILE", "rules for categories, tried before the built-in ones" },
    { "xnntrace-log", 0, OLD_OPTION_TEXT, &settings.xnntrace, "FILE", "XNNPACK log at level 5: kernels that ran" },
    { "output", 'o', OLD_OPTION_TEXT, &settings.output, "FILE",
      "one row per operator: .csv .md .html .xlsx; or .json" },
    { "json", 0, OLD_OPTION_FLAG, &settings.json, NULL, "print operator_analysis.json" },
    { "verbose", 'v', OLD_OPTION_FLAG, &settings.verbose, NULL, "show all operators, not only those over 5 %" },
    { 0 },
};

/* One build: its files, loaded and added up. */
struct side {
    const struct old_texts *paths;
    struct operators sums;
    struct loaded *loaded; /* by path: graphs that the sums point into */
    size_t loaded_count;
    char model[256];
    const char *label;
};

struct work {
    struct strings *strings;
    struct category_rules *rules;
    struct kernel_log log;
    bool has_log;
    struct load_options load;  /* as the options say */
    struct side first, second; /* the second has no paths without a comparison */
    struct operators_pair pair;
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

static bool same_texts(const struct old_texts *one, const struct old_texts *other)
{
    if (one->count != other->count)
        return false;
    for (size_t i = 0; i < one->count; i++)
        if (strcmp(one->items[i], other->items[i]) != 0)
            return false;
    return true;
}

static bool is_label(const struct old_texts *texts, const char *label)
{
    return label && texts->count == 1 && strcmp(texts->items[0], label) == 0;
}

/* --compare is the baseline unless --baseline says otherwise: that names one of the two, by label or files, or is the second. */
static status choose_sides(struct work *work, const struct old_texts *words)
{
    if (settings.timeline.count && words->count)
        return status_fail(STATUS_USAGE, "give the files either alone or by --timeline-csv");
    work->first.paths = words->count ? words : &settings.timeline;
    if (!work->first.paths->count)
        return status_fail(STATUS_USAGE, "tacho operators wants a timeline or an ETDump; see tacho operators --help");
    if (settings.compare.count)
        work->second.paths = &settings.compare;
    if (!settings.baseline.count)
        return STATUS_OK;
    if (compares(work) &&
        (is_label(&settings.baseline, settings.name1) || same_texts(&settings.baseline, work->first.paths)))
        work->pair.first_is_baseline = true;
    else if (!compares(work))
        work->second.paths = &settings.baseline;
    else if (!is_label(&settings.baseline, settings.name2) && !same_texts(&settings.baseline, work->second.paths))
        return status_fail(STATUS_USAGE,
                           "--baseline is neither one of the labels nor the files of --timeline-csv or --compare");
    return STATUS_OK;
}

/* ---- Names that contradict the files ------------------------------------------------------------------------------- */

enum state { STATE_UNKNOWN, STATE_ON, STATE_OFF };

/* The word "on" or "off" in a text; unknown where neither or both are there. */
static enum state state_of(const char *text, size_t length)
{
    bool on = false, off = false;

    for (size_t i = 0, start; i < length; i++) {
        for (start = i; i < length && isalnum((unsigned char)text[i]); i++)
            ;
        on |= i - start == 2 && strncasecmp(text + start, "on", 2) == 0;
        off |= i - start == 3 && strncasecmp(text + start, "off", 3) == 0;
    }
    return on == off ? STATE_UNKNOWN : on ? STATE_ON : STATE_OFF;
}

/* The file's own name says it, or the folder that it lies in. */
static enum state state_of_path(const char *path)
{
    const char *name = path_name(path);
    enum state state = state_of(name, strlen(name));
    const char *end = name > path ? name - 1 : path, *start = end;

    if (state != STATE_UNKNOWN)
        return state;
    while (start > path && start[-1] != '/')
        start--;
    return state_of(start, (size_t)(end - start));
}

static bool contradicts(const char *label, enum state state)
{
    enum state said = label ? state_of(label, strlen(label)) : STATE_UNKNOWN;

    return said != STATE_UNKNOWN && said != state;
}

static void warn(const char *what, const char *first, const char *second)
{
    if (!quiet)
        fprintf(stderr, "tacho: warning: %s%s%s\n", what, first, second);
}

/* Labels follow the files: where both are the wrong way round they change places, a single wrong one gives way to the model's
 * name. */
static void choose_labels(struct work *work)
{
    enum state first = state_of_path(work->first.paths->items[0]), second;
    bool first_wrong, second_wrong;

    work->first.label = settings.name1;
    work->second.label = settings.name2;
    if (compares(work)) {
        work->first.label = settings.name1 ? settings.name1 : "Config 1";
        work->second.label = settings.name2 ? settings.name2 : "Config 2";
        second = state_of_path(work->second.paths->items[0]);
        first_wrong = contradicts(settings.name1, first) && first != STATE_UNKNOWN && first != second;
        second_wrong = contradicts(settings.name2, second) && second != STATE_UNKNOWN && first != second;
        if (first_wrong && second_wrong) {
            warn("--name1 and --name2 contradict the files and change places: ", settings.name2, " is --timeline-csv");
            work->first.label = settings.name2;
            work->second.label = settings.name1;
        } else if (first_wrong) {
            warn("--name1 contradicts the file, which is shown by its own name: ", work->first.paths->items[0], "");
            work->first.label = work->first.model;
        } else if (second_wrong) {
            warn("--name2 contradicts the file, which is shown by its own name: ", work->second.paths->items[0], "");
            work->second.label = work->second.model;
        }
    }
    work->pair.first_label = work->first.label;
    work->pair.second_label = work->second.label;
}

/* X_run0_timeline.csv holds one run of many. */
static void warn_of_single_run(const char *path)
{
    const char *at = strstr(path_name(path), "_run");
    const char *digits = at ? at + strlen("_run") : NULL;

    if (!digits || !isdigit((unsigned char)*digits))
        return;
    while (isdigit((unsigned char)*digits))
        digits++;
    if (strncmp(digits, "_timeline", strlen("_timeline")) == 0)
        warn(path, ": this file holds one run; the one that ends in _all_runs_timeline.csv has all of them", "");
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
        report_losses(path, &execution.losses, loaded->notes, loaded->note_count);
        warn_of_single_run(path);
        if (execution.no_clock)
            warn(path, ": all its stamps are equal: the machine had no clock, and no time can be told", "");
        if (!side->model[0])
            name_model(side, path, &execution);
        code = operators_add(&side->sums, path, &execution, graph, work->rules);
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
    status code;

    if (!settings.xnntrace)
        return STATUS_OK;
    work->has_log = true;
    code = load_kernels_given(settings.xnntrace, work->strings, &work->log);
    if (code == STATUS_OK && !add_kernels_given(settings.xnntrace, &work->first.sums, &work->log))
        warn(settings.xnntrace,
             work->log.has_execution ? ": its operators are not those of the dump"
                                     : ": it does not tell what ran (a log of level 5 does)",
             "");
    return code;
}

static status load_all(struct work *work)
{
    status code = load_options_given(&work->load);

    if (code == STATUS_OK)
        code = category_rules_given(settings.rules, &work->rules);
    if (code == STATUS_OK)
        code = load_side(work, &work->first);
    if (code == STATUS_OK)
        code = load_side(work, &work->second);
    if (code == STATUS_OK)
        code = load_log(work);
    if (code != STATUS_OK)
        return code;
    if (settings.model_name)
        snprintf(work->first.model, sizeof work->first.model, "%s", settings.model_name);
    /* Their files lie in one folder. */
    if (compares(work) && strcmp(work->first.model, work->second.model) == 0)
        strncat(work->second.model, "_2", sizeof work->second.model - strlen(work->second.model) - 1);
    choose_labels(work);
    work->pair.first = &work->first.sums;
    work->pair.second = &work->second.sums;
    return compares(work) ? operators_pair_match(&work->pair) : STATUS_OK;
}

/* ---- Outputs ------------------------------------------------------------------------------------------------------- */

static struct operators_document document_of(const struct work *work, const struct side *side)
{
    return (struct operators_document){
        .side = &side->sums,
        .model = side->model,
        .label = side->label,
        .paths = side->paths->items,
        .path_count = side->paths->count,
        .log = work->has_log && side == &work->first ? &work->log : NULL,
    };
}

static status write_json(const struct work *work, const char *path)
{
    struct operators_document first = document_of(work, &work->first), second = { 0 };
    struct output *output;
    status code = output_open(path, &output);

    if (code != STATUS_OK)
        return code;
    if (compares(work))
        second = document_of(work, &work->second);
    operator_json_write(output, &first, compares(work) ? &second : NULL, compares(work) ? &work->pair : NULL);
    return output_commit(output);
}

static status write_folder(const struct work *work, const char *folder)
{
    struct operators_document document = document_of(work, &work->first);
    char path[4096];
    status code = operator_files_write(&document, folder);

    if (code == STATUS_OK && compares(work)) {
        document = document_of(work, &work->second);
        code = operator_files_write(&document, folder);
        if (code == STATUS_OK)
            code = operator_files_compare(&work->pair, work->first.model, folder);
    }
    if (code != STATUS_OK)
        return code;
    if (snprintf(path, sizeof path, "%s/operator_analysis.json", folder) >= (int)sizeof path)
        return status_fail(STATUS_OUTPUT, "%s: the path is too long", folder);
    return write_json(work, path);
}

static status write_map(const struct work *work, const char *path)
{
    struct table *table;
    status code;

    if (path_ends(path, ".json"))
        return write_json(work, path);
    code = operators_map_table(&work->first.sums, work->has_log ? &work->log : NULL, &table);
    if (code != STATUS_OK)
        return code;
    code = table_to_file(table, path, NULL, NULL);
    table_free(table);
    return code;
}

/* ---- Terminal ------------------------------------------------------------------------------------------------------ */

static status show(status code, struct table *table, const char *instead)
{
    if (code != STATUS_OK)
        return code;
    putchar('\n');
    if (table_rows(table) || !instead) {
        fflush(stdout);
        code = table_print(table, false);
    } else {
        printf("%s\n", instead);
    }
    table_free(table);
    return code;
}

static void print_latency(const struct side *side)
{
    const struct operators *sums = &side->sums;

    printf("%s%s%s%s: Method::execute %.3f ms, average of %llu run%s", side->label ? side->label : side->model,
           side->label ? " (" : "", side->label ? side->model : "", side->label ? ")" : "",
           operators_average_ms(sums, sums->execute), (unsigned long long)sums->inferences,
           sums->inferences == 1 ? "" : "s");
    if (sums->launches > 1)
        printf(" of %u launches", sums->launches);
    printf(" (%.3f to %.3f ms)\n", operators_ms(sums, sums->execute_least), operators_ms(sums, sums->execute_most));
}

static void print_verdict(const struct work *work)
{
    const struct side *baseline = side_of(work, true), *candidate = side_of(work, false);
    double before = operators_average_ms(&baseline->sums, baseline->sums.execute);
    double after = operators_average_ms(&candidate->sums, candidate->sums.execute);
    double speedup = operators_speedup(before, after);

    if (speedup <= 0)
        return;
    printf("%s is %.2fx as fast as %s: baseline / candidate = %.3f / %.3f ms\n", candidate->label, speedup,
           baseline->label, before, after);
}

static status print_comparison(const struct work *work)
{
    struct table *table;
    status code = operators_compare_table(&work->pair, &table);

    code = show(code, table, NULL);
    if (code == STATUS_OK) {
        code = operators_match_table(&work->pair, settings.verbose, &table);
        code = show(code, table, "No operator of one side is in the other.");
    }
    return code;
}

static status print_side(const struct work *work, const struct side *side)
{
    const struct kernel_log *log = work->has_log && side == &work->first ? &work->log : NULL;
    struct table *table;
    status code = operators_category_table(&side->sums, &table);

    code = show(code, table, NULL);
    if (code == STATUS_OK) {
        code = operators_time_table(&side->sums, log, settings.verbose, &table);
        code = show(code, table, "There are no operators in it.");
    }
    if (code == STATUS_OK) {
        code = operators_backend_table(&side->sums, &table);
        code = show(code, table, NULL);
    }
    if (code == STATUS_OK) {
        code = operators_account_table(&side->sums, &table);
        code = show(code, table, NULL);
    }
    return code;
}

static status print_text(const struct work *work)
{
    status code;

    print_latency(&work->first);
    if (compares(work)) {
        print_latency(&work->second);
        print_verdict(work);
    }
    code = print_side(work, &work->first);
    return code == STATUS_OK && compares(work) ? print_comparison(work) : code;
}

/* ---- run ----------------------------------------------------------------------------------------------------------- */

static status analyse(struct work *work)
{
    status code = load_all(work);

    if (code == STATUS_OK && settings.output_dir)
        code = write_folder(work, settings.output_dir);
    if (code == STATUS_OK && settings.output)
        code = write_map(work, settings.output);
    if (code != STATUS_OK || (settings.output && !settings.json))
        return code;
    return settings.json ? write_json(work, "-") : print_text(work);
}

static status check_output(const struct work *work)
{
    const char *const companions[] = { settings.xnntrace, settings.rules, settings_get(&common.settings, "etrecord") };
    status code = output_check_inputs(settings.output, work->first.paths->items, work->first.paths->count);

    if (code == STATUS_OK && compares(work))
        code = output_check_inputs(settings.output, work->second.paths->items, work->second.paths->count);
    return code == STATUS_OK ? output_check_inputs(settings.output, companions, sizeof companions / sizeof *companions)
                             : code;
}

static void side_free(struct side *side)
{
    operators_free(&side->sums);
    for (size_t i = 0; i < side->loaded_count; i++)
        loaded_free(&side->loaded[i]);
    memory_free(side->loaded);
}

static status run(const struct old_texts *words)
{
    struct work work = { 0 };
    status code = choose_sides(&work, words);

    if (code == STATUS_OK)
        code = check_output(&work);
    if (code != STATUS_OK)
        return code;
    if (settings.output && strcmp(settings.output, "-") == 0)
        settings.output = NULL;
    work.strings = strings_new();
    operators_start(&work.first.sums, work.strings);
    operators_start(&work.second.sums, work.strings);
    code = work.strings ? analyse(&work) : status_no_memory("starting");
    operators_pair_free(&work.pair);
    side_free(&work.first);
    side_free(&work.second);
    if (work.has_log)
        kernel_log_free(&work.log);
    category_rules_free(work.rules);
    strings_free(work.strings);
    return code;
}

const struct old_verb operators_verb = {
    .name = "operators",
    .summary = "show what each operator of a model costs, and compare two builds",
    .usage = "[options] FILE... | --timeline-csv FILE... [--compare FILE...]",
    .options = options,
    .more = inference_options,
    .run = run,
};
