/* ops.h: the op profiler: which operations a model ran, with what tensors, for how long, and what they called meanwhile.
 *
 *     #include <tacho/ops.h>
 *
 *     void linear(const struct matrix *a, const struct matrix *b, struct matrix *c)
 *     {
 *         TACHO_OP("Linear", TACHO_OP_DEVICE);                  // one call of an op, until the end of the block
 *         tacho_op_input(&(struct tacho_op_tensor){ .rank = 2, .shape = { 128, 512 }, .layout = "TILE",
 *                                                   .datatype = "BFLOAT16", .buffer = "DRAM" });
 *         tacho_op_math_fidelity("HiFi4");
 *         {
 *             TACHO_OP_CALL("LaunchProgram");                   // a call of an API inside it
 *             launch(a, b, c);
 *         }
 *     }
 *
 * Each call of an op becomes a row of OP/profile_log_host.csv in a folder of logs, written when the op stops; `tacho ops FOLDER` makes the
 * perf report of them. The folder is tt_metal/tools/profiler/logs/ops below $TT_METAL_HOME (below the current folder where that is not
 * set) or what tacho_op_location says; with TT_METAL_DEVICE_PROFILER=1 in the environment "_device" is added to its name. The same goes
 * into the recording, where there is one (zone.h): see "in a recording" below. doc/op-profiler.md tells more.
 *
 * With TACHO_DISABLE defined nothing is left of this header, and no library is needed.
 *
 * Ownership: every text is copied, except the name that is given to TACHO_OP and TACHO_OP_CALL, which must stay until the block ends.
 * Threads: each has its own stack of ops. Global call counts are over all of them. Not for signal handlers.
 * Failure: no call here stops the program or prints. What could not be logged is counted: tacho_op_errors, tacho_op_error.
 */
#ifndef TACHO_OPS_H
#define TACHO_OPS_H

#include "zone.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- what an op is ------------------------------------------------------------------------------------------------- */

/* Types that the report knows; any other text is a type, too. */
#define TACHO_OP_PYTHON_FALLBACK "python_fallback" /* in Python, on the CPU */
#define TACHO_OP_CPU "tt_dnn_cpu"                  /* in C or C++, on the CPU */
#define TACHO_OP_DEVICE "tt_dnn_device"            /* in C or C++, on the device */
#define TACHO_OP_CUSTOM_ZONE "custom_zone"         /* no op: a part of the program that its user marked */
#define TACHO_OP_UNKNOWN "unknown"

enum { TACHO_OP_DIMENSIONS = 8 }; /* most that a shape may have */

/* A tensor. Its memory is shown as DEV_<device>_<buffer>_<memory_layout>, without a layout as dev_<device>_<buffer> in small letters,
 * and without a buffer as `storage`. */
struct tacho_op_tensor {
    uint64_t shape[TACHO_OP_DIMENSIONS]; /* the outermost dimension first: [W, [Z, [Y,]]] X */
    uint32_t rank;                       /* dimensions; fewer than 4 are taken for the last ones, the others are 1 */
    int32_t device;                      /* that the buffer is on */
    const char *layout;                  /* ROW_MAJOR, TILE, CHANNELS_LAST; NULL: not known */
    const char *datatype;                /* BFLOAT16, FLOAT32, UINT32, BFLOAT8_B; NULL: not known */
    const char *buffer;                  /* DRAM, L1; NULL: not on a device */
    const char *memory_layout;           /* INTERLEAVED, HEIGHT_SHARDED; NULL: not known */
    const char *storage;                 /* of the host: OWNED, BORROWED; NULL: "host" */
};

/* What later versions of the log have beside it: kernels of the device, and what a model of its performance expects. */
enum tacho_op_detail_kind {
    TACHO_OP_COMPUTE_KERNEL_PATHS,
    TACHO_OP_COMPUTE_KERNEL_HASHES,
    TACHO_OP_DATA_MOVEMENT_KERNEL_PATHS,
    TACHO_OP_DATA_MOVEMENT_KERNEL_HASHES,
    TACHO_OP_PM_IDEAL_NS,
    TACHO_OP_PM_COMPUTE_NS,
    TACHO_OP_PM_BANDWIDTH_NS,
    TACHO_OP_PM_REQ_I_BW,
    TACHO_OP_PM_REQ_O_BW,
    TACHO_OP_DETAILS
};

/* In a recording an op is a zone named after it, whose site has TACHO_SITE_OP, with the arguments
 *
 *     op.type            text
 *     op.global_call     number, from 1, over all ops of the process
 *     op.call            number, from 1, of this op
 *     op.depth           number; 1: in no other op
 *     op.inputs          text: tensors as W_Z_Y_X|LAYOUT|DATATYPE|MEMORY, joined with "-"; an absent one is empty
 *     op.outputs         the same
 *     op.math_fidelity, op.parallelization_strategy, op.preferred_name, op.meta_data    texts as the log has them
 *     op.detail.<name>   of tacho_op_detail: compute_kernel_paths, …
 *
 * The first four are told when it starts, the others when it stops; what was not given is not there. A call of an API is a zone whose
 * site has TACHO_SITE_OP_CALL, with
 *
 *     op.caller          number: op.global_call of the op that it was made in; 0: in none. Both are on the same thread
 */

#ifndef TACHO_DISABLE

/* ---- ops ----------------------------------------------------------------------------------------------------------- */

TACHO_RECORD_API void tacho_op_start(const char *name, const char *type);
/* Of the innermost op of that name on this thread; those inside of it that were not stopped stop too, and are counted as errors. */
TACHO_RECORD_API void tacho_op_stop(const char *name);

/* Of the innermost op of this thread. */
TACHO_RECORD_API void tacho_op_input(const struct tacho_op_tensor *tensor);  /* NULL: absent, it keeps its number */
TACHO_RECORD_API void tacho_op_output(const struct tacho_op_tensor *tensor); /* the same */
TACHO_RECORD_API void tacho_op_math_fidelity(const char *fidelity);          /* LoFi, HiFi2, HiFi3, HiFi4 */
TACHO_RECORD_API void tacho_op_parallelization_strategy(const char *strategy);
TACHO_RECORD_API void tacho_op_preferred_name(const char *name); /* shown behind the op's, but for ops of the device */
TACHO_RECORD_API void tacho_op_meta_data(const char *text);      /* one more item; the column ATTRIBUTES */
TACHO_RECORD_API void tacho_op_detail(enum tacho_op_detail_kind which, const char *text);

/* A call of a function: CompileProgram, ConfigureDeviceWithProgram, LaunchProgram, ReadFromDevice, WriteToDevice,
 * DumpDeviceProfileResults, or any other. The report has how many there were in each op, and how long they took on average. */
TACHO_RECORD_API void tacho_op_call_begin(const char *function);
TACHO_RECORD_API void tacho_op_call_end(const char *function);

/* ---- where it is logged -------------------------------------------------------------------------------------------- */

/* From now on. The folder is made; logs that an earlier run of a program left there are removed, unless one that still runs logs to the
 * same folder. NULL or "": nowhere. 0, or -1 and tacho_op_error says why. Without device profiling the location is noted in
 * tt_metal/tools/profiler/logs/.locations.log, where `tacho profile-this` finds it. */
TACHO_RECORD_API int tacho_op_location(const char *folder);
/* The folder of logs; "": none. Valid on this thread until the next call. */
TACHO_RECORD_API const char *tacho_op_folder(void);
/* FOLDER/OP/CALL of the innermost op, which is made: logs of the device belong there. "": there is none. The same. */
TACHO_RECORD_API const char *tacho_op_call_folder(void);

TACHO_RECORD_API uint64_t tacho_op_errors(void); /* how often something could not be logged */
TACHO_RECORD_API const char *tacho_op_error(
    void); /* the last of them; "": none. Valid on this thread until the next call */

#endif

#ifdef __cplusplus
}
#endif

#ifdef TACHO_DISABLE
#include "ops_disabled.h"
#endif

/* ---- until the end of the block ------------------------------------------------------------------------------------ */

#ifndef TACHO_DISABLE

static inline void tacho_op_leave(const char **name)
{
    tacho_op_stop(*name);
}

static inline void tacho_op_call_leave(const char **function)
{
    tacho_op_call_end(*function);
}

#define TACHO_OP(name, type) TACHO_OP_SCOPED(__COUNTER__, name, type)
#define TACHO_OP_SCOPED(n, name, type)                                                                   \
    __attribute__((cleanup(tacho_op_leave), unused)) const char *TACHO_JOIN(tacho_op_name_, n) = (name); \
    tacho_op_start(TACHO_JOIN(tacho_op_name_, n), type)
#define TACHO_OP_CALL(function) TACHO_OP_CALL_SCOPED(__COUNTER__, function)
#define TACHO_OP_CALL_SCOPED(n, function)                                                                         \
    __attribute__((cleanup(tacho_op_call_leave), unused)) const char *TACHO_JOIN(tacho_op_call_, n) = (function); \
    tacho_op_call_begin(TACHO_JOIN(tacho_op_call_, n))

#endif

#endif
