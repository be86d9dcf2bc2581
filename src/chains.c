/* chains.c: the list of tool chains, and of the verbs that stand on jobs. Linked apart, so that a test can bring its own. */
#include "executorch/chain.h"
#include "gpu/chain.h"
#include "history/history_verb.h"
#include "query/query_verb.h"
#include "serve/serve.h"
#include "tenstorrent/chain.h"
#include "torq/chain.h"

const struct chain *const chains[] = { &torq_chain, &executorch_chain, &tenstorrent_chain, &gpu_chain, NULL };

const struct verb *const further_verbs[] = { &query_verb, &history_verb, &serve_verb, NULL };
