#include "tests/cli/Ringmaster.h"
#include "tests/support/TorchTest.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QtTest>

namespace {

/// Two ranks that stand still in a way of their own.
constexpr const char* Program = R"(import os, sys, threading
import torch, torch.distributed as dist

token = "hf_in_the_source"
dist.init_process_group("gloo")
rank = dist.get_rank()
one = torch.ones(1000)
for step in range(3):
    dist.all_reduce(one)
if sys.argv[1] == "hang" and rank == 1:
    held = threading.Lock()
    held.acquire()
    held.acquire()
elif sys.argv[1] == "circle":
    dist.recv(one, src=1 - rank)
elif sys.argv[1] == "mismatch" and rank == 1:
    dist.broadcast(one, src=0)
dist.all_reduce(one)
os._exit(0)
)";

} // namespace

/// `ringmaster lesson make`, of real runs while they hang, and what comes of its file where
/// neither the run nor its program is.
class tst_lesson_of_run : public ringmaster::test::TorchTest
{
    Q_OBJECT

private Q_SLOTS:
    void aRunBecomesALesson_data()
    {
        QTest::addColumn<QString>("mode");
        QTest::addColumn<QByteArray>("told"); // by the run, then there is a verdict
        QTest::addColumn<QByteArray>("answer");
        QTest::addColumn<int>("steps"); // at least
        QTest::newRow("hang") << "hang" << QByteArray("which does nothing")
                              << QByteArray("The answer: rank 1,") << 13;
        QTest::newRow("circle") << "circle" << QByteArray("in a circle")
                                << QByteArray("The answer: ranks 0, 1,") << 14;
        QTest::newRow("mismatch") << "mismatch" << QByteArray("don't agree")
                                  << QByteArray("The answer: ranks 0, 1,") << 14;
    }

    void aRunBecomesALesson()
    {
        QFETCH(const QString, mode);
        QFETCH(const QByteArray, told);
        QFETCH(const QByteArray, answer);
        QFETCH(const int, steps);
        const QTemporaryDir folder;
        const QString program = folder.filePath("train.py");
        QVERIFY(write(program, Program));
        Ringmaster ringmaster(runtime());
        ringmaster.environment().insert("HF_TOKEN", "hf_of_the_shell");
        const auto job =
            ringmaster.start({"run", "--standalone", "--nproc-per-node", "2", "--grace", "2",
                              "--python", python(), "--warm", "on", program, mode});
        QVERIFY(waitForText(*job, told, QProcess::StandardError));
        const QString run = ringmaster.runs().value(0);
        // It is told before it is recorded.
        QTRY_VERIFY(ringmaster.run({"show", run}).output.contains(told));
        const QString file = folder.filePath("made.ringlesson");
        const auto made = ringmaster.run({"lesson", "make", run, "-o", file});
        job->terminate();
        Ringmaster::finish(*job);
        QVERIFY2(made.exitCode == 0, made.error);

        QVERIFY(QFile::remove(program));
        const QByteArray text = read(file);
        QVERIFY2(text.contains("dist.all_reduce(one)"), text);
        QVERIFY(!text.contains("hf_in_the_source") && !text.contains("hf_of_the_shell"));
        QVERIFY(!text.contains(folder.path().toUtf8()));
        const Ringmaster elsewhere;
        const auto checked = elsewhere.run({"lesson", "check", file});
        QVERIFY2(checked.exitCode == 0, checked.error);
        const auto played = elsewhere.run({"lesson", "run", file});
        QVERIFY2(played.exitCode == 0, played.error);
        QVERIFY2(played.output.contains(answer), played.output);
        QVERIFY(elsewhere.runs().isEmpty());
        const auto recorded = elsewhere.run({"lesson", "run", file, "--json"});
        QVERIFY2(recorded.output.count('\n') >= steps, recorded.output);
        for (const QByteArray& line : recorded.output.trimmed().split('\n'))
            QCOMPARE(QJsonDocument::fromJson(line)["kind"].toString(), QString("lessonStep"));
    }

    /// Nothing was said of it.
    void aRunThatWentWellIsNoLesson()
    {
        const Ringmaster ringmaster;
        QCOMPARE(ringmaster.run({"run", "--no-python", "/bin/true"}).exitCode, 0);
        const auto made = ringmaster.run({"lesson", "make", ringmaster.runs().value(0)});
        QVERIFY(made.exitCode != 0);
        QVERIFY2(made.error.contains("Nothing is said of run"), made.error);
    }

    /// What can only be seen when it runs, at the lines of the lesson.
    void aLessonIsCheckedByRunningIt()
    {
        Ringmaster ringmaster(runtime());
        ringmaster.environment().insert("RINGMASTER_PYTHON", python());
        ringmaster.environment().insert("PATH", QFileInfo(python()).path() + ":/usr/bin:/bin");
        const QTemporaryDir folder;
        const QString file = folder.filePath("small.ringlesson");
        QByteArray text =
            read(QStringLiteral(RINGMASTER_SOURCE_DIR) + "/resources/examples/my-first.ringlesson");
        QVERIFY(write(file, text));
        const auto fine = ringmaster.run({"lesson", "check", file, "--run"});
        QVERIFY2(fine.exitCode == 0 && fine.output.contains("fine"), fine.error);

        text.replace("expect = \"succeeds\"", "expect = \"deadlocks\"");
        text.replace("# occurrence = 2 ", "occurrence = 7 ");
        QVERIFY(write(file, text));
        const auto lineOf = [&text](const char* part) {
            return "line " + QByteArray::number(text.left(text.indexOf(part)).count('\n') + 1) +
                   ",";
        };
        const auto wrong = ringmaster.run({"lesson", "check", file, "--run"});
        QVERIFY(wrong.exitCode != 0);
        QVERIFY2(wrong.error.contains(lineOf("expect = \"deadlocks\"")), wrong.error);
        QVERIFY2(wrong.error.contains(lineOf("[[question]]")), wrong.error);
        QVERIFY2(wrong.error.contains("came to \"succeeds\""), wrong.error);

        text.replace("half = tensor / 2", "half = tensor / / 2");
        QVERIFY(write(file, text));
        const auto broken = ringmaster.run({"lesson", "check", file});
        QVERIFY(broken.exitCode != 0);
        QVERIFY2(broken.error.contains(lineOf("half = tensor / / 2")), broken.error);
    }

    void answersOfManyBecomeASheet()
    {
        const Ringmaster ringmaster;
        const QTemporaryDir folder;
        QVERIFY(QDir().mkpath(ringmaster.folder() + "/state/ringmaster"));
        QVERIFY(write(ringmaster.folder() + "/state/ringmaster/lessons.json",
                      R"({"deadlock": {"hasRun": true, "questions": [0], "attempts": 4}})"));
        const QString ada = folder.filePath("ada.json");
        const QString grace = folder.filePath("grace.json");
        QCOMPARE(ringmaster.run({"lesson", "answers", "--learner", "Ada", "-o", ada}).exitCode, 0);
        const auto printed = ringmaster.run({"lesson", "answers", "--learner", "Grace"});
        QCOMPARE(printed.exitCode, 0);
        QVERIFY(write(grace, printed.output));
        const auto table = ringmaster.run({"lesson", "sheet", grace, ada});
        QCOMPARE(table.exitCode, 0);
        QVERIFY2(table.output.indexOf("Ada") < table.output.indexOf("Grace"), table.output);
        const auto csv = ringmaster.run({"lesson", "sheet", "--csv", grace, ada});
        QVERIFY2(csv.output.startsWith("learner,lesson,attempts,right,questions,tasks\r\n"
                                       "Ada,deadlock,4,1,") &&
                     csv.output.count("deadlock") == 2,
                 csv.output);
        const auto wrong = ringmaster.run({"lesson", "sheet", ada, folder.filePath("none.json")});
        QVERIFY(wrong.exitCode != 0);
        QVERIFY2(wrong.error.contains("none.json"), wrong.error);
        QVERIFY(wrong.output.isEmpty());
    }

private:
    static bool write(const QString& path, const QByteArray& text)
    {
        QFile file(path);
        return file.open(QIODevice::WriteOnly) && file.write(text) == text.size();
    }

    static QByteArray read(const QString& path)
    {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
};

QTEST_GUILESS_MAIN(tst_lesson_of_run)
#include "tst_lesson_of_run.moc"
