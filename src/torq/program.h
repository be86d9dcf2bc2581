/* program.h: what was compiled, without any measured time.
 *
 * Files without times fill a program: which actions a host takes in which order, which jobs they start, which engines,
 * kernels and transfers a job uses, what the compiler estimated, and the place in the source that each belongs to. `join.h`
 * is where measured events meet it.
 *
 *   dispatch ──┬─ action (host copy, start, wait, ...)          ids as printed, per dispatch
 *              └─ job ── task ── step (dma_in_start, ...)        a step is one hardware operation as printed
 *                  └──── unit (a start with its wait)            derived by program_complete()
 *
 * The program owns its arrays; texts are ids in the pool it was made with. Readers append with the program_add_ functions
 * and call `program_complete` once at the end; after that it is read only. Indexes into the arrays are 32-bit, NO_ID = none.
 * A cycle count that was not printed is NO_CYCLES.
 */
#ifndef TORQ_PROGRAM_H
#define TORQ_PROGRAM_H

#include "base/column.h"
#include "base/status.h"
#include "torq/chain.h"
#include "trace/model.h"

#define NO_CYCLES INT64_MIN

/* X(name, printed operation or NULL) */
enum action_kind {
    ACTION_OTHER, /* anything else that has an action id, such as memref.alloc */
    ACTION_HOST_COPY,
    ACTION_JOB_START, /* torq_hl.start_program of an NSS invocation */
    ACTION_JOB_WAIT,
    ACTION_HOST_START, /* torq_hl.start_program of a host invocation */
    ACTION_HOST_WAIT
};

/* Hardware operations, in the order in which the first annotator lists them inside a task. X(name, printed name) */
#define STEP_MAP(X)                           \
    X(DMA_IN_CFG, "torq_hw.dma_in_cfg")       \
    X(DMA_IN_START, "torq_hw.dma_in_start")   \
    X(DMA_IN_WAIT, "torq_hw.dma_in_wait")     \
    X(SLICE_START, "torq_hw.slice_start")     \
    X(SLICE_WAIT, "torq_hw.slice_wait")       \
    X(DMA_OUT_CFG, "torq_hw.dma_out_cfg")     \
    X(DMA_OUT_START, "torq_hw.dma_out_start") \
    X(DMA_OUT_WAIT, "torq_hw.dma_out_wait")   \
    X(CSS_START, "torq_hw.css_start")         \
    X(CSS_WAIT, "torq_hw.css_wait")           \
    X(CDMA_START, "torq_hw.cdma_start")       \
    X(CDMA_WAIT, "torq_hw.cdma_wait")

enum step_kind {
#define X(name, printed) STEP_##name,
    STEP_MAP(X)
#undef X
        STEP_COUNT
};

const char *step_name(enum step_kind kind);

/* Engines that a job used, as bits. */
enum {
    USED_DMA_IN = 1 << 0,
    USED_DMA_OUT = 1 << 1,
    USED_CDMA = 1 << 2,
    USED_CSS = 1 << 3,
    USED_SLICE_0 = 1 << 4 /* slice n is USED_SLICE_0 << n, n < 16 */
};

/* The twelve data paths of a slice program, in printed order. */
#define BUS_MAP(X) X(dedr) X(dewr) X(debr) X(deqw) X(cedw) X(cedr) X(ceww) X(cewr) X(cepr) X(acbw) X(acbr) X(acpr)

enum bus {
#define X(name) BUS_##name,
    BUS_MAP(X)
#undef X
        BUS_COUNT
};

const char *bus_name(enum bus bus);

struct program_dispatch {
    string_id name;                      /* main_dispatch_0_conv */
    int64_t memory;                      /* bytes by dispatch_profiling; NO_CYCLES: none */
    int64_t largest_cycle;               /* its total_cycle: the LARGEST max_cycle of the slice tasks, not a sum */
    uint32_t first_action, action_count; /* in the actions of the program */
    uint32_t first_job, job_count;       /* in its jobs */
};

struct program_action {
    uint32_t dispatch;     /* index */
    int32_t id;            /* torq-action-id */
    enum action_kind kind; /* what it does */
    string_id operation;   /* torq_hl.host_copy */
    string_id invocation;  /* name of the invocation it starts or waits for; empty: none */
    uint32_t job;          /* index; NO_ID: not an NSS start or wait */
    string_id location;    /* with aliases resolved, `loc(...)`; empty: none printed */
    int64_t start, end;    /* estimated cycles */
};

struct program_job {
    uint32_t index;                  /* its own place in the array */
    uint32_t dispatch;               /* index */
    int32_t id;                      /* torq-job-id; -1: none printed */
    string_id name;                  /* nss_program_0 */
    string_id location;              /* of its start action, else of the program */
    uint32_t start_action;           /* index; NO_ID: never started */
    uint32_t wait_action;            /* index; NO_ID: never waited for */
    uint32_t first_task, task_count; /* in the tasks of the program */
    uint32_t used;                   /* USED_ bits; includes engines still running from an earlier job */
    string_id kernels;               /* kernel names in order of first start, comma-joined: conv2d_0,add_1 */
    int64_t start, end;              /* estimated cycles: of its actions, else of its tasks */
};

struct program_task {
    uint32_t job;                    /* index */
    int64_t id;                      /* torq-task-id; -1: none printed */
    int64_t start, end;              /* estimated cycles */
    string_id location;              /* empty: none printed */
    uint32_t first_step, step_count; /* in the steps of the program */
};

struct program_step {
    uint32_t task;       /* index */
    enum step_kind kind; /* of hardware operation */
    int32_t slice;       /* of slice_start and slice_wait; else -1 */
    string_id kernel;    /* slice_start: name of the slice program, without the prefix slice_program_torq_hl.; empty */
    string_id location;  /* empty: none printed */
    string_id transfer;  /* cdma_start: "LRAM to DTCM" and the like; empty */
    int64_t async;       /* torq-async-duration-cycles of a start; NO_CYCLES */
    int64_t bytes;       /* of a cfg or cdma_start; -1: not known */
};

/* A start with the wait that ends it, perhaps in a later task or job. */
struct program_unit {
    const struct engine *engine; /* &torq_engine_dma_in, _DMA_OUT, _CDMA_DTCM, _CDMA_ITCM, _SLICE, _CSS */
    uint32_t index;              /* slice number */
    uint32_t job;                /* where it started */
    uint32_t start_step;         /* index */
    uint32_t wait_step;          /* index; NO_ID: never waited for */
    string_id kernel;            /* of a slice */
    string_id location;          /* of the start */
    string_id transfer;          /* the same; empty: none */
    int64_t bytes;               /* -1: not known */
    int64_t start;               /* estimated cycles: start of the task that holds the start; NO_CYCLES */
    int64_t busy_end;            /* start + async where known, else `wait_end` */
    int64_t wait_end;            /* end of the task that holds the wait; NO_CYCLES */
};

/* One slice task of a slice program with its profile. */
struct program_kernel {
    uint32_t dispatch;         /* index */
    string_id name;            /* conv2d_0 */
    string_id memory_info;     /* 1x16x16x8+16x3x3x8 */
    int64_t memory;            /* bytes */
    int64_t max_cycle;         /* estimated; NO_CYCLES: not printed */
    int64_t cycles[BUS_COUNT]; /* by path; the same */
    enum bus bound;            /* the path with the most cycles */
};

struct program {
    struct strings *strings;  /* borrowed */
    struct column dispatches; /* struct program_dispatch */
    struct column actions;    /* struct program_action, by dispatch, then by id */
    struct column jobs;       /* struct program_job, in execution order (order of their waits) per dispatch */
    struct column tasks;      /* struct program_task, by job */
    struct column steps;      /* struct program_step, by task, in printed order */
    struct column units;      /* struct program_unit, in order of start */
    struct column kernels;    /* struct program_kernel */
    bool has_estimate;        /* some task or action carries cycles */
    uint32_t chosen; /* the dispatch meant by a log that names none: the last, whose log overwrote the others */
};

void program_start(struct program *program, struct strings *strings);
void program_free(struct program *program);

/* A new element, cleared to "nothing known" (ids NO_ID, cycles NO_CYCLES, bytes -1); NULL: out of memory. The pointer stays
 * valid: columns never move. */
struct program_dispatch *program_add_dispatch(struct program *program);
struct program_action *program_add_action(struct program *program);
struct program_job *program_add_job(struct program *program);
struct program_task *program_add_task(struct program *program);
struct program_step *program_add_step(struct program *program);
struct program_kernel *program_add_kernel(struct program *program);

/* Derive used engines, kernel lists, units and estimates of jobs. */
NODISCARD status program_complete(struct program *program);

/* The dispatch of that name; of no name the one that is chosen. NO_ID: there is none. */
uint32_t program_find_dispatch(const struct program *program, string_id name);
/* The action of a dispatch with this id; NO_ID: there is none. */
uint32_t program_find_action(const struct program *program, uint32_t dispatch, int64_t id);

/* footprint.c: a row per dispatch (memory, its largest slice task, jobs, tasks, transfers), and one per slice task (memory, cycles, the
 * data path that bounds it). The caller frees `*table`. */
struct table;
NODISCARD status footprint_dispatches(const struct program *program, struct table **table);
NODISCARD status footprint_kernels(const struct program *program, struct table **table);

static inline const struct program_dispatch *program_dispatch(const struct program *program, uint32_t index)
{
    return column_at(&program->dispatches, index);
}
static inline const struct program_action *program_action(const struct program *program, uint32_t index)
{
    return column_at(&program->actions, index);
}
static inline const struct program_job *program_job(const struct program *program, uint32_t index)
{
    return column_at(&program->jobs, index);
}
static inline const struct program_task *program_task(const struct program *program, uint32_t index)
{
    return column_at(&program->tasks, index);
}
static inline const struct program_step *program_step(const struct program *program, uint32_t index)
{
    return column_at(&program->steps, index);
}
static inline const struct program_unit *program_unit(const struct program *program, uint32_t index)
{
    return column_at(&program->units, index);
}
static inline const struct program_kernel *program_kernel(const struct program *program, uint32_t index)
{
    return column_at(&program->kernels, index);
}

#endif
