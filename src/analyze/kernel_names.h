/* kernel_names.h: a sink that keeps which kernels work for each operator, and what people call a kernel.
 *
 * Engines with `kernels` name each piece of work after the kernel that ran, and tell by its operator who asked for it; nothing else says which
 * kernel an operator was given. It owns everything in it until `kernel_names_free`; names are of the pool.
 */
#ifndef ANALYZE_KERNEL_NAMES_H
#define ANALYZE_KERNEL_NAMES_H

#include "base/column.h"
#include "base/map.h"
#include "base/text.h"
#include "trace/sink.h"

struct kernel_names {
    struct column tracks;      /* bool, by track id: its slices are named after kernels */
    struct number_map sums_of; /* by operator and name: place in `sums` */
    struct column sums;        /* struct kernel_sum */
    struct number_map longest; /* by operator: place in `sums` of the first; once settled */
    struct kernel_open *opens; /* by open id: what was begun */
    size_t open_capacity;      /* of opens */
};

void kernel_names_start(struct kernel_names *names);
void kernel_names_free(struct kernel_names *names);
struct sink kernel_names_sink(struct kernel_names *names);

/* After reading. */
NODISCARD status kernel_names_settle(struct kernel_names *names);
/* Those that work longest for an operator, of one input, the longest first. Returns how many there are, `most` at most. */
size_t kernel_names_of(const struct kernel_names *names, operator_id op, string_id *to, size_t most);

/* Names of templates have hundreds of letters: "at::native::fill" of "void at::native::fill<4, float>(int)". */
struct text kernel_short_name(struct text name);

enum { KERNEL_LETTERS = 80, KERNEL_ROOM = KERNEL_LETTERS + 8 }; /* that are shown at most; bytes for these */

/* The same in `most` letters (KERNEL_LETTERS or less), with as many of its parameters as fit: "at::native::fill<4, …>". Nothing is cut inside of a parameter or a
 * word where there is another place; what is left out shows as an ellipsis. Returns `to`. */
const char *kernel_shorten(struct text name, size_t most, char to[KERNEL_ROOM]);
/* The parameters that a text begins with, up to the end of their list, in the same way. */
const char *kernel_shorten_parameters(struct text parameters, size_t most, char to[KERNEL_ROOM]);

#endif
