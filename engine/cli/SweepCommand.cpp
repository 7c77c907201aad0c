#include "engine/cli/Commands.h"
#include "engine/cli/ForegroundSweep.h"
#include "engine/cli/Terminal.h"

#include <CLI/CLI.hpp>

namespace ringmaster {

namespace {

/// nccl-tests' sizes: K, M and G are binary.
std::int64_t sizeOf(const std::string& text)
{
    std::string number = text;
    const std::string wrong = CLI::AsSizeValue(false)(number);
    std::int64_t size = 0;
    if (!wrong.empty() || !CLI::detail::lexical_cast(number, size))
        throw CLI::ValidationError(text + " is no size; write bytes, or 4K, 8M, 1G");
    return size;
}

class SweepCommand : public CliCommand
{
public:
    About about() const override
    {
        return {
            "sweep", "Measure collectives over sizes",
            "Real workers, on this machine or on --hosts, measured by the conventions of "
            "nccl-tests: a row a "
            "size, its time that of the slowest rank, results verified. A sweep is a run like "
            "any other: `ringmaster show` prints it again.",
            "  ringmaster sweep --backend gloo,ring --ranks 4\n"
            "  ringmaster sweep --collective all_gather,reduce_scatter --min 1M --max 64M --csv "
            "sweep.csv"};
    }

    void define(CLI::App& app) override
    {
        SweepRequest& request = m_request;
        const auto names = [](const std::vector<std::string>& choices) {
            std::string text;
            for (const std::string& choice : choices)
                text += (text.empty() ? "" : ", ") + choice;
            return text;
        };
        app.add_option("-c,--collective", request.collectives,
                       "Among " + names(sweepCollectives()) + "; or all")
            ->delimiter(',')
            ->capture_default_str();
        app.add_option("-B,--backend", request.backends, "Among " + names(sweepBackends()))
            ->delimiter(',')
            ->capture_default_str();
        app.add_option("-b,--min", m_smallest, "Smallest size in bytes; K, M and G are binary")
            ->capture_default_str();
        app.add_option("-e,--max", m_largest, "Largest size")->capture_default_str();
        app.add_option("-f,--factor", request.factor, "From a size to the next")
            ->capture_default_str();
        app.add_option("-n,--ranks", request.ranks, "Workers; with --hosts on each of them")
            ->capture_default_str();
        app.add_flag("--share-gpus", request.sharesGpus,
                     "More ranks of nccl than GPUs: to check results; the times tell nothing of "
                     "the wire");
        app.add_option("--hosts", m_hosts, "NAME, @GROUP: between these hosts instead of here")
            ->delimiter(',');
        app.add_option("-d,--dtype", request.type, "Among " + names(sweepTypes()))
            ->capture_default_str();
        app.add_option("-o,--op", request.reduction, "Among " + names(sweepReductions()))
            ->capture_default_str();
        app.add_option("--algorithm", request.algorithm, "Of the ring: auto, ring, tree or direct")
            ->capture_default_str();
        app.add_option("-i,--iters", request.iterations,
                       "Iterations a row; 0: as many as fit in a moment")
            ->capture_default_str();
        app.add_option("-w,--warmup", request.warmup, "Iterations before them")
            ->capture_default_str();
        app.add_flag("--check,!--no-check", request.isChecked, "Verify the results")
            ->capture_default_str();
        app.add_option("--csv", m_output.csv, "Write the rows into this file, too");
        app.add_flag_callback(
            "--json", [this] { m_output.form = SweepOutput::Form::JsonText; },
            "Print the rows for a program to read");
    }

    int execute() override
    {
        if (const std::string wrong = readSizes(); !wrong.empty())
            return complain(wrong);
        if (m_request.collectives == std::vector<std::string>{"all"})
            m_request.collectives = sweepCollectives();
        auto hosts = sweepHosts(m_hosts);
        if (!hosts)
            return complain(hosts.error());
        m_request.hosts = *std::move(hosts);
        return runSweep(m_request, m_output);
    }

private:
    /// What is wrong; empty: nothing.
    std::string readSizes()
    {
        try {
            m_request.smallest = sizeOf(m_smallest);
            m_request.largest = sizeOf(m_largest);
            return {};
        } catch (const CLI::Error& error) {
            return error.what();
        }
    }

    SweepRequest m_request;
    std::vector<std::string> m_hosts;
    std::string m_smallest = "8";
    std::string m_largest = "256M";
    SweepOutput m_output;
};

} // namespace

std::unique_ptr<CliCommand> makeSweepCommand()
{
    return std::make_unique<SweepCommand>();
}

} // namespace ringmaster
