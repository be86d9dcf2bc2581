/* operators_pairs.c: the operators of two builds side by side. */
#include <assert.h>
#include <math.h>
#include <stdio.h>

#include "analyze/compare.h"
#include "base/memory.h"
#include "base/number.h"
#include "executorch/operators_cells.h"
#include "executorch/operators_tables.h"

/* ---- Which is which ---- */

/* What `compare_match` looks at: the kind of an operator as its type, where that counts; its place in the program as that in the source. */
static status describe(const struct operators *side, size_t index, bool same_type, struct op *op)
{
    const struct operator_sum *sum = operators_at(side, index);
    status code = STATUS_OK;

    *op = (struct op){ .id = (operator_id)index, .name = sum->type, .type = sum->type };
    if (!same_type && sum->event != EVENT_CONTROL && sum->kind != OPERATOR_KIND_OTHER)
        code = strings_add_text(side->strings, operator_kind_key(sum->kind), &op->type);
    if (code == STATUS_OK && sum->instruction >= 0)
        code = strings_add_format(side->strings, &op->location, "%d:%d:%u", sum->chain, sum->instruction, sum->place);
    return code;
}

static status list(const struct operators *side, bool same_type, struct op *ops, const struct op **places)
{
    status code = STATUS_OK;

    for (size_t i = 0; i < side->sums.count && code == STATUS_OK; i++) {
        code = describe(side, i, same_type, &ops[i]);
        places[i] = &ops[i];
    }
    return code;
}

status operators_match(const struct operators *one, const struct operators *other, bool same_type, uint32_t *matches)
{
    size_t count = one->sums.count + other->sums.count;
    struct op *ops = memory_allocate((count + 1) * sizeof *ops);
    const struct op **places = memory_allocate((count + 1) * sizeof *places);
    struct compare_list lists[2] = { { places, one->sums.count }, { NULL, other->sums.count } };
    status code = ops && places ? STATUS_OK : status_no_memory("matching operators");

    assert(one->strings == other->strings && "names are compared by id");
    if (code == STATUS_OK)
        code = list(one, same_type, ops, places);
    if (code == STATUS_OK)
        code = list(other, same_type, ops + one->sums.count, places + one->sums.count);
    lists[1].ops = places ? places + one->sums.count : NULL;
    if (code == STATUS_OK)
        code = compare_match(&lists[0], &lists[1], one->strings, matches);
    for (size_t i = 0; i < one->sums.count && code == STATUS_OK; i++)
        if (same_type && matches[i] != NO_ID && operators_at(one, i)->type != operators_at(other, matches[i])->type)
            matches[i] = NO_ID;
    memory_free(ops);
    memory_free(places);
    return code;
}

/* ---- Pairs ---- */

status operators_pair_match(struct operators_pair *pair)
{
    status code;

    assert(pair->first && pair->second && !pair->matches);
    pair->matches = memory_allocate((pair->first->sums.count + 1) * sizeof *pair->matches);
    pair->backwards = memory_allocate((pair->second->sums.count + 1) * sizeof *pair->backwards);
    if (!pair->matches || !pair->backwards)
        return status_no_memory("matching operators");
    code = operators_match(pair->first, pair->second, false, pair->matches);
    if (code != STATUS_OK)
        return code;
    for (size_t i = 0; i < pair->second->sums.count; i++)
        pair->backwards[i] = NO_ID;
    for (size_t i = 0; i < pair->first->sums.count; i++)
        if (pair->matches[i] != NO_ID)
            pair->backwards[pair->matches[i]] = (uint32_t)i;
    return STATUS_OK;
}

void operators_pair_free(struct operators_pair *pair)
{
    memory_free(pair->matches);
    memory_free(pair->backwards);
    pair->matches = pair->backwards = NULL;
}

const struct operator_sum *operators_counterpart(const struct operators_pair *pair, const struct operators *side,
                                                 uint32_t op)
{
    bool first = side == pair->first;
    const uint32_t *matches = first ? pair->matches : pair->backwards;

    assert(first || side == pair->second);
    return matches && matches[op] != NO_ID ? operators_at(first ? pair->second : pair->first, matches[op]) : NULL;
}

double operators_pair_speedup(const struct operators_pair *pair, double first_ms, double second_ms)
{
    return pair->first_is_baseline ? operators_speedup(first_ms, second_ms) : operators_speedup(second_ms, first_ms);
}

/* A row of a comparison. */
struct pair_row {
    const char *name;                         /* of the category or operator */
    int64_t first, second;                    /* ticks */
    const struct operator_sum *one, *another; /* operators that match; NULL: no operators */
};

/* The context of the fields below. */
struct pair_rows {
    const struct operators_pair *pair; /* borrowed */
    struct pair_row *items;            /* in the order of the rows */
    size_t count;                      /* of them */
    char *buffer;                      /* room for OPERATOR_SOURCE bytes */
};

static const struct pair_row *pair_at(const void *context, size_t row)
{
    const struct pair_rows *rows = context;

    assert(row < rows->count);
    return &rows->items[row];
}

static const struct operators_pair *pair_of(const void *context)
{
    return ((const struct pair_rows *)context)->pair;
}

static struct table_cell get_pair_name(const void *context, size_t row)
{
    return cell_text(pair_at(context, row)->name);
}

static struct table_cell pair_time(const void *context, size_t row, bool first)
{
    const struct operators_pair *pair = pair_of(context);

    return cell_integer(first ? operators_average_ns(pair->first, pair_at(context, row)->first)
                              : operators_average_ns(pair->second, pair_at(context, row)->second));
}

static struct table_cell get_baseline(const void *context, size_t row)
{
    return pair_time(context, row, pair_of(context)->first_is_baseline);
}

static struct table_cell get_candidate(const void *context, size_t row)
{
    return pair_time(context, row, !pair_of(context)->first_is_baseline);
}

static struct table_cell get_change(const void *context, size_t row)
{
    return cell_integer(get_candidate(context, row).integer - get_baseline(context, row).integer);
}

static struct table_cell get_speedup(const void *context, size_t row)
{
    const struct operators_pair *pair = pair_of(context);
    const struct pair_row *item = pair_at(context, row);
    char *text = ((const struct pair_rows *)context)->buffer;
    double speedup = operators_pair_speedup(pair, operators_average_ms(pair->first, item->first),
                                            operators_average_ms(pair->second, item->second));

    snprintf(text, OPERATOR_SOURCE, "%.2fx", speedup);
    return cell_text(speedup > 0 ? text : NULL);
}

static struct table_cell get_pair_delegate(const void *context, size_t row)
{
    const struct operator_sum *sum = pair_at(context, row)->one;

    return maybe_integer(sum && sum->delegate != NO_ID, sum ? sum->delegate : 0);
}

/* The node of either side, and the side that has it. */
static const struct graph_node *pair_node(const void *context, size_t row, const struct operators **knows)
{
    const struct pair_row *item = pair_at(context, row);
    bool first = item->one && item->one->node;

    *knows = first ? pair_of(context)->first : pair_of(context)->second;
    return first ? item->one->node : item->another ? item->another->node : NULL;
}

static struct table_cell get_pair_module(const void *context, size_t row)
{
    const struct operators *knows;
    const struct graph_node *node = pair_node(context, row, &knows);

    return pooled(knows, node ? node->module : 0);
}

static struct table_cell get_pair_source(const void *context, size_t row)
{
    const struct operators *knows;
    const struct graph_node *node = pair_node(context, row, &knows);

    return source_of(knows, node, ((const struct pair_rows *)context)->buffer);
}

/* The baseline comes first, so that a row reads from before to after. */
static status pair_table(const struct pair_rows *context, const struct view *view, const char *name, const char *title,
                         const struct view_request *request, struct table **table)
{
    const struct operators_pair *pair = context->pair;
    const struct field fields[] = {
        { .key = name, .title = title, .type = CELL_TEXT, .description = "what is compared", .get = get_pair_name },
        { .key = "baseline_ns",
          .title = pair->first_is_baseline ? pair->first_label : pair->second_label,
          .type = CELL_DURATION,
          .description = "per inference in the baseline",
          .get = get_baseline },
        { .key = "candidate_ns",
          .title = pair->first_is_baseline ? pair->second_label : pair->first_label,
          .type = CELL_DURATION,
          .description = "per inference in the candidate",
          .get = get_candidate },
        { .key = "change_ns",
          .title = "Change",
          .unit = "ns",
          .type = CELL_DURATION,
          .description = "candidate less baseline: negative where it became faster",
          .get = get_change },
        { .key = "speedup",
          .title = "Speedup",
          .type = CELL_TEXT,
          .description = "baseline / candidate",
          .get = get_speedup },
        { .key = "delegate",
          .title = "Delegate",
          .type = CELL_INTEGER,
          .optional = true,
          .description = "which delegate call of the inference, from 0",
          .get = get_pair_delegate },
        { .key = "module",
          .title = "Module",
          .type = CELL_TEXT,
          .description = "of the model's source that it comes from",
          .get = get_pair_module },
        { .key = "source",
          .title = "Source",
          .type = CELL_TEXT,
          .description = "file and line",
          .get = get_pair_source },
        { 0 },
    };
    const struct field_set set = { "pair", fields };
    const struct field_set *const sets[] = { &set, NULL };
    const struct view *const views[] = { view, NULL };
    const struct rows rows = { .entity = "pair", .sets = sets, .context = context, .count = context->count };

    return view_table(&rows, views, request, table);
}

static void note_direction(struct table *table, const struct operators_pair *pair)
{
    table_note(table, "speedup = %s / %s: above 1 means that %s is faster",
               pair->first_is_baseline ? pair->first_label : pair->second_label,
               pair->first_is_baseline ? pair->second_label : pair->first_label,
               pair->first_is_baseline ? pair->second_label : pair->first_label);
}

status operators_compare_table(const struct operators_pair *pair, struct table **table)
{
    static const char *const keys[] = { "category", "baseline_ns", "candidate_ns", "speedup", NULL };
    static const struct view view = { .name = "comparison", .title = "Baseline and candidate", .keys = keys };
    struct operator_group first[CATEGORY_COUNT], second[CATEGORY_COUNT];
    struct pair_row items[CATEGORY_COUNT + 3];
    char buffer[OPERATOR_SOURCE];
    struct pair_rows rows = { .pair = pair, .items = items, .buffer = buffer };
    status code;

    operators_by_category(pair->first, first);
    operators_by_category(pair->second, second);
    items[rows.count++] =
        (struct pair_row){ .name = "Method::execute", .first = pair->first->execute, .second = pair->second->execute };
    for (unsigned i = 0; i < CATEGORY_COUNT; i++)
        if (first[i].operators || second[i].operators)
            items[rows.count++] = (struct pair_row){ .name = category_title((enum category)i),
                                                     .first = first[i].total,
                                                     .second = second[i].total };
    items[rows.count++] =
        (struct pair_row){ .name = "call overhead", .first = pair->first->calls, .second = pair->second->calls };
    items[rows.count++] = (struct pair_row){ .name = "framework",
                                             .first = number_add(pair->first->control, pair->first->framework),
                                             .second = number_add(pair->second->control, pair->second->framework) };
    code = pair_table(&rows, &view, "category", "Category", NULL, table);
    if (code == STATUS_OK)
        note_direction(*table, pair);
    return code;
}

/* Matched, and its time changed by 2 % of the baseline's inference, in either direction: a small operator that became three times slower. */
static bool is_pair_changed(const struct operators_pair *pair, uint32_t index)
{
    uint32_t match = pair->matches[index];
    const struct operators *baseline = pair->first_is_baseline ? pair->first : pair->second;
    double whole = operators_average_ms(baseline, baseline->execute);

    return match != NO_ID &&
           fabs(operators_average_ms(pair->first, operators_at(pair->first, index)->total) -
                operators_average_ms(pair->second, operators_at(pair->second, match)->total)) >= 0.02 * whole;
}

/* Matched and over 5 % of either side. */
static bool is_pair_bottleneck(const struct operators_pair *pair, uint32_t index)
{
    uint32_t match = pair->matches[index];

    return match != NO_ID && (operators_is_bottleneck(pair->first, operators_at(pair->first, index)) ||
                              operators_is_bottleneck(pair->second, operators_at(pair->second, match)));
}

static struct pair_row match_row(const struct operators_pair *pair, uint32_t index)
{
    const struct operator_sum *one = operators_at(pair->first, index);
    const struct operator_sum *another = operators_at(pair->second, pair->matches[index]);

    return (struct pair_row){ .name = strings_text(pair->first->strings, one->name),
                              .first = one->total,
                              .second = another->total,
                              .one = one,
                              .another = another };
}

/* Fills `rows` with those that are shown; `*bottlenecks` and `*unmatched` count the operators of the first side. */
static size_t list_matches(const struct operators_pair *pair, const uint32_t *order, size_t count, bool all,
                           struct pair_rows *rows, size_t *bottlenecks)
{
    size_t unmatched = 0;

    *bottlenecks = 0;
    for (size_t i = 0; i < count; i++) {
        *bottlenecks += is_pair_bottleneck(pair, order[i]);
        unmatched += pair->matches[order[i]] == NO_ID;
    }
    for (size_t i = 0; i < count; i++)
        if (pair->matches[order[i]] != NO_ID &&
            (all || is_pair_bottleneck(pair, order[i]) || is_pair_changed(pair, order[i]) ||
             (!*bottlenecks && rows->count < OPERATORS_LONGEST)))
            rows->items[rows->count++] = match_row(pair, order[i]);
    return unmatched;
}

status operators_match_table(const struct operators_pair *pair, bool all, const struct view_request *request,
                             struct table **table)
{
    size_t room = pair->first->sums.count + 1, count, bottlenecks, unmatched;
    uint32_t *order = memory_allocate(room * sizeof *order);
    char buffer[OPERATOR_SOURCE];
    struct pair_rows rows = { .pair = pair, .items = memory_allocate(room * sizeof *rows.items), .buffer = buffer };
    struct keys keys = { .count = 0 };
    struct view view = { .name = "matched", .keys = keys.items };
    status code = STATUS_OK;

    assert(pair->matches && pair->backwards && "a pair is matched before it is shown");
    if (!order || !rows.items) {
        memory_free(order);
        memory_free(rows.items);
        return status_no_memory("making a table");
    }
    count = operators_by_time(pair->first, order);
    unmatched = list_matches(pair, order, count, all, &rows, &bottlenecks);
    view.title = all           ? "Operators side by side"
                 : bottlenecks ? "Operators over 5 %, or changed by 2 % of an inference"
                               : "Longest operators, side by side (none takes over 5 %)";
    add_keys(&keys, (const char *const[]){ "operator", "baseline_ns", "candidate_ns", "change_ns", "speedup",
                                           "delegate", NULL });
    if (has_nodes(pair->first) || has_nodes(pair->second))
        add_keys(&keys, (const char *const[]){ "module", "source", NULL });
    code = pair_table(&rows, &view, "operator", "Operator", request, table);
    if (code == STATUS_OK && unmatched && !view_asks_help(request))
        table_note(*table, "%zu of %zu operators of %s have no counterpart", unmatched, count, pair->first_label);
    memory_free(order);
    memory_free(rows.items);
    return code;
}
