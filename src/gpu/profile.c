/* profile.c: one profile of a GPU, read for a question about all of it. */
#include "gpu/profile.h"

#include "base/path.h"

static status read_pieces(struct gpu_profile *profile)
{
    struct tee tee = { .all = { .count = 0 } };
    struct profile *input = profile->session.profiles;
    struct feed feed;
    status code = tee_add(&tee, counting_sink(&profile->counting));

    if (code == STATUS_OK)
        code = tee_add(&tee, pieces_sink(&profile->pieces));
    feed_start(&feed, tee_sink(&tee), profile->session.strings);
    if (code == STATUS_OK)
        code = session_read(&profile->session, input, &feed);
    if (code == STATUS_OK)
        code = counting_take(&profile->counting, input, &profile->runs, &profile->metrics);
    if (code == STATUS_OK)
        code = pieces_settle(&profile->pieces, runs_windows(&profile->runs));
    profile->head = gpu_head(&input->source);
    feed_free(&feed);
    tee_free(&tee);
    return code;
}

status gpu_profile_read(struct gpu_profile *profile, const struct job *job, const char *path)
{
    status code;

    *profile = (struct gpu_profile){ 0 };
    code = session_start(&profile->session, &job->reading);
    if (code == STATUS_OK)
        code = session_add(&profile->session, path, path_name(path));
    if (code == STATUS_OK)
        code = pieces_start(&profile->pieces, profile->session.strings);
    if (code == STATUS_OK)
        code = counting_start(&profile->counting, job->runs, job->warmup, true, profile->session.strings);
    return code == STATUS_OK ? read_pieces(profile) : code;
}

void gpu_profile_free(struct gpu_profile *profile)
{
    pieces_free(&profile->pieces);
    counted_runs_free(&profile->runs);
    counting_free(&profile->counting);
    session_end(&profile->session);
}
