#include "tests/cli/Ringmaster.h"
#include "tests/support/LimitedGroup.h"

#include <QtTest>

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

using namespace ringmaster;

/// What bad input gets: a clear error that names the place, exit code 2, nothing started.
class tst_run_errors : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void refusesWithExitCode2AndStartsNothing_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QByteArray>("names");
        const auto row = [](const char* name, const QStringList& arguments, const char* names) {
            QTest::newRow(name) << (QStringList{"run"} + arguments) << QByteArray(names);
        };
        row("no program", {}, "training_script");
        row("no such program", {"missing.py"}, "missing.py");
        row("no such command", {"--no-python", "/nope/x"}, "/nope/x");
        row("not executable", {"--no-python", "./plain.txt"}, "plain.txt");
        row("no workers", {"--nproc-per-node", "0", "--no-python", "/bin/true"}, "0");
        row("fewer than none", {"--nproc-per-node", "-1", "--no-python", "/bin/true"}, "-1");
        row("nodes the wrong way round", {"--nnodes", "5:2", "--no-python", "/bin/true"}, "5");
        row("no such option", {"--nproc-per-nod3", "2", "/bin/true"}, "--nproc-per-nod3");
        row("module without Python", {"--no-python", "-m", "x"}, "-m");
        row("bad name of a variable", {"--env", "A-B=1", "--no-python", "/bin/true"},
            "A-B can't be a variable's name");
        row("no such redirect", {"-r", "4", "--no-python", "/bin/true"}, "4");
        row("log folder is a file", {"--log-dir", "./plain.txt", "--no-python", "/bin/true"},
            "plain.txt");
        row("no such job file", {"missing.ringjob"}, "missing.ringjob");
        row("unknown key", {"typo.ringjob"}, "workers");
        row("options beside a job file", {"--nproc-per-node", "2", "good.ringjob"},
            "--nproc-per-node");
    }

    void refusesWithExitCode2AndStartsNothing()
    {
        QFETCH(QStringList, arguments);
        QFETCH(QByteArray, names);
        const Ringmaster ringmaster;
        writeFiles(ringmaster.folder());
        const auto refused = ringmaster.run(arguments);
        QVERIFY2(refused.exitCode == 2, refused.error);
        QCOMPARE(refused.output, QByteArray());
        QVERIFY2(refused.error.startsWith("ringmaster: "), refused.error);
        QVERIFY2(refused.error.contains(names), refused.error);
        QVERIFY(!QDir(ringmaster.runsFolder()).exists());
    }

    void saysEveryErrorAtOnce()
    {
        const Ringmaster ringmaster;
        const auto refused = ringmaster.run(
            {"run", "--nproc-per-node", "0", "--nnodes", "3:1", "--max-restarts", "-2", "no.py"});
        QCOMPARE(refused.exitCode, 2);
        QVERIFY2(refused.error.count("ringmaster: ") >= 4, refused.error);
    }

    void namesWhoHasABusyPort()
    {
        const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t length = sizeof address;
        QCOMPARE(::bind(socket, reinterpret_cast<sockaddr*>(&address), length), 0);
        QCOMPARE(::listen(socket, 1), 0);
        QCOMPARE(::getsockname(socket, reinterpret_cast<sockaddr*>(&address), &length), 0);
        const QString port = QString::number(ntohs(address.sin_port));

        const Ringmaster ringmaster;
        const auto refused =
            ringmaster.run({"run", "--master-port", port, "--no-python", "/bin/true"});
        ::close(socket);
        QCOMPARE(refused.exitCode, 2);
        QVERIFY2(refused.error.contains(port.toUtf8()), refused.error);
    }

    void refusesARuntimeFolderThatIsNotPrivate()
    {
        Ringmaster ringmaster;
        QDir(ringmaster.folder()).mkpath("open/ringmaster");
        QFile::setPermissions(ringmaster.folder() + "/open/ringmaster", QFile::Permissions(0x7755));
        ringmaster.environment().insert("XDG_RUNTIME_DIR", ringmaster.folder() + "/open");
        const auto refused = ringmaster.run({"run", "--standalone", "--no-python", "/bin/true"});
        QCOMPARE(refused.exitCode, 2);
        QVERIFY2(refused.error.contains("0700"), refused.error);
    }

    void worksWithoutXdgRuntimeDir()
    {
        Ringmaster ringmaster;
        ringmaster.environment().remove("XDG_RUNTIME_DIR");
        const auto done = ringmaster.run({"run", "--standalone", "--no-python", "/bin/true"});
        QVERIFY2(done.exitCode == 0, done.error);
    }

    void worksInFoldersWithLongNames()
    {
        Ringmaster ringmaster;
        const QString deep =
            ringmaster.folder() + "/" + QString(100, 'a') + "/" + QString(100, 'b');
        QVERIFY(QDir().mkpath(deep));
        ringmaster.environment().insert("XDG_RUNTIME_DIR", deep);
        const auto started =
            ringmaster.run({"run", "--detach", "--standalone", "--no-python", "/bin/sleep", "600"});
        QVERIFY2(started.exitCode == 0, started.error);
        const auto stopped = ringmaster.run({"stop"});
        QVERIFY2(stopped.exitCode == 0, stopped.error);
    }

    void aWorkingFolderThatIsGoneIsNamed()
    {
        const Ringmaster ringmaster;
        QProcess process;
        process.setProcessEnvironment(ringmaster.environment());
        process.setWorkingDirectory(ringmaster.folder());
        process.setStandardInputFile(QProcess::nullDevice());
        process.start("/bin/sh", {"-c", "mkdir gone; cd gone; export PWD; rmdir ../gone; exec " +
                                            Ringmaster::executable() +
                                            " run --on localhost --no-python /bin/true"});
        const auto refused = Ringmaster::finish(process);
        QVERIFY2(refused.exitCode == 2, refused.error);
        QVERIFY2(refused.error.contains("/gone does not exist"), refused.error);
    }

    void torchIsWhereTheInterpreterFindsIt_data()
    {
        QTest::addColumn<QStringList>("options");
        QTest::newRow("as usual") << QStringList{};
        QTest::newRow("plain") << QStringList{"--plain"};
    }

    void torchIsWhereTheInterpreterFindsIt()
    {
        QFETCH(QStringList, options);
        Ringmaster ringmaster;
        const QString folder = ringmaster.folder();
        QCOMPARE(QProcess::execute("python3", {"-m", "venv", "--without-pip", folder + "/venv"}),
                 0);
        write(folder + "/modules/torch/__init__.py", "place = 'modules'\n");
        write(folder + "/train.py", "import torch\nprint('torch of', torch.place)\n");
        ringmaster.environment().insert("VIRTUAL_ENV", folder + "/venv");
        ringmaster.environment().remove("PYTHONPATH");
        const QStringList line =
            QStringList{"run", "--standalone"} + options + QStringList{"train.py"};
        const auto refused = ringmaster.run(line);
        QCOMPARE(refused.exitCode, 2);
        QVERIFY2(refused.error.contains("imports torch"), refused.error);
        ringmaster.environment().insert("PYTHONPATH", folder + "/modules");
        const auto done = ringmaster.run(line);
        QVERIFY2(done.exitCode == 0, done.error);
        QVERIFY2(done.output.contains("torch of modules"), done.output);
    }

    void nothingThatAFileNamesIsRunByACheck()
    {
        const Ringmaster ringmaster;
        const QString folder = ringmaster.folder();
        write(folder + "/venv/bin/python", "#!/bin/sh\ntouch " + folder.toUtf8() + "/ran\n");
        QFile::setPermissions(folder + "/venv/bin/python", QFile::Permissions(0x7700));
        write(folder + "/evil/sitecustomize.py", "open('" + folder.toUtf8() + "/ran', 'w')\n");
        write(folder + "/train.py", "import torch\n");
        write(folder + "/relative.ringjob",
              "[[role]]\nprogram = 'train.py'\ninterpreter = 'venv/bin/python'\n");
        write(folder + "/absolute.ringjob", "[[role]]\nprogram = 'train.py'\ninterpreter = '" +
                                                folder.toUtf8() + "/venv/bin/python'\n");
        write(folder + "/variable.ringjob", "[[role]]\nprogram = 'train.py'\n"
                                            "[role.environment]\nPYTHONPATH = 'evil'\n");
        write(folder + "/executable.ringjob",
              "[[role]]\nprogram = 'train.py'\n"
              "[role.environment]\nPYTHON_EXEC = 'venv/bin/python'\n");
        for (const char* job : {"relative", "absolute", "variable", "executable"}) {
            const auto checked =
                ringmaster.run({"job", "--check", QString(job) + QStringLiteral(".ringjob")});
            QVERIFY2(checked.output.contains("train.py is there"), checked.error);
            QVERIFY2(!QFile::exists(folder + "/ran"), job);
        }
        (void)ringmaster.run({"run", "relative.ringjob"});
        QVERIFY(QFile::exists(folder + "/ran"));
    }

    void aFullDiskIsSaidAndTheJobGoesOn()
    {
        Ringmaster ringmaster;
        const QString disk = ringmaster.folder() + "/disk";
        QDir().mkdir(disk);
        if (QProcess::execute("mount", {"-t", "tmpfs", "-o", "size=1m", "tmpfs", disk}) != 0)
            QSKIP("no file system can be mounted here");
        ringmaster.environment().insert("XDG_STATE_HOME", disk);
        const auto done = ringmaster.run({"run", "--standalone", "--no-python", "/bin/sh", "-c",
                                          "head -c 4000000 /dev/zero | tr '\\0' x; echo end"});
        // With space again the record is what `ps` says: the run is over.
        QProcess::execute("mount", {"-o", "remount,size=16m", disk});
        const auto listed = ringmaster.run({"ps", "--all"});
        const auto shown = ringmaster.run({"show"});
        const auto logs = ringmaster.run({"logs"});
        QProcess::execute("umount", {"-l", disk});
        QVERIFY2(listed.output.contains("finished"), listed.output);
        QVERIFY2(shown.output.contains("finished"), shown.output + shown.error);
        QVERIFY2(logs.error.contains("could not be kept") && !logs.error.contains("was full"),
                 logs.error); // the cause is told where it was found
        const auto lost = QRegularExpression("([0-9.]+) MiB").match(logs.error).captured(1);
        const double kept = static_cast<double>(logs.output.size()) / (1 << 20);
        QVERIFY2(qAbs(kept + lost.toDouble() - 4'000'004.0 / (1 << 20)) < 0.2,
                 logs.error + " after " + QByteArray::number(kept));
        QVERIFY2(done.exitCode == 0, done.error);
        QVERIFY(done.output.endsWith("end\n"));
        QCOMPARE(done.output.size(), 4'000'004);
        QVERIFY2(done.error.contains("full"), done.error);
    }

    void whatAWorkerPutsInPlaceOfItsErrorFileIsNotOpened_data()
    {
        QTest::addColumn<QString>("command");
        QTest::addRow("a pipe") << "mkfifo $TORCHELASTIC_ERROR_FILE";
        QTest::addRow("a link") << "ln -s /etc/passwd $TORCHELASTIC_ERROR_FILE";
        QTest::addRow("a folder") << "mkdir $TORCHELASTIC_ERROR_FILE";
        QTest::addRow("a large file") << "truncate -s 1G $TORCHELASTIC_ERROR_FILE";
    }

    void whatAWorkerPutsInPlaceOfItsErrorFileIsNotOpened()
    {
        QFETCH(QString, command);
        const Ringmaster ringmaster;
        const auto done = ringmaster.run(
            {"run", "--standalone", "--no-python", "/bin/sh", "-c", command + "; exit 1"});
        QVERIFY2(done.exitCode == 1, done.error);
        QVERIFY2(done.error.contains("error.json"), done.error);
        QVERIFY2(!done.error.contains("root:"), done.error);
    }

    void tooFewDescriptorsAreSaidWithTheRemedy_data()
    {
        QTest::addColumn<int>("descriptors");
        for (int count = 8; count < 48; count += 3)
            QTest::addRow("%d", count) << count;
    }

    void tooFewDescriptorsAreSaidWithTheRemedy()
    {
        QFETCH(int, descriptors);
        Ringmaster ringmaster;
        // The sanitizer's look at an object's type takes a descriptor, too, and fails without one.
        ringmaster.environment().insert("UBSAN_OPTIONS", "halt_on_error=0");
        QProcess process;
        process.setProcessEnvironment(ringmaster.environment());
        process.setStandardInputFile(QProcess::nullDevice());
        process.start("/bin/sh", {"-c", "ulimit -n " + QString::number(descriptors) + "; exec " +
                                            Ringmaster::executable() +
                                            " run --standalone --no-python /bin/true"});
        const auto done = Ringmaster::finish(process);
        QVERIFY2(done.exitCode >= 0 && done.exitCode <= 2, done.error);
        QVERIFY2(done.exitCode == 0 || done.error.contains("ringmaster: "), done.error);
    }

    void tooFewProcessesAreSaid_data()
    {
        QTest::addColumn<int>("processes");
        for (int count = 1; count < 32; count += 3)
            QTest::addRow("%d", count) << count;
    }

    /// Threads count, too.
    void tooFewProcessesAreSaid()
    {
        QFETCH(int, processes);
        Ringmaster ringmaster;
        // The sanitizer's search for leaks needs a thread.
        ringmaster.environment().insert("ASAN_OPTIONS", "detect_leaks=0");
        const test::ProcessesGroup group(processes);
        if (!group.isUsable())
            QSKIP("a cgroup with a limit of processes can't be made here");
        QProcess process;
        process.setProcessEnvironment(ringmaster.environment());
        process.setStandardInputFile(QProcess::nullDevice());
        process.start("/bin/sh",
                      {"-c", "echo $$ >" + group.members() + "; exec " + Ringmaster::executable() +
                                 " run --standalone --no-python /bin/true"});
        const auto done = Ringmaster::finish(process);
        QVERIFY2(done.exitCode >= 0 && done.exitCode <= 2, done.error);
        QVERIFY2(done.exitCode == 0 || done.error.contains("ringmaster: "), done.error);
    }

    void aNameThatIsTakenInTmpKeepsNobodyFromRunning()
    {
        const Ringmaster ringmaster;
        const QString id = QString::number(::getuid());
        QProcess process;
        QProcessEnvironment environment = ringmaster.environment();
        environment.remove("XDG_RUNTIME_DIR");
        process.setProcessEnvironment(environment);
        process.setStandardInputFile(QProcess::nullDevice());
        // A /tmp of its own, where somebody else has been first. What was built may be in the
        // other.
        const QString built = QFileInfo(Ringmaster::executable()).path();
        process.setWorkingDirectory("/");
        process.start("unshare",
                      {"--mount", "/bin/sh", "-c",
                       "mount -t tmpfs tmpfs /run && mkdir /run/bin && mount --bind " + built +
                           " /run/bin && mount --bind /run /tmp && mkdir /tmp/ringmaster-" + id +
                           " && chmod 755 /tmp/ringmaster-" + id +
                           " && XDG_STATE_HOME=/tmp/state exec /run/bin/ringmaster "
                           "run --standalone --no-python /bin/true"});
        const auto done = Ringmaster::finish(process);
        QVERIFY2(done.exitCode == 0, done.error);
    }

    void whyAHostCantBeReachedIsSaidOnce_data()
    {
        QTest::addColumn<QStringList>("options");
        QTest::addRow("as usual") << QStringList{};
        QTest::addRow("quiet") << QStringList{"--quiet"};
    }

    void whyAHostCantBeReachedIsSaidOnce()
    {
        if (QStandardPaths::findExecutable("ssh").isEmpty())
            QSKIP("ssh is missing (Debian: openssh-client)");
        QFETCH(QStringList, options);
        Ringmaster ringmaster;
        const QString config = ringmaster.folder() + "/config";
        ringmaster.environment().insert("XDG_CONFIG_HOME", config);
        ringmaster.environment().insert("XDG_CACHE_HOME", m_cache.path());
        QDir().mkpath(config + "/ringmaster");
        const QString bundles = m_cache.path() + "/ringmaster/bundle";
        if (!QFile::exists(bundles + "/latest"))
            QDir().mkpath(bundles + "/new-leftbyakill/bin");
        write(config + "/ssh", "Host nobody\n  HostName no..name\n");
        write(config + "/ringmaster/hosts.toml", "ssh_config = \"" + config.toUtf8() + "/ssh\"\n");
        const auto refused = ringmaster.run(QStringList{"run", "--hosts", "nobody"} + options +
                                            QStringList{"--no-python", "/bin/true"});
        QVERIFY2(refused.exitCode == 1, refused.error);
        QVERIFY2(refused.error.count("Could not resolve hostname") == 1, refused.error);
        verifyBundle(bundles);
    }

private:
    /// All that a host needs, each in its place, and nothing beside it.
    static void verifyBundle(const QDir& bundles)
    {
        const QStringList kept = bundles.entryList(QDir::AllEntries | QDir::NoDotAndDotDot);
        const QStringList archives = kept.filter(".tar.gz");
        QVERIFY2(archives.size() == 1 && kept.size() == 3, qPrintable(kept.join(" ")));
        QProcess list;
        list.start("tar", {"-tzf", bundles.filePath(archives.front())});
        const auto listed = Ringmaster::finish(list);
        QVERIFY2(listed.exitCode == 0, listed.error);
        const QString hook = "bin/ringmaster-hook/";
        for (const QString& place :
             {QString("bin/ringmaster"), hook + "parts/_ringmaster_hook.py",
              hook + "source/third-party/tl/expected.hpp", hook + "source/engine/base/Error.h"})
            QVERIFY2(listed.output.contains("\n" + place.toUtf8() + "\n"), qPrintable(place));
        QVERIFY2(!listed.output.contains(".."), listed.output);
    }

    static void write(const QString& path, const QByteArray& text)
    {
        QDir().mkpath(QFileInfo(path).path());
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text);
    }

    static void writeFiles(const QString& folder)
    {
        write(folder + "/plain.txt", "nothing\n");
        write(folder + "/typo.ringjob", "command = \"/bin/true\"\nworker = 2\n");
        write(folder + "/good.ringjob", "command = \"/bin/true\"\n");
    }

    QTemporaryDir m_cache; ///< To pack all that a host needs takes seconds.
};

QTEST_GUILESS_MAIN(tst_run_errors)
#include "tst_run_errors.moc"
