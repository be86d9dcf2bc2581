/* check_sink.h: a sink that stops the process when a reader breaks the rules of trace/sink.h, and the runs that fuzz
 * targets give to a reader.
 *
 * A checker owns its tables until `check_free`. Two runs that pushed the same have the same digest.
 */
#ifndef FUZZ_CHECK_SINK_H
#define FUZZ_CHECK_SINK_H

#include "base/column.h"
#include "read/reader.h"
#include "torq/estimate.h"
#include "torq/program.h"
#include "trace/sink.h"

struct check {
    const struct strings *strings; /* borrowed: the pool of the feed */
    struct column clocks;          /* int64_t: the latest time that fits */
    struct column tracks;          /* struct check_track */
    struct column opens;           /* struct check_open, by open id */
    uint32_t operators;
    uint32_t runs;
    uint32_t open_count; /* begun and not ended */
    bool lossed;         /* the losses were handed over */
    bool finished;
    uint64_t digest;
};

void check_start(struct check *check, const struct strings *strings);
void check_free(struct check *check);
struct sink check_sink(struct check *check);

/* Stops the process, saying what does not hold. */
void check_that(bool holds, const char *what);

/* True: inputs are tried in every way; false: in one way each, by their bytes, so that more of them are tried. */
extern bool check_every_way;
/* Whether an input takes this way of several, from 0 on. */
bool check_takes(const uint8_t *data, size_t size, unsigned way, unsigned ways);

/* Reads the bytes with a reader, and again: in small pieces, which must give the same; strictly; with memory that runs out;
 * or with a read that fails. `program` may be NULL, and so may `estimate`. */
void check_reader(const struct reader *reader, const uint8_t *data, size_t size, const struct program *program,
                  const struct estimate *estimate, struct strings *strings);

/* Reads a program from text, several times as above; true when `program` holds one at the end. */
bool check_program(const uint8_t *data, size_t size, struct program *program, struct strings *strings);

/* One input of a target that needs a string pool: larger ones than this are not tried. */
enum { CHECK_LARGEST = 64 * 1024 };
typedef void (*check_target)(const uint8_t *data, size_t size, struct strings *strings);
int check_input(const uint8_t *data, size_t size, check_target target);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
