/* history.h: profiles of builds over time: what answers need of each, in a store.
 *
 * A store has tables of rows, and gives those of chosen profiles back, by key; what they are is written down once, in history.c and here. What is asked of them (which
 * profiles, in which order, sums, means) is answered in history_profiles.c and history_read.c, so that any store that can insert rows and find them again can be one:
 * SQLite in one file, or ClickHouse. Keys are made of what was added (the hash of a file, the number of a launch in it), never counted by the store,
 * so that two writers do not meet and a row that is there already is the same row.
 *
 *     profile ─┬─ content          its bytes, where they are kept
 *              ├─ label            which model, build, commit, device, and whatever else it was labelled with
 *              ├─ note, advice     losses, failures, what should be known; what would be worth doing
 *              └─ launch ─┬─ run
 *                         ├─ part, engine, counter
 *                         └─ operator_time ── operator      (each once, shared by all profiles)
 *
 *     mark       what people say of a build: good, bad, or nothing any more; the newest counts
 *
 * A profile is added whole or not at all, and twice changes nothing. Builds are in the order in which they were first added.
 * A struct history owns its store until `history_close`; what a store hands out is valid during the call only.
 */
#ifndef HISTORY_HISTORY_H
#define HISTORY_HISTORY_H

#include <math.h>

#include "analyze/changes.h"
#include "analyze/compare.h"
#include "base/arena.h"
#include "base/text.h"
#include "job/verb.h"

/* ---- The seam ---------------------------------------------------------------------------------------------------------- */

enum { HISTORY_VERSION = 2, HISTORY_COLUMNS = 16, HISTORY_BUILDS = 32, HISTORY_WORD = 256 };

enum history_kind { HISTORY_NULL, HISTORY_INTEGER, HISTORY_DECIMAL, HISTORY_TEXT, HISTORY_BYTES };

struct history_value {
    enum history_kind kind; /* tells which of the others is set */
    union {
        int64_t integer;  /* INTEGER */
        double decimal;   /* DECIMAL */
        struct text text; /* TEXT, BYTES; borrowed */
    };
};

static inline struct history_value history_integer(int64_t value)
{
    return (struct history_value){ .kind = HISTORY_INTEGER, .integer = value };
}
static inline struct history_value history_integer_or_none(bool known, int64_t value)
{
    return known ? history_integer(value) : (struct history_value){ .kind = HISTORY_NULL };
}
/* NAN is none. */
static inline struct history_value history_decimal(double value)
{
    return (struct history_value){ .kind = isnan(value) ? HISTORY_NULL : HISTORY_DECIMAL, .decimal = value };
}
static inline struct history_value history_text(struct text text)
{
    return (struct history_value){ .kind = HISTORY_TEXT, .text = text };
}
static inline struct history_value history_word(const char *text)
{
    return history_text(text_of(text ? text : ""));
}

/* As it came out of a file that somebody else may have written: what is of another kind is empty, 0 or NAN. */
static inline struct text history_text_at(const struct history_value *value)
{
    return value->kind == HISTORY_TEXT ? value->text : text_of("");
}
static inline int64_t history_integer_at(const struct history_value *value)
{
    return value->kind == HISTORY_INTEGER ? value->integer : 0;
}
static inline double history_decimal_at(const struct history_value *value)
{
    return value->kind == HISTORY_DECIMAL   ? value->decimal
           : value->kind == HISTORY_INTEGER ? (double)value->integer
                                            : NAN;
}

struct history_column {
    const char *name;       /* NULL ends a list */
    enum history_kind kind; /* of its values */
    bool optional;          /* a value may be none */
};

struct history_table {
    const char *name;                               /* NULL ends the list */
    struct history_column columns[HISTORY_COLUMNS]; /* those of the key first */
    unsigned key;                                   /* columns that are unique together */
    unsigned since;                                 /* version that first had it */
    const char *named;                              /* column that a request names; NULL: none */
    bool shared;                                    /* rows belong to no profile, and may be there already */
};

enum history_table_id {
    TABLE_PROFILE,
    TABLE_CONTENT,
    TABLE_LABEL,
    TABLE_NOTE,
    TABLE_ADVICE,
    TABLE_LAUNCH,
    TABLE_RUN,
    TABLE_PART,
    TABLE_ENGINE,
    TABLE_OPERATOR,
    TABLE_OPERATOR_TIME,
    TABLE_COUNTER,
    TABLE_MARK,
    HISTORY_TABLES /* how many there are */
};
extern const struct history_table history_tables[];
/* Of a table. */
size_t history_columns(enum history_table_id table);
/* How many tables a store of this version has. */
size_t history_tables_since(int64_t version);

/* Rows of a table: those for which all holds that is given. Texts and numbers are borrowed. */
struct history_request {
    enum history_table_id table; /* whose rows, all columns */
    const char *model, *device;  /* of the profiles that they are of; NULL: any. Not of shared tables */
    const char *const *builds;   /* the same */
    size_t build_count;          /* of builds, HISTORY_BUILDS at most; 0: any */
    const int64_t *ids;          /* the first column is one of these, which ascend; NULL: anything */
    size_t id_count;             /* of ids */
    const char *name;            /* what the table's named column has; of what operators take: theirs; NULL: any */
};

typedef status (*history_take)(void *context, const struct history_value *values);

struct history_calls {
    status (*begin)(void *self); /* a transaction; waits for another writer */
    /* A value for each column; the row of the profile itself comes first. Of a shared table, a row whose key is there already is left as it is. */
    status (*insert)(void *self, enum history_table_id table, const struct history_value *values);
    /* All rows of profiles, of all tables that are not shared. */
    status (*remove)(void *self, const int64_t *profiles, size_t count);
    status (*end)(void *self, bool keep); /* of the transaction: kept, or as if it had never begun */
    /* What was kept so far is surely there. Before, it may be on its way, and a failure to come. */
    status (*settle)(void *self);
    /* Calls `take` for each row, in the order of the table's key, until that fails. What was kept is among them, settled or not. */
    status (*read)(void *self, const struct history_request *request, history_take take, void *context);
    void (*close)(void *self);
};

struct history {
    const struct history_calls *calls; /* NULL: closed */
    void *self;                        /* of the store; owned */
    uint64_t days; /* after which whoever adds takes profiles out; 0: there are none, or the store does it */
};

/* A file, or a database of ClickHouse servers by its URL (clickhouse_url.h); `write`: it is made where it is not there. STATUS_INPUT: no store, or one of a newer
 * version. Close it also after a failure. */
NODISCARD status history_open_store(const char *name, bool write, struct history *history);
NODISCARD status history_open_sqlite(const char *path, bool write, struct history *history);
NODISCARD status history_open_clickhouse(const char *url, bool write, struct history *history);
void history_close(struct history *history);

/* ---- In ------------------------------------------------------------------------------------------------------------------ */

/* What is known of a profile beside its launches. Texts are borrowed; empty: not known. */
struct history_profile {
    int64_t id;                            /* hash of its bytes */
    int64_t size;                          /* of these */
    int64_t added;                         /* ns since 1970 */
    const char *name, *chain;              /* of the file, and of its tool chain: an id */
    const char *model, *build, *commit;    /* of what */
    const char *device;                    /* on what */
    const struct texts *labels;            /* "KEY=VALUE", sorted */
    struct text content;                   /* its bytes, where they are kept; no data: they are not */
    const char *const *failures;           /* launches without a time, and why */
    size_t failure_count;                  /* of these */
    const char *const *notes;              /* losses, and what else should be known */
    size_t note_count;                     /* of these */
    const struct compare_launch *launches; /* in order */
    const double *medians;                 /* of each launch: ms of a run, warm-up left out */
    size_t launch_count;                   /* of both */
    const struct strings *strings;         /* of their names */
    const struct advice_note *advice;      /* what would be worth doing, best first */
    size_t advice_count;                   /* of these */
};

struct advice_note {
    const char *rule;     /* id */
    const char *sentence; /* what to do */
    int64_t saving;       /* ns of a run, at most */
};

/* A profile that was there already: nothing is done then. */
struct history_found {
    bool there;               /* it was; else nothing else is set */
    int64_t size;             /* of its bytes */
    char build[HISTORY_WORD]; /* that it is of */
};

/* STATUS_INPUT: another file of this hash is there. It is surely there once `history_settle` says so. */
NODISCARD status history_add(const struct history *history, const struct history_profile *profile,
                             struct history_found *found);
NODISCARD status history_settle(const struct history *history);

/* ---- Out ----------------------------------------------------------------------------------------------------------------- */

/* Which profiles: texts are borrowed; NULL or empty: any. */
struct history_choice {
    const char *model;         /* of what */
    const char *device;        /* on what */
    const char *const *builds; /* of these builds alone; not empty */
    size_t build_count;        /* of these, HISTORY_BUILDS at most; 0: of any */
    struct texts labels;       /* "KEY=VALUE": all of them */
};

/* What people say of a build. */
enum history_mark { MARK_NONE, MARK_GOOD, MARK_BAD };

/* Whether a build is one that a candidate is held against. */
struct history_standing {
    bool failed;            /* a launch of it did */
    enum history_mark mark; /* the newest; it counts more than a failure */
};

static inline bool history_is_good(struct history_standing standing)
{
    return standing.mark == MARK_GOOD || (standing.mark == MARK_NONE && !standing.failed);
}
/* "good", "bad", "failed"; empty: nobody said anything, and nothing failed. */
const char *history_standing_word(struct history_standing standing);

/* A number of each launch, build by build. */
struct history_series {
    struct build_launches *builds;      /* in order; owned */
    char **names;                       /* of the builds; owned */
    char **commits;                     /* the same; empty: not known */
    int64_t *added;                     /* when each was first added, ns since 1970; owned */
    size_t count;                       /* of builds */
    double **values;                    /* of the builds' launches; owned */
    struct history_standing *standings; /* of the builds, once they were read; owned */
    char **devices;                     /* that profiles say they were measured on, each once; owned */
    size_t device_count;                /* of these */
    size_t capacity, device_capacity;   /* of all of the first, and of the second */
};

/* `metric`: "run" (also "step"), "device", "host", "idle", "operators", a counter by its key ("bytes", "flops", "cycles"), or a part of a run by its key; `op` (NULL: none) is an operator by its name, and the number is what it
 * takes of a run, or of devices where the metric is "device". In ns, but for counts. Free it also after a failure. */
NODISCARD status history_read_series(const struct history *history, const struct history_choice *choice,
                                     const char *metric, const char *op, struct history_series *series);
void history_series_free(struct history_series *series);
/* Of the same choice as the series. */
NODISCARD status history_read_standings(const struct history *history, const struct history_choice *choice,
                                        struct history_series *series);
/* Whether a metric is counted: it has no luck, and changed where it is not equal. */
bool history_is_count(const char *metric);

/* Launches as they are compared, in the order of builds. */
struct history_launches {
    struct compare_launch *items; /* in order; owned */
    size_t count, capacity;       /* of items */
    struct arena arena;           /* runs and names of launches */
    const struct chain *chain;    /* of the last one; NULL: none */
};
/* Adds to what is there. Free it also after a failure. */
NODISCARD status history_read_launches(const struct history *history, const struct history_choice *choice,
                                       struct strings *strings, struct history_launches *launches);
void history_launches_free(struct history_launches *launches);

/* Takes out what is not of the last `keep` builds of each model and device (0: of all of them), and what was added before `since` (ns since 1970);
 * `*removed` profiles. */
NODISCARD status history_prune(const struct history *history, const struct history_choice *choice, size_t keep,
                               int64_t since, size_t *removed);

#endif
