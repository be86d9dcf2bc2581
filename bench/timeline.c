/* timeline.c: the compiler's estimate, C1 to C4. */
#include "model.h"

struct timeline {
    unsigned generation; /* 1 .. 4 */
    uint64_t left;       /* rows that the current pass may still write */
    uint64_t transfers;  /* numbers given to transfers */
    uint64_t slices;
    uint64_t css;
    uint64_t gaps;
};

struct row {
    const char *id;   /* C1, C2: before the number */
    const char *core; /* C2: after the number */
    uint64_t number;
    const char *type;  /* C1, C2 */
    const char *event; /* C3, C4 */
    uint64_t bytes;    /* 0: not a transfer */
    uint64_t key;      /* C3: action, C4: task */
    unsigned layer_index;
};

static void put_row(struct timeline *timeline, const struct row *row, const struct work *work)
{
    timeline->left--;
    timeline->gaps += work->gap;
    if (timeline->generation <= 2) {
        put(row->id);
        put_unsigned(row->number);
        if (timeline->generation == 2)
            put(row->core);
        put_character(',');
        put_unsigned(work->start);
        put_character(',');
        put_unsigned(work->end);
        put_character(',');
        put_location(row->layer_index);
        put_character(',');
        put(row->type);
        if (timeline->generation == 2 && row->bytes) {
            put_character(',');
            put_unsigned(row->bytes);
        }
    } else {
        put_unsigned(row->key);
        put_character(',');
        put_unsigned(work->end - work->start);
        put_character(',');
        put_unsigned(work->start);
        put_character(',');
        put(row->event);
        put_character(',');
        put_location(row->layer_index);
        put_character(',');
        if (row->bytes)
            put_unsigned(row->bytes);
    }
    end_line();
}

static uint64_t row_key(const struct timeline *timeline, const struct job *job, uint64_t task)
{
    return timeline->generation == 3 ? wait_action(job->number) : task;
}

static void put_cdma(struct timeline *timeline, const struct job *job, const struct work *work,
                     const char *const texts[3], uint64_t bytes, uint64_t task)
{
    struct row row = { texts[0], "",    timeline->transfers++,        texts[1],
                       texts[2], bytes, row_key(timeline, job, task), job->tiles[JOB_TILES - 1].layer_index };

    if (timeline->left)
        put_row(timeline, &row, work);
}

static void put_transfers(struct timeline *timeline, const struct job *job)
{
    static const char *const to_dtcm[3] = { "CDMA_L2D", "CDMA_LRAM_TO_DTCM", "CDMA LRAM to DTCM" };
    static const char *const to_itcm[3] = { "CDMA_L2I", "CDMA_LRAM_TO_ITCM", "CDMA LRAM to ITCM" };
    static const char *const to_lram[3] = { "CDMA_D2L", "CDMA_DTCM_TO_LRAM", "CDMA DTCM to LRAM" };

    for (unsigned i = 0; i < JOB_TILES && timeline->left; i++) {
        const struct tile *tile = &job->tiles[i];
        uint64_t bytes = layers[tile->layer_index].bytes;
        struct row in = { "DI",
                          "",
                          timeline->transfers++,
                          "DMA_IN",
                          "DMA In",
                          bytes,
                          row_key(timeline, job, task_in(job->number, i)),
                          tile->layer_index };

        put_row(timeline, &in, &tile->in);
        if (i % 2 && timeline->left) {
            struct row out = { "DO",
                               "",
                               timeline->transfers++,
                               "DMA_OUT",
                               "DMA Out",
                               bytes * 2,
                               row_key(timeline, job, task_out(job->number, i)),
                               tile->layer_index };

            put_row(timeline, &out, &tile->out);
        }
    }
    if (timeline->generation == 1)
        return;
    put_cdma(timeline, job, &job->to_dtcm, to_dtcm, 4096, task_last(job->number, 0));
    if (job_loads_code(job))
        put_cdma(timeline, job, &job->to_itcm, to_itcm, 2048, task_last(job->number, 0));
    put_cdma(timeline, job, &job->to_lram, to_lram, 2048, task_last(job->number, 2));
}

static void put_slices(struct timeline *timeline, const struct job *job)
{
    for (unsigned i = 0; i < JOB_TILES && timeline->left; i++) {
        const struct tile *tile = &job->tiles[i];
        struct row row = { "S",
                           i % 2 ? "_1" : "_0",
                           timeline->slices++,
                           layers[tile->layer_index].kind->name,
                           i % 2 ? "Slice 1" : "Slice 0",
                           0,
                           row_key(timeline, job, task_slice(job->number, i)),
                           tile->layer_index };

        put_row(timeline, &row, &tile->slice);
    }
}

static void put_css(struct timeline *timeline, const struct job *job)
{
    struct row row = { "CSS",
                       "",
                       timeline->css++,
                       "CSS",
                       "CSS",
                       0,
                       row_key(timeline, job, task_last(job->number, 1)),
                       job->tiles[JOB_TILES - 1].layer_index };

    put_row(timeline, &row, &job->css);
}

static void play_pass(struct timeline *timeline, uint64_t rows, uint64_t seed, uint64_t gaps,
                      void (*put_job)(struct timeline *timeline, const struct job *job))
{
    struct schedule schedule = start_schedule(seed, gaps);
    struct job job;

    for (timeline->left = rows; timeline->left;) {
        play_job(&schedule, &job);
        put_job(timeline, &job);
    }
}

uint64_t generate_timeline(unsigned generation, uint64_t rows, uint64_t seed, uint64_t gaps)
{
    struct timeline timeline = { .generation = generation };
    uint64_t css = generation == 1 ? 0 : rows / 44;
    uint64_t slices = generation == 1 ? rows * 2 / 5 : rows * 16 / 44;

    if (generation == 3)
        put_line("actionIndex, elapsed_time(us), timestamp(us), event, location, bytes");
    if (generation == 4)
        put_line("taskId, elapsed_time(us), timestamp(us), event, location, bytes");
    play_pass(&timeline, rows - slices - css, seed, gaps, put_transfers);
    play_pass(&timeline, slices, seed, gaps, put_slices);
    play_pass(&timeline, css, seed, gaps, put_css);
    return timeline.gaps;
}
