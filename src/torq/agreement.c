/* agreement.c: actions of a log held against those of a program. */
#include "torq/agreement.h"

#include <assert.h>

#include "base/memory.h"
#include "torq/companions.h"
#include "torq/location.h"

enum { SHORT_PLACE = 160 };

status agreement_start(struct agreement *agreement, const struct source *source, const struct join *join)
{
    const struct program *program = torq_program(source);
    size_t most;

    assert(source && join);
    *agreement = (struct agreement){ .source = source, .join = join };
    if (!program || source->force_companion)
        return STATUS_OK;
    most = program->actions.count > program->jobs.count ? program->actions.count : program->jobs.count;
    agreement->program = program;
    agreement->placed = memory_allocate_clear(most ? most : 1);
    return agreement->placed ? STATUS_OK : status_no_memory("comparing log and program");
}

void agreement_free(struct agreement *agreement)
{
    memory_free(agreement->placed);
    *agreement = (struct agreement){ 0 };
}

/* ---- Refusals ---- */

static struct place place_of(const struct agreement *agreement, uint64_t line)
{
    const struct source *source = agreement->source;

    return (struct place){ source->input ? input_name(source->input) : source->path, line, 0 };
}

static const char *name_of(const struct agreement *agreement)
{
    const char *path = settings_get(agreement->source->settings, "mlir");

    return path ? path : "the program";
}

static const char insist[] = "--force-companion uses it all the same";

static const char *dispatch_of(const struct agreement *agreement, uint32_t index)
{
    return strings_text(agreement->program->strings, program_dispatch(agreement->program, index)->name);
}

static status refuse_count(const struct agreement *agreement, const struct agreement_row *row, uint32_t dispatch)
{
    return status_fail_at(
        STATUS_INPUT, place_of(agreement, row->line),
        "%s is not the program of this log: its dispatch %s has %u actions and none with the id %lld, "
        "which is %s here; %s",
        name_of(agreement), dispatch_of(agreement, dispatch),
        program_dispatch(agreement->program, dispatch)->action_count, (long long)row->action,
        torq_event_name(row->event), insist);
}

static status refuse_kind(const struct agreement *agreement, const struct agreement_row *row,
                          const struct program_action *action)
{
    static const char *const kinds[] = { "",          " of the host",       " of a job",
                                         " of a job", " of a host program", " of a host program" };

    return status_fail_at(
        STATUS_INPUT, place_of(agreement, row->line),
        "%s is not the program of this log: action %lld of the dispatch %s is %s here and %s%s there; "
        "%s",
        name_of(agreement), (long long)row->action, dispatch_of(agreement, action->dispatch),
        torq_event_name(row->event), strings_text(agreement->program->strings, action->operation), kinds[action->kind],
        insist);
}

static status refuse_place(const struct agreement *agreement, const char *what, long long number, string_id here,
                           string_id there, uint64_t line)
{
    struct text texts[2] = { strings_get(agreement->program->strings, here),
                             strings_get(agreement->program->strings, there) };
    char places[2][SHORT_PLACE];

    for (unsigned i = 0; i < 2; i++)
        location_short(texts[i].data, texts[i].length, places[i], sizeof places[i]);
    return status_fail_at(STATUS_INPUT, place_of(agreement, line),
                          "%s is not the program of this log: %s %lld comes from %s here and from %s there; %s",
                          name_of(agreement), what, number, places[0], places[1], insist);
}

/* ---- Comparisons ---- */

/* Whether an action of the program can log such an event. */
static bool kinds_agree(enum torq_event event, enum action_kind kind)
{
    switch (event) {
    case TORQ_EVENT_NSS_START:
        return kind == ACTION_JOB_START;
    case TORQ_EVENT_NSS_WAIT:
        return kind == ACTION_JOB_WAIT;
    case TORQ_EVENT_HOST_COPY:
        return kind == ACTION_HOST_COPY;
    case TORQ_EVENT_HOST_START:
        return kind == ACTION_HOST_START;
    case TORQ_EVENT_HOST_WAIT:
        return kind == ACTION_HOST_WAIT;
    case TORQ_EVENT_HOST_PROGRAM: /* one event for both in R2 */
        return kind == ACTION_HOST_START || kind == ACTION_HOST_WAIT;
    case TORQ_EVENT_ALLOC:
    case TORQ_EVENT_DEALLOC:
        return kind == ACTION_OTHER;
    default:
        return true; /* an event that we do not know */
    }
}

/* Whether every place of one location is in the other. Callers are the same for all operators of a function. */
static bool places_within(const struct location *inner, const struct location *outer)
{
    for (uint32_t i = 0; i < inner->count; i++) {
        const struct location_place *place = &inner->places[i];
        bool found = place->caller;

        for (uint32_t k = 0; k < outer->count && !found; k++)
            found = outer->places[k].line == place->line && outer->places[k].column == place->column;
        if (!found)
            return false;
    }
    return true;
}

static bool has_places(const struct location *location)
{
    bool found = false;

    for (uint32_t i = 0; i < location->count && i < LOCATION_PLACES; i++)
        found |= !location->places[i].caller;
    return location->valid && found && location->count <= LOCATION_PLACES;
}

/* Lines and columns, not the names of files: a model may be compiled again from elsewhere. Some generations of the log give a fused
 * operator whole, others a part of it. A location without a place can be any. */
static bool places_agree(const struct strings *strings, string_id here, string_id there)
{
    struct text one = strings_get(strings, here), other = strings_get(strings, there);
    struct location locations[2];

    if (here == there || !one.length || !other.length)
        return true;
    location_parse(one.data, one.length, &locations[0]);
    location_parse(other.data, other.length, &locations[1]);
    return !has_places(&locations[0]) || !has_places(&locations[1]) || places_within(&locations[0], &locations[1]) ||
           places_within(&locations[1], &locations[0]);
}

/* Whether the program has the dispatch of a row, and which it is. */
static bool find_dispatch(struct agreement *agreement, const struct agreement_row *row, uint32_t *dispatch)
{
    bool found = join_dispatch(agreement->join, row->dispatch, dispatch);

    agreement->met |= found;
    if (!found && !agreement->missing) {
        agreement->missing = row->dispatch;
        agreement->missing_line = row->line;
    }
    return found;
}

/* The action of an earlier row, which may have been compared then; its index in the program. */
static bool compare_once(struct agreement *agreement, uint32_t index)
{
    bool first = !agreement->placed[index];

    agreement->placed[index] = 1;
    return first;
}

status agreement_action(struct agreement *agreement, const struct agreement_row *row,
                        const struct program_action *action)
{
    uint32_t dispatch;

    if (!agreement->program || row->event == TORQ_EVENT_UNKNOWN || row->action < 0)
        return STATUS_OK;
    if (!action) {
        if (!find_dispatch(agreement, row, &dispatch) || !program_dispatch(agreement->program, dispatch)->action_count)
            return STATUS_OK;
        return refuse_count(agreement, row, dispatch);
    }
    agreement->met = true;
    if (!kinds_agree(row->event, action->kind))
        return refuse_kind(agreement, row, action);
    if (row->location &&
        compare_once(agreement, program_find_action(agreement->program, action->dispatch, action->id)) &&
        !places_agree(agreement->program->strings, row->location, action->location))
        return refuse_place(agreement, "action", (long long)row->action, row->location, action->location, row->line);
    return STATUS_OK;
}

status agreement_job(struct agreement *agreement, const struct program_job *job, string_id location, uint64_t line)
{
    if (!agreement->program || !job || !location || !compare_once(agreement, job->index) ||
        places_agree(agreement->program->strings, location, job->location))
        return STATUS_OK;
    return refuse_place(agreement, "job", (long long)job->index, location, job->location, line);
}

status agreement_finish(const struct agreement *agreement)
{
    const struct program *program = agreement->program;

    if (!program || agreement->met || !agreement->missing || !program->dispatches.count)
        return STATUS_OK;
    return status_fail_at(STATUS_INPUT, place_of(agreement, agreement->missing_line),
                          "%s is not the program of this log: it has no dispatch that ran; the first in the log is %s, "
                          "and the first in the program %s; %s",
                          name_of(agreement), strings_text(program->strings, agreement->missing),
                          dispatch_of(agreement, 0), insist);
}
