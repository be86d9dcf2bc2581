/* main.c: finds the verb, runs it, and turns its status into a message and an exit code. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/output.h"
#include "base/path.h"
#include "base/process.h"
#include "cli/completion.h"
#include "cli/parse.h"
#include "cli/print.h"
#include "cli/prompt.h"
#include "version.h"

static void print_help(void)
{
    enum { VERB_COLUMNS = 16 }; /* that the name of a verb takes */
    struct verb_walk walk = { 0 };

    printf("tacho VERB [options] INPUT... [-o OUTPUT]\n\n"
           "Reads what accelerator tool chains write and shows where the time of a model's\ninference goes.\n\n");
    for (const struct verb *verb = verb_next(&walk); verb; verb = verb_next(&walk))
        parse_print_wrapped(printf("  %-13s ", verb->name), VERB_COLUMNS, verb->summary);
    printf("  %-13s %s\n", "completion", "print a completion script for bash or zsh");
    printf("\nInputs are files, .gz and .zst files, or - for standard input; their format is\nfound by content.\n"
           "tacho VERB --help shows the options of a verb; man tacho has the rest.\n");
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
        print_line("tacho: ", status_message());
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

static void print_live(void *context, enum note_kind kind, const char *line)
{
    (void)context;
    print_line(kind == NOTE_WARNING ? "tacho: warning: " : "", line);
}

static void print_waiting(void *context, const char *line)
{
    (void)context;
    print_line("tacho: ", line);
}

static void print_reply(void *context, const char *line)
{
    (void)context;
    print_line("", line);
}

static void listen_to(struct job *job, bool silent)
{
    job->reading.progress = !silent;
    job->live = silent ? NULL : print_live;
    job->waiting = silent ? NULL : print_waiting;
    job->reply = print_reply;
    job->show = print_refreshed;
    prompt_prepare(job);
}

/* What the job made, in a browser, until somebody ends it. */
static status serve_handed(const struct job *job, bool silent)
{
    const struct verb *verb = verb_named("serve", NULL);
    struct job server;
    status code;

    if (!verb)
        return status_fail(STATUS_USAGE, "this tacho has no server");
    code = job_start(&server, verb);
    listen_to(&server, silent);
    server.served = &job->handed;
    if (code == STATUS_OK)
        code = job_input(&server, job->handed.path);
    if (code == STATUS_OK)
        code = job_run(&server);
    job_free(&server);
    if (code == STATUS_OK || job->handed.asked)
        return code;
    /* Everything else was done. */
    print_line("tacho: warning: no page is served: ", status_message());
    status_clear();
    return STATUS_OK;
}

static bool shows_handed(const struct job *job)
{
    return job->handed.path && (job->handed.asked || (!job->json && isatty(STDOUT_FILENO)));
}

static int run_job(const struct verb *verb, int count, char **words)
{
    struct job job;
    bool help = false, silent = false;
    status code = job_start(&job, verb);
    int forwarded, ended;

    if (code == STATUS_OK)
        code = parse_words(&job, count, words, &help, &silent);
    if (help) {
        parse_help(verb);
        code = STATUS_OK;
    } else if (code == STATUS_OK) {
        listen_to(&job, silent);
        code = job_run(&job);
        if (!silent)
            print_notes(&job);
        if (code == STATUS_OK || code == STATUS_NO) {
            status printed = print_job(&job, silent);

            code = printed == STATUS_OK ? code : printed;
        }
    }
    code = flush_output(code);
    if (code == STATUS_OK && shows_handed(&job))
        code = serve_handed(&job, silent);
    forwarded = job.exit_code;
    job_free(&job);
    ended = finish(code);
    return forwarded ? forwarded : ended;
}

/* What stands in the place of the verb is none: what may have been meant. */
static status fail_verb(int count, char **arguments, const char *nearest)
{
    const char *word = arguments[1];

    for (int i = 2; *word == '-' && i < count; i++)
        if (verb_named(arguments[i], NULL))
            return status_fail(STATUS_USAGE, "options stand behind the verb: tacho %s %s", arguments[i], word);
    if (path_is_file(word))
        return status_fail(STATUS_USAGE,
                           "%s is a file, and a verb stands before it: tacho summary %s shows where its time went",
                           word, word);
    return status_fail(STATUS_USAGE, "no verb is called \"%s\"; %s%s%stacho --help lists them", word,
                       nearest ? "did you mean " : "", nearest ? nearest : "", nearest ? "? " : "");
}

static bool is_one_of(const char *word, const char *one, const char *two, const char *three)
{
    return strcmp(word, one) == 0 || strcmp(word, two) == 0 || strcmp(word, three) == 0;
}

int main(int count, char **arguments)
{
    const struct verb *verb;
    const char *nearest = NULL;
    status code;

    prepare_signals();
    if (count < 2) {
        print_help();
        code = flush_output(STATUS_OK);
        return code == STATUS_OK ? 2 : finish(code);
    }
    if (strcmp(arguments[1], "help") == 0 && count > 2) {
        static char asks[] = "--help";

        arguments[1] = arguments[2];
        arguments[2] = asks;
    }
    if (is_one_of(arguments[1], "--help", "-h", "help")) {
        print_help();
        return finish(flush_output(STATUS_OK));
    }
    if (is_one_of(arguments[1], "--version", "-V", "version")) {
        printf("tacho %s\n", TACHO_VERSION);
        return finish(flush_output(STATUS_OK));
    }
    if (strcmp(arguments[1], "completion") == 0)
        return finish(flush_output(completion_run(count - 2, arguments + 2)));
    verb = verb_named(arguments[1], &nearest);
    if (verb)
        return run_job(verb, count - 2, arguments + 2);
    return finish(fail_verb(count, arguments, nearest));
}
