/* model.c: the model that generated profiles are of: layers, tiles, jobs. */
#include "model.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    BUFFER_SIZE = 1 << 20,
    LINE_RESERVE = 4096, /* longer than any piece that is put at once */
};

static char buffer[BUFFER_SIZE + LINE_RESERVE];
static size_t used;
uint64_t lines_written;

void flush_buffer(void)
{
    size_t done = 0;

    while (done < used) {
        ssize_t count = write(STDOUT_FILENO, buffer + done, used - done);

        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0) {
            fprintf(stderr, "generate: cannot write: %s\n", strerror(errno));
            exit(4);
        }
        done += (size_t)count;
    }
    used = 0;
}

void put_bytes(const char *data, size_t length)
{
    if (used >= BUFFER_SIZE)
        flush_buffer();
    memcpy(buffer + used, data, length);
    used += length;
}

void put(const char *text)
{
    put_bytes(text, strlen(text));
}

void put_character(char character)
{
    buffer[used++] = character;
}

void put_unsigned(uint64_t value)
{
    char digits[20];
    size_t at = sizeof digits;

    while (value >= 100) {
        unsigned pair = (unsigned)(value % 100);

        value /= 100;
        digits[--at] = (char)('0' + pair % 10);
        digits[--at] = (char)('0' + pair / 10);
    }
    if (value >= 10) {
        digits[--at] = (char)('0' + value % 10);
        value /= 10;
    }
    digits[--at] = (char)('0' + value);
    put_bytes(digits + at, sizeof digits - at);
}

void end_line(void)
{
    put_character('\n');
    lines_written++;
}

void put_line(const char *text)
{
    put(text);
    end_line();
}

uint64_t next_random(uint64_t *state)
{
    uint64_t mixed = (*state += UINT64_C(0x9E3779B97F4A7C15));

    mixed = (mixed ^ (mixed >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    mixed = (mixed ^ (mixed >> 27)) * UINT64_C(0x94D049BB133111EB);
    return mixed ^ (mixed >> 31);
}

uint64_t draw(uint64_t *state, uint64_t limit)
{
    return (next_random(state) >> 32) * limit >> 32;
}

static const struct kind kinds[] = {
    { "conv2d", 5, 12 },         { "depthwise", 3, 6 },  { "add", 2, 2 }, { "fully_connected", 1, 8 },
    { "conv2d_rescale", 2, 14 }, { "avg_pool2d", 1, 3 }, { "mul", 1, 2 }, { "unknown", 1, 1 },
};

const char source_path[] = "/models/efficientnet.mlir";
struct layer layers[LAYERS];

static const struct kind *draw_kind(uint64_t *state)
{
    unsigned ticket = (unsigned)draw(state, 16);
    const struct kind *kind = kinds;

    while (ticket >= kind->weight)
        ticket -= (kind++)->weight;
    return kind;
}

static void write_quoted(struct layer *layer)
{
    size_t length = 0;

    layer->quoted[length++] = '"';
    for (const char *from = layer->plain; *from; from++) {
        if (*from == '"')
            layer->quoted[length++] = '"';
        layer->quoted[length++] = *from;
    }
    layer->quoted[length++] = '"';
    layer->quoted_length = length;
}

static void write_location(unsigned index)
{
    struct layer *layer = &layers[index];
    const struct layer *other = &layers[layer->fused_with];
    int length;

    if (strcmp(layer->kind->name, "unknown") == 0)
        length = snprintf(layer->plain, sizeof layer->plain, "loc(unknown)");
    else if (layer->fused_with != index)
        length = snprintf(layer->plain, sizeof layer->plain,
                          "loc(fused[callsite(\"%s\":%u:%u at \"%s\":2:3), callsite(\"%s\":%u:%u at \"%s\":2:3)])",
                          source_path, layer->line, layer->column, source_path, source_path, other->line, other->column,
                          source_path);
    else
        length = snprintf(layer->plain, sizeof layer->plain, "loc(callsite(\"%s\":%u:%u at \"%s\":2:3))", source_path,
                          layer->line, layer->column, source_path);
    layer->plain_length = (size_t)length;
    write_quoted(layer);
}

void put_location(unsigned index)
{
    put_bytes(layers[index].plain, layers[index].plain_length);
}

void make_layers(uint64_t seed)
{
    uint64_t state = seed ^ UINT64_C(0x746f7271);

    for (unsigned i = 0; i < LAYERS; i++) {
        struct layer *layer = &layers[i];

        layer->kind = draw_kind(&state);
        layer->line = 4 + i * 3 + (unsigned)draw(&state, 3);
        layer->column = i < 60 ? 10 : 11;
        layer->fused_with = i > 0 && draw(&state, 20) == 0 ? i - 1 : i;
        layer->cycles = 150 + (uint64_t)layer->kind->scale * (50 + draw(&state, 1500));
        layer->bytes = layer->cycles * 4 / 64 * 64 + 64;
    }
    for (unsigned i = 0; i < LAYERS; i++)
        write_location(i);
}

struct schedule start_schedule(uint64_t seed, uint64_t gaps)
{
    return (struct schedule){ .random = seed, .gaps = gaps };
}

static struct work place(struct schedule *schedule, enum lane lane, uint64_t cycles)
{
    struct work work = { .start = schedule->ends[lane] };
    uint64_t ticket = next_random(&schedule->random);

    work.gap = (ticket >> 40) % 100 < schedule->gaps;
    if (work.gap) {
        uint64_t pause = 20 + (ticket & 2047);
        uint64_t behind = schedule->front - work.start;

        work.start += behind > pause ? behind : pause;
    }
    cycles -= cycles >> 3;
    work.end = work.start + cycles + (((ticket >> 16) & 0xFFFF) * cycles >> 18);
    schedule->ends[lane] = work.end;
    if (work.end > schedule->front)
        schedule->front = work.end;
    return work;
}

bool job_loads_code(const struct job *job)
{
    return job->number % 4 == 0;
}

void play_job(struct schedule *schedule, struct job *job)
{
    job->number = schedule->jobs++;
    job->start = UINT64_MAX;
    for (unsigned i = 0; i < JOB_TILES; i++) {
        struct tile *tile = &job->tiles[i];
        const struct layer *layer;

        if (draw(&schedule->random, 8) == 0)
            schedule->layer_index = (schedule->layer_index + 1) % LAYERS;
        tile->layer_index = schedule->layer_index;
        layer = &layers[tile->layer_index];
        tile->in = place(schedule, LANE_IN, layer->cycles);
        tile->slice = place(schedule, i % 2 ? LANE_SLICE_1 : LANE_SLICE_0, layer->cycles * 2);
        if (i % 2)
            tile->out = place(schedule, LANE_OUT, layer->cycles * 2);
        if (tile->in.start < job->start)
            job->start = tile->in.start;
    }
    job->to_dtcm = place(schedule, LANE_CDMA, 320);
    if (job_loads_code(job))
        job->to_itcm = place(schedule, LANE_CDMA, 160);
    job->css = place(schedule, LANE_CSS, CSS_CYCLES);
    job->css.end = job->css.start + CSS_CYCLES;
    schedule->ends[LANE_CSS] = job->css.end;
    job->to_lram = place(schedule, LANE_CDMA, 160);
    job->end = schedule->front;
}

uint64_t task_in(uint64_t job, unsigned tile)
{
    return job * JOB_TASKS + tile / 2 * 5 + tile % 2 * 2;
}

uint64_t task_slice(uint64_t job, unsigned tile)
{
    return task_in(job, tile) + 1;
}

uint64_t task_out(uint64_t job, unsigned tile)
{
    return job * JOB_TASKS + tile / 2 * 5 + 4;
}

uint64_t task_last(uint64_t job, unsigned third)
{
    return job * JOB_TASKS + JOB_TILES / 2 * 5 + third;
}

uint64_t wait_action(uint64_t job)
{
    return 2 + job % DISPATCH_JOBS * 2;
}

void dispatch_name(char *to, size_t size, uint64_t dispatch)
{
    static const char *const suffixes[] = { "conv", "depthwise", "add", "conv", "pool", "matmul" };

    snprintf(to, size, "main_dispatch_%" PRIu64 "_%s", dispatch, suffixes[dispatch % RUNTIME_DISPATCHES]);
}

bool dispatch_has_host_program(uint64_t dispatch)
{
    return dispatch % 3 == 2;
}
