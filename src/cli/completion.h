/* completion.h: completion scripts for shells; nothing is owned. */
#ifndef CLI_COMPLETION_H
#define CLI_COMPLETION_H

#include "base/status.h"

/* tacho completion bash|zsh. */
NODISCARD status completion_run(int count, char **words);

#endif
