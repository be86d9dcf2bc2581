/* trace_page_parts.h: the writer of a trace's page, for the files that it is made of.
 *
 *     trace_page.c         the sink: what a slice carries, runs, losses, notes, tables
 *     trace_page_lines.c   which row a slice goes to: lanes, and those that came late
 *     trace_page_map.c     maps of places
 *     trace_page_head.c    what is written last: the index, the flows, the head
 *     trace_page_rows.c    rows and their chunks
 *     trace_page_labels.c  texts and labels
 *     trace_page_target.h  where all that goes
 *     trace_page_html.c    into one file
 *     trace_page_blocks.c  packing
 */
#ifndef PAGE_TRACE_PAGE_PARTS_H
#define PAGE_TRACE_PAGE_PARTS_H

#include "base/arena.h"
#include "base/json_write.h"
#include "page/trace_page_rows.h"
#include "trace/places.h"
#include "write/announced.h"
#include "write/lanes.h"
#include "write/writer.h"

struct trace_page;

/* A lane of a track: a row for each depth. */
struct page_lane {
    track_id track;      /* that it shows */
    uint32_t *rows;      /* row + 1 by depth; 0: not made yet; owned */
    size_t row_capacity; /* of rows */
    uint32_t depth;      /* slices that are open */
};

struct page_lanes {
    struct trace_page *page; /* whose rows they are */
    struct lanes *lanes;     /* decides; owned */
    struct page_lane *items; /* by lane; owned */
    size_t count;            /* of items */
    size_t capacity;         /* of items */
    bool late;               /* for slices that came late */
};

/* What a track has beside lanes: row + 1; 0: none yet. */
struct page_track {
    int64_t latest;         /* start of a slice */
    uint32_t instants;      /* in order */
    uint32_t late_instants; /* those that came late */
    uint32_t values;        /* in order */
    uint32_t late_values;   /* those that came late */
};

/* A slice or instant that is sorted before it is written. */
struct page_held {
    int64_t start, end;      /* ns */
    size_t order;            /* in which it came */
    track_id line;           /* where it is drawn */
    bool instant;            /* it has no length */
    struct page_extra extra; /* in `kept` */
};

struct page_held_value {
    int64_t time;   /* ns */
    size_t order;   /* in which it came */
    double value;   /* from then on */
    track_id track; /* whose */
};

struct page_run {
    int64_t start, end; /* ns */
    uint32_t launch;    /* which process */
    uint32_t index;     /* which in it */
    bool known;         /* whether it counts is known */
    bool counted;       /* it counts */
};

struct trace_page {
    struct announced announced;          /* first, as its calls need it */
    struct page_target target;           /* where it goes; owned */
    struct strings *strings;             /* borrowed */
    char *heading;                       /* title of the page, with its kind; owned */
    const char *title;                   /* the same without: in it */
    bool arguments;                      /* they are written, and flows */
    struct page_texts texts;             /* of all below */
    struct page_labels labels;           /* of slices */
    struct page_rows rows;               /* of all tracks */
    struct page_lanes ordered, late;     /* of slices as they come, and of those that came late */
    struct page_track *tracks;           /* by track id; owned */
    size_t track_capacity;               /* of tracks */
    struct page_extra pending;           /* of the slice that is given to lanes */
    struct page_bytes pending_arguments; /* what it points to */
    uint32_t *pending_flows;             /* the same */
    size_t pending_flow_capacity;        /* of pending_flows */
    struct page_held *held;              /* slices that are written at the end; owned */
    size_t held_count;                   /* of held */
    size_t held_capacity;                /* of held */
    struct arena kept;                   /* what they carry */
    struct page_held_value *values;      /* the same, values; owned */
    size_t value_count;                  /* of values */
    size_t value_capacity;               /* of values */
    struct column runs;                  /* struct page_run, by run id */
    struct column found;                 /* the same, of runs that nobody announced */
    size_t next_run;                     /* in `runs`, that may be counted next */
    struct output *notes;                /* elements of a JSON array; owned */
    struct output *tables;               /* the same */
    bool any_note, any_table;            /* there is one */
    struct column maps;                  /* struct place_map, copied */
    struct arena map_texts;              /* what they point to */
    uint64_t lost;                       /* rows of the inputs */
    int64_t origin;                      /* ns that times of the page are counted from */
    bool placed;                         /* the origin stays as it is */
    bool finished;                       /* nothing more comes */
};

/* Prints into lanes and rows: the slice's label, arguments and flows are `pending`. */
NODISCARD status page_lines_start(struct page_lanes *lanes, struct trace_page *page, bool late);
void page_lines_free(struct page_lanes *lanes);
NODISCARD status page_lines_slice(struct trace_page *page, track_id line, const struct slice *slice, int64_t start,
                                  int64_t end);
NODISCARD status page_lines_instant(struct trace_page *page, track_id line, int64_t time);
NODISCARD status page_lines_value(struct trace_page *page, track_id track, int64_t time, double value);
/* Writes what was held, and all rows. */
NODISCARD status page_lines_finish(struct trace_page *page);

/* Keeps a copy of a map. */
NODISCARD status page_map_keep(struct trace_page *page, const struct place_map *map);
/* Writes all that were kept; `positions` are those of tracks in the head by id, NO_ID: not shown. */
void page_maps_write(const struct trace_page *page, const uint32_t *positions, struct json_out *out);

/* The index, the flows, the texts and the head. */
NODISCARD status page_head_write(struct trace_page *page);

#endif
