/* pipeline_json.h: JSON documents with an indent of two, as a person may want to read them.
 *
 * A writer borrows its output; failures stick there. Every value in an object is given with its key, in a list with NULL.
 */
#ifndef EXECUTORCH_PIPELINE_JSON_H
#define EXECUTORCH_PIPELINE_JSON_H

#include <stdbool.h>
#include <stdint.h>

#include "base/output.h"

struct json_writer {
    struct output *output;
    unsigned depth;
    bool first; /* nothing stands in the innermost object or list yet */
};

struct json_writer json_writer(struct output *output);
void json_open(struct json_writer *writer, const char *key, char bracket);         /* '{' or '[' */
void json_close(struct json_writer *writer, char bracket);                         /* '}' or ']' */
void json_put_text(struct json_writer *writer, const char *key, const char *text); /* NULL: null */
void json_put_integer(struct json_writer *writer, const char *key, int64_t value);
void json_put_decimal(struct json_writer *writer, const char *key, double value); /* NaN: null */
void json_put_truth(struct json_writer *writer, const char *key, bool value);
void json_put_null(struct json_writer *writer, const char *key);
void json_finish(struct json_writer *writer); /* the last line's end */

#endif
