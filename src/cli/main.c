/* main.c: finds the verb, runs it, and turns its status into a message and an exit code. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "base/output.h"
#include "base/process.h"
#include "cli/terminal.h"
#include "cli/verbs.h"
#include "version.h"

const struct verb *const verbs[] = {
    &convert_verb, &annotate_verb,   &summary_verb,  &timeline_verb, &operators_verb, &latency_verb, &advise_verb,
    &kernels_verb, &report_verb,     &validate_verb, &pipeline_verb, &device_verb,    &ops_verb,     &profile_this_verb,
    &formats_verb, &completion_verb, NULL,
};

static void print_help(void)
{
    printf("tacho VERB [options] INPUT... [-o OUTPUT]\n\n"
           "Reads what accelerator tool chains write and shows where the time of a model's\ninference goes.\n\n");
    for (const struct verb *const *verb = verbs; *verb; verb++)
        printf("  %-13s %s\n", (*verb)->name, (*verb)->summary);
    printf("\nInputs are files, .gz and .zst files, or - for standard input; their format is\nfound by content.\n"
           "tacho VERB --help shows the options of a verb; man tacho has the rest.\n");
}

static const struct verb *find_verb(const char *name)
{
    for (const struct verb *const *verb = verbs; *verb; verb++)
        if (strcmp((*verb)->name, name) == 0)
            return *verb;
    return NULL;
}

/* What was printed must have arrived, also where a verb only names the files that it wrote. */
static status flush_output(status code)
{
    if (code != STATUS_OK && code != STATUS_NO)
        return code;
    errno = 0;
    if (fflush(stdout) == 0 && !ferror(stdout))
        return code;
    return status_fail(STATUS_OUTPUT, "standard output cannot be written%s%s", errno ? ": " : "",
                       errno ? strerror(errno) : "");
}

static int finish(status code)
{
    /* A reader such as head(1) that has seen enough needs no telling. */
    bool gone = code == STATUS_OUTPUT && strstr(status_message(), strerror(EPIPE));

    if (code != STATUS_OK && *status_message() && !gone)
        fprintf(stderr, "tacho: %s\n", status_message());
    return status_exit_code(code);
}

/* A command that is interrupted leaves no temporary file behind, and nothing that it started. */
static void on_signal(int number)
{
    process_interrupt();
    output_remove_temporaries();
    signal(number, SIG_DFL);
    raise(number);
}

/* What was ignored before us stays ignored: nohup(1) and shells that start a command in the background ask for that. */
static void end_cleanly_on(int number)
{
    struct sigaction before;

    if (sigaction(number, NULL, &before) == 0 && before.sa_handler != SIG_IGN)
        signal(number, on_signal);
}

static void prepare_signals(void)
{
    signal(SIGPIPE, SIG_IGN); /* a reader that goes away is an ordinary write error */
    signal(SIGXFSZ, SIG_IGN); /* and so is a file that may not grow */
    end_cleanly_on(SIGINT);
    end_cleanly_on(SIGTERM);
    end_cleanly_on(SIGHUP);
}

int main(int count, char **arguments)
{
    static struct texts words;
    const struct verb *verb;
    bool help;
    status code;

    prepare_signals();
    terminal_start();
    if (count < 2) {
        print_help();
        code = flush_output(STATUS_OK);
        return code == STATUS_OK ? 2 : finish(code);
    }
    if (strcmp(arguments[1], "--help") == 0 || strcmp(arguments[1], "-h") == 0 || strcmp(arguments[1], "help") == 0) {
        print_help();
        return finish(flush_output(STATUS_OK));
    }
    if (strcmp(arguments[1], "--version") == 0) {
        printf("tacho %s\n", TACHO_VERSION);
        return finish(flush_output(STATUS_OK));
    }
    verb = find_verb(arguments[1]);
    if (!verb)
        return finish(status_fail(STATUS_USAGE, "no verb is called \"%s\"; tacho --help lists them", arguments[1]));
    code = options_parse(verb, count - 2, arguments + 2, &words, &help);
    if (help) {
        options_help(verb);
        return finish(flush_output(STATUS_OK));
    }
    return finish(code == STATUS_OK ? flush_output(verb->run(&words)) : code);
}
