/* analysis_summary.h: the timeline files of every ETDump under a run directory, and analysis_summary.json about them.
 *
 * Sums are of operators only, by the one table of categories: wrappers and loading, which enclose them, are in none. A dump that
 * cannot be read is listed with its problem; the others are not held up by it.
 */
#ifndef EXECUTORCH_ANALYSIS_SUMMARY_H
#define EXECUTORCH_ANALYSIS_SUMMARY_H

#include "executorch/category.h"
#include "executorch/timeline_files.h"

struct analysis_total {
    double milliseconds[CATEGORY_COUNT]; /* per inference, summed over dumps */
    uint32_t dumps;                      /* that were read */
    uint32_t problems;                   /* that could not be */
    uint32_t files;                      /* that were written */
};

/* `request` says how; its dump and out_dir are not used: files go beside their dump. STATUS_INPUT where there is no dump. */
NODISCARD status analysis_summary_write(const char *run_dir, const struct timeline_request *request,
                                        const struct category_rules *rules, struct analysis_total *total);

#endif
