/* chrome_pages.c: pages of a file, joined where an event lies on several. */
#include "read/chrome_pages.h"

#include <assert.h>
#include <string.h>

#include "base/memory.h"

void chrome_pages_start(struct chrome_pages *pages, struct input *input)
{
    *pages = (struct chrome_pages){ .input = input };
}

void chrome_pages_free(struct chrome_pages *pages)
{
    for (unsigned i = 0; i < CHROME_SETS; i++)
        for (unsigned j = 0; j < CHROME_WAYS; j++)
            memory_free(pages->pages[i][j].bytes);
    memory_free(pages->joined);
    *pages = (struct chrome_pages){ 0 };
}

static status load(struct chrome_pages *pages, struct chrome_page *page, uint64_t number)
{
    status code;

    if (!page->bytes)
        page->bytes = memory_allocate(CHROME_PAGE + CHROME_PAD);
    if (!page->bytes)
        return status_no_memory("reading events");
    page->number = 0;
    code = input_read_at(pages->input, number << CHROME_PAGE_BITS, page->bytes, CHROME_PAGE, &page->length);
    if (code != STATUS_OK)
        return code;
    chrome_pad(page->bytes + page->length);
    page->number = number + 1;
    return STATUS_OK;
}

static status find_page(struct chrome_pages *pages, uint64_t number, struct chrome_page **found)
{
    struct chrome_page *set = pages->pages[number % CHROME_SETS];
    struct chrome_page *oldest = set;

    pages->requests++;
    for (unsigned i = 0; i < CHROME_WAYS; i++) {
        if (set[i].number == number + 1) {
            set[i].used = pages->requests;
            *found = &set[i];
            return STATUS_OK;
        }
        if (set[i].used < oldest->used)
            oldest = &set[i];
    }
    oldest->used = pages->requests;
    *found = oldest;
    return load(pages, oldest, number);
}

/* The text of an event with what follows it; most of those that lie on two pages end on the second. */
static status join(struct chrome_pages *pages, uint64_t offset, size_t length, size_t *got)
{
    status code = memory_grow(&pages->joined, &pages->joined_capacity, length + CHROME_PAD, sizeof *pages->joined);

    *got = 0;
    if (code == STATUS_OK)
        code = input_read_at(pages->input, offset, pages->joined, length, got);
    if (code == STATUS_OK)
        chrome_pad(pages->joined + *got);
    return code;
}

static status fail_changed(const struct chrome_pages *pages)
{
    return status_fail_at(STATUS_INPUT, (struct place){ .file = input_name(pages->input) },
                          "has changed while it was read");
}

static status scan_joined(struct chrome_pages *pages, uint64_t offset, struct chrome_event *event,
                          struct chrome_members *members)
{
    enum { FIRST = 4096 };
    enum chrome_scan found = CHROME_MORE;
    size_t length = FIRST, got = FIRST;

    for (; found == CHROME_MORE && length <= CHROME_EVENT_MOST && got; length *= 4) {
        const char *where;
        status code = join(pages, offset, length, &got);

        if (code != STATUS_OK)
            return code;
        if (!got || *pages->joined != '{')
            return fail_changed(pages);
        found = chrome_event_scan(pages->joined, pages->joined + got, event, members, &where);
        if (got < length)
            break;
    }
    return found == CHROME_WHOLE ? STATUS_OK : fail_changed(pages);
}

status chrome_pages_event(struct chrome_pages *pages, uint64_t offset, struct chrome_event *event,
                          struct chrome_members *members)
{
    size_t at = offset & (CHROME_PAGE - 1);
    struct chrome_page *page;
    const char *where;
    enum chrome_scan found;
    status code = find_page(pages, offset >> CHROME_PAGE_BITS, &page);

    if (code != STATUS_OK)
        return code;
    if (at >= page->length || page->bytes[at] != '{')
        return fail_changed(pages);
    found = chrome_event_scan(page->bytes + at, page->bytes + page->length, event, members, &where);
    if (found == CHROME_MORE)
        return scan_joined(pages, offset, event, members);
    return found == CHROME_WHOLE ? STATUS_OK : fail_changed(pages);
}

status chrome_place(struct chrome_places *places, struct input *input, uint64_t offset, uint64_t *line,
                    uint64_t *column)
{
    char bytes[4096];

    if (offset < places->offset)
        *places = (struct chrome_places){ 0 };
    while (places->offset < offset) {
        uint64_t left = offset - places->offset;
        size_t got;
        status code =
            input_read_at(input, places->offset, bytes, left < sizeof bytes ? (size_t)left : sizeof bytes, &got);

        if (code != STATUS_OK)
            return code;
        if (!got)
            break;
        for (const char *next = bytes; (next = memchr(next, '\n', (size_t)(bytes + got - next))) != NULL;) {
            next++;
            places->lines++;
            places->start = places->offset + (uint64_t)(next - bytes);
        }
        places->offset += got;
    }
    *line = places->lines + 1;
    *column = offset - places->start + 1;
    return STATUS_OK;
}
