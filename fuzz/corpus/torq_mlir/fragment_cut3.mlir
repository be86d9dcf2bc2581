// Hand-written fragment (own work) using the printed op syntax of the torq_hl / torq_hw dialects.
// It is the textual twin of the object model in the tests, from which every golden file was produced.
#loc4 = loc(callsite("/w/m/net.mlir":4:10 at "/w/m/net.mlir":2:3))
#loc5 = loc(callsite("/w/m/net.mlir":5:10 at "/w/m/net.mlir":2:3))
#loc6 = loc(callsite("/w/m/net.mlir":6:10 at "/w/m/net.mlir":2:3))
#loc7 = loc(callsite("/w/m/net.mlir":7:10 at "/w/m/net.mlir":2:3))
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
          %p0 = torq_hl.program "nss_program_0" {block_sizes = array<i32: 364, 188>} : !torq_hl.program<nss> {
          ^bb0(%s0: !torq_hl.invocation<slice>, %s1: !torq_hl.invocation<slice>, %area: memref<640xi8, #torq_hl<enc mem_space = lram>>):
            %x = memref.get_global @__x : memref<256xi8>
            %l = memref.get_global @__l : memref<256xi8, #torq_hl<enc mem_space = lram>>
            torq_hw.nss_task {"torq-end-time-cycles" = 256 : i64, "torq-start-time-cycles" = 0 : i64, "torq-task-id" = 0 : i64}() {
              torq_hw.dma_in_cfg from %x : memref<256xi8> to %l : memref<256xi8, #torq_hl<enc mem_space = lram>> {read_address = 1048576 : i32, read_ndl = #torq_hw<dma_ndl{dims = [[256, 1]]}>, write_address = 1280 : i32, write_ndl = #torq_hw<dma_ndl{dims = [[256, 1]]}>} loc(#loc4)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 256 : i64} loc(#loc4)
              torq_hw.dma_in_wait loc(#loc4)
            } loc(#loc4)
            torq_hw.nss_task {"torq-end-time-cycles" = 257 : i64, "torq-start-time-cycles" = 256 : i64, "torq-task-id" = 1 : i64}() {
              "torq_hw.slice_start"(%s0, %l) <{id = 0 : index}> {"torq-async-duration-cycles" = 1152 : i64} : (!torq_hl.invoc