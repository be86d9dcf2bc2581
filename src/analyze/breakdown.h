/* breakdown.h: an input's time by operator, by what operators have in common, or by engine, the largest first.
 *
 * The total of an operator is the time in which at least one engine, program on the accelerator or host program worked for it: the union
 * of its slices, so work on several engines at once is not counted twice. Different operators may work at the same time, so
 * these totals may add up to more than the whole. Their own times do not (operator_time.h): a moment in which several work is shared out evenly (of zones inside
 * each other, on one thread, it is the innermost one's), and own times and idle add up to the whole exactly.
 *
 * A breakdown owns its rows until `breakdown_free`. It is also the context of the fields of its entity, "operator" or "engine": chains
 * that add fields get it.
 */
#ifndef ANALYZE_BREAKDOWN_H
#define ANALYZE_BREAKDOWN_H

#include "analyze/metrics.h"
#include "table/field.h"

enum breakdown_by {
    BREAKDOWN_OPERATOR,
    BREAKDOWN_LOCATION,
    BREAKDOWN_TYPE,
    BREAKDOWN_MODULE,
    BREAKDOWN_KERNEL,
    BREAKDOWN_CATEGORY,
    BREAKDOWN_ENGINE
};

/* What a row is about. The last two come behind all others: with them own times add up to the whole. */
enum breakdown_kind {
    ROW_WORK,    /* operators, or an engine */
    ROW_BETWEEN, /* the rest: something was at work, but for no operator */
    ROW_IDLE     /* nothing was at work */
};

struct breakdown_row {
    enum breakdown_kind kind; /* of row */
    operator_id op;           /* NO_ID: work that names no operator; of several: the first; by engine: the track */
    uint32_t count;           /* operators in it */
    int64_t total;            /* ticks, union over all its work; of several the sum */
    int64_t own;              /* ticks, of moments in which several operators work its part; by engine: as the total */
    int64_t own_ns;           /* the same of one run, rounded so that all rows add up */
    int64_t transfer;         /* ticks, union over engines that move data */
    int64_t compute;          /* ticks, union over engines that compute */
    int64_t host;             /* ticks, union over work of the host */
    int64_t bytes;            /* moved */
    int64_t macs;             /* multiplications with an addition; 0: none, or not known */
    uint64_t slices;          /* pieces of work */
};

struct breakdown {
    struct breakdown_row *rows;    /* by total, largest first; then by operator id */
    size_t count;                  /* of rows */
    enum breakdown_by by;          /* what a row is */
    const struct busy *busy;       /* borrowed, settled */
    const struct metrics *metrics; /* of the input: the whole and the clock; NULL: rows only */
    const struct strings *strings; /* of names */
};

/* The operators that worked under `process`, and what no operator is known for. `busy` must be settled. */
NODISCARD status breakdown_operators(const struct busy *busy, track_id process, struct breakdown *breakdown);
/* The rows of any kind, ready to be shown. */
NODISCARD status breakdown_make(const struct busy *busy, track_id process, const struct metrics *metrics,
                                const struct strings *strings, enum breakdown_by by, struct breakdown *breakdown);
void breakdown_free(struct breakdown *breakdown);

/* What a person calls the engine of a track. */
const char *breakdown_engine(const struct track *track, const struct metrics *metrics, const struct strings *strings);

/* The fields of each kind: the first set of `rows.sets` that a chain's sets come behind. */
extern const struct field_set *const breakdown_sets[];
/* The views of each kind, NULL at the end. */
const struct view *const *breakdown_views(enum breakdown_by by);
/* What --by says: an entity; "name" is "operator". STATUS_USAGE: neither. */
NODISCARD status breakdown_by_parse(const char *text, enum breakdown_by *by);
/* The entity that the rows are: "operator", "location", "type", "module", "kernel", "category", "engine". */
const char *breakdown_entity(enum breakdown_by by);

/* As a table, with notes that say what the rows leave out. `sets` are those of the core and of chains; `request` may be NULL. The caller
 * frees `*table`. */
NODISCARD status breakdown_table(const struct breakdown *breakdown, const struct field_set *const *sets,
                                 const struct view_request *request, struct table **table);

#endif
