/* timeline_page.c: the page of a timeline: its data in pieces that the script reads. */
#include "page/timeline_page.h"
#include "page/html.h"

#include <assert.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/strings.h"
#include "page/timeline_idle.h"
#include "page/timeline_levels.h"
#include "table/json.h"
#include "table/printer.h"

enum {
    DEEPEST = 24,         /* rows of nested slices in a lane */
    BINS_PER_OCTAVE = 16, /* of a histogram: each bin is 4 % wide */
    BIN_COUNT = 61 * BINS_PER_OCTAVE,
    HISTOGRAMS = 1024, /* labels that have one */
    LONGEST_FACT = 512
};

struct label {
    uint32_t kind;        /* enum timeline_kind */
    uint64_t count;       /* slices and instants */
    uint64_t total;       /* ticks */
    uint64_t least, most; /* lengths in ticks */
    uint32_t *bins;       /* counts by length; NULL: instants, or one label too many */
};

struct slice {
    int64_t start, end; /* ticks */
    uint32_t label;     /* id */
    uint32_t order;     /* as given */
};

struct timeline_page {
    struct output *output;              /* borrowed */
    status failure;                     /* the first; STATUS_OK: none */
    struct strings *names;              /* of labels, with the kind as first character; label = id - 1 */
    struct label *labels;               /* by id; owned */
    size_t label_count, label_capacity; /* of labels */
    const struct table **tables;        /* borrowed until the end */
    size_t table_count, table_capacity; /* of tables */
    struct output *sections, *groups, *lanes, *maps, *facts, *notes; /* JSON lists without their brackets */
    struct output *words;                                            /* JSON of the words */
    uint32_t section_count, group_count, lane_count, map_count, fact_count,
        note_count;                                                      /* how many of each there are so far */
    int64_t origin;                                                      /* of the section */
    bool lane_open;                                                      /* slices may be added */
    bool slices_unsorted, instants_unsorted;                             /* those of the lane came in no order */
    struct slice *slices, *instants;                                     /* of the open lane */
    size_t slice_count, slice_capacity, instant_count, instant_capacity; /* of the two lists */
    int64_t last_ends[DEEPEST];                                          /* of each row of the lane */
    struct timeline_row rows[DEEPEST + 1];                               /* the last one: instants */
    struct timeline_idle idle;                                           /* of all lanes so far */
    uint64_t too_deep;                                                   /* slices that no row is there for */
};

static void fail(struct timeline_page *page, status failure)
{
    if (page->failure == STATUS_OK)
        page->failure = failure;
}

bool timeline_page_possible(void)
{
    return html_has_script();
}

/* ---- begin and end --------------------------------------------------------------------------------------------- */

void timeline_page_abandon(struct timeline_page *page)
{
    if (!page)
        return;
    for (size_t i = 0; i < page->label_count; i++)
        memory_free(page->labels[i].bins);
    for (size_t i = 0; i <= DEEPEST; i++)
        timeline_row_free(&page->rows[i]);
    timeline_idle_free(&page->idle);
    output_abandon(page->sections);
    output_abandon(page->groups);
    output_abandon(page->lanes);
    output_abandon(page->maps);
    output_abandon(page->facts);
    output_abandon(page->notes);
    output_abandon(page->words);
    strings_free(page->names);
    memory_free(page->labels);
    memory_free(page->tables);
    memory_free(page->slices);
    memory_free(page->instants);
    memory_free(page);
}

static NODISCARD status open_lists(struct timeline_page *page)
{
    struct output **lists[] = {
        &page->sections, &page->groups, &page->lanes, &page->maps, &page->facts, &page->notes, &page->words,
    };

    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        status done = output_open_memory(lists[i]);

        if (done != STATUS_OK) {
            *lists[i] = NULL;
            return done;
        }
    }
    page->names = strings_new();
    return page->names ? STATUS_OK : status_no_memory("the names of a page");
}

static void write_key(struct output *output, const char *key, const char *text)
{
    output_format(output, "\"%s\":", key);
    json_write_text(output, text);
    output_format(output, ",");
}

NODISCARD status timeline_page_begin(struct output *output, const struct timeline_words *words,
                                     struct timeline_page **page)
{
    struct timeline_page *made;
    status done;

    assert(words->title && words->section && words->group && words->lane && words->tick);
    assert(!words->clock_numerator || words->clock_denominator);
    *page = NULL;
    if (!html_has_script())
        return status_fail(STATUS_USAGE, HTML_WITHOUT_SCRIPT);
    made = memory_allocate_clear(sizeof *made);
    if (!made)
        return status_no_memory("a page");
    made->output = output;
    made->rows[DEEPEST].instants = true;
    done = open_lists(made);
    if (done != STATUS_OK) {
        timeline_page_abandon(made);
        return done;
    }
    write_key(made->words, "section", words->section);
    write_key(made->words, "group", words->group);
    write_key(made->words, "lane", words->lane);
    write_key(made->words, "tick", words->tick);
    output_format(made->words, "\"clock\":[%" PRIu64 ",%" PRIu64 "]", words->clock_numerator, words->clock_denominator);
    html_app_begin(output, words->title);
    *page = made;
    return STATUS_OK;
}

/* ---- facts, notes, labels -------------------------------------------------------------------------------------- */

static void separate(struct output *output, uint32_t *count)
{
    output_format(output, *count ? ",\n" : "");
    ++*count;
}

void timeline_page_fact(struct timeline_page *page, const char *name, const char *format, ...)
{
    char text[LONGEST_FACT];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    separate(page->facts, &page->fact_count);
    output_format(page->facts, "[");
    json_write_text(page->facts, name);
    output_format(page->facts, ",");
    json_write_text(page->facts, text);
    output_format(page->facts, "]");
}

void timeline_page_note(struct timeline_page *page, const char *format, ...)
{
    char text[LONGEST_FACT];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    separate(page->notes, &page->note_count);
    json_write_text(page->notes, text);
}

static NODISCARD status add_label(struct timeline_page *page, enum timeline_kind kind)
{
    struct label *label;
    status done = memory_grow(&page->labels, &page->label_capacity, page->label_count + 1, sizeof *page->labels);

    assert(kind < TIMELINE_KIND_COUNT);
    if (done != STATUS_OK)
        return done;
    label = &page->labels[page->label_count];
    *label = (struct label){ .kind = kind, .least = UINT64_MAX };
    if (page->label_count < HISTOGRAMS && kind != TIMELINE_POINT && kind != TIMELINE_EVENT) {
        label->bins = memory_allocate_clear(BIN_COUNT * sizeof *label->bins);
        if (!label->bins)
            return status_no_memory("the histogram of a label");
    }
    page->label_count++;
    return STATUS_OK;
}

uint32_t timeline_page_label(struct timeline_page *page, const char *name, enum timeline_kind kind)
{
    string_id id = 0;
    status done;

    assert(name && kind < TIMELINE_KIND_COUNT);
    if (page->failure != STATUS_OK)
        return 0;
    done = strings_add_format(page->names, &id, "%c%s", 'A' + (char)kind, name);
    if (done == STATUS_OK && id > page->label_count)
        done = add_label(page, kind);
    if (done != STATUS_OK) {
        fail(page, done);
        return 0;
    }
    return id - 1;
}

/* Bins grow with the length: below BINS_PER_OCTAVE one for each length, above as many in each octave. */
static size_t bin_of(uint64_t length)
{
    unsigned octave;

    if (length < BINS_PER_OCTAVE)
        return length;
    octave = 63u - (unsigned)__builtin_clzll(length);
    return (octave - 3) * (size_t)BINS_PER_OCTAVE + (length >> (octave - 4) & (BINS_PER_OCTAVE - 1));
}

static void count_label(struct label *label, uint64_t length)
{
    uint64_t total;

    label->count++;
    label->total = __builtin_add_overflow(label->total, length, &total) ? UINT64_MAX : total;
    label->least = length < label->least ? length : label->least;
    label->most = length > label->most ? length : label->most;
    assert(bin_of(length) < BIN_COUNT);
    if (label->bins)
        label->bins[bin_of(length)]++;
}

/* ---- lanes ----------------------------------------------------------------------------------------------------- */

static int by_start(const void *one, const void *other)
{
    const struct slice *a = one, *b = other;

    if (a->start != b->start)
        return a->start < b->start ? -1 : 1;
    if (a->end != b->end)
        return a->end > b->end ? -1 : 1; /* the outer one first */
    return a->order < b->order ? -1 : a->order > b->order;
}

static void sort(struct slice *slices, size_t count, bool unsorted)
{
    if (unsorted)
        qsort(slices, count, sizeof *slices, by_start);
}

/* Each slice goes into the row below the lowest that is still busy. */
static NODISCARD status fill_rows(struct timeline_page *page)
{
    size_t used = 0;

    sort(page->slices, page->slice_count, page->slices_unsorted);
    for (size_t i = 0; i < page->slice_count; i++) {
        const struct slice *slice = &page->slices[i];
        size_t depth = used;
        status done;

        while (depth > 0 && page->last_ends[depth - 1] <= slice->start)
            depth--;
        if (depth == DEEPEST) {
            page->too_deep++;
            continue;
        }
        done = timeline_row_add(&page->rows[depth], slice->start, slice->end, slice->label);
        if (done != STATUS_OK)
            return done;
        page->last_ends[depth] = slice->end;
        used = depth + 1;
    }
    sort(page->instants, page->instant_count, page->instants_unsorted);
    for (size_t i = 0; i < page->instant_count; i++) {
        status done = timeline_row_add(&page->rows[DEEPEST], page->instants[i].start, page->instants[i].start,
                                       page->instants[i].label);

        if (done != STATUS_OK)
            return done;
    }
    return STATUS_OK;
}

/* Ticks since the origin; what does not fit stays at the limit. */
static int64_t since(int64_t origin, int64_t time)
{
    int64_t difference;

    if (__builtin_sub_overflow(time, origin, &difference))
        return time < origin ? INT64_MIN : INT64_MAX;
    return difference;
}

static void close_lane(struct timeline_page *page)
{
    status done;
    bool first = true;
    char id[32];

    if (!page->lane_open || page->failure != STATUS_OK)
        return;
    page->lane_open = false;
    done = fill_rows(page);
    if (done == STATUS_OK)
        done = timeline_idle_add(&page->idle, &page->rows[0], page->origin);
    if (done == STATUS_OK)
        done = timeline_idle_add(&page->idle, &page->rows[DEEPEST], page->origin);
    if (done != STATUS_OK) {
        fail(page, done);
        return;
    }
    snprintf(id, sizeof id, "lane-%" PRIu32, page->lane_count - 1);
    html_data_begin(page->output, "text/plain", id);
    for (size_t i = 0; i <= DEEPEST; i++) {
        struct timeline_row *row = &page->rows[i];

        if (!row->count)
            continue;
        output_format(page->lanes, "%s[%d,%" PRId64 ",%" PRId64 ",", first ? "" : ",", i == DEEPEST ? -1 : (int)i,
                      since(page->origin, row->blocks[0].start), since(page->origin, row->blocks[row->count - 1].end));
        timeline_row_write(row, page->output, page->lanes);
        output_format(page->lanes, "]");
        first = false;
    }
    html_data_end(page->output);
    output_format(page->lanes, "]]");
    page->slice_count = page->instant_count = 0;
    page->slices_unsorted = page->instants_unsorted = false;
}

uint32_t timeline_page_section(struct timeline_page *page, const char *name, int64_t origin)
{
    close_lane(page);
    separate(page->sections, &page->section_count);
    output_format(page->sections, "[");
    json_write_text(page->sections, name);
    output_format(page->sections, ",\"%" PRId64 "\"]", origin);
    page->origin = origin;
    return page->section_count - 1;
}

uint32_t timeline_page_group(struct timeline_page *page, const char *name)
{
    assert(page->section_count && "a group is in a section");
    close_lane(page);
    separate(page->groups, &page->group_count);
    output_format(page->groups, "[%" PRIu32 ",", page->section_count ? page->section_count - 1 : 0);
    json_write_text(page->groups, name);
    output_format(page->groups, "]");
    return page->group_count - 1;
}

uint32_t timeline_page_lane(struct timeline_page *page, const char *name)
{
    assert(page->group_count && "a lane is in a group");
    close_lane(page);
    separate(page->lanes, &page->lane_count);
    output_format(page->lanes, "[%" PRIu32 ",", page->group_count ? page->group_count - 1 : 0);
    json_write_text(page->lanes, name);
    output_format(page->lanes, ",[");
    page->lane_open = true;
    return page->lane_count - 1;
}

static void add(struct timeline_page *page, struct slice **slices, size_t *count, size_t *capacity, bool *unsorted,
                struct slice slice)
{
    status done;

    if (page->failure != STATUS_OK || !page->lane_open || slice.label >= page->label_count)
        return;
    if (*count == *capacity) {
        done = memory_grow(slices, capacity, *count + 1, sizeof **slices);
        if (done != STATUS_OK) {
            fail(page, done);
            return;
        }
    }
    slice.order = (uint32_t)*count;
    if (*count && by_start(&(*slices)[*count - 1], &slice) > 0)
        *unsorted = true;
    (*slices)[(*count)++] = slice;
    count_label(&page->labels[slice.label], (uint64_t)slice.end - (uint64_t)slice.start);
}

void timeline_page_slice(struct timeline_page *page, uint32_t label, int64_t start, int64_t end)
{
    assert(page->lane_open || page->failure != STATUS_OK);
    add(page, &page->slices, &page->slice_count, &page->slice_capacity, &page->slices_unsorted,
        (struct slice){ .start = start, .end = end < start ? start : end, .label = label });
}

void timeline_page_instant(struct timeline_page *page, uint32_t label, int64_t time)
{
    assert(page->lane_open || page->failure != STATUS_OK);
    add(page, &page->instants, &page->instant_count, &page->instant_capacity, &page->instants_unsorted,
        (struct slice){ .start = time, .end = time, .label = label });
}

/* ---- tables and maps ------------------------------------------------------------------------------------------- */

void timeline_page_table(struct timeline_page *page, const struct table *table)
{
    status done;

    assert(table);
    if (page->failure != STATUS_OK)
        return;
    done = memory_grow(&page->tables, &page->table_capacity, page->table_count + 1, sizeof *page->tables);
    if (done != STATUS_OK) {
        fail(page, done);
        return;
    }
    page->tables[page->table_count++] = table;
}

static void write_names(struct output *output, const char *key, const char *const *names, uint32_t count)
{
    if (!names)
        return;
    output_format(output, ",\"%s\":[", key);
    for (uint32_t i = 0; i < count; i++) {
        output_format(output, i ? "," : "");
        json_write_text(output, names[i]);
    }
    output_format(output, "]");
}

void timeline_page_map(struct timeline_page *page, const struct timeline_map *map)
{
    struct output *output = page->maps;

    assert(map->title && map->section < page->section_count && (map->places || !map->place_count));
    separate(output, &page->map_count);
    output_format(output, "{");
    write_key(output, "title", map->title);
    write_key(output, "unit", map->unit);
    output_format(output, "\"section\":%" PRIu32 ",\"columns\":%" PRIu32 ",\"rows\":%" PRIu32, map->section,
                  map->columns, map->rows);
    write_names(output, "columnNames", map->column_names, map->columns);
    write_names(output, "rowNames", map->row_names, map->rows);
    output_format(output, ",\"places\":[");
    for (size_t i = 0; i < map->place_count; i++) {
        const struct timeline_place *place = &map->places[i];

        output_format(output, "%s[%" PRIu32 ",%" PRIu32 ",", i ? "," : "", place->column, place->row);
        json_write_decimal(output, place->value);
        output_format(output, ",");
        json_write_text(output, place->text);
        output_format(output, ",%" PRId64 "]", place->group == TIMELINE_NO_GROUP ? -1 : (int64_t)place->group);
    }
    output_format(output, "]}");
}

/* ---- the end --------------------------------------------------------------------------------------------------- */

static void write_list(struct timeline_page *page, const char *key, struct output *list, const char *brackets)
{
    size_t length;
    const char *text = output_memory(list, &length);

    assert(brackets[0] && brackets[1]);
    if (!text) {
        fail(page, output_status(list) == STATUS_OK ? status_no_memory("a page") : output_status(list));
        return;
    }
    output_format(page->output, "\"%s\":%c", key, brackets[0]);
    output_write(page->output, text, length);
    output_format(page->output, "%c,\n", brackets[1]);
}

static void write_kinds(struct output *output)
{
    static const char *const kinds[][2] = {
#define X(name, title, meaning) { title, meaning },
        TIMELINE_KIND_MAP(X)
#undef X
    };

    output_format(output, "\"kinds\":[");
    for (size_t i = 0; i < TIMELINE_KIND_COUNT; i++) {
        output_format(output, i ? ",[" : "[");
        json_write_text(output, kinds[i][0]);
        output_format(output, ",");
        json_write_text(output, kinds[i][1]);
        output_format(output, "]");
    }
    output_format(output, "],\n");
}

/* [name, kind, count, total, least, most, [bin, count, bin, count, ...]] */
static void write_label(struct timeline_page *page, uint32_t id)
{
    const struct label *label = &page->labels[id];
    struct output *output = page->output;
    bool first = true;

    assert(id < page->label_count);
    output_format(output, "[");
    json_write_text(output, strings_text(page->names, id + 1) + 1);
    output_format(output, ",%" PRIu32 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",[", label->kind, label->count,
                  label->total, label->count ? label->least : 0, label->most);
    for (size_t i = 0; label->bins && i < BIN_COUNT; i++) {
        if (!label->bins[i])
            continue;
        output_format(output, "%s%zu,%" PRIu32, first ? "" : ",", i, label->bins[i]);
        first = false;
    }
    output_format(output, "]]");
}

static void write_facts(struct timeline_page *page)
{
    status done;

    html_data_begin(page->output, "application/json", "page");
    output_format(page->output, "{");
    write_list(page, "words", page->words, "{}");
    write_list(page, "facts", page->facts, "[]");
    write_list(page, "notes", page->notes, "[]");
    write_list(page, "sections", page->sections, "[]");
    write_list(page, "groups", page->groups, "[]");
    write_list(page, "lanes", page->lanes, "[]");
    write_list(page, "maps", page->maps, "[]");
    done = timeline_idle_write(&page->idle, page->output);
    if (done != STATUS_OK)
        fail(page, done);
    write_kinds(page->output);
    output_format(page->output, "\"binsPerOctave\":%d,\"labels\":[", BINS_PER_OCTAVE);
    for (uint32_t i = 0; i < page->label_count; i++) {
        output_format(page->output, i ? ",\n" : "");
        write_label(page, i);
    }
    output_format(page->output, "]}");
    html_data_end(page->output);
}

NODISCARD status timeline_page_finish(struct timeline_page *page)
{
    status done;

    close_lane(page);
    if (page->too_deep)
        timeline_page_note(page, "%" PRIu64 " slices are nested deeper than %d and are not drawn.", page->too_deep,
                           DEEPEST);
    for (size_t i = 0; i < page->table_count; i++)
        printer_write(&html_printer, page->output, page->tables[i], NULL);
    write_facts(page);
    html_app_end(page->output);
    done = page->failure != STATUS_OK ? page->failure : output_status(page->output);
    timeline_page_abandon(page);
    return done;
}
