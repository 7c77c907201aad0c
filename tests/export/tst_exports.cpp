#include "engine/base/Error.h"
#include "engine/export/Codes.h"
#include "engine/export/SbatchScript.h"
#include "engine/export/TrainJob.h"
#include "engine/job/CommandLine.h"
#include "engine/job/JobFile.h"
#include "engine/text/Codes.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QtTest>

using namespace ringmaster;

namespace {

JobSpec training()
{
    JobSpec spec;
    spec.name = "my Training";
    spec.nodes = {2, 4};
    spec.restart.maxRestarts = 3;
    Role& role = spec.roles.front();
    role.program = "train.py";
    role.arguments = {"--lr", "0.1", "a b"};
    role.workers = {WorkerCount::Kind::Number, 4};
    role.environment = {{"OMP_NUM_THREADS", "2"}, {"HF_TOKEN", "hf_hidden"}};
    role.devicesPerWorker = 1;
    role.image = "pytorch:2.11";
    return spec;
}

QStringList whatsOf(const std::vector<Message>& messages)
{
    QStringList whats;
    for (const Message& message : messages)
        whats += QString::fromStdString(message.parameters.contains("what")
                                            ? message.parameters.at("what")
                                            : message.parameters.at("name"));
    return whats;
}

/// What the program `name` gets as arguments, one a line, when bash runs the script.
QByteArray argumentsOf(const std::string& script, const char* name)
{
    const QTemporaryDir folder;
    QFile fake(folder.filePath(name));
    if (!fake.open(QIODevice::WriteOnly))
        return {};
    fake.write("#!/bin/sh\nfor word; do echo \"$word\"; done\n");
    fake.setPermissions(QFile::ReadOwner | QFile::ExeOwner);
    fake.close();
    QProcess bash;
    auto environment = QProcessEnvironment::systemEnvironment();
    environment.insert("PATH", folder.path() + ":" + environment.value("PATH"));
    environment.insert("SLURM_JOB_ID", "123");
    environment.insert("SLURM_JOB_NUM_NODES", "2");
    environment.insert("HF_TOKEN", "mine");
    bash.setProcessEnvironment(environment);
    bash.start("bash", {"-c", QString::fromStdString(script)});
    if (!bash.waitForFinished(60'000) || bash.exitCode() != 0)
        return "failed: " + bash.readAllStandardError();
    return bash.readAllStandardOutput();
}

QByteArray hostName()
{
    QProcess process;
    process.start("hostname", {});
    process.waitForFinished();
    return process.readAllStandardOutput().trimmed();
}

} // namespace

/// The faces of a job that others run: Slurm, Kubernetes.
class tst_exports : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void asksSlurmForWhatTheJobNeeds()
    {
        JobSpec spec = training();
        spec.slurm = {"gpu,long", "lab-7", "2-12", 8, {"--constraint=a100", "--mem=0"}};
        const auto script = toSbatchScript(spec);
        QVERIFY(script.has_value());
        QByteArrayList asked;
        for (const QByteArray& line : QByteArray::fromStdString(script->text).split('\n'))
            if (line.startsWith("#SBATCH "))
                asked += line.mid(8);
        const QByteArrayList wanted{
            "--job-name='my Training'", "--nodes=2-4", "--gpus-per-node=8", "--partition=gpu,long",
            "--account=lab-7",          "--time=2-12", "--constraint=a100", "--mem=0"};
        QCOMPARE(asked, wanted);
        spec.slurm = {};
        QVERIFY(toSbatchScript(spec)->text.find("--gpus-per-node=4\n") != std::string::npos);
        QCOMPARE(whatsOf(script->cannotSay), QStringList{"image"});
        // Only of a fixed number: of a range Slurm would give the smallest.
        spec.nodes = {2, 2};
        QVERIFY(toSbatchScript(spec)->text.find("--nodes=2\n#SBATCH --ntasks-per-node=1\n") !=
                std::string::npos);
    }

    void startsOneTorchrunANode()
    {
        const auto script = toSbatchScript(training());
        QVERIFY(script.has_value());
        const QByteArray words =
            "--kill-on-bad-exit=1\ntorchrun\n--nnodes\n2\n--nproc-per-node\n4\n"
            "--rdzv-backend\nc10d\n--rdzv-id\n123\n--rdzv-endpoint\n" +
            hostName() + ":20123\n--max-restarts\n3\ntrain.py\n--lr\n0.1\na b\n";
        QCOMPARE(argumentsOf(script->text, "srun"), words);
        JobSpec spec = training();
        spec.roles.front().interpreter = "/venv/bin/python";
        QVERIFY(argumentsOf(toSbatchScript(spec)->text, "srun")
                    .contains("\n/venv/bin/python\n-m\ntorch.distributed.run\n--nnodes\n"));
    }

    void leavesSecretsWhereTheyAre()
    {
        const JobSpec spec = training();
        const auto script = toSbatchScript(spec);
        const auto manifest = toTrainJob(spec);
        for (const std::string& text : {script->text, manifest->text}) {
            QVERIFY(text.find("hf_hidden") == std::string::npos);
            QVERIFY(text.find("HF_TOKEN") != std::string::npos);
        }
        QVERIFY(script->text.find("export OMP_NUM_THREADS=2\n") != std::string::npos);
    }

    void aVariablesNameIsNeverRun_data()
    {
        QTest::addColumn<QString>("name");
        for (const char* name :
             {R"(PATH}"; touch %1; : "${HOME_TOKEN)", "A=1; touch %1; B", "A\ntouch %1\nB",
              "$(touch %1)_SECRET", "`touch %1`", "A;touch %1;TOKEN", "1A", "", "A-B", "A.B"})
            QTest::newRow(name) << QString(name);
    }

    void aVariablesNameIsNeverRun()
    {
        QFETCH(QString, name);
        const QTemporaryDir folder;
        const QString mark = folder.filePath("ran");
        JobSpec spec = training();
        const std::string variable = name.replace("%1", mark).toStdString();
        spec.roles.front().environment[variable] = "1";
        const auto script = toSbatchScript(spec);
        if (script)
            (void)argumentsOf(script->text, "srun");
        QVERIFY(!QFile::exists(mark));
        QVERIFY(!script && script.error().code == code::VariableNameInvalid);
        QVERIFY(!toTrainJob(spec));
        // What a torchrun line says goes into a shell, too.
        const QByteArray line = QByteArray::fromStdString(toCommandLine(spec).text());
        QProcess::execute("bash", {"-c", "torchrun() { :; }; " + line});
        QVERIFY(!QFile::exists(mark));
        const auto file = jobFileText(spec);
        QVERIFY(file.has_value());
        const auto read = parseJobFile(*file);
        QVERIFY(!read && read.error().front().message.code == code::VariableNameInvalid);
    }

    void aSecretAmongTheArgumentsIsAVariableThere()
    {
        JobSpec spec = training();
        spec.roles.front().arguments = {"--api-key", "sk-1", "wandb.api_key=abc",
                                        "db=postgres://u:pw@host/x", "$(date)"};
        spec.roles.front().environment = {{"API_KEY", "other"}};
        const auto script = toSbatchScript(spec);
        const auto manifest = toTrainJob(spec);
        for (const std::string& text : {script->text, manifest->text})
            for (const char* secret : {"sk-1", "=abc", ":pw@", "other"})
                QVERIFY2(text.find(secret) == std::string::npos, text.c_str());
        qputenv("API_KEY", "o");
        qputenv("API_KEY_2", "first");
        qputenv("WANDB_API_KEY", "second");
        qputenv("PASSWORD", "third");
        const QByteArray words = argumentsOf(script->text, "srun");
        QVERIFY2(words.endsWith("train.py\n--api-key\nfirst\nwandb.api_key=second\n"
                                "db=postgres://u:third@host/x\n$(date)\n"),
                 words);
        const QJsonObject trainer =
            QJsonDocument::fromJson(QByteArray::fromStdString(manifest->text))
                .object()["spec"]
                .toObject()["trainer"]
                .toObject();
        const QJsonArray arguments{"train.py",
                                   "--api-key",
                                   "$(API_KEY_2)",
                                   "wandb.api_key=$(WANDB_API_KEY)",
                                   "db=postgres://u:$(PASSWORD)@host/x",
                                   "$$(date)"};
        QCOMPARE(trainer["args"].toArray(), arguments);
        QCOMPARE(trainer["env"].toArray().size(), 4);
    }

    void hostsAreCountedOrRefused()
    {
        JobSpec spec = training();
        spec.nodes = {};
        spec.hosts = {"a", "b", "user@c"};
        QVERIFY(toSbatchScript(spec)->text.find("#SBATCH --nodes=3\n") != std::string::npos);
        QVERIFY(toTrainJob(spec)->text.find("\"numNodes\": 3") != std::string::npos);
        spec.hosts = {"a:2", "b:2"};
        const std::string script = toSbatchScript(spec)->text;
        QVERIFY(script.find("#SBATCH --nodes=2\n") != std::string::npos);
        QVERIFY(script.find("--nproc-per-node 2") != std::string::npos);
        spec.hosts = {"a:2", "b"};
        QVERIFY(toSbatchScript(spec).error().code == code::ExportHostsDiffer);
        spec.hosts = {"@lab"};
        QVERIFY(toTrainJob(spec).error().code == code::ExportHostsUnknown);
        spec.nodes = {2, 2};
        QVERIFY(toSbatchScript(spec)->text.find("#SBATCH --nodes=2\n") != std::string::npos);
    }

    void refusesWhatIsntOneOption_data()
    {
        QTest::addColumn<QString>("partition");
        QTest::addColumn<QString>("time");
        QTest::addColumn<QString>("option");
        QTest::addColumn<QString>("names");
        QTest::newRow("partition with a line") << "a\nrm -rf /"
                                               << ""
                                               << ""
                                               << "slurm.partition";
        QTest::newRow("partition with a blank") << "a b"
                                                << ""
                                                << ""
                                                << "slurm.partition";
        QTest::newRow("partition like an option") << "-a"
                                                  << ""
                                                  << ""
                                                  << "slurm.partition";
        QTest::newRow("time in words") << ""
                                       << "two hours"
                                       << ""
                                       << "two hours";
        QTest::newRow("time of four parts") << ""
                                            << "1:2:3:4"
                                            << ""
                                            << "1:2:3:4";
        QTest::newRow("time without hours") << ""
                                            << "2-"
                                            << ""
                                            << "2-";
        QTest::newRow("option with a line") << ""
                                            << ""
                                            << "--mem=1\nrm"
                                            << "--mem=1";
        QTest::newRow("option without a dash") << ""
                                               << ""
                                               << "mem"
                                               << "mem";
    }

    void refusesWhatIsntOneOption()
    {
        QFETCH(QString, partition);
        QFETCH(QString, time);
        QFETCH(QString, option);
        QFETCH(QString, names);
        JobSpec spec = training();
        spec.slurm.partition = partition.toStdString();
        spec.slurm.time = time.toStdString();
        if (!option.isEmpty())
            spec.slurm.options = {option.toStdString()};
        const auto script = toSbatchScript(spec);
        QVERIFY(!script);
        QVERIFY(describe(script.error()).find(names.toStdString()) != std::string::npos);
    }

    void takesEveryTimeThatSbatchTakes()
    {
        for (const char* time : {"90", "90:30", "4:00:00", "2-12", "2-12:30", "2-12:30:10"}) {
            JobSpec spec = training();
            spec.slurm.time = time;
            QVERIFY2(toSbatchScript(spec), time);
        }
    }

    void aNameCantBreakTheScript()
    {
        JobSpec spec = training();
        spec.name = "it's\n#SBATCH --uid=0\n$(touch x)";
        const auto script = toSbatchScript(spec);
        QCOMPARE(QByteArray::fromStdString(script->text).count("\n#SBATCH "), 3);
        QVERIFY(argumentsOf(script->text, "srun").startsWith("--kill-on-bad-exit=1\n"));
    }

    void describesATrainJob()
    {
        const auto manifest = toTrainJob(training());
        QVERIFY(manifest.has_value());
        const auto root = QJsonDocument::fromJson(QByteArray::fromStdString(manifest->text));
        QCOMPARE(root["apiVersion"].toString(), "trainer.kubeflow.org/v1alpha1");
        QCOMPARE(root["kind"].toString(), "TrainJob");
        QCOMPARE(root["metadata"]["name"].toString(), "my-training");
        QCOMPARE(root["spec"]["runtimeRef"]["name"].toString(), "torch-distributed");
        const auto trainer = root["spec"]["trainer"];
        QCOMPARE(trainer["image"].toString(), "pytorch:2.11");
        QCOMPARE(trainer["numNodes"].toInt(), 4);
        QCOMPARE(trainer["numProcPerNode"].toInt(), 4);
        QCOMPARE(trainer["command"].toArray(), QJsonArray({"torchrun", "--max-restarts", "3"}));
        QCOMPARE(trainer["args"].toArray(), QJsonArray({"train.py", "--lr", "0.1", "a b"}));
        QCOMPARE(trainer["resourcesPerNode"]["limits"]["nvidia.com/gpu"].toString(), "4");
        QCOMPARE(trainer["env"][1]["valueFrom"]["secretKeyRef"]["key"].toString(), "HF_TOKEN");
        QCOMPARE(whatsOf(manifest->cannotSay), QStringList({"nodes", "HF_TOKEN"}));
    }

    /// Kubernetes reads $$ as $, and $(NAME) as a variable, in all three.
    void whatHasADollarIsTheSameInATrainJob()
    {
        JobSpec spec = training();
        Role& role = spec.roles.front();
        role.interpreter = "/opt/$(HOME)/python";
        role.arguments = {"a$$b", "$(HOME)", "$$(HOME)", "$5"};
        role.environment = {{"GREETING", "x$$y $(HOME)"}};
        const auto manifest = toTrainJob(spec);
        QVERIFY(manifest.has_value());
        const auto root = QJsonDocument::fromJson(QByteArray::fromStdString(manifest->text));
        const auto trainer = root["spec"]["trainer"];
        QCOMPARE(trainer["command"].toArray().at(0).toString(), "/opt/$$(HOME)/python");
        QCOMPARE(trainer["args"].toArray(),
                 QJsonArray({"train.py", "a$$$$b", "$$(HOME)", "$$$$(HOME)", "$$5"}));
        QCOMPARE(trainer["env"].toArray().at(0)["value"].toString(), "x$$$$y $$(HOME)");
    }

    void aTrainJobNeedsAnImage()
    {
        JobSpec spec = training();
        spec.roles.front().image.clear();
        const auto manifest = toTrainJob(spec);
        QVERIFY(!manifest);
        QCOMPARE(manifest.error().code, code::ManifestNeedsImage);
    }

    void theNameFitsKubernetes()
    {
        JobSpec spec = training();
        for (const auto& [name, wanted] : std::map<std::string, std::string>{
                 {"7 Days", "job-7-days"}, {"--x--", "x"}, {"日本", "job"}, {"a_b.c", "a-b-c"}}) {
            spec.name = name;
            const auto root =
                QJsonDocument::fromJson(QByteArray::fromStdString(toTrainJob(spec)->text));
            QCOMPARE(root["metadata"]["name"].toString().toStdString(), wanted);
        }
    }
};

QTEST_GUILESS_MAIN(tst_exports)
#include "tst_exports.moc"
