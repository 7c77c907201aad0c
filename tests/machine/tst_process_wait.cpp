#include "engine/machine/LockHolder.h"
#include "engine/machine/ProcessWaitReader.h"
#include "tests/support/DeadFileSystem.h"

#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>

#include <csignal>
#include <ctime>
#include <functional>

#include <unistd.h>

using namespace ringmaster;
using Kind = ProcessWait::Kind;
using State = ProcessWait::Child::State;

namespace {

std::int64_t now()
{
    timespec time = {};
    ::clock_gettime(CLOCK_MONOTONIC, &time);
    return static_cast<std::int64_t>(time.tv_sec) * 1'000'000'000 + time.tv_nsec;
}

using Check = std::function<bool(const ProcessWait&)>;

bool hasChild(const ProcessWait& wait, const Check& check)
{
    return !wait.children.empty() && wait.children.front().pid > 0 && check(wait);
}

} // namespace
Q_DECLARE_METATYPE(Check)

/// What real programs wait for, as /proc shows it.
class tst_process_wait : public QObject
{
    Q_OBJECT

private:
    /// Starts the program of tests/machine/programs in a mode, and waits until it is there.
    void start(const QString& mode, const QString& argument = {})
    {
        m_program = std::make_unique<QProcess>();
        m_program->setChildProcessModifier([] { ::setsid(); });
        m_program->setProcessChannelMode(QProcess::ForwardedErrorChannel);
        m_program->start("python3",
                         {QStringLiteral(RINGMASTER_SOURCE_DIR "/tests/machine/programs/waits.py"),
                          mode, argument});
        while (!m_program->canReadLine() && m_program->waitForReadyRead(30'000)) {
        }
        QCOMPARE(m_program->readLine(), QByteArray("ready\n"));
    }

    ProcessWait look() { return m_reader->look(static_cast<pid_t>(m_program->processId()), now()); }

    std::unique_ptr<QProcess> m_program;
    std::unique_ptr<ProcessWaitReader> m_reader;
    QTemporaryDir m_folder;

private Q_SLOTS:
    void init() { m_reader = std::make_unique<ProcessWaitReader>(); }
    void cleanup()
    {
        if (m_program) {
            // Those below it, too: they have nobody else.
            ::kill(-static_cast<pid_t>(m_program->processId()), SIGKILL);
            m_program->waitForFinished();
            m_program.reset();
        }
    }

    void saysWhatAProgramWaitsFor_data()
    {
        QTest::addColumn<QString>("argument");
        QTest::addColumn<Check>("check");
        const auto row = [](const char* mode, const Check& check, const QString& argument = {}) {
            QTest::newRow(mode) << argument << check;
        };
        const auto is = [](Kind kind, bool isWorking) {
            return Check([=](const ProcessWait& wait) {
                return wait.kind == kind && isAtWork(wait) == isWorking;
            });
        };
        const auto child = [](bool isWorking, const Check& check) {
            return Check([=](const ProcessWait& wait) {
                return hasChild(wait, check) && wait.children.front().isAwaited &&
                       wait.kind == Kind::Child && isAtWork(wait) == isWorking;
            });
        };
        row("lock", is(Kind::Lock, false));
        row("pipe", is(Kind::Pipe, false));
        row("selected", is(Kind::Pipe, false));
        row("full_pipe", [](const ProcessWait& wait) {
            return wait.kind == Kind::Pipe && wait.isWriting && !isAtWork(wait);
        });
        row("fifo", is(Kind::Fifo, false), m_folder.filePath("fifo"));
        row(
            "file_lock",
            [](const ProcessWait& wait) { // its own, by another descriptor
                return wait.kind == Kind::FileLock && wait.holder > 0 && !isAtWork(wait);
            },
            m_folder.filePath("lock"));
        row("computes", is(Kind::Running, true));
        row("silent_socket", [](const ProcessWait& wait) {
            return wait.kind == Kind::Socket && wait.bytes == 0 && wait.spanNs > 0 &&
                   wait.name.starts_with("127.0.0.1:") && !isAtWork(wait);
        });
        const Check isMoving = [](const ProcessWait& wait) {
            return wait.kind == Kind::Socket && wait.bytes >= 200 && isAtWork(wait) &&
                   wait.name.starts_with("127.0.0.1:") && !wait.isOtherThread;
        };
        row("socket", isMoving);
        row("polled_socket", isMoving);
        row("epoll", isMoving);
        row("download_in_thread", [](const ProcessWait& wait) {
            return wait.kind == Kind::Socket && wait.isOtherThread && isAtWork(wait);
        });
        row("child", child(true, [](const ProcessWait& wait) {
                return wait.children.front().command == "sleep 600" &&
                       !wait.children.front().isCopy;
            }));
        row("secret", child(true, [](const ProcessWait& wait) {
                return wait.children.front().command == "sh -c sleep 600; true --token ***";
            }));
        row("answer",
            child(true, [](const ProcessWait& wait) { return wait.children.size() == 1; }));
        row("poll", [](const ProcessWait& wait) {
            return hasChild(wait, [](const ProcessWait& one) {
                return one.children.front().state == State::Alive && one.kind == Kind::Sleep &&
                       one.sleepNs == 0;
            });
        });
        row("stopped", child(false, [](const ProcessWait& wait) {
                return wait.children.front().state == State::Stopped;
            }));
        row("copy", child(false, [](const ProcessWait& wait) {
                return wait.children.front().isCopy && !wait.children.front().isAtWork;
            }));
        row("copy_child", child(true, [](const ProcessWait& wait) {
                return wait.children.front().isCopy && wait.children.front().isAtWork;
            }));
        row("killed", [](const ProcessWait& wait) {
            return wait.kind == Kind::Lock && hasChild(wait, [](const ProcessWait& one) {
                       return one.children.front().state == State::Ended &&
                              one.children.front().signal == SIGKILL;
                   });
        });
        const Check endsSoon = [](const ProcessWait& wait) {
            return wait.kind == Kind::Sleep && wait.leftNs > 0 && wait.leftNs <= wait.sleepNs &&
                   isAtWork(wait);
        };
        row("sleep", endsSoon, "50");
        row("pause", endsSoon); // after naps
        row("naps", is(Kind::Sleep, false));
    }
    void saysWhatAProgramWaitsFor()
    {
        QFETCH(QString, argument);
        QFETCH(Check, check);
        start(QTest::currentDataTag(), argument);
        const auto isAsExpected = [&] {
            const ProcessWait wait = look();
            const bool isRight = check(wait);
            if (!isRight)
                qInfo("kind %d, %s, state %s, call %s, channel %s, %lld bytes, %zu children",
                      static_cast<int>(wait.kind), wait.name.c_str(), wait.state.c_str(),
                      wait.systemCall.c_str(), wait.channel.c_str(),
                      static_cast<long long>(wait.bytes), wait.children.size());
            return isRight;
        };
        // Once is enough: what is on its way there looks like it for a moment, and not at the next.
        QVERIFY(QTest::qWaitFor(isAsExpected, 60'000));
    }

    void aLongSleepIsNoPause()
    {
        start("sleep", "1000");
        QTRY_COMPARE(look().kind, Kind::Sleep);
        const ProcessWait wait = look();
        QVERIFY(wait.leftNs > 900'000'000'000);
        QVERIFY(!isAtWork(wait));
    }

    void waitsForADiskThatDoesNotAnswer()
    {
        test::DeadFileSystem files;
        if (!files.isUsable())
            QSKIP("FUSE can't be mounted here.");
        start("disk", QString::fromUtf8(files.path()));
        QTRY_COMPARE(look().kind, Kind::File);
        QVERIFY(isAtWork(look()));
        m_program->kill();
        files.die();
    }

    void aProcessThatIsGoneSaysNothing()
    {
        start("lock");
        const auto pid = static_cast<pid_t>(m_program->processId());
        m_program->kill();
        m_program->waitForFinished();
        const ProcessWait wait = m_reader->look(pid, now());
        QCOMPARE(wait.kind, Kind::Unknown);
        QVERIFY(wait.children.empty() && wait.state.empty());
        m_program.reset();
    }

    void saysWhoHasALockThatAProcessWaitsFor()
    {
        const std::string locks = "1: POSIX  ADVISORY  WRITE 60 fe:01:11 0 EOF\n"
                                  "2: FLOCK  ADVISORY  WRITE 70 fe:01:12 0 EOF\n"
                                  "2: -> FLOCK  ADVISORY  WRITE 71 fe:01:12 0 EOF\n"
                                  "2:  -> FLOCK  ADVISORY  READ 72 fe:01:12 0 EOF\n"
                                  "3: FLOCK  ADVISORY  WRITE 80 fe:01:13 0 EOF\n";
        QCOMPARE(lockHolderIn(locks, 71), 70);
        QCOMPARE(lockHolderIn(locks, 72), 70);
        QCOMPARE(lockHolderIn(locks, 60), 0);
        QCOMPARE(lockHolderIn("", 71), 0);
        QCOMPARE(lockHolderIn("2: FLOCK\n2: ->\nno locks at all", 71), 0);
    }
};

QTEST_GUILESS_MAIN(tst_process_wait)
#include "tst_process_wait.moc"
