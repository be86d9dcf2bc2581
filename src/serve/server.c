/* server.c: libmicrohttpd, and nothing of it elsewhere. */
#include "serve/server.h"

#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/json_write.h"
#include "base/memory.h"
#include "base/text.h"
#include "page/html.h"
#include "serve/http.h"
#include "serve/watch.h"

enum {
    CONNECTIONS = WATCH_MOST * 2, /* that the library takes: those that are shut stay a moment */
    CONNECTION_BYTES = 24 * 1024, /* for the head of a request */
    EVENT_BYTES = 4096,           /* of a stream of events at once */
    STILL_SECONDS = 30            /* without a byte in either direction */
};

struct server {
    const struct guard *guard;  /* borrowed */
    const struct route *routes; /* the same */
    struct profiles *profiles;  /* the same */
    struct live *live;          /* the same */
    struct MHD_Daemon *daemon;  /* the library's */
    pthread_mutex_t lock;       /* of `watch` */
    struct watch watch;         /* connections */
};

static uint64_t now_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

/* ---- Replies --------------------------------------------------------------------------------------------------------- */

static const char *policy_text(enum reply_policy policy)
{
#define CLOSED "default-src 'none'; base-uri 'none'; form-action 'none'; "
    switch (policy) {
    case REPLY_APP:
        return html_serve_policy();
    case REPLY_TIMELINE:
        return html_timeline_policy();
    case REPLY_PLAIN_PAGE:
        return CLOSED "style-src 'unsafe-inline'; img-src data: blob:; frame-ancestors 'self'; sandbox allow-downloads";
    case REPLY_DATA:
        break;
    }
    return CLOSED "frame-ancestors 'none'; sandbox";
}

/* One header of a reply; a list of them ends with name NULL. */
struct header {
    const char *name, *value; /* borrowed; value NULL: it is left out */
};

static enum MHD_Result queue(struct exchange *exchange, unsigned http, struct MHD_Response *response, const char *type,
                             enum reply_policy policy)
{
    const char *tag = http < 400 && exchange->answer ? exchange->answer->tag : NULL;
    char saved[sizeof exchange->attachment + 32];
    const struct header headers[] = {
        { "Content-Type", type },
        { "Content-Security-Policy", policy_text(policy) },
        { "X-Content-Type-Options", "nosniff" },
        { "Referrer-Policy", "no-referrer" },
        { "Cross-Origin-Resource-Policy", "same-origin" },
        { "Cache-Control", "no-store" },
        { "Connection", "close" },
        { "ETag", tag && *tag ? tag : NULL },
        { "Content-Disposition", *exchange->attachment ? saved : NULL },
        { "Retry-After", http == 503 ? "1" : NULL },
        { "Allow", http == 405 ? "GET, HEAD, POST" : NULL },
        { "WWW-Authenticate", http == 401 ? "Bearer" : NULL },
        { NULL, NULL },
    };
    enum MHD_Result result = response ? MHD_YES : MHD_NO;

    snprintf(saved, sizeof saved, "attachment; filename=\"%s\"", exchange->attachment);
    /* A reply that lacks one of them for want of memory is none. */
    for (const struct header *header = headers; header->name && result == MHD_YES; header++)
        if (header->value)
            result = mhd.add_response_header(response, header->name, header->value);
    if (result == MHD_YES)
        result = mhd.queue_response(exchange->connection, http, response);
    if (response)
        mhd.destroy_response(response);
    return result;
}

static void free_body(void *body)
{
    output_abandon(body);
}

/* What was written into memory; it is the response's. */
static enum MHD_Result queue_body(struct exchange *exchange, unsigned http)
{
    struct output *body = exchange->body;
    struct MHD_Response *response = NULL;
    size_t length;
    const char *text = output_memory(body, &length);

    exchange->body = NULL;
    if (text)
        response =
            mhd.create_response_from_buffer_with_free_callback_cls(length, (void *)(uintptr_t)text, free_body, body);
    if (!response)
        output_abandon(body);
    return queue(exchange, http, response, exchange->type, exchange->policy);
}

/* A refusal: a sentence, to programs as JSON. */
static enum MHD_Result refuse(struct exchange *exchange, unsigned http, const char *why)
{
    bool program = strncmp(exchange->uri, "/api/", 5) == 0;
    struct json_out out;

    output_abandon(exchange->body);
    exchange->body = NULL;
    exchange->attachment[0] = '\0';
    if (exchange_begin(exchange, program ? "application/json" : "text/plain; charset=utf-8", REPLY_DATA) != STATUS_OK)
        return MHD_NO;
    if (program) {
        json_out_start(&out, exchange->body);
        json_out_object(&out, NULL, JSON_ONE_LINE);
        json_out_text(&out, "error", why);
        json_out_end(&out);
        json_out_finish(&out);
    } else {
        output_format(exchange->body, "%s\n", why);
    }
    return queue_body(exchange, http);
}

static unsigned http_of(status code, bool busy)
{
    switch (code) {
    case STATUS_OK:
        return 200;
    case STATUS_NO:
        return busy ? 503 : 404;
    case STATUS_USAGE:
        return 400;
    case STATUS_INPUT:
        return 422;
    case STATUS_MEMORY:
        return 503;
    case STATUS_OUTPUT:
        break;
    }
    return 500;
}

static enum MHD_Result queue_written(struct exchange *exchange, struct kept_trace *trace)
{
    status code = exchange->from_trace(exchange, trace);

    return code == STATUS_OK ? queue_body(exchange, 200) : refuse(exchange, http_of(code, false), status_message());
}

/* Whether the client has this answer: it names the one that it got before. */
static bool is_known(const struct exchange *exchange)
{
    const char *known = mhd.lookup_connection_value(exchange->connection, MHD_HEADER_KIND, "If-None-Match");

    return *exchange->answer->tag && known && strcmp(known, exchange->answer->tag) == 0;
}

/* The file of an answer. */
static enum MHD_Result queue_file(struct exchange *exchange)
{
    struct MHD_Response *response = NULL;
    int file = open(exchange->answer->path, O_RDONLY | O_CLOEXEC);
    struct stat about;

    if (file >= 0 && fstat(file, &about) == 0)
        response = mhd.create_response_from_fd64((uint64_t)about.st_size, file);
    if (!response && file >= 0)
        close(file);
    return response ? queue(exchange, 200, response, exchange->type, exchange->policy)
                    : refuse(exchange, 500, "what was made cannot be opened");
}

static enum MHD_Result queue_known(struct exchange *exchange)
{
    status code = exchange_begin(exchange, exchange->type, exchange->policy);

    return code == STATUS_OK ? queue_body(exchange, 304) : refuse(exchange, http_of(code, false), status_message());
}

/* An answer that is there, or why it is not. */
static enum MHD_Result queue_answer(struct exchange *exchange, enum answer_state state)
{
    struct answer *answer = exchange->answer;
    enum MHD_Result result;

    if (state != ANSWER_READY && state != ANSWER_FAILED)
        result = refuse(exchange, 503, "the server ends");
    else if (state == ANSWER_FAILED)
        result = refuse(exchange, http_of(answer->code, false), answer->error ? answer->error : "out of memory");
    else if (answer->trace)
        result = queue_written(exchange, answer->trace);
    else
        result = is_known(exchange) ? queue_known(exchange) : queue_file(exchange);
    profiles_drop(exchange->profiles, answer);
    exchange->answer = NULL;
    return result;
}

status exchange_begin(struct exchange *exchange, const char *type, enum reply_policy policy)
{
    assert(!exchange->body);
    exchange->type = type;
    exchange->policy = policy;
    return output_open_memory(&exchange->body);
}

status exchange_ask(struct exchange *exchange, const char *const ids[2], struct errand *errand, const char *type,
                    enum reply_policy policy)
{
    exchange->type = type;
    exchange->policy = policy;
    return profiles_ask(exchange->profiles, ids, errand, exchange, &exchange->answer, &exchange->busy);
}

/* ---- Events ---- */

static void rest_connection(void *connection)
{
    mhd.suspend_connection(connection);
}

static void wake_connection(void *connection)
{
    mhd.resume_connection(connection);
}

static ssize_t read_events(void *events, uint64_t at, char *to, size_t room)
{
    ssize_t given = listener_take(events, to, room, rest_connection);

    (void)at;
    return given < 0 ? MHD_CONTENT_READER_END_OF_STREAM : given;
}

static void end_events(void *events)
{
    listener_free(events);
}

status exchange_listen(struct exchange *exchange)
{
    status code = listener_new(exchange->live, wake_connection, exchange->connection, &exchange->events);

    exchange->type = "text/event-stream";
    exchange->policy = REPLY_DATA;
    exchange->busy = code == STATUS_NO;
    return code;
}

/* The listener is the response's. */
static enum MHD_Result queue_events(struct exchange *exchange)
{
    struct MHD_Response *response =
        mhd.create_response_from_callback(MHD_SIZE_UNKNOWN, EVENT_BYTES, read_events, exchange->events, end_events);

    if (!response)
        listener_free(exchange->events);
    exchange->events = NULL;
    return queue(exchange, 200, response, exchange->type, exchange->policy);
}

status exchange_ask_trace(struct exchange *exchange, const char *id,
                          status (*write)(struct exchange *exchange, struct kept_trace *trace))
{
    struct errand errand;
    status code = errand_start(&errand, ERRAND_TRACE, "", &exchange->target);

    if (code != STATUS_OK) {
        errand_free(&errand);
        return code;
    }
    exchange->from_trace = write;
    return exchange_ask(exchange, (const char *const[2]){ id, NULL }, &errand, NULL, REPLY_DATA);
}

void exchange_wait(struct exchange *exchange, struct exchange *next)
{
    exchange->next = next;
    exchange->resting = true;
    mhd.suspend_connection(exchange->connection);
}

void exchange_wake(struct exchange *waiting)
{
    while (waiting) {
        /* Once it goes on it may be gone. */
        struct exchange *next = waiting->next;

        waiting->resting = false;
        mhd.resume_connection(waiting->connection);
        waiting = next;
    }
}

/* ---- Requests -------------------------------------------------------------------------------------------------------- */

/* Called with the target before anything else is known. What it gives is handed to the other functions: the exchange of the connection,
 * of which there is one. NULL: it had its request, or there was no memory for it. */
static void *on_target(void *context, const char *uri, struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *about = mhd.get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    struct exchange *exchange = about ? about->socket_context : NULL;

    (void)context;
    if (!exchange || exchange->uri)
        return NULL;
    exchange->uri = memory_copy_text(uri);
    return exchange->uri ? exchange : NULL;
}

/* Addresses are decoded once, by the guard. */
static size_t leave_as_it_is(void *context, struct MHD_Connection *connection, char *text)
{
    (void)context;
    (void)connection;
    return strlen(text);
}

static enum MHD_Result on_header(void *context, enum MHD_ValueKind kind, const char *name, const char *value)
{
    struct guard_request *request = context;
    struct text key = text_of(name);

    (void)kind;
    request->headers++;
    if (text_is_any_case(key, "Host")) {
        request->hosts++;
        request->host = value;
    } else if (text_is_any_case(key, "Origin")) {
        request->origin = value ? value : "";
    } else if (text_is_any_case(key, "Authorization")) {
        request->authorization = value;
    } else if (text_is_any_case(key, "Transfer-Encoding")) {
        request->body = true;
    } else if (text_is_any_case(key, "Content-Length")) {
        request->body |= !value || strcmp(value, "0") != 0;
    }
    return MHD_YES;
}

static void mark_complete(struct server *server, struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *about = mhd.get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);

    pthread_mutex_lock(&server->lock);
    if (about)
        watch_complete(&server->watch, about->connect_fd);
    pthread_mutex_unlock(&server->lock);
}

static enum MHD_Result answer_first(struct server *server, struct exchange *exchange, const char *method)
{
    struct guard_request request = { .method = method, .uri = exchange->uri };
    const char *places[ROUTE_PLACES], *why;
    const struct route *route;
    unsigned refused;
    status code;

    mhd.get_connection_values(exchange->connection, MHD_HEADER_KIND, on_header, &request);
    refused = guard_check(server->guard, &request, &exchange->target, &why);
    if (refused)
        return refuse(exchange, refused, why);
    route = route_find(server->routes, &exchange->target, places);
    if (!route) {
        exchange->target.posts = !exchange->target.posts;
        return route_find(server->routes, &exchange->target, places)
                   ? refuse(exchange, 405, "this address is asked in another way: what changes something with POST")
                   : refuse(exchange, 404, "there is nothing at this address");
    }
    code = route->answer(exchange, places);
    if (code != STATUS_OK)
        return refuse(exchange, http_of(code, exchange->busy), status_message());
    if (exchange->events)
        return queue_events(exchange);
    return exchange->body ? queue_body(exchange, 200) : MHD_YES;
}

static enum MHD_Result on_request(void *context, struct MHD_Connection *connection, const char *url, const char *method,
                                  const char *version, const char *upload, size_t *upload_size, void **kept)
{
    struct server *server = context;
    struct exchange *exchange = *kept;
    enum answer_state state;
    bool resting;

    (void)url;
    (void)version;
    (void)upload;
    if (!exchange)
        return MHD_NO;
    if (*upload_size) {
        /* It was refused by its head; what comes all the same is thrown away. */
        *upload_size = 0;
        return MHD_YES;
    }
    if (!exchange->seen) {
        exchange->seen = true;
        mark_complete(server, connection);
        if (answer_first(server, exchange, method) != MHD_YES)
            return MHD_NO;
    }
    if (!exchange->answer)
        return MHD_YES;
    profiles_lock(exchange->profiles);
    resting = exchange->resting;
    state = exchange->answer->state;
    profiles_unlock(exchange->profiles);
    return resting ? MHD_YES : queue_answer(exchange, state);
}

static struct exchange *new_exchange(struct server *server, struct MHD_Connection *connection)
{
    struct exchange *exchange = memory_allocate_clear(sizeof *exchange);

    if (exchange) {
        exchange->profiles = server->profiles;
        exchange->live = server->live;
        exchange->connection = connection;
    }
    return exchange;
}

static void free_exchange(struct exchange *exchange)
{
    if (!exchange)
        return;
    assert(!exchange->resting && "whoever waits is not ended by the library");
    if (exchange->answer)
        profiles_drop(exchange->profiles, exchange->answer);
    output_abandon(exchange->body);
    memory_free(exchange->uri);
    memory_free(exchange);
}

/* The library does not tell the end of every request that it refuses by itself, but that of every connection. */
static void on_connection(void *context, struct MHD_Connection *connection, void **kept,
                          enum MHD_ConnectionNotificationCode what)
{
    struct server *server = context;
    const union MHD_ConnectionInfo *about = mhd.get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);

    pthread_mutex_lock(&server->lock);
    if (about && what == MHD_CONNECTION_NOTIFY_STARTED)
        watch_open(&server->watch, about->connect_fd, now_ms());
    else if (about)
        watch_close(&server->watch, about->connect_fd);
    pthread_mutex_unlock(&server->lock);
    if (what == MHD_CONNECTION_NOTIFY_STARTED) {
        *kept = new_exchange(server, connection);
    } else {
        free_exchange(*kept);
        *kept = NULL;
    }
}

/* ---- Begin and end --------------------------------------------------------------------------------------------------- */

static void shut(int file)
{
    shutdown(file, SHUT_RDWR);
}

/* What clients do wrong is nothing that the user has to read. */
static void say_nothing(void *context, const char *format, va_list arguments)
{
    (void)context;
    (void)format;
    (void)arguments;
}

status server_start(const struct server_options *options, struct server **made)
{
    struct server *server = memory_allocate_clear(sizeof *server);

    *made = NULL;
    if (!server)
        return status_no_memory("starting");
    server->guard = options->guard;
    server->routes = options->routes;
    server->profiles = options->profiles;
    server->live = options->live;
    pthread_mutex_init(&server->lock, NULL);
    watch_start(&server->watch, shut);
    server->daemon = mhd.start_daemon(
        MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ERROR_LOG, 0, NULL, NULL, on_request, server,
        MHD_OPTION_EXTERNAL_LOGGER, say_nothing, NULL, MHD_OPTION_LISTEN_SOCKET, options->socket,
        MHD_OPTION_CONNECTION_LIMIT, (unsigned)CONNECTIONS, MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)STILL_SECONDS,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)CONNECTION_BYTES, MHD_OPTION_STRICT_FOR_CLIENT, 1,
        MHD_OPTION_URI_LOG_CALLBACK, on_target, server, MHD_OPTION_UNESCAPE_CALLBACK, leave_as_it_is, NULL,
        MHD_OPTION_NOTIFY_CONNECTION, on_connection, server, MHD_OPTION_END);
    if (!server->daemon) {
        pthread_mutex_destroy(&server->lock);
        memory_free(server);
        return status_fail(STATUS_INPUT, "the web server cannot be started");
    }
    *made = server;
    return STATUS_OK;
}

void server_tick(struct server *server)
{
    pthread_mutex_lock(&server->lock);
    watch_expire(&server->watch, now_ms());
    pthread_mutex_unlock(&server->lock);
    live_tick(server->live);
}

void server_stop(struct server *server)
{
    int socket = mhd.quiesce_daemon(server->daemon);

    /* The library does not end what waits. */
    profiles_wake_all(server->profiles);
    live_end_listening(server->live);
    mhd.stop_daemon(server->daemon);
    if (socket >= 0)
        close(socket);
    pthread_mutex_destroy(&server->lock);
    memory_free(server);
}
