/* etdump_value.h: what a debug event of an ETDump logged, as text.
 *
 * The bytes of tensors are in no ETDump: what it has is their type, their shape and where they lie in the debug buffer.
 */
#ifndef EXECUTORCH_ETDUMP_VALUE_H
#define EXECUTORCH_ETDUMP_VALUE_H

#include "executorch/flatbuffer.h"

enum { ETDUMP_VALUE_SIZE = 1024 };

struct etdump_value {
    char text
        [ETDUMP_VALUE_SIZE]; /* "FLOAT [1, 3] at 64", "Int 7", "TensorList of 2: ..."; what does not fit ends with "..." */
    size_t length;           /* of the text */
    bool output;             /* of the program */
};

/* The Value table at `at`; 0: the event has none. A damaged one leaves a fault in the buffer. */
void etdump_value_read(struct flatbuffer *buffer, size_t at, struct etdump_value *value);

#endif
