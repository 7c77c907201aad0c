#include "engine/job/Codes.h"
#include "engine/job/ContainerCommand.h"
#include "engine/job/ContainerSpec.h"

#include <QtTest>

using namespace ringmaster;

namespace {

ContainerFacts factsOf(const char* engine)
{
    return {.engine = engine,
            .program = "/bin/x",
            .image = "torch:2",
            .label = "run-1",
            .workingFolder = "/home/me",
            .folders = {"/runs/logs", "/home/me"},
            .wantsGpus = true,
            .user = 1000,
            .group = 100};
}

WorkerEnvironment environment()
{
    return {.entries = {{"HOME", "/home/me", VariableOrigin::Inherited},
                        {"HF_TOKEN", "hidden", VariableOrigin::Job},
                        {"NCCL_DEBUG", "INFO", VariableOrigin::Inherited},
                        {"RANK", "0", VariableOrigin::Torchrun}}};
}

} // namespace

/// The command line of a worker in a container, engine by engine.
class tst_container_command : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void eachEngineHasItsWords_data()
    {
        QTest::addColumn<QString>("engine");
        QTest::addColumn<QString>("wanted");
        const QString oci = " --label=ringmaster=run-1 --workdir=/home/me "
                            "--volume=/runs/logs:/runs/logs --volume=/home/me:/home/me "
                            "--volume=/data:/d:ro ";
        const QString variables =
            " --device=/dev/fuse --env=HF_TOKEN --env=NCCL_DEBUG --env=RANK --shm-size=8g "
            "torch:2 python3 -u t.py";
        const QString shared =
            "/bin/x run --rm --network=host --ipc=host --pid=host --uts=host --entrypoint=";
        QTest::newRow("podman") << "podman"
                                << shared + " --userns=keep-id" + oci +
                                       "--device=nvidia.com/gpu=all" + variables;
        QTest::newRow("docker") << "docker"
                                << shared + " --user=1000:100" + oci + "--gpus=all" + variables;
        QTest::newRow("apptainer")
            << "apptainer"
            << "/bin/x exec --pwd=/home/me --bind=/runs/logs:/runs/logs --bind=/home/me:/home/me "
               "--bind=/data:/d:ro --nv --bind=/dev/fuse --shm-size=8g torch:2 python3 -u t.py";
        QTest::newRow("charliecloud")
            << "charliecloud"
            << "/bin/x --cd=/home/me --bind=/runs/logs:/runs/logs --bind=/home/me:/home/me "
               "--bind=/data:/d --shm-size=8g torch:2 -- python3 -u t.py";
    }

    void eachEngineHasItsWords()
    {
        QFETCH(QString, engine);
        QFETCH(QString, wanted);
        const ContainerSpec spec{
            .mounts = {"/data:/d:ro"}, .devices = {"/dev/fuse"}, .options = {"--shm-size=8g"}};
        QStringList words;
        for (const std::string& word : containerCommand(spec, factsOf(engine.toUtf8().constData()),
                                                        environment(), {"python3", "-u", "t.py"}))
            words << QString::fromStdString(word);
        QCOMPARE(words.join(' '), wanted);
        QVERIFY(!words.join(' ').contains("hidden"));
    }

    void theFirstEngineThatIsThereIsTaken()
    {
        const QTemporaryDir folder;
        const auto install = [&](const char* name) {
            QFile file(folder.filePath(name));
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.setPermissions(QFile::ReadOwner | QFile::ExeOwner);
        };
        const std::string path = "/nowhere:" + folder.path().toStdString();
        QVERIFY(findContainerEngine({}, path).first.empty());
        install("ch-run");
        QCOMPARE(findContainerEngine({}, path).first, std::string("charliecloud"));
        install("docker");
        QCOMPARE(findContainerEngine({}, path).first, std::string("docker"));
        QCOMPARE(findContainerEngine({.engine = "charliecloud"}, path).second,
                 folder.filePath("ch-run").toStdString());
        QVERIFY(findContainerEngine({.engine = "podman"}, path).first.empty());
    }

    void aWorkersImageIsTheMastersUnlessSet()
    {
        JobSpec spec;
        spec.roles.front().image = "a";
        spec.roles.emplace_back();
        QCOMPARE(imageOf(spec, spec.roles[1]), std::string("a"));
        spec.roles[1].image = "b";
        QCOMPARE(imageOf(spec, spec.roles[1]), std::string("b"));
    }

    void whatIsNoWordOfAnEnginesIsRefused()
    {
        const auto errors = errorsOf(ContainerSpec{.engine = "lxc",
                                                   .mounts = {"data", "/a:b", "/a:/b:x", "/a:/b"},
                                                   .devices = {"fuse", "/dev/fuse"},
                                                   .options = {"x", "-x"}});
        QList<Code> codes;
        for (const ContainerError& error : errors)
            codes << error.what.code;
        QCOMPARE(codes, (QList<Code>{code::ContainerEngineUnknown, code::ContainerMountShape,
                                     code::ContainerMountShape, code::ContainerMountShape,
                                     code::ContainerDeviceShape, code::ContainerOptionShape}));
        QVERIFY(errorsOf(ContainerSpec{}).empty());
    }
};

QTEST_GUILESS_MAIN(tst_container_command)
#include "tst_container_command.moc"
