/* places.h: a map of places: where on a chip, a board or in a rack the tracks of a trace are, and numbers of each place.
 *
 *     map ── grid of columns and rows
 *         ├─ statistics        what the numbers are, each with its unit and scale
 *         └─ places            a track each, or a text alone; values of a place, one for each statistic
 *
 * A reader hands it to the sink after the tracks that it names, where the sink takes it (`places` of sink.h is not NULL): then somebody looks.
 * Everything is borrowed for the call.
 */
#ifndef TRACE_PLACES_H
#define TRACE_PLACES_H

#include "trace/model.h"

struct place_statistic {
    const char *title; /* "Time in kernels" */
    const char *unit;  /* "cycles"; NULL: none */
    double full;       /* value of a place that does nothing else: the scale goes from 0 to it; NAN: to the largest */
};

struct map_place {
    uint32_t column, row; /* from 0 */
    track_id track;       /* that is there; NO_ID: none, and it has no values */
    const char *name;     /* what is there; NULL: what the track is called */
};

struct place_map {
    const char *name;                         /* of what has the places: "chip 0" */
    const char *place;                        /* what one of them is: "core" */
    uint32_t columns, rows;                   /* of the grid */
    const char *const *column_names;          /* as many as columns */
    const char *const *row_names;             /* as many as rows */
    const struct place_statistic *statistics; /* one at least */
    size_t statistic_count;                   /* of these */
    const struct map_place *places;           /* no two at the same column and row */
    size_t place_count;                       /* of these */
    const double *values;                     /* [place * statistic_count + statistic]; NAN: not known */
    const char *const *texts;                 /* the same: how a value reads; NULL in it: as the number */
};

#endif
