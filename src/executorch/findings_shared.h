/* findings_shared.h: what the files of the findings share. Private to them.
 *
 * A finder carries the input and the first failure: once memory ran out, everything that follows is done in vain and the caller
 * of `findings_find` is told.
 */
#ifndef EXECUTORCH_FINDINGS_SHARED_H
#define EXECUTORCH_FINDINGS_SHARED_H

#include "executorch/findings.h"
#include "executorch/operator_facts.h"

enum {
    OPERATOR_PERCENT = 5,  /* an operator, or portable ones, over this are a bottleneck */
    CATEGORY_PERCENT = 10, /* the same for data movement and the rest */
    OVERHEAD_PERCENT = 5,  /* for calls and framework */
    LISTED_PERCENT = 1     /* less is not worth a line of its own */
};

struct finder {
    const struct findings_input *input; /* borrowed */
    struct findings *findings;          /* that is filled; borrowed */
    const struct operators *side;       /* the candidate's */
    const struct operators *base;       /* the baseline's; NULL: none */
    double execute_ms;                  /* of an inference */
    uint32_t *order;                    /* operators that are work, the longest first */
    size_t work;                        /* of order */
    uint32_t delegates;                 /* delegate calls of an inference */
    uint32_t delegated;                 /* operators */
    bool has_nodes;                     /* some operator is joined with a node of the graph */
    struct kernel_facts base_facts;     /* of the baseline's log */
    status code;                        /* the first failure; STATUS_OK: none */
};

/* ---- Texts ---- */

/* In the findings' arena; "" after a failure. */
const char *say(struct finder *finder, const char *format, ...) PRINTF_LIKE(2, 3);
const char *say_ms(struct finder *finder, double ms);                                 /* three digits: "0.0568 ms" */
const char *say_file(struct finder *finder, const char *path, const char *otherwise); /* as a word for a shell */
const char *plural(size_t count, const char *one, const char *many);
bool text_has(const char *text, const char *piece); /* in any case; NULL has nothing */

/* " at models.py:56, module b"; "" where nothing is known. */
const char *say_place(struct finder *finder, const struct findings_row *row);
/* What they do, each once: "cumsum, gt, where, topk and 3 more". */
const char *say_operations(struct finder *finder, const uint32_t *members, size_t count);

/* ---- Operators ---- */

const struct operator_sum *sum_at(const struct finder *finder, uint32_t op);
double ms_at(const struct finder *finder, uint32_t op);
double percent_at(const struct finder *finder, uint32_t op);
enum category category_at(const struct finder *finder, uint32_t op);
const struct operator_sum *counterpart(const struct finder *finder, uint32_t op);  /* in the baseline; NULL: none */
double speedup_at(const struct finder *finder, uint32_t op);                       /* 0: not known */
const struct kernel *kernel_of_operator(const struct finder *finder, uint32_t op); /* that ran; NULL: not known */

struct findings_row row_of(struct finder *finder, uint32_t op);
/* The sum of several; its name is what `name` says. */
struct findings_row row_of_cluster(struct finder *finder, const struct operator_cluster *cluster, const char *name);

/* ---- Adding; the structs are copied ---- */

void add_bottleneck(struct finder *finder, struct bottleneck bottleneck);
void add_shortfall(struct finder *finder, struct shortfall shortfall);
void add_step(struct finder *finder, const char *title, const char *text, const char *command);

/* ---- Parts, one file each ---- */

void find_kernel_facts(struct finder *finder);
void find_nature(struct finder *finder);
void find_bottlenecks(struct finder *finder);
void find_shortfalls(struct finder *finder);
void find_steps(struct finder *finder);

/* Whether an operator gained less than SME2 should give. */
bool is_short(const struct finder *finder, uint32_t op);

#endif
