/* mlir_value.h: what attribute values and types of the Torq dialects say.
 *
 * Each function looks at one text that the scanner kept and has no state. Texts are borrowed for the call.
 */
#ifndef TORQ_MLIR_VALUE_H
#define TORQ_MLIR_VALUE_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/strings.h"
#include "torq/program.h"

enum executor { EXECUTION_NONE, EXECUTION_NSS, EXECUTION_SLICE, EXECUTION_CSS, EXECUTION_HOST };

enum memory_space { SPACE_XRAM, SPACE_LRAM, SPACE_DTCM, SPACE_ITCM, SPACE_HOST, SPACE_OTHER };

struct memory_type {
    int64_t bytes;           /* -1: not known (a dynamic shape, an unknown element) */
    enum memory_space space; /* XRAM unless printed */
};

/* 257 : i64 */
bool value_integer(struct text value, int64_t *integer);
/* "name", @name or @"name": the part between. */
bool value_name(struct text value, struct text *name);
/* array<i32: 1, 1, 3> or dense<[1, 1, 3]>: up to `most` numbers; returns how many there are, 0 when it is no such
 * list. */
unsigned value_array(struct text value, int64_t *numbers, unsigned most);
/* #torq_hw<dma_ndl{dims = [[64, 4], [4, 1]]}>: the product of the counts (the first of each pair). */
bool value_ndl_bytes(struct text value, int64_t *bytes);
/* dedr(1152) dewr(72) ..., also dedr = 1152: returns how many of the paths were found. */
unsigned value_bus_cycles(struct text value, int64_t cycles[BUS_COUNT]);
/* The path of this name; BUS_COUNT: none. */
enum bus value_bus(struct text name);

/* The inside of !torq_hl.invocation<nss> and the like. */
enum executor value_execution(struct text inside);
/* The inside of memref<4x16xi8, #torq_hl<enc mem_space = lram>>. */
struct memory_type value_memory(struct text inside);
/* The memory space that a text names; false: it names none. */
bool value_space(struct text value, enum memory_space *space);
const char *value_space_name(enum memory_space space); /* LRAM */

#endif
