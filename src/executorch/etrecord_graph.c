/* etrecord_graph.c: the graph of an exported program, from its JSON. */
#include "executorch/etrecord_graph.h"

#include <string.h>

#include "base/memory.h"
#include "base/number.h"
#include "executorch/etrecord_tensor.h"

enum {
    /* A longer run without a quote inside a string is weights: no name, source line or path is that long. */
    LONGEST_RUN = 16 * 1024,
};

/* One graph on its way in: the outer one, or that of a delegate. */
struct walker {
    struct graph *graph;    /* that is filled; borrowed */
    const char *file;       /* for errors */
    uint32_t delegate;      /* whose graph this is; NO_ID: the outer graph */
    struct tensors tensors; /* of this graph */
    char *plain;            /* a text without its escapes */
    size_t plain_capacity;  /* of plain */
    /* The node on its way in: */
    uint32_t node;           /* its index in the graph */
    bool typed;              /* its target has been read */
    bool is_call;            /* it calls a delegate */
    struct json_scan inputs; /* they came before the target: read last; start NULL: they did not */
    uint32_t position;       /* of the argument on its way in */
    bool output;             /* it is one that is written */
    bool transposed_next;    /* the argument is named "transposed" */
};

struct member {
    const char *key;                                               /* of an object; NULL ends a table */
    enum json_type type;                                           /* a value of another type is passed over */
    status (*take)(struct walker *walker, struct json_scan *scan); /* reads its value */
};

/* Takes an object: each member that is listed by its function, all others are passed over. */
static status walk_object(struct walker *walker, struct json_scan *scan, const struct member *members, size_t count)
{
    bool found = true;
    status done = json_enter(scan, JSON_OBJECT);

    for (bool first = true; done == STATUS_OK; first = false) {
        const struct member *member = NULL;
        enum json_type type;
        struct text key;

        done = json_next_key(scan, first, &key, &found);
        if (done != STATUS_OK || !found)
            break;
        for (size_t i = 0; i < count && !member; i++)
            member = text_is(key, members[i].key) ? &members[i] : NULL;
        if ((done = json_peek(scan, &type)) != STATUS_OK)
            break;
        done = member && member->type == type ? member->take(walker, scan) : json_skip(scan, NULL);
    }
    return done;
}

static struct graph_node *current(struct walker *walker)
{
    return column_at(&walker->graph->nodes, walker->node);
}

/* A string without its escapes; valid until the next one. */
static status take_text(struct walker *walker, struct json_scan *scan, struct text *text)
{
    bool escaped;
    status done = json_string(scan, text, &escaped);

    if (done != STATUS_OK || !escaped)
        return done;
    if ((done = memory_grow(&walker->plain, &walker->plain_capacity, text->length, 1)) != STATUS_OK)
        return done;
    text->length = json_unescape(*text, walker->plain);
    text->data = walker->plain;
    return STATUS_OK;
}

static status keep(struct walker *walker, struct text text, string_id *id)
{
    return strings_add(walker->graph->strings, text.data, text.length, id);
}

/* ---- Metadata ---------------------------------------------------------------------------------------------------- */

static bool contains(struct text text, const char *part)
{
    return memmem(text.data, text.length, part, strlen(part)) != NULL;
}

static struct text trimmed(struct text text)
{
    while (text.length > 0 && (*text.data == ' ' || *text.data == '\t')) {
        text.data++;
        text.length--;
    }
    while (text.length > 0 && strchr(" \t\r", text.data[text.length - 1]))
        text.length--;
    return text;
}

static bool next_line(struct text *rest, struct text *line)
{
    const char *end;

    if (rest->length == 0)
        return false;
    end = memchr(rest->data, '\n', rest->length);
    line->data = rest->data;
    line->length = end ? (size_t)(end - rest->data) : rest->length;
    rest->length -= line->length + (end ? 1 : 0);
    rest->data += line->length + (end ? 1 : 0);
    return true;
}

/* `File "models.py", line 56, in forward` */
static bool read_frame(struct text line, struct text *file, uint32_t *number)
{
    static const char before[] = "File \"", between[] = "\", line ";
    const char *close, *cursor;
    uint64_t value;

    line = trimmed(line);
    if (line.length < sizeof before - 1 || memcmp(line.data, before, sizeof before - 1) != 0)
        return false;
    file->data = line.data + sizeof before - 1;
    line.length -= sizeof before - 1;
    close = memmem(file->data, line.length, between, sizeof between - 1);
    if (!close)
        return false;
    file->length = (size_t)(close - file->data);
    cursor = close + sizeof between - 1;
    if (!number_read_unsigned(&cursor, file->data + line.length, &value) || value > UINT32_MAX)
        return false;
    *number = (uint32_t)value;
    return true;
}

/* How much a frame is the user's own: code of the project, of a package such as a model zoo, of torch. */
static int frame_rank(struct text file)
{
    if (!contains(file, "site-packages/") && !contains(file, "dist-packages/"))
        return 3;
    return contains(file, "-packages/torch/") ? 1 : 2;
}

bool etrecord_frame(struct text trace, struct text *file, uint32_t *line, struct text *source)
{
    struct text row, found_file;
    uint32_t found_line;
    int best = 0;
    bool wants_source = false;

    while (next_line(&trace, &row)) {
        if (read_frame(row, &found_file, &found_line)) {
            int rank = frame_rank(found_file);

            wants_source = rank >= best; /* frames come outermost first: a later one of the same rank is further in */
            if (wants_source) {
                best = rank;
                *file = found_file;
                *line = found_line;
                *source = (struct text){ "", 0 };
            }
        } else if (wants_source) {
            *source = trimmed(row);
            wants_source = false;
        }
    }
    return best > 0;
}

bool etrecord_module(struct text stack, struct text *path, struct text *class_name)
{
    const char *last = memrchr(stack.data, ';', stack.length);
    const char *end = stack.data + stack.length, *first_comma, *last_comma;

    last = last ? last + 1 : stack.data;
    first_comma = memchr(last, ',', (size_t)(end - last));
    last_comma = memrchr(last, ',', (size_t)(end - last));
    if (!first_comma || first_comma == last_comma)
        return false;
    *path = (struct text){ first_comma + 1, (size_t)(last_comma - first_comma - 1) };
    *class_name = (struct text){ last_comma + 1, (size_t)(end - last_comma - 1) };
    return true;
}

static status take_trace(struct walker *walker, struct json_scan *scan)
{
    struct graph_node *node = current(walker);
    struct text text, file, source;
    status done = take_text(walker, scan, &text);

    if (done != STATUS_OK || !etrecord_frame(text, &file, &node->line, &source))
        return done;
    if ((done = keep(walker, file, &node->file)) == STATUS_OK)
        done = keep(walker, source, &node->source);
    return done;
}

static status take_modules(struct walker *walker, struct json_scan *scan)
{
    struct graph_node *node = current(walker);
    struct text text, path, class_name;
    status done = take_text(walker, scan, &text);

    if (done != STATUS_OK || !etrecord_module(text, &path, &class_name))
        return done;
    if ((done = keep(walker, path, &node->module)) == STATUS_OK)
        done = keep(walker, class_name, &node->module_class);
    return done;
}

static status take_handle(struct walker *walker, struct json_scan *scan)
{
    struct text text;
    int64_t handle;
    status done = json_string(scan, &text, NULL);

    if (done == STATUS_OK && number_parse_integer(text.data, text.length, &handle) && handle >= 0)
        current(walker)->debug_handle = handle;
    return done;
}

static status take_metadata(struct walker *walker, struct json_scan *scan)
{
    static const struct member members[] = {
        { "stack_trace", JSON_STRING, take_trace },
        { "nn_module_stack", JSON_STRING, take_modules },
        { "debug_handle", JSON_STRING, take_handle },
    };

    return walk_object(walker, scan, members, sizeof members / sizeof *members);
}

/* ---- Delegates --------------------------------------------------------------------------------------------------- */

/* Takes a string that holds JSON, as that JSON. Long runs inside its own strings, which are weights, are left out: what remains
 * is small, and still JSON. Quotes alone are looked for: the backslashes before one say whether it ends our string (an even
 * number), opens or closes a string inside it, or is escaped there too. */
static status take_nested(struct json_scan *scan, char **nested, size_t *length)
{
    const char *from = scan->next + 1, *quote;
    size_t capacity = 0;
    bool inside = false, ended = false;

    *nested = NULL;
    *length = 0;
    for (; !ended; from = quote + 1) {
        size_t backslashes = 0;
        const char *keep_from = from;
        status done;

        quote = from < scan->end ? memchr(from, '"', (size_t)(scan->end - from)) : NULL;
        if (!quote)
            return json_fail(scan, "this JSON string has no end");
        while (quote - backslashes > from && quote[-1 - (ptrdiff_t)backslashes] == '\\')
            backslashes++;
        ended = backslashes % 2 == 0;
        if (inside && quote - from > LONGEST_RUN)
            keep_from = quote - backslashes;
        done = memory_grow(nested, &capacity, *length + (size_t)(quote + 1 - keep_from), 1);
        if (done != STATUS_OK)
            return done;
        *length +=
            json_unescape((struct text){ keep_from, (size_t)(quote + (ended ? 0 : 1) - keep_from) }, *nested + *length);
        if (backslashes / 2 % 2 == 0)
            inside = !inside;
    }
    scan->next = from;
    return STATUS_OK;
}

static status take_backend(struct walker *walker, struct json_scan *scan)
{
    struct graph_delegate *delegate = column_at(&walker->graph->delegates, walker->delegate);
    struct text text;
    status done = take_text(walker, scan, &text);

    return done == STATUS_OK ? keep(walker, text, &delegate->backend) : done;
}

static status walk_program(struct walker *walker, struct json_scan *scan);

static status read_delegate(struct walker *outer, struct text json)
{
    static const struct member members[] = {
        { "backend_id", JSON_STRING, take_backend },
        { "original_module", JSON_OBJECT, walk_program },
    };
    struct walker walker = { .graph = outer->graph, .file = outer->file };
    struct graph_delegate *delegate = graph_add_delegate(outer->graph);
    struct json_scan scan = json_scan(outer->file, json);
    status done;

    if (!delegate)
        return status_no_memory("reading a graph");
    walker.delegate = (uint32_t)outer->graph->delegates.count - 1;
    delegate->outer_node = outer->node;
    done = walk_object(&walker, &scan, members, sizeof members / sizeof *members);
    memory_free(walker.plain);
    delegate->node_count = (uint32_t)outer->graph->nodes.count - delegate->first_node;
    return done;
}

/* Only the outer graph calls delegates, and its call says what it calls in its first argument. */
static status take_string(struct walker *walker, struct json_scan *scan)
{
    char *nested;
    size_t length;
    status done;

    if (!walker->is_call || walker->position > 0 || walker->delegate != NO_ID)
        return json_skip(scan, NULL);
    done = take_nested(scan, &nested, &length);
    if (done == STATUS_OK)
        done = read_delegate(walker, (struct text){ nested, length });
    memory_free(nested);
    if (done == STATUS_INPUT)
        return status_add(done, "reading the graph of delegate %zu", walker->graph->delegates.count);
    return done;
}

/* ---- Nodes ------------------------------------------------------------------------------------------------------- */

static status take_tensor_name(struct walker *walker, struct json_scan *scan)
{
    struct text name;
    status done = json_string(scan, &name, NULL);

    if (done != STATUS_OK)
        return done;
    return tensors_add_use(&walker->tensors, walker->node, name, walker->position, walker->output);
}

static status take_tensor(struct walker *walker, struct json_scan *scan)
{
    static const struct member members[] = { { "name", JSON_STRING, take_tensor_name } };

    return walk_object(walker, scan, members, 1);
}

static status take_optional_tensor(struct walker *walker, struct json_scan *scan)
{
    static const struct member members[] = { { "as_tensor", JSON_OBJECT, take_tensor } };

    return walk_object(walker, scan, members, 1);
}

/* An array whose objects are taken one by one; whatever else is in it is passed over. */
static status walk_array(struct walker *walker, struct json_scan *scan,
                         status (*take)(struct walker *, struct json_scan *), bool arguments)
{
    bool found = true;
    uint32_t index = 0;
    status done = json_enter(scan, JSON_ARRAY);

    for (bool first = true; done == STATUS_OK; first = false, index++) {
        enum json_type type;

        done = json_next_element(scan, first, &found);
        if (done != STATUS_OK || !found)
            break;
        if (arguments)
            walker->position = index;
        if ((done = json_peek(scan, &type)) == STATUS_OK)
            done = type == JSON_OBJECT ? take(walker, scan) : json_skip(scan, NULL);
    }
    return done;
}

static status take_tensor_list(struct walker *walker, struct json_scan *scan)
{
    return walk_array(walker, scan, take_tensor, false);
}

static status take_optional_list(struct walker *walker, struct json_scan *scan)
{
    return walk_array(walker, scan, take_optional_tensor, false);
}

static status take_true(struct walker *walker, struct json_scan *scan)
{
    if (walker->transposed_next)
        tensors_mark_transposed(&walker->tensors, walker->node);
    return json_skip(scan, NULL);
}

static status take_value(struct walker *walker, struct json_scan *scan)
{
    static const struct member members[] = {
        { "as_tensor", JSON_OBJECT, take_tensor },
        { "as_tensors", JSON_ARRAY, take_tensor_list },
        { "as_optional_tensor", JSON_OBJECT, take_optional_tensor },
        { "as_optional_tensors", JSON_ARRAY, take_optional_list },
        { "as_string", JSON_STRING, take_string },
        { "as_bool", JSON_TRUE, take_true },
    };

    return walk_object(walker, scan, members, sizeof members / sizeof *members);
}

static status take_argument_name(struct walker *walker, struct json_scan *scan)
{
    struct text name;
    status done = json_string(scan, &name, NULL);

    walker->transposed_next = done == STATUS_OK && text_is(name, "transposed");
    return done;
}

static status take_argument(struct walker *walker, struct json_scan *scan)
{
    static const struct member members[] = {
        { "name", JSON_STRING, take_argument_name },
        { "arg", JSON_OBJECT, take_value },
    };

    walker->transposed_next = false;
    return walk_object(walker, scan, members, sizeof members / sizeof *members);
}

static status take_inputs(struct walker *walker, struct json_scan *scan)
{
    if (!walker->typed) {
        walker->inputs = *scan;
        return json_skip(scan, NULL);
    }
    walker->output = false;
    return walk_array(walker, scan, take_argument, true);
}

static status take_outputs(struct walker *walker, struct json_scan *scan)
{
    walker->output = true;
    return walk_array(walker, scan, take_value, true);
}

static status take_name(struct walker *walker, struct json_scan *scan)
{
    struct text text;
    status done = take_text(walker, scan, &text);

    return done == STATUS_OK ? keep(walker, text, &current(walker)->name) : done;
}

static status take_target(struct walker *walker, struct json_scan *scan)
{
    static const char *const prefixes[] = { "executorch.exir.dialects.edge.ops.", "torch.ops." };
    struct text text;
    status done = take_text(walker, scan, &text);

    if (done != STATUS_OK)
        return done;
    walker->typed = true;
    walker->is_call = contains(text, "executorch_call_delegate");
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
        size_t length = strlen(prefixes[i]);

        if (text.length > length && memcmp(text.data, prefixes[i], length) == 0) {
            text.data += length;
            text.length -= length;
            break;
        }
    }
    return keep(walker, text, &current(walker)->type);
}

static status take_node(struct walker *walker, struct json_scan *scan)
{
    static const struct member members[] = {
        { "name", JSON_STRING, take_name },         { "target", JSON_STRING, take_target },
        { "inputs", JSON_ARRAY, take_inputs },      { "outputs", JSON_ARRAY, take_outputs },
        { "metadata", JSON_OBJECT, take_metadata },
    };
    struct graph_node *node = graph_add_node(walker->graph);
    status done;

    if (!node)
        return status_no_memory("reading a graph");
    node->delegate = walker->delegate;
    walker->node = (uint32_t)walker->graph->nodes.count - 1;
    walker->typed = walker->is_call = false;
    walker->inputs.start = NULL;
    done = walk_object(walker, scan, members, sizeof members / sizeof *members);
    if (done != STATUS_OK || !walker->inputs.start)
        return done;
    walker->typed = true;
    return take_inputs(walker, &walker->inputs);
}

static status take_nodes(struct walker *walker, struct json_scan *scan)
{
    return walk_array(walker, scan, take_node, false);
}

static status take_tensors(struct walker *walker, struct json_scan *scan)
{
    return tensors_read(&walker->tensors, scan);
}

static status take_graph(struct walker *walker, struct json_scan *scan)
{
    static const struct member members[] = {
        { "nodes", JSON_ARRAY, take_nodes },
        { "tensor_values", JSON_OBJECT, take_tensors },
    };

    return walk_object(walker, scan, members, sizeof members / sizeof *members);
}

static status take_module(struct walker *walker, struct json_scan *scan)
{
    static const struct member members[] = { { "graph", JSON_OBJECT, take_graph } };

    return walk_object(walker, scan, members, 1);
}

/* An exported program: the outer one, or what a delegate was made from. */
static status walk_program(struct walker *walker, struct json_scan *scan)
{
    static const struct member members[] = { { "graph_module", JSON_OBJECT, take_module } };
    status done = tensors_start(&walker->tensors);

    if (done == STATUS_OK)
        done = walk_object(walker, scan, members, 1);
    if (done == STATUS_OK)
        done = tensors_settle(&walker->tensors, walker->graph);
    tensors_free(&walker->tensors);
    return done;
}

status etrecord_read_program(struct graph *graph, const char *file, struct text json)
{
    struct walker walker = { .graph = graph, .file = file, .delegate = NO_ID };
    struct json_scan scan = json_scan(file, json);
    status done = walk_program(&walker, &scan);

    memory_free(walker.plain);
    return done;
}
