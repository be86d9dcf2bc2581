/* provider.h: two tracepoints for LTTng-UST, a begin and an end, as zones.c has them: what a zone of Tacho is compared with. */
#undef LTTNG_UST_TRACEPOINT_PROVIDER
#define LTTNG_UST_TRACEPOINT_PROVIDER zones

#undef LTTNG_UST_TRACEPOINT_INCLUDE
#define LTTNG_UST_TRACEPOINT_INCLUDE "./provider.h"

#if !defined(BENCH_PROVIDER_H) || defined(LTTNG_UST_TRACEPOINT_HEADER_MULTI_READ)
#define BENCH_PROVIDER_H

#include <lttng/tracepoint.h>

LTTNG_UST_TRACEPOINT_EVENT(zones, begin, LTTNG_UST_TP_ARGS(int, site),
                           LTTNG_UST_TP_FIELDS(lttng_ust_field_integer(int, site, site)))
LTTNG_UST_TRACEPOINT_EVENT(zones, end, LTTNG_UST_TP_ARGS(int, site),
                           LTTNG_UST_TP_FIELDS(lttng_ust_field_integer(int, site, site)))

#endif

#include <lttng/tracepoint-event.h>
