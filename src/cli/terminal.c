#include "cli/terminal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/number.h"
#include "cli/print.h"
#include "cli/verbs.h"
#include "executorch/chain.h"
#include "job/core_verbs.h"
#include "table/printer.h"

struct session_options common = { .progress = true };
bool quiet;

enum { MOST_OPTIONS = 48 };

/* Filled by `terminal_start`: those of the chains, then the general ones. */
struct old_option common_options[MOST_OPTIONS];
struct old_option inference_options[MOST_OPTIONS];

static const struct old_option general_options[] = {
    { "ticks", 0, OLD_OPTION_TEXT, &common.ticks, "UNIT", "of a dump that does not tell: ns, us or cycles:MHZ" },
    { "clock-mhz", 0, OLD_OPTION_TEXT, &common.clock_mhz, "F", "cycle clock in MHz (default: the usual one)" },
    { "format", 0, OLD_OPTION_TEXT, &common.format, "ID", "read every input as this format; see tacho formats" },
    { "strict", 0, OLD_OPTION_FLAG, &common.strict, NULL, "the first row that cannot be used is an error" },
    { "quiet", 'q', OLD_OPTION_FLAG, &quiet, NULL, "no notes, no losses, no progress on standard error" },
};

void terminal_start(void)
{
    size_t count = 0, inferences = 0;

    for (const struct chain *const *chain = chains; *chain; chain++)
        for (const struct chain_option *option = (*chain)->options; option && option->name; option++) {
            struct old_option made = { option->name,     0,           OLD_OPTION_SETTING, &common.settings,
                                       option->argument, option->help };

            common_options[count++] = made;
            if (*chain == &executorch_chain)
                inference_options[inferences++] = made;
        }
    for (size_t i = 0; i < sizeof general_options / sizeof *general_options; i++) {
        common_options[count++] = general_options[i];
        if (strcmp(general_options[i].name, "clock-mhz") != 0)
            inference_options[inferences++] = general_options[i];
    }
}

status load_options_given(struct load_options *load)
{
    *load = (struct load_options){ .format = common.format,
                                   .etrecord = settings_get(&common.settings, "etrecord"),
                                   .strict = common.strict };
    if (common.ticks && !tick_rate_parse(common.ticks, &load->ticks))
        return status_fail(STATUS_USAGE, "ticks are ns, us or cycles:MHZ, not \"%s\"", common.ticks);
    return STATUS_OK;
}

void report_losses(const char *path, const struct losses *losses, const char *const *notes, size_t note_count)
{
    char text[512];

    if (quiet)
        return;
    if (losses->lost)
        fprintf(stderr, "tacho: %s: %llu of %llu rows lost\n", path, (unsigned long long)losses->lost,
                (unsigned long long)losses->rows);
    for (unsigned i = 0; i < losses->reason_count; i++) {
        loss_describe(&losses->reasons[i], text, sizeof text);
        fprintf(stderr, "tacho: %s: %s\n", path, text);
    }
    for (size_t i = 0; i < note_count; i++)
        fprintf(stderr, "tacho: %s: note: %s\n", path, notes[i]);
}

status load_kernels_given(const char *path, struct strings *strings, struct kernel_log *log)
{
    status code = load_kernels(path, strings, log);

    if (code != STATUS_OK)
        return code;
    for (unsigned i = 0; common.strict && i < log->losses.reason_count; i++) {
        const struct loss *loss = &log->losses.reasons[i];

        if (!loss->reason->kept)
            return status_fail_at(STATUS_INPUT, (struct place){ path, loss->lines[0], 0 }, "%s", loss->reason->text);
    }
    report_losses(path, &log->losses, NULL, 0);
    return STATUS_OK;
}

uint32_t add_kernels_given(const char *path, struct operators *side, const struct kernel_log *log)
{
    uint32_t found = operators_add_kernels(side, log), delegated = 0;

    for (size_t i = 0; i < side->sums.count; i++)
        delegated += operators_at(side, i)->delegate != NO_ID;
    if (found && found < delegated && !quiet)
        fprintf(stderr,
                "tacho: warning: %s: %u of the dump's %u delegated operators are not in it: is it the log of the same "
                "model?\n",
                path, delegated - found, delegated);
    return found;
}

void report_profile(const struct profile *profile)
{
    report_losses(profile->path, &profile->losses, profile->source.notes, profile->source.note_count);
}

void report_notes(const struct table *table)
{
    for (size_t i = 0; i < table_notes(table) && !quiet; i++)
        fprintf(stderr, "tacho: note: %s\n", table_note_at(table, i));
}

unsigned terminal_width(void)
{
    const char *columns = getenv("COLUMNS");
    struct winsize size;
    int64_t width;

    if (columns && number_parse_integer(columns, strlen(columns), &width) && width >= 20 && width <= 1000)
        return (unsigned)width;
    if (isatty(STDOUT_FILENO) && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col)
        return size.ws_col;
    return 0;
}

bool terminal_colour(void)
{
    const char *off = getenv("NO_COLOR");

    return progress_possible(STDOUT_FILENO) && !(off && *off);
}

status table_print(const struct table *table, bool json)
{
    struct printer_style style = { .width = terminal_width(),
                                   .colour = terminal_colour(),
                                   .bars = terminal_width() > 0 };
    struct output *output;
    status code = output_open("-", &output);

    if (code != STATUS_OK)
        return code;
    printer_write(json ? &json_printer : &text_printer, output, table, &style);
    return output_commit(output);
}

status convert_to(const struct old_texts *inputs, const char *output)
{
    struct conversion_options how = CONVERSION_DEFAULTS;
    struct texts list = { 0 };
    struct job job;
    status code = job_start(&job, &convert_verb);

    job.reading = common;
    for (size_t i = 0; i < inputs->count && code == STATUS_OK; i++)
        code = texts_add(&list, inputs->items[i]);
    if (code == STATUS_OK)
        code = convert_inputs(&job, &list, output, writer_for_path(output), &how);
    if (!quiet)
        print_notes(&job);
    if (code == STATUS_OK)
        code = print_job(&job, quiet);
    texts_free(&list);
    job_free(&job);
    return code;
}
