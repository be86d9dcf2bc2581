/* utf8.c: one character at a time. */
#include "base/utf8.h"

#include <assert.h>

/* What may follow a first byte: how many bytes, and the range of the first of these. The range excludes overlong forms (E0, F0),
 * surrogates (ED) and what is beyond U+10FFFF (F4). */
struct following {
    unsigned count;          /* 0: no character begins so */
    unsigned char low, high; /* of the second byte */
};

static struct following following_of(unsigned char lead)
{
    if (lead < 0xC2 || lead > 0xF4)
        return (struct following){ 0, 0, 0 };
    if (lead < 0xE0)
        return (struct following){ 1, 0x80, 0xBF };
    if (lead < 0xF0)
        return (struct following){ 2, lead == 0xE0 ? 0xA0 : 0x80, lead == 0xED ? 0x9F : 0xBF };
    return (struct following){ 3, lead == 0xF0 ? 0x90 : 0x80, lead == 0xF4 ? 0x8F : 0xBF };
}

uint32_t utf8_read(const char **cursor, const char *end, bool *valid)
{
    unsigned char lead = (unsigned char)*(*cursor)++;
    struct following rest;
    uint32_t character;

    assert(*cursor <= end && "there is a byte to read");
    *valid = true;
    if (lead < 0x80)
        return lead;
    rest = following_of(lead);
    character = lead & (0x3Fu >> rest.count);
    for (unsigned i = 0; i < rest.count; i++) {
        unsigned char byte = *cursor < end ? (unsigned char)**cursor : 0;
        bool fits = i ? byte >= 0x80 && byte <= 0xBF : byte >= rest.low && byte <= rest.high;

        if (!fits) {
            *valid = false;
            return UTF8_BAD;
        }
        character = character << 6 | (byte & 0x3Fu);
        ++*cursor;
    }
    *valid = rest.count > 0;
    return *valid ? character : UTF8_BAD;
}
