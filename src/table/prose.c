/* prose.c: the moods of a paragraph. */
#include "table/prose.h"

#include <assert.h>

const char *prose_mood_key(enum prose_mood mood)
{
    static const char *const keys[] = {
#define X(name, key, sign) key,
        PROSE_MOOD_MAP(X)
#undef X
    };

    assert(mood < PROSE_MOOD_COUNT);
    return keys[mood];
}

const char *prose_mood_sign(enum prose_mood mood)
{
    static const char *const signs[] = {
#define X(name, key, sign) sign,
        PROSE_MOOD_MAP(X)
#undef X
    };

    assert(mood < PROSE_MOOD_COUNT);
    return signs[mood];
}
