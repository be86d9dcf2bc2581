#include "executorch/runner_log.h"

#include <string.h>

#include "base/number.h"
#include "executorch/csv.h"
#include "executorch/execution.h"
#include "torq/csv.h"
#include "trace/clock.h"

/* ---- Lines ---- */

static const char *find(struct text line, const char *piece)
{
    return line.data && line.length ? memmem(line.data, line.length, piece, strlen(piece)) : NULL;
}

static bool take(const char **next, const char *end, const char *piece)
{
    size_t length = strlen(piece);

    if ((size_t)(end - *next) < length || memcmp(*next, piece, length) != 0)
        return false;
    *next += length;
    return true;
}

/* The number up to the unit that follows it. */
static const struct loss_reason *take_time(const char *next, const char *end, const char *unit, int places,
                                           int64_t *time)
{
    struct text rest = { next, (size_t)(end - next) };
    const char *stop = find(rest, unit);
    const struct loss_reason *reason;

    if (!stop)
        return &loss_number;
    reason = et_scaled((struct text){ next, (size_t)(stop - next) }, places, time);
    if (reason == NULL && *time < 0)
        return &loss_end_before_start;
    return reason == NULL && *time > INT64_MAX / 4 ? &loss_time_range : reason;
}

static struct runner_line finish(struct runner_line line, enum runner_kind kind)
{
    line.kind = line.bad == NULL ? kind : RUNNER_BAD;
    return line;
}

/* "Iteration 3 of 30: 6.688265 ms"; a sentence that only has the word is nothing. */
static struct runner_line read_iteration(struct text text, const char *next)
{
    const char *end = text.data + text.length;
    struct runner_line line = { .column = (size_t)(next - text.data) };

    if (!take(&next, end, "Iteration ") || !number_read_unsigned(&next, end, &line.index) ||
        !take(&next, end, " of ") || !number_read_unsigned(&next, end, &line.count) || !take(&next, end, ":"))
        return (struct runner_line){ .kind = RUNNER_NOTHING };
    line.bad = take_time(next, end, "ms", 6, &line.time);
    return finish(line, RUNNER_ITERATION);
}

/* "Model loaded in 0.710557 ms." */
static struct runner_line read_loaded(struct text text, const char *next)
{
    const char *end = text.data + text.length;
    struct runner_line line = { .column = (size_t)(next - text.data) };

    take(&next, end, "Model loaded in ");
    line.bad = take_time(next, end, "ms", 6, &line.time);
    return finish(line, RUNNER_LOADED);
}

/* "Model executed successfully 30 time(s) in 6.972920 ms."; older runners leave all after "successfully" out. */
static struct runner_line read_total(struct text text, const char *next)
{
    const char *end = text.data + text.length;
    struct runner_line line = { .column = (size_t)(next - text.data) };

    if (!take(&next, end, "Model executed successfully ") || !number_read_unsigned(&next, end, &line.count) ||
        !take(&next, end, " time(s) in "))
        return (struct runner_line){ .kind = RUNNER_NOTHING };
    line.bad = line.count ? take_time(next, end, "ms", 6, &line.time) : &loss_number;
    return finish(line, RUNNER_TOTAL);
}

/* "Model file out/net.pte is loaded." */
static struct runner_line read_model(struct text text, const char *next)
{
    const char *end = text.data + text.length;
    struct runner_line line = { .column = (size_t)(next - text.data) };
    const char *stop;

    take(&next, end, "Model file ");
    stop = find((struct text){ next, (size_t)(end - next) }, " is loaded");
    if (!stop)
        return (struct runner_line){ .kind = RUNNER_NOTHING };
    for (const char *slash = next; (slash = memchr(slash, '/', (size_t)(stop - slash)));)
        next = ++slash;
    if (stop - next > 4 && memcmp(stop - 4, ".pte", 4) == 0)
        stop -= 4;
    line.model = (struct text){ next, (size_t)(stop - next) };
    line.bad = NULL;
    return finish(line, RUNNER_MODEL);
}

/* The pipeline's summary: a name, blanks, a number. */
static struct runner_line read_summary(struct text text, const char *next)
{
    const char *end = text.data + text.length;
    struct runner_line line = { .column = (size_t)(next - text.data) };

    if (take(&next, end, "Execution Total Runner:")) {
        line.bad = take_time(next, end, "s", 9, &line.time);
        return finish(line, RUNNER_SUMMARY_RUNNER);
    }
    if (take(&next, end, "Execution Total Wall:")) {
        line.bad = take_time(next, end, "s", 9, &line.time);
        return finish(line, RUNNER_SUMMARY_WALL);
    }
    if (!take(&next, end, "Execution Iterations:"))
        return (struct runner_line){ .kind = RUNNER_NOTHING };
    while (next < end && *next == ' ')
        next++;
    line.bad = number_read_unsigned(&next, end, &line.count) && line.count ? NULL : &loss_number;
    return finish(line, RUNNER_SUMMARY_COUNT);
}

struct runner_line runner_line(struct text line)
{
    static const struct {
        const char *words;
        struct runner_line (*read)(struct text text, const char *next);
    } known[] = {
        { "Iteration ", read_iteration },
        { "Model loaded in ", read_loaded },
        { "Model executed successfully ", read_total },
        { "Model file ", read_model },
        { "Execution ", read_summary },
    };

    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const char *found = find(line, known[i].words);
        struct runner_line read;

        if (!found)
            continue;
        read = known[i].read(line, found);
        if (read.kind != RUNNER_NOTHING)
            return read;
    }
    return (struct runner_line){ .kind = RUNNER_NOTHING };
}

unsigned runner_log_probe(struct text head)
{
    struct text line;
    unsigned count = 0;

    while (csv_next_line(&head, &line)) {
        count += runner_line(line).kind != RUNNER_NOTHING || find(line, "executorch:executor_runner") ||
                 find(line, "PERFORMANCE SUMMARY");
    }
    return count;
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
    key = execution_key(block, name_id, event_kind_of_name((struct text){ name, strlen(name) }));
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
    struct line line;
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
    if (code == STATUS_OK)
        code = runner_log_settle(&log, source, execution, empty);
    runner_log_free(&log);
    lines_close(lines);
    return code;
}
