#include "Steps.h"
#include "engine/lesson/Recording.h"

#include <QtTest>

#include <random>

using namespace ringmaster;
using namespace ringmaster::test;

namespace {

std::vector<Event> longRun(int ranks, int lines)
{
    std::vector<Event> events{eventOf(LessonStarted{.program = "a.py", .ranks = ranks}),
                              eventOf(AttemptStarted{.worldSize = ranks})};
    for (int line = 1; line <= lines; ++line)
        for (int rank = 0; rank < ranks; ++rank)
            events.push_back(eventOf(lineStep(
                rank, line,
                {tensorOf("t", {std::to_string(line) + ".0", std::to_string(rank) + ".0"})})));
    return events;
}

} // namespace

class tst_lesson_recording : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aStateIsTheSameWhereverOneComesFrom()
    {
        lesson::Recording recording;
        for (const Event& event : longRun(3, 400))
            recording.add(event);
        QCOMPARE(recording.size(), 1200U);
        std::mt19937 random(7);
        for (int round = 0; round < 200; ++round) {
            const size_t index = random() % recording.size();
            const lesson::State& state = recording.stateAt(index);
            const int rank = static_cast<int>(index % 3);
            const int line = static_cast<int>(index / 3) + 1;
            QCOMPARE(state.rank(rank).line, line);
            QCOMPARE(state.rank(rank).find("t")->value.elements.front(),
                     std::to_string(line) + ".0");
            QCOMPARE(state.rank(rank).find("t")->changedAt, index);
            QVERIFY(rank == 2 || state.rank(2).line == line - 1);
        }
        QCOMPARE(recording.latest().rank(1).line, 400);
        QCOMPARE(recording.order().size(), 1200U);
    }

    void variablesOfAFunctionGoWithIt()
    {
        lesson::Recording recording;
        recording.add(eventOf(AttemptStarted{.worldSize = 1}));
        recording.add(eventOf(lineStep(0, 1, {tensorOf("outer", {"1.0"})})));
        LessonStep inner = lineStep(0, 5, {tensorOf("inner", {"2.0"})});
        inner.depth = 1;
        inner.function = "run";
        recording.add(eventOf(inner));
        QVERIFY(recording.latest().rank(0).find("outer") != nullptr);
        QVERIFY(recording.latest().rank(0).find("inner") != nullptr);
        recording.add(eventOf(lineStep(0, 2)));
        QVERIFY(recording.latest().rank(0).find("inner") == nullptr);
        recording.add(
            eventOf(lineStep(0, 3, {{.name = "outer", .kind = LessonValue::Kind::Gone}})));
        QVERIFY(recording.latest().rank(0).find("outer") == nullptr);
    }

    void whatACallReceivedIsThereWhenItReturns()
    {
        lesson::Recording recording;
        recording.add(eventOf(AttemptStarted{.worldSize = 2}));
        recording.add(eventOf(lineStep(0, 1, {tensorOf("t", {"0.0"})})));
        const CallSetting call{.operation = "recv", .peer = 1, .outputs = {tensorOf("t", {"5.0"})}};
        recording.add(eventOf(callStep(0, 1, call)));
        QVERIFY(recording.latest().rank(0).phase == lesson::RankState::Phase::InCall);
        QCOMPARE(recording.latest().rank(0).find("t")->value.elements.front(), std::string("0.0"));
        recording.add(eventOf(callStep(0, 1, call, LessonStep::Kind::Return)));
        QCOMPARE(recording.latest().rank(0).find("t")->value.elements.front(), std::string("5.0"));
    }

    void aRestartBeginsFromNothing()
    {
        lesson::Recording recording;
        for (const Event& event : longRun(2, 3))
            recording.add(event);
        recording.add(eventOf(AttemptStarted{.attempt = 1, .worldSize = 2}));
        QVERIFY(recording.latest().rank(0).phase == lesson::RankState::Phase::NotStarted);
        LessonStep old = lineStep(0, 9);
        recording.add(eventOf(old));
        QCOMPARE(recording.latest().rank(0).line, 0);
        QCOMPARE(recording.stateAt(5).rank(1).line, 3);
    }

    void whatDoesNotFitChangesNothing()
    {
        lesson::Recording recording;
        recording.add(eventOf(lineStep(0, 1)));
        recording.add(eventOf(AttemptStarted{.worldSize = 2}));
        LessonStep far = lineStep(7, 1);
        recording.add(eventOf(far));
        far.globalRank = -1;
        far.depth = 1'000'000'000;
        recording.add(eventOf(far));
        recording.add(eventOf(callStep(0, 9, {.operation = "wait", .waitsFor = 77})));
        recording.add(eventOf(
            callStep(0, 9, {.operation = "wait", .waitsFor = 77}, LessonStep::Kind::Return)));
        QVERIFY(!recording.latest().calls().deadlock());
        QCOMPARE(recording.latest().rankCount(), 2);
    }
};

QTEST_GUILESS_MAIN(tst_lesson_recording)
#include "tst_lesson_recording.moc"
