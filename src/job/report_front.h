/* report_front.h: what a report on profiles is made of, and its first screen. Only the files of the report include it. */
#ifndef JOB_REPORT_FRONT_H
#define JOB_REPORT_FRONT_H

#include "job/compare.h"
#include "job/report.h"
#include "page/advice_files.h"

struct report {
    struct advised advised;               /* what to do; its own */
    struct table *overview;               /* what a run is made of; the document's once there is one */
    struct table *operators;              /* what its operators cost; the same */
    struct launch_times times;            /* how long runs took; its own */
    struct latency_summary latency;       /* of these, where `timed` */
    bool timed;                           /* some runs have a time */
    struct job comparing;                 /* the question what changed, where `asked`; its own */
    bool asked;                           /* it was begun */
    const struct compare_model *compared; /* what it made; NULL: nothing is compared */
    struct document *document;            /* for people; NULL: not yet */
};

NODISCARD status report_front_add(const struct job *job, struct report *report);

#endif
