/* chrome_arguments.c: arguments of events, from JSON to values of slices. */
#include <assert.h>

#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include "read/chrome_tell.h"

/* A word or a number that is not quoted. */
static status read_scalar(struct chrome_telling *telling, struct text value, struct argument *argument)
{
    const char *next = value.data;

    argument->type = ARGUMENT_INTEGER;
    if (chrome_integer(value, &argument->integer))
        return STATUS_OK;
    if (text_is(value, "true") || text_is(value, "false")) {
        argument->type = ARGUMENT_BOOLEAN;
        argument->boolean = *value.data == 't';
        return STATUS_OK;
    }
    argument->type = ARGUMENT_UNSIGNED;
    if (number_read_unsigned(&next, value.data + value.length, &argument->natural) && next == value.data + value.length)
        return STATUS_OK;
    argument->type = ARGUMENT_DECIMAL;
    if (number_parse_decimal(value.data, value.length, &argument->decimal))
        return STATUS_OK;
    argument->type = ARGUMENT_TEXT;
    return chrome_text(&telling->trace->texts, value, &argument->text);
}

static status read_value(struct chrome_telling *telling, const struct chrome_member *member, struct argument *argument)
{
    struct chrome_texts *texts = &telling->trace->texts;
    bool right;
    status code;

    if (!member->value.data) {
        argument->type = ARGUMENT_JSON;
        return strings_add_text(telling->feed->strings, "null", &argument->text);
    }
    if (member->first == '"') {
        argument->type = ARGUMENT_TEXT;
        return chrome_text(texts, member->value, &argument->text);
    }
    if (member->first != '{' && member->first != '[')
        return read_scalar(telling, member->value, argument);
    code = chrome_json(texts, member->value, &argument->text, &right);
    argument->type = right ? ARGUMENT_JSON : ARGUMENT_TEXT;
    return code;
}

/* Where the argument of a key goes: its old place, where it comes a second time. */
static struct argument *place_of(struct chrome_telling *telling, string_id key, uint64_t *seen)
{
    uint64_t bit = (uint64_t)1 << key % 64;

    for (size_t i = 0; *seen & bit && i < telling->argument_count; i++)
        if (telling->arguments[i].key == key)
            return &telling->arguments[i];
    *seen |= bit;
    return &telling->arguments[telling->argument_count++];
}

status tell_more_arguments(struct chrome_telling *telling, const struct chrome_event *event, uint64_t offset)
{
    const struct chrome_members *members = &telling->members;
    bool broken = members->broken || (event->arguments.data && *event->arguments.data != '{');
    uint64_t seen = 0;
    status code = STATUS_OK;

    for (size_t i = 0; i < telling->argument_count; i++)
        seen |= (uint64_t)1 << telling->arguments[i].key % 64;
    if (telling->argument_count + members->count > telling->argument_capacity)
        code = memory_grow(&telling->arguments, &telling->argument_capacity, telling->argument_count + members->count,
                           sizeof *telling->arguments);
    for (uint32_t i = 0; i < members->count && code == STATUS_OK; i++) {
        struct argument *argument;
        string_id key;

        code = chrome_text(&telling->trace->texts, members->items[i].key, &key);
        broken |= !key;
        if (code != STATUS_OK || !key)
            continue;
        argument = place_of(telling, key, &seen);
        *argument = (struct argument){ .key = key };
        code = read_value(telling, &members->items[i], argument);
    }
    if (code == STATUS_OK && members->more)
        code = chrome_lose(telling->trace, &chrome_loss_many, offset);
    if (code == STATUS_OK && broken)
        code = chrome_lose(telling->trace, &loss_part, offset);
    return code;
}

status tell_arguments(struct chrome_telling *telling, const struct chrome_event *event, uint64_t offset)
{
    telling->argument_count = 0;
    return tell_more_arguments(telling, event, offset);
}

status tell_argument_text(struct chrome_telling *telling, string_id key, string_id *text)
{
    const struct argument *argument =
        key ? argument_find(telling->arguments, (uint32_t)telling->argument_count, key) : NULL;

    *text = 0;
    if (!argument)
        return STATUS_OK;
    if (argument->type == ARGUMENT_TEXT || argument->type == ARGUMENT_JSON) {
        *text = argument->text;
        return STATUS_OK;
    }
    if (argument->type == ARGUMENT_INTEGER)
        return strings_add_format(telling->feed->strings, text, "%lld", (long long)argument->integer);
    return STATUS_OK;
}
