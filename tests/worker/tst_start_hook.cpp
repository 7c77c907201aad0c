#include "engine/base/Files.h"
#include "engine/worker/hook/StartHook.h"

#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QtTest>

#include <fstream>

using namespace ringmaster;
namespace fs = std::filesystem;

/// The hook in real interpreters, with parts of the test's own beside the real ones.
class tst_start_hook : public QObject
{
    Q_OBJECT

private:
    struct Ran
    {
        int exitCode = -1;
        QString output{};
        QString error{};
    };

    void write(const fs::path& file, const std::string& text) const
    {
        fs::create_directories(file.parent_path());
        std::ofstream(file) << text;
    }

    /// Without `hook` as it would run under torchrun.
    Ran python(const QString& program, const std::string& hook, const fs::path& userFolder = {})
    {
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        QStringList folders;
        if (!hook.empty()) {
            folders += QString::fromStdString((m_hook / "start").string());
            environment.insert("RINGMASTER_HOOK", QString::fromStdString(hook));
        }
        if (!userFolder.empty())
            folders += QString::fromStdString(userFolder.string());
        environment.remove("PYTHONPATH");
        if (!folders.isEmpty())
            environment.insert("PYTHONPATH", folders.join(':'));
        environment.insert("RANK", "3");
        QProcess process;
        process.setProcessEnvironment(environment);
        // As a worker, which leads its session.
        process.start("setsid", {"--wait", m_python, "-c", program});
        if (!process.waitForFinished(60'000))
            return {};
        return {process.exitCode(), QString::fromUtf8(process.readAllStandardOutput()).trimmed(),
                QString::fromUtf8(process.readAllStandardError()).trimmed()};
    }

    /// A part that prints what it hears.
    void writeListener(const std::string& call) const
    {
        write(m_hook / "parts/_ringmaster_hear.py",
              "import _ringmaster_hook\n"
              "def start(value): _ringmaster_hook.when_imported(value, heard)\n"
              "def heard(module, began): " +
                  call + "\n");
    }

    static std::string line(const std::string& kind)
    {
        return "{\"part\": \"p\", \"kind\": \"" + kind + "\"}\n";
    }

    std::vector<HookReport> reports() { return HookReportReader(m_reports).readNew(); }

    QString m_python;
    std::unique_ptr<QTemporaryDir> m_folder;
    fs::path m_hook;
    fs::path m_reports;

private Q_SLOTS:
    void initTestCase()
    {
        m_python = QStandardPaths::findExecutable("python3");
        if (m_python.isEmpty())
            QSKIP("There is no python3.");
    }

    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        const fs::path root = m_folder->path().toStdString();
        m_hook = root / "hook";
        m_reports = root / "hook.jsonl";
        write(m_reports, "");
        fs::copy(fs::path(RINGMASTER_BUILD_DIR) / "bin/ringmaster-hook", m_hook,
                 fs::copy_options::recursive);
        write(m_hook / "parts/_ringmaster_echo.py", "def start(value): print('echo', value)\n");
        write(m_hook / "parts/_ringmaster_bad.py", "def start(value): raise ValueError(value)\n");
        write(m_hook / "parts/_ringmaster_worse.py", "this isn't Python\n");
    }

    void startsThePartsThatAreNamedInOrder()
    {
        const Ran ran =
            python("print('program')", hookText({{"echo", "one"}, {"echo", "two"}}, m_reports));
        QCOMPARE(ran.output, QString("echo one\necho two\nprogram"));
        QCOMPARE(ran.exitCode, 0);
        QVERIFY(reports().empty());
    }

    void carriesAnyValue_data()
    {
        QTest::addColumn<QString>("value");
        QTest::newRow("path") << "/dev/shm/a b/c";
        QTest::newRow("separators") << "a;b=c%3B%";
        QTest::newRow("line ends") << "a\tb";
        QTest::newRow("other letters") << QString::fromUtf8("/tmp/進捗/é");
        QTest::newRow("empty") << "";
    }

    void carriesAnyValue()
    {
        QFETCH(QString, value);
        const Ran ran = python("", hookText({{"echo", value.toStdString()}}));
        QCOMPARE(ran.output, ("echo " + value).trimmed());
    }

    void reportsAPartThatFailsAndRunsTheProgram()
    {
        const Ran ran =
            python("print('program')",
                   hookText({{"bad", "why"}, {"worse", ""}, {"missing", ""}, {"echo", "last"}},
                            m_reports));
        QCOMPARE(ran.exitCode, 0);
        QCOMPARE(ran.output, QString("echo last\nprogram"));
        QCOMPARE(ran.error, QString());
        const std::vector<HookReport> told = reports();
        QCOMPARE(told.size(), size_t(3));
        QCOMPARE(told[0].part, std::string("bad"));
        QCOMPARE(told[0].kind, std::string("failed"));
        QCOMPARE(told[0].rank, 3);
        QCOMPARE(told[0].facts.at("error"), std::string("ValueError: why"));
        QVERIFY(told[0].facts.at("traceback").find("raise ValueError") != std::string::npos);
        QCOMPARE(told[1].part, std::string("worse"));
        QCOMPARE(told[2].part, std::string("missing"));
    }

    void runsWithoutAPlaceToReportTo()
    {
        const Ran ran = python("print('program')", hookText({{"bad", ""}}, "/nonexistent/reports"));
        QCOMPARE(ran.output, QString("program"));
        QCOMPARE(ran.error, QString());
    }

    void leavesThePathAsItIsWithoutTheHook()
    {
        const fs::path user = fs::path(m_folder->path().toStdString()) / "user";
        fs::create_directories(user);
        const QString program = "import sys; print(sys.path)";
        QCOMPARE(python(program, "echo", user).output,
                 "echo \n" + python(program, {}, user).output);
    }

    void runsTheUsersOwnSitecustomize()
    {
        const fs::path user = fs::path(m_folder->path().toStdString()) / "user";
        write(user / "sitecustomize.py", "print('users')\nvalue = 7\n");
        const Ran ran = python("import sitecustomize; print(sitecustomize.value)", "echo", user);
        QCOMPARE(ran.output, QString("users\necho \n7"));
    }

    void leavesTheErrorsOfTheUsersOwnSitecustomizeAsTheyAre()
    {
        const fs::path user = fs::path(m_folder->path().toStdString()) / "user";
        for (const char* text : {"raise ValueError('mine')\n", "import not_there\n"}) {
            write(user / "sitecustomize.py", text);
            const Ran without = python("print('program')", {}, user);
            const Ran with = python("print('program')", "echo", user);
            QVERIFY(without.error.contains("sitecustomize"));
            QCOMPARE(with.error, without.error);
            QCOMPARE(with.output, "echo \n" + without.output);
        }
    }

    void doesNothingInAnInterpreterThatIgnoresIt()
    {
        const Ran ran = python("import subprocess, sys; print(subprocess.run([sys.executable, '-I',"
                               " '-c', 'print(1)'], capture_output=True, text=True).stdout)",
                               "echo");
        QCOMPARE(ran.output, QString("echo \n1"));
    }

    void tellsEachPartOfTheImportThatItWaitsFor()
    {
        writeListener("print('heard of', module.__name__, began > 0)");
        const QString program = "import sys, colorsys, colorsys\n"
                                "print(vars(colorsys.__loader__).keys() - {'name', 'path'})\n"
                                "print([type(one).__name__ for one in sys.meta_path])\n";
        const QString without = python(program, "echo").output.remove("echo \n");
        QCOMPARE(
            python(program, hookText({{"hear", "colorsys"}, {"hear", "colorsys"}, {"hear", "sys"}}))
                .output,
            "heard of sys False\nheard of colorsys True\nheard of colorsys True\n" + without);
    }

    /// As libraries do that can do without it.
    void aLookForAModuleIsNoImport()
    {
        writeListener("print('heard of', module.__name__, began > 0)");
        const QString program = "import sys\n"
                                "from importlib.util import find_spec\n"
                                "print(find_spec('colorsys').name, find_spec('colorsys').name)\n"
                                "import colorsys\n"
                                "print(vars(colorsys.__loader__).keys() - {'name', 'path'})\n"
                                "print([type(one).__name__ for one in sys.meta_path])\n";
        const QString looks = "colorsys colorsys\n";
        const QString without = python(program, "echo").output.remove("echo \n");
        QVERIFY2(without.startsWith(looks), qPrintable(without));
        QCOMPARE(python(program, hookText({{"hear", "colorsys"}})).output,
                 looks + "heard of colorsys True\n" + without.mid(looks.size()));
    }

    void anImportThatFailsIsTheProgramsOwn()
    {
        writeListener("print('heard of', module.__name__)");
        const fs::path user = fs::path(m_folder->path().toStdString()) / "user";
        fs::create_directories(user);
        const Ran ran = python(QString("try:\n"
                                       "    import there_soon\n"
                                       "except ModuleNotFoundError as error: print(error)\n"
                                       "import importlib\n"
                                       "open('%1/there_soon.py', 'w').close()\n"
                                       "importlib.invalidate_caches()\n"
                                       "import there_soon\n")
                                   .arg(QString::fromStdString(user.string())),
                               hookText({{"hear", "there_soon"}}), user);
        QCOMPARE(ran.output, QString("No module named 'there_soon'\nheard of there_soon"));
    }

    /// Also when it fails: a program may go on without it.
    void tellsWhileTorchIsImported()
    {
        const fs::path user = fs::path(m_folder->path().toStdString()) / "user";
        for (const char* module : {"", "raise ImportError('broken')\n"}) {
            write(user / "torch.py", module);
            write(m_reports, "");
            const Ran ran = python("try: import torch\n"
                                   "except ImportError as error: print(error)\n"
                                   "import os; print(os.getpid())\n",
                                   hookText({{"times", ""}}, m_reports), user);
            QCOMPARE(ran.error, QString());
            const std::vector<HookReport> told = reports();
            QCOMPARE(told.size(), size_t(2));
            QCOMPARE(told[0].kind, std::string("importing"));
            QCOMPARE(told[1].kind, std::string("imported"));
            for (const HookReport& report : told) {
                QCOMPARE(report.part, std::string("times"));
                QCOMPARE(report.rank, 3);
                QCOMPARE(QString::number(report.pid), ran.output.section('\n', -1));
            }
        }
    }

    void aPartThatFailsLaterIsReportedToo()
    {
        writeListener("raise ValueError('late')");
        const Ran ran = python("import colorsys; print(colorsys.__name__)",
                               hookText({{"hear", "colorsys"}}, m_reports));
        QCOMPARE(ran.output, QString("colorsys"));
        QCOMPARE(ran.error, QString());
        const std::vector<HookReport> told = reports();
        QCOMPARE(told.size(), size_t(1));
        QCOMPARE(told[0].part, std::string("hear"));
        QCOMPARE(told[0].facts.at("error"), std::string("ValueError: late"));
    }

    void aWorkerTellsAtItsEndWhatItHasImported_data()
    {
        QTest::addColumn<QString>("program");
        QTest::addColumn<bool>("tells");
        QTest::newRow("ends") << "" << true;
        QTest::newRow("raises") << "raise ValueError" << true;
        QTest::newRow("ends at once") << "import os; os._exit(3)" << false;
        QTest::newRow("has closed everything") << "import os; os.closerange(0, 256)" << true;
        QTest::newRow("has forked") << "import os\n"
                                       "if os.fork() == 0:\n"
                                       "    import mailbox\n"
                                       "    raise SystemExit\n"
                                       "os.wait()"
                                    << true;
        QTest::newRow("has run another interpreter")
            << "import subprocess, sys; subprocess.run([sys.executable, '-c', 'import mailbox'])"
            << true;
    }

    void aWorkerTellsAtItsEndWhatItHasImported()
    {
        QFETCH(QString, program);
        QFETCH(bool, tells);
        const fs::path file = m_reports.parent_path() / "modules";
        (void)python("import colorsys, json.decoder\n" + program,
                     hookText({{"modules", file.string()}}, m_reports));
        const QStringList names = QString::fromStdString(readFile(file).value_or("")).split('\n');
        QCOMPARE(names.contains("colorsys"), tells);
        QCOMPARE(names.contains("json.decoder"), tells);
        QVERIFY(!names.contains("mailbox"));
        QVERIFY(reports().empty());
    }

    void aReportThatCantBeWrittenIsNobodysTrouble()
    {
        const Ran ran = python("print('program')", hookText({{"modules", "/nonexistent/modules"}}));
        QCOMPARE(ran.output, QString("program"));
        QCOMPARE(ran.error, QString());
        QCOMPARE(ran.exitCode, 0);
    }

    void believesNoReportFile()
    {
        std::string text =
            "not json\n[1]\n{\"part\": 1}\n{\"kind\":\"k\",\"part\":\"p\",\"rank\":\"x\","
            "\"deep\":" +
            std::string(1000, '[') + std::string(1000, ']') + "}\n";
        for (size_t i = 0; i < 2 * HookReportReader::MostReports; ++i)
            text += line("k");
        text += line("cut").substr(0, 20);
        write(m_reports, text);
        HookReportReader reader(m_reports);
        const std::vector<HookReport> told = reader.readNew();
        QCOMPARE(told.size(), HookReportReader::MostReports);
        QCOMPARE(told[0].rank, -1);
        QCOMPARE(told[0].facts.at("deep"), std::string());
        QVERIFY(reader.readNew().empty());
        QVERIFY(HookReportReader("/nonexistent/reports").readNew().empty());
    }

    /// Else the threads that keep the last attempt's ranks were heard of by nobody.
    void eachAttemptMayTellAsMuch()
    {
        std::string text;
        for (size_t i = 0; i < HookReportReader::MostReports; ++i)
            text += line("k");
        write(m_reports, text);
        HookReportReader reader(m_reports);
        QCOMPARE(reader.readNew().size(), HookReportReader::MostReports);
        std::ofstream(m_reports, std::ios::app) << line("left");
        QVERIFY(reader.readNew().empty());
        reader.begin();
        const std::vector<HookReport> told = reader.readNew();
        QCOMPARE(told.size(), size_t(1));
        QCOMPARE(told[0].kind, std::string("left"));
    }

    void readsAReportFileAsItGrows()
    {
        const std::string second = line("two");
        write(m_reports, line("one") + second.substr(0, 9));
        HookReportReader reader(m_reports);
        QCOMPARE(reader.readNew().size(), size_t(1));
        QVERIFY(reader.readNew().empty());
        std::ofstream(m_reports, std::ios::app) << second.substr(9);
        const std::vector<HookReport> more = reader.readNew();
        QCOMPARE(more.size(), size_t(1));
        QCOMPARE(more[0].kind, std::string("two"));
    }
};

QTEST_GUILESS_MAIN(tst_start_hook)
#include "tst_start_hook.moc"
