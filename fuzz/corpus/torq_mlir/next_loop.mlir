module {
 func.func @f() {
  %p = torq_hl.program "n" : !torq_hl.program<nss> {
  ^bb0(%a: i32):
   torq_hl.next %a : i32 lram_area(%a : i32) to ^bb1
  ^bb1(%b: i32):
   torq_hl.next %b : i32 lram_area(%b : i32) to ^bb0
  }
 }
}
