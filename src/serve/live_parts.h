/* live_parts.h: one live source, for the files that follow it: live_recording.c, live_log.c.
 *
 * A source is filled by its own thread. What others see of it is one state, which changes at once: the thread prepares the next one by the
 * functions below, and each of them tells all that was prepared, under the lock of the list. So nobody sees the note about a trace beside
 * the trace before, or counts beside a picture that they are not of.
 *
 * An end (`LIVE_ENDED`, `LIVE_FAILED`) comes last, when the thread is done: whoever sees it may begin again.
 */
#ifndef SERVE_LIVE_PARTS_H
#define SERVE_LIVE_PARTS_H

#include <pthread.h>

#include "serve/live.h"
#include "serve/live_feed.h"

enum live_state {
    LIVE_WAITING,   /* nothing is there yet */
    LIVE_CONNECTED, /* it is being followed */
    LIVE_ENDED,     /* nothing more comes */
    LIVE_FAILED     /* it cannot be followed: `said` is why */
};

enum { LIVE_TEXT = 512, LIVE_PUBLISH_MS = 200, LIVE_QUIET_MS = 300, LIVE_LOOK_MS = 50 };

/* What a person wants to know of it. */
struct live_facts {
    char title[128];      /* the program, or the kind of log; empty: not known yet */
    char open[LIVE_TEXT]; /* zones that have not ended; empty: none, or not known */
    uint32_t pid;         /* 0: none */
    uint64_t bytes;       /* that came; 0: not counted */
    uint64_t late;        /* events that came after later ones */
    uint64_t lost;        /* rows or records that could not be used */
    uint64_t dropped;     /* records that their program had no room for */
    uint64_t unended;     /* zones that were open when their program was gone */
};

/* What others see of a source, all of the same moment. */
struct live_told {
    enum live_state state;           /* see above */
    char said[LIVE_TEXT];            /* about the state; empty: nothing */
    char note[LIVE_TEXT];            /* why this trace began, such as a file that was replaced; empty: nothing */
    struct live_facts facts;         /* the same */
    struct kept_trace *kept;         /* held; NULL: none yet */
    char trace[LIVE_ID + 1];         /* its id; empty: none */
    struct kept_trace_state picture; /* of the trace, as the facts are about it */
    int64_t fits;   /* ns that there is room for, where that is less than anybody asked for; INT64_MAX: it is not */
    uint64_t heard; /* ms: when something came of this trace last; 0: nothing */
};

struct live_source {
    struct live *live;    /* that lists it */
    char id[LIVE_ID + 1]; /* random */
    char *name;           /* as it was given; owned */
    char *token;          /* of an address, as it was given; NULL: not; owned */
    enum live_kind kind;  /* what it is */
    unsigned line;        /* to who opens it */
    unsigned number;      /* on the command line; only of those that were given there */
    bool given;           /* on the command line */
    bool running;         /* it has a thread, to be joined */
    bool done;            /* the thread has nothing more to do; locked, and set with the end that it tells */
    bool forgotten;       /* it is freed as soon as the thread has ended */
    atomic_bool stop;     /* the thread is to end */
    atomic_uint keep;     /* seconds */
    pthread_t thread;     /* fills it */
    /* Of the thread, while there is one: */
    struct live_told next; /* of which the trace is held by `told` */
    bool prepared;         /* `next` differs from what others see */
    const char *coming;    /* the note of the trace that begins next; static; NULL: none */
    /* Locked by the list: */
    struct live_told told; /* what others see */
    uint64_t version;      /* counts all changes; from 1 */
};

uint64_t live_now_ms(void);
struct callers *live_callers(const struct live_source *source);
/* Prepares a state and a text about it. */
void live_prepare(struct live_source *source, enum live_state state, const char *format, ...) PRINTF_LIKE(3, 4);
/* The same, and tells it where it or the text is another one. */
void live_say(struct live_source *source, enum live_state state, const char *format, ...) PRINTF_LIKE(3, 4);
/* Prepares what happened, which is static: others see it with the trace that begins next, and not before. */
void live_note(struct live_source *source, const char *note);
/* Another trace, which the source has a share of. Nothing about the one before remains. */
NODISCARD status live_begin(struct live_source *source, enum live_state state, struct live_feed *feed);
/* Publishes what came. If there was anything, its counts change with it. */
NODISCARD status live_publish(struct live_source *source, struct live_feed *feed, const struct live_facts *facts,
                              bool quiet);

static inline bool live_stopped(const struct live_source *source)
{
    return atomic_load(&source->stop);
}

/* Waits so long, or until the source is to end. */
void live_rest(const struct live_source *source, unsigned milliseconds);

/* Follows it until it ends. The state is theirs to say; where they fail the caller says that. */
NODISCARD status live_follow_recording(struct live_source *source);
NODISCARD status live_follow_log(struct live_source *source);

#endif
