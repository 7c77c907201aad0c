#include "engine/job/Codes.h"
#include "engine/slurm/Codes.h"
#include "engine/slurm/SlurmJob.h"
#include "engine/slurm/SlurmRunScript.h"

#include <QtTest>

using namespace ringmaster;
using Phase = SlurmJob::Phase;

namespace {

QStringList asQt(const std::vector<std::string>& words)
{
    QStringList list;
    for (const std::string& word : words)
        list << QString::fromStdString(word);
    return list;
}

SlurmJob jobOf(const std::string& state, const std::string& reason = "None")
{
    return {.number = "7", .state = state, .reason = reason};
}

} // namespace

/// What is said to Slurm, and what its answers mean.
class tst_slurm_job : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theNewestThatHasNotEndedIsTheRuns()
    {
        const auto job = slurmJobIn("12|PENDING|Resources|\n9|CANCELLED|None|n[1-2]\n");
        QVERIFY(job.has_value());
        QCOMPARE(*job, (SlurmJob{.number = "12", .state = "PENDING", .reason = "Resources"}));
        QCOMPARE(slurmJobIn("9|CANCELLED|None|n1\n12|RUNNING|None|n2\n")->nodes, std::string("n2"));
        QCOMPARE(slurmJobIn("12|RUNNING|None|n2|1:00|3|\n")->start, 3);
        for (const auto& [said, wanted] : {std::pair{"1:00", "00:01:00"},
                                           {"12:30", "00:12:30"},
                                           {"4:00:00", "04:00:00"},
                                           {"10:00:00", "10:00:00"},
                                           {"1-12:00:00", "1-12:00:00"},
                                           {"UNLIMITED", "UNLIMITED"}})
            QCOMPARE(slurmJobIn("12|RUNNING|None|n2|" + std::string(said) + "|0|\n")->limit,
                     std::string(wanted));
        QCOMPARE(slurmJobIn("9|CANCELLED by 0|None|n1\n")->state, std::string("CANCELLED"));
        QVERIFY(!slurmJobIn("").has_value());
        QVERIFY(!slurmJobIn("slurm_load_jobs error: something\n||\n").has_value());
    }

    void aStateIsAPhase()
    {
        QCOMPARE(jobOf("CONFIGURING").phase(), Phase::Pending);
        QCOMPARE(jobOf("REQUEUED").phase(), Phase::Pending);
        QCOMPARE(jobOf("SUSPENDED").phase(), Phase::Running);
        QCOMPARE(jobOf("COMPLETING").phase(), Phase::Completing);
        for (const char* state : {"COMPLETED", "CANCELLED", "TIMEOUT", "NODE_FAIL", "PREEMPTED",
                                  "OUT_OF_MEMORY", "FAILED", "a word of a later version"})
            QCOMPARE(jobOf(state).phase(), Phase::Ended);
    }

    void aJobThatWaitsSaysWhy()
    {
        QCOMPARE(whyItWaits(jobOf("PENDING", "Resources")).code, code::SlurmWaits);
        QCOMPARE(whyItWaits(jobOf("PENDING", "JobHeldUser")).code, code::SlurmHeld);
        QCOMPARE(whyItWaits(jobOf("PENDING", "JobHeldAdmin")).code, code::SlurmHeld);
        QCOMPARE(whyItWaits(jobOf("PENDING", "PartitionNodeLimit")).code, code::SlurmNeverStarts);
    }

    void anEndSaysWhoseItWas()
    {
        QCOMPARE(whyItEnded(jobOf("TIMEOUT"), {}).code, code::SlurmTimeLimit);
        QCOMPARE(whyItEnded(jobOf("CANCELLED"), {}).code, code::SlurmCancelled);
        QCOMPARE(whyItEnded(jobOf("OUT_OF_MEMORY"), {}).code, code::SlurmOutOfMemory);
        const Message failed = whyItEnded(jobOf("FAILED"), "\nringmaster: not found\n");
        QCOMPARE(failed.code, code::SlurmEnded);
        QCOMPARE(failed.detail, std::string("ringmaster: not found"));
        for (const char* state : {"PREEMPTED", "NODE_FAIL", "BOOT_FAIL"})
            QVERIFY(endedBySlurm(jobOf(state)));
        QVERIFY(!endedBySlurm(jobOf("TIMEOUT")));
    }

    void aRefusalNamesItsCause()
    {
        const std::vector<std::string> sbatch{"/usr/bin/env", "sbatch", "--partition=nope"};
        const auto codeOf = [&](int exitCode, const char* said) {
            return slurmFailure(sbatch, exitCode, said).code;
        };
        QCOMPARE(codeOf(127, "/usr/bin/env: 'sbatch': No such file or directory"),
                 code::SlurmMissing);
        QCOMPARE(codeOf(1, "sbatch: error: Batch job submission failed: Unable to contact slurm "
                           "controller (connect failure)"),
                 code::SlurmUnreachable);
        QCOMPARE(codeOf(1, "sbatch: fatal: Unable to process configuration file"),
                 code::SlurmNotConfigured);
        const Error partition =
            slurmFailure(sbatch, 1, "sbatch: error: invalid partition specified: nope\n");
        QCOMPARE(partition.code, code::SlurmPartitionUnknown);
        QCOMPARE(partition.parameters.at("partition"), std::string("nope"));
        QCOMPARE(codeOf(1, "sbatch: error: Node count specification invalid"), code::SlurmRefuses);
    }

    void aStepThatFailsSaysWhetherToTryAgain()
    {
        const Host host{.name = "n1"};
        const auto codeOf = [&](const char* said) { return stepFailure(host, 1, said).code; };
        QCOMPARE(codeOf("srun: error: Unable to confirm allocation for job 1: Job is pending "
                        "execution"),
                 code::SlurmStepTooSoon);
        QCOMPARE(codeOf("srun: error: Unable to contact slurm controller (connect failure)"),
                 code::SlurmUnreachable);
        QCOMPARE(codeOf("slurmstepd: error: execve(): /x/ringmaster: No such file or directory"),
                 code::SlurmAgentMissing);
        QCOMPARE(codeOf("srun: error: something"), code::SlurmStepFailed);
    }

    void aNodesAddressIsSlurms()
    {
        const auto hosts =
            slurmNodesIn("NodeName=n1 Arch=x86_64 NodeAddr=10.0.0.1 NodeHostName=gpu1 State=IDLE\n"
                         "NodeName=n2 NodeHostName=gpu2\n\n");
        QCOMPARE(hosts.size(), size_t(2));
        QCOMPARE(hosts[0].name + " " + hosts[0].address, std::string("n1 10.0.0.1"));
        QCOMPARE(hosts[1].address, std::string("n2"));
    }

    void theJobIsKnownByItsRun()
    {
        QCOMPARE(slurmJobName("my job, \"1\"", "20260101-x"),
                 std::string("my-job---1-@20260101-x"));
        JobSpec spec;
        spec.nodes = {2, 4};
        spec.slurm = {.partition = "gpu", .time = "1:00:00", .options = {"--job-name=mine"}};
        spec.roles.front().devicesPerWorker = 1;
        spec.roles.front().workers.number = 4;
        spec.name = "train";
        const QStringList words = asQt(
            sbatchCommand(spec, {.run = "r", .runFolder = "/runs/r", .workingFolder = "/home/me"}));
        QCOMPARE(words, (QStringList{"/usr/bin/env", "sbatch", "--parsable", "--nodes=2-4",
                                     "--gpus-per-node=4", "--partition=gpu", "--time=1:00:00",
                                     "--job-name=mine", "--no-kill", "--requeue",
                                     "--job-name=train@r", "--chdir=/home/me", "--open-mode=append",
                                     "--output=/runs/r/slurm.log"}));
    }

    void theScriptIsOneThatAShellReads()
    {
        JobSpec spec;
        spec.slurm.options = {"--comment=it's \"mine\""};
        const SlurmSubmission submission{.executable = "/opt/it's here/ringmaster",
                                         .run = "run-1",
                                         .runFolder = "/runs/run 1",
                                         .workingFolder = "/home/me & you"};
        const std::string script = slurmRunScript(spec, submission);
        QProcess shell;
        shell.start("sh", {"-n"});
        shell.write(script.c_str());
        shell.closeWriteChannel();
        QVERIFY(shell.waitForFinished(60'000));
        QVERIFY2(shell.exitCode() == 0, shell.readAllStandardError());
        // Whatever sbatch is told stands in it, too.
        for (const char* line :
             {"#SBATCH '--chdir=/home/me & you'\n", "#SBATCH '--comment=it'\\''s \"mine\"'\n",
              "#SBATCH '--output=/runs/run 1/slurm.log'\n"})
            QVERIFY2(script.find(line) != std::string::npos, script.c_str());
    }

    void aPreviewIsTheScriptItself()
    {
        JobSpec spec;
        spec.name = "train";
        spec.slurm.partition = "gpu";
        const auto preview = slurmPreview(spec, "/opt/ringmaster", "/home/me");
        QVERIFY(preview.has_value());
        for (const char* part : {"#SBATCH --partition=gpu\n", "--job-name=train@RUN",
                                 "/opt/ringmaster agent wait RUN"})
            QVERIFY2(preview->find(part) != std::string::npos, preview->c_str());
        spec.slurm.partition = "--x y";
        QVERIFY(!slurmPreview(spec, "/opt/ringmaster", "/home/me").has_value());
    }

    void aScriptThatBeginsSaysWhere()
    {
        const auto arrival =
            slurmArrivalIn("12 1 n[1-2]\nNodeName=n1 NodeAddr=10.0.0.1 State=ALLOCATED\n"
                           "NodeName=n2 NodeAddr=10.0.0.2 State=ALLOCATED\n");
        QVERIFY(arrival.has_value());
        QCOMPARE(arrival->job.number + " " + arrival->job.nodes, std::string("12 n[1-2]"));
        QCOMPARE(arrival->job.start, 1);
        QCOMPARE(arrival->hosts.size(), size_t(2));
        QCOMPARE(arrival->hosts[1].address, std::string("10.0.0.2"));
        for (const char* text : {"", "12 0 n1\n", "12 x n1\nNodeName=n1 NodeAddr=n1\n",
                                 "slurm_load_node error: Invalid node name\n"})
            QVERIFY2(!slurmArrivalIn(text).has_value(), text);
    }
};

QTEST_GUILESS_MAIN(tst_slurm_job)
#include "tst_slurm_job.moc"
