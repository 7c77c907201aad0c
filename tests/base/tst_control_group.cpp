#include "engine/base/ControlGroup.h"
#include "engine/base/ProcessInfo.h"

#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>

#include <array>
#include <csignal>
#include <filesystem>

#include <linux/sched.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace ringmaster;

namespace {

constexpr const char* WhyNone = "no cgroup of version 2 may be made here";

/// No other process's.
std::string testRun()
{
    return "test-" + std::to_string(::getpid());
}

/// Of a test: nothing of it stays, whatever fails.
class TestGroup
{
public:
    explicit TestGroup(pid_t keeper, const std::string& run = testRun())
        : m_group(ControlGroup::ofKeeper(ControlGroup::place(), run, keeper))
    {
    }
    ~TestGroup()
    {
        m_group.kill();
        // What was in it is on its way out.
        for (int i = 0; i < 1000 && !isRemoved(); ++i)
            ::usleep(10'000);
    }
    TestGroup(const TestGroup&) = delete;
    TestGroup& operator=(const TestGroup&) = delete;

    ControlGroup& group() { return m_group; }

    bool isRemoved()
    {
        m_group.remove();
        return !m_group.exists();
    }

private:
    ControlGroup m_group;
};

/// As the keeper starts its workers.
pid_t startIn(const ControlGroup& group, const char* script)
{
    const std::array<char*, 4> words{const_cast<char*>("/bin/sh"), const_cast<char*>("-c"),
                                     const_cast<char*>(script), nullptr};
    clone_args how{};
    how.flags = CLONE_INTO_CGROUP;
    how.exit_signal = SIGCHLD;
    how.cgroup = static_cast<std::uint64_t>(group.descriptor());
    const auto child = static_cast<pid_t>(::syscall(SYS_clone3, &how, sizeof how));
    if (child == 0) {
        ::execv(words[0], words.data());
        ::_exit(127);
    }
    return child;
}

QByteArray fileOf(pid_t pid, const char* name)
{
    QFile file("/proc/" + QString::number(pid) + "/" + name);
    return file.open(QIODevice::ReadOnly) ? file.readAll().replace('\0', ' ') : QByteArray("none");
}

} // namespace

class tst_control_group : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void isNotMadeWhereItCouldNotBeKilled()
    {
        const QTemporaryDir folder;
        const std::string place = folder.path().toStdString();
        const auto isNone = [](ControlGroup group) {
            return !group.create() && !group.exists() && group.descriptor() < 0 && !group.join() &&
                   group.processes().empty();
        };
        QVERIFY(isNone(ControlGroup()));
        QVERIFY(isNone(ControlGroup::ofKeeper({}, "run", 1)));
        QVERIFY(isNone(ControlGroup::ofKeeper(place, {}, 1)));
        QVERIFY(isNone(ControlGroup::ofKeeper(place, "../run", 1)));
        QVERIFY(isNone(ControlGroup::ofKeeper(place, "run", 1))); // no folder is left of it
        QVERIFY(ControlGroup::ofRun({}, "run").empty());
        QVERIFY(ControlGroup::ofRun(place, {}).empty());
    }

    void endsADaemonThatHasLeftItsParentItsSessionAndItsEnvironment()
    {
        if (ControlGroup::place().empty())
            QSKIP(WhyNone);
        TestGroup test(1);
        ControlGroup& group = test.group();
        QVERIFY(group.create() && group.create()); // it was there the second time
        QVERIFY(group.exists());
        const pid_t parent =
            startIn(group, "env -i setsid -f sleep 900 </dev/null >/dev/null 2>/dev/null");
        QVERIFY(parent > 0);
        int status = -1;
        QCOMPARE(::waitpid(parent, &status, 0), parent);
        QCOMPARE(status, 0);
        QTRY_COMPARE(group.processes().size(), size_t{1});
        const auto orphan = identityOf(group.processes().front());
        QVERIFY(orphan.has_value());
        QTRY_COMPARE(fileOf(orphan->pid, "cmdline"), QByteArray("sleep 900 "));
        QCOMPARE(fileOf(orphan->pid, "environ"), QByteArray());
        QVERIFY(!test.isRemoved()); // it is in use
        group.kill();
        QTRY_VERIFY(!isAlive(*orphan));
        QTRY_VERIFY(group.processes().empty());
        QTRY_VERIFY(test.isRemoved());
    }

    void whoJoinsItIsKilledWithIt()
    {
        if (ControlGroup::place().empty())
            QSKIP(WhyNone);
        TestGroup test(1);
        QVERIFY(test.group().create());
        QProcess sleeper;
        sleeper.setChildProcessModifier([&test] { (void)test.group().join(); });
        sleeper.start("/bin/sleep", {"900"});
        QVERIFY(sleeper.waitForStarted());
        const std::vector<pid_t> itself{static_cast<pid_t>(sleeper.processId())};
        QVERIFY(test.group().processes() == itself);
        test.group().kill();
        QVERIFY(sleeper.waitForFinished(60'000));
        QCOMPARE(sleeper.exitStatus(), QProcess::CrashExit);
        QTRY_VERIFY(test.isRemoved());
    }

    void goesWithWhatAWorkerMadeBelowIt()
    {
        if (ControlGroup::place().empty())
            QSKIP(WhyNone);
        TestGroup test(1);
        QVERIFY(test.group().create());
        const std::string folder = ControlGroup::place() + "/ringmaster-" + testRun() + "-1";
        QVERIFY(std::filesystem::create_directories(folder + "/below/deeper"));
        QTRY_VERIFY(test.isRemoved());
        QVERIFY(!std::filesystem::exists(folder));
    }

    void isRemovedOnceItIsEmptyAndItsKeeperIsGone()
    {
        if (ControlGroup::place().empty())
            QSKIP(WhyNone);
        QProcess keeper;
        keeper.start("/bin/true", QStringList());
        QVERIFY(keeper.waitForStarted());
        const auto gone = static_cast<pid_t>(keeper.processId());
        TestGroup abandoned(gone);
        TestGroup used(gone, testRun() + "-used");
        TestGroup itsKeeperLives(::getpid());
        QVERIFY(used.group().create() && itsKeeperLives.group().create());
        const pid_t worker = startIn(used.group(), "exec sleep 900");
        QVERIFY(worker > 0);
        QVERIFY(keeper.waitForFinished());
        QVERIFY(abandoned.group().create());
        ControlGroup::removeAbandoned(ControlGroup::place());
        QVERIFY(!abandoned.group().exists());
        QVERIFY(used.group().exists());
        QVERIFY(itsKeeperLives.group().exists());
        used.group().kill();
        QCOMPARE(::waitpid(worker, nullptr, 0), worker);
        const auto isUsedGone = [&used] {
            ControlGroup::removeAbandoned(ControlGroup::place());
            return !used.group().exists();
        };
        QTRY_VERIFY(isUsedGone());
    }

    void isFoundByItsRun()
    {
        if (ControlGroup::place().empty())
            QSKIP(WhyNone);
        TestGroup first(1);
        TestGroup second(::getpid());
        TestGroup other(1, testRun() + "-other");
        QVERIFY(first.group().create() && second.group().create() && other.group().create());
        auto found = ControlGroup::ofRun(ControlGroup::place(), testRun());
        QCOMPARE(found.size(), size_t{2});
        for (ControlGroup& group : found)
            group.remove();
        QVERIFY(!first.group().exists() && !second.group().exists());
        QVERIFY(other.group().exists());
        QVERIFY(ControlGroup::ofRun(ControlGroup::place(), testRun()).empty());
    }
};

QTEST_GUILESS_MAIN(tst_control_group)
#include "tst_control_group.moc"
