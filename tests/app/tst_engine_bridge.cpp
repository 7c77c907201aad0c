#include "app/bridge/EngineBridge.h"
#include "engine/record/Codes.h"
#include "tests/app/Scenario.h"

#include <QSignalSpy>
#include <QtTest>

#include <optional>

using namespace ringmaster;
using namespace ringmaster::app;

namespace {

/// Answers removals as it is told to, and lists the runs all the same.
class LateList : public FakeCluster
{
public:
    void remove(const std::string& /*run*/, Answer<void> answer) override { answer(removal); }

    Result<void> removal{};
};

/// Nothing: it isn't answered.
std::optional<Result<void>> removed(EngineBridge& bridge, const std::string& run)
{
    std::optional<Result<void>> answer;
    QObject asker;
    bridge.removeRun(run, &asker, [&](const Result<void>& done) { answer = done; });
    (void)QTest::qWaitFor([&] { return answer.has_value(); });
    return answer;
}

} // namespace

class tst_engine_bridge : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void foldsABurstOfChangesIntoFewSignals()
    {
        FakeCluster cluster;
        EngineBridge bridge(cluster);
        QSignalSpy changed(&bridge, &EngineBridge::runsChanged);
        for (int i = 0; i < 1000; ++i) {
            RunSummary run = Scenario::summary("a", RunState::Running, 4, 10);
            run.restartsUsed = i;
            cluster.setRun(run);
        }
        cluster.settle();
        QTRY_VERIFY(!bridge.runs().empty() && bridge.runs().front().restartsUsed == 999);
        QVERIFY2(changed.count() < 10, qPrintable(QString::number(changed.count())));
    }

    void handsOverEventsInOrderWithoutAGapAndAtMostOnceAFrame()
    {
        FakeCluster cluster;
        EngineBridge bridge(cluster);
        constexpr int Count = 20'000;
        RunFeed* feed = bridge.follow("a", 0, &bridge);
        std::uint64_t last = 0;
        int batches = 0;
        connect(feed, &RunFeed::eventsArrived, this, [&](const std::vector<Event>& events) {
            QVERIFY(QThread::currentThread() == bridge.thread());
            for (const Event& event : events)
                QCOMPARE(event.runSequence, ++last);
            ++batches;
        });
        QElapsedTimer time;
        time.start();
        for (int i = 0; i < Count; ++i)
            cluster.publish("a", {i, i}, Notice{});
        QTRY_COMPARE(last, static_cast<std::uint64_t>(Count));
        // A timer of 16 ms may come a little early; the first batch waits for nothing.
        const qint64 most = time.elapsed() / 15 + 2;
        QVERIFY2(batches <= most, qPrintable(QStringLiteral("%1 > %2").arg(batches).arg(most)));
    }

    void holdsNoMoreThanAPartOfALongRun()
    {
        FakeCluster cluster;
        EngineBridge bridge(cluster);
        constexpr size_t Count = 3 * RunFeed::MostWaiting;
        cluster.publish("a",
                        std::vector<std::pair<Moment, EventBody>>(Count, {Moment{1, 1}, Notice{}}));
        cluster.settle();
        RunFeed* feed = bridge.follow("a", 0, &bridge);
        std::uint64_t last = 0;
        size_t most = 0;
        connect(feed, &RunFeed::eventsArrived, this, [&](const std::vector<Event>& events) {
            most = std::max(most, feed->waiting());
            for (const Event& event : events)
                QCOMPARE(event.runSequence, ++last);
        });
        cluster.settle();
        most = feed->waiting();
        QTRY_COMPARE(last, std::uint64_t{Count});
        QVERIFY2(most <= RunFeed::MostWaiting, qPrintable(QString::number(most)));
        // And it follows what comes.
        cluster.publish("a", {2, 2}, Notice{});
        QTRY_COMPARE(last, std::uint64_t{Count + 1});
    }

    void saysTheEndAfterTheLastEvent()
    {
        FakeCluster cluster;
        EngineBridge bridge(cluster);
        RunFeed* feed = bridge.follow("a", 0, &bridge);
        size_t seen = 0;
        connect(feed, &RunFeed::eventsArrived, this,
                [&](const std::vector<Event>& events) { seen += events.size(); });
        QSignalSpy ended(feed, &RunFeed::ended);
        std::vector<std::pair<Moment, EventBody>> many(5000, {Moment{1, 1}, Notice{}});
        cluster.publish("a", many);
        cluster.endRun("a");
        QTRY_COMPARE(ended.count(), 1);
        QCOMPARE(seen, many.size());
    }

    void deliversNothingAfterTheFeedIsGone()
    {
        FakeCluster cluster;
        EngineBridge bridge(cluster);
        auto* feed = bridge.follow("a", 0, &bridge);
        int calls = 0;
        connect(feed, &RunFeed::eventsArrived, this, [&] { ++calls; });
        cluster.publish("a", {1, 1}, Notice{});
        cluster.settle();
        delete feed;
        // What another feed has heard after it, this one would have heard.
        int others = 0;
        connect(bridge.follow("a", 0, &bridge), &RunFeed::eventsArrived, this, [&] { ++others; });
        cluster.publish("a", {1, 1}, Notice{});
        QTRY_VERIFY(others > 0);
        QCOMPARE(calls, 0);
    }

    void whatTheOperationsAmountToComesOnThisThread()
    {
        FakeCluster cluster;
        EngineBridge bridge(cluster);
        cluster.setOperations("a", {.attempt = 2, .operations = 40});
        QThread* thread = nullptr;
        OperationSummary summary;
        bridge.ask(&Cluster::readOperations, "a", std::nullopt)
            .then(this, [&](const Result<OperationSummary>& result) {
                summary = result.value();
                thread = QThread::currentThread();
            });
        QTRY_COMPARE(thread, QThread::currentThread());
        QCOMPARE(summary.attempt, 2);
        QCOMPARE(summary.operations, std::uint64_t{40});
    }

    void dropsAnAnswerWhoseAskerIsGone()
    {
        FakeCluster cluster;
        EngineBridge bridge(cluster);
        int answers = 0;
        auto asker = std::make_unique<QObject>();
        bridge.ask(&Cluster::send, "a", StopRun{}).then(asker.get(), [&](const Result<void>&) {
            ++answers;
        });
        asker.reset();
        bridge.ask(&Cluster::send, "a", StopRun{}).then(this, [&](const Result<void>&) {
            answers += 10;
        });
        QTRY_COMPARE(answers, 10);
        QCOMPARE(cluster.commands().size(), size_t{2});
    }

    void aRemovedRunIsNotListedThoughTheListIsLate()
    {
        LateList cluster;
        EngineBridge bridge(cluster);
        cluster.setRun(Scenario::summary("a", RunState::Succeeded, 4, 10));
        cluster.setRun(Scenario::summary("b", RunState::Succeeded, 4, 10));
        QTRY_COMPARE(bridge.runs().size(), size_t{2});
        QSignalSpy changed(&bridge, &EngineBridge::runsChanged);
        const auto answer = removed(bridge, "a");
        QVERIFY(answer && answer->has_value());
        QCOMPARE(cluster.runs().size(), size_t{2});
        QCOMPARE(changed.count(), 1);
        QCOMPARE(bridge.runs().size(), size_t{1});
        QVERIFY(bridge.find("a") == nullptr);
        // Its file is opened again once the list is up to date.
        cluster.FakeCluster::remove("a", [](const Result<void>&) {});
        cluster.setRun(Scenario::summary("c", RunState::Succeeded, 4, 10));
        QTRY_VERIFY(bridge.find("c") != nullptr);
        QVERIFY(bridge.find("a") == nullptr);
        cluster.setRun(Scenario::summary("a", RunState::Succeeded, 4, 10));
        QTRY_VERIFY(bridge.find("a") != nullptr);
    }

    /// No list that comes lacks it: it is removed and opened again between two of them.
    void aRemovedRunWhoseFileIsOpenedAtOnceIsListed()
    {
        LateList cluster;
        EngineBridge bridge(cluster);
        cluster.setRun(Scenario::summary("a", RunState::Succeeded, 4, 10));
        QTRY_VERIFY(bridge.find("a") != nullptr);
        bridge.hideRuns({"a"});
        const auto answer = removed(bridge, "a");
        QVERIFY(answer && answer->has_value());
        QVERIFY(bridge.isHidden("a"));
        std::string opened;
        bridge.openFile("/x/a.ringrun", this,
                        [&](const Result<std::string>& run) { opened = run.value_or(""); });
        QTRY_COMPARE(opened, std::string("a"));
        QVERIFY(!bridge.isHidden("a"));
        QVERIFY(bridge.find("a") != nullptr);
    }

    void aRunThatStaysIsListedAgain()
    {
        LateList cluster;
        EngineBridge bridge(cluster);
        cluster.setRun(Scenario::summary("a", RunState::Succeeded, 4, 10));
        QTRY_VERIFY(bridge.find("a") != nullptr);
        bridge.hideRuns({"a"});
        QVERIFY(bridge.find("a") == nullptr);
        // Whatever is told of others.
        cluster.setRun(Scenario::summary("b", RunState::Succeeded, 4, 10));
        QTRY_VERIFY(bridge.find("b") != nullptr);
        QVERIFY(bridge.find("a") == nullptr);
        bridge.showRuns({"a"});
        QVERIFY(bridge.find("a") != nullptr);
        bridge.hideRuns({"a"});
        cluster.removal = fail(code::RunStillRunning, {{"run", "a"}});
        const auto answer = removed(bridge, "a");
        QVERIFY(answer && !answer->has_value());
        QVERIFY(bridge.find("a") != nullptr);
    }

    void survivesACallbackAfterItsEnd()
    {
        FakeCluster cluster;
        {
            EngineBridge bridge(cluster);
            bridge.follow("a", 0, &bridge);
            bridge.ask(&Cluster::send, "a", StopRun{}).then(this, [](const Result<void>&) {});
            cluster.publish("a", {1, 1}, Notice{});
        }
        cluster.settle();
        QCoreApplication::processEvents();
        QCOMPARE(cluster.commands().size(), size_t{1});
    }
};

QTEST_GUILESS_MAIN(tst_engine_bridge)
#include "tst_engine_bridge.moc"
