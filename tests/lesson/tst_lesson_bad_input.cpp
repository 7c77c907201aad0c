#include "LessonRun.h"
#include "engine/lesson/Codes.h"
#include "tests/support/TorchInterpreter.h"

#include <QtTest>

#include <csignal>

using namespace ringmaster;
using namespace ringmaster::test;
using Move = MoveLesson::Move;
using Phase = lesson::RankState::Phase;

namespace {

bool isSaid(const LessonRun& run, Code code)
{
    return std::ranges::any_of(run.events(), [&](const Event& event) {
        const auto* notice = std::get_if<Notice>(&event.body);
        return notice != nullptr && notice->message.code == code;
    });
}

const QByteArray TwoRanksMeet = R"(import torch
import torch.distributed as dist
dist.init_process_group("gloo")
t = torch.tensor([2.0, 3.0])
dist.all_reduce(t)
dist.all_reduce(t)
dist.destroy_process_group()
)";

bool areAtLine(const lesson::Recording& seen, int line)
{
    for (int rank = 0; rank < 2; ++rank)
        if (seen.latest().rankCount() < 2 || seen.latest().rank(rank).line != line)
            return false;
    return true;
}

} // namespace

/// Programs that don't behave, and faults that are made on purpose.
class tst_lesson_bad_input : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        if (torchInterpreter().isEmpty())
            QSKIP("no interpreter with torch");
        useOwnFolders(m_folder);
    }

    void aProgramThatLoopsForEverIsEnded()
    {
        const LessonRun run(
            {.program = "x = 0\nwhile True:\n    x += 1\n", .ranks = 1, .isHeld = false});
        QVERIFY(run.finish());
        QVERIFY(isSaid(run, code::LessonTooLong));
        QVERIFY(run.recording().step(run.recording().size() - 1).kind == LessonStep::Kind::Limit);
    }

    void aProgramThatPrintsWithoutEndIsEnded()
    {
        const LessonRun run(
            {.program = "while True:\n    print('x' * 200)\n", .ranks = 1, .isHeld = false});
        QVERIFY(run.finish());
        QVERIFY(isSaid(run, code::LessonTooLong));
    }

    void aProgramThatEndsAtOnceHasEnded()
    {
        const LessonRun run({.program = "", .ranks = 2, .isHeld = false});
        QVERIFY(run.finish());
        QVERIFY(run.state() == RunState::Succeeded);
    }

    void whatAProgramStartsIsNoRank()
    {
        const LessonRun run({.program = "import subprocess, sys\n"
                                        "out = subprocess.check_output([sys.executable, '-c', "
                                        "'print(40 + 2)'])\n"
                                        "text = out.decode().strip()\n",
                             .ranks = 2,
                             .isHeld = false});
        QVERIFY(run.finish());
        QVERIFY(run.state() == RunState::Succeeded);
        const auto recording = run.recording();
        for (int rank = 0; rank < 2; ++rank) {
            QVERIFY(recording.latest().rank(rank).phase == Phase::Finished);
            QCOMPARE(recording.latest().rank(rank).find("text")->value.elements.front(),
                     std::string("42"));
        }
    }

    void anExceptionIsShownAtItsLine_data()
    {
        QTest::addColumn<QByteArray>("program");
        QTest::addColumn<int>("line");
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("a missing module") << QByteArray("x = 1\nimport no_such_module\n") << 2
                                          << QByteArray("ModuleNotFoundError");
        QTest::newRow("no syntax")
            << QByteArray("x = 1\ny = = 2\n") << 2 << QByteArray("SyntaxError");
        QTest::newRow("in a function")
            << QByteArray("def f():\n    return [][3]\nf()\n") << 2 << QByteArray("IndexError");
        QTest::newRow("a GPU that isn't there")
            << QByteArray("import torch\nt = torch.zeros(1, device='cuda:7')\n") << 2
            << QByteArray("Error");
        QTest::newRow("sys.exit") << QByteArray("import sys\nsys.exit(3)\n") << 2
                                  << QByteArray("SystemExit: 3");
    }

    void anExceptionIsShownAtItsLine()
    {
        QFETCH(const QByteArray, program);
        QFETCH(const int, line);
        QFETCH(const QByteArray, text);
        const LessonRun run({.program = program, .ranks = 1, .isHeld = false});
        QVERIFY(run.finish());
        QVERIFY(run.state() == RunState::Failed);
        const lesson::State end = run.recording().latest();
        QVERIFY(end.rank(0).phase == Phase::Failed);
        QVERIFY2(end.rank(0).error.find(text.toStdString()) != std::string::npos,
                 end.rank(0).error.c_str());
        QCOMPARE(end.rank(0).line, line);
    }

    void aRankIsKilledOnPurpose()
    {
        LessonRun run({.program = TwoRanksMeet});
        QVERIFY(run.waitFor([](const auto& seen) { return areAtLine(seen, 1); }));
        QVERIFY(run.send(MoveLesson{.move = Move::ToLine, .line = 5}));
        QVERIFY(run.waitFor([](const auto& seen) { return areAtLine(seen, 5); }));
        QVERIFY(run.send(InjectFault{.kind = InjectFault::Kind::Kill, .globalRank = 1}));
        QVERIFY(run.finish());
        QVERIFY(run.recording().latest().rank(1).phase == Phase::Exited);
        QVERIFY(run.state() == RunState::Failed);
    }

    void aWrongShapeIsArmedForTheNextCall()
    {
        LessonRun run({.program = TwoRanksMeet});
        QVERIFY(run.waitFor([](const auto& seen) { return areAtLine(seen, 1); }));
        QVERIFY(run.send(MoveLesson{.move = Move::ToLine, .line = 5}));
        QVERIFY(run.waitFor([](const auto& seen) { return areAtLine(seen, 5); }));
        QVERIFY(run.send(InjectFault{.kind = InjectFault::Kind::WrongShape, .globalRank = 1}));
        QVERIFY(run.send(MoveLesson{.move = Move::ToEnd}));
        QVERIFY(run.waitFor(
            [](const auto& seen) { return !seen.latest().calls().disagreements().empty(); }));
        const auto recording = run.recording();
        const auto& disagreement = recording.latest().calls().disagreements().front();
        QCOMPARE(disagreement.disagreement(), std::string("size"));
        QCOMPARE(disagreement.parts.at(1).at.line, 5);
        const auto fault = [&] {
            for (size_t index = 0; index < recording.size(); ++index)
                if (recording.step(index).kind == LessonStep::Kind::Fault)
                    return recording.step(index).text;
            return std::string();
        }();
        QCOMPARE(fault, std::string("shape"));
    }

    void aCorruptedValueIsSeenInTheSum()
    {
        LessonRun run({.program = TwoRanksMeet});
        QVERIFY(run.waitFor([](const auto& seen) { return areAtLine(seen, 1); }));
        QVERIFY(run.send(MoveLesson{.move = Move::ToLine, .line = 5}));
        QVERIFY(run.waitFor([](const auto& seen) { return areAtLine(seen, 5); }));
        QVERIFY(run.send(InjectFault{.kind = InjectFault::Kind::CorruptData, .globalRank = 1}));
        QVERIFY(run.send(MoveLesson{.move = Move::ToLine, .line = 6}));
        QVERIFY(run.waitFor([](const auto& seen) { return areAtLine(seen, 6); }));
        const auto recording = run.recording();
        const auto* sum = recording.latest().rank(0).find("t");
        QVERIFY(sum != nullptr);
        QVERIFY(sum->value.elements.front() != "4.0");
        QCOMPARE(sum->value.elements.back(), std::string("6.0"));
    }

    void aFaultOfARankThatIsNotThereIsRefused()
    {
        LessonRun run({.program = TwoRanksMeet});
        QVERIFY(run.waitFor([](const auto& seen) { return areAtLine(seen, 1); }));
        for (const int rank : {-1, 2, 99}) {
            const auto refused =
                run.send(InjectFault{.kind = InjectFault::Kind::Delay, .globalRank = rank});
            QVERIFY(!refused.has_value());
            QVERIFY(refused.error().code == code::RankNotTraced);
        }
    }

private:
    QTemporaryDir m_folder;
};

QTEST_GUILESS_MAIN(tst_lesson_bad_input)
#include "tst_lesson_bad_input.moc"
