#include "app/jobs/JobPage.h"
#include "app/jobs/JobsPage.h"
#include "app/jobs/LogView.h"
#include "app/main/MainWindow.h"
#include "tests/app/Scenario.h"
#include "tests/bench/MeasuringApplication.h"

#include <QSettings>
#include <QTemporaryDir>
#include <QTimer>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <fstream>
#include <thread>

using namespace ringmaster;
using namespace ringmaster::app;
using namespace std::chrono_literals;

namespace {

constexpr int Ranks = 1000;
constexpr int LinesASecond = 10'000;
constexpr auto Step = 10ms;

double residentMiB()
{
    std::ifstream status("/proc/self/statm");
    long total = 0;
    long resident = 0;
    status >> total >> resident;
    return static_cast<double>(resident) * 4096 / (1024 * 1024);
}

/// As much as an answer can have: ten minutes of three operations, the last collectives of many
/// ranks.
OperationSummary operationsAt(int second)
{
    using ledger::OperationKind;
    constexpr std::int64_t Second = 1'000'000'000;
    constexpr std::int64_t Points = 600;
    constexpr int CollectiveRanks = 256;
    OperationSummary summary{.attempt = 0,
                             .operations = 100'000ULL + static_cast<std::uint64_t>(second),
                             .wallNs = Points * Second,
                             .spanNs = Second};
    diagnose::GroupKey group{.name = "0"};
    for (int rank = 0; rank < Ranks; ++rank)
        group.members.push_back(rank);
    const std::int64_t now = SystemClock().now().monotonicNs;
    for (const OperationKind kind :
         {OperationKind::AllReduce, OperationKind::AllGather, OperationKind::Broadcast}) {
        OperationSummary::Series series{.kind = kind};
        for (std::int64_t i = 0; i < Points; ++i)
            series.points.push_back({.fromNs = (now / Second - Points + i) * Second,
                                     .count = 80,
                                     .bytes = 2e9,
                                     .busBytes = 1e9 * static_cast<double>(1 + (i + second) % 7),
                                     .transferNs = Second / 5});
        summary.series.push_back(std::move(series));
        for (std::uint64_t bucket = 1; bucket <= 1U << 12U; bucket *= 2)
            summary.rows.push_back({.kind = kind,
                                    .type = ledger::DataType::Float32,
                                    .group = group,
                                    .bucket = bucket << 14U,
                                    .count = 1000 + static_cast<std::uint64_t>(second) + bucket,
                                    .bytes = bucket << 24U,
                                    .transferNs = Second,
                                    .feltNs = 2 * Second,
                                    .isWire = true,
                                    .share = 0.01});
    }
    OperationSummary::GroupCollectives collectives{.group = group};
    for (int collective = 0; collective < 64; ++collective) {
        OperationSummary::Collective& shown =
            collectives.collectives.emplace_back(OperationSummary::Collective{
                .kind = OperationKind::AllReduce,
                .number = static_cast<std::uint64_t>(second * 10 + collective)});
        for (int rank = 0; rank < CollectiveRanks; ++rank)
            shown.arrivals.push_back({rank, now + rank * 1000, now + Second / 10});
    }
    summary.collectives.push_back(std::move(collectives));
    return summary;
}

RankPlaces placesAt(int step)
{
    RankPlaces places{.attempt = 0};
    for (int rank = 0; rank < Ranks; ++rank)
        places.places.push_back({.rank = rank,
                                 .kind = ledger::OperationKind::AllReduce,
                                 .number = static_cast<std::uint64_t>(step),
                                 .isInside = (step + rank) % 2 == 0,
                                 .sinceNs = SystemClock().now().monotonicNs});
    return places;
}

DeviceSample devicesAt(int second)
{
    DeviceSample sample{.processors = 96, .cpuFraction = 0.3 + 0.1 * (second % 5)};
    for (int gpu = 0; gpu < 8; ++gpu)
        sample.gpus.push_back({.index = gpu,
                               .name = "NVIDIA H200",
                               .utilisation = 0.5 + 0.05 * ((second + gpu) % 9),
                               .usedBytes = 61LL << 30,
                               .totalBytes = 141LL << 30,
                               .nvlink = Traffic{8e10, 7e10},
                               .pcie = Traffic{3e9, 1e9}});
    return sample;
}

/// Every rank changes its state and is sampled once a second; ten thousand lines a second; the
/// collectives and the devices of a large job.
void feed(FakeCluster& cluster, const std::string& run, const std::atomic<bool>& isOver)
{
    constexpr int StepsASecond = 100;
    auto next = std::chrono::steady_clock::now();
    for (int step = 0; !isOver; ++step) {
        const Moment now = SystemClock().now();
        std::vector<std::pair<Moment, EventBody>> events;
        for (int i = 0; i < Ranks / StepsASecond; ++i) {
            const int rank = (step * (Ranks / StepsASecond) + i) % Ranks;
            const bool isOdd = (step / StepsASecond) % 2 == 1;
            events.emplace_back(
                now, WorkerStateChanged{0, rank, rank, 1000 + rank,
                                        isOdd ? WorkerState::Unhealthy : WorkerState::Healthy});
            events.emplace_back(
                now, ProcessSample{0, rank, 0.5 + 0.4 * ((step + rank) % 10) / 10, 800LL << 20});
        }
        if (step % StepsASecond == 0) {
            cluster.setOperations(run, operationsAt(step / StepsASecond));
            events.emplace_back(now, devicesAt(step / StepsASecond));
        }
        if (step % (StepsASecond / 4) == 0)
            cluster.setPlaces(run, placesAt(step));
        cluster.publish(run, std::move(events));
        for (int chunk = 0; chunk < 4; ++chunk) {
            std::string lines;
            for (int i = 0; i < LinesASecond / StepsASecond / 4; ++i)
                lines += "epoch 3 step " + std::to_string(step) +
                         " loss 0.0821 lr 3.0e-4 tokens/s 18211\n";
            cluster.print(run, now, (step * 4 + chunk) % Ranks, lines);
        }
        next += Step;
        std::this_thread::sleep_until(next);
    }
}

} // namespace

int main(int argc, char** argv)
{
    const QTemporaryDir settings;
    QSettings::setDefaultFormat(QSettings::IniFormat);
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, settings.path());
    MeasuringApplication application(argc, argv);
    const int seconds = argc > 1 ? std::max(1, std::atoi(argv[1])) : 30;

    FakeCluster cluster;
    EngineBridge bridge(cluster);
    Theme theme;
    Language language;
    MainWindow window(bridge, theme, language, {});
    window.show();
    const std::string run = Scenario(cluster).large(Ranks);
    window.showRun(QString::fromStdString(run));

    std::atomic<bool> isOver = false;
    std::thread feeder;
    double memoryBefore = 0;
    // Opening the run isn't what is measured; that it goes on is.
    QTimer::singleShot(2s, &application, [&] {
        memoryBefore = residentMiB();
        application.isMeasuring = true;
        feeder = std::thread([&] { feed(cluster, run, isOver); });
    });
    QTimer::singleShot(2s + std::chrono::seconds(seconds), &application,
                       // quit() would ask what is to become of the running job.
                       [] { QApplication::exit(); });
    QApplication::exec();
    application.isMeasuring = false;
    const double memoryAfter = residentMiB();
    isOver = true;
    feeder.join();
    application.report();
    std::printf(
        "events shown %llu, log lines held %d\n",
        static_cast<unsigned long long>(window.jobsPage().jobPage()->run().snapshot().lastSequence),
        window.findChild<LogView*>()->model()->rowCount());
    std::printf("memory %.0f MiB before, %.0f MiB after (the fake keeps all it ever sent)\n",
                memoryBefore, memoryAfter);
    const bool isFast = std::count_if(application.tasks.begin(), application.tasks.end(),
                                      [](double ms) { return ms > 50; }) == 0;
    return isFast ? 0 : 1;
}
