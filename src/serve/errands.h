/* errands.h: what a page can ask of profiles, each answered by a job of a verb into a file, or a trace in memory.
 *
 * An errand is plain data that owns its texts. `errand_run` is called by a thread of its own for each; nothing is shared between two.
 */
#ifndef SERVE_ERRANDS_H
#define SERVE_ERRANDS_H

#include "job/verb.h"
#include "serve/guard.h"
#include "serve/traces.h"

enum errand_kind {
    ERRAND_TABLE,    /* a table as JSON: `name` is its */
    ERRAND_DOWNLOAD, /* the profile as a trace: `name` is the id of the format */
    ERRAND_TRACE,    /* the trace, to be kept in memory */
    ERRAND_REPORT,   /* the page of the report, on the second of two beside the first */
    ERRAND_COMPARE,  /* the page of the comparison of two */
    ERRAND_QUERY,    /* what SQL about one profile or two answers, as JSON */
    ERRAND_HISTORY,  /* what a history of builds answers, as JSON: `name` is the question */
    ERRAND_KEPT,     /* a profile that a history kept: `name` is the id of a format, or "bytes" for what was added */
    ERRAND_ARCHIVE   /* what a verb writes into its folder, as the archive of it: `name` is that of the verb */
};

enum { ERRAND_NAME = 64, ERRAND_FILTERS = 8, ERRAND_WORDS = GUARD_PAIRS };

/* A word of a question to a history. */
struct errand_word {
    const char *name; /* static */
    char *value;      /* NULL ends a list; owned */
};

struct errand {
    enum errand_kind kind;  /* what is asked */
    char name[ERRAND_NAME]; /* see above */
    char *paths[2];         /* of the profiles; the second is NULL where one is asked about; or of the history; owned */
    char *columns, *sort, *limit;               /* of a table, as they were given; NULL: not; owned */
    char *sql;                                  /* of a query; owned */
    char *filters[ERRAND_FILTERS];              /* the same; up to the first NULL */
    struct errand_word words[ERRAND_WORDS + 1]; /* of a history, as they were given */
};

/* From the query of a target, of which names that an errand does not know are refused. STATUS_USAGE says which. Free it also after a failure. */
NODISCARD status errand_start(struct errand *errand, enum errand_kind kind, const char *name,
                              const struct guard_target *target);
void errand_free(struct errand *errand);

/* Answers it into a file at `path`, which is there only where this succeeds, or where it is about a trace into `*trace`, which is held then.
 * Jobs take what they know of the options, which are as `job_handed` has them. */
NODISCARD status errand_run(const struct errand *errand, const struct texts *asked, const char *path,
                            struct kept_trace **trace);

/* The suffix of what an errand makes, static; NULL: there is no such format, or the verb has no archive. */
const char *errand_suffix(const struct errand *errand);

#endif
