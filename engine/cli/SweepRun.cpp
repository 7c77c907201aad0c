#include "engine/cli/SweepRun.h"

#include "engine/cli/SweepReporter.h"
#include "engine/job/SystemSurroundings.h"
#include "engine/job/TorchrunLine.h"
#include "engine/node/Node.h"

#include <csignal>

namespace ringmaster {

namespace {

constexpr int Refused = 2;

int finish(const SweepTable& table, const SweepOutput& output, int exitCode)
{
    const Terminal out(1);
    out.print(output.isJson ? dump(table.json()) : table.footer());
    if (!output.csv.empty()) {
        if (const auto written = writeSweepCsv(output.csv, table); !written)
            return complain(written.error());
    }
    return exitCode == 0 && table.wrong() > 0 ? 1 : exitCode;
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
        return Refused;

    (void)std::signal(SIGPIPE, SIG_IGN); // a reader that goes is an error of one write
    std::error_code ignored;
    NodeOptions options{.spec = sweepJob(request, facts),
                        .workingFolder = std::filesystem::current_path(ignored),
                        .environment = environment};
    options.torchrunLine = toCommandLine(options.spec).text();
    SweepReporter reporter({}, output.isJson ? SweepReporter::Rows::Kept
                                             : SweepReporter::Rows::Printed);
    Node node(std::move(options), reporter);
    const auto exitCode = node.run();
    return exitCode ? finish(reporter.table(), output, *exitCode) : complain(exitCode.error());
}

} // namespace ringmaster
