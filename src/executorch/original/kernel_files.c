/* kernel_files.c: kernels of logs as CSV, markdown and tables. */
#include "executorch/original/kernel_files.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "table/cell.h"

static const char *const evidence_keys[] = {
#define X(name, key) key,
    KERNEL_EVIDENCE_MAP(X)
#undef X
};

const char *kernel_evidence_key(enum kernel_evidence evidence)
{
    return evidence_keys[evidence];
}

/* ---- Evidence ---- */

/* Only for operators with tiles does the log tell which kernel ran. */
static bool tells_runs_of(const struct kernel_log *log, const struct kernel *kernel)
{
    struct text operation = strings_get(log->strings, kernel->operation);

    return log->has_execution && operation.length >= 4 && memcmp(operation.data + operation.length - 4, "gemm", 4) == 0;
}

enum kernel_evidence kernel_evidence(const struct kernel_log *log, uint32_t index)
{
    const struct kernel *kernel;

    if (index == NO_ID)
        return EVIDENCE_ABSENT;
    kernel = kernel_at(log, index);
    if (kernel->runs)
        return EVIDENCE_RAN;
    if (kernel->replaced)
        return EVIDENCE_REPLACED;
    return tells_runs_of(log, kernel) ? EVIDENCE_IDLE : EVIDENCE_REGISTERED;
}

struct kernel_counts kernel_count(const struct kernel_log *log)
{
    struct kernel_counts counts = { .kernels = (uint32_t)log->kernels.count };

    for (uint32_t i = 0; i < log->kernels.count; i++) {
        const struct kernel *kernel = kernel_at(log, i);
        struct text chain = strings_get(log->strings, kernel->architecture);

        counts.sme += architecture_is_sme(chain);
        counts.sme2 += architecture_is_sme2(chain);
        counts.replaced += kernel->replaced;
        counts.ran += kernel->runs > 0;
    }
    return counts;
}

/* ---- kernels.csv ---- */

struct order {
    uint64_t count;  /* how often it ran */
    uint32_t kernel; /* index */
};

static int compare_counts(const void *a, const void *b)
{
    const struct order *one = a, *other = b;

    if (one->count != other->count)
        return one->count > other->count ? -1 : 1;
    return one->kernel < other->kernel ? -1 : 1;
}

static void write_field(struct output *output, struct text text)
{
    cell_write_field(output, text.data, text.length, ',');
}

static void write_kernel(const struct kernel_log *log, uint32_t index, const char *model_id, bool extra,
                         struct output *output)
{
    const struct kernel *kernel = kernel_at(log, index);
    struct text chain = strings_get(log->strings, kernel->architecture);
    const string_id parts[] = { kernel->types, kernel->operation, kernel->variant, kernel->shape,
                                kernel->architecture };

    write_field(output, (struct text){ model_id, strlen(model_id) });
    output_write(output, ",", 1);
    write_field(output, strings_get(log->strings, kernel->name));
    output_write(output, ",", 1);
    write_field(output, strings_get(log->strings, kernel->category));
    output_format(output, ",%llu", (unsigned long long)kernel->count);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        output_write(output, ",", 1);
        write_field(output, strings_get(log->strings, parts[i]));
    }
    output_format(output, ",%d,%d", architecture_is_sme(chain), architecture_is_sme2(chain));
    if (extra) {
        output_format(output, ",%s,%s,", architecture_title(chain), kernel_evidence_key(kernel_evidence(log, index)));
        if (kernel->replaced && kernel->replaced_by != NO_ID)
            write_field(output, strings_get(log->strings, kernel_at(log, kernel->replaced_by)->name));
    }
    output_write(output, "\r\n", 2);
}

status kernels_csv(const struct kernel_log *log, const char *model_id, bool extra, struct output *output)
{
    struct order *order = memory_allocate((log->kernels.count + 1) * sizeof *order);

    if (!order)
        return status_no_memory("sorting kernels");
    for (uint32_t i = 0; i < log->kernels.count; i++)
        order[i] = (struct order){ kernel_at(log, i)->count, i };
    qsort(order, log->kernels.count, sizeof *order, compare_counts);
    output_format(
        output,
        "model_id,kernel_name,category,count,dtype,xnn_op,variant,ukernel_shape,arch_chain,has_sme,has_sme2%s\r\n",
        extra ? ",architecture,evidence,replaced_by" : "");
    for (uint32_t i = 0; i < log->kernels.count; i++)
        write_kernel(log, order[i].kernel, model_id, extra, output);
    memory_free(order);
    return output_status(output);
}

/* ---- Two builds ---- */

/* A kernel of either side. Both logs share their pool of texts. */
struct seen {
    const char *text;            /* its name */
    uint32_t on, off;            /* NO_ID: absent */
    const struct kernel *kernel; /* of the side that has it */
};

struct seen_list {
    struct seen *items; /* in the order in which they were met; owned */
    size_t count;       /* of items */
    uint32_t *by_name;  /* item + 1 by string id; 0: none yet */
};

static int compare_seen(const void *a, const void *b)
{
    return strcmp(((const struct seen *)a)->text, ((const struct seen *)b)->text);
}

static void add_side(const struct kernel_view *view, const struct kernel_log *log, bool on, struct seen_list *list)
{
    for (uint32_t i = 0; i < log->kernels.count; i++) {
        const struct kernel *kernel = kernel_at(log, i);
        const char *text = strings_text(log->strings, kernel->name);
        struct seen *seen;

        if (view->filter && !text_find_any_case(text_of(text), view->filter))
            continue;
        if (!list->by_name[kernel->name]) {
            list->items[list->count++] = (struct seen){ text, NO_ID, NO_ID, kernel };
            list->by_name[kernel->name] = (uint32_t)list->count;
        }
        seen = &list->items[list->by_name[kernel->name] - 1];
        *(on ? &seen->on : &seen->off) = i;
    }
}

static status list_kernels(const struct kernel_view *view, struct seen_list *list)
{
    *list = (struct seen_list){
        .items = memory_allocate((view->on->kernels.count + view->off->kernels.count + 1) * sizeof *list->items),
        .by_name = memory_allocate_clear(((size_t)strings_count(view->on->strings) + 1) * sizeof *list->by_name),
    };
    if (!list->items || !list->by_name) {
        memory_free(list->items);
        memory_free(list->by_name);
        *list = (struct seen_list){ 0 };
        return status_no_memory("comparing kernels");
    }
    add_side(view, view->on, true, list);
    add_side(view, view->off, false, list);
    memory_free(list->by_name);
    qsort(list->items, list->count, sizeof *list->items, compare_seen);
    return STATUS_OK;
}

static const char *presence(uint32_t kernel)
{
    return kernel == NO_ID ? "\xE2\x9D\x8C **Absent**" : "\xE2\x9C\x85 **Present**";
}

static const char *title_of(const struct kernel_log *log, const struct kernel *kernel)
{
    return architecture_title(strings_get(log->strings, kernel->architecture));
}

/* "ran", "replaced by `x`", ... */
static void write_evidence(struct output *output, const struct kernel_log *log, uint32_t kernel)
{
    enum kernel_evidence evidence = kernel_evidence(log, kernel);

    output_format(output, " %s", kernel_evidence_key(evidence));
    if (evidence == EVIDENCE_REPLACED && kernel_at(log, kernel)->replaced_by != NO_ID)
        output_format(output, " by `%s`",
                      strings_text(log->strings, kernel_at(log, kernel_at(log, kernel)->replaced_by)->name));
    output_format(output, " |");
}

static void write_evidence_table(const struct kernel_view *view, const struct seen_list *list, struct output *output)
{
    output_format(output,
                  "\n#### **What the evidence is:**\n\nPresent means registered: XNNPACK prints a line when a table of "
                  "kernels is filled, not "
                  "when a kernel runs. A later line for the same slot replaces an earlier one; which kernel ran is "
                  "known where the log has "
                  "the operators (level 5).\n\n| Kernel Name | %s | %s |\n|---|---|---|\n",
                  view->on_name, view->off_name);
    for (size_t i = 0; i < list->count; i++) {
        output_format(output, "| `%s` |", list->items[i].text);
        write_evidence(output, view->on, list->items[i].on);
        write_evidence(output, view->off, list->items[i].off);
        output_write(output, "\n", 1);
    }
}

status kernel_view_markdown(const struct kernel_view *view, struct output *output)
{
    struct seen_list list;
    status code = list_kernels(view, &list);

    if (code != STATUS_OK)
        return code;
    output_format(output, "#### **%s**\n\n", view->title);
    if (list.count == 0)
        output_format(output, "No kernels found matching the filter criteria.\n");
    else
        output_format(
            output,
            "| Kernel Name | %s | %s | Architecture | Delegation |\n|-------------|----------|----------|-------------|"
            "------------|\n",
            view->on_name, view->off_name);
    for (size_t i = 0; i < list.count; i++) {
        const struct seen *seen = &list.items[i];

        output_format(output, "| `%s` | %s | %s | %s | XNNPACK Delegated |\n", seen->text, presence(seen->on),
                      presence(seen->off), title_of(view->on, seen->kernel));
    }
    if (view->evidence && list.count)
        write_evidence_table(view, &list, output);
    memory_free(list.items);
    return output_status(output);
}

/* ---- Tables ---- */

/* The context of the fields below. */
struct seen_rows {
    const struct kernel_view *view; /* borrowed */
    const struct seen *items;       /* in the order of the rows */
};

static const struct seen *seen_at(const void *context, size_t row)
{
    return &((const struct seen_rows *)context)->items[row];
}

static const struct kernel_view *view_of(const void *context)
{
    return ((const struct seen_rows *)context)->view;
}

static struct table_cell get_seen(const void *context, size_t row)
{
    return cell_text(seen_at(context, row)->text);
}

static struct table_cell get_on(const void *context, size_t row)
{
    return cell_text(kernel_evidence_key(kernel_evidence(view_of(context)->on, seen_at(context, row)->on)));
}

static struct table_cell get_off(const void *context, size_t row)
{
    return cell_text(kernel_evidence_key(kernel_evidence(view_of(context)->off, seen_at(context, row)->off)));
}

static struct table_cell get_seen_architecture(const void *context, size_t row)
{
    return cell_text(title_of(view_of(context)->on, seen_at(context, row)->kernel));
}

static status make_table(const void *context, size_t count, const struct field *fields, const struct view *view,
                         const struct view_request *request, struct table **table)
{
    const struct field_set set = { "kernel", fields };
    const struct field_set *const sets[] = { &set, NULL };
    const struct view *const views[] = { view, NULL };
    const struct rows rows = { .entity = "kernel", .sets = sets, .context = context, .count = count };

    return view_table(&rows, views, request, table);
}

status kernel_view_table(const struct kernel_view *view, const struct view_request *request, struct table **table)
{
    static const char *const keys[] = { "kernel", "on", "off", "architecture", NULL };
    const struct field fields[] = {
        { .key = "kernel", .title = "Kernel", .type = CELL_TEXT, .description = "its name", .get = get_seen },
        { .key = "on",
          .title = view->on_name,
          .type = CELL_TEXT,
          .description = "what is known of it in the first build",
          .get = get_on },
        { .key = "off",
          .title = view->off_name,
          .type = CELL_TEXT,
          .description = "what is known of it in the second build",
          .get = get_off },
        { .key = "architecture",
          .title = "Architecture",
          .type = CELL_TEXT,
          .description = "that it is written for",
          .get = get_seen_architecture },
        { 0 },
    };
    const struct view shown = { .name = "kernels", .title = view->title, .keys = keys };
    struct seen_list list;
    struct seen_rows rows;
    status code = list_kernels(view, &list);

    if (code != STATUS_OK)
        return code;
    rows = (struct seen_rows){ view, list.items };
    code = make_table(&rows, list.count, fields, &shown, request, table);
    memory_free(list.items);
    return code;
}

static const struct kernel *kernel_of(const void *context, size_t row)
{
    return kernel_at(context, (uint32_t)row);
}

static struct table_cell get_kernel(const void *context, size_t row)
{
    return cell_text(strings_text(((const struct kernel_log *)context)->strings, kernel_of(context, row)->name));
}

static struct table_cell get_category(const void *context, size_t row)
{
    return cell_text(strings_text(((const struct kernel_log *)context)->strings, kernel_of(context, row)->category));
}

static struct table_cell get_types(const void *context, size_t row)
{
    return cell_text(strings_text(((const struct kernel_log *)context)->strings, kernel_of(context, row)->types));
}

static struct table_cell get_architecture(const void *context, size_t row)
{
    return cell_text(title_of(context, kernel_of(context, row)));
}

static struct table_cell get_evidence(const void *context, size_t row)
{
    return cell_text(kernel_evidence_key(kernel_evidence(context, (uint32_t)row)));
}

static struct table_cell get_count(const void *context, size_t row)
{
    return cell_integer((int64_t)kernel_of(context, row)->count);
}

status kernels_table(const struct kernel_log *log, const struct view_request *request, struct table **table)
{
    static const struct field fields[] = {
        { .key = "kernel", .title = "Kernel", .type = CELL_TEXT, .description = "its name", .get = get_kernel },
        { .key = "category",
          .title = "Category",
          .type = CELL_TEXT,
          .optional = true,
          .description = "as the log calls it",
          .get = get_category },
        { .key = "types",
          .title = "Types",
          .type = CELL_TEXT,
          .optional = true,
          .description = "data types in its name",
          .get = get_types },
        { .key = "architecture",
          .title = "Architecture",
          .type = CELL_TEXT,
          .description = "that it is written for",
          .get = get_architecture },
        { .key = "evidence",
          .title = "Evidence",
          .type = CELL_TEXT,
          .description = "registered is not yet executed",
          .get = get_evidence },
        { .key = "count",
          .title = "Lines",
          .type = CELL_INTEGER,
          .optional = true,
          .description = "lines of the log that name it",
          .get = get_count },
        { 0 },
    };
    static const char *const keys[] = { "kernel", "category", "types", "architecture", "evidence", "count", NULL };
    static const struct view view = { .name = "kernels", .title = "Kernels", .keys = keys };

    return make_table(log, log->kernels.count, fields, &view, request, table);
}
