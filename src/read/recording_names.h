/* recording_names.h: records out of slots, and what records refer to by number: sites, threads, clocks and tracks of devices.
 *
 * Names of a process are read before its events. They own their memory until `recording_names_free`; texts are in the pool.
 */
#ifndef READ_RECORDING_NAMES_H
#define READ_RECORDING_NAMES_H

#include "base/map.h"
#include "read/recording_file.h"

enum { RECORD_VALUES = 3 }; /* that a record has at most */

struct record {
    uint32_t kind;                  /* enum recording_kind */
    uint32_t id;                    /* of what its kind says */
    uint64_t word;                  /* time or value */
    uint64_t values[RECORD_VALUES]; /* behind it */
    uint32_t types[RECORD_VALUES];  /* of each */
    struct text text;               /* borrowed from the text buffer */
    uint32_t slots;                 /* that it takes */
};

struct record_text {
    char bytes[RECORDING_TEXT_MOST + RECORDING_SLOT_TEXT]; /* the text of one record, put together */
};

enum record_verdict {
    RECORD_FINE,
    RECORD_BROKEN, /* its values or its text are not all there */
    RECORD_STRANGE /* there is no such kind */
};

/* The record that begins in a slot of the chunk's lap. */
enum record_verdict record_take(const struct chunk_view *view, uint32_t slot, struct record_text *text,
                                struct record *record);

static inline bool record_is_piece(uint32_t kind)
{
    return kind == RECORD_VALUE || kind == RECORD_TEXT;
}

struct recording_site {
    string_id name;     /* 0: not recorded */
    string_id function; /* 0: none */
    string_id file;     /* 0: none */
    uint32_t line;      /* 0: none */
    uint32_t flags;     /* enum recording_site_flags */
    operator_id op;     /* NO_ID: not announced yet */
    bool known;         /* its record was there */
};

struct recording_thread_name {
    string_id name;  /* 0: none */
    uint64_t system; /* number that the system gave it */
};

struct recording_clock_name {
    string_id name; /* of a device's clock */
    uint64_t rate;  /* ticks per second; 0: not known */
};

struct recording_track_name {
    string_id name; /* levels separated by "/" */
    uint32_t clock; /* number of the clock; 0: the recording's */
};

struct recording_names {
    struct strings *strings;          /* borrowed */
    struct recording_site *sites;     /* by number */
    size_t site_count, site_capacity; /* of sites: the largest number + 1 */
    uint64_t most;                    /* numbers from here on make no sense in a file of this size */
    struct number_map thread_map;     /* number to place in `threads` */
    struct column threads;            /* struct recording_thread_name */
    struct number_map clock_map;      /* number to place in `clocks` */
    struct column clocks;             /* struct recording_clock_name */
    struct number_map track_map;      /* number to place in `tracks` */
    struct column tracks;             /* struct recording_track_name */
    string_id process;                /* name that the process gave itself; 0: none */
};

void recording_names_start(struct recording_names *names, struct strings *strings, uint64_t most);
void recording_names_free(struct recording_names *names);
/* Keeps what a record of a chunk of names says. `*fits` is false where its number makes no sense. */
NODISCARD status recording_names_add(struct recording_names *names, const struct record *record, bool *fits);

NODISCARD status recording_site_made(struct recording_names *names, uint32_t number, struct recording_site **site);

/* A site by number; one that was not recorded is made, with a name that tells its number. NULL in `*site`: no number of a site. */
NODISCARD static inline status recording_site(struct recording_names *names, uint32_t number,
                                              struct recording_site **site)
{
    if (number >= names->site_count || !names->sites[number].known)
        return recording_site_made(names, number, site);
    *site = &names->sites[number];
    return STATUS_OK;
}

#endif
