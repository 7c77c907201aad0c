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
        QVERIFY2(shown.output.contains("finished"), shown.output);
    }

    void aHangThatStandsIsEndedByTheJobsRule()
    {
        const Ringmaster ringmaster;
        const auto done =
            run(ringmaster, {"--max-restarts", "3", "--stop-on", "hang=2s", "--grace", "2"}, R"(
import threading, torch, torch.distributed as dist
dist.init_process_group("gloo")
value = torch.ones(1)
dist.all_reduce(value)
if dist.get_rank() == 1:
    held = threading.Lock()
    held.acquire()
    held.acquire()
dist.all_reduce(value)
)");
        QVERIFY2(done.exitCode == 1, done.error);
        QVERIFY2(done.error.contains("kind hang has stood for 2s"), done.error);
        const auto shown = ringmaster.run({"show"});
        QVERIFY2(shown.output.contains("kind hang has stood for 2s"), shown.output);
        QVERIFY2(shown.output.contains("Rank 1"), shown.output);
        QVERIFY2(!shown.output.contains("attempt 1"), shown.output);
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

    /// An evaluation on one rank, every so many steps; three calls of the others are in flight.
    void aWaitThatComesBackIsNotToldForEver()
    {
        const Ringmaster ringmaster;
        constexpr int Rounds = 6;
        const auto done = run(ringmaster, {}, R"(
import time, torch, torch.distributed as dist
dist.init_process_group("gloo")
for step in range(6):
    if dist.get_rank() == 1:
        time.sleep(7)
    calls = [dist.all_reduce(torch.ones(10), async_op=True) for _ in range(3)]
    for call in calls:
        call.wait()
dist.destroy_process_group()
)");
        QVERIFY2(done.exitCode == 0, done.error);
        QVERIFY2(done.error.count("It has happened 2 times before, for up to") == 1, done.error);
        const auto told = done.error.count("went on after");
        QVERIFY2(told >= 3 && told < Rounds, done.error);
        QVERIFY2(done.error.contains("Rank 0 waits in all_reduce #2 of group default for rank 1, "
                                     "too, and so for the same."),
                 done.error);
    }

    /// Its data loaders must not be told to end before it has read what it still needs.
    /// RINGMASTER_STOPS repeats it.
    void aStopLetsAProgramWithDataLoadersSave()
    {
        const char* script = R"(
import os, signal, sys, time, torch
from torch.utils.data import DataLoader, Dataset

class Numbers(Dataset):
    def __len__(self):
        return 1_000_000
    def __getitem__(self, index):
        time.sleep(0.005)
        return torch.tensor([float(index)])

told = False
def tell(number, frame):
    global told
    told = True
signal.signal(signal.SIGTERM, tell)

batches = iter(DataLoader(Numbers(), batch_size=4, num_workers=2))
next(batches)
print("training", flush=True)
while not told:
    next(batches)
for _ in range(20):
    last = next(batches)
torch.save(last, f"saved-{os.environ['RANK']}")
print("saved", flush=True)
sys.exit(0)
)";
        const int times = qEnvironmentVariable("RINGMASTER_STOPS", "1").toInt();
        int saved = 0;
        for (int i = 0; i < times; ++i) {
            const Ringmaster ringmaster;
            const auto process = start(ringmaster, {}, script);
            QVERIFY(
                waitForText(*process, "training\ntraining\n", QProcess::StandardOutput, 180'000));
            process->terminate();
            const auto done = Ringmaster::finish(*process, 180'000);
            QVERIFY2(done.error.contains("they have 30 s to end"), done.error);
            saved += static_cast<int>(done.output.count("saved\n"));
            QVERIFY2(saved == 2 * (i + 1), done.output + done.error);
            QVERIFY(QFile::exists(ringmaster.folder() + "/saved-1"));
            QTRY_COMPARE(processesWith(ringmaster.folder().toUtf8()), 0);
        }
        qInfo() << saved << "of" << 2 * times << "saved";
    }

    void anUnmodifiedScriptFindsTheRing()
    {
        if (QDir(RINGMASTER_BUILD_DIR "/bin/ringmaster-ring/ringmaster_ring")
                .entryList({"torch-*.so"})
                .isEmpty())
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
        return Ringmaster::finish(*start(ringmaster, options, script), 180'000);
    }

    std::unique_ptr<QProcess> start(const Ringmaster& ringmaster, const QStringList& options,
                                    const char* script) const
    {
        QFile file(ringmaster.folder() + "/program.py");
        if (!file.open(QIODevice::WriteOnly))
            return std::make_unique<QProcess>();
        file.write(script);
        file.close();
        return ringmaster.start(
            QStringList{"run", "--standalone", "--nproc-per-node", "2", "--python", m_python} +
            options + QStringList{"program.py"});
    }

    QString m_python;
};

QTEST_GUILESS_MAIN(tst_run_torch)
#include "tst_run_torch.moc"
