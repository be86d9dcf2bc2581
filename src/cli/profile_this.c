/* profile_this.c: tacho profile-this: runs a command under tt-metal's op profiler and writes the ops reports. */
#include "tenstorrent/profile_this.h"

#include <stdio.h>

#include "cli/ops_notes.h"
#include "cli/terminal.h"
#include "cli/verbs.h"

static struct given {
    const char *command;
    const char *output;
    const char *name;
    bool once;
} settings;

static const struct old_option options[] = {
    { "command", 'c', OLD_OPTION_TEXT, &settings.command, "COMMAND", "what to run, as for a shell" },
    { "once", 0, OLD_OPTION_FLAG, &settings.once, NULL, "one run, with device profiling (newer tool chains)" },
    { "output-folder", 'o', OLD_OPTION_TEXT, &settings.output, "DIR", "where to write" },
    { "name-append", 'n', OLD_OPTION_TEXT, &settings.name, "NAME", "append _NAME to the names of the reports" },
    { "quiet", 'q', OLD_OPTION_FLAG, &quiet, NULL, "no progress and no notes" },
    { 0 },
};

static void print_progress(const char *line)
{
    fprintf(stderr, "tacho: %s\n", line);
}

static void print_report(const struct ops_folder *folder, const struct ops_written *written)
{
    print_ops_report(folder, written);
    if (!quiet)
        print_ops_notes(folder, written);
}

static void print_newer(const struct ops_tracy *job, const struct ops_written *written)
{
    print_tracy_report(job, written);
    if (!quiet)
        print_tracy_notes(job, written);
}

static status run(const struct old_texts *words)
{
    struct profile_this_options given = {
        .command = settings.command,
        .output = settings.output,
        .name = settings.name,
        .once = settings.once,
    };
    struct profile_this_listener listener = {
        .progress = quiet ? NULL : print_progress,
        .warning = quiet ? NULL : print_progress,
        .report = print_report,
        .newer = print_newer,
    };
    struct profile_this_result result;

    if (words->count)
        return status_fail(STATUS_USAGE,
                           "the command is one word for the shell: tacho profile-this -c \"COMMAND\"; "
                           "\"%s\" is one too many",
                           words->items[0]);
    if (!given.command || !*given.command)
        return status_fail(STATUS_USAGE, "tacho profile-this wants -c \"COMMAND\"");
    return profile_this(&given, &listener, &result);
}

const struct old_verb profile_this_verb = {
    .name = "profile-this",
    .summary = "run a command under tt-metal's op profiler, and write its reports",
    .usage = "-c \"COMMAND\" [options]",
    .options = options,
    .run = run,
};
