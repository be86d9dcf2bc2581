/* traces.h: a trace that is served: all that its page would hold, in memory, for who asks over HTTP (doc/formats/page.md, "The same from
 * a server").
 *
 *     reader -> writer (page/trace_page.c) -> kept trace -> head, blocks, tiles
 *
 * One thread fills a kept trace: it pushes into the sink of `kept_trace_open`, and says with `kept_trace_publish` that what ended may be asked
 * for; the end of the sink does so for the last time. Any number of threads ask meanwhile; they see what was published last. A kept trace
 * that nobody fills any more is not changed but by `kept_trace_forget`.
 *
 * A chunk is never changed once it was published, and its block is always the same. What is about the whole trace (head, index, labels,
 * texts, flows) is made anew with every publishing, each of which is a generation, counted from 1. Blocks of one generation can be asked
 * for until the next but one.
 *
 * A kept trace belongs to all who hold it: `kept_trace_drop` of the last frees it. Its writer holds it, too. Of what a caller hands over nothing
 * is kept but copies, and the pool of strings, which must live as long as the writer.
 */
#ifndef SERVE_TRACES_H
#define SERVE_TRACES_H

#include "base/output.h"
#include "write/writer.h"

struct kept_trace;

/* ---- Filling ---- */

/* Held once, by the caller. STATUS_MEMORY. */
NODISCARD status kept_trace_new(struct kept_trace **trace);
void kept_trace_keep(struct kept_trace *trace);
void kept_trace_drop(struct kept_trace *trace); /* NULL is fine */

/* A writer that fills it: once for each trace. As `open` of a format (write/writer.h); `writer` is not touched where that fails. */
NODISCARD status kept_trace_open(struct kept_trace *trace, struct strings *strings,
                                 const struct writer_options *options, struct writer *writer);
/* By the thread that fills: all that was pushed and has ended may be asked for. Nothing will be pushed that begins before `until` (ns, as
 * traces have them): slices that wait for others inside of them are let go up to there. INT64_MIN: nothing is said about that. What has not
 * ended comes with the publishing after its end. STATUS_MEMORY: the trace stays as it was published before. */
NODISCARD status kept_trace_publish(struct writer *writer, int64_t until);
/* Forgets chunks whose last slice ended before this time (ns, as traces have them), and frees their memory. By any thread; what is
 * forgotten is left out of the index with the next publishing, and asked for before that it is not there. */
void kept_trace_forget(struct kept_trace *trace, int64_t before);

/* ---- Asking ---- */

struct kept_trace_state {
    uint64_t generation; /* that can be asked for; 0: nothing was published yet */
    bool finished;       /* nothing more comes */
    int64_t begin, end;  /* of what is there; ns of the page, which are those of the trace less `origin` */
    int64_t origin;      /* see the head; does not change once something was published */
    uint64_t slices;     /* that are there */
    uint64_t forgotten;  /* slices, instants and values that are not there any more */
    uint64_t bytes;      /* in memory */
};

struct kept_trace_state kept_trace_state(struct kept_trace *trace);

/* The head, with `generation`, `finished` and `forgotten` beside its other keys. Where there is none behind the generation `after`, these
 * three alone. Failures stick in the output. */
void kept_trace_write_head(struct kept_trace *trace, uint64_t after, struct output *output);

/* A block by its place, as the head and the index name it: a raw deflate stream. STATUS_NO: there is none, or no longer. */
NODISCARD status kept_trace_write_block(struct kept_trace *trace, uint32_t element, uint32_t offset, uint32_t length,
                                        struct output *output);

enum {
    TILE_ROWS = 64,      /* that are asked for at once, at most */
    TILE_COLUMNS = 8192, /* of a tile, at most */
    TILE_CELLS = 131072  /* columns of all rows that are asked for at once, at most */
};

/* Rows over the same time, cut into columns of about the same length: column k is from `from + (to - from) * k / columns` to where the next
 * begins, both rounded down. */
struct tiles {
    uint64_t generation;      /* whose rows are meant; 0: the last */
    int64_t from, to;         /* ns of the page; from < to */
    uint32_t columns;         /* at least 1 */
    uint64_t wide;            /* slices as long as this are listed; 0: none */
    uint32_t rows[TILE_ROWS]; /* by their numbers in the index */
    uint32_t row_count;       /* of rows */
};

/* What doc/formats/page.md says of tiles. STATUS_USAGE: more is asked than may be. STATUS_NO: there is no such row, or its generation is
 * not there any more: the head is to be asked for again. */
NODISCARD status kept_trace_write_tiles(struct kept_trace *trace, const struct tiles *tiles, struct output *output);

#endif
