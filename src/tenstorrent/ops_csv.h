/* ops_csv.h: the rows of an ops report's CSV, taken apart into the columns that matter. Shared by the two files of the reader
 * `tt-ops-csv`.
 */
#ifndef TENSTORRENT_OPS_CSV_H
#define TENSTORRENT_OPS_CSV_H

#include "base/lines.h"
#include "read/reader.h"
#include "tenstorrent/op_report.h"

enum {
    MOST_FIELDS = 4096, /* of a header */
    MOST_INPUTS = 32,   /* tensors that are looked at */
    MOST_OUTPUTS = 16,
    NAME_LONGEST = 80,         /* of a column; longer ones are nobody's */
    ROW_LONGEST = 1024 * 1024, /* that goes over several lines */
};

enum column_name {
    CODE,
    TYPE,
    CALL,
    DEVICE,
    ARCHITECTURE,
    ATTRIBUTES,
    FIDELITY,
    CORES,
    WORKER_CORES,
    HOST_START,
    HOST_END,
    HOST_DURATION,
    OPS_FIRMWARE_START,
    OPS_FIRMWARE_END,
    FIRMWARE_DURATION,
    KERNEL_DURATION,
    LATENCY,
    TRACE,
    REPLAY,
    FIXED_COLUMNS
};

/* Columns of a tensor: four sizes, then these. */
enum part { PART_DATATYPE = 4, PART_MEMORY, PARTS };

enum { RECENT = 8 }; /* a power of two */
enum { SLOTS = FIXED_COLUMNS + (MOST_INPUTS + MOST_OUTPUTS) * PARTS, NO_SLOT = SLOTS };

struct ops_csv {
    struct source *source;    /* borrowed */
    struct op_report *report; /* borrowed */
    struct lines *lines;
    struct line line;
    char first_name[NAME_LONGEST]; /* of the header: a row that begins so is a header, too */
    size_t first_length;
    unsigned field_count;
    uint8_t tensors[MOST_INPUTS + MOST_OUTPUTS]; /* that the header has: inputs, then outputs */
    unsigned tensor_count;
    bool has[SLOTS];
    bool padded; /* sizes are padded[logical] */
    uint16_t slot_of[MOST_FIELDS];
    struct wanted { /* the fields that have a slot, in order */
        uint16_t field;
        uint16_t slot;
    } wanted[SLOTS];
    unsigned wanted_count;
    uint32_t ends[MOST_FIELDS + 64]; /* of the fields of a row */
    struct text values[SLOTS + 1];   /* the last one takes what nobody asked for */
    string_id recent[SLOTS]
                    [RECENT]; /* texts that the slot held last, by length and some bytes: rows repeat each other */
    uint8_t *memories;        /* by string id: 0 not looked at, 1 not in DRAM, 2 in DRAM */
    size_t memory_capacity;
    char *plain; /* quoted fields of the row, without their quotes */
    size_t plain_capacity;
};

/* Takes the line as the header. False: it is none. */
bool ops_csv_take_header(struct ops_csv *csv);
/* Whether the line begins as the header did. */
bool ops_csv_starts_as_header(const struct ops_csv *csv);
/* For probes: the columns of a header, a flag each; false: it is none of an ops report. */
bool ops_csv_probe(struct text line, bool has[SLOTS]);

/* Takes the row apart, with further lines where quotes go over them. NULL: done. */
NODISCARD status ops_csv_split(struct ops_csv *csv, const struct loss_reason **reason);

#endif
