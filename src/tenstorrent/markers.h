/* markers.h: a device log in memory: chips, their cores, their RISCs, and the markers of each RISC.
 *
 *     log ── chip ── core ── lane (a RISC of that core) ── marker, marker, marker ...
 *
 * Keys stand in the order in which they were first seen, which breaks every tie between markers of equal time. A
 * marker is 16 bytes; what many of them share (names, phases, the program they belong to) is kept once, and what few
 * of them have (data, metadata) in a column beside. Times are cycles since the chip's reset, as logged.
 *
 * A log owns all of it until `marker_log_free`; texts are ids of the pool that it borrows.
 */
#ifndef TENSTORRENT_MARKERS_H
#define TENSTORRENT_MARKERS_H

#include <assert.h>

#include "base/column.h"
#include "base/map.h"
#include "trace/loss.h"
#include "trace/model.h"

/* What a marker says about its zone. X(name, type in newer logs, phase in older ones) */
#define MARKER_PHASE_MAP(X)         \
    X(POINT, "", "")                \
    X(START, "ZONE_START", "begin") \
    X(END, "ZONE_END", "end")       \
    X(TOTAL, "ZONE_TOTAL", "total") \
    X(EVENT, "TS_EVENT", "event")   \
    X(DATA, "TS_DATA", "data")      \
    X(DATA_LONG, "TS_DATA_16B", "data16")

enum marker_phase {
#define X(name, type, phase) MARKER_##name,
    MARKER_PHASE_MAP(X)
#undef X
        MARKER_PHASE_COUNT
};

const char *marker_phase_type(enum marker_phase phase); /* as the newest logs write it */
bool marker_phase_read(struct text text, enum marker_phase *phase);

/* The markers that every firmware sets: what timer ids 1 to 4 of six-column logs mean. */
enum marker_default { MARKER_T0, FIRMWARE_START, KERNEL_START, KERNEL_END, FIRMWARE_END, MARKER_NO_DEFAULT };

enum { FIRST_SUM_ID = 3000 }; /* six columns: from here on a timer's value is a sum of cycles, not a time */

/* What markers of one kind share. */
struct marker_kind {
    uint32_t timer_id; /* as logged */
    uint8_t phase;     /* enum marker_phase */
    uint8_t standard;  /* enum marker_default */
    bool numbered;     /* of a six-column row: it has a number only */
    string_id risc;    /* of the lanes that have it */
    string_id zone;    /* as logged; of a numbered marker the zone that it would be: BRISC-FW */
    string_id file;    /* source of its zone; 0: not told */
    uint32_t line;     /* in that file */
};

/* Which run of which program: what newer logs write into each row. */
struct marker_program {
    uint32_t host_id; /* run host ID */
    int32_t trace;    /* -1: not traced */
    int32_t replay;   /* which replay of the trace, from 1; -1: not traced */
};

struct marker_extra {
    uint64_t data;      /* that it carries */
    uint32_t program;   /* as `marker_program_of` says */
    string_id metadata; /* JSON with ';' for ','; 0: none */
};

struct marker {
    int64_t time;  /* cycles; of a sum: how many */
    uint32_t kind; /* of the log */
    uint32_t more; /* a program, or with MARKER_MORE_EXTRA set an extra */
};

#define MARKER_MORE_EXTRA 0x80000000u

struct marker_lane {
    uint32_t core;         /* of the log */
    uint32_t rank;         /* place among all lanes of its chip: cores in order, RISCs in order */
    string_id risc;        /* its name */
    uint32_t t0_kind;      /* settled: kind of the marker T0 that stands before all others */
    struct column markers; /* struct marker; settled: by time, equal times as logged */
    struct marker *next;   /* where the next one goes, up to `end`; then a new chunk is needed */
    struct marker *end;    /* of the chunk */
    struct column totals;  /* struct marker: sums of six-column logs, in no time order */
    bool unsorted;         /* some marker came late */
    int64_t last;          /* time of the marker that came last */
};

struct marker_core {
    uint32_t chip;                    /* of the log */
    int32_t x, y;                     /* as logged */
    uint32_t *lanes;                  /* in the order in which they were seen */
    size_t lane_count, lane_capacity; /* of the lanes */
};

struct marker_chip {
    int64_t id;                       /* as logged */
    uint32_t *cores;                  /* in the order in which they were seen */
    size_t core_count, core_capacity; /* of these */
    int64_t t0;                       /* settled: smallest time of the chip */
    uint32_t t0_core;                 /* that has it; NO_ID: the chip has only sums */
    string_id t0_risc;                /* of that core */
    uint64_t markers;                 /* settled */
};

struct marker_log {
    struct strings *strings;      /* borrowed */
    struct column chips;          /* struct marker_chip */
    struct column cores;          /* struct marker_core */
    struct column lanes;          /* struct marker_lane */
    struct column kinds;          /* struct marker_kind */
    struct column programs;       /* struct marker_program; 0: none */
    struct column extras;         /* struct marker_extra */
    struct number_map by_place;   /* chip, x and y: core */
    struct number_map by_core;    /* core and RISC: lane */
    struct number_map by_program; /* host id, trace and replay: program */
    struct map by_kind;           /* over the kinds */
    string_id arch;               /* "grayskull"; empty: not told */
    uint64_t clock_numerator;     /* MHz */
    uint64_t clock_denominator;   /* not 0 where the numerator is not */
    bool clock_told;              /* by the log itself; else it was given or assumed */
    uint32_t compute_cores;       /* Max Compute Cores; 0: not told */
    bool numbered;                /* some rows have six columns */
    bool zoned;                   /* some rows name zones */
    uint64_t dropped;             /* markers that the device says it dropped */
    uint64_t notices;             /* lines that say so */
    uint64_t notice_line;         /* the first of them */
    struct losses losses;         /* rows that could not be used */
};

void marker_log_start(struct marker_log *log, struct strings *strings);
void marker_log_free(struct marker_log *log);

/* The lane of a RISC, made at first sight. */
NODISCARD status marker_log_lane(struct marker_log *log, int64_t chip, int32_t x, int32_t y, string_id risc,
                                 uint32_t *lane);
/* The kind that equals this one. */
NODISCARD status marker_log_kind(struct marker_log *log, const struct marker_kind *kind, uint32_t *id);
NODISCARD status marker_log_program(struct marker_log *log, const struct marker_program *program, uint32_t *id);
/* What goes into `more` for a marker with data or metadata. */
NODISCARD status marker_log_extra(struct marker_log *log, const struct marker_extra *extra, uint32_t *more);
/* A sum of a six-column log: it has no time. */
NODISCARD status marker_lane_add_total(struct marker_lane *lane, const struct marker *marker);
NODISCARD status marker_lane_grow(struct marker_lane *lane); /* one place, and room for more */

NODISCARD static inline status marker_lane_add(struct marker_lane *lane, const struct marker *marker)
{
    assert(marker->kind != NO_ID && lane->next <= lane->end);
    if (lane->next == lane->end) {
        status code = marker_lane_grow(lane);

        if (code != STATUS_OK)
            return code;
    } else {
        lane->markers.count++;
    }
    *lane->next++ = *marker;
    lane->unsorted |= marker->time < lane->last;
    lane->last = marker->time;
    return STATUS_OK;
}

/* Adds all markers of another log with the same pool, which is not settled and neither is this one. They become those of the
 * program `host_id`, whatever the other log says; traces and replays stay. */
NODISCARD status marker_log_append(struct marker_log *log, const struct marker_log *other, uint32_t host_id);

/* Sorts, ranks, and finds T0 of each chip. Once, after the last marker. */
NODISCARD status marker_log_settle(struct marker_log *log);

static inline struct marker_chip *marker_chip_at(const struct marker_log *log, size_t index)
{
    return column_at(&log->chips, index);
}
static inline struct marker_core *marker_core_at(const struct marker_log *log, size_t index)
{
    return column_at(&log->cores, index);
}
static inline struct marker_lane *marker_lane_at(const struct marker_log *log, size_t index)
{
    return column_at(&log->lanes, index);
}
static inline const struct marker_kind *marker_kind_at(const struct marker_log *log, size_t index)
{
    return column_at(&log->kinds, index);
}

static inline uint32_t marker_program_of(const struct marker_log *log, const struct marker *marker)
{
    if (!(marker->more & MARKER_MORE_EXTRA))
        return marker->more;
    return ((struct marker_extra *)column_at(&log->extras, marker->more & ~MARKER_MORE_EXTRA))->program;
}

/* Data and metadata of a marker; program only where it has none. */
struct marker_extra marker_extra_of(const struct marker_log *log, const struct marker *marker);
/* The value of a sum. */
int64_t marker_sum_of(const struct marker_log *log, const struct marker *marker);

/* The smallest time there is, also before the log is settled; INT64_MAX: there are no markers. */
int64_t marker_log_smallest(const struct marker_log *log);

/* ---- Reading a settled log ---- */

/* The markers of a lane in order. */
struct marker_cursor {
    const struct column *column;     /* of the lane; borrowed */
    const struct marker *next, *end; /* inside the current chunk */
    size_t given;                    /* up to the end of that chunk */
};

void marker_cursor_start(struct marker_cursor *cursor, const struct column *column);
bool marker_cursor_chunk(struct marker_cursor *cursor); /* moves to the next chunk */

static inline const struct marker *marker_cursor_next(struct marker_cursor *cursor)
{
    if (cursor->next == cursor->end && !marker_cursor_chunk(cursor))
        return NULL;
    return cursor->next++;
}

/* Several lanes as one series by time; equal times in the order of the lanes given. */
struct marker_merge_lane {
    int64_t time;                /* of `marker` */
    uint32_t order;              /* among the lanes given */
    uint32_t lane;               /* of the log */
    const struct marker *marker; /* that comes next */
    struct marker_cursor cursor; /* behind `marker` */
    struct marker t0;            /* stands before the others; where asked for */
};

struct marker_merge {
    struct marker_merge_lane *lanes; /* as they were given; owned */
    uint32_t *heap;                  /* places in `lanes`; the smallest first */
    size_t count;                    /* lanes that have markers left */
    size_t capacity;                 /* of both arrays */
    bool given;                      /* the first of the heap was given and must move on */
};

void marker_merge_start(struct marker_merge *merge);
void marker_merge_free(struct marker_merge *merge);
/* May be called again for other lanes. With `t0` each lane begins with its chip's marker T0. */
NODISCARD status marker_merge_begin(struct marker_merge *merge, const struct marker_log *log, const uint32_t *lanes,
                                    size_t count, bool t0);
/* NULL: no more. `*lane` is the lane of the marker. */
const struct marker *marker_merge_next(struct marker_merge *merge, uint32_t *lane);

#endif
