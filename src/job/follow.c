/* follow.c: a recording that is still being made, shown again and again until it ends. */
#include "job/follow.h"

#include <assert.h>
#include <stdio.h>

#include "analyze/zone_totals.h"
#include "base/format.h"
#include "read/recording_tail.h"

enum { LOOK_MS = 100, SHOW_EVERY = 10 /* looks: a second */, MOST_ZONES = 20, OPEN_TEXT = 512 };

/* One use. */
struct following {
    struct job *job;             /* borrowed */
    struct strings *strings;     /* owned */
    struct zone_totals totals;   /* owned */
    struct feed feed;            /* owned */
    struct recording_tail *tail; /* owned */
};

static void add_notes(const struct following *following, struct table *table, const struct tail_facts *facts)
{
    char now[FORMAT_SIZE], zones[FORMAT_SIZE], open[OPEN_TEXT];

    format_duration(now, facts->now);
    format_count(zones, facts->zones);
    table_note(table, "%s [%u]: %s zones of %u thread%s in %s; recording a zone takes %.0f ns",
               *facts->program ? facts->program : "program", facts->pid, zones, facts->threads,
               facts->threads == 1 ? "" : "s", now, facts->cost);
    if (facts->open) {
        recording_tail_open_zones(following->tail, open, sizeof open);
        table_note(table, "open %s: %s", facts->state == IMAGE_BROKEN ? "when it ended" : "now", open);
    }
    if (facts->dropped)
        table_note(table, "%llu records were dropped: there was no room for them", (unsigned long long)facts->dropped);
    if (facts->lost)
        table_note(table, "%llu records could not be used", (unsigned long long)facts->lost);
    if (facts->state == IMAGE_BROKEN)
        table_note(table, "the program is gone without having ended its recording: it was killed, or crashed");
}

static status make_table(const struct following *following, struct table **table)
{
    struct tail_facts facts;

    recording_tail_facts(following->tail, &facts);
    *table = zone_totals_table(&following->totals, MOST_ZONES);
    if (!*table)
        return status_no_memory("showing zones");
    add_notes(following, *table, &facts);
    return table_status(*table);
}

static status show(const struct following *following)
{
    struct table *table = NULL;
    status code = following->job->show ? make_table(following, &table) : STATUS_OK;

    if (code == STATUS_OK && table)
        following->job->show(following->job->show_context, table);
    table_free(table);
    return code;
}

static status follow(struct following *following)
{
    struct tail_facts facts = { .state = IMAGE_WAITING };
    status code = STATUS_OK;

    for (unsigned looks = 0; code == STATUS_OK && facts.state != IMAGE_COMPLETE && facts.state != IMAGE_BROKEN;
         looks++) {
        code = recording_tail_look(following->tail, LOOK_MS);
        recording_tail_facts(following->tail, &facts);
        if (looks == 0 && facts.state == IMAGE_WAITING)
            job_wait(following->job, "waiting for %s", following->job->inputs.items[0]);
        if (code == STATUS_OK && looks % SHOW_EVERY == SHOW_EVERY - 1 && facts.state == IMAGE_GROWING)
            code = show(following);
    }
    /* What came between the last look and the end. */
    if (code == STATUS_OK)
        code = recording_tail_look(following->tail, 0);
    return code;
}

status follow_recording(struct job *job, const char *token)
{
    struct following following = { .job = job, .strings = strings_new() };
    struct table *table = NULL;
    status code = following.strings ? STATUS_OK : status_no_memory("following a recording");

    assert(job->inputs.count == 1);
    zone_totals_start(&following.totals, following.strings);
    feed_start(&following.feed, zone_totals_sink(&following.totals), following.strings);
    if (code == STATUS_OK)
        code = recording_tail_open(job->inputs.items[0], token, &following.feed, &following.tail);
    if (code == STATUS_OK)
        code = follow(&following);
    if (code == STATUS_OK)
        code = make_table(&following, &table);
    if (code == STATUS_OK)
        code = job_table(job, table);
    else
        table_free(table);
    recording_tail_free(following.tail);
    feed_free(&following.feed);
    zone_totals_free(&following.totals);
    strings_free(following.strings);
    return code;
}
