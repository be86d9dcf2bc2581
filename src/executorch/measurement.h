/* measurement.h: what the files of one experiment say: latencies by launch, and what each operator cost.
 *
 * Every file is read once and then forgotten; what is kept does not grow with the events. A measurement owns what it holds until
 * `measurement_free`; the pool of texts, the graph and the rules are borrowed.
 */
#ifndef EXECUTORCH_MEASUREMENT_H
#define EXECUTORCH_MEASUREMENT_H

#include "executorch/launches.h"
#include "executorch/operators.h"
#include "executorch/rundir.h"
#include "executorch/same_model.h"

struct measure_options {
    struct tick_rate ticks;             /* {0, 0}: nanoseconds */
    const struct category_rules *rules; /* NULL: only the table */
    const struct graph *graph;          /* of the model; NULL: none */
    struct same_model *model;           /* which all files must be of; NULL: any */
    bool strict;                        /* the first row that is lost is fatal */
    bool force_companion;               /* the graph is used also where it contradicts a file */
    const int64_t *warmup;              /* that the user wants, or WARMUP_AUTO; NULL: what the manifest states */
};

struct measurement {
    struct run_entry *entry;         /* borrowed: whose files were read */
    struct launches launches;        /* latencies; none where nothing has any */
    enum run_source latency_source;  /* NONE: nothing has latencies */
    struct operators operators;      /* sums over all launches */
    enum run_source operator_source; /* NONE: nothing tells about operators */
    uint64_t rows, lost;             /* of all files */
    bool synthetic;                  /* starts are not in the files */
    bool no_clock;                   /* of some file */
    const int64_t *warmup;           /* as in the options; borrowed */
    const char *left_out;            /* why the graph is not used, in the pool; NULL: it is, or there is none */
};

/* Reads the best files of an entry; one that cannot be read is noted and rejected, and the next best is taken. No latency and no
 * operators are no failure. Free it also after a failure. */
NODISCARD status measure_entry(struct rundir *rundir, struct run_entry *entry, const struct measure_options *options,
                               struct strings *strings, struct measurement *measurement);
void measurement_free(struct measurement *measurement);

/* How many runs at the start of each launch are warm-up: what the user wants, else what the manifest states (warmup_in_process), where every launch has more runs; else
 * WARMUP_AUTO. */
int64_t measurement_warmup(const struct measurement *measurement);

/* All latencies in one array, to be freed with memory_free; NULL and 0 where there are none. */
NODISCARD status measurement_latencies(const struct measurement *measurement, double **ms, size_t *count);

#endif
