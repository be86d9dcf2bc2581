/* place.h: a folder of their own for tests that write files. Set-up and tear-down of the group make and remove it. */
#ifndef TESTS_PLACE_H
#define TESTS_PLACE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/output.h"

static char place[] = "/tmp/tacho-test-XXXXXX";

static inline int make_place(void **state)
{
    (void)state;
    return mkdtemp(place) ? 0 : -1;
}

/* Valid until the next call. */
static inline const char *file_at(const char *name)
{
    static char path[512];

    snprintf(path, sizeof path, "%s/%s", place, name);
    return path;
}

static inline void write_file(const char *name, const char *text)
{
    struct output *output;

    assert_int_equal(output_open(file_at(name), &output), STATUS_OK);
    output_write(output, text, strlen(text));
    assert_int_equal(output_commit(output), STATUS_OK);
}

static inline void remove_folder(const char *name)
{
    char command[600];

    snprintf(command, sizeof command, "rm -rf %s", file_at(name));
    assert_int_equal(system(command), 0);
}

static inline int remove_place(void **state)
{
    (void)state;
    remove_folder("");
    return 0;
}

#endif
