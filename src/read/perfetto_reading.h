/* perfetto_reading.h: what the files of the Perfetto reader share.
 *
 *     perfetto.c        the two walks over all packets
 *     perfetto_probe.c  which files
 *     perfetto_plain.h  packets of the shape that nearly all have, taken apart at once
 *     perfetto_notes.c  reasons for losses, packets that are not read
 *     perfetto_lines.c  tracks: what descriptors say, and how the feed is told of them
 *     perfetto_event.c  one event, decoded
 *     perfetto_tell.c   events to slices, instants and values of the feed
 *     perfetto_whole.c  slices that are told whole
 *     perfetto_again.c  lines whose events are not in order, or whose ends say something
 *     perfetto_own.c    what only Tacho writes
 *     perfetto_announce.c  the same, announced to the feed
 *
 * The first walk looks at descriptors, clocks and the order of events; the second one tells. A struct perfetto_reading lives as long as one file is read.
 */
#ifndef READ_PERFETTO_READING_H
#define READ_PERFETTO_READING_H

#include "base/memory.h"
#include "base/output.h"
#include "read/perfetto_clocks.h"
#include "read/perfetto_lines.h"
#include "read/perfetto_losses.h"
#include "read/perfetto_packets.h"
#include "read/perfetto_sequences.h"
#include "read/reader.h"
#include "read/spans.h"
#include "trace/clock.h"
#include "trace/held.h"
#include "trace/perfetto_fields.h"

/* ---- Events ---- */

struct event_flow {
    uint64_t id; /* of the writer */
    bool ends;   /* the id may mean another one from here on */
};

struct event_value {
    uint64_t track; /* uuid */
    int64_t value;  /* or the bits of a decimal */
    bool decimal;   /* which of the two */
};

/* What an event has of other tracks' values, before values and tracks are put together. */
struct event_extras {
    uint64_t tracks[2][EXTRA_COUNTERS];      /* of integers, of decimals */
    int64_t values[2][EXTRA_COUNTERS];       /* the same */
    uint32_t track_count[2], value_count[2]; /* of them */
};

/* An event, decoded. Names and texts are ids; arguments lie in the reading. */
struct trace_event {
    uint32_t type;             /* TYPE_BEGIN, ..., or one of these: */
    string_id name;            /* NO_ID: none, or not looked up */
    string_id category;        /* NO_ID: none */
    bool has_track;            /* it names its track */
    bool has_value, decimal;   /* of a counter: it has one; that is a decimal */
    bool says;                 /* it has arguments or flows */
    bool legacy;               /* of the form before types; its phase is the type */
    bool has_extras;           /* of other tracks: values, or which tracks they are of */
    bool extra_wrong;          /* more values of other tracks than there are tracks, or too many */
    bool broken;               /* it does not decode to its end */
    uint64_t track;            /* uuid */
    uint64_t name_number;      /* of its name among those of its sequence; 0: it is written out, or there is none */
    struct text name_text;     /* that is written out; data NULL: none */
    struct interned *interned; /* that the name is; NULL: it is written out, or was not looked up */
    string_id file, function;  /* of its place in the source; 0: not known */
    uint32_t line;             /* the same */
    uint32_t argument_count;   /* in the reading */
    uint32_t flow_count;       /* the same */
    uint32_t extra_count;      /* the same, of values of other tracks */
    int64_t value;             /* of a counter */
    int64_t duration;          /* ns, of a complete one */
    uint64_t id;               /* of a span */
    string_id id_scope;        /* of that: a text that tells ids apart in place of the category; NO_ID: none */
    bool id_is_local;          /* the same: another process may have the same id for something else */
};

/* One by one: of a struct of this size, compilers make an instruction that takes longer than all else. */
static inline void event_clear(struct trace_event *event)
{
    event->type = 0;
    event->name = event->category = NO_ID;
    event->has_track = event->has_value = event->decimal = event->says = event->legacy = false;
    event->has_extras = event->extra_wrong = event->broken = false;
    event->name_number = 0;
    event->name_text.data = NULL;
    event->interned = NULL;
    event->file = event->function = event->line = 0;
    event->argument_count = event->flow_count = event->extra_count = 0;
}

/* An event at `ns` on a line. */
struct line_moment {
    struct trace_line *line;          /* where it is */
    int64_t ns;                       /* time in the trace */
    packet_place place;               /* of its packet */
    const struct packet_head *head;   /* of that */
    struct packet_sequence *sequence; /* of that */
    struct sequence_state *state;     /* of the sequence, then */
    uint32_t op,
        run; /* of what Tacho wrote: numbers; 0: none. Of a span: `op` is the place of the line that it names */
};

/* Types of legacy events: one with its own end, and those of spans, which belong to no track. */
enum { EVENT_COMPLETE = 'X', EVENT_SPAN_BEGIN = 'b', EVENT_SPAN_END = 'e', EVENT_SPAN_STEP = 'n' };

static inline bool event_is_of_span(const struct trace_event *event)
{
    return event->type > TYPE_STATE && event->type != EVENT_COMPLETE;
}

/* ---- The reading ---- */

struct perfetto_reading {
    struct source *source;                        /* borrowed */
    struct feed *feed;                            /* the same */
    struct strings *strings;                      /* of the feed */
    bool telling;                                 /* the second walk */
    struct packets packets;                       /* of the file */
    struct clocks clocks;                         /* as far as the walk is */
    struct clocks all_clocks;                     /* after the first walk: all snapshots */
    struct sequences sequences;                   /* of this walk */
    struct column lines;                          /* struct trace_line */
    struct number_map line_map;                   /* uuid to place */
    struct number_map processes;                  /* pid to track of its group */
    struct number_map process_names;              /* pid to name */
    struct own_reading own;                       /* what Tacho wrote */
    const struct chain_trace *words;              /* of the tools that wrote it; NULL: not known */
    clock_id clock;                               /* nanoseconds, in the feed */
    uint32_t lines_told;                          /* that were announced as threads */
    uint64_t ordinal;                             /* events so far in this walk */
    uint64_t unlike;                              /* packets so far that were not plain: see perfetto_plain.h */
    int64_t last;                                 /* latest time of all events */
    struct column others;                         /* packets that are not read, by kind */
    uint64_t redefined;                           /* texts whose number had another already */
    struct number_map operators;                  /* name and place to operator */
    struct number_map flows;                      /* of the writer to those of the feed */
    struct spans spans;                           /* that belong to no track */
    struct column totals;                         /* int64_t: sums of incremental counters */
    struct number_map total_map;                  /* line, sequence and epoch to these */
    struct argument *arguments;                   /* of the event at hand; owned */
    size_t argument_capacity;                     /* of arguments */
    struct event_extras extras;                   /* of the event at hand */
    struct event_value extra[2 * EXTRA_COUNTERS]; /* the same, put together */
    struct event_flow *event_flows;               /* the same; owned */
    size_t event_flow_capacity;                   /* of it */
    uint32_t *flow_numbers;                       /* the same, of the feed */
    size_t flow_capacity;                         /* of it */
    struct output *json;       /* for arguments that are arrays or objects; NULL: not needed so far */
    string_id key_category;    /* of the argument that has it */
    string_id key_unfinished;  /* the same of slices without an end */
    string_id key_correlation; /* the same */
    uint64_t bad_arguments;    /* without a name or a value */
    uint32_t keys;             /* of arguments that somebody looks at: see sink_calls */
};

/* ---- perfetto.c ---- */

/* A lost or marked event of the second walk; nothing is counted in the first. */
NODISCARD status perfetto_lose(struct perfetto_reading *reading, const struct loss_reason *reason, packet_place place);
/* Takes a packet apart. False: it does not decode to its end. */
bool perfetto_head(const struct packet *packet, struct packet_head *head);
/* The end of a slice that is told whole, by the place of its begin, where the first walk kept it. In the order of the file. NULL: it did not. */
const struct long_end *perfetto_end(struct own_reading *own, packet_place begin);

/* ---- perfetto_notes.c: see also perfetto_losses.h ---- */

void notes_start(struct column *others);
/* Counts a packet of a kind that is not read: its field. */
NODISCARD status notes_count(struct perfetto_reading *reading, uint32_t field);
/* After the last packet: a note that names them. */
NODISCARD status notes_others(struct perfetto_reading *reading);

/* ---- perfetto_lines.c ---- */

static inline struct trace_line *line_at(const struct perfetto_reading *reading, uint32_t place)
{
    return column_at(&reading->lines, place);
}

/* The line of a track, made where there is none. It stays where it is. */
NODISCARD status lines_find(struct perfetto_reading *reading, uint64_t uuid, struct trace_line **line);
/* The same where one may not be made; NULL: there is none. */
struct trace_line *lines_look(const struct perfetto_reading *reading, uint64_t uuid);
/* The line of all spans: they are in order together, whichever tracks they name. */
NODISCARD status lines_spans(struct perfetto_reading *reading, struct trace_line **line);
/* The track that a line is below, once they are announced. */
NODISCARD status lines_parent(struct perfetto_reading *reading, const struct trace_line *line, track_id *parent);
NODISCARD status lines_declare(struct perfetto_reading *reading, struct wire descriptor);
/* Between the walks: begins the input, and announces all tracks on which something comes. */
NODISCARD status lines_announce(struct perfetto_reading *reading);
/* After the last event: what the overview tells that nobody computes goes to the source. */
NODISCARD status lines_tell_metrics(struct perfetto_reading *reading);
/* The clock of nanoseconds, announced at its first use. */
NODISCARD status lines_clock(struct perfetto_reading *reading, clock_id *id);
void lines_free(struct perfetto_reading *reading);

/* ---- perfetto_event.c ---- */

/* Decodes the event of a packet; of the moment, what is known of that. `deep`: with its name and its arguments. */
NODISCARD status event_decode(struct perfetto_reading *reading, const struct line_moment *moment, bool deep,
                              struct trace_event *event);
/* The arguments of an event that are all that it has beside its name: the fields of these, behind the `*count` so far. Eight bytes behind them may be looked at. */
NODISCARD status event_arguments(struct perfetto_reading *reading, const struct sequence_state *state,
                                 struct wire arguments, uint32_t *count);
/* Looks its name up. */
NODISCARD status event_find_name(struct perfetto_reading *reading, const struct sequence_state *state,
                                 struct trace_event *event);

/* ---- perfetto_tell.c ---- */

NODISCARD status tell_event(struct perfetto_reading *reading, const struct line_moment *moment,
                            struct trace_event *event);
/* The operator and the run that Tacho wrote beside an event, where they changed: of all events, in the order of the file. */
void tell_take_own(struct line_moment *moment, const struct trace_event *event);
/* Values of counters that came with any event. */
NODISCARD status tell_values(struct perfetto_reading *reading, const struct line_moment *moment,
                             const struct trace_event *event);
/* After the last event: what is open ends. */
NODISCARD status tell_finish(struct perfetto_reading *reading);
/* The open slice that an end is of, counted from 1 from the outermost on; 0: none. */
size_t tell_find_open(const struct trace_line *line, const struct trace_event *event);

/* Room for one more open slice. NULL: out of memory. */
static inline struct line_open *tell_push(struct trace_line *line)
{
    if (line->open == line->capacity &&
        memory_grow(&line->stack, &line->capacity, line->open + 1, sizeof *line->stack) != STATUS_OK)
        return NULL;
    return &line->stack[line->open++];
}

/* ---- perfetto_again.c ---- */

/* An event that is told later. */
NODISCARD status again_keep(const struct line_moment *moment);
/* After the second walk. */
NODISCARD status again_tell(struct perfetto_reading *reading);

/* ---- perfetto_own.c ---- */

void own_start(struct own_reading *own);
void own_free(struct own_reading *own);
/* The message of ours in a packet: in the first walk what things are, in the second what comes in order. */
NODISCARD status own_packet(struct perfetto_reading *reading, struct wire message, packet_place at);
/* What the trace says of the input that is read as a whole, where it is one of several: once that is known. */
NODISCARD status own_take_told(struct perfetto_reading *reading);
/* The message of ours in a descriptor: its track and role go to the line. */
NODISCARD status own_describe(struct perfetto_reading *reading, struct wire message, string_id name,
                              struct trace_line *line);

/* ---- perfetto_announce.c ---- */

/* Between the walks: announces clocks, operators, tracks and runs. */
NODISCARD status own_announce(struct perfetto_reading *reading);
/* The operator of a number; NULL: none. */
static inline const struct op *own_operator(const struct perfetto_reading *reading, uint32_t number)
{
    const struct own_reading *own = &reading->own;
    uint32_t place = number - 1; /* Tacho counts them from 1 on as they come */

    if (own->sparse_operators)
        place = number ? number_map_find(&own->operator_map, number, 0) : MAP_NONE;
    return place < own->operators.count ? column_at(&own->operators, place) : NULL;
}

/* The same of a run. */
static inline run_id own_run(const struct perfetto_reading *reading, uint64_t number)
{
    return number && number <= reading->own.runs.count
               ? ((const struct own_run *)column_at(&reading->own.runs, (size_t)number - 1))->run.id
               : NO_ID;
}

static inline struct own_track *own_at(const struct perfetto_reading *reading, uint32_t place)
{
    return column_at(&reading->own.tracks, place);
}

/* Ticks of a track at a time of the trace; false: beyond what its clock can show. */
static inline bool own_ticks(const struct own_track *track, int64_t ns, int64_t rest, int64_t *ticks)
{
    *ticks = ns;
    if (track->ticks.numerator != 1 || track->ticks.denominator != 1 || track->ticks.offset)
        *ticks = clock_ticks_fast(&track->ticks, &track->inverse, ns);
    if (__builtin_add_overflow(*ticks, rest, ticks))
        return false;
    if (*ticks < 0 && track->drawn)
        *ticks = 0;
    return *ticks >= 0 && *ticks <= track->limit;
}

#endif
