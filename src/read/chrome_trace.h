/* chrome_trace.h: what the two walks over a file of trace events share: what the first one found.
 *
 *     chrome_look    file ──► processes, threads, counters, runs, launches, and where the events of each line lie
 *     chrome_tell    lines by time ──► feed
 *
 * A trace owns everything in it until `chrome_trace_free`; source, feed and producer are borrowed.
 */
#ifndef READ_CHROME_TRACE_H
#define READ_CHROME_TRACE_H

#include "base/column.h"
#include "base/map.h"
#include "read/chrome_index.h"
#include "read/chrome_pages.h"
#include "read/chrome_rules.h"
#include "read/chrome_texts.h"
#include "read/reader.h"
#include "trace/chrome_own.h"

/* A process of the file. */
struct chrome_process {
    string_id pid;               /* as it is written */
    string_id name;              /* 0: none is told */
    string_id labels;            /* the same */
    int64_t sort;                /* index that it is to be sorted by */
    uint32_t runs;               /* found in it */
    uint32_t first_run;          /* of these, once they are in order */
    track_id track;              /* its group; NO_ID: not announced */
    struct chrome_line spans;    /* b, n, e */
    struct chrome_line counters; /* C */
};

enum { CHROME_SETS_SEEN = 16 }; /* different sets of rules that are told apart on a thread */

/* A begin whose end did not come yet. */
struct chrome_begun {
    int64_t time;    /* ns */
    uint64_t offset; /* in the file */
    string_id name;  /* 0: none */
};

/* An end that has arguments, and the begin whose slice they are of. */
struct chrome_end {
    uint64_t begin, end; /* offsets in the file */
};

#define CHROME_NO_END UINT64_MAX

struct chrome_thread {
    uint32_t process;                /* its place */
    string_id tid;                   /* as it is written */
    string_id name;                  /* 0: none is told */
    int64_t sort;                    /* index that it is to be sorted by */
    const struct engine *engine;     /* that the file tells; NULL: none */
    bool pairs;                      /* it has begins or ends */
    bool drawn;                      /* it has slices or instants */
    rule_set seen[CHROME_SETS_SEEN]; /* that its slices fit; the last one: all others together */
    uint32_t seen_count;             /* of seen */
    struct chrome_line line;         /* X, B, E, i, s, t, f */
    struct chrome_begun *begun;      /* in the first walk: what is open, innermost last; owned */
    size_t begun_count;              /* of begun */
    size_t begun_capacity;           /* the same */
    int64_t begun_last;              /* time of the last begin or end in the file */
    bool begun_any;                  /* there was one */
    bool jumps; /* they do not stand by time: which belong together is not known before they are told */
};

/* A counter: one argument of events of a name. */
struct chrome_series {
    uint32_t process; /* its place */
    string_id name;   /* of the events */
    string_id key;    /* of the argument */
    bool decimal;     /* some value is no integer */
    track_id track;   /* NO_ID: not announced */
};

/* One inference or step, as a slice on the host tells it. */
struct chrome_step {
    uint32_t process; /* its place */
    uint32_t thread;  /* the same */
    rule_set fit;     /* rules that its event fits */
    int64_t start;    /* ns, as in the file */
    int64_t host_end; /* of the slice; INT64_MAX: not known */
    int64_t end;      /* with work that it launched */
    int64_t number;   /* that the file gives it; -1: none */
    run_id run;       /* of the feed; NO_ID: not announced */
};

/* A call that hands work to a device. */
struct chrome_launch {
    uint64_t correlation; /* by which the work knows it; the highest bit: it was told */
    union {
        int64_t time; /* ns, when it begins; until it is told */
        struct {
            operator_id op; /* that launched; with CHROME_ALONE: none did, and the rest says where; NO_ID: none */
            run_id run;     /* in which it was launched; NO_ID: in none */
        } of;               /* then */
    };
};

#define CHROME_TOLD ((uint64_t)1 << 63)
#define CHROME_ALONE ((operator_id)1 << 31) /* operators have smaller numbers */

/* The latest event of the first walk that is no work: what stands behind it in the file may be its work. */
struct chrome_host {
    bool any;        /* there was one */
    bool launches;   /* it is kept as a launch */
    uint64_t offset; /* in the file */
    int64_t time;    /* ns, when it begins */
    string_id name;  /* of it */
    string_id type;  /* that an argument tells; 0: none */
};

/* Work of a device: the run that launched it lasts until it is done. */
struct chrome_work {
    int64_t end;          /* ns */
    uint64_t correlation; /* of its launch */
};

/* The end of an arrow to an operator that takes the derivative of another one. */
struct chrome_derivative {
    uint32_t thread; /* its place */
    int64_t time;    /* ns */
    uint64_t arrow;  /* its key */
};

/* A row of numbers that only Tacho writes: see trace/chrome_own.h. */
struct chrome_own_row {
    uint32_t process;                 /* its place */
    int64_t number;                   /* among those of its kind */
    int64_t values[CHROME_OWN_WIDTH]; /* as many as its kind has; none is negative, nor larger than times of events */
    bool lost;                        /* of a step: its end never came */
};

struct chrome_trace {
    struct source *source;                 /* borrowed */
    struct feed *feed;                     /* borrowed */
    const struct producer *producer;       /* borrowed; NULL: none */
    struct chrome_texts texts;             /* of events */
    struct chrome_rules rules;             /* of the producer */
    struct column processes;               /* struct chrome_process */
    struct number_map process_map;         /* by pid */
    struct column threads;                 /* struct chrome_thread */
    struct number_map thread_map;          /* by process and tid */
    struct column series;                  /* struct chrome_series */
    struct number_map series_map;          /* by process, name and key */
    struct number_map frames;              /* stack frames: name by id */
    struct column steps;                   /* struct chrome_step, in the order of the file */
    struct chrome_launch *launches;        /* by correlation, once they are in order; owned */
    size_t launch_count;                   /* of launches */
    size_t launch_capacity;                /* the same */
    struct chrome_host host;               /* whose work may come next */
    bool has_work;                         /* some event is work of a device */
    struct column work;                    /* struct chrome_work, in the order of the file */
    struct chrome_derivative *derivatives; /* by thread and time, once they are in order; owned */
    size_t derivative_count;               /* of derivatives */
    size_t derivative_capacity;            /* the same */
    struct column own[CHROME_OWN_KINDS];   /* struct chrome_own_row, in the order of the file */
    struct chrome_end *ends;               /* by begin, once they are in order; owned */
    size_t end_count;                      /* of ends */
    size_t end_capacity;                   /* the same */
    int64_t first, last;                   /* smallest and largest time of all events */
    bool any;                              /* there is one */
    uint64_t size;                         /* bytes of the file that were walked through */
    struct chrome_places places;           /* lines of offsets */
};

/* Reasons for losses, behind the general ones. */
extern const struct loss_reason chrome_loss_phase, chrome_loss_time, chrome_loss_duration, chrome_loss_id,
    chrome_loss_counter, chrome_loss_cut, chrome_loss_broken, chrome_loss_arrow, chrome_loss_late_arrow,
    chrome_loss_reaches, chrome_loss_end_arguments, chrome_loss_many, chrome_loss_another;
extern const struct loss_reason *const chrome_loss_reasons[]; /* all of these, NULL at the end */

void chrome_trace_start(struct chrome_trace *trace, struct source *source, struct feed *feed,
                        const struct producer *producer);
void chrome_trace_free(struct chrome_trace *trace);

/* Counts a row as lost, or marks it, at its place in the file. */
NODISCARD status chrome_lose(struct chrome_trace *trace, const struct loss_reason *reason, uint64_t offset);

/* The process and the thread of an event. */
NODISCARD status chrome_find_process(struct chrome_trace *trace, struct text pid, uint32_t *process);
NODISCARD status chrome_find_thread(struct chrome_trace *trace, const struct chrome_event *event, uint32_t *thread);
/* The id of an arrow or span as a number, with what else tells it apart. */
uint64_t chrome_id(const struct chrome_event *event, string_id category, uint64_t more);
/* The same of arrows that slices name themselves. */
uint64_t chrome_bind_id(const struct chrome_event *event);
/* A key by which launches and work know each other. */
uint64_t chrome_correlation(struct text value);
/* The launch of a correlation, once they are in order; NULL: there is none. */
struct chrome_launch *chrome_find_launch(const struct chrome_trace *trace, uint64_t correlation);
/* The launch whose work stands at this place in the file, where a producer tells it by that; NULL: there is none. */
struct chrome_launch *chrome_launch_before(const struct chrome_trace *trace, uint64_t offset);
/* The engine of events that fit a rule; NULL for it: they fit none, and are plain slices of their thread. */
const struct engine *chrome_engine(const struct chrome_trace *trace, const struct producer_rule *rule);
/* A counter: made where it is new. */
NODISCARD status chrome_find_series(struct chrome_trace *trace, uint32_t process, string_id name, string_id key,
                                    struct chrome_series **series);

static inline struct chrome_process *chrome_process_at(const struct chrome_trace *trace, uint32_t place)
{
    return column_at(&trace->processes, place);
}

static inline struct chrome_thread *chrome_thread_at(const struct chrome_trace *trace, uint32_t place)
{
    return column_at(&trace->threads, place);
}

/* Whether the value of a counter is a number, and whether it is a decimal one. */
bool chrome_counter_value(const struct chrome_member *member, bool *decimal, int64_t *integer, double *number);

/* Begins and ends, as the first walk meets them; then the offset of the end whose arguments belong to a begin, CHROME_NO_END: there is none. */
NODISCARD status chrome_look_at_end(struct chrome_trace *trace, struct chrome_thread *thread,
                                    const struct chrome_event *event, int64_t time, uint64_t offset);
void chrome_sort_ends(struct chrome_trace *trace);
uint64_t chrome_find_end(const struct chrome_trace *trace, const struct chrome_thread *thread, uint64_t begin);

/* A metadata event of a name that may be ours. */
NODISCARD status chrome_look_at_own(struct chrome_trace *trace, const struct chrome_event *event);

NODISCARD status chrome_look(struct chrome_trace *trace);
NODISCARD status chrome_tell(struct chrome_trace *trace);

#endif
