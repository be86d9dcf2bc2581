#include "tenstorrent/op_calls.h"

#include <stdlib.h>

#include "base/memory.h"

void op_calls_free(struct op_calls *calls)
{
    memory_free(calls->rows);
    memory_free(calls->functions);
    *calls = (struct op_calls){ .rows = NULL };
}

/* ---- Order ---- */

struct ranked {
    size_t place; /* before sorting */
    struct op_call call;
};

static int by_call(const void *one, const void *other)
{
    const struct ranked *a = one;
    const struct ranked *b = other;

    if (a->call.order != b->call.order)
        return a->call.order < b->call.order ? -1 : 1;
    return a->place < b->place ? -1 : a->place > b->place;
}

status op_calls_sort(struct op_calls *calls)
{
    struct ranked *ranked;

    if (calls->count < 2)
        return STATUS_OK;
    ranked = memory_allocate(calls->count * sizeof *ranked);
    if (!ranked)
        return status_no_memory("sorting the ops");
    for (size_t i = 0; i < calls->count; i++)
        ranked[i] = (struct ranked){ .place = i, .call = calls->rows[i] };
    qsort(ranked, calls->count, sizeof *ranked, by_call);
    for (size_t i = 0; i < calls->count; i++)
        calls->rows[i] = ranked[i].call;
    memory_free(ranked);
    return STATUS_OK;
}

/* ---- Tensors ---- */

/* The part up to `sign`, and `rest` behind it; a text without the sign is all of it and `rest` has no data. Behind the end parts
 * are empty. */
static struct text cut_at(struct text *rest, char sign)
{
    const char *found = rest->length ? memchr(rest->data, sign, rest->length) : NULL;
    struct text part = rest->data ? *rest : (struct text){ "", 0 };

    if (!found) {
        *rest = (struct text){ 0 };
        return part;
    }
    part.length = (size_t)(found - rest->data);
    rest->data = found + 1;
    rest->length -= part.length + 1;
    return part;
}

static void cut_sizes(struct text shape, struct text sizes[TENSOR_SIZES])
{
    size_t cuts[TENSOR_SIZES - 1];
    size_t found = 0, missing;

    for (size_t i = shape.length; i-- > 0 && found < TENSOR_SIZES - 1;)
        if (shape.data[i] == '_')
            cuts[found++] = i;
    missing = TENSOR_SIZES - 1 - found;
    for (size_t i = 0; i < missing; i++)
        sizes[i] = shape.length ? (struct text){ "1", 1 } : (struct text){ "", 0 };
    for (size_t i = 0; i <= found; i++) {
        size_t from = i ? cuts[found - i] + 1 : 0;
        size_t to = i < found ? cuts[found - i - 1] : shape.length;

        sizes[missing + i] = (struct text){ shape.data + from, to - from };
    }
}

struct text op_tensor_list(const char *tensors)
{
    return (struct text){ tensors, tensors ? strlen(tensors) : 0 };
}

bool op_tensor_next(struct text *list, struct op_tensor_text *tensor)
{
    struct text item;

    if (!list->data)
        return false;
    item = cut_at(list, '-');
    tensor->empty = item.length == 0;
    cut_sizes(cut_at(&item, '|'), tensor->sizes);
    tensor->layout = cut_at(&item, '|');
    tensor->datatype = cut_at(&item, '|');
    tensor->memory = item.data ? item : (struct text){ "", 0 };
    return true;
}

size_t op_tensor_count(const char *tensors)
{
    struct text list = op_tensor_list(tensors);
    size_t count = 0;

    for (size_t number = 1; list.data && number <= OP_MOST_TENSORS; number++)
        if (cut_at(&list, '-').length)
            count = number;
    return count;
}
