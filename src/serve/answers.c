/* answers.c: files that jobs made, found by what was asked. */
#include "serve/answers.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/folder.h"
#include "base/map.h"
#include "base/memory.h"
#include "base/path.h"

status answers_start(struct answers *answers, const char *folder, uint64_t budget)
{
    *answers = (struct answers){ .folder = memory_copy_text(folder), .budget = budget };
    return answers->folder ? STATUS_OK : status_no_memory("starting");
}

static void free_answer(struct answer *answer)
{
    if (answer->state == ANSWER_READY) {
        if (!answer->trace)
            unlink(answer->path);
        answer->among->bytes -= answer->bytes;
    }
    kept_trace_drop(answer->trace);
    errand_free(&answer->errand);
    memory_free(answer->key);
    memory_free(answer->path);
    memory_free(answer->error);
    memory_free(answer);
}

void answers_free(struct answers *answers)
{
    for (size_t i = 0; i < answers->count; i++)
        free_answer(answers->items[i]);
    memory_free(answers->items);
    memory_free(answers->folder);
    *answers = (struct answers){ 0 };
}

static void forget(struct answers *answers, size_t at)
{
    assert(!answers->items[at]->holders);
    free_answer(answers->items[at]);
    answers->items[at] = answers->items[--answers->count];
}

void answers_forget(struct answers *answers, const char *text)
{
    for (size_t i = answers->count; i-- > 0;)
        if (!answers->items[i]->holders && strstr(answers->items[i]->key, text))
            forget(answers, i);
}

/* Forgets what was used longest ago and nobody holds, until the rest fits; never what was used last, which is asked for again at once. */
static void fit(struct answers *answers)
{
    while (answers->bytes + answers->growing > answers->budget || answers->count > ANSWERS_MOST) {
        size_t oldest = answers->count;

        for (size_t i = 0; i < answers->count; i++)
            if (!answers->items[i]->holders && answers->items[i]->used < answers->clock &&
                (oldest == answers->count || answers->items[i]->used < answers->items[oldest]->used))
                oldest = i;
        if (oldest == answers->count)
            return;
        forget(answers, oldest);
    }
}

enum { MEASURED_DEPTH = 2 }; /* jobs make folders, and nothing below these */

static bool is_answer(const struct answers *answers, const char *path)
{
    for (size_t i = 0; i < answers->count; i++)
        if (answers->items[i]->state == ANSWER_READY && strcmp(answers->items[i]->path, path) == 0)
            return true;
    return false;
}

/* Files of the folder, and those in folders of it: how many bytes, and the largest that is no answer. */
static void add_up(const struct answers *answers, const char *folder, unsigned depth, uint64_t *bytes,
                   uint64_t *largest)
{
    struct folder_names names = { 0 };
    struct path path = { 0 };
    struct stat about;

    if (folder_list(folder, &names) != STATUS_OK)
        status_clear(); /* it has just gone */
    for (size_t i = 0; i < names.count; i++) {
        if (path_set(&path, "%s/%s", folder, names.names[i]) != STATUS_OK || lstat(path.text, &about) != 0)
            continue;
        if (S_ISDIR(about.st_mode) && depth)
            add_up(answers, path.text, depth - 1, bytes, largest);
        if (!S_ISREG(about.st_mode))
            continue;
        *bytes += (uint64_t)about.st_size;
        if ((uint64_t)about.st_size > *largest && !is_answer(answers, path.text))
            *largest = (uint64_t)about.st_size;
    }
    path_free(&path);
    folder_free(&names);
}

uint64_t answers_measure(struct answers *answers)
{
    uint64_t largest = 0, all = 0;

    add_up(answers, answers->folder, MEASURED_DEPTH, &all, &largest);
    answers->growing = all > answers->bytes ? all - answers->bytes : 0;
    fit(answers);
    all = answers->bytes + answers->growing;
    return largest + (all < answers->budget ? answers->budget - all : 0);
}

static status make(struct answers *answers, const char *key, struct errand *errand, struct answer **made)
{
    const char *suffix = errand_suffix(errand);
    struct answer *answer = memory_allocate_clear(sizeof *answer);
    struct path path = { 0 };
    status code = memory_grow(&answers->items, &answers->capacity, answers->count + 1, sizeof *answers->items);

    assert(suffix);
    if (code == STATUS_OK)
        code = path_set(&path, "%s/%" PRIu64 "%s", answers->folder, ++answers->numbered, suffix);
    if (code == STATUS_OK && !answer)
        code = status_no_memory("keeping an errand");
    if (code == STATUS_OK) {
        answer->key = memory_copy_text(key);
        code = answer->key ? STATUS_OK : status_no_memory("keeping an errand");
    }
    if (code != STATUS_OK) {
        path_free(&path);
        memory_free(answer);
        errand_free(errand);
        return code;
    }
    answer->path = path.text;
    answer->errand = *errand;
    answer->among = answers;
    answers->items[answers->count++] = *made = answer;
    return STATUS_OK;
}

status answers_hold(struct answers *answers, const char *key, struct errand *errand, struct answer **answer)
{
    status code = STATUS_OK;

    *answer = NULL;
    for (size_t i = 0; i < answers->count && !*answer; i++)
        if (strcmp(answers->items[i]->key, key) == 0)
            *answer = answers->items[i];
    if (*answer)
        errand_free(errand);
    else
        code = make(answers, key, errand, answer);
    if (code == STATUS_OK) {
        (*answer)->holders++;
        (*answer)->used = ++answers->clock;
    }
    return code;
}

void answer_keep(struct answer *answer)
{
    answer->holders++;
}

void answer_drop(struct answer *answer)
{
    struct answers *answers = answer->among;

    assert(answer->holders);
    if (--answer->holders)
        return;
    for (size_t i = 0; i < answers->count && answer->state != ANSWER_READY; i++) {
        if (answers->items[i] == answer) {
            forget(answers, i);
            return;
        }
    }
    fit(answers);
}

status answer_name(struct answer *answer)
{
    FILE *file = fopen(answer->path, "rb");
    char bytes[16384];
    uint64_t hash = 0;
    size_t got;
    bool whole;

    if (!file)
        return status_fail(STATUS_OUTPUT, "what was made cannot be found");
    while ((got = fread(bytes, 1, sizeof bytes, file)) > 0)
        hash = map_mix(hash, map_hash_bytes(bytes, got));
    whole = !ferror(file);
    fclose(file);
    if (!whole)
        return status_fail(STATUS_OUTPUT, "what was made cannot be read");
    snprintf(answer->tag, sizeof answer->tag, "\"%016" PRIx64 "\"", hash);
    return STATUS_OK;
}

void answer_done(struct answer *answer, status code)
{
    struct stat about = { .st_size = 0 };

    assert(answer->state == ANSWER_MAKING);
    if (code == STATUS_OK && !answer->trace && stat(answer->path, &about) != 0)
        code = status_fail(STATUS_OUTPUT, "what was made cannot be found");
    answer->code = code;
    if (code != STATUS_OK) {
        answer->state = ANSWER_FAILED;
        answer->error = memory_copy_text(status_message());
        return;
    }
    answer->state = ANSWER_READY;
    answer->bytes = answer->trace ? kept_trace_state(answer->trace).bytes : (uint64_t)about.st_size;
    answer->among->bytes += answer->bytes;
}
