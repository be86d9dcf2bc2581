/* pipeline_files.h: what the JSON files of a run directory have in common. Nothing is kept. */
#ifndef LIBRARY_PIPELINE_FILES_H
#define LIBRARY_PIPELINE_FILES_H

#include "library/pipeline.h"
#include "library/pipeline_json.h"

enum { PIPELINE_TIME = 32 };

void pipeline_time(char to[PIPELINE_TIME]); /* now, as 2026-11-15T04:23:16Z */

/* A file of the output root; closed with what became of it so far: a failure leaves no file. */
NODISCARD status pipeline_open_file(const struct pipeline *pipeline, const char *name, struct output **output);
NODISCARD status pipeline_close_file(struct output *output, status code);

void pipeline_put_head(struct json_writer *writer, const struct pipeline *pipeline);
void pipeline_put_executorch(struct json_writer *writer, const struct pipeline *pipeline);
void pipeline_put_plan(struct json_writer *writer, const struct pipeline_group *group);
void pipeline_put_launch_state(struct json_writer *writer, const struct pipeline_task *task);

#endif
