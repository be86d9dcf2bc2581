/* latency_sentence.c: what the numbers of latency.h mean, in words. */
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analyze/latency.h"

enum { SMALL = 64 };

static const char *const ordinals[] = { "first", "second", "third", "fourth", "fifth", "sixth" };

/* ---- pieces -------------------------------------------------------------------------------------------------------- */

/* Milliseconds with `digits` that count; large ones without an exponent. */
static void write_ms(char *to, double ms, int digits)
{
    if (ms < pow(10, digits))
        snprintf(to, SMALL, "%.*g", digits, ms);
    else
        snprintf(to, SMALL, "%.0f", ms);
}

/* Two times with as many digits as it takes to tell them apart, six at most. */
static void write_two_ms(char *one_text, double one, char *other_text, double other)
{
    int digits = 3;

    do {
        write_ms(one_text, one, digits);
        write_ms(other_text, other, digits);
    } while (one != other && strcmp(one_text, other_text) == 0 && ++digits <= 6);
}

/* "1.13x faster, 95 % CI 1.12 to 1.14": factors are over 1 in the direction that the words say. */
static void write_factor(char *to, size_t size, double speedup, struct confidence interval)
{
    bool slower = speedup < 1;
    double factor = slower ? 1 / speedup : speedup;
    double low = slower ? 1 / interval.high : interval.low;
    double high = slower ? 1 / interval.low : interval.high;
    int decimals = factor < 1.05 ? 3 : 2; /* 1.004 is not 1.00 */
    int length = snprintf(to, size, "%.*fx%s", decimals, factor, speedup == 1 ? "" : slower ? " slower" : " faster");

    if (!isnan(low) && length > 0 && (size_t)length < size)
        snprintf(to + length, size - (size_t)length, ", 95 %% CI %.*f to %.*f", decimals, low, decimals, high);
}

/* "p = 0.0002"; how much smaller than that it is helps nobody. */
static void write_p(char *to, double p)
{
    if (p < 0.0001)
        snprintf(to, SMALL, "p < 0.0001");
    else
        snprintf(to, SMALL, "p = %.2g", p);
}

static void write_launches(char *to, const struct latency_comparison *comparison)
{
    size_t one = comparison->baseline.launches, other = comparison->candidate.launches;

    if (one == 1 && other == 1)
        snprintf(to, SMALL, "one launch a side");
    else if (one == other)
        snprintf(to, SMALL, "%zu launches a side", one);
    else
        snprintf(to, SMALL, "%zu and %zu launches", one, other);
}

/* ---- sentences ----------------------------------------------------------------------------------------------------- */

static void write_too_few(const struct latency_comparison *comparison, const char *launches, char *to)
{
    char one[SMALL], other[SMALL], needed[2 * SMALL] = "";

    write_two_ms(one, comparison->baseline.median, other, comparison->candidate.median);
    if (comparison->needed > LATENCY_LEAST_LAUNCHES)
        snprintf(needed, sizeof needed, " a side, about %zu for a difference of this size", comparison->needed);
    snprintf(to, LATENCY_SENTENCE, "%s against %s ms, but %s cannot tell a change from luck: run %d or more%s", one,
             other, launches, LATENCY_LEAST_LAUNCHES, needed);
}

static void write_same(const struct latency_comparison *comparison, const char *factor, const char *launches, char *to)
{
    char needed[2 * SMALL];

    if (!comparison->needed)
        snprintf(needed, sizeof needed, "how many launches it would take cannot be said");
    else if (comparison->needed <= comparison->baseline.launches &&
             comparison->needed <= comparison->candidate.launches)
        snprintf(needed, sizeof needed, "a difference of this size would mostly have been found");
    else
        snprintf(needed, sizeof needed,
                 "to find a difference of this size takes about %zu launches a side (an estimate)", comparison->needed);
    snprintf(to, LATENCY_SENTENCE, "no significant difference: %s, %s; %s", factor, launches, needed);
}

/* Over all launches: by the ranks the candidate is faster or slower; by the medians mostly, too. */
static void write_all(const struct latency_comparison *comparison, const char *factor, const char *launches, char *to)
{
    bool faster = comparison->verdict == LATENCY_FASTER;

    if (faster == (comparison->speedup > 1))
        snprintf(to, LATENCY_SENTENCE, "%s, %s", factor, launches);
    else /* launches of several modes: ranks and medians may point in two directions */
        snprintf(to, LATENCY_SENTENCE, "different: most launches are %s, but by the medians %s, %s",
                 faster ? "faster" : "slower", factor, launches);
}

static void write_inside(const struct latency_comparison *comparison, const char *launches, char *to)
{
    const struct mode_test *test = &comparison->test;
    bool faster = comparison->verdict == LATENCY_FASTER;
    unsigned shared = 0;
    const char *where;
    char factor[SMALL], p[SMALL];

    for (unsigned i = 0; i < test->mode_count; i++)
        shared += test->modes[i].one && test->modes[i].other;
    where = shared == test->mode_count ? "each mode" : shared == 1 ? "the mode that both have" : "modes that both have";
    write_p(p, test->p);
    write_factor(factor, sizeof factor, test->factor_inside, (struct confidence){ NAN, NAN });
    if (faster == (test->factor_inside > 1))
        snprintf(to, LATENCY_SENTENCE, "%s inside %s; %s, %s", factor, where, p, launches);
    else
        snprintf(to, LATENCY_SENTENCE, "different: most launches are %s inside %s, but by the medians %s; %s, %s",
                 faster ? "faster" : "slower", where, factor, p, launches);
}

static void write_occurrence(const struct latency_comparison *comparison, const char *factor, const char *launches,
                             char *to)
{
    static const char *const modes[2][2] = { { "the slow mode", "the fast mode" }, { "slower modes", "faster modes" } };
    const struct mode_test *test = &comparison->test;
    bool faster = comparison->verdict == LATENCY_FASTER;
    char counts[2 * SMALL] = "", p[SMALL];

    if (test->mode_count == 2) {
        const struct mode_pair *mode = &test->modes[faster ? 0 : 1];

        snprintf(counts, sizeof counts, " (%zu of %zu launches against %zu of %zu)", mode->other,
                 comparison->candidate.launches, mode->one, comparison->baseline.launches);
    }
    write_p(p, test->p);
    snprintf(to, LATENCY_SENTENCE, "%s: more often in %s%s; %s; by the medians %s, %s", faster ? "faster" : "slower",
             modes[test->mode_count > 2][faster], counts, p, factor, launches);
}

void latency_sentence(const struct latency_comparison *comparison, char *to)
{
    char factor[2 * SMALL], launches[SMALL];

    assert(comparison->verdict <= LATENCY_SLOWER);
    write_factor(factor, sizeof factor, comparison->speedup, comparison->interval);
    write_launches(launches, comparison);
    if (comparison->verdict == LATENCY_TOO_FEW)
        write_too_few(comparison, launches, to);
    else if (comparison->verdict == LATENCY_SAME)
        write_same(comparison, factor, launches, to);
    else if (comparison->test.decided == MODE_INSIDE)
        write_inside(comparison, launches, to);
    else if (comparison->test.decided == MODE_OCCURRENCE)
        write_occurrence(comparison, factor, launches, to);
    else
        write_all(comparison, factor, launches, to);
}

void latency_summary_sentence(const struct latency_summary *summary, char *to)
{
    char median[SMALL], low[SMALL], high[SMALL];

    assert(summary->launches && "a summary has a run");
    write_ms(median, summary->median, 3);
    if (summary->launches == 1) {
        snprintf(to, LATENCY_SENTENCE,
                 "median %s ms in one launch of %zu run%s; other launches may differ: run 5 or more", median,
                 summary->runs, summary->runs == 1 ? "" : "s");
        return;
    }
    write_two_ms(low, summary->interval.low, high, summary->interval.high);
    snprintf(to, LATENCY_SENTENCE, "median %s ms, 95 %% CI %s to %s, %zu launches, %zu runs", median, low, high,
             summary->launches, summary->runs);
}

/* ---- remarks ------------------------------------------------------------------------------------------------------- */

static void write_mode(const struct latency_summary *summary, unsigned mode, char *to)
{
    double factor = summary->modes[mode].factor;

    snprintf(to, LATENCY_SENTENCE, "%zu of %zu launches ran in a %s mode, %.2fx %s", summary->modes[mode].launches,
             summary->launches, ordinals[mode], factor < 1 ? 1 / factor : factor, factor < 1 ? "faster" : "slower");
}

static void write_drift(const struct latency_summary *summary, const struct latency_drift *drift, const char *direction,
                        char *to)
{
    snprintf(
        to, LATENCY_SENTENCE,
        "drift: %zu of %zu launches became %s while they ran, by %.1f %% from the first third of the runs to the last",
        drift->launches, summary->launches, direction, fabs(drift->change) * 100);
}

static void write_split(const struct latency_split *split, char *to)
{
    char fast[SMALL], slow[SMALL];

    write_two_ms(fast, split->fast_median, slow, split->slow_median);
    snprintf(to, LATENCY_SENTENCE,
             "runs lie in two groups: %zu of about %s ms and %zu of about %s ms; their mean is the time of neither",
             split->fast, fast, split->slow, slow);
}

bool latency_remark(const struct latency_summary *summary, unsigned index, char *to)
{
    assert(summary->mode_count && summary->mode_count <= MODES_MOST);
    if (summary->warmup && index-- == 0) {
        snprintf(to, LATENCY_SENTENCE, "left out as warm-up: the first %zu of %zu runs of each launch", summary->warmup,
                 summary->longest);
        return true;
    }
    if (summary->slow && index-- == 0) {
        snprintf(to, LATENCY_SENTENCE,
                 "%zu run%s took %.1fx as long as the mean of the others: in the percentiles, not in the mean",
                 summary->slow, summary->slow == 1 ? "" : "s", summary->slow_factor);
        return true;
    }
    if (summary->empty_launches && index-- == 0) {
        snprintf(to, LATENCY_SENTENCE, "%zu launch%s no run left and %s not counted", summary->empty_launches,
                 summary->empty_launches == 1 ? " has" : "es have", summary->empty_launches == 1 ? "is" : "are");
        return true;
    }
    for (unsigned i = 1; i < summary->mode_count; i++) {
        if (index-- == 0) {
            write_mode(summary, i, to);
            return true;
        }
    }
    if (summary->split.slow && index-- == 0) {
        write_split(&summary->split, to);
        return true;
    }
    if (summary->slower.launches && index-- == 0) {
        write_drift(summary, &summary->slower, "slower", to);
        return true;
    }
    if (summary->faster.launches && index-- == 0) {
        write_drift(summary, &summary->faster, "faster", to);
        return true;
    }
    return false;
}

static void write_mode_pair(const struct latency_comparison *comparison, unsigned index, char *to)
{
    const struct mode_pair *mode = &comparison->test.modes[index];
    char factor[SMALL] = "";

    if (mode->one && mode->other)
        write_factor(factor, sizeof factor, mode->one_median / mode->other_median, (struct confidence){ NAN, NAN });
    snprintf(to, LATENCY_SENTENCE, "mode %u: %zu of %zu against %zu of %zu launches%s%s", index + 1, mode->one,
             comparison->baseline.launches, mode->other, comparison->candidate.launches, *factor ? ", " : "", factor);
}

static void write_test(const struct mode_test *test, char *to)
{
    if (test->mode_count > 1)
        snprintf(
            to, LATENCY_SENTENCE,
            "test over launch medians in modes (%s): p = %.3g; alone: inside modes %.3g, how often each mode occurs "
            "%.3g, all launches %.3g",
            test->exact ? "exact" : "normal", test->p, test->answers[MODE_INSIDE].p, test->answers[MODE_OCCURRENCE].p,
            test->answers[MODE_ALL].p);
    else
        snprintf(to, LATENCY_SENTENCE,
                 "Mann-Whitney over launch medians (%s): p = %.3g; the least that so many launches can give is %.2g",
                 test->whole.exact ? "exact" : "normal", test->whole.p, test->whole.least_p);
}

bool latency_comparison_remark(const struct latency_comparison *comparison, unsigned index, char *to)
{
    const struct rank_test *runs = &comparison->over_runs;
    unsigned modes = comparison->test.mode_count > 1 ? comparison->test.mode_count : 0;

    if (index < modes) {
        write_mode_pair(comparison, index, to);
        return true;
    }
    if (index == modes) {
        write_test(&comparison->test, to);
        return true;
    }
    if (index == modes + 1) {
        snprintf(to, LATENCY_SENTENCE,
                 "a test over runs would have said p = %.3g (%s): no basis, runs of one launch are not independent",
                 runs->p, runs->p <= LATENCY_LEVEL ? "different" : "not different");
        return true;
    }
    return false;
}
