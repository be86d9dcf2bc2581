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
        profile_note_input(input, table);
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

/* The table of one input, and how long a run takes in it; -1: it is no rank of a launch. */
struct answer {
    struct table *table; /* owned until the job has it */
    int64_t ns;          /* of a run */
};

static status read_input(struct job *job, struct gpu_profile *profile, const char *path, struct answer *answer)
{
    struct gpu_operators operators = { 0 };
    status code = gpu_profile_read(profile, job, path);

    if (code == STATUS_OK && job->output)
        code = session_check_output(&profile->session, job->output);
    if (code == STATUS_OK)
        code = gpu_operators_fill(&operators, profile);
    if (code == STATUS_OK)
        code = gpu_operators_table(&operators, &job->view, &answer->table);
    if (code == STATUS_OK && !view_asks_help(&job->view))
        note(answer->table, profile, job->inputs.count > 1);
    answer->ns = -1;
    if (code == STATUS_OK && gpu_profile_of(profile)->source.ranks)
        answer->ns = metrics_ns(&profile->metrics, &metric_overall);
    gpu_operators_free(&operators);
    return code;
}

/* Of ranks of a launch the slowest stands first: a run takes as long as in that. */
static void order(struct answer *answers, size_t count)
{
    size_t slowest = 0;

    for (size_t i = 0; i < count; i++) {
        if (answers[i].ns < 0)
            return;
        slowest = answers[i].ns > answers[slowest].ns ? i : slowest;
    }
    for (struct answer first = answers[slowest]; slowest > 0; slowest--) {
        answers[slowest] = answers[slowest - 1];
        answers[slowest - 1] = first;
    }
}

static status run(struct job *job, const void *settings)
{
    size_t count = job->inputs.count, given = 0;
    struct gpu_profile *profile;
    struct answer *answers;
    status code = STATUS_OK;

    (void)settings;
    if (count > 1 && (job->json || job->output))
        return status_fail(STATUS_USAGE, "operators with --json or -o takes one profile at a time");
    profile = memory_allocate_clear(sizeof *profile);
    answers = memory_allocate_clear(count * sizeof *answers);
    if (!profile || !answers)
        code = status_no_memory("adding up operators");
    for (size_t i = 0; i < count && code == STATUS_OK; i++) {
        code = read_input(job, profile, job->inputs.items[i], &answers[i]);
        gpu_profile_free(profile);
    }
    if (code == STATUS_OK)
        order(answers, count);
    while (given < count && code == STATUS_OK)
        code = job_table(job, answers[given++].table);
    for (; answers && given < count; given++)
        table_free(answers[given].table);
    memory_free(answers);
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
