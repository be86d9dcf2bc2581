/* chrome_texts.c: the table of raw texts in front of the string pool. */
#include "read/chrome_texts.h"

#include <assert.h>
#include <string.h>

#include "base/json.h"
#include "base/map.h"
#include "base/memory.h"

void chrome_texts_start(struct chrome_texts *texts, struct strings *strings)
{
    memset(texts, 0, sizeof *texts);
    texts->strings = strings;
}

void chrome_texts_free(struct chrome_texts *texts)
{
    memory_free(texts->plain);
    texts->plain = NULL;
}

static uint64_t load(const char *at)
{
    uint64_t bytes;

    memcpy(&bytes, at, sizeof bytes);
    return bytes;
}

/* Beginning, middle and end: what texts of one length differ in as a rule. Bytes behind a short one are there: texts are in padded memory. */
static uint32_t hash_of(struct text text)
{
    size_t length = text.length;
    uint64_t first = load(text.data);

    if (length < 8)
        return (uint32_t)map_mix(length, first & (((uint64_t)1 << length * 8) - 1));
    return (uint32_t)map_mix(map_mix(length, first),
                             load(text.data + length / 2 - 4) * 31 + load(text.data + length - 8));
}

/* What a raw text means: the same bytes, or others where it has escapes. */
static status unescape(struct chrome_texts *texts, struct text raw, string_id *id)
{
    status code = memory_grow(&texts->plain, &texts->capacity, raw.length, 1);

    if (code != STATUS_OK)
        return code;
    return strings_add(texts->strings, texts->plain, json_unescape(raw, texts->plain), id);
}

static bool is_right(struct text raw)
{
    struct json_scan scan = json_scan(NULL, raw);
    bool right = json_skip(&scan, NULL) == STATUS_OK;

    if (!right)
        status_clear();
    return right;
}

/* Whether the slot of a text holds it. */
static inline bool holds(const struct chrome_texts *texts, struct text raw, bool json, uint32_t hash)
{
    uint32_t slot = hash % CHROME_TEXT_SLOTS;

    return texts->slots[slot].hash == hash && texts->slots[slot].length == raw.length &&
           json == (texts->slots[slot].kind != CHROME_TEXT) && text_same(texts->slots[slot].data, raw.data, raw.length);
}

static void keep(struct chrome_texts *texts, uint32_t hash, string_id id, enum chrome_text_kind kind)
{
    uint32_t slot = hash % CHROME_TEXT_SLOTS;
    struct text text = strings_get(texts->strings, id);

    texts->slots[slot].data = text.data;
    texts->slots[slot].length = (uint32_t)text.length;
    texts->slots[slot].hash = hash;
    texts->slots[slot].id = id;
    texts->slots[slot].kind = kind;
}

status chrome_text(struct chrome_texts *texts, struct text raw, string_id *id)
{
    uint32_t hash;
    status code;

    *id = 0;
    if (!raw.length)
        return STATUS_OK;
    hash = hash_of(raw);
    if (holds(texts, raw, false, hash)) {
        *id = texts->slots[hash % CHROME_TEXT_SLOTS].id;
        return STATUS_OK;
    }
    if (memchr(raw.data, '\\', raw.length))
        return unescape(texts, raw, id);
    code = strings_add(texts->strings, raw.data, raw.length, id);
    if (code == STATUS_OK)
        keep(texts, hash, *id, CHROME_TEXT);
    return code;
}

status chrome_json(struct chrome_texts *texts, struct text raw, string_id *id, bool *right)
{
    uint32_t hash = hash_of(raw);
    status code;

    assert(raw.length);
    if (holds(texts, raw, true, hash)) {
        *id = texts->slots[hash % CHROME_TEXT_SLOTS].id;
        *right = texts->slots[hash % CHROME_TEXT_SLOTS].kind == CHROME_JSON;
        return STATUS_OK;
    }
    *right = is_right(raw);
    code = strings_add(texts->strings, raw.data, raw.length, id);
    if (code == STATUS_OK && !memchr(raw.data, '\\', raw.length))
        keep(texts, hash, *id, *right ? CHROME_JSON : CHROME_WRONG_JSON);
    return code;
}
