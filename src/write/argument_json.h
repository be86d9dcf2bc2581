/* argument_json.h: an argument of a slice as a value in JSON, for every format that has such values. It borrows all it is given. */
#ifndef WRITE_ARGUMENT_JSON_H
#define WRITE_ARGUMENT_JSON_H

#include "base/output.h"
#include "trace/model.h"

/* A pointer is a string ("0x1f"), a number that is not finite is null. */
void argument_write_json(struct output *output, const struct strings *strings, const struct argument *argument);

#endif
