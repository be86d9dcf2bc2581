/* ops_log.h: the folder of logs that the op profiler writes.
 *
 *     FOLDER/.tacho-session                     locked by every process that logs there
 *     FOLDER/<op>/profile_log_host.csv          one row per call of the op
 *     FOLDER/<op>/<call>/profile_log_host.csv   the functions that were called meanwhile
 *
 * A folder belongs to one session: the processes that log to it at the same time. Who finds that nobody else does removes what a session
 * before it left there, so that one report is about one run. Only logs in folders with .tacho-session are removed, by their names.
 *
 * Every row is one write to a file that is opened for appending: rows of several processes do not mix, and what was written stays when the
 * process is killed. None of this is locked: ops.c calls it with a lock held. What fails is told to op_error, and the log goes on.
 */
#ifndef RECORD_OPS_LOG_H
#define RECORD_OPS_LOG_H

#include "ops_text.h"

#pragma GCC visibility push(hidden)

/* Not open: the files are -1, the rest is 0. */
struct op_log {
    int folder;          /* open; -1: none */
    int session;         /* its .tacho-session, locked; -1: none */
    uint32_t generation; /* another number for each location */
    struct op_text path; /* of the folder, absolute */
    struct op_text file; /* scratch: a path in the folder */
    struct op_text row;  /* scratch: a row of an op */
    struct op_text line; /* scratch: what is written */
    bool noted;          /* this process has written to .locations.log */
    uint64_t outside;    /* folder number for calls outside of any op; 0: none yet */
};

/* An op's log in the folder. All zero, but for the name: not there yet. */
struct op_log_file {
    const char *folder;  /* its name in the folder of logs; owned by who has this */
    uint32_t generation; /* of the location that it was made in */
    bool ready;          /* made, with its header */
    bool details;        /* its header has the later columns */
};

/* `given` NULL: the default. An empty one: no logs. False: it cannot be used; there are no logs then. */
bool op_log_open(struct op_log *log, const char *given);

/* A row of an op's log: the fields up to the type, and those of later logs, each with its separator before it; "": none. */
void op_log_row(struct op_log *log, struct op_log_file *file, const char *fields, const char *details);
/* Adds rows of functions to the log of a call; also without any, so that it is known that there were none. */
void op_log_calls(struct op_log *log, const char *op, uint64_t call, const char *rows);
/* The same for a function that was called outside of any op. */
void op_log_outside(struct op_log *log, const char *row);
/* FOLDER/OP/CALL, made; false: it cannot be. The path is in log->file. */
bool op_log_call_folder(struct op_log *log, const char *op, uint64_t call);

/* In ops.c. `errno_value` 0: none. */
void op_error(int errno_value, const char *what, const char *name);

#pragma GCC visibility pop

#endif
