/* annotation.c: what the forms of an annotated log share: their table, operators of a location, executions of dispatches. */
#include "torq/annotation.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/text.h"
#include "torq/location.h"

status annotation_start(struct annotation *annotation)
{
    assert(annotation->program && annotation->measured && annotation->strings);
    annotation->work = memory_allocate_clear(sizeof *annotation->work);
    return annotation->work ? STATUS_OK : status_no_memory("annotating");
}

void annotation_free(struct annotation *annotation)
{
    memory_free(annotation->rows);
    memory_free(annotation->occurs);
    if (annotation->work)
        memory_free(annotation->work->pretty);
    memory_free(annotation->work);
    *annotation = (struct annotation){ 0 };
}

struct annotation_row *annotation_add(struct annotation *annotation)
{
    struct annotation_row *row;

    if (memory_grow(&annotation->rows, &annotation->capacity, annotation->count + 1, sizeof *annotation->rows) !=
        STATUS_OK)
        return NULL;
    row = &annotation->rows[annotation->count++];
    *row = (struct annotation_row){ .dispatch = NO_ID };
    return row;
}

/* ---- The table --------------------------------------------------------------------------------------------------- */

static void add_notes(const struct annotation *annotation, const struct annotation_form *form, struct table *table)
{
    unsigned long long cut = 0;

    for (size_t i = 0; i < annotation->count; i++)
        cut += annotation->rows[i].cut;
    if (form->note)
        form->note(annotation, table);
    if (annotation->unmatched)
        table_note(table, "%llu actions or jobs have no counterpart between the log and the program",
                   (unsigned long long)annotation->unmatched);
    if (cut)
        table_note(table, "%llu rows are cut: their lists of operators, places or kernels are too long for a cell",
                   cut);
}

static status check_form(const struct annotation *annotation, const struct annotation_form *form)
{
    bool jobs = !annotation->measured->has_actions;

    if (!annotation->measured->rows.count || form->needs == FORM_OF_ANY || jobs == (form->needs == FORM_OF_JOBS))
        return STATUS_OK;
    return status_fail(STATUS_USAGE, "these columns need a log %s",
                       jobs ? "of actions; this one has a row per job: use a1"
                            : "with a row per job; this one logs actions: use a2 or a3");
}

status annotation_table(struct annotation *annotation, const struct annotation_form *form,
                        const struct view_request *request, struct table **table)
{
    const struct view whole = { .name = "annotated", .title = form->title, .keys = form->keys };
    const struct view named = { .name = form->name, .title = form->title, .keys = form->keys };
    const struct view *const views[] = { &whole, &named, NULL };
    struct rows rows = { .entity = (*form->sets)->entity, .sets = form->sets, .context = annotation };
    struct view_request asked = *request;
    status code = check_form(annotation, form);

    assert(annotation->work && form->fill && form->sets && request);
    if (code == STATUS_OK)
        code = form->fill(annotation);
    if (code != STATUS_OK)
        return code;
    /* All that a form has is what is shown without a word. */
    if (asked.columns && strcmp(asked.columns, form->name) == 0)
        asked.columns = NULL;
    rows.count = annotation->count;
    code = view_table(&rows, views, &asked, table);
    if (code == STATUS_OK && annotation->work->failure != STATUS_OK) {
        table_free(*table);
        code = annotation->work->failure;
    }
    if (code == STATUS_OK && !view_asks_help(request))
        add_notes(annotation, form, *table);
    return code;
}

/* ---- Operators of a location ------------------------------------------------------------------------------------- */

void joined_add(struct joined *joined, const char *separator, const char *part)
{
    int written;

    assert(separator && part);
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

static status join_operators(const struct annotation *annotation, struct text text, const char *separator,
                             bool callees_by_line, struct joined *joined)
{
    const struct location_place *places[LOCATION_PLACES];
    struct location parsed;
    size_t count = 0;

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

const struct joined *annotation_operators(const struct annotation *annotation, string_id location,
                                          const char *separator, bool callees_by_line)
{
    struct annotation_work *work = annotation->work;
    struct text text = strings_get(annotation->strings, location);

    assert(location < strings_count(annotation->strings));
    work->text.length = 0;
    work->text.cut = false;
    work->text.text[0] = '\0';
    if (annotation->origin && text.length && work->failure == STATUS_OK)
        work->failure = join_operators(annotation, text, separator, callees_by_line, &work->text);
    return &work->text;
}

/* ---- Executions of dispatches ------------------------------------------------------------------------------------ */

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

    assert(!executions->count);
    for (size_t i = 0; i < annotation->measured->rows.count; i++) {
        const struct measured_row *row = measured_row(annotation->measured, i);
        struct dispatch_run *execution;
        uint32_t dispatch, position;

        if (row->kind != MEASURED_ACTION)
            continue;
        dispatch = program_find_dispatch(program, row->dispatch);
        position = dispatch == NO_ID ? NO_ID : program_find_action(program, dispatch, row->id);
        if (position == NO_ID) {
            annotation->unmatched++;
            continue;
        }
        position -= program_dispatch(program, dispatch)->first_action;
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

static int by_invocation(const void *left, const void *right)
{
    const struct dispatch_run *a = left, *b = right;

    return (a->invocation > b->invocation) - (a->invocation < b->invocation);
}

status executions_add_inits(struct executions *executions, const struct annotation *annotation)
{
    for (size_t i = 0; i < annotation->measured->rows.count; i++) {
        const struct measured_row *row = measured_row(annotation->measured, i);
        uint32_t dispatch = program_find_dispatch(annotation->program, row->dispatch);
        struct dispatch_run *execution;

        if (row->kind != MEASURED_INIT || dispatch == NO_ID)
            continue;
        execution = add_execution(executions, annotation->program, dispatch, row->invocation);
        if (!execution)
            return status_no_memory("annotating");
        execution->measured = false;
    }
    if (executions->count)
        qsort(executions->items, executions->count, sizeof *executions->items, by_invocation);
    return STATUS_OK;
}

void executions_free(struct executions *executions)
{
    for (size_t i = 0; i < executions->count; i++)
        memory_free(executions->items[i].rows);
    memory_free(executions->items);
}
