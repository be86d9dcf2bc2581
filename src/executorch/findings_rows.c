/* findings_rows.c: what the findings say about operators: texts, rows of evidence, groups. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/memory.h"
#include "base/number.h"
#include "executorch/findings_shared.h"

/* ---- Texts ---- */

static const char *fail(struct finder *finder)
{
    if (finder->code == STATUS_OK)
        finder->code = status_no_memory("writing down findings");
    return "";
}

const char *say(struct finder *finder, const char *format, ...)
{
    va_list arguments;
    const char *text;

    va_start(arguments, format);
    text = arena_format(&finder->findings->arena, format, arguments);
    va_end(arguments);
    return text ? text : fail(finder);
}

/* Three digits that count, and never an exponent. */
static int decimals_of(double ms)
{
    return ms >= 100 ? 0 : ms >= 10 ? 1 : ms >= 1 ? 2 : ms >= 0.1 ? 3 : ms >= 0.01 ? 4 : ms > 0 ? 5 : 0;
}

const char *say_ms(struct finder *finder, double ms)
{
    return say(finder, "%.*f ms", decimals_of(ms), ms);
}

const char *say_ms_of(struct finder *finder, double ms)
{
    return say(finder, "%.*f of %s", decimals_of(ms), ms, say_ms(finder, finder->execute_ms));
}

static bool is_safe(char letter)
{
    return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') || (letter >= '0' && letter <= '9') ||
           strchr("_-./+,=:@%", letter) != NULL;
}

const char *say_file(struct finder *finder, const char *path, const char *otherwise)
{
    size_t quotes = 0, length = path ? strlen(path) : 0, at = 0;
    bool safe = length > 0;
    char *text;

    if (!path)
        return otherwise;
    for (size_t i = 0; i < length; i++) {
        safe &= is_safe(path[i]);
        quotes += path[i] == '\'';
    }
    if (safe)
        return say(finder, "%s", path);
    text = arena_allocate(&finder->findings->arena, length + 3 * quotes + 3, 1);
    if (!text)
        return fail(finder);
    text[at++] = '\'';
    for (size_t i = 0; i < length; i++) {
        if (path[i] == '\'') {
            memcpy(text + at, "'\\'", 3);
            at += 3;
        }
        text[at++] = path[i];
    }
    text[at++] = '\'';
    text[at] = '\0';
    return text;
}

const char *plural(size_t count, const char *one, const char *many)
{
    return count == 1 ? one : many;
}

bool text_has(const char *text, const char *piece)
{
    return text && strcasestr(text, piece);
}

static bool holds(struct text text, const char *piece)
{
    size_t length = strlen(piece);

    for (size_t i = 0; i + length <= text.length; i++)
        if (strncasecmp(text.data + i, piece, length) == 0)
            return true;
    return false;
}

static struct text cut_front(struct text text, const char *front)
{
    size_t length = strlen(front);

    if (text.length > length && strncasecmp(text.data, front, length) == 0)
        return (struct text){ text.data + length, text.length - length };
    return text;
}

/* "cumsum" of "native_call_cumsum.out" and "aten::cumsum.out". */
static struct text operation_of_name(struct text name)
{
    const char *dot;

    name = cut_front(cut_front(cut_front(name, "native_call_"), "aten::"), "aten.");
    dot = name.length ? memchr(name.data, '.', name.length) : NULL;
    if (dot && dot > name.data)
        name.length = (size_t)(dot - name.data);
    return name;
}

struct text operation_of(const struct finder *finder, uint32_t op)
{
    const struct operator_sum *sum = sum_at(finder, op);
    struct text operation = { "", 0 };

    if (sum->event == EVENT_DELEGATED)
        return strings_get(finder->side->strings, sum->type);
    if (sum->node && sum->node->type)
        operation = graph_operation(strings_get(finder->side->strings, sum->node->type));
    return operation.length ? operation : operation_of_name(strings_get(finder->side->strings, sum->type));
}

const char *say_place(struct finder *finder, const struct findings_row *row)
{
    if (row->source && row->module)
        return say(finder, " at %s, module %s", row->source, row->module);
    if (row->source)
        return say(finder, " at %s", row->source);
    return row->module ? say(finder, " in module %s", row->module) : "";
}

static bool same_text(struct text one, struct text other)
{
    return one.length == other.length && (!one.length || memcmp(one.data, other.data, one.length) == 0);
}

const char *say_operations(struct finder *finder, const uint32_t *members, size_t count)
{
    assert(members || !count);
    enum { NAMED = 4, TOLD_APART = 32 };
    struct text named[TOLD_APART];
    size_t names = 0;
    const char *list = "";

    for (size_t i = 0; i < count; i++) {
        struct text name = operation_of(finder, members[i]);
        size_t known = 0;

        while (known < names && !same_text(named[known], name))
            known++;
        if (known < names)
            continue;
        if (names == TOLD_APART)
            return say(finder, "%s and many more", list);
        named[names++] = name;
        if (names <= NAMED)
            list = say(finder, "%s%s%.*s", list, names > 1 ? ", " : "", (int)name.length, name.data);
    }
    return names > NAMED ? say(finder, "%s and %zu more", list, names - NAMED) : list;
}

/* ---- Operators ---- */

const struct operator_sum *sum_at(const struct finder *finder, uint32_t op)
{
    assert(op < finder->side->sums.count);
    return operators_at(finder->side, op);
}

double ms_at(const struct finder *finder, uint32_t op)
{
    return operators_average_ms(finder->side, sum_at(finder, op)->total);
}

double percent_at(const struct finder *finder, uint32_t op)
{
    return operators_percent(finder->side, sum_at(finder, op)->total);
}

enum category category_at(const struct finder *finder, uint32_t op)
{
    return operator_kind_category(sum_at(finder, op)->kind);
}

const struct operator_sum *counterpart(const struct finder *finder, uint32_t op)
{
    const struct operators_pair *pair = finder->input->pair;
    uint32_t match = NO_ID;

    if (!pair || !finder->base)
        return NULL;
    if (pair->first == finder->side && pair->second == finder->base && pair->matches)
        match = pair->matches[op];
    else if (pair->second == finder->side && pair->first == finder->base && pair->backwards)
        match = pair->backwards[op];
    return match < finder->base->sums.count ? operators_at(finder->base, match) : NULL;
}

double speedup_at(const struct finder *finder, uint32_t op)
{
    const struct operator_sum *other = counterpart(finder, op);

    return other ? operators_speedup(operators_average_ms(finder->base, other->total), ms_at(finder, op)) : 0;
}

const struct kernel *kernel_of_operator(const struct finder *finder, uint32_t op)
{
    const struct kernel_use *use = sum_at(finder, op)->use;
    const struct kernel_log *log = finder->input->candidate.log;

    return use && log && use->kernel < log->kernels.count ? kernel_at(log, use->kernel) : NULL;
}

struct text data_type_of(const struct finder *finder, uint32_t op)
{
    return operators_data_type(finder->side, sum_at(finder, op));
}

bool is_depthwise(const struct finder *finder, uint32_t op)
{
    struct text type = strings_get(finder->side->strings, sum_at(finder, op)->type);

    return holds(type, "dwconv") || holds(type, "depthwise");
}

const char *say_backend(struct finder *finder, uint32_t op)
{
    const char *backend = strings_text(finder->side->strings, sum_at(finder, op)->backend);

    return *backend && strcasecmp(backend, "delegated") != 0 ? say(finder, " to %s", backend) : "";
}

double bandwidth_at(const struct finder *finder, uint32_t op)
{
    const struct operator_sum *sum = sum_at(finder, op);
    double ms = sum->events ? operators_ms(finder->side, sum->total) / (double)sum->events : 0;

    return sum->node && sum->node->bytes && ms > 0 ? (double)sum->node->bytes / (ms * 1e6) : 0;
}

/* The sizes of "1x32x112x112" multiplied, or all but the last; 0: it cannot be read. */
static uint64_t product_of_shape(struct text shape, bool without_last)
{
    const char *at = shape.data, *end = shape.data + shape.length;
    uint64_t product = 1, size;

    while (at < end && number_read_unsigned(&at, end, &size)) {
        if (at == end && without_last)
            return product;
        if (__builtin_mul_overflow(product, size, &product))
            return 0;
        if (at == end)
            return product;
        if (*at++ != 'x')
            return 0;
    }
    return 0;
}

uint64_t rows_of_product(const struct finder *finder, uint32_t op)
{
    const struct operator_sum *sum = sum_at(finder, op);
    struct text operation;

    if (sum->use && sum->use->has_tile)
        return sum->use->m;
    if (!sum->node || !sum->node->shape || !sum->node->type)
        return 0;
    operation = graph_operation(strings_get(finder->side->strings, sum->node->type));
    if (!holds(operation, "linear") && !holds(operation, "mm"))
        return 0;
    return product_of_shape(strings_get(finder->side->strings, sum->node->shape), true);
}

const struct best_rate *best_rate_of(const struct finder *finder, uint32_t op)
{
    struct text type = data_type_of(finder, op);

    for (size_t i = 0; i < finder->rate_count; i++)
        if (finder->rates[i].type.length == type.length &&
            strncasecmp(finder->rates[i].type.data, type.data, type.length) == 0)
            return &finder->rates[i];
    return NULL;
}

/* ---- Rows ---- */

static const char *pool_text(struct finder *finder, string_id id)
{
    return id ? say(finder, "%s", strings_text(finder->side->strings, id)) : NULL;
}

static void add_origin(struct finder *finder, const struct operator_sum *sum, struct findings_row *row)
{
    const struct graph_node *node = sum->node;

    if (!node)
        return;
    row->aten_op = pool_text(finder, node->type);
    row->module = pool_text(finder, node->module);
    row->code = pool_text(finder, node->source);
    row->shape = pool_text(finder, node->shape);
    row->inferred = sum->join == JOIN_INFERRED;
    if (node->file && node->line)
        row->source = say(finder, "%s:%u", strings_text(finder->side->strings, node->file), node->line);
    else
        row->source = pool_text(finder, node->file);
}

struct findings_row row_of(struct finder *finder, uint32_t op)
{
    const struct operator_sum *sum = sum_at(finder, op), *other = counterpart(finder, op);
    const struct kernel *kernel = kernel_of_operator(finder, op);
    struct findings_row row = {
        .op = op,
        .name = say(finder, "%s", strings_text(finder->side->strings, sum->name)),
        .count = 1,
        .ms = ms_at(finder, op),
        .percent = percent_at(finder, op),
        .gflops = operators_gflops(finder->side, sum),
        .portable = sum->event == EVENT_PORTABLE,
    };

    add_origin(finder, sum, &row);
    if (sum->use && sum->use->has_tile)
        row.shape = say(finder, "M=%llu N=%llu%s", (unsigned long long)sum->use->m, (unsigned long long)sum->use->n,
                        sum->use->groups > 1 ? say(finder, " groups=%u", sum->use->groups) : "");
    if (kernel)
        row.kernel = say(finder, "%s", strings_text(finder->input->candidate.log->strings, kernel->name));
    if (other) {
        row.baseline_ms = operators_average_ms(finder->base, other->total);
        row.speedup = operators_speedup(row.baseline_ms, row.ms);
    }
    return row;
}

/* A module or a source line that all of them share is said once. */
static void keep_common(struct findings_row *row, const struct findings_row *next)
{
    if (row->module && (!next->module || strcmp(row->module, next->module) != 0))
        row->module = NULL;
    if (row->source && (!next->source || strcmp(row->source, next->source) != 0))
        row->source = row->code = NULL;
    if (row->aten_op && (!next->aten_op || strcmp(row->aten_op, next->aten_op) != 0))
        row->aten_op = NULL;
    if (row->kernel && (!next->kernel || strcmp(row->kernel, next->kernel) != 0))
        row->kernel = NULL;
    row->portable &= next->portable;
    row->inferred |= next->inferred;
}

struct findings_row row_of_cluster(struct finder *finder, const struct cluster *cluster, const char *name)
{
    assert(cluster->count);
    enum { LOOKED_AT = 256 }; /* for what they have in common: texts of thousands would fill the arena */
    struct findings_row row = row_of(finder, cluster->members[0]);
    const struct operator_sum *other = counterpart(finder, cluster->members[0]);
    int64_t matched = other ? sum_at(finder, cluster->members[0])->total : 0, baseline = other ? other->total : 0;

    if (cluster->count == 1)
        return row;
    for (size_t i = 1; i < cluster->count; i++) {
        if (i < LOOKED_AT) {
            struct findings_row next = row_of(finder, cluster->members[i]);

            keep_common(&row, &next);
        }
        other = counterpart(finder, cluster->members[i]);
        matched = number_add(matched, other ? sum_at(finder, cluster->members[i])->total : 0);
        baseline = number_add(baseline, other ? other->total : 0);
    }
    if (cluster->count > LOOKED_AT)
        row.module = row.source = row.code = row.aten_op = row.kernel = NULL;
    row.op = NO_ID;
    row.name = name;
    row.shape = NULL;
    row.gflops = 0;
    row.count = (uint32_t)cluster->count;
    row.ms = operators_average_ms(finder->side, cluster->total);
    row.percent = operators_percent(finder->side, cluster->total);
    row.baseline_ms = baseline && matched == cluster->total ? operators_average_ms(finder->base, baseline) : 0;
    row.speedup = operators_speedup(row.baseline_ms, row.ms);
    return row;
}

/* ---- Groups ---- */

struct keyed {
    struct text key; /* what operators have in common; borrowed */
    uint32_t op;     /* index in the sums */
    int64_t total;   /* ticks */
};

static int by_key(const void *left, const void *right)
{
    const struct keyed *a = left, *b = right;
    size_t shorter = a->key.length < b->key.length ? a->key.length : b->key.length;
    int order = shorter ? memcmp(a->key.data, b->key.data, shorter) : 0;

    if (order)
        return order;
    if (a->key.length != b->key.length)
        return a->key.length < b->key.length ? -1 : 1;
    if (a->total != b->total)
        return a->total > b->total ? -1 : 1;
    return (a->op > b->op) - (a->op < b->op);
}

static int by_cluster_total(const void *left, const void *right)
{
    const struct cluster *a = left, *b = right;

    if (a->total != b->total)
        return a->total > b->total ? -1 : 1;
    return (a->members[0] > b->members[0]) - (a->members[0] < b->members[0]);
}

static void gather(const struct keyed *keyed, size_t count, struct clusters *clusters)
{
    for (size_t i = 0; i < count; i++) {
        struct cluster *last = clusters->count ? &clusters->items[clusters->count - 1] : NULL;

        clusters->members[i] = keyed[i].op;
        if (!last || !same_text(last->key, keyed[i].key)) {
            last = &clusters->items[clusters->count++];
            *last = (struct cluster){ .key = keyed[i].key, .members = clusters->members + i };
        }
        last->count++;
        last->total = number_add(last->total, keyed[i].total);
    }
    if (clusters->count)
        qsort(clusters->items, clusters->count, sizeof *clusters->items, by_cluster_total);
}

void clusters_make(struct finder *finder, bool (*chosen)(const struct finder *, uint32_t),
                   struct text (*key)(const struct finder *, uint32_t), struct clusters *clusters)
{
    struct keyed *keyed = memory_allocate((finder->work + 1) * sizeof *keyed);
    size_t count = 0;

    assert(chosen && key);
    *clusters = (struct clusters){
        .items = memory_allocate((finder->work + 1) * sizeof *clusters->items),
        .members = memory_allocate((finder->work + 1) * sizeof *clusters->members),
    };
    if (!keyed || !clusters->items || !clusters->members) {
        fail(finder);
    } else {
        for (size_t i = 0; i < finder->work; i++) {
            uint32_t op = finder->order[i];

            if (chosen(finder, op))
                keyed[count++] = (struct keyed){ key(finder, op), op, sum_at(finder, op)->total };
        }
        if (count)
            qsort(keyed, count, sizeof *keyed, by_key);
        gather(keyed, count, clusters);
    }
    memory_free(keyed);
}

void clusters_free(struct clusters *clusters)
{
    memory_free(clusters->items);
    memory_free(clusters->members);
}
