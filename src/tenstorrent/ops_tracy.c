/* ops_tracy.c: a folder of a newer tool chain, read and written as a report. */
#include "tenstorrent/ops_tracy.h"

#include "base/path.h"
#include "base/tar.h"
#include "tenstorrent/original/ops_wide.h"
#include "tenstorrent/tracy.h"

/* ---- Folders ---- */

bool ops_tracy_is_folder(const char *path)
{
    int sure = tt_tracy_probe_folder(path);

    /* A device log alone may lie beside the folders of older logs. */
    return sure >= 90 || (sure > 0 && !ops_folder_probe(path));
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

typedef status (*details_writer)(const struct op_details *details, struct output *output);

static status write_csv(const struct ops_tracy *job, const char *path, details_writer writer)
{
    struct output *output;
    status code = output_open(path, &output);

    if (code != STATUS_OK)
        return code;
    return output_finish(output, writer(&job->details, output));
}

/* The files that the report was made of; a folder of logs may hold gigabytes of other things. */
static status write_archive(const struct ops_tracy *job, struct ops_written *written)
{
    struct path path = { .text = NULL };
    struct tar_writer tar;
    status code = tar_writer_open(&tar, written->archive.text);

    for (unsigned i = 0; tt_tracy_names[i] && code == STATUS_OK; i++) {
        bool found;

        code = tt_tracy_find(job->source.path, tt_tracy_names[i], &path, &found);
        if (code == STATUS_OK && found)
            code = tar_writer_add_file(&tar, path.text, path_name(path.text));
    }
    path_free(&path);
    written->left_out = tar.left_out;
    return tar_writer_finish(&tar, code);
}

status ops_tracy_write(const struct ops_tracy *job, const struct ops_output_options *options,
                       struct ops_written *written)
{
    static const char stem[] = "ops_perf_results";
    bool gaps = !job->details.host && job->details.device_source == OP_DEVICE_LOG;
    status code = ops_output_path(options, stem, ".csv", true, &written->csv);

    if (code == STATUS_OK)
        code = ops_output_path(options, stem, ".tgz", true, &written->archive);
    if (code == STATUS_OK && gaps)
        code = ops_output_path(options, "per_core_op_to_op_times", ".csv", true, &written->gaps);
    if (code == STATUS_OK)
        code = write_csv(job, written->csv.text, ops_wide_write);
    if (code == STATUS_OK && gaps)
        code = write_csv(job, written->gaps.text, ops_gaps_write);
    return code == STATUS_OK ? write_archive(job, written) : code;
}
