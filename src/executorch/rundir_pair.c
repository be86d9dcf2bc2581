/* rundir_pair.c: which experiments of a run directory are compared. */
#include <assert.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "executorch/rundir.h"
#include "trace/model.h"

struct pairs {
    struct run_pair *items; /* in the order in which they were found; owned */
    size_t count, capacity; /* of `items` */
};

static status add_pair(struct pairs *pairs, size_t baseline, size_t candidate, const char *label)
{
    status code;

    assert(baseline != candidate);
    for (size_t i = 0; i < pairs->count; i++)
        if (pairs->items[i].baseline == baseline && pairs->items[i].candidate == candidate)
            return STATUS_OK;
    code = memory_grow(&pairs->items, &pairs->capacity, pairs->count + 1, sizeof *pairs->items);
    if (code == STATUS_OK)
        pairs->items[pairs->count++] = (struct run_pair){ (uint32_t)baseline, (uint32_t)candidate, label };
    return code;
}

/* The two may be compared: same threads, or one of them does not say and has no other choice. */
static bool threads_agree(const struct run_entry *one, const struct run_entry *other)
{
    return one->threads == other->threads || !one->threads || !other->threads;
}

static bool is_called(const struct run_entry *entry, const char *name)
{
    return strcmp(entry->name, name) == 0 || strcmp(entry->label, name) == 0;
}

/* ---- on and off ------------------------------------------------------------------------------------------------ */

/* Where the last word that is `word` begins: a word stands between "_", "-", "/" or the ends. NULL: it is not there. */
static const char *find_word(const char *name, const char *word)
{
    size_t length = strlen(name);
    size_t size = strlen(word);

    for (size_t i = length < size ? 0 : length - size + 1; i-- > 0;) {
        bool starts = i == 0 || strchr("_-/", name[i - 1]);
        bool ends = i + size == length || strchr("_-/", name[i + size]);

        if (starts && ends && text_same_any_case(name + i, word, size))
            return name + i;
    }
    return NULL;
}

int run_switch(const char *name)
{
    const char *on = find_word(name, "on");
    const char *off = find_word(name, "off");

    if (!on || !off)
        return on ? 1 : off ? -1 : 0;
    return on > off ? 1 : -1;
}

/* Is `other` the name with its last "on" made "off", in any case of letters? */
static bool is_off_of(const char *other, const char *name)
{
    const char *on = find_word(name, "on");
    size_t before = on ? (size_t)(on - name) : 0;

    return on && strlen(other) == strlen(name) + 1 && text_same_any_case(other, name, before) &&
           text_same_any_case(other + before, "off", 3) &&
           text_same_any_case(other + before + 3, on + 2, strlen(on + 2));
}

/* What is about SME2 comes first: it is what such directories are made for. */
static status add_switches(const struct rundir *rundir, struct pairs *pairs, bool sme2)
{
    status code = STATUS_OK;

    for (size_t i = 0; i < rundir->entry_count && code == STATUS_OK; i++) {
        const struct run_entry *on = &rundir->entries[i];

        if (on->trace || (text_find_any_case(text_of(on->name), "sme2") != NULL) != sme2)
            continue;
        for (size_t j = 0; j < rundir->entry_count && code == STATUS_OK; j++) {
            const struct run_entry *other = &rundir->entries[j];

            if (!other->trace && is_off_of(other->name, on->name) && threads_agree(on, other))
                code = add_pair(pairs, j, i, NULL);
        }
    }
    return code;
}

/* ---- what the configuration wants ------------------------------------------------------------------------------ */

static const struct run_entry *configured(const struct rundir *rundir, const struct json *side)
{
    const char *name = json_text(json_get(side, "experiment"), NULL);
    int64_t threads = 0;

    if (!json_integer(json_get(side, "threads"), &threads) || threads < 0 || threads > UINT32_MAX)
        threads = 0;
    return name ? rundir_find(rundir, name, (uint32_t)threads) : NULL;
}

static status add_configured(const struct rundir *rundir, struct pairs *pairs)
{
    const struct json *list = json_find(rundir->config.root, "analysis", "compare_pairs", NULL);
    status code = STATUS_OK;

    for (size_t i = 0; i < json_count(list) && code == STATUS_OK; i++) {
        const struct run_entry *baseline = configured(rundir, json_get(&list->items[i], "baseline"));
        const struct run_entry *candidate = configured(rundir, json_get(&list->items[i], "candidate"));

        if (baseline && candidate && baseline != candidate && !baseline->trace && !candidate->trace)
            code = add_pair(pairs, (size_t)(baseline - rundir->entries), (size_t)(candidate - rundir->entries),
                            json_text(json_get(&list->items[i], "label"), NULL));
    }
    return code;
}

/* ---- by name --------------------------------------------------------------------------------------------------- */

static status fail_unknown(struct rundir *rundir, const char *name)
{
    const char *known = "", *last = NULL;
    status code = STATUS_OK;

    for (size_t i = 0; i < rundir->entry_count && code == STATUS_OK; i++) {
        const struct run_entry *entry = &rundir->entries[i];

        if (entry->trace || (last && strcmp(last, entry->name) == 0))
            continue;
        code = rundir_make_text(rundir, &known, "%s%s%s", known, last ? ", " : "", entry->name);
        last = entry->name;
    }
    if (code != STATUS_OK)
        return code;
    return status_fail(STATUS_USAGE, "%s: no experiment is called \"%s\"; there are: %s", rundir->path, name,
                       last ? known : "none");
}

static bool is_known(const struct rundir *rundir, const char *name)
{
    for (size_t i = 0; i < rundir->entry_count; i++)
        if (!rundir->entries[i].trace && is_called(&rundir->entries[i], name))
            return true;
    return false;
}

static status add_named(const struct rundir *rundir, struct pairs *pairs, const char *baseline, const char *candidate)
{
    status code = STATUS_OK;
    bool exact = false;

    /* Labels may be of different threads: then that is what is wanted. */
    for (unsigned pass = 0; pass < 2 && !pairs->count; pass++) {
        exact = pass == 0;
        for (size_t i = 0; i < rundir->entry_count && code == STATUS_OK; i++) {
            for (size_t j = 0; j < rundir->entry_count && code == STATUS_OK; j++) {
                const struct run_entry *one = &rundir->entries[i];
                const struct run_entry *other = &rundir->entries[j];

                if (i != j && !one->trace && !other->trace && is_called(one, baseline) && is_called(other, candidate) &&
                    (!exact || threads_agree(one, other)))
                    code = add_pair(pairs, i, j, NULL);
            }
        }
    }
    return code;
}

/* One name was given: the other is its counterpart by switch, or the only other experiment. */
static status complete_pair(const struct rundir *rundir, struct pairs *found, const char **baseline,
                            const char **candidate)
{
    const char *given = *baseline ? *baseline : *candidate;
    const char *other = NULL;
    status code = add_switches(rundir, found, true);

    if (code == STATUS_OK)
        code = add_switches(rundir, found, false);
    for (size_t i = 0; i < found->count && !other; i++) {
        const struct run_entry *one = &rundir->entries[found->items[i].baseline];
        const struct run_entry *two = &rundir->entries[found->items[i].candidate];

        if (is_called(one, given) || is_called(two, given))
            other = is_called(one, given) ? two->name : one->name;
    }
    for (size_t i = 0; i < rundir->entry_count && !other; i++) {
        const struct run_entry *entry = &rundir->entries[i];
        bool only = !entry->trace && !is_called(entry, given);

        for (size_t j = 0; j < rundir->entry_count && only; j++)
            only = rundir->entries[j].trace || is_called(&rundir->entries[j], given) ||
                   strcmp(rundir->entries[j].name, entry->name) == 0;
        other = only ? entry->name : NULL;
    }
    found->count = 0;
    if (code != STATUS_OK)
        return code;
    if (!other)
        return status_fail(STATUS_USAGE,
                           "%s: \"%s\" has no counterpart of its own; give both --baseline and --candidate",
                           rundir->path, given);
    *(*baseline ? candidate : baseline) = other;
    return STATUS_OK;
}

static status find_named(struct rundir *rundir, struct pairs *pairs, const char *baseline, const char *candidate)
{
    status code = STATUS_OK;

    if (baseline && !is_known(rundir, baseline))
        return fail_unknown(rundir, baseline);
    if (candidate && !is_known(rundir, candidate))
        return fail_unknown(rundir, candidate);
    if (!baseline || !candidate)
        code = complete_pair(rundir, pairs, &baseline, &candidate);
    if (code == STATUS_OK)
        code = add_named(rundir, pairs, baseline, candidate);
    if (code == STATUS_OK && !pairs->count)
        code = status_fail(STATUS_USAGE, "%s: \"%s\" cannot be compared with itself", rundir->path, baseline);
    return code;
}

status rundir_pairs(struct rundir *rundir, const char *baseline, const char *candidate, struct run_pair **pairs,
                    size_t *count)
{
    struct pairs found = { 0 };
    status code;

    *pairs = NULL;
    *count = 0;
    if (baseline || candidate) {
        code = find_named(rundir, &found, baseline, candidate);
    } else {
        code = add_switches(rundir, &found, true);
        if (code == STATUS_OK)
            code = add_switches(rundir, &found, false);
        if (code == STATUS_OK)
            code = add_configured(rundir, &found);
    }
    if (code == STATUS_OK && found.count) {
        *pairs = arena_allocate(&rundir->arena, found.count * sizeof **pairs, _Alignof(struct run_pair));
        if (*pairs) {
            memcpy(*pairs, found.items, found.count * sizeof **pairs);
            *count = found.count;
        } else {
            code = status_no_memory("finding pairs");
        }
    }
    memory_free(found.items);
    return code;
}
