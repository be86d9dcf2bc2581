/* events.h: the events of Torq's runtime logs and how their names are made.
 *
 *   R2   NSS_WAIT_START begins, NSS_WAIT_END ends; NSS_START begins, NSS_START_END ends
 *   R3   NSS_WAIT_BEGIN begins, NSS_WAIT_END ends
 *
 * Plain data; nothing is owned.
 */
#ifndef TORQ_EVENTS_H
#define TORQ_EVENTS_H

#include "trace/model.h"

/* What an event is for: the outermost of a scope, a part of one, or a host step with an action id. */
enum torq_role { TORQ_ROLE_SCOPE, TORQ_ROLE_PHASE, TORQ_ROLE_ACTION };

/* X(type, role, engine in R2, engine in R3) */
#define TORQ_EVENT_MAP(X)                                                             \
    X(INIT, SCOPE, engine_unknown, torq_engine_runtime)                               \
    X(INIT_PREPARE_OUTPUT_DIRS, PHASE, engine_unknown, torq_engine_runtime)           \
    X(INIT_COMPUTE_XRAM_FOOTPRINT, PHASE, engine_unknown, torq_engine_runtime)        \
    X(INIT_HW_OPEN, PHASE, engine_unknown, torq_engine_runtime)                       \
    X(INIT_CLEAR_MEMORY, PHASE, engine_unknown, torq_engine_runtime)                  \
    X(INIT_LOAD_CODE_SEGMENTS, PHASE, engine_unknown, torq_engine_runtime)            \
    X(INIT_LOAD_HOST_CODE, PHASE, engine_unknown, torq_engine_runtime)                \
    X(DISPATCH, SCOPE, engine_unknown, torq_engine_runtime)                           \
    X(DISPATCH_SYNC_BINDINGS_IN, PHASE, engine_unknown, torq_engine_runtime)          \
    X(DISPATCH_SYNC_BINDINGS_OUT, PHASE, engine_unknown, torq_engine_runtime)         \
    X(DISPATCH_ACQUIRE_HW_RESOURCES, PHASE, engine_unknown, torq_engine_runtime)      \
    X(DISPATCH_RELEASE_HW_RESOURCES, PHASE, engine_unknown, torq_engine_runtime)      \
    X(DISPATCH_EXECUTE_ACTIONS, PHASE, engine_unknown, torq_engine_runtime)           \
    X(HAL_CALL, SCOPE, engine_unknown, torq_engine_hal)                               \
    X(HAL_QUEUE_WAIT, PHASE, engine_unknown, torq_engine_hal)                         \
    X(HAL_QUEUE_APPLY_DEFERRED, PHASE, engine_unknown, torq_engine_hal)               \
    X(HAL_QUEUE_SIGNAL, PHASE, engine_unknown, torq_engine_hal)                       \
    X(HAL_COMMAND_BUFFER_COPY_BUFFER, PHASE, engine_unknown, torq_engine_hal)         \
    X(HAL_COMMAND_BUFFER_PUSH_DESCRIPTOR_SET, PHASE, engine_unknown, torq_engine_hal) \
    X(HOST_COPY, ACTION, torq_engine_host_copy, torq_engine_host_copy)                \
    X(NSS_START, ACTION, torq_engine_action, torq_engine_runtime)                     \
    X(NSS_WAIT, ACTION, torq_engine_action, torq_engine_runtime)                      \
    X(ALLOC, ACTION, torq_engine_action, torq_engine_runtime)                         \
    X(DEALLOC, ACTION, torq_engine_action, torq_engine_runtime)                       \
    X(HOST_START, ACTION, engine_unknown, torq_engine_runtime)                        \
    X(HOST_WAIT, ACTION, engine_unknown, torq_engine_runtime)                         \
    X(HOST_PROGRAM, ACTION, torq_engine_host, torq_engine_host)

enum torq_event {
#define X(type, role, engine_r2, engine_r3) TORQ_EVENT_##type,
    TORQ_EVENT_MAP(X)
#undef X
        TORQ_EVENT_UNKNOWN, /* also the number of those that are known */
};

enum torq_phase { TORQ_BEGIN, TORQ_END, TORQ_NO_PHASE };

/* A text split into what happens and which end of it. */
struct torq_parsed {
    enum torq_event event; /* TORQ_EVENT_UNKNOWN: another one */
    enum torq_phase phase; /* which end of it */
    struct text type;      /* the text without its suffix */
};

const char *torq_event_name(enum torq_event event); /* "NSS_WAIT"; of a known event only */
enum torq_role torq_event_role(enum torq_event event);
const struct engine *torq_event_engine(enum torq_event event, bool scoped); /* scoped: R3 */

void torq_parse_action_event(struct text text, struct torq_parsed *parsed); /* R2 */
void torq_parse_scope_event(struct text text, struct torq_parsed *parsed);  /* R3 */

/* The events of R3 by their text, for the reader's inner loop. */
enum { TORQ_EVENT_SLOTS = 256 };

struct torq_event_table {
    struct {
        char text[48];         /* as logged */
        uint8_t length;        /* 0: free */
        uint8_t event;         /* enum torq_event */
        uint8_t phase;         /* enum torq_phase */
        uint8_t next;          /* slot of the event that came after this one last time: it will again, as a rule */
    } slots[TORQ_EVENT_SLOTS]; /* by hash of the text, then the next free one */
    uint8_t last;              /* slot found last */
};

void torq_event_table_fill(struct torq_event_table *table);
/* The same answer as `torq_parse_scope_event`, fast. False: not a known event. */
bool torq_event_table_find(struct torq_event_table *table, struct text text, enum torq_event *event,
                           enum torq_phase *phase);

#endif
