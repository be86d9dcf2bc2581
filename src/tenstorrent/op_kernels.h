/* op_kernels.h: which kernels of operations were met already: those that are new to a process are compiled, and their operations wait.
 *
 * A struct owns its list until `op_kernels_free`; texts are ids in a borrowed pool.
 */
#ifndef TENSTORRENT_OP_KERNELS_H
#define TENSTORRENT_OP_KERNELS_H

#include "base/strings.h"

struct op_kernels {
    struct strings *strings; /* borrowed */
    bool *met;               /* by string id: kernels, alone and in lists; owned */
    size_t capacity;         /* of these */
};

void op_kernels_start(struct op_kernels *kernels, struct strings *strings);
void op_kernels_free(struct op_kernels *kernels);
/* A list of kernels, as in "['reader/12/'; 'writer/7/']"; 0: none. `*fresh` becomes 1 where one of them is new, and 0 where it was -1
 * (not told) and none is. */
NODISCARD status op_kernels_meet(struct op_kernels *kernels, string_id list, int8_t *fresh);

#endif
