/* history_kept.c: profiles that were kept with their bytes, as files again. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/output.h"
#include "base/path.h"
#include "history/history_profiles.h"
#include "history/history_verb.h"

/* While they are written. */
struct writing {
    struct history_profiles profiles; /* that were asked for */
    size_t cursor;                    /* profile that rows are of */
    const char *folder;               /* that they go to; borrowed */
    size_t count;                     /* of files that were written */
};

/* The hash, which show prints, tells files of one name apart. A store may have been made by anybody: what is no name of a file is none here, either. */
static void name_file(int64_t id, const char *name, char to[HISTORY_WORD])
{
    enum { ROOM = 200 };
    size_t length = strlen(name), skipped = length > ROOM ? length - ROOM : 0;
    int written = snprintf(to, HISTORY_WORD, "%016" PRIx64 "-", (uint64_t)id);

    while (((unsigned char)name[skipped] & 0xC0) == 0x80) /* in the middle of a letter */
        skipped++;
    for (const char *from = name + skipped; *from; from++)
        to[written++] = *from == '/' || (unsigned char)*from < ' ' || *from == 0x7F ? '_' : *from;
    to[written] = '\0';
}

static status write_content(const char *path, struct text content)
{
    struct output *output = NULL;
    status code = output_open_copy(path, &output);

    if (code != STATUS_OK)
        return code;
    output_write(output, content.data, content.length);
    return output_commit(output);
}

static status write_file(const char *folder, const char *name, struct text content)
{
    struct path path = { .text = NULL };
    status code = path_set(&path, "%s", folder);

    code = code == STATUS_OK ? path_add(&path, name) : code;
    if (code == STATUS_OK)
        code = write_content(path.text, content);
    path_free(&path);
    return code;
}

static bool has_bytes(const struct history_value *value)
{
    return value->kind == HISTORY_BYTES || value->kind == HISTORY_TEXT;
}

static status take_content(void *context, const struct history_value *values)
{
    struct writing *writing = context;
    int64_t id = history_integer_at(&values[0]);
    size_t at = history_profiles_find(&writing->profiles, id, &writing->cursor);
    char name[HISTORY_WORD];
    status code;

    if (at == SIZE_MAX || !has_bytes(&values[1]))
        return STATUS_OK;
    name_file(id, history_profiles_text(&writing->profiles, writing->profiles.items[at].name), name);
    code = write_file(writing->folder, name, values[1].text);
    writing->count += code == STATUS_OK;
    return code;
}

status history_write_kept(struct job *job, const struct history *history)
{
    const struct history_settings *settings = job->settings;
    const struct history_choice choice = history_choice_of(settings);
    struct writing writing = { .folder = settings->kept };
    status code = history_profiles_read(history, &choice, &writing.profiles);
    size_t asked = writing.profiles.count;

    if (code == STATUS_OK && !asked)
        code = status_fail(STATUS_INPUT, "no profile in the history is of what was asked for");
    if (code == STATUS_OK) {
        const struct history_request request = history_profiles_request(&writing.profiles, TABLE_CONTENT, NULL);

        code = history->calls->read(history->self, &request, take_content, &writing);
    }
    history_profiles_free(&writing.profiles);
    if (code != STATUS_OK)
        return code;
    return job_say(job, "%s: %zu of %zu profile%s written%s", settings->kept, writing.count, asked,
                   asked == 1 ? " was" : "s were",
                   writing.count < asked ? "; of the others no bytes were kept (tacho history add --keep)" : "");
}

/* While one is written. */
struct writing_one {
    const char *path; /* of the file; borrowed */
    bool written;     /* it is */
};

static status take_one(void *context, const struct history_value *values)
{
    struct writing_one *writing = context;

    if (!has_bytes(&values[1]))
        return STATUS_OK;
    writing->written = true;
    return write_content(writing->path, values[1].text);
}

status history_write_profile(const char *store, const char *hash, const char *path)
{
    struct writing_one writing = { .path = path };
    struct history history = { 0 };
    char *end;
    int64_t id = (int64_t)strtoull(hash, &end, 16);
    const struct history_request request = { .table = TABLE_CONTENT, .ids = &id, .id_count = 1 };
    status code = strspn(hash, "0123456789abcdef") == 16 && !*end
                      ? history_open_store(store, false, &history)
                      : status_fail(STATUS_USAGE, "\"%.40s\" is no hash of a profile", hash);

    if (code == STATUS_OK)
        code = history.calls->read(history.self, &request, take_one, &writing);
    history_close(&history);
    if (code == STATUS_OK && !writing.written)
        code = status_fail(STATUS_INPUT, "no bytes of this profile were kept: tacho history add --keep does it");
    return code;
}
