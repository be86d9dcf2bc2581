/* tracy.h: the files that newer tool chains of Tenstorrent leave of a run, and what their parsers hand to each other.
 *
 *   tracy_ops_data.csv           messages: ops with tensors and kernels, traces, signposts   tt_tracy_data.c, tt_tracy_json.c
 *   tracy_ops_times.csv          zones: when the host called each op, and its functions      tt_tracy_times.c
 *   cpp_device_perf_report.csv   device columns, as the tool chain computed them             tt_tracy_cpp.c
 *   profile_log_device.csv       markers of the devices                                      tt_device.c
 *
 * `tt_tracy_join.c` puts them together into rows. A struct tracy owns what it read until `tracy_free` and borrows all else.
 */
#ifndef TENSTORRENT_TRACY_H
#define TENSTORRENT_TRACY_H

#include "base/map.h"
#include "base/path.h"
#include "read/reader.h"
#include "tenstorrent/op_details.h"

/* Each may be NULL: that file is not there. */
struct tracy_files {
    struct input *data;   /* messages of the host */
    struct input *times;  /* when each zone ran */
    struct input *report; /* device columns, as the tool chain computed them */
    struct input *log;    /* markers of the devices */
};

enum tracy_kind { TRACY_DEVICE_OP, TRACY_HOST_OP, TRACY_FALL_BACK_OP };

/* An op as the host tells of it. */
struct tracy_op {
    int64_t call;     /* OP_NONE: not known */
    int64_t trace;    /* in which it was captured; OP_NONE: none */
    int64_t message;  /* ns: when its message was sent; OP_NONE: it has none */
    int64_t start;    /* ns of its host zone; OP_NONE: it has none */
    int64_t duration; /* ns of that zone */
    string_id name;   /* as the first line of its message, or its zone, calls it */
    string_id hash;   /* of its program; 0: not told */
    uint32_t info;    /* NO_ID: none */
    uint32_t calls;   /* of host functions; NO_ID: none */
    uint32_t next;    /* with the same call; NO_ID: none */
    uint32_t last;    /* of the first with that call: the last of them */
    uint32_t untimed; /* of the first with that call: whose host time comes next; NO_ID: all have theirs */
    int32_t device;   /* -1: none, or not known */
    int8_t hit;       /* of the program cache: 0, 1; -1: not told */
    uint8_t kind;     /* enum tracy_kind */
    bool cached;      /* everything else stands in another message */
    uint64_t line;    /* of its message or zone */
};

struct tracy_signpost {
    string_id header, message; /* what it says */
    int64_t time;              /* ns */
};

struct tracy {
    struct source *source;       /* of the file that is being read */
    struct op_details *details;  /* borrowed: what is filled */
    struct strings *strings;     /* of the report */
    struct losses *losses;       /* of the report */
    struct column ops;           /* struct tracy_op */
    struct column signposts;     /* struct tracy_signpost */
    struct column replays;       /* int64_t: ns of its message */
    struct number_map by_call;   /* call: first op */
    struct number_map infos;     /* device, hash: info */
    struct number_map open;      /* device: trace that is being captured, as an id of `traces` */
    struct column traces;        /* int64_t: numbers of traces */
    struct number_map replayed;  /* device and trace, 0: how often; the same, n: which replay of the column */
    struct number_map calls;     /* op, function: call */
    struct number_map functions; /* name: itself; those that a report has room for */
    char *text;                  /* what is being put together */
    size_t length, capacity;     /* of the text */
    char *plain;                 /* a message without doubled quotes */
    size_t plain_capacity;       /* of the plain message */
    char *unescaped;             /* a string of its JSON */
    size_t unescaped_capacity;   /* of the unescaped string */
    struct tracy_json *json;     /* room for what one message tells; NULL: not needed yet */
};

/* A trace of a device in one number. */
static inline uint64_t tracy_trace_key(int64_t device, int64_t trace)
{
    return (uint64_t)device << 32 | (uint32_t)trace;
}

void tracy_start(struct tracy *tracy, struct source *source, struct op_details *details);
void tracy_free(struct tracy *tracy);

/* A new op, nothing known; NULL: out of memory. */
struct tracy_op *tracy_op_new(struct tracy *tracy);
/* Puts the newest op, whose call is set, among those with that call. */
NODISCARD status tracy_op_file(struct tracy *tracy, uint32_t op);

static inline struct tracy_op *tracy_op_at(const struct tracy *tracy, size_t index)
{
    return column_at(&tracy->ops, index);
}

/* Text that grows in `text`; `tracy_intern` gives it with ';' for ',' and begins anew. */
NODISCARD status tracy_put(struct tracy *tracy, const char *data, size_t length);
NODISCARD status tracy_intern(struct tracy *tracy, string_id *id);
/* Another text the same way, without the blanks around it. */
NODISCARD status tracy_intern_text(struct tracy *tracy, struct text text, string_id *id);

/* What the JSON part of a message tells. */
struct tracy_message {
    int64_t call;   /* OP_NONE: not told */
    int32_t device; /* -1: not told */
    int8_t hit;     /* -1: not told */
    bool closed;    /* it is JSON up to its end; else it is cut off or broken, and holds what stands before */
    bool whole;     /* and it tells all of an op: its code, too */
    string_id hash; /* 0: not told */
    uint32_t info;  /* that was made of it */
};

NODISCARD status tracy_read_json(struct tracy *tracy, struct text json, uint64_t line, struct tracy_message *message);
/* Each reads one file to its end; rows are counted in the losses. */
NODISCARD status tracy_read_data(struct tracy *tracy, struct input *input);
NODISCARD status tracy_read_times(struct tracy *tracy, struct input *input);
bool tracy_is_times(struct text head); /* whether a file that begins so is one for `tracy_read_times` */
NODISCARD status tracy_read_report(struct tracy *tracy, struct input *input, struct op_times_list *times);

/* The rows, in order of time, from what was read and the times of the details. */
NODISCARD status tracy_join(struct tracy *tracy);

/* All of it: fills the details and their report. `log` comes back settled, empty where there is no device log. */
NODISCARD status tt_tracy_read(struct source *source, const struct tracy_files *files, struct op_details *details,
                               struct marker_log *log);
/* The same for a folder, or for the files beside the one that is the source. */
NODISCARD status tt_tracy_read_folder(struct source *source, struct op_details *details, struct marker_log *log);

/* Pushes what was read: chips with their ops, cores and RISCs on one clock, the host's calls, signposts. */
NODISCARD status tt_tracy_feed(struct source *source, const struct op_details *details, const struct marker_log *log,
                               struct feed *feed);

/* Names of the files, in the order of struct tracy_files; ends with NULL. */
extern const char *const tt_tracy_names[];
/* The path of one of them in a folder, or in its .logs where it has none of them. */
NODISCARD status tt_tracy_find(const char *folder, const char *name, struct path *to, bool *found);
/* How sure it is that a folder holds such files, as a reader's probe says it. */
int tt_tracy_probe_folder(const char *path);

#endif
