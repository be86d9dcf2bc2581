/* advice_sentence.c: templates of rules, filled in. */
#include "analyze/advice_sentence.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/format.h"
#include "base/text.h"
#include "trace/model.h"

enum { SENTENCE_LONGEST = 4096 };

/* A sentence while it is written. */
struct sentence {
    struct advice *advice;          /* borrowed */
    const struct advice_item *item; /* that it is about */
    char text[SENTENCE_LONGEST];    /* so far */
    size_t length;                  /* of the text */
    bool missing;                   /* a value was not set, since the last bracket */
};

static void add_text(struct sentence *sentence, const char *text, size_t length)
{
    size_t room = SENTENCE_LONGEST - 1 - sentence->length, kept = length < room ? length : room;

    memcpy(sentence->text + sentence->length, text, kept);
    sentence->length += kept;
    sentence->text[sentence->length] = '\0';
}

/* ---- Values ---- */

static const struct advice_value *find_value(const struct sentence *sentence, struct text key)
{
    const uint32_t lists[] = { sentence->item->first_value, sentence->advice->every.first_value };

    for (unsigned i = 0; i < 2; i++)
        for (uint32_t at = lists[i]; at != NO_ID;) {
            const struct advice_value *value = column_at(&sentence->advice->values, at);

            if (strlen(value->key) == key.length && memcmp(value->key, key.data, key.length) == 0)
                return value;
            at = value->next;
        }
    return NULL;
}

static bool is_key(struct text key, const char *name)
{
    return strlen(name) == key.length && memcmp(key.data, name, key.length) == 0;
}

/* What every item has; NULL: it is none of these, or not known. */
static const char *known_value(struct sentence *sentence, struct text key, uint64_t *number)
{
    const struct advice_item *item = sentence->item;
    const struct advice_row *first = item->row_count ? &item->rows[0] : NULL;
    struct advice *advice = sentence->advice;

    *number = item->row_count + item->rows_left;
    if (is_key(key, "saves"))
        return advice_say_time(advice, item->saves_ns);
    if (is_key(key, "share"))
        return advice_say(advice, "%.1f %%", advice_share(advice, item->saves_ns));
    if (is_key(key, "time"))
        return isnan(item->ns) ? NULL : advice_say_time(advice, item->ns);
    if (is_key(key, "time_share"))
        return isnan(item->ns) ? NULL : advice_say(advice, "%.1f %%", advice_share(advice, item->ns));
    if (is_key(key, "run"))
        return advice_say_time(advice, advice->run_ns);
    if (is_key(key, "rows"))
        return advice_say(advice, "%llu", (unsigned long long)*number);
    if (is_key(key, "more"))
        return *number > 1 ? advice_say(advice, "and %llu more", (unsigned long long)*number - 1) : NULL;
    if (is_key(key, "where"))
        return first ? advice_where(advice, item, 3) : NULL;
    if (is_key(key, "bound"))
        return advice_bound_text(item->bound);
    if (!first)
        return NULL;
    if (is_key(key, "first"))
        return first->name;
    if (is_key(key, "place"))
        return first->location;
    if (is_key(key, "first_time"))
        return isnan(first->ns) ? NULL : advice_say_time(advice, first->ns);
    return NULL;
}

static void add_value(struct sentence *sentence, struct text place)
{
    const char *word = memchr(place.data, ':', place.length), *alone = memchr(place.data, '~', place.length);
    const char *mark = alone ? alone : word;
    struct text key = { place.data, mark ? (size_t)(mark - place.data) : place.length };
    const struct advice_value *value = find_value(sentence, key);
    uint64_t number = value ? value->number : 0;
    const char *text = value ? value->text : known_value(sentence, key, &number);
    const char *one, *many;

    if (!text) {
        sentence->missing = true;
        return;
    }
    if (!alone)
        add_text(sentence, text, strlen(text));
    if (!mark)
        return;
    one = mark + 1;
    many = memchr(one, ':', (size_t)(place.data + place.length - one));
    assert(many && "a count has a word for one and a word for many");
    if (!alone)
        add_text(sentence, " ", 1);
    if (number == 1)
        add_text(sentence, one, (size_t)(many - one));
    else
        add_text(sentence, many + 1, (size_t)(place.data + place.length - many - 1));
}

/* ---- Templates ---- */

/* Up to the end or the bracket that closes. */
static const char *add_template(struct sentence *sentence, const char *at, bool inside)
{
    while (*at && !(inside && *at == ']')) {
        size_t plain = strcspn(at, inside ? "{[]" : "{[");

        add_text(sentence, at, plain);
        at += plain;
        if (*at == '{') {
            const char *end = strchr(at, '}');

            assert(end && "every place is closed");
            add_value(sentence, (struct text){ at + 1, (size_t)(end - at - 1) });
            at = end + 1;
        } else if (*at == '[') {
            size_t before = sentence->length;
            bool missing = sentence->missing;

            assert(!inside && "brackets do not nest");
            sentence->missing = false;
            at = add_template(sentence, at + 1, true);
            assert(*at == ']' && "every bracket is closed");
            at++;
            if (sentence->missing)
                sentence->text[sentence->length = before] = '\0';
            sentence->missing = missing;
        }
    }
    return at;
}

const char *advice_sentence(struct advice *advice, const struct advice_item *item, const char *template)
{
    struct sentence sentence = { .advice = advice, .item = item };

    if (!template)
        return NULL;
    add_template(&sentence, template, false);
    return sentence.missing ? NULL : advice_say(advice, "%s", sentence.text);
}
