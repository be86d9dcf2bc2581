/* path.c: paths that grow, and what lies there. */
#include "base/path.h"

#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/memory.h"

/* ---- Building ---- */

/* Room for `length` bytes behind what is there, and a NUL. */
static status make_room(struct path *path, size_t length)
{
    if (path->failure == STATUS_OK)
        path->failure = memory_grow(&path->text, &path->capacity, path->length + length + 1, 1);
    return path->failure;
}

static status add_bytes(struct path *path, const char *data, size_t length)
{
    if (make_room(path, length) != STATUS_OK)
        return path->failure;
    memcpy(path->text + path->length, data, length);
    path->length += length;
    path->text[path->length] = '\0';
    return STATUS_OK;
}

static status set_formatted(struct path *path, const char *format, va_list arguments)
{
    va_list again;
    int length;

    va_copy(again, arguments);
    length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    if (length < 0)
        return path->failure = status_fail(STATUS_INPUT, "a path cannot be written");
    if (make_room(path, (size_t)length) != STATUS_OK)
        return path->failure;
    path->length = (size_t)vsnprintf(path->text, (size_t)length + 1, format, arguments);
    return STATUS_OK;
}

status path_set(struct path *path, const char *format, ...)
{
    va_list arguments;
    status code;

    path->length = 0;
    path->failure = STATUS_OK;
    va_start(arguments, format);
    code = set_formatted(path, format, arguments);
    va_end(arguments);
    return code;
}

status path_add(struct path *path, const char *name)
{
    if (path->length && path->text[path->length - 1] != '/')
        add_bytes(path, "/", 1);
    return path_append(path, name);
}

status path_append(struct path *path, const char *text)
{
    assert(text && (path->text || !path->length));
    return add_bytes(path, text, strlen(text));
}

status path_resolve(struct path *path, const char *from)
{
    char resolved[PATH_MAX]; /* realpath(3) gives no more */

    path->length = 0;
    path->failure = STATUS_OK;
    if (!realpath(from, resolved))
        return path->failure = status_fail_at(STATUS_INPUT, (struct place){ .file = from }, "%s", strerror(errno));
    return path_append(path, resolved);
}

void path_cut(struct path *path, size_t length)
{
    if (length >= path->length)
        return;
    path->length = length;
    path->text[length] = '\0';
}

void path_free(struct path *path)
{
    memory_free(path->text);
    *path = (struct path){ .text = NULL };
}

/* ---- What lies there ---- */

bool path_exists(const char *path)
{
    struct stat found;

    return path && stat(path, &found) == 0;
}

bool path_is_file(const char *path)
{
    struct stat found;

    return path && stat(path, &found) == 0 && S_ISREG(found.st_mode);
}

bool path_is_folder(const char *path)
{
    struct stat found;

    return path && stat(path, &found) == 0 && S_ISDIR(found.st_mode);
}

bool path_same_file(const char *one, const char *other)
{
    struct stat first, second;

    return one && other && stat(one, &first) == 0 && stat(other, &second) == 0 && S_ISREG(first.st_mode) &&
           first.st_dev == second.st_dev && first.st_ino == second.st_ino;
}

/* One that another process makes at the same time is as good. */
static status make_one(const char *path)
{
    int error = path_is_folder(path) || mkdir(path, 0777) == 0 ? 0 : errno;

    if (error == EEXIST && path_is_folder(path))
        error = 0;
    return error ? status_fail_at(STATUS_OUTPUT, (struct place){ .file = path }, "the folder cannot be made: %s",
                                  strerror(error))
                 : STATUS_OK;
}

status path_make_folder(const char *path)
{
    struct path part = { .text = NULL };
    status code = path_set(&part, "%s", path);

    for (size_t i = 1; i <= part.length && code == STATUS_OK; i++) {
        char sign = part.text[i];

        if (sign && (sign != '/' || part.text[i - 1] == '/'))
            continue;
        part.text[i] = '\0';
        code = make_one(part.text);
        part.text[i] = sign;
    }
    path_free(&part);
    return code;
}
