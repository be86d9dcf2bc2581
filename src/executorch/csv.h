/* csv.h: a CSV file with a header line, its columns found by name in any order.
 *
 * Fields are quoted as RFC 4180 says, newlines inside quotes included; line ends are LF or CRLF. Each row is used or
 * lost: rows with the wrong number of fields or a quote that is not closed are lost here, the reader loses those that it
 * cannot use.
 *
 * Rows of these files mostly repeat the texts of the row before. A column that is marked so is compared with that row's
 * bytes first, and `changed` tells the reader what it has to look at again.
 *
 * The CSV owns its buffers until `et_csv_close`; values are views that hold until the next row.
 */
#ifndef EXECUTORCH_CSV_H
#define EXECUTORCH_CSV_H

#include "base/lines.h"
#include "read/reader.h"

enum {
    ET_CSV_COLUMNS = 16, /* that a reader may ask for */
    ET_CSV_FIELDS = 64,  /* that a header may have */
};

struct et_csv_column {
    const char *name; /* lower case */
    bool repeats;     /* rows mostly say the same as the row before */
};

/* What a column said last. */
struct et_csv_memory {
    char *data; /* the field as it stands in the file, then its value without quotes */
    size_t capacity;
    size_t raw; /* bytes of the field */
    bool known;
};

struct et_csv {
    struct source *source;               /* borrowed */
    struct losses *losses;               /* borrowed */
    const struct et_csv_column *columns; /* borrowed: what is asked for */
    unsigned wanted;                     /* columns asked for */
    struct lines *lines;
    struct line line; /* the row */
    char delimiter;
    unsigned field_count;               /* in the header */
    uint8_t column_of[ET_CSV_FIELDS];   /* the column of each field; ET_CSV_COLUMNS: not asked for */
    uint32_t present;                   /* columns that the file has, a bit each */
    uint32_t changed;                   /* columns whose text is not that of the row given before, a bit each */
    bool given;                         /* the row was given to the reader */
    struct text values[ET_CSV_COLUMNS]; /* without quotes; empty where the file has no such column */
    struct et_csv_memory memory[ET_CSV_COLUMNS];
    unsigned leading; /* fields at the start of a row that all repeat: compared as one */
    char *lead;       /* what they said last, delimiters included */
    size_t lead_capacity;
    size_t lead_length; /* 0: not known */
};

/* Reads the header line. STATUS_INPUT where a column of `required` (a bit each) is missing. Close it in any case. */
NODISCARD status et_csv_open(struct et_csv *csv, struct source *source, struct losses *losses,
                             const struct et_csv_column *columns, unsigned wanted, uint32_t required);
void et_csv_close(struct et_csv *csv);

/* The next row that has its fields; `*found` is false at the end. Counts rows, and those that it loses. */
NODISCARD status et_csv_next(struct et_csv *csv, bool *found);

/* Loses the row given last because of what one of its columns says. */
NODISCARD status et_csv_lose(struct et_csv *csv, const struct loss_reason *reason, unsigned column);

/* For probes: the columns in the first line of a file, a bit each. */
uint32_t et_csv_probe(struct text head, const struct et_csv_column *columns, unsigned wanted);

static inline bool et_csv_has(const struct et_csv *csv, unsigned column)
{
    return csv->present >> column & 1;
}

/* A decimal number times ten to `places`, rounded to the nearest integer from its digits: what noise of binary fractions the text
 * has is gone. NULL: read; &loss_number: no number; &loss_time_range: too large. */
const struct loss_reason *et_scaled(struct text text, int places, int64_t *value);

#endif
