/* greeting.c: what a viewer says before it gets anything, and what it is answered. */
#include "greeting.h"

#include <string.h>

enum greeting_state greeting_hear(struct live_greeting *greeting, const void *bytes, size_t count)
{
    size_t magic = sizeof greeting->hello.magic;

    memcpy((char *)&greeting->hello + greeting->have, bytes, count);
    greeting->have += count;
    /* Somebody else is told so at the first byte that does not fit. */
    if (memcmp(greeting->hello.magic, LIVE_MAGIC, greeting->have < magic ? greeting->have : magic) != 0)
        return GREETING_OTHER;
    return greeting_wants(greeting) ? GREETING_PART : GREETING_COMPLETE;
}

/* All of it is looked at, however it differs. */
static bool token_is(const char *shown, const char *token)
{
    unsigned difference = 0;

    for (int i = 0; i < LIVE_TOKEN; i++)
        difference |= (unsigned)(shown[i] ^ token[i]);
    return !difference;
}

enum live_answer greeting_answer(const struct live_greeting *greeting, const char token[LIVE_TOKEN])
{
    if (greeting->hello.version != LIVE_VERSION)
        return LIVE_WRONG_VERSION;
    return token_is(greeting->hello.token, token) ? LIVE_WELCOME : LIVE_WRONG_TOKEN;
}
