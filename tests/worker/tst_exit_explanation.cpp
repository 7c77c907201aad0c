#include "engine/base/Files.h"
#include "engine/worker/Codes.h"
#include "engine/worker/ExitExplanation.h"

#include <QtTest>

#include <csignal>

using namespace ringmaster;

class tst_exit_explanation : public QObject
{
    Q_OBJECT

private:
    static Message explain(WorkerExit exit, const WorkerExitReport& exitReport = {},
                           OutOfMemoryWatch::Finding memory = OutOfMemoryWatch::Finding::No,
                           bool byAgent = false)
    {
        return explainExit({.globalRank = 5,
                            .exit = exit,
                            .endedByAgent = byAgent,
                            .outOfMemory = memory,
                            .exitReport = exitReport});
    }

    static WorkerExitReport saying(const std::string& type, const std::string& text)
    {
        return {.error = ErrorReport{.type = type, .text = text, .file = "a.py", .line = 4}};
    }

private Q_SLOTS:
    void namesTheReason()
    {
        using Finding = OutOfMemoryWatch::Finding;
        QCOMPARE(explain({}).code, code::WorkerSucceeded);
        QCOMPARE(describe(explain({.code = 3})), std::string("Rank 5 ended with exit code 3."));
        QCOMPARE(explain({.code = 127}).code, code::WorkerCommandNotFound);
        QCOMPARE(explain({.code = 126}).code, code::WorkerCommandNotExecutable);
        QCOMPARE(explain({.code = 139}).parameters.at("signal"), std::string("SIGSEGV"));
        QCOMPARE(explain({.code = 137}).parameters.at("signal"), std::string("SIGKILL"));
        QCOMPARE(explain({.code = 137}, {}, Finding::Possible).code, code::WorkerChildOutOfMemory);
        QCOMPARE(explain({.signal = SIGSEGV}).code, code::WorkerCrashed);
        QCOMPARE(explain({.signal = SIGSEGV, .coreDumped = true}).code,
                 code::WorkerCrashedWithCore);
        const WorkerExitReport threadLeft{.stderrTail =
                                              "terminate called without an active exception\n"};
        QCOMPARE(explain({.signal = SIGABRT}, threadLeft).code, code::WorkerAbortedAtEnd);
        QCOMPARE(explain({.signal = SIGSEGV}, threadLeft).code, code::WorkerCrashed);
        QCOMPARE(explain({.signal = SIGUSR1}).code, code::WorkerEndedBySignal);
        QCOMPARE(explain({.signal = SIGKILL}).code, code::WorkerKilledFromOutside);
        QCOMPARE(explain({.signal = SIGKILL}, {}, Finding::Possible).code,
                 code::WorkerPerhapsOutOfMemory);
        const Message memory =
            explain({.signal = SIGKILL, .maxResidentBytes = 3 << 20}, {}, Finding::Certain);
        QCOMPARE(memory.code, code::WorkerOutOfMemory);
        QCOMPARE(memory.parameters.at("memory"), std::string("3 MiB"));
        QCOMPARE(explain({.signal = SIGKILL}, {}, Finding::Certain, true).code,
                 code::WorkerEndedByAgent);
    }

    void anAbortIsTheWorkersOwnEvenWhileItIsEnded()
    {
        using Finding = OutOfMemoryWatch::Finding;
        for (const int signal : {SIGABRT, SIGSEGV}) {
            QCOMPARE(explain({.signal = signal}, {}, Finding::No, true).code,
                     code::WorkerCrashedWhileEnded);
        }
        // What a user has sent is no crash.
        const WorkerExitReport silent;
        QCOMPARE(explainExit({.globalRank = 5,
                              .exit = {.signal = SIGABRT},
                              .endedByAgent = true,
                              .userSignal = SIGABRT,
                              .exitReport = silent})
                     .code,
                 code::WorkerEndedByAgent);
        QCOMPARE(explain({.signal = SIGTERM}, {}, Finding::No, true).code,
                 code::WorkerEndedByAgent);
    }

    void knowsTheWordsOfContainerEngines_data()
    {
        QTest::addColumn<int>("exitCode");
        QTest::addColumn<QByteArray>("said");
        QTest::addColumn<Code>("wanted");
        const auto row = [](int exitCode, const char* said, Code wanted) {
            QTest::newRow(said) << exitCode << QByteArray(said) << wanted;
        };
        row(125, "Error: x:1: image not known\n", code::ContainerImageMissing);
        row(125, "docker: permission denied while trying to connect to the daemon.\nSee 'docker'\n",
            code::ContainerEngineDenied);
        row(125, "Error: something\n", code::ContainerEngineFailed);
        row(126,
            "Error: OCI runtime error: crun: setting up CDI devices: unresolvable CDI devices "
            "nvidia.com/gpu=all\n",
            code::ContainerDeviceMissing);
        row(125, "the program's own\n", code::WorkerExitedWithCode);
        row(127, "Error: OCI runtime attempted to invoke a command that was not found\n",
            code::ContainerCommandMissing);
        row(127, "docker: failed to create task for container: no such file\n\nRun 'docker'\n",
            code::ContainerCommandMissing);
        row(126, "Error: OCI runtime permission denied error\n",
            code::ContainerCommandNotExecutable);
        row(127, "sh: x: not found\n", code::WorkerCommandNotFound);
        row(1, "ch-run[7]: error: can't execve(2): /x: No such file or directory (a.c:1 2)\n",
            code::ContainerCommandMissing);
        row(1, "ch-run[7]: error: can't execve(2): /x: Permission denied (a.c:1 13)\n",
            code::ContainerCommandNotExecutable);
        row(1, "ch-run[7]: error: can't mkdir: /i/work: Read-only file system (a.c:4 30)\n",
            code::ContainerMountPointMissing);
        row(1, "ch-run[7]: error: can't init user+mount namespaces: Operation not permitted\n",
            code::ContainerEngineDenied);
        row(3, "ch-run[7]: error: the program's own\n", code::WorkerExitedWithCode);
    }

    void knowsTheWordsOfContainerEngines()
    {
        QFETCH(int, exitCode);
        QFETCH(QByteArray, said);
        QFETCH(Code, wanted);
        const Message end = explain({.code = exitCode}, {.stderrTail = said.toStdString()});
        QCOMPARE(codeName(end.code), codeName(wanted));
        if (const auto reason = end.parameters.find("reason"); reason != end.parameters.end())
            QVERIFY2(said.startsWith(reason->second.c_str()), reason->second.c_str());
    }

    void knowsTheUsersOwnSignal()
    {
        const WorkerExitReport nothing;
        const auto explainSent = [&](int sent, int died) {
            return explainExit({.globalRank = 5,
                                .exit = {.signal = died},
                                .userSignal = sent,
                                .outOfMemory = OutOfMemoryWatch::Finding::Possible,
                                .exitReport = nothing});
        };
        QCOMPARE(describe(explainSent(SIGKILL, SIGKILL)),
                 std::string("Rank 5 ended by signal SIGKILL, which the user sent."));
        QCOMPARE(explainSent(SIGSEGV, SIGSEGV).code, code::RankEndedByUser);
        QCOMPARE(explainSent(SIGUSR1, SIGKILL).code, code::WorkerPerhapsOutOfMemory);
        QCOMPARE(explainSent(SIGUSR1, SIGSEGV).code, code::WorkerCrashed);
    }

    void listensToWhatTheWorkerSaid()
    {
        QCOMPARE(explain({.code = 1}, saying("ValueError", "boom")).code, code::WorkerRaisedAt);
        QCOMPARE(explain({.code = 1}, saying("SyntaxError", "x")).code, code::WorkerSyntaxError);
        QCOMPARE(explain({.code = 1}, saying("ModuleNotFoundError", "No module named 'x'")).code,
                 code::WorkerImportFailed);
        QCOMPARE(explain({.code = 1}, saying("torch.OutOfMemoryError", "CUDA out of memory. Tried"))
                     .code,
                 code::WorkerDeviceOutOfMemory);
        QCOMPARE(
            explain({.code = 1}, saying("torch.distributed.DistNetworkError", "Broken pipe")).code,
            code::WorkerLostPeer);
        QCOMPARE(explain({.code = 1},
                         saying("RuntimeError", "Gloo connectFullMesh failed with [gloo/transport/"
                                                "tcp/pair.cc:547] Connection closed by peer"))
                     .code,
                 code::WorkerLostPeerConnecting);
        QCOMPARE(explain({.signal = SIGABRT}, saying("c10::Error", "what")).code,
                 code::WorkerRaisedAt);
        // A crash is not what an earlier, handled exception said.
        QCOMPARE(explain({.signal = SIGSEGV}, saying("KeyError", "x")).code, code::WorkerCrashed);
        const WorkerExitReport missing{
            .stderrTail =
                "python: can't open file '/x/train.py': [Errno 2] No such file or directory\n"};
        QCOMPARE(explain({.code = 2}, missing).parameters.at("path"), std::string("/x/train.py"));
    }

    void torchsAdviceIsNoReason()
    {
        const std::string said = "CUDA error: device-side assert triggered";
        const std::string advice =
            "\nSearch for `cudaErrorAssert' in https://docs.nvidia.com/cuda for more information."
            "\nCUDA kernel errors might be asynchronously reported at some other API call, so the "
            "stacktrace below might be incorrect.\nFor debugging consider passing "
            "CUDA_LAUNCH_BLOCKING=1\nCompile with `TORCH_USE_CUDA_DSA` to enable device-side "
            "assertions.";
        const auto textOf = [&](const std::string& text) {
            return explain({.code = 1}, saying("torch.AcceleratorError", text))
                .parameters.at("text");
        };
        QCOMPARE(textOf(said + advice), said);
        QCOMPARE(textOf(said + advice.substr(advice.find("\nCUDA kernel"))), said);
        QCOMPARE(textOf("mine" + advice), "mine" + advice);
    }

    void asksTheKernelAboutMemory_data()
    {
        QTest::addColumn<QByteArray>("group");
        QTest::addColumn<QString>("counter");
        QTest::newRow("version 2") << QByteArray("0::/job\n") << "job/memory.events";
        QTest::newRow("version 1")
            << QByteArray("9:memory:/job\n0::/\n") << "memory/job/memory.oom_control";
    }

    void asksTheKernelAboutMemory()
    {
        QFETCH(QByteArray, group);
        QFETCH(QString, counter);
        using Finding = OutOfMemoryWatch::Finding;
        QTemporaryDir folder;
        const std::filesystem::path root = folder.path().toStdString();
        const auto write = [&](const std::filesystem::path& path, const std::string& text) {
            std::filesystem::create_directories((root / path).parent_path());
            QVERIFY(writeFileAtomically(root / path, text).has_value());
        };
        write("own", group.toStdString());
        write("groups/" + counter.toStdString(), "low 0\noom 1\noom_kill 1\noom_group_kill 0\n");
        write("vmstat", "nr_free_pages 5\noom_kill 4\n");
        write("log", "6,1,2,-;Memory cgroup out of memory: Killed process 77 (python) total\n");
        OutOfMemoryWatch watch({.ownGroups = root / "own",
                                .groups = root / "groups",
                                .machine = root / "vmstat",
                                .log = root / "log"});
        QCOMPARE(watch.judge(5), Finding::No);
        QCOMPARE(watch.judge(77), Finding::Certain); // By the log.
        write("groups/" + counter.toStdString(), "oom 1\noom_kill 2\n");
        QCOMPARE(watch.judge(5), Finding::Certain);
        QCOMPARE(watch.judge(6), Finding::No); // The one kill is explained.
        write("vmstat", "oom_kill 5\n");
        QCOMPARE(watch.judge(5), Finding::Possible);
    }

    void isContentWithAKernelThatTellsNothing()
    {
        OutOfMemoryWatch watch({.ownGroups = "/nowhere",
                                .groups = "/nowhere",
                                .machine = "/nowhere",
                                .log = "/nowhere"});
        QCOMPARE(watch.judge(1), OutOfMemoryWatch::Finding::No);
        QVERIFY(reportsOutOfMemory("3,9,1,-;Out of memory: Killed process 12 (x) total-vm", 12));
        QVERIFY(!reportsOutOfMemory("3,9,1,-;Out of memory: Killed process 123 (x)", 12));
    }
};

QTEST_GUILESS_MAIN(tst_exit_explanation)
#include "tst_exit_explanation.moc"
