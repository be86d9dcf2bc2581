/* recording_reading.h: what the tests of recordings share: one that was written in memory is read into a recorder, and records that several of them write. */
#ifndef TESTS_RECORDING_READING_H
#define TESTS_RECORDING_READING_H

#include "read/recording.h"
#include "read/recording_file.h"
#include "recorder.h"
#include "recording_writer.h"

/* What was told besides slices. */
struct heard {
    struct recorder *recorder; /* of slices */
    char counters[1024];       /* "name time value;" */
    char runs[1024];           /* "launch.index start..end;" */
};

/* A recording that goes on while it is read: between the walks, where runs are announced. */
static struct recording_writer *goes_on;

static struct heard heard;

static inline status hear_counter(void *self, track_id track, int64_t time, int64_t value)
{
    struct recorder *recorder = self;
    size_t length = strlen(heard.counters);
    const struct track *announced = &recorder->tracks[track];

    assert_int_equal(announced->kind, TRACK_COUNTER);
    if (announced->decimal)
        snprintf(heard.counters + length, sizeof heard.counters - length, "%s %" PRId64 " %g;",
                 strings_text(recorder->strings, announced->name), time, counter_decimal(value));
    else
        snprintf(heard.counters + length, sizeof heard.counters - length, "%s %" PRId64 " %" PRId64 ";",
                 strings_text(recorder->strings, announced->name), time, value);
    return STATUS_OK;
}

static inline status hear_run(void *self, const struct run *run)
{
    size_t length = strlen(heard.runs);

    (void)self;
    snprintf(heard.runs + length, sizeof heard.runs - length, "%u.%u %" PRId64 "..%" PRId64 ";", run->launch,
             run->index, run->start, run->end);
    if (goes_on) {
        recording_zone(goes_on, 0, RECORD_END, 1900, 1);
        recording_zone(goes_on, 0, RECORD_BEGIN, 1950, 1);
        goes_on = NULL;
    }
    return STATUS_OK;
}

/* Reads an input into a recorder, which the caller frees. */
static inline status read_input(struct recorder *recorder, struct input *input, const char *path, bool strict,
                                struct source *source)
{
    struct sink_calls calls = recorder_calls;
    struct feed feed;
    string_id name;
    status code;

    calls.counter = hear_counter;
    calls.run = hear_run;
    heard = (struct heard){ .recorder = recorder };
    *source = (struct source){ .input = input, .path = path, .strict = strict };
    feed_start(&feed, (struct sink){ &calls, recorder }, recorder->strings);
    code = strings_add_text(recorder->strings, "x.tacho", &name);
    if (code == STATUS_OK)
        code = feed_input(&feed, name, 0);
    if (code == STATUS_OK)
        code = tacho_recording_reader.read(source, &feed);
    if (code == STATUS_OK)
        code = feed_input_end(&feed);
    feed_free(&feed);
    return code;
}

static inline struct recorder *read_part(const struct recording_writer *writer, size_t bytes, struct source *source)
{
    struct recorder *recorder = recorder_new();
    struct input *input;
    const void *data;
    size_t size;

    assert_true(recording_data(writer, &data, &size));
    assert_int_equal(input_open_memory("x.tacho", data, bytes < size ? bytes : size, &input), STATUS_OK);
    assert_int_equal(read_input(recorder, input, "x.tacho", false, source), STATUS_OK);
    input_close(input);
    recorder_check(recorder);
    return recorder;
}

static inline struct recorder *read_written(const struct recording_writer *writer, struct source *source)
{
    return read_part(writer, SIZE_MAX, source);
}

static inline void check_note(const struct source *source, const char *part)
{
    if (has_note(source, part))
        return;
    for (unsigned i = 0; i < source->note_count; i++)
        print_message("note: %s\n", source->notes[i]);
    fail_msg("no note says: %s", part);
}

/* A process with one thread and two sites, 1 and 2. */
static inline void begin_simple(struct recording_writer *writer)
{
    *writer = (struct recording_writer){ 0 };
    recording_begin_process(writer, 4711, 0);
    recording_add_thread(writer, 0, 4711, "main");
    recording_add_site(writer, "outer", "work", "src/net.c", 10, 0);
    recording_add_site(writer, "inner", "work", "src/net.c", 20, 0);
}

static inline void check_text(const struct recording_writer *writer, const char *expected)
{
    struct source source;
    struct recorder *recorder = read_written(writer, &source);

    assert_string_equal(recorder_text(recorder), expected);
    recorder_free(recorder);
}

static inline void put_text(struct recording_writer *writer, enum recording_kind kind, uint64_t word, uint32_t id,
                            const char *text)
{
    recording_put(writer, 0, &(struct written_record){ .kind = kind, .word = word, .id = id, .text = text });
}

static inline uint64_t bits_of(double value)
{
    uint64_t bits;

    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static inline void add_process(struct recording_writer *writer, uint32_t pid, uint64_t start, uint32_t launch)
{
    recording_begin_process(writer, pid, 0);
    recording_head(writer)->start_monotonic = start;
    recording_head(writer)->launch = launch;
    recording_head(writer)->root = 1;
    recording_head(writer)->outcome = OUTCOME_EXITED;
    recording_add_thread(writer, 0, pid, "main");
    recording_add_site(writer, "inference", "main", "main.c", 5, SITE_RUN);
    for (unsigned i = 0; i < 2; i++) {
        recording_zone(writer, 0, RECORD_BEGIN, start + 100 + 100 * i, 1);
        recording_zone(writer, 0, RECORD_END, start + 150 + 100 * i, 1);
    }
    recording_finish(writer);
}

static inline void put_device(struct recording_writer *writer, uint32_t track, const char *name, uint64_t start,
                              uint64_t end)
{
    recording_put(writer, 0,
                  &(struct written_record){ .kind = RECORD_TRACK_SLICE,
                                            .word = start,
                                            .id = track,
                                            .value_count = 1,
                                            .values = { end },
                                            .text = name });
}

static inline void put_tie(struct recording_writer *writer, uint32_t clock, uint64_t before, uint64_t ticks,
                           uint64_t after)
{
    recording_put(writer, 0,
                  &(struct written_record){
                      .kind = RECORD_TIE, .word = before, .id = clock, .value_count = 2, .values = { ticks, after } });
}

static inline void put_value(struct recording_writer *writer, uint32_t thread, enum recording_kind kind, uint64_t time,
                             uint32_t site, uint64_t value, uint32_t type)
{
    recording_put(
        writer, thread,
        &(struct written_record){
            .kind = kind, .word = time, .id = site, .value_count = 1, .values = { value }, .types = { type } });
}

#endif
