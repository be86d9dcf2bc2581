/* kernels.h: what an XNNPACK log says about microkernels: which were registered, which were replaced, which ran.
 *
 * A slot (one init function, category, data type and role) may be filled several times; only the last line stands, the earlier ones were
 * replaced. A level-5 log also tells what ran: per delegate, in execution order, operators with their tiles.
 *
 * A kernel log owns its columns; texts are ids in the borrowed pool.
 */
#ifndef EXECUTORCH_KERNELS_H
#define EXECUTORCH_KERNELS_H

#include "base/column.h"
#include "base/status.h"
#include "trace/loss.h"
#include "trace/model.h"

struct kernel {
    string_id name;         /* xnn_qp8_f32_qc4w_gemm_minmax_ukernel_16x64c4__neonsme */
    string_id category;     /* gemm: the log's word, lower case, transposec as transpose; of a CSV: its column */
    string_id types;        /* all data types: "qp8_f32_qc4w" */
    string_id operation;    /* gemm */
    string_id variant;      /* minmax; 0: none */
    string_id shape;        /* 16x64c4; 0: none */
    string_id architecture; /* arch chain: neonsme; 0: none */
    string_id init;         /* init_f32_gemm_config_impl; 0: the log does not say */
    uint32_t rows, columns; /* MR x NR of `shape`; 0: not known */
    uint64_t count;         /* lines that name it */
    uint64_t runs;          /* operators that ran with it */
    uint64_t line;          /* of the first one */
    bool replaced;          /* a later line filled its slot */
    uint32_t replaced_by;   /* kernel; NO_ID: none */
};

/* The data types, operation, variant, shape and architecture in a kernel's name, mixed types included; also rows, columns. */
NODISCARD status kernel_split(struct strings *strings, struct text name, struct kernel *kernel);

/* What an architecture chain means to a person: SME2, SME, SVE2, SVE, NEON (also aarch64, neonfma, neondot, neoni8mm, ...), AVX-512,
 * AMX, AVX2, AVX, SSE, FMA3, F16C, RVV, WASM SIMD, HVX, Scalar, ...; "Other" only where nothing is known. Static text. */
const char *architecture_title(struct text chain);
bool architecture_is_sme(struct text chain); /* SME or SME2 */
bool architecture_is_sme2(struct text chain);

/* One operator as it ran (or was skipped), in log order. */
struct kernel_use {
    uint32_t delegate;       /* k-th delegate of the first execution, from 0 */
    uint32_t execution;      /* which inference of the log, from 0 */
    uint32_t place;          /* k-th run-or-skip line of this delegate: the k-th event of its call in the dump */
    string_id name;          /* "Fully Connected (NC, F32)" */
    string_id variant;       /* "GEMM"; 0: none or Default */
    bool skipped;            /* it did not run */
    bool has_tile;           /* the numbers below are known */
    uint32_t groups, mr, nr; /* products, and rows and columns of a tile */
    uint64_t m, n;           /* rows and columns of the work */
    uint32_t kernel;         /* that ran, by data type and MR x NR among those that stand; NO_ID: not known */
};

struct kernel_log {
    struct strings *strings; /* borrowed */
    struct column kernels;   /* struct kernel, in order of first line */
    struct column uses;      /* struct kernel_use */
    bool has_execution;      /* run lines are there: a level-5 log */
    struct losses losses;    /* of a kernels.csv: rows that cannot be read */
    const char *note;        /* what a person should know of the file: static; NULL: nothing */
};

void kernel_log_start(struct kernel_log *log, struct strings *strings);
void kernel_log_free(struct kernel_log *log);

static inline struct kernel *kernel_at(const struct kernel_log *log, uint32_t index)
{
    return column_at(&log->kernels, index);
}
static inline struct kernel_use *kernel_use_at(const struct kernel_log *log, uint32_t index)
{
    return column_at(&log->uses, index);
}

#endif
