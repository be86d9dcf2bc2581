/* board.c: programs that run models of Torq on a board, and what is made of the logs that they leave. */
#include "base/path.h"
#include "job/job.h"
#include "torq/chain.h"

/* With the program beside it, a log is annotated as `tacho annotate` does it; without one there is nothing to annotate it with. */
static status annotate(const struct job *job, const char *log, struct path *made)
{
    const char *program = settings_get(&job->reading.settings, "mlir");
    struct job question;
    status code;

    if (!program)
        return STATUS_OK;
    code = job_start(&question, &torq_annotate_verb);
    question.reading = job->reading;
    if (code == STATUS_OK)
        code = path_set(made, "%.*sannotated_%.*s.csv", (int)(path_name(log) - log), log, (int)path_stem(log).length,
                        path_stem(log).data);
    question.output = made->text;
    if (code == STATUS_OK)
        code = job_input(&question, program);
    if (code == STATUS_OK)
        code = job_input(&question, log);
    if (code == STATUS_OK)
        code = job_run(&question);
    if (code == STATUS_OK)
        code = job_write_file(&question, made->text);
    job_free(&question);
    return code;
}

static const char *const profiles[] = { "--torq_profile_host", "--torq_profile", NULL };

const struct chain_program torq_programs[] = {
    { "torq-run-module", "/home/root/iree-build-soc", profiles, annotate },
    { "iree-run-module", "/home/root/iree-build-soc", profiles, annotate },
    { 0 },
};
