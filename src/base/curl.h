/* curl.h: libcurl, which is loaded where a server is asked: base/loaded.h tells why. */
#ifndef BASE_CURL_H
#define BASE_CURL_H

#include <curl/curl.h>

#include "base/status.h"

/* What is used of it. X(name of a function, without its prefix) */
#define CURL_CALLS(X) \
    X(easy_cleanup)   \
    X(easy_getinfo)   \
    X(easy_init)      \
    X(easy_perform)   \
    X(easy_reset)     \
    X(easy_setopt)    \
    X(easy_strerror)  \
    X(global_init)    \
    X(slist_append)   \
    X(slist_free_all)

struct curl_calls {
#define X(name) __typeof__(&curl_##name) name; /* curl_ and this */
    CURL_CALLS(X)
#undef X
};

/* Before anything else of it. Afterwards `curl` has all its calls. May be called again, by any thread. */
NODISCARD status curl_load(void);
extern struct curl_calls curl;

#endif
