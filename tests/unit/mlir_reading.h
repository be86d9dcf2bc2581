/* mlir_reading.h: for tests of the torq-mlir reader: a dump read into a program, and a text that shows all of it. */
#ifndef TESTS_MLIR_READING_H
#define TESTS_MLIR_READING_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "read/reader.h"
#include "torq/chain.h"
#include "torq/program.h"

/* ---- reading into a program and a text that shows all of it ------------------------------------------------------ */

struct reading {
    struct strings *strings;
    const struct program *program; /* what the reader kept; NULL: nothing was read yet */
    struct feed feed;
    struct source source;
    FILE *out;
    char *text; /* every track and slice, then every part of the program */
    size_t text_size;
    status code;
};

static const char *name(const struct reading *reading, string_id id)
{
    return strings_text(reading->strings, id);
}

static inline status on_clock(void *self, clock_id id, const struct clock *clock)
{
    struct reading *reading = self;

    fprintf(reading->out, "clock %u %s\n", id, name(reading, clock->name));
    return STATUS_OK;
}

static inline status on_track(void *self, const struct track *track)
{
    struct reading *reading = self;

    fprintf(reading->out, "track %u %s %s %u %d\n", track->id, name(reading, track->name), track->engine->key,
            track->index, track->order);
    return STATUS_OK;
}

static inline status on_slice(void *self, const struct slice *slice)
{
    struct reading *reading = self;

    assert_true(slice->start >= 0 && slice->end >= slice->start);
    fprintf(reading->out, "slice %u %s [%lld,%lld] %d", slice->track, name(reading, slice->name),
            (long long)slice->start, (long long)slice->end, (int)slice->op);
    for (uint32_t i = 0; i < slice->argument_count; i++) {
        const struct argument *argument = &slice->arguments[i];

        fprintf(reading->out, " %s=", name(reading, argument->key));
        assert_true(argument->type == ARGUMENT_TEXT || argument->type == ARGUMENT_INTEGER);
        if (argument->type == ARGUMENT_TEXT)
            fprintf(reading->out, "%s", name(reading, argument->text));
        else
            fprintf(reading->out, "%lld", (long long)argument->integer);
    }
    fputc('\n', reading->out);
    return STATUS_OK;
}

static inline void print_work(struct reading *reading)
{
    const struct program *program = reading->program;

    for (uint32_t i = 0; i < program->tasks.count; i++) {
        const struct program_task *task = program_task(program, i);

        fprintf(reading->out, "task %lld job %u [%lld,%lld] %s %u+%u\n", (long long)task->id, task->job,
                (long long)task->start, (long long)task->end, name(reading, task->location), task->first_step,
                task->step_count);
    }
    for (uint32_t i = 0; i < program->steps.count; i++) {
        const struct program_step *step = program_step(program, i);

        fprintf(reading->out, "step %u %s %d <%s> <%s> %lld %lld %s\n", step->task, step_name(step->kind), step->slice,
                name(reading, step->kernel), name(reading, step->transfer), (long long)step->async,
                (long long)step->bytes, name(reading, step->location));
    }
    for (uint32_t i = 0; i < program->units.count; i++) {
        const struct program_unit *unit = program_unit(program, i);

        fprintf(reading->out, "unit %s %u job %u steps %u %u %s %lld [%lld,%lld,%lld]\n", unit->engine->key,
                unit->index, unit->job, unit->start_step, unit->wait_step, name(reading, unit->kernel),
                (long long)unit->bytes, (long long)unit->start, (long long)unit->busy_end, (long long)unit->wait_end);
    }
}

static inline void print_program(struct reading *reading)
{
    const struct program *program = reading->program;

    for (uint32_t i = 0; i < program->dispatches.count; i++) {
        const struct program_dispatch *dispatch = program_dispatch(program, i);

        fprintf(reading->out, "dispatch %s %lld %lld actions %u+%u jobs %u+%u\n", name(reading, dispatch->name),
                (long long)dispatch->memory, (long long)dispatch->largest_cycle, dispatch->first_action,
                dispatch->action_count, dispatch->first_job, dispatch->job_count);
    }
    for (uint32_t i = 0; i < program->actions.count; i++) {
        const struct program_action *action = program_action(program, i);

        fprintf(reading->out, "action %d kind %d %s <%s> job %d [%lld,%lld] %s\n", action->id, (int)action->kind,
                name(reading, action->operation), name(reading, action->invocation), (int)action->job,
                (long long)action->start, (long long)action->end, name(reading, action->location));
    }
    for (uint32_t i = 0; i < program->jobs.count; i++) {
        const struct program_job *job = program_job(program, i);

        fprintf(reading->out, "job %d %s actions %d %d used %x kernels <%s> [%lld,%lld] %s\n", job->id,
                name(reading, job->name), (int)job->start_action, (int)job->wait_action, job->used,
                name(reading, job->kernels), (long long)job->start, (long long)job->end, name(reading, job->location));
    }
    for (uint32_t i = 0; i < program->kernels.count; i++) {
        const struct program_kernel *kernel = program_kernel(program, i);

        fprintf(reading->out, "kernel %s %s %lld %lld %s", name(reading, kernel->name),
                name(reading, kernel->memory_info), (long long)kernel->memory, (long long)kernel->max_cycle,
                bus_name(kernel->bound));
        for (unsigned bus = 0; bus < BUS_COUNT; bus++)
            fprintf(reading->out, " %lld", (long long)kernel->cycles[bus]);
        fputc('\n', reading->out);
    }
    print_work(reading);
}

static const struct sink_calls calls = { .clock = on_clock, .track = on_track, .slice = on_slice };

static inline void start_reading(struct reading *reading)
{
    *reading = (struct reading){ .code = STATUS_OK };
    reading->out = open_memstream(&reading->text, &reading->text_size);
    assert_non_null(reading->out);
    reading->strings = model_strings();
    assert_non_null(reading->strings);
    feed_start(&reading->feed, (struct sink){ &calls, reading }, reading->strings);
}

static inline void stop_reading(struct reading *reading)
{
    torq_mlir_reader.release(&reading->source);
    feed_free(&reading->feed);
    strings_free(reading->strings);
    fclose(reading->out);
    free(reading->text);
}

static inline void run_reading(struct reading *reading, struct input *input)
{
    reading->source.input = input;
    reading->source.path = input_name(input);
    reading->code = torq_mlir_reader.read(&reading->source, &reading->feed);
    reading->program = reading->source.kept;
    if (reading->code == STATUS_OK) {
        print_program(reading);
        assert_int_equal(reading->feed.losses.rows, reading->feed.losses.used + reading->feed.losses.lost);
    }
    fflush(reading->out);
    input_close(input);
}

static inline void read_bytes(struct reading *reading, const char *data, size_t size)
{
    struct input *input;

    assert_int_equal(input_open_memory("x.mlir", data, size, &input), STATUS_OK);
    run_reading(reading, input);
}

static inline void read_text(struct reading *reading, const char *text)
{
    start_reading(reading);
    read_bytes(reading, text, strlen(text));
}

static inline void data_path(char *to, size_t size, const char *file)
{
    const char *folder = getenv("TACHO_TEST_DATA");

    snprintf(to, size, "%s/torq-mlir/%s", folder ? folder : "tests/data", file);
}

static inline void read_file(struct reading *reading, const char *file)
{
    struct input *input;
    char path[512];

    data_path(path, sizeof path, file);
    start_reading(reading);
    if (input_open(path, &input) != STATUS_OK)
        fail_msg("%s", status_message());
    run_reading(reading, input);
}

/* The bytes of a file of the test data; to be freed. */
static inline char *load(const char *file, size_t *size)
{
    char path[512];
    char *data = malloc(1 << 20);
    FILE *from;

    data_path(path, sizeof path, file);
    from = fopen(path, "rb");
    assert_non_null(from);
    assert_non_null(data);
    *size = fread(data, 1, 1 << 20, from);
    fclose(from);
    data[*size] = '\0';
    return data;
}

static inline void expect_line(const struct reading *reading, const char *line)
{
    if (!strstr(reading->text, line))
        fail_msg("missing: %s\nin:\n%s", line, reading->text);
}

static inline void expect_lost(const struct reading *reading, const struct loss_reason *reason, uint64_t count)
{
    assert_int_equal(reading->code, STATUS_OK);
    assert_int_equal(losses_count(&reading->feed.losses, reason), count);
}

static inline void expect_note(const struct reading *reading, const char *part, bool there)
{
    bool found = false;

    for (unsigned i = 0; i < reading->source.note_count; i++)
        found |= strstr(reading->source.notes[i], part) != NULL;
    assert_int_equal(found, there);
}

#define FUNCTION(body) "module {\n func.func @f() {\n" body "\n return\n }\n}\n"
#define PROGRAM(name, body) \
    "%p = torq_hl.program \"" name "\" : !torq_hl.program<nss> {\n" body "\n torq_hl.return\n}\n"
#define SLICE(value, name)                                                                         \
    "%" value "p = torq_hl.program \"" name "\" : !torq_hl.program<slice> {\n torq_hl.return\n}\n" \
    "%" value ", %" value "c = torq_hl.create_invocation \"" name "\" program(%" value             \
    "p : !torq_hl.program<slice>) on 0 : !torq_hl.invocation<slice>, memref<8xi8>\n"
#define INVOKE                                                                                                         \
    "%i, %c = torq_hl.create_invocation \"nss\" program(%p : !torq_hl.program<nss>) on 0 {\"torq-job-id\" = 0 : i32} " \
    ": "                                                                                                               \
    "!torq_hl.invocation<nss>, memref<8xi8>\n"
#define RUN(args)                                                                                                \
    INVOKE "torq_hl.start_program %i : !torq_hl.invocation<nss> args(" args ") {\"torq-action-id\" = 0 : i32}\n" \
           "torq_hl.wait_program %i : !torq_hl.invocation<nss> {\"torq-action-id\" = 1 : i32}\n"
#define START_SLICE(value) \
    "\"torq_hw.slice_start\"(" value ", %l) <{id = 0 : index}> : (!torq_hl.invocation<slice>) -> ()\n"

#endif
