/* folders.c: what lies in the given folders, again and again. */
#include "serve/folders.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/folder.h"
#include "base/memory.h"
#include "base/path.h"
#include "read/reader.h"
#include "serve/guard.h"

enum { SURE = 50 }; /* a folder above others may look like one of them a little */

/* ---- What was given --------------------------------------------------------------------------------------------------- */

/* Whether a folder is surely one profile: its reader reads folders only. Where it reads files too, each of these is a profile of its own. */
static bool is_profile_folder(const char *path)
{
    struct reader_walk walk = { 0 };

    for (const struct reader *reader = reader_next(&walk); reader; reader = reader_next(&walk))
        if (reader->probe_folder && !reader->probe && reader->probe_folder(path) >= SURE)
            return true;
    return false;
}

static status add_root(struct folders *folders, const char *given, bool whole)
{
    struct folder_root *root = &folders->roots[folders->root_count];
    struct path path = { 0 };
    struct text above;
    status code = path_resolve(&path, given);

    if (code != STATUS_OK) {
        path_free(&path);
        return code;
    }
    *root = (struct folder_root){ .path = path.text, .name = memory_copy_text(given) };
    folders->root_count++;
    if (!root->name)
        return status_no_memory("listing what is served");
    root->folder = !whole && path_is_folder(root->path) && !is_profile_folder(root->path);
    path = (struct path){ 0 };
    above = path_folder(root->path);
    code = root->folder ? path_set(&path, "%s", root->path) : path_set(&path, "%.*s", (int)above.length, above.data);
    root->reach = path.text;
    return code;
}

status folders_start(struct folders *folders, const char *const *paths, size_t count, bool whole)
{
    status code = STATUS_OK;

    *folders = (struct folders){ 0 };
    assert(paths || !count);
    if (count > FOLDERS_ROOTS)
        return status_fail(STATUS_USAGE, "tacho serve takes up to %d files and folders; a folder serves all in it",
                           FOLDERS_ROOTS);
    folders->roots = memory_allocate_clear((count + 1) * sizeof *folders->roots);
    if (!folders->roots)
        return status_no_memory("listing what is served");
    for (size_t i = 0; i < count && code == STATUS_OK; i++)
        code = add_root(folders, paths[i], whole);
    return code;
}

static void free_item(struct served *item)
{
    memory_free(item->path);
    memory_free(item->spoken);
    memory_free(item->name);
    memory_free(item);
}

void folders_free(struct folders *folders)
{
    for (size_t i = 0; i < folders->root_count; i++) {
        memory_free(folders->roots[i].path);
        memory_free(folders->roots[i].name);
        memory_free(folders->roots[i].reach);
    }
    for (size_t i = 0; i < folders->count; i++)
        free_item(folders->items[i]);
    memory_free(folders->roots);
    memory_free(folders->items);
    map_free(&folders->by_path);
    *folders = (struct folders){ 0 };
}

bool folders_hold(const struct folders *folders, const char *path)
{
    for (size_t i = 0; i < folders->root_count; i++) {
        size_t length = strlen(folders->roots[i].path);

        if (strncmp(path, folders->roots[i].path, length) != 0)
            continue;
        /* Of "/runs" also "/runs/a", not "/runs2"; of "/" everything. */
        if (!path[length] || path[length] == '/' || (length && path[length - 1] == '/'))
            return true;
    }
    return false;
}

status folders_check(const struct folders *folders, const struct served *item)
{
    struct path now = { 0 };
    status code = path_resolve(&now, item->spoken);

    if (code == STATUS_OK && (strcmp(now.text, item->path) != 0 || !folders_hold(folders, now.text)))
        code = status_fail(STATUS_INPUT, "%s: leads elsewhere now", item->name);
    path_free(&now);
    return code;
}

struct served *folders_find(const struct folders *folders, const char *id)
{
    for (size_t i = 0; i < folders->count; i++)
        if (strcmp(folders->items[i]->id, id) == 0)
            return folders->items[i]->gone ? NULL : folders->items[i];
    return NULL;
}

/* ---- Looking through it ------------------------------------------------------------------------------------------------ */

static struct served *item_at(const struct folders *folders, const char *path, uint64_t hash)
{
    size_t cursor;

    for (uint32_t at = map_first(&folders->by_path, hash, &cursor); at != MAP_NONE;
         at = map_next(&folders->by_path, hash, &cursor))
        if (strcmp(folders->items[at]->path, path) == 0)
            return folders->items[at];
    return NULL;
}

/* Where the walk is: one place, by three names. */
struct spot {
    struct path path;   /* without links */
    struct path spoken; /* as the user would write it */
    struct path name;   /* below the folder that was given */
};

static void free_spot(struct spot *spot)
{
    path_free(&spot->path);
    path_free(&spot->spoken);
    path_free(&spot->name);
}

/* A new item; it is the list's once its hash is there. */
static status new_item(struct folders *folders, const struct spot *spot, uint64_t hash, struct served **made)
{
    struct served *item = memory_allocate_clear(sizeof *item);
    status code = memory_grow(&folders->items, &folders->capacity, folders->count + 1, sizeof *folders->items);

    *made = NULL;
    if (item) {
        item->path = memory_copy_text(spot->path.text);
        item->spoken = memory_copy_text(spot->spoken.text);
        item->name = memory_copy_text(spot->name.text);
    }
    if (code == STATUS_OK && (!item || !item->path || !item->spoken || !item->name))
        code = status_no_memory("listing what is served");
    if (code == STATUS_OK)
        code = guard_random(item->id, FOLDERS_ID / 2);
    if (code == STATUS_OK)
        code = map_add(&folders->by_path, hash, (uint32_t)folders->count);
    if (code != STATUS_OK) {
        if (item)
            free_item(item);
        return code;
    }
    folders->items[folders->count++] = *made = item;
    return STATUS_OK;
}

/* What is there now; true: that is new. */
static bool renew(struct folders *folders, struct served *item, const struct stat *about)
{
    int64_t modified = (int64_t)about->st_mtim.tv_sec * 1000000000 + about->st_mtim.tv_nsec;
    uint64_t size = S_ISDIR(about->st_mode) ? 0 : (uint64_t)about->st_size;
    bool changed = !item->version || item->gone || item->size != size || item->modified != modified;

    if (changed) {
        item->version++;
        folders->changes++;
    }
    item->size = size;
    item->modified = modified;
    item->folder = S_ISDIR(about->st_mode);
    return changed;
}

bool folders_look(struct folders *folders, struct served *item)
{
    struct stat about;

    if (stat(item->path, &about) != 0)
        return false; /* the next scan tells that it is gone */
    if (renew(folders, item, &about))
        return true;
    if (item->folder) {
        item->version++;
        folders->changes++;
    }
    return item->folder;
}

static status see(struct folders *folders, const struct spot *spot, const struct stat *about, bool given)
{
    uint64_t hash = map_hash_bytes(spot->path.text, spot->path.length);
    struct served *item = item_at(folders, spot->path.text, hash);
    status code;

    if (!item) {
        if (folders->count >= FOLDERS_MOST) {
            folders->unread++;
            return STATUS_OK;
        }
        code = new_item(folders, spot, hash, &item);
        if (code != STATUS_OK)
            return code;
    }
    renew(folders, item, about);
    item->given |= given;
    item->gone = false;
    item->seen = true;
    return STATUS_OK;
}

/* A link to a file counts where it leads to something that is served. */
static status see_link(struct folders *folders, const struct spot *link)
{
    struct spot spot = *link;
    struct stat about;
    status code;

    spot.path = (struct path){ 0 };
    code = path_resolve(&spot.path, link->spoken.text);
    if (code == STATUS_INPUT || (code == STATUS_OK && !folders_hold(folders, spot.path.text))) {
        folders->outside++;
        status_clear();
        code = STATUS_OK;
    } else if (code == STATUS_OK && stat(spot.path.text, &about) == 0 && S_ISREG(about.st_mode)) {
        code = see(folders, &spot, &about, false);
    }
    path_free(&spot.path);
    return code;
}

static status look_into(struct folders *folders, struct spot *spot, unsigned depth);

static status look_at(struct folders *folders, struct spot *spot, unsigned depth)
{
    struct stat about;

    if (lstat(spot->path.text, &about) != 0) {
        folders->unread++;
        return STATUS_OK;
    }
    if (S_ISLNK(about.st_mode))
        return see_link(folders, spot);
    if (S_ISREG(about.st_mode))
        return see(folders, spot, &about, false);
    if (!S_ISDIR(about.st_mode))
        return STATUS_OK;
    if (is_profile_folder(spot->path.text))
        return see(folders, spot, &about, false);
    if (depth < FOLDERS_DEPTH)
        return look_into(folders, spot, depth + 1);
    folders->unread++;
    return STATUS_OK;
}

/* The spot is that of the folder, also at the end. */
static status look_into(struct folders *folders, struct spot *spot, unsigned depth)
{
    const size_t path = spot->path.length, spoken = spot->spoken.length, name = spot->name.length;
    struct folder_names names;
    status code = folder_list(spot->path.text, &names);

    if (code == STATUS_INPUT) {
        status_clear();
        folders->unread++;
        code = STATUS_OK;
    }
    for (size_t i = 0; i < names.count && code == STATUS_OK; i++) {
        if (*names.names[i] == '.')
            continue;
        code = path_add(&spot->path, names.names[i]);
        if (code == STATUS_OK)
            code = path_add(&spot->spoken, names.names[i]);
        if (code == STATUS_OK)
            code = path_add(&spot->name, names.names[i]);
        if (code == STATUS_OK)
            code = look_at(folders, spot, depth);
        path_cut(&spot->path, path);
        path_cut(&spot->spoken, spoken);
        path_cut(&spot->name, name);
    }
    folder_free(&names);
    return code;
}

static status look_at_root(struct folders *folders, const struct folder_root *root)
{
    bool alone = root->folder && folders->root_count == 1;
    struct spot spot = { .path = { 0 } };
    struct stat about;
    status code = path_set(&spot.path, "%s", root->path);

    if (code == STATUS_OK)
        code = path_set(&spot.spoken, "%s", root->name);
    if (code == STATUS_OK)
        code = path_set(&spot.name, "%s", alone ? "" : path_name(root->path));
    if (code == STATUS_OK && root->folder)
        code = look_into(folders, &spot, 0);
    else if (code == STATUS_OK && stat(root->path, &about) == 0)
        code = see(folders, &spot, &about, true);
    free_spot(&spot);
    return code;
}

status folders_scan(struct folders *folders)
{
    const size_t outside = folders->outside, unread = folders->unread;
    status code = STATUS_OK;

    folders->outside = folders->unread = 0;
    for (size_t i = 0; i < folders->count; i++)
        folders->items[i]->seen = false;
    for (size_t i = 0; i < folders->root_count && code == STATUS_OK; i++)
        code = look_at_root(folders, &folders->roots[i]);
    for (size_t i = 0; i < folders->count && code == STATUS_OK; i++) {
        folders->changes += folders->items[i]->gone == folders->items[i]->seen;
        folders->items[i]->gone = !folders->items[i]->seen;
    }
    folders->changes += folders->outside != outside || folders->unread != unread;
    return code;
}
