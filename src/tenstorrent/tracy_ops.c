/* tracy_ops.c: reader tt-tracy-ops: a folder of logs as newer tool chains of Tenstorrent leave it, usually
 * generated/profiler/.logs.
 *
 * Every file may be missing. Device columns come from cpp_device_perf_report.csv where it is there, and the device log is then
 * only a check; without it they are computed from the device log. Without files of the host the rows are what ran on the devices. */
#include <assert.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "tenstorrent/chain.h"
#include "tenstorrent/device_beside.h"
#include "tenstorrent/device_log.h"
#include "tenstorrent/op_kernels.h"
#include "tenstorrent/ops_feed.h"
#include "tenstorrent/tracy.h"

const char *const tt_tracy_names[] = { "tracy_ops_data.csv", "tracy_ops_times.csv", "cpp_device_perf_report.csv",
                                       "profile_log_device.csv", NULL };

/* ---- Files ---- */

static const char *const packed[] = { "", ".gz", ".zst" }; /* a file itself, or compressed */

static bool is_file(const char *path)
{
    struct stat found;

    return stat(path, &found) == 0 && !S_ISDIR(found.st_mode);
}

/* The suffix with which a file lies in an open folder, or below it; NULL: it does not. Nothing is allocated: a probe cannot fail. */
static const char *suffix_in(int folder, const char *inner, const char *name)
{
    char file[64];
    struct stat found;

    for (unsigned i = 0; i < sizeof packed / sizeof *packed; i++) {
        snprintf(file, sizeof file, "%s%s%s", inner, name, packed[i]);
        if (fstatat(folder, file, &found, 0) == 0 && !S_ISDIR(found.st_mode))
            return packed[i];
    }
    return NULL;
}

/* Where in an open folder the logs of a run lie: .logs counts only where the folder has none itself. */
static const char *inner_of(int folder)
{
    for (unsigned i = 0; tt_tracy_names[i]; i++)
        if (suffix_in(folder, "", tt_tracy_names[i]))
            return "";
    return ".logs/";
}

static int open_folder(const char *path)
{
    return open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

status tt_tracy_find(const char *path, const char *name, struct path *to, bool *found)
{
    int folder = open_folder(path);
    const char *inner = folder >= 0 ? inner_of(folder) : "";
    const char *suffix = folder >= 0 ? suffix_in(folder, inner, name) : NULL;

    if (folder >= 0)
        close(folder);
    *found = suffix != NULL;
    return *found ? path_set(to, "%s/%s%s%s", path, inner, name, suffix) : STATUS_OK;
}

int tt_tracy_probe_folder(const char *path)
{
    static const int sure[] = { 95, 95, 90, 50 };
    int folder = open_folder(path), best = 0;

    for (unsigned i = 0; tt_tracy_names[i] && folder >= 0; i++)
        if (sure[i] > best && suffix_in(folder, inner_of(folder), tt_tracy_names[i]))
            best = sure[i];
    if (folder >= 0)
        close(folder);
    return best;
}

/* ---- Reading ---- */

enum { DATA, TIMES, REPORT, LOG, FILES };

static status read_log(struct tracy *tracy, struct input *input, struct marker_log *log)
{
    struct source part = *tracy->source;
    status code;

    part.input = input;
    part.progress = NULL; /* its whole is another file's */
    code = tt_device_read_rows(&part, log);
    if ((code == STATUS_OK || code == STATUS_INPUT) && marker_log_settle(log) != STATUS_OK)
        return STATUS_MEMORY;
    for (unsigned i = 0; i < part.note_count; i++)
        source_note(tracy->source, part.notes[i]);
    *tracy->losses = log->losses;
    return code;
}

static status read_part(struct tracy *tracy, unsigned file, struct input *input, struct marker_log *log)
{
    switch (file) {
    case DATA:
        return tracy_read_data(tracy, input);
    case TIMES:
        tracy->details->host_times = true;
        return tracy_read_times(tracy, input);
    case REPORT:
        return tracy_read_report(tracy, input, &tracy->details->times);
    default:
        return read_log(tracy, input, log);
    }
}

/* Lines say nothing without their file: in the losses of all files there are none, so notes have both. */
static status note_lost(struct tracy *tracy, unsigned file, const struct losses *losses)
{
    status code = STATUS_OK;

    for (unsigned i = 0; i < losses->reason_count && code == STATUS_OK; i++) {
        char text[512];
        string_id note;

        if (losses->reasons[i].reason->kept)
            continue;
        loss_describe(&losses->reasons[i], text, sizeof text);
        code = strings_add_format(tracy->strings, &note, "%s: %s", tt_tracy_names[file], text);
        if (code == STATUS_OK)
            source_note(tracy->source, strings_text(tracy->strings, note));
    }
    return code;
}

/* A file that cannot be used takes nothing else with it, unless the user wants it so. */
static status read_file(struct tracy *tracy, unsigned file, struct input *input, struct marker_log *log,
                        unsigned *failed)
{
    static const char *const cannot[FILES] = {
        "tracy_ops_data.csv cannot be read to its end: ops may lack their names and tensors",
        "tracy_ops_times.csv cannot be read to its end: ops may lack their host times",
        "cpp_device_perf_report.csv cannot be read to its end: ops may lack their device columns",
        "profile_log_device.csv cannot be read to its end: ops may lack their device columns",
    };
    struct losses own = { .rows = 0 }, *all = tracy->losses;
    status code;

    tracy->losses = &own;
    code = read_part(tracy, file, input, log);
    tracy->losses = all;
    losses_join(all, &own);
    if (code == STATUS_INPUT && !tracy->source->strict) {
        ++*failed;
        source_note(tracy->source, cannot[file]);
        code = STATUS_OK;
    }
    return code == STATUS_OK ? note_lost(tracy, file, &own) : code;
}

/* ---- Device columns ---- */

static uint64_t run_key(const struct op_times *run)
{
    return (uint64_t)run->call << 20 ^ (uint64_t)(uint32_t)run->device;
}

static uint64_t replay_key(const struct op_times *run)
{
    uint64_t trace = run->trace == OP_NONE ? 0 : (uint64_t)run->trace + 1;

    return trace << 32 ^ (run->replay == OP_NONE ? 0 : (uint64_t)run->replay + 1);
}

static bool same_times(const struct op_times *one, const struct op_times *other)
{
    static const enum op_time compared[] = { OP_TIME_FW_START, OP_TIME_FW_END, OP_TIME_KERNEL };

    for (unsigned i = 0; i < sizeof compared / sizeof *compared; i++) {
        int64_t a = one->values[compared[i]], b = other->values[compared[i]];

        if (a != OP_NONE && b != OP_NONE && (a > b + 1 || b > a + 1))
            return false;
    }
    return true;
}

/* The report against the log that it was made of. */
static status check_report(struct op_details *details, const struct marker_log *log)
{
    struct op_times_list logged = { .items = NULL };
    struct number_map index;
    status code = op_times_of_log(&logged, log);

    number_map_start(&index);
    for (size_t i = 0; i < details->times.count && code == STATUS_OK; i++) {
        uint32_t *place =
            number_map_at(&index, run_key(&details->times.items[i]), replay_key(&details->times.items[i]));

        if (!place)
            code = status_no_memory("checking a device report");
        else if (*place == NO_ID) /* a run that the report has again is compared by its first */
            *place = (uint32_t)i;
    }
    for (size_t i = 0; i < logged.count && code == STATUS_OK && !logged.unnamed; i++) {
        const struct op_times *run = &logged.items[i];
        uint32_t found = number_map_find(&index, run_key(run), replay_key(run));

        if (found == NO_ID)
            op_details_odd(details, OP_ODD_REPORT_MISSES, run->call, 0);
        else if (!run->repetition && !same_times(run, &details->times.items[found]))
            op_details_odd(details, OP_ODD_REPORT_DIFFERS, run->call, 0);
    }
    details->log_checked = code == STATUS_OK && !logged.unnamed;
    number_map_free(&index);
    op_times_free(&logged);
    return code;
}

static status find_times(struct tracy *tracy, const struct marker_log *log)
{
    struct op_details *details = tracy->details;
    status code = STATUS_OK;

    if (details->times.count) {
        details->device_source = OP_DEVICE_REPORT;
        source_note(tracy->source, "device times come from cpp_device_perf_report.csv");
        return log->chips.count ? check_report(details, log) : STATUS_OK;
    }
    if (!log->chips.count)
        return STATUS_OK;
    details->device_source = OP_DEVICE_LOG;
    code = op_times_of_log(&details->times, log);
    for (size_t i = 0; i < details->times.count; i++)
        if (details->times.items[i].unknown)
            op_details_odd(details, OP_ODD_UNPAIRED, details->times.items[i].call, 0);
    if (code == STATUS_OK && details->times.unnamed && details->host)
        source_note(tracy->source,
                    "the device log does not name the programs that ran: its ops cannot be joined with the host's");
    if (code == STATUS_OK && !details->host)
        code = op_gaps_of_log(&details->gaps, log);
    return code;
}

/* ---- All of it ---- */

static status read_files(struct tracy *tracy, const struct tracy_files *files, struct marker_log *log)
{
    struct input *const inputs[FILES] = { files->data, files->times, files->report, files->log };
    unsigned failed = 0, given = 0;
    status code = STATUS_OK;

    for (unsigned i = 0; i < FILES && code == STATUS_OK; i++) {
        if (!inputs[i])
            continue;
        given++;
        code = read_file(tracy, i, inputs[i], log, &failed);
    }
    if (code == STATUS_OK && given == failed)
        code = STATUS_INPUT; /* with what the last of them said */
    return code;
}

/* What could not be put together or used, among the losses: those rows are kept. */
static void note_oddities(struct tracy *tracy)
{
    static const struct {
        enum op_odd odd;
        const struct loss_reason *reason;
    } told[] = {
        { OP_ODD_CUT, &loss_part },
        { OP_ODD_NO_FULL, &loss_part },
        { OP_ODD_TENSORS, &loss_part },
        { OP_ODD_FUNCTIONS, &loss_part },
        { OP_ODD_NO_PARENT, &loss_part },
        { OP_ODD_UNTIMED, &loss_part },
        { OP_ODD_TRACE_TEXT, &loss_part },
        { OP_ODD_UNPAIRED, &loss_part },
        { OP_ODD_REPORT_MISSES, &loss_missing },
        { OP_ODD_NO_MESSAGE, &loss_missing },
        { OP_ODD_NO_TIME, &loss_missing },
        { OP_ODD_NO_DEVICE, &loss_missing },
        { OP_ODD_NO_HOST, &loss_missing },
        { OP_ODD_REPEATED, &loss_repeated_id },
        { OP_ODD_RAN_AGAIN, &loss_repeated_id },
    };
    const struct op_details *details = tracy->details;

    if (details->host && !details->host_times)
        source_note(tracy->source,
                    "there is no tracy_ops_times.csv: ops are placed by their messages, host times are missing");
    if (details->host && details->device_source == OP_DEVICE_NONE)
        source_note(tracy->source, "there is no data of the devices: their columns are empty");
    for (unsigned i = 0; i < sizeof told / sizeof *told; i++) {
        if (!details->odds[told[i].odd].count)
            continue;
        source_note(tracy->source, op_odd_text(told[i].odd));
        losses_mark(tracy->losses, told[i].reason, details->odds[told[i].odd].count);
    }
}

static void tell_columns(struct tracy *tracy, size_t first)
{
    const struct op_details *details = tracy->details;
    struct op_columns columns = {
        .device = true,
        .host_start = true,
        .latency = details->device_source != OP_DEVICE_NONE,
    };
    enum op_generation generation = OP_GENERATION_2;

    for (size_t i = 0; i < details->infos.count; i++)
        columns.input_1_datatype |= ((struct op_info *)column_at(&details->infos, i))->inputs > 1;
    for (size_t i = first; i < details->report->rows.count; i++) {
        const struct op_row *row = op_row_at(details->report, i);

        if (row->architecture)
            generation = OP_GENERATION_2_1;
        /* A row without one has its place already: nothing is to be sorted then. */
        columns.host_start = columns.host_start && row->host_start != OP_NONE;
    }
    op_report_columns(details->report, generation, &columns);
}

status tt_tracy_read(struct source *source, const struct tracy_files *files, struct op_details *details,
                     struct marker_log *log)
{
    size_t first = details->report->rows.count;
    struct tracy tracy;
    status code;

    assert(details->report && log->strings == details->report->strings);
    tracy_start(&tracy, source, details);
    code = read_files(&tracy, files, log);
    details->host = tracy.ops.count || tracy.signposts.count;
    if (code == STATUS_OK)
        code = find_times(&tracy, log);
    if (code == STATUS_OK)
        code = tracy_join(&tracy);
    if (code == STATUS_OK && details->report->rows.count == first)
        code = status_fail_at(STATUS_INPUT, (struct place){ .file = source->path }, "there is no op in these logs");
    if (code == STATUS_OK) {
        note_oddities(&tracy);
        details->report->files++;
        tell_columns(&tracy, first);
        code = op_report_end(details->report, first, source->path);
    }
    source->generation = "tracy";
    tracy_free(&tracy);
    return code;
}

/* ---- The reader ---- */

/* Which of the files it is, by its first line; FILES: none, or a device log, which has a reader of its own. */
static unsigned role_of(struct text head)
{
    (void)text_cut_start(&head, "\xEF\xBB\xBF");
    if (text_begins(head, "MessageName;") || text_begins(head, "`TT_DNN") || text_begins(head, "`TT_SIGNPOST"))
        return DATA;
    if (tracy_is_times(head))
        return TIMES;
    return text_begins(head, "GLOBAL CALL COUNT,METAL TRACE ID,") ? REPORT : FILES;
}

static int probe(struct text head, const char *path)
{
    static const int sure[FILES + 1] = { [DATA] = 95, [TIMES] = 92, [REPORT] = 92 };

    (void)path;
    return sure[role_of(head)];
}

/* Those that are not given already. */
static status open_files(const char *folder, struct input *const given[FILES], struct input *opened[FILES])
{
    struct path path = { .text = NULL };
    status code = STATUS_OK;

    for (unsigned i = 0; i < FILES && code == STATUS_OK; i++) {
        bool found = false;

        if (!given[i])
            code = tt_tracy_find(folder, tt_tracy_names[i], &path, &found);
        if (code == STATUS_OK && found)
            code = input_open(path.text, &opened[i]);
    }
    path_free(&path);
    return code;
}

/* The source itself is one of the files, whatever it is called; a device log is found by its name. */
static status place_input(struct source *source, bool alone, struct input *given[FILES])
{
    struct text head;
    unsigned role = FILES;
    status code = source->input ? input_head(source->input, &head) : STATUS_OK;

    if (code == STATUS_OK && source->input)
        role = role_of(head);
    if (role < FILES)
        given[role] = source->input;
    else if (code == STATUS_OK && alone)
        code = status_fail_at(STATUS_INPUT, (struct place){ .file = input_name(source->input) },
                              "this is none of the files that tt-tracy-ops reads");
    return code;
}

/* Standard input is one of the files, alone. */
static status find_files(struct source *source, struct input *given[FILES], struct input *opened[FILES])
{
    bool alone = source->input && !is_file(source->path);
    struct path folder = { .text = NULL };
    struct text inside = path_folder(source->path);
    status code = place_input(source, alone, given);

    if (code != STATUS_OK || alone)
        return code;
    if (!source->input)
        code = path_set(&folder, "%s", source->path);
    else if (inside.length)
        code = path_set(&folder, "%.*s", (int)inside.length, inside.data);
    else
        code = path_set(&folder, ".");
    if (code == STATUS_OK)
        code = open_files(folder.text, given, opened);
    path_free(&folder);
    return code;
}

status tt_tracy_read_folder(struct source *source, struct op_details *details, struct marker_log *log)
{
    struct input *given[FILES] = { NULL }, *opened[FILES] = { NULL };
    bool any = false;
    status code = find_files(source, given, opened);

    for (unsigned i = 0; i < FILES; i++) {
        given[i] = given[i] ? given[i] : opened[i];
        any |= given[i] != NULL;
    }
    if (code == STATUS_OK && !any)
        code = status_fail_at(STATUS_INPUT, (struct place){ .file = source->path },
                              "there is no tracy_ops_data.csv, cpp_device_perf_report.csv or profile_log_device.csv");
    if (code == STATUS_OK) {
        struct tracy_files files = { given[DATA], given[TIMES], given[REPORT], given[LOG] };

        code = tt_tracy_read(source, &files, details, log);
    }
    for (unsigned i = 0; i < FILES; i++)
        input_close(opened[i]);
    return code;
}

status tt_tracy_feed(struct source *source, const struct op_details *details, const struct marker_log *log,
                     struct feed *feed)
{
    const struct op_report *report = details->report;
    struct op_markers markers = { .logs = log, .count = 1 };

    assert(details->report);
    return log->chips.count ? op_report_feed_markers(source, feed, report, &markers)
                            : op_report_feed(source, feed, report);
}

/* Whose kernels ran before, and whose did not. */
static status meet_kernels(const struct op_details *details, size_t first)
{
    struct op_kernels kernels;
    status code = STATUS_OK;

    op_kernels_start(&kernels, details->report->strings);
    for (size_t i = first; i < details->report->rows.count && code == STATUS_OK; i++) {
        struct op_row *row = op_row_at(details->report, i);
        const struct op_info *info = row->kind == OP_DEVICE ? op_row_info(details, row) : NULL;

        if (!info)
            continue;
        code = op_kernels_meet(&kernels, info->compute_hashes, &row->parts.fresh);
        if (code == STATUS_OK)
            code = op_kernels_meet(&kernels, info->movement_hashes, &row->parts.fresh);
    }
    op_kernels_free(&kernels);
    return code;
}

static status read_profile(struct source *source, struct feed *feed)
{
    struct op_report own, *report = op_listener_report(source, &own, feed->strings);
    struct op_listener *listener = op_listener_of(source);
    size_t first = report->rows.count;
    struct op_details details;
    struct marker_log log;
    status code;

    op_details_start(&details, report);
    marker_log_start(&log, feed->strings);
    code = tt_tracy_read_folder(source, &details, &log);
    if (code == STATUS_OK)
        code = tt_tracy_feed(source, &details, &log, feed);
    if (code == STATUS_OK && listener)
        code = meet_kernels(&details, first);
    if (code == STATUS_OK && listener && log.chips.count)
        code = op_listener_take(listener, &log);
    op_report_drop_parts(report, first);
    marker_log_free(&log);
    op_details_free(&details);
    op_report_free(&own);
    return code;
}

const struct reader tt_tracy_ops_reader = {
    .id = "tt-tracy-ops",
    .title = "Tenstorrent ops logs",
    .chain = &tenstorrent_chain,
    .kind = READER_MEASURED,
    .files = "generated/profiler/.logs/, tracy_ops_times.csv, tracy_ops_data.csv",
    .probe = probe,
    .probe_folder = tt_tracy_probe_folder,
    .read = read_profile,
    .details = device_beside_details,
    .release = device_beside_release,
};
