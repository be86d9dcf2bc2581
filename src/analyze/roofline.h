/* roofline.h: how near a piece of work came to what its hardware can do, whatever the hardware is.
 *
 * Work is bytes moved, operations done and time taken; a peak is what the memory and the arithmetic could do at best.
 * Anything that is not known is NAN, and what follows from it is NAN too.
 */
#ifndef ANALYZE_ROOFLINE_H
#define ANALYZE_ROOFLINE_H

struct roofline_peak {
    double gigabytes; /* per second, 10^9 bytes each */
    double flops;     /* per second */
};

struct roofline_work {
    double bytes;   /* moved */
    double flops;   /* operations */
    double seconds; /* taken */
};

/* X(name, text): what holds work back. */
#define ROOFLINE_BOUND_MAP(X)                                                     \
    X(UNKNOWN, "")  /* one of the two rates is not known */                       \
    X(SLOW, "SLOW") /* neither the memory nor the arithmetic was near its peak */ \
    X(MEMORY, "DRAM")                                                             \
    X(COMPUTE, "FLOP")                                                            \
    X(BOTH, "BOTH")

enum roofline_bound {
#define X(name, text) ROOFLINE_##name,
    ROOFLINE_BOUND_MAP(X)
#undef X
};

const char *roofline_bound_text(enum roofline_bound bound);

enum { ROOFLINE_NEAR = 65 }; /* percent of a peak from which on it is what holds work back */

struct roofline_point {
    double gigabytes;       /* per second */
    double flops;           /* per second */
    double memory_percent;  /* of the peak */
    double compute_percent; /* the same of the arithmetic */
    double intensity;       /* operations per byte */
    double
        ideal_seconds; /* the least that the peaks allow, as far as they and the work are known; NAN: nothing is known */
    enum roofline_bound bound; /* what holds it back */
};

struct roofline_point roofline_place(struct roofline_work work, struct roofline_peak peak);

/* The roof over an intensity: operations per second. */
double roofline_roof(struct roofline_peak peak, double intensity);

#endif
