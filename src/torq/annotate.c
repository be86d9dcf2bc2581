#include "torq/annotate.h"

#include "torq/annotate_shared.h"

static void add_notes(const struct annotation *annotation, struct table *table)
{
    if (annotation->unmatched)
        table_note(table, "%llu actions or jobs have no counterpart between the log and the program",
                   (unsigned long long)annotation->unmatched);
    if (annotation->cut)
        table_note(table, "%llu rows are cut: their lists of operators, places or kernels are too long for a cell",
                   (unsigned long long)annotation->cut);
}

status annotate_table(struct annotation *annotation, enum annotate_form form, struct table **result)
{
    bool jobs = !annotation->measured->has_actions;
    bool blocks = form == ANNOTATE_BLOCKS;
    struct table *table;
    status code;

    annotation->unmatched = 0;
    annotation->cut = 0;
    if (annotation->measured->rows.count && !blocks && jobs != (form == ANNOTATE_JOBS || form == ANNOTATE_A1))
        return status_fail(STATUS_USAGE, "these columns need a log %s",
                           jobs ? "of actions; this one has a row per job: use a1"
                                : "with a row per job; this one logs actions: use a2 or a3");
    table = table_new("annotated", blocks ? "Blocks in execution order" : "Detailed Performance Data");
    if (!table)
        return status_no_memory("making a table");
    code = blocks ? annotate_fill_blocks(annotation, table) : annotate_fill_form(annotation, form, table);
    if (code == STATUS_OK)
        add_notes(annotation, table);
    if (code == STATUS_OK)
        code = table_status(table);
    if (code != STATUS_OK) {
        table_free(table);
        return code;
    }
    *result = table;
    return STATUS_OK;
}
