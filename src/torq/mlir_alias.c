/* mlir_alias.c: keeps what aliases stand for, and puts it in their place. */
#include "torq/mlir_alias.h"

#include <assert.h>
#include <stdio.h>

#include "base/memory.h"
#include "base/text.h"

enum { NAME_LONGEST = 256 }; /* of an alias; longer ones are not looked up */

status aliases_start(struct aliases *aliases)
{
    *aliases = (struct aliases){ .texts = strings_new() };
    return aliases->texts ? STATUS_OK : status_no_memory("reading aliases");
}

void aliases_free(struct aliases *aliases)
{
    strings_free(aliases->texts);
    memory_free(aliases->meanings);
    memory_free(aliases->resolved);
    memory_free(aliases->buffer);
    *aliases = (struct aliases){ 0 };
}

/* "2#loc4" for the loc4 of section 2; the length, or 0 when the name is too long. */
static size_t make_key(char to[NAME_LONGEST + 16], uint32_t section, struct text name)
{
    if (name.length > NAME_LONGEST)
        return 0;
    return (size_t)snprintf(to, NAME_LONGEST + 16, "%u#%.*s", section, (int)name.length, name.data);
}

status aliases_define(struct aliases *aliases, uint32_t section, struct text name, struct text meaning)
{
    char key[NAME_LONGEST + 16];
    size_t length = make_key(key, section, name);
    string_id id;
    status code;

    assert(aliases->texts && "aliases are started before they are defined");
    if (!length)
        return STATUS_OK;
    code = strings_add(aliases->texts, key, length, &id);
    if (code == STATUS_OK)
        code = memory_grow_clear(&aliases->meanings, &aliases->capacity, (size_t)id + 1, sizeof *aliases->meanings);
    if (code != STATUS_OK || aliases->meanings[id])
        return code;
    return strings_add(aliases->texts, meaning.data, meaning.length, &aliases->meanings[id]);
}

struct text aliases_meaning(const struct aliases *aliases, uint32_t section, struct text name)
{
    char key[NAME_LONGEST + 16];
    size_t length = make_key(key, section, name);
    string_id id;

    if (!length || !strings_find(aliases->texts, key, length, &id) || id >= aliases->capacity)
        return (struct text){ "", 0 };
    return strings_get(aliases->texts, aliases->meanings[id]);
}

status aliases_keep(struct aliases *aliases, struct text inside, string_id *id)
{
    assert(inside.data || !inside.length);
    return strings_add(aliases->texts, inside.data, inside.length, id);
}

static status append(struct aliases *aliases, const char *data, size_t length)
{
    status code = memory_grow(&aliases->buffer, &aliases->buffer_capacity, aliases->length + length, 1);

    if (code == STATUS_OK && length)
        memcpy(aliases->buffer + aliases->length, data, length);
    aliases->length += code == STATUS_OK ? length : 0;
    return code;
}

/* The end of the quoted text that begins at `cursor`. */
static const char *skip_quoted(const char *cursor, const char *end)
{
    for (cursor++; cursor < end && *cursor != '"'; cursor++)
        cursor += *cursor == '\\' && cursor + 1 < end;
    return cursor < end ? cursor + 1 : end;
}

/* The length of the alias name behind a #. */
static size_t name_length(const char *cursor, const char *end)
{
    const char *start = cursor;

    while (cursor < end &&
           (char_is_letter(*cursor) || char_is_digit(*cursor) || *cursor == '_' || *cursor == '$' || *cursor == '.'))
        cursor++;
    return (size_t)(cursor - start);
}

/* Append `text` with its aliases replaced. A circle ends at the depth limit: `*whole` turns false, and the caller
 * prints the alias it came from instead. */
static status expand(struct aliases *aliases, uint32_t section, struct text text, unsigned depth, bool *whole)
{
    const char *cursor = text.data;
    const char *end = text.data + text.length;
    const char *plain = cursor; /* first byte not yet appended */

    while (cursor < end && *whole) {
        struct text name, meaning;
        size_t before;
        bool inner = true;
        status code;

        if (*cursor == '"') {
            cursor = skip_quoted(cursor, end);
            continue;
        }
        if (*cursor++ != '#')
            continue;
        name = (struct text){ cursor, name_length(cursor, end) };
        cursor += name.length;
        meaning = aliases_meaning(aliases, section, name);
        if (!meaning.length || aliases->length + meaning.length > ALIAS_LONGEST ||
            aliases->total + aliases->length > ALIAS_MOST)
            continue;
        if (depth == ALIAS_DEEPEST) {
            *whole = false;
            return STATUS_OK;
        }
        code = append(aliases, plain, (size_t)(name.data - 1 - plain));
        before = aliases->length;
        if (code == STATUS_OK)
            code = expand(aliases, section, meaning, depth + 1, &inner);
        if (code != STATUS_OK)
            return code;
        if (!inner && depth) {
            *whole = false; /* up to the outermost alias */
            return STATUS_OK;
        }
        if (!inner)
            aliases->length = before;
        plain = inner ? cursor : name.data - 1;
    }
    return append(aliases, plain, (size_t)(end - plain));
}

status aliases_resolve(struct aliases *aliases, uint32_t section, string_id kept, struct strings *target, string_id *id)
{
    struct resolved_location *resolved;
    bool whole = true;
    status code;

    assert(kept < strings_count(aliases->texts));
    *id = 0;
    if (!kept)
        return STATUS_OK;
    code =
        memory_grow_clear(&aliases->resolved, &aliases->resolved_capacity, (size_t)kept + 1, sizeof *aliases->resolved);
    if (code != STATUS_OK)
        return code;
    resolved = &aliases->resolved[kept];
    if (resolved->section != section + 1) {
        aliases->length = 0;
        code = append(aliases, "loc(", 4);
        if (code == STATUS_OK)
            code = expand(aliases, section, strings_get(aliases->texts, kept), 0, &whole);
        if (code == STATUS_OK)
            code = append(aliases, ")", 1);
        if (code == STATUS_OK)
            code = strings_add(target, aliases->buffer, aliases->length, &resolved->id);
        if (code != STATUS_OK)
            return code;
        aliases->total += aliases->length;
        resolved->section = section + 1;
    }
    *id = resolved->id;
    return STATUS_OK;
}
