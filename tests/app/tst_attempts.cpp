#include "app/jobs/AttemptPicker.h"
#include "app/jobs/BandwidthChart.h"
#include "app/jobs/LogView.h"
#include "app/model/LogModel.h"
#include "app/model/WorkerTableModel.h"
#include "app/widget/ElidedLabel.h"
#include "app/widget/Pill.h"
#include "tests/app/JobTest.h"

#include <QLabel>
#include <QtTest>

#include <algorithm>

using namespace ringmaster;
using namespace ringmaster::app;

/// The attempts of a restarted job: workers, collectives and log of one or of all.
class tst_attempts : public JobTest
{
    Q_OBJECT

private Q_SLOTS:
    void oneAttemptNeedsNoChoice()
    {
        open(m_dashboard->scenario.failed());
        QVERIFY(!picker().isVisible());
    }

    void eachAttemptCanBeChosenAndAll()
    {
        open(m_dashboard->scenario.restartedAndRunning());
        QTRY_VERIFY(picker().isVisible());
        QStringList choices;
        for (int i = 0; i < picker().count(); ++i)
            choices << picker().itemText(i);
        QCOMPARE(choices, (QStringList{QStringLiteral("All attempts"), QStringLiteral("Attempt 1"),
                                       QStringLiteral("Attempt 2")}));
        QCOMPARE(picker().currentIndex(), 0);
        m_dashboard->language.choose(Language::Choice::Japanese);
        QTRY_VERIFY(picker().itemText(1).contains(QStringLiteral("試行")));
    }

    void workersAreThoseOfTheAttemptAsTheyEnded()
    {
        open(m_dashboard->scenario.restartedAndRunning());
        auto* workers = table("Workers as a table")->model();
        QTRY_COMPARE(workers->rowCount(), 8);
        const auto stateOf = [&](int rank) {
            return workers->index(rank, WorkerTableModel::State).data().toString();
        };
        QCOMPARE(stateOf(5), QStringLiteral("Running"));
        choose(1);
        QCOMPARE(stateOf(5), QStringLiteral("Failed"));
        QVERIFY(stateOf(2) != QStringLiteral("Running"));
        QVERIFY2(workers->index(5, WorkerTableModel::Exit)
                     .data()
                     .toString()
                     .startsWith(QStringLiteral("ValueError")),
                 qPrintable(workers->index(5, WorkerTableModel::Exit).data().toString()));
        QCOMPARE(workers->index(5, WorkerTableModel::Restarts).data().toString(),
                 QStringLiteral("0"));
        QVERIFY(workers->index(5, WorkerTableModel::Memory).data().toString().isEmpty());
        QVERIFY(says("as attempt 1 ended"));
        QVERIFY(hasChip("Failed 1"));
        choose(2);
        QCOMPARE(stateOf(5), QStringLiteral("Running"));
        choose(0);
        QCOMPARE(stateOf(5), QStringLiteral("Running"));
    }

    void anotherNumberOfWorkersIsAnotherNumberOfRows()
    {
        const std::string run = m_dashboard->scenario.large(4);
        AttemptStarted next{.attempt = 1, .restartCount = 1, .worldSize = 2};
        next.workers = {{.localRank = 0, .globalRank = 0}, {.localRank = 1, .globalRank = 1}};
        m_dashboard->cluster.publish(run, Scenario::ago(1), next);
        open(run);
        auto* workers = table("Workers as a table")->model();
        QTRY_COMPARE(workers->rowCount(), 2);
        choose(1);
        QCOMPARE(workers->rowCount(), 4);
        choose(0);
        QCOMPARE(workers->rowCount(), 2);
    }

    void theLogIsThatOfTheAttempt()
    {
        const std::string run = m_dashboard->scenario.restartedAndRunning();
        m_dashboard->cluster.print(run, Scenario::ago(130), 5, "in the first\n", Stream::Stdout, 0);
        m_dashboard->cluster.print(run, Scenario::ago(1), 5, "in the second\n", Stream::Stdout, 1);
        open(run);
        const auto has = [&](const char* line) {
            const auto* log = page().findChild<LogView*>()->model();
            for (int row = 0; row < log->rowCount(); ++row) {
                if (log->index(row, 0).data().toString() == QLatin1String(line))
                    return true;
            }
            return false;
        };
        QTRY_VERIFY(has("in the first") && has("in the second"));
        choose(1);
        QTRY_VERIFY(has("in the first") && !has("in the second"));
        QCOMPARE(page().findChild<LogView*>()->model()->rowCount(), 1);
        QTRY_VERIFY2(says("all ranks, attempt 1", true), qPrintable(subtitles()));
        choose(2);
        QTRY_VERIFY(!has("in the first") && has("in the second"));
        choose(0);
        QTRY_VERIFY(has("in the first") && has("in the second"));
    }

    /// What has ended prints nothing "yet", and isn't followed.
    void anEarlierAttemptWithoutOutputSaysSo()
    {
        const std::string run = m_dashboard->scenario.restartedAndRunning();
        m_dashboard->cluster.print(run, Scenario::ago(1), 5, "in the second\n", Stream::Stdout, 1);
        open(run);
        QTRY_VERIFY2(says("all ranks · follow"), qPrintable(subtitles()));
        choose(1);
        QTRY_VERIFY2(says("all ranks, attempt 1"), qPrintable(subtitles()));
        const auto isSaid = [this](const char* text) {
            const auto labels = page().findChildren<QLabel*>();
            return std::ranges::any_of(labels, [&](const QLabel* label) {
                return label->isVisible() && label->text() == QLatin1String(text);
            });
        };
        QTRY_VERIFY(isSaid("The workers printed nothing."));
        QVERIFY(!isSaid("No output yet"));
    }

    void collectivesAreCountedByAttemptAndTheAxisKeepsAll()
    {
        openWithCollectives();
        auto& span = *page().findChild<TimeSpan*>();
        QTRY_VERIFY(tableIndex(0, 0).isValid());
        QTRY_VERIFY(says("busbw by operation · all 2 attempts", true));
        const QString all = counts();
        choose(1);
        QTRY_VERIFY(says("busbw by operation · attempt 1", true));
        QTRY_VERIFY(counts() != all);
        QVERIFY(span.showsAll());
        // The first attempt began with the run, and ended 97 s later.
        const auto time = page().attempts().time();
        QVERIFY(time.has_value());
        QCOMPARE(time->fromNs, span.begin());
        const double seconds = static_cast<double>(time->untilNs - time->fromNs) / 1e9;
        QVERIFY2(std::abs(seconds - 98) < 2, qPrintable(QString::number(seconds)));
        choose(2);
        QCOMPARE(page().attempts().time()->fromNs, time->untilNs);
        choose(0);
        QTRY_COMPARE(counts(), all);
    }

    /// Its chart isn't another attempt's, and the axis keeps all.
    void theChartIsThatOfTheAttempt()
    {
        const std::string run = m_dashboard->scenario.restartedAndRunning();
        m_dashboard->scenario.collectives(run, Scenario::Attempts::Both);
        open(run);
        auto& chart = *page().findChild<BandwidthChart*>();
        const auto times = [&] {
            std::vector<double> all;
            for (const PlotSeries& line : chart.series()) {
                for (const QPointF& point : line.points)
                    all.push_back(point.x());
            }
            std::ranges::sort(all);
            return all;
        };
        QTRY_COMPARE(times().size(), size_t{2 * 195});
        const auto restartedAt =
            static_cast<double>(page().run().history().restarts().front().resumedAt->monotonicNs);
        choose(1);
        QCOMPARE(times().size(), size_t{2 * 77});
        QVERIFY(times().back() < restartedAt);
        button("Collectives", "Table")->click();
        auto* twin = table("Bandwidth over time as a table");
        QTRY_COMPARE(twin->model()->rowCount(), 2 * 77);
        choose(2);
        QCOMPARE(times().size(), size_t{2 * 118});
        QVERIFY(times().front() > restartedAt);
        QTRY_COMPARE(twin->model()->rowCount(), 2 * 118);
        QVERIFY(page().findChild<TimeSpan*>()->showsAll());
        choose(0);
        QTRY_COMPARE(twin->model()->rowCount(), 2 * 195);
    }

    void anEarlierAttemptWithoutCollectivesSaysSo()
    {
        const std::string run = m_dashboard->scenario.restartedAndRunning();
        open(run);
        const auto* empty = page().findChild<QWidget*>(QStringLiteral("noOperations"));
        const auto isSaid = [&](const char* text) {
            const auto labels = empty->findChildren<QLabel*>();
            return std::ranges::any_of(labels, [&](const QLabel* label) {
                return label->isVisible() && label->text() == QLatin1String(text);
            });
        };
        QTRY_VERIFY(isSaid("No collectives recorded yet."));
        choose(1);
        QTRY_VERIFY(isSaid("The program called none in this attempt."));
        choose(2);
        QTRY_VERIFY(isSaid("No collectives recorded yet."));
    }

    void anAttemptThatComesIsOneMoreChoice()
    {
        const std::string run = m_dashboard->scenario.restartedAndRunning();
        open(run);
        QTRY_COMPARE(picker().count(), 3);
        choose(2);
        m_dashboard->cluster.publish(run, Scenario::ago(0.5),
                                     GroupRestarting{1, {code::None}, 2, 1, 0});
        AttemptStarted next{.attempt = 2, .restartCount = 2, .worldSize = 8};
        for (int rank = 0; rank < 8; ++rank)
            next.workers.push_back({.localRank = rank, .globalRank = rank});
        m_dashboard->cluster.publish(run, Scenario::ago(0.1), next);
        QTRY_COMPARE(picker().count(), 4);
        QCOMPARE(picker().currentIndex(), 2);
        QTRY_VERIFY(says("as attempt 2 ended"));
    }

    void anAttemptThatIsNotKeptSaysSo()
    {
        constexpr int Ranks = 1'000;
        const std::string run = m_dashboard->scenario.large(Ranks);
        std::vector<std::pair<Moment, EventBody>> restarts;
        for (int number = 1; number <= 21; ++number) {
            AttemptStarted next{.attempt = number, .restartCount = number, .worldSize = Ranks};
            for (int rank = 0; rank < Ranks; ++rank)
                next.workers.push_back({.localRank = rank, .globalRank = rank});
            restarts.emplace_back(Scenario::ago(30 - number), next);
        }
        m_dashboard->cluster.publish(run, restarts);
        open(run);
        QTRY_COMPARE(picker().count(), 1 + 22);
        choose(1);
        QCOMPARE(table("Workers as a table")->model()->rowCount(), 0);
        QVERIFY2(says("those of this attempt aren't kept any more"), qPrintable(subtitles()));
        choose(2);
        QCOMPARE(table("Workers as a table")->model()->rowCount(), Ranks);
        QVERIFY2(says("as attempt 2 ended"), qPrintable(subtitles()));
    }

    void earlierAttemptsAreBounded()
    {
        EarlierAttempts kept;
        RunSnapshot run;
        run.workers.resize(1'000);
        const RankHealth health(run);
        for (run.attempt = 0; run.attempt < 50; ++run.attempt)
            kept.keep(run, health);
        QVERIFY(kept.find(49) != nullptr && kept.find(30) != nullptr);
        QVERIFY(kept.find(0) == nullptr && kept.find(29) == nullptr);
    }

private:
    AttemptPicker& picker() { return *page().findChild<AttemptPicker*>(); }

    /// By its place in the picker.
    void choose(int index) { picker().setCurrentIndex(index); }

    QString counts()
    {
        QStringList all;
        for (int row = 0; row < tableIndex(0, 0).model()->rowCount(); ++row) {
            for (int column = 0; column < 5; ++column)
                all << cell(row, column);
        }
        return all.join(u' ');
    }

    bool says(const char* text, bool begins = false)
    {
        const auto labels = page().findChildren<ElidedLabel*>();
        return std::ranges::any_of(labels, [&](const ElidedLabel* label) {
            return begins ? label->text().startsWith(QString::fromUtf8(text))
                          : label->text() == QString::fromUtf8(text);
        });
    }

    QString subtitles()
    {
        QStringList all;
        for (const ElidedLabel* label : page().findChildren<ElidedLabel*>())
            all << label->text();
        return all.join(u'\n');
    }

    bool hasChip(const char* text)
    {
        const auto chips = page().findChildren<FilterChip*>();
        return std::ranges::any_of(
            chips, [&](const FilterChip* chip) { return chip->text() == QString::fromUtf8(text); });
    }
};

QTEST_MAIN(tst_attempts)
#include "tst_attempts.moc"
