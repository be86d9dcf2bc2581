/* ops_folder.h: the log folder that tt-metal's op profiler writes, with its twin of the run with device profiling.
 *
 *   FOLDER/<op>/profile_log_host.csv                  one row per call of the op
 *   FOLDER/<op>/<call>/profile_log_host.csv           the tt_metal functions that were called meanwhile
 *   FOLDER_device/<op>/<call>/profile_log_device.csv  the markers of the device
 *
 * Columns of host logs are found by their names. Nothing here aborts for one bad log: what is missing stays unknown in its row,
 * and every loss is counted with the first place where it happened.
 */
#ifndef LIBRARY_OPS_FOLDER_H
#define LIBRARY_OPS_FOLDER_H

#include "base/arena.h"
#include "report/ops_report.h"

/* X(name, text) */
#define OPS_LOSS_MAP(X)                                                                                                \
    X(HOST_FILE, "host log that cannot be used (its ops are missing)")                                                 \
    X(HOST_HEADER, "op log without its header (the documented columns are assumed)")                                   \
    X(HOST_FIELDS, "op row with too few fields (the rest is -)")                                                       \
    X(HOST_MORE, "op row with too many fields (the last ones are left out)")                                           \
    X(HOST_NUMBER, "number of an op row that cannot be read (shown as -)")                                             \
    X(HOST_LINE, "op row over 4 MiB (left out)")                                                                       \
    X(LAST_LINE, "host log that ends within a line (kept, its last value may be cut)")                                 \
    X(COLUMN, "column of an op log that is not known (left out)")                                                      \
    X(TENSORS, "op row with 512 tensors or more (those behind are left out)")                                             \
    X(REPEATED, "call of an op that was there before (kept)")                                                          \
    X(HOST_RUN, "call that only the run with device profiling has (its host columns are -)")                           \
    X(MENDED, "call whose row was cut off (mended from the run with device profiling)")                                \
    X(NO_CALLS, "call of a device op without a log of its tt_metal functions (counted as 0)")                          \
    X(CALLS_ROW, "row of a log of tt_metal functions that cannot be read (left out)")                                  \
    X(NO_LOG, "call of a device op without device log (its device columns are -)")                                     \
    X(DEVICE_FILE, "device log that cannot be read to its end (what was read is shown)")                               \
    X(DEVICE_EMPTY, "device log without a marker (its device columns are -)")                                          \
    X(DEVICE_ROW, "row of a device log that cannot be read (left out)")                                                \
    X(NO_CLOCK, "device log that does not tell its clock (1202 MHz assumed)")                                          \
    X(NO_RISC, "device log that lacks kernel start or end of a RISC (its column is -)")                                \
    X(OTHER_CHIP, "device log without the chip of the op's tensors (its first chip is shown)")                         \
    X(ELSEWHERE, "marker of a chip that is not the op's (not in this report)")                                         \
    X(ORPHAN, "folder of a call that no op row tells of (left out)")                                                   \
    X(UNKNOWN, "folder of activity outside any op (left out)")                                                         \
    X(FOLDER, "folder that cannot be read, is a link, or lies too deep (left out)")

enum ops_loss {
#define X(name, text) OPS_LOSS_##name,
    OPS_LOSS_MAP(X)
#undef X
    OPS_LOSS_COUNT
};

struct ops_folder {
    struct ops_report report;   /* sorted */
    struct arena arena;         /* its texts */
    const char *host;           /* folder of the host columns */
    const char *device;         /* folder of the device logs; may be the same, may be missing */
    bool has_device;            /* that folder is there */
    bool host_is_device;        /* host times come from the run with device profiling, which is slower */
    uint64_t device_ops;        /* rows with device columns */
    struct {
        uint64_t count;
        const char *place;      /* of the first: path or path:line */
    } losses[OPS_LOSS_COUNT];
};

enum { OPS_NOTE = 4608 }; /* room for a note with a long path */

/* STATUS_INPUT where there is no log of an op. Free the folder in any case. */
NODISCARD status ops_folder_read(const char *path, struct ops_folder *folder);
void ops_folder_free(struct ops_folder *folder);

/* "3 x device log without a marker (…), first PATH"; false: none of this kind. */
bool ops_loss_describe(const struct ops_folder *folder, enum ops_loss loss, char to[OPS_NOTE]);

#endif
