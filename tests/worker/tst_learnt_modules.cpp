#include "engine/base/Files.h"
#include "engine/worker/warm/LearntModules.h"

#include <QTemporaryDir>
#include <QtTest>

#include <fstream>

#include <sys/stat.h>

using namespace ringmaster;
namespace fs = std::filesystem;

/// What runs have imported, kept for the next warm starter.
class tst_learnt_modules : public QObject
{
    Q_OBJECT

private:
    static constexpr std::chrono::sys_days Today{std::chrono::days(20000)};

    QStringList learnt() const
    {
        const auto text = readFile(m_file);
        return QString::fromStdString(text.value_or("")).split('\n', Qt::SkipEmptyParts);
    }

    void report(const std::string& text) const { std::ofstream(m_report) << text; }

    std::unique_ptr<QTemporaryDir> m_folder;
    fs::path m_report;
    fs::path m_file;

private Q_SLOTS:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_report = fs::path(m_folder->path().toStdString()) / "modules";
        m_file = learntModulesFile(m_folder->path().toStdString() + "/state/warm", "/usr/bin/one");
    }

    void interpretersDontShareWhatIsLearnt()
    {
        QVERIFY(learntModulesFile("/state", "/usr/bin/one") !=
                learntModulesFile("/state", "/usr/bin/other"));
    }

    void keepsTheOrderOfTheImportsAndTheDay()
    {
        report("torch\ntorch.nn\njson\n");
        QVERIFY(learnModules(m_report, m_file, Today).has_value());
        QCOMPARE(learnt(), (QStringList{"torch 20000", "torch.nn 20000", "json 20000"}));
        struct stat status = {};
        QCOMPARE(::stat(m_file.c_str(), &status), 0);
        QCOMPARE(status.st_mode & 0777U, 0600U);
    }

    void programsAreLearntFromTogetherAndForgottenAfterTwoWeeks()
    {
        report("torch\nmailbox\n");
        QVERIFY(learnModules(m_report, m_file, Today).has_value());
        report("torch\njson\n");
        QVERIFY(learnModules(m_report, m_file, Today + std::chrono::days(13)).has_value());
        QCOMPARE(learnt(), (QStringList{"torch 20013", "json 20013", "mailbox 20000"}));
        QVERIFY(learnModules(m_report, m_file, Today + std::chrono::days(14)).has_value());
        QCOMPARE(learnt(), (QStringList{"torch 20014", "json 20014"}));
    }

    void learnsTheSameOnceHoweverOftenItIsTold()
    {
        report("torch\njson\n");
        for (int times = 0; times < 3; ++times)
            QVERIFY(learnModules(m_report, m_file, Today).has_value());
        QCOMPARE(learnt().size(), 2);
    }

    void believesNoReport()
    {
        report("torch\n../../evil\n__main__\na b\nx;y\n\n.\na.\n.a\na..b\n1a\na.1b\n" +
               std::string(300, 'a') + "\n\xff\xfe\n" + std::string("nul\0nul\n", 8) +
               "\xe9\x80\xb2\n");
        QVERIFY(learnModules(m_report, m_file, Today).has_value());
        QCOMPARE(learnt(), (QStringList{"torch 20000", "__main__ 20000"}));
    }

    void learnsNoMoreThanItCanKeep()
    {
        std::string many;
        for (int i = 0; i < 30'000; ++i)
            many += "module" + std::to_string(i) + "\n";
        report(many);
        QVERIFY(learnModules(m_report, m_file, Today).has_value());
        QCOMPARE(learnt().size(), 20'000);
        // Too long to be a report at all: what is known stays.
        report(std::string(5U << 20U, 'a'));
        QVERIFY(learnModules(m_report, m_file, Today).has_value());
        QCOMPARE(learnt().size(), 20'000);
    }

    void aReportThatIsNoFileIsNone()
    {
        QVERIFY(learnModules(m_report, m_file, Today).has_value());
        QCOMPARE(::mkfifo(m_report.c_str(), 0600), 0); // To open it would wait for a writer.
        QVERIFY(learnModules(m_report, m_file, Today).has_value());
        fs::remove(m_report);
        fs::create_directory(m_report);
        QVERIFY(learnModules(m_report, m_file, Today).has_value());
        QVERIFY(!fs::exists(m_file));
    }

    void aSpoiltFileIsBegunAnew()
    {
        report("torch\n");
        fs::create_directories(m_file.parent_path());
        std::ofstream(m_file) << "json\njson x\nos 99999\n\n sys 20000\nmailbox 19999\n";
        QVERIFY(learnModules(m_report, m_file, Today).has_value());
        QCOMPARE(learnt(), (QStringList{"torch 20000", "mailbox 19999"}));
    }

    void aFolderThatCantBeWrittenIsAnError()
    {
        report("torch\n");
        std::ofstream(m_file.parent_path().parent_path()) << "a file";
        QVERIFY(!learnModules(m_report, m_file, Today).has_value());
    }
};

QTEST_GUILESS_MAIN(tst_learnt_modules)
#include "tst_learnt_modules.moc"
