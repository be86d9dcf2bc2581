/* advise.c: what `tacho advise` does with profiles of Torq: reads one, and hands on what its engines and jobs could save. */
#include <stdio.h>

#include "base/format.h"
#include "base/path.h"
#include "job/advise.h"
#include "torq/chain.h"
#include "torq/companions.h"
#include "torq/potential_engines.h"

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
    const char *architecture = advise_settings(job)->architecture;
    const struct profile *profile = &engines->session.profiles[0];
    struct potential_torq input = {
        .busy = &engines->busy,
        .traffic = &engines->traffic,
        .metrics = &engines->metrics,
        .process = profile->process,
        .strings = engines->session.strings,
        .measured = profile->reader->kind == READER_MEASURED,
        .program = torq_program(&profile->source),
        .cycles = torq_cycles(&profile->source),
        .architecture = peaks,
        .architecture_file = architecture ? path_name(architecture) : NULL,
    };
    struct potential_title title = { .name = profile->display };
    struct potential potential;
    char summary[256], time[FORMAT_SIZE];
    status code = potential_of_torq(&potential, &input);

    if (code == STATUS_OK && !potential.count)
        code = status_fail_at(STATUS_INPUT, (struct place){ .file = profile->path },
                              "no engine, job or host program has any time in it; there is nothing to advise on");
    if (code != STATUS_OK) {
        potential_free(&potential);
        return code;
    }
    format_duration(time, potential_rounded(potential_ns(&potential, potential.whole)));
    snprintf(summary, sizeof summary, "%.100s: %s from the first start to the last end, %s.", profile->reader->title,
             time, input.measured ? "as measured" : "as the compiler estimates");
    title.summary = summary;
    return advise_add_potential(job, &potential, &title);
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
