/* advise.c: tacho advise: how near each operation came to the peaks, where time is lost, and what to do about it. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/number.h"
#include "base/path.h"
#include "cli/advise.h"
#include "cli/terminal.h"
#include "cli/verbs.h"
#include "executorch/chain.h"
#include "page/formats.h"
#include "page/potential_files.h"
#include "read/reader.h"
#include "tenstorrent/advise_files.h"
#include "tenstorrent/chain.h"
#include "torq/chain.h"

static struct given {
    struct advise_options options;
    struct advise_common common; /* that serve other profiles, too */
    const char *id_range;
    const char *least;
    const char *group;
    const char *summary_file;
    const char *stacked_csv;
    bool raw_codes;
    bool no_summary, no_stacked_report;
    bool no_stack_by_in0;
    bool classic_colours;
} settings;

static const struct old_option options[] = {
    { "start-signpost", 0, OLD_OPTION_TEXT, &settings.options.start_signpost, "NAME",
      "operations behind the first signpost of this name" },
    { "end-signpost", 0, OLD_OPTION_TEXT, &settings.options.end_signpost, "NAME",
      "operations before it (the second, if also the start)" },
    { "ignore-signposts", 0, OLD_OPTION_FLAG, &settings.options.ignore_signposts, NULL,
      "all operations (default: behind the last signpost)" },
    { "print-signposts", 0, OLD_OPTION_FLAG, &settings.options.print_signposts, NULL,
      "show the signposts between the operations" },
    { "min-percentage", 0, OLD_OPTION_TEXT, &settings.least, "F", "rows below F percent are grey (default 0.5)" },
    { "id-range", 0, OLD_OPTION_TEXT, &settings.id_range, "A-B", "rows of the file from A to B; A- and -B too" },
    { "arch", 0, OLD_OPTION_TEXT, &settings.common.architecture, "NAME",
      "wormhole, blackhole, bh20, n1, or a FILE.json with peaks" },
    { "color", 0, OLD_OPTION_FLAG, &settings.common.colour, NULL, "colours also where it is no terminal" },
    { "no-color", 0, OLD_OPTION_FLAG, &settings.common.no_colour, NULL, "no colours" },
    { "csv", 0, OLD_OPTION_TEXT, &settings.common.csv, "FILE", "operations as CSV instead of the table" },
    { "no-advice", 0, OLD_OPTION_FLAG, &settings.common.no_advice, NULL, "the table only" },
    { "tracing-mode", 0, OLD_OPTION_FLAG, &settings.options.file_order, NULL, "keep the order of the file" },
    { "raw-op-codes", 0, OLD_OPTION_FLAG, &settings.raw_codes, NULL, "names as in the report, in the CSV" },
    { "no-host-ops", 0, OLD_OPTION_FLAG, &settings.options.no_host_ops, NULL, "without operations on the host" },
    { "no-summary", 0, OLD_OPTION_FLAG, &settings.no_summary, NULL, "no stacked report" },
    { "group-by", 0, OLD_OPTION_TEXT, &settings.group, "op|memory|category", "of the stacked report (default memory)" },
    { "classic-colors", 0, OLD_OPTION_FLAG, &settings.classic_colours, NULL,
      "accepted; pages have one set of colours" },
    { "summary-file", 0, OLD_OPTION_TEXT, &settings.summary_file, "BASE",
      "stacked report as BASE.csv, page as BASE.html" },
    { "no-merge-devices", 0, OLD_OPTION_FLAG, &settings.options.no_merge, NULL, "keep the rows of each device" },
    { "no-stacked-report", 0, OLD_OPTION_FLAG, &settings.no_stacked_report, NULL, "the old name of --no-summary" },
    { "no-stack-by-in0", 0, OLD_OPTION_FLAG, &settings.no_stack_by_in0, NULL, "the old name of --group-by op" },
    { "stacked-csv", 0, OLD_OPTION_TEXT, &settings.stacked_csv, "BASE", "the old name of --summary-file" },
    { "rank", 0, OLD_OPTION_FLAG, &settings.common.rank, NULL, "only what is worth doing, by the time it could save" },
    { "json", 0, OLD_OPTION_FLAG, &settings.common.json, NULL, "as JSON; of an ops report with --rank only" },
    { "output", 'o', OLD_OPTION_TEXT, &settings.common.output, "FILE",
      "a page (.html) with rooflines; also .md and .json" },
    { "as-original", 0, OLD_OPTION_FLAG, &settings.options.as_original, NULL,
      "with the mistakes of tt-perf-report 1.2.4" },
    { 0 },
};

/* ---- Options ---- */

/* Digits with commas between them; empty: no limit. */
static bool read_limit(const char *text, size_t length, int64_t *limit)
{
    char digits[24];
    size_t count = 0;

    for (size_t i = 0; i < length; i++) {
        if (text[i] == ',')
            continue;
        if (count == sizeof digits || text[i] < '0' || text[i] > '9')
            return false;
        digits[count++] = text[i];
    }
    *limit = OP_NONE;
    return length == 0 || (count > 0 && number_parse_integer(digits, count, limit));
}

static status read_range(const char *range, struct advise_options *to)
{
    const char *dash = range ? strchr(range, '-') : NULL;

    to->first = to->last = OP_NONE;
    if (!range)
        return STATUS_OK;
    if (!dash || !range[1] || !read_limit(range, (size_t)(dash - range), &to->first) ||
        !read_limit(dash + 1, strlen(dash + 1), &to->last))
        return status_fail(STATUS_USAGE, "--id-range wants START-END, START- or -END, not \"%s\"", range);
    return STATUS_OK;
}

static status read_group(enum advise_group *group)
{
    static const char *const names[] = {
        [GROUP_BY_OP] = "op", [GROUP_BY_MEMORY] = "memory", [GROUP_BY_CATEGORY] = "category"
    };

    *group = settings.no_stack_by_in0 ? GROUP_BY_OP : GROUP_BY_MEMORY;
    if (!settings.group)
        return STATUS_OK;
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
        *group = (enum advise_group)i;
        if (strcmp(names[i], settings.group) == 0)
            return STATUS_OK;
    }
    return status_fail(STATUS_USAGE, "--group-by wants op, memory or category, not \"%s\"", settings.group);
}

static status read_style(struct advise_style *style)
{
    *style = (struct advise_style){
        .colour = !settings.common.no_colour && (settings.common.colour || terminal_colour()),
        .advice = !settings.common.no_advice,
        .raw_codes = settings.raw_codes,
        .least = 0.5,
    };
    if (settings.least && !number_parse_decimal(settings.least, strlen(settings.least), &style->least))
        return status_fail(STATUS_USAGE, "--min-percentage wants a number, not \"%s\"", settings.least);
    return STATUS_OK;
}

static void note_old_options(void)
{
    static const char *const notes[] = {
        "--no-stacked-report is old: --no-summary does the same",
        "--no-stack-by-in0 is old: --group-by op does the same",
        "--stacked-csv is old: --summary-file does the same",
    };
    const bool given[] = { settings.no_stacked_report, settings.no_stack_by_in0, settings.stacked_csv != NULL };

    for (unsigned i = 0; i < sizeof notes / sizeof *notes; i++) {
        if (given[i] && !quiet)
            fprintf(stderr, "tacho: note: %s\n", notes[i]);
    }
}

/* ---- Inputs ---- */

/* `input` is that of the first file, which `reader` knows; NULL: it is still to be opened. */
static status read_input(const char *path, struct input *input, const struct reader *reader, struct op_report *report)
{
    struct source source = { .path = path, .input = input, .strict = common.strict };
    struct losses before = report->losses;
    status code = input ? STATUS_OK : reader_open(path, common.format, &source.input, &reader);

    if (code == STATUS_OK && !tenstorrent_calls(reader)->ops)
        code = reader_refuse(reader, path,
                             "only reports of operations (tt-ops-csv, tt-ops-folder, tt-tracy-ops) go together");
    report->losses = (struct losses){ .rows = 0 };
    if (code == STATUS_OK)
        code = tenstorrent_calls(reader)->ops(&source, report);
    if (code == STATUS_OK)
        report_losses(path, &report->losses, source.notes, source.note_count);
    if (code == STATUS_OK && report->losses.rows && !report->losses.used)
        code = losses_fail(&report->losses, path, reader->id);
    report->losses.rows += before.rows;
    report->losses.used += before.used;
    report->losses.lost += before.lost;
    input_close(source.input);
    return code;
}

/* ---- Outputs ---- */

static status write_csv(const struct advise *advise, const struct advise_style *style)
{
    struct output *output;
    status code = output_open(settings.common.csv, &output);

    if (code != STATUS_OK)
        return code;
    advise_write_csv(output, advise, style);
    return output_commit(output);
}

static status write_stack_csv(const struct advise_stack *stack, const char *path)
{
    struct output *output;
    status code = output_open(path, &output);

    if (code != STATUS_OK)
        return code;
    advise_write_stack_csv(output, stack);
    return output_commit(output);
}

static status write_page(struct advise *advise, const struct advise_stack *stack, const char *path)
{
    struct document *document = advise_document(advise, stack);
    status code = document ? document_write(document, path) : status_no_memory("writing a page");

    document_free(document);
    return code;
}

static status say(struct output *to, const struct advise_style *style, const char *what, const char *path)
{
    char text[4224];
    struct advise_message message = { ADVISE_INFO, text };

    snprintf(text, sizeof text, "%s %s", what, path);
    advise_write_message(to, &message, style);
    return output_flush(to);
}

static bool has_summary_file(void)
{
    return settings.summary_file || settings.stacked_csv;
}

/* The file of the stacked report with this suffix: of --summary-file, or beside the CSV. */
static void summary_path(const char *suffix, char path[4096])
{
    const char *given = settings.summary_file ? settings.summary_file : settings.stacked_csv;
    const char *slash = settings.common.csv ? strrchr(settings.common.csv, '/') : NULL;
    const char *dot = settings.common.csv ? strrchr(settings.common.csv, '.') : NULL;

    if (given)
        snprintf(path, 4096, "%s%s", given, suffix);
    else if (dot && (!slash || dot > slash + 1))
        snprintf(path, 4096, "%.*s_stacked%s", (int)(dot - settings.common.csv), settings.common.csv, suffix);
    else
        snprintf(path, 4096, "%s_stacked%s", settings.common.csv, suffix);
}

static status write_summary(struct output *to, struct advise *advise, const struct advise_stack *stack,
                            const struct advise_style *style)
{
    char path[4096];
    status code;

    summary_path(".csv", path);
    code = say(to, style, "Writing CSV stacked report to", path);
    if (code == STATUS_OK)
        code = write_stack_csv(stack, path);
    summary_path(".html", path);
    if (code == STATUS_OK)
        code = say(to, style, "Writing HTML report to", path);
    return code == STATUS_OK ? write_page(advise, stack, path) : code;
}

static status print_report(struct output *to, struct advise *advise, const struct advise_style *style,
                           enum advise_group group)
{
    bool files = settings.common.csv || has_summary_file();
    struct advise_stack stack = { .rows = NULL };
    status code = STATUS_OK;

    for (size_t i = 0; i < advise->message_count; i++)
        advise_write_message(to, &advise->messages[i], style);
    if (settings.common.csv) {
        code = say(to, style, "Writing CSV output to", settings.common.csv);
        code = code == STATUS_OK ? write_csv(advise, style) : code;
    } else {
        code = advise_write_text(to, advise, style);
    }
    if (code != STATUS_OK || settings.no_summary || settings.no_stacked_report || !advise->count)
        return code;
    code = advise_stack(advise, group, &stack);
    for (size_t i = 0; i < stack.message_count && code == STATUS_OK; i++)
        advise_write_message(to, &stack.messages[i], style);
    if (code == STATUS_OK && !stack.count) {
        struct advise_message none = { ADVISE_WARNING, "No data available for stacked report generation." };

        advise_write_message(to, &none, style);
        files = false;
    } else if (code == STATUS_OK && !settings.common.csv) {
        code = advise_write_stack(to, advise, &stack, style);
    }
    if (code == STATUS_OK && files)
        code = write_summary(to, advise, &stack, style);
    advise_stack_free(&stack);
    return code;
}

status advise_print_rank(struct table *table, bool json)
{
    struct printer_style style = { .width = terminal_width(), .colour = terminal_colour() };
    struct output *output;
    status code = table ? table_status(table) : status_no_memory("ranking advice");

    if (code == STATUS_OK && json) {
        code = table_print(table, true);
    } else if (code == STATUS_OK && (code = output_open("-", &output)) == STATUS_OK) {
        chance_list_write(output, table, &style);
        code = output_commit(output);
    }
    table_free(table);
    return code;
}

static status write_document(struct advise *advise, enum advise_group group)
{
    struct advise_stack stack;
    status code = advise_stack(advise, group, &stack);

    if (code == STATUS_OK)
        code = write_page(advise, &stack, settings.common.output);
    advise_stack_free(&stack);
    return code;
}

static status show(struct advise *advise, enum advise_group group)
{
    struct advise_style style;
    struct output *to;
    status code = read_style(&style);

    if (code == STATUS_OK && settings.common.output)
        code = write_document(advise, group);
    if (code == STATUS_OK && settings.common.rank && settings.common.csv)
        code = write_csv(advise, &style);
    if (code != STATUS_OK)
        return code;
    if (settings.common.rank)
        return advise_print_rank(advise_rank(advise, ADVISE_RANK_TITLE, ADVISE_RANKED), settings.common.json);
    if (settings.common.output && !settings.common.csv && !has_summary_file())
        return STATUS_OK;
    code = output_open("-", &to);
    if (code != STATUS_OK)
        return code;
    return output_finish(to, print_report(to, advise, &style, group));
}

bool old_advise_is_file(const char *architecture)
{
    return architecture && (strchr(architecture, '/') || path_ends(architecture, ".json"));
}

/* The inputs, of which the first is open already or has a reader that needs no input. */
struct inputs {
    const struct old_texts *words;
    const struct reader *reader; /* of the first */
    struct input *first;         /* NULL: not opened */
};

static status read_inputs(struct inputs *inputs, struct op_report *report)
{
    status code = STATUS_OK;

    for (size_t i = 0; i < inputs->words->count && code == STATUS_OK; i++) {
        struct input *open = i ? NULL : inputs->first;

        if (!i)
            inputs->first = NULL;
        code = read_input(inputs->words->items[i], open, inputs->reader, report);
    }
    return code;
}

static status advise_reports(struct inputs *inputs, struct op_report *report, enum advise_group group)
{
    struct architectures architectures = { NULL, 0, 0 };
    const struct architecture_set *const sets[] = { &tenstorrent_architectures, NULL };
    struct advise advise = { .report = NULL };
    bool file = old_advise_is_file(settings.common.architecture);
    status code;

    settings.options.architecture = file ? NULL : settings.common.architecture;
    code = read_inputs(inputs, report);
    if (code == STATUS_OK)
        code = architectures_load(&architectures, file ? settings.common.architecture : NULL, sets);
    if (code == STATUS_OK)
        code = advise_run(&advise, report, &architectures, &settings.options);
    if (code == STATUS_OK)
        code = show(&advise, group);
    advise_free(&advise);
    architectures_free(&architectures);
    return code;
}

/* What would leave an option without effect, or overwrite an input by a name that was not given as such. */
static status check_files(const struct old_texts *words)
{
    char path[4096];
    status code;

    if (settings.common.json && !settings.common.rank)
        return status_fail(STATUS_USAGE, "--json of a report of operations wants --rank; -o FILE.json has all of it");
    if (settings.common.rank && has_summary_file())
        return status_fail(STATUS_USAGE, "--rank has no stacked report; leave out --rank or --summary-file");
    if ((!settings.common.csv && !has_summary_file()) || settings.no_summary || settings.no_stacked_report)
        return STATUS_OK;
    summary_path(".csv", path);
    code = output_check_inputs(path, words->items, words->count);
    summary_path(".html", path);
    return code == STATUS_OK ? output_check_inputs(path, words->items, words->count) : code;
}

static status advise_ops(struct inputs *inputs)
{
    struct strings *strings;
    struct op_report report;
    enum advise_group group;
    status code = check_files(inputs->words);

    if (code == STATUS_OK)
        code = read_range(settings.id_range, &settings.options);
    if (code == STATUS_OK)
        code = read_group(&group);
    if (code != STATUS_OK)
        return code;
    note_old_options();
    strings = strings_new();
    if (!strings)
        return status_no_memory("reading a report");
    op_report_start(&report, strings);
    code = advise_reports(inputs, &report, group);
    op_report_free(&report);
    strings_free(strings);
    return code;
}

/* ---- Which kind of input it is ---- */

enum kind { KIND_OPS, KIND_EXECUTION, KIND_ENGINES, KIND_NONE };

static enum kind kind_of(const struct reader *reader)
{
    if (tenstorrent_calls(reader)->ops)
        return KIND_OPS;
    if (executorch_calls(reader)->execution)
        return KIND_EXECUTION;
    return reader->chain == &torq_chain ? KIND_ENGINES : KIND_NONE;
}

/* An option that says nothing about the kind of input at hand. */
static status check_options(const struct reader *reader)
{
    const struct {
        bool given;
        enum kind kind;
        const char *name;
    } table[] = {
        { settings.options.start_signpost != NULL, KIND_OPS, "start-signpost" },
        { settings.options.end_signpost != NULL, KIND_OPS, "end-signpost" },
        { settings.options.ignore_signposts, KIND_OPS, "ignore-signposts" },
        { settings.options.print_signposts, KIND_OPS, "print-signposts" },
        { settings.least != NULL, KIND_OPS, "min-percentage" },
        { settings.id_range != NULL, KIND_OPS, "id-range" },
        { settings.options.file_order, KIND_OPS, "tracing-mode" },
        { settings.raw_codes, KIND_OPS, "raw-op-codes" },
        { settings.options.no_host_ops, KIND_OPS, "no-host-ops" },
        { settings.no_summary, KIND_OPS, "no-summary" },
        { settings.group != NULL, KIND_OPS, "group-by" },
        { settings.classic_colours, KIND_OPS, "classic-colors" },
        { settings.summary_file != NULL, KIND_OPS, "summary-file" },
        { settings.options.no_merge, KIND_OPS, "no-merge-devices" },
        { settings.no_stacked_report, KIND_OPS, "no-stacked-report" },
        { settings.no_stack_by_in0, KIND_OPS, "no-stack-by-in0" },
        { settings.stacked_csv != NULL, KIND_OPS, "stacked-csv" },
        { settings.options.as_original, KIND_OPS, "as-original" },
        { settings_get(&common.settings, "etrecord") != NULL, KIND_EXECUTION, "etrecord" },
        { common.ticks != NULL, KIND_EXECUTION, "ticks" },
        { settings_get(&common.settings, "mlir") != NULL, KIND_ENGINES, "mlir" },
        { settings_get(&common.settings, "original-mlir") != NULL, KIND_ENGINES, "original-mlir" },
        { settings_get(&common.settings, "source-dir") != NULL, KIND_ENGINES, "source-dir" },
        { settings_get(&common.settings, "dispatch") != NULL, KIND_ENGINES, "dispatch" },
        { common.clock_mhz != NULL, KIND_ENGINES, "clock-mhz" },
    };
    static const char *const about[] = { "reports of operations (tt-ops-csv)", "inferences (an ETDump, a timeline)",
                                         "engines of an accelerator (Torq)" };

    for (unsigned i = 0; i < sizeof table / sizeof *table; i++)
        if (table[i].given && table[i].kind != kind_of(reader))
            return status_fail(STATUS_USAGE, "--%s is about %s; this is %s", table[i].name, about[table[i].kind],
                               reader->title);
    return STATUS_OK;
}

/* With --format nothing needs to be opened, so that standard input can be anything; it cannot be read twice. */
static status find_kind(struct inputs *inputs)
{
    const char *path = inputs->words->items[0];

    if (!common.format)
        return reader_open(path, NULL, &inputs->first, &inputs->reader);
    inputs->reader = reader_named(common.format);
    return inputs->reader ? STATUS_OK
                          : status_fail(STATUS_USAGE, "no format is called \"%s\"; see tacho formats", common.format);
}

static status advise_others(struct inputs *inputs)
{
    const char *path = inputs->words->items[0];
    enum kind kind = kind_of(inputs->reader);

    if (kind == KIND_NONE)
        return reader_refuse(inputs->reader, path,
                             "advice needs a report of operations, an ETDump or timeline, or a profile of Torq");
    if (strcmp(path, "-") == 0 && !common.format)
        return status_fail(STATUS_USAGE, "standard input is %s: say --format %s", inputs->reader->title,
                           inputs->reader->id);
    if (kind == KIND_ENGINES && inputs->words->count > 1)
        return status_fail(STATUS_USAGE, "advice on engines takes one profile at a time");
    return kind == KIND_EXECUTION ? advise_executions(inputs->words, &settings.common)
                                  : advise_engines(path, &settings.common);
}

static status check_outputs(const struct old_texts *words)
{
    status code = settings.common.output ? document_check_path(settings.common.output) : STATUS_OK;

    if (code == STATUS_OK)
        code = output_check_inputs(settings.common.output, words->items, words->count);
    return code == STATUS_OK ? output_check_inputs(settings.common.csv, words->items, words->count) : code;
}

static status run(const struct old_texts *words)
{
    struct inputs inputs = { .words = words };
    bool ops;
    status code =
        words->count ? check_outputs(words) : status_fail(STATUS_USAGE, "give at least one ops report or profile");

    if (code == STATUS_OK)
        code = find_kind(&inputs);
    if (code == STATUS_OK)
        code = check_options(inputs.reader);
    ops = code == STATUS_OK && kind_of(inputs.reader) == KIND_OPS;
    if (ops)
        code = advise_ops(&inputs);
    input_close(inputs.first);
    return code == STATUS_OK && !ops ? advise_others(&inputs) : code;
}

const struct old_verb old_advise_verb = {
    .name = "advise",
    .summary = "how near operations came to the peaks, and what to do",
    .usage = "[options] PROFILE... [-o report.html]",
    .options = options,
    .more = common_options,
    .run = run,
};
