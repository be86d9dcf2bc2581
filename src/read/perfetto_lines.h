/* perfetto_lines.h: what the Perfetto reader keeps of each track, of a trace of anyone and of one that Tacho wrote.
 *
 * A reading owns all of it: see perfetto_reading.h.
 */
#ifndef READ_PERFETTO_LINES_H
#define READ_PERFETTO_LINES_H

#include "base/column.h"
#include "base/map.h"
#include "read/perfetto_packets.h"
#include "trace/clock.h"
#include "trace/held.h"
#include "trace/loss.h"

/* ---- Lines ---- */

/* A slice that is open on a line. */
struct line_open {
    open_id id; /* in the sink; of slices that are told whole: place among those that wait, from the line's first on */
    string_id name;     /* NO_ID: none */
    string_id category; /* the same */
    int64_t start;      /* ticks */
    int64_t end;        /* ns; INT64_MIN: an end has to come */
    packet_place place; /* of its begin */
    uint64_t ordinal;   /* events before its begin */
    bool told;          /* its end is known and told: it waits for the event only */
};

/* An event of a line that is told last. */
struct line_event {
    int64_t time;       /* ns */
    packet_place place; /* of its packet */
    uint32_t sequence;  /* its number */
    uint32_t state;     /* of the sequence, then */
    uint32_t op, run;   /* of what Tacho wrote: numbers; 0: none */
};

struct line_value {
    int64_t time;  /* ns */
    int64_t value; /* of the counter */
};

struct own_track;

enum line_problem { LINE_FINE, LINE_NO_PARENT, LINE_LOOP };

struct trace_line {
    /* What every event needs comes first, beside each other. */
    struct own_track *own;              /* the track that Tacho wrote there; NULL: none */
    uint32_t role;                      /* enum own_role */
    bool disordered;                    /* its events are in no order */
    bool again;                         /* its events are told last: in no order, late, or their ends say something */
    int64_t last;                       /* first walk: time of the event before */
    uint64_t events, values;            /* on it: slices and instants; values */
    struct line_open *stack;            /* open slices; owned */
    size_t open, capacity;              /* of stack */
    track_id track;                     /* of its slices; NO_ID: not announced */
    uint64_t uuid;                      /* of its track */
    uint32_t place;                     /* among all of them */
    uint64_t parent;                    /* uuid; 0: none */
    string_id name;                     /* NO_ID: none */
    bool declared;                      /* it has a descriptor */
    bool is_process, is_thread;         /* of a process or thread of the machine */
    bool is_counter, is_state;          /* has values; has states */
    bool is_incremental;                /* its values are differences */
    bool is_decimal;                    /* some of its values are decimals */
    bool is_group;                      /* others have it as their parent */
    bool is_elsewhere;                  /* of another input in the file: nothing of it is told */
    bool is_spans;                      /* no track: events that belong to none, of all processes together */
    int64_t pid, tid;                   /* of a process or thread */
    int64_t multiplier;                 /* of its values */
    string_id unit;                     /* of them; 0: none */
    uint32_t problem;                   /* enum line_problem */
    int64_t first;                      /* the same: earliest time */
    string_id first_name;               /* of the event then */
    bool ends_say;                      /* ends of its slices have arguments */
    track_id group;                     /* for tracks below it; NO_ID: not announced */
    track_id value_track;               /* of its values; the same */
    bool names_operators;               /* its slices are operators */
    bool is_told;                       /* its slices are a metric that the trace tells */
    int64_t told_ns;                    /* length of those that lie in no other */
    uint64_t told_slices;               /* how many these are */
    struct line_event *events_again;    /* owned */
    size_t again_count, again_capacity; /* of it */
    struct line_value *values_again;    /* values that are in no order; owned */
    size_t value_count, value_capacity; /* of it */
};

/* ---- What Tacho wrote ---- */

struct own_clock {
    struct clock clock; /* as it was */
    clock_id id;        /* in the feed; NO_ID: not announced */
};

/* A slice that waits until its end, and those before it, are known. */
struct waiting_slice {
    struct held held; /* its end may be missing */
    bool done;        /* nothing is missing */
    bool instant;     /* it is one */
};

/* What comes on a track: one of both. */
enum own_mode { MODE_NONE, MODE_WHOLE, MODE_PAIRS };

struct own_track {
    /* What every slice needs comes first, beside each other. */
    struct waiting_slice *waiting; /* a ring; owned */
    size_t first, count, capacity; /* of it; the capacity is a power of two, or 0 */
    uint64_t popped;               /* that were told */
    struct clock ticks;            /* of its times */
    struct clock_inverse inverse;  /* the same, divided by */
    int64_t limit;                 /* of its ticks */
    bool drawn;                    /* it may begin before 0, which no viewer shows */
    uint8_t mode;                  /* enum own_mode */
    uint64_t number;               /* as it stands there */
    bool known;                    /* what follows was told */
    bool elsewhere;                /* it is of another input */
    uint64_t parent, clock;        /* numbers; 0: none */
    struct text engine;            /* its key; empty: none; in the pool of strings */
    struct track track;            /* as it was; parent, clock, engine and id not yet */
    track_id id;                   /* in the feed; NO_ID: not announced */
};

/* The end of a slice that holds many events. */
struct long_end {
    const struct trace_line *line; /* that it is on */
    packet_place place;            /* of its begin */
    int64_t end;                   /* ns */
    int64_t ticks;                 /* beyond the first of that */
    bool unfinished;               /* there is none: this is the last time of the trace */
};

struct own_run {
    uint64_t process, clock; /* numbers */
    struct run run;          /* without its clock */
};

enum { SAID_ROOM = 16 };

/* What slices of a name say first because of their operator, as it stands there: nearly always the next one of that name says the same. */
struct said {
    uint64_t bytes[SAID_ROOM / 8]; /* annotations that say nothing else */
    uint32_t length;               /* of them, in bytes */
    uint32_t op;                   /* number of the operator */
    bool known;                    /* else the operator came once so far, and nobody has looked */
};

struct own_reading {
    bool any;             /* Tacho wrote the trace */
    uint64_t input;       /* number of the process of the input that is read, where it is one of several; 0: all are */
    struct column tracks; /* struct own_track, as they were met */
    struct number_map track_map;    /* number to place */
    struct column clocks;           /* struct own_clock */
    struct number_map clock_map;    /* number to place */
    struct column operators;        /* struct op; their ids are those of the feed, once announced */
    bool sparse_operators;          /* their numbers are not those of their places, plus 1 */
    struct number_map operator_map; /* number to place */
    struct column said;             /* struct said, of names */
    struct column runs;             /* struct own_run */
    struct column told;             /* packet_place: what is told of inputs as a whole, where one of several is read */
    struct losses losses;           /* as the trace tells them */
    bool has_losses;                /* it does */
    struct long_end *ends;          /* by place; owned */
    size_t end_count, end_capacity; /* of ends */
    size_t next_end;                /* during the second walk */
    step_id *steps;                 /* ids in the feed of those whose ends may come; owned */
    size_t step_count, step_capacity; /* of steps */
};

#endif
