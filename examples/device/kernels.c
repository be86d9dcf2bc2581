/* kernels.c: firmware and kernels of the five processors of a core, which add two rows of numbers, tile by tile.
 *
 * One source for a RISC-V without anything and for threads of the host; built with TACHO_DEVICE_MARKERS=1 it marks time, built with
 * TACHO_DEVICE_PRINT=1 it prints. PROCESSOR is the name of its entry.
 */
#if defined(__riscv)
#define PAUSE() __asm__ volatile("wfi") /* start.S lets it end at once: the emulator goes on with the next processor */
#else
#include <sched.h>
#include <time.h>
#define PAUSE() sched_yield()
#define TACHO_DEVICE_CYCLES() nanoseconds()
static inline unsigned long long nanoseconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (unsigned long long)now.tv_sec * 1000000000u + (unsigned long long)now.tv_nsec;
}
#endif

#define TACHO_DEVICE_BUFFER (&self->markers)
#include <tacho/kernel_profiler.h>

#include "core.h"

enum { FIRST_TILE = TACHO_DEVICE_USER, WAIT_FRONT = TACHO_DEVICE_SUM, RESERVE_BACK };

/* What a processor knows of itself. */
struct processor {
    struct tacho_device_buffer markers; /* in the core's memory */
    struct core_memory *core;           /* borrowed */
    uint32_t risc;                      /* which one it is */
    uint32_t first;                     /* 1: its first tile is marked */
};

/* ---- Debug print ---- */

#if TACHO_DEVICE_PRINT
static void print_character(struct processor *self, char character)
{
    uint32_t *words = self->core->debug[self->risc];

    if (words[0] < (TACHO_DEVICE_WORDS - 1) * 4)
        ((char *)(words + 1))[words[0]++] = character;
}

static void print(struct processor *self, const char *text, uint32_t number)
{
    uint32_t unit = 1;

    for (; *text; text++)
        print_character(self, *text);
    while (number / unit >= 10)
        unit *= 10;
    for (; unit; unit /= 10)
        print_character(self, (char)('0' + number / unit % 10));
    print_character(self, '\n');
}
#else
static inline void print(struct processor *self, const char *text, uint32_t number)
{
    (void)self;
    (void)text;
    (void)number;
}
#endif

/* ---- Queues ---- */

/* The place of the next tile of a queue, when it is free. */
static uint32_t *reserve_back(struct processor *self, struct queue *queue)
{
    struct tacho_device_stretch waiting = tacho_device_stretch_begin(&self->markers, RESERVE_BACK);

    while (queue->filled - __atomic_load_n(&queue->emptied, __ATOMIC_ACQUIRE) == SLOTS)
        PAUSE();
    if (self->risc == TRISC_2)
        tacho_device_stretch_end(&waiting);
    return queue->tiles[queue->filled % SLOTS];
}

static void push_back(struct queue *queue)
{
    __atomic_store_n(&queue->filled, queue->filled + 1, __ATOMIC_RELEASE);
}

/* The oldest tile of a queue, when there is one. */
static const uint32_t *wait_front(struct processor *self, struct queue *queue)
{
    struct tacho_device_stretch waiting = tacho_device_stretch_begin(&self->markers, WAIT_FRONT);

    while (__atomic_load_n(&queue->filled, __ATOMIC_ACQUIRE) == queue->emptied)
        PAUSE();
    if (self->risc == TRISC_0)
        tacho_device_stretch_end(&waiting);
    tacho_device_mark_once(&self->markers, FIRST_TILE, &self->first);
    return queue->tiles[queue->emptied % SLOTS];
}

static void pop_front(struct queue *queue)
{
    __atomic_store_n(&queue->emptied, queue->emptied + 1, __ATOMIC_RELEASE);
}

/* ---- Kernels ---- */

static void copy(uint32_t *to, const uint32_t *from, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        to[i] = from[i];
}

static void read_tile(struct processor *self, uint32_t tile)
{
    uint32_t *to = reserve_back(self, &self->core->queues[0]);
    DeviceZoneScopedN("READ-TILE");

    copy(to, self->core->one + tile * TILE, TILE);
    copy(to + TILE, self->core->other + tile * TILE, TILE);
    push_back(&self->core->queues[0]);
}

static void unpack_tile(struct processor *self, uint32_t tile)
{
    const uint32_t *from = wait_front(self, &self->core->queues[0]);
    uint32_t *to = reserve_back(self, &self->core->queues[1]);
    DeviceZoneScopedN("UNPACK-TILE");

    (void)tile;
    copy(to, from, 2 * TILE);
    pop_front(&self->core->queues[0]);
    push_back(&self->core->queues[1]);
}

static void add_tile(struct processor *self, uint32_t tile)
{
    const uint32_t *from = wait_front(self, &self->core->queues[1]);
    uint32_t *to = reserve_back(self, &self->core->queues[2]);
    DeviceZoneScopedN("ADD-TILE");

    (void)tile;
    for (uint32_t i = 0; i < TILE; i++)
        to[i] = from[i] + from[TILE + i];
    print(self, "first sum of a tile: ", to[0]);
    pop_front(&self->core->queues[1]);
    push_back(&self->core->queues[2]);
}

static void pack_tile(struct processor *self, uint32_t tile)
{
    const uint32_t *from = wait_front(self, &self->core->queues[2]);
    uint32_t *to = reserve_back(self, &self->core->queues[3]);
    DeviceZoneScopedN("PACK-TILE");

    (void)tile;
    copy(to, from, TILE);
    pop_front(&self->core->queues[2]);
    push_back(&self->core->queues[3]);
}

static void write_tile(struct processor *self, uint32_t tile)
{
    const uint32_t *from = wait_front(self, &self->core->queues[3]);
    DeviceZoneScopedN("WRITE-TILE");

    copy(self->core->sums + tile * TILE, from, TILE);
    pop_front(&self->core->queues[3]);
}

/* ---- Firmware ---- */

/* BRISC is the first of a launch, and lets the others go. */
void PROCESSOR(uint32_t risc, struct core_memory *core)
{
    static void (*const kernels[])(struct processor * self, uint32_t tile) = {
        [BRISC] = write_tile, [NCRISC] = read_tile, [TRISC_0] = unpack_tile, [TRISC_1] = add_tile, [TRISC_2] = pack_tile
    };
    struct processor self = { .core = core, .risc = risc };

    while (risc != BRISC && !__atomic_load_n(&core->go, __ATOMIC_ACQUIRE))
        PAUSE();
    tacho_device_begin(&self.markers, core->debug[risc], TACHO_DEVICE_WORDS);
    tacho_device_mark(&self.markers, TACHO_DEVICE_FIRMWARE_START);
    if (risc == BRISC)
        __atomic_store_n(&core->go, 1, __ATOMIC_RELEASE);
    print(&self, "tiles to do: ", core->tiles);
    tacho_device_mark(&self.markers, TACHO_DEVICE_KERNEL_START);
    for (uint32_t tile = 0; tile < core->tiles; tile++)
        kernels[risc](&self, tile);
    tacho_device_mark(&self.markers, TACHO_DEVICE_KERNEL_END);
    print(&self, "tiles done: ", core->tiles);
    tacho_device_mark(&self.markers, TACHO_DEVICE_FIRMWARE_END);
    __atomic_store_n(&core->done[risc], 1, __ATOMIC_RELEASE);
}
