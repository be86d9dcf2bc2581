/* potential_execution.h: what the operators of a model could save: an execution that was joined to the model's graph. */
#ifndef EXECUTORCH_POTENTIAL_EXECUTION_H
#define EXECUTORCH_POTENTIAL_EXECUTION_H

#include "analyze/architectures.h"
#include "analyze/potential.h"
#include "executorch/operators.h"

struct potential_execution {
    const struct operators *side;            /* operators; borrowed */
    const struct architecture *architecture; /* with the peaks of the machine; NULL: they are not known */
    const char *architecture_file;           /* that says so */
    const char *dump;                        /* for commands; NULL: none */
    const char *etrecord;                    /* the record that was used; NULL: none */
};

/* Settled and ranked; of what it was made from only the name of the file of peaks must live as long. Free it also after a failure. */
NODISCARD status potential_of_execution(struct potential *potential, const struct potential_execution *input);

#endif
