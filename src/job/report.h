/* report.h: what the parts of `tacho report` share.
 *
 * A report on profiles is made of the answers of other verbs, each from a job of its own, so that two verbs asked about one file give one
 * answer. What else a chain can report on (folders with launches of several builds) it adds as a struct verb_part of "report": the part
 * that accepts no reader (NULL) gets folders that no reader knows.
 */
#ifndef JOB_REPORT_H
#define JOB_REPORT_H

#include "job/job.h"

/* The settings of the verb: `job->settings`. Texts are borrowed. */
struct report_settings {
    const char *out;          /* where to write it; NULL: nowhere, or where the part says */
    const char *title;        /* NULL: what the report is about */
    const char *architecture; /* as `advise` takes it; NULL: not given */
    bool timeline;            /* the page has the timeline, too */
    struct texts with;        /* what the inputs are compared with, and the report is on; none: nothing is compared */
};

extern const struct verb report_verb;

#endif
