/* rules.h: advice on a model (analyze/advice.h): what the launches of one side say, and rules that find what could be saved.
 *
 * A model is made of the operators of a side: the time of each, a pool that items claim it from, and its place under the roofs. Every
 * operator is of one class, and one rule speaks about that class:
 *
 *   outside of delegates      portable          what memory allows would be left of it, but for kernels that are not the runtime's own
 *   inserted moves            layout            in one layout none of it is needed
 *   delegated work            low-rate          under half of what work of like size reaches
 *   calls beside operators    small-delegates   where many delegates are called; otherwise calls
 *   Method::execute itself    framework
 *
 * With a baseline, rules about a pair look too. A model is borrowed by the rules while they look; nobody keeps it.
 */
#ifndef EXECUTORCH_RULES_H
#define EXECUTORCH_RULES_H

#include "analyze/architectures.h"
#include "executorch/findings.h"
#include "page/advice_files.h"

struct rules_input {
    const struct operators *side;      /* that is looked at; with inferences */
    const char *name;                  /* of the model */
    const char *dump;                  /* for commands; NULL: none */
    const char *etrecord;              /* the same */
    const struct architecture *peaks;  /* NULL: what the operators reach */
    const char *peaks_file;            /* where these come from; NULL: none */
    const struct findings_input *pair; /* whose candidate the side is; NULL: nothing is compared */
    const struct findings *findings;   /* of that pair; NULL: nothing is compared */
};

/* Settled advice and the roofs that it rests on; to be freed with `advised_free`, also after a failure. */
NODISCARD status rules_advise(const struct rules_input *input, struct advised *advised);

/* What adds up to Method::execute, in this order whether there is any of it or not. */
enum { RULE_PARTS = CATEGORY_COUNT + 7 };

struct rule_part {
    char name[48]; /* for people */
    int64_t ticks; /* over all runs that count */
};

/* None where the sums of a side do not hold. */
size_t rules_parts(const struct operators *side, struct rule_part parts[RULE_PARTS]);

extern const struct advice_rule rules_of_model[], rules_of_pair[];
extern const struct advice_rules *const executorch_rules[]; /* both, for a list of all rules */

/* ---- For finders ---- */

enum {
    RULES_LOW_PERCENT = 50 /* of what like work reaches: less is slow for its work */
};

/* An operator of the model. */
struct rule_operator {
    double ns;                    /* of a run */
    double saved;                 /* of these, that items could save */
    uint32_t pool;                /* of its time */
    const struct roof_item *roof; /* where it is under the roofs; NULL: it is no work */
};

/* What the model was delegated to, as far as the profile tells. */
enum rule_delegation {
    DELEGATED_NOWHERE,   /* nothing is */
    DELEGATED_SOMEWHERE, /* to what, is not told */
    DELEGATED_ELSEWHERE, /* to backends that are named, of which XNNPACK is none */
    DELEGATED_XNNPACK    /* to it, among others maybe */
};

struct rule_model {
    const struct rules_input *input; /* borrowed */
    const struct operators *side;    /* the same as in the input */
    const struct roofs *roofs;       /* settled */
    struct rule_operator *operators; /* by operator */
    uint32_t *order;                 /* operators that are work, the longest first */
    size_t work;                     /* of order */
    size_t delegated;                /* operators of these, that delegates logged */
    size_t delegates;                /* that a run calls */
    size_t logged;                   /* of these, that logged what is in them */
    enum rule_delegation delegation; /* see above */
    const char *backend;             /* the first that is named; NULL: none is */
    bool alone;                      /* no launch had a second run: it may be the cold one */
    double unlogged_ns, custom_ns;   /* in delegates that logged nothing; in kernels that are not the runtime's own */
    double beside_ns;                /* in calls and in Method::execute, beside operators */
    double repeats_ns;               /* of these, that may be repeats of loops, which the file does not keep */
    bool has_nodes;                  /* some operator is joined with a node of the graph */
    uint32_t calls, framework;       /* pools */
    double scale;                    /* of the time of operators, so that a run has them all; 1 unless they overlap */
};

/* Nanoseconds of a run. */
double rules_ns(const struct rule_model *model, int64_t ticks);
/* "17 x Transpose (ND, X32)", or the name alone. */
const char *rules_say_many(struct advice *advice, size_t count, struct text name);
/* What they do, each once: "cumsum, gt, where, topk and 3 more". */
const char *rules_say_operations(struct advice *advice, const struct rule_model *model, const uint32_t *members,
                                 size_t count);
/* "models.py:56, features.2"; NULL: not known. */
const char *rules_say_place(struct advice *advice, const struct rule_model *model, const struct operator_sum *sum);
/* A row of evidence, and a claim to that time of the operator, as far as no rule before this one has it. */
void rules_add_operator(struct advice *advice, struct advice_item *item, const struct rule_model *model, uint32_t op,
                        double saves_ns);
/* Groups; none after a failure, which sticks in the advice. To be freed in any case. */
struct operator_groups rules_group(struct advice *advice, const struct rule_model *model,
                                   bool (*chosen)(const void *context, uint32_t op),
                                   struct text (*key)(const void *context, uint32_t op));
struct text rules_no_key(const void *context, uint32_t op); /* all of them in one group */

advice_find_call rules_find_portable, rules_find_layout, rules_find_low_rate, rules_find_calls, rules_find_framework;
advice_find_call rules_find_low_speedup, rules_find_slower;

#endif
