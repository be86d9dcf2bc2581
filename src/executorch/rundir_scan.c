/* rundir_scan.c: what the names of files say, and the walk that finds them. */
#include "executorch/rundir_scan.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/folder.h"
#include "base/memory.h"
#include "base/text.h"

/* ---- names ----------------------------------------------------------------------------------------------------- */

const char *run_role_key(enum run_role role)
{
    static const char *const keys[] = {
#define X(name, key) key,
        RUN_ROLE_MAP(X)
#undef X
    };

    assert(role < RUN_ROLE_COUNT);
    return keys[role];
}

const char *run_state_key(enum run_state state)
{
    static const char *const keys[] = {
#define X(name, key) key,
        RUN_STATE_MAP(X)
#undef X
    };

    assert(state < sizeof keys / sizeof *keys);
    return keys[state];
}

/* The value of a run of digits, which may be longer than any integer. */
static int compare_digits(const char **one, const char **other)
{
    const char *a = *one + strspn(*one, "0");
    const char *b = *other + strspn(*other, "0");
    size_t a_length = strspn(a, "0123456789");
    size_t b_length = strspn(b, "0123456789");
    int order = a_length != b_length ? (a_length < b_length ? -1 : 1) : memcmp(a, b, a_length);

    *one = a + a_length;
    *other = b + b_length;
    return order;
}

int natural_compare(const char *one, const char *other)
{
    const char *a = one;
    const char *b = other;

    while (*a && *b) {
        if (char_is_digit(*a) && char_is_digit(*b)) {
            int order = compare_digits(&a, &b);

            if (order)
                return order;
        } else if (*a != *b) {
            return (unsigned char)*a < (unsigned char)*b ? -1 : 1;
        } else {
            a++;
            b++;
        }
    }
    if (*a || *b)
        return *a ? 1 : -1;
    return strcmp(one, other); /* 01 and 1 are still two names */
}

/* Suffixes after "_", or the whole name; those with a dot stand behind anything. The longer ones first. */
static const struct {
    const char *suffix; /* of the name, compression aside */
    enum run_role role; /* that it means */
} suffixes[] = {
    { "all_runs_timeline_robust_stats.json", RUN_ROBUST_STATS },
    { "robust_stats.json", RUN_ROBUST_STATS },
    { "pipeline_summary.json", RUN_SUMMARY },
    { "all_runs_timeline.csv", RUN_TIMELINE },
    { "ops_stats.csv", RUN_OPS_STATS },
    { "latency.log", RUN_LOG },
    { "xnntrace.log", RUN_XNNTRACE },
    { "kernels.csv", RUN_KERNELS },
    { ".slim.etrecord", RUN_ETRECORD },
    { ".pte.etrecord", RUN_ETRECORD },
    { ".etrecord", RUN_ETRECORD },
    { ".etdump", RUN_ETDUMP },
    { ".etdp", RUN_ETDUMP },
    { ".pte", RUN_MODEL },
    { ".log", RUN_LOG },
};

/* "…_run<K>_timeline.csv" */
static bool cut_run_timeline(struct text *text)
{
    struct text rest = *text;
    size_t digits;

    if (!text_cut_end(&rest, "_timeline.csv"))
        return false;
    digits = rest.length;
    while (digits && char_is_digit(rest.data[digits - 1]))
        digits--;
    if (digits == rest.length)
        return false;
    rest.length = digits;
    if (!text_cut_end(&rest, "run") || (rest.length && !text_cut_end(&rest, "_")))
        return false;
    *text = rest;
    return true;
}

static enum run_role cut_role(struct text *text, bool *vague)
{
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
        struct text rest = *text;

        if (!text_cut_end(&rest, suffixes[i].suffix))
            continue;
        if (*suffixes[i].suffix == '.' ? rest.length == 0 : rest.length > 0 && !text_cut_end(&rest, "_"))
            continue;
        *vague = strcmp(suffixes[i].suffix, ".log") == 0;
        *text = rest;
        return suffixes[i].role;
    }
    return cut_run_timeline(text) ? RUN_TIMELINE_RUN : RUN_NONE;
}

/* "_t4", "_l12": the number behind the letter; a name that is only that has nothing before it. */
static bool cut_number(struct text *text, char letter, uint32_t *number)
{
    size_t digits = text->length;
    uint32_t value = 0;

    while (digits && char_is_digit(text->data[digits - 1]))
        digits--;
    if (text->length - digits == 0 || text->length - digits > 6 || digits == 0 || text->data[digits - 1] != letter)
        return false;
    if (digits > 1 && text->data[digits - 2] != '_' && text->data[digits - 2] != '-')
        return false;
    for (size_t i = digits; i < text->length; i++)
        value = value * 10 + (uint32_t)(text->data[i] - '0');
    text->length = digits > 1 ? digits - 2 : 0;
    *number = value;
    return true;
}

struct run_name run_name_split(const char *name)
{
    struct run_name split = { .stem = text_of(name) };
    bool numbered = true;

    if (!text_cut_end(&split.stem, ".gz"))
        text_cut_end(&split.stem, ".zst");
    split.role = cut_role(&split.stem, &split.vague);
    if (split.role == RUN_ETRECORD || split.role == RUN_MODEL || split.role == RUN_SUMMARY)
        return split;
    /* The tool that makes CSVs puts this between the name of the dump and what the file is. */
    if (!text_cut_end(&split.stem, "_exec"))
        split.xtrace = text_cut_end(&split.stem, "_xtrace");
    while (numbered) {
        numbered = (!split.threads && cut_number(&split.stem, 't', &split.threads)) ||
                   (!split.launch && cut_number(&split.stem, 'l', &split.launch));
    }
    return split;
}

/* ---- folders --------------------------------------------------------------------------------------------------- */

static status join_path(struct arena *arena, const char *folder, const char *name, const char **path)
{
    size_t length = strlen(folder);
    size_t name_length = strlen(name);
    bool slash = length && folder[length - 1] != '/';
    char *joined = arena_allocate(arena, length + slash + name_length + 1, 1);

    if (!joined)
        return status_no_memory("reading a folder");
    memcpy(joined, folder, length);
    if (slash)
        joined[length] = '/';
    memcpy(joined + length + slash, name, name_length + 1);
    *path = joined;
    return STATUS_OK;
}

static status add_file(struct scan *scan, const char *path, const char *shown, const char *folder,
                       const char *file_name)
{
    struct run_name name = run_name_split(file_name);
    struct scanned_file *file;
    status code;

    if (name.role == RUN_NONE)
        return STATUS_OK;
    code = memory_grow(&scan->files, &scan->file_capacity, scan->file_count + 1, sizeof *scan->files);
    if (code != STATUS_OK)
        return code;
    file = &scan->files[scan->file_count];
    *file = (struct scanned_file){ .path = path, .shown = shown, .folder = folder, .name = name };
    file->stem = arena_copy(scan->arena, name.stem.data, name.stem.length);
    if (!file->stem)
        return status_no_memory("reading a folder");
    scan->file_count++;
    return STATUS_OK;
}

/* True where the folder was met before, perhaps under another name. */
static status remember_folder(struct scan *scan, const struct stat *facts, bool *known)
{
    status code;

    *known = false;
    for (size_t i = 0; i < scan->folder_count; i++) {
        if (scan->folders[i].device == (uint64_t)facts->st_dev && scan->folders[i].node == (uint64_t)facts->st_ino) {
            *known = true;
            return STATUS_OK;
        }
    }
    code = memory_grow(&scan->folders, &scan->folder_capacity, scan->folder_count + 1, sizeof *scan->folders);
    if (code != STATUS_OK)
        return code;
    scan->folders[scan->folder_count++] = (struct scanned_folder){ (uint64_t)facts->st_dev, (uint64_t)facts->st_ino };
    return STATUS_OK;
}

static status walk(struct scan *scan, const char *path, const char *folder, unsigned depth);

/* Takes the links or all others: a folder that is met twice shall have the name that is its own. */
static status visit(struct scan *scan, const char *path, const char *folder, const char *name, unsigned depth,
                    bool links)
{
    const char *whole, *shown;
    struct stat facts;
    status code = join_path(scan->arena, path, name, &whole);

    if (code == STATUS_OK)
        code = join_path(scan->arena, folder, name, &shown);
    if (code != STATUS_OK || lstat(whole, &facts) != 0 || S_ISLNK(facts.st_mode) != links)
        return code;
    if (stat(whole, &facts) != 0) {
        scan->loops += errno == ELOOP; /* a link to itself; one to nothing is no loss */
        return STATUS_OK;
    }
    if (S_ISDIR(facts.st_mode))
        return walk(scan, whole, shown, depth + 1);
    return S_ISREG(facts.st_mode) ? add_file(scan, whole, shown, folder, name) : STATUS_OK;
}

/* Files are sorted when all are known. */
static status walk(struct scan *scan, const char *path, const char *folder, unsigned depth)
{
    struct folder_names names;
    struct stat facts;
    bool known = false;
    status code;

    if (depth > RUNDIR_DEEPEST) {
        scan->too_deep++;
        return STATUS_OK;
    }
    code = folder_list(path, &names);
    if (code == STATUS_INPUT || (code == STATUS_OK && stat(path, &facts) != 0)) {
        folder_free(&names);
        scan->unreadable++;
        return STATUS_OK;
    }
    if (code == STATUS_OK)
        code = remember_folder(scan, &facts, &known);
    scan->loops += known;
    for (size_t i = 0; i < 2 * names.count && code == STATUS_OK && !known; i++)
        if (*names.names[i % names.count] != '.')
            code = visit(scan, path, folder, names.names[i % names.count], depth, i >= names.count);
    folder_free(&names);
    return code;
}

static int compare_files(const void *one, const void *other)
{
    const struct scanned_file *a = one;
    const struct scanned_file *b = other;
    int order = natural_compare(a->folder, b->folder);

    return order ? order : natural_compare(a->shown, b->shown);
}

status scan_folder(struct scan *scan, struct arena *arena, const char *path)
{
    struct stat facts;
    status code;

    assert(arena);
    *scan = (struct scan){ .arena = arena };
    if (stat(path, &facts) != 0)
        return status_fail(STATUS_INPUT, "%s: %s", path, strerror(errno));
    if (!S_ISDIR(facts.st_mode))
        return status_fail(STATUS_INPUT, "%s: is no folder; a run directory is wanted", path);
    code = walk(scan, path, "", 0);
    if (code == STATUS_OK && scan->folder_count == 0)
        return status_fail(STATUS_INPUT, "%s: the folder cannot be opened", path);
    if (scan->file_count)
        qsort(scan->files, scan->file_count, sizeof *scan->files, compare_files);
    return code;
}

void scan_free(struct scan *scan)
{
    memory_free(scan->files);
    memory_free(scan->folders);
    *scan = (struct scan){ 0 };
}
