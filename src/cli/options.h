/* options.h: command-line options as a table that parses, prints help and feeds shell completion.
 *
 * Names match with '-' and '_' alike, so the documents' --compile_profile and our --compile-profile are one. Values go straight
 * to `target`; texts are borrowed from argv.
 */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

enum { MOST_TEXTS = 256, OLD_OPTION_LARGEST = 1024 };

struct old_texts {
    const char *items[MOST_TEXTS];
    size_t count;
};

enum old_option_kind {
    OLD_OPTION_FLAG,    /* target: bool */
    OLD_OPTION_CLEAR,   /* target: bool, set to false (--no-args) */
    OLD_OPTION_TEXT,    /* target: const char * */
    OLD_OPTION_NUMBER,  /* target: uint32_t, 1 to OLD_OPTION_LARGEST */
    OLD_OPTION_SETTING, /* target: struct settings, by the name of the option */
    OLD_OPTION_LIST     /* target: struct old_texts; takes all words up to the next option */
};

struct old_option {
    const char *name; /* without dashes; NULL ends a table */
    char letter;      /* short form; 0: none */
    enum old_option_kind kind;
    void *target;
    const char *argument; /* FILE, N, ...; NULL for flags; "a|b|c" is completed */
    const char *help;
};

struct old_verb {
    const char *name;
    const char *summary; /* one line for `tacho --help` */
    const char *usage;   /* after "tacho NAME " */
    const struct old_option *options;
    const struct old_option *more; /* shared ones; NULL: none */
    status (*run)(const struct old_texts *words);
};

/* Fills the targets and `words`. `*help` is set when --help was given. STATUS_USAGE names the option. */
NODISCARD status old_options_parse(const struct old_verb *verb, int count, char **arguments, struct old_texts *words,
                                   bool *help);
void old_options_help(const struct old_verb *verb);

#endif
