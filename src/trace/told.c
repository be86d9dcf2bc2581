/* told.c: names of tracks to labels and keys, and what they tell, added up. */
#include "trace/told.h"

#include <assert.h>

#include "base/text.h"
#include "base/utf8.h"

/* ---- Words ---- */

struct text told_name(struct text name)
{
    struct text rest = text_trim(name);

    while (rest.length && char_is_digit(*rest.data)) {
        rest.data++;
        rest.length--;
    }
    return text_trim(text_is_blank(rest) ? name : rest);
}

/* What of a name is the metric. */
static struct text find_words(struct text name, const char *mark)
{
    struct text behind = mark ? text_trim(text_after(name, mark)) : (struct text){ NULL, 0 };

    return behind.length ? behind : told_name(name);
}

/* What stands between words: also what would move the cursor of a terminal, or turn the order of what follows. */
static bool is_between(uint32_t code)
{
    return code <= ' ' || code == '_' || (code >= 0x7f && code <= 0x9f) || (code >= 0x2028 && code <= 0x202e) ||
           (code >= 0x2066 && code <= 0x2069);
}

static bool is_in_word(char sign)
{
    return char_is_letter(sign) || char_is_digit(sign) || (unsigned char)sign >= 0x80;
}

void told_label(char to[TOLD_LABEL], struct text name, const char *mark)
{
    struct text words = find_words(name, mark);
    const char *cursor = words.data, *end = words.data + words.length;
    bool apart = false; /* from the character before it */
    size_t length = 0;

    while (cursor < end) {
        const char *character = cursor;
        bool valid;
        uint32_t code = utf8_read(&cursor, end, &valid);
        size_t size = (size_t)(cursor - character);

        if (!valid || is_between(code)) {
            apart = length != 0;
            continue;
        }
        if (length + apart + size >= TOLD_LABEL)
            break;
        if (apart)
            to[length++] = ' ';
        memcpy(to + length, character, size);
        if (length && is_in_word(to[length - 1]))
            to[length] = char_lower(to[length]);
        else if (to[length] >= 'a' && to[length] <= 'z')
            to[length] = (char)(to[length] - 'a' + 'A');
        length += size;
        apart = false;
    }
    to[length] = '\0';
    if (!length)
        text_copy(to, TOLD_LABEL, text_of("No Name"));
}

void told_key(char to[TOLD_LABEL], const char *label)
{
    size_t length = 0;
    bool apart = false;

    for (; *label && length + apart + 1 < TOLD_LABEL; label++) {
        if (!is_in_word(*label)) {
            apart = length != 0;
            continue;
        }
        if (apart)
            to[length++] = '_';
        to[length++] = char_lower(*label);
        apart = false;
    }
    to[length] = '\0';
    if (!length)
        text_copy(to, TOLD_LABEL, text_of("no_name"));
}

/* ---- Metrics ---- */

static status add_metric(struct told *told, struct strings *strings, const char *key, const char *label)
{
    string_id key_id, label_id;
    status code = strings_add_text(strings, key, &key_id);

    if (code == STATUS_OK)
        code = strings_add_text(strings, label, &label_id);
    if (code == STATUS_OK)
        told->metrics[told->count++] =
            (struct told_metric){ .key = strings_text(strings, key_id), .label = strings_text(strings, label_id) };
    return code;
}

status told_add(struct told *told, struct strings *strings, struct text name, const char *mark, int64_t ns,
                uint64_t slices)
{
    char label[TOLD_LABEL], key[TOLD_LABEL];
    struct told_metric *metric;
    unsigned place = 0;
    status code = STATUS_OK;

    assert(ns >= 0 && slices && told->count <= TOLD_MOST);
    told_label(label, name, mark);
    told_key(key, label);
    while (place < told->count && strcmp(told->metrics[place].key, key) != 0)
        place++;
    if (place == TOLD_MOST) {
        told->more++;
        return STATUS_OK;
    }
    if (place == told->count)
        code = add_metric(told, strings, key, label);
    if (code != STATUS_OK)
        return code;
    metric = &told->metrics[place];
    metric->slices += slices;
    if (__builtin_add_overflow(metric->ns, ns, &metric->ns))
        metric->ns = INT64_MAX;
    return STATUS_OK;
}
