/* parse.c: the words of a command line, as a job; and the help that its options give. */
#include "cli/parse.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"

/* An option with one value, as it was given. */
struct given {
    const void *place; /* that it fills */
    const char *name;  /* of the option */
    const char *value; /* the word */
};

/* A command line while it is read. */
struct parsing {
    struct job *job;     /* that is filled; borrowed */
    int count;           /* of words */
    char **words;        /* borrowed */
    struct given *given; /* owned */
    size_t given_count;  /* of given; never more than there are words */
    bool help;           /* was asked for */
    bool quiet;          /* the same */
};

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

/* A second value would silently replace the first: only one that says the same may come. */
static status set(struct parsing *parsing, const struct job_option *found, const char *value)
{
    const struct option *option = &found->option;
    const void *place = (const char *)found->base + option->offset;

    if (option->kind == OPTION_LIST || option->kind == OPTION_REPEAT || !value)
        return job_set(parsing->job, found, value);
    for (size_t i = 0; i < parsing->given_count; i++) {
        const struct given *given = &parsing->given[i];
        bool same = option->kind == OPTION_SETTING ? strcmp(given->name, option->name) == 0 : given->place == place;

        if (same && strcmp(given->value, value) != 0)
            return status_fail(STATUS_USAGE, "--%s %s and --%s %s: only one of them can hold", given->name,
                               given->value, option->name, value);
    }
    assert(parsing->given_count < (size_t)parsing->count);
    parsing->given[parsing->given_count++] = (struct given){ place, option->name, value };
    return job_set(parsing->job, found, value);
}

/* The words behind an option that are its value. --sort may begin with the sign of its order. */
static status take_value(struct parsing *parsing, const struct job_option *found, int *at)
{
    bool signed_key = strcmp(found->option.name, "sort") == 0;
    char **words = parsing->words;
    status code;

    assert(!is_flag(&found->option) && *at < parsing->count);
    if (*at + 1 >= parsing->count || (is_option(words[*at + 1]) && !(signed_key && words[*at + 1][1] != '-')))
        return status_fail(STATUS_USAGE, "--%s wants %s", found->option.name, found->option.argument);
    do {
        code = set(parsing, found, words[++*at]);
    } while (code == STATUS_OK && found->option.kind == OPTION_LIST && *at + 1 < parsing->count &&
             !is_option(words[*at + 1]));
    return code;
}

static status parse_long(struct parsing *parsing, int *at)
{
    const char *word = parsing->words[*at], *equals = strchr(word, '=');
    size_t length = equals ? (size_t)(equals - word) : strlen(word);
    struct job_option found;

    if (job_find(parsing->job, word + 2, length - 2, 0, &found) != STATUS_OK)
        return job_fail_option(parsing->job, word, length);
    if (is_flag(&found.option) || equals)
        return set(parsing, &found, equals ? equals + 1 : NULL);
    return take_value(parsing, &found, at);
}

/* Letters: flags may stand together, and the value of the last may stand right behind it. */
static status parse_letters(struct parsing *parsing, int *at)
{
    const char *word = parsing->words[*at];
    struct job *job = parsing->job;
    struct job_option found;
    status code = STATUS_OK;

    for (const char *letter = word + 1; *letter && code == STATUS_OK; letter++) {
        if (*letter == 'h') {
            parsing->help = true;
        } else if (*letter == 'q' && job_find(job, NULL, 0, 'q', &found) != STATUS_OK) {
            parsing->quiet = true;
        } else if (job_find(job, NULL, 0, *letter, &found) != STATUS_OK) {
            return job_fail_option(job, word, strlen(word));
        } else if (is_flag(&found.option)) {
            code = job_set(job, &found, NULL);
        } else {
            return letter[1] ? set(parsing, &found, letter + 1) : take_value(parsing, &found, at);
        }
    }
    return code;
}

static status parse_word(struct parsing *parsing, int *at, bool *only_words)
{
    const char *word = parsing->words[*at];

    if (*only_words || !is_option(word))
        return job_input(parsing->job, word);
    if (strcmp(word, "--") == 0)
        *only_words = true;
    else if (strcmp(word, "--help") == 0)
        parsing->help = true;
    else if (strcmp(word, "--quiet") == 0)
        parsing->quiet = true;
    else
        return word[1] == '-' ? parse_long(parsing, at) : parse_letters(parsing, at);
    return STATUS_OK;
}

status parse_words(struct job *job, int count, char **words, bool *help, bool *quiet)
{
    struct parsing parsing = { .job = job, .count = count, .words = words };
    bool only_words = false;
    status code = STATUS_OK;

    assert(job->verb && count >= 0);
    parsing.given = memory_allocate(((size_t)count + 1) * sizeof *parsing.given);
    if (!parsing.given)
        code = status_no_memory("starting");
    for (int i = 0; i < count && code == STATUS_OK; i++)
        code = parse_word(&parsing, &i, &only_words);
    memory_free(parsing.given);
    *help = parsing.help;
    *quiet = parsing.quiet;
    return code;
}

void parse_print_wrapped(int column, int indent, const char *text)
{
    enum { WIDTH = 80 };

    while (column + (int)strlen(text) > WIDTH) {
        int cut = WIDTH - column;

        while (cut && text[cut] != ' ')
            cut--;
        if (!cut)
            break;
        printf("%.*s\n%*s", cut, text, indent, "");
        text += cut + 1;
        column = indent;
    }
    printf("%s\n", text);
}

static void print_option(const char *name, char letter, const char *separator, const char *argument, const char *help)
{
    enum { INDENT = 30 };
    char left[128];
    int width = snprintf(left, sizeof left, "  %s%c%s--%s%s%s", letter ? "-" : "  ", letter ? letter : ' ',
                         letter ? ", " : " ", name, argument ? separator : "", argument ? argument : "");

    if (width < INDENT)
        printf("%-*s", INDENT, left);
    else
        printf("%s\n%*s", left, INDENT, "");
    parse_print_wrapped(INDENT, INDENT, help);
}

void parse_help(const struct verb *verb)
{
    struct option_walk walk = { 0 };
    int indent = printf("tacho %s ", verb->name);

    assert(verb->summary && verb->usage);
    parse_print_wrapped(indent, indent, verb->usage);
    printf("\n");
    parse_print_wrapped(0, 0, verb->summary);
    printf("\n");
    for (const struct option *option = option_next(verb, &walk); option; option = option_next(verb, &walk))
        print_option(option->name, option->letter, option->kind == OPTION_MAYBE ? "" : " ", option->argument,
                     option->help);
    print_option("quiet", 'q', "", NULL, "no notes, no losses, no progress on standard error");
    print_option("help", 'h', "", NULL, "show this");
    printf("\nManual: man tacho-%s\n", verb->name);
}
