/* trace_page_labels.c: texts and labels of a page. */
#include "page/trace_page_labels.h"

#include <assert.h>
#include <string.h>

#include "base/memory.h"
#include "base/utf8.h"

/* ---- Texts ---- */

status page_texts_start(struct page_texts *texts, struct strings *strings)
{
    uint32_t none;

    *texts = (struct page_texts){ .strings = strings };
    column_start(&texts->used, sizeof(string_id));
    return page_text(texts, 0, &none); /* the first is the empty one */
}

void page_texts_free(struct page_texts *texts)
{
    memory_free(texts->of_string);
    column_free(&texts->used);
}

status page_text_new(struct page_texts *texts, string_id id, uint32_t *text)
{
    status code = memory_grow_clear(&texts->of_string, &texts->capacity, (size_t)id + 1, sizeof *texts->of_string);
    string_id *place;

    if (code != STATUS_OK)
        return code;
    place = column_append(&texts->used);
    if (!place)
        return status_no_memory("collecting texts");
    *place = id;
    *text = (uint32_t)(texts->used.count - 1);
    texts->of_string[id] = *text + 1;
    return STATUS_OK;
}

static status write_mended(struct page_bytes *to, struct text text)
{
    const char *cursor = text.data, *end = text.data + text.length, *from = cursor;
    status code = STATUS_OK;

    while (cursor < end && code == STATUS_OK) {
        const char *character = cursor;
        bool valid;

        if (utf8_read(&cursor, end, &valid) && valid)
            continue;
        code = page_bytes_add(to, from, (size_t)(character - from));
        if (code == STATUS_OK)
            code = page_bytes_add(to, UTF8_BAD_TEXT, strlen(UTF8_BAD_TEXT));
        from = cursor;
    }
    if (code == STATUS_OK)
        code = page_bytes_add(to, from, (size_t)(end - from));
    return code == STATUS_OK ? page_bytes_add(to, "", 1) : code;
}

status page_texts_write(const struct page_texts *texts, struct page_bytes *to)
{
    status code = STATUS_OK;

    for (size_t i = 0; i < texts->used.count && code == STATUS_OK; i++)
        code = write_mended(to, strings_get(texts->strings, *(const string_id *)column_at(&texts->used, i)));
    return code;
}

/* ---- Labels ---- */

void page_labels_start(struct page_labels *labels)
{
    *labels = (struct page_labels){ .map = { 0 } };
    column_start(&labels->items, sizeof(struct page_label));
    column_start(&labels->engines, sizeof(const struct engine *));
}

void page_labels_free(struct page_labels *labels)
{
    map_free(&labels->map);
    column_free(&labels->items);
    column_free(&labels->engines);
    memory_free(labels->last);
}

static struct page_label *label_at(const struct page_labels *labels, uint32_t label)
{
    return column_at(&labels->items, label);
}

static bool is_label(const struct page_label *label, const struct page_label *wanted)
{
    return label->name == wanted->name && label->operator_name == wanted->operator_name &&
           label->location == wanted->location && label->engine == wanted->engine;
}

static status find_label(struct page_labels *labels, const struct page_label *wanted, uint32_t *label)
{
    uint64_t hash =
        map_mix(map_mix(map_mix(wanted->name, wanted->operator_name), wanted->location), (uintptr_t)wanted->engine);
    struct page_label *made;
    size_t cursor;

    for (*label = map_first(&labels->map, hash, &cursor); *label != MAP_NONE;
         *label = map_next(&labels->map, hash, &cursor))
        if (is_label(label_at(labels, *label), wanted))
            return STATUS_OK;
    made = column_append(&labels->items);
    if (!made)
        return status_no_memory("collecting labels");
    *made = *wanted;
    *label = (uint32_t)(labels->items.count - 1);
    return map_add(&labels->map, hash, *label);
}

/* The number of an engine, from 1: there are few, and most slices have that of the slice before. */
static uint32_t number_engine(struct page_labels *labels, const struct engine *engine)
{
    const struct engine **place;

    for (size_t i = labels->engines.count; i; i--)
        if (*(const struct engine **)column_at(&labels->engines, i - 1) == engine)
            return (uint32_t)i;
    place = column_append(&labels->engines);
    if (!place)
        return 0;
    *place = engine;
    return (uint32_t)labels->engines.count;
}

static bool is_last(const struct page_labels *labels, const struct page_last_label *last,
                    const struct page_label *wanted, bool has_operator)
{
    if (!last->label)
        return false;
    if (last->engine)
        return !has_operator &&
               *(const struct engine **)column_at(&labels->engines, last->engine - 1) == wanted->engine;
    return is_label(label_at(labels, last->label - 1), wanted);
}

/* Most names have one label. Where there are many, a map would be asked at random places in memory for every slice; what is added up for a
 * label lies apart, and is to be there for the end of the slice. */
status page_label_find(struct page_labels *labels, string_id name, const struct op *op, const struct engine *engine,
                       uint32_t *label)
{
    const struct page_label wanted = { .name = name,
                                       .operator_name = op ? op->name : 0,
                                       .location = op ? op->location : 0,
                                       .engine = engine,
                                       .shortest = UINT64_MAX };
    bool has_operator = wanted.operator_name || wanted.location;
    status code = STATUS_OK;

    if (name >= labels->capacity)
        code = memory_grow_clear(&labels->last, &labels->capacity, (size_t)name + 1, sizeof *labels->last);
    if (code != STATUS_OK)
        return code;
    if (is_last(labels, &labels->last[name], &wanted, has_operator)) {
        *label = labels->last[name].label - 1;
        __builtin_prefetch(&label_at(labels, *label)->count, 1);
        __builtin_prefetch(&label_at(labels, *label)->longest, 1);
        return STATUS_OK;
    }
    code = find_label(labels, &wanted, label);
    if (code == STATUS_OK)
        labels->last[name] = (struct page_last_label){ *label + 1, has_operator ? 0 : number_engine(labels, engine) };
    return code;
}

void page_label_add(struct page_labels *labels, uint32_t label, uint64_t length, uint64_t self)
{
    struct page_label *to = label_at(labels, label);

    assert(self <= length);
    to->count++;
    to->total += length;
    to->self += self;
    to->shortest = length < to->shortest ? length : to->shortest;
    to->longest = length > to->longest ? length : to->longest;
}

static enum page_colour colour_of(const struct engine *engine)
{
    static const enum page_colour colours[] = {
        [GROUP_TRANSFER] = PAGE_COLOUR_TRANSFER,
        [GROUP_COMPUTE] = PAGE_COLOUR_COMPUTE,
        [GROUP_JOB] = PAGE_COLOUR_JOB,
        [GROUP_HOST] = PAGE_COLOUR_HOST,
        [GROUP_BOOKKEEPING] = PAGE_COLOUR_BOOKKEEPING,
        [GROUP_ENVELOPE] = PAGE_COLOUR_ENVELOPE,
        [GROUP_DRAWN] = PAGE_COLOUR_DRAWN,
        [GROUP_CUSTOM] = PAGE_COLOUR_OTHER,
    };

    return colours[engine_group(engine)];
}

static status write_label(const struct page_label *label, struct page_texts *texts, struct page_bytes *to)
{
    uint32_t name = 0, operator_name = 0, location = 0, engine = 0;
    string_id title = 0;
    unsigned char *end;
    status code = label->engine ? strings_add_text(texts->strings, label->engine->title, &title) : STATUS_OK;

    if (code == STATUS_OK)
        code = page_text(texts, label->name, &name);
    if (code == STATUS_OK)
        code = page_text(texts, label->operator_name, &operator_name);
    if (code == STATUS_OK)
        code = page_text(texts, label->location, &location);
    if (code == STATUS_OK)
        code = page_text(texts, title, &engine);
    if (code == STATUS_OK)
        code = page_bytes_room(to, 10 * PAGE_VARINT);
    if (code != STATUS_OK)
        return code;
    end = page_varint(to->data + to->count, name);
    end = page_varint(end, operator_name);
    end = page_varint(end, location);
    end = page_varint(end, engine);
    end = page_varint(end, colour_of(label->engine));
    end = page_varint(end, label->count);
    end = page_varint(end, label->total);
    end = page_varint(end, label->self);
    end = page_varint(end, label->count ? label->shortest : 0);
    end = page_varint(end, label->longest);
    to->count = (size_t)(end - to->data);
    return STATUS_OK;
}

status page_labels_write(const struct page_labels *labels, struct page_texts *texts, struct page_bytes *to)
{
    status code = STATUS_OK;

    for (uint32_t i = 0; i < labels->items.count && code == STATUS_OK; i++)
        code = write_label(label_at(labels, i), texts, to);
    return code;
}
