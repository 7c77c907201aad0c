#include "engine/base/BoundedRun.h"
#include "engine/base/ChildCommand.h"
#include "engine/base/Codes.h"
#include "tests/support/DeadFileSystem.h"

#include <QtTest>

#include <csignal>

#include <sys/socket.h>
#include <sys/wait.h>

using namespace ringmaster;
using namespace std::chrono_literals;
using ringmaster::test::DeadFileSystem;

namespace {

/// Of a test's own steps, on a machine that is busy.
constexpr qint64 Slowness = 20'000;

std::optional<ChildCommand::Outcome> outcomeOf(ChildCommand::Options options,
                                               const std::function<void()>& meanwhile = {})
{
    EventLoop loop;
    std::optional<ChildCommand::Outcome> outcome;
    const auto limit = loop.callAfter(60s, [&] { loop.stop(); });
    const auto child =
        ChildCommand::start(loop, std::move(options), [&](const ChildCommand::Outcome& end) {
            outcome = end;
            loop.stop();
        });
    if (child && meanwhile)
        meanwhile();
    if (child)
        loop.run();
    return outcome;
}

std::string fileOn(const DeadFileSystem& disk)
{
    return disk.path().toStdString() + "/data";
}

} // namespace

class tst_child_command : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void saysWhatAChildPrinted()
    {
        const auto outcome = outcomeOf(
            {.arguments = {"/bin/sh", "-c", "cat; echo oops >&2; exit 3"}, .input = "hello"});
        QVERIFY(outcome.has_value());
        QCOMPARE(outcome->output, std::string("hello"));
        QCOMPARE(outcome->error, std::string("oops\n"));
        QCOMPARE(outcome->exitCode, 3);
        QVERIFY(!outcome->wasTooSlow);
    }

    void answersThoughAGrandchildHoldsItsOutput()
    {
        QElapsedTimer took;
        took.start();
        const auto outcome =
            outcomeOf({.arguments = {"/bin/sh", "-c", "sleep 100 & echo said; echo more >&2"}});
        QVERIFY(outcome.has_value());
        QCOMPARE(outcome->output, std::string("said\n"));
        QCOMPARE(outcome->error, std::string("more\n"));
        QCOMPARE(outcome->exitCode, 0);
        QVERIFY(took.elapsed() < 50'000);
    }

    void endsAChildThatIsTooSlow()
    {
        const auto outcome =
            outcomeOf({.arguments = {"/bin/sh", "-c", "sleep 100 & sleep 100"}, .patience = 200ms});
        QVERIFY(outcome.has_value());
        QVERIFY(outcome->wasTooSlow);
        QVERIFY(!outcome->survivor);
        QCOMPARE(outcome->exitCode, -9);
        QVERIFY(ChildProcess::all().empty());
    }

    void destroyedItDoesntAnswer()
    {
        auto ends = makeSocketPair(SOCK_STREAM);
        QVERIFY(ends.has_value());
        // Its output is over at once: the answer waits for its end alone.
        QCOMPARE(::shutdown(ends->second.get(), SHUT_WR), 0);
        EventLoop loop;
        bool hasAnswered = false;
        auto child = ChildCommand::start(loop,
                                         {.arguments = {"/bin/true"},
                                          .terminal = std::move(ends->first),
                                          .childsTerminal = std::move(ends->second)},
                                         [&](const ChildCommand::Outcome&) { hasAnswered = true; });
        QVERIFY(child.has_value());
        // In the loop's queue all the time, so before the answer.
        const std::function<void()> destroyWhenReaped = [&] {
            if (!ChildProcess::all().empty())
                return loop.post(destroyWhenReaped);
            child->reset();
            loop.post([&] { loop.stop(); });
        };
        loop.post(destroyWhenReaped);
        loop.run();
        QVERIFY(!hasAnswered);
    }

    void whomSomebodyElseHasReapedHasEnded()
    {
        QElapsedTimer took;
        took.start();
        const auto outcome = outcomeOf({.arguments = {"/bin/sleep", "1000"}}, [] {
            const pid_t child = ChildProcess::all().at(0);
            ::kill(child, SIGKILL);
            QCOMPARE(::waitpid(child, nullptr, 0), child);
        });
        QVERIFY(outcome.has_value());
        QCOMPARE(outcome->exitCode, -9);
        // It isn't killed once more: the number may be a stranger's by now.
        QVERIFY(!outcome->wasTooSlow);
        QVERIFY(took.elapsed() < Slowness);
        QVERIFY(ChildProcess::all().empty());
    }

    void whoCantBeKilledIsNamedAndReapedLater()
    {
        DeadFileSystem disk;
        if (!disk.isUsable())
            QSKIP("no file system can be mounted here");
        QElapsedTimer took;
        took.start();
        const auto outcome =
            outcomeOf({.arguments = {"/bin/sh", "-c", "echo said; echo more >&2; exec cat \"$0\"",
                                     fileOn(disk)},
                       .patience = 3s});
        QVERIFY(outcome.has_value());
        QVERIFY2(took.elapsed() < 4'000 + Slowness, qPrintable(QString::number(took.elapsed())));
        QVERIFY(outcome->wasTooSlow);
        QCOMPARE(outcome->exitCode, -9);
        QCOMPARE(outcome->output, std::string("said\n"));
        QVERIFY(outcome->survivor.has_value());
        QCOMPARE(codeName(outcome->survivor->code), codeName(code::SurvivorInKernel));
        QCOMPARE(outcome->error, "more\n" + describe(*outcome->survivor));
        QCOMPARE(ChildProcess::all().size(), size_t{1});
        disk.die();
        QTRY_VERIFY_WITH_TIMEOUT(ChildProcess::all().empty(), Slowness);
        QCOMPARE(::waitpid(-1, nullptr, WNOHANG), -1); // it has been reaped
    }

    void destroyedItWaitsForNobodyWhoCantBeKilled()
    {
        DeadFileSystem disk;
        if (!disk.isUsable())
            QSKIP("no file system can be mounted here");
        EventLoop loop;
        std::vector<std::unique_ptr<ChildCommand>> commands;
        for (int number = 0; number < 8; ++number)
            commands.push_back(*ChildCommand::start(loop, {.arguments = {"/bin/cat", fileOn(disk)}},
                                                    [](const ChildCommand::Outcome&) {}));
        const std::vector<pid_t> children = ChildProcess::all();
        QCOMPARE(children.size(), commands.size());
        for (const pid_t child : children)
            QTRY_VERIFY_WITH_TIMEOUT(test::DeadFileSystem::holdsUp(child), Slowness);
        QElapsedTimer took;
        took.start();
        commands.clear();
        QVERIFY2(took.elapsed() < Slowness, qPrintable(QString::number(took.elapsed())));
        QVERIFY(ChildProcess::all() == children);
        disk.die();
        QTRY_VERIFY_WITH_TIMEOUT(ChildProcess::all().empty(), Slowness);
    }

    /// The system call that starts it waits for the disk, and so would who makes that one.
    void aProgramOnADeadDiskHoldsNobodyUp_data()
    {
        QTest::addColumn<bool>("isProgram");
        QTest::newRow("its file") << true;
        QTest::newRow("its working folder") << false;
    }

    void aProgramOnADeadDiskHoldsNobodyUp()
    {
        QFETCH(bool, isProgram);
        DeadFileSystem disk;
        if (!disk.isUsable())
            QSKIP("no file system can be mounted here");
        QElapsedTimer took;
        took.start();
        const auto said = runBounded({isProgram ? fileOn(disk) : "/bin/true"}, {}, 200ms, 1000,
                                     isProgram ? std::string() : fileOn(disk));
        QVERIFY2(took.elapsed() < Slowness, qPrintable(QString::number(took.elapsed())));
        QVERIFY(!said);
        QCOMPARE(codeName(said.error().code), codeName(code::TimedOut));
        QVERIFY2(said.error().detail.find("can't be killed") != std::string::npos,
                 said.error().detail.c_str());
        disk.die();
        QTRY_VERIFY_WITH_TIMEOUT(ChildProcess::all().empty(), Slowness);
    }
};

QTEST_GUILESS_MAIN(tst_child_command)
#include "tst_child_command.moc"
