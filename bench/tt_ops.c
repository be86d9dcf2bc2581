/* tt_ops.c: an ops report of a Tenstorrent device as its tool chain writes it: 119 columns, attributes of a few hundred bytes.
 *
 * The operations are those of a small network that runs again and again: halo, move, convolution, product, element-wise work and
 * changes of layout, with a signpost before each pass.
 */
#include "model.h"

enum { PASS = 40 }; /* operations between two signposts */

static const char header[] =
    "OP CODE,OP TYPE,GLOBAL CALL COUNT,DEVICE ID,DEVICE ARCH,ATTRIBUTES,MATH FIDELITY,CORE COUNT,AVAILABLE WORKER CORE "
    "COUNT,"
    "PARALLELIZATION STRATEGY,HOST START TS,HOST END TS,HOST DURATION [ns],DEVICE FW START CYCLE,DEVICE FW END CYCLE,"
    "OP TO OP LATENCY [ns],OP TO OP LATENCY BR/NRISC START [ns],DEVICE FW DURATION [ns],DEVICE KERNEL DURATION [ns],"
    "DEVICE KERNEL DURATION DM START [ns],DEVICE KERNEL DURATION PER CORE MIN [ns],DEVICE KERNEL DURATION PER CORE MAX "
    "[ns],"
    "DEVICE KERNEL DURATION PER CORE AVG [ns],DEVICE KERNEL FIRST TO LAST START [ns],DEVICE BRISC KERNEL DURATION [ns],"
    "DEVICE NCRISC KERNEL DURATION [ns],DEVICE TRISC0 KERNEL DURATION [ns],DEVICE TRISC1 KERNEL DURATION [ns],"
    "DEVICE TRISC2 KERNEL DURATION [ns],DEVICE ERISC KERNEL DURATION [ns],DEVICE COMPUTE CB WAIT FRONT [ns],"
    "DEVICE COMPUTE CB RESERVE BACK [ns],DISPATCH TOTAL CQ CMD OP TIME [ns],DISPATCH GO SEND WAIT TIME [ns]";

static const char *const parts[] = { "W_PAD[LOGICAL]", "Z_PAD[LOGICAL]", "Y_PAD[LOGICAL]", "X_PAD[LOGICAL]",
                                     "LAYOUT",         "DATATYPE",       "MEMORY" };

static const char tail[] =
    ",METAL TRACE ID,METAL TRACE REPLAY SESSION ID,COMPUTE KERNEL SOURCE,COMPUTE KERNEL HASH,DATA MOVEMENT KERNEL "
    "SOURCE,"
    "DATA MOVEMENT KERNEL HASH,TENSIX DM 0 MAX KERNEL SIZE [B],TENSIX DM 1 MAX KERNEL SIZE [B],TENSIX COMPUTE 0 MAX "
    "KERNEL SIZE "
    "[B],"
    "TENSIX COMPUTE 1 MAX KERNEL SIZE [B],TENSIX COMPUTE 2 MAX KERNEL SIZE [B],ACTIVE ETH DM 0 MAX KERNEL SIZE [B],"
    "ACTIVE ETH DM 1 MAX KERNEL SIZE [B],IDLE ETH DM 0 MAX KERNEL SIZE [B],IDLE ETH DM 1 MAX KERNEL SIZE [B],PM IDEAL "
    "[ns],"
    "PM COMPUTE [ns],PM BANDWIDTH [ns],PM REQ I BW,PM REQ O BW,PM FPU UTIL (%),NOC UTIL (%),DRAM BW UTIL (%),NPE CONG "
    "IMPACT (%),"
    "SFPU Util Min (%),SFPU Util Median (%),SFPU Util Max (%),Avg SFPU util on full grid (%),FPU Util Min (%),FPU Util "
    "Median "
    "(%),"
    "FPU Util Max (%),Avg FPU util on full grid (%),MATH Util Min (%),MATH Util Median (%),MATH Util Max (%),"
    "Avg Math util on full grid (%)";

struct kind_of_op {
    const char *code;
    const char *attributes;
    const char *fidelity;
    unsigned inputs;
    bool compute;
};

static const struct kind_of_op kinds[] = {
    { "HaloDeviceOperation",
      "{'config': 'SlidingWindowConfig(batch_size=1; input_hw=(512;1024); window_hw=(3;3); stride_hw=(2;2); "
      "padding=((1; 1); (1; "
      "1)); "
      "output_padding = (0; 0); dilation_hw=(1;1); num_cores_nhw=110; num_cores_c=1; core_range_set_={[(x=0;y=0) - "
      "(x=10;y=9)]}; "
      "is_transpose=false)'; 'config_tensors_in_dram': 'true'; 'output_memory_config': "
      "'MemoryConfig(memory_layout=TensorMemoryLayout::"
      "HEIGHT_SHARDED;buffer_type=BufferType::L1)'; 'transpose_mcast': 'false'}",
      "", 1, false },
    { "MoveDeviceOperation",
      "{'backwards': 'false'; 'move_op_parallelization_strategy': 'MoveOpParallelizationStrategy::MULTI_CORE_SHARDED'; "
      "'output_mem_config': "
      "'MemoryConfig(memory_layout=TensorMemoryLayout::HEIGHT_SHARDED;buffer_type=BufferType::L1;shard_spec=ShardSpec("
      "grid={[(x=0;y=0) - (x=10;y=9)]};shape={7569; 8};orientation=ShardOrientation::ROW_MAJOR))'}",
      "", 2, false },
    { "Conv2dDeviceOperation",
      "{'block_config': "
      "'Conv2dBlockConfig(act_block_h_ntiles=38;act_block_w_ntiles=1;out_subblock_h_ntiles=2;out_subblock_w_ntiles=2)';"
      " "
      "'compute_kernel_config': "
      "'WormholeComputeKernelConfig(math_fidelity=LoFi;math_approx_mode=1;fp32_dest_acc_en=1;packer_l1_acc=0)'; "
      "'dtype': 'DataType::BFLOAT8_B'; 'enable_act_double_buffer': 'true'; 'full_inner_dim': 'false'; 'groups': '1'; "
      "'parallelization_config': 'Conv2dParallelizationConfig(grid_size=(x=11;y=10);num_cores_nhw=110;"
      "per_core_out_matrix_height_ntile=38;per_core_out_matrix_width_ntile=2)'; 'sliding_window_config': "
      "'SlidingWindowConfig("
      "batch_size=1; input_hw=(512;1024); window_hw=(3;3); stride_hw=(2;2); padding=((1; 1); (1; 1)))'; "
      "'untilize_out': 'false'}",
      "LoFi", 3, true },
    { "Matmul",
      "{'bcast_batch': 'true'; 'compute_kernel_config': "
      "'WormholeComputeKernelConfig(math_fidelity=HiFi2;math_approx_mode=0)'; "
      "'output_dtype': 'DataType::BFLOAT8_B'; 'program_config': 'MatmulMultiCoreReuseMultiCastProgramConfig("
      "compute_with_storage_grid_size=(x=11;y=10);in0_block_w=8;out_subblock_h=1;out_subblock_w=4;per_core_M=4;per_"
      "core_N=4)'}",
      "HiFi2", 2, true },
    { "BinaryNgDeviceOperation",
      "{'binary_op_type': 'BinaryOpType::ADD'; 'compute_kernel_config': 'std::nullopt'; 'dtype': 'DataType::BFLOAT16'; "
      "'memory_config': 'MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED;buffer_type=BufferType::DRAM)'; "
      "'worker_grid': '{[(x=0;y=0) - (x=10;y=9)]}'}",
      "HiFi4", 2, true },
    { "ReshapeDeviceOperation",
      "{'logical_output_shape': 'Shape([1408; 42])'; 'output_mem_config': "
      "'MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED;"
      "buffer_type=BufferType::DRAM;shard_spec=std::nullopt;nd_shard_spec=std::nullopt)'; 'recreate_mapping_tensor': "
      "'false'}",
      "", 1, false },
};

enum { KINDS = sizeof kinds / sizeof *kinds, INPUTS = 5, OUTPUTS = 2 };

static void put_tensor_names(const char *role, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        for (unsigned part = 0; part < sizeof parts / sizeof *parts; part++) {
            put_character(',');
            put(role);
            put_unsigned(i);
            put_character('_');
            put(parts[part]);
        }
    }
}

static void put_size(uint64_t size)
{
    put_character(',');
    put_unsigned(size);
    put_character('[');
    put_unsigned(size);
    put_character(']');
}

static void put_tensors(uint64_t *random, unsigned present, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        if (i >= present) {
            put(",,,,,,,");
            continue;
        }
        put_size(1);
        put_size(1);
        put_size((draw(random, 64) + 1) * 32);
        put_size((draw(random, 16) + 1) * 32);
        put(draw(random, 2) ? ",TILE,BFLOAT16," : ",TILE,BFLOAT8_B,");
        put(draw(random, 2) ? "DEV_1_DRAM_INTERLEAVED" : "DEV_1_L1_HEIGHT_SHARDED");
    }
}

static void put_numbers(const uint64_t *numbers, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        put_character(',');
        put_unsigned(numbers[i]);
    }
}

static void put_commas(unsigned count)
{
    while (count--)
        put_character(',');
}

struct clocks {
    uint64_t host;   /* ns */
    uint64_t cycles; /* 1350 MHz */
    uint64_t call;
};

static void put_row(const struct kind_of_op *kind, struct clocks *clocks, uint64_t *random)
{
    uint64_t duration = 1000 + draw(random, 200000);
    uint64_t gap = 500 + draw(random, 20000);
    uint64_t cycles = duration * 27 / 20;
    uint64_t host = 3000 + draw(random, 90000);
    const uint64_t times[] = {
        clocks->host, clocks->host + host, host,          clocks->cycles, clocks->cycles + cycles, gap, gap,
        duration,     duration - 500,      duration - 500
    };
    const uint64_t riscs[] = { draw(random, 300), duration - 600, duration - 700 };

    put(kind->code);
    put(",tt_dnn_device,");
    put_unsigned(++clocks->call * 1024);
    put(",0,blackhole,");
    put(kind->attributes);
    put_character(',');
    put(kind->fidelity);
    put_character(',');
    put_unsigned(20 + draw(random, 91));
    put(",110,");
    put_numbers(times, sizeof times / sizeof *times);
    put_commas(3);
    put_numbers(riscs, sizeof riscs / sizeof *riscs);
    put_numbers(riscs, kind->compute ? 3 : 0);
    put_commas((kind->compute ? 0 : 3) + 5);
    put_tensors(random, kind->inputs, INPUTS);
    put_tensors(random, 1, OUTPUTS);
    put(",,,['ttnn/cpp/ttnn/operations/kernels/compute.cpp'],['compute/1051959811297470926/'],"
        "['ttnn/cpp/ttnn/operations/kernels/dataflow/reader.cpp'; "
        "'ttnn/cpp/ttnn/operations/kernels/dataflow/writer.cpp'],"
        "['reader/10019202795079007810/'; 'writer/2227544057327856541/'],2880,1156,3724,3004,3744,0,0,0,0,839,839,59,"
        "[15877.7587890625; 7.323003768920898],[9998.3408203125],2.056,,,,,,,,,,,,,,,");
    end_line();
    clocks->host += host + draw(random, 1000);
    clocks->cycles += cycles + gap * 27 / 20;
}

static void put_signpost(uint64_t pass, const struct clocks *clocks)
{
    put("pass ");
    put_unsigned(pass);
    put(",signpost,,,,,,,,,");
    put_unsigned(clocks->host);
    put_commas(23 + (INPUTS + OUTPUTS) * 7 + 36);
    end_line();
}

uint64_t generate_tt_ops(uint64_t rows, uint64_t seed)
{
    struct clocks clocks = { .host = 4276594672, .cycles = 6831673963631 };
    uint64_t random = seed;

    put(header);
    put_tensor_names("INPUT_", INPUTS);
    put_tensor_names("OUTPUT_", OUTPUTS);
    put_line(tail);
    for (uint64_t i = 0; i < rows; i++) {
        if (i % PASS == 0)
            put_signpost(i / PASS, &clocks);
        else
            put_row(&kinds[draw(&random, KINDS)], &clocks, &random);
    }
    return 0;
}
