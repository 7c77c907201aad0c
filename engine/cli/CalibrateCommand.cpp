#include "engine/base/Clock.h"
#include "engine/cli/Commands.h"
#include "engine/cli/Json.h"
#include "engine/cli/SweepRun.h"
#include "engine/cli/Terminal.h"
#include "engine/cli/Text.h"
#include "engine/record/Calibration.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <unistd.h>

namespace ringmaster {

namespace {

class CalibrateCommand : public CliCommand
{
public:
    About about() const override
    {
        return {"calibrate", "Measure what this machine can reach",
                "A sweep of about ten seconds whose bandwidths are kept, for each backend and "
                "number of ranks: what jobs are drawn and judged against.",
                "  ringmaster calibrate --ranks 2\n"
                "  ringmaster calibrate --show"};
    }

    void define(CLI::App& app) override
    {
        app.add_option("-B,--backend", m_backends, "gloo, ring, nccl")
            ->delimiter(',')
            ->capture_default_str();
        app.add_option("-n,--ranks", m_ranks, "Workers")->capture_default_str();
        app.add_flag("--show", m_isShown, "Print what is kept, and measure nothing");
        app.add_flag("--json", m_isJson, "For a program to read");
    }

    int execute() override
    {
        if (!m_isShown)
            return runSweep(calibrationRequest(m_ranks, m_backends), {.isJson = m_isJson});
        const auto kept = readCalibrations();
        if (m_isJson) {
            Json list = Json::array();
            for (const Calibration& calibration : kept)
                list.push_back(Json::parse(calibrationText(calibration)));
            m_out.print(dump(list));
        } else if (kept.empty()) {
            m_out.print("Nothing is calibrated; `ringmaster calibrate` does.\n");
        }
        for (const Calibration& calibration : kept)
            show(calibration);
        return 0;
    }

private:
    void show(const Calibration& calibration) const
    {
        if (m_isJson)
            return;
        const std::int64_t age = SystemClock().now().wallNs - calibration.measuredAtNs;
        std::string hosts;
        for (const std::string& host : calibration.hosts)
            hosts += (hosts.empty() ? "" : ", ") + host;
        m_out.print(
            harmless(fmt::format("{}, {} ranks on {}, {} ago (run {})", calibration.backend,
                                 calibration.ranks, hosts, durationText(age), calibration.run)) +
            "\n");
        for (const Calibration::Point& point : calibration.points)
            m_out.print(fmt::format("  {:16} {:>10} {:8.3f} GB/s\n", harmless(point.collective),
                                    sizeText(static_cast<std::uint64_t>(point.bytes)),
                                    point.busBandwidth / 1e9));
    }

    Terminal m_out{STDOUT_FILENO};
    std::vector<std::string> m_backends{"gloo", "ring"};
    int m_ranks = 4;
    bool m_isShown = false;
    bool m_isJson = false;
};

} // namespace

std::unique_ptr<CliCommand> makeCalibrateCommand()
{
    return std::make_unique<CalibrateCommand>();
}

} // namespace ringmaster
