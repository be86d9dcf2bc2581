/* completion.c: tacho completion: completion scripts for shells, made from the option tables. */
#include "cli/completion.h"

#include <stdio.h>
#include <string.h>

#include "job/job.h"

/* Options whose argument is one of a few words: `        --by) words="operator location" ;;` */
static void print_choices(const struct verb *verb)
{
    struct option_walk walk = { 0 };

    for (const struct option *option; (option = option_next(verb, &walk));) {
        if (!option->argument || !strchr(option->argument, '|'))
            continue;
        printf("        --%s) words=\"", option->name);
        for (const char *c = option->argument; *c; c++)
            putchar(*c == '|' ? ' ' : *c);
        printf("\" ;;\n");
    }
}

static void print_bash(void)
{
    struct verb_walk walk = { 0 };
    const char *blank = "";

    printf("# bash completion for tacho; load it with: source <(tacho completion bash)\n"
           "_tacho() {\n"
           "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} words=\n"
           "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
           "        COMPREPLY=($(compgen -W \"");
    for (const struct verb *verb; (verb = verb_next(&walk));) {
        printf("%s%s", blank, verb->name);
        blank = " ";
    }
    walk = (struct verb_walk){ 0 };
    printf(" completion --help --version\" -- \"$word\"))\n        return\n    fi\n    case $before in\n");
    for (const struct verb *verb; (verb = verb_next(&walk));)
        print_choices(verb);
    walk = (struct verb_walk){ 0 };
    printf("    esac\n"
           "    if [ -n \"$words\" ]; then\n"
           "        COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n        return\n    fi\n"
           "    if [[ $word != -* ]]; then\n"
           "        COMPREPLY=($(compgen -f -- \"$word\"))\n        return\n    fi\n"
           "    case ${COMP_WORDS[1]} in\n");
    for (const struct verb *verb; (verb = verb_next(&walk));) {
        struct option_walk options = { 0 };

        printf("        %s) words=\"--help --quiet -q", verb->name);
        for (const struct option *option; (option = option_next(verb, &options));) {
            printf(" --%s", option->name);
            if (option->letter)
                printf(" -%c", option->letter);
        }
        printf("\" ;;\n");
    }
    printf("    esac\n"
           "    COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
           "}\n"
           "complete -o filenames -F _tacho tacho\n");
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

static void print_zsh_options(const struct verb *verb)
{
    struct option_walk walk = { 0 };

    for (const struct option *option; (option = option_next(verb, &walk));) {
        printf("                '--%s[", option->name);
        print_description(option->help);
        printf("]");
        if (option->argument && strchr(option->argument, '|')) {
            printf(":word:(");
            for (const char *c = option->argument; *c; c++)
                putchar(*c == '|' ? ' ' : *c);
            printf(")");
        } else if (option->argument) {
            printf(":%s:_files", option->argument);
        }
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
    printf("    esac\n}\n_tacho \"$@\"\n");
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
