/* clickhouse_url.c: what the name of a store on ClickHouse says. */
#include "history/clickhouse_url.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"

#define SCHEME "clickhouse://"

bool clickhouse_is_url(const char *text)
{
    return text_begins(text_of(text), SCHEME);
}

/* ---- pieces -------------------------------------------------------------------------------------------------------------------- */

/* Cuts a text at a sign: what comes before it stays, what comes behind it is returned; NULL: the sign is not there. */
static char *cut(char *text, char sign)
{
    char *found = strchr(text, sign);

    if (found)
        *found++ = '\0';
    return found;
}

static int digit_of(char sign)
{
    return char_is_digit(sign)                                  ? sign - '0'
           : char_lower(sign) >= 'a' && char_lower(sign) <= 'f' ? char_lower(sign) - 'a' + 10
                                                                : -1;
}

/* "%2F" is a slash. */
static bool decode(char *text)
{
    char *to = text;

    for (; *text; text++) {
        if (*text != '%') {
            *to++ = *text;
            continue;
        }
        if (digit_of(text[1]) < 0 || digit_of(text[2]) < 0)
            return false;
        *to++ = (char)(digit_of(text[1]) * 16 + digit_of(text[2]));
        text += 2;
    }
    *to = '\0';
    return true;
}

static bool is_name(const char *text)
{
    for (const char *next = text; *next; next++)
        if (!char_is_letter(*next) && !char_is_digit(*next) && *next != '_')
            return false;
    return *text && !char_is_digit(*text);
}

static bool is_host(const char *text)
{
    for (const char *next = text; *next; next++)
        if (!char_is_letter(*next) && !char_is_digit(*next) && !strchr("_-.:[]", *next))
            return false;
    return *text && *text != ':';
}

/* ---- parts --------------------------------------------------------------------------------------------------------------------- */

static status take_user(struct clickhouse_url *url, char *user)
{
    char *password = cut(user, ':');

    if (!decode(user) || (password && !decode(password)))
        return status_fail(STATUS_USAGE, SCHEME "...: a %% in the user or the password wants two digits behind it");
    url->user = user;
    if (password)
        url->password = password;
    return STATUS_OK;
}

static status take_hosts(struct clickhouse_url *url, char *hosts)
{
    while (hosts) {
        char *rest = cut(hosts, ',');
        const char *colon = strrchr(hosts, ':'), *bracket = strrchr(hosts, ']');

        if (!is_host(hosts) || (colon && !colon[1]))
            return status_fail(STATUS_USAGE, SCHEME "...: \"%s\" is no host of a ClickHouse", hosts);
        if (url->host_count == CLICKHOUSE_HOSTS)
            return status_fail(STATUS_USAGE, SCHEME "...: more than %d hosts", CLICKHOUSE_HOSTS);
        url->ports[url->host_count] = colon && (!bracket || colon > bracket);
        url->hosts[url->host_count++] = hosts;
        hosts = rest;
    }
    return STATUS_OK;
}

static status take_option(struct clickhouse_url *url, const char *name, char *value)
{
    static const uint64_t most = 1000000;
    const struct {
        const char *name; /* of an option that is a number */
        uint64_t *number; /* it sets */
        uint64_t unit;    /* of it */
    } numbers[] = { { "retry", &url->retry_ms, 1000 },
                    { "timeout", &url->timeout_s, 1 },
                    { "ttl", &url->ttl_days, 1 } };
    int64_t number;

    if (strcmp(name, "cluster") == 0 && value && is_name(value)) {
        url->cluster = value;
        return STATUS_OK;
    }
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (strcmp(name, numbers[i].name) == 0 && value && number_parse_integer(value, strlen(value), &number) &&
            number >= 0 && (uint64_t)number <= most) {
            *numbers[i].number = (uint64_t)number * numbers[i].unit;
            return STATUS_OK;
        }
    /* Its value may be a password that was put there. */
    return status_fail(STATUS_USAGE,
                       SCHEME "...: \"%s\": after the database come cluster=NAME, retry=SECONDS, timeout=SECONDS or "
                              "ttl=DAYS",
                       name);
}

static status take_options(struct clickhouse_url *url, char *options)
{
    status code = STATUS_OK;

    while (options && code == STATUS_OK) {
        char *rest = cut(options, '&'), *value = cut(options, '=');

        code = take_option(url, options, value);
        options = rest;
    }
    if (code == STATUS_OK && !url->timeout_s)
        code = status_fail(STATUS_USAGE, SCHEME "...: timeout=0 leaves no time for an answer");
    if (code == STATUS_OK && url->host_count > 1 && !url->cluster)
        code = status_fail(STATUS_USAGE,
                           SCHEME "...: several hosts are one store where they are a cluster: give ?cluster=NAME, a "
                                  "name of the servers' own configuration (remote_servers)");
    return code;
}

static status make_shown(struct clickhouse_url *url)
{
    size_t size = sizeof SCHEME + strlen(url->hosts[0]) + strlen(url->database) + 8;

    url->shown = memory_allocate(size);
    if (!url->shown)
        return status_no_memory("opening a history");
    snprintf(url->shown, size, SCHEME "%s%s/%s", url->hosts[0], url->host_count > 1 ? ",..." : "", url->database);
    return STATUS_OK;
}

status clickhouse_url_parse(const char *text, struct clickhouse_url *url)
{
    const char *password = getenv("TACHO_CLICKHOUSE_PASSWORD");
    char *rest, *hosts, *database, *options, *at;
    status code = STATUS_OK;

    *url =
        (struct clickhouse_url){ .user = "", .password = password ? password : "", .retry_ms = 8000, .timeout_s = 60 };
    url->text = memory_copy_text(text + strlen(SCHEME));
    if (!url->text)
        return status_no_memory("opening a history");
    rest = url->text;
    at = strrchr(rest, '@'); /* a password may have one, a host has none */
    if (at) {
        *at = '\0';
        code = take_user(url, rest);
        rest = at + 1;
    }
    options = cut(rest, '?');
    hosts = rest;
    database = cut(rest, '/');
    if (code == STATUS_OK && (!database || !is_name(database)))
        code = status_fail(STATUS_USAGE, SCHEME "HOST:8123/DATABASE wants a database, of letters, digits and _");
    url->database = database;
    if (code == STATUS_OK)
        code = take_hosts(url, hosts);
    if (code == STATUS_OK)
        code = take_options(url, options);
    return code == STATUS_OK ? make_shown(url) : code;
}

void clickhouse_url_free(struct clickhouse_url *url)
{
    memory_free(url->text);
    memory_free(url->shown);
    *url = (struct clickhouse_url){ 0 };
}
