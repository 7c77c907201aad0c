#include "engine/event/VerdictTraits.h"

#include <QtTest>

#include <set>

using namespace ringmaster;

/// The table of the kinds of verdicts.
class tst_verdict_traits : public QObject
{
    Q_OBJECT

private:
    using Kind = Verdict::Kind;
    using Subject = VerdictTraits::Subject;

    static std::vector<Kind> kinds()
    {
        return {Kind::Waiting, Kind::SlowWire, Kind::Straggler, Kind::Hang, Kind::Mismatch};
    }

private Q_SLOTS:
    void eachHasItsName()
    {
        std::set<std::string_view> names;
        for (const Kind kind : kinds())
            names.insert(traitsOf(kind).name);
        QCOMPARE(names.size(), kinds().size());
        QVERIFY(!names.contains(""));
    }

    void waitingIsNeutral()
    {
        for (const Kind kind : kinds())
            QCOMPARE(traitsOf(kind).severity == Notice::Severity::Info, kind == Kind::Waiting);
        QVERIFY(!traitsOf(Kind::Waiting).guilty);
    }

    /// Else a banner would be milder than what it tells.
    void noneOutweighsAWorseOne()
    {
        for (const Kind one : kinds()) {
            QVERIFY(!isWeightier(one, one));
            for (const Kind other : kinds()) {
                QVERIFY(one == other || isWeightier(one, other) != isWeightier(other, one));
                QVERIFY(!isWeightier(one, other) ||
                        traitsOf(one).severity >= traitsOf(other).severity);
            }
        }
        QVERIFY(isWeightier(Kind::Mismatch, Kind::Hang));
    }

    /// What stops a job is of waits or of calls; what only slows it isn't an error.
    void onlyPaceIsAWarning()
    {
        for (const Kind kind : kinds())
            QCOMPARE(traitsOf(kind).subject == Subject::Pace,
                     traitsOf(kind).severity == Notice::Severity::Warning);
    }
};

QTEST_GUILESS_MAIN(tst_verdict_traits)
#include "tst_verdict_traits.moc"
