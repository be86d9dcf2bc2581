/* board_there.c: scripts for the other machine: folders and copies, the command and its guard, what it left. */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/number.h"
#include "base/path.h"
#include "job/board_parts.h"
#include "job/wall_time.h"

enum { SETTLE_S = 5 }; /* how long the other side has to stop a command whose connection went */

/* ---- Scripts and answers ------------------------------------------------------------------------------------------- */

static void put(struct output *script, const char *text)
{
    output_write(script, text, strlen(text));
}

static void quoted(struct output *script, const char *before, const char *word, const char *after)
{
    put(script, before);
    remote_quote(script, word);
    put(script, after);
}

/* `cd FOLDER/RUN` */
static void enter_run(struct output *script, const struct board *board)
{
    quoted(script, "cd ", board->folder, "/");
    output_format(script, "%s || exit 1\n", board->run);
}

/* Sends a script that was written into memory, which is then freed; the answer is the caller's. Failures of the script are `code`. */
static status ask(struct board *board, struct output *script, status code, const char *what, char **answer,
                  size_t *length)
{
    struct remote_result result;
    size_t size;
    const char *text = output_memory(script, &size);
    status asked = text ? remote_ask(&board->remote, text, REMOTE_SHORT_MS, &result, answer, length)
                        : status_no_memory("talking to another machine");

    output_abandon(script);
    if (asked == STATUS_OK && !process_succeeded(&result.process))
        asked = remote_fail(&board->remote, &result, REMOTE_SHORT_MS, code, what);
    return asked;
}

/* Adds to the sentence of a failure what is left over there. */
static status explain(status code, const char *format, ...) PRINTF_LIKE(2, 3);

static status explain(status code, const char *format, ...)
{
    char told[2048], left[1024];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(left, sizeof left, format, arguments);
    va_end(arguments);
    text_copy(told, sizeof told, text_of(status_message()));
    return status_fail(code, "%s; %s", told, left);
}

/* Takes the next item of an answer, which ends with a NUL; its first word is what it tells. False: no more. */
static bool take_item(struct text *rest, struct text *key, struct text *value)
{
    struct text item;

    if (!rest->length)
        return false;
    item = text_take(rest, '\0');
    *key = text_take(&item, ' ');
    *value = item.data ? item : (struct text){ "", 0 };
    return true;
}

static bool take_number(struct text *value, uint64_t *number)
{
    struct text word = text_take(value, ' ');
    const char *cursor = word.data;

    return word.length && number_read_unsigned(&cursor, word.data + word.length, number) &&
           cursor == word.data + word.length;
}

static status fail_answer(const struct board *board)
{
    return status_fail(STATUS_INPUT, "%s: its shell gave an answer that makes no sense", board->remote.host);
}

/* ---- Before the command -------------------------------------------------------------------------------------------- */

static void write_prepare(struct output *script, const struct board *board)
{
    quoted(script, "mkdir -p ", board->folder, " && ");
    quoted(script, "cd ", board->folder, " && folder=$(pwd) || exit 1\n");
    output_format(script,
                  "printf 'folder %%s\\0' \"$folder\"\n"
                  "give_up() { rm -rf %s; exit 1; }\n"
                  "mkdir %s && : > %s/.started || give_up\n",
                  board->run, board->run, board->run);
    put(script, "same() { [ -f \"$1\" ] && [ \"$(sha256sum < \"$1\" 2> /dev/null)\" = \"$2  -\" ]; }\n");
    for (size_t i = 0; i < board->file_count; i++) {
        const struct board_file *file = &board->files[i];

        quoted(script, "name=", file->name, "\n");
        output_format(script,
                      "ln -s \"../$name\" %s/ || give_up\n"
                      "if same \"./$name\" %s && chmod %s \"./$name\"; then printf 'kept %zu\\0'; fi\n",
                      board->run, file->hash, file->executable ? "755" : "644", i);
    }
    if (!board->pushed_command) {
        output_format(script, "cd %s && PATH=$folder:$PATH\n", board->run);
        quoted(script, "command -v ", board->words.items[0], " > /dev/null || printf 'missing \\0'\n");
    }
}

static status take_prepared(struct board *board, struct text answer, bool *missing)
{
    const char *folder = NULL;
    struct text key, value;
    uint64_t number;

    while (take_item(&answer, &key, &value)) {
        if (text_is(key, "folder")) {
            folder = arena_copy(&board->arena, value.data, value.length);
            if (!folder)
                return status_no_memory("preparing");
        } else if (text_is(key, "missing")) {
            *missing = true;
        } else if (text_is(key, "kept") && take_number(&value, &number) && number < board->file_count) {
            board->files[number].kept = true;
        } else {
            return fail_answer(board);
        }
    }
    if (!folder || *folder != '/')
        return fail_answer(board);
    board->folder = folder;
    return STATUS_OK;
}

static status copy_files(struct board *board)
{
    status code = STATUS_OK;

    for (size_t i = 0; i < board->file_count && code == STATUS_OK; i++) {
        const struct board_file *file = &board->files[i];

        if (file->kept)
            continue;
        job_wait(board->job, "copying %s to %s:%s", file->path, board->remote.host, board->folder);
        code = remote_push(&board->remote, file->path, file->hash, board->folder, file->name, file->executable);
    }
    return code;
}

status board_prepare(struct board *board)
{
    const char *wished = board->folder;
    const char *what = board_text(
        board, "its folder %s cannot be made there (--remote-dir or TACHO_REMOTE_DIR names another)", wished);
    struct output *script;
    char *answer = NULL;
    size_t length = 0;
    bool missing = false;
    status code = what ? output_open_memory(&script) : status_no_memory("preparing");

    if (code != STATUS_OK)
        return code;
    write_prepare(script, board);
    code = ask(board, script, STATUS_OUTPUT, what, &answer, &length);
    if (code == STATUS_OK) {
        board->running = true;
        code = take_prepared(board, (struct text){ answer, length }, &missing);
    }
    memory_free(answer);
    if (code == STATUS_OK && missing) {
        board->job->exit_code = 127;
        code = status_fail(STATUS_INPUT, "%s is neither a file here nor a program on %s", board->words.items[0],
                           board->remote.host);
    }
    if (code == STATUS_OK && board->pushed_command) {
        board->words.items[0] = board_text(board, "%s/%s", board->folder, board->files[0].name);
        if (!board->words.items[0])
            code = status_no_memory("preparing");
    }
    return code == STATUS_OK ? copy_files(board) : code;
}

/* ---- The command --------------------------------------------------------------------------------------------------- */

/* The command has a session of its own, so that what it starts can be stopped with it. The guard reads what we never write: it comes to
 * the end when the connection does. */
static void write_run(struct output *script, const struct board *board)
{
    enter_run(script, board);
    quoted(script, "PATH=", board->folder, ":$PATH\nexport PATH\nset --");
    for (size_t i = 0; i < board->words.count; i++)
        quoted(script, " ", board->words.items[i], "");
    output_format(script,
                  "\nexec 3<&0\n"
                  "( if command -v setsid > /dev/null 2>&1; then exec setsid \"$@\"; else exec \"$@\"; fi )"
                  " < /dev/null 3<&- &\n"
                  "child=$!\n"
                  "stop() { kill -$1 -$child || kill -$1 $child; }\n"
                  "( while read -r line; do :; done\n: > .stopped\nstop TERM\nsleep 1\nstop KILL\ncd ..\nrm -rf %s )"
                  " <&3 > /dev/null 2>&1 &\n"
                  "guard=$!\n"
                  "exec 3<&-\n"
                  "wait $child\n"
                  "code=$?\n"
                  "if [ -f .stopped ]; then wait $guard; else kill $guard 2> /dev/null; echo $code > .status; fi\n"
                  "exit $code\n",
                  board->run);
}

/* Lines of the command, for whoever listens: whole ones, whatever the pieces. */
static void tell_lines(struct board *board, struct board_stream *stream, const char *data, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        bool end = data[i] == '\n';

        if (!end)
            stream->line[stream->length++] = data[i];
        if (!end && stream->length < sizeof stream->line - 1)
            continue;
        stream->line[stream->length] = '\0';
        board->job->live(board->job->live_context, NOTE_PLAIN, stream->line);
        stream->length = 0;
    }
}

static void receive(void *context, bool error, const char *data, size_t size)
{
    struct board *board = context;
    struct board_stream *stream = &board->streams[error];
    uint64_t kept = output_written(stream->kept);
    size_t room = STREAM_KEPT - kept < size ? (size_t)(STREAM_KEPT - kept) : size;

    output_write(stream->kept, data, room);
    stream->dropped += size - room;
    if (board->job->live)
        tell_lines(board, stream, data, size);
}

/* After the connection went: whether the other side has stopped the command and removed its folder, as it does by itself. */
static bool has_settled(struct board *board)
{
    struct remote_result result;
    struct output *script;
    const char *text;
    char *answer = NULL;
    size_t length;
    bool settled;

    if (output_open_memory(&script) != STATUS_OK)
        return false;
    quoted(script, "cd ", board->folder, " || exit 1\nleft=");
    output_format(script,
                  "%d\nwhile [ -d %s ] && [ $left -gt 0 ]; do sleep 1; left=$((left - 1)); done\n"
                  "[ ! -d %s ]\n",
                  SETTLE_S, board->run, board->run);
    text = output_memory(script, &length);
    settled = text && remote_ask(&board->remote, text, REMOTE_SHORT_MS, &result, &answer, &length) == STATUS_OK &&
              process_succeeded(&result.process);
    memory_free(answer);
    output_abandon(script);
    return settled;
}

/* What to add to a failure in the middle of the command. */
static status fail_stopped(struct board *board, const struct remote_result *result)
{
    uint64_t timeout_ms = board->settings->timeout * 1000;
    bool settled = has_settled(board);
    status code = remote_fail(&board->remote, result, timeout_ms, STATUS_INPUT, board->job->inputs.items[0]);

    board->running = false; /* it is the other side's */
    if (settled)
        return explain(code, "the command was stopped there, and what it wrote is removed");
    return explain(code, "whether the command was stopped there is not known: it ran in %s/%s", board->folder,
                   board->run);
}

/* What ssh gives for a failure of its own can be the command's, too. */
static status read_status(struct board *board, bool *known)
{
    struct output *script;
    struct text key, value, rest;
    char *answer = NULL;
    size_t length = 0;
    uint64_t number;
    status code = output_open_memory(&script);

    *known = false;
    if (code != STATUS_OK)
        return code;
    enter_run(script, board);
    put(script, "[ -f .status ] && printf 'status %s\\0' \"$(cat .status)\"\n");
    code = ask(board, script, STATUS_INPUT, "how the command ended cannot be told", &answer, &length);
    rest = (struct text){ answer, length };
    if (code == STATUS_OK && take_item(&rest, &key, &value) && text_is(key, "status") && take_number(&value, &number))
        *known = number == REMOTE_LOST;
    else
        status_clear();
    memory_free(answer);
    return code == STATUS_MEMORY ? code : STATUS_OK;
}

static status run_script(struct board *board, const char *script, struct remote_result *result)
{
    struct remote_call call = {
        .script = script, .timeout_ms = board->settings->timeout * 1000, .receive = receive, .context = board
    };
    int ends[2];
    status code;

    if (pipe2(ends, O_CLOEXEC) != 0)
        return status_fail(STATUS_INPUT, "the command cannot be started: no pipe: %s", strerror(errno));
    call.input = ends[0];
    code = remote_call(&board->remote, &call, result);
    close(ends[0]);
    close(ends[1]);
    for (unsigned i = 0; i < 2 && board->job->live; i++)
        if (board->streams[i].length)
            tell_lines(board, &board->streams[i], "\n", 1);
    return code;
}

status board_command(struct board *board)
{
    struct remote_result result;
    struct output *script;
    const char *text;
    size_t length;
    bool ended = true;
    status code = output_open_memory(&script);

    if (code != STATUS_OK)
        return code;
    write_run(script, board);
    text = output_memory(script, &length);
    code = text ? run_script(board, text, &result) : status_no_memory("starting the command");
    output_abandon(script);
    if (code != STATUS_OK)
        return code;
    if (result.process.timed_out || result.process.start_error)
        return fail_stopped(board, &result);
    if (remote_is_lost(&result)) {
        code = read_status(board, &ended);
        if (code == STATUS_OK && !ended)
            return fail_stopped(board, &result);
    }
    board->wall_ns = result.process.wall_ns;
    board->exit_status = result.process.exit_status;
    return code;
}

/* ---- After the command --------------------------------------------------------------------------------------------- */

/* Patterns are the other shell's to fill in; blanks in them are no separators. Files that were sent there have links in the run's folder,
 * and are no result. */
static void write_list(struct output *script, const struct board *board)
{
    enter_run(script, board);
    put(script, "IFS=\nlist() {\nfound=\nfor file in $2; do\n"
                "[ -f \"$file\" ] || continue\n"
                "case $file in\n"
                "/*) old=0; [ .started -nt \"$file\" ] && old=1 ;;\n"
                "*) old=0; [ \"$file\" -ef \"../$file\" ] && continue ;;\n"
                "esac\n"
                "found=1\n"
                "printf 'file %d %d %s\\0' $(wc -c < \"$file\") $old \"$file\"\n"
                "done\n"
                "[ $found ] || printf 'none %d\\0' $1\n"
                "}\n");
    for (size_t i = 0; i < board->wanted.count; i++) {
        output_format(script, "list %zu ", i);
        quoted(script, "", board->wanted.items[i], "\n");
    }
}

/* A name from the other side is used here, so it must be no more than a name. */
static status add_result(struct board *board, struct text value)
{
    struct board_result result = { 0 };
    const char *name;
    uint64_t old;
    status code;

    if (!take_number(&value, &result.size) || !take_number(&value, &old) || !value.length)
        return fail_answer(board);
    result.old = old;
    result.from = board_text(board, "%.*s", (int)value.length, value.data);
    name = result.from ? path_name(result.from) : "";
    if (!result.from)
        return status_no_memory("listing files");
    if (strchr(name, '/') || strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
        return fail_answer(board);
    if (strcmp(name, WALL_TIME_FILE) == 0 || strcmp(name, CONNECTION_TIME_FILE) == 0)
        return status_fail(STATUS_INPUT, "%s: %s cannot come back: %s has the times of this run under that name",
                           board->remote.host, result.from, board->out);
    for (size_t i = 0; i < board->result_count; i++) {
        if (strcmp(board->results[i].from, result.from) == 0)
            return STATUS_OK;
        if (strcmp(path_name(board->results[i].to), name) == 0)
            return status_fail(STATUS_INPUT, "%s: %s and %s would have one name in %s", board->remote.host,
                               board->results[i].from, result.from, board->out);
    }
    result.to = board_text(board, "%s/%s", board->out, name);
    code = result.to
               ? memory_grow(&board->results, &board->result_capacity, board->result_count + 1, sizeof *board->results)
               : status_no_memory("listing files");
    if (code == STATUS_OK)
        board->results[board->result_count++] = result;
    return code;
}

/* `*none` is the first pattern that nothing fits; NULL: all have something. */
static status take_list(struct board *board, struct text answer, const char **none)
{
    struct text key, value;
    uint64_t number;
    status code = STATUS_OK;

    *none = NULL;
    while (code == STATUS_OK && take_item(&answer, &key, &value)) {
        if (text_is(key, "file"))
            code = add_result(board, value);
        else if (text_is(key, "none") && take_number(&value, &number) && number < board->wanted.count)
            *none = *none ? *none : board->wanted.items[number];
        else
            code = fail_answer(board);
    }
    return code;
}

/* Times of an earlier run must not stand beside files of this one. */
static status forget_times(const struct board *board)
{
    static const char *const names[] = { WALL_TIME_FILE, CONNECTION_TIME_FILE };
    struct path path = { 0 };
    status code = STATUS_OK;

    for (unsigned i = 0; i < 2 && code == STATUS_OK; i++) {
        code = path_set(&path, "%s/%s", board->out, names[i]);
        if (code == STATUS_OK && unlink(path.text) != 0 && errno != ENOENT)
            code = status_fail(STATUS_OUTPUT, "%s cannot be replaced: %s", path.text, strerror(errno));
    }
    path_free(&path);
    return code;
}

/* Of a run that went well: one that failed has no time. */
static status write_times(const struct board *board)
{
    struct text folder = text_of(board->out);
    status code = wall_time_write(folder, WALL_TIME_FILE, board->wall_ns);

    return code == STATUS_OK ? wall_time_write(folder, CONNECTION_TIME_FILE, board->connection_ns) : code;
}

static status fetch_all(struct board *board)
{
    status code = forget_times(board);

    for (size_t i = 0; i < board->result_count && code == STATUS_OK; i++) {
        struct board_result *result = &board->results[i];
        const char *from = *result->from == '/'
                               ? result->from
                               : board_text(board, "%s/%s/%s", board->folder, board->run, result->from);

        if (!from)
            return status_no_memory("fetching files");
        job_wait(board->job, "fetching %s", result->from);
        code = remote_fetch(&board->remote, from, result->size, result->to);
        if (code == STATUS_OK && result->old)
            job_note(board->job, NOTE_WARNING, result->to, "was on %s before the command started", board->remote.host);
    }
    return code == STATUS_OK && !board->exit_status ? write_times(board) : code;
}

/* Asks what fits the patterns, where there are any. */
static status list_all(struct board *board, const char **none)
{
    struct output *script;
    char *answer = NULL;
    size_t length = 0;
    status code;

    *none = NULL;
    if (!board->wanted.count)
        return STATUS_OK;
    code = output_open_memory(&script);
    if (code != STATUS_OK)
        return code;
    write_list(script, board);
    code = ask(board, script, STATUS_INPUT, "what the command wrote cannot be listed", &answer, &length);
    if (code == STATUS_OK)
        code = take_list(board, (struct text){ answer, length }, none);
    memory_free(answer);
    return code;
}

status board_collect(struct board *board)
{
    const char *none;
    status code = list_all(board, &none);

    if (code == STATUS_OK)
        code = fetch_all(board);
    if (code != STATUS_OK && board->wanted.count) {
        board->running = false;
        return explain(code, "what the command wrote stays on %s, in %s/%s", board->remote.host, board->folder,
                       board->run);
    }
    if (code == STATUS_OK && none && !board->exit_status)
        code = status_fail(STATUS_INPUT, "%s: the command left no file %s; it ran in %s/%s, which is removed",
                           board->remote.host, none, board->folder, board->run);
    return code;
}

void board_remove(struct board *board)
{
    struct remote_result result;
    struct output *script;
    const char *text;
    char *answer = NULL;
    size_t length;
    bool removed;

    if (!board->running || output_open_memory(&script) != STATUS_OK)
        return;
    quoted(script, "cd ", board->folder, " && ");
    output_format(script, "rm -rf %s\n", board->run);
    text = output_memory(script, &length);
    removed = text && remote_ask(&board->remote, text, REMOTE_SHORT_MS, &result, &answer, &length) == STATUS_OK &&
              process_succeeded(&result.process);
    if (!removed)
        job_note(board->job, NOTE_WARNING, NULL, "%s: the folder of this run stays there: %s/%s", board->remote.host,
                 board->folder, board->run);
    board->running = false;
    memory_free(answer);
    output_abandon(script);
}
