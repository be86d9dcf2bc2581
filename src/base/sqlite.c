/* sqlite.c: the calls of SQLite, looked up by name. */
#include "base/sqlite.h"

#include <pthread.h>
#include <stdbool.h>

#include "base/loaded.h"

struct sqlite_calls sqlite;

status sqlite_load(void)
{
    static const char *const names[] = {
#define X(name) "sqlite3_" #name,
        SQLITE_CALLS(X)
#undef X
    };
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static bool loaded;
    status code = STATUS_OK;

    _Static_assert(sizeof sqlite == sizeof names, "calls are pointers, one behind the other");
    pthread_mutex_lock(&lock);
    if (!loaded)
        code = loaded_calls("libsqlite3.so.0", "a query or a history", names, sizeof names / sizeof *names, &sqlite);
    loaded = code == STATUS_OK;
    pthread_mutex_unlock(&lock);
    return code;
}
