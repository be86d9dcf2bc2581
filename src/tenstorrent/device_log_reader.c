/* device_log_reader.c: reader `tt-device`: how such a log is recognised, and its way to the sink. */
#include <string.h>

#include "base/number.h"
#include "tenstorrent/chain.h"
#include "tenstorrent/device_log.h"
#include "tenstorrent/device_log_layout.h"
#include "torq/csv.h"

/* A row without anything above it: three numbers, a RISC, two numbers, and whatever newer logs have behind them. */
static bool is_bare_row(struct text line)
{
    const char *next = line.data, *end = line.data + line.length;
    unsigned count = 0;

    for (bool last = false; !last && count < 6; count++) {
        struct text field = csv_field(&next, end, ',', &last);
        int64_t value;

        field = csv_trim(field);
        if (count == 3 ? !find_text(field, "RISC") : !number_parse_integer(field.data, field.length, &value))
            return false;
    }
    return count == 6;
}

static int probe(struct text head, const char *path)
{
    const char *end = head.data + head.length;
    const char *newline;
    struct text line;

    (void)path;
    if (head.length >= 3 && memcmp(head.data, "\xEF\xBB\xBF", 3) == 0)
        head = (struct text){ head.data + 3, head.length - 3 };
    while (head.length && strchr(" \t\r\n", *head.data) && *head.data)
        head = (struct text){ head.data + 1, head.length - 1 };
    newline = memchr(head.data, '\n', head.length);
    line = trim(head.data, newline ? newline : end);
    if (tt_is_names(line) && find_text(line, "RISC processor type"))
        return 95;
    if (tt_is_info(line))
        return find_text(head, "PCIe slot") || text_begins(line, "ARCH:") ? 95 : 60;
    if (is_bare_row(line))
        return 80;
    return find_text(head, "\nPCIe slot") && find_text(head, "RISC processor type")
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
