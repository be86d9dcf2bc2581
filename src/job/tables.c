/* tables.c: which verb makes which table of which profiles. */
#include "job/tables.h"

#include <string.h>

#include "job/core_verbs.h"
#include "read/chain.h"

static const struct verb_table own_tables[] = {
    { "overview", "where the time went: a row per metric", "columns", "overview", false, NULL },
    { "operators", "time by source operator, the longest first", "by", "operator", false, NULL },
    { "locations", "time by source location", "by", "location", false, NULL },
    { "types", "time by type of operator", "by", "type", false, NULL },
    { "engines", "time by engine", "by", "engine", false, NULL },
    { "slices", "every slice with its ticks, its nanoseconds and its arguments", NULL, NULL, false, NULL },
    { "losses", "rows that were lost, or kept although something was odd, by reason", NULL, NULL, false, NULL },
    { 0 },
};

static const struct verb_table *own_named(const char *name)
{
    for (const struct verb_table *table = own_tables; table->name; table++)
        if (strcmp(table->name, name) == 0)
            return table;
    return NULL;
}

bool tables_is_own(const struct verb_table *table)
{
    return own_named(table->name) == table;
}

/* Whether a verb, or what a chain adds to it (NULL: nothing), is for all inputs. */
static bool is_for(const struct verb *verb, const struct verb_part *part, struct tables_of of)
{
    for (size_t i = 0; i < of.count; i++)
        if (!verb_reads(verb) || verb_refuses(verb, of.readers[i]) || (part && !part->accepts(of.readers[i])))
            return false;
    return true;
}

/* Whether a table is made of all inputs, where its verb is for them. */
static bool is_made_of(const struct verb_table *table, struct tables_of of)
{
    for (size_t i = 0; i < of.count; i++)
        if (table->apart || (table->accepts && !table->accepts(of.readers[i])))
            return false;
    return true;
}

/* The table with this number among those that a verb makes of such inputs; NULL: no more. */
static const struct verb_table *table_of(const struct verb *verb, struct tables_of of, size_t index)
{
    const struct verb_table *table = is_for(verb, NULL, of) ? verb->tables : NULL;

    for (; table && table->name; table++)
        if (is_made_of(table, of) && !index--)
            return table;
    for (const struct chain *const *chain = chains; *chain; chain++) {
        for (const struct verb_part *const *part = (*chain)->parts; part && *part; part++) {
            if (strcmp((*part)->verb, verb->name) != 0 || !is_for(verb, *part, of))
                continue;
            for (table = (*part)->tables; table && table->name; table++)
                if (is_made_of(table, of) && !index--)
                    return table;
        }
    }
    return NULL;
}

/* The first in the order of the help that has this name, and the verb that makes it; NULL: none. */
static const struct verb_table *made_named(const char *name, struct tables_of of, const struct verb **maker)
{
    struct verb_walk walk = { 0 };
    const struct verb_table *table;

    for (*maker = verb_next(&walk); *maker; *maker = verb_next(&walk))
        for (size_t i = 0; (table = table_of(*maker, of, i)); i++)
            if (strcmp(table->name, name) == 0)
                return table;
    return NULL;
}

const struct verb_table *tables_named(const char *name, struct tables_of of, const struct verb **maker)
{
    const struct verb_table *own = own_named(name);

    *maker = own && own->option ? &summary_verb : NULL;
    return own ? own : made_named(name, of, maker);
}

const struct verb_table *tables_at(size_t index, struct tables_of of)
{
    struct verb_walk walk = { 0 };
    const struct verb_table *table;
    const struct verb *maker;

    for (table = own_tables; table->name; table++)
        if (!index--)
            return table;
    for (const struct verb *verb = verb_next(&walk); verb; verb = verb_next(&walk))
        for (size_t i = 0; (table = table_of(verb, of, i)); i++)
            if (!own_named(table->name) && made_named(table->name, of, &maker) == table && !index--)
                return table;
    return NULL;
}

status tables_prepare(const struct verb_table *table, struct job *job)
{
    return table->option ? job_option(job, table->option, table->value) : STATUS_OK;
}

status tables_take(const struct verb_table *table, struct job *job, struct table **taken)
{
    bool breakdown = table->option && strcmp(table->option, "by") == 0;

    *taken = job_take_table(job, breakdown ? "breakdown" : table->name);
    return *taken ? STATUS_OK
                  : status_fail(STATUS_USAGE, "tacho %s makes no table \"%s\" of this profile", job->verb->name,
                                table->name);
}
