/* tracy.h: the macros of Tracy's client, recorded by Tacho: a program that is marked already needs one include changed.
 *
 *     -#include <tracy/Tracy.hpp>        (C++)      -#include <tracy/TracyC.h>         (C)
 *     +#include <tacho/tracy.h>                     +#include <tacho/tracy.h>
 *
 * Zones, frames, plots, messages, texts, values, names, colours and thread names are recorded. Depths of call stacks are ignored. Locks are
 * the plain locks that they wrap; allocations and GPU zones are not recorded. TRACY_ENABLE is not needed; TACHO_DISABLE turns all of it off.
 */
#ifndef TACHO_TRACY_H
#define TACHO_TRACY_H

#include "zone.h"

#ifndef TACHO_DISABLE
#define TACHO_TRACY_SITE(variable, name, color) TACHO_SITE(variable, name, color, 0)
#else
#define TACHO_SITE(variable, name, color, flags) \
    static struct tacho_site variable = { (name), "", "", 0, (color), (flags), 0 }
#define TACHO_TRACY_SITE(variable, name, color) TACHO_SITE(variable, name, color, 0)
#endif

/* ---- C ------------------------------------------------------------------------------------------------------------- */

typedef struct tacho_zone TracyCZoneCtx;

static inline struct tacho_zone tacho_tracy_begin(struct tacho_site *site, int active)
{
    struct tacho_zone none = { 0 };

    return active ? tacho_zone_begin(site) : none;
}

#define TACHO_TRACY_ZONE(context, name, color, active)                  \
    TACHO_TRACY_SITE(TACHO_JOIN(tacho_site_of_, context), name, color); \
    TracyCZoneCtx context = tacho_tracy_begin(&TACHO_JOIN(tacho_site_of_, context), (active))
/* What a zone is told counts for the innermost one, so it is told only where its own zone is recorded. */
#define TACHO_TRACY_IF(context, call) \
    do {                              \
        if ((context).site)           \
            call;                     \
    } while (0)

#define TracyCZone(context, active) TACHO_TRACY_ZONE(context, __func__, 0, active)
#define TracyCZoneN(context, name, active) TACHO_TRACY_ZONE(context, name, 0, active)
#define TracyCZoneC(context, color, active) TACHO_TRACY_ZONE(context, __func__, color, active)
#define TracyCZoneNC(context, name, color, active) TACHO_TRACY_ZONE(context, name, color, active)
#define TracyCZoneS(context, depth, active) TracyCZone(context, active)
#define TracyCZoneNS(context, name, depth, active) TracyCZoneN(context, name, active)
#define TracyCZoneCS(context, color, depth, active) TracyCZoneC(context, color, active)
#define TracyCZoneNCS(context, name, color, depth, active) TracyCZoneNC(context, name, color, active)
#define TracyCZoneEnd(context) tacho_zone_end(context)
#define TracyCZoneText(context, text, size) TACHO_TRACY_IF(context, tacho_text_of("text", text, size))
#define TracyCZoneName(context, text, size) TACHO_TRACY_IF(context, tacho_zone_name(text, size))
#define TracyCZoneColor(context, color) TACHO_TRACY_IF(context, tacho_zone_color(color))
#define TracyCZoneValue(context, value) TACHO_TRACY_IF(context, tacho_unsigned_of("value", (uint64_t)(value)))

#define TracyCPlot(name, value) tacho_counter_of(name, (double)(value))
#define TracyCPlotF(name, value) tacho_counter_of(name, (double)(value))
#define TracyCPlotI(name, value) tacho_counter_of(name, (double)(value))
#define TracyCPlotConfig(name, type, step, fill, color) ((void)0)
#define TracyCMessage(text, size) tacho_message(text, size)
#define TracyCMessageL(text) tacho_message(text, strlen(text))
#define TracyCMessageC(text, size, color) tacho_message(text, size)
#define TracyCMessageLC(text, color) tacho_message(text, strlen(text))
#define TracyCMessageS(text, size, depth) tacho_message(text, size)
#define TracyCMessageLS(text, depth) tacho_message(text, strlen(text))
#define TracyCAppInfo(text, size) tacho_message(text, size)
#define TACHO_TRACY_FRAME(name, call)          \
    do {                                       \
        TACHO_TRACY_SITE(tacho_here, name, 0); \
        (void)tacho_here;                      \
        call(&tacho_here);                     \
    } while (0)
#define TracyCFrameMark TACHO_TRACY_FRAME("frame", tacho_frame)
#define TracyCFrameMarkNamed(name) TACHO_TRACY_FRAME(name, tacho_frame)
#define TracyCFrameMarkStart(name) TACHO_TRACY_FRAME(name, tacho_frame_begin)
#define TracyCFrameMarkEnd(name) TACHO_TRACY_FRAME(name, tacho_frame_end)
#define TracyCSetThreadName(name) tacho_thread_name(name)
#define TracyCIsConnected tacho_recording()
#define TracyCIsStarted tacho_recording()
#define TracyCAlloc(pointer, size) ((void)0)
#define TracyCFree(pointer) ((void)0)
#define TracyCAllocN(pointer, size, name) ((void)0)
#define TracyCFreeN(pointer, name) ((void)0)
#define TracyCAllocS(pointer, size, depth) ((void)0)
#define TracyCFreeS(pointer, depth) ((void)0)

/* ---- C++ ----------------------------------------------------------------------------------------------------------- */

#ifdef __cplusplus

namespace tracy
{

class ScopedZone
{
  public:
    explicit ScopedZone(tacho_site *site, bool active = true) : zone_(tacho_tracy_begin(site, active))
    {
    }
    ScopedZone(tacho_site *site, const char *name, size_t size, bool active) : zone_()
    {
        if (active)
            zone_ = tacho_zone_begin_named(site, name, size);
    }
    ScopedZone(const ScopedZone &) = delete;
    ScopedZone &operator=(const ScopedZone &) = delete;
    ~ScopedZone()
    {
        tacho_zone_end(zone_);
    }
    void Text(const char *text, size_t size)
    {

        TracyCZoneText(zone_, text, size);
    }
    void Name(const char *text, size_t size)
    {

        TracyCZoneName(zone_, text, size);
    }
    void Color(uint32_t color)
    {
        TracyCZoneColor(zone_, color);
    }
    void Value(uint64_t value)
    {
        TracyCZoneValue(zone_, value);
    }
    bool IsActive() const
    {
        return zone_.site != 0;
    }

  private:
    tacho_zone zone_; /* site 0: not recorded */
};

inline void SetThreadName(const char *name)
{
    tacho_thread_name(name);
}

} // namespace tracy

#define TACHO_TRACY_NAMED(variable, name, color, active)                 \
    TACHO_TRACY_SITE(TACHO_JOIN(tacho_site_of_, variable), name, color); \
    tracy::ScopedZone variable(&TACHO_JOIN(tacho_site_of_, variable), (active))

#define ZoneNamed(variable, active) TACHO_TRACY_NAMED(variable, __func__, 0, active)
#define ZoneNamedN(variable, name, active) TACHO_TRACY_NAMED(variable, name, 0, active)
#define ZoneNamedC(variable, color, active) TACHO_TRACY_NAMED(variable, __func__, color, active)
#define ZoneNamedNC(variable, name, color, active) TACHO_TRACY_NAMED(variable, name, color, active)
#define ZoneNamedS(variable, depth, active) ZoneNamed(variable, active)
#define ZoneNamedNS(variable, name, depth, active) ZoneNamedN(variable, name, active)
#define ZoneNamedCS(variable, color, depth, active) ZoneNamedC(variable, color, active)
#define ZoneNamedNCS(variable, name, color, depth, active) ZoneNamedNC(variable, name, color, active)
#define ZoneTransient(variable, active) ZoneTransientN(variable, __func__, active)
#define ZoneTransientN(variable, name, active)                           \
    TACHO_TRACY_SITE(TACHO_JOIN(tacho_site_of_, variable), __func__, 0); \
    tracy::ScopedZone variable(&TACHO_JOIN(tacho_site_of_, variable), name, strlen(name), (active))
#define ZoneScoped ZoneNamed(___tracy_scoped_zone, true)
#define ZoneScopedN(name) ZoneNamedN(___tracy_scoped_zone, name, true)
#define ZoneScopedC(color) ZoneNamedC(___tracy_scoped_zone, color, true)
#define ZoneScopedNC(name, color) ZoneNamedNC(___tracy_scoped_zone, name, color, true)
#define ZoneScopedS(depth) ZoneScoped
#define ZoneScopedNS(name, depth) ZoneScopedN(name)
#define ZoneScopedCS(color, depth) ZoneScopedC(color)
#define ZoneScopedNCS(name, color, depth) ZoneScopedNC(name, color)
#define ZoneText(text, size) ___tracy_scoped_zone.Text(text, size)
#define ZoneTextV(variable, text, size) variable.Text(text, size)
#define ZoneName(text, size) ___tracy_scoped_zone.Name(text, size)
#define ZoneNameV(variable, text, size) variable.Name(text, size)
#define ZoneColor(color) ___tracy_scoped_zone.Color(color)
#define ZoneColorV(variable, color) variable.Color(color)
#define ZoneValue(value) ___tracy_scoped_zone.Value(value)
#define ZoneValueV(variable, value) variable.Value(value)
#define ZoneIsActive ___tracy_scoped_zone.IsActive()
#define ZoneIsActiveV(variable) variable.IsActive()

#define FrameMark TracyCFrameMark
#define FrameMarkNamed(name) TracyCFrameMarkNamed(name)
#define FrameMarkStart(name) TracyCFrameMarkStart(name)
#define FrameMarkEnd(name) TracyCFrameMarkEnd(name)
#define FrameImage(image, width, height, offset, flip) ((void)0)
#define TracyPlot(name, value) tacho_counter_of(name, static_cast<double>(value))
#define TracyPlotConfig(name, type, step, fill, color) ((void)0)
#define TracyMessage(text, size) tacho_message(text, size)
#define TracyMessageL(text) tacho_message(text, strlen(text))
#define TracyMessageC(text, size, color) tacho_message(text, size)
#define TracyMessageLC(text, color) tacho_message(text, strlen(text))
#define TracyMessageS(text, size, depth) tacho_message(text, size)
#define TracyMessageLS(text, depth) tacho_message(text, strlen(text))
#define TracyAppInfo(text, size) tacho_message(text, size)
#define TracyIsConnected tacho_recording()
#define TracyNoop ((void)0)
#define TracyAlloc(pointer, size) ((void)0)
#define TracyFree(pointer) ((void)0)
#define TracyAllocN(pointer, size, name) ((void)0)
#define TracyFreeN(pointer, name) ((void)0)
#define TracyLockable(type, variable) type variable
#define TracyLockableN(type, variable, description) type variable
#define TracySharedLockable(type, variable) type variable
#define TracySharedLockableN(type, variable, description) type variable
#define LockableBase(type) type
#define SharedLockableBase(type) type
#define LockMark(variable) ((void)0)
#define LockableName(variable, text, size) ((void)0)

#endif

#endif
