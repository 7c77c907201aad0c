#include "engine/node/AttemptTimes.h"
#include "engine/node/Codes.h"

#include <QtTest>

using namespace ringmaster;

namespace {

constexpr std::int64_t Second = 1'000'000'000;

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
        times.seen(WorkerStateChanged{.globalRank = rank, .state = WorkerState::Healthy},
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
        firsts.begin(2);
        firsts.ended(0, 5 * Second);
        firsts.reported(report(0, "1", "2"));
        QVERIFY(!firsts.take());
        firsts.ended(1, 6 * Second);
        firsts.ended(1, 9 * Second); // a later one
        QVERIFY(!firsts.take());
        firsts.reported(report(1, "3", "4"));
        const auto all = firsts.take();
        QVERIFY(all.has_value());
        QCOMPARE(all->size(), size_t{2});
        QCOMPARE(all->back().endedNs, 6 * Second);
        QCOMPARE(all->back().importNs, 3);
        QVERIFY(!firsts.take());
    }

    void believesNoReport()
    {
        FirstCollectives firsts;
        firsts.begin(1);
        firsts.ended(0, Second);
        firsts.reported(report(-1, "1", "2"));
        firsts.reported({.part = "ledger", .kind = "times", .rank = 0});
        QVERIFY(!firsts.take());
        firsts.reported(report(0, "much", ""));
        const auto all = firsts.take();
        QVERIFY(all.has_value());
        QCOMPARE(all->front().importNs, 0);
    }

    void countsTheFirstAttemptFromTheLaunch()
    {
        AttemptTimes times;
        times.seen(RunStarted{}, {1 * Second, 0});
        startAttempt(times, 0, 2 * Second);
        const auto notice = times.met(
            {{.globalRank = 0, .endedNs = 4 * Second, .initNs = 0},
             {.globalRank = 1, .endedNs = 8 * Second, .importNs = 3 * Second, .initNs = Second}});
        QVERIFY(notice.has_value());
        QCOMPARE(codeName(notice->message.code), codeName(code::FirstCollective));
        QCOMPARE(notice->message.parameters, (Parameters{{"attempt", "0"},
                                                         {"rank", "1"},
                                                         {"seconds", "7.00"},
                                                         {"stop", "1.00"},
                                                         {"rendezvous", "0.50"},
                                                         {"start", "0.50"},
                                                         {"import", "3.00"},
                                                         {"init", "1.00"},
                                                         {"user", "1.00"}}));
    }

    void countsTheNextAttemptFromTheFailure()
    {
        AttemptTimes times;
        times.seen(RunStarted{}, {1 * Second, 0});
        startAttempt(times, 0, 2 * Second);
        times.seen(WorkerStateChanged{.globalRank = 1, .state = WorkerState::Failed},
                   {10 * Second, 0});
        times.seen(WorkerStateChanged{.globalRank = 0, .state = WorkerState::Failed},
                   {11 * Second, 0});
        startAttempt(times, 1, 12 * Second);
        const auto notice =
            times.met({{.globalRank = 0, .endedNs = 14 * Second, .initNs = Second / 4}});
        QVERIFY(notice.has_value());
        QCOMPARE(codeName(notice->message.code), codeName(code::FirstCollectiveAgain));
        QCOMPARE(notice->message.parameters.at("seconds"), std::string("4.00"));
        QCOMPARE(notice->message.parameters.at("stop"), std::string("2.00"));
        QCOMPARE(notice->message.parameters.at("user"), std::string("0.75"));
    }

    void saysNothingThatDoesntFit()
    {
        AttemptTimes times;
        times.seen(RunStarted{}, {1 * Second, 0});
        QVERIFY(!times.met({}));
        QVERIFY(!times.met({{.globalRank = 0, .endedNs = 4 * Second, .initNs = 0}}));
        startAttempt(times, 0, 2 * Second);
        // Of an earlier attempt: before these workers ran.
        QVERIFY(!times.met({{.globalRank = 0, .endedNs = 2 * Second, .initNs = 0}}));
        // A worker may report what it likes.
        QVERIFY(!times.met(
            {{.globalRank = 0, .endedNs = 4 * Second, .importNs = 100 * Second, .initNs = 0}}));
    }
};

QTEST_GUILESS_MAIN(tst_attempt_times)
#include "tst_attempt_times.moc"
