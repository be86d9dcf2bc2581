// The fragment of executable_targets.mlir as the first annotator can read it: programs of one block, no CDMA task.
// Written for the tests; annotated_A1.csv came from an object model equal to this file.
#loc4 = loc(callsite("/build/torq/sample/data/frag/net.mlir":4:10 at "/build/torq/sample/data/frag/net.mlir":2:3))
#loc5 = loc(callsite("/build/torq/sample/data/frag/net.mlir":5:10 at "/build/torq/sample/data/frag/net.mlir":2:3))
#loc6 = loc(callsite("/build/torq/sample/data/frag/net.mlir":6:10 at "/build/torq/sample/data/frag/net.mlir":2:3))
#loc7 = loc(callsite("/build/torq/sample/data/frag/net.mlir":7:10 at "/build/torq/sample/data/frag/net.mlir":2:3))
#loc45 = loc(fused[#loc4, #loc5])
module {
  hal.executable private @main_dispatch_0 {
    hal.executable.variant public @torq_fb target(<"torq", "torq-fb">) {
      builtin.module {
        func.func @main_dispatch_0_conv() {
          torq_hw.dispatch_profiling
            memory : 2048 bytes
            total_cycle : 1152
          %conv = torq_hl.program "slice_program_torq_hl.conv2d_0" : !torq_hl.program<slice> {
            torq_hw.slice_profiling
              memory : 1024 bytes
              memory_info : "1x16x16x8+16x3x3x8"
              max_cycle : 1152
              ndl_cycles : dedr(1152) dewr(72) debr(16) deqw(512) cedw(1152) cedr(1152) ceww(72) cewr(1152) cepr(1152) acbw(16) acbr(512) acpr(512)
            torq_hl.return
          }
          %add = torq_hl.program "slice_program_torq_hl.add_1" : !torq_hl.program<slice> {
            torq_hl.return
          }
          %ci, %cc = torq_hl.create_invocation "slice_program_torq_hl.conv2d_0" program(%conv : !torq_hl.program<slice>) on 0 : !torq_hl.invocation<slice>, memref<264xi8>
          %ai, %ac = torq_hl.create_invocation "slice_program_torq_hl.add_1" program(%add : !torq_hl.program<slice>) on 1 : !torq_hl.invocation<slice>, memref<264xi8>
          %p0 = torq_hl.program "nss_program_0" : !torq_hl.program<nss> {
          ^bb0(%s0: !torq_hl.invocation<slice>, %s1: !torq_hl.invocation<slice>, %area: memref<640xi8, #torq_hl<enc mem_space = lram>>):
            %x = memref.get_global @__x : memref<256xi8>
            %l = memref.get_global @__l : memref<256xi8, #torq_hl<enc mem_space = lram>>
            torq_hw.nss_task {"torq-end-time-cycles" = 256 : i64, "torq-start-time-cycles" = 0 : i64, "torq-task-id" = 0 : i64}() {
              torq_hw.dma_in_cfg from %x : memref<256xi8> to %l : memref<256xi8, #torq_hl<enc mem_space = lram>> {read_address = 1048576 : i32, read_ndl = #torq_hw<dma_ndl{dims = [[256, 1]]}>, write_address = 1280 : i32, write_ndl = #torq_hw<dma_ndl{dims = [[256, 1]]}>} loc(#loc4)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 256 : i64} loc(#loc4)
              torq_hw.dma_in_wait loc(#loc4)
            } loc(#loc4)
            torq_hw.nss_task {"torq-end-time-cycles" = 257 : i64, "torq-start-time-cycles" = 256 : i64, "torq-task-id" = 1 : i64}() {
              "torq_hw.slice_start"(%s0, %l) <{id = 0 : index}> {"torq-async-duration-cycles" = 1152 : i64} : (!torq_hl.invocation<slice>, memref<256xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc4)
              torq_hw.dma_in_cfg from %x : memref<256xi8> to %l : memref<256xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[64, 4], [4, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[256, 1]]}>} loc(#loc5)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 512 : i64} loc(#loc5)
            } loc(#loc45)
            torq_hw.nss_task {"torq-end-time-cycles" = 1408 : i64, "torq-start-time-cycles" = 257 : i64, "torq-task-id" = 2 : i64}() {
              "torq_hw.slice_start"(%s1, %l) <{id = 1 : index}> {"torq-async-duration-cycles" = 640 : i64} : (!torq_hl.invocation<slice>, memref<256xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc5)
              "torq_hw.slice_wait"() <{id = 0 : index}> : () -> () loc(#loc4)
            } loc(#loc45)
            torq_hw.nss_task {"torq-end-time-cycles" = 1408 : i64, "torq-start-time-cycles" = 1408 : i64, "torq-task-id" = 3 : i64}() {
              "torq_hw.slice_wait"() <{id = 1 : index}> : () -> () loc(#loc5)
            } loc(#loc5)
            torq_hl.return
          } loc(#loc45)
          %i0, %k0 = torq_hl.create_invocation "nss_program_0" program(%p0 : !torq_hl.program<nss>) on 0 {"torq-job-id" = 0 : i32} : !torq_hl.invocation<nss>, memref<364xi8>
          %p1 = torq_hl.program "nss_program_1" : !torq_hl.program<nss> {
          ^bb0(%css: !torq_hl.invocation<css>):
            %cl = memref.get_global @__l : memref<256xi8, #torq_hl<enc mem_space = lram>>
            %cd = memref.get_global @__d : memref<256xi8, #torq_hl<enc mem_space = dtcm>>
            %y = memref.get_global @__y : memref<256xi8>
            torq_hw.nss_task {"torq-end-time-cycles" = 1408 : i64, "torq-start-time-cycles" = 1408 : i64, "torq-task-id" = 4 : i64}() {
              torq_hw.dma_in_wait loc(#loc5)
            } loc(#loc5)
            torq_hw.nss_task {"torq-end-time-cycles" = 9428 : i64, "torq-start-time-cycles" = 1428 : i64, "torq-task-id" = 6 : i64}() {
              torq_hw.css_start %css : !torq_hl.invocation<css> program %cd(%cd = %cd) {"torq-async-duration-cycles" = 8000 : i64} : memref<256xi8, #torq_hl<enc mem_space = dtcm>>, memref<256xi8, #torq_hl<enc mem_space = dtcm>>, memref<256xi8, #torq_hl<enc mem_space = dtcm>> loc(#loc6)
              torq_hw.css_wait loc(#loc6)
            } loc(#loc6)
            torq_hw.nss_task {"torq-end-time-cycles" = 9940 : i64, "torq-start-time-cycles" = 9428 : i64, "torq-task-id" = 7 : i64}() {
              torq_hw.dma_out_cfg from %cl : memref<256xi8, #torq_hl<enc mem_space = lram>> to %y : memref<256xi8> {read_ndl = #torq_hw<dma_ndl{dims = [[256, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[256, 1]]}>} loc(#loc6)
              torq_hw.dma_out_start {"torq-async-duration-cycles" = 512 : i64} loc(#loc6)
              torq_hw.dma_out_wait loc(#loc6)
            } loc(#loc6)
            torq_hl.return
          } loc(#loc6)
          %i1, %k1 = torq_hl.create_invocation "nss_program_1" program(%p1 : !torq_hl.program<nss>) on 0 {"torq-job-id" = 1 : i32} : !torq_hl.invocation<nss>, memref<400xi8>
          %hp = "torq_hl.import_program"() <{name = @host_softmax}> : () -> !torq_hl.program<host>
          %hi = torq_hl.create_invocation "host_softmax" program(%hp : !torq_hl.program<host>) : !torq_hl.invocation<host>
          %slot = memref.get_global @__program_slot0 : memref<640xi8, #torq_hl<enc mem_space = lram>> {"torq-buffer-ids" = array<i64: 0>}
          %b = torq_hl.get_block %i0 block 0 : !torq_hl.invocation<nss> -> memref<364xi8>
          torq_hl.host_copy %b : memref<364xi8> to %slot : memref<640xi8, #torq_hl<enc mem_space = lram>> {element_size_bytes = 364 : i64, input_strides_bytes = array<i64>, output_strides_bytes = array<i64>, shape = array<i64>, "torq-action-id" = 0 : i32} loc(#loc4)
          torq_hl.start_program %i0 : !torq_hl.invocation<nss> args(%ci, %ai, %slot : !torq_hl.invocation<slice>, !torq_hl.invocation<slice>, memref<640xi8, #torq_hl<enc mem_space = lram>>) code(%slot : memref<640xi8, #torq_hl<enc mem_space = lram>>) {"torq-action-id" = 1 : i32, "torq-end-time-cycles" = 0 : i64, "torq-start-time-cycles" = 0 : i64} loc(#loc45)
          torq_hl.wait_program %i0 : !torq_hl.invocation<nss> {"torq-action-id" = 2 : i32, "torq-end-time-cycles" = 1408 : i64, "torq-start-time-cycles" = 0 : i64} loc(#loc45)
          torq_hl.start_program %hi : !torq_hl.invocation<host> args( : ) {"torq-action-id" = 3 : i32} loc(#loc7)
          torq_hl.wait_program %hi : !torq_hl.invocation<host> {"torq-action-id" = 4 : i32} loc(#loc7)
          torq_hl.start_program %i1 : !torq_hl.invocation<nss> args( : ) code(%slot : memref<640xi8, #torq_hl<enc mem_space = lram>>) {"torq-action-id" = 5 : i32, "torq-end-time-cycles" = 1408 : i64, "torq-start-time-cycles" = 1408 : i64} loc(#loc6)
          torq_hl.wait_program %i1 : !torq_hl.invocation<nss> {"torq-action-id" = 6 : i32, "torq-end-time-cycles" = 9940 : i64, "torq-start-time-cycles" = 1408 : i64} loc(#loc6)
          %tmp = memref.alloc() {"torq-action-id" = 7 : i32, "torq-buffer-ids" = array<i64: 1>} : memref<16xi8> loc(unknown)
          return
        }
      }
    }
  }
}
