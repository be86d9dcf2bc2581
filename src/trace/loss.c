/* loss.c: counts rows by the reason for which they were lost or marked. */
#include "trace/loss.h"

#include <assert.h>
#include <stdio.h>

enum {
#define X(name, kept, text) ORDER_##name,
    LOSS_MAP(X)
#undef X
};

#define X(name, is_kept, words) \
    const struct loss_reason loss_##name = { .text = words, .kept = is_kept, .order = ORDER_##name };
LOSS_MAP(X)
#undef X

/* What more reasons than an input can have are counted as. */
static const struct loss_reason others[] = {
    { .text = "other reasons", .kept = false, .order = UINT8_MAX },
    { .text = "other reasons (kept)", .kept = true, .order = UINT8_MAX },
};

/* The count of a reason; a new one takes its place by order. */
static struct loss *find(struct losses *losses, const struct loss_reason *reason)
{
    unsigned place = losses->reason_count;

    for (unsigned i = 0; i < losses->reason_count; i++)
        if (losses->reasons[i].reason == reason)
            return &losses->reasons[i];
    /* The last two places are for what finds no place of its own. */
    if (losses->reason_count >= LOSS_REASONS - 2 && reason != &others[0] && reason != &others[1])
        return find(losses, &others[reason->kept]);
    while (place && losses->reasons[place - 1].reason->order > reason->order) {
        losses->reasons[place] = losses->reasons[place - 1];
        place--;
    }
    assert(losses->reason_count < LOSS_REASONS);
    losses->reason_count++;
    losses->reasons[place] = (struct loss){ .reason = reason };
    return &losses->reasons[place];
}

void losses_add(struct losses *losses, const struct loss_reason *reason, uint64_t line)
{
    struct loss *loss = find(losses, reason);

    assert(reason && losses->reason_count <= LOSS_REASONS);
    if (loss->count < LOSS_LINES)
        loss->lines[loss->count] = line;
    loss->count++;
    if (!reason->kept)
        losses->lost++;
}

void losses_mark(struct losses *losses, const struct loss_reason *reason, uint64_t count)
{
    assert(reason);
    if (count)
        find(losses, reason)->count += count;
}

void losses_places(struct losses *losses, const struct loss_reason *reason, const uint64_t places[LOSS_LINES])
{
    struct loss *loss = find(losses, reason);

    for (unsigned i = 0; i < LOSS_LINES; i++)
        loss->lines[i] = places[i];
}

void losses_drop(struct losses *losses, const struct loss_reason *reason)
{
    unsigned kept = 0;

    assert(reason->kept);
    for (unsigned i = 0; i < losses->reason_count; i++)
        if (losses->reasons[i].reason != reason)
            losses->reasons[kept++] = losses->reasons[i];
    losses->reason_count = kept;
}

void losses_join(struct losses *losses, const struct losses *more)
{
    assert(losses != more);
    for (unsigned i = 0; i < more->reason_count; i++)
        find(losses, more->reasons[i].reason)->count += more->reasons[i].count;
    losses->rows += more->rows;
    losses->used += more->used;
    losses->lost += more->lost;
}

uint64_t losses_first_line(const struct losses *losses)
{
    uint64_t first = UINT64_MAX;

    for (unsigned i = 0; i < losses->reason_count; i++)
        if (!losses->reasons[i].reason->kept && losses->reasons[i].lines[0] < first)
            first = losses->reasons[i].lines[0];
    return first == UINT64_MAX ? 0 : first;
}

const struct loss *losses_find(const struct losses *losses, const struct loss_reason *reason)
{
    static const struct loss none;

    assert(reason);
    for (unsigned i = 0; i < losses->reason_count; i++)
        if (losses->reasons[i].reason == reason)
            return &losses->reasons[i];
    return &none;
}

uint64_t losses_count(const struct losses *losses, const struct loss_reason *reason)
{
    return losses_find(losses, reason)->count;
}

uint64_t losses_total(const struct losses *losses)
{
    uint64_t total = 0;

    for (unsigned i = 0; i < losses->reason_count; i++)
        total += losses->reasons[i].count;
    return total;
}

int loss_describe(const struct loss *loss, char *to, size_t size)
{
    static const char *const before[2][2] = { { " (line ", " (lines " }, { " (byte ", " (bytes " } };
    int length = snprintf(to, size, "%llu x %s", (unsigned long long)loss->count, loss->reason->text);
    unsigned shown = loss->count < LOSS_LINES ? (unsigned)loss->count : LOSS_LINES;
    bool several = loss->count > LOSS_LINES || (shown && loss->lines[shown - 1] != loss->lines[0]);

    for (unsigned i = 0; i < shown && loss->lines[i] && length > 0 && (size_t)length < size; i++)
        if (!i || loss->lines[i] != loss->lines[i - 1]) /* a file may have all its rows in one line */
            length += snprintf(to + length, size - (size_t)length, "%s%llu",
                               i ? ", " : before[loss->reason->bytes][several], (unsigned long long)loss->lines[i]);
    if (shown && loss->lines[0] && length > 0 && (size_t)length < size)
        length += snprintf(to + length, size - (size_t)length, "%s)", loss->count > LOSS_LINES ? ", ..." : "");
    return length;
}

void losses_none_used(const struct losses *losses, char *to, size_t size)
{
    if (losses->rows == 1)
        snprintf(to, size, "its only row cannot be used");
    else
        snprintf(to, size, "none of its %llu rows can be used", (unsigned long long)losses->rows);
}

status losses_fail(const struct losses *losses, const char *path, const char *format)
{
    const struct loss *most = NULL;
    char none[64], reason[512] = "", rest[64] = "";

    assert(path && format);
    for (unsigned i = 0; i < losses->reason_count; i++)
        if (!losses->reasons[i].reason->kept && losses->reasons[i].count > (most ? most->count : 0))
            most = &losses->reasons[i];
    if (most)
        loss_describe(most, reason, sizeof reason);
    if (most && most->count < losses->lost)
        snprintf(rest, sizeof rest, ", and %llu for other reasons", (unsigned long long)(losses->lost - most->count));
    losses_none_used(losses, none, sizeof none);
    return status_fail_at(STATUS_INPUT, (struct place){ .file = path }, "%s as %s%s%s%s", none, format,
                          *reason ? ": " : "", reason, rest);
}
