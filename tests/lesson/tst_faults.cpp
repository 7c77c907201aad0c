#include "Steps.h"
#include "engine/base/Codes.h"
#include "engine/lesson/FaultAnswers.h"
#include "engine/lesson/Recording.h"

#include <QtTest>

using namespace ringmaster;
using namespace ringmaster::test;
using By = lesson::FaultReport::Notice::By;
using End = lesson::FaultReport::End;
using lesson::FaultOutcome;
using lesson::FaultWitness;

namespace {

/// A run whose clock a test moves.
class Run
{
public:
    explicit Run(int ranks)
    {
        add(AttemptStarted{.worldSize = ranks});
        for (int rank = 0; rank < ranks; ++rank)
            step(lineStep(rank, 3));
    }

    Run& at(std::int64_t milliseconds)
    {
        m_now = milliseconds * 1'000'000;
        return *this;
    }
    Run& add(EventBody body)
    {
        Event event = eventOf(std::move(body));
        event.at.monotonicNs = m_now;
        m_recording.add(event);
        return *this;
    }
    Run& step(LessonStep step)
    {
        step.atNs = m_now;
        return add(std::move(step));
    }
    Run& fault(int rank, const char* name)
    {
        return step({.globalRank = rank, .kind = LessonStep::Kind::Fault, .text = name});
    }
    Run& error(int rank, const char* text)
    {
        LessonStep error = lineStep(rank, 4);
        error.kind = LessonStep::Kind::Error;
        error.text = text;
        return step(error);
    }
    Run& finish(int rank)
    {
        LessonStep end = lineStep(rank, 9);
        end.kind = LessonStep::Kind::Finish;
        return step(end);
    }

    Run& call(int rank)
    {
        return step(
            callStep(rank, 1, {.operation = "all_reduce", .inputs = {tensorOf("t", {"2.0"})}}));
    }
    Run& verdict(Verdict::Kind kind, std::vector<int> guilty)
    {
        return add(Verdict{.id = 1, .kind = kind, .guilty = std::move(guilty), .statement = {}});
    }
    Run& state(RunState state) { return add(RunStateChanged{.state = state}); }

    const lesson::Recording& recording() const { return m_recording; }
    /// What was right to say of the last fault; fails where nothing can be said.
    lesson::FaultAnswers answers() const { return *lesson::answersOf(report()); }
    const lesson::FaultReport& report() const { return m_recording.faults().back(); }

private:
    std::int64_t m_now = 0;
    lesson::Recording m_recording;
};

} // namespace

/// What is told of a fault: who noticed, after how long, and what came of it.
class tst_faults : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void whoNoticesAKilledRankIsTold()
    {
        Run run(3);
        run.at(100).fault(1, "kill").at(104).add(WorkerExited{
            .globalRank = 1, .status = {.signal = 9}, .explanation = {.code = code::None}});
        run.at(120).error(0, "RuntimeError: Connection closed by peer");
        run.at(130).add(
            WorkerExited{.globalRank = 2, .status = {.signal = 15}, .endedByAgent = true});
        run.at(150).add(RunStateChanged{.state = RunState::Failed});
        const auto& report = run.report();
        QVERIFY(report.kind == InjectFault::Kind::Kill);
        QCOMPARE(report.rank, 1);
        QCOMPARE(report.notices.size(), 2U);
        QVERIFY(report.notices[0].by == By::Agent);
        QCOMPARE(report.notices[0].afterNs, 4'000'000);
        QVERIFY(report.notices[1].by == By::Rank);
        QCOMPARE(report.notices[1].rank, 0);
        QCOMPARE(report.notices[1].afterNs, 20'000'000);
        QVERIFY(report.end == End::Failed);
        QCOMPARE(report.endAfterNs, 50'000'000);
    }

    void aRestartIsARecovery()
    {
        Run run(2);
        run.at(10).fault(0, "kill").at(12).add(
            WorkerExited{.globalRank = 0, .status = {.signal = 9}});
        run.at(40).add(AttemptStarted{.attempt = 1, .worldSize = 2});
        QVERIFY(run.report().end == End::Restarted);
        run.at(90).add(WorkerExited{.attempt = 1, .globalRank = 1, .status = {.code = 1}});
        QCOMPARE(run.report().notices.size(), 1U);
    }

    void aPauseIsNoticedByTheDiagnosisAndGotOver()
    {
        Run run(2);
        run.at(0).fault(1, "pause");
        QVERIFY(run.recording().latest().rank(1).isPaused);
        run.at(1500).add(
            Verdict{.id = 1, .kind = Verdict::Kind::Hang, .guilty = {1}, .statement = {}});
        // Said again, it is the same notice.
        run.at(2000).add(
            Verdict{.id = 1, .kind = Verdict::Kind::Hang, .guilty = {1}, .statement = {}});
        run.at(4000).fault(1, "resume");
        QVERIFY(!run.recording().latest().rank(1).isPaused);
        QVERIFY(run.report().end == End::Open);
        run.at(4100).finish(0).finish(1);
        QCOMPARE(run.recording().faults().size(), 1U);
        QCOMPARE(run.report().notices.size(), 1U);
        QVERIFY(run.report().notices[0].by == By::Diagnosis);
        QCOMPARE(run.report().notices[0].afterNs, 1'500'000'000);
        QVERIFY(run.report().end == End::Recovered);
    }

    void aWrongTypeIsNoticedByComparing()
    {
        Run run(2);
        LessonValue other = tensorOf("t", {"2.0"});
        other.type = "float64";
        const CallSetting right{.operation = "all_reduce", .inputs = {tensorOf("t", {"2.0"})}};
        const CallSetting wrong{.operation = "all_reduce", .inputs = {other}};
        run.at(5).fault(1, "type").step(callStep(1, 1, wrong)).at(8).step(callStep(0, 1, right));
        QCOMPARE(run.report().notices.size(), 1U);
        QVERIFY(run.report().notices[0].by == By::Comparison);
        QCOMPARE(run.report().notices[0].text, std::string("type"));
        QCOMPARE(run.report().notices[0].afterNs, 3'000'000);
    }

    void aFlippedBitIsNoticedByNobody()
    {
        Run run(2);
        run.at(5).fault(1, "data").finish(0).at(9).finish(1);
        QVERIFY(run.report().notices.empty());
        QVERIFY(run.report().end == End::Recovered);
        QCOMPARE(run.report().endAfterNs, 4'000'000);
    }

    void aKilledRankFailsTheRunAndTheAgentSaysSo()
    {
        Run run(2);
        run.call(0).at(10).fault(1, "kill");
        QVERIFY(!lesson::answersOf(run.report()));
        // A survivor may notice before; it can't say whose fault it is.
        run.at(11).error(0, "RuntimeError: Connection closed by peer");
        run.at(12).add(WorkerExited{.globalRank = 1, .status = {.signal = 9}});
        run.at(30).state(RunState::Failed);
        QVERIFY(run.answers().outcome == FaultOutcome::Fails);
        QVERIFY(run.answers().witness == FaultWitness::Agent);
        QCOMPARE(run.answers().witnessStep, 4U);
    }

    void onlyExceptionsNameNobody()
    {
        Run run(2);
        run.at(10).fault(1, "shape").at(11).error(0, "RuntimeError: something is wrong");
        run.at(12).add(WorkerExited{.globalRank = 0, .status = {.code = 1}});
        run.at(30).state(RunState::Failed);
        QVERIFY(run.answers().witness == FaultWitness::Exceptions);
        QCOMPARE(run.answers().witnessStep, 3U);
    }

    void whoWaitsForAPausedRankIsSeen()
    {
        Run run(2);
        run.at(0).fault(1, "pause").at(5).call(0);
        run.at(1500).verdict(Verdict::Kind::Waiting, {1});
        run.at(4000).fault(1, "resume").call(1).at(4100).finish(0).finish(1);
        QVERIFY(run.answers().outcome == FaultOutcome::Waits);
        QCOMPARE(run.answers().courseStep, 3U);
        QVERIFY(run.answers().witness == FaultWitness::Diagnosis);
    }

    void aPauseThatIsNeverEndedIsAWaitToo()
    {
        Run run(2);
        run.at(0).fault(1, "pause").at(5).call(0).at(9000).state(RunState::Stopped);
        QVERIFY(run.answers().outcome == FaultOutcome::Waits);
        QVERIFY(run.answers().witness == FaultWitness::Nobody);
    }

    void aPauseThatNobodyWaitsForHoldsNobodyUp()
    {
        Run run(2);
        run.at(0).fault(1, "pause").at(5).step(lineStep(0, 4)).fault(1, "resume");
        // Afterwards one comes before the other, as always.
        run.at(20).call(0).call(1).at(30).finish(0).finish(1);
        QVERIFY(run.answers().outcome == FaultOutcome::Completes);
        QVERIFY(run.answers().witness == FaultWitness::Nobody);
    }

    void aDelayIsOverWhenTheCallComes()
    {
        Run run(2);
        run.call(0).at(10).fault(1, "delay").at(3010).call(1).at(3020).finish(0).finish(1);
        QVERIFY(run.answers().outcome == FaultOutcome::Waits);
        QCOMPARE(run.answers().courseStep, 3U);
        Run quick(2);
        quick.at(10).fault(1, "delay").call(1).at(20).call(0).finish(0).finish(1);
        QVERIFY(quick.answers().outcome == FaultOutcome::Completes);
    }

    void aRankThatTheLearnerHoldsIsNoWitnessOfAFault()
    {
        Run run(2);
        run.at(0).fault(1, "data").call(1).at(9000).verdict(Verdict::Kind::Hang, {1});
        run.at(9100).finish(0).finish(1);
        QVERIFY(run.report().notices.empty());
        QVERIFY(run.answers().outcome == FaultOutcome::Completes);
        QVERIFY(run.answers().witness == FaultWitness::Nobody);
    }

    void whatIsStoppedBeforeAnythingHappensHasNoAnswer()
    {
        Run run(2);
        run.at(0).fault(1, "data").at(10).state(RunState::Stopped);
        QVERIFY(!lesson::answersOf(run.report()));
    }

    void aRankThatIsNotThereIsNoFaultOfAnybody()
    {
        Run run(2);
        run.fault(7, "kill").fault(-1, "pause").call(0).state(RunState::Failed);
        for (const auto& report : run.recording().faults())
            QVERIFY(!report.waitStep);
    }

    void everyKindHasAName()
    {
        using Kind = InjectFault::Kind;
        for (const Kind kind : {Kind::Kill, Kind::Pause, Kind::Resume, Kind::Delay,
                                Kind::WrongShape, Kind::WrongType, Kind::CorruptData})
            QVERIFY(lesson::faultNamed(lesson::nameOf(kind)) == kind);
        QVERIFY(!lesson::faultNamed("no such thing"));
    }
};

QTEST_GUILESS_MAIN(tst_faults)
#include "tst_faults.moc"
