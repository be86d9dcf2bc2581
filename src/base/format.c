/* format.c: durations, counts, bytes, percents and dates for people; the width of UTF-8 text. */
#include "base/format.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/number.h"

/* `value` counts units of 1/10^decimals: written with the point in its place. */
static size_t write_fixed(char *to, uint64_t value, unsigned decimals)
{
    char digits[20];
    size_t count = number_write_unsigned(digits, value);
    size_t length;

    if (count <= decimals) {
        size_t zeros = decimals + 1 - count;

        memmove(digits + zeros, digits, count);
        memset(digits, '0', zeros);
        count += zeros;
    }
    memcpy(to, digits, count - decimals);
    length = count - decimals;
    to[length++] = '.';
    memcpy(to + length, digits + count - decimals, decimals);
    return length + decimals;
}

static size_t write_text(char *to, const char *text)
{
    size_t length = strlen(text);

    memcpy(to, text, length + 1);
    return length;
}

size_t format_duration(char *to, int64_t nanoseconds)
{
    uint64_t magnitude = nanoseconds < 0 ? ~(uint64_t)nanoseconds + 1 : (uint64_t)nanoseconds;
    size_t length = 0;

    if (nanoseconds < 0)
        to[length++] = '-';
    if (magnitude >= 1000000000) {
        length += write_fixed(to + length, (magnitude + 500000) / 1000000, 3);
        return length + write_text(to + length, "s");
    }
    if (magnitude >= 1000000) {
        length += write_fixed(to + length, (magnitude + 500) / 1000, 3);
        return length + write_text(to + length, "ms");
    }
    if (magnitude >= 1000) {
        length += write_fixed(to + length, magnitude, 3);
        return length + write_text(to + length, "\xC2\xB5s");
    }
    length += number_write_unsigned(to + length, magnitude);
    return length + write_text(to + length, "ns");
}

/* printf writes the point of the locale; this puts ours in its place. `digits_after` digits follow it. */
static size_t unify_point(char *text, size_t length, size_t digits_after)
{
    size_t begin = text[0] == '-' ? 1 : 0;
    size_t after = length - digits_after;

    while (text[begin] >= '0' && text[begin] <= '9')
        begin++;
    text[begin] = '.';
    memmove(text + begin + 1, text + after, digits_after);
    return begin + 1 + digits_after;
}

size_t format_percent(char *to, int64_t part, int64_t whole)
{
    double percent = whole == 0 || part == 0 ? 0.0 : 100.0 * (double)part / (double)whole;
    int printed = snprintf(to, FORMAT_SIZE, "%.2f", percent);
    size_t length = unify_point(to, (size_t)printed, 2);

    return length + write_text(to + length, "%");
}

size_t format_bytes(char *to, uint64_t bytes)
{
    static const char *const units[] = { " B", " KiB", " MiB", " GiB", " TiB", " PiB", " EiB" };
    unsigned unit = bytes < 1024 ? 0 : (63u - (unsigned)__builtin_clzll(bytes)) / 10;
    unsigned shift = unit * 10;
    uint64_t mask = ((uint64_t)1 << shift) - 1;
    uint64_t hundredths = bytes >> shift;
    uint64_t rest = bytes & mask;
    size_t length;

    if (unit == 0) {
        length = number_write_unsigned(to, bytes);
        return length + write_text(to + length, units[0]);
    }
    for (int digit = 0; digit < 2; digit++) {
        rest *= 10; /* less than 2^60 times 10: fits */
        hundredths = hundredths * 10 + (rest >> shift);
        rest &= mask;
    }
    hundredths += rest >> (shift - 1);
    if (hundredths == 102400 && unit < 6) {
        hundredths = 100; /* 1023.999 KiB reads better as 1.00 MiB */
        unit++;
    }
    length = write_fixed(to, hundredths, 2);
    return length + write_text(to + length, units[unit]);
}

size_t format_count(char *to, uint64_t count)
{
    char digits[20];
    size_t left = number_write_unsigned(digits, count);
    const char *from = digits;
    size_t length = 0;

    for (; left > 0; left--) {
        to[length++] = *from++;
        if (left % 3 == 1 && left > 1)
            to[length++] = ',';
    }
    to[length] = '\0';
    return length;
}

size_t format_date(char *to, int64_t nanoseconds)
{
    static const int64_t second = 1000000000;
    time_t seconds = (time_t)(nanoseconds / second - (nanoseconds % second < 0));
    struct tm parts;

    *to = '\0';
    return gmtime_r(&seconds, &parts) ? strftime(to, FORMAT_SIZE, "%Y-%m-%dT%H:%M:%SZ", &parts) : 0;
}

struct range {
    uint32_t first; /* code point */
    uint32_t last;  /* code point, itself in the range */
};

/* Characters that take no column of their own: marks that join the one before, and invisible formatting. */
static const struct range zero_wide[] = {
    { 0x0300, 0x036F }, { 0x0483, 0x0489 },   { 0x0591, 0x05BD }, { 0x05BF, 0x05BF }, { 0x05C1, 0x05C2 },
    { 0x05C4, 0x05C5 }, { 0x05C7, 0x05C7 },   { 0x0610, 0x061A }, { 0x064B, 0x065F }, { 0x0670, 0x0670 },
    { 0x06D6, 0x06DC }, { 0x06DF, 0x06E4 },   { 0x06E7, 0x06E8 }, { 0x06EA, 0x06ED }, { 0x0711, 0x0711 },
    { 0x0730, 0x074A }, { 0x07A6, 0x07B0 },   { 0x07EB, 0x07F3 }, { 0x0816, 0x0819 }, { 0x081B, 0x0823 },
    { 0x0825, 0x0827 }, { 0x0829, 0x082D },   { 0x0859, 0x085B }, { 0x08D3, 0x0902 }, { 0x093A, 0x093A },
    { 0x093C, 0x093C }, { 0x0941, 0x0948 },   { 0x094D, 0x094D }, { 0x0951, 0x0957 }, { 0x0962, 0x0963 },
    { 0x0E31, 0x0E31 }, { 0x0E34, 0x0E3A },   { 0x0E47, 0x0E4E }, { 0x0EB1, 0x0EB1 }, { 0x0EB4, 0x0EBC },
    { 0x1AB0, 0x1AFF }, { 0x1DC0, 0x1DFF },   { 0x200B, 0x200F }, { 0x202A, 0x202E }, { 0x2060, 0x2064 },
    { 0x20D0, 0x20F0 }, { 0x302A, 0x302D },   { 0x3099, 0x309A }, { 0xFE00, 0xFE0F }, { 0xFE20, 0xFE2F },
    { 0xFEFF, 0xFEFF }, { 0xE0100, 0xE01EF },
};

/* Characters that take two columns: East Asian scripts and most pictures. */
static const struct range two_wide[] = {
    { 0x1100, 0x115F },   { 0x231A, 0x231B },   { 0x2329, 0x232A },   { 0x23E9, 0x23EC },   { 0x23F0, 0x23F0 },
    { 0x23F3, 0x23F3 },   { 0x25FD, 0x25FE },   { 0x2614, 0x2615 },   { 0x2648, 0x2653 },   { 0x267F, 0x267F },
    { 0x2693, 0x2693 },   { 0x26A1, 0x26A1 },   { 0x26AA, 0x26AB },   { 0x26BD, 0x26BE },   { 0x26C4, 0x26C5 },
    { 0x26CE, 0x26CE },   { 0x26D4, 0x26D4 },   { 0x26EA, 0x26EA },   { 0x26F2, 0x26F3 },   { 0x26F5, 0x26F5 },
    { 0x26FA, 0x26FA },   { 0x26FD, 0x26FD },   { 0x2705, 0x2705 },   { 0x270A, 0x270B },   { 0x2728, 0x2728 },
    { 0x274C, 0x274C },   { 0x274E, 0x274E },   { 0x2753, 0x2755 },   { 0x2757, 0x2757 },   { 0x2795, 0x2797 },
    { 0x27B0, 0x27B0 },   { 0x27BF, 0x27BF },   { 0x2B1B, 0x2B1C },   { 0x2B50, 0x2B50 },   { 0x2B55, 0x2B55 },
    { 0x2E80, 0x303E },   { 0x3041, 0x33FF },   { 0x3400, 0x4DBF },   { 0x4E00, 0xA4CF },   { 0xA960, 0xA97C },
    { 0xAC00, 0xD7A3 },   { 0xF900, 0xFAFF },   { 0xFE10, 0xFE19 },   { 0xFE30, 0xFE6F },   { 0xFF00, 0xFF60 },
    { 0xFFE0, 0xFFE6 },   { 0x16FE0, 0x18AFF }, { 0x1B000, 0x1B2FF }, { 0x1F004, 0x1F004 }, { 0x1F0CF, 0x1F0CF },
    { 0x1F18E, 0x1F18E }, { 0x1F191, 0x1F19A }, { 0x1F200, 0x1F320 }, { 0x1F32D, 0x1F335 }, { 0x1F337, 0x1F37C },
    { 0x1F37E, 0x1F393 }, { 0x1F3A0, 0x1F3CA }, { 0x1F3CF, 0x1F3D3 }, { 0x1F3E0, 0x1F3F0 }, { 0x1F3F4, 0x1F3F4 },
    { 0x1F3F8, 0x1F43E }, { 0x1F440, 0x1F440 }, { 0x1F442, 0x1F4FC }, { 0x1F4FF, 0x1F53D }, { 0x1F54B, 0x1F54E },
    { 0x1F550, 0x1F567 }, { 0x1F57A, 0x1F57A }, { 0x1F595, 0x1F596 }, { 0x1F5A4, 0x1F5A4 }, { 0x1F5FB, 0x1F64F },
    { 0x1F680, 0x1F6C5 }, { 0x1F6CC, 0x1F6CC }, { 0x1F6D0, 0x1F6D2 }, { 0x1F6D5, 0x1F6D7 }, { 0x1F6DC, 0x1F6DF },
    { 0x1F6EB, 0x1F6EC }, { 0x1F6F4, 0x1F6FC }, { 0x1F7E0, 0x1F7EB }, { 0x1F90C, 0x1F93A }, { 0x1F93C, 0x1F945 },
    { 0x1F947, 0x1F9FF }, { 0x1FA70, 0x1FAFF }, { 0x20000, 0x3FFFD },
};

static bool in_ranges(const struct range *ranges, size_t count, uint32_t character)
{
    size_t low = 0;
    size_t high = count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (character > ranges[middle].last)
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && character >= ranges[low].first;
}

static size_t character_columns(uint32_t character)
{
    if (character < 0x20 || (character >= 0x7F && character < 0xA0))
        return 0;
    if (character < 0x300)
        return 1;
    if (in_ranges(zero_wide, sizeof zero_wide / sizeof zero_wide[0], character))
        return 0;
    return in_ranges(two_wide, sizeof two_wide / sizeof two_wide[0], character) ? 2 : 1;
}

/* Bytes of the character at `data`. A byte that is no part of a valid character stands alone, as U+FFFD: that is how
 * terminals show it. */
static size_t decode(const unsigned char *data, size_t length, uint32_t *character)
{
    static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
    unsigned char first = data[0];
    size_t size = first < 0x80 ? 1 : first < 0xC2 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : first < 0xF5 ? 4 : 0;
    uint32_t value;

    *character = 0xFFFD;
    if (size == 0 || size > length)
        return 1;
    value = size == 1 ? first : first & (0x7Fu >> size);
    for (size_t i = 1; i < size; i++) {
        if ((data[i] & 0xC0) != 0x80)
            return 1;
        value = value << 6 | (data[i] & 0x3Fu);
    }
    if (value < least[size] || value > 0x10FFFF || (value >= 0xD800 && value <= 0xDFFF))
        return 1;
    *character = value;
    return size;
}

size_t format_width(const char *data, size_t length)
{
    size_t columns = 0;

    for (size_t at = 0; at < length;) {
        uint32_t character;

        at += decode((const unsigned char *)data + at, length - at, &character);
        columns += character_columns(character);
    }
    return columns;
}

size_t format_fit(const char *data, size_t length, size_t columns)
{
    size_t at = 0;

    while (at < length) {
        uint32_t character;
        size_t size = decode((const unsigned char *)data + at, length - at, &character);
        size_t width = character_columns(character);

        if (width > columns)
            break;
        columns -= width;
        at += size;
    }
    return at;
}
