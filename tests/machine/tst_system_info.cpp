#include "engine/base/BoundedRun.h"
#include "engine/machine/Codes.h"
#include "engine/machine/Devices.h"
#include "engine/machine/RealSystemInfo.h"

#include <QTcpServer>
#include <QtTest>

#include <fstream>

#include <unistd.h>

using namespace ringmaster;
namespace fs = std::filesystem;

namespace {

/// For a process to start, whatever else the machine does.
constexpr std::chrono::seconds Patience{60};

/// A folder with interpreters that are shell scripts: nothing of Python is needed.
class Installations
{
public:
    Installations() : m_root(QDir(m_folder.path()).canonicalPath().toStdString()) {}

    std::string path(const std::string& relative) const { return m_root + "/" + relative; }

    void write(const std::string& relative, const std::string& text, unsigned mode = 0644) const
    {
        fs::create_directories(fs::path(path(relative)).parent_path());
        std::ofstream(path(relative)) << text;
        fs::permissions(path(relative), static_cast<fs::perms>(mode));
    }

    /// An interpreter that fails when it is run.
    void addInterpreter(const std::string& relative) const
    {
        write(relative, "#!/bin/sh\necho was run >> " + path("ran") + "\nexit 1\n", 0755);
    }

    void addTorch(const std::string& packages, const std::string& version) const
    {
        write(packages + "/torch/version.py",
              "from typing import Optional\n\n__all__ = ['__version__', 'cuda']\n__version__ = '" +
                  version + "'\ndebug = False\ncuda: Optional[str] = '13.0'\n");
    }

    void addVirtualEnvironment(const std::string& relative, const std::string& torch) const
    {
        addInterpreter(relative + "/bin/python");
        fs::create_symlink("python", path(relative + "/bin/python3"));
        write(relative + "/pyvenv.cfg",
              "home = " + path("usr/bin") + "\ninclude-system-site-packages = " +
                  (torch.empty() ? "true" : "false") + "\nversion = 3.11.2\n");
        if (!torch.empty())
            addTorch(relative + "/lib/python3.11/site-packages", torch);
    }

    EnvironmentMap environment() const
    {
        return {{"HOME", path("home")}, {"PATH", path("usr/bin") + ":relative:" + path("none")}};
    }

private:
    QTemporaryDir m_folder;
    std::string m_root;
};

} // namespace

class tst_system_info : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void looksAtAVirtualEnvironmentWithoutRunningIt()
    {
        const Installations there;
        there.addVirtualEnvironment("v", "2.11.0+cu130");
        const Interpreters interpreters(there.environment());
        const auto found = interpreters.inspect(there.path("v/bin/python"), InterpreterKind::Named);
        const Interpreter expected{there.path("v/bin/python"), "3.11.2", "2.11.0+cu130", "13.0",
                                   InterpreterKind::Named};
        QVERIFY(found && *found == expected);
        QVERIFY(!fs::exists(there.path("ran")));
    }

    void aVirtualEnvironmentMayBorrowTheSystemsTorch()
    {
        const Installations there;
        there.addVirtualEnvironment("v", "");
        there.addTorch("usr/lib/python3/dist-packages", "1.13.0");
        const auto found = Interpreters(there.environment())
                               .inspect(there.path("v/bin/python3"), InterpreterKind::Named);
        QCOMPARE(found->torchVersion, std::string("1.13.0"));
    }

    void knowsCondaByItsRecords()
    {
        const Installations there;
        there.addInterpreter("conda/bin/python3.12");
        fs::create_symlink("python3.12", there.path("conda/bin/python"));
        there.write("conda/lib/python3.12/os.py", "");
        there.write("conda/lib/python3.9/leftover", "");
        there.write("conda/conda-meta/python-3.12.4-h1234_0.json", "{}");
        there.addTorch("conda/lib/python3.12/site-packages", "2.9.1");
        const auto found = Interpreters(there.environment())
                               .inspect(there.path("conda/bin/python"), InterpreterKind::Conda);
        QCOMPARE(found->version, std::string("3.12.4"));
        QCOMPARE(found->torchVersion, std::string("2.9.1"));
    }

    void asksAWrapperThatTellsNothing()
    {
        const Installations there;
        there.write("shims/python3",
                    "#!/bin/sh\necho printed by a sitecustomize\n"
                    "printf '\\nringmaster asks\\n3.10.1\\n2.0.0\\n12.1\\n'\n",
                    0755);
        const Interpreters interpreters(there.environment(), Patience);
        const auto found =
            interpreters.inspect(there.path("shims/python3"), InterpreterKind::System);
        const Interpreter expected{
            there.path("shims/python3"), "3.10.1", "2.0.0", "12.1", InterpreterKind::System,
            InterpreterWitness::Itself};
        QVERIFY(found && *found == expected);
        QVERIFY(!interpreters.inspect(there.path("shims/python3"), InterpreterKind::System, false));
    }

    void doesNotWaitForAWrapperThatHangs()
    {
        const Installations there;
        there.write("shims/python3", "#!/bin/sh\nsleep 1000\n", 0755);
        const Interpreters interpreters(there.environment(), std::chrono::milliseconds(100));
        QElapsedTimer timer;
        timer.start();
        QVERIFY(!interpreters.inspect(there.path("shims/python3"), InterpreterKind::System));
        QVERIFY(timer.elapsed() < 30'000);
        const auto flood =
            runBounded({"/bin/sh", "-c", "while :; do echo xxxxxxxxxxxxxxxxxxxxxxxx; done"}, {},
                       std::chrono::seconds(60), 1000);
        QVERIFY(!flood);
    }

    void findsThemAllOnce()
    {
        const Installations there;
        there.addVirtualEnvironment("active", "2.11.0");
        there.addVirtualEnvironment("work/.venv", "2.10.0");
        there.addVirtualEnvironment("home/.local/share/ringmaster/venv", "2.11.0");
        there.addVirtualEnvironment("envs/ml", "2.1.0");
        there.addVirtualEnvironment("home/.pyenv/versions/3.11.2", "2.2.0");
        there.addVirtualEnvironment("usr", "2.3.0");
        there.write("home/.conda/environments.txt",
                    there.path("envs/ml") + "\n" + there.path("gone") + "\n");
        EnvironmentMap environment = there.environment();
        environment["VIRTUAL_ENV"] = there.path("active");
        std::vector<InterpreterKind> kinds;
        const Interpreters interpreters(environment);
        for (const Interpreter& found : interpreters.all(there.path("work")))
            kinds.push_back(found.kind);
        using enum InterpreterKind;
        const std::vector<InterpreterKind> expected{Active, Environment, Recorded,
                                                    System, Conda,       Pyenv};
        QCOMPARE(kinds, expected);
        QCOMPARE(interpreters.active(), there.path("active/bin/python"));
        QVERIFY(!fs::exists(there.path("ran")));
    }

    void neverRunsWhatAJobsFolderBrings()
    {
        const Installations there;
        there.addInterpreter("work/.venv/bin/python");
        QVERIFY(Interpreters(there.environment()).all(there.path("work")).empty());
        QVERIFY(!fs::exists(there.path("ran")));
    }

    void runsWhatAJobNamesOnlyWithAgreement_data()
    {
        QTest::addColumn<QString>("path");
        QTest::newRow("in the job's folder") << "work/venv/bin/python";
        QTest::newRow("a program of the system") << "usr/sbin/reboot";
    }

    void runsWhatAJobNamesOnlyWithAgreement()
    {
        QFETCH(QString, path);
        const Installations there;
        there.addInterpreter(path.toStdString());
        const InterpreterQuestion question{.path = there.path(path.toStdString()),
                                           .workingFolder = there.path("")};
        EnvironmentMap environment = there.environment();
        environment["PATH"] += ":" + there.path("usr/sbin");
        const Interpreters interpreters(environment, Patience);
        const auto found = interpreters.inspect(question, Agreement{});
        QVERIFY(found && found->witness == InterpreterWitness::NotAgreed);
        QVERIFY(!fs::exists(there.path("ran")));
        (void)interpreters.inspect(question, Agreement{.trusted = {question.path}});
        QVERIFY(fs::exists(there.path("ran")));
        fs::remove(there.path("ran"));
        (void)interpreters.inspect(question, Agreement{.isGiven = true});
        QVERIFY(fs::exists(there.path("ran")));
    }

    void anInterpreterOfTheUsersIsAskedWhoeverNamesIt()
    {
        const Installations there;
        there.addInterpreter("usr/bin/python3.11");
        fs::create_symlink("python3.11", there.path("usr/bin/python3"));
        (void)Interpreters(there.environment(), Patience)
            .inspect({.path = there.path("usr/bin/python3.11")}, Agreement{});
        QVERIFY(fs::exists(there.path("ran")));
    }

    void withoutAnActiveEnvironmentTorchDecides()
    {
        const Installations there;
        there.addVirtualEnvironment("usr", "");
        there.addVirtualEnvironment("home/.local/share/ringmaster/venv", "2.11.0");
        const Interpreters interpreters(there.environment());
        QCOMPARE(interpreters.active(), there.path("home/.local/share/ringmaster/venv/bin/python"));
        there.addTorch("usr/lib/python3.11/site-packages", "2.0");
        QCOMPARE(interpreters.active(), there.path("usr/bin/python3"));
        QCOMPARE(Interpreters({{"PATH", "/none"}, {"HOME", "/none"}}).active(), std::string());
    }

    /// As torchrun's: who calls the command of one environment means that one, whichever is active.
    void theEnvironmentOfTheWheelComesFirstWhereItHasTorch()
    {
        const Installations there;
        there.addVirtualEnvironment("wheel", "2.11.0");
        there.addVirtualEnvironment("active", "2.10.0");
        EnvironmentMap environment = there.environment();
        environment["VIRTUAL_ENV"] = there.path("active");
        environment["RINGMASTER_INSTALLED_IN"] = there.path("wheel/bin/python");
        const Interpreters interpreters(environment);
        QCOMPARE(interpreters.active(), there.path("wheel/bin/python"));
        QCOMPARE(interpreters.all(there.path("work")).front().path, there.path("wheel/bin/python"));
    }

    void anEnvironmentOfTheWheelAloneIsNone_data()
    {
        QTest::addColumn<QString>("installedIn");
        QTest::newRow("it has no torch") << "tool/bin/python";
        QTest::newRow("it is gone") << "gone/bin/python";
        QTest::newRow("it is no path") << "python3";
    }

    /// uv and pipx give a command an environment of its own, which jobs have nothing of.
    void anEnvironmentOfTheWheelAloneIsNone()
    {
        QFETCH(QString, installedIn);
        const Installations there;
        there.addVirtualEnvironment("tool", "");
        there.addVirtualEnvironment("active", "2.10.0");
        EnvironmentMap environment = there.environment();
        environment["VIRTUAL_ENV"] = there.path("active");
        environment["RINGMASTER_INSTALLED_IN"] = installedIn.contains('/')
                                                     ? there.path(installedIn.toStdString())
                                                     : installedIn.toStdString();
        QCOMPARE(Interpreters(environment).active(), there.path("active/bin/python"));
    }

    void readsGpusFromTheDriver()
    {
        const DeviceList list = listDevices(RINGMASTER_FAKE_NVML);
        QCOMPARE(list.devices.size(), size_t(2));
        const Device expected{0, "Fake H200", "GPU-0", "0000:dc:00.0", 150754820096, 1024, {}};
        QVERIFY(list.devices[0] == expected);
        QCOMPARE(list.devices[1].processes.size(), size_t(70));
        const DeviceProcess first{3310, 76235669504};
        QVERIFY(list.devices[1].processes.front() == first);
        QCOMPARE(list.devices[1].processes.back().usedBytes, std::int64_t(-1));
        QVERIFY(list.absence && list.absence->code == code::GpuNotReadable);
        QCOMPARE(describe(*list.absence), std::string("GPU 2 can't be asked (GPU is lost)"));
    }

    void saysWhyThereIsNoGpu()
    {
        const DeviceList list = listDevices("libno-such-driver.so");
        QVERIFY(list.devices.empty());
        QCOMPARE(describe(*list.absence),
                 std::string("No NVIDIA driver is installed (libno-such-driver.so is missing)."));
    }

    void seesWhoListensOnAPort()
    {
        const RealSystemInfo systemInfo({}, "/");
        for (const QHostAddress& address :
             {QHostAddress(QHostAddress::LocalHost), QHostAddress(QHostAddress::Any)}) {
            QTcpServer server;
            QVERIFY(server.listen(address));
            const SystemInfo::Port busy = systemInfo.port(server.serverPort());
            QVERIFY(!busy.isFree);
            QCOMPARE(busy.pid, int(QCoreApplication::applicationPid()));
            QCOMPARE(busy.program, std::string("tst_system_info"));
            const quint16 number = server.serverPort();
            server.close();
            QVERIFY(systemInfo.port(number).isFree);
        }
    }

    void knowsItself()
    {
        const RealSystemInfo systemInfo({}, "/");
        QVERIFY(systemInfo.isThisMachine("localhost") && systemInfo.isThisMachine("127.0.0.1"));
        QVERIFY(systemInfo.isThisMachine(QSysInfo::machineHostName().toStdString()));
        QVERIFY(!systemInfo.isThisMachine("192.0.2.77") &&
                !systemInfo.isThisMachine("example.invalid"));
        QVERIFY(systemInfo.counts().cpus >= 1);
    }

    void looksAtFiles()
    {
        const Installations there;
        there.write("a.py", "0123456789");
        there.write("run.sh", "x", 0755);
        fs::create_directory(there.path("sub"));
        const RealSystemInfo systemInfo({{"PATH", there.path("")}}, there.path(""));
        QVERIFY(systemInfo.file(there.path("a.py")).exists &&
                !systemInfo.file(there.path("a.py")).isExecutable);
        QVERIFY(systemInfo.file(there.path("sub")).isFolder);
        QCOMPARE(systemInfo.fileStart(there.path("a.py"), 4), std::string("0123"));
        QCOMPARE(systemInfo.fileStart("/dev/zero", 4), std::string());
        QCOMPARE(systemInfo.findCommand("run.sh"), there.path("run.sh"));
        QCOMPARE(systemInfo.findCommand("a.py"), std::string());
        QVERIFY(systemInfo.canWriteInto(there.path("new/deep/folder")));
        QVERIFY(!systemInfo.canWriteInto(there.path("a.py/x")));
        // Root may write everywhere.
        fs::permissions(there.path("sub"), fs::perms::owner_read | fs::perms::owner_exec);
        QCOMPARE(systemInfo.canWriteInto(there.path("sub/x")), geteuid() == 0);
        fs::permissions(there.path("sub"), fs::perms::owner_all);
        QCOMPARE(systemInfo.subfolders(there.path("")),
                 std::vector<std::string>{there.path("sub")});
    }

    void countsTheGpusThatAProcessSees()
    {
        QCOMPARE(visibleDeviceCount("0,2", 4), 2);
        QCOMPARE(visibleDeviceCount("", 4), 0);
        QCOMPARE(visibleDeviceCount("1,-1,2", 4), 1);
        QCOMPARE(visibleDeviceCount("0,9,1", 4), 1);
        QCOMPARE(visibleDeviceCount("GPU-8a,MIG-1", 4), 2);
        QCOMPARE(visibleDeviceCount("NoDevFiles", 4), 0);
    }
};

QTEST_GUILESS_MAIN(tst_system_info)
#include "tst_system_info.moc"
