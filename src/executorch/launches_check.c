/* launches_check.c: what is doubtful about files that were given for two sides. */
#include "executorch/launches_check.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/path.h"
#include "job/session.h"

static void warn_of(const struct launch_warnings *warnings, const char *format, ...) PRINTF_LIKE(2, 3);

/* A warning that cannot be kept for want of memory is lost; nothing else depends on it. */
static void warn_of(const struct launch_warnings *warnings, const char *format, ...)
{
    char *text = NULL;
    va_list arguments, again;
    int length;

    va_start(arguments, format);
    va_copy(again, arguments);
    length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    if (length >= 0)
        text = memory_allocate((size_t)length + 1);
    if (text) {
        vsnprintf(text, (size_t)length + 1, format, arguments);
        warnings->warn(warnings->self, text);
    }
    va_end(arguments);
    memory_free(text);
}

bool launches_same_file(const char *one, const char *other)
{
    return strcmp(one, other) == 0 || path_same_file(one, other);
}

/* ---- names and paths ----------------------------------------------------------------------------------------------- */

int switch_named(struct text text)
{
    bool on = false, off = false;

    for (size_t start = 0, end; start < text.length; start = end + 1) {
        struct text word;

        for (end = start; end < text.length && (char_is_letter(text.data[end]) || char_is_digit(text.data[end]));)
            end++;
        word = text_between(text.data + start, text.data + end);
        on |= text_is_any_case(word, "on");
        off |= text_is_any_case(word, "off");
    }
    return (int)on - (int)off;
}

/* The file's name and that of its folder: what lies above says nothing about the run. */
static const char *last_two(const char *path)
{
    const char *name = path_name(path);

    if (name - path < 2)
        return path;
    for (const char *at = name - 2; at > path; at--)
        if (*at == '/')
            return at + 1;
    return path;
}

static void check_path(const char *path, const char *name, const struct launch_warnings *warnings)
{
    static const char run0[] = "_run0_timeline";
    const char *found = strstr(path_name(path), run0);
    int said = name ? switch_named(text_of(name)) : 0;

    if (said && said == -switch_named(text_of(last_two(path))))
        warn_of(warnings, "\"%s\" is the name of %s, whose path says \"%s\": are the names swapped?", name, path,
                said > 0 ? "off" : "on");
    if (found) {
        struct path all = { 0 };

        if (path_set(&all, "%.*s_all_runs_timeline%s", (int)(found - path), path, found + sizeof run0 - 1) ==
                STATUS_OK &&
            access(all.text, R_OK) == 0)
            warn_of(warnings, "%s holds one run only; all of them are in %s", path, all.text);
        else
            warn_of(warnings, "%s holds one run only: *_all_runs_timeline.csv has them all", path);
        path_free(&all);
    }
    if (strstr(path_name(path), "xnntrace") || strstr(path_name(path), "_trace_"))
        warn_of(warnings,
                "%s is of a run that wrote a log of kernels: that takes time, and its latencies are not the model's",
                path);
}

/* ---- times --------------------------------------------------------------------------------------------------------- */

/* Times to the nanosecond never come out twice: a launch that has them all is the same launch. */
static bool same_times(const struct latency_launch *one, const struct latency_launch *other)
{
    return one->count > 1 && one->count == other->count &&
           memcmp(one->ms, other->ms, one->count * sizeof *one->ms) == 0;
}

void launches_check_side(const struct launches *side, const char *name, const struct launch_warnings *warnings)
{
    assert(warnings->warn);
    for (size_t i = 0; i < side->file_count; i++)
        check_path(side->files[i].path, name, warnings);
    for (size_t i = 0; i < side->times.count; i++) {
        for (size_t j = 0; j < i; j++) {
            if (!same_times(&side->times.items[j], &side->times.items[i]))
                continue;
            warn_of(warnings, "%s and %s have the same times: one launch counts twice", side->times.items[j].name,
                    side->times.items[i].name);
            return;
        }
    }
}

/* A file of one launch on both sides; the rows of a table are told apart by keys. */
static bool check_files(const struct launches *one, const struct launches *other,
                        const struct launch_warnings *warnings)
{
    for (size_t i = 0; i < one->file_count; i++) {
        for (size_t j = 0; j < other->file_count; j++) {
            if (one->files[i].table || other->files[j].table ||
                !launches_same_file(one->files[i].path, other->files[j].path))
                continue;
            warn_of(warnings, "%s is on both sides: it is compared with itself", one->files[i].path);
            return false;
        }
    }
    return true;
}

void launches_check_pair(const struct launches *one, const struct launches *other,
                         const struct launch_warnings *warnings)
{
    assert(one != other && warnings->warn);
    if (!check_files(one, other, warnings))
        return;
    for (size_t i = 0; i < one->times.count; i++) {
        for (size_t j = 0; j < other->times.count; j++) {
            if (!same_times(&one->times.items[i], &other->times.items[j]))
                continue;
            if (strcmp(one->times.items[i].name, other->times.items[j].name) == 0)
                warn_of(warnings, "%s is on both sides: it is compared with itself", one->times.items[i].name);
            else
                warn_of(warnings, "%s and %s have the same times: a launch is compared with itself",
                        one->times.items[i].name, other->times.items[j].name);
            return;
        }
    }
}
