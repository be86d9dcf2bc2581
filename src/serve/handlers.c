/* handlers.c: pages, documents of the API, downloads. */
#include "serve/handlers.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/text.h"
#include "page/html.h"
#include "serve/live_handlers.h"
#include "serve/server.h"
#include "serve/trace_routes.h"

#define HTML "text/html; charset=utf-8"
#define JSON "application/json"

/* ---- Our own page ---------------------------------------------------------------------------------------------------- */

/* One page for all: its script sees by the address what is to be shown. */
static status show_app(struct exchange *exchange, const char *const places[ROUTE_PLACES])
{
    status code;

    (void)places;
    if (!html_has_serve_script())
        return status_fail(STATUS_OUTPUT, HTML_WITHOUT_SCRIPT);
    code = exchange_begin(exchange, HTML, REPLY_APP);
    if (code == STATUS_OK)
        html_serve_page(exchange->body);
    return code;
}

/* ---- The API --------------------------------------------------------------------------------------------------------- */

static status list_profiles(struct exchange *exchange, const char *const places[ROUTE_PLACES])
{
    status code = exchange_begin(exchange, JSON, REPLY_DATA);

    (void)places;
    if (code == STATUS_OK)
        profiles_write_list(exchange->profiles, guard_value(&exchange->target, "after"), exchange->body);
    return code;
}

static status show_profile(struct exchange *exchange, const char *const places[ROUTE_PLACES])
{
    status code = exchange_begin(exchange, JSON, REPLY_DATA);

    if (code == STATUS_OK)
        code =
            profiles_write_one(exchange->profiles, places[0], guard_value(&exchange->target, "again"), exchange->body);
    return code;
}

/* Asks about one profile, or two. */
static status ask(struct exchange *exchange, enum errand_kind kind, const char *name, const char *const ids[2],
                  const char *type, enum reply_policy policy)
{
    struct errand errand;
    status code = errand_start(&errand, kind, name, &exchange->target);

    if (code == STATUS_OK && !errand_suffix(&errand))
        code = status_fail(STATUS_NO, "no format is called \"%s\"", name);
    if (code == STATUS_OK)
        return exchange_ask(exchange, ids, &errand, type, policy);
    errand_free(&errand);
    return code;
}

static status show_table(struct exchange *exchange, const char *const places[ROUTE_PLACES])
{
    return ask(exchange, ERRAND_TABLE, places[1], (const char *const[2]){ places[0], NULL }, JSON, REPLY_DATA);
}

/* SQL about one profile, or two; its words stand in the query. */
static status run_query(struct exchange *exchange, const char *const places[ROUTE_PLACES])
{
    const struct guard_target *target = &exchange->target;
    const char *ids[2] = { NULL, NULL };
    unsigned count = 0;

    (void)places;
    for (unsigned i = 0; i < target->pair_count; i++) {
        if (strcmp(target->pairs[i].name, "profile") != 0)
            continue;
        if (count == 2)
            return status_fail(STATUS_USAGE, "a query is about one profile or two");
        ids[count++] = target->pairs[i].value;
    }
    if (!count || !guard_value(target, "sql"))
        return status_fail(STATUS_USAGE, "a query wants profile=ID and sql=TEXT");
    return ask(exchange, ERRAND_QUERY, "", ids, JSON, REPLY_DATA);
}

/* What a history of builds answers. */
static status ask_history(struct exchange *exchange, const char *const places[ROUTE_PLACES])
{
    return ask(exchange, ERRAND_HISTORY, places[0], (const char *const[2]){ NULL, NULL }, JSON, REPLY_DATA);
}

/* ---- Pages of profiles ----------------------------------------------------------------------------------------------- */

/* Of one trace, or of two on one axis: its script sees by the address what is to be shown. */
static status show_timeline(struct exchange *exchange, const char *const places[ROUTE_PLACES])
{
    status code = STATUS_OK;

    if (!html_has_script())
        return status_fail(STATUS_OUTPUT, HTML_WITHOUT_SCRIPT);
    for (unsigned i = 0; i < 2 && places[i] && code == STATUS_OK; i++)
        code = profiles_check(exchange->profiles, places[i]);
    if (code == STATUS_OK)
        code = exchange_begin(exchange, HTML, REPLY_TIMELINE);
    if (code == STATUS_OK)
        html_timeline_page(exchange->body);
    return code;
}

static status show_report(struct exchange *exchange, const char *const places[ROUTE_PLACES])
{
    return ask(exchange, ERRAND_REPORT, "", (const char *const[2]){ places[0], places[1] }, HTML, REPLY_PLAIN_PAGE);
}

static status show_comparison(struct exchange *exchange, const char *const places[ROUTE_PLACES])
{
    return ask(exchange, ERRAND_COMPARE, "", (const char *const[2]){ places[0], places[1] }, HTML, REPLY_PLAIN_PAGE);
}

/* ---- Downloads ------------------------------------------------------------------------------------------------------- */

/* A name that cannot break out of the header, nor be anything but a name on any system. */
static void name_file(struct exchange *exchange, const char *id, const char *suffix)
{
    char stem[sizeof exchange->attachment - 32];

    profiles_name(exchange->profiles, id, stem, sizeof stem);
    for (char *sign = stem; *sign; sign++)
        if (!char_is_letter(*sign) && !char_is_digit(*sign) && !strchr("._-", *sign))
            *sign = '_';
    snprintf(exchange->attachment, sizeof exchange->attachment, "%s%s", *stem == '.' || !*stem ? "profile" : stem,
             suffix);
}

static status download(struct exchange *exchange, const char *const places[ROUTE_PLACES])
{
    struct errand named = { .kind = ERRAND_DOWNLOAD };
    const char *suffix;

    text_copy(named.name, sizeof named.name, text_of(places[1]));
    suffix = errand_suffix(&named);
    if (suffix)
        name_file(exchange, places[0], suffix);
    return ask(exchange, ERRAND_DOWNLOAD, places[1], (const char *const[2]){ places[0], NULL },
               "application/octet-stream", REPLY_DATA);
}

/* Each of several has a name of its own: by the time of day. */
static status download_archive(struct exchange *exchange, const char *const places[ROUTE_PLACES])
{
    const struct verb *verb = verb_named(places[1], NULL);
    time_t now = time(NULL);
    struct tm local;
    char date[32] = "";

    if (!verb || !verb->archive)
        return status_fail(STATUS_NO, "no archive is called \"%s\"", places[1]);
    if (localtime_r(&now, &local))
        strftime(date, sizeof date, "%Y_%m_%d_%H_%M_%S_", &local);
    snprintf(exchange->attachment, sizeof exchange->attachment, "%s%s", date, verb->archive->file);
    return ask(exchange, ERRAND_ARCHIVE, places[1], (const char *const[2]){ places[0], NULL },
               "application/octet-stream", REPLY_DATA);
}

/* A profile that a history kept; its hash is the name that it is saved by. */
static status download_kept(struct exchange *exchange, const char *const places[ROUTE_PLACES])
{
    const char *hash = guard_value(&exchange->target, "profile");
    const struct writer_format *format = writer_named(places[0]);

    if (hash && strspn(hash, "0123456789abcdef") == strlen(hash))
        snprintf(exchange->attachment, sizeof exchange->attachment, "%.16s%s", hash, format ? format->suffixes[0] : "");
    return ask(exchange, ERRAND_KEPT, places[0], (const char *const[2]){ NULL, NULL }, "application/octet-stream",
               REPLY_DATA);
}

const struct route serve_routes[] = {
    { "/", show_app },
    { "/live", show_app },
    { "/history", show_app },
    { "/history/build", show_app },
    { "/profile/:id", show_app },
    { "/compare/:before/:after", show_app },
    { "/api/profiles", list_profiles },
    { "/api/profiles/:id", show_profile },
    { "/api/profiles/:id/tables/:name", show_table },
    { "/api/profiles/:id/trace/head", trace_head },
    { "/api/profiles/:id/trace/blocks/:element/:offset/:length", trace_block },
    { "/api/profiles/:id/trace/tiles", trace_tiles },
    { "POST /api/query", run_query },
    { "/api/history/:question", ask_history },
    { "/api/live", live_list },
    { "POST /api/live", live_add },
    { "/api/live/events", live_listen },
    { "POST /api/live/:source/end", live_end },
    { "POST /api/live/:source/keep", live_set_keep },
    { "/api/live/:trace/head", live_head },
    { "/api/live/:trace/blocks/:element/:offset/:length", live_block },
    { "/api/live/:trace/tiles", live_tiles },
    { "/pages/timeline/:id", show_timeline },
    { "/pages/timeline/:before/:after", show_timeline },
    { "/pages/report/:id", show_report },
    { "/pages/report/:before/:after", show_report },
    { "/pages/compare/:before/:after", show_comparison },
    { "/kept/:format", download_kept },
    { "/download/:id/:format", download },
    { "/archive/:id/:verb", download_archive },
    { NULL, NULL },
};
