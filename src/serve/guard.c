/* guard.c: tokens, hosts, origins and targets of requests. */
#include "serve/guard.h"

#include <arpa/inet.h>
#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "base/text.h"

enum { MOST_RANDOM = 32 }; /* bytes at once */

status guard_random(char *to, unsigned bytes)
{
    unsigned char random[MOST_RANDOM];
    ssize_t got;

    assert(bytes && bytes <= MOST_RANDOM);
    do {
        got = getrandom(random, bytes, 0);
    } while (got < 0 && errno == EINTR);
    if (got != (ssize_t)bytes)
        return status_fail(STATUS_INPUT, "the system gives no random bytes: %s", strerror(errno));
    for (unsigned i = 0; i < bytes; i++)
        snprintf(to + (size_t)i * 2, 3, "%02x", random[i]);
    return STATUS_OK;
}

status guard_start(struct guard *guard, const char *address, bool loopback)
{
    *guard = (struct guard){ .loopback = loopback };
    snprintf(guard->address, sizeof guard->address, strchr(address, ':') ? "[%s]" : "%s", address);
    if (loopback || gethostname(guard->name, sizeof guard->name - 1) != 0)
        guard->name[0] = '\0';
    return guard_random(guard->token, GUARD_TOKEN / 2);
}

/* ---- Hosts ---------------------------------------------------------------------------------------------------------- */

/* The host without its port; NULL data: it is malformed. */
static struct text without_port(const char *host)
{
    struct text whole = text_of(host), port;
    const char *colon = *host == '[' ? strchr(host, ']') : strchr(host, ':');

    if (*host == '[') {
        if (!colon)
            return (struct text){ NULL, 0 };
        colon++;
    }
    if (!colon || !*colon)
        return whole;
    port = text_of(colon + 1);
    if (*colon != ':' || !port.length || port.length > 5)
        return (struct text){ NULL, 0 };
    for (size_t i = 0; i < port.length; i++)
        if (!char_is_digit(port.data[i]))
            return (struct text){ NULL, 0 };
    return text_between(host, colon);
}

/* Numbers cannot be made to lead elsewhere: only names can. */
static bool is_address(struct text name, bool *loopback)
{
    char plain[INET6_ADDRSTRLEN + 1];
    struct in6_addr six;
    struct in_addr four;

    *loopback = false;
    if (name.length > 2 && *name.data == '[') {
        if (name.data[name.length - 1] != ']' || name.length - 2 >= sizeof plain)
            return false;
        text_copy(plain, sizeof plain, (struct text){ name.data + 1, name.length - 2 });
        if (inet_pton(AF_INET6, plain, &six) != 1)
            return false;
        *loopback = IN6_IS_ADDR_LOOPBACK(&six);
        return true;
    }
    if (!name.length || name.length >= sizeof plain)
        return false;
    text_copy(plain, sizeof plain, name);
    if (inet_pton(AF_INET, plain, &four) != 1)
        return false;
    *loopback = ntohl(four.s_addr) >> 24 == 127;
    return true;
}

bool guard_knows_host(const struct guard *guard, const char *host)
{
    struct text name = without_port(host);
    bool loopback;

    if (!name.data)
        return false;
    if (text_is_any_case(name, "localhost") || text_is(name, guard->address))
        return true;
    if (*guard->name && text_is_any_case(name, guard->name))
        return true;
    return is_address(name, &loopback) && (loopback || !guard->loopback);
}

/* A page of this server, and of no other port of the same host. */
static bool is_own_origin(const char *origin, const char *host)
{
    struct text rest = text_of(origin);

    return text_cut_start(&rest, "http://") && text_is(rest, host);
}

/* ---- Targets -------------------------------------------------------------------------------------------------------- */

static int hexadecimal(char sign)
{
    if (char_is_digit(sign))
        return sign - '0';
    sign = char_lower(sign);
    return sign >= 'a' && sign <= 'f' ? sign - 'a' + 10 : -1;
}

/* One decoded text behind the others; NULL: it has an escape that is none, or bytes that no text of ours has. */
static const char *decode(struct text from, bool query, char **next)
{
    const char *start = *next;

    for (size_t i = 0; i < from.length; i++) {
        char sign = from.data[i];

        if (sign == '%') {
            int high = i + 1 < from.length ? hexadecimal(from.data[i + 1]) : -1;
            int low = i + 2 < from.length ? hexadecimal(from.data[i + 2]) : -1;

            if (high < 0 || low < 0)
                return NULL;
            sign = (char)(high * 16 + low);
            i += 2;
        } else if (query && sign == '+') {
            sign = ' ';
        }
        if ((unsigned char)sign < ' ' || sign == 0x7f)
            return NULL;
        *(*next)++ = sign;
    }
    *(*next)++ = '\0';
    return start;
}

/* A piece that is the name of something in its folder, and nothing else. */
static bool is_plain(const char *piece)
{
    return *piece && strcmp(piece, ".") != 0 && strcmp(piece, "..") != 0 && !strpbrk(piece, "/\\");
}

static bool parse_path(struct text path, struct guard_target *target, char **next)
{
    if (!text_cut_start(&path, "/"))
        return false;
    if (!path.length)
        return true;
    while (path.data) {
        const char *piece = decode(text_take(&path, '/'), false, next);

        if (!piece || !is_plain(piece) || target->piece_count == GUARD_PIECES)
            return false;
        target->pieces[target->piece_count++] = piece;
    }
    return true;
}

static bool parse_query(struct text query, struct guard_target *target, char **next)
{
    while (query.data) {
        struct text value = text_take(&query, '&'), name = text_take(&value, '=');

        if (!name.length && !value.length)
            continue;
        if (target->pair_count == GUARD_PAIRS)
            return false;
        target->pairs[target->pair_count].name = decode(name, true, next);
        target->pairs[target->pair_count].value = decode(value, true, next);
        if (!target->pairs[target->pair_count].name || !target->pairs[target->pair_count].value)
            return false;
        target->pair_count++;
    }
    return true;
}

bool guard_parse(const char *uri, struct guard_target *target)
{
    struct text query = text_of(uri), path;
    char *next = target->text;

    target->piece_count = target->pair_count = 0;
    /* Decoding makes no text longer, and a separator is the room for a NUL; only a pair without "=" needs one more. */
    if (query.length > GUARD_URI - GUARD_PAIRS || text_first(query, '#'))
        return false;
    path = text_take(&query, '?');
    return parse_path(path, target, &next) && parse_query(query, target, &next);
}

const char *guard_value(const struct guard_target *target, const char *name)
{
    for (unsigned i = 0; i < target->pair_count; i++)
        if (strcmp(target->pairs[i].name, name) == 0)
            return target->pairs[i].value;
    return NULL;
}

/* ---- All of it ------------------------------------------------------------------------------------------------------ */

/* Takes as long whatever is wrong about it: how long an answer takes must not tell the token bit by bit. */
static bool is_token(const struct guard *guard, const char *given)
{
    unsigned char difference = 0;

    if (!given || strlen(given) != GUARD_TOKEN)
        return false;
    for (unsigned i = 0; i < GUARD_TOKEN; i++)
        difference |= (unsigned char)(guard->token[i] ^ given[i]);
    return difference == 0;
}

static bool has_token(const struct guard *guard, const struct guard_request *request, const struct guard_target *target)
{
    struct text header = text_of(request->authorization);

    if (text_cut_start(&header, "Bearer ") && is_token(guard, header.data))
        return true;
    return is_token(guard, guard_value(target, "token"));
}

unsigned guard_check(const struct guard *guard, const struct guard_request *request, struct guard_target *target,
                     const char **why)
{
    assert(request->method && request->uri);
    *why = "only GET, HEAD and POST are answered";
    target->posts = strcmp(request->method, "POST") == 0;
    if (!target->posts && strcmp(request->method, "GET") != 0 && strcmp(request->method, "HEAD") != 0)
        return 405;
    *why = "a request may have 64 headers";
    if (request->headers > GUARD_HEADERS)
        return 431;
    *why = "no request has a body here";
    if (request->body)
        return 413;
    *why = "the header Host must name this machine by its address or as localhost";
    if (request->hosts != 1 || !request->host || !guard_knows_host(guard, request->host))
        return 421;
    *why = "pages of elsewhere get nothing here";
    if (request->origin && !is_own_origin(request->origin, request->host))
        return 403;
    *why = "this address cannot be read";
    if (!guard_parse(request->uri, target))
        return 400;
    *why = "the token is missing or another one: open the address that `tacho serve` printed";
    if (!has_token(guard, request, target))
        return 401;
    return 0;
}
