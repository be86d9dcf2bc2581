/* front_runs.h: how long runs took, as a picture of the first screen. Only the files of the first screen include it. */
#ifndef PAGE_FRONT_RUNS_H
#define PAGE_FRONT_RUNS_H

#include "page/front.h"

/* Nothing where no side has two runs. */
void front_add_runs(struct document *document, const struct front *front);

#endif
