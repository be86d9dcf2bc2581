/* recording.c: recordings of programs, from their chunks to a feed: two walks over each process, and what a person should know of it. */
#include "read/recording.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/format.h"
#include "base/memory.h"
#include "read/recording_lines.h"

/* Orders behind those of the general reasons. */
const struct loss_reason recording_loss_damaged = { .text = "a damaged chunk: its checksum or its head is wrong",
                                                    .order = 100 };
const struct loss_reason recording_loss_reused = { .text = "a chunk that was written over while it was read",
                                                   .order = 101 };
const struct loss_reason recording_loss_broken = { .text = "a record that is not whole", .order = 102 };
const struct loss_reason recording_loss_unknown = { .text = "a record of an unknown kind", .order = 103 };
const struct loss_reason recording_loss_ring = { .text = "an end whose begin the ring had written over", .order = 104 };
const struct loss_reason recording_loss_outside = { .text = "an argument, name or flow outside of all zones",
                                                    .order = 105 };
const struct loss_reason recording_loss_many = { .text = "an argument of a zone that has 64 already", .order = 106 };
const struct loss_reason recording_loss_unplaced = { .text = "a slice of a device on a track that is not known",
                                                     .order = 107 };
const struct loss_reason recording_loss_lone_end = { .text = "the end of a span or frame without its begin",
                                                     .order = 108 };
const struct loss_reason recording_loss_cut = { .text = "a chunk that the file ends in (used as far as it goes)",
                                                .kept = true,
                                                .order = 109 };
const struct loss_reason recording_loss_missing = {
    .text = "a chunk that the file ends before: what it had is not known", .kept = true, .order = 108
};
const struct loss_reason recording_loss_no_end = {
    .text = "a zone whose end was not recorded (kept, ends with the zone around it)", .kept = true, .order = 110
};
const struct loss_reason recording_loss_site = { .text = "a zone whose name was not recorded (kept, called by number)",
                                                 .kept = true,
                                                 .order = 111 };
const struct loss_reason recording_loss_span = { .text = "a span that did not end (kept, until the last time seen)",
                                                 .kept = true,
                                                 .order = 112 };
const struct loss_reason recording_loss_frame = { .text = "a frame that did not end (kept, until the last time seen)",
                                                  .kept = true,
                                                  .order = 113 };
const struct loss_reason recording_loss_dropped = {
    .text = "a record that was dropped while recording (the file had its full size, or the disk was full)",
    .kept = true,
    .order = 114
};
const struct loss_reason recording_loss_text = { .text = "a text that was too long for a record (kept, cut)",
                                                 .kept = true,
                                                 .order = 115 };

/* A launch: all its processes. */
struct launch {
    uint32_t number;  /* from 0 */
    bool failed;      /* its first process did */
    uint32_t outcome; /* enum recording_outcome, of that process */
    uint32_t code;    /* the same */
    uint32_t runs;    /* counted so far */
};

struct reading {
    struct source *source;        /* borrowed */
    struct feed *feed;            /* borrowed */
    struct recording_files files; /* all chunks */
    struct column launches;       /* struct launch, by number */
    struct number_map operators;  /* by site */
    struct chunk_buffer *buffer;  /* of the chunk that is walked through; owned */
    struct record_text *text;     /* of the record; owned */
    clock_id clock;               /* of the sink */
    string_id unfinished;         /* key of the argument */
    int64_t origin;               /* ns of CLOCK_MONOTONIC at the start of the first process */
    uint64_t done;                /* bytes that were walked through */
    uint64_t open;                /* zones that were open at the end */
    char open_paths[600];         /* which, for a person */
    double cost_ns, recorded_ns;  /* that recording took; of all threads */
    uint64_t zones;               /* of all processes */
};

/* A process that is being read. */
struct walking {
    struct reading *reading;           /* borrowed */
    struct recording_process *process; /* the same */
    struct recording_names names;      /* of the process */
    struct tick_map host;              /* its clock */
    struct recording_zones zones;      /* of its threads */
    struct recording_lines lines;      /* the rest */
};

static status note(struct reading *reading, string_id text)
{
    source_note(reading->source, strings_text(reading->feed->strings, text));
    return STATUS_OK;
}

/* ---- Records ------------------------------------------------------------------------------------------------------ */

static status lose(struct walking *walking, const struct loss_reason *reason)
{
    return walking->zones.telling ? source_lose(walking->reading->source, walking->reading->feed, reason, 0, 0)
                                  : STATUS_OK;
}

static int64_t time_of(struct walking *walking, uint64_t ticks)
{
    int64_t ns = tick_map_ns(&walking->host, ticks);

    return ns > 0 ? ns : 0;
}

/* The key of an argument: a site's name, or the beginning of its text, which is cut off. */
static status take_key(struct walking *walking, struct record *record, string_id *key)
{
    struct recording_site *site = NULL;
    size_t length = record->kind == RECORD_ARGUMENT_TEXT ? (size_t)record->word : record->text.length;
    status code = STATUS_OK;

    *key = 0;
    if (record->id) {
        code = recording_site(&walking->names, record->id, &site);
        *key = site ? site->name : 0;
    } else if (length <= record->text.length) {
        code = strings_add(walking->reading->feed->strings, record->text.data, length, key);
        record->text.data += length;
        record->text.length -= length;
    }
    return code;
}

static status add_argument(struct walking *walking, struct zone_thread *thread, struct record *record, uint64_t where)
{
    static const uint16_t types[] = {
        [RECORD_ARGUMENT_INTEGER] = ARGUMENT_INTEGER,
        [RECORD_ARGUMENT_UNSIGNED] = ARGUMENT_UNSIGNED,
        [RECORD_ARGUMENT_DECIMAL] = ARGUMENT_DECIMAL,
        [RECORD_ARGUMENT_TEXT] = ARGUMENT_TEXT,
    };
    struct zone_record made = {
        .where = where, .kind = (uint16_t)record->kind, .type = types[record->kind], .natural = record->word
    };
    status code = take_key(walking, record, &made.id);

    if (code == STATUS_OK && !made.id)
        return lose(walking, &recording_loss_broken);
    if (code == STATUS_OK && made.type == ARGUMENT_TEXT) {
        made.natural = 0;
        code = strings_add(walking->reading->feed->strings, record->text.data, record->text.length, &made.text);
    }
    return code == STATUS_OK ? zones_add_untimed(&walking->zones, thread, &made) : code;
}

/* A zone begins or ends, or something happens at once. */
static status add_timed(struct walking *walking, struct zone_thread *thread, const struct record *record,
                        uint64_t where)
{
    struct recording_site *site;
    string_id text = 0;
    status code = recording_site(&walking->names, record->id, &site);

    if (code == STATUS_OK && !site && (record->id || record->kind != RECORD_INSTANT))
        return lose(walking, &recording_loss_broken);
    if (code == STATUS_OK && record->text.length)
        code = strings_add(walking->reading->feed->strings, record->text.data, record->text.length, &text);
    return code == STATUS_OK ? zones_add(&walking->zones, thread, time_of(walking, record->word), where, record->id,
                                         record->kind, text)
                             : code;
}

static status add_record(struct walking *walking, struct zone_thread **thread, struct record *record, uint64_t where)
{
    struct zone_record made = { .where = where, .kind = (uint16_t)record->kind, .natural = record->word };
    status code = STATUS_OK;

    switch (record->kind) {
    case RECORD_BEGIN:
    case RECORD_END:
    case RECORD_INSTANT:
        return add_timed(walking, *thread, record, where);
    case RECORD_ARGUMENT_INTEGER:
    case RECORD_ARGUMENT_UNSIGNED:
    case RECORD_ARGUMENT_DECIMAL:
    case RECORD_ARGUMENT_TEXT:
        return add_argument(walking, *thread, record, where);
    case RECORD_NAME:
        made.natural = 0;
        code = strings_add(walking->reading->feed->strings, record->text.data, record->text.length, &made.text);
        return code == STATUS_OK ? zones_add_untimed(&walking->zones, *thread, &made) : code;
    case RECORD_FLOW:
    case RECORD_COLOR:
        return zones_add_untimed(&walking->zones, *thread, &made);
    case RECORD_THREAD_HERE:
        return zones_thread(&walking->zones, record->id, thread);
    case RECORD_SITE:
    case RECORD_THREAD:
    case RECORD_PROCESS:
    case RECORD_CLOCK:
    case RECORD_TRACK:
        return lose(walking, &recording_loss_unknown);
    default:
        return lines_add(&walking->lines, *thread, record, time_of(walking, record->word));
    }
}

/* What begins in a slot; `*slots` is how many it takes. */
static status take_slot(struct walking *walking, const struct chunk_view *view, uint32_t slot, uint64_t where,
                        struct zone_thread **thread, uint32_t *slots)
{
    struct reading *reading = walking->reading;
    struct record record;
    enum record_verdict verdict;

    *slots = 1;
    if (record_is_piece(recording_tag_kind(view->slots[2 * (size_t)slot + 1])))
        return STATUS_OK; /* of a record whose writer never came back */
    reading->feed->losses.rows += walking->zones.telling;
    verdict = record_take(view, slot, reading->text, &record);
    *slots = record.slots;
    if (verdict != RECORD_FINE)
        return lose(walking, verdict == RECORD_BROKEN ? &recording_loss_broken : &recording_loss_unknown);
    return add_record(walking, thread, &record, where);
}

/* Plain begins and ends are nearly all there is: they are taken without a detour. */
static status walk_chunk(struct walking *walking, const struct chunk_view *view, size_t spot)
{
    struct recording_names *names = &walking->names;
    struct zone_thread *thread;
    uint64_t rows = 0;
    status code = zones_thread(&walking->zones, view->thread, &thread);

    for (uint32_t slot = 0; slot < view->count && code == STATUS_OK;) {
        uint64_t tag = view->slots[2 * (size_t)slot + 1];
        uint32_t kind = recording_tag_kind(tag), id = recording_tag_id(tag), slots = 1;

        if (recording_tag_lap(tag) == view->lap) {
            if (kind <= RECORD_END && kind && !recording_tag_length(tag) && id < names->site_count &&
                names->sites[id].known) {
                rows++;
                code = zones_add(&walking->zones, thread, time_of(walking, view->slots[2 * (size_t)slot]),
                                 zone_where(spot, slot), id, kind, 0);
            } else {
                code = take_slot(walking, view, slot, zone_where(spot, slot), &thread, &slots);
            }
        }
        slot += slots;
    }
    if (walking->zones.telling)
        walking->reading->feed->losses.rows += rows;
    return code;
}

/* ---- Chunks ------------------------------------------------------------------------------------------------------- */

static void show_progress(struct reading *reading)
{
    reading->done += RECORDING_CHUNK / 2; /* each is walked through twice */
    if (reading->source->progress)
        progress_update(reading->source->progress, reading->done);
}

/* A chunk that cannot be used counts as one row. */
static status judge(struct walking *walking, enum chunk_verdict verdict, bool counts)
{
    struct reading *reading = walking->reading;

    if (!counts || verdict == CHUNK_FINE)
        return STATUS_OK;
    if (verdict == CHUNK_CUT)
        return source_lose(reading->source, reading->feed, &recording_loss_cut, 0, 0);
    reading->feed->losses.rows++;
    return source_lose(reading->source, reading->feed,
                       verdict == CHUNK_DAMAGED ? &recording_loss_damaged : &recording_loss_reused, 0, 0);
}

static status walk(struct walking *walking)
{
    struct reading *reading = walking->reading;
    struct recording_process *process = walking->process;
    status code = STATUS_OK;

    for (size_t i = 0; i < process->count && code == STATUS_OK; i++) {
        struct chunk_view view;

        if (process->spots[i].kind == CHUNK_NAMES)
            continue;
        code = recording_load(&reading->files, process, &process->spots[i], reading->buffer, &view);
        if (code == STATUS_OK)
            code = judge(walking, view.verdict, walking->zones.telling);
        if (code == STATUS_OK && view.count)
            code = walk_chunk(walking, &view, i);
        show_progress(reading);
    }
    return code == STATUS_OK ? zones_finish(&walking->zones) : code;
}

static status read_name(struct walking *walking, const struct chunk_view *view, uint32_t slot, uint32_t *slots)
{
    struct reading *reading = walking->reading;
    struct record record;
    enum record_verdict verdict;
    bool fits = true;
    status code = STATUS_OK;

    *slots = 1;
    if (record_is_piece(recording_tag_kind(view->slots[2 * (size_t)slot + 1])))
        return STATUS_OK;
    reading->feed->losses.rows++;
    verdict = record_take(view, slot, reading->text, &record);
    *slots = record.slots;
    if (verdict == RECORD_FINE)
        code = recording_names_add(&walking->names, &record, &fits);
    if (code != STATUS_OK || (verdict == RECORD_FINE && fits))
        return code;
    return source_lose(reading->source, reading->feed,
                       verdict == RECORD_STRANGE ? &recording_loss_unknown : &recording_loss_broken, 0, 0);
}

static status read_names(struct walking *walking)
{
    struct reading *reading = walking->reading;
    struct recording_process *process = walking->process;
    status code = STATUS_OK;

    for (size_t i = 0; i < process->count && code == STATUS_OK; i++) {
        struct chunk_view view;

        if (process->spots[i].kind != CHUNK_NAMES)
            continue;
        code = recording_load(&reading->files, process, &process->spots[i], reading->buffer, &view);
        if (code == STATUS_OK)
            code = judge(walking, view.verdict, true);
        for (uint32_t slot = 0, slots; slot < view.count && code == STATUS_OK; slot += slots) {
            slots = 1;
            if (recording_tag_lap(view.slots[2 * (size_t)slot + 1]) == view.lap)
                code = read_name(walking, &view, slot, &slots);
        }
    }
    return code;
}

/* ---- The clock ---------------------------------------------------------------------------------------------------- */

static status tie_clock(struct walking *walking)
{
    enum { ONE = 1 << 30 };
    struct reading *reading = walking->reading;
    const struct recording_head *head = walking->process->head;
    bool counter = head->clock == RECORDING_COUNTER, measured;
    status code = STATUS_OK;

    if (!counter)
        code = tick_map_add(&walking->host, (struct tick_tie){ .ticks = (uint64_t)reading->origin });
    for (uint32_t i = 0; i < head->ties && counter && code == STATUS_OK; i++) {
        const struct recording_tie *tie = &head->tie[i];

        if (tie->ticks && tie->before <= tie->after && tie->after < INT64_MAX)
            code = tick_map_add(
                &walking->host,
                (struct tick_tie){ .ticks = tie->ticks,
                                   .ns = (int64_t)(tie->before + (tie->after - tie->before) / 2) - reading->origin,
                                   .unsure = (int64_t)((tie->after - tie->before) / 2) });
    }
    if (code == STATUS_OK)
        code = tick_map_finish(&walking->host, ONE, ONE, &measured);
    if (code == STATUS_OK && counter && !measured)
        source_note(reading->source, "the recording does not tell how long a tick of its clock is: ticks are taken for "
                                     "nanoseconds");
    return code;
}

/* ---- Launches ----------------------------------------------------------------------------------------------------- */

static struct launch *launch_of(struct reading *reading, uint32_t number)
{
    struct launch *made;

    for (size_t i = 0; i < reading->launches.count; i++) {
        struct launch *launch = column_at(&reading->launches, i);

        if (launch->number == number)
            return launch;
    }
    made = column_append(&reading->launches);
    if (made)
        *made = (struct launch){ .number = number };
    return made;
}

/* A launch ended as its first process did. */
static status find_launches(struct reading *reading)
{
    for (size_t i = 0; i < reading->files.count; i++) {
        const struct recording_head *head = reading->files.processes[i].head;
        struct launch *launch = launch_of(reading, head->launch);

        if (!launch)
            return status_no_memory("keeping launches");
        if (!head->root || (head->outcome != OUTCOME_EXITED && head->outcome != OUTCOME_KILLED))
            continue;
        launch->outcome = head->outcome;
        launch->code = head->outcome_code;
        launch->failed = head->outcome == OUTCOME_KILLED || head->outcome_code != 0;
    }
    return STATUS_OK;
}

static status note_launches(struct reading *reading)
{
    enum { MOST_NOTED = 8 };
    size_t failed = 0;
    status code = STATUS_OK;

    for (size_t i = 0; i < reading->launches.count && code == STATUS_OK; i++) {
        const struct launch *launch = column_at(&reading->launches, i);
        string_id text;

        if (!launch->failed || failed++ >= MOST_NOTED)
            continue;
        code = strings_add_format(reading->feed->strings, &text,
                                  launch->outcome == OUTCOME_KILLED
                                      ? "launch %u failed: killed by signal %u; nothing in it counts as a run"
                                      : "launch %u failed: exit status %u; nothing in it counts as a run",
                                  launch->number + 1, launch->code);
        if (code == STATUS_OK)
            code = note(reading, text);
    }
    if (code == STATUS_OK && failed == reading->launches.count)
        reading->source->failed = reading->source->notes[reading->source->note_count - 1];
    return code;
}

/* ---- A process ---------------------------------------------------------------------------------------------------- */

/* "decoder [4711]" under the input; several launches tell which one. */
static status announce_process(struct walking *walking, size_t place)
{
    struct reading *reading = walking->reading;
    const struct recording_head *head = walking->process->head;
    struct strings *strings = reading->feed->strings;
    const char *name = walking->names.process ? strings_text(strings, walking->names.process) : head->program;
    struct track track = {
        .parent = reading->feed->root, .kind = TRACK_GROUP, .clock = NO_ID, .order = (int32_t)place
    };
    status code = reading->launches.count > 1
                      ? strings_add_format(strings, &track.name, "%s [%u], launch %u", *name ? name : "process",
                                           head->pid, head->launch + 1)
                      : strings_add_format(strings, &track.name, "%s [%u]", *name ? name : "process", head->pid);

    return code == STATUS_OK ? feed_track(reading->feed, track, &walking->zones.parent) : code;
}

static void keep_open(struct walking *walking)
{
    struct reading *reading = walking->reading;
    size_t length = strlen(reading->open_paths);

    if (!walking->zones.open_at_end)
        return;
    reading->open += walking->zones.open_at_end;
    if (length && length + 3 < sizeof reading->open_paths)
        length += (size_t)snprintf(reading->open_paths + length, sizeof reading->open_paths - length, "; ");
    if (length < sizeof reading->open_paths - 1)
        zones_describe_open(&walking->zones, reading->open_paths + length, sizeof reading->open_paths - length);
}

static void add_cost(struct walking *walking)
{
    struct reading *reading = walking->reading;
    const struct recording_head *head = walking->process->head;
    /* A zone of more than a millisecond was no zone that anybody measured. */
    int64_t zone = tick_map_span(&walking->host, head->zone_cost / 256);
    double exact = zone < 1000000 ? (double)tick_map_span(&walking->host,
                                                          head->zone_cost < UINT32_MAX ? head->zone_cost * 1024 : 0) /
                                        (256.0 * 1024.0)
                                  : 0;

    reading->cost_ns += exact * (double)walking->zones.zones;
    reading->recorded_ns += (double)walking->zones.recorded;
    reading->zones += walking->zones.zones;
}

/* What could not be recorded. */
static status count_dropped(struct walking *walking)
{
    struct reading *reading = walking->reading;
    const struct recording_head *head = walking->process->head;
    uint64_t dropped = 0, slow = 0, chunks = 0;
    string_id text;
    status code = STATUS_OK;

    for (uint32_t i = 0; i < RECORDING_THREADS; i++) {
        dropped += head->thread[i].dropped;
        slow += head->thread[i].slow;
        chunks += head->thread[i].chunks;
    }
    losses_mark(&reading->feed->losses, &recording_loss_dropped, dropped);
    losses_mark(&reading->feed->losses, &recording_loss_text, head->cut);
    for (uint32_t i = 0; i < RECORDING_THREADS && dropped && code == STATUS_OK; i++) {
        const struct zone_thread thread = { .number = i };
        string_id name;

        if (!head->thread[i].dropped)
            continue;
        code = zones_thread_name(&walking->zones, &thread, &name);
        if (code == STATUS_OK)
            code = strings_add_format(reading->feed->strings, &text, "thread '%s' of process %u dropped %llu records",
                                      strings_text(reading->feed->strings, name), head->pid,
                                      (unsigned long long)head->thread[i].dropped);
        if (code == STATUS_OK)
            code = note(reading, text);
        if (reading->source->note_count > SOURCE_NOTES / 2)
            break;
    }
    if (code == STATUS_OK && head->full) {
        code =
            strings_add_format(reading->feed->strings, &text, "the disk was full %llu times while process %u recorded",
                               (unsigned long long)head->full, head->pid);
        if (code == STATUS_OK)
            code = note(reading, text);
    }
    if (code == STATUS_OK && head->laps_lost) {
        code = strings_add_format(reading->feed->strings, &text,
                                  "the ring of process %u was too small %llu times: all its chunks were in use",
                                  head->pid, (unsigned long long)head->laps_lost);
        if (code == STATUS_OK)
            code = note(reading, text);
    }
    if (code == STATUS_OK && slow) {
        code = strings_add_format(reading->feed->strings, &text,
                                  "threads of process %u had to wait for %llu of %llu chunks of the file: times "
                                  "around these include that",
                                  head->pid, (unsigned long long)slow, (unsigned long long)chunks);
        if (code == STATUS_OK)
            code = note(reading, text);
    }
    return code;
}

/* The head says how many chunks there were: a file that has fewer was cut off. */
static status count_missing(const struct walking *walking)
{
    struct reading *reading = walking->reading;
    uint32_t said = walking->process->head->chunks, there = walking->process->there;

    if (said <= there)
        return STATUS_OK;
    losses_mark(&reading->feed->losses, &recording_loss_missing, said - there);
    return reading->source->strict ? status_fail_at(STATUS_INPUT, (struct place){ .file = reading->source->path },
                                                    "the recording is cut off: %u of %u chunks are there", there, said)
                                   : STATUS_OK;
}

static status tell_process(struct walking *walking, size_t place)
{
    struct reading *reading = walking->reading;
    struct launch *launch = launch_of(reading, walking->process->head->launch);
    status code = announce_process(walking, place);

    assert(launch && "launches are found before their processes are read");
    keep_open(walking);
    add_cost(walking);
    if (code == STATUS_OK)
        code = zones_begin_telling(&walking->zones, launch->number, &launch->runs);
    if (code == STATUS_OK)
        code = lines_begin_telling(&walking->lines);
    if (code == STATUS_OK)
        code = walk(walking);
    if (code == STATUS_OK)
        code = lines_finish(&walking->lines);
    if (code == STATUS_OK)
        code = count_missing(walking);
    return code == STATUS_OK ? count_dropped(walking) : code;
}

static status read_process(struct reading *reading, struct recording_process *process, size_t place)
{
    struct walking walking = { .reading = reading, .process = process };
    struct launch *launch = launch_of(reading, process->head->launch);
    status code;

    walking.zones = (struct recording_zones){ .source = reading->source,
                                              .feed = reading->feed,
                                              .process = process,
                                              .names = &walking.names,
                                              .operators = &reading->operators,
                                              .clock = reading->clock,
                                              .failed = launch && launch->failed,
                                              .is_run = launch && !launch->failed && process->head->root &&
                                                        reading->launches.count > 1,
                                              .unfinished = reading->unfinished };
    walking.lines =
        (struct recording_lines){ .zones = &walking.zones, .host = &walking.host, .origin = reading->origin };
    /* Every site takes some slots: there cannot be more of them than there are slots. */
    recording_names_start(&walking.names, reading->feed->strings,
                          (process->count + 1) * (RECORDING_CHUNK / RECORDING_SLOT));
    recording_zones_start(&walking.zones);
    code = recording_lines_start(&walking.lines);
    if (code == STATUS_OK)
        code = tie_clock(&walking);
    if (code == STATUS_OK)
        code = read_names(&walking);
    if (code == STATUS_OK)
        code = walk(&walking);
    if (code == STATUS_OK)
        code = tell_process(&walking, place);
    recording_lines_free(&walking.lines);
    recording_zones_free(&walking.zones);
    recording_names_free(&walking.names);
    tick_map_free(&walking.host);
    return code;
}

/* ---- The input ---------------------------------------------------------------------------------------------------- */

/* What a person asks for first after a crash comes right behind how launches ended. */
static status note_open(struct reading *reading, unsigned place)
{
    struct source *source = reading->source;
    string_id text;
    status code;

    if (!reading->open)
        return STATUS_OK;
    code = strings_add_format(reading->feed->strings, &text, "%llu %s open when the recording ended: %s",
                              (unsigned long long)reading->open, reading->open == 1 ? "zone was" : "zones were",
                              reading->open_paths);
    if (code != STATUS_OK)
        return code;
    if (source->note_count == SOURCE_NOTES)
        source->note_count--;
    memmove(&source->notes[place + 1], &source->notes[place], (source->note_count - place) * sizeof *source->notes);
    source->notes[place] = strings_text(reading->feed->strings, text);
    source->note_count++;
    return STATUS_OK;
}

static status note_cost(struct reading *reading)
{
    string_id text;
    status code;

    if (reading->cost_ns <= 0 || reading->recorded_ns <= 0)
        return STATUS_OK;
    code =
        strings_add_format(reading->feed->strings, &text, "recording took about %.1f %% of this time: %.0f ns a zone",
                           100 * reading->cost_ns / reading->recorded_ns, reading->cost_ns / (double)reading->zones);
    return code == STATUS_OK ? note(reading, text) : code;
}

static status start_reading(struct reading *reading)
{
    struct clock clock = { .numerator = 1, .denominator = 1 };
    struct strings *strings = reading->feed->strings;
    status code = recording_files_open(&reading->files, reading->source);

    for (size_t i = 0; i < reading->files.count && code == STATUS_OK; i++) {
        uint64_t start = reading->files.processes[i].head->start_monotonic;

        if (start < INT64_MAX / 4 && (!i || (int64_t)start < reading->origin))
            reading->origin = (int64_t)start;
    }
    reading->buffer = memory_allocate(sizeof *reading->buffer);
    reading->text = memory_allocate(sizeof *reading->text);
    if (code == STATUS_OK && (!reading->buffer || !reading->text))
        code = status_no_memory("reading a recording");
    if (code == STATUS_OK)
        code = strings_add_text(strings, "nanoseconds", &clock.name);
    if (code == STATUS_OK)
        code = strings_add_text(strings, "unfinished", &reading->unfinished);
    if (code == STATUS_OK)
        code = feed_clock(reading->feed, &clock, &reading->clock);
    if (code == STATUS_OK)
        code = find_launches(reading);
    return code == STATUS_OK ? note_launches(reading) : code;
}

static status read(struct source *source, struct feed *feed)
{
    struct reading reading = { .source = source, .feed = feed };
    unsigned place;
    status code;

    column_start(&reading.launches, sizeof(struct launch));
    number_map_start(&reading.operators);
    code = start_reading(&reading);
    place = source->note_count < SOURCE_NOTES ? source->note_count : 0;
    for (size_t i = 0; i < reading.files.count && code == STATUS_OK; i++)
        code = read_process(&reading, &reading.files.processes[i], i);
    for (uint64_t i = 0; i < reading.files.other_chunks && code == STATUS_OK; i++) {
        feed->losses.rows++;
        code = source_lose(source, feed, &recording_loss_damaged, 0, 0);
    }
    if (code == STATUS_OK)
        code = note_open(&reading, place);
    if (code == STATUS_OK)
        code = note_cost(&reading);
    if (code == STATUS_OK && reading.files.damaged && source->strict)
        code = status_fail_at(STATUS_INPUT, (struct place){ .file = source->path },
                              "the compressed file is cut off or damaged");
    if (code == STATUS_OK && reading.files.damaged)
        source_note(source, "the compressed file is cut off or damaged: the chunks before that are used");
    assert(feed->losses.rows >= feed->losses.lost);
    feed->losses.used = feed->losses.rows - feed->losses.lost;
    recording_files_free(&reading.files);
    column_free(&reading.launches);
    number_map_free(&reading.operators);
    memory_free(reading.buffer);
    memory_free(reading.text);
    return code;
}

static int probe(struct text head, const char *path)
{
    (void)path;
    return text_begins(head, RECORDING_MAGIC) ? 100 : 0;
}

static int probe_folder(const char *path)
{
    return recording_in_folder(path) ? 80 : 0;
}

static const struct loss_reason *const losses[] = {
    &recording_loss_damaged, &recording_loss_reused,   &recording_loss_cut,
    &recording_loss_missing, &recording_loss_broken,   &recording_loss_unknown,
    &recording_loss_ring,    &recording_loss_no_end,   &recording_loss_outside,
    &recording_loss_site,    &recording_loss_dropped,  &recording_loss_text,
    &recording_loss_span,    &recording_loss_frame,    &recording_loss_lone_end,
    &recording_loss_many,    &recording_loss_unplaced, NULL,
};

const struct reader tacho_recording_reader = {
    .id = "tacho-recording",
    .title = "Tacho's recording of a program",
    .kind = READER_MEASURED,
    .files = "*.tacho, a folder of them",
    .probe = probe,
    .probe_folder = probe_folder,
    .read = read,
    .losses = losses,
};
