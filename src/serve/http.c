/* http.c: the calls of libmicrohttpd, looked up by name. */
#include "serve/http.h"

#include "base/loaded.h"

struct http_calls mhd;

status http_load(void)
{
    static const char *const names[] = {
#define X(name) "MHD_" #name,
        HTTP_CALLS(X)
#undef X
    };

    _Static_assert(sizeof mhd == sizeof names, "calls are pointers, one behind the other");
    return loaded_calls("libmicrohttpd.so.12", "a server", names, sizeof names / sizeof *names, &mhd);
}
