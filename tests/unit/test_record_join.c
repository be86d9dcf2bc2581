/* test_record_join.c: recordings of several processes and launches as one file. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "base/memory.h"
#include "job/record_join.h"
#include "place.h"
#include "recording_writer.h"

/* How two launches went: the processes 100 and 200 began them. */
static const struct foreground_result launches[] = {
    { .pid = 100, .exit_status = 3, .wall_ns = 5000, .user_ns = 4000, .system_ns = 300, .peak = 1 << 20 },
    { .pid = 200, .exit_status = -1, .signal = 9, .wall_ns = 7000 },
};

static int fresh_folder(void **state)
{
    (void)state;
    remove_folder("parts");
    return mkdir(file_at("parts"), 0777);
}

static void write_bytes(const char *name, const void *bytes, size_t size)
{
    char path[64];
    struct output *output;

    snprintf(path, sizeof path, "parts/%s", name);
    assert_int_equal(output_open(file_at(path), &output), STATUS_OK);
    assert_int_equal(output_write_long(output, bytes, size), STATUS_OK);
    assert_int_equal(output_commit(output), STATUS_OK);
}

/* A recording of a process of a launch with `zones` zones. */
static void make_recording(struct recording_writer *writer, uint32_t pid, uint32_t launch, uint64_t start,
                           unsigned zones)
{
    uint32_t site;

    *writer = (struct recording_writer){ 0 };
    recording_begin_process(writer, pid, 0);
    recording_head(writer)->launch = launch;
    recording_head(writer)->start_monotonic = start;
    site = recording_add_site(writer, "zone", "f", "f.c", 1, 0);
    recording_add_thread(writer, 0, pid, "main");
    for (unsigned i = 0; i < zones; i++) {
        recording_zone(writer, 0, RECORD_BEGIN, start + 10 * i, site);
        recording_zone(writer, 0, RECORD_END, start + 10 * i + 5, site);
    }
    recording_finish(writer);
}

static size_t write_recording(const char *name, uint32_t pid, uint32_t launch, uint64_t start, unsigned zones)
{
    struct recording_writer writer;
    const void *data;
    size_t size;

    make_recording(&writer, pid, launch, start, zones);
    assert_true(recording_data(&writer, &data, &size));
    write_bytes(name, data, size);
    recording_free(&writer);
    return size;
}

struct joined {
    struct join_result result; /* as it was told */
    struct output *output;     /* owned */
    const char *bytes;         /* of the output */
    size_t size;               /* of them */
};

static status join(struct joined *joined)
{
    status code;

    assert_int_equal(output_open_memory(&joined->output), STATUS_OK);
    code = record_join(file_at("parts"), launches, 2, joined->output, &joined->result);
    joined->bytes = output_memory(joined->output, &joined->size);
    return code;
}

static struct joined join_well(void)
{
    struct joined joined;

    assert_int_equal(join(&joined), STATUS_OK);
    assert_int_equal(joined.result.bytes, joined.size);
    assert_int_equal(joined.size % RECORDING_CHUNK, 0);
    return joined;
}

/* The head of the n-th recording in a joined file. */
static const struct recording_head *head_at(const struct joined *joined, unsigned number)
{
    for (size_t at = 0; at < joined->size; at += RECORDING_CHUNK)
        if (!memcmp(joined->bytes + at, RECORDING_MAGIC, 8) && !number--)
            return (const struct recording_head *)(const void *)(joined->bytes + at);
    fail_msg("there are not so many recordings");
    return NULL;
}

static void test_launches_and_processes_are_in_order(void **state)
{
    static const uint32_t pids[] = { 100, 102, 101, 200, 201 };
    struct joined joined;

    (void)state;
    write_recording("a", 201, 1, 50, 1);
    write_recording("b", 200, 1, 60, 1); /* the first of its launch, though it started later */
    write_recording("c", 101, 0, 30, 1);
    write_recording("d", 102, 0, 20, 1);
    write_recording("e", 100, 0, 10, 1);
    joined = join_well();
    assert_int_equal(joined.result.processes, 5);
    assert_int_equal(joined.result.events, 5);
    for (unsigned i = 0; i < 5; i++)
        assert_int_equal(head_at(&joined, i)->pid, pids[i]);
    output_abandon(joined.output);
}

static void test_heads_say_how_a_launch_ended(void **state)
{
    struct joined joined;
    const struct recording_head *head;

    (void)state;
    write_recording("a", 100, 0, 10, 1);
    write_recording("b", 101, 0, 20, 1);
    write_recording("c", 200, 1, 30, 1);
    joined = join_well();
    head = head_at(&joined, 0);
    assert_int_equal(head->root, 1);
    assert_int_equal(head->outcome, OUTCOME_EXITED);
    assert_int_equal(head->outcome_code, 3);
    assert_int_equal(head->wall, 5000);
    assert_int_equal(head->cpu_user, 4000);
    assert_int_equal(head->cpu_system, 300);
    assert_int_equal(head->peak_memory, 1 << 20);
    head = head_at(&joined, 1);
    assert_int_equal(head->root, 0);
    assert_int_equal(head->outcome, OUTCOME_UNKNOWN);
    assert_int_equal(head->wall, 0);
    head = head_at(&joined, 2);
    assert_int_equal(head->root, 1);
    assert_int_equal(head->outcome, OUTCOME_KILLED);
    assert_int_equal(head->outcome_code, 9);
    output_abandon(joined.output);
}

/* A process that says it is of a launch that there was not, as when the program itself sets the variable. */
static void test_a_launch_that_nobody_waited_for(void **state)
{
    struct joined joined;

    (void)state;
    write_recording("a", 100, 7, 10, 1);
    joined = join_well();
    assert_int_equal(head_at(&joined, 0)->root, 0);
    assert_int_equal(head_at(&joined, 0)->outcome, OUTCOME_UNKNOWN);
    output_abandon(joined.output);
}

/* All but the fields of the head that are filled here, and without the room that was not used. */
static void test_chunks_are_copied_as_they_are(void **state)
{
    struct recording_writer writer;
    struct recording_head *head;
    struct joined joined;
    const void *data;
    size_t size;
    char *longer;

    (void)state;
    make_recording(&writer, 55, 0, 10, 10000);
    assert_true(recording_data(&writer, &data, &size));
    longer = calloc(1, size + 5 * RECORDING_CHUNK);
    assert_non_null(longer);
    memcpy(longer, data, size);
    write_bytes("a", longer, size + 5 * RECORDING_CHUNK);
    joined = join_well();
    assert_int_equal(joined.size, size);
    assert_true(size > 5 * RECORDING_CHUNK);
    assert_int_equal(joined.result.events, recording_head(&writer)->thread[0].chunks);
    head = recording_head(&writer);
    assert_memory_equal(joined.bytes, head, size);
    output_abandon(joined.output);
    recording_free(&writer);
    free(longer);
}

/* A file that was cut, as by a full disk: what is missing of its last chunk is zeros, so that the next recording begins at a chunk. */
static void test_files_that_are_cut(void **state)
{
    static const size_t kept[] = { RECORDING_CHUNK, RECORDING_CHUNK + 1, 2 * RECORDING_CHUNK + 70,
                                   3 * RECORDING_CHUNK - 1 };

    (void)state;
    for (unsigned i = 0; i < sizeof kept / sizeof *kept; i++) {
        struct recording_writer writer;
        struct joined joined;
        const void *data;
        size_t size;

        assert_int_equal(fresh_folder(NULL), 0);
        make_recording(&writer, 100, 0, 10, 1);
        assert_true(recording_data(&writer, &data, &size));
        assert_true(size >= kept[i]);
        write_bytes("a", data, kept[i]);
        write_recording("b", 101, 0, 20, 1);
        joined = join_well();
        assert_int_equal(joined.result.processes, 2);
        assert_memory_equal(joined.bytes + sizeof(struct recording_head),
                            (const char *)data + sizeof(struct recording_head),
                            kept[i] - sizeof(struct recording_head));
        for (size_t at = kept[i]; at % RECORDING_CHUNK; at++)
            assert_int_equal(joined.bytes[at], 0);
        assert_int_equal(head_at(&joined, 1)->pid, 101);
        output_abandon(joined.output);
        recording_free(&writer);
    }
}

/* A head that says that there is more, or less, than the file has. */
static void test_heads_that_lie(void **state)
{
    static const uint32_t chunks[] = { 0, 1, 1000, UINT32_MAX };

    (void)state;
    for (unsigned i = 0; i < sizeof chunks / sizeof *chunks; i++) {
        struct recording_writer writer;
        struct joined joined;
        const void *data;
        size_t size;

        assert_int_equal(fresh_folder(NULL), 0);
        make_recording(&writer, 100, 0, 10, 1);
        recording_head(&writer)->chunks = chunks[i];
        assert_true(recording_data(&writer, &data, &size));
        write_bytes("a", data, size);
        joined = join_well();
        assert_true(joined.size <= size);
        assert_int_equal(joined.result.processes, joined.size > 0);
        output_abandon(joined.output);
        recording_free(&writer);
    }
}

static void test_files_that_are_no_recordings(void **state)
{
    struct recording_writer writer;
    struct joined joined;
    const void *data;
    size_t size;

    (void)state;
    write_bytes("empty", "", 0);
    write_bytes("text", "something else", 14);
    write_bytes("magic", RECORDING_MAGIC, 8);
    make_recording(&writer, 1, 0, 10, 1);
    recording_head(&writer)->version = RECORDING_VERSION + 1;
    assert_true(recording_data(&writer, &data, &size));
    write_bytes("later", data, size);
    recording_free(&writer);
    assert_int_equal(mkdir(file_at("parts/folder"), 0777), 0);
    joined = join_well();
    assert_int_equal(joined.result.processes, 0);
    assert_int_equal(joined.size, 0);
    output_abandon(joined.output);
    write_recording("one", 100, 0, 10, 1);
    joined = join_well();
    assert_int_equal(joined.result.processes, 1);
    output_abandon(joined.output);
}

/* A process that recorded nothing has a file all the same, which is joined and holds no events. */
static void test_a_recording_without_events(void **state)
{
    struct joined joined;

    (void)state;
    write_recording("a", 100, 0, 10, 0);
    joined = join_well();
    assert_int_equal(joined.result.processes, 1);
    assert_int_equal(joined.result.events, 0);
    output_abandon(joined.output);
}

static void test_a_folder_that_is_not_there(void **state)
{
    struct joined joined;

    (void)state;
    remove_folder("parts");
    assert_int_not_equal(join(&joined), STATUS_OK);
    output_abandon(joined.output);
    status_clear();
}

static void test_no_memory(void **state)
{
    uint64_t count;
    struct joined joined;

    (void)state;
    write_recording("a", 100, 0, 10, 1);
    write_recording("b", 101, 0, 20, 1);
    count = memory_count();
    joined = join_well();
    output_abandon(joined.output);
    count = memory_count() - count;
    for (uint64_t i = 1; i < count; i++) {
        struct output *output;
        struct join_result result;
        status code;

        assert_int_equal(output_open_memory(&output), STATUS_OK);
        memory_fail_at(i);
        code = record_join(file_at("parts"), launches, 2, output, &result);
        memory_fail_at(0);
        output_abandon(output);
        if (code == STATUS_OK)
            break;
        assert_int_equal(code, STATUS_MEMORY);
        status_clear();
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_launches_and_processes_are_in_order, fresh_folder),
        cmocka_unit_test_setup(test_heads_say_how_a_launch_ended, fresh_folder),
        cmocka_unit_test_setup(test_a_launch_that_nobody_waited_for, fresh_folder),
        cmocka_unit_test_setup(test_chunks_are_copied_as_they_are, fresh_folder),
        cmocka_unit_test_setup(test_files_that_are_cut, fresh_folder),
        cmocka_unit_test_setup(test_heads_that_lie, fresh_folder),
        cmocka_unit_test_setup(test_files_that_are_no_recordings, fresh_folder),
        cmocka_unit_test_setup(test_a_recording_without_events, fresh_folder),
        cmocka_unit_test_setup(test_a_folder_that_is_not_there, fresh_folder),
        cmocka_unit_test_setup(test_no_memory, fresh_folder),
    };

    return cmocka_run_group_tests(tests, make_place, remove_place);
}
