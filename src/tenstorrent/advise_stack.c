/* advise_stack.c: operations added up by name, by name and place of the first input, or by category. */
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/memory.h"
#include "base/text.h"
#include "tenstorrent/advise.h"

/* ---- Categories ---- */

struct category_name {
    const char *name;     /* also with DeviceOperation behind it */
    const char *category; /* that it belongs to */
};

/* By name, as bytes: it is searched by halves. */
static const struct category_name category_names[] = {
    { "Accumulation", "Compute" },
    { "AllGatherMatmul", "Compute" },
    { "Binary", "Compute" },
    { "BinaryNg", "Compute" },
    { "CloneOperation", "DM" },
    { "Concat", "TM" },
    { "ConcatenateHeads", "TM" },
    { "Conv2d", "Compute" },
    { "Copy", "DM" },
    { "CreateQKVHeadsDeviceOperation", "TM" },
    { "Embeddings", "Compute" },
    { "FillPad", "TM" },
    { "Fold", "TM" },
    { "GridSample", "Compute" },
    { "GridSampleOperation", "Compute" },
    { "GroupNorm", "Compute" },
    { "Halo", "DM" },
    { "IntImg", "Compute" },
    { "InterleavedToSharded", "DM" },
    { "InterleavedToShardedPartial", "DM" },
    { "LayerNorm", "Compute" },
    { "Matmul", "Compute" },
    { "MinimalMatmulOp", "Compute" },
    { "Move", "DM" },
    { "NLPConcatHeads", "TM" },
    { "NLPConcatHeadsDecodeDeviceOperation", "TM" },
    { "NLPCreateHeadsDecodeDeviceOperation", "TM" },
    { "NlpCreateHeads", "TM" },
    { "OptimizedConvNew", "Compute" },
    { "PadDeviceOperation", "TM" },
    { "PaddedSlice", "DM" },
    { "PagedUpdateCacheDeviceOperation", "DM" },
    { "Permute", "TM" },
    { "Pool2D", "Compute" },
    { "Reduce", "Compute" },
    { "ReduceScatter", "DM" },
    { "Reshape", "TM" },
    { "Reshard", "DM" },
    { "RotaryEmbeddingLlama", "Compute" },
    { "SDPAOperation", "Compute" },
    { "ScaledDotProductAttention", "Compute" },
    { "ScaledDotProductAttentionDecode", "Compute" },
    { "ShardedToInterleaved", "DM" },
    { "ShardedToInterleavedPartial", "DM" },
    { "Slice", "TM" },
    { "SliceWrite", "DM" },
    { "Softmax", "Compute" },
    { "Split", "TM" },
    { "Ternary", "TM" },
    { "Tilize", "TM" },
    { "TilizeWithValPadding", "TM" },
    { "Transpose", "TM" },
    { "Typecast", "TM" },
    { "Unary", "Compute" },
    { "Untilize", "TM" },
    { "UntilizeWithUnpadding", "TM" },
    { "UpSample", "Compute" },
    { "UpsampleOperation", "Compute" },
    { "Where", "DM" },
};

static struct text first_word(struct text text)
{
    size_t start = 0, end;

    while (start < text.length && text.data[start] == ' ')
        start++;
    for (end = start; end < text.length && text.data[end] != ' '; end++)
        ;
    return (struct text){ text.data + start, end - start };
}

static const char *find_category(struct text name)
{
    size_t low = 0, high = sizeof category_names / sizeof *category_names;

    while (low < high) {
        size_t middle = (low + high) / 2;
        int order = text_compare(name, text_of(category_names[middle].name));

        if (order == 0)
            return category_names[middle].category;
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return NULL;
}

const char *advise_category(struct text code)
{
    struct text name = first_word(code);
    const char *category;

    if (text_is(name, "(torch)"))
        return "Host";
    category = find_category(name);
    return !category && text_cut_end(&name, "DeviceOperation") ? find_category(name) : category;
}

/* ---- Groups ---- */

/* What a row is made from. */
struct stack_sums {
    string_id name;             /* of the group */
    struct advise_sum time;     /* of its operations */
    struct advise_sum share;    /* of FLOPs */
    double squares;             /* of their distances from the mean */
    struct advise_sum weighted; /* by time */
    struct advise_sum weight;   /* that `weighted` is divided by */
    size_t measured;            /* operations that have a share */
};

struct stacking {
    struct advise *advise;      /* borrowed */
    enum advise_group group;    /* what one row is */
    bool by_device;             /* devices have rows of their own */
    struct advise_stack *stack; /* that is filled; borrowed */
    size_t capacity;            /* of its rows */
    struct stack_sums *sums;    /* beside the rows */
    size_t sum_capacity;        /* of sums */
    struct number_map names;    /* code and memory: name of the group */
    struct number_map rows;     /* name and device: row */
    uint32_t *row_of;           /* by operation */
    size_t message_capacity;    /* of the stack's messages */
};

/* "DEV_0_L1_HEIGHT_SHARDED" is height_sharded, "DEV_1_DRAM_INTERLEAVED" dram_interleaved. False: it has no two parts. */
static bool memory_place(struct text memory, char *to, size_t size)
{
    size_t start = memory.length, parts = 0;

    while (start > 0 && parts < 2) {
        start--;
        parts += memory.data[start] == '_';
    }
    if (parts < 1 || !memory.length)
        return false;
    if (parts == 2)
        start++;
    if (memory.length - start >= size)
        return false;
    for (size_t i = start; i < memory.length; i++)
        *to++ = char_lower(memory.data[i]);
    *to = '\0';
    return true;
}

static status name_group(struct stacking *stacking, const struct advise_op *op, const char *category, string_id *name)
{
    struct strings *strings = stacking->advise->report->strings;
    struct text word = first_word(strings_get(strings, op->row->code));
    char place[128];

    if (stacking->group == GROUP_BY_CATEGORY)
        return strings_add_text(strings, category, name);
    if (stacking->group == GROUP_BY_MEMORY &&
        memory_place(strings_get(strings, op->row->inputs[0].memory), place, sizeof place))
        return strings_add_format(strings, name, "%.*s (in0:%s)", (int)word.length, word.data, place);
    return strings_add(strings, word.data, word.length, name);
}

static status warn_unclassified(struct stacking *stacking, struct text code)
{
    struct advise_stack *stack = stacking->stack;
    struct text word = first_word(code);
    char text[512];
    char *kept;
    status grown;

    snprintf(text, sizeof text,
             stacking->advise->options.as_original
                 ? "Warning: Unclassified operation '%.*s' found. Please add to OPERATION_CATEGORIES for proper "
                   "classification."
                 : "Warning: '%.*s' is in no category that is known: it is counted as Other.",
             (int)(word.length < 256 ? word.length : 256), word.data);
    for (size_t i = 0; i < stack->message_count; i++) {
        if (strcmp(stack->messages[i].text, text) == 0)
            return STATUS_OK;
    }
    grown =
        memory_grow(&stack->messages, &stacking->message_capacity, stack->message_count + 1, sizeof *stack->messages);
    kept = grown == STATUS_OK ? arena_copy(&stacking->advise->arena, text, strlen(text)) : NULL;
    if (!kept)
        return status_no_memory("stacking operations");
    stack->messages[stack->message_count++] = (struct advise_message){ ADVISE_WARNING, kept };
    return STATUS_OK;
}

static status new_group(struct stacking *stacking, string_id name, const char *category, int32_t device)
{
    struct advise_stack *stack = stacking->stack;
    struct advise_stack_row row = {
        .device = device, .least = NAN, .most = NAN, .mean = NAN, .deviation = NAN, .weighted = NAN
    };
    status grown = memory_grow(&stack->rows, &stacking->capacity, stack->count + 1, sizeof *stack->rows);

    row.category = category;
    row.name = strings_text(stacking->advise->report->strings, name);
    if (grown == STATUS_OK)
        grown = memory_grow(&stacking->sums, &stacking->sum_capacity, stack->count + 1, sizeof *stacking->sums);
    if (grown != STATUS_OK)
        return grown;
    stack->rows[stack->count] = row;
    stacking->sums[stack->count++] = (struct stack_sums){ .name = name };
    return STATUS_OK;
}

static void add_op(struct advise_stack_row *row, struct stack_sums *sums, const struct advise_op *op)
{
    double share = op->flops_percent;

    row->count++;
    if (!isnan(op->device_time))
        advise_add(&sums->time, op->device_time);
    else
        row->untimed += !op->host;
    if (isnan(share))
        return;
    sums->measured++;
    row->least = fmin(row->least, share);
    row->most = fmax(row->most, share);
    advise_add(&sums->share, share);
    if (!isnan(op->device_time)) {
        advise_add(&sums->weighted, share * op->device_time);
        advise_add(&sums->weight, op->device_time);
    }
}

/* NULL: not in the table. */
static const char *category_of(const struct advise_op *op, struct text code)
{
    return op->host ? "Host" : advise_category(code);
}

/* The name of an operation's group. Texts are looked at once for each code and memory. */
static status find_name(struct stacking *stacking, const struct advise_op *op, string_id *name)
{
    struct text code = strings_get(stacking->advise->report->strings, op->row->code);
    string_id memory = stacking->group == GROUP_BY_MEMORY ? op->row->inputs[0].memory : 0;
    uint32_t *place = number_map_at(&stacking->names, op->row->code, memory);
    const char *category;
    status done = STATUS_OK;

    if (!place)
        return status_no_memory("stacking operations");
    if (*place == MAP_NONE) {
        category = category_of(op, code);
        if (!category)
            done = warn_unclassified(stacking, code);
        if (done == STATUS_OK)
            done = name_group(stacking, op, category ? category : "Other", place);
    }
    *name = *place;
    return done;
}

/* The group of an operation, made where it is new. */
static status group_of(struct stacking *stacking, const struct advise_op *op, uint32_t *row)
{
    int32_t device = stacking->by_device ? op->row->device : -1;
    const char *category;
    string_id name = 0;
    uint32_t *found;
    status done = find_name(stacking, op, &name);

    if (done != STATUS_OK)
        return done;
    found = number_map_at(&stacking->rows, name, (uint32_t)device);
    if (!found)
        return status_no_memory("stacking operations");
    if (*found == MAP_NONE) {
        category = category_of(op, strings_get(stacking->advise->report->strings, op->row->code));
        done = new_group(stacking, name, category ? category : "Other", device);
        *found = (uint32_t)stacking->stack->count - (done == STATUS_OK);
    }
    *row = *found;
    return done;
}

/* ---- The stack ---- */

#define NO_ROW UINT32_MAX

static bool is_stacked(const struct stacking *stacking, const struct advise_op *op)
{
    return !op->signpost && !(stacking->by_device && op->row->device < 0);
}

static int compare_names(const void *one, const void *other)
{
    const struct advise_stack_row *a = one;
    const struct advise_stack_row *b = other;
    int order = strcmp(a->name, b->name);

    return order ? order : a->device < b->device ? -1 : a->device > b->device;
}

static int compare_devices(const void *one, const void *other)
{
    const struct advise_stack_row *a = one;
    const struct advise_stack_row *b = other;

    return a->device != b->device ? (a->device < b->device ? -1 : 1) : compare_names(one, other);
}

/* The longest first, what is not known last; equal ones by name. */
static int compare_times(const void *one, const void *other)
{
    const struct advise_stack_row *a = one;
    const struct advise_stack_row *b = other;

    if (isnan(a->time) != isnan(b->time))
        return isnan(a->time) ? 1 : -1;
    if (a->time > b->time || a->time < b->time)
        return a->time > b->time ? -1 : 1;
    return compare_names(one, other);
}

static status add_ops(struct stacking *stacking)
{
    const struct advise *advise = stacking->advise;
    status code = STATUS_OK;

    for (size_t i = 0; i < advise->count && code == STATUS_OK; i++) {
        const struct advise_op *op = &advise->ops[i];
        uint32_t row = 0;

        stacking->row_of[i] = NO_ROW;
        if (!is_stacked(stacking, op))
            continue;
        code = group_of(stacking, op, &row);
        if (code != STATUS_OK)
            continue;
        stacking->row_of[i] = row;
        add_op(&stacking->stack->rows[row], &stacking->sums[row], op);
    }
    return code;
}

/* The sample's deviation needs the mean first. */
static void add_deviations(struct stacking *stacking)
{
    const struct advise *advise = stacking->advise;

    for (size_t i = 0; i < stacking->stack->count; i++) {
        struct stack_sums *sums = &stacking->sums[i];

        if (sums->measured)
            stacking->stack->rows[i].mean = sums->share.sum / (double)sums->measured;
    }
    for (size_t i = 0; i < advise->count; i++) {
        uint32_t row = stacking->row_of[i];
        double distance;

        if (row == NO_ROW || isnan(advise->ops[i].flops_percent))
            continue;
        distance = advise->ops[i].flops_percent - stacking->stack->rows[row].mean;
        stacking->sums[row].squares += distance * distance;
    }
    for (size_t i = 0; i < stacking->stack->count; i++) {
        struct stack_sums *sums = &stacking->sums[i];

        if (sums->measured > 1)
            stacking->stack->rows[i].deviation = sqrt(sums->squares / (double)(sums->measured - 1));
    }
}

/* The mean by time. The original takes all devices together for it, also where they are shown apart. */
static void add_weighted(struct stacking *stacking)
{
    bool together = stacking->by_device && stacking->advise->options.as_original;

    for (size_t i = 0; i < stacking->stack->count; i++) {
        double weighted = 0, weight = 0;

        for (size_t j = together ? 0 : i; j < (together ? stacking->stack->count : i + 1); j++) {
            if (stacking->sums[j].name != stacking->sums[i].name)
                continue;
            weighted += stacking->sums[j].weighted.sum;
            weight += stacking->sums[j].weight.sum;
        }
        if (weight > 0)
            stacking->stack->rows[i].weighted = weighted / weight;
    }
}

/* Of the device time of all groups, or of those of the same device. */
static void add_stack_shares(struct stacking *stacking)
{
    struct advise_stack *stack = stacking->stack;

    if (!stack->count)
        return;
    for (size_t i = 0; i < stack->count; i++)
        stack->rows[i].time =
            stack->rows[i].untimed && stack->rows[i].untimed == stack->rows[i].count ? NAN : stacking->sums[i].time.sum;
    qsort(stack->rows, stack->count, sizeof *stack->rows, compare_devices);
    for (size_t start = 0, end; start < stack->count; start = end) {
        struct advise_sum whole = { 0 };

        for (end = start; end < stack->count && stack->rows[end].device == stack->rows[start].device; end++)
            if (!isnan(stack->rows[end].time))
                advise_add(&whole, stack->rows[end].time);
        for (size_t i = start; i < end; i++)
            stack->rows[i].share =
                isnan(stack->rows[i].time) || whole.sum > 0 ? stack->rows[i].time / whole.sum * 100 : 0;
    }
    qsort(stack->rows, stack->count, sizeof *stack->rows, compare_times);
}

status advise_stack(struct advise *advise, enum advise_group group, struct advise_stack *stack)
{
    struct stacking stacking = {
        .advise = advise, .group = group, .by_device = advise->options.no_merge, .stack = stack
    };
    status code;

    assert(group <= GROUP_BY_CATEGORY);
    *stack = (struct advise_stack){ .by_category = group == GROUP_BY_CATEGORY, .by_device = advise->options.no_merge };
    number_map_start(&stacking.names);
    number_map_start(&stacking.rows);
    stacking.row_of = memory_allocate((advise->count + 1) * sizeof *stacking.row_of);
    code = stacking.row_of ? add_ops(&stacking) : status_no_memory("stacking operations");
    if (code == STATUS_OK) {
        add_deviations(&stacking);
        add_weighted(&stacking);
        add_stack_shares(&stacking);
    }
    memory_free(stacking.row_of);
    memory_free(stacking.sums);
    number_map_free(&stacking.names);
    number_map_free(&stacking.rows);
    return code;
}

void advise_stack_free(struct advise_stack *stack)
{
    memory_free(stack->rows);
    memory_free(stack->messages);
}
