/* routes.c: the pattern that a path fits. */
#include "serve/routes.h"

#include <assert.h>

#include "base/text.h"

static bool fits(const char *pattern, const struct guard_target *target, const char *places[ROUTE_PLACES])
{
    struct text rest = text_of(pattern);
    unsigned place = 0, piece = 0;

    if (text_cut_start(&rest, "POST ") != target->posts)
        return false;
    assert(text_begins(rest, "/"));
    text_cut_start(&rest, "/");
    if (!rest.length)
        return target->piece_count == 0;
    for (; rest.data; piece++) {
        struct text wanted = text_take(&rest, '/');

        if (piece == target->piece_count)
            return false;
        if (text_begins(wanted, ":")) {
            assert(place < ROUTE_PLACES);
            places[place++] = target->pieces[piece];
        } else if (!text_is(wanted, target->pieces[piece])) {
            return false;
        }
    }
    return piece == target->piece_count;
}

const struct route *route_find(const struct route *routes, const struct guard_target *target,
                               const char *places[ROUTE_PLACES])
{
    for (const struct route *route = routes; route->pattern; route++) {
        for (unsigned i = 0; i < ROUTE_PLACES; i++)
            places[i] = NULL;
        if (fits(route->pattern, target, places))
            return route;
    }
    return NULL;
}
