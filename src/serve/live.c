/* live.c: the list of live sources, their threads, and who listens. */
#include "serve/live.h"

#include <assert.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/json_write.h"
#include "base/memory.h"
#include "base/number.h"
#include "serve/guard.h"
#include "serve/live_parts.h"

enum { SIGN_OF_LIFE_MS = 10000, PENDING = 8192, REST_MS = 50 };

struct listener {
    struct live *live;           /* whose */
    struct listener *next;       /* in the list */
    void (*wake)(void *context); /* there is something */
    void *context;               /* for `wake` */
    bool resting;                /* it waits for `wake` */
    uint64_t told[CALLERS_MOST]; /* the version of the source on each line */
    uint64_t told_gone;          /* how many sources had gone */
    uint64_t last;               /* ms: when it heard anything */
    char pending[PENDING];       /* bytes that are to be taken */
    size_t length, taken;        /* of pending */
};

struct live {
    pthread_mutex_t lock;                      /* of all below, and of what sources say of it */
    struct callers *callers;                   /* borrowed */
    struct live_source *sources[CALLERS_MOST]; /* by line; NULL: it is free; owned */
    struct listener *listeners;                /* linked */
    unsigned listening;                        /* how many these are */
    uint64_t versions;                         /* counts changes of all sources */
    uint64_t gone;                             /* sources that were forgotten */
    bool over;                                 /* nobody listens any more */
};

uint64_t live_now_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

void live_rest(const struct live_source *source, unsigned milliseconds)
{
    for (unsigned rested = 0; rested < milliseconds && !live_stopped(source); rested += REST_MS)
        (void)poll(NULL, 0, REST_MS);
}

struct callers *live_callers(const struct live_source *source)
{
    return source->live->callers;
}

/* ---- What sources say; locked ---------------------------------------------------------------------------------------- */

static void wake_all(struct live *live)
{
    for (struct listener *listener = live->listeners; listener; listener = listener->next) {
        if (!listener->resting)
            continue;
        listener->resting = false;
        listener->wake(listener->context);
    }
}

static void change(struct live_source *source)
{
    source->version = ++source->live->versions;
    wake_all(source->live);
}

/* All that was prepared, at once. */
static void tell(struct live_source *source, bool done)
{
    struct kept_trace *before;

    pthread_mutex_lock(&source->live->lock);
    before = source->told.kept;
    source->told = source->next;
    source->done = done;
    change(source);
    pthread_mutex_unlock(&source->live->lock);
    source->prepared = false;
    if (before != source->next.kept)
        kept_trace_drop(before);
}

static void tell_what_is_new(struct live_source *source)
{
    bool end = source->next.state == LIVE_ENDED || source->next.state == LIVE_FAILED;

    if (source->prepared && !end)
        tell(source, false);
}

static void prepare(struct live_source *source, enum live_state state, const char *format, va_list arguments)
{
    struct live_told *next = &source->next;
    char said[LIVE_TEXT];

    vsnprintf(said, sizeof said, format, arguments);
    if (state == next->state && strcmp(said, next->said) == 0)
        return;
    next->state = state;
    memcpy(next->said, said, sizeof said);
    source->prepared = true;
}

void live_prepare(struct live_source *source, enum live_state state, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    prepare(source, state, format, arguments);
    va_end(arguments);
}

void live_say(struct live_source *source, enum live_state state, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    prepare(source, state, format, arguments);
    va_end(arguments);
    tell_what_is_new(source);
}

void live_note(struct live_source *source, const char *note)
{
    source->coming = note;
}

status live_begin(struct live_source *source, enum live_state state, struct live_feed *feed)
{
    struct live_told *next = &source->next;
    struct kept_trace *made = NULL;
    char id[LIVE_ID + 1];
    status code = guard_random(id, LIVE_ID / 2);

    *feed = (struct live_feed){ 0 };
    if (code == STATUS_OK)
        code = kept_trace_new(&made);
    if (code == STATUS_OK)
        code = live_feed_start(feed, made);
    if (code != STATUS_OK) {
        kept_trace_drop(made);
        return code;
    }
    *next = (struct live_told){ .state = state, .kept = made, .fits = INT64_MAX };
    memcpy(next->trace, id, sizeof id);
    snprintf(next->note, sizeof next->note, "%s", source->coming ? source->coming : "");
    source->coming = NULL;
    source->prepared = true;
    tell_what_is_new(source);
    return STATUS_OK;
}

status live_publish(struct live_source *source, struct live_feed *feed, const struct live_facts *facts, bool quiet)
{
    int64_t keep = (int64_t)atomic_load(&source->keep) * 1000000000;
    struct live_told *next = &source->next;
    bool news;
    status code = live_feed_publish(feed, keep, quiet, &news);

    if (code != STATUS_OK)
        return code;
    if (news) {
        next->picture = kept_trace_state(feed->trace);
        next->fits = feed->fits;
        next->heard = live_now_ms();
    }
    if (news || memcmp(&next->facts, facts, sizeof *facts) != 0) {
        next->facts = *facts;
        source->prepared = true;
    }
    tell_what_is_new(source);
    return STATUS_OK;
}

/* ---- Threads --------------------------------------------------------------------------------------------------------- */

static void *follow(void *context)
{
    struct live_source *source = context;
    status code = source->kind == LIVE_ADDRESS ? live_follow_recording(source) : live_follow_log(source);

    if (code != STATUS_OK)
        live_prepare(source, LIVE_FAILED, "%s", status_message());
    else if (live_stopped(source))
        live_prepare(source, LIVE_ENDED, "it is not followed any more");
    tell(source, true);
    return NULL;
}

/* Locked, so that one that ends at once is not taken for one that is running. */
static status start_source(struct live_source *source)
{
    int error;

    assert(!source->running);
    atomic_store(&source->stop, false);
    source->done = source->forgotten = false;
    source->told.state = LIVE_WAITING;
    source->told.said[0] = '\0';
    source->next = source->told;
    error = pthread_create(&source->thread, NULL, follow, source);
    source->running = !error;
    source->done = error;
    return error ? status_fail(STATUS_INPUT, "no thread can be started: %s", strerror(error)) : STATUS_OK;
}

static void free_source(struct live_source *source)
{
    if (!source)
        return;
    assert(!source->running);
    kept_trace_drop(source->told.kept);
    memory_free(source->name);
    memory_free(source->token);
    memory_free(source);
}

static status new_source(struct live *live, unsigned line, const char *name, const char *token,
                         struct live_source **made)
{
    struct live_source *source = memory_allocate_clear(sizeof *source);
    status code = source ? guard_random(source->id, LIVE_ID / 2) : status_no_memory("following a source");

    *made = NULL;
    if (!source)
        return code;
    source->live = live;
    source->line = line;
    source->name = memory_copy_text(name);
    source->token = token ? memory_copy_text(token) : NULL;
    source->told.fits = INT64_MAX;
    atomic_init(&source->stop, false);
    atomic_init(&source->keep, LIVE_KEEP);
    if (code == STATUS_OK && (!source->name || (token && !source->token)))
        code = status_no_memory("following a source");
    if (code != STATUS_OK) {
        free_source(source);
        return code;
    }
    live->sources[line] = *made = source;
    source->version = ++live->versions;
    return STATUS_OK;
}

status live_open(struct callers *callers, const char *token, struct live **made)
{
    struct live *live = memory_allocate_clear(sizeof *live);
    status code = live ? STATUS_OK : status_no_memory("starting");

    *made = live;
    if (!live)
        return code;
    pthread_mutex_init(&live->lock, NULL);
    live->callers = callers;
    if (callers->count > CALLERS_MOST)
        return status_fail(STATUS_USAGE, "--live takes %d sources at most", CALLERS_MOST);
    for (unsigned i = 0; i < callers->count && code == STATUS_OK; i++) {
        enum live_kind kind = live_kind_of(callers->names[i]);
        struct live_source *source;

        code = new_source(live, i, callers->names[i], kind == LIVE_ADDRESS ? token : NULL, &source);
        if (code != STATUS_OK)
            break;
        source->kind = kind;
        source->given = true;
        source->number = i;
    }
    return code;
}

status live_begin_all(struct live *live)
{
    status code = STATUS_OK;

    pthread_mutex_lock(&live->lock);
    for (unsigned i = 0; i < CALLERS_MOST && code == STATUS_OK; i++)
        if (live->sources[i])
            code = start_source(live->sources[i]);
    pthread_mutex_unlock(&live->lock);
    return code;
}

void live_end_listening(struct live *live)
{
    pthread_mutex_lock(&live->lock);
    live->over = true;
    wake_all(live);
    pthread_mutex_unlock(&live->lock);
}

void live_close(struct live *live)
{
    if (!live)
        return;
    assert(!live->listeners);
    for (unsigned i = 0; i < CALLERS_MOST; i++)
        if (live->sources[i])
            atomic_store(&live->sources[i]->stop, true);
    for (unsigned i = 0; i < CALLERS_MOST; i++) {
        struct live_source *source = live->sources[i];

        if (source && source->running)
            pthread_join(source->thread, NULL);
        if (source)
            source->running = false;
        free_source(source);
    }
    pthread_mutex_destroy(&live->lock);
    memory_free(live);
}

/* Joins threads that have ended; what was forgotten is freed. Locked; they have nothing to do but to return. */
static void reap(struct live *live)
{
    for (unsigned i = 0; i < CALLERS_MOST; i++) {
        struct live_source *source = live->sources[i];

        if (!source || !source->done)
            continue;
        if (source->running)
            pthread_join(source->thread, NULL);
        source->running = false;
        if (source->forgotten) {
            live->sources[i] = NULL;
            live->gone++;
            free_source(source);
            wake_all(live);
        }
    }
}

/* ---- What is asked for ----------------------------------------------------------------------------------------------- */

static struct live_source *find(struct live *live, const char *id)
{
    for (unsigned i = 0; i < CALLERS_MOST; i++)
        if (live->sources[i] && !live->sources[i]->forgotten && strcmp(live->sources[i]->id, id) == 0)
            return live->sources[i];
    return NULL;
}

static status no_source(void)
{
    return status_fail(STATUS_NO, "there is no such source");
}

/* Another token may be the right one. */
static status start_again(struct live_source *source, const char *token)
{
    char *copy = token ? memory_copy_text(token) : NULL;

    if (token && !copy)
        return status_no_memory("following a source");
    if (token) {
        memory_free(source->token);
        source->token = copy;
    }
    return start_source(source);
}

static status connect_locked(struct live *live, const char *address, const char *token, char id[LIVE_ID + 1])
{
    struct live_source *source = NULL;
    unsigned line = CALLERS_MOST;
    status code = STATUS_OK;

    reap(live);
    for (unsigned i = CALLERS_MOST; i-- > 0;) {
        struct live_source *one = live->sources[i];

        if (!one)
            line = i;
        else if (one->kind == LIVE_ADDRESS && !one->forgotten && strcmp(one->name, address) == 0)
            source = one;
    }
    if (!source && line == CALLERS_MOST)
        return status_fail(STATUS_NO, "%d sources are followed already: end one of them first", CALLERS_MOST);
    if (!source) {
        code = new_source(live, line, address, token, &source);
        if (code == STATUS_OK)
            source->kind = LIVE_ADDRESS;
        if (code == STATUS_OK)
            code = start_source(source);
    } else if (!source->running) {
        code = start_again(source, token);
    } else if (live_stopped(source)) {
        return status_fail(STATUS_NO, "%s is just being ended: ask again in a moment", address);
    }
    if (code == STATUS_OK) {
        memcpy(id, source->id, LIVE_ID + 1);
        change(source);
    }
    return code;
}

status live_connect(struct live *live, const char *address, const char *token, char id[LIVE_ID + 1])
{
    status code;

    if (!live_is_address(address))
        return status_fail(STATUS_USAGE, "an address is HOST:PORT, as a program that records says it");
    if (token && strlen(token) >= RECORDING_TOKEN)
        return status_fail(STATUS_USAGE, "the token of a program has %d characters", RECORDING_TOKEN - 1);
    pthread_mutex_lock(&live->lock);
    code = connect_locked(live, address, token, id);
    pthread_mutex_unlock(&live->lock);
    return code;
}

status live_disconnect(struct live *live, const char *id)
{
    struct live_source *source;

    pthread_mutex_lock(&live->lock);
    source = find(live, id);
    if (source) {
        atomic_store(&source->stop, true);
        source->forgotten = !source->given;
        change(source);
        reap(live);
    }
    pthread_mutex_unlock(&live->lock);
    return source ? STATUS_OK : no_source();
}

status live_keep(struct live *live, const char *id, unsigned seconds)
{
    struct live_source *source;

    if (!seconds || seconds > LIVE_KEEP_MOST)
        return status_fail(STATUS_USAGE, "1 to %d seconds can be kept", LIVE_KEEP_MOST);
    pthread_mutex_lock(&live->lock);
    source = find(live, id);
    if (source) {
        atomic_store(&source->keep, seconds);
        change(source);
    }
    pthread_mutex_unlock(&live->lock);
    return source ? STATUS_OK : no_source();
}

struct kept_trace *live_trace(struct live *live, const char *id)
{
    struct kept_trace *found = NULL;

    pthread_mutex_lock(&live->lock);
    for (unsigned i = 0; i < CALLERS_MOST; i++) {
        const struct live_source *source = live->sources[i];

        if (source && source->told.kept && strcmp(source->told.trace, id) == 0)
            found = source->told.kept;
    }
    if (found)
        kept_trace_keep(found);
    pthread_mutex_unlock(&live->lock);
    return found;
}

static const char *const state_names[] = {
    [LIVE_WAITING] = "waiting", [LIVE_CONNECTED] = "connected", [LIVE_ENDED] = "ended", [LIVE_FAILED] = "failed"
};

static void write_text(struct json_out *out, const char *key, const char *text)
{
    json_out_text(out, key, *text ? text : NULL);
}

static void write_trace(struct json_out *out, const struct live_told *told)
{
    write_text(out, "trace", told->trace);
    json_out_unsigned(out, "generation", told->picture.generation);
    if (told->picture.generation)
        json_out_integer(out, "up_to", told->picture.end);
    else
        json_out_null(out, "up_to");
}

static void write_source(struct json_out *out, const struct live_source *source, uint64_t now)
{
    static const char *const kinds[] = { [LIVE_ADDRESS] = "program", [LIVE_FILE] = "file", [LIVE_BOARD] = "board" };
    const struct live_told *told = &source->told;
    const struct live_facts *facts = &told->facts;
    unsigned keep = atomic_load(&source->keep);

    json_out_object(out, NULL, JSON_LINES);
    json_out_text(out, "id", source->id);
    json_out_text(out, "name", source->name);
    json_out_text(out, "kind", kinds[source->kind]);
    json_out_text(out, "state", state_names[told->state]);
    write_text(out, "said", told->said);
    write_text(out, "note", told->note);
    write_text(out, "title", facts->title);
    if (facts->pid)
        json_out_unsigned(out, "pid", facts->pid);
    else
        json_out_null(out, "pid");
    write_trace(out, told);
    json_out_unsigned(out, "slices", told->picture.slices);
    json_out_unsigned(out, "forgotten", told->picture.forgotten);
    json_out_unsigned(out, "late", facts->late);
    json_out_unsigned(out, "lost", facts->lost);
    json_out_unsigned(out, "dropped", facts->dropped);
    json_out_unsigned(out, "unended", facts->unended);
    write_text(out, "open", facts->open);
    json_out_unsigned(out, "keep_s", keep);
    if (told->fits < (int64_t)keep * 1000000000)
        json_out_unsigned(out, "fits_s", (uint64_t)told->fits / 1000000000);
    else
        json_out_null(out, "fits_s");
    if (told->heard)
        json_out_unsigned(out, "silent_ms", now - told->heard);
    else
        json_out_null(out, "silent_ms");
    json_out_truth(out, "given", source->given);
    json_out_truth(out, "following", source->running && !source->done);
    json_out_end(out);
}

void live_write_list(struct live *live, struct output *output)
{
    unsigned room = 0;
    struct json_out out;
    uint64_t now;

    json_out_start(&out, output);
    json_out_object(&out, NULL, JSON_LINES);
    pthread_mutex_lock(&live->lock);
    now = live_now_ms();
    json_out_array(&out, "sources", JSON_LINES);
    for (unsigned i = 0; i < CALLERS_MOST; i++) {
        room += !live->sources[i];
        if (live->sources[i] && !live->sources[i]->forgotten)
            write_source(&out, live->sources[i], now);
    }
    json_out_end(&out);
    pthread_mutex_unlock(&live->lock);
    json_out_unsigned(&out, "room", room);
    json_out_end(&out);
    json_out_finish(&out);
}

/* ---- Listeners ------------------------------------------------------------------------------------------------------- */

status listener_new(struct live *live, void (*wake)(void *context), void *context, struct listener **made)
{
    struct listener *listener = memory_allocate_clear(sizeof *listener);
    status code = listener ? STATUS_OK : status_no_memory("listening");

    *made = NULL;
    if (!listener)
        return code;
    *listener = (struct listener){ .live = live, .wake = wake, .context = context, .last = live_now_ms() };
    pthread_mutex_lock(&live->lock);
    if (live->over || live->listening == LIVE_LISTENERS) {
        code = status_fail(STATUS_NO, "%d pages listen already", LIVE_LISTENERS);
    } else {
        listener->next = live->listeners;
        live->listeners = listener;
        live->listening++;
        listener->told_gone = live->gone;
        *made = listener;
    }
    pthread_mutex_unlock(&live->lock);
    if (code != STATUS_OK)
        memory_free(listener);
    return code;
}

void listener_free(struct listener *listener)
{
    struct live *live = listener->live;

    pthread_mutex_lock(&live->lock);
    for (struct listener **place = &live->listeners; *place; place = &(*place)->next) {
        if (*place == listener) {
            *place = listener->next;
            live->listening--;
            break;
        }
    }
    pthread_mutex_unlock(&live->lock);
    memory_free(listener);
}

/* One event: what is new of a source; of none: one of those that were there is gone. */
static void add_event(struct listener *listener, const struct live_source *source)
{
    size_t room = sizeof listener->pending - listener->length;
    const struct live_told *told = source ? &source->told : NULL;
    int written;

    if (told)
        written = snprintf(
            listener->pending + listener->length, room,
            "data: {\"source\":\"%s\",\"state\":\"%s\",\"trace\":\"%s\",\"generation\":%llu,\"up_to\":%lld}\n\n",
            source->id, state_names[told->state], told->trace, (unsigned long long)told->picture.generation,
            (long long)told->picture.end);
    else
        written = snprintf(listener->pending + listener->length, room, "data: {\"source\":null}\n\n");
    assert(written > 0 && (size_t)written < room && "there is room for an event of every source");
    listener->length += (size_t)written;
}

static void compose(struct listener *listener)
{
    struct live *live = listener->live;

    listener->length = listener->taken = 0;
    for (unsigned i = 0; i < CALLERS_MOST; i++) {
        const struct live_source *source = live->sources[i];

        if (!source || listener->told[i] == source->version)
            continue;
        listener->told[i] = source->version;
        add_event(listener, source);
    }
    if (listener->told_gone != live->gone)
        add_event(listener, NULL);
    listener->told_gone = live->gone;
    /* A comment: whoever is gone is found out by it. */
    if (!listener->length && live_now_ms() - listener->last >= SIGN_OF_LIFE_MS) {
        memcpy(listener->pending, ":\n\n", 3);
        listener->length = 3;
    }
}

ssize_t listener_take(struct listener *listener, char *to, size_t room, void (*rest)(void *context))
{
    struct live *live = listener->live;
    ssize_t given = -1;

    pthread_mutex_lock(&live->lock);
    if (listener->taken == listener->length)
        compose(listener);
    if (!live->over) {
        size_t left = listener->length - listener->taken;

        left = left < room ? left : room;
        memcpy(to, listener->pending + listener->taken, left);
        listener->taken += left;
        given = (ssize_t)left;
        if (left)
            listener->last = live_now_ms();
        listener->resting = !left;
        if (!left)
            rest(listener->context);
    }
    pthread_mutex_unlock(&live->lock);
    return given;
}

void live_tick(struct live *live)
{
    uint64_t now;

    pthread_mutex_lock(&live->lock);
    now = live_now_ms();
    reap(live);
    for (struct listener *listener = live->listeners; listener; listener = listener->next) {
        if (!listener->resting || now - listener->last < SIGN_OF_LIFE_MS)
            continue;
        listener->resting = false;
        listener->wake(listener->context);
    }
    pthread_mutex_unlock(&live->lock);
}
