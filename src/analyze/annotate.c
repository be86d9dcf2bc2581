#include "analyze/annotate.h"

#include "analyze/annotate_shared.h"

status annotate_table(struct annotation *annotation, enum annotate_form form, struct table **result)
{
    bool jobs = !annotation->measured->has_actions;
    struct table *table;
    status code;

    annotation->unmatched = 0;
    if (annotation->measured->rows.count && form != ANNOTATE_BLOCKS && jobs != (form == ANNOTATE_JOBS || form == ANNOTATE_A1))
        return status_fail(STATUS_USAGE, "these columns need a log %s", jobs ? "of actions; this one has a row per job: use a1"
                                                                             : "with a row per job; this one logs actions: use a2 or a3");
    table = table_new("annotated", form == ANNOTATE_BLOCKS ? "Blocks in execution order" : "Detailed Performance Data");
    if (!table)
        return status_no_memory("making a table");
    code = fill(annotation, form, table);
    if (code == STATUS_OK)
        code = table_status(table);
    if (code != STATUS_OK) {
        table_free(table);
        return code;
    }
    if (annotation->unmatched)
        table_note(table, "%llu actions or jobs have no counterpart between the log and the program",
                   (unsigned long long)annotation->unmatched);
    *result = table;
    return STATUS_OK;
}
