/* chrome_look.c: the first walk: names, where events lie, and what a producer's rules need to know of all of them. */
#include <assert.h>
#include <string.h>

#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include "read/chain.h"
#include "read/chrome_trace.h"

enum { BUFFER = 1 << 20, SMALL_BUFFER = 16 * 1024 }; /* of most files, and of those that are smaller */

/* The bytes that are walked through. */
struct looking {
    struct chrome_trace *trace; /* borrowed */
    char *buffer;               /* owned, with a pad behind what is in it */
    size_t capacity;            /* of buffer, without the pad */
    char *next, *end;           /* in it */
    uint64_t offset;            /* of the buffer in the file */
    bool all;                   /* the file has no more */
    bool stop;                  /* nothing that comes can be used */
};

static uint64_t offset_of(const struct looking *looking, const char *at)
{
    return looking->offset + (uint64_t)(at - looking->buffer);
}

/* More bytes behind those that are not used yet. */
static status refill(struct looking *looking)
{
    size_t kept = (size_t)(looking->end - looking->next), got;
    status code = STATUS_OK;

    looking->offset = offset_of(looking, looking->next);
    memmove(looking->buffer, looking->next, kept);
    if (kept == looking->capacity) {
        char *grown = kept < CHROME_EVENT_MOST ? memory_resize(looking->buffer, kept * 2 + CHROME_PAD) : NULL;

        if (!grown)
            return status_no_memory("reading a very long event");
        looking->buffer = grown;
        looking->capacity = kept * 2;
    }
    code = input_read_at(looking->trace->source->input, looking->offset + kept, looking->buffer + kept,
                         looking->capacity - kept, &got);
    looking->next = looking->buffer;
    looking->end = looking->buffer + kept + got;
    looking->all = !got;
    chrome_pad(looking->end);
    if (looking->trace->source->progress)
        progress_update(looking->trace->source->progress, looking->offset / 2);
    return code;
}

/* ---- What a slice is to its producer ------------------------------------------------------------------------------ */

static void keep_seen(struct chrome_thread *thread, rule_set fit)
{
    for (uint32_t i = 0; i < thread->seen_count; i++)
        if (thread->seen[i] == fit)
            return;
    if (thread->seen_count < CHROME_SETS_SEEN)
        thread->seen[thread->seen_count++] = fit;
    else
        thread->seen[CHROME_SETS_SEEN - 1] |= fit;
}

/* The number that stands behind a beginning of the name, or in an argument; -1: none. */
static int64_t number_of_run(const struct chrome_trace *trace, const struct chrome_event *event)
{
    const char *told = trace->producer->run_number;
    struct text text = told ? chrome_find_member(event->arguments, told) : (struct text){ NULL, 0 };
    int64_t number;

    if (!told)
        return -1;
    if (!text.data) {
        text = event->name;
        if (!text.data || !text_cut_start(&text, told))
            return -1;
    }
    return number_parse_integer(text.data, text.length, &number) && number >= 0 ? number : -1;
}

static status keep_step(struct chrome_trace *trace, uint32_t thread, const struct chrome_event *event, rule_set fit,
                        int64_t start, int64_t end)
{
    struct chrome_step *step = column_append(&trace->steps);

    if (!step)
        return status_no_memory("keeping runs");
    *step = (struct chrome_step){ .process = chrome_thread_at(trace, thread)->process,
                                  .thread = thread,
                                  .fit = fit,
                                  .start = start,
                                  .host_end = event->phase == 'X' ? end : INT64_MAX,
                                  .number = number_of_run(trace, event),
                                  .run = NO_ID };
    return STATUS_OK;
}

static status keep_launch(struct chrome_trace *trace, uint64_t correlation, int64_t time)
{
    status code =
        memory_grow(&trace->launches, &trace->launch_capacity, trace->launch_count + 1, sizeof *trace->launches);

    if (code == STATUS_OK)
        trace->launches[trace->launch_count++] = (struct chrome_launch){ .correlation = correlation, .time = time };
    return code;
}

static status keep_work(struct chrome_trace *trace, uint64_t correlation, int64_t end)
{
    struct chrome_work *work = column_append(&trace->work);

    if (!work)
        return status_no_memory("keeping runs");
    *work = (struct chrome_work){ end, correlation };
    return STATUS_OK;
}

/* A text that an argument tells; 0: none does. */
static status find_text(struct chrome_trace *trace, const struct chrome_event *event, const char *key, string_id *id)
{
    struct text value = key ? chrome_find_member(event->arguments, key) : (struct text){ NULL, 0 };

    *id = 0;
    return value.data ? chrome_text(&trace->texts, value, id) : STATUS_OK;
}

/* Work belongs to the event before it in the file, if it names that. Else it is kept as a launch of nothing, so that no search takes it for work of the
 * one before. */
static status keep_behind(struct chrome_trace *trace, const struct chrome_event *event, uint64_t offset, int64_t end)
{
    struct chrome_host *host = &trace->host;
    string_id parent, type = 0;
    status code = find_text(trace, event, trace->producer->parent, &parent);

    if (code == STATUS_OK && !parent)
        code = find_text(trace, event, trace->producer->type, &type);
    if (code != STATUS_OK)
        return code;
    if (!host->any || (parent ? parent != host->name : !type || type != host->type)) {
        host->any = false; /* what comes then stands behind this one */
        return keep_launch(trace, offset, INT64_MIN);
    }
    if (!host->launches)
        code = keep_launch(trace, host->offset, host->time);
    host->launches = true;
    return code == STATUS_OK ? keep_work(trace, host->offset, end) : code;
}

static status look_at_order(struct chrome_trace *trace, const struct chrome_event *event, string_id name, bool work,
                            uint64_t offset, int64_t start, int64_t end)
{
    if (work)
        return keep_behind(trace, event, offset, end);
    trace->host = (struct chrome_host){ .any = true, .offset = offset, .time = start, .name = name };
    return find_text(trace, event, trace->producer->type, &trace->host.type);
}

static status look_at_roles(struct chrome_trace *trace, uint32_t thread, const struct chrome_event *event,
                            uint64_t offset, int64_t start, int64_t end)
{
    const struct chrome_rules *rules = &trace->rules;
    string_id category, name;
    rule_set fit;
    status code = chrome_text(&trace->texts, event->category, &category);

    if (code == STATUS_OK)
        code = chrome_text(&trace->texts, event->name, &name);
    if (code != STATUS_OK)
        return code;
    fit = chrome_rules_fit(&trace->rules, category, name, event->arguments);
    keep_seen(chrome_thread_at(trace, thread), fit);
    if (fit & rules->roles[ROLE_RUN] && event->phase != 'i')
        code = keep_step(trace, thread, event, fit, start, end);
    trace->has_work |= (fit & rules->roles[ROLE_WORK]) != 0;
    if (code == STATUS_OK && trace->producer->parent && event->phase == 'X')
        code = look_at_order(trace, event, name, (fit & rules->roles[ROLE_WORK]) != 0, offset, start, end);
    if (code == STATUS_OK && fit & (rules->roles[ROLE_LAUNCH] | rules->roles[ROLE_WORK]) &&
        trace->producer->correlation) {
        struct text value = chrome_find_member(event->arguments, trace->producer->correlation);

        if (value.data && fit & rules->roles[ROLE_LAUNCH])
            code = keep_launch(trace, chrome_correlation(value), start);
        if (code == STATUS_OK && value.data && fit & rules->roles[ROLE_WORK])
            code = keep_work(trace, chrome_correlation(value), end);
    }
    return code;
}

/* The end of an arrow, where it is one to a derivative. */
static status keep_derivative(struct chrome_trace *trace, uint32_t thread, const struct chrome_event *event,
                              int64_t time)
{
    const char *backward = trace->producer->backward;
    string_id category, name;
    status code;

    if (!backward || !text_is(event->category, backward))
        return STATUS_OK;
    code = chrome_text(&trace->texts, event->category, &category);
    if (code == STATUS_OK)
        code = chrome_text(&trace->texts, event->name, &name);
    if (code == STATUS_OK)
        code = memory_grow(&trace->derivatives, &trace->derivative_capacity, trace->derivative_count + 1,
                           sizeof *trace->derivatives);
    if (code == STATUS_OK)
        trace->derivatives[trace->derivative_count++] =
            (struct chrome_derivative){ .thread = thread, .time = time, .arrow = chrome_id(event, category, name) };
    return code;
}

/* ---- Events ------------------------------------------------------------------------------------------------------- */

static void widen(struct chrome_trace *trace, int64_t start, int64_t end)
{
    trace->first = trace->any && trace->first < start ? trace->first : start;
    trace->last = trace->any && trace->last > end ? trace->last : end;
    trace->any = true;
}

/* What decides which of several events at one time comes first. */
static enum chrome_kind kind_of(char phase)
{
    switch (phase) {
    case 'X':
        return CHROME_COMPLETE;
    case 'E':
        return CHROME_END;
    case 'i':
        return CHROME_INSTANT;
    default:
        return CHROME_REST;
    }
}

static status look_at_slice(struct chrome_trace *trace, const struct chrome_event *event, int64_t time, uint64_t offset)
{
    int64_t duration = 0;
    uint32_t place;
    struct chrome_thread *thread;
    status code;

    if (event->phase == 'X' && !event->duration.data)
        return chrome_lose(trace, &chrome_loss_duration, offset);
    if (event->phase == 'X' && !chrome_time(event->duration, &duration))
        return chrome_lose(trace, &loss_number, offset);
    if (duration < 0)
        return chrome_lose(trace, &loss_end_before_start, offset);
    if (!event->id.data && !event->id2.data && strchr("stf", event->phase))
        return chrome_lose(trace, &chrome_loss_id, offset);
    code = chrome_find_thread(trace, event, &place);
    if (code != STATUS_OK)
        return code;
    thread = chrome_thread_at(trace, place);
    thread->pairs |= event->phase == 'B' || event->phase == 'E';
    thread->drawn |= event->phase != 's' && event->phase != 't' && event->phase != 'f' && event->phase != 'E';
    if (event->phase == 'B' || event->phase == 'E')
        code = chrome_look_at_end(trace, thread, event, time, offset);
    if (code != STATUS_OK)
        return code;
    widen(trace, time, time + duration);
    if (trace->producer && (event->phase == 'X' || event->phase == 'B' || event->phase == 'i'))
        code = look_at_roles(trace, place, event, offset, time, time + duration);
    if (trace->producer && event->phase == 'f')
        code = keep_derivative(trace, place, event, time);
    return code == STATUS_OK ? chrome_line_add(&thread->line, time, offset, kind_of(event->phase)) : code;
}

static status look_at_span(struct chrome_trace *trace, const struct chrome_event *event, int64_t time, uint64_t offset)
{
    uint32_t process;
    status code;

    if (!event->id.data && !event->id2.data)
        return chrome_lose(trace, &chrome_loss_id, offset);
    code = chrome_find_process(trace, event->pid, &process);
    if (code != STATUS_OK)
        return code;
    widen(trace, time, time);
    return chrome_line_add(&chrome_process_at(trace, process)->spans, time, offset, CHROME_REST);
}

static status look_at_counter(struct chrome_trace *trace, const struct chrome_event *event, int64_t time,
                              uint64_t offset)
{
    bool object = event->arguments.length && *event->arguments.data == '{';
    const char *next = object ? event->arguments.data + 1 : NULL;
    const char *end = object ? event->arguments.data + event->arguments.length : NULL;
    struct chrome_member member;
    bool decimal, any = false;
    int64_t integer;
    double number;
    uint32_t process;
    string_id name, key;
    status code = chrome_find_process(trace, event->pid, &process);

    if (code == STATUS_OK)
        code = chrome_text(&trace->texts, event->name, &name);
    while (code == STATUS_OK && object && chrome_next_member(&next, end, &member)) {
        struct chrome_series *series;

        if (!chrome_counter_value(&member, &decimal, &integer, &number))
            continue;
        any = true;
        code = chrome_text(&trace->texts, member.key, &key);
        if (code == STATUS_OK)
            code = chrome_find_series(trace, process, name, key, &series);
        if (code == STATUS_OK)
            series->decimal |= decimal;
    }
    if (code != STATUS_OK || !any)
        return code == STATUS_OK ? chrome_lose(trace, &chrome_loss_counter, offset) : code;
    widen(trace, time, time);
    return chrome_line_add(&chrome_process_at(trace, process)->counters, time, offset, CHROME_REST);
}

/* An engine by its key, of the core or of a chain: a trace that Tacho wrote tells it with the name of a thread. */
static const struct engine *find_engine(struct text key)
{
    for (const struct engine *const *engine = core_engines; *engine && key.data; engine++)
        if (text_is(key, (*engine)->key))
            return *engine;
    for (const struct chain *const *chain = chains; *chain && key.data; chain++)
        for (const struct engine *const *engine = (*chain)->engines; engine && *engine; engine++)
            if (text_is(key, (*engine)->key))
                return *engine;
    return NULL;
}

static status look_at_thread_name(struct chrome_trace *trace, const struct chrome_event *event, struct text value,
                                  bool sort)
{
    uint32_t place;
    status code = chrome_find_thread(trace, event, &place);

    if (code == STATUS_OK && sort)
        number_parse_integer(value.data, value.length, &chrome_thread_at(trace, place)->sort);
    if (code != STATUS_OK || sort)
        return code;
    if (!trace->producer)
        chrome_thread_at(trace, place)->engine = find_engine(chrome_find_member(event->arguments, "engine"));
    return chrome_text(&trace->texts, value, &chrome_thread_at(trace, place)->name);
}

/* Names and orders of processes and threads. What else is told in such an event nobody needs here. */
static status look_at_name(struct chrome_trace *trace, const struct chrome_event *event)
{
    bool of_thread = text_begins(event->name, "thread_");
    struct text what = event->name, value;
    struct chrome_process *process;
    uint32_t place;
    status code;

    if (!what.data || (!text_cut_start(&what, "thread_") && !text_cut_start(&what, "process_")))
        return what.data ? chrome_look_at_own(trace, event) : STATUS_OK;
    value = chrome_find_member(event->arguments, text_is(what, "sort_index") ? "sort_index"
                                                 : text_is(what, "labels")   ? "labels"
                                                                             : "name");
    if (!value.data || (!text_is(what, "name") && !text_is(what, "labels") && !text_is(what, "sort_index")))
        return STATUS_OK;
    if (of_thread)
        return look_at_thread_name(trace, event, value, text_is(what, "sort_index"));
    code = chrome_find_process(trace, event->pid, &place);
    if (code != STATUS_OK)
        return code;
    process = chrome_process_at(trace, place);
    if (text_is(what, "sort_index"))
        number_parse_integer(value.data, value.length, &process->sort);
    else
        code = chrome_text(&trace->texts, value, text_is(what, "name") ? &process->name : &process->labels);
    return code;
}

static status look_at_event(struct chrome_trace *trace, struct chrome_event *event, uint64_t offset)
{
    enum { EMPTY = 2 }; /* its brackets */
    int64_t time;

    trace->feed->losses.rows++;
    if (event->phase == 'M' || (!event->phase && event->length <= EMPTY))
        return event->phase ? look_at_name(trace, event) : STATUS_OK;
    if (!event->phase)
        return chrome_lose(trace, &chrome_loss_phase, offset);
    if (!strchr("XBEiIRbnestfC", event->phase))
        return chrome_lose(trace, &chrome_loss_phase, offset);
    if (!event->time.data)
        return chrome_lose(trace, &chrome_loss_time, offset);
    if (!chrome_time(event->time, &time))
        return chrome_lose(trace, &loss_number, offset);
    if (event->phase == 'C')
        return look_at_counter(trace, event, time, offset);
    if (event->phase == 'b' || event->phase == 'n' || event->phase == 'e')
        return look_at_span(trace, event, time, offset);
    if (event->phase == 'I' || event->phase == 'R')
        event->phase = 'i';
    return look_at_slice(trace, event, time, offset);
}

/* ---- The document ------------------------------------------------------------------------------------------------- */

static status note_end(struct looking *looking, const char *what, uint64_t offset)
{
    struct chrome_trace *trace = looking->trace;
    uint64_t line, column;
    string_id note;
    status code = chrome_place(&trace->places, trace->source->input, offset, &line, &column);

    looking->stop = true;
    if (code == STATUS_OK)
        code = strings_add_format(trace->feed->strings, &note,
                                  "the file %s at line %llu, column %llu: the events before that are used", what,
                                  (unsigned long long)line, (unsigned long long)column);
    if (code == STATUS_OK)
        source_note(trace->source, strings_text(trace->feed->strings, note));
    return code;
}

/* Something that is no JSON, or that the file ends in. An event is a row. */
static status give_up(struct looking *looking, const char *where, bool broken, bool event)
{
    struct chrome_trace *trace = looking->trace;
    const struct loss_reason *reason = broken ? &chrome_loss_broken : &chrome_loss_cut;
    uint64_t offset = offset_of(looking, where);
    status code = STATUS_OK;

    if (event) {
        trace->feed->losses.rows++;
        code = chrome_lose(trace, reason, offset);
    }
    return code == STATUS_OK ? note_end(looking, broken ? "is no JSON" : "is cut off", offset) : code;
}

/* Bytes up to the next that is no blank. False: there is none. */
static status skip_blanks(struct looking *looking, bool *found)
{
    status code = STATUS_OK;

    while (code == STATUS_OK) {
        looking->next += chrome_skip_blanks(looking->next) - looking->next;
        if (looking->next < looking->end || looking->all)
            break;
        looking->next = looking->end;
        code = refill(looking);
    }
    *found = looking->next < looking->end;
    return code;
}

/* The event at the bracket that is next. */
static status take_event(struct looking *looking)
{
    struct chrome_event event;
    const char *where;
    status code = STATUS_OK;

    for (;;) {
        enum chrome_scan found = chrome_event_scan(looking->next, looking->end, &event, NULL, &where);

        if (found == CHROME_WHOLE)
            break;
        if (found == CHROME_BROKEN || looking->all)
            return give_up(looking, found == CHROME_BROKEN ? where : looking->end, found == CHROME_BROKEN, true);
        code = refill(looking);
        if (code != STATUS_OK)
            return code;
    }
    code = look_at_event(looking->trace, &event, offset_of(looking, looking->next));
    looking->next += event.length;
    return code;
}

/* The elements of the array whose bracket was passed. */
static status take_events(struct looking *looking, bool open_end)
{
    bool found, whole = true; /* whole: an event was taken since the last comma, or nothing at all was */
    status code = STATUS_OK;

    while (code == STATUS_OK && !looking->stop) {
        code = skip_blanks(looking, &found);
        if (code != STATUS_OK)
            break;
        if (!found)
            return open_end && whole ? STATUS_OK : give_up(looking, looking->end, false, false);
        if (*looking->next == '{') {
            code = take_event(looking);
            whole = true;
        } else if (*looking->next == ',') {
            looking->next++;
            whole = open_end; /* writers that are killed leave a comma */
        } else if (*looking->next == ']') {
            looking->next++;
            return STATUS_OK;
        } else {
            return give_up(looking, looking->next, true, true);
        }
    }
    return code;
}

/* Passes a value of the document; `*value` is its text until more is read. */
static status take_value(struct looking *looking, struct text *value)
{
    status code = STATUS_OK;

    *value = (struct text){ NULL, 0 };
    while (code == STATUS_OK) {
        const char *next = looking->next;
        enum chrome_scan found = chrome_value_scan(&next, looking->end);

        if (found == CHROME_WHOLE) {
            *value = text_between(looking->next, next);
            looking->next += next - looking->next;
            return STATUS_OK;
        }
        if (found == CHROME_BROKEN || looking->all)
            return give_up(looking, found == CHROME_BROKEN ? next : looking->end, found == CHROME_BROKEN, false);
        code = refill(looking);
    }
    return code;
}

/* Names of stack frames by their id. */
static status take_frames(struct chrome_trace *trace, struct text value)
{
    const char *next, *end;
    struct chrome_member member;
    status code = STATUS_OK;

    if (!value.length || *value.data != '{')
        return STATUS_OK;
    next = value.data + 1;
    end = value.data + value.length;
    while (code == STATUS_OK && chrome_next_member(&next, end, &member)) {
        struct text name = member.first == '{' ? chrome_find_member(member.value, "name") : member.value;
        string_id id;
        uint32_t *known;

        code = chrome_text(&trace->texts, member.key, &id);
        known = code == STATUS_OK ? number_map_at(&trace->frames, id, 0) : NULL;
        if (code == STATUS_OK && !known)
            code = status_no_memory("keeping stack frames");
        if (code == STATUS_OK)
            code = chrome_text(&trace->texts, name, known);
    }
    return code;
}

/* A key of the document, and what it has: the quote of the key is next. */
static status take_key(struct looking *looking)
{
    struct text raw, value;
    bool found, events, frames;
    status code = take_value(looking, &raw);

    if (code != STATUS_OK || looking->stop)
        return code;
    events = text_is(raw, "\"traceEvents\"");
    frames = text_is(raw, "\"stackFrames\"");
    code = skip_blanks(looking, &found);
    if (code != STATUS_OK || !found || *looking->next != ':')
        return code != STATUS_OK ? code : give_up(looking, looking->next, found, false);
    looking->next++;
    code = skip_blanks(looking, &found);
    if (code == STATUS_OK && events && found && *looking->next == '[') {
        looking->next++;
        return take_events(looking, false);
    }
    if (code == STATUS_OK)
        code = take_value(looking, &value);
    return code == STATUS_OK && frames ? take_frames(looking->trace, value) : code;
}

static status take_document(struct looking *looking)
{
    bool found;
    status code = STATUS_OK;

    looking->next++; /* the bracket */
    while (code == STATUS_OK && !looking->stop) {
        code = skip_blanks(looking, &found);
        if (code != STATUS_OK)
            break;
        if (!found)
            return give_up(looking, looking->end, false, false);
        if (*looking->next == '}') {
            looking->next++;
            return STATUS_OK;
        }
        if (*looking->next == ',')
            looking->next++;
        else if (*looking->next == '"')
            code = take_key(looking);
        else
            return give_up(looking, looking->next, true, false);
    }
    return code;
}

/* Behind the trace there should be nothing; two files that were put into one are one trace behind another. */
static status look_behind(struct looking *looking)
{
    struct chrome_trace *trace = looking->trace;
    uint64_t offset;
    bool found;
    status code;

    if (looking->stop)
        return STATUS_OK;
    code = skip_blanks(looking, &found);
    if (code != STATUS_OK || !found)
        return code;
    offset = offset_of(looking, looking->next);
    if (*looking->next == '{' || *looking->next == '[') {
        trace->feed->losses.rows++;
        code = chrome_lose(trace, &chrome_loss_another, offset);
    }
    return code == STATUS_OK ? note_end(looking, "has something behind its trace", offset) : code;
}

static status look_at_all(struct looking *looking)
{
    static const char mark[] = "\xEF\xBB\xBF";
    bool found;
    status code = refill(looking);

    if (code == STATUS_OK && looking->end - looking->next >= 3 && memcmp(looking->next, mark, 3) == 0)
        looking->next += 3;
    if (code == STATUS_OK)
        code = skip_blanks(looking, &found);
    if (code != STATUS_OK)
        return code;
    if (found && *looking->next == '[') {
        looking->next++;
        code = take_events(looking, true);
        return code == STATUS_OK ? look_behind(looking) : code;
    }
    if (found && *looking->next == '{') {
        code = take_document(looking);
        return code == STATUS_OK ? look_behind(looking) : code;
    }
    return status_fail_at(STATUS_INPUT, (struct place){ .file = input_name(looking->trace->source->input) },
                          "has no trace events: it is neither a JSON object nor an array");
}

status chrome_look(struct chrome_trace *trace)
{
    uint64_t size = input_size(trace->source->input);
    struct looking looking = { .trace = trace, .capacity = size && size < SMALL_BUFFER ? SMALL_BUFFER : BUFFER };
    status code;

    looking.buffer = memory_allocate(looking.capacity + CHROME_PAD);
    if (!looking.buffer)
        return status_no_memory("reading events");
    looking.next = looking.end = looking.buffer;
    code = look_at_all(&looking);
    chrome_sort_ends(trace);
    trace->size = looking.offset + (uint64_t)(looking.end - looking.buffer);
    memory_free(looking.buffer);
    return code;
}
