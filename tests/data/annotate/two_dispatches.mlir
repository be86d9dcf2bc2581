// Two dispatches with action, job and task ids that count from 0 in each. Synthetic, written for the tests.
#conv = loc(callsite("/models/model.mlir":4:10 at "/models/model.mlir":2:3))
#first = loc("/models/model.mlir":5:10)
#last = loc("/models/model.mlir":55:10)
#both = loc(fused[#last, #first])
module {
  hal.executable private @main_dispatch_0 {
    hal.executable.variant public @torq_fb target(<"torq", "torq-fb">) {
      builtin.module {
        func.func @main_dispatch_0_conv() {
          %conv = torq_hl.program "slice_program_torq_hl.conv2d_0" : !torq_hl.program<slice> {
            torq_hl.return
          }
          %ci, %cc = torq_hl.create_invocation "slice_program_torq_hl.conv2d_0" program(%conv : !torq_hl.program<slice>) on 0 : !torq_hl.invocation<slice>, memref<264xi8>
          %p0 = torq_hl.program "nss_program_0" : !torq_hl.program<nss> {
          ^bb0(%s0: !torq_hl.invocation<slice>):
            %x = memref.get_global @__x : memref<256xi8>
            %l = memref.get_global @__l : memref<256xi8, #torq_hl<enc mem_space = lram>>
            torq_hw.nss_task {"torq-end-time-cycles" = 100 : i64, "torq-start-time-cycles" = 0 : i64, "torq-task-id" = 0 : i64}() {
              torq_hw.dma_in_cfg from %x : memref<256xi8> to %l : memref<256xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[256, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[256, 1]]}>} loc(#conv)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 100 : i64} loc(#conv)
              torq_hw.dma_in_wait loc(#conv)
            } loc(#conv)
            torq_hw.nss_task {"torq-end-time-cycles" = 500 : i64, "torq-start-time-cycles" = 100 : i64, "torq-task-id" = 1 : i64}() {
              "torq_hw.slice_start"(%s0, %l) <{id = 0 : index}> {"torq-async-duration-cycles" = 400 : i64} : (!torq_hl.invocation<slice>, memref<256xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#conv)
              "torq_hw.slice_wait"() <{id = 0 : index}> : () -> () loc(#conv)
            } loc(#conv)
            torq_hl.return
          }
          %i0, %k0 = torq_hl.create_invocation "nss_program_0" program(%p0 : !torq_hl.program<nss>) on 0 {"torq-job-id" = 0 : i32} : !torq_hl.invocation<nss>, memref<364xi8>
          %slot = memref.get_global @__program_slot0 : memref<256xi8, #torq_hl<enc mem_space = lram>>
          %b = torq_hl.get_block %i0 block 0 : !torq_hl.invocation<nss> -> memref<364xi8>
          torq_hl.host_copy %b : memref<364xi8> to %slot : memref<256xi8, #torq_hl<enc mem_space = lram>> {element_size_bytes = 364 : i64, "torq-action-id" = 0 : i32} loc(#conv)
          torq_hl.start_program %i0 : !torq_hl.invocation<nss> args(%ci : !torq_hl.invocation<slice>) code(%slot : memref<256xi8, #torq_hl<enc mem_space = lram>>) {"torq-action-id" = 1 : i32} loc(#conv)
          torq_hl.wait_program %i0 : !torq_hl.invocation<nss> {"torq-action-id" = 2 : i32} loc(#conv)
          return
        }
      }
    }
  }
  hal.executable private @main_dispatch_1 {
    hal.executable.variant public @torq_fb target(<"torq", "torq-fb">) {
      builtin.module {
        func.func @main_dispatch_1_add() {
          %add = torq_hl.program "slice_program_torq_hl.add_0" : !torq_hl.program<slice> {
            torq_hl.return
          }
          %ai, %ac = torq_hl.create_invocation "slice_program_torq_hl.add_0" program(%add : !torq_hl.program<slice>) on 1 : !torq_hl.invocation<slice>, memref<264xi8>
          %p0 = torq_hl.program "nss_program_0" : !torq_hl.program<nss> {
          ^bb0(%s0: !torq_hl.invocation<slice>):
            %y = memref.get_global @__y : memref<256xi8>
            %l = memref.get_global @__l : memref<256xi8, #torq_hl<enc mem_space = lram>>
            torq_hw.nss_task {"torq-end-time-cycles" = 800 : i64, "torq-start-time-cycles" = 500 : i64, "torq-task-id" = 0 : i64}() {
              "torq_hw.slice_start"(%s0, %l) <{id = 1 : index}> {"torq-async-duration-cycles" = 300 : i64} : (!torq_hl.invocation<slice>, memref<256xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#both)
              "torq_hw.slice_wait"() <{id = 1 : index}> : () -> () loc(#both)
            } loc(#both)
            torq_hw.nss_task {"torq-end-time-cycles" = 900 : i64, "torq-start-time-cycles" = 800 : i64, "torq-task-id" = 1 : i64}() {
              torq_hw.dma_out_cfg from %l : memref<256xi8, #torq_hl<enc mem_space = lram>> to %y : memref<256xi8> {read_ndl = #torq_hw<dma_ndl{dims = [[256, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[256, 1]]}>} loc(#last)
              torq_hw.dma_out_start {"torq-async-duration-cycles" = 100 : i64} loc(#last)
              torq_hw.dma_out_wait loc(#last)
            } loc(#last)
            torq_hl.return
          }
          %i0, %k0 = torq_hl.create_invocation "nss_program_0" program(%p0 : !torq_hl.program<nss>) on 0 {"torq-job-id" = 0 : i32} : !torq_hl.invocation<nss>, memref<364xi8>
          %slot = memref.get_global @__program_slot0 : memref<256xi8, #torq_hl<enc mem_space = lram>>
          torq_hl.start_program %i0 : !torq_hl.invocation<nss> args(%ai : !torq_hl.invocation<slice>) code(%slot : memref<256xi8, #torq_hl<enc mem_space = lram>>) {"torq-action-id" = 0 : i32} loc(#both)
          torq_hl.wait_program %i0 : !torq_hl.invocation<nss> {"torq-action-id" = 1 : i32} loc(#both)
          return
        }
      }
    }
  }
}
