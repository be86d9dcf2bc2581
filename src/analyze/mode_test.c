/* mode_test.c: three rank sums over values in modes, and how often chance makes the largest of them as large. */
#include "analyze/mode_test.h"

#include <assert.h>
#include <math.h>

#include "analyze/modes.h"
#include "base/memory.h"

static const double even = 1e-9; /* quotients nearer to each other are equal: they differ by rounding */

/* Both samples, put together. Ranks are doubled, so that shared ones are whole. */
struct pool {
    struct ranked *items;            /* sorted; owned */
    double *values;                  /* of the items; owned */
    size_t count, one_count;         /* of both samples; of the first */
    struct mode_cuts cuts;           /* groups that do not know the samples */
    double squares[MODE_TEST_MODES]; /* sum of squared ranks of each group */
};

/* Which quotients a sum of ranks of the first sample has: the same for all arrangements with as many values in each group. */
struct scale {
    double expected;                   /* sum over all values that chance gives */
    double expected_inside;            /* the same with these numbers in each mode */
    double deviations[MODE_QUESTIONS]; /* of each sum; 0: it cannot vary */
};

static size_t group_size(const struct pool *pool, unsigned group)
{
    return pool->cuts.ends[group] - mode_cuts_start(&pool->cuts, group);
}

/* ---- one arrangement ----------------------------------------------------------------------------------------------- */

static bool is_of_one(const struct pool *pool, const size_t *table, unsigned group)
{
    return table[group] == group_size(pool, group);
}

/* Whether a shift has torn a mode: this group is of one sample only, and the next one of the other. */
static bool is_torn(const struct pool *pool, const size_t *table, unsigned group)
{
    if (group + 1 >= pool->cuts.count)
        return false;
    return (is_of_one(pool, table, group) && table[group + 1] == 0) ||
           (table[group] == 0 && is_of_one(pool, table, group + 1));
}

/* Whether all values of one sample are below those of the other, and in other groups. */
static bool is_apart(const struct pool *pool, const size_t *table)
{
    unsigned changes = 0;

    for (unsigned i = 0; i < pool->cuts.count; i++) {
        if (table[i] && !is_of_one(pool, table, i))
            return false;
        changes += i && is_of_one(pool, table, i) != is_of_one(pool, table, i - 1);
    }
    return changes == 1;
}

/* Groups as modes: `lasts[i]` is the last group of mode i. `table` has the values of the first sample in each group. */
static unsigned join_torn(const struct pool *pool, const size_t *table, unsigned lasts[MODE_TEST_MODES])
{
    unsigned modes = 0;

    if (is_apart(pool, table)) {
        lasts[0] = pool->cuts.count - 1;
        return 1;
    }
    for (unsigned group = 0; group < pool->cuts.count; group++) {
        group += is_torn(pool, table, group);
        lasts[modes++] = group;
    }
    return modes;
}

/* Variance of the sum of `chosen` of `count` numbers with these squares around their mean. */
static double variance_of_sum(double squares, size_t count, size_t chosen)
{
    double all = (double)count, some = (double)chosen;

    return count > 1 ? fmax(0, squares) * some * (all - some) / (all * (all - 1)) : 0;
}

static struct scale scale_of(const struct pool *pool, const size_t *table)
{
    double count = (double)pool->count, middle = count + 1, all = 0, inside = 0, between = 0;
    unsigned lasts[MODE_TEST_MODES], modes = join_torn(pool, table, lasts);
    struct scale scale = { .expected = (double)pool->one_count * middle };

    for (unsigned mode = 0, group = 0; mode < modes; mode++) {
        size_t start = mode_cuts_start(&pool->cuts, group), chosen = 0;
        size_t size = pool->cuts.ends[lasts[mode]] - start;
        double mode_middle = (double)(2 * start + size + 1), squares = 0; /* the mean of its ranks */

        for (; group <= lasts[mode]; group++) {
            chosen += table[group];
            squares += pool->squares[group];
        }
        scale.expected_inside += (double)chosen * mode_middle;
        inside += variance_of_sum(squares - (double)size * mode_middle * mode_middle, size, chosen);
        between += (double)size * (mode_middle - middle) * (mode_middle - middle);
        all += squares;
    }
    all = variance_of_sum(all - count * middle * middle, pool->count, pool->one_count);
    scale.deviations[MODE_ALL] = sqrt(all);
    scale.deviations[MODE_INSIDE] = sqrt(inside);
    scale.deviations[MODE_OCCURRENCE] = sqrt(variance_of_sum(between, pool->count, pool->one_count));
    return scale;
}

/* The three quotients of a sum of ranks. Returns the size of the largest; infinite where all of one sample is below the other:
 * ties could make a quotient larger than that, but nothing is clearer. */
static double quotients(const struct pool *pool, const struct scale *scale, double sum, double z[MODE_QUESTIONS])
{
    double one = (double)pool->one_count, other = (double)(pool->count - pool->one_count), largest = 0;

    z[MODE_ALL] = sum - scale->expected;
    z[MODE_INSIDE] = sum - scale->expected_inside;
    z[MODE_OCCURRENCE] = scale->expected_inside - scale->expected;
    if (fabs(z[MODE_ALL]) >= one * other)
        largest = INFINITY;
    for (unsigned i = 0; i < MODE_QUESTIONS; i++) {
        z[i] = scale->deviations[i] > 0 ? z[i] / scale->deviations[i] : 0;
        largest = fmax(largest, fabs(z[i]));
    }
    return largest;
}

/* ---- all arrangements ---------------------------------------------------------------------------------------------- */

struct search {
    const struct pool *pool;                           /* borrowed */
    struct arrangements arrangements[MODE_TEST_MODES]; /* of each group, with ranks of its own */
    double *sums[MODE_TEST_MODES + 1];  /* [groups so far][sum of their own ranks]: in how many ways; owned */
    size_t widths[MODE_TEST_MODES + 1]; /* of those */
    size_t table[MODE_TEST_MODES];      /* values of the first sample in each group so far */
    double wanted[MODE_QUESTIONS];      /* size of each quotient that was observed */
    double wanted_largest;              /* of those */
    double total;                       /* arrangements */
    double found[MODE_QUESTIONS];       /* of them: where the quotient is as large */
    double found_largest;               /* where the largest is */
};

static status search_start(struct search *search)
{
    const struct pool *pool = search->pool;
    size_t width = 1;
    status code = STATUS_OK;

    for (unsigned i = 0; i < pool->cuts.count && code == STATUS_OK; i++) {
        size_t size = group_size(pool, i), chosen = size < pool->one_count ? size : pool->one_count;
        struct ranked *items = pool->items + mode_cuts_start(&pool->cuts, i);

        statistics_rank(items, size); /* from 1 in each group: narrower tables */
        code = arrangements_start(&search->arrangements[i], items, size, chosen);
        width += search->arrangements[i].width - 1;
    }
    for (unsigned i = 0; i <= pool->cuts.count && code == STATUS_OK; i++) {
        search->sums[i] = memory_allocate_clear(width * sizeof *search->sums[i]);
        code = search->sums[i] ? STATUS_OK : status_no_memory("comparing two samples");
    }
    return code;
}

static void search_end(struct search *search)
{
    for (unsigned i = 0; i < MODE_TEST_MODES; i++)
        arrangements_free(&search->arrangements[i]);
    for (unsigned i = 0; i <= MODE_TEST_MODES; i++)
        memory_free(search->sums[i]);
}

/* The sums with `chosen` values in this group, from those of the groups before it. */
static void add_group(struct search *search, unsigned group, size_t chosen)
{
    const struct arrangements *arrangements = &search->arrangements[group];
    const double *ways = arrangements->ways + chosen * arrangements->width, *from = search->sums[group];
    double *to = search->sums[group + 1];
    size_t width = search->widths[group] + arrangements->width - 1;

    for (size_t i = 0; i < width; i++)
        to[i] = 0;
    for (size_t i = 0; i < arrangements->width; i++)
        for (size_t j = 0; ways[i] > 0 && j < search->widths[group]; j++)
            to[i + j] += ways[i] * from[j];
    search->widths[group + 1] = width;
    search->table[group] = chosen;
}

/* Counts the arrangements with these numbers in the groups. */
static void count_table(struct search *search)
{
    const struct pool *pool = search->pool;
    const double *ways = search->sums[pool->cuts.count];
    struct scale scale = scale_of(pool, search->table);
    double own = 0, z[MODE_QUESTIONS];

    for (unsigned i = 0; i < pool->cuts.count; i++)
        own += 2 * (double)mode_cuts_start(&pool->cuts, i) * (double)search->table[i];
    for (size_t sum = 0; sum < search->widths[pool->cuts.count]; sum++) {
        if (!(ways[sum] > 0))
            continue;
        search->total += ways[sum];
        if (quotients(pool, &scale, own + (double)sum, z) >= search->wanted_largest - even)
            search->found_largest += ways[sum];
        for (unsigned i = 0; i < MODE_QUESTIONS; i++)
            search->found[i] += fabs(z[i]) >= search->wanted[i] - even ? ways[sum] : 0;
    }
}

/* Every number of values of the first sample in this group and those behind it; `left` are still to be placed. */
static void count_groups(struct search *search, unsigned group, size_t left)
{
    const struct pool *pool = search->pool;
    size_t size, behind;

    if (group == pool->cuts.count) {
        count_table(search);
        return;
    }
    size = group_size(pool, group);
    behind = pool->count - pool->cuts.ends[group];
    for (size_t chosen = left > behind ? left - behind : 0; chosen <= size && chosen <= left; chosen++) {
        add_group(search, group, chosen);
        count_groups(search, group + 1, left - chosen);
    }
}

static status count_all(const struct pool *pool, double largest, struct mode_test *result)
{
    struct search search = { .pool = pool, .wanted_largest = largest, .widths = { 1 } };
    status code = search_start(&search);

    if (code == STATUS_OK) {
        for (unsigned i = 0; i < MODE_QUESTIONS; i++)
            search.wanted[i] = fabs(result->answers[i].z);
        search.sums[0][0] = 1;
        count_groups(&search, 0, pool->one_count);
        for (unsigned i = 0; i < MODE_QUESTIONS; i++)
            result->answers[i].p = search.found[i] / search.total;
        result->p = search.found_largest / search.total;
    }
    search_end(&search);
    return code;
}

/* ---- what was observed --------------------------------------------------------------------------------------------- */

static status pool_start(struct pool *pool, const double *one, size_t one_count, const double *other,
                         size_t other_count)
{
    size_t count = one_count + other_count;

    *pool = (struct pool){ .count = count, .one_count = one_count };
    pool->items = memory_allocate(count * sizeof *pool->items);
    pool->values = memory_allocate(count * sizeof *pool->values);
    if (!pool->items || !pool->values)
        return status_no_memory("comparing two samples");
    for (size_t i = 0; i < count; i++)
        pool->items[i] =
            (struct ranked){ .value = i < one_count ? one[i] : other[i - one_count], .first = i < one_count };
    statistics_rank(pool->items, count);
    for (size_t i = 0; i < count; i++)
        pool->values[i] = pool->items[i].value;
    pool->cuts = modes_find(pool->values, count, MODE_TEST_MODES, MODES_APART_TOGETHER);
    for (unsigned i = 0; i < pool->cuts.count; i++)
        for (size_t j = mode_cuts_start(&pool->cuts, i); j < pool->cuts.ends[i]; j++)
            pool->squares[i] += (double)pool->items[j].rank * (double)pool->items[j].rank;
    return STATUS_OK;
}

static void pool_free(struct pool *pool)
{
    memory_free(pool->items);
    memory_free(pool->values);
}

/* The part of each sample in items `start` to `end`; the pool's values are overwritten. */
static struct mode_pair describe_mode(struct pool *pool, size_t start, size_t end)
{
    struct mode_pair pair = { 0 };
    double *part = pool->values + start;

    for (size_t i = start; i < end; i++)
        if (pool->items[i].first)
            part[pair.one++] = pool->items[i].value;
    for (size_t i = start; i < end; i++)
        if (!pool->items[i].first)
            part[pair.one + pair.other++] = pool->items[i].value;
    pair.one_median = statistics_median(part, pair.one);
    pair.other_median = statistics_median(part + pair.one, pair.other);
    return pair;
}

static void describe_modes(struct pool *pool, const size_t *table, struct mode_test *result)
{
    unsigned lasts[MODE_TEST_MODES];
    double logarithms = 0, weights = 0;

    result->mode_count = join_torn(pool, table, lasts);
    for (unsigned i = 0; i < result->mode_count; i++) {
        struct mode_pair *mode = &result->modes[i];
        double both;

        *mode = describe_mode(pool, i ? pool->cuts.ends[lasts[i - 1]] : 0, pool->cuts.ends[lasts[i]]);
        both = (double)mode->one * (double)mode->other / (double)(mode->one + mode->other);
        logarithms += both > 0 ? both * log(mode->one_median / mode->other_median) : 0;
        weights += both;
    }
    result->factor_inside = weights > 0 ? exp(logarithms / weights) : NAN;
}

/* The quotients as they are. Returns the size of the largest. */
static double observe(const struct pool *pool, const size_t *table, struct mode_test *result)
{
    struct scale scale = scale_of(pool, table);
    double z[MODE_QUESTIONS], sum = 0, largest;

    for (size_t i = 0; i < pool->count; i++)
        sum += pool->items[i].first ? pool->items[i].rank : 0;
    largest = quotients(pool, &scale, sum, z);
    for (unsigned i = 0; i < MODE_QUESTIONS; i++) {
        result->answers[i] = (struct mode_answer){ z[i], erfc(fabs(z[i]) / sqrt(2)) };
        if (!isinf(largest) && fabs(z[i]) > fabs(z[result->decided]) + even)
            result->decided = i;
    }
    result->p = fmin(1, MODE_QUESTIONS * result->answers[result->decided].p);
    return largest;
}

status mode_test_run(const double *one, size_t one_count, const double *other, size_t other_count,
                     struct mode_test *result)
{
    size_t table[MODE_TEST_MODES] = { 0 };
    double largest;
    struct pool pool = { 0 };
    status code = statistics_rank_test(one, one_count, other, other_count, &result->whole);

    assert(one_count && other_count);
    *result = (struct mode_test){ .decided = MODE_ALL, .whole = result->whole };
    if (code == STATUS_OK)
        code = pool_start(&pool, one, one_count, other, other_count);
    if (code == STATUS_OK) {
        for (unsigned i = 0; i < pool.cuts.count; i++)
            for (size_t j = mode_cuts_start(&pool.cuts, i); j < pool.cuts.ends[i]; j++)
                table[i] += pool.items[j].first;
        largest = observe(&pool, table, result);
        result->exact = one_count <= MODE_TEST_EXACT && other_count <= MODE_TEST_EXACT;
        describe_modes(&pool, table, result);
        if (pool.cuts.count == 1) {
            result->p = result->answers[MODE_ALL].p = result->answers[MODE_INSIDE].p = result->whole.p;
            result->exact = result->whole.exact;
        } else if (result->exact) {
            code = count_all(&pool, largest, result);
        }
    }
    pool_free(&pool);
    return code;
}
