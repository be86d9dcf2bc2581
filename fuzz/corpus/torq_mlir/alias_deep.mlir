#loc0 = loc(fused[#loc1, #loc1])
#loc1 = loc(fused[#loc2, #loc2])
#loc2 = loc(fused[#loc3, #loc3])
#loc3 = loc(fused[#loc4, #loc4])
#loc4 = loc(fused[#loc5, #loc5])
#loc5 = loc(fused[#loc6, #loc6])
#loc6 = loc(fused[#loc7, #loc7])
#loc7 = loc(fused[#loc8, #loc8])
#loc8 = loc(fused[#loc9, #loc9])
#loc9 = loc(fused[#loc10, #loc10])
#loc10 = loc(fused[#loc11, #loc11])
#loc11 = loc(fused[#loc12, #loc12])
#loc12 = loc("f":1:2)
module {
 func.func @f() {
  %t = memref.alloc() {"torq-action-id" = 0 : i32} : memref<16xi8> loc(#loc0)
 }
}
