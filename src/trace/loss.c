#include "trace/loss.h"

#include <assert.h>
#include <stdio.h>

struct loss_row {
    bool kept;
    const char *text;
};

static const struct loss_row loss_rows[] = {
#define X(name, kept, text) { kept, text },
    LOSS_MAP(X)
#undef X
};

void losses_add(struct losses *losses, enum loss_reason reason, uint64_t line)
{
    struct loss *loss = &losses->by_reason[reason];

    assert(reason < LOSS_COUNT);
    if (loss->count < LOSS_LINES)
        loss->lines[loss->count] = line;
    loss->count++;
    if (!loss_rows[reason].kept)
        losses->lost++;
}

void losses_join(struct losses *losses, const struct losses *more)
{
    for (unsigned i = 0; i < LOSS_COUNT; i++)
        losses->by_reason[i].count += more->by_reason[i].count;
    losses->rows += more->rows;
    losses->used += more->used;
    losses->lost += more->lost;
}

uint64_t losses_first_line(const struct losses *losses)
{
    uint64_t first = UINT64_MAX;

    for (unsigned i = 0; i < LOSS_COUNT; i++)
        if (losses->by_reason[i].count && !loss_rows[i].kept && losses->by_reason[i].lines[0] < first)
            first = losses->by_reason[i].lines[0];
    return first == UINT64_MAX ? 0 : first;
}

const char *loss_text(enum loss_reason reason)
{
    return loss_rows[reason].text;
}

bool loss_kept(enum loss_reason reason)
{
    return loss_rows[reason].kept;
}

uint64_t losses_total(const struct losses *losses)
{
    uint64_t total = 0;

    for (unsigned i = 0; i < LOSS_COUNT; i++)
        total += losses->by_reason[i].count;
    return total;
}

int loss_describe(const struct losses *losses, enum loss_reason reason, char *to, size_t size)
{
    const struct loss *loss = &losses->by_reason[reason];
    int length = snprintf(to, size, "%llu x %s", (unsigned long long)loss->count, loss_rows[reason].text);
    unsigned shown = loss->count < LOSS_LINES ? (unsigned)loss->count : LOSS_LINES;

    for (unsigned i = 0; i < shown && loss->lines[i] && length > 0 && (size_t)length < size; i++)
        length += snprintf(to + length, size - (size_t)length, "%s%llu",
                           i ? ", " : (loss->count > 1 ? " (lines " : " (line "), (unsigned long long)loss->lines[i]);
    if (shown && loss->lines[0] && length > 0 && (size_t)length < size)
        length += snprintf(to + length, size - (size_t)length, "%s)", loss->count > LOSS_LINES ? ", ..." : "");
    return length;
}

status losses_fail(const struct losses *losses, const char *path, const char *format)
{
    enum loss_reason most = LOSS_COUNT;
    char reason[512] = "";

    for (unsigned i = 0; i < LOSS_COUNT; i++)
        if (!loss_kept(i) && losses->by_reason[i].count > (most < LOSS_COUNT ? losses->by_reason[most].count : 0))
            most = i;
    if (most < LOSS_COUNT)
        loss_describe(losses, most, reason, sizeof reason);
    return status_fail_at(STATUS_INPUT, (struct place){ .file = path }, "none of its %llu rows can be used as %s%s%s",
                          (unsigned long long)losses->rows, format, *reason ? ": " : "", reason);
}
