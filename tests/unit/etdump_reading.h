/* etdump_reading.h: what the tests of the reader of ETDumps share: an execution from bytes, a fixture or what a writer wrote; and a dump with everything. */
#ifndef TESTS_ETDUMP_READING_H
#define TESTS_ETDUMP_READING_H

#include "etdump_writer.h"
#include "executorch/chain.h"
#include "executorch/execution.h"
#include "recorder.h"

/* ---- Reading ---- */

struct reading {
    struct strings *strings;
    struct execution execution;
    struct source source;
    struct input *input;
    status code;
};

static inline void start_reading(struct reading *reading)
{
    *reading = (struct reading){ .strings = model_strings() };
    assert_non_null(reading->strings);
    execution_start(&reading->execution, reading->strings);
}

static inline void free_reading(struct reading *reading)
{
    execution_free(&reading->execution);
    input_close(reading->input);
    strings_free(reading->strings);
}

static inline void finish_reading(struct reading *reading)
{
    const struct losses *losses = &reading->execution.losses;

    reading->source.input = reading->input;
    reading->source.path = "x.etdump";
    reading->code = executorch_calls(&etdump_reader)->execution(&reading->source, &reading->execution);
    if (reading->code == STATUS_OK)
        assert_int_equal(losses->rows, losses->used + losses->lost);
}

static inline void read_dump_bytes(struct reading *reading, const void *data, size_t size)
{
    start_reading(reading);
    assert_int_equal(input_open_memory("x.etdump", data, size, &reading->input), STATUS_OK);
    finish_reading(reading);
}

static inline void read_fixture(struct reading *reading, const char *name)
{
    start_reading(reading);
    assert_int_equal(input_open(data_path(name), &reading->input), STATUS_OK);
    finish_reading(reading);
}

static inline void read_written(struct reading *reading, struct etdump_writer *writer)
{
    const void *data;
    size_t size;

    assert_true(etdump_finish(writer, &data, &size));
    assert_int_equal(size % 8, 0);
    read_dump_bytes(reading, data, size);
}

static inline const struct execution_operator *operator_of(const struct reading *reading, uint32_t event)
{
    return execution_operator_at(&reading->execution, execution_event_at(&reading->execution, event)->op);
}

static inline const char *name_of(const struct reading *reading, uint32_t event)
{
    return strings_text(reading->strings, operator_of(reading, event)->name);
}

static inline const char *text_of(const struct reading *reading, string_id id)
{
    return strings_text(reading->strings, id);
}

/* A whole file in memory of exactly its size, so that a byte too much is seen. */
static inline char *load_fixture(const char *name, size_t *size)
{
    FILE *file = fopen(data_path(name), "rb");
    char *data;

    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    *size = (size_t)ftell(file);
    rewind(file);
    data = malloc(*size);
    assert_non_null(data);
    assert_int_equal(fread(data, 1, *size, file), *size);
    fclose(file);
    return data;
}

/* ---- Writing ---- */

static inline void add_event(struct etdump_writer *writer, const char *name, int32_t instruction, uint64_t start,
                             uint64_t end)
{
    etdump_add_profile(writer, &(struct etdump_profile){
                                   .name = name,
                                   .chain = instruction < 0 ? -1 : 0,
                                   .instruction = instruction < 0 ? 0 : instruction,
                                   .start = start,
                                   .end = end,
                               });
}

static inline void add_delegated(struct etdump_writer *writer, const char *text, int32_t number, int32_t instruction,
                                 uint64_t start, uint64_t end)
{
    etdump_add_profile(writer, &(struct etdump_profile){
                                   .delegated = true,
                                   .delegate_text = text,
                                   .delegate_number = number,
                                   .metadata = "m\0d",
                                   .metadata_size = text ? 0 : 3,
                                   .instruction = instruction,
                                   .start = start,
                                   .end = end,
                               });
}

static inline void add_values(struct etdump_writer *writer)
{
    static const int64_t dimensions[] = { 1, 3, 224 };

    etdump_add_debug(writer, &(struct etdump_debug){ .name = "aten.relu",
                                                     .instruction = 3,
                                                     .scalar_type = 6,
                                                     .dimensions = dimensions,
                                                     .dimension_count = 3,
                                                     .offset = 64 });
    etdump_add_debug(writer,
                     &(struct etdump_debug){ .instruction = -1, .output = true, .chain = UINT64_MAX, .integer = -7 });
}

/* Everything that the writer can write, in two runs of one program. */
static inline void write_all(struct etdump_writer *writer)
{
    etdump_start(writer);
    etdump_begin_block(writer, "Default", -1);
    add_event(writer, "Method::init", -1, 110, 180);
    add_event(writer, "Program::load_method", -1, 100, 190);
    for (uint64_t run = 0; run < 2; run++) {
        uint64_t at = 1000 * (run + 1);

        etdump_begin_block(writer, "Execute", (int32_t)run + 5);
        assert_int_equal(etdump_add_allocator(writer, "method"), 1);
        assert_int_equal(etdump_add_allocator(writer, "temp"), 2);
        etdump_add_allocation(writer, 2, 4096);
        etdump_add_allocation(writer, 2, 100);
        add_event(writer, "native_call_relu.out", 0, at + 20, at + 40);
        add_event(writer, "OPERATOR_CALL", 0, at + 10, at + 50);
        add_delegated(writer, "Add (ND) #1", -1, 1, at + 60, at + 70);
        add_delegated(writer, NULL, 0, 1, at + 70, at + 90);
        add_event(writer, "DELEGATE_CALL", 1, at + 60, at + 100);
        if (run == 0)
            add_values(writer);
        add_event(writer, "Method::execute", -1, at, at + 200);
    }
}

#endif
