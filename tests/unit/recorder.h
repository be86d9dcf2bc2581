/* recorder.h: a sink for tests that writes down what it was told, one line per slice, and checks the rules of sink.h.
 *
 *   engine index | name | start..end | operator | key=value ... | flow | parent
 */
#ifndef TESTS_RECORDER_H
#define TESTS_RECORDER_H

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/input.h"
#include "base/memory.h"
#include "read/reader.h"
#include "torq/program.h"
#include "trace/feed.h"

enum { RECORDER_SLICES = 8192, RECORDER_TRACKS = 2048 };

struct recorded {
    struct slice slice;
    struct argument arguments[8];
    open_id open;
    int parent; /* index of the parent's record; -1: none */
    bool begun; /* by begin, and not ended yet */
};

struct recorder {
    struct strings *strings;
    struct recorded slices[RECORDER_SLICES];
    unsigned count;
    struct track tracks[RECORDER_TRACKS];
    unsigned track_count;
    struct op operators[256];
    unsigned operator_count;
    struct clock clock;
    unsigned clocks;
    unsigned instants;
    int64_t last_instant; /* ticks */
    struct losses losses;
    struct settings settings; /* of the source that was read */
    char slices_option[16];   /* --slices, as a text */
    char text[64 * 1024];
};

static inline status recorder_clock(void *self, clock_id id, const struct clock *clock)
{
    struct recorder *recorder = self;

    assert_int_equal(id, recorder->clocks);
    if (recorder->clocks++ == 0)
        recorder->clock = *clock;
    return STATUS_OK;
}

static inline status recorder_track(void *self, const struct track *track)
{
    struct recorder *recorder = self;

    assert_int_equal(track->id, recorder->track_count);
    assert_true(recorder->track_count < RECORDER_TRACKS);
    recorder->tracks[recorder->track_count++] = *track;
    return STATUS_OK;
}

static inline status recorder_operator(void *self, const struct op *op)
{
    struct recorder *recorder = self;

    assert_int_equal(op->id, recorder->operator_count);
    if (recorder->operator_count < 256)
        recorder->operators[recorder->operator_count] = *op;
    recorder->operator_count++;
    return STATUS_OK;
}

static inline struct recorded *recorder_add(struct recorder *recorder, const struct slice *slice)
{
    struct recorded *made = &recorder->slices[recorder->count++];

    assert_true(recorder->count <= RECORDER_SLICES);
    assert_true(slice->track < recorder->track_count);
    assert_true(slice->op == NO_ID || slice->op < recorder->operator_count);
    assert_true(slice->argument_count <= 8);
    assert_true(slice->start >= 0);
    made->slice = *slice;
    for (unsigned i = 0; i < slice->argument_count; i++) {
        assert_null(argument_find(slice->arguments, i, slice->arguments[i].key));
        made->arguments[i] = slice->arguments[i];
    }
    made->open = NO_ID;
    made->parent = -1;
    made->begun = false;
    return made;
}

static inline status recorder_slice(void *self, const struct slice *slice)
{
    assert_true(slice->end >= slice->start);
    recorder_add(self, slice);
    return STATUS_OK;
}

static inline int recorder_find(const struct recorder *recorder, open_id id)
{
    for (unsigned i = recorder->count; i-- > 0;) {
        if (recorder->slices[i].begun && recorder->slices[i].open == id)
            return (int)i;
    }
    return -1;
}

static inline status recorder_begin(void *self, open_id id, open_id parent, const struct slice *slice)
{
    struct recorder *recorder = self;
    int enclosing = parent == NO_ID ? -1 : recorder_find(recorder, parent);
    struct recorded *made;

    assert_int_equal(recorder_find(recorder, id), -1);
    if (parent != NO_ID) {
        assert_true(enclosing >= 0);
        assert_int_equal(recorder->slices[enclosing].slice.track, slice->track);
        assert_true(recorder->slices[enclosing].slice.start <= slice->start);
    }
    made = recorder_add(recorder, slice);
    made->open = id;
    made->parent = enclosing;
    made->begun = true;
    return STATUS_OK;
}

static inline status recorder_end(void *self, open_id id, int64_t time)
{
    struct recorder *recorder = self;
    int found = recorder_find(recorder, id);

    assert_true(found >= 0);
    assert_true(time >= recorder->slices[found].slice.start);
    recorder->slices[found].slice.end = time;
    recorder->slices[found].begun = false;
    for (unsigned i = 0; i < recorder->count; i++) {
        if (recorder->slices[i].parent == found) {
            assert_false(recorder->slices[i].begun);
            assert_true(recorder->slices[i].slice.end <= time);
        }
    }
    return STATUS_OK;
}

static inline status recorder_instant(void *self, const struct slice *slice)
{
    struct recorder *recorder = self;

    assert_true(slice->track < recorder->track_count);
    recorder->instants++;
    recorder->last_instant = slice->start;
    return STATUS_OK;
}

static inline status recorder_loss(void *self, const struct losses *losses)
{
    ((struct recorder *)self)->losses = *losses;
    return STATUS_OK;
}

static const struct sink_calls recorder_calls = {
    .clock = recorder_clock,
    .track = recorder_track,
    .op = recorder_operator,
    .slice = recorder_slice,
    .begin = recorder_begin,
    .end = recorder_end,
    .instant = recorder_instant,
    .loss = recorder_loss,
};

static inline const char *recorder_value(const struct recorder *recorder, const struct argument *argument, char *to,
                                         size_t size)
{
    switch ((enum argument_type)argument->type) {
    case ARGUMENT_TEXT:
    case ARGUMENT_JSON:
        return strings_text(recorder->strings, argument->text);
    case ARGUMENT_BOOLEAN:
        return argument->boolean ? "true" : "false";
    case ARGUMENT_INTEGER:
        snprintf(to, size, "%" PRId64, argument->integer);
        break;
    case ARGUMENT_UNSIGNED:
        snprintf(to, size, "%" PRIu64, argument->natural);
        break;
    case ARGUMENT_POINTER:
        snprintf(to, size, "0x%" PRIx64, argument->natural);
        break;
    case ARGUMENT_DECIMAL:
        snprintf(to, size, "%.17g", argument->decimal);
        break;
    }
    return to;
}

static inline size_t recorder_arguments(const struct recorder *recorder, const struct recorded *recorded, char *to,
                                        size_t size)
{
    size_t length = 0;

    for (unsigned i = 0; i < recorded->slice.argument_count && length < size; i++) {
        const struct argument *argument = &recorded->arguments[i];
        char number[40];

        length += (size_t)snprintf(to + length, size - length, "%s%s=%s", i ? " " : "",
                                   strings_text(recorder->strings, argument->key),
                                   recorder_value(recorder, argument, number, sizeof number));
    }
    return length;
}

/* All slices, as in the drawing above; parts that say nothing are left out. */
static inline const char *recorder_text(struct recorder *recorder)
{
    size_t length = 0;

    recorder->text[0] = '\0';
    for (unsigned i = 0; i < recorder->count && length + 600 < sizeof recorder->text; i++) {
        const struct recorded *recorded = &recorder->slices[i];
        const struct slice *slice = &recorded->slice;
        const struct track *track = &recorder->tracks[slice->track];
        char arguments[256] = "";

        recorder_arguments(recorder, recorded, arguments, sizeof arguments);
        length += (size_t)snprintf(
            recorder->text + length, sizeof recorder->text - length,
            "%s %u | %.200s | %" PRId64 "..%" PRId64 " | %.100s | %s", track->engine->key, track->index,
            strings_text(recorder->strings, slice->name), slice->start, slice->end,
            slice->op == NO_ID ? "-" : strings_text(recorder->strings, recorder->operators[slice->op].name), arguments);
        if (slice->flow)
            length +=
                (size_t)snprintf(recorder->text + length, sizeof recorder->text - length, " | flow %u", slice->flow);
        if (recorded->parent >= 0)
            length += (size_t)snprintf(recorder->text + length, sizeof recorder->text - length, " | in %s",
                                       strings_text(recorder->strings, recorder->slices[recorded->parent].slice.name));
        length += (size_t)snprintf(recorder->text + length, sizeof recorder->text - length, "\n");
    }
    return recorder->text;
}

/* Every row is used or lost, and every begin has its end. */
static inline void recorder_check(const struct recorder *recorder)
{
    assert_int_equal(recorder->losses.rows, recorder->losses.used + recorder->losses.lost);
    for (unsigned i = 0; i < recorder->count; i++)
        assert_false(recorder->slices[i].begun);
}

/* What a test may set before reading; the rest of the source has the usual values. */
struct reading_case {
    const struct reader *reader;
    const struct program *program;
    struct origin *origin;
    uint32_t slices;
    bool strict;
    bool force_companion;
};

static inline const char *data_path(const char *name)
{
    static char path[1024];
    const char *folder = getenv("TACHO_TEST_DATA");

    snprintf(path, sizeof path, "%s/%s", folder ? folder : "tests/data", name);
    return path;
}

static inline status recorder_read_input(struct recorder *recorder, const struct reading_case *how, struct input *input,
                                         struct source *source)
{
    struct feed feed;
    string_id name;
    status code;

    *source = (struct source){
        .input = input,
        .path = input_name(input),
        .settings = &recorder->settings,
        .strict = how->strict,
        .force_companion = how->force_companion,
    };
    snprintf(recorder->slices_option, sizeof recorder->slices_option, "%u", how->slices);
    settings_set(&recorder->settings, "slices", how->slices ? recorder->slices_option : NULL);
    if (how->program)
        source_add_companion(source, "program", how->program);
    if (how->origin)
        source_add_companion(source, "origin", how->origin);
    feed_start(&feed, (struct sink){ &recorder_calls, recorder }, recorder->strings);
    code = strings_add_text(recorder->strings, input_name(input), &name);
    if (code == STATUS_OK)
        code = feed_input(&feed, name, 0);
    if (code == STATUS_OK)
        code = how->reader->read(source, &feed);
    if (code == STATUS_OK)
        code = feed_input_end(&feed);
    feed_free(&feed);
    return code;
}

/* Reads `size` bytes of text with a fresh recorder, which the caller frees with recorder_free. */
static inline struct recorder *recorder_new(void)
{
    struct recorder *recorder = calloc(1, sizeof *recorder);

    assert_non_null(recorder);
    recorder->strings = model_strings();
    assert_non_null(recorder->strings);
    return recorder;
}

static inline void recorder_free(struct recorder *recorder)
{
    strings_free(recorder->strings);
    free(recorder);
}

static inline struct recorder *read_bytes(const struct reading_case *how, const char *data, size_t size,
                                          struct source *source)
{
    struct recorder *recorder = recorder_new();
    struct source ignored;
    struct input *input;

    assert_int_equal(input_open_memory("log.csv", data, size, &input), STATUS_OK);
    assert_int_equal(recorder_read_input(recorder, how, input, source ? source : &ignored), STATUS_OK);
    input_close(input);
    recorder_check(recorder);
    return recorder;
}

static inline struct recorder *read_file(const struct reading_case *how, const char *name, struct source *source)
{
    struct recorder *recorder = recorder_new();
    struct input *input;

    assert_int_equal(input_open(data_path(name), &input), STATUS_OK);
    assert_int_equal(recorder_read_input(recorder, how, input, source), STATUS_OK);
    input_close(input);
    recorder_check(recorder);
    return recorder;
}

static inline uint64_t lost_for(const struct recorder *recorder, const struct loss_reason *reason)
{
    return losses_count(&recorder->losses, reason);
}

static inline bool has_note(const struct source *source, const char *part)
{
    for (unsigned i = 0; i < source->note_count; i++) {
        if (strstr(source->notes[i], part))
            return true;
    }
    return false;
}

/* With --strict the first lost row ends the reading, with this message. The input is called log.csv. */
static inline void check_strict(const struct reader *reader, const char *text, const char *message)
{
    struct reading_case strict = { .reader = reader, .strict = true };
    struct recorder *recorder = recorder_new();
    struct source source;
    struct input *input;

    assert_int_equal(input_open_memory("log.csv", text, strlen(text), &input), STATUS_OK);
    assert_int_equal(recorder_read_input(recorder, &strict, input, &source), STATUS_INPUT);
    assert_string_equal(status_message(), message);
    input_close(input);
    recorder_free(recorder);
}

/* Every failing allocation ends in STATUS_MEMORY, without a leak. */
static inline void check_out_of_memory(const struct reading_case *how, const char *text)
{
    bool done = false;

    for (uint64_t nth = 1; nth < 300 && !done; nth++) {
        struct recorder *recorder = recorder_new();
        struct source source;
        struct input *input;
        status code;

        assert_int_equal(input_open_memory("log.csv", text, strlen(text), &input), STATUS_OK);
        memory_fail_at(nth);
        code = recorder_read_input(recorder, how, input, &source);
        memory_fail_at(0);
        assert_true(code == STATUS_OK || code == STATUS_MEMORY);
        done = code == STATUS_OK;
        input_close(input);
        recorder_free(recorder);
    }
    assert_true(done);
}

/* Damaged files: rows in are rows used or lost, whatever the bytes are and however they are cut into reads, every begin has
 * its end, and children lie in their parents: the recorder checks that. `signs` are what a byte may turn into. */
static inline void check_damaged(const struct reading_case *how, const char *const *seeds, size_t seed_count,
                                 const char *signs, size_t sign_count)
{
    unsigned random = 4711;

    for (unsigned round = 0; round < 4000; round++) {
        const char *seed = seeds[round % seed_count];
        size_t length = strlen(seed);
        char *text = malloc(length);

        assert_non_null(text);
        memcpy(text, seed, length);
        for (unsigned change = 0; change < 1 + round % 6; change++) {
            random = random * 1103515245u + 12345u;
            text[(random >> 8) % length] = signs[(random >> 20) % sign_count];
        }
        input_limit_reads((size_t)(round % 7) * 3);
        recorder_free(read_bytes(how, text, length - round % 11, NULL));
        input_limit_reads(0);
        how->reader->probe((struct text){ text, length }, "x");
        free(text);
    }
}

#endif
