/* pipeline_files.h: what the JSON files of a run directory have in common. Nothing is kept. */
#ifndef EXECUTORCH_PIPELINE_FILES_H
#define EXECUTORCH_PIPELINE_FILES_H

#include "executorch/pipeline.h"
#include "executorch/pipeline_json.h"

enum { PIPELINE_TIME = 32 };

void pipeline_time(char to[PIPELINE_TIME]); /* now, as 2026-11-15T04:23:16Z */

/* A file of the output root; closed with what became of it so far: a failure leaves no file. */
NODISCARD status pipeline_open_file(const struct pipeline *pipeline, const char *name, struct output **output);

void pipeline_put_executorch(struct json_writer *writer, const struct pipeline *pipeline);

/* What one of the JSON files says beside what all of them say: the head; a list with an object for each experiment, which has
 * its plan; in that a list "launch_results" with an object for each launch, which has its state. */
struct pipeline_form {
    const char *list;                                                          /* "results" */
    void (*head)(struct json_writer *writer, const struct pipeline *pipeline); /* NULL: nothing more */
    void (*group)(struct json_writer *writer, const struct pipeline *pipeline, const struct pipeline_group *group);
    void (*launch)(struct json_writer *writer, const struct pipeline *pipeline, const struct pipeline_task *task);
};

NODISCARD status pipeline_write_form(const struct pipeline *pipeline, const char *name,
                                     const struct pipeline_form *form);

#endif
