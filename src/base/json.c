/* json.c: the scanner, and the tree on top of it. */
#include "base/json.h"

#include <stdarg.h>
#include <string.h>

#include "base/input.h"
#include "base/memory.h"
#include "base/number.h"

/* ---- Scanner ---- */

struct json_scan json_scan(const char *file, struct text text)
{
    static const char mark[] = "\xEF\xBB\xBF";
    const char *first = text.length ? text.data : "";
    struct json_scan scan = { .start = first, .next = first, .end = first + text.length, .file = file };

    if (text.length >= 3 && memcmp(text.data, mark, 3) == 0)
        scan.next += 3;
    return scan;
}

status json_fail(const struct json_scan *scan, const char *what)
{
    struct place where = { .file = scan->file, .line = 1, .column = 1 };
    const char *line = scan->start;

    for (const char *end; line < scan->next && (end = memchr(line, '\n', (size_t)(scan->next - line))) != NULL;
         line = end + 1)
        where.line++;
    where.column += (uint64_t)(scan->next - line);
    return status_fail_at(STATUS_INPUT, where, "%s (byte %zu)", what, (size_t)(scan->next - scan->start));
}

static inline bool is_blank(char byte)
{
    return byte == ' ' || byte == '\n' || byte == '\t' || byte == '\r';
}

static inline void skip_blanks(struct json_scan *scan)
{
    while (scan->next < scan->end && is_blank(*scan->next))
        scan->next++;
}

static inline bool is_digit(const struct json_scan *scan)
{
    return scan->next < scan->end && *scan->next >= '0' && *scan->next <= '9';
}

static bool starts_with(const struct json_scan *scan, const char *word, size_t length)
{
    return (size_t)(scan->end - scan->next) >= length && memcmp(scan->next, word, length) == 0;
}

status json_peek(struct json_scan *scan, enum json_type *type)
{
    skip_blanks(scan);
    if (scan->next == scan->end)
        return json_fail(scan, "the JSON text ends where a value should be");
    switch (*scan->next) {
    case '{':
        *type = JSON_OBJECT;
        return STATUS_OK;
    case '[':
        *type = JSON_ARRAY;
        return STATUS_OK;
    case '"':
        *type = JSON_STRING;
        return STATUS_OK;
    case 't':
        *type = JSON_TRUE;
        return STATUS_OK;
    case 'f':
        *type = JSON_FALSE;
        return STATUS_OK;
    case 'n':
        *type = JSON_NULL;
        return STATUS_OK;
    case '-':
    case 'N': /* NaN and Infinity are no JSON, but Python writes them. */
    case 'I':
        *type = JSON_NUMBER;
        return STATUS_OK;
    default:
        break;
    }
    if (!is_digit(scan))
        return json_fail(scan, "a JSON value should be here");
    *type = JSON_NUMBER;
    return STATUS_OK;
}

/* How many backslashes stand right before `at`, back to `first` at most. */
static size_t backslashes_before(const char *first, const char *at)
{
    const char *from = at;

    while (from > first && from[-1] == '\\')
        from--;
    return (size_t)(at - from);
}

status json_string(struct json_scan *scan, struct text *raw, bool *escaped)
{
    const char *first, *quote;

    skip_blanks(scan);
    if (scan->next == scan->end || *scan->next != '"')
        return json_fail(scan, "a JSON string should be here");
    first = scan->next + 1;
    quote = first;
    for (;; quote++) {
        quote = quote < scan->end ? memchr(quote, '"', (size_t)(scan->end - quote)) : NULL;
        if (!quote)
            return json_fail(scan, "this JSON string has no end");
        if (backslashes_before(first, quote) % 2 == 0)
            break;
    }
    raw->data = first;
    raw->length = (size_t)(quote - first);
    if (escaped)
        *escaped = raw->length > 0 && memchr(first, '\\', raw->length) != NULL;
    scan->next = quote + 1;
    return STATUS_OK;
}

static bool take_digits(struct json_scan *scan)
{
    if (!is_digit(scan))
        return false;
    while (is_digit(scan))
        scan->next++;
    return true;
}

static bool take_byte(struct json_scan *scan, char one, char other)
{
    if (scan->next == scan->end || (*scan->next != one && *scan->next != other))
        return false;
    scan->next++;
    return true;
}

static bool take_number(struct json_scan *scan)
{
    static const char not_a_number[] = "NaN", infinite[] = "Infinity";

    if (starts_with(scan, not_a_number, sizeof not_a_number - 1)) {
        scan->next += sizeof not_a_number - 1;
        return true;
    }
    take_byte(scan, '-', '-');
    if (starts_with(scan, infinite, sizeof infinite - 1)) {
        scan->next += sizeof infinite - 1;
        return true;
    }
    if (take_byte(scan, '0', '0')) {
        if (is_digit(scan))
            return false;
    } else if (!take_digits(scan)) {
        return false;
    }
    if (take_byte(scan, '.', '.') && !take_digits(scan))
        return false;
    if (take_byte(scan, 'e', 'E')) {
        take_byte(scan, '+', '-');
        return take_digits(scan);
    }
    return true;
}

status json_number(struct json_scan *scan, struct text *number)
{
    const char *first;

    skip_blanks(scan);
    first = scan->next;
    if (!take_number(scan))
        return json_fail(scan, "a JSON number should be here");
    number->data = first;
    number->length = (size_t)(scan->next - first);
    return STATUS_OK;
}

status json_enter(struct json_scan *scan, enum json_type type)
{
    skip_blanks(scan);
    if (!take_byte(scan, type == JSON_OBJECT ? '{' : '[', type == JSON_OBJECT ? '{' : '['))
        return json_fail(scan, type == JSON_OBJECT ? "a JSON object should be here" : "a JSON array should be here");
    if (scan->depth == JSON_DEEPEST)
        return json_fail(scan, "the JSON text is nested too deeply");
    scan->depth++;
    return STATUS_OK;
}

/* The comma before another member, or the closing bracket. */
static status next_member(struct json_scan *scan, bool first, char close, bool *found)
{
    skip_blanks(scan);
    if (take_byte(scan, close, close)) {
        scan->depth--;
        *found = false;
        return STATUS_OK;
    }
    *found = true;
    if (first)
        return STATUS_OK;
    if (!take_byte(scan, ',', ','))
        return json_fail(scan, close == '}' ? "a comma or } should be here" : "a comma or ] should be here");
    return STATUS_OK;
}

status json_next_element(struct json_scan *scan, bool first, bool *found)
{
    return next_member(scan, first, ']', found);
}

status json_next_key(struct json_scan *scan, bool first, struct text *key, bool *found)
{
    status done = next_member(scan, first, '}', found);

    if (done != STATUS_OK || !*found)
        return done;
    if ((done = json_string(scan, key, NULL)) != STATUS_OK)
        return done;
    skip_blanks(scan);
    if (!take_byte(scan, ':', ':'))
        return json_fail(scan, "a colon should follow the key of a JSON object");
    return STATUS_OK;
}

static status skip_word(struct json_scan *scan, const char *word)
{
    size_t length = strlen(word);

    if (!starts_with(scan, word, length))
        return json_fail(scan, "a JSON value should be here");
    scan->next += length;
    return STATUS_OK;
}

static status skip_scalar(struct json_scan *scan, enum json_type type)
{
    struct text ignored;

    switch (type) {
    case JSON_STRING:
        return json_string(scan, &ignored, NULL);
    case JSON_NUMBER:
        return json_number(scan, &ignored);
    case JSON_TRUE:
        return skip_word(scan, "true");
    case JSON_FALSE:
        return skip_word(scan, "false");
    default:
        return skip_word(scan, "null");
    }
}

/* A container with all that is in it, without recursion. */
static status skip_container(struct json_scan *scan, enum json_type type)
{
    bool objects[JSON_DEEPEST + 1]; /* for each open container: it is an object */
    unsigned open = 0;
    bool first = true;
    status done = json_enter(scan, type);

    if (done != STATUS_OK)
        return done;
    objects[open++] = type == JSON_OBJECT;
    while (open > 0) {
        struct text key;
        bool found;

        done = objects[open - 1] ? json_next_key(scan, first, &key, &found) : json_next_element(scan, first, &found);
        if (done != STATUS_OK)
            return done;
        first = false;
        if (!found) {
            open--;
            continue;
        }
        if ((done = json_peek(scan, &type)) != STATUS_OK)
            return done;
        if (type == JSON_OBJECT || type == JSON_ARRAY) {
            if ((done = json_enter(scan, type)) != STATUS_OK)
                return done;
            objects[open++] = type == JSON_OBJECT;
            first = true;
        } else if ((done = skip_scalar(scan, type)) != STATUS_OK) {
            return done;
        }
    }
    return STATUS_OK;
}

status json_skip(struct json_scan *scan, struct text *raw)
{
    enum json_type type;
    const char *first;
    status done = json_peek(scan, &type);

    if (done != STATUS_OK)
        return done;
    first = scan->next;
    done = type == JSON_OBJECT || type == JSON_ARRAY ? skip_container(scan, type) : skip_scalar(scan, type);
    if (done == STATUS_OK && raw) {
        raw->data = first;
        raw->length = (size_t)(scan->next - first);
    }
    return done;
}

status json_end(struct json_scan *scan)
{
    skip_blanks(scan);
    if (scan->next != scan->end)
        return json_fail(scan, "there is more text after the JSON value");
    return STATUS_OK;
}

/* ---- Escapes ---- */

/* Four hexadecimal digits; false: there are not four. */
static bool read_unit(const char *from, const char *end, uint32_t *unit)
{
    uint32_t value = 0;

    if (end - from < 4)
        return false;
    for (int i = 0; i < 4; i++) {
        char byte = from[i];
        uint32_t digit;

        if (byte >= '0' && byte <= '9')
            digit = (uint32_t)(byte - '0');
        else if ((byte | 0x20) >= 'a' && (byte | 0x20) <= 'f')
            digit = (uint32_t)((byte | 0x20) - 'a') + 10;
        else
            return false;
        value = value << 4 | digit;
    }
    *unit = value;
    return true;
}

static size_t write_utf8(char *to, uint32_t point)
{
    if (point < 0x80) {
        to[0] = (char)point;
        return 1;
    }
    if (point < 0x800) {
        to[0] = (char)(0xC0 | point >> 6);
        to[1] = (char)(0x80 | (point & 0x3F));
        return 2;
    }
    if (point < 0x10000) {
        to[0] = (char)(0xE0 | point >> 12);
        to[1] = (char)(0x80 | (point >> 6 & 0x3F));
        to[2] = (char)(0x80 | (point & 0x3F));
        return 3;
    }
    to[0] = (char)(0xF0 | point >> 18);
    to[1] = (char)(0x80 | (point >> 12 & 0x3F));
    to[2] = (char)(0x80 | (point >> 6 & 0x3F));
    to[3] = (char)(0x80 | (point & 0x3F));
    return 4;
}

/* The character of "\uXXXX" or of a pair of them at `from` (behind the "\u"); 0 bytes taken: these are no four digits. */
static size_t read_point(const char *from, const char *end, uint32_t *point)
{
    uint32_t high, low;

    if (!read_unit(from, end, &high))
        return 0;
    *point = high;
    if (high < 0xD800 || high > 0xDFFF)
        return 4;
    if (high < 0xDC00 && end - from >= 10 && from[4] == '\\' && from[5] == 'u' && read_unit(from + 6, end, &low) &&
        low >= 0xDC00 && low <= 0xDFFF) {
        *point = 0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00);
        return 10;
    }
    *point = 0xFFFD;
    return 4;
}

static bool simple_escape(char letter, char *meaning)
{
    switch (letter) {
    case '"':
    case '\\':
    case '/':
        *meaning = letter;
        return true;
    case 'b':
        *meaning = '\b';
        return true;
    case 'f':
        *meaning = '\f';
        return true;
    case 'n':
        *meaning = '\n';
        return true;
    case 'r':
        *meaning = '\r';
        return true;
    case 't':
        *meaning = '\t';
        return true;
    default:
        return false;
    }
}

size_t json_unescape_one(const char *from, const char *end, char *to, size_t *length)
{
    uint32_t point;
    size_t taken;

    *length = 1;
    if (end - from >= 2 && simple_escape(from[1], to))
        return 2;
    if (end - from >= 2 && from[1] == 'u' && (taken = read_point(from + 2, end, &point)) > 0) {
        *length = write_utf8(to, point);
        return 2 + taken;
    }
    *to = *from;
    return 1;
}

size_t json_unescape(struct text raw, char *to)
{
    const char *from = raw.data, *end = raw.data + raw.length;
    char *first = to;

    while (from < end) {
        const char *escape = memchr(from, '\\', (size_t)(end - from));
        size_t plain = (size_t)((escape ? escape : end) - from);
        size_t length;

        memmove(to, from, plain);
        to += plain;
        from += plain;
        if (!escape)
            break;
        from += json_unescape_one(from, end, to, &length);
        to += length;
    }
    return (size_t)(to - first);
}

/* ---- Tree ---- */

/* Members of the containers that are open, innermost last: they move to the arena when their container closes. */
struct parser {
    struct arena *arena;                        /* borrowed: the tree goes there */
    struct json_scan scan;                      /* where reading is */
    struct json *values;                        /* of the containers that are open, innermost last; owned */
    struct text *keys;                          /* the same, of objects; owned */
    size_t count, value_capacity, key_capacity; /* of values and keys in use, and what there is room for */
};

static status keep_text(struct parser *parser, struct text raw, struct text *text)
{
    char *copy = arena_allocate(parser->arena, raw.length + 1, 1);

    if (!copy)
        return status_no_memory("reading JSON");
    text->length = json_unescape(raw, copy);
    copy[text->length] = '\0';
    text->data = copy;
    return STATUS_OK;
}

static status parse_value(struct parser *parser, struct json *value);

static status parse_member(struct parser *parser, bool object, bool first, bool *found)
{
    struct text raw, key = { "", 0 };
    struct json value;
    status done =
        object ? json_next_key(&parser->scan, first, &raw, found) : json_next_element(&parser->scan, first, found);

    if (done != STATUS_OK || !*found)
        return done;
    if (object && (done = keep_text(parser, raw, &key)) != STATUS_OK)
        return done;
    if ((done = parse_value(parser, &value)) != STATUS_OK)
        return done;
    if ((done = memory_grow(&parser->values, &parser->value_capacity, parser->count + 1, sizeof *parser->values)) !=
            STATUS_OK ||
        (done = memory_grow(&parser->keys, &parser->key_capacity, parser->count + 1, sizeof *parser->keys)) !=
            STATUS_OK)
        return done;
    parser->values[parser->count] = value;
    parser->keys[parser->count++] = key;
    return STATUS_OK;
}

/* The recursion is as deep as the scanner lets containers nest. */
static status parse_container(struct parser *parser, struct json *value)
{
    size_t base = parser->count, count;
    bool object = value->type == JSON_OBJECT, found = true;
    struct json *items;
    struct text *keys;
    status done = json_enter(&parser->scan, value->type);

    for (bool first = true; done == STATUS_OK && found; first = false)
        done = parse_member(parser, object, first, &found);
    if (done != STATUS_OK)
        return done;
    count = parser->count - base;
    parser->count = base;
    if (count == 0)
        return STATUS_OK;
    items = arena_allocate(parser->arena, count * sizeof *items, _Alignof(struct json));
    keys = object ? arena_allocate(parser->arena, count * sizeof *keys, _Alignof(struct text)) : NULL;
    if (!items || (object && !keys))
        return status_no_memory("reading JSON");
    memcpy(items, parser->values + base, count * sizeof *items);
    if (object)
        memcpy(keys, parser->keys + base, count * sizeof *keys);
    value->items = items;
    value->keys = keys;
    value->count = count;
    return STATUS_OK;
}

static status parse_value(struct parser *parser, struct json *value)
{
    struct text raw;
    char *copy;
    status done;

    *value = (struct json){ .text = { "", 0 } };
    if ((done = json_peek(&parser->scan, &value->type)) != STATUS_OK)
        return done;
    switch (value->type) {
    case JSON_OBJECT:
    case JSON_ARRAY:
        return parse_container(parser, value);
    case JSON_STRING:
        if ((done = json_string(&parser->scan, &raw, NULL)) != STATUS_OK)
            return done;
        return keep_text(parser, raw, &value->text);
    case JSON_NUMBER:
        if ((done = json_number(&parser->scan, &raw)) != STATUS_OK)
            return done;
        if (!(copy = arena_copy(parser->arena, raw.data, raw.length)))
            return status_no_memory("reading JSON");
        value->text = (struct text){ copy, raw.length };
        return STATUS_OK;
    default:
        return skip_scalar(&parser->scan, value->type);
    }
}

status json_parse(struct arena *arena, const char *file, struct text text, const struct json **root)
{
    struct parser parser = { .arena = arena, .scan = json_scan(file, text) };
    struct json *value = arena_allocate(arena, sizeof *value, _Alignof(struct json));
    status done;

    if (!value)
        return status_no_memory("reading JSON");
    done = parse_value(&parser, value);
    if (done == STATUS_OK)
        done = json_end(&parser.scan);
    memory_free(parser.values);
    memory_free(parser.keys);
    if (done == STATUS_OK)
        *root = value;
    return done;
}

status json_parse_file(struct arena *arena, const char *path, size_t limit, const struct json **root)
{
    struct input *input;
    struct text text;
    status code = input_open(path, &input);

    *root = NULL;
    if (code != STATUS_OK)
        return code;
    code = input_whole(input, limit, &text);
    if (code == STATUS_OK)
        code = json_parse(arena, path, text, root);
    input_close(input);
    return code;
}

const struct json *json_get(const struct json *value, const char *key)
{
    size_t length = strlen(key);

    if (!value || value->type != JSON_OBJECT)
        return NULL;
    for (size_t i = value->count; i-- > 0;) {
        if (value->keys[i].length == length && memcmp(value->keys[i].data, key, length) == 0)
            return &value->items[i];
    }
    return NULL;
}

const struct json *json_find(const struct json *value, ...)
{
    va_list keys;

    va_start(keys, value);
    for (const char *key; value && (key = va_arg(keys, const char *)) != NULL;)
        value = json_get(value, key);
    va_end(keys);
    return value;
}

const char *json_text(const struct json *value, const char *otherwise)
{
    return value && value->type == JSON_STRING ? value->text.data : otherwise;
}

bool json_decimal(const struct json *value, double *number)
{
    return value && value->type == JSON_NUMBER && number_parse_decimal(value->text.data, value->text.length, number);
}

/* 12.0 and 1e3 are integers too, as long as a double holds them exactly. */
bool json_integer(const struct json *value, int64_t *number)
{
    static const double exact = 9007199254740992.0;
    double decimal;

    if (!value || value->type != JSON_NUMBER)
        return false;
    if (number_parse_integer(value->text.data, value->text.length, number))
        return true;
    if (!json_decimal(value, &decimal) || decimal < -exact || decimal > exact || decimal != (double)(int64_t)decimal)
        return false;
    *number = (int64_t)decimal;
    return true;
}

bool json_truth(const struct json *value, bool otherwise)
{
    if (value && value->type == JSON_TRUE)
        return true;
    return value && value->type == JSON_FALSE ? false : otherwise;
}
