#include "engine/job/JobSettings.h"

#include <QtTest>

using namespace ringmaster;

class tst_job_settings : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void onlyWhatDiffersIsListed()
    {
        const std::vector<std::string> jobs{
            "name = \"a\"\nworkers = 4\narguments = [\n    \"x\",\n]\n\n[restart]\nmax = 3\n",
            "name = \"a\"\nworkers = 2\n\n[restart]\nmax = 3\ngrace = \"1s\"\n"};
        const auto differences = differingSettings(jobs);
        QCOMPARE(differences.size(), size_t{3});
        QVERIFY((differences[0] == SettingDifference{"workers", {"4", "2"}}));
        QVERIFY((differences[1] == SettingDifference{"arguments", {"[ \"x\", ]", ""}}));
        QVERIFY((differences[2] == SettingDifference{"restart.grace", {"", "\"1s\""}}));
        QCOMPARE(settingCount(jobs), size_t{5});
    }

    void anyNumberOfJobsIsCompared()
    {
        const auto differences =
            differingSettings({"workers = 4\n", "workers = 4\n", "workers = 8\n"});
        QCOMPARE(differences.size(), size_t{1});
        QVERIFY((differences[0].values == std::vector<std::string>{"4", "4", "8"}));
        QVERIFY(differingSettings({"workers = 4\n", "workers = 4\n"}).empty());
        QVERIFY(differingSettings({}).empty());
    }

    void aNameThatWasMadeUpForOneRunIsNoDifference()
    {
        const auto job = [](const std::string& id) { return "[rendezvous]\nid = " + id + "\n"; };
        const std::string first = "\"bed396e4-4219-4dbe-b878-5c74223960ad\"";
        const std::string second = "\"8d765071-a3bd-4abe-9eb0-f69b0d699831\"";
        QVERIFY(differingSettings({job(first), job(second)}).empty());
        QCOMPARE(differingSettings({job(first), job("\"mine\"")}).size(), size_t{1});
    }
};

QTEST_GUILESS_MAIN(tst_job_settings)
#include "tst_job_settings.moc"
