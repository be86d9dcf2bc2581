/* runs.h: which runs of an input count, and the time in which they ran.
 *
 * Every mean about inferences is about the runs that count: without warm-up, without hiccups, without what is cut off. An input that has no runs is one,
 * whole. What counts is said in one sentence, wherever such a number stands.
 *
 * A struct counted_runs owns its windows until `counted_runs_free`.
 */
#ifndef ANALYZE_RUNS_H
#define ANALYZE_RUNS_H

#include "analyze/warmup.h"
#include "base/intervals.h"
#include "trace/busy.h"
#include "trace/inferences.h"

enum { RUNS_SENTENCE = 256 };

/* The runs of one launch that count, of an input that tells several. */
struct counted_launch {
    uint32_t launch;          /* its number */
    size_t counted;           /* runs; 0: all were left out */
    struct intervals windows; /* when they ran */
};

struct counted_runs {
    enum inference_source source; /* how they were found */
    size_t total;                 /* runs of the input; 1 where it has none */
    size_t counted;               /* of these; 1 at least */
    size_t warmup;                /* left out at the start of each launch */
    size_t partial;               /* cut off or not like the others: never counted */
    size_t slow;                  /* hiccups: not counted */
    double slow_factor;           /* the mean of these over the median of those that count; NAN: there are none */
    size_t launches;              /* that the input tells apart */
    struct counted_launch *each;  /* of these, in order; NULL: there is one, and all windows are its own */
    double first_factor; /* the first run over the median of those that count; NAN: it counts, or there is no other */
    double
        overlapping; /* what runs that count add up to, over the time in which any of them ran: 1, unless they lie on each other */
    struct intervals windows; /* when they ran; meaningless for an input that is one run: see runs_windows */
};

/* `busy` is settled: times are those of its clock. `warmup` is WARMUP_AUTO or a number of runs. Free it also after a failure.
 * STATUS_INPUT, with `path` in front: no run is left, or the user named slices that are not there. */
NODISCARD status runs_count(struct inferences *inferences, const struct busy *busy, track_id process, const char *path,
                            int64_t warmup, struct counted_runs *runs);
void counted_runs_free(struct counted_runs *runs);

/* When the runs ran; NULL: the input is one run, always. */
const struct intervals *runs_windows(const struct counted_runs *runs);

/* "9 of 10 runs count: the first took 1.6x as long". False: there is one run, and nothing to be said. */
bool runs_sentence(const struct counted_runs *runs, char to[RUNS_SENTENCE]);

#endif
