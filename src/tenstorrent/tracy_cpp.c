/* tracy_cpp.c: cpp_device_perf_report.csv: device columns that the tool chain itself made of the device log.
 *
 * One row per run of an op. Columns are found by name; what is missing is empty. */
#include "base/csv.h"
#include "base/number.h"
#include "tenstorrent/tracy.h"

/* Columns that are no times. */
enum { CALL = OP_TIME_COUNT, TRACE, REPLAY, DEVICE, ARCHITECTURE, NAME, CORES, WORKER_CORES, COLUMN_COUNT };

static const char *const other_columns[] = {
    "GLOBAL CALL COUNT", "METAL TRACE ID", "METAL TRACE REPLAY SESSION ID", "DEVICE ID", "DEVICE ARCH",
    "OP NAME",           "CORE COUNT",     "AVAILABLE WORKER CORE COUNT",
};

struct report {
    struct tracy *tracy;         /* borrowed */
    struct source source;        /* of this file */
    struct op_times_list *times; /* borrowed: what is filled */
    struct csv csv;              /* the file */
};

static unsigned find_column(void *context, struct text name)
{
    (void)context;
    for (unsigned i = 0; i < OP_TIME_COUNT; i++)
        if (text_is(name, op_time_column((enum op_time)i)))
            return i;
    for (unsigned i = 0; i < sizeof other_columns / sizeof *other_columns; i++)
        if (text_is(name, other_columns[i]))
            return CALL + i;
    return CSV_NO_COLUMN;
}

static const struct csv_wish wish = { .count = COLUMN_COUNT, .flags = CSV_TRIM, .find = find_column };

/* An empty field is OP_NONE. */
static bool read_number(struct text text, int64_t least, int64_t most, int64_t *value)
{
    *value = OP_NONE;
    if (!text.length)
        return true;
    return number_parse_scaled(text.data, text.length, 0, value) == NUMBER_FINE && *value >= least && *value <= most;
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
        if (!read_number(report->csv.values[*column], others[i].least, others[i].most, others[i].to) ||
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
        if (!read_number(report->csv.values[i], -latest, latest, &times->values[i]))
            return &loss_number;
    }
    return read_others(report, times, column);
}

/* `*place` is where what was not understood stands. */
static status keep_row(struct report *report, const struct loss_reason **reason, uint64_t *place)
{
    struct tracy *tracy = report->tracy;
    struct op_times *times = op_times_add(report->times);
    unsigned column;
    status code;

    if (!times)
        return status_no_memory("keeping ops of a device");
    *reason = read_numbers(report, times, &column);
    if (*reason) {
        *place = csv_place(&report->csv, column);
        report->times->count--;
        return STATUS_OK;
    }
    times->first = times->values[OP_TIME_FW_START] != OP_NONE ? times->values[OP_TIME_FW_START]
                                                              : times->values[OP_TIME_KERNEL_START];
    code = tracy_intern_text(tracy, report->csv.values[ARCHITECTURE], &times->architecture);
    return code == STATUS_OK ? tracy_intern_text(tracy, report->csv.values[NAME], &times->name) : code;
}

static status read_row(struct report *report)
{
    const struct loss_reason *reason = csv_row_loss(&report->csv);
    struct losses *losses = report->tracy->losses;
    uint64_t place = 1;
    status code = STATUS_OK;

    losses->rows++;
    if (!reason)
        code = keep_row(report, &reason, &place);
    if (code == STATUS_OK && reason)
        return source_lose_row(&report->source, losses, reason, report->csv.line.number, place);
    losses->used++;
    return code;
}

status tracy_read_report(struct tracy *tracy, struct input *input, struct op_times_list *times)
{
    struct report report = { .tracy = tracy, .source = *tracy->source, .times = times };
    bool found = true;
    status code = csv_open(&report.csv, input, &wish);

    report.source.input = input;
    if (code == STATUS_OK && (!csv_has(&report.csv, CALL) || !csv_has(&report.csv, DEVICE)))
        code = status_fail_at(STATUS_INPUT, (struct place){ input_name(input), report.csv.line.number, 1 },
                              "this is no header of a device report: it needs GLOBAL CALL COUNT and DEVICE ID");
    while (code == STATUS_OK && found) {
        code = csv_next(&report.csv, &found);
        if (code == STATUS_OK && found)
            code = read_row(&report);
    }
    csv_close(&report.csv);
    return code;
}
