/* readers.c: which reader a file is for. */
#include <assert.h>
#include <stdarg.h>
#include <string.h>
#include <sys/stat.h>

#include "base/csv.h"
#include "base/memory.h"
#include "base/suggest.h"
#include "read/chain.h"
#include "read/chrome.h"
#include "read/perfetto.h"
#include "read/recording.h"
#include "trace/clock.h"

const struct reader *const general_readers[] = { &tacho_recording_reader, &chrome_json_reader, &perfetto_reader, NULL };

const struct reader *reader_next(struct reader_walk *walk)
{
    for (;; walk->list++, walk->next = 0) {
        const struct reader *const *readers = general_readers;

        if (walk->list && !chains[walk->list - 1])
            return NULL;
        if (walk->list)
            readers = chains[walk->list - 1]->readers;
        if (readers[walk->next])
            return readers[walk->next++];
    }
}

const struct reader *reader_named(const char *id)
{
    struct reader_walk walk = { 0 };

    assert(id);
    for (const struct reader *reader = reader_next(&walk); reader; reader = reader_next(&walk))
        if (strcmp(reader->id, id) == 0)
            return reader;
    return NULL;
}

/* The beginning of the first line that is not blank, for a person: what cannot be printed becomes a dot. */
static size_t first_line(struct text head, char *to, size_t size)
{
    size_t length = 0;
    size_t start = 0;

    assert(size);
    while (start < head.length && (head.data[start] == ' ' || head.data[start] == '\n' || head.data[start] == '\r' ||
                                   head.data[start] == '\t'))
        start++;
    while (start < head.length && length + 1 < size && head.data[start] != '\n' && head.data[start] != '\r') {
        unsigned char byte = (unsigned char)head.data[start++];

        to[length++] = (char)(byte >= 0x20 && byte < 0x7F ? byte : '.');
    }
    to[length] = '\0';
    return length;
}

static bool looks_binary(struct text head)
{
    size_t odd = 0;

    for (size_t i = 0; i < head.length; i++) {
        unsigned char byte = (unsigned char)head.data[i];

        if (byte == 0)
            return true;
        odd += byte < 0x20 && byte != '\t' && byte != '\n' && byte != '\r' && byte != 0x1B && byte != '\f';
    }
    return odd * 20 > head.length;
}

/* Files of no chain. */
static const struct stranger strangers[] = {
    { .begins = "SQLite format 3",
      .what = "a database of SQLite",
      .instead = "a history of builds is given as --store, to tacho history" },
    { .begins = "PERFILE2", .what = "a profile of Linux perf", .instead = "give what a profiler of the model wrote" },
    { 0 },
};

static const struct stranger *find_stranger(const struct stranger *list, const char *path, struct text head)
{
    for (; list && list->what; list++)
        if ((!list->begins || text_begins(head, list->begins)) && (!list->ends || text_ends(text_of(path), list->ends)))
            return list;
    return NULL;
}

static status describe_unknown(const char *name, struct text head)
{
    static const char help[] = "'tacho formats' lists what can be read, --format says which one it is";
    enum { EXCERPT = 61 };
    char excerpt[EXCERPT];
    struct place where = { .file = name };
    const struct stranger *stranger = find_stranger(strangers, name, head);

    for (size_t i = 0; !stranger && chains[i]; i++)
        stranger = find_stranger(chains[i]->strangers, name, head);
    if (stranger)
        return status_fail_at(STATUS_INPUT, where, "%s is of no known format: %s; %s", stranger->what,
                              stranger->instead, help);
    if (text_begins(head, "\xFF\xFE") || text_begins(head, "\xFE\xFF"))
        return status_fail_at(
            STATUS_INPUT, where,
            "text in UTF-16, as some shells redirect what a program prints, is of no known format: only "
            "UTF-8 is read; %s",
            help);
    if (looks_binary(head))
        return status_fail_at(STATUS_INPUT, where, "binary data of no known format; %s", help);
    if (first_line(head, excerpt, sizeof excerpt) == 0)
        return status_fail_at(STATUS_INPUT, where, "%s; %s",
                              head.length < INPUT_HEAD
                                  ? "the file holds only blank lines"
                                  : "the file begins with 64 KiB of blank lines, and more was not looked at",
                              help);
    return status_fail_at(STATUS_INPUT, where, "text of no known format, it begins with \"%s\"; %s", excerpt, help);
}

status reader_detect(struct input *input, const char *path, const struct reader **reader)
{
    struct reader_walk walk = { 0 };
    struct text head;
    int best = 0;
    status code = input_head(input, &head);

    assert(input && path);
    *reader = NULL;
    if (code != STATUS_OK)
        return code;
    if (head.length == 0)
        return status_fail_at(STATUS_INPUT, (struct place){ .file = input_name(input) }, "the file is empty");
    for (const struct reader *candidate = reader_next(&walk); candidate; candidate = reader_next(&walk)) {
        int sure = candidate->probe ? candidate->probe(head, path) : 0;

        assert(sure >= 0 && sure <= 100);
        if (sure > best) {
            best = sure;
            *reader = candidate;
        }
    }
    return *reader ? STATUS_OK : describe_unknown(input_name(input), head);
}

static bool is_folder(const char *path)
{
    struct stat found;

    return strcmp(path, "-") != 0 && stat(path, &found) == 0 && S_ISDIR(found.st_mode);
}

static const struct reader *detect_folder(const char *path)
{
    const struct reader *found = NULL;
    struct reader_walk walk = { 0 };
    int best = 0;

    for (const struct reader *candidate = reader_next(&walk); candidate; candidate = reader_next(&walk)) {
        int sure = candidate->probe_folder ? candidate->probe_folder(path) : 0;

        assert(sure >= 0 && sure <= 100);
        if (sure > best) {
            best = sure;
            found = candidate;
        }
    }
    return found;
}

static status open_folder(const char *path, const struct reader **reader)
{
    if (!*reader)
        *reader = detect_folder(path);
    if (!*reader)
        return status_fail_at(STATUS_INPUT, (struct place){ .file = path },
                              "is a directory of no known format; give one of the files in it");
    if (!(*reader)->probe_folder)
        return status_fail_at(STATUS_INPUT, (struct place){ .file = path }, "is a directory; %s wants a file",
                              (*reader)->id);
    return STATUS_OK;
}

static const char *next_id(void *context)
{
    const struct reader *reader = reader_next(context);

    return reader ? reader->id : NULL;
}

status reader_given(const char *format, const struct reader **reader)
{
    struct reader_walk walk = { 0 };
    const char *meant;

    *reader = format ? reader_named(format) : NULL;
    if (!format || *reader)
        return STATUS_OK;
    meant = suggest(text_of(format), next_id, &walk);
    return status_fail(STATUS_USAGE, "no format to read is called \"%s\"; %s%s%stacho formats lists them", format,
                       meant ? "did you mean " : "", meant ? meant : "", meant ? "? " : "");
}

status reader_of(struct input *input, const char *path, const char *format, const struct reader **reader)
{
    status code = reader_given(format, reader);

    if (code != STATUS_OK)
        return code;
    if (*reader && !(*reader)->probe)
        return status_fail_at(STATUS_INPUT, (struct place){ .file = path }, "is a file; %s wants a folder", format);
    return *reader ? STATUS_OK : reader_detect(input, path, reader);
}

status reader_open(const char *path, const char *format, struct input **input, const struct reader **reader)
{
    status code = reader_given(format, reader);

    *input = NULL;
    if (code != STATUS_OK)
        return code;
    if (is_folder(path))
        return open_folder(path, reader);
    if (*reader && !(*reader)->probe)
        return reader_of(NULL, path, format, reader);
    code = input_open(path, input);
    return code == STATUS_OK ? reader_of(*input, path, format, reader) : code;
}

status reader_refuse(const struct reader *reader, const char *path, const char *wanted)
{
    assert(reader && wanted);
    return status_fail_at(STATUS_INPUT, (struct place){ .file = path }, "has the format %s (%s); %s", reader->id,
                          reader->title, wanted);
}

void source_note(struct source *source, const char *note)
{
    assert(note && source->note_count <= SOURCE_NOTES);
    for (unsigned i = 0; i < source->note_count; i++) {
        if (strcmp(source->notes[i], note) == 0)
            return;
    }
    if (source->note_count < sizeof source->notes / sizeof *source->notes)
        source->notes[source->note_count++] = note;
}

status source_begin(const struct source *source, struct feed *feed, string_id name)
{
    status code = STATUS_OK;

    if (source->display && (!name || !source->alone))
        code = strings_add_text(feed->strings, source->display, &name);
    return code == STATUS_OK ? feed_input(feed, name, source->order) : code;
}

bool source_is_measured(const struct source *source, const struct reader *reader)
{
    return reader->kind == READER_MEASURED && !source->estimate;
}

const struct chain *source_chain(const struct source *source, const struct reader *reader)
{
    return source->chain ? source->chain : reader->chain;
}

const void *source_companion(const struct source *source, const char *role)
{
    assert(role);
    for (unsigned i = 0; i < SOURCE_COMPANIONS && source->companions[i].role; i++)
        if (strcmp(source->companions[i].role, role) == 0)
            return source->companions[i].value;
    return NULL;
}

void source_add_companion(struct source *source, const char *role, const void *value)
{
    unsigned at = 0;

    assert(role && value);
    while (at < SOURCE_COMPANIONS && source->companions[at].role && strcmp(source->companions[at].role, role) != 0)
        at++;
    assert(at < SOURCE_COMPANIONS);
    source->companions[at].role = role;
    source->companions[at].value = value;
}

bool tick_rate_parse(const char *text, struct tick_rate *rate)
{
    static const char cycles[] = "cycles:";
    uint64_t numerator, denominator;

    if (strcmp(text, "ns") == 0)
        *rate = (struct tick_rate){ 1, 1 };
    else if (strcmp(text, "us") == 0)
        *rate = (struct tick_rate){ 1000, 1 };
    else if (strncmp(text, cycles, sizeof cycles - 1) != 0 ||
             !clock_parse_mhz(text + sizeof cycles - 1, &numerator, &denominator))
        return false;
    else
        *rate = (struct tick_rate){ 1000 * denominator, numerator };
    return true;
}

status source_lose(struct source *source, struct feed *feed, const struct loss_reason *reason, uint64_t line,
                   uint64_t column)
{
    return source_lose_row(source, &feed->losses, reason, line, column);
}

status source_lose_row(struct source *source, struct losses *losses, const struct loss_reason *reason, uint64_t line,
                       uint64_t column)
{
    struct place where = { .file = source->input ? input_name(source->input) : source->path,
                           .line = line,
                           .column = column };

    assert(reason);
    losses_add(losses, reason, line);
    if (!source->strict || reason->kept)
        return STATUS_OK;
    if (reason->bytes)
        return status_fail_at(STATUS_INPUT, (struct place){ .file = where.file }, "byte %llu: %s",
                              (unsigned long long)line, reason->text);
    return status_fail_at(STATUS_INPUT, where, "%s", reason->text);
}

const struct loss_reason *csv_row_loss(const struct csv *csv)
{
    static const struct loss_reason *const reasons[] = {
        [CSV_FINE] = NULL, [CSV_FIELDS] = &loss_fields, [CSV_QUOTE] = &loss_quote, [CSV_TOO_LONG] = &loss_too_long
    };
    bool looks = csv->problem == CSV_FIELDS || csv->problem == CSV_QUOTE;

    assert(csv->problem <= CSV_TOO_LONG);
    return looks && text_is_binary((struct text){ csv->line.data, csv->line.length }) ? &loss_binary
                                                                                      : reasons[csv->problem];
}

status source_use_part(struct source *source, const struct input *input, uint64_t rows, status code)
{
    assert(input);
    if (code != STATUS_INPUT || source->strict || !input_is_damaged(input) || !rows)
        return code;
    source_note(source, "the compressed file is cut off or damaged: what comes before that is used");
    status_clear();
    return STATUS_OK;
}

status source_check_damage(struct source *source)
{
    assert(source->input);
    if (!input_is_damaged(source->input))
        return STATUS_OK;
    if (source->strict)
        return status_fail_at(STATUS_INPUT, (struct place){ .file = input_name(source->input) },
                              "the compressed file is cut off or damaged");
    source_note(source, "the compressed file is cut off or damaged: the events before that are used");
    return STATUS_OK;
}

/* ---- folders of runs ------------------------------------------------------------------------------------------------------------- */

status run_folder_read(const char *path, struct run_folder *folder)
{
    bool known = false;
    status code = STATUS_OK;

    *folder = (struct run_folder){ .arena = ARENA_EMPTY };
    for (size_t i = 0; chains[i] && code == STATUS_OK && !known; i++) {
        if (!chains[i]->list_runs)
            continue;
        code = chains[i]->list_runs(path, folder, &known);
        folder->chain = known ? chains[i] : NULL;
    }
    return code;
}

void run_folder_free(struct run_folder *folder)
{
    memory_free(folder->profiles);
    memory_free(folder->notes);
    arena_free(&folder->arena);
    *folder = (struct run_folder){ .arena = ARENA_EMPTY };
}

status run_folder_add(struct run_folder *folder, const struct run_profile *profile)
{
    status code = memory_grow(&folder->profiles, &folder->capacity, folder->count + 1, sizeof *folder->profiles);

    assert(profile->path || profile->failure);
    if (code == STATUS_OK)
        folder->profiles[folder->count++] = *profile;
    return code;
}

const char *run_folder_text(struct run_folder *folder, const char *format, ...)
{
    va_list arguments;
    const char *text;

    va_start(arguments, format);
    text = arena_format(&folder->arena, format, arguments);
    va_end(arguments);
    return text;
}

status run_folder_note(struct run_folder *folder, const char *note)
{
    const char *copy = arena_copy(&folder->arena, note, strlen(note));
    status code = memory_grow(&folder->notes, &folder->note_capacity, folder->note_count + 1, sizeof *folder->notes);

    if (code != STATUS_OK || !copy)
        return status_no_memory("reading a folder");
    folder->notes[folder->note_count++] = copy;
    return STATUS_OK;
}
