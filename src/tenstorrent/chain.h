/* chain.h: what the tool chain Tenstorrent adds to the words of the core: its engines, its argument keys, its reasons for losses.
 *
 * All of it is constant. `chain.c` registers it, with the readers, options and verbs of the chain, as one struct chain.
 */
#ifndef TENSTORRENT_CHAIN_H
#define TENSTORRENT_CHAIN_H

#include "analyze/metrics.h"
#include "read/chain.h"

struct marker_log;
struct op_report;

extern const struct engine tenstorrent_engine_host;      /* calls on the host */
extern const struct engine tenstorrent_engine_call;      /* what a host call calls */
extern const struct engine tenstorrent_engine_operation; /* an operation on a device */
extern const struct engine tenstorrent_engine_signpost;
extern const struct engine tenstorrent_engine_risc;      /* firmware and kernels of one RISC */
extern const struct engine tenstorrent_engine_device_op; /* which op the cores of a device work on */

/* The keys of its arguments in one pool of strings. */
struct tenstorrent_keys {
    string_id data;      /* of a marker */
    string_id cycles;    /* of the device's clock */
    string_id host_id;   /* of a run */
    string_id trace;     /* id of a trace */
    string_id replay;    /* which replay of it */
    string_id cores;     /* how many */
    string_id fidelity;  /* of the arithmetic */
    string_id call;      /* number of the op's call */
    string_id kernel_ns; /* time of the kernel */
};

NODISCARD status tenstorrent_keys_start(struct tenstorrent_keys *keys, struct strings *strings);

extern const struct metric_set tenstorrent_metrics;

/* What can be read from a file besides its timeline; each may be NULL. What is filled was started, and is to be freed also after a
 * failure. */
struct tenstorrent_calls {
    status (*markers)(struct source *source, struct marker_log *log); /* settled */
    status (*ops)(struct source *source, struct op_report *report);   /* of a report */
};

extern const struct reader tt_ops_csv_reader;
extern const struct reader tt_ops_folder_reader;
extern const struct reader tt_tracy_ops_reader;
extern const struct reader tt_device_reader;
extern const struct chain tenstorrent_chain;

extern const struct verb device_verb;
extern const struct verb ops_verb;
extern const struct verb profile_this_verb;
extern const struct verb_part tenstorrent_advise_part;

/* Of a reader of any chain; those of another have none of these. */
const struct tenstorrent_calls *tenstorrent_calls(const struct reader *reader);

#endif
