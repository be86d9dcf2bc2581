/* advice_rules.c: the rules of advice on operations of Tenstorrent's devices: what they say, and about which operations. */
#include <assert.h>
#include <math.h>
#include <stdio.h>

#include "tenstorrent/advice_judge.h"

static advice_find_call find_operations, find_gaps, find_launches, find_overheads, find_compiles, find_host,
    find_collectives, find_imbalance;

static const struct advice_rule rules[] = {
    { .id = "straggler",
      .looks_for = "operations of which one core works much longer than the mean, so that all others wait for it",
      .bound = ADVICE_IMBALANCE,
      .title = "Share out the work of {first}[ ({place})] evenly over its cores",
      .evidence =
          "Its longest core works {longest}, the mean one of {cores:core:cores} {mean}: the others wait for it.",
      .assumes = "if every core took what the mean one takes now",
      .ruled_out = "a late start: its cores begin within {late} of each other",
      .command = "{see_cores}",
      .find = find_operations },
    { .id = "late-start",
      .looks_for = "operations of which some cores start long after the first",
      .bound = ADVICE_WAITING,
      .title = "Let all cores of {first}[ ({place})] start together",
      .evidence = "Its last core starts {late} after its first one, of {kernel} that it takes.",
      .assumes = "if all cores started with the first, and took as long as now",
      .ruled_out = "uneven work: its longest core works {longest}, the mean one {mean}",
      .command = "{see_cores}",
      .find = find_operations },
    { .id = "starved",
      .looks_for = "operations whose compute waits for its readers, though memory could give more",
      .bound = ADVICE_WAITING,
      .title = "Bring the data of {first}[ ({place})] in time: larger blocks, more buffers, or inputs in L1",
      .evidence = "Compute waits {waits} of its time for its input[, which comes at {reads} of what DRAM could give].",
      .assumes = "if compute never waited",
      .ruled_out = "DRAM, which is at {reads} of its peak",
      .command = "{see_cores}",
      .find = find_operations },
    { .id = "few-cores",
      .looks_for = "operations on a small part of the cores, each of them busy",
      .bound = ADVICE_ARITHMETIC,
      .title = "Run {first}[ ({place})] on more cores: it uses {cores} of {all}",
      .evidence = "[Each of them reaches {arithmetic} of its arithmetic. ]It takes {first_time} of a run on {cores} of "
                  "{all:core:cores}[ ({more}: {time})].",
      .assumes = "if all cores shared the work, down to what DRAM allows",
      .ruled_out = "DRAM, which is at {memory} of its peak",
      .command = "{see_ops}",
      .find = find_operations },
    { .id = "memory-bound",
      .looks_for = "operations near the peak of DRAM that could move fewer bytes",
      .bound = ADVICE_MEMORY,
      .title = "Move fewer bytes for {first}[ ({place})]: BFP8 instead of {type}, or tensors in L1",
      .evidence =
          "It reads and writes DRAM at {memory} of its peak[, and {arithmetic} of the arithmetic of its cores].",
      .assumes = "if what has more than 8 bits in DRAM had 8, and DRAM were used as well as now",
      .ruled_out = "arithmetic, which is at {arithmetic} of its peak",
      .command = "{see_ops}",
      .find = find_operations },
    { .id = "fidelity",
      .looks_for = "products that arithmetic bounds, with more passes over the multiplier than their types need",
      .bound = ADVICE_ARITHMETIC,
      .title = "Run {first}[ ({place})] at {enough} instead of {now}",
      .evidence =
          "It reaches {arithmetic} of the arithmetic of its {cores:core:cores} at {now}; {enough} has {factor} the "
          "rate, and "
          "its types ({type}) lose little by it.",
      .assumes = "if the model stays exact enough, and the product comes as near to the peak as now",
      .ruled_out = "DRAM, which is at {memory} of its peak",
      .command = "{see_ops}",
      .find = find_operations },
    { .id = "slow-product",
      .looks_for = "products that are far from the peaks of both DRAM and arithmetic",
      .bound = ADVICE_KERNEL,
      .title = "Speed up {first}[ ({place})]: {try}",
      .evidence = "It reaches {reached} of the nearer of its peaks: {memory} of DRAM, {arithmetic} of the arithmetic "
                  "of its {cores:core:cores}.",
      .assumes = "if it reached 65 % of the nearer one, as products do that are set up well",
      .command = "{see_ops}",
      .find = find_operations },
    { .id = "outlier",
      .looks_for = "operations that take much longer than their equals, and nothing in the profile says why",
      .bound = ADVICE_UNKNOWN,
      .title = "Find out why {first} ({place}) takes {worst}: {usual} is usual",
      .evidence = "{count:such operation takes:such operations take} up to {worst}, {factor} {kin}.",
      .assumes = "if each took what is usual",
      .ruled_out = "its sizes, types, memory and cores: those of its equals are alike",
      .command = "{see_ops}",
      .find = find_operations },
    { .id = "layout",
      .looks_for = "operations that only move data into another layout, sharding or shape",
      .bound = ADVICE_TRANSFER,
      .title = "Do without {first}[ ({place})]: {instead}[; or run it on more cores: it uses {few} of {all}]",
      .evidence = "{rows:kind of operation computes:kinds of operations compute} nothing and only {rows~moves:move} "
                  "data into another "
                  "form: {where} {rows~takes:take} {time} of a run.",
      .assumes = "if the operations on both sides agreed on one form, and none of this were needed",
      .command = "tacho advise {input} --group-by category",
      .find = find_operations },
    { .id = "op-gap",
      .looks_for = "gaps between operations in which a device waits for its host, and no host operation explains it",
      .bound = ADVICE_WAITING,
      .title = "Let the host keep ahead of the device: capture the operations as a trace, or dispatch asynchronously",
      .evidence = "The device waits {waits} of a run beyond what launches take, in {gaps} of more than {limit}; most "
                  "of it before {first}, {worst} at once.",
      .assumes = "if {launch} remained of each gap, which is what a launch takes here",
      .ruled_out = "host operations: {hosts}",
      .command = "{see_gaps}",
      .find = find_gaps },
    { .id = "short-operations",
      .looks_for = "operations so short that a device idles a tenth of a run between them, though each launch is quick",
      .bound = ADVICE_LATENCY,
      .title = "Fuse short operations, or capture them as a trace: the device idles {idle} of a run between them",
      .evidence = "{calls:launch:launches} of {launch} on average, before operations of {mean} on average; most of "
                  "it before {first}.",
      .assumes = "if they were one operation, or launches took next to nothing",
      .ruled_out = "a slow host: no gap that counts here is longer than {limit}",
      .command = "{see_gaps}",
      .find = find_launches },
    { .id = "op-overhead",
      .looks_for = "operations of which the firmware before and after the kernel takes a tenth of a run",
      .bound = ADVICE_LATENCY,
      .title = "Shorten the start and end of {first}[ ({place})]: firmware around its kernel takes {own} of a run",
      .evidence =
          "The firmware before and after all kernels takes {around} of a run; the kernel of {first} takes {kernel}.",
      .assumes =
          "if an operation were over with its kernel: fewer arguments and buffers to set up, or fewer operations",
      .ruled_out = "gaps between operations, which are counted by themselves",
      .command = "{see_ops}",
      .find = find_overheads },
    { .id = "compile",
      .looks_for = "long gaps before operations that run for the first time: their programs are compiled",
      .bound = ADVICE_WAITING,
      .title = "Run the model once before it is measured: programs are compiled when they run first",
      .evidence = "The device waits {waits} before {rows:kind of operation:kinds of operations} that {rows~runs:run} "
                  "for the first "
                  "time here, {worst} before {first}.",
      .assumes = "if programs came from the cache, as in every later pass",
      .command = "tacho advise {input} --start-signpost NAME (with a signpost before a second pass)",
      .find = find_compiles },
    { .id = "host-fallback",
      .looks_for = "operations that run on the host while the device waits for them",
      .bound = ADVICE_WAITING,
      .title = "Run {first} on the device",
      .evidence = "The host computes {where}, and the device waits {waits} of a run for it.",
      .assumes = "if it took next to nothing of that on the device",
      .ruled_out = "dispatch: the rest of these gaps is counted as such",
      .command = "tacho advise {input} --filter bound=HOST",
      .find = find_host },
    { .id = "collective",
      .looks_for = "exchanges between devices that nothing is computed behind",
      .bound = ADVICE_TRANSFER,
      .title = "Hide {first} behind products, or exchange fewer bytes",
      .evidence = "{where} {rows~takes:take} {time} of a run, in which nothing is computed.",
      .assumes = "if products ran meanwhile, as in fused operations",
      .ruled_out = "waiting for slower devices: this is what the quickest one takes",
      .command = "{see_devices}",
      .find = find_collectives },
    { .id = "imbalance",
      .looks_for = "operations that take longer on one device than on the others",
      .bound = ADVICE_IMBALANCE,
      .title = "Share out {first} evenly over the devices",
      .evidence = "Device {device} takes {slowest} for it, {whom} of {devices} devices {mean}.",
      .assumes = "if every device took what the mean one takes now, and none waited for another",
      .command = "{see_devices}",
      .find = find_imbalance },
    { 0 },
};

const struct advice_rules tenstorrent_op_rules = { "reports of operations, device logs", rules };

/* Which finding the rules are about that go by it; the others find for themselves. */
static const enum op_finding findings[] = { OP_STRAGGLER, OP_LATE, OP_STARVED, OP_FEW_CORES, OP_MEMORY,
                                            OP_FIDELITY,  OP_SLOW, OP_OUTLIER, OP_LAYOUT };

/* ---- Words ---- */

static const char *text_of_type(const struct op_model *model, string_id id)
{
    return id ? strings_text(model->report->strings, id) : NULL;
}

/* "percent", but nothing for 0, which is not known. */
static void set_part(struct advice *advice, struct advice_item *item, const char *key, double part)
{
    if (part > 0)
        advice_percent(advice, item, key, part * 100);
}

/* What else is to be said of an operation: its types, its cores. */
static const char *remark_of(struct advice *advice, const struct op_like *like)
{
    bool typed = like->op.fidelity && *like->op.fidelity;

    if (isnan(like->op.cores))
        return typed ? like->op.fidelity : NULL;
    return advice_say(advice, typed ? "%.0f %s, %s" : "%.0f %s", like->op.cores, like->op.cores == 1 ? "core" : "cores",
                      like->op.fidelity);
}

/* Before which of like operations a device waits longest; NULL: rows have no numbers. */
static const char *gap_place_of(struct advice *advice, const struct op_model *model, const struct op_like *like)
{
    const struct op_row *row = op_row_at(model->report, like->share->worst_gap_row);

    return model->numbered ? advice_say(advice, "row %u", row->number) : NULL;
}

/* Where one can look: the row of its report, or the cores that an item is about. */
static const char *place_of(struct advice *advice, const struct op_model *model, const struct op_like *like)
{
    const struct op_row *worst = op_worst_row(model, like), *row = worst ? worst : like->op.row;

    if (model->numbered)
        return advice_say(advice, "row %u", row->number);
    return like->finding == OP_OUTLIER ? advice_say(advice, "call %lld", (long long)row->call) : NULL;
}

/* An item keeps few rows: only those get words. */
static bool is_kept(const struct advice_item *item, double saves)
{
    return item && (item->row_count < ADVICE_ROWS || saves > item->rows[ADVICE_ROWS - 1].saves_ns);
}

static struct advice_row row_of(struct advice *advice, const struct op_model *model, const struct op_like *like,
                                double ns, double saves)
{
    return (struct advice_row){ .name = like->op.label,
                                .location = like->cores ? like->cores : place_of(advice, model, like),
                                .remark = remark_of(advice, like),
                                .ns = ns,
                                .saves_ns = saves,
                                .count = (uint64_t)llround(like->calls) };
}

static void add_like(struct advice *advice, struct advice_item *item, const struct op_model *model,
                     const struct op_like *like, double ns, double saves)
{
    if (is_kept(item, saves))
        advice_row(advice, item, row_of(advice, model, like, ns, saves));
    else
        advice_row(advice, item, (struct advice_row){ .ns = ns, .saves_ns = saves });
}

/* What a product lacks that is far from its peaks. */
static const char *what_to_try(struct advice *advice, const struct op_model *model, const struct op_like *like)
{
    const struct advise_program *program = like->op.program;
    struct text memory = strings_get(model->report->strings, like->op.row->inputs[0].memory);
    bool configured = program->block_width != OP_NONE || program->subblock_height != OP_NONE;

    if (op_is_on_few_cores(model, like))
        return advice_say(advice, "run it on more cores, it uses %.0f of %.0f", like->op.cores, model->most_cores);
    if (memory.length && !text_contains(memory, "L1"))
        return "place its first input in L1";
    if (!configured)
        return "give it a program_config, with in0_block_w and out_subblock of 2 or more";
    if (program->block_width < 2)
        return "in0_block_w=1 is small: try 2 or more";
    if (program->subblock_height != OP_NONE && program->subblock_width != OP_NONE &&
        program->subblock_height * program->subblock_width < 2)
        return "its output subblock is 1x1: try 2 or more";
    return "try other block sizes, and a DRAM-sharded program_config for few rows";
}

/* ---- Operations ---- */

/* How its cores fared. What an item rules out is only said where it is so. */
static void set_cores(struct advice *advice, struct advice_item *item, const struct op_model *model,
                      const struct op_like *like)
{
    const struct op_share *share = like->share;
    const struct op_row *worst = op_worst_row(model, like);
    double one = worst ? (double)worst->kernel_duration : like->op.kernel_ns;
    double longest = one * share->longest / share->cored, mean = one * share->mean / share->cored;
    double late = one * share->last_start / share->started;

    if (worst && worst->core_longest >= 0 && worst->core_mean >= 0) {
        longest = (double)worst->core_longest;
        mean = (double)worst->core_mean;
    }
    if (worst && worst->last_start >= 0)
        late = (double)worst->last_start;
    if (share->cored > 0 && (like->finding == OP_STRAGGLER || !op_is_uneven(like))) {
        advice_time(advice, item, "longest", longest);
        advice_time(advice, item, "mean", mean);
    }
    if (share->started > 0 && (like->finding == OP_LATE || !op_starts_late(like)))
        advice_time(advice, item, "late", late);
    advice_time(advice, item, "kernel", one);
    set_part(advice, item, "waits", fmin(op_waits(model, like), 1));
    if (!isnan(like->op.cores))
        advice_count(advice, item, "cores", (uint64_t)like->op.cores);
}

static void set_rates(struct advice *advice, struct advice_item *item, const struct op_model *model,
                      const struct op_like *like)
{
    struct op_rates rates;
    double all;

    (void)op_work(model, like, &rates);
    all = op_all_cores(model, &rates);
    advice_count(advice, item, "all", (uint64_t)all);
    if (op_is_on_few_cores(model, like))
        advice_text(advice, item, "few", advice_say(advice, "%.0f", like->op.cores));
    set_part(advice, item, "reads", rates.memory);
    set_part(advice, item, "reached", rates.reached);
    if (like->finding == OP_SLOW || rates.memory > 0)
        advice_percent(advice, item, "memory", rates.memory * 100);
    if (like->finding == OP_SLOW || rates.arithmetic > 0)
        advice_percent(advice, item, "arithmetic", rates.arithmetic * 100);
}

static void set_outlier(struct advice *advice, struct advice_item *item, const struct op_outlier *outlier)
{
    if (!(outlier->excess > 0))
        return;
    advice_time(advice, item, "worst", outlier->worst);
    advice_time(advice, item, "usual", outlier->usual);
    advice_factor(advice, item, "factor", outlier->worst / outlier->usual);
    advice_count(advice, item, "count", outlier->count);
    if (outlier->among == 2)
        advice_text(advice, item, "kin", "what the other one takes that is alike");
    else
        advice_text(advice, item, "kin",
                    advice_say(advice,
                               outlier->alike ? "the median of the %llu that are alike"
                                              : "the median of %llu of its kind and of like size",
                               (unsigned long long)outlier->among));
}

static void set_values(struct advice *advice, struct advice_item *item, const struct op_model *model,
                       const struct op_like *like)
{
    const struct chip *chip = &model->advise->architecture;
    enum fidelity now = fidelity_named(strings_get(model->report->strings, like->op.row->fidelity));
    enum fidelity enough = op_enough_passes(model, like);

    set_cores(advice, item, model, like);
    set_rates(advice, item, model, like);
    advice_text(advice, item, "type",
                text_of_type(model, like->op.row->inputs[like->op.row->inputs[1].datatype != 0].datatype));
    advice_text(advice, item, "instead", op_layout_instead(strings_get(model->report->strings, like->op.row->code)));
    if (like->finding == OP_OUTLIER)
        set_outlier(advice, item, &like->outlier);
    if (like->finding == OP_SLOW)
        advice_text(advice, item, "try", what_to_try(advice, model, like));
    if (like->finding == OP_FIDELITY && now < FIDELITY_COUNT && enough < FIDELITY_COUNT) {
        advice_text(advice, item, "now", fidelity_text(now));
        advice_text(advice, item, "enough", fidelity_text(enough));
        advice_factor(advice, item, "factor", chip->tflops[enough] / chip->tflops[now]);
    }
}

static void find_operations(struct advice *advice, const struct advice_rule *rule, const void *data)
{
    const struct op_model *model = data;
    enum op_finding finding = findings[rule - rules];
    const struct op_like *most = NULL;
    struct advice_item *item = NULL;

    for (size_t i = 0; i < model->likes.count; i++) {
        const struct op_like *like = op_like_at(model, i);

        if (like->finding != finding)
            continue;
        item = item ? item : advice_add(advice, rule);
        add_like(advice, item, model, like, like->kernel, like->saves);
        advice_claim(advice, item, like->pool, like->saves);
        most = !most || like->saves > most->saves ? like : most;
    }
    if (most)
        set_values(advice, item, model, most);
}

/* ---- Gaps and the host ---- */

/* "3 gaps"; where runs differ, how many it is on average. */
static const char *say_gaps(struct advice *advice, double gaps)
{
    double whole = round(gaps);

    if (fabs(gaps - whole) > 0.05)
        return advice_say(advice, "about %.1f gaps", gaps);
    return advice_say(advice, whole == 1 ? "%.0f gap" : "%.0f gaps", whole);
}

static void find_gaps(struct advice *advice, const struct advice_rule *rule, const void *data)
{
    const struct op_model *model = data;
    struct advice_item *item = NULL;
    const struct op_like *most = NULL;
    double sum = 0, gaps = 0;

    for (size_t i = 0; i < model->likes.count; i++) {
        const struct op_like *like = op_like_at(model, i);

        if (!(like->excess > 0))
            continue;
        item = item ? item : advice_add(advice, rule);
        if (is_kept(item, like->excess))
            advice_row(advice, item,
                       (struct advice_row){ .name = like->op.label,
                                            .location = gap_place_of(advice, model, like),
                                            .remark = "before it",
                                            .ns = like->excess,
                                            .saves_ns = like->excess,
                                            .count = (uint64_t)llround(like->gaps) });
        else
            advice_row(advice, item, (struct advice_row){ .ns = like->excess, .saves_ns = like->excess });
        advice_claim(advice, item, like->gap_pool, like->excess);
        most = !most || like->excess > most->excess ? like : most;
        sum += like->excess;
        gaps += like->gaps;
    }
    if (!most)
        return;
    advice_time(advice, item, "waits", sum);
    advice_text(advice, item, "gaps", say_gaps(advice, gaps));
    advice_time(advice, item, "worst", most->share->worst_gap * model->shared);
    advice_time(advice, item, "limit", GAP_HIGH * 1000);
    advice_time(advice, item, "launch", model->launch_ns);
    if (model->report->columns.host_start)
        advice_text(advice, item, "hosts",
                    model->hosts.count ? "their time is not counted here" : "there are none in the report");
}

static const double MUCH =
    ADVICE_HEALTHY_PERCENT / 100.0; /* of a run: what is normal in each operation is worth a word from here on */

static void find_launches(struct advice *advice, const struct advice_rule *rule, const void *data)
{
    const struct op_model *model = data;
    struct advice_item *item;
    double sum = 0, calls = 0, kernels = 0, gaps = 0;

    for (size_t i = 0; i < model->likes.count; i++) {
        const struct op_like *like = op_like_at(model, i);

        sum += like->launch;
        gaps += like->gaps;
        calls += like->launch > 0 ? like->calls : 0;
        kernels += like->launch > 0 ? like->kernel : 0;
    }
    if (!(sum >= MUCH * model->run_ns) || !(calls > 0))
        return;
    item = advice_add(advice, rule);
    for (size_t i = 0; i < model->likes.count; i++) {
        const struct op_like *like = op_like_at(model, i);

        if (!(like->launch > 0))
            continue;
        add_like(advice, item, model, like, like->launch, like->launch);
        advice_claim(advice, item, like->gap_pool, like->launch);
    }
    advice_percent(advice, item, "idle", advice_share(advice, sum));
    advice_count(advice, item, "calls", calls < 1 ? 1 : (uint64_t)llround(calls));
    advice_time(advice, item, "launch", sum / calls);
    advice_time(advice, item, "mean", kernels / calls);
    if (!(gaps > 0)) /* else the host is slow, too */
        advice_time(advice, item, "limit", GAP_HIGH * 1000);
}

static void find_overheads(struct advice *advice, const struct advice_rule *rule, const void *data)
{
    const struct op_model *model = data;
    const struct op_like *most = NULL;
    struct advice_item *item;
    double sum = 0;

    for (size_t i = 0; i < model->likes.count; i++)
        sum += op_like_at(model, i)->around;
    if (!(sum >= MUCH * model->run_ns) || !(sum > 0))
        return;
    item = advice_add(advice, rule);
    for (size_t i = 0; i < model->likes.count; i++) {
        const struct op_like *like = op_like_at(model, i);

        if (!(like->around > 0))
            continue;
        add_like(advice, item, model, like, like->around, like->around);
        advice_claim(advice, item, like->around_pool, like->around);
        most = !most || like->around > most->around ? like : most;
    }
    advice_time(advice, item, "around", sum);
    advice_time(advice, item, "own", most->around);
    advice_time(advice, item, "kernel", most->kernel);
}

static void find_compiles(struct advice *advice, const struct advice_rule *rule, const void *data)
{
    const struct op_model *model = data;
    struct advice_item *item = NULL;
    double sum = 0, most = 0;

    for (size_t i = 0; i < model->likes.count; i++) {
        const struct op_like *like = op_like_at(model, i);

        if (!(like->compiled > 0))
            continue;
        item = item ? item : advice_add(advice, rule);
        add_like(advice, item, model, like, like->compiled, like->compiled);
        advice_claim(advice, item, like->gap_pool, like->compiled);
        sum += like->compiled;
        most = fmax(most, like->compiled);
    }
    advice_time(advice, item, "waits", sum);
    advice_time(advice, item, "worst", most);
}

static void find_host(struct advice *advice, const struct advice_rule *rule, const void *data)
{
    const struct op_model *model = data;
    struct advice_item *item = NULL;
    double sum = 0;

    for (size_t i = 0; i < model->likes.count; i++) {
        const struct op_like *like = op_like_at(model, i);

        if (!(like->held > 0))
            continue;
        item = item ? item : advice_add(advice, rule);
        add_like(advice, item, model, like, like->held, like->held);
        advice_claim(advice, item, like->gap_pool, like->held);
        sum += like->held;
    }
    advice_time(advice, item, "waits", sum);
}

/* ---- Several devices ---- */

static void find_collectives(struct advice *advice, const struct advice_rule *rule, const void *data)
{
    const struct op_model *model = data;
    double local = 0, exchanged = 0;
    struct advice_item *item = NULL;

    for (size_t i = 0; i < model->likes.count; i++) {
        const struct op_like *like = op_like_at(model, i);

        *(like->finding == OP_COLLECTIVE ? &exchanged : &local) += like->kernel - like->waiting;
    }
    for (size_t i = 0; i < model->likes.count && local > 0; i++) {
        const struct op_like *like = op_like_at(model, i);
        double exchange = like->kernel - like->waiting, saves = exchange * fmin(1, local / exchanged);

        if (like->finding != OP_COLLECTIVE)
            continue;
        item = item ? item : advice_add(advice, rule);
        add_like(advice, item, model, like, exchange, saves);
        advice_claim(advice, item, like->pool, saves);
    }
}

/* What it takes over the mean device; of an exchange what it waits for slower ones. */
static double uneven_of(const struct op_model *model, const struct op_like *like)
{
    return op_kind_of(model, like) & MODEL_COLLECTIVE ? like->waiting : op_uneven(like);
}

static void find_imbalance(struct advice *advice, const struct advice_rule *rule, const void *data)
{
    const struct op_model *model = data;
    const struct op_like *most = NULL;
    struct advice_item *item = NULL;

    for (size_t i = 0; i < model->likes.count && model->devices.count > 1; i++) {
        const struct op_like *like = op_like_at(model, i);
        double saves = like->share ? uneven_of(model, like) : 0;

        if (!(saves > 0))
            continue;
        item = item ? item : advice_add(advice, rule);
        add_like(advice, item, model, like, like->kernel, saves);
        advice_claim(advice, item, like->pool, saves);
        if (!most || saves > uneven_of(model, most))
            most = like;
    }
    if (!most)
        return;
    advice_text(advice, item, "device", advice_say(advice, "%d", op_model_device(model, model->critical)));
    advice_time(advice, item, "slowest", most->kernel);
    advice_time(advice, item, "mean", most->waiting > 0 ? most->kernel - most->waiting : most->mean_kernel);
    advice_text(advice, item, "whom", most->waiting > 0 ? "the quickest" : "the mean");
    advice_count(advice, item, "devices", model->devices.count);
}

/* ---- What dominates ---- */

/* What bounds the longest operation, as far as it is known, and what would change it; NULL: nothing tells that. */
static enum advice_bound describe(struct advice *advice, const struct op_model *model, const struct op_like *like,
                                  const char **why, const char **change)
{
    const char *open = like->finding == OP_FINE ? ": nothing here tells why it takes as long" : "";
    struct op_rates rates;
    bool known = op_work(model, like, &rates);

    *change = NULL;
    if (like->finding == OP_COLLECTIVE) {
        *why = "it exchanges data between devices";
        *change = "fewer or smaller exchanges, or work that runs meanwhile";
        return ADVICE_TRANSFER;
    }
    if (known && rates.memory * 100 >= ROOFLINE_NEAR) {
        *why = advice_say(advice, "it is at %.0f %% of the peak of DRAM", rates.memory * 100);
        *change = like->op.matmul ? "weights of fewer bits (BFP4), or a larger batch for the same weights"
                                  : "fewer bytes: one operation with its neighbours, or tensors in L1";
        return ADVICE_MEMORY;
    }
    if (known && rates.arithmetic * 100 >= ROOFLINE_NEAR) {
        *why = advice_say(advice, "it is at %.0f %% of the arithmetic of its cores", rates.arithmetic * 100);
        *change = "fewer passes (a lower fidelity), smaller sizes, or another algorithm";
        return ADVICE_ARITHMETIC;
    }
    if (rates.product && rates.arithmetic > 0)
        *why =
            advice_say(advice, "it is at %.0f %% of the arithmetic of its cores and at %.0f %% of the peak of DRAM%s",
                       rates.arithmetic * 100, rates.memory * 100, open);
    else if (known)
        *why = advice_say(advice, "it is at %.0f %% of the peak of DRAM, and its arithmetic is not known%s",
                          rates.memory * 100, open);
    else
        *why = advice_say(advice, "how near it came to the peaks is not known%s", open);
    return ADVICE_UNKNOWN;
}

/* ns of a run that operations without a time may take; 0: each has one. */
static double unknown_of(const struct op_model *model)
{
    double left = model->untimed ? model->run_ns : 0;

    for (size_t i = 0; i < model->likes.count; i++) {
        const struct op_like *like = op_like_at(model, i);

        left -= like->kernel + like->around + like->launch + like->excess + like->compiled + like->held;
    }
    return fmax(left, 0);
}

/* Nothing dominates by what is known where more is not known. */
static void tell_dominant(const struct op_model *model, struct advice *advice)
{
    const struct op_like *most = NULL;
    const char *why, *change;
    enum advice_bound bound;

    for (size_t i = 0; i < model->likes.count; i++)
        if (op_like_at(model, i)->kernel > (most ? most->kernel : 0))
            most = op_like_at(model, i);
    if (!most)
        advice->unjudged = "Nothing could be judged: no operation of this profile has a time that is known.";
    if (!most || unknown_of(model) > most->kernel)
        return;
    bound = describe(advice, model, most, &why, &change);
    /* What a smaller thing could change needs no other model. */
    advice_dominates(advice, row_of(advice, model, most, most->kernel, NAN), bound, why,
                     most->finding == OP_FINE || most->finding == OP_COLLECTIVE ? change : NULL);
}

/* ---- Parts ---- */

/* The operations of the critical device by what they are, and what is left of a run. */
static void add_parts(const struct op_model *model, struct advice *advice)
{
    static const char *const names[] = { "Products",
                                         "Other computing",
                                         "Moving data",
                                         "Exchanges between devices",
                                         "Waiting for other devices",
                                         "Start and end of operations" };
    enum { PRODUCTS, COMPUTING, MOVING, EXCHANGES, WAITING, AROUND, NAMES };
    double sums[NAMES] = { 0 }, left = model->run_ns;

    for (size_t i = 0; i < model->likes.count; i++) {
        const struct op_like *like = op_like_at(model, i);
        unsigned name = COMPUTING;

        if (like->op.row->kind != OP_DEVICE)
            continue;
        if (like->finding == OP_COLLECTIVE)
            name = EXCHANGES;
        else if (like->op.code & (CODE_MATMUL | CODE_CONVOLUTION))
            name = PRODUCTS;
        else if (op_kind_of(model, like) & MODEL_MOVES)
            name = MOVING;
        sums[name] += like->kernel - like->waiting;
        sums[WAITING] += like->waiting;
        sums[AROUND] += like->around;
    }
    for (unsigned i = 0; i < NAMES; i++) {
        left -= sums[i];
        if (sums[i] > 0)
            advice_part(advice, names[i], sums[i]);
    }
    advice_part(advice, model->untimed ? "Between operations, and those without a time" : "Between operations", left);
}

void op_model_advise(struct op_model *model, struct advice *advice)
{
    for (size_t i = 0; i < model->likes.count; i++) {
        struct op_like *like = op_like_at(model, i);

        like->pool = advice_pool(advice, like->kernel);
        like->around_pool = advice_pool(advice, like->around);
        like->gap_pool = advice_pool(advice, like->launch + like->excess + like->compiled + like->held);
    }
    advice_find(advice, rules, model);
    tell_dominant(model, advice);
    add_parts(model, advice);
    if (model->shared < 0.995) /* the rest is rounding */
        advice_note(advice, "operations overlap, or nothing tells when they began: each counts for %.0f %% of its time",
                    model->shared * 100);
    if (model->mixed)
        advice_note(advice, "there are more kinds of operations than a run has: most go by their names, and are not "
                            "held against the peaks");
    if (model->untimed)
        advice_note(advice,
                    model->untimed == 1 ? "the device time of %llu operation is not known: it is in no sum"
                                        : "the device time of %llu operations is not known: they are in no sum",
                    (unsigned long long)model->untimed);
}

void op_model_doubt(const struct op_model *model, struct advice *advice)
{
    double unknown = unknown_of(model);

    if (!advice->healthy || advice_share(advice, unknown) < ADVICE_HEALTHY_PERCENT)
        return;
    advice->healthy = false;
    advice->unjudged =
        advice_say(advice,
                   "Nothing that is known could save a tenth of a run, but up to %s of it (%.1f %%) may be of "
                   "operations without a device time.",
                   advice_say_time(advice, unknown), advice_share(advice, unknown));
}
