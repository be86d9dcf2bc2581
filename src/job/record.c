/* record.c: tacho record: runs a command with recording on, joins what its processes left, and says where the time went. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/folder.h"
#include "base/format.h"
#include "base/memory.h"
#include "base/path.h"
#include "job/board.h"
#include "job/core_verbs.h"
#include "job/record_join.h"
#include "job/wall_time.h"

enum { MOST_ZONES = 15 }; /* of the overview */

struct settings_of_record {
    const char *out;             /* of -o; NULL: named after the command */
    const char *live;            /* of --live; NULL: not asked for, "": where it usually is */
    uint64_t ring;               /* MB to keep; 0: all */
    uint64_t cap;                /* MB that a process may write; 0: as the recorder has it */
    uint64_t repeat;             /* launches; 0: one */
    uint64_t warmup;             /* launches before them that are not recorded */
    struct board_settings board; /* where else it runs */
};

static const struct option options[] = {
    { "out", 'o', OPTION_TEXT, offsetof(struct settings_of_record, out), "FILE",
      "recording (.tacho) or trace (.pb, ...); a folder with --host" },
    { "live", 0, OPTION_MAYBE, offsetof(struct settings_of_record, live), "[=[ADDRESS:]PORT]",
      "let viewers attach while it runs (127.0.0.1:8086)" },
    { "ring", 0, OPTION_NUMBER, offsetof(struct settings_of_record, ring), "MB",
      "keep only the last so many MB of a process" },
    { "cap", 0, OPTION_NUMBER, offsetof(struct settings_of_record, cap), "MB", "most that a process may write (8192)" },
    { "repeat", 0, OPTION_NUMBER, offsetof(struct settings_of_record, repeat), "N",
      "run it so often: each is a launch" },
    { "warmup", 0, OPTION_NUMBER, offsetof(struct settings_of_record, warmup), "K",
      "run it so often before, unrecorded" },
    { "host", 0, OPTION_TEXT, offsetof(struct settings_of_record, board.host), "USER@BOARD",
      "run it on another machine, over ssh" },
    { "push", 0, OPTION_REPEAT, offsetof(struct settings_of_record, board.push), "FILE",
      "copy it there before, if it changed" },
    { "fetch", 0, OPTION_REPEAT, offsetof(struct settings_of_record, board.fetch), "FILE",
      "bring it back; a pattern, filled in there" },
    { "remote-dir", 0, OPTION_TEXT, offsetof(struct settings_of_record, board.folder), "DIR",
      "folder there (default: one per user)" },
    { "ssh", 0, OPTION_TEXT, offsetof(struct settings_of_record, board.ssh), "COMMAND",
      "ssh with its options (default: ssh)" },
    { "timeout", 0, OPTION_NUMBER, offsetof(struct settings_of_record, board.timeout), "S",
      "seconds that it has there (default: all)" },
    { 0 },
};

/* One use of the verb. */
struct recording {
    struct job *job;                        /* borrowed */
    const struct settings_of_record *asked; /* of the job */
    struct path out;                        /* what was asked for */
    const struct writer_format *format;     /* of a trace; NULL: the recording itself */
    struct path folder;                     /* where processes record to */
    struct path file;                       /* the joined recording */
    struct foreground_result *launches;     /* that were recorded; owned */
    size_t launch_count;                    /* of launches */
    bool kept;                              /* what they recorded is joined, or there was nothing */
};

/* ---- Where it goes ------------------------------------------------------------------------------------------------- */

static status name_output(struct recording *recording)
{
    const char *given = recording->asked->out;
    struct text stem = path_stem(recording->job->inputs.items[0]);
    time_t now = time(NULL);
    struct tm parts;
    char date[32];

    localtime_r(&now, &parts);
    strftime(date, sizeof date, "%Y%m%d-%H%M%S", &parts);
    if (given && path_is_folder(given))
        return path_set(&recording->out, "%s/%.*s-%s.tacho", given, (int)stem.length, stem.data, date);
    return given ? path_set(&recording->out, "%s", given)
                 : path_set(&recording->out, "%.*s-%s.tacho", (int)stem.length, stem.data, date);
}

/* The command must not run for nothing: what cannot be written is said before it does. */
static status prepare_output(struct recording *recording)
{
    status code = name_output(recording);
    struct text place;

    if (code != STATUS_OK)
        return code;
    if (!path_ends(recording->out.text, ".tacho")) {
        recording->format = writer_for_path(recording->out.text);
        if (!recording->format)
            return status_fail(
                STATUS_USAGE, "%s: the suffix names no format; use .tacho, .pb, .json, .speedscope.json, .csv or .html",
                recording->out.text);
    }
    place = path_folder(recording->out.text);
    code =
        path_set(&recording->folder, "%.*s", (int)(place.length ? place.length : 1), place.length ? place.data : ".");
    if (code == STATUS_OK)
        code = path_resolve(&recording->folder, recording->folder.text);
    if (code != STATUS_OK)
        return status_fail(STATUS_OUTPUT, "%s cannot be written: its folder is not there", recording->out.text);
    struct path parts = { 0 };
    code = path_set(&parts, "%s/%s.parts-%ld", recording->folder.text, path_name(recording->out.text), (long)getpid());
    path_free(&recording->folder);
    recording->folder = parts;
    if (code == STATUS_OK && mkdir(parts.text, 0777) != 0)
        code = status_fail(STATUS_OUTPUT, "%s cannot be written: %s", recording->out.text, strerror(errno));
    if (code != STATUS_OK)
        path_free(&recording->folder);
    if (code == STATUS_OK)
        code = recording->format ? path_set(&recording->file, "%s/joined.tacho", recording->folder.text)
                                 : path_set(&recording->file, "%s", recording->out.text);
    return code;
}

/* What cannot be removed stays; nobody is told, for there may be something worse to tell. */
static void remove_folder(const struct path *folder, bool well)
{
    struct folder_names names = { 0 };
    struct path file = { 0 };

    if (!folder->text)
        return;
    if (folder_list(folder->text, &names) != STATUS_OK && well)
        status_clear();
    for (size_t i = 0; i < names.count; i++)
        if (path_set(&file, "%s/%s", folder->text, names.names[i]) == STATUS_OK)
            unlink(file.text);
    rmdir(folder->text);
    path_free(&file);
    folder_free(&names);
}

/* ---- Launches ------------------------------------------------------------------------------------------------------ */

enum { VARIABLES = 7 };

/* One launch; `number` is NO_ID: it is not recorded. */
static status launch(struct recording *recording, uint32_t number, struct foreground_result *result)
{
    const struct settings_of_record *asked = recording->asked;
    char launch_text[32], ring[32] = "TACHO_RING", cap[32] = "TACHO_CAP", live[288] = "TACHO_LIVE";
    const char *variables[VARIABLES] = { "TACHO_RECORD", ring, cap, live, launch_text, NULL };
    struct path record = { 0 };
    status code = STATUS_OK;

    snprintf(launch_text, sizeof launch_text, "TACHO_LAUNCH=%u", number == NO_ID ? 0 : number);
    if (asked->ring)
        snprintf(ring, sizeof ring, "TACHO_RING=%llu", (unsigned long long)asked->ring);
    if (asked->cap)
        snprintf(cap, sizeof cap, "TACHO_CAP=%llu", (unsigned long long)asked->cap);
    if (asked->live)
        snprintf(live, sizeof live, "TACHO_LIVE=%.270s", *asked->live ? asked->live : "8086");
    if (number != NO_ID) {
        code = path_set(&record, "TACHO_RECORD=%s/", recording->folder.text);
        variables[0] = record.text;
    }
    if (code == STATUS_OK)
        code = foreground_run(recording->job->inputs.items, variables, result);
    path_free(&record);
    if (code == STATUS_OK && result->start_error) {
        recording->job->exit_code = foreground_exit_code(result);
        code = status_fail(STATUS_INPUT, "%s could not be started: %s", recording->job->inputs.items[0],
                           strerror(result->start_error));
    }
    return code;
}

static status launch_all(struct recording *recording)
{
    size_t count = recording->asked->repeat ? recording->asked->repeat : 1;
    struct foreground_result unrecorded;
    status code = STATUS_OK;

    recording->launches = memory_allocate_clear(count * sizeof *recording->launches);
    if (!recording->launches)
        return status_no_memory("starting");
    for (uint64_t i = 0; i < recording->asked->warmup && code == STATUS_OK; i++)
        code = launch(recording, NO_ID, &unrecorded);
    while (recording->launch_count < count && code == STATUS_OK) {
        struct foreground_result *result = &recording->launches[recording->launch_count];

        code = launch(recording, (uint32_t)recording->launch_count, result);
        if (code != STATUS_OK)
            break;
        recording->launch_count++;
        if (!recording->job->exit_code)
            recording->job->exit_code = foreground_exit_code(result);
    }
    return code;
}

/* Beside the recording, where `tacho summary` looks for it: seconds of a launch, by the median of those that went well. */
static int compare_times(const void *one, const void *other)
{
    uint64_t a = *(const uint64_t *)one, b = *(const uint64_t *)other;

    return a < b ? -1 : a > b;
}

static status write_wall_time(const struct recording *recording)
{
    uint64_t *times = memory_allocate(recording->launch_count * sizeof *times);
    size_t count = 0;
    status code = times ? STATUS_OK : status_no_memory("writing the wall time");

    for (size_t i = 0; times && i < recording->launch_count; i++)
        if (foreground_exit_code(&recording->launches[i]) == 0)
            times[count++] = recording->launches[i].wall_ns;
    if (code == STATUS_OK && count) {
        qsort(times, count, sizeof *times, compare_times);
        code = wall_time_write(path_folder(recording->out.text), WALL_TIME_FILE, times[(count - 1) / 2]);
    }
    memory_free(times);
    return code;
}

/* ---- What is said -------------------------------------------------------------------------------------------------- */

static status say_launches(struct recording *recording)
{
    uint64_t wall = 0, cpu = 0, peak = 0;
    char wall_text[FORMAT_SIZE], cpu_text[FORMAT_SIZE], peak_text[FORMAT_SIZE], count_text[FORMAT_SIZE + 16] = "";
    status code = STATUS_OK;

    for (size_t i = 0; i < recording->launch_count; i++) {
        const struct foreground_result *result = &recording->launches[i];

        wall += result->wall_ns;
        cpu += result->user_ns + result->system_ns;
        peak = result->peak > peak ? result->peak : peak;
        if (foreground_exit_code(result) && code == STATUS_OK)
            code = result->signal
                       ? job_say(recording->job, "launch %zu failed: signal %d (%s) ended it", i + 1, result->signal,
                                 strsignal(result->signal))
                       : job_say(recording->job, "launch %zu failed: exit status %d", i + 1, result->exit_status);
    }
    format_duration(wall_text, (int64_t)wall);
    format_duration(cpu_text, (int64_t)cpu);
    format_bytes(peak_text, peak);
    if (recording->launch_count > 1)
        snprintf(count_text, sizeof count_text, "%zu launches: ", recording->launch_count);
    if (code == STATUS_OK)
        code = job_say(recording->job, "%swall time %s, CPU time %s, peak memory %s", count_text, wall_text, cpu_text,
                       peak_text);
    return code;
}

static status say_nothing_recorded(struct job *job)
{
    static const char *const ways[] = {
        "  TACHO_ZONE(\"name\") of <tacho/zone.h>, library tacho-record",
        "  marks of another profiler, one include changed: man tacho-record",
        "  gcc -finstrument-functions: every function is a zone",
        "  python3 -m tacho PROGRAM: every call of a Python program",
    };
    status code = job_say(job, "nothing was recorded: %s marks no zones. Ways to get some:", job->inputs.items[0]);

    for (size_t i = 0; i < sizeof ways / sizeof *ways && code == STATUS_OK; i++)
        code = job_say(job, "%s", ways[i]);
    return code;
}

/* The zones that take most, as `tacho operators` has them, and what it noted. */
static status show_zones(struct recording *recording)
{
    struct job *job = recording->job;
    struct job question;
    struct table *table = NULL;
    status code = job_start(&question, &operators_verb);

    question.view.limit = MOST_ZONES;
    question.view.sort = "-self_time";
    question.view.columns = "operator,self_time,percent,slices,total_time,each_time,location";
    if (code == STATUS_OK)
        code = job_input(&question, recording->file.text);
    if (code == STATUS_OK)
        code = job_run(&question);
    for (size_t i = 0; i < question.product_count && code == STATUS_OK && !table; i++)
        if (question.products[i].kind == PRODUCT_TABLE)
            table = job_take_table(&question, question.products[i].name);
    for (size_t i = 0; i < question.note_count; i++)
        job_note(job, question.notes[i].kind, NULL, "%s", question.notes[i].text);
    job_free(&question);
    return code == STATUS_OK && table ? job_table(job, table) : code;
}

/* ---- Run ----------------------------------------------------------------------------------------------------------- */

static status join(struct recording *recording, struct join_result *result)
{
    struct output *output;
    status code = output_open(recording->file.text, &output);

    if (code != STATUS_OK)
        return code;
    code = record_join(recording->folder.text, recording->launches, recording->launch_count, output, result);
    if (code == STATUS_OK && result->processes)
        return output_commit(output);
    output_abandon(output);
    return code;
}

static status finish(struct recording *recording)
{
    struct job *job = recording->job;
    struct join_result joined = { 0 };
    struct texts inputs = { 0 };
    char size[FORMAT_SIZE];
    status code = join(recording, &joined);

    recording->kept = code == STATUS_OK;
    if (code == STATUS_OK)
        code = write_wall_time(recording);
    if (code == STATUS_OK)
        code = say_launches(recording);
    if (code != STATUS_OK)
        return code;
    if (!joined.events)
        return say_nothing_recorded(job);
    format_bytes(size, joined.bytes);
    if (recording->format) {
        code = texts_add(&inputs, recording->file.text);
        if (code == STATUS_OK)
            code = convert_inputs(job, &inputs, recording->out.text, recording->format, &CONVERSION_DEFAULTS);
        texts_free(&inputs);
    } else {
        code = job_say(job, "%s: %zu process%s, %zu thread%s, %s", recording->out.text, joined.processes,
                       joined.processes == 1 ? "" : "es", joined.threads, joined.threads == 1 ? "" : "s", size);
    }
    return code == STATUS_OK ? show_zones(recording) : code;
}

/* What is about a command here says nothing about one elsewhere, and the other way round. */
static status check_usage(const struct job *job)
{
    const struct settings_of_record *asked = job->settings;
    const struct board_settings *board = &asked->board;

    if (!job->inputs.count || !*job->inputs.items[0])
        return status_fail(STATUS_USAGE,
                           "tacho record wants a command: tacho record [options] -- COMMAND [ARGUMENT]...");
    if (board->host && (asked->live || asked->ring || asked->cap || asked->repeat || asked->warmup))
        return status_fail(STATUS_USAGE, "--live, --ring, --cap, --repeat and --warmup are for commands that run here");
    if (!board->host && (board->push.count || board->fetch.count || board->folder || board->ssh || board->timeout))
        return status_fail(STATUS_USAGE, "--push, --fetch, --remote-dir, --ssh and --timeout want --host USER@BOARD");
    if (!board->host && (job->json || job->reading.settings.count))
        return status_fail(STATUS_USAGE,
                           "--json and options about profiles want --host USER@BOARD: what runs here has the streams "
                           "of tacho, and the other verbs tell about its recording");
    return STATUS_OK;
}

static status run(struct job *job)
{
    struct recording recording = { .job = job, .asked = job->settings };
    status code = check_usage(job);

    if (code != STATUS_OK)
        return code;
    if (recording.asked->board.host)
        return board_run(job, &recording.asked->board, recording.asked->out);
    code = prepare_output(&recording);
    if (code == STATUS_OK)
        code = launch_all(&recording);
    if (code == STATUS_OK)
        code = finish(&recording);
    /* After a failure what was recorded stays where it is: it cannot be had again. */
    if (recording.kept || !recording.launch_count)
        remove_folder(&recording.folder, code == STATUS_OK);
    else if (recording.folder.text)
        job_note(job, NOTE_WARNING, NULL, "what was recorded is in %s", recording.folder.text);
    path_free(&recording.out);
    path_free(&recording.folder);
    path_free(&recording.file);
    memory_free(recording.launches);
    return code;
}

static const struct verb_table tables[] = {
    { .name = "operators", .description = "the zones that take most, a row each" },
    { 0 },
};

const struct verb record_verb = {
    .name = "record",
    .summary = "run a command and record its zones, ops and counters",
    .usage = "[options] [--] COMMAND [ARGUMENT]...",
    .takes = VERB_JSON | VERB_CHAINS,
    .options = options,
    .settings_size = sizeof(struct settings_of_record),
    .tables = tables,
    .run = run,
};
