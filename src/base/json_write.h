/* json_write.h: JSON documents on their way to an output: commas, lines and indents come by themselves.
 *
 * A json_out borrows its output, and failures stick there. Whatever bytes go in, what comes out is valid JSON in UTF-8. Every value
 * of an object is given with its key, of an array with NULL. Each object and array says how it is laid out; one inside of another
 * that is on one line is on that line, too.
 *
 *     json_out_object(&out, NULL, JSON_LINES);        {
 *     json_out_text(&out, "name", "net");               "name": "net",
 *     json_out_array(&out, "runs", JSON_LINES);         "runs": [
 *     json_out_object(&out, NULL, JSON_ONE_LINE);         {"ms": 1.5, "kept": true}
 *     json_out_decimal(&out, "ms", 1.5);                ]
 *     json_out_truth(&out, "kept", true);             }
 *     json_out_end(&out); ... three times; json_out_finish(&out);
 */
#ifndef BASE_JSON_WRITE_H
#define BASE_JSON_WRITE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/json.h"
#include "base/output.h"
#include "base/text.h"

enum { JSON_OUT_DEEPEST = JSON_DEEPEST + 64 }; /* a tree that was read, and what is around it */

enum json_layout {
    JSON_LINES,    /* an element on each line, two blanks further in, as Python's json.dump(indent=2) */
    JSON_ONE_LINE, /* {"a": 1, "b": [2, 3]} */
    JSON_TIGHT     /* {"a":1,"b":[2,3]} */
};

struct json_level {
    uint8_t layout; /* enum json_layout */
    bool array;     /* false: an object */
    bool any;       /* it has an element */
};

struct json_out {
    struct output *output;                      /* borrowed */
    unsigned depth;                             /* objects and arrays that are open */
    struct json_level levels[JSON_OUT_DEEPEST]; /* by depth */
};

/* ---- Documents ---- */

void json_out_start(struct json_out *out, struct output *output);
/* As if the brackets ("{[": an array in an object) stood open, in lines: for a document that is written in parts. `any`: there is an
 * element in the innermost. */
void json_out_inside(struct json_out *out, struct output *output, const char *brackets, bool any);
void json_out_finish(struct json_out *out); /* the last line's end; everything is closed */

void json_out_object(struct json_out *out, const char *key, enum json_layout layout);
void json_out_array(struct json_out *out, const char *key, enum json_layout layout);
void json_out_end(struct json_out *out); /* of the innermost object or array */

void json_out_text(struct json_out *out, const char *key, const char *text); /* NULL is null */
void json_out_string(struct json_out *out, const char *key, struct text text);
void json_out_integer(struct json_out *out, const char *key, int64_t value);
void json_out_unsigned(struct json_out *out, const char *key, uint64_t value);
void json_out_decimal(struct json_out *out, const char *key, double value); /* NaN and infinity are null */
void json_out_truth(struct json_out *out, const char *key, bool value);
void json_out_null(struct json_out *out, const char *key);
/* A tree that was read. `sorted`: keys by bytes, in objects of up to 64. */
void json_out_tree(struct json_out *out, const char *key, const struct json *value, bool sorted);
/* Everything that stands before a value, which the caller then writes himself. */
struct output *json_out_value(struct json_out *out, const char *key);
/* Elements that were written elsewhere, inside of as many brackets; nothing where there are none. */
void json_out_elements(struct json_out *out, struct text written);

/* ---- Single values, for writers that have a layout of their own ---- */

/* JSON as somebody else wrote it, without blanks: strings as below, NaN and infinity are null. A text that is no JSON, or nests more than
 * JSON_DEEPEST, becomes a string. */
void json_value_json(struct output *output, struct text json);

/* A string with its quotes. Bytes that are no UTF-8 become U+FFFD. "</" and "<!" are written with \u003c, so that JSON inside an HTML
 * script element cannot end it. */
void json_value_string(struct output *output, struct text text);
void json_value_integer(struct output *output, int64_t value);
void json_value_unsigned(struct output *output, uint64_t value);
void json_value_decimal(struct output *output,
                        double value); /* the shortest that reads back; NaN and infinity are null */

#endif
