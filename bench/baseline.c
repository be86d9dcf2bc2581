/* baseline.c: the least work that reading a file can be: chunks of 1 MiB, newlines counted with memchr; of binary files, the chunks alone.
 *
 * Every other program is measured as a multiple of this one, because absolute times on shared machines mean little.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { CHUNK = 1 << 20 };

static uint64_t count_newlines(const char *data, size_t length)
{
    const char *end = data + length;
    uint64_t count = 0;

    while (data < end && (data = memchr(data, '\n', (size_t)(end - data)))) {
        count++;
        data++;
    }
    return count;
}

int main(int count, char **words)
{
    static char chunk[CHUNK];
    bool binary = count == 3 && strcmp(words[1], "--binary") == 0;
    const char *path = words[count - 1];
    uint64_t lines = 0;
    ssize_t got;
    int file;

    if (count != 2 && !binary) {
        fprintf(stderr, "usage: baseline [--binary] FILE\n");
        return 2;
    }
    file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) {
        fprintf(stderr, "baseline: %s: %s\n", path, strerror(errno));
        return 3;
    }
    while ((got = read(file, chunk, sizeof chunk)) > 0)
        lines += binary ? 0 : count_newlines(chunk, (size_t)got);
    if (got < 0) {
        fprintf(stderr, "baseline: %s: %s\n", path, strerror(errno));
        return 3;
    }
    close(file);
    printf("%" PRIu64 "\n", lines);
    return 0;
}
