/* device_log_reader.c: reader `tt-device`: how such a log is recognised, and its way to the sink. */
#include "base/number.h"
#include "tenstorrent/chain.h"
#include "tenstorrent/device_log.h"
#include "tenstorrent/device_log_layout.h"

/* A row without anything above it: three numbers, a RISC, two numbers, and whatever newer logs have behind them. */
static bool is_bare_row(struct text line)
{
    unsigned count = 0;

    for (; line.data && count < 6; count++) {
        struct text field = text_trim(text_take(&line, ','));
        int64_t value;

        if (count == 3 ? !text_contains(field, "RISC") : !number_parse_integer(field.data, field.length, &value))
            return false;
    }
    return count == 6;
}

static int probe(struct text head, const char *path)
{
    struct text rest, line;

    (void)path;
    (void)text_cut_start(&head, "\xEF\xBB\xBF");
    rest = head = text_trim(head);
    line = text_trim(text_take(&rest, '\n'));
    if (tt_is_names(line) && text_contains(line, "RISC processor type"))
        return 95;
    if (tt_is_info(line))
        return text_contains(head, "PCIe slot") || text_begins(line, "ARCH:") ? 95 : 60;
    if (is_bare_row(line))
        return 80;
    return text_contains(head, "\nPCIe slot") && text_contains(head, "RISC processor type")
               ? 70
               : 0; /* something was put before it */
}

static status read_device_log(struct source *source, struct feed *feed)
{
    struct marker_log log;
    status code;

    marker_log_start(&log, feed->strings);
    code = tt_device_read_markers(source, &log);
    feed->losses = log.losses;
    if (code == STATUS_OK)
        code = tt_device_feed(source, &log, feed);
    marker_log_free(&log);
    return code;
}

static const struct tenstorrent_calls calls = { .markers = tt_device_read_markers };

const struct reader tt_device_reader = {
    .id = "tt-device",
    .title = "Tenstorrent device log",
    .chain = &tenstorrent_chain,
    .own = &calls,
    .kind = READER_MEASURED,
    .files = "profile_log_device.csv",
    .probe = probe,
    .read = read_device_log,
};
