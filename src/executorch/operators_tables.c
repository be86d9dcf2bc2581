#include "executorch/operators_tables.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/number.h"

enum { LONGEST = 5 }; /* operators to show where none takes much */

static status finish(struct table **table)
{
    status code = *table ? table_status(*table) : status_no_memory("making a table");

    if (code != STATUS_OK) {
        table_free(*table);
        *table = NULL;
    }
    return code;
}

status operators_pair_match(struct operators_pair *pair)
{
    status code;

    pair->matches = memory_allocate((pair->first->sums.count + 1) * sizeof *pair->matches);
    pair->backwards = memory_allocate((pair->second->sums.count + 1) * sizeof *pair->backwards);
    if (!pair->matches || !pair->backwards)
        return status_no_memory("matching operators");
    code = operators_match(pair->first, pair->second, false, pair->matches);
    for (size_t i = 0; i < pair->second->sums.count; i++)
        pair->backwards[i] = NO_ID;
    for (size_t i = 0; i < pair->first->sums.count; i++)
        if (pair->matches[i] != NO_ID)
            pair->backwards[pair->matches[i]] = (uint32_t)i;
    return code;
}

void operators_pair_free(struct operators_pair *pair)
{
    memory_free(pair->matches);
    memory_free(pair->backwards);
    pair->matches = pair->backwards = NULL;
}

double operators_pair_speedup(const struct operators_pair *pair, double first_ms, double second_ms)
{
    return pair->first_is_baseline ? operators_speedup(first_ms, second_ms) : operators_speedup(second_ms, first_ms);
}

/* "models.py:32"; empty where it is not known. */
static void write_source(const struct operators *side, const struct graph_node *node, char *to, size_t size)
{
    to[0] = '\0';
    if (node && node->file && node->line)
        snprintf(to, size, "%s:%u", strings_text(side->strings, node->file), node->line);
    else if (node && node->file)
        snprintf(to, size, "%s", strings_text(side->strings, node->file));
}

/* A text that may be missing: NULL leaves the cell empty. */
static const char *text_or_none(const struct operators *side, string_id id)
{
    return id ? strings_text(side->strings, id) : NULL;
}

static const char *backend_of(const struct operators *side, const struct operator_sum *sum)
{
    if (sum->event == EVENT_PORTABLE)
        return "portable";
    return sum->backend ? strings_text(side->strings, sum->backend) : "delegated";
}

static const char *kernel_of(const struct operator_sum *sum, const struct kernel_log *log)
{
    if (!log || !sum->use || sum->use->kernel == NO_ID)
        return NULL;
    return strings_text(log->strings, kernel_at(log, sum->use->kernel)->name);
}

static bool has_nodes(const struct operators *side)
{
    for (size_t i = 0; i < side->sums.count; i++)
        if (operators_at(side, i)->node)
            return true;
    return false;
}

/* ---- One side ---- */

static size_t add_column(struct table *table, const char *name, const char *title, enum cell_type type)
{
    return table_add_column(table, (struct table_column){ .name = name, .title = title, .type = type });
}

static size_t add_optional(struct table *table, const char *name, const char *title, enum cell_type type)
{
    return table_add_column(table,
                            (struct table_column){ .name = name, .title = title, .type = type, .optional = true });
}

static size_t add_bar(struct table *table, const char *name, const char *title)
{
    return table_add_column(table,
                            (struct table_column){ .name = name, .title = title, .type = CELL_PERCENT, .bar = true });
}

/* Columns that most of the tables have. */
struct columns {
    size_t name, time, share, count;
};

static struct columns add_columns(struct table *table, const char *name, const char *title)
{
    return (struct columns){
        .name = add_column(table, name, title, CELL_TEXT),
        .time = add_column(table, "avg_ns", "Time", CELL_DURATION),
        .share = add_bar(table, "pct_of_e2e", "Share"),
        .count = add_column(table, "operators", "Operators", CELL_INTEGER),
    };
}

static void add_group(struct table *table, struct columns columns, const struct operators *side, const char *indent,
                      const char *name, const struct operator_group *group)
{
    char text[96];

    snprintf(text, sizeof text, "%s%s", indent, name);
    table_add_row(table);
    table_set_text(table, columns.name, text);
    table_set_integer(table, columns.time, operators_average_ns(side, group->total));
    table_set_decimal(table, columns.share, operators_percent(side, group->total));
    table_set_integer(table, columns.count, group->operators);
}

static int by_group(const void *left, const void *right, void *context)
{
    const struct operator_group *groups = context;
    unsigned one = *(const unsigned *)left, other = *(const unsigned *)right;

    if (groups[one].total != groups[other].total)
        return groups[one].total > groups[other].total ? -1 : 1;
    return (one > other) - (one < other);
}

/* A category with several kinds shows them below it. */
static void add_kinds(struct table *table, struct columns columns, const struct operators *side, enum category category,
                      struct operator_group kinds[OPERATOR_KIND_COUNT])
{
    unsigned order[OPERATOR_KIND_COUNT], count = 0;

    for (unsigned i = 0; i < OPERATOR_KIND_COUNT; i++)
        if (kinds[i].operators && operator_kind_category((enum operator_kind)i) == category)
            order[count++] = i;
    if (count < 2)
        return;
    qsort_r(order, count, sizeof *order, by_group, kinds);
    for (unsigned i = 0; i < count; i++)
        add_group(table, columns, side, "  ", operator_kind_title((enum operator_kind)order[i]), &kinds[order[i]]);
}

status operators_category_table(const struct operators *side, struct table **table)
{
    struct operator_group groups[CATEGORY_COUNT], kinds[OPERATOR_KIND_COUNT];
    unsigned order[CATEGORY_COUNT];
    struct columns columns;

    operators_by_category(side, groups);
    operators_by_kind(side, kinds);
    if (!(*table = table_new("categories", "Time by category")))
        return status_no_memory("making a table");
    columns = add_columns(*table, "category", "Category");
    for (unsigned i = 0; i < CATEGORY_COUNT; i++)
        order[i] = i;
    qsort_r(order, CATEGORY_COUNT, sizeof *order, by_group, groups);
    for (unsigned i = 0; i < CATEGORY_COUNT; i++) {
        if (!groups[order[i]].operators)
            continue;
        add_group(*table, columns, side, "", category_title((enum category)order[i]), &groups[order[i]]);
        add_kinds(*table, columns, side, (enum category)order[i], kinds);
    }
    return finish(table);
}

status operators_backend_table(const struct operators *side, struct table **table)
{
    struct operator_group groups[CATEGORY_COUNT], portable = { 0 }, delegated = { 0 };
    struct columns columns;

    operators_by_category(side, groups);
    for (unsigned i = 0; i < CATEGORY_COUNT; i++) {
        portable.total = number_add(portable.total, groups[i].portable);
        delegated.total = number_add(delegated.total, groups[i].total - groups[i].portable);
    }
    for (size_t i = 0; i < side->sums.count; i++) {
        portable.operators += operators_at(side, i)->event == EVENT_PORTABLE;
        delegated.operators += operators_at(side, i)->event == EVENT_DELEGATED;
    }
    if (!(*table = table_new("backends", "Portable and delegated operators")))
        return status_no_memory("making a table");
    columns = add_columns(*table, "ran", "Ran");
    add_group(*table, columns, side, "", "delegated", &delegated);
    add_group(*table, columns, side, "", "portable", &portable);
    return finish(table);
}

status operators_account_table(const struct operators *side, struct table **table)
{
    const struct {
        const char *name;
        int64_t ticks;
    } parts[] = {
        { "operators", side->work },
        { "call overhead", side->calls },
        { "control flow", side->control },
        { "framework", side->framework },
        { "= Method::execute", operators_accounted(side) },
    };
    enum { CONTROL = 2, SUM = 4 };
    size_t name, time, share;

    if (!(*table = table_new("accounting", "What adds up to Method::execute")))
        return status_no_memory("making a table");
    name = add_column(*table, "part", "Part", CELL_TEXT);
    time = add_column(*table, "avg_ns", "Time", CELL_DURATION);
    share = add_column(*table, "pct_of_e2e", "Share", CELL_PERCENT);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (i == CONTROL && !parts[i].ticks)
            continue;
        table_add_row(*table);
        table_set_text(*table, name, parts[i].name);
        table_set_integer(*table, time, operators_average_ns(side, parts[i].ticks));
        table_set_decimal(*table, share, operators_percent(side, parts[i].ticks));
    }
    if (parts[SUM].ticks != side->execute)
        table_note(*table,
                   "the sum is not Method::execute (%.6f ms): some delegate's times overlap or are of another clock",
                   operators_average_ms(side, side->execute));
    if (side->outside)
        table_note(*table, "%llu events lie in no Method::execute and are in no sum",
                   (unsigned long long)side->outside);
    return finish(table);
}

/* ---- Operators ---- */

struct time_columns {
    size_t name, delegate, category, backend, time, share, self, module, source, rate, kernel;
};

/* Columns that would be empty are left out: they would take the place of others. */
static struct time_columns add_time_columns(struct table *table, bool has_nodes, bool has_log)
{
    struct time_columns columns = {
        .name = add_column(table, "operator", "Operator", CELL_TEXT),
        .delegate = add_optional(table, "delegate", "Delegate", CELL_INTEGER),
        .category = add_optional(table, "category", "Category", CELL_TEXT),
        .backend = add_optional(table, "backend", "Backend", CELL_TEXT),
        .time = add_column(table, "avg_ns", "Time", CELL_DURATION),
        .share = add_column(table, "pct_of_e2e", "Share", CELL_PERCENT),
        .self = add_optional(table, "self_ns", "Self", CELL_DURATION),
    };

    if (has_nodes) {
        columns.module = add_column(table, "module", "Module", CELL_TEXT);
        columns.source = add_column(table, "source", "Source", CELL_TEXT);
        columns.rate = add_optional(table, "gflops", "GFLOP/s", CELL_DECIMAL);
    }
    if (has_log)
        columns.kernel = add_optional(table, "kernel", "Kernel", CELL_TEXT);
    return columns;
}

static void add_operator(struct table *table, struct time_columns columns, const struct operators *side,
                         const struct operator_sum *sum, const struct kernel_log *log)
{
    char source[512];
    double rate = operators_gflops(side, sum);

    table_add_row(table);
    table_set_text(table, columns.name, strings_text(side->strings, sum->name));
    if (sum->delegate != NO_ID)
        table_set_integer(table, columns.delegate, sum->delegate);
    table_set_text(table, columns.category, category_title(operator_kind_category(sum->kind)));
    table_set_text(table, columns.backend, backend_of(side, sum));
    table_set_integer(table, columns.time, operators_average_ns(side, sum->total));
    table_set_decimal(table, columns.share, operators_percent(side, sum->total));
    table_set_integer(table, columns.self, operators_average_ns(side, sum->self));
    if (sum->node) {
        write_source(side, sum->node, source, sizeof source);
        table_set_text(table, columns.module, text_or_none(side, sum->node->module));
        table_set_text(table, columns.source, source[0] ? source : NULL);
    }
    if (rate > 0)
        table_set_decimal(table, columns.rate, rate);
    if (log)
        table_set_text(table, columns.kernel, kernel_of(sum, log));
}

/* Portable ones among the bottlenecks are what to look at first: a backend might run them. */
static void note_portable(struct table *table, const struct operators *side, const uint32_t *order, size_t count)
{
    char names[256] = "";
    size_t length = 0, found = 0;

    for (size_t i = 0; i < count; i++) {
        const struct operator_sum *sum = operators_at(side, order[i]);

        if (sum->event != EVENT_PORTABLE || !operators_is_bottleneck(side, sum))
            continue;
        if (length < sizeof names)
            length += (size_t)snprintf(names + length, sizeof names - length, "%s%s", found ? ", " : "",
                                       strings_text(side->strings, sum->name));
        found++;
    }
    if (found)
        table_note(table, "portable and over 5 %%: %s%s", names, length < sizeof names ? "" : "\xe2\x80\xa6");
}

status operators_time_table(const struct operators *side, const struct kernel_log *log, bool all, struct table **table)
{
    uint32_t *order = memory_allocate((side->sums.count + 1) * sizeof *order);
    struct time_columns columns;
    size_t count, bottlenecks = 0;

    if (!order)
        return status_no_memory("making a table");
    count = operators_by_time(side, order);
    while (bottlenecks < count && operators_is_bottleneck(side, operators_at(side, order[bottlenecks])))
        bottlenecks++;
    *table = table_new("operators", all           ? "Operators by time"
                                    : bottlenecks ? "Operators over 5 % of Method::execute"
                                                  : "Longest operators (none takes over 5 % of Method::execute)");
    if (*table) {
        columns = add_time_columns(*table, has_nodes(side), log != NULL);
        for (size_t i = 0; i < count && (all || i < bottlenecks || (!bottlenecks && i < LONGEST)); i++)
            add_operator(*table, columns, side, operators_at(side, order[i]), log);
        note_portable(*table, side, order, count);
    }
    memory_free(order);
    return finish(table);
}

/* ---- Kernels ---- */

struct kernel_columns {
    size_t name, module, source, kernel, m, n, k, time, share, rate;
};

static struct kernel_columns add_kernel_columns(struct table *table, bool has_nodes)
{
    struct kernel_columns columns = { .name = add_column(table, "operator", "Operator", CELL_TEXT) };

    if (has_nodes) {
        columns.module = add_optional(table, "module", "Module", CELL_TEXT);
        columns.source = add_optional(table, "source", "Source", CELL_TEXT);
    }
    columns.kernel = add_column(table, "kernel", "Kernel that ran", CELL_TEXT);
    columns.m = add_optional(table, "m", "M", CELL_INTEGER);
    columns.n = add_optional(table, "n", "N", CELL_INTEGER);
    if (has_nodes)
        columns.k = add_optional(table, "k", "K", CELL_INTEGER);
    columns.time = add_column(table, "avg_ns", "Time", CELL_DURATION);
    columns.share = add_column(table, "pct_of_e2e", "Share", CELL_PERCENT);
    if (has_nodes)
        columns.rate = add_column(table, "gflops", "GFLOP/s", CELL_DECIMAL);
    return columns;
}

static void add_kernel(struct table *table, struct kernel_columns columns, const struct operators *side,
                       const struct operator_sum *sum, const struct kernel_log *log)
{
    double rate = operators_gflops(side, sum);
    char source[512];

    table_add_row(table);
    table_set_text(table, columns.name, strings_text(side->strings, sum->name));
    if (sum->node) {
        write_source(side, sum->node, source, sizeof source);
        table_set_text(table, columns.module, text_or_none(side, sum->node->module));
        table_set_text(table, columns.source, source[0] ? source : NULL);
    }
    table_set_text(table, columns.kernel, kernel_of(sum, log));
    if (sum->use && sum->use->has_tile) {
        table_set_integer(table, columns.m, (int64_t)sum->use->m);
        table_set_integer(table, columns.n, (int64_t)sum->use->n);
    }
    if (operators_inner_size(sum))
        table_set_integer(table, columns.k, (int64_t)operators_inner_size(sum));
    table_set_integer(table, columns.time, operators_average_ns(side, sum->total));
    table_set_decimal(table, columns.share, operators_percent(side, sum->total));
    if (rate > 0)
        table_set_decimal(table, columns.rate, rate);
}

status operators_kernel_table(const struct operators *side, const struct kernel_log *log, struct table **table)
{
    struct kernel_columns columns;

    *table = table_new("kernels", "Kernels by operator, in execution order");
    if (*table) {
        columns = add_kernel_columns(*table, has_nodes(side));
        for (size_t i = 0; i < side->sums.count; i++) {
            if (operators_at(side, i)->use)
                add_kernel(*table, columns, side, operators_at(side, i), log);
        }
        table_note(*table,
                   "M, N and the kernel are from the log, K and the rate from the record; times are per inference");
    }
    return finish(table);
}

/* ---- Two sides ---- */

struct pair_columns {
    size_t name, baseline, candidate, speedup, delegate, module, source;
};

/* The baseline comes first, so that a row reads from before to after. */
static struct pair_columns add_pair_columns(struct table *table, const struct operators_pair *pair, const char *name,
                                            const char *title)
{
    const char *baseline = pair->first_is_baseline ? pair->first_label : pair->second_label;
    const char *candidate = pair->first_is_baseline ? pair->second_label : pair->first_label;

    return (struct pair_columns){
        .name = add_column(table, name, title, CELL_TEXT),
        .baseline = add_column(table, "baseline_ns", baseline, CELL_DURATION),
        .candidate = add_column(table, "candidate_ns", candidate, CELL_DURATION),
        .speedup = add_column(table, "speedup", "Speedup", CELL_TEXT),
    };
}

static void add_pair(struct table *table, struct pair_columns columns, const struct operators_pair *pair,
                     const char *name, int64_t first, int64_t second)
{
    int64_t first_ns = operators_average_ns(pair->first, first), second_ns = operators_average_ns(pair->second, second);
    double speedup = operators_pair_speedup(pair, operators_average_ms(pair->first, first),
                                            operators_average_ms(pair->second, second));
    char text[32];

    table_add_row(table);
    table_set_text(table, columns.name, name);
    table_set_integer(table, columns.baseline, pair->first_is_baseline ? first_ns : second_ns);
    table_set_integer(table, columns.candidate, pair->first_is_baseline ? second_ns : first_ns);
    snprintf(text, sizeof text, "%.2fx", speedup);
    table_set_text(table, columns.speedup, speedup > 0 ? text : NULL);
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
    struct operator_group first[CATEGORY_COUNT], second[CATEGORY_COUNT];
    struct pair_columns columns;

    operators_by_category(pair->first, first);
    operators_by_category(pair->second, second);
    if (!(*table = table_new("comparison", "Baseline and candidate")))
        return status_no_memory("making a table");
    columns = add_pair_columns(*table, pair, "category", "Category");
    add_pair(*table, columns, pair, "Method::execute", pair->first->execute, pair->second->execute);
    for (unsigned i = 0; i < CATEGORY_COUNT; i++)
        if (first[i].operators || second[i].operators)
            add_pair(*table, columns, pair, category_title((enum category)i), first[i].total, second[i].total);
    add_pair(*table, columns, pair, "call overhead", pair->first->calls, pair->second->calls);
    add_pair(*table, columns, pair, "framework", number_add(pair->first->control, pair->first->framework),
             number_add(pair->second->control, pair->second->framework));
    note_direction(*table, pair);
    return finish(table);
}

static void add_match(struct table *table, struct pair_columns columns, const struct operators_pair *pair,
                      uint32_t index)
{
    const struct operator_sum *first = operators_at(pair->first, index);
    const struct operator_sum *second = operators_at(pair->second, pair->matches[index]);
    const struct operators *knows = first->node ? pair->first : pair->second;
    const struct graph_node *node = first->node ? first->node : second->node;
    char source[512];

    add_pair(table, columns, pair, strings_text(pair->first->strings, first->name), first->total, second->total);
    if (first->delegate != NO_ID)
        table_set_integer(table, columns.delegate, first->delegate);
    if (!node)
        return;
    write_source(knows, node, source, sizeof source);
    table_set_text(table, columns.module, text_or_none(knows, node->module));
    table_set_text(table, columns.source, source[0] ? source : NULL);
}

/* Matched and over 5 % of either side. */
static bool is_pair_bottleneck(const struct operators_pair *pair, uint32_t index)
{
    uint32_t match = pair->matches[index];

    return match != NO_ID && (operators_is_bottleneck(pair->first, operators_at(pair->first, index)) ||
                              operators_is_bottleneck(pair->second, operators_at(pair->second, match)));
}

status operators_match_table(const struct operators_pair *pair, bool all, struct table **table)
{
    uint32_t *order = memory_allocate((pair->first->sums.count + 1) * sizeof *order), unmatched = 0;
    struct pair_columns columns;
    size_t count, bottlenecks = 0;

    if (!order)
        return status_no_memory("making a table");
    count = operators_by_time(pair->first, order);
    for (size_t i = 0; i < count; i++) {
        bottlenecks += is_pair_bottleneck(pair, order[i]);
        unmatched += pair->matches[order[i]] == NO_ID;
    }
    *table = table_new("matched", all           ? "Operators side by side"
                                  : bottlenecks ? "Operators over 5 %, side by side"
                                                : "Longest operators, side by side (none takes over 5 %)");
    if (*table) {
        columns = add_pair_columns(*table, pair, "operator", "Operator");
        columns.delegate = add_optional(*table, "delegate", "Delegate", CELL_INTEGER);
        if (has_nodes(pair->first) || has_nodes(pair->second)) {
            columns.module = add_column(*table, "module", "Module", CELL_TEXT);
            columns.source = add_column(*table, "source", "Source", CELL_TEXT);
        }
        for (size_t i = 0; i < count; i++)
            if (pair->matches[order[i]] != NO_ID &&
                (all || is_pair_bottleneck(pair, order[i]) || (!bottlenecks && table_rows(*table) < LONGEST)))
                add_match(*table, columns, pair, order[i]);
        if (unmatched)
            table_note(*table, "%u of %zu operators of %s have no counterpart", unmatched, count, pair->first_label);
    }
    memory_free(order);
    return finish(table);
}

/* ---- Where each operator comes from ---- */

struct map_column {
    const char *name;
    enum cell_type type;
};

static const struct map_column map_columns[] = {
    { "delegate", CELL_INTEGER },
    { "event", CELL_TEXT },
    { "module", CELL_TEXT },
    { "source", CELL_TEXT },
    { "op", CELL_TEXT },
    { "macs", CELL_INTEGER },
    { "m", CELL_INTEGER },
    { "n", CELL_INTEGER },
    { "groups", CELL_INTEGER },
    { "mr", CELL_INTEGER },
    { "nr", CELL_INTEGER },
    { "count", CELL_INTEGER },
    { "total_ms", CELL_DECIMAL },
    { "avg_ms", CELL_DECIMAL },
    { "self_ms", CELL_DECIMAL },
    { "pct_of_e2e", CELL_DECIMAL },
    { "backend", CELL_TEXT },
    { "category", CELL_TEXT },
    { "kind", CELL_TEXT },
    { "kernel", CELL_TEXT },
    { "gflops", CELL_DECIMAL },
    { "joined", CELL_TEXT },
    { "instruction", CELL_INTEGER },
};

enum map_index {
    MAP_DELEGATE,
    MAP_EVENT,
    MAP_MODULE,
    MAP_SOURCE,
    MAP_OP,
    MAP_MACS,
    MAP_M,
    MAP_N,
    MAP_GROUPS,
    MAP_MR,
    MAP_NR,
    MAP_COUNT,
    MAP_TOTAL,
    MAP_AVERAGE,
    MAP_SELF,
    MAP_PERCENT,
    MAP_BACKEND,
    MAP_CATEGORY,
    MAP_KIND,
    MAP_KERNEL,
    MAP_GFLOPS,
    MAP_JOINED,
    MAP_INSTRUCTION
};

static void map_origin(struct table *table, const struct operators *side, const struct operator_sum *sum)
{
    char source[512];

    if (!sum->node)
        return;
    write_source(side, sum->node, source, sizeof source);
    table_set_text(table, MAP_MODULE, text_or_none(side, sum->node->module));
    table_set_text(table, MAP_SOURCE, source[0] ? source : NULL);
    table_set_text(table, MAP_OP, text_or_none(side, sum->node->type));
    if (sum->node->macs)
        table_set_integer(table, MAP_MACS, (int64_t)sum->node->macs);
    table_set_text(table, MAP_JOINED,
                   sum->join == JOIN_RECORDED   ? "recorded"
                   : sum->join == JOIN_INFERRED ? "inferred"
                                                : NULL);
}

static void map_kernel(struct table *table, const struct operator_sum *sum, const struct kernel_log *log)
{
    if (sum->use && sum->use->has_tile) {
        table_set_integer(table, MAP_M, (int64_t)sum->use->m);
        table_set_integer(table, MAP_N, (int64_t)sum->use->n);
        table_set_integer(table, MAP_GROUPS, sum->use->groups);
        table_set_integer(table, MAP_MR, sum->use->mr);
        table_set_integer(table, MAP_NR, sum->use->nr);
    }
    table_set_text(table, MAP_KERNEL, kernel_of(sum, log));
}

static void map_cost(struct table *table, const struct operators *side, const struct operator_sum *sum)
{
    double rate = operators_gflops(side, sum);

    table_set_integer(table, MAP_COUNT, (int64_t)sum->events);
    table_set_decimal(table, MAP_TOTAL, operators_ms(side, sum->total));
    table_set_decimal(table, MAP_AVERAGE, operators_average_ms(side, sum->total));
    table_set_decimal(table, MAP_SELF, operators_average_ms(side, sum->self));
    table_set_decimal(table, MAP_PERCENT, operators_percent(side, sum->total));
    table_set_text(table, MAP_BACKEND, backend_of(side, sum));
    table_set_text(table, MAP_CATEGORY, category_title(operator_kind_category(sum->kind)));
    table_set_text(table, MAP_KIND, operator_kind_key(sum->kind));
    if (rate > 0)
        table_set_decimal(table, MAP_GFLOPS, rate);
    if (sum->instruction >= 0)
        table_set_integer(table, MAP_INSTRUCTION, sum->instruction);
}

status operators_map_table(const struct operators *side, const struct kernel_log *log, struct table **table)
{
    if (!(*table = table_new("operators", "Operators in execution order")))
        return status_no_memory("making a table");
    for (size_t i = 0; i < sizeof map_columns / sizeof *map_columns; i++)
        table_add_column(*table, (struct table_column){ .name = map_columns[i].name, .type = map_columns[i].type });
    for (size_t i = 0; i < side->sums.count; i++) {
        const struct operator_sum *sum = operators_at(side, i);

        if (!operators_is_work(sum))
            continue;
        table_add_row(*table);
        if (sum->delegate != NO_ID)
            table_set_integer(*table, MAP_DELEGATE, sum->delegate);
        table_set_text(*table, MAP_EVENT, strings_text(side->strings, sum->name));
        map_origin(*table, side, sum);
        map_kernel(*table, sum, log);
        map_cost(*table, side, sum);
    }
    return finish(table);
}
