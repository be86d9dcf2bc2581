/* board.c: tacho record --host: what is to be done, and in which order. */
#include "job/board.h"

#include <assert.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/path.h"
#include "job/board_parts.h"
#include "job/wall_time.h"

const char *board_text(struct board *board, const char *format, ...)
{
    va_list arguments;
    const char *made;

    va_start(arguments, format);
    made = arena_format(&board->arena, format, arguments);
    va_end(arguments);
    return made;
}

/* ---- The plan ------------------------------------------------------------------------------------------------------ */

/* The one who is logged in here: the other machine may have one name for all. */
static const char *user_name(void)
{
    static const char *const variables[] = { "LOGNAME", "USER", "LNAME", "USERNAME" };
    const struct passwd *entry;

    for (unsigned i = 0; i < sizeof variables / sizeof *variables; i++) {
        const char *name = getenv(variables[i]);

        if (name && *name)
            return name;
    }
    entry = getpwuid(geteuid());
    return entry && *entry->pw_name ? entry->pw_name : NULL;
}

static status choose_folder(struct board *board)
{
    const char *given = board->settings->folder ? board->settings->folder : getenv("TACHO_REMOTE_DIR");
    const char *user = user_name();

    if (given && *given) {
        board->folder = given;
        return STATUS_OK;
    }
    if (!user || strchr(user, '/') || *user == '.')
        return status_fail(STATUS_USAGE,
                           "whose folder on %s it is cannot be told: name one by --remote-dir or TACHO_REMOTE_DIR",
                           board->settings->host);
    board->folder = board_text(board, "%s/%s", board->program ? board->program->folder : "tacho", user);
    return board->folder ? STATUS_OK : status_no_memory("starting");
}

static const struct chain_program *find_program(const char *name)
{
    for (size_t i = 0; chains[i]; i++)
        for (const struct chain_program *program = chains[i]->programs; program && program->name; program++)
            if (strcmp(program->name, name) == 0)
                return program;
    return NULL;
}

static status add_file(struct board *board, const char *path, bool executable)
{
    struct board_file *file = &board->files[board->file_count];

    if (!path_is_file(path))
        return status_fail_at(STATUS_INPUT, (struct place){ path, 0, 0 },
                              path_exists(path) ? "is no file, and only files are copied" : "no such file");
    *file = (struct board_file){ .path = path, .name = path_name(path), .executable = executable };
    for (size_t i = 0; i < board->file_count; i++) {
        if (strcmp(board->files[i].name, file->name) != 0)
            continue;
        if (path_same_file(board->files[i].path, path))
            return STATUS_OK;
        return status_fail(STATUS_USAGE, "%s and %s would have one name on %s", board->files[i].path, path,
                           board->settings->host);
    }
    board->file_count++;
    return STATUS_OK;
}

/* A command with a slash that is a file here goes there; one without is looked for there. */
static status plan_files(struct board *board)
{
    const char *command = board->job->inputs.items[0];
    const struct texts *push = &board->settings->push;
    status code = STATUS_OK;

    board->files = memory_allocate_clear((push->count + 1) * sizeof *board->files);
    if (!board->files)
        return status_no_memory("starting");
    board->pushed_command = strchr(command, '/') && path_is_file(command);
    if (board->pushed_command)
        code = add_file(board, command, true);
    for (size_t i = 0; i < push->count && code == STATUS_OK; i++)
        code = add_file(board, push->items[i], access(push->items[i], X_OK) == 0);
    for (size_t i = 0; i < board->file_count && code == STATUS_OK; i++)
        code = remote_hash(board->files[i].path, board->files[i].hash);
    return code;
}

/* An argument that is the path of a file which goes there, or ends with it behind "=" or "@", has its name there instead. */
static const char *word_there(struct board *board, const char *word)
{
    struct text given = text_of(word);

    for (size_t i = 0; i < board->file_count; i++) {
        const struct board_file *file = &board->files[i];
        size_t before = given.length - strlen(file->path); /* meant only where it ends so */

        if (text_ends(given, file->path) && (!before || word[before - 1] == '=' || word[before - 1] == '@'))
            return board_text(board, "%.*s%s", (int)before, word, file->name);
    }
    return word;
}

static status plan_words(struct board *board)
{
    const struct texts *given = &board->job->inputs;
    status code = STATUS_OK;

    for (size_t i = 0; i < given->count && code == STATUS_OK; i++) {
        const char *word = i == 0 ? given->items[0] : word_there(board, given->items[i]);

        code = word ? texts_add(&board->words, word) : status_no_memory("starting");
    }
    return code;
}

static status want(struct board *board, const char *pattern)
{
    if (!*pattern)
        return status_fail(STATUS_USAGE, "--fetch wants a file, not an empty word");
    for (size_t i = 0; i < board->wanted.count; i++)
        if (strcmp(board->wanted.items[i], pattern) == 0)
            return STATUS_OK;
    return texts_add(&board->wanted, pattern);
}

/* The profiles that the command is told to write: --option=FILE or --option FILE. */
static status want_profiles(struct board *board)
{
    status code = STATUS_OK;

    for (size_t i = 1; board->program && i < board->words.count && code == STATUS_OK; i++) {
        for (const char *const *option = board->program->profiles; *option && code == STATUS_OK; option++) {
            struct text word = text_of(board->words.items[i]);

            if (!text_cut_start(&word, *option))
                continue;
            if (!word.length && i + 1 < board->words.count)
                code = want(board, board->words.items[i + 1]);
            else if (text_cut_start(&word, "=") && word.length)
                code = want(board, word.data);
        }
    }
    return code;
}

static status plan_wanted(struct board *board)
{
    status code = want_profiles(board);

    for (size_t i = 0; i < board->settings->fetch.count && code == STATUS_OK; i++)
        code = want(board, board->settings->fetch.items[i]);
    return code;
}

/* The command must not run for nothing: a place that cannot be written is said before it does. */
static status make_out(struct board *board, const char *out)
{
    struct text stem = path_stem(board->job->inputs.items[0]);
    time_t now = time(NULL);
    struct tm parts;
    char date[32];

    localtime_r(&now, &parts);
    strftime(date, sizeof date, "%Y%m%d-%H%M%S", &parts);
    board->out = out ? out : board_text(board, "%.*s-%s", (int)stem.length, stem.data, date);
    if (!board->out)
        return status_no_memory("starting");
    if (path_exists(board->out) && !path_is_folder(board->out))
        return status_fail(STATUS_USAGE, "%s is no folder: with --host, -o names one for what comes back", board->out);
    board->made_out = !path_exists(board->out);
    return path_make_folder(board->out);
}

static status plan(struct board *board, const char *out)
{
    const char *ssh = board->settings->ssh ? board->settings->ssh : getenv("TACHO_SSH");
    status code = remote_start(&board->remote, board->settings->host, ssh && *ssh ? ssh : NULL);

    board->program = find_program(path_name(board->job->inputs.items[0]));
    board->run = board_text(board, "run-%s", board->remote.number);
    if (code == STATUS_OK && !board->run)
        code = status_no_memory("starting");
    for (unsigned i = 0; i < 2 && code == STATUS_OK; i++)
        code = output_open_memory(&board->streams[i].kept);
    if (code == STATUS_OK)
        code = choose_folder(board);
    if (code == STATUS_OK)
        code = plan_files(board);
    if (code == STATUS_OK)
        code = plan_words(board);
    if (code == STATUS_OK)
        code = plan_wanted(board);
    return code == STATUS_OK ? make_out(board, out) : code;
}

/* ---- Run ----------------------------------------------------------------------------------------------------------- */

static status run_there(struct board *board)
{
    status code = board_prepare(board);

    if (code == STATUS_OK)
        code = remote_connect(&board->remote, &board->connection_ns);
    if (code == STATUS_OK)
        code = board_command(board);
    if (code == STATUS_OK && !board->exit_status)
        code = job_tell(board->job, "Wall time: %.3fs", (double)board->wall_ns / 1e9);
    if (code == STATUS_OK)
        code = board_collect(board);
    board_remove(board);
    return code;
}

status board_run(struct job *job, const struct board_settings *settings, const char *out)
{
    struct board *board = memory_allocate_clear(sizeof *board);
    status code;

    assert(settings->host && job->inputs.count);
    if (!board)
        return status_no_memory("starting");
    board->job = job;
    board->settings = settings;
    code = plan(board, out);
    if (code == STATUS_OK)
        code = run_there(board);
    if (code == STATUS_OK && !board->exit_status)
        code = board_summarise(board);
    if (code == STATUS_OK)
        return board_say(board);
    if (board->made_out)
        rmdir(board->out); /* where something is in it, it stays */
    board_free(board);
    return code;
}
