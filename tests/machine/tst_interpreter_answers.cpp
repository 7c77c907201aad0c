#include "engine/job/Validation.h"
#include "engine/machine/Interpreters.h"
#include "engine/machine/RealSystemInfo.h"

#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QtTest>

#include <fstream>

using namespace ringmaster;
namespace fs = std::filesystem;

namespace {

/// A virtual environment of the system's Python, real but for torch: a package without content.
class Environment
{
public:
    Environment()
    {
        QProcess python;
        python.start(QStandardPaths::findExecutable("python3"),
                     {"-m", "venv", "--without-pip", QString::fromStdString(path("venv"))});
        m_isThere = python.waitForFinished(60'000) && python.exitCode() == 0;
        for (const auto& entry : fs::directory_iterator(path("venv/lib")))
            m_packages = entry.path() / "site-packages";
    }

    bool isThere() const { return m_isThere; }
    std::string path(const std::string& relative) const { return m_root + "/" + relative; }
    std::string python() const { return path("venv/bin/python"); }
    fs::path packages() const { return m_packages; }

    static void write(const fs::path& path, const std::string& text)
    {
        fs::create_directories(path.parent_path());
        std::ofstream(path) << text;
    }

    static void addTorch(const fs::path& folder, const std::string& version)
    {
        write(folder / "torch/__init__.py", "raise SystemExit('torch was imported')\n");
        write(folder / "torch/version.py",
              "from typing import Optional\n__version__ = '" + version +
                  "'\ncuda: Optional[str] = '13.0'\nhip: Optional[str] = None\n");
    }

    EnvironmentMap environment() const
    {
        return {{"HOME", path("home")}, {"PATH", path("venv/bin")}};
    }

    std::optional<Interpreter> inspect(const EnvironmentMap& variables,
                                       const Agreement& agreement = {.isGiven = true}) const
    {
        return Interpreters(environment(), std::chrono::seconds(60))
            .inspect({.path = python(), .variables = variables, .workingFolder = path("")},
                     agreement);
    }

private:
    QTemporaryDir m_folder;
    std::string m_root = QDir(m_folder.path()).canonicalPath().toStdString();
    fs::path m_packages;
    bool m_isThere = false;
};

using Bring = std::function<EnvironmentMap(const Environment&)>;

/// Each brings torch 9.8.7+cu130, and says which variables belong to it.
std::map<std::string, Bring> waysToTorch()
{
    constexpr const char* Version = "9.8.7+cu130";
    return {
        {"by PYTHONPATH, as module systems do",
         [](const Environment& there) {
             there.addTorch(there.path("modules/torch-9"), Version);
             return EnvironmentMap{{"PYTHONPATH", "/nope:" + there.path("modules/torch-9")}};
         }},
        {"by a relative PYTHONPATH",
         [](const Environment& there) {
             there.addTorch(there.path("source"), Version);
             return EnvironmentMap{{"PYTHONPATH", "source"}};
         }},
        {"by a .pth file",
         [](const Environment& there) {
             there.addTorch(there.path("elsewhere"), Version);
             there.write(there.packages() / "torch.pth", there.path("elsewhere") + "\n");
             return EnvironmentMap{};
         }},
        {"as an editable install",
         [](const Environment& there) {
             there.addTorch(there.path("src/pytorch"), Version);
             there.write(there.packages() / "__editable___torch_finder.py",
                         "import sys\n"
                         "from importlib.util import spec_from_file_location as of\n"
                         "class Finder:\n"
                         "    @staticmethod\n"
                         "    def find_spec(name, path=None, target=None):\n"
                         "        where = '" +
                             there.path("src/pytorch/torch") +
                             "'\n"
                             "        return of(name, where + '/__init__.py',"
                             " submodule_search_locations=[where]) if name == 'torch' else None\n"
                             "def install(): sys.meta_path.append(Finder)\n");
             there.write(there.packages() / "__editable__.torch.pth",
                         "import __editable___torch_finder as f; f.install()\n");
             return EnvironmentMap{};
         }},
        {"in an environment below this one",
         [](const Environment& there) {
             there.addTorch(there.path("base/site-packages"), Version);
             there.write(there.packages() / "base.pth", "import site; site.addsitedir('" +
                                                            there.path("base/site-packages") +
                                                            "')\n");
             return EnvironmentMap{};
         }},
    };
}

} // namespace

/// Torch is where the interpreter finds it: a real one is asked.
class tst_interpreter_answers : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void findsTorch_data()
    {
        QTest::addColumn<QString>("way");
        for (const auto& [way, bring] : waysToTorch())
            QTest::newRow(way.c_str()) << QString::fromStdString(way);
    }

    void findsTorch()
    {
        QFETCH(QString, way);
        const Environment there;
        QVERIFY(there.isThere());
        const auto before = there.inspect({});
        QVERIFY(before && before->torchVersion.empty());
        QVERIFY(before->witness == InterpreterWitness::Itself);
        const EnvironmentMap variables = waysToTorch().at(way.toStdString())(there);
        const auto found = there.inspect(variables);
        QVERIFY(found);
        QCOMPARE(found->torchVersion, std::string("9.8.7+cu130"));
        QCOMPARE(found->cudaVersion, std::string("13.0"));
        const auto again = there.inspect(variables);
        QVERIFY(again && again == found);
    }

    void theFirstOnPythonPathHidesTheOneInstalled()
    {
        const Environment there;
        there.addTorch(there.packages(), "1.0");
        QCOMPARE(there.inspect({})->torchVersion, std::string("1.0"));
        there.addTorch(there.path("newer"), "2.0");
        QCOMPARE(there.inspect({{"PYTHONPATH", there.path("newer")}})->torchVersion,
                 std::string("2.0"));
    }

    void noticesThatTorchHasGone()
    {
        const Environment there;
        there.addTorch(there.path("elsewhere"), "9.8.7");
        const EnvironmentMap variables{{"PYTHONPATH", there.path("elsewhere")}};
        QCOMPARE(there.inspect(variables)->torchVersion, std::string("9.8.7"));
        fs::remove_all(there.path("elsewhere/torch"));
        QVERIFY(there.inspect(variables)->torchVersion.empty());
    }

    void anAnswerIsRememberedAcrossProcesses()
    {
        const Environment there;
        there.addTorch(there.path("elsewhere"), "9.8.7");
        const EnvironmentMap variables{{"PYTHONPATH", there.path("elsewhere")}};
        QCOMPARE(there.inspect(variables)->torchVersion, std::string("9.8.7"));
        // A second question to Python would find that it isn't one.
        const auto written = fs::last_write_time(fs::canonical(there.python()));
        fs::remove(there.python());
        Environment::write(there.python(), "\x7f"
                                           "ELF, but no program");
        fs::permissions(there.python(), fs::perms::owner_all);
        fs::last_write_time(there.python(), written);
        const auto found = there.inspect(variables);
        QVERIFY(found);
        QCOMPARE(found->torchVersion, std::string("9.8.7"));
    }

    void nothingInTheCurrentFolderIsImportedByTheQuestion()
    {
        const Environment there;
        const fs::path mark = there.path("imported");
        for (const char* name : {"re.py", "os.py", "importlib.py", "json.py"})
            there.write(there.path(name), "open('" + mark.string() + "', 'w')\n");
        QVERIFY(there.inspect({}));
        QVERIFY(!fs::exists(mark));
    }

    void theJobsVariablesWaitForAgreement()
    {
        const Environment there;
        const fs::path mark = there.path("imported");
        there.write(there.path("evil/sitecustomize.py"), "open('" + mark.string() + "', 'w')\n");
        const EnvironmentMap variables{{"PYTHONPATH", there.path("evil")}};
        const auto before = there.inspect(variables, {});
        QVERIFY(before && before->witness == InterpreterWitness::OwnMissing);
        QVERIFY(!fs::exists(mark));
        QVERIFY(there.inspect(variables, {.isGiven = true}));
        QVERIFY(fs::exists(mark));
    }

    void aJobIsNotRefusedForATorchThatPythonFinds()
    {
        const Environment there;
        there.addTorch(there.path("elsewhere"), "9.8.7");
        there.write(there.path("train.py"), "import torch\n");
        JobSpec spec;
        spec.roles.front().program = "train.py";
        const auto findingsWith = [&](const EnvironmentMap& variables) {
            spec.roles.front().environment = variables;
            const RealSystemInfo here(there.environment(), there.path(""), {.isGiven = true},
                                      std::chrono::seconds(60));
            return validate(spec, here);
        };
        QVERIFY(hasErrors(findingsWith({})));
        QVERIFY(!hasErrors(findingsWith({{"PYTHONPATH", there.path("elsewhere")}})));
    }
};

QTEST_GUILESS_MAIN(tst_interpreter_answers)
#include "tst_interpreter_answers.moc"
