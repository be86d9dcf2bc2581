/* potential.h: pieces of work, the peaks over them, and the time that could be saved: one engine of advice for all formats.
 *
 * A filler, of a chain, adds items, peaks and parts and calls `potential_settle`, which places each
 * item under its peaks; then it adds chances and calls `potential_rank`.
 *
 *   item    one operator, one job, the transfers of one operator        takes time, moves bytes, does operations
 *   peak    what a memory or an arithmetic can do                       given, or the best that an item of this profile reached
 *   part    one of the shares of the whole                              they add up to it exactly
 *   chance  one thing to do                                             with the most that it could save, and why
 *
 * A peak that was only observed is a lower bound of the true one: what it allows to save is what the profile's own best work
 * proves to be possible.
 *
 * Times are ticks over all `times` that the whole ran (inferences); tables show averages. A potential owns its arrays; texts
 * must live as long as it does, or come from `potential_say`. The first failure sticks and is what the two steps return.
 */
#ifndef ANALYZE_POTENTIAL_H
#define ANALYZE_POTENTIAL_H

#include "analyze/roofline.h"
#include "base/arena.h"
#include "table/field.h"
#include "trace/clock.h"

struct potential_peak {
    const char *name; /* of what: "fp32", "DMA In" */
    bool memory;      /* bytes; otherwise operations */
    double rate;      /* per second, bytes in 10^9; NAN: the best of the profile is wanted */
    bool observed;    /* the best of the profile */
    const char *from; /* what reached it, or who says so; NULL: nobody */
    double bytes;     /* that the work moved which reached it, each time; NAN: not known, or it was given */
};

struct potential_item {
    const char *name;    /* for people */
    const char *label;   /* a shorter name for narrow tables; NULL: there is none */
    const char *kind;    /* what it is one of: Convolution (NHWC, F32) IGEMM */
    const char *engine;  /* what ran it: a backend, an engine */
    const char *place;   /* in the source; NULL: not known */
    const char *reason;  /* a sentence: why it is slow; NULL: nothing is known */
    int64_t ticks;       /* over all times that it ran */
    uint64_t count;      /* how often it ran */
    double bytes;        /* of all; NAN: not known */
    double flops;        /* operations of all; NAN: not known */
    uint32_t memory;     /* its peaks; NO_ID: none */
    uint32_t arithmetic; /* the same for its operations */
    bool steady;         /* long enough for a rate; otherwise it has none, and no place under a roof */
    bool improvable;     /* chances may be made of its distance to the peaks */
    /* Filled by `potential_settle`: */
    struct roofline_point point;
    double saves; /* seconds over the least that its peaks allow; NAN: not known */
};

struct potential_part {
    const char *name; /* for people */
    int64_t ticks;    /* of the whole */
};

struct potential_chance {
    const char *what;     /* to do */
    const char *about;    /* the operations; NULL: all */
    const char *bound;    /* what the saving assumes */
    const char *evidence; /* sentences with the numbers that it rests on; NULL: none */
    uint64_t count;       /* how many operations */
    double time;          /* ns that they take */
    double saves;         /* ns at most */
    double share;         /* percent of the whole; NAN: it is no part of it */
};

struct potential {
    struct arena arena;                   /* texts */
    struct clock clock;                   /* of all ticks here */
    uint64_t times;                       /* that the whole ran */
    int64_t whole;                        /* ticks */
    const char *whole_name;               /* "Method::execute" */
    const char *item_name;                /* what items are: "Operator" */
    bool transfers;                       /* items do no operations, and pictures show rates by size instead */
    struct potential_item *items;         /* by time once settled, the longest first */
    size_t count, capacity;               /* of items */
    struct potential_peak *peaks;         /* by id, in the order in which they were added */
    size_t peak_count, peak_capacity;     /* of peaks */
    struct potential_part *parts;         /* as they were added */
    size_t part_count, part_capacity;     /* of parts */
    struct potential_chance *chances;     /* by saving once ranked, the largest first */
    size_t chance_count, chance_capacity; /* of chances */
    const char **notes;                   /* what limits all of this */
    size_t note_count, note_capacity;     /* of notes */
    status failure;                       /* the first; STATUS_OK: none */
};

void potential_start(struct potential *potential, struct clock clock, uint64_t times);
void potential_free(struct potential *potential);

/* ---- Filling: nothing is added after a failure ---- */

const char *potential_say(struct potential *potential, const char *format, ...)
    PRINTF_LIKE(2, 3);                                                           /* "" after a failure */
const char *potential_say_time(struct potential *potential, double nanoseconds); /* "12.845ms" */
const char *potential_say_rate(struct potential *potential, double rate);        /* three digits that count */
void potential_note(struct potential *potential, const char *format, ...) PRINTF_LIKE(2, 3);
/* Nothing known; valid until the next; NULL after a failure. */
struct potential_item *potential_add_item(struct potential *potential);
/* The peak of this name and kind, added where it is new. */
uint32_t potential_peak(struct potential *potential, const char *name, bool memory, double rate, const char *from);
void potential_add_part(struct potential *potential, const char *name, int64_t ticks);
void potential_add_chance(struct potential *potential,
                          struct potential_chance chance); /* one that saves nothing is left out */

/* Finds the peaks that are wanted, and places and sorts the items. */
NODISCARD status potential_settle(struct potential *potential);
/* One chance for each kind of items that may be improved: their distance to the peaks. */
void potential_add_roof_chances(struct potential *potential);
NODISCARD status potential_rank(struct potential *potential);

/* ---- Reading ---- */

double potential_ns(const struct potential *potential, int64_t ticks); /* on average */
int64_t potential_rounded(double nanoseconds); /* as far as an integer goes; 0 where it is none */
double potential_share(const struct potential *potential,
                       double nanoseconds);                     /* percent of the whole; 0 where that is 0 */
const char *potential_bound(const struct potential_item *item); /* memory, FLOPs, both, slow; NULL: not known */
/* Percent of what the nearest of its peaks allows; NAN: not known. */
double potential_reached(const struct potential_item *item);
/* Items that have neither bytes nor operations. */
bool potential_is_unknown(const struct potential_item *item);
/* What its peaks are: "110.3 GFLOP/s (fp32) and 21.0 GB/s". */
const char *potential_say_peaks(struct potential *potential, const struct potential_item *item);

/* ---- Tables; NULL: out of memory ---- */

/* The first `most` items. `short_names`: those for narrow tables where they have one. */
struct table *potential_item_table(const struct potential *potential, const char *title, size_t most, bool short_names);
/* The same as a user asks for it. NULL: out of memory, or what was asked for does not exist; status_message() says which. */
struct table *potential_item_view(const struct potential *potential, const char *title, size_t most, bool short_names,
                                  const struct view_request *request);
struct table *potential_part_table(const struct potential *potential, const char *title);
struct table *potential_peak_table(const struct potential *potential, const char *title);
struct table *potential_rank_table(const struct potential *potential, const char *title, size_t most);
/* The same for chances that come from elsewhere, the first of a longer list. The last column is there where some have evidence. */
enum {
    CHANCE_SAVES,
    CHANCE_SHARE,
    CHANCE_WHAT,
    CHANCE_OPERATION,
    CHANCE_COUNT,
    CHANCE_TIME,
    CHANCE_BOUND,
    CHANCE_EVIDENCE
};
struct table *chance_table(const char *title, const char *share_of, const struct potential_chance *chances,
                           size_t count, size_t left_out);

#endif
