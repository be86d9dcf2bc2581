/* advise_part.c: what tacho advise does with reports of operations. */
#include <stdio.h>
#include <string.h>

#include "base/command_word.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/path.h"
#include "job/advise.h"
#include "tenstorrent/advice_model.h"
#include "tenstorrent/advise_files.h"
#include "tenstorrent/advise_inputs.h"
#include "tenstorrent/chain.h"

struct settings_of_ops_advice {
    struct advise_options options; /* of the analysis */
    const char *id_range;          /* "A-B"; NULL: all */
    const char *least;             /* percent below which rows are grey; NULL: the usual */
    const char *group;             /* of the stacked report; NULL: the usual */
    const char *summary_file;      /* base of its files; NULL: none */
    const char *stacked_csv;       /* the old name of that */
    bool raw_codes;                /* in the CSV */
    bool no_summary;               /* no stacked report */
    bool no_stacked_report;        /* the old name of that */
    bool no_stack_by_in0;          /* the old name of --group-by op */
    bool classic_colours;          /* accepted */
};

#define PLACE(field) offsetof(struct settings_of_ops_advice, field)

static const struct option options[] = {
    { "start-signpost", 0, OPTION_TEXT, PLACE(options.start_signpost), "NAME",
      "operations behind the first signpost of this name" },
    { "end-signpost", 0, OPTION_TEXT, PLACE(options.end_signpost), "NAME",
      "operations before it (the second, if also the start)" },
    { "ignore-signposts", 0, OPTION_FLAG, PLACE(options.ignore_signposts), NULL,
      "all operations (default: behind the last signpost)" },
    { "print-signposts", 0, OPTION_FLAG, PLACE(options.print_signposts), NULL,
      "show the signposts between the operations" },
    { "min-percentage", 0, OPTION_TEXT, PLACE(least), "F", "rows below F percent are grey (default 0.5)" },
    { "id-range", 0, OPTION_TEXT, PLACE(id_range), "A-B", "rows of the file from A to B; A- and -B too" },
    { "tracing-mode", 0, OPTION_FLAG, PLACE(options.file_order), NULL, "keep the order of the file" },
    { "raw-op-codes", 0, OPTION_FLAG, PLACE(raw_codes), NULL, "names as in the report, in the CSV" },
    { "no-host-ops", 0, OPTION_FLAG, PLACE(options.no_host_ops), NULL, "without operations on the host" },
    { "no-summary", 0, OPTION_FLAG, PLACE(no_summary), NULL, "no stacked report" },
    { "group-by", 0, OPTION_TEXT, PLACE(group), "op|memory|category", "of the stacked report (default memory)" },
    { "classic-colors", 0, OPTION_FLAG, PLACE(classic_colours), NULL, "accepted; pages have one set of colours" },
    { "summary-file", 0, OPTION_TEXT, PLACE(summary_file), "BASE", "stacked report as BASE.csv, page as BASE.html" },
    { "no-merge-devices", 0, OPTION_FLAG, PLACE(options.no_merge), NULL, "keep the rows of each device" },
    { "no-stacked-report", 0, OPTION_FLAG, PLACE(no_stacked_report), NULL, "the old name of --no-summary" },
    { "no-stack-by-in0", 0, OPTION_FLAG, PLACE(no_stack_by_in0), NULL, "the old name of --group-by op" },
    { "stacked-csv", 0, OPTION_TEXT, PLACE(stacked_csv), "BASE", "the old name of --summary-file" },
    { "as-original", 0, OPTION_FLAG, PLACE(options.as_original), NULL, "with the mistakes of tt-perf-report 1.2.4" },
    { 0 },
};

/* Reports that were read and what was found in them. Products of the job point into it. */
struct ops_advice {
    const struct settings_of_ops_advice *settings; /* of the part */
    const struct advise_settings *common;          /* of the verb */
    struct advise_inputs inputs;                   /* reports and logs */
    struct advised advised;                        /* what is worth doing */
    struct architectures architectures;            /* built in and given */
    struct advise advise;                          /* its operations */
    struct advise_stack stack;                     /* the stacked report; without rows: not made */
    enum advise_group group;                       /* of it */
    bool stacked;                                  /* it is shown */
    double least;                                  /* percent below which a row is grey */
    struct path csv, html;                         /* of the stacked report; without text: not written */
};

static void free_advice(void *data)
{
    struct ops_advice *advice = data;

    advise_stack_free(&advice->stack);
    advise_free(&advice->advise);
    architectures_free(&advice->architectures);
    advised_free(&advice->advised);
    advise_inputs_free(&advice->inputs);
    path_free(&advice->csv);
    path_free(&advice->html);
    memory_free(advice);
}

/* ---- Options -------------------------------------------------------------------------------------------------------- */

/* Digits with commas between them; empty: no limit. */
static bool read_limit(struct text text, int64_t *limit)
{
    char digits[24];
    size_t count = 0;

    *limit = OP_NONE;
    for (size_t i = 0; i < text.length; i++) {
        if (text.data[i] == ',')
            continue;
        if (count == sizeof digits || !char_is_digit(text.data[i]))
            return false;
        digits[count++] = text.data[i];
    }
    return text.length == 0 || (count > 0 && number_parse_integer(digits, count, limit));
}

static status read_range(const char *range, struct advise_options *to)
{
    struct text rest = text_of(range), first;

    to->first = to->last = OP_NONE;
    if (!range)
        return STATUS_OK;
    first = text_take(&rest, '-');
    if (!rest.data || !range[1] || !read_limit(first, &to->first) || !read_limit(rest, &to->last))
        return status_fail(STATUS_USAGE, "--id-range wants START-END, START- or -END, not \"%s\"", range);
    return STATUS_OK;
}

static status read_group(struct ops_advice *advice)
{
    static const char *const names[] = {
        [GROUP_BY_OP] = "op", [GROUP_BY_MEMORY] = "memory", [GROUP_BY_CATEGORY] = "category"
    };
    const char *given = advice->settings->group;

    advice->group = advice->settings->no_stack_by_in0 ? GROUP_BY_OP : GROUP_BY_MEMORY;
    if (!given)
        return STATUS_OK;
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
        advice->group = (enum advise_group)i;
        if (strcmp(names[i], given) == 0)
            return STATUS_OK;
    }
    return status_fail(STATUS_USAGE, "--group-by wants op, memory or category, not \"%s\"", given);
}

static bool has_summary_file(const struct settings_of_ops_advice *settings)
{
    return settings->summary_file || settings->stacked_csv;
}

/* The file of the stacked report with this suffix: of --summary-file, or beside the CSV. */
static status name_summary(const struct ops_advice *advice, const char *suffix, struct path *to)
{
    const struct settings_of_ops_advice *settings = advice->settings;
    struct text stem;

    if (has_summary_file(settings))
        return path_set(to, "%s%s", settings->summary_file ? settings->summary_file : settings->stacked_csv, suffix);
    stem = path_without_suffix(text_of(advice->common->csv));
    return path_set(to, "%.*s_stacked%s", (int)stem.length, stem.data, suffix);
}

/* What would leave an option without effect, or overwrite an input by a name that was not given as such. */
static status check_files(const struct job *job, struct ops_advice *advice)
{
    const struct settings_of_ops_advice *settings = advice->settings;
    status code;

    if (advice->common->rank && has_summary_file(settings))
        return status_fail(STATUS_USAGE, "--rank has no stacked report; leave out --rank or --summary-file");
    advice->stacked = !settings->no_summary && !settings->no_stacked_report;
    if ((!advice->common->csv && !has_summary_file(settings)) || !advice->stacked || advice->common->rank)
        return STATUS_OK;
    code = name_summary(advice, ".csv", &advice->csv);
    if (code == STATUS_OK)
        code = name_summary(advice, ".html", &advice->html);
    if (code == STATUS_OK)
        code = output_check_inputs(advice->csv.text, job->inputs.items, job->inputs.count);
    return code == STATUS_OK ? output_check_inputs(advice->html.text, job->inputs.items, job->inputs.count) : code;
}

static status read_options(struct job *job, struct ops_advice *advice)
{
    const struct settings_of_ops_advice *settings = advice->settings;
    status code = check_files(job, advice);

    advice->least = 0.5;
    if (code == STATUS_OK && settings->least &&
        !number_parse_decimal(settings->least, strlen(settings->least), &advice->least))
        code = status_fail(STATUS_USAGE, "--min-percentage wants a number, not \"%s\"", settings->least);
    return code == STATUS_OK ? read_group(advice) : code;
}

static void note_old_options(struct job *job, const struct settings_of_ops_advice *settings)
{
    const struct {
        bool given;
        const char *note;
    } old[] = {
        { settings->no_stacked_report, "--no-stacked-report is old: --no-summary does the same" },
        { settings->no_stack_by_in0, "--no-stack-by-in0 is old: --group-by op does the same" },
        { settings->stacked_csv != NULL, "--stacked-csv is old: --summary-file does the same" },
    };

    for (unsigned i = 0; i < sizeof old / sizeof *old; i++)
        if (old[i].given)
            job_note(job, NOTE_PLAIN, NULL, "note: %s", old[i].note);
}

/* ---- Advice ------------------------------------------------------------------------------------------------------- */

/* The user chose some of the operations: they are one run, from the first start to the last end. False: all were asked for. */
static bool chosen_rows(const struct ops_advice *advice, struct op_window *window, double *run_ns)
{
    const struct advise_options *given = &advice->settings->options;
    const struct advise *advise = &advice->advise;
    int64_t start = INT64_MAX, end = INT64_MIN;

    *window = (struct op_window){ .whole = { 0, -1 }, .first = OP_NONE, .last = OP_NONE };
    if (!given->start_signpost && !given->end_signpost && !advice->settings->id_range)
        return false;
    for (size_t i = 0; i < advise->count; i++) {
        int64_t number = advise->ops[i].row->number;

        window->first = i && window->first < number ? window->first : number;
        window->last = i && window->last > number ? window->last : number;
    }
    for (size_t i = 0; i < advice->inputs.count; i++) {
        const struct op_listener *listener = &advice->inputs.items[i].listener;

        for (size_t j = 0; j < listener->places.count && listener->report == advice->inputs.rows; j++) {
            const struct op_place *place = column_at(&listener->places, j);
            int64_t number = op_row_at(listener->report, listener->first + j)->number;

            if (place->start > place->end || number < window->first || number > window->last)
                continue;
            start = place->start < start ? place->start : start;
            end = place->end > end ? place->end : end;
        }
    }
    *run_ns = start <= end ? (double)(end - start) : (advise->device_time + advise->gaps) * 1000;
    window->whole = (struct interval){ start, end };
    return true;
}

static bool has_signposts(const struct op_report *report)
{
    for (size_t i = 0; i < report->rows.count; i++)
        if (op_row_at(report, i)->kind == OP_SIGNPOST)
            return true;
    return false;
}

/* What shows more: of a log alone the device's own statistics. */
static void say_commands(struct advice *to, const struct advise_input *first, bool logged)
{
    const char *path = command_word(&to->arena, first->profile.path), *device;

    if (!path)
        return;
    device = advice_say(to, "tacho device -d %s", path);
    advice_text(to, &to->every, "input", path);
    advice_text(to, &to->every, "see_ops",
                first->log ? device
                           : advice_say(to,
                                        "tacho advise %s --sort -device_time --columns id,operation,device_time,cores,"
                                        "dram_percent,flops_percent",
                                        path));
    advice_text(to, &to->every, "see_gaps",
                first->log
                    ? device
                    : advice_say(to, "tacho advise %s --sort -gap --columns id,operation,gap,device_time", path));
    advice_text(to, &to->every, "see_devices",
                first->log ? device : advice_say(to, "tacho advise %s --no-merge-devices --group-by op", path));
    advice_text(to, &to->every, "see_cores",
                first->log ? device
                : logged   ? advice_say(to, "tacho advise %s --sort -device_time", path)
                           : advice_say(to, "tacho advise %s profile_log_device.csv (which cores they are)", path));
}

/* A log may tell its chip and have no operation that would. */
static const char *chip_name(const struct ops_advice *advice)
{
    const struct op_listener *listener = &advice->inputs.first->listener;

    if (!advice->inputs.rows->rows.count && listener->log_count && listener->logs[0].arch)
        return strings_text(advice->inputs.rows->strings, listener->logs[0].arch);
    return advice->advise.architecture.name;
}

/* "Tenstorrent ops report of wormhole: a run takes 2.8ms (mean of 10 of 11 runs; …)" */
static void summarize(const struct ops_advice *advice, bool chosen, const struct op_window *window, struct advice *to)
{
    const struct advise_input *first = advice->inputs.first;
    const char *of = chip_name(advice), *time = advice_say_time(to, to->run_ns);
    char runs[RUNS_SENTENCE];

    to->subject = advice_say(to, "%s", first->profile.display);
    if (!(to->run_ns > 0))
        to->summary = advice_say(to, "%s of %s: nothing in it has a time", first->profile.reader->title, of);
    else if (chosen)
        to->summary =
            advice_say(to, "%s of %s: the operations of rows %lld to %lld, which were chosen, take %s as one run",
                       first->profile.reader->title, of, (long long)window->first, (long long)window->last, time);
    else if (runs_sentence(&first->counted, runs))
        to->summary = advice_say(to, "%s of %s: a run takes %s (%s)", first->profile.reader->title, of, time, runs);
    else
        to->summary = advice_say(to, "%s of %s: it takes %s, as one run", first->profile.reader->title, of, time);
    if (!chosen && first->counted.source == INFERENCES_NONE && has_signposts(advice->inputs.rows))
        advice_note(to, "the report has signposts: --start-signpost NAME speaks of what is behind one of them only");
    if (advice->inputs.unjoined)
        advice_note(to,
                    "the device log tells nothing about the operations of the report: none of their calls is in it");
    say_commands(to, first, first->listener.log_count || advice->inputs.count > 1);
}

static status fill_model(const struct ops_advice *advice, struct op_model *model, const struct op_window *chosen)
{
    status code = STATUS_OK;

    for (size_t i = 0; i < advice->inputs.count && code == STATUS_OK; i++) {
        const struct advise_input *input = &advice->inputs.items[i];
        struct op_window window = *chosen;

        if (chosen->first == OP_NONE) {
            window.runs = input->runs;
            window.count = input->run_count;
            window.whole = input->whole;
        }
        if (input->listener.report == model->report)
            code = op_model_add(model, input->listener.first, &input->listener.places, &window);
    }
    return code;
}

/* What is worth doing about the operations of a run. */
static status look_for_advice(struct ops_advice *advice)
{
    const struct advise_input *first = advice->inputs.first;
    struct advice *to = &advice->advised.advice;
    double run_ns = first->run_ns, runs = (double)first->counted.counted;
    struct op_window window;
    struct op_model model;
    bool chosen = chosen_rows(advice, &window, &run_ns);
    status code;

    advice_start(to, run_ns);
    summarize(advice, chosen, &window, to);
    op_model_start(&model, &advice->advise, advice->inputs.rows);
    model.numbered = !first->log;
    code = fill_model(advice, &model, &window);
    if (code == STATUS_OK)
        code = op_model_settle(&model, chosen || runs < 1 ? 1 : runs, run_ns);
    if (code == STATUS_OK)
        code = op_model_judge(&model);
    for (size_t i = 0; i < advice->inputs.count; i++)
        for (size_t j = 0; j < advice->inputs.items[i].listener.log_count && code == STATUS_OK; j++)
            code = op_model_find_cores(&model, &advice->inputs.items[i].listener.logs[j], to);
    if (code == STATUS_OK) {
        op_model_advise(&model, to);
        code = advice_settle(to);
        op_model_doubt(&model, to);
    }
    op_model_free(&model);
    return code;
}

static status find_advice(struct ops_advice *advice)
{
    const struct architecture_set *const sets[] = { &tenstorrent_architectures, NULL };
    const char *architecture = advice->common->architecture;
    bool file = advise_is_file(architecture);
    struct advise_options given = advice->settings->options;
    status code = read_range(advice->settings->id_range, &given);

    given.architecture = file ? NULL : architecture;
    if (code == STATUS_OK)
        code = architectures_load(&advice->architectures, file ? architecture : NULL, sets);
    if (code == STATUS_OK)
        code = advise_run(&advice->advise, advice->inputs.rows, &advice->architectures, &given);
    if (code == STATUS_OK)
        code = advise_stack(&advice->advise, advice->group, &advice->stack);
    return code == STATUS_OK ? look_for_advice(advice) : code;
}

/* ---- Files ---------------------------------------------------------------------------------------------------------- */

static struct advise_style style_of(const struct ops_advice *advice, const struct printer_style *style)
{
    return (struct advise_style){
        .colour = style && advise_style_of(advice->common, style).colour,
        .advice = !advice->common->no_advice && (advice->settings->options.as_original || advice->common->csv),
        .raw_codes = advice->settings->raw_codes,
        .least = advice->least,
    };
}

static status write_csv(const struct ops_advice *advice, const char *path)
{
    struct advise_style style = style_of(advice, NULL);
    struct output *output;
    status code = output_open(path, &output);

    if (code != STATUS_OK)
        return code;
    advise_write_csv(output, &advice->advise, &style);
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

static status write_page(struct ops_advice *advice, const char *path)
{
    struct document *document = advise_document(&advice->advise, &advice->stack, &advice->advised.advice);
    status code = document ? document_write(document, path) : status_no_memory("writing a page");

    document_free(document);
    return code;
}

static bool has_stack(const struct ops_advice *advice)
{
    return advice->stacked && advice->advise.count;
}

static status write_files(const struct job *job, struct ops_advice *advice)
{
    const char *output = advice->common->output, *csv = advice->common->csv;
    status code = output && !view_is_asked(&job->view) ? write_page(advice, output) : STATUS_OK;

    if (code == STATUS_OK && csv)
        code = write_csv(advice, csv);
    if (code != STATUS_OK || !advice->csv.text || !has_stack(advice) || !advice->stack.count)
        return code;
    code = write_stack_csv(&advice->stack, advice->csv.text);
    return code == STATUS_OK ? write_page(advice, advice->html.text) : code;
}

/* ---- What is printed ------------------------------------------------------------------------------------------------ */

static void say(struct output *output, const struct advise_style *style, const char *what, const char *path)
{
    struct path text = { .text = NULL };

    if (path_set(&text, "%s %s", what, path) == STATUS_OK)
        advise_write_message(output, &(struct advise_message){ ADVISE_INFO, text.text }, style);
    output_stick(output, text.failure);
    path_free(&text);
}

static void print_stack(struct output *output, const struct ops_advice *advice, const struct advise_style *style)
{
    const struct advise_stack *stack = &advice->stack;

    for (size_t i = 0; i < stack->message_count; i++)
        advise_write_message(output, &stack->messages[i], style);
    if (!stack->count) {
        struct advise_message none = { ADVISE_WARNING, "No data available for stacked report generation." };

        advise_write_message(output, &none, style);
        return;
    }
    if (!advice->common->csv)
        output_stick(output, advise_write_stack(output, &advice->advise, stack, style));
    if (advice->csv.text) {
        say(output, style, "Writing CSV stacked report to", advice->csv.text);
        say(output, style, "Writing HTML report to", advice->html.text);
    }
}

static void print_report(struct output *output, const void *data, const struct printer_style *terminal)
{
    const struct ops_advice *advice = data;
    struct advise_style style = style_of(advice, terminal);

    for (size_t i = 0; i < advice->advise.message_count; i++)
        advise_write_message(output, &advice->advise.messages[i], &style);
    if (advice->common->csv)
        say(output, &style, "Writing CSV output to", advice->common->csv);
    else
        output_stick(output, advise_write_text(output, &advice->advise, &style));
    if (has_stack(advice))
        print_stack(output, advice, &style);
}

/* What is worth doing; the original's own words are below its table. */
static void print_list(struct output *output, const void *data, const struct printer_style *terminal)
{
    struct ops_advice *advice = (struct ops_advice *)(uintptr_t)data; /* sentences are made in its arena */
    struct printer_style style = advise_style_of(advice->common, terminal);

    advice_write_title(output, &advice->advised.advice, &style);
    advice_write_text(output, &advice->advised.advice, &style);
    for (size_t i = 0; i < advice->advised.advice.note_count; i++)
        text_write_wrapped(output, &style, "note: ", advice->advised.advice.notes[i]);
}

static void write_rows(struct json_out *out, const char *key, status code, struct table *table)
{
    if (code == STATUS_OK)
        table_write_member(out, key, table);
    else
        output_stick(out->output, code);
    table_free(table);
}

static void print_json(struct output *output, const void *data, const struct printer_style *style)
{
    struct ops_advice *advice = (struct ops_advice *)(uintptr_t)data; /* sentences are made in its arena */
    struct table *operations = NULL, *stack = NULL;
    struct json_out out;
    status code;

    (void)style;
    json_out_start(&out, output);
    json_out_object(&out, NULL, JSON_LINES);
    json_out_text(&out, "profile", advice->advised.advice.subject);
    json_out_text(&out, "summary", advice->advised.advice.summary);
    advice_write_members(&out, &advice->advised.advice);
    code = advise_op_table(&advice->advise, SIZE_MAX, "", NULL, &operations);
    write_rows(&out, "operations", code, operations);
    code = advise_stack_table(&advice->stack, &stack);
    write_rows(&out, "stack", code, stack);
    json_out_end(&out);
    json_out_finish(&out);
}

static status add_tables(struct job *job, const struct ops_advice *advice)
{
    struct table *operations = NULL;
    status code = advise_add_table(job, advice_item_table(&advice->advised.advice, "Advice"));

    if (code == STATUS_OK)
        code = advise_op_table(&advice->advise, SIZE_MAX, "Operations", NULL, &operations);
    return code == STATUS_OK ? advise_add_table(job, operations) : code;
}

/* `*kept`: products point into the advice, and free it. */
static status add_products(struct job *job, struct ops_advice *advice, bool *kept)
{
    status code;

    if (view_is_asked(&job->view)) {
        struct table *table = NULL;

        code = advise_op_table(&advice->advise, SIZE_MAX, "Operations", &job->view, &table);
        return code == STATUS_OK ? advise_add_view(job, table) : code;
    }
    *kept = true;
    code = job_json(job, print_json, advice, free_advice);
    if (code != STATUS_OK || (advice->common->output && !advice->common->csv && !has_summary_file(advice->settings)))
        return code;
    code = job->by_name ? add_tables(job, advice) : STATUS_OK;
    if (code != STATUS_OK)
        return code;
    if (!advice->common->no_advice && !advice->settings->options.as_original &&
        (!advice->common->csv || advice->common->rank))
        code = advise_block(job, "advice", print_list, advice);
    return code == STATUS_OK && !advice->common->rank ? advise_block(job, "operations", print_report, advice) : code;
}

/* A device log alone has no table of operations: the answer is all. */
static status give_answer(struct job *job, struct ops_advice *advice)
{
    struct advised answer = advice->advised;

    advice->advised = (struct advised){ .roofs = { .times = 1 } };
    advice_start(&advice->advised.advice, 0);
    return advise_settings(job)->taken ? advise_show(job, &answer) : advise_take(job, &answer);
}

static status run_with(struct job *job, struct ops_advice *advice, bool *kept)
{
    status code = read_options(job, advice);

    if (code != STATUS_OK)
        return code;
    note_old_options(job, advice->settings);
    code = advise_inputs_read(&advice->inputs, job);
    if (code == STATUS_OK)
        code = find_advice(advice);
    if (code == STATUS_OK && (advice->inputs.first->log || advice->common->taken))
        return give_answer(job, advice);
    if (code == STATUS_OK)
        code = write_files(job, advice);
    return code == STATUS_OK ? add_products(job, advice, kept) : code;
}

static status run(struct job *job, const void *settings)
{
    struct ops_advice *advice = memory_allocate_clear(sizeof *advice);
    bool kept = false;
    status code;

    if (!advice)
        return status_no_memory("starting");
    advice->settings = settings;
    advice->common = job->settings;
    code = run_with(job, advice, &kept);
    if (!kept)
        free_advice(advice);
    return code;
}

static bool accepts(const struct reader *reader)
{
    return reader->chain == &tenstorrent_chain;
}

const struct verb_part tenstorrent_advise_part = {
    .verb = "advise",
    .options = options,
    .settings_size = sizeof(struct settings_of_ops_advice),
    .accepts = accepts,
    .reads = PART_OPEN,
    .about = "reports of operations (tt-ops-csv) and device logs",
    .run = run,
};
