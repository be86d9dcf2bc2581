/* etrecord_reading.h: graphs from records in memory or in a file, for tests. */
#ifndef TESTS_ETRECORD_READING_H
#define TESTS_ETRECORD_READING_H

#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "executorch/chain.h"
#include "executorch/graph.h"
#include "read/reader.h"
#include "zip_writer.h"

static inline const char *data_path(const char *name)
{
    static char path[4096];
    const char *folder = getenv("TACHO_TEST_DATA");

    snprintf(path, sizeof path, "%s/%s", folder ? folder : "tests/data", name);
    return path;
}

static inline status graph_of_input(struct input *input, const char *path, struct strings *strings, struct graph *graph)
{
    struct source source = { .input = input, .path = path };

    graph_start(graph, strings);
    return executorch_calls(&etrecord_reader)->graph(&source, graph);
}

static inline status graph_of_file(const char *path, struct strings *strings, struct graph *graph)
{
    struct input *input;
    status done = input_open(path, &input);

    if (done != STATUS_OK)
        return done;
    done = graph_of_input(input, path, strings, graph);
    input_close(input);
    return done;
}

/* The archive as it stands, in a block of its exact size. */
static inline status graph_of_bytes(const void *bytes, size_t length, struct strings *strings, struct graph *graph)
{
    char *exact = malloc(length ? length : 1);
    struct input *input;
    status done;

    assert_non_null(exact);
    memcpy(exact, bytes, length);
    graph_start(graph, strings);
    done = input_open_memory("a.etrecord", exact, length, &input);
    if (done == STATUS_OK)
        done = graph_of_input(input, "a.etrecord", strings, graph);
    input_close(input);
    free(exact);
    return done;
}

/* A record of these members; NULL leaves one out. */
static inline status graph_of_members(const char *program, const char *handles, const char *delegates, bool deflated,
                                      struct strings *strings, struct graph *graph)
{
    struct zip_writer zip = { 0 };
    status done;

    zip_add(&zip, "ETRECORD_V0", "", 0, false);
    if (program)
        zip_add(&zip, "edge_dialect_exported_program/forward", program, strlen(program), deflated);
    if (handles)
        zip_add(&zip, "debug_handle_map", handles, strlen(handles), deflated);
    if (delegates)
        zip_add(&zip, "delegate_map", delegates, strlen(delegates), deflated);
    zip_finish(&zip, "");
    done = graph_of_bytes(zip.bytes, zip.length, strings, graph);
    free(zip.bytes);
    return done;
}

#endif
