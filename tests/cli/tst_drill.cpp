#include "tests/cli/Ringmaster.h"

#include <QFile>
#include <QRegularExpression>
#include <QtTest>

namespace {

/// Counts steps, and goes on where its checkpoint, of every tenth, ends. Until the file "enough" is
/// there: how long a drill takes depends on the machine.
constexpr auto Trainer = R"sh(
state=$PWD/checkpoint.$RANK
step=$(cat $state 2>/dev/null || echo 0)
while [ $step -lt ${STEPS:-100000} ] && ! [ -e enough ]; do
    step=$((step + 1))
    echo "step $step loss 0.$((99999 - step))"
    [ $((step % 10)) -eq 0 ] && echo $step > $state.new && mv $state.new $state
    sleep 0.02
done
)sh";

QByteArray partOf(const QByteArray& text, const char* pattern)
{
    return QRegularExpression(pattern).match(QString::fromUtf8(text)).captured(1).toUtf8();
}

} // namespace

/// Fire drills of real processes: a job whose workers are shells that count steps.
class tst_drill : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aKilledRankComesBackAndItsStepsAreCounted()
    {
        const Ringmaster ringmaster;
        const auto job = startJob(ringmaster, {"--max-restarts", "2"});
        QVERIFY(job);
        const auto done = ringmaster.run({"drill", "train", "kill:1", "--yes"});
        QVERIFY2(done.exitCode == 0, done.output + done.error);
        QVERIFY2(done.output.contains("rank 1 is killed now (SIGKILL)"), done.output);
        const QByteArray reached =
            partOf(done.output, "step was printed again: it had reached (\\d+)");
        const QByteArray first = partOf(done.output, "goes on from (\\d+)");
        QVERIFY2(reached.toInt() >= first.toInt() - 1, done.output);
        QCOMPARE(first.toInt() % 10, 1);
        QVERIFY2(done.output.contains("; loss was 0."), done.output);

        // Told where a run is read, once it is recorded, as what it was: nobody's own failure.
        QTRY_VERIFY(ringmaster.run({"show", "train"}).output.contains("Fire drill: back "));
        const auto shown = ringmaster.run({"show", "train"});
        QVERIFY2(shown.output.contains("Rank 1 was killed by a fire drill."), shown.output);
        QVERIFY2(shown.output.contains("Fire drill by "), shown.output);
        QVERIFY2(!shown.output.contains("killed from outside"), shown.output);
        QCOMPARE(ringmaster.run({"stop", "train"}).exitCode, 0);
        (void)Ringmaster::finish(*job);
    }

    void aStoppedRankGoesOn()
    {
        const Ringmaster ringmaster;
        const auto job = startJob(ringmaster, {});
        QVERIFY(job);
        const auto done = ringmaster.run({"drill", "train", "stop:0:1s", "-y"});
        QVERIFY2(done.exitCode == 0, done.output + done.error);
        QVERIFY2(done.output.contains("rank 0 is stopped for 1s"), done.output);
        QVERIFY2(done.output.contains("s after SIGCONT, when step was printed again"), done.output);
        QVERIFY2(!done.output.contains(" lost"), done.output);
        QCOMPARE(ringmaster.run({"stop", "train"}).exitCode, 0);
        (void)Ringmaster::finish(*job);
    }

    void aSlowRankIsFreeAgain()
    {
        const Ringmaster ringmaster;
        const auto job = startJob(ringmaster, {});
        QVERIFY(job);
        const auto done = ringmaster.run({"drill", "train", "slow:1:1s", "-y"});
        QVERIFY2(done.exitCode == 0, done.output + done.error);
        QVERIFY2(done.output.contains("Fire drill: back "), done.output);
        QCOMPARE(ringmaster.run({"stop", "train"}).exitCode, 0);
        (void)Ringmaster::finish(*job);
    }

    void aRunWithoutRestartsDoesntComeBack()
    {
        const Ringmaster ringmaster;
        const auto job = startJob(ringmaster, {});
        QVERIFY(job);
        const auto done = ringmaster.run({"drill", "train", "--yes"});
        QCOMPARE(done.exitCode, 1);
        QVERIFY2(done.output.contains("not back; the run has ended"), done.output);
        QVERIFY(Ringmaster::finish(*job).exitCode != 0);
    }

    void nothingIsDoneWithoutConsent()
    {
        const Ringmaster ringmaster;
        const auto job = startJob(ringmaster, {});
        QVERIFY(job);
        const auto refused = [&](const QStringList& words, const char* why) {
            const auto done = ringmaster.run(QStringList{"drill"} + words);
            return done.exitCode == 2 && done.error.contains(why);
        };
        QVERIFY(refused({"train"}, "add --yes"));
        QVERIFY(refused({"train", "kill:7", "-y"}, "Rank 7 isn't running"));
        QVERIFY(refused({"train", "burn:1", "-y"}, "isn't a fire drill"));
        QVERIFY(refused({"train", "kill:1@step3", "-y"}, "leave out what stands behind @"));
        QVERIFY(refused({"train", "stop:1:1ms", "-y"}, "between 1s and 1h"));
        QVERIFY(refused({"other", "-y"}, "There is no run other"));
        QVERIFY(refused({"train", "--host", "gpu2", "-y"}, "isn't on hosts (--hosts, --slurm)"));
        QVERIFY(refused({"train", "cut", "-y"}, "names no host"));
        QVERIFY(refused({"train", "stop", "--host", "gpu2", "-y"}, "isn't for a host"));
        QCOMPARE(ringmaster.run({"stop", "train"}).exitCode, 0);
        (void)Ringmaster::finish(*job);
        QVERIFY(refused({"train", "-y"}, "has ended"));
        const auto shown = ringmaster.run({"show", "train"});
        QVERIFY2(!shown.output.contains("ire drill"), shown.output);
    }

    void aRunThatComesBackFromItsDrillSucceeds()
    {
        const Ringmaster ringmaster;
        const auto job = ringmaster.start(
            words(ringmaster, {"--max-restarts", "1", "--drill", "kill:1@step15"}, {}));
        QByteArray said;
        const auto isBack = [&] {
            said += job->readAllStandardError();
            return said.contains("step was printed again");
        };
        QTRY_VERIFY2_WITH_TIMEOUT(isBack(), said, 240'000);
        QVERIFY2(said.contains("(--drill): rank 1 is killed now"), said);
        QFile enough(ringmaster.folder() + "/enough");
        QVERIFY(enough.open(QIODevice::WriteOnly));
        const auto done = Ringmaster::finish(*job);
        QVERIFY2(done.exitCode == 0, said + done.error);
    }

    /// What it prints last is read as well.
    void aRunThatEndsAsSoonAsItIsBackSaysWhatItLost()
    {
        const Ringmaster ringmaster;
        const auto done =
            runJob(ringmaster, {"--max-restarts", "1", "--drill", "kill:1@step15"},
                   "[ $TORCHELASTIC_RESTART_COUNT -gt 0 ] && { echo step 11 loss 0.5; exit 0; }\n");
        QVERIFY2(done.exitCode == 0, done.error);
        QVERIFY2(done.error.contains("step was printed again: it had reached"), done.error);
        QVERIFY2(done.error.contains("goes on from 11"), done.error);
    }

    void aRunThatDoesntComeBackFromItsDrillFails()
    {
        const Ringmaster ringmaster;
        const auto done = runJob(ringmaster, {"--drill", "kill:1@step15"});
        QVERIFY2(done.exitCode == 1, done.error);
        QVERIFY2(done.error.contains("not back; the run has ended"), done.error);
    }

    void aRunWhoseRanksTakeTooLongIsEnded()
    {
        const Ringmaster ringmaster;
        const auto done = runJob(
            ringmaster, {"--max-restarts", "1", "--drill", "kill:0@step5", "--drill-within", "1s"},
            "[ $TORCHELASTIC_RESTART_COUNT -gt 0 ] && sleep 600\n");
        QVERIFY2(done.exitCode == 1, done.error);
        QVERIFY2(done.error.contains("Fire drill: not back within 1s"), done.error);
    }

    void aDrillWhoseMomentNeverComesFails()
    {
        const Ringmaster ringmaster;
        const auto done = runJob(ringmaster, {"--drill", "kill:1@step1000"}, "STEPS=60\n");
        QVERIFY2(done.exitCode == 1, done.error);
        QVERIFY2(done.error.contains("the output didn't reach step 1000"), done.error);
    }

    void whatIsntADrillIsRefusedBeforeTheRun()
    {
        const Ringmaster ringmaster;
        QVERIFY(runJob(ringmaster, {"--drill", "kill:1"}).error.contains("doesn't say when"));
        QVERIFY(runJob(ringmaster, {"--drill", "x@1s"}).error.contains("isn't a fire drill"));
        QVERIFY(runJob(ringmaster, {"--drill", "kill:host=gpu2@1s"})
                    .error.contains("A drill of gpu2 is for a job on hosts"));
        QVERIFY(ringmaster.runs().isEmpty());
    }

private:
    static QStringList words(const Ringmaster& ringmaster, const QStringList& options,
                             const QByteArray& before)
    {
        QFile program(ringmaster.folder() + "/train.sh");
        if (program.open(QIODevice::WriteOnly))
            program.write("cd " + ringmaster.folder().toUtf8() + "\n" + before + Trainer);
        program.close();
        return QStringList{"run", "--name", "train", "--standalone", "--nproc-per-node", "2"} +
               options + QStringList{"--no-python", "/bin/sh", program.fileName()};
    }

    static Ringmaster::Outcome runJob(const Ringmaster& ringmaster, const QStringList& options,
                                      const QByteArray& before = {})
    {
        return ringmaster.run(words(ringmaster, options, before));
    }

    /// Once it has printed a few steps; null: it doesn't.
    static std::unique_ptr<QProcess> startJob(const Ringmaster& ringmaster,
                                              const QStringList& options)
    {
        auto job = ringmaster.start(words(ringmaster, options, {}));
        return waitForText(*job, "step 15 ", QProcess::StandardOutput) ? std::move(job) : nullptr;
    }
};

QTEST_GUILESS_MAIN(tst_drill)
#include "tst_drill.moc"
