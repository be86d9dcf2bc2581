/* suggest.c: distances between names. */
#include "base/suggest.h"

#include <assert.h>
#include <stdbool.h>

/* Longer names are nobody's typing mistake, and get no suggestion. Names that must be held whole are no shorter than HELD: a
 * letter or two stand in almost every name. */
enum { LONGEST = 63, HELD = 3 };

static char plain(char byte)
{
    if (byte >= 'A' && byte <= 'Z')
        return (char)(byte - 'A' + 'a');
    return byte == '_' ? '-' : byte;
}

static bool same(char one, char other)
{
    return plain(one) == plain(other);
}

static unsigned least(unsigned one, unsigned other)
{
    return one < other ? one : other;
}

/* Changes from one to the other, where no piece is changed twice. `row[j]` of the i-th row: from the first i bytes of one to the
 * first j of the other; a swap looks back two rows, so three are kept. */
static unsigned distance(struct text one, struct text other)
{
    unsigned rows[3][LONGEST + 1];

    assert(one.length <= LONGEST && other.length <= LONGEST);
    for (unsigned j = 0; j <= other.length; j++)
        rows[0][j] = j;
    for (unsigned i = 1; i <= one.length; i++) {
        unsigned *row = rows[i % 3];
        const unsigned *last = rows[(i + 2) % 3], *before = rows[(i + 1) % 3];

        row[0] = i;
        for (unsigned j = 1; j <= other.length; j++) {
            row[j] = least(last[j], row[j - 1]) + 1;
            row[j] = least(row[j], last[j - 1] + !same(one.data[i - 1], other.data[j - 1]));
            if (i > 1 && j > 1 && same(one.data[i - 1], other.data[j - 2]) && same(one.data[i - 2], other.data[j - 1]))
                row[j] = least(row[j], before[j - 2] + 1);
        }
    }
    return rows[one.length % 3][other.length];
}

static bool holds(struct text whole, struct text piece)
{
    for (size_t at = 0; at + piece.length <= whole.length; at++) {
        size_t length = 0;

        while (length < piece.length && same(whole.data[at + length], piece.data[length]))
            length++;
        if (length == piece.length)
            return true;
    }
    return false;
}

const char *suggest(struct text given, suggest_next next, void *context)
{
    const char *nearest = NULL, *holder = NULL, *name;
    unsigned best = LONGEST;

    assert(next && (given.data || !given.length));
    if (given.length > LONGEST)
        return NULL;
    while ((name = next(context)) != NULL) {
        struct text candidate = { name, strlen(name) };
        size_t length = candidate.length > given.length ? candidate.length : given.length;
        unsigned changes;

        if (length > LONGEST)
            continue;
        changes = distance(given, candidate);
        /* One change in three characters is a mistake, more is another word; something must be left of a short one. */
        if (changes < best && changes < length && changes <= (length < 3 ? 1 : length / 3)) {
            best = changes;
            nearest = name;
        }
        if (!holder && given.length >= HELD && holds(candidate, given))
            holder = name;
    }
    return nearest ? nearest : holder;
}
