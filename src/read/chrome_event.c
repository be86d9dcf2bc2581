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

enum chrome_scan chrome_string_scan(const char **at, const char *end, struct text *raw)
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
        if ((unsigned)__builtin_popcountll(closes) < depth) {
            depth += (unsigned)__builtin_popcountll(opens) - (unsigned)__builtin_popcountll(closes);
            continue;
        }
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

static bool ends_scalar(char byte)
{
    return byte == ',' || byte == '}' || byte == ']' || byte == ' ' || byte == '\n' || byte == '\r' || byte == '\t' ||
           byte == CHROME_FILL || byte == '"' || byte == ':' || byte == '{' || byte == '[';
}

/* A number or a word. */
static enum chrome_scan pass_scalar(const char **at, const char *end)
{
    const char *next = *at;

    while (!ends_scalar(*next))
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
        return chrome_string_scan(at, end, &raw);
    return **at == '{' || **at == '[' ? pass_container(at, end) : pass_scalar(at, end);
}

/* The same, and what it is. */
static inline enum chrome_scan take_value(const char **at, const char *end, struct text *value)
{
    const char *first = *at;
    enum chrome_scan code;

    if (*first == '"' && first < end)
        return chrome_string_scan(at, end, value);
    code = chrome_value_scan(at, end);
    if (code == CHROME_WHOLE)
        *value = text_between(first, *at);
    if (code == CHROME_WHOLE && *first == 'n' && text_is(*value, "null"))
        *value = (struct text){ NULL, 0 };
    return code;
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
        return IS_KEY("bp") ? &event->bind : NULL;
    case 's':
        return IS_KEY("sf") ? &event->frame : NULL;
    default:
        return NULL;
    }
}

static enum chrome_scan take_member(const char **at, const char *end, struct chrome_event *event, struct text *phase)
{
    const char *next = *at;
    struct text ignored;
    size_t length;
    struct text *part;
    enum chrome_scan code;

    if (*next != '"')
        return next >= end ? CHROME_MORE : CHROME_BROKEN;
    part = part_of(event, phase, next + 1, &length);
    if (part)
        next += 1 + length;
    else if ((code = chrome_string_scan(&next, end, &ignored)) != CHROME_WHOLE)
        return code;
    next = *next == ':' ? next : chrome_skip_blanks(next);
    *at = next;
    if (*next != ':')
        return next >= end ? CHROME_MORE : CHROME_BROKEN;
    next = chrome_skip_blanks(next + 1);
    code = take_value(&next, end, part ? part : &ignored);
    *at = next;
    return code;
}

enum chrome_scan chrome_event_scan(const char *at, const char *end, bool briefly, struct chrome_event *event,
                                   const char **where)
{
    struct text phase = { NULL, 0 };
    const char *next = chrome_skip_blanks(at + 1);

    assert(at < end && *at == '{');
    memset(event, 0, sizeof *event);
    *where = next;
    while (*next != '}') {
        enum chrome_scan code = take_member(&next, end, event, &phase);

        *where = next;
        if (code != CHROME_WHOLE)
            return code;
        event->phase = (char)(phase.length == 1 ? *phase.data : 0);
        if (briefly && event->phase && (event->phase != 'X' || event->duration.data))
            return CHROME_WHOLE;
        next = chrome_skip_blanks(next);
        if (*next == ',')
            next = chrome_skip_blanks(next + 1);
        else if (*next != '}')
            return next >= end ? CHROME_MORE : CHROME_BROKEN;
        *where = next;
    }
    event->length = (size_t)(next + 1 - at);
    return next < end ? CHROME_WHOLE : CHROME_MORE;
}

/* ---- Members of whole objects ------------------------------------------------------------------------------------- */

bool chrome_next_member(const char **at, const char *end, struct chrome_member *member, bool *broken)
{
    const char *next = chrome_skip_blanks(*at);

    if (*next == ',')
        next = chrome_skip_blanks(next + 1);
    *broken = false;
    if (next >= end || *next == '}')
        return false;
    *broken = true;
    if (*next != '"' || chrome_string_scan(&next, end, &member->key) != CHROME_WHOLE)
        return false;
    next = chrome_skip_blanks(next);
    if (*next != ':')
        return false;
    next = chrome_skip_blanks(next + 1);
    member->first = *next;
    if (take_value(&next, end, &member->value) != CHROME_WHOLE)
        return false;
    *broken = false;
    *at = next;
    return true;
}

struct text chrome_find_member(struct text object, const char *key)
{
    struct chrome_member member;
    const char *next = object.data + 1, *end = object.data + object.length;
    bool broken;

    if (object.length < 2 || *object.data != '{')
        return (struct text){ NULL, 0 };
    while (chrome_next_member(&next, end, &member, &broken))
        if (text_is(member.key, key))
            return member.value;
    return (struct text){ NULL, 0 };
}

/* ---- Times -------------------------------------------------------------------------------------------------------- */

/* Signs, exponents, more decimals: whatever a number can have. */
static bool read_any_time(struct text text, int64_t *ns)
{
    enum { MARGIN = 4 }; /* sums of a few times are still in the range */

    return text.length && number_parse_scaled(text.data, text.length, 3, ns) == NUMBER_FINE &&
           *ns <= INT64_MAX / MARGIN && *ns >= INT64_MIN / MARGIN;
}

bool chrome_time(struct text text, int64_t *ns)
{
    enum { MOST = 15 }; /* digits of which any number of ns is in the range */
    const char *next = text.data, *end = text.data + text.length;
    int64_t number = 0;
    unsigned digit, decimals = 0;

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
