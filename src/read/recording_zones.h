/* recording_zones.h: zones of threads: records put into the order of time, nested, and told to a feed.
 *
 * A process is walked through twice. The first walk looks: which zones are runs, which were never ended, what is said of a zone only after
 * others began in it. The second one tells, so that every zone begins with all that is known of it.
 *
 *     slots ──► window, by time ──► stack of open zones ──► sink
 *               1024 records          a thread each
 *
 * Records of a thread are nearly in order: a signal handler may come in between reserving a slot and taking the time. The zones own their
 * memory until `recording_zones_free`; all else is borrowed.
 */
#ifndef READ_RECORDING_ZONES_H
#define READ_RECORDING_ZONES_H

#include "read/recording_names.h"
#include "read/tick_map.h"

/* A record that is about a zone, or an instant. */
struct zone_record {
    int64_t time;   /* ns; of records without one, that of the record which they follow */
    uint64_t where; /* place of its chunk among all of its process, and slot: see `zone_where` */
    uint32_t id;    /* site; of an argument its key */
    uint16_t kind;  /* enum recording_kind */
    uint16_t type;  /* enum argument_type, of an argument */
    union {
        int64_t integer;  /* of an argument */
        uint64_t natural; /* the same; number of a flow */
        double decimal;   /* the same */
        string_id text;   /* the same; name of a zone, text of a message; 0: none */
    };
};

static inline uint64_t zone_where(size_t spot, uint32_t slot)
{
    return (uint64_t)spot << 12 | slot;
}

struct zone_open {
    uint64_t where; /* of its begin */
    int64_t start;  /* ns */
    uint32_t site;  /* number */
    string_id name; /* of its site, or its own */
    run_id run;     /* NO_ID: none; while looking: place in `runs` */
    open_id open;   /* in the sink; NO_ID: not told yet */
};

struct zone_thread {
    uint32_t number;                          /* in the recording */
    track_id track;                           /* of its zones; NO_ID: not announced */
    track_id sums;                            /* of its sums; NO_ID: not announced */
    struct zone_record *window;               /* by time; owned */
    uint32_t count;                           /* of it */
    uint32_t recent;                          /* where the last record went that came late */
    int32_t depth;                            /* zones begun less zones ended since then */
    bool displaced;                           /* the last record with a time was late */
    bool fresh;                               /* nothing came since the innermost zone began: it is not told yet */
    struct zone_open *stack;                  /* open zones; owned */
    size_t open, capacity;                    /* of stack */
    struct argument *arguments;               /* of the zone that is not told yet; owned */
    size_t argument_count, argument_capacity; /* of them */
    uint32_t *flows;                          /* the same */
    size_t flow_count, flow_capacity;         /* of them */
    int64_t told;                             /* ns of the newest record that left the window */
    int64_t first, last;                      /* ns of the records that were met; first is after last: none */
    uint64_t zones;                           /* begun */
    int64_t stepped;                          /* ns of its last mark between runs; INT64_MIN: none */
};

/* Something that is said of a zone after others began in it. */
struct zone_fact {
    struct zone_record record; /* an argument, a name, a flow */
    uint32_t next;             /* of the same zone; NO_ID: the last */
};

/* What the first walk found of a zone. */
struct zone_known {
    uint32_t first, last; /* of its facts; NO_ID: none */
    run_id run;           /* it is one: place in `runs`; NO_ID: it is none */
    bool unfinished;      /* it was open at the end */
};

struct zone_run {
    run_id id;          /* once it is announced */
    int64_t start, end; /* ns; end is before start: it never ended */
};

struct recording_zones {
    struct source *source;             /* borrowed */
    struct feed *feed;                 /* the same */
    struct recording_process *process; /* the same */
    struct recording_names *names;     /* the same */
    struct number_map *operators;      /* by site, of all processes; the same */
    clock_id clock;                    /* of the sink */
    track_id parent;                   /* of its tracks */
    bool telling;                      /* the second walk */
    bool failed;                       /* of a launch that failed: nothing in it is a run */
    bool is_run;                       /* of several launches: where it marks no runs, all of it is one */
    string_id unfinished;              /* key of the argument */
    struct number_map thread_map;      /* number to place in `threads` */
    struct column threads;             /* struct zone_thread */
    struct number_map known_map;       /* `where` to place in `known` */
    struct column known;               /* struct zone_known */
    struct column facts;               /* struct zone_fact */
    struct column runs;                /* struct zone_run, in the order in which they began on their threads */
    struct number_map flow_map;        /* number of the program to that of the feed */
    int64_t last;                      /* ns of the newest of all records */
    uint64_t zones;                    /* begun */
    uint64_t open_at_end;              /* zones */
    int64_t recorded;                  /* ns from first to last record, of all threads together */
};

void recording_zones_start(struct recording_zones *zones);
void recording_zones_free(struct recording_zones *zones);

/* NULL in `*thread` never: a thread is made at its first record. */
NODISCARD status zones_thread(struct recording_zones *zones, uint32_t number, struct zone_thread **thread);
/* What a person calls it. */
NODISCARD status zones_thread_name(struct recording_zones *zones, const struct zone_thread *thread, string_id *name);
/* A time that was met. */
void zones_widen(struct recording_zones *zones, struct zone_thread *thread, int64_t time);
/* A mark between runs, of the first walk: a run ends here, and the next begins. The last begins none. */
NODISCARD status zones_step(struct recording_zones *zones, struct zone_thread *thread, int64_t time);
/* The operator of a site, announced at its first use. */
NODISCARD status zones_operator(struct recording_zones *zones, struct recording_site *site, operator_id *op);

/* Walks over the records of the window but the newest. */
NODISCARD status zones_drain(struct recording_zones *zones, struct zone_thread *thread, uint32_t keep);

/* The record behind the window is of an earlier time than those before it, and goes where it belongs. */
void zones_move_late(struct zone_thread *thread);
/* A record without a time. Those of a thread come as they stand in its chunks. */
NODISCARD status zones_add_untimed(struct recording_zones *zones, struct zone_thread *thread,
                                   const struct zone_record *record);

enum { ZONE_WINDOW = 1024, ZONE_WINDOW_KEPT = 128 };

/* A record with a time; it is made where it stays. `text` is its own, 0: none. */
NODISCARD static inline status zones_add(struct recording_zones *zones, struct zone_thread *thread, int64_t time,
                                         uint64_t where, uint32_t id, uint32_t kind, string_id text)
{
    struct zone_record *record;

    if (thread->count == ZONE_WINDOW) {
        status code = zones_drain(zones, thread, ZONE_WINDOW_KEPT);

        if (code != STATUS_OK)
            return code;
    }
    record = &thread->window[thread->count];
    record->time = time;
    record->where = where;
    record->id = id;
    record->kind = (uint16_t)kind;
    record->type = 0;
    record->text = text;
    if (thread->count && record[-1].time > time)
        zones_move_late(thread);
    else
        thread->displaced = false;
    thread->count++;
    return STATUS_OK;
}

/* After the last record of a walk: zones that are open end. */
NODISCARD status zones_finish(struct recording_zones *zones);

/* What was open when the recording ended, for a person: "decode > matmul; load". Before the second walk. */
void zones_describe_open(const struct recording_zones *zones, char *to, size_t size);

/* Between the walks: announces runs of a launch, counted on from `*index`, and gets ready to tell. */
NODISCARD status zones_begin_telling(struct recording_zones *zones, uint32_t launch, uint32_t *index);

#endif
