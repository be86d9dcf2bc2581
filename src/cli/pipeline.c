/* pipeline.c: tacho pipeline: runs a model's runners as a configuration says and writes the run directory. */
#include "executorch/pipeline.h"

#include <stdio.h>

#include "cli/terminal.h"
#include "cli/verbs.h"

static struct given {
    const char *config;
    const char *platform;
    const char *remote_device;
    struct old_texts only;
    bool analysis_only;
    bool verbose;
    bool quiet;
} settings;

static const struct old_option options[] = {
    { "config", 0, OLD_OPTION_TEXT, &settings.config, "FILE", "model, experiments, where to write (JSON)" },
    { "platform", 0, OLD_OPTION_TEXT, &settings.platform, "mac|android", "this machine, or a device over adb" },
    { "remote-device", 0, OLD_OPTION_TEXT, &settings.remote_device, "HOST:PORT",
      "the device to connect to over the network" },
    { "only", 0, OLD_OPTION_LIST, &settings.only, "NAME...", "run only these experiments" },
    { "analysis-only", 0, OLD_OPTION_FLAG, &settings.analysis_only, NULL,
      "run nothing, redo the analysis of what is there" },
    { "verbose", 'v', OLD_OPTION_FLAG, &settings.verbose, NULL, "say what is done" },
    { "quiet", 'q', OLD_OPTION_FLAG, &settings.quiet, NULL, "no warnings" },
    { 0 },
};

static void print_progress(void *context, const char *line)
{
    (void)context;
    fprintf(stderr, "%s\n", line);
}

static void print_warning(void *context, const char *line)
{
    (void)context;
    fprintf(stderr, "tacho: warning: %s\n", line);
}

static void print_results(const struct pipeline *pipeline)
{
    struct pipeline_group group;

    for (size_t i = 0; i < pipeline->task_count; i += group.count) {
        if (pipeline_group(pipeline, i, &group) != STATUS_OK)
            return;
        printf("%-28s %2u thread%s  ", group.tasks->experiment->name, group.tasks->threads,
               group.tasks->threads == 1 ? " " : "s");
        if (group.inferences)
            printf("%.3f ms  (%zu launch%s, %zu runs)  ", group.statistics.median_ms, group.measured,
                   group.measured == 1 ? "" : "es", group.inferences);
        printf("%s\n", group.status);
    }
    printf("%s\n", pipeline->output_root);
}

static status run(const struct old_texts *words)
{
    struct pipeline_options given = {
        .config = settings.config,
        .platform = settings.platform,
        .remote_device = settings.remote_device,
        .only = settings.only.items,
        .only_count = settings.only.count,
        .analysis_only = settings.analysis_only,
        .listener = { .progress = settings.verbose ? print_progress : NULL,
                      .warning = settings.quiet ? NULL : print_warning },
    };
    struct pipeline pipeline;
    status code;

    if (words->count)
        return status_fail(STATUS_USAGE, "tacho pipeline takes no file but --config; \"%s\" is one too many",
                           words->items[0]);
    if (!given.config)
        return status_fail(STATUS_USAGE, "tacho pipeline wants --config FILE");
    code = pipeline_run(&given, &pipeline);
    if (code == STATUS_OK || code == STATUS_NO)
        print_results(&pipeline);
    pipeline_free(&pipeline);
    return code;
}

const struct old_verb pipeline_verb = {
    .name = "pipeline",
    .summary = "run a model as a configuration says, and write the run directory",
    .usage = "--config FILE [--only NAME...] [options]",
    .options = options,
    .run = run,
};
