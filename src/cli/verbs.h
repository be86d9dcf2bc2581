/* verbs.h: the commands, one file each. */
#ifndef CLI_VERBS_H
#define CLI_VERBS_H

#include "cli/options.h"

/* Those that are not yet jobs, NULL at the end. */
extern const struct old_verb *const old_verbs[];

/* What `tacho convert INPUT... -o OUTPUT` does, for verbs that write a trace among other things. */
NODISCARD status convert_to(const struct old_texts *inputs, const char *output);

/* tacho completion bash|zsh. */
NODISCARD status completion_run(int count, char **words);

#endif
