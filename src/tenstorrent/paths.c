#include "tenstorrent/paths.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/folder.h"

/* What an environment variable says; "": nothing. */
static const char *variable(const char *name)
{
    const char *value = getenv(name);

    return value ? value : "";
}

static status check_length(int length, const char *name)
{
    if (length < 0 || length >= PATH_MAX)
        return status_fail(STATUS_USAGE, "%s is too long", name);
    return STATUS_OK;
}

status tt_profiler_path(const char *inner, char to[PATH_MAX])
{
    static const char below[] = "tt_metal/tools/profiler";
    const char *home = variable("TT_METAL_HOME");

    if (!*home && !folder_exists(below) && folder_exists("logs")) /* the document goes to the profiler's folder first */
        return check_length(snprintf(to, PATH_MAX, "%s", inner), "the path");
    return check_length(snprintf(to, PATH_MAX, "%s%s%s/%s", home, *home ? "/" : "", below, inner), "TT_METAL_HOME");
}

status tt_generated_path(const char *inner, char to[PATH_MAX])
{
    const char *folder = variable("TT_METAL_PROFILER_DIR"), *home = variable("TT_METAL_HOME");

    if (*folder)
        return check_length(snprintf(to, PATH_MAX, "%s/%s", folder, inner), "TT_METAL_PROFILER_DIR");
    return check_length(snprintf(to, PATH_MAX, "%s%sgenerated/profiler/%s", home, *home ? "/" : "", inner),
                        "TT_METAL_HOME");
}

bool tt_newer_is_meant(bool older_is_there, bool newer_is_there)
{
    return newer_is_there && (!older_is_there || *variable("TT_METAL_PROFILER_DIR"));
}
