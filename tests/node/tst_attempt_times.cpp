#include "engine/node/AttemptTimes.h"
#include "engine/node/Codes.h"
#include "engine/worker/Codes.h"
#include "tests/support/Nanoseconds.h"

#include <QtTest>

using namespace ringmaster;

namespace {

HookReport report(int rank, const std::string& import, const std::string& init)
{
    return {.part = "times",
            .kind = "times",
            .rank = rank,
            .facts = {{"import_ns", import}, {"init_ns", init}}};
}

/// An attempt whose rendezvous begins at `begin` and whose two workers run a second later.
void startAttempt(AttemptTimes& times, int attempt, std::int64_t begin)
{
    times.seen(RendezvousStep{.step = RendezvousStep::Step::Joining}, {begin, 0});
    times.seen(RendezvousStep{.step = RendezvousStep::Step::Completed}, {begin + Second / 2, 0});
    times.seen(AttemptStarted{.attempt = attempt}, {begin + Second / 2, 0});
    for (const int rank : {0, 1})
        times.seen(WorkerStateChanged{.attempt = attempt,
                                      .globalRank = rank,
                                      .state = WorkerState::Healthy},
                   {begin + Second, 0});
}

} // namespace

/// Where the time to the first collective went.
class tst_attempt_times : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void waitsForAllRanksAndTellsOnce()
    {
        FirstCollectives firsts;
        firsts.begin(3, 2);
        firsts.ended(0, 5 * Second);
        firsts.reported(report(0, "1", "2"));
        QVERIFY(!firsts.take());
        firsts.ended(1, 6 * Second);
        firsts.ended(1, 9 * Second); // a later one
        QVERIFY(!firsts.take());
        firsts.reported(report(1, "3", "4"));
        const auto all = firsts.take();
        QVERIFY(all.has_value());
        QCOMPARE(all->attempt, 3);
        QCOMPARE(all->ranks.size(), size_t{2});
        QCOMPARE(all->ranks.back().endedNs, 6 * Second);
        QCOMPARE(all->ranks.back().importNs, 3);
        QVERIFY(!firsts.take());
    }

    void believesNoReport()
    {
        FirstCollectives firsts;
        firsts.begin(0, 1);
        firsts.ended(0, Second);
        firsts.reported(report(-1, "1", "2"));
        firsts.reported({.part = "ledger", .kind = "times", .rank = 0});
        QVERIFY(!firsts.take());
        firsts.reported(report(0, "much", ""));
        const auto all = firsts.take();
        QVERIFY(all.has_value());
        QCOMPARE(all->ranks.front().importNs, 0);
    }

    void countsTheFirstAttemptFromTheLaunch()
    {
        AttemptTimes times;
        times.seen(RunStarted{}, {1 * Second, 0});
        startAttempt(times, 0, 2 * Second);
        const auto told = times.firstCollectiveDone(
            {0,
             {{.globalRank = 0, .endedNs = 4 * Second, .initNs = 0},
              {.globalRank = 1, .endedNs = 8 * Second, .importNs = 3 * Second, .initNs = Second}}});
        QVERIFY(told.has_value());
        QCOMPARE(told->atNs, 8 * Second);
        QCOMPARE(codeName(told->notice.message.code), codeName(code::FirstCollective));
        QCOMPARE(told->notice.message.parameters, (Parameters{{"attempt", "0"},
                                                              {"rank", "1"},
                                                              {"seconds", "7.000"},
                                                              {"stop", "1.000"},
                                                              {"rendezvous", "0.500"},
                                                              {"start", "0.500"},
                                                              {"import", "3.000"},
                                                              {"init", "1.000"},
                                                              {"user", "1.000"}}));
    }

    void countsTheNextAttemptFromTheFailure()
    {
        AttemptTimes times;
        failOnce(times);
        startAttempt(times, 1, 12 * Second);
        const auto told = times.firstCollectiveDone(
            {1, {{.globalRank = 0, .endedNs = 14 * Second, .initNs = Second / 4}}});
        QVERIFY(told.has_value());
        QCOMPARE(codeName(told->notice.message.code), codeName(code::FirstCollectiveAgain));
        QCOMPARE(told->notice.message.parameters.at("seconds"), std::string("4.000"));
        QCOMPARE(told->notice.message.parameters.at("stop"), std::string("2.000"));
        QCOMPARE(told->notice.message.parameters.at("user"), std::string("0.750"));
    }

    void tellsOfAShortAttemptWhenTheNextHasBegun()
    {
        AttemptTimes times;
        failOnce(times);
        startAttempt(times, 1, 12 * Second);
        const auto told =
            times.firstCollectiveDone({0, {{.globalRank = 1, .endedNs = 9 * Second, .initNs = 0}}});
        QVERIFY(told.has_value());
        QCOMPARE(codeName(told->notice.message.code), codeName(code::FirstCollective));
        QCOMPARE(told->notice.message.parameters.at("seconds"), std::string("8.000"));
    }

    void whatANewStarterImportsIsImporting_data()
    {
        QTest::addColumn<QString>("seconds");
        QTest::addColumn<QString>("start");
        QTest::addColumn<QString>("import");
        QTest::newRow("a part of the start") << "0.2"
                                             << "0.300"
                                             << "0.200";
        QTest::newRow("more than the start") << "30.0"
                                             << "0.000"
                                             << "0.500";
        QTest::newRow("not a number") << "nan"
                                      << "0.500"
                                      << "0.000";
    }

    void whatANewStarterImportsIsImporting()
    {
        QFETCH(QString, seconds);
        QFETCH(QString, start);
        QFETCH(QString, import);
        AttemptTimes times;
        times.seen(RunStarted{}, {1 * Second, 0});
        startAttempt(times, 0, 2 * Second);
        times.seen(Notice{.message = {code::WarmStartFirst, {{"seconds", seconds.toStdString()}}}},
                   {3 * Second, 0});
        const auto told =
            times.firstCollectiveDone({0, {{.globalRank = 0, .endedNs = 4 * Second, .initNs = 0}}});
        QVERIFY(told.has_value());
        QCOMPARE(told->notice.message.parameters.at("start"), start.toStdString());
        QCOMPARE(told->notice.message.parameters.at("import"), import.toStdString());
    }

    /// The agent heard of the start at 3 s, and the worker was through at 2.9 s.
    void aStartThatWasHeardOfLateWasEarlier()
    {
        AttemptTimes times;
        times.seen(RunStarted{}, {1 * Second, 0});
        startAttempt(times, 0, 2 * Second);
        const std::int64_t tenth = Second / 10;
        const auto told = times.firstCollectiveDone(
            {0, {{.globalRank = 0, .endedNs = 29 * tenth, .importNs = tenth, .initNs = tenth}}});
        QVERIFY(told.has_value());
        QCOMPARE(told->notice.message.parameters.at("start"), std::string("0.200"));
        QCOMPARE(told->notice.message.parameters.at("user"), std::string("0.000"));
    }

    void saysNothingThatDoesntFit()
    {
        AttemptTimes times;
        times.seen(RunStarted{}, {1 * Second, 0});
        const FirstCollective usual{.globalRank = 0, .endedNs = 4 * Second, .initNs = 0};
        QVERIFY(!times.firstCollectiveDone({}));
        QVERIFY(!times.firstCollectiveDone({0, {usual}}));
        startAttempt(times, 0, 2 * Second);
        QVERIFY(times.firstCollectiveDone({0, {usual}}));
        QVERIFY(!times.firstCollectiveDone({1, {usual}}));
        // Of an earlier attempt: before these workers ran.
        QVERIFY(!times.firstCollectiveDone(
            {0, {{.globalRank = 0, .endedNs = 2 * Second, .initNs = 0}}}));
        // A worker may report what it likes.
        for (const std::int64_t import : {100 * Second, -100 * Second})
            QVERIFY(!times.firstCollectiveDone(
                {0, {{.globalRank = 0, .endedNs = 4 * Second, .importNs = import, .initNs = 0}}}));
    }

private:
    /// An attempt 0 that began at 2 s and failed at 10 s.
    static void failOnce(AttemptTimes& times)
    {
        times.seen(RunStarted{}, {1 * Second, 0});
        startAttempt(times, 0, 2 * Second);
        for (const int rank : {1, 0})
            times.seen(WorkerStateChanged{.globalRank = rank, .state = WorkerState::Failed},
                       {(11 - rank) * Second, 0});
    }
};

QTEST_GUILESS_MAIN(tst_attempt_times)
#include "tst_attempt_times.moc"
