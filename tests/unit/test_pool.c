/* test_pool.c: work behind stops for work in front, and for nothing else. */
#include <semaphore.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "base/memory.h"
#include "serve/pool.h"
#include "wait.h"

/* What a piece shares with the test. */
struct stage {
    struct pool *pool;
    sem_t begun, go, ended; /* it runs; it may go on; it is over */
};

struct actor {
    struct stage *stage;
    bool gives_way;
};

static void act(void *context)
{
    const struct actor *actor = context;

    sem_post(&actor->stage->begun);
    sem_wait(&actor->stage->go);
    if (actor->gives_way)
        pool_give_way(actor->stage->pool);
    sem_post(&actor->stage->ended);
}

static void set(struct stage *stage, struct pool *pool)
{
    stage->pool = pool;
    sem_init(&stage->begun, 0, 0);
    sem_init(&stage->go, 0, 0);
    sem_init(&stage->ended, 0, 0);
}

/* Each needs more than half of what there is. */
static void add(struct stage *stage, bool behind, bool elsewhere)
{
    struct actor *actor = memory_allocate(sizeof *actor);

    assert_non_null(actor);
    *actor = (struct actor){ stage, behind };
    assert_int_equal(
        pool_add(stage->pool,
                 (struct pool_piece){
                     .run = act, .context = actor, .memory = 600, .behind = behind, .elsewhere = elsewhere }),
        STATUS_OK);
    sem_wait(&stage->begun);
}

/* Whether it is over within so long. */
static bool ends(struct stage *stage, long milliseconds)
{
    struct timespec until;

    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += milliseconds * 1000000;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    return sem_timedwait(&stage->ended, &until) == 0;
}

static void release(void *owner)
{
    sem_post(owner);
}

static struct pool *start(sem_t *released)
{
    struct pool *pool;

    sem_init(released, 0, 0);
    assert_int_equal(pool_start(&pool, 3, 1000, release, released), STATUS_OK);
    return pool;
}

/* A piece behind runs, and another one beside it; then the one behind asks whether it may go on. */
struct play {
    sem_t released;             /* by the pool */
    struct stage behind, other; /* of both */
};

static void begin(struct play *play, bool elsewhere)
{
    struct pool *pool = start(&play->released);

    set(&play->behind, pool);
    set(&play->other, pool);
    add(&play->behind, true, false);
    add(&play->other, false, elsewhere);
    sem_post(&play->behind.go);
}

/* The other one may go on, and ends. */
static void finish_other(struct play *play)
{
    sem_post(&play->other.go);
    assert_true(ends(&play->other, WAIT_MS));
}

static void behind_waits_for_front(void **state)
{
    struct play play;

    (void)state;
    begin(&play, false);
    assert_false(ends(&play.behind, 50));
    finish_other(&play);
    assert_true(ends(&play.behind, WAIT_MS));
    assert_true(pool_stop(play.behind.pool, WAIT_MS));
    sem_wait(&play.released);
}

static void not_for_other_machines(void **state)
{
    struct play play;

    (void)state;
    begin(&play, true);
    assert_true(ends(&play.behind, WAIT_MS));
    finish_other(&play);
    assert_true(pool_stop(play.behind.pool, WAIT_MS));
    sem_wait(&play.released);
}

static void not_when_it_stops(void **state)
{
    struct play play;

    (void)state;
    begin(&play, false);
    assert_false(pool_stop(play.behind.pool, 1)); /* the one in front still runs */
    assert_true(ends(&play.behind, WAIT_MS));
    finish_other(&play);
    sem_wait(&play.released); /* by the last thread */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(behind_waits_for_front),
        cmocka_unit_test(not_for_other_machines),
        cmocka_unit_test(not_when_it_stops),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
