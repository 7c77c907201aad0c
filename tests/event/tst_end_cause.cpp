#include "engine/base/Codes.h"
#include "engine/event/EndCause.h"
#include "tests/event/EventSamples.h"

#include <QtTest>

using namespace ringmaster;

namespace {

using Kind = Verdict::Kind;

Message saying(const std::string& what)
{
    return {code::TimedOut, {{"what", what}}, {}};
}

RunSnapshot after(std::vector<EventBody> bodies)
{
    bodies.insert(bodies.begin(), {RunStarted{.name = "demo", .maxRestarts = 3},
                                   AttemptStarted{.worldSize = 2, .workers = {{0, 0}, {1, 1}}}});
    RunSnapshot snapshot;
    std::uint64_t sequence = 0;
    for (EventBody& body : bodies)
        snapshot.apply(samples::event(++sequence, std::move(body)));
    return snapshot;
}

Verdict verdict(Kind kind, const std::string& what, bool isStanding = true)
{
    return {.id = 1,
            .kind = kind,
            .isStanding = isStanding,
            .guilty = {1},
            .statement = saying(what),
            .evidence = {{code::TimedOut, {{"rank", "1"}, {"line", "8"}}, {}},
                         {code::TimedOut, {{"rank", "1"}, {"line", "9"}}, "a stack"},
                         {code::TimedOut, {{"rank", "0"}, {"line", "10"}}, {}}},
            .remedy = saying("remedy")};
}

FirstCause cause(bool isSure, int attempt = 0)
{
    return {.attempt = attempt, .sure = isSure, .cause = saying("end")};
}

} // namespace

class tst_end_cause : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void saysWhatWasSeenBeforeWhatTheEndsTell_data()
    {
        using Bodies = std::vector<EventBody>;
        QTest::addColumn<Bodies>("bodies");
        QTest::addColumn<QString>("cause"); // empty: none
        const auto row = [](const char* name, Bodies bodies, const char* cause) {
            QTest::newRow(name) << std::move(bodies) << QString(cause);
        };
        row("it runs", {verdict(Kind::Hang, "seen"), samples::state(RunState::Running)}, "");
        row("succeeded", {verdict(Kind::Mismatch, "seen"), samples::state(RunState::Succeeded)},
            "");
        row("stopped, and nobody waited", {samples::state(RunState::Stopped)}, "");
        row("stopped while ranks waited",
            {verdict(Kind::Waiting, "seen"), samples::state(RunState::Stopped)}, "seen");
        row("stopped in a hang, whose workers told of the signal",
            {verdict(Kind::Hang, "seen"), cause(true), samples::state(RunState::Stopped)}, "seen");
        row("the wait was over",
            {verdict(Kind::Waiting, "seen"), verdict(Kind::Waiting, "over", false),
             samples::state(RunState::Stopped)},
            "");
        row("a slow rank is no end",
            {verdict(Kind::Straggler, "seen"), samples::state(RunState::Stopped)}, "");
        row("a rank failed by itself, and others waited for it",
            {verdict(Kind::Waiting, "seen"), cause(true), samples::state(RunState::Failed)}, "end");
        row("waited in vain",
            {verdict(Kind::Waiting, "seen"), cause(false), samples::state(RunState::Failed)},
            "seen");
        row("the backend's error of a mismatch",
            {verdict(Kind::Mismatch, "seen"), cause(true), samples::state(RunState::Failed)},
            "seen");
        row("nothing was seen", {cause(false), samples::state(RunState::Failed)}, "end");
        row("stopped after a restart",
            {cause(true), AttemptStarted{.attempt = 1, .worldSize = 2},
             samples::state(RunState::Stopped)},
            "");
    }

    void saysWhatWasSeenBeforeWhatTheEndsTell()
    {
        QFETCH(std::vector<EventBody>, bodies);
        QFETCH(QString, cause);
        const RunSnapshot run = after(bodies);
        const auto told = endCauseOf(run);
        QCOMPARE(told.has_value(), !cause.isEmpty());
        if (told) {
            QCOMPARE(QString::fromStdString(told->cause.parameters.at("what")), cause);
            QCOMPARE(told->verdict != nullptr, cause == "seen");
        }
    }

    void saysWhereTheGuiltyRankStood()
    {
        const RunSnapshot run =
            after({verdict(Kind::Hang, "seen"), samples::state(RunState::Stopped)});
        const auto told = endCauseOf(run);
        QVERIFY(told.has_value());
        QCOMPARE(told->place.parameters.at("line"), std::string("9"));
        QVERIFY(told->place.detail.empty());
        QCOMPARE(told->remedy.parameters.at("what"), std::string("remedy"));
    }

    void theCauseOfARestartIsNotTheEnds()
    {
        const AttemptStarted second{.attempt = 1, .worldSize = 2};
        QVERIFY(restartCauseOf(after({cause(true)})) == nullptr);
        QVERIFY(restartCauseOf(after({second})) == nullptr);
        QVERIFY(restartCauseOf(after({cause(true), second, cause(true, 1)})) == nullptr);
        const RunSnapshot run = after({cause(true), second, samples::state(RunState::Stopped)});
        QVERIFY(restartCauseOf(run) != nullptr);
        QCOMPARE(restartCauseOf(run)->attempt, 0);
    }
};

QTEST_GUILESS_MAIN(tst_end_cause)
#include "tst_end_cause.moc"
