#include "tenstorrent/ops_output.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/folder.h"
#include "base/path.h"
#include "base/tar.h"
#include "job/session.h"
#include "tenstorrent/original/ops_report.h"

/* ---- names --------------------------------------------------------------------------------------------------------- */

status ops_output_path(const struct ops_output_options *options, const char *stem, const char *suffix, bool date_last,
                       char to[PATH_MAX])
{
    const char *name = options->name ? options->name : "", *bar = options->name ? "_" : "";
    char date[64] = "";
    struct tm local;
    int length;

    if (strchr(name, '/'))
        return status_fail(STATUS_USAGE, "\"%s\" cannot be a part of a file's name", name);
    if (options->date &&
        (!localtime_r(&options->now, &local) ||
         !strftime(date, sizeof date, date_last ? "_%Y_%m_%d_%H_%M_%S" : "%Y_%m_%d_%H_%M_%S_", &local)))
        return status_fail(STATUS_OUTPUT, "the date cannot be told");
    length = snprintf(to, PATH_MAX, "%s/%s%s%s%s%s%s", options->folder, date_last ? "" : date, stem, bar, name,
                      date_last ? date : "", suffix);
    if (length < 0 || length >= PATH_MAX)
        return status_fail(STATUS_OUTPUT, "the path of the report is too long");
    return STATUS_OK;
}

/* `path`, or the nearest folder above it that is there, without links. */
static bool find_real(const char *path, char to[PATH_MAX])
{
    char part[PATH_MAX];
    char *slash;

    if ((size_t)snprintf(part, sizeof part, "%s", path) >= sizeof part)
        return false;
    while (!realpath(part, to)) {
        slash = strrchr(part, '/');
        if (!slash)
            return realpath(".", to) != NULL;
        slash[slash == part] = '\0';
        if (slash == part && !realpath(part, to))
            return false;
    }
    return true;
}

/* An archive inside of what it holds would hold itself. */
static status check_outside(const char *output, const char *logs)
{
    char outer[PATH_MAX], inner[PATH_MAX];
    size_t length;

    if (!realpath(logs, outer) || !find_real(output, inner))
        return STATUS_OK;
    length = strlen(outer);
    if (strncmp(outer, inner, length) == 0 && (inner[length] == '/' || inner[length] == '\0'))
        return status_fail(STATUS_USAGE, "the output folder %s lies in the folder of logs %s", output, logs);
    return STATUS_OK;
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
    status code = tar_writer_open(&tar, written->archive);

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
    status code = ops_output_path(options, stem, ".csv", false, written->csv);

    if (code == STATUS_OK)
        code = ops_output_path(options, stem, ".tgz", false, written->archive);
    if (code == STATUS_OK)
        code = check_outside(options->folder, folder->host);
    if (code == STATUS_OK && folder->has_device)
        code = check_outside(options->folder, folder->device);
    if (code == STATUS_OK)
        code = write_csv(&folder->calls, written->csv);
    return code == STATUS_OK ? write_archive(folder, written) : code;
}
