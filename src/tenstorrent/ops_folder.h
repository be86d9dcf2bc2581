/* ops_folder.h: the log folder that tt-metal's op profiler writes, with its twin of the run with device profiling.
 *
 *   FOLDER/<op>/profile_log_host.csv                  one row per call of the op
 *   FOLDER/<op>/<call>/profile_log_host.csv           the tt_metal functions that were called meanwhile
 *   FOLDER_device/<op>/<call>/profile_log_device.csv  the markers of the device
 *
 * Columns of host logs are found by their names. Nothing here aborts for one bad log: what is missing stays unknown in its row,
 * and every loss is counted with the first place where it happened.
 */
#ifndef TENSTORRENT_OPS_FOLDER_H
#define TENSTORRENT_OPS_FOLDER_H

#include "base/arena.h"
#include "read/reader.h"
#include "tenstorrent/markers.h"
#include "tenstorrent/op_calls.h"

/* X(name, reason, text): the reason by which a profile counts it; NULL: what it is about is counted in its own place, or it
 * is no loss of a profile. */
#define OPS_LOSS_MAP(X)                                                                                           \
    X(HOST_FILE, &loss_file, "host log that cannot be used (its ops are missing)")                                \
    X(HOST_HEADER, &loss_missing, "op log without its header (the documented columns are assumed)")               \
    X(HOST_FIELDS, &loss_part, "op row with too few fields (the rest is -)")                                      \
    X(HOST_MORE, &loss_part, "op row with too many fields (the last ones are left out)")                          \
    X(HOST_NUMBER, &loss_part, "number of an op row that cannot be read (shown as -)")                            \
    X(HOST_LINE, &loss_too_long, "op row over 4 MiB (left out)")                                                  \
    X(LAST_LINE, &loss_last_line, "host log that ends within a line (kept, its last value may be cut)")           \
    X(COLUMN, &loss_part, "column of an op log that is not known (left out)")                                     \
    X(TENSORS, &loss_part, "op row with 512 tensors or more (those behind are left out)")                         \
    X(REPEATED, &loss_repeated_id, "call of an op that was there before (kept)")                                  \
    X(HOST_RUN, &loss_missing, "call that only the run with device profiling has (its host columns are -)")       \
    X(MENDED, &loss_missing, "call whose row was cut off (mended from the run with device profiling)")            \
    X(NO_CALLS, &loss_missing, "call of a device op without a log of its tt_metal functions (counted as 0)")      \
    X(CALLS_ROW, &loss_fields, "row of a log of tt_metal functions that cannot be read (left out)")               \
    X(NO_LOG, &loss_missing, "call of a device op without device log (its device columns are -)")                 \
    X(DEVICE_FILE, &loss_file, "device log that cannot be read to its end (what was read is shown)")              \
    X(DEVICE_EMPTY, &loss_missing, "device log without a marker (its device columns are -)")                      \
    X(DEVICE_ROW, NULL, "row of a device log that cannot be read (left out)")                                     \
    X(DROPPED, NULL, "marker or more that a device dropped, its buffers being full (durations may be too short)") \
    X(NO_CLOCK, NULL, "device log that does not tell its clock (1202 MHz assumed)")                               \
    X(NO_RISC, &loss_missing, "device log that lacks kernel start or end of a RISC (its column is -)")            \
    X(UNPAIRED, &loss_part, "duration that rests on a start or end that was lost (shown as -)")                   \
    X(OTHER_CHIP, NULL, "device log without the chip of the op's tensors (its first chip is shown)")              \
    X(ELSEWHERE, NULL, "marker of a chip that is not the op's (not in this report)")                              \
    X(ORPHAN, &loss_file, "folder of a call that no op row tells of (left out)")                                  \
    X(UNKNOWN, NULL, "folder of activity outside any op (left out)")                                              \
    X(FOLDER, &loss_file, "folder that cannot be read, is a link, or lies too deep (left out)")

enum ops_loss {
#define X(name, reason, text) OPS_LOSS_##name,
    OPS_LOSS_MAP(X)
#undef X
        OPS_LOSS_COUNT
};

/* One call of a tt_metal function. */
struct op_function_span {
    uint32_t function; /* number among the functions of all calls */
    int64_t start;     /* ns */
    int64_t end;       /* ns */
};

/* What a reader gives and gets. It owns the markers and functions until `ops_reading_free`. */
struct ops_reading {
    struct source *source;          /* strictness and clock; gets the notes of device logs */
    struct strings *strings;        /* of the markers; borrowed */
    bool timeline;                  /* all that has a time is wanted, not only the calls: */
    struct column functions;        /* struct op_function_span */
    uint64_t undrawn;               /* calls of functions without a start */
    struct marker_log *logs;        /* the markers of all calls, a log for each clock that they tell, not settled */
    size_t log_count, log_capacity; /* of logs */
};

void ops_reading_start(struct ops_reading *reading, struct source *source, struct strings *strings, bool timeline);
void ops_reading_free(struct ops_reading *reading);

struct ops_folder {
    struct op_calls calls;  /* sorted */
    struct arena arena;     /* their texts */
    const char *host;       /* folder of the host columns */
    const char *device;     /* folder of the device logs; may be the same, may be missing */
    bool has_device;        /* that folder is there */
    bool host_is_device;    /* host times come from the run with device profiling, which is slower */
    uint64_t device_ops;    /* calls with device columns */
    uint64_t function_rows; /* used, of all logs of tt_metal functions */
    struct losses markers;  /* rows of all device logs */
    struct {
        uint64_t count;          /* of rows or values */
        const char *place;       /* of the first: path or path:line */
    } losses[OPS_LOSS_COUNT];    /* by reason */
    struct ops_reading *reading; /* borrowed while the folder is read; NULL: only the calls are wanted */
};

enum { OPS_NOTE = 4608 }; /* room for a note with a long path */

/* STATUS_INPUT where there is no log of an op. Free the folder in any case. */
NODISCARD status ops_folder_read(const char *path, struct ops_folder *folder);
/* The same for a reader: where its source is strict, the first lost row is a failure. */
NODISCARD status ops_folder_read_for(struct ops_reading *reading, const char *path, struct ops_folder *folder);
void ops_folder_free(struct ops_folder *folder);

/* "3 x device log without a marker (…), first PATH"; false: none of this kind. */
bool ops_loss_describe(const struct ops_folder *folder, enum ops_loss loss, char to[OPS_NOTE]);
/* What a profile counts: rows of calls, of functions and of devices. Rows of the second run that only repeat a call are none. */
struct losses ops_folder_losses(const struct ops_folder *folder);

/* How sure it is that a folder is one of ops logs, from a few hundred names in it at most: 90, or 40 where they lie deeper, so that it may be
 * a folder above theirs; 0: it is none. */
int ops_folder_probe(const char *path);

#endif
