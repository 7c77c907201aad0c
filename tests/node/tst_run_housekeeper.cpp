#include "engine/base/ControlGroup.h"
#include "engine/base/Files.h"
#include "engine/control/OrphanSweep.h"
#include "engine/node/RunHousekeeper.h"

#include <QDir>
#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>

#include <unistd.h>

using namespace ringmaster;

namespace {

QStringList idsOf(const std::vector<RunFolder>& folders)
{
    QStringList ids;
    for (const RunFolder& folder : folders)
        ids.append(QString::fromStdString(folder.id()));
    ids.sort();
    return ids;
}

RunSnapshot succeeded(int hour)
{
    RunSnapshot snapshot;
    snapshot.started.name = "job";
    snapshot.state = RunState::Succeeded;
    snapshot.startedAt.wallNs = hour * std::int64_t{3'600'000'000'000};
    return snapshot;
}

} // namespace

class tst_run_housekeeper : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { m_temporary = std::make_unique<QTemporaryDir>(); }

    void aShortRunTidiesUpAtItsEnd()
    {
        std::vector<RunFolder> old;
        for (int hour = 1; hour <= 4; ++hour)
            old.push_back(ended(hour));
        QVERIFY(old[0].setPinned(true).has_value());
        const RunFolder own = begun();
        RunHousekeeper housekeeper(own, {});
        housekeeper.finish(succeeded(5), {}, catalog(), {.runs = 3});
        QCOMPARE(runs(), idsOf({old[0], old[3], own}));
        QVERIFY(own.summary().state == RunState::Succeeded);
    }

    void aLongRunTidiesUpOnceWhileItRuns()
    {
        std::vector<RunFolder> old;
        for (int hour = 1; hour <= 3; ++hour)
            old.push_back(ended(hour));
        const RunFolder own = begun();
        RunHousekeeper housekeeper(own, {});
        housekeeper.keepHouse(catalog(), {.runs = 2});
        QTRY_COMPARE(runs(), idsOf({old[2], own}));
        const RunFolder next = ended(4);
        housekeeper.finish(succeeded(5), {}, catalog(), {.runs = 2});
        QCOMPARE(runs(), idsOf({old[2], next, own}));
    }

    void whatIsTooLargeGoesToo()
    {
        const RunFolder large = ended(1);
        QVERIFY(writeFileAtomically(large.logs() / "log", std::string(300'000, 'x')).has_value());
        QVERIFY(large.writeSummary(succeeded(1)).has_value()); // with its size
        const RunFolder small = ended(2);
        const RunFolder own = begun();
        RunHousekeeper housekeeper(own, {});
        housekeeper.finish(succeeded(3), {}, catalog(), {.bytes = 200'000});
        QCOMPARE(runs(), idsOf({small, own}));
    }

    /// Its environment says nothing, and whoever started it is gone.
    void whatALostRunLeftInItsGroupIsEnded()
    {
        const std::string place = ControlGroup::place();
        if (place.empty())
            QSKIP("no cgroup of version 2 may be made here");
        const RunFolder lost = folderOf(gone());
        ControlGroup group = ControlGroup::ofKeeper(place, lost.id(), ::getpid());
        QVERIFY(group.create());
        const auto removeGroup = qScopeGuard([&group] { group.remove(); });
        QVERIFY(writeFileAtomically(lost.path() / "cgroup", place).has_value());
        QProcess left;
        left.setChildProcessModifier([&group] { (void)group.join(); });
        left.start("/usr/bin/env", {"-i", "/bin/sleep", "900"});
        QVERIFY(left.waitForStarted());
        QCOMPARE(group.processes().size(), size_t{1});
        RunHousekeeper housekeeper(begun(), {});
        housekeeper.keepHouse(catalog(), {});
        QVERIFY(left.waitForFinished(60'000));
        QCOMPARE(left.exitStatus(), QProcess::CrashExit);
        // On a busy machine it may have ended when the sweep was over: the next one removes it.
        const auto isGroupGone = [&] {
            (void)sweepOrphans(catalog(), catalog().list());
            return !group.exists();
        };
        QTRY_VERIFY(isGroupGone());
    }

    /// It was in use when its keeper and guard were done with it, and nobody else looks after it.
    void theGroupThatAnEndedRunLeftIsRemoved()
    {
        const std::string place = ControlGroup::place();
        if (place.empty())
            QSKIP("no cgroup of version 2 may be made here");
        QProcess keeper;
        keeper.start("/bin/true", QStringList());
        QVERIFY(keeper.waitForStarted());
        ControlGroup group =
            ControlGroup::ofKeeper(place, ended(1).id(), static_cast<pid_t>(keeper.processId()));
        QVERIFY(keeper.waitForFinished());
        QVERIFY(group.create());
        const auto removeGroup = qScopeGuard([&group] { group.remove(); });
        RunHousekeeper housekeeper(begun(), {});
        housekeeper.keepHouse(catalog(), {});
        QTRY_VERIFY(!group.exists());
    }

private:
    static AgentRecord gone()
    {
        AgentRecord agent = AgentRecord::current("/nowhere");
        agent.process.startTime += 1; // another process had the number
        return agent;
    }

    std::filesystem::path folder() const
    {
        return std::filesystem::path(m_temporary->path().toStdString()) / "runs";
    }
    RunCatalog catalog() const { return RunCatalog(folder()); }

    RunFolder folderOf(const AgentRecord& agent) const
    {
        return RunFolder::create(folder(), "job", agent, SystemClock().now()).value();
    }
    /// This process is its agent.
    RunFolder begun() const { return folderOf(AgentRecord::current("/nowhere")); }
    RunFolder ended(int hour) const
    {
        const RunFolder run = folderOf(gone());
        (void)run.writeSummary(succeeded(hour));
        return run;
    }

    /// What is there now.
    QStringList runs() const
    {
        QStringList names = QDir(QString::fromStdString(folder().string()))
                                .entryList(QDir::Dirs | QDir::NoDotAndDotDot);
        names.sort();
        return names;
    }

    std::unique_ptr<QTemporaryDir> m_temporary;
};

QTEST_GUILESS_MAIN(tst_run_housekeeper)
#include "tst_run_housekeeper.moc"
