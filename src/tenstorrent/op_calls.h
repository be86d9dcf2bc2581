/* op_calls.h: the calls of a model's operations as tt-metal's op profiler logged them, one by one.
 *
 * A call has its texts as the logs have them. NULL is a value that the logs do not have; an empty text is one that they have
 * and that is empty. Texts are borrowed from whoever read the logs. `op_calls_free` frees the lists, not the texts.
 */
#ifndef TENSTORRENT_OP_CALLS_H
#define TENSTORRENT_OP_CALLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/status.h"
#include "base/strings.h"

enum { OP_MOST_TENSORS = 512 }; /* of one call, on one side; more are no tensors */

/* X(name, column) in the order of the report; those from LATER on came with later logs. */
#define OP_DURATION_MAP(X)                             \
    X(FIRMWARE, "DEVICE FW DURATION [ns]")             \
    X(KERNEL, "DEVICE KERNEL DURATION [ns]")           \
    X(BRISC, "DEVICE BRISC KERNEL DURATION [ns]")      \
    X(NCRISC, "DEVICE NCRISC KERNEL DURATION [ns]")    \
    X(TRISC0, "DEVICE TRISC0 KERNEL DURATION [ns]")    \
    X(TRISC1, "DEVICE TRISC1 KERNEL DURATION [ns]")    \
    X(TRISC2, "DEVICE TRISC2 KERNEL DURATION [ns]")    \
    X(ERISC, "DEVICE ERISC KERNEL DURATION [ns]")      \
    X(WAIT_FRONT, "DEVICE COMPUTE CB WAIT FRONT [ns]") \
    X(RESERVE_BACK, "DEVICE COMPUTE CB RESERVE BACK [ns]")

enum op_duration {
#define X(name, column) DURATION_##name,
    OP_DURATION_MAP(X)
#undef X
        DURATION_COUNT,
    DURATION_LATER = DURATION_ERISC
};

/* X(name, column of the log, column of the report) of what later host logs add, in the order of the report. */
#define OP_LATER_MAP(X)                                                            \
    X(COMPUTE_PATHS, "Compute Kernel Paths", "COMPUTE KERNEL PATH")                \
    X(COMPUTE_HASHES, "Compute Kernel Hashes", "COMPUTE KERNEL HASH")              \
    X(MOVEMENT_PATHS, "Data Movement Kernel Paths", "DATA MOVEMENT KERNEL PATH")   \
    X(MOVEMENT_HASHES, "Data Movement Kernel Hashes", "DATA MOVEMENT KERNEL HASH") \
    X(MODEL_IDEAL, "PM Ideal ns", "PM IDEAL NS")                                   \
    X(MODEL_COMPUTE, "PM Compute ns", "PM COMPUTE NS")                             \
    X(MODEL_BANDWIDTH, "PM Bandwidth ns", "PM BANDWIDTH NS")                       \
    X(MODEL_INPUT, "PM Req I BW", "PM REQ I BW")                                   \
    X(MODEL_OUTPUT, "PM Req O BW", "PM REQ O BW")

enum op_later {
#define X(name, log, column) LATER_##name,
    OP_LATER_MAP(X)
#undef X
        LATER_COUNT
};

/* What the device did in one call. */
struct op_device {
    bool known;                           /* false: there is no device log, or no time in it */
    int64_t chip;                         /* whose numbers these are; -1: none */
    uint64_t first_cycle;                 /* of any marker */
    uint64_t last_cycle;                  /* of any marker */
    uint64_t cores;                       /* with markers */
    bool has[DURATION_COUNT];             /* which durations are known */
    uint64_t duration_ns[DURATION_COUNT]; /* those */
    uint64_t lost;                        /* durations that are not known, since markers were lost */
};

/* The calls of one tt_metal function during one call of an operation. */
struct op_function {
    uint32_t function; /* number among the functions of all calls */
    uint64_t count;    /* calls */
    uint64_t total_ns; /* of all of them */
};

struct op_call {
    const char *name;               /* without its name space, with the preferred name where the report shows that */
    const char *type;               /* tt_dnn_device and others */
    const char *call;               /* global call count, as the log has it */
    int64_t order;                  /* the same as a number; INT64_MAX: not known, last */
    const char *attributes;         /* as printed */
    const char *fidelity;           /* of the arithmetic */
    const char *strategy;           /* of parallelization */
    const char *host_start;         /* ns */
    const char *host_end;           /* ns */
    const char *host_duration;      /* ns */
    const char *inputs;             /* tensors joined with '-', see `op_tensor_next` */
    const char *outputs;            /* the same */
    const char *depth_text;         /* as the log has it */
    uint32_t depth;                 /* of calls inside of calls, from 1 */
    const char *later[LATER_COUNT]; /* what later logs add */
    struct op_device device;        /* what the device did */
    const char *architecture;       /* that its device log names; NULL: none */
    uint32_t markers;               /* the marker log that has those of its device; NO_ID: none was kept */
    struct op_function *functions;  /* NULL where there are none */
    size_t function_count;          /* of the functions */
    bool no_functions;              /* which functions were called is not known */
};

struct op_calls {
    struct op_call *rows;     /* by global call count once sorted */
    size_t count;             /* of the rows */
    size_t capacity;          /* of the rows */
    const char **functions;   /* tt_metal functions in the order in which they were met */
    size_t function_count;    /* of these */
    size_t function_capacity; /* of these */
    bool later_device;        /* some log has the later device columns */
    bool later_host;          /* some log has the later host columns */
};

void op_calls_free(struct op_calls *calls);

/* By global call count; rows with the same one keep their order. Functions keep theirs. */
NODISCARD status op_calls_sort(struct op_calls *calls);

/* The name of a call as the report has it: without its name space, and with the preferred one behind it. Ops of the device have their
 * class's name alone; where the type is not known (no data), so is this. */
NODISCARD status op_call_name(struct arena *arena, struct text name, struct text preferred, struct text type,
                              const char **made);

/* A tensor of a list: "1_1_128_1024|TILE|BFLOAT16|DEV_0_DRAM_INTERLEAVED". What it lacks has no length. */
enum { TENSOR_SIZES = 4 };

struct op_tensor_text {
    bool empty;                      /* the place of an optional tensor that is not there */
    struct text sizes[TENSOR_SIZES]; /* W, Z, Y, X; of more than four dimensions the first has the rest: 2_3 */
    struct text layout;              /* TILE, ROW_MAJOR */
    struct text datatype;            /* BFLOAT16 */
    struct text memory;              /* where it lies */
};

/* The next tensor of a list; false: there is none. Fewer than four sizes are those of the last dimensions, the others are 1. */
bool op_tensor_next(struct text *list, struct op_tensor_text *tensor);
/* The list of a call; NULL is an empty one. */
struct text op_tensor_list(const char *tensors);
/* How many places the tensors of a list need: an empty one keeps its number, empty ones at the end need none. */
size_t op_tensor_count(const char *tensors);

#endif
