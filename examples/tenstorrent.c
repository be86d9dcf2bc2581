/* tenstorrent.c: writes the example of a Tenstorrent device: an ops report and a device log of the same run.
 *
 *     cc -O2 -o tenstorrent examples/tenstorrent.c && ./tenstorrent examples/encoder_wormhole
 *
 * One layer of an encoder (batch 8, 384 tokens, 1024 wide) on the 64 cores of a Wormhole, run four times. Nothing here
 * was measured: sizes are those of the network, times come from rates that such a chip can reach, with some luck. The log
 * has the slowest op alone; both files are made from the same markers, so that their numbers agree.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 8, CORES = SIDE * SIDE, RISCS = 5, MARKERS = 4, STRAGGLER = 36, PASSES = 4, LONGEST_PATH = 4096 };
enum { FIRMWARE_START, KERNEL_START, KERNEL_END, FIRMWARE_END };

static const char *const riscs[RISCS] = { "NCRISC", "BRISC", "TRISC_0", "TRISC_1", "TRISC_2" };
static const char *const zones[RISCS] = { "NCRISC", "BRISC", "TRISC", "TRISC", "TRISC" };
static const char *const files[RISCS] = { "ncrisc.cc", "brisc.cc", "trisc.cc", "trisc.cc", "trisc.cc" };
/* Where worker cores lie on the chip: rows and columns between them hold DRAM and Ethernet. */
static const unsigned columns[SIDE] = { 1, 2, 3, 4, 6, 7, 8, 9 };
static const unsigned rows[SIDE] = { 1, 2, 3, 4, 5, 7, 8, 9 };

#define BLOCKS                                                                                                        \
    "MatmulMultiCoreReuseMultiCastProgramConfig(compute_with_storage_grid_size=(x=8;y=8);in0_block_w=4;out_subblock_" \
    "h=2;"                                                                                                            \
    "out_subblock_w=4;per_core_M=12;per_core_N=16)"
#define BATCHES                                                                                                  \
    "MatmulMultiCoreReuseProgramConfig(compute_with_storage_grid_size=(x=8;y=8);in0_block_w=2;out_subblock_h=4;" \
    "out_subblock_w=1;per_core_M=24;per_core_N=12)"
#define SHARDED "L1_BLOCK_SHARDED"
#define DRAM "DRAM_INTERLEAVED"

struct tensor {
    unsigned sizes[4]; /* W, Z, Y, X; W 0: there is none */
    const char *type;
    const char *memory;
};

struct op {
    const char *code;
    const char *fidelity; /* NULL: no compute kernel, so that the three TRISCs have nothing to do */
    const char *config;   /* of a product; NULL: none was given */
    struct tensor inputs[2], output;
    unsigned nanoseconds;    /* from the first kernel's start to the last kernel's end; 0: it runs on the host */
    unsigned gap;            /* ns in which the device waits before it */
    unsigned others_percent; /* how far the other cores are when the slowest one has 100; 0: all end about together */
    int logged;              /* its markers are in the device log */
};

#define T(w, z, y, x, type, memory)  \
    {                                \
        { w, z, y, x }, type, memory \
    }

static const struct op ops[] = {
    { "EmbeddingsDeviceOperation",
      NULL,
      NULL,
      { T(1, 1, 8, 384, "UINT32", DRAM), T(1, 1, 30528, 1024, "BFLOAT16", DRAM) },
      T(1, 1, 3072, 1024, "BFLOAT8_B", SHARDED),
      61200,
      0,
      0,
      0 },
    { "LayerNormDeviceOperation",
      "HiFi4",
      NULL,
      { T(1, 1, 3072, 1024, "BFLOAT8_B", SHARDED) },
      T(1, 1, 3072, 1024, "BFLOAT8_B", SHARDED),
      47800,
      1900,
      0,
      0 },
    { "Matmul",
      "HiFi2",
      BLOCKS,
      { T(1, 1, 3072, 1024, "BFLOAT8_B", SHARDED), T(1, 1, 1024, 3072, "BFLOAT8_B", DRAM) },
      T(1, 1, 3072, 3072, "BFLOAT8_B", SHARDED),
      214600,
      2100,
      0,
      0 },
    { "NlpCreateHeadsDeviceOperation",
      NULL,
      NULL,
      { T(8, 1, 384, 3072, "BFLOAT8_B", SHARDED) },
      T(8, 16, 384, 64, "BFLOAT8_B", SHARDED),
      91700,
      1700,
      0,
      0 },
    { "Matmul",
      "HiFi2",
      BATCHES,
      { T(8, 16, 384, 64, "BFLOAT8_B", SHARDED), T(8, 16, 64, 384, "BFLOAT8_B", SHARDED) },
      T(8, 16, 384, 384, "BFLOAT8_B", SHARDED),
      60900,
      1800,
      0,
      0 },
    { "SoftmaxDeviceOperation",
      "HiFi4",
      NULL,
      { T(8, 16, 384, 384, "BFLOAT8_B", SHARDED) },
      T(8, 16, 384, 384, "BFLOAT8_B", SHARDED),
      118300,
      1800,
      0,
      0 },
    { "Matmul",
      "HiFi2",
      BATCHES,
      { T(8, 16, 384, 384, "BFLOAT8_B", SHARDED), T(8, 16, 384, 64, "BFLOAT8_B", SHARDED) },
      T(8, 16, 384, 64, "BFLOAT8_B", SHARDED),
      56800,
      1900,
      0,
      0 },
    { "NLPConcatHeadsDeviceOperation",
      NULL,
      NULL,
      { T(8, 16, 384, 64, "BFLOAT8_B", SHARDED) },
      T(8, 1, 384, 1024, "BFLOAT8_B", SHARDED),
      38400,
      1600,
      0,
      0 },
    { "Matmul",
      "HiFi2",
      BLOCKS,
      { T(1, 1, 3072, 1024, "BFLOAT8_B", SHARDED), T(1, 1, 1024, 1024, "BFLOAT8_B", DRAM) },
      T(1, 1, 3072, 1024, "BFLOAT8_B", SHARDED),
      72300,
      2000,
      0,
      0 },
    { "BinaryNgDeviceOperation",
      "HiFi4",
      NULL,
      { T(1, 1, 3072, 1024, "BFLOAT8_B", SHARDED), T(1, 1, 3072, 1024, "BFLOAT8_B", SHARDED) },
      T(1, 1, 3072, 1024, "BFLOAT8_B", SHARDED),
      40700,
      38500,
      0,
      0 },
    { "LayerNormDeviceOperation",
      "HiFi4",
      NULL,
      { T(1, 1, 3072, 1024, "BFLOAT8_B", SHARDED) },
      T(1, 1, 3072, 1024, "BFLOAT8_B", SHARDED),
      47500,
      1900,
      0,
      0 },
    { "Matmul",
      "HiFi2",
      BLOCKS,
      { T(1, 1, 3072, 1024, "BFLOAT8_B", SHARDED), T(1, 1, 1024, 4096, "BFLOAT8_B", DRAM) },
      T(1, 1, 3072, 4096, "BFLOAT16", DRAM),
      276400,
      2200,
      0,
      0 },
    { "Matmul",
      "HiFi4",
      NULL,
      { T(1, 1, 3072, 4096, "BFLOAT16", DRAM), T(1, 1, 4096, 1024, "BFLOAT8_B", DRAM) },
      T(1, 1, 3072, 1024, "BFLOAT8_B", SHARDED),
      1127300,
      2300,
      80,
      1 },
    { "BinaryNgDeviceOperation",
      "HiFi4",
      NULL,
      { T(1, 1, 3072, 1024, "BFLOAT8_B", SHARDED), T(1, 1, 3072, 1024, "BFLOAT8_B", SHARDED) },
      T(1, 1, 3072, 1024, "BFLOAT8_B", SHARDED),
      41900,
      1800,
      0,
      0 },
    { "LayerNormDeviceOperation",
      "HiFi4",
      NULL,
      { T(1, 1, 3072, 1024, "BFLOAT8_B", SHARDED) },
      T(1, 1, 3072, 1024, "BFLOAT8_B", SHARDED),
      47600,
      1900,
      0,
      0 },
    { "(torch) index_select", NULL, NULL, { { { 0 }, NULL, NULL } }, { { 0 }, NULL, NULL }, 0, 0, 0, 0 },
    { "Matmul",
      "HiFi2",
      BLOCKS,
      { T(1, 1, 32, 1024, "BFLOAT8_B", SHARDED), T(1, 1, 1024, 1024, "BFLOAT8_B", DRAM) },
      T(1, 1, 32, 1024, "BFLOAT8_B", SHARDED),
      5200,
      512700,
      0,
      0 },
    { "UnaryDeviceOperation",
      "HiFi4",
      NULL,
      { T(1, 1, 32, 1024, "BFLOAT8_B", SHARDED) },
      T(1, 1, 32, 1024, "BFLOAT8_B", SHARDED),
      4700,
      1700,
      0,
      0 },
};

enum { OPS = sizeof ops / sizeof *ops };

/* One op on the device: a cycle is a nanosecond, since the chip runs at 1000 MHz. */
struct run {
    uint64_t times[CORES][RISCS][MARKERS];
    unsigned risc_count; /* that have a kernel: the first ones */
    uint64_t kernel_start, mover_start, last_start, kernel_end, firmware_start, firmware_end;
    uint64_t shortest, longest, sum; /* kernels by core */
};

static uint64_t random_state = 7;

/* 0 .. limit - 1 */
static unsigned luck(unsigned limit)
{
    random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned)((random_state >> 33) % limit);
}

/* The BRISC of a core starts the others; they wait for data until the readers have some. */
static void run_core(struct run *run, const struct op *op, unsigned core, uint64_t start, uint64_t whole)
{
    static const unsigned late[RISCS] = { 90, 0, 60, 65, 70 }, early_end[RISCS] = { 900, 0, 400, 350, 180 };
    unsigned percent = core == STRAGGLER || !op->others_percent ? 100 : op->others_percent;
    uint64_t length = whole * percent / 100;
    uint64_t begin = start + core / SIDE * 9 + core % SIDE * 4;

    if (core != STRAGGLER)
        length -= length / 500 * luck(9);
    length -= begin - start;
    for (unsigned risc = 0; risc < RISCS; risc++) {
        uint64_t *times = run->times[core][risc];

        times[KERNEL_START] = begin + late[risc];
        times[KERNEL_END] = begin + length - (whole > 20000 ? early_end[risc] : early_end[risc] / 10);
        times[FIRMWARE_START] = times[KERNEL_START] - 310 - luck(12);
        times[FIRMWARE_END] = times[KERNEL_END] + 45 + luck(9);
    }
}

static void sum_up(struct run *run)
{
    run->kernel_start = run->firmware_start = run->mover_start = run->shortest = UINT64_MAX;
    run->kernel_end = run->firmware_end = run->last_start = run->longest = run->sum = 0;
    for (unsigned core = 0; core < CORES; core++) {
        uint64_t first = UINT64_MAX, last = 0;

        for (unsigned risc = 0; risc < run->risc_count; risc++) {
            const uint64_t *times = run->times[core][risc];

            first = times[KERNEL_START] < first ? times[KERNEL_START] : first;
            last = times[KERNEL_END] > last ? times[KERNEL_END] : last;
            run->last_start = times[KERNEL_START] > run->last_start ? times[KERNEL_START] : run->last_start;
            if (risc < 2 && times[KERNEL_START] < run->mover_start)
                run->mover_start = times[KERNEL_START];
            if (times[FIRMWARE_START] < run->firmware_start)
                run->firmware_start = times[FIRMWARE_START];
            if (times[FIRMWARE_END] > run->firmware_end)
                run->firmware_end = times[FIRMWARE_END];
        }
        run->kernel_start = first < run->kernel_start ? first : run->kernel_start;
        run->kernel_end = last > run->kernel_end ? last : run->kernel_end;
        run->shortest = last - first < run->shortest ? last - first : run->shortest;
        run->longest = last - first > run->longest ? last - first : run->longest;
        run->sum += last - first;
    }
}

/* ---- The device log ---- */

static void write_log_head(FILE *log)
{
    fputs("ARCH: wormhole_b0, CHIP_FREQ[MHz]: 1000, Max Compute Cores: 64\n"
          "PCIe slot, core_x, core_y, RISC processor type, timer_id, time[cycles since reset], data, run host ID, "
          "trace id, "
          "trace id counter, zone name, type, source line, source file, meta data\n",
          log);
}

static void write_markers(FILE *log, const struct run *run, unsigned call)
{
    static const char *const kinds[MARKERS] = { "ZONE_START", "ZONE_START", "ZONE_END", "ZONE_END" };

    for (unsigned core = 0; core < CORES; core++) {
        for (unsigned risc = 0; risc < run->risc_count; risc++) {
            for (unsigned i = 0; i < MARKERS; i++) {
                int kernel = i == KERNEL_START || i == KERNEL_END;

                fprintf(log, "0,%u,%u,%s,%u,%" PRIu64 ",0,%u,,,%s-%s,%s,%u,%s,\n", columns[core % SIDE],
                        rows[core / SIDE], riscs[risc], 1300 + 37 * risc + (kernel ? 11 : 0), run->times[core][risc][i],
                        call, zones[risc], kernel ? "KERNEL" : "FW", kinds[i], kernel ? 49 : 396, files[risc]);
            }
        }
    }
}

/* ---- The report ---- */

static void write_report_head(FILE *report)
{
    fputs("OP CODE,OP TYPE,GLOBAL CALL COUNT,DEVICE ID,DEVICE ARCH,ATTRIBUTES,MATH FIDELITY,CORE COUNT,"
          "AVAILABLE WORKER CORE COUNT,HOST START TS,HOST END TS,HOST DURATION [ns],DEVICE FW START CYCLE,DEVICE FW "
          "END CYCLE,"
          "OP TO OP LATENCY [ns],"
          "OP TO OP LATENCY BR/NRISC START [ns],DEVICE FW DURATION [ns],DEVICE KERNEL DURATION [ns],"
          "DEVICE KERNEL DURATION DM START [ns],DEVICE KERNEL DURATION PER CORE MIN [ns],"
          "DEVICE KERNEL DURATION PER CORE MAX [ns],DEVICE KERNEL DURATION PER CORE AVG [ns],"
          "DEVICE KERNEL FIRST TO LAST START [ns]",
          report);
    for (unsigned i = 0; i < 3; i++) {
        char name[16];

        snprintf(name, sizeof name, i < 2 ? "INPUT_%u" : "OUTPUT_0", i);
        fprintf(
            report,
            ",%s_W_PAD[LOGICAL],%s_Z_PAD[LOGICAL],%s_Y_PAD[LOGICAL],%s_X_PAD[LOGICAL],%s_LAYOUT,%s_DATATYPE,%s_MEMORY",
            name, name, name, name, name, name, name);
    }
    fputs("\n", report);
}

static void write_tensor(FILE *report, const struct tensor *tensor)
{
    if (!tensor->sizes[0]) {
        fputs(",,,,,,,", report);
        return;
    }
    for (unsigned i = 0; i < 4; i++)
        fprintf(report, ",%u[%u]", tensor->sizes[i], tensor->sizes[i]);
    fprintf(report, ",%s,%s,DEV_0_%s", strcmp(tensor->type, "UINT32") == 0 ? "ROW_MAJOR" : "TILE", tensor->type,
            tensor->memory);
}

static void write_attributes(FILE *report, const struct op *op)
{
    if (strcmp(op->code, "Matmul") == 0)
        fprintf(report,
                "{'compute_kernel_config': "
                "'WormholeComputeKernelConfig(math_fidelity=%s;math_approx_mode=0;fp32_dest_acc_en=0;"
                "packer_l1_acc=1)'; 'program_config': '%s'; 'transpose_b': 'false'}",
                op->fidelity, op->config ? op->config : "std::nullopt");
    else
        fputs("{}", report);
}

static void write_row(FILE *report, const struct op *op, const struct run *run, unsigned call, uint64_t host,
                      uint64_t before)
{
    unsigned spent = 11000 + luck(4000);

    fprintf(report, "%s,tt_dnn_device,%u,0,wormhole_b0,", op->code, call);
    write_attributes(report, op);
    fprintf(report, ",%s,%u,%u,%" PRIu64 ",%" PRIu64 ",%u,%" PRIu64 ",%" PRIu64 ",", op->fidelity ? op->fidelity : "",
            CORES, CORES, host, host + spent, spent, run->firmware_start, run->firmware_end);
    fprintf(report, "%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",",
            before ? run->kernel_start - before : 0, before ? run->mover_start - before : 0,
            run->firmware_end - run->firmware_start, run->kernel_end - run->kernel_start,
            run->kernel_end - run->mover_start);
    fprintf(report, "%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64, run->shortest, run->longest,
            (run->sum + CORES / 2) / CORES, run->last_start - run->kernel_start);
    write_tensor(report, &op->inputs[0]);
    write_tensor(report, &op->inputs[1]);
    write_tensor(report, &op->output);
    fputs("\n", report);
}

/* A row that has only a name, a kind and host times. */
static void write_host_row(FILE *report, const char *name, const char *kind, uint64_t start, uint64_t length)
{
    fprintf(report, "%s,%s,,,,,,,,%" PRIu64, name, kind, start);
    if (length)
        fprintf(report, ",%" PRIu64 ",%" PRIu64, start + length, length);
    else
        fputs(",,", report);
    for (unsigned i = 0; i < 11 + 3 * 7; i++)
        fputs(",", report);
    fputs("\n", report);
}

/* ---- Both ---- */

/* One pass over the layer, behind its signpost. The first one compiles each kernel, so that the device waits for the host. */
static void write_pass(FILE *report, FILE *log, unsigned pass, uint64_t *host, uint64_t *device)
{
    static struct run run;
    uint64_t before = pass ? *device : 0;

    write_host_row(report, pass ? "inference" : "compile", "signpost", *host, 0);
    for (unsigned i = 0; i < OPS; i++) {
        const struct op *op = &ops[i];
        unsigned compile = pass ? 0 : 21000000 + luck(9000000), call = (pass * OPS + i + 1) << 10;
        uint64_t whole = op->nanoseconds + luck(op->nanoseconds / 200 + 1);

        *host += 14000 + luck(6000) + compile;
        if (!op->nanoseconds) {
            write_host_row(report, op->code, "python_fallback", *host, 431800 + luck(9000));
            *host += 431800;
            continue;
        }
        memset(&run, 0, sizeof run);
        run.risc_count = op->fidelity ? RISCS : 2;
        for (unsigned core = 0; core < CORES; core++)
            run_core(&run, op, core, *device + op->gap + compile, whole);
        sum_up(&run);
        write_row(report, op, &run, call, *host, before);
        if (pass && op->logged)
            write_markers(log, &run, call);
        *device = before = run.kernel_end;
    }
    *host += 2500000;
    *device += 2900000;
}

static FILE *open_file(const char *folder, const char *name)
{
    char path[LONGEST_PATH];
    FILE *file;

    if (snprintf(path, sizeof path, "%s/%s", folder, name) >= (int)sizeof path || !(file = fopen(path, "w"))) {
        fprintf(stderr, "%s/%s: cannot be written\n", folder, name);
        exit(1);
    }
    return file;
}

int main(int count, char **words)
{
    const char *folder = count == 2 ? words[1] : ".";
    FILE *report = open_file(folder, "ops_perf_results.csv"), *log = open_file(folder, "profile_log_device.csv");
    uint64_t host = UINT64_C(4413815956), device = UINT64_C(2170879416545);
    int failed;

    write_report_head(report);
    write_log_head(log);
    for (unsigned pass = 0; pass < PASSES; pass++)
        write_pass(report, log, pass, &host, &device);
    failed = fclose(report);
    failed |= fclose(log);
    return failed ? 1 : 0;
}
