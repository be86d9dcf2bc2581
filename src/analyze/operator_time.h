/* operator_time.h: to whom the time of an input belongs: the own times of its operators, exactly.
 *
 * A moment in which several operators work is shared out evenly; of zones inside each other, on one thread, it is the innermost one's. Where
 * devices work behind the host's back (`device_first`), a moment in which any works is that of the operators on devices, and operators on
 * the host have the moments in which none does; the host's own processor is a device where there is no other. Either way the own times add
 * up to the time in which anything worked for an operator or for none. Nothing is owned.
 */
#ifndef ANALYZE_OPERATOR_TIME_H
#define ANALYZE_OPERATOR_TIME_H

#include "trace/busy.h"

/* Whose time, and of which moments. */
struct operator_time {
    const struct busy *busy;         /* settled */
    track_id process;                /* of the input */
    const struct intervals *windows; /* only moments in these; NULL: all that is kept */
    bool device_first;               /* as above */
};

/* Does an engine of this group work on the accelerator? */
static inline bool group_is_device(enum engine_group group)
{
    return group == GROUP_TRANSFER || group == GROUP_COMPUTE || group == GROUP_JOB;
}

/* Ticks of each of `count` operators (NO_ID: work that names none), each once. */
NODISCARD status operator_own_times(const struct operator_time *time, const operator_id *operators, size_t count,
                                    int64_t *own);
/* The same of work on devices alone: adds up to the time in which any device worked. */
NODISCARD status operator_device_times(const struct operator_time *time, const operator_id *operators, size_t count,
                                       int64_t *own);

/* The first share of an operator; NO_ID: it has none. */
static inline uint32_t operator_first_share(const struct busy *busy, operator_id op)
{
    return op == NO_ID ? busy->unattributed : busy_operator(busy, op)->first_share;
}

#endif
