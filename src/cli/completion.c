/* completion.c: tacho completion: completion scripts for shells, made from the option tables. */
#include "cli/completion.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "job/job.h"

/* What can be offered behind an option. */
enum offer {
    OFFER_NOTHING, /* a number, a name that only the user knows */
    OFFER_WORDS,   /* a few words: "a|b" */
    OFFER_FORMATS, /* what can be read */
    OFFER_FOLDERS,
    OFFER_FILES
};

static enum offer offer_of(const struct option *option)
{
    static const char *const files[] = { "FILE", "LOG", "SIDE", "BASE" };
    const char *argument = option->argument;

    if (strchr(argument, '|'))
        return OFFER_WORDS;
    if (strcmp(argument, "ID") == 0)
        return OFFER_FORMATS;
    if (strstr(argument, "DIR") || strcmp(argument, "FOLDER") == 0)
        return OFFER_FOLDERS;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        if (strncmp(argument, files[i], strlen(files[i])) == 0)
            return OFFER_FILES;
    return OFFER_NOTHING;
}

/* "a b" of "N|a|b": what is written in capitals stands for something else. */
static void print_words(const char *argument)
{
    const char *blank = "";

    for (struct text rest = text_of(argument); rest.data;) {
        struct text word = text_take(&rest, '|');

        if (!word.length || (*word.data >= 'A' && *word.data <= 'Z'))
            continue;
        printf("%s%.*s", blank, (int)word.length, word.data);
        blank = " ";
    }
}

static void print_formats(void)
{
    struct reader_walk walk = { 0 };
    const char *blank = "";

    for (const struct reader *reader; (reader = reader_next(&walk)); blank = " ")
        printf("%s%s", blank, reader->id);
}

static void print_verbs(void)
{
    struct verb_walk walk = { 0 };

    for (const struct verb *verb; (verb = verb_next(&walk));)
        printf("%s ", verb->name);
    printf("completion");
}

/* Options that take a value: `        "summary --by") kind=word words="operator location" ;;` */
static void print_choices(const struct verb *verb)
{
    struct option_walk walk = { 0 };

    for (const struct option *option; (option = option_next(verb, &walk));) {
        if (!option->argument || option->kind == OPTION_MAYBE)
            continue;
        printf("        \"%s --%s\"", verb->name, option->name);
        if (option->letter)
            printf("|\"%s -%c\"", verb->name, option->letter);
        printf(") ");
        switch (offer_of(option)) {
        case OFFER_WORDS:
            printf("kind=word words=\"");
            print_words(option->argument);
            printf("\"");
            break;
        case OFFER_FORMATS:
            printf("kind=word words=$formats");
            break;
        case OFFER_FOLDERS:
            printf("kind=folder");
            break;
        case OFFER_FILES:
            printf("kind=file");
            break;
        case OFFER_NOTHING:
            printf("kind=none");
            break;
        }
        printf(" ;;\n");
    }
}

static void print_option_names(const struct verb *verb)
{
    struct option_walk walk = { 0 };

    printf("            %s) words=\"--help --quiet -q", verb->name);
    for (const struct option *option; (option = option_next(verb, &walk));) {
        printf(" --%s", option->name);
        if (option->letter)
            printf(" -%c", option->letter);
    }
    printf("\" ;;\n");
}

static void print_bash(void)
{
    struct verb_walk walk = { 0 };

    printf("# bash completion for tacho; load it with: source <(tacho completion bash)\n"
           "_tacho() {\n"
           "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} kind= words=\n"
           "    local verbs=\"");
    print_verbs();
    printf("\"\n    local formats=\"");
    print_formats();
    printf(
        "\"\n"
        "    COMPREPLY=()\n"
        "    # The shell cuts --by=type into three words.\n"
        "    if [ \"$word\" = = ]; then word=; elif [ \"$before\" = = ]; then before=${COMP_WORDS[COMP_CWORD-2]}; fi\n"
        "    if [ \"$COMP_CWORD\" -eq 1 ]; then kind=word words=\"$verbs help --help --version\"; fi\n"
        "    case \"${COMP_WORDS[1]} $before\" in\n"
        "        \"completion completion\") kind=word words=\"bash zsh\" ;;\n"
        "        \"help help\") kind=word words=$verbs ;;\n");
    for (const struct verb *verb; (verb = verb_next(&walk));)
        print_choices(verb);
    printf("    esac\n"
           "    if [[ -z $kind && $word == -* ]]; then\n"
           "        kind=word\n"
           "        case ${COMP_WORDS[1]} in\n");
    walk = (struct verb_walk){ 0 };
    for (const struct verb *verb; (verb = verb_next(&walk));)
        print_option_names(verb);
    printf("        esac\n"
           "    fi\n"
           "    # Names with blanks are one each, and the shell quotes them.\n"
           "    case $kind in\n"
           "        none) ;;\n"
           "        word) mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$word\") ;;\n"
           "        folder) compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -d -- \"$word\") ;;\n"
           "        *) compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -f -- \"$word\") ;;\n"
           "    esac\n"
           "}\n"
           "complete -F _tacho tacho\n");
}

/* zsh descriptions stand in single quotes and brackets: neither may occur inside. */
static void print_description(const char *text)
{
    for (; *text; text++) {
        if (*text == '[' || *text == ']')
            putchar('\\');
        if (*text == '\'')
            printf("'\\'");
        putchar(*text);
    }
}

/* What stands before the second colon is a heading. */
static void print_zsh_value(const struct option *option)
{
    switch (offer_of(option)) {
    case OFFER_WORDS:
        printf(":word:(");
        print_words(option->argument);
        printf(")");
        break;
    case OFFER_FORMATS:
        printf(":format:(");
        print_formats();
        printf(")");
        break;
    case OFFER_FOLDERS:
        printf(":folder:_files -/");
        break;
    case OFFER_FILES:
        printf(":file:_files");
        break;
    case OFFER_NOTHING:
        printf(":value: ");
        break;
    }
}

static void print_zsh_options(const struct verb *verb)
{
    struct option_walk walk = { 0 };

    for (const struct option *option; (option = option_next(verb, &walk));) {
        printf("                '--%s[", option->name);
        print_description(option->help);
        printf("]");
        if (option->argument && option->kind != OPTION_MAYBE)
            print_zsh_value(option);
        printf("' \\\n");
    }
}

static void print_zsh(void)
{
    struct verb_walk walk = { 0 };

    printf("#compdef tacho\n"
           "_tacho() {\n"
           "    if (( CURRENT == 2 )); then\n"
           "        local -a verbs=(\n");
    for (const struct verb *verb; (verb = verb_next(&walk));) {
        printf("            '%s:", verb->name);
        print_description(verb->summary);
        printf("'\n");
    }
    walk = (struct verb_walk){ 0 };
    printf("            'completion:print a completion script for bash or zsh'\n");
    printf("        )\n        _describe verb verbs\n        return\n    fi\n"
           "    case ${words[2]} in\n");
    for (const struct verb *verb; (verb = verb_next(&walk));) {
        printf("        %s)\n            _arguments \\\n", verb->name);
        print_zsh_options(verb);
        printf("                '*:file:_files' ;;\n");
    }
    printf("        completion) _arguments '2:shell:(bash zsh)' ;;\n        help) _arguments '2:verb:(");
    print_verbs();
    printf(")' ;;\n    esac\n}\n_tacho \"$@\"\n");
}

/* The only one that is no job: it is about the command line itself. */
status completion_run(int count, char **words)
{
    if (count == 1 && (strcmp(words[0], "--help") == 0 || strcmp(words[0], "-h") == 0))
        printf("tacho completion bash|zsh\n\nprint a completion script for bash or zsh\n\n%-30s%s\n\nManual: man "
               "tacho-completion\n",
               "  -h, --help", "show this");
    else if (count == 1 && strcmp(words[0], "bash") == 0)
        print_bash();
    else if (count == 1 && strcmp(words[0], "zsh") == 0)
        print_zsh();
    else
        return status_fail(STATUS_USAGE, "tacho completion wants bash or zsh");
    return STATUS_OK;
}
