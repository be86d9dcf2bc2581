/* recording_lines.h: what a recording has beside zones: counters, frames, spans, sums, and lines of devices by clocks of their own.
 *
 * The first walk finds which counters and clocks there are, the second one tells. What several threads may have recorded in any order is
 * kept until the end of the process, and put into the order of time: frames, spans, counters of several threads. The lines own that until
 * `recording_lines_free`; the zones, with all that these borrow, are borrowed.
 */
#ifndef READ_RECORDING_LINES_H
#define READ_RECORDING_LINES_H

#include "read/recording_zones.h"

struct line_counter {
    string_id name;  /* for people */
    track_id track;  /* NO_ID: not announced */
    uint32_t thread; /* that it was met on first */
    bool shared;     /* on others, too */
    bool decimal;    /* has values with decimals */
};

/* A line of frames, or of spans. */
struct line_row {
    string_id name; /* of its site */
    uint32_t site;  /* number of the first that has the name */
    bool frames;    /* else spans */
};

/* A mark of a frame, an end of a span, a value of a counter. */
struct line_mark {
    uint32_t row;    /* of `rows`; of a counter, of `counters` */
    uint32_t kind;   /* enum recording_kind */
    uint64_t number; /* of a span; of a counter the value */
    int64_t time;    /* ns */
};

struct line_clock {
    uint32_t number;     /* in the recording */
    struct tick_map map; /* to ns */
    uint64_t first;      /* ticks of the first event by it */
    uint64_t events;     /* by it */
    bool tied;           /* there is a tie */
    bool measured;       /* its rate is known: given, or from two ties */
};

struct line_track {
    track_id track; /* NO_ID: not announced */
};

struct recording_lines {
    struct recording_zones *zones;    /* borrowed */
    struct tick_map *host;            /* the recording's clock; the same */
    int64_t origin;                   /* ns of CLOCK_MONOTONIC that are 0 here */
    struct number_map counter_map;    /* name to place in `counters` */
    struct column counters;           /* struct line_counter */
    struct number_map row_map;        /* name, and kind of row, to place in `rows` */
    struct column rows;               /* struct line_row */
    struct line_mark *marks;          /* that wait for the end of the process */
    size_t mark_count, mark_capacity; /* of marks */
    struct number_map clock_map;      /* number to place in `clocks` */
    struct column clocks;             /* struct line_clock */
    struct number_map track_map;      /* number to place in `tracks` */
    struct column tracks;             /* struct line_track */
    struct number_map group_map;      /* parent and name of a group of device tracks to its track */
    string_id count_key, total_key;   /* of sums */
    int32_t next_order;               /* of the next line among its siblings */
};

NODISCARD status recording_lines_start(struct recording_lines *lines);
void recording_lines_free(struct recording_lines *lines);

/* A record that is none of a zone. `time` is the record's, in ns; of devices it says nothing. */
NODISCARD status lines_add(struct recording_lines *lines, struct zone_thread *thread, const struct record *record,
                           int64_t time);
/* Between the walks: clocks of devices are tied. Adds notes about them. */
NODISCARD status lines_begin_telling(struct recording_lines *lines);
/* After the second walk: what waited is told. */
NODISCARD status lines_finish(struct recording_lines *lines);

#endif
