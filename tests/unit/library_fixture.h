/* library_fixture.h: what the tests of the public library share: a folder of their own, files, short calls. */
#ifndef LIBRARY_FIXTURE_H
#define LIBRARY_FIXTURE_H

/* clang-format off: cmocka wants these four before it */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <tacho/tacho.h>

#include "base/memory.h"
#include "base/output.h"

#define assert_status(call, wanted) assert_int_equal(call, wanted)
#define assert_done(call)                          \
    do {                                           \
        enum tacho_status got = (call);            \
        if (got != TACHO_OK)                       \
            fail_msg("%s", tacho_error_message()); \
    } while (0)
#define assert_message(part) assert_non_null(strstr(tacho_error_message(), part))

struct fixture {
    char folder[64];
    char path[128]; /* of `path_in` */
};

static inline int start(void **state)
{
    struct fixture *fixture = calloc(1, sizeof *fixture);

    strcpy(fixture->folder, "/tmp/tacho_library_XXXXXX");
    *state = fixture;
    return mkdtemp(fixture->folder) ? 0 : -1;
}

static inline const char *path_in(struct fixture *fixture, const char *name)
{
    snprintf(fixture->path, sizeof fixture->path, "%s/%s", fixture->folder, name);
    return fixture->path;
}

/* Files in the folder, hidden ones too; removes them where asked. */
static inline unsigned files_in(const struct fixture *fixture, bool remove_them)
{
    DIR *folder = opendir(fixture->folder);
    struct dirent *entry;
    unsigned count = 0;
    char path[sizeof fixture->folder + sizeof entry->d_name + 1];

    while ((entry = readdir(folder)) != NULL) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        count++;
        snprintf(path, sizeof path, "%s/%s", fixture->folder, entry->d_name);
        if (remove_them)
            unlink(path);
    }
    closedir(folder);
    return count;
}

static inline int stop(void **state)
{
    struct fixture *fixture = *state;

    memory_fail_at(0);
    output_fail_at(0);
    files_in(fixture, true);
    rmdir(fixture->folder);
    free(fixture);
    return 0;
}

static inline char *contents(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    struct stat found;
    char *data;

    assert_non_null(file);
    assert_int_equal(fstat(fileno(file), &found), 0);
    data = malloc((size_t)found.st_size + 1);
    *size = fread(data, 1, (size_t)found.st_size, file);
    data[*size] = '\0';
    fclose(file);
    return data;
}

static inline void assert_contents(const char *path, const char *wanted)
{
    size_t size;
    char *data = contents(path, &size);

    assert_string_equal(data, wanted);
    free(data);
}

static inline bool holds(const char *path, const char *part)
{
    size_t size;
    char *data = contents(path, &size);
    bool found = memmem(data, size, part, strlen(part)) != NULL;

    free(data);
    return found;
}

static inline unsigned lines_with(const char *path, const char *part)
{
    size_t size;
    char *data = contents(path, &size);
    unsigned count = 0;

    for (char *at = data; (at = strstr(at, part)) != NULL; at++)
        count++;
    free(data);
    return count;
}

static inline const char *data_path(const char *name)
{
    static _Thread_local char path[4][512];
    static _Thread_local unsigned next;
    const char *folder = getenv("TACHO_TEST_DATA");
    char *to = path[next++ % 4];

    snprintf(to, sizeof path[0], "%s/%s", folder ? folder : "tests/data", name);
    return to;
}

static inline void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");

    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

/* A writer with one process and one thread. */
static inline struct tacho_writer *open_writer(const char *path, const struct tacho_writer_options *options,
                                               tacho_thread *thread)
{
    struct tacho_writer *writer;
    tacho_process process;

    assert_done(tacho_writer_open(path, options, &writer));
    assert_done(tacho_writer_add_process(writer, "P", &process));
    assert_done(tacho_writer_add_thread(writer, process, "T", thread));
    return writer;
}

static inline enum tacho_status render(struct tacho_writer *writer, tacho_thread thread, const char *name, int64_t from,
                                       int64_t to)
{
    return tacho_writer_render(writer,
                               &(struct tacho_slice){ .thread = thread, .name = name, .start = from, .end = to });
}

/* A slice that has nothing but arguments. */
static inline enum tacho_status render_with(struct tacho_writer *writer, tacho_thread thread,
                                            const struct tacho_argument *arguments, size_t count)
{
    return tacho_writer_render(
        writer, &(struct tacho_slice){
                    .thread = thread, .name = "x", .end = 1, .arguments = arguments, .argument_count = count });
}

static inline enum tacho_status begin(struct tacho_writer *writer, tacho_thread thread, const char *name, int64_t time)
{
    return tacho_writer_begin(writer, &(struct tacho_slice){ .thread = thread, .name = name, .start = time });
}

#define test_in_folder(name) cmocka_unit_test_setup_teardown(name, start, stop)

#endif
