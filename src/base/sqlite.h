/* sqlite.h: SQLite, which is loaded where a query is asked or a history kept: base/loaded.h tells why. */
#ifndef BASE_SQLITE_H
#define BASE_SQLITE_H

#include <sqlite3.h>

#include "base/status.h"

/* What is used of it. X(name of a function, without its prefix) */
#define SQLITE_CALLS(X)      \
    X(aggregate_context)     \
    X(bind_blob64)           \
    X(bind_double)           \
    X(bind_int64)            \
    X(bind_null)             \
    X(bind_text64)           \
    X(busy_timeout)          \
    X(close)                 \
    X(column_blob)           \
    X(column_bytes)          \
    X(column_count)          \
    X(column_double)         \
    X(column_int64)          \
    X(column_name)           \
    X(column_origin_name)    \
    X(column_table_name)     \
    X(column_text)           \
    X(column_type)           \
    X(create_function)       \
    X(create_module)         \
    X(db_config)             \
    X(declare_vtab)          \
    X(errcode)               \
    X(errmsg)                \
    X(error_offset)          \
    X(exec)                  \
    X(extended_result_codes) \
    X(finalize)              \
    X(free)                  \
    X(limit)                 \
    X(memory_used)           \
    X(mprintf)               \
    X(open_v2)               \
    X(prepare_v2)            \
    X(progress_handler)      \
    X(realloc64)             \
    X(reset)                 \
    X(result_double)         \
    X(result_error)          \
    X(result_error_nomem)    \
    X(result_int64)          \
    X(result_null)           \
    X(result_text)           \
    X(set_authorizer)        \
    X(step)                  \
    X(stmt_readonly)         \
    X(user_data)             \
    X(value_bytes)           \
    X(value_double)          \
    X(value_int64)           \
    X(value_numeric_type)    \
    X(value_text)            \
    X(value_type)            \
    X(vtab_collation)        \
    X(vtab_config)

struct sqlite_calls {
#define X(name) __typeof__(&sqlite3_##name) name; /* sqlite3_ and this */
    SQLITE_CALLS(X)
#undef X
};

/* Before anything else of it, and before a process is confined: it opens files. Afterwards `sqlite` has all its calls. May be called again, by
 * any thread. */
NODISCARD status sqlite_load(void);
extern struct sqlite_calls sqlite;

#endif
