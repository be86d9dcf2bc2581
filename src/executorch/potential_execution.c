/* potential_execution.c: what the operators of a model could save. */
#include "executorch/potential_execution.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/format.h"
#include "executorch/findings.h"

enum { CALLS_PERCENT = 1 }; /* calls of the runtime over this are worth a line */

struct filling {
    const struct potential_execution *input; /* borrowed */
    const struct operators *side;            /* the same as in the input */
    struct potential *potential;             /* that is filled; borrowed */
    struct findings findings;                /* owned */
};

/* ---- Items ---- */

/* A copy: advice outlives what it was made from. */
static const char *say_text(struct filling *filling, string_id id)
{
    return potential_say(filling->potential, "%s", strings_text(filling->side->strings, id));
}

/* "features.2.body.0.0, models.py:20" */
static const char *say_place(struct filling *filling, const struct graph_node *node)
{
    const char *file = "", *module;

    if (!node || (!node->module && !node->file))
        return NULL;
    module = node->module ? say_text(filling, node->module) : "";
    if (node->file && node->line)
        file = potential_say(filling->potential, "%s:%u", say_text(filling, node->file), node->line);
    else if (node->file)
        file = say_text(filling, node->file);
    return *module && *file ? potential_say(filling->potential, "%s, %s", module, file) : *module ? module : file;
}

/* "Fully Connected GEMM #2" of "Fully Connected (NC, F32) GEMM #2", "cumsum.out" of "native_call_cumsum.out". */
static const char *say_label(struct filling *filling, const char *name)
{
    static const char front[] = "native_call_";
    const char *open = strstr(name, " ("), *close = open ? strchr(open, ')') : NULL;

    if (strncmp(name, front, sizeof front - 1) == 0 && name[sizeof front - 1])
        return name + sizeof front - 1;
    return close && open > name ? potential_say(filling->potential, "%.*s%s", (int)(open - name), name, close + 1)
                                : NULL;
}

/* What the findings know about its shape. */
static const char *say_reason(struct filling *filling, size_t op)
{
    for (size_t i = 0; i < filling->findings.bottleneck_count; i++) {
        const struct bottleneck *found = &filling->findings.bottlenecks[i];

        if (found->kind == BOTTLENECK_RATE && found->row.op == op && found->reason)
            return potential_say(filling->potential, "Its shape tells why: %s.", found->reason);
    }
    return NULL;
}

static uint32_t memory_peak(struct filling *filling)
{
    const struct architecture *architecture = filling->input->architecture;

    return potential_peak(filling->potential, "memory", true,
                          architecture ? architecture_gigabytes(architecture, NULL) : NAN,
                          filling->input->architecture_file);
}

static uint32_t arithmetic_peak(struct filling *filling, const struct operator_sum *sum)
{
    const struct architecture *architecture = filling->input->architecture;
    struct text type = operators_data_type(filling->side, sum);
    const char *name = architecture_type(type);
    double gflops;

    if (!name)
        name = type.length ? potential_say(filling->potential, "%.*s", (int)type.length, type.data) : "arithmetic";
    gflops = architecture ? architecture_gflops(architecture, name) : NAN;
    return potential_peak(filling->potential, name, false, gflops * 1e9, filling->input->architecture_file);
}

static void add_item(struct filling *filling, size_t op)
{
    const struct operator_sum *sum = operators_at(filling->side, op);
    const struct graph_node *node = sum->node;
    struct potential_item *item = potential_add_item(filling->potential);
    bool delegated = sum->event == EVENT_DELEGATED;

    if (!item)
        return;
    item->name = say_text(filling, sum->name);
    item->label = say_label(filling, item->name);
    item->kind = say_text(filling, sum->type);
    item->engine = !delegated ? "portable" : sum->backend ? say_text(filling, sum->backend) : "delegated";
    item->place = say_place(filling, node);
    item->reason = say_reason(filling, op);
    item->ticks = sum->self;
    item->count = sum->events;
    item->steady = operators_is_steady(filling->side, sum);
    /* Portable operators and copies have chances of their own: to be delegated, or not to be there at all. */
    item->improvable = delegated && operator_kind_category(sum->kind) != CATEGORY_DATA_MOVEMENT;
    if (node && node->bytes) {
        item->bytes = (double)node->bytes * (double)sum->events;
        item->memory = memory_peak(filling);
    }
    if (node && node->macs) {
        item->flops = 2.0 * (double)node->macs * (double)sum->events;
        item->arithmetic = arithmetic_peak(filling, sum);
    }
}

static void add_items(struct filling *filling)
{
    const struct operators *side = filling->side;

    for (size_t i = 0; i < side->sums.count; i++)
        if (operators_is_work(operators_at(side, i)))
            add_item(filling, i);
    potential_add_part(filling->potential, "operators", side->work);
    potential_add_part(filling->potential, "call overhead", side->calls);
    if (side->control)
        potential_add_part(filling->potential, "control flow", side->control);
    potential_add_part(filling->potential, "framework", side->framework);
}

/* ---- Chances ---- */

static void add_recommendation(struct filling *filling, const struct recommendation *advice)
{
    struct potential *potential = filling->potential;
    const struct findings_row *row = advice->row_count ? &advice->rows[0] : NULL;
    double saves = advice->bound_ms * 1e6;

    if (advice->group == ADVICE_ANALYSIS || advice->by_rate)
        return;
    if (!(saves > 0)) {
        potential_note(potential, "%s. %s", advice->title, advice->text);
        return;
    }
    potential_add_chance(
        potential, (struct potential_chance){
                       .what = potential_say(potential, "%s", advice->title),
                       .about = row ? potential_say(potential, "%s", row->name) : NULL,
                       .bound = potential_say(potential, "%s", advice->bound ? advice->bound : "if it took no time"),
                       .evidence = potential_say(potential, "%s", advice->text),
                       .count = row ? row->count : 0,
                       .time = row ? row->ms * 1e6 : saves,
                       .saves = saves,
                       .share = potential_share(potential, saves),
                   });
}

/* What the runtime takes between operators, where the findings do not speak of it already. */
static void add_calls(struct filling *filling)
{
    struct potential *potential = filling->potential;
    double time = potential_ns(potential, filling->side->calls), share = potential_share(potential, time);
    uint32_t calls = 0;

    for (size_t i = 0; i < filling->findings.bottleneck_count; i++)
        if (filling->findings.bottlenecks[i].kind == BOTTLENECK_CALLS ||
            filling->findings.bottlenecks[i].kind == BOTTLENECK_DELEGATES)
            return;
    if (share < CALLS_PERCENT)
        return;
    for (size_t i = 0; i < filling->side->sums.count; i++) {
        const struct operator_sum *sum = operators_at(filling->side, i);

        if (sum->call != NO_ID && sum->call >= calls)
            calls = sum->call + 1;
    }
    potential_add_chance(
        potential,
        (struct potential_chance){
            .what = "Spend less time between operators: in the runtime's calls and the set-up of delegates",
            .about = "calls",
            .bound = "if calls took no time",
            .evidence = potential_say(potential, "%u call%s of an inference take%s %s beside the operators in %s.",
                                      calls, calls == 1 ? "" : "s", calls == 1 ? "s" : "",
                                      potential_say_time(potential, time), calls == 1 ? "it" : "them"),
            .count = calls,
            .time = time,
            .saves = time,
            .share = share,
        });
}

/* ---- Notes ---- */

static void note_no_record(struct filling *filling, size_t unknown)
{
    struct potential *potential = filling->potential;

    if (filling->input->etrecord)
        potential_note(
            potential,
            "None of the %zu operators could be tied to %s: it is the record of another export, or the times "
            "come from a file without instruction numbers. Bytes, operations and rates are not known.",
            unknown, filling->input->etrecord);
    else
        potential_note(
            potential,
            "Without the ETRecord of the export neither bytes nor operations of the %zu operators are known: there "
            "are no rates and no roofs, and what is advised rests on times alone. --etrecord FILE gives it.",
            unknown);
}

/* Items that are too short for a rate. */
static void note_short(struct filling *filling)
{
    struct potential *potential = filling->potential;
    size_t count = 0;
    double time = 0;

    for (size_t i = 0; i < potential->count; i++) {
        const struct potential_item *item = &potential->items[i];

        if (item->steady || potential_is_unknown(item))
            continue;
        count++;
        time += potential_ns(potential, item->ticks);
    }
    if (count)
        potential_note(potential,
                       "%zu operator%s under 10 µs (together %.1f %% of the time) %s no rate: backends count whole "
                       "microseconds.",
                       count, count == 1 ? "" : "s", potential_share(potential, time), count == 1 ? "has" : "have");
}

/* Items that say nothing about their work: how many, how much, which. */
static void note_unknown(struct filling *filling)
{
    enum { NAMED = 4 };
    struct potential *potential = filling->potential;
    size_t unknown = 0, without_flops = 0;
    double time = 0;
    const char *names = "";

    for (size_t i = 0; i < potential->count; i++) {
        const struct potential_item *item = &potential->items[i];

        without_flops += item->steady && !isnan(item->bytes) && isnan(item->flops);
        if (!potential_is_unknown(item))
            continue;
        if (unknown++ < NAMED)
            names = potential_say(potential, "%s%s%s", names, unknown > 1 ? ", " : "", item->name);
        time += potential_ns(potential, item->ticks);
    }
    if (unknown && unknown == potential->count) {
        note_no_record(filling, unknown);
        return;
    }
    if (unknown)
        potential_note(
            potential,
            "%zu of %zu operators (%.1f %% of the time) have no shape in the record, since their backend made them or "
            "they could not be told apart: %s%s. Their bytes and operations are not known.",
            unknown, potential->count, potential_share(potential, time), names,
            unknown > NAMED ? potential_say(potential, " and %zu more", unknown - NAMED) : "");
    if (without_flops)
        potential_note(potential, "%zu operator%s no multiply-accumulates: bytes alone place %s under the roof.",
                       without_flops, without_flops == 1 ? " does" : "s do", without_flops == 1 ? "it" : "them");
}

/* What lies in a cache is read faster than a memory could be. */
static void note_cache(struct filling *filling, const struct potential_peak *peak)
{
    char bytes[FORMAT_SIZE];

    format_bytes(bytes, (uint64_t)potential_rounded(peak->bytes));
    potential_note(filling->potential,
                   "The memory's %s GB/s were reached by %s with %s of tensors; larger ones, which fit into no "
                   "cache, may not get there.",
                   potential_say_rate(filling->potential, peak->rate), peak->from, bytes);
}

static void note_peaks(struct filling *filling)
{
    struct potential *potential = filling->potential;
    bool observed = false;

    for (size_t i = 0; i < potential->peak_count; i++)
        observed |= potential->peaks[i].observed && potential->peaks[i].rate > 0;
    if (observed)
        potential_note(
            potential,
            "Roofs that were observed are the best rates of this profile: the machine can do at least that. Its true "
            "peaks can be given by --arch FILE.json.");
    for (size_t i = 0; i < potential->count; i++) {
        const struct potential_item *item = &potential->items[i];

        if (item->steady && potential_reached(item) > 105) {
            potential_note(potential,
                           "%s reaches %.0f %% of its roof: the peaks of %s are too low, or its bytes come "
                           "from a cache.",
                           item->name, potential_reached(item),
                           filling->input->architecture_file ? filling->input->architecture_file : "the machine");
            break;
        }
    }
    for (size_t i = 0; i < potential->peak_count; i++)
        if (potential->peaks[i].memory && potential->peaks[i].observed && potential->peaks[i].bytes > 0)
            note_cache(filling, &potential->peaks[i]);
    if (potential->peak_count)
        potential_note(potential, "Bytes are those of the tensors that an operator reads and writes, each once and "
                                  "weights included, wherever "
                                  "they lie.");
}

static status fill(struct filling *filling)
{
    struct potential *potential = filling->potential;
    status code;

    add_items(filling);
    code = potential_settle(potential);
    if (code != STATUS_OK)
        return code;
    potential_add_roof_chances(potential);
    for (size_t i = 0; i < filling->findings.recommendation_count; i++)
        add_recommendation(filling, &filling->findings.recommendations[i]);
    add_calls(filling);
    for (size_t i = 0; i < filling->findings.note_count; i++)
        potential_note(potential, "%s", filling->findings.notes[i]);
    note_unknown(filling);
    note_short(filling);
    note_peaks(filling);
    return potential_rank(potential);
}

status potential_of_execution(struct potential *potential, const struct potential_execution *input)
{
    const struct findings_input about = {
        .candidate = { .operators = input->side, .dump = input->dump },
        .etrecord = input->etrecord,
    };
    struct filling filling = { .input = input, .side = input->side, .potential = potential };
    status code = findings_find(&about, &filling.findings);

    assert(input->side && input->side->inferences);
    potential_start(potential, input->side->clock, input->side->inferences);
    potential->whole = input->side->execute;
    potential->whole_name = "Method::execute";
    potential->item_name = "Operator";
    if (code == STATUS_OK)
        code = fill(&filling);
    findings_free(&filling.findings);
    return code;
}
