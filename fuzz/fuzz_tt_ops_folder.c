/* fuzz_tt_ops_folder.c: the reader of folders of ops logs: the input is cut at record separators into the files of a folder. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "check_sink.h"
#include "tenstorrent/chain.h"
#include "tenstorrent/op_report.h"

static const char *const files[] = {
    "ops/A/profile_log_host.csv",
    "ops/A/1/profile_log_host.csv",
    "ops_device/A/profile_log_host.csv",
    "ops_device/A/1/profile_log_device.csv",
    "ops_device/A/2/profile_log_device.csv",
};

enum { FILES = sizeof files / sizeof *files, SEPARATOR = 0x1E };

static char place[64];
static int open_files[FILES]; /* kept open: making a file anew costs more than reading it */

static void remove_place(void)
{
    static const char *const folders[] = { "/ops_device/A/2", "/ops_device/A/1", "/ops_device/A", "/ops_device",
                                           "/ops/A/1",        "/ops/A",          "/ops",          "" };
    char path[128];

    for (unsigned i = 0; i < FILES; i++) {
        snprintf(path, sizeof path, "%s/%s", place, files[i]);
        unlink(path);
    }
    for (unsigned i = 0; i < sizeof folders / sizeof *folders; i++) {
        snprintf(path, sizeof path, "%s%s", place, folders[i]);
        rmdir(path);
    }
}

static void make_place(void)
{
    static const char *const folders[] = { "ops",          "ops/A",          "ops/A/1",       "ops_device",
                                           "ops_device/A", "ops_device/A/1", "ops_device/A/2" };
    const char *base = getenv("TMPDIR");
    const char *usual = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
    char path[128];

    if (*place)
        return;
    snprintf(place, sizeof place, "%.40s/tacho-fuzz-XXXXXX", base ? base : usual);
    check_that(mkdtemp(place) != NULL, "there is room for a folder");
    for (unsigned i = 0; i < sizeof folders / sizeof *folders; i++) {
        snprintf(path, sizeof path, "%s/%s", place, folders[i]);
        check_that(mkdir(path, 0700) == 0, "folders can be made");
    }
    for (unsigned i = 0; i < FILES; i++) {
        snprintf(path, sizeof path, "%s/%s", place, files[i]);
        open_files[i] = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
        check_that(open_files[i] >= 0, "files can be made");
    }
    atexit(remove_place);
}

static void write_files(const uint8_t *data, size_t size)
{
    for (unsigned i = 0; i < FILES; i++) {
        const uint8_t *end = size ? memchr(data, SEPARATOR, size) : NULL;
        size_t length = end && i + 1 < FILES ? (size_t)(end - data) : size;

        check_that(pwrite(open_files[i], data, length, 0) == (ssize_t)length &&
                       ftruncate(open_files[i], (off_t)length) == 0,
                   "files can be written");
        data += length < size ? length + 1 : length;
        size -= length < size ? length + 1 : length;
    }
}

static status read_once(const char *path, bool strict, struct strings *strings, uint64_t *digest)
{
    struct source source = { .path = path, .strict = strict };
    struct check check;
    struct feed feed;
    status code;

    check_start(&check, strings);
    feed_start(&feed, check_sink(&check), strings);
    code = feed_input(&feed, 0, 0);
    if (code == STATUS_OK)
        code = tt_ops_folder_reader.read(&source, &feed);
    tt_ops_folder_reader.release(&source);
    if (code == STATUS_OK)
        code = feed_input_end(&feed);
    if (code == STATUS_OK)
        code = sink_finish(&feed.sink);
    *digest = check.digest;
    feed_free(&feed);
    check_free(&check);
    return code;
}

static void read_rows(const char *path, struct strings *strings)
{
    struct source source = { .path = path };
    struct op_report report;

    op_report_start(&report, strings);
    if (tenstorrent_calls(&tt_ops_folder_reader)->ops(&source, &report) == STATUS_OK)
        check_that(report.losses.rows == report.losses.used + report.losses.lost, "rows are used or lost");
    op_report_free(&report);
}

static void check(const uint8_t *data, size_t size, struct strings *strings)
{
    char path[80];
    uint64_t first, again, allocations;
    status code;

    make_place();
    write_files(data, size);
    snprintf(path, sizeof path, "%s/ops", place);
    tt_ops_folder_reader.probe_folder(path);
    allocations = memory_count();
    code = read_once(path, false, strings, &first);
    allocations = memory_count() - allocations;
    /* One thing more for each input, by its size: reading a folder is slow. */
    switch (size % 4) {
    case 0:
        check_that(read_once(path, false, strings, &again) == code && first == again,
                   "the same folder twice gives the same trace");
        break;
    case 1:
        code = read_once(path, true, strings, &again);
        break;
    case 2:
        memory_fail_at(1 + (first >> 8) % (allocations + 1));
        code = read_once(path, false, strings, &again);
        memory_fail_at(0);
        check_that(code == STATUS_OK || code == STATUS_MEMORY || code == STATUS_INPUT, "memory that runs out is told");
        break;
    default:
        read_rows(path, strings);
    }
    status_clear();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return check_input(data, size, check);
}
