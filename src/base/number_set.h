/* number_set.h: a set of numbers, for telling whether one was there before. Owns its memory until `number_set_free`. */
#ifndef BASE_NUMBER_SET_H
#define BASE_NUMBER_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

struct number_set {
    uint64_t *places; /* number + 1; 0: free. Its size is a power of two */
    size_t capacity;  /* of places; 0: none yet */
    size_t count;     /* numbers in it */
};

#define NUMBER_SET_LARGEST (UINT64_MAX - 1)

/* `*added` is false when it was there; numbers are NUMBER_SET_LARGEST at most. */
NODISCARD status number_set_add(struct number_set *set, uint64_t number, bool *added);
bool number_set_has(const struct number_set *set, uint64_t number);
void number_set_clear(struct number_set *set); /* keeps its memory */
void number_set_free(struct number_set *set);

#endif
