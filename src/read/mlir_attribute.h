/* mlir_attribute.h: which parts of a printed operation matter, by the kind of operation.
 *
 * No state: operations are the parser's, the table is constant.
 */
#ifndef READ_MLIR_ATTRIBUTE_H
#define READ_MLIR_ATTRIBUTE_H

#include "read/mlir_build.h"

struct attribute;

/* The attribute of this name, when this kind of operation has a use for it; NULL: skip it. `operation` may be NULL. */
const struct attribute *attribute_find(const struct operation *operation, struct text key);
/* Take the printed value; one that cannot be read is the operation's loss. */
NODISCARD status attribute_set(const struct attribute *attribute, struct operation *operation, struct strings *texts,
                               struct text value);

bool operation_wants_operands(const struct operation *operation);
bool operation_wants_memory(const struct operation *operation);    /* memref types */
bool operation_wants_execution(const struct operation *operation); /* the <nss> of a type */
bool operation_wants_profile(const struct operation *operation);   /* memory : 2048 bytes and the like */
bool operation_has_title(const struct operation *operation);       /* a string or symbol that names it */

/* The operation cannot be used; the first reason stays. */
void operation_lose(struct operation *operation, enum loss_reason reason);

#endif
