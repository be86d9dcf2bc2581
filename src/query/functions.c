/* functions.c: busy time, overlap, percentiles, times as text, arguments of slices. */
#include "query/functions.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/statistics.h"
#include "base/format.h"
#include "base/intervals.h"

const struct function_facts function_facts[] = {
    { "busy(start, duration)", "aggregate: the time covered by intervals, each moment once, exactly" },
    { "overlap(start, duration, side)",
      "aggregate: the time in which an interval of side 0 and one of side 1 are there at once, exactly" },
    { "percentile(value, p)", "aggregate: p from 0 to 100, linear between two values" },
    { "time_text(ns)", "nanoseconds as people read them: 12.845ms" },
    { "argument(slice, key)", "the argument of a slice, by slices.id; null: it has none" },
    { NULL, NULL },
};

/* ---- intervals ------------------------------------------------------------------------------------------------------- */

enum { ROWS_PER_CHECK = 4096 };

#define FARTHEST (INT64_MAX / 2) /* from 0, so that no sum of lengths is beyond 64 bits */

struct sides {
    struct intervals sets[2];
    uint64_t rows;   /* that came */
    const char *why; /* it failed; NULL: it did not */
};

/* A failure ends the statement at once; what was kept until then is freed by the call that finishes. */
static void add_interval(sqlite3_context *context, struct sides *sides, unsigned side, sqlite3_value **values)
{
    uint64_t memory = ((const struct function_context *)sqlite.user_data(context))->memory;
    int64_t start, duration, end;

    if (sqlite.value_type(values[0]) == SQLITE_NULL || sqlite.value_type(values[1]) == SQLITE_NULL || sides->why)
        return;
    if (sqlite.value_numeric_type(values[0]) != SQLITE_INTEGER ||
        sqlite.value_numeric_type(values[1]) != SQLITE_INTEGER) {
        sides->why = "start and duration of an interval are integers";
        sqlite.result_error(context, sides->why, -1);
        return;
    }
    start = sqlite.value_int64(values[0]);
    duration = sqlite.value_int64(values[1]);
    if (duration < 0)
        sides->why = "an interval has a negative duration";
    else if (start < -FARTHEST || __builtin_add_overflow(start, duration, &end) || end > FARTHEST)
        sides->why = "an interval lies too far away to be added up";
    else if (intervals_add(&sides->sets[side], start, end) != STATUS_OK ||
             (++sides->rows % ROWS_PER_CHECK == 0 && intervals_bytes(&sides->sets[side]) > memory))
        sides->why = "the intervals take more memory than a query may use";
    if (sides->why)
        sqlite.result_error(context, sides->why, -1);
}

static void add_busy(sqlite3_context *context, int count, sqlite3_value **values)
{
    struct sides *sides = sqlite.aggregate_context(context, sizeof *sides);

    (void)count;
    if (sides)
        add_interval(context, sides, 0, values);
}

static void add_overlap(sqlite3_context *context, int count, sqlite3_value **values)
{
    struct sides *sides = sqlite.aggregate_context(context, sizeof *sides);
    int64_t side;

    (void)count;
    if (!sides || sqlite.value_numeric_type(values[2]) != SQLITE_INTEGER)
        return;
    side = sqlite.value_int64(values[2]);
    if (side == 0 || side == 1)
        add_interval(context, sides, (unsigned)side, values);
}

static void add_stretch(void *context, uint64_t active, int64_t start, int64_t end)
{
    if (active == 3)
        *(int64_t *)context += end - start;
}

static void finish_sides(sqlite3_context *context, struct sides *sides, bool both)
{
    const struct intervals *sets[2];
    int64_t time = 0;

    for (unsigned i = 0; sides && i < 2; i++) {
        if (!sides->why && intervals_settle(&sides->sets[i]) != STATUS_OK)
            sides->why = "there is not enough memory";
        sets[i] = &sides->sets[i];
    }
    if (sides && sides->why) {
        sqlite.result_error(context, sides->why, -1);
    } else {
        if (sides && both)
            intervals_sweep(sets, 2, add_stretch, &time);
        else if (sides)
            time = intervals_length(sets[0]);
        sqlite.result_int64(context, time);
    }
    for (unsigned i = 0; sides && i < 2; i++)
        intervals_free(&sides->sets[i]);
}

static void finish_busy(sqlite3_context *context)
{
    finish_sides(context, sqlite.aggregate_context(context, 0), false);
}

static void finish_overlap(sqlite3_context *context)
{
    finish_sides(context, sqlite.aggregate_context(context, 0), true);
}

/* ---- percentiles ----------------------------------------------------------------------------------------------------- */

struct sample {
    double *values;         /* SQLite's */
    size_t count, capacity; /* of values */
    double p;               /* the same in every row */
    const char *why;        /* it failed; NULL: it did not */
};

static void add_value(struct sample *sample, double value)
{
    if (sample->count == sample->capacity) {
        size_t capacity = sample->capacity ? 2 * sample->capacity : 64;
        double *more = sqlite.realloc64(sample->values, capacity * sizeof *more);

        if (!more) {
            sample->why = "there is not enough memory";
            return;
        }
        sample->values = more;
        sample->capacity = capacity;
    }
    sample->values[sample->count++] = value;
}

static void add_percentile(sqlite3_context *context, int count, sqlite3_value **values)
{
    struct sample *sample = sqlite.aggregate_context(context, sizeof *sample);
    int type = sqlite.value_numeric_type(values[0]), given = sqlite.value_numeric_type(values[1]);
    double p = sqlite.value_double(values[1]);

    (void)count;
    if (!sample || sample->why || type == SQLITE_NULL)
        return;
    if ((given != SQLITE_INTEGER && given != SQLITE_FLOAT) || !(p >= 0 && p <= 100))
        sample->why = "percentile wants a number from 0 to 100 behind the value";
    else if (sample->count && p != sample->p)
        sample->why = "percentile wants the same number for all rows";
    else if (type != SQLITE_INTEGER && type != SQLITE_FLOAT)
        sample->why = "percentile wants numbers";
    sample->p = p;
    if (!sample->why)
        add_value(sample, sqlite.value_double(values[0]));
    if (sample->why)
        sqlite.result_error(context, sample->why, -1);
}

static int by_size(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;

    return (a > b) - (a < b);
}

static void finish_percentile(sqlite3_context *context)
{
    struct sample *sample = sqlite.aggregate_context(context, 0);

    if (sample && sample->why) {
        sqlite.result_error(context, sample->why, -1);
    } else if (sample && sample->count) {
        qsort(sample->values, sample->count, sizeof *sample->values, by_size);
        sqlite.result_double(context, statistics_quantile(sample->values, sample->count, sample->p / 100));
    } else {
        sqlite.result_null(context);
    }
    if (sample)
        sqlite.free(sample->values);
}

/* ---- single values --------------------------------------------------------------------------------------------------- */

static void time_text(sqlite3_context *context, int count, sqlite3_value **values)
{
    int type = sqlite.value_numeric_type(values[0]);
    char text[FORMAT_SIZE];

    (void)count;
    if (type == SQLITE_NULL) {
        sqlite.result_null(context);
    } else if (type != SQLITE_INTEGER && type != SQLITE_FLOAT) {
        sqlite.result_error(context, "time_text wants nanoseconds", -1);
    } else {
        size_t length = format_duration(text, sqlite.value_int64(values[0]));

        sqlite.result_text(context, text, (int)length, SQLITE_TRANSIENT);
    }
}

static void argument(sqlite3_context *context, int count, sqlite3_value **values)
{
    const struct function_context *own = sqlite.user_data(context);
    struct sql_value value = { .type = SQL_NULL };

    (void)count;
    if (trace_tables_read(own->trace) != STATUS_OK) {
        sqlite.result_error(context, status_message(), -1);
        return;
    }
    if (sqlite.value_type(values[0]) == SQLITE_INTEGER && sqlite.value_type(values[1]) == SQLITE_TEXT) {
        struct text key = { (const char *)sqlite.value_text(values[1]), (size_t)sqlite.value_bytes(values[1]) };

        trace_tables_argument(own->trace, sqlite.value_int64(values[0]), key, &value);
    }
    sql_value_result(context, &value);
}

status functions_register(sqlite3 *connection, struct function_context *context)
{
    static const struct {
        const char *name;
        int count; /* of arguments */
        void (*call)(sqlite3_context *, int, sqlite3_value **);
        void (*add)(sqlite3_context *, int, sqlite3_value **);
        void (*finish)(sqlite3_context *);
    } functions[] = {
        { "busy", 2, NULL, add_busy, finish_busy },
        { "overlap", 3, NULL, add_overlap, finish_overlap },
        { "percentile", 2, NULL, add_percentile, finish_percentile },
        { "time_text", 1, time_text, NULL, NULL },
        { "argument", 2, argument, NULL, NULL },
    };

    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (sqlite.create_function(connection, functions[i].name, functions[i].count,
                                   SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS, context, functions[i].call,
                                   functions[i].add, functions[i].finish) != SQLITE_OK)
            return status_no_memory("preparing a query");
    return STATUS_OK;
}
