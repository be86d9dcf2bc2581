/* page_reading.h: the data inside of a page, for tests, all of which fail where there are no pages. */
#ifndef TESTS_PAGE_READING_H
#define TESTS_PAGE_READING_H

#include <string.h>

#include "base/arena.h"
#include "base/json.h"
#include "page/html.h"

/* Set-up of a group. */
static inline int need_pages(void **state)
{
    (void)state;
    if (html_has_script())
        return 0;
    print_error("built without pages: node and npm were missing, or npm could not fetch; make pages tries again\n");
    return -1;
}

/* The JSON inside the page. */
static inline const struct json *page_facts(struct arena *arena, const char *page)
{
    const char *mark = "id=\"trace\">";
    const char *start = strstr(page, mark), *end;
    const struct json *root;

    assert_non_null(start);
    start += strlen(mark);
    end = strstr(start, "</script>");
    assert_non_null(end);
    assert_int_equal(json_parse(arena, "page", (struct text){ start, (size_t)(end - start) }, &root), STATUS_OK);
    return root;
}

static inline const struct json *at(const struct json *list, size_t index)
{
    assert_non_null(list);
    assert_true(index < list->count);
    return &list->items[index];
}

static inline int64_t integer_of(const struct json *value)
{
    int64_t number;

    assert_true(json_integer(value, &number));
    return number;
}

#endif
