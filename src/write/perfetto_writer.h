/* perfetto_writer.h: what the files of the Perfetto writer share.
 *
 *     perfetto.c           the sink and the format
 *     perfetto_tracks.c    descriptors; which line of the trace belongs to which packet sequence
 *     perfetto_events.c    begin, end and instant events, with their arguments
 *     perfetto_own.c       what only Tacho reads
 *     perfetto_sequence.c  one packet sequence
 *
 * `perfetto.c` makes a struct perfetto and frees it; the others borrow it for the call.
 */
#ifndef WRITE_PERFETTO_WRITER_H
#define WRITE_PERFETTO_WRITER_H

#include <assert.h>

#include "base/arena.h"
#include "base/map.h"
#include "base/memory.h"
#include "base/output.h"
#include "trace/loss.h"
#include "write/announced.h"
#include "write/lanes.h"
#include "write/perfetto_sequence.h"

/* The lanes of a track's instants. */
struct instants {
    struct sequence **lanes;    /* owned, not what they point to */
    size_t capacity;            /* of lanes */
    uint32_t count;             /* of lanes */
    struct instant_place place; /* of the last one */
};

/* What the writer adds to a track that was announced. */
struct drawn_track {
    uint64_t uuid;                          /* of its own descriptor; 0: not written */
    bool laned;                             /* its first lane is there, and has its uuid */
    bool described;                         /* a descriptor of it says what it shows */
    bool told;                              /* what it is was written */
    struct instants instants;               /* where these go */
    struct sequence *values;                /* of a counter; NULL: none yet */
    string_id categories[TRACK_CATEGORIES]; /* of its slices; 0: none */
};

/* Where the events of a lane, or the instants of a track, go. */
struct line {
    struct sequence *sequence; /* of its events */
    uint64_t uuid;             /* its events name this track; 0: they need not, the sequence has no other */
    bool described;            /* a descriptor of it says what it shows */
    const struct clock *clock; /* of the track */
    uint64_t multiplier;       /* of ticks, to ns that are shifted; 0: its times are not made that easily */
    unsigned shift;            /* the same */
    track_id track;            /* the track; slices of others that are drawn here carry what theirs is as categories */
    bool categorised;          /* the track's own slices have a category too */
};

struct held_step;

/* Steps of the input that comes now: they are written many at once. */
struct own_steps {
    struct held_step *held; /* those that are not written yet; owned */
    size_t count, capacity; /* of held */
    uint32_t first;         /* id of the first of them */
    clock_id clock;         /* of all that are held */
    uint64_t process;       /* the same: its track, plus 1 */
    struct number_map keys; /* a small number for each key that came */
};

/* A packet of our own while it is written. */
struct own_packet {
    unsigned char *start;  /* that was claimed */
    unsigned char *packet; /* its body */
    unsigned char *own;    /* body of the message of ours */
    unsigned char *body;   /* of the one in that */
};

struct annotation;
struct entry;

struct perfetto {
    struct announced announced; /* first, as its calls need it */
    struct output *output;      /* borrowed */
    struct strings *strings;    /* borrowed */
    bool arguments;             /* they are written */
    bool inside;                /* the slice at hand lies in another of its track, which says the invocation for both */
    struct lanes *lanes;        /* owned */
    struct line *lines;         /* by lane */
    size_t line_capacity;       /* of lines */
    struct column sequences;    /* struct sequence; they never move */
    struct sequence *shared;    /* of all lanes with few slices; NULL: none yet */
    struct column drawn;        /* struct drawn_track by track id */
    uint64_t last_uuid;         /* given last */
    int64_t first;              /* smallest time since the last process was announced; INT64_MAX: none */
    uint64_t events;            /* begins and ends written */
    uint32_t *clocks;           /* by id: its number in the trace; 0: it was not written; owned */
    size_t clock_capacity;      /* of clocks */
    uint32_t clock_count;       /* written */
    struct own_steps steps;     /* of the input that comes now */
    struct annotation *annotations;               /* of the packet at hand */
    size_t annotation_count, annotation_capacity; /* of annotations */
    struct entry *entries;                        /* of the packet at hand */
    size_t entry_count, entry_capacity;           /* of entries */
    size_t entry_bytes;                           /* in all texts of entries */
    unsigned char *nested;                        /* arguments that are arrays or objects, of the packet at hand */
    size_t nested_size, nested_capacity;          /* of nested */
    struct id_map nested_map;   /* of texts whose nested annotations are kept: number, counted from 1 */
    struct column nested_known; /* struct text, of these */
    struct arena nested_bytes;  /* the same */
    unsigned char *scratch;     /* for packets larger than the output reserves; usually NULL */
    size_t scratch_size;        /* of scratch */
};

/* Memory for a packet of at most `size` bytes; NULL: out of memory. */
static inline unsigned char *perfetto_claim(struct perfetto *perfetto, size_t size)
{
    if (size <= OUTPUT_LARGEST_RESERVE)
        return output_reserve(perfetto->output, size);
    if (memory_grow(&perfetto->scratch, &perfetto->scratch_size, size, 1) != STATUS_OK)
        return NULL;
    return perfetto->scratch;
}

/* The packet lies from `start`, which was claimed, to `end`. */
static inline void perfetto_deliver(struct perfetto *perfetto, const unsigned char *start, const unsigned char *end)
{
    assert(start <= end);
    if (start == perfetto->scratch)
        output_write(perfetto->output, start, (size_t)(end - start));
    else
        output_advance(perfetto->output, (size_t)(end - start));
}

static inline struct drawn_track *perfetto_drawn(const struct perfetto *perfetto, track_id id)
{
    return column_at(&perfetto->drawn, id);
}

/* The time of an event as it is written. */
struct written_time {
    int64_t ns;   /* viewers know none before 0, and drop such events */
    int64_t rest; /* ticks beyond the first one of that nanosecond: of fine clocks, and of times before 0 */
};

struct written_time perfetto_time(const struct clock *clock, int64_t ticks);

/* The same on a line. Most clocks have a power of two below the line and no ticks finer than a nanosecond: microseconds, 800 MHz. */
static inline struct written_time perfetto_line_time(const struct line *line, int64_t ticks)
{
    uint64_t product;

    if (ticks < 0 || !line->multiplier || __builtin_mul_overflow((uint64_t)ticks, line->multiplier, &product))
        return perfetto_time(line->clock, ticks);
    return (struct written_time){ .ns = (int64_t)(product >> line->shift) + line->clock->offset };
}

/* --- perfetto_tracks.c -------------------------------------------------------------------------------------------- */

/* What times of the line are made with, from its clock. */
void perfetto_line_clock(struct line *line, const struct clock *clock);
/* The sink's call. */
NODISCARD status perfetto_track(void *self, const struct track *track);
/* The call of `lanes`. */
NODISCARD status perfetto_lane(void *self, uint32_t lane, track_id track, enum lane_kind kind);
/* The sequences of an instant of a track at a time, of a counter's values (made with the first), and one for losses. */
NODISCARD status perfetto_instants(struct perfetto *perfetto, track_id id, int64_t time, struct sequence **sequence);
NODISCARD status perfetto_values(struct perfetto *perfetto, track_id id, struct sequence **sequence);
NODISCARD status perfetto_losses(struct perfetto *perfetto, struct sequence **sequence);

/* A text of an input, which may hold anything: the importer wants UTF-8. */
unsigned char *perfetto_text(unsigned char *to, uint32_t field, struct text text);

/* --- perfetto_own.c ----------------------------------------------------------------------------------------------- */

/* The field of a descriptor that says which track it shows, and at the first time what that is; `name` is that of the descriptor. It needs at most
 * `perfetto_own_size` bytes. Before that, `perfetto_own_prepare` writes the clock of the track. */
NODISCARD status perfetto_own_prepare(struct perfetto *perfetto, track_id id);
size_t perfetto_own_size(const struct perfetto *perfetto, track_id id);
unsigned char *perfetto_own_track(struct perfetto *perfetto, unsigned char *to, track_id id, enum own_role role,
                                  struct text name);
/* At the end: those that have no descriptor. */
/* The names of the inputs that come: the first packet. */
void perfetto_own_inputs(struct perfetto *perfetto, const char *const *names, size_t count);
NODISCARD status perfetto_own_empty_tracks(struct perfetto *perfetto);
NODISCARD status perfetto_own_losses(struct perfetto *perfetto, const struct losses *losses);
/* The sink's calls. */
NODISCARD status perfetto_operator(void *self, const struct op *op);
NODISCARD status perfetto_run(void *self, const struct run *run);
NODISCARD status perfetto_step(void *self, step_id id, const struct step *step);
NODISCARD status perfetto_step_end(void *self, step_id id, int64_t time);
NODISCARD status perfetto_step_lost(void *self, step_id id);
NODISCARD status perfetto_about(void *self, const struct about *about);

/* --- perfetto_json.c ---------------------------------------------------------------------------------------------- */

/* Appends the body of an annotation with the value of a JSON text to perfetto->nested: objects and arrays become dictionaries and
 * arrays of annotations. A text that is no JSON becomes a text. */
NODISCARD status perfetto_nest(struct perfetto *perfetto, string_id json);

/* The same where it is known from before: no data: it is not. Most arguments of a trace are the same again and again. */
static inline struct text perfetto_nested(const struct perfetto *perfetto, string_id json)
{
    uint32_t place = id_map_get(&perfetto->nested_map, json);

    return place ? *(const struct text *)column_at(&perfetto->nested_known, place - 1) : (struct text){ NULL, 0 };
}

/* --- perfetto_events.c -------------------------------------------------------------------------------------------- */

/* An event of `type` with everything that `slice` has. */
NODISCARD status perfetto_event(struct perfetto *perfetto, const struct line *line, int64_t ticks, unsigned type,
                                const struct slice *slice);
/* The calls of `lanes`. */
NODISCARD status perfetto_lane_begin(void *self, uint32_t lane, int64_t time, const struct slice *slice);
NODISCARD status perfetto_lane_end(void *self, uint32_t lane, int64_t time);

#endif
