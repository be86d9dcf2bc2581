/* format.h: what a recording (.tacho) is, byte by byte. doc/formats/recording.md says the same in prose; the recorder writes it, the
 * reader `tacho-recording` reads it, and neither knows more of the other than this file.
 *
 * A recording is a file of chunks of 64 KiB, little endian. Chunk 0 is the head of the file; the others belong to threads, which fill
 * them from front to back with slots of 16 bytes:
 *
 *     chunk 0   head: who recorded, ties of the clock, a line per thread
 *     chunk 1   | chunk head 64 B | slot | slot | slot | ... | room that signal handlers may overrun |
 *     chunk 2   ...
 *
 *     slot      | 8 bytes: time, or a value | kind 8 | lap 8 | length 16 | id 32 |
 *                                             └──────────── the tag ───────────┘
 *
 * The tag is stored last, with release order. A tag of 0, or of another lap than its chunk's, is a hole: its writer was interrupted and
 * never came back; the slots behind it count. A record is a slot, with `length` bytes of text in slots of kind TEXT behind it, or with
 * values in slots of kind VALUE. Such groups lie in one piece, and their first slot is written last.
 *
 * Several processes, and several launches, are recordings one behind the other: where a chunk begins with RECORDING_MAGIC, the next one
 * begins, and chunks are counted from there.
 *
 * The file stays whole when its writer is killed: every store goes into a shared mapping. What a killed process leaves differs from a
 * finished recording only in what the head says (state, last tie), in chunks that are not sealed, and in empty chunks at the end.
 */
#ifndef RECORD_FORMAT_H
#define RECORD_FORMAT_H

#include <stdint.h>

enum {
    RECORDING_VERSION = 1,
    RECORDING_CHUNK = 65536,   /* bytes of a chunk, a power of two: the chunk of a slot is found from its address */
    RECORDING_CHUNK_HEAD = 64, /* bytes before its first slot */
    RECORDING_CHUNK_ROOM =
        1024, /* bytes at its end that a slot is never in: each nested signal handler may overrun by one record */
    RECORDING_SLOT = 16,         /* bytes */
    RECORDING_SLOT_TEXT = 14,    /* bytes of text in a slot of kind TEXT: 8, then the lower 6 of the tag */
    RECORDING_TEXT_MOST = 16384, /* bytes of text behind one record; the recorder cuts what is longer */
    RECORDING_TIES = 512,        /* that the head has room for */
    RECORDING_THREADS = 2048     /* the same; threads beyond share the last line */
};

#define RECORDING_MAGIC "tachorec"        /* the first 8 bytes of the file */
#define RECORDING_CHUNK_MAGIC 0x4b484354u /* "TCHK": of a chunk that was handed out */

enum recording_state {
    RECORDING_OPEN = 1,  /* being written, or its process was killed */
    RECORDING_CLOSED = 2 /* finished: the last tie is of its end */
};

enum recording_clock {
    RECORDING_MONOTONIC = 1, /* ticks are nanoseconds of CLOCK_MONOTONIC */
    RECORDING_COUNTER = 2    /* ticks of the CPU's counter; the ties tell how long one is */
};

enum recording_outcome {
    OUTCOME_UNKNOWN = 0,
    OUTCOME_EXITED = 1, /* with a status */
    OUTCOME_KILLED = 2  /* by a signal */
};

/* One moment on both clocks: the counter was read between two readings of CLOCK_MONOTONIC. */
struct recording_tie {
    uint64_t before; /* ns */
    uint64_t ticks;  /* of the counter; 0: this tie is not written yet */
    uint64_t after;  /* ns */
};

/* What a thread could not record. Its name and number are in a record THREAD. */
struct recording_thread {
    uint64_t dropped; /* records, because of the cap or a full disk */
    uint32_t chunks;  /* that it was given */
    uint32_t slow;    /* of those, that nobody had made: the thread made the file longer itself */
};

/* Chunk 0. Fields that change while recording are marked *. */
struct recording_head {
    char magic[8];            /* RECORDING_MAGIC */
    uint32_t version;         /* RECORDING_VERSION: a reader refuses a larger one */
    uint32_t chunk_size;      /* RECORDING_CHUNK */
    uint32_t state;           /* * enum recording_state */
    uint32_t clock;           /* enum recording_clock */
    uint32_t pid;             /* of the process */
    uint32_t parent;          /* of its parent */
    uint64_t start_real;      /* ns of CLOCK_REALTIME */
    uint64_t start_monotonic; /* ns of CLOCK_MONOTONIC at the same moment */
    uint64_t zone_cost;       /* ticks * 256 that a zone takes, as measured at start */
    uint32_t ring_first;      /* index of the first chunk of the ring; 0: no ring */
    uint32_t ring_count;      /* chunks of the ring */
    uint32_t cap;             /* most chunks that the file may have */
    uint32_t chunks;          /* * that were handed out: none behind these is of use */
    uint32_t threads;         /* * lines of `thread` in use */
    uint32_t ties;            /* * entries of `tie` in use; the last is written over when there is no more room */
    uint64_t full;            /* * times that the disk had no room for more */
    uint64_t cut;             /* * texts that were longer than RECORDING_TEXT_MOST */
    uint64_t laps_lost;       /* * chunks of a ring that could not be handed out, since all were in use */
    char live[32];            /* "127.0.0.1:8086" that viewers attach to; zeros: they cannot */
    char program[256];        /* name of the executable, cut, ends with 0 */
    char command[1024];       /* its arguments, separated by 0, cut, ends with 0 */
    uint32_t launch;          /* which launch of several this process belongs to, from 0 */
    uint32_t outcome;         /* enum recording_outcome, and its number: filled by whoever saw the process end */
    uint32_t outcome_code;    /* exit status or signal */
    uint32_t root;            /* 1: the process that the launch began with; its outcome is the launch's */
    uint64_t wall;            /* ns from its start to its end, for the launch; 0: not measured */
    uint64_t cpu_user;        /* ns, with children; 0: not measured */
    uint64_t cpu_system;      /* the same */
    uint64_t peak_memory;     /* bytes; 0: not measured */
    char reserved[584];       /* 0 */
    struct recording_tie tie[RECORDING_TIES];          /* in order of time */
    struct recording_thread thread[RECORDING_THREADS]; /* by number of the thread */
};

enum recording_chunk_state {
    CHUNK_FREE = 0,   /* never handed out */
    CHUNK_IN_USE = 1, /* a thread fills it, or was killed while it did */
    CHUNK_LEFT = 2,   /* its thread ended; another may go on in it, behind a record THREAD_HERE */
    CHUNK_SEALED = 3  /* complete: the checksum holds */
};

enum recording_chunk_kind {
    CHUNK_EVENTS = 1, /* of threads; those of a ring are used again */
    CHUNK_NAMES = 2   /* SITE, THREAD, CLOCK, TRACK, PROCESS: never used again */
};

struct recording_chunk {
    uint32_t magic; /* RECORDING_CHUNK_MAGIC, or 0: never handed out */
    uint32_t state; /* enum recording_chunk_state */
    uint64_t lap;   /* 1..255, shifted to where tags have it: times that this chunk was handed out, modulo 255, + 1 */
    uint64_t sequence;    /* the how manieth chunk to be handed out this was */
    uint64_t checksum;    /* of the slots, once it is sealed: recording_checksum */
    uint32_t index;       /* of the chunk in the file */
    uint32_t kind;        /* enum recording_chunk_kind */
    uint32_t thread;      /* number of the thread that its slots begin with */
    uint32_t used;        /* bytes with the head, once it is left or sealed */
    uint64_t reserved[2]; /* 0 */
};

/* Kinds of records: name, value, what the 8 bytes before the tag are, what id is. `t`: ticks of the recording's clock. */
#define RECORDING_KINDS(X)                                                                                            \
    X(BEGIN, 1)       /* t; site. A zone begins. Text: its own name */                                                \
    X(END, 2)         /* t; site. The zone of that site that was begun last, on this thread, ends */                  \
    X(INSTANT, 3)     /* t; site or 0. Text: a message */                                                             \
    X(COUNTER, 4)     /* t; site. 1 value: from now on. Text instead of a site (id 0): its name, behind the value */  \
    X(FRAME, 5)       /* t; site. A frame ends here and the next begins */                                            \
    X(FRAME_BEGIN, 6) /* t; site. A frame that has an end of its own */                                               \
    X(FRAME_END, 7)   /* t; site */                                                                                   \
    X(ASYNC_BEGIN, 8) /* t; site. 1 value: a number that the end has too; any thread */                               \
    X(ASYNC_END, 9)   /* t; site. 1 value */                                                                          \
    X(FLOW, 10)       /* number of the flow; -. The innermost open zone is on it */                                   \
    X(SUM, 11)        /* t of the first begin; site. 3 values: t of the last end, ticks in all, how many zones */     \
    X(ARGUMENT_INTEGER, 12)  /* value; site of the key or 0: text is the key */                                       \
    X(ARGUMENT_UNSIGNED, 13) /* the same */                                                                           \
    X(ARGUMENT_DECIMAL, 14)  /* a double; the same */                                                                 \
    X(ARGUMENT_TEXT, 15)     /* length of the key in the text, which stands before the value; site of the key or 0 */ \
    X(NAME, 16)              /* -; -. Text: the name of the innermost open zone from now on */                        \
    X(COLOR, 17)             /* 0xRRGGBB; -. Of the innermost open zone */                                            \
    X(THREAD_HERE, 18)       /* t; thread. What follows in this chunk is of that thread */                            \
    X(VALUE, 32)             /* a value of the record before: bits as the record says; id 1: a double, 2: unsigned */ \
    X(TEXT, 33)              /* 14 bytes of text of the record before */                                              \
    /* In chunks of names: */                                                                                         \
    X(SITE, 64)    /* line | color << 32; the site. 1 value: flags. Text: name 0 function 0 file */                   \
    X(THREAD, 65)  /* number that the system gave it; the thread. Text: its name; told again when it changes */       \
    X(PROCESS, 66) /* 0; -. Text: name of the process from now on */                                                  \
    X(CLOCK, 67)   /* ticks per second or 0: unknown; clock of a device. Text: its name */                            \
    X(TRACK, 68)   /* id of the clock (0: the recording's); the track. Text: its name, levels separated by "/" */     \
    /* Of tracks, in chunks of threads: */                                                                            \
    X(TIE, 19)           /* ns of CLOCK_MONOTONIC before; clock. 2 values: its ticks, ns after */                     \
    X(TRACK_SLICE, 20)   /* start in ticks of the track's clock; track. 1 value: end. Text: name */                   \
    X(TRACK_INSTANT, 21) /* time the same way; track. Text: name */

#define RECORDING_KIND(name, value) RECORD_##name = value,
enum recording_kind { RECORDING_KINDS(RECORDING_KIND) };
#undef RECORDING_KIND

enum recording_site_flags {
    SITE_RUN = 1,     /* its zones, or its frames from mark to mark, are runs of the model */
    SITE_OP = 2,      /* its zones are ops of the op profiler */
    SITE_OP_CALL = 4, /* its zones are calls of a named API function inside an op */
    SITE_FUNCTION = 8 /* a function that the compiler marked */
};

enum { RECORDING_VALUE_SIGNED = 0, RECORDING_VALUE_DOUBLE = 1, RECORDING_VALUE_UNSIGNED = 2 };

static inline uint64_t recording_tag(uint64_t kind, uint64_t length, uint32_t id)
{
    return kind << 56 | length << 32 | id; /* the lap of the chunk comes on top */
}

static inline uint32_t recording_tag_kind(uint64_t tag)
{
    return (uint32_t)(tag >> 56);
}

static inline uint64_t recording_tag_lap(uint64_t tag)
{
    return tag & 0x00ff000000000000u;
}

static inline uint32_t recording_tag_length(uint64_t tag)
{
    return (uint32_t)(tag >> 32 & 0xffff);
}

static inline uint32_t recording_tag_id(uint64_t tag)
{
    return (uint32_t)tag;
}

/* Of `count` slots: four lanes of multiply and add over words of 8 bytes, so that it costs a thread little. */
static inline uint64_t recording_checksum(const uint64_t *slots, uint64_t count)
{
    uint64_t lanes[4] = { 1, 2, 3, 4 };

    for (uint64_t i = 0; i + 1 < 2 * count; i += 2) {
        uint64_t pair = i / 2 % 2 * 2;
        lanes[pair] = (lanes[pair] ^ slots[i]) * 0x9e3779b97f4a7c15u;
        lanes[pair + 1] = (lanes[pair + 1] ^ slots[i + 1]) * 0x9e3779b97f4a7c15u;
    }
    for (int i = 1; i < 4; i++)
        lanes[0] = (lanes[0] ^ (lanes[i] >> 29 | lanes[i] << 35)) * 0x9e3779b97f4a7c15u;
    return lanes[0] ^ lanes[0] >> 32;
}

/* ---- the live stream -------------------------------------------------------------------------------------------------
 * A viewer connects and says who it is; the recorder answers and then sends pieces of the file, as they are written: what a viewer puts
 * at their offsets is the recording. Heads of the file and of chunks come again when they change. */
#define LIVE_MAGIC "tacholiv"

enum { LIVE_VERSION = 1, LIVE_TOKEN = 32 };
enum live_answer { LIVE_WELCOME = 0, LIVE_WRONG_TOKEN = 1, LIVE_WRONG_VERSION = 2, LIVE_TOO_MANY = 3 };
enum live_piece_kind { LIVE_DATA = 0, LIVE_END = 1 };

struct live_hello {
    char magic[8];          /* LIVE_MAGIC */
    uint32_t version;       /* LIVE_VERSION */
    uint32_t reserved;      /* 0 */
    char token[LIVE_TOKEN]; /* hexadecimal digits, as the recorder told its user */
};

struct live_welcome {
    char magic[8];     /* LIVE_MAGIC */
    uint32_t version;  /* LIVE_VERSION */
    uint32_t answer;   /* enum live_answer; all but LIVE_WELCOME end the connection */
    uint32_t pid;      /* of the process */
    uint32_t reserved; /* 0 */
};

struct live_piece {
    uint64_t offset; /* in the file */
    uint32_t length; /* bytes that follow; at most RECORDING_CHUNK */
    uint32_t kind;   /* enum live_piece_kind; LIVE_END: the recording is complete, nothing follows */
};

_Static_assert(sizeof(struct recording_chunk) == RECORDING_CHUNK_HEAD, "slots begin behind the head");
_Static_assert(sizeof(struct recording_head) <= RECORDING_CHUNK, "the head is one chunk");

#endif
