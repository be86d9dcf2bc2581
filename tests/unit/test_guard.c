/* test_guard.c: who may ask the server, and which addresses can be read. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "serve/guard.h"

static struct guard guard;
static struct guard_target target;
static const char *why;

static int start(void **state)
{
    (void)state;
    return guard_start(&guard, "127.0.0.1", true) != STATUS_OK;
}

/* What a browser would send for this target. */
static struct guard_request request_of(const char *uri)
{
    return (struct guard_request){ .method = "GET", .uri = uri, .host = "127.0.0.1:8050", .hosts = 1, .headers = 3 };
}

static unsigned check(struct guard_request request)
{
    return guard_check(&guard, &request, &target, &why);
}

static const char *with_token(const char *path)
{
    static char uri[GUARD_URI * 2];

    snprintf(uri, sizeof uri, "%s%ctoken=%s", path, strchr(path, '?') ? '&' : '?', guard.token);
    return uri;
}

static void tokens(void **state)
{
    struct guard_request request = request_of("/");
    char header[GUARD_TOKEN + 16], other[GUARD_TOKEN + 32];
    struct guard second;

    (void)state;
    assert_int_equal(strlen(guard.token), GUARD_TOKEN);
    assert_int_equal(strspn(guard.token, "0123456789abcdef"), GUARD_TOKEN);
    assert_int_equal(guard_start(&second, "127.0.0.1", true), STATUS_OK);
    assert_string_not_equal(guard.token, second.token);

    assert_int_equal(check(request), 401);
    assert_int_equal(check(request_of(with_token("/"))), 0);
    snprintf(header, sizeof header, "Bearer %s", guard.token);
    request.authorization = header;
    assert_int_equal(check(request), 0);
    request.authorization = guard.token;
    assert_int_equal(check(request), 401);
    for (size_t i = 0; i < GUARD_TOKEN; i++) {
        snprintf(other, sizeof other, "%s", header);
        other[7 + i] = other[7 + i] == '0' ? '1' : '0';
        request.authorization = other;
        assert_int_equal(check(request), 401);
    }
    snprintf(other, sizeof other, "%s0", header);
    assert_int_equal(check(request), 401);
    snprintf(other, sizeof other, "Bearer %.*s", GUARD_TOKEN - 1, guard.token);
    assert_int_equal(check(request), 401);
}

static void hosts(void **state)
{
    static const char *const known[] = { "127.0.0.1", "127.0.0.1:8050", "127.0.0.1:9", "localhost:8050",
                                         "LocalHost", "[::1]:8050",     "[::1]",       "127.1.2.3:80" };
    static const char *const strange[] = { "",
                                           "evil.example",
                                           "evil.example:8050",
                                           "localhost.evil.example",
                                           "127.0.0.1.evil.example",
                                           "127.0.0.1:80x",
                                           "127.0.0.1:",
                                           "127.0.0.1:123456",
                                           "127.0.0.1 ",
                                           "[::1",
                                           "[::1]x",
                                           "[]",
                                           "[evil]:80",
                                           "192.168.0.7:8050",
                                           "0x7f.1",
                                           "2130706433" };
    struct guard_request request = request_of(with_token("/"));
    struct guard open;

    (void)state;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        request.host = known[i];
        assert_int_equal(check(request), 0);
    }
    for (size_t i = 0; i < sizeof strange / sizeof *strange; i++) {
        request.host = strange[i];
        assert_int_equal(check(request), 421);
    }
    request.host = NULL;
    request.hosts = 0;
    assert_int_equal(check(request), 421);
    request.host = "localhost";
    request.hosts = 2;
    assert_int_equal(check(request), 421);

    assert_int_equal(guard_start(&open, "0.0.0.0", false), STATUS_OK);
    assert_true(guard_knows_host(&open, "192.168.0.7:8050"));
    assert_true(guard_knows_host(&open, "[fe80::1]:8050"));
    assert_true(guard_knows_host(&open, open.name));
    assert_false(guard_knows_host(&open, "evil.example:8050"));
    assert_int_equal(guard_start(&open, "::1", true), STATUS_OK);
    assert_string_equal(open.address, "[::1]");
}

static void origins(void **state)
{
    struct guard_request request = request_of(with_token("/"));
    static const char *const strange[] = { "null",
                                           "",
                                           "http://evil.example",
                                           "https://127.0.0.1:8050",
                                           "http://127.0.0.1:8051",
                                           "http://127.0.0.1:8050.evil.example",
                                           "http://localhost:8050" };

    (void)state;
    request.origin = "http://127.0.0.1:8050";
    assert_int_equal(check(request), 0);
    for (size_t i = 0; i < sizeof strange / sizeof *strange; i++) {
        request.origin = strange[i];
        assert_int_equal(check(request), 403);
    }
}

static void requests_without_sense(void **state)
{
    static const char *const methods[] = { "PUT", "DELETE", "OPTIONS", "TRACE", "CONNECT", "get", "" };
    struct guard_request request = request_of(with_token("/"));

    (void)state;
    request.method = "HEAD";
    assert_int_equal(check(request), 0);
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        request.method = methods[i];
        assert_int_equal(check(request), 405);
    }
    request.method = "GET";
    request.body = true;
    assert_int_equal(check(request), 413);
    request.body = false;
    request.headers = GUARD_HEADERS + 1;
    assert_int_equal(check(request), 431);
    request = request_of(with_token("/"));
    assert_int_equal(check(request), 0);
    assert_false(target.posts);
    request.method = "POST";
    assert_int_equal(check(request), 0);
    assert_true(target.posts);
    request.body = true;
    assert_int_equal(check(request), 413);
}

static void targets(void **state)
{
    (void)state;
    assert_true(guard_parse("/", &target));
    assert_int_equal(target.piece_count, 0);
    assert_int_equal(target.pair_count, 0);
    assert_true(guard_parse("/api/profiles/ab%20c?columns=a%2Cb&sort=-x+y&flag&=&filter=a=b&filter=", &target));
    assert_int_equal(target.piece_count, 3);
    assert_string_equal(target.pieces[2], "ab c");
    assert_int_equal(target.pair_count, 5);
    assert_string_equal(guard_value(&target, "columns"), "a,b");
    assert_string_equal(guard_value(&target, "sort"), "-x y");
    assert_string_equal(guard_value(&target, "flag"), "");
    assert_string_equal(guard_value(&target, "filter"), "a=b");
    assert_null(guard_value(&target, "none"));
    assert_true(guard_parse("/a...b/..c/c..", &target));
}

static void targets_that_lead_elsewhere(void **state)
{
    static const char *const bad[] = { "",
                                       "api",
                                       "*",
                                       "http://x/",
                                       "/..",
                                       "/../etc",
                                       "/a/../b",
                                       "/a/./b",
                                       "/%2e%2e/a",
                                       "/%2E./a",
                                       "/.%2e",
                                       "/a%2fb",
                                       "/a%2F..",
                                       "/a%5cb",
                                       "/a\\b",
                                       "//a",
                                       "/a//b",
                                       "/a/",
                                       "/a%00b",
                                       "/a%0ab",
                                       "/a%7f",
                                       "/a%",
                                       "/a%4",
                                       "/a%zz",
                                       "/a#b",
                                       "/a?b=%",
                                       "/a?b=%00",
                                       "/a?%0d=1",
                                       "/a\nb",
                                       "/%2e",
                                       "/1/2/3/4/5/6/7/8/9",
                                       "/a?b=\x01" };
    char many[512] = "/?";

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_false(guard_parse(bad[i], &target));
    for (unsigned i = 0; i < GUARD_PAIRS; i++)
        strcat(many, "a&");
    assert_true(guard_parse(many, &target));
    strcat(many, "a");
    assert_false(guard_parse(many, &target));
    assert_int_equal(check(request_of(with_token("/%2e%2e/%2e%2e/etc/passwd"))), 400);
}

/* The longest targets fit, decoded or not; longer ones are refused. */
static void long_targets(void **state)
{
    char *uri = malloc(GUARD_URI * 2);

    (void)state;
    assert_non_null(uri);
    memset(uri, 'a', GUARD_URI * 2);
    uri[0] = '/';
    uri[GUARD_URI - GUARD_PAIRS] = '\0';
    assert_true(guard_parse(uri, &target));
    assert_int_equal(strlen(target.pieces[0]), GUARD_URI - GUARD_PAIRS - 1);
    uri[1] = '?';
    for (unsigned i = 0; i < GUARD_PAIRS - 1; i++)
        uri[2 + i * 2 + 1] = '&';
    assert_true(guard_parse(uri, &target));
    assert_int_equal(target.pair_count, GUARD_PAIRS);
    uri[GUARD_URI - GUARD_PAIRS] = 'a';
    uri[GUARD_URI - GUARD_PAIRS + 1] = '\0';
    assert_false(guard_parse(uri, &target));
    free(uri);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(tokens, start),       cmocka_unit_test_setup(hosts, start),
        cmocka_unit_test_setup(origins, start),      cmocka_unit_test_setup(requests_without_sense, start),
        cmocka_unit_test_setup(targets, start),      cmocka_unit_test_setup(targets_that_lead_elsewhere, start),
        cmocka_unit_test_setup(long_targets, start),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
