/* trace_tables.h: what was read, as tables of SQL: slices, tracks, arguments, counters, flows and runs of all inputs.
 *
 * Inputs are opened and recognised at once, and read when a statement first names one of these tables: all into one store. Nothing is copied from
 * there; only the rows of arguments and flows are listed, 8 and 4 bytes each, and orders are made where a query has a use for them. A struct
 * trace_tables owns everything in it until `trace_tables_free`; options are borrowed as long.
 */
#ifndef QUERY_TRACE_TABLES_H
#define QUERY_TRACE_TABLES_H

#include "job/session.h"
#include "query/sql_table.h"
#include "trace/store.h"

enum trace_table { TRACE_SLICES, TRACE_TRACKS, TRACE_ARGUMENTS, TRACE_COUNTERS, TRACE_FLOWS, TRACE_RUNS, TRACE_TABLES };

/* A run of an input, with its pieces. */
struct trace_run {
    uint32_t input;            /* among the profiles */
    uint32_t launch;           /* which process, as the input says */
    uint32_t index;            /* among the runs of that */
    const struct clock *clock; /* of its times; in `counting` */
    int64_t start, end;        /* ticks: of the first piece, of the last */
    int64_t ticks;             /* of all pieces */
    bool counted;              /* no warm-up, no hiccup */
};

/* What was read of an input. */
struct trace_input {
    track_id first_track, end_track; /* its tracks */
    uint32_t first_run, end_run;     /* its runs */
    bool whole;                      /* it is one run */
    bool by_time;                    /* slices belong to the run that they begin in */
};

struct trace_tables {
    struct session session;     /* the inputs */
    struct counting counting;   /* of their runs */
    struct store store;         /* all that was read */
    bool read;                  /* they were */
    status failed;              /* or could not be */
    uint32_t *track_inputs;     /* by track: its input; owned */
    struct trace_input *inputs; /* by profile; owned */
    struct trace_run *runs;     /* of all inputs; owned */
    size_t run_count;           /* of runs */
    size_t run_capacity;        /* of runs */
    uint32_t *told;             /* by run id: its place in `runs`, NO_ID: none; owned */
    uint32_t *argument_slices;  /* by row of the arguments: their slice; owned */
    uint32_t *argument_places;  /* the same: their place in the store; owned */
    uint32_t *flow_places;      /* by row of the flows: their place in the store; owned */
    struct sql_table tables[TRACE_TABLES];
};

/* `runs` and `warmup` as the user gave them. Free it also after a failure. */
NODISCARD status trace_tables_start(struct trace_tables *trace, const struct session_options *options,
                                    const char *const *paths, size_t count, const char *runs, const char *warmup);
void trace_tables_free(struct trace_tables *trace);

/* Reads all inputs that have times, once. */
NODISCARD status trace_tables_read(struct trace_tables *trace);

/* Their names, one sentence about each, and their columns: constants, there before anything is read. */
struct trace_table_facts {
    const char *name;                 /* in SQL */
    const char *description;          /* one sentence */
    const struct sql_column *columns; /* ends with name NULL */
    const struct sql_index *indexes;  /* the same; NULL: none */
};

extern const struct trace_table_facts trace_table_facts[TRACE_TABLES];

/* Reads what was not read yet. */
NODISCARD status trace_tables_open(struct trace_tables *trace, enum trace_table which, struct sql_table **table);

/* For `trace_tables_open`: rows and calls of a table, after reading; its columns and indexes are there. */
NODISCARD status trace_tables_fill(struct trace_tables *trace, enum trace_table which, struct sql_table *table);

/* Nanoseconds of a time on a track. */
int64_t trace_tables_ns(const struct trace_tables *trace, const struct track *track, int64_t ticks);

/* The run of a slice; NO_ID: none. */
uint32_t trace_tables_run(const struct trace_tables *trace, size_t slice);

/* The argument of a slice, by its key; null: there is none. */
void trace_tables_argument(const struct trace_tables *trace, int64_t slice, struct text key, struct sql_value *value);

#endif
