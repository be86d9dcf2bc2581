/* xnntrace.c: what XNNPACK logs: the microkernels that it registers and, at level 5, what it runs.
 *
 *   Note (XNNPACK): Using gemm microkernel 'xnn_f32_gemm_minmax_ukernel_7x32__avx512f_broadcast'. (init_f32_gemm_config, ...)
 *   Debug (XNNPACK): reshaping operator 0 (Fully Connected (NC, F32)) (...                 the first run, and when shapes change
 *   Debug (XNNPACK): Tile size for GEMM with num_groups=1, m=32, n=512 and mr=7, nr=32 set to [7, 512] (5 tiles) (...
 *   Debug (XNNPACK): running operator 0:0 (Fully Connected (NC, F32) GEMM) (...            or "skip running operator"
 *
 * What stands before and behind (logcat, the name of the function) does not matter. The runner's own lines are in the same file.
 *
 * Operators count from 0 in each delegate: where they do so again, another delegate runs, or the same one in the next inference.
 */
#include <assert.h>

#include "base/number.h"
#include "base/text.h"
#include "executorch/chain.h"
#include "executorch/execution_reader.h"
#include "executorch/runner_log.h"
#include "executorch/xnn_slots.h"

enum { MOST_OPERATORS = 1 << 16 }; /* of a delegate whose tiles are kept */

/* A tile line, by operator. */
struct tile {
    uint32_t reshape;        /* the reshaping that it belongs to, from 1; 0: none */
    uint32_t groups, mr, nr; /* products, and rows and columns of a tile */
    uint64_t m, n;           /* rows and columns of the whole */
};

/* One delegate in one inference: its run lines follow each other in `uses`. */
struct instance {
    size_t first;       /* use */
    uint32_t count;     /* of uses */
    uint32_t iteration; /* "Iteration" lines before it */
    bool reshaped;      /* its operators were reshaped right before */
    uint32_t execution; /* inference, from 0 */
    uint32_t delegate;  /* in that inference, from 0 */
};

struct trace {
    struct kernel_log *log;  /* borrowed: what is filled */
    struct xnn_slots slots;  /* of the registered kernels */
    struct tile *tiles;      /* by operator, of the last reshaping */
    size_t tile_capacity;    /* of them */
    struct column instances; /* struct instance */
    uint32_t reshape;        /* reshapings seen */
    uint64_t reshaping;      /* the operator reshaped last; UINT64_MAX: none since the last run line */
    uint64_t op, object;     /* of the last run line */
    uint32_t iterations;     /* "Iteration" lines seen */
    uint64_t total;          /* inferences that the runner counts; 0: not said */
};

/* ---- Lines ---- */

static bool is_space(char sign)
{
    return sign == ' ' || (sign >= '\t' && sign <= '\r');
}

static bool is_word(char sign)
{
    return char_is_digit(sign) || sign == '_' || char_is_letter(sign) || (unsigned char)sign >= 0x80;
}

/* Takes a word in any case. */
static bool take_word(const char **next, const char *end, const char *word)
{
    size_t length = strlen(word);

    if ((size_t)(end - *next) < length || !text_same_any_case(*next, word, length))
        return false;
    *next += length;
    return true;
}

static bool take_spaces(const char **next, const char *end)
{
    const char *start = *next;

    while (*next < end && is_space(**next))
        (*next)++;
    return *next > start;
}

/* The function that registered the kernel: "(init_f32_gemm_config_impl, " behind its name. */
static struct text read_init(const char *next, const char *end)
{
    const char *open = text_first(text_between(next, end), '(');
    const char *stop;

    if (!open)
        return (struct text){ "", 0 };
    open++;
    for (stop = open; stop < end && is_word(*stop); stop++)
        continue;
    return stop < end && *stop == ',' ? text_between(open, stop) : (struct text){ "", 0 };
}

/* Using CATEGORY microkernel 'NAME', anywhere in a line and in any case. */
static bool read_kernel_line(struct text line, struct xnn_registration *found)
{
    const char *end = line.data + line.length;

    for (const char *start = line.data; start < end; start++) {
        const char *next = start;
        const char *quote;

        if ((*start != 'U' && *start != 'u') || !take_word(&next, end, "using") || !take_spaces(&next, end))
            continue;
        found->category.data = next;
        while (next < end && is_word(*next))
            next++;
        found->category.length = (size_t)(next - found->category.data);
        if (!found->category.length || !take_spaces(&next, end) || !take_word(&next, end, "microkernel") ||
            !take_spaces(&next, end) || next == end || *next++ != '\'')
            continue;
        quote = text_first(text_between(next, end), '\'');
        if (!quote || quote == next)
            continue;
        found->name = text_between(next, quote);
        found->init = read_init(quote + 1, end);
        return true;
    }
    return false;
}

/* The text in the parentheses that begin at `next`, those inside it included. */
static bool read_parentheses(const char *next, const char *end, struct text *inside)
{
    unsigned depth = 0;

    if (next == end || *next != '(')
        return false;
    for (const char *at = next; at < end; at++) {
        depth += *at == '(';
        if (*at == ')' && --depth == 0) {
            *inside = text_between(next + 1, at);
            return true;
        }
    }
    return false;
}

/* An operator's line: "reshaping operator 3 (NAME)", "running operator 3:0 (NAME VARIANT)". */
struct operator_line {
    uint64_t op, object; /* "3:0" */
    struct text name;    /* with its variant */
    bool skipped;        /* it did not run */
};

static bool read_operator_line(struct text line, const char *words, struct operator_line *found)
{
    const char *start = text_find(line, words);
    const char *end = line.data + line.length;
    const char *next;

    if (!start)
        return false;
    next = start + strlen(words);
    found->object = 0;
    if (!number_read_unsigned(&next, end, &found->op))
        return false;
    if (next < end && *next == ':') {
        next++;
        if (!number_read_unsigned(&next, end, &found->object))
            return false;
    }
    while (next < end && *next == ' ')
        next++;
    found->skipped = text_ends(text_between(line.data, start), "skip ");
    return read_parentheses(next, end, &found->name);
}

/* The number behind a key such as " mr="; false: not there. */
static bool read_value(struct text line, const char *key, uint64_t most, uint64_t *value)
{
    const char *next = text_after(line, key).data;

    return next && number_read_unsigned(&next, line.data + line.length, value) && *value <= most;
}

static bool read_tile_line(struct text line, struct tile *tile)
{
    uint64_t groups = 1, mr, nr;

    line = text_after(line, "Tile size for");
    if (!line.data)
        return false;
    if (!read_value(line, " m=", UINT64_MAX, &tile->m) || !read_value(line, " n=", UINT64_MAX, &tile->n) ||
        !read_value(line, " mr=", UINT32_MAX, &mr) || !read_value(line, " nr=", UINT32_MAX, &nr))
        return false;
    if (!read_value(line, " num_groups=", UINT32_MAX, &groups))
        groups = 1; /* older logs do not say */
    tile->groups = (uint32_t)groups;
    tile->mr = (uint32_t)mr;
    tile->nr = (uint32_t)nr;
    return true;
}

/* ---- What ran ---- */

static void add_reshape(struct trace *trace, const struct operator_line *line)
{
    if (trace->reshaping == UINT64_MAX || line->op <= trace->reshaping)
        trace->reshape++;
    trace->reshaping = line->op;
}

/* A tile belongs to the operator that is being reshaped; of several the last one is what it came to. */
static status add_tile(struct trace *trace, const struct tile *tile)
{
    size_t known = trace->tile_capacity;
    status code;

    if (trace->reshaping >= MOST_OPERATORS)
        return STATUS_OK;
    code = memory_grow(&trace->tiles, &trace->tile_capacity, (size_t)trace->reshaping + 1, sizeof *trace->tiles);
    if (code != STATUS_OK)
        return code;
    for (size_t i = known; i < trace->tile_capacity; i++)
        trace->tiles[i].reshape = 0;
    trace->tiles[trace->reshaping] = *tile;
    trace->tiles[trace->reshaping].reshape = trace->reshape;
    return STATUS_OK;
}

/* "Mean (ND) Reduce2" is the operator "Mean (ND)" and the variant "Reduce2". The variants that say nothing are left out,
 * as in the names that XNNPACK gives to its profiler. */
static status split_name(struct strings *strings, struct text text, struct kernel_use *use)
{
    size_t cut = text.length;
    struct text variant;
    status code;

    while (cut > 0 && text.data[cut - 1] != ')')
        cut--;
    if (!cut) {
        const char *blank = text_last(text, ' ');

        cut = blank ? (size_t)(blank - text.data) : text.length;
    }
    variant = text_trim((struct text){ text.data + cut, text.length - cut });
    if (text_is(variant, "Default") || text_is(variant, "Transpose"))
        variant.length = 0;
    code = strings_add(strings, text.data, cut, &use->name);
    return code == STATUS_OK ? strings_add(strings, variant.data, variant.length, &use->variant) : code;
}

static struct instance *last_instance(const struct trace *trace)
{
    assert(trace->instances.count);
    return column_at(&trace->instances, trace->instances.count - 1);
}

/* Does this run line begin a delegate? */
static bool begins_instance(const struct trace *trace, const struct operator_line *line)
{
    const struct instance *last;

    if (!trace->instances.count || trace->reshaping != UINT64_MAX)
        return true;
    last = last_instance(trace);
    return last->iteration != trace->iterations || line->op < trace->op ||
           (line->op == trace->op && line->object <= trace->object);
}

static status add_instance(struct trace *trace)
{
    struct instance *made = trace->instances.count < NO_ID ? column_append(&trace->instances) : NULL;

    if (!made)
        return status_no_memory("keeping delegates");
    *made = (struct instance){
        .first = trace->log->uses.count,
        .iteration = trace->iterations,
        .reshaped = trace->reshaping != UINT64_MAX,
    };
    return STATUS_OK;
}

static status add_run(struct trace *trace, const struct operator_line *line)
{
    struct instance *instance;
    struct kernel_use *use;
    status code = begins_instance(trace, line) ? add_instance(trace) : STATUS_OK;

    if (code != STATUS_OK)
        return code;
    trace->reshaping = UINT64_MAX;
    trace->op = line->op;
    trace->object = line->object;
    instance = last_instance(trace);
    use = instance->count < NO_ID && trace->log->uses.count < NO_ID ? column_append(&trace->log->uses) : NULL;
    if (!use)
        return status_no_memory("keeping operators");
    *use = (struct kernel_use){ .place = instance->count++, .skipped = line->skipped, .kernel = NO_ID };
    if (instance->reshaped && line->op < trace->tile_capacity && trace->tiles[line->op].reshape == trace->reshape) {
        const struct tile *tile = &trace->tiles[line->op];

        use->has_tile = true;
        use->groups = tile->groups;
        use->mr = tile->mr;
        use->nr = tile->nr;
        use->m = tile->m;
        use->n = tile->n;
    }
    return split_name(trace->log->strings, line->name, use);
}

static status add_line(struct trace *trace, const struct line *line)
{
    struct text text = { line->data, line->length };
    struct xnn_registration registration = { .line = line->number };
    struct operator_line op;
    struct tile tile = { .reshape = 0 };
    struct runner_line runner;

    if (read_operator_line(text, "running operator ", &op))
        return add_run(trace, &op);
    if (read_operator_line(text, "reshaping operator ", &op)) {
        add_reshape(trace, &op);
        return STATUS_OK;
    }
    if (read_tile_line(text, &tile))
        return add_tile(trace, &tile);
    if (read_kernel_line(text, &registration))
        return xnn_slots_add(&trace->slots, &registration);
    runner = runner_line(text);
    trace->iterations += runner.kind == RUNNER_ITERATION;
    if (runner.kind == RUNNER_TOTAL)
        trace->total = runner.count;
    return STATUS_OK;
}

/* ---- Delegates and inferences ---- */

/* Do the runner's lines stand between the inferences? In a log of logcat they all follow at the end. */
static bool iterations_delimit(const struct trace *trace)
{
    uint32_t next = 0;

    for (size_t i = 0; i < trace->instances.count; i++) {
        const struct instance *instance = column_at(&trace->instances, i);

        if (instance->iteration > next)
            return false;
        if (instance->iteration == next)
            next++;
    }
    return trace->iterations > 0 && next >= trace->iterations;
}

/* How many delegates an inference has, where nothing stands between inferences. */
static size_t delegates_per_execution(const struct trace *trace)
{
    uint64_t executions = trace->iterations ? trace->iterations : trace->total;
    size_t count = trace->instances.count;
    size_t reshaped = 0;

    if (executions && count % executions == 0)
        return (size_t)(count / executions);
    /* Only the first inference reshapes. */
    while (reshaped < count && ((const struct instance *)column_at(&trace->instances, reshaped))->reshaped)
        reshaped++;
    return reshaped ? reshaped : count;
}

static void number_instances(struct trace *trace)
{
    bool delimited = iterations_delimit(trace);
    size_t each = delimited || !trace->instances.count ? 1 : delegates_per_execution(trace);
    uint32_t delegate = 0;

    for (size_t i = 0; i < trace->instances.count; i++) {
        struct instance *instance = column_at(&trace->instances, i);

        instance->execution = delimited ? instance->iteration : (uint32_t)(i / each);
        delegate = i && ((const struct instance *)column_at(&trace->instances, i - 1))->execution == instance->execution
                       ? delegate + 1
                       : 0;
        instance->delegate = delegate;
    }
}

/* Shapes do not change as a rule: a delegate keeps the tiles of its inference before. */
static void inherit_tiles(struct trace *trace, const struct instance *instance, const struct instance *before)
{
    for (uint32_t place = 0; place < instance->count && place < before->count; place++) {
        const struct kernel_use *known = kernel_use_at(trace->log, (uint32_t)before->first + place);
        struct kernel_use *use = kernel_use_at(trace->log, (uint32_t)instance->first + place);

        if (use->has_tile || !known->has_tile || use->name != known->name || use->variant != known->variant)
            continue;
        use->has_tile = true;
        use->groups = known->groups;
        use->mr = known->mr;
        use->nr = known->nr;
        use->m = known->m;
        use->n = known->n;
    }
}

static status settle_uses(struct trace *trace)
{
    size_t *latest = NULL; /* instance of each delegate */
    size_t capacity = 0, known = 0;
    status code = STATUS_OK;

    number_instances(trace);
    for (size_t i = 0; code == STATUS_OK && i < trace->instances.count; i++) {
        const struct instance *instance = column_at(&trace->instances, i);

        code = memory_grow(&latest, &capacity, (size_t)instance->delegate + 1, sizeof *latest);
        if (code != STATUS_OK)
            break;
        if (instance->delegate < known)
            inherit_tiles(trace, instance, column_at(&trace->instances, latest[instance->delegate]));
        else
            known = (size_t)instance->delegate + 1;
        latest[instance->delegate] = i;
        for (uint32_t place = 0; code == STATUS_OK && place < instance->count; place++) {
            struct kernel_use *use = kernel_use_at(trace->log, (uint32_t)instance->first + place);

            use->delegate = instance->delegate;
            use->execution = instance->execution;
            if (use->has_tile)
                code = xnn_slots_find(&trace->slots, use);
        }
    }
    memory_free(latest);
    return code;
}

/* ---- The reader ---- */

static status read_lines(struct trace *trace, struct source *source)
{
    struct lines *lines;
    struct line line = { .number = 0 };
    bool found = true;
    status code = lines_open(source->input, &lines);

    if (code != STATUS_OK)
        return code;
    while (code == STATUS_OK && found) {
        code = lines_next(lines, &line, &found);
        if (code == STATUS_OK && found)
            code = add_line(trace, &line);
    }
    lines_close(lines);
    return source_use_part(source, source->input, line.number, code);
}

static status read_kernels(struct source *source, struct kernel_log *log)
{
    struct trace trace = { .log = log, .reshaping = UINT64_MAX };
    status code = xnn_slots_start(&trace.slots, log);

    column_start(&trace.instances, sizeof(struct instance));
    if (code == STATUS_OK)
        code = read_lines(&trace, source);
    if (code == STATUS_OK) {
        xnn_slots_settle(&trace.slots);
        code = settle_uses(&trace);
    }
    log->has_execution = log->uses.count > 0;
    column_free(&trace.instances);
    memory_free(trace.tiles);
    xnn_slots_free(&trace.slots);
    return code;
}

static status read_execution(struct source *source, struct execution *execution)
{
    source_note(source,
                "this runner wrote XNNPACK's log while it ran: its times are longer than those of a run without");
    return runner_log_read(source, execution,
                           "the log of XNNPACK has no times of inferences; tacho kernels shows what it has");
}

static status read(struct source *source, struct feed *feed)
{
    return execution_read(source, feed, read_execution);
}

static int probe(struct text head, const char *path)
{
    bool running = text_contains(head, "ing operator "); /* words of a line that tells of one */
    bool tagged = text_contains(head, "(XNNPACK)") || text_contains(head, "XNNPACK(") ||
                  text_contains(head, "XNNPACK:") || text_contains(head, "XNNPACK :") ||
                  text_contains(head, "=== XNNPACK");
    struct xnn_registration registration;
    struct operator_line op;
    struct text line;

    (void)path;
    while (text_take_line(&head, &line)) {
        if (read_kernel_line(line, &registration) ||
            (running && (read_operator_line(line, "running operator ", &op) ||
                         read_operator_line(line, "reshaping operator ", &op))))
            return tagged ? 90 : 75;
    }
    return tagged ? 80 : 0; /* kernels may come later than the head */
}

static const struct companion *const companions[] = { &executorch_graph_companion, NULL };
static const struct executorch_calls calls = { .execution = read_execution, .kernels = read_kernels, .bare = true };

const struct reader xnntrace_reader = {
    .id = "xnntrace",
    .title = "XNNPACK log",
    .chain = &executorch_chain,
    .companions = companions,
    .own = &calls,
    .kind = READER_MEASURED,
    .files = "*_xnntrace.log",
    .probe = probe,
    .read = read,
};
