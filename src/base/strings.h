/* strings.h: the string pool: each distinct text once, named by a 32-bit id.
 *
 * The pool owns the texts; they never move and end with a NUL (which is not part of the length). Id 0 is the empty text
 * and always exists. Ids are dense and count up in the order of first use.
 */
#ifndef BASE_STRINGS_H
#define BASE_STRINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/status.h"

typedef uint32_t string_id;

/* A piece of text that somebody else owns; not NUL-terminated unless its source says so. */
struct text {
    const char *data; /* borrowed; may be NULL where the length is 0 */
    size_t length;    /* bytes */
};

/* Whether it is this text, and whether it begins with it. Inline, because the lengths of constants then cost nothing. */
static inline bool text_is(struct text text, const char *other)
{
    return text.length == strlen(other) && memcmp(text.data, other, text.length) == 0;
}
static inline bool text_begins(struct text text, const char *start)
{
    size_t length = strlen(start);

    return text.length >= length && memcmp(text.data, start, length) == 0;
}

/* The same eight bytes. */
static inline bool text_same_eight(const char *one, const char *other)
{
    uint64_t a, b;

    memcpy(&a, one, sizeof a);
    memcpy(&b, other, sizeof b);
    return a == b;
}

/* memcmp for texts of equal length, short ones without a call or a loop: eight bytes at a time, the last ones overlapping. */
static inline bool text_same(const char *one, const char *other, size_t length)
{
    if (length > 32)
        return memcmp(one, other, length) == 0;
    if (length > 16)
        return text_same_eight(one, other) && text_same_eight(one + 8, other + 8) &&
               text_same_eight(one + length - 16, other + length - 16) &&
               text_same_eight(one + length - 8, other + length - 8);
    if (length >= 8)
        return text_same_eight(one, other) && text_same_eight(one + length - 8, other + length - 8);
    for (size_t i = 0; i < length; i++)
        if (one[i] != other[i])
            return false;
    return true;
}

struct strings;

struct strings *strings_new(void); /* NULL: out of memory */
void strings_free(struct strings *strings);

NODISCARD status strings_add(struct strings *strings, const char *data, size_t length, string_id *id);
NODISCARD status strings_add_text(struct strings *strings, const char *text, string_id *id);
NODISCARD status strings_add_format(struct strings *strings, string_id *id, const char *format, ...) PRINTF_LIKE(3, 4);

/* The id of a text that is already there; false when it is not. */
bool strings_find(const struct strings *strings, const char *data, size_t length, string_id *id);

struct text strings_get(const struct strings *strings, string_id id);
const char *strings_text(const struct strings *strings, string_id id); /* NUL-terminated */
uint32_t strings_count(const struct strings *strings);

#endif
