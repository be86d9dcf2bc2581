/* fuzz_live_greeting.c: what anybody may say to a program that records and can be watched. The first byte says how it comes in pieces. */
#include <string.h>

#include "check_sink.h"
#include "record/greeting.h"

static const char token[] = "0123456789abcdef0123456789abcdef";

/* As the recorder hears it: never more at once than the greeting wants. */
static enum greeting_state hear(struct live_greeting *greeting, const uint8_t *data, size_t size, size_t piece)
{
    enum greeting_state state = GREETING_PART;

    for (size_t at = 0; at < size && state == GREETING_PART;) {
        size_t some = size - at < piece ? size - at : piece;

        some = some < greeting_wants(greeting) ? some : greeting_wants(greeting);
        state = greeting_hear(greeting, data + at, some);
        at += some;
    }
    check_that(greeting->have <= sizeof greeting->hello, "a greeting is never longer than it can be");
    return state;
}

/* Whether somebody is let in is told from the bytes alone. */
static bool is_right(const uint8_t *data, size_t size)
{
    struct live_hello hello;

    if (size < sizeof hello)
        return false;
    memcpy(&hello, data, sizeof hello);
    return !memcmp(hello.magic, LIVE_MAGIC, sizeof hello.magic) && hello.version == LIVE_VERSION &&
           !memcmp(hello.token, token, LIVE_TOKEN);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct live_greeting whole = { 0 }, pieces = { 0 };
    enum greeting_state state;
    bool let_in;

    if (size < 1)
        return 0;
    state = hear(&whole, data + 1, size - 1, SIZE_MAX);
    check_that(hear(&pieces, data + 1, size - 1, 1 + data[0] % 61u) == state, "pieces are judged as the whole is");
    check_that(state == GREETING_OTHER || !memcmp(&whole, &pieces, sizeof whole), "pieces are the whole");
    let_in = state == GREETING_COMPLETE && greeting_answer(&whole, token) == LIVE_WELCOME;
    check_that(let_in == is_right(data + 1, size - 1), "whoever shows the token is let in, and nobody else");
    return 0;
}
