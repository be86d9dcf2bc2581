/* completion.c: tacho completion: completion scripts for shells, made from the option tables. */
#include <stdio.h>
#include <string.h>

#include "cli/verbs.h"

static void print_names(const struct option *options)
{
    for (; options && options->name; options++) {
        printf(" --%s", options->name);
        if (options->letter)
            printf(" -%c", options->letter);
    }
}

static void print_verbs(void)
{
    for (const struct verb *const *verb = verbs; *verb; verb++)
        printf("%s%s", verb == verbs ? "" : " ", (*verb)->name);
}

/* Options whose argument is one of a few words: `        --by) words="operator location" ;;` */
static void print_choices(const struct option *options)
{
    for (; options && options->name; options++) {
        if (!options->argument || !strchr(options->argument, '|'))
            continue;
        printf("        --%s) words=\"", options->name);
        for (const char *c = options->argument; *c; c++)
            putchar(*c == '|' ? ' ' : *c);
        printf("\" ;;\n");
    }
}

static void print_bash(void)
{
    printf("# bash completion for tacho; load it with: source <(tacho completion bash)\n"
           "_tacho() {\n"
           "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} words=\n"
           "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
           "        COMPREPLY=($(compgen -W \"");
    print_verbs();
    printf(" --help --version\" -- \"$word\"))\n        return\n    fi\n    case $before in\n");
    for (const struct verb *const *verb = verbs; *verb; verb++)
        print_choices((*verb)->options);
    printf("    esac\n"
           "    if [ -n \"$words\" ]; then\n"
           "        COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n        return\n    fi\n"
           "    if [[ $word != -* ]]; then\n"
           "        COMPREPLY=($(compgen -f -- \"$word\"))\n        return\n    fi\n"
           "    case ${COMP_WORDS[1]} in\n");
    for (const struct verb *const *verb = verbs; *verb; verb++) {
        printf("        %s) words=\"--help", (*verb)->name);
        print_names((*verb)->options);
        print_names((*verb)->more);
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

static void print_zsh_options(const struct option *options)
{
    for (; options && options->name; options++) {
        printf("                '--%s[", options->name);
        print_description(options->help);
        printf("]");
        if (options->argument && strchr(options->argument, '|')) {
            printf(":word:(");
            for (const char *c = options->argument; *c; c++)
                putchar(*c == '|' ? ' ' : *c);
            printf(")");
        } else if (options->argument) {
            printf(":%s:_files", options->argument);
        }
        printf("' \\\n");
    }
}

static void print_zsh(void)
{
    printf("#compdef tacho\n"
           "_tacho() {\n"
           "    if (( CURRENT == 2 )); then\n"
           "        local -a verbs=(\n");
    for (const struct verb *const *verb = verbs; *verb; verb++) {
        printf("            '%s:", (*verb)->name);
        print_description((*verb)->summary);
        printf("'\n");
    }
    printf("        )\n        _describe verb verbs\n        return\n    fi\n"
           "    case ${words[2]} in\n");
    for (const struct verb *const *verb = verbs; *verb; verb++) {
        printf("        %s)\n            _arguments \\\n", (*verb)->name);
        print_zsh_options((*verb)->options);
        print_zsh_options((*verb)->more);
        printf("                '*:file:_files' ;;\n");
    }
    printf("    esac\n}\n_tacho \"$@\"\n");
}

static status run(const struct texts *words)
{
    if (words->count == 1 && strcmp(words->items[0], "bash") == 0)
        print_bash();
    else if (words->count == 1 && strcmp(words->items[0], "zsh") == 0)
        print_zsh();
    else
        return status_fail(STATUS_USAGE, "tacho completion wants bash or zsh");
    return fflush(stdout) == 0 ? STATUS_OK : status_fail(STATUS_OUTPUT, "standard output cannot be written");
}

const struct verb completion_verb = {
    .name = "completion",
    .summary = "print a completion script for bash or zsh",
    .usage = "bash|zsh",
    .run = run,
};
