#include "cli/terminal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/number.h"
#include "write/printer.h"

struct session_options common = { .slices = 2, .progress = true };
bool quiet;

const struct option common_options[] = {
    { "mlir", 0, OPTION_TEXT, &common.mlir, "FILE", "program dump: engines and kernels of a log's jobs" },
    { "original-mlir", 0, OPTION_TEXT, &common.original_mlir, "FILE", "the model's source: names of operators" },
    { "source-dir", 0, OPTION_TEXT, &common.source_dir, "DIR", "folder with the model's source: names of operators" },
    { "dispatch", 0, OPTION_TEXT, &common.dispatch, "NAME", "dispatch of a log that names none (default: last)" },
    { "etrecord", 0, OPTION_TEXT, &common.etrecord, "FILE", "graph of the model (default: the record beside a dump)" },
    { "ticks", 0, OPTION_TEXT, &common.ticks, "UNIT", "of an ETDump: ns, us or cycles:MHZ (default ns)" },
    { "clock-mhz", 0, OPTION_TEXT, &common.clock_mhz, "F", "cycle clock in MHz (default 800)" },
    { "slices", 0, OPTION_NUMBER, &common.slices, "N", "slices, for logs with issue numbers (default 2)" },
    { "format", 0, OPTION_TEXT, &common.format, "ID", "read every input as this format; see tacho formats" },
    { "strict", 0, OPTION_FLAG, &common.strict, NULL, "the first row that cannot be used is an error" },
    { "quiet", 'q', OPTION_FLAG, &quiet, NULL, "no notes, no losses, no progress on standard error" },
    { 0 },
};

const struct option inference_options[] = {
    { "etrecord", 0, OPTION_TEXT, &common.etrecord, "FILE", "graph of the model (default: the record beside a dump)" },
    { "ticks", 0, OPTION_TEXT, &common.ticks, "UNIT", "of an ETDump: ns, us or cycles:MHZ (default ns)" },
    { "format", 0, OPTION_TEXT, &common.format, "ID", "read every input as this format; see tacho formats" },
    { "strict", 0, OPTION_FLAG, &common.strict, NULL, "the first row that cannot be used is an error" },
    { "quiet", 'q', OPTION_FLAG, &quiet, NULL, "no notes, no losses, no progress on standard error" },
    { 0 },
};

status load_options_given(struct load_options *load)
{
    *load = (struct load_options){ .format = common.format, .etrecord = common.etrecord, .strict = common.strict };
    if (common.ticks && !tick_rate_parse(common.ticks, &load->ticks))
        return status_fail(STATUS_USAGE, "ticks are ns, us or cycles:MHZ, not \"%s\"", common.ticks);
    return STATUS_OK;
}

status category_rules_given(const char *path, struct category_rules **rules)
{
    struct input *input;
    status code;

    *rules = NULL;
    if (!path)
        return STATUS_OK;
    code = input_open(path, &input);
    if (code != STATUS_OK)
        return code;
    code = category_rules_read(input, rules);
    input_close(input);
    return code;
}

void report_losses(const char *path, const struct losses *losses, const char *const *notes, size_t note_count)
{
    char text[512];

    if (quiet)
        return;
    if (losses->lost)
        fprintf(stderr, "tacho: %s: %llu of %llu rows lost\n", path, (unsigned long long)losses->lost,
                (unsigned long long)losses->rows);
    for (unsigned i = 0; i < LOSS_COUNT; i++) {
        if (!losses->by_reason[i].count)
            continue;
        loss_describe(losses, i, text, sizeof text);
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
    for (unsigned i = 0; common.strict && i < LOSS_COUNT; i++)
        if (log->losses.by_reason[i].count && !loss_kept(i))
            return status_fail_at(STATUS_INPUT, (struct place){ path, log->losses.by_reason[i].lines[0], 0 }, "%s",
                                  loss_text(i));
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

void report_origin(const struct session *session)
{
    if (!quiet && session->origin && origin_missing(session->origin))
        fprintf(stderr, "tacho: note: %s was not found: its operators have no names (--source-dir, --original-mlir)\n",
                origin_missing(session->origin));
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
