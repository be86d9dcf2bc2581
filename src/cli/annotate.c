/* annotate.c: tacho annotate: a runtime log with the engines, kernels and operators of the program it ran. */
#include <string.h>

#include "cli/terminal.h"
#include "cli/verbs.h"
#include "job/table_file.h"
#include "table/dialect.h"
#include "torq/annotate.h"
#include "torq/chain.h"
#include "torq/companions.h"
#include "torq/measured.h"
#include "write/writer.h"

static struct given {
    const char *columns;
    const char *output;
    bool long_headers;
    bool host_profiling;
    bool json;
} settings;

static const struct old_option options[] = {
    { "output", 'o', OLD_OPTION_TEXT, &settings.output, "FILE", "the same as OUT: .csv .xlsx .pb .json .md .html" },
    { "columns", 0, OLD_OPTION_TEXT, &settings.columns, "a1|a2|a3", "exactly the columns of an original annotator" },
    { "long-headers", 0, OLD_OPTION_FLAG, &settings.long_headers, NULL, "headers in words, as in the spreadsheet" },
    { "host_profiling", 0, OLD_OPTION_FLAG, &settings.host_profiling, NULL,
      "accepted: the kind of log is found by content" },
    { "json", 0, OLD_OPTION_FLAG, &settings.json, NULL, "as JSON" },
    { 0 },
};

/* What one annotation holds. */
struct job {
    struct session session;
    struct measured measured;
    struct feed feed;
};

static status parse_columns(enum annotate_form *form)
{
    static const char *const names[] = { "a1", "a2", "a3" };
    static const enum annotate_form forms[] = { ANNOTATE_A1, ANNOTATE_A2, ANNOTATE_A3 };

    for (unsigned i = 0; i < 3; i++) {
        if (strcmp(settings.columns, names[i]) == 0) {
            *form = forms[i];
            return STATUS_OK;
        }
    }
    return status_fail(STATUS_USAGE, "--columns wants a1, a2 or a3, not \"%s\"", settings.columns);
}

static status choose_form(const struct profile *profile, enum annotate_form *form)
{
    if (settings.columns)
        return parse_columns(form);
    if (!settings.output && !settings.json)
        *form = ANNOTATE_BLOCKS;
    else
        *form = profile->source.generation && strcmp(profile->source.generation, "R1") == 0 ? ANNOTATE_JOBS
                                                                                            : ANNOTATE_ACTIONS;
    return STATUS_OK;
}

static status print(struct job *job, const struct profile *profile)
{
    struct annotation annotation = {
        .program = torq_program(&profile->source),
        .measured = &job->measured,
        .origin = torq_origin(&profile->source),
        .strings = job->session.strings,
    };
    struct dialect dialect = dialect_pandas;
    enum annotate_form form = ANNOTATE_BLOCKS;
    struct table *table;
    status code = choose_form(profile, &form);

    if (code == STATUS_OK)
        code = annotate_table(&annotation, form, &table);
    if (code != STATUS_OK)
        return code;
    dialect.titles = settings.long_headers;
    if (form != ANNOTATE_A1 && form != ANNOTATE_A2 && form != ANNOTATE_A3)
        dialect.integers_with_nulls_as_decimals = false;
    if (settings.output)
        code = session_check_output(&job->session, settings.output);
    if (code == STATUS_OK)
        code = settings.output ? table_to_file(table, settings.output, &dialect, "Detailed Performance Data")
                               : table_print(table, settings.json);
    if (settings.output && code == STATUS_OK)
        report_notes(table);
    table_free(table);
    report_profile(profile);
    return code;
}

static status is_program(const char *path, bool *program)
{
    const struct reader *reader;
    struct input *input;
    status code = reader_open(path, NULL, &input, &reader);

    *program = code == STATUS_OK && reader == &torq_mlir_reader;
    input_close(input);
    return code;
}

/* The documents give the dump first; the other order is understood as well. */
static status find_roles(const struct old_texts *words, const char **log)
{
    bool program = false;
    status code = STATUS_OK;

    settings_set(&common.settings, "mlir", words->items[0]);
    *log = words->items[1];
    if (strcmp(words->items[1], "-") != 0)
        code = is_program(words->items[1], &program);
    if (program) {
        settings_set(&common.settings, "mlir", words->items[1]);
        *log = words->items[0];
    }
    return code;
}

static status annotate(struct job *job, const char *log)
{
    status code = session_add_all(&job->session, &log, 1);

    if (code != STATUS_OK)
        return code;
    if (job->session.profiles[0].reader != &torq_runtime_reader)
        return status_fail_at(STATUS_INPUT, (struct place){ log, 0, 0 }, "not a runtime log but %s",
                              job->session.profiles[0].reader->title);
    measured_start(&job->measured, job->session.strings);
    feed_start(&job->feed, measured_sink(&job->measured), job->session.strings);
    code = session_read(&job->session, &job->session.profiles[0], &job->feed);
    return code == STATUS_OK ? print(job, &job->session.profiles[0]) : code;
}

static status run(const struct old_texts *words)
{
    struct job job = { 0 };
    const char *log;
    status code;

    if (words->count < 2 || words->count > 3)
        return status_fail(STATUS_USAGE, "tacho annotate wants MLIR RUNTIME.csv [OUT]; see tacho annotate --help");
    if (words->count == 3)
        settings.output = words->items[2];
    code = find_roles(words, &log);
    if (code != STATUS_OK)
        return code;
    if (settings.output && writer_for_path(settings.output) == &perfetto_format) {
        struct old_texts inputs = { .items = { log }, .count = 1 };

        return convert_to(&inputs, settings.output);
    }
    code = session_start(&job.session, &common);
    if (code == STATUS_OK)
        code = annotate(&job, log);
    feed_free(&job.feed);
    measured_free(&job.measured);
    session_end(&job.session);
    return code;
}

const struct old_verb annotate_verb = {
    .name = "annotate",
    .summary = "put engines, kernels and operators beside a runtime log",
    .usage = "[options] MLIR RUNTIME.csv [OUT]",
    .options = options,
    .more = common_options,
    .run = run,
};
