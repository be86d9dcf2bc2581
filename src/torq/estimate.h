/* estimate.h: a compiler's estimated work, kept by the key that ties it to measured jobs.
 *
 * Filled from a compile timeline (it is a sink: slices with a task or an action argument are kept) or from a program's own
 * cycle attributes. Owns its rows until `estimate_free`.
 */
#ifndef TORQ_ESTIMATE_H
#define TORQ_ESTIMATE_H

#include "torq/chain.h"
#include "torq/program.h"
#include "trace/clock.h"
#include "trace/sink.h"

enum estimate_key { ESTIMATE_BY_NOTHING, ESTIMATE_BY_ACTION, ESTIMATE_BY_TASK };

struct estimate_row {
    int64_t key;                 /* action or task id, as logged */
    uint32_t group;              /* job index for BY_TASK, action id for BY_ACTION; NO_ID: belongs to none */
    const struct engine *engine; /* that works */
    uint32_t index;              /* slice number */
    string_id name;              /* empty: none but the location */
    string_id location;          /* as printed; empty: none */
    int64_t start;               /* cycles */
    int64_t end;                 /* the same */
};

struct estimate {
    struct strings *strings;   /* of the trace */
    struct torq_keys keys;     /* in it, from the first track on */
    struct estimate_row *rows; /* after completion by (group, start) */
    size_t count;              /* of the rows */
    size_t capacity;           /* the same */
    enum estimate_key key;     /* what ties rows to jobs */
    bool keep;                 /* as a sink: keep rows; false: only learn of tracks and operators */
    struct clock clock;        /* cycles to ns */
    struct column tracks;      /* while it is a sink: engine and index of each track */
    struct column operators;   /* while it is a sink: location of each operator */
};

void estimate_start(struct estimate *estimate, struct strings *strings);
void estimate_free(struct estimate *estimate);
struct sink estimate_sink(struct estimate *estimate);

/* Take a program's own cycle attributes as the estimate. */
NODISCARD status estimate_from_program(struct estimate *estimate, const struct program *program,
                                       const struct clock *clock);
/* Sort and group; `program` maps tasks to jobs and may be NULL (then only BY_ACTION can be used). */
NODISCARD status estimate_complete(struct estimate *estimate, const struct program *program);

/* The rows of a group, by start; `*count` is 0 when there are none. */
const struct estimate_row *estimate_group(const struct estimate *estimate, uint32_t group, size_t *count);

#endif
