/* advise_text.c: the table of operations and the advice, as tt-perf-report prints them. */
#include "tenstorrent/advise_files.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include "tenstorrent/original/advise_advice.h"
#include "tenstorrent/original/advise_numbers.h"

/* ---- Colours ---- */

enum colour { PLAIN, GREY, RED, GREEN, YELLOW, BLUE, MAGENTA, ORANGE, CYAN, WHITE };

static const char *const colour_codes[] = {
    [PLAIN] = "",
    [GREY] = "\033[38;5;8m",
    [RED] = "\033[38;5;9m",
    [GREEN] = "\033[38;5;10m",
    [YELLOW] = "\033[38;5;11m",
    [BLUE] = "\033[38;5;12m",
    [MAGENTA] = "\033[38;5;13m",
    [ORANGE] = "\033[38;5;208m",
    [CYAN] = "\033[38;5;14m",
    [WHITE] = "\033[38;5;15m",
};
static const char colour_end[] = "\033[0m";

static enum colour colour_of_code(struct text code)
{
    static const struct {
        const char *piece;
        enum colour colour;
    } colours[] = {
        { "(torch)", RED },
        { "Matmul", MAGENTA },
        { "OptimizedConvNew", ORANGE },
        { "Conv2d", ORANGE },
        { "LayerNorm", CYAN },
        { "AllGather", CYAN },
        { "AllReduce", CYAN },
        { "ScaledDotProductAttentionDecode", BLUE },
        { "ScaledDotProductAttentionGQADecode", BLUE },
        { "NlpCreateHeadsDeviceOperation", BLUE },
        { "NLPConcatHeadsDecodeDeviceOperation", BLUE },
        { "UpdateCache", BLUE },
    };

    for (size_t i = 0; i < sizeof colours / sizeof *colours; i++) {
        if (text_contains(code, colours[i].piece))
            return colours[i].colour;
    }
    return WHITE;
}

const char *advise_code_colour(struct text code)
{
    return colour_codes[colour_of_code(code)];
}

void advise_write_clean(struct output *output, const char *text)
{
    while (*text) {
        const char *start = text;

        while ((unsigned char)*text >= 0x20 && *text != 0x7F)
            text++;
        output_write(output, start, (size_t)(text - start));
        if (*text) {
            output_write(output, "?", 1);
            text++;
        }
    }
}

static void write_coloured(struct output *output, enum colour colour, const char *text,
                           const struct advise_style *style)
{
    if (style->colour)
        output_write(output, colour_codes[colour], strlen(colour_codes[colour]));
    advise_write_clean(output, text);
    if (style->colour)
        output_write(output, colour_end, sizeof colour_end - 1);
}

void advise_write_message(struct output *output, const struct advise_message *message, const struct advise_style *style)
{
    write_coloured(output, message->mood == ADVISE_INFO ? CYAN : YELLOW, message->text, style);
    output_write(output, "\n", 1);
}

/* ---- The columns of the table ---- */

enum {
    ID,
    TOTAL,
    BOUND,
    CODE,
    DEVICE,
    DEVICE_TIME,
    GAP,
    CORES,
    DRAM,
    DRAM_PERCENT,
    FLOPS,
    FLOPS_PERCENT,
    FIDELITY,
    COLUMNS
};

static const struct {
    const char *title;
    const char *unit; /* NULL: none */
    int decimals;     /* -1: a text */
} columns[COLUMNS] = {
    [ID] = { "ID", NULL, 0 },
    [TOTAL] = { "Total %", "%", 1 },
    [BOUND] = { "Bound", NULL, -1 },
    [CODE] = { "OP Code", NULL, -1 },
    [DEVICE] = { "Device", NULL, 0 },
    [DEVICE_TIME] = { "Device Time", "μs", 0 },
    [GAP] = { "Op-to-Op Gap", "μs", 0 },
    [CORES] = { "Cores", NULL, 0 },
    [DRAM] = { "DRAM", "GB/s", 0 },
    [DRAM_PERCENT] = { "DRAM %", "%", 1 },
    [FLOPS] = { "FLOPs", "TFLOPs", 1 },
    [FLOPS_PERCENT] = { "FLOPs %", "%", 1 },
    [FIDELITY] = { "Math Fidelity", NULL, -1 },
};

/* The numbers of an operation, NAN where there is none; texts have no number. */
static void numbers_of(const struct advise_op *op, double *numbers)
{
    numbers[ID] = op->number;
    numbers[TOTAL] = op->total;
    numbers[DEVICE] = op->device >= 0 ? (double)op->device : (double)NAN;
    numbers[DEVICE_TIME] = op->device_time;
    numbers[GAP] = op->gap;
    numbers[CORES] = op->cores;
    numbers[DRAM] = op->dram;
    numbers[DRAM_PERCENT] = op->dram_percent;
    numbers[FLOPS] = op->tflops;
    numbers[FLOPS_PERCENT] = op->flops_percent;
}

static enum colour colour_of_cores(const struct advise *advise, const struct advise_op *op)
{
    double full = advise->options.as_original ? 64 : (double)advise->architecture.worker_cores;

    if (isnan(op->cores))
        return GREY;
    return op->cores < 10 ? RED : op->cores == full ? GREEN : PLAIN;
}

static enum colour colour_of_fidelity(const struct advise *advise, const struct advise_op *op)
{
    const struct op_row *row = op->row;
    struct fidelity_judgement judgement;

    if (op->signpost || !op->fidelity_length || !(op->code & (CODE_MATMUL | CODE_OLD_CONVOLUTION)))
        return PLAIN;
    judgement = fidelity_judge(advise->report->strings, row->inputs[0].datatype, row->inputs[1].datatype,
                               row->output.datatype, strings_get(advise->report->strings, row->fidelity));
    switch (judgement.verdict) {
    case VERDICT_SUFFICIENT:
        return GREEN;
    case VERDICT_TOO_HIGH:
        return RED;
    case VERDICT_TOO_LOW:
        return CYAN;
    default:
        return WHITE;
    }
}

static void colour_bound(const struct advise_op *op, enum colour *colours)
{
    bool memory = op->dram_percent > op->flops_percent;

    if (op->host) {
        colours[BOUND] = RED;
        return;
    }
    switch (op->bound) {
    case ROOFLINE_MEMORY:
        colours[BOUND] = colours[DRAM] = colours[DRAM_PERCENT] = GREEN;
        break;
    case ROOFLINE_COMPUTE:
        colours[BOUND] = colours[FLOPS] = colours[FLOPS_PERCENT] = GREEN;
        break;
    case ROOFLINE_SLOW:
        colours[BOUND] = YELLOW;
        colours[memory ? DRAM : FLOPS] = colours[memory ? DRAM_PERCENT : FLOPS_PERCENT] = YELLOW;
        break;
    case ROOFLINE_BOTH:
    case ROOFLINE_UNKNOWN:
        break;
    }
}

static bool is_grey(const struct advise_op *op, const struct advise_style *style)
{
    return op->total < style->least && !op->host;
}

static void colours_of(const struct advise *advise, const struct advise_op *op, const struct advise_style *style,
                       enum colour *colours)
{
    bool grey = is_grey(op, style);

    for (unsigned i = 0; i < COLUMNS; i++)
        colours[i] = grey ? GREY : PLAIN;
    if (grey)
        return;
    colours[CODE] = colour_of_code((struct text){ op->label, op->label_length });
    colours[CORES] = colour_of_cores(advise, op);
    colour_bound(op, colours);
    if (op->gap > GAP_HIGH)
        colours[GAP] = RED;
    colours[FIDELITY] = colour_of_fidelity(advise, op);
}

/* Characters, as Python counts them. */
static size_t characters(const char *data, size_t length)
{
    size_t count = 0;

    for (size_t i = 0; i < length; i++)
        count += ((unsigned char)data[i] & 0xC0) != 0x80;
    return count;
}

/* ---- Lines ---- */

/* A line under construction, and where those are kept that the advice shows again. */
enum {
    MARGIN = 64
}; /* before the first line: numbers are written from their right end, also where they are too wide */

struct lines_kept {
    char *line;              /* all of them, one behind the other, behind the margin */
    size_t length, capacity; /* of line */
    size_t *starts;          /* by operation, and the end of the last one; one that is not kept has no length */
    size_t widths[COLUMNS];  /* of the columns */
    const char *fidelity;    /* the last one that was looked at: types come again and again */
    bool fidelity_plain;     /* it is printable ASCII */
};

static void put(struct lines_kept *kept, const char *data, size_t length)
{
    memcpy(kept->line + kept->length, data, length);
    kept->length += length;
}

static void put_blanks(struct lines_kept *kept, size_t count)
{
    memset(kept->line + kept->length, ' ', count);
    kept->length += count;
}

/* Control characters would play with the terminal. */
static void clean(char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if ((unsigned char)text[i] < 0x20 || text[i] == 0x7F)
            text[i] = '?';
    }
}

static void put_coloured(struct lines_kept *kept, const char *data, size_t length, enum colour colour, bool coloured)
{
    coloured = coloured && colour != PLAIN;
    if (coloured)
        put(kept, colour_codes[colour], strlen(colour_codes[colour]));
    put(kept, data, length);
    if (coloured)
        put(kept, colour_end, sizeof colour_end - 1);
}

/* The same for what came from a file. */
static void put_foreign(struct lines_kept *kept, const char *data, size_t length, enum colour colour, bool coloured)
{
    size_t start = kept->length;

    put_coloured(kept, data, length, colour, coloured);
    clean(kept->line + start + (coloured && colour != PLAIN ? strlen(colour_codes[colour]) : 0), length);
}

static void put_number(struct lines_kept *kept, unsigned column, double value, enum colour colour, bool coloured)
{
    char text[ADVISE_NUMBER];
    const char *unit = columns[column].unit;
    size_t length, width;

    if (isnan(value)) {
        put_blanks(kept, kept->widths[column]);
        return;
    }
    if (column == ID)
        length = number_write_unsigned(text, (uint64_t)value);
    else
        length = advise_number(text, value, columns[column].decimals);
    width = length + (unit ? 1 + characters(unit, strlen(unit)) : 0);
    put_blanks(kept, kept->widths[column] > width ? kept->widths[column] - width : 0);
    put_coloured(kept, text, length, colour, coloured);
    if (unit) {
        put_blanks(kept, 1);
        put_coloured(kept, unit, strlen(unit), colour, coloured);
    }
}

static void put_right(struct lines_kept *kept, unsigned column, const char *text, size_t length, enum colour colour,
                      bool coloured)
{
    size_t width = characters(text, length);

    put_blanks(kept, kept->widths[column] > width ? kept->widths[column] - width : 0);
    if (text)
        put_foreign(kept, text, length, colour, coloured);
}

static size_t label_characters(const struct advise_op *op)
{
    return op->plain ? op->label_length : characters(op->label, op->label_length);
}

/* Products and halos show their name and their size as two pieces. */
static size_t name_length(const struct advise_op *op)
{
    const char *blank;

    if (op->signpost || !(op->code & CODE_IN_TWO))
        return op->label_length;
    blank = memchr(op->label, ' ', op->label_length);
    return blank ? (size_t)(blank - op->label) : op->label_length;
}

static void put_signpost(struct lines_kept *kept, const struct advise_op *op, enum colour colour, bool coloured)
{
    static const char mark[] = "🪧 ", suffix[] = "(signpost)";
    size_t length = op->label_length - (sizeof suffix - 1);
    size_t width = 2 + characters(op->label, length);

    put(kept, mark, sizeof mark - 1);
    /* The blank before the suffix stays where a colour ends behind it. */
    if (!coloured) {
        length--;
        width--;
    }
    put_foreign(kept, op->label, length, colour, coloured);
    put_blanks(kept, kept->widths[CODE] > width ? kept->widths[CODE] - width : 0);
}

static void put_label(struct lines_kept *kept, const struct advise_op *op, enum colour colour, bool coloured)
{
    size_t name = name_length(op);
    size_t width = label_characters(op);
    void (*piece)(struct lines_kept *, const char *, size_t, enum colour, bool) =
        op->plain ? put_coloured : put_foreign;

    if (op->signpost) {
        put_signpost(kept, op, colour, coloured);
        return;
    }
    piece(kept, op->label, name, colour, coloured);
    if (name < op->label_length) {
        put_blanks(kept, 1);
        piece(kept, op->label + name + 1, op->label_length - name - 1, colour, coloured);
    }
    put_blanks(kept, kept->widths[CODE] > width ? kept->widths[CODE] - width : 0);
}

/* Room for a line with texts of `texts` bytes. */
static status make_room(struct lines_kept *kept, size_t texts)
{
    enum { MARKS = COLUMNS * (2 * (16 + 8) + 64) }; /* colours, blanks, units and numbers */
    size_t widths = 0;

    for (unsigned i = 0; i < COLUMNS; i++)
        widths += kept->widths[i];
    return memory_grow(&kept->line, &kept->capacity, kept->length + widths + texts + MARKS + ADVISE_NUMBER * COLUMNS,
                       1);
}

static bool is_plain(struct lines_kept *kept, const struct advise_op *op)
{
    if (op->fidelity_length && op->fidelity != kept->fidelity) {
        kept->fidelity = op->fidelity;
        kept->fidelity_plain = true;
        for (size_t i = 0; i < op->fidelity_length; i++)
            kept->fidelity_plain &= op->fidelity[i] >= 0x20 && op->fidelity[i] < 0x7F;
    }
    return op->plain && !op->signpost && (!op->fidelity_length || kept->fidelity_plain);
}

/* Blanks for a cell, and perhaps some more: what follows is laid over them. */
static char *lay_blanks(char *at, size_t count)
{
    static const char blanks[] = "                                ";

    if (count < sizeof blanks)
        memcpy(at, blanks, sizeof blanks - 1);
    else
        memset(at, ' ', count);
    return at + count;
}

/* A number at the right end of its cell, which grows by what its unit has of bytes over characters. */
static char *lay_number(char *at, size_t width, unsigned column, double value, bool *fits)
{
    static const struct {
        char text[8]; /* with the blank before it */
        unsigned bytes, more;
    } units[COLUMNS] = {
        [TOTAL] = { " %", 2, 0 },         [DEVICE_TIME] = { " μs", 4, 1 }, [GAP] = { " μs", 4, 1 },
        [DRAM] = { " GB/s", 5, 0 },       [DRAM_PERCENT] = { " %", 2, 0 }, [FLOPS] = { " TFLOPs", 7, 0 },
        [FLOPS_PERCENT] = { " %", 2, 0 },
    };
    char *end = lay_blanks(at, width + units[column].more), *begin = end - units[column].bytes;

    /* What does not fit into the margin is no usual line. */
    *fits &= fabs(value) < 1e12;
    if (!*fits)
        return end;
    memcpy(begin, units[column].text, sizeof units[column].text);
    if (column == ID) {
        char text[24];
        size_t length = number_write_unsigned(text, (uint64_t)value);

        begin -= length;
        memcpy(begin, text, length);
    } else {
        begin = advise_number_before(begin, value, columns[column].decimals);
    }
    *fits &= begin >= at;
    return end;
}

/* What `compose` does, for what nearly every line is: no colours, printable ASCII. False: something is wider than its column. */
static bool compose_plain(struct lines_kept *kept, const struct advise_op *op)
{
    const char *bound = advise_bound(op);
    double numbers[COLUMNS] = { 0 };
    char *at = kept->line + kept->length;
    bool fits = op->label_length <= kept->widths[CODE] && op->fidelity_length <= kept->widths[FIDELITY];

    numbers_of(op, numbers);
    for (unsigned i = 0; i < COLUMNS && fits; i++) {
        size_t width = kept->widths[i], length = i == BOUND ? strlen(bound) : i == FIDELITY ? op->fidelity_length : 0;

        if (i)
            at = lay_blanks(at, 2);
        if (i == CODE) {
            char *cell = at;

            at = lay_blanks(at, width);
            memcpy(cell, op->label, op->label_length);
        } else if (columns[i].decimals < 0) {
            at = lay_blanks(at, width);
            if (length)
                memcpy(at - length, i == BOUND ? bound : op->fidelity, length);
        } else {
            at = isnan(numbers[i]) ? lay_blanks(at, width) : lay_number(at, width, i, numbers[i], &fits);
        }
    }
    *at++ = '\n';
    if (fits)
        kept->length = (size_t)(at - kept->line);
    return fits;
}

static status compose(struct lines_kept *kept, const struct advise *advise, const struct advise_op *op,
                      const struct advise_style *style)
{
    enum colour colours[COLUMNS] = { PLAIN };
    double numbers[COLUMNS] = { 0 };
    status code = make_room(kept, op->label_length + (op->fidelity_length));

    if (code != STATUS_OK)
        return code;
    if (!style->colour && is_plain(kept, op) && compose_plain(kept, op))
        return STATUS_OK;
    if (style->colour)
        colours_of(advise, op, style, colours);
    numbers_of(op, numbers);
    for (unsigned i = 0; i < COLUMNS; i++) {
        put_blanks(kept, i ? 2 : 0);
        if (i == CODE)
            put_label(kept, op, colours[i], style->colour);
        else if (i == BOUND)
            put_right(kept, i, advise_bound(op), strlen(advise_bound(op)), colours[i], style->colour);
        else if (i == FIDELITY)
            put_right(kept, i, op->fidelity, op->fidelity_length, colours[i], style->colour);
        else
            put_number(kept, i, numbers[i], colours[i], style->colour);
    }
    put(kept, "\n", 1);
    return STATUS_OK;
}

/* ---- Widths ---- */

static void widen(size_t *width, size_t needed)
{
    if (needed > *width)
        *width = needed;
}

/* The larger a number, the wider: only the two ends of each column are written for it. */
static void find_widths(struct lines_kept *kept, const struct advise *advise)
{
    enum { DEVICE_LEAST = 7 };
    double least[COLUMNS] = { 0 }, most[COLUMNS] = { 0 };
    bool any[COLUMNS] = { false };

    for (unsigned i = 0; i < COLUMNS; i++)
        kept->widths[i] = strlen(columns[i].title);
    widen(&kept->widths[DEVICE], DEVICE_LEAST);
    for (size_t i = 0; i < advise->count; i++) {
        const struct advise_op *op = &advise->ops[i];
        double numbers[COLUMNS] = { 0 };

        numbers_of(op, numbers);
        for (unsigned column = 0; column < COLUMNS; column++) {
            most[column] = numbers[column] > most[column] ? numbers[column] : most[column];
            least[column] = numbers[column] < least[column] ? numbers[column] : least[column];
            any[column] |= !isnan(numbers[column]);
        }
        widen(&kept->widths[CODE], label_characters(op));
        widen(&kept->widths[FIDELITY], characters(op->fidelity, op->fidelity_length));
    }
    for (unsigned column = 0; column < COLUMNS; column++) {
        size_t unit = columns[column].unit ? 1 + characters(columns[column].unit, strlen(columns[column].unit)) : 0;
        char text[ADVISE_NUMBER];

        if (columns[column].decimals < 0 || !any[column])
            continue;
        widen(&kept->widths[column], advise_number(text, most[column], columns[column].decimals) + unit);
        widen(&kept->widths[column], advise_number(text, least[column], columns[column].decimals) + unit);
    }
}

static bool is_shown_again(const struct advise_op *op, const struct advise_style *style)
{
    return style->advice && (op->host || op->matmul || op->gap > GAP_HIGH);
}

/* Lines go out as they are made. */
static status write_lines(struct output *output, struct lines_kept *kept, const struct advise *advise,
                          const struct advise_style *style)
{
    for (size_t i = 0; i < advise->count; i++) {
        const struct advise_op *op = &advise->ops[i];
        size_t start = kept->starts[i] = kept->length;
        status code = compose(kept, advise, op, style);

        if (code != STATUS_OK)
            return code;
        output_write(output, kept->line + start, kept->length - start);
        if (!is_shown_again(op, style))
            kept->length = start;
    }
    kept->starts[advise->count] = kept->length;
    return STATUS_OK;
}

/* The line of an operation. */
static void write_line(struct output *output, const struct lines_kept *kept, size_t index)
{
    output_write(output, kept->line + kept->starts[index], kept->starts[index + 1] - kept->starts[index]);
}

/* ---- The table ---- */

static void write_rule(struct output *output, size_t width)
{
    static const char dashes[] = "----------------------------------------------------------------";

    for (; width >= sizeof dashes - 1; width -= sizeof dashes - 1)
        output_write(output, dashes, sizeof dashes - 1);
    output_write(output, dashes, width);
    output_write(output, "\n", 1);
}

static size_t table_width(const struct lines_kept *kept)
{
    size_t width = (COLUMNS - 1) * 2;

    for (unsigned i = 0; i < COLUMNS; i++)
        width += kept->widths[i];
    return width;
}

static status write_totals(struct output *output, struct lines_kept *kept, const struct advise *advise,
                           const struct advise_style *style)
{
    char label[160];
    int length;
    bool told = advise->gapped || advise->options.as_original;
    double numbers[COLUMNS] = { [TOTAL] = 100, [DEVICE_TIME] = advise->device_time, [GAP] = told ? advise->gaps : NAN };
    size_t start = kept->length;
    status code = make_room(kept, sizeof label);

    if (code != STATUS_OK)
        return code;
    length = snprintf(label, sizeof label, "%zu device ops, %zu host ops, %zu signposts", advise->device_ops,
                      advise->host_ops, advise->signposts);
    if (advise->untimed && length > 0 && (size_t)length < sizeof label)
        snprintf(label + length, sizeof label - (size_t)length, " (%zu without device time)", advise->untimed);
    for (unsigned i = 0; i < COLUMNS; i++) {
        put_blanks(kept, i ? 2 : 0);
        if (i == CODE) {
            put_coloured(kept, label, strlen(label), GREY, style->colour);
            put_blanks(kept, kept->widths[CODE] > strlen(label) ? kept->widths[CODE] - strlen(label) : 0);
        } else if (i == TOTAL || i == DEVICE_TIME || i == GAP) {
            put_number(kept, i, numbers[i], GREY, style->colour);
        } else {
            put_right(kept, i, "", 0, GREY, style->colour);
        }
    }
    put(kept, "\n", 1);
    output_write(output, kept->line + start, kept->length - start);
    return STATUS_OK;
}

static status write_table(struct output *output, struct lines_kept *kept, const struct advise *advise,
                          const struct advise_style *style)
{
    status code = make_room(kept, 0);

    if (code != STATUS_OK)
        return code;
    output_format(output, "\n🚀 Performance Report 🚀\n========================\n\n");
    for (unsigned i = 0; i < COLUMNS; i++) {
        put_blanks(kept, i ? 2 : 0);
        put(kept, columns[i].title, strlen(columns[i].title));
        put_blanks(kept, kept->widths[i] - strlen(columns[i].title));
    }
    put(kept, "\n", 1);
    output_write(output, kept->line + MARGIN, kept->length - MARGIN);
    kept->length = MARGIN;
    write_rule(output, table_width(kept));
    code = write_lines(output, kept, advise, style);
    if (code != STATUS_OK)
        return code;
    write_rule(output, table_width(kept));
    return write_totals(output, kept, advise, style);
}

/* ---- Advice ---- */

static void write_fallbacks(struct output *output, const struct lines_kept *kept, const struct advise *advise)
{
    size_t count = 0;

    for (size_t i = 0; i < advise->count; i++) {
        if (!advise->ops[i].host)
            continue;
        if (count++ == 0)
            output_format(output, "Fallback\n--------\n");
        write_line(output, kept, i);
    }
    if (count)
        output_format(output, "\nThese ops should be moved to run on device.\n\n");
}

static void write_gaps(struct output *output, const struct lines_kept *kept, const struct advise *advise)
{
    double cost = advise_gap_cost(advise);
    size_t count = 0;

    for (size_t i = 0; i < advise->count; i++) {
        if (!(advise->ops[i].gap > GAP_HIGH))
            continue;
        if (count++ == 0)
            output_format(output, "High Op-to-Op Gap\n----------------\n");
        write_line(output, kept, i);
    }
    if (!count)
        return;
    output_format(
        output,
        "\nThese ops have a >6 μs gap since the previous operation. Running with tracing could save %.0f μs (%.1f%% of "
        "overall time)\n",
        cost, cost / (advise->device_time + advise->gaps) * 100);
    output_format(
        output,
        "Alternatively ensure device is not waiting for the host and use device.enable_async(True). Experts can try "
        "moving runtime args in the kernels to compile-time args.\n\n");
}

static void write_matmuls(struct output *output, const struct lines_kept *kept, const struct advise *advise,
                          const struct advise_style *style)
{
    struct op_advice advice;
    size_t count = 0;

    for (size_t i = 0; i < advise->count; i++) {
        enum colour colour = is_grey(&advise->ops[i], style) ? GREY : WHITE;

        if (!advise->ops[i].matmul)
            continue;
        if (count++ == 0)
            output_format(output, "Matmul Optimization\n-------------------\n");
        write_line(output, kept, i);
        advise_matmul(advise, &advise->ops[i], &advice);
        for (unsigned j = 0; j < advice.count; j++) {
            char item[ADVICE_LONGEST + 4];

            snprintf(item, sizeof item, "- %s", advice.items[j]);
            write_coloured(output, colour, item, style);
            output_write(output, "\n", 1);
        }
        if (!advice.count) {
            write_coloured(output, colour, "✅ Optimized", style);
            output_write(output, "\n", 1);
        }
        output_write(output, "\n", 1);
    }
}

status advise_write_text(struct output *output, const struct advise *advise, const struct advise_style *style)
{
    struct lines_kept kept = { .length = MARGIN };
    status code;

    if (!advise->count) {
        struct advise_message none = { ADVISE_WARNING, "No operations to display after applying filters." };

        advise_write_message(output, &none, style);
        return STATUS_OK;
    }
    kept.starts = memory_allocate((advise->count + 1) * sizeof *kept.starts);
    if (!kept.starts)
        return status_no_memory("printing operations");
    find_widths(&kept, advise);
    code = write_table(output, &kept, advise, style);
    if (code == STATUS_OK && style->advice) {
        output_format(output, "\n💡 Advice 💡\n============\n\n");
        write_fallbacks(output, &kept, advise);
        write_gaps(output, &kept, advise);
        write_matmuls(output, &kept, advise, style);
    }
    memory_free(kept.starts);
    memory_free(kept.line);
    return code;
}
