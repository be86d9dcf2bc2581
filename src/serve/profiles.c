/* profiles.c: cards of files, and jobs that answer errands about them. */
#include "serve/profiles.h"

#include <assert.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "base/format.h"
#include "base/json_write.h"
#include "base/memory.h"
#include "base/path.h"
#include "job/tables.h"
#include "serve/facts.h"
#include "serve/folders.h"
#include "serve/pool.h"
#include "serve/store.h"
#include "write/writer.h"

enum { SCAN_MS = 1000, LOOKED_MS = 10000, STOP_MS = 1500 };
/* What a job may need, whatever it reads, and for every byte of a file: of 64 jobs on files of all chains of 8 to 127 MB none needed
 * more than 3.2 bytes a byte, and none of small files more than this. */
#define JOB_MEMORY ((uint64_t)64 << 20)
#define JOB_MEMORY_PER_BYTE 4

enum card_state {
    CARD_WAITING, /* to be read */
    CARD_READY,   /* `facts` are there */
    CARD_BAD,     /* it cannot be used: `error` says why */
    CARD_OTHER    /* no profile: the same */
};

/* What is known of a file. */
struct card {
    enum card_state state;       /* see above */
    uint32_t version;            /* of the file, that this is about; 0: of none yet */
    const struct reader *reader; /* NULL: not known */
    char *facts;                 /* JSON; NULL: none; owned */
    char *error;                 /* the same */
};

struct profiles {
    pthread_mutex_t lock;     /* of everything below */
    struct folders folders;   /* files */
    struct card *cards;       /* of each of them */
    size_t card_capacity;     /* of cards */
    struct texts asked;       /* options of all jobs; its texts are owned */
    char *history;            /* file or URL; NULL: none; owned */
    char *history_shown;      /* the same, for people; owned */
    struct answers answers;   /* that were made */
    struct answers traces;    /* the same, those that are kept in memory */
    struct pool *pool;        /* NULL: not started */
    bool reading;             /* a card is being filled */
    uint64_t filled;          /* cards so far */
    size_t first;             /* card that somebody looks at: it comes before the others */
    uint64_t scanned, looked; /* ms: the last scan, and when somebody last wanted the list */
    bool closed;              /* nothing more is asked */
    unsigned threads;         /* as the options say */
    uint64_t memory;          /* the same */
    void (*wait)(struct exchange *asker, struct exchange *next); /* the same */
    void (*wake)(struct exchange *waiting);                      /* the same */
};

/* A file on its way to its card. */
struct reading {
    struct profiles *profiles; /* borrowed */
    size_t at;                 /* which card */
    uint32_t version;          /* of the file */
};

/* An answer on its way. */
struct making {
    struct profiles *profiles;  /* borrowed */
    struct answer *answer;      /* held */
    const struct served *of[2]; /* what it is about; NULL: no more */
};

static uint64_t now_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

void profiles_lock(struct profiles *profiles)
{
    pthread_mutex_lock(&profiles->lock);
}

void profiles_unlock(struct profiles *profiles)
{
    pthread_mutex_unlock(&profiles->lock);
}

/* ---- Begin and end --------------------------------------------------------------------------------------------------- */

static void free_profiles(void *owner)
{
    struct profiles *profiles = owner;

    for (size_t i = 0; i < profiles->folders.count && i < profiles->card_capacity; i++) {
        memory_free(profiles->cards[i].facts);
        memory_free(profiles->cards[i].error);
    }
    memory_free(profiles->cards);
    answers_free(&profiles->answers);
    answers_free(&profiles->traces);
    for (size_t i = 0; i < profiles->asked.count; i++)
        memory_free((char *)(uintptr_t)profiles->asked.items[i]);
    texts_free(&profiles->asked);
    memory_free(profiles->history);
    memory_free(profiles->history_shown);
    folders_free(&profiles->folders);
    pthread_mutex_destroy(&profiles->lock);
    memory_free(profiles);
}

static status scan(struct profiles *profiles)
{
    status code = folders_scan(&profiles->folders);

    profiles->scanned = now_ms();
    if (code == STATUS_OK && profiles->folders.count)
        code = memory_grow_clear(&profiles->cards, &profiles->card_capacity, profiles->folders.count,
                                 sizeof *profiles->cards);
    return code;
}

/* The server may end while a job goes on. */
static status keep_options(struct profiles *profiles, const struct texts *asked)
{
    status code = STATUS_OK;

    for (size_t i = 0; asked && i < asked->count && code == STATUS_OK; i++) {
        char *copy = memory_copy_text(asked->items[i]);

        code = copy ? texts_add(&profiles->asked, copy) : status_no_memory("starting");
        if (code != STATUS_OK)
            memory_free(copy);
    }
    return code;
}

status profiles_open(const struct profiles_options *options, struct profiles **made)
{
    struct profiles *profiles = memory_allocate_clear(sizeof *profiles);
    status code;

    *made = NULL;
    if (!profiles)
        return status_no_memory("starting");
    pthread_mutex_init(&profiles->lock, NULL);
    profiles->threads = options->threads;
    profiles->memory = options->memory;
    profiles->wait = options->wait;
    profiles->wake = options->wake;
    profiles->looked = now_ms();
    code = folders_start(&profiles->folders, options->paths, options->count, options->whole);
    if (code == STATUS_OK)
        code = keep_options(profiles, options->asked);
    if (code == STATUS_OK && options->history && !(profiles->history = memory_copy_text(options->history)))
        code = status_no_memory("starting");
    if (code == STATUS_OK && options->history)
        code = store_shown(options->history, &profiles->history_shown);
    if (code == STATUS_OK)
        code = answers_start(&profiles->answers, options->folder, options->disk);
    if (code == STATUS_OK)
        code = answers_start(&profiles->traces, options->folder, options->traces);
    if (code == STATUS_OK)
        code = scan(profiles);
    if (code != STATUS_OK)
        free_profiles(profiles);
    else
        *made = profiles;
    return code;
}

bool profiles_stop(struct profiles *profiles)
{
    if (profiles->pool)
        return pool_stop(profiles->pool, STOP_MS);
    free_profiles(profiles);
    return true;
}

const char *profiles_root(const struct profiles *profiles, size_t index)
{
    return index < profiles->folders.root_count ? profiles->folders.roots[index].reach : NULL;
}

/* Of two files, one, or none: a history is not read as a whole. */
static uint64_t memory_for(const struct served *one, const struct served *other)
{
    uint64_t bytes = (one ? one->size : 0) + (other ? other->size : 0);

    return bytes < UINT64_MAX / 16 ? JOB_MEMORY + bytes * JOB_MEMORY_PER_BYTE : UINT64_MAX / 2;
}

/* ---- Cards ----------------------------------------------------------------------------------------------------------- */

static void read_next(struct profiles *profiles);

static void fill(struct card *card, const struct served *file, uint32_t version, status code,
                 const struct reader *reader, char *facts)
{
    memory_free(card->facts);
    memory_free(card->error);
    *card = (struct card){ .version = version, .reader = reader, .facts = facts, .state = CARD_READY };
    if (code == STATUS_OK)
        return;
    card->error = memory_copy_text(status_message());
    /* A file that was named is to be heard of, whatever it is. */
    card->state = code == STATUS_NO && !file->given ? CARD_OTHER : CARD_BAD;
}

static void give_way(void *context)
{
    const struct profiles *profiles = context;

    pool_give_way(profiles->pool);
}

static void read_card(void *context)
{
    struct reading *reading = context;
    struct profiles *profiles = reading->profiles;
    const struct reader *reader = NULL;
    const struct served *file;
    char *facts = NULL;
    status code;

    profiles_lock(profiles);
    file = profiles->folders.items[reading->at];
    profiles_unlock(profiles);
    code = folders_check(&profiles->folders, file);
    if (code == STATUS_OK)
        code =
            facts_read(file->spoken, &profiles->asked, (struct progress_pause){ give_way, profiles }, &reader, &facts);
    profiles_lock(profiles);
    fill(&profiles->cards[reading->at], file, reading->version, code, reader, facts);
    profiles->reading = false;
    profiles->filled++;
    read_next(profiles);
    profiles_unlock(profiles);
}

static bool is_old(const struct profiles *profiles, size_t at)
{
    return at < profiles->folders.count && !profiles->folders.items[at]->gone &&
           profiles->cards[at].version != profiles->folders.items[at]->version;
}

/* What was said of a file as it was: nobody can ask for that any more. Locked. */
static void forget_answers(struct profiles *profiles, const struct served *file)
{
    struct path about = { 0 };

    if (path_set(&about, " %s.", file->id) == STATUS_OK) {
        answers_forget(&profiles->answers, about.text);
        answers_forget(&profiles->traces, about.text);
    }
    path_free(&about);
}

/* Has the next card filled, one at a time. Locked. */
static void read_next(struct profiles *profiles)
{
    size_t at = profiles->first;
    struct reading *reading;
    status code;

    for (size_t i = 0; !is_old(profiles, at) && i < profiles->folders.count; i++)
        at = i;
    if (profiles->reading || !profiles->pool || !is_old(profiles, at))
        return;
    reading = memory_allocate(sizeof *reading);
    if (!reading)
        return; /* it is tried again at the next scan */
    *reading = (struct reading){ .profiles = profiles, .at = at, .version = profiles->folders.items[at]->version };
    profiles->reading = true;
    forget_answers(profiles, profiles->folders.items[at]);
    code = pool_add(profiles->pool, (struct pool_piece){ .run = read_card,
                                                         .context = reading,
                                                         .memory = memory_for(profiles->folders.items[at], NULL),
                                                         .behind = true });
    if (code != STATUS_OK) {
        profiles->reading = false;
        memory_free(reading);
    }
}

static status keep_only(struct profiles *profiles);

status profiles_start(struct profiles *profiles)
{
    status code;

    profiles_lock(profiles);
    code = pool_start(&profiles->pool, profiles->threads, profiles->memory, free_profiles, profiles);
    if (code == STATUS_OK)
        code = keep_only(profiles);
    if (code == STATUS_OK)
        read_next(profiles);
    profiles_unlock(profiles);
    return code;
}

/* What jobs write is bounded as a whole: whoever writes the largest file finds that it cannot grow. Locked. */
static void bound_files(struct profiles *profiles)
{
    uint64_t bytes = answers_measure(&profiles->answers);
    struct rlimit limit;

    if (getrlimit(RLIMIT_FSIZE, &limit) != 0)
        return;
    limit.rlim_cur = bytes < limit.rlim_max ? (rlim_t)bytes : limit.rlim_max;
    setrlimit(RLIMIT_FSIZE, &limit);
}

void profiles_refresh(struct profiles *profiles)
{
    uint64_t now = now_ms();

    profiles_lock(profiles);
    bound_files(profiles);
    if (now - profiles->looked < LOOKED_MS && now - profiles->scanned >= SCAN_MS) {
        /* Without memory the list stays as it is until the next time. */
        if (scan(profiles) == STATUS_OK)
            read_next(profiles);
    }
    profiles_unlock(profiles);
}

/* ---- Lists ----------------------------------------------------------------------------------------------------------- */

static void write_time(struct json_out *out, const char *key, int64_t nanoseconds)
{
    char text[FORMAT_SIZE];

    json_out_text(out, key, format_date(text, nanoseconds) ? text : NULL);
}

static const char *state_name(const struct profiles *profiles, size_t at)
{
    static const char *const names[] = { "waiting", "ready", "bad", "other" };

    return profiles->cards[at].version == profiles->folders.items[at]->version ? names[profiles->cards[at].state]
                                                                               : names[CARD_WAITING];
}

/* What is known of a file, inside of an object that is open. */
static void write_card(const struct profiles *profiles, size_t at, struct json_out *out)
{
    const struct served *file = profiles->folders.items[at];
    const struct card *card = &profiles->cards[at];

    json_out_text(out, "id", file->id);
    json_out_text(out, "name", file->name);
    json_out_text(out, "state", state_name(profiles, at));
    json_out_text(out, "error", card->error);
    if (file->folder)
        json_out_null(out, "size");
    else
        json_out_unsigned(out, "size", file->size);
    write_time(out, "modified", file->modified);
    if (card->facts)
        output_format(json_out_value(out, "profile"), "%s", card->facts);
    else
        json_out_null(out, "profile");
}

static bool is_shown(const struct profiles *profiles, size_t at, bool other)
{
    return !profiles->folders.items[at]->gone && (profiles->cards[at].state == CARD_OTHER) == other;
}

static void write_others(const struct profiles *profiles, struct json_out *out)
{
    json_out_array(out, "others", JSON_LINES);
    for (size_t i = 0; i < profiles->folders.count; i++) {
        if (!is_shown(profiles, i, true))
            continue;
        json_out_object(out, NULL, JSON_ONE_LINE);
        json_out_text(out, "name", profiles->folders.items[i]->name);
        json_out_text(out, "reason", profiles->cards[i].error);
        json_out_end(out);
    }
    json_out_end(out);
}

/* Everything that is served, inside of an object that is open. */
static void write_all(const struct profiles *profiles, struct json_out *out)
{
    size_t waiting = 0;

    for (size_t i = 0; i < profiles->folders.count; i++)
        waiting += is_old(profiles, i);
    json_out_array(out, "served", JSON_ONE_LINE);
    for (size_t i = 0; i < profiles->folders.root_count; i++)
        json_out_text(out, NULL, profiles->folders.roots[i].name);
    json_out_end(out);
    json_out_text(out, "history", profiles->history_shown);
    json_out_unsigned(out, "waiting", waiting);
    json_out_unsigned(out, "outside", profiles->folders.outside);
    json_out_unsigned(out, "unread", profiles->folders.unread);
    json_out_array(out, "profiles", JSON_LINES);
    for (size_t i = 0; i < profiles->folders.count; i++) {
        if (!is_shown(profiles, i, false))
            continue;
        json_out_object(out, NULL, JSON_LINES);
        write_card(profiles, i, out);
        json_out_end(out);
    }
    json_out_end(out);
    write_others(profiles, out);
}

void profiles_write_list(struct profiles *profiles, const char *after, struct output *output)
{
    struct json_out out;
    char state[32];

    profiles_lock(profiles);
    profiles->looked = now_ms();
    snprintf(state, sizeof state, "%" PRIu64, profiles->folders.changes + profiles->filled);
    json_out_start(&out, output);
    json_out_object(&out, NULL, JSON_LINES);
    json_out_text(&out, "after", state);
    if (!after || strcmp(after, state) != 0)
        write_all(profiles, &out);
    json_out_end(&out);
    json_out_finish(&out);
    profiles_unlock(profiles);
}

static void write_archives(const struct card *card, struct json_out *out)
{
    struct verb_walk walk = { 0 };

    json_out_array(out, "archives", JSON_LINES);
    for (const struct verb *verb = verb_next(&walk); verb; verb = verb_next(&walk)) {
        if (card->state != CARD_READY || !card->reader || !verb_archives(verb, card->reader))
            continue;
        json_out_object(out, NULL, JSON_ONE_LINE);
        json_out_text(out, "verb", verb->name);
        json_out_text(out, "title", verb->archive->title);
        json_out_text(out, "file", verb->archive->file);
        json_out_end(out);
    }
    json_out_end(out);
}

/* The tables that it can be asked for. */
static void write_tables(const struct card *card, struct json_out *out)
{
    const struct tables_of of = { .readers = &card->reader, .count = card->reader ? 1 : 0 };
    const struct verb_table *table;
    const struct verb *verb;

    json_out_array(out, "tables", JSON_LINES);
    for (size_t i = 0; card->state == CARD_READY && card->reader && (table = tables_at(i, of)); i++) {
        tables_named(table->name, of, &verb);
        if (!verb && strcmp(table->name, "losses") != 0)
            continue; /* slices are downloaded */
        json_out_object(out, NULL, JSON_ONE_LINE);
        json_out_text(out, "name", table->name);
        json_out_text(out, "description", table->description);
        json_out_text(out, "verb", verb ? verb->name : NULL);
        json_out_truth(out, "views", verb && verb->takes & VERB_VIEWS);
        json_out_end(out);
    }
    json_out_end(out);
    write_archives(card, out);
    json_out_array(out, "formats", JSON_LINES);
    for (const struct writer_format *const *format = writer_formats; *format; format++) {
        json_out_object(out, NULL, JSON_ONE_LINE);
        json_out_text(out, "id", (*format)->id);
        json_out_text(out, "title", (*format)->title);
        json_out_text(out, "suffix", (*format)->suffixes[0]);
        json_out_end(out);
    }
    json_out_end(out);
}

/* Where a file stands; STATUS_NO: there is none of this id. Locked. */
static status find(const struct profiles *profiles, const char *id, size_t *at)
{
    const struct served *file = folders_find(&profiles->folders, id);

    for (*at = 0; file && profiles->folders.items[*at] != file;)
        ++*at;
    return file ? STATUS_OK : status_fail(STATUS_NO, "no profile has this id");
}

/* Who looks at one profile wants to see what became of its file, as well as who looks at all. Locked. */
static void look_again(struct profiles *profiles, size_t at)
{
    if (!folders_look(&profiles->folders, profiles->folders.items[at]))
        return;
    forget_answers(profiles, profiles->folders.items[at]);
    read_next(profiles);
}

status profiles_write_one(struct profiles *profiles, const char *id, bool again, struct output *output)
{
    struct json_out out;
    size_t at;
    status code;

    profiles_lock(profiles);
    code = find(profiles, id, &at);
    if (code == STATUS_OK) {
        profiles->first = at;
        if (again)
            look_again(profiles, at);
        json_out_start(&out, output);
        json_out_object(&out, NULL, JSON_LINES);
        write_card(profiles, at, &out);
        write_tables(&profiles->cards[at], &out);
        json_out_end(&out);
        json_out_finish(&out);
    }
    profiles_unlock(profiles);
    return code;
}

status profiles_check(struct profiles *profiles, const char *id)
{
    status code;
    size_t at;

    profiles_lock(profiles);
    code = find(profiles, id, &at);
    profiles_unlock(profiles);
    return code;
}

void profiles_name(struct profiles *profiles, const char *id, char *to, size_t size)
{
    size_t at;

    profiles_lock(profiles);
    if (find(profiles, id, &at) == STATUS_OK)
        text_copy(to, size, path_stem(profiles->folders.items[at]->name));
    else
        *to = '\0';
    profiles_unlock(profiles);
}

/* ---- Questions ------------------------------------------------------------------------------------------------------- */

static void do_errand(void *context)
{
    struct making *making = context;
    struct profiles *profiles = making->profiles;
    struct answer *answer = making->answer;
    struct kept_trace *trace = NULL;
    status code = STATUS_OK;

    for (unsigned i = 0; i < 2 && making->of[i] && code == STATUS_OK; i++)
        code = folders_check(&profiles->folders, making->of[i]);
    if (code == STATUS_OK)
        code = errand_run(&answer->errand, &profiles->asked, answer->path, &trace);
    if (code == STATUS_OK && answer->errand.kind == ERRAND_HISTORY) /* pages ask whether there are more builds */
        code = answer_name(answer);
    profiles_lock(profiles);
    answer->trace = trace;
    answer_done(answer, code);
    profiles->wake(answer->waiting);
    answer->waiting = NULL;
    answer_drop(answer);
    profiles_unlock(profiles);
}

/* Whether it is asked of the history, not of a file that is served. */
static bool is_of_history(const struct errand *errand)
{
    return errand->kind == ERRAND_HISTORY || errand->kind == ERRAND_KEPT;
}

/* Words of a question to a history, and what it was when they were asked. */
static status add_words(struct path *key, const struct errand *errand)
{
    char version[STORE_VERSION];
    status code = STATUS_OK;

    store_version(errand->paths[0], version);
    code = path_append(key, version);
    for (const struct errand_word *word = errand->words; word->value && code == STATUS_OK; word++) {
        path_append(key, "\n");
        path_append(key, word->name);
        path_append(key, "=");
        code = path_append(key, word->value);
    }
    return code;
}

/* What is asked of which version of which files, as a text: two that are equal have one answer. */
static status write_key(struct path *key, const struct errand *errand, const struct served *const of[2])
{
    const char *texts[] = { errand->name, errand->columns, errand->sort, errand->limit, errand->sql };
    status code = path_set(key, "%d", (int)errand->kind);

    for (unsigned i = 0; i < 2 && of[i] && code == STATUS_OK; i++) {
        char version[16];

        snprintf(version, sizeof version, ".%" PRIu32, of[i]->version);
        path_append(key, " ");
        path_append(key, of[i]->id);
        code = path_append(key, version);
    }
    /* No text of a query has control characters. */
    for (unsigned i = 0; i < sizeof texts / sizeof *texts && code == STATUS_OK; i++) {
        path_append(key, texts[i] ? "\n" : "\n\t");
        code = path_append(key, texts[i] ? texts[i] : "");
    }
    for (unsigned i = 0; i < ERRAND_FILTERS && errand->filters[i] && code == STATUS_OK; i++) {
        path_append(key, "\n");
        code = path_append(key, errand->filters[i]);
    }
    return code == STATUS_OK && is_of_history(errand) ? add_words(key, errand) : code;
}

static status begin(struct profiles *profiles, struct answer *answer, const struct served *const of[2])
{
    struct making *making = memory_allocate(sizeof *making);
    status code;

    if (!making)
        return status_no_memory("asking");
    *making = (struct making){ .profiles = profiles, .answer = answer, .of = { of[0], of[1] } };
    code = pool_add(profiles->pool, (struct pool_piece){ .run = do_errand,
                                                         .context = making,
                                                         .memory = memory_for(of[0], of[1]),
                                                         .elsewhere = is_of_history(&answer->errand) &&
                                                                      !store_is_file(profiles->history) });
    if (code != STATUS_OK) {
        memory_free(making);
        return code;
    }
    answer_keep(answer);
    answer->state = ANSWER_MAKING;
    return STATUS_OK;
}

static status name_history(const struct profiles *profiles, struct errand *errand)
{
    if (!profiles->history)
        return status_fail(STATUS_NO, "no history is served: tacho serve --history FILE|URL serves one");
    errand->paths[0] = memory_copy_text(profiles->history);
    return errand->paths[0] ? STATUS_OK : status_no_memory("asking");
}

/* Locked. */
static status ask(struct profiles *profiles, const char *const ids[2], struct errand *errand, struct answer **answer,
                  bool *busy)
{
    const struct served *of[2] = { NULL, NULL };
    struct path key = { 0 };
    status code = STATUS_OK;

    *busy = profiles->closed;
    if (*busy)
        code = STATUS_NO;
    for (unsigned i = 0; i < 2 && ids[i] && code == STATUS_OK; i++) {
        of[i] = folders_find(&profiles->folders, ids[i]);
        if (!of[i])
            code = status_fail(STATUS_NO, "no profile has this id");
        else if (!(errand->paths[i] = memory_copy_text(of[i]->spoken)))
            code = status_no_memory("asking");
    }
    if (code == STATUS_OK && is_of_history(errand))
        code = name_history(profiles, errand);
    if (code == STATUS_OK)
        code = write_key(&key, errand, of);
    if (code != STATUS_OK)
        errand_free(errand);
    else
        code = answers_hold(errand->kind == ERRAND_TRACE ? &profiles->traces : &profiles->answers, key.text, errand,
                            answer);
    path_free(&key);
    if (code == STATUS_OK && (*answer)->state == ANSWER_NEW) {
        code = begin(profiles, *answer, of);
        *busy = code == STATUS_NO; /* the queue is full */
        if (code != STATUS_OK) {
            answer_drop(*answer);
            *answer = NULL;
        }
    }
    return *busy ? status_fail(STATUS_NO, "too much is asked at once: ask again") : code;
}

/* One file that was named alone will be looked at: its trace is made before anyone asks for it. Locked. */
static status keep_only(struct profiles *profiles)
{
    const struct folders *folders = &profiles->folders;
    struct errand errand = { .kind = ERRAND_TRACE };
    struct answer *answer = NULL;
    bool busy;
    status code;

    if (folders->root_count != 1 || folders->count != 1 || !folders->items[0]->given)
        return STATUS_OK;
    code = ask(profiles, (const char *const[2]){ folders->items[0]->id, NULL }, &errand, &answer, &busy);
    if (code == STATUS_OK)
        answer_drop(answer);
    return code;
}

status profiles_ask(struct profiles *profiles, const char *const ids[2], struct errand *errand, struct exchange *asker,
                    struct answer **answer, bool *busy)
{
    status code;

    *answer = NULL;
    *busy = false;
    profiles_lock(profiles);
    code = ask(profiles, ids, errand, answer, busy);
    if (code == STATUS_OK && (*answer)->state == ANSWER_MAKING) {
        profiles->wait(asker, (*answer)->waiting);
        (*answer)->waiting = asker;
    }
    profiles_unlock(profiles);
    return code;
}

static void wake_all(const struct profiles *profiles, const struct answers *answers)
{
    for (size_t i = 0; i < answers->count; i++) {
        profiles->wake(answers->items[i]->waiting);
        answers->items[i]->waiting = NULL;
    }
}

void profiles_wake_all(struct profiles *profiles)
{
    profiles_lock(profiles);
    profiles->closed = true;
    wake_all(profiles, &profiles->answers);
    wake_all(profiles, &profiles->traces);
    profiles_unlock(profiles);
}

void profiles_drop(struct profiles *profiles, struct answer *answer)
{
    profiles_lock(profiles);
    answer_drop(answer);
    profiles_unlock(profiles);
}
