/* advice_cores.c: what markers add to the operations of a run: how their cores fared, and which of them are slow or late. */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "tenstorrent/advice_model.h"
#include "tenstorrent/op_times.h"

/* ---- Rows that do not tell ---- */

static uint64_t key_of(int64_t call, int32_t device)
{
    return (uint64_t)call << 12 ^ (uint32_t)device;
}

static uint64_t replay_of(int64_t replay)
{
    return replay == OP_NONE ? 0 : (uint64_t)replay;
}

/* Keeps the first times of a call, and of each of its replays. */
static status keep_times(struct number_map *map, const struct op_times *times, uint32_t index)
{
    const uint64_t replays[] = { 0, replay_of(times->replay) };

    for (unsigned i = 0; i < 2; i++) {
        uint32_t *place = number_map_at(map, key_of(times->call, times->device), replays[i]);

        if (!place)
            return status_no_memory("joining a device log");
        if (*place == MAP_NONE)
            *place = index;
    }
    return STATUS_OK;
}

/* Where the times of a row are; MAP_NONE: nowhere. Reports may leave out the device that logs have in the number of a program, and
 * the replay. */
static uint32_t find_times(struct number_map *map, const struct op_row *row)
{
    uint32_t *found = number_map_at(map, key_of(row->call, row->device), replay_of(row->replay));

    if (found && *found == MAP_NONE && row->call >= 0 && row->call % 1024 == 0 && row->device > 0)
        found = number_map_at(map, key_of(row->call + row->device, row->device), replay_of(row->replay));
    return found ? *found : MAP_NONE;
}

status op_report_join_log(struct op_report *report, const struct marker_log *log, size_t *joined)
{
    struct op_times_list list = { .items = NULL };
    struct number_map map;
    status code = op_times_of_log(&list, log);

    number_map_start(&map);
    for (uint32_t i = 0; i < list.count && code == STATUS_OK; i++)
        code = keep_times(&map, &list.items[i], i);
    for (size_t i = 0; i < report->rows.count && code == STATUS_OK; i++) {
        struct op_row *row = op_row_at(report, i);
        uint32_t times = row->kind == OP_DEVICE ? find_times(&map, row) : MAP_NONE;

        if (times == MAP_NONE)
            continue;
        ++*joined;
        if (row->core_longest != OP_NONE)
            continue;
        op_times_fill_cores(&list.items[times], row);
        report->wait_sums = true;
    }
    number_map_free(&map);
    op_times_free(&list);
    return code;
}

/* ---- Which cores ---- */

/* What a core did in like operations. */
struct core_sum {
    double works, starts; /* cycles: kernels, and how long after the first marker of their op they began */
    uint64_t count;       /* operations */
};

/* A kernel of one core: from the first RISC's start to the last one's end. */
struct core_span {
    int64_t start, end; /* cycles; start > end: none yet */
};

struct finding_cores {
    struct op_model *model;       /* borrowed */
    const struct marker_log *log; /* borrowed */
    struct number_map wanted;     /* call: like */
    struct core_sum *sums;        /* [like wanted][core of the log] */
    uint32_t *places;             /* by like: place among those wanted; NO_ID: it is not */
    size_t count;                 /* of those wanted */
};

static bool is_wanted(const struct op_like *like)
{
    return like->finding == OP_STRAGGLER || like->finding == OP_LATE;
}

/* The calls of operations whose cores are asked for. */
static status want(struct finding_cores *finding)
{
    struct op_model *model = finding->model;
    const struct op_report *report = model->report;

    for (size_t i = 0; i < model->likes.count; i++)
        finding->places[i] = is_wanted(op_like_at(model, i)) ? (uint32_t)finding->count++ : NO_ID;
    for (size_t i = 0; i < report->rows.count && finding->count; i++) {
        const struct op_row *row = op_row_at(report, i);
        bool critical = row->kind == OP_DEVICE && row->device == op_model_device(model, model->critical);
        uint32_t like = critical ? op_model_like(model, row) : MAP_NONE;
        uint32_t *place;

        if (like == MAP_NONE || finding->places[like] == NO_ID)
            continue;
        place = number_map_at(&finding->wanted, (uint64_t)row->call, 0);
        if (!place)
            return status_no_memory("looking for cores");
        *place = like;
    }
    finding->sums = memory_allocate_clear((finding->count * finding->log->cores.count + 1) * sizeof *finding->sums);
    return finding->sums ? STATUS_OK : status_no_memory("looking for cores");
}

static void walk_lane(const struct marker_ops *ops, const struct marker_lane *lane, struct core_span *spans)
{
    struct marker_ops_walk walk = { NO_ID };
    struct marker_cursor cursor;
    const struct marker *marker;

    marker_cursor_start(&cursor, &lane->markers);
    while ((marker = marker_cursor_next(&cursor))) {
        uint32_t op = marker_ops_next(ops, &walk, marker);
        uint8_t standard = marker_kind_at(ops->log, marker->kind)->standard;

        if (op == NO_ID || (standard != KERNEL_START && standard != KERNEL_END))
            continue;
        if (spans[op].start > spans[op].end)
            spans[op] = (struct core_span){ marker->time, marker->time };
        spans[op].start = marker->time < spans[op].start ? marker->time : spans[op].start;
        spans[op].end = marker->time > spans[op].end ? marker->time : spans[op].end;
    }
}

static void add_core(struct finding_cores *finding, const struct marker_ops *ops, const uint32_t *likes, uint32_t core,
                     struct core_span *spans)
{
    const struct marker_core *place = marker_core_at(finding->log, core);

    for (size_t i = 0; i < ops->count; i++)
        spans[i] = (struct core_span){ 0, -1 };
    for (size_t i = 0; i < place->lane_count; i++)
        walk_lane(ops, marker_lane_at(finding->log, place->lanes[i]), spans);
    for (size_t i = 0; i < ops->count; i++) {
        struct core_sum *sum;

        if (likes[i] == MAP_NONE || spans[i].start > spans[i].end)
            continue;
        sum = &finding->sums[finding->places[likes[i]] * finding->log->cores.count + core];
        sum->works += (double)(spans[i].end - spans[i].start);
        sum->starts += (double)(spans[i].start - ops->ops[i].first);
        sum->count++;
    }
}

/* The like of each op of a chip. A log without programs numbers its ops as they begin, chip after chip. */
static void name_ops(struct finding_cores *finding, const struct marker_ops *ops, int64_t *unnamed, uint32_t *likes)
{
    for (size_t i = 0; i < ops->count; i++) {
        uint32_t op = ops->by_start[i];
        const struct marker_program *program = column_at(&finding->log->programs, ops->ops[op].program);
        int64_t call = ops->unnamed ? ++*unnamed : program->host_id;
        uint32_t *like = number_map_at(&finding->wanted, (uint64_t)call, 0);

        likes[op] = like ? *like : MAP_NONE;
    }
}

static status add_chip(struct finding_cores *finding, uint32_t chip, int64_t *unnamed)
{
    const struct marker_chip *cores = marker_chip_at(finding->log, chip);
    struct core_span *spans = NULL;
    uint32_t *likes = NULL;
    struct marker_ops ops;
    status code = marker_ops_build(&ops, finding->log, chip);

    if (code == STATUS_OK) {
        spans = memory_allocate((ops.count + 1) * sizeof *spans);
        likes = memory_allocate((ops.count + 1) * sizeof *likes);
        code = spans && likes ? STATUS_OK : status_no_memory("looking for cores");
    }
    if (code == STATUS_OK)
        name_ops(finding, &ops, unnamed, likes);
    for (size_t i = 0; i < cores->core_count && code == STATUS_OK; i++)
        if (!ops.dispatch[cores->cores[i]])
            add_core(finding, &ops, likes, cores->cores[i], spans);
    memory_free(spans);
    memory_free(likes);
    marker_ops_free(&ops);
    return code;
}

static double value_of(const struct core_sum *sum, enum op_finding finding)
{
    return sum->count ? (finding == OP_LATE ? sum->starts : sum->works) / (double)sum->count : 0;
}

/* "core 1, 2", or the first of several that are as slow: those beyond half of what the worst is over the least. */
static const char *say_cores(const struct finding_cores *finding, const struct op_like *like,
                             const struct core_sum *sums, struct advice *advice)
{
    enum { MOST = 3 };
    double most = 0, least = 0;
    size_t cores = finding->log->cores.count, count = 0;
    const char *text = "";

    for (size_t i = 0; i < cores; i++) {
        double value = value_of(&sums[i], like->finding);

        most = value > most ? value : most;
        least = sums[i].count && (!least || value < least) ? value : least;
    }
    for (size_t i = 0; i < cores; i++) {
        const struct marker_core *core = marker_core_at(finding->log, i);

        if (!sums[i].count || value_of(&sums[i], like->finding) <= (most + least) / 2 || count++ >= MOST)
            continue;
        text = advice_say(advice, "%s%s%d, %d", text, count > 1 ? "; " : "", core->x, core->y);
    }
    if (!count)
        return NULL;
    if (count > MOST)
        return advice_say(advice, "cores %s and %zu more", text, count - MOST);
    return advice_say(advice, "%s %s", count == 1 ? "core" : "cores", text);
}

status op_model_find_cores(struct op_model *model, const struct marker_log *log, struct advice *advice)
{
    struct finding_cores finding = { .model = model, .log = log };
    int64_t unnamed = 0;
    status code;

    number_map_start(&finding.wanted);
    finding.places = memory_allocate((model->likes.count + 1) * sizeof *finding.places);
    code = finding.places ? want(&finding) : status_no_memory("looking for cores");
    for (uint32_t i = 0; i < log->chips.count && finding.count && code == STATUS_OK; i++)
        code = add_chip(&finding, i, &unnamed);
    for (size_t i = 0; i < model->likes.count && finding.count && code == STATUS_OK; i++) {
        struct op_like *like = op_like_at(model, i);

        if (finding.places[i] != NO_ID && !like->cores)
            like->cores = say_cores(&finding, like, &finding.sums[finding.places[i] * log->cores.count], advice);
    }
    memory_free(finding.places);
    memory_free(finding.sums);
    number_map_free(&finding.wanted);
    return code;
}
