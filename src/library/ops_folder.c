#include "library/ops_folder.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/number.h"
#include "base/strings.h"
#include "library/folder.h"
#include "library/ops_device.h"
#include "library/ops_host.h"

enum { DEEPEST = 8 }; /* folders of an op whose name has slashes */

#define NO_ROW SIZE_MAX

static const char host_name[] = "profile_log_host.csv";
static const char device_name[] = "profile_log_device.csv";

/* The op folder that is being read. */
struct walk {
    struct ops_folder *folder;
    const char *op;          /* name relative to the root */
    const char *path;        /* of its host log */
    bool host_known;         /* its rows have host columns that count */
    struct number_set calls; /* of this op, met so far */
    size_t logs;             /* op logs met */
    size_t cut;              /* the latest row of this op that lacks its end; NO_ROW: none */
    int64_t cut_call;        /* its number, or OPS_NO_CALL */
};

static bool is_folder(const char *path)
{
    struct stat found;

    return stat(path, &found) == 0 && S_ISDIR(found.st_mode);
}

static bool is_there(const char *path)
{
    return access(path, F_OK) == 0;
}

static bool join(char to[PATH_MAX], const char *one, const char *other)
{
    return (size_t)snprintf(to, PATH_MAX, "%s/%s", one, other) < PATH_MAX;
}

/* Calls have folders that are called by their number. */
static bool is_call(const char *name, uint64_t *call)
{
    const char *cursor = name;
    const char *end = name + strlen(name);

    return number_read_unsigned(&cursor, end, call) && cursor == end && *call <= NUMBER_SET_LARGEST;
}

/* ---- one row ------------------------------------------------------------------------------------------------------- */

/* The chip of the first tensor that lies on one: "…|DEV_3_DRAM_INTERLEAVED". */
static int64_t chip_of(const char *tensors)
{
    const char *found = tensors ? strstr(tensors, "|DEV_") : NULL;
    const char *end = tensors ? tensors + strlen(tensors) : NULL;
    uint64_t chip;

    if (!found)
        return OPS_ANY_CHIP;
    found += strlen("|DEV_");
    return number_read_unsigned(&found, end, &chip) && chip <= INT32_MAX ? (int64_t)chip : OPS_ANY_CHIP;
}

static status note_device(struct walk *walk, const char *path, const struct ops_device_log *log)
{
    struct ops_folder *folder = walk->folder;
    uint64_t missing = 0;
    status code = ops_lose(folder, OPS_LOSS_DEVICE_ROW, log->lost, path, log->lost_line);

    for (unsigned i = OPS_BRISC; i <= OPS_TRISC2; i++)
        missing += !log->device.has[i];
    if (code == STATUS_OK)
        code = ops_lose(folder, OPS_LOSS_DEVICE_EMPTY, !log->device.known, path, 0);
    if (code == STATUS_OK)
        code = ops_lose(folder, OPS_LOSS_NO_CLOCK, log->no_clock, path, 0);
    if (code == STATUS_OK && log->device.known)
        code = ops_lose(folder, OPS_LOSS_NO_RISC, missing > 0, path, 0);
    if (code == STATUS_OK)
        code = ops_lose(folder, OPS_LOSS_OTHER_CHIP, log->other_chip, path, 0);
    if (code == STATUS_OK)
        code = ops_lose(folder, OPS_LOSS_ELSEWHERE, log->elsewhere, path, 0);
    return code;
}

static status add_device(struct walk *walk, struct ops_row *row, const char *path)
{
    int64_t chip = chip_of(row->inputs);
    struct ops_device_log log;
    status code;

    code = ops_device_read(path, chip == OPS_ANY_CHIP ? chip_of(row->outputs) : chip, &log);
    if (code == STATUS_INPUT) {
        status_clear();
        code = ops_lose(walk->folder, OPS_LOSS_DEVICE_FILE, 1, path, 0);
    }
    if (code != STATUS_OK)
        return code;
    row->device = log.device;
    walk->folder->device_ops += log.device.known;
    walk->folder->report.later_device = walk->folder->report.later_device || log.later;
    return note_device(walk, path, &log);
}

/* What the logs of one call add to its row. */
static status add_logs(struct walk *walk, struct ops_row *row, int64_t call, uint64_t line)
{
    bool on_device = row->type && strcmp(row->type, "tt_dnn_device") == 0;
    bool found = true;
    char path[PATH_MAX];
    status code = STATUS_OK;

    if ((size_t)snprintf(path, sizeof path, "%s/%s/%lld/%s", walk->folder->host, walk->op, (long long)call, host_name) <
        sizeof path)
        code = ops_calls_read(walk->folder, path, row, &found);
    row->no_calls = !found && !walk->host_known;
    if (code == STATUS_OK && !found && on_device && walk->host_known)
        code = ops_lose(walk->folder, OPS_LOSS_NO_CALLS, 1, walk->path, line);
    if (code != STATUS_OK)
        return code;
    if ((size_t)snprintf(path, sizeof path, "%s/%s/%lld/%s", walk->folder->device, walk->op, (long long)call, device_name) <
            sizeof path && is_there(path))
        return add_device(walk, row, path);
    return on_device ? ops_lose(walk->folder, OPS_LOSS_NO_LOG, 1, walk->path, line) : STATUS_OK;
}

/* Host times of the run with device profiling contain the download of the markers: they are not shown beside others. */
static void forget_host(struct ops_row *row)
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
static void mend_row(struct ops_row *row, const struct ops_row *other)
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
    for (unsigned i = 0; i < OPS_LATER_COUNT; i++)
        mend_text(&row->later[i], other->later[i]);
    row->device = other->device;
    row->calls = other->calls;
    row->call_count = other->call_count;
    row->no_calls = other->no_calls;
}

/* A call of the run with device profiling: one that the other run has is not shown again. */
static status take_other(struct walk *walk, struct ops_row *row, int64_t call, uint64_t line, bool added, bool *keep)
{
    struct ops_row *cut = walk->cut == NO_ROW ? NULL : &walk->folder->report.rows[walk->cut];
    bool mends = cut && call >= 0 && (walk->cut_call == OPS_NO_CALL ? added : call == walk->cut_call);
    status code;

    *keep = added && call >= 0 && !mends;
    if (!*keep && !mends)
        return STATUS_OK;
    forget_host(row);
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
    return add_logs(walk, &walk->folder->report.rows[cut], walk->cut_call, 0);
}

/* The row that comes next in the report was cut off: its logs are read when it is known what can be known of it. */
static status put_off(struct walk *walk, int64_t call)
{
    status code = settle_cut(walk);

    walk->cut = walk->folder->report.count;
    walk->cut_call = call;
    return code;
}

static status take_row(void *context, struct ops_row *row, int64_t call, uint64_t line, bool *keep)
{
    struct walk *walk = context;
    bool added = true;
    status code = STATUS_OK;

    if (call >= 0)
        code = number_set_add(&walk->calls, (uint64_t)call, &added);
    if (code != STATUS_OK)
        return code;
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
    return row->type && strcmp(row->type, "tt_dnn_device") == 0 ? ops_lose(walk->folder, OPS_LOSS_NO_LOG, 1, walk->path, line)
                                                                : STATUS_OK;
}

/* ---- one op -------------------------------------------------------------------------------------------------------- */

/* Folders of calls that no row told of: the op's log was cut off. */
static status note_orphans(struct walk *walk, const char *root)
{
    struct folder_names names;
    char path[PATH_MAX], inner[PATH_MAX];
    uint64_t call;
    status code;

    if (!join(path, root, walk->op) || !is_folder(path))
        return STATUS_OK;
    code = folder_list(path, &names);
    for (size_t i = 0; code == STATUS_OK && i < names.count; i++)
        if (is_call(names.names[i], &call) && !number_set_has(&walk->calls, call) && join(inner, path, names.names[i]) &&
            is_folder(inner))
            code = ops_lose(walk->folder, OPS_LOSS_ORPHAN, 1, inner, 0);
    folder_free(&names);
    if (code == STATUS_INPUT) {
        status_clear();
        return STATUS_OK;
    }
    return code;
}

static status read_log(struct walk *walk, const char *root, bool host_known)
{
    struct ops_host_listener listener = { .context = walk, .row = take_row };
    char path[PATH_MAX], inner[PATH_MAX];
    bool is_op;
    status code;

    if (!join(inner, root, walk->op) || !join(path, inner, host_name) || !is_there(path))
        return STATUS_OK;
    walk->path = path;
    walk->host_known = host_known;
    code = ops_host_read(walk->folder, path, walk->op, &listener, &is_op);
    walk->logs += is_op;
    walk->path = NULL;
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

static status walk_name(struct walk *walk, const char *root, const char *op, unsigned depth)
{
    struct ops_folder *folder = walk->folder;
    char path[PATH_MAX], other[PATH_MAX];
    struct stat found;
    bool met; /* in the host's folder, when this is the other one */
    status code;

    if (!join(path, root, op))
        return ops_lose(folder, OPS_LOSS_FOLDER, 1, root, 0);
    if (!is_folder(path))
        return STATUS_OK;
    if (lstat(path, &found) < 0 || S_ISLNK(found.st_mode))
        return ops_lose(folder, OPS_LOSS_FOLDER, 1, path, 0); /* it may lead back here */
    met = root != folder->host && join(other, folder->host, op) && is_folder(other);
    if (strstr(op, "unknown"))
        return met ? STATUS_OK : ops_lose(folder, OPS_LOSS_UNKNOWN, 1, path, 0);
    code = met ? STATUS_OK : read_op(walk, op);
    return code == STATUS_OK ? walk_folder(walk, root, op, depth + 1) : code;
}

/* `inside`: relative to the root; "" is the root itself. */
static status walk_folder(struct walk *walk, const char *root, const char *inside, unsigned depth)
{
    struct folder_names names = { 0 };
    char path[PATH_MAX], op[PATH_MAX];
    uint64_t call;
    status code = STATUS_INPUT;

    if (depth <= DEEPEST && (*inside ? join(path, root, inside) : (size_t)snprintf(path, sizeof path, "%s", root) < sizeof path))
        code = folder_list(path, &names);
    for (size_t i = 0; code == STATUS_OK && i < names.count; i++) {
        if (*inside && is_call(names.names[i], &call))
            continue;
        if (*inside ? join(op, inside, names.names[i]) : (size_t)snprintf(op, sizeof op, "%s", names.names[i]) < sizeof op)
            code = walk_name(walk, root, op, depth);
    }
    folder_free(&names);
    if (code == STATUS_INPUT) {
        status_clear();
        return ops_lose(walk->folder, OPS_LOSS_FOLDER, 1, *inside ? inside : root, 0);
    }
    return code;
}

/* Which folders are meant by the one that was given; "." and ".." have no name to which "_device" could be added. */
static status find_folders(struct ops_folder *folder, const char *path)
{
    char host[PATH_MAX], device[PATH_MAX];
    size_t length = strlen(path);
    const char *name;

    if (!length)
        return status_fail(STATUS_INPUT, "the name of the ops folder is empty");
    while (length > 1 && path[length - 1] == '/')
        length--;
    if (length + sizeof "_device" >= sizeof host)
        return status_fail(STATUS_INPUT, "the path of the ops folder is too long");
    snprintf(host, sizeof host, "%.*s", (int)length, path);
    if (host[length - 1] == '.' && !realpath(path, host))
        snprintf(host, sizeof host, "%.*s", (int)length, path);
    name = strrchr(host, '/');
    if (strstr(name ? name : host, "_device"))
        memcpy(device, host, strlen(host) + 1);
    else if ((size_t)snprintf(device, sizeof device, "%s_device", host) >= sizeof device)
        return status_fail(STATUS_INPUT, "the path of the ops folder is too long");
    folder->has_device = is_folder(device);
    folder->host_is_device = strcmp(host, device) == 0;
    if (!is_folder(host)) {
        if (!folder->has_device)
            return status_fail_at(STATUS_INPUT, (struct place){ .file = host }, "no such folder of ops logs, nor %s", device);
        memcpy(host, device, sizeof host);
        folder->host_is_device = true;
    }
    folder->host = arena_copy(&folder->arena, host, strlen(host));
    folder->device = arena_copy(&folder->arena, device, strlen(device));
    return folder->host && folder->device ? STATUS_OK : status_no_memory("reading a folder of ops logs");
}

status ops_folder_read(const char *path, struct ops_folder *folder)
{
    struct walk walk = { .folder = folder };
    status code;

    *folder = (struct ops_folder){ .arena = ARENA_EMPTY };
    code = find_folders(folder, path);
    if (code == STATUS_OK)
        code = walk_folder(&walk, folder->host, "", 0);
    if (code == STATUS_OK && folder->has_device && strcmp(folder->host, folder->device) != 0)
        code = walk_folder(&walk, folder->device, "", 0);
    number_set_free(&walk.calls);
    if (code == STATUS_OK && !walk.logs)
        return status_fail_at(STATUS_INPUT, (struct place){ .file = folder->host },
                              "no log of an op in this folder (expected: OP/%s with a column Global Call Count)", host_name);
    folder->report.later_device = folder->report.later_device || folder->report.later_host;
    return code == STATUS_OK ? ops_report_sort(&folder->report) : code;
}

void ops_folder_free(struct ops_folder *folder)
{
    memory_free(folder->report.rows);
    memory_free(folder->report.functions);
    arena_free(&folder->arena);
    *folder = (struct ops_folder){ .arena = ARENA_EMPTY };
}

bool ops_loss_describe(const struct ops_folder *folder, enum ops_loss loss, char to[OPS_NOTE])
{
    static const char *const texts[OPS_LOSS_COUNT] = {
#define X(name, text) text,
        OPS_LOSS_MAP(X)
#undef X
    };
    unsigned long long count = folder->losses[loss].count;

    if (!count)
        return false;
    snprintf(to, OPS_NOTE, "%llu x %s%s %s", count, texts[loss], count > 1 ? ", the first:" : ":", folder->losses[loss].place);
    return true;
}
