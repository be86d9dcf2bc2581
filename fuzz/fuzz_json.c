/* fuzz_json.c: JSON from memory. The scanner and the tree must agree on what is JSON, and unescaping stays in its room. */
#include "check_sink.h"

#include <stdlib.h>
#include <string.h>

#include "base/json.h"

enum { LARGEST = 64 * 1024 };

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
    return 0;
}
