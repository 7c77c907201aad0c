#include "tests/acceptance/Tool.h"
#include "tests/support/TorchInterpreter.h"

#include <QStandardPaths>
#include <QtTest>

#include <unistd.h>

using namespace ringmaster::acceptance;
using ringmaster::test::torchInterpreter;

/// The script that Ringmaster writes for Slurm, run by a real Slurm with the real torchrun.
class tst_sbatch_script : public QObject
{
    Q_OBJECT

private:
    static bool isThere(const char* command)
    {
        return !QStandardPaths::findExecutable(QString::fromUtf8(command)).isEmpty() ||
               QFile::exists(QStringLiteral("/usr/sbin/") + QString::fromUtf8(command));
    }

private Q_SLOTS:
    void initTestCase()
    {
        if (!Tool::torchrunIsThere())
            QSKIP("no torchrun beside the interpreter");
        if (::geteuid() != 0)
            QSKIP("a Slurm of its own needs root");
        for (const char* command : {"sbatch", "srun", "slurmctld", "slurmd", "munged"})
            if (!isThere(command))
                QSKIP(qPrintable(QStringLiteral("%1 is missing (Debian: slurm-wlm, munge)")
                                     .arg(QString::fromUtf8(command))));
    }

    void oneProcessGroupOverTwoNodes()
    {
        const QTemporaryDir folder;
        const QString script = folder.filePath(QStringLiteral("group.sbatch"));
        const QString output = folder.filePath(QStringLiteral("output"));
        QProcess write;
        write.start(
            QStringLiteral(RINGMASTER_BUILD_DIR "/bin/ringmaster"),
            {QStringLiteral("job"), QStringLiteral("--to-sbatch"), QStringLiteral("-o"), script,
             QStringLiteral("--name"), QStringLiteral("two nodes"), QStringLiteral("--nnodes"),
             QStringLiteral("2"), QStringLiteral("--nproc-per-node"), QStringLiteral("2"),
             QStringLiteral("--slurm-time"), QStringLiteral("0:10:00"),
             QStringLiteral("--slurm-partition"), QStringLiteral("main"), QStringLiteral("--env"),
             QStringLiteral("HF_TOKEN=hidden"), QStringLiteral("--python"), torchInterpreter(),
             program(QStringLiteral("group.py"))});
        const Outcome written = finish(write);
        QVERIFY2(written.exitCode == 0, written.standardError.constData());
        QProcess slurm;
        auto environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("HF_TOKEN"), QStringLiteral("mine"));
        slurm.setProcessEnvironment(environment);
        slurm.setWorkingDirectory(folder.path());
        slurm.start(QStringLiteral(RINGMASTER_SOURCE_DIR "/tests/labs/slurm.sh"),
                    {QStringLiteral("2"), QStringLiteral("sbatch"), QStringLiteral("--wait"),
                     QStringLiteral("--output=") + output, script});
        const Outcome done = finish(slurm, 280);
        QFile file(output);
        QVERIFY2(file.open(QIODevice::ReadOnly), done.standardError.constData());
        const QByteArray text = file.readAll();
        QVERIFY2(done.exitCode == 0, (done.standardError + text.right(4000)).constData());
        for (int rank = 0; rank < 4; ++rank)
            QVERIFY2(
                text.contains("rank " + QByteArray::number(rank) + " of 4 sum 6.0 launched True\n"),
                text.right(4000).constData());
    }
};

QTEST_GUILESS_MAIN(tst_sbatch_script)
#include "tst_sbatch_script.moc"
