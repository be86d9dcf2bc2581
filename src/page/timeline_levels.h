/* timeline_levels.h: one row of a timeline for a page, at all levels of detail.
 *
 * A row has blocks that do not overlap, by start. Level 0 is the slices themselves. In level k, blocks shorter than 4^k ticks
 * that stand close together are one block, so that at any zoom a page draws about one block per pixel:
 *
 *     level 0  ▌▌ ▌▌▌ ▌      ▐████████▌ ▌▌▌
 *     level 2  ███████       ▐████████▌ ███      (each with its count, its busy share and its most frequent label)
 *
 * A level is written only where it has at most a third of the blocks of the one before. Numbers are LEB128, the bytes of each
 * level base64 without padding:
 *
 *     level 0:       gap since the end of the block before, length (not of instants), label
 *     other levels:  gap, length, count, label, busy share (1 to 255; only where count is not 1)
 *
 * The first gap counts from the row's first start, so it is 0.
 */
#ifndef PAGE_TIMELINE_LEVELS_H
#define PAGE_TIMELINE_LEVELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/output.h"
#include "base/status.h"

struct timeline_block {
    int64_t start, end; /* ticks */
    uint64_t busy;      /* ticks that slices cover */
    uint64_t weight;    /* of the label: ticks that its slices cover, plus one each */
    uint64_t count;     /* slices */
    uint32_t label;     /* most of its time */
};

struct timeline_row {
    struct timeline_block *blocks; /* by start; owned */
    size_t count, capacity;        /* of blocks */
    bool instants;                 /* all lengths are 0 */
};

/* The block must begin where the last one ends, or later. */
NODISCARD status timeline_row_add(struct timeline_row *row, int64_t start, int64_t end, uint32_t label);
void timeline_row_free(struct timeline_row *row);

/* Writes the levels of a row that is not empty to `data`, and to `facts` what a reader needs to find them, as a JSON list: level,
 * blocks, characters, level, ... The blocks are merged on the way: afterwards the row is empty. */
void timeline_row_write(struct timeline_row *row, struct output *data, struct output *facts);

#endif
