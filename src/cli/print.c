/* print.c: what a job made, on the terminal. */
#include "cli/print.h"
#include "page/formats.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/number.h"
#include "base/text.h"

/* Columns of the terminal; 0: standard output is no terminal and COLUMNS is not set. */
static unsigned terminal_columns(void)
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

struct printer_style print_style(void)
{
    const char *off = getenv("NO_COLOR");
    unsigned columns = terminal_columns();

    return (struct printer_style){
        .width = columns,
        .colour = progress_possible(STDOUT_FILENO) && !(off && *off),
        .bars = columns > 0, /* bars share what is left of the width; in a pipe there is none */
    };
}

/* Bytes of a sequence that sets colours, at the start of a text; 0: it begins with something else. */
static size_t colour_length(struct text text)
{
    size_t length = 2;

    if (!text_begins(text, "\033["))
        return 0;
    while (length < text.length && (char_is_digit(text.data[length]) || text.data[length] == ';'))
        length++;
    return length < text.length && text.data[length] == 'm' ? length + 1 : 0;
}

/* Whether all of eight bytes are printable ASCII: none below a blank, none from DEL on. */
static bool eight_are_plain(const char *bytes)
{
    const uint64_t each = 0x0101010101010101;
    uint64_t word;

    memcpy(&word, bytes, sizeof word);
    return !((word | (word - 0x20 * each) | (word + each)) & 0x80 * each);
}

static bool is_plain(char byte)
{
    return (byte >= ' ' && byte < 0x7f) || byte == '\n' || byte == '\t';
}

/* Whether a text goes on with a letter of two bytes from U+00C0 on: none of those does anything to a terminal. */
static bool letter_follows(const char *bytes, size_t length)
{
    unsigned char first = (unsigned char)bytes[0];

    return first >= 0xc3 && first <= 0xdf && length > 1 && ((unsigned char)bytes[1] & 0xc0) == 0x80;
}

/* Bytes at the start of a text that can only be shown: printable ASCII, lines, tabs and most letters. Nearly all are. */
static size_t plain_length(struct text text)
{
    size_t length = 0;

    while (length < text.length) {
        if (length + 8 <= text.length && eight_are_plain(text.data + length))
            length += 8;
        else if (is_plain(text.data[length]))
            length++;
        else if (letter_follows(text.data + length, text.length - length))
            length += 2;
        else
            break;
    }
    return length;
}

/* The next piece of a text for people: lines and tabs stay, and colours where it has its own; what else would play with a terminal is
 * replaced. */
static struct text take_shown(struct text *rest, bool coloured)
{
    enum {
        ENOUGH = 512
    }; /* bytes: text_next_piece takes fewer at once, and a rule below a name of megabytes has many more */
    const char *start = rest->data, *end = start + rest->length, *stop = start;
    struct text piece = { start, plain_length(*rest) };

    if (!piece.length && coloured)
        piece.length = colour_length(*rest);
    if (piece.length) {
        *rest = text_between(start + piece.length, end);
        return piece;
    }
    while (stop < end && stop - start < ENOUGH && !is_plain(*stop))
        stop++;
    piece.data = text_next_piece(&start, stop, &piece.length);
    *rest = text_between(start, end);
    return piece;
}

static void write_shown(struct output *output, struct text text, bool coloured)
{
    while (text.length) {
        struct text piece = take_shown(&text, coloured);

        output_write(output, piece.data, piece.length);
    }
}

void print_line(const char *prefix, const char *text)
{
    struct text rest = text_of(text);

    assert(prefix && text);
    fputs(prefix, stderr);
    while (rest.length) {
        struct text piece = take_shown(&rest, false);

        fwrite(piece.data, 1, piece.length, stderr);
    }
    fputc('\n', stderr);
}

void print_notes(const struct job *job)
{
    for (size_t i = 0; i < job->note_count; i++)
        print_line(job->notes[i].kind == NOTE_WARNING ? "tacho: warning: " : "tacho: ", job->notes[i].text);
}

void print_refreshed(void *context, const struct table *table)
{
    static const char anew[] = "\033[H\033[J"; /* to the first line, and clear from there */
    struct printer_style style = print_style();
    struct output *output;

    (void)context;
    if (!progress_possible(STDOUT_FILENO) || output_open("-", &output) != STATUS_OK)
        return;
    output_write(output, anew, sizeof anew - 1);
    printer_write(&text_printer, output, table, &style);
    if (output_commit(output) != STATUS_OK)
        status_clear();
}

/* What a product writes itself passes here on its way out: names in it may come from a hostile file. Tables keep their cells clean. */
static status print_written(struct output *output, const struct product *product, const struct printer_style *style)
{
    struct output *memory;
    struct text text;
    status code = output_open_memory(&memory);

    if (code != STATUS_OK)
        return code;
    if (product->kind == PRODUCT_BLOCK)
        product->block.write(memory, product->block.data, style);
    else
        code = document_print(product->document, DOCUMENT_MARKDOWN, memory);
    if (code == STATUS_OK)
        code = output_status(memory);
    if (code == STATUS_OK) {
        text.data = output_memory(memory, &text.length);
        if (product->steers == STEERS_ALL)
            output_write(output, text.data, text.length);
        else
            write_shown(output, text, product->steers == STEERS_COLOURS);
    }
    output_abandon(memory);
    return code;
}

static status print_product(struct output *output, const struct product *product, const struct printer_style *style)
{
    switch (product->kind) {
    case PRODUCT_TABLE:
        printer_write(&text_printer, output, product->table, style);
        break;
    case PRODUCT_LINE:
        write_shown(output, text_of(product->line), false);
        output_write(output, "\n", 1);
        break;
    case PRODUCT_BLOCK:
    case PRODUCT_DOCUMENT:
        return print_written(output, product, style);
    case PRODUCT_JSON:
        break;
    }
    return STATUS_OK;
}

static bool is_shown(const struct product *product, bool to_file, bool silent)
{
    if (product->kind == PRODUCT_LINE)
        return !silent;
    return !to_file && product->kind != PRODUCT_JSON && !product->machine;
}

/* A document is for files and machines where there is a block or a table for people. */
static bool has_more(const struct job *job)
{
    for (size_t i = 0; i < job->product_count; i++)
        if (job->products[i].kind == PRODUCT_BLOCK ||
            (job->products[i].kind == PRODUCT_TABLE && !job->products[i].machine))
            return true;
    return false;
}

static status print_products(const struct job *job, struct output *output, bool silent)
{
    struct printer_style style = print_style();
    bool any = false;
    status code = STATUS_OK;

    for (size_t i = 0; i < job->product_count && code == STATUS_OK; i++) {
        const struct product *product = &job->products[i];

        if (!is_shown(product, job->output != NULL, silent) || (product->kind == PRODUCT_DOCUMENT && has_more(job)))
            continue;
        if (any && !product->close && product->kind != PRODUCT_LINE)
            output_write(output, "\n", 1);
        any = true;
        code = print_product(output, product, &style);
    }
    return code == STATUS_OK ? output_status(output) : code;
}

status print_job(const struct job *job, bool silent)
{
    struct output *output;
    status code = STATUS_OK;

    assert(job->verb);
    if (job->output)
        code = job_write_file(job, job->output);
    if (code == STATUS_OK)
        code = output_open("-", &output);
    if (code != STATUS_OK)
        return code;
    return output_finish(output,
                         job->json && !job->output ? job_write_json(job, output) : print_products(job, output, silent));
}
