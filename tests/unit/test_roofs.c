/* test_roofs.c: work under roofs: peaks that were given, and peaks that only work of like size proves. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/roofs.h"
#include "base/memory.h"
#include "trace/model.h"

static struct roofs roofs;

static int set_up(void **state)
{
    (void)state;
    roofs_start(&roofs, clock_nanoseconds(0), 1);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    memory_fail_at(0);
    roofs_free(&roofs);
    return 0;
}

static void assert_near(double one, double other)
{
    if (!(fabs(one - other) <= 1e-9 * fmax(1, fabs(other))))
        fail_msg("%.12g is not %.12g", one, other);
}

/* One item; bytes and operations of one time. */
static void add(const char *name, int64_t ns, double bytes, uint32_t memory, double flops, uint32_t arithmetic)
{
    struct roof_item *item = roofs_add_item(&roofs);

    assert_non_null(item);
    item->name = item->kind = name;
    item->ticks = ns;
    item->count = 1;
    item->bytes = bytes;
    item->flops = flops;
    item->memory = memory;
    item->arithmetic = arithmetic;
    item->steady = true;
}

static const struct roof_item *find(const char *name)
{
    for (size_t i = 0; i < roofs.count; i++)
        if (strcmp(roofs.items[i].name, name) == 0)
            return &roofs.items[i];
    fail_msg("%s is not there", name);
    return NULL;
}

static void test_a_given_peak_is_the_roof_of_all(void **state)
{
    uint32_t memory = roofs_peak(&roofs, "memory", true, PROVEN_BY_LARGER, 10, "machine.json");

    (void)state;
    add("half", 200, 1000, memory, NAN, NO_ID);
    add("tiny", 10, 1, memory, NAN, NO_ID);
    assert_int_equal(roofs_settle(&roofs), STATUS_OK);
    assert_near(find("half")->point.memory_percent, 50);
    assert_near(roofs_saves_ns(&roofs, find("half")), 100);
    assert_near(find("tiny")->roof.gigabytes, 10);
    assert_false(roof_is_observed(&roofs, find("half")));
    assert_string_equal(roof_bound(find("half")), "slow");
}

/* 200 GB/s from a tensor in the cache are no roof for one that is a hundred times as large. */
static void test_a_small_tensor_proves_nothing_of_a_large_one(void **state)
{
    uint32_t memory = roofs_peak(&roofs, "memory", true, PROVEN_BY_LARGER, NAN, NULL);

    (void)state;
    add("cached", 5, 1000, memory, NAN, NO_ID);            /* 200 GB/s */
    add("stream", 10000, 100000, memory, NAN, NO_ID);      /* 10 GB/s */
    add("slow", 40000, 120000, memory, NAN, NO_ID);        /* 3 GB/s, of nearly the same size as the stream */
    add("slow and small", 1000, 2000, memory, NAN, NO_ID); /* 2 GB/s */
    assert_int_equal(roofs_settle(&roofs), STATUS_OK);
    assert_near(find("stream")->roof.gigabytes, 10);
    assert_near(roofs_saves_ns(&roofs, find("stream")), 0);
    assert_near(find("slow")->roof.gigabytes, 10);
    assert_near(roofs_saves_ns(&roofs, find("slow")), 40000 - 12000);
    assert_near(find("slow and small")->roof.gigabytes, 200);
    assert_near(roofs.peaks[memory].rate, 200);
    assert_string_equal(roofs.peaks[memory].from, "cached");
}

/* A large product that fills the units proves nothing of a small one, but a small one of a large one. */
static void test_a_large_product_proves_nothing_of_a_small_one(void **state)
{
    uint32_t fp32 = roofs_peak(&roofs, "fp32", false, PROVEN_BY_SMALLER, NAN, NULL);

    (void)state;
    add("large", 1000, NAN, NO_ID, 100000, fp32);   /* 100 a nanosecond */
    add("small", 100, NAN, NO_ID, 2000, fp32);      /* 20 */
    add("larger", 10000, NAN, NO_ID, 200000, fp32); /* 20, and twice as large */
    assert_int_equal(roofs_settle(&roofs), STATUS_OK);
    assert_near(roofs_saves_ns(&roofs, find("small")), 0);
    assert_near(roofs_saves_ns(&roofs, find("larger")), 8000);
    assert_string_equal(roof_bound(find("small")), "FLOPs");
}

/* Work of one kind compares further: what an eighth of the bytes reached. Of others only half. */
static void test_kin_compares_further(void **state)
{
    uint32_t memory = roofs_peak(&roofs, "memory", true, PROVEN_BY_LARGER, NAN, NULL);

    (void)state;
    add("small", 100, 1000, memory, NAN, NO_ID);  /* 10 GB/s */
    add("large", 5000, 5000, memory, NAN, NO_ID); /* 1 GB/s */
    add("other", 5000, 5000, memory, NAN, NO_ID);
    roofs.items[0].kind = roofs.items[1].kind = "convolution";
    roofs.items[2].kind = "softmax";
    assert_int_equal(roofs_settle(&roofs), STATUS_OK);
    assert_near(find("large")->roof.gigabytes, 10);
    assert_near(find("other")->roof.gigabytes, 1);
}

/* What is often slow is not excused by its like, but by sound work of its size. */
static void test_what_is_often_slow_is_excused_by_others_only(void **state)
{
    uint32_t memory = roofs_peak(&roofs, "memory", true, PROVEN_BY_LARGER, NAN, NULL);
    uint32_t fp32 = roofs_peak(&roofs, "fp32", false, PROVEN_BY_SMALLER, NAN, NULL);

    (void)state;
    add("product", 1000, 100, memory, 100000, fp32); /* 100 a nanosecond */
    add("slow", 10000, 10000, memory, 50000, fp32);  /* 1 GB/s, 5 a nanosecond */
    add("slow too", 10000, 10000, memory, 50000, fp32);
    for (unsigned i = 1; i < 3; i++) {
        roofs.items[i].often_slow = roofs.items[i].any_size[0] = true;
        roofs.items[i].reach = 0.5;
    }
    assert_int_equal(roofs_settle(&roofs), STATUS_OK);
    assert_true(isnan(find("slow")->roof.gigabytes));
    assert_near(find("slow")->roof.flops, 50e9);
    assert_near(roofs_saves_ns(&roofs, find("slow")), 9000);
    roofs_free(&roofs);
    roofs_start(&roofs, clock_nanoseconds(0), 1);
    memory = roofs_peak(&roofs, "memory", true, PROVEN_BY_LARGER, NAN, NULL);
    add("add", 10000, 11000, memory, NAN, NO_ID);
    add("slow", 10000, 10000, memory, NAN, NO_ID);
    roofs.items[1].often_slow = true;
    assert_int_equal(roofs_settle(&roofs), STATUS_OK);
    assert_near(find("slow")->roof.gigabytes, 1.1);
}

/* The slow, obvious version: all are of one kind. */
static double roof_of(const struct roof_item *own, enum roof_proof proof)
{
    double best = NAN;

    for (size_t i = 0; i < roofs.count; i++) {
        const struct roof_item *other = &roofs.items[i];
        bool like = proof == PROVEN_BY_SMALLER ? !(other->bytes > 8 * own->bytes) : !(other->bytes < own->bytes / 8);

        if (like && other->steady)
            best = fmax(best, other->bytes / (double)other->ticks);
    }
    return best;
}

static void test_roofs_as_the_obvious_version(void **state)
{
    (void)state;
    srand(5);
    for (int round = 0; round < 200; round++) {
        enum roof_proof proof = round % 2 ? PROVEN_BY_LARGER : PROVEN_BY_SMALLER;
        uint32_t memory;

        roofs_free(&roofs);
        roofs_start(&roofs, clock_nanoseconds(0), 1);
        memory = roofs_peak(&roofs, "memory", true, proof, NAN, NULL);
        for (int i = rand() % 30; i >= 0; i--) {
            add("x", 1 + rand() % 1000, 1 + rand() % 5000, memory, NAN, NO_ID);
            roofs.items[roofs.count - 1].steady = rand() % 8 != 0;
            roofs.items[roofs.count - 1].kind = "x";
        }
        assert_int_equal(roofs_settle(&roofs), STATUS_OK);
        for (size_t i = 0; i < roofs.count; i++) {
            const struct roof_item *item = &roofs.items[i];

            assert_true(!i || item->ticks <= item[-1].ticks);
            if (item->steady)
                assert_near(item->roof.gigabytes, roof_of(item, proof));
            else
                assert_true(isnan(item->saves));
        }
    }
}

static void test_out_of_memory(void **state)
{
    (void)state;
    for (uint64_t nth = 1; nth < 60; nth++) {
        struct table *table;
        status code;

        roofs_free(&roofs);
        roofs_start(&roofs, clock_nanoseconds(0), 1);
        memory_fail_at(nth);
        roofs_peak(&roofs, "memory", true, PROVEN_BY_LARGER, NAN, NULL);
        for (int i = 0; i < 20; i++) {
            struct roof_item *item = roofs_add_item(&roofs);

            if (item)
                *item = (struct roof_item){ .name = "x",
                                            .kind = "",
                                            .engine = "",
                                            .ticks = 10,
                                            .count = 1,
                                            .bytes = 10,
                                            .flops = NAN,
                                            .memory = 0,
                                            .steady = true,
                                            .arithmetic = NO_ID };
        }
        code = roofs_settle(&roofs);
        table = code == STATUS_OK ? roofs_item_table(&roofs, "Operations", 10, true) : NULL;
        table_free(table);
        table = code == STATUS_OK ? roofs_peak_table(&roofs, "Roofs") : NULL;
        table_free(table);
        memory_fail_at(0);
        assert_true(code == STATUS_OK || code == STATUS_MEMORY);
        status_clear();
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
        TEST(test_a_given_peak_is_the_roof_of_all),
        TEST(test_a_small_tensor_proves_nothing_of_a_large_one),
        TEST(test_a_large_product_proves_nothing_of_a_small_one),
        TEST(test_kin_compares_further),
        TEST(test_what_is_often_slow_is_excused_by_others_only),
        TEST(test_roofs_as_the_obvious_version),
        TEST(test_out_of_memory),
#undef TEST
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
