/* fuzz_tt_tracy_ops.c: the files of Tracy, the device report and the device log, joined; and the reports made of them.
 *
 * An input holds up to four files, each behind a line "====": messages, times, device report, device log. */
#include <string.h>

#include "check_sink.h"
#include "tenstorrent/chain.h"
#include "tenstorrent/original/ops_wide.h"
#include "tenstorrent/tracy.h"

enum { FILES = 4 };

static const char separator[] = "\n====\n";

/* The next file, and what is behind it. */
static struct text next_file(struct text *rest)
{
    const char *found = memmem(rest->data, rest->length, separator, sizeof separator - 1);
    struct text file = *rest;

    if (!found) {
        *rest = (struct text){ rest->data + rest->length, 0 };
        return file;
    }
    file.length = (size_t)(found - rest->data);
    rest->length -= file.length + sizeof separator - 1;
    rest->data = found + sizeof separator - 1;
    return file;
}

static status open_files(struct text whole, struct input *inputs[FILES])
{
    status code = STATUS_OK;

    for (unsigned i = 0; i < FILES && code == STATUS_OK; i++) {
        struct text file = next_file(&whole);

        if (file.length)
            code = input_open_memory(tt_tracy_names[i], file.data, file.length, &inputs[i]);
    }
    return code;
}

static void check_details(const struct op_details *details)
{
    const struct losses *losses = &details->report->losses;

    check_that(losses->rows == losses->used + losses->lost, "rows are used or lost");
    for (size_t i = 0; i < details->report->rows.count; i++) {
        const struct op_parts *parts = &op_row_at(details->report, i)->parts;

        check_that(parts->info == NO_ID || parts->info < details->infos.count, "a row's info is there");
        check_that(parts->times == NO_ID || parts->times < details->times.count, "a row's times are there");
    }
}

static status write_reports(const struct op_details *details)
{
    struct output *output;
    status code = output_open_memory(&output);

    if (code != STATUS_OK)
        return code;
    code = ops_wide_write(details, output);
    if (code == STATUS_OK)
        code = ops_gaps_write(details, output);
    output_abandon(output);
    return code;
}

static status read_parts(struct source *source, struct feed *feed)
{
    struct input *inputs[FILES] = { NULL };
    struct op_report report;
    struct op_details details;
    struct marker_log log;
    struct text whole;
    status code;

    op_report_start(&report, feed->strings);
    op_details_start(&details, &report);
    marker_log_start(&log, feed->strings);
    code = input_whole(source->input, CHECK_LARGEST, &whole);
    if (code == STATUS_OK)
        code = open_files(whole, inputs);
    if (code == STATUS_OK) {
        struct tracy_files files = { inputs[0], inputs[1], inputs[2], inputs[3] };

        code = tt_tracy_read(source, &files, &details, &log);
    }
    if (code == STATUS_OK) {
        check_details(&details);
        code = write_reports(&details);
    }
    if (code == STATUS_OK)
        code = tt_tracy_feed(source, &details, &log, feed);
    for (unsigned i = 0; i < FILES; i++)
        input_close(inputs[i]);
    marker_log_free(&log);
    op_details_free(&details);
    op_report_free(&report);
    return code;
}

static int probe_parts(struct text head, const char *path)
{
    return tt_tracy_ops_reader.probe(head, path);
}

static void release_parts(struct source *source)
{
    tt_tracy_ops_reader.release(source);
}

static void check(const uint8_t *data, size_t size, struct strings *strings)
{
    static const struct reader parts = {
        .id = "tt-tracy-ops", .title = "parts", .probe = probe_parts, .read = read_parts, .release = release_parts
    };

    check_reader(&parts, data, size, NULL, NULL, strings);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return check_input(data, size, check);
}
