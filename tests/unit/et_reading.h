/* et_reading.h: what the tests of ExecuTorch's readers share: an execution or a kernel log from a text or a fixture. */
#ifndef TESTS_ET_READING_H
#define TESTS_ET_READING_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/input.h"
#include "base/memory.h"
#include "executorch/chain.h"
#include "executorch/execution.h"
#include "executorch/kernels.h"
#include "read/reader.h"

struct et_reading {
    struct strings *strings;
    struct source source;
    struct execution execution;
    struct kernel_log log;
    status code;
};

static inline const char *et_path(const char *name)
{
    static char path[1024];
    const char *folder = getenv("TACHO_TEST_DATA");

    snprintf(path, sizeof path, "%s/%s", folder ? folder : "tests/data", name);
    return path;
}

/* Reads `text`, or the fixture `name` where text is NULL, with everything that the reader can. */
static inline void et_read(struct et_reading *reading, const struct reader *reader, const char *name, const char *text,
                           bool strict)
{
    struct input *input = NULL;

    *reading = (struct et_reading){ .strings = model_strings() };
    assert_non_null(reading->strings);
    execution_start(&reading->execution, reading->strings);
    kernel_log_start(&reading->log, reading->strings);
    reading->code = text ? input_open_memory(name, text, strlen(text), &input) : input_open(et_path(name), &input);
    reading->source = (struct source){ .input = input, .path = name, .strict = strict };
    if (reading->code == STATUS_OK)
        reading->code = executorch_calls(reader)->execution
                            ? executorch_calls(reader)->execution(&reading->source, &reading->execution)
                            : executorch_calls(reader)->kernels(&reading->source, &reading->log);
    input_close(input);
    assert_true(reading->code != STATUS_OK ||
                reading->execution.losses.rows == reading->execution.losses.used + reading->execution.losses.lost);
}

static inline void et_read_kernels(struct et_reading *reading, const struct reader *reader, const char *name,
                                   const char *text)
{
    struct input *input = NULL;

    *reading = (struct et_reading){ .strings = model_strings() };
    assert_non_null(reading->strings);
    execution_start(&reading->execution, reading->strings);
    kernel_log_start(&reading->log, reading->strings);
    reading->code = text ? input_open_memory(name, text, strlen(text), &input) : input_open(et_path(name), &input);
    reading->source = (struct source){ .input = input, .path = name };
    if (reading->code == STATUS_OK)
        reading->code = executorch_calls(reader)->kernels(&reading->source, &reading->log);
    input_close(input);
}

static inline void et_free(struct et_reading *reading)
{
    execution_free(&reading->execution);
    kernel_log_free(&reading->log);
    strings_free(reading->strings);
    status_clear();
}

static inline const char *et_text(const struct et_reading *reading, string_id id)
{
    return strings_text(reading->strings, id);
}

static inline bool et_has_note(const struct et_reading *reading, const char *piece)
{
    for (unsigned i = 0; i < reading->source.note_count; i++) {
        if (strstr(reading->source.notes[i], piece))
            return true;
    }
    return false;
}

/* All events in file order: "block/index name kind start+duration", a line each. */
static inline const char *et_events(const struct et_reading *reading)
{
    static char text[16 * 1024];
    size_t length = 0;

    *text = '\0';
    for (uint32_t i = 0; i < reading->execution.events.count && length + 200 < sizeof text; i++) {
        const struct execution_event *event = execution_event_at(&reading->execution, i);
        const struct execution_operator *op = execution_operator_at(&reading->execution, event->op);
        const struct execution_run *run = execution_run_at(&reading->execution, event->run);

        length += (size_t)snprintf(text + length, sizeof text - length, "%.40s/%u %.80s %s %lld+%lld\n",
                                   et_text(reading, run->block), run->index, et_text(reading, op->name),
                                   event_kind_key(op->kind), (long long)event->start, (long long)event->duration);
    }
    return text;
}

/* With every allocation failing in turn: a status, never a crash; at the end it works. */
static inline void et_starve(const struct reader *reader, const char *text)
{
    for (uint64_t nth = 1;; nth++) {
        struct et_reading reading;
        struct input *input = NULL;

        reading = (struct et_reading){ .strings = model_strings() };
        assert_non_null(reading.strings);
        execution_start(&reading.execution, reading.strings);
        kernel_log_start(&reading.log, reading.strings);
        assert_int_equal(input_open_memory("starved", text, strlen(text), &input), STATUS_OK);
        reading.source = (struct source){ .input = input, .path = "starved" };
        memory_fail_at(nth);
        reading.code = executorch_calls(reader)->kernels
                           ? executorch_calls(reader)->kernels(&reading.source, &reading.log)
                           : executorch_calls(reader)->execution(&reading.source, &reading.execution);
        memory_fail_at(0);
        input_close(input);
        et_free(&reading);
        if (reading.code == STATUS_OK)
            return;
        assert_int_equal(reading.code, STATUS_MEMORY);
        assert_true(nth < 10000);
    }
}

#endif
