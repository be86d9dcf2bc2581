/* core.h: the core of the example: five processors and the memory that they share, as the kernels and the host see it.
 *
 *     inputs ─► NCRISC ─► [tiles] ─► TRISC_0 ─► [tiles] ─► TRISC_1 ─► [tiles] ─► TRISC_2 ─► [tiles] ─► BRISC ─► sums
 *               reads                unpacks               adds                  packs                 writes
 *
 * All of it is 32-bit words, so that it is the same on the host. Nobody owns it: it is the device's memory.
 */
#ifndef EXAMPLE_CORE_H
#define EXAMPLE_CORE_H

#include <stdint.h>
#include <tacho/device.h>

#define CORE_ADDRESS UINT32_C(0x80100000) /* of the memory, as the processors see it */

/* In the order of enum tacho_device_risc. */
enum { BRISC, NCRISC, TRISC_0, TRISC_1, TRISC_2, PROCESSORS };

enum { TILE = 32, MOST_TILES = 64, SLOTS = 2, QUEUES = 4 };

/* Tiles on their way from one processor to the next: a ring with two places, each for two tiles of numbers. */
struct queue {
    uint32_t filled;                 /* tiles that were put in so far */
    uint32_t emptied;                /* tiles that were taken out so far */
    uint32_t tiles[SLOTS][2 * TILE]; /* the places */
};

struct core_memory {
    uint32_t tiles;                    /* to add; set by the host */
    uint32_t one[MOST_TILES * TILE];   /* what is added; set by the host */
    uint32_t other[MOST_TILES * TILE]; /* likewise */
    uint32_t sums[MOST_TILES * TILE];  /* what comes out */
    uint32_t go;                       /* 1: BRISC has begun */
    uint32_t done[PROCESSORS];         /* 1: the processor has ended */
    uint32_t debug[PROCESSORS]
                  [TACHO_DEVICE_WORDS]; /* markers, or bytes that were printed with their number before them */
    struct queue queues[QUEUES];        /* into TRISC_0, TRISC_1, TRISC_2 and BRISC */
};

/* What a processor does from its reset on; kernels.c, built once with markers and once with debug print. */
void marked_processor(uint32_t risc, struct core_memory *core);
void printing_processor(uint32_t risc, struct core_memory *core);

#endif
