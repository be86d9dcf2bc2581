/* operators_cells.h: cells that several tables of operators have, and keys of views that are put together; nothing is owned. */
#ifndef EXECUTORCH_OPERATORS_CELLS_H
#define EXECUTORCH_OPERATORS_CELLS_H

#include <assert.h>
#include <stdio.h>

#include "executorch/operators.h"
#include "table/field.h"

enum { OPERATOR_SOURCE = 512, OPERATOR_KEYS = 32 }; /* bytes for file and line; keys of a view at most */

/* A text of the side's pool; 0 is none. */
static inline struct table_cell pooled(const struct operators *side, string_id id)
{
    return cell_text(id ? strings_text(side->strings, id) : NULL);
}

static inline struct table_cell maybe_integer(bool known, uint64_t value)
{
    return known ? cell_integer((int64_t)value) : cell_null();
}

/* "models.py:32" */
static inline struct table_cell source_of(const struct operators *side, const struct graph_node *node,
                                          char to[OPERATOR_SOURCE])
{
    if (!node || !node->file)
        return cell_null();
    snprintf(to, OPERATOR_SOURCE, node->line ? "%s:%u" : "%s", strings_text(side->strings, node->file), node->line);
    return cell_text(to);
}

static inline bool has_nodes(const struct operators *side)
{
    for (size_t i = 0; i < side->sums.count; i++)
        if (operators_at(side, i)->node)
            return true;
    return false;
}

/* Keys of a view, put together. */
struct keys {
    const char *items[OPERATOR_KEYS + 1]; /* NULL behind the last */
    size_t count;                         /* of them */
};

static inline void add_keys(struct keys *keys, const char *const *more)
{
    for (; *more; more++)
        keys->items[keys->count++] = *more;
    assert(keys->count <= OPERATOR_KEYS);
}

#endif
