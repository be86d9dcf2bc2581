/* front.h: the first screen of every report, whatever it is about.
 *
 *     the verdict, or how long a run takes
 *     where the time goes      a bar of parts that add up to a run, one for each side
 *     what to do first         three things, with what each could save
 *     what became slower       where there are two sides
 *     what failed or was lost
 *     operators that matter, how long runs took       as pictures
 *
 * What stands here in short stands below in full, folded. Everything is borrowed for the call; texts may have the marks of documents
 * (**bold**, `code`), names have none. Times are nanoseconds of one run; NAN: not known, or not there.
 */
#ifndef PAGE_FRONT_H
#define PAGE_FRONT_H

#include "analyze/advice.h"
#include "analyze/latency.h"
#include "table/document.h"

enum { FRONT_SIDES = 2, FRONT_TOP = 3, FRONT_OPERATORS = 8 };

/* Something that takes time: on the side that the report is about, then on the one that it is compared with. */
struct front_time {
    const char *name;       /* what it is */
    double ns[FRONT_SIDES]; /* of a run */
    double weight;          /* by which it was ranked */
};

static inline struct front_time front_time(const char *name, double now, double before)
{
    return (struct front_time){ .name = name, .ns = { now, before } };
}

/* Puts an item among the `count` that came before, of which the `most` with the largest weights are kept in order. */
void front_rank(struct front_time *items, size_t most, size_t count, struct front_time item, double weight);

/* The runs of a side, and what was found in them. */
struct front_runs {
    struct latency_side side;              /* every run of every launch */
    const struct latency_summary *summary; /* NULL: nobody looked */
};

struct front {
    const char *headline;                /* the verdict, or how long a run takes */
    enum prose_mood mood;                /* of that */
    const char *sides[FRONT_SIDES];      /* what they are called; the second is NULL where there is one */
    double run_ns[FRONT_SIDES];          /* how long a run takes */
    const struct front_time *parts;      /* that add up to it */
    size_t part_count;                   /* 0: what a run is made of is not known */
    struct advice *advice;               /* what to do; NULL: nobody could look */
    const char *instead;                 /* what to do where there is no advice */
    const char *compared;                /* of operators: how many took longer; NULL: nothing is compared */
    const struct front_time *slower;     /* those that lost most, first */
    size_t slower_count;                 /* of these; FRONT_TOP are shown */
    const char *const *lost;             /* what failed or was lost, a sentence each */
    size_t lost_count;                   /* of these */
    const char *complete;                /* what is said where nothing was */
    const struct front_time *operators;  /* the longest first, FRONT_OPERATORS at most */
    size_t operator_count;               /* of all there are */
    struct front_runs runs[FRONT_SIDES]; /* without launches: not known */
};

/* Adds its sections, which stand on the first screen of a page; what follows is folded. What goes wrong sticks in the document. */
void front_add(struct document *document, const struct front *front);

#endif
