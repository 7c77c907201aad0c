#include "engine/job/WorkerCommand.h"
#include "engine/job/WorkerEnvironment.h"
#include "engine/text/PythonText.h"

#include <QtTest>

using namespace ringmaster;

namespace {

using Words = std::vector<std::string>;

/// Rank 5 of 8: the second worker of the second of two nodes.
PlacementFacts rankFive()
{
    PlacementFacts facts;
    facts.globalRank = 5;
    facts.worldSize = 8;
    facts.localRank = 1;
    facts.localWorldSize = 4;
    facts.roleRank = 5;
    facts.roleWorldSize = 8;
    facts.groupRank = 1;
    facts.groupWorldSize = 2;
    facts.masterAddress = "ws-01";
    facts.masterPort = 43210;
    facts.restartCount = 2;
    facts.runId = "job";
    facts.errorFile = "/l/attempt_2/1/error.json";
    return facts;
}

EnvironmentMap variablesOf(const JobSpec& spec, const PlacementFacts& facts,
                           const EnvironmentMap& base)
{
    return workerEnvironment(spec, spec.roles.front(), facts, base).value().variables();
}

} // namespace

class tst_worker_environment : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void setsWhatTorchrunSetsAndNothingElse()
    {
        JobSpec spec;
        spec.restart.maxRestarts = 3;
        spec.roles.front().name = "trainer";
        const EnvironmentMap expected{
            {"HOME", "/h"},
            {"RANK", "5"},
            {"WORLD_SIZE", "8"},
            {"LOCAL_RANK", "1"},
            {"LOCAL_WORLD_SIZE", "4"},
            {"GROUP_RANK", "1"},
            {"GROUP_WORLD_SIZE", "2"},
            {"ROLE_NAME", "trainer"},
            {"ROLE_RANK", "5"},
            {"ROLE_WORLD_SIZE", "8"},
            {"MASTER_ADDR", "ws-01"},
            {"MASTER_PORT", "43210"},
            {"TORCHELASTIC_RESTART_COUNT", "2"},
            {"TORCHELASTIC_MAX_RESTARTS", "3"},
            {"TORCHELASTIC_RUN_ID", "job"},
            {"TORCHELASTIC_USE_AGENT_STORE", "True"},
            {"TORCHELASTIC_ERROR_FILE", "/l/attempt_2/1/error.json"},
            {"TORCHELASTIC_SIGNALS_TO_HANDLE", "SIGTERM,SIGINT,SIGHUP,SIGQUIT"},
            {"TORCH_NCCL_ASYNC_ERROR_HANDLING", "1"},
            {"OMP_NUM_THREADS", "1"}};
        QCOMPARE(variablesOf(spec, rankFive(), {{"HOME", "/h"}, {"RANK", "77"}}), expected);
    }

    void writesPythonsBooleans()
    {
        PlacementFacts facts = rankFive();
        facts.useAgentStore = false;
        QCOMPARE(variablesOf({}, facts, {}).at("TORCHELASTIC_USE_AGENT_STORE"),
                 std::string("False"));
    }

    void keepsTheValuesThatTorchrunInherits()
    {
        JobSpec spec;
        spec.roles.front().environment = {{"OMP_NUM_THREADS", "4"}};
        const EnvironmentMap base{{"TORCH_NCCL_ASYNC_ERROR_HANDLING", "3"},
                                  {"CUDA_VISIBLE_DEVICES", "5,7"},
                                  {"TORCHELASTIC_TIMER_FILE", "/t"}};
        const EnvironmentMap variables = variablesOf(spec, rankFive(), base);
        QCOMPARE(variables.at("TORCH_NCCL_ASYNC_ERROR_HANDLING"), std::string("3"));
        QCOMPARE(variables.at("CUDA_VISIBLE_DEVICES"), std::string("5,7"));
        QCOMPARE(variables.at("TORCHELASTIC_TIMER_FILE"), std::string("/t"));
        QCOMPARE(variables.at("OMP_NUM_THREADS"), std::string("4"));
    }

    void warnsAboutThreadsOnlyWhereItSetThem()
    {
        PlacementFacts facts = rankFive();
        const JobSpec spec;
        const Role& role = spec.roles.front();
        QVERIFY(workerEnvironment(spec, role, facts, {})->warnsAboutThreads);
        QVERIFY(
            !workerEnvironment(spec, role, facts, {{"OMP_NUM_THREADS", ""}})->warnsAboutThreads);
        facts.localWorldSize = 1;
        const auto alone = workerEnvironment(spec, role, facts, {});
        QVERIFY(!alone->warnsAboutThreads && alone->find("OMP_NUM_THREADS") == nullptr);
    }

    void aVirtualLocalRankSeesOneDevice()
    {
        JobSpec spec;
        spec.virtualLocalRank = true;
        EnvironmentMap variables =
            variablesOf(spec, rankFive(), {{"CUDA_VISIBLE_DEVICES", "5, 7 ,9"}});
        QCOMPARE(variables.at("LOCAL_RANK"), std::string("0"));
        QCOMPARE(variables.at("CUDA_VISIBLE_DEVICES"), std::string("7"));
        QCOMPARE(variablesOf(spec, rankFive(), {}).at("CUDA_VISIBLE_DEVICES"), std::string("1"));
        const auto refused = workerEnvironment(spec, spec.roles.front(), rankFive(),
                                               {{"CUDA_VISIBLE_DEVICES", "5"}});
        QVERIFY(describe(refused.error())
                    .starts_with("local_rank 1 exceeds available GPUs in CUDA_VISIBLE_DEVICES=5"));
    }

    void sharesTheChosenDevicesOut()
    {
        JobSpec spec;
        Role& role = spec.roles.front();
        role.devices = {2, 3, 6, 7};
        QCOMPARE(variablesOf(spec, rankFive(), {}).at("CUDA_VISIBLE_DEVICES"),
                 std::string("2,3,6,7"));
        role.devicesPerWorker = 2;
        QCOMPARE(variablesOf(spec, rankFive(), {}).at("CUDA_VISIBLE_DEVICES"), std::string("6,7"));
        role.devices.clear();
        const EnvironmentMap base{{"CUDA_VISIBLE_DEVICES", "GPU-a,GPU-b,GPU-c,GPU-d"}};
        QCOMPARE(variablesOf(spec, rankFive(), base).at("CUDA_VISIBLE_DEVICES"),
                 std::string("GPU-c,GPU-d"));
        QCOMPARE(variablesOf(spec, rankFive(), {}).at("CUDA_VISIBLE_DEVICES"), std::string("2,3"));
        role.devices = {0, 1, 2};
        const auto refused = workerEnvironment(spec, role, rankFive(), {});
        QCOMPARE(describe(refused.error()),
                 std::string("Local rank 1 has no 2 GPUs left among 0,1,2; ask "
                             "for fewer workers or fewer GPUs a worker."));
        PlacementFacts facts = rankFive();
        facts.firstDevice = 0;
        QCOMPARE(workerEnvironment(spec, role, facts, {})->find("CUDA_VISIBLE_DEVICES")->value,
                 std::string("0,1"));
    }

    void addsItsOwnListUnlessTheJobIsPlain()
    {
        JobSpec spec;
        PlacementFacts facts = rankFive();
        facts.runToken = "abc";
        facts.outputToPipe = true;
        facts.hookFolder = "/hook";
        facts.hook = "ledger";
        facts.ringFolder = "/ring";
        facts.ncclProfiler = "/hook/nccl.so";
        spec.ringAlgorithm = "tree";
        spec.ringInterface = "eth0";
        const auto marked = workerEnvironment(spec, spec.roles.front(), facts, {});
        std::vector<std::string> own;
        for (const EnvironmentEntry& entry : marked->entries) {
            if (entry.origin == VariableOrigin::Ringmaster)
                own.push_back(entry.name);
        }
        std::vector<std::string> documented;
        for (const OwnVariable& variable : ownVariables())
            documented.emplace_back(variable.name);
        QCOMPARE(own, documented);
        QCOMPARE(variablesOf(spec, facts, {{"PYTHONUNBUFFERED", ""}}).at("PYTHONUNBUFFERED"),
                 std::string());
        QCOMPARE(
            variablesOf(spec, facts, {{"NCCL_PROFILER_PLUGIN", "none"}}).at("NCCL_PROFILER_PLUGIN"),
            std::string("none"));
        spec.plain = true;
        const EnvironmentMap plain = variablesOf(spec, facts, {});
        QVERIFY(!plain.contains("PYTHONUNBUFFERED") && !plain.contains("RINGMASTER_RUN"));
        QVERIFY(!plain.contains("PYTHONPATH") && !plain.contains("RINGMASTER_HOOK"));
        QVERIFY(!plain.contains("RINGMASTER_RING_ALGORITHM"));
        QVERIFY(!plain.contains("NCCL_PROFILER_PLUGIN"));
    }

    void putsTheRingBehindTheUsersModules()
    {
        JobSpec spec;
        PlacementFacts facts = rankFive();
        facts.ringFolder = "/ring";
        const auto pathFor = [&](const EnvironmentMap& base) {
            return variablesOf(spec, facts, base).at("PYTHONPATH");
        };
        QCOMPARE(pathFor({}), std::string("/ring"));
        // An empty entry is the working folder: it stays where it is.
        QCOMPARE(pathFor({{"PYTHONPATH", "/a::/ring"}}), std::string("/a::/ring"));
        facts.hookFolder = "/hook";
        facts.hook = "times";
        QCOMPARE(pathFor({{"PYTHONPATH", "/hook:/a:/ring"}}), std::string("/hook:/a:/ring"));
        const EnvironmentMap given{{"RINGMASTER_RING_ALGORITHM", "ring"}};
        QCOMPARE(variablesOf(spec, facts, given).at("RINGMASTER_RING_ALGORITHM"),
                 std::string("ring"));
        spec.ringAlgorithm = "tree";
        QCOMPARE(variablesOf(spec, facts, given).at("RINGMASTER_RING_ALGORITHM"),
                 std::string("tree"));
    }

    void putsTheHookBeforeTheUsersModules()
    {
        const JobSpec spec;
        PlacementFacts facts = rankFive();
        QVERIFY(!variablesOf(spec, facts, {}).contains("PYTHONPATH"));
        facts.hookFolder = "/hook";
        facts.hook = "ledger=/dev/shm/x";
        const auto pathFor = [&](const EnvironmentMap& base) {
            return variablesOf(spec, facts, base).at("PYTHONPATH");
        };
        QCOMPARE(pathFor({}), std::string("/hook"));
        QCOMPARE(pathFor({{"PYTHONPATH", ""}}), std::string("/hook"));
        QCOMPARE(pathFor({{"PYTHONPATH", "/a:/b"}}), std::string("/hook:/a:/b"));
        // As in a worker of a run that starts another.
        QCOMPARE(pathFor({{"PYTHONPATH", "/hook:/a"}}), std::string("/hook:/a"));
        QCOMPARE(variablesOf(spec, facts, {}).at("RINGMASTER_HOOK"),
                 std::string("ledger=/dev/shm/x"));
    }

    void saysWhereEachVariableComesFrom()
    {
        JobSpec spec;
        spec.roles.front().environment = {{"A", "job"}};
        const auto environment =
            workerEnvironment(spec, spec.roles.front(), rankFive(), {{"A", "base"}, {"B", "base"}});
        QVERIFY(environment->find("A")->origin == VariableOrigin::Job);
        QVERIFY(environment->find("B")->origin == VariableOrigin::Inherited);
        QVERIFY(environment->find("RANK")->origin == VariableOrigin::Torchrun);
        QVERIFY(std::ranges::is_sorted(environment->entries, {}, &EnvironmentEntry::name));
    }

    void buildsTorchrunsCommands()
    {
        Role role;
        role.program = "t_${local_rank}.py";
        role.arguments = {"$$HOME", "$local_rank", "${local_rank}x", "${other}",
                          "a$",     "$$",          "$LOCAL_RANK"};
        const Words arguments{"$HOME", "3", "3x", "${other}", "a$", "$", "$LOCAL_RANK"};
        const auto command = [&](ProgramKind kind, const EnvironmentMap& environment = {}) {
            role.kind = kind;
            Words words = workerCommand(role, {3, "/py", {}}, environment);
            const Words tail(words.end() - 7, words.end());
            return tail == arguments ? join({words.begin(), words.end() - 7}, " ")
                                     : "bad arguments";
        };
        QCOMPARE(command(ProgramKind::Script), std::string("/py -u t_3.py"));
        QCOMPARE(command(ProgramKind::Module), std::string("/py -u -m t_3.py"));
        QCOMPARE(command(ProgramKind::Command), std::string("t_${local_rank}.py"));
        QCOMPARE(command(ProgramKind::Script, {{"PYTHON_EXEC", "/other"}}),
                 std::string("/other -u t_3.py"));
        role.interpreter = "/mine";
        QCOMPARE(command(ProgramKind::Script, {{"PYTHON_EXEC", "/other"}}),
                 std::string("/mine -u t_3.py"));
        QVERIFY(command(ProgramKind::RunPath).starts_with("/mine -u -c "));
        const Words bound = workerCommand(role, {0, "/py", "0-3,8"}, {});
        QCOMPARE(bound.at(0) + " " + bound.at(1), std::string("numactl --physcpubind=0-3,8"));
    }

    void namesTheProgramAsTorchrunDoes()
    {
        Role role;
        role.program = "dir/fail.py";
        QCOMPARE(entryPointName(role, {}), std::string("dir/fail.py"));
        QCOMPARE(entryPointName(role, {{"PYTHON_EXEC", "/py"}}), std::string("/py"));
        role.kind = ProgramKind::RunPath;
        QCOMPARE(entryPointName(role, {}), std::string("run_script_path"));
    }

    void prefixesLinesAsTorchrunDoes()
    {
        QCOMPARE(logLinePrefix("default", 1, 5, std::nullopt), std::string("[default1]:"));
        QCOMPARE(logLinePrefix("r", 1, 5, "${role_name}/$rank/$local_rank $x: "),
                 std::string("r/5/1 $x: "));
        QCOMPARE(logLinePrefix("r", 1, 5, "${hostname}:${rank} "),
                 QSysInfo::machineHostName().toStdString() + ":5 ");
    }

    void runsAFileAsRunpyDoes()
    {
        const QString python =
            QStandardPaths::findExecutable("python3", {"/usr/bin", "/usr/local/bin"});
        if (python.isEmpty())
            QSKIP("no python3");
        QTemporaryDir folder;
        QFile file(folder.filePath("p.py"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("import sys\nprint(__name__, sys.argv, sys.stdin.read() == '')\nsys.exit(3)\n");
        file.close();
        Role role;
        role.kind = ProgramKind::RunPath;
        role.program = file.fileName().toStdString();
        role.arguments = {"${local_rank}", "b"};
        QStringList words;
        for (const std::string& word : workerCommand(role, {4, python.toStdString(), {}}, {}))
            words += QString::fromStdString(word);
        QProcess process;
        process.start(words.first(), words.mid(1));
        QVERIFY(process.waitForFinished(60'000));
        QCOMPARE(process.exitCode(), 3);
        QCOMPARE(QString::fromUtf8(process.readAllStandardOutput()).trimmed(),
                 QString("__main__ ['%1', '4', 'b'] True").arg(file.fileName()));
    }
};

QTEST_GUILESS_MAIN(tst_worker_environment)
#include "tst_worker_environment.moc"
