#include "Scenario.h"
#include "engine/diagnose/Codes.h"
#include "engine/diagnose/Diagnosis.h"
#include "engine/text/RankList.h"

#include <QtTest>

using namespace ringmaster;
using namespace ringmaster::diagnose;
using ledger::OperationKind;

namespace {

const Scenario::Call Largest{.reduction = ledger::Reduction::Max};

/// "code guilty", without those who only wait; with "over: " what is withdrawn.
QStringList linesOf(const std::vector<Verdict>& told)
{
    QStringList lines;
    for (const Verdict& verdict : told)
        lines += QString::fromStdString((verdict.isStanding ? "" : "over: ") +
                                        std::string(codeName(verdict.statement.code)) + " " +
                                        rankList(verdict.guilty))
                     .remove(',');
    return lines;
}

Scenario::Call pairCall(OperationKind kind, int peer)
{
    return {.kind = kind,
            .reduction = ledger::Reduction::None,
            .peer = peer,
            .caller = ledger::Caller::GoesOn};
}

} // namespace

/// One attempt from its first look to its last.
class tst_diagnosis : public QObject
{
    Q_OBJECT

    static Diagnosis begun(int worldSize = 3)
    {
        Diagnosis diagnosis;
        diagnosis.begin(0, worldSize);
        return diagnosis;
    }

private Q_SLOTS:
    /// Its stack is read and it is signalled before it is ended: it isn't idle any more.
    void aProvedHangStaysOneWhenItsRankWakesUpToBeEnded_data()
    {
        QTest::addColumn<bool>("isStopped");
        QTest::addColumn<QString>("line");
        QTest::newRow("does nothing") << false << "HangIdle 2";
        QTest::newRow("stopped") << true << "HangStopped 2";
    }
    void aProvedHangStaysOneWhenItsRankWakesUpToBeEnded()
    {
        QFETCH(bool, isStopped);
        QFETCH(QString, line);
        Scenario scenario(3);
        scenario.together(0, Scenario::Sum);
        for (const int rank : {0, 1})
            (void)scenario.enter(rank, 1, Scenario::Sum);
        scenario.process(2).idleNs = 20 * Scenario::Second;
        scenario.process(2).frozenNs = 20 * Scenario::Second;
        if (isStopped)
            scenario.process(2).state = ProcessView::State::Stopped;
        Diagnosis diagnosis = begun();
        QCOMPARE(linesOf(diagnosis.look(scenario.views(), Scenario::at(20))), QStringList(line));
        scenario.process(2).state = ProcessView::State::Alive;
        scenario.process(2).idleNs = scenario.process(2).frozenNs = 0;
        const auto told = diagnosis.stop(scenario.views(), Scenario::at(22));
        QCOMPARE(linesOf(told), QStringList(line));
        if (!isStopped)
            QCOMPARE(told[0].statement.parameters.at("seconds"), std::string("21.0"));
    }

    void whatACircleExplainsIsNotToldBesideItAtTheEnd()
    {
        Scenario scenario(2);
        scenario.group(1, "a", {0, 1});
        scenario.group(2, "b", {0, 1});
        (void)scenario.enter(0, 1, Scenario::Sum, 1);
        (void)scenario.enter(1, 1, Scenario::Sum, 2);
        Diagnosis diagnosis = begun(2);
        QCOMPARE(linesOf(diagnosis.look(scenario.views(), Scenario::at(10))),
                 QStringList("HangCycle 0 1"));
        for (const int rank : {0, 1})
            scenario.process(rank).idleNs = 0;
        QCOMPARE(linesOf(diagnosis.stop(scenario.views(), Scenario::at(12))),
                 QStringList("HangCycle 0 1"));
    }

    /// The first two to come disagree; the third says who of them deviates.
    void nobodyIsAccusedBeforeTheOthersHaveCome()
    {
        Scenario scenario(3);
        (void)scenario.enter(1, 1, Scenario::Sum);
        (void)scenario.enter(2, 1, Largest);
        Diagnosis diagnosis = begun();
        QCOMPARE(linesOf(diagnosis.look(scenario.views(), Scenario::at(1))), QStringList());
        (void)scenario.enter(0, 1.5, Scenario::Sum);
        QCOMPARE(linesOf(diagnosis.look(scenario.views(), Scenario::at(1.5))),
                 QStringList("MismatchRanks 2"));
    }

    void whoComesLaterDecidesAfterAll()
    {
        Scenario scenario(3);
        (void)scenario.enter(1, 1, Scenario::Sum);
        (void)scenario.enter(2, 1, Largest);
        Diagnosis diagnosis = begun();
        (void)diagnosis.look(scenario.views(), Scenario::at(1));
        QCOMPARE(linesOf(diagnosis.look(scenario.views(), Scenario::at(5))), QStringList());
        QCOMPARE(linesOf(diagnosis.look(scenario.views(), Scenario::at(7))),
                 QStringList("MismatchRanks 1 2"));
        (void)scenario.enter(0, 8, Scenario::Sum);
        QCOMPARE(linesOf(diagnosis.look(scenario.views(), Scenario::at(8))),
                 QStringList("MismatchRanks 2"));
    }

    void anEndWaitsForNobodyElse()
    {
        Scenario scenario(3);
        (void)scenario.enter(1, 1, Scenario::Sum);
        (void)scenario.enter(2, 1, Largest);
        QCOMPARE(linesOf(begun().end(scenario.views(), Scenario::at(1))),
                 QStringList("MismatchRanks 1 2"));
    }

    void aGatherThatFailsWhereSizesDifferIsAMismatch_data()
    {
        QTest::addColumn<bool>("hasFailed");
        QTest::newRow("failed") << true;
        QTest::newRow("allowed") << false;
    }
    void aGatherThatFailsWhereSizesDifferIsAMismatch()
    {
        QFETCH(bool, hasFailed);
        Scenario scenario(3);
        std::vector<std::uint64_t> called;
        for (const int rank : {0, 1, 2})
            called.push_back(scenario.enter(rank, 1,
                                            {.kind = OperationKind::AllGather,
                                             .elements = rank == 2 ? 7U : 16U,
                                             .reduction = ledger::Reduction::None}));
        if (hasFailed)
            scenario.fail(0, 1.1, called[0]);
        else
            scenario.leave(0, 1.1, called[0]);
        QCOMPARE(linesOf(begun().end(scenario.views(), Scenario::at(2))),
                 hasFailed ? QStringList("MismatchRanks 2") : QStringList());
    }

    void aGroupForMoreRanksThanThereAreIsNamed_data()
    {
        QTest::addColumn<int>("worldSize");
        QTest::addColumn<QStringList>("said");
        QTest::newRow("three of four") << 3 << QStringList("InitForMore 0-2");
        QTest::newRow("the fourth is on another host") << 4 << QStringList();
        QTest::newRow("unknown") << 0 << QStringList();
    }
    void aGroupForMoreRanksThanThereAreIsNamed()
    {
        QFETCH(int, worldSize);
        QFETCH(QStringList, said);
        Scenario scenario(3);
        for (const int rank : {0, 1, 2})
            (void)scenario.makes(rank, 1, 1, {0, 1, 2, 3}, OperationKind::InitProcessGroup);
        Diagnosis diagnosis = begun(worldSize);
        QCOMPARE(linesOf(diagnosis.look(scenario.views(), Scenario::at(8))), QStringList());
        const auto told = diagnosis.look(scenario.views(), Scenario::at(12));
        QCOMPARE(linesOf(told), said);
        if (!said.isEmpty())
            QCOMPARE(describe(told[0].statement),
                     std::string("Ranks 0-2 have waited 11.0 s in init_process_group for 4 ranks, "
                                 "but the run has only 3."));
    }

    /// Rank 0 is in the longer one only.
    void ofTwoCirclesTheShorterIsTold()
    {
        Scenario scenario(3);
        scenario.group(1, "a", {0, 2});
        scenario.group(2, "b", {1, 2});
        (void)scenario.enter(0, 1, Scenario::Sum, 1);
        (void)scenario.enter(2, 1, Scenario::Sum, 2);
        (void)scenario.enter(1, 1, Scenario::Sum);
        QCOMPARE(linesOf(begun().look(scenario.views(), Scenario::at(10))),
                 QStringList("HangCycle 1 2"));
    }

    /// Rank 0 waits for both others, which wait for it; that rank 1 does is seen later.
    void aCircleIsToldAsLongAsItHolds()
    {
        Scenario scenario(3);
        scenario.group(1, "a", {0, 1});
        scenario.group(2, "b", {0, 2});
        (void)scenario.enter(0, 1, Scenario::Sum);
        (void)scenario.enter(1, 1, Scenario::Sum, 1);
        (void)scenario.enter(2, 1, Scenario::Sum, 2);
        scenario.process(1).idleNs = 0;
        Diagnosis diagnosis = begun();
        QCOMPARE(linesOf(diagnosis.look(scenario.views(), Scenario::at(10))),
                 QStringList("HangCycle 0 2"));
        scenario.process(1).idleNs = 10 * Scenario::Second;
        QCOMPARE(linesOf(diagnosis.look(scenario.views(), Scenario::at(11))), QStringList());
        Diagnosis stopped = diagnosis;
        QCOMPARE(linesOf(stopped.stop(scenario.views(), Scenario::at(11.5))),
                 QStringList("HangCycle 0 2"));
        scenario.process(2).idleNs = 0;
        QCOMPARE(linesOf(diagnosis.look(scenario.views(), Scenario::at(12))),
                 QStringList({"HangCycle 0 1", "over: VerdictOver 0 2"}));
    }

    /// A batch's sends are under way, too: they have been received, and hold nobody up.
    void aRankOfABatchIsInACircleByTheOneThatMissesSomebody()
    {
        Scenario scenario(2);
        scenario.together(0, Scenario::Sum);
        (void)scenario.enter(0, 1, pairCall(OperationKind::Send, 1));
        (void)scenario.enter(0, 1, pairCall(OperationKind::Receive, 1));
        scenario.leave(1, 1.1, scenario.enter(1, 1, pairCall(OperationKind::Receive, 0)));
        (void)scenario.enter(1, 1.2, {.kind = OperationKind::Barrier, .elements = 0});
        scenario.stands(0, "exchange", "/home/me/train.py", "work.wait()");
        QCOMPARE(linesOf(begun(2).look(scenario.views(), Scenario::at(10))),
                 QStringList("HangCycle 0 1"));
    }
};

QTEST_GUILESS_MAIN(tst_diagnosis)
#include "tst_diagnosis.moc"
