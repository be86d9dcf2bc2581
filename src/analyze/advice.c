/* advice.c: items that rules found, and which of them to do first. */
#include "analyze/advice.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/advice_sentence.h"
#include "base/command_word.h"
#include "base/format.h"
#include "base/memory.h"
#include "trace/model.h"

static const double WORTH_PERCENT = 0.5; /* of a run: less is not worth a line */
static const double REST = 0.25;         /* an item whose time others took but for this part says the same as they do */

/* Time of a run that can be saved once. */
struct pool {
    double left;                       /* ns that no item took yet */
    const struct advice_item *claimer; /* that claimed of it last; NULL: none */
    uint32_t claim;                    /* that claim */
};

struct claim {
    uint32_t pool; /* index */
    double ns;     /* of it, at most */
    uint32_t next; /* of the same item; NO_ID: the last */
};

const char *advice_bound_key(enum advice_bound bound)
{
    static const char *const keys[] = {
#define X(name, key, text) key,
        ADVICE_BOUND_MAP(X)
#undef X
    };

    assert((size_t)bound < sizeof keys / sizeof *keys);
    return keys[bound];
}

const char *advice_bound_text(enum advice_bound bound)
{
    static const char *const texts[] = {
#define X(name, key, text) text,
        ADVICE_BOUND_MAP(X)
#undef X
    };

    assert((size_t)bound < sizeof texts / sizeof *texts);
    return texts[bound];
}

void advice_start(struct advice *advice, double run_ns)
{
    *advice = (struct advice){ .arena = ARENA_EMPTY, .run_ns = run_ns, .every.first_value = NO_ID };
    column_start(&advice->all, sizeof(struct advice_item));
    column_start(&advice->claims, sizeof(struct claim));
    column_start(&advice->pools, sizeof(struct pool));
    column_start(&advice->values, sizeof(struct advice_value));
    advice->subject = advice->summary = "";
}

void advice_free(struct advice *advice)
{
    column_free(&advice->all);
    column_free(&advice->claims);
    column_free(&advice->pools);
    column_free(&advice->values);
    memory_free(advice->items);
    memory_free(advice->parts);
    memory_free(advice->notes);
    arena_free(&advice->arena);
    *advice = (struct advice){ .arena = ARENA_EMPTY };
}

/* ---- Filling ---- */

static void *fail(struct advice *advice)
{
    if (advice->failure == STATUS_OK)
        advice->failure = status_no_memory("looking for advice");
    return NULL;
}

static void *append(struct advice *advice, struct column *column)
{
    void *element = advice->failure == STATUS_OK ? column_append(column) : NULL;

    return element ? element : fail(advice);
}

static const char *say(struct advice *advice, const char *format, va_list arguments)
{
    const char *text = arena_format(&advice->arena, format, arguments);

    if (text)
        return text;
    fail(advice);
    return "";
}

const char *advice_say(struct advice *advice, const char *format, ...)
{
    const char *text;
    va_list arguments;

    va_start(arguments, format);
    text = say(advice, format, arguments);
    va_end(arguments);
    return text;
}

const char *advice_say_time(struct advice *advice, double nanoseconds)
{
    char text[FORMAT_SIZE];

    format_duration(text, advice_rounded(nanoseconds));
    return advice_say(advice, "%s", text);
}

const char *advice_say_rate(struct advice *advice, double rate)
{
    return advice_say(advice, "%.*f", rate >= 100 ? 0 : rate >= 10 ? 1 : rate >= 0.1 ? 2 : 4, rate);
}

void advice_note(struct advice *advice, const char *format, ...)
{
    const char *note;
    va_list arguments;

    va_start(arguments, format);
    note = say(advice, format, arguments);
    va_end(arguments);
    if (memory_grow(&advice->notes, &advice->note_capacity, advice->note_count + 1, sizeof note) == STATUS_OK)
        advice->notes[advice->note_count++] = note;
    else
        fail(advice);
}

void advice_part(struct advice *advice, const char *name, double nanoseconds)
{
    struct advice_part part = { advice_say(advice, "%s", name), nanoseconds };

    if (memory_grow(&advice->parts, &advice->part_capacity, advice->part_count + 1, sizeof part) == STATUS_OK)
        advice->parts[advice->part_count++] = part;
    else
        fail(advice);
}

uint32_t advice_pool(struct advice *advice, double nanoseconds)
{
    struct pool *pool = append(advice, &advice->pools);

    if (!pool)
        return NO_ID;
    *pool = (struct pool){ .left = nanoseconds > 0 ? nanoseconds : 0 };
    return (uint32_t)(advice->pools.count - 1);
}

void advice_find(struct advice *advice, const struct advice_rule *rules, const void *model)
{
    for (const struct advice_rule *rule = rules; rule->id; rule++)
        if (rule->find)
            rule->find(advice, rule, model);
}

struct advice_item *advice_add(struct advice *advice, const struct advice_rule *rule)
{
    struct advice_item *item = append(advice, &advice->all);

    assert(rule->id && rule->title && rule->evidence && rule->assumes);
    if (item)
        *item = (struct advice_item){
            .rule = rule, .bound = rule->bound, .ns = NAN, .first_claim = NO_ID, .first_value = NO_ID
        };
    return item;
}

static const char *copy(struct advice *advice, const char *text)
{
    return text && *text ? advice_say(advice, "%s", text) : NULL;
}

static bool is_before(const struct advice_row *one, const struct advice_row *other)
{
    double a = isnan(one->saves_ns) ? 0 : one->saves_ns, b = isnan(other->saves_ns) ? 0 : other->saves_ns;

    return a > b || (a == b && one->ns > other->ns);
}

void advice_row(struct advice *advice, struct advice_item *item, struct advice_row row)
{
    size_t at;

    if (!item)
        return;
    if (!isnan(row.ns))
        item->ns = isnan(item->ns) ? row.ns : item->ns + row.ns;
    for (at = item->row_count; at > 0 && is_before(&row, &item->rows[at - 1]); at--)
        ;
    if (item->row_count == ADVICE_ROWS)
        item->rows_left++;
    if (at == ADVICE_ROWS)
        return;
    row.name = copy(advice, row.name && !*row.name ? "(no name)" : row.name); /* sentences need one */
    row.location = copy(advice, row.location);
    row.remark = copy(advice, row.remark);
    item->row_count += item->row_count < ADVICE_ROWS;
    memmove(&item->rows[at + 1], &item->rows[at], (item->row_count - 1 - at) * sizeof row);
    item->rows[at] = row;
}

void advice_claim(struct advice *advice, struct advice_item *item, uint32_t place, double nanoseconds)
{
    struct claim *claim;
    struct pool *pool;

    if (!item || place == NO_ID || !(nanoseconds > 0))
        return;
    pool = column_at(&advice->pools, place);
    /* Items are found one after the other. */
    if (pool->claimer == item) {
        claim = column_at(&advice->claims, pool->claim);
        claim->ns += nanoseconds;
        return;
    }
    claim = append(advice, &advice->claims);
    if (!claim)
        return;
    *claim = (struct claim){ place, nanoseconds, item->first_claim };
    pool->claimer = item;
    pool->claim = item->first_claim = (uint32_t)(advice->claims.count - 1);
}

/* ---- Values ---- */

static struct advice_value *add_value(struct advice *advice, struct advice_item *item, const char *key)
{
    struct advice_value *value = item ? append(advice, &advice->values) : NULL;

    if (!value)
        return NULL;
    *value = (struct advice_value){ .key = key, .text = "", .next = item->first_value };
    item->first_value = (uint32_t)(advice->values.count - 1);
    return value;
}

void advice_text(struct advice *advice, struct advice_item *item, const char *key, const char *text)
{
    struct advice_value *value = text && *text ? add_value(advice, item, key) : NULL;

    if (value)
        value->text = advice_say(advice, "%s", text);
}

void advice_word(struct advice *advice, struct advice_item *item, const char *key, const char *path)
{
    advice_text(advice, item, key, path ? command_word(&advice->arena, path) : NULL);
}

void advice_time(struct advice *advice, struct advice_item *item, const char *key, double nanoseconds)
{
    if (!isnan(nanoseconds))
        advice_text(advice, item, key, advice_say_time(advice, nanoseconds));
}

void advice_count(struct advice *advice, struct advice_item *item, const char *key, uint64_t count)
{
    struct advice_value *value = add_value(advice, item, key);

    if (!value)
        return;
    value->text = advice_say(advice, "%llu", (unsigned long long)count);
    value->number = count;
}

void advice_percent(struct advice *advice, struct advice_item *item, const char *key, double percent)
{
    if (!isnan(percent))
        advice_text(advice, item, key, advice_say(advice, percent < 10 ? "%.1f %%" : "%.0f %%", percent));
}

void advice_factor(struct advice *advice, struct advice_item *item, const char *key, double factor)
{
    if (!isnan(factor))
        advice_text(advice, item, key, advice_say(advice, "%.1fx", factor));
}

/* ---- What dominates ---- */

static const double DOMINANT_PERCENT = 20; /* of a run: below it nothing dominates */

const struct advice_rule advice_dominant_rule = {
    .id = "dominant",
    .looks_for = "where nothing could save a tenth of a run: the longest piece of work, which is the model itself",
    .title =
        "[{dominates}: ][{spread}: the longest, ]{first}[ ({place})][{comma}] takes {time_share} of a run[, {rank}]",
    .evidence = "It takes {time} of {run}[; {why}].",
    .assumes = "[only {changing} makes it shorter: {change}]",
    .command = "tacho operators {input}[{files}]",
};

void advice_dominates(struct advice *advice, struct advice_row row, enum advice_bound bound, const char *why,
                      const char *change)
{
    bool much = advice_share(advice, row.ns) >= DOMINANT_PERCENT;
    bool model = !advice->unjudged; /* of what no rule is about nobody knows whether it is one */
    struct advice_item *item = advice_add(advice, &advice_dominant_rule);

    if (!item)
        return;
    item->bound = bound;
    advice_row(advice, item, row);
    advice_text(advice, item, "dominates", much && model ? "This is the model" : NULL);
    advice_text(advice, item, "rank", much && !model ? "more than anything else" : NULL);
    advice_text(advice, item, "spread", much ? NULL : "Nothing dominates");
    advice_text(advice, item, "comma", much ? NULL : ",");
    advice_text(advice, item, "changing", model ? "a change of the model" : "a change");
    advice_text(advice, item, "why", why);
    advice_text(advice, item, "change", change);
    advice->dominant = item;
}

/* ---- Which first ---- */

static double left_of(const struct advice *advice, const struct advice_item *item)
{
    double sum = 0;

    for (uint32_t at = item->first_claim; at != NO_ID;) {
        const struct claim *claim = column_at(&advice->claims, at);

        sum += fmin(claim->ns, ((const struct pool *)column_at(&advice->pools, claim->pool))->left);
        at = claim->next;
    }
    return sum;
}

static double claimed_by(const struct advice *advice, const struct advice_item *item)
{
    double sum = 0;

    for (uint32_t at = item->first_claim; at != NO_ID;) {
        const struct claim *claim = column_at(&advice->claims, at);

        sum += claim->ns;
        at = claim->next;
    }
    return sum;
}

/* `most`: what is left of the run. What an item cannot save its rows cannot, each by as much. */
static void take(struct advice *advice, struct advice_item *item, double most)
{
    double claimed = claimed_by(advice, item);

    item->saves_ns = 0;
    for (uint32_t at = item->first_claim; at != NO_ID;) {
        const struct claim *claim = column_at(&advice->claims, at);
        struct pool *pool = column_at(&advice->pools, claim->pool);
        double taken = fmin(fmin(claim->ns, pool->left), most - item->saves_ns);

        item->saves_ns += taken;
        pool->left -= taken;
        at = claim->next;
    }
    for (size_t i = 0; i < item->row_count && item->saves_ns < claimed; i++)
        item->rows[i].saves_ns *= item->saves_ns / claimed;
}

/* The one of those from `first` on that could save most of what is left; where two could save the same, the one that was found first. */
static size_t best_from(const struct advice *advice, size_t first, double *saves)
{
    size_t best = first;

    *saves = -1;
    for (size_t i = first; i < advice->count; i++) {
        double left = left_of(advice, advice->items[i]);

        if (left > *saves) {
            best = i;
            *saves = left;
        }
    }
    return best;
}

static void rank(struct advice *advice)
{
    double run = advice->run_ns; /* that is left */
    size_t ranked = 0;

    while (ranked < advice->count) {
        double saves;
        size_t best = best_from(advice, ranked, &saves);
        struct advice_item *item = advice->items[best];

        saves = fmin(saves, run);
        memmove(&advice->items[ranked + 1], &advice->items[ranked], (best - ranked) * sizeof *advice->items);
        advice->items[ranked] = item;
        if (advice_share(advice, saves) < WORTH_PERCENT)
            break;
        if (saves < REST * claimed_by(advice, item)) {
            memmove(&advice->items[ranked], &advice->items[ranked + 1],
                    (--advice->count - ranked) * sizeof *advice->items);
            continue;
        }
        take(advice, item, run);
        run -= item->saves_ns;
        ranked++;
    }
    advice->count = ranked;
}

/* Healthy: what dominates stands before the others, which are none of the items. */
static void judge(struct advice *advice)
{
    bool small = !advice->count || advice_share(advice, advice->items[0]->saves_ns) < ADVICE_HEALTHY_PERCENT;

    advice->healthy = small && !advice->unjudged && advice->run_ns > 0;
    if (!small)
        return;
    advice->smaller = advice->count;
    advice->count = 0;
    if (!advice->dominant)
        return;
    memmove(&advice->items[1], &advice->items[0], advice->smaller * sizeof *advice->items);
    advice->items[0] = advice->dominant;
    advice->count = 1;
}

static void write_sentences(struct advice *advice, struct advice_item *item)
{
    const struct advice_rule *rule = item->rule;

    item->title = advice_sentence(advice, item, rule->title);
    item->evidence = advice_sentence(advice, item, rule->evidence);
    item->assumes = advice_sentence(advice, item, rule->assumes);
    item->ruled_out = advice_sentence(advice, item, rule->ruled_out);
    item->command = advice_sentence(advice, item, rule->command);
    assert((advice->failure != STATUS_OK || (item->title && item->evidence && item->assumes)) &&
           "what a rule always says, its finder always sets");
}

status advice_settle(struct advice *advice)
{
    if (advice->failure != STATUS_OK)
        return advice->failure;
    advice->items = memory_allocate((advice->all.count + 2) * sizeof *advice->items);
    if (!advice->items)
        return status_no_memory("ranking advice");
    for (size_t i = 0; i < advice->all.count; i++) {
        struct advice_item *item = column_at(&advice->all, i);

        if (item != advice->dominant && item->first_claim != NO_ID)
            advice->items[advice->count++] = item;
    }
    rank(advice);
    for (size_t i = 0; i < advice->count; i++)
        write_sentences(advice, advice->items[i]);
    if (advice->dominant)
        write_sentences(advice, advice->dominant);
    judge(advice);
    return advice->failure;
}

/* ---- Reading ---- */

double advice_share(const struct advice *advice, double nanoseconds)
{
    return advice->run_ns > 0 ? nanoseconds / advice->run_ns * 100 : 0;
}

int64_t advice_rounded(double nanoseconds)
{
    if (isnan(nanoseconds))
        return 0;
    return nanoseconds >= 9.2e18 ? INT64_MAX : nanoseconds <= -9.2e18 ? INT64_MIN : llround(nanoseconds);
}

const char *advice_where(struct advice *advice, const struct advice_item *item, size_t most)
{
    size_t total = item->row_count + item->rows_left, named = item->row_count < most ? item->row_count : most;
    const char *text = "";

    for (size_t i = 0; i < named; i++) {
        const struct advice_row *row = &item->rows[i];
        const char *before = !i ? "" : i + 1 == named && named == total ? " and " : ", ";

        text = advice_say(advice, row->location ? "%s%s%s (%s)" : "%s%s%s", text, before, row->name ? row->name : "",
                          row->location);
    }
    return named < total ? advice_say(advice, "%s and %zu more", text, total - named) : text;
}

bool advice_names_dominant(const struct advice *advice)
{
    const struct advice_row *row = advice->dominant && advice->dominant->row_count ? advice->dominant->rows : NULL;

    for (size_t i = 0; row && i < advice->count; i++)
        for (size_t k = 0; k < advice->items[i]->row_count; k++)
            if (row->name && advice->items[i]->rows[k].name && strcmp(row->name, advice->items[i]->rows[k].name) == 0)
                return false;
    return row && advice->count;
}

const char *advice_headline(struct advice *advice)
{
    double sum = 0;

    if (!(advice->run_ns > 0))
        return "No run has any time: there is nothing to advise on.";
    if (advice->unjudged)
        return advice->unjudged;
    if (advice->healthy)
        return "Healthy: nothing that this profile shows could save a tenth of a run.";
    for (size_t i = 0; i < advice->count; i++)
        sum += advice->items[i]->saves_ns;
    if (advice->count == 1)
        return advice_say(advice, "One thing could save up to %s of a run of %s (%.1f %%).",
                          advice_say_time(advice, sum), advice_say_time(advice, advice->run_ns),
                          advice_share(advice, sum));
    return advice_say(advice, "%zu things could save up to %s of a run of %s (%.1f %%); no time is counted twice.",
                      advice->count, advice_say_time(advice, sum), advice_say_time(advice, advice->run_ns),
                      advice_share(advice, sum));
}
