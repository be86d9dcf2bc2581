/* path.h: paths: their parts, building them without a limit on their length, and what lies there.
 *
 * Parts are views of a path that somebody else owns. A struct path owns its text until `path_free`; a caller that wants to keep the
 * text may take it over instead and free it with `memory_free`.
 */
#ifndef BASE_PATH_H
#define BASE_PATH_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"
#include "base/text.h"

/* ---- Parts ---- */

/* The last part; the whole path where that is empty ("runs/"). */
static inline const char *path_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash && slash[1] ? slash + 1 : path;
}

/* What comes before the last part, without the slash: "runs" of runs/a.csv, "" of a.csv, "/" of /a.csv. */
static inline struct text path_folder(const char *path)
{
    const char *name = path_name(path);

    return text_between(path, name - path > 1 ? name - 1 : name);
}

static inline bool path_ends(const char *path, const char *suffix)
{
    return text_ends(text_of(path), suffix);
}

/* The path without the suffix of a compression. */
static inline struct text path_unpacked(const char *path)
{
    struct text text = text_of(path);

    while (text_cut_end(&text, ".gz") || text_cut_end(&text, ".zst"))
        continue;
    return text;
}

/* The path without its last suffix; a dot that the name begins with is none. */
static inline struct text path_without_suffix(struct text path)
{
    const char *dot = text_last(path, '.'), *slash = text_last(path, '/');

    return dot && dot > (slash ? slash + 1 : path.data) ? text_between(path.data, dot) : path;
}

/* The last suffix with its dot, also of a file that is compressed: ".csv" of runs/a.csv.gz, "" of runs/.hidden. */
static inline struct text path_suffix(const char *path)
{
    struct text whole = path_unpacked(path);

    return text_between(path_without_suffix(whole).data + path_without_suffix(whole).length, path + whole.length);
}

/* The name without suffixes: "a" of runs/a.csv.gz; "stdin" of "-". */
static inline struct text path_stem(const char *path)
{
    return path_without_suffix(path_unpacked(strcmp(path, "-") == 0 ? "stdin" : path_name(path)));
}

/* ---- Building ---- */

/* Zeros are an empty path. */
struct path {
    char *text;      /* with a NUL behind it; NULL: none yet */
    size_t length;   /* without the NUL */
    size_t capacity; /* of the text */
    status failure;  /* the first since `path_set`; nothing is added after it */
};

/* Each of these returns the first failure since the path was set last: it is enough to look at the last of several. */
status path_set(struct path *path, const char *format, ...) PRINTF_LIKE(2, 3); /* begins anew */
status path_add(struct path *path, const char *name);    /* with a slash before it, unless there is one or nothing */
status path_append(struct path *path, const char *text); /* as it is */
status path_resolve(struct path *path,
                    const char *from);           /* absolute, without links; STATUS_INPUT: nothing lies there */
void path_cut(struct path *path, size_t length); /* back to an earlier length */
void path_free(struct path *path);               /* leaves an empty one */

/* ---- What lies there; links are followed, and NULL is nowhere ---- */

bool path_exists(const char *path);
bool path_is_file(const char *path); /* a regular one */
bool path_is_folder(const char *path);
bool path_same_file(const char *one, const char *other); /* one regular file under two names, or one */

/* Makes the folder and those above it, as far as they are missing. */
NODISCARD status path_make_folder(const char *path);

#endif
