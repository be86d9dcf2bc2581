/* parse.c: the words of a command line, as a job; and the help that its options give. */
#include "cli/parse.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

/* A word that is an option; a lone "-" is standard input or output, and -1 is a number. */
static bool is_option(const char *word)
{
    return word[0] == '-' && word[1] != '\0' && !(word[1] >= '0' && word[1] <= '9');
}

/* Whether it takes no word behind it. */
static bool is_flag(const struct option *option)
{
    return option->kind == OPTION_FLAG || option->kind == OPTION_CLEAR || option->kind == OPTION_MAYBE;
}

/* The words behind an option that are its value. --sort may begin with the sign of its order. */
static status take_value(struct job *job, const struct job_option *found, int count, char **words, int *at)
{
    bool signed_key = strcmp(found->option.name, "sort") == 0;
    status code;

    assert(!is_flag(&found->option) && *at < count);
    if (*at + 1 >= count || (is_option(words[*at + 1]) && !(signed_key && words[*at + 1][1] != '-')))
        return status_fail(STATUS_USAGE, "--%s wants %s", found->option.name, found->option.argument);
    do {
        code = job_set(job, found, words[++*at]);
    } while (code == STATUS_OK && found->option.kind == OPTION_LIST && *at + 1 < count && !is_option(words[*at + 1]));
    return code;
}

static status parse_long(struct job *job, int count, char **words, int *at)
{
    const char *word = words[*at], *equals = strchr(word, '=');
    size_t length = equals ? (size_t)(equals - word) : strlen(word);
    struct job_option found;

    if (job_find(job, word + 2, length - 2, 0, &found) != STATUS_OK)
        return job_fail_option(job, word, length);
    if (is_flag(&found.option) || equals)
        return job_set(job, &found, equals ? equals + 1 : NULL);
    return take_value(job, &found, count, words, at);
}

/* Letters: flags may stand together, and the value of the last may stand right behind it. */
static status parse_letters(struct job *job, int count, char **words, int *at, bool *help, bool *quiet)
{
    const char *word = words[*at];
    struct job_option found;
    status code = STATUS_OK;

    for (const char *letter = word + 1; *letter && code == STATUS_OK; letter++) {
        if (*letter == 'h') {
            *help = true;
        } else if (*letter == 'q' && job_find(job, NULL, 0, 'q', &found) != STATUS_OK) {
            *quiet = true;
        } else if (job_find(job, NULL, 0, *letter, &found) != STATUS_OK) {
            return job_fail_option(job, word, strlen(word));
        } else if (is_flag(&found.option)) {
            code = job_set(job, &found, NULL);
        } else {
            return letter[1] ? job_set(job, &found, letter + 1) : take_value(job, &found, count, words, at);
        }
    }
    return code;
}

status parse_words(struct job *job, int count, char **words, bool *help, bool *quiet)
{
    bool only_words = false;
    status code = STATUS_OK;

    assert(job->verb && count >= 0);
    *help = *quiet = false;
    for (int i = 0; i < count && code == STATUS_OK; i++) {
        if (only_words || !is_option(words[i]))
            code = job_input(job, words[i]);
        else if (strcmp(words[i], "--") == 0)
            only_words = true;
        else if (strcmp(words[i], "--help") == 0)
            *help = true;
        else if (strcmp(words[i], "--quiet") == 0)
            *quiet = true;
        else
            code = words[i][1] == '-' ? parse_long(job, count, words, &i)
                                      : parse_letters(job, count, words, &i, help, quiet);
    }
    return code;
}

static void print_option(const char *name, char letter, const char *separator, const char *argument, const char *help)
{
    enum { INDENT = 30 };
    char left[128];
    int width = snprintf(left, sizeof left, "  %s%c%s--%s%s%s", letter ? "-" : "  ", letter ? letter : ' ',
                         letter ? ", " : " ", name, argument ? separator : "", argument ? argument : "");

    if (width < INDENT)
        printf("%-*s%s\n", INDENT, left, help);
    else
        printf("%s\n%*s%s\n", left, INDENT, "", help);
}

void parse_help(const struct verb *verb)
{
    struct option_walk walk = { 0 };

    assert(verb->summary && verb->usage);
    printf("tacho %s %s\n\n%s\n\n", verb->name, verb->usage, verb->summary);
    for (const struct option *option = option_next(verb, &walk); option; option = option_next(verb, &walk))
        print_option(option->name, option->letter, option->kind == OPTION_MAYBE ? "" : " ", option->argument,
                     option->help);
    print_option("quiet", 'q', "", NULL, "no notes, no losses, no progress on standard error");
    print_option("help", 'h', "", NULL, "show this");
    printf("\nManual: man tacho-%s\n", verb->name);
}
