/* advise.c: the rows of a report on their way to operations: architecture, order, window, merging, shares. */
#include "tenstorrent/advise_select.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/output.h"

static const char *name_of(const struct selection *selection, string_id id)
{
    return strings_text(selection->advise->report->strings, id);
}

/* ---- Messages ---- */

static status add_message(struct advise *advise, enum advise_mood mood, const char *format, va_list arguments)
{
    status code =
        memory_grow(&advise->messages, &advise->message_capacity, advise->message_count + 1, sizeof *advise->messages);
    const char *text = code == STATUS_OK ? arena_format(&advise->arena, format, arguments) : NULL;

    if (!text)
        return status_no_memory("keeping a message");
    advise->messages[advise->message_count++] = (struct advise_message){ mood, text };
    return STATUS_OK;
}

status advise_say(struct advise *advise, enum advise_mood mood, const char *format, ...)
{
    va_list arguments;
    status code;

    assert(advise->report && format);
    va_start(arguments, format);
    code = add_message(advise, mood, format, arguments);
    va_end(arguments);
    return code;
}

/* ---- Sums ---- */

void advise_add(struct advise_sum *sum, double value)
{
    double lacking = value - sum->compensation;
    double next = sum->sum + lacking;

    sum->compensation = next - sum->sum - lacking;
    sum->sum = next;
}

/* ---- Architecture ---- */

/* What a row names, beside what those before it did. */
static void see_names(struct selection *selection, const struct op_row *row)
{
    if (row->architecture && !selection->architecture)
        selection->architecture = row->architecture;
    else if (row->architecture != selection->architecture && row->architecture)
        selection->other_architecture = row->architecture;
    if (row->worker_cores > 0 && !selection->worker_cores)
        selection->worker_cores = row->worker_cores;
    else if (row->worker_cores > 0 && row->worker_cores != selection->worker_cores)
        selection->other_worker_cores = row->worker_cores;
}

/* Architectures and cores other than the first are said. */
static status say_others(const struct selection *selection)
{
    struct advise *advise = selection->advise;
    const char *first = name_of(selection, selection->architecture);
    status code = STATUS_OK;

    if (selection->other_architecture)
        code = advise_say(advise, ADVISE_WARNING,
                          "Warning: Multiple DEVICE ARCH values found: ['%s', '%s']. Using first value: '%s'.", first,
                          name_of(selection, selection->other_architecture), first);
    if (code == STATUS_OK && selection->other_worker_cores)
        code = advise_say(
            advise, ADVISE_WARNING,
            "Warning: Multiple AVAILABLE WORKER CORE COUNT values found: [%lld, %lld]. Using first value: %lld.",
            (long long)selection->worker_cores, (long long)selection->other_worker_cores,
            (long long)selection->worker_cores);
    return code;
}

static struct chip unknown_chip(const char *name)
{
    struct chip unknown = { .dram = NAN, .tflops = { NAN, NAN, NAN, NAN } };

    snprintf(unknown.name, sizeof unknown.name, "%s", name);
    return unknown;
}

/* The cores that the rows name, else those of the architecture, if it is known; the original takes 64 of any. */
static status choose_cores(struct advise *advise, int64_t named)
{
    int64_t *cores = &advise->architecture.worker_cores;

    if (named) {
        *cores = named;
        return STATUS_OK;
    }
    if (advise->options.as_original)
        *cores = 64;
    if (!*cores || advise->report->generation != OP_GENERATION_2_1)
        return STATUS_OK;
    return advise_say(advise, ADVISE_WARNING,
                      "No non-zero AVAILABLE WORKER CORE COUNT values found. Defaulting to %lld cores.",
                      (long long)*cores);
}

static status say_unknown(struct advise *advise, const char *name)
{
    return advise_say(
        advise, ADVISE_WARNING,
        "The peaks of '%s' are not known: rates are shown without percentages. --arch FILE.json can tell them.", name);
}

static status choose_from_rows(const struct selection *selection, const struct architectures *architectures)
{
    struct advise *advise = selection->advise;
    const struct architecture *found;
    string_id named = selection->architecture;
    const char *name = named ? name_of(selection, named) : "wormhole";
    status code = say_others(selection);

    if (strcmp(name, "wormhole_b0") == 0)
        name = "wormhole";
    if (code == STATUS_OK && !named)
        code = advise_say(advise, ADVISE_WARNING, "No DEVICE ARCH values found. Defaulting to 'wormhole'.");
    if (code == STATUS_OK && advise->options.architecture)
        code = advise_say(advise, ADVISE_WARNING,
                          "Warning: Ignoring user-specified architecture: %s, CSV detected %s architecture",
                          advise->options.architecture, name);
    else if (code == STATUS_OK)
        code = advise_say(advise, ADVISE_INFO, "Using architecture from CSV: %s", name);
    found = architecture_named(architectures, name);
    if (code == STATUS_OK && !found)
        code = say_unknown(advise, name);
    if (code == STATUS_OK && architectures->given && (!found || found >= architectures->items + architectures->given))
        code =
            advise_say(advise, ADVISE_WARNING,
                       "Warning: the file of --arch describes no '%s', as the report names it, and is not used.", name);
    advise->architecture = found ? chip_of(found) : unknown_chip(name);
    return code == STATUS_OK ? choose_cores(advise, selection->worker_cores) : code;
}

/* Reports of 2023 have no device ids; most are of a Grayskull, and none is sure to be of a Wormhole. */
static bool names_no_chip(const struct advise *advise)
{
    return advise->report->generation == OP_GENERATION_1 && !advise->report->columns.device &&
           !advise->options.as_original;
}

static status choose_by_name(struct advise *advise, const struct architectures *architectures)
{
    const char *name = advise->options.architecture;
    const struct architecture *found;
    char known[1024];

    if (!name && !architectures->given && names_no_chip(advise)) {
        advise->architecture = unknown_chip("unknown");
        return advise_say(
            advise, ADVISE_WARNING,
            "The report does not name its chip: rates are shown without percentages. --arch can tell it.");
    }
    if (name)
        found = architecture_named(architectures, name);
    else if (architectures->given)
        found = &architectures->items[0];
    else
        found = architecture_named(architectures, "wormhole");
    if (!found) {
        architectures_list(architectures, known, sizeof known);
        return status_fail(STATUS_USAGE,
                           "no architecture is called \"%s\"; there are %s, and --arch FILE.json can tell others", name,
                           known);
    }
    advise->architecture = chip_of(found);
    return STATUS_OK;
}

static status choose_architecture(const struct selection *selection, const struct architectures *architectures)
{
    static const char *const formats[] = {
        [OP_GENERATION_1] = "v1 (legacy format)",
        [OP_GENERATION_2] = "v2",
        [OP_GENERATION_2_1] = "v2.1 (with device arch and worker core count)",
    };
    struct advise *advise = selection->advise;
    enum op_generation generation = advise->report->generation;
    status code = advise_say(advise, ADVISE_INFO, "Detected CSV format: %s", formats[generation]);

    if (code == STATUS_OK)
        code = generation == OP_GENERATION_2_1 || selection->architecture ? choose_from_rows(selection, architectures)
                                                                          : choose_by_name(advise, architectures);
    if (code != STATUS_OK)
        return code;
    if (!advise->architecture.worker_cores)
        return advise_say(advise, ADVISE_INFO, "Architecture: %s, Worker cores: not known", advise->architecture.name);
    return advise_say(advise, ADVISE_INFO, "Architecture: %s, Worker cores: %lld", advise->architecture.name,
                      (long long)advise->architecture.worker_cores);
}

/* ---- Order ---- */

struct sort_key {
    int64_t start;      /* of the host; INT64_MAX: not told */
    struct picked item; /* that moves with it */
};

static int compare_keys(const void *one, const void *other)
{
    const struct sort_key *a = one;
    const struct sort_key *b = other;

    if (a->start != b->start)
        return a->start < b->start ? -1 : 1;
    return a->item.row < b->item.row ? -1 : a->item.row > b->item.row;
}

static int64_t start_of_row(const struct op_row *row)
{
    return row->host_start == OP_NONE ? INT64_MAX : row->host_start;
}

static int64_t start_of(const struct selection *selection, size_t place)
{
    return start_of_row(selection_row(selection, place));
}

/* By host start, rows without one last; equal starts keep the order of the file. */
static status order_by_start(struct selection *selection)
{
    struct sort_key *keys;

    if (selection->ordered)
        return STATUS_OK;
    keys = memory_allocate((selection->count + 1) * sizeof *keys);
    if (!keys)
        return status_no_memory("ordering operations");
    for (size_t i = 0; i < selection->count; i++)
        keys[i] = (struct sort_key){ start_of(selection, i), selection->items[i] };
    qsort(keys, selection->count, sizeof *keys, compare_keys);
    for (size_t i = 0; i < selection->count; i++)
        selection->items[i] = keys[i].item;
    memory_free(keys);
    return STATUS_OK;
}

static status order(struct selection *selection)
{
    struct advise *advise = selection->advise;
    status code;

    if (advise->report->columns.host_start && !advise->options.file_order) {
        code = advise_say(advise, ADVISE_INFO, "Sorting CSV by 'HOST START TS' column...");
        return code == STATUS_OK ? order_by_start(selection) : code;
    }
    if (advise->options.file_order && !advise->options.as_original)
        return advise_say(advise, ADVISE_INFO, "Tracing mode: rows stay in the order of the file.");
    return advise_say(advise, ADVISE_WARNING, "Warning: 'HOST START TS' column not found. CSV will not be sorted.");
}

/* ---- Signposts ---- */

static bool is_signpost(const struct selection *selection, size_t place, const char *name)
{
    return selection->items[place].kind == OP_SIGNPOST &&
           (!name || strcmp(name_of(selection, selection_row(selection, place)->code), name) == 0);
}

/* The row number of the n-th signpost of a name, in the order of the selection; how many there are. */
static size_t find_signpost(const struct selection *selection, const char *name, size_t nth, uint32_t *number)
{
    size_t count = 0;

    for (size_t i = 0; i < selection->count; i++) {
        if (is_signpost(selection, i, name) && count++ == nth)
            *number = selection_row(selection, i)->number;
    }
    return count;
}

/* Keeps the rows with numbers between the two; signposts only where they are wanted. */
static void keep_between(struct selection *selection, uint32_t after, uint32_t before)
{
    size_t kept = 0;

    for (size_t i = 0; i < selection->count; i++) {
        const struct op_row *row = selection_row(selection, i);

        if (row->number > after && row->number < before &&
            (row->kind != OP_SIGNPOST || selection->advise->options.print_signposts))
            selection->items[kept++] = selection->items[i];
    }
    selection->count = kept;
}

static status cut_start(struct selection *selection, uint32_t *after)
{
    struct advise *advise = selection->advise;
    const char *name = advise->options.start_signpost;

    if (!name)
        return STATUS_OK;
    if (find_signpost(selection, name, 0, after))
        return advise_say(advise, ADVISE_INFO, "Using operations after '%s'.", name);
    return advise_say(advise, ADVISE_WARNING, "Specified %s signpost '%s' not found.",
                      advise->options.as_original ? "staring" : "starting", name);
}

static status cut_end(struct selection *selection, uint32_t *before)
{
    struct advise *advise = selection->advise;
    const char *name = advise->options.end_signpost;
    const char *start = advise->options.start_signpost;
    bool same = name && start && strcmp(name, start) == 0;
    size_t count;
    status code;

    if (!name)
        return STATUS_OK;
    count = find_signpost(selection, name, same, before);
    if (!count)
        return advise_say(advise, ADVISE_WARNING, "Specified ending signpost '%s' not found.", name);
    code = advise_say(advise, ADVISE_INFO, "Using operations until '%s'.", name);
    if (code == STATUS_OK && same && count > 2)
        code = advise_say(
            advise, ADVISE_WARNING,
            "Multiple occurrences of signpost '%s' found. Using the second occurrence for the end filter.", name);
    if (code == STATUS_OK && same && count < 2)
        code = advise_say(advise, ADVISE_WARNING,
                          "Not enough occurrences of signpost '%s' to apply to both start and end filters.", name);
    return code;
}

static status list_signposts(struct selection *selection)
{
    struct output *list;
    size_t length, listed = 0;
    const char *text;
    status code = output_open_memory(&list);

    if (code != STATUS_OK)
        return code;
    for (size_t i = 0; i < selection->count; i++) {
        if (is_signpost(selection, i, NULL))
            output_format(list, "%s%s", listed++ ? ", " : "", name_of(selection, selection_row(selection, i)->code));
    }
    text = output_memory(list, &length);
    code = text ? advise_say(selection->advise, ADVISE_INFO, "Detected signposts: %s", text)
                : status_no_memory("listing signposts");
    output_abandon(list);
    return code;
}

/* Without a choice of the user's: what follows the last signpost. Where its name came before and nothing follows the last one (a
 * loop that ends with it), what follows the first of that name. */
static status cut_by_default(struct selection *selection)
{
    struct advise *advise = selection->advise;
    size_t last = selection->count - 1, from, kept = 0;
    string_id name;
    status code = list_signposts(selection);

    while (!is_signpost(selection, last, NULL))
        last--;
    name = selection_row(selection, last)->code;
    from = last;
    if (last + 1 == selection->count || advise->options.as_original)
        for (from = 0; selection_row(selection, from)->code != name;)
            from++;
    if (code == STATUS_OK)
        code = advise_say(advise, ADVISE_INFO, "Using last signpost: %s for analysis.", name_of(selection, name));
    for (size_t i = from + 1; i < selection->count; i++) {
        if (selection->items[i].kind != OP_SIGNPOST || advise->options.print_signposts)
            selection->items[kept++] = selection->items[i];
    }
    selection->count = kept;
    return code;
}

static status cut_by_signposts(struct selection *selection)
{
    struct advise *advise = selection->advise;
    uint32_t after = 0, before = UINT32_MAX;
    uint32_t ignored;
    status code;

    if (advise->options.ignore_signposts)
        return advise_say(advise, ADVISE_INFO, "Ignoring all signposts. Using the entire file for analysis.");
    if (!find_signpost(selection, NULL, 0, &ignored))
        return advise_say(advise, ADVISE_WARNING,
                          "No signposts found in the file. Using the entire file for analysis.");
    code = cut_start(selection, &after);
    if (code == STATUS_OK)
        code = cut_end(selection, &before);
    if (code != STATUS_OK || (!after && before == UINT32_MAX))
        return code == STATUS_OK ? cut_by_default(selection) : code;
    keep_between(selection, after, before);
    return STATUS_OK;
}

/* ---- Devices ---- */

static int compare_ids(const void *one, const void *other)
{
    int32_t a = *(const int32_t *)one;
    int32_t b = *(const int32_t *)other;

    return a < b ? -1 : a > b;
}

static status count_devices(struct selection *selection)
{
    int32_t *ids = memory_allocate((selection->count + 1) * sizeof *ids);
    size_t count = 0;

    if (!ids)
        return status_no_memory("counting devices");
    for (size_t i = 0; i < selection->count; i++) {
        int32_t id = selection_row(selection, i)->device;

        if (id >= 0 && (count == 0 || ids[count - 1] != id))
            ids[count++] = id;
    }
    qsort(ids, count, sizeof *ids, compare_ids);
    selection->advise->devices = 0;
    for (size_t i = 0; i < count; i++)
        selection->advise->devices += i == 0 || ids[i] != ids[i - 1];
    memory_free(ids);
    return STATUS_OK;
}

static bool has_device_ops(const struct selection *selection)
{
    for (size_t i = 0; i < selection->count; i++)
        if (selection->items[i].kind == OP_DEVICE)
            return true;
    return false;
}

/* All operations on devices are of one: there is nothing to merge. */
static bool only_device(const struct selection *selection)
{
    int32_t device = 0;
    bool any = false;

    for (size_t i = 0; i < selection->count; i++) {
        const struct op_row *row = selection_row(selection, i);

        if (row->kind != OP_DEVICE)
            continue;
        if (any && row->device != device)
            return false;
        device = row->device;
        any = true;
    }
    return true;
}

static status merge_devices(struct selection *selection)
{
    struct advise *advise = selection->advise;
    status code = count_devices(selection);

    if (code != STATUS_OK)
        return code;
    if (advise->options.no_merge && advise->devices > 1)
        return advise_say(advise, ADVISE_INFO, "Detected data from %zu devices. Keeping separate device data...",
                          advise->devices);
    if (advise->devices == 0 && has_device_ops(selection))
        return advise_say(advise, ADVISE_INFO, "The operations name no devices: all are taken to be of one.");
    if (advise->devices == 0)
        return advise_say(advise, ADVISE_WARNING, "No device operations found in the CSV data.");
    code = advise_say(advise, ADVISE_INFO, "Detected data from %zu devices. Merging device data...", advise->devices);
    if (code != STATUS_OK)
        return code;
    if (only_device(selection)) {
        selection_sort(selection);
        return STATUS_OK;
    }
    return selection_merge(selection);
}

/* ---- Operations ---- */

static status analyse(struct selection *selection)
{
    struct advise *advise = selection->advise;
    size_t strings = strings_count(advise->report->strings);
    bool before = false; /* an operation came before */
    status code = STATUS_OK;

    advise->ops = memory_allocate((selection->count + 1) * sizeof *advise->ops);
    advise->programs = memory_allocate_clear(strings * sizeof *advise->programs);
    advise->codes = memory_allocate_clear(strings * sizeof *advise->codes);
    if (!advise->ops || !advise->programs || !advise->codes)
        return status_no_memory("analysing operations");
    for (size_t i = 0; i < selection->count && code == STATUS_OK; i++) {
        struct advise_op *op = &advise->ops[advise->count++];

        *op = (struct advise_op){ .row = selection_row(selection, i), .kernel_ns = selection->items[i].kernel_ns };
        op->number = op->row->number;
        op->device = op->row->device;
        op->gap = before && op->row->latency != OP_NONE ? (double)op->row->latency / 1000 : NAN;
        code = advise_row(advise, op);
        before |= !op->signpost;
        advise->signposts += op->signpost;
        advise->host_ops += op->host;
        advise->device_ops += !op->signpost && !op->host;
    }
    return code;
}

/* The range of ids, then the host filter. What comes first in a range follows on nothing. */
static status filter(struct advise *advise)
{
    int64_t first = advise->options.first, last = advise->options.last;
    bool ranged = first != OP_NONE || last != OP_NONE;
    size_t kept = 0;
    status code = STATUS_OK;

    if (first == OP_NONE && last != OP_NONE)
        code = advise_say(advise, ADVISE_INFO, "Filtering rows with IDs up to %lld", (long long)last);
    else if (ranged && last == OP_NONE)
        code = advise_say(advise, ADVISE_INFO, "Filtering rows with IDs from %lld onwards", (long long)first);
    else if (ranged)
        code = advise_say(advise, ADVISE_INFO, "Filtering rows with IDs from %lld to %lld", (long long)first,
                          (long long)last);
    for (size_t i = 0, met = 0; i < advise->count; i++) {
        struct advise_op *op = &advise->ops[i];

        if ((first != OP_NONE && op->row->number < first) || (last != OP_NONE && op->row->number > last))
            continue;
        if (met++ == 0 && ranged)
            op->gap = NAN;
        if (!op->host || !advise->options.no_host_ops)
            advise->ops[kept++] = *op;
    }
    advise->count = kept;
    return code;
}

static void add_shares(struct advise *advise)
{
    double whole;

    advise->device_time = advise->gaps = 0;
    for (size_t i = 0; i < advise->count; i++) {
        if (!isnan(advise->ops[i].device_time))
            advise->device_time += advise->ops[i].device_time;
        else
            advise->untimed += !advise->ops[i].signpost && !advise->ops[i].host;
        if (!isnan(advise->ops[i].gap)) {
            advise->gaps += advise->ops[i].gap;
            advise->gapped++;
        }
    }
    whole = advise->device_time + advise->gaps;
    for (size_t i = 0; i < advise->count; i++) {
        struct advise_op *op = &advise->ops[i];
        double time = isnan(op->device_time) ? 0 : op->device_time;
        double gap = isnan(op->gap) ? 0 : op->gap;
        bool none = isnan(op->device_time) && isnan(op->gap);

        op->total = none || whole == 0 ? NAN : (time + gap) / whole * 100;
    }
}

static status select_all(struct selection *selection)
{
    const struct op_report *report = selection->advise->report;
    int64_t before = INT64_MIN;

    selection->items = memory_allocate((report->rows.count + 1) * sizeof *selection->items);
    if (!selection->items)
        return status_no_memory("choosing operations");
    selection->ordered = true;
    for (uint32_t i = 0; i < report->rows.count; i++) {
        const struct op_row *row = op_row_at(report, i);

        see_names(selection, row);
        selection->ordered &= before <= start_of_row(row);
        before = start_of_row(row);
        selection->items[i] =
            (struct picked){ i, row->kind, row->kernel_duration == OP_NONE ? NAN : (double)row->kernel_duration };
    }
    selection->count = report->rows.count;
    return STATUS_OK;
}

status advise_run(struct advise *advise, const struct op_report *report, const struct architectures *architectures,
                  const struct advise_options *options)
{
    struct selection selection = { .advise = advise };
    status code;

    assert(report && architectures->count);
    *advise = (struct advise){ .report = report, .options = *options };
    code = select_all(&selection);
    if (code == STATUS_OK)
        code = choose_architecture(&selection, architectures);
    if (code == STATUS_OK)
        code = order(&selection);
    if (code == STATUS_OK)
        code = cut_by_signposts(&selection);
    if (code == STATUS_OK)
        code = merge_devices(&selection);
    if (code == STATUS_OK)
        code = analyse(&selection);
    if (code == STATUS_OK)
        code = filter(advise);
    add_shares(advise);
    if (code == STATUS_OK && advise->untimed)
        code = advise_say(advise, ADVISE_WARNING,
                          "The device time of %zu operation%s is not known: no sum and no share has it.",
                          advise->untimed, advise->untimed == 1 ? "" : "s");
    memory_free(selection.items);
    return code;
}

void advise_free(struct advise *advise)
{
    arena_free(&advise->arena);
    memory_free(advise->ops);
    memory_free(advise->programs);
    memory_free(advise->codes);
    memory_free(advise->messages);
    *advise = (struct advise){ .report = NULL };
}
