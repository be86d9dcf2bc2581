/* statistics.c: quantiles, rank test, Welch's test, trend, random draws and bootstrap intervals. */
#include "analyze/statistics.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"

/* ---- samples ------------------------------------------------------------------------------------------------------- */

double statistics_sum(const double *values, size_t count)
{
    double sum = 0, lost = 0;

    /* Neumaier's way: what a rounding drops is kept aside, whichever of the two terms was larger. */
    for (size_t i = 0; i < count; i++) {
        double next = sum + values[i];

        lost += fabs(sum) >= fabs(values[i]) ? (sum - next) + values[i] : (values[i] - next) + sum;
        sum = next;
    }
    return sum + lost;
}

double statistics_mean(const double *values, size_t count)
{
    return count ? statistics_sum(values, count) / (double)count : NAN;
}

double statistics_deviation(const double *values, size_t count)
{
    double mean = statistics_mean(values, count);
    double sum = 0, rest = 0;

    if (count < 2)
        return NAN;
    for (size_t i = 0; i < count; i++) {
        double off = values[i] - mean;

        sum += off * off;
        rest += off;
    }
    /* `rest` would be 0 if the mean were exact. */
    return sqrt((sum - rest * rest / (double)count) / (double)(count - 1));
}

static int compare_values(const void *one, const void *other)
{
    double a = *(const double *)one;
    double b = *(const double *)other;

    return (a > b) - (a < b);
}

/* Both ends move towards each other and change what is on the wrong side; gives where the upper part begins, which is never empty: the pivot
 * is not the last value. */
static size_t part_values(double *values, size_t count)
{
    double pivot = values[(count - 1) / 2];
    size_t low = 0, high = count - 1;

    for (;; low++, high--) {
        double kept;

        while (values[low] < pivot)
            low++;
        while (values[high] > pivot)
            high--;
        if (low >= high)
            return high + 1;
        kept = values[low];
        values[low] = values[high];
        values[high] = kept;
    }
}

/* Without a call for each comparison, as qsort has: every profile with runs is sorted several times. */
static void sort_values(double *values, size_t count, unsigned depth)
{
    enum { FEW = 16 };

    while (count > FEW && depth) {
        size_t upper = part_values(values, count);

        assert(upper && upper < count);
        depth--;
        sort_values(values + upper, count - upper, depth);
        count = upper;
    }
    if (count > FEW) {
        qsort(values, count, sizeof *values, compare_values); /* an order that defeats the choice of pivots */
        return;
    }
    for (size_t i = 1; i < count; i++) {
        double value = values[i];
        size_t at = i;

        for (; at && value < values[at - 1]; at--)
            values[at] = values[at - 1];
        values[at] = value;
    }
}

void statistics_sort(double *values, size_t count)
{
    enum { DEEPEST = 64 };

    sort_values(values, count, DEEPEST);
}

static inline bool is_sorted(const double *values, size_t count)
{
    for (size_t i = 1; i < count; i++)
        if (values[i - 1] > values[i])
            return false;
    return true;
}

double statistics_quantile(const double *sorted, size_t count, double q)
{
    double position, part;
    size_t below;

    assert(q >= 0 && q <= 1 && is_sorted(sorted, count));
    if (!count)
        return NAN;
    position = (double)(count - 1) * q;
    below = position <= 0 ? 0 : (size_t)position;
    if (below >= count - 1)
        return sorted[count - 1];
    part = position - (double)below;
    /* From the nearer end, so that equal neighbours give exactly themselves. */
    return part < 0.5 ? sorted[below] + (sorted[below + 1] - sorted[below]) * part
                      : sorted[below + 1] - (sorted[below + 1] - sorted[below]) * (1 - part);
}

double statistics_median(const double *sorted, size_t count)
{
    assert(is_sorted(sorted, count));
    if (!count)
        return NAN;
    return count % 2 ? sorted[count / 2] : (sorted[count / 2 - 1] + sorted[count / 2]) / 2;
}

double statistics_trimmed_mean(const double *sorted, size_t count, double share)
{
    size_t cut = (size_t)((double)count * share);

    assert(share >= 0 && share <= 1 && is_sorted(sorted, count));
    return 2 * cut < count ? statistics_mean(sorted + cut, count - 2 * cut) : NAN;
}

/* ---- Mann-Whitney -------------------------------------------------------------------------------------------------- */

static int compare_ranked(const void *one, const void *other)
{
    const struct ranked *a = one, *b = other;

    return (a->value > b->value) - (a->value < b->value);
}

double statistics_rank(struct ranked *items, size_t count)
{
    double ties = 0;

    assert(count <= UINT32_MAX / 2);
    qsort(items, count, sizeof *items, compare_ranked);
    for (size_t i = 0, end; i < count; i = end) {
        double size;

        for (end = i + 1; end < count && items[end].value == items[i].value;)
            end++;
        for (size_t j = i; j < end; j++)
            items[j].rank = (uint32_t)(i + 1 + end);
        size = (double)(end - i);
        ties += size * (size * size - 1);
    }
    return ties;
}

/* The smallest two-sided p of these sizes: both ends of the arrangements, which are n + m over n. */
static double least_p(size_t one, size_t other)
{
    double arrangements = 1;

    for (size_t i = 1; i <= one; i++)
        arrangements *= (double)(other + i) / (double)i;
    return arrangements > 2 ? 2 / arrangements : 1;
}

status arrangements_start(struct arrangements *arrangements, const struct ranked *items, size_t count, size_t chosen)
{
    size_t width = 1, reach[ARRANGEMENTS_MOST + 1] = { 0 };

    assert(chosen <= count && chosen <= ARRANGEMENTS_MOST);
    for (size_t i = count - chosen; i < count; i++)
        width += items[i].rank;
    *arrangements = (struct arrangements){ memory_allocate_clear((chosen + 1) * width * sizeof(double)), width };
    if (!arrangements->ways)
        return status_no_memory("comparing two samples");
    arrangements->ways[0] = 1;
    for (size_t i = 0; i < count; i++) {
        size_t rank = items[i].rank;

        for (size_t k = i + 1 < chosen ? i + 1 : chosen; k > 0; k--) {
            double *to = arrangements->ways + k * width + rank;
            const double *from = arrangements->ways + (k - 1) * width;

            for (size_t s = 0; s <= reach[k - 1]; s++)
                to[s] += from[s];
            reach[k] = reach[k - 1] + rank; /* ranks ascend: the newest item is in the largest sum */
        }
    }
    return STATUS_OK;
}

void arrangements_free(struct arrangements *arrangements)
{
    memory_free(arrangements->ways);
    *arrangements = (struct arrangements){ 0 };
}

/* Of all ways to choose `chosen` of the items: the share whose ranks add up to at most, and to at least, `sum`. */
static status count_arrangements(const struct ranked *items, size_t count, size_t chosen, uint32_t sum, double *low,
                                 double *high)
{
    struct arrangements arrangements;
    status code = arrangements_start(&arrangements, items, count, chosen);
    double total = 0;

    if (code != STATUS_OK)
        return code;
    *low = *high = 0;
    for (size_t s = 0; s < arrangements.width; s++) {
        double here = arrangements.ways[chosen * arrangements.width + s];

        total += here;
        *low += s <= sum ? here : 0;
        *high += s >= sum ? here : 0;
    }
    *low /= total;
    *high /= total;
    arrangements_free(&arrangements);
    return STATUS_OK;
}

static status exact_test(const struct ranked *items, size_t one_count, size_t other_count, struct rank_test *result)
{
    bool first = one_count <= other_count; /* count the smaller sample: fewer ways */
    uint32_t sum = 0;
    double low, high;
    status code;

    for (size_t i = 0; i < one_count + other_count; i++)
        sum += items[i].first == first ? items[i].rank : 0;
    code = count_arrangements(items, one_count + other_count, first ? one_count : other_count, sum, &low, &high);
    if (code == STATUS_OK)
        result->p = fmin(1, 2 * fmin(low, high));
    return code;
}

static double normal_test(double u, double one_count, double other_count, double ties)
{
    double both = one_count + other_count;
    double variance = one_count * other_count / 12 * (both + 1 - ties / (both * (both - 1)));
    double off = fabs(u - one_count * other_count / 2) - 0.5;

    if (!(variance > 0))
        return 1;
    return fmin(1, erfc(off / sqrt(variance) / sqrt(2)));
}

status statistics_rank_test(const double *one, size_t one_count, const double *other, size_t other_count,
                            struct rank_test *result)
{
    size_t count = one_count + other_count;
    struct ranked *items;
    double ties, sum = 0;
    status code = STATUS_OK;

    *result = (struct rank_test){ .p = 1, .exact = true, .least_p = 1 };
    if (!one_count || !other_count)
        return STATUS_OK;
    if (count > UINT32_MAX / 2)
        return status_fail(STATUS_INPUT, "samples too large to be compared");
    items = memory_allocate(count * sizeof *items);
    if (!items)
        return status_no_memory("comparing two samples");
    for (size_t i = 0; i < count; i++)
        items[i] = (struct ranked){ .value = i < one_count ? one[i] : other[i - one_count], .first = i < one_count };
    ties = statistics_rank(items, count);
    for (size_t i = 0; i < count; i++)
        sum += items[i].first ? items[i].rank : 0;
    result->u = sum / 2 - (double)one_count * ((double)one_count + 1) / 2;
    result->least_p =
        least_p(one_count < other_count ? one_count : other_count, one_count < other_count ? other_count : one_count);
    result->exact = one_count <= ARRANGEMENTS_MOST && other_count <= ARRANGEMENTS_MOST;
    if (result->exact)
        code = exact_test(items, one_count, other_count, result);
    else
        result->p = normal_test(result->u, (double)one_count, (double)other_count, ties);
    memory_free(items);
    return code;
}

status statistics_trend(const double *values, size_t count, double *correlation, double *z)
{
    struct ranked *items = memory_allocate((count ? count : 1) * sizeof *items);
    double products = 0, squares = 0, time_squares = 0;

    *correlation = *z = 0;
    if (!items)
        return status_no_memory("looking for a trend");
    for (size_t i = 0; i < count; i++)
        items[i] = (struct ranked){ .value = values[i] };
    /* Sorting forgets the order in time: the rank of each value is found again by searching. */
    statistics_rank(items, count);
    for (size_t i = 0; i < count; i++) {
        const struct ranked *found =
            bsearch(&(struct ranked){ .value = values[i] }, items, count, sizeof *items, compare_ranked);
        double off = (double)found->rank - (double)(count + 1);
        double time = 2 * (double)(i + 1) - (double)(count + 1);

        products += off * time;
        squares += off * off;
        time_squares += time * time;
    }
    memory_free(items);
    if (squares > 0 && time_squares > 0) {
        *correlation = products / sqrt(squares * time_squares);
        *z = *correlation * sqrt((double)(count - 1));
    }
    return STATUS_OK;
}

/* ---- Welch and Holm ------------------------------------------------------------------------------------------------- */

static double logarithm_of_gamma(double x)
{
    int sign; /* lgamma would write it where all threads see it */

    return lgamma_r(x, &sign);
}

/* The continued fraction of the incomplete beta function, from its top down (Lentz). */
static double beta_fraction(double a, double b, double x)
{
    enum { MOST_STEPS = 500 };
    static const double tiny = 1e-300, enough = 1e-15;
    double upper = 1, lower = 1 / fmax(fabs(1 - (a + b) * x / (a + 1)), tiny), fraction = lower;

    for (int step = 1; step <= MOST_STEPS; step++) {
        double even = step * (b - step) * x / ((a + 2 * step - 1) * (a + 2 * step));
        double odd = -(a + step) * (a + b + step) * x / ((a + 2 * step) * (a + 2 * step + 1));
        double change;

        lower = 1 / (1 + even * lower);
        upper = 1 + even / upper;
        fraction *= lower * upper;
        lower = 1 / (1 + odd * lower);
        upper = 1 + odd / upper;
        change = lower * upper;
        fraction *= change;
        if (fabs(change - 1) < enough)
            break;
    }
    return fraction;
}

/* The share of the beta distribution below x. */
static double beta_below(double a, double b, double x)
{
    double front;

    if (x <= 0 || x >= 1)
        return x <= 0 ? 0 : 1;
    front = exp(logarithm_of_gamma(a + b) - logarithm_of_gamma(a) - logarithm_of_gamma(b) + a * log(x) + b * log1p(-x));
    return x < (a + 1) / (a + b + 2) ? front * beta_fraction(a, b, x) / a : 1 - front * beta_fraction(b, a, 1 - x) / b;
}

double statistics_student(double t, double freedom)
{
    assert(freedom > 0);
    return isinf(t) ? 0 : beta_below(freedom / 2, 0.5, freedom / (freedom + t * t));
}

double statistics_student_point(double p, double freedom)
{
    enum { HALVINGS = 200 };
    double low = 0, high = 1;

    assert(p > 0 && p <= 1);
    while (statistics_student(high, freedom) > p)
        high *= 2;
    for (int i = 0; i < HALVINGS && low < high; i++) {
        double middle = low + (high - low) / 2;

        if (middle == low || middle == high)
            break;
        if (statistics_student(middle, freedom) > p)
            low = middle;
        else
            high = middle;
    }
    return high;
}

/* A sample without its ends: a fifth of it off each, where that leaves enough. */
struct trimmed {
    size_t count, kept; /* values; of these in the mean */
    double mean;        /* of what is kept */
    double squares;     /* of the deviations, where what is cut off counts as what is kept next to it */
};

static struct trimmed trim(double *values, size_t count)
{
    enum { LEAST = 10, OFF = 5 };
    size_t off = count < LEAST ? 0 : count / OFF;
    struct trimmed sample = { .count = count, .kept = count - 2 * off };

    statistics_sort(values, count);
    sample.mean = statistics_mean(values + off, sample.kept);
    for (size_t i = 0; i < off; i++) {
        values[i] = values[off];
        values[count - 1 - i] = values[count - 1 - off];
    }
    sample.squares = statistics_deviation(values, count);
    sample.squares *= sample.squares * (double)(count - 1);
    return sample;
}

/* Variance of a trimmed mean; that of a value is `least` at least. */
static double variance_of_mean(const struct trimmed *sample, double least, double blur)
{
    double variance = fmax(sample->squares / (double)(sample->count - 1), least) + blur * blur;

    return variance * (double)(sample->count - 1) / ((double)sample->kept * (double)(sample->kept - 1));
}

struct welch_test statistics_welch(double *one, size_t one_count, double *other, size_t other_count, double blur)
{
    struct welch_test test = { .p = NAN, .error = NAN, .difference = NAN };
    struct trimmed first, second;
    double pooled, one_part, other_part, sum;

    if (one_count < 2 || other_count < 2)
        return test;
    first = trim(one, one_count);
    second = trim(other, other_count);
    pooled = (first.squares + second.squares) / (double)(one_count + other_count - 2);
    one_part = variance_of_mean(&first, pooled, blur);
    other_part = variance_of_mean(&second, pooled, blur);
    sum = one_part + other_part;
    test.difference = second.mean - first.mean;
    test.error = sqrt(sum);
    if (sum <= 0) { /* all values of a side are the same */
        test.t = test.difference == 0 ? 0 : copysign(INFINITY, test.difference);
        test.p = test.difference == 0;
        return test;
    }
    test.t = test.difference / test.error;
    test.freedom =
        sum * sum /
        (one_part * one_part / (double)(first.kept - 1) + other_part * other_part / (double)(second.kept - 1));
    test.p = statistics_student(test.t, test.freedom);
    return test;
}

struct placed_p {
    double p;     /* of a test */
    size_t place; /* among all */
};

static int compare_placed(const void *one, const void *other)
{
    const struct placed_p *a = one, *b = other;

    if (a->p != b->p)
        return a->p < b->p ? -1 : 1;
    return (a->place > b->place) - (a->place < b->place);
}

status statistics_holm(const double *p, size_t count, double *adjusted)
{
    struct placed_p *sorted = memory_allocate((count + 1) * sizeof *sorted);
    size_t tests = 0;
    double least = 0;

    if (!sorted)
        return status_no_memory("correcting tests");
    for (size_t i = 0; i < count; i++) {
        adjusted[i] = NAN;
        if (!isnan(p[i]))
            sorted[tests++] = (struct placed_p){ p[i], i };
    }
    if (tests)
        qsort(sorted, tests, sizeof *sorted, compare_placed);
    for (size_t i = 0; i < tests; i++) {
        least = fmax(least, fmin(1, sorted[i].p * (double)(tests - i)));
        adjusted[sorted[i].place] = least;
    }
    memory_free(sorted);
    return STATUS_OK;
}

/* ---- random numbers ------------------------------------------------------------------------------------------------ */

/* xoshiro256**, started by splitmix64: Blackman and Vigna, public domain algorithms. */

static uint64_t rotate(uint64_t value, unsigned by)
{
    return value << by | value >> (64 - by);
}

void random_start(struct random_source *source, uint64_t seed)
{
    for (unsigned i = 0; i < 4; i++) {
        uint64_t mixed = seed += 0x9e3779b97f4a7c15u;

        mixed = (mixed ^ mixed >> 30) * 0xbf58476d1ce4e5b9u;
        mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111ebu;
        source->state[i] = mixed ^ mixed >> 31;
    }
}

uint64_t random_next(struct random_source *source)
{
    uint64_t *state = source->state;
    uint64_t result = rotate(state[1] * 5, 7) * 9;
    uint64_t shifted = state[1] << 17;

    state[2] ^= state[0];
    state[3] ^= state[1];
    state[1] ^= state[2];
    state[0] ^= state[3];
    state[2] ^= shifted;
    state[3] = rotate(state[3], 45);
    return result;
}

__extension__ typedef unsigned __int128 wide;

uint64_t random_below(struct random_source *source, uint64_t limit)
{
    wide product;

    assert(limit);
    /* The upper half of a product is below the limit; the few lower halves that would make some results likelier are refused. */
    do {
        product = (wide)random_next(source) * limit;
    } while ((uint64_t)product < limit && (uint64_t)product < (0 - limit) % limit);
    return (uint64_t)(product >> 64);
}

/* ---- bootstrap ----------------------------------------------------------------------------------------------------- */

/* Puts the value with `rank` values below it (by order, from 0) there, smaller ones before it (Hoare). */
static void select_rank(double *values, size_t count, size_t rank)
{
    size_t low = 0, high = count - 1;

    assert(rank < count);
    while (low < high) {
        double pivot = values[low + (high - low) / 2];
        size_t i = low, j = high;

        for (;;) {
            while (values[i] < pivot)
                i++;
            while (values[j] > pivot)
                j--;
            if (i >= j)
                break;
            double other = values[i];

            values[i++] = values[j];
            values[j--] = other;
        }
        /* low..j are at most the pivot, j + 1..high at least. */
        if (i == j && rank == j)
            return;
        if (rank <= j)
            high = j;
        else
            low = j + 1;
    }
}

static double median_of(double *values, size_t count)
{
    size_t middle = count / 2;
    double below;

    assert(count);
    select_rank(values, count, middle);
    if (count % 2)
        return values[middle];
    below = values[0];
    for (size_t i = 1; i < middle; i++)
        below = values[i] > below ? values[i] : below;
    return (below + values[middle]) / 2;
}

/* Room for drawing from some launches. */
struct drawing {
    double *runs;    /* drawn from one launch; owned */
    double *medians; /* of the launches that were drawn; owned */
};

static status drawing_start(struct drawing *drawing, const struct launch_sample *launches, size_t count)
{
    size_t longest = 1;

    for (size_t i = 0; i < count; i++) {
        assert(launches[i].count);
        longest = launches[i].count > longest ? launches[i].count : longest;
    }
    drawing->runs = memory_allocate(longest * sizeof *drawing->runs);
    drawing->medians = memory_allocate((count ? count : 1) * sizeof *drawing->medians);
    return drawing->runs && drawing->medians ? STATUS_OK : status_no_memory("estimating an interval");
}

static void drawing_end(struct drawing *drawing)
{
    memory_free(drawing->runs);
    memory_free(drawing->medians);
}

/* As many launches as there are, drawn with replacement, and in each as many runs as it has: the median of their medians. */
static double draw_median(struct drawing *drawing, const struct launch_sample *launches, size_t count,
                          struct random_source *source)
{
    for (size_t i = 0; i < count; i++) {
        const struct launch_sample *launch = &launches[random_below(source, count)];

        for (size_t j = 0; j < launch->count; j++)
            drawing->runs[j] = launch->values[random_below(source, launch->count)];
        drawing->medians[i] = median_of(drawing->runs, launch->count);
    }
    return median_of(drawing->medians, count);
}

static struct confidence middle_part(double *drawn, unsigned rounds)
{
    statistics_sort(drawn, rounds);
    return (struct confidence){ statistics_quantile(drawn, rounds, 0.025), statistics_quantile(drawn, rounds, 0.975) };
}

status statistics_ratio_interval(const struct launch_sample *over, size_t over_count, const struct launch_sample *under,
                                 size_t under_count, uint64_t seed, unsigned rounds, struct confidence *interval)
{
    struct drawing above = { 0 }, below = { 0 };
    struct random_source source;
    double *drawn;
    status code;

    *interval = (struct confidence){ NAN, NAN };
    if (!over_count || !under_count || !rounds)
        return STATUS_OK;
    drawn = memory_allocate(rounds * sizeof *drawn);
    code = drawn ? drawing_start(&above, over, over_count) : status_no_memory("estimating an interval");
    if (code == STATUS_OK)
        code = drawing_start(&below, under, under_count);
    if (code == STATUS_OK) {
        random_start(&source, seed);
        for (unsigned i = 0; i < rounds; i++) {
            double numerator = draw_median(&above, over, over_count, &source);

            drawn[i] = numerator / draw_median(&below, under, under_count, &source);
        }
        *interval = middle_part(drawn, rounds);
    }
    drawing_end(&above);
    drawing_end(&below);
    memory_free(drawn);
    return code;
}

status statistics_median_interval(const struct launch_sample *launches, size_t count, uint64_t seed, unsigned rounds,
                                  struct confidence *interval)
{
    struct drawing drawing = { 0 };
    struct random_source source;
    double *drawn;
    status code;

    *interval = (struct confidence){ NAN, NAN };
    if (!count || !rounds)
        return STATUS_OK;
    drawn = memory_allocate(rounds * sizeof *drawn);
    code = drawn ? drawing_start(&drawing, launches, count) : status_no_memory("estimating an interval");
    if (code == STATUS_OK) {
        random_start(&source, seed);
        for (unsigned i = 0; i < rounds; i++)
            drawn[i] = draw_median(&drawing, launches, count, &source);
        *interval = middle_part(drawn, rounds);
    }
    drawing_end(&drawing);
    memory_free(drawn);
    return code;
}
