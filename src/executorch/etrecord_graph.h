/* etrecord_graph.h: the serialized program inside an ETRecord, from JSON to the nodes of a graph.
 *
 * The text is read once, in place. Weights, which are strings of many MB, are passed at the speed of a byte search and never
 * copied.
 */
#ifndef EXECUTORCH_ETRECORD_GRAPH_H
#define EXECUTORCH_ETRECORD_GRAPH_H

#include "executorch/graph.h"

/* Adds the nodes and delegates of one exported program. `file` names it in errors. */
NODISCARD status etrecord_read_program(struct graph *graph, const char *file, struct text json);

/* The innermost frame of a Python stack trace that belongs to the user: outside of installed packages, else outside of torch,
 * else the innermost. False: there is no frame. `source` is the text of the line, perhaps empty. */
bool etrecord_frame(struct text trace, struct text *file, uint32_t *line, struct text *source);

/* The innermost module of "id,path,class;id,path,class": false: there is none. */
bool etrecord_module(struct text stack, struct text *path, struct text *class_name);

#endif
