/* perfetto_sequences.c: states of sequences, defaults, and texts by number. */
#include "read/perfetto_sequences.h"

#include <assert.h>

#include "base/memory.h"
#include "trace/perfetto_fields.h"

enum { DENSE_ALWAYS = 64 }; /* numbers up to here lie in an array, whatever else there is */

void sequences_start(struct sequences *sequences, struct strings *strings, bool keep, uint64_t *redefined)
{
    *sequences = (struct sequences){ .strings = strings, .keep = keep, .redefined = redefined };
    column_start(&sequences->list, sizeof(struct packet_sequence));
    column_start(&sequences->states, sizeof(struct sequence_state));
    number_map_start(&sequences->map);
}

static void clear_table(struct interned_table *table)
{
    memory_free(table->items);
    if (table->is_sparse) {
        number_map_free(&table->sparse);
        column_free(&table->more);
    }
    *table = (struct interned_table){ .items = NULL };
}

static void clear_state(struct sequence_state *state)
{
    for (size_t i = 0; i < INTERNED_KINDS; i++)
        clear_table(&state->tables[i]);
}

void sequences_free(struct sequences *sequences)
{
    for (size_t i = 0; i < sequences->states.count; i++)
        clear_state(column_at(&sequences->states, i));
    column_free(&sequences->states);
    column_free(&sequences->list);
    number_map_free(&sequences->map);
}

static status new_state(struct sequences *sequences, struct packet_sequence *sequence)
{
    struct sequence_state *state = column_append(&sequences->states);

    if (!state)
        return status_no_memory("keeping a sequence");
    *state = (struct sequence_state){ .place = (uint32_t)sequences->states.count - 1 };
    sequence->state = state;
    return STATUS_OK;
}

status sequences_make(struct sequences *sequences, uint32_t number, struct packet_sequence **sequence)
{
    uint32_t *place = number_map_at(&sequences->map, number, 0);
    status code = STATUS_OK;

    assert(number);
    if (!place)
        return status_no_memory("keeping a sequence");
    if (*place == MAP_NONE) {
        struct packet_sequence *made = column_append(&sequences->list);

        if (!made)
            return status_no_memory("keeping a sequence");
        *made = (struct packet_sequence){ .number = number };
        *place = (uint32_t)sequences->list.count - 1;
        code = new_state(sequences, made);
    }
    if (code == STATUS_OK)
        *sequence = sequences->near[number % SEQUENCES_NEAR] = column_at(&sequences->list, *place);
    return code;
}

status sequence_clear(struct sequences *sequences, struct packet_sequence *sequence)
{
    struct sequence_state *state = sequence->state;
    bool used = false;

    sequence->valid = true;
    sequence->epoch++;
    sequence->defaults = (struct sequence_defaults){ 0 };
    sequence->clock = NULL;
    sequence->last_line = NULL;
    sequence->run = 0;
    for (size_t i = 0; i < INTERNED_KINDS; i++)
        used |= state->tables[i].items || state->tables[i].is_sparse;
    if (used && sequences->keep)
        return new_state(sequences, sequence);
    clear_state(state);
    return STATUS_OK;
}

/* ---- Defaults ---- */

static void add_extra(uint64_t *tracks, uint32_t *count, uint64_t track)
{
    if (*count < EXTRA_COUNTERS)
        tracks[(*count)++] = track;
}

void sequence_defaults(struct packet_sequence *sequence, struct wire message)
{
    struct sequence_defaults *defaults = &sequence->defaults;
    struct wire_field field, inside;

    *defaults = (struct sequence_defaults){ 0 };
    sequence->clock = NULL;
    while (wire_next(&message, &field)) {
        struct wire event;

        if (field.tag == WIRE_TAG(DEFAULTS_CLOCK, WIRE_VARINT) && field.value <= UINT32_MAX)
            defaults->clock = (uint32_t)field.value;
        if (field.tag != WIRE_TAG(DEFAULTS_TRACK_EVENT, WIRE_LENGTH))
            continue;
        event = wire_inside(&field);
        while (wire_next(&event, &inside)) {
            if (inside.tag == WIRE_TAG(EVENT_TRACK, WIRE_VARINT))
                defaults->track = inside.value;
            else if (inside.tag == WIRE_TAG(EVENT_EXTRA_TRACK, WIRE_VARINT))
                add_extra(defaults->extra, &defaults->extra_count, inside.value);
            else if (inside.tag == WIRE_TAG(EVENT_EXTRA_DECIMAL_TRACK, WIRE_VARINT))
                add_extra(defaults->extra_decimal, &defaults->extra_decimal_count, inside.value);
        }
    }
}

/* ---- Texts ---- */

struct interned *interned_far(const struct interned_table *table, uint64_t number)
{
    uint32_t place = table->is_sparse ? number_map_find(&table->sparse, number, 0) : MAP_NONE;

    return place == MAP_NONE ? NULL : column_at(&table->more, place);
}

static status add_far(struct interned_table *table, uint64_t number, struct interned **found)
{
    uint32_t *place;
    struct interned *made;

    if (!table->is_sparse) {
        number_map_start(&table->sparse);
        column_start(&table->more, sizeof(struct interned));
        table->is_sparse = true;
    }
    place = number_map_at(&table->sparse, number, 0);
    if (place && *place != MAP_NONE) {
        *found = column_at(&table->more, *place);
        return STATUS_OK;
    }
    made = place ? column_append(&table->more) : NULL;
    if (!made)
        return status_no_memory("keeping texts");
    *made = (struct interned){ .text = NO_ID };
    *place = (uint32_t)table->more.count - 1;
    *found = made;
    return STATUS_OK;
}

/* The entry of a number, with NO_ID as its text if it is new. */
static status add_number(struct interned_table *table, uint64_t number, struct interned **found)
{
    size_t had = table->capacity;
    status code;

    /* An array as long as it is used by half, at worst; numbers beyond are those of writers that do not count. */
    if (number >= had && (number > DENSE_ALWAYS && number > 2 * had))
        return add_far(table, number, found);
    if (number >= had) {
        code = memory_grow(&table->items, &table->capacity, (size_t)number + 1, sizeof *table->items);
        if (code != STATUS_OK)
            return code;
        for (size_t i = had; i < table->capacity; i++) {
            const struct interned *far = interned_far(table, i);

            table->items[i] = far ? *far : (struct interned){ .text = NO_ID };
        }
    }
    *found = &table->items[number];
    return STATUS_OK;
}

static status read_entry(struct sequences *sequences, struct wire message, bool is_location, uint64_t *number,
                         struct interned *made)
{
    struct text text = { .data = "", .length = 0 };
    struct wire_field field;
    status code = STATUS_OK;

    *made = (struct interned){ .file = 0, .function = 0, .line = 0 };
    *number = 0;
    while (code == STATUS_OK && wire_next(&message, &field)) {
        if (field.tag == WIRE_TAG(ENTRY_IID, WIRE_VARINT))
            *number = field.value;
        else if (field.tag == WIRE_TAG(ENTRY_TEXT, WIRE_LENGTH) && !is_location)
            text = wire_text(&field);
        else if (field.tag == WIRE_TAG(LOCATION_FILE, WIRE_LENGTH) && is_location)
            code = strings_add(sequences->strings, (const char *)field.data, (size_t)field.value, &made->file);
        else if (field.tag == WIRE_TAG(LOCATION_FUNCTION, WIRE_LENGTH) && is_location)
            code = strings_add(sequences->strings, (const char *)field.data, (size_t)field.value, &made->function);
        else if (field.tag == WIRE_TAG(LOCATION_LINE, WIRE_VARINT) && is_location)
            made->line = field.value <= UINT32_MAX ? (uint32_t)field.value : 0;
    }
    return code == STATUS_OK ? strings_add(sequences->strings, text.data, text.length, &made->text) : code;
}

static status intern_entry(struct sequences *sequences, struct interned_table *table, struct wire message,
                           bool is_location)
{
    struct interned made, *found = NULL;
    uint64_t number;
    status code = read_entry(sequences, message, is_location, &number, &made);

    if (code != STATUS_OK || !number)
        return code;
    code = add_number(table, number, &found);
    if (code != STATUS_OK)
        return code;
    if (found->text == NO_ID)
        *found = made;
    else
        *sequences->redefined +=
            found->text != made.text || (is_location && (found->file != made.file || found->line != made.line));
    return STATUS_OK;
}

status sequence_intern(struct sequences *sequences, struct packet_sequence *sequence, struct wire message)
{
    static const struct {
        uint32_t field;          /* of the message */
        enum interned_kind kind; /* where it goes */
    } kinds[] = {
        { INTERNED_NAME, INTERNED_NAMES },
        { INTERNED_CATEGORY, INTERNED_CATEGORIES },
        { INTERNED_ANNOTATION_NAME, INTERNED_KEYS },
        { INTERNED_ANNOTATION_TEXT, INTERNED_TEXTS },
        { INTERNED_SOURCE_LOCATION, INTERNED_LOCATIONS },
        { INTERNED_CORRELATION, INTERNED_CORRELATIONS },
    };
    struct sequence_state *state = sequence->state;
    struct wire_field field;
    status code = STATUS_OK;

    while (code == STATUS_OK && wire_next(&message, &field))
        for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
            if (field.tag == WIRE_TAG(kinds[i].field, WIRE_LENGTH))
                code = intern_entry(sequences, &state->tables[kinds[i].kind], wire_inside(&field),
                                    kinds[i].kind == INTERNED_LOCATIONS);
    return code;
}
