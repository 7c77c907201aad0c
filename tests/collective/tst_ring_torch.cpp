#include "tests/support/TorchInterpreter.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QTcpServer>
#include <QtTest>

#include <memory>
#include <vector>

using ringmaster::test::torchInterpreter;

namespace {

const QString Package = QStringLiteral(RINGMASTER_BUILD_DIR "/bin/ringmaster-ring");

int freePort()
{
    QTcpServer server;
    server.listen(QHostAddress::LocalHost);
    return server.serverPort();
}

/// A script as `size` ranks; what each printed and how it ended.
QStringList runRanks(const char* script, int size, const QString& backend = {})
{
    std::vector<std::unique_ptr<QProcess>> ranks;
    const QString port = QString::number(freePort());
    for (int rank = 0; rank < size; ++rank) {
        auto process = std::make_unique<QProcess>();
        auto environment = QProcessEnvironment::systemEnvironment();
        environment.insert("PYTHONPATH", Package);
        environment.insert("RANK", QString::number(rank));
        environment.insert("WORLD_SIZE", QString::number(size));
        environment.insert("MASTER_ADDR", "127.0.0.1");
        environment.insert("MASTER_PORT", port);
        environment.insert("OMP_NUM_THREADS", "1");
        environment.insert("BACKEND", backend);
        process->setProcessEnvironment(environment);
        process->start(torchInterpreter(),
                       {QString(RINGMASTER_SOURCE_DIR "/tests/collective/") + script});
        ranks.push_back(std::move(process));
    }
    QStringList outcomes;
    for (const auto& rank : ranks) {
        if (rank->state() != QProcess::NotRunning && !rank->waitForFinished(240'000))
            rank->kill();
        rank->waitForFinished();
        const bool hasFailed = rank->exitStatus() != QProcess::NormalExit || rank->exitCode() != 0;
        outcomes << rank->readAllStandardOutput() +
                        (hasFailed ? rank->readAllStandardError().right(2000) : QByteArray());
    }
    return outcomes;
}

} // namespace

class tst_RingTorch : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        if (torchInterpreter().isEmpty())
            QSKIP("there is no interpreter with torch (RINGMASTER_PYTHON)");
        if (QDir(Package + "/ringmaster_ring").entryList({"_ring*.so"}).isEmpty())
            QSKIP("the backend isn't built: there were no headers of Python or torch");
    }

    void everyOperationGivesWhatGlooGives_data()
    {
        QTest::addColumn<int>("size");
        for (const int size : {2, 3, 5, 8})
            QTest::addRow("%d ranks", size) << size;
    }

    void everyOperationGivesWhatGlooGives()
    {
        QFETCH(int, size);
        for (const QString& outcome : runRanks("ring_against_gloo.py", size))
            QCOMPARE(outcome.left(4000), QString("OK\n"));
    }

    void ddpTrainsToTheSameLoss()
    {
        const QString onGloo = runRanks("ddp_loss.py", 2, "gloo").first();
        QCOMPARE(onGloo.count('\n'), 20);
        QCOMPARE(runRanks("ddp_loss.py", 2, "ring").first(), onGloo);
        // A backend a kind of device, as a job with GPUs writes it.
        QCOMPARE(runRanks("ddp_loss.py", 2, "cpu:ring,cuda:gloo").first(), onGloo);
    }

    void trainsOnTheCpuBesideNccl()
    {
        if (!QFile::exists("/dev/nvidiactl"))
            QSKIP("there is no GPU, without which torch makes no nccl backend");
        QCOMPARE(runRanks("ddp_loss.py", 2, "cpu:ring,cuda:nccl").first(),
                 runRanks("ddp_loss.py", 2, "gloo").first());
    }

    void tellsItsChunksWhenAsked()
    {
        for (const QString& outcome : runRanks("ring_steps.py", 2))
            QCOMPARE(outcome.left(4000), QString("OK\n"));
    }
};

QTEST_GUILESS_MAIN(tst_RingTorch)
#include "tst_ring_torch.moc"
