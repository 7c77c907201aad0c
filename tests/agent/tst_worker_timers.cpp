#include "engine/agent/Codes.h"
#include "engine/agent/WorkerTimers.h"
#include "tests/agent/FakeNode.h"

#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>

#include <csignal>

#include <fcntl.h>

using namespace ringmaster;
using namespace ringmaster::test;
using namespace std::chrono_literals;

namespace {

using Variables = std::map<std::string, std::string>;
const Variables Asked{{"TORCHELASTIC_ENABLE_FILE_TIMER", "1"}};

/// Timers of one worker, which is a real process.
class TimedNode
{
public:
    explicit TimedNode(Variables variables)
        : m_options{.temporaryFolder = folder.path().toStdString(),
                    .environment = std::move(variables)}
    {
        process.start("sleep", {"1000"});
        process.waitForStarted();
        group.workers().front().pid = static_cast<int>(process.processId());
    }
    ~TimedNode()
    {
        process.kill();
        process.waitForFinished();
    }

    /// As torch's client: `pid` should have been done by now.
    void expire(qint64 pid) const
    {
        const FileDescriptor fifo(::open(timers.file().c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC));
        QVERIFY(fifo.isOpen());
        QVERIFY(writeAll(fifo.get(), "{\"version\": 1, \"pid\": " + std::to_string(pid) +
                                         ", \"scope_id\": \"step\", \"expiration_time\": 1.5, "
                                         "\"signal\": 10}\n")
                    .has_value());
    }
    bool untilNotice(Code code)
    {
        return runUntil(loop, 20s, [&] { return record.hasNotice(code); });
    }

    QTemporaryDir folder;
    QProcess process;
    EventLoop loop;
    SystemClock clock;
    Record record;
    WorkerGroup group{{}, {{.globalRank = 4}}};

private:
    JobSpec m_spec;
    AgentOptions m_options;
    AgentEventEmitter m_emitter{m_spec, m_options, {clock, record, [](std::string_view) {}}};

public:
    WorkerTimers timers{m_options, {loop, clock, m_emitter, group}};
};

} // namespace

/// torch's file timers of a node's workers.
class tst_worker_timers : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void areServedOnlyWhereTheEnvironmentAsksForThem()
    {
        TimedNode node(Variables{});
        node.timers.open();
        QVERIFY(node.timers.file().empty());
        QVERIFY(node.record.events.empty());
    }

    void whoLetsOneExpireGetsTheSignal()
    {
        TimedNode node(Asked);
        node.timers.open();
        node.expire(node.process.processId());
        QVERIFY(node.untilNotice(code::TimerExpired));
        QVERIFY(node.process.waitForFinished());
        QCOMPARE(node.process.exitCode(), 10); // of a crash, the signal
        const Message& cause = node.group.workers().front().pendingCause;
        QCOMPARE(cause.parameters.at("rank"), std::string("4"));
        QCOMPARE(cause.parameters.at("scope"), std::string("step"));
    }

    void explainsOnlyAnEndThatComesSoon_data()
    {
        QTest::addColumn<qint64>("secondsLater");
        QTest::addColumn<bool>("isCause");
        QTest::newRow("a second later") << qint64{1} << true;
        QTest::newRow("the signal was survived") << qint64{3600} << false;
    }

    void explainsOnlyAnEndThatComesSoon()
    {
        QFETCH(const qint64, secondsLater);
        QFETCH(const bool, isCause);
        TimedNode node(Asked);
        node.timers.open();
        node.expire(node.process.processId());
        QVERIFY(node.untilNotice(code::TimerExpired));
        Worker& worker = node.group.workers().front();
        const std::int64_t endNs = node.clock.now().monotonicNs + secondsLater * 1'000'000'000;
        node.group.setExit(worker, {.code = 1, .at = {.monotonicNs = endNs}});
        node.group.explain(worker, {}, OutOfMemoryWatch::Finding::No);
        QCOMPARE(worker.exit->explanation.code == code::TimerExpired, isCause);
        QVERIFY(WorkerGroup::endOf(worker).exit.explanation == worker.exit->explanation);
    }

    void aProcessThatIsNoWorkersIsLeftAlone()
    {
        TimedNode node(Asked);
        node.timers.open();
        QProcess other;
        other.start("sleep", {"1000"});
        QVERIFY(other.waitForStarted());
        node.expire(other.processId());
        node.expire(node.process.processId());
        QVERIFY(node.untilNotice(code::TimerExpired)); // the other's came first
        QVERIFY(other.state() == QProcess::Running);
        QCOMPARE(node.record.all<Notice>().size(), size_t{1});
        other.kill();
        QVERIFY(other.waitForFinished());
    }

    void saysWhyTheyCantBeServed()
    {
        Variables variables = Asked;
        variables["TORCHELASTIC_TIMER_FILE"] = "/nope/timer";
        TimedNode node(variables);
        node.timers.open();
        QVERIFY(node.timers.file().empty());
        QCOMPARE(node.record.all<Notice>().size(), size_t{1});
    }
};

QTEST_GUILESS_MAIN(tst_worker_timers)
#include "tst_worker_timers.moc"
