/* test_recording_image.c: what a program sends to whoever follows it: pieces that are cut anywhere, answers of all kinds, and nonsense. */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/memory.h"
#include "read/recording_image.h"
#include "record/format.h"

#define TOKEN "0123456789abcdef0123456789abcdef"

static unsigned chance = 1;

static unsigned random_below(unsigned limit)
{
    chance = chance * 1103515245 + 12345;
    return (chance >> 8) % limit;
}

/* The program's end of a connection, and the viewer's image. */
struct live {
    struct recording_image image; /* of the viewer */
    int program;                  /* socket; -1: gone */
    int viewer;                   /* the other end, until the image owns it */
};

static void start(struct live *live)
{
    int ends[2];

    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    recording_image_start(&live->image, "program:8086", TOKEN);
    assert_true(live->image.live);
    live->viewer = ends[0];
    live->program = ends[1];
}

static void stop(struct live *live)
{
    recording_image_close(&live->image);
    if (live->program >= 0)
        close(live->program);
}

static void say(const struct live *live, const void *bytes, size_t size)
{
    assert_int_equal(send(live->program, bytes, size, MSG_NOSIGNAL), size);
}

static struct live_welcome welcome_of(uint32_t answer)
{
    struct live_welcome welcome = { .version = LIVE_VERSION, .answer = answer, .pid = 4711 };

    memcpy(welcome.magic, LIVE_MAGIC, sizeof welcome.magic);
    return welcome;
}

static status greet(struct live *live, uint32_t answer)
{
    struct live_welcome welcome = welcome_of(answer);

    start(live);
    say(live, &welcome, sizeof welcome);
    return recording_image_attach(&live->image, live->viewer);
}

static void greet_well(struct live *live)
{
    assert_int_equal(greet(live, LIVE_WELCOME), STATUS_OK);
    assert_int_equal(live->image.state, IMAGE_GROWING);
}

static size_t make_piece(unsigned char *to, uint64_t offset, const void *bytes, uint32_t length,
                         enum live_piece_kind kind)
{
    struct live_piece piece = { offset, length, kind };

    memcpy(to, &piece, sizeof piece);
    if (length)
        memcpy(to + sizeof piece, bytes, length);
    return sizeof piece + length;
}

static void say_piece(const struct live *live, uint64_t offset, const void *bytes, uint32_t length,
                      enum live_piece_kind kind)
{
    static unsigned char whole[sizeof(struct live_piece) + RECORDING_CHUNK];

    say(live, whole, make_piece(whole, offset, bytes, length, kind));
}

static void look(struct live *live)
{
    assert_int_equal(recording_image_look(&live->image, 100), STATUS_OK);
}

static void check_bytes(const struct live *live, uint64_t offset, const char *expected)
{
    char found[64] = "";

    recording_image_read(&live->image, offset, found, strlen(expected));
    assert_memory_equal(found, expected, strlen(expected));
}

/* ---- The greeting ---------------------------------------------------------------------------------------------------- */

static void test_the_token_is_shown(void **state)
{
    struct live live;
    struct live_hello hello;

    (void)state;
    greet_well(&live);
    assert_int_equal(recv(live.program, &hello, sizeof hello, 0), sizeof hello);
    assert_memory_equal(hello.magic, LIVE_MAGIC, sizeof hello.magic);
    assert_int_equal(hello.version, LIVE_VERSION);
    assert_memory_equal(hello.token, TOKEN, LIVE_TOKEN);
    stop(&live);
}

static void check_refused(uint32_t answer, const char *why)
{
    struct live live;

    assert_int_equal(greet(&live, answer), STATUS_INPUT);
    assert_non_null(strstr(status_message(), why));
    status_clear();
    stop(&live);
}

static void test_answers_that_refuse(void **state)
{
    (void)state;
    check_refused(LIVE_WRONG_TOKEN, "does not take the token");
    check_refused(LIVE_WRONG_VERSION, "speaks version 1, this is version 1");
    check_refused(LIVE_TOO_MANY, "has too many viewers");
    check_refused(77, "has too many viewers");
}

static void test_answers_that_are_none(void **state)
{
    static const char http[] = "HTTP/1.1 400 Bad Request\r\n\r\n";
    struct live_welcome welcome = welcome_of(LIVE_WELCOME);
    struct live live;

    (void)state;
    start(&live);
    say(&live, http, sizeof http);
    assert_int_equal(recording_image_attach(&live.image, live.viewer), STATUS_INPUT);
    stop(&live);
    /* A part of it, and then nobody. */
    start(&live);
    say(&live, &welcome, sizeof welcome - 1);
    shutdown(live.program, SHUT_WR);
    assert_int_equal(recording_image_attach(&live.image, live.viewer), STATUS_INPUT);
    stop(&live);
    /* Nobody at all. */
    start(&live);
    close(live.program);
    live.program = -1;
    assert_int_equal(recording_image_attach(&live.image, live.viewer), STATUS_INPUT);
    stop(&live);
    status_clear();
}

/* ---- Pieces ---------------------------------------------------------------------------------------------------------- */

static void test_pieces_go_to_their_places(void **state)
{
    struct live live;

    (void)state;
    greet_well(&live);
    say_piece(&live, 1000, "later", 5, LIVE_DATA);
    say_piece(&live, 0, "first", 5, LIVE_DATA);
    say_piece(&live, 2, "R", 1, LIVE_DATA); /* over what was there */
    look(&live);
    check_bytes(&live, 0, "fiRst");
    check_bytes(&live, 1000, "later");
    assert_int_equal(recording_image_size(&live.image), 1005);
    assert_int_equal(live.image.state, IMAGE_GROWING);
    say_piece(&live, 0, "", 0, LIVE_DATA);
    say_piece(&live, 0, "", 0, LIVE_END);
    look(&live);
    assert_int_equal(live.image.state, IMAGE_COMPLETE);
    check_bytes(&live, 0, "fiRst");
    look(&live);
    stop(&live);
}

/* What is not there is zeros. */
static void test_reading_beyond_the_end(void **state)
{
    struct recording_image nothing;
    struct live live;
    char bytes[8] = "xxxxxxx";

    (void)state;
    greet_well(&live);
    say_piece(&live, 0, "abc", 3, LIVE_DATA);
    look(&live);
    recording_image_read(&live.image, 1, bytes, sizeof bytes);
    assert_memory_equal(bytes, "bc\0\0\0\0\0", sizeof bytes);
    stop(&live);
    recording_image_start(&nothing, "not-there", NULL);
    memset(bytes, 'x', sizeof bytes);
    recording_image_read(&nothing, 0, bytes, sizeof bytes);
    assert_memory_equal(bytes, "\0\0\0\0\0\0\0", sizeof bytes);
    assert_int_equal(recording_image_size(&nothing), 0);
    recording_image_close(&nothing);
}

/* The same pieces, cut after each of their bytes: whoever looks meanwhile finds a piece whole or not at all. */
static void test_pieces_are_cut_at_any_byte(void **state)
{
    unsigned char stream[256];
    size_t size = make_piece(stream, 0, "AAAAAAAAAA", 10, LIVE_DATA);

    (void)state;
    size += make_piece(stream + size, 5, "BBBBBBBBBB", 10, LIVE_DATA);
    size += make_piece(stream + size, 0, "", 0, LIVE_DATA);
    size += make_piece(stream + size, 100, "CC", 2, LIVE_DATA);
    size += make_piece(stream + size, 0, "", 0, LIVE_END);
    for (size_t cut = 1; cut < size; cut++) {
        struct live live;
        char found[16] = "";

        greet_well(&live);
        say(&live, stream, cut);
        look(&live);
        assert_int_equal(live.image.state, IMAGE_GROWING);
        recording_image_read(&live.image, 0, found, 15);
        assert_true(!found[0] || !strcmp(found, "AAAAAAAAAA") || !strcmp(found, "AAAAABBBBBBBBBB"));
        say(&live, stream + cut, size - cut);
        look(&live);
        assert_int_equal(live.image.state, IMAGE_COMPLETE);
        check_bytes(&live, 0, "AAAAABBBBBBBBBB");
        check_bytes(&live, 100, "CC");
        stop(&live);
    }
}

/* Large ones, as a recording has them, in steps of any length. */
static void test_large_pieces_in_random_steps(void **state)
{
    enum { PIECES = 40, MOST = PIECES * (sizeof(struct live_piece) + RECORDING_CHUNK) };
    unsigned char *stream = malloc(MOST), *expected = calloc(8, RECORDING_CHUNK), *found = malloc(8 * RECORDING_CHUNK);
    unsigned char *bytes = malloc(RECORDING_CHUNK);
    size_t size = 0, sent = 0;
    struct live live;

    (void)state;
    assert_true(stream && expected && found && bytes);
    for (int i = 0; i < PIECES; i++) {
        uint32_t length = i % 5 ? random_below(5000) : RECORDING_CHUNK;
        uint64_t offset = random_below(7 * RECORDING_CHUNK);

        memset(bytes, 1 + i, length);
        memcpy(expected + offset, bytes, length);
        size += make_piece(stream + size, offset, bytes, length, LIVE_DATA);
    }
    greet_well(&live);
    while (sent < size) {
        size_t step = 1 + random_below(random_below(2) ? 50 : 90000);

        step = step < size - sent ? step : size - sent;
        say(&live, stream + sent, step);
        sent += step;
        look(&live);
    }
    recording_image_read(&live.image, 0, found, 8 * RECORDING_CHUNK);
    assert_memory_equal(found, expected, 8 * RECORDING_CHUNK);
    stop(&live);
    free(stream);
    free(expected);
    free(found);
    free(bytes);
}

static void test_a_program_that_is_gone(void **state)
{
    struct live_piece half = { .offset = 0, .length = 100, .kind = LIVE_DATA };
    struct live live;

    (void)state;
    greet_well(&live);
    say_piece(&live, 0, "there", 5, LIVE_DATA);
    say(&live, &half, sizeof half);
    say(&live, "xxx", 3);
    close(live.program);
    live.program = -1;
    look(&live);
    look(&live);
    assert_int_equal(live.image.state, IMAGE_BROKEN);
    check_bytes(&live, 0, "there");
    stop(&live);
}

static void check_hostile(uint64_t offset, uint32_t length)
{
    struct live_piece piece = { offset, length, LIVE_DATA };
    struct live live;
    status code;

    greet_well(&live);
    say(&live, &piece, sizeof piece);
    say(&live, "0123456789", 10);
    code = recording_image_look(&live.image, 100);
    assert_int_equal(code, STATUS_INPUT);
    assert_non_null(strstr(status_message(), "sent what is no piece of a recording"));
    status_clear();
    say(&live, "0123456789", 10);
    look(&live);
    assert_int_equal(live.image.state, IMAGE_BROKEN);
    stop(&live);
}

static void test_hostile_pieces(void **state)
{
    (void)state;
    check_hostile(0, RECORDING_CHUNK + 1);
    check_hostile(0, UINT32_MAX);
    check_hostile(((uint64_t)1 << 40) + 1, 4);
    check_hostile(UINT64_MAX, 4);
    check_hostile((uint64_t)1 << 63, 0);
}

/* Any bytes at all: refused, or placed, but nothing else. */
static void test_noise(void **state)
{
    (void)state;
    for (int turn = 0; turn < 200; turn++) {
        unsigned char noise[300];
        struct live live;
        status code = STATUS_OK;

        for (size_t i = 0; i < sizeof noise; i++)
            noise[i] = (unsigned char)(random_below(3) ? 0 : random_below(256));
        greet_well(&live);
        say(&live, noise, sizeof noise);
        shutdown(live.program, SHUT_WR);
        while (code == STATUS_OK && live.image.state == IMAGE_GROWING)
            code = recording_image_look(&live.image, 100);
        assert_true(code == STATUS_OK || code == STATUS_INPUT || code == STATUS_OUTPUT);
        if (code != STATUS_OK)
            status_clear();
        stop(&live);
    }
}

static void test_no_memory(void **state)
{
    struct live live;

    (void)state;
    memory_fail_at(1);
    assert_int_equal(greet(&live, LIVE_WELCOME), STATUS_MEMORY);
    memory_fail_at(0);
    stop(&live);
    greet_well(&live);
    memory_fail_at(1);
    assert_int_equal(recording_image_look(&live.image, 0), STATUS_MEMORY);
    memory_fail_at(0);
    status_clear();
    look(&live);
    stop(&live);
}

/* ---- Addresses ------------------------------------------------------------------------------------------------------- */

/* A program at a port of this machine that welcomes one viewer and ends its recording. */
static void *serve(void *listener)
{
    struct live_welcome welcome = welcome_of(LIVE_WELCOME);
    const struct live_piece last = { .kind = LIVE_END };
    struct live_hello hello;
    int viewer = accept(*(int *)listener, NULL, NULL);

    if (recv(viewer, &hello, sizeof hello, MSG_WAITALL) == (ssize_t)sizeof hello) {
        (void)!write(viewer, &welcome, sizeof welcome);
        (void)!write(viewer, &last, sizeof last);
    }
    close(viewer);
    return NULL;
}

static void check_address(int family, const char *format)
{
    struct sockaddr_storage address = { .ss_family = (sa_family_t)family };
    socklen_t length = sizeof address;
    int listener = socket(family, SOCK_STREAM, 0);
    struct recording_image image;
    char where[64];
    pthread_t server;

    if (family == AF_INET)
        ((struct sockaddr_in *)&address)->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    else
        ((struct sockaddr_in6 *)&address)->sin6_addr = in6addr_loopback;
    if (listener < 0 || bind(listener, (struct sockaddr *)&address, length) != 0) {
        close(listener);
        return; /* this machine has no such addresses */
    }
    assert_int_equal(listen(listener, 1), 0);
    assert_int_equal(getsockname(listener, (struct sockaddr *)&address, &length), 0);
    assert_int_equal(pthread_create(&server, NULL, serve, &listener), 0);
    snprintf(where, sizeof where, format,
             ntohs(family == AF_INET ? ((struct sockaddr_in *)&address)->sin_port
                                     : ((struct sockaddr_in6 *)&address)->sin6_port));
    recording_image_start(&image, where, TOKEN);
    for (int i = 0; i < 100 && image.state != IMAGE_COMPLETE; i++)
        assert_int_equal(recording_image_look(&image, 100), STATUS_OK);
    assert_int_equal(image.state, IMAGE_COMPLETE);
    recording_image_close(&image);
    pthread_join(server, NULL);
    close(listener);
}

static void test_addresses(void **state)
{
    (void)state;
    check_address(AF_INET, "127.0.0.1:%u");
    check_address(AF_INET, ":%u");
    check_address(AF_INET, "localhost:%u");
    check_address(AF_INET6, "[::1]:%u");
    check_address(AF_INET6, "::1:%u");
}

static void test_nobody_is_there_yet(void **state)
{
    struct recording_image image;

    (void)state;
    recording_image_start(&image, "127.0.0.1:1", TOKEN);
    assert_int_equal(recording_image_look(&image, 0), STATUS_OK);
    assert_int_equal(image.state, IMAGE_WAITING);
    recording_image_close(&image);
    recording_image_start(&image, "no such host:1", TOKEN);
    assert_int_equal(recording_image_look(&image, 0), STATUS_INPUT);
    recording_image_close(&image);
    status_clear();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_token_is_shown),
        cmocka_unit_test(test_answers_that_refuse),
        cmocka_unit_test(test_answers_that_are_none),
        cmocka_unit_test(test_pieces_go_to_their_places),
        cmocka_unit_test(test_reading_beyond_the_end),
        cmocka_unit_test(test_pieces_are_cut_at_any_byte),
        cmocka_unit_test(test_large_pieces_in_random_steps),
        cmocka_unit_test(test_a_program_that_is_gone),
        cmocka_unit_test(test_hostile_pieces),
        cmocka_unit_test(test_noise),
        cmocka_unit_test(test_no_memory),
        cmocka_unit_test(test_addresses),
        cmocka_unit_test(test_nobody_is_there_yet),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
