/* ops_host.h: the host logs of an ops folder: rows of op calls, and of the tt_metal functions during one call. */
#ifndef LIBRARY_OPS_HOST_H
#define LIBRARY_OPS_HOST_H

#include "library/number_set.h"
#include "library/ops_folder.h"

enum { OPS_NO_CALL = -1 };

/* Count one loss at a file, or at a line of it (0: the whole file). */
NODISCARD status ops_lose(struct ops_folder *folder, enum ops_loss loss, uint64_t count, const char *path, uint64_t line);

/* What is done with each row: it is in the report already, last; `call` is its number among the calls of its op, or OPS_NO_CALL.
 * `*keep` false takes it out again. */
struct ops_host_listener {
    void *context;
    NODISCARD status (*row)(void *context, struct ops_row *row, int64_t call, uint64_t line, bool *keep);
};

/* The calls of one op. `op`: name of its folder, for rows that lack theirs. `*is_op` is false for a log of something else.
 * A file that cannot be used is a loss, not a failure. */
NODISCARD status ops_host_read(struct ops_folder *folder, const char *path, const char *op,
                               const struct ops_host_listener *listener, bool *is_op);

/* The tt_metal functions of one call into `row`. `*found` is false where there is no such log. */
NODISCARD status ops_calls_read(struct ops_folder *folder, const char *path, struct ops_row *row, bool *found);

#endif
