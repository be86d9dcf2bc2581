/* status.c: the causes of a failure, by thread. */
#include "base/status.h"

#include <stdio.h>
#include <string.h>

/* Causes are cut at this length: enough for two long paths and a sentence. */
enum { MESSAGE_CAPACITY = 4096 };

static _Thread_local char message[MESSAGE_CAPACITY];
static _Thread_local size_t message_length;
static _Thread_local char place_file[MESSAGE_CAPACITY];
static _Thread_local struct place place; /* its file lies in `place_file` */

static void append(const char *format, va_list arguments)
{
    size_t room = sizeof message - message_length;
    int written = vsnprintf(message + message_length, room, format, arguments);

    if (written < 0)
        return;
    message_length += (size_t)written < room ? (size_t)written : room - 1;
}

static void append_format(const char *format, ...) PRINTF_LIKE(1, 2);

static void append_format(const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    append(format, arguments);
    va_end(arguments);
}

void status_clear(void)
{
    message[0] = '\0';
    message_length = 0;
    place = (struct place){ 0 };
}

status status_fail(status code, const char *format, ...)
{
    va_list arguments;

    status_clear();
    va_start(arguments, format);
    append(format, arguments);
    va_end(arguments);
    return code;
}

status status_fail_at(status code, struct place where, const char *format, ...)
{
    va_list arguments;

    status_clear();
    snprintf(place_file, sizeof place_file, "%s", where.file);
    place = (struct place){ place_file, where.line, where.line ? where.column : 0 };
    append_format("%s:", where.file);
    if (where.line)
        append_format("%llu:", (unsigned long long)where.line);
    if (where.line && where.column)
        append_format("%llu:", (unsigned long long)where.column);
    append_format(" ");
    va_start(arguments, format);
    append(format, arguments);
    va_end(arguments);
    return code;
}

status status_no_memory(const char *what)
{
    return status_fail(STATUS_MEMORY, "out of memory while %s", what);
}

status status_add(status code, const char *format, ...)
{
    va_list arguments;

    append_format("\n  while ");
    va_start(arguments, format);
    append(format, arguments);
    va_end(arguments);
    return code;
}

struct place status_place(void)
{
    return place;
}

const char *status_message(void)
{
    return message;
}

int status_exit_code(status code)
{
    switch (code) {
#define X(name, exit_code, text) \
    case STATUS_##name:          \
        return exit_code;
        STATUS_MAP(X)
#undef X
    }
    return 3;
}
