/* tracy_cpp.c: cpp_device_perf_report.csv: device columns that the tool chain itself made of the device log.
 *
 * One row per run of an op. Columns are found by name; what is missing is empty. */
#include <string.h>

#include "base/lines.h"
#include "base/memory.h"
#include "executorch/csv.h"
#include "tenstorrent/tracy.h"
#include "torq/csv.h"

enum { MOST_FIELDS = 128 };

/* Columns that are no times. */
enum {
    CALL = OP_TIME_COUNT,
    TRACE,
    REPLAY,
    DEVICE,
    ARCHITECTURE,
    NAME,
    CORES,
    WORKER_CORES,
    COLUMN_COUNT,
    NO_COLUMN = COLUMN_COUNT
};

static const char *const other_columns[] = {
    "GLOBAL CALL COUNT", "METAL TRACE ID", "METAL TRACE REPLAY SESSION ID", "DEVICE ID", "DEVICE ARCH",
    "OP NAME",           "CORE COUNT",     "AVAILABLE WORKER CORE COUNT",
};

struct report {
    struct tracy *tracy;
    struct source source; /* of this file */
    struct op_times_list *times;
    struct lines *lines;
    struct line line;
    uint8_t column_of[MOST_FIELDS];
    unsigned field_count;
    struct text values[COLUMN_COUNT + 1];
};

/* The next field, without the quotes around it; a quote inside of quotes ends nothing that these files hold. */
static struct text next_field(const char **cursor, const char *end, bool *last)
{
    if (*cursor < end && **cursor == '"') {
        const char *start = *cursor + 1;
        const char *quote = memchr(start, '"', (size_t)(end - start));

        if (quote && (quote + 1 == end || quote[1] == ',')) {
            *last = quote + 1 == end;
            *cursor = *last ? end : quote + 2;
            return csv_trim((struct text){ start, (size_t)(quote - start) });
        }
    }
    return csv_trim(csv_field(cursor, end, ',', last));
}

static uint8_t column_named(struct text name)
{
    for (unsigned i = 0; i < OP_TIME_COUNT; i++)
        if (text_is(name, op_time_column((enum op_time)i)))
            return (uint8_t)i;
    for (unsigned i = 0; i < sizeof other_columns / sizeof *other_columns; i++)
        if (text_is(name, other_columns[i]))
            return (uint8_t)(CALL + i);
    return NO_COLUMN;
}

static status read_header(struct report *report)
{
    const char *cursor = report->line.data, *end = cursor + report->line.length;
    bool last = false, call = false, device = false;

    while (!last && report->field_count < MOST_FIELDS) {
        uint8_t column = column_named(next_field(&cursor, end, &last));

        report->column_of[report->field_count++] = column;
        call |= column == CALL;
        device |= column == DEVICE;
    }
    if (!last || !call || !device)
        return status_fail_at(STATUS_INPUT, (struct place){ input_name(report->source.input), report->line.number, 1 },
                              "this is no header of a device report: it needs GLOBAL CALL COUNT and DEVICE ID");
    return STATUS_OK;
}

/* NULL: the row has the fields of the header. */
static const struct loss_reason *split_row(struct report *report)
{
    const char *cursor = report->line.data, *end = cursor + report->line.length;
    bool last = false;
    unsigned count = 0;

    if (report->line.too_long)
        return &loss_too_long;
    memset(report->values, 0, sizeof report->values);
    while (!last && count < report->field_count) {
        struct text field = next_field(&cursor, end, &last);

        report->values[report->column_of[count++]] = field;
    }
    if (last && count == report->field_count)
        return NULL;
    return csv_is_binary((struct text){ report->line.data, report->line.length }) ? &loss_binary : &loss_fields;
}

/* An empty field is OP_NONE. */
static bool read_number(struct text text, int64_t least, int64_t most, int64_t *value)
{
    *value = OP_NONE;
    if (!text.length)
        return true;
    return et_scaled(text, 0, value) == NULL && *value >= least && *value <= most;
}

/* Columns that are no times. */
static const struct loss_reason *read_others(struct report *report, struct op_times *times, unsigned *column)
{
    static const int64_t latest = INT64_MAX / 4;
    int64_t device;
    const struct {
        unsigned column;
        int64_t least, most; /* -1: what some logs say instead of nothing */
        int64_t *to;
    } others[] = {
        { DEVICE, 0, INT32_MAX / 2, &device },   { CALL, 0, latest, &times->call },
        { TRACE, -1, INT32_MAX, &times->trace }, { REPLAY, -1, INT32_MAX, &times->replay },
        { CORES, 0, INT32_MAX, &times->cores },  { WORKER_CORES, 0, INT32_MAX, &times->worker_cores },
    };

    for (unsigned i = 0; i < sizeof others / sizeof *others; i++) {
        *column = others[i].column;
        if (!read_number(report->values[*column], others[i].least, others[i].most, others[i].to) ||
            (*others[i].to == OP_NONE && (*column == DEVICE || *column == CALL)))
            return &loss_number;
        if (*others[i].to == -1)
            *others[i].to = OP_NONE;
    }
    times->device = (int32_t)device;
    return NULL;
}

static const struct loss_reason *read_numbers(struct report *report, struct op_times *times, unsigned *column)
{
    static const int64_t latest = INT64_MAX / 4;

    for (unsigned i = 0; i < OP_TIME_COUNT; i++) {
        *column = i;
        if (!read_number(report->values[i], -latest, latest, &times->values[i]))
            return &loss_number;
    }
    return read_others(report, times, column);
}

static status read_row(struct report *report)
{
    struct tracy *tracy = report->tracy;
    struct op_times *times;
    unsigned column = NO_COLUMN;
    const struct loss_reason *reason = split_row(report);
    status code = STATUS_OK;

    tracy->losses->rows++;
    if (reason == NULL) {
        times = op_times_add(report->times);
        if (!times)
            return status_no_memory("keeping ops of a device");
        reason = read_numbers(report, times, &column);
        times->first = times->values[OP_TIME_FW_START] != OP_NONE ? times->values[OP_TIME_FW_START]
                                                                  : times->values[OP_TIME_KERNEL_START];
        if (reason == NULL)
            code = tracy_intern_text(tracy, report->values[ARCHITECTURE], &times->architecture);
        if (reason == NULL && code == STATUS_OK)
            code = tracy_intern_text(tracy, report->values[NAME], &times->name);
        if (reason != NULL)
            report->times->count--;
    }
    if (reason != NULL) {
        const char *at = report->values[column].data;

        return source_lose_row(&report->source, tracy->losses, reason, report->line.number,
                               at ? (uint64_t)(at - report->line.data) + 1 : 1);
    }
    tracy->losses->used++;
    return code;
}

status tracy_read_report(struct tracy *tracy, struct input *input, struct op_times_list *times)
{
    struct report report = { .tracy = tracy, .source = *tracy->source, .times = times };
    bool found = true, headed = false;
    status code = lines_open(input, &report.lines);

    report.source.input = input;
    while (code == STATUS_OK) {
        code = lines_next(report.lines, &report.line, &found);
        if (code != STATUS_OK || !found)
            break;
        if (csv_is_blank((struct text){ report.line.data, report.line.length }))
            continue;
        code = headed ? read_row(&report) : read_header(&report);
        headed = true;
    }
    lines_close(report.lines);
    if (code == STATUS_OK && !headed)
        code = status_fail_at(STATUS_INPUT, (struct place){ .file = input_name(input) }, "the file is empty");
    return code;
}
