/* conversion.h: the inputs of a session pushed into one trace, with all that is drawn from their sums.
 *
 * Streams: memory holds string and track tables and merged busy intervals, not slices. Counters, the repetition of
 * slices by operator and the estimate beside measured jobs keep what they need.
 *
 * A conversion borrows the session and owns the rest, the output file included, until `conversion_commit` or
 * `conversion_abandon`. Its feed may also be used to push tracks and slices of one's own into the same trace.
 */
#ifndef JOB_CONVERSION_H
#define JOB_CONVERSION_H

#include "job/align.h"
#include "job/beside.h"
#include "job/range.h"
#include "job/session.h"
#include "job/ties.h"
#include "trace/busy.h"
#include "trace/store.h"
#include "write/writer.h"

struct conversion_options {
    bool arguments;     /* arguments on slices */
    bool by_operator;   /* repeat the slices on a line per source operator */
    bool counters;      /* bytes in flight, engines busy */
    bool overview;      /* overview tracks and operator totals */
    bool cut;           /* only what lies between `begin` and `end` */
    int64_t begin, end; /* ns from the first event of the trace; INT64_MAX: to its end */
    bool as_original;   /* labels and times as the original tools of a chain have them */
    bool
        keep_clocks; /* several inputs keep the times of their own clocks; else those begin together that nothing ties */
    const struct document *front; /* for formats that show one before the trace; NULL: none; borrowed */
};

#define CONVERSION_DEFAULTS ((struct conversion_options){ .arguments = true, .overview = true })

struct conversion {
    struct session *session;           /* borrowed: whose profiles are read now */
    struct conversion_options options; /* as they were given */
    struct output *output;             /* the file; NULL: there is none */
    struct writer writer;              /* into that file */
    bool drawn;                        /* the format shows what is drawn: overview, operators, estimates */
    struct tee tee;                    /* feeds all that listen */
    struct tee inside;                 /* those that get the range alone, where one is cut out */
    struct range range;                /* the same: feeds these */
    struct sink_calls calls;           /* those of the tee, but for clocks and tracks */
    int64_t shift;                     /* ns that the clocks of the input at hand move */
    clock_id moved;                    /* clock of its tracks that have none, moved too; NO_ID: not announced yet */
    struct input_start *starts;        /* of the profiles of the session at hand; NULL: they keep their times; owned */
    struct busy busy;                  /* for what is drawn from sums, where nobody else adds up */
    struct busy *sums;                 /* these, or those beside */
    const struct profile *read_now;    /* which is being read; NULL: none */
    struct store store;                /* filled only for counters and slices by operator */
    struct beside beside;              /* tables and notes, where the format shows them */
    struct ties ties;                  /* of all chains that have one here */
    struct feed feed;                  /* readers push here */
    uint64_t slices;                   /* that came from the inputs so far */
};

struct conversion_result {
    uint64_t slices; /* that came from the inputs */
    uint64_t events; /* begin and end events written, drawn ones included */
    uint64_t bytes;  /* written, before compression */
};

/* A trace at `path`, which exists only after the commit. The struct must not move afterwards. */
NODISCARD status conversion_open(struct conversion *conversion, struct session *session, const char *path,
                                 const struct writer_format *format, const struct conversion_options *options);

/* The same, to whoever keeps it. */
NODISCARD status conversion_open_kept(struct conversion *conversion, struct session *session,
                                      const struct writer_keeper *keeper, const struct conversion_options *options);

/* Read the profiles of the session that have not been read yet. */
NODISCARD status conversion_read(struct conversion *conversion);
/* Go on with the profiles of another session, which shares the string pool. */
void conversion_switch(struct conversion *conversion, struct session *session);

/* Where tables and notes about the trace can still be handed over; NULL: the format shows none. */
const struct writer *conversion_beside(const struct conversion *conversion);

/* Finish the trace; it is freed also after a failure, which leaves nothing at its path. */
NODISCARD status conversion_commit(struct conversion *conversion, struct conversion_result *result);
void conversion_abandon(struct conversion *conversion);

/* All of it: read all profiles of the session into a trace at `path`. Nothing is left there after a failure. */
NODISCARD status conversion_write(struct session *session, const char *path, const struct writer_format *format,
                                  const struct conversion_options *options, struct conversion_result *result);

#endif
