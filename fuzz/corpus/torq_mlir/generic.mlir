module {
 func.func @f() {
  "torq_hw.dispatch_profiling"() <{total_mem = 10 : i64, total_cycle = 20 : i64}> : () -> ()
  "torq_hw.slice_profiling"() <{slice_mem = 10 : i64, slice_meminfo = "1x2", max_cycle = 5 : i64, slice_ndl_cycles = #torq_hw<ndl_cycles dedr(1) dewr(2) debr(3) deqw(4) cedw(5) cedr(6) ceww(7) cewr(8) cepr(9) acbw(10) acbr(11) acpr(12)>}> : () -> ()
  %p = "torq_hl.program"() <{name = "nss_program_0"}> ({
   ^bb0(%a: memref<4xi8>):
    "torq_hw.nss_task"() ({ "torq_hw.dma_in_start"() {"torq-async-duration-cycles" = 5 : i64} : () -> () }) {"torq-task-id" = 0 : i64} : () -> ()
    "torq_hl.return"() : () -> ()
  }) : () -> !torq_hl.program<nss>
  %i, %c = "torq_hl.create_invocation"(%p) <{name = "nss_program_0"}> {"torq-job-id" = 0 : i32} : (!torq_hl.program<nss>) -> (!torq_hl.invocation<nss>, memref<4xi8>)
  "torq_hl.start_program"(%i, %c) <{operandSegmentSizes = array<i32: 1, 1, 0>}> {"torq-action-id" = 0 : i32} : (!torq_hl.invocation<nss>, memref<4xi8>) -> () loc("f":1:2)
  "torq_hl.wait_program"(%i) {"torq-action-id" = 1 : i32} : (!torq_hl.invocation<nss>) -> () loc(#loc9)
 }
}
