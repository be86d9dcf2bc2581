/* test_map.c: tables of entries and of numbers answer like a list that is searched from the start, whatever the hashes are. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdbool.h>
#include <string.h>

#include "base/map.h"
#include "base/memory.h"

static uint64_t random_state = 7;

static uint32_t random_below(uint32_t limit)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(random_state >> 33) % limit;
}

enum { MOST = 5000 };

/* Keys of the entries, as a caller would hold them. */
struct list {
    uint32_t keys[MOST];
    uint32_t count;
};

static uint32_t slow_find(const struct list *list, uint32_t key)
{
    for (uint32_t i = 0; i < list->count; i++)
        if (list->keys[i] == key)
            return i;
    return MAP_NONE;
}

static uint32_t find(const struct map *map, const struct list *list, uint64_t hash, uint32_t key)
{
    size_t cursor;

    for (uint32_t id = map_first(map, hash, &cursor); id != MAP_NONE; id = map_next(map, hash, &cursor)) {
        assert_in_range(id, 0, list->count - 1);
        if (list->keys[id] == key)
            return id;
    }
    return MAP_NONE;
}

/* A hash of few bits makes long chains, one of the upper half only makes all of them equal. */
static uint64_t bad_hash(uint32_t key, unsigned kind)
{
    switch (kind) {
    case 0:
        return map_mix(0, key);
    case 1:
        return key;
    case 2:
        return key & 3;
    case 3:
        return (uint64_t)key << 32;
    case 4:
        return UINT32_MAX - (key & 7); /* probing goes over the end of the slots */
    default:
        return map_hash_bytes(&key, sizeof key);
    }
}

static void is_like_a_list(void **state)
{
    (void)state;
    for (unsigned kind = 0; kind < 6; kind++) {
        static struct list list;
        struct map map = { .slots = NULL };
        uint32_t wanted = kind == 2 || kind == 3 || kind == 4 ? 600 : MOST;

        list.count = 0;
        while (list.count < wanted) {
            uint32_t key = random_below(wanted * 2);
            uint64_t hash = bad_hash(key, kind);
            uint32_t found = find(&map, &list, hash, key);

            assert_int_equal(found, slow_find(&list, key));
            if (found != MAP_NONE)
                continue;
            assert_int_equal(map_add(&map, hash, list.count), STATUS_OK);
            list.keys[list.count++] = key;
            assert_int_equal(map.count, list.count);
            assert_true(map.count * 4 <= (map.mask + 1) * 3);
        }
        for (uint32_t key = 0; key < wanted * 2; key++)
            assert_int_equal(find(&map, &list, bad_hash(key, kind), key), slow_find(&list, key));
        map_free(&map);
    }
}

/* Entries with one key and hash come all, in the order in which they were added. */
static void equal_entries(void **state)
{
    struct map map = { .slots = NULL };
    size_t cursor;

    (void)state;
    for (uint32_t i = 0; i < 100; i++)
        assert_int_equal(map_add(&map, i % 2, i), STATUS_OK);
    for (uint32_t odd = 0; odd < 2; odd++) {
        uint32_t expected = odd;

        for (uint32_t id = map_first(&map, odd, &cursor); id != MAP_NONE; id = map_next(&map, odd, &cursor)) {
            assert_int_equal(id, expected);
            expected += 2;
        }
        assert_int_equal(expected, 100 + odd);
    }
    map_free(&map);
}

static void empty_and_cleared(void **state)
{
    struct map map = { .slots = NULL };
    size_t cursor;

    (void)state;
    assert_int_equal(map_first(&map, 5, &cursor), MAP_NONE);
    map_clear(&map);
    assert_int_equal(map_add(&map, 5, MAP_NONE - 1), STATUS_OK);
    assert_int_equal(map_first(&map, 5, &cursor), MAP_NONE - 1);
    assert_int_equal(map_next(&map, 5, &cursor), MAP_NONE);
    map_clear(&map);
    assert_int_equal(map_first(&map, 5, &cursor), MAP_NONE);
    map_free(&map);
    assert_int_equal(map_first(&map, 5, &cursor), MAP_NONE);
    map_free(&map);
}

/* Small numbers, pairs of them, and numbers that differ in their upper bits only are spread over the lower bits. */
static void mixing_spreads(void **state)
{
    enum { BITS = 12, SIDE = 64 };
    static uint8_t counts[4][1 << BITS];

    (void)state;
    for (uint64_t i = 0; i < SIDE; i++) {
        for (uint64_t j = 0; j < SIDE; j++) {
            const uint64_t hashes[4] = { map_mix(i, j), map_mix(0, i * SIDE + j), map_mix(0, (i * SIDE + j) << 52),
                                         map_mix(map_mix(j, i), i << 32 | j) };

            for (unsigned k = 0; k < 4; k++) {
                uint8_t *count = &counts[k][hashes[k] & ((1 << BITS) - 1)];

                ++*count;
                assert_true(*count < 12); /* one each on average */
            }
        }
    }
    assert_true(map_mix(1, 2) != map_mix(2, 1));
    assert_true(map_mix(0, 3) != map_mix(1, 2));
}

static void numbers(void **state)
{
    enum { KEYS = 300 };
    static uint32_t expected[KEYS][KEYS];
    struct number_map map;
    size_t count = 0;
    uint32_t *first = NULL;

    (void)state;
    number_map_start(&map);
    assert_int_equal(number_map_find(&map, 1, 2), MAP_NONE);
    memset(expected, 0xff, sizeof expected);
    for (unsigned i = 0; i < 20000; i++) {
        uint64_t one = random_below(KEYS), other = random_below(KEYS);
        uint32_t *value = number_map_at(&map, one << 40, UINT64_MAX - other);

        assert_non_null(value);
        assert_int_equal(*value, expected[one][other]);
        first = first ? first : value;
        count += expected[one][other] == MAP_NONE;
        assert_int_equal(number_map_count(&map), count);
        *value = expected[one][other] = i;
    }
    assert_ptr_equal(first, &number_map_entry(&map, 0)->value);
    for (uint64_t one = 0; one < KEYS; one++)
        for (uint64_t other = 0; other < KEYS; other++)
            assert_int_equal(number_map_find(&map, one << 40, UINT64_MAX - other), expected[one][other]);
    for (size_t i = 0; i < count; i++) {
        const struct number_entry *entry = number_map_entry(&map, i);

        assert_int_equal(entry->value, expected[entry->one >> 40][UINT64_MAX - entry->other]);
    }
    number_map_clear(&map);
    assert_int_equal(number_map_count(&map), 0);
    assert_int_equal(number_map_find(&map, 0, 0), MAP_NONE);
    number_map_free(&map);
}

/* What was added before an allocation failed is still there, and nothing else is. */
static void without_memory(void **state)
{
    (void)state;
    for (uint64_t nth = 1;; nth++) {
        struct number_map map;
        uint64_t added = 0;

        number_map_start(&map);
        memory_fail_at(nth);
        while (added < 500 && number_map_at(&map, added, 0))
            *number_map_at(&map, added, 0) = (uint32_t)added, added++;
        memory_fail_at(0);
        assert_int_equal(number_map_count(&map), added);
        for (uint64_t i = 0; i < added; i++)
            assert_int_equal(number_map_find(&map, i, 0), i);
        assert_int_equal(number_map_find(&map, added, 0), MAP_NONE);
        number_map_free(&map);
        if (added == 500)
            break;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_like_a_list), cmocka_unit_test(equal_entries), cmocka_unit_test(empty_and_cleared),
        cmocka_unit_test(mixing_spreads), cmocka_unit_test(numbers),       cmocka_unit_test(without_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
