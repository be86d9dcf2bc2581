/* occupied.c: the stretches taken on a line. */
#include "write/occupied.h"

#include <assert.h>
#include <string.h>

#include "base/memory.h"

enum { PAGE_STRETCHES = 512 };

struct stretch {
    int64_t start;  /* ns */
    int64_t end;    /* ns, itself taken */
    uint32_t times; /* taken by equal slices */
};

struct occupied_page {
    int64_t first;             /* start of its first stretch */
    struct stretch *stretches; /* PAGE_STRETCHES of them */
    uint32_t count;            /* never 0 */
};

void occupied_free(struct occupied *set)
{
    for (size_t i = 0; i < set->count; i++)
        memory_free(set->pages[i].stretches);
    memory_free(set->pages);
    *set = OCCUPIED_EMPTY;
}

/* An empty page at `index` of the directory. */
static status add_page(struct occupied *set, size_t index)
{
    struct stretch *stretches;
    status result = memory_grow(&set->pages, &set->capacity, set->count + 1, sizeof *set->pages);

    assert(index <= set->count);
    if (result != STATUS_OK)
        return result;
    stretches = memory_allocate(PAGE_STRETCHES * sizeof *stretches);
    if (!stretches)
        return status_no_memory("placing a late slice");
    memmove(set->pages + index + 1, set->pages + index, (set->count - index) * sizeof *set->pages);
    set->pages[index] = (struct occupied_page){ .stretches = stretches };
    set->count++;
    return STATUS_OK;
}

/* The last page that begins at or before `start`; page 0 when none does. */
static size_t find_page(const struct occupied *set, int64_t start)
{
    size_t low = 0;
    size_t high = set->count;

    assert(set->count);
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;

        if (set->pages[middle].first <= start)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* How many stretches of the page begin at or before `start`. */
static uint32_t find_stretch(const struct occupied_page *page, int64_t start)
{
    uint32_t low = 0;
    uint32_t high = page->count;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (page->stretches[middle].start <= start)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Makes room in the full page `*index` for a stretch at `*position`; both may move to a new page. */
static status split_page(struct occupied *set, size_t *index, uint32_t *position)
{
    assert(set->pages[*index].count == PAGE_STRETCHES && *position <= PAGE_STRETCHES);
    /* Slices in order fill the last page: leave it full, so that such a set takes half the memory. */
    bool at_end = *index + 1 == set->count && *position == PAGE_STRETCHES;
    uint32_t keep = at_end ? PAGE_STRETCHES : PAGE_STRETCHES / 2;
    struct occupied_page *page, *upper;
    status result = add_page(set, *index + 1);

    if (result != STATUS_OK)
        return result;
    page = &set->pages[*index];
    upper = page + 1;
    upper->count = page->count - keep;
    memcpy(upper->stretches, page->stretches + keep, upper->count * sizeof *upper->stretches);
    page->count = keep;
    if (upper->count)
        upper->first = upper->stretches[0].start;
    if (at_end || *position > keep) {
        ++*index;
        *position -= keep;
    }
    return STATUS_OK;
}

static status insert(struct occupied *set, size_t index, uint32_t position, int64_t start, int64_t end)
{
    struct occupied_page *page;
    status result;

    if (set->pages[index].count == PAGE_STRETCHES) {
        result = split_page(set, &index, &position);
        if (result != STATUS_OK)
            return result;
    }
    page = &set->pages[index];
    assert(page->count < PAGE_STRETCHES && position <= page->count);
    assert(!position || page->stretches[position - 1].end < start);
    assert(position == page->count || end < page->stretches[position].start);
    memmove(page->stretches + position + 1, page->stretches + position,
            (page->count - position) * sizeof *page->stretches);
    page->stretches[position] = (struct stretch){ .start = start, .end = end, .times = 1 };
    page->count++;
    page->first = page->stretches[0].start;
    return STATUS_OK;
}

status occupied_take(struct occupied *set, int64_t start, int64_t end, uint32_t deepest, bool *taken)
{
    size_t index;
    uint32_t position;
    const struct stretch *after = NULL;
    status result;

    assert(start <= end && deepest);
    *taken = false;
    if (!set->count) {
        result = add_page(set, 0);
        if (result != STATUS_OK)
            return result;
    }
    index = find_page(set, start);
    position = find_stretch(&set->pages[index], start);
    if (position) {
        struct stretch *before = &set->pages[index].stretches[position - 1];

        if (before->start == start && before->end == end) {
            *taken = start == end || before->times < deepest;
            before->times += *taken;
            return STATUS_OK;
        }
        if (before->end >= start)
            return STATUS_OK;
    }
    if (position < set->pages[index].count)
        after = &set->pages[index].stretches[position];
    else if (index + 1 < set->count)
        after = &set->pages[index + 1].stretches[0];
    if (after && end >= after->start)
        return STATUS_OK;
    result = insert(set, index, position, start, end);
    *taken = result == STATUS_OK;
    return result;
}
