/* findings_further.c: what to measure next. */
#include "executorch/findings_shared.h"

static void find_record(struct finder *finder)
{
    const char *dump = finder->input->candidate.dump;

    if (finder->execute_ms <= 0 || finder->has_nodes)
        return;
    if (finder->input->etrecord) {
        add_step(finder, "Use the ETRecord of this very export",
                 say(finder,
                     "There is an ETRecord, but none of the %zu operators could be tied to it: it belongs to "
                     "another export, or "
                     "the times come from a file without instruction numbers.",
                     finder->work),
                 say(finder, "tacho operators %s --etrecord %s", say_file(finder, dump, "MODEL.etdump"),
                     say_file(finder, finder->input->etrecord, "")));
        return;
    }
    add_step(finder, "Give the ETRecord of the export",
             say(finder,
                 "No ETRecord was found: modules, source lines, shapes and rates of the %zu operators are not known.",
                 finder->work),
             say(finder, "tacho operators %s --etrecord MODEL.etrecord -o operators.csv",
                 say_file(finder, dump, "MODEL.etdump")));
}

static void find_log(struct finder *finder)
{
    const struct findings_side *candidate = &finder->input->candidate;
    bool has_log = candidate->log && candidate->log->kernels.count;
    const char *command = say(finder, "tacho kernels --xnntrace-log XNNTRACE.log --etdump %s --out kernels.csv",
                              say_file(finder, candidate->dump, "MODEL.etdump"));

    if ((!finder->delegated && !findings_expects_sme2(finder->findings)) || (has_log && candidate->log->has_execution))
        return;
    if (has_log)
        add_step(
            finder, "Log which kernels run",
            say(finder,
                "The log names %u registered kernels, not which of them ran: build the runner with XNN_LOG_LEVEL=5 and "
                "give its log.",
                finder->findings->facts.standing),
            command);
    else
        add_step(finder, "Log which kernels are registered and run",
                 say(finder,
                     "No kernel log of %s was found, so nothing proves which kernels %s: build the runner with "
                     "XNN_LOG_LEVEL=5 and run it once, apart from the timing.",
                     candidate->name ? candidate->name : "the candidate",
                     finder->delegated ? say(finder, "its %u delegated operators use", finder->delegated) : "it uses"),
                 command);
}

static uint32_t launches_of(const struct findings_side *side)
{
    return side->launches || !side->operators ? side->launches : side->operators->launches;
}

static const char *times_of(const struct findings_side *side)
{
    return side->dump ? side->dump : side->timeline;
}

static void find_launches(struct finder *finder)
{
    const struct findings_input *input = finder->input;
    uint32_t one = launches_of(&input->candidate), other = launches_of(&input->baseline);
    const char *speedup =
        input->latency.speedup > 0 ? say(finder, "The factor of %.2fx", input->latency.speedup) : "A difference";

    if (!input->has_baseline || input->latency.tested)
        return;
    add_step(finder, "Measure 5 or more launches a side",
             say(finder, "%s rests on %s: that cannot tell a change from luck.", speedup,
                 one == other ? say(finder, "%u %s a side", one, plural(one, "launch", "launches"))
                              : say(finder, "%u launches of the baseline and %u of the candidate", other, one)),
             input->config ? say(finder, "tacho pipeline --config %s", say_file(finder, input->config, ""))
                           : say(finder, "tacho latency --baseline %s ... --candidate %s ...",
                                 say_file(finder, times_of(&input->baseline), "OFF_l1.etdump"),
                                 say_file(finder, times_of(&input->candidate), "ON_l1.etdump")));
}

static void find_baseline(struct finder *finder)
{
    const struct findings_input *input = finder->input;
    const char *times = times_of(&input->candidate);

    if (input->has_baseline || input->baseline.operators || finder->execute_ms <= 0)
        return;
    add_step(
        finder, "Compare with another build",
        say(finder,
            "There is only %s: what was accelerated, and what was not, shows against a second build of the same model.",
            input->candidate.name ? input->candidate.name : "one build"),
        say(finder, "tacho operators --timeline-csv %s --compare OTHER.etdump",
            say_file(finder, times, "THIS.etdump")));
}

static void find_spread(struct finder *finder)
{
    double least, most;

    if (finder->execute_ms <= 0 || finder->side->inferences < 2)
        return;
    least = operators_ms(finder->side, finder->side->execute_least);
    most = operators_ms(finder->side, finder->side->execute_most);
    if (least <= 0 || most <= 1.5 * least)
        return;
    add_step(finder, "Look at the spread of the runs",
             say(finder,
                 "The %llu inferences of the candidate took from %s to %s, %.1fx apart: warm-up, other load or a "
                 "second mode.",
                 (unsigned long long)finder->side->inferences, say_ms(finder, least), say_ms(finder, most),
                 most / least),
             say(finder, "tacho latency %s --verbose",
                 say_file(finder, times_of(&finder->input->candidate), "THIS.etdump")));
}

static void find_times(struct finder *finder)
{
    const struct findings_input *input = finder->input;

    if (finder->execute_ms > 0)
        return;
    add_step(finder, "Record times by operator",
             say(finder, "There are no times by operator of %s: run it with an event tracer and keep the ETDump.",
                 input->candidate.name ? input->candidate.name : "the candidate"),
             input->config ? say(finder, "tacho pipeline --config %s", say_file(finder, input->config, ""))
                           : say(finder, "tacho timeline MODEL.etdump --out-dir %s --all-runs",
                                 say_file(finder, input->run_dir, ".")));
}

/* The names promise SME2, and the log is of a machine that cannot have it. */
static void find_machine(struct finder *finder)
{
    const struct kernel_facts *facts = &finder->findings->facts;

    if (finder->findings->nature == PAIR_SME2_ABSENT && facts->x86)
        add_step(finder,
                 say(finder, "Measure on a device with SME2: %s kernels ran here", facts->main ? facts->main : "x86"),
                 say(finder,
                     "Of %u registered kernels none is an SME2 one, and %u are for x86: what SME2 gives cannot show on "
                     "this machine.",
                     facts->standing, facts->x86),
                 NULL);
}

void find_steps(struct finder *finder)
{
    find_machine(finder);
    find_times(finder);
    find_record(finder);
    find_log(finder);
    find_launches(finder);
    find_baseline(finder);
    find_spread(finder);
}
