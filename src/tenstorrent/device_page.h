/* device_page.h: a device log and its analyses as one page: a lane for each RISC of each core, statistics, a map of the cores.
 *
 * A lane shows firmware, kernel and the zones inside, nested. Between numbered markers of a kernel it shows a slice from each
 * to the next. Zones without an end go up to the last marker of their RISC, ends without a start are marks; both are counted on
 * the page.
 */
#ifndef TENSTORRENT_DEVICE_PAGE_H
#define TENSTORRENT_DEVICE_PAGE_H

#include "base/output.h"
#include "page/timeline_page.h"
#include "tenstorrent/device_analysis.h"

#define DEVICE_PAGE_FILE "device_perf.html"

struct device_page_options {
    const char *source;       /* name of the log, shown on the page */
    const char *const *notes; /* what a reader should know */
    unsigned note_count;      /* of notes */
};

/* STATUS_USAGE where Tacho was built without pages: see timeline_page_possible. The output is not committed. */
NODISCARD status device_page_write(struct output *output, const struct device_results *results,
                                   const struct device_page_options *options);

/* Adds a map of the cores for each analysis that has numbers by core. `groups` and `kernel_cycles` are by core of the log: the
 * page's group, and for how long a kernel ran on any RISC (of a log without kernels all 0). */
NODISCARD status device_page_maps(struct timeline_page *page, const struct device_results *results, size_t chip,
                                  uint32_t section, const uint32_t *groups, const int64_t *kernel_cycles);

#endif
