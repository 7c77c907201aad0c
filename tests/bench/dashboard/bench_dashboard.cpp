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

/// Every rank changes its state and is sampled once a second; ten thousand lines a second.
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
