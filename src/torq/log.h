/* log.h: what the three generations of Torq's runtime log share while one is being read.
 *
 * The log is made by torq_runtime.c and borrowed by the part that reads the rows: torq_runtime.c itself for R1 (one row
 * per job), torq_actions.c for R2 (two rows per host action), torq_scopes.c for R3 (two rows per event of a scope).
 */
#ifndef TORQ_LOG_H
#define TORQ_LOG_H

#include "torq/agreement.h"
#include "torq/chain.h"
#include "torq/events.h"
#include "torq/join.h"
#include "torq/rows.h"

/* Slices that may be open at once in one scope; no real log comes near, and every search stays short. */
enum { TORQ_MOST_OPEN = 1024, TORQ_NAMES = 1024 };

struct torq_log {
    struct source *source;                    /* that is read */
    struct torq_keys keys;                    /* of arguments */
    const struct program *program;            /* of the source; NULL: none */
    struct work *work;                        /* that listens to the source; NULL: none */
    string_id job_name;                       /* of a job that nothing names; its number is an argument */
    struct feed *feed;                        /* that is fed */
    struct lines *lines;                      /* of the source */
    struct join *join;                        /* with the program */
    struct agreement agreement;               /* whether the program is that of the log */
    clock_id clock;                           /* of the events */
    int64_t limit;                            /* largest time that the clock can turn into ns */
    int64_t last_time;                        /* of the row before */
    track_id tracks[TORQ_ORDERS];             /* NO_ID: not made yet */
    string_id type_names[TORQ_EVENT_UNKNOWN]; /* 0: not interned yet */
    struct {
        int64_t action;         /* id */
        string_id name;         /* its text */
    } action_names[TORQ_NAMES]; /* "action 7" by action; name 0: none yet */
    struct row_buffer buffer;   /* of a location without its quotes */
    struct strings *ends;       /* ends of rows, from the location on, that were read before; NULL: none yet */
    operator_id *end_operators; /* by their ids: what they mean */
    string_id last_end;         /* that was met last; 0: none yet */
    size_t end_capacity;        /* of them */
    string_id *locations;       /* by operator: where this log says that it is; 0: it does not */
    size_t location_capacity;   /* of them */
    bool jobs;                  /* NSS events were met */
    uint32_t pending;           /* jobs and host programs of all scopes that were started and have not ended */
    struct step job_step;       /* of R1: jobs of one operator so far; told when another follows */
    bool job_stepping;          /* there is one */
    char delimiter;             /* between the fields of R1 and R2 */
};

/* A job or host program that was started: its slice, and the engines drawn with it. */
struct torq_work {
    open_id id;               /* of its own slice */
    int64_t start;            /* ticks */
    struct join_open engines; /* that are drawn with it */
};

/* Announces the clock and opens the lines; `log` is all zero before. Call `torq_log_close` also after a failure. */
NODISCARD status torq_log_open(struct torq_log *log, struct source *source, struct feed *feed);
void torq_log_close(struct torq_log *log);
/* Says that the engines of a job are drawn over all of it. */
void torq_log_note_whole_jobs(struct source *source);

/* A piece of work that comes once in every inference that has it: what repeats are the runs. */
NODISCARD status torq_log_step(struct torq_log *log, uint64_t key, int64_t start, step_id *id);
NODISCARD status torq_log_track(struct torq_log *log, const struct engine *engine, track_id *track);
/* A row that cannot be used, at a column from 0. Says &loss_too_long or &loss_binary where that is the better reason. */
NODISCARD status torq_log_lose(struct torq_log *log, const struct line *line, const struct loss_reason *reason,
                               size_t column);
/* Something odd about a row that is used. */
NODISCARD status torq_log_mark(struct torq_log *log, const struct loss_reason *reason, uint64_t line);
/* Marks a time before that of the last row, and remembers this one. */
NODISCARD status torq_log_time(struct torq_log *log, int64_t time, uint64_t line);

NODISCARD status torq_log_type_name(struct torq_log *log, enum torq_event event, struct text type, string_id *name);
/* The operator at a printed location; NO_ID: it names none. */
NODISCARD status torq_log_operator(struct torq_log *log, struct text location, operator_id *id);

/* The location of an operator as the log has it; 0: it has none. */
string_id torq_log_location(const struct torq_log *log, operator_id id);

/* The operator at the location that a row ends with, from `start` on; the line grows when it goes on below. Ends of rows are few: one
 * that was read before is not read again. NULL in `*reason`: done; else the row is lost. */
NODISCARD status torq_log_row_operator(struct torq_log *log, struct line *line, size_t start, row_start starts_row,
                                       operator_id *op, const struct loss_reason **reason);

/* Begins the slice of a job, with the engines that the program says it uses. Action ids are -1 where not known. `like` has its operator,
 * its flow, and among its arguments the dispatch where the log tells it. */
NODISCARD status torq_log_job_begin(struct torq_log *log, const struct program_job *job, int64_t start_action,
                                    int64_t wait_action, const struct slice *like, int64_t time,
                                    struct torq_work *work);
NODISCARD status torq_log_work_end(struct torq_log *log, struct torq_work *work, int64_t time);
enum { TORQ_JOB_ARGUMENTS = 6 };
/* JOB, START_ACTION, WAIT_ACTION and KERNELS, as far as known; the program knows more than the log. Two more have room. */
unsigned torq_log_job_arguments(const struct torq_log *log, const struct program_job *job, int64_t start_action,
                                int64_t wait_action, struct argument arguments[TORQ_JOB_ARGUMENTS]);
/* The name of its operator, which says most; where it has none that of the program, or its number. */
NODISCARD status torq_log_job_name(struct torq_log *log, const struct program_job *job, int64_t action, operator_id op,
                                   string_id *name);

struct torq_actions;
NODISCARD status torq_actions_new(struct torq_log *log, struct torq_actions **actions);
NODISCARD status torq_actions_row(struct torq_actions *actions, struct line *line);
NODISCARD status torq_actions_finish(struct torq_actions *actions); /* closes what is still open */
void torq_actions_free(struct torq_actions *actions);
bool torq_actions_row_start(struct text line);

struct torq_scopes;
NODISCARD status torq_scopes_new(struct torq_log *log, struct torq_scopes **scopes);
/* Rows from now on have the columns of this line. False: it is no header. */
bool torq_scopes_header(struct torq_scopes *scopes, struct text line);
NODISCARD status torq_scopes_row(struct torq_scopes *scopes, struct line *line);
NODISCARD status torq_scopes_finish(struct torq_scopes *scopes);
void torq_scopes_free(struct torq_scopes *scopes);
bool torq_scopes_row_start(struct text line);

#endif
