/* operators.c: what each operator of a framework costs, on the host and on the device. */
#include "gpu/operators.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "base/format.h"
#include "base/json.h"
#include "base/memory.h"
#include "base/text.h"

/* ---- Sizes of products ---------------------------------------------------------------------------------------------- */

enum { MOST_SIZES = 8 };

/* The sizes of one tensor of a list; false: no tensor. */
static bool read_sizes(struct json_scan *scan, double sizes[MOST_SIZES], size_t *count)
{
    struct text number;
    bool found = false;

    *count = 0;
    if (json_enter(scan, JSON_ARRAY) != STATUS_OK)
        return false;
    for (bool first = true; json_next_element(scan, first, &found) == STATUS_OK && found; first = false) {
        enum json_type type;
        int64_t value;

        if (json_peek(scan, &type) != STATUS_OK || type != JSON_NUMBER || json_number(scan, &number) != STATUS_OK ||
            *count == MOST_SIZES)
            return false;
        value = strtoll(number.data, NULL, 10);
        sizes[(*count)++] = (double)value;
    }
    return !found;
}

/* Which inputs are multiplied: the first is the place of the left one. */
static const struct {
    const char *name; /* of the operator */
    unsigned left;    /* place of the left factor; the right one follows */
    bool transposed;  /* the right one is [columns, inner] */
} products[] = {
    { "aten::mm", 0, false },
    { "aten::addmm", 1, false },
    { "aten::bmm", 0, false },
    { "aten::baddbmm", 1, false },
    { "aten::matmul", 0, false },
    { "aten::linear", 0, true },
    { "aten::_addmm_activation", 1, false },
};

double gpu_product_flops(struct text name, struct text shapes)
{
    struct json_scan scan = json_scan("", shapes);
    double sizes[4][MOST_SIZES], flops = 2;
    size_t counts[4] = { 0 }, tensors = 0, which = 0;
    bool found = false;

    while (which < sizeof products / sizeof *products && !text_is(name, products[which].name))
        which++;
    if (which == sizeof products / sizeof *products || json_enter(&scan, JSON_ARRAY) != STATUS_OK)
        return NAN;
    for (bool first = true; tensors < products[which].left + 2u; first = false) {
        if (json_next_element(&scan, first, &found) != STATUS_OK || !found ||
            !read_sizes(&scan, sizes[tensors], &counts[tensors]))
            return NAN;
        tensors++;
    }
    {
        unsigned left = products[which].left, right = left + 1;

        if (counts[left] < 2 || counts[right] < 2)
            return NAN;
        for (size_t i = 0; i < counts[left]; i++)
            flops *= sizes[left][i];
        return flops * sizes[right][counts[right] - (products[which].transposed ? 2 : 1)];
    }
}

/* ---- Filling -------------------------------------------------------------------------------------------------------- */

static struct gpu_operator *row_at(const struct gpu_operators *operators, uint32_t index)
{
    return column_at(&operators->rows, index);
}

/* NULL: out of memory. */
static struct gpu_operator *row_of(struct gpu_operators *operators, string_id name, bool call)
{
    uint32_t *place = number_map_at(&operators->by_name, name, call);
    struct gpu_operator *row;

    if (!place)
        return NULL;
    if (*place != MAP_NONE)
        return row_at(operators, *place);
    row = column_append(&operators->rows);
    if (!row)
        return NULL;
    *place = (uint32_t)operators->rows.count - 1;
    *row =
        (struct gpu_operator){ .name = name, .call = call, .op = NO_ID, .flops = NAN, .bytes = NAN, .seen = SIZE_MAX };
    return row;
}

/* What the row of a piece is called: its operator, where it has one; slices have more in their names. */
static string_id piece_title(const struct pieces *pieces, const struct gpu_piece *piece)
{
    const struct op *op = piece_op(pieces, piece);

    return op ? op->name : piece->name;
}

static bool is_inside_itself(const struct pieces *pieces, const struct gpu_piece *piece)
{
    for (uint32_t up = piece->up; up != NO_ID; up = piece_at(pieces, up)->up)
        if (piece_at(pieces, up)->name == piece->name)
            return true;
    return false;
}

static status add_host(struct gpu_operators *operators)
{
    const struct pieces *pieces = &operators->profile->pieces;

    for (uint32_t i = 0; i < pieces->items.count; i++) {
        const struct gpu_piece *piece = piece_at(pieces, i);
        struct gpu_operator *row;

        if (!piece_is_operator(piece) || !piece_counts(pieces, piece))
            continue;
        row = row_of(operators, piece_title(pieces, piece), false);
        if (!row)
            return status_no_memory("adding up operators");
        row->count++;
        row->host_self += piece->end - piece->start;
        operators->host += piece->up == NO_ID ? piece->end - piece->start : 0;
        row->host_total += is_inside_itself(pieces, piece) ? 0 : piece->end - piece->start;
        if (row->op == NO_ID)
            row->op = piece->op;
        /* What is around an operator was there before. */
        if (piece->up != NO_ID && piece_counts(pieces, piece_at(pieces, piece->up))) {
            row = row_of(operators, piece_title(pieces, piece_at(pieces, piece->up)), false);
            if (!row)
                return status_no_memory("adding up operators");
            row->host_self -= piece->end - piece->start;
        }
    }
    return STATUS_OK;
}

static void add_own(const struct gpu_operators *operators, struct gpu_operator *row, const struct gpu_piece *work,
                    const struct gpu_piece *around)
{
    const struct pieces *pieces = &operators->profile->pieces;
    const struct op *op = around ? piece_op(pieces, around) : NULL;
    const struct gpu_form *form = piece_form(pieces, work);
    double bytes = work->kind == GPU_COLLECTIVE ? form->message : form->bytes;
    int64_t ns = work->end - work->start;

    row->device_self += ns;
    row->kernels++;
    if (!row->kernel || ns > row->kernel_ns) {
        row->kernel = work->name;
        row->kernel_ns = ns;
        row->op = work->op != NO_ID ? work->op : row->op;
    }
    if (bytes > 0) {
        row->bytes = (isnan(row->bytes) ? 0 : row->bytes) + bytes;
        row->bytes_ns += ns;
    }
    if (op && op->shapes && work->kind == GPU_KERNEL) {
        double flops =
            gpu_product_flops(strings_get(pieces->strings, around->name), strings_get(pieces->strings, op->shapes));

        if (flops > 0) {
            row->flops = (isnan(row->flops) ? 0 : row->flops) + (around != row->counted ? flops : 0);
            row->counted = around;
            row->flops_ns += ns;
        }
    }
}

/* The row of a piece of work: of the operator that launched it, of the one that it names itself, of the call that launched it, or its own. */
static struct gpu_operator *row_of_work(struct gpu_operators *operators, const struct gpu_piece *work,
                                        const struct gpu_piece *around)
{
    const struct pieces *pieces = &operators->profile->pieces;
    const struct gpu_piece *launch = piece_launch(pieces, work);
    bool called = launch && launch->op == work->op;
    struct gpu_operator *row;
    uint32_t named;

    if (around)
        return row_of(operators, piece_title(pieces, around), false);
    named = called ? MAP_NONE : number_map_find(&operators->by_name, piece_title(pieces, work), false);
    if (named != MAP_NONE && work->op != NO_ID && row_at(operators, named)->op == work->op)
        return row_at(operators, named);
    row = row_of(operators, called ? launch->name : piece_title(pieces, work), true);
    if (row && !called)
        row->count++; /* nothing on the host stands for it */
    return row;
}

static status add_work(struct gpu_operators *operators, size_t index)
{
    const struct pieces *pieces = &operators->profile->pieces;
    const struct gpu_piece *work = piece_of_work(pieces, index), *around = piece_operator(pieces, work);
    struct gpu_operator *row = row_of_work(operators, work, around);

    if (!row)
        return status_no_memory("adding up operators");
    operators->device += work->end - work->start;
    add_own(operators, row, work, around);
    if (!around) {
        row->device_total += work->end - work->start;
        return STATUS_OK;
    }
    for (; around; around = around->up != NO_ID ? piece_at(pieces, around->up) : NULL) {
        row = row_of(operators, piece_title(pieces, around), false);
        if (!row)
            return status_no_memory("adding up operators");
        if (row->seen != index)
            row->device_total += work->end - work->start;
        row->seen = index;
    }
    return STATUS_OK;
}

/* How often the calls came that launched something without an operator. */
static status add_calls(struct gpu_operators *operators)
{
    const struct pieces *pieces = &operators->profile->pieces;

    for (uint32_t i = 0; i < pieces->items.count; i++) {
        const struct gpu_piece *piece = piece_at(pieces, i);
        uint32_t place;

        if (piece->kind != GPU_LAUNCH || piece->up != NO_ID || !piece_counts(pieces, piece))
            continue;
        place = number_map_find(&operators->by_name, piece->name, true);
        if (place != MAP_NONE) {
            row_at(operators, place)->count++;
            row_at(operators, place)->host_self += piece->end - piece->start;
            row_at(operators, place)->host_total += piece->end - piece->start;
        }
    }
    return STATUS_OK;
}

/* ---- Order ---------------------------------------------------------------------------------------------------------- */

struct row_rank {
    int64_t device, host; /* ns */
    uint32_t row;         /* whose */
};

static int compare_ranked(const void *one, const void *other)
{
    const struct row_rank *a = one, *b = other;

    if (a->device != b->device)
        return a->device > b->device ? -1 : 1;
    if (a->host != b->host)
        return a->host > b->host ? -1 : 1;
    return a->row < b->row ? -1 : a->row > b->row;
}

static status rank(struct gpu_operators *operators)
{
    size_t count = operators->rows.count;
    struct row_rank *ranked = memory_allocate_clear((count + 1) * sizeof *ranked);

    operators->order = memory_allocate_clear((count + 1) * sizeof *operators->order);
    if (!ranked || !operators->order) {
        memory_free(ranked);
        return status_no_memory("adding up operators");
    }
    for (uint32_t i = 0; i < count; i++)
        ranked[i] = (struct row_rank){ row_at(operators, i)->device_self, row_at(operators, i)->host_self, i };
    qsort(ranked, count, sizeof *ranked, compare_ranked);
    for (uint32_t i = 0; i < count; i++)
        operators->order[i] = ranked[i].row;
    memory_free(ranked);
    return STATUS_OK;
}

status gpu_operators_fill(struct gpu_operators *operators, const struct gpu_profile *profile)
{
    status code;

    *operators = (struct gpu_operators){ .profile = profile };
    column_start(&operators->rows, sizeof(struct gpu_operator));
    number_map_start(&operators->by_name);
    code = add_host(operators);
    for (size_t i = 0; i < profile->pieces.work_count && code == STATUS_OK; i++)
        code = add_work(operators, i);
    if (code == STATUS_OK)
        code = add_calls(operators);
    return code == STATUS_OK ? rank(operators) : code;
}

void gpu_operators_free(struct gpu_operators *operators)
{
    column_free(&operators->rows);
    number_map_free(&operators->by_name);
    memory_free(operators->order);
    operators->order = NULL;
}

/* ---- Fields --------------------------------------------------------------------------------------------------------- */

static const struct gpu_operator *shown(const void *context, size_t row)
{
    const struct gpu_operators *operators = context;

    return row_at(operators, operators->order[row]);
}

static const char *text_or_null(const struct gpu_operators *operators, string_id text)
{
    return text ? strings_text(operators->profile->pieces.strings, text) : NULL;
}

/* Of one run, rounded. */
static struct table_cell mean(const void *context, int64_t ns)
{
    const struct gpu_operators *operators = context;
    int64_t runs = operators->profile->metrics.runs ? (int64_t)operators->profile->metrics.runs : 1;

    return cell_integer((ns + runs / 2) / runs);
}

static const struct op *op_of(const void *context, size_t row)
{
    const struct gpu_operators *operators = context;
    operator_id op = shown(context, row)->op;

    return op != NO_ID ? column_at(&operators->profile->pieces.operators, op) : NULL;
}

static struct table_cell get_name(const void *context, size_t row)
{
    return cell_text(text_or_null(context, shown(context, row)->name));
}
static struct table_cell get_count(const void *context, size_t row)
{
    const struct gpu_operators *operators = context;
    double runs = operators->profile->metrics.runs ? (double)operators->profile->metrics.runs : 1;

    return cell_decimal((double)shown(context, row)->count / runs);
}
static struct table_cell get_host_self(const void *context, size_t row)
{
    return mean(context, shown(context, row)->host_self);
}
static struct table_cell get_host_total(const void *context, size_t row)
{
    return mean(context, shown(context, row)->host_total);
}
/* A profile without any work of a device says nothing about it. */
static bool has_device(const void *context)
{
    return ((const struct gpu_operators *)context)->profile->pieces.work_count > 0;
}
static struct table_cell get_device_self(const void *context, size_t row)
{
    return has_device(context) ? mean(context, shown(context, row)->device_self) : cell_null();
}
static struct table_cell get_device_total(const void *context, size_t row)
{
    return has_device(context) ? mean(context, shown(context, row)->device_total) : cell_null();
}
static struct table_cell get_host_share(const void *context, size_t row)
{
    const struct gpu_operators *operators = context;

    return operators->host ? cell_decimal(100.0 * (double)shown(context, row)->host_self / (double)operators->host)
                           : cell_null();
}
static struct table_cell get_type(const void *context, size_t row)
{
    const struct op *op = op_of(context, row);

    return cell_text(op ? text_or_null(context, op->type) : NULL);
}
static struct table_cell get_share(const void *context, size_t row)
{
    const struct gpu_operators *operators = context;

    return operators->device
               ? cell_decimal(100.0 * (double)shown(context, row)->device_self / (double)operators->device)
               : cell_null();
}
static struct table_cell get_kernels(const void *context, size_t row)
{
    const struct gpu_operators *operators = context;
    double runs = operators->profile->metrics.runs ? (double)operators->profile->metrics.runs : 1;

    if (!has_device(context))
        return cell_null();
    return cell_decimal((double)shown(context, row)->kernels / runs);
}
static struct table_cell get_kernel(const void *context, size_t row)
{
    return cell_text(text_or_null(context, shown(context, row)->kernel));
}
static struct table_cell get_module(const void *context, size_t row)
{
    const struct op *op = op_of(context, row);

    return cell_text(op ? text_or_null(context, op->module) : NULL);
}
static struct table_cell get_place(const void *context, size_t row)
{
    const struct op *op = op_of(context, row);

    return cell_text(op ? text_or_null(context, op->place ? op->place : op->location) : NULL);
}
static struct table_cell get_shapes(const void *context, size_t row)
{
    const struct op *op = op_of(context, row);

    return cell_text(op ? text_or_null(context, op->shapes) : NULL);
}
static struct table_cell get_flops(const void *context, size_t row)
{
    double flops = shown(context, row)->flops;
    const struct gpu_operators *operators = context;
    double runs = operators->profile->metrics.runs ? (double)operators->profile->metrics.runs : 1;

    return isnan(flops) ? cell_null() : cell_decimal(flops / runs);
}
static struct table_cell get_rate(const void *context, size_t row)
{
    const struct gpu_operator *op = shown(context, row);

    return isnan(op->flops) || !op->flops_ns ? cell_null() : cell_decimal(op->flops / (double)op->flops_ns);
}
static struct table_cell get_bytes(const void *context, size_t row)
{
    double bytes = shown(context, row)->bytes;
    const struct gpu_operators *operators = context;
    double runs = operators->profile->metrics.runs ? (double)operators->profile->metrics.runs : 1;

    return isnan(bytes) ? cell_null() : cell_integer((int64_t)(bytes / runs));
}
static struct table_cell get_bandwidth(const void *context, size_t row)
{
    const struct gpu_operator *op = shown(context, row);

    return isnan(op->bytes) || !op->bytes_ns ? cell_null() : cell_decimal(op->bytes / (double)op->bytes_ns);
}
static struct table_cell get_launched(const void *context, size_t row)
{
    return cell_text(shown(context, row)->call ? "call" : "operator");
}

static const struct field fields[] = {
    { .key = "name",
      .title = "Operator",
      .type = CELL_TEXT,
      .description = "the operator; of work outside of operators the kernel, or the call of its graph",
      .get = get_name },
    { .key = "count",
      .title = "Count",
      .type = CELL_DECIMAL,
      .description = "how often a run calls it",
      .get = get_count },
    { .key = "device_self",
      .title = "Device self",
      .unit = "ns",
      .type = CELL_DURATION,
      .description = "work on the device that it launched itself, of one run",
      .get = get_device_self },
    { .key = "device_total",
      .title = "Device total",
      .unit = "ns",
      .type = CELL_DURATION,
      .description = "the same with what operators inside it launched",
      .get = get_device_total },
    { .key = "share",
      .title = "Share",
      .unit = "%",
      .type = CELL_PERCENT,
      .description = "of all work of the device",
      .get = get_share,
      .bar = true,
      .optional = true },
    { .key = "host_self",
      .title = "Host self",
      .unit = "ns",
      .type = CELL_DURATION,
      .description = "time on the host without operators inside it, of one run",
      .get = get_host_self },
    { .key = "host_total",
      .title = "Host total",
      .unit = "ns",
      .type = CELL_DURATION,
      .description = "the same with them",
      .get = get_host_total },
    { .key = "kernels",
      .title = "Kernels",
      .type = CELL_DECIMAL,
      .description = "pieces of work that it launches in a run",
      .get = get_kernels,
      .optional = true },
    { .key = "kernel",
      .title = "Longest kernel",
      .type = CELL_TEXT,
      .description = "the piece of work that took longest",
      .get = get_kernel,
      .optional = true },
    { .key = "module",
      .title = "Module",
      .type = CELL_TEXT,
      .description = "module of the model that the longest one is in",
      .get = get_module,
      .optional = true },
    { .key = "place",
      .title = "Place",
      .type = CELL_TEXT,
      .description = "where in the source the longest one was called",
      .get = get_place,
      .optional = true },
    { .key = "shapes",
      .title = "Shapes",
      .type = CELL_TEXT,
      .description = "of the inputs of the longest one",
      .get = get_shapes,
      .optional = true },
    { .key = "flops",
      .title = "FLOPs",
      .type = CELL_DECIMAL,
      .description = "operations of a run, of products whose sizes are recorded",
      .get = get_flops },
    { .key = "rate",
      .title = "GFLOP/s",
      .type = CELL_DECIMAL,
      .description = "the same in the time that the device worked for them",
      .get = get_rate },
    { .key = "bytes",
      .title = "Bytes",
      .unit = "B",
      .type = CELL_BYTES,
      .description = "that copies of a run move, and messages to other devices have",
      .get = get_bytes,
      .optional = true },
    { .key = "bandwidth",
      .title = "GB/s",
      .type = CELL_DECIMAL,
      .description = "the same in the time that these took; that of messages includes waiting for other devices",
      .get = get_bandwidth,
      .optional = true },
    { .key = "host_share",
      .title = "Share of host",
      .unit = "%",
      .type = CELL_PERCENT,
      .description = "of all time of operators on the host",
      .get = get_host_share,
      .bar = true },
    { .key = "type",
      .title = "Type",
      .type = CELL_TEXT,
      .description = "what kind of operator it is",
      .get = get_type },
    { .key = "launched_by",
      .title = "Launched by",
      .type = CELL_TEXT,
      .description = "operator, or call where no operator is known",
      .get = get_launched },
    { 0 },
};

static const struct field_set set = { "operator", fields };
static const struct field_set *const sets[] = { &set, NULL };

static const char *const keys[] = { "name",       "count",   "device_self", "device_total", "share",  "host_self",
                                    "host_total", "kernels", "module",      "place",        "kernel", "bytes",
                                    "bandwidth",  NULL };
static const struct view view = { .name = "operators", .title = "Operators", .keys = keys };
static const char *const host_keys[] = { "name",       "type",       "count",  "host_self",
                                         "host_total", "host_share", "shapes", NULL };
static const struct view host_view = {
    .name = "host", .table = "operators", .title = "Operators", .keys = host_keys, .sort = "-host_self"
};
static const struct view everything = { .name = "all", .table = "operators", .title = "Operators" };
static const struct view *const views[] = { &view, &host_view, &everything, NULL };
static const struct view *const views_of_hosts[] = { &host_view, &view, &everything, NULL };

status gpu_operators_table(const struct gpu_operators *operators, const struct view_request *request,
                           struct table **table)
{
    const struct rows rows = {
        .entity = "operator", .sets = sets, .context = operators, .count = operators->rows.count
    };

    return view_table(&rows, operators->profile->pieces.work_count ? views : views_of_hosts, request, table);
}
