/* perfetto_clocks.h: the clocks of a Perfetto trace: what snapshots say of them, and times in the clock of the trace.
 *
 * A snapshot says what several clocks showed at the same moment. A time is moved from one clock to another by the newest snapshot of both at or before
 * it; between clocks that no snapshot has together, over others. Clocks 64 to 127 are those of one sequence, and may count differences.
 *
 * A struct clocks owns everything in it until `clocks_free`.
 */
#ifndef READ_PERFETTO_CLOCKS_H
#define READ_PERFETTO_CLOCKS_H

#include "base/column.h"
#include "base/map.h"
#include "read/perfetto_wire.h"

/* What a clock and another one showed at the same moment. */
struct clock_point {
    int64_t mine;   /* ns */
    int64_t theirs; /* the same */
};

struct clock_pair {
    uint32_t from, to;          /* places of clocks */
    uint32_t next;              /* pair of the same `from`; MAP_NONE: none */
    struct clock_point *points; /* in the order of the snapshots; owned */
    size_t count, capacity;     /* of points */
};

enum { CLOCK_STEPS = 6 }; /* from one clock over others to that of the trace, at most */

struct trace_clock {
    uint64_t unit;               /* ns of a tick */
    int64_t last;                /* ns: of the last snapshot, or of the last difference */
    int64_t low, high;           /* between these, times are moved by `delta`, while it is settled */
    int64_t delta;               /* ns */
    bool incremental;            /* times are differences */
    bool backwards;              /* it went back between snapshots, and cannot be converted any more */
    uint32_t pairs;              /* the first with it as `from`; MAP_NONE: none */
    uint32_t place;              /* in the list */
    uint32_t stamp;              /* snapshots when a way was looked for in vain */
    bool settled;                /* there is a way, and no snapshot had this clock since it was found */
    uint32_t steps[CLOCK_STEPS]; /* pairs on its way to the clock of the trace */
    unsigned step_count;         /* of steps */
};

struct clocks {
    struct column list;         /* struct trace_clock */
    struct number_map map;      /* id and sequence to place in the list */
    struct column pairs;        /* struct clock_pair */
    struct number_map pair_map; /* two places to place in `pairs` */
    uint32_t trace_clock;       /* id of the clock that the trace goes by */
    uint32_t count;             /* snapshots that were used */
};

void clocks_start(struct clocks *clocks);
void clocks_free(struct clocks *clocks);

/* A snapshot in a packet of `sequence` (0: none). `*used` is false where it contradicts itself or an earlier one: it is ignored. */
NODISCARD status clocks_snapshot(struct clocks *clocks, struct wire snapshot, uint32_t sequence, bool *used);

/* The clock `id` as packets of `sequence` name it; NULL: no snapshot had it so far. It stays where it is. */
struct trace_clock *clocks_find(const struct clocks *clocks, uint32_t id, uint32_t sequence);

/* A time of a packet in ns of the clock of the trace, in `*ns`. False: no snapshot so far connects the two. */
bool clocks_move(struct clocks *clocks, struct trace_clock *clock, int64_t value, int64_t *ns);

static inline bool clocks_time(struct clocks *clocks, struct trace_clock *clock, uint64_t timestamp, int64_t *ns)
{
    int64_t value = (int64_t)(timestamp * clock->unit);

    if (clock->incremental) {
        value = (int64_t)((uint64_t)clock->last + (uint64_t)value);
        clock->last = value;
    }
    if (clock->settled && value >= clock->low && value < clock->high) {
        *ns = (int64_t)((uint64_t)value + (uint64_t)clock->delta);
        return true;
    }
    return clocks_move(clocks, clock, value, ns);
}

#endif
