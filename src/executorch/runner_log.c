/* runner_log.c: the log of ExecuTorch's runner: how long each inference took, where no ETDump was written.
 *
 * The log has durations; where they lie in time it does not say, so that inferences are laid end to end.
 */
#include "executorch/runner_log.h"
#include "executorch/launch_failure.h"

#include <assert.h>

#include "base/number.h"
#include "executorch/chain.h"
#include "executorch/execution_reader.h"
#include "read/value.h"
#include "trace/clock.h"

/* ---- Lines ---- */

/* A time up to its unit; `places` make it nanoseconds. */
static const struct loss_reason *read_time(struct text text, const char *unit, int places, int64_t *time)
{
    const char *stop = text_find(text, unit);
    const struct loss_reason *reason;

    if (!stop)
        return &loss_number;
    reason = value_as_scaled(text_between(text.data, stop), places, time);
    if (reason == NULL && *time < 0)
        return &loss_end_before_start;
    return reason == NULL && *time > INT64_MAX / 4 ? &loss_time_range : reason;
}

static bool take_count(struct text *text, uint64_t *count)
{
    const char *next = text->data, *end = next + text->length;

    if (!number_read_unsigned(&next, end, count))
        return false;
    *text = text_between(next, end);
    return true;
}

/* "3 of 30: 6.688265 ms"; a sentence that only has the word is nothing. */
static enum runner_kind read_iteration(struct text rest, struct runner_line *line)
{
    if (!take_count(&rest, &line->index) || !text_cut_start(&rest, " of ") || !take_count(&rest, &line->count) ||
        !text_cut_start(&rest, ":"))
        return RUNNER_NOTHING;
    line->bad = read_time(rest, "ms", 6, &line->time);
    return RUNNER_ITERATION;
}

/* "0.710557 ms." */
static enum runner_kind read_loaded(struct text rest, struct runner_line *line)
{
    line->bad = read_time(rest, "ms", 6, &line->time);
    return RUNNER_LOADED;
}

/* "30 time(s) in 6.972920 ms."; older runners leave all of it out. */
static enum runner_kind read_total(struct text rest, struct runner_line *line)
{
    if (!take_count(&rest, &line->count) || !text_cut_start(&rest, " time(s) in "))
        return RUNNER_NOTHING;
    line->bad = line->count ? read_time(rest, "ms", 6, &line->time) : &loss_number;
    return RUNNER_TOTAL;
}

/* "out/net.pte is loaded." */
static enum runner_kind read_model(struct text rest, struct runner_line *line)
{
    const char *stop = text_find(rest, " is loaded"), *slash;

    if (!stop)
        return RUNNER_NOTHING;
    line->model = text_between(rest.data, stop);
    if ((slash = text_last(line->model, '/')))
        line->model = text_between(slash + 1, stop);
    if (line->model.length > 4)
        (void)text_cut_end(&line->model, ".pte");
    return RUNNER_MODEL;
}

/* The pipeline's summary: a name, blanks, a number. */
static enum runner_kind read_summary(struct text rest, struct runner_line *line)
{
    if (text_cut_start(&rest, "Total Runner:")) {
        line->bad = read_time(rest, "s", 9, &line->time);
        return RUNNER_SUMMARY_RUNNER;
    }
    if (text_cut_start(&rest, "Total Wall:")) {
        line->bad = read_time(rest, "s", 9, &line->time);
        return RUNNER_SUMMARY_WALL;
    }
    if (!text_cut_start(&rest, "Iterations:"))
        return RUNNER_NOTHING;
    rest = text_trim(rest);
    line->bad = take_count(&rest, &line->count) && line->count ? NULL : &loss_number;
    return RUNNER_SUMMARY_COUNT;
}

struct runner_line runner_line(struct text line)
{
    static const struct {
        const char *words;                                                    /* that such a line has */
        enum runner_kind (*read)(struct text rest, struct runner_line *line); /* what comes behind them */
    } known[] = {
        { "Iteration ", read_iteration },
        { "Model loaded in ", read_loaded },
        { "Model executed successfully ", read_total },
        { "Model file ", read_model },
        { "Execution ", read_summary },
    };

    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        struct text rest = text_after(line, known[i].words);
        struct runner_line read = { .kind = RUNNER_NOTHING };

        if (!rest.data)
            continue;
        read.column = (size_t)(rest.data - line.data) - strlen(known[i].words);
        read.kind = known[i].read(rest, &read);
        if (read.kind == RUNNER_NOTHING)
            continue;
        if (read.bad != NULL)
            read.kind = RUNNER_BAD;
        return read;
    }
    return (struct runner_line){ .kind = RUNNER_NOTHING };
}

/* ---- A whole log ---- */

void runner_log_start(struct runner_log *log)
{
    *log = (struct runner_log){ .loaded = -1, .total = -1, .summary_runner = -1, .summary_wall = -1 };
    column_start(&log->iterations, sizeof(int64_t));
}

void runner_log_free(struct runner_log *log)
{
    column_free(&log->iterations);
}

static status add_iteration(struct runner_log *log, const struct runner_line *line)
{
    int64_t *time = log->iterations.count < NO_ID - 1 ? column_append(&log->iterations) : NULL;

    if (!time)
        return status_no_memory("keeping iterations");
    *time = line->time;
    log->restarted |= line->index == 1 && log->iterations.count > 1;
    return STATUS_OK;
}

status runner_log_add(struct runner_log *log, struct source *source, struct execution *execution,
                      const struct line *line)
{
    struct runner_line read = runner_line((struct text){ line->data, line->length });

    if (read.kind == RUNNER_NOTHING)
        return STATUS_OK;
    if (read.kind == RUNNER_MODEL)
        return strings_add(execution->strings, read.model.data, read.model.length, &log->model);
    execution->losses.rows++;
    if (read.kind == RUNNER_BAD)
        return source_lose_row(source, &execution->losses, read.bad, line->number, read.column + 1);
    execution->losses.used++;
    switch (read.kind) {
    case RUNNER_LOADED:
        log->loaded = read.time;
        break;
    case RUNNER_ITERATION:
        return add_iteration(log, &read);
    case RUNNER_TOTAL:
        log->total = read.time;
        log->total_count = read.count;
        break;
    case RUNNER_SUMMARY_COUNT:
        log->summary_count = read.count;
        break;
    case RUNNER_SUMMARY_RUNNER:
        log->summary_runner = read.time;
        break;
    default:
        assert(read.kind == RUNNER_SUMMARY_WALL);
        log->summary_wall = read.time;
        break;
    }
    return STATUS_OK;
}

/* An event in a run of its own, right after the one before. */
static status add_event(struct execution *execution, const char *block_name, const char *name, int64_t *now,
                        int64_t time)
{
    struct execution_operator key;
    string_id block, name_id;
    uint32_t op, run;
    status code = strings_add_text(execution->strings, block_name, &block);

    if (code == STATUS_OK)
        code = strings_add_text(execution->strings, name, &name_id);
    if (code != STATUS_OK)
        return code;
    if (*now > INT64_MAX / 2)
        return status_fail(STATUS_INPUT, "the inferences of the log last longer than any clock");
    key = execution_key(block, name_id, event_kind_of_name(text_of(name)));
    code = execution_operator(execution, &key, &op);
    if (code == STATUS_OK)
        code = execution_add_run(execution, block, -1, &run);
    if (code == STATUS_OK)
        code = execution_add_event(execution, op, run, *now, time, NULL);
    *now += time;
    return code;
}

/* The mean of a log that gives no single times: ns, rounded. -1: it gives no time at all. */
static int64_t mean_time(const struct runner_log *log, struct source *source)
{
    uint64_t count = log->total >= 0 ? log->total_count : log->summary_count;
    int64_t total = log->total >= 0 ? log->total : log->summary_runner >= 0 ? log->summary_runner : log->summary_wall;

    if (total < 0 || !count)
        return -1;
    if (log->total < 0 && log->summary_runner < 0)
        source_note(source,
                    "the log has only the time of the whole process: its mean includes start and end of the process");
    if (count > 1)
        source_note(source, "the log has only the total of its inferences: they are one run with their mean time");
    return (int64_t)(((uint64_t)total + count / 2) / count);
}

status runner_log_settle(const struct runner_log *log, struct source *source, struct execution *execution,
                         const char *empty)
{
    int64_t now = 0;
    int64_t mean = log->iterations.count ? -1 : mean_time(log, source);
    status code = STATUS_OK;

    assert(empty && log->iterations.element_size && "a log is started before it is settled");
    execution->synthetic = true;
    execution->clock = clock_nanoseconds(0);
    execution->model = log->model;
    if (!log->iterations.count && mean < 0 && log->loaded < 0 && !execution->losses.lost)
        return status_fail_at(STATUS_INPUT, (struct place){ .file = input_name(source->input) }, "%s", empty);
    if (log->restarted)
        source_note(source, "the log holds several launches: their inferences are taken as those of one");
    if (log->loaded >= 0)
        code = add_event(execution, "Default", "Program::load_method", &now, log->loaded);
    for (size_t i = 0; code == STATUS_OK && i < log->iterations.count; i++)
        code =
            add_event(execution, "Execute", "Method::execute", &now, *(const int64_t *)column_at(&log->iterations, i));
    if (code == STATUS_OK && mean >= 0)
        code = add_event(execution, "Execute", "Method::execute", &now, mean);
    return code == STATUS_OK ? execution_settle(execution) : code;
}

status runner_log_read(struct source *source, struct execution *execution, const char *empty)
{
    struct runner_log log;
    struct lines *lines;
    struct line line = { .number = 0 };
    bool found = true;
    status code = lines_open(source->input, &lines);

    if (code != STATUS_OK)
        return code;
    runner_log_start(&log);
    while (code == STATUS_OK && found) {
        code = lines_next(lines, &line, &found);
        if (code == STATUS_OK && found)
            code = runner_log_add(&log, source, execution, &line);
    }
    code = source_use_part(source, source->input, line.number, code);
    if (code == STATUS_OK)
        code = runner_log_settle(&log, source, execution, empty);
    runner_log_free(&log);
    lines_close(lines);
    return code;
}

/* ---- The reader ---- */

/* Words of which every line has one that `probe` counts: most files have none of them, and are looked through once. */
static bool may_have_lines(struct text head)
{
    return text_contains(head, "Model ") || text_contains(head, "Iteration ") || text_contains(head, "Execution ") ||
           text_contains(head, "executor_runner") || text_contains(head, "PERFORMANCE SUMMARY");
}

static int probe(struct text head, const char *path)
{
    struct text line;
    unsigned count = 0;

    (void)path;
    if (!may_have_lines(head))
        return 0;
    while (text_take_line(&head, &line)) {
        count += runner_line(line).kind != RUNNER_NOTHING || text_contains(line, "executorch:executor_runner") ||
                 text_contains(line, "PERFORMANCE SUMMARY");
    }
    return count > 1 ? 70 : count ? 50 : 0;
}

static status read_execution(struct source *source, struct execution *execution)
{
    return runner_log_read(source, execution, "the log has no line of the runner that gives a time");
}

static status read(struct source *source, struct feed *feed)
{
    return execution_read(source, feed, read_execution);
}

static const struct companion *const companions[] = { &executorch_graph_companion, &executorch_failure_companion,
                                                      NULL };
static const struct executorch_calls calls = { .execution = read_execution, .bare = true };

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
