#include "HappenedBefore.h"
#include "Steps.h"
#include "engine/cli/LessonFindings.h"
#include "engine/diagnose/Codes.h"
#include "engine/diagnose/WaitVerdicts.h"
#include "engine/lesson/Questions.h"
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

CallSetting sendTo(int peer)
{
    return {.operation = "send", .peer = peer, .members = {}, .inputs = {tensorOf("t", {"2.0"})}};
}

lesson::Recording deadlocked()
{
    lesson::Recording recording;
    recording.add(eventOf(AttemptStarted{.worldSize = 2}));
    for (int rank = 0; rank < 2; ++rank)
        recording.add(eventOf(lineStep(rank, 3)));
    for (int rank = 0; rank < 2; ++rank)
        recording.add(eventOf(callStep(rank, 1, sendTo(1 - rank), LessonStep::Kind::Call, 3)));
    return recording;
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
        // Nobody has been let go from the last line.
        QCOMPARE(recording.order().size(), 1197U);
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

    void whoWaitedForSomebodyThatHadGoneIsTold()
    {
        for (const bool isKilled : {false, true}) {
            lesson::Recording recording;
            recording.add(eventOf(AttemptStarted{.worldSize = 2}));
            recording.add(eventOf(callStep(0, 1, sendTo(1), LessonStep::Kind::Call, 3)));
            if (!isKilled)
                recording.add(eventOf(callStep(1, 1, {.operation = "destroy_process_group"})));
            LessonStep failed = callStep(0, 1, sendTo(1), LessonStep::Kind::Return, 3);
            failed.text = "RuntimeError: Connection closed by peer";
            recording.add(eventOf(failed));
            if (isKilled)
                recording.add(eventOf(WorkerExited{.globalRank = 1, .status = {.signal = 9}}));
            const auto& broken = recording.latest().brokenWaits();
            QCOMPARE(broken.size(), 1U);
            QCOMPARE(broken.front().wait.rank, 0);
            QCOMPARE(broken.front().wait.at.line, 3);
            QCOMPARE(broken.front().gone, std::vector<int>{1});
        }
    }

    void whatTheDiagnosisSaysIsKeptAsItWasSaidLast()
    {
        lesson::Recording recording = deadlocked();
        Verdict verdict{.id = 4, .kind = Verdict::Kind::Waiting};
        recording.add(eventOf(verdict));
        verdict.kind = Verdict::Kind::Hang;
        recording.add(eventOf(verdict));
        QCOMPARE(recording.judgements().size(), 1U);
        QCOMPARE(recording.judgements().front().step, 4U);
        QVERIFY(recording.judgements().front().verdict.kind == Verdict::Kind::Hang);
    }

    void whatWentOnIsNoFinding()
    {
        lesson::Recording recording = deadlocked();
        Verdict verdict{.id = 4, .kind = Verdict::Kind::Hang};
        verdict.statement = {code::HangIdle, {{"number", "31"}}, {}};
        recording.add(eventOf(verdict));
        QVERIFY(!judgementsOf(recording).empty());
        verdict.isStanding = false;
        verdict.sinceNs = 1;
        verdict.statement = diagnose::overStatement(verdict, 2);
        recording.add(eventOf(verdict));
        QCOMPARE(judgementsOf(recording), std::string());
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

    void whomTheAgentEndsStandsWhereItStood()
    {
        lesson::Recording recording = deadlocked();
        QVERIFY(recording.latest().deadlock().has_value());
        for (int rank = 0; rank < 2; ++rank)
            recording.add(eventOf(
                WorkerExited{.globalRank = rank, .status = {.signal = 15}, .endedByAgent = true}));
        QVERIFY(recording.latest().rank(0).isEndedByAgent);
        QVERIFY(recording.latest().rank(0).phase == lesson::RankState::Phase::InCall);
        QCOMPARE(recording.latest().calls().waits().size(), 2U);
        QVERIFY(lesson::outcomeOf(recording) == lesson::Outcome::Deadlocks);
        // One that sees its peer go before it goes itself.
        LessonStep error = lineStep(1, 3);
        error.kind = LessonStep::Kind::Error;
        error.text = "RuntimeError: Connection closed by peer";
        recording.add(eventOf(error));
        QVERIFY(lesson::outcomeOf(recording) == lesson::Outcome::Deadlocks);
    }

    void aWorkerThatIsGoneAfterTheLastStepHasFailed()
    {
        lesson::Recording recording;
        for (const Event& event : longRun(2, 3))
            recording.add(event);
        QVERIFY(!lesson::outcomeOf(recording));
        recording.add(eventOf(WorkerExited{.globalRank = 1, .status = {.code = 1}}));
        QVERIFY(lesson::outcomeOf(recording) == lesson::Outcome::Fails);
    }

    void aSendThatComesBackWasNoDeadlock()
    {
        lesson::Recording recording = deadlocked();
        recording.add(eventOf(callStep(0, 1, sendTo(1), LessonStep::Kind::Return, 3)));
        QVERIFY(!recording.latest().deadlock());
        QVERIFY(!lesson::outcomeOf(recording));
    }

    void theOrderIsThatInWhichRanksWereLetGo()
    {
        lesson::Recording recording;
        recording.add(eventOf(AttemptStarted{.worldSize = 3}));
        const CallSetting receive{.operation = "recv", .peer = 2, .members = {}};
        for (int rank = 0; rank < 3; ++rank) {
            recording.add(eventOf(lineStep(rank, 1)));
            recording.add(eventOf(lineStep(rank, 5)));
        }
        // Rank 0 is let go into a receive, then 2 into its send; they come back the other way.
        recording.add(eventOf(callStep(0, 1, receive)));
        recording.add(eventOf(callStep(2, 1, sendTo(0))));
        recording.add(eventOf(callStep(2, 1, sendTo(0), LessonStep::Kind::Return)));
        recording.add(eventOf(lineStep(2, 6)));
        recording.add(eventOf(callStep(0, 1, receive, LessonStep::Kind::Return)));
        recording.add(eventOf(lineStep(0, 6)));
        recording.add(eventOf(lineStep(1, 6)));
        QCOMPARE(recording.order(), (std::vector<int>{0, 1, 2, 0, 2, 1}));
        QCOMPARE(recording.order(5), (std::vector<int>{0, 2, 1}));
        recording.add(eventOf(AttemptStarted{.attempt = 1, .worldSize = 3}));
        QVERIFY(recording.order().empty());
    }

    void whatWasCorruptedIsFollowedFromRankToRank()
    {
        lesson::Recording recording;
        recording.add(eventOf(AttemptStarted{.worldSize = 3}));
        const auto chunk = [](int step, std::uint64_t part, int from, int to) {
            LessonStep told{.globalRank = to, .kind = LessonStep::Kind::Chunk, .atNs = step};
            told.chunk = {.operation = "all_reduce",
                          .algorithm = "ring",
                          .sequence = 1,
                          .step = step,
                          .chunk = part,
                          .from = from,
                          .to = to};
            return told;
        };
        LessonStep fault = chunk(0, 0, 0, 1);
        fault.kind = LessonStep::Kind::Fault;
        fault.text = "data";
        // A rank may lose its processor between looking at the clock and telling: what it tells is
        // of an earlier time than what others told before.
        for (const LessonStep& step :
             {fault, chunk(0, 0, 0, 1), chunk(1, 0, 1, 2), chunk(0, 2, 2, 0), chunk(2, 0, 2, 0)})
            recording.add(eventOf(step));
        std::vector<std::pair<size_t, bool>> arrivals;
        for (const auto& arrival : recording.latest().ringOperations().back().arrivals)
            arrivals.emplace_back(arrival.step, arrival.isTainted);
        QCOMPARE(arrivals, (std::vector<std::pair<size_t, bool>>{
                               {1, true}, {2, true}, {3, false}, {4, true}}));
    }

    /// What the lessons' tests hold their recordings against sees what is wrong with a list.
    void theCheckerOfTheOrderSeesEachKindOfWrongOrder()
    {
        const auto wrong = [](const std::vector<LessonStep>& steps) {
            lesson::Recording recording;
            recording.add(eventOf(AttemptStarted{.worldSize = 2}));
            for (const LessonStep& step : steps)
                recording.add(eventOf(step));
            return QString::fromStdString(HappenedBefore(recording).violations());
        };
        const auto back = LessonStep::Kind::Return;
        const CallSetting send{.operation = "send", .peer = 1};
        const CallSetting receive{.operation = "recv", .peer = 0};
        const CallSetting reduce{.operation = "all_reduce"};
        const auto chunk = [](int step, std::uint64_t part, int from) {
            LessonStep told{.globalRank = 1 - from, .kind = LessonStep::Kind::Chunk};
            told.chunk = {.operation = "all_reduce",
                          .algorithm = "ring",
                          .sequence = 1,
                          .step = step,
                          .chunk = part,
                          .from = from,
                          .to = 1 - from};
            told.chunk.group = "default";
            return told;
        };
        const std::vector<LessonStep> entered{callStep(0, 1, reduce), callStep(1, 1, reduce)};
        const auto after = [&](std::vector<LessonStep> more) {
            more.insert(more.begin(), entered.begin(), entered.end());
            return more;
        };
        QCOMPARE(wrong({callStep(0, 1, send), callStep(1, 1, receive),
                        callStep(1, 1, receive, back), callStep(0, 1, send, back)}),
                 QString());
        QVERIFY(
            wrong({callStep(1, 1, receive), callStep(1, 1, receive, back), callStep(0, 1, send)})
                .contains(QStringLiteral("received before it was sent")));
        QVERIFY(
            wrong({callStep(0, 1, reduce), callStep(0, 1, reduce, back), callStep(1, 1, reduce)})
                .contains(QStringLiteral("before rank 1 came")));
        QVERIFY(wrong({callStep(0, 2, send), callStep(0, 1, send)})
                    .contains(QStringLiteral("out of their order")));
        QCOMPARE(wrong(after({chunk(0, 0, 0), chunk(1, 0, 1)})), QString());
        QVERIFY(wrong(after({chunk(1, 0, 1), chunk(0, 0, 0)}))
                    .contains(QStringLiteral("before the one that it was made of")));
        QVERIFY(wrong(after({callStep(1, 1, reduce, back), chunk(0, 0, 0)}))
                    .contains(QStringLiteral("before its last chunk")));
        QVERIFY(wrong({callStep(0, 1, reduce), chunk(0, 0, 0), callStep(1, 1, reduce)})
                    .contains(QStringLiteral("a chunk before rank 1 came")));
        // Rank 1 gives rank 0 nothing, which needn't wait for it.
        const CallSetting uneven{.operation = "all_to_all_single"};
        LessonStep part = chunk(0, 0, 0);
        part.chunk.operation = uneven.operation;
        part.chunk.algorithm = "direct";
        QCOMPARE(wrong({callStep(0, 1, uneven), callStep(0, 1, uneven, back),
                        callStep(1, 1, uneven), part, callStep(1, 1, uneven, back)}),
                 QString());
        QVERIFY(wrong({callStep(1, 1, uneven), callStep(1, 1, uneven, back), callStep(0, 1, uneven),
                       part})
                    .contains(QStringLiteral("before rank 0 came")));
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
