/* paths.c: tt-metal's folders, from the environment. */
#include "tenstorrent/paths.h"

#include <stdlib.h>

/* What an environment variable says; "": nothing. */
static const char *variable(const char *name)
{
    const char *value = getenv(name);

    return value ? value : "";
}

status tt_profiler_path(const char *inner, struct path *to)
{
    static const char below[] = "tt_metal/tools/profiler";
    const char *home = variable("TT_METAL_HOME");

    if (!*home && !path_is_folder(below) &&
        path_is_folder("logs")) /* the document goes to the profiler's folder first */
        return path_set(to, "%s", inner);
    return path_set(to, "%s%s%s/%s", home, *home ? "/" : "", below, inner);
}

status tt_generated_path(const char *inner, struct path *to)
{
    const char *folder = variable("TT_METAL_PROFILER_DIR"), *home = variable("TT_METAL_HOME");

    if (*folder)
        return path_set(to, "%s/%s", folder, inner);
    return path_set(to, "%s%sgenerated/profiler/%s", home, *home ? "/" : "", inner);
}

bool tt_newer_is_meant(bool older_is_there, bool newer_is_there)
{
    return newer_is_there && (!older_is_there || *variable("TT_METAL_PROFILER_DIR"));
}
