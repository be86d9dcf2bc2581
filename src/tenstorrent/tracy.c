/* tracy.c: what the parsers of the tracy files share: ops by their number, and texts that grow. */
#include "tenstorrent/tracy.h"

#include <assert.h>
#include <string.h>

#include "base/memory.h"

/* ---- What was read ---- */

void tracy_start(struct tracy *tracy, struct source *source, struct op_details *details)
{
    assert(details->report && details->report->strings);
    *tracy = (struct tracy){
        .source = source, .details = details, .strings = details->report->strings, .losses = &details->report->losses
    };
    column_start(&tracy->ops, sizeof(struct tracy_op));
    column_start(&tracy->signposts, sizeof(struct tracy_signpost));
    column_start(&tracy->replays, sizeof(int64_t));
    column_start(&tracy->traces, sizeof(int64_t));
    number_map_start(&tracy->by_call);
    number_map_start(&tracy->infos);
    number_map_start(&tracy->open);
    number_map_start(&tracy->replayed);
    number_map_start(&tracy->calls);
    number_map_start(&tracy->functions);
}

void tracy_free(struct tracy *tracy)
{
    column_free(&tracy->ops);
    column_free(&tracy->signposts);
    column_free(&tracy->replays);
    column_free(&tracy->traces);
    number_map_free(&tracy->by_call);
    number_map_free(&tracy->infos);
    number_map_free(&tracy->open);
    number_map_free(&tracy->replayed);
    number_map_free(&tracy->calls);
    number_map_free(&tracy->functions);
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
    uint32_t *place = number_map_at(&tracy->by_call, (uint64_t)op->call, 0);

    assert(index < tracy->ops.count && tracy_op_at(tracy, index)->call != OP_NONE);
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

    assert(length == 0 || data);
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

    assert(tracy->length < tracy->capacity || !tracy->length);
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

    text = text_trim(text);
    code = tracy_put(tracy, text.data, text.length);
    return code == STATUS_OK ? tracy_intern(tracy, id) : code;
}
