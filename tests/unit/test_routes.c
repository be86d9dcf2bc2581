/* test_routes.c: which handler an address has; connections that take too long, and too many of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "serve/handlers.h"
#include "serve/watch.h"

static const struct route *find(const char *uri, const char *places[ROUTE_PLACES])
{
    static struct guard_target target;

    assert_true(guard_parse(uri, &target));
    return route_find(serve_routes, &target, places);
}

static void patterns(void **state)
{
    const char *places[ROUTE_PLACES];

    (void)state;
    assert_string_equal(find("/", places)->pattern, "/");
    assert_null(places[0]);
    assert_string_equal(find("/api/profiles?limit=3", places)->pattern, "/api/profiles");
    assert_string_equal(find("/api/profiles/x1", places)->pattern, "/api/profiles/:id");
    assert_string_equal(places[0], "x1");
    assert_string_equal(find("/api/profiles/x1/tables/operators", places)->pattern, "/api/profiles/:id/tables/:name");
    assert_string_equal(places[0], "x1");
    assert_string_equal(places[1], "operators");
    assert_null(places[2]);
    assert_string_equal(find("/pages/report/a", places)->pattern, "/pages/report/:id");
    assert_null(places[1]);
    assert_string_equal(find("/pages/report/a/b", places)->pattern, "/pages/report/:before/:after");
    assert_null(find("/api", places));
    assert_null(find("/api/profiles/x1/tables", places));
    assert_null(find("/api/profiles/x1/tables/a/b", places));
    assert_null(find("/API/profiles", places));
    assert_null(find("/profile", places));
}

static void what_changes_something(void **state)
{
    static struct guard_target target;
    const char *places[ROUTE_PLACES];

    (void)state;
    assert_true(guard_parse("/api/live", &target));
    assert_string_equal(route_find(serve_routes, &target, places)->pattern, "/api/live");
    target.posts = true;
    assert_string_equal(route_find(serve_routes, &target, places)->pattern, "POST /api/live");
    assert_true(guard_parse("/api/live/x1/end", &target));
    assert_string_equal(route_find(serve_routes, &target, places)->pattern, "POST /api/live/:source/end");
    assert_string_equal(places[0], "x1");
    assert_true(guard_parse("/api/profiles", &target));
    assert_null(route_find(serve_routes, &target, places));
}

/* ---- Connections ---- */

static int shut_files[2 * WATCH_MOST];
static size_t shut_count;

static void note_shut(int file)
{
    shut_files[shut_count++] = file;
}

static void deadline_from_the_first_byte(void **state)
{
    struct watch *watch = malloc(sizeof *watch);

    (void)state;
    assert_non_null(watch);
    shut_count = 0;
    watch_start(watch, note_shut);
    watch_open(watch, 5, 1000);
    watch_open(watch, 6, 1500);
    watch_open(watch, 7, 2000);
    watch_complete(watch, 6);
    watch_expire(watch, 1000 + WATCH_REQUEST_MS - 1);
    assert_int_equal(shut_count, 0);
    watch_expire(watch, 1000 + WATCH_REQUEST_MS);
    assert_int_equal(shut_count, 1);
    assert_int_equal(shut_files[0], 5);
    /* Once is enough, and who is answered has all the time. */
    watch_expire(watch, 1000 + 100 * WATCH_REQUEST_MS);
    assert_int_equal(shut_count, 2);
    assert_int_equal(shut_files[1], 7);
    assert_int_equal(watch->shut_late, 2);
    watch_close(watch, 5);
    watch_close(watch, 5);
    watch_close(watch, 99);
    watch_complete(watch, 99);
    assert_int_equal(watch->count, 2);
    free(watch);
}

static void crowds(void **state)
{
    struct watch *watch = malloc(sizeof *watch);

    (void)state;
    assert_non_null(watch);
    shut_count = 0;
    watch_start(watch, note_shut);
    for (int i = 0; i < WATCH_MOST; i++)
        watch_open(watch, i, 0);
    assert_int_equal(shut_count, 0);
    watch_complete(watch, 0);
    watch_complete(watch, 1);
    /* The oldest that still asks goes first. */
    watch_open(watch, 1000, 1);
    assert_int_equal(shut_count, 1);
    assert_int_equal(shut_files[0], 2);
    assert_int_equal(watch->count, WATCH_MOST);
    for (int i = 3; i < WATCH_MOST; i++)
        watch_complete(watch, i);
    watch_complete(watch, 1000);
    /* Where all others are answered, the oldest of these. */
    watch_open(watch, 1001, 2);
    assert_int_equal(shut_files[1], 0);
    watch_expire(watch, 3);
    assert_int_equal(watch->shut_crowded, 2);
    assert_int_equal(watch->count, WATCH_MOST);
    free(watch);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(patterns),
        cmocka_unit_test(what_changes_something),
        cmocka_unit_test(deadline_from_the_first_byte),
        cmocka_unit_test(crowds),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
