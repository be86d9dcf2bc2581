/* device_chrome.c: device_chrome_tracing.json: the firmware of each RISC as events of Chrome's tracing.
 *
 * The original gives every begin the time of T0; here it is the marker's own. Times are cycles, as in the original. A
 * process is a RISC of a core: its number is that of the RISC plus 100 * x plus 10,000 * y, and further chips follow
 * at tens of millions.
 */
#include <string.h>

#include "base/memory.h"
#include "base/number.h"
#include "table/json.h"
#include "tenstorrent/original/device_files.h"
#include "tenstorrent/original/device_json.h"

/* Texts of a lane that only lack a time. */
struct lane_texts {
    char *name;                                                 /* the event that names it; NUL-terminated */
    char *first;                                                /* the same for its T0, which belongs to another core */
    char *begin;                                                /* up to the time */
    char *end;                                                  /* the same of an event that ends */
    size_t name_length, first_length, begin_length, end_length; /* of the four texts */
};

static const char *const risc_names[] = {
    "BRISC", "NCRISC", "TRISC_0", "TRISC_1", "TRISC_2", "ERISC", "TENSIX_RISC_AGG"
};

/* From 1 in the order above; others follow. */
static int64_t risc_number(const struct marker_log *log, string_id risc)
{
    size_t known = sizeof risc_names / sizeof *risc_names;

    for (size_t i = 0; i < known; i++)
        if (strcmp(risc_names[i], strings_text(log->strings, risc)) == 0)
            return (int64_t)i + 1;
    return (int64_t)(known + 1 + risc % 90);
}

static int64_t process_of(const struct marker_log *log, const struct marker_core *core, string_id risc)
{
    return risc_number(log, risc) + 100 * (int64_t)core->x + 10000 * (int64_t)core->y + 10000000 * (int64_t)core->chip;
}

static void put_process(struct output *output, int64_t process, bool *first)
{
    nested_put_integer(output, 2, first, "pid", process);
    nested_put_integer(output, 2, first, "tid", process);
}

static void put_name_event(struct output *output, const struct marker_core *core, int64_t process)
{
    bool first = true, inner = true;

    nested_put(output, "{");
    nested_put_key(output, 2, &first, "args");
    nested_put(output, "{");
    nested_put_key(output, 3, &inner, "name");
    output_format(output, "\"(%d, %d)\"", core->x, core->y);
    nested_close_object(output, 2);
    nested_put_key(output, 2, &first, "name");
    json_write_text(output, "thread_name");
    nested_put_key(output, 2, &first, "ph");
    json_write_text(output, "M");
    put_process(output, process, &first);
    nested_close_object(output, 1);
}

static void put_event(struct output *output, const char *risc, const char *phase, int64_t process)
{
    bool first = true;

    nested_put(output, "{");
    nested_put_key(output, 2, &first, "cat");
    json_write_text(output, "PERF");
    nested_put_key(output, 2, &first, "name");
    json_write_text(output, risc);
    nested_put_key(output, 2, &first, "ph");
    json_write_text(output, phase);
    put_process(output, process, &first);
    nested_put_key(output, 2, &first, "ts");
}

/* What was written since `*from`, as a text of its own. */
static status keep(struct output *memory, size_t *from, char **text, size_t *length)
{
    size_t end;
    const char *all = output_memory(memory, &end);

    *text = all ? memory_allocate(end - *from + 1) : NULL;
    if (!*text)
        return status_no_memory("writing markers");
    *length = end - *from;
    memcpy(*text, all + *from, *length);
    (*text)[*length] = '\0';
    *from = end;
    return STATUS_OK;
}

static status describe_lane(const struct marker_log *log, struct output *memory, size_t *from,
                            const struct marker_lane *lane, struct lane_texts *texts)
{
    const struct marker_core *core = marker_core_at(log, lane->core);
    const struct marker_chip *chip = marker_chip_at(log, core->chip);
    const struct marker_core *origin = chip->t0_core == NO_ID ? core : marker_core_at(log, chip->t0_core);
    const char *risc = strings_text(log->strings, lane->risc);
    int64_t process = process_of(log, core, lane->risc);
    status code;

    put_name_event(memory, core, process);
    code = keep(memory, from, &texts->name, &texts->name_length);
    put_name_event(memory, origin, process_of(log, origin, lane->risc));
    if (code == STATUS_OK)
        code = keep(memory, from, &texts->first, &texts->first_length);
    put_event(memory, risc, "B", process);
    if (code == STATUS_OK)
        code = keep(memory, from, &texts->begin, &texts->begin_length);
    put_event(memory, risc, "E", process);
    return code == STATUS_OK ? keep(memory, from, &texts->end, &texts->end_length) : code;
}

static status describe_lanes(const struct marker_log *log, struct lane_texts *texts)
{
    struct output *memory;
    size_t from = 0;
    status code = output_open_memory(&memory);

    if (code != STATUS_OK)
        return code;
    for (size_t i = 0; i < log->lanes.count && code == STATUS_OK; i++)
        code = describe_lane(log, memory, &from, marker_lane_at(log, i), &texts[i]);
    output_abandon(memory);
    return code;
}

static void put_separator(struct output *output, bool *first)
{
    output_write(output, *first ? "\n  " : ",\n  ", *first ? 3 : 4);
    *first = false;
}

static void put_timed(struct output *output, const char *text, size_t length, int64_t time, bool *first)
{
    char *to;

    put_separator(output, first);
    output_write(output, text, length);
    to = (char *)output_reserve(output, 24);
    output_advance(output, number_write_integer(to, time));
    output_write(output, "\n  }", 4);
}

static status put_chip(struct output *output, const struct marker_log *log, const struct lane_texts *texts,
                       struct marker_merge *merge, const uint32_t *lanes, size_t count, bool *first)
{
    const struct marker *marker;
    uint32_t lane;
    status code = marker_merge_begin(merge, log, lanes, count, true);

    while (code == STATUS_OK && (marker = marker_merge_next(merge, &lane))) {
        uint8_t standard = marker_kind_at(log, marker->kind)->standard;

        if (standard == FIRMWARE_START)
            put_timed(output, texts[lane].begin, texts[lane].begin_length, marker->time, first);
        else if (standard == FIRMWARE_END)
            put_timed(output, texts[lane].end, texts[lane].end_length, marker->time, first);
        put_separator(output, first);
        if (standard == MARKER_T0)
            output_write(output, texts[lane].first, texts[lane].first_length);
        else
            output_write(output, texts[lane].name, texts[lane].name_length);
    }
    return code;
}

static status put_chips(struct output *output, const struct marker_log *log, const struct lane_texts *texts)
{
    uint32_t *lanes = memory_allocate((log->lanes.count + 1) * sizeof *lanes);
    struct marker_merge merge;
    bool first = true;
    status code = lanes ? STATUS_OK : status_no_memory("writing markers");

    marker_merge_start(&merge);
    nested_put(output, "[");
    for (size_t i = 0; i < log->chips.count && code == STATUS_OK; i++) {
        const struct marker_chip *chip = marker_chip_at(log, i);
        size_t count = 0;

        for (size_t c = 0; c < chip->core_count; c++) {
            const struct marker_core *core = marker_core_at(log, chip->cores[c]);

            for (size_t l = 0; l < core->lane_count; l++)
                lanes[count++] = core->lanes[l];
        }
        code = put_chip(output, log, texts, &merge, lanes, count, &first);
    }
    nested_put(output, first ? "]" : "\n]");
    marker_merge_free(&merge);
    memory_free(lanes);
    return code;
}

status device_chrome_write(struct output *output, const struct marker_log *log)
{
    struct lane_texts *texts = memory_allocate_clear((log->lanes.count + 1) * sizeof *texts);
    status code = texts ? describe_lanes(log, texts) : status_no_memory("writing markers");

    if (code == STATUS_OK)
        code = put_chips(output, log, texts);
    for (size_t i = 0; i < log->lanes.count && texts; i++) {
        memory_free(texts[i].name);
        memory_free(texts[i].first);
        memory_free(texts[i].begin);
        memory_free(texts[i].end);
    }
    memory_free(texts);
    return code;
}
