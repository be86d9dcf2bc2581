/* op_keys.h: the arguments by which an op is told in a recording: what ops.c records, and what the report of ops looks for. ops.h says what
 * each of them means. */
#ifndef RECORD_OP_KEYS_H
#define RECORD_OP_KEYS_H

/* X(NAME, key) of the texts of an op, in the order of the log; the details of ops.h are the last nine, in their order. */
#define OP_TEXT_KEYS(X)                                         \
    X(INPUTS, "op.inputs")                                      \
    X(OUTPUTS, "op.outputs")                                    \
    X(FIDELITY, "op.math_fidelity")                             \
    X(STRATEGY, "op.parallelization_strategy")                  \
    X(PREFERRED, "op.preferred_name")                           \
    X(META, "op.meta_data")                                     \
    X(TYPE, "op.type")                                          \
    X(COMPUTE_PATHS, "op.detail.compute_kernel_paths")          \
    X(COMPUTE_HASHES, "op.detail.compute_kernel_hashes")        \
    X(MOVEMENT_PATHS, "op.detail.data_movement_kernel_paths")   \
    X(MOVEMENT_HASHES, "op.detail.data_movement_kernel_hashes") \
    X(IDEAL, "op.detail.pm_ideal_ns")                           \
    X(COMPUTE, "op.detail.pm_compute_ns")                       \
    X(BANDWIDTH, "op.detail.pm_bandwidth_ns")                   \
    X(INPUT_BANDWIDTH, "op.detail.pm_req_i_bw")                 \
    X(OUTPUT_BANDWIDTH, "op.detail.pm_req_o_bw")

/* The same of its numbers, and of those of a call inside it. */
#define OP_NUMBER_KEYS(X)       \
    X(GLOBAL, "op.global_call") \
    X(CALL, "op.call")          \
    X(DEPTH, "op.depth")        \
    X(CALLER, "op.caller")

#endif
