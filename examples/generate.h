/* generate.h: the model that the examples tell of, and how their text is put together. */
#ifndef EXAMPLES_GENERATE_H
#define EXAMPLES_GENERATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MOST_LAYERS = 80, MOST_JOBS = 40, DISPATCHES = 6 };

enum kind { CONV, DEPTHWISE, ADD, POOL, DENSE, SOFTMAX };

struct place {
    unsigned line;
    unsigned column;
};

struct layer {
    enum kind kind;
    unsigned size; /* height and width of the input */
    unsigned stride;
    unsigned in_channels;
    unsigned out_channels;
    unsigned window; /* 3 or 1 */
    unsigned dispatch;
    unsigned job;
    unsigned skip_from;   /* of an add: the layer whose result comes back in */
    struct place place;   /* in the source */
    struct place rescale; /* the rescale that was fused into it; line 0: none */
    unsigned tiles;
    uint64_t tile_cycles;
    uint64_t memory; /* bytes of one tile's operands */
};

struct job {
    unsigned dispatch;
    unsigned number; /* in the dispatch */
    unsigned first_layer;
    unsigned layer_count;
    uint64_t start; /* cycles */
    uint64_t end;
};

enum action_kind { COPY, START, WAIT, HOST_START, HOST_WAIT, ALLOC, DEALLOC };

struct action {
    enum action_kind kind;
    unsigned dispatch;
    unsigned id;
    unsigned job;          /* of a start or wait */
    unsigned microseconds; /* it usually takes; a wait: from the job's cycles */
};

/* Filled by generate.c, but for the jobs' cycles and the actions, which generate_dump.c finds out. */
extern const char source_path[];
extern struct layer layers[MOST_LAYERS];
extern unsigned layer_count;
extern struct job jobs[MOST_JOBS];
extern unsigned job_count;
extern struct action actions[];
extern unsigned action_count;
extern const char *const dispatch_names[DISPATCHES];

uint64_t input_bytes(const struct layer *layer);
uint64_t output_bytes(const struct layer *layer);
uint64_t weight_bytes(const struct layer *layer);

/* A file that is being made. */
struct page {
    char *data;
    size_t length;
    size_t capacity;
};

__attribute__((format(printf, 2, 3))) void print(struct page *page, const char *format, ...); /* 4 KiB at most */
void fail(const char *what);                                                                  /* says what, and exits */

void print_dump(struct page *page);
void print_timeline(struct page *page); /* after the dump, of whose tasks it tells */
void print_run(struct page *page);      /* the same */

#endif
