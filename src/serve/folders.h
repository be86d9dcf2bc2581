/* folders.h: the files and folders that are served, and no others.
 *
 * What was given on the command line is resolved once; what is served lies there, by its path without links. A folder is looked through
 * again and again: new files appear, changed ones get a new version, those that are gone are marked so. Links to folders are not
 * followed, and links to files only where they lead to something that is served. Names that begin with a dot are passed over.
 *
 * The list owns its items; they stay where they are until `folders_free`, so that whoever works on one may keep the pointer. An item
 * does not change but in `folders_scan`, which the caller locks.
 */
#ifndef SERVE_FOLDERS_H
#define SERVE_FOLDERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/map.h"
#include "base/status.h"

enum {
    FOLDERS_ID = 16,      /* characters of an id */
    FOLDERS_DEPTH = 12,   /* folders inside of each other that are looked into */
    FOLDERS_MOST = 10000, /* files that are listed */
    FOLDERS_ROOTS = 256   /* given on the command line */
};

/* Something that may be a profile: a file, or a folder that a reader takes as one. */
struct served {
    char id[FOLDERS_ID + 1]; /* random: it tells nothing of the path, and cannot be guessed */
    char *path;              /* absolute, without links; owned */
    char *spoken;            /* the path as the user would write it, for jobs and what they say; owned */
    char *name;              /* for people: below the folder that was given; owned */
    uint64_t size;           /* bytes; of a folder 0 */
    int64_t modified;        /* ns since 1970 */
    uint32_t version;        /* counts up when size or time change; from 1 */
    bool folder;             /* one that a reader takes as a whole */
    bool given;              /* named by the user, not found in a folder */
    bool gone;               /* no longer there */
    bool seen;               /* in the scan that is going on */
};

struct folder_root {
    char *path; /* absolute, without links; owned */
    char *name; /* as it was given; owned */
    char *
        reach; /* the folder that jobs about it read in: of a profile the one that it lies in, for what lies beside it; owned */
    bool folder; /* else it is a file, or a folder that is a profile */
};

struct folders {
    struct folder_root *roots; /* as they were given; owned */
    size_t root_count;         /* of roots */
    struct served **items;     /* in the order in which they were found; owned */
    size_t count, capacity;    /* of items */
    struct map by_path;        /* items by the hash of their path */
    uint64_t changes;          /* that scans have seen, of any kind: a number that counts up */
    size_t outside;            /* links of the last scan that lead out of what is served */
    size_t unread;             /* folders and files of the last scan that could not be looked at, or were too many */
};

/* `whole`: each path is a profile, also where it is a folder. STATUS_INPUT: one of the paths is not there. Free it also after a failure. */
NODISCARD status folders_start(struct folders *folders, const char *const *paths, size_t count, bool whole);
void folders_free(struct folders *folders);

/* Looks through all of it again. What cannot be looked at is counted, and no failure. */
NODISCARD status folders_scan(struct folders *folders);

/* Looks at one item alone. True: it has changed. A folder that is a profile always has: nothing tells what happened in it. */
bool folders_look(struct folders *folders, struct served *item);
struct served *folders_find(const struct folders *folders, const char *id); /* NULL: none, or gone */
/* Whether the path of an item still leads where it did, and nowhere else: to be asked right before it is opened. */
NODISCARD status folders_check(const struct folders *folders, const struct served *item);
/* Whether a path without links lies in what was given. */
bool folders_hold(const struct folders *folders, const char *path);

#endif
