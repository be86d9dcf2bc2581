/* zone_disabled.h: zone.h in a program that is compiled with TACHO_DISABLE: nothing is left of it, and no library is needed. Arguments are not
 * evaluated; `sizeof` keeps the compiler from calling them unused. Included by
 * zone.h alone. */
#ifndef TACHO_ZONE_DISABLED_H
#define TACHO_ZONE_DISABLED_H

static inline struct tacho_zone tacho_no_zone(void)
{
    struct tacho_zone zone = { 0 };

    return zone;
}

#define tacho_record_start(options) ((void)sizeof(options), (-1))
#define tacho_record_stop() ((void)0)
#define tacho_record_path() ("")
#define tacho_record_error() ("the program was compiled with TACHO_DISABLE")
#define tacho_record_live_address() ("")
#define tacho_record_live_token() ("")
#define tacho_recording() (false)
#define tacho_zone_begin(site) ((void)sizeof(site), (tacho_no_zone()))
#define tacho_zone_begin_named(site, name, length) \
    ((void)sizeof(site), (void)sizeof(name), (void)sizeof(length), (tacho_no_zone()))
#define tacho_zone_end(zone) ((void)(zone))
#define tacho_zone_name(name, length) ((void)sizeof(name), (void)sizeof(length))
#define tacho_zone_color(color) ((void)sizeof(color))
#define tacho_integer(key, value) ((void)sizeof(key), (void)sizeof(value))
#define tacho_unsigned(key, value) ((void)sizeof(key), (void)sizeof(value))
#define tacho_decimal(key, value) ((void)sizeof(key), (void)sizeof(value))
#define tacho_text(key, text, length) ((void)sizeof(key), (void)sizeof(text), (void)sizeof(length))
#define tacho_integer_of(key, value) ((void)sizeof(key), (void)sizeof(value))
#define tacho_unsigned_of(key, value) ((void)sizeof(key), (void)sizeof(value))
#define tacho_decimal_of(key, value) ((void)sizeof(key), (void)sizeof(value))
#define tacho_text_of(key, text, length) ((void)sizeof(key), (void)sizeof(text), (void)sizeof(length))
#define tacho_flow(number) ((void)sizeof(number))
#define tacho_instant(site) ((void)sizeof(site))
#define tacho_message(text, length) ((void)sizeof(text), (void)sizeof(length))
#define tacho_counter_integer(counter, value) ((void)sizeof(counter), (void)sizeof(value))
#define tacho_counter_decimal(counter, value) ((void)sizeof(counter), (void)sizeof(value))
#define tacho_counter_of(name, value) ((void)sizeof(name), (void)sizeof(value))
#define tacho_frame(site) ((void)sizeof(site))
#define tacho_frame_begin(site) ((void)sizeof(site))
#define tacho_frame_end(site) ((void)sizeof(site))
#define tacho_async_begin(site, number) ((void)sizeof(site), (void)sizeof(number))
#define tacho_async_end(site, number) ((void)sizeof(site), (void)sizeof(number))
#define tacho_thread_name(name) ((void)sizeof(name))
#define tacho_process_name(name) ((void)sizeof(name))
#define tacho_sum_begin(sum) ((void)0)
#define tacho_sum_end(sum) ((void)0)
#define tacho_sum_flush(sum) ((void)0)
#define tacho_clock_add(name, ticks_per_second) ((void)sizeof(name), (void)sizeof(ticks_per_second), (0))
#define tacho_clock_tie(clock, before_ns, ticks, after_ns) \
    ((void)sizeof(clock), (void)sizeof(before_ns), (void)sizeof(ticks), (void)sizeof(after_ns))
#define tacho_track_add(clock, name) ((void)sizeof(clock), (void)sizeof(name), (0))
#define tacho_track_slice(track, name, start, end) \
    ((void)sizeof(track), (void)sizeof(name), (void)sizeof(start), (void)sizeof(end))
#define tacho_track_instant(track, name, time) ((void)sizeof(track), (void)sizeof(name), (void)sizeof(time))

#define TACHO_ZONE(name) ((void)sizeof(name))
#define TACHO_ZONE_COLOR(name, color) ((void)sizeof(name), (void)sizeof(color))
#define TACHO_FUNCTION() ((void)0)
#define TACHO_RUN(name) ((void)sizeof(name))
#define TACHO_ZONE_NAMED(text) ((void)sizeof(text))
#define TACHO_BEGIN(variable, name) ((void)0)
#define TACHO_END(variable) ((void)0)
#define TACHO_INTEGER(key, value) ((void)sizeof(key), (void)sizeof(value))
#define TACHO_UNSIGNED(key, value) ((void)sizeof(key), (void)sizeof(value))
#define TACHO_DECIMAL(key, value) ((void)sizeof(key), (void)sizeof(value))
#define TACHO_TEXT(key, text) ((void)sizeof(key), (void)sizeof(text))
#define TACHO_FLOW(number) ((void)sizeof(number))
#define TACHO_INSTANT(name) ((void)sizeof(name))
#define TACHO_MESSAGE(text) ((void)sizeof(text))
#define TACHO_COUNTER(name, value) ((void)sizeof(name), (void)sizeof(value))
#define TACHO_COUNTER_DECIMAL(name, value) ((void)sizeof(name), (void)sizeof(value))
#define TACHO_FRAME(name) ((void)sizeof(name))
#define TACHO_FRAME_BEGIN(name) ((void)sizeof(name))
#define TACHO_FRAME_END(name) ((void)sizeof(name))
#define TACHO_ASYNC_BEGIN(name, number) ((void)sizeof(name), (void)sizeof(number))
#define TACHO_ASYNC_END(name, number) ((void)sizeof(name), (void)sizeof(number))
#define TACHO_SUM(variable, name) ((void)0)

#endif
