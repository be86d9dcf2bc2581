/* command_word.c: quotes for a shell. */
#include "base/command_word.h"

#include <stdbool.h>
#include <string.h>

static bool is_safe(char letter)
{
    return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') || (letter >= '0' && letter <= '9') ||
           strchr("_-./+,=:@%", letter) != NULL;
}

const char *command_word(struct arena *arena, const char *path)
{
    size_t quotes = 0, length = strlen(path), at = 0;
    bool safe = length > 0;
    char *text;

    for (size_t i = 0; i < length; i++) {
        safe &= is_safe(path[i]);
        quotes += path[i] == '\'';
    }
    if (safe)
        return arena_copy(arena, path, length);
    text = arena_allocate(arena, length + 3 * quotes + 3, 1);
    if (!text)
        return NULL;
    text[at++] = '\'';
    for (size_t i = 0; i < length; i++) {
        if (path[i] == '\'') {
            memcpy(text + at, "'\\'", 3);
            at += 3;
        }
        text[at++] = path[i];
    }
    text[at++] = '\'';
    text[at] = '\0';
    return text;
}
