/* same_model.h: whether several files are of one model.
 *
 * Times of different models are neither averaged nor compared without being asked for. What counts is what the program says: the operations
 * in the order of their instructions, without what a backend inserts or fuses as it likes, and without the kernels that it chose. Builds that
 * share the work out differently, to delegates and kernels, have the same products in the same order; of builds that share it out alike
 * all operations are the same. Files without operators (a runner's log) are of any model.
 *
 * A struct same_model owns what it keeps of the first file until `same_model_free`; the paths are borrowed.
 */
#ifndef EXECUTORCH_SAME_MODEL_H
#define EXECUTORCH_SAME_MODEL_H

#include "executorch/execution.h"

struct same_model {
    const char *path;        /* of the first file that has operators; NULL: none yet */
    struct strings *strings; /* of the operations; owned */
    struct column steps;     /* struct model_step: of that file */
    uint32_t calls, kernels; /* of delegates, and of the runtime's own kernels */
    bool differs;            /* a file of another model was met */
};

void same_model_start(struct same_model *model);
void same_model_free(struct same_model *model);

/* STATUS_INPUT: the file at `path` is of another model than the first. `execution` is settled. */
NODISCARD status same_model_check(struct same_model *model, const char *path, const struct execution *execution);

#endif
