/* ops_text.c: texts that grow. */
#include "ops_text.h"

#include <stdlib.h>
#include <string.h>

enum { OP_TEXT_LEAST = 128 }; /* bytes that a text has room for at first */

void op_text_free(struct op_text *text)
{
    free(text->data);
    *text = (struct op_text){ 0 };
}

void op_text_clear(struct op_text *text)
{
    text->length = 0;
    text->failed = false;
    if (text->data)
        text->data[0] = '\0';
}

static bool op_text_has_room(struct op_text *text, size_t more)
{
    size_t capacity = text->capacity ? text->capacity : OP_TEXT_LEAST;
    char *grown;

    if (more >= SIZE_MAX / 4 - text->length)
        return false;
    while (capacity <= text->length + more)
        capacity *= 2;
    if (capacity == text->capacity)
        return true;
    grown = realloc(text->data, capacity);
    if (!grown)
        return false;
    text->data = grown;
    text->capacity = capacity;
    return true;
}

void op_text_add(struct op_text *text, const char *bytes, size_t length)
{
    if (!length)
        return;
    if (!op_text_has_room(text, length)) {
        text->failed = true;
        return;
    }
    memcpy(text->data + text->length, bytes, length);
    text->length += length;
    text->data[text->length] = '\0';
}

void op_text_add_string(struct op_text *text, const char *string)
{
    op_text_add(text, string, strlen(string));
}

void op_text_add_number(struct op_text *text, uint64_t number)
{
    char digits[20];
    size_t first = sizeof digits;

    do
        digits[--first] = (char)('0' + number % 10);
    while (number /= 10);
    op_text_add(text, digits + first, sizeof digits - first);
}

void op_text_add_clean(struct op_text *text, const char *string, const char *joints)
{
    size_t from = text->length;

    op_text_add_string(text, string);
    for (size_t i = from; i < text->length; i++) {
        unsigned char byte = (unsigned char)text->data[i];

        if (byte == ',')
            text->data[i] = ';';
        else if (byte < ' ' || byte == 0x7F)
            text->data[i] = ' ';
        else if (strchr(joints, byte))
            text->data[i] = '_';
    }
}

const char *op_text_string(const struct op_text *text)
{
    return text->data ? text->data : "";
}
