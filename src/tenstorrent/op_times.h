/* op_times.h: what a device says about each op that ran on it: the device columns of an ops report.
 *
 * They come from the markers of a device log (`op_times_of_log`), or a reader fills them from a report that the tool chain made
 * of such a log. Durations are nanoseconds, rounded once from exact cycles, half to even. A value that is not known is OP_NONE.
 *
 * A list owns its items until `op_times_free`; texts are ids of the log's pool.
 */
#ifndef TENSTORRENT_OP_TIMES_H
#define TENSTORRENT_OP_TIMES_H

#include "tenstorrent/marker_ops.h"
#include "tenstorrent/op_report.h"

/* X(name, column), as ops reports and the tool chain's own device report call them. */
#define OP_TIME_MAP(X)                                              \
    X(FW_START, "DEVICE FW START CYCLE")                            \
    X(FW_END, "DEVICE FW END CYCLE")                                \
    X(LATENCY, "OP TO OP LATENCY [ns]")                             \
    X(LATENCY_DM, "OP TO OP LATENCY BR/NRISC START [ns]")           \
    X(FW, "DEVICE FW DURATION [ns]")                                \
    X(KERNEL, "DEVICE KERNEL DURATION [ns]")                        \
    X(KERNEL_DM, "DEVICE KERNEL DURATION DM START [ns]")            \
    X(CORE_MIN, "DEVICE KERNEL DURATION PER CORE MIN [ns]")         \
    X(CORE_MAX, "DEVICE KERNEL DURATION PER CORE MAX [ns]")         \
    X(CORE_AVERAGE, "DEVICE KERNEL DURATION PER CORE AVG [ns]")     \
    X(FIRST_TO_LAST, "DEVICE KERNEL FIRST TO LAST START [ns]")      \
    X(BRISC, "DEVICE BRISC KERNEL DURATION [ns]")                   \
    X(NCRISC, "DEVICE NCRISC KERNEL DURATION [ns]")                 \
    X(TRISC0, "DEVICE TRISC0 KERNEL DURATION [ns]")                 \
    X(TRISC1, "DEVICE TRISC1 KERNEL DURATION [ns]")                 \
    X(TRISC2, "DEVICE TRISC2 KERNEL DURATION [ns]")                 \
    X(ERISC, "DEVICE ERISC KERNEL DURATION [ns]")                   \
    X(QUASAR_DM, "DEVICE QUASAR_DM KERNEL DURATION [ns]")           \
    X(QUASAR_TRISC, "DEVICE QUASAR_NEO_TRISC KERNEL DURATION [ns]") \
    X(DM_FW, "DEVICE DM FW DURATION [ns]")                          \
    X(TRISC_FW, "DEVICE TRISC FW DURATION [ns]")                    \
    X(WAIT_FRONT, "DEVICE COMPUTE CB WAIT FRONT [ns]")              \
    X(RESERVE_BACK, "DEVICE COMPUTE CB RESERVE BACK [ns]")          \
    X(DISPATCH, "DISPATCH TOTAL CQ CMD OP TIME [ns]")               \
    X(DISPATCH_GO, "DISPATCH GO SEND WAIT TIME [ns]")               \
    X(KERNEL_START, "DEVICE KERNEL START CYCLE")                    \
    X(KERNEL_END, "DEVICE KERNEL END CYCLE")                        \
    X(KERNEL_DM_START, "DEVICE KERNEL DM START CYCLE")              \
    X(KERNEL_DM_END, "DEVICE KERNEL DM END CYCLE")

enum op_time {
#define X(name, column) OP_TIME_##name,
    OP_TIME_MAP(X)
#undef X
        OP_TIME_COUNT
};

const char *op_time_column(enum op_time time);

/* One run of one op on one device. */
struct op_times {
    int64_t call;           /* run host ID; of a log that names no programs: which op of the log, from 1 */
    int64_t trace;          /* OP_NONE: not traced */
    int64_t replay;         /* which replay of that trace, from 1; OP_NONE: not traced, or the log does not tell */
    int64_t first;          /* cycles of its first marker: what orders the ops of a device */
    int64_t cores;          /* with firmware markers */
    int64_t worker_cores;   /* that the device has */
    int64_t sub_device;     /* OP_NONE: not told */
    int32_t device;         /* its id */
    uint32_t repetition;    /* among those with the same call, trace and replay, from 0 */
    uint32_t unknown;       /* durations that are not known, since markers were lost */
    string_id architecture; /* 0: not told */
    string_id name;         /* 0: not told */
    int64_t values[OP_TIME_COUNT]; /* cycles and ns; OP_NONE: not known */
};

struct op_times_list {
    struct op_times *items; /* device by device, by first marker */
    size_t count, capacity; /* of the items */
    bool unnamed;           /* the log names no programs: calls are only counted */
};

void op_times_free(struct op_times_list *list);
/* A new item at the end, all of it unknown; NULL: out of memory. */
struct op_times *op_times_add(struct op_times_list *list);

/* What a report's row has of them; the second: only how its cores fared. */
void op_times_fill(const struct op_times *times, struct op_row *row);
void op_times_fill_cores(const struct op_times *times, struct op_row *row);

/* All ops of a settled log, chip by chip, in the order of their first markers. */
NODISCARD status op_times_of_log(struct op_times_list *list, const struct marker_log *log);

/* Cycles of a log's clock in nanoseconds, half to even; `parts` divides them first (1 for a duration, a count for a mean).
 * OP_NONE: more than can be told. */
int64_t marker_log_ns(const struct marker_log *log, int64_t cycles, uint64_t parts);

#endif
