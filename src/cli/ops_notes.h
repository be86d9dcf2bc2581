/* ops_notes.h: what tacho ops and tacho profile-this say about ops logs. */
#ifndef CLI_OPS_NOTES_H
#define CLI_OPS_NOTES_H

#include "tenstorrent/ops_output.h"
#include "tenstorrent/ops_tracy.h"

/* Where the report is, on standard output. */
void print_ops_report(const struct ops_folder *folder, const struct ops_written *written);
/* Losses on standard error. */
void print_ops_notes(const struct ops_folder *folder, const struct ops_written *written);

/* The same for the logs of newer tool chains. */
void print_tracy_report(const struct ops_tracy *job, const struct ops_written *written);
void print_tracy_notes(const struct ops_tracy *job, const struct ops_written *written);

#endif
