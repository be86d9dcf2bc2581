/* vocabulary.c: argument keys and architectures of the core and of all chains. */
#include "job/vocabulary.h"

#include <assert.h>
#include <limits.h>
#include <string.h>

static const struct argument_key *find_in(const struct argument_key *keys, const char *name)
{
    for (; keys && keys->name; keys++)
        if (strcmp(keys->name, name) == 0)
            return keys;
    return NULL;
}

const struct argument_key *vocabulary_key(const char *name)
{
    const struct argument_key *found = find_in(argument_keys, name);

    assert(name);
    for (const struct chain *const *chain = chains; *chain && !found; chain++)
        found = find_in((*chain)->arguments, name);
    return found;
}

unsigned vocabulary_order(const char *name)
{
    const struct argument_key *key = vocabulary_key(name);

    return key && key->column ? key->column : UINT_MAX;
}

/* Puts the keys of one table in their places, which are kept in `places`. */
static void place(const struct argument_key *keys, const char *columns[], unsigned places[], unsigned *count)
{
    for (; keys && keys->name; keys++) {
        unsigned at = *count;

        if (!keys->column)
            continue;
        assert(*count + 1 < VOCABULARY_COLUMNS);
        for (; at && places[at - 1] > keys->column; at--) {
            columns[at] = columns[at - 1];
            places[at] = places[at - 1];
        }
        columns[at] = keys->name;
        places[at] = keys->column;
        ++*count;
    }
}

void vocabulary_columns(const char *columns[VOCABULARY_COLUMNS])
{
    unsigned places[VOCABULARY_COLUMNS], count = 0;

    place(argument_keys, columns, places, &count);
    for (const struct chain *const *chain = chains; *chain; chain++)
        place((*chain)->arguments, columns, places, &count);
    columns[count] = NULL;
}

void vocabulary_architectures(const struct architecture_set *sets[VOCABULARY_CHAINS])
{
    unsigned count = 0;

    for (const struct chain *const *chain = chains; *chain; chain++) {
        assert(count + 1 < VOCABULARY_CHAINS);
        if ((*chain)->architectures)
            sets[count++] = (*chain)->architectures;
    }
    sets[count] = NULL;
}

void vocabulary_fields(const struct field_set *const *core, const struct field_set *sets[VOCABULARY_SETS])
{
    unsigned count = 0;

    for (; *core; core++) {
        assert(count + 1 < VOCABULARY_SETS);
        sets[count++] = *core;
    }
    for (const struct chain *const *chain = chains; *chain; chain++)
        for (const struct field_set *const *set = (*chain)->fields; set && *set; set++) {
            assert(count + 1 < VOCABULARY_SETS);
            sets[count++] = *set;
        }
    sets[count] = NULL;
}
