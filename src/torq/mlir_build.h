/* mlir_build.h: from single operations to drafts of dispatches.
 *
 * The parser hands over every operation when it is complete (`builder_finish`), and tells when a region opens and a
 * block begins. The builder follows values to the invocations they stand for and collects one draft per function with
 * Torq operations. A draft keeps what was printed, in printed order; `builder_lower` makes a program of it once
 * locations and the order of jobs are known.
 *
 *     %t0 ─► argument of ^bb1 ─► operand of torq_hl.next ─► argument of ^bb0 ─► args(...) of a start ─► invocation
 *
 * The builder owns drafts, texts and aliases until `builder_free`.
 */
#ifndef TORQ_MLIR_BUILD_H
#define TORQ_MLIR_BUILD_H

#include "base/column.h"
#include "torq/mlir_alias.h"
#include "torq/mlir_value.h"
#include "torq/program.h"
#include "trace/loss.h"

/* Operations with a meaning here. X(name, printed name). The steps of STEP_MAP follow behind these. */
#define OPERATION_MAP(X)                                \
    X(FUNCTION, "func.func")                            \
    X(PROGRAM, "torq_hl.program")                       \
    X(IMPORT, "torq_hl.import_program")                 \
    X(INVOCATION, "torq_hl.create_invocation")          \
    X(DESCRIPTOR, "torq_hl.descriptor")                 \
    X(START, "torq_hl.start_program")                   \
    X(WAIT, "torq_hl.wait_program")                     \
    X(COPY, "torq_hl.host_copy")                        \
    X(NEXT, "torq_hl.next")                             \
    X(TASK, "torq_hw.nss_task")                         \
    X(DISPATCH_PROFILING, "torq_hw.dispatch_profiling") \
    X(SLICE_PROFILING, "torq_hw.slice_profiling")

enum operation_kind {
#define X(name, printed) OPERATION_##name,
    OPERATION_MAP(X)
#undef X
#define X(name, printed) OPERATION_##name,
        STEP_MAP(X)
#undef X
            OPERATION_OTHER,
    OPERATION_STEP = OPERATION_OTHER - STEP_COUNT /* the first step */
};

/* Whole numbers that an operation may carry. */
enum number_kind {
    NUMBER_ACTION,
    NUMBER_JOB,
    NUMBER_TASK,
    NUMBER_START,
    NUMBER_END,
    NUMBER_ASYNC,
    NUMBER_SLICE,
    NUMBER_MEMORY,
    NUMBER_CYCLE, /* max_cycle or total_cycle */
    NUMBER_COUNT
};

/* What a value stands for. */
enum ref_kind {
    REF_NOTHING,
    REF_PROGRAM,    /* index: program of the draft */
    REF_INVOCATION, /* index: invocation of the draft */
    REF_ENTRY,      /* index: argument that the program is started with */
    REF_SLOT        /* index: a block argument whose source was not printed yet */
};

struct ref {
    enum ref_kind kind; /* what it leads to */
    uint32_t index;     /* of that; see the kinds */
};

enum operand_group {
    GROUP_PLAIN, /* operands of the operation itself */
    GROUP_ARGS,  /* args(...) */
    GROUP_OTHER  /* code(...), lram_area(...) */
};

struct operand {
    struct ref ref;           /* what it stands for */
    enum operand_group group; /* which list it is in */
    string_id name;           /* the value it is called inside the region, (%inside = %outside); 0: none */
};

enum { SEGMENTS = 4 };

/* One operation while it is being read. Texts are ids in the builder's pool. */
struct operation {
    enum operation_kind kind;       /* by its name */
    string_id name;                 /* printed name */
    bool torq;                      /* of a torq_ dialect */
    bool generic;                   /* "name"(operands) form */
    bool has_loss;                  /* it cannot be used, for `loss` */
    const struct loss_reason *loss; /* why; valid when `has_loss` */
    enum executor execution;        /* of the first program or invocation type printed */
    uint64_t line, column;          /* where its name stands */
    string_id result;               /* name of its first result; 0: none */
    string_id title;                /* name given to a program, invocation or function */
    string_id location;             /* as kept by the aliases; 0: none */
    string_id successor;            /* label; 0: none */
    string_id memory_info;          /* slice_meminfo; 0: none */
    int64_t numbers[NUMBER_COUNT];  /* NO_CYCLES: not printed */
    int64_t bytes;                  /* of a dma cfg; -1: not known */
    int64_t cycles[BUS_COUNT];      /* slice_ndl_cycles; NO_CYCLES: not printed */
    struct memory_type types[2];    /* of the first two memrefs */
    unsigned type_count;            /* of them */
    int64_t segments[SEGMENTS];     /* operandSegmentSizes */
    unsigned segment_count;         /* that were printed; may be over SEGMENTS */
    size_t first_operand;           /* in the builder's operands; up to the end while the operation is the innermost */
    uint32_t operand_count;         /* once its region opened */
    uint32_t draft;                 /* program or task begun with its region; NO_ID: none */
    struct draft *function;         /* what its region gave, for a function; NULL: nothing */
};

struct draft_step {
    enum step_kind kind;        /* of hardware operation */
    int32_t slice;              /* -1: none */
    struct ref kernel;          /* of a slice start: the program */
    string_id location;         /* as kept by the aliases */
    bool has_transfer;          /* `from` and `to` are known */
    enum memory_space from, to; /* of a CDMA start */
    int64_t async;              /* cycles; NO_CYCLES: not printed */
    int64_t bytes;              /* -1: not known */
};

struct draft_task {
    int64_t id, start, end;          /* -1, NO_CYCLES: not printed */
    string_id location;              /* as kept by the aliases */
    uint32_t first_step, step_count; /* in the steps of the draft */
};

struct draft_program {
    string_id name;                  /* as printed */
    string_id location;              /* as kept by the aliases */
    enum executor execution;         /* where it runs */
    uint32_t first_task, task_count; /* in the tasks of the draft */
    bool used;                       /* some job runs it */
};

struct draft_invocation {
    string_id name;          /* its own, else that of the program */
    uint32_t program;        /* NO_ID: not known */
    enum executor execution; /* the same */
    int32_t job;             /* torq-job-id; -1: none */
    uint32_t pending;        /* job started and not yet waited for; NO_ID: none */
};

struct draft_action {
    int32_t id;            /* torq-action-id */
    enum action_kind kind; /* what it does */
    string_id operation;   /* printed name */
    uint32_t invocation;   /* NO_ID: none */
    uint32_t job;          /* draft; NO_ID: none */
    string_id location;    /* as kept by the aliases */
    int64_t start, end;    /* cycles; NO_CYCLES: not printed */
};

struct draft_job {
    uint32_t invocation;                     /* NO_ID: not known */
    uint32_t start_action;                   /* draft; NO_ID: none */
    uint32_t wait_action;                    /* the same */
    uint32_t rank;                           /* order of its wait; NO_ID: never waited for */
    uint32_t first_argument, argument_count; /* in the arguments of the draft */
    uint64_t line;                           /* of its start, or of its wait */
};

struct draft_kernel {
    uint32_t program;          /* of the draft */
    string_id memory_info;     /* shapes, as printed */
    int64_t memory, max_cycle; /* NO_CYCLES: not printed */
    int64_t cycles[BUS_COUNT]; /* the same */
};

/* One function. */
struct draft {
    struct draft *next;            /* in printed order */
    string_id name;                /* empty: Torq operations outside of every function */
    uint32_t section;              /* of the file */
    bool replaced;                 /* a later section has the same function */
    int64_t memory, largest_cycle; /* of dispatch_profiling; NO_CYCLES: none */
    uint32_t waits;                /* jobs waited for so far */
    struct column programs;        /* struct draft_program */
    struct column invocations;     /* struct draft_invocation */
    struct column actions;         /* struct draft_action */
    struct column jobs;            /* struct draft_job */
    struct column tasks;           /* struct draft_task */
    struct column steps;           /* struct draft_step */
    struct column kernels;         /* struct draft_kernel */
    struct column arguments;       /* struct ref: what programs are started with */
    struct column slots;           /* struct ref */
};

/* A block of the program being read. */
struct block {
    uint32_t first_source, source_count; /* what torq_hl.next passes to it, in builder->sources */
    uint32_t first_slot, slot_count;     /* of its arguments, where they came before its sources */
    bool bound;                          /* some torq_hl.next leads to it */
    bool defined;                        /* its arguments were printed */
};

struct block_label {
    uint32_t program; /* stamp of the program it belongs to */
    uint32_t block;   /* in builder->blocks */
};

/* What a name stands for at the moment. */
struct meaning {
    struct ref ref;    /* what it leads to */
    uint32_t function; /* number of the function it was defined in: elsewhere it means nothing */
};

struct undo {
    string_id name;        /* that was defined */
    struct meaning before; /* what it meant */
};

struct builder {
    struct strings
        *texts; /* names of operations (ids 1 .. OPERATION_OTHER are the known ones), values, labels, titles */
    struct aliases aliases;                 /* of all sections */
    struct meaning *meanings;               /* by string id of a value's name */
    size_t meaning_capacity;                /* of these */
    struct undo *undo;                      /* definitions to take back when a region ends */
    size_t undo_count, undo_capacity;       /* of these */
    struct operand *operands;               /* a stack: an operation with a region keeps its own below those inside */
    size_t operand_count, operand_capacity; /* of these */
    struct draft *draft;                    /* of the current function; NULL: nothing of Torq in it so far */
    uint32_t function;                      /* its number */
    uint32_t functions;                     /* numbers given */
    uint32_t program;                       /* current program of it; NO_ID: none */
    uint32_t task;                          /* current task of it; NO_ID: none */
    uint32_t stamp;                         /* counts programs, so that labels of earlier ones are forgotten */
    bool entry;                             /* no block of the current program was begun yet */
    struct block_label *labels;             /* by string id */
    size_t label_capacity;                  /* of these */
    struct block *blocks;                   /* of the current program */
    size_t block_count, block_capacity;     /* of these */
    struct ref *sources;                    /* what torq_hl.next passes on, block by block */
    size_t source_count, source_capacity;   /* of these */
    struct draft *first, *last;             /* all drafts, in printed order */
    struct draft **by_name;                 /* by string id of the name: the newest finished draft */
    size_t by_name_capacity;                /* of these */
    uint32_t section;                       /* of the file, kept by the parser */
    int64_t cycle_limit;                    /* largest cycle count that the clock can show */
    uint64_t repeated;                      /* tasks and steps copied for programs that run more than once */
};

/* The context that a region changes and its end restores. */
struct scope {
    size_t undo;            /* definitions before it */
    bool function;          /* the region is a function's body */
    struct draft *draft;    /* of the function around it */
    uint32_t number;        /* of the function */
    uint32_t program, task; /* around it */
    uint32_t stamp;         /* programs that had begun before it */
    bool entry;             /* as it was */
};

NODISCARD status builder_start(struct builder *builder, int64_t cycle_limit);
void builder_free(struct builder *builder);

/* Values: what a name stands for, result `number` of it. */
struct ref builder_value(const struct builder *builder, struct text name, uint32_t number);
NODISCARD status builder_define(struct builder *builder, struct text name, struct ref ref);
NODISCARD status builder_add_operand(struct builder *builder, struct ref ref, enum operand_group group, string_id name);

/* A region of `operation` (NULL: of nothing known) opens; `builder_leave` with the same scope when it closes. */
NODISCARD status builder_enter(struct builder *builder, struct operation *operation, struct scope *scope);
void builder_leave(struct builder *builder, struct operation *operation, const struct scope *scope);
/* A block begins in a region of `owner` (NULL: of nobody known); `names` are its arguments. */
NODISCARD status builder_block(struct builder *builder, const struct operation *owner, struct text label,
                               const struct text *names, size_t count);
/* The operation is complete. Sets its loss when it cannot be used. */
NODISCARD status builder_finish(struct builder *builder, struct operation *operation);

/* mlir_lower.c */
struct lowered {
    uint64_t unused_programs; /* NSS programs that no job runs */
    uint64_t cut_jobs;        /* jobs whose program was repeated too often to be copied */
};

void draft_free(struct draft *draft);    /* NULL is fine */
void draft_replace(struct draft *draft); /* forget its content: a later one counts */
/* Append all finished drafts to the program and complete it. */
NODISCARD status builder_lower(struct builder *builder, struct program *program, struct lowered *lowered);

#endif
