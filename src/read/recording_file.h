/* recording_file.h: the chunks of recordings: where they lie, in which order they count, and their bytes, one chunk at a time.
 *
 * An input is a file or a folder of files, each with one recording or several one behind the other: a process each. Only heads and
 * the list of chunks are kept (64 KiB a process, 32 bytes a chunk); chunks are read where they lie, each time that they are needed.
 * `recording_files` owns all of it until `recording_files_free`; the source is borrowed.
 *
 *     STATUS_INPUT   the file cannot be read, is no recording, or is of a later version
 *
 * A recording may still grow, or its ring turn, while it is read: a chunk that is another one by then is told so.
 */
#ifndef READ_RECORDING_FILE_H
#define READ_RECORDING_FILE_H

#include "base/folder.h"
#include "read/reader.h"
#include "record/format.h"

/* A chunk that was handed out. */
struct recording_spot {
    uint64_t sequence; /* order among all */
    uint64_t lap;      /* as its tags have it */
    uint32_t index;    /* in the file, from the head of its recording on */
    uint32_t kind;     /* enum recording_chunk_kind */
    uint32_t seen;     /* slots when it was read first, and 1: what comes later does not count; 0: not read yet */
    bool checked;      /* its checksum was right */
    bool marked;       /* something is known of a zone that begins in it */
};

/* One recording: a process. */
struct recording_process {
    size_t file;                 /* which of the files */
    uint64_t offset;             /* of its head there */
    uint32_t there;              /* chunks that the file has of it, with the head; it says itself how many there were */
    struct recording_head *head; /* owned; texts in it end with 0 */
    struct recording_spot *spots; /* by sequence; owned */
    size_t count, capacity;       /* of spots */
    unsigned char *ring;          /* a copy of the ring, which may turn while it is read; owned; NULL: none */
    size_t ring_bytes;            /* of it, from chunk 1 on */
    size_t ring_capacity;         /* of it */
};

struct recording_files {
    struct source *source;               /* borrowed */
    struct folder_names names;           /* of a folder */
    size_t file_count;                   /* 1, or files of the folder */
    struct input *opened;                /* of a folder: the file that is open; owned */
    size_t open;                         /* which that is */
    struct recording_process *processes; /* by launch, then by start; owned */
    size_t count, capacity;              /* of processes */
    uint64_t other_chunks;               /* of all files, that are neither empty nor a chunk */
    bool damaged;                        /* a packed file was used as far as it unpacks */
};

/* What became of a chunk. */
enum chunk_verdict {
    CHUNK_FINE,    /* its slots may be used */
    CHUNK_CUT,     /* the same, as far as the file goes */
    CHUNK_DAMAGED, /* its checksum is wrong, or its head makes no sense */
    CHUNK_REUSED   /* it is another chunk by now */
};

struct chunk_view {
    enum chunk_verdict verdict; /* of the rest nothing counts where it is damaged or reused */
    const uint64_t *slots;      /* two words each */
    uint32_t count;             /* of slots */
    uint32_t thread;            /* that they begin with */
    uint64_t lap;               /* of slots that count */
};

/* A chunk's worth of memory for `recording_load`. */
struct chunk_buffer {
    uint64_t words[RECORDING_CHUNK / 8]; /* as it lies in the file */
};

/* Whether a folder has recordings in it. */
bool recording_in_folder(const char *path);

/* Finds all processes and chunks. Free it also after a failure. */
NODISCARD status recording_files_open(struct recording_files *files, struct source *source);
void recording_files_free(struct recording_files *files);

NODISCARD status recording_load(struct recording_files *files, const struct recording_process *process,
                                struct recording_spot *spot, struct chunk_buffer *buffer, struct chunk_view *view);

#endif
