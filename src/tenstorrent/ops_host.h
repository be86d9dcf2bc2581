/* ops_host.h: the host logs of an ops folder: rows of op calls, and of the tt_metal functions during one call. */
#ifndef TENSTORRENT_OPS_HOST_H
#define TENSTORRENT_OPS_HOST_H

#include "base/number_set.h"
#include "tenstorrent/ops_folder.h"

enum { OPS_NO_CALL = -1 };

/* Whether a failure is one of an input that takes nothing else with it: such a part of the folder is lost, unless its source is
 * strict. */
bool ops_forgives(const struct ops_folder *folder, status code);
/* Count one loss at a file, or at a line of it (0: the whole file). STATUS_INPUT for a lost row of a source that is strict. */
NODISCARD status ops_lose(struct ops_folder *folder, enum ops_loss loss, uint64_t count, const char *path,
                          uint64_t line);
NODISCARD status ops_lose_at(struct ops_folder *folder, enum ops_loss loss, uint64_t count, struct place place);

/* What is done with each row: it is in the report already, last; `call` is its number among the calls of its op, or OPS_NO_CALL.
 * `*keep` false takes it out again. */
struct ops_host_listener {
    void *context; /* for `row` */
    NODISCARD status (*row)(void *context, struct op_call *row, int64_t call, uint64_t line,
                            bool *keep); /* is told each row */
};

/* The calls of one op. `op`: name of its folder, for rows that lack theirs. `*is_op` is false for a log of something else.
 * A file that cannot be used is a loss, not a failure. */
NODISCARD status ops_host_read(struct ops_folder *folder, const char *path, const char *op,
                               const struct ops_host_listener *listener, bool *is_op);

/* Whether a line names the columns of an op log. */
bool ops_host_is_header(struct text line);

/* The tt_metal functions of one call into `row`. `*found` is false where there is no such log. */
NODISCARD status ops_calls_read(struct ops_folder *folder, const char *path, struct op_call *row, bool *found);

#endif
