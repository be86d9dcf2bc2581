/* test_chrome_order.c: trace events in any order, as trees of begins and ends, and of any length, against what they were made from. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "chrome_reading.h"

/* ---- Any order --------------------------------------------------------------------------------------------------- */

enum { MODEL_THREADS = 3, MODEL_SLICES = 60, MODEL_TIMES = 40 };

struct model_slice {
    int thread;
    int64_t start, end; /* us */
    bool told;          /* its end has an argument */
};

static uint64_t seed;

static uint64_t draw(uint64_t limit)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return seed % limit;
}

/* Random slices, on one thread as pairs, written in any order where that is told by the times alone. */
static size_t make_model(struct model_slice *slices, char *text, size_t size)
{
    const char *events[MODEL_SLICES];
    static char bytes[MODEL_SLICES][160];
    size_t count = 1 + draw(MODEL_SLICES), length = 0;

    for (size_t i = 0; i < count; i++) {
        slices[i].thread = (int)draw(MODEL_THREADS);
        slices[i].start = (int64_t)draw(MODEL_TIMES);
        slices[i].end = slices[i].start + (int64_t)draw(MODEL_TIMES / 2);
        slices[i].told = false;
        snprintf(bytes[i], sizeof bytes[i],
                 "{\"ph\":\"X\",\"name\":\"s%zu\",\"ts\":%d,\"dur\":%d,\"pid\":1,\"tid\":%d,\"args\":{\"n\":%zu}}", i,
                 (int)slices[i].start, (int)(slices[i].end - slices[i].start), slices[i].thread, i);
        events[i] = bytes[i];
    }
    for (size_t i = count; i > 1; i--) {
        size_t other = draw(i);
        const char *moved = events[i - 1];

        events[i - 1] = events[other];
        events[other] = moved;
    }
    length += (size_t)snprintf(text, size, "[");
    for (size_t i = 0; i < count; i++)
        length += (size_t)snprintf(text + length, size - length, "%s%s", i ? ",\n" : "", events[i]);
    snprintf(text + length, size - length, "]");
    return count;
}

static void check_model(const struct recorder *recorder, const struct model_slice *slices, size_t count)
{
    bool seen[MODEL_SLICES] = { false };

    assert_int_equal(recorder->count, count);
    for (unsigned i = 0; i < recorder->count; i++) {
        const struct slice *slice = &recorder->slices[i].slice;
        size_t number = strtoul(strings_text(recorder->strings, slice->name) + 1, NULL, 10);

        assert_true(number < count && !seen[number]);
        seen[number] = true;
        assert_int_equal(slice->start, slices[number].start * 1000);
        assert_int_equal(slice->end, slices[number].end * 1000);
        assert_int_equal(recorder->slices[i].arguments[0].integer, number);
        assert_int_equal(slice->argument_count, 1 + slices[number].told);
        if (slices[number].told)
            assert_int_equal(recorder->slices[i].arguments[1].integer, number);
        for (unsigned j = i; j > 0; j--) {
            const struct slice *before = &recorder->slices[j - 1].slice;

            if (before->track != slice->track)
                continue;
            assert_true(before->start < slice->start || (before->start == slice->start && before->end >= slice->end));
            break;
        }
    }
}

static void test_any_order_gives_the_same_slices(void **state)
{
    static struct model_slice slices[MODEL_SLICES];
    static char text[MODEL_SLICES * 170];

    (void)state;
    for (uint64_t round = 1; round <= 2000; round++) {
        struct source source;
        struct recorder *recorder;
        size_t count;

        seed = round * 0x9E3779B97F4A7C15u;
        count = make_model(slices, text, sizeof text);
        recorder = read_by(text, NULL, &source);
        check_model(recorder, slices, count);
        recorder_free(recorder);
    }
}

/* A random tree of begins and ends, with complete events at its leaves. */
static void add_tree(char **to, int64_t *time, unsigned depth, unsigned *number, struct model_slice *slices)
{
    unsigned own = (*number)++;

    slices[own].start = (*time)++;
    *to += sprintf(*to, ",\n{\"ph\":\"B\",\"name\":\"s%u\",\"ts\":%d,\"args\":{\"n\":%u}" T, own,
                   (int)slices[own].start, own);
    for (unsigned i = 0; i < draw(4) && depth < 5 && *number < MODEL_SLICES - 1; i++) {
        if (draw(2)) {
            add_tree(to, time, depth + 1, number, slices);
            continue;
        }
        slices[*number] = (struct model_slice){ 0, *time, *time + 2, false };
        *to += sprintf(*to, ",\n{\"ph\":\"X\",\"name\":\"s%u\",\"ts\":%d,\"dur\":2,\"args\":{\"n\":%u}" T, *number,
                       (int)*time, *number);
        *time += 2 + (int64_t)draw(2);
        (*number)++;
    }
    slices[own].end = (*time)++;
    slices[own].told = draw(2);
    *to += sprintf(*to, ",\n{\"ph\":\"E\",\"ts\":%d%s", (int)slices[own].end, draw(2) ? "" : ",\"cat\":\"x\"");
    if (slices[own].told)
        *to += sprintf(*to, ",\"args\":{\"end\":%u}", own);
    *to += sprintf(*to, T);
}

static void test_trees_of_begins_and_ends(void **state)
{
    static struct model_slice slices[MODEL_SLICES];
    static char text[MODEL_SLICES * 400];

    (void)state;
    for (uint64_t round = 1; round <= 1000; round++) {
        struct source source;
        struct recorder *recorder;
        unsigned count = 0;
        int64_t time = 0;
        char *to = text;

        seed = round * 0xD6E8FEB86659FD93u;
        to += sprintf(to, "[{}");
        while (count < MODEL_SLICES - 20 && (count == 0 || draw(4)))
            add_tree(&to, &time, 0, &count, slices);
        recorder = read_by(text, NULL, &source);
        check_model(recorder, slices, count);
        assert_int_equal(recorder->losses.lost, 0);
        assert_int_equal(losses_total(&recorder->losses), 0);
        recorder_free(recorder);
    }
}

/* Events that lie on several pages, and one that is larger than all that is read at once. */
static void test_events_of_any_length(void **state)
{
    enum { LONG = 3 << 20 };
    char *text = malloc(LONG + 4096);
    size_t length = (size_t)sprintf(text, "[{\"ph\":\"X\",\"name\":\"a\",\"ts\":1,\"dur\":1,\"args\":{\"s\":\"");
    struct source source;
    struct recorder *recorder;

    (void)state;
    memset(text + length, 'x', LONG);
    length += LONG;
    sprintf(text + length, "\"}" T "," A "]");
    recorder = read_by(text, NULL, &source);
    assert_int_equal(recorder->count, 2);
    assert_int_equal(strings_get(recorder->strings, recorder->slices[0].arguments[0].text).length, LONG);
    recorder_free(recorder);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_any_order_gives_the_same_slices),
        cmocka_unit_test(test_trees_of_begins_and_ends),
        cmocka_unit_test(test_events_of_any_length),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
