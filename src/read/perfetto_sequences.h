/* perfetto_sequences.h: the packet sequences of a Perfetto trace: what their packets need not repeat, and the texts that they have named.
 *
 * A sequence's state begins where a packet says so; texts and defaults before that are not valid. Where events are read again later, states that were
 * replaced stay (`keep`), so that their texts can still be found.
 *
 * A struct sequences owns everything in it until `sequences_free`; pointers to sequences and states stay valid until then.
 */
#ifndef READ_PERFETTO_SEQUENCES_H
#define READ_PERFETTO_SEQUENCES_H

#include "base/column.h"
#include "base/map.h"
#include "base/strings.h"
#include "read/perfetto_wire.h"
#include "trace/model.h"

struct trace_clock;
struct trace_line;

/* A text that was named. Small, since a trace may have a million of them, and each event needs another. */
struct interned {
    string_id text; /* NO_ID: this number names nothing */
    union {
        struct {
            uint32_t op;     /* of a name: its operator, as slices of foreign lines have it, plus 1; 0: none yet */
            uint32_t own_op; /* the same on lines that Tacho wrote: number of the operator of the last slice; 0: none */
            uint32_t said;   /* place of what these say because of it, plus 1: see perfetto_whole.c; 0: none yet */
        };
        struct {
            string_id file;     /* of a place in the source */
            string_id function; /* the same */
            uint32_t line;      /* the same */
        };
    };
};

/* Numbers to texts. Writers count from 1; others are looked up. */
struct interned_table {
    struct interned *items;   /* by number; owned */
    size_t capacity;          /* of items */
    struct number_map sparse; /* large numbers to places in `more` */
    struct column more;       /* struct interned */
    bool is_sparse;           /* the two above are in use */
};

enum interned_kind {
    INTERNED_NAMES,
    INTERNED_CATEGORIES,
    INTERNED_KEYS,
    INTERNED_TEXTS,
    INTERNED_LOCATIONS,
    INTERNED_CORRELATIONS,
    INTERNED_KINDS
};

enum { EXTRA_COUNTERS = 8 }; /* that an event may bring along */

struct sequence_state {
    uint32_t place;                               /* among all of them */
    struct interned_table tables[INTERNED_KINDS]; /* of texts */
};

/* What packets have where they say nothing. */
struct sequence_defaults {
    uint32_t clock;                            /* 0: that of the trace */
    uint64_t track;                            /* 0: none */
    uint64_t extra[EXTRA_COUNTERS];            /* tracks of extra counters */
    uint64_t extra_decimal[EXTRA_COUNTERS];    /* the same of decimals */
    uint32_t extra_count, extra_decimal_count; /* of them */
};

struct packet_sequence {
    /* What plain events need comes first, beside each other: there may be hundreds of sequences, and each event is of another. */
    uint32_t number;              /* not 0 */
    uint32_t run;                 /* of the last slice that Tacho wrote, plus 1; 0: none */
    uint64_t plain_since;         /* see plain_check: packets that were not plain, when it was asked; 0: it was not */
    int64_t plain_low;            /* ns in its clock: times before this are not those of plain events */
    struct trace_line *last_line; /* that was looked up; NULL: none yet */
    struct trace_clock *clock;    /* the default one, once it was found; NULL: look for it */
    struct sequence_state *state; /* its own; borrowed */
    uint32_t clock_id;            /* of the clock */
    bool plain_whole;             /* they begin and end slices that are told whole, and nothing else has to be asked */
    bool valid;                   /* its state is */
    uint32_t epoch;               /* how often incremental counters began anew */
    struct sequence_defaults defaults; /* of its packets */
};

enum { SEQUENCES_NEAR = 1024 }; /* writers count them from 1 on */

struct sequences {
    struct strings *strings;                      /* borrowed */
    struct column list;                           /* struct packet_sequence */
    struct number_map map;                        /* number to place */
    struct packet_sequence *near[SEQUENCES_NEAR]; /* that were looked up last, by the end of their number; NULL: none */
    struct column states;                         /* struct sequence_state */
    uint64_t *redefined;                          /* borrowed: counts texts whose number had another already */
    bool keep;                                    /* states that were replaced */
};

void sequences_start(struct sequences *sequences, struct strings *strings, bool keep, uint64_t *redefined);
void sequences_free(struct sequences *sequences);

NODISCARD status sequences_make(struct sequences *sequences, uint32_t number, struct packet_sequence **sequence);

/* The sequence of a number that is not 0, made at the first time. */
NODISCARD static inline status sequences_find(struct sequences *sequences, uint32_t number,
                                              struct packet_sequence **sequence)
{
    *sequence = sequences->near[number % SEQUENCES_NEAR];
    return *sequence && (*sequence)->number == number ? STATUS_OK : sequences_make(sequences, number, sequence);
}

/* A packet says that the state begins here. */
NODISCARD status sequence_clear(struct sequences *sequences, struct packet_sequence *sequence);
void sequence_defaults(struct packet_sequence *sequence, struct wire message);
/* Texts that a packet names. */
NODISCARD status sequence_intern(struct sequences *sequences, struct packet_sequence *sequence, struct wire message);

struct interned *interned_far(const struct interned_table *table, uint64_t number);

/* The state of a place. */
static inline struct sequence_state *sequences_state(const struct sequences *sequences, uint32_t place)
{
    return column_at(&sequences->states, place);
}

/* What a number names in a state; NULL: nothing. */
static inline struct interned *interned_find(const struct sequence_state *state, enum interned_kind kind,
                                             uint64_t number)
{
    const struct interned_table *table = &state->tables[kind];

    if (number < table->capacity)
        return table->items[number].text == NO_ID ? NULL : &table->items[number];
    return interned_far(table, number);
}

#endif
