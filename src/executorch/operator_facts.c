/* operator_facts.c: what operators are, by their names and nodes, and groups of them. */
#include "executorch/operator_facts.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include "executorch/operation.h"

struct text operator_node_operation(const struct operators *side, const struct operator_sum *sum)
{
    if (!sum->node || !sum->node->type)
        return (struct text){ "", 0 };
    return graph_operation(strings_get(side->strings, sum->node->type));
}

/* Its name with its namespace; empty: it is no such kernel. */
static struct text custom_operation(const struct operators *side, const struct operator_sum *sum)
{
    struct text type = strings_get(side->strings, sum->type), operation;

    if (sum->event != EVENT_PORTABLE)
        return (struct text){ "", 0 };
    operation = sum->opaque ? type : operation_of_custom_kernel(type);
    return operation.length || !sum->node ? operation
                                          : operation_of_custom_node(strings_get(side->strings, sum->node->type));
}

bool operator_is_custom(const struct operators *side, const struct operator_sum *sum)
{
    return custom_operation(side, sum).length > 0;
}

struct text operator_operation(const struct operators *side, const struct operator_sum *sum)
{
    struct text type = strings_get(side->strings, sum->type), operation;

    if (sum->event == EVENT_DELEGATED)
        return type;
    operation = custom_operation(side, sum);
    if (!operation.length)
        operation = operator_node_operation(side, sum);
    return operation.length ? operation : operation_of_kernel(type);
}

static bool is_same(struct text one, struct text other)
{
    return one.length == other.length && (!one.length || memcmp(one.data, other.data, one.length) == 0);
}

void operator_list(const struct operators *side, const uint32_t *members, size_t count, char to[OPERATOR_LIST])
{
    enum { NAMED = 4, LONGEST = 100, TOLD_APART = 32 };
    struct text named[TOLD_APART];
    size_t names = 0, length = 0;

    to[0] = '\0';
    for (size_t i = 0; i < count && names < TOLD_APART; i++) {
        struct text name = operator_operation(side, operators_at(side, members[i]));
        size_t known = 0;

        while (known < names && !is_same(named[known], name))
            known++;
        if (known < names)
            continue;
        named[names++] = name;
        if (names <= NAMED)
            length += (size_t)snprintf(to + length, OPERATOR_LIST - length, "%s%.*s", names > 1 ? ", " : "",
                                       name.length < LONGEST ? (int)name.length : LONGEST, name.data);
    }
    if (names == TOLD_APART)
        snprintf(to + length, OPERATOR_LIST - length, " and many more");
    else if (names > NAMED)
        snprintf(to + length, OPERATOR_LIST - length, " and %zu more", names - NAMED);
}

void operator_source(const struct operators *side, const struct graph_node *node, char *to, size_t size)
{
    assert(size);
    to[0] = '\0';
    if (node && node->file && node->line)
        snprintf(to, size, "%s:%u", strings_text(side->strings, node->file), node->line);
    else if (node && node->file)
        snprintf(to, size, "%s", strings_text(side->strings, node->file));
}

const char *operator_backend(const struct operators *side, const struct operator_sum *sum)
{
    const char *backend = strings_text(side->strings, sum->backend);

    return *backend && strcasecmp(backend, "delegated") != 0 ? backend : NULL;
}

bool operator_is_depthwise(const struct operators *side, const struct operator_sum *sum)
{
    struct text type = strings_get(side->strings, sum->type);

    return text_find_any_case(type, "dwconv") || text_find_any_case(type, "depthwise");
}

bool operator_is_inserted_move(const struct operators *side, const struct operator_sum *sum)
{
    return sum->event == EVENT_DELEGATED && operator_kind_category(sum->kind) == CATEGORY_DATA_MOVEMENT &&
           operation_is_inserted(operation_of_event(strings_get(side->strings, sum->type)));
}

bool operator_is_counted(const struct operators *side, const struct operator_sum *sum)
{
    static const char *const plain[] = { "Add",    "Subtract", "Multiply",       "Clamp",   "ReLU",
                                         "Negate", "Abs",      "Absolute Value", "Maximum", "Minimum" };
    struct text operation = operation_of_event(strings_get(side->strings, sum->type));

    if ((sum->node && sum->node->macs) || operator_kind_category(sum->kind) == CATEGORY_DATA_MOVEMENT)
        return true;
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
        if (strlen(plain[i]) == operation.length && strncasecmp(plain[i], operation.data, operation.length) == 0)
            return true;
    return false;
}

/* The sizes of "1x32x112" multiplied, but for the last; 0: it cannot be read. */
static uint64_t rows_of_shape(struct text shape)
{
    const char *at = shape.data, *end = shape.data + shape.length;
    uint64_t product = 1, size;

    while (at < end && number_read_unsigned(&at, end, &size)) {
        if (at == end)
            return product;
        if (*at++ != 'x' || __builtin_mul_overflow(product, size, &product))
            return 0;
    }
    return 0;
}

uint64_t operator_rows(const struct operators *side, const struct operator_sum *sum)
{
    struct text operation = operator_node_operation(side, sum);

    if (sum->use && sum->use->has_tile)
        return sum->use->m;
    if (!sum->node || !sum->node->shape ||
        (!text_find_any_case(operation, "linear") && !text_find_any_case(operation, "mm")))
        return 0;
    return rows_of_shape(strings_get(side->strings, sum->node->shape));
}

/* ---- Groups ---- */

struct keyed {
    struct text key; /* what operators have in common; borrowed */
    uint32_t op;     /* index in the sums */
    int64_t total;   /* ticks */
};

static int compare_texts(struct text one, struct text other)
{
    size_t shorter = one.length < other.length ? one.length : other.length;
    int order = shorter ? memcmp(one.data, other.data, shorter) : 0;

    return order ? order : (one.length > other.length) - (one.length < other.length);
}

static int by_key(const void *left, const void *right)
{
    const struct keyed *a = left, *b = right;
    int order = compare_texts(a->key, b->key);

    if (order)
        return order;
    if (a->total != b->total)
        return a->total > b->total ? -1 : 1;
    return (a->op > b->op) - (a->op < b->op);
}

static int by_cluster_total(const void *left, const void *right)
{
    const struct operator_cluster *a = left, *b = right;

    if (a->total != b->total)
        return a->total > b->total ? -1 : 1;
    return (a->members[0] > b->members[0]) - (a->members[0] < b->members[0]);
}

static void gather(const struct keyed *keyed, size_t count, struct operator_groups *groups)
{
    for (size_t i = 0; i < count; i++) {
        struct operator_cluster *last = groups->count ? &groups->items[groups->count - 1] : NULL;

        groups->members[i] = keyed[i].op;
        if (!last || compare_texts(last->key, keyed[i].key) != 0) {
            last = &groups->items[groups->count++];
            *last = (struct operator_cluster){ .key = keyed[i].key, .members = groups->members + i };
        }
        last->count++;
        last->total = number_add(last->total, keyed[i].total);
    }
    if (groups->count)
        qsort(groups->items, groups->count, sizeof *groups->items, by_cluster_total);
}

status operator_groups_make(const struct operators *side, const uint32_t *order, size_t count,
                            bool (*chosen)(const void *context, uint32_t op),
                            struct text (*key)(const void *context, uint32_t op), const void *context,
                            struct operator_groups *groups)
{
    struct keyed *keyed = memory_allocate((count + 1) * sizeof *keyed);
    size_t kept = 0;

    *groups = (struct operator_groups){
        .items = memory_allocate((count + 1) * sizeof *groups->items),
        .members = memory_allocate((count + 1) * sizeof *groups->members),
    };
    if (!keyed || !groups->items || !groups->members) {
        memory_free(keyed);
        return status_no_memory("grouping operators");
    }
    for (size_t i = 0; i < count; i++)
        if (chosen(context, order[i]))
            keyed[kept++] = (struct keyed){ key(context, order[i]), order[i], operators_at(side, order[i])->total };
    if (kept)
        qsort(keyed, kept, sizeof *keyed, by_key);
    gather(keyed, kept, groups);
    memory_free(keyed);
    return STATUS_OK;
}

void operator_groups_free(struct operator_groups *groups)
{
    memory_free(groups->items);
    memory_free(groups->members);
    *groups = (struct operator_groups){ 0 };
}
