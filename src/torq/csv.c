/* csv.c: rows with open quotes, for readers that do not use base/csv.h yet. */
#include "torq/csv.h"

status csv_split_row(struct lines *lines, struct line *line, size_t longest, csv_splitter split, void *row,
                     const struct loss_reason **reason)
{
    unsigned added = 0;
    bool open = false;
    status code = split(row, reason, &open);

    while (code == STATUS_OK && open) {
        bool extended = false;

        if (added++ < CSV_MOST_LINES && line->length < longest)
            code = lines_extend(lines, line, &extended);
        if (code == STATUS_OK && extended)
            code = split(row, reason, &open);
        if (!extended)
            break;
    }
    if (code == STATUS_OK && added && *reason == &loss_quote)
        lines_retract(lines, line);
    return code;
}
