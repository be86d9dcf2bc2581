/* fuzz_location.c: everything that looks into the text of a location or a line of source. */
#include "check_sink.h"

#include <stdlib.h>
#include <string.h>

#include "torq/location.h"
#include "torq/origin.h"

enum { LARGEST = 16 * 1024 };

static bool inside(struct text part, const char *data, size_t size)
{
    return part.length == 0 || (part.data >= data && part.length <= size && part.data + part.length <= data + size);
}

static void check_forms(const char *data, size_t size)
{
    static const size_t sizes[] = { 1, 2, 7, 64, 512 };

    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        char *to = malloc(sizes[i]); /* of exactly that size, so that a byte too much is seen */
        size_t length;

        if (!to)
            return;
        length = location_pretty(data, size, to, sizes[i]);
        check_that(length < sizes[i] && to[length] == '\0', "the pretty form fits and ends");
        length = location_short(data, size, to, sizes[i]);
        check_that(length < sizes[i] && to[length] == '\0', "the short form fits and ends");
        free(to);
    }
}

static void check_parse(const char *data, size_t size)
{
    struct location location;

    location_parse(data, size, &location);
    for (uint32_t i = 0; i < location.count && i < LOCATION_PLACES; i++)
        check_that(inside(location.places[i].file, data, size), "a place's file is part of the location");
    check_that(inside(origin_name_in_line(data, size), data, size), "an operator's name is part of its line");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *copy;
    size_t span;

    if (size > LARGEST)
        return -1;
    copy = malloc(size ? size : 1);
    if (!copy)
        return 0;
    if (size)
        memcpy(copy, data, size);
    if (size >= 4 && memcmp(copy, "loc(", 4) == 0) {
        span = location_span(copy, size);
        check_that(span <= size && (span == 0 || copy[span - 1] == ')'), "a span ends with its bracket");
        check_that(span == 0 || location_span(copy, span) == span, "a span is the span of itself");
    }
    check_parse(copy, size);
    check_forms(copy, size);
    free(copy);
    return 0;
}
