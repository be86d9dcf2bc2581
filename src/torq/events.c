/* events.c: texts of events, taken apart. */
#include "torq/events.h"

#include "torq/chain.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

struct event_row {
    const char *name;               /* without its phase */
    uint8_t length;                 /* of the name */
    enum torq_role role;            /* what it is in its scope */
    const struct engine *engine_r2; /* whose track it is on in R2 */
    const struct engine *engine_r3; /* the same in R3 */
};

static const struct event_row rows[] = {
#define X(type, role, engine_r2, engine_r3) { #type, sizeof #type - 1, TORQ_ROLE_##role, &engine_r2, &engine_r3 },
    TORQ_EVENT_MAP(X)
#undef X
};

const char *torq_event_name(enum torq_event event)
{
    assert(event < TORQ_EVENT_UNKNOWN);
    return rows[event].name;
}

enum torq_role torq_event_role(enum torq_event event)
{
    assert(event <= TORQ_EVENT_UNKNOWN);
    return event == TORQ_EVENT_UNKNOWN ? TORQ_ROLE_PHASE : rows[event].role;
}

const struct engine *torq_event_engine(enum torq_event event, bool scoped)
{
    assert(event <= TORQ_EVENT_UNKNOWN);
    if (event == TORQ_EVENT_UNKNOWN)
        return &engine_unknown;
    return scoped ? rows[event].engine_r3 : rows[event].engine_r2;
}

static enum torq_event find_type(struct text type)
{
    for (unsigned i = 0; i < TORQ_EVENT_UNKNOWN; i++) {
        if (rows[i].length == type.length && memcmp(rows[i].name, type.data, type.length) == 0)
            return (enum torq_event)i;
    }
    return TORQ_EVENT_UNKNOWN;
}

static bool cut_suffix(struct text *text, const char *suffix)
{
    size_t length = strlen(suffix);

    if (text->length <= length || memcmp(text->data + text->length - length, suffix, length) != 0)
        return false;
    text->length -= length;
    return true;
}

void torq_parse_action_event(struct text text, struct torq_parsed *parsed)
{
    static const char start[] = "NSS_START";

    parsed->type = text;
    parsed->phase = TORQ_NO_PHASE;
    /* The one begin without a suffix of its own. */
    if (text.length == sizeof start - 1 && memcmp(text.data, start, text.length) == 0)
        parsed->phase = TORQ_BEGIN;
    else if (cut_suffix(&parsed->type, "_START"))
        parsed->phase = TORQ_BEGIN;
    else if (cut_suffix(&parsed->type, "_END"))
        parsed->phase = TORQ_END;
    parsed->event = parsed->phase == TORQ_NO_PHASE ? TORQ_EVENT_UNKNOWN : find_type(parsed->type);
    if (torq_event_engine(parsed->event, false) == &engine_unknown)
        parsed->event = TORQ_EVENT_UNKNOWN;
}

void torq_parse_scope_event(struct text text, struct torq_parsed *parsed)
{
    parsed->type = text;
    parsed->phase = TORQ_NO_PHASE;
    if (cut_suffix(&parsed->type, "_BEGIN"))
        parsed->phase = TORQ_BEGIN;
    else if (cut_suffix(&parsed->type, "_END"))
        parsed->phase = TORQ_END;
    parsed->event = parsed->phase == TORQ_NO_PHASE ? TORQ_EVENT_UNKNOWN : find_type(parsed->type);
}

/* Length, and two bytes that differ between the names of one length. Names are at least 8 bytes long. */
static inline unsigned slot_of(struct text text)
{
    unsigned first = (unsigned char)text.data[2];
    unsigned middle = (unsigned char)text.data[text.length / 2];
    unsigned last = (unsigned char)text.data[text.length - 3];

    return (unsigned)(text.length * 37 + first * 11 + middle * 3 + last * 101) % TORQ_EVENT_SLOTS;
}

static void add_event(struct torq_event_table *table, enum torq_event event, enum torq_phase phase)
{
    char text[sizeof table->slots[0].text];
    int length = snprintf(text, sizeof text, "%s%s", rows[event].name, phase == TORQ_BEGIN ? "_BEGIN" : "_END");
    unsigned slot = slot_of((struct text){ text, (size_t)length });

    while (table->slots[slot].length)
        slot = (slot + 1) % TORQ_EVENT_SLOTS;
    memcpy(table->slots[slot].text, text, sizeof text);
    table->slots[slot].length = (uint8_t)length;
    table->slots[slot].event = (uint8_t)event;
    table->slots[slot].phase = (uint8_t)phase;
}

void torq_event_table_fill(struct torq_event_table *table)
{
    memset(table, 0, sizeof *table);
    for (unsigned event = 0; event < TORQ_EVENT_UNKNOWN; event++) {
        add_event(table, (enum torq_event)event, TORQ_BEGIN);
        add_event(table, (enum torq_event)event, TORQ_END);
    }
}

static inline bool is_in_slot(const struct torq_event_table *table, unsigned slot, struct text text)
{
    return table->slots[slot].length == text.length && text_same(table->slots[slot].text, text.data, text.length);
}

bool torq_event_table_find(struct torq_event_table *table, struct text text, enum torq_event *event,
                           enum torq_phase *phase)
{
    unsigned slot = table->slots[table->last].next;

    assert(table->slots[table->last].length || !table->last);
    if (text.length < 8)
        return false;
    if (!is_in_slot(table, slot, text)) {
        slot = slot_of(text);
        while (table->slots[slot].length && !is_in_slot(table, slot, text))
            slot = (slot + 1) % TORQ_EVENT_SLOTS;
        if (!table->slots[slot].length)
            return false;
        table->slots[table->last].next = (uint8_t)slot;
    }
    table->last = (uint8_t)slot;
    *event = (enum torq_event)table->slots[slot].event;
    *phase = (enum torq_phase)table->slots[slot].phase;
    return true;
}
