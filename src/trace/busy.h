/* busy.h: a sink that keeps when each track was busy, and how much each operator used of it.
 *
 * It holds merged intervals (a few bytes per gap), not slices, so `convert` and `summary` run over files of any size. Tracks that
 * are drawn by us (overview, totals) are not kept. Several inputs may come one after the other: their tracks carry
 * different process tracks as `process`; `busy_forget` frees the intervals of what has come so far.
 *
 * A busy owns everything in it until `busy_free`.
 */
#ifndef TRACE_BUSY_H
#define TRACE_BUSY_H

#include "base/column.h"
#include "base/intervals.h"
#include "base/map.h"
#include "trace/clock.h"
#include "trace/sink.h"

struct busy_track {
    struct track track; /* as it was announced */
    track_id process;   /* its top-level ancestor */
    bool counted;       /* its slices are; false: groups and drawn tracks */
    bool kept;          /* of these, what was measured; false: what a user of the library drew, too */
    bool timed;         /* its intervals are kept, not only its slices counted */
    bool work;          /* its operators are added up */
    bool nested;        /* as its engine */
    bool
        moves; /* what its slices say they moved counts: of engines that move data, and of zones, which say what they are */
    struct intervals set; /* ticks */
    uint64_t slices;      /* that came, where it is kept */
    int64_t bytes;        /* sum of the BYTES arguments */
};

/* What one operator used of one track. */
struct busy_share {
    track_id track;       /* that was used */
    uint32_t next;        /* share of the same operator on another track; NO_ID: last */
    uint64_t slices;      /* pieces of work */
    int64_t bytes;        /* that they moved */
    struct intervals set; /* ticks */
    int64_t macs;         /* multiplications with an addition that whole slices say they did; where moments are kept */
    struct intervals own; /* the set without what slices inside its own take; of nested engines, else empty */
};

struct busy_operator {
    struct op op;         /* as it was announced */
    uint32_t first_share; /* NO_ID: none */
};

/* When a run began: a host may work for it before that, while a device is still at the one before. */
struct busy_run {
    clock_id clock; /* of the time */
    int64_t start;  /* ticks */
};

struct busy_open {
    track_id track; /* of the slice */
    run_id run;     /* the same; NO_ID: none */
    operator_id op; /* of the slice; NO_ID: none */
    int64_t start;  /* ticks */
    int64_t bytes;  /* that it says it moved */
    open_id parent; /* of a nested engine: the slice around it; NO_ID: none */
    int64_t alone;  /* the same: since when no slice inside it is open */
    bool inside;    /* an enclosing slice on the same track covers it */
    bool envelope;  /* a HAL call that holds others: those count, not it */
    bool timed;     /* as its track */
};

/* When a slice began, or its run where that began later: for counting those of some runs only. */
struct busy_moment {
    track_id track; /* that it is on */
    uint32_t share; /* of its operator; NO_ID: none */
    int64_t time;   /* ticks of the track's clock */
    int64_t bytes;  /* moved by it */
    int64_t macs;   /* done by it */
};

struct busy {
    bool keep_moments;     /* set before the first track: `busy_cut` will be asked for counts and bytes, too */
    struct column moments; /* struct busy_moment, where they are kept */
    size_t most_moments;   /* of an input; with more it goes on without them; 0: any number */
    bool lost_moments;     /* it did: `busy_cut` cannot be asked of this input */
    bool work_only; /* set before the first track: slices of envelopes are counted, not timed, and own times not kept */
    bool counting;  /* see busy_count_only */
    struct column tracks;    /* struct busy_track, by track id */
    struct column operators; /* struct busy_operator, by operator id */
    struct column shares;    /* struct busy_share */
    uint32_t unattributed;   /* first share of work that names no operator; NO_ID: none */
    struct number_map
        far_shares;          /* of operators that use many tracks: places of the later ones, by operator and track */
    struct column clocks;    /* struct clock, by clock id */
    struct column runs;      /* struct busy_run, by run id, where moments are kept */
    struct busy_open *opens; /* by open id */
    size_t open_capacity;    /* of opens */
};

void busy_start(struct busy *busy);
void busy_free(struct busy *busy);
struct sink busy_sink(struct busy *busy);

/* Merge what came late; before any analysis. The intervals of an input whose tracks have several clocks become nanoseconds, and
 * so does its clock. */
NODISCARD status busy_settle(struct busy *busy);
/* Keep of an input only what lies in `windows`: its runs that count. Counts and bytes are then those of the slices that begin there or belong to
 * them: moments are kept, and none is lost. Once for each input, after settling. */
NODISCARD status busy_cut(struct busy *busy, track_id process, const struct intervals *windows);
/* From here on slices are counted, and nothing else is kept of them: before the first one, until `busy_forget`. */
void busy_count_only(struct busy *busy);
/* Free the intervals and shares of all tracks so far; names of operators stay. */
void busy_forget(struct busy *busy);

static inline struct busy_track *busy_track(const struct busy *busy, track_id id)
{
    return column_at(&busy->tracks, id);
}
static inline struct busy_operator *busy_operator(const struct busy *busy, operator_id id)
{
    return column_at(&busy->operators, id);
}
static inline struct busy_share *busy_share(const struct busy *busy, uint32_t index)
{
    return column_at(&busy->shares, index);
}

/* What of a share is its operator's own. */
static inline const struct intervals *busy_own(const struct busy *busy, const struct busy_share *share)
{
    return busy_track(busy, share->track)->nested ? &share->own : &share->set;
}

/* The clock of an input's tracks: that of its first kept track. NULL: it has none. */
const struct clock *busy_clock(const struct busy *busy, track_id process);

#endif
