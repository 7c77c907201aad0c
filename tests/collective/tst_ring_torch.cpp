#include "tests/support/FreePort.h"
#include "tests/support/GlooGreeting.h"
#include "tests/support/SharedTorch.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QtTest>

using ringmaster::test::freePort;
using ringmaster::test::SharedTorch;
using ringmaster::test::torchInterpreter;
using ringmaster::test::withoutGloosGreeting;

namespace {

const QString Package = QStringLiteral(RINGMASTER_BUILD_DIR "/bin/ringmaster-ring");

/// A script as `size` ranks of one program (torch_ranks.py); what each printed, and what a failed
/// one said.
QStringList runRanks(const SharedTorch& torch, const char* script, int size,
                     const QString& backend = {})
{
    QProcess process;
    auto environment = QProcessEnvironment::systemEnvironment();
    environment.insert("BACKEND", backend);
    process.setProcessEnvironment(environment);
    process.start(torch.python(), {RINGMASTER_SOURCE_DIR "/tests/support/torch_ranks.py",
                                   QString::number(size), QString::number(freePort()),
                                   QString(RINGMASTER_SOURCE_DIR "/tests/collective/") + script});
    if (!process.waitForFinished(240'000))
        process.kill();
    process.waitForFinished();
    QStringList outcomes = QString::fromUtf8(process.readAllStandardOutput()).split(QChar(0));
    outcomes.removeLast();
    for (qsizetype rank = 0; rank < outcomes.size(); ++rank) {
        const QString passed = QString("rank %1: exit 0\n").arg(rank);
        if (outcomes[rank].startsWith(passed))
            outcomes[rank].remove(0, passed.size());
        outcomes[rank] = withoutGloosGreeting(outcomes[rank]);
    }
    if (outcomes.size() != size)
        return {"not every rank ended: " + process.readAllStandardError().right(2000)};
    return outcomes;
}

} // namespace

class tst_ring_torch : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        if (torchInterpreter().isEmpty())
            QSKIP("there is no interpreter with torch (RINGMASTER_PYTHON)");
        if (QDir(Package + "/ringmaster_ring").entryList({"torch-*.so"}).isEmpty())
            QSKIP("the backend isn't built: there were no headers of Python or torch");
        // torch looks for backends, and for the number of its threads, when it is imported.
        qputenv("PYTHONPATH", Package.toLocal8Bit());
        qputenv("OMP_NUM_THREADS", "1");
        m_torch = std::make_unique<SharedTorch>();
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
        for (const QString& outcome : runRanks(*m_torch, "ring_against_gloo.py", size))
            QCOMPARE(outcome.left(4000), QString("OK\n"));
    }

    void aForkedProcessNoticesItsPeersEnd()
    {
        QCOMPARE(runRanks(*m_torch, "ring_after_fork.py", 1).first().left(4000), QString("OK\n"));
    }

    void aForkedProcessIsToldThatTheGroupIsItsParents()
    {
        for (const QString& outcome : runRanks(*m_torch, "ring_inherited.py", 2))
            QCOMPARE(outcome.left(4000), QString("OK\n"));
    }

    void ddpTrainsToTheSameLoss()
    {
        const QString onGloo = runRanks(*m_torch, "ddp_loss.py", 2, "gloo").first();
        QCOMPARE(onGloo.count('\n'), 20);
        QCOMPARE(runRanks(*m_torch, "ddp_loss.py", 2, "ring").first(), onGloo);
        // A backend a kind of device, as a job with GPUs writes it.
        QCOMPARE(runRanks(*m_torch, "ddp_loss.py", 2, "cpu:ring,cuda:gloo").first(), onGloo);
    }

    void trainsOnTheCpuBesideNccl()
    {
        if (!QFile::exists("/dev/nvidiactl"))
            QSKIP("there is no GPU, without which torch makes no nccl backend");
        QCOMPARE(runRanks(*m_torch, "ddp_loss.py", 2, "cpu:ring,cuda:nccl").first(),
                 runRanks(*m_torch, "ddp_loss.py", 2, "gloo").first());
    }

    void tellsItsChunksWhenAsked()
    {
        for (const QString& outcome : runRanks(*m_torch, "ring_steps.py", 2))
            QCOMPARE(outcome.left(4000), QString("OK\n"));
    }

private:
    std::unique_ptr<SharedTorch> m_torch;
};

QTEST_GUILESS_MAIN(tst_ring_torch)
#include "tst_ring_torch.moc"
