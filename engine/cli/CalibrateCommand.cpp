#include "engine/base/Clock.h"
#include "engine/cli/Commands.h"
#include "engine/cli/ForegroundSweep.h"
#include "engine/cli/Json.h"
#include "engine/cli/Terminal.h"
#include "engine/cli/Text.h"
#include "engine/job/Codes.h"
#include "engine/record/Calibration.h"

#include <algorithm>
#include <optional>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

namespace ringmaster {

namespace {

class CalibrateCommand : public CliCommand
{
public:
    About about() const override
    {
        return {"calibrate", "Measure what this machine, or a pair of hosts, can reach",
                "A sweep of about ten seconds whose bandwidths are kept, for each backend and "
                "number of ranks: what jobs are drawn and judged against. With --hosts each pair "
                "of them is measured, one after the other; a job's groups are judged by it that "
                "have as many ranks on each of their hosts.",
                "  ringmaster calibrate --ranks 2\n"
                "  ringmaster calibrate --hosts gpu1,gpu2\n"
                "  ringmaster calibrate --hosts @lab --ranks 8 --backend nccl\n"
                "  ringmaster calibrate --show"};
    }

    void define(CLI::App& app) override
    {
        app.add_option("-B,--backend", m_backends, "gloo, ring, nccl")
            ->delimiter(',')
            ->capture_default_str();
        app.add_option("-n,--ranks", m_ranks, "Workers: 4; with --hosts 1 on each")
            ->check(CLI::PositiveNumber);
        app.add_option("--hosts", m_hosts, "NAME, @GROUP: each pair of these hosts")
            ->delimiter(',');
        app.add_flag("--show", m_isShown, "Print what is kept, and measure nothing");
        app.add_flag("--json", m_isJson, "For a program to read");
    }

    int execute() override
    {
        if (m_isShown)
            return showAll(readCalibrations());
        if (m_hosts.empty())
            return runSweep(
                calibrationRequest(m_ranks.value_or(4), m_backends),
                {.form = m_isJson ? SweepOutput::Form::JsonText : SweepOutput::Form::Table});
        const auto hosts = sweepHosts(m_hosts);
        return hosts ? calibratePairs(*hosts) : complain(hosts.error());
    }

private:
    int calibratePairs(const std::vector<std::string>& hosts) const
    {
        if (hosts.size() < 2)
            return complain(describe(Message{code::CalibrationOfPairs, {{"count", "1"}}, {}}));
        int worst = 0;
        for (size_t i = 0; i < hosts.size(); ++i) {
            for (size_t j = i + 1; j < hosts.size(); ++j) {
                const int exitCode = runSweep(
                    calibrationRequest(m_ranks.value_or(1), m_backends, {hosts[i], hosts[j]}),
                    {.form = m_isJson ? SweepOutput::Form::Nothing : SweepOutput::Form::Table});
                worst = std::max(worst, exitCode);
            }
        }
        auto kept = readCalibrations();
        std::erase_if(kept, [&](const Calibration& one) {
            return one.hosts.size() < 2 ||
                   !std::ranges::all_of(one.hosts, [&](const std::string& host) {
                       return std::ranges::count(hosts, host) > 0;
                   });
        });
        if (m_isJson)
            (void)showAll(kept);
        return worst;
    }

    int showAll(const std::vector<Calibration>& kept) const
    {
        if (m_isJson) {
            Json list = Json::array();
            for (const Calibration& calibration : kept)
                list.push_back(Json::parse(calibrationText(calibration)));
            m_out.print(dump(list));
            return 0;
        }
        if (kept.empty())
            m_out.print("Nothing is calibrated; `ringmaster calibrate` does.\n");
        for (const Calibration& calibration : kept)
            show(calibration);
        return 0;
    }

    void show(const Calibration& calibration) const
    {
        const std::int64_t age =
            std::max<std::int64_t>(SystemClock().now().wallNs - calibration.measuredAtNs, 0);
        m_out.print(
            harmless(fmt::format("{}, {} ranks {} {}, {} ago (run {})", calibration.backend,
                                 calibration.ranks, calibration.isOfPair() ? "between" : "on",
                                 fmt::join(calibration.hosts, " and "), durationText(age),
                                 calibration.run)) +
            "\n");
        for (const Calibration::Point& point : calibration.points)
            m_out.print(fmt::format("  {:16} {:>10} {:8.3f} GB/s\n", harmless(point.collective),
                                    sizeText(static_cast<std::uint64_t>(point.bytes)),
                                    point.busBandwidth / 1e9));
    }

    Terminal m_out{STDOUT_FILENO};
    std::vector<std::string> m_backends{"gloo", "ring"};
    std::vector<std::string> m_hosts;
    std::optional<int> m_ranks;
    bool m_isShown = false;
    bool m_isJson = false;
};

} // namespace

std::unique_ptr<CliCommand> makeCalibrateCommand()
{
    return std::make_unique<CalibrateCommand>();
}

} // namespace ringmaster
