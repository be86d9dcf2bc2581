/* ops_report.h: the perf report of tt-metal's ops: one row per call of an op, as a CSV.
 *
 * Texts are borrowed from whoever read the logs. NULL is a value that the logs do not have and prints as "-"; an empty text
 * is one that they have and that is empty. Columns of later logs are written only where some log has them.
 */
#ifndef REPORT_OPS_REPORT_H
#define REPORT_OPS_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/output.h"

enum { OPS_MOST_TENSORS = 512 }; /* of one op, on one side; more are no tensors */

/* X(name, column) in the order of the report; those from LATER on came with later logs. */
#define OPS_DURATION_MAP(X)                                                                                            \
    X(FIRMWARE, "DEVICE FW DURATION [ns]")                                                                             \
    X(KERNEL, "DEVICE KERNEL DURATION [ns]")                                                                           \
    X(BRISC, "DEVICE BRISC KERNEL DURATION [ns]")                                                                      \
    X(NCRISC, "DEVICE NCRISC KERNEL DURATION [ns]")                                                                    \
    X(TRISC0, "DEVICE TRISC0 KERNEL DURATION [ns]")                                                                    \
    X(TRISC1, "DEVICE TRISC1 KERNEL DURATION [ns]")                                                                    \
    X(TRISC2, "DEVICE TRISC2 KERNEL DURATION [ns]")                                                                    \
    X(ERISC, "DEVICE ERISC KERNEL DURATION [ns]")                                                                      \
    X(WAIT_FRONT, "DEVICE COMPUTE CB WAIT FRONT [ns]")                                                                 \
    X(RESERVE_BACK, "DEVICE COMPUTE CB RESERVE BACK [ns]")

enum ops_duration {
#define X(name, column) OPS_##name,
    OPS_DURATION_MAP(X)
#undef X
    OPS_DURATION_COUNT,
    OPS_DURATION_LATER = OPS_ERISC
};

/* X(name, column of the log, column of the report) of what later host logs add, in the order of the report. */
#define OPS_LATER_MAP(X)                                                                                               \
    X(COMPUTE_PATHS, "Compute Kernel Paths", "COMPUTE KERNEL PATH")                                                    \
    X(COMPUTE_HASHES, "Compute Kernel Hashes", "COMPUTE KERNEL HASH")                                                  \
    X(MOVEMENT_PATHS, "Data Movement Kernel Paths", "DATA MOVEMENT KERNEL PATH")                                       \
    X(MOVEMENT_HASHES, "Data Movement Kernel Hashes", "DATA MOVEMENT KERNEL HASH")                                     \
    X(MODEL_IDEAL, "PM Ideal ns", "PM IDEAL NS")                                                                       \
    X(MODEL_COMPUTE, "PM Compute ns", "PM COMPUTE NS")                                                                 \
    X(MODEL_BANDWIDTH, "PM Bandwidth ns", "PM BANDWIDTH NS")                                                           \
    X(MODEL_INPUT, "PM Req I BW", "PM REQ I BW")                                                                       \
    X(MODEL_OUTPUT, "PM Req O BW", "PM REQ O BW")

enum ops_later {
#define X(name, log, column) OPS_##name,
    OPS_LATER_MAP(X)
#undef X
    OPS_LATER_COUNT
};

/* What the device did in one call. */
struct ops_device {
    bool known;                           /* false: there is no device log, everything is "-" */
    uint64_t first_cycle;                 /* of any marker */
    uint64_t last_cycle;
    uint64_t cores;
    bool has[OPS_DURATION_COUNT];
    uint64_t duration_ns[OPS_DURATION_COUNT];
};

/* The calls of one tt_metal function during one call of an op. */
struct ops_calls {
    uint32_t function; /* number in the report's functions */
    uint64_t count;
    uint64_t total_ns;
};

struct ops_row {
    const char *name;      /* without its name space, with the preferred name where the report shows that */
    const char *type;
    const char *call;      /* global call count, as the log has it */
    int64_t order;         /* the same as a number; INT64_MAX: not known, last */
    const char *attributes;
    const char *fidelity;
    const char *strategy;
    const char *host_start;
    const char *host_end;
    const char *host_duration;
    const char *inputs;    /* tensors joined with '-', see `ops_tensor_count` */
    const char *outputs;
    const char *depth_text;
    uint32_t depth;        /* blanks before the name */
    const char *later[OPS_LATER_COUNT];
    struct ops_device device;
    struct ops_calls *calls; /* NULL where there are none */
    size_t call_count;
    bool no_calls;           /* which functions were called is not known */
};

struct ops_report {
    struct ops_row *rows;
    size_t count;
    size_t capacity;
    const char **functions; /* tt_metal functions in the order in which they were met */
    size_t function_count;
    size_t function_capacity;
    bool later_device;      /* with the later device columns */
    bool later_host;        /* with the later host columns */
};

/* How many columns the tensors of a list need: an empty item keeps its number, empty ones at the end need none. */
size_t ops_tensor_count(const char *tensors);

/* By global call count; rows with the same one keep their order. Functions keep theirs. */
NODISCARD status ops_report_sort(struct ops_report *report);

/* The CSV with CRLF line ends. Failures stick in `output`; the status tells them and a lack of memory. */
NODISCARD status ops_report_write(const struct ops_report *report, struct output *output);

#endif
