/* ops_device.h: the device log of one call of an op: the cycles and durations that the ops report shows.
 *
 * For logs of six columns, as the tool chain of the ops logs writes them. Rows may come in any order and in any number; nothing
 * is kept of them but the first start and the last end of each kind.
 */
#ifndef LIBRARY_OPS_DEVICE_H
#define LIBRARY_OPS_DEVICE_H

#include "report/ops_report.h"

enum { OPS_ANY_CHIP = -1, OPS_DEFAULT_MHZ = 1202 };

struct ops_device_log {
    struct ops_device device;
    int64_t chip;         /* whose numbers these are */
    bool other_chip;      /* not the one that was asked for, which has no marker in the log */
    uint64_t rows;        /* markers, of all chips: rows == used + elsewhere + lost */
    uint64_t used;
    uint64_t elsewhere;   /* of other chips */
    uint64_t lost;        /* could not be read */
    uint64_t lost_line;   /* the first of them */
    bool no_clock;        /* the log does not tell its clock, OPS_DEFAULT_MHZ was taken */
    bool later;           /* has markers that came with later logs */
};

/* `chip`: whose numbers are wanted, OPS_ANY_CHIP for the first in the log. A log without a marker gives an unknown device.
 * STATUS_INPUT where the file cannot be read to its end; what was read until then is there all the same. */
NODISCARD status ops_device_read(const char *path, int64_t chip, struct ops_device_log *log);

#endif
