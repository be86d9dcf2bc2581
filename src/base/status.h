/* status.h: what a function that can fail returns, and why it failed.
 *
 * Every function that can fail returns a `status`. The sentence that explains it lies on a stack of causes, one per
 * thread: `status_fail` starts the stack with the root cause, each caller on the way up may add what it was doing with
 * `status_add`. Only `cli/` prints the result. Nothing here allocates, so an allocation failure can be reported too.
 *
 * A cause that is about the user's input begins with `file:line:column` of that input; `status_fail_at` does that.
 */
#ifndef BASE_STATUS_H
#define BASE_STATUS_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

/* X(name, process exit code, text) */
#define STATUS_MAP(X)                           \
    X(OK, 0, "done")                            \
    X(NO, 1, "the answer is no")                \
    X(USAGE, 2, "wrong usage")                  \
    X(INPUT, 3, "input could not be used")      \
    X(OUTPUT, 4, "output could not be written") \
    X(MEMORY, 3, "out of memory")

typedef enum status {
#define X(name, exit_code, text) STATUS_##name,
    STATUS_MAP(X)
#undef X
} status;

#define NODISCARD __attribute__((warn_unused_result))
#define PRINTF_LIKE(text, first) __attribute__((format(printf, text, first)))

/* Where in the input something was found. Line and column count from 1; 0 leaves them out. */
struct place {
    const char *file; /* borrowed; NULL: none */
    uint64_t line;    /* from 1; 0: not known */
    uint64_t column;  /* in bytes, from 1; 0: not known */
};

/* Forget earlier causes and start with this one. Returns `code`. */
status status_fail(status code, const char *format, ...) PRINTF_LIKE(2, 3);

/* The same, with `file:line:column: ` before the sentence. */
status status_fail_at(status code, struct place where, const char *format, ...) PRINTF_LIKE(3, 4);

/* Out of memory while doing `what`. */
status status_no_memory(const char *what);

/* Add what the caller was doing when it failed: shown after the root cause. Returns `code`. */
status status_add(status code, const char *format, ...) PRINTF_LIKE(2, 3);

/* Where in an input the root cause lies, as `status_fail_at` was told; its file is NULL where that is not known. Valid as long as the
 * message. */
struct place status_place(void);

/* The causes as one text: the root first, then one line per added cause. Valid until the next status call. */
const char *status_message(void);

/* The process exit code for a status. */
int status_exit_code(status code);

void status_clear(void);

#endif
