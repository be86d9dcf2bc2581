/* op_runs.c: replays and signposts of a report. */
#include "tenstorrent/op_runs.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/memory.h"
#include "base/text.h"
#include "trace/model.h"

enum { NAME_LONGEST = 128 };

/* A row in the order in which the host came by it. */
struct moment {
    int64_t time;      /* ns of the host; of a row that tells none that of the one before it */
    uint32_t row;      /* from the first on */
    enum op_kind kind; /* of the row: rows are far apart, and most are looked at for this only */
};

struct finder {
    const struct op_report *report; /* borrowed */
    size_t first;                   /* row */
    size_t rows;                    /* from it on */
    struct moment *moments;         /* of the rows; owned */
    bool back;       /* so many of them come in another order than by time that it is no matter of clocks */
    bool any_replay; /* a row is of one */
    bool any_mark;   /* a row is a signpost */
    uint32_t *runs;  /* by row; owned until it is handed out */
    size_t count;    /* of runs */
};

static const struct op_row *row_at(const struct finder *finder, size_t row)
{
    return op_row_at(finder->report, finder->first + row);
}

static void forget(struct finder *finder)
{
    for (size_t i = 0; i < finder->rows; i++)
        finder->runs[i] = NO_ID;
    finder->count = 0;
}

/* Rows as they come: a row of twenty before the one above it is a matter of clocks. */
static status list_moments(struct finder *finder)
{
    enum { ONE_OF = 20 };
    int64_t time = INT64_MIN;
    size_t back = 0;

    finder->moments = memory_allocate((finder->rows + 1) * sizeof *finder->moments);
    if (!finder->moments)
        return status_no_memory("looking for runs");
    for (size_t i = 0; i < finder->rows; i++) {
        const struct op_row *row = row_at(finder, i);

        finder->any_mark |= row->kind == OP_SIGNPOST;
        finder->any_replay |= row->replay != OP_NONE;
        back += row->host_start != OP_NONE && row->host_start < time;
        time = row->host_start != OP_NONE ? row->host_start : time;
        finder->moments[i] = (struct moment){ time, (uint32_t)i, row->kind };
    }
    finder->back = back > finder->rows / ONE_OF;
    return STATUS_OK;
}

/* ---- Replays ---- */

/* Each replay of the only trace is a run, if most operations are replayed. */
static status find_replays(struct finder *finder)
{
    struct number_map map;
    size_t operations = 0, replayed = 0;
    int64_t trace = OP_NONE;
    status code = STATUS_OK;

    number_map_start(&map);
    for (size_t i = 0; i < finder->rows && code == STATUS_OK; i++) {
        const struct op_row *row = row_at(finder, i);
        uint32_t *place;

        if (row->kind != OP_DEVICE)
            continue;
        operations++;
        if (row->replay == OP_NONE || (trace != OP_NONE && row->trace != trace))
            continue;
        trace = row->trace;
        place = number_map_at(&map, (uint64_t)row->replay, 0);
        if (!place) {
            code = status_no_memory("looking for replays");
            continue;
        }
        if (*place == MAP_NONE)
            *place = (uint32_t)finder->count++;
        finder->runs[i] = *place;
        replayed++;
    }
    number_map_free(&map);
    if (finder->count < 2 || replayed * 2 < operations)
        forget(finder);
    return code;
}

/* ---- Signposts ---- */

static int by_time(const void *one, const void *other)
{
    const struct moment *a = one, *b = other;

    if (a->time != b->time)
        return a->time < b->time ? -1 : 1;
    return (a->row > b->row) - (a->row < b->row);
}

/* Signposts of one name. */
struct mark {
    char name[NAME_LONGEST]; /* without numbers */
    size_t passes;           /* that have operations */
};

struct marks {
    struct mark *items; /* owned */
    size_t count;       /* of them */
    size_t capacity;    /* of items */
};

/* "pass 12" is "pass ". */
static void write_name(struct text text, char name[NAME_LONGEST])
{
    size_t length = 0;

    for (size_t i = 0; i < text.length && length + 1 < NAME_LONGEST; i++)
        if (!char_is_digit(text.data[i]))
            name[length++] = text.data[i];
    name[length] = '\0';
}

static bool is_part(const char *name)
{
    return text_find_any_case(text_of(name), "layer") || text_find_any_case(text_of(name), "block");
}

static status find_mark(struct marks *marks, struct text text, size_t *place)
{
    char name[NAME_LONGEST];
    status code;

    write_name(text, name);
    for (*place = 0; *place < marks->count; ++*place)
        if (strcmp(marks->items[*place].name, name) == 0)
            return STATUS_OK;
    code = memory_grow(&marks->items, &marks->capacity, marks->count + 1, sizeof *marks->items);
    if (code == STATUS_OK) {
        struct mark *mark = &marks->items[marks->count++];

        *mark = (struct mark){ .passes = 0 };
        memcpy(mark->name, name, sizeof name);
    }
    return code;
}

static struct text name_of(const struct finder *finder, const struct moment *moment)
{
    return strings_get(finder->report->strings, row_at(finder, moment->row)->code);
}

/* How many passes each name has: signposts that operations follow. */
static status count_passes(const struct finder *finder, struct marks *marks)
{
    const struct moment *moments = finder->moments;
    size_t open = SIZE_MAX;
    status code = STATUS_OK;

    for (size_t i = 0; i < finder->rows && code == STATUS_OK; i++) {
        if (moments[i].kind == OP_SIGNPOST) {
            code = find_mark(marks, name_of(finder, &moments[i]), &open);
        } else if (moments[i].kind == OP_DEVICE && open != SIZE_MAX) {
            marks->items[open].passes++;
            open = SIZE_MAX;
        }
    }
    return code;
}

/* Operations behind signposts of this name, up to the next one of any name. */
static status tell_passes(struct finder *finder, struct marks *marks, size_t chosen)
{
    const struct moment *moments = finder->moments;
    bool open = false, begun = false;
    status code = STATUS_OK;

    for (size_t i = 0; i < finder->rows && code == STATUS_OK; i++) {
        size_t place;

        if (moments[i].kind == OP_SIGNPOST) {
            code = find_mark(marks, name_of(finder, &moments[i]), &place);
            open = code == STATUS_OK && place == chosen;
            begun = false;
        } else if (open) {
            if (!begun && moments[i].kind == OP_DEVICE) {
                begun = true;
                finder->count++;
            }
            if (begun)
                finder->runs[moments[i].row] = (uint32_t)finder->count - 1;
        }
    }
    return code;
}

static int by_number(const void *one, const void *other)
{
    const size_t *a = one, *b = other;

    return (*a > *b) - (*a < *b);
}

/* Whether half of the passes have equally many operations. */
static status are_alike(const struct finder *finder, bool *alike)
{
    const struct moment *moments = finder->moments;
    size_t *counts = memory_allocate_clear((finder->count + 1) * sizeof *counts), most = 0;

    if (!counts)
        return status_no_memory("looking at passes");
    for (size_t i = 0; i < finder->rows; i++)
        if (moments[i].kind == OP_DEVICE && finder->runs[moments[i].row] != NO_ID)
            counts[finder->runs[moments[i].row]]++;
    qsort(counts, finder->count, sizeof *counts, by_number);
    for (size_t i = 0, first = 0; i < finder->count; i++) {
        if (counts[i] != counts[first])
            first = i;
        most = i - first + 1 > most ? i - first + 1 : most;
    }
    *alike = most * 2 >= finder->count;
    memory_free(counts);
    return STATUS_OK;
}

static status find_passes(struct finder *finder)
{
    struct marks marks = { 0 };
    bool alike = false;
    size_t chosen = SIZE_MAX;
    status code;

    if (finder->back)
        qsort(finder->moments, finder->rows, sizeof *finder->moments, by_time);
    code = count_passes(finder, &marks);
    for (size_t i = 0; i < marks.count && code == STATUS_OK; i++)
        if (marks.items[i].passes > 1 && !is_part(marks.items[i].name) &&
            (chosen == SIZE_MAX || marks.items[i].passes > marks.items[chosen].passes))
            chosen = i;
    if (code == STATUS_OK && chosen != SIZE_MAX) {
        code = tell_passes(finder, &marks, chosen);
        if (code == STATUS_OK)
            code = are_alike(finder, &alike);
        if (!alike)
            forget(finder);
    }
    memory_free(marks.items);
    return code;
}

/* The runs, where there are several: what the finder has of them. */
static status find_runs(struct finder *finder)
{
    status code = list_moments(finder);

    if (code != STATUS_OK || (!finder->any_replay && !finder->any_mark))
        return code;
    finder->runs = memory_allocate((finder->rows + 1) * sizeof *finder->runs);
    if (!finder->runs)
        return status_no_memory("looking for runs");
    forget(finder);
    if (finder->any_replay)
        code = find_replays(finder);
    return code == STATUS_OK && !finder->count && finder->any_mark ? find_passes(finder) : code;
}

status op_runs_find(const struct op_report *report, size_t first, uint32_t **runs, size_t *count)
{
    struct finder finder = { .report = report, .first = first, .rows = report->rows.count - first };
    status code;

    assert(first <= report->rows.count);
    *runs = NULL;
    *count = 0;
    code = find_runs(&finder);
    if (code == STATUS_OK && finder.count > 1) {
        *runs = finder.runs;
        *count = finder.count;
    } else {
        memory_free(finder.runs);
    }
    memory_free(finder.moments);
    return code;
}
