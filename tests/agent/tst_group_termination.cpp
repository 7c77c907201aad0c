#include "engine/agent/Codes.h"
#include "engine/agent/GroupTermination.h"
#include "engine/base/Codes.h"
#include "engine/event/Codes.h"
#include "tests/agent/FakeNode.h"
#include "tests/simulation/VirtualTime.h"

#include <QtTest>

#include <csignal>

using namespace ringmaster;
using namespace ringmaster::test;
using namespace std::chrono_literals;

namespace {

/// Two workers that run and ignore what they are told, and how they are ended.
class TerminationTrial : WorkerProcesses::Host
{
public:
    explicit TerminationTrial(std::chrono::milliseconds grace = 1h)
        : TerminationTrial(grace, quick(), nullptr)
    {
    }
    /// On the time of `process`, with an agent's usual patience.
    TerminationTrial(std::chrono::milliseconds grace, simulation::Process& process)
        : TerminationTrial(grace, {.hostName = "localhost"}, &process)
    {
    }

private:
    TerminationTrial(std::chrono::milliseconds grace, AgentOptions options,
                     simulation::Process* process)
        : m_options(std::move(options))
        , m_clock(process != nullptr ? static_cast<const Clock&>(*process) : m_systemClock)
        , loop(loopOf(process))
    {
        m_spec.restart.grace = grace;
        processes.ignoresSignals = true;
        for (Worker& worker : group.workers())
            worker.pid = 100 + worker.assignment.globalRank;
    }

    static AgentOptions quick()
    {
        return {.hostName = "localhost",
                .restPatience = 10ms,
                .killPatience = 10ms,
                .hintPatience = 10ms};
    }
    static EventLoop loopOf(simulation::Process* process)
    {
        if (process != nullptr)
            return EventLoop(*process);
        return EventLoop();
    }

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
    const AgentOptions m_options;
    const SystemClock m_systemClock{};
    const Clock& m_clock;

public:
    bool until(const std::function<bool()>& condition) { return runUntil(loop, 60s, condition); }

    EventLoop loop;
    Record record;
    FakeProcesses processes{loop, *this};
    WorkerGroup group{{.worldSize = 2},
                      {{.localRank = 0, .globalRank = 0}, {.localRank = 1, .globalRank = 1}}};
    std::vector<GroupTermination::Ending> looks;
    std::function<void()> looking; ///< Until the test says that the look is over.
    bool looksForLong = false;
    std::vector<std::chrono::seconds> lookTimes; ///< Instead: how long each takes, one by one.
    bool closesAfterGrace = false;               ///< As the owner does.
    int graceEnds = 0;
    std::optional<std::size_t> survivors;

private:
    void look(GroupTermination::Ending ending, std::function<void()> done)
    {
        looks.push_back(ending);
        if (looks.size() <= lookTimes.size())
            m_looks.push_back(loop.callAfter(lookTimes[looks.size() - 1], std::move(done)));
        else if (looksForLong)
            looking = std::move(done);
        else
            done();
    }
    void graceEnded()
    {
        ++graceEnds;
        if (closesAfterGrace)
            termination.close();
    }

    std::vector<EventLoop::Registration> m_looks;
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
         .graceEnded = [this] { graceEnded(); },
         .survived = [this](const std::vector<Message>& left) { survivors = left.size(); },
         .examine = [this](const Message&, GroupTermination::Ending ending,
                           std::function<void()> done) { look(ending, std::move(done)); }}};
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
        TerminationTrial trial(10ms);
        trial.termination.begin({.signal = SIGTERM}, false);
        QCOMPARE(trial.processes.signals, (Signals{{0, SIGTERM}, {1, SIGTERM}}));
        QVERIFY(trial.until([&] { return trial.graceEnds == 1; }));
        QCOMPARE(trial.processes.signals,
                 (Signals{{0, SIGTERM}, {1, SIGTERM}, {0, SIGKILL}, {1, SIGKILL}}));
        QVERIFY(trial.record.hasNotice(code::WorkerIgnoresSignal));
        QCOMPARE(trial.looks, (std::vector<Ending>{Ending::Asked, Ending::Killed}));
        trial.processes.survivorsOfClose = {{code::TimedOut, {}, {}}};
        trial.termination.close();
        QVERIFY(trial.until([&] { return trial.survivors == 1; }));
        QCOMPARE(trial.processes.closes, 1);
    }

    void whoIsLookedAtIsToldWhenThatIsOver()
    {
        TerminationTrial trial;
        trial.looksForLong = true;
        trial.termination.begin({.signal = SIGTERM}, false);
        trial.termination.repeat({.signal = SIGINT});
        trial.termination.workerStarted(trial.group.workers().front());
        QVERIFY(trial.processes.signals.empty());
        QVERIFY(!trial.record.hasNotice(code::WorkersAskedToEnd));
        trial.looking();
        QCOMPARE(trial.processes.signals, (Signals{{0, SIGINT}, {1, SIGINT}}));
        // From when the grace counts.
        const Message asked = trial.record.all<Notice>().back().message;
        QCOMPARE(QString::fromStdString(describe(asked)),
                 QString("SIGINT was sent to ranks 0 and 1; they have 3600 s to end."));
    }

    void namesWithinTheGraceAndTenSeconds_data()
    {
        QTest::addColumn<int>("first");
        QTest::addColumn<int>("second");
        QTest::addColumn<int>("looks");
        QTest::newRow("quick looks") << 0 << 0 << 2;
        QTest::newRow("the first is never over") << 3600 << 0 << 1;
        QTest::newRow("the second is never over") << 0 << 3600 << 2;
        QTest::newRow("both take their time") << 2 << 3600 << 2;
    }

    /// However long is looked: the tenth second is late, and the kill has had most of them.
    void namesWithinTheGraceAndTenSeconds()
    {
        QFETCH(const int, first);
        QFETCH(const int, second);
        QFETCH(const int, looks);
        constexpr auto Grace = 30s;
        simulation::VirtualTime time;
        simulation::Process process(time);
        TerminationTrial trial(Grace, process);
        trial.lookTimes = {std::chrono::seconds(first), std::chrono::seconds(second)};
        trial.closesAfterGrace = true;
        trial.processes.survivorsOfClose = {{code::TimedOut, {}, {}}};
        const auto now = [&] { return std::chrono::nanoseconds(time.now()); };
        const auto asked = now();
        std::chrono::nanoseconds killed{};
        trial.termination.begin({.signal = SIGTERM}, false);
        while (!trial.survivors && time.step()) {
            if (killed.count() == 0 &&
                std::ranges::count(trial.processes.signals, std::pair(0, SIGKILL)) > 0)
                killed = now();
        }
        QCOMPARE(trial.survivors, std::optional(std::size_t{1}));
        QCOMPARE(trial.looks.size(), static_cast<std::size_t>(looks));
        QVERIFY(killed - asked >= Grace);
        QVERIFY2(now() - asked <= Grace + 10s,
                 qPrintable(QString::number((now() - asked).count())));
        QVERIFY2(now() - killed >= 5s, qPrintable(QString::number((now() - killed).count())));
    }

    /// Who works for them hears of it then, and has a moment for its end.
    void afterTheGraceTheWorkersAreKilledBeforeTheRest()
    {
        simulation::VirtualTime time;
        simulation::Process process(time);
        TerminationTrial trial(30s, process);
        trial.termination.begin({.signal = SIGTERM}, false);
        while (trial.processes.signals.size() < 4 && time.step()) {
        }
        QCOMPARE(trial.processes.signals,
                 (Signals{{0, SIGTERM}, {1, SIGTERM}, {0, SIGKILL}, {1, SIGKILL}}));
        QCOMPARE(trial.graceEnds, 0);
        const std::int64_t killedNs = time.now();
        while (trial.graceEnds == 0 && time.step()) {
        }
        QCOMPARE(trial.graceEnds, 1);
        QCOMPARE(std::chrono::nanoseconds(time.now() - killedNs).count(),
                 std::chrono::nanoseconds(1s).count());
    }

    /// It may have been a shell, and the session is the program that it ran.
    void whoHasEndedIsKilledForItsSession()
    {
        TerminationTrial trial(10ms);
        for (Worker& worker : trial.group.workers()) {
            worker.exit = WorkerExited{};
            worker.hasSession = true;
        }
        trial.termination.begin({.signal = SIGTERM}, false);
        QCOMPARE(trial.graceEnds, 0);
        QVERIFY(trial.until([&] { return trial.graceEnds == 1; }));
        QCOMPARE(trial.processes.signals, (Signals{{0, SIGKILL}, {1, SIGKILL}}));
    }

    void whoIsKilledAtOnceIsNamedWithinTenSeconds()
    {
        simulation::VirtualTime time;
        simulation::Process process(time);
        TerminationTrial trial(1h, process);
        trial.looksForLong = true;
        trial.processes.survivorsOfClose = {{code::TimedOut, {}, {}}};
        trial.termination.begin({.signal = SIGTERM}, false);
        trial.termination.close();
        const std::int64_t killedNs = time.now();
        while (!trial.survivors && time.step()) {
        }
        QVERIFY(trial.survivors.has_value());
        QVERIFY(std::chrono::nanoseconds(time.now() - killedNs) <= 10s);
    }

    void theLastOutputIsWaitedForUntilSomebodyWontAnyMore()
    {
        simulation::VirtualTime time;
        simulation::Process process(time);
        TerminationTrial trial(1h, process);
        trial.processes.keepsWriting = true;
        trial.termination.close();
        trial.termination.giveUpOutput(); // nobody waits for it yet
        QVERIFY(!trial.survivors);
        while (!trial.record.hasNotice(code::OutputStillWritten) && time.step()) {
        }
        QVERIFY(!trial.survivors);
        const std::int64_t saidNs = time.now();
        trial.termination.giveUpOutput();
        QCOMPARE(trial.survivors, std::optional(std::size_t{1}));
        QCOMPARE(time.now(), saidNs);
        trial.survivors.reset();
        trial.termination.giveUpOutput();
        while (time.step()) {
        }
        QVERIFY(!trial.survivors); // once
    }

    void theSameSignalIsntSentAgain()
    {
        TerminationTrial trial;
        trial.termination.begin({.signal = SIGTERM}, false);
        trial.termination.repeat({.signal = SIGTERM});
        QCOMPARE(trial.processes.signals.size(), size_t{2});
        trial.termination.workerStarted(trial.group.workers().back());
        QCOMPARE(trial.processes.signals.back(), std::make_pair(1, SIGTERM));
    }

    void aUserHearsWhoStillRuns()
    {
        TerminationTrial trial;
        trial.termination.begin({.signal = SIGTERM, .isByUser = true}, false);
        QVERIFY(trial.until([&] { return trial.record.hasNotice(code::WorkersStillRun); }));
    }

    void aGroupOfWhichNoneIsLeftIsClosedAtOnce()
    {
        TerminationTrial trial;
        for (Worker& worker : trial.group.workers())
            worker.isLost = true;
        trial.termination.begin({.signal = SIGTERM}, false);
        QCOMPARE(trial.graceEnds, 1);
        QVERIFY(trial.looks.empty());
        QVERIFY(!trial.record.hasNotice(code::WorkersAskedToEnd));
    }

    void nobodyIsAskedWhereTheOutputIsntReady()
    {
        TerminationTrial trial(1ms);
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
