#include "tests/cli/Ringmaster.h"
#include "tests/support/TorchInterpreter.h"

#include <QtTest>

/// Real PyTorch workers under `ringmaster run`.
class tst_run_torch : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        m_python = ringmaster::test::torchInterpreter();
        if (m_python.isEmpty())
            QSKIP("no interpreter with torch");
    }

    void anUnmodifiedScriptMeetsInAProcessGroup()
    {
        const Ringmaster ringmaster;
        const auto done = run(ringmaster, {}, R"(
import torch, torch.distributed as dist
dist.init_process_group("gloo")
value = torch.tensor([float(dist.get_rank() + 1)])
dist.all_reduce(value)
print(f"rank {dist.get_rank()} of {dist.get_world_size()} sum {value.item()}",
      dist.is_torchelastic_launched(), flush=True)
dist.destroy_process_group()
)");
        QVERIFY2(done.exitCode == 0, done.error);
        auto lines = done.output.split('\n');
        std::sort(lines.begin(), lines.end());
        QCOMPARE(lines,
                 (QList<QByteArray>{"", "rank 0 of 2 sum 3.0 True", "rank 1 of 2 sum 3.0 True"}));
    }

    void aGroupThatLostAMemberMeetsAgain()
    {
        const Ringmaster ringmaster;
        const auto done = run(ringmaster, {"--max-restarts", "1"}, R"(
import os, sys, torch, torch.distributed as dist
dist.init_process_group("gloo")
if os.environ["TORCHELASTIC_RESTART_COUNT"] == "0" and dist.get_rank() == 1:
    raise ValueError("boom on 1")
value = torch.ones(1)
dist.all_reduce(value)
print("sum", value.item(), flush=True)
dist.destroy_process_group()
)");
        QVERIFY2(done.exitCode == 0, done.error);
        QCOMPARE(done.output.count("sum 2.0"), 2);
        QVERIFY2(done.error.contains("restarting, 0 restarts left"), done.error);
        const auto shown = ringmaster.run({"show"});
        QVERIFY2(shown.output.contains("succeeded"), shown.output);
    }

    void theReportHasTheExceptionOfTheGuiltyRank()
    {
        const Ringmaster ringmaster;
        const auto done = run(ringmaster, {}, R"(
import torch.distributed as dist
dist.init_process_group("gloo")
if dist.get_rank() == 1:
    raise ValueError("boom on 1")
dist.barrier()
)");
        QCOMPARE(done.exitCode, 1);
        QVERIFY2(done.error.contains("Rank 1") && done.error.contains("ValueError"), done.error);
        const auto shown = ringmaster.run({"show"});
        QVERIFY2(shown.output.contains("boom on 1"), shown.output);
    }

    void anUnmodifiedScriptFindsTheRing()
    {
        if (!QFile::exists(RINGMASTER_BUILD_DIR "/bin/ringmaster-ring/ringmaster_ring/_version.py"))
            QSKIP("the ring isn't built for Python");
        const Ringmaster ringmaster;
        const char* script = R"(
import torch, torch.distributed as dist
dist.init_process_group("ring")
value = torch.tensor([float(dist.get_rank() + 1)])
dist.all_reduce(value)
print("sum", value.item(), flush=True)
dist.destroy_process_group()
)";
        for (const char* warm : {"off", "on"}) {
            const auto done = run(ringmaster, {"--warm", warm, "--ring-algorithm", "tree"}, script);
            QVERIFY2(done.exitCode == 0, done.error);
            QCOMPARE(done.output.count("sum 3.0"), 2);
        }
        (void)ringmaster.run({"stop", "--warm"});
        const auto environment =
            ringmaster.run({"env", "--json", "--ring-algorithm", "tree", "program.py"});
        QVERIFY2(environment.output.contains("RINGMASTER_RING_ALGORITHM"), environment.output);
    }

private:
    Ringmaster::Outcome run(const Ringmaster& ringmaster, const QStringList& options,
                            const char* script) const
    {
        QFile file(ringmaster.folder() + "/program.py");
        if (!file.open(QIODevice::WriteOnly))
            return {};
        file.write(script);
        file.close();
        const auto process = ringmaster.start(
            QStringList{"run", "--standalone", "--nproc-per-node", "2", "--python", m_python} +
            options + QStringList{"program.py"});
        return Ringmaster::finish(*process, 180'000);
    }

    QString m_python;
};

QTEST_GUILESS_MAIN(tst_run_torch)
#include "tst_run_torch.moc"
