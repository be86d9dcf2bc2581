/* chrome_rules.c: patterns, and sets of rules that events fit. */
#include "read/chrome_rules.h"

#include <assert.h>
#include <string.h>

#include "base/map.h"
#include "base/text.h"

bool chrome_fits(struct text text, const char *pattern)
{
    const char *next = text.length ? text.data : "", *end = next + text.length;
    const char *star = NULL, *again = NULL; /* the last star, and what it takes up to now */

    while (next < end) {
        if (*pattern == '*') {
            star = pattern++;
            again = next;
        } else if (*pattern && *pattern == *next) {
            pattern++;
            next++;
        } else if (star) {
            pattern = star + 1;
            next = ++again;
        } else {
            return false;
        }
    }
    while (*pattern == '*')
        pattern++;
    return !*pattern;
}

struct text chrome_strip(struct text text, const struct producer_name *name)
{
    if (name->before)
        text_cut_start(&text, name->before);
    if (name->behind)
        text_cut_end(&text, name->behind);
    return text;
}

void chrome_rules_start(struct chrome_rules *rules, const struct producer *producer, const struct strings *strings)
{
    memset(rules, 0, sizeof *rules);
    rules->producer = producer;
    rules->strings = strings;
    if (!producer)
        return;
    for (const struct producer_rule *rule = producer->rules; rule->role != ROLE_END; rule++) {
        rule_set bit = (rule_set)1 << rules->count++;

        assert(rules->count <= CHROME_RULES && "a set holds all rules");
        rules->roles[rule->role] |= bit;
        if (rule->argument)
            rules->by_argument |= bit;
    }
}

static rule_set find_fit(const struct chrome_rules *rules, string_id category, string_id name)
{
    rule_set fit = 0;

    for (unsigned i = 0; i < rules->count; i++) {
        const struct producer_rule *rule = &rules->producer->rules[i];

        if ((!rule->category || chrome_fits(strings_get(rules->strings, category), rule->category)) &&
            (!rule->name || chrome_fits(strings_get(rules->strings, name), rule->name)))
            fit |= (rule_set)1 << i;
    }
    return fit;
}

/* Whether arguments have one of a key, or "key=pattern". */
static bool has_argument(struct text arguments, const char *wanted)
{
    enum { KEY = 32 }; /* bytes of the longest key that has a pattern, with the NUL */
    const char *equals = strchr(wanted, '=');
    char key[KEY];
    struct text value;

    if (!equals)
        return chrome_find_member(arguments, wanted).data;
    assert(equals - wanted < KEY);
    text_copy(key, sizeof key, text_between(wanted, equals));
    value = chrome_find_member(arguments, key);
    return value.data && chrome_fits(value, equals + 1);
}

rule_set chrome_rules_fit(struct chrome_rules *rules, string_id category, string_id name, struct text arguments)
{
    static const rule_set used = (rule_set)1 << CHROME_RULES;
    size_t slot = (size_t)map_mix(category, name) % CHROME_RULE_SLOTS;
    rule_set fit;

    if (!rules->count)
        return 0;
    if (!rules->slots[slot].fit || rules->slots[slot].category != category || rules->slots[slot].name != name) {
        rules->slots[slot].category = category;
        rules->slots[slot].name = name;
        rules->slots[slot].fit = used | find_fit(rules, category, name);
    }
    fit = rules->slots[slot].fit & ~used;
    for (rule_set left = fit & rules->by_argument; left; left &= left - 1) {
        const struct producer_rule *rule = chrome_rule(rules, left);

        if (!has_argument(arguments, rule->argument))
            fit &= ~(left & -left);
    }
    return fit;
}

rule_set chrome_rules_of_line(const struct chrome_rules *rules, struct text thread, struct text process,
                              struct text labels)
{
    rule_set fit = 0;

    for (unsigned i = 0; i < rules->count; i++) {
        const char *pattern = rules->producer->rules[i].line;

        if (!pattern || chrome_fits(thread, pattern) || chrome_fits(process, pattern) || chrome_fits(labels, pattern))
            fit |= (rule_set)1 << i;
    }
    return fit;
}
