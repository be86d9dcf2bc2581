/* wall_time.h: the time around a whole run: as people and tools write it, and in files beside the profile of that run.
 *
 * Whoever measures a run leaves WALL_TIME_FILE beside what it wrote, and where a connection to another machine was part of that time,
 * CONNECTION_TIME_FILE with what the connection alone takes. Nothing here owns anything.
 */
#ifndef JOB_WALL_TIME_H
#define JOB_WALL_TIME_H

#include "base/text.h"
#include "job/job.h"

#define WALL_TIME_FILE "wall_time.txt"
#define CONNECTION_TIME_FILE "connection_time.txt"

/* The time that the first line with anything in it tells: 1.234, 1.234s, 207.000ms, 0m1.234s, and any of them behind "Wall time:",
 * "WALL_TIME" or "real". False: none, or no time that a run can have. */
bool wall_time_parse(struct text text, int64_t *nanoseconds);

/* Seconds with all their digits, into a file of this name in a folder; an empty folder is the current one. */
NODISCARD status wall_time_write(struct text folder, const char *name, uint64_t nanoseconds);
/* From the file of this name beside a profile; -1: there is none, or it holds no time, which is noted. */
NODISCARD status wall_time_read(struct job *job, const char *profile, const char *name, int64_t *nanoseconds);

#endif
