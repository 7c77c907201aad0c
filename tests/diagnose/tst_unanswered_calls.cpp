#include "Scenario.h"
#include "engine/diagnose/Diagnosis.h"
#include "engine/text/RankList.h"

#include <QtTest>

using namespace ringmaster;
using namespace ringmaster::diagnose;
using ledger::OperationKind;

namespace {

const Scenario::Call Sum{};

/// Three ranks have been through one operation; the first two call the next.
class Attempt
{
public:
    Attempt() { m_scenario.together(0, Sum); }

    Scenario& ranks() { return m_scenario; }
    void bothCall()
    {
        for (const int rank : {0, 1})
            m_called.push_back(m_scenario.enter(rank, 1, Sum));
    }
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
        QStringList lines;
        for (const Verdict& verdict : diagnosis.end(m_scenario.views(), Scenario::at(4))) {
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

    void whatAllCalledMissesNobody()
    {
        Attempt attempt;
        attempt.bothCall();
        (void)attempt.ranks().enter(2, 1, Sum);
        for (const int rank : {0, 1})
            attempt.failsOf(rank, 1.1);
        QCOMPARE(attempt.said(), QStringList());
    }
};

QTEST_GUILESS_MAIN(tst_unanswered_calls)
#include "tst_unanswered_calls.moc"
