/* units.h: which engine a row of a compile timeline is about, from its id (C1, C2) or its event (C3, C4).
 *
 * Plain data; nothing is owned.
 */
#ifndef TORQ_UNITS_H
#define TORQ_UNITS_H

#include "trace/model.h"

enum { TORQ_SLICES = 1024 }; /* slice numbers are below this */

/* Ids count up in each of these lists. */
enum torq_list { TORQ_LIST_TRANSFER, TORQ_LIST_SLICE, TORQ_LIST_CSS, TORQ_LIST_NONE };

/* X(name, text) */
#define TORQ_TRANSFER_MAP(X) \
    X(NONE, "")              \
    X(L2D, "LRAM to DTCM")   \
    X(D2L, "DTCM to LRAM")   \
    X(L2I, "LRAM to ITCM")

enum torq_transfer {
#define X(name, text) TORQ_TRANSFER_##name,
    TORQ_TRANSFER_MAP(X)
#undef X
        TORQ_TRANSFER_COUNT
};

struct torq_unit {
    const struct engine *engine; /* &engine_unknown: none that we know */
    uint32_t index;              /* slice number */
    enum torq_transfer transfer; /* from which memory to which */
    enum torq_list list;         /* in which ids count up */
    int64_t id;                  /* issue number in its list; valid when `has_id` */
    bool has_id;                 /* it has an issue number */
    bool second;                 /* C1 had no such id */
};

/* DI0, DO1, CDMA_L2D2, CSS0, S3 (slice 3 mod `slices`), S3_1 (slice 1). */
void torq_unit_of_id(struct text id, uint32_t slices, struct torq_unit *unit);
/* "DMA In", "CDMA LRAM to DTCM", "Slice 1", "CSS", ... */
void torq_unit_of_event(struct text event, struct torq_unit *unit);
/* The type column says no more than the engine does. */
bool torq_type_repeats_engine(struct text type);

#endif
