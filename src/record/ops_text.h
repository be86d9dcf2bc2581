/* ops_text.h: a text that grows, for the rows of the op profiler's logs.
 *
 * A text of zeros is empty. It owns its bytes until `op_text_free`. Where there is no memory for more, what comes is left out and `failed`
 * stays set until the text is cleared: whoever fills it asks once, at the end.
 */
#ifndef RECORD_OPS_TEXT_H
#define RECORD_OPS_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

struct op_text {
    char *data;      /* ends with 0 where it is not NULL; owned */
    size_t length;   /* without that */
    size_t capacity; /* bytes, with that */
    bool failed;     /* something is missing */
};

void op_text_free(struct op_text *text);
void op_text_clear(struct op_text *text);
void op_text_add(struct op_text *text, const char *bytes, size_t length);
void op_text_add_string(struct op_text *text, const char *string);
void op_text_add_number(struct op_text *text, uint64_t number);
/* A value as a field of a log may have it: commas are ";", control characters are blanks, and each of `joints`, which join parts of a
 * field, is "_". */
void op_text_add_clean(struct op_text *text, const char *string, const char *joints);
const char *op_text_string(const struct op_text *text); /* never NULL */

#pragma GCC visibility pop

#endif
