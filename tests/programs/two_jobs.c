/* two_jobs.c: jobs of the library at once in several threads, and what each answers alone: two_jobs FILE... prints "same" where every
 * thread got the same tables as one that had the library to itself. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tacho/tacho.h>

enum { THREADS = 4, ROUNDS = 3, MOST_FILES = 16 };

/* One question: a verb about a file. */
struct question {
    const char *verb;
    const char *by; /* of summary; NULL: none */
    const char *path;
};

struct asking {
    const struct question *questions;
    size_t count;
    size_t first;     /* each thread begins elsewhere, so that they meet */
    uint64_t *digest; /* by question: of the cells of the tables */
    int failed;
};

static uint64_t mix(uint64_t digest, const char *text)
{
    for (; text && *text; text++)
        digest = (digest ^ (unsigned char)*text) * 0x100000001B3u;
    return digest;
}

static uint64_t digest_table(const struct tacho_table *table, uint64_t digest)
{
    for (size_t row = 0; row < tacho_table_rows(table); row++) {
        for (size_t column = 0; column < tacho_table_columns(table); column++) {
            char number[64];

            snprintf(number, sizeof number, "%.17g", tacho_table_decimal(table, row, column));
            digest = mix(mix(digest, tacho_table_text(table, row, column)), number);
        }
    }
    return digest;
}

static int ask(const struct question *question, uint64_t *digest)
{
    const struct tacho_option by[] = { { "by", question->by }, { "sort", "-total_time" }, { "limit", "20" } };
    struct tacho_result *result = NULL;
    enum tacho_status code = tacho_run(question->verb, &question->path, 1, by, question->by ? 3 : 0, &result);

    *digest = 0xCBF29CE484222325u;
    for (size_t i = 0; code == TACHO_OK && i < tacho_result_tables(result); i++)
        *digest = digest_table(tacho_result_table(result, i), *digest);
    if (code != TACHO_OK)
        fprintf(stderr, "%s %s: %s\n", question->verb, question->path, tacho_error_message());
    tacho_result_free(result);
    return code != TACHO_OK;
}

static void *ask_all(void *context)
{
    struct asking *asking = context;

    for (size_t round = 0; round < ROUNDS; round++)
        for (size_t i = 0; i < asking->count; i++) {
            size_t which = (asking->first + i) % asking->count;

            asking->failed |= ask(&asking->questions[which], &asking->digest[which]);
        }
    return NULL;
}

int main(int count, char **words)
{
    static struct question questions[MOST_FILES * 3];
    static uint64_t digests[THREADS + 1][MOST_FILES * 3];
    struct asking askings[THREADS + 1];
    pthread_t threads[THREADS];
    size_t asked = 0;
    int failed = 0;

    for (int i = 1; i < count && asked + 3 <= sizeof questions / sizeof *questions; i++) {
        questions[asked++] = (struct question){ "summary", "operator", words[i] };
        questions[asked++] = (struct question){ "summary", "engine", words[i] };
        questions[asked++] = (struct question){ "advise", NULL, words[i] };
    }
    for (size_t i = 0; i <= THREADS; i++)
        askings[i] = (struct asking){ questions, asked, i * 2, digests[i], 0 };
    ask_all(&askings[THREADS]);
    for (size_t i = 0; i < THREADS; i++)
        if (pthread_create(&threads[i], NULL, ask_all, &askings[i]) != 0)
            return 2;
    for (size_t i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    for (size_t i = 0; i <= THREADS; i++)
        failed |= askings[i].failed || memcmp(digests[i], digests[THREADS], asked * sizeof **digests) != 0;
    printf("%s: %zu questions, %d threads, %d rounds\n", failed ? "DIFFERENT" : "same", asked, THREADS, ROUNDS);
    return failed;
}
