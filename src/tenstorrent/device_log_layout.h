/* device_log_layout.h: which lines a device log has, and which column holds what. */
#ifndef TENSTORRENT_DEVICE_LOG_LAYOUT_H
#define TENSTORRENT_DEVICE_LOG_LAYOUT_H

#include "base/text.h"
#include "read/reader.h"
#include "tenstorrent/markers.h"

enum tt_field {
    CHIP,
    CORE_X,
    CORE_Y,
    RISC,
    TIMER_ID,
    TIME,
    DATA,
    RUN_ID,
    HOST_ID,
    TRACE_ID,
    REPLAY,
    ZONE,
    TYPE,
    LINE,
    FILE_NAME,
    METADATA,
    FIELD_COUNT,
    NO_FIELD = FIELD_COUNT
};

enum { TT_MOST_COLUMNS = 20 };

/* Which field each column holds. */
struct tt_layout {
    unsigned count;                  /* columns; 0: none yet */
    uint8_t fields[TT_MOST_COLUMNS]; /* by column */
};

/* Lines that are no rows: architecture and clock; names of columns; a notice of dropped markers. */
bool tt_is_info(struct text line);
bool tt_is_names(struct text line);
bool tt_is_notice(struct text line);
/* The value behind the last colon of the part of a line that begins with `key`; empty: there is none. */
struct text tt_info_value(struct text line, const char *key);
/* The clock of the oldest logs, "Chip clock is at 1.2 GHz"; false: it is not told. */
bool tt_info_gigahertz(struct text line, int64_t *mhz);
/* How many markers a notice says were dropped, 1 where it does not say. */
uint64_t tt_notice_count(struct text line);

/* Whether a row of six columns was cut off within its time: it has fewer digits than the smallest of the log (INT64_MAX: there is
 * none). Taken for a time it would be the first of the chip, and every duration from there on would be wrong. Longer rows have
 * columns behind the time, and lack some when they are cut off. `*time` is its place. */
bool tt_is_cut(struct text line, int64_t smallest, size_t *time);

/* The layout that a line with names tells; false: it lacks one of the first six columns. */
bool tt_layout_read(struct text names, struct tt_layout *layout);
/* The usual layout with so many columns; NULL: there is none. */
const struct tt_layout *tt_layout_known(unsigned count);
unsigned tt_count_columns(struct text line);
/* Splits what is behind the first four columns. False: not the columns of the layout. */
bool tt_split(const struct tt_layout *layout, const char *at, const char *end, struct text fields[NO_FIELD + 1]);

/* What a log has that its reader must tell about. */
struct tt_oddities {
    uint64_t changed_line;             /* where rows went on with another number of columns; 0: nowhere */
    unsigned changed_from, changed_to; /* columns before and behind that line */
    bool two_clocks;                   /* two lines tell different architectures or clocks */
    uint64_t unnamed_line;             /* of a header that lacks one of the first six columns; 0: none does */
};

/* Notes for all of it, and the generation. */
NODISCARD status tt_note_oddities(struct source *source, const struct marker_log *log, const struct tt_oddities *odd);

#endif
