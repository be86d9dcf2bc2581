/* timeline_page.h: one self-contained HTML page: a timeline of lanes, tables, maps of places, durations by label.
 *
 *     page ── section (a chip) ── group (a core) ── lane (a processor) ── slice, instant
 *
 * The page goes into an output that the caller owns, lane by lane: only the lane in progress is in memory. Slices may come in
 * any order and may nest; each gets the row below those that are still open. Times are ticks; those of a section are shown
 * relative to its origin.
 *
 * The first failure sticks and is reported by `timeline_page_finish`, which also frees the page; so does `timeline_page_abandon`.
 * Texts are copied. Names may come from files and hold anything.
 */
#ifndef PAGE_TIMELINE_PAGE_H
#define PAGE_TIMELINE_PAGE_H

#include <stdint.h>

#include "base/output.h"
#include "base/status.h"
#include "table/table.h"

struct timeline_page;

struct timeline_words {
    const char *title;          /* of the page */
    const char *section;        /* "Chip": what the levels are called here */
    const char *group;          /* "Core" */
    const char *lane;           /* "RISC" */
    const char *tick;           /* "cycles" */
    uint64_t clock_numerator;   /* nanoseconds of a tick: numerator / denominator; 0: not known */
    uint64_t clock_denominator; /* not 0 where the numerator is not */
};

/* What a label is drawn as. X(name, title, what it means) */
#define TIMELINE_KIND_MAP(X)                                                                  \
    X(OUTER, "Firmware", "outermost: what is there whether a program runs or not")            \
    X(MAIN, "Kernel", "the work itself")                                                      \
    X(ZONE, "Zone", "a part of the work that the program named")                              \
    X(SPAN, "Run", "from the first to the last of what belongs together, over several lanes") \
    X(SERVICE, "Dispatch", "work for others: queues and dispatch")                            \
    X(POINT, "Marker", "a moment that the program marked")                                    \
    X(EVENT, "Event", "a moment with data")

enum timeline_kind {
#define X(name, title, meaning) TIMELINE_##name,
    TIMELINE_KIND_MAP(X)
#undef X
        TIMELINE_KIND_COUNT
};

#define TIMELINE_NO_GROUP UINT32_MAX

/* False where Tacho was built without pages; timeline_page_begin then fails too. */
bool timeline_page_possible(void);

NODISCARD status timeline_page_begin(struct output *output, const struct timeline_words *words,
                                     struct timeline_page **page);
void timeline_page_abandon(struct timeline_page *page); /* NULL is fine */

void timeline_page_fact(struct timeline_page *page, const char *name, const char *format, ...) PRINTF_LIKE(3, 4);
void timeline_page_note(struct timeline_page *page, const char *format, ...)
    PRINTF_LIKE(2, 3); /* what is lost or doubtful */

/* The label for slices and instants; equal ones get the same id. */
uint32_t timeline_page_label(struct timeline_page *page, const char *name, enum timeline_kind kind);

/* Each of them goes on until the next one of its level. Ids count from 0. */
uint32_t timeline_page_section(struct timeline_page *page, const char *name, int64_t origin);
uint32_t timeline_page_group(struct timeline_page *page, const char *name);
uint32_t timeline_page_lane(struct timeline_page *page, const char *name);

void timeline_page_slice(struct timeline_page *page, uint32_t label, int64_t start, int64_t end);
void timeline_page_instant(struct timeline_page *page, uint32_t label, int64_t time);

/* A table below the timeline. Borrowed until the end. */
void timeline_page_table(struct timeline_page *page, const struct table *table);

/* A map of places: a number per place. */
struct timeline_place {
    uint32_t column, row; /* from 0 */
    double value;         /* NAN: the place has a text only */
    const char *text;     /* shown in the place; NULL: the value */
    uint32_t group;       /* that is there; TIMELINE_NO_GROUP: none */
};

struct timeline_map {
    const char *title;                   /* above it */
    const char *unit;                    /* "cycles"; NULL: none */
    uint32_t section;                    /* that it belongs to */
    uint32_t columns, rows;              /* of the grid */
    const char *const *row_names;        /* NULL: 0, 1, ... */
    const char *const *column_names;     /* NULL: 0, 1, ... */
    const struct timeline_place *places; /* borrowed for the call */
    size_t place_count;                  /* of places */
};

void timeline_page_map(struct timeline_page *page, const struct timeline_map *map);

/* Writes what is left, and frees. The output is not committed. */
NODISCARD status timeline_page_finish(struct timeline_page *page);

#endif
