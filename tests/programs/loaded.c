/* loaded.c: a library that records, for tests of programs that load and unload one. */
#include "tacho/zone.h"

void record_something(void);

void record_something(void)
{
    TACHO_ZONE("in a library");
    TACHO_INSTANT("an instant of it");
}
