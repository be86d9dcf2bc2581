/* advice.h: what to do about a profile: one engine for all tool chains.
 *
 * A rule is data: its id, what it looks for, sentences with named places, and a function that finds evidence in the model that its chain
 * made of an input. What it finds are items: rows (operators, jobs, cores, with their place in the source), numbers for the sentences, and
 * the time that could be saved. The engine ranks all items of all rules:
 *
 *     advice_start(&advice, run_ns)
 *     advice_pool(&advice, ns)                          time of a run that can be saved once: of an operator, or in which all wait
 *     advice_find(&advice, rules, model)                each rule: item = advice_add(…), advice_row(…), advice_claim(item, pool, ns), …
 *     advice_dominates(&advice, …)                      what most of a run is, whatever is wrong with it
 *     advice_settle(&advice)                        →   advice.items: what saves most first; no time of a pool is counted twice
 *
 * An item claims time of pools. The one that could save most takes its time from them; what the others could still save is what is left.
 * One that is left with next to nothing is dropped. All of them together never save more than a run. Where no item could save a tenth of a run the profile is healthy: then the only item
 * is what dominates it, and what the rules found besides is `smaller`.
 *
 * All times are nanoseconds of one run. An advice owns copies of all texts. The first failure sticks: it is what `advice_settle` returns.
 */
#ifndef ANALYZE_ADVICE_H
#define ANALYZE_ADVICE_H

#include "base/arena.h"
#include "base/column.h"
#include "table/table.h"

/* X(name, key, text): what bounds the time that an item is about. */
#define ADVICE_BOUND_MAP(X)                              \
    X(UNKNOWN, "unknown", "what bounds it is not known") \
    X(MEMORY, "memory", "bound by memory")               \
    X(ARITHMETIC, "arithmetic", "bound by arithmetic")   \
    X(LATENCY, "latency", "bound by calls")              \
    X(WAITING, "waiting", "bound by waiting")            \
    X(TRANSFER, "transfer", "bound by transfers")        \
    X(IMBALANCE, "imbalance", "bound by the slowest")    \
    X(KERNEL, "kernel", "bound by its kernel")

enum advice_bound {
#define X(name, key, text) ADVICE_##name,
    ADVICE_BOUND_MAP(X)
#undef X
};

const char *advice_bound_key(enum advice_bound bound);
const char *advice_bound_text(enum advice_bound bound);

enum {
    ADVICE_HEALTHY_PERCENT = 10, /* a profile in which nothing could save this much of a run is healthy */
    ADVICE_ROWS = 8              /* rows that an item keeps; it counts the others */
};

struct advice;
struct advice_item;
struct advice_rule;

/* Looks into the chain's model, and adds an item for each thing that is found. */
typedef void advice_find_call(struct advice *advice, const struct advice_rule *rule, const void *model);

/* Sentences are templates. {key} is a value that was set for the item, or for all of them; {key:one:many} is a count with its word,
 * {key~one:many} the word alone; what stands in [brackets] is left out where one of its values is not set. Always there: {saves}, {share}
 * (of a run), {time} (that its rows take), {rows} (how many), {run}; and of the first row {first}, {place}, {first_time}. {where} is the
 * first rows with their places; [{more}] says "and 4 more" where there are other rows than the first. */
struct advice_rule {
    const char *id;          /* "dominant": scripts know it; NULL ends a list */
    const char *looks_for;   /* for `tacho advise --rules`: one line */
    enum advice_bound bound; /* of the time that it is about; an item may say otherwise */
    const char *title;       /* what to do */
    const char *evidence;    /* why: what was seen, with its numbers */
    const char *assumes;     /* what the saving rests on: "if …" */
    const char *ruled_out;   /* what it is not; NULL: nothing was looked at */
    const char *command;     /* that shows more; NULL: none */
    advice_find_call *find;  /* NULL: another rule of the list finds its items too */
};

/* The rules for one kind of input. */
struct advice_rules {
    const char *about;               /* what kind: "reports of operations" */
    const struct advice_rule *rules; /* up to one without id */
};

/* One line of evidence. A text that is not known is NULL, a number NAN. */
struct advice_row {
    const char *name;     /* operator, job, core, program */
    const char *location; /* where the user can look it up: source line, dispatch, module */
    const char *remark;   /* what else there is to say: shape, rate, engine */
    double ns;            /* that it takes */
    double saves_ns;      /* of these, that could be saved */
    uint64_t count;       /* how often; 0: not said */
};

struct advice_item {
    const struct advice_rule *rule;                               /* that found it */
    enum advice_bound bound;                                      /* of the time */
    struct advice_row rows[ADVICE_ROWS];                          /* those that could save most, first */
    size_t row_count, rows_left;                                  /* of rows; and of those that came besides */
    double ns;                                                    /* that all rows take; NAN: not known */
    double saves_ns;                                              /* at most, once settled */
    uint32_t first_claim, first_value;                            /* NO_ID: none */
    const char *title, *evidence, *assumes, *ruled_out, *command; /* once settled; the last two may be NULL */
};

struct advice_part {
    const char *name; /* for people */
    double ns;        /* of a run */
};

struct advice {
    struct arena arena;                  /* texts */
    double run_ns;                       /* of one run, on average */
    const char *subject;                 /* name of the profile */
    const char *summary;                 /* a sentence: what it is, how long a run takes, which runs count */
    struct column all;                   /* struct advice_item, as they were found */
    struct column claims, pools, values; /* of items */
    struct advice_item every;            /* no item of its own: what it is given as values, all of them have */
    struct advice_item **items;          /* once settled: what to do, what saves most first */
    size_t count;                        /* of items */
    size_t smaller;                      /* behind the items: as many that save less than the healthy share */
    struct advice_item *dominant;        /* what most of a run is; NULL: nobody said */
    const char *unjudged;                /* a sentence: why nothing could be judged; NULL: it could */
    bool healthy;                        /* nothing could save a tenth of a run */
    struct advice_part *parts;           /* that add up to a run */
    size_t part_count, part_capacity;    /* of parts */
    const char **notes;                  /* what limits all of this */
    size_t note_count, note_capacity;    /* of notes */
    status failure;                      /* the first; STATUS_OK: none */
};

void advice_start(struct advice *advice, double run_ns);
void advice_free(struct advice *advice);

/* ---- Filling: nothing is added after a failure ---- */

const char *advice_say(struct advice *advice, const char *format, ...) PRINTF_LIKE(2, 3); /* "" after a failure */
const char *advice_say_time(struct advice *advice, double nanoseconds);                   /* "12.845ms" */
const char *advice_say_rate(struct advice *advice, double rate);                          /* three digits that count */
void advice_note(struct advice *advice, const char *format, ...) PRINTF_LIKE(2, 3);
void advice_part(struct advice *advice, const char *name, double nanoseconds);
uint32_t advice_pool(struct advice *advice, double nanoseconds);

/* Lets every rule look. */
void advice_find(struct advice *advice, const struct advice_rule *rules, const void *model);

/* A new item of a rule; valid until `advice_free`; NULL after a failure. All functions below take NULL for an item, and do nothing:
 * a rule that found none need not ask. */
struct advice_item *advice_add(struct advice *advice, const struct advice_rule *rule);
/* Texts are copied. */
void advice_row(struct advice *advice, struct advice_item *item, struct advice_row row);
/* It could save `nanoseconds` of that pool at most. Several claims of one item on a pool come one after the other: no other
 * item claims of it between them. */
void advice_claim(struct advice *advice, struct advice_item *item, uint32_t pool, double nanoseconds);
/* Values of sentences; item `&advice->every`: of all items. A text that is NULL, a number that is NAN is not set. */
void advice_text(struct advice *advice, struct advice_item *item, const char *key, const char *text);
/* A path, as one word of a command that a user can copy. Of all items: "input" is the profile; with it goes the text "files", options for what belongs to it. */
void advice_word(struct advice *advice, struct advice_item *item, const char *key, const char *path);
void advice_time(struct advice *advice, struct advice_item *item, const char *key, double nanoseconds);
void advice_count(struct advice *advice, struct advice_item *item, const char *key, uint64_t count);
void advice_percent(struct advice *advice, struct advice_item *item, const char *key, double percent); /* "43 %" */
void advice_factor(struct advice *advice, struct advice_item *item, const char *key, double factor);   /* "1.8x" */

/* The longest piece of work of a run: what bounds it, why (a clause; NULL: nothing to say) and what would change that. */
void advice_dominates(struct advice *advice, struct advice_row row, enum advice_bound bound, const char *why,
                      const char *change);
extern const struct advice_rule advice_dominant_rule;

/* Ranks the items and writes their sentences. */
NODISCARD status advice_settle(struct advice *advice);

/* ---- Reading ---- */

double advice_share(const struct advice *advice, double nanoseconds); /* percent of a run; 0 where that is 0 */
int64_t advice_rounded(double nanoseconds); /* as far as an integer goes; 0 where it is none */
/* "conv1 (models.py:20), conv2 (models.py:31) and 4 more", the first `most`. In the advice's arena. */
const char *advice_where(struct advice *advice, const struct advice_item *item, size_t most);
/* Whether what dominates is worth a word beside the items: none of them is about it. */
bool advice_names_dominant(const struct advice *advice);
/* The first sentence of every answer: that it is healthy, or how much could be saved. In the advice's arena. */
const char *advice_headline(struct advice *advice);

/* ---- Tables; NULL: out of memory ---- */

struct table *advice_item_table(const struct advice *advice, const char *title); /* items, then smaller ones */
/* A row for each thing that an item was seen at; one for an item that was seen nowhere. `alone`: nothing else tells what the items rest on,
 * so that it does. */
struct table *advice_evidence_table(struct advice *advice, const char *title, bool alone);
struct table *advice_part_table(const struct advice *advice, const char *title);

#endif
