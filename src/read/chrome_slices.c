/* chrome_slices.c: slices, ends, instants and arrows of threads. */
#include <assert.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "read/chrome_rules.h"
#include "read/chrome_tell.h"

/* An event of a thread while it is told. */
struct told_event {
    struct chrome_event event;        /* its parts */
    uint32_t place;                   /* of its thread */
    struct tell_thread *thread;       /* that it is on */
    uint64_t offset;                  /* in the file */
    int64_t time;                     /* ns as in the file */
    string_id name, category;         /* of it */
    const struct producer_rule *rule; /* that it fits; NULL: none */
    uint32_t line;                    /* of its thread */
};

/* ---- Ends --------------------------------------------------------------------------------------------------------- */

static status end_slice(struct chrome_telling *telling, const struct tell_open *open, int64_t time)
{
    status code = sink_end(&telling->feed->sink, open->open, time - telling->origin);

    feed_close(telling->feed, open->open);
    return code;
}

/* Ends the slices of a line that have ended at this time. Where none crosses another, these are the innermost. */
static status end_until(struct chrome_telling *telling, struct tell_line *line, int64_t time)
{
    size_t kept = line->count;
    status code = STATUS_OK;

    while (code == STATUS_OK && line->count && line->open[line->count - 1].end <= time) {
        line->count--;
        code = end_slice(telling, &line->open[line->count], line->open[line->count].end);
    }
    if (!line->crossed)
        return code;
    for (size_t i = kept = line->count; i > 0 && code == STATUS_OK; i--) {
        if (line->open[i - 1].end > time)
            continue;
        code = end_slice(telling, &line->open[i - 1], line->open[i - 1].end);
        memmove(&line->open[i - 1], &line->open[i], (line->count - i) * sizeof *line->open);
        line->count--;
    }
    line->crossed = line->count > 0;
    return code;
}

/* ---- The latest slice --------------------------------------------------------------------------------------------- */

/* The slice that one lies in: it ends later, or its end is not known. One whose own end is not known lies in one of these alone. */
static open_id parent_of(const struct tell_line *line, int64_t end)
{
    for (size_t i = line->count; i > 0; i--)
        if (line->open[i - 1].end >= end)
            return line->open[i - 1].open;
    return NO_ID;
}

static status begin_slice(struct chrome_telling *telling, struct tell_thread *thread, open_id *open)
{
    struct tell_pending *pending = &thread->pending;
    struct tell_line *line = &thread->lines[pending->line];
    status code = end_until(telling, line, pending->slice.start + telling->origin);

    if (code == STATUS_OK)
        code = feed_open(telling->feed, open);
    if (code == STATUS_OK)
        code = memory_grow(&line->open, &line->capacity, line->count + 1, sizeof *line->open);
    if (code != STATUS_OK)
        return code;
    code = sink_begin(&telling->feed->sink, *open, parent_of(line, pending->end), &pending->slice);
    line->crossed |= line->count && pending->end > line->open[line->count - 1].end;
    line->open[line->count++] = (struct tell_open){ .open = *open, .end = pending->end };
    if (code != STATUS_OK || !pending->begun)
        return code;
    code = memory_grow(&thread->begun, &thread->begun_capacity, thread->begun_count + 1, sizeof *thread->begun);
    if (code == STATUS_OK)
        thread->begun[thread->begun_count++] = (struct tell_begun){
            .line = pending->line, .open = *open, .name = pending->slice.name, .end = pending->end_offset
        };
    return code;
}

/* What a slice tells of those that lie in it, and its own operator. */
static status settle_roles(struct chrome_telling *telling, struct tell_thread *thread, struct tell_within *own)
{
    struct tell_pending *pending = &thread->pending;
    const struct tell_within *around = tell_within(thread, pending->slice.start + telling->origin);
    struct tell_within within = pending->told;

    *own = (struct tell_within){ .op = NO_ID };
    within.module = within.module ? within.module : around->module;
    within.place = within.place ? within.place : around->place;
    switch (pending->role) {
    case ROLE_SCOPE:
        own->module = pending->told.module;
        break;
    case ROLE_SOURCE:
        own->place = pending->told.place;
        break;
    case ROLE_OPERATOR:
        if ((!within.module || !within.place) && pending->end > pending->slice.start + telling->origin) {
            struct tell_within given =
                tell_derivative(telling, pending->thread, pending->slice.start + telling->origin, pending->end);

            within.module = within.module ? within.module : given.module;
            within.place = within.place ? within.place : given.place;
        }
        *own = within;
        return tell_operator(telling, &pending->named, &within, &own->op);
    default:
        break;
    }
    return STATUS_OK;
}

/* Nothing more can be told of the latest slice of a thread. */
static status settle(struct chrome_telling *telling, struct tell_thread *thread)
{
    struct tell_pending *pending = &thread->pending;
    struct tell_within own;
    open_id open = NO_ID;
    status code;

    if (!pending->any)
        return STATUS_OK;
    pending->any = false;
    code = settle_roles(telling, thread, &own);
    if (own.op != NO_ID)
        pending->slice.op = own.op;
    pending->slice.flow = pending->flow_count ? pending->flows[0] : 0;
    pending->slice.more_flows = pending->flow_count > 1 ? pending->flows + 1 : NULL;
    pending->slice.more_flow_count = pending->flow_count > 1 ? (uint32_t)pending->flow_count - 1 : 0;
    if (code == STATUS_OK && thread->lines[pending->line].pairs)
        code = begin_slice(telling, thread, &open);
    else if (code == STATUS_OK)
        code = sink_slice(&telling->feed->sink, &pending->slice);
    if (pending->end > thread->reach)
        thread->reach = pending->end;
    if (code == STATUS_OK && (own.op != NO_ID || own.module || own.place))
        code = tell_push_context(thread, pending->end, pending->begun ? open : NO_ID, &own);
    return code;
}

/* ---- Arrows ------------------------------------------------------------------------------------------------------- */

/* Where a key belongs; keys are hashes. */
static size_t slot_of(uint64_t key, size_t slots)
{
    return (size_t)((map_wide)key * slots >> 64);
}

/* The slot that holds a key, or the free one for it. */
static size_t find_slot(const uint64_t *keys, size_t slots, uint64_t key)
{
    size_t slot = slot_of(key, slots);

    while (keys[slot] && keys[slot] != key)
        slot = slot + 1 < slots ? slot + 1 : 0;
    return slot;
}

static status grow_flows(struct tell_flows *flows)
{
    /* Little by little: the old table and the new one are there together for a moment. */
    size_t slots = flows->slots ? flows->slots + flows->slots / 4 : 1024;
    uint64_t *keys = memory_allocate_clear(slots * sizeof *keys);
    uint32_t *values = memory_allocate(slots * sizeof *values);

    if (!keys || !values) {
        memory_free(keys);
        memory_free(values);
        return status_no_memory("keeping arrows");
    }
    for (size_t i = 0; i < flows->slots; i++) {
        if (flows->keys[i]) {
            size_t slot = find_slot(keys, slots, flows->keys[i]);

            keys[slot] = flows->keys[i];
            values[slot] = flows->values[i];
        }
    }
    memory_free(flows->keys);
    memory_free(flows->values);
    flows->keys = keys;
    flows->values = values;
    flows->slots = slots;
    return STATUS_OK;
}

uint32_t tell_find_flow(const struct tell_flows *flows, uint64_t key)
{
    size_t slot = flows->slots ? find_slot(flows->keys, flows->slots, key) : 0;

    return flows->slots && flows->keys[slot] ? flows->values[slot] : 0;
}

/* The number of an arrow that begins now, or goes on. */
static status add_arrow(struct chrome_telling *telling, uint64_t key, uint32_t *flow)
{
    struct tell_flows *flows = &telling->flows;
    size_t slot;

    if (flows->count >= flows->slots - flows->slots / 5) {
        status code = grow_flows(flows);

        if (code != STATUS_OK)
            return code;
    }
    slot = find_slot(flows->keys, flows->slots, key);
    if (!flows->keys[slot]) {
        flows->keys[slot] = key;
        flows->values[slot] = feed_flow(telling->feed);
        flows->count++;
    }
    *flow = flows->values[slot];
    return STATUS_OK;
}

static status add_flow(uint32_t **flows, size_t *count, size_t *capacity, uint32_t flow)
{
    status code = STATUS_OK;

    for (size_t i = 0; i < *count; i++)
        if ((*flows)[i] == flow)
            return STATUS_OK;
    code = memory_grow(flows, capacity, *count + 1, sizeof **flows);
    if (code == STATUS_OK)
        (*flows)[(*count)++] = flow;
    return code;
}

/* An arrow that a slice names itself: all that name it lie on it. */
static status bind_arrow(struct chrome_telling *telling, const struct chrome_event *event, struct tell_pending *pending)
{
    uint32_t flow;
    status code;

    if (!event->binding.data || (!text_is(event->flow_in, "true") && !text_is(event->flow_out, "true")))
        return STATUS_OK;
    code = add_arrow(telling, chrome_bind_id(event), &flow);
    return code == STATUS_OK ? add_flow(&pending->flows, &pending->flow_count, &pending->flow_capacity, flow) : code;
}

/* ---- Slices ------------------------------------------------------------------------------------------------------- */

static uint32_t line_of(const struct tell_thread *thread, const struct engine *engine)
{
    for (uint32_t i = 0; i < thread->line_count; i++)
        if (thread->lines[i].engine == engine)
            return i;
    return 0;
}

/* The text of a name that a producer tells how to find: an argument, or the name of the event. */
static status name_by(struct chrome_telling *telling, const struct producer_name *how, string_id key, string_id name,
                      string_id *id)
{
    struct strings *strings = telling->feed->strings;
    struct text whole, text;
    status code = tell_argument_text(telling, key, id);

    if (code != STATUS_OK)
        return code;
    if (!*id)
        *id = name;
    whole = strings_get(strings, *id);
    text = chrome_strip(whole, how);
    return text.length == whole.length || !text.length ? STATUS_OK : strings_add(strings, text.data, text.length, id);
}

/* What an operator's arguments tell of it. */
static status describe_operator(struct chrome_telling *telling, struct tell_pending *pending)
{
    const struct tell_keys *keys = &telling->keys;
    string_id place;
    status code = name_by(telling, &telling->trace->producer->op, keys->op, pending->slice.name, &pending->named.name);

    if (code == STATUS_OK)
        code = tell_argument_text(telling, keys->type, &pending->named.type);
    if (code == STATUS_OK)
        code = tell_argument_text(telling, keys->shapes, &pending->named.shapes);
    if (code == STATUS_OK)
        code = tell_argument_text(telling, keys->module, &pending->told.module);
    if (code == STATUS_OK)
        code = tell_argument_text(telling, keys->place, &place);
    return code == STATUS_OK && place ? tell_place(telling, place, true, &pending->told.place) : code;
}

/* The launch of the event at hand, by its correlation or by its place in the file; NULL: none is known. */
static struct chrome_launch *launch_of(const struct chrome_telling *telling, uint64_t offset)
{
    const char *key = telling->trace->producer->correlation;

    if (telling->trace->producer->parent)
        return chrome_launch_before(telling->trace, offset);
    for (uint32_t i = 0; key && i < telling->members.count; i++)
        if (text_is(telling->members.items[i].key, key) && telling->members.items[i].value.data)
            return chrome_find_launch(telling->trace, chrome_correlation(telling->members.items[i].value));
    return NULL;
}

/* Where the work of a launch outside of operators was launched: such launches are many, and most of them behind each other at one place. */
static status keep_alone(struct chrome_telling *telling, const struct tell_within *around, operator_id *op)
{
    struct column *alone = &telling->alone;
    const struct tell_within *last = alone->count ? column_at(alone, alone->count - 1) : NULL;
    struct tell_within *kept;

    if (!last || last->module != around->module || last->place != around->place) {
        kept = column_append(alone);
        if (!kept)
            return status_no_memory("keeping a launch");
        *kept = *around;
    }
    assert(alone->count <= CHROME_ALONE);
    *op = CHROME_ALONE | (operator_id)(alone->count - 1);
    return STATUS_OK;
}

/* Of many pieces of work, none of which it is alone in launching. */
static bool is_group(const struct chrome_telling *telling, string_id name)
{
    const char *pattern = telling->trace->producer->group;

    return !pattern || chrome_fits(strings_get(telling->feed->strings, name), pattern);
}

/* A launch belongs to the operator around it; where there is none, it is one. */
static status tell_launch(struct chrome_telling *telling, const struct told_event *told, struct tell_pending *pending)
{
    const struct tell_within *around = tell_within(told->thread, told->time);
    struct chrome_launch *launch = launch_of(telling, told->offset);
    status code = STATUS_OK;

    pending->slice.op = around->op;
    if (around->op == NO_ID)
        code = tell_operator(telling, &(struct tell_named){ .name = pending->slice.name }, around, &pending->slice.op);
    if (launch) {
        launch->correlation |= CHROME_TOLD;
        launch->of.op = pending->slice.op;
        launch->of.run = pending->slice.run;
        if (code == STATUS_OK && around->op == NO_ID && !is_group(telling, pending->slice.name))
            code = keep_alone(telling, around, &launch->of.op);
    }
    return code;
}

/* The key of the arrow from an event to the work that stands behind it in the file. */
static uint64_t arrow_of(const struct chrome_launch *launch)
{
    return map_mix(launch->correlation & ~CHROME_TOLD, 1) | 1;
}

/* An event whose work stands behind it in the file: nothing more is told of it, so that the work can know its operator. */
static status tell_parent(struct chrome_telling *telling, const struct told_event *told, struct tell_pending *pending)
{
    const struct producer *producer = telling->trace->producer;
    struct chrome_launch *launch =
        producer && producer->parent ? chrome_find_launch(telling->trace, told->offset) : NULL;
    uint32_t flow;
    status code;

    if (!launch || pending->role == ROLE_WORK)
        return STATUS_OK;
    code = add_arrow(telling, arrow_of(launch), &flow);
    if (code == STATUS_OK)
        code = add_flow(&pending->flows, &pending->flow_count, &pending->flow_capacity, flow);
    if (code == STATUS_OK)
        code = settle(telling, told->thread);
    launch->correlation |= CHROME_TOLD;
    launch->of.op = pending->slice.op;
    launch->of.run = pending->slice.run;
    return code;
}

/* Work that names the operator which launched it, wherever that stands in the file; what else it may name is none. */
static status name_parent(struct chrome_telling *telling, struct tell_named *named)
{
    struct strings *strings = telling->feed->strings;
    string_id parent;
    status code = tell_argument_text(telling, telling->keys.parent, &parent);
    struct text whole = strings_get(strings, parent), text = chrome_strip(whole, &telling->trace->producer->op);

    if (code != STATUS_OK || !parent || !text.length || text.length == whole.length)
        return code;
    code = strings_add(strings, text.data, text.length, &named->name);
    return code == STATUS_OK ? tell_argument_text(telling, telling->keys.type, &named->type) : code;
}

/* Work belongs to its launch; where none is known, it is an operator of its own. Work that names its operator itself knows better. */
static status tell_work(struct chrome_telling *telling, const struct told_event *told, struct tell_pending *pending)
{
    const struct chrome_launch *launch = launch_of(telling, told->offset);
    struct tell_within own = { .op = NO_ID };
    struct tell_named named = { 0 };
    uint32_t flow;
    status code = tell_argument_text(telling, telling->keys.op, &named.name);

    if (launch && launch->correlation & CHROME_TOLD) {
        bool alone = launch->of.op != NO_ID && launch->of.op & CHROME_ALONE;

        if (alone)
            own = *(const struct tell_within *)column_at(&telling->alone, launch->of.op & ~CHROME_ALONE);
        pending->slice.op = alone ? NO_ID : launch->of.op;
        pending->slice.run = launch->of.run;
        flow = telling->trace->producer->parent ? tell_find_flow(&telling->flows, arrow_of(launch)) : 0;
        if (code == STATUS_OK && flow)
            code = add_flow(&pending->flows, &pending->flow_count, &pending->flow_capacity, flow);
        if (!named.name && !alone)
            return code;
    }
    if (code == STATUS_OK && named.name)
        code = tell_argument_text(telling, telling->keys.module, &own.module);
    else if (code == STATUS_OK)
        code = name_parent(telling, &named);
    if (!named.name)
        named.name = pending->slice.name;
    return code == STATUS_OK ? tell_operator(telling, &named, &own, &pending->slice.op) : code;
}

/* The argument of a key, which becomes part of the operator: 0: there is none. */
static string_id take_text(struct chrome_telling *telling, string_id key)
{
    for (size_t i = 0; i < telling->argument_count; i++) {
        struct argument *argument = &telling->arguments[i];

        if (argument->key == key && argument->type == ARGUMENT_TEXT) {
            string_id text = argument->text;

            memmove(argument, argument + 1, (--telling->argument_count - i) * sizeof *argument);
            return text;
        }
    }
    return 0;
}

/* Where a stack frame tells that an event happened; 0: none does. */
static status find_frame(struct chrome_telling *telling, const struct chrome_event *event, string_id *text)
{
    string_id id;
    uint32_t found;
    status code;

    if (!event->frame.data)
        return STATUS_OK;
    code = chrome_text(&telling->trace->texts, event->frame, &id);
    found = code == STATUS_OK ? number_map_find(&telling->trace->frames, id, 0) : MAP_NONE;
    if (found != MAP_NONE)
        *text = found;
    return code;
}

/* Without a producer, every name is an operator, told apart by its place in the source. A trace that Tacho wrote tells both as arguments. */
static status tell_named(struct chrome_telling *telling, const struct told_event *told, struct tell_pending *pending)
{
    const struct engine *engine = told->thread->lines[told->line].engine;
    struct tell_within within = { .op = NO_ID };
    struct tell_named named = { .name = pending->slice.name, .category = told->category };
    string_id name, location;
    status code;

    if (engine_group(engine) == GROUP_DRAWN)
        return STATUS_OK;
    name = take_text(telling, KEY_OPERATOR);
    named.name = name ? name : named.name;
    location = take_text(telling, KEY_LOCATION);
    code = find_frame(telling, &told->event, &location);
    if (code == STATUS_OK)
        code = tell_place(telling, location, true, &within.place);
    return code == STATUS_OK ? tell_operator(telling, &named, &within, &pending->slice.op) : code;
}

static status tell_role(struct chrome_telling *telling, const struct told_event *told, struct tell_pending *pending)
{
    switch (pending->role) {
    case ROLE_OPERATOR:
        return describe_operator(telling, pending);
    case ROLE_SCOPE:
        return name_by(telling, &telling->trace->producer->scope, telling->keys.scope, told->name,
                       &pending->told.module);
    case ROLE_SOURCE:
        return tell_place(telling, told->name, false, &pending->told.place);
    case ROLE_LAUNCH:
        return tell_launch(telling, told, pending);
    case ROLE_WORK:
        return tell_work(telling, told, pending);
    default:
        pending->slice.op = tell_within(told->thread, told->time)->op;
        return telling->trace->producer ? STATUS_OK : tell_named(telling, told, pending);
    }
}

/* The arguments of the event at hand become those of the latest slice, without copying them. */
static void take_arguments(struct chrome_telling *telling, struct tell_pending *pending)
{
    struct argument *arguments = telling->arguments;
    size_t capacity = telling->argument_capacity;

    pending->slice.argument_count = (uint32_t)telling->argument_count;
    pending->slice.arguments = arguments;
    telling->arguments = pending->arguments;
    telling->argument_capacity = pending->argument_capacity;
    pending->arguments = arguments;
    pending->argument_capacity = capacity;
}

static status take_flows(struct tell_thread *thread)
{
    struct tell_pending *pending = &thread->pending;
    status code = STATUS_OK;

    pending->flow_count = 0;
    if (!thread->next_flow_count)
        return STATUS_OK;
    code = memory_grow(&pending->flows, &pending->flow_capacity, thread->next_flow_count, sizeof *pending->flows);
    if (code == STATUS_OK) {
        memcpy(pending->flows, thread->next_flows, thread->next_flow_count * sizeof *pending->flows);
        pending->flow_count = thread->next_flow_count;
        thread->next_flow_count = 0;
    }
    return code;
}

/* What the end of a slice that begins tells of it. The parts of the event at hand are gone then. */
static status take_end(struct chrome_telling *telling, const struct told_event *told, struct tell_pending *pending)
{
    const struct chrome_thread *thread = chrome_thread_at(telling->trace, told->place);
    struct chrome_event end;
    status code;

    pending->end_offset = pending->begun ? chrome_find_end(telling->trace, thread, told->offset) : CHROME_NO_END;
    if (pending->end_offset == CHROME_NO_END)
        return STATUS_OK;
    code = chrome_pages_event(&telling->pages, pending->end_offset, &end, &telling->members);
    return code == STATUS_OK ? tell_more_arguments(telling, &end, pending->end_offset) : code;
}

static status tell_slice(struct chrome_telling *telling, struct told_event *told)
{
    struct tell_thread *thread = told->thread;
    struct tell_pending *pending = &thread->pending;
    int64_t duration = 0;
    status code = settle(telling, thread);

    if (code == STATUS_OK)
        code = tell_arguments(telling, &told->event, told->offset);
    if (code == STATUS_OK)
        code = take_flows(thread);
    if (code == STATUS_OK)
        code = bind_arrow(telling, &told->event, pending);
    if (code != STATUS_OK)
        return code;
    pending->begun = told->event.phase == 'B';
    if (!pending->begun && (!chrome_time(told->event.duration, &duration) || duration < 0))
        return status_fail_at(STATUS_INPUT, (struct place){ .file = input_name(telling->trace->source->input) },
                              "has changed while it was read");
    pending->any = true;
    pending->line = told->line;
    pending->thread = told->place;
    pending->role = told->rule ? told->rule->role : ROLE_PLAIN;
    pending->end = pending->begun ? INT64_MAX : told->time + duration;
    pending->told = (struct tell_within){ .op = NO_ID };
    pending->named = (struct tell_named){ 0 };
    pending->slice =
        (struct slice){ .track = thread->lines[told->line].track,
                        .name = told->name,
                        .op = NO_ID,
                        .run = tell_run_at(telling, chrome_thread_at(telling->trace, told->place)->process, told->time),
                        .start = told->time - telling->origin,
                        .end = told->time + duration - telling->origin };
    code = tell_role(telling, told, pending);
    if (code == STATUS_OK)
        code = take_end(telling, told, pending);
    take_arguments(telling, pending);
    return code == STATUS_OK ? tell_parent(telling, told, pending) : code;
}

static status tell_instant(struct chrome_telling *telling, const struct told_event *told)
{
    struct slice slice = { .track = told->thread->lines[told->line].track,
                           .name = told->name,
                           .run =
                               tell_run_at(telling, chrome_thread_at(telling->trace, told->place)->process, told->time),
                           .start = told->time - telling->origin,
                           .end = told->time - telling->origin };
    status code = settle(telling, told->thread);

    if (code == STATUS_OK)
        code = tell_arguments(telling, &told->event, told->offset);
    if (code == STATUS_OK && telling->trace->producer && telling->trace->producer->counters)
        code =
            chrome_tell_values(telling, chrome_thread_at(telling->trace, told->place)->process, told->name, told->time);
    if (code != STATUS_OK)
        return code;
    slice.op = tell_within(told->thread, told->time)->op;
    slice.arguments = telling->arguments;
    slice.argument_count = (uint32_t)telling->argument_count;
    return SINK_CALL(&telling->feed->sink, instant, &slice);
}

/* ---- Ends that are events ----------------------------------------------------------------------------------------- */

/* The place of the slice that an end closes, counted from 1: the innermost, or the innermost of its name. 0: none. */
static size_t find_begun(const struct tell_thread *thread, string_id name)
{
    size_t place = thread->begun_count;

    while (name && place && thread->begun[place - 1].name != name)
        place--;
    return place;
}

bool tell_can_end(const struct tell_thread *thread, string_id name)
{
    const struct tell_pending *pending = &thread->pending;

    return find_begun(thread, name) || (pending->any && pending->begun && (!name || pending->slice.name == name));
}

/* Ends a slice and all that are open inside it on its line. */
static status close_begun(struct chrome_telling *telling, struct told_event *told, const struct tell_begun *begun)
{
    struct tell_line *line = &told->thread->lines[begun->line];
    status code = end_until(telling, line, told->time);
    bool found = false;

    while (code == STATUS_OK && !found) {
        const struct tell_open *open = &line->open[--line->count];

        found = open->open == begun->open;
        if (!found && open->end != INT64_MAX)
            code = chrome_lose(telling->trace, &chrome_loss_reaches, told->offset);
        if (code == STATUS_OK)
            code = end_slice(telling, open, told->time);
    }
    for (size_t i = told->thread->context_count; i > 0; i--)
        if (told->thread->contexts[i - 1].open == begun->open)
            told->thread->contexts[i - 1].end = told->time, told->thread->crossed = true;
    return code;
}

static status tell_end(struct chrome_telling *telling, struct told_event *told)
{
    struct tell_thread *thread = told->thread;
    size_t place;
    status code = settle(telling, thread);

    if (code != STATUS_OK)
        return code;
    place = find_begun(thread, told->name);
    if (!place)
        return chrome_lose(telling->trace, &loss_end_without_begin, told->offset);
    if (told->event.arguments.length > 2 && thread->begun[place - 1].end != told->offset)
        code = chrome_lose(telling->trace, &chrome_loss_end_arguments, told->offset);
    while (code == STATUS_OK && thread->begun_count > place) {
        code = chrome_lose(telling->trace, &chrome_loss_reaches, told->offset);
        if (code == STATUS_OK)
            code = close_begun(telling, told, &thread->begun[--thread->begun_count]);
    }
    return code == STATUS_OK ? close_begun(telling, told, &thread->begun[--thread->begun_count]) : code;
}

/* ---- Arrows that are events ---------------------------------------------------------------------------------------- */

/* An arrow to the operator that takes the derivative begins: module and place of this one are handed on. */
static status hand_on(struct chrome_telling *telling, const struct told_event *told, uint32_t flow)
{
    const struct tell_pending *pending = &told->thread->pending;
    const struct tell_within *around = tell_within(told->thread, pending->slice.start + telling->origin);
    const struct tell_given *last = telling->given.count ? column_at(&telling->given, telling->given.count - 1) : NULL;
    struct tell_given *made;

    if (last && last->flow >= flow)
        return STATUS_OK; /* it has begun before */
    made = column_append(&telling->given);
    if (!made)
        return status_no_memory("keeping arrows");
    *made = (struct tell_given){ .flow = flow,
                                 .module = pending->told.module ? pending->told.module : around->module,
                                 .place = pending->told.place ? pending->told.place : around->place };
    return STATUS_OK;
}

/* Whether arrows of this category lead to derivatives. */
static bool is_backward(const struct chrome_telling *telling, string_id category)
{
    const struct producer *producer = telling->trace->producer;

    return producer && producer->backward && text_is(strings_get(telling->feed->strings, category), producer->backward);
}

static status tell_arrow(struct chrome_telling *telling, const struct told_event *told)
{
    struct tell_thread *thread = told->thread;
    struct tell_pending *pending = &thread->pending;
    uint64_t key = chrome_id(&told->event, told->category, told->name);
    bool here = pending->any && pending->end >= told->time;
    uint32_t flow;
    status code = STATUS_OK;

    if (told->event.phase == 'f')
        flow = tell_find_flow(&telling->flows, key);
    else
        code = add_arrow(telling, key, &flow);
    if (code != STATUS_OK || !flow)
        return code;
    if (told->event.phase == 'f' && !text_is(told->event.bind, "e") &&
        !(here && pending->slice.start + telling->origin == told->time))
        return add_flow(&thread->next_flows, &thread->next_flow_count, &thread->next_flow_capacity, flow);
    if (!here)
        return chrome_lose(telling->trace,
                           thread->reach >= told->time || thread->begun_count ? &chrome_loss_late_arrow
                                                                              : &chrome_loss_arrow,
                           told->offset);
    if (told->event.phase == 's' && is_backward(telling, told->category))
        code = hand_on(telling, told, flow);
    return code == STATUS_OK ? add_flow(&pending->flows, &pending->flow_count, &pending->flow_capacity, flow) : code;
}

/* ---- Events ------------------------------------------------------------------------------------------------------- */

/* Its rule, and the line that this puts it on. */
static void find_rule(struct chrome_telling *telling, struct told_event *told)
{
    rule_set fit = chrome_rules_fit(&telling->trace->rules, told->category, told->name, told->event.arguments);

    told->rule = chrome_rule(&telling->trace->rules, fit & told->thread->fit);
    told->line = line_of(told->thread, chrome_engine(telling->trace, told->rule));
}

/* Work of a device whose clock is a little ahead of the host's: it waits for its launch. */
static bool has_to_wait(const struct chrome_telling *telling, const struct told_event *told, int64_t *wait)
{
    const struct chrome_launch *launch =
        told->rule && told->rule->role == ROLE_WORK ? launch_of(telling, told->offset) : NULL;

    if (!launch || launch->correlation & CHROME_TOLD || launch->time < told->time)
        return false;
    *wait = launch->time;
    return true;
}

status tell_thread_event(struct chrome_telling *telling, uint32_t place, uint64_t offset, int64_t time, int64_t *wait)
{
    struct told_event told = { .place = place, .thread = &telling->threads[place], .offset = offset, .time = time };
    status code = chrome_pages_event(&telling->pages, offset, &told.event, &telling->members);

    if (code == STATUS_OK)
        code = chrome_text(&telling->trace->texts, told.event.name, &told.name);
    if (code == STATUS_OK)
        code = chrome_text(&telling->trace->texts, told.event.category, &told.category);
    if (code != STATUS_OK)
        return code;
    switch (told.event.phase) {
    case 'E':
        return tell_end(telling, &told);
    case 's':
    case 't':
    case 'f':
        return tell_arrow(telling, &told);
    default:
        break;
    }
    find_rule(telling, &told);
    if (told.event.phase != 'X' && told.event.phase != 'B')
        return tell_instant(telling, &told);
    if (wait && has_to_wait(telling, &told, wait))
        return STATUS_OK;
    return tell_slice(telling, &told);
}

status tell_finish_thread(struct chrome_telling *telling, struct tell_thread *thread)
{
    status code = settle(telling, thread);

    for (uint32_t i = 0; i < thread->line_count && code == STATUS_OK; i++) {
        struct tell_line *line = &thread->lines[i];

        while (line->count && code == STATUS_OK) {
            struct tell_open *open = &line->open[--line->count];

            if (open->end == INT64_MAX) {
                losses_mark(&telling->feed->losses, &loss_begin_without_end, 1);
                open->end = telling->trace->last;
            }
            code = end_slice(telling, open, open->end);
        }
    }
    return code;
}
