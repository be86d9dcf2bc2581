/* test_recording_tail.c: recordings that are followed while they are made give in the end what the reader of finished ones gives. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/file.h>
#include <unistd.h>

#include <cmocka.h>

#include "place.h"
#include "read/recording.h"
#include "read/recording_tail.h"
#include "recorder.h"
#include "recording_writer.h"

static unsigned chance; /* of the tests that try many */

static unsigned random_below(unsigned limit)
{
    chance = chance * 1103515245 + 12345;
    return (chance >> 8) % limit;
}

/* A recording that is being made: what was written so far, and its file, which is locked as the recorder locks it. */
struct growing {
    struct recording_writer writer; /* what there will be */
    int file;                       /* -1: ended */
    struct recorder *heard;         /* what the tail told */
    struct feed feed;               /* of that */
    struct recording_tail *tail;    /* of the file */
};

static void start(struct growing *growing, uint32_t ring)
{
    *growing = (struct growing){ .heard = recorder_new() };
    recording_begin_process(&growing->writer, 4711, ring);
    unlink(file_at("run.tacho"));
    growing->file = open(file_at("run.tacho"), O_RDWR | O_CREAT, 0600);
    assert_true(growing->file >= 0);
    assert_int_equal(flock(growing->file, LOCK_EX | LOCK_NB), 0);
    feed_start(&growing->feed, (struct sink){ &recorder_calls, growing->heard }, growing->heard->strings);
    assert_int_equal(recording_tail_open(file_at("run.tacho"), NULL, &growing->feed, &growing->tail), STATUS_OK);
}

/* A process with two sites and a thread. */
static void start_simple(struct growing *growing, uint32_t ring)
{
    start(growing, ring);
    recording_add_site(&growing->writer, "outer", "f", "f.c", 1, 0);
    recording_add_site(&growing->writer, "inner", "f", "f.c", 2, 0);
    recording_add_thread(&growing->writer, 0, 4711, "main");
}

static void write_at(const struct growing *growing, size_t from, size_t to)
{
    const unsigned char *bytes = growing->writer.memory;

    assert_false(growing->writer.failed);
    while (from < to) {
        ssize_t went = pwrite(growing->file, bytes + from, to - from, (off_t)from);

        assert_true(went > 0);
        from += (size_t)went;
    }
}

static void look(struct growing *growing)
{
    assert_int_equal(recording_tail_look(growing->tail, 0), STATUS_OK);
}

/* The file is as far as the recording, and is looked at. */
static void show(struct growing *growing)
{
    write_at(growing, 0, growing->writer.size);
    look(growing);
}

static struct tail_facts facts_of(const struct growing *growing)
{
    struct tail_facts facts;

    recording_tail_facts(growing->tail, &facts);
    return facts;
}

/* The program ends: well, or killed. */
static void finish(struct growing *growing, bool well)
{
    if (well)
        recording_finish(&growing->writer);
    write_at(growing, 0, growing->writer.size);
    close(growing->file);
    growing->file = -1;
    look(growing);
    look(growing);
    assert_int_equal(facts_of(growing).state, well ? IMAGE_COMPLETE : IMAGE_BROKEN);
    assert_int_equal(recording_tail_end(growing->tail), STATUS_OK);
    recorder_check(growing->heard);
}

static void stop(struct growing *growing)
{
    if (growing->file >= 0)
        close(growing->file);
    recording_tail_free(growing->tail);
    feed_free(&growing->feed);
    recorder_free(growing->heard);
    recording_free(&growing->writer);
}

static void zone(struct growing *growing, uint32_t thread, uint64_t begin, uint64_t end, uint32_t site)
{
    recording_zone(&growing->writer, thread, RECORD_BEGIN, begin, site);
    recording_zone(&growing->writer, thread, RECORD_END, end, site);
}

/* ---- The same as the reader ------------------------------------------------------------------------------------------ */

static int compare_lines(const void *one, const void *other)
{
    return strcmp(*(char *const *)one, *(char *const *)other);
}

/* "thread | name | start..end | operator", a line each, in order. */
static char **lines_of(const struct recorder *recorder)
{
    char **lines = calloc(recorder->count + 1, sizeof *lines);

    assert_non_null(lines);
    for (unsigned i = 0; i < recorder->count; i++) {
        const struct slice *slice = &recorder->slices[i].slice;

        assert_true(asprintf(&lines[i], "%s | %s | %020" PRId64 "..%" PRId64 " | %s",
                             strings_text(recorder->strings, recorder->tracks[slice->track].name),
                             strings_text(recorder->strings, slice->name), slice->start, slice->end,
                             strings_text(recorder->strings, recorder->operators[slice->op].name)) > 0);
    }
    qsort(lines, recorder->count, sizeof *lines, compare_lines);
    return lines;
}

static struct recorder *read_finished(const struct recording_writer *writer)
{
    struct recorder *recorder = recorder_new();
    struct input *input;
    struct source source;
    const struct reading_case how = { .reader = &tacho_recording_reader };

    assert_int_equal(input_open_memory("run.tacho", (const char *)writer->memory, writer->size, &input), STATUS_OK);
    assert_int_equal(recorder_read_input(recorder, &how, input, &source), STATUS_OK);
    input_close(input);
    return recorder;
}

static void check_same_zones(struct growing *growing)
{
    struct recorder *read = read_finished(&growing->writer);
    char **ours = lines_of(growing->heard), **theirs = lines_of(read);

    assert_int_equal(growing->heard->count, read->count);
    for (unsigned i = 0; i < read->count; i++) {
        assert_string_equal(ours[i], theirs[i]);
        free(ours[i]);
        free(theirs[i]);
    }
    free(ours);
    free(theirs);
    recorder_free(read);
}

static void test_a_recording_is_told_as_it_comes(void **state)
{
    struct growing growing;
    char text[64];

    (void)state;
    start_simple(&growing, 0);
    show(&growing);
    assert_int_equal(facts_of(&growing).state, IMAGE_GROWING);
    assert_int_equal(facts_of(&growing).pid, 4711);
    assert_string_equal(facts_of(&growing).program, "program");
    recording_zone(&growing.writer, 0, RECORD_BEGIN, 1100, 1);
    recording_zone(&growing.writer, 0, RECORD_BEGIN, 1200, 2);
    show(&growing);
    recording_tail_open_zones(growing.tail, text, sizeof text);
    assert_string_equal(text, "outer > inner");
    assert_int_equal(facts_of(&growing).open, 2);
    assert_int_equal(facts_of(&growing).now, 200);
    recording_zone(&growing.writer, 0, RECORD_END, 1300, 2);
    show(&growing);
    show(&growing);
    assert_int_equal(facts_of(&growing).zones, 2);
    recording_zone(&growing.writer, 0, RECORD_END, 1500, 1);
    finish(&growing, true);
    assert_string_equal(recorder_text(growing.heard), "thread 0 | outer | 100..500 | outer | \n"
                                                      "thread 0 | inner | 200..300 | inner |  | in outer\n");
    check_same_zones(&growing);
    stop(&growing);
}

/* A record of any kind, on a thread that has so many open zones; gives how many it has after that. */
static unsigned put_random(struct recording_writer *writer, uint32_t thread, unsigned depth, uint32_t *stack,
                           uint64_t time)
{
    uint32_t site = 1 + random_below(5);

    switch (random_below(12)) {
    case 0:
        recording_put(writer, thread, &(struct written_record){ .kind = RECORD_INSTANT, .word = time, .text = "said" });
        return depth;
    case 1:
        recording_put(writer, thread,
                      &(struct written_record){
                          .kind = RECORD_COUNTER, .word = time, .id = site, .value_count = 1, .values = { 7 } });
        return depth;
    case 2:
        if (depth)
            recording_put(
                writer, thread,
                &(struct written_record){ .kind = RECORD_ARGUMENT_INTEGER, .word = 5, .text = "a key that is made" });
        return depth;
    case 3:
        if (random_below(30) == 0)
            recording_next_chunk(writer, thread);
        return depth;
    case 4:
    case 5:
    case 6:
    case 7:
        if (depth < 8) {
            struct written_record record = { .kind = RECORD_BEGIN, .word = time, .id = site };

            if (random_below(4) == 0)
                record.text = "a name of its own, in pieces";
            recording_put(writer, thread, &record);
            stack[depth++] = site;
        }
        return depth;
    default:
        if (depth)
            recording_zone(writer, thread, RECORD_END, time, stack[--depth]);
        return depth;
    }
}

static void grow_randomly(unsigned seed, bool well)
{
    enum { THREADS = 6, STEPS = 9000 };
    struct growing growing;
    uint32_t stacks[THREADS][8];
    unsigned depth[THREADS] = { 0 };
    uint64_t time = 1000;

    chance = seed;
    start(&growing, 0);
    for (int i = 0; i < 5; i++) {
        const char name[] = { (char)('a' + i), 0 };

        recording_add_site(&growing.writer, name, "f", "f.c", (uint32_t)i, 0);
    }
    for (uint32_t i = 0; i < THREADS; i++)
        recording_add_thread(&growing.writer, i, 100 + i, i % 2 ? "odd" : "even");
    for (int step = 0; step < STEPS; step++) {
        uint32_t thread = random_below(THREADS);

        time += 1 + random_below(50);
        depth[thread] = put_random(&growing.writer, thread, depth[thread], stacks[thread], time);
        if (random_below(200) == 0)
            show(&growing);
    }
    for (uint32_t i = 0; i < THREADS; i++)
        while (well && depth[i])
            recording_zone(&growing.writer, i, RECORD_END, ++time, stacks[i][--depth[i]]);
    finish(&growing, well);
    assert_true(growing.heard->count > 1000);
    assert_int_equal(facts_of(&growing).lost, 0);
    if (well)
        check_same_zones(&growing);
    else
        assert_int_equal(growing.heard->count, facts_of(&growing).zones);
    stop(&growing);
}

static void test_random_steps(void **state)
{
    (void)state;
    for (unsigned seed = 1; seed <= 6; seed++)
        grow_randomly(seed, seed % 3 != 0);
}

/* A thread ends, and another goes on in its chunk. */
static void test_a_chunk_of_several_threads(void **state)
{
    struct growing growing;

    (void)state;
    start_simple(&growing, 0);
    recording_add_thread(&growing.writer, 1, 4712, "second");
    zone(&growing, 0, 1100, 1200, 1);
    show(&growing);
    recording_hand_over(&growing.writer, 0, 1, 1300);
    show(&growing);
    zone(&growing, 1, 1400, 1500, 2);
    show(&growing);
    assert_int_equal(facts_of(&growing).threads, 2);
    finish(&growing, true);
    check_same_zones(&growing);
    stop(&growing);
}

/* ---- What comes late ------------------------------------------------------------------------------------------------- */

/* A writer that was interrupted: what lies behind its slot waits until it comes back. */
static void test_a_hole_that_is_filled(void **state)
{
    struct growing growing;
    uint64_t *slot, tag;

    (void)state;
    start_simple(&growing, 0);
    slot = recording_put(&growing.writer, 0, &(struct written_record){ .kind = RECORD_BEGIN, .word = 1100, .id = 1 });
    tag = slot[1];
    slot[1] = 0;
    zone(&growing, 0, 1200, 1300, 2);
    show(&growing);
    assert_int_equal(facts_of(&growing).zones, 0);
    slot[1] = tag;
    recording_zone(&growing.writer, 0, RECORD_END, 1400, 1);
    show(&growing);
    assert_int_equal(facts_of(&growing).zones, 2);
    finish(&growing, true);
    assert_int_equal(facts_of(&growing).lost, 0);
    check_same_zones(&growing);
    stop(&growing);
}

/* One that never came back: a signal handler that left by a jump. */
static void test_a_hole_that_stays(void **state)
{
    struct growing growing;

    (void)state;
    start_simple(&growing, 0);
    recording_put(&growing.writer, 0, &(struct written_record){ .kind = RECORD_BEGIN, .word = 1100, .id = 1 })[1] = 0;
    zone(&growing, 0, 1200, 1300, 2);
    show(&growing);
    assert_int_equal(facts_of(&growing).zones, 0);
    usleep(1050000);
    show(&growing);
    assert_int_equal(facts_of(&growing).zones, 1);
    recording_put(&growing.writer, 0, &(struct written_record){ .kind = RECORD_BEGIN, .word = 1400, .id = 1 })[1] = 0;
    zone(&growing, 0, 1500, 1600, 2);
    finish(&growing, true);
    assert_int_equal(facts_of(&growing).zones, 2);
    check_same_zones(&growing);
    stop(&growing);
}

/* The chunk of names is seen after that of the events. */
static void test_names_that_come_late(void **state)
{
    struct growing growing;
    size_t names;

    (void)state;
    start(&growing, 0);
    zone(&growing, 0, 1100, 1200, 1); /* chunk 1; names are chunk 2 */
    names = growing.writer.size;
    recording_add_thread(&growing.writer, 0, 4711, "main");
    recording_add_site(&growing.writer, "outer", "f", "f.c", 1, 0);
    write_at(&growing, 0, names);
    look(&growing);
    assert_int_equal(facts_of(&growing).zones, 0);
    write_at(&growing, names, names + RECORDING_CHUNK_HEAD);
    look(&growing);
    assert_int_equal(facts_of(&growing).zones, 0);
    show(&growing);
    assert_int_equal(facts_of(&growing).zones, 1);
    finish(&growing, true);
    check_same_zones(&growing);
    stop(&growing);
}

/* A site whose name never comes has its number for a name once nothing can come any more. */
static void test_names_that_never_come(void **state)
{
    struct growing growing;

    (void)state;
    start(&growing, 0);
    zone(&growing, 0, 1100, 1200, 3);
    show(&growing);
    assert_int_equal(facts_of(&growing).zones, 0);
    finish(&growing, false);
    assert_string_equal(recorder_text(growing.heard), "thread 0 | site 3 | 100..200 | site 3 | \n");
    stop(&growing);
}

/* The next chunk of a thread is there, and the one before does not say yet that it is full. */
static void test_chunks_that_are_not_full_yet(void **state)
{
    struct growing growing;
    struct recording_chunk *first;
    struct recording_chunk kept;

    (void)state;
    start_simple(&growing, 0);
    recording_zone(&growing.writer, 0, RECORD_BEGIN, 1100, 1);
    first = recording_chunk(&growing.writer, growing.writer.chunk[0]);
    assert_int_equal(first->kind, CHUNK_EVENTS);
    recording_next_chunk(&growing.writer, 0);
    zone(&growing, 0, 1200, 1300, 2);
    first = recording_chunk(&growing.writer, 2);
    kept = *first;
    assert_int_equal(first->state, CHUNK_SEALED);
    first->state = CHUNK_IN_USE;
    first->used = 0;
    show(&growing);
    assert_int_equal(facts_of(&growing).zones, 1);
    *recording_chunk(&growing.writer, 2) = kept;
    show(&growing);
    assert_int_equal(facts_of(&growing).zones, 2);
    recording_zone(&growing.writer, 0, RECORD_END, 1400, 1);
    finish(&growing, true);
    check_same_zones(&growing);
    stop(&growing);
}

/* The file is there before its head, and the head before its chunks. */
static void test_a_file_that_is_not_there_yet(void **state)
{
    struct growing growing;

    (void)state;
    start_simple(&growing, 0);
    zone(&growing, 0, 1100, 1200, 1);
    look(&growing);
    assert_int_equal(facts_of(&growing).state, IMAGE_WAITING);
    assert_int_equal(ftruncate(growing.file, 2 * RECORDING_CHUNK), 0);
    look(&growing);
    assert_int_equal(facts_of(&growing).state, IMAGE_WAITING);
    write_at(&growing, 0, RECORDING_CHUNK);
    look(&growing);
    assert_int_equal(facts_of(&growing).state, IMAGE_GROWING);
    assert_int_equal(facts_of(&growing).zones, 0);
    show(&growing);
    assert_int_equal(facts_of(&growing).zones, 1);
    finish(&growing, true);
    stop(&growing);
}

/* ---- Rings ----------------------------------------------------------------------------------------------------------- */

/* Whoever looks often enough misses nothing of what a ring writes over. */
static void test_a_ring_that_is_looked_at_often(void **state)
{
    struct growing growing;
    const unsigned count = 7500;

    (void)state;
    start_simple(&growing, 3);
    for (unsigned i = 0; i < count; i++) {
        zone(&growing, 0, 1100 + 10 * i, 1105 + 10 * i, 1 + i % 2);
        if (i % 700 == 0)
            show(&growing);
    }
    finish(&growing, true);
    assert_int_equal(facts_of(&growing).zones, count);
    assert_int_equal(facts_of(&growing).lost, 0);
    assert_int_equal(growing.heard->count, count);
    stop(&growing);
}

/* And who does not gets the last of it. */
static void test_a_ring_that_is_looked_at_now_and_then(void **state)
{
    struct growing growing;

    (void)state;
    start_simple(&growing, 2);
    recording_zone(&growing.writer, 0, RECORD_BEGIN, 1010, 1);
    for (unsigned i = 0; i < 30000; i++) {
        zone(&growing, 0, 1100 + 10 * i, 1105 + 10 * i, 2);
        if (i % 15000 == 0)
            show(&growing);
    }
    recording_zone(&growing.writer, 0, RECORD_END, 1000000, 1);
    finish(&growing, true);
    assert_in_range(growing.heard->count, 4000, 8100);
    stop(&growing);
}

/* ---- Hostile files --------------------------------------------------------------------------------------------------- */

/* The tail of a file of these bytes, whose program is gone. */
static status follow_bytes(const unsigned char *bytes, size_t size, struct tail_facts *facts)
{
    struct recorder *heard = recorder_new();
    struct recording_tail *tail;
    struct feed feed;
    char text[40];
    status code;
    int file = open(file_at("hostile.tacho"), O_RDWR | O_CREAT | O_TRUNC, 0600);

    assert_int_equal(write(file, bytes, size), size);
    close(file);
    feed_start(&feed, (struct sink){ &recorder_calls, heard }, heard->strings);
    code = recording_tail_open(file_at("hostile.tacho"), NULL, &feed, &tail);
    for (int i = 0; i < 2 && code == STATUS_OK; i++)
        code = recording_tail_look(tail, 0);
    if (tail) {
        recording_tail_facts(tail, facts);
        recording_tail_open_zones(tail, text, sizeof text);
    }
    if (code == STATUS_OK)
        code = recording_tail_end(tail);
    if (code == STATUS_OK)
        recorder_check(heard);
    recording_tail_free(tail);
    feed_free(&feed);
    recorder_free(heard);
    return code;
}

static void write_hostile(struct recording_writer *writer)
{
    *writer = (struct recording_writer){ 0 };
    recording_begin_process(writer, 4711, 0);
    recording_add_site(writer, "outer", "f", "f.c", 1, 0);
    recording_add_thread(writer, 0, 4711, "main");
    for (unsigned i = 0; i < 20; i++) {
        recording_zone(writer, 0, RECORD_BEGIN, 1100 + 10 * i, 1);
        recording_zone(writer, 0, RECORD_END, 1105 + 10 * i, 1);
    }
    recording_finish(writer);
}

static status follow_with(void (*change)(struct recording_head *), struct tail_facts *facts)
{
    struct recording_writer writer;
    status code;

    write_hostile(&writer);
    change(recording_head(&writer));
    code = follow_bytes(writer.memory, writer.size, facts);
    recording_free(&writer);
    if (code != STATUS_OK)
        status_clear();
    return code;
}

static void many_chunks(struct recording_head *head)
{
    head->chunks = UINT32_MAX;
}

static void some_chunks_too_many(struct recording_head *head)
{
    head->chunks = 1 << 24;
}

static void no_chunks(struct recording_head *head)
{
    head->chunks = 0;
}

static void later_version(struct recording_head *head)
{
    head->version = RECORDING_VERSION + 1;
}

static void other_chunks(struct recording_head *head)
{
    head->chunk_size = 4096;
}

static void no_end_of_texts(struct recording_head *head)
{
    memset(head->program, 'x', sizeof head->program);
}

static void strange_clock(struct recording_head *head)
{
    head->clock = RECORDING_COUNTER;
    head->start_monotonic = UINT64_MAX;
    head->ties = UINT32_MAX;
    head->threads = UINT32_MAX;
    head->zone_cost = UINT64_MAX;
    head->ring_count = head->ring_first = UINT32_MAX;
    for (unsigned i = 0; i < RECORDING_TIES; i++)
        head->tie[i] = (struct recording_tie){ i % 2 ? UINT64_MAX : 0, UINT64_MAX - i, i % 3 ? INT64_MAX : 0 };
}

static void test_hostile_heads(void **state)
{
    struct tail_facts facts;

    (void)state;
    assert_int_equal(follow_with(many_chunks, &facts), STATUS_INPUT);
    assert_int_equal(follow_with(later_version, &facts), STATUS_INPUT);
    assert_int_equal(follow_with(other_chunks, &facts), STATUS_INPUT);
    assert_int_equal(follow_with(some_chunks_too_many, &facts), STATUS_OK);
    assert_int_equal(facts.zones, 20);
    assert_int_equal(follow_with(no_chunks, &facts), STATUS_OK);
    assert_int_equal(facts.zones, 0);
    assert_int_equal(follow_with(no_end_of_texts, &facts), STATUS_OK);
    assert_int_equal(follow_with(strange_clock, &facts), STATUS_OK);
    assert_int_equal(facts.zones, 20);
}

/* Any byte of heads and slots may be any: nothing breaks the rules of the sink, which the recorder checks. */
static void test_damage(void **state)
{
    struct recording_writer writer;

    (void)state;
    chance = 99;
    write_hostile(&writer);
    for (int turn = 0; turn < 300; turn++) {
        struct tail_facts facts;
        unsigned char *bytes = malloc(writer.size);

        assert_non_null(bytes);
        memcpy(bytes, writer.memory, writer.size);
        for (unsigned i = 0; i < 1 + random_below(4); i++) {
            size_t chunk = random_below((unsigned)(writer.size / RECORDING_CHUNK));
            size_t at = chunk ? random_below(800) : 8 + random_below(120);

            bytes[chunk * RECORDING_CHUNK + at] = (unsigned char)random_below(256);
        }
        if (follow_bytes(bytes, writer.size - random_below(2) * random_below(RECORDING_CHUNK), &facts) != STATUS_OK)
            status_clear();
        free(bytes);
    }
    recording_free(&writer);
}

static void test_what_is_no_recording(void **state)
{
    struct tail_facts facts;
    unsigned char bytes[100] = "something else";

    (void)state;
    assert_int_equal(follow_bytes(bytes, sizeof bytes, &facts), STATUS_INPUT);
    status_clear();
    assert_int_equal(follow_bytes(bytes, 0, &facts), STATUS_INPUT);
    status_clear();
}

static void test_no_memory(void **state)
{
    struct recording_writer writer;
    struct tail_facts facts;
    status code = STATUS_MEMORY;

    (void)state;
    write_hostile(&writer);
    for (uint64_t i = 1; code != STATUS_OK; i++) {
        assert_true(i < 1000);
        /* Those of the recorder's own are not ours. */
        struct recorder *heard = recorder_new();
        struct recording_tail *tail;
        struct feed feed;
        int file = open(file_at("memory.tacho"), O_RDWR | O_CREAT | O_TRUNC, 0600);

        assert_int_equal(write(file, writer.memory, writer.size), writer.size);
        close(file);
        feed_start(&feed, (struct sink){ &recorder_calls, heard }, heard->strings);
        memory_fail_at(i);
        code = recording_tail_open(file_at("memory.tacho"), NULL, &feed, &tail);
        if (code == STATUS_OK)
            code = recording_tail_look(tail, 0);
        if (code == STATUS_OK)
            code = recording_tail_look(tail, 0);
        memory_fail_at(0);
        if (tail)
            recording_tail_facts(tail, &facts);
        assert_true(code == STATUS_OK || code == STATUS_MEMORY);
        if (code != STATUS_OK)
            status_clear();
        recording_tail_free(tail);
        feed_free(&feed);
        recorder_free(heard);
    }
    assert_int_equal(facts.zones, 20);
    recording_free(&writer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_recording_is_told_as_it_comes),
        cmocka_unit_test(test_random_steps),
        cmocka_unit_test(test_a_chunk_of_several_threads),
        cmocka_unit_test(test_a_hole_that_is_filled),
        cmocka_unit_test(test_a_hole_that_stays),
        cmocka_unit_test(test_names_that_come_late),
        cmocka_unit_test(test_names_that_never_come),
        cmocka_unit_test(test_chunks_that_are_not_full_yet),
        cmocka_unit_test(test_a_file_that_is_not_there_yet),
        cmocka_unit_test(test_a_ring_that_is_looked_at_often),
        cmocka_unit_test(test_a_ring_that_is_looked_at_now_and_then),
        cmocka_unit_test(test_hostile_heads),
        cmocka_unit_test(test_damage),
        cmocka_unit_test(test_what_is_no_recording),
        cmocka_unit_test(test_no_memory),
    };

    return cmocka_run_group_tests(tests, make_place, remove_place);
}
