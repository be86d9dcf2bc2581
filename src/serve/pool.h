/* pool.h: threads that do what takes long, while the server goes on answering.
 *
 * Work in front is what somebody waits for; work behind is done by one thread at a time, when there is nothing in front, and stops for what comes meanwhile where
 * it calls `pool_give_way`. Every piece of work says how much memory it may need; pieces run beside each other only as long as that fits into the budget, and one
 * that needs more than all of it runs alone. A piece behind that has begun keeps none in front from running: it stops, and has little, since it streams.
 *
 * The context of a piece is memory that the pool frees once the piece has run, or will not run any more. The pool outlives its maker:
 * where a piece is still running when `pool_stop` has waited long enough, its thread frees the pool when it comes back.
 */
#ifndef SERVE_POOL_H
#define SERVE_POOL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"

struct pool;

enum { POOL_FRONT = 64 }; /* pieces that wait in front, at most */

struct pool_piece {
    void (*run)(void *context); /* does it */
    void *context;              /* for `run`; of memory_allocate, the pool's once it was added */
    uint64_t memory;            /* bytes that it may need */
    bool behind;                /* nobody waits for it */
    bool elsewhere; /* it waits for another machine, perhaps for long: of several threads one is left for others */
};

/* `release` is called with `owner` when no thread uses anything of it any more, by whichever comes last. */
NODISCARD status pool_start(struct pool **pool, unsigned threads, uint64_t budget, void (*release)(void *owner),
                            void *owner);
/* STATUS_NO: so many wait in front already that no more are taken. STATUS_MEMORY: nothing was added. */
NODISCARD status pool_add(struct pool *pool, struct pool_piece piece);
/* By a piece behind, now and then: comes back when no piece in front runs, but for those elsewhere. What somebody waits for has the machine to itself then. */
void pool_give_way(struct pool *pool);
/* Takes no more, and waits for running pieces up to so long. True: all have ended. The pool must not be used afterwards. */
bool pool_stop(struct pool *pool, unsigned milliseconds);

#endif
