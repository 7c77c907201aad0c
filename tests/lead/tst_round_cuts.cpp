#include "engine/lead/Codes.h"
#include "engine/lead/RoundCuts.h"
#include "tests/support/Nanoseconds.h"

#include <QtTest>

using namespace ringmaster;
using namespace std::chrono_literals;

namespace {

const Message Cut{code::HostCut, {{"host", "b"}}, {}};
constexpr RoundCuts::Limits Limits{.some = 20s, .all = 600s};

/// Three hosts that work in one round.
JobMembers threeInARound()
{
    JobMembers members;
    for (const char* name : {"a", "b", "c"}) {
        members.expect(name, name);
        JobMember& member = *members.find(name);
        member.takeOffer({.step = RendezvousReport::Step::Offers});
        member.begin({.round = 1});
    }
    return members;
}

} // namespace

class tst_round_cuts : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void failureWithoutACutIsOne()
    {
        const JobMembers members = threeInARound();
        QVERIFY(!RoundCuts().behindFailure(*members.find("a"), members, 100 * Second));
    }

    void failureBehindACutIsItsConsequence()
    {
        JobMembers members = threeInARound();
        members.find("b")->cut(Cut, 90 * Second);
        QVERIFY(RoundCuts().behindFailure(*members.find("a"), members, 100 * Second) == Cut);
    }

    void failureAsAHostComesBackIsToo()
    {
        const JobMembers members = threeInARound();
        RoundCuts cuts;
        cuts.cameBack(Cut, 100 * Second);
        QVERIFY(cuts.behindFailure(*members.find("a"), members, 109 * Second) == Cut);
        QVERIFY(!cuts.behindFailure(*members.find("a"), members, 110 * Second));
    }

    void cutIsKnownOnlyLater()
    {
        RoundCuts cuts;
        cuts.failed(100 * Second);
        QVERIFY(cuts.wasBehindFailure(99 * Second));
        QVERIFY(!cuts.wasBehindFailure(101 * Second));
    }

    void hostThatOthersWaitForIsLeftOutSoon()
    {
        JobMembers members = threeInARound();
        RoundCuts cuts;
        members.find("b")->cut(Cut, 100 * Second);
        QVERIFY(!cuts.leftOut(members, Limits, 119 * Second));
        const auto why = cuts.leftOut(members, Limits, 120 * Second);
        QVERIFY(why);
        QCOMPARE(why->code, code::HostLeftOut);
        QCOMPARE(why->parameters.at("host"), std::string("b"));
    }

    /// It is the lead that had no network; from the first that is back on, others are waited for as
    /// usual.
    void allThatAreCutOffMayComeBackInTheirTime()
    {
        JobMembers members = threeInARound();
        RoundCuts cuts;
        for (JobMember& member : members)
            member.cut(Cut, 100 * Second);
        QVERIFY(!cuts.leftOut(members, Limits, 300 * Second));
        members.find("a")->reached();
        QVERIFY(!cuts.leftOut(members, Limits, 319 * Second));
        QVERIFY(cuts.leftOut(members, Limits, 320 * Second));
    }
};

QTEST_GUILESS_MAIN(tst_round_cuts)
#include "tst_round_cuts.moc"
