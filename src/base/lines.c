/* lines.c: cuts chunks into lines without copying whole ones. */
#include "base/lines.h"

#include <assert.h>
#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "base/memory.h"

enum {
    BUFFER_FIRST = 1024 * 1024, /* grows only for lines that need more */
    READ_LEAST = 128 * 1024,    /* free bytes before a read: smaller reads are not worth their call */
    END_LONGEST = 2,            /* bytes of a line end */
};

/*     buffer: [ used up | the record | not yet given | free ]
 *                       ^start       ^next           ^filled
 *
 * The record is the line given last, with the lines that were added to it. Bytes before `start` may go at any time;
 * everything else is addressed relative to `start` where a read can come between. */
struct lines {
    struct input *input; /* borrowed */
    char *buffer;        /* owned */
    size_t capacity;     /* of the buffer */
    size_t start;        /* of the record */
    size_t next;         /* one past the record: where the next line begins */
    size_t filled;       /* one past what was read */
    uint64_t number;     /* of the line at `next` */
    uint64_t extended;   /* lines added to the record */
    size_t first_length; /* of the record's first line; valid when `extended` */
    size_t first_next;   /* where the second line begins, from `start`; valid when `extended` */
    bool begun;          /* the byte order mark, if any, was skipped */
    bool at_end;         /* the input has no more */
};

/* What the search for the end of a line found. Offsets count from `start` of the lines. */
struct line_end {
    size_t content; /* one past the content */
    size_t next;    /* one past the line end */
    bool ended;     /* there is a newline */
    bool beyond;    /* no line end within the limit */
};

/* Small inputs need no large buffer; what is packed may be longer than the file says. */
static size_t first_capacity(const struct input *input)
{
    uint64_t size = input_size(input);

    return size && size < (BUFFER_FIRST - READ_LEAST) / 4 ? (size_t)size * 4 + READ_LEAST : BUFFER_FIRST;
}

status lines_open(struct input *input, struct lines **lines)
{
    struct lines *made = memory_allocate_clear(sizeof *made);
    size_t capacity = first_capacity(input);

    assert(input);
    *lines = NULL;
    if (made)
        made->buffer = memory_allocate(capacity);
    if (!made || !made->buffer) {
        memory_free(made);
        return status_no_memory("reading lines");
    }
    made->input = input;
    made->capacity = capacity;
    made->number = 1;
    *lines = made;
    return STATUS_OK;
}

void lines_close(struct lines *lines)
{
    if (!lines)
        return;
    memory_free(lines->buffer);
    memory_free(lines);
}

/* Free bytes at the end of the buffer for a record that may need `most` bytes. */
static status make_room(struct lines *lines, size_t most)
{
    size_t grown;
    char *moved;

    assert(lines->start <= lines->next && lines->next <= lines->filled && lines->filled <= lines->capacity);
    if (lines->capacity - lines->filled >= READ_LEAST)
        return STATUS_OK;
    if (lines->start > 0) {
        memmove(lines->buffer, lines->buffer + lines->start, lines->filled - lines->start);
        lines->next -= lines->start;
        lines->filled -= lines->start;
        lines->start = 0;
        if (lines->capacity - lines->filled >= READ_LEAST)
            return STATUS_OK;
    }
    grown = lines->capacity * 2 < most + READ_LEAST ? lines->capacity * 2 : most + READ_LEAST;
    if (grown <= lines->capacity)
        return STATUS_OK; /* some room is left: `filled` is below `most` */
    moved = memory_resize(lines->buffer, grown);
    if (!moved)
        return status_no_memory("reading a long line");
    lines->buffer = moved;
    lines->capacity = grown;
    return STATUS_OK;
}

static status refill(struct lines *lines, size_t most)
{
    size_t got;
    status result = make_room(lines, most);

    if (result)
        return result;
    result = input_read(lines->input, lines->buffer + lines->filled, lines->capacity - lines->filled, &got);
    assert(got <= lines->capacity - lines->filled);
    lines->filled += got;
    lines->at_end = !result && got == 0;
    return result;
}

static status skip_byte_order_mark(struct lines *lines)
{
    while (lines->filled < 3 && !lines->at_end) {
        status result = refill(lines, BUFFER_FIRST);

        if (result)
            return result;
    }
    if (lines->filled >= 3 && memcmp(lines->buffer, "\xEF\xBB\xBF", 3) == 0)
        lines->start = lines->next = 3;
    lines->begun = true;
    return STATUS_OK;
}

/* Looks for the end of the line that begins at `from`, among the `limit` bytes there and a line end. */
static status find_end(struct lines *lines, size_t from, size_t limit, struct line_end *end)
{
    size_t scanned = from;

    for (;;) {
        const char *record = lines->buffer + lines->start;
        size_t available = lines->filled - lines->start;
        const char *newline = memchr(record + scanned, '\n', available - scanned);
        size_t content = newline ? (size_t)(newline - record) : available;
        status result;

        *end = (struct line_end){ .content = content, .next = content, .ended = newline != NULL };
        if (newline) {
            end->next++;
            end->content -= content > from && record[content - 1] == '\r';
        }
        end->beyond = end->content - from > limit + (newline || lines->at_end ? 0 : 1);
        if (newline || lines->at_end || end->beyond)
            return STATUS_OK;
        scanned = available;
        result = refill(lines, from + limit + END_LONGEST);
        if (result)
            return result;
    }
}

/* The rest of a line whose first LINES_LONGEST bytes are kept: read over itself, so that memory stays as it is. */
static status skip_rest(struct lines *lines, bool *ended)
{
    size_t scratch = lines->start + LINES_LONGEST;
    const char *newline = NULL;

    assert(lines->filled >= scratch);
    for (;;) {
        status result;

        newline = memchr(lines->buffer + scratch, '\n', lines->filled - scratch);
        if (newline || lines->at_end)
            break;
        lines->filled = lines->next = scratch;
        result = refill(lines, LINES_LONGEST + END_LONGEST);
        if (result)
            return result;
        scratch = lines->start + LINES_LONGEST;
    }
    *ended = newline != NULL;
    lines->next = newline ? (size_t)(newline - lines->buffer) + 1 : lines->filled;
    return STATUS_OK;
}

/* The cases that `lines_next` leaves: the buffer ends first, or the line is too long. */
static status next_slowly(struct lines *lines, struct line *line, bool *found)
{
    struct line_end end;
    status result = STATUS_OK;

    *found = false;
    if (!lines->begun)
        result = skip_byte_order_mark(lines);
    if (!result)
        result = find_end(lines, 0, LINES_LONGEST, &end);
    if (result)
        return result;
    if (end.next == 0)
        return STATUS_OK;
    line->ended = end.ended;
    line->too_long = end.beyond;
    line->length = end.beyond ? LINES_LONGEST : end.content;
    lines->next = lines->start + end.next;
    if (end.beyond && !end.ended) {
        result = skip_rest(lines, &line->ended);
        if (result)
            return result;
    }
    line->data = lines->buffer + lines->start;
    line->number = lines->number++;
    *found = true;
    return STATUS_OK;
}

/* The first newline; NULL: none. Most lines are short, so that a call costs as much as looking does. */
static inline const char *find_newline(const char *from, const char *end)
{
#ifdef __SSE2__
    enum { BLOCK = 64 };
    const __m128i wanted = _mm_set1_epi8('\n');

    if (end - from >= BLOCK) {
        uint64_t found = 0;

        for (size_t i = 0; i < BLOCK; i += sizeof wanted) {
            __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)(from + i));

            found |= (uint64_t)(unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(bytes, wanted)) << i;
        }
        if (found)
            return from + __builtin_ctzll(found);
        from += BLOCK;
    }
#endif
    return memchr(from, '\n', (size_t)(end - from));
}

status lines_next(struct lines *lines, struct line *line, bool *found)
{
    const char *begin = lines->buffer + lines->next;
    const char *newline = find_newline(begin, lines->buffer + lines->filled);
    size_t length;

    lines->start = lines->next;
    lines->extended = 0;
    if (!newline || !lines->begun)
        return next_slowly(lines, line, found);
    length = (size_t)(newline - begin);
    if (length > LINES_LONGEST)
        return next_slowly(lines, line, found);
    lines->next += length + 1;
    length -= length > 0 && begin[length - 1] == '\r';
    line->data = begin;
    line->length = length;
    line->number = lines->number++;
    line->ended = true;
    line->too_long = false;
    *found = true;
    return STATUS_OK;
}

status lines_extend(struct lines *lines, struct line *line, bool *found)
{
    size_t from = lines->next - lines->start;
    struct line_end end;
    status result;

    assert(line->data == lines->buffer + lines->start && "only the line given last can grow");
    *found = false;
    if (!line->ended || line->too_long || from > LINES_LONGEST)
        return STATUS_OK;
    result = find_end(lines, from, LINES_LONGEST - from, &end);
    line->data = lines->buffer + lines->start; /* a read may have moved it */
    if (result || end.beyond || end.next == from)
        return result;
    if (lines->extended++ == 0) {
        lines->first_length = line->length;
        lines->first_next = from;
    }
    line->length = end.content;
    line->ended = end.ended;
    lines->next = lines->start + end.next;
    lines->number++;
    *found = true;
    return STATUS_OK;
}

void lines_retract(struct lines *lines, struct line *line)
{
    assert(line->data == lines->buffer + lines->start && "only the line given last can shrink");
    if (lines->extended == 0)
        return;
    line->length = lines->first_length;
    line->ended = true;
    lines->next = lines->start + lines->first_next;
    lines->number -= lines->extended;
    lines->extended = 0;
}

status lines_peek(struct lines *lines, struct line *line, struct text *next, bool *found)
{
    size_t from = lines->next - lines->start;
    struct line_end end;
    status result;

    assert(line->data == lines->buffer + lines->start);
    *found = false;
    *next = (struct text){ .data = "", .length = 0 };
    if (!line->ended)
        return STATUS_OK;
    result = find_end(lines, from, LINES_LONGEST, &end);
    line->data = lines->buffer + lines->start;
    if (result == STATUS_INPUT) {
        status_clear(); /* the line at hand is whole all the same; who asks for the next one is told */
        return STATUS_OK;
    }
    if (result || end.next == from)
        return result;
    next->data = line->data + from;
    next->length = end.beyond ? LINES_LONGEST : end.content - from;
    *found = true;
    return STATUS_OK;
}
