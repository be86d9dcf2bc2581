/* chrome_index.c: runs of events, filled in the order of the file and merged by time. */
#include "read/chrome_index.h"

#include <assert.h>
#include <string.h>

#include "base/memory.h"

/* A block of the most entries is so large that its memory goes back to the system when it was read: what is told needs more and more. */
enum { FIRST_ENTRIES = 4, MOST_ENTRIES = 16 * 1024, KIND_BITS = 2 };

/* ---- Filling ------------------------------------------------------------------------------------------------------ */

static status add_block(struct chrome_run *run, int64_t time, uint64_t offset)
{
    uint32_t capacity = run->block ? run->block->capacity * 2 : FIRST_ENTRIES;
    struct chrome_block *made;

    capacity = capacity < MOST_ENTRIES ? capacity : MOST_ENTRIES;
    made = memory_allocate(sizeof *made + capacity * sizeof *made->entries);
    if (!made)
        return status_no_memory("keeping where events lie");
    made->next = NULL;
    made->time = time;
    made->offset = offset;
    made->count = 0;
    made->capacity = capacity;
    if (run->block)
        run->block->next = made;
    else
        run->first = made;
    run->block = made;
    return STATUS_OK;
}

static status add_to_run(struct chrome_run *run, int64_t time, uint64_t offset, enum chrome_kind kind)
{
    struct chrome_block *block = run->block;
    status code = STATUS_OK;

    if (!block || block->count == block->capacity || (uint64_t)time - (uint64_t)block->time > UINT32_MAX >> KIND_BITS ||
        offset - block->offset > UINT32_MAX)
        code = add_block(run, time, offset);
    if (code != STATUS_OK)
        return code;
    block = run->block;
    assert(time >= block->time && offset >= block->offset);
    block->entries[block->count].time =
        (uint32_t)((uint64_t)time - (uint64_t)block->time) << KIND_BITS | (uint32_t)kind;
    block->entries[block->count++].offset = (uint32_t)(offset - block->offset);
    run->time = time;
    return STATUS_OK;
}

/* A run that no other can take the place of; where there are too many, the one with the latest time takes no more events. */
static status open_run(struct chrome_line *line)
{
    status code = memory_grow(&line->runs, &line->capacity, line->count + 1, sizeof *line->runs);

    if (code != STATUS_OK)
        return code;
    if (line->open_count == CHROME_OPEN_RUNS)
        memmove(line->open, line->open + 1, --line->open_count * sizeof *line->open);
    line->runs[line->count] = (struct chrome_run){ 0 };
    line->open[line->open_count++] = (uint32_t)line->count++;
    return STATUS_OK;
}

status chrome_line_add(struct chrome_line *line, int64_t time, uint64_t offset, enum chrome_kind kind)
{
    uint32_t place = 0;
    status code = STATUS_OK;

    while (place < line->open_count && line->runs[line->open[place]].time > time)
        place++;
    if (place == line->open_count) {
        code = open_run(line);
        place = line->open_count - 1;
    }
    if (code != STATUS_OK)
        return code;
    line->events++;
    return add_to_run(&line->runs[line->open[place]], time, offset, kind);
}

void chrome_line_free(struct chrome_line *line)
{
    for (size_t i = 0; i < line->count; i++) {
        for (struct chrome_block *block = line->runs[i].first, *next; block; block = next) {
            next = block->next;
            memory_free(block);
        }
    }
    memory_free(line->runs);
    *line = (struct chrome_line){ 0 };
}

/* ---- Reading ------------------------------------------------------------------------------------------------------ */

static void show(struct chrome_run *run)
{
    run->time = run->block->time + (run->block->entries[run->at].time >> KIND_BITS);
    run->kind = (enum chrome_kind)(run->block->entries[run->at].time & ((1u << KIND_BITS) - 1));
    run->offset = run->block->offset + run->block->entries[run->at].offset;
}

static bool is_before(const struct chrome_run *one, const struct chrome_run *other)
{
    return one->time < other->time || (one->time == other->time && one->offset < other->offset);
}

static void sink_down(struct chrome_line *line, size_t place)
{
    struct chrome_run moved = line->runs[place];

    for (size_t child; (child = place * 2 + 1) < line->count; place = child) {
        if (child + 1 < line->count && is_before(&line->runs[child + 1], &line->runs[child]))
            child++;
        if (!is_before(&line->runs[child], &moved))
            break;
        line->runs[place] = line->runs[child];
    }
    line->runs[place] = moved;
}

void chrome_line_rewind(struct chrome_line *line)
{
    for (size_t i = 0; i < line->count; i++) {
        struct chrome_run *run = &line->runs[i];

        run->block = run->first;
        run->at = 0;
        show(run);
    }
    for (size_t i = line->count / 2; i > 0; i--)
        sink_down(line, i - 1);
}

void chrome_line_next(struct chrome_line *line)
{
    struct chrome_run *run = line->runs;

    assert(chrome_line_more(line));
    if (++run->at == run->block->count) {
        run->first = run->block->next;
        memory_free(run->block);
        run->block = run->first;
        run->at = 0;
    }
    if (run->block)
        show(run);
    else
        *run = line->runs[--line->count];
    if (line->count > 1)
        sink_down(line, 0);
}
