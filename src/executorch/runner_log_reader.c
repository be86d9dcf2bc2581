/* runner_log_reader.c: the log of ExecuTorch's runner: how long each inference took, where no ETDump was written.
 *
 * The log has durations; where they lie in time it does not say, so that inferences are laid end to end.
 */
#include "executorch/chain.h"
#include "executorch/execution_reader.h"
#include "executorch/runner_log.h"

static int probe(struct text head, const char *path)
{
    unsigned lines = runner_log_probe(head);

    (void)path;
    return lines > 1 ? 70 : lines ? 50 : 0;
}

static status read_execution(struct source *source, struct execution *execution)
{
    return runner_log_read(source, execution, "the log has no line of the runner that gives a time");
}

static status read(struct source *source, struct feed *feed)
{
    return execution_read(source, feed, read_execution);
}

static const struct companion *const companions[] = { &executorch_graph_companion, NULL };
static const struct executorch_calls calls = { .execution = read_execution };

const struct reader et_runner_log_reader = {
    .id = "et-runner-log",
    .title = "ExecuTorch runner log",
    .chain = &executorch_chain,
    .companions = companions,
    .own = &calls,
    .kind = READER_MEASURED,
    .files = "*_latency.log, runner.log",
    .probe = probe,
    .read = read,
};
