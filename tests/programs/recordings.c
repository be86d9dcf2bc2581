/* recordings.c: writes recordings of all kinds into a folder: what tests of the command line read.
 *
 *     recordings FOLDER      plain.tacho killed.tacho ring.tacho launches.tacho lines.tacho damaged.tacho
 *     recordings --sparse F  the same as fuzzing takes them: pieces of a file that is zero elsewhere
 */
#include <stdio.h>
#include <string.h>

#include "recording_writer.h"

enum { MOST_PATH = 4096 };

static void put(struct recording_writer *writer, uint32_t thread, enum recording_kind kind, uint64_t word, uint32_t id,
                const char *text)
{
    recording_put(writer, thread, &(struct written_record){ .kind = kind, .word = word, .id = id, .text = text });
}

static void put_value(struct recording_writer *writer, uint32_t thread, enum recording_kind kind, uint64_t time,
                      uint32_t id, uint64_t value, uint32_t type)
{
    recording_put(writer, thread,
                  &(struct written_record){
                      .kind = kind, .word = time, .id = id, .value_count = 1, .values = { value }, .types = { type } });
}

enum { RUN = 1, LOAD, MATMUL, BYTES }; /* sites */

static void begin(struct recording_writer *writer, uint32_t pid, uint32_t ring)
{
    recording_begin_process(writer, pid, ring);
    recording_add_thread(writer, 0, pid, "main");
    recording_add_site(writer, "inference", "infer", "src/net.c", 10, SITE_RUN);
    recording_add_site(writer, "load", "load", "src/net.c", 20, 0);
    recording_add_site(writer, "matmul", "matmul", "src/net.c", 30, 0);
    recording_add_site(writer, "bytes", "load", "src/net.c", 22, 0);
}

/* One inference of 10 us: 1 us of loading, two products inside it of 3 us each. */
static void infer(struct recording_writer *writer, uint32_t thread, uint64_t at)
{
    recording_zone(writer, thread, RECORD_BEGIN, at, RUN);
    recording_zone(writer, thread, RECORD_BEGIN, at + 500, LOAD);
    put(writer, thread, RECORD_ARGUMENT_INTEGER, 4096, BYTES, NULL);
    recording_zone(writer, thread, RECORD_END, at + 1500, LOAD);
    for (uint64_t i = 0; i < 2; i++) {
        recording_zone(writer, thread, RECORD_BEGIN, at + 2000 + 4000 * i, MATMUL);
        recording_zone(writer, thread, RECORD_END, at + 5000 + 4000 * i, MATMUL);
    }
    put(writer, thread, RECORD_ARGUMENT_TEXT, 4, 0, "modefast");
    recording_zone(writer, thread, RECORD_END, at + 10000, RUN);
}

static void write_plain(struct recording_writer *writer)
{
    begin(writer, 4711, 0);
    for (uint64_t i = 0; i < 10; i++)
        infer(writer, 0, 2000 + 12000 * i);
    recording_finish(writer);
    recording_head(writer)->zone_cost = 24 * 256;
}

static void write_killed(struct recording_writer *writer)
{
    begin(writer, 4711, 0);
    recording_add_thread(writer, 1, 4712, "worker");
    infer(writer, 0, 2000);
    recording_zone(writer, 0, RECORD_BEGIN, 13000, RUN);
    recording_zone(writer, 0, RECORD_BEGIN, 14000, MATMUL);
    recording_zone(writer, 1, RECORD_BEGIN, 14500, LOAD);
    recording_head(writer)->thread[1].dropped = 5;
}

static void write_ring(struct recording_writer *writer)
{
    begin(writer, 4711, 2);
    for (uint64_t i = 0; i < 6; i++) {
        infer(writer, 0, 2000 + 12000 * i);
        recording_zone(writer, 0, RECORD_BEGIN, 12500 + 12000 * i, LOAD);
        recording_next_chunk(writer, 0);
        recording_zone(writer, 0, RECORD_END, 13000 + 12000 * i, LOAD);
    }
    recording_finish(writer);
}

static void write_launches(struct recording_writer *writer)
{
    for (uint32_t launch = 0; launch < 3; launch++) {
        begin(writer, 100 + launch, 0);
        recording_head(writer)->launch = launch;
        recording_head(writer)->root = 1;
        recording_head(writer)->outcome = launch == 2 ? OUTCOME_KILLED : OUTCOME_EXITED;
        recording_head(writer)->outcome_code = launch == 2 ? 9 : 0;
        for (uint64_t i = 0; i < 5; i++)
            infer(writer, 0, 2000 + 12000 * i + 100000 * launch);
        recording_finish(writer);
    }
}

static void write_lines(struct recording_writer *writer)
{
    double half = 0.5;
    uint64_t bits;

    memcpy(&bits, &half, sizeof bits);
    begin(writer, 4711, 0);
    recording_name(writer,
                   &(struct written_record){ .kind = RECORD_CLOCK, .id = 1, .word = 1000000000, .text = "chip 0" });
    recording_name(writer,
                   &(struct written_record){ .kind = RECORD_TRACK, .id = 1, .word = 1, .text = "chip 0/core 3" });
    infer(writer, 0, 2000);
    recording_put(writer, 0,
                  &(struct written_record){
                      .kind = RECORD_TIE, .word = 2000, .id = 1, .value_count = 2, .values = { 77000, 4400 } });
    recording_put(writer, 0,
                  &(struct written_record){ .kind = RECORD_TRACK_SLICE,
                                            .word = 78000,
                                            .id = 1,
                                            .value_count = 1,
                                            .values = { 79000 },
                                            .text = "kernel" });
    put_value(writer, 0, RECORD_COUNTER, 3000, LOAD, 5, RECORDING_VALUE_SIGNED);
    put_value(writer, 0, RECORD_COUNTER, 3000, MATMUL, bits, RECORDING_VALUE_DOUBLE);
    put_value(writer, 0, RECORD_ASYNC_BEGIN, 3000, LOAD, 7, RECORDING_VALUE_UNSIGNED);
    put_value(writer, 0, RECORD_ASYNC_END, 4000, LOAD, 7, RECORDING_VALUE_UNSIGNED);
    for (uint64_t i = 0; i < 3; i++)
        recording_zone(writer, 0, RECORD_FRAME, 2000 + 3000 * i, LOAD);
    put(writer, 0, RECORD_INSTANT, 12000, 0, "a message");
    recording_put(writer, 0,
                  &(struct written_record){
                      .kind = RECORD_SUM, .word = 3000, .id = MATMUL, .value_count = 3, .values = { 9000, 1234, 40 } });
    recording_zone(writer, 0, RECORD_BEGIN, 13000, LOAD);
    put(writer, 0, RECORD_FLOW, 99, 0, NULL);
    recording_zone(writer, 0, RECORD_END, 13500, LOAD);
    recording_finish(writer);
}

static void write_damaged(struct recording_writer *writer)
{
    begin(writer, 4711, 0);
    infer(writer, 0, 2000);
    recording_next_chunk(writer, 0);
    infer(writer, 0, 14000);
    recording_zone(writer, 0, RECORD_END, 30000, LOAD);
    recording_finish(writer);
    if (!writer->failed)
        ((unsigned char *)recording_chunk(writer, 2))[100] ^= 1;
}

/* Pieces of 16 bytes that are not zero, in runs: offset (4 bytes), length (2), bytes. */
static bool write_sparse(FILE *file, const unsigned char *data, size_t size)
{
    enum { PIECE = 16, MOST = 4096 };
    static const unsigned char zeros[PIECE];
    bool fine = true;

    for (size_t at = 0; at + PIECE <= size && fine;) {
        uint32_t offset = (uint32_t)at;
        uint16_t length = 0;

        while (length < MOST && at + PIECE <= size && memcmp(data + at, zeros, PIECE) != 0) {
            length = (uint16_t)(length + PIECE);
            at += PIECE;
        }
        if (length)
            fine = fwrite(&offset, sizeof offset, 1, file) == 1 && fwrite(&length, sizeof length, 1, file) == 1 &&
                   fwrite(data + offset, length, 1, file) == 1;
        else
            at += PIECE;
    }
    return fine;
}

static bool write_file(const char *folder, const char *name, bool sparse, void (*fill)(struct recording_writer *))
{
    struct recording_writer writer = { 0 };
    char path[MOST_PATH];
    const void *data;
    size_t size;
    FILE *file;
    bool fine;

    snprintf(path, sizeof path, "%s/%s%s", folder, name, sparse ? "" : ".tacho");
    file = fopen(path, "wb");
    fill(&writer);
    fine = file && recording_data(&writer, &data, &size) &&
           (sparse ? write_sparse(file, data, size) : fwrite(data, 1, size, file) == size);
    recording_free(&writer);
    return file && fclose(file) == 0 && fine;
}

int main(int count, char **words)
{
    static const struct {
        const char *name;
        void (*fill)(struct recording_writer *);
    } samples[] = {
        { "plain", write_plain },       { "killed", write_killed }, { "ring", write_ring },
        { "launches", write_launches }, { "lines", write_lines },   { "damaged", write_damaged },
    };
    bool sparse = count > 1 && strcmp(words[1], "--sparse") == 0;

    if (count != 2 + sparse)
        return 2;
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++)
        if (!write_file(words[1 + sparse], samples[i].name, sparse, samples[i].fill))
            return 1;
    return 0;
}
