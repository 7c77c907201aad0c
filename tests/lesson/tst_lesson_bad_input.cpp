#include "LessonTest.h"
#include "engine/lesson/Codes.h"

#include <chrono>
#include <map>
#include <set>

using namespace ringmaster;
using namespace ringmaster::test;
using Phase = lesson::RankState::Phase;

namespace {

/// A loop is stopped after 20,000 steps, which take minutes where processors are shared. Shorter
/// than QTEST_FUNCTION_TIMEOUT.
constexpr auto LoopPatience = std::chrono::minutes(14);

bool isSaid(const LessonRun& run, Code code)
{
    return std::ranges::any_of(run.events(), [&](const Event& event) {
        const auto* notice = std::get_if<Notice>(&event.body);
        return notice != nullptr && notice->message.code == code;
    });
}

} // namespace

/// Programs that don't behave.
class tst_lesson_bad_input : public LessonTest
{
    Q_OBJECT

private Q_SLOTS:
    void aProgramThatLoopsForEverIsEnded()
    {
        const LessonRun run(
            {.program = "x = 0\nwhile True:\n    x += 1\n", .ranks = 1, .isHeld = false});
        QVERIFY(run.finish(LoopPatience));
        QVERIFY(isSaid(run, code::LessonTooLong));
        QVERIFY(run.recording().step(run.recording().size() - 1).kind == LessonStep::Kind::Limit);
    }

    void aProgramThatPrintsWithoutEndIsEnded()
    {
        const LessonRun run(
            {.program = "while True:\n    print('x' * 200)\n", .ranks = 1, .isHeld = false});
        QVERIFY(run.finish(LoopPatience));
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

    void aFileBesideTheProgramIsTracedHoweverDeep()
    {
        // A package of the program's own, and one that is installed in an environment there.
        QTemporaryDir folder;
        const auto write = [&](const char* path, const char* text) {
            const QFileInfo place(folder.filePath(QString::fromLatin1(path)));
            QDir().mkpath(place.path());
            QFile file(place.filePath());
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write(text);
        };
        write("parts/deep/helper.py", "def twice(x):\n    y = 2 * x\n    return y\n");
        write("env/pyvenv.cfg", "home = /usr\n");
        write("env/lib/installed.py", "def thrice(x):\n    return 3 * x\n");
        write("main.py", "import sys\nsys.path += ['parts', 'env/lib']\n"
                         "from deep.helper import twice\nfrom installed import thrice\n"
                         "z = twice(4) + thrice(1)\n");
        const LessonRun run(
            {.file = folder.filePath(QStringLiteral("main.py")), .ranks = 1, .isHeld = false});
        QVERIFY(run.finish());
        const auto recording = run.recording();
        std::map<std::string, std::set<int>> lines;
        for (size_t index = 0; index < recording.size(); ++index)
            lines[recording.step(index).file].insert(recording.step(index).line);
        QCOMPARE(lines.size(), 2U);
        QCOMPARE(lines["parts/deep/helper.py"], (std::set<int>{1, 2, 3}));
        QVERIFY(lines["main.py"].contains(5));
        QCOMPARE(recording.latest().rank(0).find("z")->value.elements.front(), std::string("11"));
    }
};

QTEST_GUILESS_MAIN(tst_lesson_bad_input)
#include "tst_lesson_bad_input.moc"
