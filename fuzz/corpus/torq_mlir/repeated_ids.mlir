module {
 func.func @f() {
  %t = memref.alloc() {"torq-action-id" = 0 : i32} : memref<16xi8>
  %t = memref.alloc() {"torq-action-id" = 0 : i32} : memref<16xi8>
  %t = memref.alloc() {"torq-action-id" = 0 : i32} : memref<16xi8>
  torq_hl.wait_program %nothing : !torq_hl.invocation<nss> {"torq-action-id" = 99999999999 : i32}
 }
}
