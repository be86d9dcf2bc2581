/* agreement.h: whether a program can be the one whose run a log tells.
 *
 * A program is given by the user, and nothing in a log names it; one of another model would give engines, kernels and operators that never
 * were. Each action of the log is held against the program's: an action that the dispatch does not have, one that does something
 * else, one that comes from elsewhere in the source. The first of these refuses the program. What a log lacks says nothing: it may
 * be cut off, or have run some of the dispatches; a dispatch that the program lacks may have a dump of its own.
 *
 * An agreement owns its list of what was compared until `agreement_free`; program, join and source are borrowed.
 */
#ifndef TORQ_AGREEMENT_H
#define TORQ_AGREEMENT_H

#include "read/reader.h"
#include "torq/events.h"
#include "torq/join.h"

struct agreement {
    const struct program *program; /* NULL: none, or it is used whatever the log says */
    const struct join *join;       /* of log and program */
    const struct source *source;   /* the log */
    uint8_t *placed;               /* by action or job: its location was compared; owned */
    string_id missing;             /* the first dispatch that the program does not have; 0: none */
    uint64_t missing_line;         /* of the log, that names it */
    bool met;                      /* it has a dispatch that the log names */
};

/* What a row says of an action. */
struct agreement_row {
    string_id dispatch;    /* 0: the log names none */
    int64_t action;        /* id */
    enum torq_event event; /* that happened */
    string_id location;    /* 0: none */
    uint64_t line;         /* of the log */
};

/* Free it also after a failure. */
NODISCARD status agreement_start(struct agreement *agreement, const struct source *source, const struct join *join);
void agreement_free(struct agreement *agreement);

/* STATUS_INPUT: the program cannot be that of the log. `action` is the program's; NULL: it has none such. */
NODISCARD status agreement_action(struct agreement *agreement, const struct agreement_row *row,
                                  const struct program_action *action);
/* The same of a job, of logs that tell nothing else. */
NODISCARD status agreement_job(struct agreement *agreement, const struct program_job *job, string_id location,
                               uint64_t line);
/* After the last row. */
NODISCARD status agreement_finish(const struct agreement *agreement);

#endif
