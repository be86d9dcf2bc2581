/* text.h: looking at texts, cutting and comparing them; nothing here owns or copies bytes.
 *
 * A struct text (strings.h) is a piece of bytes that somebody else owns, without a NUL behind it. What is cut from one is a view
 * of the same bytes. A text of length 0 may have no data at all; every function takes that. Letters are those of ASCII, whatever
 * the locale says.
 */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "base/strings.h"

/* ---- Characters ---- */

static inline bool char_is_blank(char sign) /* also line ends */
{
    return sign == ' ' || sign == '\t' || sign == '\r' || sign == '\n';
}

static inline bool char_is_digit(char sign)
{
    return sign >= '0' && sign <= '9';
}

static inline bool char_is_letter(char sign)
{
    return (sign >= 'a' && sign <= 'z') || (sign >= 'A' && sign <= 'Z');
}

static inline char char_lower(char sign)
{
    return (char)(sign >= 'A' && sign <= 'Z' ? sign - 'A' + 'a' : sign);
}

/* ---- Making ---- */

static inline struct text text_of(const char *text) /* NULL is the empty text */
{
    return (struct text){ text, text ? strlen(text) : 0 };
}

static inline struct text text_between(const char *start, const char *end)
{
    assert(start <= end);
    return (struct text){ start, (size_t)(end - start) };
}

/* ---- Comparing; also `text_is` and `text_begins` of strings.h ---- */

static inline bool text_equal(struct text one, struct text other)
{
    return one.length == other.length && text_same(one.data, other.data, one.length);
}

static inline bool text_ends(struct text text, const char *end)
{
    size_t length = strlen(end);

    return !length || (text.length >= length && memcmp(text.data + text.length - length, end, length) == 0);
}

/* Whether two texts of this length are the same but for the case of letters. */
bool text_same_any_case(const char *one, const char *other, size_t length);

static inline bool text_is_any_case(struct text text, const char *other)
{
    return text.length == strlen(other) && text_same_any_case(text.data, other, text.length);
}

/* Less than, equal to or greater than 0, by bytes; a text comes after the one that it begins with. */
int text_compare(struct text one, struct text other);

/* Whether there is nothing but blanks. */
static inline bool text_is_blank(struct text text)
{
    while (text.length && char_is_blank(text.data[text.length - 1]))
        text.length--;
    return !text.length;
}

/* Bytes that no text has: NUL and other control bytes, but not tab and line ends. */
bool text_is_binary(struct text text);

/* ---- Finding: where something is, or NULL ---- */

/* The first place of a piece. */
static inline const char *text_find(struct text text, const char *piece)
{
    return text.data ? memmem(text.data, text.length, piece, strlen(piece)) : NULL;
}

const char *text_find_any_case(struct text text, const char *piece);

static inline const char *text_first(struct text text, char sign)
{
    return text.length ? memchr(text.data, sign, text.length) : NULL;
}

const char *text_last(struct text text, char sign);

static inline bool text_contains(struct text text, const char *piece)
{
    return text_find(text, piece) != NULL;
}

/* What comes after the first place of a piece; its data is NULL where the piece is not there. */
static inline struct text text_after(struct text text, const char *piece)
{
    const char *found = text_find(text, piece);

    return found ? text_between(found + strlen(piece), text.data + text.length) : (struct text){ NULL, 0 };
}

/* Into `to`, which has room for `size` bytes, with a NUL behind it; what does not fit is left out. */
static inline void text_copy(char *to, size_t size, struct text text)
{
    size_t length = text.length < size ? text.length : size - 1;

    assert(size && (text.data || !text.length));
    if (length)
        memcpy(to, text.data, length);
    to[length] = '\0';
}

/* ---- Cutting ---- */

/* Without the blanks around it. */
static inline struct text text_trim(struct text text)
{
    while (text.length && char_is_blank(text.data[text.length - 1]))
        text.length--;
    while (text.length && char_is_blank(*text.data)) {
        text.data++;
        text.length--;
    }
    return text;
}

/* Takes the part up to `sign` off the rest, and the sign too. The last part is all that is left, after which the rest has no
 * data; parts taken from that are empty. So `while (rest.data)` sees every part, one more than there are signs. */
static inline struct text text_take(struct text *rest, char sign)
{
    const char *found = text_first(*rest, sign);
    struct text part = rest->data ? *rest : (struct text){ "", 0 };

    if (!found) {
        *rest = (struct text){ NULL, 0 };
        return part;
    }
    part.length = (size_t)(found - rest->data);
    *rest = text_between(found + 1, rest->data + rest->length);
    return part;
}

/* Takes the next line that is not blank off the rest, without the blanks around it; false: there is none. */
bool text_take_line(struct text *rest, struct text *line);

/* Cuts a beginning or an end off; false: the text has another one and stays. */
static inline bool text_cut_start(struct text *text, const char *start)
{
    if (!text_begins(*text, start))
        return false;
    text->data += strlen(start);
    text->length -= strlen(start);
    return true;
}

static inline bool text_cut_end(struct text *text, const char *end)
{
    if (!text_ends(*text, end))
        return false;
    text->length -= strlen(end);
    return true;
}

#endif
