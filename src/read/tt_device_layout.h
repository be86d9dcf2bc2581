/* tt_device_layout.h: which lines a device log has, and which column holds what. */
#ifndef READ_TT_DEVICE_LAYOUT_H
#define READ_TT_DEVICE_LAYOUT_H

#include <string.h>

#include "base/strings.h"

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
    unsigned count; /* columns; 0: none yet */
    uint8_t fields[TT_MOST_COLUMNS];
};

/* Without the blanks around it. */
static inline struct text trim(const char *start, const char *end)
{
    while (start < end && (*start == ' ' || *start == '\t'))
        start++;
    while (end > start && (end[-1] == ' ' || end[-1] == '\t' || end[-1] == '\r'))
        end--;
    return (struct text){ start, (size_t)(end - start) };
}

static inline bool begins(struct text text, const char *with)
{
    size_t length = strlen(with);

    return text.length >= length && memcmp(text.data, with, length) == 0;
}

static inline const char *find_text(struct text text, const char *wanted)
{
    return memmem(text.data, text.length, wanted, strlen(wanted));
}

/* Lines that are no rows: architecture and clock; names of columns; a notice of dropped markers. */
bool tt_is_info(struct text line);
bool tt_is_names(struct text line);
bool tt_is_notice(struct text line);
/* The value behind the last colon of the part of a line that begins with `key`; empty: there is none. */
struct text tt_info_value(struct text line, const char *key);
/* How many markers a notice says were dropped, 1 where it does not say. */
uint64_t tt_notice_count(struct text line);

/* Whether a row of six columns was cut off within its time, which would stretch everything: it has fewer digits than that of the
 * row before. Longer rows have columns behind the time, and lack some when they are cut off. `*time` is its place. */
bool tt_is_cut(struct text line, int64_t before, size_t *time);

/* The layout that a line with names tells; false: it lacks one of the first six columns. */
bool tt_layout_read(struct text names, struct tt_layout *layout);
/* The usual layout with so many columns; NULL: there is none. */
const struct tt_layout *tt_layout_known(unsigned count);
unsigned tt_count_columns(struct text line);
/* Splits what is behind the first four columns. False: not the columns of the layout. */
bool tt_split(const struct tt_layout *layout, const char *at, const char *end, struct text fields[NO_FIELD + 1]);

#endif
