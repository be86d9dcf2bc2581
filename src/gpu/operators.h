/* operators.h: what each operator of a framework costs, on the host and on the device.
 *
 *     host    self: without operators inside it       total: with them; one inside another of its name counts once
 *     device  self: work that it launched itself      total: with what operators inside it launched
 *
 * Rows are names of operators. Work that no operator launched (a graph that is replayed) is a row of the call that launched it. Times are
 * of all runs that count; fields show means. A table of operators owns its rows until `gpu_operators_free`.
 */
#ifndef GPU_OPERATORS_H
#define GPU_OPERATORS_H

#include "gpu/profile.h"
#include "table/field.h"

struct gpu_operator {
    string_id name;                    /* of the operator, or of the call */
    bool call;                         /* it is a call: no operator is known */
    uint64_t count;                    /* how often it was called */
    int64_t host_self, host_total;     /* ns */
    int64_t device_self, device_total; /* the same */
    uint64_t kernels;                  /* pieces of work that it launched itself */
    string_id kernel;                  /* the one that took longest of them; 0: none */
    int64_t kernel_ns;                 /* that it took */
    operator_id op;                    /* of the longest: module, place, shapes; NO_ID: none */
    double flops;                      /* of products whose sizes are known; NAN: none are */
    int64_t flops_ns;                  /* that the device worked for those */
    const struct gpu_piece *counted;   /* call whose operations were added last: it may launch several kernels */
    double bytes;                      /* of copies and messages; NAN: none are told */
    int64_t bytes_ns;                  /* that the device worked for those */
    size_t seen;                       /* work that was counted last in `device_total` */
};

struct gpu_operators {
    const struct gpu_profile *profile; /* borrowed */
    struct column rows;                /* struct gpu_operator */
    struct number_map by_name;         /* name and whether it is a call: place in rows */
    uint32_t *order;                   /* rows by device time, then by host time */
    int64_t device;                    /* ns of all work */
    int64_t host;                      /* ns of all operators on the host */
};

/* Free it also after a failure. */
NODISCARD status gpu_operators_fill(struct gpu_operators *operators, const struct gpu_profile *profile);
void gpu_operators_free(struct gpu_operators *operators);

/* As a table; `request` may be NULL. The caller frees it. */
NODISCARD status gpu_operators_table(const struct gpu_operators *operators, const struct view_request *request,
                                     struct table **table);

/* Operations of a product by the sizes of its inputs, "[[32, 64], [64, 8]]"; NAN: not known. */
double gpu_product_flops(struct text name, struct text shapes);

#endif
