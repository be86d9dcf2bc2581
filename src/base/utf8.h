/* utf8.h: characters of texts that may hold anything. Nothing here owns or allocates. */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include <stdbool.h>
#include <stdint.h>

enum { UTF8_BAD = 0xFFFD };          /* stands for what is no character */
#define UTF8_BAD_TEXT "\xEF\xBF\xBD" /* the same in UTF-8 */

/* The character at `*cursor`, which is before `end` and moves behind it. What is no valid UTF-8 (overlong, a surrogate, cut off) is
 * UTF8_BAD with `*valid` false, and as many bytes as could have begun a character are taken, one at least. */
uint32_t utf8_read(const char **cursor, const char *end, bool *valid);

#endif
