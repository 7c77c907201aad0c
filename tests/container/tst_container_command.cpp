#include "engine/container/Codes.h"
#include "engine/container/ContainerCommand.h"
#include "engine/container/ContainerImage.h"
#include "engine/container/ContainerMountPoints.h"
#include "engine/container/FetchProgress.h"
#include "engine/container/ImageFetch.h"
#include "engine/job/Codes.h"
#include "engine/job/ContainerEngine.h"
#include "engine/job/ContainerSpec.h"

#include <QtTest>

#include <optional>

using namespace ringmaster;
using namespace std::chrono_literals;

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

/// What is there when an image was to be brought.
struct Brought
{
    std::optional<Result<void>> result{}; ///< Nothing: it took too long.
    QList<Code> told{};
};

Brought bring(ImageFetch::Setting setting)
{
    Brought brought;
    EventLoop loop;
    const auto limit = loop.callAfter(60s, [&] { loop.stop(); });
    ImageFetch fetch(loop, std::move(setting),
                     [&](const Notice& notice) { brought.told << notice.message.code; });
    fetch.start([&](const Result<void>& done) {
        brought.result.emplace(done);
        loop.stop();
    });
    loop.run();
    return brought;
}

/// A charliecloud whose storage is in use when its image is asked for the first two times.
class BusyCharliecloud
{
public:
    BusyCharliecloud()
    {
        install("ch-run", "");
        install("ch-image",
                "cd \"${0%/*}\"; echo \"$*\" >>asked; test $(wc -l <asked) -gt 2 && exit\n"
                "printf '\\033[31merror: storage directory is already in use\\033[0m\\n'\n"
                "echo 'hint: concurrent instances of ch-image cannot share it'; exit 1\n");
    }

    ImageFetch::Setting setting() const
    {
        JobSpec spec;
        spec.container.engine = "charliecloud";
        spec.roles.front().image = "r/x:1";
        return {.spec = spec,
                .environment = {{"PATH", m_folder.path().toStdString() + ":/usr/bin:/bin"}},
                .pace = 1h,
                .retryDelay = 10ms};
    }

    QByteArray asked() const
    {
        QFile file(m_folder.filePath("asked"));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }

private:
    void install(const char* name, const char* script) const
    {
        QFile file(m_folder.filePath(name));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("#!/bin/sh\n");
        file.write(script);
        file.setPermissions(QFile::ReadOwner | QFile::ExeOwner);
    }

    QTemporaryDir m_folder;
};

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
            "--pull=never torch:2 python3 -u t.py";
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

    /// Two workers that start at once would make them both, and one would fail.
    void theMountPointsOfAWritableImageAreThere()
    {
        const QTemporaryDir image;
        const QTemporaryDir elsewhere;
        QVERIFY(QDir(image.path()).mkpath("runs"));
        QVERIFY(QFile::link(elsewhere.path(), image.filePath("data")));
        ContainerFacts facts = factsOf("charliecloud");
        facts.image = image.path().toStdString();
        ContainerSpec spec{.mounts = {"/a:/made:ro", "/b:/data/there", "/c:/../out"},
                           .options = {}};
        makeMountPoints(spec, facts);
        QVERIFY(!QDir(image.filePath("made")).exists());
        spec.options = {"--write"};
        makeMountPoints(spec, facts);
        makeMountPoints(spec, facts);
        for (const char* folder : {"runs/logs", "home/me", "made", "out"})
            QVERIFY2(QDir(image.filePath(folder)).exists(), folder);
        QVERIFY(QDir(elsewhere.path()).isEmpty());
    }

    void theFirstEngineThatIsThereIsTaken()
    {
        const QTemporaryDir folder;
        const auto install = [&](const char* name) {
            QFile file(folder.filePath(name));
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.setPermissions(QFile::ReadOwner | QFile::ExeOwner);
        };
        const EnvironmentMap environment{{"PATH", "/nowhere:" + folder.path().toStdString()}};
        QVERIFY(findContainerEngine({}, environment).first.empty());
        install("ch-run");
        QCOMPARE(findContainerEngine({}, environment).first, std::string("charliecloud"));
        install("docker");
        QCOMPARE(findContainerEngine({}, environment).first, std::string("docker"));
        QCOMPARE(findContainerEngine({.engine = "charliecloud"}, environment).second,
                 folder.filePath("ch-run").toStdString());
        QVERIFY(findContainerEngine({.engine = "podman"}, environment).first.empty());
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
        for (const Finding& error : errors)
            codes << error.message.code;
        QCOMPARE(codes, (QList<Code>{code::ContainerEngineUnknown, code::ContainerMountShape,
                                     code::ContainerMountShape, code::ContainerMountShape,
                                     code::ContainerDeviceShape, code::ContainerOptionShape}));
        QVERIFY(errorsOf(ContainerSpec{}).empty());
    }

    void whetherAnImageIsFetchedIsAskedOnce()
    {
        const ContainerImage image{"podman", "/bin/podman", "r/x:1"};
        const ContainerSpec spec{
            .options = {"--shm-size=8g", "--pull=always", "--tls-verify=false"}};
        QCOMPARE(pullPolicyOf(spec), PullPolicy::Always);
        QCOMPARE(pullPolicyOf({}), PullPolicy::Missing);
        QCOMPARE(pullPolicyOf({.options = {"--pull=never"}}), PullPolicy::Never);
        using Words = std::vector<std::string>;
        QCOMPARE(imageLookCommand(image), (Words{"/bin/podman", "image", "exists", "r/x:1"}));
        QCOMPARE(imageFetchCommand(spec, image),
                 (Words{"/bin/podman", "pull", "--tls-verify=false", "r/x:1"}));
        QCOMPARE(optionsOfWorkers(spec, "docker"),
                 (Words{"--shm-size=8g", "--tls-verify=false", "--pull=never"}));
        QCOMPARE(optionsOfWorkers(spec, "apptainer"), spec.options);
        // What only a registry knows isn't looked for; a folder isn't fetched.
        QVERIFY(imageLookCommand({"apptainer", "/bin/apptainer", "docker://x"}).empty());
        QVERIFY(imageFetchCommand(spec, {"charliecloud", "/bin/ch-run", "/images/x"}).empty());
    }

    void anEnginesWordsNameTheCause_data()
    {
        QTest::addColumn<QString>("said");
        QTest::addColumn<Code>("wanted");
        const auto row = [](const char* said, Code wanted) {
            QTest::newRow(said) << QString(said) << wanted;
        };
        row("Error: initializing source docker://r/x:1: reading manifest 1 in r/x: manifest "
            "unknown\n",
            code::ContainerImageUnknown);
        row("Error response from daemon: pull access denied for x, repository does not exist or "
            "may require 'docker login': denied: requested access to the resource is denied",
            code::ContainerImageUnknown);
        row("Error: initializing source docker://r/x:1: reading manifest 1 in r/x: unauthorized",
            code::ContainerRegistryLogin);
        row("dial tcp 127.0.0.1:1: connect: connection refused", code::ContainerRegistryAway);
        row("dial tcp: lookup nowhere.invalid on 10.0.0.1:53: no such host",
            code::ContainerRegistryAway);
        row("Error: short-name \"x\" did not resolve to an alias and no unqualified-search "
            "registries are defined",
            code::ContainerImageShortName);
        row("http: server gave HTTP response to HTTPS client", code::ContainerRegistryUntrusted);
        row("Error: writing blob: storing blob: write /x: no space left on device",
            code::ContainerImageNoSpace);
        row("Got permission denied while trying to connect to the Docker daemon socket",
            code::ContainerEngineRefuses);
        row("Cannot connect to the Docker daemon at unix:///x. Is the docker daemon running?",
            code::ContainerEngineDown);
        row("Error: cannot find UID/GID for user x: no subuid ranges found for user \"x\" in "
            "/etc/subuid",
            code::ContainerEngineRefuses);
        row("Error: something else", code::ContainerFetchFailed);
    }

    void anEnginesWordsNameTheCause()
    {
        QFETCH(QString, said);
        QFETCH(Code, wanted);
        const ContainerImage image{"podman", "/bin/podman", "r/x:1"};
        const Error error = fetchFailure(image, said.toStdString());
        QCOMPARE(error.code, wanted);
        QCOMPARE(error.parameters.at("image"), std::string("r/x:1"));
        QVERIFY(!QString::fromStdString(error.parameters.at("reason")).startsWith("Error"));
    }

    void aLookThatFailsIsNoImageThatIsMissing()
    {
        const ContainerImage podman{"podman", "/bin/podman", "x"};
        QVERIFY(!lookFailure(podman, 1, "").has_value());
        QCOMPARE(lookFailure(podman, 125, "Error: broken")->code, code::ContainerEngineBroken);
        const ContainerImage docker{"docker", "/bin/docker", "x"};
        QVERIFY(!lookFailure(docker, 1, "Error: No such image: x").has_value());
        QCOMPARE(lookFailure(docker, 1, "Cannot connect to the Docker daemon")->code,
                 code::ContainerEngineDown);
    }

    /// ch-image locks the whole of it, and refuses at once: two runs may begin together.
    void aStorageThatIsInUseIsWaitedFor()
    {
        const BusyCharliecloud charliecloud;
        const Brought brought = bring(charliecloud.setting());
        QCOMPARE(charliecloud.asked(), QByteArray("pull r/x:1\npull r/x:1\npull r/x:1\n"));
        QVERIFY(brought.result.has_value());
        QVERIFY(brought.result->has_value());
        QCOMPARE(brought.told,
                 (QList<Code>{code::ContainerImageFetching, code::ContainerStorageInUse,
                              code::ContainerImageFetched}));
    }

    void aStorageThatStaysInUseIsAFailure()
    {
        const BusyCharliecloud charliecloud;
        ImageFetch::Setting setting = charliecloud.setting();
        setting.storagePatience = 0ms;
        const Brought brought = bring(std::move(setting));
        QCOMPARE(charliecloud.asked(), QByteArray("pull r/x:1\n"));
        QVERIFY(brought.result.has_value());
        QVERIFY(!brought.result->has_value());
        QCOMPARE(brought.result->error().code, code::ContainerFetchFailed);
    }

    void whatIsDrawnOnATerminalIsFigures()
    {
        FetchProgress podman;
        QVERIFY(!podman.mebibytes().has_value());
        podman.heard(
            "Trying to pull r/x:1...\r\nGetting image source signatures\r\n"
            "Copying blob 5f3a043f7505 skipped: already exists  \r\n"
            "Copying blob 94cee7bfcc10 [-----] 0.0b / 29.5MiB\r\n\x1b[2A\x1b[JCopying blo");
        QCOMPARE(podman.mebibytes().value(), (FetchProgress::Figures{0, 30}));
        podman.heard("b 94cee7bfcc10 [===>-] 512.0KiB / 29.5MiB\r\n"
                     "Copying blob 74cee7bfcc11 [===>-] 10.5MiB / 1.0GiB\r\n");
        QCOMPARE(podman.mebibytes().value(), (FetchProgress::Figures{11, 1054}));
        FetchProgress docker;
        docker.heard("a2abf6c4d29d: Downloading [=>   ]  1.048MB/31.46MB\r"
                     "a2abf6c4d29d: Extracting [==>   ]  31.46MB/31.46MB\r");
        QCOMPARE(docker.mebibytes().value(), (FetchProgress::Figures{1, 30}));
        docker.heard(std::string(100'000, 'x'));
        docker.heard("\nnothing [ of ] 1MB/ it\n");
        QCOMPARE(docker.mebibytes().value(), (FetchProgress::Figures{1, 30}));
    }
};

QTEST_GUILESS_MAIN(tst_container_command)
#include "tst_container_command.moc"
