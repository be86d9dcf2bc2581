/* tracy_data.c: tracy_ops_data.csv: the messages that a program sent to Tracy.
 *
 *   MessageName;total_ns
 *   `TT_DNN_DEVICE_OP: "Matmul", 1234, 0, false, 1024 ->
 *   { JSON over many lines }`;5012345
 *   `TT_DNN_DEVICE_OP: "Matmul", 1234, 0, true, 2048`;5112345
 *   `TT_METAL_TRACE_BEGIN: 0, 1`;5200000
 *   `TT_SIGNPOST: name
 *   message`;5300000
 *
 * Quoted by backquotes. Tracy cuts messages behind 64 KiB, which takes the closing quote with it: such a message ends where the
 * next one begins. Other messages of the program stand between them, quoted or not.
 */
#include <string.h>

#include "base/lines.h"
#include "base/memory.h"
#include "base/number.h"
#include "tenstorrent/tracy.h"

struct messages {
    struct tracy *tracy;  /* that is filled; borrowed */
    struct source source; /* of this file */
    struct lines *lines;  /* of the file */
    struct line line;     /* at hand */
    unsigned time_column; /* of the time, from the message */
    int64_t last;         /* time of the message before */
    bool skipping;        /* inside of a message that was lost */
    struct text message;  /* of the record: without quotes */
    struct text rest;     /* what stands behind it, from its delimiter on */
    bool timed;           /* the record tells a time */
    int64_t time;         /* ns; valid when `timed` */
};

/* ---- Records ---- */

/* The end of a quoted text that begins at `from`; NULL: it has none here. A doubled quote is one of the text. */
static const char *find_close(const char *from, const char *end)
{
    for (const char *at = from; at < end; at += 2) {
        at = memchr(at, '`', (size_t)(end - at));
        if (!at)
            return NULL;
        if (at + 1 == end || at[1] != '`')
            return at;
    }
    return NULL;
}

/* Where the time behind the last ';' begins; NULL: the text does not end so. */
static const char *find_time(struct text text)
{
    const char *at = text.data + text.length;

    while (at > text.data && at[-1] >= '0' && at[-1] <= '9')
        at--;
    return at < text.data + text.length && at > text.data && at[-1] == ';' ? at - 1 : NULL;
}

/* Whether a line begins a message, so that the one before cannot go on. */
static bool begins_message(struct text line, bool ended)
{
    if (text_begins(line, "`TT_"))
        return true;
    return ended && line.length > 1 && line.data[0] == '`' && line.data[1] != ';' && line.data[1] != '`';
}

/* Adds lines until the quote is closed. `*closed` NULL: it is not, and the record ends where it ends. */
static status close_quote(struct messages *messages, const char **closed)
{
    struct line *line = &messages->line;
    size_t scanned = 1;

    for (;;) {
        struct text next, last;
        size_t newline;
        bool found;
        status code;

        *closed = find_close(line->data + scanned, line->data + line->length);
        if (*closed)
            return STATUS_OK;
        newline = line->length;
        code = lines_peek(messages->lines, line, &next, &found);
        last = (struct text){ line->data, line->length };
        if (code != STATUS_OK || !found || begins_message(next, find_time(last) != NULL))
            return code;
        code = lines_extend(messages->lines, line, &found);
        if (code != STATUS_OK || !found) {
            messages->skipping = code == STATUS_OK;
            return code;
        }
        scanned = newline;
    }
}

/* Splits a line that is not quoted, or whose quote is not closed: the time is what stands last. */
static void split_plain(struct messages *messages, size_t from)
{
    struct text all = { messages->line.data + from, messages->line.length - from };
    const char *time = find_time(all);

    messages->message = all;
    messages->rest = (struct text){ all.data + all.length, 0 };
    if (!time)
        return;
    messages->message.length = (size_t)(time - all.data);
    messages->rest = (struct text){ time, all.length - messages->message.length };
}

static bool read_small(struct text text, int64_t *number)
{
    text = text_trim(text);
    return number_parse_integer(text.data, text.length, number) && *number >= 0 && *number <= INT64_MAX / 4;
}

static void read_time(struct messages *messages)
{
    struct text rest = messages->rest, field = { NULL, 0 };

    for (unsigned i = 0; i <= messages->time_column; i++)
        field = text_take(&rest, ';');
    messages->timed = read_small(field, &messages->time);
    if (messages->timed)
        messages->last = messages->time;
    else
        messages->time = messages->last;
}

/* Takes doubled quotes out. */
static status plain_message(struct messages *messages)
{
    struct tracy *tracy = messages->tracy;
    struct text *message = &messages->message;
    const char *quote = message->length ? memchr(message->data, '`', message->length) : NULL;
    size_t length = 0;
    status code;

    if (!quote)
        return STATUS_OK;
    code = memory_grow(&tracy->plain, &tracy->plain_capacity, message->length, 1);
    if (code != STATUS_OK)
        return code;
    for (size_t i = 0; i < message->length; i++) {
        tracy->plain[length++] = message->data[i];
        if (message->data[i] == '`' && i + 1 < message->length && message->data[i + 1] == '`')
            i++;
    }
    *message = (struct text){ tracy->plain, length };
    return STATUS_OK;
}

/* The next record; the lines of one that was lost are its own. `*reason` NULL: it can be used. */
static status next_record(struct messages *messages, bool *found, const struct loss_reason **reason)
{
    struct line *line = &messages->line;
    const char *closed = NULL;
    status code;

    do {
        code = lines_next(messages->lines, line, found);
        if (code != STATUS_OK || !*found)
            return code;
        if (line->length && line->data[0] == '`')
            messages->skipping = false;
    } while (messages->skipping || text_is_blank((struct text){ line->data, line->length }));
    *reason = line->too_long ? &loss_too_long : NULL;
    if (line->too_long)
        return STATUS_OK;
    if (line->data[0] != '`') {
        split_plain(messages, 0);
    } else {
        code = close_quote(messages, &closed);
        if (code != STATUS_OK)
            return code;
        if (messages->skipping)
            *reason = &loss_quote;
        split_plain(messages, 1);
        if (closed) {
            messages->message.length = (size_t)(closed - messages->message.data);
            messages->rest = (struct text){ closed + 1, (size_t)(line->data + line->length - closed - 1) };
        }
    }
    read_time(messages);
    return closed && *reason == NULL ? plain_message(messages) : STATUS_OK;
}

/* ---- Ops ---- */

/* The field before `*end`, which moves to the comma before it. */
static struct text last_field(const char *start, const char **end)
{
    const char *comma = *end > start ? memrchr(start, ',', (size_t)(*end - start)) : NULL;
    const char *from = comma ? comma + 1 : start;
    struct text field = text_trim((struct text){ from, (size_t)(*end - from) });

    *end = comma ? comma : start;
    return field;
}

static struct text unquoted(struct text text)
{
    text = text_trim(text);
    if (text.length > 1 && text.data[0] == '"') {
        const char *quote = memchr(text.data + 1, '"', text.length - 1);

        text.data++;
        text.length = quote ? (size_t)(quote - text.data) : text.length - 1;
    }
    while (text.length > 3 && text_cut_end(&text, "..."))
        continue;
    return text;
}

static bool is_truth(struct text text)
{
    static const char *const words[] = { "true", "false", "True", "False", "0", "1" };

    for (unsigned i = 0; i < sizeof words / sizeof *words; i++)
        if (text_is(text, words[i]))
            return true;
    return false;
}

/* Up to four fields from the right, the name left out; gives how many. */
static unsigned split_head(struct text head, struct text fields[4])
{
    const char *start = head.data, *end = head.data + head.length;
    const char *open = text_trim(head).data;
    unsigned count = 0;

    if (text_trim(head).length && *open == '"') {
        const char *quote = memchr(open + 1, '"', (size_t)(end - open - 1));

        start = quote ? quote + 1 : start; /* a name in quotes may hold commas */
    }
    while (count < 4 && end > start) {
        fields[count++] = last_field(start, &end);
        if (end == start && *start != ',')
            count--; /* that was the name */
    }
    return count;
}

/* The first line of a message: "name", hash, device, cache hit, call. Older ones lack the hit, others all but the name. */
static status read_head(struct tracy *tracy, struct text head, struct tracy_op *op)
{
    struct text name = head, fields[4];
    unsigned count = split_head(head, fields);
    unsigned numbers = count == 4 && is_truth(fields[1]) ? 4 : 3;
    int64_t call, device;

    if (count >= numbers && read_small(fields[0], &call) && read_small(fields[numbers - 2], &device) &&
        device < INT32_MAX) {
        struct text hash = fields[numbers - 1];

        op->call = call;
        op->device = (int32_t)device;
        if (numbers == 4)
            op->hit = fields[1].data[0] == '1' || fields[1].data[0] == 't' || fields[1].data[0] == 'T';
        name.length = (size_t)(hash.data - head.data);
        while (name.length && (name.data[name.length - 1] == ',' || name.data[name.length - 1] == ' '))
            name.length--;
        if (strings_add(tracy->strings, hash.data, hash.length, &op->hash) != STATUS_OK)
            return STATUS_MEMORY;
    }
    return tracy_intern_text(tracy, unquoted(name), &op->name);
}

/* A cached op whose tensors are others than before: its message tells those, the latest full one all else. */
static void complete_info(struct tracy *tracy, struct tracy_op *op)
{
    uint32_t found = number_map_find(&tracy->infos, (uint64_t)op->device, op->hash);
    struct op_info *info = column_at(&tracy->details->infos, op->info), own = *info;

    info->hash = op->hash;
    if (found == NO_ID) {
        op_details_odd(tracy->details, OP_ODD_NO_FULL, op->call, op->line);
        return;
    }
    *info = *(const struct op_info *)column_at(&tracy->details->infos, found);
    if (own.inputs || own.outputs) {
        info->first_tensor = own.first_tensor;
        info->inputs = own.inputs;
        info->outputs = own.outputs;
    }
    info->attributes = own.attributes ? own.attributes : info->attributes;
    info->ideal = own.ideal ? own.ideal : info->ideal;
    info->compute = own.compute ? own.compute : info->compute;
    info->bandwidth = own.bandwidth ? own.bandwidth : info->bandwidth;
    info->input_rates = own.input_rates ? own.input_rates : info->input_rates;
    info->output_rates = own.output_rates ? own.output_rates : info->output_rates;
}

static status apply_json(struct tracy *tracy, struct tracy_op *op, struct text json)
{
    struct tracy_message told;
    uint32_t *place;
    status code = tracy_read_json(tracy, json, op->line, &told);

    if (code != STATUS_OK)
        return code;
    op->info = told.info;
    if (told.call != OP_NONE)
        op->call = told.call;
    if (told.device >= 0)
        op->device = told.device;
    if (told.hash)
        op->hash = told.hash;
    if (told.hit >= 0)
        op->hit = told.hit;
    if (told.closed && !told.whole && op->hit == 1 && op->hash && op->device >= 0) {
        complete_info(tracy, op);
        return STATUS_OK;
    }
    if (!told.whole) {
        struct op_info *info = column_at(&tracy->details->infos, op->info);

        op_details_odd(tracy->details, OP_ODD_CUT, op->call, op->line);
        info->hash = op->hash; /* its first line has it, too */
    }
    if (!op->hash || op->device < 0)
        return STATUS_OK;
    place = number_map_at(&tracy->infos, (uint64_t)op->device, op->hash);
    if (!place)
        return status_no_memory("keeping ops");
    /* The latest whole message counts; one that was cut off only until a whole one comes. */
    if (*place == NO_ID || told.whole || !((struct op_info *)column_at(&tracy->details->infos, *place))->whole)
        *place = op->info;
    return STATUS_OK;
}

/* Splits a message at the arrow behind its first line. False: it has no JSON, all of it is the first line. */
static bool split_message(struct text body, struct text *head, struct text *json)
{
    static const char *const arrows[] = { " ->\n", " ->\r\n" };

    *head = body;
    *json = (struct text){ body.data + body.length, 0 };
    for (unsigned i = 0; i < sizeof arrows / sizeof *arrows; i++) {
        const char *found = text_find(body, arrows[i]);

        if (!found)
            continue;
        *head = text_between(body.data, found);
        *json = text_after(body, arrows[i]);
        return true;
    }
    return text_cut_end(head, " ->"); /* right behind it the message was cut off */
}

static enum tracy_kind kind_of(struct text tag)
{
    if (text_contains(tag, "FALL_BACK"))
        return TRACY_FALL_BACK_OP;
    return text_contains(tag, "DEVICE") ? TRACY_DEVICE_OP : TRACY_HOST_OP;
}

static status take_op(struct messages *messages, struct text tag, struct text body)
{
    struct tracy *tracy = messages->tracy;
    struct tracy_op *op = tracy_op_new(tracy);
    struct text head, json;
    bool full = split_message(body, &head, &json);
    uint32_t trace;
    status code;

    if (!op)
        return status_no_memory("keeping ops");
    op->line = messages->line.number;
    op->message = messages->time;
    op->kind = (uint8_t)kind_of(tag);
    code = read_head(tracy, head, op);
    if (code == STATUS_OK && full)
        code = apply_json(tracy, op, json);
    op->cached = !full && op->hash;
    if (op->cached)
        op->info = number_map_find(&tracy->infos, (uint64_t)op->device, op->hash);
    trace = op->device >= 0 ? number_map_find(&tracy->open, (uint64_t)op->device, 0) : NO_ID;
    if (trace != NO_ID)
        op->trace = *(int64_t *)column_at(&tracy->traces, trace);
    if (code == STATUS_OK && op->call != OP_NONE)
        code = tracy_op_file(tracy, (uint32_t)(tracy->ops.count - 1));
    return code;
}

/* ---- Traces and signposts ---- */

static status begin_trace(struct messages *messages, int64_t device, int64_t trace)
{
    struct tracy *tracy = messages->tracy;
    uint32_t *open = number_map_at(&tracy->open, (uint64_t)device, 0);
    int64_t *kept = column_append(&tracy->traces);

    if (!open || !kept)
        return status_no_memory("keeping traces");
    *kept = trace;
    if (*open != NO_ID)
        op_details_odd(tracy->details, OP_ODD_TRACE, OP_NONE, messages->line.number);
    *open = (uint32_t)(tracy->traces.count - 1);
    return STATUS_OK;
}

static status end_trace(struct messages *messages, int64_t device, int64_t trace)
{
    struct tracy *tracy = messages->tracy;
    uint32_t *open = number_map_at(&tracy->open, (uint64_t)device, 0);

    if (!open)
        return status_no_memory("keeping traces");
    if (*open == NO_ID || *(int64_t *)column_at(&tracy->traces, *open) != trace)
        op_details_odd(tracy->details, OP_ODD_TRACE, OP_NONE, messages->line.number);
    else
        *open = NO_ID;
    return STATUS_OK;
}

static status replay_trace(struct messages *messages, int64_t device, int64_t trace)
{
    struct tracy *tracy = messages->tracy;
    uint32_t *count = number_map_at(&tracy->replayed, tracy_trace_key(device, trace), 0);
    int64_t *time = column_append(&tracy->replays);
    uint32_t session;
    uint32_t *place;

    if (!count || !time)
        return status_no_memory("keeping replays");
    session = *count == NO_ID ? 1 : *count + 1;
    *count = session;
    *time = messages->time;
    place = number_map_at(&tracy->replayed, tracy_trace_key(device, trace), session);
    if (!place)
        return status_no_memory("keeping replays");
    *place = (uint32_t)(tracy->replays.count - 1);
    return STATUS_OK;
}

static status take_trace(struct messages *messages, struct text tag, struct text body)
{
    const char *cursor = text_trim(body).data, *end = body.data + body.length;
    int64_t device, trace;
    bool readable = number_read_integer(&cursor, end, &device);

    while (cursor < end && (*cursor == ',' || *cursor == ' '))
        cursor++;
    readable = readable && number_read_integer(&cursor, end, &trace) && device >= 0 && device < 1 << 20 && trace >= 0 &&
               trace <= INT32_MAX;
    if (!readable) {
        op_details_odd(messages->tracy->details, OP_ODD_TRACE_TEXT, OP_NONE, messages->line.number);
        return STATUS_OK;
    }
    if (text_contains(tag, "BEGIN"))
        return begin_trace(messages, device, trace);
    if (text_contains(tag, "END"))
        return end_trace(messages, device, trace);
    return replay_trace(messages, device, trace);
}

static status take_signpost(struct messages *messages, struct text body)
{
    struct tracy *tracy = messages->tracy;
    const char *newline = memchr(body.data, '\n', body.length);
    struct text header = { body.data, newline ? (size_t)(newline - body.data) : body.length };
    struct text message = { body.data + header.length, body.length - header.length };
    struct tracy_signpost *signpost = column_append(&tracy->signposts);
    status code;

    if (!signpost)
        return status_no_memory("keeping signposts");
    *signpost = (struct tracy_signpost){ .time = messages->time };
    code = tracy_intern_text(tracy, header, &signpost->header);
    return code == STATUS_OK ? tracy_intern_text(tracy, message, &signpost->message) : code;
}

/* ---- All of it ---- */

static status take_message(struct messages *messages)
{
    struct text message = text_trim(messages->message), tag, body;
    const char *colon = memchr(message.data, ':', message.length);
    bool ours =
        text_begins(message, "TT_DNN") || text_begins(message, "TT_METAL") || text_begins(message, "TT_SIGNPOST");

    if (!ours || !colon) {
        messages->tracy->details->other_messages++;
        return STATUS_OK;
    }
    if (!messages->timed)
        op_details_odd(messages->tracy->details, OP_ODD_UNTIMED, OP_NONE, messages->line.number);
    tag = (struct text){ message.data, (size_t)(colon - message.data) };
    body = (struct text){ colon + 1, message.length - tag.length - 1 };
    if (text_begins(message, "TT_SIGNPOST"))
        return take_signpost(messages, body);
    if (text_contains(tag, "OP"))
        return take_op(messages, tag, body);
    if (text_contains(tag, "TRACE_BEGIN") || text_contains(tag, "TRACE_END") || text_contains(tag, "TRACE_REPLAY"))
        return take_trace(messages, tag, body);
    messages->tracy->details->other_messages++;
    return STATUS_OK;
}

static bool take_header(struct messages *messages)
{
    struct text rest = { messages->line.data, messages->line.length };

    for (unsigned i = 0; rest.data; i++) {
        struct text field = text_trim(text_take(&rest, ';'));

        if (text_cut_start(&field, "`"))
            (void)text_cut_end(&field, "`");
        if (i == 0 && !text_is(field, "MessageName"))
            return false;
        if (i > 0 && text_is(field, "total_ns"))
            messages->time_column = i;
    }
    return true;
}

static status read_messages(struct messages *messages)
{
    struct tracy *tracy = messages->tracy;
    bool first = true;

    for (;;) {
        const struct loss_reason *reason = NULL;
        bool found;
        status code = next_record(messages, &found, &reason);

        if (code != STATUS_OK || !found)
            return code;
        if (first && take_header(messages)) {
            first = false;
            continue;
        }
        first = false;
        tracy->losses->rows++;
        if (reason != NULL) {
            code = source_lose_row(&messages->source, tracy->losses, reason, messages->line.number, 1);
        } else {
            tracy->losses->used++;
            code = take_message(messages);
        }
        if (code != STATUS_OK)
            return code;
    }
}

/* Cached ops whose full message stands behind them, or nowhere. */
static status find_infos(struct tracy *tracy)
{
    for (size_t i = 0; i < tracy->ops.count; i++) {
        struct tracy_op *op = tracy_op_at(tracy, i);
        struct op_info *info;
        uint32_t *place;

        if (!op->cached)
            continue;
        place = number_map_at(&tracy->infos, (uint64_t)op->device, op->hash);
        if (place && *place == NO_ID) {
            info = column_append(&tracy->details->infos);
            if (!info)
                return status_no_memory("keeping ops");
            *info = (struct op_info){ .hash = op->hash };
            *place = (uint32_t)(tracy->details->infos.count - 1);
        }
        if (!place)
            return status_no_memory("keeping ops");
        if (op->info == NO_ID)
            op->info = *place;
        info = column_at(&tracy->details->infos, op->info);
        if (!info->code && !info->type) /* only hash and name are known */
            op_details_odd(tracy->details, OP_ODD_NO_FULL, op->call, op->line);
    }
    return STATUS_OK;
}

status tracy_read_data(struct tracy *tracy, struct input *input)
{
    struct messages messages = { .tracy = tracy, .source = *tracy->source, .time_column = 1 };
    status code = lines_open(input, &messages.lines);

    messages.source.input = input;
    if (code == STATUS_OK)
        code = read_messages(&messages);
    lines_close(messages.lines);
    /* Also after a failure: what was read is used. */
    return find_infos(tracy) == STATUS_OK ? code : STATUS_MEMORY;
}
