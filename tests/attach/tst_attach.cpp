#include "tests/cli/Ringmaster.h"
#include "tests/support/TorchTest.h"
#include "tests/support/TorchrunJob.h"

#include <QDir>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QtTest>

#include <csignal>

namespace {

constexpr int MostRounds = 20;

QString hangs()
{
    return QStringLiteral(RINGMASTER_SOURCE_DIR "/tests/attach/programs/hangs.py");
}

} // namespace

/// `ringmaster attach` to jobs that the real torchrun, or nothing at all, has started.
class tst_attach : public ringmaster::test::TorchTest
{
    Q_OBJECT

private Q_SLOTS:
    /// In each of them rank 2 keeps the others waiting; nobody else may be named.
    void theRankThatKeepsTheOthersIsNamed()
    {
        const QStringList modes{"missing_all_reduce",
                                "lock",
                                "pipe",
                                "loop",
                                "gil",
                                "thread",
                                "loader",
                                "send",
                                "barrier",
                                "skipped",
                                "wait",
                                "backward",
                                "stopped"};
        QProcess jobs;
        jobs.start(python(), QStringList{hangs()} + modes);
        QVERIFY2(waitForText(jobs, "ready", QProcess::StandardError, 300'000),
                 jobs.readAllStandardError());
        QMap<QString, int> first; // rank 0 of each mode
        for (const QByteArray& line : jobs.readAllStandardOutput().split('\n')) {
            const auto words = line.split(' ');
            if (words.value(0) == "hangs")
                first.insert(QString::fromLatin1(words.value(1)), words.value(2).toInt());
        }
        QCOMPARE(first.size(), modes.size());

        // Some are still on their way: then nobody is named, and never another rank.
        QMap<QString, int> left = first;
        for (int round = 0; round < MostRounds && !left.isEmpty(); ++round) {
            const auto looks = look(left.values());
            for (const QString& mode : left.keys()) {
                const QJsonObject job = looks.value(first.value(mode));
                const QJsonArray odd = job[QStringLiteral("odd")].toArray();
                const QString told =
                    mode + QStringLiteral(": ") +
                    job[QStringLiteral("statement")][QStringLiteral("text")].toString();
                QVERIFY2(job[QStringLiteral("ranks")].toArray().size() == 4, qPrintable(told));
                QVERIFY2(odd.isEmpty() || odd == QJsonArray{2}, qPrintable(told));
                if (!odd.isEmpty())
                    left.remove(mode);
            }
        }
        QVERIFY2(left.isEmpty(), qPrintable(QStringList(left.keys()).join(QLatin1Char(' '))));
        jobs.closeWriteChannel();
        QVERIFY(jobs.waitForFinished());
    }

    void torchrunsJobIsNamedWithItsRanksAndStaysAsItIs()
    {
        ringmaster::test::TorchrunJob torchrun(python(), QStringLiteral("late.py"), R"(
import sys, time, torch, torch.distributed as dist
dist.init_process_group("gloo")
dist.barrier()
if dist.get_rank() == 0:
    print("all there", flush=True)
if dist.get_rank() == 1:
    time.sleep(1000)
dist.all_reduce(torch.ones(4))
)");
        const auto launcher = static_cast<int>(torchrun.launcher());
        QVERIFY2(waitForText(torchrun.process(), "all there", QProcess::StandardOutput, 300'000),
                 torchrun.process().readAllStandardError());
        QJsonObject job;
        QTRY_VERIFY_WITH_TIMEOUT(
            (job = look({launcher}).value(launcher))[QStringLiteral("odd")].toArray() ==
                QJsonArray{1},
            120'000);
        QCOMPARE(job[QStringLiteral("launcher")].toString(), QStringLiteral("torchrun"));
        QCOMPARE(job[QStringLiteral("name")].toString(), QStringLiteral("late.py"));
        QCOMPARE(job[QStringLiteral("worldSize")].toInt(), 3);
        QCOMPARE(job[QStringLiteral("operation")].toString(), QStringLiteral("all_reduce"));
        QVERIFY(job[QStringLiteral("areRanksKnown")].toBool());

        const Ringmaster ringmaster;
        Ringmaster::Outcome shown;
        const auto isShown = [&] {
            shown = ringmaster.run({QStringLiteral("attach"), QString::number(launcher)});
            return shown.output.contains("Ranks 0 and 2 are in all_reduce; rank 1 is not.") &&
                   shown.output.contains("late.py line 8");
        };
        QTRY_VERIFY2_WITH_TIMEOUT(isShown(), shown.output + shown.error, 120'000);
        QCOMPARE(shown.exitCode, 0);
        QVERIFY2(!shown.output.contains("GPU"), shown.output);
        theGpusThatRanksHoldAreTold(job[QStringLiteral("ranks")].toArray());
        QCOMPARE(torchrun.process().state(), QProcess::Running);
    }

    void aProcessThatIsNoneSaysSo()
    {
        const Ringmaster ringmaster;
        const auto told = ringmaster.run(
            {QStringLiteral("attach"), QString::number(QCoreApplication::applicationPid())});
        QCOMPARE(told.exitCode, 2);
        QVERIFY2(told.error.contains("belongs to no job"), told.error);
    }

private:
    /// By a library in the place of the driver's: memory by process, and how busy the GPU is.
    static void theGpusThatRanksHoldAreTold(const QJsonArray& ranks)
    {
        Ringmaster ringmaster;
        QVERIFY(QFile::link(QStringLiteral(RINGMASTER_FAKE_NVML),
                            ringmaster.folder() + QStringLiteral("/libnvidia-ml.so.1")));
        const int pid = ranks[1][QStringLiteral("pid")].toInt();
        ringmaster.environment().insert(QStringLiteral("LD_LIBRARY_PATH"), ringmaster.folder());
        ringmaster.environment().insert(
            QStringLiteral("RINGMASTER_FAKE_GPU_PROCESSES"),
            QStringLiteral("0:%1:3221225472 1:%1:1048576 1:1:5000").arg(pid));
        const QString number = QString::number(pid);
        const auto text = ringmaster.run({QStringLiteral("attach"), number});
        QVERIFY2(text.output.contains("0: 3.0 GiB, 75 % busy; 1: 1.0 MiB"), text.output);
        const auto told =
            ringmaster.run({QStringLiteral("attach"), number, QStringLiteral("--json")});
        const QJsonArray known =
            QJsonDocument::fromJson(told.output)[QStringLiteral("jobs")][0][QStringLiteral("ranks")]
                .toArray();
        QCOMPARE(known.size(), ranks.size());
        QVERIFY(known[0][QStringLiteral("gpus")].toArray().isEmpty());
        const QJsonArray gpus = known[1][QStringLiteral("gpus")].toArray();
        QCOMPARE(gpus.size(), 2);
        QCOMPARE(gpus[0][QStringLiteral("usedBytes")].toInteger(), 3'221'225'472);
        QCOMPARE(gpus[0][QStringLiteral("utilisation")].toDouble(), 0.75);
        QCOMPARE(gpus[1][QStringLiteral("gpu")].toInt(), 1);
        QVERIFY(gpus[1][QStringLiteral("utilisation")].isNull());
    }

    /// The jobs of these processes, looked at a few at a time; by process.
    static QMap<int, QJsonObject> look(const QList<int>& processes)
    {
        constexpr qsizetype AtOnce = 3;
        const Ringmaster ringmaster;
        QMap<int, QJsonObject> looks;
        for (qsizetype begin = 0; begin < processes.size(); begin += AtOnce) {
            std::vector<std::pair<int, std::unique_ptr<QProcess>>> commands;
            for (const int pid : processes.mid(begin, AtOnce))
                commands.emplace_back(
                    pid, ringmaster.start({QStringLiteral("attach"), QString::number(pid),
                                           QStringLiteral("--json")}));
            for (const auto& [pid, command] : commands) {
                const auto outcome = Ringmaster::finish(*command);
                const auto jobs = QJsonDocument::fromJson(outcome.output)[QStringLiteral("jobs")];
                looks.insert(pid, jobs.toArray().first().toObject());
            }
        }
        return looks;
    }
};

QTEST_GUILESS_MAIN(tst_attach)
#include "tst_attach.moc"
