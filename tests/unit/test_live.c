/* test_live.c: what a live source is by its name; who opens it; what is published, kept and told. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/memory.h"
#include "serve/live.h"
#include "serve/live_feed.h"
#include "wait.h"

static void names(void **state)
{
    (void)state;
    assert_true(live_is_address("127.0.0.1:8086"));
    assert_true(live_is_address(":8086"));
    assert_true(live_is_address("board-7.local:1"));
    assert_true(live_is_address("[::1]:65535"));
    assert_false(live_is_address("127.0.0.1"));
    assert_false(live_is_address("127.0.0.1:0"));
    assert_false(live_is_address("127.0.0.1:65536"));
    assert_false(live_is_address("a:b:1"));
    assert_false(live_is_address("user@board:1"));
    assert_false(live_is_address("a/b:1"));
    assert_false(live_is_address("[::1:1"));
    assert_false(live_is_address(""));
    assert_int_equal(live_kind_of("localhost:8086"), LIVE_ADDRESS);
    assert_int_equal(live_kind_of("runtime.csv"), LIVE_FILE);
    assert_int_equal(live_kind_of("root@board:/tmp/runtime.csv"), LIVE_BOARD);
    assert_int_equal(live_kind_of("root@board:8086"), LIVE_BOARD);
    assert_int_equal(live_kind_of("folder/root@board:x"), LIVE_FILE);
    assert_int_equal(live_kind_of("@board:x"), LIVE_FILE);
    assert_int_equal(live_kind_of("board:"), LIVE_FILE);
}

/* ---- Callers ---- */

static atomic_bool never;

static void files_are_opened_by_number(void **state)
{
    char path[] = "/tmp/tacho-live-XXXXXX", byte;
    int made = mkstemp(path);
    const char *list[] = { path, "/tmp/no/such/file", "/tmp" };
    struct callers callers;
    struct called called;

    (void)state;
    assert_int_equal(write(made, "x", 1), 1);
    close(made);
    assert_int_equal(callers_start(&callers, list, 3, false), STATUS_OK);
    callers_open(&callers, 3, 0, &never, &called);
    assert_true(called.file >= 0);
    assert_int_equal(read(called.file, &byte, 1), 1);
    assert_int_equal(byte, 'x');
    close(called.file);
    callers_open(&callers, 0, 1, &never, &called);
    assert_int_equal(called.file, -1);
    assert_true(called.absent);
    callers_open(&callers, 15, 2, &never, &called);
    assert_false(called.absent);
    assert_string_equal(called.why, "it is no file");
    callers_open(&callers, 0, 3, &never, &called);
    assert_string_equal(called.why, "there is no such source");
    callers_stop(&callers);
    unlink(path);
}

/* At a port of its own, which `address` gets. */
static int start_listening(char address[32])
{
    struct sockaddr_in here = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    socklen_t size = sizeof here;
    int listener = socket(AF_INET, SOCK_STREAM, 0);

    assert_int_equal(bind(listener, (struct sockaddr *)&here, size), 0);
    assert_int_equal(listen(listener, 1), 0);
    assert_int_equal(getsockname(listener, (struct sockaddr *)&here, &size), 0);
    snprintf(address, 32, "127.0.0.1:%u", ntohs(here.sin_port));
    return listener;
}

/* Of a history's servers: by number, and nothing else, be it a file or another address. */
static void only_named_addresses_are_called(void **state)
{
    char address[32];
    int listener = start_listening(address);
    const char *list[] = { address, "/etc/passwd" };
    struct callers callers;
    struct called called;

    (void)state;
    assert_int_equal(callers_start(&callers, list, 2, true), STATUS_OK);
    callers_open(&callers, 0, 0, &never, &called);
    assert_true(called.file >= 0);
    assert_string_equal(called.token, "");
    close(called.file);
    callers_open(&callers, 1, 1, &never, &called);
    assert_true(called.file < 0);
    assert_string_equal(called.why, "an address is HOST:PORT");
    callers_open(&callers, 1, 2, &never, &called);
    assert_string_equal(called.why, "there is no such source");
    callers_connect(&callers, 0, address, &never, &called);
    assert_true(called.file < 0);
    assert_string_equal(called.why, "no other address is called");
    callers_stop(&callers);
    close(listener);
}

static void addresses_are_called(void **state)
{
    char address[32];
    int listener = start_listening(address);
    struct callers callers;
    struct called called;

    (void)state;
    assert_int_equal(callers_start(&callers, NULL, 0, false), STATUS_OK);
    callers_connect(&callers, 0, address, &never, &called);
    assert_true(called.file >= 0);
    close(called.file);
    close(listener);
    callers_connect(&callers, 0, address, &never, &called);
    assert_true(called.absent && called.file < 0 && *called.why);
    callers_connect(&callers, 0, "nonsense", &never, &called);
    assert_false(called.absent);
    assert_string_equal(called.why, "an address is HOST:PORT");
    callers_stop(&callers);
}

/* ---- The feed ---- */

static void push(struct live_feed *to, track_id track, int64_t start, int64_t end)
{
    struct slice slice = { .track = track, .start = start, .end = end, .op = NO_ID, .run = NO_ID };

    assert_int_equal(sink_slice(&to->feed.sink, &slice), STATUS_OK);
}

static void what_is_older_is_forgotten(void **state)
{
    struct kept_trace_state known;
    struct kept_trace *trace;
    struct live_feed to;
    track_id track;
    bool news;

    (void)state;
    assert_int_equal(kept_trace_new(&trace), STATUS_OK);
    assert_int_equal(live_feed_start(&to, trace), STATUS_OK);
    assert_int_equal(feed_input(&to.feed, 0, 0), STATUS_OK);
    assert_int_equal(feed_engine(&to.feed, &engine_thread, 0, NO_ID, &track), STATUS_OK);
    assert_int_equal(live_feed_publish(&to, 1000, true, &news), STATUS_OK);
    assert_false(news);
    for (int64_t i = 0; i < 100; i++) {
        push(&to, track, i * 100, i * 100 + 50);
        assert_int_equal(live_feed_publish(&to, 1000, true, &news), STATUS_OK);
        assert_true(news);
    }
    known = kept_trace_state(trace);
    assert_int_equal(known.end + known.origin, 9950);
    assert_true(known.slices <= 12 && known.slices + known.forgotten >= 99);
    push(&to, track, 5000, 5001);
    assert_int_equal(to.count.late, 1);
    assert_int_equal(feed_input_end(&to.feed), STATUS_OK);
    assert_int_equal(live_feed_finish(&to), STATUS_OK);
    assert_int_equal(live_feed_publish(&to, 1000, true, &news), STATUS_OK);
    assert_true(news);
    assert_int_equal(live_feed_publish(&to, 1000, true, &news), STATUS_OK);
    assert_false(news);
    assert_true(kept_trace_state(trace).finished);
    live_feed_free(&to);
    kept_trace_drop(trace);
}

/* ---- Listeners ---- */

static unsigned woken, rested;

static void wake(void *context)
{
    assert_ptr_equal(context, &woken);
    woken++;
}

static void rest(void *context)
{
    assert_ptr_equal(context, &woken);
    rested++;
}

static void listeners(void **state)
{
    const char *list[] = { "/tmp/no/such/file" };
    struct callers callers;
    struct listener *listener;
    struct live *live;
    char text[4096];
    ssize_t length;

    (void)state;
    assert_int_equal(callers_start(&callers, list, 1, false), STATUS_OK);
    assert_int_equal(live_open(&callers, NULL, &live), STATUS_OK);
    assert_int_equal(listener_new(live, wake, &woken, &listener), STATUS_OK);
    length = listener_take(listener, text, 5, rest);
    assert_int_equal(length, 5);
    length += listener_take(listener, text + 5, sizeof text - 6, rest);
    text[length] = '\0';
    assert_non_null(strstr(text, "data: {\"source\":\""));
    assert_non_null(strstr(text, "\"state\":\"waiting\""));
    assert_string_equal(text + length - 2, "\n\n");
    assert_int_equal(listener_take(listener, text, sizeof text, rest), 0);
    assert_int_equal(rested, 1);
    assert_int_equal(live_begin_all(live), STATUS_OK);
    for (unsigned i = 0; i < WAIT_MS / 10 && !woken; i++)
        usleep(10000);
    assert_int_equal(woken, 1);
    assert_true(listener_take(listener, text, sizeof text, rest) > 0);
    live_end_listening(live);
    assert_int_equal(listener_take(listener, text, sizeof text, rest), -1);
    listener_free(listener);
    live_close(live);
    callers_stop(&callers);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names),
        cmocka_unit_test(files_are_opened_by_number),
        cmocka_unit_test(addresses_are_called),
        cmocka_unit_test(only_named_addresses_are_called),
        cmocka_unit_test(what_is_older_is_forgotten),
        cmocka_unit_test(listeners),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
