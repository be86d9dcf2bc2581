/* verbs.c: lists of texts, and the verbs of the core and of all chains. */
#include <assert.h>
#include <string.h>

#include "base/memory.h"
#include "base/suggest.h"
#include "base/text.h"
#include "job/core_verbs.h"
#include "read/chain.h"

const struct verb *const core_verbs[] = { &convert_verb, &summary_verb, &operators_verb, &compare_verb, &advise_verb,
                                          &report_verb,  &record_verb,  &formats_verb,   NULL };

status texts_add(struct texts *texts, const char *text)
{
    status code = memory_grow(&texts->items, &texts->capacity, texts->count + 2, sizeof *texts->items);

    assert(text);
    if (code != STATUS_OK)
        return code;
    texts->items[texts->count++] = text;
    texts->items[texts->count] = NULL;
    return STATUS_OK;
}

void texts_free(struct texts *texts)
{
    memory_free(texts->items);
    *texts = (struct texts){ 0 };
}

enum { CHAIN_LISTS = 2 }; /* lists before those of the chains */

static const struct verb *const *list_at(size_t list)
{
    static const struct verb *const none[] = { NULL };

    if (list < CHAIN_LISTS)
        return list ? further_verbs : core_verbs;
    return chains[list - CHAIN_LISTS]->verbs ? chains[list - CHAIN_LISTS]->verbs : none;
}

const struct verb *verb_next(struct verb_walk *walk)
{
    for (; walk->list < CHAIN_LISTS || chains[walk->list - CHAIN_LISTS]; walk->list++, walk->next = 0)
        if (list_at(walk->list)[walk->next])
            return list_at(walk->list)[walk->next++];
    return NULL;
}

const char *verb_wants_times(const struct reader *reader)
{
    return reader->timeless;
}

bool verb_reads(const struct verb *verb)
{
    return verb->refuses || verb->takes & VERB_READS;
}

const char *verb_refuses(const struct verb *verb, const struct reader *reader)
{
    assert(verb_reads(verb) && reader);
    return verb->refuses ? verb->refuses(reader) : verb_wants_times(reader);
}

bool verb_archives(const struct verb *verb, const struct reader *reader)
{
    const struct verb_archive *archive = verb->archive;

    return archive && !verb_refuses(verb, reader) && (!archive->accepts || archive->accepts(reader));
}

static const char *next_name(void *context)
{
    const struct verb *verb = verb_next(context);

    return verb ? verb->name : NULL;
}

const struct verb *verb_named(const char *name, const char **nearest)
{
    struct verb_walk walk = { 0 };

    assert(name);
    for (const struct verb *verb = verb_next(&walk); verb; verb = verb_next(&walk))
        if (strcmp(verb->name, name) == 0)
            return verb;
    walk = (struct verb_walk){ 0 };
    if (nearest)
        *nearest = suggest(text_of(name), next_name, &walk);
    return NULL;
}
