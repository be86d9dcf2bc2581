/* tacho.h: write traces, read profiles of ML accelerators, ask where the time went.
 *
 * Ownership: what a call hands out through a pointer to a pointer (a writer, a profile, a table) is yours until you
 * give it to the call that ends it; texts that you pass in are copied, texts that you get belong to the object they
 * came from and live as long as it does.
 *
 * Failure: calls that can fail return a `tacho_status`; `tacho_error_message` then says what, where and what would
 * help. TACHO_USAGE means that the call made no sense and changed nothing, so you may go on. Nothing here prints, exits
 * or installs handlers.
 *
 * Threads: one writer, profile or result is used by one thread at a time; different ones may be used by different
 * threads at once. They share nothing but the error message, of which every thread has its own. A table does not change
 * once it is made: any number of threads may read one.
 *
 * Pointers to objects must not be NULL unless the text says so. Option structs may be NULL, and a field that is zero or
 * NULL means its default, so `struct tacho_read_options options = { .warmup = "2" }` sets that one thing.
 *
 *     struct tacho_writer *writer;
 *     if (tacho_writer_open("trace.pb", NULL, &writer) != TACHO_OK)
 *         return complain(tacho_error_message());
 *     tacho_writer_log(writer, &(struct tacho_log){ "NPU", "DMA", "load weights", 0, 1200 });
 *     if (tacho_writer_close(writer) != TACHO_OK)
 *         return complain(tacho_error_message());
 */
#ifndef TACHO_TACHO_H
#define TACHO_TACHO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define TACHO_API __attribute__((visibility("default")))
#else
#define TACHO_API
#endif

/* ---- status ----------------------------------------------------------------------------------------------------- */

/* The numbers are the exit codes of the tacho command, which ends with TACHO_INPUT's when memory runs out. */
enum tacho_status {
    TACHO_OK = 0,
    TACHO_NO = 1,     /* the answer is "no" */
    TACHO_USAGE = 2,  /* wrong usage: nothing was done */
    TACHO_INPUT = 3,  /* an input could not be used */
    TACHO_OUTPUT = 4, /* an output could not be written */
    TACHO_MEMORY = 5  /* out of memory */
};

/* Why the last call that failed in this thread did: the root cause first, one line per cause. Valid until the next
 * call that returns a status; those that return nothing (abandon, close, free) leave it as it is. */
TACHO_API const char *tacho_error_message(void);

/* The input that the message is about, and where in it: counted from 1; 0: not known. NULL: about none. As long as the message; `line`
 * and `column` may be NULL. */
TACHO_API const char *tacho_error_file(uint64_t *line, uint64_t *column);

/* Of the library at run time: "0.1.0". */
TACHO_API const char *tacho_version(void);

/* ---- writing a trace -------------------------------------------------------------------------------------------- */

struct tacho_writer;

typedef uint32_t tacho_process; /* a process, a thread or a counter of one writer */
typedef uint32_t tacho_thread;
typedef uint32_t tacho_counter;

struct tacho_writer_options {
    const char *format; /* "perfetto", "chrome", "speedscope", "slices", "page"; NULL: by the suffix of the path */
    uint64_t tick_rate; /* ticks per second of your own times; 0: 1000000000, ticks are nanoseconds */
    uint64_t tick_rate_divisor; /* the rate is tick_rate / tick_rate_divisor, exactly; 0: 1 */
    bool no_arguments;          /* leave the arguments of slices out */
    bool no_overview;           /* of profiles: leave the overview tracks and the totals of operators out */
    bool by_operator;           /* of profiles: repeat the slices on a line per source operator; keeps them in memory */
    bool counters;              /* of profiles: add bytes in flight and engines busy; keeps slices in memory */
};

/* Starts a trace: .pb or .pftrace (Perfetto), .json (Chrome), .speedscope.json, .csv (a row per slice), .html
 * (a page that shows it), each also with .gz or .zst behind. The file gets its name when the writer is closed; until then an older one stays. */
TACHO_API enum tacho_status tacho_writer_open(const char *path, const struct tacho_writer_options *options,
                                              struct tacho_writer **writer);

/* Adds a process, and threads under it; they are shown in that order. Names need not be unique. */
TACHO_API enum tacho_status tacho_writer_add_process(struct tacho_writer *writer, const char *name,
                                                     tacho_process *process);
TACHO_API enum tacho_status tacho_writer_add_thread(struct tacho_writer *writer, tacho_process process,
                                                    const char *name, tacho_thread *thread);

/* What the value of an argument is. */
enum tacho_value {
    TACHO_VALUE_PLAIN,    /* `text` where that is given, else `integer` */
    TACHO_VALUE_INTEGER,  /* `integer` */
    TACHO_VALUE_UNSIGNED, /* `integer`, as 64 bits without a sign */
    TACHO_VALUE_DECIMAL,  /* `decimal` */
    TACHO_VALUE_BOOLEAN,  /* `integer`: 0 is false */
    TACHO_VALUE_TEXT,     /* `text` */
    TACHO_VALUE_POINTER,  /* `integer`, shown as an address */
    TACHO_VALUE_JSON      /* `text`: any JSON; viewers show arrays and objects in parts */
};

/* An argument of a slice: any key, each once per slice. "bytes" is added up where engines move data; "location", "kernel" and others that
 * tool chains use have columns of their own in a CSV of slices, the rest go into one column as JSON. */
struct tacho_argument {
    const char *key; /* not empty */
    const char *text;
    int64_t integer;
    enum tacho_value type;
    double decimal;
};

struct tacho_slice {
    tacho_thread thread;
    const char *name;
    int64_t start;                          /* ticks, from 0 */
    int64_t end;                            /* ticks, not before start; tacho_writer_begin does not use it */
    const struct tacho_argument *arguments; /* may be NULL where the count is 0 */
    size_t argument_count;
    const uint32_t
        *flows; /* slices with the same number are joined by an arrow, in order of start; not 0; may be NULL */
    size_t flow_count;
};

/* Draws a slice whose two ends are known. Slices of a thread may come in any order and may overlap: contained ones
 * nest, others take a line of their own beside it. They are fastest in order of start. */
TACHO_API enum tacho_status tacho_writer_render(struct tacho_writer *writer, const struct tacho_slice *slice);

/* The two ends as single events: an end closes what was begun last on that thread. On one thread these events come
 * in order of time; TACHO_USAGE: time ran backwards, or there is nothing to end. What is still open when the writer
 * is closed ends at the last time of its thread, and an event "not ended: NAME" there says so. */
TACHO_API enum tacho_status tacho_writer_begin(struct tacho_writer *writer, const struct tacho_slice *slice);
TACHO_API enum tacho_status tacho_writer_end(struct tacho_writer *writer, tacho_thread thread, int64_t time);

/* A slice by names. */
struct tacho_log {
    const char *process;
    const char *thread;
    const char *function;
    int64_t start_time; /* ticks */
    int64_t end_time;
};

/* Renders a log on the newest process and thread of these names; adds them where there are none. */
TACHO_API enum tacho_status tacho_writer_log(struct tacho_writer *writer, const struct tacho_log *log);

/* Adds a line of values under a process. `unit` may be NULL; "B", "ns" and "count" are known to viewers. */
TACHO_API enum tacho_status tacho_writer_add_counter(struct tacho_writer *writer, tacho_process process,
                                                     const char *name, const char *unit, tacho_counter *counter);

/* The value from `time` on; times of one counter do not run backwards. Formats without counters leave them out:
 * speedscope and the CSV of slices. */
TACHO_API enum tacho_status tacho_writer_set_counter(struct tacho_writer *writer, tacho_counter counter, int64_t time,
                                                     int64_t value);

/* Hands what is ready to the file system, under a temporary name beside the path. Ends of slices may wait for later
 * starts. */
TACHO_API enum tacho_status tacho_writer_flush(struct tacho_writer *writer);

/* Completes the file, gives it its name and ends the writer, which must not be used again, whatever is returned.
 * After a failure nothing is left at the path, and an older file there is as it was. A failure other than
 * TACHO_USAGE of an earlier call is reported here again. */
TACHO_API enum tacho_status tacho_writer_close(struct tacho_writer *writer);

/* Ends the writer and throws away what it wrote. NULL is fine. */
TACHO_API void tacho_writer_abandon(struct tacho_writer *writer);

/* ---- reading profiles into a trace ------------------------------------------------------------------------------ */

/* An option of the command, as `tacho VERB --help` lists them, without dashes; value NULL: a flag. */
struct tacho_option {
    const char *name;
    const char *value;
};

struct tacho_read_options {
    const char *format;    /* "torq-compile", ...; see tacho formats; NULL: found by content */
    const char *clock_mhz; /* cycle clock as a decimal such as "1202.5", so that it stays exact; NULL: the usual one */
    const char *ticks;     /* of a file that does not tell: "ns", "us" or "cycles:400"; NULL: the usual ones */
    bool strict;           /* the first row that cannot be used is TACHO_INPUT */
    bool force_companion;  /* a program or record is used also where it contradicts the file */
    const char *runs; /* of tables: "whole", the name of slices that are runs, "/pattern/"; NULL: what the file says */
    const char *warmup; /* of tables: first runs that do not count: "2", "none", "auto"; NULL: "auto" */
    /* What tool chains add: { "mlir", "net.executable-targets.mlir" }, { "slices", "4" }, { "etrecord", "net.etrecord" }, ... */
    const struct tacho_option *options;
    size_t option_count;
};

/* read == used + lost. What was lost, and why, is also shown in the trace or the table "losses". */
struct tacho_row_counts {
    uint64_t read;
    uint64_t used;
    uint64_t lost;
};

/* Reads a profile of any known format (.gz and .zst too, "-" is standard input) into an open writer, as a process
 * called `view_name` (NULL: its file name). `counts` may be NULL. A file that cannot be opened or recognised leaves
 * the writer as it was; after a failure inside the file, the writer can only be closed or abandoned. */
TACHO_API enum tacho_status tacho_writer_read(struct tacho_writer *writer, const char *view_name, const char *path,
                                              const struct tacho_read_options *options,
                                              struct tacho_row_counts *counts);

struct tacho_input {
    const char *name; /* of its process in the trace; NULL: its file name */
    const char *path;
};

/* Converts profiles to one trace, each as its own process, in this order. Unlike single reads this draws a
 * compiler's estimate beside the measured jobs it belongs to. `counts`, the sum over the inputs, may be NULL. */
TACHO_API enum tacho_status tacho_convert(const struct tacho_input *inputs, size_t count, const char *path,
                                          const struct tacho_writer_options *writer_options,
                                          const struct tacho_read_options *read_options,
                                          struct tacho_row_counts *counts);

/* ---- reading a profile into memory ------------------------------------------------------------------------------ */

struct tacho_profile;
struct tacho_table;

TACHO_API enum tacho_status tacho_profile_open(const char *path, const struct tacho_read_options *options,
                                               struct tacho_profile **profile);
/* The same for one or several inputs. Several are recognised now and read by each question: by tacho_profile_run, and by tables of verbs
 * that take as many, such as the overview, where they stand side by side. */
TACHO_API enum tacho_status tacho_profile_open_several(const char *const *paths, size_t count,
                                                       const struct tacho_read_options *options,
                                                       struct tacho_profile **profile);
TACHO_API void tacho_profile_close(struct tacho_profile *profile); /* NULL is fine */

/* The id of the format it was read as: "torq-compile"; of several inputs that of the first. */
TACHO_API const char *tacho_profile_format(const struct tacho_profile *profile);
/* Of several inputs: zeros. */
TACHO_API struct tacho_row_counts tacho_profile_row_counts(const struct tacho_profile *profile);

/* A new table, which outlives the profile; end it with tacho_table_free. TACHO_USAGE: no table has that name.
 *   "overview"   metric, label, time, percent, description: where the time went
 *   "operators"  time by source operator, the longest first; their own times and what is idle add up to a run
 *   "locations"  the same by source location
 *   "types"      the same by type of operator
 *   "engines"    the same by engine
 *   "slices"     every slice with its ticks, its nanoseconds and its arguments
 *   "losses"     rows that were lost, or kept although something was odd, by reason
 * and every table that a verb of the command can print of such a profile. What a verb has to do beyond reading, such as comparing several
 * files, is asked by tacho_run. */
TACHO_API enum tacho_status tacho_profile_table(const struct tacho_profile *profile, const char *name,
                                                struct tacho_table **table);
/* The same with options of the verb that makes it; of "overview" to "engines" that is summary: { "by", "module" }, { "sort", "-time" },
 * { "limit", "10" }, ... "slices" and "losses" take none. */
TACHO_API enum tacho_status tacho_profile_ask(const struct tacho_profile *profile, const char *name,
                                              const struct tacho_option *options, size_t option_count,
                                              struct tacho_table **table);
/* The tables that verbs make of such a profile, by number, and below all that there are; NULL: there is none. What a certain file lacks
 * is known only when its table is asked for. `description` may be NULL. */
TACHO_API const char *tacho_profile_table_name(const struct tacho_profile *profile, size_t index,
                                               const char **description);
TACHO_API size_t tacho_table_count(void);
TACHO_API const char *tacho_table_name(size_t index, const char **description);

/* ---- asking as the command does --------------------------------------------------------------------------------- */

struct tacho_result;

/* Does what `tacho VERB [options] INPUT...` does, without printing anything. What it made until a failure is in `*result` all the same,
 * unless that is NULL; end it with tacho_result_free. Lists are given once per element. TACHO_NO: done, and the answer is "no". Texts are borrowed until then. */
TACHO_API enum tacho_status tacho_run(const char *verb, const char *const *inputs, size_t input_count,
                                      const struct tacho_option *options, size_t option_count,
                                      struct tacho_result **result);
/* The same of the inputs of a profile, read as it was where the verb takes those options. The profile must outlive the result. */
TACHO_API enum tacho_status tacho_profile_run(const struct tacho_profile *profile, const char *verb,
                                              const struct tacho_option *options, size_t option_count,
                                              struct tacho_result **result);
TACHO_API void tacho_result_free(struct tacho_result *result); /* NULL is fine */

/* The tables that it made, which belong to the result; NULL: there is no such table. */
TACHO_API size_t tacho_result_tables(const struct tacho_result *result);
TACHO_API const struct tacho_table *tacho_result_table(const struct tacho_result *result, size_t index);
TACHO_API const struct tacho_table *tacho_result_find(const struct tacho_result *result, const char *name);
/* What the command says on standard error, and what it prints as sentences. */
TACHO_API size_t tacho_result_notes(const struct tacho_result *result);
TACHO_API const char *tacho_result_note(const struct tacho_result *result, size_t index);
TACHO_API size_t tacho_result_lines(const struct tacho_result *result);
TACHO_API const char *tacho_result_line(const struct tacho_result *result, size_t index);
/* Writes it as a file by suffix; .json is what `--json` prints. "-" is JSON on standard output. */
TACHO_API enum tacho_status tacho_result_write(const struct tacho_result *result, const char *path);
/* That JSON as a text, which is yours until tacho_text_free. */
TACHO_API enum tacho_status tacho_result_json(const struct tacho_result *result, char **text);
TACHO_API void tacho_text_free(char *text); /* NULL is fine */

/* The verbs; NULL: there are no more. */
TACHO_API const char *tacho_verb_name(size_t index);

/* ---- asking in SQL ------------------------------------------------------------------------------------------------ */

struct tacho_query;

struct tacho_query_options {
    struct tacho_read_options read; /* how inputs are read; texts are copied */
    uint64_t seconds;               /* that a statement may take; 0: 600 */
    uint64_t megabytes;             /* that it and its answer may take beside what was read; 0: 2048 */
    bool (*stop)(void *context);    /* asked now and then while a statement works: true ends it; NULL: nothing can */
    void *stop_context;             /* for `stop` */
};

/* What `tacho query` asks; inputs are opened now, and read when a statement first wants it. `options` may be NULL. A query is used by one
 * thread at a time. TACHO_OUTPUT: SQLite is not there. */
TACHO_API enum tacho_status tacho_query_open(const char *const *paths, size_t count,
                                             const struct tacho_query_options *options, struct tacho_query **query);
TACHO_API void tacho_query_close(struct tacho_query *query); /* NULL is fine */

/* A new table, which outlives the query: what one statement answers. TACHO_USAGE: SQL that is none, several statements, one that does more
 * than reading, or that was stopped. */
TACHO_API enum tacho_status tacho_query_ask(struct tacho_query *query, const char *sql, struct tacho_table **table);
/* Stops the statement that is at work, from any thread or a signal handler. */
TACHO_API void tacho_query_interrupt(struct tacho_query *query);
/* A new table of the tables of these inputs, their columns with units, and functions. */
TACHO_API enum tacho_status tacho_query_schema(struct tacho_query *query, struct tacho_table **table);

/* ---- tables ----------------------------------------------------------------------------------------------------- */

enum tacho_type {
    TACHO_TEXT,
    TACHO_INTEGER,
    TACHO_DECIMAL,
    TACHO_BOOLEAN,
    TACHO_DURATION, /* an integer of nanoseconds */
    TACHO_PERCENT,  /* a decimal, 0 to 100 */
    TACHO_BYTES     /* an integer of bytes */
};

TACHO_API void tacho_table_free(struct tacho_table *table); /* NULL is fine */

/* Writes it by suffix: .csv, .json, .md, .html, .txt (each also with .gz or .zst behind) or .xlsx. */
TACHO_API enum tacho_status tacho_table_write(const struct tacho_table *table, const char *path);

struct tacho_print_options {
    const char *format; /* "text", "csv", "json", "markdown", or "html" for an element of a page; NULL: text */
    unsigned width;     /* of a text: columns of the terminal; 0: no limit */
    size_t rows;        /* so many of the first; 0: all */
};

/* Writes it into a text, which is yours until tacho_text_free. */
TACHO_API enum tacho_status tacho_table_print(const struct tacho_table *table,
                                              const struct tacho_print_options *options, char **text);

/* What it is called among the tables of its verb: "operators", "breakdown". */
TACHO_API const char *tacho_table_id(const struct tacho_table *table);
TACHO_API const char *tacho_table_title(const struct tacho_table *table);
TACHO_API size_t tacho_table_rows(const struct tacho_table *table);
TACHO_API size_t tacho_table_columns(const struct tacho_table *table);
TACHO_API size_t tacho_table_notes(const struct tacho_table *table);
/* A sentence that a person should know of these numbers; NULL: there is no such note. */
TACHO_API const char *tacho_table_note(const struct tacho_table *table, size_t index);

/* Of a column; NULL (TACHO_TEXT for the type) where there is no such column or it has no unit or description. */
TACHO_API const char *tacho_table_column_name(const struct tacho_table *table, size_t column);
TACHO_API const char *tacho_table_column_title(const struct tacho_table *table, size_t column);
TACHO_API const char *tacho_table_column_unit(const struct tacho_table *table, size_t column);
TACHO_API const char *tacho_table_column_description(const struct tacho_table *table, size_t column);
TACHO_API enum tacho_type tacho_table_column_type(const struct tacho_table *table, size_t column);
/* The column called `name`; the number of columns where there is none. */
TACHO_API size_t tacho_table_find_column(const struct tacho_table *table, const char *name);

/* Cells. A null cell, one outside of the table and one of another type give NULL, 0 or false. Durations and bytes are
 * integers; `decimal` takes any number. */
TACHO_API bool tacho_table_is_null(const struct tacho_table *table, size_t row, size_t column); /* true outside of it */
TACHO_API const char *tacho_table_text(const struct tacho_table *table, size_t row, size_t column);
TACHO_API int64_t tacho_table_integer(const struct tacho_table *table, size_t row, size_t column);
TACHO_API double tacho_table_decimal(const struct tacho_table *table, size_t row, size_t column);
TACHO_API bool tacho_table_boolean(const struct tacho_table *table, size_t row, size_t column);

#ifdef __cplusplus
}
#endif

#endif
