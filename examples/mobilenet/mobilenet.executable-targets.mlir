// Synthetic: written by examples/generate.c, not by a compiler.
module @mobilenet {
  hal.executable private @main_dispatch_0 {
    hal.executable.variant public @torq_fb target(<"torq", "torq-fb">) {
      builtin.module {
        memref.global "private" @__program_slot0 : memref<640xi8, #torq_hl<enc mem_space = lram>> = uninitialized {lram_address = 0 : i64}
        func.func @main_dispatch_0_conv2d_112x112() {
          torq_hw.dispatch_profiling
            memory : 1098889 bytes
            total_cycle : 11569
          %w0 = torq_hl.program "slice_program_torq_hl.conv2d_0" : !torq_hl.program<slice> {
            torq_hw.slice_profiling
              memory : 110611 bytes
              memory_info : "1x224x224x3+32x3x3x3"
              max_cycle : 8497
              ndl_cycles : dedr(8492) dewr(952) debr(16) deqw(2832) cedw(4246) cedr(8497) ceww(476) cewr(476) cepr(8488) acbw(16) acbr(2832) acpr(2832)
            torq_hl.return
          } loc(#loc2)
          %i0, %c0 = torq_hl.create_invocation "slice_program_torq_hl.conv2d_0" program(%w0 : !torq_hl.program<slice>) on 0 : !torq_hl.invocation<slice>, memref<264xi8>
          %w1 = torq_hl.program "slice_program_torq_hl.depthwise_1" : !torq_hl.program<slice> {
            torq_hw.slice_profiling
              memory : 80336 bytes
              memory_info : "1x112x112x32+1x3x3x32"
              max_cycle : 11313
              ndl_cycles : dedr(11313) dewr(1265) debr(16) deqw(3771) cedw(5656) cedr(5656) ceww(632) cewr(632) cepr(11304) acbw(16) acbr(3771) acpr(3771)
            torq_hl.return
          } loc(#loc4)
          %i1, %c1 = torq_hl.create_invocation "slice_program_torq_hl.depthwise_1" program(%w1 : !torq_hl.program<slice>) on 0 : !torq_hl.invocation<slice>, memref<264xi8>
          %w2 = torq_hl.program "slice_program_torq_hl.conv2d_2" : !torq_hl.program<slice> {
            torq_hw.slice_profiling
              memory : 120550 bytes
              memory_info : "1x112x112x32+16x1x1x32"
              max_cycle : 5047
              ndl_cycles : dedr(5042) dewr(568) debr(16) deqw(1682) cedw(2521) cedr(5047) ceww(284) cewr(284) cepr(5038) acbw(16) acbr(1682) acpr(1682)
            torq_hl.return
          } loc(#loc6)
          %i2, %c2 = torq_hl.create_invocation "slice_program_torq_hl.conv2d_2" program(%w2 : !torq_hl.program<slice>) on 0 : !torq_hl.invocation<slice>, memref<264xi8>
          %w3 = torq_hl.program "slice_program_torq_hl.conv2d_3" : !torq_hl.program<slice> {
            torq_hw.slice_profiling
              memory : 127930 bytes
              memory_info : "1x112x112x16+96x1x1x16"
              max_cycle : 6865
              ndl_cycles : dedr(6860) dewr(770) debr(16) deqw(2288) cedw(3430) cedr(6865) ceww(385) cewr(385) cepr(6856) acbw(16) acbr(2288) acpr(2288)
            torq_hl.return
          } loc(#loc8)
          %i3, %c3 = torq_hl.create_invocation "slice_program_torq_hl.conv2d_3" program(%w3 : !torq_hl.program<slice>) on 0 : !torq_hl.invocation<slice>, memref<264xi8>
          %w4 = torq_hl.program "slice_program_torq_hl.depthwise_4" : !torq_hl.program<slice> {
            torq_hw.slice_profiling
              memory : 125576 bytes
              memory_info : "1x112x112x96+1x3x3x96"
              max_cycle : 7078
              ndl_cycles : dedr(7078) dewr(794) debr(16) deqw(2359) cedw(3539) cedr(3539) ceww(397) cewr(397) cepr(7069) acbw(16) acbr(2359) acpr(2359)
            torq_hl.return
          } loc(#loc10)
          %i4, %c4 = torq_hl.create_invocation "slice_program_torq_hl.depthwise_4" program(%w4 : !torq_hl.program<slice>) on 0 : !torq_hl.invocation<slice>, memref<264xi8>
          %w5 = torq_hl.program "slice_program_torq_hl.conv2d_5" : !torq_hl.program<slice> {
            torq_hw.slice_profiling
              memory : 126272 bytes
              memory_info : "1x56x56x96+24x1x1x96"
              max_cycle : 9446
              ndl_cycles : dedr(9441) dewr(1057) debr(16) deqw(3148) cedw(4720) cedr(9446) ceww(528) cewr(528) cepr(9437) acbw(16) acbr(3148) acpr(3148)
            torq_hl.return
          } loc(#loc12)
          %i5, %c5 = torq_hl.create_invocation "slice_program_torq_hl.conv2d_5" program(%w5 : !torq_hl.program<slice>) on 0 : !torq_hl.invocation<slice>, memref<264xi8>
          %w6 = torq_hl.program "slice_program_torq_hl.conv2d_6" : !torq_hl.program<slice> {
            torq_hw.slice_profiling
              memory : 106291 bytes
              memory_info : "1x56x56x24+144x1x1x24"
              max_cycle : 8497
              ndl_cycles : dedr(8492) dewr(952) debr(16) deqw(2832) cedw(4246) cedr(8497) ceww(476) cewr(476) cepr(8488) acbw(16) acbr(2832) acpr(2832)
            torq_hl.return
          } loc(#loc14)
          %i6, %c6 = torq_hl.create_invocation "slice_program_torq_hl.conv2d_6" program(%w6 : !torq_hl.program<slice>) on 0 : !torq_hl.invocation<slice>, memref<264xi8>
          %w7 = torq_hl.program "slice_program_torq_hl.depthwise_7" : !torq_hl.program<slice> {
            torq_hw.slice_profiling
              memory : 82328 bytes
              memory_info : "1x56x56x144+1x3x3x144"
              max_cycle : 11569
              ndl_cycles : dedr(11569) dewr(1293) debr(16) deqw(3856) cedw(5784) cedr(5784) ceww(646) cewr(646) cepr(11560) acbw(16) acbr(3856) acpr(3856)
            torq_hl.return
          } loc(#loc16)
          %i7, %c7 = torq_hl.create_invocation "slice_program_torq_hl.depthwise_7" program(%w7 : !torq_hl.program<slice>) on 0 : !torq_hl.invocation<slice>, memref<264xi8>
          %w8 = torq_hl.program "slice_program_torq_hl.conv2d_8" : !torq_hl.program<slice> {
            torq_hw.slice_profiling
              memory : 106099 bytes
              memory_info : "1x56x56x144+24x1x1x144"
              max_cycle : 8497
              ndl_cycles : dedr(8492) dewr(952) debr(16) deqw(2832) cedw(4246) cedr(8497) ceww(476) cewr(476) cepr(8488) acbw(16) acbr(2832) acpr(2832)
            torq_hl.return
          } loc(#loc18)
          %i8, %c8 = torq_hl.create_invocation "slice_program_torq_hl.conv2d_8" program(%w8 : !torq_hl.program<slice>) on 0 : !torq_hl.invocation<slice>, memref<264xi8>
          %w9 = torq_hl.program "slice_program_torq_hl.add_9" : !torq_hl.program<slice> {
            torq_hw.slice_profiling
              memory : 112896 bytes
              memory_info : "1x56x56x24"
              max_cycle : 1217
              ndl_cycles : dedr(1217) dewr(143) debr(16) deqw(405) cedw(608) cedr(608) ceww(71) cewr(71) cepr(1208) acbw(16) acbr(405) acpr(405)
            torq_hl.return
          } loc(#loc19)
          %i9, %c9 = torq_hl.create_invocation "slice_program_torq_hl.add_9" program(%w9 : !torq_hl.program<slice>) on 0 : !torq_hl.invocation<slice>, memref<264xi8>
          %cp = torq_hl.program "css_program" : !torq_hl.program<css> {
            torq_hl.return
          }
          %cssi, %cssc = torq_hl.create_invocation "css_program" program(%cp : !torq_hl.program<css>) : !torq_hl.invocation<css>, memref<2048xi8>
          %p0 = torq_hl.program "nss_program_0" : !torq_hl.program<nss> {
          ^bb0(%s0: !torq_hl.invocation<slice>, %s1: !torq_hl.invocation<slice>, %s2: !torq_hl.invocation<slice>, %css: !torq_hl.invocation<css>, %area: memref<640xi8, #torq_hl<enc mem_space = lram>>):
            %xram = memref.get_global @__xram : memref<9437184xi8>
            %lram = memref.get_global @__lram : memref<262144xi8, #torq_hl<enc mem_space = lram>>
            torq_hw.nss_task {"torq-end-time-cycles" = 7005 : i64, "torq-start-time-cycles" = 0 : i64, "torq-task-id" = 0 : i64}() {
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[30329, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[30329, 1]]}>} loc(#loc2)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 7005 : i64} loc(#loc2)
              torq_hw.dma_in_wait loc(#loc2)
            } loc(#loc2)
            torq_hw.nss_task {"torq-end-time-cycles" = 14010 : i64, "torq-start-time-cycles" = 7005 : i64, "torq-task-id" = 1 : i64}() {
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[30329, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[30329, 1]]}>} loc(#loc2)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 7005 : i64} loc(#loc2)
              "torq_hw.slice_start"(%s0, %lram) <{id = 0 : index}> {"torq-async-duration-cycles" = 8497 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc2)
              torq_hw.dma_in_wait loc(#loc2)
            } loc(#loc2)
            torq_hw.nss_task {"torq-end-time-cycles" = 21015 : i64, "torq-start-time-cycles" = 14010 : i64, "torq-task-id" = 2 : i64}() {
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[30329, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[30329, 1]]}>} loc(#loc2)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 7005 : i64} loc(#loc2)
              "torq_hw.slice_start"(%s0, %lram) <{id = 1 : index}> {"torq-async-duration-cycles" = 8497 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc2)
              torq_hw.dma_in_wait loc(#loc2)
            } loc(#loc2)
            torq_hw.nss_task {"torq-end-time-cycles" = 21015 : i64, "torq-start-time-cycles" = 21015 : i64, "torq-task-id" = 3 : i64}() {
              "torq_hw.slice_wait"() <{id = 0 : index}> : () -> () loc(#loc2)
            } loc(#loc2)
            torq_hw.nss_task {"torq-end-time-cycles" = 28020 : i64, "torq-start-time-cycles" = 21015 : i64, "torq-task-id" = 4 : i64}() {
              torq_hw.dma_out_cfg from %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> to %xram : memref<9437184xi8> {read_ndl = #torq_hw<dma_ndl{dims = [[80281, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[80281, 1]]}>} loc(#loc2)
              torq_hw.dma_out_start {"torq-async-duration-cycles" = 18541 : i64} loc(#loc2)
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[30329, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[30329, 1]]}>} loc(#loc2)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 7005 : i64} loc(#loc2)
              "torq_hw.slice_start"(%s0, %lram) <{id = 0 : index}> {"torq-async-duration-cycles" = 8497 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc2)
              torq_hw.dma_in_wait loc(#loc2)
            } loc(#loc2)
            torq_hw.nss_task {"torq-end-time-cycles" = 39556 : i64, "torq-start-time-cycles" = 28020 : i64, "torq-task-id" = 5 : i64}() {
              "torq_hw.slice_wait"() <{id = 1 : index}> : () -> () loc(#loc2)
              torq_hw.dma_out_wait loc(#loc2)
            } loc(#loc2)
            torq_hw.nss_task {"torq-end-time-cycles" = 46561 : i64, "torq-start-time-cycles" = 39556 : i64, "torq-task-id" = 6 : i64}() {
              torq_hw.dma_out_cfg from %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> to %xram : memref<9437184xi8> {read_ndl = #torq_hw<dma_ndl{dims = [[80281, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[80281, 1]]}>} loc(#loc2)
              torq_hw.dma_out_start {"torq-async-duration-cycles" = 18541 : i64} loc(#loc2)
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[30329, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[30329, 1]]}>} loc(#loc2)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 7005 : i64} loc(#loc2)
              "torq_hw.slice_start"(%s0, %lram) <{id = 1 : index}> {"torq-async-duration-cycles" = 8497 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc2)
              torq_hw.dma_in_wait loc(#loc2)
            } loc(#loc2)
            torq_hw.nss_task {"torq-end-time-cycles" = 58097 : i64, "torq-start-time-cycles" = 46561 : i64, "torq-task-id" = 7 : i64}() {
              "torq_hw.slice_wait"() <{id = 0 : index}> : () -> () loc(#loc2)
              torq_hw.dma_out_wait loc(#loc2)
            } loc(#loc2)
            torq_hw.nss_task {"torq-end-time-cycles" = 58098 : i64, "torq-start-time-cycles" = 58097 : i64, "torq-task-id" = 8 : i64}() {
              torq_hw.dma_out_cfg from %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> to %xram : memref<9437184xi8> {read_ndl = #torq_hw<dma_ndl{dims = [[80281, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[80281, 1]]}>} loc(#loc2)
              torq_hw.dma_out_start {"torq-async-duration-cycles" = 18541 : i64} loc(#loc2)
              "torq_hw.slice_start"(%s0, %lram) <{id = 0 : index}> {"torq-async-duration-cycles" = 8497 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc2)
            } loc(#loc2)
            torq_hw.nss_task {"torq-end-time-cycles" = 76638 : i64, "torq-start-time-cycles" = 58098 : i64, "torq-task-id" = 9 : i64}() {
              "torq_hw.slice_wait"() <{id = 1 : index}> : () -> () loc(#loc2)
              torq_hw.dma_out_wait loc(#loc2)
            } loc(#loc2)
            torq_hw.nss_task {"torq-end-time-cycles" = 76638 : i64, "torq-start-time-cycles" = 76638 : i64, "torq-task-id" = 10 : i64}() {
              torq_hw.dma_out_cfg from %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> to %xram : memref<9437184xi8> {read_ndl = #torq_hw<dma_ndl{dims = [[80281, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[80281, 1]]}>} loc(#loc2)
              torq_hw.dma_out_start {"torq-async-duration-cycles" = 18541 : i64} loc(#loc2)
            } loc(#loc2)
            torq_hw.nss_task {"torq-end-time-cycles" = 95179 : i64, "torq-start-time-cycles" = 76638 : i64, "torq-task-id" = 11 : i64}() {
              "torq_hw.slice_wait"() <{id = 0 : index}> : () -> () loc(#loc2)
              torq_hw.dma_out_wait loc(#loc2)
            } loc(#loc2)
            torq_hw.nss_task {"torq-end-time-cycles" = 113720 : i64, "torq-start-time-cycles" = 95179 : i64, "torq-task-id" = 12 : i64}() {
              torq_hw.dma_out_cfg from %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> to %xram : memref<9437184xi8> {read_ndl = #torq_hw<dma_ndl{dims = [[80281, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[80281, 1]]}>} loc(#loc2)
              torq_hw.dma_out_start {"torq-async-duration-cycles" = 18541 : i64} loc(#loc2)
              torq_hw.dma_out_wait loc(#loc2)
            } loc(#loc2)
            torq_hw.nss_task {"torq-end-time-cycles" = 123003 : i64, "torq-start-time-cycles" = 113720 : i64, "torq-task-id" = 13 : i64}() {
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[40195, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[40195, 1]]}>} loc(#loc4)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 9283 : i64} loc(#loc4)
              torq_hw.dma_in_wait loc(#loc4)
            } loc(#loc4)
            torq_hw.nss_task {"torq-end-time-cycles" = 132286 : i64, "torq-start-time-cycles" = 123003 : i64, "torq-task-id" = 14 : i64}() {
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[40195, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[40195, 1]]}>} loc(#loc4)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 9283 : i64} loc(#loc4)
              "torq_hw.slice_start"(%s1, %lram) <{id = 0 : index}> {"torq-async-duration-cycles" = 11313 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc4)
              torq_hw.dma_in_wait loc(#loc4)
            } loc(#loc4)
            torq_hw.nss_task {"torq-end-time-cycles" = 141569 : i64, "torq-start-time-cycles" = 132286 : i64, "torq-task-id" = 15 : i64}() {
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[40195, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[40195, 1]]}>} loc(#loc4)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 9283 : i64} loc(#loc4)
              "torq_hw.slice_start"(%s1, %lram) <{id = 1 : index}> {"torq-async-duration-cycles" = 11313 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc4)
              torq_hw.dma_in_wait loc(#loc4)
            } loc(#loc4)
            torq_hw.nss_task {"torq-end-time-cycles" = 141569 : i64, "torq-start-time-cycles" = 141569 : i64, "torq-task-id" = 16 : i64}() {
              "torq_hw.slice_wait"() <{id = 0 : index}> : () -> () loc(#loc4)
            } loc(#loc4)
            torq_hw.nss_task {"torq-end-time-cycles" = 150852 : i64, "torq-start-time-cycles" = 141569 : i64, "torq-task-id" = 17 : i64}() {
              torq_hw.dma_out_cfg from %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> to %xram : memref<9437184xi8> {read_ndl = #torq_hw<dma_ndl{dims = [[40140, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[40140, 1]]}>} loc(#loc4)
              torq_hw.dma_out_start {"torq-async-duration-cycles" = 9271 : i64} loc(#loc4)
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[40195, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[40195, 1]]}>} loc(#loc4)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 9283 : i64} loc(#loc4)
              "torq_hw.slice_start"(%s1, %lram) <{id = 0 : index}> {"torq-async-duration-cycles" = 11313 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc4)
              torq_hw.dma_in_wait loc(#loc4)
            } loc(#loc4)
            torq_hw.nss_task {"torq-end-time-cycles" = 150852 : i64, "torq-start-time-cycles" = 150852 : i64, "torq-task-id" = 18 : i64}() {
              "torq_hw.slice_wait"() <{id = 1 : index}> : () -> () loc(#loc4)
              torq_hw.dma_out_wait loc(#loc4)
            } loc(#loc4)
            torq_hw.nss_task {"torq-end-time-cycles" = 160135 : i64, "torq-start-time-cycles" = 150852 : i64, "torq-task-id" = 19 : i64}() {
              torq_hw.dma_out_cfg from %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> to %xram : memref<9437184xi8> {read_ndl = #torq_hw<dma_ndl{dims = [[40140, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[40140, 1]]}>} loc(#loc4)
              torq_hw.dma_out_start {"torq-async-duration-cycles" = 9271 : i64} loc(#loc4)
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[40195, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[40195, 1]]}>} loc(#loc4)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 9283 : i64} loc(#loc4)
              "torq_hw.slice_start"(%s1, %lram) <{id = 1 : index}> {"torq-async-duration-cycles" = 11313 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc4)
              torq_hw.dma_in_wait loc(#loc4)
            } loc(#loc4)
            torq_hw.nss_task {"torq-end-time-cycles" = 160135 : i64, "torq-start-time-cycles" = 160135 : i64, "torq-task-id" = 20 : i64}() {
              "torq_hw.slice_wait"() <{id = 0 : index}> : () -> () loc(#loc4)
              torq_hw.dma_out_wait loc(#loc4)
            } loc(#loc4)
            torq_hw.nss_task {"torq-end-time-cycles" = 169418 : i64, "torq-start-time-cycles" = 160135 : i64, "torq-task-id" = 21 : i64}() {
              torq_hw.dma_out_cfg from %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> to %xram : memref<9437184xi8> {read_ndl = #torq_hw<dma_ndl{dims = [[40140, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[40140, 1]]}>} loc(#loc4)
              torq_hw.dma_out_start {"torq-async-duration-cycles" = 9271 : i64} loc(#loc4)
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[40195, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[40195, 1]]}>} loc(#loc4)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 9283 : i64} loc(#loc4)
              "torq_hw.slice_start"(%s1, %lram) <{id = 0 : index}> {"torq-async-duration-cycles" = 11313 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc4)
              torq_hw.dma_in_wait loc(#loc4)
            } loc(#loc4)
            torq_hw.nss_task {"torq-end-time-cycles" = 169418 : i64, "torq-start-time-cycles" = 169418 : i64, "torq-task-id" = 22 : i64}() {
              "torq_hw.slice_wait"() <{id = 1 : index}> : () -> () loc(#loc4)
              torq_hw.dma_out_wait loc(#loc4)
            } loc(#loc4)
            torq_hw.nss_task {"torq-end-time-cycles" = 178701 : i64, "torq-start-time-cycles" = 169418 : i64, "torq-task-id" = 23 : i64}() {
              torq_hw.dma_out_cfg from %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> to %xram : memref<9437184xi8> {read_ndl = #torq_hw<dma_ndl{dims = [[40140, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[40140, 1]]}>} loc(#loc4)
              torq_hw.dma_out_start {"torq-async-duration-cycles" = 9271 : i64} loc(#loc4)
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[40195, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[40195, 1]]}>} loc(#loc4)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 9283 : i64} loc(#loc4)
              "torq_hw.slice_start"(%s1, %lram) <{id = 1 : index}> {"torq-async-duration-cycles" = 11313 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc4)
              torq_hw.dma_in_wait loc(#loc4)
            } loc(#loc4)
            torq_hw.nss_task {"torq-end-time-cycles" = 178701 : i64, "torq-start-time-cycles" = 178701 : i64, "torq-task-id" = 24 : i64}() {
              "torq_hw.slice_wait"() <{id = 0 : index}> : () -> () loc(#loc4)
              torq_hw.dma_out_wait loc(#loc4)
            } loc(#loc4)
            torq_hw.nss_task {"torq-end-time-cycles" = 187984 : i64, "torq-start-time-cycles" = 178701 : i64, "torq-task-id" = 25 : i64}() {
              torq_hw.dma_out_cfg from %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> to %xram : memref<9437184xi8> {read_ndl = #torq_hw<dma_ndl{dims = [[40140, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[40140, 1]]}>} loc(#loc4)
              torq_hw.dma_out_start {"torq-async-duration-cycles" = 9271 : i64} loc(#loc4)
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[40195, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[40195, 1]]}>} loc(#loc4)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 9283 : i64} loc(#loc4)
              "torq_hw.slice_start"(%s1, %lram) <{id = 0 : index}> {"torq-async-duration-cycles" = 11313 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc4)
              torq_hw.dma_in_wait loc(#loc4)
            } loc(#loc4)
            torq_hw.nss_task {"torq-end-time-cycles" = 187984 : i64, "torq-start-time-cycles" = 187984 : i64, "torq-task-id" = 26 : i64}() {
              "torq_hw.slice_wait"() <{id = 1 : index}> : () -> () loc(#loc4)
              torq_hw.dma_out_wait loc(#loc4)
            } loc(#loc4)
            torq_hw.nss_task {"torq-end-time-cycles" = 197267 : i64, "torq-start-time-cycles" = 187984 : i64, "torq-task-id" = 27 : i64}() {
              torq_hw.dma_out_cfg from %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> to %xram : memref<9437184xi8> {read_ndl = #torq_hw<dma_ndl{dims = [[40140, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[40140, 1]]}>} loc(#loc4)
              torq_hw.dma_out_start {"torq-async-duration-cycles" = 9271 : i64} loc(#loc4)
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[40195, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[40195, 1]]}>} loc(#loc4)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 9283 : i64} loc(#loc4)
              "torq_hw.slice_start"(%s1, %lram) <{id = 1 : index}> {"torq-async-duration-cycles" = 11313 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc4)
              torq_hw.dma_in_wait loc(#loc4)
            } loc(#loc4)
            torq_hw.nss_task {"torq-end-time-cycles" = 197267 : i64, "torq-start-time-cycles" = 197267 : i64, "torq-task-id" = 28 : i64}() {
              "torq_hw.slice_wait"() <{id = 0 : index}> : () -> () loc(#loc4)
              torq_hw.dma_out_wait loc(#loc4)
            } loc(#loc4)
            torq_hw.nss_task {"torq-end-time-cycles" = 206550 : i64, "torq-start-time-cycles" = 197267 : i64, "torq-task-id" = 29 : i64}() {
              torq_hw.dma_out_cfg from %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> to %xram : memref<9437184xi8> {read_ndl = #torq_hw<dma_ndl{dims = [[40140, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[40140, 1]]}>} loc(#loc4)
              torq_hw.dma_out_start {"torq-async-duration-cycles" = 9271 : i64} loc(#loc4)
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[40195, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[40195, 1]]}>} loc(#loc4)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 9283 : i64} loc(#loc4)
              "torq_hw.slice_start"(%s1, %lram) <{id = 0 : index}> {"torq-async-duration-cycles" = 11313 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc4)
              torq_hw.dma_in_wait loc(#loc4)
            } loc(#loc4)
            torq_hw.nss_task {"torq-end-time-cycles" = 206550 : i64, "torq-start-time-cycles" = 206550 : i64, "torq-task-id" = 30 : i64}() {
              "torq_hw.slice_wait"() <{id = 1 : index}> : () -> () loc(#loc4)
              torq_hw.dma_out_wait loc(#loc4)
            } loc(#loc4)
            torq_hw.nss_task {"torq-end-time-cycles" = 206551 : i64, "torq-start-time-cycles" = 206550 : i64, "torq-task-id" = 31 : i64}() {
              torq_hw.dma_out_cfg from %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> to %xram : memref<9437184xi8> {read_ndl = #torq_hw<dma_ndl{dims = [[40140, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[40140, 1]]}>} loc(#loc4)
              torq_hw.dma_out_start {"torq-async-duration-cycles" = 9271 : i64} loc(#loc4)
              "torq_hw.slice_start"(%s1, %lram) <{id = 1 : index}> {"torq-async-duration-cycles" = 11313 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc4)
            } loc(#loc4)
            torq_hw.nss_task {"torq-end-time-cycles" = 215821 : i64, "torq-start-time-cycles" = 206551 : i64, "torq-task-id" = 32 : i64}() {
              "torq_hw.slice_wait"() <{id = 0 : index}> : () -> () loc(#loc4)
              torq_hw.dma_out_wait loc(#loc4)
            } loc(#loc4)
            torq_hw.nss_task {"torq-end-time-cycles" = 215821 : i64, "torq-start-time-cycles" = 215821 : i64, "torq-task-id" = 33 : i64}() {
              torq_hw.dma_out_cfg from %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> to %xram : memref<9437184xi8> {read_ndl = #torq_hw<dma_ndl{dims = [[40140, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[40140, 1]]}>} loc(#loc4)
              torq_hw.dma_out_start {"torq-async-duration-cycles" = 9271 : i64} loc(#loc4)
            } loc(#loc4)
            torq_hw.nss_task {"torq-end-time-cycles" = 225092 : i64, "torq-start-time-cycles" = 215821 : i64, "torq-task-id" = 34 : i64}() {
              "torq_hw.slice_wait"() <{id = 1 : index}> : () -> () loc(#loc4)
              torq_hw.dma_out_wait loc(#loc4)
            } loc(#loc4)
            torq_hw.nss_task {"torq-end-time-cycles" = 234363 : i64, "torq-start-time-cycles" = 225092 : i64, "torq-task-id" = 35 : i64}() {
              torq_hw.dma_out_cfg from %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> to %xram : memref<9437184xi8> {read_ndl = #torq_hw<dma_ndl{dims = [[40140, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[40140, 1]]}>} loc(#loc4)
              torq_hw.dma_out_start {"torq-async-duration-cycles" = 9271 : i64} loc(#loc4)
              torq_hw.dma_out_wait loc(#loc4)
            } loc(#loc4)
            torq_hl.next lram_area(%area : memref<640xi8, #torq_hl<enc mem_space = lram>>) to ^bb1 {lramAddress = 0 : i64}
          ^bb1:  // pred: ^bb0
            torq_hw.nss_task {"torq-end-time-cycles" = 252934 : i64, "torq-start-time-cycles" = 234363 : i64, "torq-task-id" = 36 : i64}() {
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[80409, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[80409, 1]]}>} loc(#loc6)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 18571 : i64} loc(#loc6)
              torq_hw.dma_in_wait loc(#loc6)
            } loc(#loc6)
            torq_hw.nss_task {"torq-end-time-cycles" = 271505 : i64, "torq-start-time-cycles" = 252934 : i64, "torq-task-id" = 37 : i64}() {
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[80409, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[80409, 1]]}>} loc(#loc6)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 18571 : i64} loc(#loc6)
              "torq_hw.slice_start"(%s2, %lram) <{id = 0 : index}> {"torq-async-duration-cycles" = 5047 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc6)
              torq_hw.dma_in_wait loc(#loc6)
            } loc(#loc6)
            torq_hw.nss_task {"torq-end-time-cycles" = 290076 : i64, "torq-start-time-cycles" = 271505 : i64, "torq-task-id" = 38 : i64}() {
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[80409, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[80409, 1]]}>} loc(#loc6)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 18571 : i64} loc(#loc6)
              "torq_hw.slice_start"(%s2, %lram) <{id = 1 : index}> {"torq-async-duration-cycles" = 5047 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc6)
              torq_hw.dma_in_wait loc(#loc6)
            } loc(#loc6)
            torq_hw.nss_task {"torq-end-time-cycles" = 290076 : i64, "torq-start-time-cycles" = 290076 : i64, "torq-task-id" = 39 : i64}() {
              "torq_hw.slice_wait"() <{id = 0 : index}> : () -> () loc(#loc6)
            } loc(#loc6)
            torq_hw.nss_task {"torq-end-time-cycles" = 308647 : i64, "torq-start-time-cycles" = 290076 : i64, "torq-task-id" = 40 : i64}() {
              torq_hw.dma_out_cfg from %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> to %xram : memref<9437184xi8> {read_ndl = #torq_hw<dma_ndl{dims = [[40140, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[40140, 1]]}>} loc(#loc6)
              torq_hw.dma_out_start {"torq-async-duration-cycles" = 9271 : i64} loc(#loc6)
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[80409, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[80409, 1]]}>} loc(#loc6)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 18571 : i64} loc(#loc6)
              "torq_hw.slice_start"(%s2, %lram) <{id = 0 : index}> {"torq-async-duration-cycles" = 5047 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc6)
              torq_hw.dma_in_wait loc(#loc6)
            } loc(#loc6)
            torq_hw.nss_task {"torq-end-time-cycles" = 308647 : i64, "torq-start-time-cycles" = 308647 : i64, "torq-task-id" = 41 : i64}() {
              "torq_hw.slice_wait"() <{id = 1 : index}> : () -> () loc(#loc6)
              torq_hw.dma_out_wait loc(#loc6)
            } loc(#loc6)
            torq_hw.nss_task {"torq-end-time-cycles" = 327218 : i64, "torq-start-time-cycles" = 308647 : i64, "torq-task-id" = 42 : i64}() {
              torq_hw.dma_out_cfg from %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> to %xram : memref<9437184xi8> {read_ndl = #torq_hw<dma_ndl{dims = [[40140, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[40140, 1]]}>} loc(#loc6)
              torq_hw.dma_out_start {"torq-async-duration-cycles" = 9271 : i64} loc(#loc6)
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[80409, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[80409, 1]]}>} loc(#loc6)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 18571 : i64} loc(#loc6)
              "torq_hw.slice_start"(%s2, %lram) <{id = 1 : index}> {"torq-async-duration-cycles" = 5047 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc6)
              torq_hw.dma_in_wait loc(#loc6)
            } loc(#loc6)
            torq_hw.nss_task {"torq-end-time-cycles" = 327218 : i64, "torq-start-time-cycles" = 327218 : i64, "torq-task-id" = 43 : i64}() {
              "torq_hw.slice_wait"() <{id = 0 : index}> : () -> () loc(#loc6)
              torq_hw.dma_out_wait loc(#loc6)
            } loc(#loc6)
            torq_hw.nss_task {"torq-end-time-cycles" = 327219 : i64, "torq-start-time-cycles" = 327218 : i64, "torq-task-id" = 44 : i64}() {
              torq_hw.dma_out_cfg from %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> to %xram : memref<9437184xi8> {read_ndl = #torq_hw<dma_ndl{dims = [[40140, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[40140, 1]]}>} loc(#loc6)
              torq_hw.dma_out_start {"torq-async-duration-cycles" = 9271 : i64} loc(#loc6)
              "torq_hw.slice_start"(%s2, %lram) <{id = 0 : index}> {"torq-async-duration-cycles" = 5047 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc6)
            } loc(#loc6)
            torq_hw.nss_task {"torq-end-time-cycles" = 336489 : i64, "torq-start-time-cycles" = 327219 : i64, "torq-task-id" = 45 : i64}() {
              "torq_hw.slice_wait"() <{id = 1 : index}> : () -> () loc(#loc6)
              torq_hw.dma_out_wait loc(#loc6)
            } loc(#loc6)
            torq_hw.nss_task {"torq-end-time-cycles" = 336489 : i64, "torq-start-time-cycles" = 336489 : i64, "torq-task-id" = 46 : i64}() {
              torq_hw.dma_out_cfg from %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> to %xram : memref<9437184xi8> {read_ndl = #torq_hw<dma_ndl{dims = [[40140, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[40140, 1]]}>} loc(#loc6)
              torq_hw.dma_out_start {"torq-async-duration-cycles" = 9271 : i64} loc(#loc6)
            } loc(#loc6)
            torq_hw.nss_task {"torq-end-time-cycles" = 345760 : i64, "torq-start-time-cycles" = 336489 : i64, "torq-task-id" = 47 : i64}() {
              "torq_hw.slice_wait"() <{id = 0 : index}> : () -> () loc(#loc6)
              torq_hw.dma_out_wait loc(#loc6)
            } loc(#loc6)
            torq_hw.nss_task {"torq-end-time-cycles" = 355031 : i64, "torq-start-time-cycles" = 345760 : i64, "torq-task-id" = 48 : i64}() {
              torq_hw.dma_out_cfg from %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> to %xram : memref<9437184xi8> {read_ndl = #torq_hw<dma_ndl{dims = [[40140, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[40140, 1]]}>} loc(#loc6)
              torq_hw.dma_out_start {"torq-async-duration-cycles" = 9271 : i64} loc(#loc6)
              torq_hw.dma_out_wait loc(#loc6)
            } loc(#loc6)
            torq_hl.return
          } loc(#loc131)
          %n0, %k0:2 = torq_hl.create_invocation "nss_program_0" program(%p0 : !torq_hl.program<nss>) on 0 {"torq-job-id" = 0 : i32} : !torq_hl.invocation<nss>, memref<364xi8>, memref<188xi8>
          %p1 = torq_hl.program "nss_program_1" : !torq_hl.program<nss> {
          ^bb0(%s0: !torq_hl.invocation<slice>, %s1: !torq_hl.invocation<slice>, %s2: !torq_hl.invocation<slice>, %css: !torq_hl.invocation<css>, %area: memref<640xi8, #torq_hl<enc mem_space = lram>>):
            %xram = memref.get_global @__xram : memref<9437184xi8>
            %lram = memref.get_global @__lram : memref<262144xi8, #torq_hl<enc mem_space = lram>>
            torq_hw.nss_task {"torq-end-time-cycles" = 359294 : i64, "torq-start-time-cycles" = 355031 : i64, "torq-task-id" = 49 : i64}() {
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[18455, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[18455, 1]]}>} loc(#loc8)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 4263 : i64} loc(#loc8)
              torq_hw.dma_in_wait loc(#loc8)
            } loc(#loc8)
            torq_hw.nss_task {"torq-end-time-cycles" = 363557 : i64, "torq-start-time-cycles" = 359294 : i64, "torq-task-id" = 50 : i64}() {
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[18455, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[18455, 1]]}>} loc(#loc8)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 4263 : i64} loc(#loc8)
              "torq_hw.slice_start"(%s0, %lram) <{id = 0 : index}> {"torq-async-duration-cycles" = 6865 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc8)
              torq_hw.dma_in_wait loc(#loc8)
            } loc(#loc8)
            torq_hw.nss_task {"torq-end-time-cycles" = 367820 : i64, "torq-start-time-cycles" = 363557 : i64, "torq-task-id" = 51 : i64}() {
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[18455, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[18455, 1]]}>} loc(#loc8)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 4263 : i64} loc(#loc8)
              "torq_hw.slice_start"(%s0, %lram) <{id = 1 : index}> {"torq-async-duration-cycles" = 6865 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc8)
              torq_hw.dma_in_wait loc(#loc8)
            } loc(#loc8)
            torq_hw.nss_task {"torq-end-time-cycles" = 367820 : i64, "torq-start-time-cycles" = 367820 : i64, "torq-task-id" = 52 : i64}() {
              "torq_hw.slice_wait"() <{id = 0 : index}> : () -> () loc(#loc8)
            } loc(#loc8)
            torq_hw.nss_task {"torq-end-time-cycles" = 372083 : i64, "torq-start-time-cycles" = 367820 : i64, "torq-task-id" = 53 : i64}() {
              torq_hw.dma_out_cfg from %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> to %xram : memref<9437184xi8> {read_ndl = #torq_hw<dma_ndl{dims = [[109474, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[109474, 1]]}>} loc(#loc8)
              torq_hw.dma_out_start {"torq-async-duration-cycles" = 25283 : i64} loc(#loc8)
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[18455, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[18455, 1]]}>} loc(#loc8)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 4263 : i64} loc(#loc8)
              "torq_hw.slice_start"(%s0, %lram) <{id = 0 : index}> {"torq-async-duration-cycles" = 6865 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc8)
              torq_hw.dma_in_wait loc(#loc8)
            } loc(#loc8)
            torq_hw.nss_task {"torq-end-time-cycles" = 393103 : i64, "torq-start-time-cycles" = 372083 : i64, "torq-task-id" = 54 : i64}() {
              "torq_hw.slice_wait"() <{id = 1 : index}> : () -> () loc(#loc8)
              torq_hw.dma_out_wait loc(#loc8)
            } loc(#loc8)
            torq_hw.nss_task {"torq-end-time-cycles" = 397366 : i64, "torq-start-time-cycles" = 393103 : i64, "torq-task-id" = 55 : i64}() {
              torq_hw.dma_out_cfg from %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> to %xram : memref<9437184xi8> {read_ndl = #torq_hw<dma_ndl{dims = [[109474, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[109474, 1]]}>} loc(#loc8)
              torq_hw.dma_out_start {"torq-async-duration-cycles" = 25283 : i64} loc(#loc8)
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[18455, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[18455, 1]]}>} loc(#loc8)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 4263 : i64} loc(#loc8)
              "torq_hw.slice_start"(%s0, %lram) <{id = 1 : index}> {"torq-async-duration-cycles" = 6865 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc8)
              torq_hw.dma_in_wait loc(#loc8)
            } loc(#loc8)
            torq_hw.nss_task {"torq-end-time-cycles" = 418386 : i64, "torq-start-time-cycles" = 397366 : i64, "torq-task-id" = 56 : i64}() {
              "torq_hw.slice_wait"() <{id = 0 : index}> : () -> () loc(#loc8)
              torq_hw.dma_out_wait loc(#loc8)
            } loc(#loc8)
            torq_hw.nss_task {"torq-end-time-cycles" = 422649 : i64, "torq-start-time-cycles" = 418386 : i64, "torq-task-id" = 57 : i64}() {
              torq_hw.dma_out_cfg from %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> to %xram : memref<9437184xi8> {read_ndl = #torq_hw<dma_ndl{dims = [[109474, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[109474, 1]]}>} loc(#loc8)
              torq_hw.dma_out_start {"torq-async-duration-cycles" = 25283 : i64} loc(#loc8)
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[18455, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[18455, 1]]}>} loc(#loc8)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 4263 : i64} loc(#loc8)
              "torq_hw.slice_start"(%s0, %lram) <{id = 0 : index}> {"torq-async-duration-cycles" = 6865 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc8)
              torq_hw.dma_in_wait loc(#loc8)
            } loc(#loc8)
            torq_hw.nss_task {"torq-end-time-cycles" = 443669 : i64, "torq-start-time-cycles" = 422649 : i64, "torq-task-id" = 58 : i64}() {
              "torq_hw.slice_wait"() <{id = 1 : index}> : () -> () loc(#loc8)
              torq_hw.dma_out_wait loc(#loc8)
            } loc(#loc8)
            torq_hw.nss_task {"torq-end-time-cycles" = 447932 : i64, "torq-start-time-cycles" = 443669 : i64, "torq-task-id" = 59 : i64}() {
              torq_hw.dma_out_cfg from %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> to %xram : memref<9437184xi8> {read_ndl = #torq_hw<dma_ndl{dims = [[109474, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[109474, 1]]}>} loc(#loc8)
              torq_hw.dma_out_start {"torq-async-duration-cycles" = 25283 : i64} loc(#loc8)
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[18455, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[18455, 1]]}>} loc(#loc8)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 4263 : i64} loc(#loc8)
              "torq_hw.slice_start"(%s0, %lram) <{id = 1 : index}> {"torq-async-duration-cycles" = 6865 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc8)
              torq_hw.dma_in_wait loc(#loc8)
            } loc(#loc8)
            torq_hw.nss_task {"torq-end-time-cycles" = 468952 : i64, "torq-start-time-cycles" = 447932 : i64, "torq-task-id" = 60 : i64}() {
              "torq_hw.slice_wait"() <{id = 0 : index}> : () -> () loc(#loc8)
              torq_hw.dma_out_wait loc(#loc8)
            } loc(#loc8)
            torq_hw.nss_task {"torq-end-time-cycles" = 473215 : i64, "torq-start-time-cycles" = 468952 : i64, "torq-task-id" = 61 : i64}() {
              torq_hw.dma_out_cfg from %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> to %xram : memref<9437184xi8> {read_ndl = #torq_hw<dma_ndl{dims = [[109474, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[109474, 1]]}>} loc(#loc8)
              torq_hw.dma_out_start {"torq-async-duration-cycles" = 25283 : i64} loc(#loc8)
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[18455, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[18455, 1]]}>} loc(#loc8)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 4263 : i64} loc(#loc8)
              "torq_hw.slice_start"(%s0, %lram) <{id = 0 : index}> {"torq-async-duration-cycles" = 6865 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc8)
              torq_hw.dma_in_wait loc(#loc8)
            } loc(#loc8)
            torq_hw.nss_task {"torq-end-time-cycles" = 494235 : i64, "torq-start-time-cycles" = 473215 : i64, "torq-task-id" = 62 : i64}() {
              "torq_hw.slice_wait"() <{id = 1 : index}> : () -> () loc(#loc8)
              torq_hw.dma_out_wait loc(#loc8)
            } loc(#loc8)
            torq_hw.nss_task {"torq-end-time-cycles" = 498498 : i64, "torq-start-time-cycles" = 494235 : i64, "torq-task-id" = 63 : i64}() {
              torq_hw.dma_out_cfg from %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> to %xram : memref<9437184xi8> {read_ndl = #torq_hw<dma_ndl{dims = [[109474, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[109474, 1]]}>} loc(#loc8)
              torq_hw.dma_out_start {"torq-async-duration-cycles" = 25283 : i64} loc(#loc8)
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[18455, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[18455, 1]]}>} loc(#loc8)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 4263 : i64} loc(#loc8)
              "torq_hw.slice_start"(%s0, %lram) <{id = 1 : index}> {"torq-async-duration-cycles" = 6865 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc8)
              torq_hw.dma_in_wait loc(#loc8)
            } loc(#loc8)
            torq_hw.nss_task {"torq-end-time-cycles" = 519518 : i64, "torq-start-time-cycles" = 498498 : i64, "torq-task-id" = 64 : i64}() {
              "torq_hw.slice_wait"() <{id = 0 : index}> : () -> () loc(#loc8)
              torq_hw.dma_out_wait loc(#loc8)
            } loc(#loc8)
            torq_hw.nss_task {"torq-end-time-cycles" = 523781 : i64, "torq-start-time-cycles" = 519518 : i64, "torq-task-id" = 65 : i64}() {
              torq_hw.dma_out_cfg from %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> to %xram : memref<9437184xi8> {read_ndl = #torq_hw<dma_ndl{dims = [[109474, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[109474, 1]]}>} loc(#loc8)
              torq_hw.dma_out_start {"torq-async-duration-cycles" = 25283 : i64} loc(#loc8)
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[18455, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[18455, 1]]}>} loc(#loc8)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 4263 : i64} loc(#loc8)
              "torq_hw.slice_start"(%s0, %lram) <{id = 0 : index}> {"torq-async-duration-cycles" = 6865 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc8)
              torq_hw.dma_in_wait loc(#loc8)
            } loc(#loc8)
            torq_hw.nss_task {"torq-end-time-cycles" = 544801 : i64, "torq-start-time-cycles" = 523781 : i64, "torq-task-id" = 66 : i64}() {
              "torq_hw.slice_wait"() <{id = 1 : index}> : () -> () loc(#loc8)
              torq_hw.dma_out_wait loc(#loc8)
            } loc(#loc8)
            torq_hw.nss_task {"torq-end-time-cycles" = 549064 : i64, "torq-start-time-cycles" = 544801 : i64, "torq-task-id" = 67 : i64}() {
              torq_hw.dma_out_cfg from %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> to %xram : memref<9437184xi8> {read_ndl = #torq_hw<dma_ndl{dims = [[109474, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[109474, 1]]}>} loc(#loc8)
              torq_hw.dma_out_start {"torq-async-duration-cycles" = 25283 : i64} loc(#loc8)
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[18455, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[18455, 1]]}>} loc(#loc8)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 4263 : i64} loc(#loc8)
              "torq_hw.slice_start"(%s0, %lram) <{id = 1 : index}> {"torq-async-duration-cycles" = 6865 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc8)
              torq_hw.dma_in_wait loc(#loc8)
            } loc(#loc8)
            torq_hw.nss_task {"torq-end-time-cycles" = 570084 : i64, "torq-start-time-cycles" = 549064 : i64, "torq-task-id" = 68 : i64}() {
              "torq_hw.slice_wait"() <{id = 0 : index}> : () -> () loc(#loc8)
              torq_hw.dma_out_wait loc(#loc8)
            } loc(#loc8)
            torq_hw.nss_task {"torq-end-time-cycles" = 570085 : i64, "torq-start-time-cycles" = 570084 : i64, "torq-task-id" = 69 : i64}() {
              torq_hw.dma_out_cfg from %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> to %xram : memref<9437184xi8> {read_ndl = #torq_hw<dma_ndl{dims = [[109474, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[109474, 1]]}>} loc(#loc8)
              torq_hw.dma_out_start {"torq-async-duration-cycles" = 25283 : i64} loc(#loc8)
              "torq_hw.slice_start"(%s0, %lram) <{id = 0 : index}> {"torq-async-duration-cycles" = 6865 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc8)
            } loc(#loc8)
            torq_hw.nss_task {"torq-end-time-cycles" = 595367 : i64, "torq-start-time-cycles" = 570085 : i64, "torq-task-id" = 70 : i64}() {
              "torq_hw.slice_wait"() <{id = 1 : index}> : () -> () loc(#loc8)
              torq_hw.dma_out_wait loc(#loc8)
            } loc(#loc8)
            torq_hw.nss_task {"torq-end-time-cycles" = 595367 : i64, "torq-start-time-cycles" = 595367 : i64, "torq-task-id" = 71 : i64}() {
              torq_hw.dma_out_cfg from %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> to %xram : memref<9437184xi8> {read_ndl = #torq_hw<dma_ndl{dims = [[109474, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[109474, 1]]}>} loc(#loc8)
              torq_hw.dma_out_start {"torq-async-duration-cycles" = 25283 : i64} loc(#loc8)
            } loc(#loc8)
            torq_hw.nss_task {"torq-end-time-cycles" = 620650 : i64, "torq-start-time-cycles" = 595367 : i64, "torq-task-id" = 72 : i64}() {
              "torq_hw.slice_wait"() <{id = 0 : index}> : () -> () loc(#loc8)
              torq_hw.dma_out_wait loc(#loc8)
            } loc(#loc8)
            torq_hw.nss_task {"torq-end-time-cycles" = 645933 : i64, "torq-start-time-cycles" = 620650 : i64, "torq-task-id" = 73 : i64}() {
              torq_hw.dma_out_cfg from %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> to %xram : memref<9437184xi8> {read_ndl = #torq_hw<dma_ndl{dims = [[109474, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[109474, 1]]}>} loc(#loc8)
              torq_hw.dma_out_start {"torq-async-duration-cycles" = 25283 : i64} loc(#loc8)
              torq_hw.dma_out_wait loc(#loc8)
            } loc(#loc8)
            torq_hl.next lram_area(%area : memref<640xi8, #torq_hl<enc mem_space = lram>>) to ^bb1 {lramAddress = 0 : i64}
          ^bb1:  // pred: ^bb0
            torq_hw.nss_task {"torq-end-time-cycles" = 669141 : i64, "torq-start-time-cycles" = 645933 : i64, "torq-task-id" = 74 : i64}() {
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[100488, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[100488, 1]]}>} loc(#loc10)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 23208 : i64} loc(#loc10)
              torq_hw.dma_in_wait loc(#loc10)
            } loc(#loc10)
            torq_hw.nss_task {"torq-end-time-cycles" = 692349 : i64, "torq-start-time-cycles" = 669141 : i64, "torq-task-id" = 75 : i64}() {
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[100488, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[100488, 1]]}>} loc(#loc10)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 23208 : i64} loc(#loc10)
              "torq_hw.slice_start"(%s1, %lram) <{id = 0 : index}> {"torq-async-duration-cycles" = 7078 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc10)
              torq_hw.dma_in_wait loc(#loc10)
            } loc(#loc10)
            torq_hw.nss_task {"torq-end-time-cycles" = 715557 : i64, "torq-start-time-cycles" = 692349 : i64, "torq-task-id" = 76 : i64}() {
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[100488, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[100488, 1]]}>} loc(#loc10)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 23208 : i64} loc(#loc10)
              "torq_hw.slice_start"(%s1, %lram) <{id = 1 : index}> {"torq-async-duration-cycles" = 7078 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc10)
              torq_hw.dma_in_wait loc(#loc10)
            } loc(#loc10)
            torq_hw.nss_task {"torq-end-time-cycles" = 715557 : i64, "torq-start-time-cycles" = 715557 : i64, "torq-task-id" = 77 : i64}() {
              "torq_hw.slice_wait"() <{id = 0 : index}> : () -> () loc(#loc10)
            } loc(#loc10)
            torq_hw.nss_task {"torq-end-time-cycles" = 738765 : i64, "torq-start-time-cycles" = 715557 : i64, "torq-task-id" = 78 : i64}() {
              torq_hw.dma_out_cfg from %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> to %xram : memref<9437184xi8> {read_ndl = #torq_hw<dma_ndl{dims = [[25088, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[25088, 1]]}>} loc(#loc10)
              torq_hw.dma_out_start {"torq-async-duration-cycles" = 5794 : i64} loc(#loc10)
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[100488, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[100488, 1]]}>} loc(#loc10)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 23208 : i64} loc(#loc10)
              "torq_hw.slice_start"(%s1, %lram) <{id = 0 : index}> {"torq-async-duration-cycles" = 7078 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc10)
              torq_hw.dma_in_wait loc(#loc10)
            } loc(#loc10)
            torq_hw.nss_task {"torq-end-time-cycles" = 738765 : i64, "torq-start-time-cycles" = 738765 : i64, "torq-task-id" = 79 : i64}() {
              "torq_hw.slice_wait"() <{id = 1 : index}> : () -> () loc(#loc10)
              torq_hw.dma_out_wait loc(#loc10)
            } loc(#loc10)
            torq_hw.nss_task {"torq-end-time-cycles" = 761973 : i64, "torq-start-time-cycles" = 738765 : i64, "torq-task-id" = 80 : i64}() {
              torq_hw.dma_out_cfg from %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> to %xram : memref<9437184xi8> {read_ndl = #torq_hw<dma_ndl{dims = [[25088, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[25088, 1]]}>} loc(#loc10)
              torq_hw.dma_out_start {"torq-async-duration-cycles" = 5794 : i64} loc(#loc10)
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[100488, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[100488, 1]]}>} loc(#loc10)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 23208 : i64} loc(#loc10)
              "torq_hw.slice_start"(%s1, %lram) <{id = 1 : index}> {"torq-async-duration-cycles" = 7078 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc10)
              torq_hw.dma_in_wait loc(#loc10)
            } loc(#loc10)
            torq_hw.nss_task {"torq-end-time-cycles" = 761973 : i64, "torq-start-time-cycles" = 761973 : i64, "torq-task-id" = 81 : i64}() {
              "torq_hw.slice_wait"() <{id = 0 : index}> : () -> () loc(#loc10)
              torq_hw.dma_out_wait loc(#loc10)
            } loc(#loc10)
            torq_hw.nss_task {"torq-end-time-cycles" = 785181 : i64, "torq-start-time-cycles" = 761973 : i64, "torq-task-id" = 82 : i64}() {
              torq_hw.dma_out_cfg from %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> to %xram : memref<9437184xi8> {read_ndl = #torq_hw<dma_ndl{dims = [[25088, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[25088, 1]]}>} loc(#loc10)
              torq_hw.dma_out_start {"torq-async-duration-cycles" = 5794 : i64} loc(#loc10)
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[100488, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[100488, 1]]}>} loc(#loc10)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 23208 : i64} loc(#loc10)
              "torq_hw.slice_start"(%s1, %lram) <{id = 0 : index}> {"torq-async-duration-cycles" = 7078 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc10)
              torq_hw.dma_in_wait loc(#loc10)
            } loc(#loc10)
            torq_hw.nss_task {"torq-end-time-cycles" = 785181 : i64, "torq-start-time-cycles" = 785181 : i64, "torq-task-id" = 83 : i64}() {
              "torq_hw.slice_wait"() <{id = 1 : index}> : () -> () loc(#loc10)
              torq_hw.dma_out_wait loc(#loc10)
            } loc(#loc10)
            torq_hw.nss_task {"torq-end-time-cycles" = 808389 : i64, "torq-start-time-cycles" = 785181 : i64, "torq-task-id" = 84 : i64}() {
              torq_hw.dma_out_cfg from %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> to %xram : memref<9437184xi8> {read_ndl = #torq_hw<dma_ndl{dims = [[25088, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[25088, 1]]}>} loc(#loc10)
              torq_hw.dma_out_start {"torq-async-duration-cycles" = 5794 : i64} loc(#loc10)
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[100488, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[100488, 1]]}>} loc(#loc10)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 23208 : i64} loc(#loc10)
              "torq_hw.slice_start"(%s1, %lram) <{id = 1 : index}> {"torq-async-duration-cycles" = 7078 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc10)
              torq_hw.dma_in_wait loc(#loc10)
            } loc(#loc10)
            torq_hw.nss_task {"torq-end-time-cycles" = 808389 : i64, "torq-start-time-cycles" = 808389 : i64, "torq-task-id" = 85 : i64}() {
              "torq_hw.slice_wait"() <{id = 0 : index}> : () -> () loc(#loc10)
              torq_hw.dma_out_wait loc(#loc10)
            } loc(#loc10)
            torq_hw.nss_task {"torq-end-time-cycles" = 831597 : i64, "torq-start-time-cycles" = 808389 : i64, "torq-task-id" = 86 : i64}() {
              torq_hw.dma_out_cfg from %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> to %xram : memref<9437184xi8> {read_ndl = #torq_hw<dma_ndl{dims = [[25088, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[25088, 1]]}>} loc(#loc10)
              torq_hw.dma_out_start {"torq-async-duration-cycles" = 5794 : i64} loc(#loc10)
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[100488, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[100488, 1]]}>} loc(#loc10)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 23208 : i64} loc(#loc10)
              "torq_hw.slice_start"(%s1, %lram) <{id = 0 : index}> {"torq-async-duration-cycles" = 7078 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc10)
              torq_hw.dma_in_wait loc(#loc10)
            } loc(#loc10)
            torq_hw.nss_task {"torq-end-time-cycles" = 831597 : i64, "torq-start-time-cycles" = 831597 : i64, "torq-task-id" = 87 : i64}() {
              "torq_hw.slice_wait"() <{id = 1 : index}> : () -> () loc(#loc10)
              torq_hw.dma_out_wait loc(#loc10)
            } loc(#loc10)
            torq_hw.nss_task {"torq-end-time-cycles" = 854805 : i64, "torq-start-time-cycles" = 831597 : i64, "torq-task-id" = 88 : i64}() {
              torq_hw.dma_out_cfg from %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> to %xram : memref<9437184xi8> {read_ndl = #torq_hw<dma_ndl{dims = [[25088, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[25088, 1]]}>} loc(#loc10)
              torq_hw.dma_out_start {"torq-async-duration-cycles" = 5794 : i64} loc(#loc10)
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[100488, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[100488, 1]]}>} loc(#loc10)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 23208 : i64} loc(#loc10)
              "torq_hw.slice_start"(%s1, %lram) <{id = 1 : index}> {"torq-async-duration-cycles" = 7078 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc10)
              torq_hw.dma_in_wait loc(#loc10)
            } loc(#loc10)
            torq_hw.nss_task {"torq-end-time-cycles" = 854805 : i64, "torq-start-time-cycles" = 854805 : i64, "torq-task-id" = 89 : i64}() {
              "torq_hw.slice_wait"() <{id = 0 : index}> : () -> () loc(#loc10)
              torq_hw.dma_out_wait loc(#loc10)
            } loc(#loc10)
            torq_hw.nss_task {"torq-end-time-cycles" = 878013 : i64, "torq-start-time-cycles" = 854805 : i64, "torq-task-id" = 90 : i64}() {
              torq_hw.dma_out_cfg from %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> to %xram : memref<9437184xi8> {read_ndl = #torq_hw<dma_ndl{dims = [[25088, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[25088, 1]]}>} loc(#loc10)
              torq_hw.dma_out_start {"torq-async-duration-cycles" = 5794 : i64} loc(#loc10)
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[100488, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[100488, 1]]}>} loc(#loc10)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 23208 : i64} loc(#loc10)
              "torq_hw.slice_start"(%s1, %lram) <{id = 0 : index}> {"torq-async-duration-cycles" = 7078 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc10)
              torq_hw.dma_in_wait loc(#loc10)
            } loc(#loc10)
            torq_hw.nss_task {"torq-end-time-cycles" = 878013 : i64, "torq-start-time-cycles" = 878013 : i64, "torq-task-id" = 91 : i64}() {
              "torq_hw.slice_wait"() <{id = 1 : index}> : () -> () loc(#loc10)
              torq_hw.dma_out_wait loc(#loc10)
            } loc(#loc10)
            torq_hw.nss_task {"torq-end-time-cycles" = 901221 : i64, "torq-start-time-cycles" = 878013 : i64, "torq-task-id" = 92 : i64}() {
              torq_hw.dma_out_cfg from %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> to %xram : memref<9437184xi8> {read_ndl = #torq_hw<dma_ndl{dims = [[25088, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[25088, 1]]}>} loc(#loc10)
              torq_hw.dma_out_start {"torq-async-duration-cycles" = 5794 : i64} loc(#loc10)
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[100488, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[100488, 1]]}>} loc(#loc10)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 23208 : i64} loc(#loc10)
              "torq_hw.slice_start"(%s1, %lram) <{id = 1 : index}> {"torq-async-duration-cycles" = 7078 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc10)
              torq_hw.dma_in_wait loc(#loc10)
            } loc(#loc10)
            torq_hw.nss_task {"torq-end-time-cycles" = 901221 : i64, "torq-start-time-cycles" = 901221 : i64, "torq-task-id" = 93 : i64}() {
              "torq_hw.slice_wait"() <{id = 0 : index}> : () -> () loc(#loc10)
              torq_hw.dma_out_wait loc(#loc10)
            } loc(#loc10)
            torq_hw.nss_task {"torq-end-time-cycles" = 924429 : i64, "torq-start-time-cycles" = 901221 : i64, "torq-task-id" = 94 : i64}() {
              torq_hw.dma_out_cfg from %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> to %xram : memref<9437184xi8> {read_ndl = #torq_hw<dma_ndl{dims = [[25088, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[25088, 1]]}>} loc(#loc10)
              torq_hw.dma_out_start {"torq-async-duration-cycles" = 5794 : i64} loc(#loc10)
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[100488, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[100488, 1]]}>} loc(#loc10)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 23208 : i64} loc(#loc10)
              "torq_hw.slice_start"(%s1, %lram) <{id = 0 : index}> {"torq-async-duration-cycles" = 7078 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc10)
              torq_hw.dma_in_wait loc(#loc10)
            } loc(#loc10)
            torq_hw.nss_task {"torq-end-time-cycles" = 924429 : i64, "torq-start-time-cycles" = 924429 : i64, "torq-task-id" = 95 : i64}() {
              "torq_hw.slice_wait"() <{id = 1 : index}> : () -> () loc(#loc10)
              torq_hw.dma_out_wait loc(#loc10)
            } loc(#loc10)
            torq_hw.nss_task {"torq-end-time-cycles" = 924430 : i64, "torq-start-time-cycles" = 924429 : i64, "torq-task-id" = 96 : i64}() {
              torq_hw.dma_out_cfg from %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> to %xram : memref<9437184xi8> {read_ndl = #torq_hw<dma_ndl{dims = [[25088, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[25088, 1]]}>} loc(#loc10)
              torq_hw.dma_out_start {"torq-async-duration-cycles" = 5794 : i64} loc(#loc10)
              "torq_hw.slice_start"(%s1, %lram) <{id = 1 : index}> {"torq-async-duration-cycles" = 7078 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc10)
            } loc(#loc10)
            torq_hw.nss_task {"torq-end-time-cycles" = 930223 : i64, "torq-start-time-cycles" = 924430 : i64, "torq-task-id" = 97 : i64}() {
              "torq_hw.slice_wait"() <{id = 0 : index}> : () -> () loc(#loc10)
              torq_hw.dma_out_wait loc(#loc10)
            } loc(#loc10)
            torq_hw.nss_task {"torq-end-time-cycles" = 930223 : i64, "torq-start-time-cycles" = 930223 : i64, "torq-task-id" = 98 : i64}() {
              torq_hw.dma_out_cfg from %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> to %xram : memref<9437184xi8> {read_ndl = #torq_hw<dma_ndl{dims = [[25088, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[25088, 1]]}>} loc(#loc10)
              torq_hw.dma_out_start {"torq-async-duration-cycles" = 5794 : i64} loc(#loc10)
            } loc(#loc10)
            torq_hw.nss_task {"torq-end-time-cycles" = 936017 : i64, "torq-start-time-cycles" = 930223 : i64, "torq-task-id" = 99 : i64}() {
              "torq_hw.slice_wait"() <{id = 1 : index}> : () -> () loc(#loc10)
              torq_hw.dma_out_wait loc(#loc10)
            } loc(#loc10)
            torq_hw.nss_task {"torq-end-time-cycles" = 941811 : i64, "torq-start-time-cycles" = 936017 : i64, "torq-task-id" = 100 : i64}() {
              torq_hw.dma_out_cfg from %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> to %xram : memref<9437184xi8> {read_ndl = #torq_hw<dma_ndl{dims = [[25088, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[25088, 1]]}>} loc(#loc10)
              torq_hw.dma_out_start {"torq-async-duration-cycles" = 5794 : i64} loc(#loc10)
              torq_hw.dma_out_wait loc(#loc10)
            } loc(#loc10)
            torq_hw.nss_task {"torq-end-time-cycles" = 965180 : i64, "torq-start-time-cycles" = 941811 : i64, "torq-task-id" = 101 : i64}() {
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[101184, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[101184, 1]]}>} loc(#loc12)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 23369 : i64} loc(#loc12)
              torq_hw.dma_in_wait loc(#loc12)
            } loc(#loc12)
            torq_hw.nss_task {"torq-end-time-cycles" = 988549 : i64, "torq-start-time-cycles" = 965180 : i64, "torq-task-id" = 102 : i64}() {
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[101184, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[101184, 1]]}>} loc(#loc12)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 23369 : i64} loc(#loc12)
              "torq_hw.slice_start"(%s2, %lram) <{id = 0 : index}> {"torq-async-duration-cycles" = 9446 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc12)
              torq_hw.dma_in_wait loc(#loc12)
            } loc(#loc12)
            torq_hw.nss_task {"torq-end-time-cycles" = 1011918 : i64, "torq-start-time-cycles" = 988549 : i64, "torq-task-id" = 103 : i64}() {
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[101184, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[101184, 1]]}>} loc(#loc12)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 23369 : i64} loc(#loc12)
              "torq_hw.slice_start"(%s2, %lram) <{id = 1 : index}> {"torq-async-duration-cycles" = 9446 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc12)
              torq_hw.dma_in_wait loc(#loc12)
            } loc(#loc12)
            torq_hw.nss_task {"torq-end-time-cycles" = 1011918 : i64, "torq-start-time-cycles" = 1011918 : i64, "torq-task-id" = 104 : i64}() {
              "torq_hw.slice_wait"() <{id = 0 : index}> : () -> () loc(#loc12)
            } loc(#loc12)
            torq_hw.nss_task {"torq-end-time-cycles" = 1011919 : i64, "torq-start-time-cycles" = 1011918 : i64, "torq-task-id" = 105 : i64}() {
              torq_hw.dma_out_cfg from %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> to %xram : memref<9437184xi8> {read_ndl = #torq_hw<dma_ndl{dims = [[25088, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[25088, 1]]}>} loc(#loc12)
              torq_hw.dma_out_start {"torq-async-duration-cycles" = 5794 : i64} loc(#loc12)
              "torq_hw.slice_start"(%s2, %lram) <{id = 0 : index}> {"torq-async-duration-cycles" = 9446 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc12)
            } loc(#loc12)
            torq_hw.nss_task {"torq-end-time-cycles" = 1017712 : i64, "torq-start-time-cycles" = 1011919 : i64, "torq-task-id" = 106 : i64}() {
              "torq_hw.slice_wait"() <{id = 1 : index}> : () -> () loc(#loc12)
              torq_hw.dma_out_wait loc(#loc12)
            } loc(#loc12)
            torq_hw.nss_task {"torq-end-time-cycles" = 1017712 : i64, "torq-start-time-cycles" = 1017712 : i64, "torq-task-id" = 107 : i64}() {
              torq_hw.dma_out_cfg from %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> to %xram : memref<9437184xi8> {read_ndl = #torq_hw<dma_ndl{dims = [[25088, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[25088, 1]]}>} loc(#loc12)
              torq_hw.dma_out_start {"torq-async-duration-cycles" = 5794 : i64} loc(#loc12)
            } loc(#loc12)
            torq_hw.nss_task {"torq-end-time-cycles" = 1023506 : i64, "torq-start-time-cycles" = 1017712 : i64, "torq-task-id" = 108 : i64}() {
              "torq_hw.slice_wait"() <{id = 0 : index}> : () -> () loc(#loc12)
              torq_hw.dma_out_wait loc(#loc12)
            } loc(#loc12)
            torq_hw.nss_task {"torq-end-time-cycles" = 1029300 : i64, "torq-start-time-cycles" = 1023506 : i64, "torq-task-id" = 109 : i64}() {
              torq_hw.dma_out_cfg from %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> to %xram : memref<9437184xi8> {read_ndl = #torq_hw<dma_ndl{dims = [[25088, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[25088, 1]]}>} loc(#loc12)
              torq_hw.dma_out_start {"torq-async-duration-cycles" = 5794 : i64} loc(#loc12)
              torq_hw.dma_out_wait loc(#loc12)
            } loc(#loc12)
            torq_hl.return
          } loc(#loc132)
          %n1, %k1:2 = torq_hl.create_invocation "nss_program_1" program(%p1 : !torq_hl.program<nss>) on 0 {"torq-job-id" = 1 : i32} : !torq_hl.invocation<nss>, memref<364xi8>, memref<188xi8>
          %p2 = torq_hl.program "nss_program_2" : !torq_hl.program<nss> {
          ^bb0(%s0: !torq_hl.invocation<slice>, %s1: !torq_hl.invocation<slice>, %s2: !torq_hl.invocation<slice>, %s3: !torq_hl.invocation<slice>, %css: !torq_hl.invocation<css>, %area: memref<640xi8, #torq_hl<enc mem_space = lram>>):
            %xram = memref.get_global @__xram : memref<9437184xi8>
            %lram = memref.get_global @__lram : memref<262144xi8, #torq_hl<enc mem_space = lram>>
            torq_hw.nss_task {"torq-end-time-cycles" = 1029513 : i64, "torq-start-time-cycles" = 1029300 : i64, "torq-task-id" = 110 : i64}() {
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[921, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[921, 1]]}>} loc(#loc14)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 213 : i64} loc(#loc14)
              torq_hw.dma_in_wait loc(#loc14)
            } loc(#loc14)
            torq_hw.nss_task {"torq-end-time-cycles" = 1029726 : i64, "torq-start-time-cycles" = 1029513 : i64, "torq-task-id" = 111 : i64}() {
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[921, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[921, 1]]}>} loc(#loc14)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 213 : i64} loc(#loc14)
              "torq_hw.slice_start"(%s0, %lram) <{id = 0 : index}> {"torq-async-duration-cycles" = 8497 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc14)
              torq_hw.dma_in_wait loc(#loc14)
            } loc(#loc14)
            torq_hw.nss_task {"torq-end-time-cycles" = 1029939 : i64, "torq-start-time-cycles" = 1029726 : i64, "torq-task-id" = 112 : i64}() {
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[921, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[921, 1]]}>} loc(#loc14)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 213 : i64} loc(#loc14)
              "torq_hw.slice_start"(%s0, %lram) <{id = 1 : index}> {"torq-async-duration-cycles" = 8497 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc14)
              torq_hw.dma_in_wait loc(#loc14)
            } loc(#loc14)
            torq_hw.nss_task {"torq-end-time-cycles" = 1038010 : i64, "torq-start-time-cycles" = 1029939 : i64, "torq-task-id" = 113 : i64}() {
              "torq_hw.slice_wait"() <{id = 0 : index}> : () -> () loc(#loc14)
            } loc(#loc14)
            torq_hw.nss_task {"torq-end-time-cycles" = 1038223 : i64, "torq-start-time-cycles" = 1038010 : i64, "torq-task-id" = 114 : i64}() {
              torq_hw.dma_out_cfg from %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> to %xram : memref<9437184xi8> {read_ndl = #torq_hw<dma_ndl{dims = [[90316, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[90316, 1]]}>} loc(#loc14)
              torq_hw.dma_out_start {"torq-async-duration-cycles" = 20859 : i64} loc(#loc14)
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[921, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[921, 1]]}>} loc(#loc14)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 213 : i64} loc(#loc14)
              "torq_hw.slice_start"(%s0, %lram) <{id = 0 : index}> {"torq-async-duration-cycles" = 8497 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc14)
              torq_hw.dma_in_wait loc(#loc14)
            } loc(#loc14)
            torq_hw.nss_task {"torq-end-time-cycles" = 1058869 : i64, "torq-start-time-cycles" = 1038223 : i64, "torq-task-id" = 115 : i64}() {
              "torq_hw.slice_wait"() <{id = 1 : index}> : () -> () loc(#loc14)
              torq_hw.dma_out_wait loc(#loc14)
            } loc(#loc14)
            torq_hw.nss_task {"torq-end-time-cycles" = 1059082 : i64, "torq-start-time-cycles" = 1058869 : i64, "torq-task-id" = 116 : i64}() {
              torq_hw.dma_out_cfg from %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> to %xram : memref<9437184xi8> {read_ndl = #torq_hw<dma_ndl{dims = [[90316, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[90316, 1]]}>} loc(#loc14)
              torq_hw.dma_out_start {"torq-async-duration-cycles" = 20859 : i64} loc(#loc14)
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[921, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[921, 1]]}>} loc(#loc14)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 213 : i64} loc(#loc14)
              "torq_hw.slice_start"(%s0, %lram) <{id = 1 : index}> {"torq-async-duration-cycles" = 8497 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc14)
              torq_hw.dma_in_wait loc(#loc14)
            } loc(#loc14)
            torq_hw.nss_task {"torq-end-time-cycles" = 1079728 : i64, "torq-start-time-cycles" = 1059082 : i64, "torq-task-id" = 117 : i64}() {
              "torq_hw.slice_wait"() <{id = 0 : index}> : () -> () loc(#loc14)
              torq_hw.dma_out_wait loc(#loc14)
            } loc(#loc14)
            torq_hw.nss_task {"torq-end-time-cycles" = 1079729 : i64, "torq-start-time-cycles" = 1079728 : i64, "torq-task-id" = 118 : i64}() {
              torq_hw.dma_out_cfg from %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> to %xram : memref<9437184xi8> {read_ndl = #torq_hw<dma_ndl{dims = [[90316, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[90316, 1]]}>} loc(#loc14)
              torq_hw.dma_out_start {"torq-async-duration-cycles" = 20859 : i64} loc(#loc14)
              "torq_hw.slice_start"(%s0, %lram) <{id = 0 : index}> {"torq-async-duration-cycles" = 8497 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc14)
            } loc(#loc14)
            torq_hw.nss_task {"torq-end-time-cycles" = 1100587 : i64, "torq-start-time-cycles" = 1079729 : i64, "torq-task-id" = 119 : i64}() {
              "torq_hw.slice_wait"() <{id = 1 : index}> : () -> () loc(#loc14)
              torq_hw.dma_out_wait loc(#loc14)
            } loc(#loc14)
            torq_hw.nss_task {"torq-end-time-cycles" = 1100587 : i64, "torq-start-time-cycles" = 1100587 : i64, "torq-task-id" = 120 : i64}() {
              torq_hw.dma_out_cfg from %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> to %xram : memref<9437184xi8> {read_ndl = #torq_hw<dma_ndl{dims = [[90316, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[90316, 1]]}>} loc(#loc14)
              torq_hw.dma_out_start {"torq-async-duration-cycles" = 20859 : i64} loc(#loc14)
            } loc(#loc14)
            torq_hw.nss_task {"torq-end-time-cycles" = 1121446 : i64, "torq-start-time-cycles" = 1100587 : i64, "torq-task-id" = 121 : i64}() {
              "torq_hw.slice_wait"() <{id = 0 : index}> : () -> () loc(#loc14)
              torq_hw.dma_out_wait loc(#loc14)
            } loc(#loc14)
            torq_hw.nss_task {"torq-end-time-cycles" = 1142305 : i64, "torq-start-time-cycles" = 1121446 : i64, "torq-task-id" = 122 : i64}() {
              torq_hw.dma_out_cfg from %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> to %xram : memref<9437184xi8> {read_ndl = #torq_hw<dma_ndl{dims = [[90316, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[90316, 1]]}>} loc(#loc14)
              torq_hw.dma_out_start {"torq-async-duration-cycles" = 20859 : i64} loc(#loc14)
              torq_hw.dma_out_wait loc(#loc14)
            } loc(#loc14)
            torq_hw.nss_task {"torq-end-time-cycles" = 1151838 : i64, "torq-start-time-cycles" = 1142305 : i64, "torq-task-id" = 123 : i64}() {
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[41275, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[41275, 1]]}>} loc(#loc16)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 9533 : i64} loc(#loc16)
              torq_hw.dma_in_wait loc(#loc16)
            } loc(#loc16)
            torq_hw.nss_task {"torq-end-time-cycles" = 1161371 : i64, "torq-start-time-cycles" = 1151838 : i64, "torq-task-id" = 124 : i64}() {
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[41275, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[41275, 1]]}>} loc(#loc16)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 9533 : i64} loc(#loc16)
              "torq_hw.slice_start"(%s1, %lram) <{id = 0 : index}> {"torq-async-duration-cycles" = 11569 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc16)
              torq_hw.dma_in_wait loc(#loc16)
            } loc(#loc16)
            torq_hw.nss_task {"torq-end-time-cycles" = 1170904 : i64, "torq-start-time-cycles" = 1161371 : i64, "torq-task-id" = 125 : i64}() {
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[41275, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[41275, 1]]}>} loc(#loc16)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 9533 : i64} loc(#loc16)
              "torq_hw.slice_start"(%s1, %lram) <{id = 1 : index}> {"torq-async-duration-cycles" = 11569 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc16)
              torq_hw.dma_in_wait loc(#loc16)
            } loc(#loc16)
            torq_hw.nss_task {"torq-end-time-cycles" = 1170904 : i64, "torq-start-time-cycles" = 1170904 : i64, "torq-task-id" = 126 : i64}() {
              "torq_hw.slice_wait"() <{id = 0 : index}> : () -> () loc(#loc16)
            } loc(#loc16)
            torq_hw.nss_task {"torq-end-time-cycles" = 1180437 : i64, "torq-start-time-cycles" = 1170904 : i64, "torq-task-id" = 127 : i64}() {
              torq_hw.dma_out_cfg from %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> to %xram : memref<9437184xi8> {read_ndl = #torq_hw<dma_ndl{dims = [[41053, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[41053, 1]]}>} loc(#loc16)
              torq_hw.dma_out_start {"torq-async-duration-cycles" = 9482 : i64} loc(#loc16)
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[41275, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[41275, 1]]}>} loc(#loc16)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 9533 : i64} loc(#loc16)
              "torq_hw.slice_start"(%s1, %lram) <{id = 0 : index}> {"torq-async-duration-cycles" = 11569 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc16)
              torq_hw.dma_in_wait loc(#loc16)
            } loc(#loc16)
            torq_hw.nss_task {"torq-end-time-cycles" = 1180437 : i64, "torq-start-time-cycles" = 1180437 : i64, "torq-task-id" = 128 : i64}() {
              "torq_hw.slice_wait"() <{id = 1 : index}> : () -> () loc(#loc16)
              torq_hw.dma_out_wait loc(#loc16)
            } loc(#loc16)
            torq_hw.nss_task {"torq-end-time-cycles" = 1189970 : i64, "torq-start-time-cycles" = 1180437 : i64, "torq-task-id" = 129 : i64}() {
              torq_hw.dma_out_cfg from %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> to %xram : memref<9437184xi8> {read_ndl = #torq_hw<dma_ndl{dims = [[41053, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[41053, 1]]}>} loc(#loc16)
              torq_hw.dma_out_start {"torq-async-duration-cycles" = 9482 : i64} loc(#loc16)
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[41275, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[41275, 1]]}>} loc(#loc16)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 9533 : i64} loc(#loc16)
              "torq_hw.slice_start"(%s1, %lram) <{id = 1 : index}> {"torq-async-duration-cycles" = 11569 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc16)
              torq_hw.dma_in_wait loc(#loc16)
            } loc(#loc16)
            torq_hw.nss_task {"torq-end-time-cycles" = 1189970 : i64, "torq-start-time-cycles" = 1189970 : i64, "torq-task-id" = 130 : i64}() {
              "torq_hw.slice_wait"() <{id = 0 : index}> : () -> () loc(#loc16)
              torq_hw.dma_out_wait loc(#loc16)
            } loc(#loc16)
            torq_hw.nss_task {"torq-end-time-cycles" = 1199503 : i64, "torq-start-time-cycles" = 1189970 : i64, "torq-task-id" = 131 : i64}() {
              torq_hw.dma_out_cfg from %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> to %xram : memref<9437184xi8> {read_ndl = #torq_hw<dma_ndl{dims = [[41053, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[41053, 1]]}>} loc(#loc16)
              torq_hw.dma_out_start {"torq-async-duration-cycles" = 9482 : i64} loc(#loc16)
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[41275, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[41275, 1]]}>} loc(#loc16)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 9533 : i64} loc(#loc16)
              "torq_hw.slice_start"(%s1, %lram) <{id = 0 : index}> {"torq-async-duration-cycles" = 11569 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc16)
              torq_hw.dma_in_wait loc(#loc16)
            } loc(#loc16)
            torq_hw.nss_task {"torq-end-time-cycles" = 1199503 : i64, "torq-start-time-cycles" = 1199503 : i64, "torq-task-id" = 132 : i64}() {
              "torq_hw.slice_wait"() <{id = 1 : index}> : () -> () loc(#loc16)
              torq_hw.dma_out_wait loc(#loc16)
            } loc(#loc16)
            torq_hw.nss_task {"torq-end-time-cycles" = 1209036 : i64, "torq-start-time-cycles" = 1199503 : i64, "torq-task-id" = 133 : i64}() {
              torq_hw.dma_out_cfg from %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> to %xram : memref<9437184xi8> {read_ndl = #torq_hw<dma_ndl{dims = [[41053, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[41053, 1]]}>} loc(#loc16)
              torq_hw.dma_out_start {"torq-async-duration-cycles" = 9482 : i64} loc(#loc16)
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[41275, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[41275, 1]]}>} loc(#loc16)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 9533 : i64} loc(#loc16)
              "torq_hw.slice_start"(%s1, %lram) <{id = 1 : index}> {"torq-async-duration-cycles" = 11569 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc16)
              torq_hw.dma_in_wait loc(#loc16)
            } loc(#loc16)
            torq_hw.nss_task {"torq-end-time-cycles" = 1209036 : i64, "torq-start-time-cycles" = 1209036 : i64, "torq-task-id" = 134 : i64}() {
              "torq_hw.slice_wait"() <{id = 0 : index}> : () -> () loc(#loc16)
              torq_hw.dma_out_wait loc(#loc16)
            } loc(#loc16)
            torq_hw.nss_task {"torq-end-time-cycles" = 1218569 : i64, "torq-start-time-cycles" = 1209036 : i64, "torq-task-id" = 135 : i64}() {
              torq_hw.dma_out_cfg from %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> to %xram : memref<9437184xi8> {read_ndl = #torq_hw<dma_ndl{dims = [[41053, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[41053, 1]]}>} loc(#loc16)
              torq_hw.dma_out_start {"torq-async-duration-cycles" = 9482 : i64} loc(#loc16)
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[41275, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[41275, 1]]}>} loc(#loc16)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 9533 : i64} loc(#loc16)
              "torq_hw.slice_start"(%s1, %lram) <{id = 0 : index}> {"torq-async-duration-cycles" = 11569 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc16)
              torq_hw.dma_in_wait loc(#loc16)
            } loc(#loc16)
            torq_hw.nss_task {"torq-end-time-cycles" = 1218569 : i64, "torq-start-time-cycles" = 1218569 : i64, "torq-task-id" = 136 : i64}() {
              "torq_hw.slice_wait"() <{id = 1 : index}> : () -> () loc(#loc16)
              torq_hw.dma_out_wait loc(#loc16)
            } loc(#loc16)
            torq_hw.nss_task {"torq-end-time-cycles" = 1228102 : i64, "torq-start-time-cycles" = 1218569 : i64, "torq-task-id" = 137 : i64}() {
              torq_hw.dma_out_cfg from %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> to %xram : memref<9437184xi8> {read_ndl = #torq_hw<dma_ndl{dims = [[41053, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[41053, 1]]}>} loc(#loc16)
              torq_hw.dma_out_start {"torq-async-duration-cycles" = 9482 : i64} loc(#loc16)
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[41275, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[41275, 1]]}>} loc(#loc16)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 9533 : i64} loc(#loc16)
              "torq_hw.slice_start"(%s1, %lram) <{id = 1 : index}> {"torq-async-duration-cycles" = 11569 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc16)
              torq_hw.dma_in_wait loc(#loc16)
            } loc(#loc16)
            torq_hw.nss_task {"torq-end-time-cycles" = 1228102 : i64, "torq-start-time-cycles" = 1228102 : i64, "torq-task-id" = 138 : i64}() {
              "torq_hw.slice_wait"() <{id = 0 : index}> : () -> () loc(#loc16)
              torq_hw.dma_out_wait loc(#loc16)
            } loc(#loc16)
            torq_hw.nss_task {"torq-end-time-cycles" = 1237635 : i64, "torq-start-time-cycles" = 1228102 : i64, "torq-task-id" = 139 : i64}() {
              torq_hw.dma_out_cfg from %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> to %xram : memref<9437184xi8> {read_ndl = #torq_hw<dma_ndl{dims = [[41053, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[41053, 1]]}>} loc(#loc16)
              torq_hw.dma_out_start {"torq-async-duration-cycles" = 9482 : i64} loc(#loc16)
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[41275, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[41275, 1]]}>} loc(#loc16)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 9533 : i64} loc(#loc16)
              "torq_hw.slice_start"(%s1, %lram) <{id = 0 : index}> {"torq-async-duration-cycles" = 11569 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc16)
              torq_hw.dma_in_wait loc(#loc16)
            } loc(#loc16)
            torq_hw.nss_task {"torq-end-time-cycles" = 1237635 : i64, "torq-start-time-cycles" = 1237635 : i64, "torq-task-id" = 140 : i64}() {
              "torq_hw.slice_wait"() <{id = 1 : index}> : () -> () loc(#loc16)
              torq_hw.dma_out_wait loc(#loc16)
            } loc(#loc16)
            torq_hw.nss_task {"torq-end-time-cycles" = 1247168 : i64, "torq-start-time-cycles" = 1237635 : i64, "torq-task-id" = 141 : i64}() {
              torq_hw.dma_out_cfg from %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> to %xram : memref<9437184xi8> {read_ndl = #torq_hw<dma_ndl{dims = [[41053, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[41053, 1]]}>} loc(#loc16)
              torq_hw.dma_out_start {"torq-async-duration-cycles" = 9482 : i64} loc(#loc16)
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[41275, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[41275, 1]]}>} loc(#loc16)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 9533 : i64} loc(#loc16)
              "torq_hw.slice_start"(%s1, %lram) <{id = 1 : index}> {"torq-async-duration-cycles" = 11569 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc16)
              torq_hw.dma_in_wait loc(#loc16)
            } loc(#loc16)
            torq_hw.nss_task {"torq-end-time-cycles" = 1247168 : i64, "torq-start-time-cycles" = 1247168 : i64, "torq-task-id" = 142 : i64}() {
              "torq_hw.slice_wait"() <{id = 0 : index}> : () -> () loc(#loc16)
              torq_hw.dma_out_wait loc(#loc16)
            } loc(#loc16)
            torq_hw.nss_task {"torq-end-time-cycles" = 1247169 : i64, "torq-start-time-cycles" = 1247168 : i64, "torq-task-id" = 143 : i64}() {
              torq_hw.dma_out_cfg from %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> to %xram : memref<9437184xi8> {read_ndl = #torq_hw<dma_ndl{dims = [[41053, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[41053, 1]]}>} loc(#loc16)
              torq_hw.dma_out_start {"torq-async-duration-cycles" = 9482 : i64} loc(#loc16)
              "torq_hw.slice_start"(%s1, %lram) <{id = 0 : index}> {"torq-async-duration-cycles" = 11569 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc16)
            } loc(#loc16)
            torq_hw.nss_task {"torq-end-time-cycles" = 1256650 : i64, "torq-start-time-cycles" = 1247169 : i64, "torq-task-id" = 144 : i64}() {
              "torq_hw.slice_wait"() <{id = 1 : index}> : () -> () loc(#loc16)
              torq_hw.dma_out_wait loc(#loc16)
            } loc(#loc16)
            torq_hw.nss_task {"torq-end-time-cycles" = 1256650 : i64, "torq-start-time-cycles" = 1256650 : i64, "torq-task-id" = 145 : i64}() {
              torq_hw.dma_out_cfg from %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> to %xram : memref<9437184xi8> {read_ndl = #torq_hw<dma_ndl{dims = [[41053, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[41053, 1]]}>} loc(#loc16)
              torq_hw.dma_out_start {"torq-async-duration-cycles" = 9482 : i64} loc(#loc16)
            } loc(#loc16)
            torq_hw.nss_task {"torq-end-time-cycles" = 1266132 : i64, "torq-start-time-cycles" = 1256650 : i64, "torq-task-id" = 146 : i64}() {
              "torq_hw.slice_wait"() <{id = 0 : index}> : () -> () loc(#loc16)
              torq_hw.dma_out_wait loc(#loc16)
            } loc(#loc16)
            torq_hw.nss_task {"torq-end-time-cycles" = 1275614 : i64, "torq-start-time-cycles" = 1266132 : i64, "torq-task-id" = 147 : i64}() {
              torq_hw.dma_out_cfg from %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> to %xram : memref<9437184xi8> {read_ndl = #torq_hw<dma_ndl{dims = [[41053, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[41053, 1]]}>} loc(#loc16)
              torq_hw.dma_out_start {"torq-async-duration-cycles" = 9482 : i64} loc(#loc16)
              torq_hw.dma_out_wait loc(#loc16)
            } loc(#loc16)
            torq_hl.next lram_area(%area : memref<640xi8, #torq_hl<enc mem_space = lram>>) to ^bb1 {lramAddress = 0 : i64}
          ^bb1:  // pred: ^bb0
            torq_hw.nss_task {"torq-end-time-cycles" = 1296641 : i64, "torq-start-time-cycles" = 1275614 : i64, "torq-task-id" = 148 : i64}() {
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[91046, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[91046, 1]]}>} loc(#loc18)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 21027 : i64} loc(#loc18)
              torq_hw.dma_in_wait loc(#loc18)
            } loc(#loc18)
            torq_hw.nss_task {"torq-end-time-cycles" = 1317668 : i64, "torq-start-time-cycles" = 1296641 : i64, "torq-task-id" = 149 : i64}() {
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[91046, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[91046, 1]]}>} loc(#loc18)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 21027 : i64} loc(#loc18)
              "torq_hw.slice_start"(%s2, %lram) <{id = 0 : index}> {"torq-async-duration-cycles" = 8497 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc18)
              torq_hw.dma_in_wait loc(#loc18)
            } loc(#loc18)
            torq_hw.nss_task {"torq-end-time-cycles" = 1338695 : i64, "torq-start-time-cycles" = 1317668 : i64, "torq-task-id" = 150 : i64}() {
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[91046, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[91046, 1]]}>} loc(#loc18)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 21027 : i64} loc(#loc18)
              "torq_hw.slice_start"(%s2, %lram) <{id = 1 : index}> {"torq-async-duration-cycles" = 8497 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc18)
              torq_hw.dma_in_wait loc(#loc18)
            } loc(#loc18)
            torq_hw.nss_task {"torq-end-time-cycles" = 1338695 : i64, "torq-start-time-cycles" = 1338695 : i64, "torq-task-id" = 151 : i64}() {
              "torq_hw.slice_wait"() <{id = 0 : index}> : () -> () loc(#loc18)
            } loc(#loc18)
            torq_hw.nss_task {"torq-end-time-cycles" = 1359722 : i64, "torq-start-time-cycles" = 1338695 : i64, "torq-task-id" = 152 : i64}() {
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[91046, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[91046, 1]]}>} loc(#loc18)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 21027 : i64} loc(#loc18)
              "torq_hw.slice_start"(%s2, %lram) <{id = 0 : index}> {"torq-async-duration-cycles" = 8497 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc18)
              torq_hw.dma_in_wait loc(#loc18)
            } loc(#loc18)
            torq_hw.nss_task {"torq-end-time-cycles" = 1359722 : i64, "torq-start-time-cycles" = 1359722 : i64, "torq-task-id" = 153 : i64}() {
              "torq_hw.slice_wait"() <{id = 1 : index}> : () -> () loc(#loc18)
            } loc(#loc18)
            torq_hw.nss_task {"torq-end-time-cycles" = 1380749 : i64, "torq-start-time-cycles" = 1359722 : i64, "torq-task-id" = 154 : i64}() {
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[91046, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[91046, 1]]}>} loc(#loc18)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 21027 : i64} loc(#loc18)
              "torq_hw.slice_start"(%s2, %lram) <{id = 1 : index}> {"torq-async-duration-cycles" = 8497 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc18)
              torq_hw.dma_in_wait loc(#loc18)
            } loc(#loc18)
            torq_hw.nss_task {"torq-end-time-cycles" = 1380749 : i64, "torq-start-time-cycles" = 1380749 : i64, "torq-task-id" = 155 : i64}() {
              "torq_hw.slice_wait"() <{id = 0 : index}> : () -> () loc(#loc18)
            } loc(#loc18)
            torq_hw.nss_task {"torq-end-time-cycles" = 1380750 : i64, "torq-start-time-cycles" = 1380749 : i64, "torq-task-id" = 156 : i64}() {
              "torq_hw.slice_start"(%s2, %lram) <{id = 0 : index}> {"torq-async-duration-cycles" = 8497 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc18)
            } loc(#loc18)
            torq_hw.nss_task {"torq-end-time-cycles" = 1380750 : i64, "torq-start-time-cycles" = 1380750 : i64, "torq-task-id" = 157 : i64}() {
              "torq_hw.slice_wait"() <{id = 1 : index}> : () -> () loc(#loc18)
            } loc(#loc18)
            torq_hw.nss_task {"torq-end-time-cycles" = 1389246 : i64, "torq-start-time-cycles" = 1380750 : i64, "torq-task-id" = 158 : i64}() {
              "torq_hw.slice_wait"() <{id = 0 : index}> : () -> () loc(#loc18)
            } loc(#loc18)
            torq_hw.nss_task {"torq-end-time-cycles" = 1406628 : i64, "torq-start-time-cycles" = 1389246 : i64, "torq-task-id" = 159 : i64}() {
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[75264, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[75264, 1]]}>} loc(#loc19)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 17382 : i64} loc(#loc19)
              torq_hw.dma_in_wait loc(#loc19)
            } loc(#loc19)
            torq_hw.nss_task {"torq-end-time-cycles" = 1424010 : i64, "torq-start-time-cycles" = 1406628 : i64, "torq-task-id" = 160 : i64}() {
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[75264, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[75264, 1]]}>} loc(#loc19)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 17382 : i64} loc(#loc19)
              "torq_hw.slice_start"(%s3, %lram) <{id = 0 : index}> {"torq-async-duration-cycles" = 1217 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc19)
              torq_hw.dma_in_wait loc(#loc19)
            } loc(#loc19)
            torq_hw.nss_task {"torq-end-time-cycles" = 1424011 : i64, "torq-start-time-cycles" = 1424010 : i64, "torq-task-id" = 161 : i64}() {
              "torq_hw.slice_start"(%s3, %lram) <{id = 1 : index}> {"torq-async-duration-cycles" = 1217 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc19)
            } loc(#loc19)
            torq_hw.nss_task {"torq-end-time-cycles" = 1424011 : i64, "torq-start-time-cycles" = 1424011 : i64, "torq-task-id" = 162 : i64}() {
              "torq_hw.slice_wait"() <{id = 0 : index}> : () -> () loc(#loc19)
            } loc(#loc19)
            torq_hw.nss_task {"torq-end-time-cycles" = 1424011 : i64, "torq-start-time-cycles" = 1424011 : i64, "torq-task-id" = 163 : i64}() {
              torq_hw.dma_out_cfg from %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> to %xram : memref<9437184xi8> {read_ndl = #torq_hw<dma_ndl{dims = [[37632, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[37632, 1]]}>} loc(#loc19)
              torq_hw.dma_out_start {"torq-async-duration-cycles" = 8691 : i64} loc(#loc19)
            } loc(#loc19)
            torq_hw.nss_task {"torq-end-time-cycles" = 1432702 : i64, "torq-start-time-cycles" = 1424011 : i64, "torq-task-id" = 164 : i64}() {
              "torq_hw.slice_wait"() <{id = 1 : index}> : () -> () loc(#loc19)
              torq_hw.dma_out_wait loc(#loc19)
            } loc(#loc19)
            torq_hw.nss_task {"torq-end-time-cycles" = 1441393 : i64, "torq-start-time-cycles" = 1432702 : i64, "torq-task-id" = 165 : i64}() {
              torq_hw.dma_out_cfg from %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> to %xram : memref<9437184xi8> {read_ndl = #torq_hw<dma_ndl{dims = [[37632, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[37632, 1]]}>} loc(#loc19)
              torq_hw.dma_out_start {"torq-async-duration-cycles" = 8691 : i64} loc(#loc19)
              torq_hw.dma_out_wait loc(#loc19)
            } loc(#loc19)
            torq_hl.return
          } loc(#loc133)
          %n2, %k2:2 = torq_hl.create_invocation "nss_program_2" program(%p2 : !torq_hl.program<nss>) on 0 {"torq-job-id" = 2 : i32} : !torq_hl.invocation<nss>, memref<364xi8>, memref<188xi8>
          %slot = memref.get_global @__program_slot0 : memref<640xi8, #torq_hl<enc mem_space = lram>>
          %block = torq_hl.get_block %n0 block 0 : !torq_hl.invocation<nss> -> memref<364xi8>
          %image = "torq_hl.map_binding"() <{binding_index = 0 : index, is_read_only = true}> : () -> memref<150528xi8>
          torq_hl.host_copy %image : memref<150528xi8> to %slot : memref<640xi8, #torq_hl<enc mem_space = lram>> {element_size_bytes = 150528 : i64, input_strides_bytes = array<i64>, output_strides_bytes = array<i64>, shape = array<i64>, "torq-action-id" = 0 : i32} loc(#loc2)
          torq_hl.host_copy %block : memref<364xi8> to %slot : memref<640xi8, #torq_hl<enc mem_space = lram>> {element_size_bytes = 364 : i64, input_strides_bytes = array<i64>, output_strides_bytes = array<i64>, shape = array<i64>, "torq-action-id" = 1 : i32} loc(#loc2)
          torq_hl.start_program %n0 : !torq_hl.invocation<nss> args(%i0, %i1, %i2, %cssi, %slot : !torq_hl.invocation<slice>, !torq_hl.invocation<slice>, !torq_hl.invocation<slice>, !torq_hl.invocation<css>, memref<640xi8, #torq_hl<enc mem_space = lram>>) code(%slot : memref<640xi8, #torq_hl<enc mem_space = lram>>) {"torq-action-id" = 2 : i32, "torq-end-time-cycles" = 0 : i64, "torq-start-time-cycles" = 0 : i64} loc(#loc131)
          torq_hl.wait_program %n0 : !torq_hl.invocation<nss> {"torq-action-id" = 3 : i32, "torq-end-time-cycles" = 355031 : i64, "torq-start-time-cycles" = 0 : i64} loc(#loc131)
          torq_hl.start_program %n1 : !torq_hl.invocation<nss> args(%i3, %i4, %i5, %cssi, %slot : !torq_hl.invocation<slice>, !torq_hl.invocation<slice>, !torq_hl.invocation<slice>, !torq_hl.invocation<css>, memref<640xi8, #torq_hl<enc mem_space = lram>>) code(%slot : memref<640xi8, #torq_hl<enc mem_space = lram>>) {"torq-action-id" = 4 : i32, "torq-end-time-cycles" = 355031 : i64, "torq-start-time-cycles" = 355031 : i64} loc(#loc132)
          torq_hl.wait_program %n1 : !torq_hl.invocation<nss> {"torq-action-id" = 5 : i32, "torq-end-time-cycles" = 1029300 : i64, "torq-start-time-cycles" = 355031 : i64} loc(#loc132)
          torq_hl.start_program %n2 : !torq_hl.invocation<nss> args(%i6, %i7, %i8, %i9, %cssi, %slot : !torq_hl.invocation<slice>, !torq_hl.invocation<slice>, !torq_hl.invocation<slice>, !torq_hl.invocation<slice>, !torq_hl.invocation<css>, memref<640xi8, #torq_hl<enc mem_space = lram>>) code(%slot : memref<640xi8, #torq_hl<enc mem_space = lram>>) {"torq-action-id" = 6 : i32, "torq-end-time-cycles" = 1029300 : i64, "torq-start-time-cycles" = 1029300 : i64} loc(#loc133)
          torq_hl.wait_program %n2 : !torq_hl.invocation<nss> {"torq-action-id" = 7 : i32, "torq-end-time-cycles" = 1441393 : i64, "torq-start-time-cycles" = 1029300 : i64} loc(#loc133)
          return
        }
      }
    }
  }
  hal.executable private @main_dispatch_1 {
    hal.executable.variant public @torq_fb target(<"torq", "torq-fb">) {
      builtin.module {
        memref.global "private" @__program_slot0 : memref<640xi8, #torq_hl<enc mem_space = lram>> = uninitialized {lram_address = 0 : i64}
        func.func @main_dispatch_1_conv2d_28x28() {
          torq_hw.dispatch_profiling
            memory : 959100 bytes
            total_cycle : 10617
          %w10 = torq_hl.program "slice_program_torq_hl.conv2d_10" : !torq_hl.program<slice> {
            torq_hw.slice_profiling
              memory : 106291 bytes
              memory_info : "1x56x56x24+144x1x1x24"
              max_cycle : 8497
              ndl_cycles : dedr(8492) dewr(952) debr(16) deqw(2832) cedw(4246) cedr(8497) ceww(476) cewr(476) cepr(8488) acbw(16) acbr(2832) acpr(2832)
            torq_hl.return
          } loc(#loc22)
          %i10, %c10 = torq_hl.create_invocation "slice_program_torq_hl.conv2d_10" program(%w10 : !torq_hl.program<slice>) on 0 : !torq_hl.invocation<slice>, memref<264xi8>
          %w11 = torq_hl.program "slice_program_torq_hl.depthwise_11" : !torq_hl.program<slice> {
            torq_hw.slice_profiling
              memory : 113385 bytes
              memory_info : "1x56x56x144+1x3x3x144"
              max_cycle : 6380
              ndl_cycles : dedr(6380) dewr(716) debr(16) deqw(2126) cedw(3190) cedr(3190) ceww(358) cewr(358) cepr(6371) acbw(16) acbr(2126) acpr(2126)
            torq_hl.return
          } loc(#loc24)
          %i11, %c11 = torq_hl.create_invocation "slice_program_torq_hl.depthwise_11" program(%w11 : !torq_hl.program<slice>) on 0 : !torq_hl.invocation<slice>, memref<264xi8>
          %w12 = torq_hl.program "slice_program_torq_hl.conv2d_12" : !torq_hl.program<slice> {
            torq_hw.slice_profiling
              memory : 71424 bytes
              memory_info : "1x28x28x144+32x1x1x144"
              max_cycle : 7105
              ndl_cycles : dedr(7100) dewr(797) debr(16) deqw(2368) cedw(3550) cedr(7105) ceww(398) cewr(398) cepr(7096) acbw(16) acbr(2368) acpr(2368)
            torq_hl.return
          } loc(#loc26)
          %i12, %c12 = torq_hl.create_invocation "slice_program_torq_hl.conv2d_12" program(%w12 : !torq_hl.program<slice>) on 0 : !torq_hl.invocation<slice>, memref<264xi8>
          %w13 = torq_hl.program "slice_program_torq_hl.conv2d_13" : !torq_hl.program<slice> {
            torq_hw.slice_profiling
              memory : 91648 bytes
              memory_info : "1x28x28x32+192x1x1x32"
              max_cycle : 9457
              ndl_cycles : dedr(9452) dewr(1058) debr(16) deqw(3152) cedw(4726) cedr(9457) ceww(529) cewr(529) cepr(9448) acbw(16) acbr(3152) acpr(3152)
            torq_hl.return
          } loc(#loc28)
          %i13, %c13 = torq_hl.create_invocation "slice_program_torq_hl.conv2d_13" program(%w13 : !torq_hl.program<slice>) on 0 : !torq_hl.invocation<slice>, memref<264xi8>
          %w14 = torq_hl.program "slice_program_torq_hl.depthwise_14" : !torq_hl.program<slice> {
            torq_hw.slice_profiling
              memory : 76080 bytes
              memory_info : "1x28x28x192+1x3x3x192"
              max_cycle : 10617
              ndl_cycles : dedr(10617) dewr(1187) debr(16) deqw(3539) cedw(5308) cedr(5308) ceww(593) cewr(593) cepr(10608) acbw(16) acbr(3539) acpr(3539)
            torq_hl.return
          } loc(#loc30)
          %i14, %c14 = torq_hl.create_invocation "slice_program_torq_hl.depthwise_14" program(%w14 : !torq_hl.program<slice>) on 0 : !torq_hl.invocation<slice>, memref<264xi8>
          %w15 = torq_hl.program "slice_program_torq_hl.conv2d_15" : !torq_hl.program<slice> {
            torq_hw.slice_profiling
              memory : 91008 bytes
              memory_info : "1x28x28x192+32x1x1x192"
              max_cycle : 9457
              ndl_cycles : dedr(9452) dewr(1058) debr(16) deqw(3152) cedw(4726) cedr(9457) ceww(529) cewr(529) cepr(9448) acbw(16) acbr(3152) acpr(3152)
            torq_hl.return
          } loc(#loc32)
          %i15, %c15 = torq_hl.create_invocation "slice_program_torq_hl.conv2d_15" program(%w15 : !torq_hl.program<slice>) on 0 : !torq_hl.invocation<slice>, memref<264xi8>
          %w16 = torq_hl.program "slice_program_torq_hl.add_16" : !torq_hl.program<slice> {
            torq_hw.slice_profiling
              memory : 75264 bytes
              memory_info : "1x28x28x32"
              max_cycle : 849
              ndl_cycles : dedr(849) dewr(102) debr(16) deqw(283) cedw(424) cedr(424) ceww(51) cewr(51) cepr(840) acbw(16) acbr(283) acpr(283)
            torq_hl.return
          } loc(#loc33)
          %i16, %c16 = torq_hl.create_invocation "slice_program_torq_hl.add_16" program(%w16 : !torq_hl.program<slice>) on 0 : !torq_hl.invocation<slice>, memref<264xi8>
          %w17 = torq_hl.program "slice_program_torq_hl.conv2d_17" : !torq_hl.program<slice> {
            torq_hw.slice_profiling
              memory : 91648 bytes
              memory_info : "1x28x28x32+192x1x1x32"
              max_cycle : 9457
              ndl_cycles : dedr(9452) dewr(1058) debr(16) deqw(3152) cedw(4726) cedr(9457) ceww(529) cewr(529) cepr(9448) acbw(16) acbr(3152) acpr(3152)
            torq_hl.return
          } loc(#loc36)
          %i17, %c17 = torq_hl.create_invocation "slice_program_torq_hl.conv2d_17" program(%w17 : !torq_hl.program<slice>) on 0 : !torq_hl.invocation<slice>, memref<264xi8>
          %w18 = torq_hl.program "slice_program_torq_hl.depthwise_18" : !torq_hl.program<slice> {
            torq_hw.slice_profiling
              memory : 76080 bytes
              memory_info : "1x28x28x192+1x3x3x192"
              max_cycle : 10617
              ndl_cycles : dedr(10617) dewr(1187) debr(16) deqw(3539) cedw(5308) cedr(5308) ceww(593) cewr(593) cepr(10608) acbw(16) acbr(3539) acpr(3539)
            torq_hl.return
          } loc(#loc38)
          %i18, %c18 = torq_hl.create_invocation "slice_program_torq_hl.depthwise_18" program(%w18 : !torq_hl.program<slice>) on 0 : !torq_hl.invocation<slice>, memref<264xi8>
          %w19 = torq_hl.program "slice_program_torq_hl.conv2d_19" : !torq_hl.program<slice> {
            torq_hw.slice_profiling
              memory : 91008 bytes
              memory_info : "1x28x28x192+32x1x1x192"
              max_cycle : 9457
              ndl_cycles : dedr(9452) dewr(1058) debr(16) deqw(3152) cedw(4726) cedr(9457) ceww(529) cewr(529) cepr(9448) acbw(16) acbr(3152) acpr(3152)
            torq_hl.return
          } loc(#loc40)
          %i19, %c19 = torq_hl.create_invocation "slice_program_torq_hl.conv2d_19" program(%w19 : !torq_hl.program<slice>) on 0 : !torq_hl.invocation<slice>, memref<264xi8>
          %w20 = torq_hl.program "slice_program_torq_hl.add_20" : !torq_hl.program<slice> {
            torq_hw.slice_profiling
              memory : 75264 bytes
              memory_info : "1x28x28x32"
              max_cycle : 849
              ndl_cycles : dedr(849) dewr(102) debr(16) deqw(283) cedw(424) cedr(424) ceww(51) cewr(51) cepr(840) acbw(16) acbr(283) acpr(283)
            torq_hl.return
          } loc(#loc41)
          %i20, %c20 = torq_hl.create_invocation "slice_program_torq_hl.add_20" program(%w20 : !torq_hl.program<slice>) on 0 : !torq_hl.invocation<slice>, memref<264xi8>
          %cp = torq_hl.program "css_program" : !torq_hl.program<css> {
            torq_hl.return
          }
          %cssi, %cssc = torq_hl.create_invocation "css_program" program(%cp : !torq_hl.program<css>) : !torq_hl.invocation<css>, memref<2048xi8>
          %p0 = torq_hl.program "nss_program_0" : !torq_hl.program<nss> {
          ^bb0(%s0: !torq_hl.invocation<slice>, %s1: !torq_hl.invocation<slice>, %s2: !torq_hl.invocation<slice>, %css: !torq_hl.invocation<css>, %area: memref<640xi8, #torq_hl<enc mem_space = lram>>):
            %xram = memref.get_global @__xram : memref<9437184xi8>
            %lram = memref.get_global @__lram : memref<262144xi8, #torq_hl<enc mem_space = lram>>
            torq_hw.nss_task {"torq-end-time-cycles" = 1441606 : i64, "torq-start-time-cycles" = 1441393 : i64, "torq-task-id" = 166 : i64}() {
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[921, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[921, 1]]}>} loc(#loc22)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 213 : i64} loc(#loc22)
              torq_hw.dma_in_wait loc(#loc22)
            } loc(#loc22)
            torq_hw.nss_task {"torq-end-time-cycles" = 1441819 : i64, "torq-start-time-cycles" = 1441606 : i64, "torq-task-id" = 167 : i64}() {
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[921, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[921, 1]]}>} loc(#loc22)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 213 : i64} loc(#loc22)
              "torq_hw.slice_start"(%s0, %lram) <{id = 0 : index}> {"torq-async-duration-cycles" = 8497 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc22)
              torq_hw.dma_in_wait loc(#loc22)
            } loc(#loc22)
            torq_hw.nss_task {"torq-end-time-cycles" = 1442032 : i64, "torq-start-time-cycles" = 1441819 : i64, "torq-task-id" = 168 : i64}() {
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[921, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[921, 1]]}>} loc(#loc22)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 213 : i64} loc(#loc22)
              "torq_hw.slice_start"(%s0, %lram) <{id = 1 : index}> {"torq-async-duration-cycles" = 8497 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc22)
              torq_hw.dma_in_wait loc(#loc22)
            } loc(#loc22)
            torq_hw.nss_task {"torq-end-time-cycles" = 1450103 : i64, "torq-start-time-cycles" = 1442032 : i64, "torq-task-id" = 169 : i64}() {
              "torq_hw.slice_wait"() <{id = 0 : index}> : () -> () loc(#loc22)
            } loc(#loc22)
            torq_hw.nss_task {"torq-end-time-cycles" = 1450316 : i64, "torq-start-time-cycles" = 1450103 : i64, "torq-task-id" = 170 : i64}() {
              torq_hw.dma_out_cfg from %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> to %xram : memref<9437184xi8> {read_ndl = #torq_hw<dma_ndl{dims = [[90316, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[90316, 1]]}>} loc(#loc22)
              torq_hw.dma_out_start {"torq-async-duration-cycles" = 20859 : i64} loc(#loc22)
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[921, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[921, 1]]}>} loc(#loc22)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 213 : i64} loc(#loc22)
              "torq_hw.slice_start"(%s0, %lram) <{id = 0 : index}> {"torq-async-duration-cycles" = 8497 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc22)
              torq_hw.dma_in_wait loc(#loc22)
            } loc(#loc22)
            torq_hw.nss_task {"torq-end-time-cycles" = 1470962 : i64, "torq-start-time-cycles" = 1450316 : i64, "torq-task-id" = 171 : i64}() {
              "torq_hw.slice_wait"() <{id = 1 : index}> : () -> () loc(#loc22)
              torq_hw.dma_out_wait loc(#loc22)
            } loc(#loc22)
            torq_hw.nss_task {"torq-end-time-cycles" = 1471175 : i64, "torq-start-time-cycles" = 1470962 : i64, "torq-task-id" = 172 : i64}() {
              torq_hw.dma_out_cfg from %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> to %xram : memref<9437184xi8> {read_ndl = #torq_hw<dma_ndl{dims = [[90316, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[90316, 1]]}>} loc(#loc22)
              torq_hw.dma_out_start {"torq-async-duration-cycles" = 20859 : i64} loc(#loc22)
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[921, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[921, 1]]}>} loc(#loc22)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 213 : i64} loc(#loc22)
              "torq_hw.slice_start"(%s0, %lram) <{id = 1 : index}> {"torq-async-duration-cycles" = 8497 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc22)
              torq_hw.dma_in_wait loc(#loc22)
            } loc(#loc22)
            torq_hw.nss_task {"torq-end-time-cycles" = 1491821 : i64, "torq-start-time-cycles" = 1471175 : i64, "torq-task-id" = 173 : i64}() {
              "torq_hw.slice_wait"() <{id = 0 : index}> : () -> () loc(#loc22)
              torq_hw.dma_out_wait loc(#loc22)
            } loc(#loc22)
            torq_hw.nss_task {"torq-end-time-cycles" = 1491822 : i64, "torq-start-time-cycles" = 1491821 : i64, "torq-task-id" = 174 : i64}() {
              torq_hw.dma_out_cfg from %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> to %xram : memref<9437184xi8> {read_ndl = #torq_hw<dma_ndl{dims = [[90316, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[90316, 1]]}>} loc(#loc22)
              torq_hw.dma_out_start {"torq-async-duration-cycles" = 20859 : i64} loc(#loc22)
              "torq_hw.slice_start"(%s0, %lram) <{id = 0 : index}> {"torq-async-duration-cycles" = 8497 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc22)
            } loc(#loc22)
            torq_hw.nss_task {"torq-end-time-cycles" = 1512680 : i64, "torq-start-time-cycles" = 1491822 : i64, "torq-task-id" = 175 : i64}() {
              "torq_hw.slice_wait"() <{id = 1 : index}> : () -> () loc(#loc22)
              torq_hw.dma_out_wait loc(#loc22)
            } loc(#loc22)
            torq_hw.nss_task {"torq-end-time-cycles" = 1512680 : i64, "torq-start-time-cycles" = 1512680 : i64, "torq-task-id" = 176 : i64}() {
              torq_hw.dma_out_cfg from %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> to %xram : memref<9437184xi8> {read_ndl = #torq_hw<dma_ndl{dims = [[90316, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[90316, 1]]}>} loc(#loc22)
              torq_hw.dma_out_start {"torq-async-duration-cycles" = 20859 : i64} loc(#loc22)
            } loc(#loc22)
            torq_hw.nss_task {"torq-end-time-cycles" = 1533539 : i64, "torq-start-time-cycles" = 1512680 : i64, "torq-task-id" = 177 : i64}() {
              "torq_hw.slice_wait"() <{id = 0 : index}> : () -> () loc(#loc22)
              torq_hw.dma_out_wait loc(#loc22)
            } loc(#loc22)
            torq_hw.nss_task {"torq-end-time-cycles" = 1554398 : i64, "torq-start-time-cycles" = 1533539 : i64, "torq-task-id" = 178 : i64}() {
              torq_hw.dma_out_cfg from %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> to %xram : memref<9437184xi8> {read_ndl = #torq_hw<dma_ndl{dims = [[90316, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[90316, 1]]}>} loc(#loc22)
              torq_hw.dma_out_start {"torq-async-duration-cycles" = 20859 : i64} loc(#loc22)
              torq_hw.dma_out_wait loc(#loc22)
            } loc(#loc22)
            torq_hw.nss_task {"torq-end-time-cycles" = 1575370 : i64, "torq-start-time-cycles" = 1554398 : i64, "torq-task-id" = 179 : i64}() {
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[90806, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[90806, 1]]}>} loc(#loc24)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 20972 : i64} loc(#loc24)
              torq_hw.dma_in_wait loc(#loc24)
            } loc(#loc24)
            torq_hw.nss_task {"torq-end-time-cycles" = 1596342 : i64, "torq-start-time-cycles" = 1575370 : i64, "torq-task-id" = 180 : i64}() {
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[90806, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[90806, 1]]}>} loc(#loc24)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 20972 : i64} loc(#loc24)
              "torq_hw.slice_start"(%s1, %lram) <{id = 0 : index}> {"torq-async-duration-cycles" = 6380 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc24)
              torq_hw.dma_in_wait loc(#loc24)
            } loc(#loc24)
            torq_hw.nss_task {"torq-end-time-cycles" = 1617314 : i64, "torq-start-time-cycles" = 1596342 : i64, "torq-task-id" = 181 : i64}() {
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[90806, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[90806, 1]]}>} loc(#loc24)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 20972 : i64} loc(#loc24)
              "torq_hw.slice_start"(%s1, %lram) <{id = 1 : index}> {"torq-async-duration-cycles" = 6380 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc24)
              torq_hw.dma_in_wait loc(#loc24)
            } loc(#loc24)
            torq_hw.nss_task {"torq-end-time-cycles" = 1617314 : i64, "torq-start-time-cycles" = 1617314 : i64, "torq-task-id" = 182 : i64}() {
              "torq_hw.slice_wait"() <{id = 0 : index}> : () -> () loc(#loc24)
            } loc(#loc24)
            torq_hw.nss_task {"torq-end-time-cycles" = 1638286 : i64, "torq-start-time-cycles" = 1617314 : i64, "torq-task-id" = 183 : i64}() {
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[90806, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[90806, 1]]}>} loc(#loc24)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 20972 : i64} loc(#loc24)
              "torq_hw.slice_start"(%s1, %lram) <{id = 0 : index}> {"torq-async-duration-cycles" = 6380 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc24)
              torq_hw.dma_in_wait loc(#loc24)
            } loc(#loc24)
            torq_hw.nss_task {"torq-end-time-cycles" = 1638286 : i64, "torq-start-time-cycles" = 1638286 : i64, "torq-task-id" = 184 : i64}() {
              "torq_hw.slice_wait"() <{id = 1 : index}> : () -> () loc(#loc24)
            } loc(#loc24)
            torq_hw.nss_task {"torq-end-time-cycles" = 1659258 : i64, "torq-start-time-cycles" = 1638286 : i64, "torq-task-id" = 185 : i64}() {
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[90806, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[90806, 1]]}>} loc(#loc24)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 20972 : i64} loc(#loc24)
              "torq_hw.slice_start"(%s1, %lram) <{id = 1 : index}> {"torq-async-duration-cycles" = 6380 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc24)
              torq_hw.dma_in_wait loc(#loc24)
            } loc(#loc24)
            torq_hw.nss_task {"torq-end-time-cycles" = 1659258 : i64, "torq-start-time-cycles" = 1659258 : i64, "torq-task-id" = 186 : i64}() {
              "torq_hw.slice_wait"() <{id = 0 : index}> : () -> () loc(#loc24)
            } loc(#loc24)
            torq_hw.nss_task {"torq-end-time-cycles" = 1659259 : i64, "torq-start-time-cycles" = 1659258 : i64, "torq-task-id" = 187 : i64}() {
              "torq_hw.slice_start"(%s1, %lram) <{id = 0 : index}> {"torq-async-duration-cycles" = 6380 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc24)
            } loc(#loc24)
            torq_hw.nss_task {"torq-end-time-cycles" = 1659259 : i64, "torq-start-time-cycles" = 1659259 : i64, "torq-task-id" = 188 : i64}() {
              "torq_hw.slice_wait"() <{id = 1 : index}> : () -> () loc(#loc24)
            } loc(#loc24)
            torq_hw.nss_task {"torq-end-time-cycles" = 1665638 : i64, "torq-start-time-cycles" = 1659259 : i64, "torq-task-id" = 189 : i64}() {
              "torq_hw.slice_wait"() <{id = 0 : index}> : () -> () loc(#loc24)
            } loc(#loc24)
            torq_hl.next lram_area(%area : memref<640xi8, #torq_hl<enc mem_space = lram>>) to ^bb1 {lramAddress = 0 : i64}
          ^bb1:  // pred: ^bb0
            torq_hw.nss_task {"torq-end-time-cycles" = 1666200 : i64, "torq-start-time-cycles" = 1665638 : i64, "torq-task-id" = 190 : i64}() {
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[2432, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[2432, 1]]}>} loc(#loc26)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 562 : i64} loc(#loc26)
              torq_hw.dma_in_wait loc(#loc26)
            } loc(#loc26)
            torq_hw.nss_task {"torq-end-time-cycles" = 1666762 : i64, "torq-start-time-cycles" = 1666200 : i64, "torq-task-id" = 191 : i64}() {
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[2432, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[2432, 1]]}>} loc(#loc26)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 562 : i64} loc(#loc26)
              "torq_hw.slice_start"(%s2, %lram) <{id = 0 : index}> {"torq-async-duration-cycles" = 7105 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc26)
              torq_hw.dma_in_wait loc(#loc26)
            } loc(#loc26)
            torq_hw.nss_task {"torq-end-time-cycles" = 1666763 : i64, "torq-start-time-cycles" = 1666762 : i64, "torq-task-id" = 192 : i64}() {
              "torq_hw.slice_start"(%s2, %lram) <{id = 1 : index}> {"torq-async-duration-cycles" = 7105 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc26)
            } loc(#loc26)
            torq_hw.nss_task {"torq-end-time-cycles" = 1673305 : i64, "torq-start-time-cycles" = 1666763 : i64, "torq-task-id" = 193 : i64}() {
              "torq_hw.slice_wait"() <{id = 0 : index}> : () -> () loc(#loc26)
            } loc(#loc26)
            torq_hw.nss_task {"torq-end-time-cycles" = 1673305 : i64, "torq-start-time-cycles" = 1673305 : i64, "torq-task-id" = 194 : i64}() {
              torq_hw.dma_out_cfg from %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> to %xram : memref<9437184xi8> {read_ndl = #torq_hw<dma_ndl{dims = [[12544, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[12544, 1]]}>} loc(#loc26)
              torq_hw.dma_out_start {"torq-async-duration-cycles" = 2897 : i64} loc(#loc26)
            } loc(#loc26)
            torq_hw.nss_task {"torq-end-time-cycles" = 1676202 : i64, "torq-start-time-cycles" = 1673305 : i64, "torq-task-id" = 195 : i64}() {
              "torq_hw.slice_wait"() <{id = 1 : index}> : () -> () loc(#loc26)
              torq_hw.dma_out_wait loc(#loc26)
            } loc(#loc26)
            torq_hw.nss_task {"torq-end-time-cycles" = 1679099 : i64, "torq-start-time-cycles" = 1676202 : i64, "torq-task-id" = 196 : i64}() {
              torq_hw.dma_out_cfg from %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> to %xram : memref<9437184xi8> {read_ndl = #torq_hw<dma_ndl{dims = [[12544, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[12544, 1]]}>} loc(#loc26)
              torq_hw.dma_out_start {"torq-async-duration-cycles" = 2897 : i64} loc(#loc26)
              torq_hw.dma_out_wait loc(#loc26)
            } loc(#loc26)
            torq_hl.return
          } loc(#loc134)
          %n0, %k0:2 = torq_hl.create_invocation "nss_program_0" program(%p0 : !torq_hl.program<nss>) on 0 {"torq-job-id" = 0 : i32} : !torq_hl.invocation<nss>, memref<364xi8>, memref<188xi8>
          %p1 = torq_hl.program "nss_program_1" : !torq_hl.program<nss> {
          ^bb0(%s0: !torq_hl.invocation<slice>, %s1: !torq_hl.invocation<slice>, %s2: !torq_hl.invocation<slice>, %s3: !torq_hl.invocation<slice>, %css: !torq_hl.invocation<css>, %area: memref<640xi8, #torq_hl<enc mem_space = lram>>):
            %xram = memref.get_global @__xram : memref<9437184xi8>
            %lram = memref.get_global @__lram : memref<262144xi8, #torq_hl<enc mem_space = lram>>
            torq_hw.nss_task {"torq-end-time-cycles" = 1679986 : i64, "torq-start-time-cycles" = 1679099 : i64, "torq-task-id" = 197 : i64}() {
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[3840, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[3840, 1]]}>} loc(#loc28)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 887 : i64} loc(#loc28)
              torq_hw.dma_in_wait loc(#loc28)
            } loc(#loc28)
            torq_hw.nss_task {"torq-end-time-cycles" = 1680873 : i64, "torq-start-time-cycles" = 1679986 : i64, "torq-task-id" = 198 : i64}() {
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[3840, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[3840, 1]]}>} loc(#loc28)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 887 : i64} loc(#loc28)
              "torq_hw.slice_start"(%s0, %lram) <{id = 0 : index}> {"torq-async-duration-cycles" = 9457 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc28)
              torq_hw.dma_in_wait loc(#loc28)
            } loc(#loc28)
            torq_hw.nss_task {"torq-end-time-cycles" = 1680874 : i64, "torq-start-time-cycles" = 1680873 : i64, "torq-task-id" = 199 : i64}() {
              "torq_hw.slice_start"(%s0, %lram) <{id = 1 : index}> {"torq-async-duration-cycles" = 9457 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc28)
            } loc(#loc28)
            torq_hw.nss_task {"torq-end-time-cycles" = 1689443 : i64, "torq-start-time-cycles" = 1680874 : i64, "torq-task-id" = 200 : i64}() {
              "torq_hw.slice_wait"() <{id = 0 : index}> : () -> () loc(#loc28)
            } loc(#loc28)
            torq_hw.nss_task {"torq-end-time-cycles" = 1689443 : i64, "torq-start-time-cycles" = 1689443 : i64, "torq-task-id" = 201 : i64}() {
              torq_hw.dma_out_cfg from %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> to %xram : memref<9437184xi8> {read_ndl = #torq_hw<dma_ndl{dims = [[75264, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[75264, 1]]}>} loc(#loc28)
              torq_hw.dma_out_start {"torq-async-duration-cycles" = 17382 : i64} loc(#loc28)
            } loc(#loc28)
            torq_hw.nss_task {"torq-end-time-cycles" = 1706825 : i64, "torq-start-time-cycles" = 1689443 : i64, "torq-task-id" = 202 : i64}() {
              "torq_hw.slice_wait"() <{id = 1 : index}> : () -> () loc(#loc28)
              torq_hw.dma_out_wait loc(#loc28)
            } loc(#loc28)
            torq_hw.nss_task {"torq-end-time-cycles" = 1724207 : i64, "torq-start-time-cycles" = 1706825 : i64, "torq-task-id" = 203 : i64}() {
              torq_hw.dma_out_cfg from %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> to %xram : memref<9437184xi8> {read_ndl = #torq_hw<dma_ndl{dims = [[75264, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[75264, 1]]}>} loc(#loc28)
              torq_hw.dma_out_start {"torq-async-duration-cycles" = 17382 : i64} loc(#loc28)
              torq_hw.dma_out_wait loc(#loc28)
            } loc(#loc28)
            torq_hw.nss_task {"torq-end-time-cycles" = 1733087 : i64, "torq-start-time-cycles" = 1724207 : i64, "torq-task-id" = 204 : i64}() {
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[38448, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[38448, 1]]}>} loc(#loc30)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 8880 : i64} loc(#loc30)
              torq_hw.dma_in_wait loc(#loc30)
            } loc(#loc30)
            torq_hw.nss_task {"torq-end-time-cycles" = 1741967 : i64, "torq-start-time-cycles" = 1733087 : i64, "torq-task-id" = 205 : i64}() {
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[38448, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[38448, 1]]}>} loc(#loc30)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 8880 : i64} loc(#loc30)
              "torq_hw.slice_start"(%s1, %lram) <{id = 0 : index}> {"torq-async-duration-cycles" = 10617 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc30)
              torq_hw.dma_in_wait loc(#loc30)
            } loc(#loc30)
            torq_hw.nss_task {"torq-end-time-cycles" = 1750847 : i64, "torq-start-time-cycles" = 1741967 : i64, "torq-task-id" = 206 : i64}() {
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[38448, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[38448, 1]]}>} loc(#loc30)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 8880 : i64} loc(#loc30)
              "torq_hw.slice_start"(%s1, %lram) <{id = 1 : index}> {"torq-async-duration-cycles" = 10617 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc30)
              torq_hw.dma_in_wait loc(#loc30)
            } loc(#loc30)
            torq_hw.nss_task {"torq-end-time-cycles" = 1750847 : i64, "torq-start-time-cycles" = 1750847 : i64, "torq-task-id" = 207 : i64}() {
              "torq_hw.slice_wait"() <{id = 0 : index}> : () -> () loc(#loc30)
            } loc(#loc30)
            torq_hw.nss_task {"torq-end-time-cycles" = 1759727 : i64, "torq-start-time-cycles" = 1750847 : i64, "torq-task-id" = 208 : i64}() {
              torq_hw.dma_out_cfg from %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> to %xram : memref<9437184xi8> {read_ndl = #torq_hw<dma_ndl{dims = [[37632, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[37632, 1]]}>} loc(#loc30)
              torq_hw.dma_out_start {"torq-async-duration-cycles" = 8691 : i64} loc(#loc30)
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[38448, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[38448, 1]]}>} loc(#loc30)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 8880 : i64} loc(#loc30)
              "torq_hw.slice_start"(%s1, %lram) <{id = 0 : index}> {"torq-async-duration-cycles" = 10617 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc30)
              torq_hw.dma_in_wait loc(#loc30)
            } loc(#loc30)
            torq_hw.nss_task {"torq-end-time-cycles" = 1759727 : i64, "torq-start-time-cycles" = 1759727 : i64, "torq-task-id" = 209 : i64}() {
              "torq_hw.slice_wait"() <{id = 1 : index}> : () -> () loc(#loc30)
              torq_hw.dma_out_wait loc(#loc30)
            } loc(#loc30)
            torq_hw.nss_task {"torq-end-time-cycles" = 1759728 : i64, "torq-start-time-cycles" = 1759727 : i64, "torq-task-id" = 210 : i64}() {
              torq_hw.dma_out_cfg from %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> to %xram : memref<9437184xi8> {read_ndl = #torq_hw<dma_ndl{dims = [[37632, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[37632, 1]]}>} loc(#loc30)
              torq_hw.dma_out_start {"torq-async-duration-cycles" = 8691 : i64} loc(#loc30)
              "torq_hw.slice_start"(%s1, %lram) <{id = 1 : index}> {"torq-async-duration-cycles" = 10617 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc30)
            } loc(#loc30)
            torq_hw.nss_task {"torq-end-time-cycles" = 1768418 : i64, "torq-start-time-cycles" = 1759728 : i64, "torq-task-id" = 211 : i64}() {
              "torq_hw.slice_wait"() <{id = 0 : index}> : () -> () loc(#loc30)
              torq_hw.dma_out_wait loc(#loc30)
            } loc(#loc30)
            torq_hw.nss_task {"torq-end-time-cycles" = 1768418 : i64, "torq-start-time-cycles" = 1768418 : i64, "torq-task-id" = 212 : i64}() {
              torq_hw.dma_out_cfg from %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> to %xram : memref<9437184xi8> {read_ndl = #torq_hw<dma_ndl{dims = [[37632, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[37632, 1]]}>} loc(#loc30)
              torq_hw.dma_out_start {"torq-async-duration-cycles" = 8691 : i64} loc(#loc30)
            } loc(#loc30)
            torq_hw.nss_task {"torq-end-time-cycles" = 1777109 : i64, "torq-start-time-cycles" = 1768418 : i64, "torq-task-id" = 213 : i64}() {
              "torq_hw.slice_wait"() <{id = 1 : index}> : () -> () loc(#loc30)
              torq_hw.dma_out_wait loc(#loc30)
            } loc(#loc30)
            torq_hw.nss_task {"torq-end-time-cycles" = 1785800 : i64, "torq-start-time-cycles" = 1777109 : i64, "torq-task-id" = 214 : i64}() {
              torq_hw.dma_out_cfg from %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> to %xram : memref<9437184xi8> {read_ndl = #torq_hw<dma_ndl{dims = [[37632, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[37632, 1]]}>} loc(#loc30)
              torq_hw.dma_out_start {"torq-async-duration-cycles" = 8691 : i64} loc(#loc30)
              torq_hw.dma_out_wait loc(#loc30)
            } loc(#loc30)
            torq_hw.nss_task {"torq-end-time-cycles" = 1803922 : i64, "torq-start-time-cycles" = 1785800 : i64, "torq-task-id" = 215 : i64}() {
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[78464, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[78464, 1]]}>} loc(#loc32)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 18122 : i64} loc(#loc32)
              torq_hw.dma_in_wait loc(#loc32)
            } loc(#loc32)
            torq_hw.nss_task {"torq-end-time-cycles" = 1822044 : i64, "torq-start-time-cycles" = 1803922 : i64, "torq-task-id" = 216 : i64}() {
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[78464, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[78464, 1]]}>} loc(#loc32)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 18122 : i64} loc(#loc32)
              "torq_hw.slice_start"(%s2, %lram) <{id = 0 : index}> {"torq-async-duration-cycles" = 9457 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc32)
              torq_hw.dma_in_wait loc(#loc32)
            } loc(#loc32)
            torq_hw.nss_task {"torq-end-time-cycles" = 1822045 : i64, "torq-start-time-cycles" = 1822044 : i64, "torq-task-id" = 217 : i64}() {
              "torq_hw.slice_start"(%s2, %lram) <{id = 1 : index}> {"torq-async-duration-cycles" = 9457 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc32)
            } loc(#loc32)
            torq_hw.nss_task {"torq-end-time-cycles" = 1822045 : i64, "torq-start-time-cycles" = 1822045 : i64, "torq-task-id" = 218 : i64}() {
              "torq_hw.slice_wait"() <{id = 0 : index}> : () -> () loc(#loc32)
            } loc(#loc32)
            torq_hw.nss_task {"torq-end-time-cycles" = 1831501 : i64, "torq-start-time-cycles" = 1822045 : i64, "torq-task-id" = 219 : i64}() {
              "torq_hw.slice_wait"() <{id = 1 : index}> : () -> () loc(#loc32)
            } loc(#loc32)
            torq_hl.next lram_area(%area : memref<640xi8, #torq_hl<enc mem_space = lram>>) to ^bb1 {lramAddress = 0 : i64}
          ^bb1:  // pred: ^bb0
            torq_hw.nss_task {"torq-end-time-cycles" = 1831502 : i64, "torq-start-time-cycles" = 1831501 : i64, "torq-task-id" = 220 : i64}() {
              "torq_hw.slice_start"(%s3, %lram) <{id = 0 : index}> {"torq-async-duration-cycles" = 849 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc33)
            } loc(#loc33)
            torq_hw.nss_task {"torq-end-time-cycles" = 1832350 : i64, "torq-start-time-cycles" = 1831502 : i64, "torq-task-id" = 221 : i64}() {
              "torq_hw.slice_wait"() <{id = 0 : index}> : () -> () loc(#loc33)
            } loc(#loc33)
            torq_hw.nss_task {"torq-end-time-cycles" = 1838144 : i64, "torq-start-time-cycles" = 1832350 : i64, "torq-task-id" = 222 : i64}() {
              torq_hw.dma_out_cfg from %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> to %xram : memref<9437184xi8> {read_ndl = #torq_hw<dma_ndl{dims = [[25088, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[25088, 1]]}>} loc(#loc33)
              torq_hw.dma_out_start {"torq-async-duration-cycles" = 5794 : i64} loc(#loc33)
              torq_hw.dma_out_wait loc(#loc33)
            } loc(#loc33)
            torq_hl.return
          } loc(#loc135)
          %n1, %k1:2 = torq_hl.create_invocation "nss_program_1" program(%p1 : !torq_hl.program<nss>) on 0 {"torq-job-id" = 1 : i32} : !torq_hl.invocation<nss>, memref<364xi8>, memref<188xi8>
          %p2 = torq_hl.program "nss_program_2" : !torq_hl.program<nss> {
          ^bb0(%s0: !torq_hl.invocation<slice>, %s1: !torq_hl.invocation<slice>, %s2: !torq_hl.invocation<slice>, %s3: !torq_hl.invocation<slice>, %css: !torq_hl.invocation<css>, %area: memref<640xi8, #torq_hl<enc mem_space = lram>>):
            %xram = memref.get_global @__xram : memref<9437184xi8>
            %lram = memref.get_global @__lram : memref<262144xi8, #torq_hl<enc mem_space = lram>>
            torq_hw.nss_task {"torq-end-time-cycles" = 1839031 : i64, "torq-start-time-cycles" = 1838144 : i64, "torq-task-id" = 223 : i64}() {
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[3840, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[3840, 1]]}>} loc(#loc36)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 887 : i64} loc(#loc36)
              torq_hw.dma_in_wait loc(#loc36)
            } loc(#loc36)
            torq_hw.nss_task {"torq-end-time-cycles" = 1839918 : i64, "torq-start-time-cycles" = 1839031 : i64, "torq-task-id" = 224 : i64}() {
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[3840, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[3840, 1]]}>} loc(#loc36)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 887 : i64} loc(#loc36)
              "torq_hw.slice_start"(%s0, %lram) <{id = 0 : index}> {"torq-async-duration-cycles" = 9457 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc36)
              torq_hw.dma_in_wait loc(#loc36)
            } loc(#loc36)
            torq_hw.nss_task {"torq-end-time-cycles" = 1839919 : i64, "torq-start-time-cycles" = 1839918 : i64, "torq-task-id" = 225 : i64}() {
              "torq_hw.slice_start"(%s0, %lram) <{id = 1 : index}> {"torq-async-duration-cycles" = 9457 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc36)
            } loc(#loc36)
            torq_hw.nss_task {"torq-end-time-cycles" = 1848488 : i64, "torq-start-time-cycles" = 1839919 : i64, "torq-task-id" = 226 : i64}() {
              "torq_hw.slice_wait"() <{id = 0 : index}> : () -> () loc(#loc36)
            } loc(#loc36)
            torq_hw.nss_task {"torq-end-time-cycles" = 1848488 : i64, "torq-start-time-cycles" = 1848488 : i64, "torq-task-id" = 227 : i64}() {
              torq_hw.dma_out_cfg from %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> to %xram : memref<9437184xi8> {read_ndl = #torq_hw<dma_ndl{dims = [[75264, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[75264, 1]]}>} loc(#loc36)
              torq_hw.dma_out_start {"torq-async-duration-cycles" = 17382 : i64} loc(#loc36)
            } loc(#loc36)
            torq_hw.nss_task {"torq-end-time-cycles" = 1865870 : i64, "torq-start-time-cycles" = 1848488 : i64, "torq-task-id" = 228 : i64}() {
              "torq_hw.slice_wait"() <{id = 1 : index}> : () -> () loc(#loc36)
              torq_hw.dma_out_wait loc(#loc36)
            } loc(#loc36)
            torq_hw.nss_task {"torq-end-time-cycles" = 1883252 : i64, "torq-start-time-cycles" = 1865870 : i64, "torq-task-id" = 229 : i64}() {
              torq_hw.dma_out_cfg from %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> to %xram : memref<9437184xi8> {read_ndl = #torq_hw<dma_ndl{dims = [[75264, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[75264, 1]]}>} loc(#loc36)
              torq_hw.dma_out_start {"torq-async-duration-cycles" = 17382 : i64} loc(#loc36)
              torq_hw.dma_out_wait loc(#loc36)
            } loc(#loc36)
            torq_hw.nss_task {"torq-end-time-cycles" = 1892132 : i64, "torq-start-time-cycles" = 1883252 : i64, "torq-task-id" = 230 : i64}() {
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[38448, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[38448, 1]]}>} loc(#loc38)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 8880 : i64} loc(#loc38)
              torq_hw.dma_in_wait loc(#loc38)
            } loc(#loc38)
            torq_hw.nss_task {"torq-end-time-cycles" = 1901012 : i64, "torq-start-time-cycles" = 1892132 : i64, "torq-task-id" = 231 : i64}() {
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[38448, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[38448, 1]]}>} loc(#loc38)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 8880 : i64} loc(#loc38)
              "torq_hw.slice_start"(%s1, %lram) <{id = 0 : index}> {"torq-async-duration-cycles" = 10617 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc38)
              torq_hw.dma_in_wait loc(#loc38)
            } loc(#loc38)
            torq_hw.nss_task {"torq-end-time-cycles" = 1909892 : i64, "torq-start-time-cycles" = 1901012 : i64, "torq-task-id" = 232 : i64}() {
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[38448, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[38448, 1]]}>} loc(#loc38)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 8880 : i64} loc(#loc38)
              "torq_hw.slice_start"(%s1, %lram) <{id = 1 : index}> {"torq-async-duration-cycles" = 10617 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc38)
              torq_hw.dma_in_wait loc(#loc38)
            } loc(#loc38)
            torq_hw.nss_task {"torq-end-time-cycles" = 1909892 : i64, "torq-start-time-cycles" = 1909892 : i64, "torq-task-id" = 233 : i64}() {
              "torq_hw.slice_wait"() <{id = 0 : index}> : () -> () loc(#loc38)
            } loc(#loc38)
            torq_hw.nss_task {"torq-end-time-cycles" = 1918772 : i64, "torq-start-time-cycles" = 1909892 : i64, "torq-task-id" = 234 : i64}() {
              torq_hw.dma_out_cfg from %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> to %xram : memref<9437184xi8> {read_ndl = #torq_hw<dma_ndl{dims = [[37632, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[37632, 1]]}>} loc(#loc38)
              torq_hw.dma_out_start {"torq-async-duration-cycles" = 8691 : i64} loc(#loc38)
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[38448, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[38448, 1]]}>} loc(#loc38)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 8880 : i64} loc(#loc38)
              "torq_hw.slice_start"(%s1, %lram) <{id = 0 : index}> {"torq-async-duration-cycles" = 10617 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc38)
              torq_hw.dma_in_wait loc(#loc38)
            } loc(#loc38)
            torq_hw.nss_task {"torq-end-time-cycles" = 1918772 : i64, "torq-start-time-cycles" = 1918772 : i64, "torq-task-id" = 235 : i64}() {
              "torq_hw.slice_wait"() <{id = 1 : index}> : () -> () loc(#loc38)
              torq_hw.dma_out_wait loc(#loc38)
            } loc(#loc38)
            torq_hw.nss_task {"torq-end-time-cycles" = 1918773 : i64, "torq-start-time-cycles" = 1918772 : i64, "torq-task-id" = 236 : i64}() {
              torq_hw.dma_out_cfg from %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> to %xram : memref<9437184xi8> {read_ndl = #torq_hw<dma_ndl{dims = [[37632, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[37632, 1]]}>} loc(#loc38)
              torq_hw.dma_out_start {"torq-async-duration-cycles" = 8691 : i64} loc(#loc38)
              "torq_hw.slice_start"(%s1, %lram) <{id = 1 : index}> {"torq-async-duration-cycles" = 10617 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc38)
            } loc(#loc38)
            torq_hw.nss_task {"torq-end-time-cycles" = 1927463 : i64, "torq-start-time-cycles" = 1918773 : i64, "torq-task-id" = 237 : i64}() {
              "torq_hw.slice_wait"() <{id = 0 : index}> : () -> () loc(#loc38)
              torq_hw.dma_out_wait loc(#loc38)
            } loc(#loc38)
            torq_hw.nss_task {"torq-end-time-cycles" = 1927463 : i64, "torq-start-time-cycles" = 1927463 : i64, "torq-task-id" = 238 : i64}() {
              torq_hw.dma_out_cfg from %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> to %xram : memref<9437184xi8> {read_ndl = #torq_hw<dma_ndl{dims = [[37632, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[37632, 1]]}>} loc(#loc38)
              torq_hw.dma_out_start {"torq-async-duration-cycles" = 8691 : i64} loc(#loc38)
            } loc(#loc38)
            torq_hw.nss_task {"torq-end-time-cycles" = 1936154 : i64, "torq-start-time-cycles" = 1927463 : i64, "torq-task-id" = 239 : i64}() {
              "torq_hw.slice_wait"() <{id = 1 : index}> : () -> () loc(#loc38)
              torq_hw.dma_out_wait loc(#loc38)
            } loc(#loc38)
            torq_hw.nss_task {"torq-end-time-cycles" = 1944845 : i64, "torq-start-time-cycles" = 1936154 : i64, "torq-task-id" = 240 : i64}() {
              torq_hw.dma_out_cfg from %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> to %xram : memref<9437184xi8> {read_ndl = #torq_hw<dma_ndl{dims = [[37632, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[37632, 1]]}>} loc(#loc38)
              torq_hw.dma_out_start {"torq-async-duration-cycles" = 8691 : i64} loc(#loc38)
              torq_hw.dma_out_wait loc(#loc38)
            } loc(#loc38)
            torq_hw.nss_task {"torq-end-time-cycles" = 1962967 : i64, "torq-start-time-cycles" = 1944845 : i64, "torq-task-id" = 241 : i64}() {
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[78464, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[78464, 1]]}>} loc(#loc40)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 18122 : i64} loc(#loc40)
              torq_hw.dma_in_wait loc(#loc40)
            } loc(#loc40)
            torq_hw.nss_task {"torq-end-time-cycles" = 1981089 : i64, "torq-start-time-cycles" = 1962967 : i64, "torq-task-id" = 242 : i64}() {
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[78464, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[78464, 1]]}>} loc(#loc40)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 18122 : i64} loc(#loc40)
              "torq_hw.slice_start"(%s2, %lram) <{id = 0 : index}> {"torq-async-duration-cycles" = 9457 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc40)
              torq_hw.dma_in_wait loc(#loc40)
            } loc(#loc40)
            torq_hw.nss_task {"torq-end-time-cycles" = 1981090 : i64, "torq-start-time-cycles" = 1981089 : i64, "torq-task-id" = 243 : i64}() {
              "torq_hw.slice_start"(%s2, %lram) <{id = 1 : index}> {"torq-async-duration-cycles" = 9457 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc40)
            } loc(#loc40)
            torq_hw.nss_task {"torq-end-time-cycles" = 1981090 : i64, "torq-start-time-cycles" = 1981090 : i64, "torq-task-id" = 244 : i64}() {
              "torq_hw.slice_wait"() <{id = 0 : index}> : () -> () loc(#loc40)
            } loc(#loc40)
            torq_hw.nss_task {"torq-end-time-cycles" = 1990546 : i64, "torq-start-time-cycles" = 1981090 : i64, "torq-task-id" = 245 : i64}() {
              "torq_hw.slice_wait"() <{id = 1 : index}> : () -> () loc(#loc40)
            } loc(#loc40)
            torq_hl.next lram_area(%area : memref<640xi8, #torq_hl<enc mem_space = lram>>) to ^bb1 {lramAddress = 0 : i64}
          ^bb1:  // pred: ^bb0
            torq_hw.nss_task {"torq-end-time-cycles" = 1990547 : i64, "torq-start-time-cycles" = 1990546 : i64, "torq-task-id" = 246 : i64}() {
              "torq_hw.slice_start"(%s3, %lram) <{id = 0 : index}> {"torq-async-duration-cycles" = 849 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc41)
            } loc(#loc41)
            torq_hw.nss_task {"torq-end-time-cycles" = 1991395 : i64, "torq-start-time-cycles" = 1990547 : i64, "torq-task-id" = 247 : i64}() {
              "torq_hw.slice_wait"() <{id = 0 : index}> : () -> () loc(#loc41)
            } loc(#loc41)
            torq_hw.nss_task {"torq-end-time-cycles" = 1997189 : i64, "torq-start-time-cycles" = 1991395 : i64, "torq-task-id" = 248 : i64}() {
              torq_hw.dma_out_cfg from %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> to %xram : memref<9437184xi8> {read_ndl = #torq_hw<dma_ndl{dims = [[25088, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[25088, 1]]}>} loc(#loc41)
              torq_hw.dma_out_start {"torq-async-duration-cycles" = 5794 : i64} loc(#loc41)
              torq_hw.dma_out_wait loc(#loc41)
            } loc(#loc41)
            torq_hl.return
          } loc(#loc136)
          %n2, %k2:2 = torq_hl.create_invocation "nss_program_2" program(%p2 : !torq_hl.program<nss>) on 0 {"torq-job-id" = 2 : i32} : !torq_hl.invocation<nss>, memref<364xi8>, memref<188xi8>
          %slot = memref.get_global @__program_slot0 : memref<640xi8, #torq_hl<enc mem_space = lram>>
          %block = torq_hl.get_block %n0 block 0 : !torq_hl.invocation<nss> -> memref<364xi8>
          torq_hl.host_copy %block : memref<364xi8> to %slot : memref<640xi8, #torq_hl<enc mem_space = lram>> {element_size_bytes = 364 : i64, input_strides_bytes = array<i64>, output_strides_bytes = array<i64>, shape = array<i64>, "torq-action-id" = 0 : i32} loc(#loc22)
          torq_hl.start_program %n0 : !torq_hl.invocation<nss> args(%i10, %i11, %i12, %cssi, %slot : !torq_hl.invocation<slice>, !torq_hl.invocation<slice>, !torq_hl.invocation<slice>, !torq_hl.invocation<css>, memref<640xi8, #torq_hl<enc mem_space = lram>>) code(%slot : memref<640xi8, #torq_hl<enc mem_space = lram>>) {"torq-action-id" = 1 : i32, "torq-end-time-cycles" = 1441393 : i64, "torq-start-time-cycles" = 1441393 : i64} loc(#loc134)
          torq_hl.wait_program %n0 : !torq_hl.invocation<nss> {"torq-action-id" = 2 : i32, "torq-end-time-cycles" = 1679099 : i64, "torq-start-time-cycles" = 1441393 : i64} loc(#loc134)
          torq_hl.start_program %n1 : !torq_hl.invocation<nss> args(%i13, %i14, %i15, %i16, %cssi, %slot : !torq_hl.invocation<slice>, !torq_hl.invocation<slice>, !torq_hl.invocation<slice>, !torq_hl.invocation<slice>, !torq_hl.invocation<css>, memref<640xi8, #torq_hl<enc mem_space = lram>>) code(%slot : memref<640xi8, #torq_hl<enc mem_space = lram>>) {"torq-action-id" = 3 : i32, "torq-end-time-cycles" = 1679099 : i64, "torq-start-time-cycles" = 1679099 : i64} loc(#loc135)
          torq_hl.wait_program %n1 : !torq_hl.invocation<nss> {"torq-action-id" = 4 : i32, "torq-end-time-cycles" = 1838144 : i64, "torq-start-time-cycles" = 1679099 : i64} loc(#loc135)
          torq_hl.start_program %n2 : !torq_hl.invocation<nss> args(%i17, %i18, %i19, %i20, %cssi, %slot : !torq_hl.invocation<slice>, !torq_hl.invocation<slice>, !torq_hl.invocation<slice>, !torq_hl.invocation<slice>, !torq_hl.invocation<css>, memref<640xi8, #torq_hl<enc mem_space = lram>>) code(%slot : memref<640xi8, #torq_hl<enc mem_space = lram>>) {"torq-action-id" = 5 : i32, "torq-end-time-cycles" = 1838144 : i64, "torq-start-time-cycles" = 1838144 : i64} loc(#loc136)
          torq_hl.wait_program %n2 : !torq_hl.invocation<nss> {"torq-action-id" = 6 : i32, "torq-end-time-cycles" = 1997189 : i64, "torq-start-time-cycles" = 1838144 : i64} loc(#loc136)
          return
        }
      }
    }
  }
  hal.executable private @main_dispatch_2 {
    hal.executable.variant public @torq_fb target(<"torq", "torq-fb">) {
      builtin.module {
        memref.global "private" @__program_slot0 : memref<640xi8, #torq_hl<enc mem_space = lram>> = uninitialized {lram_address = 0 : i64}
        func.func @main_dispatch_2_conv2d_14x14() {
          torq_hw.dispatch_profiling
            memory : 941344 bytes
            total_cycle : 10633
          %w21 = torq_hl.program "slice_program_torq_hl.conv2d_21" : !torq_hl.program<slice> {
            torq_hw.slice_profiling
              memory : 91648 bytes
              memory_info : "1x28x28x32+192x1x1x32"
              max_cycle : 9457
              ndl_cycles : dedr(9452) dewr(1058) debr(16) deqw(3152) cedw(4726) cedr(9457) ceww(529) cewr(529) cepr(9448) acbw(16) acbr(3152) acpr(3152)
            torq_hl.return
          } loc(#loc44)
          %i21, %c21 = torq_hl.create_invocation "slice_program_torq_hl.conv2d_21" program(%w21 : !torq_hl.program<slice>) on 0 : !torq_hl.invocation<slice>, memref<264xi8>
          %w22 = torq_hl.program "slice_program_torq_hl.depthwise_22" : !torq_hl.program<slice> {
            torq_hw.slice_profiling
              memory : 95712 bytes
              memory_info : "1x28x28x192+1x3x3x192"
              max_cycle : 5341
              ndl_cycles : dedr(5341) dewr(601) debr(16) deqw(1780) cedw(2670) cedr(2670) ceww(300) cewr(300) cepr(5332) acbw(16) acbr(1780) acpr(1780)
            torq_hl.return
          } loc(#loc46)
          %i22, %c22 = torq_hl.create_invocation "slice_program_torq_hl.depthwise_22" program(%w22 : !torq_hl.program<slice>) on 0 : !torq_hl.invocation<slice>, memref<264xi8>
          %w23 = torq_hl.program "slice_program_torq_hl.conv2d_23" : !torq_hl.program<slice> {
            torq_hw.slice_profiling
              memory : 62976 bytes
              memory_info : "1x14x14x192+64x1x1x192"
              max_cycle : 9489
              ndl_cycles : dedr(9484) dewr(1062) debr(16) deqw(3163) cedw(4742) cedr(9489) ceww(531) cewr(531) cepr(9480) acbw(16) acbr(3163) acpr(3163)
            torq_hl.return
          } loc(#loc48)
          %i23, %c23 = torq_hl.create_invocation "slice_program_torq_hl.conv2d_23" program(%w23 : !torq_hl.program<slice>) on 0 : !torq_hl.invocation<slice>, memref<264xi8>
          %w24 = torq_hl.program "slice_program_torq_hl.conv2d_24" : !torq_hl.program<slice> {
            torq_hw.slice_profiling
              memory : 57728 bytes
              memory_info : "1x14x14x64+384x1x1x64"
              max_cycle : 9457
              ndl_cycles : dedr(9452) dewr(1058) debr(16) deqw(3152) cedw(4726) cedr(9457) ceww(529) cewr(529) cepr(9448) acbw(16) acbr(3152) acpr(3152)
            torq_hl.return
          } loc(#loc50)
          %i24, %c24 = torq_hl.create_invocation "slice_program_torq_hl.conv2d_24" program(%w24 : !torq_hl.program<slice>) on 0 : !torq_hl.invocation<slice>, memref<264xi8>
          %w25 = torq_hl.program "slice_program_torq_hl.depthwise_25" : !torq_hl.program<slice> {
            torq_hw.slice_profiling
              memory : 78528 bytes
              memory_info : "1x14x14x384+1x3x3x384"
              max_cycle : 10633
              ndl_cycles : dedr(10633) dewr(1189) debr(16) deqw(3544) cedw(5316) cedr(5316) ceww(594) cewr(594) cepr(10624) acbw(16) acbr(3544) acpr(3544)
            torq_hl.return
          } loc(#loc52)
          %i25, %c25 = torq_hl.create_invocation "slice_program_torq_hl.depthwise_25" program(%w25 : !torq_hl.program<slice>) on 0 : !torq_hl.invocation<slice>, memref<264xi8>
          %w26 = torq_hl.program "slice_program_torq_hl.conv2d_26" : !torq_hl.program<slice> {
            torq_hw.slice_profiling
              memory : 56448 bytes
              memory_info : "1x14x14x384+64x1x1x384"
              max_cycle : 9457
              ndl_cycles : dedr(9452) dewr(1058) debr(16) deqw(3152) cedw(4726) cedr(9457) ceww(529) cewr(529) cepr(9448) acbw(16) acbr(3152) acpr(3152)
            torq_hl.return
          } loc(#loc54)
          %i26, %c26 = torq_hl.create_invocation "slice_program_torq_hl.conv2d_26" program(%w26 : !torq_hl.program<slice>) on 0 : !torq_hl.invocation<slice>, memref<264xi8>
          %w27 = torq_hl.program "slice_program_torq_hl.add_27" : !torq_hl.program<slice> {
            torq_hw.slice_profiling
              memory : 37632 bytes
              memory_info : "1x14x14x64"
              max_cycle : 457
              ndl_cycles : dedr(457) dewr(58) debr(16) deqw(152) cedw(228) cedr(228) ceww(29) cewr(29) cepr(448) acbw(16) acbr(152) acpr(152)
            torq_hl.return
          } loc(#loc55)
          %i27, %c27 = torq_hl.create_invocation "slice_program_torq_hl.add_27" program(%w27 : !torq_hl.program<slice>) on 0 : !torq_hl.invocation<slice>, memref<264xi8>
          %w28 = torq_hl.program "slice_program_torq_hl.conv2d_28" : !torq_hl.program<slice> {
            torq_hw.slice_profiling
              memory : 57728 bytes
              memory_info : "1x14x14x64+384x1x1x64"
              max_cycle : 9457
              ndl_cycles : dedr(9452) dewr(1058) debr(16) deqw(3152) cedw(4726) cedr(9457) ceww(529) cewr(529) cepr(9448) acbw(16) acbr(3152) acpr(3152)
            torq_hl.return
          } loc(#loc58)
          %i28, %c28 = torq_hl.create_invocation "slice_program_torq_hl.conv2d_28" program(%w28 : !torq_hl.program<slice>) on 0 : !torq_hl.invocation<slice>, memref<264xi8>
          %w29 = torq_hl.program "slice_program_torq_hl.depthwise_29" : !torq_hl.program<slice> {
            torq_hw.slice_profiling
              memory : 78528 bytes
              memory_info : "1x14x14x384+1x3x3x384"
              max_cycle : 10633
              ndl_cycles : dedr(10633) dewr(1189) debr(16) deqw(3544) cedw(5316) cedr(5316) ceww(594) cewr(594) cepr(10624) acbw(16) acbr(3544) acpr(3544)
            torq_hl.return
          } loc(#loc60)
          %i29, %c29 = torq_hl.create_invocation "slice_program_torq_hl.depthwise_29" program(%w29 : !torq_hl.program<slice>) on 0 : !torq_hl.invocation<slice>, memref<264xi8>
          %w30 = torq_hl.program "slice_program_torq_hl.conv2d_30" : !torq_hl.program<slice> {
            torq_hw.slice_profiling
              memory : 56448 bytes
              memory_info : "1x14x14x384+64x1x1x384"
              max_cycle : 9457
              ndl_cycles : dedr(9452) dewr(1058) debr(16) deqw(3152) cedw(4726) cedr(9457) ceww(529) cewr(529) cepr(9448) acbw(16) acbr(3152) acpr(3152)
            torq_hl.return
          } loc(#loc62)
          %i30, %c30 = torq_hl.create_invocation "slice_program_torq_hl.conv2d_30" program(%w30 : !torq_hl.program<slice>) on 0 : !torq_hl.invocation<slice>, memref<264xi8>
          %w31 = torq_hl.program "slice_program_torq_hl.add_31" : !torq_hl.program<slice> {
            torq_hw.slice_profiling
              memory : 37632 bytes
              memory_info : "1x14x14x64"
              max_cycle : 457
              ndl_cycles : dedr(457) dewr(58) debr(16) deqw(152) cedw(228) cedr(228) ceww(29) cewr(29) cepr(448) acbw(16) acbr(152) acpr(152)
            torq_hl.return
          } loc(#loc63)
          %i31, %c31 = torq_hl.create_invocation "slice_program_torq_hl.add_31" program(%w31 : !torq_hl.program<slice>) on 0 : !torq_hl.invocation<slice>, memref<264xi8>
          %w32 = torq_hl.program "slice_program_torq_hl.conv2d_32" : !torq_hl.program<slice> {
            torq_hw.slice_profiling
              memory : 57728 bytes
              memory_info : "1x14x14x64+384x1x1x64"
              max_cycle : 9457
              ndl_cycles : dedr(9452) dewr(1058) debr(16) deqw(3152) cedw(4726) cedr(9457) ceww(529) cewr(529) cepr(9448) acbw(16) acbr(3152) acpr(3152)
            torq_hl.return
          } loc(#loc66)
          %i32, %c32 = torq_hl.create_invocation "slice_program_torq_hl.conv2d_32" program(%w32 : !torq_hl.program<slice>) on 0 : !torq_hl.invocation<slice>, memref<264xi8>
          %w33 = torq_hl.program "slice_program_torq_hl.depthwise_33" : !torq_hl.program<slice> {
            torq_hw.slice_profiling
              memory : 78528 bytes
              memory_info : "1x14x14x384+1x3x3x384"
              max_cycle : 10633
              ndl_cycles : dedr(10633) dewr(1189) debr(16) deqw(3544) cedw(5316) cedr(5316) ceww(594) cewr(594) cepr(10624) acbw(16) acbr(3544) acpr(3544)
            torq_hl.return
          } loc(#loc68)
          %i33, %c33 = torq_hl.create_invocation "slice_program_torq_hl.depthwise_33" program(%w33 : !torq_hl.program<slice>) on 0 : !torq_hl.invocation<slice>, memref<264xi8>
          %w34 = torq_hl.program "slice_program_torq_hl.conv2d_34" : !torq_hl.program<slice> {
            torq_hw.slice_profiling
              memory : 56448 bytes
              memory_info : "1x14x14x384+64x1x1x384"
              max_cycle : 9457
              ndl_cycles : dedr(9452) dewr(1058) debr(16) deqw(3152) cedw(4726) cedr(9457) ceww(529) cewr(529) cepr(9448) acbw(16) acbr(3152) acpr(3152)
            torq_hl.return
          } loc(#loc70)
          %i34, %c34 = torq_hl.create_invocation "slice_program_torq_hl.conv2d_34" program(%w34 : !torq_hl.program<slice>) on 0 : !torq_hl.invocation<slice>, memref<264xi8>
          %w35 = torq_hl.program "slice_program_torq_hl.add_35" : !torq_hl.program<slice> {
            torq_hw.slice_profiling
              memory : 37632 bytes
              memory_info : "1x14x14x64"
              max_cycle : 457
              ndl_cycles : dedr(457) dewr(58) debr(16) deqw(152) cedw(228) cedr(228) ceww(29) cewr(29) cepr(448) acbw(16) acbr(152) acpr(152)
            torq_hl.return
          } loc(#loc71)
          %i35, %c35 = torq_hl.create_invocation "slice_program_torq_hl.add_35" program(%w35 : !torq_hl.program<slice>) on 0 : !torq_hl.invocation<slice>, memref<264xi8>
          %cp = torq_hl.program "css_program" : !torq_hl.program<css> {
            torq_hl.return
          }
          %cssi, %cssc = torq_hl.create_invocation "css_program" program(%cp : !torq_hl.program<css>) : !torq_hl.invocation<css>, memref<2048xi8>
          %p0 = torq_hl.program "nss_program_0" : !torq_hl.program<nss> {
          ^bb0(%s0: !torq_hl.invocation<slice>, %s1: !torq_hl.invocation<slice>, %s2: !torq_hl.invocation<slice>, %css: !torq_hl.invocation<css>, %area: memref<640xi8, #torq_hl<enc mem_space = lram>>):
            %xram = memref.get_global @__xram : memref<9437184xi8>
            %lram = memref.get_global @__lram : memref<262144xi8, #torq_hl<enc mem_space = lram>>
            torq_hw.nss_task {"torq-end-time-cycles" = 1998076 : i64, "torq-start-time-cycles" = 1997189 : i64, "torq-task-id" = 249 : i64}() {
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[3840, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[3840, 1]]}>} loc(#loc44)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 887 : i64} loc(#loc44)
              torq_hw.dma_in_wait loc(#loc44)
            } loc(#loc44)
            torq_hw.nss_task {"torq-end-time-cycles" = 1998963 : i64, "torq-start-time-cycles" = 1998076 : i64, "torq-task-id" = 250 : i64}() {
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[3840, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[3840, 1]]}>} loc(#loc44)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 887 : i64} loc(#loc44)
              "torq_hw.slice_start"(%s0, %lram) <{id = 0 : index}> {"torq-async-duration-cycles" = 9457 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc44)
              torq_hw.dma_in_wait loc(#loc44)
            } loc(#loc44)
            torq_hw.nss_task {"torq-end-time-cycles" = 1998964 : i64, "torq-start-time-cycles" = 1998963 : i64, "torq-task-id" = 251 : i64}() {
              "torq_hw.slice_start"(%s0, %lram) <{id = 1 : index}> {"torq-async-duration-cycles" = 9457 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc44)
            } loc(#loc44)
            torq_hw.nss_task {"torq-end-time-cycles" = 2007533 : i64, "torq-start-time-cycles" = 1998964 : i64, "torq-task-id" = 252 : i64}() {
              "torq_hw.slice_wait"() <{id = 0 : index}> : () -> () loc(#loc44)
            } loc(#loc44)
            torq_hw.nss_task {"torq-end-time-cycles" = 2007533 : i64, "torq-start-time-cycles" = 2007533 : i64, "torq-task-id" = 253 : i64}() {
              torq_hw.dma_out_cfg from %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> to %xram : memref<9437184xi8> {read_ndl = #torq_hw<dma_ndl{dims = [[75264, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[75264, 1]]}>} loc(#loc44)
              torq_hw.dma_out_start {"torq-async-duration-cycles" = 17382 : i64} loc(#loc44)
            } loc(#loc44)
            torq_hw.nss_task {"torq-end-time-cycles" = 2024915 : i64, "torq-start-time-cycles" = 2007533 : i64, "torq-task-id" = 254 : i64}() {
              "torq_hw.slice_wait"() <{id = 1 : index}> : () -> () loc(#loc44)
              torq_hw.dma_out_wait loc(#loc44)
            } loc(#loc44)
            torq_hw.nss_task {"torq-end-time-cycles" = 2042297 : i64, "torq-start-time-cycles" = 2024915 : i64, "torq-task-id" = 255 : i64}() {
              torq_hw.dma_out_cfg from %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> to %xram : memref<9437184xi8> {read_ndl = #torq_hw<dma_ndl{dims = [[75264, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[75264, 1]]}>} loc(#loc44)
              torq_hw.dma_out_start {"torq-async-duration-cycles" = 17382 : i64} loc(#loc44)
              torq_hw.dma_out_wait loc(#loc44)
            } loc(#loc44)
            torq_hw.nss_task {"torq-end-time-cycles" = 2060056 : i64, "torq-start-time-cycles" = 2042297 : i64, "torq-task-id" = 256 : i64}() {
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[76896, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[76896, 1]]}>} loc(#loc46)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 17759 : i64} loc(#loc46)
              torq_hw.dma_in_wait loc(#loc46)
            } loc(#loc46)
            torq_hw.nss_task {"torq-end-time-cycles" = 2077815 : i64, "torq-start-time-cycles" = 2060056 : i64, "torq-task-id" = 257 : i64}() {
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[76896, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[76896, 1]]}>} loc(#loc46)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 17759 : i64} loc(#loc46)
              "torq_hw.slice_start"(%s1, %lram) <{id = 0 : index}> {"torq-async-duration-cycles" = 5341 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc46)
              torq_hw.dma_in_wait loc(#loc46)
            } loc(#loc46)
            torq_hw.nss_task {"torq-end-time-cycles" = 2077816 : i64, "torq-start-time-cycles" = 2077815 : i64, "torq-task-id" = 258 : i64}() {
              "torq_hw.slice_start"(%s1, %lram) <{id = 1 : index}> {"torq-async-duration-cycles" = 5341 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc46)
            } loc(#loc46)
            torq_hw.nss_task {"torq-end-time-cycles" = 2077816 : i64, "torq-start-time-cycles" = 2077816 : i64, "torq-task-id" = 259 : i64}() {
              "torq_hw.slice_wait"() <{id = 0 : index}> : () -> () loc(#loc46)
            } loc(#loc46)
            torq_hw.nss_task {"torq-end-time-cycles" = 2083156 : i64, "torq-start-time-cycles" = 2077816 : i64, "torq-task-id" = 260 : i64}() {
              "torq_hw.slice_wait"() <{id = 1 : index}> : () -> () loc(#loc46)
            } loc(#loc46)
            torq_hw.nss_task {"torq-end-time-cycles" = 2086113 : i64, "torq-start-time-cycles" = 2083156 : i64, "torq-task-id" = 261 : i64}() {
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[12800, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[12800, 1]]}>} loc(#loc48)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 2957 : i64} loc(#loc48)
              torq_hw.dma_in_wait loc(#loc48)
            } loc(#loc48)
            torq_hw.nss_task {"torq-end-time-cycles" = 2086114 : i64, "torq-start-time-cycles" = 2086113 : i64, "torq-task-id" = 262 : i64}() {
              "torq_hw.slice_start"(%s2, %lram) <{id = 0 : index}> {"torq-async-duration-cycles" = 9489 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc48)
            } loc(#loc48)
            torq_hw.nss_task {"torq-end-time-cycles" = 2095602 : i64, "torq-start-time-cycles" = 2086114 : i64, "torq-task-id" = 263 : i64}() {
              "torq_hw.slice_wait"() <{id = 0 : index}> : () -> () loc(#loc48)
            } loc(#loc48)
            torq_hw.nss_task {"torq-end-time-cycles" = 2098499 : i64, "torq-start-time-cycles" = 2095602 : i64, "torq-task-id" = 264 : i64}() {
              torq_hw.dma_out_cfg from %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> to %xram : memref<9437184xi8> {read_ndl = #torq_hw<dma_ndl{dims = [[12544, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[12544, 1]]}>} loc(#loc48)
              torq_hw.dma_out_start {"torq-async-duration-cycles" = 2897 : i64} loc(#loc48)
              torq_hw.dma_out_wait loc(#loc48)
            } loc(#loc48)
            torq_hl.return
          } loc(#loc137)
          %n0, %k0 = torq_hl.create_invocation "nss_program_0" program(%p0 : !torq_hl.program<nss>) on 0 {"torq-job-id" = 0 : i32} : !torq_hl.invocation<nss>, memref<364xi8>
          %p1 = torq_hl.program "nss_program_1" : !torq_hl.program<nss> {
          ^bb0(%s0: !torq_hl.invocation<slice>, %s1: !torq_hl.invocation<slice>, %s2: !torq_hl.invocation<slice>, %s3: !torq_hl.invocation<slice>, %css: !torq_hl.invocation<css>, %area: memref<640xi8, #torq_hl<enc mem_space = lram>>):
            %xram = memref.get_global @__xram : memref<9437184xi8>
            %lram = memref.get_global @__lram : memref<262144xi8, #torq_hl<enc mem_space = lram>>
            torq_hw.nss_task {"torq-end-time-cycles" = 2101692 : i64, "torq-start-time-cycles" = 2098499 : i64, "torq-task-id" = 265 : i64}() {
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[13824, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[13824, 1]]}>} loc(#loc50)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 3193 : i64} loc(#loc50)
              torq_hw.dma_in_wait loc(#loc50)
            } loc(#loc50)
            torq_hw.nss_task {"torq-end-time-cycles" = 2104885 : i64, "torq-start-time-cycles" = 2101692 : i64, "torq-task-id" = 266 : i64}() {
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[13824, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[13824, 1]]}>} loc(#loc50)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 3193 : i64} loc(#loc50)
              "torq_hw.slice_start"(%s0, %lram) <{id = 0 : index}> {"torq-async-duration-cycles" = 9457 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc50)
              torq_hw.dma_in_wait loc(#loc50)
            } loc(#loc50)
            torq_hw.nss_task {"torq-end-time-cycles" = 2104886 : i64, "torq-start-time-cycles" = 2104885 : i64, "torq-task-id" = 267 : i64}() {
              "torq_hw.slice_start"(%s0, %lram) <{id = 1 : index}> {"torq-async-duration-cycles" = 9457 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc50)
            } loc(#loc50)
            torq_hw.nss_task {"torq-end-time-cycles" = 2111149 : i64, "torq-start-time-cycles" = 2104886 : i64, "torq-task-id" = 268 : i64}() {
              "torq_hw.slice_wait"() <{id = 0 : index}> : () -> () loc(#loc50)
            } loc(#loc50)
            torq_hw.nss_task {"torq-end-time-cycles" = 2114342 : i64, "torq-start-time-cycles" = 2111149 : i64, "torq-task-id" = 269 : i64}() {
              "torq_hw.slice_wait"() <{id = 1 : index}> : () -> () loc(#loc50)
            } loc(#loc50)
            torq_hw.nss_task {"torq-end-time-cycles" = 2115096 : i64, "torq-start-time-cycles" = 2114342 : i64, "torq-task-id" = 270 : i64}() {
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[3264, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[3264, 1]]}>} loc(#loc52)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 754 : i64} loc(#loc52)
              torq_hw.dma_in_wait loc(#loc52)
            } loc(#loc52)
            torq_hw.nss_task {"torq-end-time-cycles" = 2115850 : i64, "torq-start-time-cycles" = 2115096 : i64, "torq-task-id" = 271 : i64}() {
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[3264, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[3264, 1]]}>} loc(#loc52)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 754 : i64} loc(#loc52)
              "torq_hw.slice_start"(%s1, %lram) <{id = 0 : index}> {"torq-async-duration-cycles" = 10633 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc52)
              torq_hw.dma_in_wait loc(#loc52)
            } loc(#loc52)
            torq_hw.nss_task {"torq-end-time-cycles" = 2115851 : i64, "torq-start-time-cycles" = 2115850 : i64, "torq-task-id" = 272 : i64}() {
              "torq_hw.slice_start"(%s1, %lram) <{id = 1 : index}> {"torq-async-duration-cycles" = 10633 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc52)
            } loc(#loc52)
            torq_hw.nss_task {"torq-end-time-cycles" = 2125729 : i64, "torq-start-time-cycles" = 2115851 : i64, "torq-task-id" = 273 : i64}() {
              "torq_hw.slice_wait"() <{id = 0 : index}> : () -> () loc(#loc52)
            } loc(#loc52)
            torq_hw.nss_task {"torq-end-time-cycles" = 2126483 : i64, "torq-start-time-cycles" = 2125729 : i64, "torq-task-id" = 274 : i64}() {
              "torq_hw.slice_wait"() <{id = 1 : index}> : () -> () loc(#loc52)
            } loc(#loc52)
            torq_hw.nss_task {"torq-end-time-cycles" = 2129380 : i64, "torq-start-time-cycles" = 2126483 : i64, "torq-task-id" = 275 : i64}() {
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[12544, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[12544, 1]]}>} loc(#loc54)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 2897 : i64} loc(#loc54)
              torq_hw.dma_in_wait loc(#loc54)
            } loc(#loc54)
            torq_hw.nss_task {"torq-end-time-cycles" = 2132277 : i64, "torq-start-time-cycles" = 2129380 : i64, "torq-task-id" = 276 : i64}() {
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[12544, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[12544, 1]]}>} loc(#loc54)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 2897 : i64} loc(#loc54)
              "torq_hw.slice_start"(%s2, %lram) <{id = 0 : index}> {"torq-async-duration-cycles" = 9457 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc54)
              torq_hw.dma_in_wait loc(#loc54)
            } loc(#loc54)
            torq_hw.nss_task {"torq-end-time-cycles" = 2132278 : i64, "torq-start-time-cycles" = 2132277 : i64, "torq-task-id" = 277 : i64}() {
              "torq_hw.slice_start"(%s2, %lram) <{id = 1 : index}> {"torq-async-duration-cycles" = 9457 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc54)
            } loc(#loc54)
            torq_hw.nss_task {"torq-end-time-cycles" = 2138837 : i64, "torq-start-time-cycles" = 2132278 : i64, "torq-task-id" = 278 : i64}() {
              "torq_hw.slice_wait"() <{id = 0 : index}> : () -> () loc(#loc54)
            } loc(#loc54)
            torq_hw.nss_task {"torq-end-time-cycles" = 2141734 : i64, "torq-start-time-cycles" = 2138837 : i64, "torq-task-id" = 279 : i64}() {
              "torq_hw.slice_wait"() <{id = 1 : index}> : () -> () loc(#loc54)
            } loc(#loc54)
            torq_hw.nss_task {"torq-end-time-cycles" = 2141735 : i64, "torq-start-time-cycles" = 2141734 : i64, "torq-task-id" = 280 : i64}() {
              "torq_hw.slice_start"(%s3, %lram) <{id = 0 : index}> {"torq-async-duration-cycles" = 457 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc55)
            } loc(#loc55)
            torq_hw.nss_task {"torq-end-time-cycles" = 2142191 : i64, "torq-start-time-cycles" = 2141735 : i64, "torq-task-id" = 281 : i64}() {
              "torq_hw.slice_wait"() <{id = 0 : index}> : () -> () loc(#loc55)
            } loc(#loc55)
            torq_hw.nss_task {"torq-end-time-cycles" = 2145088 : i64, "torq-start-time-cycles" = 2142191 : i64, "torq-task-id" = 282 : i64}() {
              torq_hw.dma_out_cfg from %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> to %xram : memref<9437184xi8> {read_ndl = #torq_hw<dma_ndl{dims = [[12544, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[12544, 1]]}>} loc(#loc55)
              torq_hw.dma_out_start {"torq-async-duration-cycles" = 2897 : i64} loc(#loc55)
              torq_hw.dma_out_wait loc(#loc55)
            } loc(#loc55)
            torq_hl.return
          } loc(#loc138)
          %n1, %k1 = torq_hl.create_invocation "nss_program_1" program(%p1 : !torq_hl.program<nss>) on 0 {"torq-job-id" = 1 : i32} : !torq_hl.invocation<nss>, memref<364xi8>
          %p2 = torq_hl.program "nss_program_2" : !torq_hl.program<nss> {
          ^bb0(%s0: !torq_hl.invocation<slice>, %s1: !torq_hl.invocation<slice>, %s2: !torq_hl.invocation<slice>, %s3: !torq_hl.invocation<slice>, %css: !torq_hl.invocation<css>, %area: memref<640xi8, #torq_hl<enc mem_space = lram>>):
            %xram = memref.get_global @__xram : memref<9437184xi8>
            %lram = memref.get_global @__lram : memref<262144xi8, #torq_hl<enc mem_space = lram>>
            torq_hw.nss_task {"torq-end-time-cycles" = 2148281 : i64, "torq-start-time-cycles" = 2145088 : i64, "torq-task-id" = 283 : i64}() {
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[13824, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[13824, 1]]}>} loc(#loc58)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 3193 : i64} loc(#loc58)
              torq_hw.dma_in_wait loc(#loc58)
            } loc(#loc58)
            torq_hw.nss_task {"torq-end-time-cycles" = 2151474 : i64, "torq-start-time-cycles" = 2148281 : i64, "torq-task-id" = 284 : i64}() {
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[13824, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[13824, 1]]}>} loc(#loc58)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 3193 : i64} loc(#loc58)
              "torq_hw.slice_start"(%s0, %lram) <{id = 0 : index}> {"torq-async-duration-cycles" = 9457 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc58)
              torq_hw.dma_in_wait loc(#loc58)
            } loc(#loc58)
            torq_hw.nss_task {"torq-end-time-cycles" = 2151475 : i64, "torq-start-time-cycles" = 2151474 : i64, "torq-task-id" = 285 : i64}() {
              "torq_hw.slice_start"(%s0, %lram) <{id = 1 : index}> {"torq-async-duration-cycles" = 9457 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc58)
            } loc(#loc58)
            torq_hw.nss_task {"torq-end-time-cycles" = 2157738 : i64, "torq-start-time-cycles" = 2151475 : i64, "torq-task-id" = 286 : i64}() {
              "torq_hw.slice_wait"() <{id = 0 : index}> : () -> () loc(#loc58)
            } loc(#loc58)
            torq_hw.nss_task {"torq-end-time-cycles" = 2160931 : i64, "torq-start-time-cycles" = 2157738 : i64, "torq-task-id" = 287 : i64}() {
              "torq_hw.slice_wait"() <{id = 1 : index}> : () -> () loc(#loc58)
            } loc(#loc58)
            torq_hw.nss_task {"torq-end-time-cycles" = 2161685 : i64, "torq-start-time-cycles" = 2160931 : i64, "torq-task-id" = 288 : i64}() {
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[3264, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[3264, 1]]}>} loc(#loc60)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 754 : i64} loc(#loc60)
              torq_hw.dma_in_wait loc(#loc60)
            } loc(#loc60)
            torq_hw.nss_task {"torq-end-time-cycles" = 2162439 : i64, "torq-start-time-cycles" = 2161685 : i64, "torq-task-id" = 289 : i64}() {
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[3264, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[3264, 1]]}>} loc(#loc60)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 754 : i64} loc(#loc60)
              "torq_hw.slice_start"(%s1, %lram) <{id = 0 : index}> {"torq-async-duration-cycles" = 10633 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc60)
              torq_hw.dma_in_wait loc(#loc60)
            } loc(#loc60)
            torq_hw.nss_task {"torq-end-time-cycles" = 2162440 : i64, "torq-start-time-cycles" = 2162439 : i64, "torq-task-id" = 290 : i64}() {
              "torq_hw.slice_start"(%s1, %lram) <{id = 1 : index}> {"torq-async-duration-cycles" = 10633 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc60)
            } loc(#loc60)
            torq_hw.nss_task {"torq-end-time-cycles" = 2172318 : i64, "torq-start-time-cycles" = 2162440 : i64, "torq-task-id" = 291 : i64}() {
              "torq_hw.slice_wait"() <{id = 0 : index}> : () -> () loc(#loc60)
            } loc(#loc60)
            torq_hw.nss_task {"torq-end-time-cycles" = 2173072 : i64, "torq-start-time-cycles" = 2172318 : i64, "torq-task-id" = 292 : i64}() {
              "torq_hw.slice_wait"() <{id = 1 : index}> : () -> () loc(#loc60)
            } loc(#loc60)
            torq_hw.nss_task {"torq-end-time-cycles" = 2175969 : i64, "torq-start-time-cycles" = 2173072 : i64, "torq-task-id" = 293 : i64}() {
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[12544, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[12544, 1]]}>} loc(#loc62)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 2897 : i64} loc(#loc62)
              torq_hw.dma_in_wait loc(#loc62)
            } loc(#loc62)
            torq_hw.nss_task {"torq-end-time-cycles" = 2178866 : i64, "torq-start-time-cycles" = 2175969 : i64, "torq-task-id" = 294 : i64}() {
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[12544, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[12544, 1]]}>} loc(#loc62)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 2897 : i64} loc(#loc62)
              "torq_hw.slice_start"(%s2, %lram) <{id = 0 : index}> {"torq-async-duration-cycles" = 9457 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc62)
              torq_hw.dma_in_wait loc(#loc62)
            } loc(#loc62)
            torq_hw.nss_task {"torq-end-time-cycles" = 2178867 : i64, "torq-start-time-cycles" = 2178866 : i64, "torq-task-id" = 295 : i64}() {
              "torq_hw.slice_start"(%s2, %lram) <{id = 1 : index}> {"torq-async-duration-cycles" = 9457 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc62)
            } loc(#loc62)
            torq_hw.nss_task {"torq-end-time-cycles" = 2185426 : i64, "torq-start-time-cycles" = 2178867 : i64, "torq-task-id" = 296 : i64}() {
              "torq_hw.slice_wait"() <{id = 0 : index}> : () -> () loc(#loc62)
            } loc(#loc62)
            torq_hw.nss_task {"torq-end-time-cycles" = 2188323 : i64, "torq-start-time-cycles" = 2185426 : i64, "torq-task-id" = 297 : i64}() {
              "torq_hw.slice_wait"() <{id = 1 : index}> : () -> () loc(#loc62)
            } loc(#loc62)
            torq_hw.nss_task {"torq-end-time-cycles" = 2188324 : i64, "torq-start-time-cycles" = 2188323 : i64, "torq-task-id" = 298 : i64}() {
              "torq_hw.slice_start"(%s3, %lram) <{id = 0 : index}> {"torq-async-duration-cycles" = 457 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc63)
            } loc(#loc63)
            torq_hw.nss_task {"torq-end-time-cycles" = 2188780 : i64, "torq-start-time-cycles" = 2188324 : i64, "torq-task-id" = 299 : i64}() {
              "torq_hw.slice_wait"() <{id = 0 : index}> : () -> () loc(#loc63)
            } loc(#loc63)
            torq_hw.nss_task {"torq-end-time-cycles" = 2191677 : i64, "torq-start-time-cycles" = 2188780 : i64, "torq-task-id" = 300 : i64}() {
              torq_hw.dma_out_cfg from %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> to %xram : memref<9437184xi8> {read_ndl = #torq_hw<dma_ndl{dims = [[12544, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[12544, 1]]}>} loc(#loc63)
              torq_hw.dma_out_start {"torq-async-duration-cycles" = 2897 : i64} loc(#loc63)
              torq_hw.dma_out_wait loc(#loc63)
            } loc(#loc63)
            torq_hl.return
          } loc(#loc139)
          %n2, %k2 = torq_hl.create_invocation "nss_program_2" program(%p2 : !torq_hl.program<nss>) on 0 {"torq-job-id" = 2 : i32} : !torq_hl.invocation<nss>, memref<364xi8>
          %p3 = torq_hl.program "nss_program_3" : !torq_hl.program<nss> {
          ^bb0(%s0: !torq_hl.invocation<slice>, %s1: !torq_hl.invocation<slice>, %s2: !torq_hl.invocation<slice>, %s3: !torq_hl.invocation<slice>, %css: !torq_hl.invocation<css>, %area: memref<640xi8, #torq_hl<enc mem_space = lram>>):
            %xram = memref.get_global @__xram : memref<9437184xi8>
            %lram = memref.get_global @__lram : memref<262144xi8, #torq_hl<enc mem_space = lram>>
            torq_hw.nss_task {"torq-end-time-cycles" = 2194870 : i64, "torq-start-time-cycles" = 2191677 : i64, "torq-task-id" = 301 : i64}() {
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[13824, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[13824, 1]]}>} loc(#loc66)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 3193 : i64} loc(#loc66)
              torq_hw.dma_in_wait loc(#loc66)
            } loc(#loc66)
            torq_hw.nss_task {"torq-end-time-cycles" = 2198063 : i64, "torq-start-time-cycles" = 2194870 : i64, "torq-task-id" = 302 : i64}() {
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[13824, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[13824, 1]]}>} loc(#loc66)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 3193 : i64} loc(#loc66)
              "torq_hw.slice_start"(%s0, %lram) <{id = 0 : index}> {"torq-async-duration-cycles" = 9457 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc66)
              torq_hw.dma_in_wait loc(#loc66)
            } loc(#loc66)
            torq_hw.nss_task {"torq-end-time-cycles" = 2198064 : i64, "torq-start-time-cycles" = 2198063 : i64, "torq-task-id" = 303 : i64}() {
              "torq_hw.slice_start"(%s0, %lram) <{id = 1 : index}> {"torq-async-duration-cycles" = 9457 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc66)
            } loc(#loc66)
            torq_hw.nss_task {"torq-end-time-cycles" = 2204327 : i64, "torq-start-time-cycles" = 2198064 : i64, "torq-task-id" = 304 : i64}() {
              "torq_hw.slice_wait"() <{id = 0 : index}> : () -> () loc(#loc66)
            } loc(#loc66)
            torq_hw.nss_task {"torq-end-time-cycles" = 2207520 : i64, "torq-start-time-cycles" = 2204327 : i64, "torq-task-id" = 305 : i64}() {
              "torq_hw.slice_wait"() <{id = 1 : index}> : () -> () loc(#loc66)
            } loc(#loc66)
            torq_hw.nss_task {"torq-end-time-cycles" = 2208274 : i64, "torq-start-time-cycles" = 2207520 : i64, "torq-task-id" = 306 : i64}() {
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[3264, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[3264, 1]]}>} loc(#loc68)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 754 : i64} loc(#loc68)
              torq_hw.dma_in_wait loc(#loc68)
            } loc(#loc68)
            torq_hw.nss_task {"torq-end-time-cycles" = 2209028 : i64, "torq-start-time-cycles" = 2208274 : i64, "torq-task-id" = 307 : i64}() {
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[3264, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[3264, 1]]}>} loc(#loc68)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 754 : i64} loc(#loc68)
              "torq_hw.slice_start"(%s1, %lram) <{id = 0 : index}> {"torq-async-duration-cycles" = 10633 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc68)
              torq_hw.dma_in_wait loc(#loc68)
            } loc(#loc68)
            torq_hw.nss_task {"torq-end-time-cycles" = 2209029 : i64, "torq-start-time-cycles" = 2209028 : i64, "torq-task-id" = 308 : i64}() {
              "torq_hw.slice_start"(%s1, %lram) <{id = 1 : index}> {"torq-async-duration-cycles" = 10633 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc68)
            } loc(#loc68)
            torq_hw.nss_task {"torq-end-time-cycles" = 2218907 : i64, "torq-start-time-cycles" = 2209029 : i64, "torq-task-id" = 309 : i64}() {
              "torq_hw.slice_wait"() <{id = 0 : index}> : () -> () loc(#loc68)
            } loc(#loc68)
            torq_hw.nss_task {"torq-end-time-cycles" = 2219661 : i64, "torq-start-time-cycles" = 2218907 : i64, "torq-task-id" = 310 : i64}() {
              "torq_hw.slice_wait"() <{id = 1 : index}> : () -> () loc(#loc68)
            } loc(#loc68)
            torq_hw.nss_task {"torq-end-time-cycles" = 2222558 : i64, "torq-start-time-cycles" = 2219661 : i64, "torq-task-id" = 311 : i64}() {
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[12544, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[12544, 1]]}>} loc(#loc70)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 2897 : i64} loc(#loc70)
              torq_hw.dma_in_wait loc(#loc70)
            } loc(#loc70)
            torq_hw.nss_task {"torq-end-time-cycles" = 2225455 : i64, "torq-start-time-cycles" = 2222558 : i64, "torq-task-id" = 312 : i64}() {
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[12544, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[12544, 1]]}>} loc(#loc70)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 2897 : i64} loc(#loc70)
              "torq_hw.slice_start"(%s2, %lram) <{id = 0 : index}> {"torq-async-duration-cycles" = 9457 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc70)
              torq_hw.dma_in_wait loc(#loc70)
            } loc(#loc70)
            torq_hw.nss_task {"torq-end-time-cycles" = 2225456 : i64, "torq-start-time-cycles" = 2225455 : i64, "torq-task-id" = 313 : i64}() {
              "torq_hw.slice_start"(%s2, %lram) <{id = 1 : index}> {"torq-async-duration-cycles" = 9457 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc70)
            } loc(#loc70)
            torq_hw.nss_task {"torq-end-time-cycles" = 2232015 : i64, "torq-start-time-cycles" = 2225456 : i64, "torq-task-id" = 314 : i64}() {
              "torq_hw.slice_wait"() <{id = 0 : index}> : () -> () loc(#loc70)
            } loc(#loc70)
            torq_hw.nss_task {"torq-end-time-cycles" = 2234912 : i64, "torq-start-time-cycles" = 2232015 : i64, "torq-task-id" = 315 : i64}() {
              "torq_hw.slice_wait"() <{id = 1 : index}> : () -> () loc(#loc70)
            } loc(#loc70)
            torq_hw.nss_task {"torq-end-time-cycles" = 2234913 : i64, "torq-start-time-cycles" = 2234912 : i64, "torq-task-id" = 316 : i64}() {
              "torq_hw.slice_start"(%s3, %lram) <{id = 0 : index}> {"torq-async-duration-cycles" = 457 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc71)
            } loc(#loc71)
            torq_hw.nss_task {"torq-end-time-cycles" = 2235369 : i64, "torq-start-time-cycles" = 2234913 : i64, "torq-task-id" = 317 : i64}() {
              "torq_hw.slice_wait"() <{id = 0 : index}> : () -> () loc(#loc71)
            } loc(#loc71)
            torq_hw.nss_task {"torq-end-time-cycles" = 2238266 : i64, "torq-start-time-cycles" = 2235369 : i64, "torq-task-id" = 318 : i64}() {
              torq_hw.dma_out_cfg from %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> to %xram : memref<9437184xi8> {read_ndl = #torq_hw<dma_ndl{dims = [[12544, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[12544, 1]]}>} loc(#loc71)
              torq_hw.dma_out_start {"torq-async-duration-cycles" = 2897 : i64} loc(#loc71)
              torq_hw.dma_out_wait loc(#loc71)
            } loc(#loc71)
            torq_hl.return
          } loc(#loc140)
          %n3, %k3 = torq_hl.create_invocation "nss_program_3" program(%p3 : !torq_hl.program<nss>) on 0 {"torq-job-id" = 3 : i32} : !torq_hl.invocation<nss>, memref<364xi8>
          %slot = memref.get_global @__program_slot0 : memref<640xi8, #torq_hl<enc mem_space = lram>>
          %block = torq_hl.get_block %n0 block 0 : !torq_hl.invocation<nss> -> memref<364xi8>
          torq_hl.host_copy %block : memref<364xi8> to %slot : memref<640xi8, #torq_hl<enc mem_space = lram>> {element_size_bytes = 364 : i64, input_strides_bytes = array<i64>, output_strides_bytes = array<i64>, shape = array<i64>, "torq-action-id" = 0 : i32} loc(#loc44)
          torq_hl.start_program %n0 : !torq_hl.invocation<nss> args(%i21, %i22, %i23, %cssi, %slot : !torq_hl.invocation<slice>, !torq_hl.invocation<slice>, !torq_hl.invocation<slice>, !torq_hl.invocation<css>, memref<640xi8, #torq_hl<enc mem_space = lram>>) code(%slot : memref<640xi8, #torq_hl<enc mem_space = lram>>) {"torq-action-id" = 1 : i32, "torq-end-time-cycles" = 1997189 : i64, "torq-start-time-cycles" = 1997189 : i64} loc(#loc137)
          torq_hl.wait_program %n0 : !torq_hl.invocation<nss> {"torq-action-id" = 2 : i32, "torq-end-time-cycles" = 2098499 : i64, "torq-start-time-cycles" = 1997189 : i64} loc(#loc137)
          torq_hl.start_program %n1 : !torq_hl.invocation<nss> args(%i24, %i25, %i26, %i27, %cssi, %slot : !torq_hl.invocation<slice>, !torq_hl.invocation<slice>, !torq_hl.invocation<slice>, !torq_hl.invocation<slice>, !torq_hl.invocation<css>, memref<640xi8, #torq_hl<enc mem_space = lram>>) code(%slot : memref<640xi8, #torq_hl<enc mem_space = lram>>) {"torq-action-id" = 3 : i32, "torq-end-time-cycles" = 2098499 : i64, "torq-start-time-cycles" = 2098499 : i64} loc(#loc138)
          torq_hl.wait_program %n1 : !torq_hl.invocation<nss> {"torq-action-id" = 4 : i32, "torq-end-time-cycles" = 2145088 : i64, "torq-start-time-cycles" = 2098499 : i64} loc(#loc138)
          torq_hl.start_program %n2 : !torq_hl.invocation<nss> args(%i28, %i29, %i30, %i31, %cssi, %slot : !torq_hl.invocation<slice>, !torq_hl.invocation<slice>, !torq_hl.invocation<slice>, !torq_hl.invocation<slice>, !torq_hl.invocation<css>, memref<640xi8, #torq_hl<enc mem_space = lram>>) code(%slot : memref<640xi8, #torq_hl<enc mem_space = lram>>) {"torq-action-id" = 5 : i32, "torq-end-time-cycles" = 2145088 : i64, "torq-start-time-cycles" = 2145088 : i64} loc(#loc139)
          torq_hl.wait_program %n2 : !torq_hl.invocation<nss> {"torq-action-id" = 6 : i32, "torq-end-time-cycles" = 2191677 : i64, "torq-start-time-cycles" = 2145088 : i64} loc(#loc139)
          torq_hl.start_program %n3 : !torq_hl.invocation<nss> args(%i32, %i33, %i34, %i35, %cssi, %slot : !torq_hl.invocation<slice>, !torq_hl.invocation<slice>, !torq_hl.invocation<slice>, !torq_hl.invocation<slice>, !torq_hl.invocation<css>, memref<640xi8, #torq_hl<enc mem_space = lram>>) code(%slot : memref<640xi8, #torq_hl<enc mem_space = lram>>) {"torq-action-id" = 7 : i32, "torq-end-time-cycles" = 2191677 : i64, "torq-start-time-cycles" = 2191677 : i64} loc(#loc140)
          torq_hl.wait_program %n3 : !torq_hl.invocation<nss> {"torq-action-id" = 8 : i32, "torq-end-time-cycles" = 2238266 : i64, "torq-start-time-cycles" = 2191677 : i64} loc(#loc140)
          return
        }
      }
    }
  }
  hal.executable private @main_dispatch_3 {
    hal.executable.variant public @torq_fb target(<"torq", "torq-fb">) {
      builtin.module {
        memref.global "private" @__program_slot0 : memref<640xi8, #torq_hl<enc mem_space = lram>> = uninitialized {lram_address = 0 : i64}
        func.func @main_dispatch_3_conv2d_14x14() {
          torq_hw.dispatch_profiling
            memory : 639808 bytes
            total_cycle : 10633
          %w36 = torq_hl.program "slice_program_torq_hl.conv2d_36" : !torq_hl.program<slice> {
            torq_hw.slice_profiling
              memory : 57728 bytes
              memory_info : "1x14x14x64+384x1x1x64"
              max_cycle : 9457
              ndl_cycles : dedr(9452) dewr(1058) debr(16) deqw(3152) cedw(4726) cedr(9457) ceww(529) cewr(529) cepr(9448) acbw(16) acbr(3152) acpr(3152)
            torq_hl.return
          } loc(#loc74)
          %i36, %c36 = torq_hl.create_invocation "slice_program_torq_hl.conv2d_36" program(%w36 : !torq_hl.program<slice>) on 0 : !torq_hl.invocation<slice>, memref<264xi8>
          %w37 = torq_hl.program "slice_program_torq_hl.depthwise_37" : !torq_hl.program<slice> {
            torq_hw.slice_profiling
              memory : 78528 bytes
              memory_info : "1x14x14x384+1x3x3x384"
              max_cycle : 10633
              ndl_cycles : dedr(10633) dewr(1189) debr(16) deqw(3544) cedw(5316) cedr(5316) ceww(594) cewr(594) cepr(10624) acbw(16) acbr(3544) acpr(3544)
            torq_hl.return
          } loc(#loc76)
          %i37, %c37 = torq_hl.create_invocation "slice_program_torq_hl.depthwise_37" program(%w37 : !torq_hl.program<slice>) on 0 : !torq_hl.invocation<slice>, memref<264xi8>
          %w38 = torq_hl.program "slice_program_torq_hl.conv2d_38" : !torq_hl.program<slice> {
            torq_hw.slice_profiling
              memory : 43904 bytes
              memory_info : "1x14x14x384+96x1x1x384"
              max_cycle : 9446
              ndl_cycles : dedr(9441) dewr(1057) debr(16) deqw(3148) cedw(4720) cedr(9446) ceww(528) cewr(528) cepr(9437) acbw(16) acbr(3148) acpr(3148)
            torq_hl.return
          } loc(#loc78)
          %i38, %c38 = torq_hl.create_invocation "slice_program_torq_hl.conv2d_38" program(%w38 : !torq_hl.program<slice>) on 0 : !torq_hl.invocation<slice>, memref<264xi8>
          %w39 = torq_hl.program "slice_program_torq_hl.conv2d_39" : !torq_hl.program<slice> {
            torq_hw.slice_profiling
              memory : 47904 bytes
              memory_info : "1x14x14x96+576x1x1x96"
              max_cycle : 10617
              ndl_cycles : dedr(10612) dewr(1187) debr(16) deqw(3539) cedw(5306) cedr(10617) ceww(593) cewr(593) cepr(10608) acbw(16) acbr(3539) acpr(3539)
            torq_hl.return
          } loc(#loc80)
          %i39, %c39 = torq_hl.create_invocation "slice_program_torq_hl.conv2d_39" program(%w39 : !torq_hl.program<slice>) on 0 : !torq_hl.invocation<slice>, memref<264xi8>
          %w40 = torq_hl.program "slice_program_torq_hl.depthwise_40" : !torq_hl.program<slice> {
            torq_hw.slice_profiling
              memory : 78528 bytes
              memory_info : "1x14x14x576+1x3x3x576"
              max_cycle : 10622
              ndl_cycles : dedr(10622) dewr(1188) debr(16) deqw(3540) cedw(5311) cedr(5311) ceww(594) cewr(594) cepr(10613) acbw(16) acbr(3540) acpr(3540)
            torq_hl.return
          } loc(#loc82)
          %i40, %c40 = torq_hl.create_invocation "slice_program_torq_hl.depthwise_40" program(%w40 : !torq_hl.program<slice>) on 0 : !torq_hl.invocation<slice>, memref<264xi8>
          %w41 = torq_hl.program "slice_program_torq_hl.conv2d_41" : !torq_hl.program<slice> {
            torq_hw.slice_profiling
              memory : 46944 bytes
              memory_info : "1x14x14x576+96x1x1x576"
              max_cycle : 10617
              ndl_cycles : dedr(10612) dewr(1187) debr(16) deqw(3539) cedw(5306) cedr(10617) ceww(593) cewr(593) cepr(10608) acbw(16) acbr(3539) acpr(3539)
            torq_hl.return
          } loc(#loc84)
          %i41, %c41 = torq_hl.create_invocation "slice_program_torq_hl.conv2d_41" program(%w41 : !torq_hl.program<slice>) on 0 : !torq_hl.invocation<slice>, memref<264xi8>
          %w42 = torq_hl.program "slice_program_torq_hl.add_42" : !torq_hl.program<slice> {
            torq_hw.slice_profiling
              memory : 56448 bytes
              memory_info : "1x14x14x96"
              max_cycle : 653
              ndl_cycles : dedr(653) dewr(80) debr(16) deqw(217) cedw(326) cedr(326) ceww(40) cewr(40) cepr(644) acbw(16) acbr(217) acpr(217)
            torq_hl.return
          } loc(#loc85)
          %i42, %c42 = torq_hl.create_invocation "slice_program_torq_hl.add_42" program(%w42 : !torq_hl.program<slice>) on 0 : !torq_hl.invocation<slice>, memref<264xi8>
          %w43 = torq_hl.program "slice_program_torq_hl.conv2d_43" : !torq_hl.program<slice> {
            torq_hw.slice_profiling
              memory : 47904 bytes
              memory_info : "1x14x14x96+576x1x1x96"
              max_cycle : 10617
              ndl_cycles : dedr(10612) dewr(1187) debr(16) deqw(3539) cedw(5306) cedr(10617) ceww(593) cewr(593) cepr(10608) acbw(16) acbr(3539) acpr(3539)
            torq_hl.return
          } loc(#loc88)
          %i43, %c43 = torq_hl.create_invocation "slice_program_torq_hl.conv2d_43" program(%w43 : !torq_hl.program<slice>) on 0 : !torq_hl.invocation<slice>, memref<264xi8>
          %w44 = torq_hl.program "slice_program_torq_hl.depthwise_44" : !torq_hl.program<slice> {
            torq_hw.slice_profiling
              memory : 78528 bytes
              memory_info : "1x14x14x576+1x3x3x576"
              max_cycle : 10622
              ndl_cycles : dedr(10622) dewr(1188) debr(16) deqw(3540) cedw(5311) cedr(5311) ceww(594) cewr(594) cepr(10613) acbw(16) acbr(3540) acpr(3540)
            torq_hl.return
          } loc(#loc90)
          %i44, %c44 = torq_hl.create_invocation "slice_program_torq_hl.depthwise_44" program(%w44 : !torq_hl.program<slice>) on 0 : !torq_hl.invocation<slice>, memref<264xi8>
          %w45 = torq_hl.program "slice_program_torq_hl.conv2d_45" : !torq_hl.program<slice> {
            torq_hw.slice_profiling
              memory : 46944 bytes
              memory_info : "1x14x14x576+96x1x1x576"
              max_cycle : 10617
              ndl_cycles : dedr(10612) dewr(1187) debr(16) deqw(3539) cedw(5306) cedr(10617) ceww(593) cewr(593) cepr(10608) acbw(16) acbr(3539) acpr(3539)
            torq_hl.return
          } loc(#loc92)
          %i45, %c45 = torq_hl.create_invocation "slice_program_torq_hl.conv2d_45" program(%w45 : !torq_hl.program<slice>) on 0 : !torq_hl.invocation<slice>, memref<264xi8>
          %w46 = torq_hl.program "slice_program_torq_hl.add_46" : !torq_hl.program<slice> {
            torq_hw.slice_profiling
              memory : 56448 bytes
              memory_info : "1x14x14x96"
              max_cycle : 653
              ndl_cycles : dedr(653) dewr(80) debr(16) deqw(217) cedw(326) cedr(326) ceww(40) cewr(40) cepr(644) acbw(16) acbr(217) acpr(217)
            torq_hl.return
          } loc(#loc93)
          %i46, %c46 = torq_hl.create_invocation "slice_program_torq_hl.add_46" program(%w46 : !torq_hl.program<slice>) on 0 : !torq_hl.invocation<slice>, memref<264xi8>
          %cp = torq_hl.program "css_program" : !torq_hl.program<css> {
            torq_hl.return
          }
          %cssi, %cssc = torq_hl.create_invocation "css_program" program(%cp : !torq_hl.program<css>) : !torq_hl.invocation<css>, memref<2048xi8>
          %p0 = torq_hl.program "nss_program_0" : !torq_hl.program<nss> {
          ^bb0(%s0: !torq_hl.invocation<slice>, %s1: !torq_hl.invocation<slice>, %s2: !torq_hl.invocation<slice>, %css: !torq_hl.invocation<css>, %area: memref<640xi8, #torq_hl<enc mem_space = lram>>):
            %xram = memref.get_global @__xram : memref<9437184xi8>
            %lram = memref.get_global @__lram : memref<262144xi8, #torq_hl<enc mem_space = lram>>
            torq_hw.nss_task {"torq-end-time-cycles" = 2241459 : i64, "torq-start-time-cycles" = 2238266 : i64, "torq-task-id" = 319 : i64}() {
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[13824, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[13824, 1]]}>} loc(#loc74)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 3193 : i64} loc(#loc74)
              torq_hw.dma_in_wait loc(#loc74)
            } loc(#loc74)
            torq_hw.nss_task {"torq-end-time-cycles" = 2244652 : i64, "torq-start-time-cycles" = 2241459 : i64, "torq-task-id" = 320 : i64}() {
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[13824, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[13824, 1]]}>} loc(#loc74)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 3193 : i64} loc(#loc74)
              "torq_hw.slice_start"(%s0, %lram) <{id = 0 : index}> {"torq-async-duration-cycles" = 9457 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc74)
              torq_hw.dma_in_wait loc(#loc74)
            } loc(#loc74)
            torq_hw.nss_task {"torq-end-time-cycles" = 2244653 : i64, "torq-start-time-cycles" = 2244652 : i64, "torq-task-id" = 321 : i64}() {
              "torq_hw.slice_start"(%s0, %lram) <{id = 1 : index}> {"torq-async-duration-cycles" = 9457 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc74)
            } loc(#loc74)
            torq_hw.nss_task {"torq-end-time-cycles" = 2250916 : i64, "torq-start-time-cycles" = 2244653 : i64, "torq-task-id" = 322 : i64}() {
              "torq_hw.slice_wait"() <{id = 0 : index}> : () -> () loc(#loc74)
            } loc(#loc74)
            torq_hw.nss_task {"torq-end-time-cycles" = 2254109 : i64, "torq-start-time-cycles" = 2250916 : i64, "torq-task-id" = 323 : i64}() {
              "torq_hw.slice_wait"() <{id = 1 : index}> : () -> () loc(#loc74)
            } loc(#loc74)
            torq_hw.nss_task {"torq-end-time-cycles" = 2254863 : i64, "torq-start-time-cycles" = 2254109 : i64, "torq-task-id" = 324 : i64}() {
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[3264, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[3264, 1]]}>} loc(#loc76)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 754 : i64} loc(#loc76)
              torq_hw.dma_in_wait loc(#loc76)
            } loc(#loc76)
            torq_hw.nss_task {"torq-end-time-cycles" = 2255617 : i64, "torq-start-time-cycles" = 2254863 : i64, "torq-task-id" = 325 : i64}() {
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[3264, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[3264, 1]]}>} loc(#loc76)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 754 : i64} loc(#loc76)
              "torq_hw.slice_start"(%s1, %lram) <{id = 0 : index}> {"torq-async-duration-cycles" = 10633 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc76)
              torq_hw.dma_in_wait loc(#loc76)
            } loc(#loc76)
            torq_hw.nss_task {"torq-end-time-cycles" = 2255618 : i64, "torq-start-time-cycles" = 2255617 : i64, "torq-task-id" = 326 : i64}() {
              "torq_hw.slice_start"(%s1, %lram) <{id = 1 : index}> {"torq-async-duration-cycles" = 10633 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc76)
            } loc(#loc76)
            torq_hw.nss_task {"torq-end-time-cycles" = 2265496 : i64, "torq-start-time-cycles" = 2255618 : i64, "torq-task-id" = 327 : i64}() {
              "torq_hw.slice_wait"() <{id = 0 : index}> : () -> () loc(#loc76)
            } loc(#loc76)
            torq_hw.nss_task {"torq-end-time-cycles" = 2266250 : i64, "torq-start-time-cycles" = 2265496 : i64, "torq-task-id" = 328 : i64}() {
              "torq_hw.slice_wait"() <{id = 1 : index}> : () -> () loc(#loc76)
            } loc(#loc76)
            torq_hw.nss_task {"torq-end-time-cycles" = 2269147 : i64, "torq-start-time-cycles" = 2266250 : i64, "torq-task-id" = 329 : i64}() {
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[12544, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[12544, 1]]}>} loc(#loc78)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 2897 : i64} loc(#loc78)
              torq_hw.dma_in_wait loc(#loc78)
            } loc(#loc78)
            torq_hw.nss_task {"torq-end-time-cycles" = 2272044 : i64, "torq-start-time-cycles" = 2269147 : i64, "torq-task-id" = 330 : i64}() {
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[12544, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[12544, 1]]}>} loc(#loc78)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 2897 : i64} loc(#loc78)
              "torq_hw.slice_start"(%s2, %lram) <{id = 0 : index}> {"torq-async-duration-cycles" = 9446 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc78)
              torq_hw.dma_in_wait loc(#loc78)
            } loc(#loc78)
            torq_hw.nss_task {"torq-end-time-cycles" = 2274941 : i64, "torq-start-time-cycles" = 2272044 : i64, "torq-task-id" = 331 : i64}() {
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[12544, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[12544, 1]]}>} loc(#loc78)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 2897 : i64} loc(#loc78)
              "torq_hw.slice_start"(%s2, %lram) <{id = 1 : index}> {"torq-async-duration-cycles" = 9446 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc78)
              torq_hw.dma_in_wait loc(#loc78)
            } loc(#loc78)
            torq_hw.nss_task {"torq-end-time-cycles" = 2278593 : i64, "torq-start-time-cycles" = 2274941 : i64, "torq-task-id" = 332 : i64}() {
              "torq_hw.slice_wait"() <{id = 0 : index}> : () -> () loc(#loc78)
            } loc(#loc78)
            torq_hw.nss_task {"torq-end-time-cycles" = 2278594 : i64, "torq-start-time-cycles" = 2278593 : i64, "torq-task-id" = 333 : i64}() {
              torq_hw.dma_out_cfg from %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> to %xram : memref<9437184xi8> {read_ndl = #torq_hw<dma_ndl{dims = [[6272, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[6272, 1]]}>} loc(#loc78)
              torq_hw.dma_out_start {"torq-async-duration-cycles" = 1449 : i64} loc(#loc78)
              "torq_hw.slice_start"(%s2, %lram) <{id = 0 : index}> {"torq-async-duration-cycles" = 9446 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc78)
            } loc(#loc78)
            torq_hw.nss_task {"torq-end-time-cycles" = 2281490 : i64, "torq-start-time-cycles" = 2278594 : i64, "torq-task-id" = 334 : i64}() {
              "torq_hw.slice_wait"() <{id = 1 : index}> : () -> () loc(#loc78)
              torq_hw.dma_out_wait loc(#loc78)
            } loc(#loc78)
            torq_hw.nss_task {"torq-end-time-cycles" = 2281490 : i64, "torq-start-time-cycles" = 2281490 : i64, "torq-task-id" = 335 : i64}() {
              torq_hw.dma_out_cfg from %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> to %xram : memref<9437184xi8> {read_ndl = #torq_hw<dma_ndl{dims = [[6272, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[6272, 1]]}>} loc(#loc78)
              torq_hw.dma_out_start {"torq-async-duration-cycles" = 1449 : i64} loc(#loc78)
            } loc(#loc78)
            torq_hw.nss_task {"torq-end-time-cycles" = 2288039 : i64, "torq-start-time-cycles" = 2281490 : i64, "torq-task-id" = 336 : i64}() {
              "torq_hw.slice_wait"() <{id = 0 : index}> : () -> () loc(#loc78)
              torq_hw.dma_out_wait loc(#loc78)
            } loc(#loc78)
            torq_hw.nss_task {"torq-end-time-cycles" = 2289488 : i64, "torq-start-time-cycles" = 2288039 : i64, "torq-task-id" = 337 : i64}() {
              torq_hw.dma_out_cfg from %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> to %xram : memref<9437184xi8> {read_ndl = #torq_hw<dma_ndl{dims = [[6272, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[6272, 1]]}>} loc(#loc78)
              torq_hw.dma_out_start {"torq-async-duration-cycles" = 1449 : i64} loc(#loc78)
              torq_hw.dma_out_wait loc(#loc78)
            } loc(#loc78)
            torq_hl.return
          } loc(#loc141)
          %n0, %k0 = torq_hl.create_invocation "nss_program_0" program(%p0 : !torq_hl.program<nss>) on 0 {"torq-job-id" = 0 : i32} : !torq_hl.invocation<nss>, memref<364xi8>
          %p1 = torq_hl.program "nss_program_1" : !torq_hl.program<nss> {
          ^bb0(%s0: !torq_hl.invocation<slice>, %s1: !torq_hl.invocation<slice>, %s2: !torq_hl.invocation<slice>, %s3: !torq_hl.invocation<slice>, %css: !torq_hl.invocation<css>, %area: memref<640xi8, #torq_hl<enc mem_space = lram>>):
            %xram = memref.get_global @__xram : memref<9437184xi8>
            %lram = memref.get_global @__lram : memref<262144xi8, #torq_hl<enc mem_space = lram>>
            torq_hw.nss_task {"torq-end-time-cycles" = 2292947 : i64, "torq-start-time-cycles" = 2289488 : i64, "torq-task-id" = 338 : i64}() {
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[14976, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[14976, 1]]}>} loc(#loc80)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 3459 : i64} loc(#loc80)
              torq_hw.dma_in_wait loc(#loc80)
            } loc(#loc80)
            torq_hw.nss_task {"torq-end-time-cycles" = 2296406 : i64, "torq-start-time-cycles" = 2292947 : i64, "torq-task-id" = 339 : i64}() {
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[14976, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[14976, 1]]}>} loc(#loc80)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 3459 : i64} loc(#loc80)
              "torq_hw.slice_start"(%s0, %lram) <{id = 0 : index}> {"torq-async-duration-cycles" = 10617 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc80)
              torq_hw.dma_in_wait loc(#loc80)
            } loc(#loc80)
            torq_hw.nss_task {"torq-end-time-cycles" = 2299865 : i64, "torq-start-time-cycles" = 2296406 : i64, "torq-task-id" = 340 : i64}() {
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[14976, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[14976, 1]]}>} loc(#loc80)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 3459 : i64} loc(#loc80)
              "torq_hw.slice_start"(%s0, %lram) <{id = 1 : index}> {"torq-async-duration-cycles" = 10617 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc80)
              torq_hw.dma_in_wait loc(#loc80)
            } loc(#loc80)
            torq_hw.nss_task {"torq-end-time-cycles" = 2303564 : i64, "torq-start-time-cycles" = 2299865 : i64, "torq-task-id" = 341 : i64}() {
              "torq_hw.slice_wait"() <{id = 0 : index}> : () -> () loc(#loc80)
            } loc(#loc80)
            torq_hw.nss_task {"torq-end-time-cycles" = 2307023 : i64, "torq-start-time-cycles" = 2303564 : i64, "torq-task-id" = 342 : i64}() {
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[14976, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[14976, 1]]}>} loc(#loc80)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 3459 : i64} loc(#loc80)
              "torq_hw.slice_start"(%s0, %lram) <{id = 0 : index}> {"torq-async-duration-cycles" = 10617 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc80)
              torq_hw.dma_in_wait loc(#loc80)
            } loc(#loc80)
            torq_hw.nss_task {"torq-end-time-cycles" = 2307023 : i64, "torq-start-time-cycles" = 2307023 : i64, "torq-task-id" = 343 : i64}() {
              "torq_hw.slice_wait"() <{id = 1 : index}> : () -> () loc(#loc80)
            } loc(#loc80)
            torq_hw.nss_task {"torq-end-time-cycles" = 2307024 : i64, "torq-start-time-cycles" = 2307023 : i64, "torq-task-id" = 344 : i64}() {
              "torq_hw.slice_start"(%s0, %lram) <{id = 1 : index}> {"torq-async-duration-cycles" = 10617 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc80)
            } loc(#loc80)
            torq_hw.nss_task {"torq-end-time-cycles" = 2314181 : i64, "torq-start-time-cycles" = 2307024 : i64, "torq-task-id" = 345 : i64}() {
              "torq_hw.slice_wait"() <{id = 0 : index}> : () -> () loc(#loc80)
            } loc(#loc80)
            torq_hw.nss_task {"torq-end-time-cycles" = 2317640 : i64, "torq-start-time-cycles" = 2314181 : i64, "torq-task-id" = 346 : i64}() {
              "torq_hw.slice_wait"() <{id = 1 : index}> : () -> () loc(#loc80)
            } loc(#loc80)
            torq_hw.nss_task {"torq-end-time-cycles" = 2318394 : i64, "torq-start-time-cycles" = 2317640 : i64, "torq-task-id" = 347 : i64}() {
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[3264, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[3264, 1]]}>} loc(#loc82)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 754 : i64} loc(#loc82)
              torq_hw.dma_in_wait loc(#loc82)
            } loc(#loc82)
            torq_hw.nss_task {"torq-end-time-cycles" = 2319148 : i64, "torq-start-time-cycles" = 2318394 : i64, "torq-task-id" = 348 : i64}() {
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[3264, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[3264, 1]]}>} loc(#loc82)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 754 : i64} loc(#loc82)
              "torq_hw.slice_start"(%s1, %lram) <{id = 0 : index}> {"torq-async-duration-cycles" = 10622 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc82)
              torq_hw.dma_in_wait loc(#loc82)
            } loc(#loc82)
            torq_hw.nss_task {"torq-end-time-cycles" = 2319902 : i64, "torq-start-time-cycles" = 2319148 : i64, "torq-task-id" = 349 : i64}() {
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[3264, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[3264, 1]]}>} loc(#loc82)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 754 : i64} loc(#loc82)
              "torq_hw.slice_start"(%s1, %lram) <{id = 1 : index}> {"torq-async-duration-cycles" = 10622 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc82)
              torq_hw.dma_in_wait loc(#loc82)
            } loc(#loc82)
            torq_hw.nss_task {"torq-end-time-cycles" = 2329016 : i64, "torq-start-time-cycles" = 2319902 : i64, "torq-task-id" = 350 : i64}() {
              "torq_hw.slice_wait"() <{id = 0 : index}> : () -> () loc(#loc82)
            } loc(#loc82)
            torq_hw.nss_task {"torq-end-time-cycles" = 2329017 : i64, "torq-start-time-cycles" = 2329016 : i64, "torq-task-id" = 351 : i64}() {
              "torq_hw.slice_start"(%s1, %lram) <{id = 0 : index}> {"torq-async-duration-cycles" = 10622 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc82)
            } loc(#loc82)
            torq_hw.nss_task {"torq-end-time-cycles" = 2329770 : i64, "torq-start-time-cycles" = 2329017 : i64, "torq-task-id" = 352 : i64}() {
              "torq_hw.slice_wait"() <{id = 1 : index}> : () -> () loc(#loc82)
            } loc(#loc82)
            torq_hw.nss_task {"torq-end-time-cycles" = 2339638 : i64, "torq-start-time-cycles" = 2329770 : i64, "torq-task-id" = 353 : i64}() {
              "torq_hw.slice_wait"() <{id = 0 : index}> : () -> () loc(#loc82)
            } loc(#loc82)
            torq_hw.nss_task {"torq-end-time-cycles" = 2342875 : i64, "torq-start-time-cycles" = 2339638 : i64, "torq-task-id" = 354 : i64}() {
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[14016, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[14016, 1]]}>} loc(#loc84)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 3237 : i64} loc(#loc84)
              torq_hw.dma_in_wait loc(#loc84)
            } loc(#loc84)
            torq_hw.nss_task {"torq-end-time-cycles" = 2346112 : i64, "torq-start-time-cycles" = 2342875 : i64, "torq-task-id" = 355 : i64}() {
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[14016, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[14016, 1]]}>} loc(#loc84)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 3237 : i64} loc(#loc84)
              "torq_hw.slice_start"(%s2, %lram) <{id = 0 : index}> {"torq-async-duration-cycles" = 10617 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc84)
              torq_hw.dma_in_wait loc(#loc84)
            } loc(#loc84)
            torq_hw.nss_task {"torq-end-time-cycles" = 2349349 : i64, "torq-start-time-cycles" = 2346112 : i64, "torq-task-id" = 356 : i64}() {
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[14016, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[14016, 1]]}>} loc(#loc84)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 3237 : i64} loc(#loc84)
              "torq_hw.slice_start"(%s2, %lram) <{id = 1 : index}> {"torq-async-duration-cycles" = 10617 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc84)
              torq_hw.dma_in_wait loc(#loc84)
            } loc(#loc84)
            torq_hw.nss_task {"torq-end-time-cycles" = 2353492 : i64, "torq-start-time-cycles" = 2349349 : i64, "torq-task-id" = 357 : i64}() {
              "torq_hw.slice_wait"() <{id = 0 : index}> : () -> () loc(#loc84)
            } loc(#loc84)
            torq_hw.nss_task {"torq-end-time-cycles" = 2356729 : i64, "torq-start-time-cycles" = 2353492 : i64, "torq-task-id" = 358 : i64}() {
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[14016, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[14016, 1]]}>} loc(#loc84)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 3237 : i64} loc(#loc84)
              "torq_hw.slice_start"(%s2, %lram) <{id = 0 : index}> {"torq-async-duration-cycles" = 10617 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc84)
              torq_hw.dma_in_wait loc(#loc84)
            } loc(#loc84)
            torq_hw.nss_task {"torq-end-time-cycles" = 2356729 : i64, "torq-start-time-cycles" = 2356729 : i64, "torq-task-id" = 359 : i64}() {
              "torq_hw.slice_wait"() <{id = 1 : index}> : () -> () loc(#loc84)
            } loc(#loc84)
            torq_hw.nss_task {"torq-end-time-cycles" = 2356730 : i64, "torq-start-time-cycles" = 2356729 : i64, "torq-task-id" = 360 : i64}() {
              "torq_hw.slice_start"(%s2, %lram) <{id = 1 : index}> {"torq-async-duration-cycles" = 10617 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc84)
            } loc(#loc84)
            torq_hw.nss_task {"torq-end-time-cycles" = 2364109 : i64, "torq-start-time-cycles" = 2356730 : i64, "torq-task-id" = 361 : i64}() {
              "torq_hw.slice_wait"() <{id = 0 : index}> : () -> () loc(#loc84)
            } loc(#loc84)
            torq_hw.nss_task {"torq-end-time-cycles" = 2367346 : i64, "torq-start-time-cycles" = 2364109 : i64, "torq-task-id" = 362 : i64}() {
              "torq_hw.slice_wait"() <{id = 1 : index}> : () -> () loc(#loc84)
            } loc(#loc84)
            torq_hl.next lram_area(%area : memref<640xi8, #torq_hl<enc mem_space = lram>>) to ^bb1 {lramAddress = 0 : i64}
          ^bb1:  // pred: ^bb0
            torq_hw.nss_task {"torq-end-time-cycles" = 2367347 : i64, "torq-start-time-cycles" = 2367346 : i64, "torq-task-id" = 363 : i64}() {
              "torq_hw.slice_start"(%s3, %lram) <{id = 0 : index}> {"torq-async-duration-cycles" = 653 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc85)
            } loc(#loc85)
            torq_hw.nss_task {"torq-end-time-cycles" = 2367999 : i64, "torq-start-time-cycles" = 2367347 : i64, "torq-task-id" = 364 : i64}() {
              "torq_hw.slice_wait"() <{id = 0 : index}> : () -> () loc(#loc85)
            } loc(#loc85)
            torq_hw.nss_task {"torq-end-time-cycles" = 2372345 : i64, "torq-start-time-cycles" = 2367999 : i64, "torq-task-id" = 365 : i64}() {
              torq_hw.dma_out_cfg from %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> to %xram : memref<9437184xi8> {read_ndl = #torq_hw<dma_ndl{dims = [[18816, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[18816, 1]]}>} loc(#loc85)
              torq_hw.dma_out_start {"torq-async-duration-cycles" = 4346 : i64} loc(#loc85)
              torq_hw.dma_out_wait loc(#loc85)
            } loc(#loc85)
            torq_hl.return
          } loc(#loc142)
          %n1, %k1:2 = torq_hl.create_invocation "nss_program_1" program(%p1 : !torq_hl.program<nss>) on 0 {"torq-job-id" = 1 : i32} : !torq_hl.invocation<nss>, memref<364xi8>, memref<188xi8>
          %p2 = torq_hl.program "nss_program_2" : !torq_hl.program<nss> {
          ^bb0(%s0: !torq_hl.invocation<slice>, %s1: !torq_hl.invocation<slice>, %s2: !torq_hl.invocation<slice>, %s3: !torq_hl.invocation<slice>, %css: !torq_hl.invocation<css>, %area: memref<640xi8, #torq_hl<enc mem_space = lram>>):
            %xram = memref.get_global @__xram : memref<9437184xi8>
            %lram = memref.get_global @__lram : memref<262144xi8, #torq_hl<enc mem_space = lram>>
            torq_hw.nss_task {"torq-end-time-cycles" = 2375804 : i64, "torq-start-time-cycles" = 2372345 : i64, "torq-task-id" = 366 : i64}() {
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[14976, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[14976, 1]]}>} loc(#loc88)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 3459 : i64} loc(#loc88)
              torq_hw.dma_in_wait loc(#loc88)
            } loc(#loc88)
            torq_hw.nss_task {"torq-end-time-cycles" = 2379263 : i64, "torq-start-time-cycles" = 2375804 : i64, "torq-task-id" = 367 : i64}() {
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[14976, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[14976, 1]]}>} loc(#loc88)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 3459 : i64} loc(#loc88)
              "torq_hw.slice_start"(%s0, %lram) <{id = 0 : index}> {"torq-async-duration-cycles" = 10617 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc88)
              torq_hw.dma_in_wait loc(#loc88)
            } loc(#loc88)
            torq_hw.nss_task {"torq-end-time-cycles" = 2382722 : i64, "torq-start-time-cycles" = 2379263 : i64, "torq-task-id" = 368 : i64}() {
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[14976, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[14976, 1]]}>} loc(#loc88)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 3459 : i64} loc(#loc88)
              "torq_hw.slice_start"(%s0, %lram) <{id = 1 : index}> {"torq-async-duration-cycles" = 10617 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc88)
              torq_hw.dma_in_wait loc(#loc88)
            } loc(#loc88)
            torq_hw.nss_task {"torq-end-time-cycles" = 2386421 : i64, "torq-start-time-cycles" = 2382722 : i64, "torq-task-id" = 369 : i64}() {
              "torq_hw.slice_wait"() <{id = 0 : index}> : () -> () loc(#loc88)
            } loc(#loc88)
            torq_hw.nss_task {"torq-end-time-cycles" = 2389880 : i64, "torq-start-time-cycles" = 2386421 : i64, "torq-task-id" = 370 : i64}() {
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[14976, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[14976, 1]]}>} loc(#loc88)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 3459 : i64} loc(#loc88)
              "torq_hw.slice_start"(%s0, %lram) <{id = 0 : index}> {"torq-async-duration-cycles" = 10617 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc88)
              torq_hw.dma_in_wait loc(#loc88)
            } loc(#loc88)
            torq_hw.nss_task {"torq-end-time-cycles" = 2389880 : i64, "torq-start-time-cycles" = 2389880 : i64, "torq-task-id" = 371 : i64}() {
              "torq_hw.slice_wait"() <{id = 1 : index}> : () -> () loc(#loc88)
            } loc(#loc88)
            torq_hw.nss_task {"torq-end-time-cycles" = 2389881 : i64, "torq-start-time-cycles" = 2389880 : i64, "torq-task-id" = 372 : i64}() {
              "torq_hw.slice_start"(%s0, %lram) <{id = 1 : index}> {"torq-async-duration-cycles" = 10617 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc88)
            } loc(#loc88)
            torq_hw.nss_task {"torq-end-time-cycles" = 2397038 : i64, "torq-start-time-cycles" = 2389881 : i64, "torq-task-id" = 373 : i64}() {
              "torq_hw.slice_wait"() <{id = 0 : index}> : () -> () loc(#loc88)
            } loc(#loc88)
            torq_hw.nss_task {"torq-end-time-cycles" = 2400497 : i64, "torq-start-time-cycles" = 2397038 : i64, "torq-task-id" = 374 : i64}() {
              "torq_hw.slice_wait"() <{id = 1 : index}> : () -> () loc(#loc88)
            } loc(#loc88)
            torq_hw.nss_task {"torq-end-time-cycles" = 2401251 : i64, "torq-start-time-cycles" = 2400497 : i64, "torq-task-id" = 375 : i64}() {
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[3264, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[3264, 1]]}>} loc(#loc90)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 754 : i64} loc(#loc90)
              torq_hw.dma_in_wait loc(#loc90)
            } loc(#loc90)
            torq_hw.nss_task {"torq-end-time-cycles" = 2402005 : i64, "torq-start-time-cycles" = 2401251 : i64, "torq-task-id" = 376 : i64}() {
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[3264, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[3264, 1]]}>} loc(#loc90)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 754 : i64} loc(#loc90)
              "torq_hw.slice_start"(%s1, %lram) <{id = 0 : index}> {"torq-async-duration-cycles" = 10622 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc90)
              torq_hw.dma_in_wait loc(#loc90)
            } loc(#loc90)
            torq_hw.nss_task {"torq-end-time-cycles" = 2402759 : i64, "torq-start-time-cycles" = 2402005 : i64, "torq-task-id" = 377 : i64}() {
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[3264, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[3264, 1]]}>} loc(#loc90)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 754 : i64} loc(#loc90)
              "torq_hw.slice_start"(%s1, %lram) <{id = 1 : index}> {"torq-async-duration-cycles" = 10622 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc90)
              torq_hw.dma_in_wait loc(#loc90)
            } loc(#loc90)
            torq_hw.nss_task {"torq-end-time-cycles" = 2411873 : i64, "torq-start-time-cycles" = 2402759 : i64, "torq-task-id" = 378 : i64}() {
              "torq_hw.slice_wait"() <{id = 0 : index}> : () -> () loc(#loc90)
            } loc(#loc90)
            torq_hw.nss_task {"torq-end-time-cycles" = 2411874 : i64, "torq-start-time-cycles" = 2411873 : i64, "torq-task-id" = 379 : i64}() {
              "torq_hw.slice_start"(%s1, %lram) <{id = 0 : index}> {"torq-async-duration-cycles" = 10622 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc90)
            } loc(#loc90)
            torq_hw.nss_task {"torq-end-time-cycles" = 2412627 : i64, "torq-start-time-cycles" = 2411874 : i64, "torq-task-id" = 380 : i64}() {
              "torq_hw.slice_wait"() <{id = 1 : index}> : () -> () loc(#loc90)
            } loc(#loc90)
            torq_hw.nss_task {"torq-end-time-cycles" = 2422495 : i64, "torq-start-time-cycles" = 2412627 : i64, "torq-task-id" = 381 : i64}() {
              "torq_hw.slice_wait"() <{id = 0 : index}> : () -> () loc(#loc90)
            } loc(#loc90)
            torq_hw.nss_task {"torq-end-time-cycles" = 2425732 : i64, "torq-start-time-cycles" = 2422495 : i64, "torq-task-id" = 382 : i64}() {
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[14016, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[14016, 1]]}>} loc(#loc92)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 3237 : i64} loc(#loc92)
              torq_hw.dma_in_wait loc(#loc92)
            } loc(#loc92)
            torq_hw.nss_task {"torq-end-time-cycles" = 2428969 : i64, "torq-start-time-cycles" = 2425732 : i64, "torq-task-id" = 383 : i64}() {
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[14016, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[14016, 1]]}>} loc(#loc92)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 3237 : i64} loc(#loc92)
              "torq_hw.slice_start"(%s2, %lram) <{id = 0 : index}> {"torq-async-duration-cycles" = 10617 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc92)
              torq_hw.dma_in_wait loc(#loc92)
            } loc(#loc92)
            torq_hw.nss_task {"torq-end-time-cycles" = 2432206 : i64, "torq-start-time-cycles" = 2428969 : i64, "torq-task-id" = 384 : i64}() {
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[14016, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[14016, 1]]}>} loc(#loc92)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 3237 : i64} loc(#loc92)
              "torq_hw.slice_start"(%s2, %lram) <{id = 1 : index}> {"torq-async-duration-cycles" = 10617 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc92)
              torq_hw.dma_in_wait loc(#loc92)
            } loc(#loc92)
            torq_hw.nss_task {"torq-end-time-cycles" = 2436349 : i64, "torq-start-time-cycles" = 2432206 : i64, "torq-task-id" = 385 : i64}() {
              "torq_hw.slice_wait"() <{id = 0 : index}> : () -> () loc(#loc92)
            } loc(#loc92)
            torq_hw.nss_task {"torq-end-time-cycles" = 2439586 : i64, "torq-start-time-cycles" = 2436349 : i64, "torq-task-id" = 386 : i64}() {
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[14016, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[14016, 1]]}>} loc(#loc92)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 3237 : i64} loc(#loc92)
              "torq_hw.slice_start"(%s2, %lram) <{id = 0 : index}> {"torq-async-duration-cycles" = 10617 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc92)
              torq_hw.dma_in_wait loc(#loc92)
            } loc(#loc92)
            torq_hw.nss_task {"torq-end-time-cycles" = 2439586 : i64, "torq-start-time-cycles" = 2439586 : i64, "torq-task-id" = 387 : i64}() {
              "torq_hw.slice_wait"() <{id = 1 : index}> : () -> () loc(#loc92)
            } loc(#loc92)
            torq_hw.nss_task {"torq-end-time-cycles" = 2439587 : i64, "torq-start-time-cycles" = 2439586 : i64, "torq-task-id" = 388 : i64}() {
              "torq_hw.slice_start"(%s2, %lram) <{id = 1 : index}> {"torq-async-duration-cycles" = 10617 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc92)
            } loc(#loc92)
            torq_hw.nss_task {"torq-end-time-cycles" = 2446966 : i64, "torq-start-time-cycles" = 2439587 : i64, "torq-task-id" = 389 : i64}() {
              "torq_hw.slice_wait"() <{id = 0 : index}> : () -> () loc(#loc92)
            } loc(#loc92)
            torq_hw.nss_task {"torq-end-time-cycles" = 2450203 : i64, "torq-start-time-cycles" = 2446966 : i64, "torq-task-id" = 390 : i64}() {
              "torq_hw.slice_wait"() <{id = 1 : index}> : () -> () loc(#loc92)
            } loc(#loc92)
            torq_hl.next lram_area(%area : memref<640xi8, #torq_hl<enc mem_space = lram>>) to ^bb1 {lramAddress = 0 : i64}
          ^bb1:  // pred: ^bb0
            torq_hw.nss_task {"torq-end-time-cycles" = 2450204 : i64, "torq-start-time-cycles" = 2450203 : i64, "torq-task-id" = 391 : i64}() {
              "torq_hw.slice_start"(%s3, %lram) <{id = 0 : index}> {"torq-async-duration-cycles" = 653 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc93)
            } loc(#loc93)
            torq_hw.nss_task {"torq-end-time-cycles" = 2450856 : i64, "torq-start-time-cycles" = 2450204 : i64, "torq-task-id" = 392 : i64}() {
              "torq_hw.slice_wait"() <{id = 0 : index}> : () -> () loc(#loc93)
            } loc(#loc93)
            torq_hw.nss_task {"torq-end-time-cycles" = 2455202 : i64, "torq-start-time-cycles" = 2450856 : i64, "torq-task-id" = 393 : i64}() {
              torq_hw.dma_out_cfg from %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> to %xram : memref<9437184xi8> {read_ndl = #torq_hw<dma_ndl{dims = [[18816, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[18816, 1]]}>} loc(#loc93)
              torq_hw.dma_out_start {"torq-async-duration-cycles" = 4346 : i64} loc(#loc93)
              torq_hw.dma_out_wait loc(#loc93)
            } loc(#loc93)
            torq_hl.return
          } loc(#loc143)
          %n2, %k2:2 = torq_hl.create_invocation "nss_program_2" program(%p2 : !torq_hl.program<nss>) on 0 {"torq-job-id" = 2 : i32} : !torq_hl.invocation<nss>, memref<364xi8>, memref<188xi8>
          %slot = memref.get_global @__program_slot0 : memref<640xi8, #torq_hl<enc mem_space = lram>>
          %block = torq_hl.get_block %n0 block 0 : !torq_hl.invocation<nss> -> memref<364xi8>
          torq_hl.host_copy %block : memref<364xi8> to %slot : memref<640xi8, #torq_hl<enc mem_space = lram>> {element_size_bytes = 364 : i64, input_strides_bytes = array<i64>, output_strides_bytes = array<i64>, shape = array<i64>, "torq-action-id" = 0 : i32} loc(#loc74)
          torq_hl.start_program %n0 : !torq_hl.invocation<nss> args(%i36, %i37, %i38, %cssi, %slot : !torq_hl.invocation<slice>, !torq_hl.invocation<slice>, !torq_hl.invocation<slice>, !torq_hl.invocation<css>, memref<640xi8, #torq_hl<enc mem_space = lram>>) code(%slot : memref<640xi8, #torq_hl<enc mem_space = lram>>) {"torq-action-id" = 1 : i32, "torq-end-time-cycles" = 2238266 : i64, "torq-start-time-cycles" = 2238266 : i64} loc(#loc141)
          torq_hl.wait_program %n0 : !torq_hl.invocation<nss> {"torq-action-id" = 2 : i32, "torq-end-time-cycles" = 2289488 : i64, "torq-start-time-cycles" = 2238266 : i64} loc(#loc141)
          torq_hl.start_program %n1 : !torq_hl.invocation<nss> args(%i39, %i40, %i41, %i42, %cssi, %slot : !torq_hl.invocation<slice>, !torq_hl.invocation<slice>, !torq_hl.invocation<slice>, !torq_hl.invocation<slice>, !torq_hl.invocation<css>, memref<640xi8, #torq_hl<enc mem_space = lram>>) code(%slot : memref<640xi8, #torq_hl<enc mem_space = lram>>) {"torq-action-id" = 3 : i32, "torq-end-time-cycles" = 2289488 : i64, "torq-start-time-cycles" = 2289488 : i64} loc(#loc142)
          torq_hl.wait_program %n1 : !torq_hl.invocation<nss> {"torq-action-id" = 4 : i32, "torq-end-time-cycles" = 2372345 : i64, "torq-start-time-cycles" = 2289488 : i64} loc(#loc142)
          torq_hl.host_copy %block : memref<364xi8> to %slot : memref<640xi8, #torq_hl<enc mem_space = lram>> {element_size_bytes = 364 : i64, input_strides_bytes = array<i64>, output_strides_bytes = array<i64>, shape = array<i64>, "torq-action-id" = 5 : i32} loc(#loc74)
          torq_hl.start_program %n2 : !torq_hl.invocation<nss> args(%i43, %i44, %i45, %i46, %cssi, %slot : !torq_hl.invocation<slice>, !torq_hl.invocation<slice>, !torq_hl.invocation<slice>, !torq_hl.invocation<slice>, !torq_hl.invocation<css>, memref<640xi8, #torq_hl<enc mem_space = lram>>) code(%slot : memref<640xi8, #torq_hl<enc mem_space = lram>>) {"torq-action-id" = 6 : i32, "torq-end-time-cycles" = 2372345 : i64, "torq-start-time-cycles" = 2372345 : i64} loc(#loc143)
          torq_hl.wait_program %n2 : !torq_hl.invocation<nss> {"torq-action-id" = 7 : i32, "torq-end-time-cycles" = 2455202 : i64, "torq-start-time-cycles" = 2372345 : i64} loc(#loc143)
          return
        }
      }
    }
  }
  hal.executable private @main_dispatch_4 {
    hal.executable.variant public @torq_fb target(<"torq", "torq-fb">) {
      builtin.module {
        memref.global "private" @__program_slot0 : memref<640xi8, #torq_hl<enc mem_space = lram>> = uninitialized {lram_address = 0 : i64}
        func.func @main_dispatch_4_conv2d_7x7() {
          torq_hw.dispatch_profiling
            memory : 831247 bytes
            total_cycle : 11789
          %w47 = torq_hl.program "slice_program_torq_hl.conv2d_47" : !torq_hl.program<slice> {
            torq_hw.slice_profiling
              memory : 47904 bytes
              memory_info : "1x14x14x96+576x1x1x96"
              max_cycle : 10617
              ndl_cycles : dedr(10612) dewr(1187) debr(16) deqw(3539) cedw(5306) cedr(10617) ceww(593) cewr(593) cepr(10608) acbw(16) acbr(3539) acpr(3539)
            torq_hl.return
          } loc(#loc96)
          %i47, %c47 = torq_hl.create_invocation "slice_program_torq_hl.conv2d_47" program(%w47 : !torq_hl.program<slice>) on 0 : !torq_hl.invocation<slice>, memref<264xi8>
          %w48 = torq_hl.program "slice_program_torq_hl.depthwise_48" : !torq_hl.program<slice> {
            torq_hw.slice_profiling
              memory : 75456 bytes
              memory_info : "1x14x14x576+1x3x3x576"
              max_cycle : 4018
              ndl_cycles : dedr(4018) dewr(454) debr(16) deqw(1339) cedw(2009) cedr(2009) ceww(227) cewr(227) cepr(4009) acbw(16) acbr(1339) acpr(1339)
            torq_hl.return
          } loc(#loc98)
          %i48, %c48 = torq_hl.create_invocation "slice_program_torq_hl.depthwise_48" program(%w48 : !torq_hl.program<slice>) on 0 : !torq_hl.invocation<slice>, memref<264xi8>
          %w49 = torq_hl.program "slice_program_torq_hl.conv2d_49" : !torq_hl.program<slice> {
            torq_hw.slice_profiling
              memory : 64752 bytes
              memory_info : "1x7x7x576+160x1x1x576"
              max_cycle : 8869
              ndl_cycles : dedr(8864) dewr(993) debr(16) deqw(2956) cedw(4432) cedr(8869) ceww(496) cewr(496) cepr(8860) acbw(16) acbr(2956) acpr(2956)
            torq_hl.return
          } loc(#loc100)
          %i49, %c49 = torq_hl.create_invocation "slice_program_torq_hl.conv2d_49" program(%w49 : !torq_hl.program<slice>) on 0 : !torq_hl.invocation<slice>, memref<264xi8>
          %w50 = torq_hl.program "slice_program_torq_hl.conv2d_50" : !torq_hl.program<slice> {
            torq_hw.slice_profiling
              memory : 72053 bytes
              memory_info : "1x7x7x160+960x1x1x160"
              max_cycle : 9838
              ndl_cycles : dedr(9833) dewr(1101) debr(16) deqw(3279) cedw(4916) cedr(9838) ceww(550) cewr(550) cepr(9829) acbw(16) acbr(3279) acpr(3279)
            torq_hl.return
          } loc(#loc102)
          %i50, %c50 = torq_hl.create_invocation "slice_program_torq_hl.conv2d_50" program(%w50 : !torq_hl.program<slice>) on 0 : !torq_hl.invocation<slice>, memref<264xi8>
          %w51 = torq_hl.program "slice_program_torq_hl.depthwise_51" : !torq_hl.program<slice> {
            torq_hw.slice_profiling
              memory : 55200 bytes
              memory_info : "1x7x7x960+1x3x3x960"
              max_cycle : 6664
              ndl_cycles : dedr(6664) dewr(748) debr(16) deqw(2221) cedw(3332) cedr(3332) ceww(374) cewr(374) cepr(6655) acbw(16) acbr(2221) acpr(2221)
            torq_hl.return
          } loc(#loc104)
          %i51, %c51 = torq_hl.create_invocation "slice_program_torq_hl.depthwise_51" program(%w51 : !torq_hl.program<slice>) on 0 : !torq_hl.invocation<slice>, memref<264xi8>
          %w52 = torq_hl.program "slice_program_torq_hl.conv2d_52" : !torq_hl.program<slice> {
            torq_hw.slice_profiling
              memory : 69920 bytes
              memory_info : "1x7x7x960+160x1x1x960"
              max_cycle : 9838
              ndl_cycles : dedr(9833) dewr(1101) debr(16) deqw(3279) cedw(4916) cedr(9838) ceww(550) cewr(550) cepr(9829) acbw(16) acbr(3279) acpr(3279)
            torq_hl.return
          } loc(#loc106)
          %i52, %c52 = torq_hl.create_invocation "slice_program_torq_hl.conv2d_52" program(%w52 : !torq_hl.program<slice>) on 0 : !torq_hl.invocation<slice>, memref<264xi8>
          %w53 = torq_hl.program "slice_program_torq_hl.add_53" : !torq_hl.program<slice> {
            torq_hw.slice_profiling
              memory : 23520 bytes
              memory_info : "1x7x7x160"
              max_cycle : 310
              ndl_cycles : dedr(310) dewr(42) debr(16) deqw(103) cedw(155) cedr(155) ceww(21) cewr(21) cepr(301) acbw(16) acbr(103) acpr(103)
            torq_hl.return
          } loc(#loc107)
          %i53, %c53 = torq_hl.create_invocation "slice_program_torq_hl.add_53" program(%w53 : !torq_hl.program<slice>) on 0 : !torq_hl.invocation<slice>, memref<264xi8>
          %w54 = torq_hl.program "slice_program_torq_hl.conv2d_54" : !torq_hl.program<slice> {
            torq_hw.slice_profiling
              memory : 72053 bytes
              memory_info : "1x7x7x160+960x1x1x160"
              max_cycle : 9838
              ndl_cycles : dedr(9833) dewr(1101) debr(16) deqw(3279) cedw(4916) cedr(9838) ceww(550) cewr(550) cepr(9829) acbw(16) acbr(3279) acpr(3279)
            torq_hl.return
          } loc(#loc110)
          %i54, %c54 = torq_hl.create_invocation "slice_program_torq_hl.conv2d_54" program(%w54 : !torq_hl.program<slice>) on 0 : !torq_hl.invocation<slice>, memref<264xi8>
          %w55 = torq_hl.program "slice_program_torq_hl.depthwise_55" : !torq_hl.program<slice> {
            torq_hw.slice_profiling
              memory : 55200 bytes
              memory_info : "1x7x7x960+1x3x3x960"
              max_cycle : 6664
              ndl_cycles : dedr(6664) dewr(748) debr(16) deqw(2221) cedw(3332) cedr(3332) ceww(374) cewr(374) cepr(6655) acbw(16) acbr(2221) acpr(2221)
            torq_hl.return
          } loc(#loc112)
          %i55, %c55 = torq_hl.create_invocation "slice_program_torq_hl.depthwise_55" program(%w55 : !torq_hl.program<slice>) on 0 : !torq_hl.invocation<slice>, memref<264xi8>
          %w56 = torq_hl.program "slice_program_torq_hl.conv2d_56" : !torq_hl.program<slice> {
            torq_hw.slice_profiling
              memory : 69920 bytes
              memory_info : "1x7x7x960+160x1x1x960"
              max_cycle : 9838
              ndl_cycles : dedr(9833) dewr(1101) debr(16) deqw(3279) cedw(4916) cedr(9838) ceww(550) cewr(550) cepr(9829) acbw(16) acbr(3279) acpr(3279)
            torq_hl.return
          } loc(#loc114)
          %i56, %c56 = torq_hl.create_invocation "slice_program_torq_hl.conv2d_56" program(%w56 : !torq_hl.program<slice>) on 0 : !torq_hl.invocation<slice>, memref<264xi8>
          %w57 = torq_hl.program "slice_program_torq_hl.add_57" : !torq_hl.program<slice> {
            torq_hw.slice_profiling
              memory : 23520 bytes
              memory_info : "1x7x7x160"
              max_cycle : 310
              ndl_cycles : dedr(310) dewr(42) debr(16) deqw(103) cedw(155) cedr(155) ceww(21) cewr(21) cepr(301) acbw(16) acbr(103) acpr(103)
            torq_hl.return
          } loc(#loc115)
          %i57, %c57 = torq_hl.create_invocation "slice_program_torq_hl.add_57" program(%w57 : !torq_hl.program<slice>) on 0 : !torq_hl.invocation<slice>, memref<264xi8>
          %w58 = torq_hl.program "slice_program_torq_hl.conv2d_58" : !torq_hl.program<slice> {
            torq_hw.slice_profiling
              memory : 72053 bytes
              memory_info : "1x7x7x160+960x1x1x160"
              max_cycle : 9838
              ndl_cycles : dedr(9833) dewr(1101) debr(16) deqw(3279) cedw(4916) cedr(9838) ceww(550) cewr(550) cepr(9829) acbw(16) acbr(3279) acpr(3279)
            torq_hl.return
          } loc(#loc118)
          %i58, %c58 = torq_hl.create_invocation "slice_program_torq_hl.conv2d_58" program(%w58 : !torq_hl.program<slice>) on 0 : !torq_hl.invocation<slice>, memref<264xi8>
          %w59 = torq_hl.program "slice_program_torq_hl.depthwise_59" : !torq_hl.program<slice> {
            torq_hw.slice_profiling
              memory : 55200 bytes
              memory_info : "1x7x7x960+1x3x3x960"
              max_cycle : 6664
              ndl_cycles : dedr(6664) dewr(748) debr(16) deqw(2221) cedw(3332) cedr(3332) ceww(374) cewr(374) cepr(6655) acbw(16) acbr(2221) acpr(2221)
            torq_hl.return
          } loc(#loc120)
          %i59, %c59 = torq_hl.create_invocation "slice_program_torq_hl.depthwise_59" program(%w59 : !torq_hl.program<slice>) on 0 : !torq_hl.invocation<slice>, memref<264xi8>
          %w60 = torq_hl.program "slice_program_torq_hl.conv2d_60" : !torq_hl.program<slice> {
            torq_hw.slice_profiling
              memory : 74496 bytes
              memory_info : "1x7x7x960+320x1x1x960"
              max_cycle : 11789
              ndl_cycles : dedr(11784) dewr(1317) debr(16) deqw(3929) cedw(5892) cedr(11789) ceww(658) cewr(658) cepr(11780) acbw(16) acbr(3929) acpr(3929)
            torq_hl.return
          } loc(#loc122)
          %i60, %c60 = torq_hl.create_invocation "slice_program_torq_hl.conv2d_60" program(%w60 : !torq_hl.program<slice>) on 0 : !torq_hl.invocation<slice>, memref<264xi8>
          %cp = torq_hl.program "css_program" : !torq_hl.program<css> {
            torq_hl.return
          }
          %cssi, %cssc = torq_hl.create_invocation "css_program" program(%cp : !torq_hl.program<css>) : !torq_hl.invocation<css>, memref<2048xi8>
          %p0 = torq_hl.program "nss_program_0" : !torq_hl.program<nss> {
          ^bb0(%s0: !torq_hl.invocation<slice>, %s1: !torq_hl.invocation<slice>, %s2: !torq_hl.invocation<slice>, %css: !torq_hl.invocation<css>, %area: memref<640xi8, #torq_hl<enc mem_space = lram>>):
            %xram = memref.get_global @__xram : memref<9437184xi8>
            %lram = memref.get_global @__lram : memref<262144xi8, #torq_hl<enc mem_space = lram>>
            torq_hw.nss_task {"torq-end-time-cycles" = 2458661 : i64, "torq-start-time-cycles" = 2455202 : i64, "torq-task-id" = 394 : i64}() {
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[14976, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[14976, 1]]}>} loc(#loc96)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 3459 : i64} loc(#loc96)
              torq_hw.dma_in_wait loc(#loc96)
            } loc(#loc96)
            torq_hw.nss_task {"torq-end-time-cycles" = 2462120 : i64, "torq-start-time-cycles" = 2458661 : i64, "torq-task-id" = 395 : i64}() {
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[14976, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[14976, 1]]}>} loc(#loc96)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 3459 : i64} loc(#loc96)
              "torq_hw.slice_start"(%s0, %lram) <{id = 0 : index}> {"torq-async-duration-cycles" = 10617 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc96)
              torq_hw.dma_in_wait loc(#loc96)
            } loc(#loc96)
            torq_hw.nss_task {"torq-end-time-cycles" = 2465579 : i64, "torq-start-time-cycles" = 2462120 : i64, "torq-task-id" = 396 : i64}() {
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[14976, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[14976, 1]]}>} loc(#loc96)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 3459 : i64} loc(#loc96)
              "torq_hw.slice_start"(%s0, %lram) <{id = 1 : index}> {"torq-async-duration-cycles" = 10617 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc96)
              torq_hw.dma_in_wait loc(#loc96)
            } loc(#loc96)
            torq_hw.nss_task {"torq-end-time-cycles" = 2469278 : i64, "torq-start-time-cycles" = 2465579 : i64, "torq-task-id" = 397 : i64}() {
              "torq_hw.slice_wait"() <{id = 0 : index}> : () -> () loc(#loc96)
            } loc(#loc96)
            torq_hw.nss_task {"torq-end-time-cycles" = 2472737 : i64, "torq-start-time-cycles" = 2469278 : i64, "torq-task-id" = 398 : i64}() {
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[14976, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[14976, 1]]}>} loc(#loc96)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 3459 : i64} loc(#loc96)
              "torq_hw.slice_start"(%s0, %lram) <{id = 0 : index}> {"torq-async-duration-cycles" = 10617 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc96)
              torq_hw.dma_in_wait loc(#loc96)
            } loc(#loc96)
            torq_hw.nss_task {"torq-end-time-cycles" = 2472737 : i64, "torq-start-time-cycles" = 2472737 : i64, "torq-task-id" = 399 : i64}() {
              "torq_hw.slice_wait"() <{id = 1 : index}> : () -> () loc(#loc96)
            } loc(#loc96)
            torq_hw.nss_task {"torq-end-time-cycles" = 2472738 : i64, "torq-start-time-cycles" = 2472737 : i64, "torq-task-id" = 400 : i64}() {
              "torq_hw.slice_start"(%s0, %lram) <{id = 1 : index}> {"torq-async-duration-cycles" = 10617 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc96)
            } loc(#loc96)
            torq_hw.nss_task {"torq-end-time-cycles" = 2479895 : i64, "torq-start-time-cycles" = 2472738 : i64, "torq-task-id" = 401 : i64}() {
              "torq_hw.slice_wait"() <{id = 0 : index}> : () -> () loc(#loc96)
            } loc(#loc96)
            torq_hw.nss_task {"torq-end-time-cycles" = 2483354 : i64, "torq-start-time-cycles" = 2479895 : i64, "torq-task-id" = 402 : i64}() {
              "torq_hw.slice_wait"() <{id = 1 : index}> : () -> () loc(#loc96)
            } loc(#loc96)
            torq_hw.nss_task {"torq-end-time-cycles" = 2484485 : i64, "torq-start-time-cycles" = 2483354 : i64, "torq-task-id" = 403 : i64}() {
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[4896, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[4896, 1]]}>} loc(#loc98)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 1131 : i64} loc(#loc98)
              torq_hw.dma_in_wait loc(#loc98)
            } loc(#loc98)
            torq_hw.nss_task {"torq-end-time-cycles" = 2485616 : i64, "torq-start-time-cycles" = 2484485 : i64, "torq-task-id" = 404 : i64}() {
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[4896, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[4896, 1]]}>} loc(#loc98)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 1131 : i64} loc(#loc98)
              "torq_hw.slice_start"(%s1, %lram) <{id = 0 : index}> {"torq-async-duration-cycles" = 4018 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc98)
              torq_hw.dma_in_wait loc(#loc98)
            } loc(#loc98)
            torq_hw.nss_task {"torq-end-time-cycles" = 2485617 : i64, "torq-start-time-cycles" = 2485616 : i64, "torq-task-id" = 405 : i64}() {
              "torq_hw.slice_start"(%s1, %lram) <{id = 1 : index}> {"torq-async-duration-cycles" = 4018 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc98)
            } loc(#loc98)
            torq_hw.nss_task {"torq-end-time-cycles" = 2488503 : i64, "torq-start-time-cycles" = 2485617 : i64, "torq-task-id" = 406 : i64}() {
              "torq_hw.slice_wait"() <{id = 0 : index}> : () -> () loc(#loc98)
            } loc(#loc98)
            torq_hw.nss_task {"torq-end-time-cycles" = 2489634 : i64, "torq-start-time-cycles" = 2488503 : i64, "torq-task-id" = 407 : i64}() {
              "torq_hw.slice_wait"() <{id = 1 : index}> : () -> () loc(#loc98)
            } loc(#loc98)
            torq_hw.nss_task {"torq-end-time-cycles" = 2500424 : i64, "torq-start-time-cycles" = 2489634 : i64, "torq-task-id" = 408 : i64}() {
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[46720, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[46720, 1]]}>} loc(#loc100)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 10790 : i64} loc(#loc100)
              torq_hw.dma_in_wait loc(#loc100)
            } loc(#loc100)
            torq_hw.nss_task {"torq-end-time-cycles" = 2511214 : i64, "torq-start-time-cycles" = 2500424 : i64, "torq-task-id" = 409 : i64}() {
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[46720, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[46720, 1]]}>} loc(#loc100)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 10790 : i64} loc(#loc100)
              "torq_hw.slice_start"(%s2, %lram) <{id = 0 : index}> {"torq-async-duration-cycles" = 8869 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc100)
              torq_hw.dma_in_wait loc(#loc100)
            } loc(#loc100)
            torq_hw.nss_task {"torq-end-time-cycles" = 2511215 : i64, "torq-start-time-cycles" = 2511214 : i64, "torq-task-id" = 410 : i64}() {
              "torq_hw.slice_start"(%s2, %lram) <{id = 1 : index}> {"torq-async-duration-cycles" = 8869 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc100)
            } loc(#loc100)
            torq_hw.nss_task {"torq-end-time-cycles" = 2511215 : i64, "torq-start-time-cycles" = 2511215 : i64, "torq-task-id" = 411 : i64}() {
              "torq_hw.slice_wait"() <{id = 0 : index}> : () -> () loc(#loc100)
            } loc(#loc100)
            torq_hw.nss_task {"torq-end-time-cycles" = 2511215 : i64, "torq-start-time-cycles" = 2511215 : i64, "torq-task-id" = 412 : i64}() {
              torq_hw.dma_out_cfg from %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> to %xram : memref<9437184xi8> {read_ndl = #torq_hw<dma_ndl{dims = [[3920, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[3920, 1]]}>} loc(#loc100)
              torq_hw.dma_out_start {"torq-async-duration-cycles" = 906 : i64} loc(#loc100)
            } loc(#loc100)
            torq_hw.nss_task {"torq-end-time-cycles" = 2520083 : i64, "torq-start-time-cycles" = 2511215 : i64, "torq-task-id" = 413 : i64}() {
              "torq_hw.slice_wait"() <{id = 1 : index}> : () -> () loc(#loc100)
              torq_hw.dma_out_wait loc(#loc100)
            } loc(#loc100)
            torq_hw.nss_task {"torq-end-time-cycles" = 2520989 : i64, "torq-start-time-cycles" = 2520083 : i64, "torq-task-id" = 414 : i64}() {
              torq_hw.dma_out_cfg from %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> to %xram : memref<9437184xi8> {read_ndl = #torq_hw<dma_ndl{dims = [[3920, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[3920, 1]]}>} loc(#loc100)
              torq_hw.dma_out_start {"torq-async-duration-cycles" = 906 : i64} loc(#loc100)
              torq_hw.dma_out_wait loc(#loc100)
            } loc(#loc100)
            torq_hl.return
          } loc(#loc144)
          %n0, %k0 = torq_hl.create_invocation "nss_program_0" program(%p0 : !torq_hl.program<nss>) on 0 {"torq-job-id" = 0 : i32} : !torq_hl.invocation<nss>, memref<364xi8>
          %p1 = torq_hl.program "nss_program_1" : !torq_hl.program<nss> {
          ^bb0(%s0: !torq_hl.invocation<slice>, %s1: !torq_hl.invocation<slice>, %s2: !torq_hl.invocation<slice>, %s3: !torq_hl.invocation<slice>, %css: !torq_hl.invocation<css>, %area: memref<640xi8, #torq_hl<enc mem_space = lram>>):
            %xram = memref.get_global @__xram : memref<9437184xi8>
            %lram = memref.get_global @__lram : memref<262144xi8, #torq_hl<enc mem_space = lram>>
            torq_hw.nss_task {"torq-end-time-cycles" = 2533405 : i64, "torq-start-time-cycles" = 2520989 : i64, "torq-task-id" = 415 : i64}() {
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[53760, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[53760, 1]]}>} loc(#loc102)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 12416 : i64} loc(#loc102)
              torq_hw.dma_in_wait loc(#loc102)
            } loc(#loc102)
            torq_hw.nss_task {"torq-end-time-cycles" = 2545821 : i64, "torq-start-time-cycles" = 2533405 : i64, "torq-task-id" = 416 : i64}() {
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[53760, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[53760, 1]]}>} loc(#loc102)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 12416 : i64} loc(#loc102)
              "torq_hw.slice_start"(%s0, %lram) <{id = 0 : index}> {"torq-async-duration-cycles" = 9838 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc102)
              torq_hw.dma_in_wait loc(#loc102)
            } loc(#loc102)
            torq_hw.nss_task {"torq-end-time-cycles" = 2558237 : i64, "torq-start-time-cycles" = 2545821 : i64, "torq-task-id" = 417 : i64}() {
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[53760, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[53760, 1]]}>} loc(#loc102)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 12416 : i64} loc(#loc102)
              "torq_hw.slice_start"(%s0, %lram) <{id = 1 : index}> {"torq-async-duration-cycles" = 9838 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc102)
              torq_hw.dma_in_wait loc(#loc102)
            } loc(#loc102)
            torq_hw.nss_task {"torq-end-time-cycles" = 2558237 : i64, "torq-start-time-cycles" = 2558237 : i64, "torq-task-id" = 418 : i64}() {
              "torq_hw.slice_wait"() <{id = 0 : index}> : () -> () loc(#loc102)
            } loc(#loc102)
            torq_hw.nss_task {"torq-end-time-cycles" = 2558238 : i64, "torq-start-time-cycles" = 2558237 : i64, "torq-task-id" = 419 : i64}() {
              "torq_hw.slice_start"(%s0, %lram) <{id = 0 : index}> {"torq-async-duration-cycles" = 9838 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc102)
            } loc(#loc102)
            torq_hw.nss_task {"torq-end-time-cycles" = 2558238 : i64, "torq-start-time-cycles" = 2558238 : i64, "torq-task-id" = 420 : i64}() {
              "torq_hw.slice_wait"() <{id = 1 : index}> : () -> () loc(#loc102)
            } loc(#loc102)
            torq_hw.nss_task {"torq-end-time-cycles" = 2568075 : i64, "torq-start-time-cycles" = 2558238 : i64, "torq-task-id" = 421 : i64}() {
              "torq_hw.slice_wait"() <{id = 0 : index}> : () -> () loc(#loc102)
            } loc(#loc102)
            torq_hw.nss_task {"torq-end-time-cycles" = 2569960 : i64, "torq-start-time-cycles" = 2568075 : i64, "torq-task-id" = 422 : i64}() {
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[8160, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[8160, 1]]}>} loc(#loc104)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 1885 : i64} loc(#loc104)
              torq_hw.dma_in_wait loc(#loc104)
            } loc(#loc104)
            torq_hw.nss_task {"torq-end-time-cycles" = 2571845 : i64, "torq-start-time-cycles" = 2569960 : i64, "torq-task-id" = 423 : i64}() {
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[8160, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[8160, 1]]}>} loc(#loc104)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 1885 : i64} loc(#loc104)
              "torq_hw.slice_start"(%s1, %lram) <{id = 0 : index}> {"torq-async-duration-cycles" = 6664 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc104)
              torq_hw.dma_in_wait loc(#loc104)
            } loc(#loc104)
            torq_hw.nss_task {"torq-end-time-cycles" = 2571846 : i64, "torq-start-time-cycles" = 2571845 : i64, "torq-task-id" = 424 : i64}() {
              "torq_hw.slice_start"(%s1, %lram) <{id = 1 : index}> {"torq-async-duration-cycles" = 6664 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc104)
            } loc(#loc104)
            torq_hw.nss_task {"torq-end-time-cycles" = 2576624 : i64, "torq-start-time-cycles" = 2571846 : i64, "torq-task-id" = 425 : i64}() {
              "torq_hw.slice_wait"() <{id = 0 : index}> : () -> () loc(#loc104)
            } loc(#loc104)
            torq_hw.nss_task {"torq-end-time-cycles" = 2578509 : i64, "torq-start-time-cycles" = 2576624 : i64, "torq-task-id" = 426 : i64}() {
              "torq_hw.slice_wait"() <{id = 1 : index}> : () -> () loc(#loc104)
            } loc(#loc104)
            torq_hw.nss_task {"torq-end-time-cycles" = 2590432 : i64, "torq-start-time-cycles" = 2578509 : i64, "torq-task-id" = 427 : i64}() {
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[51626, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[51626, 1]]}>} loc(#loc106)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 11923 : i64} loc(#loc106)
              torq_hw.dma_in_wait loc(#loc106)
            } loc(#loc106)
            torq_hw.nss_task {"torq-end-time-cycles" = 2602355 : i64, "torq-start-time-cycles" = 2590432 : i64, "torq-task-id" = 428 : i64}() {
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[51626, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[51626, 1]]}>} loc(#loc106)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 11923 : i64} loc(#loc106)
              "torq_hw.slice_start"(%s2, %lram) <{id = 0 : index}> {"torq-async-duration-cycles" = 9838 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc106)
              torq_hw.dma_in_wait loc(#loc106)
            } loc(#loc106)
            torq_hw.nss_task {"torq-end-time-cycles" = 2614278 : i64, "torq-start-time-cycles" = 2602355 : i64, "torq-task-id" = 429 : i64}() {
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[51626, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[51626, 1]]}>} loc(#loc106)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 11923 : i64} loc(#loc106)
              "torq_hw.slice_start"(%s2, %lram) <{id = 1 : index}> {"torq-async-duration-cycles" = 9838 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc106)
              torq_hw.dma_in_wait loc(#loc106)
            } loc(#loc106)
            torq_hw.nss_task {"torq-end-time-cycles" = 2614278 : i64, "torq-start-time-cycles" = 2614278 : i64, "torq-task-id" = 430 : i64}() {
              "torq_hw.slice_wait"() <{id = 0 : index}> : () -> () loc(#loc106)
            } loc(#loc106)
            torq_hw.nss_task {"torq-end-time-cycles" = 2614279 : i64, "torq-start-time-cycles" = 2614278 : i64, "torq-task-id" = 431 : i64}() {
              "torq_hw.slice_start"(%s2, %lram) <{id = 0 : index}> {"torq-async-duration-cycles" = 9838 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc106)
            } loc(#loc106)
            torq_hw.nss_task {"torq-end-time-cycles" = 2614279 : i64, "torq-start-time-cycles" = 2614279 : i64, "torq-task-id" = 432 : i64}() {
              "torq_hw.slice_wait"() <{id = 1 : index}> : () -> () loc(#loc106)
            } loc(#loc106)
            torq_hw.nss_task {"torq-end-time-cycles" = 2624116 : i64, "torq-start-time-cycles" = 2614279 : i64, "torq-task-id" = 433 : i64}() {
              "torq_hw.slice_wait"() <{id = 0 : index}> : () -> () loc(#loc106)
            } loc(#loc106)
            torq_hw.nss_task {"torq-end-time-cycles" = 2624117 : i64, "torq-start-time-cycles" = 2624116 : i64, "torq-task-id" = 434 : i64}() {
              "torq_hw.slice_start"(%s3, %lram) <{id = 0 : index}> {"torq-async-duration-cycles" = 310 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc107)
            } loc(#loc107)
            torq_hw.nss_task {"torq-end-time-cycles" = 2624426 : i64, "torq-start-time-cycles" = 2624117 : i64, "torq-task-id" = 435 : i64}() {
              "torq_hw.slice_wait"() <{id = 0 : index}> : () -> () loc(#loc107)
            } loc(#loc107)
            torq_hw.nss_task {"torq-end-time-cycles" = 2626237 : i64, "torq-start-time-cycles" = 2624426 : i64, "torq-task-id" = 436 : i64}() {
              torq_hw.dma_out_cfg from %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> to %xram : memref<9437184xi8> {read_ndl = #torq_hw<dma_ndl{dims = [[7840, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[7840, 1]]}>} loc(#loc107)
              torq_hw.dma_out_start {"torq-async-duration-cycles" = 1811 : i64} loc(#loc107)
              torq_hw.dma_out_wait loc(#loc107)
            } loc(#loc107)
            torq_hl.return
          } loc(#loc145)
          %n1, %k1 = torq_hl.create_invocation "nss_program_1" program(%p1 : !torq_hl.program<nss>) on 0 {"torq-job-id" = 1 : i32} : !torq_hl.invocation<nss>, memref<364xi8>
          %p2 = torq_hl.program "nss_program_2" : !torq_hl.program<nss> {
          ^bb0(%s0: !torq_hl.invocation<slice>, %s1: !torq_hl.invocation<slice>, %s2: !torq_hl.invocation<slice>, %s3: !torq_hl.invocation<slice>, %css: !torq_hl.invocation<css>, %area: memref<640xi8, #torq_hl<enc mem_space = lram>>):
            %xram = memref.get_global @__xram : memref<9437184xi8>
            %lram = memref.get_global @__lram : memref<262144xi8, #torq_hl<enc mem_space = lram>>
            torq_hw.nss_task {"torq-end-time-cycles" = 2638653 : i64, "torq-start-time-cycles" = 2626237 : i64, "torq-task-id" = 437 : i64}() {
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[53760, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[53760, 1]]}>} loc(#loc110)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 12416 : i64} loc(#loc110)
              torq_hw.dma_in_wait loc(#loc110)
            } loc(#loc110)
            torq_hw.nss_task {"torq-end-time-cycles" = 2651069 : i64, "torq-start-time-cycles" = 2638653 : i64, "torq-task-id" = 438 : i64}() {
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[53760, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[53760, 1]]}>} loc(#loc110)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 12416 : i64} loc(#loc110)
              "torq_hw.slice_start"(%s0, %lram) <{id = 0 : index}> {"torq-async-duration-cycles" = 9838 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc110)
              torq_hw.dma_in_wait loc(#loc110)
            } loc(#loc110)
            torq_hw.nss_task {"torq-end-time-cycles" = 2663485 : i64, "torq-start-time-cycles" = 2651069 : i64, "torq-task-id" = 439 : i64}() {
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[53760, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[53760, 1]]}>} loc(#loc110)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 12416 : i64} loc(#loc110)
              "torq_hw.slice_start"(%s0, %lram) <{id = 1 : index}> {"torq-async-duration-cycles" = 9838 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc110)
              torq_hw.dma_in_wait loc(#loc110)
            } loc(#loc110)
            torq_hw.nss_task {"torq-end-time-cycles" = 2663485 : i64, "torq-start-time-cycles" = 2663485 : i64, "torq-task-id" = 440 : i64}() {
              "torq_hw.slice_wait"() <{id = 0 : index}> : () -> () loc(#loc110)
            } loc(#loc110)
            torq_hw.nss_task {"torq-end-time-cycles" = 2663486 : i64, "torq-start-time-cycles" = 2663485 : i64, "torq-task-id" = 441 : i64}() {
              "torq_hw.slice_start"(%s0, %lram) <{id = 0 : index}> {"torq-async-duration-cycles" = 9838 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc110)
            } loc(#loc110)
            torq_hw.nss_task {"torq-end-time-cycles" = 2663486 : i64, "torq-start-time-cycles" = 2663486 : i64, "torq-task-id" = 442 : i64}() {
              "torq_hw.slice_wait"() <{id = 1 : index}> : () -> () loc(#loc110)
            } loc(#loc110)
            torq_hw.nss_task {"torq-end-time-cycles" = 2673323 : i64, "torq-start-time-cycles" = 2663486 : i64, "torq-task-id" = 443 : i64}() {
              "torq_hw.slice_wait"() <{id = 0 : index}> : () -> () loc(#loc110)
            } loc(#loc110)
            torq_hw.nss_task {"torq-end-time-cycles" = 2675208 : i64, "torq-start-time-cycles" = 2673323 : i64, "torq-task-id" = 444 : i64}() {
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[8160, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[8160, 1]]}>} loc(#loc112)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 1885 : i64} loc(#loc112)
              torq_hw.dma_in_wait loc(#loc112)
            } loc(#loc112)
            torq_hw.nss_task {"torq-end-time-cycles" = 2677093 : i64, "torq-start-time-cycles" = 2675208 : i64, "torq-task-id" = 445 : i64}() {
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[8160, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[8160, 1]]}>} loc(#loc112)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 1885 : i64} loc(#loc112)
              "torq_hw.slice_start"(%s1, %lram) <{id = 0 : index}> {"torq-async-duration-cycles" = 6664 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc112)
              torq_hw.dma_in_wait loc(#loc112)
            } loc(#loc112)
            torq_hw.nss_task {"torq-end-time-cycles" = 2677094 : i64, "torq-start-time-cycles" = 2677093 : i64, "torq-task-id" = 446 : i64}() {
              "torq_hw.slice_start"(%s1, %lram) <{id = 1 : index}> {"torq-async-duration-cycles" = 6664 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc112)
            } loc(#loc112)
            torq_hw.nss_task {"torq-end-time-cycles" = 2681872 : i64, "torq-start-time-cycles" = 2677094 : i64, "torq-task-id" = 447 : i64}() {
              "torq_hw.slice_wait"() <{id = 0 : index}> : () -> () loc(#loc112)
            } loc(#loc112)
            torq_hw.nss_task {"torq-end-time-cycles" = 2683757 : i64, "torq-start-time-cycles" = 2681872 : i64, "torq-task-id" = 448 : i64}() {
              "torq_hw.slice_wait"() <{id = 1 : index}> : () -> () loc(#loc112)
            } loc(#loc112)
            torq_hw.nss_task {"torq-end-time-cycles" = 2695680 : i64, "torq-start-time-cycles" = 2683757 : i64, "torq-task-id" = 449 : i64}() {
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[51626, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[51626, 1]]}>} loc(#loc114)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 11923 : i64} loc(#loc114)
              torq_hw.dma_in_wait loc(#loc114)
            } loc(#loc114)
            torq_hw.nss_task {"torq-end-time-cycles" = 2707603 : i64, "torq-start-time-cycles" = 2695680 : i64, "torq-task-id" = 450 : i64}() {
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[51626, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[51626, 1]]}>} loc(#loc114)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 11923 : i64} loc(#loc114)
              "torq_hw.slice_start"(%s2, %lram) <{id = 0 : index}> {"torq-async-duration-cycles" = 9838 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc114)
              torq_hw.dma_in_wait loc(#loc114)
            } loc(#loc114)
            torq_hw.nss_task {"torq-end-time-cycles" = 2719526 : i64, "torq-start-time-cycles" = 2707603 : i64, "torq-task-id" = 451 : i64}() {
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[51626, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[51626, 1]]}>} loc(#loc114)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 11923 : i64} loc(#loc114)
              "torq_hw.slice_start"(%s2, %lram) <{id = 1 : index}> {"torq-async-duration-cycles" = 9838 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc114)
              torq_hw.dma_in_wait loc(#loc114)
            } loc(#loc114)
            torq_hw.nss_task {"torq-end-time-cycles" = 2719526 : i64, "torq-start-time-cycles" = 2719526 : i64, "torq-task-id" = 452 : i64}() {
              "torq_hw.slice_wait"() <{id = 0 : index}> : () -> () loc(#loc114)
            } loc(#loc114)
            torq_hw.nss_task {"torq-end-time-cycles" = 2719527 : i64, "torq-start-time-cycles" = 2719526 : i64, "torq-task-id" = 453 : i64}() {
              "torq_hw.slice_start"(%s2, %lram) <{id = 0 : index}> {"torq-async-duration-cycles" = 9838 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc114)
            } loc(#loc114)
            torq_hw.nss_task {"torq-end-time-cycles" = 2719527 : i64, "torq-start-time-cycles" = 2719527 : i64, "torq-task-id" = 454 : i64}() {
              "torq_hw.slice_wait"() <{id = 1 : index}> : () -> () loc(#loc114)
            } loc(#loc114)
            torq_hw.nss_task {"torq-end-time-cycles" = 2729364 : i64, "torq-start-time-cycles" = 2719527 : i64, "torq-task-id" = 455 : i64}() {
              "torq_hw.slice_wait"() <{id = 0 : index}> : () -> () loc(#loc114)
            } loc(#loc114)
            torq_hw.nss_task {"torq-end-time-cycles" = 2729365 : i64, "torq-start-time-cycles" = 2729364 : i64, "torq-task-id" = 456 : i64}() {
              "torq_hw.slice_start"(%s3, %lram) <{id = 0 : index}> {"torq-async-duration-cycles" = 310 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc115)
            } loc(#loc115)
            torq_hw.nss_task {"torq-end-time-cycles" = 2729674 : i64, "torq-start-time-cycles" = 2729365 : i64, "torq-task-id" = 457 : i64}() {
              "torq_hw.slice_wait"() <{id = 0 : index}> : () -> () loc(#loc115)
            } loc(#loc115)
            torq_hw.nss_task {"torq-end-time-cycles" = 2731485 : i64, "torq-start-time-cycles" = 2729674 : i64, "torq-task-id" = 458 : i64}() {
              torq_hw.dma_out_cfg from %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> to %xram : memref<9437184xi8> {read_ndl = #torq_hw<dma_ndl{dims = [[7840, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[7840, 1]]}>} loc(#loc115)
              torq_hw.dma_out_start {"torq-async-duration-cycles" = 1811 : i64} loc(#loc115)
              torq_hw.dma_out_wait loc(#loc115)
            } loc(#loc115)
            torq_hl.return
          } loc(#loc146)
          %n2, %k2 = torq_hl.create_invocation "nss_program_2" program(%p2 : !torq_hl.program<nss>) on 0 {"torq-job-id" = 2 : i32} : !torq_hl.invocation<nss>, memref<364xi8>
          %p3 = torq_hl.program "nss_program_3" : !torq_hl.program<nss> {
          ^bb0(%s0: !torq_hl.invocation<slice>, %s1: !torq_hl.invocation<slice>, %s2: !torq_hl.invocation<slice>, %css: !torq_hl.invocation<css>, %area: memref<640xi8, #torq_hl<enc mem_space = lram>>):
            %xram = memref.get_global @__xram : memref<9437184xi8>
            %lram = memref.get_global @__lram : memref<262144xi8, #torq_hl<enc mem_space = lram>>
            torq_hw.nss_task {"torq-end-time-cycles" = 2743901 : i64, "torq-start-time-cycles" = 2731485 : i64, "torq-task-id" = 459 : i64}() {
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[53760, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[53760, 1]]}>} loc(#loc118)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 12416 : i64} loc(#loc118)
              torq_hw.dma_in_wait loc(#loc118)
            } loc(#loc118)
            torq_hw.nss_task {"torq-end-time-cycles" = 2756317 : i64, "torq-start-time-cycles" = 2743901 : i64, "torq-task-id" = 460 : i64}() {
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[53760, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[53760, 1]]}>} loc(#loc118)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 12416 : i64} loc(#loc118)
              "torq_hw.slice_start"(%s0, %lram) <{id = 0 : index}> {"torq-async-duration-cycles" = 9838 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc118)
              torq_hw.dma_in_wait loc(#loc118)
            } loc(#loc118)
            torq_hw.nss_task {"torq-end-time-cycles" = 2768733 : i64, "torq-start-time-cycles" = 2756317 : i64, "torq-task-id" = 461 : i64}() {
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[53760, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[53760, 1]]}>} loc(#loc118)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 12416 : i64} loc(#loc118)
              "torq_hw.slice_start"(%s0, %lram) <{id = 1 : index}> {"torq-async-duration-cycles" = 9838 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc118)
              torq_hw.dma_in_wait loc(#loc118)
            } loc(#loc118)
            torq_hw.nss_task {"torq-end-time-cycles" = 2768733 : i64, "torq-start-time-cycles" = 2768733 : i64, "torq-task-id" = 462 : i64}() {
              "torq_hw.slice_wait"() <{id = 0 : index}> : () -> () loc(#loc118)
            } loc(#loc118)
            torq_hw.nss_task {"torq-end-time-cycles" = 2768734 : i64, "torq-start-time-cycles" = 2768733 : i64, "torq-task-id" = 463 : i64}() {
              "torq_hw.slice_start"(%s0, %lram) <{id = 0 : index}> {"torq-async-duration-cycles" = 9838 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc118)
            } loc(#loc118)
            torq_hw.nss_task {"torq-end-time-cycles" = 2768734 : i64, "torq-start-time-cycles" = 2768734 : i64, "torq-task-id" = 464 : i64}() {
              "torq_hw.slice_wait"() <{id = 1 : index}> : () -> () loc(#loc118)
            } loc(#loc118)
            torq_hw.nss_task {"torq-end-time-cycles" = 2778571 : i64, "torq-start-time-cycles" = 2768734 : i64, "torq-task-id" = 465 : i64}() {
              "torq_hw.slice_wait"() <{id = 0 : index}> : () -> () loc(#loc118)
            } loc(#loc118)
            torq_hw.nss_task {"torq-end-time-cycles" = 2780456 : i64, "torq-start-time-cycles" = 2778571 : i64, "torq-task-id" = 466 : i64}() {
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[8160, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[8160, 1]]}>} loc(#loc120)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 1885 : i64} loc(#loc120)
              torq_hw.dma_in_wait loc(#loc120)
            } loc(#loc120)
            torq_hw.nss_task {"torq-end-time-cycles" = 2782341 : i64, "torq-start-time-cycles" = 2780456 : i64, "torq-task-id" = 467 : i64}() {
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[8160, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[8160, 1]]}>} loc(#loc120)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 1885 : i64} loc(#loc120)
              "torq_hw.slice_start"(%s1, %lram) <{id = 0 : index}> {"torq-async-duration-cycles" = 6664 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc120)
              torq_hw.dma_in_wait loc(#loc120)
            } loc(#loc120)
            torq_hw.nss_task {"torq-end-time-cycles" = 2782342 : i64, "torq-start-time-cycles" = 2782341 : i64, "torq-task-id" = 468 : i64}() {
              "torq_hw.slice_start"(%s1, %lram) <{id = 1 : index}> {"torq-async-duration-cycles" = 6664 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc120)
            } loc(#loc120)
            torq_hw.nss_task {"torq-end-time-cycles" = 2787120 : i64, "torq-start-time-cycles" = 2782342 : i64, "torq-task-id" = 469 : i64}() {
              "torq_hw.slice_wait"() <{id = 0 : index}> : () -> () loc(#loc120)
            } loc(#loc120)
            torq_hw.nss_task {"torq-end-time-cycles" = 2789005 : i64, "torq-start-time-cycles" = 2787120 : i64, "torq-task-id" = 470 : i64}() {
              "torq_hw.slice_wait"() <{id = 1 : index}> : () -> () loc(#loc120)
            } loc(#loc120)
            torq_hw.nss_task {"torq-end-time-cycles" = 2803313 : i64, "torq-start-time-cycles" = 2789005 : i64, "torq-task-id" = 471 : i64}() {
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[61952, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[61952, 1]]}>} loc(#loc122)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 14308 : i64} loc(#loc122)
              torq_hw.dma_in_wait loc(#loc122)
            } loc(#loc122)
            torq_hw.nss_task {"torq-end-time-cycles" = 2817621 : i64, "torq-start-time-cycles" = 2803313 : i64, "torq-task-id" = 472 : i64}() {
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[61952, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[61952, 1]]}>} loc(#loc122)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 14308 : i64} loc(#loc122)
              "torq_hw.slice_start"(%s2, %lram) <{id = 0 : index}> {"torq-async-duration-cycles" = 11789 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc122)
              torq_hw.dma_in_wait loc(#loc122)
            } loc(#loc122)
            torq_hw.nss_task {"torq-end-time-cycles" = 2831929 : i64, "torq-start-time-cycles" = 2817621 : i64, "torq-task-id" = 473 : i64}() {
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[61952, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[61952, 1]]}>} loc(#loc122)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 14308 : i64} loc(#loc122)
              "torq_hw.slice_start"(%s2, %lram) <{id = 1 : index}> {"torq-async-duration-cycles" = 11789 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc122)
              torq_hw.dma_in_wait loc(#loc122)
            } loc(#loc122)
            torq_hw.nss_task {"torq-end-time-cycles" = 2831929 : i64, "torq-start-time-cycles" = 2831929 : i64, "torq-task-id" = 474 : i64}() {
              "torq_hw.slice_wait"() <{id = 0 : index}> : () -> () loc(#loc122)
            } loc(#loc122)
            torq_hw.nss_task {"torq-end-time-cycles" = 2846237 : i64, "torq-start-time-cycles" = 2831929 : i64, "torq-task-id" = 475 : i64}() {
              torq_hw.dma_out_cfg from %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> to %xram : memref<9437184xi8> {read_ndl = #torq_hw<dma_ndl{dims = [[3136, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[3136, 1]]}>} loc(#loc122)
              torq_hw.dma_out_start {"torq-async-duration-cycles" = 725 : i64} loc(#loc122)
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[61952, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[61952, 1]]}>} loc(#loc122)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 14308 : i64} loc(#loc122)
              "torq_hw.slice_start"(%s2, %lram) <{id = 0 : index}> {"torq-async-duration-cycles" = 11789 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc122)
              torq_hw.dma_in_wait loc(#loc122)
            } loc(#loc122)
            torq_hw.nss_task {"torq-end-time-cycles" = 2846237 : i64, "torq-start-time-cycles" = 2846237 : i64, "torq-task-id" = 476 : i64}() {
              "torq_hw.slice_wait"() <{id = 1 : index}> : () -> () loc(#loc122)
              torq_hw.dma_out_wait loc(#loc122)
            } loc(#loc122)
            torq_hw.nss_task {"torq-end-time-cycles" = 2860545 : i64, "torq-start-time-cycles" = 2846237 : i64, "torq-task-id" = 477 : i64}() {
              torq_hw.dma_out_cfg from %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> to %xram : memref<9437184xi8> {read_ndl = #torq_hw<dma_ndl{dims = [[3136, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[3136, 1]]}>} loc(#loc122)
              torq_hw.dma_out_start {"torq-async-duration-cycles" = 725 : i64} loc(#loc122)
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[61952, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[61952, 1]]}>} loc(#loc122)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 14308 : i64} loc(#loc122)
              "torq_hw.slice_start"(%s2, %lram) <{id = 1 : index}> {"torq-async-duration-cycles" = 11789 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc122)
              torq_hw.dma_in_wait loc(#loc122)
            } loc(#loc122)
            torq_hw.nss_task {"torq-end-time-cycles" = 2860545 : i64, "torq-start-time-cycles" = 2860545 : i64, "torq-task-id" = 478 : i64}() {
              "torq_hw.slice_wait"() <{id = 0 : index}> : () -> () loc(#loc122)
              torq_hw.dma_out_wait loc(#loc122)
            } loc(#loc122)
            torq_hw.nss_task {"torq-end-time-cycles" = 2860546 : i64, "torq-start-time-cycles" = 2860545 : i64, "torq-task-id" = 479 : i64}() {
              torq_hw.dma_out_cfg from %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> to %xram : memref<9437184xi8> {read_ndl = #torq_hw<dma_ndl{dims = [[3136, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[3136, 1]]}>} loc(#loc122)
              torq_hw.dma_out_start {"torq-async-duration-cycles" = 725 : i64} loc(#loc122)
              "torq_hw.slice_start"(%s2, %lram) <{id = 0 : index}> {"torq-async-duration-cycles" = 11789 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc122)
            } loc(#loc122)
            torq_hw.nss_task {"torq-end-time-cycles" = 2861270 : i64, "torq-start-time-cycles" = 2860546 : i64, "torq-task-id" = 480 : i64}() {
              "torq_hw.slice_wait"() <{id = 1 : index}> : () -> () loc(#loc122)
              torq_hw.dma_out_wait loc(#loc122)
            } loc(#loc122)
            torq_hw.nss_task {"torq-end-time-cycles" = 2861270 : i64, "torq-start-time-cycles" = 2861270 : i64, "torq-task-id" = 481 : i64}() {
              torq_hw.dma_out_cfg from %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> to %xram : memref<9437184xi8> {read_ndl = #torq_hw<dma_ndl{dims = [[3136, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[3136, 1]]}>} loc(#loc122)
              torq_hw.dma_out_start {"torq-async-duration-cycles" = 725 : i64} loc(#loc122)
            } loc(#loc122)
            torq_hw.nss_task {"torq-end-time-cycles" = 2872334 : i64, "torq-start-time-cycles" = 2861270 : i64, "torq-task-id" = 482 : i64}() {
              "torq_hw.slice_wait"() <{id = 0 : index}> : () -> () loc(#loc122)
              torq_hw.dma_out_wait loc(#loc122)
            } loc(#loc122)
            torq_hw.nss_task {"torq-end-time-cycles" = 2873059 : i64, "torq-start-time-cycles" = 2872334 : i64, "torq-task-id" = 483 : i64}() {
              torq_hw.dma_out_cfg from %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> to %xram : memref<9437184xi8> {read_ndl = #torq_hw<dma_ndl{dims = [[3136, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[3136, 1]]}>} loc(#loc122)
              torq_hw.dma_out_start {"torq-async-duration-cycles" = 725 : i64} loc(#loc122)
              torq_hw.dma_out_wait loc(#loc122)
            } loc(#loc122)
            torq_hl.return
          } loc(#loc147)
          %n3, %k3 = torq_hl.create_invocation "nss_program_3" program(%p3 : !torq_hl.program<nss>) on 0 {"torq-job-id" = 3 : i32} : !torq_hl.invocation<nss>, memref<364xi8>
          %slot = memref.get_global @__program_slot0 : memref<640xi8, #torq_hl<enc mem_space = lram>>
          %block = torq_hl.get_block %n0 block 0 : !torq_hl.invocation<nss> -> memref<364xi8>
          torq_hl.host_copy %block : memref<364xi8> to %slot : memref<640xi8, #torq_hl<enc mem_space = lram>> {element_size_bytes = 364 : i64, input_strides_bytes = array<i64>, output_strides_bytes = array<i64>, shape = array<i64>, "torq-action-id" = 0 : i32} loc(#loc96)
          torq_hl.start_program %n0 : !torq_hl.invocation<nss> args(%i47, %i48, %i49, %cssi, %slot : !torq_hl.invocation<slice>, !torq_hl.invocation<slice>, !torq_hl.invocation<slice>, !torq_hl.invocation<css>, memref<640xi8, #torq_hl<enc mem_space = lram>>) code(%slot : memref<640xi8, #torq_hl<enc mem_space = lram>>) {"torq-action-id" = 1 : i32, "torq-end-time-cycles" = 2455202 : i64, "torq-start-time-cycles" = 2455202 : i64} loc(#loc144)
          torq_hl.wait_program %n0 : !torq_hl.invocation<nss> {"torq-action-id" = 2 : i32, "torq-end-time-cycles" = 2520989 : i64, "torq-start-time-cycles" = 2455202 : i64} loc(#loc144)
          torq_hl.start_program %n1 : !torq_hl.invocation<nss> args(%i50, %i51, %i52, %i53, %cssi, %slot : !torq_hl.invocation<slice>, !torq_hl.invocation<slice>, !torq_hl.invocation<slice>, !torq_hl.invocation<slice>, !torq_hl.invocation<css>, memref<640xi8, #torq_hl<enc mem_space = lram>>) code(%slot : memref<640xi8, #torq_hl<enc mem_space = lram>>) {"torq-action-id" = 3 : i32, "torq-end-time-cycles" = 2520989 : i64, "torq-start-time-cycles" = 2520989 : i64} loc(#loc145)
          torq_hl.wait_program %n1 : !torq_hl.invocation<nss> {"torq-action-id" = 4 : i32, "torq-end-time-cycles" = 2626237 : i64, "torq-start-time-cycles" = 2520989 : i64} loc(#loc145)
          torq_hl.start_program %n2 : !torq_hl.invocation<nss> args(%i54, %i55, %i56, %i57, %cssi, %slot : !torq_hl.invocation<slice>, !torq_hl.invocation<slice>, !torq_hl.invocation<slice>, !torq_hl.invocation<slice>, !torq_hl.invocation<css>, memref<640xi8, #torq_hl<enc mem_space = lram>>) code(%slot : memref<640xi8, #torq_hl<enc mem_space = lram>>) {"torq-action-id" = 5 : i32, "torq-end-time-cycles" = 2626237 : i64, "torq-start-time-cycles" = 2626237 : i64} loc(#loc146)
          torq_hl.wait_program %n2 : !torq_hl.invocation<nss> {"torq-action-id" = 6 : i32, "torq-end-time-cycles" = 2731485 : i64, "torq-start-time-cycles" = 2626237 : i64} loc(#loc146)
          torq_hl.start_program %n3 : !torq_hl.invocation<nss> args(%i58, %i59, %i60, %cssi, %slot : !torq_hl.invocation<slice>, !torq_hl.invocation<slice>, !torq_hl.invocation<slice>, !torq_hl.invocation<css>, memref<640xi8, #torq_hl<enc mem_space = lram>>) code(%slot : memref<640xi8, #torq_hl<enc mem_space = lram>>) {"torq-action-id" = 7 : i32, "torq-end-time-cycles" = 2731485 : i64, "torq-start-time-cycles" = 2731485 : i64} loc(#loc147)
          torq_hl.wait_program %n3 : !torq_hl.invocation<nss> {"torq-action-id" = 8 : i32, "torq-end-time-cycles" = 2873059 : i64, "torq-start-time-cycles" = 2731485 : i64} loc(#loc147)
          return
        }
      }
    }
  }
  hal.executable private @main_dispatch_5 {
    hal.executable.variant public @torq_fb target(<"torq", "torq-fb">) {
      builtin.module {
        memref.global "private" @__program_slot0 : memref<640xi8, #torq_hl<enc mem_space = lram>> = uninitialized {lram_address = 0 : i64}
        func.func @main_dispatch_5_classifier() {
          torq_hw.dispatch_profiling
            memory : 266205 bytes
            total_cycle : 11226
          %w61 = torq_hl.program "slice_program_torq_hl.conv2d_61" : !torq_hl.program<slice> {
            torq_hw.slice_profiling
              memory : 71177 bytes
              memory_info : "1x7x7x320+1280x1x1x320"
              max_cycle : 11226
              ndl_cycles : dedr(11221) dewr(1255) debr(16) deqw(3742) cedw(5610) cedr(11226) ceww(627) cewr(627) cepr(11217) acbw(16) acbr(3742) acpr(3742)
            torq_hl.return
          } loc(#loc124)
          %i61, %c61 = torq_hl.create_invocation "slice_program_torq_hl.conv2d_61" program(%w61 : !torq_hl.program<slice>) on 0 : !torq_hl.invocation<slice>, memref<264xi8>
          %w63 = torq_hl.program "slice_program_torq_hl.fully_connected_63" : !torq_hl.program<slice> {
            torq_hw.slice_profiling
              memory : 129028 bytes
              memory_info : "1x1x1x1280+1000x1x1x1280"
              max_cycle : 523
              ndl_cycles : dedr(138) dewr(523) debr(16) deqw(174) cedw(69) cedr(69) ceww(261) cewr(261) cepr(514) acbw(16) acbr(174) acpr(174)
            torq_hl.return
          } loc(#loc128)
          %i63, %c63 = torq_hl.create_invocation "slice_program_torq_hl.fully_connected_63" program(%w63 : !torq_hl.program<slice>) on 0 : !torq_hl.invocation<slice>, memref<264xi8>
          %cp = torq_hl.program "css_program" : !torq_hl.program<css> {
            torq_hl.return
          }
          %cssi, %cssc = torq_hl.create_invocation "css_program" program(%cp : !torq_hl.program<css>) : !torq_hl.invocation<css>, memref<2048xi8>
          %p0 = torq_hl.program "nss_program_0" : !torq_hl.program<nss> {
          ^bb0(%s0: !torq_hl.invocation<slice>, %css: !torq_hl.invocation<css>, %area: memref<640xi8, #torq_hl<enc mem_space = lram>>):
            %xram = memref.get_global @__xram : memref<9437184xi8>
            %lram = memref.get_global @__lram : memref<262144xi8, #torq_hl<enc mem_space = lram>>
            torq_hw.nss_task {"torq-end-time-cycles" = 2886911 : i64, "torq-start-time-cycles" = 2873059 : i64, "torq-task-id" = 484 : i64}() {
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[59977, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[59977, 1]]}>} loc(#loc124)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 13852 : i64} loc(#loc124)
              torq_hw.dma_in_wait loc(#loc124)
            } loc(#loc124)
            torq_hw.nss_task {"torq-end-time-cycles" = 2900763 : i64, "torq-start-time-cycles" = 2886911 : i64, "torq-task-id" = 485 : i64}() {
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[59977, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[59977, 1]]}>} loc(#loc124)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 13852 : i64} loc(#loc124)
              "torq_hw.slice_start"(%s0, %lram) <{id = 0 : index}> {"torq-async-duration-cycles" = 11226 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc124)
              torq_hw.dma_in_wait loc(#loc124)
            } loc(#loc124)
            torq_hw.nss_task {"torq-end-time-cycles" = 2914615 : i64, "torq-start-time-cycles" = 2900763 : i64, "torq-task-id" = 486 : i64}() {
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[59977, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[59977, 1]]}>} loc(#loc124)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 13852 : i64} loc(#loc124)
              "torq_hw.slice_start"(%s0, %lram) <{id = 1 : index}> {"torq-async-duration-cycles" = 11226 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc124)
              torq_hw.dma_in_wait loc(#loc124)
            } loc(#loc124)
            torq_hw.nss_task {"torq-end-time-cycles" = 2914615 : i64, "torq-start-time-cycles" = 2914615 : i64, "torq-task-id" = 487 : i64}() {
              "torq_hw.slice_wait"() <{id = 0 : index}> : () -> () loc(#loc124)
            } loc(#loc124)
            torq_hw.nss_task {"torq-end-time-cycles" = 2928467 : i64, "torq-start-time-cycles" = 2914615 : i64, "torq-task-id" = 488 : i64}() {
              torq_hw.dma_out_cfg from %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> to %xram : memref<9437184xi8> {read_ndl = #torq_hw<dma_ndl{dims = [[8960, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[8960, 1]]}>} loc(#loc124)
              torq_hw.dma_out_start {"torq-async-duration-cycles" = 2070 : i64} loc(#loc124)
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[59977, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[59977, 1]]}>} loc(#loc124)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 13852 : i64} loc(#loc124)
              "torq_hw.slice_start"(%s0, %lram) <{id = 0 : index}> {"torq-async-duration-cycles" = 11226 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc124)
              torq_hw.dma_in_wait loc(#loc124)
            } loc(#loc124)
            torq_hw.nss_task {"torq-end-time-cycles" = 2928467 : i64, "torq-start-time-cycles" = 2928467 : i64, "torq-task-id" = 489 : i64}() {
              "torq_hw.slice_wait"() <{id = 1 : index}> : () -> () loc(#loc124)
              torq_hw.dma_out_wait loc(#loc124)
            } loc(#loc124)
            torq_hw.nss_task {"torq-end-time-cycles" = 2942319 : i64, "torq-start-time-cycles" = 2928467 : i64, "torq-task-id" = 490 : i64}() {
              torq_hw.dma_out_cfg from %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> to %xram : memref<9437184xi8> {read_ndl = #torq_hw<dma_ndl{dims = [[8960, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[8960, 1]]}>} loc(#loc124)
              torq_hw.dma_out_start {"torq-async-duration-cycles" = 2070 : i64} loc(#loc124)
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[59977, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[59977, 1]]}>} loc(#loc124)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 13852 : i64} loc(#loc124)
              "torq_hw.slice_start"(%s0, %lram) <{id = 1 : index}> {"torq-async-duration-cycles" = 11226 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc124)
              torq_hw.dma_in_wait loc(#loc124)
            } loc(#loc124)
            torq_hw.nss_task {"torq-end-time-cycles" = 2942319 : i64, "torq-start-time-cycles" = 2942319 : i64, "torq-task-id" = 491 : i64}() {
              "torq_hw.slice_wait"() <{id = 0 : index}> : () -> () loc(#loc124)
              torq_hw.dma_out_wait loc(#loc124)
            } loc(#loc124)
            torq_hw.nss_task {"torq-end-time-cycles" = 2956171 : i64, "torq-start-time-cycles" = 2942319 : i64, "torq-task-id" = 492 : i64}() {
              torq_hw.dma_out_cfg from %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> to %xram : memref<9437184xi8> {read_ndl = #torq_hw<dma_ndl{dims = [[8960, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[8960, 1]]}>} loc(#loc124)
              torq_hw.dma_out_start {"torq-async-duration-cycles" = 2070 : i64} loc(#loc124)
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[59977, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[59977, 1]]}>} loc(#loc124)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 13852 : i64} loc(#loc124)
              "torq_hw.slice_start"(%s0, %lram) <{id = 0 : index}> {"torq-async-duration-cycles" = 11226 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc124)
              torq_hw.dma_in_wait loc(#loc124)
            } loc(#loc124)
            torq_hw.nss_task {"torq-end-time-cycles" = 2956171 : i64, "torq-start-time-cycles" = 2956171 : i64, "torq-task-id" = 493 : i64}() {
              "torq_hw.slice_wait"() <{id = 1 : index}> : () -> () loc(#loc124)
              torq_hw.dma_out_wait loc(#loc124)
            } loc(#loc124)
            torq_hw.nss_task {"torq-end-time-cycles" = 2970023 : i64, "torq-start-time-cycles" = 2956171 : i64, "torq-task-id" = 494 : i64}() {
              torq_hw.dma_out_cfg from %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> to %xram : memref<9437184xi8> {read_ndl = #torq_hw<dma_ndl{dims = [[8960, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[8960, 1]]}>} loc(#loc124)
              torq_hw.dma_out_start {"torq-async-duration-cycles" = 2070 : i64} loc(#loc124)
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[59977, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[59977, 1]]}>} loc(#loc124)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 13852 : i64} loc(#loc124)
              "torq_hw.slice_start"(%s0, %lram) <{id = 1 : index}> {"torq-async-duration-cycles" = 11226 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc124)
              torq_hw.dma_in_wait loc(#loc124)
            } loc(#loc124)
            torq_hw.nss_task {"torq-end-time-cycles" = 2970023 : i64, "torq-start-time-cycles" = 2970023 : i64, "torq-task-id" = 495 : i64}() {
              "torq_hw.slice_wait"() <{id = 0 : index}> : () -> () loc(#loc124)
              torq_hw.dma_out_wait loc(#loc124)
            } loc(#loc124)
            torq_hw.nss_task {"torq-end-time-cycles" = 2970024 : i64, "torq-start-time-cycles" = 2970023 : i64, "torq-task-id" = 496 : i64}() {
              torq_hw.dma_out_cfg from %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> to %xram : memref<9437184xi8> {read_ndl = #torq_hw<dma_ndl{dims = [[8960, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[8960, 1]]}>} loc(#loc124)
              torq_hw.dma_out_start {"torq-async-duration-cycles" = 2070 : i64} loc(#loc124)
              "torq_hw.slice_start"(%s0, %lram) <{id = 0 : index}> {"torq-async-duration-cycles" = 11226 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc124)
            } loc(#loc124)
            torq_hw.nss_task {"torq-end-time-cycles" = 2972093 : i64, "torq-start-time-cycles" = 2970024 : i64, "torq-task-id" = 497 : i64}() {
              "torq_hw.slice_wait"() <{id = 1 : index}> : () -> () loc(#loc124)
              torq_hw.dma_out_wait loc(#loc124)
            } loc(#loc124)
            torq_hw.nss_task {"torq-end-time-cycles" = 2972093 : i64, "torq-start-time-cycles" = 2972093 : i64, "torq-task-id" = 498 : i64}() {
              torq_hw.dma_out_cfg from %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> to %xram : memref<9437184xi8> {read_ndl = #torq_hw<dma_ndl{dims = [[8960, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[8960, 1]]}>} loc(#loc124)
              torq_hw.dma_out_start {"torq-async-duration-cycles" = 2070 : i64} loc(#loc124)
            } loc(#loc124)
            torq_hw.nss_task {"torq-end-time-cycles" = 2981249 : i64, "torq-start-time-cycles" = 2972093 : i64, "torq-task-id" = 499 : i64}() {
              "torq_hw.slice_wait"() <{id = 0 : index}> : () -> () loc(#loc124)
              torq_hw.dma_out_wait loc(#loc124)
            } loc(#loc124)
            torq_hw.nss_task {"torq-end-time-cycles" = 2983319 : i64, "torq-start-time-cycles" = 2981249 : i64, "torq-task-id" = 500 : i64}() {
              torq_hw.dma_out_cfg from %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> to %xram : memref<9437184xi8> {read_ndl = #torq_hw<dma_ndl{dims = [[8960, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[8960, 1]]}>} loc(#loc124)
              torq_hw.dma_out_start {"torq-async-duration-cycles" = 2070 : i64} loc(#loc124)
              torq_hw.dma_out_wait loc(#loc124)
            } loc(#loc124)
            torq_hl.return
          } loc(#loc124)
          %n0, %k0 = torq_hl.create_invocation "nss_program_0" program(%p0 : !torq_hl.program<nss>) on 0 {"torq-job-id" = 0 : i32} : !torq_hl.invocation<nss>, memref<364xi8>
          %p1 = torq_hl.program "nss_program_1" : !torq_hl.program<nss> {
          ^bb0(%s0: !torq_hl.invocation<slice>, %css: !torq_hl.invocation<css>, %area: memref<640xi8, #torq_hl<enc mem_space = lram>>):
            %xram = memref.get_global @__xram : memref<9437184xi8>
            %lram = memref.get_global @__lram : memref<262144xi8, #torq_hl<enc mem_space = lram>>
            %dtcm = memref.get_global @__dtcm : memref<65536xi8, #torq_hl<enc mem_space = dtcm>>
            %itcm = memref.get_global @__itcm : memref<8192xi8, #torq_hl<enc mem_space = itcm>>
            torq_hw.nss_task {"torq-end-time-cycles" = 2983479 : i64, "torq-start-time-cycles" = 2983319 : i64, "torq-task-id" = 501 : i64}() {
              torq_hw.cdma_start from %lram : memref<2048xi8, #torq_hl<enc mem_space = lram>> to %itcm : memref<2048xi8, #torq_hl<enc mem_space = itcm>> {"torq-async-duration-cycles" = 160 : i64} loc(#loc125)
              torq_hw.cdma_wait loc(#loc125)
            } loc(#loc125)
            torq_hw.nss_task {"torq-end-time-cycles" = 2988379 : i64, "torq-start-time-cycles" = 2983479 : i64, "torq-task-id" = 502 : i64}() {
              torq_hw.cdma_start from %lram : memref<62720xi8, #torq_hl<enc mem_space = lram>> to %dtcm : memref<62720xi8, #torq_hl<enc mem_space = dtcm>> {"torq-async-duration-cycles" = 4900 : i64} loc(#loc125)
              torq_hw.cdma_wait loc(#loc125)
            } loc(#loc125)
            torq_hw.nss_task {"torq-end-time-cycles" = 2996379 : i64, "torq-start-time-cycles" = 2988379 : i64, "torq-task-id" = 503 : i64}() {
              torq_hw.css_start %css : !torq_hl.invocation<css> program %itcm(%dtcm = %dtcm) {"torq-async-duration-cycles" = 8000 : i64} : memref<2048xi8, #torq_hl<enc mem_space = itcm>>, memref<62720xi8, #torq_hl<enc mem_space = dtcm>>, memref<62720xi8, #torq_hl<enc mem_space = dtcm>> loc(#loc125)
              torq_hw.css_wait loc(#loc125)
            } loc(#loc125)
            torq_hw.nss_task {"torq-end-time-cycles" = 2996479 : i64, "torq-start-time-cycles" = 2996379 : i64, "torq-task-id" = 504 : i64}() {
              torq_hw.cdma_start from %dtcm : memref<1280xi8, #torq_hl<enc mem_space = dtcm>> to %lram : memref<1280xi8, #torq_hl<enc mem_space = lram>> {"torq-async-duration-cycles" = 100 : i64} loc(#loc125)
              torq_hw.cdma_wait loc(#loc125)
            } loc(#loc125)
            torq_hl.return
          } loc(#loc125)
          %n1, %k1 = torq_hl.create_invocation "nss_program_1" program(%p1 : !torq_hl.program<nss>) on 0 {"torq-job-id" = 1 : i32} : !torq_hl.invocation<nss>, memref<364xi8>
          %p2 = torq_hl.program "nss_program_2" : !torq_hl.program<nss> {
          ^bb0(%s0: !torq_hl.invocation<slice>, %css: !torq_hl.invocation<css>, %area: memref<640xi8, #torq_hl<enc mem_space = lram>>):
            %xram = memref.get_global @__xram : memref<9437184xi8>
            %lram = memref.get_global @__lram : memref<262144xi8, #torq_hl<enc mem_space = lram>>
            torq_hw.nss_task {"torq-end-time-cycles" = 3026225 : i64, "torq-start-time-cycles" = 2996479 : i64, "torq-task-id" = 505 : i64}() {
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[128800, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[128800, 1]]}>} loc(#loc128)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 29746 : i64} loc(#loc128)
              torq_hw.dma_in_wait loc(#loc128)
            } loc(#loc128)
            torq_hw.nss_task {"torq-end-time-cycles" = 3055971 : i64, "torq-start-time-cycles" = 3026225 : i64, "torq-task-id" = 506 : i64}() {
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[128800, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[128800, 1]]}>} loc(#loc128)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 29746 : i64} loc(#loc128)
              "torq_hw.slice_start"(%s0, %lram) <{id = 0 : index}> {"torq-async-duration-cycles" = 523 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc128)
              torq_hw.dma_in_wait loc(#loc128)
            } loc(#loc128)
            torq_hw.nss_task {"torq-end-time-cycles" = 3085717 : i64, "torq-start-time-cycles" = 3055971 : i64, "torq-task-id" = 507 : i64}() {
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[128800, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[128800, 1]]}>} loc(#loc128)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 29746 : i64} loc(#loc128)
              "torq_hw.slice_start"(%s0, %lram) <{id = 1 : index}> {"torq-async-duration-cycles" = 523 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc128)
              torq_hw.dma_in_wait loc(#loc128)
            } loc(#loc128)
            torq_hw.nss_task {"torq-end-time-cycles" = 3085717 : i64, "torq-start-time-cycles" = 3085717 : i64, "torq-task-id" = 508 : i64}() {
              "torq_hw.slice_wait"() <{id = 0 : index}> : () -> () loc(#loc128)
            } loc(#loc128)
            torq_hw.nss_task {"torq-end-time-cycles" = 3115463 : i64, "torq-start-time-cycles" = 3085717 : i64, "torq-task-id" = 509 : i64}() {
              torq_hw.dma_out_cfg from %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> to %xram : memref<9437184xi8> {read_ndl = #torq_hw<dma_ndl{dims = [[100, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[100, 1]]}>} loc(#loc128)
              torq_hw.dma_out_start {"torq-async-duration-cycles" = 24 : i64} loc(#loc128)
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[128800, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[128800, 1]]}>} loc(#loc128)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 29746 : i64} loc(#loc128)
              "torq_hw.slice_start"(%s0, %lram) <{id = 0 : index}> {"torq-async-duration-cycles" = 523 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc128)
              torq_hw.dma_in_wait loc(#loc128)
            } loc(#loc128)
            torq_hw.nss_task {"torq-end-time-cycles" = 3115463 : i64, "torq-start-time-cycles" = 3115463 : i64, "torq-task-id" = 510 : i64}() {
              "torq_hw.slice_wait"() <{id = 1 : index}> : () -> () loc(#loc128)
              torq_hw.dma_out_wait loc(#loc128)
            } loc(#loc128)
            torq_hw.nss_task {"torq-end-time-cycles" = 3145209 : i64, "torq-start-time-cycles" = 3115463 : i64, "torq-task-id" = 511 : i64}() {
              torq_hw.dma_out_cfg from %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> to %xram : memref<9437184xi8> {read_ndl = #torq_hw<dma_ndl{dims = [[100, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[100, 1]]}>} loc(#loc128)
              torq_hw.dma_out_start {"torq-async-duration-cycles" = 24 : i64} loc(#loc128)
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[128800, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[128800, 1]]}>} loc(#loc128)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 29746 : i64} loc(#loc128)
              "torq_hw.slice_start"(%s0, %lram) <{id = 1 : index}> {"torq-async-duration-cycles" = 523 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc128)
              torq_hw.dma_in_wait loc(#loc128)
            } loc(#loc128)
            torq_hw.nss_task {"torq-end-time-cycles" = 3145209 : i64, "torq-start-time-cycles" = 3145209 : i64, "torq-task-id" = 512 : i64}() {
              "torq_hw.slice_wait"() <{id = 0 : index}> : () -> () loc(#loc128)
              torq_hw.dma_out_wait loc(#loc128)
            } loc(#loc128)
            torq_hw.nss_task {"torq-end-time-cycles" = 3174955 : i64, "torq-start-time-cycles" = 3145209 : i64, "torq-task-id" = 513 : i64}() {
              torq_hw.dma_out_cfg from %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> to %xram : memref<9437184xi8> {read_ndl = #torq_hw<dma_ndl{dims = [[100, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[100, 1]]}>} loc(#loc128)
              torq_hw.dma_out_start {"torq-async-duration-cycles" = 24 : i64} loc(#loc128)
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[128800, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[128800, 1]]}>} loc(#loc128)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 29746 : i64} loc(#loc128)
              "torq_hw.slice_start"(%s0, %lram) <{id = 0 : index}> {"torq-async-duration-cycles" = 523 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc128)
              torq_hw.dma_in_wait loc(#loc128)
            } loc(#loc128)
            torq_hw.nss_task {"torq-end-time-cycles" = 3174955 : i64, "torq-start-time-cycles" = 3174955 : i64, "torq-task-id" = 514 : i64}() {
              "torq_hw.slice_wait"() <{id = 1 : index}> : () -> () loc(#loc128)
              torq_hw.dma_out_wait loc(#loc128)
            } loc(#loc128)
            torq_hw.nss_task {"torq-end-time-cycles" = 3204701 : i64, "torq-start-time-cycles" = 3174955 : i64, "torq-task-id" = 515 : i64}() {
              torq_hw.dma_out_cfg from %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> to %xram : memref<9437184xi8> {read_ndl = #torq_hw<dma_ndl{dims = [[100, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[100, 1]]}>} loc(#loc128)
              torq_hw.dma_out_start {"torq-async-duration-cycles" = 24 : i64} loc(#loc128)
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[128800, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[128800, 1]]}>} loc(#loc128)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 29746 : i64} loc(#loc128)
              "torq_hw.slice_start"(%s0, %lram) <{id = 1 : index}> {"torq-async-duration-cycles" = 523 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc128)
              torq_hw.dma_in_wait loc(#loc128)
            } loc(#loc128)
            torq_hw.nss_task {"torq-end-time-cycles" = 3204701 : i64, "torq-start-time-cycles" = 3204701 : i64, "torq-task-id" = 516 : i64}() {
              "torq_hw.slice_wait"() <{id = 0 : index}> : () -> () loc(#loc128)
              torq_hw.dma_out_wait loc(#loc128)
            } loc(#loc128)
            torq_hw.nss_task {"torq-end-time-cycles" = 3234447 : i64, "torq-start-time-cycles" = 3204701 : i64, "torq-task-id" = 517 : i64}() {
              torq_hw.dma_out_cfg from %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> to %xram : memref<9437184xi8> {read_ndl = #torq_hw<dma_ndl{dims = [[100, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[100, 1]]}>} loc(#loc128)
              torq_hw.dma_out_start {"torq-async-duration-cycles" = 24 : i64} loc(#loc128)
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[128800, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[128800, 1]]}>} loc(#loc128)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 29746 : i64} loc(#loc128)
              "torq_hw.slice_start"(%s0, %lram) <{id = 0 : index}> {"torq-async-duration-cycles" = 523 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc128)
              torq_hw.dma_in_wait loc(#loc128)
            } loc(#loc128)
            torq_hw.nss_task {"torq-end-time-cycles" = 3234447 : i64, "torq-start-time-cycles" = 3234447 : i64, "torq-task-id" = 518 : i64}() {
              "torq_hw.slice_wait"() <{id = 1 : index}> : () -> () loc(#loc128)
              torq_hw.dma_out_wait loc(#loc128)
            } loc(#loc128)
            torq_hw.nss_task {"torq-end-time-cycles" = 3264193 : i64, "torq-start-time-cycles" = 3234447 : i64, "torq-task-id" = 519 : i64}() {
              torq_hw.dma_out_cfg from %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> to %xram : memref<9437184xi8> {read_ndl = #torq_hw<dma_ndl{dims = [[100, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[100, 1]]}>} loc(#loc128)
              torq_hw.dma_out_start {"torq-async-duration-cycles" = 24 : i64} loc(#loc128)
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[128800, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[128800, 1]]}>} loc(#loc128)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 29746 : i64} loc(#loc128)
              "torq_hw.slice_start"(%s0, %lram) <{id = 1 : index}> {"torq-async-duration-cycles" = 523 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc128)
              torq_hw.dma_in_wait loc(#loc128)
            } loc(#loc128)
            torq_hw.nss_task {"torq-end-time-cycles" = 3264193 : i64, "torq-start-time-cycles" = 3264193 : i64, "torq-task-id" = 520 : i64}() {
              "torq_hw.slice_wait"() <{id = 0 : index}> : () -> () loc(#loc128)
              torq_hw.dma_out_wait loc(#loc128)
            } loc(#loc128)
            torq_hw.nss_task {"torq-end-time-cycles" = 3293939 : i64, "torq-start-time-cycles" = 3264193 : i64, "torq-task-id" = 521 : i64}() {
              torq_hw.dma_out_cfg from %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> to %xram : memref<9437184xi8> {read_ndl = #torq_hw<dma_ndl{dims = [[100, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[100, 1]]}>} loc(#loc128)
              torq_hw.dma_out_start {"torq-async-duration-cycles" = 24 : i64} loc(#loc128)
              torq_hw.dma_in_cfg from %xram : memref<9437184xi8> to %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> {read_ndl = #torq_hw<dma_ndl{dims = [[128800, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[128800, 1]]}>} loc(#loc128)
              torq_hw.dma_in_start {"torq-async-duration-cycles" = 29746 : i64} loc(#loc128)
              "torq_hw.slice_start"(%s0, %lram) <{id = 0 : index}> {"torq-async-duration-cycles" = 523 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc128)
              torq_hw.dma_in_wait loc(#loc128)
            } loc(#loc128)
            torq_hw.nss_task {"torq-end-time-cycles" = 3293939 : i64, "torq-start-time-cycles" = 3293939 : i64, "torq-task-id" = 522 : i64}() {
              "torq_hw.slice_wait"() <{id = 1 : index}> : () -> () loc(#loc128)
              torq_hw.dma_out_wait loc(#loc128)
            } loc(#loc128)
            torq_hw.nss_task {"torq-end-time-cycles" = 3293940 : i64, "torq-start-time-cycles" = 3293939 : i64, "torq-task-id" = 523 : i64}() {
              torq_hw.dma_out_cfg from %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> to %xram : memref<9437184xi8> {read_ndl = #torq_hw<dma_ndl{dims = [[100, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[100, 1]]}>} loc(#loc128)
              torq_hw.dma_out_start {"torq-async-duration-cycles" = 24 : i64} loc(#loc128)
              "torq_hw.slice_start"(%s0, %lram) <{id = 1 : index}> {"torq-async-duration-cycles" = 523 : i64} : (!torq_hl.invocation<slice>, memref<262144xi8, #torq_hl<enc mem_space = lram>>) -> () loc(#loc128)
            } loc(#loc128)
            torq_hw.nss_task {"torq-end-time-cycles" = 3293963 : i64, "torq-start-time-cycles" = 3293940 : i64, "torq-task-id" = 524 : i64}() {
              "torq_hw.slice_wait"() <{id = 0 : index}> : () -> () loc(#loc128)
              torq_hw.dma_out_wait loc(#loc128)
            } loc(#loc128)
            torq_hw.nss_task {"torq-end-time-cycles" = 3293963 : i64, "torq-start-time-cycles" = 3293963 : i64, "torq-task-id" = 525 : i64}() {
              torq_hw.dma_out_cfg from %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> to %xram : memref<9437184xi8> {read_ndl = #torq_hw<dma_ndl{dims = [[100, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[100, 1]]}>} loc(#loc128)
              torq_hw.dma_out_start {"torq-async-duration-cycles" = 24 : i64} loc(#loc128)
            } loc(#loc128)
            torq_hw.nss_task {"torq-end-time-cycles" = 3294462 : i64, "torq-start-time-cycles" = 3293963 : i64, "torq-task-id" = 526 : i64}() {
              "torq_hw.slice_wait"() <{id = 1 : index}> : () -> () loc(#loc128)
              torq_hw.dma_out_wait loc(#loc128)
            } loc(#loc128)
            torq_hw.nss_task {"torq-end-time-cycles" = 3294486 : i64, "torq-start-time-cycles" = 3294462 : i64, "torq-task-id" = 527 : i64}() {
              torq_hw.dma_out_cfg from %lram : memref<262144xi8, #torq_hl<enc mem_space = lram>> to %xram : memref<9437184xi8> {read_ndl = #torq_hw<dma_ndl{dims = [[100, 1]]}>, write_ndl = #torq_hw<dma_ndl{dims = [[100, 1]]}>} loc(#loc128)
              torq_hw.dma_out_start {"torq-async-duration-cycles" = 24 : i64} loc(#loc128)
              torq_hw.dma_out_wait loc(#loc128)
            } loc(#loc128)
            torq_hl.return
          } loc(#loc128)
          %n2, %k2 = torq_hl.create_invocation "nss_program_2" program(%p2 : !torq_hl.program<nss>) on 0 {"torq-job-id" = 2 : i32} : !torq_hl.invocation<nss>, memref<364xi8>
          %slot = memref.get_global @__program_slot0 : memref<640xi8, #torq_hl<enc mem_space = lram>>
          %block = torq_hl.get_block %n0 block 0 : !torq_hl.invocation<nss> -> memref<364xi8>
          torq_hl.host_copy %block : memref<364xi8> to %slot : memref<640xi8, #torq_hl<enc mem_space = lram>> {element_size_bytes = 364 : i64, input_strides_bytes = array<i64>, output_strides_bytes = array<i64>, shape = array<i64>, "torq-action-id" = 0 : i32} loc(#loc124)
          torq_hl.start_program %n0 : !torq_hl.invocation<nss> args(%i61, %cssi, %slot : !torq_hl.invocation<slice>, !torq_hl.invocation<css>, memref<640xi8, #torq_hl<enc mem_space = lram>>) code(%slot : memref<640xi8, #torq_hl<enc mem_space = lram>>) {"torq-action-id" = 1 : i32, "torq-end-time-cycles" = 2873059 : i64, "torq-start-time-cycles" = 2873059 : i64} loc(#loc124)
          torq_hl.wait_program %n0 : !torq_hl.invocation<nss> {"torq-action-id" = 2 : i32, "torq-end-time-cycles" = 2983319 : i64, "torq-start-time-cycles" = 2873059 : i64} loc(#loc124)
          torq_hl.start_program %n1 : !torq_hl.invocation<nss> args(%i62, %cssi, %slot : !torq_hl.invocation<slice>, !torq_hl.invocation<css>, memref<640xi8, #torq_hl<enc mem_space = lram>>) code(%slot : memref<640xi8, #torq_hl<enc mem_space = lram>>) {"torq-action-id" = 3 : i32, "torq-end-time-cycles" = 2983319 : i64, "torq-start-time-cycles" = 2983319 : i64} loc(#loc125)
          torq_hl.wait_program %n1 : !torq_hl.invocation<nss> {"torq-action-id" = 4 : i32, "torq-end-time-cycles" = 2996479 : i64, "torq-start-time-cycles" = 2983319 : i64} loc(#loc125)
          torq_hl.start_program %n2 : !torq_hl.invocation<nss> args(%i63, %cssi, %slot : !torq_hl.invocation<slice>, !torq_hl.invocation<css>, memref<640xi8, #torq_hl<enc mem_space = lram>>) code(%slot : memref<640xi8, #torq_hl<enc mem_space = lram>>) {"torq-action-id" = 5 : i32, "torq-end-time-cycles" = 2996479 : i64, "torq-start-time-cycles" = 2996479 : i64} loc(#loc128)
          torq_hl.wait_program %n2 : !torq_hl.invocation<nss> {"torq-action-id" = 6 : i32, "torq-end-time-cycles" = 3294486 : i64, "torq-start-time-cycles" = 2996479 : i64} loc(#loc128)
          %hp = "torq_hl.import_program"() <{name = @host_softmax}> : () -> !torq_hl.program<host>
          %hi = torq_hl.create_invocation "host_softmax" program(%hp : !torq_hl.program<host>) : !torq_hl.invocation<host>
          %tmp = memref.alloc() {"torq-action-id" = 7 : i32} : memref<4000xi8> loc(#loc129)
          torq_hl.start_program %hi : !torq_hl.invocation<host> args( : ) {"torq-action-id" = 8 : i32} loc(#loc129)
          torq_hl.wait_program %hi : !torq_hl.invocation<host> {"torq-action-id" = 9 : i32} loc(#loc129)
          memref.dealloc %tmp {"torq-action-id" = 10 : i32} : memref<4000xi8> loc(#loc129)
          return
        }
      }
    }
  }
}
#loc = loc("/models/mobilenet.mlir":2:3)
#loc1 = loc(callsite("/models/mobilenet.mlir":5:10 at #loc))
#loc2 = loc(fused[#loc1, callsite("/models/mobilenet.mlir":6:10 at #loc)])
#loc3 = loc(callsite("/models/mobilenet.mlir":9:10 at #loc))
#loc4 = loc(fused[#loc3, callsite("/models/mobilenet.mlir":10:10 at #loc)])
#loc5 = loc(callsite("/models/mobilenet.mlir":13:10 at #loc))
#loc6 = loc(fused[#loc5, callsite("/models/mobilenet.mlir":14:10 at #loc)])
#loc7 = loc(callsite("/models/mobilenet.mlir":17:10 at #loc))
#loc8 = loc(fused[#loc7, callsite("/models/mobilenet.mlir":18:10 at #loc)])
#loc9 = loc(callsite("/models/mobilenet.mlir":21:10 at #loc))
#loc10 = loc(fused[#loc9, callsite("/models/mobilenet.mlir":22:11 at #loc)])
#loc11 = loc(callsite("/models/mobilenet.mlir":25:11 at #loc))
#loc12 = loc(fused[#loc11, callsite("/models/mobilenet.mlir":26:11 at #loc)])
#loc13 = loc(callsite("/models/mobilenet.mlir":29:11 at #loc))
#loc14 = loc(fused[#loc13, callsite("/models/mobilenet.mlir":30:11 at #loc)])
#loc15 = loc(callsite("/models/mobilenet.mlir":33:11 at #loc))
#loc16 = loc(fused[#loc15, callsite("/models/mobilenet.mlir":34:11 at #loc)])
#loc17 = loc(callsite("/models/mobilenet.mlir":37:11 at #loc))
#loc18 = loc(fused[#loc17, callsite("/models/mobilenet.mlir":38:11 at #loc)])
#loc19 = loc(callsite("/models/mobilenet.mlir":39:11 at #loc))
#loc21 = loc(callsite("/models/mobilenet.mlir":42:11 at #loc))
#loc22 = loc(fused[#loc21, callsite("/models/mobilenet.mlir":43:11 at #loc)])
#loc23 = loc(callsite("/models/mobilenet.mlir":46:11 at #loc))
#loc24 = loc(fused[#loc23, callsite("/models/mobilenet.mlir":47:11 at #loc)])
#loc25 = loc(callsite("/models/mobilenet.mlir":50:11 at #loc))
#loc26 = loc(fused[#loc25, callsite("/models/mobilenet.mlir":51:11 at #loc)])
#loc27 = loc(callsite("/models/mobilenet.mlir":54:11 at #loc))
#loc28 = loc(fused[#loc27, callsite("/models/mobilenet.mlir":55:11 at #loc)])
#loc29 = loc(callsite("/models/mobilenet.mlir":58:11 at #loc))
#loc30 = loc(fused[#loc29, callsite("/models/mobilenet.mlir":59:11 at #loc)])
#loc31 = loc(callsite("/models/mobilenet.mlir":62:11 at #loc))
#loc32 = loc(fused[#loc31, callsite("/models/mobilenet.mlir":63:11 at #loc)])
#loc33 = loc(callsite("/models/mobilenet.mlir":64:11 at #loc))
#loc35 = loc(callsite("/models/mobilenet.mlir":67:11 at #loc))
#loc36 = loc(fused[#loc35, callsite("/models/mobilenet.mlir":68:11 at #loc)])
#loc37 = loc(callsite("/models/mobilenet.mlir":71:11 at #loc))
#loc38 = loc(fused[#loc37, callsite("/models/mobilenet.mlir":72:11 at #loc)])
#loc39 = loc(callsite("/models/mobilenet.mlir":75:11 at #loc))
#loc40 = loc(fused[#loc39, callsite("/models/mobilenet.mlir":76:11 at #loc)])
#loc41 = loc(callsite("/models/mobilenet.mlir":77:11 at #loc))
#loc43 = loc(callsite("/models/mobilenet.mlir":80:11 at #loc))
#loc44 = loc(fused[#loc43, callsite("/models/mobilenet.mlir":81:11 at #loc)])
#loc45 = loc(callsite("/models/mobilenet.mlir":84:11 at #loc))
#loc46 = loc(fused[#loc45, callsite("/models/mobilenet.mlir":85:11 at #loc)])
#loc47 = loc(callsite("/models/mobilenet.mlir":88:11 at #loc))
#loc48 = loc(fused[#loc47, callsite("/models/mobilenet.mlir":89:11 at #loc)])
#loc49 = loc(callsite("/models/mobilenet.mlir":92:11 at #loc))
#loc50 = loc(fused[#loc49, callsite("/models/mobilenet.mlir":93:11 at #loc)])
#loc51 = loc(callsite("/models/mobilenet.mlir":96:11 at #loc))
#loc52 = loc(fused[#loc51, callsite("/models/mobilenet.mlir":97:11 at #loc)])
#loc53 = loc(callsite("/models/mobilenet.mlir":100:11 at #loc))
#loc54 = loc(fused[#loc53, callsite("/models/mobilenet.mlir":101:11 at #loc)])
#loc55 = loc(callsite("/models/mobilenet.mlir":102:11 at #loc))
#loc57 = loc(callsite("/models/mobilenet.mlir":105:11 at #loc))
#loc58 = loc(fused[#loc57, callsite("/models/mobilenet.mlir":106:11 at #loc)])
#loc59 = loc(callsite("/models/mobilenet.mlir":109:11 at #loc))
#loc60 = loc(fused[#loc59, callsite("/models/mobilenet.mlir":110:11 at #loc)])
#loc61 = loc(callsite("/models/mobilenet.mlir":113:11 at #loc))
#loc62 = loc(fused[#loc61, callsite("/models/mobilenet.mlir":114:11 at #loc)])
#loc63 = loc(callsite("/models/mobilenet.mlir":115:11 at #loc))
#loc65 = loc(callsite("/models/mobilenet.mlir":118:11 at #loc))
#loc66 = loc(fused[#loc65, callsite("/models/mobilenet.mlir":119:11 at #loc)])
#loc67 = loc(callsite("/models/mobilenet.mlir":122:11 at #loc))
#loc68 = loc(fused[#loc67, callsite("/models/mobilenet.mlir":123:11 at #loc)])
#loc69 = loc(callsite("/models/mobilenet.mlir":126:11 at #loc))
#loc70 = loc(fused[#loc69, callsite("/models/mobilenet.mlir":127:11 at #loc)])
#loc71 = loc(callsite("/models/mobilenet.mlir":128:11 at #loc))
#loc73 = loc(callsite("/models/mobilenet.mlir":131:11 at #loc))
#loc74 = loc(fused[#loc73, callsite("/models/mobilenet.mlir":132:11 at #loc)])
#loc75 = loc(callsite("/models/mobilenet.mlir":135:11 at #loc))
#loc76 = loc(fused[#loc75, callsite("/models/mobilenet.mlir":136:11 at #loc)])
#loc77 = loc(callsite("/models/mobilenet.mlir":139:11 at #loc))
#loc78 = loc(fused[#loc77, callsite("/models/mobilenet.mlir":140:11 at #loc)])
#loc79 = loc(callsite("/models/mobilenet.mlir":143:11 at #loc))
#loc80 = loc(fused[#loc79, callsite("/models/mobilenet.mlir":144:11 at #loc)])
#loc81 = loc(callsite("/models/mobilenet.mlir":147:11 at #loc))
#loc82 = loc(fused[#loc81, callsite("/models/mobilenet.mlir":148:11 at #loc)])
#loc83 = loc(callsite("/models/mobilenet.mlir":151:11 at #loc))
#loc84 = loc(fused[#loc83, callsite("/models/mobilenet.mlir":152:11 at #loc)])
#loc85 = loc(callsite("/models/mobilenet.mlir":153:11 at #loc))
#loc87 = loc(callsite("/models/mobilenet.mlir":156:11 at #loc))
#loc88 = loc(fused[#loc87, callsite("/models/mobilenet.mlir":157:11 at #loc)])
#loc89 = loc(callsite("/models/mobilenet.mlir":160:11 at #loc))
#loc90 = loc(fused[#loc89, callsite("/models/mobilenet.mlir":161:11 at #loc)])
#loc91 = loc(callsite("/models/mobilenet.mlir":164:11 at #loc))
#loc92 = loc(fused[#loc91, callsite("/models/mobilenet.mlir":165:11 at #loc)])
#loc93 = loc(callsite("/models/mobilenet.mlir":166:11 at #loc))
#loc95 = loc(callsite("/models/mobilenet.mlir":169:11 at #loc))
#loc96 = loc(fused[#loc95, callsite("/models/mobilenet.mlir":170:11 at #loc)])
#loc97 = loc(callsite("/models/mobilenet.mlir":173:11 at #loc))
#loc98 = loc(fused[#loc97, callsite("/models/mobilenet.mlir":174:11 at #loc)])
#loc99 = loc(callsite("/models/mobilenet.mlir":177:11 at #loc))
#loc100 = loc(fused[#loc99, callsite("/models/mobilenet.mlir":178:11 at #loc)])
#loc101 = loc(callsite("/models/mobilenet.mlir":181:11 at #loc))
#loc102 = loc(fused[#loc101, callsite("/models/mobilenet.mlir":182:11 at #loc)])
#loc103 = loc(callsite("/models/mobilenet.mlir":185:11 at #loc))
#loc104 = loc(fused[#loc103, callsite("/models/mobilenet.mlir":186:11 at #loc)])
#loc105 = loc(callsite("/models/mobilenet.mlir":189:11 at #loc))
#loc106 = loc(fused[#loc105, callsite("/models/mobilenet.mlir":190:11 at #loc)])
#loc107 = loc(callsite("/models/mobilenet.mlir":191:11 at #loc))
#loc109 = loc(callsite("/models/mobilenet.mlir":194:12 at #loc))
#loc110 = loc(fused[#loc109, callsite("/models/mobilenet.mlir":195:12 at #loc)])
#loc111 = loc(callsite("/models/mobilenet.mlir":198:12 at #loc))
#loc112 = loc(fused[#loc111, callsite("/models/mobilenet.mlir":199:12 at #loc)])
#loc113 = loc(callsite("/models/mobilenet.mlir":202:12 at #loc))
#loc114 = loc(fused[#loc113, callsite("/models/mobilenet.mlir":203:12 at #loc)])
#loc115 = loc(callsite("/models/mobilenet.mlir":204:12 at #loc))
#loc117 = loc(callsite("/models/mobilenet.mlir":207:12 at #loc))
#loc118 = loc(fused[#loc117, callsite("/models/mobilenet.mlir":208:12 at #loc)])
#loc119 = loc(callsite("/models/mobilenet.mlir":211:12 at #loc))
#loc120 = loc(fused[#loc119, callsite("/models/mobilenet.mlir":212:12 at #loc)])
#loc121 = loc(callsite("/models/mobilenet.mlir":215:12 at #loc))
#loc122 = loc(fused[#loc121, callsite("/models/mobilenet.mlir":216:12 at #loc)])
#loc123 = loc(callsite("/models/mobilenet.mlir":219:12 at #loc))
#loc124 = loc(fused[#loc123, callsite("/models/mobilenet.mlir":220:12 at #loc)])
#loc125 = loc(callsite("/models/mobilenet.mlir":221:12 at #loc))
#loc127 = loc(callsite("/models/mobilenet.mlir":224:12 at #loc))
#loc128 = loc(fused[#loc127, callsite("/models/mobilenet.mlir":225:12 at #loc)])
#loc129 = loc(callsite("/models/mobilenet.mlir":226:12 at #loc))
#loc131 = loc(fused[#loc1, #loc3, #loc5])
#loc132 = loc(fused[#loc7, #loc9, #loc11])
#loc133 = loc(fused[#loc13, #loc15, #loc17, #loc19])
#loc134 = loc(fused[#loc21, #loc23, #loc25])
#loc135 = loc(fused[#loc27, #loc29, #loc31, #loc33])
#loc136 = loc(fused[#loc35, #loc37, #loc39, #loc41])
#loc137 = loc(fused[#loc43, #loc45, #loc47])
#loc138 = loc(fused[#loc49, #loc51, #loc53, #loc55])
#loc139 = loc(fused[#loc57, #loc59, #loc61, #loc63])
#loc140 = loc(fused[#loc65, #loc67, #loc69, #loc71])
#loc141 = loc(fused[#loc73, #loc75, #loc77])
#loc142 = loc(fused[#loc79, #loc81, #loc83, #loc85])
#loc143 = loc(fused[#loc87, #loc89, #loc91, #loc93])
#loc144 = loc(fused[#loc95, #loc97, #loc99])
#loc145 = loc(fused[#loc101, #loc103, #loc105, #loc107])
#loc146 = loc(fused[#loc109, #loc111, #loc113, #loc115])
#loc147 = loc(fused[#loc117, #loc119, #loc121])
