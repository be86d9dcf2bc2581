/* operators_tables.c: what operators cost, as views of their fields. */
#include "executorch/operators_tables.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/number.h"
#include "executorch/operators_cells.h"

/* A table of all rows: fields of one entity in the order of the view. */
static status make_table(const struct rows *rows, const struct view *view, struct table **table)
{
    const struct view *const views[] = { view, NULL };

    return view_table(rows, views, NULL, table);
}

/* ---- Shares: of categories, backends and parts of Method::execute ---- */

enum { MOST_SHARES = CATEGORY_COUNT + OPERATOR_KIND_COUNT };

struct share {
    char name[96];      /* with its indentation */
    int64_t ticks;      /* over all inferences */
    uint32_t operators; /* how many */
};

/* The context of the fields below. */
struct shares {
    const struct operators *side;    /* borrowed */
    struct share items[MOST_SHARES]; /* in the order of the rows */
    size_t count;                    /* of them */
};

static const struct share *share_at(const void *context, size_t row)
{
    const struct shares *shares = context;

    assert(row < shares->count);
    return &shares->items[row];
}

static struct table_cell get_share_name(const void *context, size_t row)
{
    return cell_text(share_at(context, row)->name);
}

static struct table_cell get_share_time(const void *context, size_t row)
{
    return cell_integer(operators_average_ns(((const struct shares *)context)->side, share_at(context, row)->ticks));
}

static struct table_cell get_share_percent(const void *context, size_t row)
{
    return cell_decimal(operators_percent(((const struct shares *)context)->side, share_at(context, row)->ticks));
}

static struct table_cell get_share_operators(const void *context, size_t row)
{
    return cell_integer(share_at(context, row)->operators);
}

#define SHARE_TIME                                                                                           \
    {                                                                                                        \
        .key = "avg_ns", .title = "Time", .type = CELL_DURATION, .description = "per inference, on average", \
        .get = get_share_time                                                                                \
    }
#define SHARE_PERCENT                                                                                                  \
    {                                                                                                                  \
        .key = "pct_of_e2e", .title = "Share", .type = CELL_PERCENT, .bar = true, .description = "of Method::execute", \
        .get = get_share_percent                                                                                       \
    }
#define SHARE_OPERATORS                                                                                      \
    {                                                                                                        \
        .key = "operators", .title = "Operators", .type = CELL_INTEGER, .description = "how many there are", \
        .get = get_share_operators                                                                           \
    }

static const struct field category_fields[] = {
    { .key = "category",
      .title = "Category",
      .type = CELL_TEXT,
      .description = "or, below one, a kind of it",
      .get = get_share_name },
    SHARE_TIME,
    SHARE_PERCENT,
    SHARE_OPERATORS,
    { 0 },
};
static const struct field backend_fields[] = {
    { .key = "ran",
      .title = "Ran",
      .type = CELL_TEXT,
      .description = "by a delegate or by the runtime's own kernels",
      .get = get_share_name },
    SHARE_TIME,
    SHARE_PERCENT,
    SHARE_OPERATORS,
    { 0 },
};
static const struct field account_fields[] = {
    { .key = "part", .title = "Part", .type = CELL_TEXT, .description = "of Method::execute", .get = get_share_name },
    SHARE_TIME,
    { .key = "pct_of_e2e",
      .title = "Share",
      .type = CELL_PERCENT,
      .description = "of Method::execute",
      .get = get_share_percent },
    { 0 },
};

static status share_table(const struct shares *shares, const struct field *fields, const struct view *view,
                          struct table **table)
{
    const struct field_set set = { "share", fields };
    const struct field_set *const sets[] = { &set, NULL };
    const struct rows rows = { .entity = "share", .sets = sets, .context = shares, .count = shares->count };

    return make_table(&rows, view, table);
}

static void add_share(struct shares *shares, const char *indent, const char *name, int64_t ticks, uint32_t operators)
{
    struct share *share = &shares->items[shares->count++];

    assert(shares->count <= MOST_SHARES);
    snprintf(share->name, sizeof share->name, "%s%s", indent, name);
    share->ticks = ticks;
    share->operators = operators;
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
static void add_kinds(struct shares *shares, enum category category, struct operator_group kinds[OPERATOR_KIND_COUNT])
{
    unsigned order[OPERATOR_KIND_COUNT], count = 0;

    for (unsigned i = 0; i < OPERATOR_KIND_COUNT; i++)
        if (kinds[i].operators && operator_kind_category((enum operator_kind)i) == category)
            order[count++] = i;
    if (count < 2)
        return;
    qsort_r(order, count, sizeof *order, by_group, kinds);
    for (unsigned i = 0; i < count; i++)
        add_share(shares, "  ", operator_kind_title((enum operator_kind)order[i]), kinds[order[i]].total,
                  kinds[order[i]].operators);
}

status operators_category_table(const struct operators *side, struct table **table)
{
    static const char *const keys[] = { "category", "avg_ns", "pct_of_e2e", "operators", NULL };
    static const struct view view = { .name = "categories", .title = "Time by category", .keys = keys };
    struct operator_group groups[CATEGORY_COUNT], kinds[OPERATOR_KIND_COUNT];
    struct shares shares = { .side = side };
    unsigned order[CATEGORY_COUNT];

    operators_by_category(side, groups);
    operators_by_kind(side, kinds);
    for (unsigned i = 0; i < CATEGORY_COUNT; i++)
        order[i] = i;
    qsort_r(order, CATEGORY_COUNT, sizeof *order, by_group, groups);
    for (unsigned i = 0; i < CATEGORY_COUNT; i++) {
        const struct operator_group *group = &groups[order[i]];

        if (!group->operators)
            continue;
        add_share(&shares, "", category_title((enum category)order[i]), group->total, group->operators);
        add_kinds(&shares, (enum category)order[i], kinds);
    }
    return share_table(&shares, category_fields, &view, table);
}

status operators_backend_table(const struct operators *side, struct table **table)
{
    static const char *const keys[] = { "ran", "avg_ns", "pct_of_e2e", "operators", NULL };
    static const struct view view = { .name = "backends", .title = "Portable and delegated operators", .keys = keys };
    struct operator_group groups[CATEGORY_COUNT], portable = { 0 }, delegated = { 0 };
    struct shares shares = { .side = side };

    operators_by_category(side, groups);
    for (unsigned i = 0; i < CATEGORY_COUNT; i++) {
        portable.total = number_add(portable.total, groups[i].portable);
        delegated.total = number_add(delegated.total, groups[i].total - groups[i].portable);
    }
    for (size_t i = 0; i < side->sums.count; i++) {
        portable.operators += operators_at(side, i)->event == EVENT_PORTABLE;
        delegated.operators += operators_at(side, i)->event == EVENT_DELEGATED;
    }
    add_share(&shares, "", "delegated", delegated.total, delegated.operators);
    add_share(&shares, "", "portable", portable.total, portable.operators);
    return share_table(&shares, backend_fields, &view, table);
}

status operators_account_table(const struct operators *side, struct table **table)
{
    static const char *const keys[] = { "part", "avg_ns", "pct_of_e2e", NULL };
    static const struct view view = { .name = "accounting", .title = "What adds up to Method::execute", .keys = keys };
    struct shares shares = { .side = side };
    int64_t sum = operators_accounted(side);
    status code;

    add_share(&shares, "", "operators", side->work, 0);
    add_share(&shares, "", "call overhead", side->calls, 0);
    if (side->control)
        add_share(&shares, "", "control flow", side->control, 0);
    add_share(&shares, "", "framework", side->framework, 0);
    add_share(&shares, "", "= Method::execute", sum, 0);
    code = share_table(&shares, account_fields, &view, table);
    if (code == STATUS_OK && sum != side->execute)
        table_note(*table,
                   "the sum is not Method::execute (%.6f ms): some delegate's times overlap or are of another clock",
                   operators_average_ms(side, side->execute));
    if (code == STATUS_OK && side->outside)
        table_note(*table, "%llu events lie in no Method::execute and are in no sum",
                   (unsigned long long)side->outside);
    return code;
}

/* ---- Operators ---- */

/* The context of the fields below. */
struct operator_rows {
    const struct operators *side; /* borrowed */
    const struct kernel_log *log; /* of the kernels; NULL: none */
    uint32_t *order;              /* operators in the order of the rows */
    size_t count;                 /* of them */
    char *source;                 /* room for OPERATOR_SOURCE bytes */
};

static const struct operator_sum *sum_at(const void *context, size_t row)
{
    const struct operator_rows *rows = context;

    assert(row < rows->count);
    return operators_at(rows->side, rows->order[row]);
}

static const struct operators *side_of(const void *context)
{
    return ((const struct operator_rows *)context)->side;
}

static struct table_cell get_name(const void *context, size_t row)
{
    return cell_text(strings_text(side_of(context)->strings, sum_at(context, row)->name));
}

static struct table_cell get_delegate(const void *context, size_t row)
{
    return maybe_integer(sum_at(context, row)->delegate != NO_ID, sum_at(context, row)->delegate);
}

static struct table_cell get_category(const void *context, size_t row)
{
    return cell_text(category_title(operator_kind_category(sum_at(context, row)->kind)));
}

static struct table_cell get_kind(const void *context, size_t row)
{
    return cell_text(operator_kind_key(sum_at(context, row)->kind));
}

static struct table_cell get_backend(const void *context, size_t row)
{
    const struct operator_sum *sum = sum_at(context, row);

    if (sum->event == EVENT_PORTABLE)
        return cell_text("portable");
    return cell_text(sum->backend ? strings_text(side_of(context)->strings, sum->backend) : "delegated");
}

static struct table_cell get_time(const void *context, size_t row)
{
    return cell_integer(operators_average_ns(side_of(context), sum_at(context, row)->total));
}

static struct table_cell get_self(const void *context, size_t row)
{
    return cell_integer(operators_average_ns(side_of(context), sum_at(context, row)->self));
}

static struct table_cell get_percent(const void *context, size_t row)
{
    return cell_decimal(operators_percent(side_of(context), sum_at(context, row)->total));
}

static struct table_cell get_module(const void *context, size_t row)
{
    const struct graph_node *node = sum_at(context, row)->node;

    return pooled(side_of(context), node ? node->module : 0);
}

static struct table_cell get_source(const void *context, size_t row)
{
    return source_of(side_of(context), sum_at(context, row)->node, ((const struct operator_rows *)context)->source);
}

static struct table_cell get_op(const void *context, size_t row)
{
    const struct graph_node *node = sum_at(context, row)->node;

    return pooled(side_of(context), node ? node->type : 0);
}

static struct table_cell get_macs(const void *context, size_t row)
{
    const struct graph_node *node = sum_at(context, row)->node;

    return maybe_integer(node && node->macs, node ? node->macs : 0);
}

static struct table_cell get_joined(const void *context, size_t row)
{
    const struct operator_sum *sum = sum_at(context, row);

    return cell_text(!sum->node                   ? NULL
                     : sum->join == JOIN_RECORDED ? "recorded"
                     : sum->join == JOIN_INFERRED ? "inferred"
                                                  : NULL);
}

static struct table_cell get_rate(const void *context, size_t row)
{
    double rate = operators_gflops(side_of(context), sum_at(context, row));

    return rate > 0 ? cell_decimal(rate) : cell_null();
}

static struct table_cell get_kernel(const void *context, size_t row)
{
    const struct kernel_log *log = ((const struct operator_rows *)context)->log;
    const struct kernel_use *use = sum_at(context, row)->use;

    if (!log || !use || use->kernel == NO_ID)
        return cell_null();
    return cell_text(strings_text(log->strings, kernel_at(log, use->kernel)->name));
}

/* A number of the tile that the log tells; null: it tells none. */
#define TILE_FIELD(name, member)                                           \
    static struct table_cell name(const void *context, size_t row)         \
    {                                                                      \
        const struct kernel_use *use = sum_at(context, row)->use;          \
                                                                           \
        return maybe_integer(use && use->has_tile, use ? use->member : 0); \
    }

TILE_FIELD(get_m, m)
TILE_FIELD(get_n, n)
TILE_FIELD(get_groups, groups)
TILE_FIELD(get_mr, mr)
TILE_FIELD(get_nr, nr)

static struct table_cell get_k(const void *context, size_t row)
{
    uint64_t size = operators_inner_size(sum_at(context, row));

    return maybe_integer(size > 0, size);
}

static struct table_cell get_count(const void *context, size_t row)
{
    return cell_integer((int64_t)sum_at(context, row)->events);
}

static struct table_cell get_total_ms(const void *context, size_t row)
{
    return cell_decimal(operators_ms(side_of(context), sum_at(context, row)->total));
}

static struct table_cell get_average_ms(const void *context, size_t row)
{
    return cell_decimal(operators_average_ms(side_of(context), sum_at(context, row)->total));
}

static struct table_cell get_self_ms(const void *context, size_t row)
{
    return cell_decimal(operators_average_ms(side_of(context), sum_at(context, row)->self));
}

static struct table_cell get_instruction(const void *context, size_t row)
{
    int32_t instruction = sum_at(context, row)->instruction;

    return instruction >= 0 ? cell_integer(instruction) : cell_null();
}

static const struct field operator_fields[] = {
    { .key = "operator",
      .title = "Operator",
      .type = CELL_TEXT,
      .description = "its name as it was logged",
      .get = get_name },
    { .key = "delegate",
      .title = "Delegate",
      .type = CELL_INTEGER,
      .optional = true,
      .description = "which delegate call of the inference, from 0",
      .get = get_delegate },
    { .key = "category",
      .title = "Category",
      .type = CELL_TEXT,
      .optional = true,
      .description = "what it does, roughly",
      .get = get_category },
    { .key = "backend",
      .title = "Backend",
      .type = CELL_TEXT,
      .optional = true,
      .description = "what ran it",
      .get = get_backend },
    { .key = "avg_ns",
      .title = "Time",
      .type = CELL_DURATION,
      .description = "per inference, on average",
      .get = get_time },
    { .key = "pct_of_e2e",
      .title = "Share",
      .type = CELL_PERCENT,
      .description = "of Method::execute",
      .get = get_percent },
    { .key = "self_ns",
      .title = "Self",
      .type = CELL_DURATION,
      .optional = true,
      .description = "the time without what ran inside it",
      .get = get_self },
    { .key = "module",
      .title = "Module",
      .type = CELL_TEXT,
      .description = "of the model's source that it comes from",
      .get = get_module },
    { .key = "source", .title = "Source", .type = CELL_TEXT, .description = "file and line", .get = get_source },
    { .key = "gflops",
      .title = "GFLOP/s",
      .type = CELL_DECIMAL,
      .optional = true,
      .description = "two operations per multiply-accumulate",
      .get = get_rate },
    { .key = "kernel",
      .title = "Kernel",
      .type = CELL_TEXT,
      .optional = true,
      .description = "that ran, as the log tells",
      .get = get_kernel },
    { .key = "m",
      .title = "M",
      .type = CELL_INTEGER,
      .optional = true,
      .description = "rows of the product",
      .get = get_m },
    { .key = "n",
      .title = "N",
      .type = CELL_INTEGER,
      .optional = true,
      .description = "columns of the product",
      .get = get_n },
    { .key = "k",
      .title = "K",
      .type = CELL_INTEGER,
      .optional = true,
      .description = "what is summed over in the product",
      .get = get_k },
    { .key = "event", .type = CELL_TEXT, .description = "its name as it was logged", .get = get_name },
    { .key = "op", .type = CELL_TEXT, .description = "the operation in the model's graph", .get = get_op },
    { .key = "macs", .type = CELL_INTEGER, .description = "multiply-accumulates", .get = get_macs },
    { .key = "groups", .type = CELL_INTEGER, .description = "products side by side", .get = get_groups },
    { .key = "mr", .type = CELL_INTEGER, .description = "rows of the kernel's tile", .get = get_mr },
    { .key = "nr", .type = CELL_INTEGER, .description = "columns of the kernel's tile", .get = get_nr },
    { .key = "count", .type = CELL_INTEGER, .description = "events over all inferences", .get = get_count },
    { .key = "total_ms", .type = CELL_DECIMAL, .description = "over all inferences", .get = get_total_ms },
    { .key = "avg_ms", .type = CELL_DECIMAL, .description = "per inference, on average", .get = get_average_ms },
    { .key = "self_ms",
      .type = CELL_DECIMAL,
      .description = "the average without what ran inside it",
      .get = get_self_ms },
    { .key = "kind", .type = CELL_TEXT, .description = "of its category", .get = get_kind },
    { .key = "joined",
      .type = CELL_TEXT,
      .description = "how it was tied to the graph: recorded or inferred",
      .get = get_joined },
    { .key = "instruction", .type = CELL_INTEGER, .description = "of the program", .get = get_instruction },
    { 0 },
};
enum { OPERATOR_FIELDS = sizeof operator_fields / sizeof *operator_fields };

static const struct field_set operator_set = { "operator", operator_fields };
static const struct field_set *const operator_sets[] = { &operator_set, NULL };

static struct rows rows_of(const struct operator_rows *rows)
{
    return (struct rows){ .entity = "operator", .sets = operator_sets, .context = rows, .count = rows->count };
}

/* Room for an order over all operators, and for a source; the caller frees the order. */
static status start_rows(struct operator_rows *rows, const struct operators *side, const struct kernel_log *log)
{
    *rows = (struct operator_rows){ .side = side, .log = log };
    rows->order = memory_allocate((side->sums.count + 1) * sizeof *rows->order + OPERATOR_SOURCE);
    if (!rows->order)
        return status_no_memory("making a table");
    rows->source = (char *)(rows->order + side->sums.count + 1);
    return STATUS_OK;
}

/* Columns that would be empty are left out: they would take the place of others. */
static void time_keys(struct keys *keys, bool with_nodes, bool with_log)
{
    add_keys(keys, (const char *const[]){ "operator", "delegate", "category", "backend", "avg_ns", "pct_of_e2e",
                                          "self_ns", NULL });
    if (with_nodes)
        add_keys(keys, (const char *const[]){ "module", "source", "gflops", NULL });
    if (with_log)
        add_keys(keys, (const char *const[]){ "kernel", NULL });
}

static const char *const map_keys[] = {
    "delegate", "event",    "module", "source", "op",       "macs",   "m",           "n",
    "groups",   "mr",       "nr",     "count",  "total_ms", "avg_ms", "self_ms",     "pct_of_e2e",
    "backend",  "category", "kind",   "kernel", "gflops",   "joined", "instruction", NULL,
};

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
    struct operator_rows context;
    struct keys keys = { .count = 0 };
    struct view view = { .name = "operators", .keys = keys.items };
    size_t count, bottlenecks = 0;
    struct rows rows;
    status code = start_rows(&context, side, log);

    if (code != STATUS_OK)
        return code;
    count = operators_by_time(side, context.order);
    while (bottlenecks < count && operators_is_bottleneck(side, operators_at(side, context.order[bottlenecks])))
        bottlenecks++;
    context.count = all ? count : bottlenecks ? bottlenecks : count < OPERATORS_LONGEST ? count : OPERATORS_LONGEST;
    view.title = all           ? "Operators by time"
                 : bottlenecks ? "Operators over 5 % of Method::execute"
                               : "Longest operators (none takes over 5 % of Method::execute)";
    time_keys(&keys, has_nodes(side), log != NULL);
    rows = rows_of(&context);
    code = make_table(&rows, &view, table);
    if (code == STATUS_OK)
        note_portable(*table, side, context.order, count);
    memory_free(context.order);
    return code;
}

status operators_view_table(const struct operators *side, const struct kernel_log *log,
                            const struct view_request *request, struct table **table)
{
    struct operator_rows context;
    struct keys keys = { .count = 0 };
    const struct view shown = { .name = "operators", .title = "Operators by time", .keys = keys.items };
    const struct view map = { .name = "map", .title = "Operators", .keys = map_keys };
    const struct view *const views[] = { &shown, &map, NULL };
    struct rows rows;
    status code = start_rows(&context, side, log);

    if (code != STATUS_OK)
        return code;
    context.count = operators_by_time(side, context.order);
    time_keys(&keys, has_nodes(side), log != NULL);
    rows = rows_of(&context);
    code = view_table(&rows, views, request, table);
    memory_free(context.order);
    return code;
}

status operators_kernel_table(const struct operators *side, const struct kernel_log *log,
                              const struct view_request *request, struct table **table)
{
    struct operator_rows context;
    struct keys keys = { .count = 0 };
    const struct view view = { .name = "kernels",
                               .title = "Kernels by operator, in execution order",
                               .keys = keys.items };
    const struct view *const views[] = { &view, NULL };
    struct field fields[OPERATOR_FIELDS];
    const struct field_set set = { "operator", fields };
    const struct field_set *const sets[] = { &set, NULL };
    struct rows rows;
    bool nodes = has_nodes(side);
    status code = start_rows(&context, side, log);

    if (code != STATUS_OK)
        return code;
    for (uint32_t i = 0; i < side->sums.count; i++)
        if (operators_at(side, i)->use)
            context.order[context.count++] = i;
    /* Here the kernel is what the table is about. */
    for (size_t i = 0; i < OPERATOR_FIELDS; i++) {
        fields[i] = operator_fields[i];
        if (fields[i].get == get_kernel) {
            fields[i].title = "Kernel that ran";
            fields[i].optional = false;
        }
        fields[i].optional |= fields[i].get == get_module || fields[i].get == get_source;
        fields[i].optional &= fields[i].get != get_rate;
    }
    add_keys(&keys, (const char *const[]){ "operator", NULL });
    if (nodes)
        add_keys(&keys, (const char *const[]){ "module", "source", NULL });
    add_keys(&keys, (const char *const[]){ "kernel", "m", "n", NULL });
    if (nodes)
        add_keys(&keys, (const char *const[]){ "k", NULL });
    add_keys(&keys, (const char *const[]){ "avg_ns", "pct_of_e2e", NULL });
    if (nodes)
        add_keys(&keys, (const char *const[]){ "gflops", NULL });
    rows = rows_of(&context);
    rows.sets = sets;
    code = view_table(&rows, views, request, table);
    if (code == STATUS_OK && !view_asks_help(request))
        table_note(*table,
                   "M, N and the kernel are from the log, K and the rate from the record; times are per inference");
    memory_free(context.order);
    return code;
}

status operators_map_table(const struct operators *side, const struct kernel_log *log, struct table **table)
{
    static const struct view view = { .name = "operators", .title = "Operators in execution order", .keys = map_keys };
    struct operator_rows context;
    struct field fields[OPERATOR_FIELDS];
    const struct field_set set = { "operator", fields };
    const struct field_set *const sets[] = { &set, NULL };
    struct rows rows;
    status code = start_rows(&context, side, log);

    if (code != STATUS_OK)
        return code;
    for (uint32_t i = 0; i < side->sums.count; i++)
        if (operators_is_work(operators_at(side, i)))
            context.order[context.count++] = i;
    /* For machines: keys are headings, shares plain numbers. */
    for (size_t i = 0; i < OPERATOR_FIELDS; i++) {
        fields[i] = operator_fields[i];
        fields[i].title = NULL;
        fields[i].optional = false;
        fields[i].type = fields[i].type == CELL_PERCENT ? CELL_DECIMAL : fields[i].type;
    }
    rows = rows_of(&context);
    rows.sets = sets;
    code = make_table(&rows, &view, table);
    memory_free(context.order);
    return code;
}
