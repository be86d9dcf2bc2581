/* relay.c: batches of events, and the thread that hands them on. */
#include "write/relay.h"

#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>

#include "base/memory.h"

enum {
    BATCHES = 4,        /* a power of two */
    BATCH = 256 * 1024, /* bytes in one: to wake the thread takes as long as a hundred slices */
    MESSAGE = 4096      /* bytes of a failure's text that are kept */
};

enum record_kind { RECORD_SLICE, RECORD_BEGIN, RECORD_END, RECORD_INSTANT, RECORD_COUNTER };

/* A call. Of a slice: it, its arguments and its other flows lie behind. */
struct record {
    uint32_t kind;  /* enum record_kind */
    uint32_t size;  /* of all of it */
    uint32_t id;    /* of an open slice, or of a counter's track */
    open_id parent; /* of an open slice */
    int64_t time;   /* of an end or a value */
    int64_t value;  /* from then on */
};

_Static_assert(sizeof(struct record) % 8 == 0 && sizeof(struct slice) % 8 == 0 && sizeof(struct argument) % 8 == 0,
               "what lies behind each other is aligned");

struct batch {
    unsigned char *bytes; /* owned; BATCH of them */
    size_t used;          /* of them */
};

struct relay {
    struct writer inner;            /* owned */
    struct sink_calls calls;        /* of what the inner one takes */
    struct batch batches[BATCHES];  /* a ring */
    unsigned filling;               /* that the reader fills, counted on and on; its own */
    pthread_t thread;               /* that empties them */
    pthread_mutex_t lock;           /* of all below */
    pthread_cond_t filled, emptied; /* one was */
    unsigned handed, done;          /* batches so far, counted on and on */
    bool stopping;                  /* what is left is not wanted */
    status failed;                  /* what the writer said first that was no STATUS_OK */
    char message[MESSAGE];          /* why */
};

static struct batch *batch_at(struct relay *relay, unsigned number)
{
    return &relay->batches[number % BATCHES];
}

/* ---- The thread ---- */

static status hand_on_slice(const struct sink *sink, const struct record *record)
{
    struct slice slice;
    const unsigned char *behind = (const unsigned char *)(record + 1);

    memcpy(&slice, behind, sizeof slice);
    slice.arguments = slice.argument_count ? (const struct argument *)(const void *)(behind + sizeof slice) : NULL;
    slice.more_flows =
        slice.more_flow_count
            ? (const uint32_t *)(const void *)(behind + sizeof slice + slice.argument_count * sizeof *slice.arguments)
            : NULL;
    switch (record->kind) {
    case RECORD_SLICE:
        return sink->calls->slice(sink->self, &slice);
    case RECORD_BEGIN:
        return sink->calls->begin(sink->self, record->id, record->parent, &slice);
    default:
        assert(record->kind == RECORD_INSTANT);
        return sink->calls->instant(sink->self, &slice);
    }
}

static status hand_on(const struct sink *sink, const struct batch *batch)
{
    status code = STATUS_OK;

    for (size_t at = 0; at < batch->used && code == STATUS_OK;) {
        const struct record *record = (const struct record *)(const void *)(batch->bytes + at);

        at += record->size;
        if (record->kind == RECORD_END)
            code = sink->calls->end(sink->self, record->id, record->time);
        else if (record->kind == RECORD_COUNTER)
            code = sink->calls->counter(sink->self, record->id, record->time, record->value);
        else
            code = hand_on_slice(sink, record);
    }
    return code;
}

static void *run(void *context)
{
    struct relay *relay = context;

    pthread_mutex_lock(&relay->lock);
    for (;;) {
        struct batch *batch = batch_at(relay, relay->done);
        status code = relay->failed;

        if (relay->stopping)
            break;
        if (relay->done == relay->handed) {
            pthread_cond_wait(&relay->filled, &relay->lock);
            continue;
        }
        pthread_mutex_unlock(&relay->lock);
        if (code == STATUS_OK)
            code = hand_on(&relay->inner.sink, batch);
        pthread_mutex_lock(&relay->lock);
        if (relay->failed == STATUS_OK && code != STATUS_OK) {
            relay->failed = code;
            strncpy(relay->message, status_message(), sizeof relay->message - 1);
        }
        batch->used = 0;
        relay->done++;
        pthread_cond_signal(&relay->emptied);
    }
    pthread_mutex_unlock(&relay->lock);
    return NULL;
}

/* ---- The reader's side ---- */

/* What the writer said, told to this thread. Locked. */
static status outcome(const struct relay *relay)
{
    return relay->failed == STATUS_OK ? STATUS_OK : status_fail(relay->failed, "%s", relay->message);
}

/* The batch that is being filled goes to the thread; the next one is empty then. */
static status hand_over(struct relay *relay)
{
    status code;

    pthread_mutex_lock(&relay->lock);
    relay->filling++;
    relay->handed = relay->filling;
    pthread_cond_signal(&relay->filled);
    while (relay->handed - relay->done == BATCHES)
        pthread_cond_wait(&relay->emptied, &relay->lock);
    code = outcome(relay);
    pthread_mutex_unlock(&relay->lock);
    return code;
}

/* Nothing is left to hand on: the writer is the caller's until it gives the next batch. */
static status drain(struct relay *relay)
{
    status code = batch_at(relay, relay->filling)->used ? hand_over(relay) : STATUS_OK;

    if (code != STATUS_OK)
        return code;
    pthread_mutex_lock(&relay->lock);
    while (relay->done != relay->handed)
        pthread_cond_wait(&relay->emptied, &relay->lock);
    code = outcome(relay);
    pthread_mutex_unlock(&relay->lock);
    return code;
}

/* Room for a record of so many bytes, BATCH at most. NULL: `*code` says why. */
static struct record *put(struct relay *relay, enum record_kind kind, size_t size, status *code)
{
    struct batch *batch = batch_at(relay, relay->filling);
    struct record *record;

    if (BATCH - batch->used < size) {
        *code = hand_over(relay);
        if (*code != STATUS_OK)
            return NULL;
        batch = batch_at(relay, relay->filling);
    }
    record = (struct record *)(void *)(batch->bytes + batch->used);
    record->kind = (uint32_t)kind;
    record->size = (uint32_t)size;
    batch->used += size;
    return record;
}

static size_t size_of(const struct slice *slice)
{
    size_t flows = slice->more_flow_count + (slice->more_flow_count & 1u); /* what follows is aligned */

    return sizeof(struct record) + sizeof *slice + slice->argument_count * sizeof *slice->arguments +
           flows * sizeof *slice->more_flows;
}

static status put_slice(struct relay *relay, enum record_kind kind, open_id id, open_id parent,
                        const struct slice *slice)
{
    status code = STATUS_OK;
    struct record *record = put(relay, kind, size_of(slice), &code);
    unsigned char *behind = (unsigned char *)(record + 1);

    if (!record)
        return code;
    record->id = id;
    record->parent = parent;
    memcpy(behind, slice, sizeof *slice);
    behind += sizeof *slice;
    if (slice->argument_count)
        memcpy(behind, slice->arguments, slice->argument_count * sizeof *slice->arguments);
    behind += slice->argument_count * sizeof *slice->arguments;
    if (slice->more_flow_count)
        memcpy(behind, slice->more_flows, slice->more_flow_count * sizeof *slice->more_flows);
    return STATUS_OK;
}

/* ---- Calls that come per event ---- */

static status on_slice(void *self, const struct slice *slice)
{
    struct relay *relay = self;
    status code;

    if (size_of(slice) <= BATCH)
        return put_slice(relay, RECORD_SLICE, NO_ID, NO_ID, slice);
    code = drain(relay);
    return code == STATUS_OK ? sink_slice(&relay->inner.sink, slice) : code;
}

static status on_begin(void *self, open_id id, open_id parent, const struct slice *slice)
{
    struct relay *relay = self;
    status code;

    if (size_of(slice) <= BATCH)
        return put_slice(relay, RECORD_BEGIN, id, parent, slice);
    code = drain(relay);
    return code == STATUS_OK ? sink_begin(&relay->inner.sink, id, parent, slice) : code;
}

static status on_instant(void *self, const struct slice *slice)
{
    struct relay *relay = self;
    status code;

    if (size_of(slice) <= BATCH)
        return put_slice(relay, RECORD_INSTANT, NO_ID, NO_ID, slice);
    code = drain(relay);
    return code == STATUS_OK ? SINK_CALL(&relay->inner.sink, instant, slice) : code;
}

static status on_end(void *self, open_id id, int64_t time)
{
    status code = STATUS_OK;
    struct record *record = put(self, RECORD_END, sizeof *record, &code);

    if (!record)
        return code;
    record->id = id;
    record->time = time;
    return STATUS_OK;
}

static status on_counter(void *self, track_id track, int64_t time, int64_t value)
{
    status code = STATUS_OK;
    struct record *record = put(self, RECORD_COUNTER, sizeof *record, &code);

    if (!record)
        return code;
    record->id = track;
    record->time = time;
    record->value = value;
    return STATUS_OK;
}

/* ---- All others ---- */

#define DRAIN_AND_CALL(self, call, ...) \
    struct relay *relay = self;         \
    status code = drain(relay);         \
                                        \
    if (code != STATUS_OK)              \
        return code;                    \
    return SINK_CALL(&relay->inner.sink, call, __VA_ARGS__)

static status on_clock(void *self, clock_id id, const struct clock *clock)
{
    DRAIN_AND_CALL(self, clock, id, clock);
}

static status on_track(void *self, const struct track *track)
{
    DRAIN_AND_CALL(self, track, track);
}

static status on_operator(void *self, const struct op *op)
{
    DRAIN_AND_CALL(self, op, op);
}

static status on_run(void *self, const struct run *one)
{
    DRAIN_AND_CALL(self, run, one);
}

static status on_step(void *self, step_id id, const struct step *step)
{
    DRAIN_AND_CALL(self, step, id, step);
}

static status on_step_end(void *self, step_id id, int64_t time)
{
    DRAIN_AND_CALL(self, step_end, id, time);
}

static status on_step_lost(void *self, step_id id)
{
    DRAIN_AND_CALL(self, step_lost, id);
}

static status on_places(void *self, const struct place_map *map)
{
    DRAIN_AND_CALL(self, places, map);
}

static status on_about(void *self, const struct about *about)
{
    DRAIN_AND_CALL(self, about, about);
}

static status on_loss(void *self, const struct losses *losses)
{
    DRAIN_AND_CALL(self, loss, losses);
}

static status on_finish(void *self)
{
    struct relay *relay = self;
    status code = drain(relay);

    return code == STATUS_OK ? sink_finish(&relay->inner.sink) : code;
}

static void take_calls(struct sink_calls *calls, const struct sink_calls *theirs)
{
    *calls = (struct sink_calls){
        .clock = theirs->clock ? on_clock : NULL,
        .track = theirs->track ? on_track : NULL,
        .op = theirs->op ? on_operator : NULL,
        .run = theirs->run ? on_run : NULL,
        .step = theirs->step ? on_step : NULL,
        .step_end = theirs->step_end ? on_step_end : NULL,
        .step_lost = theirs->step_lost ? on_step_lost : NULL,
        .slice = theirs->slice ? on_slice : NULL,
        .begin = theirs->begin ? on_begin : NULL,
        .end = theirs->end ? on_end : NULL,
        .instant = theirs->instant ? on_instant : NULL,
        .counter = theirs->counter ? on_counter : NULL,
        .places = theirs->places ? on_places : NULL,
        .about = theirs->about ? on_about : NULL,
        .loss = theirs->loss ? on_loss : NULL,
        .finish = on_finish,
        .keys = theirs->keys,
    };
}

static status add_note(void *self, const char *input, const char *text)
{
    struct relay *relay = self;
    status code = drain(relay);

    return code == STATUS_OK ? relay->inner.beside->note(relay->inner.self, input, text) : code;
}

static status add_run(void *self, const struct writer_run *one)
{
    struct relay *relay = self;
    status code = drain(relay);

    return code == STATUS_OK ? relay->inner.beside->run(relay->inner.self, one) : code;
}

static status add_table(void *self, const struct table *table)
{
    struct relay *relay = self;
    status code = drain(relay);

    return code == STATUS_OK ? relay->inner.beside->table(relay->inner.self, table) : code;
}

static const struct writer_beside beside = { .note = add_note, .run = add_run, .table = add_table };

/* Of a writer that has finished, or failed. */
static uint64_t count_events(const void *self)
{
    const struct relay *relay = self;

    return relay->inner.events(relay->inner.self);
}

/* ---- Begin and end ---- */

static void free_batches(struct relay *relay)
{
    for (unsigned i = 0; i < BATCHES; i++)
        memory_free(relay->batches[i].bytes);
}

static void free_relay(void *self)
{
    struct relay *relay = self;

    pthread_mutex_lock(&relay->lock);
    relay->stopping = true;
    pthread_cond_signal(&relay->filled);
    pthread_mutex_unlock(&relay->lock);
    pthread_join(relay->thread, NULL);
    writer_free(&relay->inner);
    pthread_cond_destroy(&relay->filled);
    pthread_cond_destroy(&relay->emptied);
    pthread_mutex_destroy(&relay->lock);
    free_batches(relay);
    memory_free(relay);
}

/* Signals are for the threads that were there before. */
static bool start_thread(struct relay *relay)
{
    sigset_t all, before;
    bool started;

    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    started = pthread_create(&relay->thread, NULL, run, relay) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return started;
}

status relay_writer(struct writer *writer)
{
    struct relay *relay = memory_allocate_clear(sizeof *relay);
    bool whole = relay != NULL;

    for (unsigned i = 0; i < BATCHES && whole; i++)
        whole = (relay->batches[i].bytes = memory_allocate(BATCH)) != NULL;
    if (!whole) {
        if (relay)
            free_batches(relay);
        memory_free(relay);
        return status_no_memory("starting a thread");
    }
    relay->inner = *writer;
    take_calls(&relay->calls, writer->sink.calls);
    pthread_mutex_init(&relay->lock, NULL);
    pthread_cond_init(&relay->filled, NULL);
    pthread_cond_init(&relay->emptied, NULL);
    if (!start_thread(relay)) {
        free_batches(relay);
        memory_free(relay);
        return STATUS_OK;
    }
    *writer = (struct writer){
        .sink = { &relay->calls, relay },
        .self = relay,
        .free = free_relay,
        .events = count_events,
        .beside = writer->beside ? &beside : NULL,
    };
    return STATUS_OK;
}
