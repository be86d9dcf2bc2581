/* op_report.h: the rows of an ops report: what a model's operations were, where they ran and how long they took.
 *
 * A row is one operation on one device, one operation on the host, or a signpost that the program put between them, whatever it was
 * read from; what only one kind of source tells is a part of it that may be missing:
 *
 *     row ─┬─ numbers, tensors                 every source: a finished report, the op profiler's logs, Tracy's and the device's
 *          ├─ info ── times ── functions       Tracy's and the device's logs     (op_details.h)
 *          └─ markers                          device logs                       (markers.h)
 *
 * Rows stand in the order of their files. Several files may be added to one report, one after the other; their rows are numbered on.
 *
 * A report owns its columns until `op_report_free`; texts are ids in the borrowed pool. A number that a row lacks is OP_NONE,
 * a size -1.
 */
#ifndef TENSTORRENT_OP_REPORT_H
#define TENSTORRENT_OP_REPORT_H

#include "base/column.h"
#include "base/status.h"
#include "base/strings.h"
#include "base/text.h"
#include "trace/loss.h"
#include "trace/model.h"

#define OP_NONE INT64_MIN

/* Which columns a file has. */
enum op_generation {
    OP_GENERATION_1,   /* sizes are plain numbers */
    OP_GENERATION_2,   /* sizes are padded[logical] */
    OP_GENERATION_2_1, /* and each row names its architecture and the worker cores it could use */
};

enum op_kind {
    OP_DEVICE,   /* ran on a device */
    OP_HOST,     /* ran on the host */
    OP_SIGNPOST, /* a mark, no operation */
};

struct op_tensor {
    int32_t size[4];    /* W, Z, Y, X, padded; -1: not known */
    string_id datatype; /* BFLOAT8_B; 0: none */
    string_id memory;   /* DEV_0_DRAM_INTERLEAVED; 0: none */
};

enum { OP_W, OP_Z, OP_Y, OP_X };

/* What is known of more than the numbers of a row: by place in a list of whoever read it, NO_ID where the source has none. */
struct op_parts {
    uint32_t
        info; /* of op_details.h: what every call of the same program shares: tensors, kernels, performance model */
    uint32_t times;     /* the same: what the device says */
    uint32_t functions; /* the same: the first host function that it called */
    uint32_t markers;   /* the marker log that has those of its device */
    int8_t hit;         /* of the program cache: 0, 1; -1: not told */
    int8_t fresh;       /* its kernels did not run before: 0, 1; -1: not told */
};

/* Fields that are looked at together stand together: a report has many rows, and most who go through all of them ask for few. */
struct op_row {
    uint32_t number;           /* as a spreadsheet counts the rows of all files: the first one below the header is 2 */
    enum op_kind kind : 8;     /* where it ran */
    uint32_t depth : 24;       /* calls on the host that it lies in, with itself, as the log tells it; 0: it does not */
    string_id code;            /* Matmul, (torch) view */
    int32_t device;            /* -1: none */
    int64_t host_start;        /* ns */
    int64_t host_end;          /* ns */
    int64_t firmware_start;    /* cycles of the device */
    int64_t firmware_end;      /* the same */
    int64_t firmware_duration; /* ns */
    int64_t kernel_duration;   /* ns */
    int64_t latency;           /* ns since the operation before on the same device ended */
    int64_t trace;             /* id of the captured trace it was replayed from */
    int64_t replay;            /* which replay */
    int64_t worker_cores;      /* that it could have used */
    string_id architecture;    /* 0: not said */
    string_id type;            /* tt_dnn_device, python_fallback, signpost */
    string_id attributes;      /* as printed: {'dim': '0'; …}; 0: none */
    string_id fidelity;        /* HiFi4; 0: none */
    int64_t cores;             /* used */
    struct op_tensor inputs[2]; /* the first two */
    struct op_tensor output;    /* the first */
    double dram_bytes;          /* of all its tensors that lie in DRAM */
    int64_t call;               /* global call count */
    int64_t host_duration;      /* ns */
    int64_t core_longest;       /* ns: kernel of the core that worked longest */
    int64_t core_mean;          /* ns: the same of the mean core */
    int64_t last_start;         /* ns from the first start of a kernel to the last one's */
    int64_t waits;              /* ns that compute waited for its input; see `wait_sums` of the report */
    struct op_parts parts;      /* what its source has besides */
};

/* What a file says about its columns; the least that holds for all files of a report. */
struct op_columns {
    bool device;           /* it has device ids */
    bool host_start;       /* times of the host */
    bool latency;          /* op to op latency */
    bool input_1_datatype; /* there is a second input at all */
    bool call_gaps;        /* some rows have no call count */
    bool core_gaps;        /* some rows have no core count */
};

struct op_report {
    struct strings *strings;       /* borrowed */
    struct column rows;            /* struct op_row */
    enum op_generation generation; /* the newest of all files */
    struct op_columns columns;     /* that all files have */
    struct losses losses;          /* of all files */
    uint32_t files;                /* read so far, with the one that is being read */
    uint32_t headers;              /* met so far */
    uint32_t numbered;             /* rows met in all files, lost ones included */
    size_t seen;                   /* rows that were looked at for `columns` and `file_devices` */
    int32_t file_devices;          /* of the file that is being read: the largest device id plus one */
    int32_t devices;               /* of each file: the same */
    int32_t offset;                /* added to the device ids of the file that is being read */
    bool wait_sums;                /* it is sure that waits are sums over the cores of an operation */
};

void op_report_start(struct op_report *report, struct strings *strings);
void op_report_free(struct op_report *report);

/* Columns of a file, or of a part of one, join those that were met before. */
void op_report_columns(struct op_report *report, enum op_generation generation, const struct op_columns *columns);
/* A new row at the end, all fields unknown; NULL: out of memory. */
struct op_row *op_report_add(struct op_report *report);
/* Looks at the next row that was not looked at yet, once it is complete. Who has it at hand then does so early; `op_report_end` does it
 * for all others. */
void op_report_see(struct op_report *report, const struct op_row *row);
/* Rows from `first` on have no parts in lists any more: whoever read them frees his. */
void op_report_drop_parts(struct op_report *report, size_t first);
/* After a file, whose rows begin at `first`: gives its devices ids of their own. STATUS_INPUT where it has another number of
 * devices than the first file. */
NODISCARD status op_report_end(struct op_report *report, size_t first, const char *path);

static inline struct op_row *op_row_at(const struct op_report *report, size_t index)
{
    return column_at(&report->rows, index);
}

/* Bytes of a tensor: its sizes times the bits that its type names first (BFLOAT8_B: 8; 32 where it names none). NAN: a size is
 * not known. */
double op_tensor_bytes(const struct strings *strings, const struct op_tensor *tensor);
/* Its two factors, for who knows the second already. */
double op_tensor_elements(const struct op_tensor *tensor);
double op_datatype_bytes(struct text name);
bool op_tensor_in_dram(const struct strings *strings, const struct op_tensor *tensor);

/* The matrix product that a row is: of matrices for a Matmul, of a window's places for a convolution. */
struct op_product {
    int64_t rows, inner, columns; /* M x K x N */
    int64_t batch;                /* how many of them */
    bool convolution;             /* a window slides over the first */
};

bool op_is_matmul(struct text code);
bool op_is_convolution(struct text code);
/* Places of a convolution's window, as its attributes tell; 0: they do not. */
int64_t op_window(struct text attributes);
/* False: it is none, or a size is not known, or one is beyond all sense. */
bool op_row_product(const struct op_report *report, const struct op_row *row, struct op_product *product);
/* The same for who knows already whether it is a product of matrices, or a convolution with such a window. */
bool op_row_product_known(const struct op_row *row, bool matmul, int64_t window, struct op_product *product);
/* Two operations per multiplication. */
double op_product_flops(const struct op_product *product);

#endif
