/* origin.c: reads the model's source once, and looks for it where the user said. */
#include "torq/origin.h"

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "base/column.h"
#include "base/lines.h"
#include "base/memory.h"
#include "base/path.h"
#include "torq/location.h"

/* Bounds of the search in a folder: a mistaken --source-dir / must not walk a whole disk. */
enum { FOLDER_DEPTH = 16, FOLDER_ENTRIES = 100000 };

/* One file that was read: the operator on each of its lines. */
struct source_file {
    struct column names; /* string_id by line - 1 */
    char *path;          /* owned */
    bool found;          /* it could be read */
};

/* What a file name in a location led to. */
struct printed_file {
    struct source_file *file; /* NULL: not looked for yet, or not found */
    bool known;               /* it was looked for */
};

/* A file that lies in the folder. */
struct candidate {
    const struct candidate *next; /* with the same base name */
    const char *path;             /* in the arena */
    unsigned depth;               /* below the folder */
};

struct origin {
    struct strings *strings;             /* for the names; borrowed */
    char *file;                          /* that serves every location; NULL: none */
    char *folder;                        /* to look in; NULL: none */
    bool as_printed;                     /* paths of locations are opened */
    struct source_file **files;          /* all that were opened */
    size_t file_count;                   /* of them */
    size_t file_capacity;                /* the same */
    struct strings *printed;             /* file names met in locations; ids index `answers` */
    struct printed_file *answers;        /* by id of the name */
    size_t answer_capacity;              /* of them */
    size_t answer_count;                 /* the same */
    bool indexed;                        /* the folder was walked */
    struct strings *base_names;          /* of files in the folder; ids index `candidates` */
    const struct candidate **candidates; /* by id of the name; the last found first */
    size_t candidate_capacity;           /* of them */
    size_t entries;                      /* seen in the walk so far */
    struct arena arena;                  /* candidates and their paths */
    const char *refused; /* the last file that was there and could not be read; NULL: none; of `files` */
    char *missing;       /* the first file that was asked for in vain; NULL: none */
    bool unreadable;     /* that one is there */
};

/* What comes after `%x =`, `%x:2 =`, `%a, %b =` or `(%a, %b) =`; the text itself when it has no results. */
static struct text without_results(struct text text)
{
    if (text.length == 0 || (*text.data != '%' && *text.data != '('))
        return text;
    return text_trim(text_after(text, "="));
}

/* The text between the quotes that `text` begins with; empty: it does not. */
static struct text quoted(struct text text)
{
    struct text inside = { NULL, 0 };

    if (!text_cut_start(&text, "\""))
        return inside;
    inside = text_take(&text, '"');
    return text.data ? inside : (struct text){ NULL, 0 };
}

static bool is_name_sign(char sign)
{
    return char_is_letter(sign) || char_is_digit(sign) || sign == '_' || sign == '.' || sign == '$' || sign == '-';
}

/* dialect.operation. What only holds or leaves a function is no operator: the line of a call site's caller is often
 * that of the function itself. */
static bool names_operator(struct text name)
{
    struct text operation = name, dialect = text_take(&operation, '.');

    for (size_t i = 0; i < name.length; i++)
        if (!is_name_sign(name.data[i]))
            return false;
    if (!dialect.length || !operation.length || char_is_digit(*name.data))
        return false;
    return !text_is(dialect, "func") && !text_is(dialect, "builtin") && !text_is(operation, "func") &&
           !text_is(operation, "return");
}

struct text origin_name_in_line(const char *data, size_t length)
{
    struct text text = without_results(text_trim((struct text){ data, length }));
    struct text name = { text.data, 0 };

    if (text.length > 0 && *text.data == '"') {
        name = quoted(text);
        return names_operator(name) ? name : (struct text){ NULL, 0 };
    }
    while (name.length < text.length && is_name_sign(name.data[name.length]))
        name.length++;
    if (text_is(name, "torch.operator"))
        return quoted(text_trim(text_after(text, "torch.operator")));
    return names_operator(name) ? name : (struct text){ NULL, 0 };
}

status origin_open(const char *file, const char *folder, bool as_printed, struct strings *strings,
                   struct origin **origin)
{
    struct origin *made = memory_allocate_clear(sizeof *made);

    if (!made)
        return status_no_memory("preparing to look up operators in the model's source");
    made->strings = strings;
    made->as_printed = as_printed;
    made->printed = strings_new();
    made->base_names = strings_new();
    made->file = file ? memory_copy_text(file) : NULL;
    made->folder = folder ? memory_copy_text(folder) : NULL;
    if (!made->printed || !made->base_names || (file && !made->file) || (folder && !made->folder)) {
        origin_close(made);
        return status_no_memory("preparing to look up operators in the model's source");
    }
    *origin = made;
    return STATUS_OK;
}

void origin_close(struct origin *origin)
{
    if (!origin)
        return;
    for (size_t i = 0; i < origin->file_count; i++) {
        column_free(&origin->files[i]->names);
        memory_free(origin->files[i]->path);
        memory_free(origin->files[i]);
    }
    memory_free(origin->files);
    memory_free(origin->answers);
    memory_free(origin->candidates);
    arena_free(&origin->arena);
    strings_free(origin->printed);
    strings_free(origin->base_names);
    memory_free(origin->file);
    memory_free(origin->folder);
    memory_free(origin->missing);
    memory_free(origin);
}

static status read_lines(struct origin *origin, struct lines *lines, struct column *names)
{
    for (;;) {
        struct line line;
        struct text name;
        string_id *slot;
        bool more;
        status code = lines_next(lines, &line, &more);

        if (code != STATUS_OK || !more)
            return code;
        if (names->count == UINT32_MAX)
            return STATUS_OK;
        slot = column_append(names);
        if (!slot)
            return status_no_memory("reading the model's source");
        *slot = 0;
        name = origin_name_in_line(line.data, line.length);
        if (name.length > 0 && (code = strings_add(origin->strings, name.data, name.length, slot)) != STATUS_OK)
            return code;
    }
}

static status read_source(struct origin *origin, struct source_file *file)
{
    struct input *input;
    struct lines *lines;
    status code = input_open(file->path, &input);

    if (code != STATUS_OK)
        return code;
    code = lines_open(input, &lines);
    if (code == STATUS_OK) {
        code = read_lines(origin, lines, &file->names);
        lines_close(lines);
    }
    input_close(input);
    return code;
}

/* The file at `path`, read when it was not before; NULL when it cannot be read. Only regular files: a path that a trace
 * names must not make us wait on a pipe or a device. */
static status open_source(struct origin *origin, const char *path, struct source_file **found)
{
    struct source_file *file;
    struct stat about;
    status code;

    *found = NULL;
    for (size_t i = 0; i < origin->file_count; i++) {
        if (strcmp(origin->files[i]->path, path) == 0) {
            *found = origin->files[i]->found ? origin->files[i] : NULL;
            origin->refused = *found ? origin->refused : origin->files[i]->path;
            return STATUS_OK;
        }
    }
    if (stat(path, &about) != 0 || !S_ISREG(about.st_mode))
        return STATUS_OK;
    code = memory_grow(&origin->files, &origin->file_capacity, origin->file_count + 1, sizeof *origin->files);
    if (code != STATUS_OK)
        return code;
    file = memory_allocate_clear(sizeof *file);
    if (!file)
        return status_no_memory("reading the model's source");
    column_start(&file->names, sizeof(string_id));
    origin->files[origin->file_count++] = file;
    file->path = memory_copy_text(path);
    if (!file->path) {
        origin->file_count--;
        memory_free(file);
        return status_no_memory("reading the model's source");
    }
    code = read_source(origin, file);
    if (code == STATUS_INPUT) {
        status_clear();
        origin->refused = file->path;
        return STATUS_OK;
    }
    file->found = code == STATUS_OK;
    *found = file;
    return code;
}

static status add_candidate(struct origin *origin, const char *path, unsigned depth)
{
    struct text name = location_file(text_of(path));
    struct candidate *candidate = arena_allocate(&origin->arena, sizeof *candidate, _Alignof(struct candidate));
    char *copy = arena_copy(&origin->arena, path, strlen(path));
    string_id id;
    status code;

    if (!candidate || !copy)
        return status_no_memory("looking through the folder of sources");
    code = strings_add(origin->base_names, name.data, name.length, &id);
    if (code == STATUS_OK)
        code = memory_grow_clear(&origin->candidates, &origin->candidate_capacity, (size_t)id + 1,
                                 sizeof *origin->candidates);
    if (code != STATUS_OK)
        return code;
    *candidate = (struct candidate){ origin->candidates[id], copy, depth };
    origin->candidates[id] = candidate;
    return STATUS_OK;
}

/* Folders that are links are not followed: they may lead in a circle. Hidden ones hold no models. */
static status walk_folder(struct origin *origin, struct path *path, unsigned depth)
{
    size_t length = path->length;
    const struct dirent *entry;
    status code = STATUS_OK;
    DIR *open = depth <= FOLDER_DEPTH ? opendir(path->text) : NULL;

    if (!open)
        return STATUS_OK;
    while (code == STATUS_OK && (entry = readdir(open)) != NULL && origin->entries < FOLDER_ENTRIES) {
        struct stat about;

        if (entry->d_name[0] == '.')
            continue;
        origin->entries++;
        code = path_add(path, entry->d_name);
        if (code == STATUS_OK && lstat(path->text, &about) == 0) {
            if (S_ISDIR(about.st_mode))
                code = walk_folder(origin, path, depth + 1);
            else if (S_ISREG(about.st_mode) || S_ISLNK(about.st_mode))
                code = add_candidate(origin, path->text, depth);
        }
        path_cut(path, length);
    }
    closedir(open);
    return code;
}

static status walk(struct origin *origin)
{
    struct path path = { 0 };
    status code = path_set(&path, "%s", origin->folder);

    if (code == STATUS_OK)
        code = walk_folder(origin, &path, 0);
    path_free(&path);
    return code;
}

/* How many parts two paths share, counted from the end. */
static unsigned shared_parts(struct text one, struct text other)
{
    unsigned parts = 0;

    while (one.length > 0 && other.length > 0) {
        struct text a = location_file(one), b = location_file(other);

        if (!text_equal(a, b))
            break;
        parts += a.length > 0;
        one.length -= a.length + (a.length < one.length);
        other.length -= b.length + (b.length < other.length);
    }
    return parts;
}

/* Of several files with the name: the one whose path is most like the printed one, then the one least deep, then the
 * first by name, so that the order in which a file system lists them plays no part. */
static bool is_better(const struct candidate *one, const struct candidate *other, struct text printed)
{
    unsigned shared_one = shared_parts(text_of(one->path), printed);
    unsigned shared_other = shared_parts(text_of(other->path), printed);

    if (shared_one != shared_other)
        return shared_one > shared_other;
    if (one->depth != other->depth)
        return one->depth < other->depth;
    return strcmp(one->path, other->path) < 0;
}

static status find_in_folder(struct origin *origin, struct text printed, struct source_file **found)
{
    struct text name = location_file(printed);
    const struct candidate *best = NULL;
    string_id id;
    status code;

    *found = NULL;
    if (!origin->indexed) {
        code = walk(origin);
        if (code != STATUS_OK)
            return code;
        origin->indexed = true;
    }
    if (name.length == 0 || !strings_find(origin->base_names, name.data, name.length, &id))
        return STATUS_OK;
    for (const struct candidate *candidate = origin->candidates[id]; candidate; candidate = candidate->next) {
        if (!best || is_better(candidate, best, printed))
            best = candidate;
    }
    return best ? open_source(origin, best->path, found) : STATUS_OK;
}

/* Where a printed file name leads, in the order that origin.h promises. */
static status look_for(struct origin *origin, struct text printed, const char *path, struct source_file **found)
{
    bool is_file = origin->file && text_equal(location_file(text_of(origin->file)), location_file(printed));
    status code = STATUS_OK;

    *found = NULL;
    origin->refused = NULL;
    if (origin->file && (is_file || !origin->folder))
        return open_source(origin, origin->file, found);
    if (origin->folder)
        code = find_in_folder(origin, printed, found);
    if (code == STATUS_OK && !*found && !origin->file && (origin->folder || origin->as_printed))
        code = open_source(origin, path, found);
    if (code == STATUS_OK && !*found && origin->file)
        code = open_source(origin, origin->file, found);
    return code;
}

static status remember_missing(struct origin *origin, const char *path)
{
    if (origin->missing)
        return STATUS_OK;
    origin->unreadable = origin->refused != NULL;
    origin->missing = memory_copy_text(origin->refused ? origin->refused : path);
    return origin->missing ? STATUS_OK : status_no_memory("looking up the model's source");
}

static status answer_for(struct origin *origin, struct text printed, struct printed_file *answer)
{
    string_id id;
    const char *path;
    status code = strings_add(origin->printed, printed.data, printed.length, &id);

    if (code != STATUS_OK)
        return code;
    code = memory_grow(&origin->answers, &origin->answer_capacity, (size_t)id + 1, sizeof *origin->answers);
    if (code != STATUS_OK)
        return code;
    while (origin->answer_count <= id)
        origin->answers[origin->answer_count++] = (struct printed_file){ NULL, false };
    if (!origin->answers[id].known) {
        path = strings_text(origin->printed, id);
        code = look_for(origin, printed, path, &origin->answers[id].file);
        if (code == STATUS_OK && !origin->answers[id].file)
            code = remember_missing(origin, origin->file ? origin->file : path);
        if (code != STATUS_OK)
            return code;
        origin->answers[id].known = true;
    }
    *answer = origin->answers[id];
    return STATUS_OK;
}

status origin_operator(struct origin *origin, struct text file, uint32_t line, string_id *name)
{
    struct printed_file answer;
    status code;

    assert(file.data || !file.length);
    *name = 0;
    if (!origin->file && !origin->folder && !origin->as_printed)
        return STATUS_OK;
    code = answer_for(origin, file, &answer);
    if (code != STATUS_OK)
        return code;
    if (answer.file && line > 0 && line <= answer.file->names.count)
        *name = *(const string_id *)column_at(&answer.file->names, line - 1);
    return STATUS_OK;
}

const char *origin_missing(const struct origin *origin, bool *unreadable)
{
    *unreadable = origin->unreadable;
    return origin->missing;
}
