#conv = loc("net.mlir":3:10)
#add = loc("net.mlir":4:10)
#softmax = loc("net.mlir":5:10)
#both = loc(fused[#conv, #add])
module {
  hal.executable private @main_dispatch_0 {
    func.func @main_dispatch_0() {
      torq_hw.dispatch_profiling
        memory : 25168 bytes
        total_cycle : 2048
      %conv = torq_hl.program "slice_program_torq_hl.conv2d_0" : !torq_hl.program<slice> {
        torq_hw.slice_profiling
          memory : 16968 bytes
          memory_info : "1x32x32x8+8x3x3x8"
          max_cycle : 2048
          ndl_cycles : dedr(2048) dewr(72) debr(8) deqw(1024) cedw(1152) cedr(1152) ceww(72) cewr(1152) cepr(1152) acbw(8) acbr(1024) acpr(1024)
        torq_hl.return
      }
      %add = torq_hl.program "slice_program_torq_hl.add_1" : !torq_hl.program<slice> {
        torq_hl.return
      }
      %ci, %cc = torq_hl.create_invocation "slice_program_torq_hl.conv2d_0" program(%conv : !torq_hl.program<slice>) on 0 : !torq_hl.invocation<slice>, memref<264xi8>
      %ai, %ac = torq_hl.create_invocation "slice_program_torq_hl.add_1" program(%add : !torq_hl.program<slice>) on 1 : !torq_hl.invocation<slice>, memref<264xi8>
      %p = torq_hl.program "nss_program_0" : !torq_hl.program<nss> {
      ^bb0(%s0: !torq_hl.invocation<slice>, %s1: !torq_hl.invocation<slice>):
        %x = memref.get_global @__x : memref<8192xi8>
        %l = memref.get_global @__l : memref<8192xi8, #torq_hl<enc mem_space = lram>>
        torq_hw.nss_task {"torq-end-time-cycles" = 1024 : i64, "torq-start-time-cycles" = 0 : i64, "torq-task-id" = 0 : i64}() {
          torq_hw.dma_in_cfg from %x : memref<8192xi8> to %l : memref<8192xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[8192, 1]]}>} loc(#conv)
          torq_hw.dma_in_start {"torq-async-duration-cycles" = 1024 : i64} loc(#conv)
          torq_hw.dma_in_wait loc(#conv)
        } loc(#conv)
        torq_hw.nss_task {"torq-end-time-cycles" = 1025 : i64, "torq-start-time-cycles" = 1024 : i64, "torq-task-id" = 1 : i64}() {
          "torq_hw.slice_start"(%s0, %l) <{id = 0 : index}> {"torq-async-duration-cycles" = 2048 : i64} : (!torq_hl.invocation<slice>, memref<8192xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#conv)
        } loc(#conv)
        torq_hw.nss_task {"torq-end-time-cycles" = 1537 : i64, "torq-start-time-cycles" = 1025 : i64, "torq-task-id" = 2 : i64}() {
          torq_hw.dma_in_cfg from %x : memref<8192xi8> to %l : memref<8192xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[4096, 1]]}>} loc(#add)
          torq_hw.dma_in_start {"torq-async-duration-cycles" = 512 : i64} loc(#add)
          torq_hw.dma_in_wait loc(#add)
        } loc(#add)
        torq_hw.nss_task {"torq-end-time-cycles" = 3072 : i64, "torq-start-time-cycles" = 1537 : i64, "torq-task-id" = 3 : i64}() {
          "torq_hw.slice_wait"() <{id = 0 : index}> : () -> () loc(#conv)
        } loc(#conv)
        torq_hw.nss_task {"torq-end-time-cycles" = 4096 : i64, "torq-start-time-cycles" = 3072 : i64, "torq-task-id" = 4 : i64}() {
          "torq_hw.slice_start"(%s1, %l) <{id = 1 : index}> {"torq-async-duration-cycles" = 1024 : i64} : (!torq_hl.invocation<slice>, memref<8192xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#add)
          "torq_hw.slice_wait"() <{id = 1 : index}> : () -> () loc(#add)
        } loc(#add)
        torq_hw.nss_task {"torq-end-time-cycles" = 4608 : i64, "torq-start-time-cycles" = 4096 : i64, "torq-task-id" = 5 : i64}() {
          torq_hw.dma_out_cfg from %l : memref<8192xi8, #torq_hl<enc mem_space = lram>> to %x : memref<8192xi8> {read_ndl = #torq_hw<dma_ndl{dims = [[4096, 1]]}>} loc(#both)
          torq_hw.dma_out_start {"torq-async-duration-cycles" = 512 : i64} loc(#both)
          torq_hw.dma_out_wait loc(#both)
        } loc(#both)
        torq_hl.return
      } loc(#both)
      %i, %k = torq_hl.create_invocation "nss_program_0" program(%p : !torq_hl.program<nss>) on 0 {"torq-job-id" = 0 : i32} : !torq_hl.invocation<nss>, memref<364xi8>
      %hp = "torq_hl.import_program"() <{name = @host_softmax}> : () -> !torq_hl.program<host>
      %hi = torq_hl.create_invocation "host_softmax" program(%hp : !torq_hl.program<host>) : !torq_hl.invocation<host>
      torq_hl.host_copy %k : memref<364xi8> to %k : memref<364xi8> {"torq-action-id" = 0 : i32} loc(#conv)
      torq_hl.start_program %i : !torq_hl.invocation<nss> args(%ci, %ai : !torq_hl.invocation<slice>, !torq_hl.invocation<slice>) code(%k : memref<364xi8>) {"torq-action-id" = 1 : i32} loc(#both)
      torq_hl.wait_program %i : !torq_hl.invocation<nss> {"torq-action-id" = 2 : i32} loc(#both)
      torq_hl.start_program %hi : !torq_hl.invocation<host> args( : ) {"torq-action-id" = 3 : i32} loc(#softmax)
      torq_hl.wait_program %hi : !torq_hl.invocation<host> {"torq-action-id" = 4 : i32} loc(#softmax)
      return
    }
  }
}
