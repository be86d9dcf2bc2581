/* etrecord.c: the ETRecord: what ExecuTorch keeps of a model when it is exported: its graph and how instructions belong to it.
 *
 * A zip archive. Three kinds of members are read, each only if it is there:
 *
 *   edge_dialect_exported_program/<method>  the graph as JSON, delegates inside as strings that hold JSON again
 *   debug_handle_map                        method -> instruction -> debug handle, or several
 *   delegate_map                            method -> instruction -> name of the backend, ids of its operators -> debug handles
 *
 * Torch's pickles (weights, inputs, outputs) are never opened.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/zip.h"
#include "executorch/chain.h"
#include "executorch/etrecord_graph.h"
#include "read/reader.h"

static const size_t largest_file = (size_t)16 << 30; /* weights are in it */
/* Graphs as JSON pack to a thirtieth or fortieth. What unpacks to far more than its bytes promise is no graph, and a record that
 * only lies beside a dump must not take the memory of the machine. */
enum { MOST_UNPACKED = 64 };                                /* bytes for each packed one */
static const uint64_t always_unpacked = (uint64_t)64 << 20; /* bytes that are no matter */
static const char program_prefix[] = "edge_dialect_exported_program";
static const char first_choice[] = "forward"; /* the one method that ExecuTorch's own tools look at */

struct record {
    struct source *source;      /* borrowed */
    struct graph *graph;        /* borrowed: what is filled */
    struct zip_archive archive; /* the file */
    struct arena arena;         /* of the maps and of names for errors */
    const char *method;         /* whose program was taken */
};

/* An entry of a map, to be put in the order of instructions. */
struct entry {
    int32_t instruction;      /* its key */
    size_t index;             /* in the file */
    const struct json *value; /* what belongs to it */
};

static int compare_entries(const void *one, const void *other)
{
    const struct entry *a = one, *b = other;

    if (a->instruction != b->instruction)
        return a->instruction < b->instruction ? -1 : 1;
    return (a->index > b->index) - (a->index < b->index);
}

/* The bytes of a member and a name for errors: file(member). */
static status open_member(struct record *record, const struct zip_entry *member, struct text *content, char **owned,
                          const char **name)
{
    const char *file = input_name(record->source->input);
    size_t room = strlen(file) + member->name.length + 3;
    char *text = arena_allocate(&record->arena, room, 1);

    *owned = NULL;
    if (!text)
        return status_no_memory("reading an ETRecord");
    snprintf(text, room, "%s(%.*s)", file, (int)member->name.length, member->name.data);
    *name = text;
    return zip_archive_read(&record->archive, member, always_unpacked + MOST_UNPACKED * member->packed, content, owned);
}

/* ---- Maps -------------------------------------------------------------------------------------------------------- */

/* The part of a map that belongs to the method. Old records have one method and do not name it: their keys are instructions. */
static const struct json *part_of_method(const struct record *record, const struct json *root)
{
    const struct json *part = json_get(root, record->method);
    int64_t ignored;

    if (part || !root || root->type != JSON_OBJECT || root->count == 0)
        return part;
    if (number_parse_integer(root->keys[0].data, root->keys[0].length, &ignored))
        return root;
    return &root->items[0];
}

/* The entries of a map by instruction; keys that are no instructions are left out. NULL with count 0: there are none. */
static status sorted_entries(struct record *record, const struct json *map, struct entry **entries, size_t *count)
{
    *entries = NULL;
    *count = 0;
    if (!map || map->type != JSON_OBJECT || map->count == 0)
        return STATUS_OK;
    *entries = arena_allocate(&record->arena, map->count * sizeof **entries, _Alignof(struct entry));
    if (!*entries)
        return status_no_memory("reading an ETRecord");
    for (size_t i = 0; i < map->count; i++) {
        int64_t instruction;

        if (number_parse_integer(map->keys[i].data, map->keys[i].length, &instruction) && instruction >= 0 &&
            instruction <= INT32_MAX)
            (*entries)[(*count)++] = (struct entry){ (int32_t)instruction, i, &map->items[i] };
    }
    qsort(*entries, *count, sizeof **entries, compare_entries);
    return STATUS_OK;
}

static status add_handle(struct record *record, int32_t instruction, const struct json *value)
{
    struct graph_handle *handle;
    int64_t number;

    if (!json_integer(value, &number))
        return STATUS_OK;
    if (!(handle = column_append(&record->graph->handles)))
        return status_no_memory("reading an ETRecord");
    *handle = (struct graph_handle){ instruction, number };
    return STATUS_OK;
}

static status take_handles(struct record *record, const struct entry *entry)
{
    status done = STATUS_OK;

    if (entry->value->type != JSON_ARRAY)
        return add_handle(record, entry->instruction, entry->value);
    for (size_t i = 0; i < entry->value->count && done == STATUS_OK; i++)
        done = add_handle(record, entry->instruction, &entry->value->items[i]);
    return done;
}

static status add_id(struct record *record, int32_t instruction, struct text key, const struct json *value)
{
    struct graph_id *id;
    int64_t number;

    if (!json_integer(value, &number))
        return STATUS_OK;
    if (!(id = column_append(&record->graph->ids)))
        return status_no_memory("reading an ETRecord");
    *id = (struct graph_id){ .instruction = instruction, .handle = number };
    return strings_add(record->graph->strings, key.data, key.length, &id->id);
}

static status take_call(struct record *record, const struct entry *entry)
{
    const char *backend = json_text(json_get(entry->value, "name"), "");
    const struct json *ids = json_get(entry->value, "delegate_map");
    struct graph_call *call = column_append(&record->graph->calls);
    status done;

    if (!call)
        return status_no_memory("reading an ETRecord");
    *call = (struct graph_call){ .instruction = entry->instruction };
    done = strings_add_text(record->graph->strings, backend, &call->backend);
    if (!ids || ids->type != JSON_OBJECT)
        return done;
    for (size_t i = 0; i < ids->count && done == STATUS_OK; i++) {
        const struct json *handles = &ids->items[i];

        if (handles->type != JSON_ARRAY)
            done = add_id(record, entry->instruction, ids->keys[i], handles);
        for (size_t k = 0; handles->type == JSON_ARRAY && k < handles->count && done == STATUS_OK; k++)
            done = add_id(record, entry->instruction, ids->keys[i], &handles->items[k]);
    }
    return done;
}

static status read_map(struct record *record, const char *name, bool *found,
                       status (*take)(struct record *record, const struct entry *entry))
{
    const struct zip_entry *member = zip_archive_find(&record->archive, name);
    const struct json *root;
    struct entry *entries;
    struct text content;
    const char *shown = "";
    char *owned;
    size_t count;
    status done;

    if (!member)
        return STATUS_OK;
    *found = true;
    done = open_member(record, member, &content, &owned, &shown);
    if (done == STATUS_OK)
        done = json_parse(&record->arena, shown, content, &root);
    memory_free(owned);
    if (done == STATUS_OK)
        done = sorted_entries(record, part_of_method(record, root), &entries, &count);
    for (size_t i = 0; done == STATUS_OK && i < count; i++) {
        /* A key that comes twice counts once, as its last value. */
        if (i + 1 == count || entries[i + 1].instruction != entries[i].instruction)
            done = take(record, &entries[i]);
    }
    return done;
}

/* ---- The program ------------------------------------------------------------------------------------------------- */

/* The method of a member that holds a program; length 0: it is none, or has no name. */
static bool method_of(struct text name, struct text *method)
{
    static const char *const attachments[] = { "_state_dict", "_constants", "_example_inputs" };

    for (size_t i = 0; i < sizeof attachments / sizeof *attachments; i++) {
        if (text_ends(name, attachments[i]))
            return false;
    }
    *method = name;
    return text_cut_start(method, program_prefix) && (!method->length || text_cut_start(method, "/"));
}

/* "forward", else the first. NULL: there is no program. */
static const struct zip_entry *choose_program(const struct zip_archive *archive, struct text *method)
{
    const struct zip_entry *chosen = NULL;

    for (size_t i = 0; i < archive->count; i++) {
        struct text found;

        if (!method_of(archive->entries[i].name, &found) || (chosen && !text_is(found, first_choice)))
            continue;
        *method = found;
        chosen = &archive->entries[i];
        if (text_is(found, first_choice))
            break;
    }
    return chosen;
}

static status read_program(struct record *record, bool *found)
{
    struct text content, method = { "", 0 };
    const struct zip_entry *member = choose_program(&record->archive, &method);
    const char *shown = "";
    char *owned;
    status done;

    if (member && method.length > 0) {
        record->method = arena_copy(&record->arena, method.data, method.length);
        if (!record->method)
            return status_no_memory("reading an ETRecord");
    }
    done = strings_add_text(record->graph->strings, record->method, &record->graph->method);
    if (!member || done != STATUS_OK)
        return done;
    *found = true;
    done = open_member(record, member, &content, &owned, &shown);
    if (done == STATUS_OK && content.length > 0)
        done = etrecord_read_program(record->graph, shown, content);
    memory_free(owned);
    return done;
}

static status read_members(struct record *record)
{
    bool found = false;
    status done = read_program(record, &found);

    if (done == STATUS_OK)
        done = read_map(record, "debug_handle_map", &found, take_handles);
    if (done == STATUS_OK)
        done = read_map(record, "delegate_map", &found, take_call);
    if (done == STATUS_OK && !found)
        return status_fail_at(STATUS_INPUT, (struct place){ .file = input_name(record->source->input) },
                              "is a zip archive, but holds no graph and no map of an ETRecord");
    return done;
}

/* ---- Reader ------------------------------------------------------------------------------------------------------ */

static status read_graph(struct source *source, struct graph *graph)
{
    struct record record = { .source = source, .graph = graph, .arena = ARENA_EMPTY, .method = first_choice };
    struct text whole;
    status done = input_whole(source->input, largest_file, &whole);

    if (done == STATUS_OK)
        done = zip_archive_open_memory(&record.archive, input_name(source->input), whole);
    if (done == STATUS_OK)
        done = read_members(&record);
    arena_free(&record.arena);
    zip_archive_free(&record.archive);
    return done;
}

static const char timeless[] =
    "an ETRecord holds the graph of a model and no times: give it with --etrecord, together with an ETDump";

static status read_times(struct source *source, struct feed *feed)
{
    (void)feed;
    return status_fail_at(STATUS_INPUT, (struct place){ .file = input_name(source->input) }, "%s", timeless);
}

static int probe(struct text head, const char *path)
{
    enum { NAME_AT = 30 }; /* of the first member, in its local header */
    struct text name =
        head.length > NAME_AT ? text_between(head.data + NAME_AT, head.data + head.length) : (struct text){ 0 };

    (void)path;
    if (!name.length || !text_begins(head, "PK\3\4"))
        return 0;
    if (text_begins(name, "ETRECORD"))
        return 95;
    return text_contains(head, program_prefix) || text_contains(head, "debug_handle_map") ? 80 : 0;
}

static const struct executorch_calls calls = { .graph = read_graph };

const struct reader etrecord_reader = {
    .id = "etrecord",
    .title = "ExecuTorch ETRecord (model graph)",
    .timeless = timeless,
    .chain = &executorch_chain,
    .own = &calls,
    .kind = READER_PROGRAM,
    .files = "*.etrecord",
    .probe = probe,
    .read = read_times,
};
