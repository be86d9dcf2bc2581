/* calls.c: the calls of a thread that are open: what begins and ends, told to the recorder.
 *
 * The recorder is told of an end with the number of its site, so that the last zone of that site ends. Calls are kept here besides, since the
 * interpreter tells ends of calls that began before it was asked to, and lines and coroutines end in other ways than they begin. An end looks
 * for its begin by the owner, from the innermost call outward, and takes with it what is open inside: whatever the program does to its
 * stack, the recording nests.
 *
 * Where short calls are left out, a begin waits until its call has lasted long enough. Calls around one that did have lasted longer, so
 * they are told first, and the recording is in the order of time.
 */
#include "record.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static _Thread_local struct calls *here __attribute__((tls_model("initial-exec")));
static pthread_key_t leaving; /* its destructor runs when a thread ends */
static pthread_once_t leaving_once = PTHREAD_ONCE_INIT;
static uint32_t epoch; /* of the recording: counts how often what is open was forgotten */

static struct tacho_site waiting = { .name = "(waiting for a CPU)", .function = "", .file = "" };
static struct tacho_site raised_key = { .name = "raised", .function = "", .file = "" };

static struct {
    uint32_t attached; /* threads that are. One that ends, without the interpreter's lock, is none any more */
    uint32_t joined;   /* threads that joined a part and have not noticed its end; the same */
    uint64_t number;   /* of the part that goes on, or of the last one */
} parts;

static void free_calls(void *left)
{
    struct calls *calls = left;

    if (calls->enabled)
        __atomic_sub_fetch(&parts.attached, 1, __ATOMIC_RELAXED);
    if (calls->part)
        __atomic_sub_fetch(&parts.joined, 1, __ATOMIC_RELAXED);
    free(calls->open);
    free(calls);
    here = NULL;
}

static void make_leaving(void)
{
    (void)pthread_key_create(&leaving, free_calls);
}

/* The first call of a thread; there is nothing to be done without this little memory. */
static struct calls *make_calls(void)
{
    here = calloc(1, sizeof *here);
    if (!here)
        Py_FatalError("tacho: no memory for a thread");
    (void)pthread_once(&leaving_once, make_leaving);
    (void)pthread_setspecific(leaving, here);
    return here;
}

/* ---- Parts of the program that are recorded ------------------------------------------------------------------------ */

bool part_goes_on(void)
{
    return __atomic_load_n(&parts.attached, __ATOMIC_RELAXED) > 0;
}

bool part_lingers(void)
{
    return !part_goes_on() && __atomic_load_n(&parts.joined, __ATOMIC_RELAXED);
}

/* A later part has another number. */
bool part_records(const struct calls *calls)
{
    return calls->enabled || (calls->part && calls->part == parts.number && part_goes_on());
}

void part_attach(struct calls *calls)
{
    if (!calls->enabled++ && !__atomic_fetch_add(&parts.attached, 1, __ATOMIC_RELAXED))
        parts.number++;
}

void part_detach(struct calls *calls)
{
    if (calls->enabled && !--calls->enabled)
        __atomic_sub_fetch(&parts.attached, 1, __ATOMIC_RELAXED);
}

void part_join(struct calls *calls)
{
    if (!calls->part)
        __atomic_add_fetch(&parts.joined, 1, __ATOMIC_RELAXED);
    calls->part = parts.number;
}

static void notice_end(struct calls *calls)
{
    __atomic_sub_fetch(&parts.joined, 1, __ATOMIC_RELAXED);
    calls->part = 0;
    calls_cut(calls);
}

/* Nobody is left who could say that the part is over. */
void part_forked(struct calls *calls)
{
    if (!calls->enabled && part_records(calls))
        calls->enabled = 1;
    parts.attached = calls->enabled > 0;
    parts.joined = calls->part != 0;
}

/* ---- What is open -------------------------------------------------------------------------------------------------- */

struct calls *calls_here(void)
{
    struct calls *calls = here ? here : make_calls();

    if (calls->epoch != epoch) {
        calls->epoch = epoch;
        calls->count = calls->told = calls->depth = 0;
        calls->naming = 0;
        calls->clock = (struct clock_thread){ 0 };
    }
    if (__builtin_expect(calls->part && !part_records(calls), 0))
        notice_end(calls);
    return calls;
}

void calls_forget(void)
{
    epoch++;
}

/* One more; NULL: no memory for it. */
static struct call *push(struct calls *calls, const void *owner, uint32_t site)
{
    struct call *call;

    if (calls->count == calls->capacity) {
        size_t capacity = calls->capacity ? 2 * calls->capacity : 256;
        struct call *grown = realloc(calls->open, capacity * sizeof *grown);

        if (!grown)
            return NULL;
        calls->open = grown;
        calls->capacity = capacity;
    }
    call = &calls->open[calls->count++];
    *call = (struct call){ .owner = owner, .site = site };
    return call;
}

static void tell(uint64_t kind, uint32_t number, uint64_t time)
{
    uint32_t session = __atomic_load_n(&tacho_recorder.session, __ATOMIC_RELAXED);
    uint64_t *slot = session ? tacho_recorder_slot(session) : NULL;

    if (slot)
        tacho_recorder_put(slot, time, kind, number);
}

/* Begins that wait; the calls around one that is told come before it. */
static void tell_begins(struct calls *calls)
{
    for (; calls->told < calls->count; calls->told++)
        if (calls->open[calls->told].site)
            tell(TACHO_RECORDER_BEGIN, calls->open[calls->told].site, calls->open[calls->told].begin);
}

/* A zone inside of the call that was going on, where the system kept it waiting. */
static void tell_waited(struct calls *calls, uint64_t now, uint64_t waited)
{
    uint32_t number = waiting.id ? waiting.id : tacho_recorder_site(&waiting);

    if (!number || waited < settings.min_duration)
        return;
    if (settings.min_duration)
        tell_begins(calls);
    tell(TACHO_RECORDER_BEGIN, number, now - waited);
    tell(TACHO_RECORDER_ENDING, number, now);
}

/* The time of an event. */
static uint64_t hear(struct calls *calls)
{
    uint64_t now = tacho_recorder_time(), waited = clock_waited(&calls->clock, now);

    calls->clock.heard = now;
    if (__builtin_expect(waited > 0, 0))
        tell_waited(calls, now, waited);
    return now;
}

void call_begin(struct calls *calls, const void *owner, uint32_t site)
{
    uint64_t now = hear(calls);
    struct call *call = push(calls, owner, calls->depth < settings.max_depth ? site : SITE_NONE);

    if (!call || !call->site)
        return;
    calls->depth++;
    call->begin = now;
    if (!settings.min_duration)
        tell(TACHO_RECORDER_BEGIN, site, now);
}

void call_begin_zone(struct calls *calls, const void *owner, uint32_t site)
{
    uint64_t now = hear(calls);
    struct call *call = push(calls, owner, site);

    if (call)
        call->marked = true;
    if (!call || !site)
        return;
    calls->depth++;
    call->begin = now;
    if (settings.min_duration)
        tell_begins(calls);
    else
        tell(TACHO_RECORDER_BEGIN, site, now);
}

/* The innermost call ends. */
static void end_last(struct calls *calls, uint64_t now, const char *raised)
{
    const struct call *call = &calls->open[calls->count - 1];

    if (call->site) {
        if (settings.min_duration && calls->told < calls->count && now - call->begin >= settings.min_duration)
            tell_begins(calls);
        if (!settings.min_duration || calls->told == calls->count) {
            if (raised)
                tacho_text(&raised_key, raised, strlen(raised));
            tell(TACHO_RECORDER_ENDING, call->site, now);
        }
        calls->depth--;
    }
    calls->count--;
    if (calls->told > calls->count)
        calls->told = calls->count;
}

void call_end(struct calls *calls, const void *owner, const char *raised)
{
    size_t at = calls->count;

    while (at && calls->open[at - 1].owner != owner)
        at--;
    if (!at)
        return;
    calls_end_inner(calls, at);
    end_last(calls, hear(calls), raised);
}

/* Its owner is told apart from that of the function around it: the address behind it, where nothing begins. */
void call_line(struct calls *calls, const void *owner, uint32_t site)
{
    const void *line = (const char *)owner + 1;

    if (calls->count && calls->open[calls->count - 1].owner == line)
        end_last(calls, hear(calls), NULL);
    call_begin(calls, line, site);
}

bool call_is_open(const struct calls *calls, const void *owner)
{
    for (size_t at = calls->count; at; at--)
        if (calls->open[at - 1].owner == owner)
            return true;
    return false;
}

void calls_end_inner(struct calls *calls, size_t count)
{
    while (calls->count > count)
        end_last(calls, hear(calls), NULL);
}

void calls_cut(struct calls *calls)
{
    while (calls->count && !calls->open[calls->count - 1].marked)
        end_last(calls, hear(calls), NULL);
}
