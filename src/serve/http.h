/* http.h: libmicrohttpd, which is loaded where a server is asked for: base/loaded.h tells why. */
#ifndef SERVE_HTTP_H
#define SERVE_HTTP_H

#include <microhttpd.h>

#include "base/status.h"

/* What is used of it. X(name of a function, without its prefix) */
#define HTTP_CALLS(X)                                     \
    X(start_daemon)                                       \
    X(quiesce_daemon)                                     \
    X(stop_daemon)                                        \
    X(get_connection_info)                                \
    X(get_connection_values)                              \
    X(lookup_connection_value)                            \
    X(suspend_connection)                                 \
    X(resume_connection)                                  \
    X(add_response_header)                                \
    X(queue_response)                                     \
    X(create_response_from_fd64)                          \
    X(create_response_from_callback)                      \
    X(create_response_from_buffer_with_free_callback_cls) \
    X(destroy_response)

struct http_calls {
#define X(name) __typeof__(&MHD_##name) name; /* MHD_ and this */
    HTTP_CALLS(X)
#undef X
};

/* Once, before anything else of it, and before the process is confined: it opens files. Afterwards `mhd` has all its calls. */
NODISCARD status http_load(void);
extern struct http_calls mhd;

#endif
