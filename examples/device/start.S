# start.S: where the five harts of the machine begin: a stack for each, then the firmware of kernels.c.
#
# A hart's own software interrupt is pending all the time and never taken: wfi ends at once on it, but lets the emulator go on with
# another hart.
    .section .start, "ax"
    .globl _start
_start:
    csrr a0, mhartid
    li t0, 5                    # more harts than processors are not used
    bgeu a0, t0, sleep
    csrw mstatus, zero
    li t0, 0x02000000           # software interrupts of the harts, a word each
    slli t1, a0, 2
    add t0, t0, t1
    li t1, 1
    sw t1, 0(t0)
    li t1, 8
    csrw mie, t1
    la sp, stacks
    addi t1, a0, 1
    slli t1, t1, 12             # 4096 bytes each
    add sp, sp, t1
    li a1, 0x80100000           # CORE_ADDRESS of core.h
    call processor
    csrw mie, zero
sleep:
    wfi
    j sleep

    .section .stacks, "aw", @nobits
    .balign 16
stacks:
    .skip 5 * 4096
