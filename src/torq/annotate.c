/* annotate.c: tacho annotate: a runtime log with the engines, kernels and operators of the program it ran. */
#include "base/text.h"
#include "job/core_verbs.h"
#include "table/dialect.h"
#include "torq/annotation.h"
#include "torq/chain.h"
#include "torq/companions.h"
#include "write/writer.h"

struct settings_of_annotate {
    bool long_headers;      /* titles in the CSV */
    bool host_profiling;    /* without effect */
    bool as_original;       /* a trace with the labels of the originals */
    struct dialect dialect; /* of the CSV; made while the job runs */
};

static const struct option options[] = {
    { "long-headers", 0, OPTION_FLAG, offsetof(struct settings_of_annotate, long_headers), NULL,
      "headers in words, as in the spreadsheet" },
    { "host_profiling", 0, OPTION_FLAG, offsetof(struct settings_of_annotate, host_profiling), NULL,
      "accepted: the kind of log is found by content" },
    { "as-original", 0, OPTION_FLAG, offsetof(struct settings_of_annotate, as_original), NULL,
      "labels of a trace (.pb) as the original tools write them" },
    { 0 },
};

/* What one annotation holds. */
struct work {
    struct session session;   /* with the log */
    struct measured measured; /* what it says */
    struct feed feed;         /* from one to the other */
};

/* A form that --columns names. NULL: none does. */
static const struct annotation_form *named_form(const char *columns, bool numbered)
{
    const struct annotation_form *const forms[] = {
        numbered ? &form_numbered_blocks : &form_blocks, &form_jobs, &form_actions, &form_a1, &form_a2, &form_a3
    };
    struct text rest = text_of(columns);

    while (rest.data) {
        struct text name = text_trim(text_take(&rest, ','));

        for (unsigned i = 0; i < sizeof forms / sizeof *forms; i++)
            if (text_is(name, forms[i]->name))
                return forms[i];
    }
    return NULL;
}

/* For people every block, for machines a row per action or per operation of a job. */
static const struct annotation_form *choose_form(const struct job *job, const struct annotation *annotation,
                                                 const char *generation)
{
    bool numbered = annotation->program->dispatches.count > 1;
    const struct annotation_form *named = named_form(job->view.columns, numbered);

    if (named)
        return named;
    if (!job->output && !job->json)
        return numbered ? &form_numbered_blocks : &form_blocks;
    return generation && strcmp(generation, "R1") == 0 ? &form_jobs : &form_actions;
}

static status make_table(struct job *job, struct annotation *annotation, const char *generation)
{
    struct settings_of_annotate *settings = job->settings;
    const struct annotation_form *form = choose_form(job, annotation, generation);
    struct table *table;
    status code = annotation_table(annotation, form, &job->view, &table);

    if (code == STATUS_OK)
        code = job_table(job, table);
    if (code != STATUS_OK)
        return code;
    settings->dialect = dialect_pandas;
    settings->dialect.titles = settings->long_headers;
    settings->dialect.integers_with_nulls_as_decimals = form->exact;
    job_last(job)->dialect = &settings->dialect;
    job_last(job)->sheet = "Detailed Performance Data";
    for (size_t i = 0; job->output && i < table_notes(table); i++)
        job_note(job, NOTE_PLAIN, NULL, "note: %s", table_note_at(table, i));
    return STATUS_OK;
}

static const char wanted[] = "a runtime log of Torq is wanted here, together with the program that ran";

static const char *refuses(const struct reader *reader)
{
    return reader == &torq_runtime_reader || reader == &torq_mlir_reader ? NULL : wanted;
}

static status annotate(struct job *job, struct work *work, const char *log)
{
    struct annotation annotation = { .measured = &work->measured, .strings = work->session.strings };
    struct profile *profile;
    status code = session_add_all(&work->session, &log, 1);

    if (code != STATUS_OK)
        return code;
    profile = &work->session.profiles[0];
    if (profile->reader != &torq_runtime_reader)
        return reader_refuse(profile->reader, log, wanted);
    if (job->output)
        code = session_check_output(&work->session, job->output);
    measured_start(&work->measured, work->session.strings);
    feed_start(&work->feed, measured_sink(&work->measured), work->session.strings);
    if (code == STATUS_OK)
        code = session_read(&work->session, profile, &work->feed);
    if (code != STATUS_OK)
        return code;
    annotation.program = torq_program(&profile->source);
    annotation.origin = torq_origin(&profile->source);
    code = annotation_start(&annotation);
    if (code == STATUS_OK)
        code = make_table(job, &annotation, profile->source.generation);
    annotation_free(&annotation);
    if (code == STATUS_OK)
        job_note_profile(job, profile);
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
static status find_roles(struct job *job, const char **log)
{
    const char *const *words = job->inputs.items;
    bool program = false;
    status code = strcmp(words[1], "-") == 0 ? STATUS_OK : is_program(words[1], &program);

    settings_set(&job->reading.settings, "mlir", words[program]);
    *log = words[!program];
    return code;
}

static status run(struct job *job)
{
    struct conversion_options how = CONVERSION_DEFAULTS;
    struct work work = { 0 };
    const char *log;
    status code;

    if (job->inputs.count < 2 || job->inputs.count > 3)
        return status_fail(STATUS_USAGE, "tacho annotate wants MLIR RUNTIME.csv [OUT]; see tacho annotate --help");
    if (job->inputs.count == 3 && strcmp(job->inputs.items[2], "-") != 0)
        job->output = job->inputs.items[2];
    code = find_roles(job, &log);
    if (code != STATUS_OK)
        return code;
    if (job->output && writer_for_path(job->output) == &perfetto_format) {
        const char *items[] = { log, NULL };

        how.as_original = ((const struct settings_of_annotate *)job->settings)->as_original;
        return convert_inputs(job, &(struct texts){ .items = items, .count = 1 }, job->output, &perfetto_format, &how);
    }
    code = session_start(&work.session, &job->reading);
    if (code == STATUS_OK)
        code = annotate(job, &work, log);
    feed_free(&work.feed);
    measured_free(&work.measured);
    session_end(&work.session);
    return code;
}

static const struct verb_table tables[] = {
    { .name = "annotated",
      .description = "blocks in execution order, or what --columns names: actions, jobs, a1, a2, a3",
      .apart = true },
    { 0 },
};

const struct verb torq_annotate_verb = {
    .name = "annotate",
    .summary = "put engines, kernels and operators beside a runtime log",
    .usage = "[options] MLIR RUNTIME.csv [OUT]",
    .takes = VERB_READS | VERB_VIEWS | VERB_OUTPUTS | VERB_JSON,
    .output_help = "the same as OUT: .csv .xlsx .pb .json .md .html",
    .chain = &torq_chain,
    .options = options,
    .settings_size = sizeof(struct settings_of_annotate),
    .tables = tables,
    .refuses = refuses,
    .run = run,
};
