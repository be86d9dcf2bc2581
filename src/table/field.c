/* field.c: from fields and a request to a table. */
#include "table/field.h"

#include <assert.h>

#include "base/memory.h"
#include "base/suggest.h"
#include "base/text.h"
#include "table/view_filter.h"
#include "table/view_order.h"

static const char HELP[] = "help";

/* ---- looking up -------------------------------------------------------------------------------------------------- */

const struct field *field_next(struct field_cursor *cursor)
{
    const struct field_set *set;

    for (; (set = cursor->rows->sets[cursor->set]) != NULL; cursor->set++, cursor->field = 0) {
        if (strcmp(set->entity, cursor->rows->entity) == 0 && set->fields[cursor->field].key)
            return &set->fields[cursor->field++];
    }
    return NULL;
}

static const struct field *look_up(const struct rows *rows, struct text key)
{
    struct field_cursor cursor = { .rows = rows };
    const struct field *field;

    while ((field = field_next(&cursor)) != NULL)
        if (text_is(key, field->key))
            break;
    return field;
}

static const struct view *find_view(const struct view *const *views, struct text name)
{
    for (; *views; views++)
        if (text_is(name, (*views)->name))
            return *views;
    return NULL;
}

/* Names that could have been meant: keys, then views. */
struct names {
    struct field_cursor cursor;      /* the next key */
    const struct view *const *views; /* the next view; NULL: only keys are wanted */
};

static const char *next_name(void *context)
{
    struct names *names = context;
    const struct field *field = field_next(&names->cursor);

    if (field)
        return field->key;
    return names->views && *names->views ? (*names->views++)->name : NULL;
}

static status fail_unknown(const struct rows *rows, const struct view *const *views, struct text name,
                           const char *option)
{
    struct names names = { .cursor = { .rows = rows }, .views = views };
    const char *meant = suggest(name, next_name, &names);

    return status_fail(STATUS_USAGE, "%s: %s has no field %s\"%.*s\"%s%s%s --columns help lists what there is", option,
                       rows->entity, views ? "or view " : "", (int)name.length, name.data,
                       meant ? "; did you mean \"" : ";", meant ? meant : "", meant ? "\"?" : "");
}

status field_find(const struct rows *rows, struct text key, const char *option, const struct field **field)
{
    *field = look_up(rows, key);
    return *field ? STATUS_OK : fail_unknown(rows, NULL, key, option);
}

/* Whether a request can name it, and no other by the same name but what the data asked for. */
static bool name_is_sound(const char *name, const struct rows *rows, const struct view *const *views)
{
    struct field_cursor cursor = { .rows = rows };
    const struct field *field;
    unsigned same = 0;

    while ((field = field_next(&cursor)) != NULL)
        same += !field->get_at && strcmp(name, field->key) == 0;
    for (; *views; views++)
        same += strcmp(name, (*views)->name) == 0;
    return same == 1 && *name && *name != '-' && !strpbrk(name, " \t,~=!<>") && strcmp(name, HELP) != 0;
}

/* The field of a view with this number; NULL: there are no more. Fields that the data asked for may have the key of another: where
 * all are wanted, they are not looked up. */
static const struct field *field_at(const struct view *view, const struct rows *rows, size_t index)
{
    const struct field_set *const *set = rows->sets;

    if (view->keys)
        return view->keys[index] ? look_up(rows, text_of(view->keys[index])) : NULL;
    while (strcmp((*set)->entity, rows->entity) != 0)
        set++;
    return (*set)->fields[index].key ? &(*set)->fields[index] : NULL;
}

static bool view_knows_fields(const struct view *view, const struct rows *rows)
{
    const char *sort = view->sort && *view->sort == '-' ? view->sort + 1 : view->sort;

    for (size_t i = 0; view->keys && view->keys[i]; i++)
        if (!look_up(rows, text_of(view->keys[i])))
            return false;
    return field_at(view, rows, 0) && (!sort || look_up(rows, text_of(sort)));
}

bool view_is_sound(const struct rows *rows, const struct view *const *views)
{
    struct field_cursor cursor = { .rows = rows };
    const struct field *field;
    bool sound = *views != NULL;

    while ((field = field_next(&cursor)) != NULL)
        sound = sound && !field->get == !!field->get_at && field->description && *field->description &&
                (field->get_at || name_is_sound(field->key, rows, views));
    for (const struct view *const *view = views; *view; view++)
        sound = sound && name_is_sound((*view)->name, rows, views) && view_knows_fields(*view, rows);
    return sound;
}

/* ---- what is asked ----------------------------------------------------------------------------------------------- */

/* A view and what the request made of it. */
struct plan {
    const struct view *view;     /* gives name, title and order; NULL: none is named yet */
    const struct field **fields; /* the columns */
    size_t count;                /* of columns */
    size_t capacity;             /* of their array */
    const struct field *sort;    /* the field to sort by; NULL: as the rows come */
    bool descending;             /* the largest first */
    struct view_filter *filters; /* a row passes all */
    size_t filter_count;         /* of filters */
    uint64_t limit;              /* rows at most; UINT64_MAX: all */
    bool asked;                  /* the user named the columns */
};

static void plan_free(struct plan *plan)
{
    memory_free(plan->fields);
    memory_free(plan->filters);
}

static status add_field(struct plan *plan, const struct field *field)
{
    status code;

    for (size_t i = 0; i < plan->count; i++)
        if (plan->fields[i] == field)
            return STATUS_OK;
    code = memory_grow(&plan->fields, &plan->capacity, plan->count + 1, sizeof *plan->fields);
    if (code == STATUS_OK)
        plan->fields[plan->count++] = field;
    return code;
}

static status add_view(struct plan *plan, const struct rows *rows, const struct view *view)
{
    status code = STATUS_OK;

    if (!plan->view)
        plan->view = view;
    for (size_t i = 0; field_at(view, rows, i) && code == STATUS_OK; i++)
        code = add_field(plan, field_at(view, rows, i));
    return code;
}

static status add_name(struct plan *plan, const struct rows *rows, const struct view *const *views, struct text name)
{
    const struct field *field = look_up(rows, name);
    const struct view *view = field ? NULL : find_view(views, name);

    if (!name.length)
        return status_fail(STATUS_USAGE, "--columns wants names with commas between them; one of yours is empty");
    if (field)
        return add_field(plan, field);
    return view ? add_view(plan, rows, view) : fail_unknown(rows, views, name, "--columns");
}

static status choose_columns(struct plan *plan, const struct rows *rows, const struct view *const *views,
                             const char *columns)
{
    status code = STATUS_OK;

    if (!columns)
        return add_view(plan, rows, views[0]);
    do {
        const char *end = strchrnul(columns, ',');

        code = add_name(plan, rows, views, view_trim(columns, end));
        columns = *end ? end + 1 : NULL;
    } while (columns && code == STATUS_OK);
    if (!plan->view)
        plan->view = views[0];
    return code;
}

static status choose_order(struct plan *plan, const struct rows *rows, const char *sort)
{
    struct text key;

    if (!sort)
        return STATUS_OK;
    key = view_trim(sort, sort + strlen(sort));
    plan->descending = key.length && key.data[0] == '-';
    return field_find(rows, view_trim(key.data + plan->descending, key.data + key.length), "--sort", &plan->sort);
}

static status choose_filters(struct plan *plan, const struct rows *rows, const char *const *filters)
{
    size_t count = 0;
    status code = STATUS_OK;

    while (filters && filters[count])
        count++;
    if (!count)
        return STATUS_OK;
    plan->filters = memory_allocate(count * sizeof *plan->filters);
    if (!plan->filters)
        return status_no_memory("reading filters");
    while (plan->filter_count < count && code == STATUS_OK) {
        code = view_filter_parse(rows, filters[plan->filter_count], &plan->filters[plan->filter_count]);
        plan->filter_count++;
    }
    return code;
}

static status plan_start(struct plan *plan, const struct rows *rows, const struct view *const *views,
                         const struct view_request *request)
{
    struct field_cursor cursor = { .rows = rows };
    const struct field *field;
    status code;

    *plan = (struct plan){ .limit = request->limit ? request->limit : UINT64_MAX };
    plan->asked = request->columns != NULL;
    code = choose_columns(plan, rows, views, request->columns);
    while (request->all && code == STATUS_OK && (field = field_next(&cursor)))
        code = add_field(plan, field);
    if (code == STATUS_OK)
        code = choose_order(plan, rows, request->sort ? request->sort : plan->view->sort);
    if (code == STATUS_OK)
        code = choose_filters(plan, rows, request->filters);
    return code;
}

/* ---- the table --------------------------------------------------------------------------------------------------- */

static struct table_cell get(const struct rows *rows, const struct field *field, size_t row)
{
    struct table_cell cell =
        field->get ? field->get(rows->context, row) : field->get_at(rows->context, row, field->place);

    assert(cell.null || field->type != CELL_TEXT || cell.text);
    return cell;
}

static bool passes(const struct plan *plan, const struct rows *rows, size_t row)
{
    for (size_t i = 0; i < plan->filter_count; i++)
        if (!view_filter_passes(&plan->filters[i], get(rows, plan->filters[i].field, row)))
            return false;
    return true;
}

static void set_cell(struct table *table, size_t column, enum cell_type type, struct table_cell cell)
{
    switch (type) {
    case CELL_TEXT:
        table_set_text(table, column, cell.text);
        break;
    case CELL_INTEGER:
    case CELL_DURATION:
    case CELL_BYTES:
        table_set_integer(table, column, cell.integer);
        break;
    case CELL_DECIMAL:
    case CELL_PERCENT:
        table_set_decimal(table, column, cell.decimal);
        break;
    case CELL_BOOLEAN:
        table_set_boolean(table, column, cell.boolean);
        break;
    }
}

static void add_row(struct table *table, const struct plan *plan, const struct rows *rows, size_t row)
{
    table_add_row(table);
    for (size_t i = 0; i < plan->count; i++) {
        struct table_cell cell = get(rows, plan->fields[i], row);

        if (!cell.null)
            set_cell(table, i, plan->fields[i]->type, cell);
    }
}

/* `*passed`: rows that pass the filters, shown or not. */
static status fill_as_they_come(struct table *table, const struct plan *plan, const struct rows *rows, size_t *passed)
{
    *passed = 0;
    for (size_t row = 0; row < rows->count && table_status(table) == STATUS_OK; row++) {
        if (!passes(plan, rows, row))
            continue;
        if (++*passed <= plan->limit)
            add_row(table, plan, rows, row);
    }
    return table_status(table);
}

static status fill_sorted(struct table *table, const struct plan *plan, const struct rows *rows, size_t *passed)
{
    struct view_order order;
    status code = STATUS_OK;

    view_order_start(&order, plan->sort, plan->descending);
    for (size_t row = 0; row < rows->count && code == STATUS_OK; row++)
        if (passes(plan, rows, row))
            code = view_order_add(&order, row, get(rows, plan->sort, row));
    if (code == STATUS_OK)
        code = view_order_settle(&order);
    *passed = view_order_rows(&order);
    for (size_t place = 0; place < *passed && place < plan->limit && code == STATUS_OK; place++) {
        add_row(table, plan, rows, view_order_row(&order, place));
        code = table_status(table);
    }
    view_order_free(&order);
    return code;
}

static void note_left_out(struct table *table, size_t count, size_t passed)
{
    size_t shown = table_rows(table);

    if (shown == count)
        return;
    table_note(table, "%zu of %zu rows shown (%s%s%s)", shown, count, passed < count ? "--filter" : "",
               passed < count && shown < passed ? ", " : "", shown < passed ? "--limit" : "");
}

static struct table *start_table(const struct plan *plan)
{
    const struct view *view = plan->view;
    struct table *table = table_new(view->table ? view->table : view->name, view->title ? view->title : view->name);

    for (size_t i = 0; table && i < plan->count; i++) {
        const struct field *field = plan->fields[i];

        table_add_column(table, (struct table_column){ .name = field->key,
                                                       .title = field->title,
                                                       .unit = field->unit,
                                                       .description = field->description,
                                                       .type = field->type,
                                                       .bar = field->bar,
                                                       .optional = field->optional,
                                                       .asked = plan->asked });
    }
    return table;
}

/* The table as it is, or nothing and why. */
static status finish(struct table *made, status code, struct table **table)
{
    if (code == STATUS_OK)
        code = table_status(made);
    if (code == STATUS_OK)
        *table = made;
    else
        table_free(made);
    return code;
}

static status make_table(const struct plan *plan, const struct rows *rows, struct table **table)
{
    struct table *made = start_table(plan);
    size_t passed = 0;
    status code;

    if (!made)
        return status_no_memory("building a table");
    code = table_status(made);
    if (code == STATUS_OK)
        code = (plan->sort ? fill_sorted : fill_as_they_come)(made, plan, rows, &passed);
    if (code == STATUS_OK)
        note_left_out(made, rows->count, passed);
    return finish(made, code, table);
}

bool view_is_asked(const struct view_request *request)
{
    return request &&
           (request->columns || request->sort || request->limit || (request->filters && request->filters[0]));
}

bool view_asks_help(const struct view_request *request)
{
    return request && request->columns && strcmp(request->columns, HELP) == 0;
}

status view_table(const struct rows *rows, const struct view *const *views, const struct view_request *request,
                  struct table **table)
{
    static const struct view_request nothing;
    struct plan plan;
    status code;

    assert(view_is_sound(rows, views));
    *table = NULL;
    if (view_asks_help(request))
        return view_help(rows, views, table);
    code = plan_start(&plan, rows, views, request ? request : &nothing);
    if (code == STATUS_OK)
        code = make_table(&plan, rows, table);
    plan_free(&plan);
    return code;
}

/* ---- help -------------------------------------------------------------------------------------------------------- */

enum { HELP_KEY, HELP_TITLE, HELP_UNIT, HELP_TYPE, HELP_DESCRIPTION };

static void add_help_columns(struct table *table)
{
    table_add_column(table, (struct table_column){
                                .name = "key", .title = "Key", .description = "for --columns, --sort, --filter" });
    table_add_column(table, (struct table_column){ .name = "title",
                                                   .title = "Title",
                                                   .optional = true,
                                                   .description = "what people see above the column" });
    table_add_column(table, (struct table_column){ .name = "unit",
                                                   .title = "Unit",
                                                   .optional = true,
                                                   .description = "what machines see the number in" });
    table_add_column(table, (struct table_column){
                                .name = "type", .title = "Type", .description = "what --filter compares it with" });
    table_add_column(
        table, (struct table_column){ .name = "description", .title = "Description", .description = "what it is" });
}

/* The keys of a view as one text, to be freed; NULL: out of memory. */
static char *join_keys(const struct view *view, const struct rows *rows)
{
    size_t size = 1;
    char *joined, *end;

    for (size_t i = 0; field_at(view, rows, i); i++)
        size += strlen(field_at(view, rows, i)->key) + 2;
    joined = memory_allocate(size);
    if (!joined)
        return NULL;
    end = joined;
    *end = '\0';
    for (size_t i = 0; field_at(view, rows, i); i++)
        end = stpcpy(stpcpy(end, i ? ", " : ""), field_at(view, rows, i)->key);
    return joined;
}

static status note_view(struct table *table, const struct rows *rows, const struct view *view, bool first)
{
    char *keys = join_keys(view, rows);

    if (!keys)
        return status_no_memory("listing views");
    table_note(table, "--columns %s%s: %s%s%s", view->name, first ? ", which is what you see without it" : "", keys,
               view->sort ? "; --sort " : "", view->sort ? view->sort : "");
    memory_free(keys);
    return STATUS_OK;
}

status view_help(const struct rows *rows, const struct view *const *views, struct table **table)
{
    struct field_cursor cursor = { .rows = rows };
    struct table *made = table_new("columns", "Columns");
    const struct field *field;
    status code = STATUS_OK;

    assert(view_is_sound(rows, views));
    *table = NULL;
    if (!made)
        return status_no_memory("building a table");
    add_help_columns(made);
    while ((field = field_next(&cursor)) != NULL) {
        table_add_row(made);
        table_set_text(made, HELP_KEY, field->key);
        table_set_text(made, HELP_TITLE, field->title ? field->title : field->key);
        table_set_text(made, HELP_UNIT, field->unit);
        table_set_text(made, HELP_TYPE, view_type_name(field->type));
        table_set_text(made, HELP_DESCRIPTION, field->description);
    }
    for (const struct view *const *view = views; *view && code == STATUS_OK; view++)
        code = note_view(made, rows, *view, view == views);
    return finish(made, code, table);
}
