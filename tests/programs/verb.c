/* verb.c: what the command does, through the library: verb NAME [name=value | name]... -- INPUT... prints what --json prints. */
#include <stdio.h>
#include <string.h>
#include <tacho/tacho.h>

enum { MOST_OPTIONS = 64 };

int main(int count, char **words)
{
    struct tacho_option options[MOST_OPTIONS];
    struct tacho_result *result = NULL;
    size_t option_count = 0;
    int at = 2;
    enum tacho_status code;

    if (count < 2) {
        for (size_t i = 0; tacho_verb_name(i); i++)
            printf("%s\n", tacho_verb_name(i));
        return 0;
    }
    for (; at < count && strcmp(words[at], "--") != 0 && option_count < MOST_OPTIONS; at++) {
        char *equals = strchr(words[at], '=');

        if (equals)
            *equals = '\0';
        options[option_count++] = (struct tacho_option){ words[at], equals ? equals + 1 : NULL };
    }
    at += at < count;
    code = tacho_run(words[1], (const char *const *)words + at, (size_t)(count - at), options, option_count, &result);
    if (code == TACHO_OK || code == TACHO_NO) {
        enum tacho_status written = tacho_result_write(result, "-");

        code = written == TACHO_OK ? code : written;
    }
    if (code != TACHO_OK && code != TACHO_NO)
        fprintf(stderr, "%s\n", tacho_error_message());
    tacho_result_free(result);
    return (int)code;
}
