/* advise_numbers.c: numbers with commas, as tt-perf-report prints them. */
#include "tenstorrent/original/advise_numbers.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* Puts commas between the thousands of a number that printf wrote. */
static size_t add_commas(char *to, const char *from)
{
    size_t digits = strspn(from + (*from == '-'), "0123456789");
    size_t length = 0;

    if (*from == '-')
        to[length++] = *from++;
    for (; digits > 0; digits--) {
        to[length++] = *from++;
        if (digits > 1 && digits % 3 == 1)
            to[length++] = ',';
    }
    while (*from)
        to[length++] = *from++;
    to[length] = '\0';
    return length;
}

/* Digits with commas, from the right end of a buffer; where they begin. */
static char *digits_before(char *end, uint64_t number)
{
    while (number >= 1000) {
        unsigned last = (unsigned)(number % 1000);

        *--end = (char)('0' + last % 10);
        *--end = (char)('0' + last / 10 % 10);
        *--end = (char)('0' + last / 100);
        *--end = ',';
        number /= 1000;
    }
    do {
        *--end = (char)('0' + number % 10);
        number /= 10;
    } while (number);
    return end;
}

/* As printf has it, with commas. */
static char *exactly_before(char *end, double value, int decimals)
{
    char text[ADVISE_NUMBER], commas[ADVISE_NUMBER];
    size_t length;

    snprintf(text, sizeof text, "%.*f", decimals, value);
    length = add_commas(commas, text);
    memcpy(end - length, commas, length);
    return end - length;
}

char *advise_number_before(char *end, double value, int decimals)
{
    double scaled = decimals ? value * 10 : value;
    uint64_t number;
    double rest;

    if (!(value >= 0) || scaled > 1e12)
        return exactly_before(end, value, decimals);
    number = (uint64_t)scaled;
    rest = scaled - (double)number;
    if (fabs(rest - 0.5) < 1e-3)
        return exactly_before(end, value, decimals);
    number += rest > 0.5;
    if (decimals) {
        *--end = (char)('0' + number % 10);
        *--end = '.';
        number /= 10;
    }
    return digits_before(end, number);
}

size_t advise_number(char *to, double value, int decimals)
{
    char text[ADVISE_NUMBER], *begin = advise_number_before(text + sizeof text, value, decimals);
    size_t length = (size_t)(text + sizeof text - begin);

    memcpy(to, begin, length);
    return length;
}
