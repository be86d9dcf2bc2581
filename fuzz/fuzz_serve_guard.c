/* fuzz_serve_guard.c: the look at requests. Lines of the input are method, target, Host, Origin and Authorization; "$" stands for the
 * token. What is let in has the token, a host of this machine, and pieces that stay in the tree. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "check_sink.h"
#include "serve/handlers.h"

enum { LARGEST = 16 * 1024, LINES = 5 };

/* A line as a text of its own, with the token in place of its sign. */
static char *line_of(struct text *rest, const char *token)
{
    struct text line = text_take(rest, '\n');
    char *made = malloc(line.length * GUARD_TOKEN + 1), *next = made;

    for (size_t i = 0; made && i < line.length && line.data[i]; i++) {
        if (line.data[i] == '$') {
            memcpy(next, token, GUARD_TOKEN);
            next += GUARD_TOKEN;
        } else {
            *next++ = line.data[i];
        }
    }
    if (made)
        *next = '\0';
    return made;
}

static void check_taken_apart(const struct guard_target *target)
{
    const char *end = target->text + sizeof target->text;

    check_that(target->piece_count <= GUARD_PIECES && target->pair_count <= GUARD_PAIRS, "lists stay in their room");
    for (unsigned i = 0; i < target->piece_count; i++) {
        const char *piece = target->pieces[i];

        check_that(piece >= target->text && piece + strlen(piece) < end, "pieces lie in the target");
        check_that(*piece && strcmp(piece, ".") != 0 && strcmp(piece, "..") != 0 && !strpbrk(piece, "/\\"),
                   "a piece names something in its folder");
        for (const char *sign = piece; *sign; sign++)
            check_that((unsigned char)*sign >= ' ', "no control characters");
    }
    for (unsigned i = 0; i < target->pair_count; i++)
        check_that(target->pairs[i].value >= target->text &&
                       target->pairs[i].value + strlen(target->pairs[i].value) < end,
                   "values lie in the target");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct guard guard;
    static struct guard_target target;
    struct text rest = { (const char *)data, size };
    const char *places[ROUTE_PLACES], *why = NULL;
    char *lines[LINES];
    struct guard_request request;
    unsigned refused;

    if (size > LARGEST || (!*guard.token && guard_start(&guard, "127.0.0.1", true) != STATUS_OK))
        return -1;
    for (unsigned i = 0; i < LINES; i++)
        lines[i] = line_of(&rest, guard.token);
    request = (struct guard_request){ .method = lines[0] ? lines[0] : "",
                                      .uri = lines[1] ? lines[1] : "",
                                      .host = lines[2],
                                      .origin = lines[3] && *lines[3] ? lines[3] : NULL,
                                      .authorization = lines[4],
                                      .hosts = 1,
                                      .headers = 3 };
    refused = guard_check(&guard, &request, &target, &why);
    check_that(refused == 0 || (refused >= 400 && refused < 500 && why && *why), "a refusal says why");
    if (refused == 0) {
        check_that(strstr(request.uri, "token") || strstr(request.authorization, guard.token),
                   "who is let in has the token");
        check_that(guard_knows_host(&guard, request.host), "and names this machine");
        check_taken_apart(&target);
        route_find(serve_routes, &target, places);
    }
    for (unsigned i = 0; i < LINES; i++)
        free(lines[i]);
    return 0;
}
