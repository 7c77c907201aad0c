#include "engine/hosts/CodeCopy.h"
#include "engine/hosts/HostBook.h"
#include "engine/hosts/Preflight.h"
#include "engine/hosts/Remedy.h"
#include "engine/hosts/Ssh.h"

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

const char* const TwoHosts = R"(# mine
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
        const HostBook book = bookOf(TwoHosts);
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
        const HostBook book = bookOf(TwoHosts);
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
        std::ofstream(file) << TwoHosts;
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

    void anEditChangesWhatIsNamedAlone()
    {
        const QTemporaryDir folder;
        const auto file = std::filesystem::path(folder.path().toStdString()) / "hosts.toml";
        HostBook book = *HostBook::load(file);
        QVERIFY(book.put({.name = "gpu1", .slots = 8, .groups = {"lab"}, .code = "/code"}));
        // Who edits sees what others have written meanwhile.
        HostBook other = *HostBook::load(file);
        QVERIFY(other.put({.name = "gpu1", .slots = 4, .groups = {"lab"}, .code = "/code"}));
        QVERIFY(book.edit("gpu1", [](const Host& host) {
            Host changed = host;
            changed.code = "/elsewhere";
            return changed;
        }));
        const Host now = *HostBook::load(file)->find("gpu1");
        QCOMPARE(now.slots, 4);
        QCOMPARE(now.code, std::string("/elsewhere"));
        QCOMPARE(now.groups, std::vector<std::string>{"lab"});
        QVERIFY(book.edit("gpu2", [](const Host& host) { return host; }));
        QVERIFY(book.find("gpu2") != nullptr);
        const auto refused = book.edit("-x", [](const Host& host) { return host; });
        QVERIFY(refused.error().code == code::HostNameInvalid);
    }

    void rsyncIsToldWhatToCopyAndHow()
    {
        const Host host{.name = "gpu1",
                        .destination = "me@gpu1",
                        .code = "/there/my code",
                        .exclude = {"data/", "*.pt"}};
        const CodeCopy copy = CodeCopy::of(host, "/here/project");
        const auto words = rsyncCommand({.config = "/a folder/config"}, copy);
        const auto has = [&](const std::string& word) {
            return std::ranges::count(words, word) == 1;
        };
        QVERIFY(has("--exclude=data/") && has("--exclude=*.pt"));
        QVERIFY(has("--partial-dir=.rsync-partial") && !has("--partial"));
        QVERIFY(has("--rsync-path=mkdir -p '/there/my code' && rsync"));
        QCOMPARE(words.at(words.size() - 3), std::string("--"));
        QCOMPARE(words.at(words.size() - 2), std::string("/here/project/"));
        QCOMPARE(words.back(), std::string("me@gpu1:/there/my code/"));
        const auto shell = std::ranges::find_if(
            words, [](const std::string& word) { return word.starts_with("--rsh="); });
        QVERIFY2(shell->find("'/a folder/config'") != std::string::npos, shell->c_str());
        QVERIFY(shell->find("BatchMode=yes") != std::string::npos);
        QCOMPARE(CodeCopy::of({.name = "gpu1"}, "/here").target, std::string("/here"));
    }

    void nobodysHomeIsCopiedByMistake_data()
    {
        QTest::addColumn<QString>("folder");
        QTest::addColumn<QString>("excluded");
        QTest::addColumn<bool>("isTooMuch");
        QTest::newRow("a project") << "/home/me/project"
                                   << "" << false;
        QTest::newRow("beside the home") << "/home/mean"
                                         << "" << false;
        QTest::newRow("the home") << "/home/me"
                                  << "" << true;
        QTest::newRow("the home, but for the data") << "/home/me"
                                                    << "data/" << false;
        QTest::newRow("all homes") << "/home"
                                   << "" << true;
        QTest::newRow("the disk") << "/"
                                  << "" << true;
    }

    void nobodysHomeIsCopiedByMistake()
    {
        QFETCH(QString, folder);
        QFETCH(QString, excluded);
        QFETCH(bool, isTooMuch);
        Host host{.name = "gpu1"};
        if (!excluded.isEmpty())
            host.exclude = {excluded.toStdString()};
        const auto checked = checkCopy(CodeCopy::of(host, folder.toStdString()), "/home/me/");
        QCOMPARE(!checked, isTooMuch);
        if (!checked)
            QCOMPARE(checked.error().code, code::CopyTooMuch);
    }

    void whatRsyncPrintsIsHowFarItIs()
    {
        QVERIFY(!copiedPercent(""));
        QVERIFY(!copiedPercent("sending incremental file list\n%"));
        QCOMPARE(copiedPercent("\r        32768   3%    0.00kB/s    0:00:00"), 3);
        QCOMPARE(copiedPercent("  1 3%  x\r  1048576 100%   78.12MB/s    0:00:00 (xfr#1)\n"), 100);
        const CodeCopy copy = CodeCopy::of({.name = "gpu1", .exclude = {"data/"}}, "/here");
        const Message done =
            codeCopied(copy, "  5 100% 1kB/s\nNumber of regular files transferred: 2\n"
                             "Total transferred file size: 3145728 bytes\n");
        QCOMPARE(describe(done), std::string("gpu1: /here is now at /here; 2 files were copied "
                                             "(3 MiB), and left out was: data/."));
    }

    void whyACopyFailedIsToldApart_data()
    {
        QTest::addColumn<int>("exitCode");
        QTest::addColumn<QString>("said");
        QTest::addColumn<QString>("code");
        const auto row = [](int exitCode, const char* said, const char* code) {
            QTest::newRow(code) << exitCode << said << code;
        };
        row(127, "/usr/bin/env: 'rsync': No such file or directory", "RsyncMissingHere");
        row(127, "bash: line 1: rsync: command not found\nrsync: connection unexpectedly closed",
            "RsyncMissingThere");
        row(11, "rsync: write failed on \"/x\": No space left on device (28)", "CopyDiskFull");
        row(255, "ssh: connect to host gpu1 port 22: Connection refused\nrsync error",
            "HostRefusesConnection");
        row(23, "rsync: mkstemp \"/x/.a\" failed: Permission denied (13)", "CopyDenied");
        row(30, "rsync error: timeout in data send/receive (code 30)", "CopyStalled");
        row(12, "rsync: strange", "CopyFailed");
    }

    void whyACopyFailedIsToldApart()
    {
        QFETCH(int, exitCode);
        QFETCH(QString, said);
        QFETCH(QString, code);
        const CodeCopy copy = CodeCopy::of({.name = "gpu1"}, "/here");
        const Error error = copyFailure(copy, exitCode, said.toStdString());
        QCOMPARE(QString::fromStdString(std::string(codeName(error.code))), code);
        QVERIFY(isCopied(0) && isCopied(24) && !isCopied(exitCode));
        const std::string text = describe(Message{error.code, error.parameters, {}});
        QVERIFY2(text.find('{') == std::string::npos, text.c_str());
    }

    void thePreflightComparesWithWhoHasTorch()
    {
        const auto host = [](const char* name, const char* torch) {
            ProbedHost answer{.host = {.name = name}, .freeBytes = 1LL << 40};
            answer.facts = MachineFacts{.processors = 8};
            answer.facts->pythonVersion = "3.11";
            answer.facts->torchVersion = torch;
            return answer;
        };
        std::vector<ProbedHost> answers{host("bare", ""), host("good", "2.11.0"),
                                        host("old", "2.1.0")};
        answers.at(1).lacksRsync = true;
        answers.at(1).missing = {{"/there", "/here/"}};
        QStringList bad;
        QStringList fixes;
        QStringList texts;
        for (const PreflightFinding& finding : judge(answers)) {
            if (finding.grade == PreflightFinding::Grade::Good)
                continue;
            bad << QString::fromStdString(finding.host + " " +
                                          std::string(codeName(finding.message.code)));
            fixes << QString::fromStdString(finding.fix);
            texts << QString::fromStdString(describe(finding.message));
        }
        QCOMPARE(bad, (QStringList{"bare PreflightNoTorch", "good PreflightPathMissing",
                                   "good PreflightNoRsync", "old PreflightVersionsDiffer"}));
        QCOMPARE(fixes.at(1), QString("rsync -a --mkpath /here/ good:/there/"));
        QVERIFY2(texts.at(1).contains("`ringmaster host edit good --sync rsync`"),
                 qPrintable(texts.at(1)));
        QVERIFY2(fixes.at(3).contains("torch==2.11.0"), qPrintable(fixes.at(3)));
    }

    void thePreflightAsksWhatARunNeeds()
    {
        ProbedHost answer{.host = {.name = "a"}, .freeBytes = 1LL << 20};
        answer.facts = MachineFacts{.processors = 8};
        answer.facts->pythonVersion = "3.11";
        answer.facts->torchVersion = "2.11.0";
        answer.unwritable = {"/home/me/.local/state/ringmaster", "Permission denied"};
        answer.routes = {
            {.peer = "b", .address = "10.0.0.2", .time = std::chrono::milliseconds(99)},
            {.peer = "c", .address = "10.0.0.3", .time = std::chrono::milliseconds(400)}};
        QStringList said;
        for (const PreflightFinding& finding : judge({answer}))
            said << QString::number(static_cast<int>(finding.grade)) + " " +
                        QString::fromStdString(std::string(codeName(finding.message.code)));
        using Grade = PreflightFinding::Grade;
        const auto graded = [](Grade grade, const char* code) {
            return QString::number(static_cast<int>(grade)) + " " + QLatin1String(code);
        };
        QVERIFY(said.contains(graded(Grade::Bad, "PreflightNotWritable")));
        QVERIFY(said.contains(graded(Grade::Bad, "PreflightDiskFull")));
        QVERIFY(said.contains(graded(Grade::Good, "PreflightReaches")));
        QVERIFY(said.contains(graded(Grade::Warning, "PreflightFarAway")));
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

    /// Sixteen levels deep, each file as often as the pattern finds it: it took for ever.
    void readsEachFileOfAnSshConfigOnce()
    {
        const QTemporaryDir folder;
        const std::string path = folder.path().toStdString();
        for (int file = 0; file < 8; ++file) {
            std::ofstream(path + "/" + std::to_string(file))
                << "Include " << path << "/*\nHost gpu" << file << "\n";
        }
        QCOMPARE(sshConfigNames(path + "/0").size(), size_t(8));
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

    /// The keep-alive is that of the connection's owner: whoever needs another one doesn't share.
    void aConnectionIsSharedByThoseWithTheSameKeepAlive()
    {
        const Host host{.name = "gpu1"};
        const auto socket = [&](int aliveSeconds) {
            const auto words =
                sshCommand({.controlFolder = "/run", .aliveSeconds = aliveSeconds}, host, "uptime");
            const auto found = std::ranges::find_if(
                words, [](const std::string& word) { return word.starts_with("ControlPath="); });
            return found != words.end() ? *found : std::string();
        };
        QVERIFY(!socket(1).empty());
        QCOMPARE(socket(1), socket(1));
        QVERIFY(socket(1) != socket(5));
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
        row("busy", 255,
            "Connection timed out during banner exchange\r\n"
            "Connection to 10.0.0.1 port 22 timed out",
            "HostSshdSilent");
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
        row("nothing to unpack with", 74, "tar (child): gzip: Cannot exec: No such file",
            "HostLacksCommand");
        row("nothing to check with", 75, "sh: 1: sha256sum: not found", "HostLacksCommand");
        row("no home", 73, "mkdir: cannot create directory '/x': Read-only file system",
            "HostCacheDenied");
        row("noexec", 126, "sh: 1: exec: /x/bin/ringmaster: Permission denied",
            "HostRunsNoPrograms");
        row("its own", 2, "ringmaster: x does not exist", "HostRefusesJob");
        row("its own disk", 2, "ringmaster: the disk is full (No space left on device)",
            "HostRefusesJob");
        row("an exit code", 3, "", "HostAgentFailed");
        row("ssh ended here", -9, "", "HostSshKilled");
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

    void namesTheLineThatRemovesAChangedKey()
    {
        const std::string said =
            "@@@@@@@\r\n@ WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED! @\r\n"
            "The key sent is\r\nSHA256:xyz.\r\n  remove with:\r\n"
            "  ssh-keygen -f \"/k\" -R \"gpu1\"\r\nfailed.\r\n";
        const Error error = sshFailure({.name = "gpu1"}, 255, said);
        QCOMPARE(error.parameters.at("command"), std::string("ssh-keygen -f \"/k\" -R \"gpu1\""));
        QCOMPARE(remedyFor(error, {.name = "gpu1"}), error.parameters.at("command"));
        QVERIFY2(describe(error).find('\n') == std::string::npos, describe(error).c_str());
    }

    void installsTorchFromWhereItsBuildIs_data()
    {
        QTest::addColumn<QString>("version");
        QTest::addColumn<QString>("command");
        QTest::newRow("PyPI's") << "2.11.0"
                                << "/py -m pip install torch==2.11.0";
        QTest::newRow("for CUDA") << "2.11.0+cu130"
                                  << "/py -m pip install torch==2.11.0 --index-url "
                                     "https://download.pytorch.org/whl/cu130";
        QTest::newRow("a build of somebody's") << "2.11.0+gitabc"
                                               << "/py -m pip install torch==2.11.0";
        QTest::newRow("any") << ""
                             << "/py -m pip install torch";
    }

    void installsTorchFromWhereItsBuildIs()
    {
        QFETCH(QString, version);
        QFETCH(QString, command);
        const Message message{
            code::PreflightNoTorch, {{"path", "/py"}, {"other", version.toStdString()}}, {}};
        QCOMPARE(QString::fromStdString(remedyFor(message, {.name = "localhost"})), command);
    }

    void anAgentsOwnWordIsNotRepeated()
    {
        const Error error =
            sshFailure({.name = "gpu1"}, 2, "Welcome!\nringmaster: gpu1: the folder /x is gone.\n");
        QCOMPARE(describe(error),
                 std::string("gpu1: the job can't run there: the folder /x is gone."));
    }
};

QTEST_GUILESS_MAIN(tst_host_book)
#include "tst_host_book.moc"
