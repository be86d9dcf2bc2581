/* ops.c: tacho ops: the perf report of tt-metal's ops, from the folder of logs that its op profiler writes, or from those of
 * Tracy and the device that newer versions write. */
#include <stdio.h>
#include <string.h>

#include "base/folder.h"
#include "base/number.h"
#include "cli/ops_notes.h"
#include "cli/terminal.h"
#include "cli/verbs.h"
#include "tenstorrent/ops_tracy.h"
#include "tenstorrent/paths.h"

static struct given {
    const char *input;
    const char *output;
    const char *name;
    const char *port;
    bool date;
    bool webapp;
} settings;

static const struct old_option options[] = {
    { "ops-folder", 'i', OLD_OPTION_TEXT, &settings.input, "FOLDER",
      "logs of the ops (with FOLDER_device), or of Tracy" },
    { "output-folder", 'o', OLD_OPTION_TEXT, &settings.output, "DIR", "where to write" },
    { "name-append", 'n', OLD_OPTION_TEXT, &settings.name, "NAME", "append _NAME to the names of the files" },
    { "date", 0, OLD_OPTION_FLAG, &settings.date, NULL, "date and time before the names of the files" },
    { "webapp", 0, OLD_OPTION_FLAG, &settings.webapp, NULL, "accepted; pages are not served" },
    { "port", 'p', OLD_OPTION_TEXT, &settings.port, "PORT", "accepted; pages are not served" },
    { "quiet", 'q', OLD_OPTION_FLAG, &quiet, NULL, "no notes" },
    { 0 },
};

void print_ops_report(const struct ops_folder *folder, const struct ops_written *written)
{
    printf("%zu op%s, %llu with device times\n%s\n%s\n", folder->calls.count, folder->calls.count == 1 ? "" : "s",
           (unsigned long long)folder->device_ops, written->csv, written->archive);
}

void print_ops_notes(const struct ops_folder *folder, const struct ops_written *written)
{
    char note[OPS_NOTE];

    if (folder->host_is_device)
        fprintf(stderr, "tacho: %s: host times are those of the run with device profiling, which is slower\n",
                folder->host);
    if (!folder->has_device)
        fprintf(stderr, "tacho: %s: no such folder, the device columns are -\n", folder->device);
    for (unsigned i = 0; i < OPS_LOSS_COUNT; i++)
        if (ops_loss_describe(folder, i, note))
            fprintf(stderr, "tacho: %s\n", note);
    if (written->left_out)
        fprintf(stderr, "tacho: %s: without %llu entries that are no files or cannot be read\n", written->archive,
                (unsigned long long)written->left_out);
}

static status check_port(const char *port)
{
    int64_t number;

    if (port && (!number_parse_integer(port, strlen(port), &number) || number < 1 || number > 65535))
        return status_fail(STATUS_USAGE, "a port is a number from 1 to 65535, not \"%s\"", port);
    return STATUS_OK;
}

static void note_pages(const char *csv)
{
    if (!quiet && (settings.webapp || settings.port))
        fprintf(stderr, "tacho: pages are not served; the report is %s\n", csv);
}

static struct ops_output_options output_options(const char *folder)
{
    const char *name = settings.name && *settings.name ? settings.name : NULL;

    return (struct ops_output_options){ .folder = folder, .name = name, .date = settings.date, .now = time(NULL) };
}

/* ---- Logs of the op profiler ---- */

static status write_report(const struct ops_folder *folder, const char *output)
{
    struct ops_output_options given = output_options(output);
    struct ops_written written = { .left_out = 0 };
    status code = ops_write(folder, &given, &written);

    if (code != STATUS_OK)
        return code;
    print_ops_report(folder, &written);
    if (!quiet)
        print_ops_notes(folder, &written);
    note_pages(written.csv);
    return STATUS_OK;
}

static status report_folder(const char *input)
{
    char output[PATH_MAX];
    struct ops_folder folder;
    status code = tt_profiler_path("output/ops", output);

    if (code != STATUS_OK)
        return code;
    code = ops_folder_read(input, &folder);
    if (code == STATUS_OK)
        code = write_report(&folder, settings.output ? settings.output : output);
    ops_folder_free(&folder);
    return code;
}

/* ---- Logs of Tracy and the device ---- */

void print_tracy_notes(const struct ops_tracy *job, const struct ops_written *written)
{
    struct losses losses = job->report.losses;
    char note[512];

    /* What was kept without something is told below, in full. */
    losses_drop(&losses, &loss_part);
    losses_drop(&losses, &loss_missing);
    losses_drop(&losses, &loss_repeated_id);
    report_losses(job->source.path, &losses, NULL, 0);
    for (unsigned i = 0; i < job->source.note_count; i++) {
        bool counted = false;

        for (unsigned odd = 0; odd < OP_ODD_COUNT; odd++)
            counted |= strcmp(job->source.notes[i], op_odd_text((enum op_odd)odd)) == 0;
        if (!counted) /* what is counted is told with its number, below */
            fprintf(stderr, "tacho: note: %s\n", job->source.notes[i]);
    }
    for (unsigned i = 0; i < OP_ODD_COUNT; i++)
        if (op_odd_describe(&job->details, (enum op_odd)i, note, sizeof note))
            fprintf(stderr, "tacho: %s\n", note);
    if (job->details.log_checked && !job->details.odds[OP_ODD_REPORT_DIFFERS].count &&
        !job->details.odds[OP_ODD_REPORT_MISSES].count)
        fprintf(stderr, "tacho: note: profile_log_device.csv has the same times\n");
    if (written->left_out)
        fprintf(stderr, "tacho: %s: without %llu entries that are no files or cannot be read\n", written->archive,
                (unsigned long long)written->left_out);
}

void print_tracy_report(const struct ops_tracy *job, const struct ops_written *written)
{
    size_t ops = job->report.rows.count - job->signposts;

    printf("%zu op%s, %llu with device times", ops, ops == 1 ? "" : "s", (unsigned long long)job->device_rows);
    if (job->signposts)
        printf(", %llu signpost%s", (unsigned long long)job->signposts, job->signposts == 1 ? "" : "s");
    printf("\n%s\n", written->csv);
    if (*job->gaps)
        printf("%s\n", job->gaps);
    printf("%s\n", written->archive);
}

static status write_tracy(struct ops_tracy *job, const char *output)
{
    struct ops_output_options given = output_options(output);
    struct ops_written written = { .left_out = 0 };
    status code = ops_tracy_write(job, &given, &written);

    if (code != STATUS_OK)
        return code;
    print_tracy_report(job, &written);
    if (!quiet)
        print_tracy_notes(job, &written);
    note_pages(written.csv);
    return STATUS_OK;
}

static status report_tracy(const char *input)
{
    char output[PATH_MAX];
    struct ops_tracy job;
    status code = tt_generated_path("reports", output);

    if (code != STATUS_OK)
        return code;
    code = ops_tracy_read(&job, input);
    if (code == STATUS_OK)
        code = write_tracy(&job, settings.output ? settings.output : output);
    ops_tracy_end(&job);
    return code;
}

/* ---- The verb ---- */

static bool older_is_there(const char *folder)
{
    char device[PATH_MAX + sizeof "_device"];

    snprintf(device, sizeof device, "%s_device", folder);
    return folder_exists(folder) || folder_exists(device);
}

/* Without -i: the older folder where it is there, else the newer one. */
static status choose_input(char older[PATH_MAX], char newer[PATH_MAX])
{
    bool has_older, has_newer;
    status code;

    if (settings.input)
        return STATUS_OK;
    code = tt_profiler_path("logs/ops", older);
    if (code == STATUS_OK)
        code = tt_generated_path(".logs", newer);
    if (code != STATUS_OK)
        return code;
    has_older = older_is_there(older);
    has_newer = ops_tracy_is_folder(newer);
    if (!has_older && !has_newer)
        return status_fail_at(STATUS_INPUT, (struct place){ .file = older },
                              "no such folder of ops logs, nor %s; -i names another", newer);
    settings.input = tt_newer_is_meant(has_older, has_newer) ? newer : older;
    if (has_older && has_newer && !quiet)
        fprintf(stderr, "tacho: note: reading %s; there are also logs in %s\n", settings.input,
                settings.input == newer ? older : newer);
    return STATUS_OK;
}

static status run(const struct old_texts *words)
{
    char older[PATH_MAX], newer[PATH_MAX];
    status code = check_port(settings.port);

    if (code != STATUS_OK)
        return code;
    if (words->count > (settings.input ? 0 : 1))
        return status_fail(STATUS_USAGE, "tacho ops reads one folder; \"%s\" is one too many",
                           words->items[words->count - 1]);
    if (words->count)
        settings.input = words->items[0];
    code = choose_input(older, newer);
    if (code != STATUS_OK)
        return code;
    return ops_tracy_is_folder(settings.input) ? report_tracy(settings.input) : report_folder(settings.input);
}

const struct old_verb ops_verb = {
    .name = "ops",
    .summary = "the perf report of tt-metal's ops, one row per call",
    .usage = "[-i FOLDER] [-o DIR] [options]",
    .options = options,
    .run = run,
};
