/* tracy_times.c: tracy_ops_times.csv: the host's zones: when each op was called, and what it called itself.
 *
 * Columns are found by name. An op's own zone is called TT_DNN… or TT_METAL… and says "id:1024" as its text; a function
 * inside of one names that op as its special parent.
 */
#include "base/csv.h"
#include "base/number.h"
#include "tenstorrent/tracy.h"

enum { NAME, TEXT, START, DURATION, PARENT, COLUMNS };

static const struct csv_column columns[COLUMNS] = {
    [NAME] = { .name = "name", .required = true },
    [TEXT] = { .name = "zone_text" },
    [START] = { .name = "ns_since_start", .required = true },
    [DURATION] = { .name = "exec_time_ns", .required = true },
    [PARENT] = { .name = "special_parent_text" },
};

static const struct csv_wish wish = { .columns = columns, .count = COLUMNS, .flags = CSV_ANY_CASE };

bool tracy_is_times(struct text head)
{
    bool has[COLUMNS] = { false };

    return csv_probe(head, &wish, has) && has[NAME] && has[START] && has[DURATION] && (has[TEXT] || has[PARENT]);
}

/* The number behind the last colon; false: there is none. */
static bool read_id(struct text text, int64_t *id)
{
    const char *colon = text_last(text, ':');

    if (!colon)
        return false;
    text = text_trim(text_between(colon + 1, text.data + text.length));
    return number_parse_integer(text.data, text.length, id) && *id >= 0 && *id <= INT64_MAX / 4;
}

static bool read_time(struct text text, int64_t *time)
{
    text = text_trim(text);
    return number_parse_scaled(text.data, text.length, 0, time) == NUMBER_FINE && *time >= 0 && *time <= INT64_MAX / 4;
}

/* An op that only its zone tells of. */
static status add_op(struct tracy *tracy, int64_t call, struct text name, uint64_t line, uint32_t *index)
{
    struct tracy_op *op = tracy_op_new(tracy);
    status code;

    if (!op)
        return status_no_memory("keeping ops");
    *index = (uint32_t)(tracy->ops.count - 1);
    op->call = call;
    op->line = line;
    op->kind = text_contains(name, "FALL_BACK") ? TRACY_FALL_BACK_OP
               : text_contains(name, "DEVICE")  ? TRACY_DEVICE_OP
                                                : TRACY_HOST_OP;
    op_details_odd(tracy->details, OP_ODD_NO_MESSAGE, call, line);
    code = tracy_intern_text(tracy, name, &op->name);
    return code == STATUS_OK ? tracy_op_file(tracy, *index) : code;
}

static status take_op(struct tracy *tracy, struct csv *csv, int64_t call, int64_t start, int64_t duration)
{
    uint32_t first = number_map_find(&tracy->by_call, (uint64_t)call, 0), index = NO_ID;
    struct tracy_op *op;
    status code = STATUS_OK;

    if (first != NO_ID)
        index = tracy_op_at(tracy, first)->untimed;
    if (index == NO_ID)
        code = add_op(tracy, call, csv->values[NAME], csv->line.number, &index);
    if (code != STATUS_OK)
        return code;
    op = tracy_op_at(tracy, index);
    op->start = start;
    op->duration = duration;
    first = number_map_find(&tracy->by_call, (uint64_t)call, 0);
    tracy_op_at(tracy, first)->untimed = op->next;
    return STATUS_OK;
}

/* False: there are more functions than a report has room for. */
static status know_function(struct tracy *tracy, string_id function, bool *known)
{
    uint32_t *place = number_map_at(&tracy->functions, function, 0);

    if (!place)
        return status_no_memory("keeping host functions");
    *known = *place != NO_ID || number_map_count(&tracy->functions) <= OP_DETAIL_FUNCTIONS;
    if (*known)
        *place = function;
    return STATUS_OK;
}

static status take_function(struct tracy *tracy, struct csv *csv, int64_t parent, int64_t duration)
{
    uint32_t index = number_map_find(&tracy->by_call, (uint64_t)parent, 0);
    struct op_host_call *call;
    string_id function;
    uint32_t *place;
    bool known = false;
    status code = tracy_intern_text(tracy, csv->values[NAME], &function);

    if (code == STATUS_OK)
        code = know_function(tracy, function, &known);
    if (code != STATUS_OK)
        return code;
    if (!known || index == NO_ID) {
        op_details_odd(tracy->details, known ? OP_ODD_NO_PARENT : OP_ODD_FUNCTIONS, parent, csv->line.number);
        return STATUS_OK;
    }
    place = number_map_at(&tracy->calls, index, function);
    if (!place)
        return status_no_memory("keeping host functions");
    if (*place == NO_ID) {
        call = column_append(&tracy->details->calls);
        if (!call)
            return status_no_memory("keeping host functions");
        *place = (uint32_t)(tracy->details->calls.count - 1);
        *call = (struct op_host_call){ .function = function, .next = tracy_op_at(tracy, index)->calls };
        tracy_op_at(tracy, index)->calls = *place;
    }
    call = column_at(&tracy->details->calls, *place);
    call->total = number_add(call->total, duration);
    return STATUS_OK;
}

static status take_row(struct tracy *tracy, struct csv *csv, unsigned *column, const struct loss_reason **reason)
{
    bool own = text_contains(csv->values[NAME], "TT_DNN") || text_contains(csv->values[NAME], "TT_METAL");
    bool inside = text_contains(csv->values[PARENT], "id:");
    int64_t call, parent, start = 0, duration;
    status code = STATUS_OK;

    *reason = &loss_number;
    *column = DURATION;
    if (!own && !inside) {
        *reason = NULL;
        return STATUS_OK;
    }
    if (!read_time(csv->values[DURATION], &duration))
        return STATUS_OK;
    *column = START;
    if (own && !read_time(csv->values[START], &start))
        return STATUS_OK;
    *column = TEXT;
    if (own && !read_id(csv->values[TEXT], &call) && !inside)
        return STATUS_OK;
    *column = PARENT;
    if (inside && !read_id(csv->values[PARENT], &parent))
        return STATUS_OK;
    *reason = NULL;
    if (own && read_id(csv->values[TEXT], &call))
        code = take_op(tracy, csv, call, start, duration);
    return code == STATUS_OK && inside ? take_function(tracy, csv, parent, duration) : code;
}

static status read_row(struct tracy *tracy, struct source *source, struct csv *csv)
{
    const struct line *line = &csv->line;
    const struct loss_reason *reason = csv_row_loss(csv);
    uint64_t place = 1;
    status code = STATUS_OK;

    tracy->losses->rows++;
    if (!line->ended)
        code = source_lose_row(source, tracy->losses, &loss_last_line, line->number, 1);
    if (code == STATUS_OK && !reason) {
        unsigned column;

        code = take_row(tracy, csv, &column, &reason);
        place = reason ? csv_place(csv, column) : 1;
        if (reason && text_is_binary((struct text){ line->data, line->length }))
            reason = &loss_binary;
    }
    if (code == STATUS_OK && reason)
        return source_lose_row(source, tracy->losses, reason, line->number, place);
    tracy->losses->used++;
    return code;
}

status tracy_read_times(struct tracy *tracy, struct input *input)
{
    struct source source = *tracy->source;
    struct csv csv;
    bool found = true;
    status code = csv_open(&csv, input, &wish);

    source.input = input;
    while (code == STATUS_OK && found) {
        code = csv_next(&csv, &found);
        if (code == STATUS_OK && found)
            code = read_row(tracy, &source, &csv);
    }
    csv_close(&csv);
    return code;
}
