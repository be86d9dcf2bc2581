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

void print_line(const char *prefix, const char *text)
{
    assert(prefix && text);
    fputs(prefix, stderr);
    while (*text) {
        const char *end = text + strcspn(text, "\n");

        while (text < end) {
            size_t length;
            const char *piece = text_next_piece(&text, end, &length);

            fwrite(piece, 1, length, stderr);
        }
        if (*end)
            fputc('\n', stderr);
        text += *end == '\n';
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

static status print_product(struct output *output, const struct product *product, const struct printer_style *style)
{
    switch (product->kind) {
    case PRODUCT_TABLE:
        printer_write(&text_printer, output, product->table, style);
        break;
    case PRODUCT_BLOCK:
        product->block.write(output, product->block.data, style);
        return output_status(output);
    case PRODUCT_LINE:
        text_write_clean(output, text_of(product->line));
        output_write(output, "\n", 1);
        break;
    case PRODUCT_DOCUMENT:
        return document_print(product->document, DOCUMENT_MARKDOWN, output);
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
