/* et_timeline.c: a timeline of ExecuTorch's events, as the kit's converter writes it: by event, and inside an event by run.
 *
 * An inference has delegates with their operators, portable kernels in their calls, and Method::execute around them. Each
 * event has its place in the inference; how long it takes differs from run to run. Times go through doubles as in the
 * original, whose noise they show.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model.h"

enum {
    DELEGATES = 4,
    DELEGATE_OPERATORS = 60,
    PORTABLE = 20, /* before each delegate a fourth of them */
    EVENTS = DELEGATES * (DELEGATE_OPERATORS + 1) + PORTABLE * 2 + 1,
    SLOT = 40 * 1000, /* ns that an operator has, at most */
    LOADING = 20 * 1000 * 1000,
};

static const char model_name[] = "synthetic_encoder_xnnpack_fp32_mac_sme2_on_t1";

/* An event of the program. */
struct event {
    char name[64];
    char type[64]; /* without its number */
    const char *backend;
    uint64_t offset; /* ns from the start of the inference */
    uint64_t length; /* ns, at most */
    uint64_t whole;  /* its times are whole multiples of this */
};

static void put_double(double value)
{
    char text[40];

    /* The shortest text that reads back as the same number. */
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        if (digits == 17 || strtod(text, NULL) == value)
            break;
    }
    put(text);
    if (!strpbrk(text, ".e"))
        put(".0");
}

static void put_quoted(const char *text, bool quoted)
{
    if (quoted)
        put_character('"');
    put(text);
    if (quoted)
        put_character('"');
}

static void put_row(const struct event *event, uint64_t start, uint64_t duration, unsigned node, uint64_t run,
                    const char *block)
{
    bool delegated = event->whole > 1;
    double start_ms = (double)start / 1e6;
    double milliseconds = delegated ? (double)(start + duration) / 1e6 - start_ms : (double)duration / 1e6;

    put(model_name);
    put_character(',');
    put_quoted(event->name, delegated);
    put_character(',');
    put_quoted(event->type, delegated);
    put_character(',');
    put(event->backend);
    put_character(',');
    put_double((double)start / 1000);
    put_character(',');
    put_double((double)start / 1000 + milliseconds * 1000);
    put_character(',');
    put_double(milliseconds);
    put_character(',');
    put_double(milliseconds / 123.456789);
    put_character(',');
    put_unsigned(node);
    put_character(',');
    put_unsigned(run);
    put_character(',');
    put(block);
    put_character('\r');
    end_line();
}

static struct event *add_event(struct event *next, const char *type, unsigned number, const char *backend,
                               uint64_t offset, uint64_t length)
{
    bool delegated = number > 0;

    snprintf(next->type, sizeof next->type, "%s", type);
    if (delegated)
        snprintf(next->name, sizeof next->name, "%.50s #%u", type, number);
    else
        snprintf(next->name, sizeof next->name, "%s", type);
    next->backend = backend;
    next->offset = offset;
    next->length = length;
    next->whole = delegated ? 1000 : 1;
    return next + 1;
}

/* The events of an inference in the order in which they end. */
static void make_events(struct event *events)
{
    static const char *const delegated[] = { "Fully Connected (NC, F32) GEMM", "Convolution (NHWC, F32) DWConv",
                                             "Add (ND, F32)", "Convolution (NHWC, F32) IGEMM", "Transpose (ND, X32)" };
    static const char *const portable[] = { "native_call_cat.out", "native_call_permute_copy.out",
                                            "native_call_mul.out" };
    struct event *next = events;
    uint64_t offset = 2000;

    for (unsigned i = 0; i < DELEGATES; i++) {
        uint64_t start;

        for (unsigned k = 0; k < PORTABLE / DELEGATES; k++, offset += SLOT + 1000) {
            next = add_event(next, portable[k % 3], 0, "portable", offset + 300, SLOT);
            next = add_event(next, "OPERATOR_CALL", 0, "portable", offset, SLOT + 800);
        }
        start = offset;
        offset += 1000;
        for (unsigned k = 0; k < DELEGATE_OPERATORS; k++, offset += SLOT)
            next = add_event(next, delegated[k % 5], k / 5 + 1, "XnnpackBackend", offset, SLOT);
        next = add_event(next, "DELEGATE_CALL", 0, "portable", start, offset - start + 1000);
        offset += 3000;
    }
    add_event(next, "Method::execute", 0, "portable", 0, offset + 1000);
}

uint64_t generate_et_timeline(uint64_t rows, uint64_t seed)
{
    static struct event events[EVENTS];
    struct event init = { .name = "Method::init", .type = "Method::init", .backend = "portable", .whole = 1 };
    struct event load = {
        .name = "Program::load_method", .type = "Program::load_method", .backend = "portable", .whole = 1
    };
    uint64_t runs = rows > 2 ? (rows - 2 + EVENTS - 1) / EVENTS : 1;
    uint64_t random = seed;

    make_events(events);
    put("model_id,name,type,delegate_backend,start_us,end_us,duration_ms,pct_total,node_id,run_index,block\r");
    end_line();
    lines_written = 0;
    put_row(&init, 1200, LOADING - 5000, 0, 0, "Default");
    put_row(&load, 1000, LOADING - 4000, 1, 0, "Default");
    for (unsigned i = 0; i < EVENTS; i++) {
        const struct event *event = &events[i];
        bool wrapper = event->length > SLOT;

        for (uint64_t run = 0; run < runs; run++) {
            uint64_t start = LOADING + run * (events[EVENTS - 1].length + 60 * 1000) + event->offset;
            uint64_t saved = wrapper ? 0 : draw(&random, event->length * 3 / 4);

            put_row(event, start, (event->length - saved) / event->whole * event->whole, i + 2, run, "Execute");
        }
    }
    return 0;
}
