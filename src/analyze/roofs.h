/* roofs.h: pieces of work under the peaks of what they ran on: how near each came, and which of the peaks bounds it.
 *
 *   item   one operator, one job, the transfers of one operator     takes time, moves bytes, does operations
 *   peak   what a memory or an arithmetic can do                    given, or what other items of this profile reached
 *   roof   what a peak allows an item                               its own: a peak that was observed holds for work of like size
 *
 * Where nobody gave a peak, only work of like size proves what is possible. A small tensor in a cache says nothing about a large one in
 * memory, and a large product nothing about a small one that is over before the units are full:
 *
 *   PROVEN_BY_LARGER    memory behind caches: what was reached with twice the bytes can be reached with these
 *   PROVEN_BY_SMALLER   arithmetic, and transfers that have to be set up: what little work reached, more work can reach
 *
 * and in both directions half or double the size is alike; among items of one kind an eighth or eight times. An item that nothing proves
 * anything about has no roof but its own rate.
 *
 * Times are ticks over all `times` that the whole ran (runs); tables show averages. Roofs own their arrays; texts must live as long. The
 * first failure sticks and is what `roofs_settle` returns.
 */
#ifndef ANALYZE_ROOFS_H
#define ANALYZE_ROOFS_H

#include "analyze/roofline.h"
#include "table/field.h"
#include "trace/clock.h"

enum roof_proof { PROVEN_BY_LARGER, PROVEN_BY_SMALLER };

struct roof_peak {
    const char *name;      /* of what: "fp32", "DMA In" */
    bool memory;           /* bytes; otherwise operations */
    enum roof_proof proof; /* which work tells about which, where it is observed */
    double rate;           /* per second, bytes in 10^9; of an observed one the best of all; NAN: nothing reached any */
    bool observed;         /* nobody gave it */
    const char *from;      /* what reached it, or who says so; NULL: nobody */
};

struct roof_item {
    const char *name;    /* for people */
    const char *label;   /* a shorter name for narrow tables; NULL: there is none */
    const char *kind;    /* what it is one of: Convolution (NHWC, F32) IGEMM */
    const char *engine;  /* what ran it: a backend, an engine */
    const char *place;   /* in the source; NULL: not known */
    uint32_t origin;     /* what it was made of, in the words of whoever added it */
    int64_t ticks;       /* over all times that it ran */
    uint64_t count;      /* how often it ran */
    double bytes;        /* of all; NAN: not known */
    double flops;        /* operations of all; NAN: not known */
    uint32_t memory;     /* its peaks; NO_ID: none */
    uint32_t arithmetic; /* the same for its operations */
    bool steady;         /* long enough for a rate; otherwise it has none, and no place under a roof */
    bool proves_nothing; /* known to be slow: its rate says nothing about what is possible */
    bool often_slow;     /* kernels of its kind are: what others of them move proves nothing, unless it is more */
    bool any_size[2];    /* by `memory`: its size has no part in it: a peak is its roof, whatever reached that */
    double reach;        /* part of a peak of arithmetic that work of its kind can come to; 1: all of it */
    /* Filled by `roofs_settle`: */
    struct roofline_peak roof;   /* what its peaks allow it; NAN: not known */
    struct roofline_point point; /* where it is under them */
    double saves;                /* seconds over the least that they allow; NAN: not known */
};

struct roofs {
    struct clock clock;               /* of all ticks here */
    uint64_t times;                   /* that the whole ran */
    int64_t whole;                    /* ticks of all times */
    const char *item_name;            /* what items are: "Operator" */
    bool transfers;                   /* items do no operations, and pictures show rates by size instead */
    struct roof_item *items;          /* by time once settled, the longest first */
    size_t count, capacity;           /* of items */
    struct roof_peak *peaks;          /* by id, in the order in which they were added */
    size_t peak_count, peak_capacity; /* of peaks */
    status failure;                   /* the first; STATUS_OK: none */
};

void roofs_start(struct roofs *roofs, struct clock clock, uint64_t times);
void roofs_free(struct roofs *roofs);

/* ---- Filling: nothing is added after a failure ---- */

/* Nothing known; valid until the next; NULL after a failure. */
struct roof_item *roofs_add_item(struct roofs *roofs);
/* The peak of this name and kind, added where it is new. `rate` NAN: what the items reach. */
uint32_t roofs_peak(struct roofs *roofs, const char *name, bool memory, enum roof_proof proof, double rate,
                    const char *from);

/* Finds the peaks that are wanted, and places and sorts the items. */
NODISCARD status roofs_settle(struct roofs *roofs);

/* ---- Reading ---- */

double roofs_ns(const struct roofs *roofs, int64_t ticks);                      /* on average of all times */
double roofs_saves_ns(const struct roofs *roofs, const struct roof_item *item); /* the same; 0 where it is not known */
double roofs_share(const struct roofs *roofs, int64_t ticks); /* percent of the whole; 0 where that is 0 */
const char *roof_bound(const struct roof_item *item);         /* memory, FLOPs, both, slow; NULL: not known */
/* Percent of what the nearest of its roofs allows; NAN: not known. */
double roof_reached(const struct roof_item *item);
/* Whether an item's roofs are what others of this profile reached. */
bool roof_is_observed(const struct roofs *roofs, const struct roof_item *item);
/* Items that have neither bytes nor operations. */
bool roof_is_unknown(const struct roof_item *item);

/* ---- Tables; NULL: out of memory ---- */

/* The first `most` items. `short_names`: those for narrow tables where they have one. */
struct table *roofs_item_table(const struct roofs *roofs, const char *title, size_t most, bool short_names);
/* The same as a user asks for it. NULL: out of memory, or what was asked for does not exist; status_message() says which. */
struct table *roofs_item_view(const struct roofs *roofs, const char *title, size_t most, bool short_names,
                              const struct view_request *request);
struct table *roofs_peak_table(const struct roofs *roofs, const char *title);

#endif
