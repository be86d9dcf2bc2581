/* pool.c: a queue and the threads that empty it. */
#include "serve/pool.h"

#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <time.h>

#include "base/memory.h"

struct queue {
    struct pool_piece *pieces; /* the next first */
    size_t count, capacity;    /* of pieces */
};

struct pool {
    pthread_mutex_t lock;         /* of all below */
    pthread_cond_t changed;       /* a piece was added or has ended, or it is time to stop */
    pthread_cond_t left;          /* a thread has left */
    struct queue front, behind;   /* what waits */
    bool busy_behind;             /* a piece of those behind is running */
    unsigned threads;             /* that are there */
    unsigned elsewhere;           /* of these, that wait for another machine */
    unsigned busy_front;          /* that run a piece in front, here */
    uint64_t budget, used;        /* bytes; used: by pieces in front */
    bool stopping;                /* nothing is begun any more */
    bool left_alone;              /* its maker has gone: the last thread frees it */
    void (*release)(void *owner); /* see the header */
    void *owner;                  /* the same */
};

static void free_queue(struct queue *queue)
{
    for (size_t i = 0; i < queue->count; i++)
        memory_free(queue->pieces[i].context);
    memory_free(queue->pieces);
}

static void free_pool(struct pool *pool)
{
    void (*release)(void *owner) = pool->release;
    void *owner = pool->owner;

    pthread_cond_destroy(&pool->changed);
    pthread_cond_destroy(&pool->left);
    pthread_mutex_destroy(&pool->lock);
    free_queue(&pool->front);
    free_queue(&pool->behind);
    memory_free(pool);
    release(owner);
}

static bool has_room(const struct pool *pool, const struct pool_piece *piece)
{
    return !pool->used || (piece->memory <= pool->budget && pool->used <= pool->budget - piece->memory);
}

/* The next piece that may be begun now; none: the count of them. */
static size_t find_piece(const struct pool *pool, const struct queue *queue)
{
    size_t at = 0;

    while (at < queue->count && queue->pieces[at].elsewhere && pool->elsewhere && pool->elsewhere + 1 >= pool->threads)
        at++;
    return at;
}

/* The next piece that there is room for: in order, so that a large one is not overtaken for ever. */
static bool take(struct pool *pool, struct pool_piece *piece)
{
    struct queue *queue = find_piece(pool, &pool->front) < pool->front.count ? &pool->front : &pool->behind;
    size_t at = find_piece(pool, queue);

    if (at == queue->count || (queue == &pool->behind && pool->busy_behind) || !has_room(pool, &queue->pieces[at]))
        return false;
    *piece = queue->pieces[at];
    queue->count--;
    memmove(&queue->pieces[at], &queue->pieces[at + 1], (queue->count - at) * sizeof *queue->pieces);
    return true;
}

/* A piece begins, or ends. */
static void count(struct pool *pool, const struct pool_piece *piece, bool begins)
{
    unsigned one = begins ? 1 : -1u;

    if (!piece->behind)
        pool->used += begins ? piece->memory : -piece->memory;
    pool->elsewhere += piece->elsewhere ? one : 0;
    pool->busy_front += !piece->behind && !piece->elsewhere ? one : 0;
    if (piece->behind)
        pool->busy_behind = begins;
}

static void *run(void *context)
{
    struct pool *pool = context;
    struct pool_piece piece;
    bool last;

    pthread_mutex_lock(&pool->lock);
    while (!pool->stopping) {
        if (!take(pool, &piece)) {
            pthread_cond_wait(&pool->changed, &pool->lock);
            continue;
        }
        count(pool, &piece, true);
        pthread_mutex_unlock(&pool->lock);
        piece.run(piece.context);
        memory_free(piece.context);
        pthread_mutex_lock(&pool->lock);
        count(pool, &piece, false);
        pthread_cond_broadcast(&pool->changed);
    }
    pool->threads--;
    last = !pool->threads && pool->left_alone;
    pthread_cond_broadcast(&pool->left);
    pthread_mutex_unlock(&pool->lock);
    if (last)
        free_pool(pool);
    return NULL;
}

static status start_threads(struct pool *pool, unsigned threads)
{
    pthread_attr_t attributes;
    int error = pthread_attr_init(&attributes);

    if (!error)
        pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_mutex_lock(&pool->lock);
    for (unsigned i = 0; i < threads && !error; i++) {
        pthread_t thread;

        error = pthread_create(&thread, &attributes, run, pool);
        pool->threads += !error;
    }
    pthread_mutex_unlock(&pool->lock);
    pthread_attr_destroy(&attributes);
    return error && !pool->threads ? status_fail(STATUS_INPUT, "no thread can be started: %s", strerror(error))
                                   : STATUS_OK;
}

static void nothing(void *owner)
{
    (void)owner;
}

status pool_start(struct pool **made, unsigned threads, uint64_t budget, void (*release)(void *owner), void *owner)
{
    struct pool *pool = memory_allocate_clear(sizeof *pool);
    pthread_condattr_t monotonic;
    status code;

    *made = NULL;
    assert(threads && release);
    if (!pool)
        return status_no_memory("starting");
    pool->budget = budget;
    pool->release = nothing;
    pthread_mutex_init(&pool->lock, NULL);
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&pool->changed, &monotonic);
    pthread_cond_init(&pool->left, &monotonic);
    pthread_condattr_destroy(&monotonic);
    code = start_threads(pool, threads);
    if (code != STATUS_OK) {
        free_pool(pool);
        return code;
    }
    pool->release = release;
    pool->owner = owner;
    *made = pool;
    return STATUS_OK;
}

status pool_add(struct pool *pool, struct pool_piece piece)
{
    struct queue *queue = piece.behind ? &pool->behind : &pool->front;
    status code = STATUS_OK;

    assert(piece.run);
    pthread_mutex_lock(&pool->lock);
    if (pool->stopping || (!piece.behind && queue->count >= POOL_FRONT))
        code = STATUS_NO;
    if (code == STATUS_OK)
        code = memory_grow(&queue->pieces, &queue->capacity, queue->count + 1, sizeof *queue->pieces);
    if (code == STATUS_OK) {
        queue->pieces[queue->count++] = piece;
        pthread_cond_broadcast(&pool->changed);
    }
    pthread_mutex_unlock(&pool->lock);
    return code;
}

void pool_give_way(struct pool *pool)
{
    pthread_mutex_lock(&pool->lock);
    while (pool->busy_front && !pool->stopping)
        pthread_cond_wait(&pool->changed, &pool->lock);
    pthread_mutex_unlock(&pool->lock);
}

bool pool_stop(struct pool *pool, unsigned milliseconds)
{
    struct timespec until;
    bool ended;

    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += milliseconds / 1000;
    until.tv_nsec += (long)(milliseconds % 1000) * 1000000;
    if (until.tv_nsec >= 1000000000) {
        until.tv_sec++;
        until.tv_nsec -= 1000000000;
    }
    pthread_mutex_lock(&pool->lock);
    pool->stopping = true;
    pthread_cond_broadcast(&pool->changed);
    while (pool->threads && pthread_cond_timedwait(&pool->left, &pool->lock, &until) != ETIMEDOUT)
        continue;
    ended = !pool->threads;
    pool->left_alone = !ended;
    pthread_mutex_unlock(&pool->lock);
    if (ended)
        free_pool(pool);
    return ended;
}
