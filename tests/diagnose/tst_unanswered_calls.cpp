#include "Scenario.h"
#include "engine/diagnose/Diagnosis.h"
#include "engine/text/RankList.h"

#include <QtTest>

using namespace ringmaster;
using namespace ringmaster::diagnose;
using ledger::OperationKind;

namespace {

/// Three ranks have been through one operation; the first two call the next.
class Attempt
{
public:
    Attempt() { m_scenario.together(0, Scenario::Sum); }

    Scenario& ranks() { return m_scenario; }
    void bothCall()
    {
        for (const int rank : {0, 1})
            callsOf(rank);
    }
    void callsOf(int rank) { m_called.push_back(m_scenario.enter(rank, 1, Scenario::Sum)); }
    void failsOf(int rank, double second)
    {
        m_scenario.fail(rank, second, m_called.at(static_cast<size_t>(rank)));
    }
    void ends(int rank, bool hasSucceeded, bool hasLostPeer = false)
    {
        m_scenario.process(rank) = {.state = ProcessView::State::Dead,
                                    .hasSucceeded = hasSucceeded,
                                    .hasLostPeer = hasLostPeer};
    }

    /// What is said when it fails: "code guilty", with a ? where that isn't sure.
    QStringList said()
    {
        Diagnosis diagnosis;
        diagnosis.begin(0, 3);
        return said(diagnosis.end(m_scenario.views(), Scenario::at(4)));
    }
    QStringList said(const std::vector<Verdict>& verdicts)
    {
        QStringList lines;
        for (const Verdict& verdict : verdicts) {
            m_text = QString::fromStdString(describe(verdict.statement));
            lines +=
                QString::fromStdString(std::string(codeName(verdict.statement.code)) +
                                       (verdict.isSure ? " " : "? ") + rankList(verdict.guilty));
        }
        return lines;
    }
    QString text() const { return m_text; }

private:
    Scenario m_scenario{3};
    std::vector<std::uint64_t> m_called;
    QString m_text;
};

} // namespace

/// An operation that came back with an error, since somebody never called it.
class tst_unanswered_calls : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void whoEndedWithoutItIsNamed()
    {
        Attempt attempt;
        attempt.bothCall();
        attempt.failsOf(0, 1.1);
        attempt.ends(2, true);
        QCOMPARE(attempt.said(), QStringList("RanksLeftBefore 2"));
        QCOMPARE(attempt.text(), QString("Rank 2 ended without all_reduce #2 of group default, "
                                         "which ranks 0 and 1 called; it failed there."));
    }

    /// Rank 1 had no turn between two operations.
    void whoIsOnlySlowIsNotNamedBesideWhoLeft()
    {
        Attempt attempt;
        attempt.callsOf(0);
        attempt.failsOf(0, 1.1);
        attempt.ends(2, true);
        QCOMPARE(attempt.said(), QStringList("RanksLeftBefore 2"));
    }

    void whoRunsOnWithoutItIsNamedAndThatIsNotSure()
    {
        Attempt attempt;
        attempt.bothCall();
        for (const int rank : {0, 1})
            attempt.failsOf(rank, 1.1);
        QCOMPARE(attempt.said(), QStringList("WaitFailed? 2"));
        QCOMPARE(attempt.text(),
                 QString("Ranks 0 and 1 waited 0.1 s in all_reduce #2 (float32, 1000 elements, "
                         "group default) for rank 2, and it ended with an error."));
    }

    void whoeverCrashedIsTheCauseAlready()
    {
        Attempt attempt;
        attempt.bothCall();
        attempt.failsOf(0, 1.1);
        attempt.ends(2, false);
        QCOMPARE(attempt.said(), QStringList());
    }

    /// All exits come to the agent at once, and the first of them is judged before the others are
    /// told.
    void whoIsGoneWithoutAWordIsNoCrash()
    {
        Attempt attempt;
        attempt.bothCall();
        for (const int rank : {0, 1})
            attempt.failsOf(rank, 1.1);
        attempt.ranks().process(2) = {.state = ProcessView::State::Dead, .isEndUnknown = true};
        QCOMPARE(attempt.said(), QStringList("WaitFailed? 2"));
    }

    void oneRanksOwnErrorAccusesNobody()
    {
        Attempt attempt;
        attempt.bothCall();
        attempt.failsOf(0, 1.1);
        QCOMPARE(attempt.said(), QStringList());
    }

    /// The other one has closed its connections, and is still on its way to its end.
    void anErrorThatSpeaksOfAnotherRankIsntItsOwn()
    {
        Attempt attempt;
        attempt.bothCall();
        attempt.failsOf(0, 1.1);
        attempt.ends(0, false, true);
        QCOMPARE(attempt.said(), QStringList("WaitFailed? 2"));
    }

    void oneRankThatWaitedForLongWasLeftAlone()
    {
        Attempt attempt;
        attempt.bothCall();
        attempt.failsOf(0, 3.5);
        QCOMPARE(attempt.said(), QStringList("WaitFailed? 2"));
    }

    /// nccl's timeout: the wait is aborted, and the rank comes as far as its next call before it
    /// ends.
    void aCallAfterAWaitThatIsKnownMissesNobodyAnew()
    {
        Attempt attempt;
        attempt.bothCall();
        Scenario& ranks = attempt.ranks();
        Diagnosis diagnosis;
        diagnosis.begin(0, 3);
        std::vector<Verdict> known;
        for (const int second : {4, 8, 12})
            std::ranges::move(diagnosis.look(ranks.views(), Scenario::at(second)),
                              std::back_inserter(known));
        QCOMPARE(known.size(), size_t(1));
        QCOMPARE(known.front().guilty, std::vector{2});
        ranks.fail(0, 12.4, ranks.enter(0, 12, Scenario::Sum));
        attempt.ends(0, false, true);
        const QStringList said = attempt.said(diagnosis.end(ranks.views(), Scenario::at(13)));
        QVERIFY2(said.filter("WaitFailed").isEmpty(), qPrintable(said.join(" · ")));
    }

    void whatAllCalledMissesNobody()
    {
        Attempt attempt;
        attempt.bothCall();
        (void)attempt.ranks().enter(2, 1, Scenario::Sum);
        for (const int rank : {0, 1})
            attempt.failsOf(rank, 1.1);
        QCOMPARE(attempt.said(), QStringList());
    }
};

QTEST_GUILESS_MAIN(tst_unanswered_calls)
#include "tst_unanswered_calls.moc"
