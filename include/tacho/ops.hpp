/* ops.hpp: the op profiler in C++ (17), with the names that tt-metal's documents have for it. ops.h says what it does.
 *
 *     #include <tacho/ops.hpp>
 *     namespace op_profiler = tacho::op_profiler;
 *
 *     void linear(const Matrix &a, const Matrix &b, Matrix &c)
 *     {
 *         op_profiler::OpProfileScope op("Linear", op_profiler::OpType::tt_dnn_device);
 *         op_profiler::append_input_data({ { 1, 1, 128, 512 }, "TILE", "BFLOAT16", op_profiler::dram(0, "INTERLEAVED") });
 *         op_profiler::append_input_data(std::nullopt);   // an optional input that is not there keeps its number
 *         op_profiler::append_math_fidelity("HiFi4");
 *         op_profiler::ApiCallScope call("LaunchProgram");
 *         launch(a, b, c);
 *     }
 *
 * Ownership: every text is borrowed for the call alone. Failure: as in ops.h; only scopes allocate, to keep a long name, and may throw for
 * want of memory. With TACHO_DISABLE defined all of it is empty.
 */
#ifndef TACHO_OPS_HPP
#define TACHO_OPS_HPP

#include <optional>
#include <string>

#include "ops.h"

namespace tacho
{
namespace op_profiler
{

enum class OpType { python_fallback, tt_dnn_cpu, tt_dnn_device, custom_zone, unknown };

/* As the logs have it. */
inline const char *type_name(OpType type) noexcept
{
    switch (type) {
    case OpType::python_fallback:
        return TACHO_OP_PYTHON_FALLBACK;
    case OpType::tt_dnn_cpu:
        return TACHO_OP_CPU;
    case OpType::tt_dnn_device:
        return TACHO_OP_DEVICE;
    case OpType::custom_zone:
        return TACHO_OP_CUSTOM_ZONE;
    case OpType::unknown:
        break;
    }
    return TACHO_OP_UNKNOWN;
}

/* A text of either kind, borrowed. */
struct Text {
    Text(const char *text) noexcept : data(text)
    {
    }
    Text(const std::string &text) noexcept : data(text.c_str())
    {
    }

    const char *data; /* ends with 0 */
};

/* Where a tensor lies. */
struct Memory {
    int device;         /* that its buffer is on */
    const char *buffer; /* nullptr: on the host */
    const char *layout; /* of the buffer, or storage of the host; nullptr: not told */
};

inline Memory host(const char *storage = nullptr) noexcept
{
    return { 0, nullptr, storage };
}

inline Memory dram(int device = 0, const char *layout = nullptr) noexcept
{
    return { device, "DRAM", layout };
}

inline Memory l1(int device = 0, const char *layout = nullptr) noexcept
{
    return { device, "L1", layout };
}

/* A tensor: the sizes of its dimensions, the outermost first, in anything that can be walked through. */
struct Tensor {
    template <typename Shape>
    Tensor(const Shape &shape, const char *layout, const char *data_type, Memory memory = host()) noexcept
    {
        fill(shape, layout, data_type, memory);
    }
    Tensor(std::initializer_list<uint64_t> shape, const char *layout, const char *data_type,
           Memory memory = host()) noexcept
    {
        fill(shape, layout, data_type, memory);
    }

    tacho_op_tensor value; /* for ops.h */

  private:
    template <typename Shape>
    void fill(const Shape &shape, const char *layout, const char *data_type, const Memory &memory) noexcept
    {
        value = tacho_op_tensor();
        for (auto size : shape)
            if (value.rank < TACHO_OP_DIMENSIONS)
                value.shape[value.rank++] = static_cast<uint64_t>(size);
        value.layout = layout;
        value.datatype = data_type;
        value.device = memory.device;
        value.buffer = memory.buffer;
        (memory.buffer ? value.memory_layout : value.storage) = memory.layout;
    }
};

/* Whether ops are profiled in this build. */
constexpr bool get_profiler_flag() noexcept
{
#ifdef TACHO_DISABLE
    return false;
#else
    return true;
#endif
}

/* ---- ops ---- */

inline void start_profiling(Text opName, OpType opType) noexcept
{
    tacho_op_start(opName.data, type_name(opType));
}

/* Of a type that has no name above. */
inline void start_profiling(Text opName, Text opType) noexcept
{
    tacho_op_start(opName.data, opType.data);
}

inline void stop_profiling(Text opName) noexcept
{
    tacho_op_stop(opName.data);
}

/* ---- of the innermost op of this thread ---- */

inline void append_input_data(const Tensor &tensor) noexcept
{
    tacho_op_input(&tensor.value);
}

inline void append_input_data(const std::optional<Tensor> &tensor) noexcept
{
    tacho_op_input(tensor ? &tensor->value : nullptr);
}

inline void append_output_data(const Tensor &tensor) noexcept
{
    tacho_op_output(&tensor.value);
}

inline void append_output_data(const std::optional<Tensor> &tensor) noexcept
{
    tacho_op_output(tensor ? &tensor->value : nullptr);
}

inline void append_math_fidelity(Text fidelity) noexcept
{
    tacho_op_math_fidelity(fidelity.data);
}

inline void append_parallelization_strategy(Text strategy) noexcept
{
    tacho_op_parallelization_strategy(strategy.data);
}

inline void set_preferred_name(Text name) noexcept
{
    tacho_op_preferred_name(name.data);
}

inline void append_meta_data(Text text) noexcept
{
    tacho_op_meta_data(text.data);
}

inline void append_detail(tacho_op_detail_kind which, Text text) noexcept
{
    tacho_op_detail(which, text.data);
}

/* ---- calls inside an op: CompileProgram, LaunchProgram, … ---- */

inline void start_api_call(Text function) noexcept
{
    tacho_op_call_begin(function.data);
}

inline void stop_api_call(Text function) noexcept
{
    tacho_op_call_end(function.data);
}

/* ---- where it is logged ---- */

/* False: it cannot be used; last_error says why. */
inline bool set_profiler_location(Text folder) noexcept
{
    return tacho_op_location(folder.data) == 0;
}

inline std::string profiler_location()
{
    return tacho_op_folder();
}

inline uint64_t error_count() noexcept
{
    return tacho_op_errors();
}

inline std::string last_error()
{
    return tacho_op_error();
}

/* ---- until the end of the block ---- */

#ifdef TACHO_DISABLE
using Kept = Text;
#else
struct Kept : std::string {
    Kept(Text text) : std::string(text.data ? text.data : "")
    {
    }
};
#endif

class OpProfileScope
{
  public:
    OpProfileScope(Text opName, OpType opType) : name(opName)
    {
        start_profiling(name, opType);
    }
    OpProfileScope(Text opName, Text opType) : name(opName)
    {
        start_profiling(name, opType);
    }
    ~OpProfileScope()
    {
        stop_profiling(name);
    }
    OpProfileScope(const OpProfileScope &) = delete;
    OpProfileScope &operator=(const OpProfileScope &) = delete;

  private:
    Kept name; /* of the op */
};

class ApiCallScope
{
  public:
    explicit ApiCallScope(Text called) : function(called)
    {
        start_api_call(function);
    }
    ~ApiCallScope()
    {
        stop_api_call(function);
    }
    ApiCallScope(const ApiCallScope &) = delete;
    ApiCallScope &operator=(const ApiCallScope &) = delete;

  private:
    Kept function; /* that was called */
};

} // namespace op_profiler
} // namespace tacho

#endif
