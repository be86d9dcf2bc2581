/* compare_launches.c: many comparisons in one process, for tests/aa_compare.py: from what launches took to the verdicts.
 *
 * Standard input, by lines of blanks and numbers:
 *
 *     comparison LAUNCHES_BEFORE LAUNCHES_AFTER ROWS
 *     launch IDLE_NS RUNS MS... OPERATOR_NS...          (for each launch, those before first; an operator of -1 is not in it)
 *
 * Standard output, a line for each comparison: the verdict on the run, how many other rows are certain, the number of the first operator in
 * the list and whether it is certain, by how much the rows miss the difference (0), and the numbers of all operators that are certain.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "analyze/compare.h"
#include "base/memory.h"

static const struct metric_set set = { 0 };

static void fail(const char *what)
{
    fprintf(stderr, "compare_launches: %s\n", what);
    exit(2);
}

static double number(void)
{
    double value;

    if (scanf("%lf", &value) != 1)
        fail("a number is missing");
    return value;
}

static struct compare_launch read_launch(size_t rows, struct strings *strings)
{
    struct compare_launch launch = { .set = &set, .has_device = true };
    size_t runs;
    double *ms;
    uint32_t *indices;

    if (scanf(" launch") != 0)
        fail("a launch is missing");
    launch.idle = (int64_t)number();
    runs = (size_t)number();
    ms = memory_allocate(runs * sizeof *ms);
    indices = memory_allocate(runs * sizeof *indices);
    launch.operators = memory_allocate_clear((rows + 1) * sizeof *launch.operators);
    if (!ms || !indices || !launch.operators)
        fail("out of memory");
    for (size_t i = 0; i < runs; i++) {
        ms[i] = number();
        indices[i] = (uint32_t)i;
    }
    launch.runs = (struct latency_launch){ .name = "launch", .ms = ms, .runs = indices, .count = runs };
    for (size_t i = 0; i < rows; i++) {
        struct compare_operator *op = &launch.operators[launch.operator_count];
        double ns = number();

        if (ns < 0)
            continue;
        *op =
            (struct compare_operator){ .op.id = (operator_id)i, .own = (int64_t)ns, .device = (int64_t)ns, .calls = 1 };
        if (strings_add_format(strings, &op->op.name, "%zu", i) != STATUS_OK)
            fail("out of memory");
        launch.device += op->own;
        launch.operator_count++;
    }
    launch.whole = launch.device + launch.idle;
    launch.general[1] = launch.device;
    launch.general[6] = launch.idle;
    return launch;
}

/* What the rows of a section and its total differ by. */
static int64_t missed(const struct comparison *comparison, enum compare_section section)
{
    size_t count;
    const struct compare_row *rows = comparison_section(comparison, section, &count);
    enum compare_kind kind =
        section == COMPARE_OPERATOR_ROWS && comparison->subject == COMPARE_DEVICE ? COMPARE_DEVICE_TIME : COMPARE_WHOLE;
    int64_t rest = compare_difference(comparison_total(comparison, kind));

    for (size_t i = 0; i < count; i++)
        rest -= compare_difference(&rows[i]);
    return rest;
}

static void answer(const struct comparison *comparison)
{
    size_t count, certain = 0;
    const struct compare_row *rows = comparison_section(comparison, COMPARE_OPERATOR_ROWS, &count);

    for (size_t i = 0; i < comparison->count; i++)
        certain += comparison->rows[i].kind != COMPARE_WHOLE && comparison->rows[i].verdict > LATENCY_SAME;
    printf("%d %zu %s %d %" PRId64 " %" PRId64, (int)comparison->latency.verdict, certain, count ? rows[0].name : "-",
           count && rows[0].verdict > LATENCY_SAME, missed(comparison, COMPARE_PART_ROWS),
           missed(comparison, COMPARE_OPERATOR_ROWS));
    for (size_t i = 0; i < count; i++)
        if (rows[i].kind == COMPARE_OPERATOR && rows[i].verdict > LATENCY_SAME)
            printf(" %s", rows[i].name);
    printf("\n");
}

static void free_launch(struct compare_launch *launch)
{
    memory_free((void *)(uintptr_t)launch->runs.ms);
    memory_free((void *)(uintptr_t)launch->runs.runs);
    compare_launch_free(launch);
}

int main(void)
{
    const struct compare_options options = { .latency = { .warmup = WARMUP_AUTO, .seed = 1, .rounds = 1 } };
    struct strings *strings = strings_new();
    size_t counts[2], rows;

    if (!strings)
        fail("out of memory");
    while (scanf(" comparison %zu %zu %zu", &counts[0], &counts[1], &rows) == 3) {
        struct compare_launch *launches = memory_allocate((counts[0] + counts[1]) * sizeof *launches);
        struct compare_side sides[2] = { { "before", launches, counts[0] },
                                         { "after", launches + counts[0], counts[1] } };
        struct comparison comparison;

        if (!launches)
            fail("out of memory");
        for (size_t i = 0; i < counts[0] + counts[1]; i++)
            launches[i] = read_launch(rows, strings);
        if (compare_sides(sides, &options, strings, &comparison) != STATUS_OK)
            fail("comparing failed");
        answer(&comparison);
        comparison_free(&comparison);
        for (size_t i = 0; i < counts[0] + counts[1]; i++)
            free_launch(&launches[i]);
        memory_free(launches);
    }
    strings_free(strings);
    return 0;
}
