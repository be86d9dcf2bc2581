/* device_host.c: fetches the buffers of a device when a launch has ended, appends their markers to profile_log_device.csv, and tells
 * who listens. All is read before anything is written, and all rows are written at once or not at all. */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tacho/device.h"
#include "tacho/ops.h"

#include "device_decode.h"

enum {
    MOST_WORDS = 1 << 14, /* of a buffer; device memory is small */
    LONGEST_PATH = 4096,
    LONGEST_PIECE = 256, /* bytes of a row that are written at once */
    USUAL_RISCS = 1 << TACHO_DEVICE_BRISC | 1 << TACHO_DEVICE_NCRISC | 1 << TACHO_DEVICE_TRISC_0 |
                  1 << TACHO_DEVICE_TRISC_1 | 1 << TACHO_DEVICE_TRISC_2
};

#define FOLDER "tt_metal/tools/profiler/logs"
#define FILE_NAME "profile_log_device.csv"
#define SIX_COLUMNS "PCIe slot, core_x, core_y, RISC processor type, timer_id, time[cycles since reset]"
#define NINE_COLUMNS \
    "data, run host ID, trace id, trace id counter, zone name, type, source line, source file, meta data"

/* The processors of a core as logs have them one after the other. */
static const enum tacho_device_risc order[] = { TACHO_DEVICE_NCRISC,  TACHO_DEVICE_BRISC,   TACHO_DEVICE_TRISC_0,
                                                TACHO_DEVICE_TRISC_1, TACHO_DEVICE_TRISC_2, TACHO_DEVICE_ERISC };
static const char *const risc_names[] = { "BRISC", "NCRISC", "TRISC_0", "TRISC_1", "TRISC_2", "ERISC" };

/* What one call works on. */
struct fetch {
    const struct tacho_device_launch *launch; /* borrowed */
    struct tacho_device_report *report;       /* borrowed */
    struct tacho_device_listener listener;    /* of the launch, or the recording */
    uint32_t words;                           /* of a buffer */
    unsigned char *bytes;                     /* of a buffer; owned */
    uint32_t *open;                           /* zones of a processor; owned */
    struct device_marker *markers;            /* of all processors, one after the other; owned */
    size_t count, capacity;                   /* of markers */
    char *rows;                               /* of the log; owned */
    size_t length, room;                      /* of rows */
    bool no_memory;                           /* rows are missing */
    char first_drop[64], first_damage[64];    /* where these were met first; empty: nowhere */
};

const char *tacho_device_risc_name(enum tacho_device_risc risc)
{
    return (unsigned)risc < TACHO_DEVICE_RISC_COUNT ? risc_names[risc] : "?";
}

bool tacho_device_enabled(void)
{
    const char *value = getenv("TT_METAL_DEVICE_PROFILER");

    return value && strcmp(value, "1") == 0;
}

/* ---- Buffers ---- */

static void note_place(char place[64], const struct tacho_device_core *core, enum tacho_device_risc risc)
{
    if (!place[0])
        snprintf(place, 64, "%s of core %u, %u", tacho_device_risc_name(risc), core->x, core->y);
}

static enum tacho_device_status fetch_buffer(struct fetch *fetch, size_t core_index, enum tacho_device_risc risc)
{
    const struct tacho_device_launch *launch = fetch->launch;
    const struct tacho_device_core *core = &launch->cores[core_index];
    uint64_t dropped = fetch->report->dropped, damaged = fetch->report->damaged;
    size_t size = (size_t)fetch->words * 4, most = fetch->words / TACHO_DEVICE_TRIPLE, count;

    if (fetch->count + most > fetch->capacity) {
        size_t capacity = (fetch->count + most) * 2;
        struct device_marker *markers = realloc(fetch->markers, capacity * sizeof *markers);

        if (!markers)
            return TACHO_DEVICE_MEMORY;
        fetch->markers = markers;
        fetch->capacity = capacity;
    }
    if (launch->read(launch->context, core->x, core->y, risc, launch->addresses[risc], size, fetch->bytes) != 0) {
        device_say(fetch->report->message, "the markers of %s of core %u, %u, %zu bytes at 0x%llx, could not be read",
                   tacho_device_risc_name(risc), core->x, core->y, size, (unsigned long long)launch->addresses[risc]);
        return TACHO_DEVICE_INPUT;
    }
    count = device_decode(fetch->bytes, fetch->words, fetch->markers + fetch->count, fetch->report);
    for (size_t i = 0; i < count; i++) {
        struct device_marker *marker = &fetch->markers[fetch->count++];

        marker->core = (uint32_t)core_index;
        marker->risc = (uint8_t)risc;
    }
    if (fetch->report->dropped != dropped)
        note_place(fetch->first_drop, core, risc);
    if (fetch->report->damaged != damaged)
        note_place(fetch->first_damage, core, risc);
    return TACHO_DEVICE_OK;
}

static enum tacho_device_status fetch_buffers(struct fetch *fetch)
{
    enum tacho_device_status status = TACHO_DEVICE_OK;

    for (size_t core = 0; core < fetch->launch->core_count; core++) {
        uint32_t riscs = fetch->launch->cores[core].riscs ? fetch->launch->cores[core].riscs : USUAL_RISCS;

        for (size_t i = 0; i < TACHO_DEVICE_RISC_COUNT && status == TACHO_DEVICE_OK; i++)
            if (riscs & 1u << order[i])
                status = fetch_buffer(fetch, core, order[i]);
    }
    return status;
}

/* ---- Rows ---- */

/* Room for `size` bytes more. */
static bool reserve(struct fetch *fetch, size_t size)
{
    if (!fetch->no_memory && fetch->room - fetch->length < size) {
        size_t room = (fetch->room + size) * 2;
        char *rows = realloc(fetch->rows, room);

        fetch->no_memory = !rows;
        if (rows) {
            fetch->rows = rows;
            fetch->room = room;
        }
    }
    return !fetch->no_memory;
}

/* Numbers and fixed texts, which are shorter than LONGEST_PIECE. */
static void __attribute__((format(printf, 2, 3))) put(struct fetch *fetch, const char *format, ...)
{
    va_list arguments;
    int length;

    if (!reserve(fetch, LONGEST_PIECE))
        return;
    va_start(arguments, format);
    length = vsnprintf(fetch->rows + fetch->length, LONGEST_PIECE, format, arguments);
    va_end(arguments);
    assert(length >= 0 && length < LONGEST_PIECE);
    fetch->length += (size_t)length;
}

/* A text as a field: logs have no quotes, and write `;` for a comma. */
static void put_field(struct fetch *fetch, const char *text)
{
    if (!reserve(fetch, strlen(text)))
        return;
    for (; *text; text++)
        fetch->rows[fetch->length++] = *text == ',' ? ';' : (unsigned char)*text < ' ' || *text == 0x7F ? ' ' : *text;
}

static void put_header(struct fetch *fetch)
{
    const struct tacho_device_launch *launch = fetch->launch;

    put(fetch, "ARCH: ");
    put_field(fetch, launch->architecture);
    put(fetch, ", CHIP_FREQ[MHz]: %u", launch->megahertz);
    if (launch->compute_cores)
        put(fetch, ", Max Compute Cores: %u", launch->compute_cores);
    put(fetch,
        launch->generation == TACHO_DEVICE_ZONED ? "\n" SIX_COLUMNS ", " NINE_COLUMNS "\n" : "\n" SIX_COLUMNS "\n");
}

static void put_numbered(struct fetch *fetch, const struct device_marker *marker)
{
    const struct tacho_device_core *core = &fetch->launch->cores[marker->core];

    if (marker->named) {
        fetch->report->left_out++;
        return;
    }
    put(fetch, "%u, %u, %u, %s, %u, %llu\n", fetch->launch->chip, core->x, core->y, risc_names[marker->risc],
        marker->id, (unsigned long long)(marker->kind == DEVICE_SUM ? marker->sum : marker->time));
    fetch->report->written++;
}

static void put_zoned(struct fetch *fetch, const struct device_marker *marker)
{
    static const char *const types[] = { [DEVICE_POINT] = "TS_EVENT",
                                         [DEVICE_START] = "ZONE_START",
                                         [DEVICE_END] = "ZONE_END",
                                         [DEVICE_SUM] = "ZONE_TOTAL" };
    const struct tacho_device_core *core = &fetch->launch->cores[marker->core];
    struct tacho_device_event event;
    char text[DEVICE_TEXT];

    device_name(marker, fetch->launch->names, text, &event);
    if (marker->named && !event.name)
        fetch->report->unnamed++;
    put(fetch, "%u,%u,%u,%s,%u,%llu,%llu,%u,,,", fetch->launch->chip, core->x, core->y, risc_names[marker->risc],
        event.id, (unsigned long long)marker->time, (unsigned long long)marker->sum, fetch->launch->run_host_id);
    put_field(fetch, event.name ? event.name : "");
    put(fetch, ",%s,%u,", types[marker->kind], event.line);
    put_field(fetch, event.file);
    put(fetch, ",\n");
    fetch->report->written++;
}

static void put_rows(struct fetch *fetch)
{
    for (size_t i = 0; i < fetch->count; i++) {
        if (fetch->launch->generation == TACHO_DEVICE_ZONED)
            put_zoned(fetch, &fetch->markers[i]);
        else
            put_numbered(fetch, &fetch->markers[i]);
    }
}

/* ---- The log ---- */

static bool make_folders(char *path)
{
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        int failed;

        *slash = 0;
        failed = mkdir(path, 0777) != 0 && errno != EEXIST;
        *slash = '/';
        if (failed)
            return false;
    }
    return true;
}

static bool write_all(int descriptor, const char *data, size_t size)
{
    while (size) {
        ssize_t count = write(descriptor, data, size);

        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            return false;
        data += count;
        size -= (size_t)count;
    }
    return true;
}

/* Whether the last line of a file lacks its end: a process was killed there. */
static bool is_cut(int descriptor, off_t size)
{
    char last;

    return size && pread(descriptor, &last, 1, size - 1) == 1 && last != '\n';
}

/* Appends the rows, behind a header where the file is new. A file that could not take all of them is as it was. */
static bool append_rows(struct fetch *fetch, int descriptor)
{
    struct stat found;
    bool done;

    while (flock(descriptor, LOCK_EX) != 0 && errno == EINTR)
        continue; /* where the file system has no locks, several processes must not write at once */
    if (fstat(descriptor, &found) != 0)
        return false;
    if (!found.st_size)
        put_header(fetch);
    else if (is_cut(descriptor, found.st_size))
        put(fetch, "\n");
    put_rows(fetch);
    if (fetch->no_memory) {
        errno = ENOMEM;
        return false;
    }
    done = write_all(descriptor, fetch->rows, fetch->length);
    if (!done) {
        int reason = errno;

        if (ftruncate(descriptor, found.st_size) != 0)
            reason = errno;
        errno = reason;
    }
    return done;
}

/* What is fetched while an op runs belongs to that call of it. */
static const char *folder_of(const struct tacho_device_launch *launch)
{
    const char *of_op = launch->folder ? "" : tacho_op_call_folder();

    return launch->folder ? launch->folder : *of_op ? of_op : FOLDER;
}

static enum tacho_device_status write_log(struct fetch *fetch)
{
    const char *folder = folder_of(fetch->launch);
    char path[LONGEST_PATH];
    int length = snprintf(path, sizeof path, "%s/" FILE_NAME, folder), descriptor, reason;
    bool done;

    if (length < 0 || length >= LONGEST_PATH) {
        device_say(fetch->report->message, "the path of the folder is too long");
        return TACHO_DEVICE_OUTPUT;
    }
    descriptor = make_folders(path) ? open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666) : -1;
    done = descriptor >= 0 && append_rows(fetch, descriptor);
    reason = errno;
    if (descriptor >= 0 && close(descriptor) != 0 && done) {
        reason = errno;
        done = false;
    }
    if (done)
        return TACHO_DEVICE_OK;
    fetch->report->written = 0;
    if (fetch->no_memory)
        return TACHO_DEVICE_MEMORY;
    device_say(fetch->report->message, "%.300s: %s", path, strerror(reason));
    return TACHO_DEVICE_OUTPUT;
}

/* ---- Who listens ---- */

static struct tacho_device_event event_of(const struct fetch *fetch, const struct device_marker *marker, char *text)
{
    const struct tacho_device_core *core = &fetch->launch->cores[marker->core];
    struct tacho_device_event event = { .chip = fetch->launch->chip,
                                        .x = core->x,
                                        .y = core->y,
                                        .risc = (enum tacho_device_risc)marker->risc,
                                        .run_host_id = fetch->launch->run_host_id,
                                        .start = marker->time,
                                        .end = marker->time,
                                        .sum = marker->sum };

    device_name(marker, fetch->launch->names, text, &event);
    return event;
}

static void tell_zone(void *context, const struct device_marker *start, const struct device_marker *end)
{
    const struct fetch *fetch = context;
    const struct tacho_device_listener *listener = &fetch->listener;
    struct tacho_device_event event;
    char text[DEVICE_TEXT];

    if (!listener->zone)
        return;
    event = event_of(fetch, start, text);
    event.end = end->time;
    listener->zone(listener->context, &event);
}

static void tell_marks(const struct fetch *fetch)
{
    const struct tacho_device_listener *listener = &fetch->listener;

    for (size_t i = 0; listener->mark && i < fetch->count; i++) {
        const struct device_marker *marker = &fetch->markers[i];
        struct tacho_device_event event;
        char text[DEVICE_TEXT];

        if (marker->kind != DEVICE_POINT && marker->kind != DEVICE_SUM)
            continue;
        event = event_of(fetch, marker, text);
        listener->mark(listener->context, &event);
    }
}

static void tell(struct fetch *fetch)
{
    const struct tacho_device_launch *launch = fetch->launch;
    const struct tacho_device_listener *listener = &fetch->listener;

    if (listener->tie && launch->tied)
        listener->tie(listener->context, launch->chip, launch->before_ns, launch->cycles, launch->after_ns);
    for (size_t first = 0, next; first < fetch->count; first = next) {
        for (next = first; next < fetch->count && fetch->markers[next].core == fetch->markers[first].core &&
                           fetch->markers[next].risc == fetch->markers[first].risc;)
            next++;
        fetch->report->unpaired += device_pair(fetch->markers + first, next - first, fetch->open, tell_zone, fetch);
    }
    tell_marks(fetch);
}

/* ---- The call ---- */

static void __attribute__((format(printf, 3, 4))) add_words(char *message, uint64_t count, const char *format, ...)
{
    size_t length = strlen(message);
    va_list arguments;

    if (!count)
        return;
    if (length && length + 2 < TACHO_DEVICE_MESSAGE) {
        memcpy(message + length, "; ", 3);
        length += 2;
    }
    va_start(arguments, format);
    vsnprintf(message + length, TACHO_DEVICE_MESSAGE - length, format, arguments);
    va_end(arguments);
}

/* What was counted and should not be. */
static void tell_counts(struct fetch *fetch)
{
    struct tacho_device_report *report = fetch->report;
    const struct tacho_device_names *names = fetch->launch->names;
    uint32_t collisions = names ? tacho_device_names_collisions(names) : 0;
    char *message = report->message;

    message[0] = 0;
    add_words(message, report->dropped, "markers that were dropped because a buffer was full: %llu (the first by %s)",
              (unsigned long long)report->dropped, fetch->first_drop);
    add_words(message, report->damaged,
              "buffers with an impossible end index, which were not used: %llu (the first of %s)",
              (unsigned long long)report->damaged, fetch->first_damage);
    add_words(message, report->bad, "markers that make no sense, which were not used: %llu",
              (unsigned long long)report->bad);
    add_words(message, report->left_out, "markers of named zones, which have no place in a log with numbers: %llu",
              (unsigned long long)report->left_out);
    add_words(message, report->unnamed, "markers of zones whose names are not known: %llu",
              (unsigned long long)report->unnamed);
    add_words(message, report->unpaired, "starts or ends of zones without the other one: %llu",
              (unsigned long long)report->unpaired);
    add_words(message, collisions, "zones with the hash of another one: %u", collisions);
}

static const char *wrong_usage(const struct tacho_device_launch *launch, uint32_t words)
{
    if (!launch->architecture || !launch->architecture[0] || !launch->megahertz || !launch->read)
        return "a launch needs its architecture, the clock in MHz, and a function that reads";
    if (launch->core_count && !launch->cores)
        return "the cores of the launch are missing";
    if (words < TACHO_DEVICE_LEAST_WORDS || words > MOST_WORDS)
        return "a buffer has 8 to 16384 words";
    return NULL;
}

static enum tacho_device_status run(struct fetch *fetch)
{
    enum tacho_device_status status;

    fetch->bytes = malloc((size_t)fetch->words * 4);
    fetch->open = malloc(fetch->words * sizeof *fetch->open);
    if (!fetch->bytes || !fetch->open)
        return TACHO_DEVICE_MEMORY;
    status = fetch_buffers(fetch);
    if (status == TACHO_DEVICE_OK)
        status = write_log(fetch);
    if (status != TACHO_DEVICE_OK)
        return status;
    tell(fetch);
    tell_counts(fetch);
    return TACHO_DEVICE_OK;
}

enum tacho_device_status tacho_device_fetch(const struct tacho_device_launch *launch,
                                            struct tacho_device_report *report)
{
    struct fetch fetch = { .launch = launch,
                           .report = report,
                           .listener = launch->listener ? *launch->listener : device_recorder(launch),
                           .words = launch->words ? launch->words : TACHO_DEVICE_WORDS };
    const char *wrong = wrong_usage(launch, fetch.words);
    enum tacho_device_status status;

    *report = (struct tacho_device_report){ .buffers = 0 };
    if (!tacho_device_enabled())
        return TACHO_DEVICE_OFF;
    if (wrong) {
        device_say(report->message, "%s", wrong);
        return TACHO_DEVICE_USAGE;
    }
    status = run(&fetch);
    if (status == TACHO_DEVICE_MEMORY)
        device_say(report->message, "out of memory for the markers of %zu cores", launch->core_count);
    free(fetch.bytes);
    free(fetch.open);
    free(fetch.markers);
    free(fetch.rows);
    return status;
}
