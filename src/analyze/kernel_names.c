/* kernel_names.c: which kernels work for an operator, and what they are called in few letters. */
#include "analyze/kernel_names.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"

/* One kernel of one operator. */
struct kernel_sum {
    operator_id op; /* that asked for it */
    string_id name; /* of the kernel */
    int64_t ticks;  /* that it took */
    uint32_t next;  /* the next longest of the operator: place in `sums`; MAP_NONE: none; once settled */
};

struct kernel_open {
    uint32_t sum;  /* place in `sums`; MAP_NONE: it is none of a kernel */
    int64_t start; /* ticks */
};

void kernel_names_start(struct kernel_names *names)
{
    *names = (struct kernel_names){ 0 };
    column_start(&names->tracks, sizeof(bool));
    column_start(&names->sums, sizeof(struct kernel_sum));
    number_map_start(&names->sums_of);
    number_map_start(&names->longest);
}

void kernel_names_free(struct kernel_names *names)
{
    column_free(&names->tracks);
    column_free(&names->sums);
    number_map_free(&names->sums_of);
    number_map_free(&names->longest);
    memory_free(names->opens);
    names->opens = NULL;
}

static status take_track(void *self, const struct track *track)
{
    struct kernel_names *names = self;
    bool *kernels = column_append(&names->tracks);

    assert(!kernels || track->id + 1 == names->tracks.count);
    if (!kernels)
        return status_no_memory("keeping names of kernels");
    *kernels = track->engine && track->engine->kernels;
    return STATUS_OK;
}

/* MAP_NONE in `*place`: the slice is none of a kernel that an operator asked for. */
static status find_sum(struct kernel_names *names, const struct slice *slice, uint32_t *place)
{
    struct kernel_sum *sum;
    uint32_t *known;

    *place = MAP_NONE;
    if (slice->op == NO_ID || !*(const bool *)column_at(&names->tracks, slice->track))
        return STATUS_OK;
    known = number_map_at(&names->sums_of, slice->op, slice->name);
    sum = known && *known == MAP_NONE ? column_append(&names->sums) : NULL;
    if (!known || (*known == MAP_NONE && !sum))
        return status_no_memory("keeping names of kernels");
    if (sum) {
        *sum = (struct kernel_sum){ .op = slice->op, .name = slice->name };
        *known = (uint32_t)names->sums.count - 1;
    }
    *place = *known;
    return STATUS_OK;
}

static void add(struct kernel_names *names, uint32_t place, int64_t ticks)
{
    if (place != MAP_NONE)
        ((struct kernel_sum *)column_at(&names->sums, place))->ticks += ticks;
}

static status take_slice(void *self, const struct slice *slice)
{
    uint32_t place;
    status code = find_sum(self, slice, &place);

    if (code == STATUS_OK)
        add(self, place, slice->end - slice->start);
    return code;
}

static status take_begin(void *self, open_id id, open_id parent, const struct slice *slice)
{
    struct kernel_names *names = self;
    status code = memory_grow(&names->opens, &names->open_capacity, (size_t)id + 1, sizeof *names->opens);

    (void)parent;
    if (code != STATUS_OK)
        return code;
    names->opens[id].start = slice->start;
    return find_sum(names, slice, &names->opens[id].sum);
}

static status take_end(void *self, open_id id, int64_t time)
{
    struct kernel_names *names = self;

    assert(id < names->open_capacity);
    add(names, names->opens[id].sum, time - names->opens[id].start);
    return STATUS_OK;
}

struct sink kernel_names_sink(struct kernel_names *names)
{
    static const struct sink_calls calls = {
        .track = take_track, .slice = take_slice, .begin = take_begin, .end = take_end, .keys = SINK_NO_KEYS
    };

    return (struct sink){ &calls, names };
}

static struct kernel_sum *sum_at(const struct kernel_names *names, uint32_t place)
{
    return column_at(&names->sums, place);
}

status kernel_names_settle(struct kernel_names *names)
{
    number_map_clear(&names->longest);
    for (uint32_t i = 0; i < names->sums.count; i++) {
        struct kernel_sum *sum = sum_at(names, i);
        uint32_t *at = number_map_at(&names->longest, sum->op, 0);

        if (!at)
            return status_no_memory("keeping names of kernels");
        while (*at != MAP_NONE && sum_at(names, *at)->ticks >= sum->ticks)
            at = &sum_at(names, *at)->next;
        sum->next = *at;
        *at = i;
    }
    return STATUS_OK;
}

size_t kernel_names_of(const struct kernel_names *names, operator_id op, string_id *to, size_t most)
{
    size_t count = 0;

    for (uint32_t at = number_map_find(&names->longest, op, 0); at != MAP_NONE && count < most;
         at = sum_at(names, at)->next)
        to[count++] = sum_at(names, at)->name;
    return count;
}

/* How many bytes of a name stand at its front for a namespace that has none; 0: none do. */
static size_t unnamed_front(struct text name)
{
    static const char *const fronts[] = { "(anonymous namespace)::", "<unnamed>::" };

    for (size_t i = 0; i < sizeof fronts / sizeof *fronts; i++)
        if (text_begins(name, fronts[i]))
            return strlen(fronts[i]);
    return 0;
}

struct text kernel_short_name(struct text name)
{
    size_t length = 0;

    text_cut_start(&name, "void ");
    while (length < name.length) {
        size_t front = unnamed_front((struct text){ name.data + length, name.length - length });

        if (!front && (name.data[length] == '<' || name.data[length] == '('))
            break;
        length += front ? front : 1;
    }
    return (struct text){ name.data, length };
}

/* ---- In few letters ------------------------------------------------------------------------------------------------- */

#define ELLIPSIS "\u2026"

/* Texts one behind the other. */
static const char *join(char to[KERNEL_ROOM], struct text one, const char *other, struct text third, const char *last)
{
    int written = snprintf(to, KERNEL_ROOM, "%.*s%s%.*s%s", (int)one.length, one.data, other, (int)third.length,
                           third.length ? third.data : "", last);

    assert(written >= 0 && written < KERNEL_ROOM);
    (void)written;
    return to;
}

/* As many bytes of a text as end before a new word of it; where it has but one, as many as are whole characters. */
static struct text cut_words(struct text text, size_t most)
{
    size_t end = most;

    if (text.length <= most)
        return text;
    while (end > 1 && !strchr("_<(,: ", text.data[end]))
        end--;
    while (end > 1 && strchr("_<(,: ", text.data[end - 1]))
        end--;
    if (end <= most / 2)
        for (end = most; end > 1 && ((unsigned char)text.data[end] & 0xC0) == 0x80;)
            end--; /* inside of a character */
    return (struct text){ text.data, end };
}

/* The parameters at the front of a text that fit: `*all` says whether there are no more. */
static struct text take_parameters(struct text text, size_t most, bool *all)
{
    size_t fit = 0, depth = 0, at = 0;

    for (; at < text.length && at <= most; at++) {
        if (strchr("<({[", text.data[at]))
            depth++;
        else if (strchr(">)}]", text.data[at]) && !depth)
            break;
        else if (strchr(">)}]", text.data[at]))
            depth--;
        else if (text.data[at] == ',' && !depth)
            fit = at;
    }
    *all = at <= most;
    return text_trim((struct text){ text.data, *all ? at : fit });
}

const char *kernel_shorten_parameters(struct text parameters, size_t most, char to[KERNEL_ROOM])
{
    bool all;
    struct text fit = take_parameters(parameters, most, &all);

    assert(most >= 8 && most <= KERNEL_LETTERS);
    if (!all)
        fit = take_parameters(parameters, most - 3, &all);
    if (!all && !fit.length)
        return join(to, cut_words(parameters, most - 1), ELLIPSIS, (struct text){ NULL, 0 }, "");
    return join(to, fit, all ? "" : ", " ELLIPSIS, (struct text){ NULL, 0 }, "");
}

/* A name without the spaces that it is in, as far as it needs to be without. */
static struct text drop_spaces(struct text name, size_t most)
{
    while (name.length > most) {
        const char *colons = text_find(name, "::");

        if (!colons)
            break;
        name = text_between(colons + 2, name.data + name.length);
    }
    return name;
}

const char *kernel_shorten(struct text name, size_t most, char to[KERNEL_ROOM])
{
    enum { BRACKETS = 5 }; /* letters of "<, …>" */
    struct text function, parameters = { NULL, 0 };
    bool all = false;

    assert(most >= 8 && most <= KERNEL_LETTERS);
    text_cut_start(&name, "void ");
    if (name.length <= most)
        return join(to, name, "", parameters, "");
    function = kernel_short_name(name);
    if (function.length < name.length && name.data[function.length] == '<')
        parameters = text_between(function.data + function.length + 1, name.data + name.length);
    function = drop_spaces(function, most);
    if (function.length > most)
        return join(to, cut_words(function, most - 1), ELLIPSIS, (struct text){ NULL, 0 }, "");
    if (!parameters.length || function.length + BRACKETS > most)
        return join(to, function, "", (struct text){ NULL, 0 }, "");
    parameters = take_parameters(parameters, most - function.length - BRACKETS, &all);
    return join(to, function, "<", parameters, all ? ">" : parameters.length ? ", " ELLIPSIS ">" : ELLIPSIS ">");
}
