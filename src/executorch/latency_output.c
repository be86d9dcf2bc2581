/* latency_output.c: the original script's files about latencies, one for each input. */
#include "executorch/latency_output.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/path.h"
#include "executorch/original/latency_files.h"
#include "job/session.h"

enum { STEM = 512 };

struct folder {
    const char *path;      /* borrowed */
    struct strings *stems; /* in use */
};

/* The name without its folder and last suffix, as Python's Path.stem; of a compressed file that of the file in it. */
static void stem_of(const char *path, const struct launch_file *file, const struct launch_choice *choice, char *to)
{
    struct text whole = path_unpacked(strcmp(path, "-") == 0 ? "stdin" : path_name(path));
    size_t length;

    text_copy(to, STEM, path_without_suffix(whole));
    length = strlen(to);
    for (size_t i = 0; file->table && i < choice->count && length < STEM; i++) {
        size_t start = length;

        length += (size_t)snprintf(to + length, STEM - length, "_%s", choice->keys[i]);
        for (char *at = to + start; *at; at++)
            if (*at == '=' || *at == '/')
                *at = '-';
    }
}

static status unique_stem(struct folder *folder, char *stem)
{
    size_t length = strlen(stem);
    string_id id;

    for (unsigned i = 2; strings_find(folder->stems, stem, strlen(stem), &id); i++)
        snprintf(stem + (length < STEM - 16 ? length : STEM - 16), 16, "_%u", i);
    return strings_add_text(folder->stems, stem, &id);
}

/* The runs of some launches as one. The caller frees both arrays. */
static status pool(const struct latency_launch *launches, size_t count, struct latency_launch *pooled, double **ms,
                   uint32_t **runs)
{
    size_t total = 0;

    for (size_t i = 0; i < count; i++)
        total += launches[i].count;
    *ms = memory_allocate((total ? total : 1) * sizeof **ms);
    *runs = memory_allocate((total ? total : 1) * sizeof **runs);
    if (!*ms || !*runs)
        return status_no_memory("writing statistics");
    *pooled = (struct latency_launch){ .ms = *ms, .runs = *runs };
    for (size_t i = 0; i < count; i++) {
        memcpy(*ms + pooled->count, launches[i].ms, launches[i].count * sizeof **ms);
        memcpy(*runs + pooled->count, launches[i].runs, launches[i].count * sizeof **runs);
        pooled->count += launches[i].count;
    }
    return STATUS_OK;
}

static status open_file(const struct folder *folder, const char *stem, const char *ending, struct output **output)
{
    struct path path = { 0 };
    status code = path_set(&path, "%s/%s%s", folder->path, stem, ending);

    if (code == STATUS_OK)
        code = output_open(path.text, output);
    path_free(&path);
    return code;
}

static status write_stats(struct folder *folder, const struct latency_output_side *side, const struct launch_file *file)
{
    struct latency_launch pooled;
    struct robust robust = { 0 };
    struct output *output;
    uint32_t *runs;
    double *ms;
    char stem[STEM], name[STEM];
    status code = pool(side->launches->times.items + file->first, file->count, &pooled, &ms, &runs);

    stem_of(file->path, file, side->choice, stem);
    snprintf(name, sizeof name, "%s", side->stats_name ? side->stats_name : stem);
    if (code == STATUS_OK)
        code = unique_stem(folder, stem);
    if (code == STATUS_OK)
        code = robust_compute(pooled.ms, pooled.count, &robust);
    if (code == STATUS_OK)
        code = open_file(folder, stem, "_robust_stats.json", &output);
    if (code == STATUS_OK) {
        latency_write_stats(output, &pooled, &robust, name);
        code = output_commit(output);
    }
    robust_free(&robust);
    memory_free(ms);
    memory_free(runs);
    return code;
}

static status robust_of_side(const struct latency_output_side *side, struct robust *robust)
{
    struct latency_launch pooled;
    uint32_t *runs;
    double *ms;
    status code = pool(side->launches->times.items, side->launches->times.count, &pooled, &ms, &runs);

    if (code == STATUS_OK)
        code = robust_compute(pooled.ms, pooled.count, robust);
    memory_free(ms);
    memory_free(runs);
    return code;
}

static status write_comparison(struct folder *folder, const struct latency_output_side *baseline,
                               const struct latency_output_side *candidate)
{
    struct robust one = { 0 }, other = { 0 };
    char first[STEM], second[STEM], both[2 * STEM + 8];
    struct output *output;
    status code = robust_of_side(baseline, &one);

    if (code == STATUS_OK)
        code = robust_of_side(candidate, &other);
    stem_of(baseline->launches->files[0].path, &baseline->launches->files[0], baseline->choice, first);
    stem_of(candidate->launches->files[0].path, &candidate->launches->files[0], candidate->choice, second);
    snprintf(both, sizeof both, "%s_vs_%s", first, second);
    if (code == STATUS_OK)
        code = open_file(folder, both, "_robust_comparison.json", &output);
    if (code == STATUS_OK) {
        latency_write_comparison(output, baseline->name, &one, candidate->name, &other);
        code = output_commit(output);
    }
    robust_free(&one);
    robust_free(&other);
    return code;
}

status latency_output_write(const char *path, const struct latency_output_side *baseline,
                            const struct latency_output_side *candidate)
{
    struct folder folder = { .path = path, .stems = strings_new() };
    status code = folder.stems ? STATUS_OK : status_no_memory("writing statistics");

    assert(path && baseline->launches);
    for (size_t i = 0; i < baseline->launches->file_count && code == STATUS_OK; i++)
        code = write_stats(&folder, baseline, &baseline->launches->files[i]);
    for (size_t i = 0; candidate && i < candidate->launches->file_count && code == STATUS_OK; i++)
        code = write_stats(&folder, candidate, &candidate->launches->files[i]);
    if (candidate && code == STATUS_OK)
        code = write_comparison(&folder, baseline, candidate);
    strings_free(folder.stems);
    return code;
}
