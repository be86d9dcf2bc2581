/* dump.c: the compiler's executable-targets dump. */
#include <string.h>

#include "model.h"

#define LRAM(bytes) "memref<" bytes "xi8, #torq_hl<enc mem_space = lram>>"
#define DTCM(bytes) "memref<" bytes "xi8, #torq_hl<enc mem_space = dtcm>>"

/* Puts `format`, with each % replaced by the next number. */
static void put_numbers(const char *format, const uint64_t *numbers)
{
    const char *percent;

    while ((percent = strchr(format, '%'))) {
        put_bytes(format, (size_t)(percent - format));
        if (percent[1] == '%')
            put_character('%');
        else
            put_unsigned(*numbers++);
        format = percent + (percent[1] == '%' ? 2 : 1);
    }
    put(format);
}

#define PUT_LINE(format, ...) (put_numbers(format, (const uint64_t[]){ __VA_ARGS__ }), end_line())

static void put_slice_program(unsigned index)
{
    const struct layer *layer = &layers[index];
    uint64_t cycles = layer->cycles * 2;

    put_numbers("          %%w% = torq_hl.program \"slice_program_torq_hl.", (const uint64_t[]){ index });
    put(layer->kind->name);
    PUT_LINE("_%\" : !torq_hl.program<slice> {", index);
    put_line("            torq_hw.slice_profiling");
    PUT_LINE("              memory : % bytes", layer->bytes * 3);
    put_line("              memory_info : \"1x16x16x8+16x3x3x8\"");
    PUT_LINE("              max_cycle : %", cycles);
    PUT_LINE(
        "              ndl_cycles : dedr(%) dewr(%) debr(16) deqw(%) cedw(%) cedr(%) ceww(%) cewr(%) cepr(%) acbw(16) "
        "acbr(%) acpr(%)",
        cycles, cycles / 16, cycles / 2, cycles - 7, cycles - 3, cycles / 16, cycles - 11, cycles - 1, cycles / 2,
        cycles / 2);
    put_line("            torq_hl.return");
    put_line("          }");
    put_numbers("          %%i%, %%c% = torq_hl.create_invocation \"slice_program_torq_hl.",
                (const uint64_t[]){ index, index });
    put(layer->kind->name);
    PUT_LINE("_%\" program(%%w% : !torq_hl.program<slice>) on 0 : !torq_hl.invocation<slice>, memref<264xi8>", index,
             index);
}

static void put_task_start(const struct work *work, uint64_t task)
{
    PUT_LINE("            torq_hw.nss_task {\"torq-end-time-cycles\" = % : i64, \"torq-start-time-cycles\" = % : i64, "
             "\"torq-task-id\" = % : i64}() {",
             work->end, work->start, task);
}

static void put_task_end(unsigned layer)
{
    PUT_LINE("            } loc(#loc%)", layer + 2);
}

static void put_dma_task(const struct work *work, uint64_t task, bool in, uint64_t bytes, unsigned layer)
{
    uint64_t location = layer + 2;

    put_task_start(work, task);
    if (in)
        put("              torq_hw.dma_in_cfg from %x : memref<1048576xi8> to %l : " LRAM("65536"));
    else
        put("              torq_hw.dma_out_cfg from %l : " LRAM("65536") " to %x : memref<1048576xi8>");
    PUT_LINE(" {read_address = 1048576 : i32, read_ndl = #torq_hw<dma_ndl{dims = [[%, 64], [64, 1]]}>, write_address = "
             "1280 : "
             "i32, write_ndl = #torq_hw<dma_ndl{dims = [[%, 1]]}>} loc(#loc%)",
             bytes / 64, bytes, location);
    put(in ? "              torq_hw.dma_in_start" : "              torq_hw.dma_out_start");
    PUT_LINE(" {\"torq-async-duration-cycles\" = % : i64} loc(#loc%)", work->end - work->start, location);
    put(in ? "              torq_hw.dma_in_wait" : "              torq_hw.dma_out_wait");
    PUT_LINE(" loc(#loc%)", location);
    put_task_end(layer);
}

/* Block arguments: one per layer of the job, numbered from its first one. */
static unsigned argument_of(const struct job *job, unsigned tile)
{
    return (job->tiles[tile].layer_index + LAYERS - job->tiles[0].layer_index) % LAYERS;
}

static void put_tile(const struct job *job, unsigned index)
{
    const struct tile *tile = &job->tiles[index];
    uint64_t bytes = layers[tile->layer_index].bytes;
    uint64_t location = tile->layer_index + 2;

    put_dma_task(&tile->in, task_in(job->number, index), true, bytes, tile->layer_index);
    put_task_start(&tile->slice, task_slice(job->number, index));
    if (index >= 2)
        PUT_LINE("              \"torq_hw.slice_wait\"() <{id = % : index}> : () -> () loc(#loc%)", index % 2,
                 location);
    PUT_LINE(
        "              \"torq_hw.slice_start\"(%%s%, %%l) <{id = % : index, program_address = 1320 : i32}> "
        "{\"torq-async-duration-cycles\" = % : i64} : (!torq_hl.invocation<slice>, " LRAM("65536") ") -> () loc(#loc%)",
        argument_of(job, index), index % 2, tile->slice.end - tile->slice.start, location);
    put_task_end(tile->layer_index);
    if (index % 2)
        put_dma_task(&tile->out, task_out(job->number, index), false, bytes * 2, tile->layer_index);
}

static void put_css_tasks(const struct job *job)
{
    unsigned layer = job->tiles[JOB_TILES - 1].layer_index;
    uint64_t location = layer + 2;

    put_task_start(&job->to_dtcm, task_last(job->number, 0));
    put_line("              \"torq_hw.slice_wait\"() <{id = 0 : index}> : () -> ()");
    put_line("              \"torq_hw.slice_wait\"() <{id = 1 : index}> : () -> ()");
    PUT_LINE("              torq_hw.cdma_start from %%m : " LRAM("4096") " to %%d : " DTCM(
                 "4096") " {\"torq-async-duration-cycles\" = % : i64} loc(#loc%)",
             job->to_dtcm.end - job->to_dtcm.start, location);
    PUT_LINE("              torq_hw.cdma_wait loc(#loc%)", location);
    put_task_end(layer);
    put_task_start(&job->css, task_last(job->number, 1));
    PUT_LINE("              torq_hw.css_start %%k : !torq_hl.invocation<css> program %%d(%%d = %%d) "
             "{\"torq-async-duration-cycles\" = 8000 : i64} : " DTCM("4096") ", " DTCM("4096") ", " DTCM(
                 "4096") " loc(#loc%)",
             location);
    PUT_LINE("              torq_hw.css_wait loc(#loc%)", location);
    put_task_end(layer);
    put_task_start(&job->to_lram, task_last(job->number, 2));
    PUT_LINE("              torq_hw.cdma_start from %%d : " DTCM("4096") " to %%m : " LRAM(
                 "4096") " {\"torq-async-duration-cycles\" = % : i64} loc(#loc%)",
             job->to_lram.end - job->to_lram.start, location);
    PUT_LINE("              torq_hw.cdma_wait loc(#loc%)", location);
    put_task_end(layer);
}

static void put_job_program(const struct job *job)
{
    unsigned number = (unsigned)(job->number % DISPATCH_JOBS);
    unsigned arguments = argument_of(job, JOB_TILES - 1) + 1;

    PUT_LINE(
        "          %%p% = torq_hl.program \"nss_program_%\" {block_sizes = array<i32: 364>} : !torq_hl.program<nss> {",
        number, number);
    put("          ^bb0(");
    for (unsigned i = 0; i < arguments; i++)
        put_numbers("%%s%: !torq_hl.invocation<slice>, ", (const uint64_t[]){ i });
    put_line("%k: !torq_hl.invocation<css>, %area: " LRAM("640") "):");
    put_line("            %x = memref.get_global @__x : memref<1048576xi8>");
    put_line("            %l = memref.get_global @__l : " LRAM("65536"));
    put_line("            %m = memref.get_global @__m : " LRAM("4096"));
    put_line("            %d = memref.get_global @__d : " DTCM("4096"));
    for (unsigned i = 0; i < JOB_TILES; i++)
        put_tile(job, i);
    put_css_tasks(job);
    put_line("            torq_hl.return");
    PUT_LINE("          } loc(#loc%)", job->tiles[0].layer_index + 2);
    PUT_LINE(
        "          %%n%, %%b% = torq_hl.create_invocation \"nss_program_%\" program(%%p% : !torq_hl.program<nss>) on 0 "
        "{\"torq-job-id\" = % : i32} : !torq_hl.invocation<nss>, memref<364xi8>",
        number, number, number, number, number);
}

static void put_job_actions(const struct job *job)
{
    unsigned number = (unsigned)(job->number % DISPATCH_JOBS);
    unsigned arguments = argument_of(job, JOB_TILES - 1) + 1;
    uint64_t location = job->tiles[0].layer_index + 2;
    uint64_t wait = wait_action(job->number);

    put_numbers("          torq_hl.start_program %%n% : !torq_hl.invocation<nss> args(", (const uint64_t[]){ number });
    for (unsigned i = 0; i < arguments; i++)
        put_numbers("%%i%, ", (const uint64_t[]){ (job->tiles[0].layer_index + i) % LAYERS });
    put("%css, %slot : ");
    for (unsigned i = 0; i < arguments; i++)
        put("!torq_hl.invocation<slice>, ");
    PUT_LINE("!torq_hl.invocation<css>, " LRAM("640") ") code(%%slot : " LRAM(
                 "640") ") {\"torq-action-id\" = % : i32, "
                        "\"torq-end-time-cycles\" = % : i64, \"torq-start-time-cycles\" = % : i64} loc(#loc%)",
             wait - 1, job->start, job->start, location);
    PUT_LINE("          torq_hl.wait_program %%n% : !torq_hl.invocation<nss> {\"torq-action-id\" = % : i32, "
             "\"torq-end-time-cycles\" = % : i64, \"torq-start-time-cycles\" = % : i64} loc(#loc%)",
             number, wait, job->end, job->start, location);
}

static void put_blob(uint64_t bytes, uint64_t seed)
{
    static const char digits[] = "0123456789ABCDEF";

    put_numbers("        memref.global \"private\" constant @__const_global_0 : memref<%xi8> = dense<\"0x",
                (const uint64_t[]){ bytes });
    for (uint64_t i = 0; i < bytes; i += 8) {
        uint64_t word = next_random(&seed);
        char text[16];

        for (unsigned k = 0; k < 16; k++, word >>= 4)
            text[k] = digits[word & 15];
        put_bytes(text, bytes - i < 8 ? (size_t)(bytes - i) * 2 : 16);
    }
    put_line("\"> {xram_address = 1048576 : i64}");
}

static void put_dispatch_head(uint64_t dispatch, const char *name, uint64_t blob, uint64_t seed)
{
    PUT_LINE("  hal.executable private @main_dispatch_% {", dispatch);
    put_line("    hal.executable.variant public @torq_fb target(<\"torq\", \"torq-fb\">) {");
    put_line("      builtin.module {");
    put_line("        memref.global \"private\" @__program_slot0 : " LRAM(
        "640") " = uninitialized {lram_address = 0 : i64}");
    if (dispatch == 0 && blob)
        put_blob(blob, seed);
    put("        func.func @");
    put(name);
    put_line("() attributes {\"torq-next-free-xram-address\" = 9457664 : i64} {");
    put_line("          torq_hw.dispatch_profiling");
    put_line("            memory : 2097152 bytes");
    PUT_LINE("            total_cycle : %", (uint64_t)40000);
}

static void put_dispatch_actions(uint64_t dispatch, const struct job *jobs)
{
    uint64_t location = jobs[0].tiles[0].layer_index + 2;
    uint64_t action = 1 + DISPATCH_JOBS * 2;

    put_line("          %slot = memref.get_global @__program_slot0 : " LRAM("640"));
    put_line("          %blk = torq_hl.get_block %n0 block 0 : !torq_hl.invocation<nss> -> memref<364xi8>");
    PUT_LINE(
        "          torq_hl.host_copy %%blk : memref<364xi8> to %%slot : " LRAM(
            "640") " {element_size_bytes = 364 : i64, shape = array<i64>, \"torq-action-id\" = 0 : i32} loc(#loc%)",
        location);
    for (unsigned i = 0; i < DISPATCH_JOBS; i++)
        put_job_actions(&jobs[i]);
    if (dispatch_has_host_program(dispatch)) {
        put_line(
            "          %hp = \"torq_hl.import_program\"() <{name = @host_softmax}> : () -> !torq_hl.program<host>");
        put_line("          %hi = torq_hl.create_invocation \"host_softmax\" program(%hp : !torq_hl.program<host>) : "
                 "!torq_hl.invocation<host>");
        PUT_LINE(
            "          torq_hl.start_program %%hi : !torq_hl.invocation<host> args( : ) {\"torq-action-id\" = % : i32} "
            "loc(#loc%)",
            action, location);
        PUT_LINE(
            "          torq_hl.wait_program %%hi : !torq_hl.invocation<host> {\"torq-action-id\" = % : i32} loc(#loc%)",
            action + 1, location);
        action += 2;
    }
    PUT_LINE("          %%tmp = memref.alloc() {\"torq-action-id\" = % : i32} : memref<16xi8> loc(unknown)", action);
    PUT_LINE("          memref.dealloc %%tmp {\"torq-action-id\" = % : i32} : memref<16xi8> loc(unknown)", action + 1);
    put_line("          return");
    put_line("        }");
    put_line("      }");
    put_line("    }");
    put_line("  }");
}

static void put_aliases(void)
{
    put_numbers("#loc1 = loc(\"", NULL);
    put(source_path);
    put_line("\":2:3)");
    for (unsigned i = 0; i < LAYERS; i++) {
        put_numbers("#loc% = ", (const uint64_t[]){ i + 2 });
        if (layers[i].fused_with != i && strncmp(layers[i].plain, "loc(fused", 9) == 0)
            put_numbers("loc(fused[#loc%, #loc%])", (const uint64_t[]){ i + 1002, layers[i].fused_with + 1002 });
        else
            put(layers[i].plain);
        end_line();
        put_numbers("#loc% = loc(callsite(\"", (const uint64_t[]){ i + 1002 });
        put(source_path);
        PUT_LINE("\":%:% at #loc1))", layers[i].line, layers[i].column);
    }
}

uint64_t generate_mlir(uint64_t rows, uint64_t seed, uint64_t gaps, uint64_t blob)
{
    struct schedule schedule = start_schedule(seed, gaps);
    struct job jobs[DISPATCH_JOBS];
    char name[64];

    put_line("module {");
    for (uint64_t dispatch = 0; dispatch < RUNTIME_DISPATCHES || lines_written < rows; dispatch++) {
        const struct job *last = &jobs[DISPATCH_JOBS - 1];
        unsigned first;
        unsigned count;

        for (unsigned i = 0; i < DISPATCH_JOBS; i++)
            play_job(&schedule, &jobs[i]);
        first = jobs[0].tiles[0].layer_index;
        count = (last->tiles[JOB_TILES - 1].layer_index + LAYERS - first) % LAYERS + 1;
        dispatch_name(name, sizeof name, dispatch);
        put_dispatch_head(dispatch, name, blob, seed);
        for (unsigned i = 0; i < count; i++)
            put_slice_program((first + i) % LAYERS);
        put_line("          %cp = torq_hl.program \"css_program\" : !torq_hl.program<css> {");
        put_line("            torq_hl.return");
        put_line("          }");
        put_line(
            "          %css, %cssc = torq_hl.create_invocation \"css_program\" program(%cp : !torq_hl.program<css>) : "
            "!torq_hl.invocation<css>, memref<4096xi8>");
        for (unsigned i = 0; i < DISPATCH_JOBS; i++)
            put_job_program(&jobs[i]);
        put_dispatch_actions(dispatch, jobs);
    }
    put_line("}");
    put_aliases();
    return 0;
}
