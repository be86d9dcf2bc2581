/* advise_advice.c: in the original's words: whether the passes over the multiplier fit the types, and what to try with a matrix product. */
#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "tenstorrent/original/advise_advice.h"

/* ---- Fidelity ---- */

/* Bits of a type's mantissa; 0: a type that is not known. */
static int mantissa_bits(const char *type)
{
    static const struct {
        const char *name;
        int bits;
    } types[] = { { "FLOAT32", 23 }, { "BFLOAT16", 8 }, { "BFLOAT8_B", 7 }, { "BFLOAT4_B", 3 } };

    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        if (strcmp(type, types[i].name) == 0)
            return types[i].bits;
    }
    return 0;
}

static bool is_integer(const char *type)
{
    return strcmp(type, "UINT8") == 0 || strcmp(type, "UINT16") == 0 || strcmp(type, "INT32") == 0 ||
           strcmp(type, "UINT32") == 0;
}

struct rule {
    enum fidelity_verdict verdict; /* on the fidelity */
    const char *advice;            /* NULL: none */
};

/* By the types, then by the fidelity. */
enum rule_row { RULE_BF16, RULE_BF16_TO_BFP4, RULE_BFP8, RULE_BFP8_TO_BFP4, RULE_BFP4, RULE_ROWS };

static const struct rule rules[RULE_ROWS][FIDELITY_COUNT] = {
    [RULE_BF16] = {
        [FIDELITY_HIFI4] = { VERDICT_SUFFICIENT,
                             "HiFi2 may also work, it discards the lowest bit of the activations and has 2x the "
                             "throughput of HiFi4" },
        [FIDELITY_HIFI3] = { VERDICT_TOO_LOW,
                             "HiFi3 leaves out the smallest product; use HiFi4 with BF16 activations for full "
                             "accuracy" },
        [FIDELITY_HIFI2] = { VERDICT_TOO_LOW,
                             "If your matmuls are not FLOP-bound use HiFi4 with BF16 activations for full accuracy" },
        [FIDELITY_LOFI] = { VERDICT_TOO_LOW, "Use HiFi2 or HiFi4 with BF16 activations for improved accuracy" },
    },
    [RULE_BF16_TO_BFP4] = {
        [FIDELITY_HIFI4] = { VERDICT_TOO_HIGH,
                             "HiFi2 is very likely to work for BFP8 output; it discards the lowest bit of the "
                             "activations and has 2x the throughput of HiFi4" },
        [FIDELITY_HIFI3] = { VERDICT_TOO_HIGH,
                             "HiFi2 is very likely to work for BFP4 output and has 1.5x the throughput of HiFi3" },
        [FIDELITY_HIFI2] = { VERDICT_SUFFICIENT,
                             "LoFi might also be sufficient with BFP4 output and has almost 2x the throughput of "
                             "HiFi2" },
        [FIDELITY_LOFI] = { VERDICT_TOO_LOW,
                            "HiFi2 may give better accuracy for large matmuls with many intermediate accumulations" },
    },
    [RULE_BFP8] = {
        [FIDELITY_HIFI4] = { VERDICT_TOO_HIGH,
                             "HiFi2 is sufficient for BFP8 multiplication and has 2x the throughput of HiFi4" },
        [FIDELITY_HIFI3] = { VERDICT_TOO_HIGH,
                             "HiFi2 is sufficient for BFP8 multiplication and has 1.5x the throughput of HiFi3" },
        [FIDELITY_HIFI2] = { VERDICT_SUFFICIENT, NULL },
        [FIDELITY_LOFI] = { VERDICT_TOO_LOW,
                            "HiFi2 is recommended for accuracy; LoFi discards the lowest 2 bits of the weights" },
    },
    [RULE_BFP8_TO_BFP4] = {
        [FIDELITY_HIFI4] = { VERDICT_TOO_HIGH,
                             "HiFi2 is sufficient for BFP8 multiplication and has 2x the throughput of HiFi4" },
        [FIDELITY_HIFI3] = { VERDICT_TOO_HIGH,
                             "HiFi2 is sufficient for BFP8 multiplication and has 1.5x the throughput of HiFi3" },
        [FIDELITY_HIFI2] = { VERDICT_SUFFICIENT,
                             "LoFi might also be sufficient with BFP4 output and has almost 2x the throughput of "
                             "HiFi2" },
        [FIDELITY_LOFI] = { VERDICT_TOO_LOW,
                            "HiFi2 may give slightly better accuracy for large matmuls with many intermediate "
                            "accumulations" },
    },
    [RULE_BFP4] = {
        [FIDELITY_HIFI4] = { VERDICT_TOO_HIGH,
                             "LoFi is sufficient with BFP4 weights, use it for much higher throughput" },
        [FIDELITY_HIFI3] = { VERDICT_TOO_HIGH,
                             "LoFi is sufficient with BFP4 weights, use it for much higher throughput" },
        [FIDELITY_HIFI2] = { VERDICT_TOO_HIGH,
                             "LoFi is sufficient with BFP4 weights, use it for much higher throughput" },
        [FIDELITY_LOFI] = { VERDICT_SUFFICIENT, NULL },
    },
};

/* Weights of 3 bits come last: activations of 8 bits decide before them. */
static enum rule_row rule_of(int first, int second, int output)
{
    if (first == 8)
        return output >= 7 ? RULE_BF16 : RULE_BF16_TO_BFP4;
    if (second >= 7)
        return output >= 7 ? RULE_BFP8 : RULE_BFP8_TO_BFP4;
    return RULE_BFP4;
}

struct fidelity_judgement fidelity_judge(const struct strings *strings, string_id first, string_id second,
                                         string_id output, struct text fidelity)
{
    struct fidelity_judgement judgement = { VERDICT_UNKNOWN, "", NULL };
    const char *types[] = { strings_text(strings, first), strings_text(strings, second),
                            strings_text(strings, output) };
    enum fidelity passes = fidelity_named(fidelity);
    const struct rule *rule;

    for (unsigned i = 0; i < 3; i++) {
        if (!is_integer(types[i]))
            continue;
        judgement.verdict = VERDICT_NOT_APPLICABLE;
        judgement.advice =
            "Fidelity evaluation is not applicable for integer datatypes (UINT8, UINT16, INT32, UINT32).";
        return judgement;
    }
    for (unsigned i = 0; i < 3; i++) {
        if (mantissa_bits(types[i]))
            continue;
        judgement.advice = "is not supported for fidelity evaluation.";
        judgement.type = *types[i] ? types[i] : "nan";
        return judgement;
    }
    if (passes == FIDELITY_COUNT)
        return judgement;
    rule = &rules[rule_of(mantissa_bits(types[0]), mantissa_bits(types[1]), mantissa_bits(types[2]))][passes];
    judgement.verdict = rule->verdict;
    judgement.advice = rule->advice ? rule->advice : "";
    return judgement;
}

/* ---- Advice ---- */

static void add(struct op_advice *advice, const char *format, ...) PRINTF_LIKE(2, 3);

static void add(struct op_advice *advice, const char *format, ...)
{
    va_list arguments;

    if (advice->count == ADVICE_MOST)
        return;
    va_start(arguments, format);
    vsnprintf(advice->items[advice->count++], ADVICE_LONGEST, format, arguments);
    va_end(arguments);
}

static void add_fidelity(struct op_advice *advice, const struct fidelity_judgement *fidelity)
{
    if (fidelity->type)
        add(advice, "Datatype %.60s %s", fidelity->type, fidelity->advice);
    else if (*fidelity->advice)
        add(advice, "%s", fidelity->advice);
}

static void advise_memory_bound(const struct advise_op *op, const struct fidelity_judgement *fidelity,
                                struct op_advice *advice)
{
    static const double idle = 40; /* percent of the arithmetic below which more passes cost nothing */

    if (!op->dram_sharded)
        add(advice,
            "Try a DRAM-sharded program config (MatmulMultiCoreReuseMultiCastDRAMShardedProgramConfig) to improve "
            "throughput further");
    if (fidelity->verdict == VERDICT_TOO_HIGH || (fidelity->verdict == VERDICT_TOO_LOW && op->flops_percent < idle))
        add_fidelity(advice, fidelity);
}

static void advise_blocks(const struct advise_op *op, struct op_advice *advice)
{
    bool well = true;

    if (op->program->block_width == OP_NONE)
        add(advice, "No inner dim block size found");
    else if (op->program->block_width < 2)
        add(advice, "in0_block_w=%lld is small, try in0_block_w=2 or above", (long long)op->program->block_width);
    well = op->program->block_width >= 2;
    if (op->program->subblock_height == OP_NONE || op->program->subblock_width == OP_NONE) {
        add(advice, "No output subblock size found");
        well = false;
    } else if ((double)op->program->subblock_height * (double)op->program->subblock_width < 2) {
        add(advice, "Output subblock %lldx%lld is small, try out_subblock_h * out_subblock_w >= 2 if possible",
            (long long)op->program->subblock_height, (long long)op->program->subblock_width);
        well = false;
    }
    if (well)
        add(advice, "in0_block_w=%lld and output subblock %lldx%lld look good 🤷",
            (long long)op->program->block_width, (long long)op->program->subblock_height,
            (long long)op->program->subblock_width);
}

static void advise_slow(const struct advise *advise, const struct advise_op *op,
                        const struct fidelity_judgement *fidelity, struct op_advice *advice)
{
    struct text memory = strings_get(advise->report->strings, op->row->inputs[0].memory);

    if (memory.length && memory.data && !text_contains(memory, "L1"))
        add(advice, "If possible place input 0 in L1 (currently in %.100s)", memory.data);
    if (op->program->block_width == OP_NONE && op->program->subblock_height == OP_NONE &&
        op->program->subblock_width == OP_NONE) {
        add(advice, "No program_config specified, try using one to override in0_block_w and out_subblock_h/w");
        return;
    }
    advise_blocks(op, advice);
    add_fidelity(advice, fidelity);
}

/* Cores that a product could use: all that there are. The original knows 64, whatever the chip. */
static double full_grid(const struct advise *advise)
{
    return advise->options.as_original ? 64 : (double)advise->architecture.worker_cores;
}

static const char *row_fidelity(const struct advise *advise, const struct advise_op *op)
{
    return op->row->fidelity ? strings_text(advise->report->strings, op->row->fidelity) : "its arithmetic";
}

/* What nothing is known of is not well. */
static void say_why(const struct advise *advise, const struct advise_op *op, struct op_advice *advice)
{
    struct roofline_work work;
    struct roofline_peak peak;

    if (!advise_work(advise, op, &work, &peak))
        add(advice, "Its sizes are not known: whether it is near to a peak cannot be told");
    else if (!(work.seconds > 0))
        add(advice, "Its device time is not known: whether it is near to a peak cannot be told");
    else if (isnan(op->cores))
        add(advice, "Its cores are not known: whether it is near to a peak cannot be told");
    else
        add(advice, "The peak of %s on '%.60s' is not known: whether it is near cannot be told",
            isnan(op->flops_percent) ? row_fidelity(advise, op) : "the DRAM", advise->architecture.name);
}

void advise_matmul(const struct advise *advise, const struct advise_op *op, struct op_advice *advice)
{
    const struct op_row *row = op->row;
    struct fidelity_judgement fidelity =
        fidelity_judge(advise->report->strings, row->inputs[0].datatype, row->inputs[1].datatype, row->output.datatype,
                       strings_get(advise->report->strings, row->fidelity));

    advice->count = 0;
    switch (op->bound) {
    case ROOFLINE_MEMORY:
    case ROOFLINE_BOTH:
        advise_memory_bound(op, &fidelity, advice);
        break;
    case ROOFLINE_COMPUTE:
        if (op->cores < full_grid(advise))
            add(advice,
                op->cores_raw && advise->report->columns.core_gaps ? "Increase grid size (currently using %.1f)"
                                                                   : "Increase grid size (currently using %.0f)",
                op->cores);
        if (fidelity.verdict == VERDICT_TOO_HIGH)
            add_fidelity(advice, &fidelity);
        break;
    case ROOFLINE_SLOW:
        advise_slow(advise, op, &fidelity, advice);
        break;
    case ROOFLINE_UNKNOWN:
        if (!advise->options.as_original && (isnan(op->flops_percent) || (op->dram > 0 && isnan(op->dram_percent))))
            say_why(advise, op, advice);
        break;
    }
}

double advise_gap_cost(const struct advise *advise)
{
    double cost = 0;

    for (size_t i = 0; i < advise->count; i++) {
        if (advise->ops[i].gap > GAP_HIGH)
            cost += advise->ops[i].gap - GAP_NORMAL;
    }
    return cost;
}

const char *advise_advice_text(const struct advise *advise, const struct advise_op *op, char *to, size_t size)
{
    struct op_advice advice = { .count = 0 };
    size_t length = 0;

    assert(size);
    *to = '\0';
    if (op->matmul)
        advise_matmul(advise, op, &advice);
    for (unsigned i = 0; i < advice.count && length < size; i++)
        length += (size_t)snprintf(to + length, size - length, "%s%s", i ? " • " : "", advice.items[i]);
    return to;
}
