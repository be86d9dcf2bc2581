/* device_record.c: markers of a device in the recording: a line for each processor of a core, on the clock of its chip, which the launches
 * tie to the host's. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "device_decode.h"
#include "tacho/zone.h"

enum { CHIPS = 64, LINES = 4096 }; /* that are recorded; markers of others are in the log alone */

struct device_line {
    uint32_t chip, x, y, risc; /* which processor */
    uint32_t track;            /* its line */
};

static pthread_mutex_t device_lock = PTHREAD_MUTEX_INITIALIZER; /* of the rest */
static uint32_t device_session;                                 /* of the recorder that the numbers below are of */
static uint32_t device_clocks[CHIPS];                           /* by chip; 0: none yet */
static struct device_line device_lines[LINES];                  /* in the order in which they came */
static uint32_t device_line_count;                              /* of them */

/* Numbers of one recording mean nothing in the next. */
static void begin_session(void)
{
    uint32_t session = __atomic_load_n(&tacho_recorder.session, __ATOMIC_RELAXED);

    if (device_session == session)
        return;
    device_session = session;
    memset(device_clocks, 0, sizeof device_clocks);
    device_line_count = 0;
}

static uint32_t clock_of(const struct tacho_device_launch *launch)
{
    char name[32];

    if (launch->chip >= CHIPS)
        return 0;
    if (!device_clocks[launch->chip]) {
        snprintf(name, sizeof name, "chip %u", launch->chip);
        device_clocks[launch->chip] = tacho_clock_add(name, (uint64_t)launch->megahertz * 1000000);
    }
    return device_clocks[launch->chip];
}

static uint32_t line_of_processor(const struct tacho_device_launch *launch, const struct tacho_device_event *event)
{
    struct device_line *line;
    char name[96];

    for (uint32_t i = 0; i < device_line_count; i++) {
        line = &device_lines[i];
        if (line->chip == event->chip && line->x == event->x && line->y == event->y &&
            line->risc == (uint32_t)event->risc)
            return line->track;
    }
    if (device_line_count == LINES || !clock_of(launch))
        return 0;
    line = &device_lines[device_line_count++];
    snprintf(name, sizeof name, "chip %u/core %u, %u/%s", event->chip, event->x, event->y,
             tacho_device_risc_name(event->risc));
    *line = (struct device_line){ event->chip, event->x, event->y, (uint32_t)event->risc,
                                  tacho_track_add(clock_of(launch), name) };
    return line->track;
}

static uint32_t find_line(void *context, const struct tacho_device_event *event)
{
    uint32_t track;

    pthread_mutex_lock(&device_lock);
    begin_session();
    track = line_of_processor(context, event);
    pthread_mutex_unlock(&device_lock);
    return track;
}

static void record_tie(void *context, uint32_t chip, uint64_t before_ns, uint64_t cycles, uint64_t after_ns)
{
    uint32_t clock;

    (void)chip;
    pthread_mutex_lock(&device_lock);
    begin_session();
    clock = clock_of(context);
    pthread_mutex_unlock(&device_lock);
    tacho_clock_tie(clock, before_ns, cycles, after_ns);
}

static const char *name_of(const struct tacho_device_event *event, char *text, size_t size)
{
    snprintf(text, size, event->sum ? "sum %u" : "marker %u", event->id);
    return event->name ? event->name : text;
}

static void record_zone(void *context, const struct tacho_device_event *event)
{
    char text[32];

    tacho_track_slice(find_line(context, event), name_of(event, text, sizeof text), event->start, event->end);
}

static void record_mark(void *context, const struct tacho_device_event *event)
{
    char text[32];

    tacho_track_instant(find_line(context, event), name_of(event, text, sizeof text), event->start);
}

struct tacho_device_listener device_recorder(const struct tacho_device_launch *launch)
{
    struct tacho_device_listener listener = { .context = (void *)(uintptr_t)launch };

    if (tacho_recording()) {
        listener.tie = record_tie;
        listener.zone = record_zone;
        listener.mark = record_mark;
    }
    return listener;
}
