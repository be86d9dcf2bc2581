/* perfetto_json.c: arguments that are arrays or objects, as nested annotations. */
#include <assert.h>

#include "base/json.h"
#include "base/number.h"
#include "table/cell.h"
#include "write/perfetto_writer.h"

enum {
    NEST_ROOM = 64,
    NEST_DEEPEST = 64
}; /* bytes for tags and numbers of one value; levels of values inside values */

/* Room for so many bytes behind what is there; NULL: out of memory. */
static unsigned char *reserve(struct perfetto *perfetto, size_t size)
{
    if (memory_grow(&perfetto->nested, &perfetto->nested_capacity, perfetto->nested_size + size, 1) != STATUS_OK)
        return NULL;
    return perfetto->nested + perfetto->nested_size;
}

static void advance(struct perfetto *perfetto, const unsigned char *end)
{
    assert(end >= perfetto->nested + perfetto->nested_size && end <= perfetto->nested + perfetto->nested_capacity);
    perfetto->nested_size = (size_t)(end - perfetto->nested);
}

static status append_text(struct perfetto *perfetto, uint32_t field, struct text raw, bool escaped)
{
    unsigned char *to = reserve(perfetto, NEST_ROOM + raw.length);
    unsigned char *text;
    size_t length = raw.length;

    if (!to)
        return status_no_memory("writing an argument");
    if (!escaped) {
        advance(perfetto, perfetto_text(to, field, raw));
        return STATUS_OK;
    }
    /* The length is known only afterwards: unescape behind, then write it in front. */
    text = to + NEST_ROOM;
    length = json_unescape(raw, (char *)text);
    utf8_mend((char *)text, length);
    to = proto_varint(proto_tag(to, field, PROTO_LENGTH), length);
    memmove(to, text, length);
    advance(perfetto, to + length);
    return STATUS_OK;
}

/* As exactly as there is a type for it; what is beyond all of them, and NaN, is a text. */
static status append_number(struct perfetto *perfetto, struct text number)
{
    unsigned char *to = reserve(perfetto, NEST_ROOM);
    const char *cursor = number.data, *end = number.data + number.length;
    int64_t integer;
    uint64_t natural;
    double decimal = 0;

    if (!to)
        return status_no_memory("writing an argument");
    if (number_parse_integer(number.data, number.length, &integer))
        to = proto_number(to, ANNOTATION_INTEGER, (uint64_t)integer);
    else if (number_read_unsigned(&cursor, end, &natural) && cursor == end)
        to = proto_number(to, ANNOTATION_UNSIGNED, natural);
    else if (number_parse_decimal(number.data, number.length, &decimal))
        to = proto_decimal(to, ANNOTATION_DECIMAL, decimal);
    else
        return append_text(perfetto, ANNOTATION_TEXT, number, false);
    advance(perfetto, to);
    return STATUS_OK;
}

/* Viewers leave out what has no value, and number the rest of an array as if it were not there. */
static status append_nothing(struct perfetto *perfetto, const char *sign)
{
    return append_text(perfetto, ANNOTATION_TEXT, (struct text){ sign, strlen(sign) }, false);
}

static status append_value(struct perfetto *perfetto, struct json_scan *scan);

/* A value inside another: its message, with its name where it has one, closed once its length is known. */
static status append_entry(struct perfetto *perfetto, struct json_scan *scan, uint32_t field, const struct text *name)
{
    unsigned char *to = reserve(perfetto, NEST_ROOM);
    size_t body;
    status result = STATUS_OK;

    if (!to)
        return status_no_memory("writing an argument");
    advance(perfetto, proto_open(to, field));
    body = perfetto->nested_size;
    if (name)
        result = append_text(perfetto, ANNOTATION_NAME, *name, memchr(name->data, '\\', name->length) != NULL);
    if (result == STATUS_OK)
        result = append_value(perfetto, scan);
    if (result == STATUS_OK && !reserve(perfetto, PROTO_LONGEST_VARINT))
        result = status_no_memory("writing an argument");
    if (result == STATUS_OK)
        advance(perfetto, proto_close(perfetto->nested + body, perfetto->nested + perfetto->nested_size));
    return result;
}

static status append_container(struct perfetto *perfetto, struct json_scan *scan, enum json_type type)
{
    bool found = true, first = true;
    struct text key;
    status result = json_enter(scan, type);

    if (result == STATUS_OK && scan->depth > NEST_DEEPEST)
        return json_fail(scan, "an argument is nested too deep");
    while (result == STATUS_OK) {
        result =
            type == JSON_OBJECT ? json_next_key(scan, first, &key, &found) : json_next_element(scan, first, &found);
        if (result != STATUS_OK || !found)
            break;
        first = false;
        result = type == JSON_OBJECT ? append_entry(perfetto, scan, ANNOTATION_DICTIONARY, &key)
                                     : append_entry(perfetto, scan, ANNOTATION_ARRAY, NULL);
    }
    if (result == STATUS_OK && first)
        result = append_nothing(perfetto, type == JSON_OBJECT ? "{}" : "[]");
    return result;
}

static status append_value(struct perfetto *perfetto, struct json_scan *scan)
{
    enum json_type type;
    struct text text;
    bool escaped;
    unsigned char *to;
    status result = json_peek(scan, &type);

    if (result != STATUS_OK)
        return result;
    switch (type) {
    case JSON_OBJECT:
    case JSON_ARRAY:
        return append_container(perfetto, scan, type);
    case JSON_STRING:
        result = json_string(scan, &text, &escaped);
        return result == STATUS_OK ? append_text(perfetto, ANNOTATION_TEXT, text, escaped) : result;
    case JSON_NUMBER:
        result = json_number(scan, &text);
        return result == STATUS_OK ? append_number(perfetto, text) : result;
    case JSON_TRUE:
    case JSON_FALSE:
        to = reserve(perfetto, NEST_ROOM);
        if (!to)
            return status_no_memory("writing an argument");
        advance(perfetto, proto_number(to, ANNOTATION_BOOLEAN, type == JSON_TRUE));
        break;
    case JSON_NULL:
        result = append_nothing(perfetto, "null");
        if (result != STATUS_OK)
            return result;
        break;
    }
    return json_skip(scan, NULL);
}

static status append_json(struct perfetto *perfetto, struct text json)
{
    struct json_scan scan = json_scan("argument", json);
    size_t before = perfetto->nested_size;
    status result = append_value(perfetto, &scan);

    if (result == STATUS_OK)
        result = json_end(&scan);
    if (result != STATUS_INPUT)
        return result;
    status_clear();
    perfetto->nested_size = before;
    return append_text(perfetto, ANNOTATION_TEXT, json, false);
}

/* Keeps what was appended for a text, as long as all of it is little. */
static status keep(struct perfetto *perfetto, string_id json, const unsigned char *body, size_t length)
{
    enum { MOST = 1 << 20, LONGEST = 2048 }; /* bytes of all, and of one */
    struct text known = { NULL, length };
    struct text *kept;
    uint32_t place;
    status result;

    if (!length || length > LONGEST || perfetto->nested_bytes.bytes > MOST)
        return STATUS_OK;
    known.data = arena_copy(&perfetto->nested_bytes, (const char *)body, length);
    kept = known.data ? column_append(&perfetto->nested_known) : NULL;
    if (!kept)
        return status_no_memory("keeping an argument");
    *kept = known;
    result = id_map_add(&perfetto->nested_map, json, &place);
    assert(result != STATUS_OK || place == perfetto->nested_known.count);
    return result;
}

status perfetto_nest(struct perfetto *perfetto, string_id json)
{
    struct text known = perfetto_nested(perfetto, json);
    size_t before = perfetto->nested_size;
    unsigned char *to;
    status result;

    if (!known.data) {
        result = append_json(perfetto, strings_get(perfetto->strings, json));
        return result == STATUS_OK ? keep(perfetto, json, perfetto->nested + before, perfetto->nested_size - before)
                                   : result;
    }
    to = reserve(perfetto, known.length);
    if (!to)
        return status_no_memory("writing an argument");
    memcpy(to, known.data, known.length);
    advance(perfetto, to + known.length);
    return STATUS_OK;
}
