/* ops_log.c: writes the op profiler's folder of logs. */
#include "ops_log.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static const char op_log_host[] = "profile_log_host.csv";
static const char op_log_device[] = "profile_log_device.csv";
static const char op_log_session[] = ".tacho-session";
static const char op_log_below[] = "tt_metal/tools/profiler/logs/";

static const char op_log_calls_header[] = "Name, Start timer count [ns], Stop timer count [ns], Delta timer count [ns]";
static const char op_log_ops_header[] =
    ", Global Call Count, Call Count, Stack Size, Inputs, Outputs, Math Fidelity, Parallelization Strategy, "
    "Preferred Name, Meta Data, Type";
static const char op_log_details_header[] =
    ", Compute Kernel Paths, Compute Kernel Hashes, Data Movement Kernel Paths, Data Movement Kernel Hashes, "
    "PM Ideal ns, PM Compute ns, PM Bandwidth ns, PM Req I BW, PM Req O BW";

/* A folder that this process has logged to: what lies in it is its own. */
struct op_log_place {
    dev_t device;              /* that it is on */
    ino_t number;              /* of the folder there */
    struct op_log_place *next; /* older */
};

static struct op_log_place *op_log_places;

/* ---- files --------------------------------------------------------------------------------------------------------- */

/* At once, or not at all: half a row would spoil the one behind it. */
static bool op_log_append(int file, const struct op_text *line)
{
    ssize_t written = write(file, line->data, line->length);
    off_t end;
    struct stat found;

    if (written == (ssize_t)line->length)
        return true;
    if (written > 0) {
        end = lseek(file, 0, SEEK_CUR);
        if (fstat(file, &found) == 0 && found.st_size == end && ftruncate(file, end - written) == 0)
            errno = ENOSPC;
    }
    return false;
}

/* The file at log->file, in folders that may not be there yet. */
static int op_log_open_file(struct op_log *log)
{
    const char *path = op_text_string(&log->file);
    int flags = O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC;
    int file = openat(log->folder, path, flags, 0666);

    for (char *slash = log->file.data; file < 0 && errno == ENOENT && (slash = strchr(slash + 1, '/'));) {
        int made;

        *slash = '\0';
        made = mkdirat(log->folder, path, 0777);
        *slash = '/';
        if (made < 0 && errno != EEXIST)
            return -1;
        file = openat(log->folder, path, flags, 0666);
    }
    return file;
}

/* Adds rows to the file at log->file, behind `header` where it is empty. */
static bool op_log_write(struct op_log *log, const char *header, const char *rows)
{
    int file = op_log_open_file(log);
    struct stat found;
    bool done = file >= 0;

    op_text_clear(&log->line);
    if (done && header && fstat(file, &found) == 0 && found.st_size == 0) {
        op_text_add_string(&log->line, header);
        op_text_add_string(&log->line, "\n");
    }
    op_text_add_string(&log->line, rows);
    if (done && log->line.failed) {
        done = false;
        errno = ENOMEM;
    }
    done = done && op_log_append(file, &log->line);
    if (!done)
        op_error(errno, "cannot write", op_text_string(&log->file));
    if (file >= 0)
        close(file);
    return done;
}

static void op_log_name(struct op_log *log, const char *op, uint64_t call)
{
    op_text_clear(&log->file);
    op_text_add_string(&log->file, op);
    op_text_add_string(&log->file, "/");
    op_text_add_number(&log->file, call);
}

/* ---- the folder ---------------------------------------------------------------------------------------------------- */

/* With all that are above it. */
static bool op_log_make_folders(char *path)
{
    int reason = 0; /* why one above it could not be made */

    for (char *slash = path; (slash = strchr(slash + 1, '/'));) {
        *slash = '\0';
        if (mkdir(path, 0777) < 0 && errno != EEXIST && !reason)
            reason = errno;
        *slash = '/';
    }
    if (mkdir(path, 0777) == 0 || errno == EEXIST)
        return true;
    errno = errno == ENOENT && reason ? reason : errno;
    return false;
}

/* Calls one function for each folder in a folder. */
static void op_log_each_folder(int parent, void (*visit)(int parent, const char *name))
{
    int copy = openat(parent, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *folder = copy < 0 ? NULL : fdopendir(copy);
    struct dirent *entry;
    struct stat found;

    if (!folder && copy >= 0)
        close(copy);
    while (folder && (entry = readdir(folder)))
        if (*entry->d_name != '.' && fstatat(parent, entry->d_name, &found, AT_SYMLINK_NOFOLLOW) == 0 &&
            S_ISDIR(found.st_mode))
            visit(parent, entry->d_name);
    if (folder)
        closedir(folder);
}

static void op_log_remove_logs(int parent, const char *name, void (*inside)(int parent, const char *name))
{
    int folder = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

    if (folder < 0)
        return;
    if (inside)
        op_log_each_folder(folder, inside);
    unlinkat(folder, op_log_host, 0);
    unlinkat(folder, op_log_device, 0);
    close(folder);
    unlinkat(parent, name, AT_REMOVEDIR); /* stays where something else is in it */
}

static void op_log_remove_call(int parent, const char *name)
{
    if (name[strspn(name, "0123456789")] == '\0')
        op_log_remove_logs(parent, name, NULL);
}

static void op_log_remove_op(int parent, const char *name)
{
    op_log_remove_logs(parent, name, op_log_remove_call);
}

/* True: this process has logged there before. */
static bool op_log_knows(int folder)
{
    struct op_log_place *place;
    struct stat found;

    if (fstat(folder, &found) < 0)
        return true;
    for (place = op_log_places; place; place = place->next)
        if (place->device == found.st_dev && place->number == found.st_ino)
            return true;
    place = malloc(sizeof *place);
    if (!place)
        return true;
    *place = (struct op_log_place){ .device = found.st_dev, .number = found.st_ino, .next = op_log_places };
    op_log_places = place;
    return false;
}

/* Where locks are not to be had, nothing is removed. */
static void op_log_begin_session(struct op_log *log)
{
    int flags = O_RDWR | O_CLOEXEC | O_NOFOLLOW;
    int file = openat(log->folder, op_log_session, flags);
    bool before = file >= 0;

    if (!before)
        file = openat(log->folder, op_log_session, flags | O_CREAT, 0666);
    if (file < 0)
        return;
    if (!op_log_knows(log->folder) && before && flock(file, LOCK_EX | LOCK_NB) == 0)
        op_log_each_folder(log->folder, op_log_remove_op);
    flock(file, LOCK_SH);
    log->session = file;
}

/* The folder below which the profiler's own are, with "/" at its end. */
static void op_log_add_home(struct op_text *path)
{
    const char *home = getenv("TT_METAL_HOME");

    if (home && *home) {
        op_text_add_string(path, home);
        op_text_add_string(path, "/");
    }
    op_text_add_string(path, op_log_below);
}

/* The first that a process chooses replaces those of the process before. */
static void op_log_note_location(struct op_log *log)
{
    struct op_text *file = &log->file;
    int flags = O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | (log->noted ? 0 : O_TRUNC);
    int opened = -1;

    op_text_clear(file);
    op_log_add_home(file);
    if (!file->failed && op_log_make_folders(file->data)) {
        op_text_add_string(file, ".locations.log");
        opened = file->failed ? -1 : open(file->data, flags, 0666);
    }
    op_text_clear(&log->line);
    op_text_add_string(&log->line, op_text_string(&log->path));
    op_text_add_string(&log->line, "\n");
    if (opened < 0 || log->line.failed || !op_log_append(opened, &log->line))
        op_error(errno, "cannot note the location in", op_text_string(file));
    log->noted = true;
    if (opened >= 0)
        close(opened);
}

static bool op_log_is_device_run(void)
{
    const char *value = getenv("TT_METAL_DEVICE_PROFILER");

    return value && strcmp(value, "1") == 0;
}

static void op_log_close(struct op_log *log)
{
    if (log->folder >= 0)
        close(log->folder);
    if (log->session >= 0)
        close(log->session);
    log->folder = log->session = -1;
    log->outside = 0;
    op_text_clear(&log->path);
}

/* Fills log->path with what is asked for. */
static void op_log_choose(struct op_log *log, const char *given)
{
    size_t length = given ? strlen(given) : 0;

    while (length > 1 && (given[length - 1] == '/' || given[length - 1] == ' '))
        length--;
    if (given) {
        op_text_add(&log->path, given, length);
    } else {
        op_log_add_home(&log->path);
        op_text_add_string(&log->path, "ops");
    }
    if (op_log_is_device_run())
        op_text_add_string(&log->path, "_device");
}

static bool op_log_open_folder(struct op_log *log)
{
    char *real;

    if (log->path.failed || !op_log_make_folders(log->path.data))
        return false;
    log->folder = open(log->path.data, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    real = log->folder < 0 ? NULL : realpath(log->path.data, NULL);
    if (!real)
        return false;
    op_text_clear(&log->path);
    op_text_add_string(&log->path, real);
    free(real);
    return !log->path.failed;
}

bool op_log_open(struct op_log *log, const char *given)
{
    op_log_close(log);
    log->generation++;
    if (given && !*given)
        return true;
    op_log_choose(log, given);
    if (!op_log_open_folder(log)) {
        op_error(log->path.failed ? ENOMEM : errno, "cannot use the folder", op_text_string(&log->path));
        op_log_close(log);
        return false;
    }
    op_log_begin_session(log);
    if (given && !op_log_is_device_run())
        op_log_note_location(log);
    return true;
}

/* ---- rows ---------------------------------------------------------------------------------------------------------- */

/* Whether the log of an op that is there has the later columns. */
static bool op_log_has_details(int file)
{
    char head[sizeof op_log_calls_header + sizeof op_log_ops_header + sizeof op_log_details_header] = "";
    ssize_t length = pread(file, head, sizeof head - 1, 0);

    head[length > 0 ? length : 0] = '\0';
    head[strcspn(head, "\n")] = '\0';
    return strstr(head, op_log_details_header) != NULL;
}

/* The first row of this process: only one of those that log there writes the header, and before any row. */
static bool op_log_begin_file(struct op_log *log, struct op_log_file *file, bool details)
{
    int opened = op_log_open_file(log);
    struct stat found;
    bool done = opened >= 0;

    if (done) {
        flock(opened, LOCK_EX);
        if (fstat(opened, &found) == 0 && found.st_size > 0) {
            file->details = op_log_has_details(opened);
        } else {
            op_text_clear(&log->line);
            op_text_add_string(&log->line, op_log_calls_header);
            op_text_add_string(&log->line, op_log_ops_header);
            op_text_add_string(&log->line, details ? op_log_details_header : "");
            op_text_add_string(&log->line, "\n");
            file->details = details;
            done = !log->line.failed && op_log_append(opened, &log->line);
        }
        flock(opened, LOCK_UN);
    }
    if (!done)
        op_error(errno, "cannot write", op_text_string(&log->file));
    if (opened >= 0)
        close(opened);
    file->generation = log->generation;
    file->ready = done;
    return done;
}

void op_log_row(struct op_log *log, struct op_log_file *file, const char *fields, const char *details)
{
    static const char none[] = ", , , , , , , , , ";

    if (log->folder < 0)
        return;
    op_text_clear(&log->file);
    op_text_add_string(&log->file, file->folder);
    op_text_add_string(&log->file, "/");
    op_text_add_string(&log->file, op_log_host);
    if (log->file.failed) {
        op_error(ENOMEM, "cannot write", file->folder);
        return;
    }
    if ((!file->ready || file->generation != log->generation) && !op_log_begin_file(log, file, *details))
        return;
    if (*details && !file->details)
        op_error(0, "kernels and model are left out, since the log began without them:", op_text_string(&log->file));
    op_text_clear(&log->row);
    op_text_add_string(&log->row, fields);
    if (file->details)
        op_text_add_string(&log->row, *details ? details : none);
    op_text_add_string(&log->row, "\n");
    if (log->row.failed)
        op_error(ENOMEM, "cannot write", op_text_string(&log->file));
    else if (!op_log_write(log, NULL, op_text_string(&log->row)))
        file->ready = false;
}

static void op_log_write_calls(struct op_log *log, const char *rows)
{
    op_text_add_string(&log->file, "/");
    op_text_add_string(&log->file, op_log_host);
    if (log->file.failed)
        op_error(ENOMEM, "cannot write", op_log_host);
    else
        op_log_write(log, op_log_calls_header, rows);
}

void op_log_calls(struct op_log *log, const char *op, uint64_t call, const char *rows)
{
    if (log->folder < 0)
        return;
    op_log_name(log, op, call);
    op_log_write_calls(log, rows);
}

bool op_log_call_folder(struct op_log *log, const char *op, uint64_t call)
{
    struct op_text *path = &log->file;

    if (log->folder < 0)
        return false;
    op_text_clear(path);
    op_text_add_string(path, op_text_string(&log->path));
    op_text_add_string(path, "/");
    op_text_add_string(path, op);
    op_text_add_string(path, "/");
    op_text_add_number(path, call);
    if (!path->failed && op_log_make_folders(path->data))
        return true;
    op_error(path->failed ? ENOMEM : errno, "cannot make the folder", op_text_string(path));
    return false;
}

void op_log_outside(struct op_log *log, const char *row)
{
    static const char unknown[] = "unknown_op";

    if (log->folder < 0)
        return;
    if (!log->outside) {
        mkdirat(log->folder, unknown, 0777);
        do
            op_log_name(log, unknown, ++log->outside);
        while (!log->file.failed && mkdirat(log->folder, log->file.data, 0777) < 0 && errno == EEXIST);
    }
    op_log_name(log, unknown, log->outside);
    op_log_write_calls(log, row);
}
