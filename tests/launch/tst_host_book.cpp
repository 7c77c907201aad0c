#include "engine/launch/HostBook.h"
#include "engine/launch/Ssh.h"

#include <QtTest>

#include <fstream>

#include <sys/wait.h>
#include <unistd.h>

using namespace ringmaster;

namespace {

HostBook bookOf(const std::string& text)
{
    auto book = HostBook::parse(text, "hosts.toml");
    if (!book)
        qFatal("%s", describe(book.error()).c_str());
    return *std::move(book);
}

std::string problemOf(const std::string& text)
{
    const auto book = HostBook::parse(text, "hosts.toml");
    return book ? "" : describe(book.error());
}

const char* const Lab = R"(# mine
ssh_config = "/etc/lab"
[host.gpu1]
ssh = "me@10.0.0.1"
slots = 8
groups = ["lab", "fast"]
interface = "ib0"
[host.gpu1.environment]
NCCL_DEBUG = "INFO"

# the second
[host.gpu2]
groups = ["lab"]
)";

} // namespace

class tst_host_book : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void readsWhatAHostHas()
    {
        const HostBook book = bookOf(Lab);
        QCOMPARE(book.sshConfig(), std::string("/etc/lab"));
        QCOMPARE(book.hosts().size(), size_t(2));
        const Host& host = *book.find("gpu1");
        QCOMPARE(host.sshDestination(), std::string("me@10.0.0.1"));
        QCOMPARE(host.slots, 8);
        QCOMPARE(host.interface, std::string("ib0"));
        QCOMPARE(host.environment.at("NCCL_DEBUG"), std::string("INFO"));
        QCOMPARE(book.find("gpu2")->sshDestination(), std::string("gpu2"));
    }

    void namesTheLineOfAnError_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("part");
        QTest::newRow("not TOML") << "[host.a\n"
                                  << "hosts.toml, line 1";
        QTest::newRow("sync") << "[host.a]\nsync = \"magic\"\n"
                              << "write shared or rsync";
        QTest::newRow("wrong type") << "[host.a]\nslots = \"many\"\n"
                                    << "hosts.toml, line 2";
        QTest::newRow("unknown key") << "[host.a]\nslotz = 1\n"
                                     << "slots";
        QTest::newRow("a name that ssh would take for an option") << "[host.-oProxyCommand]\n"
                                                                  << "name of a host";
    }

    void namesTheLineOfAnError()
    {
        QFETCH(QString, text);
        QFETCH(QString, part);
        const QString problem = QString::fromStdString(problemOf(text.toStdString()));
        QVERIFY2(problem.contains(part), qPrintable(problem));
    }

    void choosesByNameWorkersAndGroup()
    {
        const HostBook book = bookOf(Lab);
        const auto chosen = book.choose({"gpu2:4", "other"});
        QVERIFY(chosen.has_value());
        QCOMPARE(chosen->at(0).slots, 4);
        QCOMPARE(chosen->at(1).sshDestination(), std::string("other"));
        QCOMPARE(book.choose({"@lab"})->size(), size_t(2));
        QVERIFY(book.choose({"@none"}).error().code == code::HostGroupUnknown);
        QVERIFY(book.choose({"gpu1:0"}).error().code == code::HostSlotsInvalid);
        QVERIFY(book.choose({"gpu1:many"}).error().code == code::HostSlotsInvalid);
        QVERIFY(book.choose({"-oProxyCommand=x"}).error().code == code::HostSlotsInvalid);
        QVERIFY(book.choose({""}).error().code == code::HostSlotsInvalid);
        QVERIFY(book.choose({"gpu1", "@lab"}).error().code == code::HostTwice);
    }

    void changesKeepTheRestOfTheFile()
    {
        const QTemporaryDir folder;
        const auto file =
            std::filesystem::path(folder.path().toStdString()) / "deep" / "hosts.toml";
        HostBook book = *HostBook::load(file);
        QVERIFY(book.hosts().empty());
        std::filesystem::create_directories(file.parent_path());
        std::ofstream(file) << Lab;
        book = *HostBook::load(file);
        Host host{.name = "gpu3",
                  .slots = 2,
                  .groups = {"x \"y\""},
                  .sync = CodeSync::Rsync,
                  .exclude = {"data/", "*.pt"},
                  .environment = {{"A", "ü\\"}}};
        QVERIFY(book.put(host).has_value());
        QVERIFY(book.remove("gpu1").has_value());
        QVERIFY(book.remove("gpu1").error().code == code::HostNotInBook);
        const HostBook again = *HostBook::load(file);
        QVERIFY(*again.find("gpu3") == host);
        QVERIFY(again.find("gpu1") == nullptr);
        QVERIFY(again.find("gpu2") != nullptr);
        QVERIFY(again.text().find("# mine") != std::string::npos);
        QVERIFY(again.text().find("# the second") == std::string::npos ||
                again.sshConfig() == "/etc/lab");
        host.slots = 5;
        QVERIFY(book.put(host).has_value());
        QCOMPARE(HostBook::load(file)->find("gpu3")->slots, 5);
    }

    void whatOthersAddAtTheSameTimeStays()
    {
        const QTemporaryDir folder;
        const auto file = std::filesystem::path(folder.path().toStdString()) / "hosts.toml";
        constexpr int Writers = 8;
        std::vector<pid_t> children;
        for (int writer = 0; writer < Writers; ++writer) {
            const pid_t child = ::fork();
            QVERIFY(child >= 0);
            if (child == 0) {
                HostBook book = *HostBook::load(file);
                const bool done = book.put({.name = "gpu" + std::to_string(writer)}).has_value();
                ::_exit(done ? 0 : 1);
            }
            children.push_back(child);
        }
        for (const pid_t child : children) {
            int status = 0;
            QCOMPARE(::waitpid(child, &status, 0), child);
            QCOMPARE(status, 0);
        }
        QCOMPARE(HostBook::load(file)->hosts().size(), size_t{Writers});
    }

    void importsTheNamesOfAnSshConfig()
    {
        const QTemporaryDir folder;
        const std::string path = folder.path().toStdString();
        std::ofstream(path + "/more") << "Host inner\n  User me\n";
        std::ofstream(path + "/config")
            << "Include " << path << "/more\nHost gpu1 gpu2 *.example !bad\n  Port 22\n"
            << "host=gpu3\nMatch host x\nHost \"gpu1\"\n";
        const std::vector<std::string> wanted{"inner", "gpu1", "gpu2", "gpu3"};
        QCOMPARE(sshConfigNames(path + "/config"), wanted);
        QVERIFY(sshConfigNames(path + "/nothing").empty());
    }

    void sshNeverWaitsForAPerson()
    {
        const Host host{.name = "gpu1", .destination = "me@gpu1"};
        const auto words = sshCommand({.config = "/c", .controlFolder = "/run"}, host, "uptime");
        const auto has = [&](const char* word) { return std::ranges::count(words, word) == 1; };
        QVERIFY(has("BatchMode=yes"));
        QVERIFY(has("ConnectTimeout=5"));
        QVERIFY(has("ServerAliveCountMax=3"));
        QVERIFY(has("ControlMaster=auto"));
        QVERIFY(std::ranges::none_of(words, [](const std::string& word) {
            return word.starts_with("StrictHostKeyChecking");
        }));
        // Behind "--" nothing is an option of ssh.
        QCOMPARE(words.at(words.size() - 3), std::string("--"));
        QCOMPARE(words.at(words.size() - 2), std::string("me@gpu1"));
        // Where a socket's name would be too long, each has a connection of its own.
        const auto alone =
            sshCommand({.controlFolder = "/" + std::string(90, 'x')}, host, "uptime");
        QVERIFY(std::ranges::none_of(
            alone, [](const std::string& word) { return word.starts_with("Control"); }));
    }

    void tellsFailuresApart_data()
    {
        QTest::addColumn<int>("exitCode");
        QTest::addColumn<QString>("said");
        QTest::addColumn<QString>("code");
        const auto row = [](const char* name, int exitCode, const char* said, const char* code) {
            QTest::newRow(name) << exitCode << said << code;
        };
        row("unknown", 255, "ssh: Could not resolve hostname gpu9: Name or service not known",
            "HostNameUnknown");
        row("refused", 255, "ssh: connect to host gpu1 port 22: Connection refused",
            "HostRefusesConnection");
        row("cable", 255, "ssh: connect to host gpu1 port 22: Connection timed out",
            "HostUnreachable");
        row("route", 255, "ssh: connect to host gpu1 port 22: No route to host", "HostUnreachable");
        row("key refused", 255, "me@gpu1: Permission denied (publickey).", "HostRefusesKey");
        row("password asked", 255, "me@gpu1: Permission denied (password).", "HostAsksPassword");
        row("host key changed", 255,
            "@ WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED! @\nHost key verification failed.",
            "HostKeyChanged");
        row("host key unknown", 255, "Host key verification failed.", "HostKeyUnknown");
        row("too many", 255, "kex_exchange_identification: Connection closed by remote host",
            "HostTooManySessions");
        row("dropped", 255, "Timeout, server gpu1 not responding.", "HostLinkLost");
        row("dropped without a word", 255, "", "HostLinkClosed");
        row("no tar", 127, "sh: 1: tar: not found", "HostLacksCommand");
        row("no ssh", 127, "/usr/bin/env: 'ssh': No such file or directory", "SshMissing");
        row("disk full", 74, "tar: lib/x: Cannot write: No space left on device", "HostDiskFull");
        row("old", 1, "/x: /lib/libc.so.6: version `GLIBC_2.38' not found", "HostLibraryTooOld");
        row("damaged", 75, "bin/ringmaster: FAILED", "HostBundleDamaged");
        row("no commands", 1, "This account is currently not available.", "HostLoginRefused");
        row("its own", 2, "ringmaster: x does not exist", "HostAgentFailed");
        row("anything else", 255, "ssh: strange", "HostSshFailed");
    }

    void tellsFailuresApart()
    {
        QFETCH(int, exitCode);
        QFETCH(QString, said);
        QFETCH(QString, code);
        const Error error = sshFailure({.name = "gpu1"}, exitCode, said.toStdString());
        QCOMPARE(QString::fromStdString(std::string(codeName(error.code))), code);
        const std::string text = describe(Message{error.code, error.parameters, {}});
        QVERIFY2(text.find('{') == std::string::npos, text.c_str());
    }
};

QTEST_GUILESS_MAIN(tst_host_book)
#include "tst_host_book.moc"
