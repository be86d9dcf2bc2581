/* head.h: what stands before the events of a PyTorch profile: the devices, and which rank of a job it is of.
 *
 * The reader keeps it with the source (`kept`), which frees it by `gpu_head_release`. A file that does not tell has no head: a struct of
 * zeros.
 */
#ifndef GPU_HEAD_H
#define GPU_HEAD_H

#include "read/reader.h"

enum { GPU_NAME = 64 }; /* bytes of a device's name, with the NUL */

struct gpu_head {
    char device[GPU_NAME];  /* name of the first device; empty: not told */
    uint32_t devices;       /* that the process could use */
    uint32_t processors;    /* multiprocessors of the first one; 0: not told */
    uint32_t threads;       /* that one of them holds */
    uint32_t major, minor;  /* version of its architecture */
    bool distributed;       /* it is one of several processes of a job */
    uint32_t rank, ranks;   /* which one, of how many */
    char backend[GPU_NAME]; /* that they talk by: nccl; empty: not told */
};

/* Looks at the first bytes of the input, which is not read yet, and keeps what they tell. */
NODISCARD status gpu_head_read(struct source *source);
void gpu_head_release(struct source *source);

/* Of a source that was read; never NULL. */
const struct gpu_head *gpu_head(const struct source *source);

#endif
