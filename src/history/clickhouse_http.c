/* clickhouse_http.c: statements to ClickHouse servers over HTTP, and what they answer. */
#include "history/clickhouse_http.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/curl.h"
#include "base/memory.h"
#include "base/number.h"

enum {
    TRIES = 5,
    CONNECT_S = 10, /* in which a connection is made, at most */
    HELD = 1 << 20, /* of an answer, until it is complete: a short one can be asked for again */
    SAID = 1024,    /* of an error that the server tells */
    WHY = 256,      /* of why there is no connection */
    SHOWN = 400     /* of that, to people */
};

/* Of all statements: a status that is true, lists of many thousand ids, and rows that are on all servers when they are said to be. A sort that is too large for memory
 * goes through the disk. */
#define SETTINGS                                                                                       \
    "wait_end_of_query=1&insert_distributed_sync=1&max_query_size=100000000&max_ast_elements=10000000" \
    "&max_expanded_ast_elements=10000000&max_bytes_before_external_sort=1000000000"

struct clickhouse_http {
    const struct clickhouse_url *url;             /* borrowed */
    CURL *easy;                                   /* owned */
    struct curl_slist *headers;                   /* owned */
    size_t host;                                  /* that answered last */
    size_t asked;                                 /* host that is asked now */
    const struct clickhouse_connector *connector; /* who connects; NULL: libcurl does; borrowed */
    int error;                                    /* of the last failure; 0: none of the server's own */
    /* Of the statement that is on its way. */
    clickhouse_take take;         /* of the answer; NULL: nothing is expected */
    void *context;                /* of that */
    char *held;                   /* of the answer: HELD bytes of room; owned */
    size_t held_length;           /* of that */
    bool taken;                   /* some of the answer was */
    status failure;               /* of `take` */
    curl_off_t moved;             /* bytes that came and went */
    time_t moved_at;              /* when the last of these did */
    bool stalled;                 /* none does any more */
    bool headed;                  /* the head of the answer is complete */
    char said[SAID];              /* what the server tells where it is no answer */
    size_t said_length;           /* of that */
    char reason[CURL_ERROR_SIZE]; /* why there is no answer at all */
    char why[WHY];                /* the same, of who connects; empty: it did */
};

static _Atomic(const struct clickhouse_connector *) used_connector;

void clickhouse_connect_by(const struct clickhouse_connector *connector)
{
    atomic_store(&used_connector, connector);
}

/* ---- one try --------------------------------------------------------------------------------------------------------------------- */

/* Line by line. An answer that ends in its head would look like an empty one. */
static size_t receive_head(char *data, size_t one, size_t length, void *context)
{
    ((struct clickhouse_http *)context)->headed = length == 2 && memcmp(data, "\r\n", 2) == 0;
    (void)one;
    return length;
}

/* What was held so far, and more. */
static status hand_out(struct clickhouse_http *http, const char *data, size_t length)
{
    size_t held = http->held_length;

    http->taken = true;
    http->held_length = 0;
    if (held)
        http->failure = http->take(http->context, http->held, held);
    if (length && http->failure == STATUS_OK)
        http->failure = http->take(http->context, data, length);
    return http->failure;
}

static size_t receive(char *data, size_t one, size_t length, void *context)
{
    struct clickhouse_http *http = context;
    size_t room = SAID - 1 - http->said_length;
    long status_code = 0;

    (void)one;
    curl.easy_getinfo(http->easy, CURLINFO_RESPONSE_CODE, &status_code);
    if (status_code == 200 && http->take) {
        if (http->taken || http->held_length + length > HELD)
            return hand_out(http, data, length) == STATUS_OK ? length : 0;
        memcpy(http->held + http->held_length, data, length);
        http->held_length += length;
        return length;
    }
    memcpy(http->said + http->said_length, data, length < room ? length : room);
    http->said_length += length < room ? length : room;
    http->said[http->said_length] = '\0';
    return length;
}

/* Where the statement goes: with it in the address where rows follow. The caller frees it. */
static status make_address(const struct clickhouse_http *http, size_t host, const char *sql, char **address)
{
    static const char digits[] = "0123456789ABCDEF";
    const struct clickhouse_url *url = http->url;
    size_t size = strlen(url->hosts[host]) + sizeof SETTINGS + (sql ? 3 * strlen(sql) : 0) + 64;
    char *to = *address = memory_allocate(size);

    if (!to)
        return status_no_memory("asking a server");
    to += snprintf(to, size, "http://%s%s/?" SETTINGS "%s", url->hosts[host], url->ports[host] ? "" : ":8123",
                   sql ? "&query=" : "");
    for (; sql && *sql; sql++) {
        *to++ = '%';
        *to++ = digits[(unsigned char)*sql / 16];
        *to++ = digits[(unsigned char)*sql % 16];
    }
    *to = '\0';
    return STATUS_OK;
}

static time_t now_s(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec;
}

static uint64_t timeout_of(const struct clickhouse_http *http)
{
    return http->connector && http->connector->timeout_s ? http->connector->timeout_s : http->url->timeout_s;
}

/* Called now and then: a server that neither takes nor gives a byte for too long is left. */
static int watch(void *context, curl_off_t to_come, curl_off_t come, curl_off_t to_go, curl_off_t gone)
{
    struct clickhouse_http *http = context;

    (void)to_come;
    (void)to_go;
    if (come + gone != http->moved) {
        http->moved = come + gone;
        http->moved_at = now_s();
    }
    http->stalled =
        now_s() - http->moved_at > (time_t)timeout_of(http) || (http->connector && atomic_load(http->connector->stop));
    return http->stalled;
}

/* ---- somebody else connects ---------------------------------------------------------------------------------------------------------- */

static curl_socket_t open_socket(void *context, curlsocktype purpose, struct curl_sockaddr *address)
{
    struct clickhouse_http *http = context;
    int made = http->connector->connect(http->connector->context, http->asked, http->why, sizeof http->why);

    (void)purpose;
    (void)address;
    return made < 0 ? CURL_SOCKET_BAD : made;
}

static int say_connected(void *context, curl_socket_t made, curlsocktype purpose)
{
    (void)context;
    (void)made;
    (void)purpose;
    return CURL_SOCKOPT_ALREADY_CONNECTED;
}

/* No name is looked up: to libcurl, all hosts are one number, told apart by the port. The list is the caller's to free. */
static struct curl_slist *use_connector(struct clickhouse_http *http)
{
    char instead[64];
    struct curl_slist *list;

    if (!http->connector)
        return NULL;
    snprintf(instead, sizeof instead, "::127.0.0.1:%zu", http->asked + 1);
    list = curl.slist_append(NULL, instead);
    curl.easy_setopt(http->easy, CURLOPT_CONNECT_TO, list);
    curl.easy_setopt(http->easy, CURLOPT_OPENSOCKETFUNCTION, open_socket);
    curl.easy_setopt(http->easy, CURLOPT_OPENSOCKETDATA, http);
    curl.easy_setopt(http->easy, CURLOPT_SOCKOPTFUNCTION, say_connected);
    return list;
}

/* ---- one try, to its end ------------------------------------------------------------------------------------------------------------- */

static CURLcode perform(struct clickhouse_http *http, const char *address, struct text body)
{
    const struct clickhouse_url *url = http->url;
    struct curl_slist *instead;
    CURL *easy = http->easy;
    CURLcode result;

    curl.easy_reset(easy);
    curl.easy_setopt(easy, CURLOPT_URL, address);
    curl.easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    curl.easy_setopt(easy, CURLOPT_NOPROXY, "*");
    curl.easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http");
    curl.easy_setopt(easy, CURLOPT_HTTPHEADER, http->headers);
    curl.easy_setopt(easy, CURLOPT_ERRORBUFFER, http->reason);
    curl.easy_setopt(easy, CURLOPT_CONNECTTIMEOUT, (long)(url->timeout_s < CONNECT_S ? url->timeout_s : CONNECT_S));
    curl.easy_setopt(easy, CURLOPT_NOPROGRESS, 0L);
    curl.easy_setopt(easy, CURLOPT_XFERINFOFUNCTION, watch);
    curl.easy_setopt(easy, CURLOPT_XFERINFODATA, http);
    if (*url->user)
        curl.easy_setopt(easy, CURLOPT_USERNAME, url->user);
    if (*url->user || *url->password)
        curl.easy_setopt(easy, CURLOPT_PASSWORD, url->password);
    if (!*url->user && *url->password)
        curl.easy_setopt(easy, CURLOPT_USERNAME, "default");
    curl.easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)body.length);
    curl.easy_setopt(easy, CURLOPT_POSTFIELDS, body.data);
    curl.easy_setopt(easy, CURLOPT_HEADERFUNCTION, receive_head);
    curl.easy_setopt(easy, CURLOPT_HEADERDATA, http);
    curl.easy_setopt(easy, CURLOPT_WRITEFUNCTION, receive);
    curl.easy_setopt(easy, CURLOPT_WRITEDATA, http);
    instead = use_connector(http);
    result = curl.easy_perform(easy);
    curl.slist_free_all(instead);
    return result;
}

/* "Code: 60, e.displayText() = DB::Exception: Table h.x doesn't exist., e.what() = DB::Exception": the number, and the sentence. */
static int read_error(char *said)
{
    struct text text = text_of(said);
    const char *cursor = said + strlen("Code: "), *sentence = text_find(text, "DB::Exception: "), *end;
    int64_t number = 0;

    if (!text_begins(text, "Code: ") || !number_digits(&cursor, said + text.length, &number) || number > 100000)
        return 0;
    if (sentence)
        memmove(said, sentence + strlen("DB::Exception: "), strlen(sentence + strlen("DB::Exception: ")) + 1);
    end = text_find(text_of(said), ", e.what()");
    if (end)
        said[end - said] = '\0';
    return number ? (int)number : 1;
}

/* What people are shown is one line of letters. */
static void make_printable(char *said)
{
    said[SHOWN] = '\0';
    for (; *said; said++)
        if ((unsigned char)*said < ' ' || *said == 127)
            *said = ' ';
}

/* An error of the server that would be the same again: of the statement, or of who asks. */
static bool is_final(int error)
{
    static const int final[] = { 46, 47, 53, 57, 60, 62, 81, 82, 164, 170, 192, 193, 194, 195, 291, 497, 516 };

    for (size_t i = 0; i < sizeof final / sizeof *final; i++)
        if (error == final[i])
            return true;
    return false;
}

enum outcome { DONE, AGAIN, FINAL };

static enum outcome try_host(struct clickhouse_http *http, size_t host, const char *address, struct text body,
                             status code)
{
    const char *shown = http->url->shown, *name = http->url->hosts[host];
    CURLcode result;
    long status_code = 0;

    http->said_length = http->held_length = 0;
    http->said[0] = http->reason[0] = http->why[0] = '\0';
    http->asked = host;
    http->error = 0;
    http->failure = STATUS_OK;
    http->moved = -1;
    http->moved_at = now_s();
    http->stalled = http->headed = false;
    result = perform(http, address, body);
    if (result == CURLE_OK && !http->headed)
        result = CURLE_RECV_ERROR;
    curl.easy_getinfo(http->easy, CURLINFO_RESPONSE_CODE, &status_code);
    if (http->failure == STATUS_OK && result == CURLE_OK && status_code == 200)
        return !http->take || hand_out(http, NULL, 0) == STATUS_OK ? DONE : FINAL;
    if (http->failure != STATUS_OK)
        return FINAL; /* what was taken made no sense, and that is told */
    if (http->stalled || result == CURLE_OPERATION_TIMEDOUT)
        (void)status_fail(
            code, "%s: %s does not answer within %llu s%s", shown, name, (unsigned long long)timeout_of(http),
            timeout_of(http) == http->url->timeout_s ? " (timeout=SECONDS in the store's name allows more)" : "");
    else if (result != CURLE_OK)
        (void)status_fail(code, "%s: %s cannot be asked: %s", shown, name,
                          *http->why      ? http->why
                          : *http->reason ? http->reason
                                          : curl.easy_strerror(result));
    if (result != CURLE_OK)
        return http->taken || (http->stalled && http->take) ? FINAL : AGAIN; /* who asks has waited long enough */
    http->error = read_error(http->said);
    make_printable(http->said);
    if (http->error)
        (void)status_fail(code, "%s: %s says: %s (error %d)", shown, name, http->said, http->error);
    else
        (void)status_fail(code, "%s: %s answers with status %ld, which is no answer of a ClickHouse", shown, name,
                          status_code);
    return !http->error || is_final(http->error) || http->taken ? FINAL : AGAIN;
}

/* ---- until it is done ---------------------------------------------------------------------------------------------------------------- */

/* Each pause is twice the one before; together they are what the URL says. */
static void pause_before(const struct clickhouse_http *http, unsigned try)
{
    uint64_t ms = (http->url->retry_ms << (try - 1)) / ((1u << (TRIES - 1)) - 1);
    struct timespec time = { .tv_sec = (time_t)(ms / 1000), .tv_nsec = (long)(ms % 1000) * 1000000 };

    while (nanosleep(&time, &time) != 0)
        continue;
}

static enum outcome try_hosts(struct clickhouse_http *http, int host, const char *sql, struct text body, status code)
{
    size_t count = host == CLICKHOUSE_ANY ? http->url->host_count : 1;
    enum outcome outcome = AGAIN;

    for (size_t i = 0; i < count && outcome == AGAIN; i++) {
        size_t at = host == CLICKHOUSE_ANY ? (http->host + i) % count : (size_t)host;
        char *address;

        if (make_address(http, at, sql, &address) != STATUS_OK) {
            http->failure = STATUS_MEMORY;
            return FINAL;
        }
        outcome = try_host(http, at, address, body, code);
        memory_free(address);
        if (outcome == DONE && host == CLICKHOUSE_ANY)
            http->host = at;
    }
    return outcome;
}

static status request(struct clickhouse_http *http, int host, const char *sql, struct text body, status code)
{
    enum outcome outcome = AGAIN;
    unsigned tries = http->connector ? 1 : TRIES;

    http->taken = false;
    for (unsigned try = 0; try < tries && outcome == AGAIN; try++) {
        if (try)
            pause_before(http, try);
        outcome = try_hosts(http, host, sql, body, code);
    }
    if (outcome == DONE)
        return STATUS_OK;
    if (outcome == AGAIN && tries > 1)
        return status_add(code, "trying it %u times", tries);
    return http->failure != STATUS_OK ? http->failure : code;
}

status clickhouse_ask(struct clickhouse_http *http, int host, struct text sql, clickhouse_take take, void *context)
{
    assert(take);
    http->take = take;
    http->context = context;
    return request(http, host, NULL, sql, STATUS_INPUT);
}

status clickhouse_tell(struct clickhouse_http *http, int host, const char *sql, struct text rows)
{
    http->take = NULL;
    http->context = NULL;
    return rows.length ? request(http, host, sql, rows, STATUS_OUTPUT)
                       : request(http, host, NULL, text_of(sql), STATUS_OUTPUT);
}

int clickhouse_error(const struct clickhouse_http *http)
{
    return http->error;
}

status clickhouse_http_open(const struct clickhouse_url *url, struct clickhouse_http **http)
{
    status code = curl_load();

    *http = NULL;
    if (code != STATUS_OK)
        return code;
    *http = memory_allocate_clear(sizeof **http);
    if (!*http)
        return status_no_memory("opening a history");
    (*http)->url = url;
    (*http)->connector = atomic_load(&used_connector);
    (*http)->easy = curl.easy_init();
    /* No question whether it may be sent: a server that must be waited for costs a second each time. */
    (*http)->headers = curl.slist_append(NULL, "Expect:");
    (*http)->held = memory_allocate(HELD);
    return (*http)->easy && (*http)->headers && (*http)->held ? STATUS_OK : status_no_memory("opening a history");
}

void clickhouse_http_close(struct clickhouse_http *http)
{
    if (!http)
        return;
    curl.easy_cleanup(http->easy);
    curl.slist_free_all(http->headers);
    memory_free(http->held);
    memory_free(http);
}
