/* op_calls.c: calls of operations in order, and the names and tensors of one. */
#include "tenstorrent/op_calls.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"

void op_calls_free(struct op_calls *calls)
{
    memory_free(calls->rows);
    memory_free(calls->functions);
    *calls = (struct op_calls){ .rows = NULL };
}

/* ---- Order ---- */

struct ranked {
    size_t place;        /* before sorting */
    struct op_call call; /* that is sorted */
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

/* ---- Names ---- */

/* What follows the last `mark`; `behind` is false where there is none. */
static struct text after_last(struct text text, const char *mark, bool *behind)
{
    size_t length = strlen(mark);

    *behind = false;
    for (size_t i = text.length; i-- > 0;) {
        if (text.length - i < length || memcmp(text.data + i, mark, length) != 0)
            continue;
        *behind = true;
        return (struct text){ text.data + i + length, text.length - i - length };
    }
    return text;
}

/* "tt::tt_metal::Matmul" and the mangled "N2tt8tt_metal6MatmulE" without their name space. */
static struct text op_base(struct text name)
{
    bool behind;
    struct text base = after_last(name, "tt_metal", &behind);
    size_t before = (size_t)(base.data - name.data);

    if (!behind || !memmem(name.data, before - strlen("tt_metal"), "tt", 2))
        return name;
    while (base.length && *base.data == ':') {
        base.data++;
        base.length--;
    }
    while (base.length && *base.data >= '0' && *base.data <= '9') {
        base.data++;
        base.length--;
    }
    return base;
}

status op_call_name(struct arena *arena, struct text name, struct text preferred, struct text type, const char **made)
{
    struct text base = op_base(name);
    bool behind;
    char *text;

    preferred = preferred.length ? after_last(preferred, "tt::tt_metal::", &behind) : (struct text){ "", 0 };
    if (!type.data || text_is(type, "tt_dnn_device"))
        preferred.length = 0;
    text = arena_allocate(arena, base.length + preferred.length + 2, 1);
    if (!text)
        return status_no_memory("keeping an op");
    memcpy(text, base.data, base.length);
    if (preferred.length) {
        text[base.length] = '_';
        memcpy(text + base.length + 1, preferred.data, preferred.length);
    }
    text[base.length + preferred.length + (preferred.length > 0)] = '\0';
    *made = text;
    return STATUS_OK;
}

/* ---- Tensors ---- */

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
    return text_of(tensors);
}

bool op_tensor_next(struct text *list, struct op_tensor_text *tensor)
{
    struct text item;

    if (!list->data)
        return false;
    item = text_take(list, '-');
    tensor->empty = item.length == 0;
    cut_sizes(text_take(&item, '|'), tensor->sizes);
    tensor->layout = text_take(&item, '|');
    tensor->datatype = text_take(&item, '|');
    tensor->memory = item.data ? item : text_of("");
    return true;
}

size_t op_tensor_count(const char *tensors)
{
    struct text list = op_tensor_list(tensors);
    size_t count = 0;

    for (size_t number = 1; list.data && number <= OP_MOST_TENSORS; number++)
        if (text_take(&list, '-').length)
            count = number;
    return count;
}
