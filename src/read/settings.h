/* settings.h: what a user said by options whose meaning only a chain knows, by name.
 *
 * Texts are borrowed from whoever has the options: the command line, a program that uses the library.
 */
#ifndef READ_SETTINGS_H
#define READ_SETTINGS_H

#include <assert.h>
#include <stddef.h>
#include <string.h>

enum { SETTINGS_MOST = 32 };

struct setting {
    const char *name;  /* of the option, without dashes */
    const char *value; /* as it was given */
};

struct settings {
    struct setting items[SETTINGS_MOST]; /* each name once */
    size_t count;                        /* of items */
};

/* The value of an option; NULL: not given. */
static inline const char *settings_get(const struct settings *settings, const char *name)
{
    for (size_t i = 0; settings && i < settings->count; i++)
        if (strcmp(settings->items[i].name, name) == 0)
            return settings->items[i].value;
    return NULL;
}

/* Sets an option, or another value for it; NULL changes nothing. There is room for SETTINGS_MOST. */
static inline void settings_set(struct settings *settings, const char *name, const char *value)
{
    size_t at = 0;

    if (!value)
        return;
    while (at < settings->count && strcmp(settings->items[at].name, name) != 0)
        at++;
    assert(at < SETTINGS_MOST); /* chains have fewer options than that */
    settings->items[at] = (struct setting){ name, value };
    settings->count += at == settings->count;
}

#endif
