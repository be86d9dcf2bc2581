/* test_device_markers.c: tests of markers in kernels, and of the host that fetches them and writes the log. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static uint64_t now;
#define TACHO_DEVICE_MARKERS 1
#define TACHO_DEVICE_CYCLES() (now += 10)
#define TACHO_DEVICE_BUFFER (&markers)
#include <errno.h>
#include <tacho/device_host.h>
#include <tacho/kernel_profiler.h>
#include <unistd.h>

#include "place.h"
#include "record/device_decode.h"
#include "recorder.h"
#include "tenstorrent/chain.h"
#include "tenstorrent/device_log.h"

enum { WORDS = TACHO_DEVICE_WORDS, RISCS = TACHO_DEVICE_RISC_COUNT };

static struct tacho_device_buffer markers; /* of the processor that the test is */
static uint32_t memory[2][RISCS][WORDS];   /* of two cores */

/* ---- Functions that fail when told to ---- */

static unsigned allocations_left, writes_left; /* 0: none fails */

void *__real_malloc(size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_malloc(size_t size)
{
    return allocations_left && --allocations_left == 0 ? NULL : __real_malloc(size);
}

void *__real_calloc(size_t count, size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_calloc(size_t count, size_t size)
{
    return allocations_left && --allocations_left == 0 ? NULL : __real_calloc(count, size);
}

void *__real_realloc(void *old, size_t size);
void *__wrap_realloc(void *old, size_t size);
void *__wrap_realloc(void *old, size_t size)
{
    return allocations_left && --allocations_left == 0 ? NULL : __real_realloc(old, size);
}

/* A disk that takes ten bytes a call, and then is full. */
ssize_t __real_write(int descriptor, const void *data, size_t size);
ssize_t __wrap_write(int descriptor, const void *data, size_t size);
ssize_t __wrap_write(int descriptor, const void *data, size_t size)
{
    if (!writes_left)
        return __real_write(descriptor, data, size);
    if (--writes_left == 0) {
        errno = ENOSPC;
        return -1;
    }
    return __real_write(descriptor, data, size < 10 ? size : 10);
}

/* ---- The buffer ---- */

static uint32_t *start(unsigned core, enum tacho_device_risc risc)
{
    tacho_device_begin(&markers, memory[core][risc], WORDS);
    return memory[core][risc];
}

static unsigned taken(const uint32_t *words)
{
    assert_int_equal((words[0] - 2) % 3, 0);
    return (words[0] - 2) / 3;
}

static uint64_t value_of(const uint32_t *words, unsigned index)
{
    return words[2 + 3 * index + 1] | (uint64_t)words[2 + 3 * index + 2] << 32;
}

static void test_a_buffer(void **state)
{
    uint32_t *words = start(0, TACHO_DEVICE_BRISC);

    (void)state;
    assert_int_equal(sizeof memory[0][0], 204);
    assert_int_equal(words[0], 2);
    now = 0x1234567890;
    tacho_device_mark(&markers, 7);
    assert_int_equal(words[0], 5);
    assert_int_equal(words[1], 0);
    assert_int_equal(words[2], 7);
    assert_int_equal(words[3], 0x3456789A);
    assert_int_equal(words[4], 0x12);
}

/* Ids 1 and 2, twelve of the program's own, 3 and 4: what does not fit is counted. */
static void test_room_for_the_closing_markers(void **state)
{
    uint32_t *words = start(0, TACHO_DEVICE_BRISC);

    (void)state;
    tacho_device_mark(&markers, TACHO_DEVICE_FIRMWARE_START);
    tacho_device_mark(&markers, TACHO_DEVICE_KERNEL_START);
    for (uint32_t id = TACHO_DEVICE_USER; id < TACHO_DEVICE_USER + 20; id++)
        tacho_device_mark(&markers, id);
    assert_int_equal(taken(words), 14);
    assert_int_equal(words[1], 8);
    tacho_device_mark(&markers, TACHO_DEVICE_KERNEL_END);
    tacho_device_mark(&markers, TACHO_DEVICE_KERNEL_END); /* the firmware's end is not to lose its place */
    tacho_device_mark(&markers, TACHO_DEVICE_FIRMWARE_END);
    tacho_device_mark(&markers, TACHO_DEVICE_FIRMWARE_END);
    assert_int_equal(taken(words), 16);
    assert_int_equal(words[1], 10);
    assert_int_equal(words[2 + 13 * 3], TACHO_DEVICE_USER + 11);
    assert_int_equal(words[2 + 14 * 3], TACHO_DEVICE_KERNEL_END);
    assert_int_equal(words[2 + 15 * 3], TACHO_DEVICE_FIRMWARE_END);
}

static void test_any_size(void **state)
{
    uint32_t words[80];

    (void)state;
    for (uint32_t size = 0; size <= 60; size++) {
        memset(words, 0xEE, sizeof words);
        tacho_device_begin(&markers, words, size);
        for (unsigned i = 0; i < 40; i++) {
            DeviceZoneScopedN("outer");
            tacho_device_mark(&markers, 5 + i);
            DeviceZoneScopedN("inner");
            tacho_device_add(&markers, 3000 + i % 3, 1);
        }
        tacho_device_mark(&markers, 3);
        tacho_device_mark(&markers, 4);
        for (uint32_t i = size < 8 ? 0 : size; i < 80; i++)
            assert_int_equal(words[i], 0xEEEEEEEE);
        if (size < 8)
            continue;
        assert_int_equal(words[words[0] - 6], 3);
        assert_int_equal(words[words[0] - 3], 4);
        assert_true(words[0] <= size);
    }
}

static void test_ids_that_are_no_markers(void **state)
{
    uint32_t *words = start(0, TACHO_DEVICE_BRISC);

    (void)state;
    tacho_device_mark(&markers, 0);
    tacho_device_mark(&markers, 3000);
    tacho_device_add(&markers, 2999, 5);
    assert_int_equal(taken(words), 0);
    assert_int_equal(words[1], 3);
}

static void test_once(void **state)
{
    uint32_t *words = start(0, TACHO_DEVICE_BRISC), marked = 0;

    (void)state;
    for (unsigned i = 0; i < 5; i++)
        tacho_device_mark_once(&markers, 9, &marked);
    assert_int_equal(taken(words), 1);
    assert_int_equal(words[1], 0);
}

static void test_sums(void **state)
{
    uint32_t *words = start(0, TACHO_DEVICE_TRISC_0);

    (void)state;
    for (unsigned i = 0; i < 50; i++) {
        DeviceZoneScopedSumN1("waiting");
        tacho_device_add(&markers, 3000, UINT32_MAX);
    }
    assert_int_equal(taken(words), 2);
    assert_int_equal(value_of(words, 0), 50 * (uint64_t)UINT32_MAX);
    assert_int_equal(value_of(words, 1), 500);
    assert_int_equal(words[5] & ~0xFFFFu, TACHO_DEVICE_NAMED | TACHO_DEVICE_ZONE_TOTAL);
}

/* A zone that starts has room for its end. */
static void test_zones(void **state)
{
    uint32_t *words = start(0, TACHO_DEVICE_BRISC);

    (void)state;
    tacho_device_mark(&markers, 1);
    {
        DeviceZoneScopedN("a");
        DeviceZoneScopedN("b");
        DeviceZoneScopedN("c");
        for (unsigned i = 0; i < 20; i++)
            tacho_device_mark(&markers, 5);
        assert_int_equal(taken(words), 11); /* and three ends */
        DeviceZoneScopedN("d");
        assert_int_equal(taken(words), 11);
        assert_int_equal(words[1], 13 + 2);
    }
    assert_int_equal(taken(words), 14);
    assert_int_equal(words[2 + 3] + TACHO_DEVICE_ZONE_END, words[2 + 13 * 3]);
    tacho_device_mark(&markers, 3);
    tacho_device_mark(&markers, 4);
    assert_int_equal(taken(words), 16);
}

/* ---- Names ---- */

static void test_names_of_a_program(void **state)
{
    struct tacho_device_names *names = NULL;
    struct tacho_device_name found;
    char message[TACHO_DEVICE_MESSAGE];
    uint32_t line = __LINE__, hash = TACHO_DEVICE_ID("READ, TILE");

    (void)state;
    assert_int_equal(tacho_device_names_read(&names, "/proc/self/exe", message), TACHO_DEVICE_OK);
    assert_string_equal(message, "");
    assert_true(tacho_device_names_find(names, hash, &found));
    assert_string_equal(found.name, "READ, TILE");
    assert_non_null(strstr(found.file, "test_device_markers.c"));
    assert_int_equal(found.line, line);
    assert_false(tacho_device_names_find(names, 0x10000 + hash, &found));
    tacho_device_names_free(names);
    tacho_device_names_free(NULL);
}

static void test_names_alone_in_a_file(void **state)
{
    struct tacho_device_names *names = NULL;
    struct tacho_device_name found;
    char message[TACHO_DEVICE_MESSAGE], text[100];
    unsigned other = 0;
    uint32_t hash = tacho_device_hash("k.c\t12\tADD", 10);

    (void)state;
    write_file("zones", "k.c\t12\tADD\nk.c\t12\tADD\n\nk.c\t13\tSUB\n");
    assert_int_equal(tacho_device_names_read(&names, file_at("zones"), message), TACHO_DEVICE_OK);
    assert_true(tacho_device_names_find(names, hash, &found));
    assert_string_equal(found.name, "ADD");
    assert_string_equal(found.file, "k.c");
    assert_int_equal(found.line, 12);
    assert_int_equal(tacho_device_names_collisions(names), 0);
    do
        snprintf(text, sizeof text, "k.c\t%u\tMUL", ++other);
    while (tacho_device_hash(text, strlen(text)) != hash);
    write_file("more", text);
    assert_int_equal(tacho_device_names_read(&names, file_at("more"), message), TACHO_DEVICE_OK);
    assert_int_equal(tacho_device_names_collisions(names), 1);
    assert_true(tacho_device_names_find(names, hash, &found));
    assert_string_equal(found.name, "ADD");
    tacho_device_names_free(names);
}

static void test_files_without_names(void **state)
{
    static const char *const bad[] = { "k.c",      "k.c\t12", "k.c\t\tADD", "k.c\t1x\tADD", "k.c\t4294967296\tADD",
                                       "k.c\t12\t" };
    struct tacho_device_names *names = NULL;
    char message[TACHO_DEVICE_MESSAGE];

    (void)state;
    assert_int_equal(tacho_device_names_read(&names, file_at("missing"), message), TACHO_DEVICE_INPUT);
    assert_non_null(strstr(message, "missing: No such file"));
    assert_int_equal(tacho_device_names_read(&names, place, message), TACHO_DEVICE_INPUT);
    assert_non_null(strstr(message, "no ordinary file"));
    assert_null(names);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        write_file("bad", bad[i]);
        assert_int_equal(tacho_device_names_read(&names, file_at("bad"), message), TACHO_DEVICE_INPUT);
        assert_non_null(strstr(message, "byte 0 of its zones is no text"));
    }
    assert_int_equal(tacho_device_names_read(&names, "/bin/sh", message), TACHO_DEVICE_INPUT);
    assert_non_null(strstr(message, "no section tacho_zones"));
    assert_int_equal(tacho_device_names_read(&names, "/bin/sh", NULL), TACHO_DEVICE_INPUT);
    tacho_device_names_free(names);
}

/* An object file of 64 bits with two sections, damaged in every way that one byte can be. */
static void test_damaged_object_files(void **state)
{
    static const char texts[] = "k.c\t12\tADD\0.shstrtab\0tacho_zones";
    unsigned char good[64 + 3 * 64 + sizeof texts] = { 0x7F, 'E', 'L', 'F', 2, 1, 1 };
    struct tacho_device_name found;
    unsigned char *sections = good + 64;
    unsigned whole = 0;

    (void)state;
    good[40] = 64; /* section headers */
    good[58] = 64;
    good[60] = 3;
    good[62] = 1;
    sections[64 + 24] = sections[128 + 24] = 0; /* both lie behind the headers, where the texts are */
    sections[64 + 25] = sections[128 + 25] = 1;
    sections[64 + 32] = sizeof texts;
    sections[128] = 21;
    sections[128 + 32] = 11;
    memcpy(good + 256, texts, sizeof texts);
    for (size_t at = 0; at < sizeof good; at++) {
        for (unsigned change = 0; change < 256; change += change < 4 ? 1 : 63) {
            struct tacho_device_names *names = NULL;
            FILE *file = fopen(file_at("object"), "wb");
            unsigned char kept = good[at];

            assert_non_null(file);
            good[at] ^= (unsigned char)change;
            assert_int_equal(fwrite(good, sizeof good, 1, file), 1);
            fclose(file);
            good[at] = kept;
            if (tacho_device_names_read(&names, file_at("object"), NULL) == TACHO_DEVICE_OK && !change) {
                assert_true(tacho_device_names_find(names, tacho_device_hash("k.c\t12\tADD", 10), &found));
                assert_string_equal(found.name, "ADD");
                whole++;
            }
            tacho_device_names_free(names);
        }
    }
    assert_int_equal(whole, sizeof good);
}

/* ---- Fetching ---- */

static const struct tacho_device_core cores[] = { { 1, 2, 0 },
                                                  { 3, 4, 1u << TACHO_DEVICE_BRISC | 1u << TACHO_DEVICE_ERISC } };
static unsigned reads;

static int read_memory(void *context, uint32_t x, uint32_t y, enum tacho_device_risc risc, uint64_t address,
                       size_t size, void *bytes)
{
    assert_ptr_equal(context, memory);
    assert_int_equal(address, 0x1000u * (risc + 1));
    assert_int_equal(size, 204);
    assert_int_equal(y, x + 1);
    reads++;
    memcpy(bytes, memory[x == 3][risc], size);
    return x > 3;
}

static struct tacho_device_launch launch_of(enum tacho_device_generation generation)
{
    static char logs[64];

    snprintf(logs, sizeof logs, "%s/logs", place);
    return (struct tacho_device_launch){ .chip = 0,
                                         .architecture = "grayskull",
                                         .megahertz = 1000,
                                         .generation = generation,
                                         .run_host_id = 1024,
                                         .cores = cores,
                                         .core_count = 2,
                                         .addresses = { 0x1000, 0x2000, 0x3000, 0x4000, 0x5000, 0x6000 },
                                         .read = read_memory,
                                         .context = memory,
                                         .folder = logs };
}

static const char *log_text(void)
{
    static char text[16384];
    FILE *file = fopen(file_at("logs/profile_log_device.csv"), "rb");
    size_t size;

    assert_non_null(file);
    size = fread(text, 1, sizeof text - 1, file);
    text[size] = 0;
    fclose(file);
    return text;
}

/* What the kernels of the launch do. */
static void run_kernels(uint64_t later)
{
    memset(memory, 0, sizeof memory);
    now = 63540641338000 + later;
    for (unsigned i = 0; i < 3; i++) {
        start(i == 2, i == 0 ? TACHO_DEVICE_BRISC : i == 1 ? TACHO_DEVICE_TRISC_0 : TACHO_DEVICE_ERISC);
        tacho_device_mark(&markers, TACHO_DEVICE_FIRMWARE_START);
        tacho_device_mark(&markers, TACHO_DEVICE_KERNEL_START);
        tacho_device_add(&markers, 3000 + i, 100 + i);
        tacho_device_mark(&markers, 5);
        tacho_device_mark(&markers, TACHO_DEVICE_KERNEL_END);
        tacho_device_mark(&markers, TACHO_DEVICE_FIRMWARE_END);
    }
}

static void test_off(void **state)
{
    struct tacho_device_launch launch = launch_of(TACHO_DEVICE_NUMBERED);
    struct tacho_device_report report;
    static const char *const values[] = { "0", "", "11", "true" };

    (void)state;
    remove_folder("logs");
    reads = 0;
    unsetenv("TT_METAL_DEVICE_PROFILER");
    assert_int_equal(tacho_device_fetch(&launch, &report), TACHO_DEVICE_OFF);
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        setenv("TT_METAL_DEVICE_PROFILER", values[i], 1);
        assert_int_equal(tacho_device_fetch(&launch, &report), TACHO_DEVICE_OFF);
    }
    setenv("TT_METAL_DEVICE_PROFILER", "1", 1);
    assert_true(tacho_device_enabled());
    assert_int_equal(reads, 0);
    assert_int_equal(access(file_at("logs"), F_OK), -1);
}

static void test_six_columns(void **state)
{
    struct tacho_device_launch launch = launch_of(TACHO_DEVICE_NUMBERED);
    struct tacho_device_report report;

    (void)state;
    remove_folder("logs");
    run_kernels(0);
    reads = 0;
    assert_int_equal(tacho_device_fetch(&launch, &report), TACHO_DEVICE_OK);
    assert_string_equal(report.message, "");
    assert_int_equal(reads, 7);
    assert_int_equal(report.buffers, 7);
    assert_int_equal(report.markers, 18);
    assert_int_equal(report.written, 18);
    assert_string_equal(
        log_text(),
        "ARCH: grayskull, CHIP_FREQ[MHz]: 1000\n"
        "PCIe slot, core_x, core_y, RISC processor type, timer_id, time[cycles since reset]\n"
        "0, 1, 2, BRISC, 1, 63540641338010\n0, 1, 2, BRISC, 2, 63540641338020\n0, 1, 2, BRISC, 5, 63540641338030\n"
        "0, 1, 2, BRISC, 3, 63540641338040\n0, 1, 2, BRISC, 4, 63540641338050\n0, 1, 2, BRISC, 3000, 100\n"
        "0, 1, 2, TRISC_0, 1, 63540641338060\n0, 1, 2, TRISC_0, 2, 63540641338070\n0, 1, 2, TRISC_0, 5, "
        "63540641338080\n"
        "0, 1, 2, TRISC_0, 3, 63540641338090\n0, 1, 2, TRISC_0, 4, 63540641338100\n0, 1, 2, TRISC_0, 3001, 101\n"
        "0, 3, 4, ERISC, 1, 63540641338110\n0, 3, 4, ERISC, 2, 63540641338120\n0, 3, 4, ERISC, 5, 63540641338130\n"
        "0, 3, 4, ERISC, 3, 63540641338140\n0, 3, 4, ERISC, 4, 63540641338150\n0, 3, 4, ERISC, 3002, 102\n");
}

/* NCRISC stands before BRISC, as in the logs of the vendor. */
static void test_order_of_processors(void **state)
{
    struct tacho_device_launch launch = launch_of(TACHO_DEVICE_NUMBERED);
    struct tacho_device_report report;
    const char *text;

    (void)state;
    remove_folder("logs");
    memset(memory, 0, sizeof memory);
    for (unsigned risc = 0; risc < 5; risc++) {
        start(0, (enum tacho_device_risc)risc);
        tacho_device_mark(&markers, 1);
    }
    launch.core_count = 1;
    assert_int_equal(tacho_device_fetch(&launch, &report), TACHO_DEVICE_OK);
    text = log_text();
    assert_true(strstr(text, " NCRISC") < strstr(text, " BRISC"));
    assert_true(strstr(text, " BRISC") < strstr(text, "TRISC_0"));
    assert_true(strstr(text, "TRISC_0") < strstr(text, "TRISC_1"));
    assert_true(strstr(text, "TRISC_1") < strstr(text, "TRISC_2"));
    assert_int_equal(report.unpaired, 5);
    assert_string_equal(report.message, "starts or ends of zones without the other one: 5");
}

/* ---- Both generations read back ---- */

static const struct reading_case usual = { .reader = &tt_device_reader };

static struct recorder *read_log(void)
{
    struct recorder *recorder = read_bytes(&usual, log_text(), strlen(log_text()), NULL);

    assert_int_equal(losses_total(&recorder->losses), 0);
    return recorder;
}

static void check_zones(struct recorder *recorder)
{
    const char *text = recorder_text(recorder);

    assert_non_null(strstr(text, "BRISC-FW | 63540641338010..63540641338050"));
    assert_non_null(strstr(text, "BRISC-KERNEL | 63540641338020..63540641338040"));
    assert_non_null(strstr(text, "TRISC-FW | 63540641338060..63540641338100"));
    assert_non_null(strstr(text, "TRISC-KERNEL | 63540641338070..63540641338090"));
    assert_non_null(strstr(text, "ERISC-FW | 63540641338110..63540641338150"));
    assert_int_equal(recorder->losses.used, 18);
}

static void test_both_generations_are_read_back(void **state)
{
    struct recorder *numbered, *zoned;

    (void)state;
    for (unsigned generation = 0; generation < 2; generation++) {
        struct tacho_device_launch launch = launch_of((enum tacho_device_generation)generation);
        struct tacho_device_report report;

        remove_folder("logs");
        run_kernels(0);
        launch.compute_cores = 64;
        assert_int_equal(tacho_device_fetch(&launch, &report), TACHO_DEVICE_OK);
        assert_int_equal(report.written, 18);
        assert_string_equal(report.message, "");
        *(generation ? &zoned : &numbered) = read_log();
    }
    check_zones(numbered);
    check_zones(zoned);
    assert_int_equal(numbered->instants, 6); /* three markers and three sums */
    assert_int_equal(zoned->instants, 6);
    assert_non_null(strstr(recorder_text(zoned), "op 1024 | 63540641338010..63540641338150"));
    assert_non_null(strstr(recorder_text(zoned), "run_host_id=1024"));
    assert_non_null(strstr(log_text(), "ARCH: grayskull, CHIP_FREQ[MHz]: 1000, Max Compute Cores: 64\n"));
    assert_non_null(strstr(log_text(), ",63540641338050,100,1024,,,CB-COMPUTE-WAIT-FRONT,ZONE_TOTAL,0,,\n"));
    assert_non_null(strstr(log_text(), ",5,63540641338030,0,1024,,,,TS_EVENT,0,,\n"));
    recorder_free(numbered);
    recorder_free(zoned);
}

static void test_named_zones_in_the_log(void **state)
{
    struct tacho_device_launch launch = launch_of(TACHO_DEVICE_ZONED);
    struct tacho_device_names *names = NULL;
    struct tacho_device_report report;
    struct recorder *recorder;

    (void)state;
    remove_folder("logs");
    memset(memory, 0, sizeof memory);
    now = 1000;
    start(0, TACHO_DEVICE_NCRISC);
    tacho_device_mark(&markers, 1);
    for (unsigned i = 0; i < 2; i++) {
        DeviceZoneScopedN("READ, TILE");
        DeviceZoneScopedSumN2("WAIT");
    }
    tacho_device_mark(&markers, 4);
    launch.core_count = 1;
    assert_int_equal(tacho_device_fetch(&launch, &report), TACHO_DEVICE_OK);
    assert_int_equal(report.unnamed, 5);
    assert_string_equal(report.message, "markers of zones whose names are not known: 5");
    remove_folder("logs");
    assert_int_equal(tacho_device_names_read(&names, "/proc/self/exe", NULL), TACHO_DEVICE_OK);
    launch.names = names;
    assert_int_equal(tacho_device_fetch(&launch, &report), TACHO_DEVICE_OK);
    assert_int_equal(report.unnamed + tacho_device_names_collisions(names), 0);
    recorder = read_log();
    assert_non_null(strstr(recorder_text(recorder), "NCRISC-FW | 1010..1100"));
    assert_non_null(strstr(recorder_text(recorder), "READ; TILE | 1020..1050"));
    assert_non_null(strstr(recorder_text(recorder), "READ; TILE | 1060..1090"));
    assert_non_null(strstr(recorder_text(recorder), "test_device_markers.c:"));
    assert_non_null(strstr(log_text(), ",1100,20,1024,,,WAIT,ZONE_TOTAL,"));
    recorder_free(recorder);
    launch.generation = TACHO_DEVICE_NUMBERED;
    assert_int_equal(tacho_device_fetch(&launch, &report), TACHO_DEVICE_OK);
    assert_int_equal(report.left_out, 5);
    assert_int_equal(report.written, 2);
    tacho_device_names_free(names);
}

/* Launches append; the header is there once. A line that a killed process left without its end gets one. */
static void test_appending(void **state)
{
    struct tacho_device_launch launch = launch_of(TACHO_DEVICE_NUMBERED);
    struct tacho_device_report report;
    struct recorder *recorder;
    const char *header;
    FILE *file;

    (void)state;
    remove_folder("logs");
    for (unsigned i = 0; i < 3; i++) {
        run_kernels(i * 1000);
        assert_int_equal(tacho_device_fetch(&launch, &report), TACHO_DEVICE_OK);
    }
    header = strstr(log_text(), "ARCH");
    assert_null(strstr(header + 1, "ARCH"));
    recorder = read_log();
    assert_int_equal(recorder->losses.used, 54);
    recorder_free(recorder);
    file = fopen(file_at("logs/profile_log_device.csv"), "ab");
    assert_non_null(file);
    fputs("0, 1, 2, BRI", file);
    fclose(file);
    assert_int_equal(tacho_device_fetch(&launch, &report), TACHO_DEVICE_OK);
    assert_non_null(strstr(log_text(), "0, 1, 2, BRI\n0, 1, 2, BRISC, 1,"));
}

/* ---- Hostile buffers ---- */

static size_t decode(const uint32_t *words, struct device_marker *decoded, struct tacho_device_report *report)
{
    *report = (struct tacho_device_report){ .buffers = 0 };
    return device_decode((const unsigned char *)words, WORDS, decoded, report);
}

static void test_impossible_end_indexes(void **state)
{
    static const uint32_t ends[] = { 1, 3, 4, 6, 52, 53, 1000, UINT32_MAX, 0x80000000 };
    struct device_marker decoded[WORDS / 3];
    struct tacho_device_report report;
    uint32_t words[WORDS] = { 0 };

    (void)state;
    words[1] = 7; /* means nothing in a damaged buffer */
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        words[0] = ends[i];
        assert_int_equal(decode(words, decoded, &report), 0);
        assert_int_equal(report.damaged, 1);
        assert_int_equal(report.markers + report.dropped, 0);
    }
    words[0] = 0;
    assert_int_equal(decode(words, decoded, &report), 0);
    assert_int_equal(report.damaged, 0);
}

static void test_bad_markers(void **state)
{
    struct device_marker decoded[WORDS / 3];
    struct tacho_device_report report;
    uint32_t words[WORDS] = { 2 + 18, 3,          0, 5, 0,          5, 0, 0xFFFFFFFF, 5,          9,
                              0,      0x80030000, 9, 0, 0xC0000001, 9, 0, 3005,       0x00000000, 0x40000000 };

    (void)state;
    assert_int_equal(decode(words, decoded, &report), 1);
    assert_int_equal(decoded[0].time, 9);
    assert_int_equal(report.markers, 6);
    assert_int_equal(report.bad, 5);
    assert_int_equal(report.dropped, 3);
    words[0] = 5; /* a sum alone: nothing says when */
    words[2] = 3000;
    assert_int_equal(decode(words, decoded, &report), 0);
    assert_int_equal(report.bad, 1);
}

static void count_zone(void *context, const struct device_marker *opened, const struct device_marker *closed)
{
    assert_true(opened < closed && opened->time <= closed->time);
    assert_int_equal(opened->named, closed->named);
    ++*(uint64_t *)context;
}

static void test_any_words(void **state)
{
    static const uint32_t ids[] = {
        0, 1, 2, 3, 4, 5, 3000, 0x80000001, 0x80010001, 0x80020001, 0x80000002, 0x80010002
    };
    struct device_marker decoded[WORDS / 3];
    struct tacho_device_report report;
    uint32_t open[WORDS / 3], words[WORDS];
    uint64_t random = 4711, zones = 0;

    (void)state;
    for (unsigned round = 0; round < 20000; round++) {
        size_t count, edges = 0;
        uint64_t before = zones;

        for (unsigned i = 0; i < WORDS; i++) {
            random = random * 6364136223846793005u + 1442695040888963407u;
            words[i] = i % 3 == 2 ? ids[(random >> 33) % (sizeof ids / sizeof *ids)] : (uint32_t)(random >> 40) % 53;
            if (random >> 58 == 0)
                words[i] = (uint32_t)(random >> 20);
        }
        count = decode(words, decoded, &report);
        assert_int_equal(report.markers, count + report.bad);
        for (size_t i = 0; i < count; i++)
            edges += decoded[i].kind == DEVICE_START || decoded[i].kind == DEVICE_END;
        assert_int_equal(edges, device_pair(decoded, count, open, count_zone, &zones) + 2 * (zones - before));
    }
    assert_true(zones > 1000);
}

static void test_the_report_tells(void **state)
{
    struct tacho_device_launch launch = launch_of(TACHO_DEVICE_NUMBERED);
    struct tacho_device_report report;

    (void)state;
    remove_folder("logs");
    run_kernels(0);
    memory[0][TACHO_DEVICE_TRISC_1][0] = 77;
    memory[0][TACHO_DEVICE_TRISC_0][1] = 12;
    memory[1][TACHO_DEVICE_ERISC][2] = 0;
    assert_int_equal(tacho_device_fetch(&launch, &report), TACHO_DEVICE_OK);
    assert_string_equal(
        report.message,
        "markers that were dropped because a buffer was full: 12 (the first by TRISC_0 of core 1, 2); "
        "buffers with an impossible end index, which were not used: 1 (the first of TRISC_1 of core 1, 2); "
        "markers that make no sense, which were not used: 1; starts or ends of zones without the other one: 1");
    assert_int_equal(report.written, 17);
}

/* ---- Failures ---- */

static void test_wrong_usage(void **state)
{
    struct tacho_device_report report;

    (void)state;
    for (unsigned wrong = 0; wrong < 6; wrong++) {
        struct tacho_device_launch launch = launch_of(TACHO_DEVICE_NUMBERED);

        launch.architecture = wrong == 0 ? NULL : "x";
        launch.megahertz = wrong == 1 ? 0 : 1;
        launch.read = wrong == 2 ? NULL : read_memory;
        launch.words = wrong == 3 ? 7 : wrong == 4 ? 16385 : 0;
        launch.cores = wrong == 5 ? NULL : cores;
        assert_int_equal(tacho_device_fetch(&launch, &report), TACHO_DEVICE_USAGE);
        assert_true(report.message[0]);
    }
}

static void test_what_cannot_be_read_or_written(void **state)
{
    static const struct tacho_device_core far = { 7, 8, 0 };
    struct tacho_device_launch launch = launch_of(TACHO_DEVICE_NUMBERED);
    struct tacho_device_report report;

    (void)state;
    remove_folder("logs");
    run_kernels(0);
    launch.cores = &far;
    launch.core_count = 1;
    assert_int_equal(tacho_device_fetch(&launch, &report), TACHO_DEVICE_INPUT);
    assert_string_equal(report.message, "the markers of NCRISC of core 7, 8, 204 bytes at 0x2000, could not be read");
    assert_int_equal(access(file_at("logs"), F_OK), -1);
    launch = launch_of(TACHO_DEVICE_NUMBERED);
    write_file("logs", "a file");
    assert_int_equal(tacho_device_fetch(&launch, &report), TACHO_DEVICE_OUTPUT);
    assert_non_null(strstr(report.message, "profile_log_device.csv: Not a directory"));
    assert_int_equal(report.written, 0);
    remove_folder("logs");
}

/* A log on a full disk is as it was. */
static void test_a_full_disk(void **state)
{
    struct tacho_device_launch launch = launch_of(TACHO_DEVICE_NUMBERED);
    struct tacho_device_report report;
    char before[16384];

    (void)state;
    remove_folder("logs");
    run_kernels(0);
    assert_int_equal(tacho_device_fetch(&launch, &report), TACHO_DEVICE_OK);
    strcpy(before, log_text());
    writes_left = 5;
    assert_int_equal(tacho_device_fetch(&launch, &report), TACHO_DEVICE_OUTPUT);
    assert_int_equal(writes_left, 0);
    assert_non_null(strstr(report.message, "No space left on device"));
    assert_string_equal(log_text(), before);
}

static void test_out_of_memory(void **state)
{
    enum tacho_device_status answer = TACHO_DEVICE_MEMORY;
    unsigned nth = 0;

    (void)state;
    run_kernels(0);
    while (answer == TACHO_DEVICE_MEMORY) {
        struct tacho_device_launch launch = launch_of(TACHO_DEVICE_ZONED);
        struct tacho_device_names *names = NULL;
        struct tacho_device_report report = { .message = "" };

        remove_folder("logs");
        allocations_left = ++nth;
        answer = tacho_device_names_read(&names, "/proc/self/exe", report.message);
        launch.names = names;
        if (answer == TACHO_DEVICE_OK)
            answer = tacho_device_fetch(&launch, &report);
        if (allocations_left == 0) {
            assert_int_equal(answer, TACHO_DEVICE_MEMORY);
            assert_non_null(strstr(report.message, "out of memory"));
        }
        allocations_left = 0;
        tacho_device_names_free(names);
    }
    assert_int_equal(answer, TACHO_DEVICE_OK);
    assert_true(nth > 5);
}

/* ---- Who listens ---- */

static char heard[2048];

static void hear_tie(void *context, uint32_t chip, uint64_t before_ns, uint64_t cycles, uint64_t after_ns)
{
    size_t length = strlen(heard);

    snprintf(heard + length, sizeof heard - length, "%s: tie %u %llu %llu %llu\n", (const char *)context, chip,
             (unsigned long long)before_ns, (unsigned long long)cycles, (unsigned long long)after_ns);
}

static void hear_zone(void *context, const struct tacho_device_event *event)
{
    size_t length = strlen(heard);

    snprintf(heard + length, sizeof heard - length, "%s: zone %u %u,%u %s %s %llu..%llu\n", (const char *)context,
             event->run_host_id, event->x, event->y, tacho_device_risc_name(event->risc), event->name,
             (unsigned long long)event->start % 1000, (unsigned long long)event->end % 1000);
}

static void hear_mark(void *context, const struct tacho_device_event *event)
{
    size_t length = strlen(heard);

    snprintf(heard + length, sizeof heard - length, "%s: mark %u %s %llu %llu\n", (const char *)context, event->id,
             event->name ? event->name : "-", (unsigned long long)event->start % 1000, (unsigned long long)event->sum);
}

static void test_a_listener(void **state)
{
    struct tacho_device_listener listener = { "ear", hear_tie, hear_zone, hear_mark }, deaf = { .context = NULL };
    struct tacho_device_launch launch = launch_of(TACHO_DEVICE_ZONED);
    struct tacho_device_report report;

    (void)state;
    run_kernels(0);
    launch.listener = &listener;
    launch.core_count = 1;
    launch.tied = true;
    launch.before_ns = 1;
    launch.cycles = 2;
    launch.after_ns = 3;
    heard[0] = 0;
    assert_int_equal(tacho_device_fetch(&launch, &report), TACHO_DEVICE_OK);
    assert_string_equal(heard,
                        "ear: tie 0 1 2 3\n"
                        "ear: zone 1024 1,2 BRISC BRISC-KERNEL 20..40\near: zone 1024 1,2 BRISC BRISC-FW 10..50\n"
                        "ear: zone 1024 1,2 TRISC_0 TRISC-KERNEL 70..90\near: zone 1024 1,2 TRISC_0 TRISC-FW 60..100\n"
                        "ear: mark 5 - 30 0\near: mark 3000 CB-COMPUTE-WAIT-FRONT 50 100\n"
                        "ear: mark 5 - 80 0\near: mark 3001 CB-COMPUTE-RESERVE-BACK 100 101\n");
    launch.listener = &deaf;
    assert_int_equal(tacho_device_fetch(&launch, &report), TACHO_DEVICE_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_buffer),
        cmocka_unit_test(test_room_for_the_closing_markers),
        cmocka_unit_test(test_any_size),
        cmocka_unit_test(test_ids_that_are_no_markers),
        cmocka_unit_test(test_once),
        cmocka_unit_test(test_sums),
        cmocka_unit_test(test_zones),
        cmocka_unit_test(test_names_of_a_program),
        cmocka_unit_test(test_names_alone_in_a_file),
        cmocka_unit_test(test_files_without_names),
        cmocka_unit_test(test_damaged_object_files),
        cmocka_unit_test(test_off),
        cmocka_unit_test(test_six_columns),
        cmocka_unit_test(test_order_of_processors),
        cmocka_unit_test(test_both_generations_are_read_back),
        cmocka_unit_test(test_named_zones_in_the_log),
        cmocka_unit_test(test_appending),
        cmocka_unit_test(test_impossible_end_indexes),
        cmocka_unit_test(test_bad_markers),
        cmocka_unit_test(test_any_words),
        cmocka_unit_test(test_the_report_tells),
        cmocka_unit_test(test_wrong_usage),
        cmocka_unit_test(test_what_cannot_be_read_or_written),
        cmocka_unit_test(test_a_full_disk),
        cmocka_unit_test(test_out_of_memory),
        cmocka_unit_test(test_a_listener),
    };

    return cmocka_run_group_tests(tests, make_place, remove_place);
}
