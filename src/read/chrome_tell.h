/* chrome_tell.h: what the parts of the second walk share: what is open on each thread, and what is known of operators.
 *
 * A thread holds its latest slice back until the next event on it: arrows that lie on it may still come, and one of them may tell the module of an operator.
 *
 *     chrome_tell.c       lines merged by time, each event to who tells it
 *     chrome_tracks.c     groups and lines are announced; runs
 *     chrome_slices.c     slices, ends and arrows of threads
 *     chrome_operators.c  operators, their modules and places; what launched what
 *     chrome_spans.c      spans and counters of processes
 *     chrome_arguments.c  arguments of an event
 *
 * A telling owns everything in it until `chrome_telling_free`.
 */
#ifndef READ_CHROME_TELL_H
#define READ_CHROME_TELL_H

#include "read/chrome_trace.h"
#include "read/spans.h"

/* A slice that began and did not end. */
struct tell_open {
    open_id open; /* of the feed */
    int64_t end;  /* ns; INT64_MAX: its end is an event of its own */
};

/* The slices of one engine on a thread. */
struct tell_line {
    const struct engine *engine; /* of the line */
    track_id track;              /* of the feed */
    bool pairs;                  /* slices begin and end; else they come whole */
    bool crossed;                /* some that are open end after one that they do not lie in */
    struct tell_open *open;      /* outermost first; owned */
    size_t count;                /* of open */
    size_t capacity;             /* the same */
};

/* A slice whose end is an event of its own. */
struct tell_begun {
    uint32_t line;  /* of its thread */
    open_id open;   /* of the feed */
    string_id name; /* by which an end may ask for it */
    uint64_t end;   /* offset of the end whose arguments it was told with; CHROME_NO_END: none */
};

/* What lies in a slice is of this. */
struct tell_within {
    operator_id op;   /* NO_ID: no operator */
    string_id module; /* 0: none */
    uint32_t place;   /* in the source: its number, counted from 1; 0: not known */
};

/* A slice that something may lie in. */
struct tell_context {
    int64_t end;              /* ns; INT64_MAX: not known yet */
    open_id open;             /* of a slice whose end is an event of its own; else NO_ID */
    struct tell_within own;   /* what it tells itself */
    struct tell_within whole; /* with what the slices around it tell */
};

/* What an operator is called. */
struct tell_named {
    string_id name;     /* of it */
    string_id type;     /* 0: none */
    string_id category; /* the same */
    string_id shapes;   /* the same; those of the first one */
};

/* The latest slice of a thread. */
struct tell_pending {
    bool any;                   /* there is one */
    bool begun;                 /* its end is an event of its own */
    uint32_t thread;            /* its place */
    uint32_t line;              /* of the thread */
    enum event_role role;       /* what it is */
    struct slice slice;         /* with times of the feed */
    int64_t end;                /* ns as in the file; INT64_MAX: not known */
    uint64_t end_offset;        /* of the end whose arguments it has; CHROME_NO_END: none */
    struct tell_within told;    /* what an argument, a frame or an arrow tells */
    struct tell_named named;    /* of an operator */
    struct argument *arguments; /* owned */
    size_t argument_capacity;   /* of arguments */
    uint32_t *flows;            /* owned */
    size_t flow_count;          /* of flows */
    size_t flow_capacity;       /* the same */
};

struct tell_thread {
    struct tell_line *lines;       /* one for each engine; owned */
    uint32_t line_count;           /* of lines */
    rule_set fit;                  /* rules that may count on it */
    struct tell_begun *begun;      /* innermost last; owned */
    size_t begun_count;            /* of begun */
    size_t begun_capacity;         /* the same */
    struct tell_context *contexts; /* innermost last; owned */
    size_t context_count;          /* of contexts */
    size_t context_capacity;       /* the same */
    bool crossed;                  /* as in lines, of contexts */
    struct tell_pending pending;   /* its latest slice */
    uint32_t *next_flows;          /* arrows that end in the next slice; owned */
    size_t next_flow_count;        /* of these */
    size_t next_flow_capacity;     /* the same */
    int64_t reach;                 /* latest end of its slices that were told */
};

/* A place in the source. */
struct tell_place {
    string_id location; /* for an operator, as it is printed */
    string_id place;    /* in short */
    string_id file;     /* 0: not known */
    uint32_t line;      /* the same */
};

/* What an operator tells the one that takes its derivative. */
struct tell_given {
    uint32_t flow;    /* the arrow from it to that one; they ascend */
    string_id module; /* 0: none */
    uint32_t place;   /* as in tell_within */
};

/* Numbers of arrows by what events call them. */
struct tell_flows {
    uint64_t *keys;   /* 0: the slot is free; owned */
    uint32_t *values; /* flows of the feed; owned */
    size_t slots;     /* of both */
    size_t count;     /* in use */
};

/* Keys of arguments that a producer asks for; 0: it does not. */
struct tell_keys {
    string_id op, scope, type, module, place, shapes, parent;
};

struct chrome_telling {
    struct chrome_trace *trace;    /* borrowed */
    struct feed *feed;             /* borrowed */
    struct chrome_pages pages;     /* of the file */
    clock_id clock;                /* of all lines */
    int64_t origin;                /* ns that the feed's times begin at: 0, or the first time where that is negative */
    struct tell_thread *threads;   /* by place; owned */
    struct chrome_step *steps;     /* by process and start; owned */
    size_t step_count;             /* of steps */
    uint32_t only_steps;           /* the process that has them; NO_ID: none has, or several have */
    struct tell_keys keys;         /* of the producer */
    struct number_map operators;   /* by name, type, module and place */
    struct number_map place_map;   /* by text */
    struct column places;          /* struct tell_place */
    struct tell_flows flows;       /* of arrows */
    struct column given;           /* struct tell_given, by arrow */
    struct column alone;           /* struct tell_within, of launches outside of operators */
    struct spans spans;            /* of processes */
    struct number_map told_tracks; /* of counters that instants tell: by process, counter and what tells them apart */
    struct argument *arguments;    /* of the event at hand; owned */
    size_t argument_count;         /* of arguments */
    size_t argument_capacity;      /* the same */
    struct chrome_members members; /* of the event at hand */
    uint64_t told;                 /* events so far */
};

/* ---- chrome_tracks.c ---- */
NODISCARD status tell_announce(struct chrome_telling *telling);
/* The run that a time of the file lies in; NO_ID: none. */
run_id tell_run_at(const struct chrome_telling *telling, uint32_t process, int64_t time);

/* By process and start. */
int tell_compare_steps(const void *left, const void *right);

/* ---- chrome_own.c ---- */
/* Runs and steps that Tacho told when it wrote the file; the runs become `steps` of the telling. First of all: the ends of steps that
 * stand apart, and none of them where several inputs are mixed. */
NODISCARD status tell_settle_own(struct chrome_telling *telling);
NODISCARD status tell_own_runs(struct chrome_telling *telling);
NODISCARD status tell_own_steps(struct chrome_telling *telling);

/* ---- chrome_arguments.c ---- */
/* The arguments of the event whose members are at hand, each key once. */
NODISCARD status tell_arguments(struct chrome_telling *telling, const struct chrome_event *event, uint64_t offset);
/* The same of an end, beside those that its begin had: of two with one key that of the end counts. */
NODISCARD status tell_more_arguments(struct chrome_telling *telling, const struct chrome_event *event, uint64_t offset);
/* The value of a key as a text: as it came, or in decimal. 0: none. */
NODISCARD status tell_argument_text(struct chrome_telling *telling, string_id key, string_id *text);

/* ---- chrome_operators.c ---- */
/* What lies in the slices that are open on a thread at this time. */
const struct tell_within *tell_within(struct tell_thread *thread, int64_t time);
NODISCARD status tell_push_context(struct tell_thread *thread, int64_t end, open_id open,
                                   const struct tell_within *own);
/* The number of a place by a text that tells it, 0 where it tells none; `loosely`: any text is a place. */
NODISCARD status tell_place(struct chrome_telling *telling, string_id text, bool loosely, uint32_t *place);
/* What the operators tell of which one takes the derivative: the only one to which an arrow leads between these times. */
struct tell_within tell_derivative(const struct chrome_telling *telling, uint32_t thread, int64_t start, int64_t end);
NODISCARD status tell_operator(struct chrome_telling *telling, const struct tell_named *named,
                               const struct tell_within *within, operator_id *op);

/* ---- chrome_slices.c ---- */
/* The number of an arrow by its key; 0: it did not begin yet. */
uint32_t tell_find_flow(const struct tell_flows *flows, uint64_t key);
/* An event of a thread. `*wait` is left as it is, or nothing was done yet, because it has to wait until this time. NULL: it has waited. */
NODISCARD status tell_thread_event(struct chrome_telling *telling, uint32_t place, uint64_t offset, int64_t time,
                                   int64_t *wait);
/* Whether an end would close a slice that began before this time. */
bool tell_can_end(const struct tell_thread *thread, string_id name);
NODISCARD status tell_finish_thread(struct chrome_telling *telling, struct tell_thread *thread);

/* ---- chrome_spans.c ---- */
NODISCARD status tell_span_event(struct chrome_telling *telling, uint32_t process, uint64_t offset, int64_t time);
NODISCARD status tell_counter_event(struct chrome_telling *telling, uint32_t process, uint64_t offset, int64_t time);
/* The values that an instant tells, by what its producer says. */
NODISCARD status chrome_tell_values(struct chrome_telling *telling, uint32_t process, string_id name, int64_t time);
NODISCARD status tell_finish_spans(struct chrome_telling *telling);

#endif
