/* xlsx_check.h: is a workbook whole?
 *
 * libxlsxwriter does not look at the result of writes to its temporary files: where the disk is full for a moment, rows
 * are missing from a file that otherwise reads well. So what it made is read back.
 */
#ifndef TABLE_XLSX_CHECK_H
#define TABLE_XLSX_CHECK_H

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

/* `file` is the finished workbook. Every part must end with the end of its first element, and the rows of sheet i must
 * be `row_bytes[i]` bytes long (0: there are none). STATUS_OUTPUT: something is missing. */
NODISCARD status xlsx_check(int file, const uint64_t *row_bytes, size_t sheets);

#endif
