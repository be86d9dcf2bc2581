/* device_json.c: device_analysis_data.json: every series, every statistic, and the setup, as the original writes them.
 *
 * Keys are sorted and nested by two blanks; a marker is the text of a tuple: "(1, 154926163479927, 'BRISC', (0, 0))".
 * Markers with a zone have its name and type behind the time. Most bytes are markers, so each kind has its text ready,
 * and only times are written anew.
 */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/memory.h"
#include "base/number.h"
#include "table/json.h"
#include "tenstorrent/original/device_files.h"
#include "tenstorrent/original/device_json.h"

/* What stands before and behind the time of a marker. */
struct piece {
    const char *text; /* in the arena */
    size_t length;    /* bytes */
};

struct json_writing {
    struct output *output;                /* borrowed */
    const struct device_results *results; /* borrowed */
    const struct marker_log *log;         /* settled; borrowed */
    struct arena arena;                   /* texts of the pieces */
    struct piece *before;                 /* by kind: "(1, */
    struct piece *behind;                 /* by kind: , 'BRISC-FW', 'ZONE_START'; of a numbered one nothing */
    struct piece *riscs;                  /* by lane: , 'BRISC' */
    struct piece *cores;                  /* by core: , (0, 0) */
    struct marker_merge merge;            /* of the lanes of a chip */
    uint32_t *lanes;                      /* scratch: all lanes of a chip */
    size_t lane_capacity;                 /* of lanes */
};

/* ---- Texts of markers ---- */

/* A text inside a tuple's quotes inside a JSON string. */
static status escape(struct json_writing *writing, const char *format_before, string_id text, const char *behind,
                     struct piece *piece)
{
    struct text given = strings_get(writing->log->strings, text);
    struct output *memory;
    const char *made;
    size_t length = 0;
    char *kept = NULL;
    status code = output_open_memory(&memory);

    if (code != STATUS_OK)
        return code;
    json_write_string(memory, given.data, given.length);
    made = output_memory(memory, &length);
    if (made)
        kept = arena_allocate(&writing->arena, strlen(format_before) + length + strlen(behind), 1);
    if (kept) {
        size_t at = strlen(format_before);

        memcpy(kept, format_before, at);
        memcpy(kept + at, made + 1, length - 2);
        memcpy(kept + at + length - 2, behind, strlen(behind));
        *piece = (struct piece){ kept, at + length - 2 + strlen(behind) };
    }
    output_abandon(memory);
    return kept ? STATUS_OK : status_no_memory("writing markers");
}

static status make_piece(struct json_writing *writing, struct piece *piece, const char *text, size_t length)
{
    piece->text = arena_copy(&writing->arena, text, length);
    piece->length = length;
    return piece->text ? STATUS_OK : status_no_memory("writing markers");
}

static status describe_kind(struct json_writing *writing, size_t index)
{
    const struct marker_kind *kind = marker_kind_at(writing->log, index);
    char text[96];
    size_t length = 2;
    status code;

    memcpy(text, "\"(", 2);
    length += number_write_unsigned(text + length, kind->timer_id);
    memcpy(text + length, ", ", 2);
    code = make_piece(writing, &writing->before[index], text, length + 2);
    writing->behind[index] = (struct piece){ "", 0 };
    if (code != STATUS_OK || kind->numbered)
        return code;
    memcpy(text, "', '", 4);
    length = strlen(marker_phase_type(kind->phase));
    memcpy(text + 4, marker_phase_type(kind->phase), length);
    memcpy(text + 4 + length, "'", 2);
    return escape(writing, ", '", kind->zone, text, &writing->behind[index]);
}

static status prepare(struct json_writing *writing)
{
    const struct marker_log *log = writing->log;
    status code = STATUS_OK;

    writing->before = memory_allocate((log->kinds.count + 1) * sizeof *writing->before);
    writing->behind = memory_allocate((log->kinds.count + 1) * sizeof *writing->behind);
    writing->riscs = memory_allocate((log->lanes.count + 1) * sizeof *writing->riscs);
    writing->cores = memory_allocate((log->cores.count + 1) * sizeof *writing->cores);
    if (!writing->before || !writing->behind || !writing->riscs || !writing->cores)
        return status_no_memory("writing markers");
    for (size_t i = 0; i < log->kinds.count && code == STATUS_OK; i++)
        code = describe_kind(writing, i);
    for (size_t i = 0; i < log->lanes.count && code == STATUS_OK; i++)
        code = escape(writing, ", '", marker_lane_at(log, i)->risc, "'", &writing->riscs[i]);
    for (size_t i = 0; i < log->cores.count && code == STATUS_OK; i++) {
        const struct marker_core *core = marker_core_at(log, i);
        char text[64] = ", (";
        size_t length = 3;

        length += number_write_integer(text + length, core->x);
        memcpy(text + length, ", ", 2);
        length += 2 + number_write_integer(text + length + 2, core->y);
        text[length++] = ')';
        code = make_piece(writing, &writing->cores[i], text, length);
    }
    return code;
}

static void put_piece(struct output *output, const struct piece *piece)
{
    output_write(output, piece->text, piece->length);
}

enum { SHOW_RISC = 1, SHOW_CORE = 2 };

/* An element of a list at `depth`. */
static void put_marker(struct json_writing *writing, const struct marker *marker, uint32_t lane, unsigned shown,
                       unsigned depth, bool *first)
{
    struct output *output = writing->output;
    char *to;

    if (!*first)
        output_write(output, ",", 1);
    *first = false;
    nested_new_line(output, depth);
    put_piece(output, &writing->before[marker->kind]);
    to = (char *)output_reserve(output, 24);
    output_advance(output, number_write_integer(to, marker->time));
    put_piece(output, &writing->behind[marker->kind]);
    if (shown & SHOW_RISC)
        put_piece(output, &writing->riscs[lane]);
    if (shown & SHOW_CORE) {
        uint32_t core = marker_lane_at(writing->log, lane)->core;

        /* T0 belongs to the core that has it, on every lane. */
        if (marker_kind_at(writing->log, marker->kind)->standard == MARKER_T0)
            core = marker_chip_at(writing->log, marker_core_at(writing->log, core)->chip)->t0_core;
        put_piece(output, &writing->cores[core]);
    }
    output_write(output, ")\"", 2);
}

/* All markers of some lanes by time, as a list whose elements stand at `depth` + 1. */
static status put_series(struct json_writing *writing, const uint32_t *lanes, size_t count, unsigned shown,
                         unsigned depth)
{
    const struct marker *marker;
    uint32_t lane;
    bool first = true;
    status code = marker_merge_begin(&writing->merge, writing->log, lanes, count, true);

    nested_open_list(writing->output);
    while (code == STATUS_OK && (marker = marker_merge_next(&writing->merge, &lane)))
        put_marker(writing, marker, lane, shown, depth + 1, &first);
    nested_close_list(writing->output, depth, first);
    return code;
}

/* A list of lists: the markers of each launch. */
static status put_launches(struct json_writing *writing, const struct marker_core *core, unsigned depth)
{
    struct output *output = writing->output;
    const struct marker_log *log = writing->log;
    const struct marker *marker;
    uint32_t lane;
    bool any = false, first = true;
    status code = marker_merge_begin(&writing->merge, log, core->lanes, core->lane_count, true);

    nested_open_list(output);
    while (code == STATUS_OK && (marker = marker_merge_next(&writing->merge, &lane))) {
        const struct marker_kind *kind = marker_kind_at(log, marker->kind);

        if (kind->standard == FIRMWARE_START && strcmp(strings_text(log->strings, kind->risc), "BRISC") == 0) {
            if (any)
                nested_close_list(output, depth + 1, first);
            if (any)
                nested_put(output, ",");
            nested_new_line(output, depth + 1);
            nested_open_list(output);
            any = first = true;
        }
        if (any)
            put_marker(writing, marker, lane, SHOW_RISC, depth + 2, &first);
    }
    if (any)
        nested_close_list(output, depth + 1, first);
    nested_close_list(output, depth, !any);
    return code;
}

/* ---- Statistics ---- */

/* `first_and_sum`: 2 both, 1 the sum, 0 neither. */
static void put_statistics(struct output *output, const struct device_statistics *statistics, unsigned first_and_sum,
                           unsigned depth)
{
    bool first = true, some = statistics->count != 0;

    nested_put(output, "{");
    if (some)
        nested_put_decimal(output, depth + 1, &first, "Average", statistics->average);
    nested_put_integer(output, depth + 1, &first, "Count", (int64_t)statistics->count);
    if (some && first_and_sum == 2)
        nested_put_integer(output, depth + 1, &first, "First", statistics->first);
    if (some) {
        nested_put_integer(output, depth + 1, &first, "Max", statistics->max);
        nested_put_decimal(output, depth + 1, &first, "Median", statistics->median);
        nested_put_integer(output, depth + 1, &first, "Min", statistics->min);
        nested_put_integer(output, depth + 1, &first, "Range", statistics->max - statistics->min);
    }
    if (some && first_and_sum)
        nested_put_integer(output, depth + 1, &first, "Sum", statistics->sum);
    if (statistics->unknown)
        nested_put_integer(output, depth + 1, &first, "Unknown", (int64_t)statistics->unknown);
    nested_close_object(output, depth);
}

/* "analysis": those that found something. Nothing is written where none did. */
static void put_analyses(struct json_writing *writing, const struct device_statistics *statistics,
                         unsigned first_and_sum, unsigned depth, bool *first)
{
    const struct device_setup *setup = writing->results->setup;
    struct output *output = writing->output;
    unsigned order[DEVICE_ANALYSES];
    bool any = false, inner = true;

    for (unsigned i = 0; i < setup->count; i++)
        any |= statistics[i].count || statistics[i].unknown;
    if (!any)
        return;
    device_sort_analyses(setup, order);
    nested_put_key(output, depth, first, "analysis");
    nested_put(output, "{");
    for (unsigned i = 0; i < setup->count; i++) {
        const struct device_analysis *analysis = &setup->analyses[order[i]];
        bool part = true;

        if (!statistics[order[i]].count && !statistics[order[i]].unknown)
            continue;
        nested_put_key(output, depth + 1, &inner, analysis->name);
        nested_put(output, "{");
        nested_put_key(output, depth + 2, &part, "analysis");
        nested_put_value(output, analysis->definition, depth + 2);
        nested_put_key(output, depth + 2, &part, "stats");
        put_statistics(output, &statistics[order[i]], first_and_sum, depth + 2);
        nested_close_object(output, depth + 1);
    }
    nested_close_object(output, depth);
}

/* ---- Cores ---- */

static int compare_lanes(const void *one, const void *other, void *context)
{
    const struct marker_log *log = context;
    uint32_t a = *(const uint32_t *)one, b = *(const uint32_t *)other;
    int order = strcmp(strings_text(log->strings, marker_lane_at(log, a)->risc),
                       strings_text(log->strings, marker_lane_at(log, b)->risc));

    return order ? order : (a > b) - (a < b);
}

static void put_sums(struct json_writing *writing, const struct marker_lane *lane, uint32_t index, unsigned depth,
                     bool *first)
{
    struct marker_cursor cursor;
    const struct marker *marker;
    bool none = true;

    if (!lane->totals.count)
        return;
    nested_put_key(writing->output, depth, first, "sums");
    nested_open_list(writing->output);
    marker_cursor_start(&cursor, &lane->totals);
    while ((marker = marker_cursor_next(&cursor)))
        put_marker(writing, marker, index, 0, depth + 1, &none);
    nested_close_list(writing->output, depth, none);
}

static const char whole_core[] = "TENSIX";

/* The series of all RISCs of a core, and what was found in it. */
static status put_whole_core(struct json_writing *writing, const struct marker_core *core,
                             const struct device_statistics *statistics, unsigned depth)
{
    struct output *output = writing->output;
    bool first = true;
    status code = STATUS_OK;

    nested_put(output, "{");
    put_analyses(writing, statistics, 2, depth + 1, &first);
    if (!writing->results->setup->zones) {
        nested_put_key(output, depth + 1, &first, "launches");
        code = put_launches(writing, core, depth + 1);
    }
    nested_put_key(output, depth + 1, &first, "timeseries");
    if (code == STATUS_OK)
        code = put_series(writing, core->lanes, core->lane_count, SHOW_RISC, depth + 1);
    nested_close_object(output, depth);
    return code;
}

static status put_core(struct json_writing *writing, const struct marker_core *core,
                       const struct device_statistics *statistics, unsigned depth)
{
    struct output *output = writing->output;
    const struct marker_log *log = writing->log;
    bool first = true, inner = true, whole = false;
    uint32_t *lanes = memory_allocate((core->lane_count + 1) * sizeof *lanes);
    status code = lanes ? STATUS_OK : status_no_memory("writing a core");

    nested_put(output, "{");
    nested_put_key(output, depth + 1, &first, "riscs");
    nested_put(output, "{");
    if (lanes) {
        memcpy(lanes, core->lanes, core->lane_count * sizeof *lanes);
        qsort_r(lanes, core->lane_count, sizeof *lanes, compare_lanes, (void *)(uintptr_t)log);
    }
    for (size_t i = 0; i <= core->lane_count && code == STATUS_OK; i++) {
        const struct marker_lane *lane = i < core->lane_count ? marker_lane_at(log, lanes[i]) : NULL;
        bool part = true;

        if (!whole && (!lane || strcmp(whole_core, strings_text(log->strings, lane->risc)) < 0)) {
            nested_put_key(output, depth + 2, &inner, whole_core);
            code = put_whole_core(writing, core, statistics, depth + 2);
            whole = true;
        }
        if (!lane || code != STATUS_OK)
            continue;
        nested_put_key(output, depth + 2, &inner, strings_text(log->strings, lane->risc));
        nested_put(output, "{");
        put_sums(writing, lane, lanes[i], depth + 3, &part);
        nested_put_key(output, depth + 3, &part, "timeseries");
        code = put_series(writing, &lanes[i], 1, 0, depth + 3);
        nested_close_object(output, depth + 2);
    }
    nested_close_object(output, depth + 1);
    nested_close_object(output, depth);
    memory_free(lanes);
    return code;
}

/* ---- Chips ---- */

static status put_op(struct json_writing *writing, const struct device_chip_results *chip, uint32_t index,
                     unsigned depth)
{
    struct output *output = writing->output;
    const struct device_setup *setup = writing->results->setup;
    const struct marker_program *program = column_at(&writing->log->programs, chip->ops.ops[index].program);
    bool first = true, inner = true;

    nested_put(output, "{");
    nested_put_key(output, depth + 1, &first, "durations");
    nested_put(output, "{");
    for (unsigned i = 0; i < chip->op_count; i++) {
        unsigned analysis = chip->op_analyses[i];
        const struct device_op_value *value = &chip->op_values[(size_t)index * chip->op_count + i];
        int64_t cycles;

        if (setup->analyses[analysis].type == DEVICE_OP_CORE) {
            const struct device_statistics *cores =
                &chip->op_cores[(size_t)index * chip->op_core_count + chip->op_core_column[analysis]];

            if (!cores->count && !cores->unknown)
                continue;
            nested_put_key(output, depth + 2, &inner, setup->analyses[analysis].name);
            put_statistics(output, cores, 2, depth + 2);
        } else if (value->unknown) {
            nested_put_key(output, depth + 2, &inner, setup->analyses[analysis].name);
            nested_put(output, "null");
        } else if (device_op_duration(value, &cycles)) {
            nested_put_integer(output, depth + 2, &inner, setup->analyses[analysis].name, cycles);
        }
    }
    if (!inner)
        nested_new_line(output, depth + 1);
    nested_put(output, "}");
    nested_put_integer(output, depth + 1, &first, "first", chip->ops.ops[index].first);
    nested_put_integer(output, depth + 1, &first, "repetition", chip->ops.ops[index].repetition);
    nested_put_integer(output, depth + 1, &first, "run_host_id", program->host_id);
    nested_put_integer(output, depth + 1, &first, "trace_id", program->trace);
    nested_put_integer(output, depth + 1, &first, "trace_id_counter", program->replay);
    nested_close_object(output, depth);
    return output_status(output);
}

static status put_ops(struct json_writing *writing, const struct device_chip_results *chip, unsigned depth, bool *first)
{
    bool none = true;
    status code = STATUS_OK;

    if (!chip->has_ops)
        return STATUS_OK;
    nested_put_key(writing->output, depth, first, "ops");
    nested_open_list(writing->output);
    for (size_t i = 0; i < chip->ops.count && code == STATUS_OK; i++) {
        if (chip->ops.ops[chip->ops.by_start[i]].first == INT64_MAX)
            continue;
        nested_put(writing->output, none ? "" : ",");
        none = false;
        nested_new_line(writing->output, depth + 1);
        code = put_op(writing, chip, chip->ops.by_start[i], depth + 1);
    }
    nested_close_list(writing->output, depth, none);
    return code;
}

/* How many events each analysis of them found; nothing where there is none. */
static void put_events(struct json_writing *writing, const struct device_chip_results *chip, unsigned depth,
                       bool *first)
{
    const struct device_setup *setup = writing->results->setup;
    unsigned order[DEVICE_ANALYSES];
    bool inner = true;

    device_sort_analyses(setup, order);
    for (unsigned i = 0; i < setup->count; i++) {
        if (!chip->events[order[i]])
            continue;
        if (inner) {
            nested_put_key(writing->output, depth, first, "events");
            nested_put(writing->output, "{");
        }
        nested_put_integer(writing->output, depth + 1, &inner, setup->analyses[order[i]].name,
                           (int64_t)chip->events[order[i]]);
    }
    if (!inner)
        nested_close_object(writing->output, depth);
}

/* The lanes of one RISC on all cores, in the order of the cores; `*count` of them at the end of the scratch list. */
static status lanes_of(struct json_writing *writing, const struct marker_chip *chip, string_id risc, bool all,
                       size_t *count)
{
    *count = 0;
    for (size_t c = 0; c < chip->core_count; c++) {
        const struct marker_core *core = marker_core_at(writing->log, chip->cores[c]);
        status code =
            memory_grow(&writing->lanes, &writing->lane_capacity, *count + core->lane_count, sizeof *writing->lanes);

        if (code != STATUS_OK)
            return code;
        for (size_t i = 0; i < core->lane_count; i++)
            if (all || marker_lane_at(writing->log, core->lanes[i])->risc == risc)
                writing->lanes[(*count)++] = core->lanes[i];
    }
    return STATUS_OK;
}

/* The RISCs of a chip, each once, as lanes that have them, by name. */
static status riscs_of(struct json_writing *writing, const struct marker_chip *chip, uint32_t **riscs, size_t *count)
{
    size_t capacity = 0, all;
    status code = lanes_of(writing, chip, 0, true, &all);

    *riscs = NULL;
    *count = 0;
    for (size_t i = 0; i < all && code == STATUS_OK; i++) {
        size_t k = 0;

        while (k < *count &&
               marker_lane_at(writing->log, (*riscs)[k])->risc != marker_lane_at(writing->log, writing->lanes[i])->risc)
            k++;
        if (k < *count)
            continue;
        code = memory_grow(riscs, &capacity, *count + 1, sizeof **riscs);
        if (code == STATUS_OK)
            (*riscs)[(*count)++] = writing->lanes[i];
    }
    if (*count)
        qsort_r(*riscs, *count, sizeof **riscs, compare_lanes, (void *)(uintptr_t)writing->log);
    return code;
}

/* A RISC of all cores, or where `risc` is 0 all of them. */
static status put_device_risc(struct json_writing *writing, const struct device_chip_results *chip, string_id risc,
                              unsigned depth)
{
    const struct marker_chip *from = marker_chip_at(writing->log, chip->chip);
    bool first = true;
    size_t count;
    status code = lanes_of(writing, from, risc, !risc, &count);

    nested_put(writing->output, "{");
    if (!risc)
        put_analyses(writing, chip->device, 2, depth + 1, &first);
    nested_put_key(writing->output, depth + 1, &first, "timeseries");
    if (code == STATUS_OK)
        code = put_series(writing, writing->lanes, count, SHOW_CORE | (risc ? 0 : SHOW_RISC), depth + 1);
    nested_close_object(writing->output, depth);
    return code;
}

static status put_device(struct json_writing *writing, const struct device_chip_results *chip, unsigned depth)
{
    struct output *output = writing->output;
    const struct marker_chip *from = marker_chip_at(writing->log, chip->chip);
    bool first = true, inner = true, whole = false;
    uint32_t *riscs = NULL;
    size_t count;
    status code = riscs_of(writing, from, &riscs, &count);

    nested_put(output, "{");
    put_analyses(writing, chip->summary, writing->results->setup->zones ? 1 : 0, depth + 1, &first);
    put_events(writing, chip, depth + 1, &first);
    if (code == STATUS_OK)
        code = put_ops(writing, chip, depth + 1, &first);
    nested_put_key(output, depth + 1, &first, "riscs");
    nested_put(output, "{");
    for (size_t i = 0; i <= count && code == STATUS_OK; i++) {
        const char *name =
            i < count ? strings_text(writing->log->strings, marker_lane_at(writing->log, riscs[i])->risc) : NULL;

        if (!whole && (!name || strcmp(whole_core, name) < 0)) {
            nested_put_key(output, depth + 2, &inner, whole_core);
            code = put_device_risc(writing, chip, 0, depth + 2);
            whole = true;
        }
        if (!name || code != STATUS_OK)
            continue;
        nested_put_key(output, depth + 2, &inner, name);
        code = put_device_risc(writing, chip, marker_lane_at(writing->log, riscs[i])->risc, depth + 2);
    }
    nested_close_object(output, depth + 1);
    nested_close_object(output, depth);
    memory_free(riscs);
    return code;
}

static const char *core_name(const struct json_writing *writing, uint32_t core, char name[64])
{
    const struct piece *piece = &writing->cores[core];
    size_t length = piece->length - 2 < 63 ? piece->length - 2 : 63;

    memcpy(name, piece->text + 2, length);
    name[length] = '\0';
    return name;
}

static int compare_names(const void *one, const void *other, void *context)
{
    char first[64], second[64];

    return strcmp(core_name(context, *(const uint32_t *)one, first),
                  core_name(context, *(const uint32_t *)other, second));
}

static void put_origin(struct json_writing *writing, const struct marker_chip *chip, unsigned depth)
{
    struct output *output = writing->output;
    bool first = true, part = true;
    char name[64];

    nested_put(output, "{");
    nested_put_key(output, depth + 1, &first, "global_min");
    nested_put(output, "{");
    if (chip->t0_core != NO_ID) {
        nested_put_key(output, depth + 2, &part, "core");
        json_write_text(output, core_name(writing, chip->t0_core, name));
        nested_put_key(output, depth + 2, &part, "risc");
        json_write_text(output, strings_text(writing->log->strings, chip->t0_risc));
        nested_put_integer(output, depth + 2, &part, "ts", chip->t0);
    }
    nested_close_object(output, depth + 1);
    nested_close_object(output, depth);
}

static status put_chip(struct json_writing *writing, const struct device_chip_results *chip, unsigned depth)
{
    struct output *output = writing->output;
    const struct marker_chip *from = marker_chip_at(writing->log, chip->chip);
    uint32_t *cores = memory_allocate((from->core_count + 1) * sizeof *cores);
    bool first = true, inner = true;
    char name[64];
    status code = cores ? STATUS_OK : status_no_memory("writing a chip");

    nested_put(output, "{");
    nested_put_key(output, depth + 1, &first, "cores");
    nested_put(output, "{");
    if (cores) {
        memcpy(cores, from->cores, from->core_count * sizeof *cores);
        qsort_r(cores, from->core_count, sizeof *cores, compare_names, writing);
    }
    for (size_t i = 0; i < from->core_count && code == STATUS_OK; i++) {
        size_t place = 0;

        while (from->cores[place] != cores[i])
            place++;
        nested_put_key(output, depth + 2, &inner, core_name(writing, cores[i], name));
        code = put_core(writing, marker_core_at(writing->log, cores[i]),
                        chip->cores + place * writing->results->setup->count, depth + 2);
    }
    nested_put_key(output, depth + 2, &inner, "DEVICE");
    if (code == STATUS_OK)
        code = put_device(writing, chip, depth + 2);
    nested_close_object(output, depth + 1);
    nested_put_key(output, depth + 1, &first, "metadata");
    put_origin(writing, from, depth + 1);
    nested_close_object(output, depth);
    memory_free(cores);
    return code;
}

/* ---- The file ---- */

static int compare_chips(const void *one, const void *other, void *context)
{
    const struct marker_log *log = context;
    int64_t a = marker_chip_at(log, *(const size_t *)one)->id, b = marker_chip_at(log, *(const size_t *)other)->id;

    return (a > b) - (a < b);
}

static status put_chips(struct json_writing *writing, unsigned depth)
{
    struct output *output = writing->output;
    size_t count = writing->results->chip_count;
    size_t *order = memory_allocate((count + 1) * sizeof *order);
    bool first = true;
    status code = order ? STATUS_OK : status_no_memory("writing chips");

    nested_put(output, "{");
    for (size_t i = 0; i < count && order; i++)
        order[i] = i;
    if (order)
        qsort_r(order, count, sizeof *order, compare_chips, (void *)(uintptr_t)writing->log);
    for (size_t i = 0; i < count && code == STATUS_OK; i++) {
        char name[24];

        name[number_write_integer(name, marker_chip_at(writing->log, order[i])->id)] = '\0';
        nested_put_key(output, depth + 1, &first, name);
        code = put_chip(writing, &writing->results->chips[order[i]], depth + 1);
    }
    nested_close_object(output, depth);
    memory_free(order);
    return code;
}

static status put_data(struct json_writing *writing, unsigned depth)
{
    struct output *output = writing->output;
    const struct marker_log *log = writing->log;
    bool first = true, inner = true;
    status code;

    nested_put(output, "{");
    nested_put_key(output, depth + 1, &first, "deviceInfo");
    nested_put(output, "{");
    nested_put_key(output, depth + 2, &inner, "arch");
    json_write_text(output, strings_text(log->strings, log->arch));
    if (log->clock_denominator == 1)
        nested_put_integer(output, depth + 2, &inner, "freq", (int64_t)log->clock_numerator);
    else
        nested_put_decimal(output, depth + 2, &inner, "freq",
                           (double)log->clock_numerator / (double)log->clock_denominator);
    nested_close_object(output, depth + 1);
    nested_put_key(output, depth + 1, &first, "devices");
    code = put_chips(writing, depth + 1);
    nested_close_object(output, depth);
    return code;
}

status device_analysis_write(struct output *output, const struct device_results *results,
                             const struct device_json_options *options)
{
    struct json_writing writing = { .output = output, .results = results, .log = results->log, .arena = ARENA_EMPTY };
    bool first = true;
    status code;

    marker_merge_start(&writing.merge);
    code = prepare(&writing);
    nested_put(output, "{");
    nested_put_key(output, 1, &first, "data");
    if (code == STATUS_OK)
        code = put_data(&writing, 1);
    nested_put_key(output, 1, &first, "setup");
    device_setup_write(output, results->setup, options, 1);
    nested_close_object(output, 0);
    memory_free(writing.before);
    memory_free(writing.behind);
    memory_free(writing.riscs);
    memory_free(writing.cores);
    memory_free(writing.lanes);
    marker_merge_free(&writing.merge);
    arena_free(&writing.arena);
    return code;
}
