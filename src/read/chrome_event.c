/* chrome_event.c: scans events, sixteen bytes at a time where it can. */
#include "read/chrome_event.h"

#include <assert.h>
#include <string.h>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "base/number.h"
#include "base/text.h"

void chrome_pad(char *end)
{
    memset(end, CHROME_FILL, CHROME_PAD);
}

/* ---- Strings and brackets ----------------------------------------------------------------------------------------- */

/* The first quote or backslash at or behind `at`; at the end, or a few bytes behind it: there is none. */
static const char *find_quote(const char *at, const char *end)
{
#if defined(__SSE2__)
    const __m128i quotes = _mm_set1_epi8('"'), slashes = _mm_set1_epi8('\\');

    for (; at < end; at += 16) {
        __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)at);
        int found = _mm_movemask_epi8(_mm_or_si128(_mm_cmpeq_epi8(bytes, quotes), _mm_cmpeq_epi8(bytes, slashes)));

        if (found)
            return at + __builtin_ctz((unsigned)found);
    }
#else
    while (at < end && *at != '"' && *at != '\\')
        at++;
#endif
    return at;
}

/* The string whose quote stands at `*at`: what is between its quotes. */
static inline enum chrome_scan take_string(const char **at, const char *end, struct text *raw)
{
    const char *first = *at + 1;
    const char *next = find_quote(first, end);

    while (next < end && *next == '\\')
        next = find_quote(next + 2, end);
    if (next >= end)
        return CHROME_MORE;
    *raw = text_between(first, next);
    *at = next + 1;
    return CHROME_WHOLE;
}

/* Where bytes of a kind stand in a block: bit n for byte n. */
struct block {
    uint64_t quotes, slashes, opens, closes;
};

enum { BLOCK = 64 };
_Static_assert((int)CHROME_PAD >= (int)BLOCK, "a block may begin at the last byte");

static struct block look_at(const char *at)
{
    struct block block = { 0 };

#if defined(__SSE2__)
    for (unsigned i = 0; i < BLOCK; i += 16) {
        __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)(at + i));
        __m128i folded = _mm_or_si128(bytes, _mm_set1_epi8(0x20)); /* [ becomes {, ] becomes } */

        block.quotes |= (uint64_t)(unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(bytes, _mm_set1_epi8('"'))) << i;
        block.slashes |= (uint64_t)(unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(bytes, _mm_set1_epi8('\\'))) << i;
        block.opens |= (uint64_t)(unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(folded, _mm_set1_epi8('{'))) << i;
        block.closes |= (uint64_t)(unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(folded, _mm_set1_epi8('}'))) << i;
    }
#else
    for (unsigned i = 0; i < BLOCK; i++) {
        block.quotes |= (uint64_t)(at[i] == '"') << i;
        block.slashes |= (uint64_t)(at[i] == '\\') << i;
        block.opens |= (uint64_t)(at[i] == '{' || at[i] == '[') << i;
        block.closes |= (uint64_t)(at[i] == '}' || at[i] == ']') << i;
    }
#endif
    return block;
}

/* Bit n: an odd number of bits up to n is set. */
static uint64_t fold_parity(uint64_t bits)
{
    for (unsigned shift = 1; shift < 64; shift *= 2)
        bits ^= bits << shift;
    return bits;
}

/* Quotes behind a backslash are none. `*escaped`: the first byte of the block is behind one; then that of the next. */
static uint64_t drop_escaped(const struct block *block, bool *escaped)
{
    uint64_t quotes = block->quotes;
    bool before = *escaped;

    if (!block->slashes && !before)
        return quotes;
    for (unsigned i = 0; i < BLOCK; i++) {
        uint64_t bit = (uint64_t)1 << i;

        if (before)
            quotes &= ~bit;
        before = !before && block->slashes & bit;
    }
    *escaped = before;
    return quotes;
}

/* A container, by its brackets alone: whether they fit each other shows where it is parsed. */
static enum chrome_scan pass_container(const char **at, const char *end)
{
    uint64_t inside = 0; /* all ones: the block begins inside a string */
    unsigned depth = 0;
    bool escaped = false;

    for (const char *next = *at; next < end; next += BLOCK) {
        struct block block = look_at(next);
        uint64_t strings = fold_parity(drop_escaped(&block, &escaped)) ^ inside;
        uint64_t opens = block.opens & ~strings, closes = block.closes & ~strings;

        inside = (uint64_t)0 - (strings >> 63);
        for (uint64_t left = opens | closes; left; left &= left - 1) {
            depth += opens & left & -left ? 1 : UINT32_MAX;
            if (!depth) {
                *at = next + __builtin_ctzll(left) + 1;
                return CHROME_WHOLE;
            }
        }
    }
    return CHROME_MORE;
}

/* Bytes that end a number or a word. A backslash is no part of any: where brackets alone are looked at, it hides a quote. */
static const bool ends_scalar[256] = {
    [','] = true, ['}'] = true, [']'] = true,         [' '] = true, ['\n'] = true, ['\r'] = true, ['\t'] = true,
    ['"'] = true, [':'] = true, [CHROME_FILL] = true, ['{'] = true, ['['] = true,  ['\\'] = true
};

static inline enum chrome_scan pass_scalar(const char **at, const char *end)
{
    const char *next = *at;

    while (!ends_scalar[(unsigned char)*next])
        next++;
    if (next >= end)
        return CHROME_MORE;
    if (next == *at)
        return CHROME_BROKEN;
    *at = next;
    return CHROME_WHOLE;
}

enum chrome_scan chrome_value_scan(const char **at, const char *end)
{
    struct text raw;

    if (*at >= end)
        return CHROME_MORE;
    if (**at == '"')
        return take_string(at, end, &raw);
    return **at == '{' || **at == '[' ? pass_container(at, end) : pass_scalar(at, end);
}

/* The same, and what it is. */
static inline enum chrome_scan take_value(const char **at, const char *end, struct text *value)
{
    const char *first = *at;
    enum chrome_scan code;

    if (first >= end)
        return CHROME_MORE;
    if (*first == '"')
        return take_string(at, end, value);
    code = *first == '{' || *first == '[' ? pass_container(at, end) : pass_scalar(at, end);
    if (code == CHROME_WHOLE)
        *value = text_between(first, *at);
    if (code == CHROME_WHOLE && *first == 'n' && text_is(*value, "null"))
        *value = (struct text){ NULL, 0 };
    return code;
}

/* A colon, with blanks around it. */
static inline enum chrome_scan take_colon(const char **at, const char *end)
{
    const char *next = **at == ':' ? *at : chrome_skip_blanks(*at);

    *at = next;
    if (*next != ':')
        return next >= end ? CHROME_MORE : CHROME_BROKEN;
    *at = chrome_skip_blanks(next + 1);
    return CHROME_WHOLE;
}

/* The next member of an object; `*last`: its bracket came instead, and was not passed. */
static inline enum chrome_scan take_member(const char **at, const char *end, struct chrome_member *member, bool *last)
{
    enum chrome_scan code;

    *at = chrome_skip_blanks(*at);
    if (**at == ',')
        *at = chrome_skip_blanks(*at + 1);
    *last = **at == '}' && *at < end;
    if (*last)
        return CHROME_WHOLE;
    if (**at != '"')
        return *at >= end ? CHROME_MORE : CHROME_BROKEN;
    code = take_string(at, end, &member->key);
    if (code == CHROME_WHOLE)
        code = take_colon(at, end);
    if (code != CHROME_WHOLE)
        return code;
    member->first = **at;
    return take_value(at, end, &member->value);
}

/* ---- Events ------------------------------------------------------------------------------------------------------- */

/* Whether the key at `at` is this one, with its quote; a key of the scanned text has bytes enough behind it. */
#define IS_KEY(word) (memcmp(at, word "\"", sizeof word) == 0 && ((*length = sizeof word), true))

/* The part of an event that a key names; NULL: one that says nothing here. `*length`: with the quote. */
static inline struct text *part_of(struct chrome_event *event, struct text *phase, const char *at, size_t *length)
{
    switch (*at) {
    case 'p':
        return IS_KEY("ph") ? phase : IS_KEY("pid") ? &event->pid : NULL;
    case 't':
        return IS_KEY("ts") ? &event->time : IS_KEY("tid") ? &event->tid : NULL;
    case 'n':
        return IS_KEY("name") ? &event->name : NULL;
    case 'c':
        return IS_KEY("cat") ? &event->category : NULL;
    case 'd':
        return IS_KEY("dur") ? &event->duration : NULL;
    case 'a':
        return IS_KEY("args") ? &event->arguments : NULL;
    case 'i':
        return IS_KEY("id") ? &event->id : IS_KEY("id2") ? &event->id2 : NULL;
    case 'b':
        return IS_KEY("bp") ? &event->bind : IS_KEY("bind_id") ? &event->binding : NULL;
    case 'f':
        return IS_KEY("flow_in") ? &event->flow_in : IS_KEY("flow_out") ? &event->flow_out : NULL;
    case 's':
        return IS_KEY("sf") ? &event->frame : NULL;
    default:
        return NULL;
    }
}

/* An object that is split into its members. Where it is none, it is passed by its brackets, as the first walk did. */
static enum chrome_scan split(const char **at, const char *end, struct chrome_members *members, struct text *whole)
{
    const char *first = *at, *next = first + 1;
    enum chrome_scan code = CHROME_WHOLE;
    bool last = false;

    members->count = 0;
    while (code == CHROME_WHOLE && !last && members->count < CHROME_MEMBERS) {
        code = take_member(&next, end, &members->items[members->count], &last);
        members->count += code == CHROME_WHOLE && !last;
    }
    if (code == CHROME_MORE)
        return code;
    members->broken = code == CHROME_BROKEN;
    members->more = code == CHROME_WHOLE && !last;
    if (!last)
        return take_value(at, end, whole);
    *at = next + 1;
    *whole = text_between(first, *at);
    return CHROME_WHOLE;
}

static inline enum chrome_scan take_part(const char **at, const char *end, struct chrome_event *event,
                                         struct text *phase, struct chrome_members *members)
{
    struct text ignored;
    size_t length;
    struct text *part;
    enum chrome_scan code;

    if (**at != '"')
        return *at >= end ? CHROME_MORE : CHROME_BROKEN;
    part = part_of(event, phase, *at + 1, &length);
    if (part)
        *at += 1 + length;
    else if ((code = take_string(at, end, &ignored)) != CHROME_WHOLE)
        return code;
    code = take_colon(at, end);
    if (code != CHROME_WHOLE)
        return code;
    if (members && part == &event->arguments && **at == '{')
        return split(at, end, members, part);
    return take_value(at, end, part ? part : &ignored);
}

enum chrome_scan chrome_event_scan(const char *at, const char *end, struct chrome_event *event,
                                   struct chrome_members *members, const char **where)
{
    struct text phase = { NULL, 0 };
    const char *next = chrome_skip_blanks(at + 1);

    assert(at < end && *at == '{');
    memset(event, 0, sizeof *event);
    if (members) {
        members->count = 0;
        members->broken = members->more = false;
    }
    *where = next;
    while (*next != '}') {
        enum chrome_scan code = take_part(&next, end, event, &phase, members);

        *where = next;
        if (code != CHROME_WHOLE)
            return code;
        next = chrome_skip_blanks(next);
        if (*next == ',')
            next = chrome_skip_blanks(next + 1);
        else if (*next != '}')
            return next >= end ? CHROME_MORE : CHROME_BROKEN;
        *where = next;
    }
    event->phase = (char)(phase.length == 1 ? *phase.data : 0);
    event->length = (size_t)(next + 1 - at);
    return next < end ? CHROME_WHOLE : CHROME_MORE;
}

/* ---- Members of whole objects ------------------------------------------------------------------------------------- */

bool chrome_next_member(const char **at, const char *end, struct chrome_member *member)
{
    bool last;

    return take_member(at, end, member, &last) == CHROME_WHOLE && !last;
}

struct text chrome_find_member(struct text object, const char *key)
{
    struct chrome_member member;
    const char *next, *end;

    if (object.length < 2 || *object.data != '{')
        return (struct text){ NULL, 0 };
    next = object.data + 1;
    end = object.data + object.length;
    while (chrome_next_member(&next, end, &member))
        if (text_is(member.key, key))
            return member.value;
    return (struct text){ NULL, 0 };
}

/* ---- Times -------------------------------------------------------------------------------------------------------- */

/* Signs, exponents, more decimals: whatever a number can have. */
static bool read_any_time(struct text text, int64_t *ns)
{
    enum { MARGIN = 2 }; /* the sum of a time and a duration is in the range, too */

    return text.length && number_parse_scaled(text.data, text.length, 3, ns) == NUMBER_FINE &&
           *ns <= INT64_MAX / MARGIN && *ns >= INT64_MIN / MARGIN;
}

bool chrome_time(struct text text, int64_t *ns)
{
    enum { MOST = 15 }; /* digits of which any number of ns is in the range */
    const char *next = text.data, *end;
    int64_t number = 0;
    unsigned digit, decimals = 0;

    if (!text.length)
        return false;
    end = text.data + text.length;
    for (; next < end && next - text.data < MOST && (digit = (unsigned char)*next - (unsigned)'0') <= 9; next++)
        number = number * 10 + digit;
    if (next == text.data)
        return read_any_time(text, ns);
    if (next < end && *next == '.') {
        for (next++; next < end && decimals < 3 && (digit = (unsigned char)*next - (unsigned)'0') <= 9; next++) {
            number = number * 10 + digit;
            decimals++;
        }
    }
    if (next != end)
        return read_any_time(text, ns);
    for (; decimals < 3; decimals++)
        number *= 10;
    *ns = number;
    return true;
}

bool chrome_integer(struct text text, int64_t *value)
{
    return number_all_digits(text.data, text.length, value) || number_parse_integer(text.data, text.length, value);
}
