#include "tenstorrent/device_job.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/number.h"
#include "base/path.h"
#include "base/tar.h"
#include "job/session.h"
#include "tenstorrent/chain.h"
#include "tenstorrent/device_page.h"

enum { SETUP_LARGEST = 4 * 1024 * 1024 };

/* ---- Reading ---- */

static status fill_source(const struct device_job_options *options, struct source *source)
{
    *source = (struct source){ .path = options->log, .strict = options->strict, .progress = options->progress };
    if (options->clock_mhz &&
        !number_parse_fraction(options->clock_mhz, &source->clock_numerator, &source->clock_denominator))
        return status_fail(STATUS_USAGE, "the clock wants a positive number of MHz such as 1202 or 1202.5, not \"%s\"",
                           options->clock_mhz);
    return STATUS_OK;
}

static status open_log(const struct device_job_options *options, struct source *source, const struct reader **reader)
{
    status code = reader_open(options->log, options->format, &source->input, reader);

    if (code == STATUS_OK && !tenstorrent_calls(*reader)->markers)
        code = reader_refuse(*reader, options->log, "a device log (profile_log_device.csv) is wanted here");
    return code;
}

status device_job_read(struct device_job *job, const struct device_job_options *options)
{
    const struct reader *reader;
    struct source source = { .input = NULL };
    status code = STATUS_OK;

    *job = (struct device_job){ .options = *options, .strings = strings_new() };
    marker_log_start(&job->log, job->strings);
    if (!job->strings)
        return status_no_memory("reading a device log");
    code = fill_source(options, &source);
    if (code == STATUS_OK)
        code = open_log(options, &source, &reader);
    if (code == STATUS_OK)
        code = tenstorrent_calls(reader)->markers(&source, &job->log);
    for (unsigned i = 0; i < source.note_count; i++)
        job->notes[job->note_count++] = source.notes[i];
    input_close(source.input);
    if (code == STATUS_OK && job->log.losses.rows && !job->log.losses.used)
        code = losses_fail(&job->log.losses, options->log, reader->id);
    return code;
}

/* ---- Analysing ---- */

static status read_setup(struct device_job *job, const char *path)
{
    struct text text;
    struct input *input;
    status code = input_open(path, &input);

    if (code != STATUS_OK)
        return code;
    code = input_whole(input, SETUP_LARGEST, &text);
    if (code == STATUS_OK)
        code = device_setup_parse(&job->setup, path, text, &job->log);
    input_close(input);
    return code;
}

status device_job_analyze(struct device_job *job)
{
    const char *name = job->options.setup ? job->options.setup : "default_setup";
    status code = path_ends(name, ".json") ? read_setup(job, name) : device_setup_named(&job->setup, name, &job->log);

    if (code != STATUS_OK)
        return code;
    if (job->options.no_op_detection)
        job->setup.detect_ops = false;
    return device_analyze(&job->results, &job->log, &job->setup);
}

/* ---- Writing ---- */

typedef status (*file_writer)(struct device_job *job, const struct device_job_output *options, struct output *output);

static status write_stats(struct device_job *job, const struct device_job_output *options, struct output *output)
{
    (void)options;
    device_stats_write(output, &job->results);
    return STATUS_OK;
}

static status write_rearranged(struct device_job *job, const struct device_job_output *options, struct output *output)
{
    (void)options;
    return device_rearranged_write(output, &job->log);
}

static status write_analysis(struct device_job *job, const struct device_job_output *options, struct output *output)
{
    struct device_json_options json = { .folder = options->shown, .port = options->port };

    return device_analysis_write(output, &job->results, &json);
}

static status write_chrome(struct device_job *job, const struct device_job_output *options, struct output *output)
{
    (void)options;
    return device_chrome_write(output, &job->log);
}

static status write_page(struct device_job *job, const struct device_job_output *options, struct output *output)
{
    struct device_page_options page = { .source = path_name(job->options.log),
                                        .notes = job->notes,
                                        .note_count = job->note_count };

    (void)options;
    return device_page_write(output, &job->results, &page);
}

static status write_file(struct device_job *job, const struct device_job_output *options, const char *name,
                         file_writer writer)
{
    char *path = job->files[job->file_count];
    int length = snprintf(path, sizeof job->files[0], "%s/%s", options->folder, name);
    struct output *output;
    status code;

    if (length < 0 || (size_t)length >= sizeof job->files[0])
        return status_fail(STATUS_USAGE, "the name of the output folder is too long");
    code = output_check_inputs(path, &job->options.log, 1);
    if (code == STATUS_OK)
        code = output_open(path, &output);
    if (code != STATUS_OK)
        return code;
    code = output_finish(output, writer(job, options, output));
    job->file_count += code == STATUS_OK;
    return code;
}

/* All files so far, and the log that they were made of. */
static status write_tar(struct device_job *job, const struct device_job_output *options, const char *name)
{
    char *path = job->files[job->file_count];
    int length = snprintf(path, sizeof job->files[0], "%s/%s", options->folder, name);
    struct tar_writer tar;
    status code;

    if (length < 0 || (size_t)length >= sizeof job->files[0])
        return status_fail(STATUS_USAGE, "the name of the output folder is too long");
    code = tar_writer_open(&tar, path);
    for (unsigned i = 0; i < job->file_count && code == STATUS_OK; i++)
        code = tar_writer_add_file(&tar, job->files[i], path_name(job->files[i]));
    if (code == STATUS_OK && strcmp(job->options.log, "-") != 0)
        code = tar_writer_add_file(&tar, job->options.log, path_name(job->options.log));
    code = tar_writer_finish(&tar, code);
    job->file_count += code == STATUS_OK;
    return code;
}

status device_job_write(struct device_job *job, const struct device_job_output *options)
{
    status code = write_file(job, options, DEVICE_STATS_FILE, write_stats);

    if (code == STATUS_OK)
        code = write_file(job, options, DEVICE_REARRANGED_FILE, write_rearranged);
    if (code == STATUS_OK && options->page)
        code = write_file(job, options, DEVICE_PAGE_FILE, write_page);
    if (code != STATUS_OK || !options->artifacts)
        return code;
    code = write_file(job, options, DEVICE_ANALYSIS_FILE, write_analysis);
    if (code == STATUS_OK)
        code = write_file(job, options, DEVICE_CHROME_FILE, write_chrome);
    if (code == STATUS_OK)
        code = write_tar(job, options, DEVICE_TARBALL);
    return code;
}

void device_job_end(struct device_job *job)
{
    device_results_free(&job->results);
    device_setup_free(&job->setup);
    marker_log_free(&job->log);
    strings_free(job->strings);
    job->strings = NULL;
}
