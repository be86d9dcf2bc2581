/* chrome_rules.h: which rule of a producer an event fits.
 *
 * A set of rules is a word of bits, one per rule in their order. Category and name of an event give a set, which is kept for the next event that has
 * both; rules that ask for an argument, or for the name of a thread, leave it again where that is not so. The lowest bit that stays is the rule.
 */
#ifndef READ_CHROME_RULES_H
#define READ_CHROME_RULES_H

#include "read/chrome_event.h"
#include "read/producer.h"

enum { CHROME_RULES = 63, CHROME_RULE_SLOTS = 1024 }; /* rules that a producer may have; sets that are kept */

typedef uint64_t rule_set;

struct chrome_rules {
    const struct producer *producer; /* NULL: no rules */
    const struct strings *strings;   /* borrowed */
    unsigned count;                  /* of rules */
    rule_set by_argument;            /* that ask for one */
    rule_set roles[ROLE_END];        /* by what their events are */
    struct {
        string_id category, name; /* of the events */
        rule_set fit;             /* that they fit, as far as these tell; bit CHROME_RULES: the slot is used */
    } slots[CHROME_RULE_SLOTS];
};

void chrome_rules_start(struct chrome_rules *rules, const struct producer *producer, const struct strings *strings);
/* The rules that an event fits on some thread. */
rule_set chrome_rules_fit(struct chrome_rules *rules, string_id category, string_id name, struct text arguments);
/* Those that may count on a thread of this name, in a process of that name and labels. */
rule_set chrome_rules_of_line(const struct chrome_rules *rules, struct text thread, struct text process,
                              struct text labels);
/* The first of a set; NULL: it is empty. */
static inline const struct producer_rule *chrome_rule(const struct chrome_rules *rules, rule_set fit)
{
    return fit ? &rules->producer->rules[__builtin_ctzll(fit)] : NULL;
}

/* Whether a text fits a pattern, in which '*' is any text. */
bool chrome_fits(struct text text, const char *pattern);
/* A text without what a name leaves out before and behind it. */
struct text chrome_strip(struct text text, const struct producer_name *name);

#endif
