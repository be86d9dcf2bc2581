/* ops_recording.h: the calls of operations that a recording has: the same as those of a folder of ops logs.
 *
 * A program that was built with the op profiler (include/tacho/ops.h says what it records) has a slice for each call of an op, with
 * arguments that begin with "op.", and one for each call of a function inside an op. This is a sink that picks them out, whoever reads the
 * recording. Texts of the calls are the recording's until `ops_recording_free`; the pool of strings is borrowed.
 *
 *     ops_recording_start(&ops, strings)
 *     … a reader pushes into ops_recording_sink(&ops) …
 *     ops_recording_end(&ops)                            →  ops.calls
 */
#ifndef TENSTORRENT_OPS_RECORDING_H
#define TENSTORRENT_OPS_RECORDING_H

#include "record/op_keys.h"
#include "tenstorrent/op_calls.h"
#include "trace/sink.h"

/* X(NAME, key) of the arguments that are looked for. */
#define OPS_KEY_MAP(X) \
    OP_TEXT_KEYS(X)    \
    OP_NUMBER_KEYS(X)  \
    X(UNFINISHED, "unfinished")

enum ops_key {
#define X(name, key) OPS_KEY_##name,
    OPS_KEY_MAP(X)
#undef X
        OPS_KEY_COUNT
};

/* A call of a function. */
struct ops_recorded_function {
    track_id track;  /* that it is on, as its op is */
    string_id name;  /* of the function */
    uint64_t caller; /* global call count of that op; 0: none */
    int64_t ns;      /* that it took */
};

/* Which call of an op a row is, and where its thread is. */
struct ops_recorded_op {
    track_id track;   /* that it is on */
    track_id process; /* the track above that one */
    uint64_t global;  /* call count */
    int64_t start;    /* ns */
};

/* What a slice that was begun and has not ended is. */
struct ops_recorded_open {
    size_t place;                                                /* among the ops or the functions */
    int64_t start;                                               /* ticks */
    track_id track;                                              /* whose clock that is of */
    enum { OPS_OPEN_NONE, OPS_OPEN_OP, OPS_OPEN_FUNCTION } kind; /* which of the two */
};

struct ops_recording {
    struct op_calls calls;                    /* complete and sorted once it has ended */
    struct arena arena;                       /* their texts */
    uint64_t unfinished;                      /* ops that had not stopped when the recording ended */
    uint64_t outside;                         /* calls of functions that belong to no op of the recording */
    size_t processes;                         /* that have ops; their calls come one after the other */
    struct strings *strings;                  /* borrowed */
    string_id keys[OPS_KEY_COUNT];            /* of the arguments */
    struct clock *clocks;                     /* by id; owned */
    size_t clock_count, clock_capacity;       /* of clocks */
    struct track *tracks;                     /* by id; owned */
    size_t track_count, track_capacity;       /* of tracks */
    struct ops_recorded_op *ops;              /* beside calls.rows; owned */
    size_t op_capacity;                       /* of ops */
    struct ops_recorded_function *functions;  /* owned */
    size_t function_count, function_capacity; /* of functions */
    struct ops_recorded_open *opens;          /* by open id; owned */
    size_t open_capacity;                     /* of opens */
};

NODISCARD status ops_recording_start(struct ops_recording *recording, struct strings *strings);
struct sink ops_recording_sink(struct ops_recording *recording);
/* Once all was pushed: puts functions to their ops, and the calls in order. */
NODISCARD status ops_recording_end(struct ops_recording *recording);
void ops_recording_free(struct ops_recording *recording); /* also after a failure */

#endif
