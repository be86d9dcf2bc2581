/* advice_sentence.h: sentences of rules, with values in the place of names. Only advice.c knows it. */
#ifndef ANALYZE_ADVICE_SENTENCE_H
#define ANALYZE_ADVICE_SENTENCE_H

#include "analyze/advice.h"

/* A value of a sentence. */
struct advice_value {
    const char *key;  /* static */
    const char *text; /* as people read it */
    uint64_t number;  /* of a count */
    uint32_t next;    /* of the same item; NO_ID: the last */
};

/* What a template says of an item, in the advice's arena; NULL where a value outside of brackets is not set: what a rule does not know of
 * this item it does not say. `template` NULL: NULL. */
const char *advice_sentence(struct advice *advice, const struct advice_item *item, const char *template);

#endif
