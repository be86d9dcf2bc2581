/* remote.c: what ssh is told, what its answers mean, and files through it. */
#include "job/remote.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/number.h"
#include "base/path.h"

#define MARK "@tacho-" /* and the number: what a script prints before anything else */

enum { MARK_SIZE = 32 };

/* ---- Words --------------------------------------------------------------------------------------------------------- */

void remote_quote(struct output *script, const char *word)
{
    output_write(script, "'", 1);
    for (;;) {
        size_t plain = strcspn(word, "'");

        output_write(script, word, plain);
        word += plain;
        if (!*word)
            break;
        output_write(script, "'\\''", 4);
        word++;
    }
    output_write(script, "'", 1);
}

/* One word from `*line` on into `to`, which has room for it. False: a quote is not closed. */
static bool take_word(const char **line, char *to)
{
    const char *at = *line;
    char quote = 0;

    for (; *at && (quote || !char_is_blank(*at)); at++) {
        if (quote ? *at == quote : *at == '\'' || *at == '"') {
            quote = quote ? 0 : *at;
        } else if (*at == '\\' && quote != '\'' && at[1] && (!quote || strchr("\"\\$`", at[1]))) {
            *to++ = *++at;
        } else {
            *to++ = *at;
        }
    }
    *to = '\0';
    *line = at;
    return !quote;
}

status remote_split(const char *line, struct arena *arena, const char ***words, size_t *count)
{
    const char *whole = line;
    size_t length = strlen(line);
    const char **list = memory_allocate((length / 2 + 2) * sizeof *list);
    char *room = arena_allocate(arena, length + 1, 1);
    status code = list && room ? STATUS_OK : status_no_memory("taking a command apart");

    *words = list;
    *count = 0;
    while (code == STATUS_OK) {
        while (char_is_blank(*line))
            line++;
        if (!*line)
            break;
        list[(*count)++] = room;
        if (!take_word(&line, room))
            code = status_fail(STATUS_USAGE, "a quote is not closed: %s", whole);
        room += strlen(room) + (*line != '\0');
    }
    if (list)
        list[*count] = NULL;
    return code;
}

/* A use of its own, so that files of two of them never meet. */
static void choose_number(char number[17])
{
    uint64_t random;

    if (getrandom(&random, sizeof random, 0) != (ssize_t)sizeof random)
        random = (uint64_t)getpid() << 32 ^ (uint64_t)(uintptr_t)number;
    snprintf(number, 17, "%016llx", (unsigned long long)random);
}

/* The first of several values of an option counts for ssh: what the user gave is before ours. No questions, since nobody may be there; a
 * machine that is gone is noticed; no terminal, which would change what is printed. */
static const char *const usual_options[] = {
    "-T", "-o", "BatchMode=yes", "-o", "ConnectTimeout=15", "-o", "ServerAliveInterval=5", "--",
};
enum { USUAL_OPTIONS = sizeof usual_options / sizeof *usual_options };

status remote_start(struct remote *remote, const char *host, const char *ssh)
{
    const char **given;
    size_t count;
    status code;

    assert(host);
    *remote = (struct remote){ .host = host };
    choose_number(remote->number);
    if (!*host || *host == '-')
        return status_fail(STATUS_USAGE, "--host wants USER@MACHINE, not \"%s\"", host);
    code = remote_split(ssh ? ssh : "ssh", &remote->arena, &given, &count);
    if (code == STATUS_OK && !count)
        code = status_fail(STATUS_USAGE, "the command of --ssh or TACHO_SSH is empty");
    if (code == STATUS_OK) {
        remote->words = memory_allocate((count + USUAL_OPTIONS + 3) * sizeof *remote->words);
        if (!remote->words)
            code = status_no_memory("starting");
    }
    if (code == STATUS_OK) {
        memcpy(remote->words, given, count * sizeof *given);
        memcpy(remote->words + count, usual_options, sizeof usual_options);
        remote->count = count + USUAL_OPTIONS;
        remote->words[remote->count++] = host;
    }
    memory_free(given);
    return code;
}

void remote_free(struct remote *remote)
{
    memory_free(remote->words);
    arena_free(&remote->arena);
    *remote = (struct remote){ 0 };
}

/* ---- Calls --------------------------------------------------------------------------------------------------------- */

/* What comes back, on its way to whoever called. */
struct answer {
    const struct remote_call *call; /* borrowed */
    struct remote_result *result;   /* to be filled */
    char mark[MARK_SIZE];           /* that is looked for */
    size_t matched;                 /* bytes of it that were seen */
    char line[REMOTE_COMPLAINT];    /* of standard error, as far as it came */
    size_t length;                  /* of the line */
};

/* A line of blanks tells nothing and does not count. */
static void end_line(struct answer *answer)
{
    struct text line = text_trim((struct text){ answer->line, answer->length });

    if (line.length)
        text_copy(answer->result->complaint, sizeof answer->result->complaint, line);
    answer->length = 0;
}

static void keep_complaint(struct answer *answer, const char *data, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        if (data[i] == '\n')
            end_line(answer);
        else if (answer->length < sizeof answer->line - 1)
            answer->line[answer->length++] = data[i];
    }
}

/* Passes over what is before the mark: its first sign is nowhere else in it, so that nothing must be looked at twice. Returns how many
 * bytes that took. */
static size_t find_mark(struct answer *answer, const char *data, size_t size)
{
    size_t at = 0;

    while (at < size && answer->mark[answer->matched]) {
        char sign = data[at++];

        answer->matched = sign == answer->mark[answer->matched] ? answer->matched + 1 : sign == *answer->mark;
    }
    answer->result->reached = !answer->mark[answer->matched];
    return at;
}

static void take_piece(void *context, bool error, const char *data, size_t size)
{
    struct answer *answer = context;
    size_t passed = error || answer->result->reached ? 0 : find_mark(answer, data, size);

    if (error)
        keep_complaint(answer, data, size);
    /* What ssh says before somebody is there is the complaint; from then on it is the script's. */
    if (answer->call->receive && answer->result->reached && passed < size)
        answer->call->receive(answer->call->context, error, data + passed, size - passed);
}

status remote_call(const struct remote *remote, const struct remote_call *call, struct remote_result *result)
{
    struct answer answer = { .call = call, .result = result };
    struct process_request request = { .arguments = remote->words,
                                       .input = call->input,
                                       .timeout_ms = call->timeout_ms,
                                       .limit = call->limit,
                                       .receive = take_piece,
                                       .context = &answer };
    struct output *script, *command;
    size_t length;
    status code = output_open_memory(&script);

    *result = (struct remote_result){ 0 };
    if (code != STATUS_OK)
        return code;
    code = output_open_memory(&command);
    if (code != STATUS_OK) {
        output_abandon(script);
        return code;
    }
    snprintf(answer.mark, sizeof answer.mark, MARK "%s\n", remote->number);
    output_format(script, "echo '" MARK "%s'\n%s", remote->number, call->script);
    output_format(command, "exec sh -c ");
    if (output_memory(script, &length))
        remote_quote(command, output_memory(script, &length));
    remote->words[remote->count] = output_memory(command, &length);
    remote->words[remote->count + 1] = NULL;
    if (!remote->words[remote->count] || output_status(script) != STATUS_OK)
        code = status_no_memory("talking to another machine");
    else
        code = process_run(&request, &result->process);
    end_line(&answer);
    output_abandon(command);
    output_abandon(script);
    return code;
}

static void keep_answer(void *context, bool error, const char *data, size_t size)
{
    if (!error)
        output_write(context, data, size);
}

status remote_ask(const struct remote *remote, const char *script, uint64_t timeout_ms, struct remote_result *result,
                  char **answer, size_t *length)
{
    struct remote_call call = {
        .script = script, .timeout_ms = timeout_ms, .limit = REMOTE_ANSWER, .receive = keep_answer
    };
    struct output *memory;
    const char *text;
    status code = output_open_memory(&memory);

    *answer = NULL;
    *length = 0;
    if (code != STATUS_OK)
        return code;
    call.context = memory;
    code = remote_call(remote, &call, result);
    text = code == STATUS_OK ? output_memory(memory, length) : NULL;
    if (text)
        *answer = memory_allocate(*length + 1);
    if (*answer)
        memcpy(*answer, text, *length + 1);
    else if (code == STATUS_OK)
        code = status_no_memory("talking to another machine");
    output_abandon(memory);
    return code;
}

bool remote_is_lost(const struct remote_result *result)
{
    return !result->reached || result->process.signal || result->process.exit_status == REMOTE_LOST;
}

/* ---- What went wrong ----------------------------------------------------------------------------------------------- */

/* ssh's own words are the truth; what would help is ours. */
static status fail_unreached(const struct remote *remote, const struct remote_result *result)
{
    struct text said = text_of(result->complaint);
    char ending[PROCESS_TEXT];

    if (text_contains(said, "Host key verification failed"))
        return status_fail(
            STATUS_INPUT,
            "%s: its host key was refused (%s): `ssh %s` asks about a new key, `ssh-keygen -R` forgets an old one",
            remote->host, result->complaint, remote->host);
    if (text_contains(said, "Permission denied") || text_contains(said, "Too many authentication failures"))
        return status_fail(STATUS_INPUT,
                           "%s: the login was refused (%s): ssh must get in without asking, by a key or an agent",
                           remote->host, result->complaint);
    if (result->process.exit_status == REMOTE_LOST)
        return status_fail(STATUS_INPUT, "%s could not be reached: %s", remote->host,
                           *result->complaint ? result->complaint : "ssh does not say why");
    process_describe(&result->process, 0, ending);
    return status_fail(STATUS_INPUT, "%s: no shell answered there: %s%s%s", remote->host, ending,
                       *result->complaint ? ": " : "", result->complaint);
}

status remote_fail(const struct remote *remote, const struct remote_result *result, uint64_t timeout_ms, status code,
                   const char *what)
{
    const char *colon = *result->complaint ? ": " : "";
    char ending[PROCESS_TEXT];

    process_describe(&result->process, timeout_ms, ending);
    if (result->process.start_error)
        return status_fail(STATUS_INPUT, "%s %s%s", remote->words[0], ending,
                           result->process.start_error == ENOENT
                               ? ". Install OpenSSH's client, or name the command by --ssh or TACHO_SSH"
                               : "");
    if (result->process.timed_out)
        return status_fail(STATUS_INPUT, "%s: %s: %s", remote->host, what, ending);
    if (!result->reached)
        return fail_unreached(remote, result);
    if (remote_is_lost(result))
        return status_fail(STATUS_INPUT, "%s: the connection was lost%s%s", remote->host, colon, result->complaint);
    return status_fail(code, "%s: %s: %s", remote->host, what, *result->complaint ? result->complaint : ending);
}

status remote_connect(const struct remote *remote, uint64_t *nanoseconds)
{
    struct process_request request = { .arguments = remote->words, .timeout_ms = REMOTE_SHORT_MS };
    struct process_result result;
    status code;

    remote->words[remote->count] = "true";
    remote->words[remote->count + 1] = NULL;
    code = process_run(&request, &result);
    *nanoseconds = result.wall_ns;
    if (code == STATUS_OK && !process_succeeded(&result)) {
        char ending[PROCESS_TEXT];

        process_describe(&result, REMOTE_SHORT_MS, ending);
        code =
            status_fail(STATUS_INPUT, "%s: how long connecting takes could not be measured: %s", remote->host, ending);
    }
    return code;
}

/* ---- Files --------------------------------------------------------------------------------------------------------- */

static status open_file(const char *path, int *file)
{
    *file = open(path, O_RDONLY | O_CLOEXEC);
    return *file < 0 ? status_fail_at(STATUS_INPUT, (struct place){ path, 0, 0 }, "%s", strerror(errno)) : STATUS_OK;
}

status remote_hash(const char *path, char hash[REMOTE_HASH])
{
    static const char *const words[] = { "sha256sum", NULL };
    struct process_request request = { .arguments = words };
    struct process_result result;
    const char *text;
    size_t length = 0;
    status code = open_file(path, &request.input);

    if (code != STATUS_OK)
        return code;
    code = output_open_memory(&request.output);
    if (code == STATUS_OK)
        code = process_run(&request, &result);
    text = code == STATUS_OK ? output_memory(request.output, &length) : NULL;
    if (code == STATUS_OK && (!process_succeeded(&result) || !text || length < REMOTE_HASH)) {
        char ending[PROCESS_TEXT];

        process_describe(&result, 0, ending);
        code = status_fail(STATUS_INPUT, "the hash of %s is not known: sha256sum %s", path, ending);
    }
    if (code == STATUS_OK)
        text_copy(hash, REMOTE_HASH, (struct text){ text, REMOTE_HASH - 1 });
    output_abandon(request.output);
    close(request.input);
    return code;
}

/* The file comes under another name; a copy that ends early for want of a connection is seen by its size, and goes, before anything is said
 * that nobody hears: that would end the script. */
static void write_push(struct output *script, const struct remote *remote, uint64_t size, const char *hash,
                       const char *folder, const char *name, bool executable)
{
    output_write(script, "part=.", 6);
    remote_quote(script, name);
    output_format(script, ".%s.part\nname=", remote->number);
    remote_quote(script, name);
    output_write(script, "\ncd ", 4);
    remote_quote(script, folder);
    output_format(script,
                  " || exit 1\n"
                  "give_up() { rm -f \"$part\"; [ -z \"$1\" ] || echo \"$1\" >&2; exit 1; }\n"
                  "if [ -d \"$name\" ]; then give_up 'a folder has its name'; fi\n"
                  "cat > \"$part\" || give_up\n"
                  "if [ $(wc -c < \"$part\") -ne %llu ]; then give_up 'it came incomplete'; fi\n"
                  "if command -v sha256sum > /dev/null 2>&1 && [ \"$(sha256sum < \"$part\")\" != '%s  -' ]; then\n"
                  "give_up 'it changed on the way'; fi\n"
                  "chmod %s \"$part\" && mv -f \"$part\" \"$name\" || give_up\n",
                  (unsigned long long)size, hash, executable ? "755" : "644");
}

status remote_push(const struct remote *remote, const char *path, const char *hash, const char *folder,
                   const char *name, bool executable)
{
    struct remote_call call = { .timeout_ms = REMOTE_LONG_MS, .limit = REMOTE_ANSWER };
    struct remote_result result;
    struct path what = { 0 };
    struct output *script = NULL;
    struct stat about;
    size_t length;
    status code = open_file(path, &call.input);

    if (code != STATUS_OK)
        return code;
    if (fstat(call.input, &about) != 0)
        code = status_fail_at(STATUS_INPUT, (struct place){ path, 0, 0 }, "%s", strerror(errno));
    if (code == STATUS_OK)
        code = path_set(&what, "%s could not be copied to %s, nothing of it is left there", path, folder);
    if (code == STATUS_OK)
        code = output_open_memory(&script);
    if (code == STATUS_OK) {
        write_push(script, remote, (uint64_t)about.st_size, hash, folder, name, executable);
        call.script = output_memory(script, &length);
        code = call.script ? remote_call(remote, &call, &result) : status_no_memory("copying a file");
    }
    if (code == STATUS_OK && !process_succeeded(&result.process))
        code = status_add(remote_fail(remote, &result, call.timeout_ms, STATUS_OUTPUT, what.text), "copying %s", path);
    output_abandon(script);
    path_free(&what);
    close(call.input);
    return code;
}

static void write_file(void *context, bool error, const char *data, size_t size)
{
    if (!error)
        output_write(context, data, size);
}

status remote_fetch(const struct remote *remote, const char *from, uint64_t size, const char *to)
{
    struct remote_call call = { .timeout_ms = REMOTE_LONG_MS, .limit = size + REMOTE_ANSWER, .receive = write_file };
    struct remote_result result;
    struct output *script = NULL, *file = NULL;
    size_t length;
    status code = output_open_memory(&script);

    if (code != STATUS_OK)
        return code;
    output_write(script, "exec cat < ", 11);
    remote_quote(script, from);
    call.script = output_memory(script, &length);
    code = call.script ? output_open_copy(to, &file) : status_no_memory("copying a file");
    if (code == STATUS_OK) {
        call.context = file;
        code = remote_call(remote, &call, &result);
    }
    if (code == STATUS_OK && !process_succeeded(&result.process))
        code = status_add(remote_fail(remote, &result, call.timeout_ms, STATUS_INPUT, "it could not be read"),
                          "fetching %s", from);
    if (code == STATUS_OK && output_status(file) == STATUS_OK && output_written(file) != size)
        code = status_fail(STATUS_INPUT, "%s: %s has another size than before: something still writes it", remote->host,
                           from);
    output_abandon(script);
    return file ? output_finish(file, code) : code;
}
