/* pieces.h: a sink that keeps what a host and its devices did: which operator lies in which, which call launched what.
 *
 *     thread   aten::linear         [------------------]
 *              aten::addmm             [------------]            up: aten::linear
 *              cudaLaunchKernel            [---]                 up: aten::addmm
 *     stream   gemm                             [--------]       up: cudaLaunchKernel
 *
 * Some profiles have no calls: there an arrow leads from the operator to its work, and `up` of that is the operator itself.
 *
 * It keeps a piece for each slice that means something here, so it is for answers about whole profiles, not for conversion. It owns
 * everything in it until `pieces_free`; names are of the pool.
 */
#ifndef GPU_PIECES_H
#define GPU_PIECES_H

#include "base/column.h"
#include "base/intervals.h"
#include "base/map.h"
#include "trace/clock.h"
#include "trace/sink.h"

/* What a piece is; the first four are work of a device. */
enum gpu_kind {
    GPU_KERNEL,     /* computes */
    GPU_COLLECTIVE, /* talks to other devices */
    GPU_COPY,       /* between memories */
    GPU_SET,        /* fills memory */
    GPU_NODE,       /* an operator that the CPU computed */
    GPU_PROVIDED,   /* one that something else computed, told by its time alone */
    GPU_OPERATOR,   /* an operator that may launch something */
    GPU_LAUNCH,     /* a call that hands work to a device */
    GPU_CALL,       /* another call */
    GPU_WAIT,       /* a call that waits for a device */
    GPU_ANNOTATION, /* named by the user or the framework */
    GPU_FUNCTION,   /* of the source */
    GPU_KINDS       /* everything else: not kept */
};

struct gpu_piece {
    int64_t start, end;   /* ns */
    uint64_t correlation; /* of work and its launch; 0: none */
    string_id name;       /* for people */
    operator_id op;       /* as the reader told it; NO_ID: none */
    run_id run;           /* the same */
    track_id thread;      /* that it lies on; of work: its stream */
    clock_id clock;       /* of its line */
    uint32_t up;   /* on the host: the operator around it; of work: what launched it; NO_ID: none, or not known */
    uint32_t flow; /* an arrow that it lies on; 0: none */
    uint32_t form; /* of work: how it ran; NO_ID: not told */
    uint8_t kind;  /* enum gpu_kind */
    bool launches; /* of an operator: it is what launched some work, as far as the profile tells */
};

/* How a piece of work ran, where it is told. */
struct gpu_form {
    double blocks;        /* of all processors; NAN: not told */
    double per_processor; /* blocks of each; NAN: not told */
    double threads;       /* of a block; NAN: not told */
    double occupancy;     /* percent, as estimated by the profiler; NAN: not told */
    double bytes;         /* that it moved; NAN: not told */
    string_id collective; /* what it does with other devices: allreduce; 0: not told */
    string_id type;       /* of its elements; 0: not told */
    double elements;      /* that it sends; NAN: not told */
    double message;       /* bytes of what it sends or receives, whichever is more; NAN: not known */
    double group;         /* devices that take part; NAN: not told */
};

struct gpu_keys {
    string_id correlation, correlation_of_xla, grid, block, per_processor, occupancy, bytes, collective, elements,
        received, type, group; /* in the pool */
};

/* A piece in an order of time. */
struct gpu_place {
    int64_t start;  /* of it */
    uint32_t piece; /* which one */
};

struct pieces {
    struct strings *strings;    /* borrowed: of all names */
    struct gpu_keys keys;       /* of arguments */
    struct column items;        /* struct gpu_piece, as they came: by start, at equal start the outer first */
    struct column forms;        /* struct gpu_form */
    struct column tracks;       /* struct gpu_line, by track id */
    struct column operators;    /* struct op, by id */
    struct column clocks;       /* struct clock, by id */
    struct column runs;         /* int64_t, by id: ns at which a run of the file begins */
    struct number_map launches; /* by correlation, or by the number of an arrow: what launches */
    struct gpu_place *work;     /* once settled: pieces of devices that count, by start */
    size_t work_count;          /* of these */
    struct interval
        *windows;         /* once settled: when the runs that count ran, in order; one for all where there are none */
    size_t window_count;  /* of these */
    uint32_t *opens;      /* by open id: the piece that was begun; NO_ID: not kept */
    size_t open_capacity; /* of opens */
};

NODISCARD status pieces_start(struct pieces *pieces, struct strings *strings);
void pieces_free(struct pieces *pieces);
struct sink pieces_sink(struct pieces *pieces);

/* Of a profile without work of a device: nodes that were told with the time that they took are its work. */
NODISCARD status pieces_take_nodes(struct pieces *pieces);

/* After reading: finds the call of each piece of work, and the work that begins in `windows` (NULL: all of it). */
NODISCARD status pieces_settle(struct pieces *pieces, const struct intervals *windows);

static inline struct gpu_piece *piece_at(const struct pieces *pieces, uint32_t index)
{
    return column_at(&pieces->items, index);
}

static inline bool piece_is_work(const struct gpu_piece *piece)
{
    return piece->kind <= GPU_SET;
}

static inline bool piece_is_operator(const struct gpu_piece *piece)
{
    return piece->kind == GPU_OPERATOR || piece->kind == GPU_NODE || piece->kind == GPU_PROVIDED;
}

/* The n-th piece of work that counts. */
static inline const struct gpu_piece *piece_of_work(const struct pieces *pieces, size_t index)
{
    return piece_at(pieces, pieces->work[index].piece);
}

/* The call that launched a piece of work, or the operator where calls are not told; the innermost operator that did; NULL: not known. */
const struct gpu_piece *piece_launch(const struct pieces *pieces, const struct gpu_piece *work);
const struct gpu_piece *piece_operator(const struct pieces *pieces, const struct gpu_piece *work);
/* When it was launched: when the call began; an operator launches while it lasts, and not before the work can begin. */
int64_t piece_launched(const struct pieces *pieces, const struct gpu_piece *work);
/* How it ran; never NULL. */
const struct gpu_form *piece_form(const struct pieces *pieces, const struct gpu_piece *work);
const char *piece_name(const struct pieces *pieces, const struct gpu_piece *piece);
/* As it was announced; NULL: it has none. */
const struct op *piece_op(const struct pieces *pieces, const struct gpu_piece *piece);

/* Whether a piece of the host is of the runs that count. A host may be ahead of its device by whole runs: what it does counts for its own run, which begins
 * later than that. */
bool piece_counts(const struct pieces *pieces, const struct gpu_piece *piece);

/* The run that counts and that a moment lies in, by its place in `windows`; SIZE_MAX: none. */
size_t pieces_window(const struct pieces *pieces, int64_t time);

#endif
