/* json_write.c: brackets, commas and indentation of documents; strings that are always valid. */
#include "base/json_write.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/utf8.h"

enum { NUMBER_SIZE = 32 }; /* any number fits */

static void put(struct output *output, const char *text)
{
    output_write(output, text, strlen(text));
}

/* ---- Strings ---- */

/* Bytes that end a run which can be copied: control characters, quote, backslash, '<' and everything beyond ASCII. */
static inline bool is_special(unsigned char byte)
{
    return byte < 0x20 || byte >= 0x80 || byte == '"' || byte == '\\' || byte == '<';
}

/* Whether one of eight bytes may be special; a byte beyond ASCII always says so. */
static inline bool has_special(uint64_t bytes)
{
    static const uint64_t ones = 0x0101010101010101u;
    uint64_t control = bytes - ones * 0x20; /* borrows only where a byte is below, which is one to stop at anyway */
    uint64_t quote = (bytes ^ ones * '"') - ones, backslash = (bytes ^ ones * '\\') - ones;
    uint64_t less = (bytes ^ ones * '<') - ones;

    return (bytes | control | quote | backslash | less) & ones * 0x80;
}

static const char *find_special(const char *cursor, const char *end)
{
    while (end - cursor >= 8) {
        uint64_t bytes;

        memcpy(&bytes, cursor, sizeof bytes);
        if (has_special(bytes))
            break;
        cursor += 8;
    }
    while (cursor < end && !is_special((unsigned char)*cursor))
        cursor++;
    return cursor;
}

static void put_escape(struct output *output, unsigned char byte)
{
    static const char digits[] = "0123456789abcdef";
    static const char letters[] = "\"\"\\\\\bb\ff\nn\rr\tt"; /* pairs: the byte, the letter behind the backslash */
    char escape[6] = { '\\', 'u', '0', '0', digits[byte >> 4], digits[byte & 15] };

    for (size_t i = 0; i + 1 < sizeof letters; i += 2) {
        if ((unsigned char)letters[i] == byte) {
            escape[1] = letters[i + 1];
            output_write(output, escape, 2);
            return;
        }
    }
    output_write(output, escape, sizeof escape);
}

/* Writes the special character at `cursor` and returns the place behind it. */
static const char *put_special(struct output *output, const char *cursor, const char *end)
{
    unsigned char byte = (unsigned char)*cursor;
    const char *start = cursor++;
    bool valid;

    assert(cursor <= end);
    if (byte >= 0x80) {
        cursor = start;
        utf8_read(&cursor, end, &valid);
        if (valid)
            output_write(output, start, (size_t)(cursor - start));
        else
            put(output, UTF8_BAD_TEXT);
    } else if (byte == '<' && (cursor == end || (*cursor != '/' && *cursor != '!'))) {
        put(output, "<");
    } else {
        put_escape(output, byte);
    }
    return cursor;
}

/* What stands between the quotes. */
static void put_characters(struct output *output, struct text text)
{
    const char *cursor = text.length ? text.data : "", *end = cursor + text.length;

    while (cursor < end) {
        const char *special = find_special(cursor, end);

        output_write(output, cursor, (size_t)(special - cursor));
        cursor = special < end ? put_special(output, special, end) : end;
    }
}

void json_value_string(struct output *output, struct text text)
{
    put(output, "\"");
    put_characters(output, text);
    put(output, "\"");
}

/* ---- Numbers ---- */

void json_value_integer(struct output *output, int64_t value)
{
    char *to = (char *)output_reserve(output, NUMBER_SIZE);

    output_advance(output, number_write_integer(to, value));
}

void json_value_unsigned(struct output *output, uint64_t value)
{
    char *to = (char *)output_reserve(output, NUMBER_SIZE);

    output_advance(output, number_write_unsigned(to, value));
}

void json_value_decimal(struct output *output, double value)
{
    char *to;

    if (!isfinite(value)) {
        put(output, "null");
        return;
    }
    to = (char *)output_reserve(output, NUMBER_SIZE);
    output_advance(output, number_write_shortest(to, value));
}

/* ---- JSON that was written elsewhere ---- */

/* The raw bytes between the quotes of a string: escapes are read and written anew, so that unknown ones do no harm. */
static void copy_string(struct output *output, struct text raw)
{
    put(output, "\"");
    while (raw.length) {
        const char *escape = memchr(raw.data, '\\', raw.length);
        size_t taken = escape ? (size_t)(escape - raw.data) : raw.length;
        char character[4];

        put_characters(output, (struct text){ raw.data, taken });
        if (escape) {
            size_t length = 0;

            taken += json_unescape_one(escape, raw.data + raw.length, character, &length);
            if (length == 1 && memchr("<!/", *character, 3))
                put_escape(output, (unsigned char)*character); /* not the second half of "</" */
            else
                put_characters(output, (struct text){ character, length });
        }
        raw = (struct text){ raw.data + taken, raw.length - taken };
    }
    put(output, "\"");
}

static status copy_value(struct output *output, struct json_scan *scan);

static status copy_container(struct output *output, struct json_scan *scan, enum json_type type)
{
    bool object = type == JSON_OBJECT, found = true;
    struct text key;
    status done = json_enter(scan, type);

    put(output, object ? "{" : "[");
    for (bool first = true; done == STATUS_OK && found; first = false) {
        done = object ? json_next_key(scan, first, &key, &found) : json_next_element(scan, first, &found);
        if (done != STATUS_OK || !found)
            break;
        put(output, first ? "" : ",");
        if (object) {
            copy_string(output, key);
            put(output, ":");
        }
        done = copy_value(output, scan);
    }
    put(output, object ? "}" : "]");
    return done;
}

/* The recursion is as deep as the scanner lets containers nest. */
static status copy_value(struct output *output, struct json_scan *scan)
{
    enum json_type type;
    struct text raw;
    status done = json_peek(scan, &type);

    if (done == STATUS_OK && (type == JSON_OBJECT || type == JSON_ARRAY))
        return copy_container(output, scan, type);
    if (done == STATUS_OK)
        done = type == JSON_STRING ? json_string(scan, &raw, NULL) : json_skip(scan, &raw);
    if (done != STATUS_OK)
        return done;
    if (type == JSON_STRING)
        copy_string(output, raw);
    else if (type == JSON_NUMBER && !memchr("0123456789", raw.data[raw.length - 1], 10))
        put(output, "null"); /* NaN, Infinity */
    else
        output_write(output, raw.data, raw.length);
    return STATUS_OK;
}

void json_value_json(struct output *output, struct text json)
{
    struct json_scan scan = json_scan("", json);
    status done = json_skip(&scan, NULL);

    if (done == STATUS_OK)
        done = json_end(&scan);
    if (done == STATUS_OK) {
        scan = json_scan("", json);
        done = copy_value(output, &scan);
        assert(done == STATUS_OK);
    } else {
        status_clear();
        json_value_string(output, json);
    }
}

/* ---- Layout ---- */

void json_out_start(struct json_out *out, struct output *output)
{
    out->output = output;
    out->depth = 0;
}

static void open_level(struct json_out *out, bool array, enum json_layout layout)
{
    const struct json_level *around = out->depth ? &out->levels[out->depth - 1] : NULL;

    assert(out->depth < JSON_OUT_DEEPEST);
    if (around && around->layout != JSON_LINES)
        layout = (enum json_layout)around->layout;
    out->levels[out->depth++] = (struct json_level){ .layout = (uint8_t)layout, .array = array };
}

void json_out_inside(struct json_out *out, struct output *output, const char *brackets, bool any)
{
    json_out_start(out, output);
    for (; *brackets; brackets++) {
        open_level(out, *brackets == '[', JSON_LINES);
        out->levels[out->depth - 1].any = brackets[1] || any;
    }
}

void json_out_finish(struct json_out *out)
{
    assert(out->depth == 0);
    put(out->output, "\n");
}

static void new_line(struct json_out *out)
{
    size_t blanks = 2 * (size_t)out->depth;
    char *to = (char *)output_reserve(out->output, blanks + 1);

    *to = '\n';
    memset(to + 1, ' ', blanks);
    output_advance(out->output, blanks + 1);
}

struct output *json_out_value(struct json_out *out, const char *key)
{
    struct json_level *level = out->depth ? &out->levels[out->depth - 1] : NULL;

    assert(!key == (!level || level->array));
    if (!level)
        return out->output;
    if (level->any)
        put(out->output, level->layout == JSON_ONE_LINE ? ", " : ",");
    level->any = true;
    if (level->layout == JSON_LINES)
        new_line(out);
    if (key) {
        json_value_string(out->output, text_of(key));
        put(out->output, level->layout == JSON_TIGHT ? ":" : ": ");
    }
    return out->output;
}

void json_out_object(struct json_out *out, const char *key, enum json_layout layout)
{
    put(json_out_value(out, key), "{");
    open_level(out, false, layout);
}

void json_out_array(struct json_out *out, const char *key, enum json_layout layout)
{
    put(json_out_value(out, key), "[");
    open_level(out, true, layout);
}

void json_out_end(struct json_out *out)
{
    const struct json_level *level;

    assert(out->depth);
    level = &out->levels[--out->depth];
    if (level->any && level->layout == JSON_LINES)
        new_line(out);
    put(out->output, level->array ? "]" : "}");
}

void json_out_elements(struct json_out *out, struct text written)
{
    assert(out->depth);
    if (!written.length)
        return;
    if (out->levels[out->depth - 1].any)
        put(out->output, out->levels[out->depth - 1].layout == JSON_ONE_LINE ? ", " : ",");
    out->levels[out->depth - 1].any = true;
    output_write(out->output, written.data, written.length);
}

/* ---- Values ---- */

void json_out_text(struct json_out *out, const char *key, const char *text)
{
    if (text)
        json_value_string(json_out_value(out, key), text_of(text));
    else
        json_out_null(out, key);
}

void json_out_string(struct json_out *out, const char *key, struct text text)
{
    json_value_string(json_out_value(out, key), text);
}

void json_out_integer(struct json_out *out, const char *key, int64_t value)
{
    json_value_integer(json_out_value(out, key), value);
}

void json_out_unsigned(struct json_out *out, const char *key, uint64_t value)
{
    json_value_unsigned(json_out_value(out, key), value);
}

void json_out_decimal(struct json_out *out, const char *key, double value)
{
    json_value_decimal(json_out_value(out, key), value);
}

void json_out_truth(struct json_out *out, const char *key, bool value)
{
    put(json_out_value(out, key), value ? "true" : "false");
}

void json_out_null(struct json_out *out, const char *key)
{
    put(json_out_value(out, key), "null");
}

/* ---- Trees ---- */

static int compare_keys(const void *one, const void *other, void *context)
{
    const struct json *object = context;

    return text_compare(object->keys[*(const size_t *)one], object->keys[*(const size_t *)other]);
}

static void put_object(struct json_out *out, const char *key, const struct json *value, bool sorted)
{
    enum { MOST_SORTED = 64 };
    size_t order[MOST_SORTED];
    bool sort = sorted && value->count && value->count <= MOST_SORTED;

    for (size_t i = 0; sort && i < value->count; i++)
        order[i] = i;
    if (sort)
        qsort_r(order, value->count, sizeof *order, compare_keys, (void *)(uintptr_t)value);
    json_out_object(out, key, JSON_LINES);
    for (size_t i = 0; i < value->count; i++) {
        size_t place = sort ? order[i] : i;

        json_out_tree(out, value->keys[place].data, &value->items[place], sorted);
    }
    json_out_end(out);
}

void json_out_tree(struct json_out *out, const char *key, const struct json *value, bool sorted)
{
    switch (value->type) {
    case JSON_OBJECT:
        put_object(out, key, value, sorted);
        break;
    case JSON_ARRAY:
        json_out_array(out, key, JSON_LINES);
        for (size_t i = 0; i < value->count; i++)
            json_out_tree(out, NULL, &value->items[i], sorted);
        json_out_end(out);
        break;
    case JSON_STRING:
        json_out_string(out, key, value->text);
        break;
    case JSON_NUMBER:
        output_write(json_out_value(out, key), value->text.data, value->text.length);
        break;
    case JSON_TRUE:
    case JSON_FALSE:
        json_out_truth(out, key, value->type == JSON_TRUE);
        break;
    case JSON_NULL:
        json_out_null(out, key);
        break;
    }
}
