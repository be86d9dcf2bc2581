/* ops_output.c: names of ops reports, and writing one of a folder of logs. */
#include "tenstorrent/ops_output.h"

#include <assert.h>

#include "base/tar.h"
#include "tenstorrent/original/ops_report.h"

/* ---- names --------------------------------------------------------------------------------------------------------- */

status ops_output_path(const struct ops_output_options *options, const char *stem, const char *suffix, bool date_last,
                       struct path *to)
{
    const char *name = options->name ? options->name : "", *bar = options->name ? "_" : "";
    char date[64] = "";
    struct tm local;

    assert(options->folder);
    if (strchr(name, '/'))
        return status_fail(STATUS_USAGE, "\"%s\" cannot be a part of a file's name", name);
    if (options->date &&
        (!localtime_r(&options->now, &local) ||
         !strftime(date, sizeof date, date_last ? "_%Y_%m_%d_%H_%M_%S" : "%Y_%m_%d_%H_%M_%S_", &local)))
        return status_fail(STATUS_OUTPUT, "the date cannot be told");
    return path_set(to, "%s/%s%s%s%s%s%s", options->folder, date_last ? "" : date, stem, bar, name,
                    date_last ? date : "", suffix);
}

/* `path`, or the nearest folder above it that is there, without links. */
static status find_real(const char *path, struct path *to)
{
    struct path part = { .text = NULL };
    status code = path_set(&part, "%s", path);

    while (code == STATUS_OK && (code = path_resolve(to, part.length ? part.text : ".")) == STATUS_INPUT &&
           part.length) {
        size_t length = path_folder(part.text).length;

        status_clear();
        code = STATUS_OK;
        path_cut(&part, length < part.length ? length : 0);
    }
    path_free(&part);
    return code;
}

/* An archive inside of what it holds would hold itself. */
static status check_outside(const char *output, const char *logs)
{
    struct path outer = { .text = NULL }, inner = { .text = NULL };
    status code = path_resolve(&outer, logs);

    if (code == STATUS_OK)
        code = find_real(output, &inner);
    if (code == STATUS_OK && strncmp(outer.text, inner.text, outer.length) == 0 &&
        (inner.text[outer.length] == '/' || inner.text[outer.length] == '\0'))
        code = status_fail(STATUS_USAGE, "the output folder %s lies in the folder of logs %s", output, logs);
    path_free(&outer);
    path_free(&inner);
    if (code != STATUS_INPUT)
        return code;
    status_clear(); /* what is not there holds nothing */
    return STATUS_OK;
}

void ops_written_free(struct ops_written *written)
{
    path_free(&written->csv);
    path_free(&written->archive);
    path_free(&written->gaps);
}

/* ---- files --------------------------------------------------------------------------------------------------------- */

static status write_csv(const struct op_calls *calls, const char *path)
{
    struct output *output;
    status code = output_open(path, &output);

    if (code != STATUS_OK)
        return code;
    return output_finish(output, ops_report_write(calls, output));
}

static status write_archive(const struct ops_folder *folder, struct ops_written *written)
{
    struct tar_writer tar;
    status code = tar_writer_open(&tar, written->archive.text);

    if (code == STATUS_OK)
        code = tar_writer_add_folder(&tar, folder->host, path_name(folder->host));
    if (code == STATUS_OK && folder->has_device && strcmp(folder->host, folder->device) != 0)
        code = tar_writer_add_folder(&tar, folder->device, path_name(folder->device));
    written->left_out = tar.left_out;
    return tar_writer_finish(&tar, code);
}

status ops_write(const struct ops_folder *folder, const struct ops_output_options *options, struct ops_written *written)
{
    static const char stem[] = "profile_log_ops";
    status code = ops_output_path(options, stem, ".csv", false, &written->csv);

    if (code == STATUS_OK)
        code = ops_output_path(options, stem, ".tgz", false, &written->archive);
    if (code == STATUS_OK)
        code = check_outside(options->folder, folder->host);
    if (code == STATUS_OK && folder->has_device)
        code = check_outside(options->folder, folder->device);
    if (code == STATUS_OK)
        code = write_csv(&folder->calls, written->csv.text);
    return code == STATUS_OK ? write_archive(folder, written) : code;
}
