/* ops.c: tacho ops: the perf report of tt-metal's ops, from the folder of logs that its op profiler writes. */
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "cli/ops_notes.h"
#include "cli/verbs.h"

static struct settings {
    const char *input;
    const char *output;
    const char *name;
    const char *port;
    bool date;
    bool webapp;
    bool quiet;
} settings;

static const struct option options[] = {
    { "ops-folder", 'i', OPTION_TEXT, &settings.input, "FOLDER", "logs of the ops; FOLDER_device has those of the device" },
    { "output-folder", 'o', OPTION_TEXT, &settings.output, "DIR", "where to write" },
    { "name-append", 'n', OPTION_TEXT, &settings.name, "NAME", "append _NAME to the names of the files" },
    { "date", 0, OPTION_FLAG, &settings.date, NULL, "date and time before the names of the files" },
    { "webapp", 0, OPTION_FLAG, &settings.webapp, NULL, "accepted; pages are not served" },
    { "port", 'p', OPTION_TEXT, &settings.port, "PORT", "accepted; pages are not served" },
    { "quiet", 'q', OPTION_FLAG, &settings.quiet, NULL, "no notes" },
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
        fprintf(stderr, "tacho: %s: host times are those of the run with device profiling, which is slower\n", folder->host);
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

static status write_report(const struct ops_folder *folder, const char *output)
{
    struct ops_output_options given = { .folder = output, .name = settings.name, .date = settings.date, .now = time(NULL) };
    struct ops_written written = { .left_out = 0 };
    status code = ops_write(folder, &given, &written);

    if (code != STATUS_OK)
        return code;
    print_ops_report(folder, &written);
    if (settings.quiet)
        return STATUS_OK;
    print_ops_notes(folder, &written);
    if (settings.webapp || settings.port)
        fprintf(stderr, "tacho: pages are not served; the report is %s\n", written.csv);
    return STATUS_OK;
}

static status run(const struct texts *words)
{
    char input[PATH_MAX], output[PATH_MAX];
    struct ops_folder folder;
    status code = check_port(settings.port);

    if (code != STATUS_OK)
        return code;
    if (words->count > (settings.input ? 0 : 1))
        return status_fail(STATUS_USAGE, "tacho ops reads one folder; \"%s\" is one too many", words->items[words->count - 1]);
    if (words->count)
        settings.input = words->items[0];
    if (!ops_profiler_path("logs/ops", input) || !ops_profiler_path("output/ops", output))
        return status_fail(STATUS_USAGE, "TT_METAL_HOME is too long");
    code = ops_folder_read(settings.input ? settings.input : input, &folder);
    if (code == STATUS_OK)
        code = write_report(&folder, settings.output ? settings.output : output);
    ops_folder_free(&folder);
    return code;
}

const struct verb ops_verb = {
    .name = "ops",
    .summary = "the perf report of tt-metal's ops, one row per call",
    .usage = "[-i FOLDER] [-o DIR] [options]",
    .options = options,
    .run = run,
};
