#include "Scenarios.h"

#include <QDir>
#include <QFile>
#include <QtTest>

using namespace ringmaster;
using namespace ringmaster::diagnose;

namespace {

QString fileOf(const JobScenario& scenario)
{
    return QStringLiteral(RINGMASTER_SOURCE_DIR "/tests/diagnose/recordings/%1.json")
        .arg(QLatin1String(scenario.name));
}

} // namespace

/// What is found in whole jobs, recorded and simulated ones, from their beginning to their end.
class tst_scenarios : public QObject
{
    Q_OBJECT

private:
    static void rowsOf(const std::vector<JobScenario>& scenarios)
    {
        QTest::addColumn<int>("index");
        for (size_t i = 0; i < scenarios.size(); ++i)
            QTest::newRow(scenarios[i].name) << static_cast<int>(i);
    }

    static std::vector<JobScenario> allScenarios()
    {
        std::vector<JobScenario> all = healthyScenarios();
        std::ranges::move(guiltyScenarios(), std::back_inserter(all));
        return all;
    }

    /// Nothing: its file can't be read.
    static std::optional<Recording> recordingOf(const JobScenario& scenario)
    {
        if (scenario.make != nullptr)
            return scenario.make();
        QFile file(fileOf(scenario));
        return file.open(QIODevice::ReadOnly) ? readRecording(file.readAll()) : std::nullopt;
    }

    static void check(const JobScenario& scenario)
    {
        const std::optional<Recording> recording = recordingOf(scenario);
        QVERIFY2(recording, qPrintable(fileOf(scenario)));
        const std::vector<Verdict> said = replay(*recording, scenario.promises);
        const QStringList found = judgementsIn(said, false);
        const QStringList waits = judgementsIn(said, true).filter("waiting");
        qInfo("%-9s %-52s %-28s %s", scenario.make == nullptr ? "recorded" : "simulated",
              scenario.name, found.isEmpty() ? "-" : qPrintable(found.join(", ")),
              qPrintable(waits.join(", ")));
        QCOMPARE(found, scenario.found);
        for (const Verdict& verdict : said) {
            for (const Message& message : verdict.evidence)
                QVERIFY2(describe(message).find('{') == std::string::npos,
                         describe(message).c_str());
        }
    }

private Q_SLOTS:
    void thereAreEnoughOfEach()
    {
        QVERIFY(guiltyScenarios().size() >= 60);
        QVERIFY(healthyScenarios().size() >= 40);
    }

    void everyRecordingIsInTheTable()
    {
        QStringList known;
        for (const JobScenario& scenario : allScenarios()) {
            if (scenario.make == nullptr)
                known += QFileInfo(fileOf(scenario)).fileName();
        }
        known.sort();
        const QFileInfo folder(QStringLiteral(RINGMASTER_SOURCE_DIR "/tests/diagnose/recordings"));
        QCOMPARE(QDir(folder.filePath()).entryList({"*.json"}, QDir::Files, QDir::Name), known);
    }

    void namesTheGuilty_data() { rowsOf(guiltyScenarios()); }
    void namesTheGuilty()
    {
        QFETCH(int, index);
        check(guiltyScenarios()[static_cast<size_t>(index)]);
    }

    void saysNothingOfTheHealthy_data() { rowsOf(healthyScenarios()); }
    void saysNothingOfTheHealthy()
    {
        QFETCH(int, index);
        check(healthyScenarios()[static_cast<size_t>(index)]);
    }

    /// Whenever it is looked at, also in the moment in which a long wait ends.
    void saysNothingElseAtAnyMoment_data() { rowsOf(allScenarios()); }
    void saysNothingElseAtAnyMoment()
    {
        QFETCH(int, index);
        const JobScenario scenario = allScenarios()[static_cast<size_t>(index)];
        const std::optional<Recording> recording = recordingOf(scenario);
        QVERIFY2(recording, qPrintable(fileOf(scenario)));
        using Rank = std::optional<size_t>;
        for (const Rank late : {Rank(), Rank(0), Rank(1)}) {
            QStringList found =
                judgementsIn(replayClosely(*recording, scenario.promises, late), false);
            found.removeIf([&](const QString& one) { return scenario.found.contains(one); });
            QCOMPARE(found, QStringList());
        }
    }
};

QTEST_GUILESS_MAIN(tst_scenarios)
#include "tst_scenarios.moc"
