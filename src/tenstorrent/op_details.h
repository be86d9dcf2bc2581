/* op_details.h: parts of the rows of a run that Tracy and the device logged: programs, device times, host functions.
 *
 * What could not be put together is counted by kind in `odds`; nothing is left out for it. Details own their columns until
 * `op_details_free`; the report and all texts are borrowed. Texts hold ';' where their source has ','.
 */
#ifndef TENSTORRENT_OP_DETAILS_H
#define TENSTORRENT_OP_DETAILS_H

#include "tenstorrent/op_gaps.h"
#include "tenstorrent/op_times.h"

enum { OP_DETAIL_TENSORS = 512, OP_DETAIL_FUNCTIONS = 256, OP_DETAIL_SIZES = 64 };

/* X(name, text) */
#define OP_ODD_MAP(X)                                                                                          \
    X(CUT, "message that is cut off, as Tracy does behind 64 KiB (its op has what stands before the cut)")     \
    X(NO_FULL, "cached op whose full message is missing (only its name, device and times are known)")          \
    X(NO_MESSAGE, "op with a host time but without a message (only its name and times are known)")             \
    X(NO_TIME, "op without a host time (its host columns are empty, it is placed by its message)")             \
    X(NO_PARENT, "host function of an op that nothing else tells of (left out)")                               \
    X(REPEATED, "op whose number the host gave before (kept)")                                                 \
    X(NO_DEVICE, "op of a device without device data (its device columns are empty)")                          \
    X(NOT_REPLAYED, "op of a captured trace that no replay ran (its device columns are empty)")                \
    X(NO_HOST, "op on a device that the host's files do not tell of (its host columns are empty)")             \
    X(RAN_AGAIN, "op that ran again on its device under the same number (kept, a row for each)")               \
    X(NO_REPLAY, "op of a replay that no message tells of (placed behind the op before it)")                   \
    X(UNTIMED, "message without a time (taken to be sent with the one before it)")                             \
    X(TRACE, "message of a trace that was not begun, or was begun twice (the one begun last stays open)")      \
    X(TRACE_TEXT, "message of a trace without its two numbers (left out)")                                     \
    X(TENSORS, "op with more than 512 tensors on one side (those behind are left out)")                        \
    X(FUNCTIONS, "host function or kernel size beyond the columns of a report (left out)")                     \
    X(UNPAIRED, "op that has lost starts or ends of firmware or kernels (durations that need them are empty)") \
    X(REPORT_MISSES, "op in the device log that the device report lacks (not in this report)")                 \
    X(REPORT_DIFFERS,                                                                                          \
      "op whose times in the device report are not those of the device log (those of the report are shown)")

enum op_odd {
#define X(name, text) OP_ODD_##name,
    OP_ODD_MAP(X)
#undef X
        OP_ODD_COUNT
};

struct op_odd_count {
    uint64_t count; /* how often */
    int64_t call;   /* of the first; OP_NONE: not known */
    uint64_t line;  /* of the first in its file; 0: none */
};

struct op_tensor_detail {
    string_id size[4];  /* 32[17] */
    string_id layout;   /* TILE, ROW_MAJOR; 0: not told */
    string_id datatype; /* BFLOAT16; 0: not told */
    string_id memory;   /* where it lies; 0: not told */
};

struct op_kernel_size {
    string_id name;  /* as its column: TENSIX DM 0 MAX KERNEL SIZE [B] */
    string_id bytes; /* as told */
};

/* What the calls of one program have in common. 0: not told. */
struct op_info {
    string_id code, type, attributes, fidelity, strategy;                         /* as the message has them */
    string_id hash;                                                               /* of the program */
    string_id compute_sources, compute_hashes, movement_sources, movement_hashes; /* lists as Python writes them */
    string_id ideal, compute, bandwidth, input_rates, output_rates;               /* performance model */
    uint32_t first_tensor;    /* of the details' tensors: inputs, then outputs */
    uint16_t inputs, outputs; /* how many */
    uint32_t first_size;      /* of the details' sizes */
    uint16_t sizes;           /* how many */
    bool whole;               /* its message was not cut off */
};

struct op_host_call {
    string_id function; /* its name */
    int64_t total;      /* ns */
    uint32_t next;      /* of the same op; NO_ID: the last */
};

/* Where the device columns come from. */
enum op_device_source { OP_DEVICE_NONE, OP_DEVICE_LOG, OP_DEVICE_REPORT };

struct op_details {
    struct op_report *report;               /* borrowed: the rows whose parts are here */
    struct column infos;                    /* struct op_info */
    struct column tensors;                  /* struct op_tensor_detail */
    struct column sizes;                    /* struct op_kernel_size */
    string_id size_names[OP_DETAIL_SIZES];  /* all that some op has, in the order in which they were met */
    unsigned size_name_count;               /* of these */
    struct column calls;                    /* struct op_host_call */
    struct op_times_list times;             /* of the devices */
    struct op_gaps gaps;                    /* between the ops of a report without host */
    string_id *functions;                   /* all that were called, in the order of their names */
    size_t function_count;                  /* of these */
    enum op_device_source device_source;    /* of the device columns */
    bool host;                              /* there are files of the host */
    bool host_times;                        /* one of them has the times of its calls */
    bool log_checked;                       /* the device log was compared with the report that the columns come from */
    uint64_t host_ops;                      /* told by the host's files */
    uint64_t other_messages;                /* that are not about ops */
    struct op_odd_count odds[OP_ODD_COUNT]; /* by kind */
};

void op_details_start(struct op_details *details, struct op_report *report);
void op_details_free(struct op_details *details);

void op_details_odd(struct op_details *details, enum op_odd odd, int64_t call, uint64_t line);
const char *op_odd_text(enum op_odd odd);
/* "3 x op without … (…), first op 1024 (line 7)"; 0: none of this kind. */
int op_odd_describe(const struct op_details *details, enum op_odd odd, char *to, size_t size);

/* NULL: the row has none. */
static inline const struct op_info *op_row_info(const struct op_details *details, const struct op_row *row)
{
    return row->parts.info == NO_ID ? NULL : column_at(&details->infos, row->parts.info);
}

static inline const struct op_times *op_row_times(const struct op_details *details, const struct op_row *row)
{
    return row->parts.times == NO_ID ? NULL : &details->times.items[row->parts.times];
}

#endif
