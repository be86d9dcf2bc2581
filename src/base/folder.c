/* folder.c: the names in a folder, sorted. */
#include "base/folder.h"

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/memory.h"

bool folder_exists(const char *path)
{
    struct stat found;

    return stat(path, &found) == 0 && S_ISDIR(found.st_mode);
}

static status keep_name(struct folder_names *names, const char *name)
{
    status code = memory_grow(&names->names, &names->capacity, names->count + 1, sizeof *names->names);

    if (code != STATUS_OK)
        return code;
    names->names[names->count] = arena_copy(&names->arena, name, strlen(name));
    if (!names->names[names->count])
        return status_no_memory("listing a folder");
    names->count++;
    return STATUS_OK;
}

static int by_bytes(const void *one, const void *other)
{
    return strcmp(*(const char *const *)one, *(const char *const *)other);
}

status folder_list(const char *path, struct folder_names *names)
{
    struct dirent *entry;
    status code = STATUS_OK;
    DIR *folder;

    assert(path && names);
    *names = (struct folder_names){ .arena = ARENA_EMPTY };
    folder = opendir(path);
    if (!folder)
        return status_fail_at(STATUS_INPUT, (struct place){ .file = path }, "%s", strerror(errno));
    while (code == STATUS_OK && (entry = readdir(folder)))
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            code = keep_name(names, entry->d_name);
    closedir(folder);
    if (code == STATUS_OK && names->count)
        qsort(names->names, names->count, sizeof *names->names, by_bytes);
    return code;
}

void folder_free(struct folder_names *names)
{
    memory_free(names->names);
    arena_free(&names->arena);
    *names = (struct folder_names){ .arena = ARENA_EMPTY };
}
