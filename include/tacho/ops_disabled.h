/* ops_disabled.h: ops.h in a program that is compiled with TACHO_DISABLE: nothing is left of it, and no library is needed. Included by ops.h
 * alone. */
#ifndef TACHO_OPS_DISABLED_H
#define TACHO_OPS_DISABLED_H

static inline void tacho_op_start(const char *name, const char *type)
{
    (void)name, (void)type;
}

static inline void tacho_op_stop(const char *name)
{
    (void)name;
}

static inline void tacho_op_input(const struct tacho_op_tensor *tensor)
{
    (void)tensor;
}

static inline void tacho_op_output(const struct tacho_op_tensor *tensor)
{
    (void)tensor;
}

static inline void tacho_op_math_fidelity(const char *fidelity)
{
    (void)fidelity;
}

static inline void tacho_op_parallelization_strategy(const char *strategy)
{
    (void)strategy;
}

static inline void tacho_op_preferred_name(const char *name)
{
    (void)name;
}

static inline void tacho_op_meta_data(const char *text)
{
    (void)text;
}

static inline void tacho_op_detail(enum tacho_op_detail_kind which, const char *text)
{
    (void)which, (void)text;
}

static inline void tacho_op_call_begin(const char *function)
{
    (void)function;
}

static inline void tacho_op_call_end(const char *function)
{
    (void)function;
}

static inline int tacho_op_location(const char *folder)
{
    (void)folder;
    return -1;
}

static inline const char *tacho_op_folder(void)
{
    return "";
}

static inline const char *tacho_op_call_folder(void)
{
    return "";
}

static inline uint64_t tacho_op_errors(void)
{
    return 0;
}

static inline const char *tacho_op_error(void)
{
    return "the program was compiled with TACHO_DISABLE";
}

#define TACHO_OP(name, type) ((void)(name), (void)(type))
#define TACHO_OP_CALL(function) ((void)(function))

#endif
