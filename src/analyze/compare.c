/* compare.c: rows that add up to a difference. */
#include "analyze/compare.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/memory.h"

/* ---- the operators of a side ----------------------------------------------------------------------------------------- */

/* One operator in all launches of a side. */
struct side_operator {
    uint64_t identity;        /* compare_identity */
    uint32_t occurrence;      /* among those of one identity in a launch */
    const struct op *op;      /* as the first launch tells it that has it */
    struct compare_seen seen; /* in all launches */
    double calls;             /* of one run, added up over launches */
    size_t launches;          /* that have it, whether it took any time in them or not */
    size_t last;              /* of these, the number of the last + 1 */
    int64_t *own;             /* by launch */
    int64_t *device;          /* by launch */
};

struct side_list {
    const struct compare_side *side; /* borrowed */
    struct column operators;         /* struct side_operator */
    struct map by_identity;          /* over these */
    struct number_map occurrences;   /* of an identity in the launch that is added */
    const struct op **ops;           /* for matching: of each operator; in the arena */
};

/* What a comparison is made of while it is made. */
struct work {
    struct comparison *comparison; /* that is filled */
    struct strings *strings;       /* of names */
    struct side_list lists[2];     /* before and after */
    uint32_t *matches;             /* by operator before: after; NO_ID: none */
    size_t capacity;               /* of rows */
};

static struct side_operator *operator_at(const struct side_list *list, size_t index)
{
    return column_at(&list->operators, index);
}

static status find_operator(struct work *work, struct side_list *list, const struct compare_operator *from,
                            uint32_t occurrence, struct side_operator **found)
{
    uint64_t identity = compare_identity(&from->op, work->strings, work->comparison->by_source);
    uint64_t hash = map_mix(identity, occurrence);
    size_t cursor, launches = list->side->count;

    for (uint32_t id = map_first(&list->by_identity, hash, &cursor); id != MAP_NONE;
         id = map_next(&list->by_identity, hash, &cursor)) {
        *found = operator_at(list, id);
        if ((*found)->identity == identity && (*found)->occurrence == occurrence)
            return STATUS_OK;
    }
    *found = column_append(&list->operators);
    if (!*found)
        return status_no_memory("comparing");
    **found = (struct side_operator){
        .identity = identity,
        .occurrence = occurrence,
        .op = &from->op,
        .seen = { .engines = from->engines, .mainly = from->mainly },
        .own = arena_allocate(&work->comparison->arena, launches * sizeof(int64_t), _Alignof(int64_t)),
        .device = arena_allocate(&work->comparison->arena, launches * sizeof(int64_t), _Alignof(int64_t)),
    };
    if (!(*found)->own || !(*found)->device)
        return status_no_memory("comparing");
    memset((*found)->own, 0, launches * sizeof(int64_t));
    memset((*found)->device, 0, launches * sizeof(int64_t));
    return map_add(&list->by_identity, hash, (uint32_t)list->operators.count - 1);
}

/* Which one of several that look the same, in the order of a launch; of a place in the source all are one. */
static status count_occurrence(struct work *work, struct side_list *list, const struct compare_operator *op,
                               uint32_t *occurrence)
{
    uint32_t *seen;

    *occurrence = 0;
    if (work->comparison->by_source)
        return STATUS_OK;
    seen = number_map_at(&list->occurrences, compare_identity(&op->op, work->strings, false), 0);
    if (!seen)
        return status_no_memory("comparing");
    *occurrence = *seen == MAP_NONE ? 0 : *seen + 1;
    *seen = *occurrence;
    return STATUS_OK;
}

static void add_kernels(struct compare_seen *seen, const struct compare_operator *op)
{
    for (size_t i = 0; i < COMPARE_KERNELS && op->kernels[i]; i++) {
        size_t at = 0;

        while (at < COMPARE_KERNELS && seen->kernels[at] && seen->kernels[at] != op->kernels[i])
            at++;
        if (at < COMPARE_KERNELS)
            seen->kernels[at] = op->kernels[i];
    }
}

static status add_launch(struct work *work, struct side_list *list, size_t launch)
{
    const struct compare_launch *from = &list->side->launches[launch];
    status code = STATUS_OK;

    number_map_clear(&list->occurrences);
    for (size_t i = 0; i < from->operator_count && code == STATUS_OK; i++) {
        const struct compare_operator *op = &from->operators[i];
        struct side_operator *to;
        uint32_t occurrence;

        code = count_occurrence(work, list, op, &occurrence);
        if (code == STATUS_OK)
            code = find_operator(work, list, op, occurrence, &to);
        if (code != STATUS_OK)
            return code;
        to->own[launch] += op->own;
        to->device[launch] += op->device;
        to->calls += op->calls;
        to->launches += to->last != launch + 1;
        to->last = launch + 1;
        to->seen.engines = to->seen.engines == op->engines ? op->engines : 0;
        to->seen.mainly = to->seen.mainly == op->mainly ? op->mainly : 0;
        add_kernels(&to->seen, op);
    }
    return code;
}

static status make_list(struct work *work, struct side_list *list, const struct compare_side *side)
{
    status code = STATUS_OK;

    list->side = side;
    column_start(&list->operators, sizeof(struct side_operator));
    number_map_start(&list->occurrences);
    for (size_t i = 0; i < side->count && code == STATUS_OK; i++)
        code = add_launch(work, list, i);
    list->ops = arena_allocate(&work->comparison->arena, (list->operators.count + 1) * sizeof *list->ops,
                               _Alignof(const struct op *));
    if (code == STATUS_OK && !list->ops)
        code = status_no_memory("comparing");
    for (size_t i = 0; i < list->operators.count && code == STATUS_OK; i++)
        list->ops[i] = operator_at(list, i)->op;
    return code;
}

/* Of two chains, what has one place in the source; else compare_match has several ways. */
static status match_lists(struct work *work)
{
    const struct side_list *before = &work->lists[0], *after = &work->lists[1];
    const struct compare_list one = { before->ops, before->operators.count };
    const struct compare_list other = { after->ops, after->operators.count };
    size_t cursor;

    work->matches = memory_allocate((one.count + 1) * sizeof *work->matches);
    if (!work->matches)
        return status_no_memory("comparing");
    if (!work->comparison->by_source)
        return compare_match(&one, &other, work->strings, work->matches);
    for (size_t i = 0; i < one.count; i++) {
        uint64_t identity = operator_at(before, i)->identity;

        work->matches[i] = map_first(&after->by_identity, map_mix(identity, 0), &cursor);
        if (work->matches[i] != MAP_NONE && operator_at(after, work->matches[i])->identity != identity)
            work->matches[i] = NO_ID;
    }
    return STATUS_OK;
}

/* ---- rows -------------------------------------------------------------------------------------------------------------- */

/* A row without its values. */
static status new_row(struct work *work, enum compare_section section, enum compare_kind kind, const char *name,
                      struct compare_row **row)
{
    struct comparison *comparison = work->comparison;
    status code = memory_grow(&comparison->rows, &work->capacity, comparison->count + 1, sizeof **row);

    if (code != STATUS_OK)
        return code;
    *row = &comparison->rows[comparison->count++];
    **row = (struct compare_row){ .section = section, .kind = kind, .name = name, .p = NAN, .corrected = NAN };
    for (unsigned i = 0; i < 2; i++) {
        double *values =
            arena_allocate(&comparison->arena, comparison->sides[i].count * sizeof *values, _Alignof(double));

        if (!values)
            return status_no_memory("comparing");
        for (size_t k = 0; k < comparison->sides[i].count; k++)
            values[k] = 0;
        (*row)->values[i] = values;
    }
    return STATUS_OK;
}

static double *values_of(const struct compare_row *row, unsigned side)
{
    return (double *)(uintptr_t)row->values[side];
}

/* A row whose value each launch has at one place. */
static status add_plain(struct work *work, enum compare_section section, enum compare_kind kind, const char *name,
                        size_t offset)
{
    struct compare_row *row;
    status code = new_row(work, section, kind, name, &row);

    for (unsigned i = 0; i < 2 && code == STATUS_OK; i++)
        for (size_t k = 0; k < work->comparison->sides[i].count; k++) {
            int64_t ns;

            memcpy(&ns, (const char *)&work->comparison->sides[i].launches[k] + offset, sizeof ns);
            values_of(row, i)[k] = (double)ns;
        }
    return code;
}

#define PLACE(member) offsetof(struct compare_launch, member)

static bool any_launch(const struct comparison *comparison, bool (*is)(const struct compare_launch *launch))
{
    for (unsigned i = 0; i < 2; i++)
        for (size_t k = 0; k < comparison->sides[i].count; k++)
            if (is(&comparison->sides[i].launches[k]))
                return true;
    return false;
}

static bool tells_host(const struct compare_launch *launch)
{
    return launch->has_host;
}

static bool tells_device(const struct compare_launch *launch)
{
    return launch->has_device;
}

static bool is_on_device(const struct compare_launch *launch)
{
    return launch->has_device && launch->computes_on == COMPARE_ON_DEVICE;
}

static bool is_on_either(const struct compare_launch *launch)
{
    return launch->has_device && launch->computes_on == COMPARE_ON_EITHER;
}

const char *comparison_device(const struct comparison *comparison)
{
    if (any_launch(comparison, is_on_device))
        return "device time";
    return any_launch(comparison, is_on_either) ? "kernel time" : "CPU time";
}

static status add_totals(struct work *work)
{
    status code = add_plain(work, COMPARE_TOTALS, COMPARE_WHOLE, comparison_run(work->comparison), PLACE(whole));

    if (code == STATUS_OK && any_launch(work->comparison, tells_device))
        code = add_plain(work, COMPARE_TOTALS, COMPARE_DEVICE_TIME, comparison_device(work->comparison), PLACE(device));
    if (code == STATUS_OK && any_launch(work->comparison, tells_host))
        code = add_plain(work, COMPARE_TOTALS, COMPARE_HOST_TIME, "host time", PLACE(host));
    return code;
}

static void drop_empty(struct comparison *comparison)
{
    const struct compare_row *row = &comparison->rows[comparison->count - 1];

    for (unsigned i = 0; i < 2; i++)
        for (size_t k = 0; k < comparison->sides[i].count; k++)
            if (row->values[i][k] != 0)
                return;
    comparison->count--;
}

/* Parts of a chain where all launches are of it; else the general ones. What they leave over is a row, too. */
static status add_parts(struct work *work)
{
    struct comparison *comparison = work->comparison;
    const struct metric_set *set = comparison->sides[0].launches[0].set;
    const struct metric *const *parts = set->parts;
    struct compare_row *rest;
    size_t first = comparison->count;
    status code = STATUS_OK;

    for (unsigned i = 0; i < 2; i++)
        for (size_t k = 0; k < comparison->sides[i].count; k++)
            parts = comparison->sides[i].launches[k].set == set ? parts : NULL;
    for (size_t i = 0; (parts ? parts : compare_parts)[i] && code == STATUS_OK; i++) {
        size_t place = (parts ? PLACE(parts) : PLACE(general)) + i * sizeof(int64_t);
        const char *label = metric_name((parts ? parts : compare_parts)[i]);

        code = add_plain(work, COMPARE_PART_ROWS, COMPARE_PART, label, place);
        if (code == STATUS_OK)
            drop_empty(comparison);
    }
    if (code == STATUS_OK)
        code = new_row(work, COMPARE_PART_ROWS, COMPARE_OTHER_PART, "Other", &rest);
    for (unsigned i = 0; i < 2 && code == STATUS_OK; i++)
        for (size_t k = 0; k < comparison->sides[i].count; k++) {
            double *value = &values_of(rest, i)[k];

            *value = (double)comparison->sides[i].launches[k].whole;
            for (size_t row = first; row + 1 < comparison->count; row++)
                *value -= comparison->rows[row].values[i][k];
        }
    if (code == STATUS_OK)
        drop_empty(comparison);
    return code;
}

static struct compare_row *engine_row(const struct comparison *comparison, size_t first, const char *name)
{
    for (size_t i = first; i < comparison->count; i++)
        if (comparison->rows[i].name == name)
            return &comparison->rows[i];
    return NULL;
}

static status add_engines(struct work *work)
{
    struct comparison *comparison = work->comparison;
    size_t first = comparison->count;
    status code = STATUS_OK;

    for (unsigned i = 0; i < 2; i++)
        for (size_t k = 0; k < comparison->sides[i].count; k++) {
            const struct compare_launch *launch = &comparison->sides[i].launches[k];

            for (size_t e = 0; e < launch->engine_count && code == STATUS_OK; e++) {
                const char *name = strings_text(work->strings, launch->engines[e].name);
                struct compare_row *row = engine_row(comparison, first, name);

                if (!row)
                    code = new_row(work, COMPARE_ENGINE_ROWS, COMPARE_ENGINE, name, &row);
                if (code == STATUS_OK)
                    values_of(row, i)[k] += (double)launch->engines[e].ns;
            }
        }
    return code;
}

/* What a person calls an operator. */
static const char *operator_name(const struct work *work, const struct op *op)
{
    const char *name = strings_text(work->strings, op->name);

    return *name ? name : strings_text(work->strings, op->place ? op->place : op->location);
}

static void fill_side(const struct work *work, const struct side_operator *from, unsigned side, struct compare_row *row)
{
    const struct compare_side *launches = &work->comparison->sides[side];

    row->ops[side] = from->op;
    row->present[side] = from->launches;
    row->calls[side] = from->calls / (double)launches->count;
    for (size_t k = 0; k < launches->count; k++)
        values_of(row, side)[k] =
            (double)(work->comparison->subject == COMPARE_DEVICE ? from->device[k] : from->own[k]);
}

static status add_operator(struct work *work, const struct side_operator *before, const struct side_operator *after)
{
    const struct op *op = before ? before->op : after->op;
    char reason[COMPARE_REASON];
    struct compare_row *row;
    status code = new_row(work, COMPARE_OPERATOR_ROWS, op->id == NO_ID ? COMPARE_NO_OPERATOR : COMPARE_OPERATOR,
                          op->id == NO_ID ? "(no operator)" : operator_name(work, op), &row);

    if (code != STATUS_OK)
        return code;
    if (before)
        fill_side(work, before, 0, row);
    if (after)
        fill_side(work, after, 1, row);
    if (!before || !after || op->id == NO_ID)
        return STATUS_OK;
    compare_reason(work->comparison, row, (const struct compare_seen[]){ before->seen, after->seen }, reason);
    row->reason = *reason ? arena_copy(&work->comparison->arena, reason, strlen(reason)) : NULL;
    return *reason && !row->reason ? status_no_memory("comparing") : STATUS_OK;
}

static status add_operators(struct work *work)
{
    struct comparison *comparison = work->comparison;
    const struct side_list *before = &work->lists[0], *after = &work->lists[1];
    bool *taken = memory_allocate_clear(after->operators.count + 1);
    bool device = comparison->subject == COMPARE_DEVICE;
    status code = taken ? STATUS_OK : status_no_memory("comparing");

    for (size_t i = 0; i < before->operators.count && code == STATUS_OK; i++) {
        uint32_t match = work->matches[i];
        const struct side_operator *other = match == NO_ID ? NULL : operator_at(after, match);

        if (other)
            taken[match] = true;
        comparison->matched += other != NULL;
        comparison->alone[0] += !other;
        code = add_operator(work, operator_at(before, i), other);
        if (code == STATUS_OK && device)
            drop_empty(comparison);
    }
    for (size_t i = 0; i < after->operators.count && code == STATUS_OK; i++) {
        if (taken[i])
            continue;
        comparison->alone[1]++;
        code = add_operator(work, NULL, operator_at(after, i));
        if (code == STATUS_OK && device)
            drop_empty(comparison);
    }
    memory_free(taken);
    if (code == STATUS_OK)
        code = add_plain(work, COMPARE_OPERATOR_ROWS, COMPARE_BETWEEN, "(in no operator)",
                         device ? PLACE(device_between) : PLACE(between));
    if (code == STATUS_OK)
        drop_empty(comparison);
    if (code == STATUS_OK && !device) {
        code = add_plain(work, COMPARE_OPERATOR_ROWS, COMPARE_IDLE, "(idle)", PLACE(idle));
        if (code == STATUS_OK)
            drop_empty(comparison);
    }
    return code;
}

/* ---- means that add up ------------------------------------------------------------------------------------------------- */

/* An operator that the time of others hides took none, and is there all the same: that was counted before. */
static void count_present(struct comparison *comparison, struct compare_row *row)
{
    for (unsigned i = 0; i < 2 && row->kind != COMPARE_OPERATOR; i++) {
        row->present[i] = 0;
        for (size_t k = 0; k < comparison->sides[i].count; k++)
            row->present[i] += row->values[i][k] != 0;
    }
}

/* Of rows that add up the sums are rounded; launches are whole nanoseconds, so that sums are exact. */
static void take_means(struct comparison *comparison, struct compare_row *rows, size_t count, bool add_up)
{
    for (unsigned side = 0; side < 2; side++) {
        int64_t launches = (int64_t)comparison->sides[side].count, sum = 0;

        for (size_t i = 0; i < count; i++) {
            int64_t before = add_up ? sum : 0;

            sum = before;
            for (int64_t k = 0; k < launches; k++)
                sum += (int64_t)rows[i].values[side][k];
            rows[i].ns[side] = sum / launches - before / launches;
        }
    }
    for (size_t i = 0; i < count; i++)
        count_present(comparison, &rows[i]);
}

/* ---- order ------------------------------------------------------------------------------------------------------------- */

/* Certain ones first, then by time lost or gained, then as they came. */
static int by_change(const void *left, const void *right)
{
    const struct compare_row *one = left, *other = right;
    bool first = one->verdict > LATENCY_SAME, second = other->verdict > LATENCY_SAME;
    int64_t a = llabs(compare_difference(one)), b = llabs(compare_difference(other));

    if (first != second)
        return first ? -1 : 1;
    if (a != b)
        return a > b ? -1 : 1;
    return (one->place > other->place) - (one->place < other->place);
}

/* ---- all of it --------------------------------------------------------------------------------------------------------- */

static status compare_whole(struct comparison *comparison, const struct latency_options *options)
{
    struct latency_side sides[2];
    struct latency_launch *launches =
        memory_allocate((comparison->sides[0].count + comparison->sides[1].count) * sizeof *launches);
    struct latency_launch *next = launches;
    status code;

    if (!launches)
        return status_no_memory("comparing");
    for (unsigned i = 0; i < 2; i++) {
        sides[i] = (struct latency_side){ comparison->sides[i].name, next, comparison->sides[i].count };
        for (size_t k = 0; k < comparison->sides[i].count; k++)
            *next++ = comparison->sides[i].launches[k].runs;
    }
    code = latency_compare(&sides[0], &sides[1], options, &comparison->latency);
    memory_free(launches);
    return code;
}

/* All rows of one subject, with their verdicts. */
static status make_rows(struct work *work, enum compare_subject subject)
{
    struct comparison *comparison = work->comparison;
    struct compare_row *rows;
    size_t count;
    status code;

    comparison->subject = subject;
    comparison->count = comparison->matched = comparison->alone[0] = comparison->alone[1] = 0;
    code = add_totals(work);
    if (code == STATUS_OK)
        code = add_parts(work);
    if (code == STATUS_OK)
        code = add_engines(work);
    if (code == STATUS_OK)
        code = add_operators(work);
    for (unsigned section = 0; section <= COMPARE_OPERATOR_ROWS && code == STATUS_OK; section++) {
        rows = comparison_section(comparison, (enum compare_section)section, &count);
        take_means(comparison, rows, count, section == COMPARE_PART_ROWS || section == COMPARE_OPERATOR_ROWS);
    }
    if (code == STATUS_OK)
        code = compare_judge(comparison);
    rows = comparison_section(comparison, COMPARE_OPERATOR_ROWS, &count);
    for (size_t i = 0; i < count; i++)
        rows[i].place = i;
    if (code == STATUS_OK && count)
        qsort(rows, count, sizeof *rows, by_change);
    return code;
}

/* Does the time of devices tell what the run does not? */
static bool device_tells(const struct comparison *comparison)
{
    const struct compare_row *device = comparison_total(comparison, COMPARE_DEVICE_TIME);

    return comparison->latency.verdict == LATENCY_SAME && device && device->verdict > LATENCY_SAME;
}

static void free_work(struct work *work)
{
    for (unsigned i = 0; i < 2; i++) {
        column_free(&work->lists[i].operators);
        map_free(&work->lists[i].by_identity);
        number_map_free(&work->lists[i].occurrences);
    }
    memory_free(work->matches);
}

status compare_sides(const struct compare_side sides[2], const struct compare_options *options, struct strings *strings,
                     struct comparison *comparison)
{
    struct work work = { .comparison = comparison, .strings = strings };
    status code;

    assert(sides[0].count && sides[1].count && strings);
    *comparison = (struct comparison){
        .sides = sides, .strings = strings, .by_source = options->by_source, .unlike = options->unlike
    };
    if (options->subject == COMPARE_DEVICE && !any_launch(comparison, tells_device))
        return status_fail(STATUS_INPUT, "these inputs tell nothing of a device: there is no time of one to compare");
    code = compare_whole(comparison, &options->latency);
    for (unsigned i = 0; i < 2 && code == STATUS_OK; i++)
        code = make_list(&work, &work.lists[i], &sides[i]);
    if (code == STATUS_OK)
        code = match_lists(&work);
    if (code == STATUS_OK)
        code = make_rows(&work, options->subject == COMPARE_DEVICE ? COMPARE_DEVICE : COMPARE_RUN);
    if (code == STATUS_OK && options->subject == COMPARE_AUTO && device_tells(comparison))
        code = make_rows(&work, COMPARE_DEVICE);
    free_work(&work);
    return code;
}

void comparison_free(struct comparison *comparison)
{
    latency_comparison_free(&comparison->latency);
    memory_free(comparison->rows);
    arena_free(&comparison->arena);
    *comparison = (struct comparison){ 0 };
}

struct compare_row *comparison_section(const struct comparison *comparison, enum compare_section section, size_t *count)
{
    size_t first = 0;

    while (first < comparison->count && comparison->rows[first].section != section)
        first++;
    *count = 0;
    while (first + *count < comparison->count && comparison->rows[first + *count].section == section)
        ++*count;
    return comparison->rows + first;
}

const struct compare_row *comparison_total(const struct comparison *comparison, enum compare_kind kind)
{
    size_t count;
    const struct compare_row *rows = comparison_section(comparison, COMPARE_TOTALS, &count);

    for (size_t i = 0; i < count; i++)
        if (rows[i].kind == kind)
            return &rows[i];
    return NULL;
}

const char *comparison_run(const struct comparison *comparison)
{
    const char *run = comparison->sides[0].launches[0].set->run;

    return run ? run : "run";
}

double compare_factor(const struct comparison *comparison, const struct compare_row *row)
{
    if (row->kind == COMPARE_WHOLE)
        return 1 / comparison->latency.speedup;
    return row->ns[0] > 0 && row->ns[1] > 0 ? (double)row->ns[1] / (double)row->ns[0] : NAN;
}
