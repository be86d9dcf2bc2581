/* watch.h: connections and how long each may take: a request has a deadline from its first byte, whatever trickles in.
 *
 * A connection carries one request. Until that is complete it may take REQUEST_MS; how long an answer takes is the reader's business,
 * as long as he reads. Where there are more connections than WATCH_MOST, the oldest that still asks is shut, else the oldest that is
 * answered: who asks at once is served, however many others drip. A shut connection is not closed here: its owner notices and does.
 *
 * Plain data, with times handed in; the caller locks.
 */
#ifndef SERVE_WATCH_H
#define SERVE_WATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { WATCH_MOST = 256, WATCH_REQUEST_MS = 10000 };

struct watched {
    int file;       /* of the connection */
    uint64_t since; /* ms of a clock that never goes back: it was opened */
    bool complete;  /* its request is there */
    bool shut;      /* it was told to end */
};

struct watch {
    struct watched items[WATCH_MOST + 1]; /* in the order in which they were opened */
    size_t count;                         /* of items */
    uint64_t shut_late;                   /* that were shut since their time was over */
    uint64_t shut_crowded;                /* since there were too many */
    void (*shut)(int file);               /* ends one */
};

void watch_start(struct watch *watch, void (*shut)(int file));
/* A connection was opened. One that cannot be watched is shut at once. */
void watch_open(struct watch *watch, int file, uint64_t now);
void watch_complete(struct watch *watch, int file);
/* It is closed by its owner after this. */
void watch_close(struct watch *watch, int file);
/* Shuts those whose time is over. */
void watch_expire(struct watch *watch, uint64_t now);

#endif
