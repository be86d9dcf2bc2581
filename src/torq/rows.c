/* rows.c: headers as Torq spells them, and locations that are no CSV fields. */
#include "torq/rows.h"

#include <assert.h>

#include "base/memory.h"
#include "torq/chain.h"
#include "torq/location.h"

struct header_spelling {
    const char *names;      /* lower case, one comma between names, blanks inside a name as "_" */
    enum row_header header; /* that it is */
};

static const struct header_spelling spellings[] = {
    { "event_name,start_time,end_time,mlir_src_line,event_type", HEADER_INTERVALS },
    { "event_name,start_time,end_time,mlir_src_line,event_type,bytes", HEADER_INTERVALS },
    { "id,start,end,location,op_type", HEADER_INTERVALS },
    { "id,start,end,location,op_type,bytes", HEADER_INTERVALS },
    { "id,start,end,location,type", HEADER_INTERVALS },
    { "id,start,end,location,type,bytes", HEADER_INTERVALS },
    { "actionindex,elapsed_time(us),timestamp(us),event,location,bytes", HEADER_C3 },
    { "taskid,elapsed_time(us),timestamp(us),event,location,bytes", HEADER_C4 },
    { "id,time_since_open,time_since_start,location", HEADER_R1 },
    { "id,time_since_open,time_since_start,mlir_loc", HEADER_R1 },
    { "dispatch_id,time_since_open,time_since_start,location", HEADER_R1 },
    { "dispatch_id,time_since_open,time_since_start,mlir_loc", HEADER_R1 },
    { "id,time_since_open,time_since_start", HEADER_R1_SHORT },
    { "dispatch_id,time_since_open,time_since_start", HEADER_R1_SHORT },
    { "actionindex,elapsed_time(us),timestamp(us),event,location", HEADER_R2 },
    { "actionindex,elapsed_time(us),timestamp(us),event", HEADER_R2 },
};

enum { LONGEST_HEADER = 160 };

static bool is_delimiter(char sign)
{
    return sign == ',' || sign == ';' || sign == '\t';
}

/* One spelling for all: lower case, single commas, no blanks around names, no quotes. Length 0: too long to be one. */
static size_t normalise_header(struct text line, char *to)
{
    size_t length = 0;
    bool pending = false; /* blanks inside a name, not yet written */

    for (size_t i = 0; i < line.length; i++) {
        char sign = line.data[i];
        bool at_start = length == 0 || to[length - 1] == ',';

        if (length + 2 >= LONGEST_HEADER)
            return 0;
        if (is_delimiter(sign)) {
            to[length++] = ',';
            pending = false;
        } else if (char_is_blank(sign)) {
            pending = !at_start;
        } else if (sign != '"') {
            if (pending)
                to[length++] = '_';
            pending = false;
            to[length++] = char_lower(sign);
        }
    }
    return length;
}

/* The first byte after an RFC 4180 field that begins at `start`; NULL: not closed. */
static const char *after_quoted(const char *start, const char *end)
{
    const char *next = start + 1;

    while (next < end) {
        const char *quote = memchr(next, '"', (size_t)(end - next));

        if (!quote)
            return NULL;
        if (quote + 1 == end || quote[1] != '"')
            return quote + 1;
        next = quote + 2;
    }
    return NULL;
}

struct text row_field(struct text *rest, char delimiter)
{
    struct text field;
    const char *after;

    while (rest->length && *rest->data == ' ')
        text_cut_start(rest, " ");
    after = rest->length && *rest->data == '"' ? after_quoted(rest->data, rest->data + rest->length) : NULL;
    if (!after)
        return text_trim(text_take(rest, delimiter));
    field = text_between(rest->data + 1, after - 1);
    /* What stands between the quote and the delimiter is no part of any field; there is nothing as a rule. */
    *rest = text_between(after, rest->data + rest->length);
    text_take(rest, delimiter);
    return text_trim(field);
}

bool row_scope_columns(struct text line, struct scope_columns *columns)
{
    static const char *const names[] = { "dispatch_name", "invocation_id", "action_id", "timestamp_us", "event" };
    unsigned known = 0;

    *columns = (struct scope_columns){ .usual = true };
    for (; line.data; columns->count++) {
        struct text name = row_field(&line, ',');
        bool nanoseconds = text_is_any_case(name, "timestamp_ns");

        for (unsigned i = 0; i < SCOPE_COLUMNS; i++) {
            if (!text_is_any_case(name, names[i]) && !(i == SCOPE_TIME && nanoseconds))
                continue;
            known |= 1u << i;
            columns->places[i] = columns->count;
            columns->usual &= i == columns->count;
            columns->nanoseconds |= nanoseconds;
        }
    }
    columns->usual &= columns->count == SCOPE_COLUMNS;
    return known == (1u << SCOPE_COLUMNS) - 1;
}

enum row_header row_header(struct text line)
{
    char names[LONGEST_HEADER];
    size_t length;

    struct scope_columns columns;

    line = text_trim(line);
    if (row_scope_columns(line, &columns))
        return HEADER_R3;
    if (line.length > LONGEST_HEADER)
        return HEADER_NONE;
    length = normalise_header(line, names);
    for (size_t i = 0; i < sizeof spellings / sizeof *spellings; i++) {
        if (text_is((struct text){ names, length }, spellings[i].names))
            return spellings[i].header;
    }
    return HEADER_NONE;
}

/* Where a field of neither form ends: at a delimiter outside of quotes, so that "a,b.mlir":4:10 stays whole. */
static const char *after_bare(const char *start, const char *end, char delimiter)
{
    bool inside = false;

    for (const char *next = start; next < end; next++) {
        if (*next == '"')
            inside = !inside;
        else if (*next == delimiter && !inside)
            return next;
    }
    return inside ? NULL : end;
}

const struct loss_reason *row_location(const char **cursor, const char *end, char delimiter,
                                       struct row_location *location)
{
    const char *start = *cursor;
    const char *after;

    assert(*cursor <= end);
    while (start < end && *start == ' ')
        start++;
    location->quoted = false;
    if ((size_t)(end - start) >= 4 && memcmp(start, "loc(", 4) == 0) {
        size_t span = location_span(start, (size_t)(end - start));

        after = span ? start + span : NULL;
        if (!after)
            return &torq_loss_location;
    } else if (start < end && *start == '"') {
        after = after_quoted(start, end);
        location->quoted = after && (after == end || *after == delimiter);
        if (!location->quoted)
            after = after_bare(start, end, delimiter);
        if (!after)
            return &loss_quote;
    } else {
        after = after_bare(start, end, delimiter);
        if (!after)
            return &loss_quote;
    }
    location->text = (struct text){ start, (size_t)(after - start) };
    *cursor = after;
    return NULL;
}

status row_plain(const struct row_location *location, struct row_buffer *buffer, struct text *plain)
{
    size_t length = 0;
    status code;

    *plain = text_trim(location->text);
    if (!location->quoted)
        return STATUS_OK;
    code = memory_grow(&buffer->data, &buffer->capacity, location->text.length, 1);
    if (code != STATUS_OK)
        return code;
    for (size_t i = 1; i + 1 < location->text.length; i++) {
        buffer->data[length++] = location->text.data[i];
        if (location->text.data[i] == '"')
            i++;
    }
    *plain = text_trim((struct text){ buffer->data, length });
    return STATUS_OK;
}

status row_extend(struct lines *lines, struct line *line, unsigned *added, row_start starts_row, bool *extended)
{
    struct text next;
    bool found;
    status code = lines_peek(lines, line, &next, &found);

    assert(starts_row && *added <= ROW_MOST_LINES);
    *extended = false;
    if (code != STATUS_OK)
        return code;
    if (found && *added < ROW_MOST_LINES && next.length < ROW_LONGEST && line->length + next.length < ROW_LONGEST &&
        !starts_row(next)) {
        code = lines_extend(lines, line, extended);
        if (code != STATUS_OK)
            return code;
    }
    if (*extended)
        (*added)++;
    else
        lines_retract(lines, line);
    return STATUS_OK;
}
