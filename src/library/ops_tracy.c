#include "library/ops_tracy.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "library/session.h"
#include "library/tar.h"
#include "read/tt_tracy.h"
#include "report/ops_wide.h"

/* ---- Folders ---- */

/* Older logs are folders of ops, each with a host log. */
static bool holds_op_folders(const char *path)
{
    DIR *folder = opendir(path);
    const struct dirent *entry;
    bool found = false;

    while (folder && !found && (entry = readdir(folder))) {
        char log[PATH_MAX];
        struct stat there;

        if (entry->d_name[0] != '.' &&
            snprintf(log, sizeof log, "%s/%s/profile_log_host.csv", path, entry->d_name) < PATH_MAX)
            found = stat(log, &there) == 0;
    }
    if (folder)
        closedir(folder);
    return found;
}

bool ops_tracy_is_folder(const char *path)
{
    int sure = tt_tracy_probe_folder(path);

    return sure >= 90 || (sure > 0 && !holds_op_folders(path));
}

/* ---- Reading ---- */

status ops_tracy_read(struct ops_tracy *job, const char *folder)
{
    struct marker_log log;
    status code;

    *job = (struct ops_tracy){ .strings = strings_new(), .source = { .path = folder } };
    op_report_start(&job->report, job->strings);
    op_details_start(&job->details, &job->report);
    if (!job->strings)
        return status_no_memory("reading logs of ops");
    marker_log_start(&log, job->strings);
    code = tt_tracy_read_folder(&job->source, &job->details, &log);
    marker_log_free(&log);
    for (size_t i = 0; i < job->details.rows.count; i++) {
        job->device_rows += op_detail_at(&job->details, i)->times != NO_ID;
        job->signposts += op_row_at(&job->report, i)->kind == OP_SIGNPOST;
    }
    return code;
}

void ops_tracy_end(struct ops_tracy *job)
{
    op_details_free(&job->details);
    op_report_free(&job->report);
    strings_free(job->strings);
    job->strings = NULL;
}

/* ---- Writing ---- */

/* FOLDER/STEM[_NAME][_DATE]SUFFIX */
static status make_path(const struct ops_output_options *options, const char *stem, const char *suffix,
                        char to[PATH_MAX])
{
    char date[64] = "";
    struct tm local;

    if (options->name && strchr(options->name, '/'))
        return status_fail(STATUS_USAGE, "\"%s\" cannot be a part of a file's name", options->name);
    if (options->date &&
        (!localtime_r(&options->now, &local) || !strftime(date, sizeof date, "_%Y_%m_%d_%H_%M_%S", &local)))
        return status_fail(STATUS_OUTPUT, "the date cannot be told");
    if (snprintf(to, PATH_MAX, "%s/%s%s%s%s%s", options->folder, stem, options->name ? "_" : "",
                 options->name ? options->name : "", date, suffix) >= PATH_MAX)
        return status_fail(STATUS_OUTPUT, "the path of the report is too long");
    return STATUS_OK;
}

typedef status (*details_writer)(const struct op_details *details, struct output *output);

static status write_csv(const struct ops_tracy *job, const char *path, details_writer writer)
{
    struct output *output;
    status code = output_open(path, &output);

    if (code != STATUS_OK)
        return code;
    code = writer(&job->details, output);
    if (code == STATUS_OK)
        return output_commit(output);
    output_abandon(output);
    return code;
}

/* The files that the report was made of; a folder of logs may hold gigabytes of other things. */
static status write_archive(const struct ops_tracy *job, struct ops_written *written)
{
    char path[PATH_MAX];
    struct tar *tar;
    status code = tar_open(written->archive, &tar);

    if (code != STATUS_OK)
        return code;
    for (unsigned i = 0; tt_tracy_names[i] && code == STATUS_OK; i++)
        if (tt_tracy_find(job->source.path, tt_tracy_names[i], path))
            code = tar_add_file(tar, path, path_name(path));
    written->left_out = tar_left_out(tar);
    if (code == STATUS_OK)
        return tar_commit(tar);
    tar_abandon(tar);
    return code;
}

status ops_tracy_write(struct ops_tracy *job, const struct ops_output_options *options, struct ops_written *written)
{
    status code = make_path(options, "ops_perf_results", ".csv", written->csv);

    if (code == STATUS_OK)
        code = make_path(options, "ops_perf_results", ".tgz", written->archive);
    if (code == STATUS_OK && !job->details.host && job->details.device_source == OP_DEVICE_LOG)
        code = make_path(options, "per_core_op_to_op_times", ".csv", job->gaps);
    if (code == STATUS_OK)
        code = write_csv(job, written->csv, ops_wide_write);
    if (code == STATUS_OK && *job->gaps)
        code = write_csv(job, job->gaps, ops_gaps_write);
    return code == STATUS_OK ? write_archive(job, written) : code;
}
