#loc1 = loc(#loc2)
#loc2 = loc(#loc1)
#loc3 = loc(fused[#loc3, #loc1])
module {
 func.func @f() {
  %t = memref.alloc() {"torq-action-id" = 0 : i32} : memref<16xi8> loc(#loc3)
 }
}
