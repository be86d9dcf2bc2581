/* table_file.h: a table as a file, in the format that the file's suffix names. */
#ifndef JOB_TABLE_FILE_H
#define JOB_TABLE_FILE_H

#include "table/dialect.h"
#include "table/table.h"

/* Several tables in one file: one after the other, or a sheet each. A page is called by the first of them and what they are about; NULL: not
 * known. */
NODISCARD status tables_to_file(const struct table *const *tables, size_t count, const char *path, const char *about);

/* `dialect` is for CSV, `sheet` for xlsx; NULL: the plain one, the table's title. */
NODISCARD status table_to_file(const struct table *table, const char *path, const char *about,
                               const struct dialect *dialect, const char *sheet);

#endif
