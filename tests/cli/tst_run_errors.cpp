#include "tests/cli/Ringmaster.h"

#include <QtTest>

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

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
        QProcess::execute("umount", {"-l", disk});
        QVERIFY2(done.exitCode == 0, done.error);
        QVERIFY(done.output.endsWith("end\n"));
        QCOMPARE(done.output.size(), 4'000'004);
        QVERIFY2(done.error.contains("full"), done.error);
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
        QDir().mkpath(config + "/ringmaster");
        write(config + "/ssh", "Host nobody\n  HostName no..name\n");
        write(config + "/ringmaster/hosts.toml", "ssh_config = \"" + config.toUtf8() + "/ssh\"\n");
        const auto refused = ringmaster.run(QStringList{"run", "--hosts", "nobody"} + options +
                                            QStringList{"--no-python", "/bin/true"});
        QCOMPARE(refused.exitCode, 1);
        QVERIFY2(refused.error.count("Could not resolve hostname") == 1, refused.error);
    }

private:
    static void write(const QString& path, const QByteArray& text)
    {
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
};

QTEST_GUILESS_MAIN(tst_run_errors)
#include "tst_run_errors.moc"
