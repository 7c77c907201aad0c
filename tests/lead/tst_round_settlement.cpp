#include "engine/lead/Codes.h"
#include "engine/lead/RoundSettlement.h"
#include "tests/support/Nanoseconds.h"

#include <QtTest>

using namespace ringmaster;

namespace {

const Message Why{code::HostWorkersFailed, {{"host", "b"}}, {}};
const Message Lost{code::HostCannotBegin, {}, {}};

using Kind = RoundSettlement::Outcome::Kind;

/// A job on three hosts, and what it answers.
struct SettlementTrial : RoundSettlement::Host
{
    explicit SettlementTrial(int maxRestarts, int leaveHostOutAfter = 0, int minNodes = 2)
        : failures(leaveHostOutAfter)
        , settlement({.maxRestarts = maxRestarts, .minNodes = minNodes}, failures, members, *this)
    {
        for (const std::string host : {"a", "b", "c"})
            members.expect(host + ".0", host);
        settlement.roundBegan();
    }

    bool askPlaces() override { return asksPlaces; }
    std::optional<FirstCause> firstCause(int attempt) override
    {
        return FirstCause{.attempt = attempt, .sure = true, .cause = Why};
    }
    std::optional<Message> refusesRestart(int) override { return refusal; }
    std::string guiltyHost(int) override { return guilty; }
    void hostFailed(const Notice& what) override { told.push_back(what.message.code); }

    RoundSettlement::Outcome failed(int attempt = 0)
    {
        settlement.failed();
        settlement.brokenUp(Why);
        return settlement.settle(attempt, 100 * Second);
    }

    bool asksPlaces = false;
    std::optional<Message> refusal;
    std::string guilty;
    std::vector<Code> told;
    JobMembers members;
    HostFailures failures;
    RoundSettlement settlement;
};

} // namespace

class tst_round_settlement : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aFailureCostsARestartUntilNoneIsLeft()
    {
        SettlementTrial trial(1);
        const auto first = trial.failed();
        QVERIFY(first.kind == Kind::GoesOn);
        QCOMPARE(first.restart->budgetBefore, 1);
        QCOMPARE(first.restart->budgetAfter, 0);
        const auto second = trial.failed(1);
        QVERIFY(second.kind == Kind::Over && second.why == Why);
        QCOMPARE(trial.settlement.restartsUsed(), 1);
    }

    void whatWasBrokenUpWithoutAFailureCostsNothing()
    {
        SettlementTrial trial(1);
        QVERIFY(!trial.settlement.settle(0, Second).restart);
        trial.settlement.brokenUp(Lost);
        const auto free = trial.settlement.settle(0, Second);
        QVERIFY(free.kind == Kind::GoesOn && free.restart->cause == Lost);
        QCOMPARE(free.restart->budgetAfter, 1);
        QVERIFY(!trial.settlement.settle(0, Second).restart); // once
    }

    void aFailureIsExcusedByWhatWasBehindIt()
    {
        SettlementTrial trial(0);
        trial.settlement.failed();
        trial.settlement.brokenUp(Why);
        trial.settlement.excuse(Lost);
        const auto free = trial.settlement.settle(0, Second);
        QVERIFY(free.kind == Kind::GoesOn && free.restart->cause == Lost);
    }

    void waitsForWhoeverGivesThePlaces()
    {
        SettlementTrial trial(1);
        trial.asksPlaces = true;
        QVERIFY(trial.failed().kind == Kind::Unknown);
        QVERIFY(trial.settlement.settle(0, Second).kind == Kind::Unknown);
        QVERIFY(trial.settlement.placesKnown());
        QVERIFY(!trial.settlement.placesKnown());
        QVERIFY(trial.settlement.settle(0, Second).restart);
    }

    void aRuleOfTheJobEndsIt()
    {
        SettlementTrial trial(3);
        trial.refusal = Message{code::HostFailedTooOften, {}, {}};
        QVERIFY(trial.failed().kind == Kind::Over);
        QCOMPARE(trial.settlement.restartsUsed(), 0);
    }

    void aHostOnWhichFailuresBeginIsLeftOut_data()
    {
        QTest::addColumn<int>("minNodes");
        QTest::addColumn<bool>("goesOn");
        QTest::newRow("the others are enough") << 2 << true;
        QTest::newRow("they aren't") << 3 << false;
    }
    void aHostOnWhichFailuresBeginIsLeftOut()
    {
        QFETCH(int, minNodes);
        QFETCH(bool, goesOn);
        SettlementTrial trial(5, 2, minNodes);
        trial.guilty = "b";
        QVERIFY(trial.failed(0).leftOut == nullptr);
        const auto second = trial.failed(1);
        QCOMPARE(trial.told,
                 (std::vector<Code>{code::HostFailuresCounted, code::HostFailedTooOften}));
        QVERIFY(trial.members.named("b")->isLeftOut);
        if (goesOn) {
            QCOMPARE(second.leftOut->name(), std::string("b"));
            QCOMPARE(second.restart->budgetAfter, 3);
        } else {
            QVERIFY(second.kind == Kind::Over && !second.restart);
            QVERIFY(second.why.code == code::NeededHostFailedTooOften);
        }
    }

    void theLossOfAllPlacesIsChargedOnce()
    {
        SettlementTrial trial(2);
        const auto first = trial.settlement.displaced(0, Lost, false, Second);
        QCOMPARE(first->restart->budgetAfter, 1);
        // No round has begun since.
        QVERIFY(!trial.settlement.displaced(0, Lost, false, Second));
        // Its workers were seen to end before the places.
        trial.settlement.roundBegan();
        QCOMPARE(trial.failed(1).restart->budgetAfter, 0);
        trial.settlement.roundBegan();
        const auto known = trial.settlement.displaced(1, Lost, false, 101 * Second);
        QVERIFY(known && known->kind == Kind::GoesOn && !known->restart);
        trial.settlement.roundBegan();
        QVERIFY(trial.settlement.displaced(2, Lost, true, 200 * Second)->kind == Kind::GoesOn);
        trial.settlement.roundBegan();
        QVERIFY(trial.settlement.displaced(2, Lost, false, 300 * Second)->kind == Kind::Over);
    }

    void goesOnFromWhereAnotherLeadHadCome()
    {
        SettlementTrial trial(3);
        trial.settlement.resume(2, false, Lost);
        QCOMPARE(trial.settlement.restartsUsed(), 2);
        QVERIFY(trial.settlement.settle(4, Second).restart->cause == Lost);
        QVERIFY(trial.failed(5).kind == Kind::GoesOn);
        QVERIFY(trial.failed(6).kind == Kind::Over);
    }
};

QTEST_GUILESS_MAIN(tst_round_settlement)
#include "tst_round_settlement.moc"
