/* compare_sentence.c: what changed, in one sentence. */
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/compare.h"
#include "base/format.h"

enum { SMALL = 96, CAUSE = 512 };

static const double most_of_it = 0.5;  /* a run is the host's where no device works for so much of it */
static const double cause_of_it = 0.2; /* what has less of a difference did not make it */

/* "1.08x slower" from time after over time before. */
static void write_factor(char to[SMALL], double factor)
{
    if (isnan(factor))
        snprintf(to, SMALL, "not comparable");
    else if (fabs(factor - 1) < 0.0005)
        snprintf(to, SMALL, "as fast");
    else
        snprintf(to, SMALL, fabs(factor - 1) < 0.0095 ? "%.3fx %s" : "%.2fx %s", factor < 1 ? 1 / factor : factor,
                 factor < 1 ? "faster" : "slower");
}

static void write_launches(char to[SMALL], const struct comparison *comparison)
{
    size_t one = comparison->sides[0].count, other = comparison->sides[1].count;

    if (one == other)
        snprintf(to, SMALL, one == 1 ? "one launch a side" : "%zu launches a side", one);
    else
        snprintf(to, SMALL, "%zu and %zu launches", one, other);
}

static void write_difference(char to[SMALL], int64_t ns)
{
    char time[FORMAT_SIZE];

    format_duration(time, ns < 0 ? -ns : ns);
    snprintf(to, SMALL, "%c%s", ns < 0 ? '-' : '+', time);
}

/* ---- what it is made of ------------------------------------------------------------------------------------------------ */

/* Rows of one name that changed in the same way. */
struct cause {
    const struct compare_row *row; /* the largest */
    int64_t ns;                    /* of all of them */
    size_t rows;                   /* how many */
    double calls;                  /* how often more or less in a run */
    const char *reason;            /* what else changed in all of them alike; NULL: nothing */
};

enum change { CHANGED, APPEARED, VANISHED };

/* One that runs more often, and takes longer by that, appeared as often as it does more. */
static enum change change_of(const struct compare_row *row)
{
    double more = row->calls[1] - row->calls[0];

    if (row->kind != COMPARE_OPERATOR)
        return CHANGED;
    if (!row->present[0] || !row->present[1])
        return row->present[0] ? VANISHED : APPEARED;
    if (fabs(more) < 0.95 || fabs(more - round(more)) > 0.05 || (more > 0) != (compare_difference(row) > 0))
        return CHANGED;
    return more > 0 ? APPEARED : VANISHED;
}

/* All rows that changed as this one did, and have its name. */
static struct cause cause_of(const struct compare_row *rows, size_t count, size_t first)
{
    struct cause cause = { .row = &rows[first], .reason = rows[first].reason };

    for (size_t i = 0; i < count; i++) {
        bool same = i == first || (rows[i].kind == COMPARE_OPERATOR && change_of(&rows[i]) == change_of(&rows[first]) &&
                                   strcmp(rows[i].name, rows[first].name) == 0);

        if (!same || (compare_difference(&rows[i]) > 0) != (compare_difference(&rows[first]) > 0))
            continue;
        cause.ns += compare_difference(&rows[i]);
        cause.calls += fabs(rows[i].calls[1] - rows[i].calls[0]);
        cause.rows++;
        if (cause.reason && (!rows[i].reason || strcmp(cause.reason, rows[i].reason) != 0))
            cause.reason = NULL;
        if (llabs(compare_difference(&rows[i])) > llabs(compare_difference(cause.row)))
            cause.row = &rows[i];
    }
    return cause;
}

/* The one that moved the time most, in the direction in which it went. Certain ones come first: they are first in the list. */
static bool find_cause(const struct comparison *comparison, int64_t difference, struct cause *best)
{
    size_t count;
    const struct compare_row *rows = comparison_section(comparison, COMPARE_OPERATOR_ROWS, &count);
    bool certain = false;

    *best = (struct cause){ 0 };
    for (size_t i = 0; i < count; i++) {
        bool sure = rows[i].verdict > LATENCY_SAME;
        struct cause cause;

        if (certain && !sure)
            break;
        if (!compare_difference(&rows[i]) || (compare_difference(&rows[i]) > 0) != (difference > 0))
            continue;
        cause = cause_of(rows, count, i);
        certain |= sure;
        if (!best->row || llabs(cause.ns) > llabs(best->ns))
            *best = cause;
    }
    return best->row != NULL;
}

/* Operators that moved in the direction in which the time went. */
static size_t count_moved(const struct comparison *comparison, int64_t difference)
{
    size_t count, moved = 0;
    const struct compare_row *rows = comparison_section(comparison, COMPARE_OPERATOR_ROWS, &count);

    for (size_t i = 0; i < count; i++)
        moved += compare_difference(&rows[i]) && (compare_difference(&rows[i]) > 0) == (difference > 0);
    return moved;
}

static void write_cause(const struct comparison *comparison, int64_t difference, char to[CAUSE])
{
    char time[SMALL], factor[SMALL], calls[SMALL] = "";
    const char *unsure;
    struct cause cause;

    *to = '\0';
    if (!find_cause(comparison, difference, &cause))
        return;
    if ((double)llabs(cause.ns) < cause_of_it * (double)llabs(difference)) { /* it is not what made the difference */
        snprintf(to, CAUSE, "spread over %zu rows, each with a small part of it", count_moved(comparison, difference));
        return;
    }
    unsure = cause.row->verdict == LATENCY_SAME ? ", not certain by itself" : "";
    write_difference(time, cause.ns);
    if (isnan(compare_factor(comparison, cause.row))) /* it is there on both sides, and others hid it on one */
        snprintf(factor, sizeof factor, "takes time %s", cause.ns > 0 ? "now" : "no more");
    else
        write_factor(factor, compare_factor(comparison, cause.row));
    if (cause.calls >= 1.5 && fabs(cause.calls - round(cause.calls)) < 0.05)
        snprintf(calls, sizeof calls, "%.0f x ", cause.calls);
    else if (cause.rows > 1)
        snprintf(calls, sizeof calls, "%zu x ", cause.rows);
    if (change_of(cause.row) != CHANGED)
        snprintf(to, CAUSE, "%s%.200s %s (%s%s)", calls, cause.row->name,
                 change_of(cause.row) == APPEARED ? "appeared" : "vanished", time, unsure);
    else if (cause.rows > 1)
        snprintf(to, CAUSE, "%zu x %.200s (%s%s%s%.150s)", cause.rows, cause.row->name, time, unsure,
                 cause.reason ? "; " : "", cause.reason ? cause.reason : "");
    else
        snprintf(to, CAUSE, "%.200s %s (%s%s%s%.150s)", cause.row->name, factor, time, unsure, cause.reason ? "; " : "",
                 cause.reason ? cause.reason : "");
}

/* ---- what can be told -------------------------------------------------------------------------------------------------- */

/* From the least to the most that a launch took: "2.1 to 4.4 ms". */
static void write_range(const struct comparison *comparison, char to[SMALL])
{
    double least = INFINITY, most = 0;

    for (unsigned i = 0; i < 2; i++) {
        const struct latency_summary *side = i ? &comparison->latency.candidate : &comparison->latency.baseline;

        for (size_t k = 0; k < side->launches; k++) {
            least = fmin(least, side->medians[k]);
            most = fmax(most, side->medians[k]);
        }
    }
    snprintf(to, SMALL, most < 10 ? "%.2g to %.2g ms" : "%.4g to %.4g ms", least, most);
}

/* Devices wait for most of a run, on both sides. */
static bool is_host_bound(const struct comparison *comparison, const struct compare_row *device)
{
    const struct compare_row *whole = comparison_total(comparison, COMPARE_WHOLE);

    for (unsigned i = 0; i < 2; i++)
        if ((double)device->ns[i] > (1 - most_of_it) * (double)whole->ns[i])
            return false;
    return true;
}

static void write_device(const struct comparison *comparison, const char *launches, char *to)
{
    const struct compare_row *device = comparison_total(comparison, COMPARE_DEVICE_TIME);
    char factor[SMALL], range[SMALL], cause[CAUSE];

    write_factor(factor, compare_factor(comparison, device));
    write_cause(comparison, compare_difference(device), cause);
    write_range(comparison, range);
    snprintf(to, COMPARE_SENTENCE, "%s %s, certain over %s%s%s; the %s %s cannot tell (%s)", device->name, factor,
             launches, *cause ? ": " : "", cause, comparison_run(comparison),
             is_host_bound(comparison, device) ? "is host-bound and" : "as a whole", range);
}

void comparison_sentence(const struct comparison *comparison, char *to)
{
    const struct compare_row *whole = comparison_total(comparison, COMPARE_WHOLE);
    char launches[SMALL], factor[SMALL], sentence[LATENCY_SENTENCE], cause[CAUSE] = "";
    size_t needed = comparison->latency.needed;

    assert(whole);
    write_launches(launches, comparison);
    write_factor(factor, compare_factor(comparison, whole));
    if (comparison->subject == COMPARE_RUN)
        write_cause(comparison, compare_difference(whole), cause);
    if (comparison->latency.verdict == LATENCY_TOO_FEW) {
        char more[SMALL] = "";

        if (needed > LATENCY_LEAST_LAUNCHES)
            snprintf(more, sizeof more, ", about %zu for a difference of this size", needed);
        snprintf(to, COMPARE_SENTENCE, "%s time %s, but %s cannot tell a change from luck (%d a side can%s)%s%s",
                 comparison_run(comparison), factor, launches, LATENCY_LEAST_LAUNCHES, more, *cause ? ": " : "", cause);
    } else if (comparison->latency.verdict == LATENCY_SAME && comparison->subject == COMPARE_DEVICE &&
               comparison_total(comparison, COMPARE_DEVICE_TIME)->verdict > LATENCY_SAME) {
        write_device(comparison, launches, to);
    } else if (comparison->latency.verdict == LATENCY_SAME) {
        latency_sentence(&comparison->latency, sentence);
        snprintf(to, COMPARE_SENTENCE, "%s time: %s", comparison_run(comparison), sentence);
    } else if (comparison->latency.test.decided == MODE_ALL &&
               (comparison->latency.verdict == LATENCY_SLOWER) == (comparison->latency.speedup < 1)) {
        snprintf(to, COMPARE_SENTENCE, "%s time %s, certain over %s%s%s", comparison_run(comparison), factor, launches,
                 *cause ? ": " : "", cause);
    } else { /* by modes */
        latency_sentence(&comparison->latency, sentence);
        snprintf(to, COMPARE_SENTENCE, "%s time %s%s%s", comparison_run(comparison), sentence, *cause ? ": " : "",
                 cause);
    }
}
