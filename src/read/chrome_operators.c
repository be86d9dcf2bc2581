/* chrome_operators.c: what the slices around something tell of it, and operators by that. */
#include <assert.h>
#include <string.h>

#include "base/memory.h"
#include "base/number.h"
#include "base/path.h"
#include "base/text.h"
#include "read/chrome_tell.h"

/* ---- What something lies in --------------------------------------------------------------------------------------- */

static const struct tell_within nothing = { .op = NO_ID };

static void add_within(struct tell_context *context, const struct tell_within *around)
{
    context->whole.op = context->own.op != NO_ID ? context->own.op : around->op;
    context->whole.module = context->own.module ? context->own.module : around->module;
    context->whole.place = context->own.place ? context->own.place : around->place;
}

/* Slices that cross each other: any of them may have ended, not only the innermost. */
static void drop_ended(struct tell_thread *thread, int64_t time)
{
    size_t kept = 0;

    for (size_t i = 0; i < thread->context_count; i++) {
        if (thread->contexts[i].end <= time)
            continue;
        thread->contexts[kept] = thread->contexts[i];
        add_within(&thread->contexts[kept], kept ? &thread->contexts[kept - 1].whole : &nothing);
        kept++;
    }
    thread->context_count = kept;
    thread->crossed = thread->crossed && kept;
}

const struct tell_within *tell_within(struct tell_thread *thread, int64_t time)
{
    if (thread->crossed)
        drop_ended(thread, time);
    while (thread->context_count && thread->contexts[thread->context_count - 1].end <= time)
        thread->context_count--;
    return thread->context_count ? &thread->contexts[thread->context_count - 1].whole : &nothing;
}

status tell_push_context(struct tell_thread *thread, int64_t end, open_id open, const struct tell_within *own)
{
    size_t count = thread->context_count;
    status code = memory_grow(&thread->contexts, &thread->context_capacity, count + 1, sizeof *thread->contexts);

    if (code != STATUS_OK)
        return code;
    thread->crossed |= count && end > thread->contexts[count - 1].end;
    thread->contexts[count] = (struct tell_context){ .end = end, .open = open, .own = *own };
    add_within(&thread->contexts[count], count ? &thread->contexts[count - 1].whole : &nothing);
    thread->context_count++;
    return STATUS_OK;
}

/* ---- Derivatives -------------------------------------------------------------------------------------------------- */

/* What was handed on by an arrow; NULL: nothing. */
static const struct tell_given *find_given(const struct chrome_telling *telling, uint32_t flow)
{
    size_t low = 0, high = telling->given.count;
    const struct tell_given *found;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (((const struct tell_given *)column_at(&telling->given, middle))->flow < flow)
            low = middle + 1;
        else
            high = middle;
    }
    found = low < telling->given.count ? column_at(&telling->given, low) : NULL;
    return found && found->flow == flow ? found : NULL;
}

/* The first arrow that ends on a thread at this time or later. */
static size_t find_arrow(const struct chrome_trace *trace, uint32_t thread, int64_t time)
{
    size_t low = 0, high = trace->derivative_count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct chrome_derivative *arrow = &trace->derivatives[middle];

        if (arrow->thread < thread || (arrow->thread == thread && arrow->time < time))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

struct tell_within tell_derivative(const struct chrome_telling *telling, uint32_t thread, int64_t start, int64_t end)
{
    const struct chrome_trace *trace = telling->trace;
    size_t first = trace->derivative_count ? find_arrow(trace, thread, start) : 0;
    const struct tell_given *given;
    struct tell_within within = { .op = NO_ID };

    for (size_t i = first; i < trace->derivative_count; i++) {
        if (trace->derivatives[i].thread != thread || trace->derivatives[i].time >= end) {
            if (i == first)
                return within;
            break;
        }
        if (trace->derivatives[i].arrow != trace->derivatives[first].arrow)
            return within;
    }
    if (first == trace->derivative_count)
        return within;
    given = find_given(telling, tell_find_flow(&telling->flows, trace->derivatives[first].arrow));
    if (given) {
        within.module = given->module;
        within.place = given->place;
    }
    return within;
}

/* ---- Places ------------------------------------------------------------------------------------------------------- */

/* The line number that ends at `end`; 0: none. `*before`: what stands before it. */
static uint32_t line_before(struct text text, struct text *before)
{
    size_t at = text.length;
    uint64_t line;
    const char *digits;

    while (at && char_is_digit(text.data[at - 1]))
        at--;
    digits = text.data + at;
    *before = (struct text){ text.data, at };
    return at < text.length && number_read_unsigned(&digits, text.data + text.length, &line) && line <= UINT32_MAX
               ? (uint32_t)line
               : 0;
}

/* "net.py:12". */
static bool split_file(struct text text, struct text *file, uint32_t *line)
{
    *line = line_before(text, file);
    return *line && text_cut_end(file, ":") && file->length;
}

/* "net.py(12): forward", "forward (net.py:12)", or "net.py:12". */
static bool split_place(struct text text, struct text *file, uint32_t *line, struct text *function)
{
    const char *close = text_find(text, "): "), *open = text_last(text, '(');
    struct text inner;

    *function = (struct text){ NULL, 0 };
    if (close) {
        *line = line_before(text_between(text.data, close), file);
        if (*line && text_cut_end(file, "(") && file->length) {
            *function = text_between(close + 3, text.data + text.length);
            return true;
        }
    }
    if (open && open - text.data > 1 && open[-1] == ' ' && text.data[text.length - 1] == ')') {
        inner = text_between(open + 1, text.data + text.length - 1);
        *function = text_between(text.data, open - 1);
        if (split_file(inner, file, line))
            return true;
    }
    *function = (struct text){ NULL, 0 };
    return split_file(text, file, line);
}

static status make_place(struct strings *strings, string_id text, struct tell_place *made)
{
    enum { LONGEST = 400 }; /* bytes of a function's name that are shown */
    struct text file, function;
    const char *name;
    status code;

    *made = (struct tell_place){ .location = text };
    if (!split_place(strings_get(strings, text), &file, &made->line, &function)) {
        made->line = 0;
        return STATUS_OK;
    }
    code = strings_add(strings, file.data, file.length, &made->file);
    if (code != STATUS_OK)
        return code;
    name = strings_text(strings, made->file);
    code = strings_add_format(strings, &made->place, "%s:%u", path_name(name), made->line);
    if (code == STATUS_OK && function.length)
        code = strings_add_format(strings, &made->location, "%.*s (%s:%u)",
                                  (int)(function.length < LONGEST ? function.length : LONGEST), function.data, name,
                                  made->line);
    return code;
}

status tell_place(struct chrome_telling *telling, string_id text, bool loosely, uint32_t *place)
{
    uint32_t *known = text ? number_map_at(&telling->place_map, text, 0) : NULL;
    struct tell_place *made;
    status code;

    *place = 0;
    if (!text)
        return STATUS_OK;
    if (known && *known == MAP_NONE) {
        made = column_append(&telling->places);
        if (!made)
            return status_no_memory("keeping a place");
        code = make_place(telling->feed->strings, text, made);
        if (code != STATUS_OK)
            return code;
        *known = (uint32_t)telling->places.count - 1;
    }
    if (!known)
        return status_no_memory("keeping a place");
    made = column_at(&telling->places, *known);
    *place = made->file || loosely ? *known + 1 : 0;
    return STATUS_OK;
}

/* ---- Operators ---------------------------------------------------------------------------------------------------- */

status tell_operator(struct chrome_telling *telling, const struct tell_named *named, const struct tell_within *within,
                     operator_id *op)
{
    /* Types are told by producers; categories are where there is none. */
    uint32_t *known =
        number_map_at(&telling->operators, (uint64_t)named->name << 32 | (named->type ? named->type : named->category),
                      (uint64_t)within->module << 32 | within->place);
    struct op made = { .name = named->name,
                       .type = named->type,
                       .category = named->category,
                       .module = within->module,
                       .shapes = named->shapes };
    status code;

    if (!known)
        return status_no_memory("keeping an operator");
    if (*known == MAP_NONE) {
        if (within->place) {
            const struct tell_place *place = column_at(&telling->places, within->place - 1);

            made.location = place->location;
            made.place = place->place;
            made.file = place->file;
            made.line = place->line;
        }
        code = feed_operator_new(telling->feed, &made);
        if (code != STATUS_OK)
            return code;
        *known = made.id;
    }
    *op = *known;
    return STATUS_OK;
}
