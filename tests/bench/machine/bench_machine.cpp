#include "app/bridge/MachineBridge.h"
#include "app/jobs/JobPage.h"
#include "app/jobs/JobsPage.h"
#include "app/jobs/LogView.h"
#include "app/main/MainWindow.h"
#include "app/main/Pages.h"
#include "app/main/WatchedMachines.h"
#include "app/model/LogModel.h"
#include "engine/control/LocalCluster.h"
#include "engine/control/WatchingCluster.h"
#include "tests/app/Window.h"
#include "tests/remote/FakeMachine.h"

#include <atomic>
#include <cstdio>
#include <cstring>
#include <functional>
#include <memory>

using namespace ringmaster;
using namespace ringmaster::app;

namespace {

constexpr int Ranks = 8;
constexpr int Patience = 300'000;

struct Bytes
{
    std::uint64_t up = 0;
    std::uint64_t down = 0;
};

/// Of all connections, by their relays.
Bytes traffic(const FakeMachine& machine)
{
    Bytes all;
    for (const QFileInfo& file :
         QDir(machine.path({})).entryInfoList({QStringLiteral("traffic.*")})) {
        const QByteArray counts = machine.read(file.fileName());
        Bytes each;
        if (counts.size() >= 16) {
            std::memcpy(&each.up, counts.constData(), sizeof each.up);
            std::memcpy(&each.down, counts.constData() + sizeof each.up, sizeof each.down);
        }
        all.up += each.up;
        all.down += each.down;
    }
    return all;
}

void measure(const FakeMachine& machine, const char* what, int seconds)
{
    const Bytes before = traffic(machine);
    QElapsedTimer timer;
    timer.start();
    QTest::qWait(seconds * 1000);
    const double took = static_cast<double>(timer.elapsed()) / 1000;
    const Bytes after = traffic(machine);
    std::printf("%-32s up %6.2f KB/s   down %6.2f KB/s\n", what,
                static_cast<double>(after.up - before.up) / 1000 / took,
                static_cast<double>(after.down - before.down) / 1000 / took);
    std::fflush(stdout);
}

/// What one question costs, beside what comes anyway.
void once(const FakeMachine& machine, const char* what,
          const std::function<void(const std::function<void()>& answered)>& ask)
{
    const Bytes before = traffic(machine);
    const auto isAnswered = std::make_shared<std::atomic<bool>>(false);
    QElapsedTimer timer;
    timer.start();
    ask([isAnswered] { *isAnswered = true; });
    if (!QTest::qWaitFor([&] { return isAnswered->load(); }, Patience))
        return;
    const Bytes after = traffic(machine);
    std::printf("%-32s up %6.2f KB     down %6.2f KB, with the job's page for %.1f s\n", what,
                static_cast<double>(after.up - before.up) / 1000,
                static_cast<double>(after.down - before.down) / 1000,
                static_cast<double>(timer.elapsed()) / 1000);
    std::fflush(stdout);
}

int run(int seconds)
{
    QTemporaryDir cache;
    useTemporarySettings();
    FakeMachine::bringAgent(cache.path());
    FakeMachine machine(cache.path());
    machine.sitHere();
    qputenv("PATH", RINGMASTER_SOURCE_DIR "/tests/bench/machine/programs:" + qgetenv("PATH"));
    const QString python = qEnvironmentVariable("RINGMASTER_PYTHON", QStringLiteral("python3"));
    const auto started = machine.there().run(
        {QStringLiteral("run"), QStringLiteral("--standalone"), QStringLiteral("--detach"),
         QStringLiteral("--nproc-per-node"), QString::number(Ranks), QStringLiteral("--python"),
         python, QStringLiteral(RINGMASTER_SOURCE_DIR "/tests/bench/machine/busy.py")});
    if (started.exitCode != 0) {
        std::fprintf(stderr, "%s\n", started.error.constData());
        return 1;
    }
    {
        LocalCluster local({.command = Ringmaster::executable().toStdString()});
        WatchingCluster cluster(local);
        EngineBridge bridge(cluster);
        MachineBridge machines(cluster);
        Theme theme;
        Language language;
        MainWindow window(bridge, theme, language, pages());
        showMachines(window, machines);
        window.show();
        QElapsedTimer timer;
        timer.start();
        machines.setWatched(QStringLiteral("gpu1"), true);
        if (!QTest::qWaitFor([&] { return !bridge.runs().empty(); }, Patience))
            return 1;
        std::printf("watched after %.1f s\n", static_cast<double>(timer.elapsed()) / 1000);
        const QString id = QString::fromStdString(bridge.runs().front().id);
        if (!QTest::qWaitFor([&] { return bridge.runs().front().state == RunState::Running; },
                             Patience))
            return 1;
        QTest::qWait(seconds * 1000); // torch is there, and the ranks have met
        QTest::keyClick(&window, Qt::Key_4, Qt::ControlModifier);
        measure(machine, "another page", seconds);
        QTest::keyClick(&window, Qt::Key_1, Qt::ControlModifier);
        measure(machine, "the list of jobs", seconds);
        timer.restart();
        window.showRun(id);
        const auto hasLines = [&] {
            const auto* log = window.jobsPage().jobPage()->findChild<LogView*>()->model();
            return log->rowCount() > Ranks;
        };
        if (!QTest::qWaitFor(hasLines, Patience))
            return 1;
        std::printf("log shown after %.1f s\n", static_cast<double>(timer.elapsed()) / 1000);
        measure(machine, "the job's page, as it opens", seconds);
        measure(machine, "the job's page", seconds);
        QTest::keyClick(&window, Qt::Key_F, Qt::ControlModifier);
        if (QApplication::focusWidget() == nullptr)
            return 1;
        QTest::keyClicks(QApplication::focusWidget(), QStringLiteral("step 1"));
        measure(machine, "its whole log is searched", seconds);
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Escape);
        once(machine, "a comparison", [&](const std::function<void()>& answered) {
            cluster.readComparedRun(id.toStdString(), {}, [answered](const auto&) { answered(); });
        });
        once(machine, "who runs elsewhere there", [&](const std::function<void()>& answered) {
            cluster.findJobs("gpu1", [answered](const auto&) { answered(); });
        });
    }
    machine.write(QStringLiteral("enough"));
    return QTest::qWaitFor([&] { return machine.processes() == 0; }, Patience) ? 0 : 1;
}

} // namespace

int main(int argc, char** argv)
{
    qputenv("QT_QPA_PLATFORM", "offscreen");
    const QApplication application(argc, argv);
    return run(argc > 1 ? QByteArray(argv[1]).toInt() : 30);
}
