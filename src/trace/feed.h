/* feed.h: the pusher's side of the sink: hands out ids and counts rows.
 *
 * A feed lives as long as one output: several inputs pushed one after the other through one feed share its ids, so their
 * tracks never collide. It borrows the sink, the string pool and the namer, and owns its small tables until
 * `feed_free`.
 */
#ifndef TRACE_FEED_H
#define TRACE_FEED_H

#include <assert.h>

#include "trace/sink.h"

struct feed;

/* How operators get their names from the locations that a tool chain prints: the reader says it at the beginning of its input. */
struct namer {
    /* Fills name, type, file, line and column of an operator from its location. `*none`: the location names no operator. */
    status (*name)(const void *context, struct feed *feed, struct op *op, bool *none);
    const void *context; /* where names come from; an operator that was named by another one is named again */
};

struct feed {
    struct sink sink;              /* borrowed: gets all that is fed */
    struct strings *strings;       /* borrowed: of all texts */
    struct namer namer;            /* of the current input; no function: locations are names */
    struct losses losses;          /* of the current input */
    track_id root;                 /* parent of the current input's tracks; NO_ID: none yet */
    uint32_t clocks;               /* announced so far */
    uint32_t tracks;               /* the same: the next id */
    uint32_t operators;            /* the same */
    uint32_t runs;                 /* the same */
    uint32_t steps;                /* the same */
    uint32_t flows;                /* last flow number given */
    open_id *free_opens;           /* open ids that may be used again */
    size_t free_count;             /* of free_opens */
    size_t free_capacity;          /* as many as there are open ids, at least */
    uint32_t opens;                /* open ids made so far */
    operator_id *by_location;      /* operator + 1 by string id of its location; 0: none yet */
    size_t by_location_capacity;   /* of by_location */
    string_id *operator_names;     /* by operator id */
    size_t operator_name_capacity; /* of operator_names */
};

void feed_start(struct feed *feed, struct sink sink, struct strings *strings);
void feed_free(struct feed *feed);

/* Names of operators of this input come from here. */
void feed_set_namer(struct feed *feed, struct namer namer);

/* Begin an input: forgets the losses of the one before and announces its process track, `name`, as feed->root. */
NODISCARD status feed_input(struct feed *feed, string_id name, int32_t order);
/* End it: hands the losses to the sink. */
NODISCARD status feed_input_end(struct feed *feed);

NODISCARD status feed_clock(struct feed *feed, const struct clock *clock, clock_id *id);
/* Announces `track` under its own id, which is written to `*id`. `track->id` is ignored. */
NODISCARD status feed_track(struct feed *feed, struct track track, track_id *id);
/* A track for an engine under the current input, with its standard name and order. */
NODISCARD status feed_engine(struct feed *feed, const struct engine *engine, uint32_t index, clock_id clock,
                             track_id *id);
/* The place of an engine's track among its siblings; the place after it is free for what is drawn beside it. */
int32_t feed_order(const struct engine *engine, uint32_t index);
/* A run; `run->id` is filled. */
NODISCARD status feed_run(struct feed *feed, struct run *run);
/* A piece of work of an input that does not tell its runs. It ends where it starts, or where `feed_step_end` says. */
NODISCARD status feed_step(struct feed *feed, const struct step *step, step_id *id);
NODISCARD status feed_step_end(struct feed *feed, step_id id, int64_t time);
/* The same where the input ends before the step does: `time` is the last that is known. */
NODISCARD status feed_step_lost(struct feed *feed, step_id id, int64_t time);
/* The operator at a location as a tool chain printed it (`loc(...)`); the same text gives the same operator. An empty or
 * unknown location gives NO_ID. */
NODISCARD status feed_operator(struct feed *feed, string_id location, operator_id *id);
/* The same for an input that names the operators itself: `name` and `type` (0: none) are used where the namer has none. */
NODISCARD status feed_operator_named(struct feed *feed, string_id location, string_id name, string_id type,
                                     operator_id *id);
/* A new operator that its input tells apart by more than a location; `operator->id` is filled. */
NODISCARD status feed_operator_new(struct feed *feed, struct op *op);
/* The name that an operator was announced with; 0 (the empty text) for NO_ID. */
string_id feed_operator_name(const struct feed *feed, operator_id id);

NODISCARD status feed_open_new(struct feed *feed, open_id *id); /* one that was never used */
uint32_t feed_flow(struct feed *feed);                          /* a new flow number */

/* An unused open id. */
NODISCARD static inline status feed_open(struct feed *feed, open_id *id)
{
    if (!feed->free_count)
        return feed_open_new(feed, id);
    *id = feed->free_opens[--feed->free_count];
    assert(*id < feed->opens);
    return STATUS_OK;
}

/* After its end. There is room: making the id made it. */
static inline void feed_close(struct feed *feed, open_id id)
{
    assert(id < feed->opens && feed->free_count < feed->opens && "closed more often than opened");
    feed->free_opens[feed->free_count++] = id;
}

static inline void feed_lose(struct feed *feed, const struct loss_reason *reason, uint64_t line)
{
    losses_add(&feed->losses, reason, line);
}

#endif
