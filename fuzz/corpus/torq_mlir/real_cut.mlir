// PROVENANCE: public GitHub, alan-chen-dongsheng/torq-compiler, alan_readme/dump_ir/jit___call.10.executable-targets.mlir (commit be5b88b2a722), 21,313 chars.
// Transcribed and shortened: machine-code byte arrays (`code [array<i8: ...>]`) and the 264-byte slice descriptor constant are shortened to one element;
// the slice_task CFG/NDL bodies, some module attributes and globals and the trailing host function are cut. Evidence of the syntax, not a verbatim dump.
#executable_target_torq_fb = #hal.executable.target<"torq", "torq-fb">
#pipeline_layout = #hal.pipeline.layout<bindings = [#hal.pipeline.binding<storage_buffer, "ReadOnly|Indirect">, #hal.pipeline.binding<storage_buffer, "ReadOnly|Indirect">, #hal.pipeline.binding<storage_buffer, Indirect>], flags = Indirect>
#device_target_torq = #hal.device.target<"torq", [#executable_target_torq_fb]> : !hal.device
module @jit___call attributes {stream.affinity.default = #hal.device.affinity<@__device_0>} {
  util.global private @__device_0 = #device_target_torq
  hal.executable private @main_dispatch_0 {
    hal.executable.variant public @torq_fb target(#executable_target_torq_fb) {
      hal.executable.export public @main_dispatch_0_elementwise ordinal(0) layout(#pipeline_layout) count(%arg0: !hal.device) -> (index, index, index) {
        %c1 = arith.constant 1 : index
        %c1_0 = arith.constant 1 : index
        %c1_1 = arith.constant 1 : index
        hal.return %c1, %c1_0, %c1_1 : index, index, index
      }
      builtin.module {
        memref.global "private" @__program_slot0 : memref<640xi8, #torq_hl<enc mem_space = lram>> = uninitialized {lram_address = 0 : i64}
        memref.global "private" @__program_slot1 : memref<640xi8, #torq_hl<enc mem_space = lram>> = uninitialized {lram_address = 640 : i64}
        memref.global "private" constant @__const_global_0 : memref<2xi32> = dense<[0, 1]> {xram_address = 1048576 : i64}
        memref.global "private" constant @__const_global_1 : memref<2xi8> = dense<1> {xram_address = 1048584 : i64}
        func.func @main_dispatch_0_elementwise() attributes {"torq-next-free-xram-address" = 9457664 : i64, "torq-nss-program-base" = 1053708 : i64} {
          %0 = memref.get_global @__program_slot0 : memref<640xi8, #torq_hl<enc mem_space = lram>> {"torq-buffer-ids" = array<i64: 0>}
          %1 = memref.get_global @__program_slot1 : memref<640xi8, #torq_hl<enc mem_space = lram>> {"torq-buffer-ids" = array<i64: 1>}
          %2 = torq_hl.program "nss_program_0" {block_sizes = array<i32: 72>} : !torq_hl.program<nss> {
          ^bb0(%arg0: memref<640xi8, #torq_hl<enc mem_space = lram>>, %arg1: memref<640xi8, #torq_hl<enc mem_space = lram>>, %arg2: !torq_hl.invocation<nss>, %arg3: !torq_hl.invocation<nss>):
            %11 = torq_hl.get_block %arg3 block 0 : !torq_hl.invocation<nss> -> memref<364xi8>
            %subview_4 = memref.subview %arg1[0] [364] [1] : memref<640xi8, #torq_hl<enc mem_space = lram>> to memref<364xi8, strided<[1]>, #torq_hl<enc mem_space = lram>>
            torq_hw.nss_task {"torq-task-id" = 0 : i64}() {
              torq_hw.dma_in_cfg from %11 : memref<364xi8> to %subview_4 : memref<364xi8, strided<[1]>, #torq_hl<enc mem_space = lram>> {read_address = 1054348 : i32, read_ndl = #torq_hw<dma_ndl{dims = [[364, 1]]}>, write_address = 640 : i32, write_ndl = #torq_hw<dma_ndl{dims = [[364, 1]]}>}
              torq_hw.dma_in_start
              torq_hw.dma_in_wait
            }
            torq_hl.return %arg1, %arg0 : memref<640xi8, #torq_hl<enc mem_space = lram>>, memref<640xi8, #torq_hl<enc mem_space = lram>>
          }
          %invocation, %code_sections = torq_hl.descriptor "nss_program_0" on 0 program %2 : <nss> code [array<i8: 0>] {executor_code_addresses = array<i64: 0>, "torq-job-id" = 0 : i32, xram_code_addresses = array<i64: 1053708>} : !torq_hl.invocation<nss>, memref<72xi8>
          %3 = torq_hl.get_block %invocation block 0 : !torq_hl.invocation<nss> -> memref<72xi8>
          %subview = memref.subview %0[0] [72] [1] {lram_address = 0 : i64} : memref<640xi8, #torq_hl<enc mem_space = lram>> to memref<72xi8, strided<[1]>, #torq_hl<enc mem_space = lram>>
          torq_hl.host_copy %3 : memref<72xi8> to %subview : memref<72xi8, strided<[1]>, #torq_hl<enc mem_space = lram>> {element_size_bytes = 72 : i64, input_strides_bytes = array<i64>, output_strides_bytes = array<i64>, shape = array<i64>, "torq-action-id" = 0 : i32}
          %4 = torq_hl.program "nss_program_1" {block_sizes = array<i32: 364, 188>} : !torq_hl.program<nss> {
          ^bb0(%arg0: memref<640xi8, #torq_hl<enc mem_space = lram>>, %arg1: memref<640xi8, #torq_hl<enc mem_space = lram>>, %arg2: !torq_hl.invocation<nss>, %arg3: memref<i32>, %arg4: memref<i32>, %arg5: !torq_hl.invocation<slice>, %arg6: memref<i32>):
            %11 = memref.get_global @__intermediate_1 : memref<2xi8, #torq_hl<enc mem_space = lram>>
            %12 = memref.get_global @__const_global_1 : memref<2xi8>
            %13 = memref.get_global @__intermediate_2 : memref<2xi32, #torq_hl<enc mem_space = lram>>
            %14 = memref.get_global @__const_global_0 : memref<2xi32>
            %15 = memref.get_global @__intermediate_3 : memref<i32, #torq_hl<enc mem_space = lram>>
            %16 = memref.get_global @__intermediate_4 : memref<i32, #torq_hl<enc mem_space = lram>>
            %17 = memref.get_global @__const_descriptor_slice_program_torq_hl.add_0_0_1 : memref<264xi8>
            %18 = memref.get_global @__intermediate_5 : memref<5120xi8, #torq_hl<enc mem_space = lram>>
            %19 = memref.get_global @__intermediate_0 : memref<i32, #torq_hl<enc mem_space = lram>>
            %subview_4 = memref.subview %18[0] [264] [1] {lram_address = 1320 : i64} : memref<5120xi8, #torq_hl<enc mem_space = lram>> to memref<264xi8, strided<[1]>, #torq_hl<enc mem_space = lram>>
            torq_hw.nss_task {"torq-task-id" = 1 : i64}() {
              torq_hw.dma_in_cfg from %12 : memref<2xi8> to %11 : memref<2xi8, #torq_hl<enc mem_space = lram>> {read_address = 1048584 : i32, read_ndl = #torq_hw<dma_ndl{dims = [[2, 1]]}>, write_address = 1288 : i32, write_ndl = #torq_hw<dma_ndl{dims = [[2, 1]]}>}
              torq_hw.dma_in_start
              torq_hw.dma_in_wait
            }
            torq_hw.nss_task {"torq-task-id" = 2 : i64}() {
              torq_hw.dma_in_cfg from %14 : memref<2xi32> to %13 : memref<2xi32, #torq_hl<enc mem_space = lram>> {read_address = 1048576 : i32, read_ndl = #torq_hw<dma_ndl{dims = [[8, 1]]}>, write_address = 1296 : i32, write_ndl = #torq_hw<dma_ndl{dims = [[8, 1]]}>}
              torq_hw.dma_in_start
              torq_hw.dma_in_wait
            }
            torq_hw.nss_task {"torq-task-id" = 3 : i64}() {
              torq_hw.dma_in_cfg from %arg3 : memref<i32> to %15 : memref<i32, #torq_hl<enc mem_space = lram>> {read_address = 9445376 : i32, read_ndl = #torq_hw<dma_ndl{dims = [[4, 1]]}>, write_address = 1304 : i32, write_ndl = #torq_hw<dma