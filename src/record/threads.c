/* threads.c: the slow path of recording: a thread comes, takes its next chunk, or goes. Once in 4000 events of a thread. */
#include "recorder.h"

#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

__thread struct tacho_recorder_thread tacho_recorder_thread __attribute__((tls_model("initial-exec")));

/* What a thread keeps beside what zone.h needs. */
struct recorder_local {
    uint32_t session;              /* that the fields below belong to */
    uint32_t number;               /* of the thread in it */
    struct recording_chunk *chunk; /* that it fills; NULL: none */
    struct recording_chunk
        *previous; /* full; a record may still be unfinished below a signal handler, so it is sealed one later */
};

static __thread struct recorder_local local __attribute__((tls_model("initial-exec")));
static pthread_key_t leaving;                           /* its destructor runs when a thread ends */
static pthread_once_t leaving_once = PTHREAD_ONCE_INIT; /* of that */

static uintptr_t slots_end(const struct recording_chunk *chunk)
{
    return (uintptr_t)chunk + RECORDING_CHUNK - RECORDING_CHUNK_ROOM;
}

static struct recording_thread *line_of(struct recording_head *head, uint32_t number)
{
    return &head->thread[number < RECORDING_THREADS ? number : RECORDING_THREADS - 1];
}

static void set_next(uintptr_t next)
{
    __atomic_store_n(&tacho_recorder_thread.next, next, __ATOMIC_RELAXED);
}

/* How far a chunk is filled, as its thread leaves it. */
static uint32_t filled(const struct recording_chunk *chunk)
{
    uintptr_t next = tacho_recorder_thread.next;
    uintptr_t end = slots_end(chunk);

    return (uint32_t)((next < end ? next : end) - (uintptr_t)chunk);
}

/* Others may go on in a chunk that has room for more than a few records. */
static void leave_chunk(struct recorder *recorder)
{
    struct recording_chunk *chunk = local.chunk;

    if (!chunk)
        return;
    __atomic_store_n(&chunk->used, filled(chunk), __ATOMIC_RELEASE);
    if (recorder->left_count == RECORDER_LEFT || chunk->used > RECORDING_CHUNK / 8 * 7) {
        chunks_seal(chunk);
        return;
    }
    recorder->left[recorder->left_count++] = chunk->index;
    __atomic_store_n(&chunk->state, CHUNK_LEFT, __ATOMIC_RELEASE);
}

static void thread_leaves(void *session)
{
    struct recorder *recorder = &the_recorder;
    struct recorder_guard guard;

    (void)session;
    recorder_lock(&guard);
    if (recorder->base && local.session == tacho_recorder.session) {
        if (local.previous)
            chunks_seal(local.previous);
        leave_chunk(recorder);
    }
    local.chunk = local.previous = NULL;
    tacho_recorder_thread.session = 0;
    set_next(0);
    recorder_unlock(&guard);
}

static void make_leaving(void)
{
    (void)pthread_key_create(&leaving, thread_leaves);
}

void threads_session(void)
{
    (void)pthread_once(&leaving_once, make_leaving);
    the_recorder.threads = 0;
}

void threads_forget(void)
{
    memset(&local, 0, sizeof local);
    tacho_recorder_thread.session = 0;
    set_next(0);
}

void threads_close(void)
{
    struct recorder *recorder = &the_recorder;

    if (local.session == recorder->sessions && local.chunk) {
        if (local.previous)
            chunks_seal(local.previous);
        __atomic_store_n(&local.chunk->used, filled(local.chunk), __ATOMIC_RELEASE);
        chunks_seal(local.chunk);
    }
    while (recorder->left_count) {
        uint32_t index = recorder->left[--recorder->left_count];

        if (chunks_take_left(index))
            chunks_seal(chunks_at(index));
    }
    threads_forget();
}

/* The first record of a thread in this recording. False: there is no room for its name. */
static bool greet(struct recorder *recorder, uint32_t session)
{
    struct recorder_guard guard;
    char name[32] = "";
    bool greeted = false;

    (void)prctl(PR_GET_NAME, name, 0, 0, 0);
    recorder_lock(&guard);
    if (recorder->opens_later && !recorder_open_later()) {
        recorder_unlock(&guard);
        return false;
    }
    if (recorder->base && tacho_recorder.session == session) {
        uint32_t number = recorder->threads;
        struct names_record record = { .kind = RECORD_THREAD,
                                       .word = (uint64_t)syscall(SYS_gettid),
                                       .id = number,
                                       .text = name,
                                       .length = strlen(name) };

        greeted = names_put(&record);
        if (greeted) {
            recorder->threads++;
            local = (struct recorder_local){ .session = session, .number = number };
            __atomic_store_n(&recorder->head->threads,
                             recorder->threads < RECORDING_THREADS ? recorder->threads : RECORDING_THREADS,
                             __ATOMIC_RELEASE);
            (void)pthread_setspecific(leaving, recorder);
        }
    }
    recorder_unlock(&guard);
    return greeted;
}

/* A chunk of a thread that ended, with a record that says that the thread is another from here on. */
static struct recording_chunk *take_left(struct recorder *recorder, uintptr_t *next)
{
    struct recorder_guard guard;
    struct recording_chunk *chunk = NULL;

    recorder_lock(&guard);
    while (recorder->left_count && !chunk) {
        uint32_t index = recorder->left[--recorder->left_count];

        if (chunks_take_left(index))
            chunk = chunks_at(index);
    }
    recorder_unlock(&guard);
    if (!chunk)
        return NULL;
    uint64_t *slot = (uint64_t *)((uintptr_t)chunk + chunk->used);
    tacho_recorder_put(slot, tacho_recorder_time(), RECORD_THREAD_HERE, local.number);
    *next = (uintptr_t)(slot + 2);
    return chunk;
}

/* The next chunk of this thread. False: there is none. */
static bool take_chunk(struct recorder *recorder)
{
    uintptr_t next = 0;
    bool slow = false;
    struct recording_chunk *chunk = local.chunk ? NULL : take_left(recorder, &next);

    if (!chunk) {
        chunk = chunks_claim(CHUNK_EVENTS, local.number, &slow);
        if (!chunk) {
            set_next(local.chunk ? slots_end(local.chunk) : 0);
            return false;
        }
        next = (uintptr_t)chunk + RECORDING_CHUNK_HEAD;
        __atomic_add_fetch(&line_of(recorder->head, local.number)->chunks, 1, __ATOMIC_RELAXED);
        if (slow)
            __atomic_add_fetch(&line_of(recorder->head, local.number)->slow, 1, __ATOMIC_RELAXED);
    }
    if (local.chunk) {
        __atomic_store_n(&local.chunk->used, filled(local.chunk), __ATOMIC_RELEASE);
        if (local.previous)
            chunks_seal(local.previous);
        local.previous = local.chunk;
    }
    local.chunk = chunk;
    set_next(next);
    return true;
}

/* So many slots in one piece, also where a signal handler takes some in between. 0: they do not fit. */
static uintptr_t reserve_slots(size_t bytes)
{
    uintptr_t at = __atomic_load_n(&tacho_recorder_thread.next, __ATOMIC_RELAXED);

    do {
        uintptr_t offset = at & (RECORDING_CHUNK - 1);

        if (offset < RECORDING_CHUNK_HEAD || offset + bytes > RECORDING_CHUNK - RECORDING_CHUNK_ROOM)
            return 0;
    } while (!__atomic_compare_exchange_n(&tacho_recorder_thread.next, &at, at + bytes, false, __ATOMIC_RELAXED,
                                          __ATOMIC_RELAXED));
    return at;
}

/* Whoever stops the recording sees that this thread is there, or this thread sees that it is stopped. */
static bool enter(struct recorder *recorder, uint32_t session)
{
    __atomic_add_fetch(&recorder->inside, 1, __ATOMIC_SEQ_CST);
    return __atomic_load_n(&tacho_recorder.session, __ATOMIC_SEQ_CST) == session;
}

static uint64_t *reserve_slowly(uint32_t session, size_t bytes)
{
    struct recorder *recorder = &the_recorder;
    struct recorder_guard guard;
    uintptr_t at = 0;

    recorder_block(&guard);
    if (enter(recorder, session) && (local.session == session || greet(recorder, session))) {
        tacho_recorder_thread.session = session;
        while (!(at = reserve_slots(bytes)) && take_chunk(recorder))
            continue;
    }
    if (!at)
        recorder_dropped();
    __atomic_sub_fetch(&recorder->inside, 1, __ATOMIC_RELEASE);
    recorder_unblock(&guard);
    return (uint64_t *)at;
}

uint64_t *tacho_recorder_slots(uint32_t session, size_t bytes)
{
    uintptr_t at = tacho_recorder_thread.session == session ? reserve_slots(bytes) : 0;

    return at ? (uint64_t *)at : reserve_slowly(session, bytes);
}

/* A thread that could not even be greeted has no line: the first one counts for it. */
void recorder_dropped(void)
{
    struct recording_head *head = __atomic_load_n(&the_recorder.head, __ATOMIC_ACQUIRE);
    uint32_t session = __atomic_load_n(&tacho_recorder.session, __ATOMIC_RELAXED);

    /* A recording that was stopped meanwhile lacks nothing that was asked of it. */
    if (head && session)
        __atomic_add_fetch(&line_of(head, local.session == session ? local.number : 0)->dropped, 1, __ATOMIC_RELAXED);
}

void recorder_cut(void)
{
    struct recording_head *head = __atomic_load_n(&the_recorder.head, __ATOMIC_ACQUIRE);

    if (head)
        __atomic_add_fetch(&head->cut, 1, __ATOMIC_RELAXED);
}

uint32_t threads_here(void)
{
    uint32_t session = __atomic_load_n(&tacho_recorder.session, __ATOMIC_RELAXED);

    if (local.session != session && !greet(&the_recorder, session))
        return UINT32_MAX;
    return local.number;
}
