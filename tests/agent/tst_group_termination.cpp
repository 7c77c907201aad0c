#include "engine/agent/Codes.h"
#include "engine/agent/GroupTermination.h"
#include "engine/base/Codes.h"
#include "tests/agent/FakeNode.h"

#include <QtTest>

#include <csignal>

using namespace ringmaster;
using namespace ringmaster::test;
using namespace std::chrono_literals;

namespace {

/// Two workers that run and ignore what they are told, and how they are ended.
class Trial : WorkerProcesses::Host
{
public:
    explicit Trial(std::chrono::milliseconds grace = 1h)
    {
        m_spec.restart.grace = grace;
        processes.ignoresSignals = true;
        for (Worker& worker : group.workers())
            worker.pid = 100 + worker.assignment.globalRank;
    }

    bool until(const std::function<bool()>& condition) { return runUntil(loop, 60s, condition); }

private:
    // Of the processes nothing is heard here: the group is as the test has it.
    void attemptOpened(const Result<AttemptOutput>&) override {}
    void startExplained(const Message&) override {}
    void workerStarted(int, pid_t, Moment) override {}
    void workerNotStarted(int, const Error&) override {}
    void workerExited(int, const WorkerExit&) override {}
    void workerExplained(const WorkerExitReport&, OutOfMemoryWatch::Finding) override {}
    void sessionEnded(int) override {}
    void keeperDied(const Error&) override {}
    void attemptClosed() override {}

    JobSpec m_spec{.roles = {Role{.program = "train.py"}}};
    AgentOptions m_options{.hostName = "localhost", .killPatience = 10ms, .hintPatience = 10ms};
    SystemClock m_clock;

public:
    EventLoop loop;
    Record record;
    FakeProcesses processes{loop, *this};
    WorkerGroup group{{.worldSize = 2},
                      {{.localRank = 0, .globalRank = 0}, {.localRank = 1, .globalRank = 1}}};
    std::vector<GroupTermination::Ending> looks;
    std::function<void()> looking; ///< Until the test says that the look is over.
    bool looksForLong = false;
    int graceEnds = 0;
    std::optional<std::size_t> survivors;

private:
    AgentEventEmitter m_emitter{m_spec, m_options, {m_clock, record, [this](std::string_view text) {
                                                        record.printed(text);
                                                    }}};

public:
    GroupTermination termination{
        m_spec,
        m_options,
        {.loop = loop,
         .clock = m_clock,
         .emitter = m_emitter,
         .group = group,
         .processes = processes,
         .graceEnded = [this] { ++graceEnds; },
         .survived = [this](const std::vector<Message>& left) { survivors = left.size(); },
         .examine =
             [this](const Message&, GroupTermination::Ending ending, std::function<void()> done) {
                 looks.push_back(ending);
                 if (looksForLong)
                     looking = std::move(done);
                 else
                     done();
             }}};
};

using Signals = std::vector<std::pair<int, int>>;
using Ending = GroupTermination::Ending;

} // namespace

/// How a worker group is ended, without a supervisor around it.
class tst_group_termination : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void asksThenWaitsThenHasThemKilled()
    {
        Trial trial(10ms);
        trial.termination.begin({.signal = SIGTERM}, false);
        QCOMPARE(trial.processes.signals, (Signals{{0, SIGTERM}, {1, SIGTERM}}));
        QVERIFY(trial.until([&] { return trial.graceEnds == 1; }));
        QVERIFY(trial.record.hasNotice(code::WorkerIgnoresSignal));
        QCOMPARE(trial.looks, (std::vector<Ending>{Ending::Asked, Ending::Killed}));
        trial.processes.survivorsOfClose = {{code::TimedOut, {}, {}}};
        trial.termination.close();
        QVERIFY(trial.until([&] { return trial.survivors == 1; }));
        QCOMPARE(trial.processes.closes, 1);
    }

    void whoIsLookedAtIsToldWhenThatIsOver()
    {
        Trial trial;
        trial.looksForLong = true;
        trial.termination.begin({.signal = SIGTERM}, false);
        trial.termination.repeat({.signal = SIGINT});
        trial.termination.workerStarted(trial.group.workers().front());
        QVERIFY(trial.processes.signals.empty());
        trial.looking();
        QCOMPARE(trial.processes.signals, (Signals{{0, SIGINT}, {1, SIGINT}}));
    }

    void theSameSignalIsntSentAgain()
    {
        Trial trial;
        trial.termination.begin({.signal = SIGTERM}, false);
        trial.termination.repeat({.signal = SIGTERM});
        QCOMPARE(trial.processes.signals.size(), size_t{2});
        trial.termination.workerStarted(trial.group.workers().back());
        QCOMPARE(trial.processes.signals.back(), std::make_pair(1, SIGTERM));
    }

    void aUserHearsWhoStillRuns()
    {
        Trial trial;
        trial.termination.begin({.signal = SIGTERM, .isByUser = true}, false);
        QVERIFY(trial.until([&] { return trial.record.hasNotice(code::WorkersStillRun); }));
    }

    void aGroupOfWhichNoneIsLeftIsClosedAtOnce()
    {
        Trial trial;
        for (Worker& worker : trial.group.workers())
            worker.isLost = true;
        trial.termination.begin({.signal = SIGTERM}, false);
        QCOMPARE(trial.graceEnds, 1);
        QVERIFY(trial.looks.empty());
    }

    void nobodyIsAskedWhereTheOutputIsntReady()
    {
        Trial trial(1ms);
        for (Worker& worker : trial.group.workers())
            worker.pid = 0;
        trial.termination.begin({.signal = SIGTERM}, true);
        QVERIFY(trial.termination.isOpening());
        QCOMPARE(trial.graceEnds, 0);
        trial.termination.close();
        QVERIFY(!trial.termination.isOpening());
        QVERIFY(trial.processes.signals.empty());
    }
};

QTEST_GUILESS_MAIN(tst_group_termination)
#include "tst_group_termination.moc"
