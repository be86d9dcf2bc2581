/* loaded.c: calls of a library that is loaded where it is needed. */
#include "base/loaded.h"

#include <assert.h>
#include <dlfcn.h>
#include <string.h>

status loaded_calls(const char *library, const char *purpose, const char *const *names, size_t count, void *calls)
{
    void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    char *next = calls;

    assert(names && calls);
    if (!handle)
        return status_fail(STATUS_OUTPUT, "%s needs a library that cannot be loaded: %s", purpose, dlerror());
    for (size_t i = 0; i < count; i++) {
        void *found = dlsym(handle, names[i]);

        if (!found)
            return status_fail(STATUS_OUTPUT, "%s needs %s, which %s does not have", purpose, names[i], library);
        memcpy(next, &found, sizeof found);
        next += sizeof found;
    }
    return STATUS_OK;
}
