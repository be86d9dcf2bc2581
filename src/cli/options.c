#include "cli/options.h"

#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "read/settings.h"

static bool same_name(const char *name, const char *given, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        char a = name[i] == '_' ? '-' : name[i];
        char b = given[i] == '_' ? '-' : given[i];

        if (!name[i] || a != b)
            return false;
    }
    return name[length] == '\0';
}

static const struct old_option *find_in(const struct old_option *options, const char *name, size_t length, char letter)
{
    for (; options && options->name; options++)
        if (letter ? options->letter == letter : same_name(options->name, name, length))
            return options;
    return NULL;
}

static const struct old_option *find(const struct old_verb *verb, const char *name, size_t length, char letter)
{
    const struct old_option *option = find_in(verb->options, name, length, letter);

    return option ? option : find_in(verb->more, name, length, letter);
}

static status add_text(struct old_texts *texts, const char *text)
{
    if (texts->count == MOST_TEXTS)
        return status_fail(STATUS_USAGE, "more than %d files", MOST_TEXTS);
    texts->items[texts->count++] = text;
    return STATUS_OK;
}

static status store_value(const struct old_option *option, const char *value)
{
    int64_t number;

    if (option->kind == OLD_OPTION_TEXT) {
        *(const char **)option->target = value;
        return STATUS_OK;
    }
    if (option->kind == OLD_OPTION_SETTING) {
        settings_set(option->target, option->name, value);
        return STATUS_OK;
    }
    if (option->kind == OLD_OPTION_LIST)
        return add_text(option->target, value);
    if (!number_parse_integer(value, strlen(value), &number) || number < 1 || number > OLD_OPTION_LARGEST)
        return status_fail(STATUS_USAGE, "--%s wants a whole number from 1 to %d, not \"%s\"", option->name,
                           OLD_OPTION_LARGEST, value);
    *(uint32_t *)option->target = (uint32_t)number;
    return STATUS_OK;
}

/* A word that is an option; a lone "-" is standard input or output, and -1 is a number. */
static bool is_option(const char *word)
{
    return word[0] == '-' && word[1] != '\0' && !(word[1] >= '0' && word[1] <= '9');
}

static status parse_option(const struct old_verb *verb, int count, char **arguments, int *at)
{
    const char *word = arguments[*at];
    bool is_long = word[1] == '-';
    const char *equals = is_long ? strchr(word, '=') : NULL;
    size_t length = is_long ? (equals ? (size_t)(equals - word) : strlen(word)) - 2 : 0;
    const struct old_option *option = find(verb, word + 2, length, is_long ? 0 : word[1]);
    const char *value = equals ? equals + 1 : !is_long && word[1] && word[2] ? word + 2 : NULL;
    status code = STATUS_OK;

    if (!option)
        return status_fail(STATUS_USAGE, "tacho %s has no option %.*s; see tacho %s --help", verb->name,
                           equals ? (int)(equals - word) : (int)strlen(word), word, verb->name);
    if (option->kind == OLD_OPTION_FLAG || option->kind == OLD_OPTION_CLEAR) {
        if (value)
            return status_fail(STATUS_USAGE, "--%s takes no value", option->name);
        *(bool *)option->target = option->kind == OLD_OPTION_FLAG;
        return STATUS_OK;
    }
    if (value)
        return store_value(option, value);
    if (*at + 1 >= count || is_option(arguments[*at + 1]))
        return status_fail(STATUS_USAGE, "--%s wants %s", option->name, option->argument);
    do {
        code = store_value(option, arguments[++*at]);
    } while (code == STATUS_OK && option->kind == OLD_OPTION_LIST && *at + 1 < count && !is_option(arguments[*at + 1]));
    return code;
}

status old_options_parse(const struct old_verb *verb, int count, char **arguments, struct old_texts *words, bool *help)
{
    bool only_words = false;
    status code = STATUS_OK;

    *help = false;
    for (int i = 0; i < count && code == STATUS_OK; i++) {
        if (only_words || !is_option(arguments[i]))
            code = add_text(words, arguments[i]);
        else if (strcmp(arguments[i], "--") == 0)
            only_words = true;
        else if (strcmp(arguments[i], "--help") == 0 || strcmp(arguments[i], "-h") == 0)
            *help = true;
        else
            code = parse_option(verb, count, arguments, &i);
    }
    return code;
}

static void print_options(const struct old_option *options)
{
    enum { INDENT = 30 };

    for (; options && options->name; options++) {
        char left[128];
        int width = snprintf(left, sizeof left, "  %s%c%s--%s%s%s", options->letter ? "-" : "  ",
                             options->letter ? options->letter : ' ', options->letter ? ", " : " ", options->name,
                             options->argument ? " " : "", options->argument ? options->argument : "");

        if (width < INDENT)
            printf("%-*s%s\n", INDENT, left, options->help);
        else
            printf("%s\n%*s%s\n", left, INDENT, "", options->help);
    }
}

void old_options_help(const struct old_verb *verb)
{
    printf("tacho %s %s\n\n%s\n\n", verb->name, verb->usage, verb->summary);
    if (verb->options && verb->options->name) {
        print_options(verb->options);
        putchar('\n');
    }
    if (verb->more)
        print_options(verb->more);
    printf("%-30s%s\n\nManual: man tacho-%s\n", "  -h, --help", "show this", verb->name);
}
