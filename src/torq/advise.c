/* advise.c: what `tacho advise` does with profiles of Torq: reads one, and hands on what its engines and jobs could save. */
#include "job/advise.h"
#include "base/path.h"
#include "torq/chain.h"
#include "torq/companions.h"
#include "torq/metrics.h"
#include "torq/traffic.h"

/* One profile, read and added up. */
struct engines {
    struct session session; /* with the profile */
    struct busy busy;       /* when its engines were */
    struct traffic traffic; /* what they moved, and its jobs */
    struct metrics metrics; /* of the whole */
};

static status read_engines(struct engines *engines, const char *path)
{
    struct tee tee = { .all = { .count = 0 } };
    struct profile *profile;
    struct feed feed;
    status code = tee_add(&tee, busy_sink(&engines->busy));

    engines->traffic.strings = engines->session.strings;
    if (code == STATUS_OK)
        code = tee_add(&tee, traffic_sink(&engines->traffic));
    feed_start(&feed, tee_sink(&tee), engines->session.strings);
    if (code == STATUS_OK)
        code = session_add(&engines->session, path, path_name(path));
    profile = engines->session.profiles;
    if (code == STATUS_OK) {
        traffic_listen(&engines->traffic, &profile->source);
        code = session_read(&engines->session, profile, &feed);
    }
    if (code == STATUS_OK)
        code = busy_settle(&engines->busy);
    if (code == STATUS_OK)
        code = profile_metrics(profile, &engines->busy, NULL, &engines->metrics);
    feed_free(&feed);
    tee_free(&tee);
    return code;
}

static status show_engines(struct job *job, struct engines *engines, const struct architecture *peaks)
{
    const struct profile *profile = &engines->session.profiles[0];
    struct advised advised = { 0 };
    status code;

    (void)peaks;
    advice_start(&advised.advice, (double)metrics_ns(&engines->metrics, &metric_overall));
    advised.advice.subject = advice_say(&advised.advice, "%s", profile->display);
    code = advice_settle(&advised.advice);
    if (code == STATUS_OK)
        return advise_take(job, &advised);
    advised_free(&advised);
    return code;
}

static status run(struct job *job, const void *settings)
{
    struct engines engines = { 0 };
    struct architectures architectures;
    const struct architecture *peaks;
    status code;

    (void)settings;
    if (job->inputs.count > 1)
        return status_fail(STATUS_USAGE, "advice on engines takes one profile at a time");
    code = advise_load_peaks(job, &architectures, &peaks);
    busy_start(&engines.busy);
    traffic_start(&engines.traffic, NULL);
    if (code == STATUS_OK)
        code = session_start(&engines.session, &job->reading);
    if (code == STATUS_OK)
        code = read_engines(&engines, job->inputs.items[0]);
    if (code == STATUS_OK) {
        job_note_profile(job, &engines.session.profiles[0]);
        code = show_engines(job, &engines, peaks);
    }
    session_end(&engines.session);
    traffic_free(&engines.traffic);
    busy_free(&engines.busy);
    architectures_free(&architectures);
    return code;
}

static bool accepts(const struct reader *reader)
{
    return reader->chain == &torq_chain;
}

const struct verb_part torq_advise_part = {
    .verb = "advise",
    .accepts = accepts,
    .reads = PART_CLOCK,
    .about = "engines of an accelerator (Torq)",
    .wants = "a profile of Torq",
    .run = run,
};
