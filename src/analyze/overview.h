/* overview.h: the overview of one input: as tracks of a trace, as text, as JSON, side by side.
 *
 * All four show the same struct metrics. Nothing here owns anything but what it returns.
 */
#ifndef ANALYZE_OVERVIEW_H
#define ANALYZE_OVERVIEW_H

#include "analyze/metrics.h"
#include "analyze/runs.h"
#include "base/output.h"
#include "table/table.h"
#include "trace/feed.h"
#include "trace/told.h"

enum { OVERVIEW_TOLD_NOTE = 4096 };

struct overview {
    const char *model; /* name that is shown */
    const struct metrics *metrics;
    const struct counted_runs *runs; /* that the metrics are of */
    const char *sentence;            /* about them; empty: there is one */
    int64_t wall_ns;                 /* time measured around the whole run; -1: not given */
    int64_t connection_ns;           /* what connecting to where it ran takes of that; -1: not given */
    const struct losses *losses;
    const struct told *told;  /* metrics that the input tells and nobody computes: see overview_told */
    const char *const *notes; /* what a person should know of these numbers */
    size_t note_count;
    const struct table *const *tables; /* more that JSON shows, under the names of the tables; NULL: none */
    size_t table_count;
};

/* What an input tells beside the metrics: those that it can be asked for are computed, and hide what it tells of the same key. */
struct told overview_told(const struct told *told, const struct metrics *metrics);
/* Its share of the whole; NAN: the metrics are of some runs, and it is of all of the input. */
double overview_told_percent(const struct told_metric *told, const struct metrics *metrics);
/* Says that these are not computed. False: there are none. */
bool overview_told_note(const struct told *told, const struct metrics *metrics, char to[OVERVIEW_TOLD_NOTE]);

/* The metrics that are not 0 as lines under a top-level track "NAME Overview", with the words of the block of text; each holds one slice as
 * long as its metric. Where all are 0 nothing is drawn. */
NODISCARD status overview_draw(struct feed *feed, const struct metrics *metrics, const char *name, int32_t order);
/* The lines that the chain's original tools draw, with their labels, also where they are 0. */
NODISCARD status overview_draw_original(struct feed *feed, const struct metrics *metrics, const char *name,
                                        int32_t order);

/* The block of text; notes are broken at `width` columns. */
void overview_text(struct output *output, const struct overview *overview, unsigned width);
/* The title line above a block. */
void overview_title(struct output *output, const struct overview *overview, unsigned width);

/* {"model": ..., "total_duration": ..., "dma_time": ..., "dma_percent": ..., ...} */
void overview_json(struct output *output, const struct overview *overview);

/* Several inputs side by side: a row per metric, a time and a share per input. The caller frees the table. */
NODISCARD status overview_table(const struct overview *overviews, size_t count, struct table **table);

/* Notes of a table that say what was lost, if anything was. `model` is put before them; NULL: nothing is. */
void overview_note_losses(struct table *table, const char *model, const struct losses *losses);

#endif
