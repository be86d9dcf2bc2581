/* paths.h: where tt-metal's profiler keeps its files when nobody says otherwise; the caller frees the paths. */
#ifndef TENSTORRENT_PATHS_H
#define TENSTORRENT_PATHS_H

#include "base/path.h"

/* The folder of the profiler that document 002 speaks of: tt_metal/tools/profiler below $TT_METAL_HOME where that is set, else
 * below the current folder; the current folder itself where that is it. `inner` is put behind it. */
NODISCARD status tt_profiler_path(const char *inner, struct path *to);

/* That of newer tool chains: $TT_METAL_PROFILER_DIR, or generated/profiler below $TT_METAL_HOME or the current folder. */
NODISCARD status tt_generated_path(const char *inner, struct path *to);

/* Both may have left something. That of newer tool chains is meant where it is the only one, or where somebody names its folder:
 * $TT_METAL_PROFILER_DIR is set. */
bool tt_newer_is_meant(bool older_is_there, bool newer_is_there);

#endif
