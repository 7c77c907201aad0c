#include "tests/TestMain.h"
#include "tests/hosts/LabRuns.h"

#include <csignal>

namespace {

/// Counts steps, and goes on where the checkpoint of its host, of every tenth, ends.
constexpr auto Trainer = R"sh(
state=/tmp/checkpoint.$TORCHELASTIC_RUN_ID
step=$(cat $state 2>/dev/null || echo 0)
while :; do
    step=$((step + 1))
    [ $((step % 10)) -eq 0 ] && echo $step > $state.new && mv $state.new $state
    echo "step $step of $WORLD_SIZE at $(hostname)"
    sleep 0.1
done
)sh";

} // namespace

/// Fire drills of real hosts: one loses its power, or its lead.
class tst_drilled_hosts : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { needLabWithAgent("lab1"); }

    void aKilledHostComesBackWithItsNextAgent()
    {
        Lab lab;
        const auto job = startJob(lab, {"--hosts", "lab1,lab2", "--max-restarts", "1"}, 2);
        QVERIFY(job);
        const auto done = lab.ringmaster().run({"drill", "train", "--host", "lab2", "--yes"});
        QVERIFY2(done.exitCode == 0, done.output + done.error);
        QVERIFY2(done.output.contains("all workers on lab2 are killed now (SIGKILL)"), done.output);
        QVERIFY2(done.output.contains("ranks run on 2 of 2 hosts; restarts charged: "),
                 done.output);
        QVERIFY2(done.output.contains("s after SIGKILL, when step was printed again"), done.output);
        // It is told before it is recorded.
        QTRY_VERIFY(
            lab.ringmaster().run({"show", "train"}).output.contains("Fire drill of lab2: "));
        const QByteArray events =
            lab.ringmaster().run({"show", "train", "--events", "--json"}).output;
        QVERIFY2(events.contains("HostAgentKilled"), events.right(3000).constData());
        end(*job);
        for (const char* host : {"lab1", "lab2"})
            QTRY_VERIFY2_WITH_TIMEOUT(Lab::left(host).isEmpty(), Lab::left(host), ForProcesses);
    }

    void aShortCutRestartsNobody()
    {
        Lab lab;
        const auto job = startJob(lab, {"--hosts", "lab1,lab2", "--max-restarts", "0"}, 2);
        QVERIFY(job);
        const auto done =
            lab.ringmaster().run({"drill", "train", "cut:4s", "--host", "lab2", "--yes"});
        QVERIFY2(done.exitCode == 0, done.output + done.error);
        QVERIFY2(done.output.contains("the lead's link to lab2 is cut for 4s"), done.output);
        QVERIFY2(done.output.contains("ranks run on 2 of 2 hosts; restarts charged: 0"),
                 done.output);
        QVERIFY2(done.output.contains("s after reconnect, when step was printed again"),
                 done.output);
        QVERIFY2(!done.output.contains(" lost"), done.output);
        const QByteArray events =
            lab.ringmaster().run({"show", "train", "--events", "--json"}).output;
        QVERIFY2(events.contains("HostCutByDrill"), events.right(3000).constData());
        QVERIFY2(!events.contains("GroupRestarting"), events.right(3000).constData());
        end(*job);
    }

    /// The others go on without it meanwhile, and with it afterwards.
    void aLongCutIsDoneWithout()
    {
        Lab lab;
        const auto job = startJob(lab,
                                  {"--hosts", "lab1,lab2", "--nnodes", "1:2", "--max-restarts", "0",
                                   "--rdzv-conf", "node_timeout=2"},
                                  2);
        QVERIFY(job);
        const auto drill = lab.start({"drill", "train", "cut:10s", "--host", "lab2", "--yes"});
        QByteArray text;
        QTRY_VERIFY2_WITH_TIMEOUT(outputOf(*job, text).contains(" of 1 at lab1"), text,
                                  ForProcesses);
        const auto done = Ringmaster::finish(*drill, ForProcesses);
        QVERIFY2(done.exitCode == 0, done.output + done.error);
        QVERIFY2(done.output.contains("ranks run on 2 of 2 hosts; restarts charged: 0"),
                 done.output);
        end(*job);
    }

    void aRunThatComesBackFromItsDrillSucceeds()
    {
        Lab lab;
        const auto job = lab.start(run({"--hosts", "lab1,lab2", "--max-restarts", "1", "--drill",
                                        "kill:host=lab2@step5", "--drill-within", "3m"},
                                       QString(Trainer).replace(":;", "[ $step -lt 300 ];")));
        const auto done = Ringmaster::finish(*job, ForProcesses);
        QVERIFY2(done.exitCode == 0, done.error);
        const QByteArray shown = lab.ringmaster().run({"show"}).output;
        QVERIFY2(shown.contains("(--drill): the agent and all workers on lab2"), shown);
    }

    void whatCantBeDrilledIsSaid()
    {
        Lab lab;
        const auto job = startJob(lab, {"--hosts", "lab1"}, 1);
        QVERIFY(job);
        const auto refused = [&](const QString& host, const char* why) {
            const auto done =
                lab.ringmaster().run({"drill", "train", "kill", "--host", host, "--yes"});
            return done.exitCode == 2 && done.error.contains(why);
        };
        QVERIFY(refused("lab7", "has no host lab7. It has lab1."));
        QVERIFY(refused("lab1", "lab1 is the only connected host"));
        const auto asked = lab.ringmaster().run({"drill", "train", "--host", "lab1"});
        QCOMPARE(asked.exitCode, 2);
        end(*job);
    }

private:
    /// Once all its ranks have printed steps; null: they don't.
    static std::unique_ptr<QProcess> startJob(Lab& lab, const QStringList& options, int ranks)
    {
        auto job = lab.start(run(QStringList{"--name", "train"} + options, Trainer));
        QByteArray text;
        const auto haveAll = [&] {
            outputOf(*job, text);
            for (int host = 1; host <= ranks; ++host)
                if (!text.contains("step 12 of " + QByteArray::number(ranks) + " at lab" +
                                   QByteArray::number(host)))
                    return false;
            return true;
        };
        return QTest::qWaitFor(haveAll, ForProcesses) ? std::move(job) : nullptr;
    }

    static void end(QProcess& job)
    {
        ::kill(static_cast<pid_t>(job.processId()), SIGINT);
        QCOMPARE(Ringmaster::finish(job, ForProcesses).exitCode, 1);
    }
};

int main_tst_drilled_hosts(int argc, char** argv)
{
    return runInLab(argc, argv, "2", [](int count, char** words) {
        QCoreApplication application(count, words);
        tst_drilled_hosts test;
        return QTest::qExec(&test, count, words);
    });
}

#include "tst_drilled_hosts.moc"
