/* findings_speedup.c: what a pair of builds differs in, which operators gained less than SME2 should give, and what the data say to each check. */
#include <assert.h>
#include <string.h>

#include "base/memory.h"
#include "executorch/findings_shared.h"

/* ---- Kernel logs ---- */

static bool is_x86(const char *title)
{
    static const char *const titles[] = { "AMX",  "AVX10", "AVX-512", "AVX-512 (256 bit)", "AVX-VNNI", "AVX2", "FMA3",
                                          "F16C", "AVX",   "SSE" };

    for (size_t i = 0; i < sizeof titles / sizeof *titles; i++)
        if (strcmp(title, titles[i]) == 0)
            return true;
    return false;
}

static bool is_arm(const char *title)
{
    static const char *const titles[] = { "SME2", "SME", "SVE2", "SVE", "NEON", "Arm SIMD32", "Arm FP16" };

    for (size_t i = 0; i < sizeof titles / sizeof *titles; i++)
        if (strcmp(title, titles[i]) == 0)
            return true;
    return false;
}

/* Operators (or kernels) by architecture: there are few. */
struct tally {
    const char *title; /* of the architecture */
    uint64_t count;    /* how many are made for it */
};

static void tally_add(struct tally *tallies, size_t room, const char *title, uint64_t count)
{
    for (size_t i = 0; i < room; i++) {
        if (!tallies[i].title || strcmp(tallies[i].title, title) == 0) {
            tallies[i].title = title;
            tallies[i].count += count;
            return;
        }
    }
}

/* Operators that ran with each kernel: by the log's lines of execution, or as a kernels.csv says. NULL: neither tells of any,
 * or no memory. */
static uint64_t *count_uses(struct finder *finder, const struct kernel_log *log)
{
    uint64_t *uses = memory_allocate_clear((log->kernels.count + 1) * sizeof *uses);
    bool any = false;

    if (!uses)
        finder->code = status_no_memory("counting kernels");
    for (uint32_t i = 0; uses && i < log->uses.count; i++) {
        const struct kernel_use *use = kernel_use_at(log, i);

        if (!use->skipped && use->kernel < log->kernels.count)
            uses[use->kernel]++;
    }
    for (uint32_t i = 0; uses && i < log->kernels.count; i++) {
        if (!uses[i])
            uses[i] = kernel_at(log, i)->runs;
        any |= uses[i] > 0;
    }
    if (any)
        return uses;
    memory_free(uses);
    return NULL;
}

static struct kernel_facts facts_of(struct finder *finder, const struct kernel_log *log)
{
    enum { ARCHITECTURES = 32 };
    struct kernel_facts facts = { 0 };
    struct tally tallies[ARCHITECTURES] = { { 0 } };
    uint64_t *uses = log ? count_uses(finder, log) : NULL;
    uint64_t most = 0;

    for (uint32_t i = 0; log && i < log->kernels.count; i++) {
        const struct kernel *kernel = kernel_at(log, i);
        struct text chain = strings_get(log->strings, kernel->architecture);
        const char *title = architecture_title(chain);

        if (kernel->replaced) {
            facts.replaced++;
            continue;
        }
        facts.standing++;
        facts.ran += uses && uses[i];
        facts.sme += architecture_is_sme(chain);
        facts.sme2 += architecture_is_sme2(chain);
        facts.sme_ran += architecture_is_sme(chain) && uses && uses[i];
        facts.sme_depthwise +=
            architecture_is_sme(chain) && text_has(strings_text(log->strings, kernel->operation), "dwconv");
        facts.x86 += is_x86(title);
        facts.arm += is_arm(title);
        tally_add(tallies, ARCHITECTURES, title, uses ? uses[i] : 1);
    }
    memory_free(uses);
    for (size_t i = 0; i < ARCHITECTURES; i++) {
        if (tallies[i].count > most) {
            most = tallies[i].count;
            facts.main = tallies[i].title;
        }
    }
    return facts;
}

static bool has_log(const struct findings_side *side)
{
    return side->log && side->log->kernels.count;
}

static const char *name_of(const struct findings_side *side, const char *otherwise)
{
    return side->name && *side->name ? side->name : otherwise;
}

void find_kernel_facts(struct finder *finder)
{
    const struct findings_side *candidate = &finder->input->candidate;
    const struct kernel_facts *facts = &finder->findings->facts;
    const char *sme, *ran;

    finder->findings->facts = facts_of(finder, candidate->log);
    finder->base_facts = facts_of(finder, finder->input->baseline.log);
    if (!has_log(candidate))
        return;
    if (candidate->log->has_execution)
        ran = say(finder, "%u %s seen to run%s%s", facts->ran, plural(facts->ran, "was", "were"),
                  facts->ran && facts->main ? ", mostly " : "", facts->ran && facts->main ? facts->main : "");
    else
        ran = "it does not show which ran";
    if (!facts->sme)
        sme = "None is an SME2 kernel.";
    else if (!candidate->log->has_execution)
        sme = say(finder, "%u are SME kernels (SME2: %u); whether they ran is not proven.", facts->sme, facts->sme2);
    else
        sme =
            say(finder, "%u are SME kernels (SME2: %u), and %u of these ran.", facts->sme, facts->sme2, facts->sme_ran);
    finder->findings->kernels =
        say(finder, "The kernel log of %s: %u %s registered, %u replaced before anything ran; %s. %s",
            name_of(candidate, "the candidate"), facts->standing, plural(facts->standing, "kernel", "kernels"),
            facts->replaced, ran, sme);
}

/* ---- Which pair it is ---- */

static bool says_off(const char *name)
{
    return text_has(name, "off") || text_has(name, "without") || text_has(name, "no_sme") || text_has(name, "no-sme") ||
           text_has(name, "nosme");
}

/* Whether the names promise SME2 in the candidate and none in the baseline. */
static bool names_say_sme2(const struct findings_input *input)
{
    const char *candidate = input->candidate.name, *baseline = input->baseline.name;

    return text_has(candidate, "sme") && !says_off(candidate) && (!text_has(baseline, "sme") || says_off(baseline));
}

static enum pair_nature nature_of(const struct finder *finder)
{
    const struct findings_input *input = finder->input;
    bool named = names_say_sme2(input);

    if (!input->has_baseline && !input->baseline.operators)
        return PAIR_NONE;
    if (!has_log(&input->candidate))
        return named ? PAIR_SME2_BY_NAME : PAIR_OTHER;
    if (!finder->findings->facts.sme)
        return named ? PAIR_SME2_ABSENT : PAIR_OTHER;
    if (has_log(&input->baseline))
        return finder->base_facts.sme < finder->findings->facts.sme ? PAIR_SME2 : PAIR_OTHER;
    return named ? PAIR_SME2 : PAIR_OTHER;
}

static const char *say_main(struct finder *finder, const struct kernel_facts *facts, bool known)
{
    return known && facts->main ? say(finder, " (%s)", facts->main) : "";
}

static const char *say_nature(struct finder *finder)
{
    const struct findings_input *input = finder->input;
    const char *candidate = name_of(&input->candidate, "candidate"), *baseline = name_of(&input->baseline, "baseline");

    switch (finder->findings->nature) {
    case PAIR_SME2:
        return say(finder, "%s registers %u SME kernels, %s %s: GEMM should gain 3 to 15x, convolution 3 to 10x.",
                   candidate, finder->findings->facts.sme, baseline,
                   has_log(&input->baseline) ? say(finder, "%u", finder->base_facts.sme) : "has no kernel log");
    case PAIR_SME2_BY_NAME:
        return say(
            finder,
            "%s against %s: an SME2 pair by its names, but no kernel log of %s says that SME2 kernels ran. They would "
            "make GEMM 3 to 15x as fast, convolution 3 to 10x.",
            candidate, baseline, candidate);
    case PAIR_SME2_ABSENT:
        return say(finder,
                   "%s against %s: an SME2 pair by its names, but the kernel log of %s has no SME kernel%s, so what "
                   "SME2 would "
                   "give cannot show.",
                   candidate, baseline, candidate,
                   finder->findings->facts.main ? say(finder, ": it is mostly %s", finder->findings->facts.main) : "");
    case PAIR_OTHER:
        return say(finder,
                   "%s%s against %s%s: nothing says that this pair differs in SME2, so the 3x and more of SME2 are not "
                   "expected.",
                   candidate, say_main(finder, &finder->findings->facts, has_log(&input->candidate)), baseline,
                   say_main(finder, &finder->base_facts, has_log(&input->baseline)));
    default:
        return NULL;
    }
}

bool findings_expects_sme2(const struct findings *findings)
{
    enum pair_nature nature = findings->nature;

    return nature == PAIR_SME2 || nature == PAIR_SME2_BY_NAME || nature == PAIR_SME2_ABSENT;
}

/* ---- Checks that hold for the whole pair ---- */

static struct check_result check_device(struct finder *finder)
{
    const struct kernel_facts *facts = &finder->findings->facts;

    if (!has_log(&finder->input->candidate))
        return (struct check_result){ CHECK_OPEN, "there is no kernel log of the candidate" };
    if (facts->sme)
        return (struct check_result){
            CHECK_YES,
            say(finder, "%u SME kernels were registered, which happens only on a processor that has it", facts->sme)
        };
    if (facts->x86)
        return (struct check_result){ CHECK_NO, say(finder, "%u registered kernels are for x86, %u for Arm", facts->x86,
                                                    facts->arm) };
    return (struct check_result){
        CHECK_OPEN,
        say(finder, "registered SME2 kernels: 0 of %u; either the device or the build lacks it", facts->standing)
    };
}

static struct check_result check_runners(struct finder *finder)
{
    const struct kernel_facts *facts = &finder->findings->facts;

    if (!has_log(&finder->input->candidate))
        return (struct check_result){ CHECK_OPEN, "there is no kernel log of the candidate" };
    if (facts->sme)
        return (struct check_result){ CHECK_YES,
                                      say(finder, "registered SME kernels: %u (SME2: %u)", facts->sme, facts->sme2) };
    return (struct check_result){ facts->x86 ? CHECK_NO : CHECK_OPEN,
                                  say(finder, "registered SME2 kernels: 0 of %u%s", facts->standing,
                                      facts->main ? say(finder, "; most are %s", facts->main) : "") };
}

static const char *say_data_type(struct finder *finder, uint32_t op)
{
    struct text type = operators_data_type(finder->side, sum_at(finder, op));

    return type.length ? say(finder, "data type %.*s", (int)type.length, type.data) : "data type not known";
}

static uint32_t sme_products(const struct finder *finder)
{
    const struct kernel_log *log = finder->input->candidate.log;
    uint32_t count = 0;

    for (uint32_t i = 0; log && i < log->kernels.count; i++) {
        const struct kernel *kernel = kernel_at(log, i);

        count += !kernel->replaced && architecture_is_sme(strings_get(log->strings, kernel->architecture)) &&
                 text_has(strings_text(log->strings, kernel->operation), "gemm");
    }
    return count;
}

static struct check_result check_configuration(struct finder *finder, uint32_t op)
{
    const struct kernel *kernel = kernel_of_operator(finder, op);
    const struct kernel_log *log = finder->input->candidate.log;
    const char *type = say_data_type(finder, op);

    if (kernel) {
        struct text chain = strings_get(log->strings, kernel->architecture);
        bool sme = architecture_is_sme(chain);

        return (struct check_result){ sme ? CHECK_YES : CHECK_NO,
                                      say(finder, "%s; kernel that ran: %s (%s), %s", type,
                                          strings_text(log->strings, kernel->name), architecture_title(chain),
                                          sme ? "an SME one" : "not an SME2 one") };
    }
    if (!has_log(&finder->input->candidate))
        return (struct check_result){ CHECK_OPEN, say(finder, "%s; no kernel log tells which kernel ran", type) };
    if (operator_is_depthwise(finder->side, sum_at(finder, op))) {
        uint32_t count = finder->findings->facts.sme_depthwise;

        return (struct check_result){ count ? CHECK_OPEN : CHECK_NO,
                                      say(finder, "%s; depthwise convolution, registered SME kernels for it: %u", type,
                                          count) };
    }
    return (struct check_result){ finder->findings->facts.sme ? CHECK_OPEN : CHECK_NO,
                                  say(finder,
                                      "%s; registered SME kernels for gemm: %u; the log does not tell which kernel ran",
                                      type, sme_products(finder)) };
}

static struct check_result check_delegated(struct finder *finder, uint32_t op)
{
    const struct operator_sum *sum = sum_at(finder, op);
    const char *backend = strings_text(finder->side->strings, sum->backend);

    if (sum->event == EVENT_PORTABLE)
        return (struct check_result){ CHECK_NO, "it runs in a portable kernel" };
    if (text_has(backend, "xnn"))
        return (struct check_result){ CHECK_YES, say(finder, "delegated to %s", backend) };
    if (!operator_backend(finder->side, sum))
        return (struct check_result){ CHECK_OPEN, "delegated, but the data do not name the backend" };
    return (struct check_result){ CHECK_NO, say(finder, "delegated to %s", backend) };
}

void find_nature(struct finder *finder)
{
    struct check_result *checks;

    finder->findings->nature = nature_of(finder);
    finder->findings->pair = say_nature(finder);
    if (finder->findings->nature != PAIR_SME2_ABSENT)
        return;
    checks = arena_allocate(&finder->findings->arena, CHECK_COUNT * sizeof *checks, _Alignof(struct check_result));
    if (!checks) {
        finder->code = status_no_memory("checking kernels");
        return;
    }
    checks[CHECK_DEVICE] = check_device(finder);
    checks[CHECK_RUNNERS] = check_runners(finder);
    checks[CHECK_CONFIGURATION] =
        (struct check_result){ finder->findings->facts.x86 ? CHECK_NO : CHECK_OPEN,
                               say(finder, "no data type has an SME2 kernel among the %u that are registered",
                                   finder->findings->facts.standing) };
    checks[CHECK_DELEGATED] = (struct check_result){ CHECK_YES, "XNNPACK wrote the log" };
    finder->findings->no_sme2 = checks;
}

/* ---- Shortfalls ---- */

double findings_least_speedup(enum category category)
{
    assert(category < CATEGORY_COUNT);
    return category == CATEGORY_GEMM || category == CATEGORY_CONVOLUTION ? 3 : 0;
}

double findings_most_speedup(enum category category)
{
    assert(category < CATEGORY_COUNT);
    return category == CATEGORY_GEMM ? 15 : category == CATEGORY_CONVOLUTION ? 10 : 0;
}

bool is_short(const struct finder *finder, uint32_t op)
{
    double speedup = speedup_at(finder, op);

    return findings_expects_sme2(finder->findings) && speedup > 0 &&
           speedup < findings_least_speedup(category_at(finder, op));
}

static void add_category_shortfall(struct finder *finder, enum category category, const struct operator_group *group,
                                   const struct operator_group *base)
{
    struct shortfall found = { .is_category = true,
                               .category = category,
                               .least = findings_least_speedup(category),
                               .most = findings_most_speedup(category) };
    uint32_t longest = NO_ID;

    found.row = (struct findings_row){
        .op = NO_ID,
        .name = category_title(category),
        .count = group->operators,
        .ms = operators_average_ms(finder->side, group->total),
        .percent = operators_percent(finder->side, group->total),
        .baseline_ms = operators_average_ms(finder->base, base->total),
        .portable = group->portable == group->total,
    };
    found.row.speedup = operators_speedup(found.row.baseline_ms, found.row.ms);
    for (size_t i = 0; i < finder->work && longest == NO_ID; i++)
        if (category_at(finder, finder->order[i]) == category)
            longest = finder->order[i];
    if (found.row.speedup <= 0 || found.row.speedup >= found.least || longest == NO_ID)
        return;
    found.checks[CHECK_DEVICE] = check_device(finder);
    found.checks[CHECK_RUNNERS] = check_runners(finder);
    found.checks[CHECK_CONFIGURATION] = check_configuration(finder, longest);
    found.checks[CHECK_CONFIGURATION].text =
        say(finder, "of its longest operator: %s", found.checks[CHECK_CONFIGURATION].text);
    found.checks[CHECK_DELEGATED] = check_delegated(finder, longest);
    if (group->portable > 0)
        found.checks[CHECK_DELEGATED] =
            (struct check_result){ CHECK_NO, say(finder, "%s of %s runs in portable kernels",
                                                 say_ms(finder, operators_average_ms(finder->side, group->portable)),
                                                 say_ms(finder, found.row.ms)) };
    add_shortfall(finder, found);
}

/* One operator, or several of one type that are checked by their longest. */
static void add_operator_shortfall(struct finder *finder, uint32_t op, struct findings_row row)
{
    enum category category = category_at(finder, op);

    add_shortfall(finder, (struct shortfall){
                              .category = category,
                              .least = findings_least_speedup(category),
                              .most = findings_most_speedup(category),
                              .row = row,
                              .checks = { [CHECK_DEVICE] = check_device(finder),
                                          [CHECK_RUNNERS] = check_runners(finder),
                                          [CHECK_CONFIGURATION] = check_configuration(finder, op),
                                          [CHECK_DELEGATED] = check_delegated(finder, op) },
                          });
}

static bool is_short_and_small(const void *context, uint32_t op)
{
    const struct finder *finder = context;

    return is_short(finder, op) && percent_at(finder, op) <= LISTED_PERCENT;
}

static struct text key_of_type(const void *context, uint32_t op)
{
    const struct finder *finder = context;

    return operator_operation(finder->side, sum_at(finder, op));
}

/* Small ones of one type that only together are much. */
static void add_small_shortfalls(struct finder *finder)
{
    struct operator_groups groups;
    status code = operator_groups_make(finder->side, finder->order, finder->work, is_short_and_small, key_of_type,
                                       finder, &groups);

    if (code != STATUS_OK)
        finder->code = code;
    for (size_t i = 0; i < groups.count; i++) {
        const struct operator_cluster *cluster = &groups.items[i];

        if (operators_percent(finder->side, cluster->total) > LISTED_PERCENT)
            add_operator_shortfall(
                finder, cluster->members[0],
                row_of_cluster(finder, cluster,
                               say(finder, "%zu x %.*s", cluster->count, (int)cluster->key.length, cluster->key.data)));
        else
            finder->findings->shortfalls_left += cluster->count;
    }
    operator_groups_free(&groups);
}

void find_shortfalls(struct finder *finder)
{
    struct operator_group groups[CATEGORY_COUNT], base[CATEGORY_COUNT];

    if (!findings_expects_sme2(finder->findings) || !finder->base)
        return;
    operators_by_category(finder->side, groups);
    operators_by_category(finder->base, base);
    for (int i = 0; i < CATEGORY_COUNT; i++)
        if (findings_least_speedup((enum category)i) > 0)
            add_category_shortfall(finder, (enum category)i, &groups[i], &base[i]);
    for (size_t i = 0; i < finder->work && percent_at(finder, finder->order[i]) > LISTED_PERCENT; i++)
        if (is_short(finder, finder->order[i]))
            add_operator_shortfall(finder, finder->order[i], row_of(finder, finder->order[i]));
    add_small_shortfalls(finder);
}
