/* prompt.c: a prompt where standard input is a terminal, its lines where it is not. */
#include "cli/prompt.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/print.h"

static volatile sig_atomic_t interrupted;

static void on_interrupt(int number)
{
    (void)number;
    interrupted = 1;
}

/* Without SA_RESTART: what waits for a line hears of it, too. */
static void catch_interrupts(void)
{
    static bool caught;
    struct sigaction action = { .sa_handler = on_interrupt };

    if (!caught)
        sigaction(SIGINT, &action, NULL);
    caught = true;
}

/* The line is kept until the next. */
static const char *enter(void *context, const char *prompt)
{
    static char *line;
    static size_t capacity;
    ssize_t length = -1;

    (void)context;
    catch_interrupts();
    do {
        if (interrupted)
            fputc('\n', stderr);
        interrupted = 0;
        clearerr(stdin);
        if (isatty(STDIN_FILENO))
            fputs(prompt, stderr);
        errno = 0;
        length = getline(&line, &capacity, stdin);
    } while (length < 0 && errno == EINTR);
    if (length < 0)
        return NULL;
    if (length && line[length - 1] == '\n')
        line[length - 1] = '\0';
    return line;
}

static void answer(void *context, const struct table *table)
{
    struct printer_style style = print_style();
    struct output *output;

    (void)context;
    if (output_open("-", &output) != STATUS_OK)
        return;
    printer_write(&text_printer, output, table, &style);
    if (output_commit(output) != STATUS_OK)
        status_clear();
}

void prompt_prepare(struct job *job)
{
    job->enter = enter;
    job->answer = answer;
    job->stop = &interrupted;
}
