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

enum { MOST_TEXTS = 256, OPTION_LARGEST = 1024 };

struct texts {
    const char *items[MOST_TEXTS];
    size_t count;
};

enum option_kind {
    OPTION_FLAG,    /* target: bool */
    OPTION_CLEAR,   /* target: bool, set to false (--no-args) */
    OPTION_TEXT,    /* target: const char * */
    OPTION_NUMBER,  /* target: uint32_t, 1 to OPTION_LARGEST */
    OPTION_SETTING, /* target: struct settings, by the name of the option */
    OPTION_LIST     /* target: struct texts; takes all words up to the next option */
};

struct option {
    const char *name; /* without dashes; NULL ends a table */
    char letter;      /* short form; 0: none */
    enum option_kind kind;
    void *target;
    const char *argument; /* FILE, N, ...; NULL for flags; "a|b|c" is completed */
    const char *help;
};

struct verb {
    const char *name;
    const char *summary; /* one line for `tacho --help` */
    const char *usage;   /* after "tacho NAME " */
    const struct option *options;
    const struct option *more; /* shared ones; NULL: none */
    status (*run)(const struct texts *words);
};

/* Fills the targets and `words`. `*help` is set when --help was given. STATUS_USAGE names the option. */
NODISCARD status options_parse(const struct verb *verb, int count, char **arguments, struct texts *words, bool *help);
void options_help(const struct verb *verb);

#endif
