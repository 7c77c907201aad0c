#include "engine/cli/ForegroundSweep.h"

#include "engine/cli/RunCommand.h"
#include "engine/cli/StandardStreams.h"
#include "engine/cli/SweepReporter.h"
#include "engine/hosts/HostBook.h"
#include "engine/job/CommandLine.h"
#include "engine/machine/MachineCounts.h"

#include <csignal>

namespace ringmaster {

namespace {

constexpr int RefusedExit = 2;

int finish(const SweepTable& table, const SweepOutput& output, int exitCode)
{
    const Terminal out(1);
    switch (output.form) {
    case SweepOutput::Form::Table: out.print(table.footer()); break;
    case SweepOutput::Form::JsonText: out.print(dump(table.json())); break;
    case SweepOutput::Form::Nothing: break;
    }
    if (!output.csv.empty()) {
        if (const auto written = writeSweepCsv(output.csv, table); !written)
            return complain(written.error());
    }
    return exitCode == 0 && table.wrong().value_or(0) > 0 ? 1 : exitCode;
}

} // namespace

int runSweep(const SweepRequest& request, const SweepOutput& output)
{
    const EnvironmentMap environment = currentEnvironment();
    const SweepFacts facts = sweepFacts(countMachine(environment).gpus);
    const auto findings = validate(request, facts);
    for (const Finding& finding : findings)
        complain((finding.severity == Finding::Severity::Error ? "" : "warning: ") +
                 describe(finding));
    if (hasErrors(findings))
        return RefusedExit;

    (void)std::signal(SIGPIPE, SIG_IGN); // a reader that goes is an error of one write
    std::error_code ignored;
    NodeOptions options{.spec = sweepJob(request, facts),
                        .workingFolder = std::filesystem::current_path(ignored),
                        .environment = environment};
    options.torchrunLine = toCommandLine(options.spec).text();
    const auto streams = StandardStreams::open();
    if (!streams)
        return complain(streams.error());
    options.consoles = (*streams)->consoles();
    SweepReporter reporter({.consoles = (*streams)->consoles()},
                           output.form == SweepOutput::Form::Table ? SweepReporter::Rows::Printed
                                                                   : SweepReporter::Rows::Kept);
    const auto exitCode = runInForeground(std::move(options), reporter);
    (*streams)->finish(reporter.patience());
    return exitCode ? finish(reporter.table(), output, *exitCode) : complain(exitCode.error());
}

Result<std::vector<std::string>> sweepHosts(const std::vector<std::string>& words)
{
    std::vector<std::string> names;
    if (words.empty())
        return names;
    const HostBook book = RM_TRY(HostBook::load());
    for (const Host& host : RM_TRY(book.choose(words)))
        names.push_back(host.name);
    return names;
}

} // namespace ringmaster
