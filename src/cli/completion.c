/* completion.c: tacho completion: completion scripts for shells, made from the option tables. */
#include <stdio.h>
#include <string.h>

#include "cli/verbs.h"
#include "job/job.h"

/* Every option of a verb, by either kind of table. */
struct any_option {
    const char *name;
    char letter;
    const char *argument;
    const char *help;
};

struct any_verb {
    const struct verb *verb;
    const struct old_verb *old;
    struct option_walk walk;
    const struct old_option *next;
    bool more; /* the shared ones of an old verb are next */
};

static bool next_option(struct any_verb *any, struct any_option *option)
{
    if (any->verb) {
        const struct option *found = option_next(any->verb, &any->walk);

        if (found)
            *option = (struct any_option){ found->name, found->letter, found->argument, found->help };
        return found != NULL;
    }
    if ((!any->next || !any->next->name) && !any->more) {
        any->more = true;
        any->next = any->old->more;
    }
    if (!any->next || !any->next->name)
        return false;
    *option = (struct any_option){ any->next->name, any->next->letter, any->next->argument, any->next->help };
    any->next++;
    return true;
}

enum { MOST_VERBS = 64 };

static size_t list_verbs(struct any_verb *verbs)
{
    struct verb_walk walk = { 0 };
    size_t count = 0;

    for (const struct verb *verb = verb_next(&walk); verb && count < MOST_VERBS; verb = verb_next(&walk))
        if (strcmp(verb->name, "advise") != 0) /* until every chain has its part */
            verbs[count++] = (struct any_verb){ .verb = verb };
    for (const struct old_verb *const *verb = old_verbs; *verb && count < MOST_VERBS; verb++)
        verbs[count++] = (struct any_verb){ .old = *verb, .next = (*verb)->options };
    return count;
}

static const char *name_of(const struct any_verb *any)
{
    return any->verb ? any->verb->name : any->old->name;
}

static const char *summary_of(const struct any_verb *any)
{
    return any->verb ? any->verb->summary : any->old->summary;
}

/* Options whose argument is one of a few words: `        --by) words="operator location" ;;` */
static void print_choices(struct any_verb any)
{
    struct any_option option;

    while (next_option(&any, &option)) {
        if (!option.argument || !strchr(option.argument, '|'))
            continue;
        printf("        --%s) words=\"", option.name);
        for (const char *c = option.argument; *c; c++)
            putchar(*c == '|' ? ' ' : *c);
        printf("\" ;;\n");
    }
}

static void print_bash(const struct any_verb *verbs, size_t count)
{
    printf("# bash completion for tacho; load it with: source <(tacho completion bash)\n"
           "_tacho() {\n"
           "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} words=\n"
           "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
           "        COMPREPLY=($(compgen -W \"");
    for (size_t i = 0; i < count; i++)
        printf("%s%s", i ? " " : "", name_of(&verbs[i]));
    printf(" completion --help --version\" -- \"$word\"))\n        return\n    fi\n    case $before in\n");
    for (size_t i = 0; i < count; i++)
        print_choices(verbs[i]);
    printf("    esac\n"
           "    if [ -n \"$words\" ]; then\n"
           "        COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n        return\n    fi\n"
           "    if [[ $word != -* ]]; then\n"
           "        COMPREPLY=($(compgen -f -- \"$word\"))\n        return\n    fi\n"
           "    case ${COMP_WORDS[1]} in\n");
    for (size_t i = 0; i < count; i++) {
        struct any_verb any = verbs[i];
        struct any_option option;

        printf("        %s) words=\"--help --quiet -q", name_of(&any));
        while (next_option(&any, &option)) {
            printf(" --%s", option.name);
            if (option.letter)
                printf(" -%c", option.letter);
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

static void print_zsh_options(struct any_verb any)
{
    struct any_option option;

    while (next_option(&any, &option)) {
        printf("                '--%s[", option.name);
        print_description(option.help);
        printf("]");
        if (option.argument && strchr(option.argument, '|')) {
            printf(":word:(");
            for (const char *c = option.argument; *c; c++)
                putchar(*c == '|' ? ' ' : *c);
            printf(")");
        } else if (option.argument) {
            printf(":%s:_files", option.argument);
        }
        printf("' \\\n");
    }
}

static void print_zsh(const struct any_verb *verbs, size_t count)
{
    printf("#compdef tacho\n"
           "_tacho() {\n"
           "    if (( CURRENT == 2 )); then\n"
           "        local -a verbs=(\n");
    for (size_t i = 0; i < count; i++) {
        printf("            '%s:", name_of(&verbs[i]));
        print_description(summary_of(&verbs[i]));
        printf("'\n");
    }
    printf("            'completion:print a completion script for bash or zsh'\n");
    printf("        )\n        _describe verb verbs\n        return\n    fi\n"
           "    case ${words[2]} in\n");
    for (size_t i = 0; i < count; i++) {
        printf("        %s)\n            _arguments \\\n", name_of(&verbs[i]));
        print_zsh_options(verbs[i]);
        printf("                '*:file:_files' ;;\n");
    }
    printf("    esac\n}\n_tacho \"$@\"\n");
}

/* The only one that is no job: it is about the command line itself. */
status completion_run(int count, char **words)
{
    static struct any_verb verbs[MOST_VERBS];
    size_t known = list_verbs(verbs);

    if (count == 1 && (strcmp(words[0], "--help") == 0 || strcmp(words[0], "-h") == 0))
        printf("tacho completion bash|zsh\n\nprint a completion script for bash or zsh\n\n%-30s%s\n\nManual: man "
               "tacho-completion\n",
               "  -h, --help", "show this");
    else if (count == 1 && strcmp(words[0], "bash") == 0)
        print_bash(verbs, known);
    else if (count == 1 && strcmp(words[0], "zsh") == 0)
        print_zsh(verbs, known);
    else
        return status_fail(STATUS_USAGE, "tacho completion wants bash or zsh");
    return STATUS_OK;
}
