/* inferences.h: a sink that keeps the runs of each input: one inference each, or one step of a training.
 *
 *     what the user says   slices of a name or pattern are runs; or the whole input is one
 *     what the input says  runs that its reader announced
 *     what repeats         in the sequence of its steps, where the reader announced such: see base/repeat.h
 *     none of these        the input is one run, and has none here
 *
 * Times are ticks of the clock that the run names. Several inputs may come one after the other; each is asked for by its process track.
 * It owns everything in it until `inferences_free`; the choice is borrowed.
 */
#ifndef TRACE_INFERENCES_H
#define TRACE_INFERENCES_H

#include <regex.h>

#include "base/column.h"
#include "trace/sink.h"

/* A run, or a piece of one: the next then has the same launch and index. */
struct inference {
    track_id process; /* of its input */
    uint32_t launch;  /* which process of the machine, as the input says */
    uint32_t index;   /* among the runs of its launch */
    clock_id clock;   /* of its times */
    int64_t start;    /* ticks */
    int64_t end;      /* the same */
};

/* How the runs of an input were found. */
enum inference_source {
    INFERENCES_NONE,     /* it has none: it is one run */
    INFERENCES_TOLD,     /* the input tells them */
    INFERENCES_REPEATED, /* by what repeats in it */
    INFERENCES_NAMED     /* by slices that the user named */
};

/* The runs of one input. */
struct inference_list {
    const struct inference *items; /* by launch and index */
    size_t count;                  /* of them; 0: the input is one run */
    enum inference_source source;
    size_t steps; /* of a run, where they were found by what repeats */
    size_t
        partial; /* begun like a run and not like one to the end: cut off, or with a step more or less; not in the list */
    size_t empty; /* that last 0, where others do not: begun at the very end of the input; not in the list */
};

/* What --runs says. */
struct inference_choice {
    const char *text; /* as given; NULL: what the input says or repeats */
    bool whole;       /* every input is one run */
    bool is_pattern;  /* `pattern` is compiled; else `text` is a name */
    regex_t pattern;  /* matches names of slices */
};

/* "whole", a name, or /pattern/ (extended regular expression). STATUS_USAGE: a pattern that is none. */
NODISCARD status inference_choice_parse(const char *text, struct inference_choice *choice);
void inference_choice_free(struct inference_choice *choice);

struct inferences {
    const struct inference_choice *choice; /* NULL: what the input says or repeats */
    const struct strings *strings;         /* of names */
    struct column clocks;                  /* struct clock, by id */
    struct column tracks;                  /* struct inference_track, by id */
    struct column steps;                   /* struct inference_step, of all inputs */
    struct column told;                    /* struct inference, in the order of the inputs */
    struct column named;                   /* the same, of slices that were named */
    track_id process;                      /* of the input that comes now; NO_ID: none yet */
    uint8_t *names;                        /* by string id: 0 not looked at, 1 no, 2 named */
    size_t name_capacity;                  /* of `names` */
    uint32_t *opens;                       /* by open id: place in `named` + 1; 0: another slice */
    size_t open_capacity;                  /* of `opens` */
    struct inference *made;                /* lists that were handed out */
    size_t made_count;                     /* of them */
    size_t made_capacity;                  /* room for so many */
};

void inferences_start(struct inferences *inferences, const struct inference_choice *choice,
                      const struct strings *strings);
void inferences_free(struct inferences *inferences);
struct sink inferences_sink(struct inferences *inferences);

/* Whether an item of a list is a further piece of the run before it. */
static inline bool inference_continues(const struct inference_list *list, size_t item)
{
    return item && list->items[item].launch == list->items[item - 1].launch &&
           list->items[item].index == list->items[item - 1].index;
}

/* The clock that the times of a run are of. */
static inline const struct clock *inferences_clock(const struct inferences *inferences, const struct inference *run)
{
    return column_at(&inferences->clocks, run->clock);
}

/* The runs of an input, after it was read. The list is borrowed until the next one is asked for. STATUS_INPUT, with `path` in front: the
 * user named slices, and this input has none of them. */
NODISCARD status inferences_of(struct inferences *inferences, track_id process, const char *path,
                               struct inference_list *list);

#endif
