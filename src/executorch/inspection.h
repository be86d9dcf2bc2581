/* inspection.h: everything that a report about one run directory rests on, loaded once.
 *
 * Each experiment that was timed is measured (its files are read one after the other and forgotten), compared with its
 * counterpart, and tied to the model's graph and to what the kernel logs say. An inspection owns all of it until
 * `inspection_free`; options are borrowed.
 */
#ifndef EXECUTORCH_INSPECTION_H
#define EXECUTORCH_INSPECTION_H

#include "executorch/measurement.h"
#include "executorch/operators_tables.h"

struct inspection_options {
    const char *baseline, *candidate;   /* experiments; NULL: found */
    const struct category_rules *rules; /* NULL: only the table */
    struct tick_rate ticks;             /* {0, 0}: nanoseconds */
    bool strict;                        /* a file that cannot be used is a failure */
    bool force_companion;               /* the record is used also where it contradicts a file */
    bool different_models;              /* experiments need not be of one model */
    const int64_t *warmup;              /* that the user wants, or WARMUP_AUTO; NULL: what the manifest states */
};

/* Latencies over all runs that count, whatever launch they are of. */
struct plain_latency {
    size_t runs;                      /* 0: none, and the rest means nothing */
    double all_median;                /* over all runs, warm-up included, as the original's files state it; in ms */
    double median, mean, least, most; /* in ms */
    double deviation;                 /* 0 for one run */
};

/* What a kernel log or kernel table says; experiments may share one. */
struct inspected_kernels {
    const struct run_file *file;   /* that was read */
    const struct run_entry *entry; /* that the file belongs to */
    struct kernel_log log;         /* what it says */
};

/* An experiment that was timed. */
struct inspected {
    const struct run_entry *entry;  /* the experiment */
    struct measurement measurement; /* what its files say */
    struct plain_latency plain;     /* runs is 0: there are no latencies */
    const struct latency_summary
        *latency;                      /* without warm-up: of its pair's comparison, or its own; NULL: no latencies */
    struct latency_summary alone;      /* of one that is in no pair */
    struct inspected_kernels *kernels; /* NULL: none */
    uint32_t kernel_operators;         /* operators that the log tells about */
};

struct inspected_pair {
    const struct inspected *baseline, *candidate; /* borrowed from the inspection */
    bool has_latency;                             /* of both; else there is no comparison */
    struct latency_comparison comparison;         /* of their launches */
    bool has_operators;                           /* of both, in the same form; else there are no matches */
    struct operators_pair operators;              /* the candidate is the first side */
    const char *label;                            /* of the configuration; NULL: none */
    bool sme2;                                    /* SME2 on against SME2 off, by their names */
};

struct inspection {
    struct rundir rundir;              /* that it is about */
    struct strings *strings;           /* pool of all that was read */
    bool has_graph;                    /* a record of the model was read */
    struct graph graph;                /* from there */
    struct same_model model;           /* of all experiments */
    struct inspected *items;           /* in the order of the entries */
    size_t count;                      /* of them */
    struct inspected_kernels *kernels; /* each file once */
    size_t kernel_count;               /* of them */
    struct inspected_pair *pairs;      /* the first is the one that the report is about */
    size_t pair_count;                 /* of them */
};

/* STATUS_INPUT where the folder holds nothing that a report could be about. Free it also after a failure. */
NODISCARD status inspection_open(struct inspection *inspection, const char *path,
                                 const struct inspection_options *options);
void inspection_free(struct inspection *inspection);

/* The pair that the report is about; NULL: nothing is compared. */
const struct inspected_pair *inspection_pair(const struct inspection *inspection);
/* The experiment that the report is about: the candidate, else the first that has most to tell. */
const struct inspected *inspection_subject(const struct inspection *inspection);

bool inspected_has_operators(const struct inspected *item);
/* Operators as sums over types, without a place in the program: from operator statistics. */
bool inspected_is_summed(const struct inspected *item);

/* What a side is called in tables: SME2-On and SME2-Off in such a pair, else the experiment's label. */
const char *inspected_title(const struct inspected_pair *pair, const struct inspected *item);

#endif
