/* render.c: a complete program on libtacho: draw a timeline of your own, put profiles beside it, ask for the numbers.
 *
 *     cc render.c $(pkg-config --cflags --libs tacho) -o render
 *     ./render TRACE [PROFILE...]
 *
 * TRACE is .pb, .pftrace, .json, .speedscope.json or .csv, also with .gz or .zst behind. Each PROFILE becomes a process
 * of the trace, and its overview is printed.
 */
#include <inttypes.h>
#include <stdio.h>

#include <tacho/tacho.h>

static int complain(const char *what)
{
    fprintf(stderr, "render: %s: %s\n", what, tacho_error_message());
    return 1;
}

/* Two layers of a network on an accelerator whose counter runs at 800 MHz: 800 ticks are a microsecond. */
static enum tacho_status draw_accelerator(struct tacho_writer *writer)
{
    const struct tacho_argument weights[] = { { .key = "bytes", .integer = 16384 },
                                              { .key = "note", .text = "first layer" } };
    tacho_process process;
    tacho_thread transfer, compute;
    enum tacho_status status = tacho_writer_add_process(writer, "My NPU", &process);

    if (status == TACHO_OK)
        status = tacho_writer_add_thread(writer, process, "DMA", &transfer);
    if (status == TACHO_OK)
        status = tacho_writer_add_thread(writer, process, "Compute", &compute);
    if (status != TACHO_OK)
        return status;

    /* Slices of which both ends are known may come in any order and may overlap. */
    const struct tacho_slice slices[] = {
        { .thread = transfer,
          .name = "load weights",
          .start = 0,
          .end = 1600,
          .arguments = weights,
          .argument_count = 2 },
        { .thread = transfer, .name = "load input", .start = 800, .end = 2400 },
        { .thread = compute, .name = "conv2d", .start = 2400, .end = 8000 },
    };

    for (size_t i = 0; i < sizeof slices / sizeof *slices && status == TACHO_OK; i++)
        status = tacho_writer_render(writer, &slices[i]);
    return status;
}

/* Begin and end as they happen, and a value that changes. */
static enum tacho_status draw_host(struct tacho_writer *writer)
{
    tacho_process process;
    tacho_thread thread;
    tacho_counter queued;
    enum tacho_status status = tacho_writer_add_process(writer, "My host", &process);

    if (status == TACHO_OK)
        status = tacho_writer_add_thread(writer, process, "main", &thread);
    if (status == TACHO_OK)
        status = tacho_writer_add_counter(writer, process, "Jobs queued", "count", &queued);
    if (status == TACHO_OK)
        status = tacho_writer_begin(writer, &(struct tacho_slice){ .thread = thread, .name = "inference", .start = 0 });
    if (status == TACHO_OK)
        status = tacho_writer_set_counter(writer, queued, 0, 2);
    if (status == TACHO_OK)
        status = tacho_writer_begin(writer, &(struct tacho_slice){ .thread = thread, .name = "wait", .start = 400 });
    if (status == TACHO_OK)
        status = tacho_writer_end(writer, thread, 8000);
    if (status == TACHO_OK)
        status = tacho_writer_set_counter(writer, queued, 8000, 0);
    if (status == TACHO_OK)
        status = tacho_writer_end(writer, thread, 8800);

    /* The short way: process and thread by name. */
    if (status == TACHO_OK)
        status = tacho_writer_log(writer, &(struct tacho_log){ "My host", "main", "print result", 8800, 9600 });
    return status;
}

/* Where the time of a profile went, one line per metric. */
static enum tacho_status print_overview(const char *path)
{
    struct tacho_profile *profile = NULL;
    struct tacho_table *table = NULL;
    enum tacho_status status = tacho_profile_open(path, NULL, &profile);

    if (status == TACHO_OK)
        status = tacho_profile_table(profile, "overview", &table);
    if (status == TACHO_OK) {
        struct tacho_row_counts rows = tacho_profile_row_counts(profile);
        size_t label = tacho_table_find_column(table, "label");
        size_t time = tacho_table_find_column(table, "time");
        size_t percent = tacho_table_find_column(table, "percent");

        printf("%s: %s, %" PRIu64 " rows, %" PRIu64 " lost\n", path, tacho_profile_format(profile), rows.read,
               rows.lost);
        for (size_t row = 0; row < tacho_table_rows(table); row++)
            printf("  %-24s %12" PRId64 " ns %6.2f%%\n", tacho_table_text(table, row, label),
                   tacho_table_integer(table, row, time), tacho_table_decimal(table, row, percent));
    }
    tacho_table_free(table);
    tacho_profile_close(profile);
    return status;
}

int main(int count, char **words)
{
    const struct tacho_writer_options options = { .tick_rate = 800000000 };
    struct tacho_writer *writer;

    if (count < 2) {
        fprintf(stderr, "usage: render TRACE [PROFILE...]   (libtacho %s)\n", tacho_version());
        return 2;
    }
    if (tacho_writer_open(words[1], &options, &writer) != TACHO_OK)
        return complain("opening the trace");
    if (draw_accelerator(writer) != TACHO_OK || draw_host(writer) != TACHO_OK) {
        tacho_writer_abandon(writer);
        return complain("drawing");
    }
    for (int i = 2; i < count; i++) {
        if (tacho_writer_read(writer, NULL, words[i], NULL, NULL) != TACHO_OK) {
            tacho_writer_abandon(writer);
            return complain("reading a profile");
        }
    }
    if (tacho_writer_close(writer) != TACHO_OK)
        return complain("closing the trace");
    for (int i = 2; i < count; i++)
        if (print_overview(words[i]) != TACHO_OK)
            return complain("reading a profile");
    return 0;
}
