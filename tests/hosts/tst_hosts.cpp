#include "tests/hosts/LabRuns.h"

#include <QDeadlineTimer>
#include <QDir>
#include <QJsonArray>
#include <QJsonObject>
#include <QStandardPaths>

#include <csignal>

namespace {

QString sshdWith(const QString& change)
{
    return "cd /run/lab && cp sshd_config kept_config && " + change + " && " + Lab::reloadSshd();
}

QString sshdAsBefore()
{
    return "cd /run/lab && cp kept_config sshd_config && " + Lab::reloadSshd();
}

/// uname is what says which agent fits.
constexpr const char* OtherMachine =
    "rm -rf /root/.cache/ringmaster; mv /usr/bin/uname /usr/bin/uname.kept; "
    "printf '#!/bin/sh\necho aarch64\n' >/usr/bin/uname; chmod +x /usr/bin/uname; ";
constexpr const char* OwnMachine = "mv /usr/bin/uname.kept /usr/bin/uname; "
                                   "rm -f /usr/local/bin/ringmaster; ";

/// A folder that the hosts don't see: each has a /tmp of its own.
QString codeIn(Lab& lab)
{
    const QString code = lab.ringmaster().folder() + "/code";
    QDir().mkpath(code + "/data");
    QFile say(code + "/say.sh");
    if (say.open(QIODevice::WriteOnly))
        say.write("echo $RANK in $PWD: $(ls)\n");
    QFile large(code + "/data/large");
    if (large.open(QIODevice::WriteOnly))
        large.write(QByteArray(1 << 20, 'x'));
    return code;
}

QStringList runIn(const QString& code, const QStringList& options)
{
    return QStringList{"run", "--working-folder", code} + options +
           QStringList{"--no-python", "/bin/sh", "say.sh"};
}

/// What a container needs at least, where every host of the lab sees it.
QString imageFolder()
{
    const QString image = RINGMASTER_BUILD_DIR "/lab-image";
    QDir(image).removeRecursively();
    for (const char* folder : {"bin", "dev", "proc", "sys", "tmp", "etc", "run", "home", "root"})
        QDir().mkpath(image + "/" + folder);
    QFile::copy(QStandardPaths::findExecutable("busybox"), image + "/bin/busybox");
    for (const char* program : {"sh", "echo", "ls", "sleep", "hostname", "test"})
        QFile::link("busybox", image + "/bin/" + program);
    for (const char* file : {"passwd", "group", "hosts", "resolv.conf"})
        QFile(image + "/etc/" + file).open(QIODevice::WriteOnly);
    return image;
}

/// A signal that is still pending when the same one comes is one with it.
bool isTaken(pid_t process, int signal)
{
    const QDeadlineTimer limit(60'000);
    while (!limit.hasExpired()) {
        QFile status(QStringLiteral("/proc/%1/status").arg(process));
        if (!status.open(QIODevice::ReadOnly))
            return false;
        const QByteArray text = status.readAll();
        const qsizetype at = text.indexOf("ShdPnd:\t") + 8;
        const quint64 pending = text.mid(at, 16).toULongLong(nullptr, 16);
        if ((pending >> (signal - 1) & 1U) == 0)
            return true;
    }
    return false;
}

} // namespace

/// Three hosts over ssh, with workers that are shell scripts.
class tst_hosts : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        if (qEnvironmentVariableIsSet("RINGMASTER_NO_LAB"))
            QSKIP(qPrintable(qEnvironmentVariable("RINGMASTER_NO_LAB")));
    }

    void isCheckedAndGetsTheAgent()
    {
        Lab lab;
        const auto first =
            lab.ringmaster().run({"host", "check", "lab1", "lab2", "nowhere", "--json"});
        QCOMPARE(first.exitCode, 1);
        const QJsonArray hosts = QJsonDocument::fromJson(first.output).array();
        QVERIFY2(hosts.size() == 3, first.error + first.output);
        for (int i = 0; i < 2; ++i) {
            const QJsonObject host = hosts.at(i).toObject();
            QVERIFY2(host.value("isUsable").toBool(), first.output.constData());
            QVERIFY(host.value("wasCopied").toBool());
            QVERIFY(host.value("facts").toObject().value("processors").toInt() > 0);
            QVERIFY(host.value("clockBoundNs").toDouble() > 0);
        }
        const QJsonObject problem = hosts.at(2).toObject().value("problem").toObject();
        QCOMPARE(problem.value("code").toString(), QString("HostNameUnknown"));
        const auto again = lab.ringmaster().run({"host", "check", "lab1", "--json"});
        QCOMPARE(again.exitCode, 0);
        QVERIFY2(again.output.contains("\"wasCopied\": false"), again.output.constData());
    }

    void aLoginThatFailsIsToldApart_data()
    {
        QTest::addColumn<QString>("seed");
        QTest::addColumn<QString>("undo");
        QTest::addColumn<QString>("code"); ///< Empty: it can be used.
        const QString version = "printf '#!/bin/sh\necho ringmaster 0.0.9\n' "
                                ">/usr/local/bin/ringmaster; chmod +x /usr/local/bin/ringmaster";
        const QString mounted = "mkdir -p /root/.cache && mount -t tmpfs -o %1 none /root/.cache";
        QTest::newRow("it asks for a password")
            << sshdWith("sed -i 's/^PasswordAuth.*/PasswordAuthentication yes/' sshd_config && "
                        "echo PubkeyAuthentication no >>sshd_config")
            << sshdAsBefore() << "HostAsksPassword";
        QTest::newRow("its shell prints for ever") << "echo yes >/root/.bashrc"
                                                   << ": >/root/.bashrc"
                                                   << "HostShellNoise";
        QTest::newRow("its shell ends") << "echo 'exit 3' >/root/.bashrc"
                                        << ": >/root/.bashrc"
                                        << "HostLoginEnded";
        QTest::newRow("its shell reads and prints")
            << "echo 'echo hello; read -t 0.1 line' >/root/.bashrc"
            << ": >/root/.bashrc"
            << "";
        QTest::newRow("its account has no shell")
            << "cp /etc/passwd /run/passwd; sed -i '/^root:/s#[^:]*$#/usr/sbin/nologin#' "
               "/etc/passwd"
            << "cat /run/passwd >/etc/passwd"
            << "HostLoginRefused";
        QTest::newRow("it is another machine") << OtherMachine << OwnMachine << "HostArchitecture";
        QTest::newRow("another machine with another version")
            << OtherMachine + version << OwnMachine << "HostVersion";
        QTest::newRow("another machine with this version")
            << OtherMachine + QString("ln -s " RINGMASTER_BUILD_DIR
                                      "/bin/ringmaster /usr/local/bin/ringmaster")
            << OwnMachine << "";
        QTest::newRow("it lacks a command")
            << "rm -rf /root/.cache/ringmaster; mv /usr/bin/sha256sum /usr/bin/sha256sum.kept"
            << "mv /usr/bin/sha256sum.kept /usr/bin/sha256sum"
            << "HostLacksCommand";
        QTest::newRow("nothing may be written there") << mounted.arg("ro") << "umount /root/.cache"
                                                      << "HostCacheDenied";
        QTest::newRow("nothing may be run there") << mounted.arg("noexec") << "umount /root/.cache"
                                                  << "HostRunsNoPrograms";
    }

    void aLoginThatFailsIsToldApart()
    {
        QFETCH(QString, seed);
        QFETCH(QString, undo);
        QFETCH(QString, code);
        Lab lab;
        Lab::on("lab3", {"sh", "-c", seed});
        const auto outcome = lab.ringmaster().run({"host", "check", "lab3", "--json"});
        Lab::on("lab3", {"sh", "-c", undo});
        const QJsonObject host = QJsonDocument::fromJson(outcome.output).array().first().toObject();
        QCOMPARE(host.value("problem").toObject().value("code").toString(), code);
        QCOMPARE(host.value("isUsable").toBool(), code.isEmpty());
    }

    void thePreflightNamesWhatIsWrong()
    {
        Lab lab;
        lab.ringmaster().run({"host", "add", "here1", "--ssh", "lab1"});
        lab.ringmaster().run({"host", "add", "wire", "--ssh", "lab2", "--interface", "nope"});
        lab.ringmaster().run({"host", "add", "empty", "--ssh", "lab3", "--code", "/not/there",
                              "--python", "/no/python"});
        const auto process =
            lab.start({"check", "here1", "wire", "empty", "--program", "steps.py", "--json"});
        const auto outcome = Ringmaster::finish(*process, ForProcesses);
        QVERIFY2(outcome.exitCode == 1, outcome.error + outcome.output);
        QStringList bad;
        QStringList good;
        for (const QJsonValue& value : QJsonDocument::fromJson(outcome.output).array()) {
            const QJsonObject finding = value.toObject();
            const QString code =
                finding.value("message").toObject().value("code").toString().remove("Preflight");
            const QString text = finding.value("host").toString() + " " + code + " " +
                                 finding.value("peer").toString();
            (finding.value("grade").toString() == "bad" ? bad : good) << text.trimmed();
        }
        QCOMPARE(bad, (QStringList{"wire CannotListen", "empty NoPython", "empty PathMissing",
                                   "empty PathMissing"}));
        for (const char* way : {"here1 Reaches empty", "wire Reaches here1", "wire Reaches empty",
                                "empty Reaches here1"})
            QVERIFY2(good.contains(way), qPrintable(good.join("; ")));
    }

    void theProgramIsBroughtToWhoDoesNotShareItsFolder()
    {
        Lab lab;
        const QString code = codeIn(lab);
        lab.ringmaster().run({"host", "add", "lab1", "--sync", "rsync", "--exclude", "data/",
                              "--code", "/root/my code"});
        lab.ringmaster().run({"host", "add", "lab2", "--sync", "rsync"});
        Lab::on("lab1", {"sh", "-c", "mkdir '/root/my code'; echo >'/root/my code/mine'"});
        const auto outcome = lab.ringmaster().run(runIn(code, {"--hosts", "lab1,lab2"}));
        QVERIFY2(outcome.exitCode == 0, outcome.error);
        // What was there stays; what is left out doesn't come.
        QVERIFY2(outcome.output.contains("0 in /root/my code: mine say.sh"), outcome.output);
        QVERIFY2(outcome.output.contains("1 in " + code.toUtf8() + ": data say.sh"),
                 outcome.output);
        QVERIFY2(outcome.error.contains("and left out was: data/"), outcome.error);
        QVERIFY2(outcome.error.contains("2 files were copied"), outcome.error);
        // Nothing has changed since.
        const auto again = lab.ringmaster().run(runIn(code, {"--hosts", "lab2"}));
        QVERIFY2(again.error.contains("0 files were copied"), again.error);
    }

    void whatKeepsTheProgramFromAHostIsSaidAndTheOthersGoOn()
    {
        Lab lab;
        const QString code = codeIn(lab);
        lab.ringmaster().run({"host", "add", "lab1", "lab2", "lab3", "--sync", "rsync"});
        Lab::on("lab1", {"mv", "/usr/bin/rsync", "/usr/bin/rsync.away"});
        Lab::on("lab2",
                {"sh", "-c",
                 "mkdir -p '" + code + "'; mount -t tmpfs -o size=64k tmpfs '" + code + "'"});
        auto outcome =
            lab.ringmaster().run(runIn(code, {"--nnodes", "1:3", "--hosts", "lab1,lab2,lab3"}));
        Lab::on("lab1", {"mv", "/usr/bin/rsync.away", "/usr/bin/rsync"});
        QVERIFY2(outcome.exitCode == 0, outcome.error);
        QVERIFY2(outcome.output.contains("0 in "), outcome.output);
        QVERIFY2(outcome.error.contains("lab1: rsync isn't installed there"), outcome.error);
        QVERIFY2(outcome.error.contains("lab2: the disk with"), outcome.error);
        // Nobody is left: the run says why.
        outcome = lab.ringmaster().run(runIn(code, {"--hosts", "lab2"}));
        QCOMPARE(outcome.exitCode, 1);
        QVERIFY2(outcome.error.contains("failed after") && outcome.error.contains("is full"),
                 outcome.error);
        QCOMPARE(lab.show().value("reason").toObject().value("code").toString(),
                 QString("CopyDiskFull"));
    }

    void runsOnAllOfThem()
    {
        Lab lab;
        // The usual port is busy there, which is no concern of a job whose lead chooses one.
        const auto freePort = qScopeGuard([] {
            Lab::on("lab2", {"pkill", "-f", "http.server 29500"});
        });
        QCOMPARE(
            Lab::on("lab2", {"sh", "-c",
                             "setsid -f python3 -m http.server 29500 </dev/null >/dev/null 2>&1; "
                             "until ss -Hltn 'sport = :29500' | grep -q .; do sleep 0.05; done; "
                             "echo busy"}),
            QByteArray("busy\n"));
        const auto process = lab.start(
            run({"--hosts", "lab1,lab2:3,lab3", "--nproc-per-node", "2"},
                "echo $RANK of $WORLD_SIZE group $GROUP_RANK at $(hostname) $MASTER_ADDR"));
        const auto outcome = Ringmaster::finish(*process, ForProcesses);
        QVERIFY2(outcome.exitCode == 0, outcome.error.constData());
        QList<QByteArray> lines = outcome.output.trimmed().split('\n');
        std::sort(lines.begin(), lines.end());
        const QList<QByteArray> wanted{"[rank0]: 0 of 7 group 0 at lab1 10.77.0.11",
                                       "[rank1]: 1 of 7 group 0 at lab1 10.77.0.11",
                                       "[rank2]: 2 of 7 group 1 at lab2 10.77.0.11",
                                       "[rank3]: 3 of 7 group 1 at lab2 10.77.0.11",
                                       "[rank4]: 4 of 7 group 1 at lab2 10.77.0.11",
                                       "[rank5]: 5 of 7 group 2 at lab3 10.77.0.11",
                                       "[rank6]: 6 of 7 group 2 at lab3 10.77.0.11"};
        QVERIFY2(lines == wanted, outcome.output + outcome.error);
        const QJsonObject shown = lab.show();
        QCOMPARE(shown.value("state").toString(), QString("succeeded"));
        QCOMPARE(shown.value("hosts").toArray().size(), 3);
        QCOMPARE(shown.value("workers").toArray().at(6).toObject().value("node").toString(),
                 QString("lab3"));
        const auto log = lab.ringmaster().run({"logs", "--rank", "6"});
        QVERIFY2(log.output.contains("6 of 7 group 2 at lab3"), log.output + log.error);
        for (const char* host : {"lab1", "lab2", "lab3"})
            QTRY_VERIFY2_WITH_TIMEOUT(Lab::left(host).isEmpty(), Lab::left(host), ForProcesses);
    }

    /// An export of the lead's knows what is a secret there alone.
    void whatAHostsWorkersInheritIsMaskedInAnExport()
    {
        Lab lab;
        Lab::on("lab2", {"sh", "-c", "echo export HF_TOKEN=hf_of_lab2_alone >/root/.bashrc"});
        const auto process =
            lab.start(run({"--hosts", "lab2", "--nproc-per-node", "1"}, "echo token $HF_TOKEN."));
        const auto outcome = Ringmaster::finish(*process, ForProcesses);
        Lab::on("lab2", {"sh", "-c", ": >/root/.bashrc"});
        QVERIFY2(outcome.output.contains("token hf_of_lab2_alone."),
                 outcome.output + outcome.error);
        const QString target = lab.ringmaster().folder() + "/shared.ringrun";
        const auto exported =
            lab.ringmaster().run({"export", lab.ringmaster().runs().first(), "-o", target});
        QVERIFY2(exported.exitCode == 0, exported.error + exported.output);
        QFile file(target);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray content = file.readAll();
        QVERIFY(content.contains("token ****************."));
        QVERIFY(!content.contains("hf_of_lab2_alone"));
    }

    void aFailureAnywhereEndsTheJobWithOneCause()
    {
        Lab lab;
        const auto process =
            lab.start(run({"--hosts", "lab1,lab2,lab3", "--max-restarts", "1"},
                          "test $RANK = 1 && { echo boom >&2; exit 7; }; sleep 600"));
        const auto outcome = Ringmaster::finish(*process, ForProcesses);
        QVERIFY2(outcome.exitCode == 1, outcome.error.constData());
        const QJsonObject shown = lab.show();
        QCOMPARE(shown.value("state").toString(), QString("failed"));
        QCOMPARE(shown.value("restartsUsed").toInt(), 1);
        QCOMPARE(shown.value("firstCause").toObject().value("rank").toInt(-1), 1);
        QVERIFY2(outcome.error.contains("host      : lab2"), outcome.error);
        for (const char* host : {"lab1", "lab2", "lab3"})
            QTRY_VERIFY2_WITH_TIMEOUT(Lab::left(host).isEmpty(), Lab::left(host), ForProcesses);
    }

    /// charliecloud needs neither a daemon nor a storage that a host of the lab doesn't have.
    void workersRunInAnImageThere()
    {
        for (const char* program : {"ch-run", "busybox"}) {
            if (QStandardPaths::findExecutable(program).isEmpty())
                QSKIP("charliecloud or busybox is missing (Debian: charliecloud-runtime, "
                      "busybox-static)");
        }
        Lab lab;
        const QString image = imageFolder();
        const auto inImage = [&](const char* script) {
            return Ringmaster::finish(
                *lab.start(QStringList{"run", "--hosts", "lab1,lab2", "--image", image,
                                       "--container-engine", "charliecloud",
                                       "--container-option=--write", "--no-python", "/bin/sh", "-c",
                                       script}),
                ForProcesses);
        };
        const auto done = inImage("echo $RANK of $WORLD_SIZE on $(hostname): $(ls /bin)");
        QVERIFY2(done.exitCode == 0, done.error + done.output);
        for (const char* line : {"0 of 2 on lab1: busybox", "1 of 2 on lab2: busybox"})
            QVERIFY2(done.output.contains(line), done.output + done.error);
        const auto failed = inImage("test $RANK = 0 || exit 7; exec sleep 600");
        QCOMPARE(failed.exitCode, 1);
        QVERIFY2(failed.error.contains("host      : lab2") &&
                     failed.error.contains("exitcode  : 7"),
                 failed.error);
        for (const char* host : {"lab1", "lab2"})
            QTRY_VERIFY2_WITH_TIMEOUT(Lab::left(host).isEmpty(), Lab::left(host), ForProcesses);
        QDir(image).removeRecursively();
    }

    /// It is said, and no other login is begun beside it: on a host that is slow since it has too
    /// much to do, each would make it slower.
    void aSlowLoginIsWaitedForLonger()
    {
        Lab lab;
        Lab::on("lab2", {"sh", "-c",
                         "mkdir -p /root/.ssh; rm -f /tmp/logins; echo 'echo begins >>/tmp/logins; "
                         "sleep 5; echo ends >>/tmp/logins' >/root/.ssh/rc"});
        const auto process =
            lab.start(run({"--hosts", "lab1,lab2", "--rdzv-conf", "login_timeout=3"},
                          "echo here $RANK; exec sleep 600"));
        QByteArray text;
        const bool areBothHere = QTest::qWaitFor(
            [&] { return outputOf(*process, text).count("here") == 2; }, ForProcesses);
        Lab::on("lab2", {"rm", "/root/.ssh/rc"});
        QVERIFY2(areBothHere, process->readAllStandardError() +
                                  lab.ringmaster().run({"show", "--events"}).output);
        const QByteArray events = lab.ringmaster().run({"show", "--events", "--json"}).output;
        QVERIFY2(events.contains("HostLoginSilent"), events.right(3000).constData());
        QVERIFY2(!Lab::on("lab2", {"cat", "/tmp/logins"}).contains("begins\nbegins"),
                 Lab::on("lab2", {"cat", "/tmp/logins"}));
        QVERIFY2(!Lab::on("lab2", {"ps", "-eo", "args"}).contains("sleep 5\n"),
                 Lab::on("lab2", {"ps", "-eo", "pid,ppid,args"}));
        ::kill(static_cast<pid_t>(process->processId()), SIGTERM);
        QCOMPARE(Ringmaster::finish(*process, ForProcesses).exitCode, 1);
    }

    void aCheckWaitsForALoginAsLongAsItIsTold()
    {
        Lab lab;
        Lab::on("lab2", {"sh", "-c", "mkdir -p /root/.ssh; echo 'sleep 5' >/root/.ssh/rc"});
        const auto check = [&lab](const QStringList& words) {
            const auto process =
                lab.start(words + QStringList{"lab2", "--json", "--login-timeout"} +
                          QStringList{words.size() == 1 ? "2" : "120"});
            const auto outcome = Ringmaster::finish(*process, ForProcesses);
            return QJsonDocument::fromJson(outcome.output)[0];
        };
        const QJsonValue impatient = check({"check"});
        const QJsonValue patient = check({"host", "check"});
        Lab::on("lab2", {"rm", "/root/.ssh/rc"});
        QCOMPARE(impatient["message"]["code"].toString(), QString("HostLoginSilent"));
        QCOMPARE(impatient["message"]["parameters"]["seconds"].toString(), QString("2"));
        QVERIFY(patient["isUsable"].toBool());
    }

    void aStopReachesAll()
    {
        Lab lab;
        const auto process =
            lab.start(run({"--hosts", "lab1,lab2,localhost"}, "echo here $RANK; exec sleep 600"));
        QByteArray text;
        QTRY_VERIFY2_WITH_TIMEOUT(outputOf(*process, text).count("here") == 3, text, ForProcesses);
        ::kill(static_cast<pid_t>(process->processId()), SIGTERM);
        QCOMPARE(Ringmaster::finish(*process, ForProcesses).exitCode, 1);
        QCOMPARE(lab.show().value("state").toString(), QString("stopped"));
        for (const char* host : {"lab1", "lab2"})
            QTRY_VERIFY2_WITH_TIMEOUT(Lab::left(host).isEmpty(), Lab::left(host), ForProcesses);
    }

    /// It hangs up twice, through the kernel and the shell: nobody's second request.
    void aClosingTerminalLeavesWorkersTheirGrace()
    {
        Lab lab;
        const auto process =
            lab.start(run({"--hosts", "lab1,lab2,localhost", "--grace", "60s"},
                          "trap 'sleep 1; echo saved $RANK; exit 0' TERM; echo here $RANK; "
                          "while :; do sleep 0.1; done"));
        QByteArray text;
        QTRY_VERIFY2_WITH_TIMEOUT(outputOf(*process, text).count("here") == 3, text, ForProcesses);
        const auto lead = static_cast<pid_t>(process->processId());
        ::kill(lead, SIGHUP);
        QVERIFY(isTaken(lead, SIGHUP)); // else the two would be one
        ::kill(lead, SIGHUP);
        QTRY_VERIFY2_WITH_TIMEOUT(outputOf(*process, text).count("saved") == 3, text, ForProcesses);
        QCOMPARE(Ringmaster::finish(*process, ForProcesses).exitCode, 1);
        QCOMPARE(lab.show().value("state").toString(), QString("stopped"));
    }
};

int main_tst_hosts(int argc, char** argv)
{
    return runInLab(argc, argv, "3", [](int count, char** words) {
        QCoreApplication application(count, words);
        tst_hosts test;
        return QTest::qExec(&test, count, words);
    });
}

#include "tst_hosts.moc"
