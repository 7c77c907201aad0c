#include "app/bridge/Messages.h"
#include "app/jobs/WorkerFilter.h"
#include "app/model/EventTableModel.h"
#include "app/model/HostText.h"
#include "app/model/PhaseWords.h"
#include "app/model/RunListModel.h"
#include "app/model/TimelineModel.h"
#include "app/model/WorkerTableModel.h"
#include "engine/base/Codes.h"
#include "engine/hosts/Codes.h"
#include "engine/node/Codes.h"
#include "engine/worker/Codes.h"
#include "tests/app/Scenario.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QtTest>

using namespace ringmaster;
using namespace ringmaster::app;

class tst_models : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void workersKeepTheirRowsOverARestart()
    {
        RunModel run("a");
        WorkerTableModel workers(run);
        QAbstractItemModelTester tester(&workers);
        run.apply({attempt(0, 4), state(0, 2, WorkerState::Healthy)});
        QCOMPARE(workers.rowCount(), 4);
        const QPersistentModelIndex second(workers.index(2, WorkerTableModel::State));
        QCOMPARE(second.data().toString(), QStringLiteral("Running"));
        run.apply({attempt(1, 4)});
        QVERIFY(second.isValid());
        QCOMPARE(second.data().toString(), QStringLiteral("Starting"));
        QCOMPARE(second.data(WorkerTableModel::RestartsRole).toInt(), 1);
        QCOMPARE(workers.restartedCount(), 4);
        run.apply({attempt(2, 2)});
        QCOMPARE(workers.rowCount(), 2);
    }

    void anAttemptThatIsNotKeptHasNoWorkers()
    {
        constexpr int Ranks = 512;
        constexpr int Kept = static_cast<int>(EarlierAttempts::MaxWorkers) / Ranks;
        RunModel run("a");
        WorkerTableModel workers(run);
        QAbstractItemModelTester tester(&workers);
        for (int number = 0; number <= Kept; ++number)
            run.apply({attempt(number, Ranks)});
        workers.showAttempt(0);
        QVERIFY(workers.isEarlier());
        QCOMPARE(workers.rowCount(), Ranks);
        // One more makes room for itself.
        run.apply({attempt(Kept + 1, Ranks)});
        QVERIFY(workers.isEarlier());
        QCOMPARE(workers.rowCount(), 0);
        workers.showAttempt(1);
        QCOMPARE(workers.rowCount(), Ranks);
        workers.showAttempt(-1);
        QVERIFY(!workers.isEarlier());
        QCOMPARE(workers.rowCount(), Ranks);
    }

    void aReasonThatGotLostIsNoReason()
    {
        HostSnapshot host{.host = "gpu1", .state = HostChanged::State::Lost};
        QCOMPARE(hostNote(host), QString());
        host.reason = {code::InternalError, {{"what", "?"}}, {}};
        QCOMPARE(hostNote(host), QString());
        host.reason = {code::HostUnreachable, {{"host", "gpu1"}}, {}};
        QCOMPARE(hostNote(host), text(host.reason));
    }

    void manyChangesAtOnceAreFewSignals()
    {
        RunModel run("a");
        WorkerTableModel workers(run);
        run.apply({attempt(0, 1000)});
        QSignalSpy changed(&workers, &QAbstractItemModel::dataChanged);
        std::vector<Event> events;
        for (int rank = 0; rank < 1000; rank += 2)
            events.push_back(state(0, rank, WorkerState::Healthy));
        run.apply(events);
        QCOMPARE(changed.count(), 1);
        changed.clear();
        run.apply({state(0, 7, WorkerState::Healthy), state(0, 9, WorkerState::Healthy)});
        QCOMPARE(changed.count(), 2);
    }

    void filtersWorkersByState()
    {
        RunModel run("a");
        WorkerTableModel workers(run);
        WorkerFilter filter(workers);
        QAbstractItemModelTester tester(&filter);
        run.apply({attempt(0, 4), state(0, 1, WorkerState::Healthy)});
        filter.setShown(WorkerFilter::Group::Running, true);
        QCOMPARE(filter.rowCount(), 1);
        run.apply({state(0, 2, WorkerState::Healthy)});
        QCOMPARE(filter.rowCount(), 2);
        filter.showAll();
        QCOMPARE(filter.rowCount(), 4);
    }

    void theTimelineHasASpanForEachState()
    {
        RunModel run("a");
        TimelineModel timeline(run);
        QAbstractItemModelTester tester(&timeline);
        run.apply(
            {attempt(0, 2), state(0, 0, WorkerState::Healthy), state(0, 0, WorkerState::Healthy)});
        QCOMPARE(timeline.rowCount(), 3);
        run.apply({exit(0, 0, 1)});
        QCOMPARE(timeline.rowCount(), 4);
        QCOMPARE(timeline.index(3, TimelineModel::State).data().toString(),
                 QStringLiteral("Failed"));
        QCOMPARE(timeline.index(3, TimelineModel::Note).data().toString(),
                 QStringLiteral("exit code 1"));
        QCOMPARE(run.history().lane(0).size(), size_t{3});
    }

    void hostsThatComeAndGoAreOnTheTimeline()
    {
        using State = HostChanged::State;
        RunModel run("a");
        TimelineModel timeline(run);
        QAbstractItemModelTester tester(&timeline);
        run.apply({host("1", "gpu1", State::Connecting), host("1", "gpu1", State::Connected),
                   host("2", "gpu2", State::Connected), attempt(0, 2)});
        run.apply({host("2", "gpu2", State::Lost), host("2", "gpu2", State::Lost)});
        QCOMPARE(run.history().hostLanes().size(), size_t{2});
        QCOMPARE(run.history().hostLanes()[1].spans.size(), size_t{2});
        QCOMPARE(timeline.headerData(0, Qt::Horizontal).toString(), QStringLiteral("Rank or host"));
        const int last = timeline.rowCount() - 1;
        QCOMPARE(timeline.index(last, TimelineModel::Rank).data().toString(),
                 QStringLiteral("gpu2"));
        QCOMPARE(timeline.index(last, TimelineModel::State).data().toString(),
                 QStringLiteral("connection lost"));
        QCOMPARE(timeline.index(last, 0).data(TimelineModel::RankRole).toInt(), -1);
        run.apply({eventOf(RunStateChanged{.state = RunState::Stopped})});
        QVERIFY(!run.history().span(run.history().hostLanes()[1].spans.back())->isOpen);
    }

    void timesOfSeveralHostsAreBroughtToTheLeadsClock()
    {
        constexpr std::int64_t Ahead = 3'600'000'000'000;
        LeadClock clock;
        const Event fromLead = eventOf(HostChanged{.agent = "1", .host = "gpu1"});
        QCOMPARE(clock.onLead(fromLead).at, fromLead.at);
        Event fromHost = eventOf(RunStateChanged{});
        fromHost.id.agent = "1";
        const Moment truth = fromHost.at;
        // Booted at another time: until it is measured, the walls' clocks count.
        fromHost.at.monotonicNs += Ahead;
        QCOMPARE(clock.onLead(fromHost).at.monotonicNs,
                 fromLead.at.monotonicNs + truth.wallNs - fromLead.at.wallNs);
        QCOMPARE(clock.boundNs(), std::int64_t{0});
        clock.onLead(eventOf(ClockMeasured{
            .agent = "1", .monotonicOffsetNs = Ahead, .wallOffsetNs = 7, .boundNs = 200'000}));
        fromHost.at.wallNs += 7;
        QCOMPARE(clock.onLead(fromHost).at, truth);
        QCOMPARE(clock.boundNs(), std::int64_t{200'000});
    }

    void theWayToTheFirstCollectiveIsDrawnAndListed()
    {
        RunModel run("a");
        TimelineModel timeline(run);
        QAbstractItemModelTester tester(&timeline);
        run.apply({attempt(0, 2), eventOf(firstCollective("1.5"))});
        QCOMPARE(run.history().starts().size(), size_t{1});
        const StartMark& mark = run.history().starts().front();
        QCOMPARE(mark.globalRank, 1);
        QCOMPARE(mark.to.monotonicNs - mark.from.monotonicNs, 4'750'000'000);
        // What took no time is left out.
        QCOMPARE(mark.endSpan - mark.firstSpan, RunHistory::SpanId{5});
        QCOMPARE(run.history().span(mark.firstSpan)->from, mark.from);
        QCOMPARE(run.history().span(mark.endSpan - 1)->to, mark.to);
        QCOMPARE(timeline.rowCount(), 2 + 5);
        const auto cell = [&](int row, int column) {
            return timeline.index(row, column).data().toString();
        };
        QCOMPARE(cell(4, TimelineModel::State), QStringLiteral("importing torch"));
        QCOMPARE(cell(4, TimelineModel::Duration), QStringLiteral("1.5 s"));
        QCOMPARE(cell(4, TimelineModel::Rank), QStringLiteral("1"));
        QCOMPARE(cell(4, TimelineModel::Note),
                 QStringLiteral("on the way to the first collective"));
        QVERIFY(details(mark, run.history()).contains(QStringLiteral("importing torch: 1.5 s")));
        QCOMPARE(run.history().lane(1).size(), size_t{1});
    }

    void aWayThatDoesntAddUpIsNotDrawn_data()
    {
        QTest::addColumn<QString>("seconds");
        for (const char* seconds : {"", "-1", "nan", "inf", "1e300", "1.5x", "many"})
            QTest::newRow(seconds) << seconds;
    }

    void aWayThatDoesntAddUpIsNotDrawn()
    {
        QFETCH(QString, seconds);
        RunModel run("a");
        run.apply({attempt(0, 2), eventOf(firstCollective(seconds.toStdString()))});
        QVERIFY(run.history().starts().empty());
        Notice other = firstCollective("1.5");
        other.message.parameters["rank"] = "2000000000";
        run.apply({eventOf(other)});
        QVERIFY(run.history().starts().empty());
        QCOMPARE(run.history().endId(), RunHistory::SpanId{2});
    }

    void theTimelineIsBounded()
    {
        RunModel run("a");
        TimelineModel timeline(run);
        QAbstractItemModelTester tester(&timeline);
        run.apply({attempt(0, 8)});
        for (int round = 0; round < 40; ++round) {
            std::vector<Event> events;
            for (int i = 0; i < 1000; ++i)
                events.push_back(
                    state(0, i % 8, (i / 8) % 2 == 0 ? WorkerState::Failed : WorkerState::Healthy));
            run.apply(events);
        }
        QVERIFY(timeline.rowCount() <= static_cast<int>(RunHistory::MaxSpans));
        QVERIFY(run.history().droppedSpans() > 0);
        QVERIFY(run.history().span(run.history().lane(3).front()) != nullptr);
    }

    void restartsKeepCauseAndBudget()
    {
        RunModel run("a");
        GroupRestarting restart;
        restart.cause = {code::WorkerExitedWithCode, {{"rank", "3"}, {"code", "1"}}, {}};
        restart.budgetBefore = 3;
        restart.budgetAfter = 2;
        run.apply({attempt(0, 2), eventOf(restart), attempt(1, 2)});
        QCOMPARE(run.history().restarts().size(), size_t{1});
        const RestartMark& mark = run.history().restarts().front();
        QVERIFY(mark.isCharged());
        QVERIFY(mark.resumedAt && mark.resumedAt->monotonicNs > mark.at.monotonicNs);
        QCOMPARE(run.snapshot().restartsUsed, 1);
        QCOMPARE(run.snapshot().restartBudget, 3);
    }

    void eventsAreBoundedAndSaySo()
    {
        RunModel run("a");
        EventTableModel events(run);
        QAbstractItemModelTester tester(&events);
        for (int round = 0; round < 12; ++round) {
            std::vector<Event> notices;
            for (int i = 0; i < 1000; ++i)
                notices.push_back(eventOf(Notice{}));
            run.apply(notices);
        }
        QVERIFY(events.rowCount() <= EventTableModel::MaxRows);
        QCOMPARE(events.dropped() + static_cast<std::uint64_t>(events.rowCount()),
                 std::uint64_t{12'000});
        run.apply({eventOf(ProcessSample{})});
        QCOMPARE(events.dropped() + static_cast<std::uint64_t>(events.rowCount()),
                 std::uint64_t{12'000});
    }

    void deliveredTwiceCountsOnce()
    {
        RunModel run("a");
        const Event first = attempt(0, 2);
        run.apply({first});
        run.apply({first});
        QCOMPARE(run.restartsOf(0), 0);
    }

    void runsComeAndGoRowByRow()
    {
        FakeCluster cluster;
        EngineBridge bridge(cluster);
        RunListModel runs(bridge);
        QAbstractItemModelTester tester(&runs);
        QSignalSpy reset(&runs, &QAbstractItemModel::modelReset);
        cluster.setRun(Scenario::summary("a", RunState::Running, 4, 100));
        cluster.setRun(Scenario::summary("b", RunState::Running, 2, 50));
        QTRY_COMPARE(runs.rowCount(), 2);
        const QPersistentModelIndex a(runs.indexOf(QStringLiteral("a")));
        QCOMPARE(a.row(), 1);
        RunSummary failed = Scenario::summary("a", RunState::Failed, 4, 100);
        cluster.setRun(failed);
        QTRY_COMPARE(a.sibling(a.row(), RunListModel::State).data().toString(),
                     QStringLiteral("Failed"));
        cluster.setRun(Scenario::summary("c", RunState::Starting, 0, 0));
        QTRY_COMPARE(runs.rowCount(), 3);
        QCOMPARE(a.row(), 2);
        QCOMPARE(runs.liveCount(), 2);
        QCOMPARE(reset.count(), 0);
    }

private:
    static Notice firstCollective(const std::string& import)
    {
        return {.message = {code::FirstCollective,
                            {{"attempt", "0"},
                             {"rank", "1"},
                             {"seconds", "4.750"},
                             {"stop", "0.250"},
                             {"rendezvous", "0.000"},
                             {"start", "0.500"},
                             {"import", import},
                             {"init", "0.500"},
                             {"user", "2.000"}},
                            {}}};
    }

    Event eventOf(EventBody body)
    {
        ++m_sequence;
        const auto at = static_cast<std::int64_t>(m_sequence) * 1'000'000'000;
        return {{"a", "agent", m_sequence}, m_sequence, {at, at}, "ws-01", "boot", std::move(body)};
    }

    Event attempt(int number, int ranks)
    {
        AttemptStarted started;
        started.attempt = number;
        started.worldSize = ranks;
        for (int rank = 0; rank < ranks; ++rank)
            started.workers.push_back({rank, rank, rank, ranks, "default", {}});
        return eventOf(started);
    }

    Event state(int attempt, int rank, WorkerState state)
    {
        return eventOf(WorkerStateChanged{attempt, rank, rank, 100 + rank, state});
    }

    Event exit(int attempt, int rank, int code)
    {
        WorkerExited exited;
        exited.attempt = attempt;
        exited.globalRank = exited.localRank = rank;
        exited.status.code = code;
        return eventOf(exited);
    }

    Event host(const std::string& agent, const std::string& name, HostChanged::State state)
    {
        return eventOf(HostChanged{.agent = agent, .host = name, .state = state});
    }

    std::uint64_t m_sequence = 0;
};

QTEST_MAIN(tst_models)
#include "tst_models.moc"
