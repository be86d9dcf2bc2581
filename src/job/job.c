/* job.c: a job from its options to what it made. */
#include "job/job.h"
#include "page/formats.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/number.h"
#include "base/path.h"
#include "base/suggest.h"
#include "job/table_file.h"
#include "table/json.h"

/* NULL: out of memory. */
static void *make_settings(size_t size, const void *defaults)
{
    void *settings = memory_allocate_clear(size ? size : 1);

    if (settings && defaults)
        memcpy(settings, defaults, size);
    return settings;
}

status job_start(struct job *job, const struct verb *verb)
{
    unsigned count = 0;

    assert(verb && verb->run && (verb->settings_size || !verb->options));
    *job = (struct job){ .verb = verb };
    job->settings = make_settings(verb->settings_size, verb->defaults);
    if (!job->settings)
        return status_no_memory("starting");
    for (const struct chain *const *chain = chains; *chain; chain++) {
        for (const struct verb_part *const *part = (*chain)->parts; part && *part; part++) {
            if (strcmp((*part)->verb, verb->name) != 0)
                continue;
            assert(count < JOB_PARTS);
            job->parts[count].part = *part;
            job->parts[count].chain = *chain;
            job->parts[count].settings = make_settings((*part)->settings_size, (*part)->defaults);
            if (!job->parts[count++].settings)
                return status_no_memory("starting");
        }
    }
    return STATUS_OK;
}

static void free_settings(const struct option *options, void *settings)
{
    for (const struct option *option = options; settings && option && option->name; option++)
        if (option->kind == OPTION_LIST || option->kind == OPTION_REPEAT)
            texts_free((struct texts *)((char *)settings + option->offset));
    memory_free(settings);
}

static void free_product(struct product *product)
{
    switch (product->kind) {
    case PRODUCT_TABLE:
        table_free(product->table);
        break;
    case PRODUCT_DOCUMENT:
        document_free(product->document);
        break;
    case PRODUCT_LINE:
        memory_free(product->line);
        break;
    case PRODUCT_BLOCK:
    case PRODUCT_JSON:
        if (product->block.release)
            product->block.release(product->block.data);
        break;
    }
}

void job_free(struct job *job)
{
    free_settings(job->verb->options, job->settings);
    for (unsigned i = 0; i < JOB_PARTS && job->parts[i].part; i++)
        free_settings(job->parts[i].part->options, job->parts[i].settings);
    texts_free(&job->inputs);
    texts_free(&job->filters);
    for (size_t i = 0; i < job->product_count; i++)
        free_product(&job->products[i]);
    memory_free(job->products);
    for (size_t i = 0; i < job->note_count; i++)
        memory_free(job->notes[i].text);
    memory_free(job->notes);
    texts_free(&job->handed.options);
    memory_free(job->handed.path);
    *job = (struct job){ .verb = job->verb };
}

/* ---- Options ------------------------------------------------------------------------------------------------------ */

/* Those that verbs share; their places are in struct job. */
static const struct option output_options[] = {
    { "output", 'o', OPTION_TEXT, offsetof(struct job, output), "FILE", "write it: .csv .json .md .html .txt .xlsx" },
    { 0 },
};
static const struct option json_options[] = {
    { "json", 0, OPTION_FLAG, offsetof(struct job, json), NULL, "as JSON, times in ns" },
    { 0 },
};
static const struct option view_options[] = {
    { "columns", 0, OPTION_TEXT, offsetof(struct job, view.columns), "KEY,...",
      "fields or a view to show; help lists them" },
    { "sort", 0, OPTION_TEXT, offsetof(struct job, view.sort), "[-]KEY", "order by a field; - for descending" },
    { "limit", 0, OPTION_NUMBER, offsetof(struct job, view.limit), "N", "show so many rows" },
    { "filter", 0, OPTION_REPEAT, offsetof(struct job, filters), "KEY~TEXT",
      "rows that fit; also = != > < >= <=, all of several" },
    { 0 },
};
static const struct option run_options[] = {
    { "runs", 0, OPTION_TEXT, offsetof(struct job, runs), "NAME",
      "slices that are the runs; /PATTERN/; whole: all is one" },
    { "warmup", 0, OPTION_TEXT, offsetof(struct job, warmup), "N|auto|none",
      "first runs that do not count (default: auto)" },
    { 0 },
};
static const struct option reading_options[] = {
    { "ticks", 0, OPTION_TEXT, offsetof(struct job, reading.ticks), "UNIT",
      "of a file that does not tell: ns, us or cycles:MHZ" },
    { "clock-mhz", 0, OPTION_TEXT, offsetof(struct job, reading.clock_mhz), "F",
      "cycle clock in MHz (default: the usual one)" },
    { "format", 0, OPTION_TEXT, offsetof(struct job, reading.format), "ID",
      "read every input as this format; see tacho formats" },
    { "strict", 0, OPTION_FLAG, offsetof(struct job, reading.strict), NULL,
      "the first row that cannot be used is an error" },
    { "force-companion", 0, OPTION_FLAG, offsetof(struct job, reading.force_companion), NULL,
      "use a program or record that contradicts its input" },
    { 0 },
};

enum { LIST_OWN, LIST_PARTS, LIST_OUTPUT, LIST_VIEW, LIST_RUNS, LIST_JSON, LIST_CHAINS, LIST_READING, LIST_END };

static const struct option *list_of(const struct verb *verb, unsigned list)
{
    switch (list) {
    case LIST_OWN:
        return verb->options;
    case LIST_OUTPUT:
        return verb->takes & VERB_OUTPUTS ? output_options : NULL;
    case LIST_VIEW:
        return verb->takes & VERB_VIEWS ? view_options : NULL;
    case LIST_RUNS:
        return verb->takes & VERB_RUNS ? run_options : NULL;
    case LIST_JSON:
        return verb->takes & VERB_JSON ? json_options : NULL;
    case LIST_READING:
        return verb->takes & VERB_READS ? reading_options : NULL;
    default:
        return NULL;
    }
}

/* The next option of a chain, made into one of ours. */
static const struct option *next_of_chains(const struct verb *verb, struct option_walk *walk)
{
    for (; verb->takes & (VERB_READS | VERB_CHAINS) && chains[walk->chain]; walk->chain++, walk->next = 0) {
        const struct chain_option *option = chains[walk->chain]->options;

        if (!option || !option[walk->next].name || (verb->chain && verb->chain != chains[walk->chain]))
            continue;
        option += walk->next++;
        walk->made =
            (struct option){ option->name,     0,           OPTION_SETTING, offsetof(struct job, reading.settings),
                             option->argument, option->help };
        return &walk->made;
    }
    return NULL;
}

/* The next option of a part that a chain adds to the verb. */
static const struct option *next_of_parts(const struct verb *verb, struct option_walk *walk)
{
    for (; chains[walk->chain]; walk->chain++, walk->part = 0) {
        const struct verb_part *const *parts = chains[walk->chain]->parts;

        for (; parts && parts[walk->part]; walk->part++, walk->next = 0) {
            const struct option *options = parts[walk->part]->options;

            if (strcmp(parts[walk->part]->verb, verb->name) != 0)
                continue;
            walk->passed += walk->next == 0;
            if (options && options[walk->next].name)
                return &options[walk->next++];
        }
    }
    return NULL;
}

const struct option *option_next(const struct verb *verb, struct option_walk *walk)
{
    for (; walk->list < LIST_END; walk->list++, walk->next = 0, walk->chain = 0) {
        const struct option *options = list_of(verb, walk->list);

        if (walk->list == LIST_CHAINS || walk->list == LIST_PARTS) {
            const struct option *option =
                walk->list == LIST_CHAINS ? next_of_chains(verb, walk) : next_of_parts(verb, walk);

            if (option)
                return option;
        } else if (options && options[walk->next].name) {
            const struct option *option = &options[walk->next++];

            if (walk->list != LIST_OUTPUT || !verb->output_help)
                return option;
            walk->made = *option;
            walk->made.help = verb->output_help;
            return &walk->made;
        }
    }
    return NULL;
}

static bool same_name(const char *name, const char *given, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (!name[i] || (name[i] == '_' ? '-' : name[i]) != (given[i] == '_' ? '-' : given[i]))
            return false;
    return name[length] == '\0';
}

/* Finds an option and the base of its place. */
static bool find(const struct job *job, const char *name, size_t length, char letter, struct option_walk *walk)
{
    *walk = (struct option_walk){ 0 };
    for (const struct option *option = option_next(job->verb, walk); option; option = option_next(job->verb, walk)) {
        if (letter ? option->letter == letter : same_name(option->name, name, length)) {
            walk->made = *option;
            return true;
        }
    }
    return false;
}

static const char *next_option_name(void *context)
{
    struct {
        const struct verb *verb;
        struct option_walk walk;
    } *names = context;
    const struct option *option = option_next(names->verb, &names->walk);

    return option ? option->name : NULL;
}

status job_fail_option(const struct job *job, const char *word, size_t length)
{
    struct {
        const struct verb *verb;
        struct option_walk walk;
    } names = { .verb = job->verb };
    struct text given = { word, length };
    const char *meant;

    while (given.length && *given.data == '-') {
        given.data++;
        given.length--;
    }
    meant = suggest(given, next_option_name, &names);
    return status_fail(STATUS_USAGE, "tacho %s has no option %.*s; %s%s%ssee tacho %s --help", job->verb->name,
                       (int)length, word, meant ? "did you mean --" : "", meant ? meant : "", meant ? "? or " : "",
                       job->verb->name);
}

status job_find(struct job *job, const char *name, size_t length, char letter, struct job_option *found)
{
    struct option_walk walk;

    assert(name || letter);
    if (!find(job, name, length, letter, &walk))
        return STATUS_NO;
    *found = (struct job_option){ .option = walk.made, .base = walk.list == LIST_OWN ? job->settings : job };
    if (walk.list == LIST_PARTS) {
        found->part = walk.passed;
        found->base = job->parts[walk.passed - 1].settings;
    }
    return STATUS_OK;
}

static status store_number(const struct option *option, const char *value, uint64_t *to)
{
    int64_t number;

    if (!number_parse_integer(value, strlen(value), &number) || number < 1)
        return status_fail(STATUS_USAGE, "--%s wants a whole number from 1 on, not \"%s\"", option->name, value);
    *to = (uint64_t)number;
    return STATUS_OK;
}

/* Is its value the name of a file or folder? */
static bool names_place(const struct option *option)
{
    return option->argument && (strncmp(option->argument, "FILE", 4) == 0 || strncmp(option->argument, "DIR", 3) == 0 ||
                                strcmp(option->argument, "FOLDER") == 0);
}

status job_set(struct job *job, const struct job_option *found, const char *value)
{
    const struct option *option = &found->option;
    void *place = (char *)found->base + option->offset;

    assert(found->base && found->option.name && found->part <= JOB_PARTS);
    assert(!found->part || job->parts[found->part - 1].part);
    if (found->part)
        job->parts[found->part - 1].given = option->name;
    if (option->kind == OPTION_FLAG || option->kind == OPTION_CLEAR) {
        if (value)
            return status_fail(STATUS_USAGE, "--%s takes no value", option->name);
        *(bool *)place = option->kind == OPTION_FLAG;
        return STATUS_OK;
    }
    if (!value && option->kind != OPTION_MAYBE)
        return status_fail(STATUS_USAGE, "--%s wants %s", option->name, option->argument);
    if (value && !*value && names_place(option))
        return status_fail(STATUS_USAGE, "--%s wants the name of a %s, and this is empty", option->name,
                           strncmp(option->argument, "FILE", 4) == 0 ? "file" : "folder");
    switch (option->kind) {
    case OPTION_MAYBE:
        *(const char **)place = value ? value : "";
        break;
    case OPTION_TEXT:
        *(const char **)place = value;
        break;
    case OPTION_NUMBER:
        return store_number(option, value, place);
    case OPTION_SETTING:
        settings_set(place, option->name, value);
        break;
    case OPTION_LIST:
    case OPTION_REPEAT:
        return texts_add(place, value);
    case OPTION_FLAG:
    case OPTION_CLEAR:
        break;
    }
    return STATUS_OK;
}

status job_option(struct job *job, const char *name, const char *value)
{
    struct job_option found;

    assert(name);
    if (job_find(job, name, strlen(name), 0, &found) != STATUS_OK)
        return job_fail_option(job, name, strlen(name));
    return job_set(job, &found, value);
}

status job_take_options(struct job *job, const struct texts *options)
{
    struct job_option found;
    status code = STATUS_OK;

    assert(options->count % 2 == 0);
    for (size_t i = 0; i < options->count && code == STATUS_OK; i += 2) {
        const char *name = options->items[i], *value = options->items[i + 1];

        if (job_find(job, name, strlen(name), 0, &found) == STATUS_OK)
            code = job_set(job, &found, *value ? value : NULL);
    }
    return code;
}

status job_input(struct job *job, const char *path)
{
    assert(path);
    return texts_add(&job->inputs, path);
}

/* ---- Run ---------------------------------------------------------------------------------------------------------- */

status job_run(struct job *job)
{
    assert(job->verb && "a job is started before it runs");
    job->view.filters = job->filters.items;
    /* Another name of standard output says no format either, unless it is a link with a suffix. */
    if (job->output && output_is_standard(job->output) && !path_suffix(job->output).length)
        job->output = NULL;
    return job->verb->run(job);
}

/* An option that was given and is about the inputs of a part; NULL: none. */
static const char *given_for(const struct job *job, unsigned index)
{
    const struct verb_part *part = job->parts[index].part;

    if (job->parts[index].given)
        return job->parts[index].given;
    for (const struct chain_option *option = job->parts[index].chain->options; option && option->name; option++)
        if (settings_get(&job->reading.settings, option->name))
            return option->name;
    if (part->reads & PART_TICKS && job->reading.ticks)
        return "ticks";
    return part->reads & PART_CLOCK && job->reading.clock_mhz ? "clock-mhz" : NULL;
}

status job_find_part(const struct job *job, const struct reader *reader, const struct verb_part **part,
                     const void **settings)
{
    assert(reader);
    *part = NULL;
    *settings = NULL;
    for (unsigned i = 0; i < JOB_PARTS && job->parts[i].part; i++) {
        if (job->parts[i].part->accepts(reader)) {
            *part = job->parts[i].part;
            *settings = job->parts[i].settings;
        } else if (given_for(job, i)) {
            return status_fail(STATUS_USAGE, "--%s is about %s; this is %s", given_for(job, i),
                               job->parts[i].part->about, reader->title);
        }
    }
    return STATUS_OK;
}

/* ---- Products ----------------------------------------------------------------------------------------------------- */

static status add_product(struct job *job, struct product product)
{
    status code = memory_grow(&job->products, &job->product_capacity, job->product_count + 1, sizeof *job->products);

    if (code != STATUS_OK) {
        free_product(&product);
        return code;
    }
    job->products[job->product_count++] = product;
    return STATUS_OK;
}

status job_table(struct job *job, struct table *table)
{
    status code = table ? table_status(table) : status_no_memory("making a table");

    if (code != STATUS_OK) {
        table_free(table);
        return code;
    }
    return add_product(job, (struct product){ .kind = PRODUCT_TABLE, .name = table_name(table), .table = table });
}

status job_document(struct job *job, const char *name, struct document *document)
{
    status code = document ? document_status(document) : status_no_memory("writing a document");

    assert(name);
    if (code != STATUS_OK) {
        document_free(document);
        return code;
    }
    return add_product(job, (struct product){ .kind = PRODUCT_DOCUMENT, .name = name, .document = document });
}

status job_block(struct job *job, const char *name, product_write write, void *data, void (*release)(void *data))
{
    assert(name && write);
    return add_product(job, (struct product){ .kind = PRODUCT_BLOCK, .name = name, .block = { write, data, release } });
}

status job_json(struct job *job, product_write write, void *data, void (*release)(void *data))
{
    assert(write);
    return add_product(job, (struct product){ .kind = PRODUCT_JSON, .name = "", .block = { write, data, release } });
}

static void write_copy(struct output *output, const void *data, const struct printer_style *style)
{
    size_t length;
    const char *text = output_memory((struct output *)data, &length);

    (void)style;
    if (text)
        output_write(output, text, length);
}

static void abandon_text(void *data)
{
    output_abandon(data);
}

status job_text(struct job *job, const char *name, struct output *memory)
{
    status code = output_status(memory);

    assert(name && memory);
    if (code != STATUS_OK) {
        output_abandon(memory);
        return code;
    }
    return job_block(job, name, write_copy, memory, abandon_text);
}

struct product *job_last(struct job *job)
{
    assert(job->product_count);
    return &job->products[job->product_count - 1];
}

/* NULL: out of memory. */
static char *format_text(const char *format, va_list arguments)
{
    va_list again;
    int length;
    char *text;

    va_copy(again, arguments);
    length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    text = length < 0 ? NULL : memory_allocate((size_t)length + 1);
    if (text)
        vsnprintf(text, (size_t)length + 1, format, arguments);
    return text;
}

status job_say(struct job *job, const char *format, ...)
{
    va_list arguments;
    char *line;

    va_start(arguments, format);
    line = format_text(format, arguments);
    va_end(arguments);
    if (!line)
        return status_no_memory("saying what was done");
    return add_product(job, (struct product){ .kind = PRODUCT_LINE, .name = "", .line = line });
}

status job_tell(struct job *job, const char *format, ...)
{
    va_list arguments;
    char *line;

    va_start(arguments, format);
    line = format_text(format, arguments);
    va_end(arguments);
    if (!line)
        return status_no_memory("saying what is done");
    if (!job->live)
        return add_product(job, (struct product){ .kind = PRODUCT_LINE, .name = "", .line = line });
    job->live(job->live_context, NOTE_PLAIN, line);
    memory_free(line);
    return STATUS_OK;
}

status job_reply(struct job *job, const char *format, ...)
{
    va_list arguments;
    char *line;

    if (!job->reply)
        return status_fail(STATUS_USAGE, "nobody would hear what tacho %s says when it starts", job->verb->name);
    va_start(arguments, format);
    line = format_text(format, arguments);
    va_end(arguments);
    if (!line)
        return status_no_memory("saying what is done");
    job->reply(job->reply_context, line);
    memory_free(line);
    return STATUS_OK;
}

status job_hand_over(struct job *job, const char *path, const struct job_handed *handed)
{
    assert(!job->handed.path && handed->part && handed->port);
    job->handed = (struct job_handed){ .path = memory_copy_text(path),
                                       .part = handed->part,
                                       .port = handed->port,
                                       .bind = handed->bind,
                                       .asked = handed->asked };
    return job->handed.path ? STATUS_OK : status_no_memory("handing over what was made");
}

status job_hand_option(struct job *job, const char *name, const char *value)
{
    status code = STATUS_OK;

    if (value)
        code = texts_add(&job->handed.options, name);
    return value && code == STATUS_OK ? texts_add(&job->handed.options, value) : code;
}

void job_wait(struct job *job, const char *format, ...)
{
    va_list arguments;
    char *line;

    if (!job->waiting)
        return;
    va_start(arguments, format);
    line = format_text(format, arguments);
    va_end(arguments);
    if (line)
        job->waiting(job->waiting_context, line);
    memory_free(line);
}

/* ---- Notes -------------------------------------------------------------------------------------------------------- */

void job_note(struct job *job, enum note_kind kind, const char *path, const char *format, ...)
{
    va_list arguments;
    char *text, *whole;
    size_t size;

    assert(kind <= NOTE_WARNING);
    va_start(arguments, format);
    text = format_text(format, arguments);
    va_end(arguments);
    if (text && path) {
        size = strlen(path) + strlen(text) + 3;
        whole = memory_allocate(size);
        if (whole)
            snprintf(whole, size, "%s: %s", path, text);
        memory_free(text);
        text = whole;
    }
    if (!text || memory_grow(&job->notes, &job->note_capacity, job->note_count + 1, sizeof *job->notes) != STATUS_OK) {
        memory_free(text);
        return;
    }
    job->notes[job->note_count++] = (struct job_note){ kind, text };
}

void job_warn(struct job *job, const char *line)
{
    assert(line);
    if (job->live)
        job->live(job->live_context, NOTE_WARNING, line);
    else
        job_note(job, NOTE_WARNING, NULL, "%s", line);
}

void job_note_losses(struct job *job, const char *path, const struct losses *losses, const char *const *notes,
                     size_t count)
{
    char text[512];

    assert(losses->reason_count <= LOSS_REASONS && (notes || !count));
    if (losses->lost)
        job_note(job, NOTE_LOSS, path, "%llu of %llu rows lost", (unsigned long long)losses->lost,
                 (unsigned long long)losses->rows);
    for (unsigned i = 0; i < losses->reason_count; i++) {
        loss_describe(&losses->reasons[i], text, sizeof text);
        job_note(job, losses->reasons[i].reason->kept ? NOTE_PLAIN : NOTE_LOSS, path, "%s", text);
    }
    for (size_t i = 0; i < count; i++)
        job_note(job, NOTE_PLAIN, path, "note: %s", notes[i]);
}

void job_note_profile(struct job *job, const struct profile *profile)
{
    job_note_losses(job, profile->path, &profile->losses, profile->source.notes, profile->source.note_count);
}

/* ---- For whoever ran it ------------------------------------------------------------------------------------------- */

const struct table *job_find_table(const struct job *job, const char *name)
{
    assert(name);
    for (size_t i = 0; i < job->product_count; i++)
        if (job->products[i].kind == PRODUCT_TABLE && strcmp(job->products[i].name, name) == 0)
            return job->products[i].table;
    return NULL;
}

struct table *job_take_table(struct job *job, const char *name)
{
    assert(name);
    for (size_t i = 0; i < job->product_count; i++) {
        struct product *product = &job->products[i];
        struct table *table = product->kind == PRODUCT_TABLE ? product->table : NULL;

        if (table && strcmp(product->name, name) == 0) {
            *product = (struct product){ .kind = PRODUCT_LINE, .name = "" };
            return table;
        }
    }
    return NULL;
}

static const struct product *find_kind(const struct job *job, enum product_kind kind)
{
    for (size_t i = 0; i < job->product_count; i++)
        if (job->products[i].kind == kind)
            return &job->products[i];
    return NULL;
}

static size_t count_kind(const struct job *job, enum product_kind kind)
{
    size_t count = 0;

    for (size_t i = 0; i < job->product_count; i++)
        count += job->products[i].kind == kind;
    return count;
}

status job_write_json(const struct job *job, struct output *output)
{
    const struct product *json = find_kind(job, PRODUCT_JSON), *document = find_kind(job, PRODUCT_DOCUMENT);
    bool several = count_kind(job, PRODUCT_TABLE) > 1, first = true;

    if (json) {
        json->block.write(output, json->block.data, NULL);
        return output_status(output);
    }
    if (document)
        return document_print(document->document, DOCUMENT_JSON, output);
    if (several)
        output_write(output, "[\n", 2);
    for (size_t i = 0; i < job->product_count; i++) {
        if (job->products[i].kind != PRODUCT_TABLE)
            continue;
        if (!first)
            output_write(output, ",\n", 2);
        first = false;
        printer_write(&json_printer, output, job->products[i].table, NULL);
    }
    if (several)
        output_write(output, "]\n", 2);
    return output_status(output);
}

status job_start_question(const struct job *job, const struct verb *verb, const struct texts *inputs,
                          struct job *question)
{
    status code = job_start(question, verb);

    question->reading = job->reading;
    question->lent = job->lent;
    question->runs = job->runs;
    question->warmup = job->warmup;
    for (size_t i = 0; i < inputs->count && code == STATUS_OK; i++)
        code = job_input(question, inputs->items[i]);
    return code;
}

void job_subject(const struct job *job, char *to, size_t size)
{
    const struct texts *inputs = &job->inputs;

    assert(size);
    *to = '\0';
    if (inputs->count)
        snprintf(to, size, "%.300s", path_name(inputs->items[0]));
    if (inputs->count > 1)
        snprintf(to + strlen(to), size - strlen(to), " and %zu more", inputs->count - 1);
}

static status write_tables(const struct job *job, const char *path)
{
    char subject[JOB_SUBJECT];
    size_t count = count_kind(job, PRODUCT_TABLE), at = 0;
    const struct table **tables = memory_allocate((count + 1) * sizeof *tables);
    status code;

    if (!tables)
        return status_no_memory("writing tables");
    for (size_t i = 0; i < job->product_count; i++)
        if (job->products[i].kind == PRODUCT_TABLE)
            tables[at++] = job->products[i].table;
    job_subject(job, subject, sizeof subject);
    if (count == 1) {
        const struct product *only = find_kind(job, PRODUCT_TABLE);

        code = table_to_file(only->table, path, subject, only->dialect, only->sheet);
    } else {
        code = tables_to_file(tables, count, path, subject);
    }
    memory_free(tables);
    return code;
}

status job_write_file(const struct job *job, const char *path)
{
    const struct product *json = find_kind(job, PRODUCT_JSON), *document = find_kind(job, PRODUCT_DOCUMENT);
    struct output *output;
    status code;

    assert(path);
    if (json && text_equal(path_suffix(path), text_of(".json"))) {
        code = output_open(path, &output);
        if (code != STATUS_OK)
            return code;
        return output_finish(output, job_write_json(job, output));
    }
    if (document)
        return document_write(document->document, path);
    return find_kind(job, PRODUCT_TABLE) ? write_tables(job, path) : STATUS_OK;
}
