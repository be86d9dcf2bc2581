/* zone.h: mark what a program does, and have it recorded so that nothing is lost when the program is killed.
 *
 *     #include <tacho/zone.h>
 *
 *     void infer(void)
 *     {
 *         TACHO_RUN("inference");                // one run of the model, until the end of the block
 *         {
 *             TACHO_ZONE("load weights");        // a zone, until the end of the block
 *             TACHO_INTEGER("bytes", size);      // an argument of the innermost zone
 *             load();
 *         }
 *         compute();
 *     }
 *
 * Nothing is recorded until TACHO_RECORD=PATH is in the environment, `tacho record -- COMMAND` runs the program, or it calls
 * tacho_record_start. Until then a zone costs one branch; with TACHO_DISABLE defined nothing of it is compiled. Link with
 * `pkg-config --libs tacho-record`, or add the one file tacho_record.c to the program.
 *
 * Threads and signals: everything here may be called from any thread, and from signal handlers, at any time. A zone ends on the thread
 * on which it began. No call takes a lock, allocates or enters the kernel for an event; once in 4000 events a thread takes a new chunk
 * of the file.
 *
 * Failure: no call here fails. What could not be recorded (a full disk, the cap on the file's size) is counted, and every reader of the
 * recording shows it. Texts are copied when the call is made, except names in static call sites, which must stay.
 */
#ifndef TACHO_ZONE_H
#define TACHO_ZONE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifndef TACHO_RECORD_API
#define TACHO_RECORD_API __attribute__((visibility("default")))
#endif
#define TACHO_INLINE \
    static inline __attribute__((no_instrument_function)) /* also in programs whose functions are recorded */

/* ---- call sites and zones ----------------------------------------------------------------------------------------- */

enum tacho_site_flags {
    TACHO_SITE_RUN = 1,     /* its zones, or its frames from mark to mark, are runs of the model */
    TACHO_SITE_OP = 2,      /* its zones are ops: see ops.h */
    TACHO_SITE_OP_CALL = 4, /* its zones are calls of an API inside an op: see ops.h */
    TACHO_SITE_FUNCTION = 8 /* a function that the compiler marked */
};

/* A place in the program; static, and never moved. The name is the operator's in every table. */
struct tacho_site {
    const char *name;     /* of its zones */
    const char *function; /* that it stands in; "": none */
    const char *file;     /* the same; "": none */
    uint32_t line;        /* in the file; 0: unknown */
    uint32_t color;       /* 0xRRGGBB; 0: any */
    uint32_t flags;       /* enum tacho_site_flags */
    uint32_t id;          /* 0: not used yet; the recorder fills it */
};

/* A zone that was begun. */
struct tacho_zone {
    uint32_t site; /* id of its site; 0: it is not recorded */
};

/* ---- turning it on and off ----------------------------------------------------------------------------------------- */

struct tacho_record_options {
    const char *path;     /* of the file; a folder or a name that ends with "/": a file of its own in it */
    uint64_t ring_mb;     /* keep only the last so many MB; 0: everything */
    uint64_t cap_mb;      /* size that the file may have; 0: 8192 */
    uint64_t prefault_mb; /* that are made ready ahead; 0: 16 */
    const char *live;     /* "[ADDRESS:]PORT" that viewers may attach to; NULL: none */
    bool monotonic;       /* the system's clock instead of the CPU's counter */
    const char *children; /* folder that children of fork record to; NULL: beside the path */
};

/* 0, or -1 and tacho_record_error says why. The environment has the same options: TACHO_RECORD (the path), TACHO_RING, TACHO_CAP,
 * TACHO_PREFAULT (MB), TACHO_LIVE, TACHO_CLOCK=monotonic; it is looked at when the program starts. One recording at a time. */
TACHO_RECORD_API int tacho_record_start(const struct tacho_record_options *options);
TACHO_RECORD_API void tacho_record_stop(void);         /* seals and closes the file; also done when the program exits */
TACHO_RECORD_API const char *tacho_record_path(void);  /* of the file; "": not recording. Valid until the next start */
TACHO_RECORD_API const char *tacho_record_error(void); /* why the last start failed, of this thread */
/* So many zones took so many ticks of tacho_recorder_time, by whoever has more to do for a zone than the calls below. Readers tell what
 * share recording had; without this it is of the calls alone. */
TACHO_RECORD_API void tacho_record_cost(uint64_t ticks, uint64_t zones);
/* Where viewers attach: "127.0.0.1:8086"; "": nobody can. */
TACHO_RECORD_API const char *tacho_record_live_address(void);
/* What a viewer must show; it is also in a file that only this user can read. "": nobody can attach. */
TACHO_RECORD_API const char *tacho_record_live_token(void);

/* ---- inside: what the calls below are made of ---------------------------------------------------------------------- */

struct tacho_recorder {
    uint32_t session; /* 0: not recording; another number for each recording */
    uint32_t counter; /* not 0: times are of the CPU's counter */
};

struct tacho_recorder_thread {
    uintptr_t next;   /* where the next slot of this thread is */
    uint32_t session; /* that `next` belongs to */
};

extern TACHO_RECORD_API struct tacho_recorder tacho_recorder;
extern TACHO_RECORD_API __thread struct tacho_recorder_thread tacho_recorder_thread
    __attribute__((tls_model("initial-exec")));

TACHO_RECORD_API uint32_t tacho_recorder_site(struct tacho_site *site);          /* the site gets its id */
TACHO_RECORD_API uint64_t *tacho_recorder_slots(uint32_t session, size_t bytes); /* NULL: dropped and counted */
TACHO_RECORD_API uint64_t tacho_recorder_clock(void);

/* One slot after another, and also where a signal handler comes in between: one instruction, without a lock. */
TACHO_INLINE uintptr_t tacho_recorder_advance(uintptr_t *next, uintptr_t bytes)
{
#if defined(__x86_64__) && !defined(__SANITIZE_THREAD__)
    __asm__ volatile("xaddq %0, %1" : "+r"(bytes), "+m"(*next) : : "cc");
    return bytes;
#else
    return __atomic_fetch_add(next, bytes, __ATOMIC_RELAXED);
#endif
}

TACHO_INLINE uint64_t tacho_recorder_time(void)
{
    if (__builtin_expect(!__atomic_load_n(&tacho_recorder.counter, __ATOMIC_RELAXED), 0))
        return tacho_recorder_clock();
#if defined(__x86_64__)
    return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
    uint64_t ticks;
    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
    return ticks;
#else
    return tacho_recorder_clock();
#endif
}

enum {
    TACHO_RECORDER_CHUNK = 65536, /* bytes; where slots may begin in it: */
    TACHO_RECORDER_FIRST = 64,
    TACHO_RECORDER_END = 65536 - 1024,
    TACHO_RECORDER_BEGIN = 1, /* kinds of slots */
    TACHO_RECORDER_ENDING = 2,
    TACHO_RECORDER_FRAME = 5
};

TACHO_INLINE uint64_t *tacho_recorder_slot(uint32_t session)
{
    if (__builtin_expect(tacho_recorder_thread.session == session, 1)) {
        uintptr_t at = tacho_recorder_advance(&tacho_recorder_thread.next, 16);

        if (__builtin_expect((at & (TACHO_RECORDER_CHUNK - 1)) - TACHO_RECORDER_FIRST <
                                 TACHO_RECORDER_END - TACHO_RECORDER_FIRST,
                             1))
            return (uint64_t *)at;
    }
    return tacho_recorder_slots(session, 16);
}

/* The tag makes the slot count, so it comes last. Its lap is that of the chunk that the slot lies in. */
TACHO_INLINE void tacho_recorder_put(uint64_t *slot, uint64_t word, uint64_t kind, uint32_t id)
{
    const uint64_t *chunk = (const uint64_t *)((uintptr_t)slot & ~(uintptr_t)(TACHO_RECORDER_CHUNK - 1));

    __atomic_store_n(&slot[0], word, __ATOMIC_RELAXED);
    __atomic_store_n(&slot[1], kind << 56 | chunk[1] | id, __ATOMIC_RELEASE);
}

/* ---- zones --------------------------------------------------------------------------------------------------------- */

TACHO_INLINE struct tacho_zone tacho_zone_begin(struct tacho_site *site)
{
    uint32_t session = __atomic_load_n(&tacho_recorder.session, __ATOMIC_RELAXED);
    struct tacho_zone zone = { 0 };
    uint64_t *slot;

    if (__builtin_expect(!session, 1))
        return zone;
    zone.site = __atomic_load_n(&site->id, __ATOMIC_ACQUIRE);
    if (__builtin_expect(!zone.site, 0) && !(zone.site = tacho_recorder_site(site)))
        return zone;
    slot = tacho_recorder_slot(session);
    if (__builtin_expect(!slot, 0)) {
        zone.site = 0;
        return zone;
    }
    tacho_recorder_put(slot, tacho_recorder_time(), TACHO_RECORDER_BEGIN, zone.site);
    return zone;
}

TACHO_INLINE void tacho_zone_end(struct tacho_zone zone)
{
    uint32_t session;
    uint64_t time;
    uint64_t *slot;

    if (!zone.site || !(session = __atomic_load_n(&tacho_recorder.session, __ATOMIC_RELAXED)))
        return;
    time = tacho_recorder_time();
    slot = tacho_recorder_slot(session);
    if (__builtin_expect(slot != NULL, 1))
        tacho_recorder_put(slot, time, TACHO_RECORDER_ENDING, zone.site);
}

TACHO_INLINE bool tacho_recording(void)
{
    return __atomic_load_n(&tacho_recorder.session, __ATOMIC_RELAXED) != 0;
}

/* A zone whose name is made while the program runs; its site tells where. */
TACHO_RECORD_API struct tacho_zone tacho_zone_begin_named(struct tacho_site *site, const char *name, size_t length);

/* Of the innermost open zone of this thread: a name, a colour, arguments. A key may be given as a site that is used again and again
 * (name: the key), or as a text. */
TACHO_RECORD_API void tacho_zone_name(const char *name, size_t length);
TACHO_RECORD_API void tacho_zone_color(uint32_t color);
TACHO_RECORD_API void tacho_integer(struct tacho_site *key, int64_t value);
TACHO_RECORD_API void tacho_unsigned(struct tacho_site *key, uint64_t value);
TACHO_RECORD_API void tacho_decimal(struct tacho_site *key, double value);
TACHO_RECORD_API void tacho_text(struct tacho_site *key, const char *text, size_t length);
TACHO_RECORD_API void tacho_integer_of(const char *key, int64_t value);
TACHO_RECORD_API void tacho_unsigned_of(const char *key, uint64_t value);
TACHO_RECORD_API void tacho_decimal_of(const char *key, double value);
TACHO_RECORD_API void tacho_text_of(const char *key, const char *text, size_t length);
/* Zones with the same number are joined by an arrow, in order of time. Not 0. */
TACHO_RECORD_API void tacho_flow(uint64_t number);

/* ---- what is not a zone -------------------------------------------------------------------------------------------- */

TACHO_RECORD_API void tacho_instant(struct tacho_site *site);
TACHO_RECORD_API void tacho_message(const char *text, size_t length);
TACHO_RECORD_API void tacho_counter_integer(struct tacho_site *counter, int64_t value);
TACHO_RECORD_API void tacho_counter_decimal(struct tacho_site *counter, double value);
TACHO_RECORD_API void tacho_counter_of(const char *name,
                                       double value);             /* of a name that is made while the program runs */
TACHO_RECORD_API void tacho_frame(struct tacho_site *site);       /* a frame ends, the next begins */
TACHO_RECORD_API void tacho_frame_begin(struct tacho_site *site); /* frames with gaps between them */
TACHO_RECORD_API void tacho_frame_end(struct tacho_site *site);
/* Something that begins on one thread and may end on another: `number` tells it from others of the same site. */
TACHO_RECORD_API void tacho_async_begin(struct tacho_site *site, uint64_t number);
TACHO_RECORD_API void tacho_async_end(struct tacho_site *site, uint64_t number);
TACHO_RECORD_API void tacho_thread_name(const char *name);
TACHO_RECORD_API void tacho_process_name(const char *name);

/* Many short zones as one record: how many there were, and their time in all. One thread. */
struct tacho_sum {
    struct tacho_site *site; /* of the sum */
    uint64_t first;          /* begin of the first zone */
    uint64_t last;           /* end of the last one */
    uint64_t ticks;          /* in all */
    uint64_t count;          /* zones */
    uint64_t begun;          /* when the open one began */
};

TACHO_INLINE void tacho_sum_begin(struct tacho_sum *sum)
{
    if (__builtin_expect(!tacho_recording(), 1))
        return;
    sum->begun = tacho_recorder_time();
    if (!sum->count)
        sum->first = sum->begun;
}

TACHO_INLINE void tacho_sum_end(struct tacho_sum *sum)
{
    if (__builtin_expect(!sum->begun, 1))
        return;
    sum->last = tacho_recorder_time();
    sum->ticks += sum->last - sum->begun;
    sum->count++;
    sum->begun = 0;
}

TACHO_RECORD_API void tacho_sum_flush(struct tacho_sum *sum); /* records it and begins anew */

/* Lines of other clocks: devices. The recording ties their clock to its own by what you saw of both. */
TACHO_RECORD_API uint32_t tacho_clock_add(const char *name,
                                          uint64_t ticks_per_second); /* 0: unknown. Gives 0: not recording */
TACHO_RECORD_API void tacho_clock_tie(uint32_t clock, uint64_t before_ns, uint64_t ticks,
                                      uint64_t after_ns); /* CLOCK_MONOTONIC */
TACHO_RECORD_API uint32_t tacho_track_add(uint32_t clock,
                                          const char *name); /* levels of the name are separated by "/" */
TACHO_RECORD_API void tacho_track_slice(uint32_t track, const char *name, uint64_t start, uint64_t end);
TACHO_RECORD_API void tacho_track_instant(uint32_t track, const char *name, uint64_t time);

#ifdef __cplusplus
}
#endif

/* ---- macros: a static site each ------------------------------------------------------------------------------------ */

#define TACHO_JOIN_(a, b) a##b
#define TACHO_JOIN(a, b) TACHO_JOIN_(a, b)

#ifndef TACHO_DISABLE

TACHO_INLINE void tacho_zone_leave(struct tacho_zone *zone)
{
    tacho_zone_end(*zone);
}

/* A static site of this place in the source. */
#define TACHO_SITE(variable, name, color, flags) \
    static struct tacho_site variable = { (name), __func__, __FILE__, __LINE__, (color), (flags), 0 }
#define TACHO_SCOPED(variable) __attribute__((cleanup(tacho_zone_leave), unused)) struct tacho_zone variable
#define TACHO_SCOPED_SITE(name, color, flags) TACHO_SCOPED_COUNTED(__COUNTER__, name, color, flags)
#define TACHO_SCOPED_COUNTED(n, name, color, flags)             \
    TACHO_SITE(TACHO_JOIN(tacho_site_, n), name, color, flags); \
    TACHO_SCOPED(TACHO_JOIN(tacho_zone_, n)) = tacho_zone_begin(&TACHO_JOIN(tacho_site_, n))
#define TACHO_SCOPED_NAMED(n, text)                                    \
    TACHO_SITE(TACHO_JOIN(tacho_site_, n), __func__, 0, 0);            \
    const char *TACHO_JOIN(tacho_text_, n) = (text);                   \
    TACHO_SCOPED(TACHO_JOIN(tacho_zone_, n)) = tacho_zone_begin_named( \
        &TACHO_JOIN(tacho_site_, n), TACHO_JOIN(tacho_text_, n), strlen(TACHO_JOIN(tacho_text_, n)))
#define TACHO_WITH_SITE(name, call)         \
    do {                                    \
        TACHO_SITE(tacho_here, name, 0, 0); \
        if (tacho_recording())              \
            call;                           \
    } while (0)

/* Until the end of the block. Names are literals. */
#define TACHO_ZONE(name) TACHO_SCOPED_SITE(name, 0, 0)
#define TACHO_ZONE_COLOR(name, color) TACHO_SCOPED_SITE(name, color, 0)
#define TACHO_FUNCTION() TACHO_SCOPED_SITE(__func__, 0, 0)         /* named after the function */
#define TACHO_RUN(name) TACHO_SCOPED_SITE(name, 0, TACHO_SITE_RUN) /* one inference */
/* The same with a name that is made while the program runs. */
#define TACHO_ZONE_NAMED(text) TACHO_SCOPED_NAMED(__COUNTER__, text)
/* Not bound to a block: TACHO_BEGIN(zone, "name"); ... TACHO_END(zone); */
#define TACHO_BEGIN(variable, name)                               \
    TACHO_SITE(TACHO_JOIN(tacho_site_of_, variable), name, 0, 0); \
    struct tacho_zone variable = tacho_zone_begin(&TACHO_JOIN(tacho_site_of_, variable))
#define TACHO_END(variable) tacho_zone_end(variable)

#define TACHO_INTEGER(key, value) TACHO_WITH_SITE(key, tacho_integer(&tacho_here, (value)))
#define TACHO_UNSIGNED(key, value) TACHO_WITH_SITE(key, tacho_unsigned(&tacho_here, (value)))
#define TACHO_DECIMAL(key, value) TACHO_WITH_SITE(key, tacho_decimal(&tacho_here, (value)))
#define TACHO_TEXT(key, text)                                                                      \
    do {                                                                                           \
        const char *tacho_here_value = (text);                                                     \
        TACHO_WITH_SITE(key, tacho_text(&tacho_here, tacho_here_value, strlen(tacho_here_value))); \
    } while (0)
#define TACHO_FLOW(number) tacho_flow(number)

#define TACHO_INSTANT(name) TACHO_WITH_SITE(name, tacho_instant(&tacho_here))
#define TACHO_MESSAGE(text)                                      \
    do {                                                         \
        const char *tacho_here_text = (text);                    \
        tacho_message(tacho_here_text, strlen(tacho_here_text)); \
    } while (0)
#define TACHO_COUNTER(name, value) TACHO_WITH_SITE(name, tacho_counter_integer(&tacho_here, (value)))
#define TACHO_COUNTER_DECIMAL(name, value) TACHO_WITH_SITE(name, tacho_counter_decimal(&tacho_here, (value)))
#define TACHO_FRAME(name) TACHO_WITH_SITE(name, tacho_frame(&tacho_here))
#define TACHO_FRAME_BEGIN(name) TACHO_WITH_SITE(name, tacho_frame_begin(&tacho_here))
#define TACHO_FRAME_END(name) TACHO_WITH_SITE(name, tacho_frame_end(&tacho_here))
#define TACHO_ASYNC_BEGIN(name, number) TACHO_WITH_SITE(name, tacho_async_begin(&tacho_here, (number)))
#define TACHO_ASYNC_END(name, number) TACHO_WITH_SITE(name, tacho_async_end(&tacho_here, (number)))

/* TACHO_SUM(pixels, "pixels"); for (...) { tacho_sum_begin(&pixels); ...; tacho_sum_end(&pixels); }: one record at the end of the block. */
#define TACHO_SUM(variable, name)                                 \
    TACHO_SITE(TACHO_JOIN(tacho_site_of_, variable), name, 0, 0); \
    __attribute__((cleanup(                                       \
        tacho_sum_flush))) struct tacho_sum variable = { &TACHO_JOIN(tacho_site_of_, variable), 0, 0, 0, 0, 0 }

#else
#include "zone_disabled.h"
#endif

#endif
