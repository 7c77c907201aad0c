#include "tests/TestMain.h"
#include "tests/cli/Ringmaster.h"
#include "tests/support/TorchTest.h"
#include "tests/support/TorchrunJob.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QtTest>

/// Jobs of the real torchrun whose ranks record themselves.
class tst_hooked_job : public ringmaster::test::TorchTest
{
    Q_OBJECT

private Q_SLOTS:
    void whoIsAbsentIsReadFromTheRecording()
    {
        ringmaster::test::TorchrunJob job(python(), QStringLiteral("late.py"), R"(
import os, time, torch, torch.distributed as dist
dist.init_process_group("gloo")
pair = dist.new_group([0, 1])
for _ in range(5):
    dist.all_reduce(torch.ones(4))
if dist.get_rank() == 0:
    print("all there", flush=True)
if dist.get_rank() == 1:
    time.sleep(1000)
if dist.get_rank() == 2:
    dist.all_reduce(torch.ones(4))
dist.all_reduce(torch.ones(8), group=pair)
)",
                                          hooked());
        QTRY_VERIFY2_WITH_TIMEOUT(job.output().contains("all there"),
                                  job.process().readAllStandardError(), 300'000);
        // Their stacks alone show two ranks in all_reduce, not which. As long as rank 0 is on its
        // way, it is waited for, too.
        QJsonObject found;
        const auto guilty = [&] {
            found = look(job);
            return found[QStringLiteral("verdicts")][0][QStringLiteral("guilty")].toArray();
        };
        QTRY_COMPARE_WITH_TIMEOUT(guilty(), QJsonArray{1}, 300'000);
        QByteArray text;
        const auto isAllTold = [&] {
            text = textOf(job);
            // Where ranks 2 and 0 wait, and where rank 1 stands.
            return text.contains("late.py line 12") && text.contains("late.py line 13") &&
                   text.contains("late.py line 10") && text.contains("all_reduce #6") &&
                   text.contains("for rank 1") && text.contains("This is recorded");
        };
        QTRY_VERIFY2_WITH_TIMEOUT(isAllTold(), text, 300'000);
        for (const auto& rank : found[QStringLiteral("ranks")].toArray())
            QVERIFY(rank[QStringLiteral("isRecorded")].toBool());
        QCOMPARE(job.process().state(), QProcess::Running);
    }

    /// A place that isn't there, a value of another version: the program must not notice.
    void withoutTheHookItStaysAsItWas()
    {
        QProcessEnvironment environment = hooked();
        environment.insert(QStringLiteral("PYTHONPATH"), QStringLiteral("/nowhere"));
        ringmaster::test::TorchrunJob job(python(), QStringLiteral("short.py"), Program,
                                          environment);
        QVERIFY(job.process().waitForFinished(300'000));
        QCOMPARE(job.process().exitCode(), 0);
        QVERIFY(job.output().contains("sum 3.0"));
    }

    void theProgramIsNotDisturbed_data()
    {
        QTest::addColumn<QString>("value");
        QTest::newRow("recorded") << QStringLiteral("1");
        QTest::newRow("another version's") << QStringLiteral("2;nonsense=%zz;ledger=,");
        QTest::newRow("no such ledger") << QStringLiteral("ledger=/nowhere,/nowhere");
    }

    /// It ends as it would, and has printed nothing else.
    void theProgramIsNotDisturbed()
    {
        QFETCH(QString, value);
        QProcessEnvironment environment = hooked();
        environment.insert(QStringLiteral("RINGMASTER_HOOK"), value);
        environment.insert(QStringLiteral("XDG_RUNTIME_DIR"), QStringLiteral("/nowhere"));
        environment.insert(QStringLiteral("OMP_NUM_THREADS"), QStringLiteral("1"));
        ringmaster::test::TorchrunJob job(python(), QStringLiteral("short.py"), Program,
                                          environment);
        QVERIFY(job.process().waitForFinished(300'000));
        const QByteArray errors = job.process().readAllStandardError();
        QVERIFY2(job.process().exitCode() == 0, errors);
        QVERIFY2(!errors.contains("ingmaster"), errors);
        QCOMPARE(job.output(), QByteArray("sum 3.0\nsum 3.0\nsum 3.0\n"));
    }

    void theHooksFolderComesBeforeTheUsersOwn()
    {
        const Ringmaster ringmaster;
        const auto printed = ringmaster.run({QStringLiteral("hook")});
        QCOMPARE(printed.exitCode, 0);
        const QString folder =
            QString::fromUtf8(printed.output).trimmed().section(QLatin1Char(':'), 0, 0);
        QVERIFY(QFile::exists(folder + QStringLiteral("/sitecustomize.py")));
    }

private:
    static constexpr auto Program = R"(
import sys, torch, torch.distributed as dist
dist.init_process_group("gloo")
total = torch.ones(1)
dist.all_reduce(total)
sys.stdout.write("sum %s\n" % total.item())
sys.stdout.flush()
dist.destroy_process_group()
)";

    /// As the one-liner of the manual has it.
    static QProcessEnvironment hooked()
    {
        const Ringmaster ringmaster;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(
            QStringLiteral("PYTHONPATH"),
            QString::fromUtf8(ringmaster.run({QStringLiteral("hook")}).output).trimmed());
        environment.insert(QStringLiteral("RINGMASTER_HOOK"), QStringLiteral("1"));
        return environment;
    }

    static QByteArray textOf(ringmaster::test::TorchrunJob& job)
    {
        const Ringmaster ringmaster;
        return ringmaster.run({QStringLiteral("attach"), QString::number(job.launcher())}).output;
    }

    static QJsonObject look(ringmaster::test::TorchrunJob& job)
    {
        const Ringmaster ringmaster;
        const auto outcome = ringmaster.run(
            {QStringLiteral("attach"), QString::number(job.launcher()), QStringLiteral("--json")});
        return QJsonDocument::fromJson(outcome.output)[QStringLiteral("jobs")][0].toObject();
    }
};

QTEST_GUILESS_MAIN(tst_hooked_job)
#include "tst_hooked_job.moc"
