/* toy_chain.c: a fourth tool chain, linked with the core and no other: its own engines, argument key, metric, loss reason, option,
 * companion, field and verb, without a change to any file of the core.
 *
 * Its format is lines `ENGINE,START,END,NAME,SPARKLE`, times in microseconds. `tests/cli/test_toy_chain.py` runs it as `tacho` with this
 * one chain.
 */
#include <string.h>

#include "analyze/breakdown.h"
#include "base/lines.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include "job/core_verbs.h"
#include "read/chain.h"

extern const struct chain toy_chain;

/* ---- Words ---------------------------------------------------------------------------------------------------------- */

static const struct engine engine_spinner = {
    .key = "spinner", .title = "Spinner", .order = 0, .group = GROUP_COMPUTE
};
static const struct engine engine_shovel = { .key = "shovel", .title = "Shovel", .order = 1, .group = GROUP_TRANSFER };
static const struct engine *const engines[] = { &engine_spinner, &engine_shovel, NULL };

static const struct argument_key arguments[] = {
    { "sparkle", "Sparkle", NULL, "how much it glitters", 0 },
    { 0 },
};

static const struct loss_reason loss_dull = { .text = "a row that does not glitter", .order = LOSS_CHAIN };
static const struct loss_reason *const losses[] = { &loss_dull, NULL };

static const struct metric metric_spinning = {
    .key = "spinning",
    .label = "Spinning",
    .description = "the spinner turning",
    .some = { .engines = { &engine_spinner } },
};
static const struct metric metric_spinning_alone = {
    .key = "spinning_alone",
    .label = "Spinning Alone",
    .description = "the spinner turning while nothing is shovelled",
    .some = { .engines = { &engine_spinner } },
    .none = { .engines = { &engine_shovel } },
};
static const struct metric *const metric_rows[] = { &metric_overall, &metric_spinning, &metric_spinning_alone,
                                                    &metric_idle, NULL };
static const struct overview_line lines_drawn[] = { { "00 SPINNING", "Spinning", &metric_spinning },
                                                    { "01 OVERALL", "OVERALL", &metric_overall },
                                                    { 0 } };
static const struct metric_set metrics = { .rows = metric_rows, .lines = lines_drawn, .known_lines = true };

/* ---- The companion: a file whose first line is put before every name ------------------------------------------------ */

struct banner {
    char text[64];
};

static status load_banner(const struct companion_request *request, void **loaded)
{
    const char *path = settings_get(request->source->settings, "banner");
    struct banner *banner;
    struct input *input;
    struct text text;
    status code;

    if (!path)
        return STATUS_OK;
    code = input_open(path, &input);
    if (code == STATUS_OK)
        code = input_whole(input, sizeof banner->text - 1, &text);
    banner = code == STATUS_OK ? memory_allocate(sizeof *banner) : NULL;
    if (banner)
        text_copy(banner->text, sizeof banner->text, text);
    input_close(input);
    *loaded = banner;
    return code;
}

static void unload_banner(void *loaded)
{
    memory_free(loaded);
}

static const struct companion banner_companion = {
    .role = "banner", .option = "banner", .shared = true, .load = load_banner, .unload = unload_banner
};
static const struct companion *const companions[] = { &banner_companion, NULL };
static const struct chain_option options[] = { { "banner", "FILE", "what to put before every name" }, { 0 } };

/* ---- The reader ------------------------------------------------------------------------------------------------------ */

struct toy {
    struct source *source;
    struct feed *feed;
    string_id sparkle;  /* the key */
    clock_id clock;     /* microseconds */
    track_id tracks[2]; /* by order of the engine; NO_ID: none yet */
};

static int probe(struct text head, const char *path)
{
    (void)path;
    return text_begins(head, "# toy\n") ? 100 : 0;
}

static status push_row(struct toy *toy, struct text line, uint64_t number)
{
    const struct banner *banner = source_companion(toy->source, "banner");
    const struct engine *engine = text_begins(line, "spinner,") ? &engine_spinner : &engine_shovel;
    struct argument argument = { .type = ARGUMENT_DECIMAL, .key = toy->sparkle };
    struct slice slice = { .run = NO_ID, .op = NO_ID, .arguments = &argument, .argument_count = 1 };
    struct text fields[5];
    status code = STATUS_OK;

    for (unsigned i = 0; i < 5; i++)
        fields[i] = text_take(&line, ',');
    if (!number_parse_decimal(fields[4].data, fields[4].length, &argument.decimal))
        return source_lose(toy->source, toy->feed, &loss_dull, number, 1);
    if (!number_parse_integer(fields[1].data, fields[1].length, &slice.start) ||
        !number_parse_integer(fields[2].data, fields[2].length, &slice.end) || slice.end < slice.start)
        return source_lose(toy->source, toy->feed, &loss_number, number, 1);
    if (toy->tracks[engine->order] == NO_ID)
        code = feed_engine(toy->feed, engine, 0, toy->clock, &toy->tracks[engine->order]);
    if (code == STATUS_OK)
        code = strings_add_format(toy->feed->strings, &slice.name, "%s%.*s", banner ? banner->text : "",
                                  (int)fields[3].length, fields[3].data);
    if (code == STATUS_OK)
        code = feed_operator(toy->feed, slice.name, &slice.op);
    slice.track = toy->tracks[engine->order];
    toy->feed->losses.used++;
    return code == STATUS_OK ? sink_slice(&toy->feed->sink, &slice) : code;
}

static status read_toy(struct source *source, struct feed *feed)
{
    struct clock microseconds = clock_microseconds(0);
    struct toy toy = { .source = source, .feed = feed, .tracks = { NO_ID, NO_ID } };
    struct lines *lines = NULL;
    struct line line;
    bool found = true;
    status code = strings_add_text(feed->strings, arguments[0].name, &toy.sparkle);

    source->engines_known = true;
    if (code == STATUS_OK)
        code = feed_clock(feed, &microseconds, &toy.clock);
    if (code == STATUS_OK)
        code = lines_open(source->input, &lines);
    while (code == STATUS_OK) {
        code = lines_next(lines, &line, &found);
        if (code != STATUS_OK || !found)
            break;
        if (!line.length || line.data[0] == '#')
            continue;
        feed->losses.rows++;
        code = push_row(&toy, (struct text){ line.data, line.length }, line.number);
    }
    lines_close(lines);
    return code;
}

static const struct reader toy_reader = {
    .id = "toy",
    .title = "A toy's log",
    .chain = &toy_chain,
    .kind = READER_MEASURED,
    .files = "*.toy",
    .companions = companions,
    .probe = probe,
    .read = read_toy,
};
static const struct reader *const readers[] = { &toy_reader, NULL };

/* ---- A field of an entity of the core -------------------------------------------------------------------------------- */

static struct table_cell get_shout(const void *context, size_t row)
{
    const struct breakdown *breakdown = context;
    operator_id op = breakdown->rows[row].op;
    struct text name = op == NO_ID ? (struct text){ "", 0 }
                                   : strings_get(breakdown->strings, busy_operator(breakdown->busy, op)->op.name);

    return cell_integer((int64_t)name.length);
}

static const struct field operator_fields[] = {
    { .key = "shout", .title = "Shout", .type = CELL_INTEGER, .description = "how long its name is", .get = get_shout },
    { .key = NULL },
};
static const struct field_set operator_set = { "operator", operator_fields };
static const struct field_set *const fields[] = { &operator_set, NULL };

/* ---- A verb ---------------------------------------------------------------------------------------------------------- */

struct settings_of_greet {
    const char *name;
};

static const struct option greet_options[] = {
    { "name", 0, OPTION_TEXT, offsetof(struct settings_of_greet, name), "NAME", "whom to greet" },
    { 0 },
};

static status greet(struct job *job)
{
    const struct settings_of_greet *settings = job->settings;
    struct table *table = table_new("greetings", "Greetings");
    size_t column = table ? table_add_column(table, (struct table_column){ .name = "words", .type = CELL_TEXT }) : 0;

    if (table) {
        table_add_row(table);
        table_set_text(table, column, settings->name ? settings->name : "nobody");
    }
    job_note(job, NOTE_PLAIN, NULL, "greeted");
    return job_table(job, table);
}

static const struct verb greet_verb = {
    .name = "greet",
    .summary = "greet somebody",
    .usage = "[--name NAME]",
    .takes = VERB_JSON | VERB_OUTPUTS,
    .options = greet_options,
    .settings_size = sizeof(struct settings_of_greet),
    .run = greet,
};
static const struct verb *const verbs[] = { &greet_verb, NULL };

const struct chain toy_chain = {
    .id = "toy",
    .title = "The toy",
    .readers = readers,
    .engines = engines,
    .arguments = arguments,
    .losses = losses,
    .metrics = &metrics,
    .options = options,
    .fields = fields,
    .verbs = verbs,
};

const struct chain *const chains[] = { &toy_chain, NULL };

const struct verb *const further_verbs[] = { NULL };
