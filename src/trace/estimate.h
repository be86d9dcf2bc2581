/* estimate.h: a compiler's estimated work, kept by the key that ties it to measured jobs.
 *
 * Filled from a compile timeline (it is a sink: slices with a task or an action argument are kept) or from a program's own
 * cycle attributes. Owns its rows until `estimate_free`.
 */
#ifndef TRACE_ESTIMATE_H
#define TRACE_ESTIMATE_H

#include "trace/clock.h"
#include "trace/program.h"
#include "trace/sink.h"

enum estimate_key { ESTIMATE_BY_NOTHING, ESTIMATE_BY_ACTION, ESTIMATE_BY_TASK };

struct estimate_row {
    int64_t key;       /* action or task id; after estimate_complete: see `group` */
    uint32_t group;    /* job index for BY_TASK, action id for BY_ACTION */
    enum engine engine;
    uint32_t index;    /* slice number */
    string_id name;
    string_id location;
    int64_t start;     /* cycles */
    int64_t end;
};

struct estimate {
    struct column rows;      /* struct estimate_row, by group after completion */
    struct column order;     /* uint32_t row numbers sorted by (group, start) */
    struct column tracks;    /* engine, index, clock of the tracks met */
    struct column operators; /* location of each operator met */
    enum estimate_key key;
    struct clock clock;      /* cycles to ns */
    bool has_clock;
};

void estimate_start(struct estimate *estimate);
void estimate_free(struct estimate *estimate);
struct sink estimate_sink(struct estimate *estimate);

/* Take a program's own cycle attributes as the estimate. */
NODISCARD status estimate_from_program(struct estimate *estimate, const struct program *program, const struct clock *clock);
/* Sort and group; `program` maps tasks to jobs and may be NULL (then only BY_ACTION can be used). */
NODISCARD status estimate_complete(struct estimate *estimate, const struct program *program);

/* The rows of a group: positions [*first, *first + *count) for estimate_at. False: none. */
bool estimate_group(const struct estimate *estimate, uint32_t group, size_t *first, size_t *count);
const struct estimate_row *estimate_at(const struct estimate *estimate, size_t position);

#endif
