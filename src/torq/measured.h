/* measured.h: a sink that keeps what a runtime log measured of each action, job and HAL call.
 *
 * It is what annotation needs: a few numbers per action, in the order in which they began. Owns its rows until
 * `measured_free`; texts are ids in the pool of the log.
 */
#ifndef TORQ_MEASURED_H
#define TORQ_MEASURED_H

#include "base/column.h"
#include "torq/chain.h"
#include "trace/sink.h"

enum measured_kind {
    MEASURED_ACTION, /* has an action id */
    MEASURED_JOB,    /* an NSS job; in a log of actions it only repeats what its actions say: see measured_is_block */
    MEASURED_HAL,    /* a HAL call */
    MEASURED_INIT    /* the INIT scope of a dispatch */
};

struct measured_row {
    enum measured_kind kind; /* what was measured */
    string_id dispatch;      /* name of the dispatch or HAL scope; empty: the log names none */
    int64_t invocation;      /* -1: none */
    int64_t id;              /* action or job id; -1: none */
    string_id name;          /* of its slice */
    string_id location;      /* as logged; empty: none */
    int64_t start;           /* ticks */
    int64_t end;             /* the same */
};

struct measured {
    struct torq_keys keys;   /* from the first track on */
    struct strings *strings; /* borrowed: the pool of the log */
    struct column rows;      /* struct measured_row, in order of begin */
    struct column engines;   /* const struct engine *of each track */
    struct column operators; /* location of each operator */
    struct clock clock;      /* of the log */
    bool has_actions;        /* some row is an action */
    uint32_t *opens;         /* row + 1 of each open id; 0: not kept */
    size_t open_capacity;    /* of them */
};

void measured_start(struct measured *measured, struct strings *strings);
void measured_free(struct measured *measured);
struct sink measured_sink(struct measured *measured);

static inline const struct measured_row *measured_row(const struct measured *measured, size_t index)
{
    return column_at(&measured->rows, index);
}

/* The row stands for a block of work of its own: an action, or a job in a log that has no actions. */
static inline bool measured_is_block(const struct measured *measured, const struct measured_row *row)
{
    return row->kind == MEASURED_ACTION || (row->kind == MEASURED_JOB && !measured->has_actions);
}

#endif
