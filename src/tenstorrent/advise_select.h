/* advise_select.h: the rows of a report on their way from the file to the analysis. Only advise.c and advise_merge.c know it. */
#ifndef TENSTORRENT_ADVISE_SELECT_H
#define TENSTORRENT_ADVISE_SELECT_H

#include "tenstorrent/advise.h"

struct picked {
    uint32_t row;      /* of the report */
    enum op_kind kind; /* of that row: it is asked more often than all else, and rows are far apart */
    double kernel_ns;  /* NAN: none */
};

struct selection {
    struct advise *advise;                      /* borrowed */
    struct picked *items;                       /* the caller's */
    size_t count;                               /* of items */
    bool ordered;                               /* all rows, as they stand in the report, start one after the other */
    string_id architecture, other_architecture; /* that the rows name: the first, and another one; 0: none */
    int64_t worker_cores, other_worker_cores;   /* the same */
};

static inline const struct op_row *selection_row(const struct selection *selection, size_t place)
{
    return op_row_at(selection->advise->report, selection->items[place].row);
}

/* One row for each operation that all devices ran, in the order of the file; the other rows stay. */
NODISCARD status selection_merge(struct selection *selection);
/* In the order of the file. */
void selection_sort(struct selection *selection);

#endif
