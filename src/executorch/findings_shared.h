/* findings_shared.h: what the files of the findings share. Private to them.
 *
 * A finder carries the input and the first failure: once memory ran out, everything that follows is done in vain and the caller
 * of `findings_find` is told.
 */
#ifndef EXECUTORCH_FINDINGS_SHARED_H
#define EXECUTORCH_FINDINGS_SHARED_H

#include "executorch/findings.h"

enum {
    OPERATOR_PERCENT = 5,  /* an operator, or portable ones, over this are a bottleneck */
    CATEGORY_PERCENT = 10, /* the same for data movement and the rest */
    OVERHEAD_PERCENT = 5,  /* for calls and framework */
    LISTED_PERCENT = 1,    /* less is not worth a line of its own */
    EVIDENCE_ROWS = 5      /* of one recommendation, after the sum */
};

/* The best rates of one data type. */
struct best_rate {
    struct text type; /* "F32", "QD8, F32, QC8W" */
    double gflops;    /* 10^9 operations a second */
    uint32_t op;      /* that reached it */
};

/* What a kernel log proves, in numbers. Only kernels that stand are counted, but for `replaced`. */
struct kernel_facts {
    uint32_t standing, replaced, ran; /* kernels that were chosen, that another choice took the place of, that ran */
    uint32_t sme, sme2;               /* SME2 ones are SME ones too */
    uint32_t sme_ran;                 /* SME ones that ran */
    uint32_t x86, arm;                /* by what their names say they are made for */
    const char *main; /* architecture of most operators whose kernel is known, else of most kernels; NULL: none */
};

struct finder {
    const struct findings_input *input;    /* borrowed */
    struct findings *findings;             /* that is filled; borrowed */
    const struct operators *side;          /* the candidate's */
    const struct operators *base;          /* the baseline's; NULL: none */
    double execute_ms;                     /* of an inference */
    uint32_t *order;                       /* operators that are work, the longest first */
    size_t work;                           /* of order */
    bool *covered;                         /* by operator: some recommendation speaks of it already */
    uint32_t delegates;                    /* delegate calls of an inference */
    uint32_t delegated;                    /* operators */
    bool has_nodes;                        /* some operator is joined with a node of the graph */
    struct best_rate *rates;               /* by data type */
    size_t rate_count, rate_capacity;      /* of rates */
    double best_bandwidth;                 /* GB/s; 0: not known */
    uint32_t best_bandwidth_operator;      /* that reached it; valid where it is known */
    struct kernel_facts facts, base_facts; /* of the candidate's log, and of the baseline's */
    status code;                           /* the first failure; STATUS_OK: none */
};

/* Operators that have something in common, the longest first. */
struct cluster {
    struct text key;         /* what they have in common */
    const uint32_t *members; /* operators, in `members` of the clusters */
    size_t count;            /* of members */
    int64_t total;           /* ticks */
};

struct clusters {
    struct cluster *items; /* the longest first */
    size_t count;          /* of items */
    uint32_t *members;     /* of all items, one behind the other; owned */
};

/* ---- Texts ---- */

/* In the findings' arena; "" after a failure. */
const char *say(struct finder *finder, const char *format, ...) PRINTF_LIKE(2, 3);
const char *say_ms(struct finder *finder, double ms);                                 /* three digits: "0.0568 ms" */
const char *say_ms_of(struct finder *finder, double ms);                              /* "0.0568 of 0.232 ms" */
const char *say_file(struct finder *finder, const char *path, const char *otherwise); /* as a word for a shell */
const char *plural(size_t count, const char *one, const char *many);
bool text_has(const char *text, const char *piece); /* in any case; NULL has nothing */

/* What a person calls an operator: "cumsum", or the type of a delegated one. Part of a text in the pool. */
struct text operation_of(const struct finder *finder, uint32_t op);
/* " at models.py:56, module b"; "" where nothing is known. */
const char *say_place(struct finder *finder, const struct findings_row *row);
/* What they do, each operation once: "cumsum, gt, where, topk and 3 more". */
const char *say_operations(struct finder *finder, const uint32_t *members, size_t count);

/* ---- Operators ---- */

const struct operator_sum *sum_at(const struct finder *finder, uint32_t op);
double ms_at(const struct finder *finder, uint32_t op);
double percent_at(const struct finder *finder, uint32_t op);
enum category category_at(const struct finder *finder, uint32_t op);
const struct operator_sum *counterpart(const struct finder *finder, uint32_t op);  /* in the baseline; NULL: none */
double speedup_at(const struct finder *finder, uint32_t op);                       /* 0: not known */
const struct kernel *kernel_of_operator(const struct finder *finder, uint32_t op); /* that ran; NULL: not known */
struct text data_type_of(const struct finder *finder, uint32_t op);                /* "F32"; empty: not known */
bool is_depthwise(const struct finder *finder, uint32_t op);
/* " to XnnpackBackend"; "" where the data do not name the backend. */
const char *say_backend(struct finder *finder, uint32_t op);
double bandwidth_at(const struct finder *finder, uint32_t op); /* GB/s; 0: not known */
/* Rows of a matrix product: from the kernel log, else from the shape; 0: not known. */
uint64_t rows_of_product(const struct finder *finder, uint32_t op);
const struct best_rate *best_rate_of(const struct finder *finder, uint32_t op); /* NULL: none */

struct findings_row row_of(struct finder *finder, uint32_t op);
/* The sum of several; its name is what `name` says. */
struct findings_row row_of_cluster(struct finder *finder, const struct cluster *cluster, const char *name);

/* Operators for which `chosen` holds, by `key`. */
void clusters_make(struct finder *finder, bool (*chosen)(const struct finder *, uint32_t),
                   struct text (*key)(const struct finder *, uint32_t), struct clusters *clusters);
void clusters_free(struct clusters *clusters);

/* ---- Adding; the structs are copied ---- */

void add_bottleneck(struct finder *finder, struct bottleneck bottleneck);
void add_shortfall(struct finder *finder, struct shortfall shortfall);
void add_recommendation(struct finder *finder, struct recommendation recommendation);
void add_note(struct finder *finder, const char *note);
/* Its evidence: the sum where there are several, then the longest; they count as covered. */
void add_evidence(struct finder *finder, struct recommendation *recommendation, const struct cluster *cluster,
                  const char *name);

/* ---- Parts, one file each ---- */

void find_kernel_facts(struct finder *finder);
void find_nature(struct finder *finder);
void find_bottlenecks(struct finder *finder);
void find_shortfalls(struct finder *finder);
void advise_portable(struct finder *finder);
void advise_movement(struct finder *finder);
void advise_speedup(struct finder *finder);
void advise_rates(struct finder *finder);
void advise_overhead(struct finder *finder);
void advise_analysis(struct finder *finder);

/* Whether the pair ought to gain what SME2 gives. */
bool expects_sme2(const struct finder *finder);
/* Whether an operator gained less than that. */
bool is_short(const struct finder *finder, uint32_t op);
/* SME kernels of the candidate that stand for a kind of work: "gemm" (igemm too), "dwconv". */
uint32_t sme_kernels_for(const struct finder *finder, const char *operation);
double least_speedup(enum category category);
double most_speedup(enum category category);

/* Portable operators that lie between two delegates; `members` has room for all of them. */
size_t between_delegates(const struct finder *finder, uint32_t *members, int64_t *total);
/* Why an operator is slow for its work, from its shape; NULL: the shape does not tell. */
const char *why_slow(struct finder *finder, uint32_t op);
/* Under a third of the best rate of its data type. */
bool is_slow(const struct finder *finder, uint32_t op);
/* The least time, by the best rate and the best bandwidth of this profile; 0: not known. */
double attainable_ms(const struct finder *finder, uint32_t op);

#endif
