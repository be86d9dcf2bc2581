/* text.c: what is too long to be inline. */
#include "base/text.h"

bool text_same_any_case(const char *one, const char *other, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (char_lower(one[i]) != char_lower(other[i]))
            return false;
    return true;
}

int text_compare(struct text one, struct text other)
{
    size_t shorter = one.length < other.length ? one.length : other.length;
    int order = shorter ? memcmp(one.data, other.data, shorter) : 0;

    return order ? order : (one.length > other.length) - (one.length < other.length);
}

/* Whether none of eight bytes is below 0x20 or 0x7F, blanks included; false where it is not certain. */
static bool are_plain(const char *data)
{
    static const uint64_t ones = 0x0101010101010101u;
    uint64_t bytes, delete;

    memcpy(&bytes, data, sizeof bytes);
    delete = bytes ^ ones * 0x7F;
    return !((((bytes - ones * 0x20) & ~bytes) | ((delete - ones) & ~delete)) & ones * 0x80);
}

bool text_is_binary(struct text text)
{
    for (size_t i = 0; i < text.length; i++) {
        unsigned char byte;

        while (text.length - i >= 8 && are_plain(text.data + i))
            i += 8;
        /* Fewer than eight are left: they are looked at with those before them. */
        if (text.length - i < 8 && text.length >= 8 && are_plain(text.data + text.length - 8))
            return false;
        if (i == text.length)
            return false;
        byte = (unsigned char)text.data[i];
        if ((byte < 0x20 && !char_is_blank((char)byte)) || byte == 0x7F)
            return true;
    }
    return false;
}

const char *text_find_any_case(struct text text, const char *piece)
{
    size_t length = strlen(piece);

    for (size_t i = 0; text.data && i + length <= text.length; i++)
        if (text_same_any_case(text.data + i, piece, length))
            return text.data + i;
    return NULL;
}

const char *text_last(struct text text, char sign)
{
    return text.length ? memrchr(text.data, sign, text.length) : NULL;
}

bool text_take_line(struct text *rest, struct text *line)
{
    while (rest->length) {
        const char *end = rest->data + rest->length, *found = text_first(*rest, '\n');

        *line = text_trim(text_between(rest->data, found ? found : end));
        *rest = text_between(found ? found + 1 : end, end);
        if (line->length)
            return true;
    }
    return false;
}
