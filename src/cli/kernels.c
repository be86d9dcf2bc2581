/* kernels.c: tacho kernels: which microkernels an XNNPACK log names, which of them stood and which ran. */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/output.h"
#include "base/path.h"
#include "cli/terminal.h"
#include "cli/verbs.h"
#include "executorch/load.h"
#include "executorch/operators_tables.h"
#include "executorch/original/kernel_files.h"
#include "job/table_file.h"

static struct given {
    const char *log;
    const char *on;
    const char *off;
    const char *on_name;
    const char *off_name;
    const char *etdump;
    const char *output;
    const char *title;
    const char *filter;
    const char *model_id;
    bool json;
    bool extra;
} settings = {
    .on_name = "SME2-On", .off_name = "SME2-Off", .title = "Kernel view (XNNPACK Delegated):", .extra = true
};

static const struct old_option options[] = {
    { "xnntrace-log", 0, OLD_OPTION_TEXT, &settings.log, "FILE", "log of XNNPACK, or a kernels.csv" },
    { "xnntrace", 0, OLD_OPTION_TEXT, &settings.log, "FILE", "the same" },
    { "sme2-on-kernels", 0, OLD_OPTION_TEXT, &settings.on, "FILE", "kernels.csv or log of the first build" },
    { "sme2-on", 0, OLD_OPTION_TEXT, &settings.on, "FILE", "the same" },
    { "sme2-off-kernels", 0, OLD_OPTION_TEXT, &settings.off, "FILE", "kernels.csv or log of the second build" },
    { "sme2-off", 0, OLD_OPTION_TEXT, &settings.off, "FILE", "the same" },
    { "name1", 0, OLD_OPTION_TEXT, &settings.on_name, "NAME", "of the first build (default SME2-On)" },
    { "name2", 0, OLD_OPTION_TEXT, &settings.off_name, "NAME", "of the second build (default SME2-Off)" },
    { "etdump", 0, OLD_OPTION_TEXT, &settings.etdump, "FILE", "what ran, operator by operator, with its rate" },
    { "out", 'o', OLD_OPTION_TEXT, &settings.output, "FILE", "kernels.csv, or the comparison as .md" },
    { "title", 0, OLD_OPTION_TEXT, &settings.title, "TEXT", "of the comparison" },
    { "filter-op", 0, OLD_OPTION_TEXT, &settings.filter, "TEXT", "only kernels whose name holds TEXT" },
    { "model-id", 0, OLD_OPTION_TEXT, &settings.model_id, "NAME", "first column (default: the file's name)" },
    { "no-extra", 0, OLD_OPTION_CLEAR, &settings.extra, NULL, "only what the original writes" },
    { "json", 0, OLD_OPTION_FLAG, &settings.json, NULL, "as JSON" },
    { 0 },
};

static bool is_suffix(const char *suffix)
{
    return settings.output && path_ends(settings.output, suffix);
}

/* A table to the file that was named, or to the terminal; it is freed. */
static status give_table(struct table *table)
{
    status code =
        settings.output ? table_to_file(table, settings.output, NULL, NULL) : table_print(table, settings.json);

    table_free(table);
    return code;
}

static void model_of(const char *path, char *to, size_t size)
{
    static const char ending[] = "_xnntrace";
    size_t length;

    text_copy(to, size, path_stem(path));
    length = strlen(to);
    if (length > sizeof ending - 1 && strcmp(to + length - (sizeof ending - 1), ending) == 0)
        to[length - (sizeof ending - 1)] = '\0';
}

static status write_csv(const struct kernel_log *log)
{
    char model[512];
    struct output *output;
    status code = output_open(settings.output, &output);

    if (code != STATUS_OK)
        return code;
    model_of(settings.log, model, sizeof model);
    return output_finish(output,
                         kernels_csv(log, settings.model_id ? settings.model_id : model, settings.extra, output));
}

static void print_counts(const struct kernel_log *log)
{
    struct kernel_counts counts = kernel_count(log);

    printf("%u kernels: %u replaced by a later one, %u seen to run; %u for SME, %u for SME2\n", counts.kernels,
           counts.replaced, counts.ran, counts.sme, counts.sme2);
    if (!log->has_execution && counts.kernels)
        printf("What ran is not in the log: XNN_LOG_LEVEL=5 shows it.\n");
}

static status one_log(struct strings *strings)
{
    struct kernel_log log;
    struct table *table;
    status code = load_kernels_given(settings.log, strings, &log);

    if (code == STATUS_OK && (is_suffix(".csv") || (settings.output && strcmp(settings.output, "-") == 0))) {
        code = write_csv(&log);
        if (code == STATUS_OK && !output_is_standard(settings.output))
            print_counts(&log);
    } else if (code == STATUS_OK) {
        code = kernels_table(&log, &table);
        if (code == STATUS_OK)
            code = give_table(table);
        if (code == STATUS_OK && !settings.json && !settings.output)
            print_counts(&log);
    }
    kernel_log_free(&log);
    return code;
}

static status write_view(const struct kernel_view *view)
{
    struct output *output;
    status code = output_open(settings.output, &output);

    if (code != STATUS_OK)
        return code;
    code = output_finish(output, kernel_view_markdown(view, output));
    if (code == STATUS_OK && !output_is_standard(settings.output))
        printf("%s\n", settings.output);
    return code;
}

static status two_logs(struct strings *strings)
{
    struct kernel_log on, off;
    struct kernel_view view = {
        .on = &on,
        .off = &off,
        .on_name = settings.on_name,
        .off_name = settings.off_name,
        .title = settings.title,
        .filter = settings.filter,
        .evidence = settings.extra,
    };
    struct table *table;
    status code = load_kernels_given(settings.on, strings, &on);

    if (code == STATUS_OK)
        code = load_kernels_given(settings.off, strings, &off);
    else
        kernel_log_start(&off, strings);
    if (code == STATUS_OK && (is_suffix(".md") || (settings.output && strcmp(settings.output, "-") == 0))) {
        code = write_view(&view);
    } else if (code == STATUS_OK) {
        code = kernel_view_table(&view, &table);
        if (code == STATUS_OK)
            code = give_table(table);
    }
    kernel_log_free(&on);
    kernel_log_free(&off);
    return code;
}

/* What ran: the log's tiles beside the dump's times and the record's shapes. */
static status with_times(struct strings *strings)
{
    struct load_options load;
    struct loaded *loaded = memory_allocate_clear(sizeof *loaded);
    struct execution execution;
    struct kernel_log log;
    struct operators side;
    struct table *table;
    status code;

    if (!loaded)
        return status_no_memory("reading a dump");
    operators_start(&side, strings);
    kernel_log_start(&log, strings);
    code = load_options_given(&load);
    if (code == STATUS_OK)
        code = load_kernels_given(settings.log, strings, &log);
    if (code == STATUS_OK) {
        code = load_execution(settings.etdump, &load, strings, &execution, loaded);
        if (code == STATUS_OK)
            code = operators_add(&side, settings.etdump, &execution, loaded->has_graph ? &loaded->graph : NULL, NULL);
        if (code == STATUS_OK && !add_kernels_given(settings.log, &side, &log))
            code = status_fail_at(STATUS_INPUT, (struct place){ settings.log, 0, 0 },
                                  "none of its operators is in the dump: is it the log of the same model, at level 5?");
        if (code == STATUS_OK)
            code = settings.output ? operators_map_table(&side, &log, &table)
                                   : operators_kernel_table(&side, &log, &table);
        if (code == STATUS_OK)
            code = give_table(table);
        execution_free(&execution);
        loaded_free(loaded);
    }
    operators_free(&side);
    kernel_log_free(&log);
    memory_free(loaded);
    return code;
}

static status check_output(void)
{
    const char *const inputs[] = { settings.log, settings.on, settings.off, settings.etdump,
                                   settings_get(&common.settings, "etrecord") };

    return output_check_inputs(settings.output, inputs, sizeof inputs / sizeof *inputs);
}

static status run(const struct old_texts *words)
{
    struct strings *strings;
    status code;

    if (!settings.log && words->count == 1)
        settings.log = words->items[0];
    else if (words->count)
        return status_fail(STATUS_USAGE,
                           "tacho kernels takes one log; two are compared by --sme2-on-kernels and --sme2-off-kernels");
    if ((settings.on == NULL) != (settings.off == NULL) || (settings.on != NULL) == (settings.log != NULL))
        return status_fail(STATUS_USAGE,
                           "tacho kernels wants --xnntrace-log, or --sme2-on-kernels and --sme2-off-kernels");
    if (settings.etdump && !settings.log)
        return status_fail(STATUS_USAGE, "--etdump goes with --xnntrace-log");
    code = check_output();
    if (code != STATUS_OK)
        return code;
    strings = strings_new();
    if (!strings)
        return status_no_memory("reading kernels");
    code = settings.on ? two_logs(strings) : settings.etdump ? with_times(strings) : one_log(strings);
    strings_free(strings);
    return code;
}

const struct old_verb kernels_verb = {
    .name = "kernels",
    .summary = "show which microkernels a log of XNNPACK names and which ran",
    .usage = "[options] --xnntrace-log LOG | --sme2-on-kernels A --sme2-off-kernels B",
    .options = options,
    .more = inference_options,
    .run = run,
};
