/* ops_csv.c: finished reports of operations on Tenstorrent devices: ops_perf_results*.csv, profile_log_ops.csv.
 *
 * One header line with 60 to 300 columns that are found by name, one row per operation and device. Fields are quoted as
 * RFC 4180 says; older writers replace commas instead. Generations differ in their columns only:
 *
 *   1     INPUT_0_W … plain sizes; the oldest (2023) have no device ids, and "-" where there is nothing
 *   2     INPUT_0_W_PAD[LOGICAL] … with values like 32[17]
 *   2.1   and DEVICE ARCH, AVAILABLE WORKER CORE COUNT
 *
 * A header that comes again inside the file (reports written behind one another) begins a part with columns of its own.
 */
#include <assert.h>
#include <string.h>
#include <sys/stat.h>

#include "base/csv.h"
#include "base/folder.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/path.h"
#include "tenstorrent/chain.h"
#include "tenstorrent/device_log.h"
#include "tenstorrent/op_kernels.h"
#include "tenstorrent/ops_feed.h"

enum {
    MOST_INPUTS = 32,  /* tensors that are looked at */
    MOST_OUTPUTS = 16, /* the same */
};

enum column_name {
    CODE,
    TYPE,
    CALL,
    DEVICE,
    ARCHITECTURE,
    ATTRIBUTES,
    FIDELITY,
    CORES,
    WORKER_CORES,
    HOST_START,
    HOST_END,
    HOST_DURATION,
    OPS_FIRMWARE_START,
    OPS_FIRMWARE_END,
    FIRMWARE_DURATION,
    KERNEL_DURATION,
    LATENCY,
    CORE_LONGEST,
    CORE_MEAN,
    LAST_START,
    WAITS,
    TRACE,
    REPLAY,
    COMPUTE_HASH,
    MOVEMENT_HASH,
    COMPILE_TIME,
    FIXED_COLUMNS
};

/* Columns of a tensor: four sizes, then these. */
enum part { PART_DATATYPE = 4, PART_MEMORY, PARTS };

enum { RECENT = 64 }; /* a power of two */
enum { SLOTS = FIXED_COLUMNS + (MOST_INPUTS + MOST_OUTPUTS) * PARTS, NO_SLOT = SLOTS };

/* A tensor that the header has. */
struct tensor_columns {
    unsigned tensor;      /* inputs, then outputs */
    unsigned first, last; /* slots: those of its columns that come first and last in the file */
};

/* A text that a slot held. */
struct recent {
    struct text text; /* in the pool; empty: none */
    string_id id;     /* of it */
};

/* What a word about tensors says: there are few, so each is looked at once. */
struct tensor_word {
    bool known;   /* it was looked at */
    bool dram;    /* a memory: it is DRAM */
    double bytes; /* a type: of an element */
};

struct ops_csv {
    struct source *source;                                     /* borrowed */
    struct op_report *report;                                  /* borrowed */
    struct csv table;                                          /* the file */
    struct csv_wish wish;                                      /* of it: all slots */
    struct tensor_columns tensors[MOST_INPUTS + MOST_OUTPUTS]; /* that the header has: inputs, then outputs */
    unsigned tensor_count;                                     /* of these */
    bool has[SLOTS];                                           /* columns that the header has */
    bool padded;                                               /* sizes are padded[logical] */
    struct recent recent[SLOTS][RECENT]; /* what a slot held last, by length and some bytes: rows repeat each other */
    struct tensor_word *words;           /* by string id */
    size_t word_capacity;                /* of these */
    struct op_kernels kernels;           /* that were met */
    bool listened;                       /* somebody wants to know which kernels are new */
};

/* ---- Header ---- */

static const char *const column_names[FIXED_COLUMNS] = {
    [CODE] = "OP CODE",
    [TYPE] = "OP TYPE",
    [CALL] = "GLOBAL CALL COUNT",
    [DEVICE] = "DEVICE ID",
    [ARCHITECTURE] = "DEVICE ARCH",
    [ATTRIBUTES] = "ATTRIBUTES",
    [FIDELITY] = "MATH FIDELITY",
    [CORES] = "CORE COUNT",
    [WORKER_CORES] = "AVAILABLE WORKER CORE COUNT",
    [HOST_START] = "HOST START TS",
    [HOST_END] = "HOST END TS",
    [HOST_DURATION] = "HOST DURATION [ns]",
    [OPS_FIRMWARE_START] = "DEVICE FW START CYCLE",
    [OPS_FIRMWARE_END] = "DEVICE FW END CYCLE",
    [FIRMWARE_DURATION] = "DEVICE FW DURATION [ns]",
    [KERNEL_DURATION] = "DEVICE KERNEL DURATION [ns]",
    [LATENCY] = "OP TO OP LATENCY [ns]",
    [CORE_LONGEST] = "DEVICE KERNEL DURATION PER CORE MAX [ns]",
    [CORE_MEAN] = "DEVICE KERNEL DURATION PER CORE AVG [ns]",
    [LAST_START] = "DEVICE KERNEL FIRST TO LAST START [ns]",
    [WAITS] = "DEVICE COMPUTE CB WAIT FRONT [ns]",
    [TRACE] = "METAL TRACE ID",
    [REPLAY] = "METAL TRACE REPLAY SESSION ID",
    [COMPUTE_HASH] = "COMPUTE KERNEL HASH",
    [MOVEMENT_HASH] = "DATA MOVEMENT KERNEL HASH",
    [COMPILE_TIME] = "CompileProgram_TT_HOST_FUNC [ns]",
};

/* INPUT_3_Y, INPUT_3_Y_PAD[LOGICAL], OUTPUT_0_DATATYPE, OUTPUT_0_DATA TYPE, INPUT_0_MEMORY. */
static unsigned tensor_slot(struct text name, bool *padded)
{
    static const char *const sizes[] = { "_W", "_Z", "_Y", "_X" };
    const char *end = name.data + name.length;
    bool input = text_cut_start(&name, "INPUT_");
    const char *next;
    uint64_t index;
    unsigned base;

    if (!input && !text_cut_start(&name, "OUTPUT_"))
        return NO_SLOT;
    next = name.data;
    if (!number_read_unsigned(&next, end, &index) || index >= (uint64_t)(input ? MOST_INPUTS : MOST_OUTPUTS))
        return NO_SLOT;
    base = FIXED_COLUMNS + ((input ? 0 : MOST_INPUTS) + (unsigned)index) * PARTS;
    name = text_between(next, end);
    if (text_is(name, "_DATATYPE") || text_is(name, "_DATA TYPE"))
        return base + PART_DATATYPE;
    if (text_is(name, "_MEMORY"))
        return base + PART_MEMORY;
    *padded |= text_cut_end(&name, "_PAD[LOGICAL]");
    for (unsigned i = 0; i < 4; i++) {
        if (text_is(name, sizes[i]))
            return base + i;
    }
    return NO_SLOT;
}

static unsigned find_slot(void *padded, struct text name)
{
    unsigned slot;

    for (unsigned i = 0; i < FIXED_COLUMNS; i++) {
        if (text_is(name, column_names[i]))
            return i;
    }
    slot = text_is(name, "OP NAME") ? CODE : tensor_slot(name, padded); /* that of the device's own report */
    return slot == NO_SLOT ? CSV_NO_COLUMN : slot;
}

/* A report needs names and types; one of devices alone, without the host's files, has cycles and no types of operations. */
static bool is_report(const bool *has)
{
    return (has[CODE] && has[TYPE]) || (!has[TYPE] && has[CALL] && has[OPS_FIRMWARE_START] && has[KERNEL_DURATION]);
}

/* A column of a tensor that the header has. */
static void add_tensor_column(struct ops_csv *csv, unsigned slot)
{
    unsigned tensor = (slot - FIXED_COLUMNS) / PARTS;
    struct tensor_columns *columns = csv->tensor_count ? &csv->tensors[csv->tensor_count - 1] : NULL;

    if (!columns || columns->tensor != tensor) {
        csv->tensors[csv->tensor_count++] = (struct tensor_columns){ tensor, slot, slot };
        return;
    }
    if (csv->table.field_of[slot] < csv->table.field_of[columns->first])
        columns->first = slot;
    if (csv->table.field_of[slot] > csv->table.field_of[columns->last])
        columns->last = slot;
}

/* After a header was taken. False: it is none of a report. */
static bool look_at_header(struct ops_csv *csv)
{
    csv->tensor_count = 0;
    for (unsigned i = 0; i < SLOTS; i++) {
        csv->has[i] = csv_has(&csv->table, i);
        if (i >= FIXED_COLUMNS && csv->has[i])
            add_tensor_column(csv, i);
    }
    return is_report(csv->has);
}

/* ---- Values ---- */

/* What writers put where there is nothing. */
static bool is_missing(struct text text)
{
    static const char *const words[] = {
        "-", "nan", "NaN", "None", "null", "NULL", "N/A", "NA", "<NA>", "n/a", "#N/A"
    };

    if (!text.length)
        return true;
    /* Numbers are asked most often, and none of the words has a digit. */
    if (text.length > 4 || (*text.data >= '0' && *text.data <= '9'))
        return false;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (text_is(text, words[i]))
            return true;
    }
    return false;
}

/* An integer that `limit` bounds on both sides; a decimal with nothing behind its point is one, too. */
static bool read_integer(struct text text, int64_t limit, int64_t *value)
{
    if (number_all_digits(text.data, text.length, value))
        return *value <= limit;
    *value = OP_NONE;
    text = text_trim(text);
    if (is_missing(text))
        return true;
    return number_parse_scaled(text.data, text.length, 0, value) == NUMBER_FINE && *value <= limit && *value >= -limit;
}

#define LATEST (INT64_MAX / 4) /* times: sums of two must fit */

struct number_field {
    enum column_name column; /* of the file */
    size_t offset;           /* in struct op_row */
    int64_t limit;           /* the largest value that it may have */
};

#define NUMBER_FIELD(column, field, limit)            \
    {                                                 \
        column, offsetof(struct op_row, field), limit \
    }

static const struct number_field number_fields[] = {
    NUMBER_FIELD(CALL, call, LATEST),
    NUMBER_FIELD(CORES, cores, INT32_MAX),
    NUMBER_FIELD(WORKER_CORES, worker_cores, INT32_MAX),
    NUMBER_FIELD(HOST_START, host_start, LATEST),
    NUMBER_FIELD(HOST_END, host_end, LATEST),
    NUMBER_FIELD(HOST_DURATION, host_duration, LATEST),
    NUMBER_FIELD(OPS_FIRMWARE_START, firmware_start, LATEST),
    NUMBER_FIELD(OPS_FIRMWARE_END, firmware_end, LATEST),
    NUMBER_FIELD(FIRMWARE_DURATION, firmware_duration, LATEST),
    NUMBER_FIELD(KERNEL_DURATION, kernel_duration, LATEST),
    NUMBER_FIELD(LATENCY, latency, LATEST),
    NUMBER_FIELD(CORE_LONGEST, core_longest, LATEST),
    NUMBER_FIELD(CORE_MEAN, core_mean, LATEST),
    NUMBER_FIELD(LAST_START, last_start, LATEST),
    NUMBER_FIELD(WAITS, waits, LATEST),
    NUMBER_FIELD(TRACE, trace, LATEST),
    NUMBER_FIELD(REPLAY, replay, LATEST),
};

static unsigned recent_place(struct text text)
{
    unsigned first = (unsigned char)text.data[0], middle = (unsigned char)text.data[text.length / 2];
    unsigned last = (unsigned char)text.data[text.length - 1];

    return ((unsigned)text.length * 7 + first * 5 + middle * 3 + last) % RECENT;
}

/* The text of a slot in the pool; 0 where there is none. */
static status read_text(struct ops_csv *csv, unsigned slot, struct text text, string_id *id)
{
    struct recent *recent;
    status code;

    *id = 0;
    if (!text.length)
        return STATUS_OK;
    recent = &csv->recent[slot][recent_place(text)];
    if (recent->text.length == text.length && text_same(recent->text.data, text.data, text.length)) {
        *id = recent->id;
        return STATUS_OK;
    }
    if (is_missing(text))
        return STATUS_OK;
    code = strings_add(csv->report->strings, text.data, text.length, id);
    if (code == STATUS_OK)
        *recent = (struct recent){ strings_get(csv->report->strings, *id), *id };
    return code;
}

static status read_slot(struct ops_csv *csv, unsigned slot, string_id *id)
{
    return read_text(csv, slot, csv_value(&csv->table, slot), id);
}

/* A size, or the padded one of padded[logical]; -1 where there is none. */
static bool read_size(const struct ops_csv *csv, struct text text, int32_t *size)
{
    const struct csv *table = &csv->table;
    uint64_t few;
    int64_t value;

    *size = -1;
    if (!text.length) /* the file may not have the column: nothing of a row is behind it */
        return true;
    if (csv->padded && text.length > 1 && text.data[1] == '[' && char_is_digit(*text.data)) {
        *size = *text.data - '0';
        return true;
    }
    /* Nearly all others have less than nine digits, with something of the row behind them. */
    if (!table->laid_out && table->line.data + table->line.length - text.data >= 8) {
        unsigned count = number_eight_digits(text.data, &few);

        *size = (int32_t)few;
        if (count && (count == text.length || (csv->padded && text.data[count] == '[')))
            return true;
    }
    if (csv->padded)
        text = text_take(&text, '[');
    if (!read_integer(text, INT32_MAX, &value) || (value < 0 && value != OP_NONE))
        return false;
    *size = value == OP_NONE ? -1 : (int32_t)value;
    return true;
}

/* `*reason` stays NULL where its numbers can be read; `*slot` names the one that cannot. */
static status read_tensor(struct ops_csv *csv, unsigned index, struct op_tensor *tensor,
                          const struct loss_reason **reason, unsigned *slot)
{
    unsigned base = FIXED_COLUMNS + index * PARTS;
    status code = read_slot(csv, base + PART_DATATYPE, &tensor->datatype);

    if (code == STATUS_OK)
        code = read_slot(csv, base + PART_MEMORY, &tensor->memory);
    for (unsigned i = 0; i < 4; i++) {
        if (read_size(csv, csv_value(&csv->table, base + i), &tensor->size[i]))
            continue;
        *reason = &loss_number;
        *slot = base + i;
    }
    return code;
}

/* What a type or a memory is; NULL: out of memory. */
static const struct tensor_word *word_of(struct ops_csv *csv, string_id id)
{
    struct text text;

    if (id >= csv->word_capacity &&
        memory_grow_clear(&csv->words, &csv->word_capacity, (size_t)id + 1, sizeof *csv->words) != STATUS_OK)
        return NULL;
    if (!csv->words[id].known) {
        text = strings_get(csv->report->strings, id);
        csv->words[id] = (struct tensor_word){ true, text_contains(text, "DRAM"), op_datatype_bytes(text) };
    }
    return &csv->words[id];
}

/* Bytes of a tensor that lies in DRAM, for its row. */
static status add_bytes(struct ops_csv *csv, const struct op_tensor *tensor, struct op_row *row)
{
    const struct tensor_word *word = word_of(csv, tensor->memory);
    double bytes;

    if (!word)
        return STATUS_MEMORY;
    if (!word->dram)
        return STATUS_OK;
    word = word_of(csv, tensor->datatype);
    if (!word)
        return STATUS_MEMORY;
    bytes = op_tensor_elements(tensor) * word->bytes;
    if (bytes > 0)
        row->dram_bytes += bytes;
    return STATUS_OK;
}

/* Most rows have far fewer tensors than the file has columns for. */
static bool has_tensor(const struct ops_csv *csv, const struct tensor_columns *columns)
{
    unsigned base = FIXED_COLUMNS + columns->tensor * PARTS;

    if (csv_is_empty(&csv->table, columns->first, columns->last))
        return false;
    return csv_value(&csv->table, base).length || csv_value(&csv->table, base + OP_X).length ||
           csv_value(&csv->table, base + PART_DATATYPE).length || csv_value(&csv->table, base + PART_MEMORY).length ||
           csv_value(&csv->table, base + OP_Y).length;
}

static status read_tensors(struct ops_csv *csv, struct op_row *row, const struct loss_reason **reason, unsigned *slot)
{
    for (unsigned place = 0; place < csv->tensor_count; place++) {
        unsigned i = csv->tensors[place].tensor;
        struct op_tensor other;
        struct op_tensor *tensor = i < 2 ? &row->inputs[i] : i == MOST_INPUTS ? &row->output : &other;
        status code;

        if (!has_tensor(csv, &csv->tensors[place]))
            continue;
        code = read_tensor(csv, i, tensor, reason, slot);
        if (code != STATUS_OK || *reason != NULL)
            return code;
        code = add_bytes(csv, tensor, row);
        if (code != STATUS_OK)
            return code;
    }
    return STATUS_OK;
}

static status read_texts(struct ops_csv *csv, struct op_row *row)
{
    /* The oldest reports draw the depth of a call as blanks before its name. */
    status code = read_text(csv, CODE, text_trim(csv_value(&csv->table, CODE)), &row->code);

    if (code == STATUS_OK)
        code = read_slot(csv, TYPE, &row->type);
    if (code == STATUS_OK)
        code = read_slot(csv, ARCHITECTURE, &row->architecture);
    if (code == STATUS_OK)
        code = read_slot(csv, ATTRIBUTES, &row->attributes);
    return code == STATUS_OK ? read_slot(csv, FIDELITY, &row->fidelity) : code;
}

/* ---- Kernels ---- */

/* Kernels that are new to a process are compiled. Where the compiler's time is told, it is what most of the gap before was. */
static status read_kernels(struct ops_csv *csv, struct op_row *row)
{
    int64_t compiled;
    status code = STATUS_OK;

    if (row->kind != OP_DEVICE || !csv->listened)
        return STATUS_OK;
    if (csv->has[COMPILE_TIME] && read_integer(csv_value(&csv->table, COMPILE_TIME), LATEST, &compiled) &&
        compiled > 0) {
        row->parts.fresh = row->latency == OP_NONE || compiled > row->latency / 2;
        return STATUS_OK;
    }
    for (unsigned slot = COMPUTE_HASH; slot <= MOVEMENT_HASH && code == STATUS_OK; slot++) {
        string_id list;

        code = read_slot(csv, slot, &list);
        if (code == STATUS_OK)
            code = op_kernels_meet(&csv->kernels, list, &row->parts.fresh);
    }
    return code;
}

static enum op_kind kind_of(struct text type)
{
    if (text_is(type, "tt_dnn_device"))
        return OP_DEVICE;
    return text_contains(type, "signpost") ? OP_SIGNPOST : OP_HOST;
}

static const struct loss_reason *read_numbers(struct ops_csv *csv, struct op_row *row, unsigned *slot)
{
    int64_t device;

    for (size_t i = 0; i < sizeof number_fields / sizeof *number_fields; i++) {
        const struct number_field *field = &number_fields[i];
        int64_t *value = (int64_t *)(void *)((char *)row + field->offset);

        *slot = field->column;
        if (!read_integer(csv_value(&csv->table, field->column), field->limit, value))
            return &loss_number;
    }
    *slot = CORES;
    if ((row->cores < 0 && row->cores != OP_NONE) || (row->worker_cores < 0 && row->worker_cores != OP_NONE))
        return &loss_number;
    *slot = DEVICE;
    if (!read_integer(csv_value(&csv->table, DEVICE), INT32_MAX / 2, &device))
        return &loss_number;
    row->device = device >= 0 ? (int32_t)device : -1;
    *slot = KERNEL_DURATION;
    return row->kernel_duration < 0 && row->kernel_duration != OP_NONE ? &loss_end_before_start : NULL;
}

static status lose_row(struct ops_csv *csv, const struct loss_reason *reason, uint64_t place)
{
    const struct line *line = &csv->table.line;

    if (text_is_binary((struct text){ line->data, line->length }))
        reason = &loss_binary;
    else if (!line->ended && reason != &loss_too_long)
        reason = &loss_cut_off;
    return source_lose_row(csv->source, &csv->report->losses, reason, line->number, place);
}

/* A row of a device alone: what nothing names is called by its number, as elsewhere. */
static status name_bare(struct ops_csv *csv, struct op_row *row, const struct loss_reason **reason)
{
    struct strings *strings = csv->report->strings;
    status code = strings_add_text(strings, "tt_dnn_device", &row->type);

    if (code == STATUS_OK && !row->code && row->call != OP_NONE)
        code = strings_add_format(strings, &row->code, "op %lld", (long long)row->call);
    if (!row->code)
        *reason = &loss_no_event;
    return code;
}

/* The row that was taken apart, into the report. */
static status read_row(struct ops_csv *csv)
{
    struct op_row *row = op_report_add(csv->report);
    unsigned slot = CODE;
    const struct loss_reason *reason;
    status code;

    if (!row)
        return status_no_memory("keeping operations");
    code = read_texts(csv, row);
    if (code != STATUS_OK)
        return code;
    reason = row->code || row->type || !csv->has[TYPE] ? read_numbers(csv, row, &slot) : &loss_no_event;
    if (!csv->has[TYPE] && reason == NULL)
        code = name_bare(csv, row, &reason);
    row->number = csv->report->numbered + 1;
    row->kind = kind_of(strings_get(csv->report->strings, row->type));
    if (code == STATUS_OK && reason == NULL)
        code = read_tensors(csv, row, &reason, &slot);
    if (code == STATUS_OK && reason == NULL)
        code = read_kernels(csv, row);
    if (code == STATUS_OK && reason != NULL) {
        csv->report->rows.count--;
        return lose_row(csv, reason, csv_place(&csv->table, slot));
    }
    csv->report->losses.used++;
    if (code == STATUS_OK)
        op_report_see(csv->report, row);
    return code;
}

static void begin_part(struct ops_csv *csv)
{
    struct op_columns columns = {
        .device = csv->has[DEVICE],
        .host_start = csv->has[HOST_START],
        .latency = csv->has[LATENCY],
        .input_1_datatype = csv->has[FIXED_COLUMNS + PARTS + PART_DATATYPE],
    };
    enum op_generation generation = csv->padded ? OP_GENERATION_2 : OP_GENERATION_1;

    assert(is_report(csv->has));
    if (csv->has[ARCHITECTURE] || csv->has[WORKER_CORES])
        generation = OP_GENERATION_2_1;
    op_report_columns(csv->report, generation, &columns);
}

/* A header inside the file. */
static status take_header(struct ops_csv *csv)
{
    const struct line *line = &csv->table.line;
    bool taken;
    status code;

    source_note(csv->source, "a header comes again inside the file: the rows behind it are read by it");
    csv->padded = false;
    code = csv_take_header(&csv->table, (struct text){ line->data, line->length }, &taken);
    if (code != STATUS_OK)
        return code;
    if (!taken || !look_at_header(csv))
        return status_fail_at(STATUS_INPUT, (struct place){ input_name(csv->source->input), line->number, 1 },
                              "this header line inside the file cannot be read");
    begin_part(csv);
    return STATUS_OK;
}

static status read_rows(struct ops_csv *csv)
{
    struct losses *losses = &csv->report->losses;

    for (;;) {
        const struct loss_reason *reason;
        uint64_t used = losses->used;
        bool found;
        status code = csv_next(&csv->table, &found);

        if (code != STATUS_OK || !found)
            return code;
        csv->report->numbered++;
        if (csv_is_header(&csv->table)) {
            code = take_header(csv);
        } else {
            losses->rows++;
            source_progress(csv->source, losses->rows);
            reason = csv_row_loss(&csv->table);
            code = reason ? lose_row(csv, reason, 1) : read_row(csv);
            if (code == STATUS_OK && !csv->table.line.ended && losses->used > used)
                code = source_lose_row(csv->source, losses, &loss_last_line, csv->table.line.number, 1);
        }
        if (code != STATUS_OK)
            return code;
    }
}

static status read_file(struct ops_csv *csv)
{
    const char *name = input_name(csv->source->input);
    size_t first = csv->report->rows.count;
    status code;

    csv->wish = (struct csv_wish){ .count = SLOTS, .flags = CSV_ASKED, .find = find_slot, .context = &csv->padded };
    code = csv_open(&csv->table, csv->source->input, &csv->wish);
    if (code != STATUS_OK)
        return code;
    if (!look_at_header(csv))
        return status_fail_at(
            STATUS_INPUT, (struct place){ name, 1, 1 },
            "this is no header of an ops report: it needs the columns \"OP CODE\" and \"OP TYPE\", or without "
            "them \"GLOBAL CALL COUNT\" with cycles and kernel durations");
    csv->report->files++;
    begin_part(csv);
    code = read_rows(csv);
    code = source_use_part(csv->source, csv->source->input, csv->report->losses.rows, code);
    return code == STATUS_OK ? op_report_end(csv->report, first, name) : code;
}

/* ---- Folders of reports ---- */

/* The newest report that was met. */
struct newest {
    struct path path;     /* without text: none yet */
    struct timespec time; /* when it was written */
};

static bool is_newer(const struct timespec *one, const struct timespec *other)
{
    return one->tv_sec != other->tv_sec ? one->tv_sec > other->tv_sec : one->tv_nsec > other->tv_nsec;
}

static bool is_report_name(const char *name)
{
    return text_equal(path_suffix(name), text_of(".csv")) &&
           (strncmp(name, "ops_perf_results", 16) == 0 || strncmp(name, "profile_log_ops", 15) == 0);
}

/* Looks at the files of a folder and, with `deeper`, at those of the folders in it: each run has one of its own. */
static status look_in(struct newest *newest, const char *folder, bool deeper)
{
    struct path path = { .text = NULL };
    struct folder_names names;
    struct stat found;
    status code = folder_list(folder, &names);

    for (size_t i = 0; i < names.count && code == STATUS_OK; i++) {
        code = path_set(&path, "%s/%s", folder, names.names[i]);
        if (code != STATUS_OK || stat(path.text, &found) != 0)
            continue;
        if (S_ISDIR(found.st_mode) && deeper)
            code = look_in(newest, path.text, false);
        if (!S_ISREG(found.st_mode) || !is_report_name(names.names[i]) ||
            (newest->path.text && is_newer(&newest->time, &found.st_mtim)))
            continue;
        newest->time = found.st_mtim;
        code = path_set(&newest->path, "%s", path.text);
    }
    folder_free(&names);
    path_free(&path);
    if (code != STATUS_INPUT)
        return code;
    status_clear(); /* a folder that cannot be read has none */
    return STATUS_OK;
}

static int probe_folder(const char *path)
{
    struct newest newest = { .path = { .text = NULL } };
    bool found;

    if (look_in(&newest, path, true) != STATUS_OK)
        status_clear();
    found = newest.path.text != NULL;
    path_free(&newest.path);
    return found ? 70 : 0;
}

static status read_ops(struct source *source, struct op_report *report);

/* The device log in the folder of a report, for who wants to know how cores fared. What cannot be read is left out. */
static status read_log_beside(struct source *source, const char *report, struct strings *strings)
{
    struct op_listener *listener = op_listener_of(source);
    struct source of_log = { .path = NULL };
    struct path path = { .text = NULL };
    struct marker_log log;
    status code = path_set(&path, "%.*sprofile_log_device.csv", (int)(path_name(report) - report), report);

    if (!listener || code != STATUS_OK || !path_is_file(path.text)) {
        path_free(&path);
        return code;
    }
    of_log.path = path.text;
    marker_log_start(&log, strings);
    code = input_open(path.text, &of_log.input);
    if (code == STATUS_OK)
        code = tt_device_read_markers(&of_log, &log);
    if (code == STATUS_OK)
        code = op_listener_take(listener, &log);
    if (code == STATUS_INPUT) {
        source_note(source, "the device log beside the report cannot be read, and is left out");
        status_clear();
        code = STATUS_OK;
    }
    input_close(of_log.input);
    marker_log_free(&log);
    path_free(&path);
    return code;
}

/* Of a folder, the newest report in it. */
static status read_newest(struct source *source, struct op_report *report)
{
    struct newest newest = { .path = { .text = NULL } };
    string_id note;
    status code = look_in(&newest, source->path, true);

    if (code == STATUS_OK && !newest.path.text)
        code = status_fail_at(STATUS_INPUT, (struct place){ .file = source->path }, "no ops report in this folder");
    if (code == STATUS_OK)
        code =
            strings_add_format(report->strings, &note, "the newest report in the folder is read: %s", newest.path.text);
    if (code == STATUS_OK) {
        source_note(source, strings_text(report->strings, note));
        code = input_open(newest.path.text, &source->input);
    }
    if (code == STATUS_OK)
        code = read_ops(source, report);
    if (code == STATUS_OK)
        code = read_log_beside(source, newest.path.text, report->strings);
    input_close(source->input);
    source->input = NULL;
    path_free(&newest.path);
    return code;
}

/* ---- All of it ---- */

static status read_ops(struct source *source, struct op_report *report)
{
    static const char *const generations[] = {
        [OP_GENERATION_1] = "v1",
        [OP_GENERATION_2] = "v2",
        [OP_GENERATION_2_1] = "v2.1",
    };
    struct ops_csv *csv;
    status code;

    if (!source->input)
        return read_newest(source, report);
    csv = memory_allocate_clear(sizeof *csv);
    if (!csv)
        return status_no_memory("reading an ops report");
    csv->source = source;
    csv->report = report;
    csv->listened = op_listener_of(source) != NULL;
    op_kernels_start(&csv->kernels, report->strings);
    code = read_file(csv);
    source->generation = generations[report->generation];
    if (code == STATUS_OK && !report->columns.device)
        source_note(source, "the file has no device ids");
    csv_close(&csv->table);
    op_kernels_free(&csv->kernels);
    memory_free(csv->words);
    memory_free(csv);
    return code;
}

/* ---- Reader ---- */

static int probe(struct text head, const char *path)
{
    bool padded = false, has[SLOTS] = { false };
    struct csv_wish wish = { .count = SLOTS, .find = find_slot, .context = &padded };

    (void)path;
    if (!csv_probe(head, &wish, has) || !is_report(has))
        return 0;
    return has[HOST_START] || has[KERNEL_DURATION] ? 98 : 60;
}

static status read(struct source *source, struct feed *feed)
{
    struct op_report own, *report = op_listener_report(source, &own, feed->strings);
    status code = read_ops(source, report);

    if (code == STATUS_OK)
        code = op_report_feed(source, feed, report);
    op_report_free(&own);
    return code;
}

static const struct tenstorrent_calls calls = { .ops = read_ops };

const struct reader tt_ops_csv_reader = {
    .id = "tt-ops-csv",
    .title = "Tenstorrent ops report",
    .chain = &tenstorrent_chain,
    .own = &calls,
    .kind = READER_MEASURED,
    .files = "ops_perf_results*.csv, profile_log_ops.csv",
    .probe = probe,
    .probe_folder = probe_folder,
    .read = read,
};
