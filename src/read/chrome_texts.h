/* chrome_texts.h: texts of events as ids in the string pool; those that come again and again are found by their raw bytes.
 *
 * A table of fixed size in front of the pool: a text takes the place of another one that falls into the same slot. What has a backslash in it is not kept
 * there, so that equal bytes are equal texts.
 */
#ifndef READ_CHROME_TEXTS_H
#define READ_CHROME_TEXTS_H

#include "read/chrome_event.h"

enum { CHROME_TEXT_SLOTS = 4096 };

enum chrome_text_kind {
    CHROME_TEXT,      /* of a string */
    CHROME_JSON,      /* an array or object, as it came */
    CHROME_WRONG_JSON /* one that cannot be parsed */
};

struct chrome_texts {
    struct strings *strings; /* borrowed */
    char *plain;             /* room for a text without its escapes; owned */
    size_t capacity;         /* of plain */
    struct {
        const char *data; /* of the text, in the pool */
        uint32_t length;  /* of it; 0: the slot is free */
        uint32_t hash;    /* of it */
        string_id id;     /* of it */
        uint32_t kind;    /* enum chrome_text_kind */
    } slots[CHROME_TEXT_SLOTS];
};

void chrome_texts_start(struct chrome_texts *texts, struct strings *strings);
void chrome_texts_free(struct chrome_texts *texts);

/* A string as it stands between its quotes; no data is the empty text. */
NODISCARD status chrome_text(struct chrome_texts *texts, struct text raw, string_id *id);
/* An array or object. `*right`: it can be parsed. */
NODISCARD status chrome_json(struct chrome_texts *texts, struct text raw, string_id *id, bool *right);

#endif
