#include "engine/agent/Codes.h"
#include "engine/agent/StopRules.h"
#include "engine/event/VerdictTraits.h"
#include "engine/text/Duration.h"
#include "tests/support/Nanoseconds.h"

#include <QtTest>

using namespace ringmaster;
using namespace std::chrono_literals;

namespace {

using Kind = Verdict::Kind;

StopRules hangOf10s()
{
    JobSpec spec;
    spec.stopOn = {{"hang", "10s"}};
    return StopRules(spec);
}

Verdict verdict(Kind kind, std::uint64_t id = 1, bool isStanding = true)
{
    return {.id = id, .attempt = 0, .kind = kind, .isStanding = isStanding};
}

} // namespace

class tst_stop_rules : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyKindOfVerdictHasARule()
    {
        for (const Kind kind :
             {Kind::Waiting, Kind::SlowWire, Kind::Straggler, Kind::Hang, Kind::Mismatch}) {
            JobSpec spec;
            spec.stopOn = {{std::string(traitsOf(kind).name), "1s"}};
            QVERIFY(std::ranges::count(verdictKinds(), traitsOf(kind).name) == 1);
            StopRules rules(spec);
            rules.happened(verdict(kind), 0);
            QVERIFY(rules.due(Second));
        }
    }

    void withoutRulesARunGoesOn()
    {
        StopRules rules{JobSpec()};
        QVERIFY(rules.isEmpty());
        rules.begin(0);
        rules.happened(verdict(Kind::Hang), 0);
        QVERIFY(!rules.due(1'000'000 * Second));
    }

    void theLongestRunEndsItOnce()
    {
        JobSpec spec;
        spec.longestRun = 60s;
        StopRules rules(spec);
        rules.begin(5 * Second);
        QVERIFY(!rules.due(64 * Second));
        const auto due = rules.due(65 * Second);
        QVERIFY(due && due->code == code::LongestRunOver);
        QCOMPARE(due->parameters.at("time"), durationText(60s));
        QVERIFY(!rules.due(66 * Second));
    }

    void whatAnotherLeadRanCounts()
    {
        JobSpec spec;
        spec.longestRun = 60s;
        StopRules rules(spec);
        rules.begin(5 * Second, 50s);
        QVERIFY(!rules.due(14 * Second));
        QVERIFY(rules.due(15 * Second));
    }

    void aVerdictMustStand()
    {
        StopRules rules = hangOf10s();
        rules.happened(verdict(Kind::Hang), 0);
        rules.happened(verdict(Kind::Hang), 6 * Second); // stated again: the same one
        QVERIFY(!rules.due(9 * Second));
        rules.happened(verdict(Kind::Hang, 1, false), 9 * Second);
        QVERIFY(!rules.due(20 * Second));
        rules.happened(verdict(Kind::Hang, 2), 20 * Second);
        QVERIFY(!rules.due(29 * Second));
        const auto due = rules.due(30 * Second);
        QVERIFY(due && due->code == code::VerdictStoodTooLong);
        QCOMPARE(due->parameters.at("kind"), std::string("hang"));
    }

    void oneOfAnotherKindDoesNotCount()
    {
        StopRules rules = hangOf10s();
        rules.happened(verdict(Kind::Waiting), 0);
        rules.happened(verdict(Kind::Hang), 8 * Second); // what was a wait is a hang now
        QVERIFY(!rules.due(17 * Second));
        rules.happened(verdict(Kind::Waiting), 17 * Second);
        QVERIFY(!rules.due(30 * Second));
    }

    void aRestartEndsWhatStood()
    {
        StopRules rules = hangOf10s();
        rules.happened(verdict(Kind::Hang), 0);
        rules.happened(GroupRestarting{.attempt = 0}, 5 * Second);
        QVERIFY(!rules.due(20 * Second));
        rules.happened(verdict(Kind::Hang), 20 * Second);
        rules.happened(AttemptStarted{.attempt = 1}, 21 * Second);
        QVERIFY(!rules.due(40 * Second));
    }
};

QTEST_GUILESS_MAIN(tst_stop_rules)
#include "tst_stop_rules.moc"
