/* timeline.c: the rows of a timeline in the original's order and with its numbers, as CSV and JSON. */
#include "executorch/original/timeline.h"

#include <assert.h>
#include <string.h>

#include "base/json_write.h"
#include "base/memory.h"
#include "base/number.h"
#include "executorch/original/pairwise.h"
#include "table/cell.h"
#include "trace/clock.h"

enum { NUMBERS_ROOM = 512 }; /* of the numbers of one row */

/* What the rows of one operator have in common, written once. */
struct node {
    uint32_t op;           /* whose rows they are */
    uint32_t first, count; /* into `events` */
    /* Where in `written` these begin, one after the other: */
    uint64_t head;  /* "model,name,type,backend," */
    uint64_t block; /* "Execute" as a field */
    uint64_t tail;  /* "op_type,backend" of the extra columns */
    uint64_t end;   /* of the tail */
};

struct timeline {
    const struct execution *execution; /* borrowed */
    struct timeline_options options;   /* as given */
    struct node *nodes;                /* in the order of the rows */
    uint32_t node_count;               /* of them */
    uint32_t *node_of;                 /* by operator */
    uint32_t *events;                  /* by node, in file order */
    double *sums;                      /* by run_index: durations of all its rows, added in the order of the rows */
    uint32_t run_count;                /* highest run_index + 1 */
    double *values;                    /* room for the events of any one node */
    struct output *texts;              /* in memory */
    const char *written;               /* what it holds, once it is complete */
};

/* ---- Texts ---- */

static struct text string_of(const struct timeline *timeline, string_id id)
{
    return strings_get(timeline->execution->strings, id);
}

/* The original calls everything portable that no delegate ran, wrappers too. */
static struct text backend_of(const struct timeline *timeline, const struct execution_operator *op)
{
    if (op->kind != EVENT_DELEGATED)
        return text_of("portable");
    return op->backend ? string_of(timeline, op->backend) : text_of("delegated");
}

/* Ours: the backend of operators; wrappers and the framework have none. */
static struct text true_backend_of(const struct timeline *timeline, const struct execution_operator *op)
{
    return operator_is_work(op) ? backend_of(timeline, op) : text_of("");
}

static struct text graph_type_of(const struct timeline *timeline, const struct execution_operator *op)
{
    if (!timeline->options.graph || op->node == NO_ID)
        return text_of("");
    return string_of(timeline, graph_node(timeline->options.graph, op->node)->type);
}

static void put_field(struct timeline *timeline, struct text text)
{
    cell_write_field(timeline->texts, text.data, text.length, ',');
}

static void write_texts(struct timeline *timeline, struct node *node)
{
    const struct execution_operator *op = execution_operator_at(timeline->execution, node->op);
    const struct text fields[] = { text_of(timeline->options.model_id), string_of(timeline, op->name),
                                   string_of(timeline, op->type), backend_of(timeline, op) };

    node->head = output_written(timeline->texts);
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        put_field(timeline, fields[i]);
        output_write(timeline->texts, ",", 1);
    }
    node->block = output_written(timeline->texts);
    put_field(timeline, string_of(timeline, op->block));
    node->tail = output_written(timeline->texts);
    put_field(timeline, graph_type_of(timeline, op));
    output_write(timeline->texts, ",", 1);
    put_field(timeline, true_backend_of(timeline, op));
    node->end = output_written(timeline->texts);
}

/* ---- Order ---- */

/* Blocks in the order of their first run, in them operators in the order of their first event. */
static status order_nodes(struct timeline *timeline)
{
    const struct execution *execution = timeline->execution;
    size_t length;

    for (uint32_t i = 0; i < execution->operators.count; i++)
        timeline->node_of[i] = NO_ID;
    for (uint32_t run = 0; run < execution->runs.count; run++) {
        string_id block = execution_run_at(execution, run)->block;

        /* Runs of one block follow each other in thousands: the first of them took all. */
        if (run > 0 && execution_run_at(execution, run - 1)->block == block)
            continue;
        for (uint32_t i = 0; i < execution->operators.count; i++) {
            const struct execution_operator *op = execution_operator_at(execution, i);
            struct node *node = &timeline->nodes[timeline->node_count];

            if (op->block != block || timeline->node_of[i] != NO_ID || !op->events)
                continue;
            *node = (struct node){ .op = i };
            timeline->node_of[i] = timeline->node_count++;
            write_texts(timeline, node);
        }
    }
    timeline->written = output_memory(timeline->texts, &length);
    return timeline->written ? STATUS_OK : output_status(timeline->texts);
}

static status order_events(struct timeline *timeline)
{
    const struct execution *execution = timeline->execution;
    uint32_t next = 0;
    size_t most = 0;

    for (uint32_t i = 0; i < timeline->node_count; i++) {
        size_t count = (size_t)execution_operator_at(execution, timeline->nodes[i].op)->events;

        timeline->nodes[i].first = next;
        next += (uint32_t)count;
        most = count > most ? count : most;
    }
    for (uint32_t i = 0; i < execution->events.count; i++) {
        struct node *node = &timeline->nodes[timeline->node_of[execution_event_at(execution, i)->op]];

        assert(node->first + node->count < next);
        timeline->events[node->first + node->count++] = i;
    }
    timeline->values = memory_allocate((most + 1) * sizeof *timeline->values);
    return timeline->values ? STATUS_OK : status_no_memory("ordering a timeline");
}

/* ---- Numbers ---- */

static int64_t ns_of(const struct timeline *timeline, int64_t ticks)
{
    return clock_ns(&timeline->execution->clock, ticks);
}

/* The start as the file has it. */
static int64_t start_of(const struct timeline *timeline, const struct execution_event *event)
{
    return timeline->execution->wrapped ? event->start & UINT32_MAX : event->start;
}

/* The milliseconds of an event as the original has them: a delegated one is a difference of two rounded numbers. */
static double milliseconds(const struct timeline *timeline, const struct execution_event *event, bool delegated)
{
    int64_t ticks = start_of(timeline, event);
    int64_t start = ns_of(timeline, ticks), end = ns_of(timeline, ticks + event->duration);

    return delegated ? (double)end / 1e6 - (double)start / 1e6 : (double)(end - start) / 1e6;
}

static bool is_delegated(const struct timeline *timeline, const struct node *node)
{
    return execution_operator_at(timeline->execution, node->op)->kind == EVENT_DELEGATED;
}

static void add_sums(struct timeline *timeline)
{
    for (uint32_t i = 0; i < timeline->node_count; i++) {
        const struct node *node = &timeline->nodes[i];
        bool delegated = is_delegated(timeline, node);

        for (uint32_t k = 0; k < node->count; k++) {
            const struct execution_event *event =
                execution_event_at(timeline->execution, timeline->events[node->first + k]);
            uint32_t run = execution_run_at(timeline->execution, event->run)->index;

            timeline->sums[run] += milliseconds(timeline, event, delegated);
        }
    }
}

status timeline_new(const struct execution *execution, const struct timeline_options *options,
                    struct timeline **timeline)
{
    struct timeline *made = memory_allocate_clear(sizeof *made);
    status code = STATUS_OK;

    *timeline = NULL;
    if (!made)
        return status_no_memory("ordering a timeline");
    made->execution = execution;
    made->options = *options;
    for (uint32_t i = 0; i < execution->runs.count; i++) {
        uint32_t index = execution_run_at(execution, i)->index;

        made->run_count = index >= made->run_count ? index + 1 : made->run_count;
    }
    made->nodes = memory_allocate((execution->operators.count + 1) * sizeof *made->nodes);
    made->node_of = memory_allocate((execution->operators.count + 1) * sizeof *made->node_of);
    made->events = memory_allocate((execution->events.count + 1) * sizeof *made->events);
    made->sums = memory_allocate_clear(((size_t)made->run_count + 1) * sizeof *made->sums);
    if (!made->nodes || !made->node_of || !made->events || !made->sums)
        code = status_no_memory("ordering a timeline");
    if (code == STATUS_OK)
        code = output_open_memory(&made->texts);
    if (code == STATUS_OK)
        code = order_nodes(made);
    if (code == STATUS_OK)
        code = order_events(made);
    if (code != STATUS_OK) {
        timeline_free(made);
        return code;
    }
    add_sums(made);
    *timeline = made;
    return STATUS_OK;
}

void timeline_free(struct timeline *timeline)
{
    if (!timeline)
        return;
    memory_free(timeline->nodes);
    memory_free(timeline->node_of);
    memory_free(timeline->events);
    memory_free(timeline->sums);
    memory_free(timeline->values);
    output_abandon(timeline->texts);
    memory_free(timeline);
}

uint32_t timeline_nodes(const struct timeline *timeline)
{
    return timeline->node_count;
}

const struct execution *timeline_execution(const struct timeline *timeline)
{
    return timeline->execution;
}

const char *timeline_model(const struct timeline *timeline)
{
    return timeline->options.model_id;
}

struct timeline_node timeline_node(const struct timeline *timeline, uint32_t index)
{
    const struct node *node = &timeline->nodes[index];
    struct timeline_node result = { .op = node->op };
    bool delegated = is_delegated(timeline, node);
    uint32_t runs = 0, run = NO_ID;

    for (uint32_t i = 0; i < node->count; i++) {
        const struct execution_event *event =
            execution_event_at(timeline->execution, timeline->events[node->first + i]);

        timeline->values[i] = milliseconds(timeline, event, delegated);
        runs += event->run != run;
        run = event->run;
    }
    result.average_ms = runs ? pairwise_sum(timeline->values, node->count) / runs : 0;
    result.backend = backend_of(timeline, execution_operator_at(timeline->execution, node->op));
    return result;
}

uint64_t timeline_rows(const struct timeline *timeline)
{
    return timeline->execution->events.count;
}

/* `value` / 10^decimals, as Python writes that quotient. Fewer than 16 digits are their own shortest form. */
static char *write_scaled(char *to, int64_t value, unsigned decimals, double divisor)
{
    size_t count;

    if (value >= INT64_C(1000000000000000) || (value && (double)value / divisor < 1e-4))
        return to + number_write_shortest(to, (double)value / divisor);
    count = number_write_unsigned(to, (uint64_t)value);
    if (count <= decimals) {
        memmove(to + decimals + 1 - count, to, count);
        memset(to, '0', decimals + 1 - count);
        count = decimals + 1;
    }
    /* A move of few bytes whose number is a constant to callers: a copy of the whole number would be a loop over bytes. */
    memmove(to + count - decimals + 1, to + count - decimals, decimals);
    to[count - decimals] = '.';
    to += count + 1;
    while (decimals > 1 && to[-1] == '0') {
        to--;
        decimals--;
    }
    return to;
}

struct row {
    uint32_t node_id;   /* counted anew in a file of one run */
    uint32_t run_index; /* among the runs of its block */
    int64_t start;      /* ns */
    int64_t length;     /* ns */
    double duration_ms; /* of a delegated one not quite the length */
    double end_us;      /* start and duration, as the original adds them */
    double percent;     /* of the sum of its run_index */
    double timestamp;   /* ns since the run's start */
    uint32_t parent;    /* node id; NO_ID: none */
    bool delegated;     /* its duration is a difference of two rounded numbers */
};

static struct row make_row(const struct timeline *timeline, const struct node *node,
                           const struct execution_event *event, const uint32_t *renumbered)
{
    const struct execution_run *run = execution_run_at(timeline->execution, event->run);
    struct row row = {
        .node_id = (uint32_t)(node - timeline->nodes),
        .run_index = run->index,
        .start = ns_of(timeline, start_of(timeline, event)),
        .delegated = is_delegated(timeline, node),
        .parent = NO_ID,
    };
    double sum = timeline->sums[run->index];

    row.length = ns_of(timeline, start_of(timeline, event) + event->duration) - row.start;
    row.duration_ms = milliseconds(timeline, event, row.delegated);
    row.end_us = (double)row.start / 1e3 + row.duration_ms * 1000.0;
    row.percent = sum > 0 ? row.duration_ms / sum * 100.0 : 0.0;
    row.timestamp = (double)(ns_of(timeline, event->start) - ns_of(timeline, run->start));
    if (event->parent != NO_ID)
        row.parent = timeline->node_of[execution_event_at(timeline->execution, event->parent)->op];
    if (renumbered) {
        row.node_id = renumbered[row.node_id];
        row.parent = row.parent == NO_ID ? NO_ID : renumbered[row.parent];
    }
    return row;
}

static char *write_duration(char *to, const struct row *row)
{
    return row->delegated ? to + number_write_shortest(to, row->duration_ms) : write_scaled(to, row->length, 6, 1e6);
}

/* ---- CSV ---- */

static void csv_row(const struct timeline *timeline, const struct node *node, const struct row *row, void *to_output)
{
    struct output *output = to_output;
    char *start, *to;

    output_write(output, timeline->written + node->head, node->block - node->head);
    start = to = (char *)output_reserve(output, NUMBERS_ROOM);
    to = write_scaled(to, row->start, 3, 1e3);
    *to++ = ',';
    to += number_write_shortest(to, row->end_us);
    *to++ = ',';
    to = write_duration(to, row);
    *to++ = ',';
    to += number_write_shortest(to, row->percent);
    *to++ = ',';
    to += number_write_unsigned(to, row->node_id);
    *to++ = ',';
    to += number_write_unsigned(to, row->run_index);
    *to++ = ',';
    output_advance(output, (size_t)(to - start));
    output_write(output, timeline->written + node->block, node->tail - node->block);
    if (timeline->options.extra) {
        start = to = (char *)output_reserve(output, NUMBERS_ROOM);
        *to++ = ',';
        to = write_scaled(to, (int64_t)row->timestamp, 6, 1e6);
        *to++ = ',';
        if (row->parent != NO_ID)
            to += number_write_unsigned(to, row->parent);
        *to++ = ',';
        output_advance(output, (size_t)(to - start));
        output_write(output, timeline->written + node->tail, node->end - node->tail);
    }
    output_write(output, "\r\n", 2);
}

typedef void (*write_row)(const struct timeline *timeline, const struct node *node, const struct row *row, void *to);

/* Node ids of a single run are counted anew: by node, the number of earlier ones that have a row in it. */
static status renumber(const struct timeline *timeline, uint32_t run_index, uint32_t **renumbered)
{
    uint32_t next = 0;

    *renumbered = NULL;
    if (run_index == TIMELINE_ALL)
        return STATUS_OK;
    *renumbered = memory_allocate(((size_t)timeline->node_count + 1) * sizeof **renumbered);
    if (!*renumbered)
        return status_no_memory("writing a timeline");
    for (uint32_t i = 0; i < timeline->node_count; i++) {
        const struct node *node = &timeline->nodes[i];
        bool found = false;

        for (uint32_t k = 0; k < node->count && !found; k++)
            found = execution_run_at(timeline->execution,
                                     execution_event_at(timeline->execution, timeline->events[node->first + k])->run)
                        ->index == run_index;
        (*renumbered)[i] = found ? next++ : NO_ID;
    }
    return STATUS_OK;
}

static status write_rows(const struct timeline *timeline, uint32_t run_index, struct output *output, write_row write,
                         void *to)
{
    uint32_t *renumbered;
    status code = renumber(timeline, run_index, &renumbered);

    for (uint32_t i = 0; i < timeline->node_count && code == STATUS_OK; i++) {
        const struct node *node = &timeline->nodes[i];

        for (uint32_t k = 0; k < node->count; k++) {
            const struct execution_event *event =
                execution_event_at(timeline->execution, timeline->events[node->first + k]);
            struct row row;

            if (renumbered && execution_run_at(timeline->execution, event->run)->index != run_index)
                continue;
            row = make_row(timeline, node, event, renumbered);
            write(timeline, node, &row, to);
        }
        code = output_status(output);
    }
    memory_free(renumbered);
    return code;
}

status timeline_csv(const struct timeline *timeline, uint32_t run_index, struct output *output)
{
    static const char header[] =
        "model_id,name,type,delegate_backend,start_us,end_us,duration_ms,pct_total,node_id,run_index,block";

    output_write(output, header, sizeof header - 1);
    output_format(output, "%s\r\n", timeline->options.extra ? ",timestamp_ms,parent_id,op_type,backend" : "");
    return write_rows(timeline, run_index, output, csv_row, output);
}

/* ---- JSON ---- */

static void json_row(const struct timeline *timeline, const struct node *node, const struct row *row, void *to)
{
    const struct execution_operator *op = execution_operator_at(timeline->execution, node->op);
    struct json_out *json = to;

    json_out_object(json, NULL, JSON_LINES);
    json_out_unsigned(json, "node_id", row->node_id);
    json_out_unsigned(json, "run_index", row->run_index);
    json_out_string(json, "block", string_of(timeline, op->block));
    json_out_string(json, "name", string_of(timeline, op->name));
    json_out_string(json, "type", string_of(timeline, op->type));
    json_out_string(json, "delegate_backend", backend_of(timeline, op));
    json_out_decimal(json, "start_us", (double)row->start / 1e3);
    json_out_decimal(json, "end_us", row->end_us);
    json_out_decimal(json, "duration_ms", row->duration_ms);
    json_out_decimal(json, "pct_total", row->percent);
    if (timeline->options.extra) {
        json_out_decimal(json, "timestamp_ms", row->timestamp / 1e6);
        if (row->parent == NO_ID)
            json_out_null(json, "parent_id");
        else
            json_out_unsigned(json, "parent_id", row->parent);
        json_out_string(json, "op_type", graph_type_of(timeline, op));
        json_out_string(json, "backend", true_backend_of(timeline, op));
    }
    json_out_text(json, "model_id", timeline->options.model_id);
    json_out_end(json);
}

status timeline_json(const struct timeline *timeline, uint32_t run_index, struct output *output)
{
    struct json_out json;
    status code;

    json_out_start(&json, output);
    json_out_array(&json, NULL, JSON_LINES);
    code = write_rows(timeline, run_index, output, json_row, &json);
    json_out_end(&json);
    return code;
}
