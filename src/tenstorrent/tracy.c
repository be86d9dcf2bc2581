/* tracy.c: what the parsers of the tracy files share: ops by their number, and texts that grow. */
#include "tenstorrent/tracy.h"

#include <string.h>

#include "base/memory.h"
#include "torq/csv.h"

/* ---- Index ---- */

void tracy_index_free(struct tracy_index *index)
{
    memory_free(index->slots);
    *index = (struct tracy_index){ .slots = NULL };
}

/* The slot of these numbers, or the free one where they belong. There is always a free one. */
static struct tracy_slot *find_slot(const struct tracy_index *index, uint64_t one, uint64_t other)
{
    uint64_t mixed = (one ^ (other + 0x9E3779B97F4A7C15u + (one << 6) + (one >> 2))) * 0xD6E8FEB86659FD93u;
    size_t at = (size_t)(mixed ^ mixed >> 32) & (index->size - 1);

    while (index->slots[at].taken && (index->slots[at].one != one || index->slots[at].other != other))
        at = (at + 1) & (index->size - 1);
    return &index->slots[at];
}

static bool grow_index(struct tracy_index *index)
{
    struct tracy_index grown = { .size = index->size ? index->size * 2 : 64, .count = index->count };

    grown.slots = memory_allocate_clear(grown.size * sizeof *grown.slots);
    if (!grown.slots)
        return false;
    for (size_t i = 0; i < index->size; i++)
        if (index->slots[i].taken)
            *find_slot(&grown, index->slots[i].one, index->slots[i].other) = index->slots[i];
    memory_free(index->slots);
    *index = grown;
    return true;
}

uint32_t *tracy_index_at(struct tracy_index *index, uint64_t one, uint64_t other)
{
    struct tracy_slot *slot;

    if ((index->count + 1) * 4 > index->size * 3 && !grow_index(index))
        return NULL;
    slot = find_slot(index, one, other);
    if (!slot->taken) {
        *slot = (struct tracy_slot){ one, other, NO_ID, true };
        index->count++;
    }
    return &slot->value;
}

uint32_t tracy_index_find(const struct tracy_index *index, uint64_t one, uint64_t other)
{
    const struct tracy_slot *slot;

    if (!index->size)
        return NO_ID;
    slot = find_slot(index, one, other);
    return slot->taken ? slot->value : NO_ID;
}

/* ---- What was read ---- */

void tracy_start(struct tracy *tracy, struct source *source, struct op_details *details)
{
    *tracy = (struct tracy){
        .source = source, .details = details, .strings = details->report->strings, .losses = &details->report->losses
    };
    column_start(&tracy->ops, sizeof(struct tracy_op));
    column_start(&tracy->signposts, sizeof(struct tracy_signpost));
    column_start(&tracy->replays, sizeof(int64_t));
    column_start(&tracy->traces, sizeof(int64_t));
}

void tracy_free(struct tracy *tracy)
{
    column_free(&tracy->ops);
    column_free(&tracy->signposts);
    column_free(&tracy->replays);
    column_free(&tracy->traces);
    tracy_index_free(&tracy->by_call);
    tracy_index_free(&tracy->infos);
    tracy_index_free(&tracy->open);
    tracy_index_free(&tracy->replayed);
    tracy_index_free(&tracy->calls);
    tracy_index_free(&tracy->functions);
    memory_free(tracy->text);
    memory_free(tracy->plain);
    memory_free(tracy->unescaped);
    memory_free(tracy->json);
}

struct tracy_op *tracy_op_new(struct tracy *tracy)
{
    struct tracy_op *op = tracy->ops.count < NO_ID - 1 ? column_append(&tracy->ops) : NULL;

    if (op)
        *op = (struct tracy_op){ .call = OP_NONE,
                                 .trace = OP_NONE,
                                 .message = OP_NONE,
                                 .start = OP_NONE,
                                 .duration = OP_NONE,
                                 .info = NO_ID,
                                 .calls = NO_ID,
                                 .next = NO_ID,
                                 .last = NO_ID,
                                 .untimed = NO_ID,
                                 .device = -1,
                                 .hit = -1 };
    return op;
}

status tracy_op_file(struct tracy *tracy, uint32_t index)
{
    struct tracy_op *op = tracy_op_at(tracy, index), *first;
    uint32_t *place = tracy_index_at(&tracy->by_call, (uint64_t)op->call, 0);

    if (!place)
        return status_no_memory("keeping ops");
    if (*place == NO_ID)
        *place = op->last = op->untimed = index;
    first = tracy_op_at(tracy, *place);
    if (first == op)
        return STATUS_OK;
    op_details_odd(tracy->details, OP_ODD_REPEATED, op->call, op->line);
    tracy_op_at(tracy, first->last)->next = index;
    first->last = index;
    if (first->untimed == NO_ID)
        first->untimed = index;
    return STATUS_OK;
}

/* ---- Texts ---- */

status tracy_put(struct tracy *tracy, const char *data, size_t length)
{
    status code = memory_grow(&tracy->text, &tracy->capacity, tracy->length + length + 1, 1);

    if (code != STATUS_OK)
        return code;
    if (length)
        memcpy(tracy->text + tracy->length, data, length);
    tracy->length += length;
    return STATUS_OK;
}

status tracy_intern(struct tracy *tracy, string_id *id)
{
    status code = STATUS_OK;

    for (size_t i = 0; i < tracy->length; i++) {
        if (tracy->text[i] == ',')
            tracy->text[i] = ';';
        else if (tracy->text[i] == '\n' || tracy->text[i] == '\r' || tracy->text[i] == '\0')
            tracy->text[i] = ' ';
    }
    *id = 0;
    if (tracy->length)
        code = strings_add(tracy->strings, tracy->text, tracy->length, id);
    tracy->length = 0;
    return code;
}

status tracy_intern_text(struct tracy *tracy, struct text text, string_id *id)
{
    status code;

    while (text.length && strchr(" \t\r\n", *text.data)) {
        text.data++;
        text.length--;
    }
    while (text.length && strchr(" \t\r\n", text.data[text.length - 1]))
        text.length--;
    code = tracy_put(tracy, text.data, text.length);
    return code == STATUS_OK ? tracy_intern(tracy, id) : code;
}
