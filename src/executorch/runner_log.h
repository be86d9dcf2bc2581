/* runner_log.h: what ExecuTorch's runner says about its inferences, line by line.
 *
 *   I 00:00:00.001308 executorch:executor_runner.cpp:624] Model loaded in 0.710557 ms.
 *   I 00:00:00.001614 executorch:executor_runner.cpp:779] Iteration 1 of 30: 0.302590 ms
 *   I 00:00:00.008407 executorch:executor_runner.cpp:789] Model executed successfully 30 time(s) in 6.972920 ms.
 *   Execution Iterations:    30                                  the pipeline's summary
 *   Execution Total Runner:  0.006973s
 *
 * What stands before (logcat, another prefix, nothing) does not matter. A runner log collects these lines of one file; it
 * owns its column until `runner_log_free`.
 */
#ifndef EXECUTORCH_RUNNER_LOG_H
#define EXECUTORCH_RUNNER_LOG_H

#include "base/column.h"
#include "base/lines.h"
#include "executorch/execution.h"
#include "read/reader.h"

enum runner_kind {
    RUNNER_NOTHING, /* another line */
    RUNNER_MODEL,   /* the model's file */
    RUNNER_LOADED,
    RUNNER_ITERATION,
    RUNNER_TOTAL,          /* of all inferences */
    RUNNER_SUMMARY_COUNT,  /* inferences, as the pipeline's summary has them */
    RUNNER_SUMMARY_RUNNER, /* their time by the runner */
    RUNNER_SUMMARY_WALL,   /* their time with the process around them */
    RUNNER_BAD             /* one of these whose number cannot be read */
};

struct runner_line {
    enum runner_kind kind;         /* what it says */
    uint64_t index;                /* of an iteration, from 1 */
    uint64_t count;                /* of inferences: 30 */
    int64_t time;                  /* ns */
    struct text model;             /* base name of the model's file, without its suffix */
    const struct loss_reason *bad; /* why */
    size_t column;                 /* where it stands in the line, from 0 */
};

struct runner_line runner_line(struct text line);

/* Everything of one log. */
struct runner_log {
    struct column iterations; /* int64_t: ns */
    int64_t loaded;           /* ns; -1: not said */
    int64_t total;            /* ns; -1: not said */
    uint64_t total_count;     /* inferences of that total */
    int64_t summary_runner;   /* ns; -1: not said */
    int64_t summary_wall;     /* ns; -1: not said */
    uint64_t summary_count;   /* inferences of the summary */
    string_id model;          /* 0: not said */
    bool restarted;           /* iterations count from 1 again: several launches in one file */
};

void runner_log_start(struct runner_log *log);
void runner_log_free(struct runner_log *log);

/* Takes a line in: counts it as a row where it is one of these, and loses it where its number cannot be read. */
NODISCARD status runner_log_add(struct runner_log *log, struct source *source, struct execution *execution,
                                const struct line *line);

/* The inferences of the log as an execution, settled. STATUS_INPUT with the sentence `empty` where it has none. */
NODISCARD status runner_log_settle(const struct runner_log *log, struct source *source, struct execution *execution,
                                   const char *empty);

/* All of it: the lines of a source into an execution. */
NODISCARD status runner_log_read(struct source *source, struct execution *execution, const char *empty);

#endif
