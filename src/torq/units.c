/* units.c: engines by ids and events of compile timelines. */
#include "torq/units.h"

#include <assert.h>
#include <string.h>

#include "base/number.h"
#include "read/value.h"
#include "torq/chain.h"
#include "torq/rows.h"

struct unit_kind {
    const char *text;            /* prefix of an id, or a whole event */
    const struct engine *engine; /* that it means */
    enum torq_transfer transfer; /* the same */
};

/* The issue number behind a prefix; an id without one keeps its engine. */
static void read_issue(struct torq_unit *unit, struct text id, size_t prefix)
{
    const char *cursor = id.data + prefix;
    const char *end = id.data + id.length;

    unit->has_id = number_digits(&cursor, end, &unit->id) && cursor == end;
}

/* S<issue> or S<issue>_<core>; the issue number alone says the slice only by counting round. */
static void read_slice(struct torq_unit *unit, struct text id, uint32_t slices)
{
    const char *cursor = id.data + 1;
    const char *end = id.data + id.length;
    int64_t core;

    if (!number_digits(&cursor, end, &unit->id))
        return;
    /* A chip has 2 or 4, and a division takes as long as the rest of the id. */
    core = slices & (slices - 1) ? unit->id % slices : unit->id & (int64_t)(slices - 1);
    if (cursor < end && *cursor == '_') {
        cursor++;
        if (!number_digits(&cursor, end, &core))
            return;
        unit->second = true;
    }
    if (cursor != end || core >= TORQ_SLICES)
        return;
    unit->has_id = true;
    unit->list = TORQ_LIST_SLICE;
    unit->engine = &torq_engine_slice;
    unit->index = (uint32_t)core;
}

static void read_cdma(struct torq_unit *unit, struct text id)
{
    static const struct unit_kind kinds[] = {
        { "CDMA_L2D", &torq_engine_cdma_dtcm, TORQ_TRANSFER_L2D },
        { "CDMA_D2L", &torq_engine_cdma_dtcm, TORQ_TRANSFER_D2L },
        { "CDMA_L2I", &torq_engine_cdma_itcm, TORQ_TRANSFER_L2I },
    };

    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (!text_begins(id, kinds[i].text))
            continue;
        unit->engine = kinds[i].engine;
        unit->transfer = kinds[i].transfer;
        unit->list = TORQ_LIST_TRANSFER;
        unit->second = true;
        read_issue(unit, id, strlen(kinds[i].text));
        return;
    }
}

void torq_unit_of_id(struct text id, uint32_t slices, struct torq_unit *unit)
{
    assert(slices && slices <= TORQ_SLICES);
    *unit = (struct torq_unit){ .engine = &engine_unknown, .list = TORQ_LIST_NONE };
    if (id.length < 2)
        return;
    if (id.data[0] == 'D' && (id.data[1] == 'I' || id.data[1] == 'O')) {
        unit->engine = id.data[1] == 'I' ? &torq_engine_dma_in : &torq_engine_dma_out;
        unit->list = TORQ_LIST_TRANSFER;
        read_issue(unit, id, 2);
    } else if (id.data[0] == 'S') {
        read_slice(unit, id, slices);
    } else if (text_begins(id, "CSS")) {
        unit->engine = &torq_engine_css;
        unit->list = TORQ_LIST_CSS;
        unit->second = true;
        read_issue(unit, id, 3);
    } else if (id.data[0] == 'C') {
        read_cdma(unit, id);
    }
}

void torq_unit_of_event(struct text event, struct torq_unit *unit)
{
    static const struct unit_kind kinds[] = {
        { "DMA In", &torq_engine_dma_in, TORQ_TRANSFER_NONE },
        { "DMA Out", &torq_engine_dma_out, TORQ_TRANSFER_NONE },
        { "CDMA LRAM to DTCM", &torq_engine_cdma_dtcm, TORQ_TRANSFER_L2D },
        { "CDMA DTCM to LRAM", &torq_engine_cdma_dtcm, TORQ_TRANSFER_D2L },
        { "CDMA LRAM to ITCM", &torq_engine_cdma_itcm, TORQ_TRANSFER_L2I },
        { "CSS", &torq_engine_css, TORQ_TRANSFER_NONE },
    };
    int64_t index;

    *unit = (struct torq_unit){ .engine = &engine_unknown, .list = TORQ_LIST_NONE };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (text_is(event, kinds[i].text)) {
            unit->engine = kinds[i].engine;
            unit->transfer = kinds[i].transfer;
            return;
        }
    }
    if (text_begins(event, "Slice ") &&
        value_as_integer((struct text){ event.data + 6, event.length - 6 }, &index) == NULL && index >= 0 &&
        index < TORQ_SLICES) {
        unit->engine = &torq_engine_slice;
        unit->index = (uint32_t)index;
    }
}

bool torq_type_repeats_engine(struct text type)
{
    return type.length == 0 || text_begins(type, "CDMA_") || text_is(type, "DMA_IN") || text_is(type, "DMA_OUT") ||
           text_is(type, "CSS");
}
