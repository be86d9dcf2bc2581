/* model.h: the model that the generated profiles tell of, its schedule, and how lines get out.
 *
 * There is one model and one output per process, so both are plain globals of model.c.
 *
 *     dispatch ── 8 jobs ── 16 tiles, each a transfer in and a slice; every second one a transfer out; then CSS
 */
#ifndef BENCH_MODEL_H
#define BENCH_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    LAYERS = 300,
    JOB_TILES = 16,
    JOB_TASKS = JOB_TILES * 2 + JOB_TILES / 2 + 3,
    DISPATCH_JOBS = 8,
    RUNTIME_DISPATCHES = 6, /* executables that one inference calls */
    CSS_CYCLES = 8000,
};

/* Output. A piece that is put at once is shorter than 4 KiB. */
extern uint64_t lines_written;
void put_bytes(const char *data, size_t length);
void put(const char *text);
void put_character(char character);
void put_unsigned(uint64_t value);
void end_line(void);
void put_line(const char *text); /* with its line end */
void flush_buffer(void);         /* exits with 4 when standard output cannot be written */

/* Chance. */
uint64_t next_random(uint64_t *state);
uint64_t draw(uint64_t *state, uint64_t limit); /* 0 .. limit - 1, near enough to even */

struct kind {
    const char *name; /* of the slice task */
    unsigned weight;  /* out of 16 */
    unsigned scale;   /* how long it takes, against the others */
};

struct layer {
    const struct kind *kind;
    unsigned line; /* of the source */
    unsigned column;
    unsigned fused_with; /* layer that shares the location; its own number: none */
    uint64_t cycles;     /* of one tile, on average */
    uint64_t bytes;      /* of one transfer */
    char plain[400];     /* loc(...) as printed */
    size_t plain_length;
    char quoted[440]; /* the same by RFC 4180 */
    size_t quoted_length;
};

extern const char source_path[];
extern struct layer layers[LAYERS];
void make_layers(uint64_t seed);
void put_location(unsigned index); /* of a layer, as the compiler prints it */

enum lane { LANE_IN, LANE_OUT, LANE_SLICE_0, LANE_SLICE_1, LANE_CDMA, LANE_CSS, LANE_COUNT };

struct work {
    uint64_t start;
    uint64_t end;
    bool gap; /* its engine was idle before it */
};

struct tile {
    unsigned layer_index;
    struct work in;
    struct work slice;
    struct work out; /* of every second tile */
};

struct job {
    uint64_t number;
    struct tile tiles[JOB_TILES];
    struct work to_dtcm;
    struct work to_itcm; /* of every fourth job */
    struct work css;
    struct work to_lram;
    uint64_t start;
    uint64_t end;
};

struct schedule {
    uint64_t random;
    uint64_t gaps;             /* percent */
    uint64_t ends[LANE_COUNT]; /* when each engine is free */
    uint64_t front;            /* the latest of them: where an engine that pauses goes on */
    uint64_t jobs;
    unsigned layer_index;
};

struct schedule start_schedule(uint64_t seed, uint64_t gaps);
void play_job(struct schedule *schedule, struct job *job);

bool job_loads_code(const struct job *job);
bool dispatch_has_host_program(uint64_t dispatch);
void dispatch_name(char *to, size_t size, uint64_t dispatch);

/* Task numbers inside a job: a transfer in and a slice per tile, a transfer out after every second one, three for
 * CSS. */
uint64_t task_in(uint64_t job, unsigned tile);
uint64_t task_slice(uint64_t job, unsigned tile);
uint64_t task_out(uint64_t job, unsigned tile);
uint64_t task_last(uint64_t job, unsigned third);
uint64_t wait_action(uint64_t job);

/* The formats. Each returns the number of idle gaps between busy times, all engines together. */
uint64_t generate_timeline(unsigned generation, uint64_t rows, uint64_t seed, uint64_t gaps);
uint64_t generate_r1(uint64_t rows, uint64_t seed, uint64_t gaps);
uint64_t generate_r2(uint64_t rows, uint64_t seed, uint64_t gaps);
uint64_t generate_r3(uint64_t rows, uint64_t seed, uint64_t gaps);
uint64_t generate_mlir(uint64_t rows, uint64_t seed, uint64_t gaps, uint64_t blob);
uint64_t generate_etdump(uint64_t events, uint64_t seed);     /* counts no gaps: 0 */
uint64_t generate_et_timeline(uint64_t rows, uint64_t seed);  /* no engines, no gaps: 0 */
uint64_t generate_tt_device(uint64_t markers, uint64_t seed); /* the same */
uint64_t generate_tt_ops(uint64_t rows, uint64_t seed);       /* the same */
uint64_t generate_kineto(uint64_t rows, uint64_t seed);       /* the same */

#endif
