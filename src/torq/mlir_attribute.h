/* mlir_attribute.h: the parts of a printed operation that matter, by the kind of operation: attributes, operands,
 * types.
 *
 * All of it works on the operation that the parser is reading, and owns nothing.
 */
#ifndef TORQ_MLIR_ATTRIBUTE_H
#define TORQ_MLIR_ATTRIBUTE_H

#include "torq/mlir_parser.h"

bool operation_wants_operands(const struct operation *operation);
bool operation_wants_memory(const struct operation *operation);    /* memref types */
bool operation_wants_execution(const struct operation *operation); /* the <nss> of a type */
bool operation_wants_profile(const struct operation *operation);   /* memory : 2048 bytes and the like */
bool operation_has_title(const struct operation *operation);       /* a string or symbol that names it */

/* The operation cannot be used; the first reason stays. */
void operation_lose(struct operation *operation, const struct loss_reason *reason);

/* The rest of an attribute dictionary. Its first key is the name kept last, and the current token follows that key. */
NODISCARD status parser_dictionary(struct parser *parser, const struct token *opener);

/* The group behind a type's name, and what it says. The current token is the <. */
NODISCARD status parser_type(struct parser *parser, bool memory, bool execution);
/* A word or !type: only a following < matters. */
NODISCARD status parser_type_word(struct parser *parser);
/* (%a, %b : types): operands of the current operation. The current token is the (. */
NODISCARD status parser_operands(struct parser *parser, enum operand_group group);
/* The group that a word in front of such a list stands for. */
enum operand_group parser_group_of(const struct operation *operation, struct text word);

#endif
