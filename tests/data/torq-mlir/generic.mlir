// The program of executable_targets.mlir once more: generic form, old-style attributes behind regions, aliases at the end.
"builtin.module"() ({
 "hal.executable"() ({ "hal.executable.variant"() ({ "builtin.module"() ({
  "func.func"() ({
   "torq_hw.dispatch_profiling"() <{total_cycle = 1152 : i64, total_mem = 2048 : i64}> : () -> ()
   %conv = "torq_hl.program"() <{name = "slice_program_torq_hl.conv2d_0"}> ({
     "torq_hw.slice_profiling"() <{max_cycle = 1152 : i64, slice_mem = 1024 : i64, slice_meminfo = "1x16x16x8+16x3x3x8", slice_ndl_cycles = #torq_hw<ndl_cycles dedr(1152) dewr(72) debr(16) deqw(512) cedw(1152) cedr(1152) ceww(72) cewr(1152) cepr(1152) acbw(16) acbr(512) acpr(512)>}> : () -> ()
     "torq_hl.return"() : () -> ()
   }) : () -> !torq_hl.program<slice>
   %add = "torq_hl.program"() ({ "torq_hl.return"() : () -> () }) {name = "slice_program_torq_hl.add_1"} : () -> !torq_hl.program<slice>
   %ci:2 = "torq_hl.create_invocation"(%conv) <{name = "slice_program_torq_hl.conv2d_0", executor_id = 0 : index}> : (!torq_hl.program<slice>) -> (!torq_hl.invocation<slice>, memref<264xi8>)
   %ai:2 = "torq_hl.create_invocation"(%add) <{name = "slice_program_torq_hl.add_1"}> : (!torq_hl.program<slice>) -> (!torq_hl.invocation<slice>, memref<264xi8>)
   %p0 = "torq_hl.program"() <{block_sizes = array<i32: 364, 188>, name = "nss_program_0"}> ({
   ^bb0(%s0: !torq_hl.invocation<slice> loc(#loc4), %s1: !torq_hl.invocation<slice> loc(#loc4), %area: memref<640xi8, #torq_hl<enc mem_space = lram>> loc(#loc4)):
     %x = "memref.get_global"() <{name = @__x}> : () -> memref<256xi8>
     %l = "memref.get_global"() <{name = @__l}> : () -> memref<256xi8, #torq_hl<enc mem_space = lram>>
     "torq_hw.nss_task"() ({
       "torq_hw.dma_in_cfg"(%x, %l) <{write_ndl = #torq_hw<dma_ndl{dims = [[256, 1]]}>, read_ndl = #torq_hw<dma_ndl{dims = [[256, 1]]}>}> : (memref<256xi8>, memref<256xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc4)
       "torq_hw.dma_in_start"() {"torq-async-duration-cycles" = 256 : i64} : () -> () loc(#loc4)
       "torq_hw.dma_in_wait"() : () -> () loc(#loc4)
     }) {"torq-end-time-cycles" = 256 : i64, "torq-start-time-cycles" = 0 : i64, "torq-task-id" = 0 : i64} : () -> () loc(#loc4)
     "torq_hw.nss_task"() ({
       "torq_hw.slice_start"(%s0, %l) <{program_address = 7 : i32, id = 0 : index}> {"torq-async-duration-cycles" = 1152 : i64} : (!torq_hl.invocation<slice>, memref<256xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc4)
       "torq_hw.dma_in_cfg"(%x, %l) <{write_ndl = #torq_hw<dma_ndl{dims = [[256, 1]]}>, read_ndl = #torq_hw<dma_ndl{dims = [[64, 4], [4, 1]]}>}> : (memref<256xi8>, memref<256xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc5)
       "torq_hw.dma_in_start"() {"torq-async-duration-cycles" = 512 : i64} : () -> () loc(#loc5)
     }) {"torq-end-time-cycles" = 257 : i64, "torq-start-time-cycles" = 256 : i64, "torq-task-id" = 1 : i64} : () -> () loc(#loc45)
     "torq_hl.next"(%s1, %area)[^bb1] <{lramAddress = 0 : i64}> : (!torq_hl.invocation<slice>, memref<640xi8, #torq_hl<enc mem_space = lram>>) -> ()
   ^bb1(%t0: !torq_hl.invocation<slice>):
     "torq_hw.nss_task"() ({
       "torq_hw.slice_start"(%t0, %l) <{program_address = 7 : i32, id = 1 : index}> {"torq-async-duration-cycles" = 640 : i64} : (!torq_hl.invocation<slice>, memref<256xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc5)
       "torq_hw.slice_wait"() <{id = 0 : index}> : () -> () loc(#loc4)
     }) {"torq-end-time-cycles" = 1408 : i64, "torq-start-time-cycles" = 257 : i64, "torq-task-id" = 2 : i64} : () -> () loc(#loc45)
     "torq_hw.nss_task"() ({
       "torq_hw.slice_wait"() <{id = 1 : index}> : () -> () loc(#loc5)
     }) {"torq-end-time-cycles" = 1408 : i64, "torq-start-time-cycles" = 1408 : i64, "torq-task-id" = 3 : i64} : () -> () loc(#loc5)
     "torq_hl.return"() : () -> ()
   }) : () -> !torq_hl.program<nss> loc(#loc45)
   %i0:3 = "torq_hl.create_invocation"(%p0) <{name = "nss_program_0"}> {"torq-job-id" = 0 : i32} : (!torq_hl.program<nss>) -> (!torq_hl.invocation<nss>, memref<364xi8>, memref<188xi8>)
   %p1 = "torq_hl.program"() <{name = "nss_program_1"}> ({
   ^bb0(%css: !torq_hl.invocation<css>):
     "torq_hw.nss_task"() ({
       "torq_hw.dma_in_wait"() : () -> () loc(#loc5)
     }) {"torq-end-time-cycles" = 1408 : i64, "torq-start-time-cycles" = 1408 : i64, "torq-task-id" = 4 : i64} : () -> () loc(#loc5)
     "torq_hw.nss_task"() ({
       "torq_hw.cdma_start"(%cl, %cd) {"torq-async-duration-cycles" = 20 : i64} : (memref<256xi8, #torq_hl<enc mem_space = lram>>, memref<256xi8, #torq_hl<enc mem_space = dtcm>>) -> () loc(#loc6)
       "torq_hw.cdma_wait"() : () -> () loc(#loc6)
     }) {"torq-end-time-cycles" = 1428 : i64, "torq-start-time-cycles" = 1408 : i64, "torq-task-id" = 5 : i64} : () -> () loc(#loc6)
     "torq_hw.nss_task"() ({
       "torq_hw.css_start"(%css, %cd) {"torq-async-duration-cycles" = 8000 : i64} : (!torq_hl.invocation<css>, memref<256xi8, #torq_hl<enc mem_space = dtcm>>) -> () loc(#loc6)
       "torq_hw.css_wait"() : () -> () loc(#loc6)
     }) {"torq-end-time-cycles" = 9428 : i64, "torq-start-time-cycles" = 1428 : i64, "torq-task-id" = 6 : i64} : () -> () loc(#loc6)
     "torq_hw.nss_task"() ({
       "torq_hw.dma_out_cfg"(%x, %l) <{write_ndl = #torq_hw<dma_ndl{dims = [[256, 1]]}>, read_ndl = #torq_hw<dma_ndl{dims = [[256, 1]]}>}> : (memref<256xi8, #torq_hl<enc mem_space = lram>>, memref<256xi8>) -> () loc(#loc6)
       "torq_hw.dma_out_start"() {"torq-async-duration-cycles" = 512 : i64} : () -> () loc(#loc6)
       "torq_hw.dma_out_wait"() : () -> () loc(#loc6)
     }) {"torq-end-time-cycles" = 9940 : i64, "torq-start-time-cycles" = 9428 : i64, "torq-task-id" = 7 : i64} : () -> () loc(#loc6)
     "torq_hl.return"() : () -> ()
   }) : () -> !torq_hl.program<nss> loc(#loc6)
   %i1:2 = "torq_hl.descriptor"(%p1) <{code = [array<i8: 1, -2, 3>], name = "nss_program_1"}> {"torq-job-id" = 1 : i32} : (!torq_hl.program<nss>) -> (!torq_hl.invocation<nss>, memref<400xi8>)
   %hp = "torq_hl.import_program"() <{name = @host_softmax}> : () -> !torq_hl.program<host>
   %hi = "torq_hl.create_invocation"(%hp) <{name = "host_softmax"}> : (!torq_hl.program<host>) -> !torq_hl.invocation<host>
   %slot = "memref.get_global"() <{name = @__program_slot0}> : () -> memref<640xi8, #torq_hl<enc mem_space = lram>>
   %b = "torq_hl.get_block"(%i0#0) <{block = 0 : index}> : (!torq_hl.invocation<nss>) -> memref<364xi8>
   %tmp = "memref.alloc"() <{operandSegmentSizes = array<i32: 0, 0>}> {"torq-action-id" = 7 : i32} : () -> memref<16xi8> loc(unknown)
   "torq_hl.host_copy"(%b, %slot) <{element_size_bytes = 364 : i64}> {"torq-action-id" = 0 : i32} : (memref<364xi8>, memref<640xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc4)
   "torq_hl.start_program"(%i0#0, %slot0, %ci#0, %ai, %slot) <{operandSegmentSizes = array<i32: 1, 1, 3>}> {"torq-action-id" = 1 : i32, "torq-end-time-cycles" = 0 : i64, "torq-start-time-cycles" = 0 : i64} : (!torq_hl.invocation<nss>, memref<640xi8, #torq_hl<enc mem_space = lram>>, !torq_hl.invocation<slice>, !torq_hl.invocation<slice>, memref<640xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc45)
   "torq_hl.wait_program"(%i0#0) {"torq-action-id" = 2 : i32, "torq-end-time-cycles" = 1408 : i64, "torq-start-time-cycles" = 0 : i64} : (!torq_hl.invocation<nss>) -> () loc(#loc45)
   "torq_hl.start_program"(%hi) <{operandSegmentSizes = array<i32: 1, 0, 0>}> {"torq-action-id" = 3 : i32} : (!torq_hl.invocation<host>) -> () loc(#loc7)
   "torq_hl.wait_program"(%hi) {"torq-action-id" = 4 : i32} : (!torq_hl.invocation<host>) -> () loc(#loc7)
   "torq_hl.start_program"(%i1, %slot0) <{operandSegmentSizes = array<i32: 1, 1, 0>}> {"torq-action-id" = 5 : i32, "torq-end-time-cycles" = 1408 : i64, "torq-start-time-cycles" = 1408 : i64} : (!torq_hl.invocation<nss>, memref<640xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc6)
   "torq_hl.wait_program"(%i1#0) {"torq-action-id" = 6 : i32, "torq-end-time-cycles" = 9940 : i64, "torq-start-time-cycles" = 1408 : i64} : (!torq_hl.invocation<nss>) -> () loc(#loc6)
   "func.return"() : () -> ()
  }) {function_type = () -> (), sym_name = "main_dispatch_0_conv"} : () -> ()
 }) : () -> () }) {sym_name = "torq_fb"} : () -> () }) {sym_name = "main_dispatch_0"} : () -> ()
}) : () -> ()
#loc2 = loc("/build/torq/sample/data/frag/net.mlir":2:3)
#loc45 = loc(fused[#loc4, #loc5])
#loc40 = loc("/build/torq/sample/data/frag/net.mlir":4:10)
#loc4 = loc(callsite(#loc40 at #loc2))
#loc50 = loc("/build/torq/sample/data/frag/net.mlir":5:10)
#loc5 = loc(callsite(#loc50 at #loc2))
#loc60 = loc("/build/torq/sample/data/frag/net.mlir":6:10)
#loc6 = loc(callsite(#loc60 at #loc2))
#loc70 = loc("/build/torq/sample/data/frag/net.mlir":7:10)
#loc7 = loc(callsite(#loc70 at #loc2))
{-# dialect_resources: { builtin: { blob: "0x08000000010203" } } #-}
