/* generate.c: writes profiles of any size to standard output, for measuring.
 *
 *     generate c1|c2|c3|c4|r1|r2|r3|mlir|etdump|et-timeline|tt-device|tt-ops|kineto ROWS [--seed N] [--gaps PERCENT] [--blob BYTES] > file
 *
 * The files look as the compiler and the runtime write them. Compile timelines are grouped by engine, so the schedule
 * is played several times from the same seed: once for the transfers, once for the slices, once for CSS. All formats
 * of one seed tell of the same model: an action of r3 is an action of the mlir dump, a task of c4 is a task there. ROWS
 * counts lines without the header; r3, mlir and et-timeline go on to the end of the inference or dispatch that reaches it.
 * etdump and et-timeline are ExecuTorch's and tell of models of their own; the rows of an etdump are its events. tt-device is Tenstorrent's log of a
 * device; its rows are markers, up to the end of a launch.
 * tt-ops is an ops report of Tenstorrent's. kineto is a trace of PyTorch's profiler, whose rows are events, up to the end of a step.
 *
 * A line on standard error says how many rows came and how many idle gaps lie between busy times, all engines together.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model.h"

struct options {
    const char *format;
    uint64_t rows;
    uint64_t seed;
    uint64_t gaps;
    uint64_t blob;
};

static bool read_number(const char *text, uint64_t *value)
{
    char *end;

    errno = 0;
    *value = strtoull(text, &end, 10);
    return text[0] >= '0' && text[0] <= '9' && *end == '\0' && errno == 0;
}

static bool read_options(int count, char **words, struct options *options)
{
    unsigned positional = 0;

    for (int i = 1; i < count; i++) {
        uint64_t *number = NULL;

        if (strcmp(words[i], "--seed") == 0)
            number = &options->seed;
        else if (strcmp(words[i], "--gaps") == 0)
            number = &options->gaps;
        else if (strcmp(words[i], "--blob") == 0)
            number = &options->blob;
        if (number && (++i == count || !read_number(words[i], number)))
            return false;
        if (number)
            continue;
        if (positional == 0)
            options->format = words[i];
        else if (positional > 1 || !read_number(words[i], &options->rows))
            return false;
        positional++;
    }
    return positional == 2 && options->gaps <= 100;
}

static bool generate(const struct options *options, uint64_t *gaps)
{
    const char *format = options->format;

    make_layers(options->seed);
    if (format[0] == 'c' && format[1] >= '1' && format[1] <= '4' && !format[2])
        *gaps = generate_timeline((unsigned)(format[1] - '0'), options->rows, options->seed, options->gaps);
    else if (strcmp(format, "r1") == 0)
        *gaps = generate_r1(options->rows, options->seed, options->gaps);
    else if (strcmp(format, "r2") == 0)
        *gaps = generate_r2(options->rows, options->seed, options->gaps);
    else if (strcmp(format, "r3") == 0)
        *gaps = generate_r3(options->rows, options->seed, options->gaps);
    else if (strcmp(format, "mlir") == 0)
        *gaps = generate_mlir(options->rows, options->seed, options->gaps, options->blob);
    else if (strcmp(format, "etdump") == 0)
        *gaps = generate_etdump(options->rows, options->seed);
    else if (strcmp(format, "et-timeline") == 0)
        *gaps = generate_et_timeline(options->rows, options->seed);
    else if (strcmp(format, "tt-device") == 0)
        *gaps = generate_tt_device(options->rows, options->seed);
    else if (strcmp(format, "tt-ops") == 0)
        *gaps = generate_tt_ops(options->rows, options->seed);
    else if (strcmp(format, "kineto") == 0)
        *gaps = generate_kineto(options->rows, options->seed);
    else
        return false;
    flush_buffer();
    return true;
}

int main(int count, char **words)
{
    struct options options = { .seed = 1, .gaps = 30 };
    uint64_t gaps;

    if (!read_options(count, words, &options) || !generate(&options, &gaps)) {
        fprintf(stderr,
                "usage: generate c1|c2|c3|c4|r1|r2|r3|mlir|etdump|et-timeline|tt-device|tt-ops|kineto ROWS [--seed N] "
                "[--gaps PERCENT] [--blob BYTES]\n");
        return 2;
    }
    fprintf(stderr, "lines %" PRIu64 " gaps %" PRIu64 "\n", lines_written, gaps);
    return 0;
}
