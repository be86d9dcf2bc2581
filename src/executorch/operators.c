/* operators.c: what each operator cost, added up over launches. */
#include "executorch/operators.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/number.h"
#include "trace/clock.h"

enum { BOTTLENECK_PERCENT = 5 };

void operators_start(struct operators *side, struct strings *strings)
{
    *side = (struct operators){ .strings = strings, .warmup = WARMUP_AUTO };
    column_start(&side->sums, sizeof(struct operator_sum));
    column_start(&side->call_sums, sizeof(struct call_sum));
}

void operators_free(struct operators *side)
{
    column_free(&side->sums);
    column_free(&side->call_sums);
}

/* ---- One launch ---- */

/* What the events say about one operator of an execution. */
struct tally {
    uint64_t events;     /* how many */
    int64_t total, self; /* ticks; and without what ran inside */
    uint32_t run;        /* of its first event */
    uint32_t event;      /* that first one: file order decides between events that start together */
    int64_t start;       /* ticks, of that event */
    int64_t call_start;  /* of the call around it: a delegate's own clock may tell another time */
};

struct launch {
    const struct execution *execution; /* settled; borrowed */
    struct tally *tallies;             /* by operator */
    uint32_t *order;                   /* operators that ran, in execution order: calls, work and control */
    uint32_t count;                    /* of order */
    uint32_t *places;                  /* by operator: children that have a place so far */
    uint32_t *call_numbers;            /* by operator: which call, which delegate call */
    uint32_t *delegate_numbers;        /* NO_ID: it is no delegate's */
    bool *holds;                       /* by operator: it is a call with operators in it */
};

static void launch_free(struct launch *launch)
{
    memory_free(launch->tallies);
    memory_free(launch->order);
    memory_free(launch->places);
    memory_free(launch->call_numbers);
    memory_free(launch->delegate_numbers);
    memory_free(launch->holds);
}

static status launch_start(struct launch *launch, const struct execution *execution)
{
    size_t count = execution->operators.count + 1;

    *launch = (struct launch){
        .execution = execution,
        .tallies = memory_allocate_clear(count * sizeof *launch->tallies),
        .order = memory_allocate(count * sizeof *launch->order),
        .places = memory_allocate_clear(count * sizeof *launch->places),
        .call_numbers = memory_allocate(count * sizeof *launch->call_numbers),
        .delegate_numbers = memory_allocate(count * sizeof *launch->delegate_numbers),
        .holds = memory_allocate_clear(count * sizeof *launch->holds),
    };
    return launch->tallies && launch->order && launch->places && launch->call_numbers && launch->delegate_numbers &&
                   launch->holds
               ? STATUS_OK
               : status_no_memory("adding up operators");
}

/* Whether an event lies in a Method::execute; `*call_start` is the start of the call around it, or its own. */
static bool is_inside(const struct execution *execution, const struct execution_event *event, int64_t *call_start)
{
    *call_start = event->start;
    for (uint32_t around = event->parent; around != NO_ID; around = event->parent) {
        const struct execution_operator *op;

        event = execution_event_at(execution, around);
        op = execution_operator_at(execution, event->op);
        if (op->kind == EVENT_EXECUTE)
            return true;
        if (op->kind == EVENT_CALL)
            *call_start = event->start;
    }
    return false;
}

static void account(struct operators *side, enum event_kind kind, int64_t self)
{
    int64_t *part = kind == EVENT_DELEGATED || kind == EVENT_PORTABLE ? &side->work
                    : kind == EVENT_CALL                              ? &side->calls
                    : kind == EVENT_CONTROL                           ? &side->control
                                                                      : &side->framework;

    *part = number_add(*part, self);
}

static void tally_event(struct operators *side, struct launch *launch, uint32_t index)
{
    const struct execution_event *event = execution_event_at(launch->execution, index);
    const struct execution_operator *op = execution_operator_at(launch->execution, event->op);
    struct tally *tally = &launch->tallies[event->op];
    int64_t call_start = event->start;

    if (op->kind != EVENT_EXECUTE && !is_inside(launch->execution, event, &call_start)) {
        side->outside += operator_is_work(op);
        return;
    }
    account(side, op->kind, event->self);
    if (op->kind == EVENT_EXECUTE || op->kind == EVENT_LOAD)
        return;
    if (!tally->events || (event->run == tally->run && index < tally->event)) {
        tally->run = event->run;
        tally->event = index;
        tally->start = event->start;
        tally->call_start = call_start;
    }
    tally->events++;
    tally->total = number_add(tally->total, event->duration);
    tally->self = number_add(tally->self, event->self);
}

/* How many inferences at the start are warm-up, and which others are hiccups, by inference; those that last nothing tell nothing. */
static status find_warmup(struct operators *side, const struct execution *execution, size_t *warmup, bool *slow)
{
    size_t count;
    double *times = memory_allocate(((size_t)execution->runs.count + 1) * sizeof *times);
    struct launch_sample launch = { times, 0 };
    status code;

    if (!times)
        return status_no_memory("adding up operators");
    for (size_t i = 0; i < execution->runs.count; i++)
        if (execution_run_at(execution, (uint32_t)i)->execute >= 0)
            times[launch.count++] = (double)execution_run_at(execution, (uint32_t)i)->execute;
    code = warmup_find(&launch, 1, side->warmup, warmup);
    if (code == STATUS_OK && *warmup >= launch.count)
        code = status_fail(STATUS_INPUT, "no run is left of %zu: all were left out as warm-up", launch.count);
    if (code == STATUS_OK)
        code = warmup_slow(&launch, *warmup, side->warmup, slow, &count);
    memory_free(times);
    return code;
}

/* What was lost between two calls of a run is one repeat or more of one of them: the gap is no shorter, but for what a repeat varies. */
static bool holds_repeats(int64_t gap, int64_t before, int64_t behind)
{
    const double like = 0.9;

    return gap > 0 && ((before > 0 && (double)gap >= like * (double)before) ||
                       (behind > 0 && (double)gap >= like * (double)behind));
}

/* Gaps of Method::execute between its calls. */
static void tally_repeats(struct operators *side, const struct execution *execution, const struct execution_run *run)
{
    const struct execution_event *execute = NULL;
    int64_t covered = 0, before = 0;
    uint32_t around = NO_ID;

    for (uint32_t i = 0; i <= run->event_count; i++) {
        uint32_t index = i < run->event_count ? execution->order[run->first_event + i] : NO_ID;
        const struct execution_event *event = index != NO_ID ? execution_event_at(execution, index) : NULL;
        bool outer = event && execution_operator_at(execution, event->op)->kind == EVENT_EXECUTE;
        bool inside = event && !outer && around != NO_ID && event->parent == around;
        int64_t next = inside ? event->start : execute ? execute->start + execute->duration : 0;

        if (execute && (inside || outer || !event) &&
            holds_repeats(next - covered, before, inside ? event->duration : 0))
            side->repeats = number_add(side->repeats, next - covered);
        if (outer) {
            execute = event;
            around = index;
            covered = event->start;
            before = 0;
        } else if (inside && event->start + event->duration > covered) {
            covered = event->start + event->duration;
            before = event->duration;
        }
    }
}

static void tally_run(struct operators *side, struct launch *launch, const struct execution_run *run)
{
    if (run->execute >= 0) {
        side->execute = number_add(side->execute, run->execute);
        if (!side->inferences || run->execute < side->execute_least)
            side->execute_least = run->execute;
        if (!side->inferences || run->execute > side->execute_most)
            side->execute_most = run->execute;
        side->inferences++;
    }
    for (uint32_t i = 0; i < run->event_count; i++)
        tally_event(side, launch, launch->execution->order[run->first_event + i]);
    if (launch->execution->once && run->execute >= 0)
        tally_repeats(side, launch->execution, run);
}

static int by_first_event(const void *left, const void *right, void *context)
{
    const struct tally *tallies = context;
    const struct tally *a = &tallies[*(const uint32_t *)left], *b = &tallies[*(const uint32_t *)right];

    if (a->run != b->run)
        return a->run < b->run ? -1 : 1;
    if (a->call_start != b->call_start)
        return a->call_start < b->call_start ? -1 : 1;
    if (a->start != b->start)
        return a->start < b->start ? -1 : 1;
    return (a->event > b->event) - (a->event < b->event);
}

/* Numbers calls and delegate calls. Calls are numbered before what lies in them is placed. */
static void number_calls(struct launch *launch)
{
    uint32_t calls = 0, delegates = 0;
    string_id delegate_call;
    bool named = strings_find(launch->execution->strings, "DELEGATE_CALL", strlen("DELEGATE_CALL"), &delegate_call);

    for (uint32_t i = 0; i < launch->count; i++) {
        const struct execution_operator *op = execution_operator_at(launch->execution, launch->order[i]);

        if (op->kind != EVENT_CALL) {
            if (op->call != NO_ID)
                launch->holds[op->call] = true;
            continue;
        }
        launch->call_numbers[launch->order[i]] = calls++;
        launch->delegate_numbers[launch->order[i]] = named && op->name == delegate_call ? delegates++ : NO_ID;
    }
}

static void order_operators(struct launch *launch)
{
    for (uint32_t i = 0; i < launch->execution->operators.count; i++)
        if (launch->tallies[i].events)
            launch->order[launch->count++] = i;
    if (launch->count)
        qsort_r(launch->order, launch->count, sizeof *launch->order, by_first_event, launch->tallies);
    number_calls(launch);
}

/* Calls come in the order of their numbers. */
static status add_call(struct operators *side, struct call_sum sum)
{
    struct call_sum *call = column_append(&side->call_sums);

    if (!call)
        return status_no_memory("adding up calls");
    *call = sum;
    return STATUS_OK;
}

/* A delegate that logged nothing of what is in it, or a kernel that was not made with the runtime's own and logs nothing: all of the
 * call is work. */
static status add_opaque(struct operators *side, const struct launch *launch, uint32_t index)
{
    const struct execution_operator *op = execution_operator_at(launch->execution, index);
    const struct tally *tally = &launch->tallies[index];
    bool delegate = launch->delegate_numbers[index] != NO_ID;
    struct operator_sum *sum = column_append(&side->sums);
    status code;

    if (!sum)
        return status_no_memory("adding up operators");
    *sum = (struct operator_sum){
        .backend = delegate ? op->backend : 0,
        .event = delegate ? EVENT_DELEGATED : EVENT_PORTABLE,
        .kind = OPERATOR_KIND_OTHER,
        .chain = op->chain,
        .instruction = op->instruction,
        .call = launch->call_numbers[index],
        .delegate = launch->delegate_numbers[index],
        .events = tally->events,
        .total = tally->total,
        .self = tally->self,
        .opaque = true,
    };
    side->calls -= tally->self;
    side->work = number_add(side->work, tally->self);
    code = strings_add_text(side->strings, delegate ? "Delegate (not logged inside)" : "Kernel (not logged inside)",
                            &sum->type);
    return code == STATUS_OK
               ? strings_add_format(side->strings, &sum->name, "%s #%u", strings_text(side->strings, sum->type),
                                    (delegate ? sum->delegate : sum->call) + 1)
               : code;
}

static status add_sum(struct operators *side, struct launch *launch, uint32_t index, const struct graph *graph,
                      const struct category_rules *rules)
{
    const struct execution_operator *op = execution_operator_at(launch->execution, index);
    const struct tally *tally = &launch->tallies[index];
    uint32_t call = op->call;
    struct operator_sum *sum;

    if (op->kind == EVENT_CALL) {
        bool delegate = launch->delegate_numbers[index] != NO_ID, opaque = !launch->holds[index];
        status code = add_call(side, (struct call_sum){ delegate, opaque, opaque ? 0 : tally->self });

        return code == STATUS_OK && opaque ? add_opaque(side, launch, index) : code;
    }
    sum = column_append(&side->sums);
    if (!sum)
        return status_no_memory("adding up operators");
    *sum = (struct operator_sum){
        .name = op->name,
        .type = op->type,
        .backend = op->kind == EVENT_DELEGATED ? op->backend : 0,
        .event = op->kind,
        .kind = op->kind == EVENT_CONTROL ? OPERATOR_KIND_OTHER
                                          : operator_kind_of(rules, strings_get(side->strings, op->name)),
        .chain = op->chain,
        .instruction = op->instruction,
        .call = call == NO_ID ? NO_ID : launch->call_numbers[call],
        .delegate = call == NO_ID || op->kind != EVENT_DELEGATED ? NO_ID : launch->delegate_numbers[call],
        .place = launch->places[call == NO_ID ? launch->execution->operators.count : call]++,
        .node = graph && op->node != NO_ID ? graph_node(graph, op->node) : NULL,
        .join = op->join,
        .events = tally->events,
        .total = tally->total,
        .self = tally->self,
    };
    return STATUS_OK;
}

/* ---- Several launches ---- */

/* Puts the operators of a later launch to those of the ones before; what has no counterpart is added at the end. */
static status merge(struct operators *side, const struct operators *launch)
{
    uint32_t *matches = memory_allocate((launch->sums.count + 1) * sizeof *matches);
    status code = matches ? operators_match(launch, side, true, matches) : status_no_memory("merging launches");

    for (size_t i = 0; i < launch->sums.count && code == STATUS_OK; i++) {
        const struct operator_sum *from = operators_at(launch, i);
        struct operator_sum *to = matches[i] != NO_ID ? operators_at(side, matches[i]) : column_append(&side->sums);

        if (!to) {
            code = status_no_memory("merging launches");
        } else if (matches[i] == NO_ID) {
            *to = *from;
        } else {
            to->events += from->events;
            to->total = number_add(to->total, from->total);
            to->self = number_add(to->self, from->self);
            if (!to->node) {
                to->node = from->node;
                to->join = from->join;
            }
        }
    }
    memory_free(matches);
    for (size_t i = 0; i < launch->call_sums.count && code == STATUS_OK; i++) {
        const struct call_sum *from = operators_call(launch, i);

        if (i >= side->call_sums.count)
            code = add_call(side, *from);
        else
            operators_call(side, i)->self = number_add(operators_call(side, i)->self, from->self);
    }
    if (launch->execute_least < side->execute_least)
        side->execute_least = launch->execute_least;
    if (launch->execute_most > side->execute_most)
        side->execute_most = launch->execute_most;
    side->inferences += launch->inferences;
    side->left_out += launch->left_out;
    side->left_out_first = number_add(side->left_out_first, launch->left_out_first);
    side->warm_launches += launch->warm_launches;
    side->slow += launch->slow;
    side->slow_execute = number_add(side->slow_execute, launch->slow_execute);
    side->execute = number_add(side->execute, launch->execute);
    side->work = number_add(side->work, launch->work);
    side->calls = number_add(side->calls, launch->calls);
    side->control = number_add(side->control, launch->control);
    side->framework = number_add(side->framework, launch->framework);
    side->repeats = number_add(side->repeats, launch->repeats);
    side->outside += launch->outside;
    return code;
}

static status add_up(struct operators *side, const struct execution *execution, const struct graph *graph,
                     const struct category_rules *rules)
{
    struct launch launch;
    size_t warmup = 0, inference = 0;
    bool *slow = memory_allocate_clear((size_t)execution->runs.count + 1);
    status code = launch_start(&launch, execution);

    if (code == STATUS_OK)
        code = slow ? find_warmup(side, execution, &warmup, slow) : status_no_memory("adding up operators");
    for (uint32_t i = 0; i < execution->runs.count && code == STATUS_OK; i++) {
        const struct execution_run *run = execution_run_at(execution, i);
        size_t own = inference;

        inference += run->execute >= 0;
        if (run->execute < 0 || (own >= warmup && !slow[own])) {
            tally_run(side, &launch, run);
        } else if (own >= warmup) {
            side->slow++;
            side->slow_execute = number_add(side->slow_execute, run->execute);
        } else if (!side->left_out++) {
            side->left_out_first = run->execute;
        }
    }
    memory_free(slow);
    side->warm_launches = warmup > 0;
    if (code == STATUS_OK)
        order_operators(&launch);
    for (uint32_t i = 0; i < launch.count && code == STATUS_OK; i++)
        code = add_sum(side, &launch, launch.order[i], graph, rules);
    launch_free(&launch);
    return code;
}

status operators_add(struct operators *side, const char *path, const struct execution *execution,
                     const struct graph *graph, const struct category_rules *rules)
{
    struct operators launch;
    status code;

    assert((execution->order || !execution->events.count) && "an execution is settled before it is added up");
    assert(execution->strings == side->strings);
    if (!execution_inferences(execution))
        return status_fail_at(STATUS_INPUT, (struct place){ .file = path },
                              "there is no Method::execute in it, so no inference that operators could be a part of");
    if (side->launches && !clock_same(&side->clock, &execution->clock))
        return status_fail_at(STATUS_INPUT, (struct place){ .file = path },
                              "its clock is another than that of the launches before it");
    operators_start(&launch, side->strings);
    launch.warmup = side->warmup;
    code = add_up(&launch, execution, graph, rules);
    if (code == STATUS_OK) {
        if (!side->launches) {
            side->clock = execution->clock;
            side->execute_least = launch.execute_least;
        }
        code = merge(side, &launch);
        side->launches++;
        side->overlapping |= execution->overlapping;
        side->no_clock |= execution->no_clock;
    }
    operators_free(&launch);
    return code;
}

/* ---- Kernels ---- */

/* The log names an operator without its number, and its variant apart: "Fully Connected (NC, F32)" and "GEMM". */
static bool use_fits(const struct operators *side, const struct operator_sum *sum, const struct kernel_log *log,
                     const struct kernel_use *use)
{
    struct text type = strings_get(side->strings, sum->type), name = strings_get(log->strings, use->name);

    return type.length >= name.length && memcmp(type.data, name.data, name.length) == 0;
}

static bool is_before(const struct kernel_use *use, const struct operator_sum *sum)
{
    return use->delegate != sum->delegate ? use->delegate < sum->delegate : use->place < sum->place;
}

uint32_t operators_add_kernels(struct operators *side, const struct kernel_log *log)
{
    uint32_t found = 0, next = 0;

    assert(log->strings == side->strings && "ids are those of one pool");
    /* Both are in execution order: by delegate, then by place. */
    for (size_t i = 0; i < side->sums.count; i++) {
        struct operator_sum *sum = operators_at(side, i);
        const struct kernel_use *use;

        if (sum->delegate == NO_ID)
            continue;
        while (next < log->uses.count &&
               (kernel_use_at(log, next)->execution != 0 || is_before(kernel_use_at(log, next), sum)))
            next++;
        if (next == log->uses.count)
            break;
        use = kernel_use_at(log, next);
        if (use->delegate == sum->delegate && use->place == sum->place && use_fits(side, sum, log, use)) {
            sum->use = use;
            found++;
        }
    }
    return found;
}

/* ---- Numbers ---- */

/* Divided once, so that nothing is rounded on the way: 65,548 ns in 5 runs are 0.0131096 ms each. */
static double milliseconds(const struct clock *clock, int64_t ticks, double parts)
{
    if (clock->numerator == clock->denominator)
        return (double)ticks / (parts * 1e6);
    return (double)ticks * (double)clock->numerator / ((double)clock->denominator * parts * 1e6);
}

double operators_ms(const struct operators *side, int64_t ticks)
{
    return milliseconds(&side->clock, ticks, 1);
}

double operators_average_ms(const struct operators *side, int64_t ticks)
{
    return side->inferences ? milliseconds(&side->clock, ticks, (double)side->inferences) : 0;
}

void operators_runs(const struct operators *side, char *to)
{
    double steady = (double)side->execute / (double)(side->inferences ? side->inferences : 1);
    int length;

    if (!side->left_out && !side->slow) {
        snprintf(to, OPERATORS_RUNS, "%llu run%s", (unsigned long long)side->inferences,
                 side->inferences == 1 ? "" : "s");
        return;
    }
    length = snprintf(to, OPERATORS_RUNS, "%llu of %llu runs", (unsigned long long)side->inferences,
                      (unsigned long long)(side->inferences + side->left_out + side->slow));
    if (steady > 0 && side->warm_launches && side->left_out > side->warm_launches)
        length += snprintf(to + length, OPERATORS_RUNS - (size_t)length,
                           ", the first of the %llu left out%s took %.1fx as long",
                           (unsigned long long)(side->left_out / side->warm_launches),
                           side->warm_launches > 1 ? " of each launch" : "",
                           (double)side->left_out_first / side->warm_launches / steady);
    else if (steady > 0 && side->left_out)
        length += snprintf(to + length, OPERATORS_RUNS - (size_t)length, ", the first took %.1fx as long",
                           (double)side->left_out_first / side->warm_launches / steady);
    if (steady > 0 && side->slow)
        snprintf(to + length, OPERATORS_RUNS - (size_t)length, ", %llu took %.1fx as long and %s not count",
                 (unsigned long long)side->slow, (double)side->slow_execute / (double)side->slow / steady,
                 side->slow == 1 ? "does" : "do");
}

int64_t operators_average_ns(const struct operators *side, int64_t ticks)
{
    double nanoseconds = operators_average_ms(side, ticks) * 1e6;

    return (int64_t)(nanoseconds < 0 ? nanoseconds - 0.5 : nanoseconds + 0.5);
}

double operators_percent(const struct operators *side, int64_t ticks)
{
    double whole = operators_average_ms(side, side->execute);

    return whole > 0 ? operators_average_ms(side, ticks) / whole * 100 : 0;
}

int64_t operators_accounted(const struct operators *side)
{
    return number_add(number_add(side->work, side->calls), number_add(side->control, side->framework));
}

bool operators_is_bottleneck(const struct operators *side, const struct operator_sum *sum)
{
    return operators_is_work(sum) && operators_percent(side, sum->total) > BOTTLENECK_PERCENT;
}

double operators_gflops(const struct operators *side, const struct operator_sum *sum)
{
    double milliseconds = sum->events ? operators_ms(side, sum->total) / (double)sum->events : 0;

    return sum->node && sum->node->macs && milliseconds > 0 ? 2.0 * (double)sum->node->macs / (milliseconds * 1e6) : 0;
}

bool operators_is_steady(const struct operators *side, const struct operator_sum *sum)
{
    return sum->events && operators_ms(side, sum->total) / (double)sum->events >= 0.01;
}

struct text operators_data_type(const struct operators *side, const struct operator_sum *sum)
{
    struct text type = strings_get(side->strings, sum->type);
    const char *open = type.length ? memchr(type.data, '(', type.length) : NULL;
    const char *close = open ? memchr(open, ')', type.length - (size_t)(open - type.data)) : NULL;
    const char *comma = close ? memchr(open, ',', (size_t)(close - open)) : NULL;

    if (comma) {
        for (comma++; comma < close && *comma == ' ';)
            comma++;
        return (struct text){ comma, (size_t)(close - comma) };
    }
    return sum->node && sum->node->dtype ? strings_get(side->strings, sum->node->dtype) : (struct text){ "", 0 };
}

uint64_t operators_inner_size(const struct operator_sum *sum)
{
    double outer =
        sum->use && sum->use->has_tile ? (double)sum->use->m * (double)sum->use->n * (double)sum->use->groups : 0;
    double inner = sum->node && outer > 0 ? (double)sum->node->macs / outer : 0;

    return inner >= 1 && inner < 1e15 && inner == floor(inner) ? (uint64_t)inner : 0;
}

double operators_speedup(double baseline_ms, double candidate_ms)
{
    return candidate_ms > 0 ? baseline_ms / candidate_ms : 0;
}

static void add_to_group(struct operator_group *group, const struct operator_sum *sum)
{
    group->total = number_add(group->total, sum->total);
    if (sum->event == EVENT_PORTABLE)
        group->portable = number_add(group->portable, sum->total);
    group->operators++;
}

void operators_by_category(const struct operators *side, struct operator_group groups[CATEGORY_COUNT])
{
    memset(groups, 0, CATEGORY_COUNT * sizeof *groups);
    for (size_t i = 0; i < side->sums.count; i++) {
        const struct operator_sum *sum = operators_at(side, i);

        if (operators_is_work(sum))
            add_to_group(&groups[operator_kind_category(sum->kind)], sum);
    }
}

void operators_by_kind(const struct operators *side, struct operator_group groups[OPERATOR_KIND_COUNT])
{
    memset(groups, 0, OPERATOR_KIND_COUNT * sizeof *groups);
    for (size_t i = 0; i < side->sums.count; i++) {
        const struct operator_sum *sum = operators_at(side, i);

        if (operators_is_work(sum))
            add_to_group(&groups[sum->kind], sum);
    }
}

static int by_total(const void *left, const void *right, void *context)
{
    const struct operators *side = context;
    uint32_t one = *(const uint32_t *)left, other = *(const uint32_t *)right;
    int64_t a = operators_at(side, one)->total, b = operators_at(side, other)->total;

    if (a != b)
        return a > b ? -1 : 1;
    return (one > other) - (one < other);
}

size_t operators_by_time(const struct operators *side, uint32_t *order)
{
    size_t count = 0;

    for (size_t i = 0; i < side->sums.count; i++)
        if (operators_is_work(operators_at(side, i)))
            order[count++] = (uint32_t)i;
    if (count)
        qsort_r(order, count, sizeof *order, by_total, (void *)(uintptr_t)side);
    assert(count <= side->sums.count);
    return count;
}
