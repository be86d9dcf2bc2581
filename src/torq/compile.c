/* compile.c: the timeline that Torq's compiler estimates, generations C1 to C4.
 *
 *   C1, C2   DI0,0,512,loc(...),DMA_IN[,4096]        id, start, end, location, type, bytes
 *   C3, C4   2,512,0,DMA In,loc(...),4096            action or task, length, start, event, location, bytes
 *
 * All times are cycles, also where the header says us. A file repeats few locations many times, so what follows the
 * leading numbers (the tail, without its byte count) is looked up in a cache by its bytes and parsed only when new.
 */
#include <assert.h>

#include "base/arena.h"
#include "base/map.h"
#include "base/memory.h"
#include "base/number.h"
#include "read/value.h"
#include "torq/chain.h"
#include "torq/companions.h"
#include "torq/names.h"
#include "torq/rows.h"
#include "torq/units.h"
#include "trace/clock.h"

enum { MOST_TAILS = 1 << 18 };

enum layout { LAYOUT_NOT_KNOWN, LAYOUT_INTERVALS, LAYOUT_DURATIONS };

/* What a tail means. */
struct tail {
    struct text bytes;     /* in the arena */
    operator_id op;        /* NO_ID: none */
    string_id name;        /* of the slice */
    struct torq_unit unit; /* LAYOUT_DURATIONS: by its event */
};

struct lane {
    track_id track;     /* NO_ID: not made yet */
    int64_t last_start; /* of the slice before */
};

struct compile {
    struct source *source;                    /* that is read */
    struct feed *feed;                        /* that is fed */
    struct lines *lines;                      /* of the source */
    clock_id clock;                           /* cycles */
    struct torq_keys keys;                    /* of arguments */
    int64_t limit;                            /* largest tick that the clock can turn into ns */
    enum layout layout;                       /* of the rows */
    bool tasks;                               /* the first column holds task ids, not action ids */
    bool second;                              /* something that only C2 writes was met */
    uint32_t slices;                          /* that issue numbers count round */
    struct lane engines[TORQ_ORDERS];         /* by the order of the engine */
    struct lane slice_lanes[TORQ_SLICES];     /* by slice */
    int64_t last_ids[TORQ_LIST_NONE];         /* by list */
    string_id transfers[TORQ_TRANSFER_COUNT]; /* their texts */
    struct column tails;                      /* struct tail; never moves */
    struct map by_bytes;                      /* over the tails */
    struct arena arena;                       /* bytes of the tails */
    const struct tail *previous;              /* of the row before; NULL: none */
    struct row_buffer buffer;                 /* of a location without its quotes */
};

struct row {
    struct torq_unit unit; /* that worked */
    int64_t key;           /* action or task */
    int64_t start, end;    /* ticks */
    int64_t bytes;         /* -1: none given */
    size_t tail;           /* where in the line the tail starts */
};

/* ---- Tails ---- */

/* A file whose every row has another tail gains nothing from the cache: start afresh before it grows without bound. */
static void forget_tails(struct compile *compile)
{
    column_free(&compile->tails);
    column_start(&compile->tails, sizeof(struct tail));
    arena_free(&compile->arena);
    map_clear(&compile->by_bytes);
    compile->previous = NULL;
}

/* Tails are long: memcmp is faster than comparing as short texts are. */
static bool is_tail(const struct tail *tail, struct text key)
{
    return tail->bytes.length == key.length && memcmp(tail->bytes.data, key.data, key.length) == 0;
}

static const struct tail *find_tail(const struct compile *compile, struct text key, uint64_t hash)
{
    size_t cursor;

    for (uint32_t at = map_first(&compile->by_bytes, hash, &cursor); at != MAP_NONE;
         at = map_next(&compile->by_bytes, hash, &cursor)) {
        const struct tail *tail = column_at(&compile->tails, at);

        if (is_tail(tail, key))
            return tail;
    }
    return NULL;
}

static status keep_tail(struct compile *compile, struct text key, uint64_t hash, const struct tail *parsed)
{
    struct tail *tail;
    char *copy;

    if (compile->tails.count >= MOST_TAILS)
        forget_tails(compile);
    copy = arena_copy(&compile->arena, key.data, key.length);
    tail = copy ? column_append(&compile->tails) : NULL;
    if (!tail)
        return status_no_memory("reading a compile timeline");
    *tail = *parsed;
    tail->bytes = (struct text){ copy, key.length };
    compile->previous = tail;
    return map_add(&compile->by_bytes, hash, (uint32_t)compile->tails.count - 1);
}

/* Operator and name of a new tail. `type` names the work, unless it says no more than the engine does: then the
 * operator's name does, where it is known. */
static status name_tail(struct compile *compile, const struct row_location *location, struct text type,
                        struct tail *tail)
{
    struct feed *feed = compile->feed;
    struct text plain;
    string_id id;
    status code = strings_add(feed->strings, type.data, type.length, &tail->name);

    if (code == STATUS_OK)
        code = row_plain(location, &compile->buffer, &plain);
    if (code == STATUS_OK)
        code = strings_add(feed->strings, plain.data, plain.length, &id);
    if (code == STATUS_OK)
        code = feed_operator(feed, id, &tail->op);
    if (code != STATUS_OK || tail->op == NO_ID)
        return code;
    if (compile->layout == LAYOUT_INTERVALS && !torq_type_repeats_engine(type))
        return STATUS_OK;
    tail->name = feed_operator_name(feed, tail->op);
    return STATUS_OK;
}

/* Takes the delimiter between two fields of a tail. */
static bool take_delimiter(const char **cursor, const char *end)
{
    while (*cursor < end && **cursor == ' ')
        (*cursor)++;
    if (*cursor == end || **cursor != ',')
        return false;
    (*cursor)++;
    return true;
}

/* What is left behind the last field: nothing, or a byte count that could not be read. A number that can be read stands
 * before the byte count that was cut off: one field too many. */
static const struct loss_reason *check_rest(const char *cursor, const char *end)
{
    int64_t number;
    struct text rest = text_trim((struct text){ cursor, (size_t)(end - cursor) });

    if (rest.length == 0 || (rest.length == 1 && *rest.data == ','))
        return NULL;
    if (*rest.data != ',')
        return &loss_fields;
    rest = (struct text){ rest.data + 1, rest.length - 1 };
    return memchr(rest.data, ',', rest.length) || value_as_integer(rest, &number) == NULL ? &loss_fields : &loss_number;
}

/* Parses a tail that was not met before: location and type, or event and location. */
static status parse_tail(struct compile *compile, struct text key, struct tail *tail, const struct loss_reason **reason)
{
    const char *cursor = key.data;
    const char *end = key.data + key.length;
    struct row_location location, second;
    struct text type;
    bool intervals = compile->layout == LAYOUT_INTERVALS;

    *reason = row_location(&cursor, end, ',', &location);
    if (*reason != NULL)
        return STATUS_OK;
    if (!take_delimiter(&cursor, end)) {
        *reason = &loss_fields;
        return STATUS_OK;
    }
    *reason = row_location(&cursor, end, ',', &second);
    if (*reason == NULL)
        *reason = check_rest(cursor, end);
    if (*reason != NULL)
        return STATUS_OK;
    type = text_trim(intervals ? second.text : location.text);
    if (type.length >= 2 && (intervals ? second.quoted : location.quoted))
        type = text_trim((struct text){ type.data + 1, type.length - 2 });
    if (!intervals)
        torq_unit_of_event(type, &tail->unit);
    return name_tail(compile, intervals ? &location : &second, type, tail);
}

/* Cuts `,<bytes>` off the end of a tail. The first layout may end with its type: there only digits are cut off. */
static struct text cut_bytes(struct text tail, bool may_be_empty, int64_t *bytes)
{
    const char *end = tail.data + tail.length;
    const char *first;
    const char *cursor;
    bool quoted; /* by RFC 4180 */

    while (end > tail.data && end[-1] == ' ')
        end--;
    quoted = end > tail.data + 1 && end[-1] == '"' && (char_is_digit(end[-2]) || end[-2] == '"');
    end -= quoted;
    first = end;
    while (first > tail.data && (unsigned)(unsigned char)first[-1] - '0' <= 9)
        first--;
    cursor = first;
    *bytes = -1;
    if (first < end ? !number_digits(&cursor, end, bytes) : !may_be_empty)
        return tail;
    if (quoted && (first == tail.data || *--first != '"')) {
        *bytes = -1;
        return tail;
    }
    while (first > tail.data && first[-1] == ' ')
        first--;
    if (first == tail.data || first[-1] != ',') {
        *bytes = -1;
        return tail;
    }
    tail.length = (size_t)(first - 1 - tail.data);
    return tail;
}

/* ---- Rows ---- */

static bool starts_interval_row(struct text line)
{
    const char *cursor = line.data;
    const char *end = line.data + line.length;
    int64_t ignored;

    while (cursor < end && (*cursor == '_' || char_is_digit(*cursor) || char_is_letter(*cursor)))
        cursor++;
    if (cursor == line.data || cursor == end || *cursor++ != ',')
        return false;
    return number_digits_then(&cursor, end, ',', &ignored) && number_digits_then(&cursor, end, ',', &ignored);
}

static bool starts_duration_row(struct text line)
{
    const char *cursor = line.data;
    const char *end = line.data + line.length;
    int64_t ignored;

    for (unsigned i = 0; i < 3; i++) {
        if (!number_digits_then(&cursor, end, ',', &ignored))
            return false;
    }
    return cursor < end && char_is_letter(*cursor);
}

/* The three leading fields, blanks around them allowed. */
static const struct loss_reason *split_leading(struct text line, struct text fields[3], size_t *tail)
{
    struct text rest = line;

    for (unsigned i = 0; i < 3; i++) {
        fields[i] = row_field(&rest, ',');
        if (!rest.data)
            return &loss_fields;
    }
    *tail = (size_t)(rest.data - line.data);
    return NULL;
}

static const struct loss_reason *read_interval_leading(struct compile *compile, struct text line, struct row *row)
{
    const char *end = line.data + line.length;
    const char *comma = text_first(line, ',');
    const char *cursor = comma ? comma + 1 : end;
    struct text fields[3];
    const struct loss_reason *reason;

    if (number_digits_then(&cursor, end, ',', &row->start) && number_digits_then(&cursor, end, ',', &row->end)) {
        row->tail = (size_t)(cursor - line.data);
        fields[0] = (struct text){ line.data, (size_t)(comma - line.data) };
    } else {
        reason = split_leading(line, fields, &row->tail);
        if (reason == NULL)
            reason = value_as_integer(fields[1], &row->start);
        if (reason == NULL)
            reason = value_as_integer(fields[2], &row->end);
        if (reason != NULL)
            return reason;
    }
    torq_unit_of_id(fields[0], compile->slices, &row->unit);
    if (row->unit.engine == &engine_unknown && text_is_binary(fields[0]))
        return &loss_binary;
    compile->second |= row->unit.second;
    if (row->start < 0 || row->start > compile->limit || row->end > compile->limit)
        return &loss_time_range;
    return row->end < row->start ? &loss_end_before_start : NULL;
}

static const struct loss_reason *read_duration_leading(struct compile *compile, struct text line, struct row *row)
{
    const char *end = line.data + line.length;
    const char *cursor = line.data;
    struct text fields[3];
    int64_t length;
    const struct loss_reason *reason;

    if (number_digits_then(&cursor, end, ',', &row->key) && number_digits_then(&cursor, end, ',', &length) &&
        number_digits_then(&cursor, end, ',', &row->start)) {
        row->tail = (size_t)(cursor - line.data);
    } else {
        reason = split_leading(line, fields, &row->tail);
        if (reason == NULL)
            reason = value_as_integer(fields[0], &row->key) == NULL ? NULL : &loss_number;
        if (reason == NULL)
            reason = value_as_integer(fields[1], &length);
        if (reason == NULL)
            reason = value_as_integer(fields[2], &row->start);
        if (reason != NULL)
            return reason;
    }
    if (length < 0)
        return &loss_end_before_start;
    if (row->start < 0 || row->start > compile->limit || length > compile->limit - row->start)
        return &loss_time_range;
    row->end = row->start + length;
    return NULL;
}

/* What the rest of the row means; `line` grows when its location goes on in the next lines. */
static status read_tail(struct compile *compile, struct line *line, struct row *row, const struct loss_reason **reason)
{
    bool durations = compile->layout == LAYOUT_DURATIONS;
    unsigned added = 0;

    for (;;) {
        struct text tail = { line->data + row->tail, line->length - row->tail };
        struct text key = cut_bytes(tail, durations, &row->bytes);
        const struct tail *found = compile->previous;
        struct tail parsed = { .op = NO_ID };
        bool extended;
        uint64_t hash;
        status code;

        *reason = NULL;
        if (found && is_tail(found, key))
            return STATUS_OK;
        hash = map_hash_bytes(key.data, key.length);
        compile->previous = find_tail(compile, key, hash);
        if (compile->previous)
            return STATUS_OK;
        if (text_is_binary(tail)) {
            *reason = &loss_binary;
            return STATUS_OK;
        }
        code = parse_tail(compile, key, &parsed, reason);
        if (code == STATUS_OK && *reason == NULL)
            return keep_tail(compile, key, hash, &parsed);
        if (code != STATUS_OK || (*reason != &torq_loss_location && *reason != &loss_quote))
            return code;
        code =
            row_extend(compile->lines, line, &added, durations ? starts_duration_row : starts_interval_row, &extended);
        if (code != STATUS_OK || !extended)
            return code;
    }
}

static struct lane *lane_of(struct compile *compile, const struct torq_unit *unit)
{
    assert(unit->index < TORQ_SLICES && unit->engine->order < TORQ_ORDERS);
    return unit->engine == &torq_engine_slice ? &compile->slice_lanes[unit->index]
                                              : &compile->engines[unit->engine->order];
}

/* Marks what is odd about a row that is used all the same. */
static status mark_oddities(struct compile *compile, const struct row *row, struct lane *lane, uint64_t line)
{
    const struct torq_unit *unit = &row->unit;
    status code = STATUS_OK;

    if (unit->has_id) {
        if (unit->id <= compile->last_ids[unit->list])
            code = source_lose(compile->source, compile->feed, &loss_repeated_id, line, 1);
        compile->last_ids[unit->list] = unit->id;
    }
    if (code == STATUS_OK && row->start < lane->last_start)
        code = source_lose(compile->source, compile->feed, &loss_backwards, line, 1);
    if (code == STATUS_OK && unit->engine == &engine_unknown)
        code = source_lose(compile->source, compile->feed, &loss_unknown_event, line, 1);
    lane->last_start = row->start;
    return code;
}

static unsigned fill_arguments(const struct compile *compile, const struct row *row, struct argument arguments[4])
{
    unsigned count = 0;

    if (row->bytes >= 0)
        arguments[count++] = (struct argument){ .key = KEY_BYTES, .integer = row->bytes };
    if (row->unit.has_id)
        arguments[count++] = (struct argument){ .key = KEY_ID, .integer = row->unit.id };
    if (compile->layout == LAYOUT_DURATIONS)
        arguments[count++] =
            (struct argument){ .key = compile->tasks ? compile->keys.task : compile->keys.action, .integer = row->key };
    if (row->unit.transfer)
        arguments[count++] = (struct argument){ .key = compile->keys.transfer,
                                                .type = ARGUMENT_TEXT,
                                                .text = compile->transfers[row->unit.transfer] };
    return count;
}

static status push_row(struct compile *compile, const struct row *row, uint64_t line)
{
    const struct tail *tail = compile->previous;
    struct lane *lane = lane_of(compile, &row->unit);
    struct argument arguments[4];
    struct slice slice = {
        .name = tail->name,
        .op = tail->op,
        .run = NO_ID,
        .start = row->start,
        .end = row->end,
        .argument_count = fill_arguments(compile, row, arguments),
        .arguments = arguments,
    };
    status code = STATUS_OK;

    if (lane->track == NO_ID)
        code = feed_engine(compile->feed, row->unit.engine, row->unit.index, compile->clock, &lane->track);
    if (code == STATUS_OK)
        code = mark_oddities(compile, row, lane, line);
    if (code != STATUS_OK)
        return code;
    slice.track = lane->track;
    compile->feed->losses.used++;
    return sink_slice(&compile->feed->sink, &slice);
}

/* A header line sets how the rows below it are read. True: it was one. */
static bool take_header(struct compile *compile, struct text line)
{
    enum row_header header = row_header(line);
    enum layout layout = header == HEADER_INTERVALS ? LAYOUT_INTERVALS : LAYOUT_DURATIONS;

    if (header != HEADER_INTERVALS && header != HEADER_C3 && header != HEADER_C4)
        return false;
    if (compile->layout != layout)
        forget_tails(compile);
    compile->layout = layout;
    compile->tasks = header == HEADER_C4;
    return true;
}

/* Without a header the first row tells: in the newer layout it begins with a number. */
static void guess_layout(struct compile *compile, struct text line)
{
    compile->layout = starts_duration_row(line) ? LAYOUT_DURATIONS : LAYOUT_INTERVALS;
    if (compile->layout == LAYOUT_DURATIONS) {
        compile->tasks = true;
        source_note(compile->source, "there is no header: the first column is taken for the task id");
    }
}

static status lose_row(struct compile *compile, const struct line *line, const struct loss_reason *reason,
                       size_t column)
{
    if (line->too_long)
        reason = &loss_too_long;
    else if (text_is_binary((struct text){ line->data, line->length }))
        reason = &loss_binary;
    return source_lose(compile->source, compile->feed, reason, line->number, column + 1);
}

static status read_row(struct compile *compile, struct line *line)
{
    struct text text = { line->data, line->length };
    struct row row;
    const struct loss_reason *reason;
    status code;

    if (compile->layout == LAYOUT_NOT_KNOWN) {
        if (text_is_blank(text) || take_header(compile, text))
            return STATUS_OK;
        guess_layout(compile, text);
    }
    reason = compile->layout == LAYOUT_INTERVALS ? read_interval_leading(compile, text, &row)
                                                 : read_duration_leading(compile, text, &row);
    if (reason != NULL && (text_is_blank(text) || take_header(compile, text)))
        return STATUS_OK;
    compile->feed->losses.rows++;
    if (reason != NULL || line->too_long)
        return lose_row(compile, line, reason, 0);
    code = read_tail(compile, line, &row, &reason);
    if (code != STATUS_OK)
        return code;
    if (reason != NULL)
        return lose_row(compile, line, reason, row.tail);
    assert(compile->previous);
    if (compile->layout == LAYOUT_DURATIONS)
        row.unit = compile->previous->unit;
    compile->second |= row.bytes >= 0;
    return push_row(compile, &row, line->number);
}

static status read_rows(struct compile *compile)
{
    for (;;) {
        struct line line;
        bool found;
        status code = lines_next(compile->lines, &line, &found);

        if (code != STATUS_OK || !found)
            return code;
        code = read_row(compile, &line);
        if (code != STATUS_OK)
            return code;
        source_progress(compile->source, compile->feed->losses.rows);
    }
}

/* ---- The reader ---- */

static status announce_clock(struct compile *compile)
{
    struct clock clock;
    status code = torq_clock(compile->source, compile->feed->strings, &clock);

    compile->limit = clock_limit(&clock);
    return code == STATUS_OK ? feed_clock(compile->feed, &clock, &compile->clock) : code;
}

static status start(struct compile *compile)
{
    static const char *const transfers[] = {
#define X(name, text) text,
        TORQ_TRANSFER_MAP(X)
#undef X
    };
    status code = announce_clock(compile);

    column_start(&compile->tails, sizeof(struct tail));
    for (unsigned i = 0; i < TORQ_ORDERS; i++)
        compile->engines[i].track = NO_ID;
    for (unsigned i = 0; i < TORQ_SLICES; i++)
        compile->slice_lanes[i].track = NO_ID;
    for (unsigned i = 0; i < TORQ_LIST_NONE; i++)
        compile->last_ids[i] = -1;
    for (unsigned i = 0; i < TORQ_TRANSFER_COUNT && code == STATUS_OK; i++)
        code = strings_add_text(compile->feed->strings, transfers[i], &compile->transfers[i]);
    return code == STATUS_OK ? lines_open(compile->source->input, &compile->lines) : code;
}

static void conclude(struct compile *compile)
{
    if (compile->layout == LAYOUT_DURATIONS) {
        compile->source->generation = compile->tasks ? "C4" : "C3";
        source_note(compile->source, "the header says us, the times are cycles");
    } else {
        compile->source->generation = compile->second ? "C2" : "C1";
    }
}

static status read_compile(struct source *source, struct feed *feed)
{
    struct compile *compile = memory_allocate_clear(sizeof *compile);
    status code;

    if (!compile)
        return status_no_memory("reading a compile timeline");
    compile->source = source;
    compile->feed = feed;
    source->engines_known = true;
    torq_names_start(source, feed);
    compile->slices = torq_slices(source);
    code = torq_keys_start(&compile->keys, feed->strings);
    if (code == STATUS_OK)
        code = start(compile);
    if (code == STATUS_OK)
        code = read_rows(compile);
    code = source_use_part(source, source->input, feed->losses.rows, code);
    if (code == STATUS_OK)
        conclude(compile);
    if (code == STATUS_OK)
        code = torq_names_finish(source, feed);
    lines_close(compile->lines);
    column_free(&compile->tails);
    arena_free(&compile->arena);
    map_free(&compile->by_bytes);
    memory_free(compile->buffer.data);
    memory_free(compile);
    return code;
}

/* How much a line is like a row of ours: 0 not at all, 1 in form, 2 also by its id or event. */
static int likeness(struct text line)
{
    struct torq_unit unit;
    struct text rest = line, fields[3];
    int64_t time;
    size_t tail;

    if (starts_duration_row(line)) {
        for (unsigned i = 0; i < 3; i++)
            text_take(&rest, ',');
        torq_unit_of_event(text_take(&rest, ','), &unit);
        return unit.engine == &engine_unknown ? 0 : 2;
    }
    if (starts_interval_row(line)) {
        torq_unit_of_id(text_take(&rest, ','), 2, &unit);
        return unit.engine == &engine_unknown ? 1 : 2;
    }
    /* All fields may be in quotes. */
    if (*line.data != '"' || split_leading(line, fields, &tail) != NULL || value_as_integer(fields[1], &time) != NULL ||
        value_as_integer(fields[2], &time) != NULL)
        return 0;
    torq_unit_of_id(fields[0], 2, &unit);
    return unit.engine == &engine_unknown ? 0 : 2;
}

static int probe_compile(struct text head, const char *path)
{
    enum { SAMPLE = 32 };
    struct text line;
    unsigned lines = 0, known = 0, formed = 0;
    bool foreign = false;

    (void)path;
    text_cut_start(&head, "\xEF\xBB\xBF");
    while (lines < SAMPLE && text_take_line(&head, &line)) {
        enum row_header header = row_header(line);
        int like;

        if (header != HEADER_NONE && lines == 0)
            return header == HEADER_INTERVALS || header == HEADER_C3 || header == HEADER_C4 ? 100 : 0;
        like = likeness(line);
        known += like == 2;
        formed += like > 0;
        foreign |= lines == 0 && like == 0;
        lines++;
    }
    /* Under a header that Torq does not write, rows that only look like a timeline's are somebody else's. */
    if (lines == 0 || formed == 0 || (foreign && !known))
        return 0;
    if (known == lines)
        return 95;
    return known * 2 >= lines ? 80 : known ? 60 : 20;
}

static const struct companion *const companions[] = { &torq_program_companion, &torq_origin_companion, NULL };

const struct reader torq_compile_reader = {
    .id = "torq-compile",
    .title = "Torq timeline (C1 to C4)",
    .chain = &torq_chain,
    .kind = READER_ESTIMATE,
    .files = "timeline.csv",
    .companions = companions,
    .probe = probe_compile,
    .read = read_compile,
};
