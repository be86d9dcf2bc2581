/* test_etdump.c: the reader of ETDumps: what is in them, clocks, framing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "etdump_reading.h"

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

/* ---- Guesses of the reader, and a trace ---- */

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
        cmocka_unit_test(test_guesses_are_checked),
        cmocka_unit_test(test_as_a_trace),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
