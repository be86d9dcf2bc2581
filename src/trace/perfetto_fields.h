/* perfetto_fields.h: numbers of fields in Perfetto's messages, and those that are Tacho's own.
 *
 * The writer and the reader of such traces share them. Perfetto's importer skips fields of packets and of track descriptors that it does not know, in
 * silence, so what only Tacho needs to read its own trace again stands there:
 *
 *     TracePacket      OWN            clocks, operators, runs, steps, what is known of an input, what was lost of it
 *                      OWN_OPERATOR   of the event's slice, where it is another than that of the last slice of that name in its sequence
 *                      OWN_RUN        the same, where it is another than that of the slice before in its sequence
 *                      OWN_TRACK      of the event's slice, where its line is that of another track
 *                      OWN_TICKS      of the event's time beyond the first tick of its nanosecond
 *     TrackDescriptor  OWN            which track it shows, and what the track is
 *
 * Numbers of tracks, operators and runs are their ids in the trace that was written, plus 1, so that 0 is none.
 */
#ifndef TRACE_PERFETTO_FIELDS_H
#define TRACE_PERFETTO_FIELDS_H

enum {
    TRACE_PACKET = 1,

    PACKET_CLOCK_SNAPSHOT = 6,
    PACKET_TIMESTAMP = 8,
    PACKET_SEQUENCE = 10,
    PACKET_TRACK_EVENT = 11,
    PACKET_INTERNED_DATA = 12,
    PACKET_SEQUENCE_FLAGS = 13,
    PACKET_DROPPED = 42,
    PACKET_COMPRESSED = 50,
    PACKET_TIMESTAMP_CLOCK = 58,
    PACKET_DEFAULTS = 59,
    PACKET_TRACK_DESCRIPTOR = 60,
    PACKET_COMPRESSED_ZSTD = 133,

    DEFAULTS_TRACK_EVENT = 11,
    DEFAULTS_CLOCK = 58,

    SNAPSHOT_CLOCK = 1,
    SNAPSHOT_PRIMARY = 2,
    CLOCK_ID = 1,
    CLOCK_TIMESTAMP = 2,
    CLOCK_IS_INCREMENTAL = 3,
    CLOCK_UNIT = 4,

    DESCRIPTOR_UUID = 1,
    DESCRIPTOR_NAME = 2,
    DESCRIPTOR_PROCESS = 3,
    DESCRIPTOR_THREAD = 4,
    DESCRIPTOR_PARENT = 5,
    DESCRIPTOR_COUNTER = 8,
    DESCRIPTOR_STATIC_NAME = 10,
    DESCRIPTOR_CHILD_ORDERING = 11,
    DESCRIPTOR_RANK = 12,
    DESCRIPTOR_ATRACE_NAME = 13,
    DESCRIPTOR_DESCRIPTION = 14,
    DESCRIPTOR_STATE = 18,
    PROCESS_PID = 1,
    PROCESS_NAME = 6,
    THREAD_PID = 1,
    THREAD_TID = 2,
    THREAD_NAME = 5,
    COUNTER_TYPE = 1,
    COUNTER_UNIT = 3,
    COUNTER_MULTIPLIER = 4,
    COUNTER_IS_INCREMENTAL = 5,
    COUNTER_UNIT_NAME = 6,

    EVENT_CATEGORY_IID = 3,
    EVENT_ANNOTATION = 4,
    EVENT_LEGACY = 6,
    EVENT_TYPE = 9,
    EVENT_NAME_IID = 10,
    EVENT_TRACK = 11,
    EVENT_EXTRA_VALUE = 12,
    EVENT_CATEGORY = 22,
    EVENT_NAME = 23,
    EVENT_COUNTER_VALUE = 30,
    EVENT_EXTRA_TRACK = 31,
    EVENT_SOURCE_LOCATION = 33,
    EVENT_SOURCE_LOCATION_IID = 34,
    EVENT_OLD_FLOW = 36,
    EVENT_OLD_FLOW_END = 42,
    EVENT_COUNTER_DECIMAL = 44,
    EVENT_EXTRA_DECIMAL_TRACK = 45,
    EVENT_EXTRA_DECIMAL = 46,
    EVENT_FLOW = 47,
    EVENT_FLOW_END = 48,
    EVENT_CORRELATION = 52,
    EVENT_CORRELATION_TEXT = 53,
    EVENT_CORRELATION_IID = 54,

    LEGACY_NAME_IID = 1,
    LEGACY_PHASE = 2,
    LEGACY_DURATION = 3,
    LEGACY_ID = 6,
    LEGACY_ID_SCOPE = 7,
    LEGACY_BIND_ID = 8,
    LEGACY_LOCAL_ID = 10,
    LEGACY_GLOBAL_ID = 11,
    LEGACY_FLOW_DIRECTION = 13,

    ANNOTATION_NAME_IID = 1,
    ANNOTATION_BOOLEAN = 2,
    ANNOTATION_UNSIGNED = 3,
    ANNOTATION_INTEGER = 4,
    ANNOTATION_DECIMAL = 5,
    ANNOTATION_TEXT = 6,
    ANNOTATION_POINTER = 7,
    ANNOTATION_JSON = 9,
    ANNOTATION_NAME = 10,
    ANNOTATION_DICTIONARY = 11,
    ANNOTATION_ARRAY = 12,
    ANNOTATION_TEXT_IID = 17,

    INTERNED_CATEGORY = 1,
    INTERNED_NAME = 2,
    INTERNED_ANNOTATION_NAME = 3,
    INTERNED_SOURCE_LOCATION = 4,
    INTERNED_ANNOTATION_TEXT = 29,
    INTERNED_CORRELATION = 43,
    ENTRY_IID = 1,
    ENTRY_TEXT = 2,
    LOCATION_FILE = 2,
    LOCATION_FUNCTION = 3,
    LOCATION_LINE = 4,
};

enum { FLAG_STATE_CLEARED = 1, FLAG_NEEDS_STATE = 2 };
enum { CLOCK_BOOTTIME = 6, CLOCK_OF_SEQUENCE = 64, CLOCK_OF_SEQUENCE_LAST = 127 };
enum { TYPE_BEGIN = 1, TYPE_END = 2, TYPE_INSTANT = 3, TYPE_COUNTER = 4, TYPE_STATE = 5 };
enum { ORDERING_EXPLICIT = 3 };
enum { UNIT_TIME_NS = 1, UNIT_COUNT = 2, UNIT_SIZE_BYTES = 3 };

/* ---- Tacho's own ---- */

enum {
    PACKET_OWN = 2040,
    PACKET_OWN_OPERATOR = 2041,
    PACKET_OWN_RUN = 2042,
    PACKET_OWN_TICKS = 2043,
    PACKET_OWN_TRACK = 2044,
    DESCRIPTOR_OWN = 2040,

    OWN_TRACK = 1,
    OWN_CLOCK = 2,
    OWN_OPERATOR = 3,
    OWN_RUN = 4,
    OWN_STEPS = 5,
    OWN_STEP_ENDS = 6,
    OWN_ABOUT = 7,
    OWN_LOSSES = 8,
    OWN_INPUT = 9, /* in the first packet, of a trace of several inputs: the name of each */

    OWN_TRACK_ID = 1,
    OWN_TRACK_ROLE = 2, /* enum own_role */
    OWN_TRACK_PARENT = 3,
    OWN_TRACK_KIND = 4, /* enum track_kind, plus 1: the first descriptor of a track has this and what follows */
    OWN_TRACK_ENGINE = 5,
    OWN_TRACK_INDEX = 6,
    OWN_TRACK_CLOCK = 7,
    OWN_TRACK_ORDER = 8,
    OWN_TRACK_UNORDERED = 9,
    OWN_TRACK_DECIMAL = 10,
    OWN_TRACK_UNIT = 11,
    OWN_TRACK_NAME = 12, /* where the descriptor has another */
    OWN_TRACK_DESCRIPTION = 13,
    OWN_TRACK_INSIDE = 14,

    OWN_CLOCK_ID = 1,
    OWN_CLOCK_NUMERATOR = 2,
    OWN_CLOCK_DENOMINATOR = 3,
    OWN_CLOCK_OFFSET = 4, /* of times as they stand in the trace */
    OWN_CLOCK_NAME = 5,

    OWN_OPERATOR_ID = 1,
    OWN_OPERATOR_NAME = 2,
    OWN_OPERATOR_TYPE = 3,
    OWN_OPERATOR_LOCATION = 4,
    OWN_OPERATOR_PLACE = 5,
    OWN_OPERATOR_FILE = 6,
    OWN_OPERATOR_CATEGORY = 7,
    OWN_OPERATOR_MODULE = 8,
    OWN_OPERATOR_KERNEL = 9,
    OWN_OPERATOR_SHAPES = 10,
    OWN_OPERATOR_LINE = 11,
    OWN_OPERATOR_COLUMN = 12,

    OWN_RUN_PROCESS = 1,
    OWN_RUN_LAUNCH = 2,
    OWN_RUN_INDEX = 3,
    OWN_RUN_CLOCK = 4,
    OWN_RUN_START = 5,
    OWN_RUN_END = 6,

    OWN_STEPS_PROCESS = 1,
    OWN_STEPS_CLOCK = 2,
    OWN_STEPS_FIRST = 3, /* id of the first of them */
    OWN_STEPS_ROWS =
        4, /* of each: its key, its start less the one before, its length; all varints, the second zigzag */
    OWN_STEP_ENDS_ROWS = 1, /* of each: the id of a step, its end */
    OWN_STEP_ENDS_LOST = 2, /* id of a step whose end never came: its time is a guess */

    OWN_ABOUT_PROCESS = 1,
    OWN_ABOUT_CHAIN = 2,
    OWN_ABOUT_ESTIMATE = 3,
    OWN_ABOUT_ENGINES = 4,
    OWN_ABOUT_GENERATION = 5,
    OWN_ABOUT_FAILED = 6,
    OWN_ABOUT_NOTE = 7,

    OWN_LOSSES_PROCESS = 1,
    OWN_LOSSES_ROWS = 2,
    OWN_LOSSES_USED = 3,
    OWN_LOSSES_LOST = 4,
    OWN_LOSSES_REASON = 5,
    OWN_REASON_TEXT = 1,
    OWN_REASON_KEPT = 2,
    OWN_REASON_COUNT = 3,
    OWN_REASON_PLACE = 4, /* line or byte of the first rows */
};

/* What of a track a descriptor shows. */
enum own_role {
    OWN_ROLE_TRACK,   /* the track itself: a group, a counter, or one without events */
    OWN_ROLE_WHOLE,   /* a lane of slices that came with both ends */
    OWN_ROLE_BEGUN,   /* a lane of slices that came as begin and end */
    OWN_ROLE_LATE,    /* a lane of slices that came out of order, in the order in which they came */
    OWN_ROLE_INSTANT, /* the line of its instants */
    OWN_ROLE_LOSSES   /* what was lost, to be looked at: it stands in OWN_LOSSES, too */
};

#endif
