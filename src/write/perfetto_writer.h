/* perfetto_writer.h: what the files of the Perfetto writer share.
 *
 *     perfetto.c           the sink and the format
 *     perfetto_tracks.c    descriptors; which line of the trace belongs to which packet sequence
 *     perfetto_events.c    begin, end and instant events, with their arguments
 *     perfetto_sequence.c  one packet sequence
 *
 * `perfetto.c` makes a struct perfetto and frees it; the others borrow it for the call.
 */
#ifndef WRITE_PERFETTO_WRITER_H
#define WRITE_PERFETTO_WRITER_H

#include <assert.h>

#include "base/arena.h"
#include "base/memory.h"
#include "base/output.h"
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
    track_id track;            /* the track; slices of others that are drawn here carry what theirs is as categories */
    bool categorised;          /* the track's own slices have a category too */
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

/* --- perfetto_tracks.c -------------------------------------------------------------------------------------------- */

/* The sink's call. */
NODISCARD status perfetto_track(void *self, const struct track *track);
/* The call of `lanes`. */
NODISCARD status perfetto_lane(void *self, uint32_t lane, track_id track, bool late);
/* The sequences of an instant of a track at a time, of a counter's values (made with the first), and one for losses. */
NODISCARD status perfetto_instants(struct perfetto *perfetto, track_id id, int64_t time, struct sequence **sequence);
NODISCARD status perfetto_values(struct perfetto *perfetto, track_id id, struct sequence **sequence);
NODISCARD status perfetto_losses(struct perfetto *perfetto, struct sequence **sequence);

/* A text of an input, which may hold anything: the importer wants UTF-8. */
unsigned char *perfetto_text(unsigned char *to, uint32_t field, struct text text);

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
NODISCARD status perfetto_event(struct perfetto *perfetto, const struct line *line, int64_t time, unsigned type,
                                const struct slice *slice);
/* The calls of `lanes`. */
NODISCARD status perfetto_lane_begin(void *self, uint32_t lane, int64_t time, const struct slice *slice);
NODISCARD status perfetto_lane_end(void *self, uint32_t lane, int64_t time);

#endif
