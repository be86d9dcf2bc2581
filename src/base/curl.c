/* curl.c: the calls of libcurl, looked up by name. */
#include "base/curl.h"

#include <pthread.h>
#include <stdbool.h>

#include "base/loaded.h"

struct curl_calls curl;

status curl_load(void)
{
    static const char *const names[] = {
#define X(name) "curl_" #name,
        CURL_CALLS(X)
#undef X
    };
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static bool loaded;
    status code = STATUS_OK;

    _Static_assert(sizeof curl == sizeof names, "calls are pointers, one behind the other");
    pthread_mutex_lock(&lock);
    if (!loaded)
        code = loaded_calls("libcurl.so.4", "a history on servers", names, sizeof names / sizeof *names, &curl);
    if (code == STATUS_OK && !loaded && curl.global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK)
        code = status_fail(STATUS_OUTPUT, "libcurl cannot be started");
    loaded = code == STATUS_OK;
    pthread_mutex_unlock(&lock);
    return code;
}
