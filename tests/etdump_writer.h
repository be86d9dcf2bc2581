/* etdump_writer.h: writes ETDumps as ExecuTorch's event tracer does, for tests, measuring and the test runner.
 *
 * The file is built from its end to its beginning, because references point forward: what an event refers to is there before
 * the event, an event before its block, the blocks before the root. Each kind of table has one vtable for each set of fields,
 * behind all its tables.
 *
 *     [ size | root | ED00 | ETDump | runs | ... RunData | events of it | ... Event, ProfileEvent, its name | ... ]
 *
 * A writer owns its memory until `etdump_free`. What fails sticks, and `etdump_finish` tells. Nothing is allocated per event but
 * room in arrays that double.
 */
#ifndef TESTS_ETDUMP_WRITER_H
#define TESTS_ETDUMP_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { ETDUMP_VTABLES = 64 };

struct etdump_array {
    uint32_t *items; /* places of tables, as bytes from the end of the file */
    size_t count;
    size_t capacity;
};

struct etdump_vtable {
    uint16_t entries[16]; /* as in the file: its size, the table's size, the fields */
    uint32_t place;
};

struct etdump_writer {
    char *memory; /* the file grows from the end of this down */
    size_t capacity;
    size_t used;
    bool failed;
    struct etdump_vtable vtables[ETDUMP_VTABLES];
    unsigned vtable_count;
    struct etdump_array runs;
    struct etdump_array events; /* of the block that is open */
    struct etdump_array allocators;
    bool block_open;
    uint32_t block_name; /* place of the text */
    int32_t bundled_input;
    uint32_t version; /* set it before `etdump_finish`; 0: absent, as the runtime has it */
};

/* An event with times. With `delegated` it has an id instead of a name: a text, or a number where that is NULL. */
struct etdump_profile {
    const char *name;
    bool delegated;
    const char *delegate_text;
    int32_t delegate_number;
    const void *metadata; /* of delegates */
    size_t metadata_size;
    int32_t chain;
    int32_t instruction;
    uint64_t start;
    uint64_t end;
};

/* A value that was logged: a tensor where `dimensions` is not NULL, else an integer. */
struct etdump_debug {
    const char *name;
    int32_t instruction;
    bool output; /* of the program: chain -1 */
    uint64_t chain;
    int8_t scalar_type; /* 6: FLOAT */
    const int64_t *dimensions;
    unsigned dimension_count;
    int64_t offset; /* into the debug buffer */
    int64_t integer;
};

void etdump_start(struct etdump_writer *writer);
void etdump_free(struct etdump_writer *writer);

/* A block: "Default" for the loading, "Execute" for an inference. It lasts until the next one or the end. */
void etdump_begin_block(struct etdump_writer *writer, const char *name, int32_t bundled_input);
/* The allocator's number in its block, from 1. Before the events of the block. */
int32_t etdump_add_allocator(struct etdump_writer *writer, const char *name);

void etdump_add_profile(struct etdump_writer *writer, const struct etdump_profile *event);
void etdump_add_allocation(struct etdump_writer *writer, int32_t allocator, uint64_t bytes);
void etdump_add_debug(struct etdump_writer *writer, const struct etdump_debug *event);

/* The file, which the writer owns; false: no memory, or more than 2 GiB. */
bool etdump_finish(struct etdump_writer *writer, const void **data, size_t *size);

#endif
