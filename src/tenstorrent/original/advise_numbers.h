/* advise_numbers.h: numbers of the tables of advice, with commas between the thousands. */
#ifndef TENSTORRENT_ORIGINAL_ADVISE_NUMBERS_H
#define TENSTORRENT_ORIGINAL_ADVISE_NUMBERS_H

#include <stddef.h>

enum { ADVISE_NUMBER = 512 }; /* room for the largest double with commas */

/* As "%.0f" or "%.1f" with commas, before `end`, where there is room for ADVISE_NUMBER bytes: rounded to the nearest, which needs
 * printf's exact arithmetic only where two are about as near. Returns where it begins. */
char *advise_number_before(char *end, double value, int decimals);
/* The same into a buffer of ADVISE_NUMBER bytes; its length. */
size_t advise_number(char *to, double value, int decimals);

#endif
