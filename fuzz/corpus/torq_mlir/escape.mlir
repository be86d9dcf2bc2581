module {
 func.func @f() {
  %p = torq_hl.program "a\22b\\\n" : !torq_hl.program<slice> { torq_hl.return }
  %0:3 = torq_hl.wait_program %x#1 : !torq_hl.invocation<host> {"torq-action-id" = 3 : i32} : memref<?x4xf32, strided<[?, 1], offset: ?>>, i1, (i32) -> i64
 }
}
