#include "torq/annotate_shared.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "torq/location.h"

void joined_add(struct joined *joined, const char *separator, const char *part)
{
    int written;

    if (joined->length >= sizeof joined->text - 1) {
        joined->cut = true;
        return;
    }
    written = snprintf(joined->text + joined->length, sizeof joined->text - joined->length, "%s%s",
                       joined->length ? separator : "", part);
    joined->length += written > 0 ? (size_t)written : 0;
    joined->cut = joined->cut || joined->length >= sizeof joined->text;
}

/* Is this part in the text already, as a whole? */
static bool has_part(const struct joined *joined, const char *separator, const char *part)
{
    size_t length = strlen(part), gap = strlen(separator);

    for (const char *at = strstr(joined->text, part); at; at = strstr(at + 1, part)) {
        bool begins =
            at == joined->text || ((size_t)(at - joined->text) >= gap && memcmp(at - gap, separator, gap) == 0);

        if (begins && (!at[length] || strncmp(at + length, separator, gap) == 0))
            return true;
    }
    return false;
}

/* ---- operators of a location ------------------------------------------------------------------------------------- */

/* Half of "tosa.add@L55" would name another line: it goes in whole or not at all. */
static void add_operator(struct joined *joined, const char *separator, const char *part)
{
    if (joined->length + strlen(separator) + strlen(part) < sizeof joined->text)
        joined_add(joined, separator, part);
    else
        joined->cut = true;
}

static int by_line(const void *left, const void *right)
{
    const struct location_place *const *a = left, *const *b = right;

    return ((*a)->line > (*b)->line) - ((*a)->line < (*b)->line);
}

status original_operators(const struct annotation *annotation, string_id location, const char *separator,
                          bool callees_by_line, struct joined *joined)
{
    struct text text = strings_get(annotation->strings, location);
    const struct location_place *places[LOCATION_PLACES];
    struct location parsed;
    size_t count = 0;

    *joined = (struct joined){ 0 };
    if (!annotation->origin || !text.length)
        return STATUS_OK;
    location_parse(text.data, text.length, &parsed);
    joined->cut = parsed.count > LOCATION_PLACES;
    for (size_t i = 0; i < parsed.count && i < LOCATION_PLACES; i++)
        if (!callees_by_line || !parsed.places[i].caller)
            places[count++] = &parsed.places[i];
    if (callees_by_line)
        qsort(places, count, sizeof *places, by_line);
    for (size_t i = 0; i < count; i++) {
        char part[256];
        int length;
        string_id name;
        status code = origin_operator(annotation->origin, places[i]->file, places[i]->line, &name);

        if (code != STATUS_OK)
            return code;
        if (!name)
            continue;
        length = snprintf(part, sizeof part, "%s@L%u", strings_text(annotation->strings, name), places[i]->line);
        if (length < 0 || (size_t)length >= sizeof part)
            joined->cut = true;
        else if (!has_part(joined, separator, part))
            add_operator(joined, separator, part);
    }
    return STATUS_OK;
}

/* ---- the program's side of a measured row ------------------------------------------------------------------------ */

bool annotate_find_dispatch(const struct program *program, string_id name, uint32_t *index)
{
    *index = program->chosen;
    if (!name)
        return program->dispatches.count > 0;
    for (uint32_t i = 0; i < program->dispatches.count; i++) {
        if (program_dispatch(program, i)->name == name) {
            *index = i;
            return true;
        }
    }
    return false;
}

bool annotate_find_action(const struct program *program, uint32_t dispatch, int64_t id, uint32_t *position)
{
    const struct program_dispatch *owner = program_dispatch(program, dispatch);

    for (uint32_t low = 0, high = owner->action_count; low < high;) {
        uint32_t middle = low + (high - low) / 2;
        int64_t found = program_action(program, owner->first_action + middle)->id;

        if (found == id) {
            *position = middle;
            return true;
        }
        if (found < id)
            low = middle + 1;
        else
            high = middle;
    }
    return false;
}

/* ---- executions of dispatches ------------------------------------------------------------------------------------ */

static struct dispatch_run *add_execution(struct executions *executions, const struct program *program,
                                          uint32_t dispatch, int64_t invocation)
{
    struct dispatch_run *execution;

    if (memory_grow(&executions->items, &executions->capacity, executions->count + 1, sizeof *executions->items) !=
        STATUS_OK)
        return NULL;
    execution = &executions->items[executions->count];
    *execution = (struct dispatch_run){ .dispatch = dispatch, .invocation = invocation, .measured = true };
    execution->rows =
        memory_allocate_clear((program_dispatch(program, dispatch)->action_count + 1) * sizeof *execution->rows);
    if (!execution->rows)
        return NULL;
    executions->count++;
    return execution;
}

/* Invocations come one after the other as a rule, so the search starts at the newest. */
static struct dispatch_run *find_execution(const struct executions *executions, int64_t invocation)
{
    for (size_t i = executions->count; i-- > 0;)
        if (executions->items[i].invocation == invocation)
            return &executions->items[i];
    return NULL;
}

status executions_collect(struct executions *executions, struct annotation *annotation)
{
    const struct program *program = annotation->program;

    for (size_t i = 0; i < annotation->measured->rows.count; i++) {
        const struct measured_row *row = measured_row(annotation->measured, i);
        struct dispatch_run *execution;
        uint32_t dispatch, position;

        if (row->kind != MEASURED_ACTION)
            continue;
        if (!annotate_find_dispatch(program, row->dispatch, &dispatch) ||
            !annotate_find_action(program, dispatch, row->id, &position)) {
            annotation->unmatched++;
            continue;
        }
        execution = find_execution(executions, row->invocation);
        /* A log without invocations that runs the dispatch again repeats its action ids. */
        if (!execution || execution->dispatch != dispatch || (row->invocation < 0 && execution->rows[position]))
            execution = add_execution(executions, program, dispatch, row->invocation);
        if (!execution)
            return status_no_memory("annotating");
        execution->rows[position] = row;
    }
    return STATUS_OK;
}

status executions_add_inits(struct executions *executions, const struct annotation *annotation)
{
    for (size_t i = 0; i < annotation->measured->rows.count; i++) {
        const struct measured_row *row = measured_row(annotation->measured, i);
        struct dispatch_run *execution;
        uint32_t dispatch;

        if (row->kind != MEASURED_INIT || !annotate_find_dispatch(annotation->program, row->dispatch, &dispatch))
            continue;
        execution = add_execution(executions, annotation->program, dispatch, row->invocation);
        if (!execution)
            return status_no_memory("annotating");
        execution->measured = false;
    }
    return STATUS_OK;
}

void executions_free(struct executions *executions)
{
    for (size_t i = 0; i < executions->count; i++)
        memory_free(executions->items[i].rows);
    memory_free(executions->items);
}
