/* dialect.h: the named CSV dialects that byte-equal outputs need. */
#ifndef TABLE_DIALECT_H
#define TABLE_DIALECT_H

#include <stdbool.h>

struct dialect {
    const char *name;                     /* for people */
    char delimiter;                       /* between fields */
    const char *line_end;                 /* LF or CRLF */
    const char *null;                     /* text of a null cell */
    const char *yes, *no;                 /* booleans */
    bool titles;                          /* header has titles instead of names */
    bool integers_with_nulls_as_decimals; /* pandas: an integer column with a gap prints 0.0 */
};

extern const struct dialect dialect_plain;  /* comma, LF, true/false, minimal RFC 4180 quoting */
extern const struct dialect dialect_pandas; /* semicolon, LF, True/False, gaps turn integers into decimals */

#endif
