/* replay.c: runs a fuzz target over files instead of random bytes: replay FOLDER_OR_FILE...
 *
 * Linked with a target and any compiler's sanitizers, it makes the corpus a test. Files are taken in order of name.
 */
#include "check_sink.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static unsigned replayed;

static int replay_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    uint8_t *data = NULL;
    size_t size = 0;
    struct stat about;
    int failed = 1;

    if (file && fstat(fileno(file), &about) == 0 && about.st_size >= 0) {
        size = (size_t)about.st_size;
        data = malloc(size ? size : 1); /* of exactly that size, so that a byte too much is seen */
        failed = !data || fread(data, 1, size, file) != size;
    }
    if (failed)
        perror(path);
    if (!failed) {
        fprintf(stderr, "%s\n", path);
        LLVMFuzzerTestOneInput(data, size);
        replayed++;
    }
    free(data);
    if (file)
        fclose(file);
    return failed;
}

static int not_hidden(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

static int replay_folder(const char *path)
{
    struct dirent **entries;
    int count = scandir(path, &entries, not_hidden, alphasort);
    int failed = count < 0;

    if (failed)
        perror(path);
    for (int i = 0; i < count; i++) {
        char name[4096];

        snprintf(name, sizeof name, "%s/%s", path, entries[i]->d_name);
        failed |= replay_file(name);
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
    return failed;
}

int main(int count, char **words)
{
    int failed = 0;

    check_every_way = true;
    for (int i = 1; i < count; i++) {
        struct stat about;

        if (stat(words[i], &about) != 0) {
            perror(words[i]);
            failed = 1;
        } else {
            failed |= S_ISDIR(about.st_mode) ? replay_folder(words[i]) : replay_file(words[i]);
        }
    }
    printf("%u inputs replayed\n", replayed);
    return failed || replayed == 0;
}
