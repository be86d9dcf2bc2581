/* profile_this.h: runs a command of tt-metal under its op profiler and makes the ops reports of what it logged.
 *
 * The command runs twice: with device profiling, whose download of markers slows the host down, and without, for the times of the
 * host. Each location of logs that it registered gets a report in a folder of its own, and so do the logs of a newer tool chain.
 * Logs that lay there before the command are not taken for its own; nothing is removed.
 */
#ifndef TENSTORRENT_PROFILE_THIS_H
#define TENSTORRENT_PROFILE_THIS_H

#include "base/process.h"
#include "tenstorrent/ops_output.h"
#include "tenstorrent/ops_tracy.h"

struct profile_this_options {
    const char *command; /* for sh -c */
    const char *output;  /* folder; NULL: the documented one */
    const char *name;    /* see struct ops_output_options */
    bool once;           /* only with device profiling: newer tool chains take both at a time */
};

/* Texts are valid during the call. */
struct profile_this_listener {
    void (*progress)(const char *line);
    void (*warning)(const char *line);
    void (*report)(const struct ops_folder *folder, const struct ops_written *written);
    void (*newer)(const struct ops_tracy *job,
                  const struct ops_written *written); /* a report of a newer tool chain's logs */
};

struct profile_this_result {
    unsigned runs;
    unsigned failed; /* of them */
    size_t reports;
};

/* STATUS_NO where the command failed or left no logs; what there is was reported by then. */
NODISCARD status profile_this(const struct profile_this_options *options, const struct profile_this_listener *listener,
                              struct profile_this_result *result);

#endif
