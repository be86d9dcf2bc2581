/* advise_merge.c: one row for what all devices ran together.
 *
 * Each device has a queue of its operations. The name at the head of the first queue that is not empty decides; every
 * device whose head has that name takes part, the others are told to lack it. Of a collective operation, in which devices
 * wait for each other, the mean time counts, of any other the longest.
 */
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/output.h"
#include "base/text.h"
#include "tenstorrent/advise_select.h"

enum { MOST_WARNINGS = 12 }; /* a device whose log ends early lacks all that follows */

struct queue {
    int32_t device;   /* id */
    size_t next, end; /* places in the list of all queues */
};

struct merging {
    struct selection *selection; /* that is merged; borrowed */
    struct picked *waiting;      /* operations on devices, by device, then in the order of the selection */
    struct queue *queues;        /* one for each device; owned */
    size_t queue_count;          /* of queues */
    struct picked *merged;       /* what comes out; owned */
    size_t merged_count;         /* of merged */
    uint64_t warnings;           /* said or not */
};

struct device_place {
    int32_t device; /* id */
    uint32_t place; /* among the queues */
};

static int compare_devices(const void *one, const void *other)
{
    const struct device_place *a = one;
    const struct device_place *b = other;

    if (a->device != b->device)
        return a->device < b->device ? -1 : 1;
    return a->place < b->place ? -1 : a->place > b->place;
}

static int compare_rows(const void *one, const void *other)
{
    const struct picked *a = one;
    const struct picked *b = other;

    return a->row < b->row ? -1 : a->row > b->row;
}

void selection_sort(struct selection *selection)
{
    bool ordered = true;

    for (size_t i = 1; i < selection->count && ordered; i++)
        ordered = selection->items[i - 1].row <= selection->items[i].row;
    if (!ordered)
        qsort(selection->items, selection->count, sizeof *selection->items, compare_rows);
}

static const struct op_row *head_of(const struct merging *merging, const struct queue *queue)
{
    return op_row_at(merging->selection->advise->report, merging->waiting[queue->next].row);
}

/* Fills the queues, and `merged` with what needs no merging. */
static status fill_queues(struct merging *merging, struct device_place *places)
{
    struct selection *selection = merging->selection;
    size_t count = 0;

    for (size_t i = 0; i < selection->count; i++) {
        const struct op_row *row = selection_row(selection, i);

        if (row->kind == OP_DEVICE)
            places[count++] = (struct device_place){ row->device, (uint32_t)i };
        else
            merging->merged[merging->merged_count++] = selection->items[i];
    }
    qsort(places, count, sizeof *places, compare_devices);
    for (size_t i = 0; i < count; i++)
        merging->queue_count += i == 0 || places[i].device != places[i - 1].device;
    merging->queues = memory_allocate((merging->queue_count + 1) * sizeof *merging->queues);
    if (!merging->queues)
        return status_no_memory("merging devices");
    merging->queue_count = 0;
    for (size_t i = 0; i < count; i++) {
        merging->waiting[i] = selection->items[places[i].place];
        if (i == 0 || places[i].device != places[i - 1].device)
            merging->queues[merging->queue_count++] = (struct queue){ places[i].device, i, i };
        merging->queues[merging->queue_count - 1].end++;
    }
    return STATUS_OK;
}

static bool is_collective(struct text code)
{
    return text_contains(code, "AllGather") || text_contains(code, "ReduceScatter") || text_contains(code, "AllReduce");
}

/* The original says each of them. */
static bool may_warn(struct merging *merging)
{
    return ++merging->warnings <= MOST_WARNINGS || merging->selection->advise->options.as_original;
}

/* Devices whose next operation is another one. */
static status say_missing(struct merging *merging, const char *name, size_t index, const int32_t *missing, size_t count)
{
    struct output *list;
    const char *text;
    size_t length;
    status code = output_open_memory(&list);

    if (code != STATUS_OK)
        return code;
    for (size_t i = 0; i < count; i++)
        output_format(list, "%s%d", i ? ", " : "", missing[i]);
    text = output_memory(list, &length);
    code =
        text
            ? advise_say(
                  merging->selection->advise, ADVISE_WARNING,
                  "Warning: %s at index %zu not present in CSV for %zu devices [%s] - do not trust data for this op or "
                  "directly subsequent ops with the same name",
                  name, index, count, text)
            : status_no_memory("merging devices");
    output_abandon(list);
    return code;
}

/* Takes the next operation from all queues that have it. */
static status merge_one(struct merging *merging, size_t index, int32_t *missing)
{
    struct advise *advise = merging->selection->advise;
    string_id name = 0;
    struct picked first = { .kernel_ns = NAN }, longest = { .kernel_ns = NAN };
    double sum = 0;
    size_t taken = 0, timed = 0, missing_count = 0;
    bool collective;
    status code = STATUS_OK;

    for (size_t i = 0; i < merging->queue_count && code == STATUS_OK; i++) {
        struct queue *queue = &merging->queues[i];
        struct picked item;

        if (queue->next == queue->end) {
            if (may_warn(merging))
                code = advise_say(advise, ADVISE_WARNING, "Warning: Device %d is missing operation %s at index %zu",
                                  queue->device, name ? strings_text(advise->report->strings, name) : "None", index);
            continue;
        }
        if (!taken) {
            name = head_of(merging, queue)->code;
        } else if (head_of(merging, queue)->code != name) {
            missing[missing_count++] = queue->device;
            continue;
        }
        item = merging->waiting[queue->next++];
        if (!taken++)
            first = longest = item;
        if (!isnan(item.kernel_ns)) {
            sum += item.kernel_ns;
            timed++;
        }
        if (!(item.kernel_ns <= longest.kernel_ns) && !isnan(item.kernel_ns))
            longest = item;
    }
    if (code == STATUS_OK && missing_count && may_warn(merging))
        code = say_missing(merging, strings_text(advise->report->strings, name), index, missing, missing_count);
    collective = is_collective(strings_get(advise->report->strings, name));
    if (collective)
        first.kernel_ns = timed ? sum / (double)timed : NAN;
    if (timed < taken && !advise->options.as_original) /* a device that does not tell may have been the slowest */
        first.kernel_ns = longest.kernel_ns = NAN;
    merging->merged[merging->merged_count++] = collective ? first : longest;
    return code;
}

static bool all_empty(const struct merging *merging)
{
    for (size_t i = 0; i < merging->queue_count; i++) {
        if (merging->queues[i].next < merging->queues[i].end)
            return false;
    }
    return true;
}

static status merge_queues(struct merging *merging, int32_t *missing)
{
    status code = STATUS_OK;

    for (size_t index = 0; code == STATUS_OK && !all_empty(merging); index++)
        code = merge_one(merging, index, missing);
    if (code == STATUS_OK && merging->warnings > MOST_WARNINGS && !merging->selection->advise->options.as_original)
        code = advise_say(
            merging->selection->advise, ADVISE_WARNING,
            "Warning: %llu more operations are missing on some device: a part of the devices' data is not there. "
            "--no-merge-devices shows each device for itself.",
            (unsigned long long)(merging->warnings - MOST_WARNINGS));
    return code;
}

status selection_merge(struct selection *selection)
{
    struct merging merging = { .selection = selection };
    struct device_place *places = memory_allocate((selection->count + 1) * sizeof *places);
    int32_t *missing = NULL;
    status code;

    assert(selection->advise && (selection->items || !selection->count));
    merging.waiting = memory_allocate((selection->count + 1) * sizeof *merging.waiting);
    merging.merged = memory_allocate((selection->count + 1) * sizeof *merging.merged);
    code = places && merging.waiting && merging.merged ? fill_queues(&merging, places)
                                                       : status_no_memory("merging devices");
    if (code == STATUS_OK) {
        missing = memory_allocate((merging.queue_count + 1) * sizeof *missing);
        code = missing ? merge_queues(&merging, missing) : status_no_memory("merging devices");
    }
    if (code == STATUS_OK) {
        memcpy(selection->items, merging.merged, merging.merged_count * sizeof *merging.merged);
        selection->count = merging.merged_count;
        selection_sort(selection);
    }
    memory_free(missing);
    memory_free(places);
    memory_free(merging.waiting);
    memory_free(merging.merged);
    memory_free(merging.queues);
    return code;
}
