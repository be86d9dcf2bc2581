/* advise.c: tacho advise: how near each operation came to the peaks, where time is lost, and what to do about it. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/number.h"
#include "cli/terminal.h"
#include "cli/verbs.h"
#include "read/reader.h"
#include "report/advise_files.h"

static struct settings {
    struct advise_options options;
    const char *id_range;
    const char *architecture;
    const char *least;
    const char *group;
    const char *csv;
    const char *summary_file;
    const char *stacked_csv;
    const char *output;
    bool colour, no_colour;
    bool no_advice;
    bool raw_codes;
    bool no_summary, no_stacked_report;
    bool no_stack_by_in0;
    bool classic_colours;
    bool rank;
    bool json;
} settings;

static const struct option options[] = {
    { "start-signpost", 0, OPTION_TEXT, &settings.options.start_signpost, "NAME",
      "operations behind the first signpost of this name" },
    { "end-signpost", 0, OPTION_TEXT, &settings.options.end_signpost, "NAME",
      "operations before it (the second, if also the start)" },
    { "ignore-signposts", 0, OPTION_FLAG, &settings.options.ignore_signposts, NULL,
      "all operations (default: behind the last signpost)" },
    { "print-signposts", 0, OPTION_FLAG, &settings.options.print_signposts, NULL, "show the signposts between the operations" },
    { "min-percentage", 0, OPTION_TEXT, &settings.least, "F", "rows below F percent are grey (default 0.5)" },
    { "id-range", 0, OPTION_TEXT, &settings.id_range, "A-B", "rows of the file from A to B; A- and -B too" },
    { "arch", 0, OPTION_TEXT, &settings.architecture, "NAME", "wormhole, blackhole, bh20, n1, or a FILE.json" },
    { "color", 0, OPTION_FLAG, &settings.colour, NULL, "colours also where it is no terminal" },
    { "no-color", 0, OPTION_FLAG, &settings.no_colour, NULL, "no colours" },
    { "csv", 0, OPTION_TEXT, &settings.csv, "FILE", "operations as CSV instead of the table" },
    { "no-advice", 0, OPTION_FLAG, &settings.no_advice, NULL, "the table only" },
    { "tracing-mode", 0, OPTION_FLAG, &settings.options.file_order, NULL, "keep the order of the file" },
    { "raw-op-codes", 0, OPTION_FLAG, &settings.raw_codes, NULL, "names as in the report, in the CSV" },
    { "no-host-ops", 0, OPTION_FLAG, &settings.options.no_host_ops, NULL, "without operations on the host" },
    { "no-summary", 0, OPTION_FLAG, &settings.no_summary, NULL, "no stacked report" },
    { "group-by", 0, OPTION_TEXT, &settings.group, "op|memory|category", "of the stacked report (default memory)" },
    { "classic-colors", 0, OPTION_FLAG, &settings.classic_colours, NULL, "accepted; pages have one set of colours" },
    { "summary-file", 0, OPTION_TEXT, &settings.summary_file, "BASE", "stacked report as BASE.csv, page as BASE.html" },
    { "no-merge-devices", 0, OPTION_FLAG, &settings.options.no_merge, NULL, "keep the rows of each device" },
    { "no-stacked-report", 0, OPTION_FLAG, &settings.no_stacked_report, NULL, "the old name of --no-summary" },
    { "no-stack-by-in0", 0, OPTION_FLAG, &settings.no_stack_by_in0, NULL, "the old name of --group-by op" },
    { "stacked-csv", 0, OPTION_TEXT, &settings.stacked_csv, "BASE", "the old name of --summary-file" },
    { "rank", 0, OPTION_FLAG, &settings.rank, NULL, "only what is worth doing, by the time it could save" },
    { "json", 0, OPTION_FLAG, &settings.json, NULL, "with --rank: as JSON" },
    { "output", 'o', OPTION_TEXT, &settings.output, "FILE", "a page (.html) with rooflines; also .md and .json" },
    { "as-original", 0, OPTION_FLAG, &settings.options.as_original, NULL, "with the mistakes of tt-perf-report 1.2.4" },
    { 0 },
};

static const struct option more_options[] = {
    { "format", 0, OPTION_TEXT, &common.format, "ID", "read every input as this format; see tacho formats" },
    { "strict", 0, OPTION_FLAG, &common.strict, NULL, "the first row that cannot be used is an error" },
    { "quiet", 'q', OPTION_FLAG, &quiet, NULL, "no notes, no losses on standard error" },
    { 0 },
};

enum { MOST_RANKED = 40 };

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
    static const char *const names[] = { [GROUP_BY_OP] = "op", [GROUP_BY_MEMORY] = "memory", [GROUP_BY_CATEGORY] = "category" };

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
        .colour = !settings.no_colour && (settings.colour || terminal_colour()),
        .advice = !settings.no_advice,
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

static status read_input(const char *path, struct op_report *report)
{
    struct source source = { .path = path, .strict = common.strict };
    const struct reader *reader;
    struct losses before = report->losses;
    status code = reader_open(path, common.format, &source.input, &reader);

    if (code == STATUS_OK && !reader->read_ops)
        code = status_fail_at(STATUS_INPUT, (struct place){ .file = path },
                              "this is %s; advice needs a report of operations (tt-ops-csv, tt-ops-folder)", reader->title);
    report->losses = (struct losses){ .rows = 0 };
    if (code == STATUS_OK)
        code = reader->read_ops(&source, report);
    if (code == STATUS_OK)
        report_losses(path, &report->losses, source.notes, source.note_count);
    if (code == STATUS_OK && report->losses.rows && !report->losses.used)
        code = status_fail_at(STATUS_INPUT, (struct place){ .file = path }, "none of its %llu rows can be used",
                              (unsigned long long)report->losses.rows);
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
    status code = output_open(settings.csv, &output);

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

/* BASE.csv and BASE.html: of --summary-file, or beside the CSV. */
static status write_summary(struct output *to, struct advise *advise, const struct advise_stack *stack,
                            const struct advise_style *style)
{
    const char *given = settings.summary_file ? settings.summary_file : settings.stacked_csv;
    const char *slash = settings.csv ? strrchr(settings.csv, '/') : NULL;
    const char *dot = settings.csv ? strrchr(settings.csv, '.') : NULL;
    char base[3072], path[4096];
    status code;

    if (given)
        snprintf(base, sizeof base, "%s", given);
    else if (dot && (!slash || dot > slash + 1))
        snprintf(base, sizeof base, "%.*s_stacked", (int)(dot - settings.csv), settings.csv);
    else
        snprintf(base, sizeof base, "%s_stacked", settings.csv);
    snprintf(path, sizeof path, "%s.csv", base);
    code = say(to, style, "Writing CSV stacked report to", path);
    if (code == STATUS_OK)
        code = write_stack_csv(stack, path);
    snprintf(path, sizeof path, "%s.html", base);
    if (code == STATUS_OK)
        code = say(to, style, "Writing HTML report to", path);
    return code == STATUS_OK ? write_page(advise, stack, path) : code;
}

static status print_report(struct output *to, struct advise *advise, const struct advise_style *style, enum advise_group group)
{
    bool files = settings.csv || settings.summary_file || settings.stacked_csv;
    struct advise_stack stack = { .rows = NULL };
    status code = STATUS_OK;

    for (size_t i = 0; i < advise->message_count; i++)
        advise_write_message(to, &advise->messages[i], style);
    if (settings.csv) {
        code = say(to, style, "Writing CSV output to", settings.csv);
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
    } else if (code == STATUS_OK && !settings.csv) {
        code = advise_write_stack(to, advise, &stack, style);
    }
    if (code == STATUS_OK && files)
        code = write_summary(to, advise, &stack, style);
    advise_stack_free(&stack);
    return code;
}

static status print_rank(struct advise *advise)
{
    struct table *table = advise_rank(advise, "What to do first", MOST_RANKED);
    status code = table ? table_status(table) : status_no_memory("ranking advice");

    if (code == STATUS_OK)
        code = table_print(table, settings.json);
    table_free(table);
    return code;
}

static status write_document(struct advise *advise, enum advise_group group)
{
    struct advise_stack stack;
    status code = advise_stack(advise, group, &stack);

    if (code == STATUS_OK)
        code = write_page(advise, &stack, settings.output);
    advise_stack_free(&stack);
    return code;
}

static status show(struct advise *advise, enum advise_group group)
{
    struct advise_style style;
    struct output *to;
    status code = read_style(&style);

    if (code != STATUS_OK)
        return code;
    if (settings.output)
        return write_document(advise, group);
    if (settings.rank)
        return print_rank(advise);
    code = output_open("-", &to);
    if (code != STATUS_OK)
        return code;
    code = print_report(to, advise, &style, group);
    if (code != STATUS_OK) {
        output_abandon(to);
        return code;
    }
    return output_commit(to);
}

static bool is_file(const char *name)
{
    return name && (strchr(name, '/') || path_ends(name, ".json"));
}

static status advise_reports(const struct texts *words, struct op_report *report, enum advise_group group)
{
    struct architectures architectures = { NULL, 0, 0 };
    struct advise advise = { .report = NULL };
    bool file = is_file(settings.architecture);
    status code = STATUS_OK;

    settings.options.architecture = file ? NULL : settings.architecture;
    for (size_t i = 0; i < words->count && code == STATUS_OK; i++)
        code = read_input(words->items[i], report);
    if (code == STATUS_OK)
        code = architectures_load(&architectures, file ? settings.architecture : NULL);
    if (code == STATUS_OK)
        code = advise_run(&advise, report, &architectures, &settings.options);
    if (code == STATUS_OK)
        code = show(&advise, group);
    advise_free(&advise);
    architectures_free(&architectures);
    return code;
}

static status run(const struct texts *words)
{
    struct strings *strings;
    struct op_report report;
    enum advise_group group;
    status code = words->count ? STATUS_OK : status_fail(STATUS_USAGE, "give at least one ops report (CSV)");

    if (code == STATUS_OK)
        code = read_range(settings.id_range, &settings.options);
    if (code == STATUS_OK)
        code = read_group(&group);
    if (code == STATUS_OK && settings.output)
        code = document_check_path(settings.output);
    if (code != STATUS_OK)
        return code;
    note_old_options();
    strings = strings_new();
    if (!strings)
        return status_no_memory("reading a report");
    op_report_start(&report, strings);
    code = advise_reports(words, &report, group);
    op_report_free(&report);
    strings_free(strings);
    return code;
}

const struct verb advise_verb = {
    .name = "advise",
    .summary = "how near operations came to the peaks, and what to do",
    .usage = "[options] CSV... [-o report.html]",
    .options = options,
    .more = more_options,
    .run = run,
};
