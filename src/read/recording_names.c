/* recording_names.c: records, sites, threads, clocks, tracks. */
#include "read/recording_names.h"

#include <assert.h>
#include <string.h>

#include "base/memory.h"

/* ---- Records ------------------------------------------------------------------------------------------------------ */

/* How many values stand behind a record; -1: there is no such kind. */
static int values_of(uint32_t kind)
{
    switch (kind) {
    case RECORD_BEGIN:
    case RECORD_END:
    case RECORD_INSTANT:
    case RECORD_FRAME:
    case RECORD_FRAME_BEGIN:
    case RECORD_FRAME_END:
    case RECORD_FLOW:
    case RECORD_ARGUMENT_INTEGER:
    case RECORD_ARGUMENT_UNSIGNED:
    case RECORD_ARGUMENT_DECIMAL:
    case RECORD_ARGUMENT_TEXT:
    case RECORD_NAME:
    case RECORD_COLOR:
    case RECORD_THREAD_HERE:
    case RECORD_THREAD:
    case RECORD_PROCESS:
    case RECORD_CLOCK:
    case RECORD_TRACK:
    case RECORD_TRACK_INSTANT:
        return 0;
    case RECORD_COUNTER:
    case RECORD_ASYNC_BEGIN:
    case RECORD_ASYNC_END:
    case RECORD_SITE:
    case RECORD_TRACK_SLICE:
        return 1;
    case RECORD_TIE:
        return 2;
    case RECORD_SUM:
        return 3;
    default:
        return -1;
    }
}

static bool is_of(const struct chunk_view *view, uint32_t slot, uint32_t kind)
{
    uint64_t tag = view->slots[2 * (size_t)slot + 1];

    return recording_tag_lap(tag) == view->lap && recording_tag_kind(tag) == kind;
}

enum record_verdict record_take(const struct chunk_view *view, uint32_t slot, struct record_text *text,
                                struct record *record)
{
    uint64_t tag = view->slots[2 * (size_t)slot + 1];
    uint32_t length = recording_tag_length(tag);
    uint32_t pieces = (length + RECORDING_SLOT_TEXT - 1) / RECORDING_SLOT_TEXT;
    int values = values_of(recording_tag_kind(tag));

    assert(slot < view->count && recording_tag_lap(tag) == view->lap);
    *record = (struct record){
        .kind = recording_tag_kind(tag), .id = recording_tag_id(tag), .word = view->slots[2 * (size_t)slot], .slots = 1
    };
    if (values < 0)
        return RECORD_STRANGE;
    if (length > RECORDING_TEXT_MOST || (uint32_t)values + pieces >= view->count - slot)
        return RECORD_BROKEN;
    for (uint32_t i = 0; i < (uint32_t)values; i++) {
        const uint64_t *piece = &view->slots[2 * ((size_t)slot + 1 + i)];

        if (!is_of(view, slot + 1 + i, RECORD_VALUE))
            return RECORD_BROKEN;
        record->values[i] = piece[0];
        record->types[i] = recording_tag_id(piece[1]);
    }
    for (uint32_t i = 0; i < pieces; i++) {
        uint32_t at = slot + 1 + (uint32_t)values + i;

        if (!is_of(view, at, RECORD_TEXT))
            return RECORD_BROKEN;
        memcpy(text->bytes + (size_t)i * RECORDING_SLOT_TEXT, &view->slots[2 * (size_t)at], RECORDING_SLOT_TEXT);
    }
    record->text = (struct text){ text->bytes, length };
    record->slots = 1 + (uint32_t)values + pieces;
    return RECORD_FINE;
}

/* ---- Names -------------------------------------------------------------------------------------------------------- */

void recording_names_start(struct recording_names *names, struct strings *strings, uint64_t most)
{
    *names = (struct recording_names){ .strings = strings, .most = most < UINT32_MAX ? most : UINT32_MAX };
    number_map_start(&names->thread_map);
    number_map_start(&names->clock_map);
    number_map_start(&names->track_map);
    column_start(&names->threads, sizeof(struct recording_thread_name));
    column_start(&names->clocks, sizeof(struct recording_clock_name));
    column_start(&names->tracks, sizeof(struct recording_track_name));
}

void recording_names_free(struct recording_names *names)
{
    memory_free(names->sites);
    number_map_free(&names->thread_map);
    number_map_free(&names->clock_map);
    number_map_free(&names->track_map);
    column_free(&names->threads);
    column_free(&names->clocks);
    column_free(&names->tracks);
    *names = (struct recording_names){ 0 };
}

/* Makes room for a site; false: no such number can be. */
static status reach_site(struct recording_names *names, uint32_t number, bool *fits)
{
    status code = STATUS_OK;

    *fits = number && number < names->most;
    if (*fits && number >= names->site_count) {
        code = memory_grow_clear(&names->sites, &names->site_capacity, (size_t)number + 1, sizeof *names->sites);
        if (code == STATUS_OK)
            names->site_count = (size_t)number + 1;
    }
    return code;
}

status recording_site_made(struct recording_names *names, uint32_t number, struct recording_site **site)
{
    bool fits;
    status code = reach_site(names, number, &fits);

    *site = NULL;
    if (code != STATUS_OK || !fits)
        return code;
    *site = &names->sites[number];
    if ((*site)->name)
        return STATUS_OK;
    (*site)->op = NO_ID;
    return strings_add_format(names->strings, &(*site)->name, "site %u", number);
}

/* Name 0 function 0 file. */
static status add_site(struct recording_names *names, const struct record *record, bool *fits)
{
    string_id parts[3] = { 0 };
    struct text rest = record->text;
    status code = reach_site(names, record->id, fits);

    for (unsigned i = 0; i < 3 && code == STATUS_OK; i++) {
        const char *end = rest.length ? memchr(rest.data, 0, rest.length) : NULL;
        size_t length = end ? (size_t)(end - rest.data) : rest.length;

        code = strings_add(names->strings, rest.data, length, &parts[i]);
        rest.data += length + (end != NULL);
        rest.length -= length + (end != NULL);
    }
    if (code == STATUS_OK && !parts[0] && *fits)
        code = strings_add_format(names->strings, &parts[0], "site %u", record->id);
    if (code == STATUS_OK && *fits)
        names->sites[record->id] = (struct recording_site){ .name = parts[0],
                                                            .function = parts[1],
                                                            .file = parts[2],
                                                            .line = (uint32_t)record->word,
                                                            .flags = (uint32_t)record->values[0],
                                                            .op = NO_ID,
                                                            .known = true };
    return code;
}

/* The entry of a number; a new one is all zero. NULL: out of memory. */
static void *entry_of(struct number_map *map, struct column *column, uint32_t number)
{
    uint32_t *place = number_map_at(map, number, 0);
    void *made;

    if (!place || *place != MAP_NONE)
        return place ? column_at(column, *place) : NULL;
    made = column_append(column);
    if (!made)
        return NULL;
    memset(made, 0, column->element_size);
    *place = (uint32_t)column->count - 1;
    return made;
}

static status add_entry(struct recording_names *names, const struct record *record, string_id name)
{
    void *entry;

    if (record->kind == RECORD_THREAD) {
        entry = entry_of(&names->thread_map, &names->threads, record->id);
        if (entry)
            *(struct recording_thread_name *)entry = (struct recording_thread_name){ name, record->word };
    } else if (record->kind == RECORD_CLOCK) {
        entry = entry_of(&names->clock_map, &names->clocks, record->id);
        if (entry)
            *(struct recording_clock_name *)entry = (struct recording_clock_name){ name, record->word };
    } else {
        entry = entry_of(&names->track_map, &names->tracks, record->id);
        if (entry)
            *(struct recording_track_name *)entry = (struct recording_track_name){ name, (uint32_t)record->word };
    }
    return entry ? STATUS_OK : status_no_memory("keeping names");
}

status recording_names_add(struct recording_names *names, const struct record *record, bool *fits)
{
    string_id name;
    status code;

    *fits = true;
    if (record->kind == RECORD_SITE)
        return add_site(names, record, fits);
    code = strings_add(names->strings, record->text.data, record->text.length, &name);
    if (code != STATUS_OK)
        return code;
    switch (record->kind) {
    case RECORD_PROCESS:
        names->process = name;
        return STATUS_OK;
    case RECORD_THREAD:
    case RECORD_CLOCK:
    case RECORD_TRACK:
        return add_entry(names, record, name);
    default:
        *fits = false;
        return STATUS_OK;
    }
}
