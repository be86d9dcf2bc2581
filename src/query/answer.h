/* answer.h: what a statement answers, as a table that any printer prints.
 *
 * SQL has a type for each value, a table one for each column: the rows are kept as they come, and when the last is there a column is of the
 * widest type that its values need: integer, decimal, text. Columns that are those of a table keep their unit and how people read them. An
 * answer owns what it keeps until `answer_free`.
 */
#ifndef QUERY_ANSWER_H
#define QUERY_ANSWER_H

#include "query/sql_table.h"

struct answer;

/* For a statement that was prepared. `facts` tells what is known of a column of a table, NULL: nothing; `memory` is how many bytes the answer may take. */
struct answer_facts {
    const struct sql_column *(*column)(void *context, const char *table, const char *column);
    void *context;   /* for the call */
    uint64_t memory; /* bytes */
};

NODISCARD status answer_new(sqlite3_stmt *statement, const struct answer_facts *facts, struct answer **answer);
void answer_free(struct answer *answer); /* NULL is fine */
/* The row that the statement has come to. STATUS_USAGE: that is more than it may take. */
NODISCARD status answer_add(struct answer *answer, sqlite3_stmt *statement);
/* The table, which is the caller's. */
NODISCARD status answer_table(const struct answer *answer, struct table **table);

#endif
