/* summary.h: the settings of `tacho summary`, for verbs that ask it. Texts are borrowed. */
#ifndef JOB_SUMMARY_H
#define JOB_SUMMARY_H

#include "job/launch_times.h"

struct summary_settings {
    const char *by;        /* what rows are; NULL: metrics only */
    const char *wall_time; /* to be shown beside the metrics; NULL: none */
    const char *model;     /* its name; NULL: by the file */
    bool follow;           /* the input is a recording that is still being made */
    const char *token;     /* that its program wants to see; NULL: the one that is kept for this user */
    struct launch_times
        *times; /* whoever wants to know how long runs took: they are added there; NULL: nobody. Not with `by` */
};

/* The name of a model, by that of its file: what stands there in brackets, else the stem. A view of the path. */
struct text summary_model(const char *path);

#endif
