#include "engine/base/Codes.h"
#include "engine/diagnose/Codes.h"
#include "engine/worker/Codes.h"
#include "tests/app/Scenario.h"

#include <algorithm>
#include <cmath>

namespace ringmaster {

namespace {

/// A job of several that go on.
struct Going
{
    std::string run{};
    int ranks = 4;
    double agoSeconds = 600;
    int step = 0;
    int steps = 0;
    RunFigures figures{};
    int gpus = 0;
};

} // namespace

std::vector<std::string> Scenario::several()
{
    const Going all[] = {{.run = "llm-pretrain",
                          .ranks = 8,
                          .agoSeconds = 5400,
                          .step = 1212,
                          .steps = 10000,
                          .figures = {.lastLine = "step 1212/10000 loss 1.204 lr 2.1e-05",
                                      .lastLineRank = 0,
                                      .stepsASecond = 0.81,
                                      .busBandwidth = 18.2e9},
                          .gpus = 8},
                         {.run = "eval",
                          .ranks = 2,
                          .agoSeconds = 240,
                          .step = 630,
                          .steps = 1000,
                          .figures = {.lastLine = "step 630/1000 accuracy 0.913",
                                      .lastLineRank = 1,
                                      .stepsASecond = 11.2}},
                         {.run = "vit-base",
                          .ranks = 16,
                          .agoSeconds = 7200,
                          .step = 21542,
                          .steps = 24480,
                          .figures = {.lastLine = "step 21542/24480 loss 0.402",
                                      .lastLineRank = 0,
                                      .stepsASecond = 3.4,
                                      .busBandwidth = 9.7e9},
                          .gpus = 4}};
    std::vector<std::string> runs;
    for (const Going& going : all) {
        begin(going.run, going.ranks, 3, going.agoSeconds);
        attempt(going.run, 0, going.ranks, going.agoSeconds - 1);
        std::vector<std::pair<Moment, EventBody>> samples;
        for (int second = 90; second > 0; --second) {
            const double wave = std::sin(second * 0.21 + going.ranks);
            for (int rank = 0; rank < going.ranks; ++rank)
                samples.emplace_back(ago(going.run, second),
                                     ProcessSample{0, rank, 0.7 + 0.2 * wave, 1 << 30});
            DeviceSample device{.processors = 16, .cpuFraction = 0.5};
            for (int gpu = 0; gpu < going.gpus; ++gpu)
                device.gpus.push_back(
                    {.index = gpu, .utilisation = 0.8 + 0.15 * std::sin(second * 0.4 + gpu)});
            samples.emplace_back(ago(going.run, second), std::move(device));
        }
        m_cluster.publish(going.run, std::move(samples));
        constexpr int Printed = 400;
        const int stride = std::max(1, going.step / Printed);
        for (int i = Printed; i > 0; --i) {
            const double perSecond = going.figures.stepsASecond.value_or(1);
            const int step = going.step - (i - 1) * stride;
            const double loss =
                0.4 + 1.8 * std::exp(-4.0 * step / going.step) + 0.02 * std::sin(i * 1.9);
            m_cluster.print(going.run, ago(going.run, i * stride / perSecond), 0,
                            "step " + std::to_string(step) + "/" + std::to_string(going.steps) +
                                " loss " + std::to_string(loss) + "\n");
        }
        m_cluster.setFigures(going.run, going.figures);
        RunSummary shown = summaryOf(going.run, RunState::Running, going.ranks, going.agoSeconds);
        shown.restartBudget = 3;
        m_cluster.setRun(shown);
        runs.push_back(going.run);
    }
    const Message slow{code::StragglerRank,
                       {{"rank", "5"},
                        {"group", "default"},
                        {"percent", "86"},
                        {"milliseconds", "199"},
                        {"share", "12"}},
                       {}};
    setHealth("llm-pretrain", {Health::Slow, ago(60), slow});
    return runs;
}

std::vector<RunSummary> Scenario::comparable()
{
    std::vector<RunSummary> runs;
    for (int which = 0; which < 2; ++which) {
        const std::string id = which == 0 ? "digits-lr-0.1" : "digits-lr-0.05";
        RunSummary shown = summary(id, RunState::Succeeded, 4, 4000 - which * 1000);
        shown.labels.tags = {"lr"};
        shown.endedAt = {shown.startedAt.monotonicNs + 240'000'000'000,
                         shown.startedAt.wallNs + 240'000'000'000};
        m_cluster.setRun(shown);
        runs.push_back(shown);
        ComparedRun run{.id = id,
                        .name = id,
                        .health = Health::Finished,
                        .startedAt = shown.startedAt,
                        .durationNs = 240'000'000'000,
                        .worldSize = 4,
                        .jobFile = std::string("name = \"digits\"\nworkers = 4\narguments = "
                                               "[\"--lr\", \"") +
                                   (which == 0 ? "0.1" : "0.05") + "\"]\nbackend = \"" +
                                   (which == 0 ? "gloo" : "ring") + "\"\n",
                        .restartsUsed = which == 0 ? 1 : 0,
                        .firstCollective = which == 0 ? 10.2 : 0.3};
        if (which == 0)
            run.restarts = {{code::WorkerExitedWithCode, {{"rank", "2"}, {"code", "1"}}, {}}};
        NumberSummary::Line loss{.name = "loss"};
        NumberSummary::Line step{.name = "step"};
        OperationSummary::Series series{.kind = ledger::OperationKind::AllReduce};
        const double rate = which == 0 ? 3.9 : 6.1;
        for (int second = 2; second < 240; ++second) {
            const std::int64_t at = shown.startedAt.monotonicNs + second * 1'000'000'000LL;
            const double wobble = 0.01 * std::sin(second * 1.7 + which);
            loss.points.push_back(
                {at, 2.1 * std::exp(-second / (which == 0 ? 70.0 : 55.0)) + 0.2 + wobble});
            step.points.push_back({at, std::floor(rate * second + 2 * std::sin(second * 0.3))});
            series.points.push_back(
                {.fromNs = at,
                 .count = 4,
                 .bytes = 1.6e6,
                 .busBytes = (which == 0 ? 35e6 : 142e6) * (1 + wobble * 12) * 0.05,
                 .transferNs = 50'000'000});
        }
        run.numbers.attempt = 0;
        run.numbers.names = {"loss", "step"};
        run.numbers.latest = {
            {.name = "loss", .value = loss.points.back().value},
            {.name = "step", .value = step.points.back().value, .isCounter = true}};
        run.numbers.lines = {std::move(loss), std::move(step)};
        run.operations = {.attempt = 0, .spanNs = 1'000'000'000};
        run.operations.steps =
            diagnose::StepRate{.operations = 4, .periodNs = static_cast<std::int64_t>(1e9 / rate)};
        const double busBandwidth = which == 0 ? 35e6 : 142e6;
        run.operations.rows = {
            {.kind = ledger::OperationKind::AllReduce,
             .type = ledger::DataType::Float32,
             .group = {"0", {0, 1, 2, 3}},
             .bucket = 1U << 18U,
             .count = 900,
             .bytes = 900ULL * 413'000,
             .transferNs = static_cast<std::int64_t>(900 * 413'000 * 1.5e9 / busBandwidth),
             .isWire = true,
             .share = which == 0 ? 0.41 : 0.12}};
        run.operations.series = {std::move(series)};
        m_cluster.setComparedRun(std::move(run));
    }
    return runs;
}

} // namespace ringmaster
