/* fuzz_json.c: JSON from memory. The scanner and the tree must agree on what is JSON, unescaping stays in its room, and any text can be
 * written as JSON. */
#include <stdlib.h>
#include <string.h>

#include "base/json_write.h"
#include "base/utf8.h"
#include "check_sink.h"

enum { LARGEST = 64 * 1024 };

/* Written once it is strict: UTF-8 without control characters, and the same when it is written again. */
static void check_written(struct text text)
{
    struct output *once = NULL, *twice = NULL;
    struct text written, again;
    struct json_scan scan;

    if (output_open_memory(&once) == STATUS_OK && output_open_memory(&twice) == STATUS_OK) {
        json_value_json(once, text);
        written.data = output_memory(once, &written.length);
        scan = json_scan("written", written);
        check_that(json_skip(&scan, NULL) == STATUS_OK && json_end(&scan) == STATUS_OK, "what is written is JSON");
        for (const char *cursor = written.data, *end = cursor + written.length; cursor < end;) {
            bool valid;

            check_that(utf8_read(&cursor, end, &valid) >= 0x20 && valid, "what is written is text");
        }
        json_value_json(twice, written);
        again.data = output_memory(twice, &again.length);
        check_that(again.length == written.length && memcmp(again.data, written.data, again.length) == 0,
                   "JSON that we wrote is written as it is");
    }
    output_abandon(once);
    output_abandon(twice);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct text text = { (const char *)data, size };
    struct json_scan scan = json_scan("fuzz.json", text);
    struct arena arena = ARENA_EMPTY;
    const struct json *root;
    char *plain;
    status skipped, parsed;

    if (size > LARGEST)
        return -1;
    skipped = json_skip(&scan, NULL);
    if (skipped == STATUS_OK)
        skipped = json_end(&scan);
    parsed = json_parse(&arena, "fuzz.json", text, &root);
    check_that(skipped == parsed, "scanner and tree agree");
    check_that(parsed != STATUS_OK || scan.depth == 0, "all containers were left");
    if (parsed == STATUS_OK && root->type == JSON_OBJECT && root->count > 0)
        check_that(json_get(root, root->keys[0].data) != NULL || strlen(root->keys[0].data) != root->keys[0].length,
                   "a key that is there is found");
    arena_free(&arena);
    plain = malloc(size ? size : 1);
    if (plain && size > 0)
        check_that(json_unescape(text, plain) <= size, "a text does not grow without its escapes");
    free(plain);
    check_written(text);
    return 0;
}
