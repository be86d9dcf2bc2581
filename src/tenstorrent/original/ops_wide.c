/* ops_wide.c: the wide report of a newer tool chain's logs, as the original writes it. */
#include "tenstorrent/original/ops_wide.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/number.h"
#include "table/cell.h"

/* Columns before the tensors and behind them. X(name, column) */
#define FIRST_MAP(X)                               \
    X(CODE, "OP CODE")                             \
    X(TYPE, "OP TYPE")                             \
    X(CALL, "GLOBAL CALL COUNT")                   \
    X(DEVICE, "DEVICE ID")                         \
    X(ARCHITECTURE, "DEVICE ARCH")                 \
    X(ATTRIBUTES, "ATTRIBUTES")                    \
    X(FIDELITY, "MATH FIDELITY")                   \
    X(CORES, "CORE COUNT")                         \
    X(WORKER_CORES, "AVAILABLE WORKER CORE COUNT") \
    X(SUB_DEVICE, "SUB DEVICE ID")                 \
    X(STRATEGY, "PARALLELIZATION STRATEGY")        \
    X(HOST_START, "HOST START TS")                 \
    X(HOST_END, "HOST END TS")                     \
    X(HOST_DURATION, "HOST DURATION [ns]")

#define LAST_MAP(X)                                   \
    X(TRACE, "METAL TRACE ID")                        \
    X(REPLAY, "METAL TRACE REPLAY SESSION ID")        \
    X(COMPUTE_SOURCE, "COMPUTE KERNEL SOURCE")        \
    X(COMPUTE_HASH, "COMPUTE KERNEL HASH")            \
    X(MOVEMENT_SOURCE, "DATA MOVEMENT KERNEL SOURCE") \
    X(MOVEMENT_HASH, "DATA MOVEMENT KERNEL HASH")     \
    X(HASH, "PROGRAM HASH")                           \
    X(HIT, "PROGRAM CACHE HIT")

#define MODEL_MAP(X)                  \
    X(IDEAL, "PM IDEAL [ns]")         \
    X(COMPUTE, "PM COMPUTE [ns]")     \
    X(BANDWIDTH, "PM BANDWIDTH [ns]") \
    X(INPUT_RATES, "PM REQ I BW")     \
    X(OUTPUT_RATES, "PM REQ O BW")    \
    X(UTILISATION, "PM FPU UTIL (%)")

enum wide_column {
#define X(name, title) COLUMN_##name,
    FIRST_MAP(X) COLUMN_TIMES, /* all those of op_times.h that are shown */
    COLUMN_TENSORS,
    LAST_MAP(X) COLUMN_SIZES,
    MODEL_MAP(X) COLUMN_FUNCTIONS,
#undef X
    COLUMN_COUNT
};

static const char *const titles[COLUMN_COUNT] = {
#define X(name, title) [COLUMN_##name] = title,
    FIRST_MAP(X) LAST_MAP(X) MODEL_MAP(X)
#undef X
};

enum { TIMES_SHOWN = OP_TIME_KERNEL_START, TENSOR_FIELDS = 7, USUAL_SIZES = 9 };

static const char *const tensor_titles[TENSOR_FIELDS] = { "W_PAD[LOGICAL]", "Z_PAD[LOGICAL]", "Y_PAD[LOGICAL]",
                                                          "X_PAD[LOGICAL]", "LAYOUT",         "DATATYPE",
                                                          "MEMORY" };

static const char *const usual_sizes[USUAL_SIZES] = {
    "TENSIX DM 0 MAX KERNEL SIZE [B]",      "TENSIX DM 1 MAX KERNEL SIZE [B]",
    "TENSIX COMPUTE 0 MAX KERNEL SIZE [B]", "TENSIX COMPUTE 1 MAX KERNEL SIZE [B]",
    "TENSIX COMPUTE 2 MAX KERNEL SIZE [B]", "ACTIVE ETH DM 0 MAX KERNEL SIZE [B]",
    "ACTIVE ETH DM 1 MAX KERNEL SIZE [B]",  "IDLE ETH DM 0 MAX KERNEL SIZE [B]",
    "IDLE ETH DM 1 MAX KERNEL SIZE [B]",
};

/* What is written, and which columns that has. */
struct page {
    const struct op_details *details;                 /* borrowed */
    const struct strings *strings;                    /* of the details */
    struct cell_line line;                            /* at hand */
    bool shown[COLUMN_COUNT];                         /* by column: it is written */
    bool times[OP_TIME_COUNT];                        /* by time: some op has it */
    unsigned inputs, outputs;                         /* as many as some op has */
    const char *sizes[USUAL_SIZES + OP_DETAIL_SIZES]; /* names of the columns of kernel sizes */
    unsigned size_count;                              /* of sizes */
};

/* One row with all that belongs to it. */
struct whole {
    const struct op_row *row;     /* of the report */
    const struct op_info *info;   /* NULL: none */
    const struct op_times *times; /* NULL: none */
};

static struct whole whole_at(const struct page *page, size_t index)
{
    const struct op_row *row = op_row_at(page->details->report, index);

    return (struct whole){ row, op_row_info(page->details, row), op_row_times(page->details, row) };
}

/* ---- Cells ---- */

static void put_title(struct page *page, const char *title)
{
    cell_line_put(&page->line, title, strlen(title));
}

static void put_id(struct page *page, string_id id)
{
    struct text text = strings_get(page->strings, id);

    cell_line_put(&page->line, text.data, text.length);
}

static void put_number(struct page *page, int64_t number)
{
    char digits[24];

    cell_line_put(&page->line, digits, number == OP_NONE ? 0 : number_write_integer(digits, number));
}

/* How much of the kernel's time the model says that computing needs. Rounded to three places as Python does it. */
static void put_utilisation(struct page *page, const struct whole *whole)
{
    struct text text = strings_get(page->strings, whole->info ? whole->info->compute : 0);
    int64_t duration = whole->row->kernel_duration;
    char places[400], shortest[40];
    double compute, rounded;
    int length;

    if (duration == OP_NONE || !number_parse_decimal(text.data, text.length, &compute)) {
        cell_line_put(&page->line, "", 0);
        return;
    }
    length = snprintf(places, sizeof places, "%.3f", duration ? 100.0 * compute / (double)duration : 0.0);
    if (length > 0 && (size_t)length < sizeof places && number_parse_decimal(places, (size_t)length, &rounded))
        cell_line_put(&page->line, shortest, number_write_shortest(shortest, rounded));
    else
        cell_line_put(&page->line, "", 0);
}

static void put_hit(struct page *page, int8_t hit)
{
    put_title(page, hit < 0 ? "" : hit ? "True" : "False");
}

static void put_info(struct page *page, const struct op_info *info, string_id id)
{
    put_id(page, info ? id : 0);
}

/* Columns that come from the row itself. */
static void put_first(struct page *page, const struct whole *whole, enum wide_column column)
{
    const struct op_row *row = whole->row;

    switch (column) {
    case COLUMN_CODE:
        put_id(page, row->code);
        break;
    case COLUMN_TYPE:
        put_id(page, row->type);
        break;
    case COLUMN_CALL:
        put_number(page, row->call);
        break;
    case COLUMN_DEVICE:
        put_number(page, row->device < 0 ? OP_NONE : row->device);
        break;
    case COLUMN_ARCHITECTURE:
        put_id(page, row->architecture);
        break;
    case COLUMN_ATTRIBUTES:
        put_id(page, row->attributes);
        break;
    case COLUMN_FIDELITY:
        put_id(page, row->fidelity);
        break;
    case COLUMN_CORES:
        put_number(page, row->cores);
        break;
    case COLUMN_WORKER_CORES:
        put_number(page, row->worker_cores);
        break;
    case COLUMN_SUB_DEVICE:
        put_number(page, whole->times ? whole->times->sub_device : OP_NONE);
        break;
    case COLUMN_STRATEGY:
        put_info(page, whole->info, whole->info ? whole->info->strategy : 0);
        break;
    case COLUMN_HOST_START:
        put_number(page, row->host_start);
        break;
    case COLUMN_HOST_END:
        put_number(page, row->host_end);
        break;
    default:
        put_number(page, row->host_duration);
        break;
    }
}

static void put_last(struct page *page, const struct whole *whole, enum wide_column column)
{
    static const struct op_info nothing = { .code = 0 };
    const struct op_info *info = whole->info ? whole->info : &nothing;

    switch (column) {
    case COLUMN_TRACE:
        put_number(page, whole->row->trace);
        break;
    case COLUMN_REPLAY:
        put_number(page, whole->row->replay);
        break;
    case COLUMN_COMPUTE_SOURCE:
        put_id(page, info->compute_sources);
        break;
    case COLUMN_COMPUTE_HASH:
        put_id(page, info->compute_hashes);
        break;
    case COLUMN_MOVEMENT_SOURCE:
        put_id(page, info->movement_sources);
        break;
    case COLUMN_MOVEMENT_HASH:
        put_id(page, info->movement_hashes);
        break;
    case COLUMN_HASH:
        put_id(page, info->hash);
        break;
    case COLUMN_HIT:
        put_hit(page, whole->row->parts.hit);
        break;
    case COLUMN_IDEAL:
        put_id(page, info->ideal);
        break;
    case COLUMN_COMPUTE:
        put_id(page, info->compute);
        break;
    case COLUMN_BANDWIDTH:
        put_id(page, info->bandwidth);
        break;
    case COLUMN_INPUT_RATES:
        put_id(page, info->input_rates);
        break;
    case COLUMN_OUTPUT_RATES:
        put_id(page, info->output_rates);
        break;
    default:
        put_utilisation(page, whole);
        break;
    }
}

/* ---- Groups of columns ---- */

static void put_times(struct page *page, const struct op_times *times)
{
    for (unsigned i = 0; i < TIMES_SHOWN; i++)
        if (page->times[i])
            put_number(page, times ? times->values[i] : OP_NONE);
}

static void put_tensor(struct page *page, const struct op_info *info, unsigned index, bool there)
{
    static const struct op_tensor_detail nothing = { .layout = 0 };
    const struct op_tensor_detail *tensor =
        there ? column_at(&page->details->tensors, info->first_tensor + index) : &nothing;

    for (unsigned i = 0; i < 4; i++)
        put_id(page, tensor->size[i]);
    put_id(page, tensor->layout);
    put_id(page, tensor->datatype);
    put_id(page, tensor->memory);
}

static void put_tensors(struct page *page, const struct op_info *info)
{
    for (unsigned i = 0; i < page->inputs; i++)
        put_tensor(page, info, i, info && i < info->inputs);
    for (unsigned i = 0; i < page->outputs; i++)
        put_tensor(page, info, info ? info->inputs + i : 0, info && i < info->outputs);
}

static void put_sizes(struct page *page, const struct op_info *info)
{
    for (unsigned i = 0; i < page->size_count; i++) {
        string_id bytes = 0;

        for (unsigned s = 0; info && s < info->sizes; s++) {
            const struct op_kernel_size *size = column_at(&page->details->sizes, info->first_size + s);

            if (strcmp(strings_text(page->strings, size->name), page->sizes[i]) == 0)
                bytes = size->bytes;
        }
        put_id(page, bytes);
    }
}

static void put_functions(struct page *page, const struct op_row *row)
{
    for (size_t i = 0; i < page->details->function_count; i++) {
        int64_t total = OP_NONE;

        for (uint32_t at = row->parts.functions; at != NO_ID;) {
            const struct op_host_call *call = column_at(&page->details->calls, at);

            if (call->function == page->details->functions[i])
                total = call->total;
            at = call->next;
        }
        put_number(page, total);
    }
}

/* ---- Lines ---- */

static void write_titles(struct page *page)
{
    char title[96];

    for (unsigned column = 0; column < COLUMN_COUNT; column++) {
        if (!page->shown[column])
            continue;
        if (titles[column])
            put_title(page, titles[column]);
        for (unsigned i = 0; column == COLUMN_TIMES && i < TIMES_SHOWN; i++)
            if (page->times[i])
                put_title(page, op_time_column((enum op_time)i));
        for (unsigned i = 0; column == COLUMN_TENSORS && i < (page->inputs + page->outputs) * TENSOR_FIELDS; i++) {
            unsigned number = i / TENSOR_FIELDS;
            bool input = number < page->inputs;

            snprintf(title, sizeof title, "%s_%u_%s", input ? "INPUT" : "OUTPUT",
                     input ? number : number - page->inputs, tensor_titles[i % TENSOR_FIELDS]);
            put_title(page, title);
        }
        for (unsigned i = 0; column == COLUMN_SIZES && i < page->size_count; i++)
            put_title(page, page->sizes[i]);
        for (size_t i = 0; column == COLUMN_FUNCTIONS && i < page->details->function_count; i++) {
            static const char behind[] = "_TT_HOST_FUNC [ns]";
            struct text name = strings_get(page->strings, page->details->functions[i]);

            cell_line_put_both(&page->line, name.data, name.length, behind, sizeof behind - 1);
        }
    }
    cell_line_end(&page->line);
}

static void write_row(struct page *page, size_t index)
{
    struct whole whole = whole_at(page, index);

    for (enum wide_column column = 0; column < COLUMN_COUNT; column++) {
        if (!page->shown[column])
            continue;
        if (column == COLUMN_TIMES)
            put_times(page, whole.times);
        else if (column == COLUMN_TENSORS)
            put_tensors(page, whole.info);
        else if (column == COLUMN_SIZES)
            put_sizes(page, whole.info);
        else if (column == COLUMN_FUNCTIONS)
            put_functions(page, whole.row);
        else if (column < COLUMN_TIMES)
            put_first(page, &whole, column);
        else
            put_last(page, &whole, column);
    }
    cell_line_end(&page->line);
}

/* ---- Which columns ---- */

static void know_size(struct page *page, const char *name)
{
    for (unsigned i = 0; i < page->size_count; i++)
        if (strcmp(page->sizes[i], name) == 0)
            return;
    page->sizes[page->size_count++] = name;
}

static void choose_infos(struct page *page)
{
    for (unsigned i = 0; i < USUAL_SIZES; i++)
        know_size(page, usual_sizes[i]);
    for (size_t i = 0; i < page->details->infos.count; i++) {
        const struct op_info *info = column_at(&page->details->infos, i);

        page->inputs = info->inputs > page->inputs ? info->inputs : page->inputs;
        page->outputs = info->outputs > page->outputs ? info->outputs : page->outputs;
    }
    for (unsigned i = 0; i < page->details->size_name_count; i++)
        know_size(page, strings_text(page->strings, page->details->size_names[i]));
}

static bool is_rare(enum op_time time)
{
    return time == OP_TIME_QUASAR_DM || time == OP_TIME_QUASAR_TRISC || time == OP_TIME_DM_FW ||
           time == OP_TIME_TRISC_FW;
}

/* A report of devices alone shows what some row has, and says which device only where there are several. */
static void choose_columns(struct page *page)
{
    bool host = page->details->host;

    choose_infos(page);
    for (unsigned i = 0; i < COLUMN_COUNT; i++)
        page->shown[i] = host;
    page->shown[COLUMN_TIMES] = page->shown[COLUMN_CALL] = true;
    for (unsigned i = 0; i < TIMES_SHOWN; i++)
        page->times[i] = host && !is_rare((enum op_time)i);
    for (size_t i = 0; i < page->details->times.count; i++) {
        const struct op_times *times = &page->details->times.items[i];

        for (unsigned t = 0; t < TIMES_SHOWN; t++)
            page->times[t] |= times->values[t] != OP_NONE;
        page->shown[COLUMN_DEVICE] |= times->device != page->details->times.items[0].device;
        page->shown[COLUMN_SUB_DEVICE] |= times->sub_device != OP_NONE;
        page->shown[COLUMN_TRACE] |= times->trace != OP_NONE;
        page->shown[COLUMN_REPLAY] |= times->replay != OP_NONE;
        page->shown[COLUMN_CODE] |= times->name != 0;
    }
}

status ops_wide_write(const struct op_details *details, struct output *output)
{
    struct page *page = memory_allocate_clear(sizeof *page);
    status code;

    assert(details->report);
    if (!page)
        return status_no_memory("writing an ops report");
    page->details = details;
    page->strings = details->report->strings;
    page->line.output = output;
    choose_columns(page);
    write_titles(page);
    for (size_t i = 0; i < details->report->rows.count; i++)
        write_row(page, i);
    code = output_status(output);
    memory_free(page);
    return code;
}

/* ---- Waits of each core ---- */

struct core {
    int32_t x, y;                  /* in the coordinates of the log */
    size_t *gaps;                  /* of the device at hand, by time: places in the list */
    size_t count, capacity, taken; /* of gaps: how many there are, fit, were written */
};

struct cores {
    struct core *items;     /* by x, then y */
    size_t count, capacity; /* of items */
};

static int compare_cores(const void *one, const void *other)
{
    const struct core *a = one, *b = other;

    if (a->x != b->x)
        return a->x < b->x ? -1 : 1;
    return (a->y > b->y) - (a->y < b->y);
}

static status list_cores(const struct op_gaps *gaps, struct cores *cores)
{
    status code = memory_grow(&cores->items, &cores->capacity, gaps->core_count + 1, sizeof *cores->items);

    for (size_t i = 0; i < gaps->core_count && code == STATUS_OK; i++)
        cores->items[cores->count++] = (struct core){ .x = gaps->cores[i].x, .y = gaps->cores[i].y };
    return code;
}

static status queue_gaps(const struct op_gaps *gaps, size_t first, size_t end, struct cores *cores)
{
    for (size_t i = 0; i < cores->count; i++)
        cores->items[i].count = cores->items[i].taken = 0;
    for (size_t i = first; i < end; i++) {
        struct core key = { .x = gaps->items[i].x, .y = gaps->items[i].y };
        struct core *core = bsearch(&key, cores->items, cores->count, sizeof *cores->items, compare_cores);
        status code = memory_grow(&core->gaps, &core->capacity, core->count + 1, sizeof *core->gaps);

        if (code != STATUS_OK)
            return code;
        core->gaps[core->count++] = i;
    }
    return STATUS_OK;
}

/* One line: the wait between these two ops on every core that has it next. */
static void write_gap(const struct op_gaps *gaps, size_t index, struct cores *cores, bool *written,
                      struct output *output)
{
    const struct op_gap *gap = &gaps->items[index];

    output_format(output, "%lld,%lld -> %lld", (long long)gap->device, (long long)gap->from, (long long)gap->to);
    for (size_t i = 0; i < cores->count; i++) {
        struct core *core = &cores->items[i];
        const struct op_gap *next = core->taken < core->count ? &gaps->items[core->gaps[core->taken]] : NULL;

        output_write(output, ",", 1);
        if (!next || next->from != gap->from || next->to != gap->to)
            continue;
        if (next->ns != OP_NONE)
            output_format(output, "%lld", (long long)(next->ns - OPS_GAP_OVERHEAD_NS));
        written[core->gaps[core->taken++]] = true;
    }
    output_write(output, "\r\n", 2);
}

static status write_gaps(const struct op_gaps *gaps, struct cores *cores, struct output *output)
{
    bool *written = memory_allocate_clear(gaps->count + 1);
    status code = written ? STATUS_OK : status_no_memory("writing waits of cores");

    output_format(output, "device ID,op2op ID");
    for (size_t i = 0; i < cores->count; i++)
        output_format(output, ",%d; %d [ns]", cores->items[i].x, cores->items[i].y);
    output_write(output, "\r\n", 2);
    for (size_t first = 0; first < gaps->count && code == STATUS_OK;) {
        size_t end = first;

        while (end < gaps->count && gaps->items[end].device == gaps->items[first].device)
            end++;
        code = queue_gaps(gaps, first, end, cores);
        for (; first < end && code == STATUS_OK; first++)
            if (!written[first])
                write_gap(gaps, first, cores, written, output);
        first = end;
    }
    memory_free(written);
    return code;
}

status ops_gaps_write(const struct op_details *details, struct output *output)
{
    struct cores cores = { .items = NULL };
    status code = list_cores(&details->gaps, &cores);

    if (code == STATUS_OK)
        code = write_gaps(&details->gaps, &cores, output);
    for (size_t i = 0; i < cores.count; i++)
        memory_free(cores.items[i].gaps);
    memory_free(cores.items);
    return code == STATUS_OK ? output_status(output) : code;
}
