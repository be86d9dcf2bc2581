/* test_etdump.c: the reader of ETDumps. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

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

static void start_reading(struct reading *reading)
{
    *reading = (struct reading){ .strings = model_strings() };
    assert_non_null(reading->strings);
    execution_start(&reading->execution, reading->strings);
}

static void free_reading(struct reading *reading)
{
    execution_free(&reading->execution);
    input_close(reading->input);
    strings_free(reading->strings);
}

static void finish_reading(struct reading *reading)
{
    const struct losses *losses = &reading->execution.losses;

    reading->source.input = reading->input;
    reading->source.path = "x.etdump";
    reading->code = executorch_calls(&etdump_reader)->execution(&reading->source, &reading->execution);
    if (reading->code == STATUS_OK)
        assert_int_equal(losses->rows, losses->used + losses->lost);
}

static void read_dump_bytes(struct reading *reading, const void *data, size_t size)
{
    start_reading(reading);
    assert_int_equal(input_open_memory("x.etdump", data, size, &reading->input), STATUS_OK);
    finish_reading(reading);
}

static void read_fixture(struct reading *reading, const char *name)
{
    start_reading(reading);
    assert_int_equal(input_open(data_path(name), &reading->input), STATUS_OK);
    finish_reading(reading);
}

static void read_written(struct reading *reading, struct etdump_writer *writer)
{
    const void *data;
    size_t size;

    assert_true(etdump_finish(writer, &data, &size));
    assert_int_equal(size % 8, 0);
    read_dump_bytes(reading, data, size);
}

static const struct execution_operator *operator_of(const struct reading *reading, uint32_t event)
{
    return execution_operator_at(&reading->execution, execution_event_at(&reading->execution, event)->op);
}

static const char *name_of(const struct reading *reading, uint32_t event)
{
    return strings_text(reading->strings, operator_of(reading, event)->name);
}

static const char *text_of(const struct reading *reading, string_id id)
{
    return strings_text(reading->strings, id);
}

/* A whole file in memory of exactly its size, so that a byte too much is seen. */
static char *load_fixture(const char *name, size_t *size)
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

static void add_event(struct etdump_writer *writer, const char *name, int32_t instruction, uint64_t start, uint64_t end)
{
    etdump_add_profile(writer, &(struct etdump_profile){
                                   .name = name,
                                   .chain = instruction < 0 ? -1 : 0,
                                   .instruction = instruction < 0 ? 0 : instruction,
                                   .start = start,
                                   .end = end,
                               });
}

static void add_delegated(struct etdump_writer *writer, const char *text, int32_t number, int32_t instruction,
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

static void add_values(struct etdump_writer *writer)
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
static void write_all(struct etdump_writer *writer)
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

/* ---- Tests ---- */

static void test_what_was_written_is_read(void **state)
{
    struct etdump_writer writer;
    struct reading reading;
    const struct execution *execution = &reading.execution;
    const struct execution_operator *numbered;

    (void)state;
    write_all(&writer);
    read_written(&reading, &writer);
    assert_int_equal(reading.code, STATUS_OK);
    assert_int_equal(execution->losses.rows, 20);
    assert_int_equal(execution->losses.used, 20);
    assert_int_equal(execution->events.count, 14);
    assert_int_equal(execution->operators.count, 8);
    assert_int_equal(execution->runs.count, 3);
    assert_int_equal(execution_inferences(execution), 2);
    assert_string_equal(name_of(&reading, 2), "native_call_relu.out");
    assert_int_equal(operator_of(&reading, 2)->kind, EVENT_PORTABLE);
    assert_int_equal(operator_of(&reading, 2)->backend, 0);
    assert_int_equal(operator_of(&reading, 1)->chain, -1);
    assert_int_equal(operator_of(&reading, 1)->instruction, 0);
    assert_string_equal(name_of(&reading, 4), "Add (ND) #1");
    assert_string_equal(text_of(&reading, operator_of(&reading, 4)->type), "Add (ND)");
    assert_string_equal(text_of(&reading, operator_of(&reading, 4)->backend), "delegated");
    assert_int_equal(operator_of(&reading, 4)->delegate_id, -1);
    numbered = operator_of(&reading, 5);
    assert_string_equal(text_of(&reading, numbered->name), "0");
    assert_int_equal(numbered->kind, EVENT_DELEGATED);
    assert_int_equal(numbered->delegate_id, 0);
    assert_int_equal(strings_get(reading.strings, numbered->metadata).length, 3);
    assert_int_equal(operator_of(&reading, 13)->events, 2);
    assert_ptr_equal(operator_of(&reading, 13), operator_of(&reading, 7));
    assert_int_equal(execution_event_at(execution, 13)->start, 2000);
    assert_int_equal(execution_event_at(execution, 13)->duration, 200);
    assert_int_equal(execution_event_at(execution, 13)->self, 120);
    assert_int_equal(reading.source.note_count, 0);
    free_reading(&reading);
    etdump_free(&writer);
}

static void test_runs_allocators_and_values(void **state)
{
    struct etdump_writer writer;
    struct reading reading;
    const struct execution *execution = &reading.execution;
    const struct execution_value *value;
    const struct execution_allocator *allocator;

    (void)state;
    write_all(&writer);
    read_written(&reading, &writer);
    assert_string_equal(text_of(&reading, execution_run_at(execution, 0)->block), "Default");
    assert_int_equal(execution_run_at(execution, 0)->bundled_input, -1);
    assert_int_equal(execution_run_at(execution, 2)->bundled_input, 6);
    assert_int_equal(execution_run_at(execution, 2)->index, 1);
    assert_int_equal(execution_run_at(execution, 2)->execute, 200);
    assert_int_equal(execution->allocators.count, 4);
    allocator = column_at(&execution->allocators, 2);
    assert_int_equal(allocator->run, 2);
    assert_string_equal(text_of(&reading, allocator->name), "method");
    assert_int_equal(allocator->count, 0);
    allocator = column_at(&execution->allocators, 3);
    assert_int_equal(allocator->bytes, 4196);
    assert_int_equal(allocator->count, 2);
    assert_int_equal(execution->values.count, 2);
    value = column_at(&execution->values, 0);
    assert_string_equal(text_of(&reading, value->text), "FLOAT [1, 3, 224] at 64");
    assert_string_equal(text_of(&reading, value->name), "aten.relu");
    assert_int_equal(value->instruction, 3);
    assert_false(value->output);
    value = column_at(&execution->values, 1);
    assert_string_equal(text_of(&reading, value->text), "Int -7");
    assert_int_equal(value->instruction, -1);
    assert_true(value->output);
    free_reading(&reading);
    etdump_free(&writer);
}

static void test_fixtures(void **state)
{
    static const struct {
        const char *name;
        size_t events, runs, operators, allocators, values;
    } fixtures[] = {
        { "real", 31, 2, 31, 0, 0 },
        { "etgen_small", 30, 3, 16, 0, 0 },
        { "etgen_static_buffer", 30, 3, 16, 0, 0 },
        { "etgen_alloc_intid_meta", 83, 4, 29, 2, 0 },
        { "py_small", 30, 3, 16, 0, 0 },
        { "py_noprefix", 30, 3, 16, 0, 0 },
        { "py_loop", 95, 4, 15, 0, 0 },
        { "py_branches", 86, 7, 17, 0, 0 },
        { "py_version7", 79, 2, 79, 0, 0 },
        { "py_wrap32", 74, 4, 26, 0, 0 },
        { "py_empty", 0, 0, 0, 0, 0 },
        { "py_full", 318, 5, 81, 2, 68 },
        { "py_debug_noalloc", 62, 3, 32, 0, 16 },
    };

    (void)state;
    for (size_t i = 0; i < sizeof fixtures / sizeof *fixtures; i++) {
        struct reading reading;
        char name[64];

        snprintf(name, sizeof name, "etdump/%s.etdp", fixtures[i].name);
        read_fixture(&reading, name);
        assert_int_equal(reading.code, STATUS_OK);
        assert_int_equal(reading.execution.losses.lost, 0);
        assert_int_equal(reading.execution.events.count, fixtures[i].events);
        assert_int_equal(reading.execution.runs.count, fixtures[i].runs);
        assert_int_equal(reading.execution.operators.count, fixtures[i].operators);
        assert_int_equal(reading.execution.allocators.count, fixtures[i].allocators);
        assert_int_equal(reading.execution.values.count, fixtures[i].values);
        free_reading(&reading);
    }
}

static void test_empty_and_allocations_only(void **state)
{
    struct etdump_writer writer;
    struct reading reading;

    (void)state;
    etdump_start(&writer);
    read_written(&reading, &writer);
    assert_int_equal(reading.code, STATUS_OK);
    assert_true(has_note(&reading.source, "the dump holds no events"));
    free_reading(&reading);
    etdump_free(&writer);

    etdump_start(&writer);
    etdump_begin_block(&writer, "Execute", -1);
    etdump_add_allocator(&writer, "temp");
    etdump_add_allocation(&writer, 1, 10);
    etdump_begin_block(&writer, "Execute", -1); /* its allocators are others */
    etdump_add_allocation(&writer, 1, 10);
    etdump_add_allocation(&writer, 0, 10);
    etdump_add_allocation(&writer, -1, 10);
    read_written(&reading, &writer);
    assert_int_equal(reading.code, STATUS_OK);
    assert_true(has_note(&reading.source, "the dump holds no events"));
    assert_int_equal(reading.execution.losses.used, 1);
    assert_int_equal(reading.execution.losses.lost, 3);
    assert_int_equal(losses_count(&reading.execution.losses, &executorch_loss_allocator), 3);
    assert_int_equal(losses_find(&reading.execution.losses, &executorch_loss_allocator)->lines[0], 2);
    free_reading(&reading);
    etdump_free(&writer);
}

static void test_sums_of_allocations_do_not_wrap(void **state)
{
    struct etdump_writer writer;
    struct reading reading;

    (void)state;
    etdump_start(&writer);
    etdump_begin_block(&writer, "Execute", -1);
    etdump_add_allocator(&writer, "temp");
    etdump_add_allocation(&writer, 1, UINT64_MAX - 5);
    etdump_add_allocation(&writer, 1, 100);
    read_written(&reading, &writer);
    assert_true(((const struct execution_allocator *)column_at(&reading.execution.allocators, 0))->bytes == UINT64_MAX);
    free_reading(&reading);
    etdump_free(&writer);
}

static void test_times(void **state)
{
    struct etdump_writer writer;
    struct reading reading;
    const struct losses *losses = &reading.execution.losses;

    (void)state;
    etdump_start(&writer);
    etdump_begin_block(&writer, "Execute", -1);
    add_event(&writer, "zero", 0, 0, 0);
    add_event(&writer, "last", 1, INT64_MAX - 1, INT64_MAX);
    add_event(&writer, "late", 2, 5, (uint64_t)INT64_MAX + 1);
    add_event(&writer, "later", 3, UINT64_MAX, UINT64_MAX);
    add_event(&writer, "back", 4, UINT64_C(1) << 33, 7);
    add_event(&writer, "back from where no clock is", 5, UINT64_MAX, 7);
    read_written(&reading, &writer);
    assert_int_equal(reading.code, STATUS_OK);
    assert_int_equal(reading.execution.events.count, 2);
    assert_int_equal(losses->lost, 4);
    assert_int_equal(losses_count(losses, &loss_time_range), 3);
    assert_int_equal(losses_count(losses, &loss_end_before_start), 1);
    assert_int_equal(losses_find(losses, &loss_end_before_start)->lines[0], 5);
    assert_int_equal(execution_event_at(&reading.execution, 1)->duration, 1);
    assert_string_equal(text_of(&reading, reading.execution.clock.name), "nanoseconds");
    free_reading(&reading);
    etdump_free(&writer);
}

static void check_clock(struct tick_rate ticks, const char *name, int64_t lost)
{
    struct etdump_writer writer;
    struct reading reading;
    const void *data;
    size_t size;

    etdump_start(&writer);
    etdump_begin_block(&writer, "Execute", -1);
    add_event(&writer, "x", 0, 1000, 3000);
    add_event(&writer, "x", 0, 0, INT64_MAX / 1000 + 1); /* fits as nanoseconds only */
    assert_true(etdump_finish(&writer, &data, &size));
    start_reading(&reading);
    assert_int_equal(input_open_memory("x.etdump", data, size, &reading.input), STATUS_OK);
    reading.source.ticks = ticks;
    finish_reading(&reading);
    assert_int_equal(reading.code, STATUS_OK);
    assert_string_equal(text_of(&reading, reading.execution.clock.name), name);
    assert_int_equal(losses_count(&reading.execution.losses, &loss_time_range), lost);
    assert_int_equal(execution_event_at(&reading.execution, 0)->duration, 2000);
    free_reading(&reading);
    etdump_free(&writer);
}

static void test_clocks(void **state)
{
    (void)state;
    check_clock((struct tick_rate){ 0, 0 }, "nanoseconds", 0);
    check_clock((struct tick_rate){ 1, 1 }, "nanoseconds", 0);
    check_clock((struct tick_rate){ 1000, 1 }, "microseconds", 1);
    check_clock((struct tick_rate){ 5, 4 }, "cycles at 800 MHz", 0);
    check_clock((struct tick_rate){ 1000, 400 }, "cycles at 400 MHz", 0);
    check_clock((struct tick_rate){ 2000, 1 }, "cycles at 0.5 MHz", 1);
}

static void test_no_clock(void **state)
{
    struct etdump_writer writer;
    struct reading reading;

    (void)state;
    etdump_start(&writer);
    etdump_begin_block(&writer, "Execute", -1);
    add_event(&writer, "native_call_relu.out", 0, 11223344, 11223344);
    add_event(&writer, "OPERATOR_CALL", 0, 11223344, 11223344);
    read_written(&reading, &writer);
    assert_true(reading.execution.no_clock);
    assert_true(has_note(&reading.source, "no clock"));
    free_reading(&reading);
    etdump_free(&writer);
}

/* ---- A clock of 32 bits ---- */

static void test_clock_starts_again_inside_an_event(void **state)
{
    static const uint32_t last = UINT32_MAX - 99; /* 100 ticks before it starts again */
    static const int64_t wrap = INT64_C(1) << 32;
    struct etdump_writer writer;
    struct reading reading;
    const struct execution *execution = &reading.execution;

    (void)state;
    etdump_start(&writer);
    etdump_begin_block(&writer, "Execute", -1);
    add_event(&writer, "native_call_a.out", 0, last, last + 50u);
    add_event(&writer, "OPERATOR_CALL", 0, last, last + 60u);
    add_event(&writer, "native_call_b.out", 1, 10, 50);
    add_event(&writer, "OPERATOR_CALL", 1, last + 70u, 60);
    add_event(&writer, "Method::execute", -1, last, 100);
    etdump_begin_block(&writer, "Execute", -1);
    add_event(&writer, "Method::execute", -1, 200, 300);
    read_written(&reading, &writer);
    assert_int_equal(reading.code, STATUS_OK);
    assert_true(execution->wrapped);
    assert_true(has_note(&reading.source, "started again"));
    assert_int_equal(execution_event_at(execution, 0)->start, last);
    assert_int_equal(execution_event_at(execution, 2)->start, wrap + 10);
    assert_int_equal(execution_event_at(execution, 3)->start, last + 70u);
    assert_int_equal(execution_event_at(execution, 3)->duration, 90);
    assert_int_equal(execution_event_at(execution, 3)->self, 50);
    assert_int_equal(execution_event_at(execution, 4)->duration, 200);
    assert_int_equal(execution_event_at(execution, 4)->self, 50);
    assert_int_equal(execution_event_at(execution, 5)->start, wrap + 200);
    free_reading(&reading);
    etdump_free(&writer);
}

/* Its clock would have gone around nearly once: it ends before it starts, and nothing is known of it. */
static void test_an_end_before_its_start_is_no_clock_that_started_again(void **state)
{
    struct etdump_writer writer;
    struct reading reading;

    (void)state;
    etdump_start(&writer);
    etdump_begin_block(&writer, "Execute", -1);
    add_event(&writer, "native_call_a.out", 0, 500, 400);
    add_event(&writer, "Method::execute", -1, 100, 900);
    read_written(&reading, &writer);
    assert_int_equal(reading.code, STATUS_OK);
    assert_false(reading.execution.wrapped);
    assert_int_equal(reading.execution.losses.lost, 1);
    free_reading(&reading);
    etdump_free(&writer);
}

static void test_clock_starts_again_between_runs(void **state)
{
    static const int64_t wrap = INT64_C(1) << 32;
    struct etdump_writer writer;
    struct reading reading;
    const struct execution *execution = &reading.execution;

    (void)state;
    etdump_start(&writer);
    for (uint64_t run = 0; run < 6; run++) {
        uint64_t start = run * 3000000000u & UINT32_MAX;

        etdump_begin_block(&writer, "Execute", -1);
        add_delegated(&writer, "in cycles #1", -1, 0, 7, 9);
        add_event(&writer, "DELEGATE_CALL", 0, start + 10, start + 20);
        add_event(&writer, "Method::execute", -1, start, start + 100);
    }
    read_written(&reading, &writer);
    assert_true(execution->wrapped);
    for (uint32_t run = 0; run < 6; run++) {
        assert_int_equal(execution_event_at(execution, run * 3)->start % wrap, 7);
        assert_int_equal(execution_event_at(execution, run * 3)->duration, 2);
        assert_int_equal(execution_event_at(execution, run * 3 + 2)->start, run * INT64_C(3000000000));
        assert_int_equal(execution_event_at(execution, run * 3 + 2)->self, 90);
    }
    free_reading(&reading);
    etdump_free(&writer);
}

static void test_long_times_do_not_start_again(void **state)
{
    struct etdump_writer writer;
    struct reading reading;

    (void)state;
    etdump_start(&writer);
    etdump_begin_block(&writer, "Execute", -1);
    add_event(&writer, "a", 0, 10, UINT64_C(1) << 40);
    add_event(&writer, "b", 1, UINT32_MAX, 10); /* alone it would be a wrap; it still lasts that long */
    read_written(&reading, &writer);
    assert_int_equal(reading.code, STATUS_OK);
    assert_false(reading.execution.wrapped);
    assert_int_equal(execution_event_at(&reading.execution, 1)->duration, 11);
    free_reading(&reading);
    etdump_free(&writer);
}

/* ---- Framing ---- */

static void test_framings_and_bytes_behind(void **state)
{
    size_t size;
    char *data = load_fixture("etdump/etgen_small.etdp", &size);
    char *longer = malloc(size + 100);
    struct reading reading;

    (void)state;
    assert_non_null(longer);
    memcpy(longer, data, size);
    memset(longer + size, 0x5A, 100);
    read_dump_bytes(&reading, longer, size + 100);
    assert_int_equal(reading.code, STATUS_OK);
    assert_int_equal(reading.execution.events.count, 30);
    assert_int_equal(reading.source.note_count, 0);
    free_reading(&reading);

    read_dump_bytes(&reading, data + 4, size - 4); /* without the size, and aligned differently */
    assert_int_equal(reading.code, STATUS_OK);
    assert_int_equal(reading.execution.events.count, 30);
    free_reading(&reading);

    longer[0]++; /* it promises more than there is, and lacks nothing */
    read_dump_bytes(&reading, longer, size);
    assert_int_equal(reading.code, STATUS_OK);
    assert_int_equal(reading.execution.events.count, 30);
    assert_true(has_note(&reading.source, "cut off"));
    free_reading(&reading);
    free(longer);
    free(data);
}

static void test_probe(void **state)
{
    static const struct text others[] = {
        { "", 0 },
        { "ED00", 4 },
        { "\x20\0\0\0ED0", 7 },
        { "\x20\0\0\0\x20\0\0\0ED0", 11 },
        { "\x20\0\0\0ED01\0\0\0\0", 12 },
        { "\x20\0\0\0\x20\0\0\0ET12....", 16 },
    };
    size_t size;
    char *data = load_fixture("etdump/py_small.etdp", &size);

    (void)state;
    assert_int_equal(etdump_reader.probe((struct text){ data, size }, "x"), 100);
    assert_int_equal(etdump_reader.probe((struct text){ data + 4, size - 4 }, "x"), 100);
    assert_int_equal(etdump_reader.probe((struct text){ "NAMEED00 is some text", 21 }, "x"), 40);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_int_equal(etdump_reader.probe(others[i], "x"), 0);
    free(data);
}

static void test_no_dump(void **state)
{
    struct reading reading;

    (void)state;
    read_dump_bytes(&reading, "name,start,end\n", 15);
    assert_int_equal(reading.code, STATUS_INPUT);
    assert_string_equal(status_message(), "x.etdump: this is no ETDump: ED00 is neither at byte 4 nor at byte 8");
    free_reading(&reading);
    read_dump_bytes(&reading, "\x20\0\0\0\x20\0\0\0ED00", 12);
    assert_int_equal(reading.code, STATUS_INPUT);
    assert_non_null(strstr(status_message(), "the dump is cut: it says that it has 36 bytes, 12 are there"));
    assert_non_null(strstr(status_message(), "(offset 4)"));
    free_reading(&reading);
}

/* ---- Damage ---- */

/* Right or refused with a reason; never a crash. */
static void check_answer(struct reading *reading)
{
    if (reading->code == STATUS_OK)
        return;
    assert_int_equal(reading->code, STATUS_INPUT);
    assert_memory_equal(status_message(), "x.etdump: ", 10);
    assert_true(strstr(status_message(), "offset") || strstr(status_message(), "no ETDump"));
}

static void cut_everywhere(const char *data, size_t size)
{
    struct reading whole;

    read_dump_bytes(&whole, data, size);
    assert_int_equal(whole.code, STATUS_OK);
    for (size_t length = 0; length < size; length++) {
        struct reading reading;
        char *part = malloc(length ? length : 1);

        assert_non_null(part);
        memcpy(part, data, length);
        read_dump_bytes(&reading, part, length);
        check_answer(&reading);
        if (reading.code == STATUS_OK) { /* only padding was cut */
            assert_int_equal(reading.execution.losses.used, whole.execution.losses.used);
            assert_int_equal(reading.execution.events.count, whole.execution.events.count);
        } else if (length >= 12) {
            assert_non_null(strstr(status_message(), "the dump is cut"));
        }
        free_reading(&reading);
        free(part);
    }
    free_reading(&whole);
}

static void change_everywhere(const char *data, size_t size)
{
    static const unsigned char changes[] = { 0x01, 0x80, 0xFF };
    char *copy = malloc(size);

    assert_non_null(copy);
    memcpy(copy, data, size);
    for (size_t i = 0; i < size * sizeof changes; i++) {
        struct reading reading;
        size_t at = i / sizeof changes;

        copy[at] = (char)(data[at] ^ changes[i % sizeof changes]);
        read_dump_bytes(&reading, copy, size);
        check_answer(&reading);
        free_reading(&reading);
        copy[at] = data[at];
    }
    free(copy);
}

static void test_cut_and_changed_at_every_byte(void **state)
{
    static const char *const fixtures[] = { "etdump/etgen_small.etdp", "etdump/py_small.etdp",
                                            "etdump/py_debug_noalloc.etdp" };
    struct etdump_writer writer;
    const void *written;
    size_t size;

    (void)state;
    for (size_t i = 0; i < sizeof fixtures / sizeof *fixtures; i++) {
        char *data = load_fixture(fixtures[i], &size);

        cut_everywhere(data, size);
        change_everywhere(data, size);
        free(data);
    }
    write_all(&writer);
    assert_true(etdump_finish(&writer, &written, &size));
    cut_everywhere(written, size);
    change_everywhere(written, size);
    etdump_free(&writer);
}

/* The first place of these bytes in a file. */
static char *find_bytes(char *data, size_t size, const void *bytes, size_t length)
{
    char *found = memmem(data, size, bytes, length);

    assert_non_null(found);
    return found;
}

static void test_events_that_hold_nothing(void **state)
{
    static const uint16_t vtable_of_event[] = { 6, 8, 4 };
    struct etdump_writer writer;
    struct reading reading;
    const void *data;
    char *copy;
    size_t size;

    (void)state;
    etdump_start(&writer);
    etdump_begin_block(&writer, "Execute", -1);
    add_event(&writer, "a", 0, 10, 20);
    add_event(&writer, "b", 0, 10, 20);
    assert_true(etdump_finish(&writer, &data, &size));
    copy = malloc(size);
    assert_non_null(copy);
    memcpy(copy, data, size);
    memset(find_bytes(copy, size, vtable_of_event, sizeof vtable_of_event) + 4, 0, 2);
    read_dump_bytes(&reading, copy, size);
    assert_int_equal(reading.code, STATUS_OK);
    assert_int_equal(reading.execution.losses.lost, 2);
    assert_int_equal(losses_count(&reading.execution.losses, &loss_no_event), 2);
    free_reading(&reading);

    start_reading(&reading);
    assert_int_equal(input_open_memory("x.etdump", copy, size, &reading.input), STATUS_OK);
    reading.source.strict = true;
    finish_reading(&reading);
    assert_int_equal(reading.code, STATUS_INPUT);
    assert_string_equal(status_message(), "x.etdump:1: an event that holds nothing");
    free_reading(&reading);
    free(copy);
    etdump_free(&writer);
}

static void put_32(char *data, size_t at, size_t value)
{
    uint32_t narrow = (uint32_t)value;

    memcpy(data + at, &narrow, sizeof narrow);
}

/* The beginning of a file that the tests below lay out by hand: size, root with a vector of runs at RUNS_AT, vtables. */
enum { VTABLES = 12, ROOT = VTABLES + 24, RUNS_AT = ROOT + 8 };

static char *lay_out_file(size_t size, uint32_t runs)
{
    static const uint16_t vtables[] = {
        8,  8,  0, 4,       /* root: runs */
        12, 12, 4, 0, 0, 8, /* run: name, events */
        4,  4,              /* event: nothing */
    };
    char *data = calloc(1, size);

    assert_non_null(data);
    put_32(data, 0, size - 4);
    put_32(data, 4, ROOT - 4);
    memcpy(data + 8, "ED00", 4);
    memcpy(data + VTABLES, vtables, sizeof vtables);
    put_32(data, ROOT, ROOT - VTABLES);
    put_32(data, ROOT + 4, RUNS_AT - (ROOT + 4));
    put_32(data, RUNS_AT, runs);
    return data;
}

static void check_refused(const char *data, size_t size, const char *part)
{
    struct reading reading;

    read_dump_bytes(&reading, data, size);
    assert_int_equal(reading.code, STATUS_INPUT);
    assert_non_null(strstr(status_message(), part));
    free_reading(&reading);
}

/* Runs that all are the same table, with all its events: such a file could tell of the square of its size. */
static void test_shared_tables_are_refused(void **state)
{
    enum { RUNS = 3000, EVENTS = 3000, RUN = RUNS_AT + 4 + 4 * RUNS, EVENTS_AT = RUN + 12 };
    enum { EVENT = EVENTS_AT + 4 + 4 * EVENTS, NAME = EVENT + 4 };
    size_t size = NAME + 8;
    char *data = lay_out_file(size, RUNS);
    struct reading reading;

    (void)state;
    for (size_t at = RUNS_AT + 4; at < RUN; at += 4)
        put_32(data, at, RUN - at);
    put_32(data, RUN, RUN - (VTABLES + 8));
    put_32(data, RUN + 4, NAME - (RUN + 4));
    put_32(data, RUN + 8, EVENTS_AT - (RUN + 8));
    put_32(data, EVENTS_AT, EVENTS);
    for (size_t at = EVENTS_AT + 4; at < EVENT; at += 4)
        put_32(data, at, EVENT - at);
    put_32(data, EVENT, EVENT - (VTABLES + 20));
    check_refused(data, size, "vectors with more elements than the file has room for");
    put_32(data, EVENTS_AT, 1);
    put_32(data, RUNS_AT, 2);
    read_dump_bytes(&reading, data, size); /* the same file is fine where it stays within bounds */
    assert_int_equal(reading.code, STATUS_OK);
    assert_int_equal(losses_count(&reading.execution.losses, &loss_no_event), 2);
    free_reading(&reading);
    free(data);
}

/* Names that begin at every fourth byte of the same bytes. */
static void test_overlapping_texts_are_refused(void **state)
{
    enum { RUNS = 3000, LENGTH = 16384, FIRST_RUN = RUNS_AT + 4 + 4 * RUNS, NAMES = FIRST_RUN + 12 * RUNS };
    size_t size = NAMES + 4 * RUNS + 4 + LENGTH + 4;
    char *data = lay_out_file(size, RUNS);

    (void)state;
    for (size_t at = NAMES; at < size - 4; at += 4)
        put_32(data, at, LENGTH);
    for (size_t i = 0; i < RUNS; i++) {
        size_t run = FIRST_RUN + 12 * i;

        put_32(data, RUNS_AT + 4 + 4 * i, run - (RUNS_AT + 4 + 4 * i));
        put_32(data, run, run - (VTABLES + 8));
        put_32(data, run + 4, NAMES + 4 * i - (run + 4));
        put_32(data, run + 8, size - 4 - (run + 8)); /* no events */
    }
    check_refused(data, size, "texts that overlap each other");
    free(data);
}

static void test_out_of_memory(void **state)
{
    struct etdump_writer writer;
    const void *data;
    size_t size;
    bool done = false;

    (void)state;
    write_all(&writer);
    assert_true(etdump_finish(&writer, &data, &size));
    for (uint64_t nth = 1; nth < 100 && !done; nth++) {
        struct reading reading;

        start_reading(&reading);
        assert_int_equal(input_open_memory("x.etdump", data, size, &reading.input), STATUS_OK);
        memory_fail_at(nth);
        finish_reading(&reading);
        memory_fail_at(0);
        assert_true(reading.code == STATUS_OK || reading.code == STATUS_MEMORY);
        done = reading.code == STATUS_OK;
        free_reading(&reading);
    }
    assert_true(done);
    etdump_free(&writer);
}

/* Names are guessed by what came before: whatever the order, each event must get its own operator. */
static void test_guesses_are_checked(void **state)
{
    static const char *const names[] = { "native_call_a.out", "native_call_b.out", "native_call_bb.out",
                                         "DELEGATE_CALL" };
    struct etdump_writer writer;
    struct reading reading;
    unsigned random = 1;

    (void)state;
    etdump_start(&writer);
    for (unsigned i = 0; i < 5000; i++) {
        random = random * 1103515245u + 12345u;
        if (i % 50 == 0)
            etdump_begin_block(&writer, i % 100 ? "Execute" : "Other", -1);
        add_event(&writer, names[random >> 16 & 3], (int32_t)(random >> 18 & 1), i, i + 1);
    }
    read_written(&reading, &writer);
    assert_int_equal(reading.code, STATUS_OK);
    assert_int_equal(reading.execution.operators.count, 16);
    random = 1;
    for (unsigned i = 0; i < 5000; i++) {
        const struct execution_operator *op = operator_of(&reading, i);

        random = random * 1103515245u + 12345u;
        assert_string_equal(name_of(&reading, i), names[random >> 16 & 3]);
        assert_int_equal(op->instruction, random >> 18 & 1);
        assert_string_equal(text_of(&reading, op->block), i / 50 % 2 ? "Execute" : "Other");
    }
    free_reading(&reading);
    etdump_free(&writer);
}

static void test_as_a_trace(void **state)
{
    struct reading_case how = { .reader = &etdump_reader };
    struct source source;
    struct recorder *recorder = read_file(&how, "etdump/etgen_small.etdp", &source);

    (void)state;
    assert_int_equal(recorder->losses.rows, 30);
    assert_int_equal(recorder->losses.used, 30);
    assert_non_null(strstr(recorder_text(recorder), "Method::execute"));
    recorder_free(recorder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_was_written_is_read),
        cmocka_unit_test(test_runs_allocators_and_values),
        cmocka_unit_test(test_fixtures),
        cmocka_unit_test(test_empty_and_allocations_only),
        cmocka_unit_test(test_sums_of_allocations_do_not_wrap),
        cmocka_unit_test(test_times),
        cmocka_unit_test(test_clocks),
        cmocka_unit_test(test_no_clock),
        cmocka_unit_test(test_clock_starts_again_inside_an_event),
        cmocka_unit_test(test_an_end_before_its_start_is_no_clock_that_started_again),
        cmocka_unit_test(test_clock_starts_again_between_runs),
        cmocka_unit_test(test_long_times_do_not_start_again),
        cmocka_unit_test(test_framings_and_bytes_behind),
        cmocka_unit_test(test_probe),
        cmocka_unit_test(test_no_dump),
        cmocka_unit_test(test_cut_and_changed_at_every_byte),
        cmocka_unit_test(test_events_that_hold_nothing),
        cmocka_unit_test(test_shared_tables_are_refused),
        cmocka_unit_test(test_overlapping_texts_are_refused),
        cmocka_unit_test(test_out_of_memory),
        cmocka_unit_test(test_guesses_are_checked),
        cmocka_unit_test(test_as_a_trace),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
