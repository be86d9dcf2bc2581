/* device_host.h: fetches the markers of a device (device.h) when a launch has ended, and appends them to profile_log_device.csv, which
 * `tacho device` and Tenstorrent's own scripts read.
 *
 * Ownership: everything that is given stays the caller's; names are the caller's until tacho_device_names_free.
 * Failure: calls return a status, and say in a message what could not be done. Markers that make no sense are counted in the report,
 * and the others are used. Nothing here prints, exits, or keeps anything between two calls.
 * Threads: calls for one log may come from several threads or processes; each appends all of its rows at once.
 */
#ifndef TACHO_DEVICE_HOST_H
#define TACHO_DEVICE_HOST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifndef TACHO_RECORD_API
#define TACHO_RECORD_API __attribute__((visibility("default")))
#endif

enum tacho_device_status {
    TACHO_DEVICE_OK = 0,
    TACHO_DEVICE_OFF,    /* TT_METAL_DEVICE_PROFILER is not 1: nothing was done */
    TACHO_DEVICE_USAGE,  /* the call made no sense: nothing was done */
    TACHO_DEVICE_INPUT,  /* a buffer or a file could not be read */
    TACHO_DEVICE_OUTPUT, /* the log could not be written, and is as it was */
    TACHO_DEVICE_MEMORY  /* out of memory */
};

enum { TACHO_DEVICE_MESSAGE = 512 }; /* bytes of a message */

/* The processors of a core. */
enum tacho_device_risc {
    TACHO_DEVICE_BRISC,
    TACHO_DEVICE_NCRISC,
    TACHO_DEVICE_TRISC_0,
    TACHO_DEVICE_TRISC_1,
    TACHO_DEVICE_TRISC_2,
    TACHO_DEVICE_ERISC,
    TACHO_DEVICE_RISC_COUNT
};

TACHO_RECORD_API const char *tacho_device_risc_name(enum tacho_device_risc risc); /* "TRISC_0" */

/* ---- names ------------------------------------------------------------------------------------------------------ */

/* What the hashes of named zones stand for. */
struct tacho_device_names;

/* Adds the names of a file: an object file or a program with kernels in it, or what `objcopy --dump-section tacho_zones=FILE` takes
 * out of one. `*names` is NULL the first time. `message` has TACHO_DEVICE_MESSAGE bytes, or is NULL. After a failure `*names` has what
 * was read until then. */
TACHO_RECORD_API enum tacho_device_status tacho_device_names_read(struct tacho_device_names **names, const char *path,
                                                                  char *message);
TACHO_RECORD_API void tacho_device_names_free(struct tacho_device_names *names); /* NULL: nothing */

struct tacho_device_name {
    const char *name; /* of the zone; texts are valid until names are added or freed */
    const char *file; /* of its source */
    uint32_t line;    /* in the file */
};

/* False: the hash is not known. */
TACHO_RECORD_API bool tacho_device_names_find(const struct tacho_device_names *names, uint32_t hash,
                                              struct tacho_device_name *found);
/* How many places of the source have the hash of another one, whose name they are shown with. */
TACHO_RECORD_API uint32_t tacho_device_names_collisions(const struct tacho_device_names *names);

/* ---- who listens ------------------------------------------------------------------------------------------------ */

/* Something that a processor marked. */
struct tacho_device_event {
    uint32_t chip;               /* as in the launch */
    uint32_t x, y;               /* core, as in the launch */
    enum tacho_device_risc risc; /* processor of the core */
    uint32_t run_host_id;        /* as in the launch */
    uint32_t id;                 /* the number of a marker or a sum; of a zone its hash */
    const char *name;            /* NULL: it has a number alone; valid during the call */
    const char *file;            /* "": not known; valid during the call */
    uint32_t line;               /* in the file; 0: not known */
    uint64_t start, end;         /* cycles; equal where it is a point */
    uint64_t sum;                /* cycles of a sum; 0: it is none */
};

/* Is told what was fetched, after the log has it. Each call may be NULL. */
struct tacho_device_listener {
    void *context; /* for all calls */
    /* The chip's clock stood at `cycles` between two readings of the host's. */
    void (*tie)(void *context, uint32_t chip, uint64_t before_ns, uint64_t cycles, uint64_t after_ns);
    /* Firmware, a kernel, or a named zone: `start` to `end`. On one processor they come by their ends. */
    void (*zone)(void *context, const struct tacho_device_event *event);
    /* A marker of the program's own, or a sum. */
    void (*mark)(void *context, const struct tacho_device_event *event);
};

/* ---- fetching --------------------------------------------------------------------------------------------------- */

enum tacho_device_generation {
    TACHO_DEVICE_NUMBERED, /* six columns with numbers; named zones have no place there, and are left out */
    TACHO_DEVICE_ZONED     /* fifteen columns with names and the host's number of the run */
};

struct tacho_device_core {
    uint32_t x,
        y; /* what `read` is asked for and the log shows. Logs with numbers count the cores of a grid without gaps, others show
                       the place on the chip: mapping one to the other is up to the caller */
    uint32_t riscs; /* bit 1 << TACHO_DEVICE_BRISC and so on; 0: BRISC, NCRISC and the three TRISCs */
};

/* Reads `size` bytes of a core's memory, as the processor has them (little endian). 0: done. */
typedef int tacho_device_read(void *context, uint32_t x, uint32_t y, enum tacho_device_risc risc, uint64_t address,
                              size_t size, void *bytes);

/* Fields that are 0 or NULL are at their default. */
struct tacho_device_launch {
    uint32_t chip;                               /* PCIe slot */
    const char *architecture;                    /* as in "ARCH: grayskull"; must be given */
    uint32_t megahertz;                          /* of the chip's clock; must be given */
    uint32_t compute_cores;                      /* that the chip has; 0: the log does not tell */
    enum tacho_device_generation generation;     /* of the log */
    uint32_t run_host_id;                        /* number of the run, in a log with names */
    const struct tacho_device_core *cores;       /* that took part */
    size_t core_count;                           /* of cores */
    uint64_t addresses[TACHO_DEVICE_RISC_COUNT]; /* of the buffers of a core's processors */
    uint32_t words;                              /* of a buffer; 0: 51 */
    tacho_device_read *read;                     /* must be given */
    void *context;                               /* for `read` */
    const struct tacho_device_names *names;      /* NULL: none are known */
    const char *folder; /* of the log, made where missing; NULL: of the op that runs (ops.h), else
                           tt_metal/tools/profiler/logs */
    const struct tacho_device_listener *listener; /* NULL: the recording, where one is being made (zone.h) */
    bool tied;                                    /* the next three are given */
    uint64_t before_ns, cycles, after_ns;         /* as in the listener */
};

struct tacho_device_report {
    uint64_t buffers;  /* fetched */
    uint64_t markers;  /* fetched: written, left out or bad */
    uint64_t written;  /* rows in the log */
    uint64_t dropped;  /* by the device, for want of room */
    uint64_t damaged;  /* buffers with an impossible end index, of which nothing was used */
    uint64_t bad;      /* markers without an id, with an impossible time, or a sum that nothing dates */
    uint64_t left_out; /* named zones, in a log with numbers */
    uint64_t unnamed;  /* named zones whose names are not known: the log shows their hashes */
    uint64_t unpaired; /* starts without an end and ends without a start; the log has them all the same */
    char message
        [TACHO_DEVICE_MESSAGE]; /* what failed, or what was counted above that should not be; empty: all is well */
};

/* Whether the environment says TT_METAL_DEVICE_PROFILER=1. */
TACHO_RECORD_API bool tacho_device_enabled(void);

/* Fetches the buffers of all cores and appends their rows to the log. Without TT_METAL_DEVICE_PROFILER=1 it does nothing. */
TACHO_RECORD_API enum tacho_device_status tacho_device_fetch(const struct tacho_device_launch *launch,
                                                             struct tacho_device_report *report);

#ifdef __cplusplus
}
#endif

#endif
