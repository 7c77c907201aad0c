#include "tests/cli/Ringmaster.h"
#include "tests/support/TorchTest.h"

#include <QFile>
#include <QRegularExpression>
#include <QtTest>

namespace {

/// Saves every tenth step, prints every one, and goes on from the last that is saved; until the
/// file "enough" is there.
constexpr auto Training = R"(
import os, time, torch, torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
dist.init_process_group("gloo")
torch.manual_seed(0)
net = DistributedDataParallel(torch.nn.Linear(4, 1))
optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
folder = os.path.dirname(os.path.abspath(__file__))
path = os.path.join(folder, "checkpoint.pt")
step, more = 0, torch.ones(1)
if os.path.exists(path):
    saved = torch.load(path)
    net.load_state_dict(saved["net"])
    step = saved["step"]
while more.item():
    step += 1
    data = torch.full((8, 4), float(step % 5))
    loss = (net(data) - 1).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if dist.get_rank() == 0:
        if step % 10 == 0:
            torch.save({"net": net.state_dict(), "step": step}, path + ".new")
            os.replace(path + ".new", path)
        print(f"step {step}  loss {loss.item():.4f}", flush=True)
    time.sleep(0.05)
    more.fill_(not os.path.exists(os.path.join(folder, "enough")))
    dist.broadcast(more, src=0)
dist.destroy_process_group()
)";

/// Says nothing of how far it is.
constexpr auto Silent = R"(
import time, torch, torch.distributed as dist
dist.init_process_group("gloo")
while True:
    dist.all_reduce(torch.ones(1))
    time.sleep(0.05)
)";

int numberBehind(const QByteArray& text, const char* words)
{
    return QRegularExpression(QString::fromUtf8(words) + " (\\d+)")
        .match(QString::fromUtf8(text))
        .captured(1)
        .toInt();
}

} // namespace

/// Fire drills of real trainings.
class tst_drill_torch : public ringmaster::test::TorchTest
{
    Q_OBJECT

private Q_SLOTS:
    void aTrainingGoesOnFromItsCheckpoint()
    {
        const Ringmaster ringmaster(runtime());
        const auto job = ringmaster.start(
            words(ringmaster, {"--drill", "kill:1@step25", "--drill-within", "5m"}, Training));
        QByteArray said;
        const auto isBack = [&] {
            said += job->readAllStandardError();
            const auto told = said.indexOf("step was printed again");
            return told >= 0 && said.indexOf('\n', told) >= 0;
        };
        QTRY_VERIFY2_WITH_TIMEOUT(isBack(), said, 240'000);
        const int reached = numberBehind(said, "it had reached");
        const int first = numberBehind(said, "goes on from");
        QVERIFY2(reached >= 25 && first % 10 == 1 && reached - first < 11, said);
        const QRegularExpression losses("; loss was [0-9.e-]+ and goes on with [0-9.e-]+\\.");
        QVERIFY2(losses.match(QString::fromUtf8(said)).hasMatch(), said);
        QFile enough(ringmaster.folder() + "/enough");
        QVERIFY(enough.open(QIODevice::WriteOnly));
        const auto done = Ringmaster::finish(*job);
        QVERIFY2(done.exitCode == 0, said + done.error);
        const auto shown = ringmaster.run({"show"});
        QVERIFY2(shown.output.contains("Rank 1 was killed by a fire drill."), shown.output);
    }

    void aTrainingThatPrintsNothingIsBackWithItsFirstCollective()
    {
        const Ringmaster ringmaster(runtime());
        const auto job = ringmaster.start(words(ringmaster, {}, Silent));
        QTRY_VERIFY_WITH_TIMEOUT(
            ringmaster.run({"show", "--events"}).output.contains("first collective came"), 240'000);
        const auto done = ringmaster.run({"drill", ringmaster.runs().front(), "kill:1", "-y"});
        QVERIFY2(done.exitCode == 0, done.output + done.error);
        QVERIFY2(done.output.contains("had been through a first collective. The program prints no "
                                      "steps"),
                 done.output);
        QCOMPARE(ringmaster.run({"stop", ringmaster.runs().front()}).exitCode, 0);
        (void)Ringmaster::finish(*job);
    }

private:
    QStringList words(const Ringmaster& ringmaster, const QStringList& options,
                      const char* script) const
    {
        QFile program(ringmaster.folder() + "/train.py");
        if (program.open(QIODevice::WriteOnly))
            program.write(script);
        program.close();
        return QStringList{"run", "--standalone",   "--python", python(), "--nproc-per-node",
                           "2",   "--max-restarts", "1"} +
               options + QStringList{program.fileName()};
    }
};

QTEST_GUILESS_MAIN(tst_drill_torch)
#include "tst_drill_torch.moc"
