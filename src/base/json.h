/* json.h: JSON from memory: a scanner that skips at reading speed, and a tree for small documents.
 *
 * The scanner reads a text that somebody else owns and copies nothing: a string token is the raw bytes between its quotes, and
 * `json_unescape` makes the text. Depth is limited to JSON_DEEPEST. Errors give `file:line:column` and the byte
 * offset. The tree (`json_parse`) lives in an arena.
 */
#ifndef BASE_JSON_H
#define BASE_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/status.h"
#include "base/strings.h"

enum { JSON_DEEPEST = 256 };

enum json_type { JSON_NULL, JSON_FALSE, JSON_TRUE, JSON_NUMBER, JSON_STRING, JSON_ARRAY, JSON_OBJECT };

/* ---- Scanner ---- */

struct json_scan {
    const char *start, *next, *end; /* of the text; what comes next; one past its end */
    const char *file;               /* for errors */
    unsigned depth;                 /* of containers entered and not left */
};

struct json_scan json_scan(const char *file, struct text text);

/* The type of the value that comes next, without taking it. */
NODISCARD status json_peek(struct json_scan *scan, enum json_type *type);
/* Takes any value; strings of many MB are passed at scanning speed. `raw` (may be NULL) is its bytes. */
NODISCARD status json_skip(struct json_scan *scan, struct text *raw);
/* Takes a string: `raw` is what is between the quotes, still escaped; `escaped` (may be NULL): a backslash is in it. */
NODISCARD status json_string(struct json_scan *scan, struct text *raw, bool *escaped);
/* Takes a number as its text. */
NODISCARD status json_number(struct json_scan *scan, struct text *number);
/* Takes the bracket, then each call says whether there is another element (and takes the comma), or takes the end. */
NODISCARD status json_enter(struct json_scan *scan, enum json_type type);
NODISCARD status json_next_element(struct json_scan *scan, bool first, bool *found);
/* The same for objects; `key` is raw. */
NODISCARD status json_next_key(struct json_scan *scan, bool first, struct text *key, bool *found);
/* After the last value: only blanks may follow. */
NODISCARD status json_end(struct json_scan *scan);
/* A failure at the place that the scan has reached. */
status json_fail(const struct json_scan *scan, const char *what);

/* The text of a raw string at `to`, which has room for raw.length bytes; returns its length. Half of a surrogate pair becomes
 * U+FFFD, an escape that JSON does not know stays as it is. `to` may be where `raw` lies. */
size_t json_unescape(struct text raw, char *to);
/* The same for one escape, whose backslash stands at `from`: writes its `*length` bytes, 4 at most, and returns how many were read. */
size_t json_unescape_one(const char *from, const char *end, char *to, size_t *length);

/* ---- Tree ---- */

struct json {
    enum json_type type;      /* tells which of the others are set */
    struct text text;         /* of a string (plain, NUL-terminated), of a number as written */
    const struct json *items; /* elements or values */
    const struct text *keys;  /* of an object, plain and NUL-terminated */
    size_t count;             /* of items */
};

/* The whole document as a tree in the arena. */
NODISCARD status json_parse(struct arena *arena, const char *file, struct text text, const struct json **root);
/* The same of a file, which may be compressed, of `limit` bytes at most. */
NODISCARD status json_parse_file(struct arena *arena, const char *path, size_t limit, const struct json **root);

/* Elements of an array; 0 where it is none, or NULL. */
static inline size_t json_count(const struct json *value)
{
    return value && value->type == JSON_ARRAY ? value->count : 0;
}

/* The value of a key; NULL: there is none, or `value` is no object (or NULL). The last one counts where a key comes twice. */
const struct json *json_get(const struct json *value, const char *key);
/* A path of keys: json_find(root, "device", "name", NULL). */
const struct json *json_find(const struct json *value, ...) __attribute__((sentinel));
const char *json_text(const struct json *value, const char *otherwise); /* of a string; else `otherwise` */
bool json_decimal(const struct json *value, double *number);            /* false: no number */
bool json_integer(const struct json *value, int64_t *number);           /* false: no integer */
bool json_truth(const struct json *value, bool otherwise);

#endif
