/* generate_dump.c: what the compiler would write: its dump, and the timeline of its estimate.
 *
 * Layers are cut into tiles and run on a machine with two slices, a task at a time, with the compiler's own cost model;
 * the dump is printed on the way, and every start of an engine gives a row of the timeline.
 */
#include "generate.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    MOST_ACTIONS = 120,
    MOST_ROWS = 4000,
    RESIDENT = 128 * 1024, /* activations up to this size stay in LRAM between layers */
    SEGMENT_TASKS = 20,    /* longer programs have a second block */
    CSS_CYCLES = 8000,
};

static const char *const kernel_names[] = { "conv2d", "depthwise", "add", "avg_pool2d", "fully_connected", "softmax" };

enum row_group { ROW_TRANSFER, ROW_SLICE, ROW_CSS, ROW_GROUPS };

struct row {
    enum row_group group;
    uint64_t task;
    uint64_t start;
    uint64_t cycles;
    const char *event;
    unsigned layer;
    uint64_t bytes; /* 0: not a transfer */
};

struct action actions[MOST_ACTIONS];
unsigned action_count;
static struct row rows[MOST_ROWS];
static unsigned row_count;

/* Number of the location alias of a layer: the fused one where there is one. */
static unsigned alias(unsigned layer)
{
    return layer * 2 + (layers[layer].rescale.line ? 2 : 1);
}

/* Of a job: its layers fused, without their rescales. */
static unsigned job_alias(unsigned job)
{
    return jobs[job].layer_count > 1 ? layer_count * 2 + 1 + job : alias(jobs[job].first_layer);
}

/* The location as the compiler prints it in full. */
static void print_location(struct page *page, const struct layer *layer)
{
    print(page, layer->rescale.line ? "loc(fused[" : "loc(");
    print(page, "callsite(\"%s\":%u:%u at \"%s\":2:3)", source_path, layer->place.line, layer->place.column,
          source_path);
    if (layer->rescale.line)
        print(page, ", callsite(\"%s\":%u:%u at \"%s\":2:3)]", source_path, layer->rescale.line, layer->rescale.column,
              source_path);
    print(page, ")");
}

enum lane { LANE_IN, LANE_OUT, LANE_SLICE_0, LANE_SLICE_1, LANE_CDMA, LANE_CSS, LANE_COUNT };

#define LRAM "memref<%" PRIu64 "xi8, #torq_hl<enc mem_space = lram>>"
#define DTCM "memref<%" PRIu64 "xi8, #torq_hl<enc mem_space = dtcm>>"
#define ITCM "memref<%" PRIu64 "xi8, #torq_hl<enc mem_space = itcm>>"

static struct {
    struct page *page; /* where tasks go */
    struct page body;  /* of the task that is being made */
    uint64_t now;
    uint64_t started;          /* when the task started */
    uint64_t ends[LANE_COUNT]; /* when each engine is free */
    uint64_t task;             /* number of the next one */
    unsigned tasks_in_job;
    unsigned layer; /* that the task works for */
} machine;

static void add_row(enum row_group group, const char *event, uint64_t cycles, uint64_t bytes)
{
    if (row_count == MOST_ROWS)
        fail("too many rows");
    rows[row_count++] = (struct row){ group, machine.task, machine.now, cycles, event, machine.layer, bytes };
}

static void begin_task(unsigned layer)
{
    machine.body.length = 0;
    machine.started = machine.now;
    machine.layer = layer;
}

static void end_task(void)
{
    print(machine.page,
          "            torq_hw.nss_task {\"torq-end-time-cycles\" = %" PRIu64
          " : i64, \"torq-start-time-cycles\" = %" PRIu64 " : i64, \"torq-task-id\" = %" PRIu64 " : i64}() {\n",
          machine.now, machine.started, machine.task);
    for (size_t done = 0; done < machine.body.length; done += 2048) {
        size_t left = machine.body.length - done;

        print(machine.page, "%.*s", (int)(left < 2048 ? left : 2048), machine.body.data + done);
    }
    print(machine.page, "            } loc(#loc%u)\n", alias(machine.layer));
    machine.task++;
    machine.tasks_in_job++;
}

static void wait_for(enum lane lane, const char *operation)
{
    if (machine.ends[lane] > machine.now)
        machine.now = machine.ends[lane];
    print(&machine.body, "              %s loc(#loc%u)\n", operation, alias(machine.layer));
}

/* Starts a transfer of `bytes`: 4.33 bytes per cycle, rounded up, as the compiler has it. */
static void transfer(bool in, uint64_t bytes)
{
    uint64_t cycles = (bytes * 100 + 432) / 433;
    const char *name = in ? "in" : "out";

    add_row(ROW_TRANSFER, in ? "DMA In" : "DMA Out", cycles, bytes);
    machine.ends[in ? LANE_IN : LANE_OUT] = machine.now + cycles;
    if (in)
        print(&machine.body, "              torq_hw.dma_in_cfg from %%xram : memref<9437184xi8> to %%lram : " LRAM,
              (uint64_t)262144);
    else
        print(&machine.body, "              torq_hw.dma_out_cfg from %%lram : " LRAM " to %%xram : memref<9437184xi8>",
              (uint64_t)262144);
    print(&machine.body,
          " {read_ndl = #torq_hw<dma_ndl{dims = [[%" PRIu64 ", 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[%" PRIu64
          ", 1]]}>} loc(#loc%u)\n",
          bytes, bytes, alias(machine.layer));
    print(&machine.body,
          "              torq_hw.dma_%s_start {\"torq-async-duration-cycles\" = %" PRIu64 " : i64} loc(#loc%u)\n", name,
          cycles, alias(machine.layer));
}

static void start_slice(unsigned slice, unsigned argument)
{
    uint64_t cycles = layers[machine.layer].tile_cycles;

    add_row(ROW_SLICE, slice ? "Slice 1" : "Slice 0", cycles, 0);
    machine.ends[slice ? LANE_SLICE_1 : LANE_SLICE_0] = machine.now + cycles;
    print(&machine.body,
          "              \"torq_hw.slice_start\"(%%s%u, %%lram) <{id = %u : index}> {\"torq-async-duration-cycles\" = "
          "%" PRIu64 " : i64} : (!torq_hl.invocation<slice>, " LRAM ") -> () loc(#loc%u)\n",
          argument, slice, cycles, (uint64_t)262144, alias(machine.layer));
    machine.now++;
}

static void wait_for_slice(unsigned slice)
{
    char operation[80];

    snprintf(operation, sizeof operation, "\"torq_hw.slice_wait\"() <{id = %u : index}> : () -> ()", slice);
    wait_for(slice ? LANE_SLICE_1 : LANE_SLICE_0, operation);
}

/* A copy between LRAM and the memories of CSS: 16 bytes per cycle at 0.8 of the rate. */
static void copy_for_css(const char *event, const char *from, const char *to, uint64_t bytes)
{
    uint64_t cycles = (bytes * 10 + 127) / 128;

    add_row(ROW_TRANSFER, event, cycles, bytes);
    machine.ends[LANE_CDMA] = machine.now + cycles;
    print(&machine.body,
          "              torq_hw.cdma_start from %%%s : memref<%" PRIu64
          "xi8, #torq_hl<enc mem_space = %s>> to %%%s : memref<%" PRIu64
          "xi8, #torq_hl<enc mem_space = %s>> {\"torq-async-duration-cycles\" = %" PRIu64 " : i64} loc(#loc%u)\n",
          from, bytes, from, to, bytes, to, cycles, alias(machine.layer));
    wait_for(LANE_CDMA, "torq_hw.cdma_wait");
}

static void wait_in_task(unsigned layer, unsigned slice, bool out)
{
    begin_task(layer);
    wait_for_slice(slice);
    if (out)
        wait_for(LANE_OUT, "torq_hw.dma_out_wait");
    end_task();
}

/* Tiles take turns on the two slices. While one is computed the next one's operands come in and an earlier one's result
 * goes out; activations that fit stay in LRAM. What a task waits for before it starts something is a task of its own,
 * so that everything a task starts begins when the task does. */
static void run_tiles(unsigned index, unsigned argument, bool last_of_job)
{
    const struct layer *layer = &layers[index];
    uint64_t arriving = input_bytes(layer) > RESIDENT ? input_bytes(layer) : 0;
    uint64_t in = (weight_bytes(layer) + arriving) / layer->tiles;
    uint64_t out = output_bytes(layer) > RESIDENT || last_of_job ? output_bytes(layer) / layer->tiles : 0;
    unsigned sent = 0; /* tiles whose result is on its way or there */

    if (in) {
        begin_task(index);
        transfer(true, in);
        wait_for(LANE_IN, "torq_hw.dma_in_wait");
        end_task();
    }
    for (unsigned tile = 0; tile < layer->tiles; tile++) {
        if (tile >= 2)
            wait_in_task(index, tile % 2, out && sent > 0);
        begin_task(index);
        if (tile >= 2 && out) {
            transfer(false, out);
            sent++;
        }
        if (in && tile + 1 < layer->tiles)
            transfer(true, in);
        start_slice(tile % 2, argument);
        if (in && tile + 1 < layer->tiles)
            wait_for(LANE_IN, "torq_hw.dma_in_wait");
        end_task();
    }
    for (unsigned tile = layer->tiles > 1 ? layer->tiles - 2 : 0; tile < layer->tiles; tile++) {
        wait_in_task(index, tile % 2, out && sent > 0);
        if (!out)
            continue;
        begin_task(index);
        transfer(false, out);
        sent++;
        if (sent == layer->tiles)
            wait_for(LANE_OUT, "torq_hw.dma_out_wait");
        end_task();
    }
}

/* Pooling runs on CSS, which has memories of its own. */
static void run_pool(unsigned index)
{
    const struct layer *layer = &layers[index];

    begin_task(index);
    copy_for_css("CDMA LRAM to ITCM", "lram", "itcm", 2048);
    end_task();
    begin_task(index);
    copy_for_css("CDMA LRAM to DTCM", "lram", "dtcm", input_bytes(layer));
    end_task();
    begin_task(index);
    add_row(ROW_CSS, "CSS", CSS_CYCLES, 0);
    machine.ends[LANE_CSS] = machine.now + CSS_CYCLES;
    print(&machine.body,
          "              torq_hw.css_start %%css : !torq_hl.invocation<css> program %%itcm(%%dtcm = %%dtcm) "
          "{\"torq-async-duration-cycles\" = %u : i64} : " ITCM ", " DTCM ", " DTCM " loc(#loc%u)\n",
          (unsigned)CSS_CYCLES, (uint64_t)2048, input_bytes(layer), input_bytes(layer), alias(index));
    machine.now++;
    wait_for(LANE_CSS, "torq_hw.css_wait");
    end_task();
    begin_task(index);
    copy_for_css("CDMA DTCM to LRAM", "dtcm", "lram", output_bytes(layer));
    end_task();
}

static void print_slice_program(struct page *page, unsigned index)
{
    const struct layer *layer = &layers[index];
    const char *name = kernel_names[layer->kind];
    uint64_t cycles = layer->tile_cycles;
    uint64_t weights =
        layer->kind == DENSE ? cycles : cycles / 9 + 8; /* one output per weight: weights are the bound */
    uint64_t data = layer->kind == DENSE ? cycles / 4 + 8 : layer->kind == CONV ? cycles - 5 : cycles;

    print(page, "          %%w%u = torq_hl.program \"slice_program_torq_hl.%s_%u\" : !torq_hl.program<slice> {\n",
          index, name, index);
    print(page, "            torq_hw.slice_profiling\n              memory : %" PRIu64 " bytes\n", layer->memory);
    print(page, "              memory_info : \"1x%ux%ux%u", layer->size, layer->size, layer->in_channels);
    if (weight_bytes(layer))
        print(page, "+%ux%ux%ux%u", layer->kind == DEPTHWISE ? 1 : layer->out_channels, layer->window, layer->window,
              layer->in_channels);
    print(page, "\"\n              max_cycle : %" PRIu64 "\n", cycles);
    print(page,
          "              ndl_cycles : dedr(%" PRIu64 ") dewr(%" PRIu64 ") debr(16) deqw(%" PRIu64 ") cedw(%" PRIu64
          ") cedr(%" PRIu64 ") ceww(%" PRIu64 ") cewr(%" PRIu64 ") cepr(%" PRIu64 ") acbw(16) acbr(%" PRIu64
          ") acpr(%" PRIu64 ")\n",
          data, weights, cycles / 3, data / 2, layer->kind == CONV ? cycles : data / 2, weights / 2, weights / 2,
          cycles - 9, cycles / 3, cycles / 3);
    print(page, "            torq_hl.return\n          } loc(#loc%u)\n", alias(index));
    print(page,
          "          %%i%u, %%c%u = torq_hl.create_invocation \"slice_program_torq_hl.%s_%u\" program(%%w%u : "
          "!torq_hl.program<slice>) on 0 : !torq_hl.invocation<slice>, memref<264xi8>\n",
          index, index, name, index, index);
}

/* A program that does not fit into its slot of LRAM goes on in a second block. */
static void maybe_next_block(struct page *page, bool *segmented, bool more)
{
    if (*segmented || !more || machine.tasks_in_job < SEGMENT_TASKS)
        return;
    print(page,
          "            torq_hl.next lram_area(%%area : " LRAM
          ") to ^bb1 {lramAddress = 0 : i64}\n          ^bb1:  // pred: ^bb0\n",
          (uint64_t)640);
    *segmented = true;
}

static void print_job(struct page *page, unsigned index)
{
    struct job *job = &jobs[index];
    bool segmented = false;
    bool css = false;

    print(page, "          %%p%u = torq_hl.program \"nss_program_%u\" : !torq_hl.program<nss> {\n          ^bb0(",
          job->number, job->number);
    for (unsigned i = 0; i < job->layer_count; i++)
        print(page, "%%s%u: !torq_hl.invocation<slice>, ", i);
    print(page, "%%css: !torq_hl.invocation<css>, %%area: " LRAM "):\n", (uint64_t)640);
    print(page, "            %%xram = memref.get_global @__xram : memref<9437184xi8>\n");
    print(page, "            %%lram = memref.get_global @__lram : " LRAM "\n", (uint64_t)262144);
    machine.page = page;
    machine.tasks_in_job = 0;
    job->start = machine.now;
    for (unsigned i = 0; i < job->layer_count; i++) {
        unsigned layer = job->first_layer + i;

        if (layers[layer].kind == POOL && !css) {
            print(page, "            %%dtcm = memref.get_global @__dtcm : " DTCM "\n", (uint64_t)65536);
            print(page, "            %%itcm = memref.get_global @__itcm : " ITCM "\n", (uint64_t)8192);
            css = true;
        }
        if (layers[layer].kind == POOL)
            run_pool(layer);
        else
            run_tiles(layer, i, i + 1 == job->layer_count);
        maybe_next_block(page, &segmented, i + 1 < job->layer_count);
    }
    job->end = machine.now;
    print(page, "            torq_hl.return\n          } loc(#loc%u)\n", job_alias(index));
    print(page,
          "          %%n%u, %%k%u%s = torq_hl.create_invocation \"nss_program_%u\" program(%%p%u : "
          "!torq_hl.program<nss>) on 0 "
          "{\"torq-job-id\" = %u : i32} : !torq_hl.invocation<nss>, memref<364xi8>%s\n",
          job->number, job->number, segmented ? ":2" : "", job->number, job->number, job->number,
          segmented ? ", memref<188xi8>" : "");
}

static unsigned add_action(enum action_kind kind, unsigned dispatch, unsigned job, unsigned microseconds)
{
    unsigned id = action_count && actions[action_count - 1].dispatch == dispatch ? actions[action_count - 1].id + 1 : 0;

    if (action_count == MOST_ACTIONS)
        fail("too many actions");
    actions[action_count++] = (struct action){ kind, dispatch, id, job, microseconds };
    return id;
}

static void print_copy(struct page *page, unsigned dispatch, unsigned layer, const char *from, uint64_t bytes,
                       unsigned microseconds)
{
    print(page,
          "          torq_hl.host_copy %%%s : memref<%" PRIu64 "xi8> to %%slot : " LRAM
          " {element_size_bytes = %" PRIu64
          " : i64, input_strides_bytes = array<i64>, output_strides_bytes = array<i64>, shape = "
          "array<i64>, \"torq-action-id\" = %u : i32} loc(#loc%u)\n",
          from, bytes, (uint64_t)640, bytes, add_action(COPY, dispatch, 0, microseconds), alias(layer));
}

static void print_job_actions(struct page *page, unsigned index)
{
    const struct job *job = &jobs[index];

    print(page, "          torq_hl.start_program %%n%u : !torq_hl.invocation<nss> args(", job->number);
    for (unsigned i = 0; i < job->layer_count; i++)
        print(page, "%%i%u, ", job->first_layer + i);
    print(page, "%%cssi, %%slot : ");
    for (unsigned i = 0; i < job->layer_count; i++)
        print(page, "!torq_hl.invocation<slice>, ");
    print(page,
          "!torq_hl.invocation<css>, " LRAM ") code(%%slot : " LRAM
          ") {\"torq-action-id\" = %u : i32, \"torq-end-time-cycles\" = "
          "%" PRIu64 " : i64, \"torq-start-time-cycles\" = %" PRIu64 " : i64} loc(#loc%u)\n",
          (uint64_t)640, (uint64_t)640, add_action(START, job->dispatch, index, 6), job->start, job->start,
          job_alias(index));
    print(page,
          "          torq_hl.wait_program %%n%u : !torq_hl.invocation<nss> {\"torq-action-id\" = %u : i32, "
          "\"torq-end-time-cycles\" = %" PRIu64 " : i64, \"torq-start-time-cycles\" = %" PRIu64 " : i64} loc(#loc%u)\n",
          job->number, add_action(WAIT, job->dispatch, index, 0), job->end, job->start, job_alias(index));
}

/* Softmax is not for the accelerator: the host does it, slowly, in a buffer of its own. */
static void print_host_program(struct page *page, unsigned dispatch)
{
    unsigned softmax = alias(layer_count - 1);

    print(page,
          "          %%hp = \"torq_hl.import_program\"() <{name = @host_softmax}> : () -> !torq_hl.program<host>\n");
    print(page, "          %%hi = torq_hl.create_invocation \"host_softmax\" program(%%hp : !torq_hl.program<host>) : "
                "!torq_hl.invocation<host>\n");
    print(page, "          %%tmp = memref.alloc() {\"torq-action-id\" = %u : i32} : memref<4000xi8> loc(#loc%u)\n",
          add_action(ALLOC, dispatch, 0, 2), softmax);
    print(page,
          "          torq_hl.start_program %%hi : !torq_hl.invocation<host> args( : ) {\"torq-action-id\" = %u : i32} "
          "loc(#loc%u)\n",
          add_action(HOST_START, dispatch, 0, 1640), softmax);
    print(
        page,
        "          torq_hl.wait_program %%hi : !torq_hl.invocation<host> {\"torq-action-id\" = %u : i32} loc(#loc%u)\n",
        add_action(HOST_WAIT, dispatch, 0, 0), softmax);
    print(page, "          memref.dealloc %%tmp {\"torq-action-id\" = %u : i32} : memref<4000xi8> loc(#loc%u)\n",
          add_action(DEALLOC, dispatch, 0, 1), softmax);
}

static void print_profile(struct page *page, unsigned dispatch)
{
    uint64_t memory = 0;
    uint64_t largest = 0;

    for (unsigned i = 0; i < layer_count; i++) {
        if (layers[i].dispatch != dispatch)
            continue;
        memory += layers[i].memory;
        if (layers[i].tile_cycles > largest)
            largest = layers[i].tile_cycles;
    }
    print(page,
          "          torq_hw.dispatch_profiling\n            memory : %" PRIu64
          " bytes\n            total_cycle : %" PRIu64 "\n",
          memory, largest);
}

static void print_dispatch(struct page *page, unsigned dispatch)
{
    unsigned first = 0;

    while (layers[first].dispatch != dispatch)
        first++;
    print(page, "  hal.executable private @main_dispatch_%u {\n", dispatch);
    print(page,
          "    hal.executable.variant public @torq_fb target(<\"torq\", \"torq-fb\">) {\n      builtin.module {\n");
    print(page,
          "        memref.global \"private\" @__program_slot0 : " LRAM " = uninitialized {lram_address = 0 : i64}\n",
          (uint64_t)640);
    print(page, "        func.func @%s() {\n", dispatch_names[dispatch]);
    print_profile(page, dispatch);
    for (unsigned i = first; i < layer_count && layers[i].dispatch == dispatch; i++) {
        if (layers[i].kind != SOFTMAX && layers[i].kind != POOL)
            print_slice_program(page, i);
    }
    print(page, "          %%cp = torq_hl.program \"css_program\" : !torq_hl.program<css> {\n            "
                "torq_hl.return\n          }\n");
    print(
        page,
        "          %%cssi, %%cssc = torq_hl.create_invocation \"css_program\" program(%%cp : !torq_hl.program<css>) : "
        "!torq_hl.invocation<css>, memref<2048xi8>\n");
    for (unsigned i = 0; i < job_count; i++) {
        if (jobs[i].dispatch == dispatch)
            print_job(page, i);
    }
    print(page, "          %%slot = memref.get_global @__program_slot0 : " LRAM "\n", (uint64_t)640);
    print(page, "          %%block = torq_hl.get_block %%n0 block 0 : !torq_hl.invocation<nss> -> memref<364xi8>\n");
    if (dispatch == 0) {
        print(
            page,
            "          %%image = \"torq_hl.map_binding\"() <{binding_index = 0 : index, is_read_only = true}> : () -> "
            "memref<150528xi8>\n");
        print_copy(page, dispatch, first, "image", 150528, 212);
    }
    print_copy(page, dispatch, first, "block", 364, 11);
    for (unsigned i = 0; i < job_count; i++) {
        if (jobs[i].dispatch == dispatch)
            print_job_actions(page, i);
        if (dispatch == 3 && jobs[i].dispatch == dispatch && jobs[i].number == 1)
            print_copy(page, dispatch, first, "block", 364, 84);
    }
    if (layers[layer_count - 1].dispatch == dispatch)
        print_host_program(page, dispatch);
    print(page, "          return\n        }\n      }\n    }\n  }\n");
}

static void print_aliases(struct page *page)
{
    print(page, "#loc = loc(\"%s\":2:3)\n", source_path);
    for (unsigned i = 0; i < layer_count; i++) {
        const struct layer *layer = &layers[i];

        print(page, "#loc%u = loc(callsite(\"%s\":%u:%u at #loc))\n", i * 2 + 1, source_path, layer->place.line,
              layer->place.column);
        if (layer->rescale.line)
            print(page, "#loc%u = loc(fused[#loc%u, callsite(\"%s\":%u:%u at #loc)])\n", i * 2 + 2, i * 2 + 1,
                  source_path, layer->rescale.line, layer->rescale.column);
    }
    for (unsigned i = 0; i < job_count; i++) {
        const struct job *job = &jobs[i];

        if (job->layer_count == 1)
            continue;
        print(page, "#loc%u = loc(fused[#loc%u", job_alias(i), job->first_layer * 2 + 1);
        for (unsigned k = 1; k < job->layer_count; k++)
            print(page, ", #loc%u", (job->first_layer + k) * 2 + 1);
        print(page, "])\n");
    }
}

void print_dump(struct page *page)
{
    print(page, "// Synthetic: written by examples/generate.c, not by a compiler.\nmodule @mobilenet {\n");
    for (unsigned i = 0; i < DISPATCHES; i++)
        print_dispatch(page, i);
    print(page, "}\n");
    print_aliases(page);
    free(machine.body.data);
}

void print_timeline(struct page *page)
{
    print(page, "taskId, elapsed_time(us), timestamp(us), event, location, bytes\n");
    for (unsigned group = 0; group < ROW_GROUPS; group++) {
        for (unsigned i = 0; i < row_count; i++) {
            const struct row *row = &rows[i];

            if (row->group != group)
                continue;
            print(page, "%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%s,", row->task, row->cycles, row->start, row->event);
            print_location(page, &layers[row->layer]);
            if (row->bytes)
                print(page, ",%" PRIu64 "\n", row->bytes);
            else
                print(page, ",\n");
        }
    }
}
