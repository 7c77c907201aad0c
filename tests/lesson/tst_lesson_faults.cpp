#include "LessonTest.h"
#include "engine/base/Codes.h"
#include "engine/lesson/Codes.h"
#include "engine/lesson/FaultAnswers.h"
#include "engine/lesson/Questions.h"

using namespace ringmaster;
using namespace ringmaster::test;
using By = lesson::FaultReport::Notice::By;
using End = lesson::FaultReport::End;
using FaultKind = InjectFault::Kind;
using lesson::FaultOutcome;
using lesson::FaultWitness;
using Move = MoveLesson::Move;
using Phase = lesson::RankState::Phase;

namespace {

/// The ranks meet in lines 5 and 6.
const QByteArray TwoCollectives = R"(import torch
import torch.distributed as dist
dist.init_process_group("gloo")
t = torch.tensor([2.0, 3.0])
dist.all_reduce(t)
dist.all_reduce(t)
dist.destroy_process_group()
)";

bool areAtLine(const lesson::Recording& seen, int line)
{
    for (int rank = 0; rank < seen.latest().rankCount(); ++rank)
        if (seen.latest().rank(rank).line != line)
            return false;
    return seen.latest().rankCount() > 0;
}

bool isNoticed(const lesson::Recording& seen, By by)
{
    return !seen.faults().empty() &&
           std::ranges::find(seen.faults().back().notices, by, &lesson::FaultReport::Notice::by) !=
               seen.faults().back().notices.end();
}

/// What was right to say of the last fault before it was made.
bool isAnswered(const lesson::Recording& seen, FaultOutcome outcome, FaultWitness witness)
{
    const auto answers = lesson::answersOf(seen.faults().back());
    return answers && answers->outcome == outcome && answers->witness == witness;
}

QByteArray described(const lesson::Recording& seen)
{
    QByteArray text;
    for (const auto& report : seen.faults()) {
        text += "fault " + QByteArray::number(static_cast<int>(report.kind)) + " end " +
                QByteArray::number(static_cast<int>(report.end));
        for (const auto& notice : report.notices)
            text += " | by " + QByteArray::number(static_cast<int>(notice.by)) + " after " +
                    QByteArray::number(notice.afterNs) + " " + notice.text.c_str() +
                    describe(notice.message).c_str();
    }
    return text;
}

} // namespace

/// Faults that are made on purpose, in real workers: what comes of each, and what is told of it.
class tst_lesson_faults : public LessonTest
{
    Q_OBJECT

private Q_SLOTS:
    void aKilledRankIsNoticedByTheAgent()
    {
        LessonRun run({.program = TwoCollectives});
        breakRank1(run, FaultKind::Kill);
        QVERIFY(run.finish());
        const auto recording = run.recording();
        QVERIFY(recording.latest().rank(1).phase == Phase::Exited);
        QVERIFY(run.state() == RunState::Failed);
        QVERIFY2(isNoticed(recording, By::Agent), described(recording));
        QVERIFY(recording.faults().back().end == End::Failed);
        QVERIFY2(isAnswered(recording, FaultOutcome::Fails, FaultWitness::Agent),
                 described(recording));
        QVERIFY(lesson::outcomeOf(recording) == lesson::Outcome::Fails);
    }

    void aRestartedGroupIsARecovery()
    {
        LessonRun run({.program = TwoCollectives, .maxRestarts = 1});
        breakRank1(run, FaultKind::Kill);
        QVERIFY(run.waitFor([](const auto& seen) { return seen.latest().attempt() == 1; }));
        QVERIFY(run.recording().faults().back().end == End::Restarted);
        QVERIFY2(isAnswered(run.recording(), FaultOutcome::Restarts, FaultWitness::Agent),
                 described(run.recording()));
        QVERIFY(run.waitFor([](const auto& seen) { return areAtLine(seen, 1); }));
        QVERIFY(run.send(MoveLesson{.move = Move::ToEnd}));
        QVERIFY(run.finish());
        QVERIFY(run.state() == RunState::Succeeded);
    }

    void aPausedRankIsNoticedByTheDiagnosisAndGoesOn()
    {
        LessonRun run({.program = TwoCollectives});
        breakRank1(run, FaultKind::Pause);
        QVERIFY(run.waitFor([](const auto& seen) { return seen.latest().rank(1).isPaused; }));
        QVERIFY(run.send(MoveLesson{.move = Move::ToEnd}));
        QVERIFY2(run.waitFor([](const auto& seen) { return isNoticed(seen, By::Diagnosis); }),
                 described(run.recording()));
        QVERIFY(run.recording().latest().rank(1).phase != Phase::Finished);
        QVERIFY(run.send(InjectFault{.kind = FaultKind::Resume, .globalRank = 1}));
        QVERIFY(run.finish());
        const auto recording = run.recording();
        QVERIFY(run.state() == RunState::Succeeded);
        QVERIFY(recording.faults().back().end == End::Recovered);
        QVERIFY2(isAnswered(recording, FaultOutcome::Waits, FaultWitness::Diagnosis),
                 described(recording));
        QVERIFY(lesson::outcomeOf(recording) == lesson::Outcome::Succeeds);
    }

    void aDelayedCallKeepsTheOthersWaitingAndNoMore()
    {
        LessonRun run({.program = TwoCollectives});
        breakRank1(run, FaultKind::Delay, std::chrono::milliseconds(700));
        QVERIFY(run.send(MoveLesson{.move = Move::Step, .ranks = {0}}));
        QVERIFY(run.waitFor([](const auto& seen) { return seen.latest().calls().isBlocked(0); }));
        QVERIFY(run.send(MoveLesson{.move = Move::ToEnd}));
        QVERIFY(run.finish());
        const auto recording = run.recording();
        QVERIFY(run.state() == RunState::Succeeded);
        QCOMPARE(recording.faults().size(), 1U);
        QVERIFY(recording.faults().back().kind == FaultKind::Delay);
        QVERIFY(recording.faults().back().end == End::Recovered);
        const auto answers = lesson::answersOf(recording.faults().back());
        QVERIFY(answers && answers->outcome == FaultOutcome::Waits);
        const size_t shown = answers->courseStep;
        QVERIFY(recording.stateAt(shown).calls().isBlocked(0));
        QCOMPARE(recording.latest().rank(0).find("t")->value.elements.front(), std::string("8.0"));
    }

    void aWrongShapeOrTypeIsNoticedByComparing_data()
    {
        QTest::addColumn<int>("kind");
        QTest::addColumn<std::string>("what");
        QTest::newRow("shape") << static_cast<int>(FaultKind::WrongShape) << std::string("size");
        QTest::newRow("type") << static_cast<int>(FaultKind::WrongType) << std::string("type");
    }

    void aWrongShapeOrTypeIsNoticedByComparing()
    {
        QFETCH(const int, kind);
        QFETCH(const std::string, what);
        LessonRun run({.program = TwoCollectives});
        breakRank1(run, static_cast<FaultKind>(kind));
        QVERIFY(run.send(MoveLesson{.move = Move::ToEnd}));
        QVERIFY2(run.waitFor([](const auto& seen) { return isNoticed(seen, By::Comparison); }),
                 described(run.recording()));
        const auto recording = run.recording();
        const auto& disagreement = recording.latest().calls().disagreements().front();
        QCOMPARE(disagreement.disagreement(), what);
        QCOMPARE(disagreement.parts.at(1).at.line, 5);
        QVERIFY(lesson::outcomeOf(recording) == lesson::Outcome::Disagrees);
        // gloo fails on some sizes and hangs on others; neither is what names the rank.
        QVERIFY(run.finishOr(
            [](const auto& seen) { return seen.faults().back().waitStep.has_value(); }));
        if (!run.isOver())
            (void)run.send(StopRun{.now = true}); // It may be over by now.
        QVERIFY(run.finish());
        const auto answers = lesson::answersOf(run.recording().faults().back());
        QVERIFY2(answers && answers->witness == FaultWitness::Comparison,
                 described(run.recording()));
        QVERIFY(answers->outcome == FaultOutcome::Waits || answers->outcome == FaultOutcome::Fails);
    }

    void aFlippedBitIsInTheSumAndNobodyNotices()
    {
        LessonRun run({.program = TwoCollectives});
        breakRank1(run, FaultKind::CorruptData);
        QVERIFY(run.send(MoveLesson{.move = Move::ToLine, .line = 6}));
        QVERIFY(run.waitFor([](const auto& seen) { return areAtLine(seen, 6); }));
        const auto before = run.recording();
        const auto* sum = before.latest().rank(0).find("t");
        QVERIFY(sum != nullptr);
        QCOMPARE(sum->value.elements, (std::vector<std::string>{"10.0", "6.0"}));
        QVERIFY(run.send(MoveLesson{.move = Move::ToEnd}));
        QVERIFY(run.finish());
        const auto recording = run.recording();
        QVERIFY2(recording.faults().back().notices.empty(), described(recording));
        QVERIFY(recording.faults().back().end == End::Recovered);
        QVERIFY(isAnswered(recording, FaultOutcome::Completes, FaultWitness::Nobody));
    }

    void aFlippedBitOfAChunkIsFollowedThroughTheRing()
    {
        if (!hasRing())
            QSKIP("the ring isn't built here");
        LessonRun run({.program = R"(import torch
import torch.distributed as dist
dist.init_process_group("ring")
t = torch.full((48,), 2.0 + dist.get_rank())
dist.all_reduce(t)
last = t[0].item()
)",
                       .ranks = 3,
                       .backend = QStringLiteral("ring"),
                       .ringAlgorithm = "ring"});
        breakRank1(run, FaultKind::CorruptData);
        QVERIFY(run.send(MoveLesson{.move = Move::ToEnd}));
        QVERIFY(run.finish());
        const auto recording = run.recording();
        QVERIFY(run.state() == RunState::Succeeded);
        const lesson::FaultReport& report = recording.faults().back();
        QCOMPARE(report.chunk.from, 0);
        QCOMPARE(report.chunk.to, 1);
        QCOMPARE(report.chunk.step, 0);
        QVERIFY2(report.notices.empty(), described(recording));
        // Rank 0's own block came as 8.0 instead of 2.0 and went on to all: 8 + 3 + 4.
        for (int rank = 0; rank < 3; ++rank) {
            const auto& elements = recording.latest().rank(rank).find("t")->value.elements;
            QCOMPARE(elements[0], std::string("15.0"));
            QCOMPARE(elements[1], std::string("9.0"));
            QCOMPARE(elements[47], std::string("9.0"));
        }
        int tainted = 0;
        for (const auto& arrival : recording.latest().ringOperations().back().arrivals)
            tainted += arrival.isTainted;
        QCOMPARE(tainted, 4);
    }

    void aLessonsOwnFaultDoesWhatItSays_data()
    {
        QTest::addColumn<QString>("at");
        QTest::addColumn<int>("kind");
        QTest::addColumn<std::string>("variable");
        QTest::addColumn<QStringList>("undisturbed"); // By rank.
        QTest::addColumn<std::vector<int>>("wrong");
        const auto row = [](const char* lesson, const char* at, FaultKind kind,
                            const char* variable, const QStringList& undisturbed,
                            const std::vector<int>& wrong) {
            QTest::newRow(lesson) << QString::fromLatin1(at) << static_cast<int>(kind)
                                  << std::string(variable) << undisturbed << wrong;
        };
        // The sums of squares of 0 to 3 and 100 to 103 less the rank's prime, halved.
        row("fully-sharded-data-parallel", "dist.all_gather_into_tensor(weights",
            FaultKind::CorruptData, "loss", {"19806.0", "19414.0"}, {0, 1});
        row("tensor-parallel", "dist.all_reduce(whole)", FaultKind::CorruptData, "output",
            {"-14.0", "-14.0"}, {0, 1});
        row("mixture-of-experts", "dist.all_to_all_single(received", FaultKind::CorruptData,
            "combined", {"40.0", "60.0"}, {1});
        // Begins again, with nothing, and comes to the same.
        row("checkpoint-restart", "gradient = torch.tensor", FaultKind::Kill, "weight",
            {"-159.84375", "-159.84375"}, {});
    }

    void aLessonsOwnFaultDoesWhatItSays()
    {
        QFETCH(const QString, at);
        QFETCH(const int, kind);
        QFETCH(const std::string, variable);
        QFETCH(const QStringList, undisturbed);
        QFETCH(const std::vector<int>, wrong);
        const auto pack = lesson::loadPack(*lesson::findPack(QTest::currentDataTag()));
        QVERIFY(pack.has_value());
        const int line = lesson::lineWith(pack->source, at.toStdString());
        LessonRun::Setting setting = settingOf(*pack, 2);
        setting.isHeld = true;
        LessonRun run(setting);
        const auto haveBegun = [](const lesson::Recording& seen) {
            const lesson::State& now = seen.latest();
            return now.rankCount() == 2 && now.rank(0).line > 0 && now.rank(1).line > 0;
        };
        QVERIFY(run.waitFor(haveBegun));
        QVERIFY(run.send(MoveLesson{.move = Move::ToLine, .line = line}));
        QVERIFY(run.waitFor([&](const auto& seen) { return areAtLine(seen, line); }));
        QVERIFY(run.send(InjectFault{.kind = static_cast<FaultKind>(kind), .globalRank = 1}));
        QVERIFY(run.send(MoveLesson{.move = Move::ToEnd}));
        QVERIFY2(run.finish() && run.state() == RunState::Succeeded, run.standing().c_str());

        const lesson::Recording recording = run.recording();
        QCOMPARE(recording.faults().size(), size_t(1));
        std::map<int, std::string> last;
        for (size_t index = 0; index < recording.size(); ++index)
            for (int rank = 0; rank < 2; ++rank)
                if (const auto* cell = recording.stateAt(index).rank(rank).find(variable);
                    cell != nullptr && !cell->value.elements.empty())
                    last[rank] = cell->value.elements[0];
        for (int rank = 0; rank < 2; ++rank)
            QCOMPARE(last[rank] != undisturbed[rank].toStdString(),
                     std::ranges::find(wrong, rank) != wrong.end());
    }

    void aFaultOfARankThatIsNotThereIsRefused()
    {
        LessonRun run({.program = TwoCollectives});
        QVERIFY(run.waitFor([](const auto& seen) { return areAtLine(seen, 1); }));
        for (const FaultKind kind : {FaultKind::Delay, FaultKind::Kill, FaultKind::Pause}) {
            for (const int rank : {-1, 2, 99}) {
                const auto refused = run.send(InjectFault{.kind = kind, .globalRank = rank});
                QVERIFY(!refused.has_value());
                QVERIFY(refused.error().code == code::RankNotTraced);
            }
        }
        QVERIFY(run.recording().faults().empty());
    }

private:
    /// In rank 1's next call, or at once; all ranks stand before line 5.
    static void breakRank1(LessonRun& run, FaultKind kind, std::chrono::nanoseconds delay = {})
    {
        QVERIFY(run.waitFor([](const auto& seen) { return areAtLine(seen, 1); }));
        QVERIFY(run.send(MoveLesson{.move = Move::ToLine, .line = 5}));
        QVERIFY(run.waitFor([](const auto& seen) { return areAtLine(seen, 5); }));
        QVERIFY(run.send(InjectFault{.kind = kind, .globalRank = 1, .delay = delay}));
    }
};

QTEST_GUILESS_MAIN(tst_lesson_faults)
#include "tst_lesson_faults.moc"
