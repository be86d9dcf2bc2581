/* device_files.h: the files that are made of a device log: statistics as text, timestamps by core, and two JSON files.
 *
 * All of them stream into an output that the caller commits; failures stick in it.
 */
#ifndef TENSTORRENT_ORIGINAL_DEVICE_FILES_H
#define TENSTORRENT_ORIGINAL_DEVICE_FILES_H

#include "base/output.h"
#include "tenstorrent/device_analysis.h"

#define DEVICE_STATS_FILE "device_stats.txt"
#define DEVICE_REARRANGED_FILE "device_rearranged_timestamps.csv"
#define DEVICE_ANALYSIS_FILE "device_analysis_data.json"
#define DEVICE_CHROME_FILE "device_chrome_tracing.json"

/* Statistics of every analysis that found something; logs with numbered markers also get a map of the cores. */
void device_stats_write(struct output *output, const struct device_results *results);

/* Firmware and kernel times of BRISC and NCRISC, a row for each core. */
NODISCARD status device_rearranged_write(struct output *output, const struct marker_log *log);

/* What the JSON file tells about how it was made. Texts are borrowed. */
struct device_json_options {
    const char *folder; /* of the log */
    int64_t port;       /* as the file names it */
};

/* All series, all statistics, and the setup. */
NODISCARD status device_analysis_write(struct output *output, const struct device_results *results,
                                       const struct device_json_options *options);

/* The firmware of each RISC as events of Chrome's tracing; times are cycles. */
NODISCARD status device_chrome_write(struct output *output, const struct marker_log *log);

/* Cores of a chip by row, then column: as they lie on it. The caller frees the list. */
NODISCARD status device_cores_sorted(const struct marker_log *log, const struct marker_chip *chip, uint32_t **cores);

#endif
