#include "tests/support/TorchInterpreter.h"

#include <QDebug>
#include <QDir>
#include <QFile>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

using ringmaster::test::torchInterpreter;

/// The programs of resources/examples/, run as a user runs them.
class tst_examples : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        if (torchInterpreter().isEmpty())
            QSKIP("no interpreter with torch: packaging/check installs one");
    }

    void digitsAreLearned()
    {
        const QString output =
            run({QStringLiteral("ddp_digits.py"), QStringLiteral("--epochs"), QStringLiteral("5"),
                 QStringLiteral("--batch"), QStringLiteral("128")},
                2);
        QVERIFY2(testAccuracy(output) > 95, qPrintable(output));
    }

    void trainingGoesOnFromItsCheckpointAfterACrash()
    {
        const QString output =
            run({QStringLiteral("ddp_digits_checkpoint.py"), QStringLiteral("--epochs"),
                 QStringLiteral("3"), QStringLiteral("--steps"), QStringLiteral("20"),
                 QStringLiteral("--checkpoint"), m_folder.filePath(QStringLiteral("checkpoint.pt")),
                 QStringLiteral("--crash-rank"), QStringLiteral("1"),
                 QStringLiteral("--crash-step"), QStringLiteral("30")},
                2, {QStringLiteral("--max-restarts"), QStringLiteral("1")});
        QVERIFY2(output.contains(QStringLiteral("rank 1 crashes in step 30")), qPrintable(output));
        for (const char* rank : {"rank 0", "rank 1"}) {
            const QString resumed = QLatin1String(rank) + QStringLiteral(": goes on after epoch 1");
            QCOMPARE(output.count(resumed), 1);
        }
        QVERIFY2(testAccuracy(output) > 0, qPrintable(output));
        QVERIFY(!QFile::exists(m_folder.filePath(QStringLiteral("checkpoint.pt"))));
    }

    void messagesArrive()
    {
        const QString output = run(
            {QStringLiteral("point_to_point.py"), QStringLiteral("--pause"), QStringLiteral("0")},
            4, {QStringLiteral("--warm"), QStringLiteral("on")});
        for (const char* line :
             {"rank 1: recv [1.0, 2.0, 3.0] from rank 0", "rank 0: recv from any: 30, from rank 3",
              "rank 2: all_reduce PRODUCT: brought 3, got 24",
              "rank 2: all_reduce SUM among ranks [0, 2]: 2"})
            QVERIFY2(output.contains(QLatin1String(line)), qPrintable(output));
    }

    void aJobFileRunsFromAnyFolder()
    {
        const QString output = ringmaster(
            {QStringLiteral(RINGMASTER_SOURCE_DIR "/resources/examples/point_to_point.ringjob")},
            m_folder.path());
        QVERIFY2(output.contains(QLatin1String("rank 3: all_reduce SUM: brought 4, got 10")),
                 qPrintable(output));
    }

private:
    /// The output of a run that has to succeed.
    QString ringmaster(const QStringList& arguments, const QString& folder)
    {
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("PYTHON_EXEC"), torchInterpreter());
        environment.insert(QStringLiteral("XDG_STATE_HOME"), m_folder.path());
        environment.insert(QStringLiteral("XDG_RUNTIME_DIR"), m_folder.path());
        QProcess process;
        process.setProcessEnvironment(environment);
        process.setProcessChannelMode(QProcess::MergedChannels);
        process.setWorkingDirectory(folder);
        process.start(QStringLiteral(RINGMASTER_BUILD_DIR "/bin/ringmaster"),
                      QStringList{QStringLiteral("run")} + arguments);
        const bool finished = process.waitForFinished(400'000);
        const QString output = QString::fromUtf8(process.readAll());
        if (finished && process.exitStatus() == QProcess::NormalExit && process.exitCode() == 0)
            return output;
        // QtTest cuts long messages off; the end of a run says why it failed.
        qWarning().noquote() << output.right(8000);
        return QStringLiteral("failed with %1").arg(process.exitCode());
    }

    QString run(const QStringList& program, int workers, const QStringList& options = {})
    {
        return ringmaster(QStringList{QStringLiteral("--standalone"),
                                      QStringLiteral("--nproc-per-node"),
                                      QString::number(workers)} +
                              options + program,
                          QStringLiteral(RINGMASTER_SOURCE_DIR "/resources/examples"));
    }

    /// In percent; -1 if the run didn't succeed or didn't say.
    static double testAccuracy(const QString& output)
    {
        const QRegularExpression said(QStringLiteral("test accuracy ([0-9.]+)%"));
        const QRegularExpressionMatch match = said.match(output);
        if (output.startsWith(QStringLiteral("failed")) || !match.hasMatch())
            return -1;
        return match.captured(1).toDouble();
    }

    QTemporaryDir m_folder;
};

QTEST_GUILESS_MAIN(tst_examples)
#include "tst_examples.moc"
