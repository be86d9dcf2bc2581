/* pipeline_adb.h: an Android device: found, filled with the model and runners, made to run them.
 *
 * Everything lies in one folder of the device, which `adb_finish` removes. A function that fails because of the device
 * returns STATUS_OK and says why in `*problem` (in the pipeline's arena; NULL: none), since the rest may go on; another status is
 * a failure of this machine.
 */
#ifndef EXECUTORCH_PIPELINE_ADB_H
#define EXECUTORCH_PIPELINE_ADB_H

#include "executorch/pipeline.h"

struct adb {
    struct pipeline *pipeline;  /* borrowed */
    const char *serial;         /* of the device */
    struct adb_runner *runners; /* one per experiment */
};

struct adb_runner {
    bool tried;          /* to push it */
    const char *problem; /* why it is not there */
};

/* How a command on the device ended. */
struct adb_result {
    struct process_result process; /* exit status and signal are those of the command on the device */
    bool lost;                     /* the connection broke before it ended */
};

/* Finds the device, fills the pipeline's device, puts the model there. */
NODISCARD status adb_start(struct adb *adb, struct pipeline *pipeline, const char **problem);
/* Puts the experiment's runner there, once. */
NODISCARD status adb_push_runner(struct adb *adb, const struct pipeline_experiment *experiment, const char **problem);
/* Runs the experiment's runner with these arguments; what it prints goes into `output`. */
NODISCARD status adb_run(struct adb *adb, const struct pipeline_experiment *experiment, const char *const *arguments,
                         uint64_t limit, struct output *output, struct adb_result *result);
/* A file of the device's folder to here; no problem where there is none, `*found` tells. */
NODISCARD status adb_pull(struct adb *adb, const char *name, const char *path, bool *found);
NODISCARD status adb_remove(struct adb *adb, const char *name);
NODISCARD status adb_clear_log(struct adb *adb);
/* The device's log of XNNPACK. */
NODISCARD status adb_read_log(struct adb *adb, uint64_t limit, struct output *output);
NODISCARD status adb_finish(struct adb *adb);

/* The name of the model on the device. */
const char *adb_model_name(const struct adb *adb);

#endif
