/* ops_folder.c: walks through a folder of ops logs and puts the logs of each call together. */
#include "tenstorrent/ops_folder.h"

#include <assert.h>
#include <dirent.h>
#include <string.h>
#include <sys/stat.h>

#include "base/folder.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/path.h"
#include "tenstorrent/device_log.h"
#include "tenstorrent/ops_call.h"
#include "tenstorrent/ops_host.h"

enum {
    DEEPEST = 8, /* folders of an op whose name has slashes */
    MOST_CLOCKS = 64,
    MOST_PROBED = 256 /* names that are looked at in each of two rounds */
};

#define NO_ROW SIZE_MAX

static const char host_name[] = "profile_log_host.csv";
static const char device_name[] = "profile_log_device.csv";

/* The op folder that is being read. */
struct walk {
    struct ops_folder *folder; /* that is filled; borrowed */
    const char *op;            /* name relative to the root */
    const char *path;          /* of its host log */
    bool host_known;           /* its rows have host columns that count */
    struct strings *strings;   /* of the device logs */
    struct number_set calls;   /* of this op, met so far */
    bool again;                /* the row tells of a call whose logs were read already */
    struct path log;           /* of a call, while it is read */
    size_t logs;               /* op logs met */
    size_t cut;                /* the latest row of this op that lacks its end; NO_ROW: none */
    int64_t cut_call;          /* its number, or OPS_NO_CALL */
    bool cut_again;            /* its logs were read already, for a row before it */
};

/* Calls have folders that are called by their number. */
static bool is_call(const char *name, uint64_t *call)
{
    const char *cursor = name;
    const char *end = name + strlen(name);

    return number_read_unsigned(&cursor, end, call) && cursor == end && *call <= NUMBER_SET_LARGEST;
}

/* ---- one row ------------------------------------------------------------------------------------------------------- */

static bool lacks_kernel(const struct op_device *device)
{
    for (unsigned i = DURATION_BRISC; i <= DURATION_TRISC2; i++)
        if (!device->has[i])
            return true;
    return false;
}

static status note_device(struct walk *walk, const char *path, const struct marker_log *log,
                          const struct ops_measured *measured)
{
    const struct op_device *device = &measured->device;
    const struct {
        enum ops_loss loss;
        uint64_t count;
        uint64_t line;
    } notes[] = {
        { OPS_LOSS_DEVICE_ROW, log->losses.lost, losses_first_line(&log->losses) },
        { OPS_LOSS_DEVICE_EMPTY, !device->known, 0 },
        { OPS_LOSS_DROPPED, log->dropped, log->notice_line },
        { OPS_LOSS_NO_CLOCK, log->losses.rows && !log->clock_told, 0 },
        { OPS_LOSS_NO_RISC, device->known && lacks_kernel(device), 0 },
        { OPS_LOSS_UNPAIRED, device->lost, 0 },
        { OPS_LOSS_OTHER_CHIP, measured->other_chip, 0 },
        { OPS_LOSS_ELSEWHERE, measured->elsewhere, 0 },
    };
    status code = STATUS_OK;

    for (size_t i = 0; i < sizeof notes / sizeof *notes && code == STATUS_OK; i++)
        code = ops_lose(walk->folder, notes[i].loss, notes[i].count, path, notes[i].line);
    return code;
}

/* The log that keeps the markers of this clock. */
static status find_log(struct ops_reading *reading, const struct marker_log *part, uint32_t *found)
{
    struct marker_log *log;
    status code;

    for (*found = 0; *found < reading->log_count; ++*found)
        if (reading->logs[*found].clock_numerator == part->clock_numerator &&
            reading->logs[*found].clock_denominator == part->clock_denominator)
            return STATUS_OK;
    if (reading->log_count == MOST_CLOCKS) {
        source_note(reading->source, "the device logs tell more than 64 clocks: the others are drawn with the first");
        *found = 0;
        return STATUS_OK;
    }
    code = memory_grow(&reading->logs, &reading->log_capacity, reading->log_count + 1, sizeof *reading->logs);
    if (code != STATUS_OK)
        return code;
    log = &reading->logs[reading->log_count++];
    marker_log_start(log, reading->strings);
    log->clock_numerator = part->clock_numerator;
    log->clock_denominator = part->clock_denominator;
    log->clock_told = part->clock_told;
    log->arch = part->arch;
    log->compute_cores = part->compute_cores;
    return STATUS_OK;
}

/* Markers name the call that they belong to; newer logs number their programs anew in each file. */
static status keep_markers(struct walk *walk, struct op_call *row, const struct marker_log *log)
{
    struct ops_reading *reading = walk->folder->reading;
    uint32_t host_id = row->order > 0 && row->order <= UINT32_MAX ? (uint32_t)row->order : 0;
    status code;

    if (!walk->again)
        losses_join(&walk->folder->markers, &log->losses);
    if (!reading || !reading->timeline || !log->losses.used)
        return STATUS_OK;
    code = find_log(reading, log, &row->markers);
    return code == STATUS_OK && !walk->again ? marker_log_append(&reading->logs[row->markers], log, host_id) : code;
}

static status read_device(struct walk *walk, const char *path, struct marker_log *log)
{
    struct source *whole = walk->folder->reading ? walk->folder->reading->source : NULL;
    struct source source = { .path = path };
    status code;

    if (whole) {
        source.strict = whole->strict;
        source.clock_numerator = whole->clock_numerator;
        source.clock_denominator = whole->clock_denominator;
    }
    code = input_open(path, &source.input);
    if (code == STATUS_OK)
        code = tt_device_read_rows(&source, log);
    input_close(source.input);
    for (unsigned i = 0; whole && i < source.note_count; i++)
        source_note(whole, source.notes[i]);
    if (whole && source.generation)
        whole->generation = source.generation;
    if (!ops_forgives(walk->folder, code))
        return code;
    status_clear();
    return ops_lose(walk->folder, OPS_LOSS_DEVICE_FILE, 1, path, 0);
}

static status keep_architecture(struct walk *walk, struct op_call *row, const char *name)
{
    row->architecture = arena_copy(&walk->folder->arena, name, strlen(name));
    return row->architecture ? STATUS_OK : status_no_memory("reading a device log");
}

static status add_device(struct walk *walk, struct op_call *row, const char *path)
{
    struct ops_measured measured;
    struct marker_log log;
    status code;

    marker_log_start(&log, walk->strings);
    code = read_device(walk, path, &log);
    if (code == STATUS_OK) {
        ops_measure(&log, ops_chip_of(row), &measured);
        row->device = measured.device;
        if (log.arch)
            code = keep_architecture(walk, row, strings_text(log.strings, log.arch));
        walk->folder->device_ops += measured.device.known;
        walk->folder->calls.later_device = walk->folder->calls.later_device || measured.later;
        if (code == STATUS_OK)
            code = note_device(walk, path, &log, &measured);
    }
    if (code == STATUS_OK)
        code = keep_markers(walk, row, &log);
    marker_log_free(&log);
    return code;
}

/* What the logs of one call add to its row. */
static status read_logs(struct walk *walk, struct op_call *row, int64_t call, uint64_t line)
{
    bool on_device = row->type && strcmp(row->type, "tt_dnn_device") == 0;
    bool found = true;
    status code = path_set(&walk->log, "%s/%s/%lld/%s", walk->folder->host, walk->op, (long long)call, host_name);

    if (code == STATUS_OK)
        code = ops_calls_read(walk->folder, walk->log.text, row, &found);
    row->no_functions = !found && !walk->host_known;
    if (code == STATUS_OK && !found && on_device && walk->host_known)
        code = ops_lose(walk->folder, OPS_LOSS_NO_CALLS, 1, walk->path, line);
    if (code == STATUS_OK)
        code = path_set(&walk->log, "%s/%s/%lld/%s", walk->folder->device, walk->op, (long long)call, device_name);
    if (code != STATUS_OK)
        return code;
    if (path_exists(walk->log.text))
        return add_device(walk, row, walk->log.text);
    return on_device ? ops_lose(walk->folder, OPS_LOSS_NO_LOG, 1, walk->path, line) : STATUS_OK;
}

/* The same, where the logs may have been read for another row: what they tell is then counted and drawn already. */
static status add_logs(struct walk *walk, struct op_call *row, int64_t call, uint64_t line)
{
    struct ops_folder *folder = walk->folder;
    struct ops_reading *reading = folder->reading;
    struct ops_folder before = *folder;
    size_t functions = reading ? reading->functions.count : 0;
    uint64_t undrawn = reading ? reading->undrawn : 0;
    status code = read_logs(walk, row, call, line);

    if (!walk->again)
        return code;
    memcpy(folder->losses, before.losses, sizeof folder->losses);
    folder->function_rows = before.function_rows;
    if (reading) {
        reading->functions.count = functions;
        reading->undrawn = undrawn;
    }
    return code;
}

/* Host times of the run with device profiling contain the download of the markers: they are not shown beside others. */
static void forget_host(struct op_call *row)
{
    row->host_start = NULL;
    row->host_end = NULL;
    row->host_duration = NULL;
}

static void mend_text(const char **text, const char *other)
{
    *text = *text ? *text : other;
}

/* What a row lacks that was cut off, from the same call of the other run. */
static void mend_row(struct op_call *row, const struct op_call *other)
{
    row->name = other->name;
    row->order = row->call ? row->order : other->order;
    row->depth = row->depth_text ? row->depth : other->depth;
    mend_text(&row->call, other->call);
    mend_text(&row->depth_text, other->depth_text);
    mend_text(&row->type, other->type);
    mend_text(&row->attributes, other->attributes);
    mend_text(&row->fidelity, other->fidelity);
    mend_text(&row->strategy, other->strategy);
    mend_text(&row->inputs, other->inputs);
    mend_text(&row->outputs, other->outputs);
    for (unsigned i = 0; i < LATER_COUNT; i++)
        mend_text(&row->later[i], other->later[i]);
    row->device = other->device;
    row->markers = other->markers;
    row->functions = other->functions;
    row->function_count = other->function_count;
    row->no_functions = other->no_functions;
}

/* A call of the run with device profiling: one that the other run has is not shown again. */
static status take_other(struct walk *walk, struct op_call *row, int64_t call, uint64_t line, bool added, bool *keep)
{
    struct op_call *cut = walk->cut == NO_ROW ? NULL : &walk->folder->calls.rows[walk->cut];
    bool mends = cut && call >= 0 && (walk->cut_call == OPS_NO_CALL ? added : call == walk->cut_call);
    status code;

    *keep = added && call >= 0 && !mends;
    if (!*keep && !mends)
        return STATUS_OK;
    forget_host(row);
    walk->again = mends && walk->cut_again;
    code = ops_lose(walk->folder, mends ? OPS_LOSS_MENDED : OPS_LOSS_HOST_RUN, 1, walk->path, line);
    if (code == STATUS_OK)
        code = add_logs(walk, row, call, line);
    if (code == STATUS_OK && mends) {
        mend_row(cut, row);
        walk->cut = NO_ROW;
    }
    return code;
}

/* The row that was cut off gets its own logs, where the other run did not know the call. */
static status settle_cut(struct walk *walk)
{
    size_t cut = walk->cut;

    walk->cut = NO_ROW;
    if (cut == NO_ROW || walk->cut_call < 0)
        return STATUS_OK;
    walk->host_known = true;
    walk->again = walk->cut_again;
    return add_logs(walk, &walk->folder->calls.rows[cut], walk->cut_call, 0);
}

/* The row that comes next in the report was cut off: its logs are read when it is known what can be known of it. */
static status put_off(struct walk *walk, int64_t call)
{
    bool again = walk->again;
    status code = settle_cut(walk);

    walk->cut = walk->folder->calls.count;
    walk->cut_call = call;
    walk->cut_again = again;
    return code;
}

static status take_row(void *context, struct op_call *row, int64_t call, uint64_t line, bool *keep)
{
    struct walk *walk = context;
    bool added = true;
    status code = STATUS_OK;

    if (call >= 0)
        code = number_set_add(&walk->calls, (uint64_t)call, &added);
    if (code != STATUS_OK)
        return code;
    walk->again = !added;
    if (!walk->host_known)
        return take_other(walk, row, call, line, added, keep);
    if (!added)
        code = ops_lose(walk->folder, OPS_LOSS_REPEATED, 1, walk->path, line);
    if (!row->type)
        return code == STATUS_OK ? put_off(walk, call) : code;
    if (code != STATUS_OK)
        return code;
    if (call >= 0)
        return add_logs(walk, row, call, line);
    return row->type && strcmp(row->type, "tt_dnn_device") == 0
               ? ops_lose(walk->folder, OPS_LOSS_NO_LOG, 1, walk->path, line)
               : STATUS_OK;
}

/* ---- one op -------------------------------------------------------------------------------------------------------- */

/* Folders of calls that no row told of: the op's log was cut off. */
static status note_orphans(struct walk *walk, const char *root)
{
    struct folder_names names = { 0 };
    struct path path = { .text = NULL };
    status code = path_set(&path, "%s/%s", root, walk->op);
    size_t length = path.length;
    uint64_t call;

    if (code == STATUS_OK && path_is_folder(path.text))
        code = folder_list(path.text, &names);
    for (size_t i = 0; code == STATUS_OK && i < names.count; i++) {
        if (!is_call(names.names[i], &call) || number_set_has(&walk->calls, call))
            continue;
        path_cut(&path, length);
        code = path_add(&path, names.names[i]);
        if (code == STATUS_OK && path_is_folder(path.text))
            code = ops_lose(walk->folder, OPS_LOSS_ORPHAN, 1, path.text, 0);
    }
    folder_free(&names);
    path_free(&path);
    if (ops_forgives(walk->folder, code)) {
        status_clear();
        return STATUS_OK;
    }
    return code;
}

static status read_log(struct walk *walk, const char *root, bool host_known)
{
    struct ops_host_listener listener = { .context = walk, .row = take_row };
    struct path path = { .text = NULL };
    bool is_op = false;
    status code = path_set(&path, "%s/%s/%s", root, walk->op, host_name);

    if (code == STATUS_OK && path_exists(path.text)) {
        walk->path = path.text;
        walk->host_known = host_known;
        code = ops_host_read(walk->folder, path.text, walk->op, &listener, &is_op);
        walk->logs += is_op;
        walk->path = NULL;
    }
    path_free(&path);
    return code;
}

/* An op of the host's run, with the calls that only the other run has; or an op that only the other run has. */
static status read_op(struct walk *walk, const char *op)
{
    struct ops_folder *folder = walk->folder;
    bool two = strcmp(folder->host, folder->device) != 0;
    status code;

    walk->op = op;
    walk->cut = NO_ROW;
    number_set_clear(&walk->calls);
    code = read_log(walk, folder->host, true);
    if (code == STATUS_OK && two)
        code = read_log(walk, folder->device, false);
    if (code == STATUS_OK)
        code = settle_cut(walk);
    if (code == STATUS_OK)
        code = note_orphans(walk, folder->host);
    if (code == STATUS_OK && two)
        code = note_orphans(walk, folder->device);
    return code;
}

/* ---- the folder ---------------------------------------------------------------------------------------------------- */

static status walk_folder(struct walk *walk, const char *root, const char *inside, unsigned depth);

/* `path`: of the folder that may be an op's, or hold others. */
static status walk_path(struct walk *walk, const char *root, const char *op, const char *path, unsigned depth)
{
    struct ops_folder *folder = walk->folder;
    struct path other = { .text = NULL };
    struct stat found;
    bool met = false; /* in the host's folder, when this is the other one */
    status code = STATUS_OK;

    if (!path_is_folder(path))
        return STATUS_OK;
    if (lstat(path, &found) < 0 || S_ISLNK(found.st_mode))
        return ops_lose(folder, OPS_LOSS_FOLDER, 1, path, 0); /* it may lead back here */
    if (root != folder->host) {
        code = path_set(&other, "%s/%s", folder->host, op);
        met = code == STATUS_OK && path_is_folder(other.text);
        path_free(&other);
    }
    if (code == STATUS_OK && strstr(op, "unknown"))
        return met ? STATUS_OK : ops_lose(folder, OPS_LOSS_UNKNOWN, 1, path, 0);
    if (code == STATUS_OK && !met)
        code = read_op(walk, op);
    return code == STATUS_OK ? walk_folder(walk, root, op, depth + 1) : code;
}

static status walk_name(struct walk *walk, const char *root, const char *op, unsigned depth)
{
    struct path path = { .text = NULL };
    status code = path_set(&path, "%s/%s", root, op);

    if (code == STATUS_OK)
        code = walk_path(walk, root, op, path.text, depth);
    path_free(&path);
    return code;
}

static status walk_names(struct walk *walk, const char *root, const char *inside, const char *path, unsigned depth)
{
    struct folder_names names;
    struct path op = { .text = NULL };
    uint64_t call;
    status code = folder_list(path, &names);

    for (size_t i = 0; code == STATUS_OK && i < names.count; i++) {
        if (*inside && is_call(names.names[i], &call))
            continue;
        code = path_set(&op, "%s%s%s", inside, *inside ? "/" : "", names.names[i]);
        if (code == STATUS_OK)
            code = walk_name(walk, root, op.text, depth);
    }
    folder_free(&names);
    path_free(&op);
    return code;
}

/* `inside`: relative to the root; "" is the root itself. */
static status walk_folder(struct walk *walk, const char *root, const char *inside, unsigned depth)
{
    const char *name = *inside ? inside : root;
    struct path path = { .text = NULL };
    status code;

    if (depth > DEEPEST)
        return ops_lose(walk->folder, OPS_LOSS_FOLDER, 1, name, 0);
    code = path_set(&path, "%s%s%s", root, *inside ? "/" : "", inside);
    if (code == STATUS_OK)
        code = walk_names(walk, root, inside, path.text, depth);
    path_free(&path);
    if (ops_forgives(walk->folder, code)) {
        status_clear();
        return ops_lose(walk->folder, OPS_LOSS_FOLDER, 1, name, 0);
    }
    return code;
}

/* The folder that was given, without slashes at its end; "." and ".." have no name to which "_device" could be added. */
static status name_host(const char *path, struct path *host)
{
    struct text name = text_of(path);
    status code;

    while (name.length > 1 && text_cut_end(&name, "/"))
        continue;
    if (!name.length)
        return status_fail(STATUS_INPUT, "the name of the ops folder is empty");
    if (text_ends(name, ".")) {
        code = path_resolve(host, path);
        if (code != STATUS_INPUT)
            return code;
        status_clear();
    }
    return path_set(host, "%.*s", (int)name.length, name.data);
}

/* Which folders are meant by the one that was given. */
static status choose_folders(struct ops_folder *folder, struct path *host, struct path *device)
{
    const char *name = strrchr(host->text, '/');

    /* A location may have that in its name, too. */
    if (strstr(name ? name : host->text, "_device") && !path_is_folder(device->text) &&
        path_set(device, "%s", host->text) != STATUS_OK)
        return device->failure;
    folder->has_device = path_is_folder(device->text);
    folder->host_is_device = strcmp(host->text, device->text) == 0;
    if (path_is_folder(host->text))
        return STATUS_OK;
    if (!folder->has_device && path_exists(host->text))
        return status_fail_at(STATUS_INPUT, (struct place){ .file = host->text },
                              "is no folder; give the folder of the logs");
    if (!folder->has_device)
        return status_fail_at(STATUS_INPUT, (struct place){ .file = host->text }, "no such folder of ops logs, nor %s",
                              device->text);
    folder->host_is_device = true;
    return path_set(host, "%s", device->text);
}

static status find_folders(struct ops_folder *folder, const char *path)
{
    struct path host = { .text = NULL }, device = { .text = NULL };
    status code = name_host(path, &host);

    if (code == STATUS_OK)
        code = path_set(&device, "%s_device", host.text);
    if (code == STATUS_OK)
        code = choose_folders(folder, &host, &device);
    if (code == STATUS_OK) {
        folder->host = arena_copy(&folder->arena, host.text, host.length);
        folder->device = arena_copy(&folder->arena, device.text, device.length);
        if (!folder->host || !folder->device)
            code = status_no_memory("reading a folder of ops logs");
    }
    path_free(&host);
    path_free(&device);
    return code;
}

static status read_both(struct walk *walk)
{
    struct ops_folder *folder = walk->folder;
    status code = walk_folder(walk, folder->host, "", 0);

    if (code == STATUS_OK && folder->has_device && strcmp(folder->host, folder->device) != 0)
        code = walk_folder(walk, folder->device, "", 0);
    if (code == STATUS_OK && !walk->logs)
        return status_fail_at(STATUS_INPUT, (struct place){ .file = folder->host },
                              "no log of an op in this folder (expected: OP/%s with a column Global Call Count)",
                              host_name);
    folder->calls.later_device = folder->calls.later_device || folder->calls.later_host;
    return code == STATUS_OK ? op_calls_sort(&folder->calls) : code;
}

status ops_folder_read_for(struct ops_reading *reading, const char *path, struct ops_folder *folder)
{
    struct strings *own = reading ? NULL : strings_new();
    struct walk walk = { .folder = folder, .strings = reading ? reading->strings : own };
    status code;

    assert(path);
    *folder = (struct ops_folder){ .arena = ARENA_EMPTY, .reading = reading };
    code = walk.strings ? find_folders(folder, path) : status_no_memory("reading a folder of ops logs");
    if (code == STATUS_OK)
        code = read_both(&walk);
    number_set_free(&walk.calls);
    path_free(&walk.log);
    strings_free(own);
    folder->reading = NULL;
    return code;
}

status ops_folder_read(const char *path, struct ops_folder *folder)
{
    return ops_folder_read_for(NULL, path, folder);
}

/* ---- probing ------------------------------------------------------------------------------------------------------- */

static bool is_op_log(const char *path)
{
    struct input *input = NULL;
    struct text head = { NULL, 0 };
    bool is_op = false;

    if (!path_is_file(path))
        return false;
    if (input_open(path, &input) == STATUS_OK && input_head(input, &head) == STATUS_OK) {
        (void)text_cut_start(&head, "\xEF\xBB\xBF");
        head = text_take(&head, '\n');
        (void)text_cut_end(&head, "\r");
        is_op = ops_host_is_header(head);
    } else {
        status_clear();
    }
    input_close(input);
    return is_op;
}

/* Whether some folder inside has the log of an op. With `deeper` those inside of folders count too: ops may have slashes in their
 * names. */
static bool probe_inside(const char *path, bool deeper, unsigned depth, unsigned *left)
{
    struct path inner = { .text = NULL };
    struct dirent *entry;
    bool found = false;
    uint64_t call;
    DIR *folder = opendir(path);

    while (folder && !found && *left && (entry = readdir(folder))) {
        size_t length;

        if (*entry->d_name == '.' || (entry->d_type != DT_DIR && entry->d_type != DT_UNKNOWN))
            continue;
        --*left;
        if (is_call(entry->d_name, &call) || strstr(entry->d_name, "unknown"))
            continue;
        path_set(&inner, "%s/%s", path, entry->d_name);
        length = inner.length;
        if (path_add(&inner, host_name) != STATUS_OK)
            break;
        found = is_op_log(inner.text);
        path_cut(&inner, length);
        if (!found && deeper && depth < DEEPEST)
            found = probe_inside(inner.text, true, depth + 1, left);
    }
    if (folder)
        closedir(folder);
    if (inner.failure != STATUS_OK)
        status_clear();
    path_free(&inner);
    return found;
}

int ops_folder_probe(const char *path)
{
    struct ops_folder folder = { .arena = ARENA_EMPTY };
    bool found = false;
    int sure = 0;

    if (find_folders(&folder, path) != STATUS_OK)
        status_clear();
    for (unsigned round = 0; round < 2 && !found && folder.device; round++) {
        unsigned left = MOST_PROBED;

        found = probe_inside(folder.host, round > 0, 0, &left) ||
                (folder.has_device && probe_inside(folder.device, round > 0, 0, &left));
        sure = !found ? 0 : round ? 40 : 90;
    }
    ops_folder_free(&folder);
    return sure;
}

void ops_folder_free(struct ops_folder *folder)
{
    op_calls_free(&folder->calls);
    arena_free(&folder->arena);
    *folder = (struct ops_folder){ .arena = ARENA_EMPTY };
}

void ops_reading_start(struct ops_reading *reading, struct source *source, struct strings *strings, bool timeline)
{
    assert(source && strings);
    *reading = (struct ops_reading){ .source = source, .strings = strings, .timeline = timeline };
    column_start(&reading->functions, sizeof(struct op_function_span));
}

void ops_reading_free(struct ops_reading *reading)
{
    for (size_t i = 0; i < reading->log_count; i++)
        marker_log_free(&reading->logs[i]);
    memory_free(reading->logs);
    column_free(&reading->functions);
    *reading = (struct ops_reading){ .source = NULL };
}
