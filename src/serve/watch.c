/* watch.c: which connections took too long, and which must go where there are too many. */
#include "serve/watch.h"

#include <assert.h>
#include <string.h>

void watch_start(struct watch *watch, void (*shut)(int file))
{
    *watch = (struct watch){ .shut = shut };
}

static struct watched *find(struct watch *watch, int file)
{
    for (size_t i = 0; i < watch->count; i++)
        if (watch->items[i].file == file)
            return &watch->items[i];
    return NULL;
}

static void end(struct watch *watch, struct watched *item)
{
    item->shut = true;
    watch->shut(item->file);
}

/* The oldest that still asks, else the oldest of all, but never the newest. */
static struct watched *first_to_go(struct watch *watch)
{
    struct watched *oldest = NULL;

    for (size_t i = 0; i + 1 < watch->count; i++) {
        if (watch->items[i].shut)
            continue;
        if (!watch->items[i].complete)
            return &watch->items[i];
        if (!oldest)
            oldest = &watch->items[i];
    }
    return oldest;
}

static void take_out(struct watch *watch, const struct watched *item)
{
    size_t at = (size_t)(item - watch->items);

    watch->count--;
    memmove(&watch->items[at], &watch->items[at + 1], (watch->count - at) * sizeof *watch->items);
}

void watch_open(struct watch *watch, int file, uint64_t now)
{
    assert(watch->shut && watch->count <= WATCH_MOST);
    watch->items[watch->count++] = (struct watched){ .file = file, .since = now };
    if (watch->count > WATCH_MOST) {
        struct watched *item = first_to_go(watch);

        if (item) {
            watch->shut_crowded++;
            end(watch, item);
        }
        /* It is shut already, and nothing more can be done about it. */
        take_out(watch, item ? item : &watch->items[0]);
    }
}

void watch_complete(struct watch *watch, int file)
{
    struct watched *item = find(watch, file);

    if (item)
        item->complete = true;
}

void watch_close(struct watch *watch, int file)
{
    struct watched *item = find(watch, file);

    if (item)
        take_out(watch, item);
}

void watch_expire(struct watch *watch, uint64_t now)
{
    for (size_t i = 0; i < watch->count; i++) {
        struct watched *item = &watch->items[i];

        if (item->complete || item->shut || now - item->since < WATCH_REQUEST_MS)
            continue;
        watch->shut_late++;
        end(watch, item);
    }
}
