/* device.h: time markers in the kernels and the firmware of a device: a few words of memory for each processor, which the host
 * fetches when a launch has ended (device_host.h).
 *
 *     struct tacho_device_buffer markers;
 *     tacho_device_begin(&markers, words, TACHO_DEVICE_WORDS);
 *     tacho_device_mark(&markers, TACHO_DEVICE_KERNEL_START);
 *     { TACHO_DEVICE_ZONE(&markers, "READ TILE"); ... }
 *     tacho_device_mark(&markers, TACHO_DEVICE_KERNEL_END);
 *
 * Freestanding C11 or C++11 for gcc and clang: no library, no allocation, no call that is not inline. kernel_profiler.h
 * has the names of tt-metal for it.
 *
 * Ownership: the words are the caller's, and one processor's alone; the struct may lie on its stack.
 * Failure: a marker for which there is no room is counted in the buffer and otherwise left out; nothing else can fail.
 *
 * Say before this header is included, or to the compiler:
 *   TACHO_DEVICE_MARKERS 1  markers are taken; without it, or with 0, all of this compiles to nothing
 *   TACHO_DEVICE_PRINT 1    the kernel has debug print, which cannot be together with markers
 *   TACHO_DEVICE_CYCLES()   the time, as 64 bits; a RISC-V of 32 bits need not say it
 *   TACHO_DEVICE_WORDS      words of a buffer; the usual ones are 51
 */
#ifndef TACHO_DEVICE_H
#define TACHO_DEVICE_H

#include <stddef.h>
#include <stdint.h>

#ifndef TACHO_DEVICE_MARKERS
#define TACHO_DEVICE_MARKERS 0
#endif

#if TACHO_DEVICE_MARKERS && defined(TACHO_DEVICE_PRINT) && TACHO_DEVICE_PRINT
#error "device markers and debug print cannot be used together: set TACHO_DEVICE_MARKERS or TACHO_DEVICE_PRINT"
#endif

#ifndef TACHO_DEVICE_WORDS
#define TACHO_DEVICE_WORDS 51 /* 204 bytes: 16 markers */
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* The buffer, in words of 32 bits:
 *     0    where the next marker goes: the index of a word; 0: the processor has not begun
 *     1    how many markers were dropped
 *     2    a marker: its id, then the time, low word first; of a sum its cycles
 *     5    the next one, and so on */
enum {
    TACHO_DEVICE_END_INDEX = 0,
    TACHO_DEVICE_DROPPED = 1,
    TACHO_DEVICE_FIRST = 2,
    TACHO_DEVICE_TRIPLE = 3,     /* words of a marker */
    TACHO_DEVICE_LEAST_WORDS = 8 /* the first two, and the two markers that close a launch */
};

/* Ids. From 5 on they are the program's; from 3000 on the value is no time but a sum of cycles. */
enum {
    TACHO_DEVICE_FIRMWARE_START = 1,
    TACHO_DEVICE_KERNEL_START = 2,
    TACHO_DEVICE_KERNEL_END = 3,
    TACHO_DEVICE_FIRMWARE_END = 4,
    TACHO_DEVICE_USER = 5,
    TACHO_DEVICE_SUM = 3000
};

/* Ids of what has a name: this bit, what it is, and 16 bits that stand for the name and its place in the source. */
#define TACHO_DEVICE_NAMED UINT32_C(0x80000000)
enum {
    TACHO_DEVICE_ZONE_START = 0x00000,
    TACHO_DEVICE_ZONE_END = 0x10000,
    TACHO_DEVICE_ZONE_TOTAL = 0x20000,
    TACHO_DEVICE_ZONE_KIND = 0x70000,
    TACHO_DEVICE_ZONE_HASH = 0x0FFFF
};

/* ---- time ------------------------------------------------------------------------------------------------------- */

#ifndef TACHO_DEVICE_CYCLES
#define TACHO_DEVICE_CYCLES() tacho_device_cycles()
#if defined(__riscv) && __riscv_xlen == 32
/* The low half may overflow between two reads: the high half is read before and behind it until both agree. */
static inline uint64_t tacho_device_cycles(void)
{
    uint32_t high, low, again;

    do {
        __asm__ volatile("rdcycleh %0\n\trdcycle %1\n\trdcycleh %2" : "=&r"(high), "=&r"(low), "=&r"(again));
    } while (high != again);
    return (uint64_t)high << 32 | low;
}
#else
uint64_t tacho_device_cycles(void); /* the program has it */
#endif
#endif

/* ---- markers ---------------------------------------------------------------------------------------------------- */

struct tacho_device_buffer {
    volatile uint32_t *words; /* as above; NULL: nothing is marked */
    uint32_t size;            /* words there are */
    uint32_t kept;            /* words that wait for the ends of zones that are open */
};

/* Empties the buffer for a launch. With fewer than TACHO_DEVICE_LEAST_WORDS words nothing is going to be marked. */
static inline void tacho_device_begin(struct tacho_device_buffer *buffer, volatile uint32_t *words, uint32_t size)
{
    buffer->words = TACHO_DEVICE_MARKERS && size >= TACHO_DEVICE_LEAST_WORDS ? words : NULL;
    buffer->size = size;
    buffer->kept = 0;
    if (!buffer->words)
        return;
    words[TACHO_DEVICE_DROPPED] = 0;
    words[TACHO_DEVICE_END_INDEX] = TACHO_DEVICE_FIRST;
}

/* Whether a marker fits that leaves `kept` words free. The markers that close kernel and firmware have room behind all others. */
static inline uint32_t tacho_device_fits(const struct tacho_device_buffer *buffer, uint32_t id, uint32_t kept)
{
    uint32_t index = buffer->words[TACHO_DEVICE_END_INDEX];

    if (id == TACHO_DEVICE_FIRMWARE_END)
        return index + kept + TACHO_DEVICE_TRIPLE <= buffer->size;
    if (id == TACHO_DEVICE_KERNEL_END)
        return index + kept + 2 * TACHO_DEVICE_TRIPLE <= buffer->size;
    return index + kept + 3 * TACHO_DEVICE_TRIPLE < buffer->size;
}

static inline void tacho_device_put(struct tacho_device_buffer *buffer, uint32_t id, uint64_t value)
{
    uint32_t index = buffer->words[TACHO_DEVICE_END_INDEX];

    buffer->words[index] = id;
    buffer->words[index + 1] = (uint32_t)value;
    buffer->words[index + 2] = (uint32_t)(value >> 32);
    buffer->words[TACHO_DEVICE_END_INDEX] = index + TACHO_DEVICE_TRIPLE;
}

static inline void tacho_device_drop(struct tacho_device_buffer *buffer, uint32_t markers)
{
    buffer->words[TACHO_DEVICE_DROPPED] = buffer->words[TACHO_DEVICE_DROPPED] + markers;
}

/* Marks now: 1 to 4, or a number of the program's own, below TACHO_DEVICE_SUM. */
static inline void tacho_device_mark(struct tacho_device_buffer *buffer, uint32_t id)
{
    if (!TACHO_DEVICE_MARKERS || !buffer->words)
        return;
    if (id && id < TACHO_DEVICE_SUM && tacho_device_fits(buffer, id, buffer->kept))
        tacho_device_put(buffer, id, TACHO_DEVICE_CYCLES());
    else
        tacho_device_drop(buffer, 1);
}

/* Marks the first time alone: `*marked` is 0 before it, and 1 from then on. */
static inline void tacho_device_mark_once(struct tacho_device_buffer *buffer, uint32_t id, uint32_t *marked)
{
    if (!*marked)
        tacho_device_mark(buffer, id);
    *marked = 1;
}

/* Adds cycles to the sum with this id, TACHO_DEVICE_SUM or above, or of a name. */
static inline void tacho_device_add(struct tacho_device_buffer *buffer, uint32_t id, uint64_t cycles)
{
    uint32_t end;

    if (!TACHO_DEVICE_MARKERS || !buffer->words)
        return;
    end = buffer->words[TACHO_DEVICE_END_INDEX];
    for (uint32_t at = TACHO_DEVICE_FIRST; at < end; at += TACHO_DEVICE_TRIPLE) {
        if (buffer->words[at] == id) {
            cycles += buffer->words[at + 1] | (uint64_t)buffer->words[at + 2] << 32;
            buffer->words[at + 1] = (uint32_t)cycles;
            buffer->words[at + 2] = (uint32_t)(cycles >> 32);
            return;
        }
    }
    if (id >= TACHO_DEVICE_SUM && tacho_device_fits(buffer, id, buffer->kept))
        tacho_device_put(buffer, id, cycles);
    else
        tacho_device_drop(buffer, 1);
}

/* ---- names ------------------------------------------------------------------------------------------------------ */

enum { TACHO_DEVICE_HASHED = 64 /* characters at the end of a text that its hash looks at */ };

/* 16 bits for a text. Of a literal the compiler computes it, from -O1 on: the device has neither text nor loop. */
static inline __attribute__((always_inline)) uint32_t tacho_device_hash(const char *text, size_t length)
{
    uint32_t sum = 0;

    _Pragma("GCC unroll 64") for (size_t i = 0; i < TACHO_DEVICE_HASHED; i++) sum =
        sum * 65599u + (i < length ? (unsigned char)text[length - 1 - i] : 0u);
    return (sum ^ sum >> 16) & TACHO_DEVICE_ZONE_HASH;
}

#define TACHO_DEVICE_QUOTED(value) #value
#define TACHO_DEVICE_NUMBER(value) TACHO_DEVICE_QUOTED(value)
#define TACHO_DEVICE_TEXT(name) __FILE__ "\t" TACHO_DEVICE_NUMBER(__LINE__) "\t" name

/* The hash of a name, a literal, at this place of the source. The text goes into the section tacho_zones of the object file, which is
 * not loaded: there device_host.h finds what the hash stands for. */
#define TACHO_DEVICE_ID(name)                                                                              \
    (__extension__({                                                                                       \
        __asm__(".pushsection tacho_zones,\"\"\n\t.asciz \"" TACHO_DEVICE_TEXT(name) "\"\n\t.popsection"); \
        tacho_device_hash(TACHO_DEVICE_TEXT(name), sizeof(TACHO_DEVICE_TEXT(name)) - 1);                   \
    }))

/* The id of a sum with a name. */
#define TACHO_DEVICE_SUM_ID(name) (TACHO_DEVICE_NAMED | (uint32_t)TACHO_DEVICE_ZONE_TOTAL | TACHO_DEVICE_ID(name))

/* ---- zones ------------------------------------------------------------------------------------------------------ */

struct tacho_device_zone {
    struct tacho_device_buffer *buffer; /* borrowed; NULL: there was no room for start and end */
    uint32_t hash;                      /* of its name */
};

/* Starts a zone where there is room for its end, too. */
static inline struct tacho_device_zone tacho_device_zone_begin(struct tacho_device_buffer *buffer, uint32_t hash)
{
    struct tacho_device_zone zone = { NULL, hash };

    if (!TACHO_DEVICE_MARKERS || !buffer->words)
        return zone;
    if (!tacho_device_fits(buffer, TACHO_DEVICE_NAMED, buffer->kept + TACHO_DEVICE_TRIPLE)) {
        tacho_device_drop(buffer, 2);
        return zone;
    }
    zone.buffer = buffer;
    buffer->kept += TACHO_DEVICE_TRIPLE;
    tacho_device_put(buffer, TACHO_DEVICE_NAMED | TACHO_DEVICE_ZONE_START | hash, TACHO_DEVICE_CYCLES());
    return zone;
}

static inline void tacho_device_zone_end(struct tacho_device_zone *zone)
{
    if (!zone->buffer)
        return;
    tacho_device_put(zone->buffer, TACHO_DEVICE_NAMED | TACHO_DEVICE_ZONE_END | zone->hash, TACHO_DEVICE_CYCLES());
    zone->buffer->kept -= TACHO_DEVICE_TRIPLE;
    zone->buffer = NULL;
}

/* A stretch of time that is added to a sum. */
struct tacho_device_stretch {
    struct tacho_device_buffer *buffer; /* borrowed */
    uint32_t id;                        /* of the sum */
    uint64_t start;                     /* cycles */
};

static inline struct tacho_device_stretch tacho_device_stretch_begin(struct tacho_device_buffer *buffer, uint32_t id)
{
    struct tacho_device_stretch stretch = { buffer, id, 0 };

    if (TACHO_DEVICE_MARKERS)
        stretch.start = TACHO_DEVICE_CYCLES();
    return stretch;
}

static inline void tacho_device_stretch_end(struct tacho_device_stretch *stretch)
{
    if (TACHO_DEVICE_MARKERS)
        tacho_device_add(stretch->buffer, stretch->id, TACHO_DEVICE_CYCLES() - stretch->start);
}

#define TACHO_DEVICE_JOINED(one, other) one##other
#define TACHO_DEVICE_VARIABLE(number) TACHO_DEVICE_JOINED(tacho_device_variable_, number)
#define TACHO_DEVICE_SCOPED(type, start) \
    struct type TACHO_DEVICE_VARIABLE(__COUNTER__) __attribute__((unused, cleanup(type##_end))) = start

#if TACHO_DEVICE_MARKERS
/* From here to the end of the block: a zone; cycles that are added to a sum with a name. */
#define TACHO_DEVICE_ZONE(buffer, name) \
    TACHO_DEVICE_SCOPED(tacho_device_zone, tacho_device_zone_begin(buffer, TACHO_DEVICE_ID(name)))
#define TACHO_DEVICE_ZONE_SUM(buffer, name) \
    TACHO_DEVICE_SCOPED(tacho_device_stretch, tacho_device_stretch_begin(buffer, TACHO_DEVICE_SUM_ID(name)))
#else
#define TACHO_DEVICE_ZONE(buffer, name) (void)0
#define TACHO_DEVICE_ZONE_SUM(buffer, name) (void)0
#endif

#ifdef __cplusplus
}
#endif

#endif
