/* history_profiles.c: the profiles of a history that were asked for, in the order of builds. */
#include "history/history_profiles.h"

#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/memory.h"

/* While profiles are read. */
struct choosing {
    struct history_profiles *profiles; /* that are filled */
    struct number_map builds;          /* by model and build: the number of a build */
    int64_t *firsts;                   /* by that number: when its first profile was added; owned */
    size_t first_capacity;             /* of these */
    size_t cursor;                     /* profile that labels are of */
};

static const char *any_if_empty(const char *text)
{
    return text && *text ? text : NULL;
}

/* ---- rows -------------------------------------------------------------------------------------------------------------------- */

/* Whatever is chosen of a build, its first profile tells where it stands. */
static status note_build(struct choosing *choosing, struct history_row *row)
{
    uint32_t *number = number_map_at(&choosing->builds, row->model, row->build);
    size_t known = number_map_count(&choosing->builds);
    status code;

    if (!number)
        return status_no_memory("reading a history");
    if (*number == MAP_NONE) {
        code = memory_grow(&choosing->firsts, &choosing->first_capacity, known, sizeof *choosing->firsts);
        if (code != STATUS_OK)
            return code;
        *number = (uint32_t)known - 1;
        choosing->firsts[*number] = row->added;
    }
    if (row->added < choosing->firsts[*number])
        choosing->firsts[*number] = row->added;
    row->build_number = *number;
    return STATUS_OK;
}

static status take_profile(void *context, const struct history_value *values)
{
    struct choosing *choosing = context;
    struct history_profiles *profiles = choosing->profiles;
    const char *device = any_if_empty(profiles->choice->device);
    struct history_row row = { .id = history_integer_at(&values[0]),
                               .size = history_integer_at(&values[1]),
                               .added = history_integer_at(&values[2]) };
    string_id *const texts[] = { &row.name, &row.chain, &row.model, &row.build, &row.commit, &row.device };
    status code = STATUS_OK;

    for (size_t i = 0; i < sizeof texts / sizeof *texts && code == STATUS_OK; i++) {
        struct text text = history_text_at(&values[3 + i]);

        code = strings_add(profiles->strings, text.data, text.length, texts[i]);
    }
    if (code == STATUS_OK)
        code = note_build(choosing, &row);
    if (code != STATUS_OK || (device && strcmp(history_profiles_text(profiles, row.device), device) != 0))
        return code;
    code = memory_grow(&profiles->items, &profiles->capacity, profiles->count + 1, sizeof *profiles->items);
    if (code == STATUS_OK)
        profiles->items[profiles->count++] = row;
    return code;
}

/* ---- labels ------------------------------------------------------------------------------------------------------------------ */

static bool is_label(const char *label, struct text name, struct text value)
{
    return strlen(label) == name.length + 1 + value.length && text_same(label, name.data, name.length) &&
           label[name.length] == '=' && text_same(label + name.length + 1, value.data, value.length);
}

static status take_label(void *context, const struct history_value *values)
{
    struct choosing *choosing = context;
    const struct texts *labels = &choosing->profiles->choice->labels;
    size_t at = history_profiles_find(choosing->profiles, history_integer_at(&values[0]), &choosing->cursor);

    for (size_t i = 0; i < labels->count && at != SIZE_MAX; i++)
        choosing->profiles->items[at].labels +=
            is_label(labels->items[i], history_text_at(&values[1]), history_text_at(&values[2]));
    return STATUS_OK;
}

/* Leaves those that have all labels. */
static status choose_labels(const struct history *history, struct choosing *choosing)
{
    struct history_profiles *profiles = choosing->profiles;
    const struct history_choice *choice = profiles->choice;
    const struct history_request request = { .table = TABLE_LABEL,
                                             .model = any_if_empty(choice->model),
                                             .device = any_if_empty(choice->device),
                                             .builds = choice->builds,
                                             .build_count = choice->build_count };
    size_t count = 0;
    status code = history->calls->read(history->self, &request, take_label, choosing);

    for (size_t i = 0; i < profiles->count; i++)
        if (profiles->items[i].labels == choice->labels.count)
            profiles->items[count++] = profiles->items[i];
    profiles->count = count;
    return code;
}

/* ---- order ------------------------------------------------------------------------------------------------------------------- */

static int compare_numbers(int64_t one, int64_t other)
{
    return (one > other) - (one < other);
}

static int by_build(const void *one, const void *other, void *context)
{
    const struct history_profiles *profiles = context;
    const struct history_row *a = &profiles->items[*(const uint32_t *)one];
    const struct history_row *b = &profiles->items[*(const uint32_t *)other];
    int order = compare_numbers(a->first, b->first);

    if (!order && a->build != b->build)
        order = strcmp(history_profiles_text(profiles, a->build), history_profiles_text(profiles, b->build));
    if (!order)
        order = compare_numbers(a->added, b->added);
    return order ? order : compare_numbers(a->id, b->id);
}

static status put_in_order(struct choosing *choosing)
{
    struct history_profiles *profiles = choosing->profiles;

    profiles->ids = memory_allocate((profiles->count + 1) * sizeof *profiles->ids);
    profiles->order = memory_allocate((profiles->count + 1) * sizeof *profiles->order);
    if (!profiles->ids || !profiles->order)
        return status_no_memory("reading a history");
    for (size_t i = 0; i < profiles->count; i++) {
        profiles->items[i].first = choosing->firsts[profiles->items[i].build_number];
        profiles->ids[i] = profiles->items[i].id;
        profiles->order[i] = (uint32_t)i;
    }
    qsort_r(profiles->order, profiles->count, sizeof *profiles->order, by_build, profiles);
    return STATUS_OK;
}

status history_profiles_read(const struct history *history, const struct history_choice *choice,
                             struct history_profiles *profiles)
{
    struct choosing choosing = { .profiles = profiles };
    /* Of all devices: one of another may have been the first of a build. */
    const struct history_request request = { .table = TABLE_PROFILE,
                                             .model = any_if_empty(choice->model),
                                             .builds = choice->builds,
                                             .build_count = choice->build_count };
    status code;

    *profiles = (struct history_profiles){ .choice = choice, .strings = strings_new() };
    number_map_start(&choosing.builds);
    code = profiles->strings ? history->calls->read(history->self, &request, take_profile, &choosing)
                             : status_no_memory("reading a history");
    if (code == STATUS_OK && choice->labels.count)
        code = choose_labels(history, &choosing);
    if (code == STATUS_OK)
        code = put_in_order(&choosing);
    number_map_free(&choosing.builds);
    memory_free(choosing.firsts);
    return code;
}

void history_profiles_free(struct history_profiles *profiles)
{
    strings_free(profiles->strings);
    memory_free(profiles->items);
    memory_free(profiles->ids);
    memory_free(profiles->order);
    *profiles = (struct history_profiles){ 0 };
}

/* ---- what belongs to them ------------------------------------------------------------------------------------------------------ */

size_t history_profiles_find(const struct history_profiles *profiles, int64_t id, size_t *cursor)
{
    while (*cursor < profiles->count && profiles->items[*cursor].id < id)
        ++*cursor;
    return *cursor < profiles->count && profiles->items[*cursor].id == id ? *cursor : SIZE_MAX;
}

struct history_request history_profiles_request(const struct history_profiles *profiles, enum history_table_id table,
                                                const char *name)
{
    enum { FEW = 1000 };
    const struct history_choice *choice = profiles->choice;

    /* Few are found one by one; of many, what was asked for says it shorter, unless labels chose among them. */
    if (profiles->count <= FEW || choice->labels.count)
        return (
            struct history_request){ .table = table, .ids = profiles->ids, .id_count = profiles->count, .name = name };
    return (struct history_request){ .table = table,
                                     .model = any_if_empty(choice->model),
                                     .device = any_if_empty(choice->device),
                                     .builds = choice->builds,
                                     .build_count = choice->build_count,
                                     .name = name };
}

/* ---- what should not be one -------------------------------------------------------------------------------------------------- */

struct mixing {
    const struct history_profiles *profiles; /* that were asked for */
    struct history_mixture *mixture;         /* the first that is found */
    size_t cursor;                           /* profile that a label is of */
    struct number_map values;                /* by build of a model, and key: the first value */
};

static status take_value(void *context, const struct history_value *values)
{
    struct mixing *mixing = context;
    struct text key = history_text_at(&values[1]), value = history_text_at(&values[2]);
    size_t at = history_profiles_find(mixing->profiles, history_integer_at(&values[0]), &mixing->cursor);
    string_id ids[2] = { 0, 0 };
    uint32_t *first;
    status code;

    if (at == SIZE_MAX || mixing->mixture->found)
        return STATUS_OK;
    code = strings_add(mixing->profiles->strings, key.data, key.length, &ids[0]);
    if (code == STATUS_OK)
        code = strings_add(mixing->profiles->strings, value.data, value.length, &ids[1]);
    first = code == STATUS_OK ? number_map_at(&mixing->values, mixing->profiles->items[at].build_number, ids[0]) : NULL;
    if (!first)
        return status_no_memory("reading a history");
    if (*first == MAP_NONE)
        *first = ids[1];
    if (*first != ids[1])
        *mixing->mixture = (struct history_mixture){ .key = ids[0], .values = { *first, ids[1] }, .found = true };
    return STATUS_OK;
}

status history_profiles_mixture(const struct history *history, const struct history_profiles *profiles,
                                struct history_mixture *mixture)
{
    const struct history_request request = history_profiles_request(profiles, TABLE_LABEL, NULL);
    struct mixing mixing = { .profiles = profiles, .mixture = mixture };
    status code;

    *mixture = (struct history_mixture){ 0 };
    number_map_start(&mixing.values);
    code = history->calls->read(history->self, &request, take_value, &mixing);
    number_map_free(&mixing.values);
    return code;
}
