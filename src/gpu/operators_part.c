/* operators_part.c: tacho operators for profiles of frameworks: what each operator costs, on the host and on the device. */
#include "analyze/overview.h"
#include "base/format.h"
#include "base/memory.h"
#include "gpu/chain.h"
#include "gpu/operators.h"

static void note(struct table *table, const struct gpu_profile *profile, bool several)
{
    const struct profile *input = gpu_profile_of(profile);
    char sentence[RUNS_SENTENCE], time[FORMAT_SIZE];
    const char *notes[PROFILE_NOTES];
    size_t count = profile_notes(input, &profile->metrics, notes);

    if (several)
        table_note(table, "input: %s", input->path);
    format_duration(time, metrics_ns(&profile->metrics, &metric_overall));
    if (runs_sentence(&profile->runs, sentence))
        table_note(table, "a run takes %s: %s", time, sentence);
    else
        table_note(table, "it takes %s", time);
    table_note(table, "times are means over these runs; self times %s",
               profile->pieces.work_count ? "of the device add up to all of its work"
                                          : "add up to all time in operators");
    for (size_t i = 0; i < count; i++)
        table_note(table, "%s", notes[i]);
    overview_note_losses(table, NULL, &input->losses);
}

static status add_input(struct job *job, struct gpu_profile *profile, const char *path)
{
    struct gpu_operators operators = { 0 };
    struct table *table = NULL;
    status code = gpu_profile_read(profile, job, path);

    if (code == STATUS_OK && job->output)
        code = session_check_output(&profile->session, job->output);
    if (code == STATUS_OK)
        code = gpu_operators_fill(&operators, profile);
    if (code == STATUS_OK)
        code = gpu_operators_table(&operators, &job->view, &table);
    if (code == STATUS_OK && !view_asks_help(&job->view))
        note(table, profile, job->inputs.count > 1);
    gpu_operators_free(&operators);
    return code == STATUS_OK ? job_table(job, table) : code;
}

static status run(struct job *job, const void *settings)
{
    struct gpu_profile *profile;
    status code = STATUS_OK;

    (void)settings;
    if (job->inputs.count > 1 && (job->json || job->output))
        return status_fail(STATUS_USAGE, "operators with --json or -o takes one profile at a time");
    profile = memory_allocate_clear(sizeof *profile);
    if (!profile)
        return status_no_memory("adding up operators");
    for (size_t i = 0; i < job->inputs.count && code == STATUS_OK; i++) {
        code = add_input(job, profile, job->inputs.items[i]);
        gpu_profile_free(profile);
    }
    memory_free(profile);
    return code;
}

static bool accepts(const struct reader *reader)
{
    return reader->chain == &gpu_chain;
}

const struct verb_part gpu_operators_part = {
    .verb = "operators",
    .accepts = accepts,
    .about = "operators of a framework on a GPU",
    .run = run,
};
